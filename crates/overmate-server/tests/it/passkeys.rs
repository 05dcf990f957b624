//! Tests passkeys with a software authenticator.

use std::pin::Pin;

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use overmate_server::wire::{
    Code, Export, MyAccount, MyBrowsers, MyPasskey, MyPasskeys, OwnAccount, PasskeyOptions,
};
use overmate_server::{Limits, Server, Settings};
use passkey::authenticator::{Authenticator, UiHint, UserCheck, UserValidationMethod};
use passkey::client::{Client, DefaultClientData};
use passkey::crypto::rust_crypto::RustCryptoBackend;
use passkey::types::Passkey;
use passkey::types::ctap2::{Aaguid, Ctap2Error};
use passkey::types::webauthn::{CredentialCreationOptions, CredentialRequestOptions};
use serde_json::{Value, json};
use url::Url;

use crate::smtp::{self, CONFIRMATION, MAIL, Smtp};
use crate::sockets::served;
use crate::support::{Answer, Browser, Table, run, two};

const PASSWORD: &str = "correct horse battery";

/// Public URL of the server in most passkey tests.
const SITE: &str = "https://mate.example";

/// Simulated user of an authenticator, who is present and confirms each request.
struct User;

type Checked<'a> = Pin<Box<dyn Future<Output = Result<UserCheck, Ctap2Error>> + Send + 'a>>;

impl UserValidationMethod for User {
    type PasskeyItem = Passkey;

    fn check_user<'hint, 'own, 'check>(
        &'own self,
        _: UiHint<'hint, Passkey>,
        presence: bool,
        verification: bool,
    ) -> Checked<'check>
    where
        'hint: 'check,
        'own: 'check,
    {
        Box::pin(async move { Ok(UserCheck { presence, verification }) })
    }

    fn is_presence_enabled(&self) -> bool {
        true
    }

    fn is_verification_enabled(&self) -> Option<bool> {
        Some(true)
    }
}

/// Simulated authenticator that holds at most one passkey.
struct Device {
    passkey: Option<Passkey>,
    site: &'static str,
}

impl Device {
    fn new() -> Self {
        Self { passkey: None, site: SITE }
    }

    fn client(&self) -> (Url, Authenticator<Option<Passkey>, User, RustCryptoBackend>) {
        let aaguid = Aaguid::new_empty();
        let store = self.passkey.clone();
        let mut authenticator = Authenticator::new(aaguid, store, User, RustCryptoBackend);
        authenticator.set_make_credentials_with_signature_counter(true);
        (self.site.parse().expect("an address"), authenticator)
    }

    /// Creates a passkey for a challenge of the server, and returns the body of the request that registers the passkey.
    async fn make(&mut self, begun: &PasskeyOptions, name: &str) -> Value {
        let (site, authenticator) = self.client();
        let mut client = Client::new(authenticator).allows_insecure_localhost(true);
        let options: CredentialCreationOptions =
            serde_json::from_value(json!({"publicKey": begun.options})).expect("options");
        let made = client.register(&site, options, DefaultClientData).await.expect("a passkey");
        self.passkey.clone_from(client.authenticator().store());
        json!({"challenge": begun.challenge, "credential": made, "name": name})
    }

    /// Signs a challenge of the server with the passkey, and returns the body of the request that signs in.
    async fn sign(&mut self, begun: &PasskeyOptions) -> Value {
        let (site, authenticator) = self.client();
        let mut client = Client::new(authenticator).allows_insecure_localhost(true);
        let options: CredentialRequestOptions =
            serde_json::from_value(json!({"publicKey": begun.options})).expect("options");
        let signed = client.authenticate(&site, options, DefaultClientData).await;
        self.passkey.clone_from(client.authenticator().store());
        json!({"challenge": begun.challenge, "credential": signed.expect("a signature")})
    }
}

async fn table() -> Table {
    Table::with(with_site).await
}

/// Sets the public URL in the settings of a server.
pub(crate) fn with_site(settings: Settings) -> Settings {
    Settings { public_url: Some(SITE.parse().expect("an address")), ..settings }
}

async fn begin(browser: &mut Browser, handle: Option<&str>) -> Answer {
    browser.post("/api/v1/me/account/passkeys/challenge", json!({"handle": handle})).await
}

/// Creates an account that has a passkey and no password.
async fn make(browser: &mut Browser, device: &mut Device, handle: &str) -> Answer {
    let begun = begin(browser, Some(handle)).await.ok();
    let passkey = device.make(&begun, "Phone").await;
    browser.post("/api/v1/me/account", json!({"handle": handle, "passkey": passkey})).await
}

async fn add(browser: &mut Browser, device: &mut Device, name: &str) -> Answer {
    let begun = begin(browser, None).await.ok();
    let passkey = device.make(&begun, name).await;
    browser.post("/api/v1/me/account/passkeys", passkey).await
}

async fn begin_sign_in(browser: &mut Browser) -> Answer {
    browser.post("/api/v1/me/sign-in/challenge", json!({})).await
}

async fn finish_sign_in(browser: &mut Browser, passkey: &Value) -> Answer {
    browser.post("/api/v1/me/sign-in/passkey", json!({"passkey": passkey, "name": "Test"})).await
}

async fn sign_in(browser: &mut Browser, device: &mut Device) -> Answer {
    let begun = begin_sign_in(browser).await.ok();
    let passkey = device.sign(&begun).await;
    finish_sign_in(browser, &passkey).await
}

async fn listed(browser: &mut Browser) -> Vec<MyPasskey> {
    browser.get("/api/v1/me/account/passkeys").await.ok::<MyPasskeys>().passkeys
}

async fn remove(browser: &mut Browser, id: &str) -> Answer {
    let request = Request::delete(format!("/api/v1/me/account/passkeys/{id}"));
    browser.send(request.body(Body::empty()).expect("a request")).await
}

async fn account(browser: &mut Browser) -> Option<MyAccount> {
    browser.get("/api/v1/me/account").await.ok::<OwnAccount>().account
}

/// Adds a passkey to the account of a test client, and signs another test client in with the passkey. Then requests a challenge for a
/// further passkey, so that the database holds an unused challenge.
pub(crate) async fn use_passkeys(browser: &mut Browser, other: &mut Browser) {
    let mut device = Device::new();
    add(browser, &mut device, "Ph\u{f6}ne").await.ok::<MyPasskey>();
    sign_in(other, &mut device).await.ok::<MyBrowsers>();
    begin(browser, None).await.ok::<PasskeyOptions>();
}

/// Tests that a person with a passkey and no password can sign in without their handle. The function `again` returns the server for
/// the sign-in: the restarted server, or another server on the database.
async fn sign_in_without_a_name(server: &Server, mut again: impl AsyncFnMut() -> Server) {
    let (mut anna, mut device) = (Browser::of(server), Device::new());
    let own = anna.begin("bga", json!({"kind": "both"})).await;
    let begun: PasskeyOptions = begin(&mut anna, Some("Anna")).await.ok();
    let selection = &begun.options["authenticatorSelection"];
    assert_eq!(selection["residentKey"], "required");
    assert_eq!(selection["requireResidentKey"], true);
    assert_eq!(selection["userVerification"], "required");
    let made: MyAccount = make(&mut anna, &mut device, "Anna").await.ok();
    assert!(!made.password);
    assert_eq!(anna.ids().await, [own.id.as_str()]);
    let before = listed(&mut anna).await;
    assert_eq!((before.len(), before[0].name.as_deref()), (1, Some("Phone")));
    assert_eq!(before[0].used_at, None);

    let server = again().await;
    let mut phone = Browser::of(&server);
    let brought = phone.begin("bga", json!({"kind": "both"})).await;
    let former = phone.cookie.clone();
    let browsers: MyBrowsers = sign_in(&mut phone, &mut device).await.ok();
    assert_eq!(browsers.browsers.len(), 2);
    assert_ne!(phone.cookie, former);
    let mut expected = vec![own.id, brought.id];
    expected.sort();
    assert_eq!(phone.ids().await, expected);
    assert!(listed(&mut phone).await[0].used_at.is_some());
    // Each sign-in advances the signature counter of the passkey.
    assert_eq!(sign_in(&mut Browser::of(&server), &mut device).await.status, StatusCode::OK);
    // The server refuses a sign-in if the authenticator's signature counter is lower than at the previous sign-in. A copy of the
    // authenticator could send such a counter.
    let passkey = device.passkey.as_mut().expect("a passkey");
    assert_eq!(passkey.counter, Some(2));
    passkey.counter = Some(0);
    let refused = sign_in(&mut Browser::of(&server), &mut device).await;
    assert_eq!(refused.code(), Code::PasskeyRefused);
    // A sign-in by password is refused, because the account has no password.
    let body = json!({"handle": "Anna", "password": PASSWORD});
    let refused = Browser::of(&server).post("/api/v1/me/sign-in", body).await;
    assert_eq!(refused.code(), Code::SignInRefused);
    let export: Export = phone.get("/api/v1/me/export").await.ok();
    assert_eq!((export.passkeys.len(), &export.passkeys[0].id), (1, &before[0].id));
    server.close().await;
}

#[test]
fn an_account_with_a_passkey_alone_signs_in_without_a_name() {
    run(async {
        let table = table().await;
        let folder = table.folder.path().to_owned();
        let first = table.server.clone();
        let again = async || {
            first.close().await;
            let limits = Limits::default().lifted();
            let settings = with_site(Settings { limits, ..Settings::new(folder.clone()) });
            Server::open(settings).await.expect("a server")
        };
        sign_in_without_a_name(&table.server, again).await;
    });
}

#[cfg(unix)]
#[test]
fn two_servers_on_postgres_share_the_challenges_and_passkeys() {
    let postgres = test_postgres::Postgres::start();
    let database: overmate_server::Database = postgres.database().parse().expect("an address");
    let open = async || {
        let limits = Limits::default().lifted();
        let settings = with_site(Settings { limits, ..Settings::new(database.clone()) });
        Server::open(settings).await.expect("a server")
    };
    run(async {
        let first = open().await;
        let (mut one, mut device) = (Browser::of(&first), Device::new());
        let second = open().await;
        // A server accepts the response to a challenge that another server on the same database has created.
        let begun = begin(&mut one, Some("Berta")).await.ok();
        let passkey = device.make(&begun, "Key").await;
        let body = json!({"handle": "Berta", "passkey": passkey});
        let made = one.at(&second).post("/api/v1/me/account", body).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
        let mut guest = Browser::of(&first);
        let begun = begin_sign_in(&mut guest).await.ok();
        let passkey = device.sign(&begun).await;
        let signed = finish_sign_in(&mut guest.at(&second), &passkey).await;
        assert_eq!(signed.status, StatusCode::OK, "{}", signed.text());
        sign_in_without_a_name(&first, async || second.clone()).await;
        first.close().await;
    });
}

#[test]
fn a_challenge_serves_one_answer_of_the_person_within_five_minutes() {
    run(async {
        let table = table().await;
        let (mut anna, mut device) = (table.browser(), Device::new());
        make(&mut anna, &mut device, "Anna").await.ok::<MyAccount>();
        let mut done = 0;
        // The server refuses a passkey response that was already used to sign in, or that is sent for another challenge. The other
        // challenge may be for a sign-in, for a new passkey, or unknown.
        let mut guest = table.browser();
        let begun = begin_sign_in(&mut guest).await.ok();
        let answer = device.sign(&begun).await;
        assert_eq!(finish_sign_in(&mut guest.clone(), &answer).await.status, StatusCode::OK);
        let other: PasskeyOptions = begin_sign_in(&mut guest).await.ok();
        let mut mixed = answer.clone();
        mixed["challenge"] = json!(other.challenge);
        let added: PasskeyOptions = begin(&mut anna, None).await.ok();
        let mut wrong = answer.clone();
        wrong["challenge"] = json!(added.challenge);
        let mut unknown = answer.clone();
        unknown["challenge"] = json!("0".repeat(32));
        for answer in [&answer, &mixed, &wrong, &unknown] {
            let refused = finish_sign_in(&mut table.browser(), answer).await;
            assert_eq!(refused.code(), Code::PasskeyRefused);
            done += 1;
        }
        // A refused passkey response uses its challenge up, so that a later correct response to the challenge is also refused.
        assert_eq!(
            finish_sign_in(&mut guest, &device.sign(&other).await).await.code(),
            Code::PasskeyRefused
        );
        // A passkey challenge that a browser with an identity requested is not valid in a browser of another person.
        let mut owner = table.browser();
        owner.begin("bga", json!({"kind": "both"})).await;
        let begun = begin_sign_in(&mut owner).await.ok();
        let answer = device.sign(&begun).await;
        let refused = finish_sign_in(&mut table.browser(), &answer).await;
        assert_eq!(refused.code(), Code::PasskeyRefused);
        // An expired challenge is refused.
        let begun = begin_sign_in(&mut table.browser()).await.ok();
        let answer = device.sign(&begun).await;
        table.execute("UPDATE passkey_challenges SET until = until - 300").await;
        let refused = finish_sign_in(&mut table.browser(), &answer).await;
        assert_eq!(refused.code(), Code::PasskeyRefused);
        // The server refuses a response with a malformed passkey credential. Such a response does not use its challenge up.
        let begun: PasskeyOptions = begin_sign_in(&mut table.browser()).await.ok();
        let answer = json!({"challenge": begun.challenge, "credential": {"id": "?"}});
        let refused = finish_sign_in(&mut table.browser(), &answer).await;
        assert_eq!(refused.code(), Code::BadRequest);
        let answer = device.sign(&begun).await;
        assert_eq!(finish_sign_in(&mut table.browser(), &answer).await.status, StatusCode::OK);
        assert_eq!(done, 4);
    });
}

#[test]
fn a_passkey_is_registered_for_its_handle_and_person_only() {
    run(async {
        let table = table().await;
        let (mut anna, mut device) = (table.browser(), Device::new());
        make(&mut anna, &mut device, "Anna").await.ok::<MyAccount>();
        // A request for a passkey challenge reveals no more about a handle than a request to create an account.
        let mut berta = table.browser();
        assert_eq!(begin(&mut berta, Some("anna")).await.code(), Code::HandleTaken);
        assert_eq!(begin(&mut berta, Some("?")).await.code(), Code::HandleNotValid);
        assert_eq!(begin(&mut berta, None).await.code(), Code::NotFound);
        assert_eq!(begin(&mut anna, Some("Vera")).await.code(), Code::HasAccount);
        let begun = begin(&mut berta, Some("Berta")).await.ok();
        let mut key = Device::new();
        let answer = key.make(&begun, "Key").await;
        let vera = json!({"handle": "Vera", "passkey": answer});
        assert_eq!(berta.post("/api/v1/me/account", vera).await.code(), Code::PasskeyRefused);
        let begun = begin(&mut berta, Some("Berta")).await.ok();
        let answer = key.make(&begun, "Key").await;
        let body = json!({"handle": "Berta", "passkey": answer});
        let refused = table.browser().post("/api/v1/me/account", body.clone()).await;
        assert_eq!(refused.code(), Code::PasskeyRefused, "another browser");
        assert_eq!(berta.post("/api/v1/me/account", body).await.code(), Code::PasskeyRefused);
        let neither = berta.post("/api/v1/me/account", json!({"handle": "Berta"})).await;
        assert_eq!(neither.code(), Code::BadRequest);
        // After the server has refused a weak password, the passkey challenge of the refused request stays valid.
        let begun = begin(&mut berta, Some("Berta")).await.ok();
        let answer = key.make(&begun, "Key").await;
        let body =
            |password: &str| json!({"handle": "Berta", "passkey": answer, "password": password});
        let weak = berta.post("/api/v1/me/account", body("111111111111")).await;
        assert_eq!(weak.code(), Code::PasswordWeak);
        let made: MyAccount = berta.post("/api/v1/me/account", body(PASSWORD)).await.ok();
        assert!(made.password);
        assert_eq!(listed(&mut berta).await.len(), 1);
        // A passkey of one account cannot be added to another account.
        let mut device = Device::new();
        let begun = begin(&mut berta, None).await.ok();
        let answer = device.make(&begun, "Key").await;
        let refused = anna.post("/api/v1/me/account/passkeys", answer).await;
        assert_eq!(refused.code(), Code::PasskeyRefused);
        // A browser that is signed in to an account cannot sign in to another account.
        assert_eq!(sign_in(&mut anna, &mut key).await.code(), Code::HasAccount);
        assert_eq!(account(&mut anna).await.expect("an account").handle, "Anna");
    });
}

#[test]
fn passkeys_are_added_to_an_account_and_removed_but_not_the_last_way_in() {
    run(async {
        let table = table().await;
        let mut anna = table.browser();
        let body = json!({"handle": "Anna", "password": PASSWORD});
        anna.post("/api/v1/me/account", body).await.ok::<MyAccount>();
        let (mut phone, mut key) = (Device::new(), Device::new());
        let first: MyPasskey = add(&mut anna, &mut phone, "Phone").await.ok();
        let second: MyPasskey = add(&mut anna, &mut key, " Key ").await.ok();
        assert_eq!((first.name.as_deref(), second.name.as_deref()), (Some("Phone"), Some("Key")));
        let handle =
            |device: &Device| device.passkey.as_ref().and_then(|own| own.user_handle.clone());
        assert_eq!(handle(&phone), handle(&key), "one user handle for each account");
        assert!(handle(&key).is_some());
        assert_eq!(listed(&mut anna).await.len(), 2);
        let begun: PasskeyOptions = begin(&mut anna, None).await.ok();
        let excluded = begun.options["excludeCredentials"].as_array().expect("a list");
        assert_eq!(excluded.len(), 2);
        assert_eq!(sign_in(&mut table.browser(), &mut phone).await.status, StatusCode::OK);
        // A removed passkey signs nobody in. The codes are removed, too, because the passkey's holder may have made them.
        let codes = anna.make_codes("recovery").await;
        assert_eq!(remove(&mut table.browser(), &first.id).await.code(), Code::NotFound);
        assert_eq!(remove(&mut anna, &first.id).await.status, StatusCode::NO_CONTENT);
        assert_eq!(remove(&mut anna, &first.id).await.code(), Code::NotFound);
        assert_eq!(remove(&mut anna, "?").await.code(), Code::NotFound);
        assert_eq!(sign_in(&mut table.browser(), &mut phone).await.code(), Code::PasskeyRefused);
        assert_eq!(table.browser().join(&codes.codes[0]).await.code(), Code::CodeRefused);
        assert_eq!(sign_in(&mut table.browser(), &mut key).await.status, StatusCode::OK);
        // The last passkey of an account can be removed if the account has a password, because the password is another way to sign in.
        assert_eq!(remove(&mut anna, &second.id).await.status, StatusCode::NO_CONTENT);
        assert_eq!(listed(&mut anna).await, []);

        let (mut berta, mut device) = (table.browser(), Device::new());
        make(&mut berta, &mut device, "Berta").await.ok::<MyAccount>();
        let only = listed(&mut berta).await.remove(0);
        assert_eq!(remove(&mut berta, &only.id).await.code(), Code::LastWayIn);
        let set = "/api/v1/me/account/password";
        let wrong = berta.put(set, json!({"former": PASSWORD, "password": PASSWORD})).await;
        assert_eq!(wrong.code(), Code::PasswordWrong);
        let given = berta.put(set, json!({"password": PASSWORD})).await;
        assert_eq!(given.status, StatusCode::NO_CONTENT, "{}", given.text());
        let again = berta.put(set, json!({"password": "battery horse correct"})).await;
        assert_eq!(again.code(), Code::PasswordWrong);
        assert!(account(&mut berta).await.expect("an account").password);
        assert_eq!(remove(&mut berta, &only.id).await.status, StatusCode::NO_CONTENT);
        // The erasure of an account ends its passkeys.
        let (mut vera, mut device) = (table.browser(), Device::new());
        make(&mut vera, &mut device, "Vera").await.ok::<MyAccount>();
        let erase = Request::delete("/api/v1/me").body(Body::empty()).expect("a request");
        assert_eq!(vera.send(erase).await.status, StatusCode::NO_CONTENT);
        assert_eq!(sign_in(&mut table.browser(), &mut device).await.code(), Code::PasskeyRefused);
    });
}

#[test]
fn a_browser_that_is_signed_out_cannot_confirm_an_address_that_it_had_asked_for() {
    run(async {
        let mut smtp = Smtp::start().await;
        let table = smtp.table(Limits::lifted).await;
        let _served = served(&table).await;
        let device = || Device { site: smtp::SITE, ..Device::new() };
        let (mut anna, mut own, mut key) = (table.browser(), device(), device());
        make(&mut anna, &mut own, "Anna").await.ok::<MyAccount>();
        let second: MyPasskey = add(&mut anna, &mut key, "Key").await.ok();
        for case in ["a sign-out", "a removed passkey", "a first password"] {
            // An account without a password gives its address to any signed-in browser.
            let mut thief = table.browser();
            let listed: MyBrowsers = sign_in(&mut thief, &mut own).await.ok();
            let wanted =
                json!({"address": "thief@mate.example", "recovery": true, "language": "en"});
            let pending = thief.put(MAIL, wanted).await;
            assert_eq!(pending.status, StatusCode::OK, "{case}: {}", pending.text());
            let token = smtp.next().await.token("confirm-address");
            let thief = listed.browsers.into_iter().find(|known| known.current).expect("a browser");
            let done = match case {
                "a sign-out" => anna.delete(&format!("/api/v1/me/browsers/{}", thief.id)).await,
                "a removed passkey" => remove(&mut anna, &second.id).await,
                _ => anna.put("/api/v1/me/account/password", json!({"password": PASSWORD})).await,
            };
            assert_eq!(done.status, StatusCode::NO_CONTENT, "{case}: {}", done.text());
            let confirmed = table.browser().post(CONFIRMATION, json!({"token": token})).await;
            assert_eq!(confirmed.code(), Code::LinkRefused, "{case}");
        }
        let mail = smtp::mail(&mut anna).await;
        assert_eq!((mail.address, mail.pending), (None, None));
    });
}

#[test]
fn without_a_public_address_passkeys_work_at_localhost_only() {
    run(async {
        let table = Table::new().await;
        let (mut host, _, _) = two(&table, "bga").await;
        assert_eq!(begin(&mut host, Some("Anna")).await.code(), Code::PasskeysOff);
        assert_eq!(begin_sign_in(&mut host).await.code(), Code::PasskeysOff);
        let at = |host: &str, method: &str, path: &str, body: Value| {
            Request::builder()
                .method(method)
                .uri(path)
                .header(header::HOST, host)
                .header(header::CONTENT_TYPE, "application/json")
                .body(Body::from(body.to_string()))
                .expect("a request")
        };
        let mut done = 0;
        for (host, expected) in
            [("localhost:2420", Some("localhost")), ("127.0.0.1:2420", None), ("cellar", None)]
        {
            let read = at(host, "GET", "/api/v1/me/account", json!({}));
            let own: OwnAccount = table.browser().send(read).await.ok();
            assert_eq!(own.relying_party.as_deref(), expected, "{host}");
            done += 1;
        }
        assert_eq!(done, 3);
        let mut device = Device { site: "http://localhost:2420", ..Device::new() };
        let (mut anna, local) = (table.browser(), "localhost:2420");
        let path = "/api/v1/me/account/passkeys/challenge";
        let begun = anna.send(at(local, "POST", path, json!({"handle": "Anna"}))).await.ok();
        let passkey = device.make(&begun, "Phone").await;
        let body = json!({"handle": "Anna", "passkey": passkey});
        let made = anna.send(at(local, "POST", "/api/v1/me/account", body)).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
        // The server refuses a passkey response that an authenticator signed on a page of the same host at another port.
        let mut guest = table.browser();
        let path = "/api/v1/me/sign-in/challenge";
        for (site, expected) in [
            ("http://localhost:2421", StatusCode::FORBIDDEN),
            ("http://localhost:2420", StatusCode::OK),
        ] {
            device.site = site;
            let begun = guest.send(at(local, "POST", path, json!({}))).await.ok();
            let body = json!({"passkey": device.sign(&begun).await});
            let answer = guest.send(at(local, "POST", "/api/v1/me/sign-in/passkey", body)).await;
            assert_eq!(answer.status, expected, "{site}: {}", answer.text());
        }
    });
}

#[test]
fn challenges_have_the_limit_of_codes() {
    run(async {
        let table = Table::with(|settings| {
            let limits = Limits { codes_per_hour: Some(3), ..settings.limits };
            with_site(Settings { limits, behind_proxy: true, ..settings })
        })
        .await;
        let mut taken = 0;
        for _ in 0..6 {
            let answer = begin_sign_in(&mut table.browser_at("192.0.2.7")).await;
            taken += u32::from(answer.status == StatusCode::OK);
            assert!(answer.status == StatusCode::OK || answer.code() == Code::TooMany);
        }
        assert_eq!(taken, 3);
    });
}
