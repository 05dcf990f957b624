//! Tests e-mail with an SMTP server of the test, which speaks the protocol over a socket and keeps each letter.

use axum::http::StatusCode;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use overmate_server::wire::{Code, Export, Mail, MyBrowsers, OwnAccount, Recovered};
use overmate_server::{Limits, MailSettings, OpenError, Server, Settings};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::ratings::make_account;
use crate::sockets::served;
use crate::support::{Answer, Browser, SOON, Table, run};

const MAIL: &str = "/api/v1/me/mail";
const CONFIRMATION: &str = "/api/v1/me/mail/confirmation";
const RECOVERY: &str = "/api/v1/me/recovery";
const SITE: &str = "http://localhost:2420";

/// Password of the accounts that `make_account` makes.
const PASSWORD: &str = "correct horse battery";
const NEW_PASSWORD: &str = "another horse battery";

/// Letter that the SMTP server of the test received.
#[derive(Debug)]
struct Letter {
    /// Sender and recipients of the envelope.
    from: String,
    to: Vec<String>,
    headers: Vec<(String, String)>,
    body: String,
}

impl Letter {
    fn header(&self, name: &str) -> &str {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        let value = found.next().map_or("", |(_, value)| value);
        assert!(found.next().is_none(), "two headers {name}: {self:?}");
        value
    }

    /// Returns the token in the link to a page.
    fn token(&self, page: &str) -> String {
        let start = format!("{SITE}/{page}#");
        let (_, rest) = self.body.split_once(&start).expect("a link");
        let token = rest.lines().next().expect("a token").to_owned();
        assert_eq!(token.len(), 64, "{}", self.body);
        token
    }
}

/// Decodes the body of a letter by its transfer encoding (RFC 2045).
fn decoded(encoding: &str, body: &str) -> String {
    let bytes = match encoding {
        "7bit" => return body.to_owned(),
        "base64" => BASE64_STANDARD.decode(body.replace("\r\n", "")).expect("Base64"),
        "quoted-printable" => {
            let joined = body.replace("=\r\n", "");
            let (mut bytes, mut rest) = (Vec::new(), joined.as_bytes());
            while let [first, after @ ..] = rest {
                rest = after;
                bytes.push(match (first, after) {
                    (b'=', [high, low, behind @ ..]) => {
                        rest = behind;
                        let digits = [*high, *low];
                        u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
                    }
                    (other, _) => *other,
                });
            }
            bytes
        }
        other => panic!("the encoding {other}"),
    };
    String::from_utf8(bytes).expect("UTF-8")
}

/// SMTP server of the test.
struct Smtp {
    settings: MailSettings,
    received: mpsc::UnboundedReceiver<Letter>,
    /// Next answers to recipients. Without one, the server accepts the letter.
    answers: mpsc::UnboundedSender<&'static str>,
}

impl Smtp {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, received) = mpsc::unbounded_channel();
        let (answers, mut wanted) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                talk(stream, &mut wanted, &sender).await;
            }
        });
        let settings = MailSettings {
            smtp: format!("smtp://{address}").parse().unwrap(),
            from: "Overmate <mate@mate.example>".parse().unwrap(),
        };
        Self { settings, received, answers }
    }

    async fn table(&self, limits: impl FnOnce(Limits) -> Limits) -> Table {
        Table::with(|settings| Settings {
            public_url: Some(SITE.parse().unwrap()),
            mail: Some(self.settings.clone()),
            limits: limits(settings.limits),
            ..settings
        })
        .await
    }

    async fn next(&mut self) -> Letter {
        timeout(SOON, self.received.recv()).await.expect("a letter in time").expect("a letter")
    }

    /// Waits until the next letter, which must be the confirmation of a new account. Letters that were requested before would come
    /// before it.
    async fn nothing_else(&mut self, table: &Table, handle: &str) {
        let mut other = table.browser();
        make_account(&mut other, handle).await;
        let address = format!("{handle}@mate.example");
        assert_eq!(set(&mut other, &address, true, "en").await.status, StatusCode::OK);
        assert_eq!(self.next().await.to, [address]);
    }
}

/// Speaks SMTP (RFC 5321) with one client.
async fn talk(
    stream: TcpStream,
    wanted: &mut mpsc::UnboundedReceiver<&'static str>,
    sender: &mpsc::UnboundedSender<Letter>,
) {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    write.write_all(b"220 mail.example ESMTP\r\n").await.unwrap();
    let (mut from, mut to) = (String::new(), Vec::new());
    while let Ok(Some(line)) = lines.next_line().await {
        let address = || line.split_once('<').unwrap().1.split_once('>').unwrap().0.to_owned();
        let answer = match line.split([' ', ':']).next().unwrap() {
            "EHLO" => "250-mail.example\r\n250 8BITMIME",
            "MAIL" => {
                (from, to) = (address(), Vec::new());
                "250 ok"
            }
            "RCPT" => {
                to.push(address());
                wanted.try_recv().unwrap_or("250 ok")
            }
            "DATA" => {
                write.write_all(b"354 go on\r\n").await.unwrap();
                let mut text = String::new();
                while let Some(line) = lines.next_line().await.unwrap() {
                    if line == "." {
                        break;
                    }
                    text.push_str(line.strip_prefix('.').unwrap_or(&line));
                    text.push_str("\r\n");
                }
                let (head, body) = text.split_once("\r\n\r\n").unwrap();
                let head = head.replace("\r\n ", " ");
                let headers = head.lines().map(|line| line.split_once(": ").unwrap());
                let headers: Vec<(String, String)> =
                    headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
                let encoding = headers.iter().find(|(name, _)| name == "Content-Transfer-Encoding");
                let body = decoded(encoding.map_or("7bit", |(_, value)| value), body);
                let letter = Letter { from: from.clone(), to: to.clone(), headers, body };
                if sender.send(letter).is_err() {
                    return;
                }
                "250 ok"
            }
            "QUIT" => "221 bye",
            _ => "250 ok",
        };
        if write.write_all(format!("{answer}\r\n").as_bytes()).await.is_err() {
            return;
        }
    }
}

async fn set(browser: &mut Browser, address: &str, recovery: bool, language: &str) -> Answer {
    let body = json!({"address": address, "recovery": recovery, "language": language, "password": PASSWORD});
    browser.put(MAIL, body).await
}

async fn mail(browser: &mut Browser) -> Mail {
    browser.get(MAIL).await.ok()
}

/// Makes an account with a confirmed address.
async fn account(smtp: &mut Smtp, table: &Table, handle: &str, address: &str) -> Browser {
    let mut browser = table.browser();
    make_account(&mut browser, handle).await;
    let _: Mail = set(&mut browser, address, true, "en").await.ok();
    let token = smtp.next().await.token("confirm-address");
    let confirmed = table.browser().post(CONFIRMATION, json!({"token": token})).await;
    assert_eq!(confirmed.status, StatusCode::NO_CONTENT, "{}", confirmed.text());
    browser
}

async fn sign_in(table: &Table, handle: &str, password: &str) -> Answer {
    let body = json!({"handle": handle, "password": password});
    table.browser().post("/api/v1/me/sign-in", body).await
}

#[test]
fn an_address_is_used_once_its_owner_has_confirmed_it() {
    run(async {
        let mut smtp = Smtp::start().await;
        let table = smtp.table(|limits| limits).await;
        let _served = served(&table).await;
        let mut anna = table.browser();
        // An address needs an account and its password.
        assert_eq!(
            set(&mut anna, "anna@mate.example", true, "de").await.code(),
            Code::AccountNeeded
        );
        make_account(&mut anna, "Anna").await;
        let wrong = json!({"address": "anna@mate.example", "recovery": true, "language": "de", "password": "wrong"});
        assert_eq!(anna.put(MAIL, wrong).await.code(), Code::PasswordWrong);
        for address in
            ["anna", "anna@mate.example\r\nBcc: bert@mate.example", "a@b.example, c@d.example"]
        {
            assert_eq!(set(&mut anna, address, true, "de").await.code(), Code::BadRequest);
        }
        let pending: Mail = set(&mut anna, " Anna@Mate.example ", true, "de").await.ok();
        assert!(pending.available && pending.address.is_none());
        assert_eq!(pending.pending.expect("a pending address").address, "Anna@Mate.example");

        // The letter is short, plain, in the language of the page, and to nobody else.
        let letter = smtp.next().await;
        assert_eq!(
            (&*letter.from, &letter.to[..]),
            ("mate@mate.example", &["Anna@Mate.example".to_owned()][..])
        );
        assert_eq!(letter.header("From"), "Overmate <mate@mate.example>");
        assert_eq!(letter.header("To"), "Anna@Mate.example");
        assert_eq!(letter.header("Auto-Submitted"), "auto-generated");
        assert!(letter.header("Content-Type").starts_with("text/plain"));
        assert!(letter.header("Message-ID").ends_with("@localhost>"));
        assert!(letter.header("Subject").starts_with("Overmate: "), "{letter:?}");
        assert!(
            letter.body.contains("für das Konto Anna auf http://localhost:2420"),
            "{}",
            letter.body
        );
        let token = letter.token("confirm-address");

        // The database and the export hold no token.
        let export = anna.get("/api/v1/me/export").await;
        assert!(!export.text().contains(&token));
        let mails = export.ok::<Export>().mail;
        assert_eq!((mails.address, mails.messages.len()), (None, 1));
        assert_eq!((&*mails.messages[0].kind, &*mails.messages[0].language), ("confirm", "de"));
        let stored = std::fs::read(Server::database(table.folder.path())).unwrap();
        assert!(!stored.windows(64).any(|part| part == token.as_bytes()));

        // The link works once, in any browser. It sets no password.
        let mut phone = table.browser();
        let other = format!("{}{}", if token.starts_with('0') { '1' } else { '0' }, &token[1..]);
        assert_eq!(
            phone.post(CONFIRMATION, json!({"token": other})).await.code(),
            Code::LinkRefused
        );
        let recover = json!({"token": token, "password": NEW_PASSWORD});
        assert_eq!(phone.put(RECOVERY, recover).await.code(), Code::LinkRefused);
        let confirm = json!({"token": token});
        assert_eq!(phone.post(CONFIRMATION, confirm.clone()).await.status, StatusCode::NO_CONTENT);
        assert_eq!(phone.post(CONFIRMATION, confirm).await.code(), Code::LinkRefused);
        let own = mail(&mut anna).await.address.expect("an address");
        assert_eq!(
            (&*own.address, own.recovery, &*own.language),
            ("Anna@Mate.example", true, "de")
        );
        assert_eq!(anna.get("/api/v1/me/export").await.ok::<Export>().mail.address, Some(own));
        // Nobody else sees the address.
        let profile = phone.get("/api/v1/players/Anna").await.text();
        assert!(!profile.to_lowercase().contains("mate.example"), "{profile}");

        // Its use changes without a letter. Another address waits for its confirmation.
        let changed: Mail = set(&mut anna, "anna@mate.example", false, "en").await.ok();
        assert!(!changed.address.expect("an address").recovery && changed.pending.is_none());
        let _: Mail = set(&mut anna, "anna@other.example", true, "en").await.ok();
        let letter = smtp.next().await;
        assert_eq!(letter.header("Subject"), "Overmate: confirm your e-mail address");
        assert_eq!(mail(&mut anna).await.address.expect("an address").address, "Anna@Mate.example");
        assert_eq!(anna.delete(MAIL).await.status, StatusCode::NO_CONTENT);
        let late = json!({"token": letter.token("confirm-address")});
        assert_eq!(phone.post(CONFIRMATION, late).await.code(), Code::LinkRefused);
        assert_eq!(mail(&mut anna).await, Mail { available: true, address: None, pending: None });
    });
}

#[test]
fn a_forgotten_password_is_replaced_by_a_letter() {
    run(async {
        let mut smtp = Smtp::start().await;
        let table = smtp.table(|limits| limits).await;
        let _served = served(&table).await;
        let mut anna = account(&mut smtp, &table, "Anna", "anna@mate.example").await;
        let codes = anna.make_codes("recovery").await;
        let mut bert = account(&mut smtp, &table, "Bert", "bert@mate.example").await;
        let _: Mail = set(&mut bert, "bert@mate.example", false, "en").await.ok();
        let mut carl = table.browser();
        make_account(&mut carl, "Carl").await;

        // Accounts without an address, without recovery, and unknown ones get the answer of the others, and no letter.
        let mut stranger = table.browser();
        let mut answers = Vec::new();
        for name in ["bert@mate.example", "Bert", "Carl", "Nobody", "nobody@mate.example", "?", ""]
        {
            let answer = stranger.post(RECOVERY, json!({"account": name})).await;
            answers.push((answer.status, answer.text()));
        }
        smtp.nothing_else(&table, "Dora").await;
        let mut letters = Vec::new();
        for name in ["ANNA@Mate.example", " anna "] {
            let answer = stranger.post(RECOVERY, json!({"account": name})).await;
            answers.push((answer.status, answer.text()));
            letters.push(smtp.next().await);
        }
        assert_eq!(answers.len(), 9);
        let expected = (StatusCode::ACCEPTED, String::new());
        assert!(answers.iter().all(|answer| *answer == expected), "{answers:?}");

        let (former, letter) = (&letters[0], &letters[1]);
        assert_eq!([&former.to[..], &letter.to[..]], [["anna@mate.example"]; 2]);
        assert_eq!(letter.header("Subject"), "Overmate: set a new password");
        assert!(letter.body.contains("for the account Anna at http://localhost:2420"));
        let tokens = [former.token("recover"), letter.token("recover")];
        // A weak password uses up no link. The former link does not serve any more.
        let weak = json!({"token": tokens[1], "password": "Anna Anna Anna"});
        assert_eq!(stranger.put(RECOVERY, weak).await.code(), Code::PasswordWeak);
        let set = |token: &str| json!({"token": token, "password": NEW_PASSWORD});
        assert_eq!(stranger.put(RECOVERY, set(&tokens[0])).await.code(), Code::LinkRefused);
        let recovered: Recovered = stranger.put(RECOVERY, set(&tokens[1])).await.ok();
        assert_eq!(recovered.handle, "Anna");
        assert_eq!(stranger.put(RECOVERY, set(&tokens[1])).await.code(), Code::LinkRefused);

        // The link itself signs no browser in, and all browsers of the account are signed out. Its codes do not serve any more.
        for browser in [&mut stranger, &mut anna] {
            let own: OwnAccount = browser.get("/api/v1/me/account").await.ok();
            assert!(own.account.is_none() && own.mail);
        }
        assert_eq!(table.browser().join(&codes.codes[0]).await.code(), Code::CodeRefused);
        assert_eq!(sign_in(&table, "Anna", PASSWORD).await.code(), Code::SignInRefused);
        let listed: MyBrowsers = sign_in(&table, "Anna", NEW_PASSWORD).await.ok();
        assert_eq!(listed.browsers.len(), 1);

        // After the erasure of the account nothing is left.
        assert_eq!(bert.erase().await.status, StatusCode::NO_CONTENT);
        let mut connection = table.connect().await;
        let left: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM mail_addresses WHERE folded = 'bert@mate.example'",
        )
        .fetch_one(&mut connection)
        .await
        .unwrap();
        assert_eq!(left, 0);
    });
}

/// Waits until the message to a person has had a number of attempts, or until there is none.
async fn wait_for(browser: &mut Browser, wanted: Option<u32>) {
    for _ in 0..200 {
        let export: Export = browser.get("/api/v1/me/export").await.ok();
        if export.mail.messages.first().map(|message| message.tries) == wanted {
            return;
        }
        tokio::time::sleep(SOON / 100).await;
    }
    panic!("never {wanted:?} attempts");
}

#[test]
fn a_letter_is_tried_again_with_a_new_link_and_dropped_in_the_end() {
    run(async {
        let mut smtp = Smtp::start().await;
        let table = smtp.table(|limits| limits).await;
        let _served = served(&table).await;
        let mut anna = table.browser();
        make_account(&mut anna, "Anna").await;
        smtp.answers.send("451 try later").unwrap();
        let _: Mail = set(&mut anna, "anna@mate.example", true, "en").await.ok();
        wait_for(&mut anna, Some(1)).await;
        smtp.answers.send("451 try later").unwrap();
        table.execute("UPDATE mail_messages SET retry_at = 0").await;
        wait_for(&mut anna, Some(2)).await;
        assert!(!mail(&mut anna).await.pending.expect("a pending address").sent);
        table.execute("UPDATE mail_messages SET retry_at = 0").await;
        let token = smtp.next().await.token("confirm-address");
        wait_for(&mut anna, Some(3)).await;
        let confirm = json!({"token": token});
        assert_eq!(anna.post(CONFIRMATION, confirm).await.status, StatusCode::NO_CONTENT);

        // A refused address, and a server that fails again and again, end the attempts.
        smtp.answers.send("550 no such mailbox").unwrap();
        let _: Mail = set(&mut anna, "anna@other.example", true, "en").await.ok();
        wait_for(&mut anna, None).await;
        assert!(mail(&mut anna).await.pending.is_none());
        smtp.answers.send("451 try later").unwrap();
        let _: Mail = set(&mut anna, "anna@third.example", true, "en").await.ok();
        wait_for(&mut anna, Some(1)).await;
        smtp.answers.send("451 try later").unwrap();
        table.execute("UPDATE mail_messages SET tries = 6, retry_at = 0").await;
        wait_for(&mut anna, None).await;
        let metrics = Browser::metrics(&table.server).await;
        for outcome in ["failed", "accepted", "refused", "dropped"] {
            let line = format!("overmate_mails_total{{kind=\"confirm\",outcome=\"{outcome}\"}} ");
            assert!(metrics.contains(&line), "{line} {metrics}");
        }
    });
}

#[test]
fn the_letters_to_an_address_and_of_a_client_are_limited() {
    run(async {
        let mut smtp = Smtp::start().await;
        let limited = |limits| Limits { mails_per_hour: Some(2), ..limits };
        let table = smtp.table(limited).await;
        let _served = served(&table).await;
        let mut anna = account(&mut smtp, &table, "Anna", "anna@mate.example").await;
        // Two requests of a client suffice, whoever is meant.
        let answer = anna.post(RECOVERY, json!({"account": "nobody"})).await;
        assert_eq!(answer.status, StatusCode::ACCEPTED);
        assert_eq!(anna.post(RECOVERY, json!({"account": "nobody"})).await.code(), Code::TooMany);
        assert_eq!(set(&mut anna, "strange@mate.example", true, "en").await.code(), Code::TooMany);
    });
}

#[test]
fn the_letters_to_an_address_are_limited_without_a_word_about_it() {
    run(async {
        let mut smtp = Smtp::start().await;
        let table = Table::with(|settings| Settings {
            public_url: Some(SITE.parse().unwrap()),
            mail: Some(smtp.settings.clone()),
            behind_proxy: true,
            limits: Limits { mails_per_hour: Some(2), ..settings.limits },
            ..settings
        })
        .await;
        let _served = served(&table).await;
        let _anna = account(&mut smtp, &table, "Anna", "anna@mate.example").await;
        let mut letters = 0;
        for number in 1..5 {
            let mut stranger = table.browser_at(&format!("192.0.2.{number}"));
            let answer = stranger.post(RECOVERY, json!({"account": "anna"})).await;
            assert_eq!((answer.status, answer.text()), (StatusCode::ACCEPTED, String::new()));
            if letters < 2 {
                assert_eq!(smtp.next().await.to, ["anna@mate.example"]);
                letters += 1;
            }
        }
        let mut dora = table.browser_at("192.0.2.200");
        make_account(&mut dora, "Dora").await;
        // A refusal would tell that the letters for Anna's account go to this address. The part after a plus sign leads to
        // the same mailbox.
        assert_eq!(set(&mut dora, "anna+2@mate.example", true, "en").await.status, StatusCode::OK);
        assert_eq!(smtp.next().await.to, ["anna+2@mate.example"]);
        let mut emil = table.browser_at("192.0.2.201");
        make_account(&mut emil, "Emil").await;
        assert_eq!(set(&mut emil, "anna+3@mate.example", true, "en").await.code(), Code::TooMany);
        assert_eq!(set(&mut emil, "emil@mate.example", true, "en").await.status, StatusCode::OK);
        assert_eq!(smtp.next().await.to, ["emil@mate.example"]);
    });
}

#[test]
fn without_an_smtp_server_there_is_no_e_mail() {
    run(async {
        let table = Table::new().await;
        let mut anna = table.browser();
        make_account(&mut anna, "Anna").await;
        assert_eq!(mail(&mut anna).await, Mail { available: false, address: None, pending: None });
        assert_eq!(set(&mut anna, "anna@mate.example", true, "en").await.code(), Code::NotFound);
        let (token, password) = ("0".repeat(64), PASSWORD);
        assert_eq!(anna.post(CONFIRMATION, json!({"token": token})).await.code(), Code::NotFound);
        assert_eq!(anna.post(RECOVERY, json!({"account": "Anna"})).await.code(), Code::NotFound);
        let recover = json!({"token": token, "password": password});
        assert_eq!(anna.put(RECOVERY, recover).await.code(), Code::NotFound);
        let privacy: Value = anna.get("/api/v1/privacy").await.ok();
        assert_eq!(privacy["mail"], json!(false));

        // The links in letters need the address of the server.
        let folder = tempfile::tempdir().unwrap();
        let smtp = Smtp::start().await;
        let settings =
            Settings { mail: Some(smtp.settings), ..Settings::new(folder.path().to_owned()) };
        assert!(matches!(Server::open(settings).await, Err(OpenError::MailWithoutPublicUrl)));
    });
}
