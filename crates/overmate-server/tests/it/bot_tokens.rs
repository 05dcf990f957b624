//! Tests the access tokens of bots: their list and removal, their live connections, and the limits on their requests.

use axum::http::StatusCode;
use overmate_server::wire::{
    ClientMessage, Code, Export, MadeOffer, MatchView, MyBotTokens, PeopleHere, Phrase,
    ServerMessage,
};
use overmate_server::{Admin, Limits, Measure, Settings};
use serde_json::json;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use crate::bots::{Program, become_bot, bot, make_token, offered};
use crate::ratings::{PASSWORD, make_account};
use crate::sockets::{Socket, served};
use crate::support::{Browser, Table, client_id, run};
use crate::talk::talk;

#[test]
fn tokens_are_shown_once_listed_removed_and_refused_with_a_closed_account() {
    run(async {
        let table = Table::new().await;
        let (mut owner, mut program) = bot(&table, "Robot").await;
        for number in 2..=10 {
            make_token(&mut owner, &format!("token {number}")).await;
        }
        let full = owner.post("/api/v1/me/account/tokens", json!({})).await;
        assert_eq!(full.code(), Code::TokensFull);
        let listed = owner.get("/api/v1/me/account/tokens").await;
        assert!(!listed.text().contains("overmate_"), "{}", listed.text());
        let listed: MyBotTokens = listed.ok();
        assert_eq!((listed.tokens.len(), listed.most), (10, 10));
        let export = owner.get("/api/v1/me/export").await;
        assert!(!export.text().contains(&program.token));
        assert_eq!(export.ok::<Export>().bot_tokens, listed.tokens);
        for text in ["", "overmate_", &program.token[1..], &format!("overmate_{}", "0".repeat(64))]
        {
            let mut other = Program { browser: table.browser(), token: text.to_owned() };
            let refused = other.get("/lobby").await;
            assert_eq!(
                (refused.status, refused.code()),
                (StatusCode::UNAUTHORIZED, Code::TokenRefused)
            );
        }
        // The server refuses a request with a wrong bot token, even if the request also has the valid cookie of a browser.
        let mut both = Program { browser: owner.clone(), token: "overmate_".to_owned() };
        assert_eq!(both.get("/lobby").await.code(), Code::TokenRefused);
        let mut admin = Admin::open(&table.folder.path().to_owned().into()).await.unwrap();
        let found = admin.find("@Robot", 5).await.unwrap().browser.expect("a browser");
        assert_eq!(found.tokens.map(|tokens| tokens.len()), Some(10));
        // The open offers of the bot are withdrawn when its account is closed or its tokens are removed, because no program plays them.
        let days = json!({
            "rules": "bga", "clock": {"kind": "days", "days": 3}, "client_id": client_id(),
        });
        let mut anna = table.browser();
        let mut accept = async |offer: &str| {
            let body = json!({"client_id": client_id()});
            anna.post(&format!("/api/v1/offers/{offer}/accept"), body).await.code()
        };
        let made: MadeOffer = program.post("/offers", days.clone()).await.ok();
        let offer = made.own.expect("an offer").offer.id;
        admin.take_measure("@Robot", &Measure::Close, "a test", None).await.unwrap();
        assert_eq!(accept(&offer).await, Code::OfferGone);
        assert_eq!(program.get("/lobby").await.code(), Code::TokenRefused);
        admin.take_measure("@Robot", &Measure::Reopen, "a test", None).await.unwrap();
        assert_eq!(program.get("/lobby").await.status, StatusCode::OK);
        let first = listed.tokens.iter().find(|token| token.name.as_deref() == Some("laptop"));
        let path = format!("/api/v1/me/account/tokens/{}", first.expect("a token").id);
        assert_eq!(owner.delete(&path).await.status, StatusCode::NO_CONTENT);
        assert_eq!(owner.delete(&path).await.code(), Code::NotFound);
        assert_eq!(program.get("/lobby").await.code(), Code::TokenRefused);
        let mut program =
            Program { browser: table.browser(), token: make_token(&mut owner, "new").await.token };
        let made: MadeOffer = program.post("/offers", days).await.ok();
        let offer = made.own.expect("an offer").offer.id;
        // A change of the account's password removes the bot tokens of the account. A refused change does not remove them.
        for (former, status, left) in
            [("wrong", StatusCode::FORBIDDEN, 10), (PASSWORD, StatusCode::NO_CONTENT, 0)]
        {
            let body = json!({"former": former, "password": "battery horse correct"});
            let changed = owner.put("/api/v1/me/account/password", body).await;
            assert_eq!(changed.status, status, "{}", changed.text());
            let listed: MyBotTokens = owner.get("/api/v1/me/account/tokens").await.ok();
            assert_eq!(listed.tokens.len(), left);
            assert_eq!(program.get("/lobby").await.status == StatusCode::OK, left > 0);
        }
        assert_eq!(accept(&offer).await, Code::OfferGone);
        let mut program =
            Program { browser: table.browser(), token: make_token(&mut owner, "new").await.token };
        assert_eq!(program.get("/lobby").await.status, StatusCode::OK);
        // An operator who revokes the cookies of a bot account also revokes the account's bot tokens.
        admin.revoke("@Robot", "a test").await.unwrap();
        assert_eq!(program.get("/lobby").await.code(), Code::TokenRefused);
        admin.close().await.unwrap();
    });
}

#[test]
fn a_live_connection_of_a_program_ends_with_its_token_and_not_with_a_cookie() {
    run(async {
        let table = Table::new().await;
        // The creation of the bot account renews the cookie of its owner. The former cookie, whose hash is the identity of the person,
        // is revoked.
        let mut owner = table.browser();
        owner.begin("bga", json!({"kind": "both"})).await;
        let former = owner.cookie.clone();
        let kept = become_bot(&mut owner, "Robot").await;
        assert_ne!(owner.cookie, former);
        let removed = make_token(&mut owner, "phone").await;
        let mut anna = table.browser();
        make_account(&mut anna, "Anna").await;
        let open = offered(&mut anna, json!({"bots": true})).await.offer;
        let mut program = Program { browser: table.browser(), token: kept.clone() };
        let state: MatchView = program.accept(&open.id).await.ok();
        let served = served(&table).await;
        let path = format!("matches/{}/live", state.id);
        let mut lasting = Socket::of_program(&served, &kept, &path).await;
        let mut ending = Socket::of_program(&served, &removed.token, &path).await;
        lasting.hello().await;
        ending.hello().await;
        let tokens: MyBotTokens = owner.get("/api/v1/me/account/tokens").await.ok();
        let named = |name| tokens.tokens.iter().find(|token| token.name.as_deref() == Some(name));
        let remove = format!("/api/v1/me/account/tokens/{}", named("phone").expect("a token").id);
        assert_eq!(owner.delete(&remove).await.status, StatusCode::NO_CONTENT);
        // After an operator's act on an account, the server checks the tokens of the account's live connections before their next
        // heartbeat. The server then closes the connection whose token was removed.
        let mut admin = Admin::open(&table.folder.path().to_owned().into()).await.unwrap();
        let act = async |admin: &mut Admin, measure| {
            admin.take_measure("@Robot", &measure, "a test", None).await.unwrap();
        };
        act(&mut admin, Measure::Warn("Be kind.".to_owned())).await;
        let (code, reason) = ending.closed().await;
        assert_eq!(code, CloseCode::Policy);
        assert!(reason.contains("token"), "{reason}");
        // The live connection whose bot token is still valid stays open after the operator's act. This connection can still take actions.
        let state = lasting.hello().await;
        if let Some(legal) = state.current.legal.first() {
            lasting.act(state.sequence, &legal.action).await;
        } else {
            let seen = anna.look(&state.id).await;
            anna.act(&seen, &seen.current.legal[0].action).await.ok::<MatchView>();
        }
        anna.wait(&state.id, |now| now.sequence == state.sequence + 1).await;
        // When an operator closes a bot account, the server closes all live connections with tokens of the account.
        act(&mut admin, Measure::Close).await;
        assert_eq!(lasting.closed().await.0, CloseCode::Policy);
        admin.close().await.unwrap();
    });
}

#[test]
fn a_live_connection_with_a_token_neither_reads_texts_and_phrases_nor_sends_phrases() {
    run(async {
        let table = Table::new().await;
        let mut owner = table.browser();
        let token = become_bot(&mut owner, "Robot").await;
        let mut anna = table.browser();
        make_account(&mut anna, "Anna").await;
        let open = offered(&mut anna, json!({"bots": true})).await.offer;
        let mut program = Program { browser: table.browser(), token };
        let state: MatchView = program.accept(&open.id).await.ok();
        talk(&mut anna, &mut owner, &state.id).await;
        let served = served(&table).await;
        let path = format!("matches/{}/live", state.id);
        let mut socket = Socket::of_program(&served, &program.token, &path).await;
        socket.hello().await;
        // A program does not count among the people who are here.
        assert_eq!(anna.get("/api/v1/public/people").await.ok::<PeopleHere>().people, 0);
        // The player of the connection is present. A program gets no earlier texts, and none that are written later.
        socket.say(&ClientMessage::Attend { hidden: false }).await;
        socket.say(&ClientMessage::Say { phrase: Phrase::Thanks }).await;
        let mut is_present = false;
        loop {
            match socket.next().await {
                ServerMessage::Problem { problem, .. } => {
                    assert_eq!(problem.code, Code::BotRefused);
                    break;
                }
                ServerMessage::Presence { .. } => is_present = true,
                other => panic!("{other:?}"),
            }
        }
        let new = json!({"text": "are you a program?", "client_id": client_id()});
        let sent = anna.post(&format!("/api/v1/matches/{}/talk", state.id), new).await;
        assert_eq!(sent.status, StatusCode::OK);
        socket.say(&ClientMessage::Ping {}).await;
        loop {
            match socket.next().await {
                ServerMessage::Pong => break,
                ServerMessage::Presence { .. } => is_present = true,
                other => panic!("{other:?}"),
            }
        }
        assert!(is_present);
        // The owner of the bot still sends and reads phrases in a browser. The program gets neither these phrases nor those of the
        // opponent.
        let browser = async |browser: &Browser| {
            let mut socket = Socket::open(&served, browser, &format!("{}/live", state.id)).await;
            socket.hello().await;
            socket.say(&ClientMessage::Attend { hidden: false }).await;
            // The server answers in order, and thus knows of the player before the next phrase.
            socket.say(&ClientMessage::Ping {}).await;
            while !matches!(socket.next().await, ServerMessage::Pong) {}
            socket
        };
        let mut browsers = [browser(&owner).await, browser(&anna).await];
        for speaker in 0..2 {
            browsers[speaker].say(&ClientMessage::Say { phrase: Phrase::Thanks }).await;
            for reader in &mut browsers {
                while !matches!(reader.next().await, ServerMessage::Said { .. }) {}
            }
        }
        socket.say(&ClientMessage::Ping {}).await;
        loop {
            match socket.next().await {
                ServerMessage::Pong => break,
                ServerMessage::Presence { .. } => {}
                other => panic!("{other:?}"),
            }
        }
        drop(served.stop);
    });
}

#[test]
fn a_program_has_the_limits_of_a_browser() {
    run(async {
        let limits = |settings: Settings| {
            let requests =
                Limits { requests_per_second: Some(1), requests_at_once: 40, ..settings.limits };
            Settings { limits: requests, ..settings }
        };
        let table = Table::with(limits).await;
        let (_, mut program) = bot(&table, "Robot").await;
        let mut refused = 0;
        for _ in 0..200 {
            let answer = program.get("/rules").await;
            refused += u32::from(answer.status == StatusCode::TOO_MANY_REQUESTS);
        }
        assert!(refused > 50, "{refused}");
        // Requests with wrong bot tokens count for the rate limit of the client, too.
        let mut other = Program { browser: table.browser(), token: "overmate_".to_owned() };
        let mut refused = 0;
        // On a busy machine, a hundred requests may take several seconds, so that the rate limit allows some of them.
        for _ in 0..100 {
            let answer = other.get("/rules").await;
            refused += u32::from(answer.status == StatusCode::TOO_MANY_REQUESTS);
        }
        assert!(refused > 50, "{refused}");
    });
}
