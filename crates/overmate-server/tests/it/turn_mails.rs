//! Tests e-mails about turns with a simulated SMTP server.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use overmate_server::Limits;
use overmate_server::wire::{ClientMessage, Code, Export, Mail, MatchView, MyAddress};
use serde_json::json;
use tokio::time::sleep;

use crate::push::{begin_by_days, make_due, pass_turn, wait_for, waiting};
use crate::ratings::make_account;
use crate::smtp::{CONFIRMATION, HANG_UP, Letter, SITE, Smtp, account, mail, set};
use crate::sockets::{Served, Socket, served};
use crate::support::{Browser, SOON, Table, run, turn};

const TURNS: &str = "/api/v1/me/mail/turns";

async fn switch(browser: &mut Browser, turns: bool, language: &str) -> Mail {
    browser.put(TURNS, json!({"turns": turns, "language": language})).await.ok()
}

async fn address(browser: &mut Browser) -> MyAddress {
    mail(browser).await.address.expect("an address")
}

/// Test clients of Anna and Bert, the two players of a correspondence match. Anna gets e-mails about turns.
struct Players {
    anna: Browser,
    bert: Browser,
    id: String,
}

impl Players {
    /// Begins a correspondence match in which Anna has acted, and then switches her e-mails about turns on.
    async fn of(smtp: &mut Smtp, table: &Table, language: &str) -> Self {
        let mut anna = account(smtp, table, "Anna", "anna@mate.example").await;
        let mut bert = table.browser();
        make_account(&mut bert, "Bert").await;
        let MatchView { id, .. } = begin_by_days(&mut anna, &mut bert).await;
        pass_turn(&mut anna, &id).await;
        assert_eq!(waiting(table).await, [""; 0], "nobody has asked for e-mails");
        assert!(switch(&mut anna, true, language).await.address.expect("an address").turns);
        Self { anna, bert, id }
    }

    /// Takes Anna's actions if it is her turn, and then Bert's actions until it is Anna's turn.
    async fn turn_of_anna(&mut self) {
        let state = self.anna.look(&self.id).await;
        if turn(&state).is_some() && !state.current.legal.is_empty() {
            pass_turn(&mut self.anna, &self.id).await;
        }
        pass_turn(&mut self.bert, &self.id).await;
    }

    /// Returns the token in an e-mail's unsubscribe link, which switches e-mails about turns off.
    fn token(letter: &Letter) -> String {
        let start = format!("<{SITE}/unsubscribe/");
        let list = letter.header("List-Unsubscribe").strip_prefix(&start).expect("a link");
        let token = list.strip_suffix('>').expect("a link").to_owned();
        assert_eq!(token.len(), 64);
        assert!(letter.body.contains(&format!("{SITE}/unsubscribe/{token}")), "{}", letter.body);
        token
    }
}

/// Begins a correspondence match of Anna and Bert on a server that sends e-mails to a simulated SMTP server. Anna gets e-mails
/// about turns in the given language.
async fn begin(
    language: &str,
    limits: impl FnOnce(Limits) -> Limits,
) -> (Smtp, Table, Served, Players) {
    let mut smtp = Smtp::start().await;
    let table = smtp.table(limits).await;
    let served = served(&table).await;
    let players = Players::of(&mut smtp, &table, language).await;
    (smtp, table, served, players)
}

/// Returns the number of seconds until the waiting e-mail about a turn is due.
async fn seconds_left(table: &Table) -> i64 {
    let query = "SELECT (until - unixepoch() * 1000) / 1000 FROM leases WHERE name LIKE 'mail:%'";
    sqlx::query_scalar(query).fetch_one(&mut table.connect().await).await.unwrap()
}

/// Polls the database until a query returns the number 1.
async fn wait_until(table: &Table, query: &'static str) {
    let mut connection = table.connect().await;
    for _ in 0..1_000 {
        let found: Option<i64> =
            sqlx::query_scalar(query).fetch_optional(&mut connection).await.unwrap();
        if found == Some(1) {
            return;
        }
        sleep(SOON / 1_000).await;
    }
    panic!("never: {query}");
}

#[test]
fn a_turn_has_one_letter_in_the_language_of_its_player() {
    run(async {
        let (mut smtp, table, _served, mut players) = begin("de", |limits| limits).await;
        players.turn_of_anna().await;
        wait_for(&table, &["mail:"]).await;
        // The e-mail waits ten minutes, so that a quick exchange of actions sends no e-mails.
        let left = seconds_left(&table).await;
        assert!((500..=600).contains(&left), "{left}");
        make_due(&table, "mail").await;
        let letter = smtp.next().await;
        assert_eq!(letter.to, ["anna@mate.example"]);
        assert_eq!(letter.header("Subject"), "Overmate: du bist am Zug");
        assert_eq!(letter.header("Auto-Submitted"), "auto-generated");
        assert_eq!(letter.header("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
        assert!(letter.header("Content-Type").starts_with("text/plain"));
        let expected =
            format!("in deiner Partie gegen Björn:\r\n\r\n{SITE}/match/{}\r\n", players.id);
        let body = letter.body.replace("\r\n", "\n");
        assert!(body.contains(&expected.replace("\r\n", "\n")), "{body}");
        // The e-mail states the time that the player has left for their action. This time is the full three days only if the server writes
        // the e-mail in the same second as the opponent's action.
        let times = ["2 Tage und 23 Stunden", "3 Tage"];
        let says = |time| format!("Du hast für deine Aktion noch {time} Zeit, bis zum");
        assert!(times.iter().any(|time| body.contains(&says(time))), "{body}");
        let token = Players::token(&letter);
        wait_for(&table, &[]).await;

        // If an e-mail that was already sent is scheduled again, the server does not send the e-mail again.
        table.execute("UPDATE turn_mails SET at = at - 60").await;
        table
            .execute("INSERT INTO leases (name, holder, until) SELECT 'mail:' || match_id, NULL, 0 FROM turn_mails")
            .await;
        wait_for(&table, &[]).await;
        // Several turns in quick succession schedule only one e-mail. If Anna acts before the e-mail is due, the e-mail is not sent.
        players.turn_of_anna().await;
        players.turn_of_anna().await;
        wait_for(&table, &["mail:"]).await;
        pass_turn(&mut players.anna, &players.id).await;
        make_due(&table, "mail").await;
        wait_for(&table, &[]).await;
        smtp.nothing_else(&table, "Dora").await;
        // The next turn has an e-mail of its own.
        players.turn_of_anna().await;
        make_due(&table, "mail").await;
        assert_ne!(Players::token(&smtp.next().await), token);
        wait_for(&table, &[]).await;

        // Neither the database file nor the export of the person's data contains the token of the unsubscribe link. After the erasure
        // nothing is left.
        let export = players.anna.get("/api/v1/me/export").await;
        assert!(!export.text().contains(&token));
        let turns = export.ok::<Export>().mail.turns;
        assert_eq!(turns.len(), 2);
        assert!(turns.iter().all(|mail| mail.id == players.id && mail.tries == 1 && !mail.failed));
        let stored = std::fs::read(table.folder.path().join("overmate.sqlite")).unwrap();
        assert!(!stored.windows(64).any(|part| part == token.as_bytes()));
        assert_eq!(players.anna.erase().await.status, StatusCode::NO_CONTENT);
        wait_until(&table, "SELECT count(*) = 0 FROM turn_mails").await;
    });
}

#[test]
fn a_player_who_sees_the_match_gets_no_letter() {
    run(async {
        let (mut smtp, table, served, mut players) = begin("en", |limits| limits).await;
        let path = format!("{}/live", players.id);
        let mut socket = Socket::open(&served, &players.anna, &path).await;
        socket.hello().await;
        socket.say(&ClientMessage::Attend { hidden: false }).await;
        pass_turn(&mut players.bert, &players.id).await;
        // The server removes the scheduled e-mail before the e-mail is due, because Anna sees the match.
        wait_for(&table, &[]).await;
        // A player whose page is in the background counts as absent, and gets an e-mail.
        socket.say(&ClientMessage::Attend { hidden: true }).await;
        players.turn_of_anna().await;
        make_due(&table, "mail").await;
        assert_eq!(smtp.next().await.to, ["anna@mate.example"]);
    });
}

#[test]
fn the_link_in_a_letter_switches_these_letters_off_and_does_nothing_else() {
    run(async {
        let (mut smtp, table, _served, mut players) = begin("en", |limits| limits).await;
        players.turn_of_anna().await;
        make_due(&table, "mail").await;
        let token = Players::token(&smtp.next().await);
        let path = format!("/unsubscribe/{token}");
        let mut stranger = table.browser();
        // Programs that open all links in e-mails do not switch the e-mails about turns off.
        for request in [Request::get(&path), Request::head(&path)] {
            let request = request.header(header::ACCEPT, "text/html").body(Body::empty());
            assert_eq!(stranger.send(request.unwrap()).await.status, StatusCode::OK);
        }
        let put = Request::put(&path).body(Body::empty()).unwrap();
        assert_eq!(stranger.send(put).await.code(), Code::MethodNotAllowed);
        assert!(address(&mut players.anna).await.turns);
        // The token of an unsubscribe link switches e-mails about turns off, and permits nothing else. No other token switches these
        // e-mails off.
        let confirm = json!({"token": token});
        assert_eq!(stranger.post(CONFIRMATION, confirm).await.code(), Code::LinkRefused);
        let recover = json!({"token": token, "password": "another horse battery"});
        assert_eq!(stranger.put("/api/v1/me/recovery", recover).await.code(), Code::LinkRefused);
        let program = async |path: &str| {
            let request = Request::post(path)
                .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
                .body(Body::from("List-Unsubscribe=One-Click"));
            table.browser().send(request.unwrap()).await
        };
        let other = format!("/unsubscribe/{}", "0".repeat(64));
        assert_eq!(program(&other).await.code(), Code::LinkRefused);
        assert!(address(&mut players.anna).await.turns);

        // A mail program switches the e-mails about turns off by a request without a cookie (RFC 8058), and may repeat the request.
        for _ in 0..2 {
            let answer = program(&path).await;
            assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.text());
            assert!(answer.headers.get(header::SET_COOKIE).is_none());
        }
        let own = address(&mut players.anna).await;
        assert_eq!((own.turns, own.recovery, &*own.address), (false, true, "anna@mate.example"));
        players.turn_of_anna().await;
        assert_eq!(waiting(&table).await, [""; 0]);

        // The web client can switch the e-mails about turns off with the token from an e-mail. The owner may switch the e-mails on again.
        assert!(switch(&mut players.anna, true, "en").await.address.expect("an address").turns);
        let stop = "/api/v1/me/mail/unsubscription";
        let body = json!({"token": token});
        assert_eq!(stranger.post(stop, body.clone()).await.status, StatusCode::NO_CONTENT);
        assert!(!address(&mut players.anna).await.turns);
        // Links in e-mails to a former address are not valid any more.
        let _: Mail = switch(&mut players.anna, true, "en").await;
        let _: Mail = set(&mut players.anna, "anna@other.example", true, "en").await.ok();
        let confirm = json!({"token": smtp.next().await.token("confirm-address")});
        assert_eq!(stranger.post(CONFIRMATION, confirm).await.status, StatusCode::NO_CONTENT);
        assert_eq!(stranger.post(stop, body).await.code(), Code::LinkRefused);
        assert!(address(&mut players.anna).await.turns);
        // Only a person with a confirmed e-mail address gets e-mails about turns.
        let on = json!({"turns": true, "language": "en"});
        assert_eq!(players.bert.put(TURNS, on.clone()).await.code(), Code::NotFound);
        assert_eq!(table.browser().put(TURNS, on).await.code(), Code::AccountNeeded);
    });
}

#[test]
fn failures_are_tried_again_and_refusals_switch_the_letters_off() {
    run(async {
        let (mut smtp, table, _served, mut players) = begin("en", |limits| limits).await;
        // After a temporary failure to send an e-mail, the server tries again, with growing pauses.
        players.turn_of_anna().await;
        for (attempt, pause) in [(1, 60), (2, 120)] {
            smtp.answers.send("451 try later").unwrap();
            make_due(&table, "mail").await;
            let failed = "SELECT count(*) FROM turn_mails, leases WHERE failed AND holder IS NULL
                AND name LIKE 'mail:%' AND leases.until > unixepoch() * 1000";
            wait_until(&table, failed).await;
            let left = seconds_left(&table).await;
            assert!((pause - 20..=pause).contains(&left), "attempt {attempt}: {left}");
        }
        make_due(&table, "mail").await;
        Players::token(&smtp.next().await);
        wait_for(&table, &[]).await;
        let export: Export = players.anna.get("/api/v1/me/export").await.ok();
        assert_eq!((export.mail.turns[0].tries, export.mail.turns[0].failed), (3, false));

        // If the mail server may have accepted the e-mail, the e-mail is not sent again.
        players.turn_of_anna().await;
        smtp.answers.send(HANG_UP).unwrap();
        make_due(&table, "mail").await;
        Players::token(&smtp.next().await);
        wait_for(&table, &[]).await;

        for refusals in 1..=3 {
            players.turn_of_anna().await;
            smtp.answers.send("550 no such mailbox").unwrap();
            make_due(&table, "mail").await;
            wait_for(&table, &[]).await;
            let own = address(&mut players.anna).await;
            assert_eq!((own.turns, own.refusals), (refusals < 3, refusals));
            // After a mail server has refused an e-mail about a turn, Overmate waits some hours before the next e-mail about a turn to the
            // same address.
            wait_until(
                &table,
                "SELECT count(*) FROM mail_addresses WHERE retry_at > unixepoch() + 20000",
            )
            .await;
            table.execute("UPDATE mail_addresses SET retry_at = 0").await;
        }
        players.turn_of_anna().await;
        assert_eq!(waiting(&table).await, [""; 0]);
        let own = switch(&mut players.anna, true, "en").await.address.expect("an address");
        assert_eq!((own.turns, own.refusals), (true, 0));
        let metrics = Browser::metrics(&table.server).await;
        for outcome in ["failed", "accepted", "refused", "unknown"] {
            let line = format!("overmate_mails_total{{kind=\"turn\",outcome=\"{outcome}\"}} ");
            assert!(metrics.contains(&line), "{line} {metrics}");
        }
        smtp.nothing_else(&table, "Dora").await;
    });
}

/// Plays until it is Anna's turn, and waits until the first attempt to send the e-mail about the turn has failed.
async fn fail_once(smtp: &Smtp, table: &Table, players: &mut Players) {
    let failed = "SELECT count(*) FROM turn_mails, leases WHERE failed AND holder IS NULL
        AND name LIKE 'mail:%'";
    players.turn_of_anna().await;
    smtp.answers.send("451 try later").unwrap();
    make_due(table, "mail").await;
    wait_until(table, failed).await;
}

#[test]
fn an_attempt_of_a_server_that_stops_is_repeated_after_it_has_failed() {
    run(async {
        let (mut smtp, table, _served, mut players) = begin("en", |limits| limits).await;
        fail_once(&smtp, &table, &mut players).await;
        // The test clears the flag `failed` of the first attempt to send an e-mail about a turn. The result of the attempt is then unknown,
        // and no server holds the database lease for the e-mail.
        table.execute("UPDATE turn_mails SET failed = FALSE, at = unixepoch()").await;
        make_due(&table, "mail").await;
        let waits = "SELECT count(*) FROM leases WHERE name LIKE 'mail:%' AND holder IS NULL
            AND until BETWEEN unixepoch() * 1000 + 10000 AND unixepoch() * 1000 + 31000";
        wait_until(&table, waits).await;
        // The test records that the first attempt to send the e-mail has failed, as the server of this attempt would do.
        table.execute("UPDATE turn_mails SET failed = TRUE").await;
        make_due(&table, "mail").await;
        Players::token(&smtp.next().await);
        wait_for(&table, &[]).await;
        // An attempt to send an e-mail is not repeated if the outcome of the attempt stays unknown.
        fail_once(&smtp, &table, &mut players).await;
        table.execute("UPDATE turn_mails SET failed = FALSE, at = unixepoch() - 60").await;
        make_due(&table, "mail").await;
        wait_for(&table, &[]).await;
        smtp.nothing_else(&table, "Dora").await;
    });
}

#[test]
fn letters_beyond_the_limit_of_an_address_wait() {
    run(async {
        let limited = |limits| Limits { mails_per_hour: Some(2), ..limits };
        let (mut smtp, table, _served, mut players) = begin("en", limited).await;
        for _ in 0..2 {
            players.turn_of_anna().await;
            make_due(&table, "mail").await;
            Players::token(&smtp.next().await);
            wait_for(&table, &[]).await;
        }
        players.turn_of_anna().await;
        make_due(&table, "mail").await;
        wait_until(
            &table,
            "SELECT count(*) FROM leases WHERE name LIKE 'mail:%' AND holder IS NULL AND until > unixepoch() * 1000 + 600000",
        )
        .await;
        assert!(smtp.received.try_recv().is_err());
        // The server does not send the delayed e-mail about Anna's turn after Anna has ended this turn by an action.
        pass_turn(&mut players.anna, &players.id).await;
        make_due(&table, "mail").await;
        wait_for(&table, &[]).await;
        assert!(smtp.received.try_recv().is_err());
    });
}
