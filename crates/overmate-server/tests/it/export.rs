//! Tests that the export of a browser identity's data contains every database value about this identity.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::StatusCode;
use overmate_rules::Player;
use overmate_server::wire::{Export, MadeOffer, MatchView, PlayerWire, PuzzleWire, SeenEvent};
use overmate_server::{Admin, Measure};
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Row as _, SqliteConnection};

use crate::hand_in::hand_in_resigned;
use crate::passkeys::{use_passkeys, with_site};
use crate::ratings::{begin, make_account, resign};
use crate::support::{Browser, Table, run, turn, two};
use crate::talk::talk;

/// Names of database columns that the export of personal data may omit, each with the reason.
const NOT_EXPORTED: &[(&str, &str)] = &[
    ("matches.deals", "the record holds the deals of the begun games; later deals are secret"),
    ("matches.ended_at", "the time of the last entry"),
    ("matches.folded", "the form in which the server keeps the log"),
    ("matches.invitation", "a used one opens nothing, and another test compares the others"),
    ("matches.asked_by", "the identity, which the export begins with"),
    ("matches.rules", "the summary holds the rules"),
    ("seats.seed", "the random choices of the computer opponent"),
    ("seats.deleted_at", "the erasure of another person"),
    ("seats.bot", "the summary names the opponent"),
    ("seats.answers", "the export holds their branches, and another test compares them"),
    ("puzzle_attempts.number", "the place in the list of attempts"),
    ("browsers.changed_at", "the time of the last change, for other servers"),
    ("browsers.revoked", "the list shows the browsers that are not signed out"),
    ("push_subscriptions.key", "the key of the browser, which the browser knows"),
    ("push_subscriptions.secret", "the secret of the browser, which the browser knows"),
    ("push_subscriptions.retry_at", "the time before which the server does not try again"),
    ("codes.hash", "the code itself is shown once, and its hash opens nothing"),
    ("codes.kind", "only a recovery code is listed"),
    ("codes.until", "a code without an end is listed"),
    ("codes.used_by", "a used code is removed"),
    ("matches.clock", "the summary holds the setting as JSON"),
    ("matches.deadline", "the summary holds the time as text, which follows from the entries"),
    ("rating_changes.player", "the summary of the match tells which player you were"),
    ("accounts.tag", "a keyed hash of the handle"),
    ("accounts.password", "a hash, which the person must not hand on"),
    ("accounts.handle_at", "the export holds the time of the next change, which follows from it"),
    ("passkeys.id", "the export holds the bytes in base64url, and another test compares them"),
    ("passkeys.user_handle", "random bytes, which only the authenticator needs"),
    ("passkeys.passkey", "the public key with its counter, which the authenticator knows"),
    ("mail_addresses.folded", "the address in lower case"),
    ("mail_addresses.retry_at", "the time before which the server does not try again"),
    ("turn_mails.hash", "the token itself is in the message, and its hash opens nothing"),
    ("mail_messages.hash", "the token itself is in the message, and its hash opens nothing"),
    ("mail_messages.retry_at", "the time of the next attempt"),
    ("bot_tokens.hash", "the token itself is shown once, and its hash opens nothing"),
    ("passkey_challenges.id", "a challenge ends after five minutes at the latest"),
    ("passkey_challenges.state", "random bytes, which only the authenticator answers"),
    ("passkey_challenges.until", "a challenge ends after five minutes at the latest"),
    ("former_handles.tag", "a keyed hash of a handle that the person gave up"),
    ("former_handles.until", "a year after the person gave the handle up"),
    ("offers.holder", "the identity, which the export begins with"),
    ("offers.clock", "the offer holds the setting as JSON"),
    ("talk.client_id", "random letters, which only the page needs"),
    ("relations.other", "the export holds the handle of the other account"),
    ("relations.kind", "the export has a list of each kind"),
    ("visibility.at", "the time of the last change, for browsers that join"),
    ("reports.id", "random letters, with which operators name the report"),
    ("reports.player", "the summary of the match tells which player you were"),
    ("reports.reported", "the opponent in the match"),
    ("measures.kind", "the export has a field for each kind"),
    ("measures.at", "the acts of operators hold the times of all measures"),
    ("events.secret", "the key of the deals, which everybody sees after the end"),
    ("events.clock", "the event holds the setting as JSON"),
    ("events.network", "16 bits of a hash, which many addresses share"),
    ("events.repeat_days", "only an operator makes a series"),
    ("events.step", "the number of steps of the server"),
    ("events.version", "the number of changes, for those who watch"),
    ("operator_acts.id", "the place in the list of acts"),
];

/// Names of database tables without personal data.
const OTHER_TABLES: [&str; 11] = [
    "present_persons",
    "present_servers",
    "_sqlx_migrations",
    "secrets",
    "puzzle_ratings",
    "leases",
    "counts",
    "beats",
    "versions",
    // Everybody sees the deals and the results of an event. The results name the players by their numbers.
    "event_deals",
    "event_boards",
];

/// Returns the names of the columns of each database table with personal data.
async fn columns(connection: &mut SqliteConnection) -> BTreeMap<String, Vec<String>> {
    let query = "SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'";
    let mut columns: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in sqlx::query(query).fetch_all(connection).await.unwrap() {
        columns.entry(row.get(0)).or_default().push(row.get(1));
    }
    columns.retain(|table, _| !OTHER_TABLES.contains(&table.as_str()));
    columns
}

/// Adds all scalars in a JSON value, as strings, to a set.
fn scalars(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| scalars(value, found)),
        Value::Object(values) => values.values().for_each(|value| scalars(value, found)),
        Value::String(text) => {
            // The path of an invitation or of a spectators' link ends with a token. The test also compares the token alone.
            found.extend(text.rsplit('/').next().map(str::to_owned));
            found.extend(text.rsplit('=').next().map(str::to_owned));
            found.insert(text.clone());
        }
        Value::Number(number) => {
            found.insert(rounded(number.as_f64().unwrap()));
        }
        Value::Bool(flag) => {
            found.insert(u8::from(*flag).to_string());
        }
        Value::Null => {}
    }
}

/// Formats a number with 13 significant digits, because JSON parsers may round the last digits.
fn rounded(number: f64) -> String {
    format!("{number:.12e}")
}

/// Returns whether an export of personal data contains a database value, written as a string, as a number or as a time.
fn is_exported(value: &str, exported: &BTreeSet<String>) -> bool {
    let number = value.parse().ok().map(rounded);
    let time = value.parse().ok().and_then(|at| jiff::Timestamp::from_second(at).ok());
    let forms = [Some(value.to_owned()), number, time.map(|time| time.to_string())];
    forms.into_iter().flatten().any(|form| exported.contains(&form))
}

/// Returns an SQL condition for the rows of a table that belong to a browser identity. The parameter `$1` is the identity of the
/// browser in hexadecimal digits.
fn own(table: &str) -> String {
    let own =
        "IN (SELECT unhex($1) UNION ALL SELECT browser FROM browsers WHERE person = unhex($1))";
    match table {
        "matches" => format!("id IN (SELECT match_id FROM seats WHERE holder {own})"),
        "events" => "host = unhex($1)".to_owned(),
        // A stored request for a new match is personal data of the browser that sent the request. If the match began by an offer, this
        // browser is the acceptor's.
        "requests" => format!("asked_by {own}"),
        "seats" | "puzzle_attempts" | "puzzle_players" | "offers" => format!("holder {own}"),
        "talk" => format!(
            "EXISTS (SELECT 1 FROM seats WHERE seats.match_id = talk.match_id AND seats.player = talk.player AND holder {own})"
        ),
        // The export contains the entries of a folded log instead of the folded row. The tests of folding and of the hand-in
        // compare these entries.
        "log" => format!(
            "kind != 'fold' AND EXISTS (SELECT 1 FROM seats WHERE seats.match_id = log.match_id AND seats.player = log.player AND holder {own})"
        ),
        "browsers" | "accounts" | "bot_tokens" | "passkeys" | "passkey_challenges" | "former_handles" | "absences" | "feeds" | "ratings"
        | "rating_changes" | "relations" | "push_subscriptions" | "mail_addresses" | "mail_messages" | "turn_mails" | "measures" | "event_players" | "visibility" => "person = unhex($1)".to_owned(),
        "reports" => "reporter = unhex($1)".to_owned(),
        "codes" => "person = unhex($1) AND kind = 'recovery'".to_owned(),
        // An operator's act that concerns only the opponent, such as a change of the opponent's name, is not data of the exporting browser.
        "operator_acts" => format!(
            "target = $1 OR target IN (SELECT lower(hex(browser)) FROM browsers WHERE person = unhex($1)) OR EXISTS (SELECT 1 FROM seats WHERE holder {own}
                 AND target IN (match_id, match_id || ' player ' || player))"
        ),
        _ => panic!("the test does not know whose the rows of {table} are"),
    }
}

/// Adds an e-mail address, a recovery e-mail and an e-mail about a turn to each account in the database.
async fn add_mail(table: &Table) {
    for statement in [
        "INSERT INTO mail_addresses (person, address, folded, language, recovery, confirmed_at, turns, refusals)
         SELECT person, handle || '@mate.example', lower(handle) || '@mate.example', 'de', 1, 1700000003, 1, 11 FROM accounts",
        "INSERT INTO turn_mails (hash, person, match_id, turn, tries, failed, at, until)
         SELECT person, person, 'match of ' || handle, 12, 13, 1, 1700000006, 9000000001 FROM accounts",
        "INSERT INTO mail_messages (person, kind, address, language, recovery, made_at, hash, tries, retry_at, until, sent)
         SELECT person, 'recover', handle || '@other.example', 'en', 0, 1700000004, person, 7, 1700000005, 9000000000, 1 FROM accounts",
    ] {
        table.execute(statement).await;
    }
}

/// Fills the database tables with personal data of one test client, whose export is tested, and of other test clients.
/// Returns the first client, and another client whom the first client has reported.
async fn fill(table: &Table) -> (Browser, Browser) {
    let (mut host, mut guest, state) = two(table, "bga").await;
    let state =
        if turn(&state) == Some(PlayerWire::A) { host.look(&state.id).await } else { state };
    let played = host.act(&state, &state.current.legal[0].action).await;
    assert!(played.status.is_success(), "{}", played.text());
    host.begin("bga", json!({"kind": "friend"})).await;
    let note = format!("/api/v1/matches/{}/note", state.id);
    assert!(host.put(&note, json!({"text": "a note"})).await.status.is_success());
    host.begin("sackson", json!({"kind": "level", "level": 3})).await;
    guest.begin("bga", json!({"kind": "both"})).await;
    let chosen = json!({"rules": "bga", "opponent": {"kind": "both"}, "deal": "7",
        "names": {"me": "Zo\u{eb}"}, "client_id": "request-of-host"});
    let _: MatchView = host.post("/api/v1/matches", chosen).await.ok();
    hand_in_resigned(&mut host).await;
    for browser in [&mut host, &mut guest] {
        let puzzle: PuzzleWire = browser.get("/api/v1/puzzles/next?rules=bga").await.ok();
        let attempts = format!("/api/v1/puzzles/{}/attempts", puzzle.id);
        let attempt = json!({"actions": [], "run": "streak:01234567"});
        let _: Value = browser.post(&attempts, attempt).await.ok();
    }
    let account = json!({"handle": "Zoe", "password": "correct horse battery"});
    assert_eq!(host.post("/api/v1/me/account", account).await.status, StatusCode::CREATED);
    let feed = host.post("/api/v1/me/feed", json!({})).await;
    assert!(feed.status.is_success(), "{}", feed.text());
    for away in [true, false] {
        let set = host.put("/api/v1/me/days-off", json!({"away": away})).await;
        assert!(set.status.is_success(), "{}", set.text());
    }
    use_passkeys(&mut host, &mut table.browser()).await;
    let code = host.make_codes("link").await;
    let mut second = table.browser();
    second.begin("bga", json!({"kind": "both"})).await;
    let former: Export = second.get("/api/v1/me/export").await.ok();
    let former = former.identity.expect("an identity");
    let mut admin = Admin::open(&table.folder.path().to_owned().into()).await.unwrap();
    admin.rename(&former, None, None, "a browser that joins later").await.unwrap();
    let join = json!({"code": code.codes[0], "name": "Firefox, Android"});
    let joined = second.post("/api/v1/me/browsers", join).await;
    assert!(joined.status.is_success(), "{}", joined.text());
    second.begin("bga", json!({"kind": "both"})).await;
    host.make_codes("recovery").await;
    let changed = host.put("/api/v1/me/account/handle", json!({"handle": "Zoe-2"})).await;
    assert!(changed.status.is_success(), "{}", changed.text());
    for (client_id, days) in [("offer-to-accept", 1), ("offer-that-stays", 3)] {
        let clock = json!({"kind": "days", "days": days});
        let new =
            json!({"rules": "bga", "clock": clock, "name": "Zo\u{eb}", "client_id": client_id});
        let made: MadeOffer = host.post("/api/v1/offers", new).await.ok();
        if days == 1 {
            let path = format!("/api/v1/offers/{}/accept", made.own.unwrap().offer.id);
            let accepted = guest.post(&path, json!({"client_id": "acceptance"})).await;
            assert!(accepted.status.is_success(), "{}", accepted.text());
        }
    }
    table
        .execute(
            "INSERT INTO push_subscriptions (browser, person, endpoint, key, secret, language, made_at, told)
             SELECT browser, person, 'https://push.example/' || hex(browser), zeroblob(65), zeroblob(16), 'de', 1700000000, 'turn:1 2'
             FROM browsers WHERE NOT revoked AND person IN (SELECT person FROM accounts)",
        )
        .await;
    add_mail(table).await;
    // The test inserts the bot token directly into the database. The account plays rated matches, and therefore cannot become a bot
    // account.
    table
        .execute(
            "INSERT INTO bot_tokens (id, hash, person, name, made_at)
             SELECT 'token-of-zoe', zeroblob(32), person, 'laptop', 1700000001 FROM accounts WHERE handle = 'Zoe-2'",
        )
        .await;
    let event = json!({
        "kind": {"kind": "swiss", "rounds": 3}, "title": "Friday", "rules": "bga", "base": 300,
        "increment": 5, "starts_in": 60, "client_id": "event-of-host",
    });
    let shown = json!({"watching": "never", "presence": "nobody"});
    assert_eq!(host.put("/api/v1/me/visibility", shown).await.status, StatusCode::OK);
    let made: SeenEvent = host.post("/api/v1/events", event).await.ok();
    let join = format!("/api/v1/events/{}/join", made.shown.event.id);
    let _: SeenEvent = host.post(&join, json!({})).await.ok();
    make_account(&mut guest, "Rival").await;
    let rated = begin(&mut host, &mut guest, json!({})).await;
    resign(&mut host, &mut guest, &rated.id).await;
    talk(&mut host, &mut guest, &rated.id).await;
    let name = Some("Ren\u{e9}");
    admin.rename(&state.id, Some(Player::A), name, "an insulting name").await.unwrap();
    admin.rename(&state.id, Some(Player::B), name, "of the other player").await.unwrap();
    admin.end(&state.id, Player::A, "a test").await.unwrap();
    let report = json!({"reason": "unfair", "text": "some words"});
    let made = host.post(&format!("/api/v1/matches/{}/report", rated.id), report).await;
    assert_eq!(made.status, StatusCode::NO_CONTENT, "{}", made.text());
    let report = admin.reports(false).await.unwrap().remove(0);
    admin.settle(&report.id, "of the other player").await.unwrap();
    for measure in [Measure::Warn("Stay polite.".to_owned()), Measure::Mute(3)] {
        admin.take_measure("@Zoe-2", &measure, "a measure", None).await.unwrap();
    }
    admin.close().await.unwrap();
    (host, guest)
}

#[test]
fn an_export_holds_every_value_that_the_database_keeps_about_the_browser() {
    run(async {
        let table = Table::with(with_site).await;
        let (mut browser, mut reported) = fill(&table).await;
        let theirs: Export = reported.get("/api/v1/me/export").await.ok();
        let acts: Vec<&str> = theirs.operator_acts.iter().map(|act| &*act.act).collect();
        assert_eq!(acts, ["rename"], "a settled report is not exported to the reported player");
        let text = browser.get("/api/v1/me/export").await.text();
        let export: Export = serde_json::from_str(&text).unwrap();
        let acts: Vec<&str> = export.operator_acts.iter().map(|act| &*act.reason).collect();
        let expected =
            ["a browser that joins later", "an insulting name", "a test", "a measure", "a measure"];
        assert_eq!(acts, expected, "the acts on others are not exported");
        let mut exported = BTreeSet::new();
        scalars(&serde_json::from_str(&text).unwrap(), &mut exported);
        let identity = export.identity.expect("an identity");
        let file = table.folder.path().join("overmate.sqlite");
        let options = SqliteConnectOptions::new().filename(file).read_only(true);
        let mut connection = options.connect().await.unwrap();
        let columns = columns(&mut connection).await;
        for (column, _) in NOT_EXPORTED {
            let (table, name) = column.split_once('.').unwrap();
            assert!(columns[table].iter().any(|known| known == name), "{column} does not exist");
        }
        let mut compared = BTreeMap::new();
        for (name, columns) in &columns {
            for column in columns {
                let full = format!("{name}.{column}");
                if NOT_EXPORTED.iter().any(|(known, _)| *known == full) {
                    continue;
                }
                let query = format!(
                    "SELECT CASE typeof({column}) WHEN 'blob' THEN lower(hex({column}))
                         WHEN 'real' THEN printf('%!.17g', {column}) ELSE CAST({column} AS TEXT) END
                     FROM {name} WHERE {column} IS NOT NULL AND ({})",
                    own(if full == "matches.client_id" { "requests" } else { name })
                );
                let values = sqlx::query_scalar::<_, String>(AssertSqlSafe(query));
                let values = values.bind(&identity).fetch_all(&mut connection).await.unwrap();
                for value in &values {
                    assert!(is_exported(value, &exported), "{full}: {value} is not in\n{text}");
                }
                compared.insert(full, values.len());
            }
        }
        connection.close().await.unwrap();
        let empty: Vec<_> = compared.iter().filter(|(_, values)| **values == 0).collect();
        let columns: Vec<&str> = empty.iter().map(|(column, _)| column.as_str()).collect();
        // The database columns for the challenged player of an offer are empty, because this browser has made an open offer and no
        // challenge.
        let expected =
            ["events.finished_at", "matches.shared_deal", "offers.to_handle", "offers.to_tag"];
        assert_eq!(columns, expected, "columns without a value");
        assert!(compared.len() > 25, "{compared:?}");
    });
}
