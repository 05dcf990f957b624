//! Tests the server against its OpenAPI document with valid and invalid requests from the program `schemathesis`.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use xtask::command::run;
use xtask::repository::Repository;

use crate::command::build_overmate;
use crate::files::scratch;
use crate::served::{Answer, Running, Server};
use crate::virtual_environment::Environment;

/// Python packages of the API test: the program `schemathesis`, and an SMTP server to which the server under test sends e-mail. Another
/// version of `schemathesis` could find new faults in unchanged code.
const PACKAGES: [&str; 2] = ["schemathesis==4.32.5", "aiosmtpd==1.4.6"];

/// Startup timeout of the test's SMTP server.
const SMTP_START: Duration = Duration::from_secs(30);

/// Identity cookie of a browser without an account. With this cookie, later requests can read the matches of earlier requests.
const COOKIE: &str =
    "Cookie: overmate_seat=5c4e3a7e5c4e3a7e5c4e3a7e5c4e3a7e5c4e3a7e5c4e3a7e5c4e3a7e5c4e3a7e";

/// Ids of the OpenAPI operations for live connections (WebSocket), which `schemathesis` cannot test.
const LIVE: [&str; 1] = ["connect"];

/// Ids of the OpenAPI operations that end or change the account of the client that sends the request. The run with an account omits
/// these operations, because the later requests of the run would have no account.
const LAST: [&str; 3] = ["erase", "become_bot", "sign_out"];

/// Ids of the OpenAPI operations that a bot token permits and that need no match.
const OF_BOTS: [&str; 7] = [
    "account",
    "list_offers",
    "make_offer",
    "withdraw_offer",
    "accept_offer",
    "decline_challenge",
    "list_matches",
];

/// Settings of a `schemathesis` run under one identity: an account, a browser without an account, or a bot.
struct Caller<'a> {
    /// HTTP header that identifies the account, browser or bot in all requests of the `schemathesis` run.
    header: String,
    /// Command-line option by which `schemathesis` selects the tested operations.
    choice: &'a str,
    /// Ids of the OpenAPI operations that the `schemathesis` run includes or excludes, according to the option in `choice`.
    operations: &'a [&'a str],
    /// Time budget of a `schemathesis` run without `--thorough`, in seconds. A thorough run takes twice the time.
    seconds: u32,
}

/// Builds the server, and runs `schemathesis` against the server three times. The runs have the cookie of an account, the cookie of a
/// browser without an account, and the token of a bot. The server has an empty database, and can send e-mail and push messages. A thorough
/// run sends more requests.
pub(crate) fn check(repository: &Repository, thorough: bool) -> Result<()> {
    let binary = build_overmate(repository)?;
    let environment = repository.path("target/schemathesis");
    let programs = Environment::with_packages(environment, &PACKAGES.join("\n"))
        .context("cannot install the program schemathesis")?
        .bin();
    let folder = scratch()?;
    let smtp = SmtpSink::start(&programs.join("aiosmtpd"))?;
    let options = [
        "--no-limits",
        "--public-url",
        "https://mate.example",
        "--mail-from",
        "mate@mate.example",
        "--smtp",
        &format!("smtp://{}", smtp.address),
    ];
    let server = Server::start(&binary, folder.path(), &options)?;
    let cookie = sign_up(&server, "tested")?;
    let (mail, _) = send(&server, "GET", "/api/v1/me/mail", &cookie, &Value::Null)?;
    let (push, _) = send(&server, "GET", "/api/v1/me/push", &cookie, &Value::Null)?;
    ensure!(mail["available"] == true, "the tested server sends no e-mail");
    ensure!(push["key"].is_string(), "the tested server sends no push messages");
    let account = format!("Cookie: {cookie}");
    let token = bot_token(&server)?;
    let excluded = [&LIVE[..], &LAST].concat();
    let callers = [
        Caller {
            header: account,
            choice: "--exclude-operation-id",
            operations: &excluded,
            seconds: 20,
        },
        Caller {
            header: COOKIE.to_owned(),
            choice: "--exclude-operation-id",
            operations: &LIVE,
            seconds: 5,
        },
        Caller {
            header: format!("Authorization: Bearer {token}"),
            choice: "--include-operation-id",
            operations: &OF_BOTS,
            seconds: 5,
        },
    ];
    let schemathesis = programs.join("schemathesis");
    callers
        .iter()
        .try_for_each(|caller| test(&schemathesis, folder.path(), &server, caller, thorough))
}

/// SMTP server for tests. The server accepts and discards all e-mails. Dropping the value kills its process.
struct SmtpSink {
    _process: Running,
    address: SocketAddr,
}

impl SmtpSink {
    /// Starts the SMTP server `aiosmtpd`, and waits until the server listens.
    fn start(program: &Path) -> Result<Self> {
        // `aiosmtpd` does not print its port, so a free port is chosen before the start.
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let mut command = Command::new(program);
        command.args(["--nosetuid", "--class", "aiosmtpd.handlers.Sink"]);
        command.args(["--listen", &address.to_string()]);
        let process = command.spawn().context("cannot start the SMTP server aiosmtpd")?;
        let sink = Self { _process: Running(process), address };
        let start = Instant::now();
        while TcpStream::connect(address).is_err() {
            ensure!(start.elapsed() < SMTP_START, "aiosmtpd does not listen at {address}");
            thread::sleep(Duration::from_millis(50));
        }
        Ok(sink)
    }
}

/// Runs `schemathesis` against the server as one of the three callers: an account, a browser without an account, or a bot.
fn test(
    program: &Path,
    folder: &Path,
    server: &Server,
    caller: &Caller<'_>,
    thorough: bool,
) -> Result<()> {
    let seconds = if thorough { 2 * caller.seconds } else { caller.seconds };
    let mut command = Command::new(program);
    command.current_dir(folder);
    command.args([
        "run",
        &format!("{}/api/openapi.json", server.url()),
        "--header",
        &caller.header,
    ]);
    // A fixed seed makes the requests of all runs identical.
    command.args(["--seed", "1", "--generation-deterministic"]);
    // The timeout of a request is long, because the server delays some responses until a match or a tournament event changes.
    command.args(["--request-timeout", "40"]);
    command.args([
        "--max-examples",
        "20",
        "--max-time",
        &seconds.to_string(),
        "--phases",
        "examples,coverage,fuzzing",
    ]);
    for operation in caller.operations {
        command.args([caller.choice, operation]);
    }
    // The `schemathesis` run omits the check that the server accepts every request which is valid by the OpenAPI document. This document
    // cannot express which rule sets and cards exist.
    command.args([
        "--exclude-checks",
        "positive_data_acceptance",
        "--warnings",
        "off",
        "--no-color",
    ]);
    run(&mut command)
}

/// Creates an account on the server under test, and returns the identity cookie of the account's browser.
fn sign_up(server: &Server, handle: &str) -> Result<String> {
    let (_, cookie) = send(server, "POST", "/api/v1/identity", "", &Value::Null)?;
    let account = json!({"handle": handle, "password": "a password of the test"});
    let (_, renewed) = send(server, "POST", "/api/v1/me/account", &cookie, &account)?;
    Ok(if renewed.is_empty() { cookie } else { renewed })
}

/// Creates a bot account, and returns an access token of the account.
fn bot_token(server: &Server) -> Result<String> {
    let cookie = sign_up(server, "tested-bot")?;
    send(server, "PUT", "/api/v1/me/account/bot", &cookie, &Value::Null)?;
    let path = "/api/v1/me/account/tokens";
    let (made, _) = send(server, "POST", path, &cookie, &json!({"name": "a test"}))?;
    let token = made["token"].as_str();
    let token = token.context("the server returned no access token for the bot account")?;
    Ok(token.to_owned())
}

/// Sends an HTTP request with a JSON value as its body, or without a body if the value is null. Returns the value of the response, and
/// the cookie that the response sets, or an empty string.
fn send(
    server: &Server,
    method: &str,
    path: &str,
    cookie: &str,
    body: &Value,
) -> Result<(Value, String)> {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let Answer { head, body } = server.send(method, path, cookie, &body)?;
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: "));
    let cookie = cookie.and_then(|cookie| cookie.split(';').next()).unwrap_or_default();
    Ok((serde_json::from_str(&body).unwrap_or_default(), cookie.to_owned()))
}
