//! Simulates an SMTP server, which speaks the protocol over a socket and keeps each received e-mail.

use axum::http::StatusCode;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use overmate_server::wire::Mail;
use overmate_server::{Limits, MailSettings, Settings};
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::ratings::make_account;
use crate::support::{Answer, Browser, SOON, Table};

pub(crate) const MAIL: &str = "/api/v1/me/mail";
pub(crate) const CONFIRMATION: &str = "/api/v1/me/mail/confirmation";
pub(crate) const SITE: &str = "http://localhost:2420";

/// Password of the accounts that the function `make_account` creates.
pub(crate) const PASSWORD: &str = "correct horse battery";

/// SMTP reply that makes the simulated server close the connection after the next e-mail. The reply accepts the
/// recipient. The server keeps the e-mail, but does not reply to it.
pub(crate) const HANG_UP: &str = "250 hang up";

/// E-mail that the simulated SMTP server received.
#[derive(Debug)]
pub(crate) struct Letter {
    /// Address of the sender in the SMTP envelope.
    pub(crate) from: String,
    pub(crate) to: Vec<String>,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Letter {
    pub(crate) fn header(&self, name: &str) -> &str {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        let value = found.next().map_or("", |(_, value)| value);
        assert!(found.next().is_none(), "two headers {name}: {self:?}");
        value
    }

    /// Returns the secret token in the e-mail's link to a given page.
    pub(crate) fn token(&self, page: &str) -> String {
        let start = format!("{SITE}/{page}#");
        let (_, rest) = self.body.split_once(&start).expect("a link");
        let token = rest.lines().next().expect("a token").to_owned();
        assert_eq!(token.len(), 64, "{}", self.body);
        token
    }
}

/// Decodes the body of an e-mail according to its transfer encoding (RFC 2045).
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

/// Simulated SMTP server for tests.
pub(crate) struct Smtp {
    pub(crate) settings: MailSettings,
    pub(crate) received: mpsc::UnboundedReceiver<Letter>,
    /// Channel for the replies of the simulated server to the next `RCPT` commands. Without a prepared reply, the server accepts
    /// the recipient.
    pub(crate) answers: mpsc::UnboundedSender<&'static str>,
}

impl Smtp {
    pub(crate) async fn start() -> Self {
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

    pub(crate) async fn table(&self, limits: impl FnOnce(Limits) -> Limits) -> Table {
        Table::with(|settings| Settings {
            public_url: Some(SITE.parse().unwrap()),
            mail: Some(self.settings.clone()),
            limits: limits(settings.limits),
            ..settings
        })
        .await
    }

    pub(crate) async fn next(&mut self) -> Letter {
        timeout(SOON, self.received.recv()).await.expect("a letter in time").expect("a letter")
    }

    /// Asserts that the server under test has sent no further e-mail so far. The next e-mail must be the confirmation for a new
    /// account; an e-mail that was requested earlier would arrive first.
    pub(crate) async fn nothing_else(&mut self, table: &Table, handle: &str) {
        let mut other = table.browser();
        make_account(&mut other, handle).await;
        let address = format!("{handle}@mate.example");
        assert_eq!(set(&mut other, &address, true, "en").await.status, StatusCode::OK);
        assert_eq!(self.next().await.to, [address]);
    }
}

/// Speaks SMTP (RFC 5321) with one client, and keeps the client's e-mails.
async fn talk(
    stream: TcpStream,
    wanted: &mut mpsc::UnboundedReceiver<&'static str>,
    sender: &mpsc::UnboundedSender<Letter>,
) {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    write.write_all(b"220 mail.example ESMTP\r\n").await.unwrap();
    let (mut from, mut to, mut hangs_up) = (String::new(), Vec::new(), false);
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
                let answer = wanted.try_recv().unwrap_or("250 ok");
                hangs_up = answer == HANG_UP;
                answer
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
                if sender.send(letter).is_err() || hangs_up {
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

pub(crate) async fn set(
    browser: &mut Browser,
    address: &str,
    recovery: bool,
    language: &str,
) -> Answer {
    let body = json!({"address": address, "recovery": recovery, "language": language, "password": PASSWORD});
    browser.put(MAIL, body).await
}

pub(crate) async fn mail(browser: &mut Browser) -> Mail {
    browser.get(MAIL).await.ok()
}

/// Creates an account with a confirmed e-mail address.
pub(crate) async fn account(
    smtp: &mut Smtp,
    table: &Table,
    handle: &str,
    address: &str,
) -> Browser {
    let mut browser = table.browser();
    make_account(&mut browser, handle).await;
    let _: Mail = set(&mut browser, address, true, "en").await.ok();
    let token = smtp.next().await.token("confirm-address");
    let confirmed = table.browser().post(CONFIRMATION, json!({"token": token})).await;
    assert_eq!(confirmed.status, StatusCode::NO_CONTENT, "{}", confirmed.text());
    browser
}
