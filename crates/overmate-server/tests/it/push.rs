//! Tests push messages with a simulated push service, which decrypts the messages independently of the server.

use std::sync::Arc;

use axum::http::StatusCode;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use overmate_server::wire::{
    ClientMessage, Code, Export, MadeOffer, MatchView, PlayerWire, Push, SeenEvent,
};
use overmate_server::{PushTest, Settings};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use web_push_native::p256::SecretKey;
use web_push_native::p256::ecdh::diffie_hellman;
use web_push_native::p256::elliptic_curve::sec1::ToEncodedPoint as _;

use crate::ratings::{PASSWORD, make_account};
use crate::sockets::{Socket, served};
use crate::support::{Answer, Browser, SOON, Table, client_id, now, run, turn};

const PUSH: &str = "/api/v1/me/push";

/// Request that the simulated push service received.
struct Received {
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Received {
    fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }
}

/// Simulated push service with a certificate for `push.example`.
struct Service {
    test: PushTest,
    received: mpsc::UnboundedReceiver<Received>,
    /// Channel for the HTTP status lines of the push service's next responses. Without a prepared status line, the service accepts
    /// the message.
    answers: mpsc::UnboundedSender<&'static str>,
}

impl Service {
    async fn start() -> Self {
        let made = rcgen::generate_simple_self_signed(vec!["push.example".to_owned()]).unwrap();
        let certificate = made.cert.der().clone();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.clone()], key)
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, received) = mpsc::unbounded_channel();
        let (answers, mut wanted) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let mut stream = acceptor.accept(stream).await.unwrap();
                let (mut read, mut head) = (Vec::new(), None);
                let request = loop {
                    let mut part = [0; 4_096];
                    let length = stream.read(&mut part).await.unwrap();
                    read.extend_from_slice(&part[..length]);
                    if head.is_none()
                        && let Some(end) = read.windows(4).position(|four| four == b"\r\n\r\n")
                    {
                        head = Some((String::from_utf8(read[..end].to_vec()).unwrap(), end + 4));
                    }
                    let Some((text, start)) = &head else { continue };
                    let request = parsed(text, &read[*start..]);
                    if request.header("content-length") == request.body.len().to_string() {
                        break request;
                    }
                };
                let status = wanted.try_recv().unwrap_or("201 Created");
                let answer = format!(
                    "HTTP/1.1 {status}\r\nLocation: https://push.example/elsewhere\r\nContent-Length: 0\r\n\r\n"
                );
                stream.write_all(answer.as_bytes()).await.unwrap();
                stream.flush().await.unwrap();
                if sender.send(request).is_err() {
                    return;
                }
            }
        });
        Self { test: PushTest { address, certificate: certificate.to_vec() }, received, answers }
    }

    async fn table(&self) -> Table {
        let test = self.test.clone();
        Table::with(|settings| Settings {
            push_contact: Some("mailto:admin@mate.example".parse().unwrap()),
            push_test: Some(test),
            ..settings
        })
        .await
    }

    async fn next(&mut self) -> Received {
        timeout(SOON, self.received.recv()).await.expect("a message in time").expect("a message")
    }
}

fn parsed(head: &str, body: &[u8]) -> Received {
    let mut lines = head.split("\r\n");
    let path = lines.next().unwrap().split(' ').nth(1).unwrap().to_owned();
    let headers = lines.filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
    Received { path, headers, body: body.to_vec() }
}

/// Private key and authentication secret of a browser with a push subscription.
struct Keys {
    secret: SecretKey,
    auth: [u8; 16],
}

struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

/// Derives key material with HKDF (RFC 5869).
fn derived(salt: &[u8], key: &[u8], info: &[&[u8]], length: usize) -> Vec<u8> {
    let mut derived = vec![0; length];
    let pseudorandom = Salt::new(HKDF_SHA256, salt).extract(key);
    pseudorandom.expand(info, Length(length)).unwrap().fill(&mut derived).unwrap();
    derived
}

impl Keys {
    fn new() -> Self {
        let mut bytes = [0; 48];
        getrandom::fill(&mut bytes).unwrap();
        let (secret, auth) = bytes.split_at(32);
        Self { secret: SecretKey::from_slice(secret).unwrap(), auth: auth.try_into().unwrap() }
    }

    fn public(&self) -> Vec<u8> {
        self.secret.public_key().to_encoded_point(false).as_bytes().to_vec()
    }

    /// Decrypts a push message as a browser does (RFC 8291 and RFC 8188).
    fn decrypt(&self, body: &[u8]) -> Value {
        let (salt, rest) = body.split_at(16);
        let size = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
        let (server, record) = rest[5..].split_at(usize::from(rest[4]));
        assert!(record.len() <= size, "one record");
        let key = web_push_native::p256::PublicKey::from_sec1_bytes(server).unwrap();
        let shared = diffie_hellman(self.secret.to_nonzero_scalar(), key.as_affine());
        let info: [&[u8]; 3] = [b"WebPush: info\0", &self.public(), server];
        let input = derived(&self.auth, shared.raw_secret_bytes(), &info, 32);
        let content = derived(salt, &input, &[b"Content-Encoding: aes128gcm\0"], 16);
        let nonce = derived(salt, &input, &[b"Content-Encoding: nonce\0"], 12);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &content).unwrap());
        let mut record = record.to_vec();
        let nonce = Nonce::assume_unique_for_key(nonce.try_into().unwrap());
        let text = key.open_in_place(nonce, Aad::empty(), &mut record).unwrap();
        let end = text.iter().rposition(|byte| *byte == 2).expect("the mark of the last record");
        serde_json::from_slice(&text[..end]).unwrap()
    }

    async fn subscribe(&self, browser: &mut Browser, endpoint: &str, language: &str) -> Answer {
        let (p256dh, auth) = (BASE64.encode(self.public()), BASE64.encode(self.auth));
        let body =
            json!({"endpoint": endpoint, "p256dh": p256dh, "auth": auth, "language": language});
        browser.put(PUSH, body).await
    }
}

/// Begins a correspondence match with three days for each action, in which each player has acted once. The first test client in
/// the result is that of the player whose turn it is.
async fn begun(table: &Table) -> (Browser, Browser, MatchView) {
    let (mut host, mut guest) = (table.browser(), table.browser());
    let state = begin_by_days(&mut host, &mut guest).await;
    let state: MatchView = host.act(&state, &state.current.legal[0].action).await.ok();
    let state = guest.look(&state.id).await;
    let state: MatchView = guest.act(&state, &state.current.legal[0].action).await.ok();
    let is_host = !host.look(&state.id).await.current.legal.is_empty();
    if is_host { (host, guest, state) } else { (guest, host, state) }
}

/// Begins a correspondence match between two given test clients, with three days for each action. The first client leads.
pub(crate) async fn begin_by_days(host: &mut Browser, guest: &mut Browser) -> MatchView {
    let clock = json!({"kind": "days", "days": 3});
    let new = json!({"rules": "bga", "opponent": {"kind": "friend"}, "lead": "me", "clock": clock, "names": {"me": "Anna"}});
    let state: MatchView = host.post("/api/v1/matches", new).await.ok();
    let token = state.invitation.clone().expect("an invitation").replace("/join/", "");
    let name = json!({"name": "Björn"});
    let state: MatchView = guest.post(&format!("/api/v1/invitations/{token}"), name).await.ok();
    host.look(&state.id).await
}

/// Takes actions on behalf of a test client's player until it is the other player's turn.
pub(crate) async fn pass_turn(browser: &mut Browser, id: &str) {
    let mut state = browser.look(id).await;
    let own = turn(&state);
    let mut acted = 0;
    while turn(&state) == own {
        state = browser.act(&state, &state.current.legal[0].action).await.ok();
        acted += 1;
        assert!(acted < 20);
    }
}

/// Asserts that a push message equals the message of its kind in the fixture `push-messages.json`. A browser test
/// delivers the fixture's messages to the service worker. In the fixture the opponent is Anna, and the match id and the
/// digits of times are zeros.
fn assert_fixture(kind: &str, sent: &Value, opponent: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/tests/fixtures/push-messages.json");
    let fixture: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let zeros = |text: &str| text.replace(|sign: char| sign.is_ascii_digit(), "0");
    let (start, id) = sent["path"].as_str().expect("a path").split_at("/match/".len());
    let mut expected = sent.clone();
    expected["title"] = sent["title"].as_str().expect("a title").replace(opponent, "Anna").into();
    expected["body"] = sent["body"].as_str().map(zeros).into();
    expected["path"] = format!("{start}{}", "0".repeat(id.len())).into();
    assert_eq!(expected, fixture[kind], "{kind}: {sent}");
}

async fn subscribed(browser: &mut Browser) -> bool {
    browser.get(PUSH).await.ok::<Push>().subscribed
}

/// Returns the names of all database leases (servers' expiring claims on work) except `expiry`, the lease for the
/// removal of expired data. In tests of messages, each of these leases stands for a message that waits to be sent.
pub(crate) async fn waiting(table: &Table) -> Vec<String> {
    let query = "SELECT name FROM leases WHERE name != 'expiry' ORDER BY name";
    sqlx::query_scalar(query).fetch_all(&mut table.connect().await).await.unwrap()
}

/// Waits until the server has exactly the given unsent messages (push messages or e-mails). `expected` holds the beginnings of the names of
/// the messages' database leases.
pub(crate) async fn wait_for(table: &Table, expected: &[&str]) {
    for _ in 0..1_000 {
        let found = waiting(table).await;
        if found.len() == expected.len()
            && found.iter().zip(expected).all(|(name, start)| name.starts_with(start))
        {
            return;
        }
        sleep(SOON / 1_000).await;
    }
    panic!("{:?}", waiting(table).await);
}

/// Makes the waiting message of a given kind, such as an e-mail, due immediately.
pub(crate) async fn make_due(table: &Table, kind: &str) {
    let mut connection = table.connect().await;
    let query = "UPDATE leases SET until = 0 WHERE name LIKE $1 || ':%'";
    let done = sqlx::query(query).bind(kind).execute(&mut connection).await.unwrap();
    assert_eq!(done.rows_affected(), 1, "{kind}");
}

#[test]
fn a_player_is_told_that_it_is_their_turn_and_that_their_time_runs_out() {
    run(async {
        let mut service = Service::start().await;
        let table = service.table().await;
        let _served = served(&table).await;
        let (mut acting, mut other, state) = begun(&table).await;
        let keys = Keys::new();
        let answer = keys.subscribe(&mut other, "https://push.example/box?one", "de").await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT);
        assert!(subscribed(&mut other).await && !subscribed(&mut acting).await);
        let players = acting.look(&state.id).await.players;
        let is_a = turn(&state) == Some(PlayerWire::A);
        let opponent = if is_a { players.a } else { players.b }.name.expect("a name");
        pass_turn(&mut acting, &state.id).await;
        wait_for(&table, &["near:", "turn:"]).await;
        make_due(&table, "turn").await;
        let received = service.next().await;
        assert_eq!(received.path, "/box?one");
        assert_eq!(received.header("content-encoding"), "aes128gcm");
        assert_eq!((received.header("urgency"), received.header("topic")), ("normal", &*state.id));
        assert_eq!((received.header("ttl"), received.header("host")), ("86400", "push.example"));

        // The request to the push service is signed with the server's key, whose public part the browser used for its subscription.
        let public = other.get(PUSH).await.ok::<Push>().key.expect("a key");
        let (token, key) = received
            .header("authorization")
            .strip_prefix("vapid t=")
            .and_then(|rest| rest.split_once(", k="))
            .expect("a signature");
        assert_eq!(key, public);
        let (text, signature) = token.rsplit_once('.').unwrap();
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, BASE64.decode(key).unwrap());
        key.verify(text.as_bytes(), &BASE64.decode(signature).unwrap()).expect("a signature");
        let (_, claims) = text.split_once('.').unwrap();
        let claims: Value = serde_json::from_slice(&BASE64.decode(claims).unwrap()).unwrap();
        assert_eq!(claims["aud"], "https://push.example");
        assert_eq!(claims["sub"], "mailto:admin@mate.example");
        let left = claims["exp"].as_i64().unwrap() - now();
        assert!((1..=24 * 3_600).contains(&left), "{left}");

        let text = keys.decrypt(&received.body);
        assert_fixture("turn", &text, &opponent);
        assert!(text["body"].as_str().unwrap().starts_with("bis 20"), "{text}");
        assert_eq!(text["path"], format!("/match/{}", state.id));

        wait_for(&table, &["near:"]).await;
        make_due(&table, "near").await;
        let received = service.next().await;
        assert_eq!(received.header("urgency"), "high");
        assert_fixture("near", &keys.decrypt(&received.body), &opponent);
        wait_for(&table, &[]).await;

        // Days off move the deadline of a turn, so that the player gets a second warning before the new deadline.
        let away = other.put("/api/v1/me/days-off", json!({"away": true})).await;
        assert_eq!(away.status, StatusCode::OK);
        wait_for(&table, &["near:"]).await;
        make_due(&table, "near").await;
        let received = service.next().await;
        assert_fixture("near", &keys.decrypt(&received.body), &opponent);
        wait_for(&table, &[]).await;
        assert!(service.received.try_recv().is_err(), "each message is sent once");
    });
}

#[test]
fn a_dead_subscription_is_removed_and_a_failed_message_is_repeated_later() {
    run(async {
        let mut service = Service::start().await;
        let table = service.table().await;
        let _served = served(&table).await;
        let (mut acting, mut other, state) = begun(&table).await;
        let keys = Keys::new();
        keys.subscribe(&mut other, "https://push.example/box", "en").await;
        // If the push service redirects a request, the server counts this as a failure, and does not follow the redirection.
        let failures =
            ["500 Internal Server Error", "307 Temporary Redirect", "429 Too Many Requests"];
        for status in failures {
            service.answers.send(status).unwrap();
        }
        pass_turn(&mut acting, &state.id).await;
        for attempt in 1..=failures.len() {
            make_due(&table, "turn").await;
            assert_eq!(service.next().await.path, "/box");
            let mut connection = table.connect().await;
            let mut waits = false;
            for _ in 0..1_000 {
                let query = "SELECT failures FROM push_subscriptions
                    WHERE retry_at > unixepoch() + 30
                    AND EXISTS (SELECT 1 FROM leases WHERE name LIKE 'turn:%' AND holder IS NULL AND until > unixepoch() * 1000 + 30000)";
                let read: Option<i64> =
                    sqlx::query_scalar(query).fetch_optional(&mut connection).await.unwrap();
                waits = read == i64::try_from(attempt).ok();
                if waits {
                    break;
                }
                sleep(SOON / 1_000).await;
            }
            assert!(waits, "attempt {attempt}");
            table.execute("UPDATE push_subscriptions SET retry_at = 0").await;
        }
        make_due(&table, "turn").await;
        let text = keys.decrypt(&service.next().await.body);
        assert!(text["title"].as_str().unwrap().starts_with("Your turn against "), "{text}");
        wait_for(&table, &["near:"]).await;
        let export: Export = other.get("/api/v1/me/export").await.ok();
        let own = &export.push_subscriptions[0];
        assert_eq!((own.failures, &*own.endpoint), (0, "https://push.example/box"));
        assert!(own.last_message.as_ref().unwrap().starts_with("turn:"), "{own:?}");

        let mut ended = 0;
        for status in ["410 Gone", "404 Not Found"] {
            keys.subscribe(&mut other, "https://push.example/box", "en").await;
            service.answers.send(status).unwrap();
            pass_turn(&mut other, &state.id).await;
            pass_turn(&mut acting, &state.id).await;
            make_due(&table, "turn").await;
            service.next().await;
            wait_for(&table, &["near:"]).await;
            assert!(!subscribed(&mut other).await, "{status}");
            ended += 1;
        }
        assert_eq!(ended, 2);
    });
}

#[test]
fn a_player_who_sees_the_match_is_not_told() {
    run(async {
        let mut service = Service::start().await;
        let table = service.table().await;
        let served = served(&table).await;
        let (mut acting, mut other, state) = begun(&table).await;
        Keys::new().subscribe(&mut other, "https://push.example/box", "en").await;
        let mut socket = Socket::open(&served, &other, &format!("{}/live", state.id)).await;
        socket.hello().await;
        socket.say(&ClientMessage::Attend { hidden: false }).await;
        pass_turn(&mut acting, &state.id).await;
        // The server removes the scheduled push message before the message is due, because the player sees the match.
        wait_for(&table, &["near:"]).await;
        // A player whose page is in the background gets a message.
        socket.say(&ClientMessage::Attend { hidden: true }).await;
        pass_turn(&mut other, &state.id).await;
        pass_turn(&mut acting, &state.id).await;
        make_due(&table, "turn").await;
        assert_eq!(service.next().await.path, "/box");
        wait_for(&table, &["near:"]).await;
        assert!(service.received.try_recv().is_err());
    });
}

#[test]
fn the_maker_of_an_offer_is_told_that_it_was_accepted() {
    run(async {
        let mut service = Service::start().await;
        let table = service.table().await;
        let _served = served(&table).await;
        let (mut maker, mut guest) = (table.browser(), table.browser());
        let body = json!({"rules": "bga", "lead": "me", "clock": {"kind": "days", "days": 1}, "client_id": client_id()});
        let own = maker.post("/api/v1/offers", body).await.ok::<MadeOffer>().own.expect("an offer");
        let keys = Keys::new();
        let answer = keys.subscribe(&mut maker, "https://push.example/maker", "en").await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT);
        let accept = format!("/api/v1/offers/{}/accept", own.offer.id);
        let body = json!({"name": "Carla", "client_id": client_id()});
        let state: MatchView = guest.post(&accept, body).await.ok();
        Keys::new().subscribe(&mut guest, "https://push.example/guest", "en").await;
        make_due(&table, "offer").await;
        let received = service.next().await;
        assert_eq!(received.path, "/maker");
        let text = keys.decrypt(&received.body);
        assert_fixture("offer", &text, "Carla");
        assert_eq!(text["path"], format!("/match/{}", state.id));
        wait_for(&table, &[]).await;
        assert!(service.received.try_recv().is_err());
    });
}

#[test]
fn a_subscription_needs_a_public_endpoint_sound_keys_and_a_known_browser() {
    run(async {
        let service = Service::start().await;
        let table = service.table().await;
        let (mut browser, _, state) = begun(&table).await;
        let keys = Keys::new();
        let mut refused = 0;
        for endpoint in [
            "http://push.example/box",
            "https://127.0.0.1/box",
            "https://[::ffff:127.0.0.1]/box",
            "https://169.254.169.254/latest",
            "https://localhost/box",
            "https://push.example:8080/box",
            "box",
        ] {
            let answer = keys.subscribe(&mut browser, endpoint, "en").await;
            assert_eq!(answer.code(), Code::BadRequest, "{endpoint}");
            refused += 1;
        }
        assert_eq!(refused, 7);
        let body = json!({"endpoint": "https://push.example/box", "p256dh": "BAAA", "auth": "AA", "language": "en"});
        assert_eq!(browser.put(PUSH, body).await.code(), Code::BadRequest);
        let stranger = &mut table.browser();
        let answer = keys.subscribe(stranger, "https://push.example/box", "en").await;
        assert_eq!(answer.code(), Code::NotFound);
        assert!(answer.text().contains("neither a match nor an account"), "{}", answer.text());

        keys.subscribe(&mut browser, "https://push.example/box", "en").await;
        assert!(subscribed(&mut browser).await);
        assert_eq!(browser.delete(PUSH).await.status, StatusCode::NO_CONTENT);
        assert!(!subscribed(&mut browser).await);
        // The erasure of a person's data removes the person's push subscription.
        keys.subscribe(&mut browser, "https://push.example/box", "en").await;
        assert!(browser.erase().await.status.is_success());
        let count: i64 = sqlx::query_scalar("SELECT count(*) FROM push_subscriptions")
            .fetch_one(&mut table.connect().await)
            .await
            .unwrap();
        assert_eq!((count, state.id.len()), (0, 32));
    });
}

#[test]
fn no_push_subscription_follows_a_browser_into_an_account() {
    run(async {
        let service = Service::start().await;
        let table = service.table().await;
        let keys = Keys::new();
        let mut checked = 0;
        for way in ["new account", "sign-in", "link", "recovery", "new password"] {
            let handle = format!("Owner{checked}");
            // The thief puts a cookie into the owner's browser, and subscribes to push messages with the same cookie.
            let (mut first, mut thief) = (table.browser(), table.browser());
            if way != "new account" {
                make_account(&mut first, &handle).await;
            }
            if way == "new password" {
                thief.cookie.clone_from(&first.cookie);
            } else {
                thief.begin("bga", json!({"kind": "both"})).await;
            }
            let endpoint = "https://push.example/thief";
            let answer = keys.subscribe(&mut thief, endpoint, "en").await;
            assert_eq!(answer.status, StatusCode::NO_CONTENT, "{way}");
            let mut own = table.browser();
            own.cookie.clone_from(&thief.cookie);
            let answer = match way {
                "new account" => {
                    let new = json!({"handle": handle, "password": PASSWORD});
                    own.post("/api/v1/me/account", new).await
                }
                "sign-in" => {
                    let proof = json!({"handle": handle, "password": PASSWORD});
                    own.post("/api/v1/me/sign-in", proof).await
                }
                "new password" => {
                    let new = json!({"former": PASSWORD, "password": "another long password"});
                    own.put("/api/v1/me/account/password", new).await
                }
                kind => own.join(&first.make_codes(kind).await.codes[0]).await,
            };
            assert!(answer.status.is_success(), "{way}: {}", answer.text());
            let endpoints: Vec<String> =
                sqlx::query_scalar("SELECT endpoint FROM push_subscriptions")
                    .fetch_all(&mut table.connect().await)
                    .await
                    .unwrap();
            assert_eq!(endpoints, [""; 0], "{way}");
            // The browser subscribes again with its new cookie. The thief cannot subscribe again.
            let answer = keys.subscribe(&mut thief, endpoint, "en").await;
            assert_eq!(answer.code(), Code::SignedOut, "{way}");
            let answer = keys.subscribe(&mut own, "https://push.example/own", "en").await;
            assert_eq!(answer.status, StatusCode::NO_CONTENT, "{way}");
            assert!(subscribed(&mut own).await, "{way}");
            assert!(own.erase().await.status.is_success(), "{way}");
            checked += 1;
        }
        assert_eq!(checked, 5);
    });
}

#[test]
fn a_server_without_a_contact_sends_no_messages() {
    run(async {
        let table = Table::new().await;
        let (mut browser, ..) = begun(&table).await;
        assert_eq!(browser.get(PUSH).await.ok::<Push>(), Push { key: None, subscribed: false });
        let answer = Keys::new().subscribe(&mut browser, "https://push.example/box", "en").await;
        assert_eq!(answer.code(), Code::NotFound);
        table.server.close().await;
        // With an `https` address as its public URL, the server has a contact for push services, and offers push messages.
        let table = Table::with(|settings| Settings {
            public_url: Some("https://mate.example".parse().unwrap()),
            ..settings
        })
        .await;
        assert!(table.browser().get(PUSH).await.ok::<Push>().key.is_some());
    });
}

#[test]
fn players_are_told_that_they_are_paired_in_an_event() {
    run(async {
        let mut service = Service::start().await;
        let table = service.table().await;
        let _served = served(&table).await;
        let (mut anna, mut bert) = (table.browser(), table.browser());
        make_account(&mut anna, "Anna").await;
        make_account(&mut bert, "Bert").await;
        let keys = [Keys::new(), Keys::new()];
        let subscribed = keys[0].subscribe(&mut anna, "https://push.example/anna", "en").await;
        assert_eq!(subscribed.status, StatusCode::NO_CONTENT);
        let subscribed = keys[1].subscribe(&mut bert, "https://push.example/bert", "de").await;
        assert_eq!(subscribed.status, StatusCode::NO_CONTENT);
        let event = json!({
            "kind": {"kind": "swiss", "rounds": 1}, "title": "Friday", "rules": "bga", "base": 300,
            "increment": 5, "starts_in": 60, "client_id": client_id(),
        });
        let made: SeenEvent = anna.post("/api/v1/events", event).await.ok();
        let path = format!("/api/v1/events/{}", made.shown.event.id);
        for player in [&mut anna, &mut bert] {
            player.post(&format!("{path}/join"), json!({})).await.ok::<SeenEvent>();
        }
        anna.post(&format!("{path}/start"), json!({})).await.ok::<SeenEvent>();
        for _ in 0..1_000 {
            if waiting(&table).await.iter().any(|name| name.starts_with("paired:")) {
                break;
            }
            sleep(SOON / 1_000).await;
        }
        make_due(&table, "paired").await;
        let mut told = Vec::new();
        for _ in 0..2 {
            let received = service.next().await;
            let is_anna = received.path == "/anna";
            let text = keys[usize::from(!is_anna)].decrypt(&received.body);
            assert!(text["path"].as_str().expect("a path").starts_with("/match/"), "{text}");
            assert_eq!(received.header("urgency"), "high");
            if is_anna {
                assert_fixture("paired", &text, "Bert");
            }
            told.push(text["title"].as_str().expect("a title").to_owned());
        }
        told.sort();
        assert_eq!(
            told,
            ["Event: you now play against Bert", "Turnier: du spielst jetzt gegen Anna"]
        );
    });
}
