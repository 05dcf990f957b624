//! Tests the commands `admin reports`, `warn`, `mute` and `close` with the real binary while a server runs.

use serde_json::{Value, json};

use crate::admin::browser;
use crate::serve::{HttpClient, ServerProcess};
use crate::support::{Home, Ran};

const REASON: [&str; 2] = ["--reason", "a complaint"];

fn admin(home: &Home, args: &[&str]) -> Ran {
    home.run(&[&["admin", "--data", "server"], args].concat())
}

/// Runs an operator command that prints one JSON object per line, and returns the objects.
fn lines(home: &Home, args: &[&str]) -> Vec<Value> {
    let told = admin(home, &[args, &["--json"]].concat()).ok();
    told.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn send(client: &mut HttpClient, served: &ServerProcess, path: &str, body: &Value) -> (u16, Value) {
    let method = if body.is_null() { "GET" } else { "POST" };
    client.send(&served.address, method, &format!("/api/v1/{path}"), body).unwrap()
}

fn measures(client: &mut HttpClient, served: &ServerProcess) -> Value {
    let (status, measures) = send(client, served, "me/measures", &Value::Null);
    assert_eq!(status, 200, "{measures}");
    measures
}

#[test]
fn an_operator_lists_a_report_and_warns_mutes_and_closes_the_account() {
    let home = Home::new();
    let served = ServerProcess::start(&home, &[]);
    let (mut anna, mut bert) = (HttpClient::default(), HttpClient::default());
    for (client, handle) in [(&mut anna, "Anna"), (&mut bert, "Bert")] {
        let account = json!({"handle": handle, "password": "correct horse battery"});
        let (status, made) = send(client, &served, "me/account", &account);
        assert_eq!(status, 201, "{made}");
    }
    let new = json!({"rules": "bga", "opponent": {"kind": "friend"}, "lead": "me", "names": {"me": "Annie"}});
    let (_, state) = send(&mut anna, &served, "matches", &new);
    let path = state["invitation"].as_str().unwrap().replace("/join/", "invitations/");
    let (status, state) = send(&mut bert, &served, &path, &json!({"name": "Bertie"}));
    assert_eq!(status, 200, "{state}");
    let id = state["id"].as_str().unwrap();
    assert!(admin(&home, &["reports"]).ok().contains("No report is open"));
    let report = json!({"reason": "insults", "text": "he \u{1b}[31mswears"});
    for client in [&mut anna, &mut bert] {
        let (status, made) = send(client, &served, &format!("matches/{id}/report"), &report);
        assert_eq!(status, 204, "{made}");
    }
    let found = lines(&home, &["reports"]);
    assert_eq!(found.len(), 2);
    let of_anna = found.iter().find(|found| found["reporter"]["handle"] == "Anna").unwrap();
    assert_eq!((&of_anna["match"], &of_anna["rules"]), (&json!(id), &json!("bga")));
    assert_eq!((&of_anna["reason"], &of_anna["settled_at"]), (&json!("insults"), &Value::Null));
    let reported = &of_anna["reported"];
    assert_eq!((&reported["handle"], &reported["name"]), (&json!("Bert"), &json!("Bertie")));
    assert_eq!(reported["player"], "b");
    let told = admin(&home, &["reports"]).ok();
    assert!(told.contains("@Bert") && told.contains("swears"), "{told}");
    assert!(!told.contains('\u{1b}'), "{told}");
    // Each player's report about an opponent contains the match record that watchers of the match can read. The table of reports shows the
    // record with an indent.
    let (_, state) = send(&mut anna, &served, &format!("matches/{id}"), &Value::Null);
    let acted = anna.act(&served.address, &state, "request-of-anna").unwrap();
    assert_eq!(acted.0, 200, "{}", acted.1);
    let lead = acted.1["current"]["steps"][0]["card"].as_str().unwrap().to_owned();
    let watch = state["watch"].as_str().unwrap().rsplit('/').next().unwrap();
    let path = format!("/api/v1/matches/{id}/record?watch={watch}");
    let (_, record) =
        HttpClient::default().exchange(&served.address, "GET", &path, &Value::Null).unwrap();
    assert!(record.contains("bga") && record.contains(&lead), "{record}");
    assert!(lines(&home, &["reports"]).iter().all(|found| found["record"] == *record));
    let told = admin(&home, &["reports"]).ok();
    let shown: Vec<&str> = told.lines().skip_while(|line| *line != "  record").skip(1).collect();
    assert!(record.lines().count() > 3);
    for (line, shown) in record.lines().zip(shown) {
        assert_eq!(shown.strip_prefix("    ").unwrap_or(shown), line, "{told}");
    }
    assert_eq!(told.lines().filter(|line| *line == "  record").count(), 2);
    // The operator's warning to Bert also marks Anna's report about Bert as settled. Bert's report is settled without a measure.
    let [report, other] = ["Anna", "Bert"].map(|handle| {
        let found = found.iter().find(|found| found["reporter"]["handle"] == handle).unwrap();
        found["id"].as_str().unwrap()
    });
    admin(&home, &["warn", "@bert", "Stay polite."]).fails(2, &["--reason"]);
    let refused = admin(&home, &["warn", "@bert", "", "--reason", "rude"])
        .fails(2, &["'<TEXT>'", "the text is empty, too long, or has a control character such as a line break: give one line of 1 to 400 characters"]);
    assert!(!refused.stderr.contains("reason"), "{refused:?}");
    let warn = [&["warn", "@bert", "Stay polite.", "--settle", report], &REASON[..]].concat();
    admin(&home, &warn).ok();
    assert_eq!(measures(&mut bert, &served)["warning"]["text"], "Stay polite.");
    assert_eq!(lines(&home, &["reports"]).len(), 1);
    let settle = [&["reports", "--settle", other], &REASON[..]].concat();
    admin(&home, &settle).ok();
    admin(&home, &settle).fails(1, &["no open report", other]);
    assert_eq!(lines(&home, &["reports"]).len(), 0);
    assert_eq!(lines(&home, &["reports", "--all"]).len(), 2);
    // The mute of a player and the closing of the player's account take effect at once in the running server.
    let told = admin(&home, &[&["mute", "@bert", "--days", "2"], &REASON[..]].concat()).ok();
    assert!(told.contains("no phrases and texts for 2 days\n"), "{told}");
    assert!(measures(&mut bert, &served)["muted_until"].is_string());
    admin(&home, &[&["mute", "@bert", "--days", "0"], &REASON[..]].concat()).ok();
    assert!(measures(&mut bert, &served)["muted_until"].is_null());
    admin(&home, &[&["close", "@bert"], &REASON[..]].concat()).ok();
    assert_eq!(measures(&mut bert, &served)["closed"], true);
    let sign_in = json!({"handle": "Bert", "password": "correct horse battery"});
    let mut phone = HttpClient::default();
    let (status, refused) = send(&mut phone, &served, "me/sign-in", &sign_in);
    assert_eq!((status, &refused["code"]), (403, &json!("account-closed")));
    admin(&home, &[&["close", "@bert", "--reopen"], &REASON[..]].concat()).ok();
    assert_eq!(measures(&mut bert, &served)["closed"], false);
    admin(&home, &[&["close", "@bert", "--reopen"], &REASON[..]].concat())
        .fails(1, &["the account cannot be reopened, because it is not closed"]);
    let mut carl = HttpClient::default();
    carl.begin(&served.address).unwrap();
    let carl = browser(&mut carl, &served);
    for reopen in [&[][..], &["--reopen"]] {
        admin(&home, &[&["close", &carl], reopen, &REASON[..]].concat())
            .fails(1, &["the person has no account"]);
    }
    admin(&home, &[&["close", "Bert"], &REASON[..]].concat())
        .fails(1, &["`Bert` is neither the id of a browser nor a handle such as @anna"]);
    let log = lines(&home, &["log"]);
    let acts: Vec<&str> = log.iter().map(|act| act["act"].as_str().unwrap()).collect();
    assert_eq!(acts, ["warn", "settle", "mute", "unmute", "close", "reopen"]);
    assert!(log.iter().all(|act| act["reason"] == REASON[1]));
    assert!(log[1]["target"].as_str().unwrap().starts_with(id));
}
