//! Tests bot accounts. Programs play matches for these accounts, and authenticate with access tokens.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use overmate_server::wire::{
    Code, Favourites, Lobby, MadeBotToken, MadeOffer, MatchList, MatchView, MyAccount, OwnAccount,
    OwnOffer, Profile, PublicMatches, SeenEvent, SharedDeals,
};
use overmate_server::{Admin, Measure, Settings};
use serde_json::{Value, json};
use sqlx::Connection as _;
use tokio::time::timeout;

use crate::ratings::{PASSWORD, begin, make_account, resigned};
use crate::support::{Answer, Browser, SOON, Table, client_id, run, turn, two};

/// Simulated program that plays for a bot account, and authenticates its requests with the bot's access token.
pub(crate) struct Program {
    pub(crate) browser: Browser,
    pub(crate) token: String,
}

impl Program {
    pub(crate) async fn send(&mut self, method: Method, path: &str, body: Value) -> Answer {
        let request = Request::builder()
            .method(method)
            .uri(format!("/api/v1{path}"))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .body(if body.is_null() { Body::empty() } else { Body::from(body.to_string()) });
        let answer = self.browser.send(request.expect("a request")).await;
        assert!(!answer.headers.contains_key(header::SET_COOKIE), "{path}");
        answer
    }

    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        self.send(Method::GET, path, Value::Null).await
    }

    pub(crate) async fn post(&mut self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, body).await
    }

    pub(crate) async fn accept(&mut self, offer: &str) -> Answer {
        let body = json!({"name": "A person", "client_id": client_id()});
        self.post(&format!("/offers/{offer}/accept"), body).await
    }
}

pub(crate) async fn make_token(browser: &mut Browser, name: &str) -> MadeBotToken {
    browser.post("/api/v1/me/account/tokens", json!({"name": name})).await.ok()
}

/// Creates a bot account, and returns the browser of the account's owner and a program with a token of the bot.
pub(crate) async fn bot(table: &Table, handle: &str) -> (Browser, Program) {
    let mut owner = table.browser();
    let token = become_bot(&mut owner, handle).await;
    (owner, Program { browser: table.browser(), token })
}

/// Creates an account for a test client, converts the account to a bot account, and returns a token of the bot.
pub(crate) async fn become_bot(owner: &mut Browser, handle: &str) -> String {
    make_account(owner, handle).await;
    let marked: MyAccount = owner.put("/api/v1/me/account/bot", json!({})).await.ok();
    assert!(marked.bot);
    make_token(owner, "laptop").await.token
}

/// Creates a bot account with a token, so that the database has rows about bots and bot tokens.
pub(crate) async fn use_bot(table: &Table) {
    bot(table, "Robot").await;
}

pub(crate) async fn offered(browser: &mut Browser, more: Value) -> OwnOffer {
    let mut body = json!({
        "rules": "bga", "client_id": client_id(), "name": "Anna",
        "clock": {"kind": "live", "base": 300, "increment": 5},
    });
    body.as_object_mut().unwrap().append(&mut more.as_object().unwrap().clone());
    browser.post("/api/v1/offers", body).await.ok::<MadeOffer>().own.expect("an offer")
}

#[test]
fn a_program_accepts_an_offer_that_allows_bots_and_plays_it() {
    run(async {
        let table = Table::new().await;
        let (mut owner, mut program) = bot(&table, "Robot").await;
        let mut anna = table.browser();
        make_account(&mut anna, "Anna").await;
        let own: OwnAccount = program.get("/me/account").await.ok();
        assert!(own.account.is_some_and(|account| account.bot && account.handle == "Robot"));
        // By default, bots may not accept an offer.
        let closed = offered(&mut anna, json!({})).await.offer;
        let open = offered(&mut anna, json!({"bots": true})).await.offer;
        let lobby: Lobby = program.get("/lobby").await.ok();
        let shown: Vec<(&str, bool)> =
            lobby.offers.iter().map(|offer| (&*offer.id, offer.bots)).collect();
        assert!(shown.contains(&(&closed.id, false)) && shown.contains(&(&open.id, true)));
        assert_eq!(program.accept(&closed.id).await.code(), Code::BotRefused);
        let state: MatchView = program.accept(&open.id).await.ok();
        // Everybody sees the bot's handle, and that the player is a bot.
        let seen = anna.look(&state.id).await;
        let players = [&seen.players.a, &seen.players.b];
        let shown = players.map(|player| (player.name.as_deref().unwrap_or_default(), player.bot));
        assert!(shown.contains(&("Robot", true)) && shown.contains(&("Anna", false)), "{shown:?}");
        assert!(!seen.rated && !seen.hint && !seen.undo);
        let public: PublicMatches = table.browser().get("/api/v1/public/matches").await.ok();
        let names = &public.matches[0].players;
        let names = [names.a.as_deref(), names.b.as_deref()];
        assert!(names.contains(&Some("BOT Robot")) && names.contains(&Some("Anna")), "{names:?}");
        // The bot's program and its human opponent, Anna, take some actions in their match.
        for _ in 0..4 {
            let seen = anna.look(&state.id).await;
            let path = format!("/matches/{}", state.id);
            let state: MatchView = program.get(&path).await.ok();
            assert_eq!(state.sequence, seen.sequence);
            if seen.current.legal.is_empty() {
                let action = &state.current.legal[0].action;
                let act =
                    json!({"sequence": state.sequence, "action": action, "client_id": client_id()});
                let acted = program.post(&format!("{path}/actions"), act).await;
                assert_eq!(acted.status, StatusCode::OK, "{}", acted.text());
            } else {
                anna.act(&seen, &seen.current.legal[0].action).await.ok::<MatchView>();
            }
        }
        let list: MatchList = program.get("/matches").await.ok();
        assert_eq!((list.matches.len(), turn(&anna.look(&state.id).await).is_some()), (1, true));
        let record = program.get(&format!("/matches/{}/record", state.id)).await.text();
        assert!(record.contains("BOT Robot"), "{record}");
        let path = format!("/matches/{}/resign", state.id);
        let resigned = program.post(&path, json!({"client_id": client_id()})).await;
        assert!(resigned.ok::<MatchView>().result.is_some());
        // The operators' figures on the play against people leave out the match against the bot.
        let mut admin =
            Admin::open(&table.folder.path().to_owned().into()).await.expect("an admin");
        for target in ["@Anna", "@Robot"] {
            assert_eq!(admin.fair_play(target, 9).await.expect("figures").matches, 0, "{target}");
        }
        admin.close().await.expect("a database");
        // A person may see the bot, add it to their favourites, and challenge it.
        assert!(anna.get("/api/v1/players/Robot").await.ok::<Profile>().bot);
        let added = anna.put("/api/v1/me/favourites/Robot", json!({})).await;
        assert_eq!(added.status, StatusCode::NO_CONTENT);
        let favourites: Favourites = anna.get("/api/v1/me/favourites").await.ok();
        assert!(favourites.favourites[0].bot && favourites.favourites[0].profile);
        let challenge = offered(&mut anna, json!({"to": "robot"})).await.offer;
        let lobby: Lobby = program.get("/lobby").await.ok();
        assert_eq!(lobby.challenges[0].id, challenge.id);
        let state: MatchView = program.accept(&challenge.id).await.ok();
        assert_ne!(owner.look(&state.id).await.you, None, "the owner sees the match in a browser");
        // A rematch with the bot is again a match with a bot. The program accepts it.
        anna.ask(&state.id, "resign").await.ok::<MatchView>();
        anna.ask(&state.id, "rematch").await.ok::<MatchView>();
        let path = format!("/matches/{}", state.id);
        let rematch = program.get(&path).await.ok::<MatchView>().rematch.expect("an offer");
        assert_eq!(rematch.match_id, None);
        let accept = json!({"client_id": client_id()});
        let state: MatchView = program.post(&format!("{path}/rematch"), accept).await.ok();
        let next = state.rematch.and_then(|rematch| rematch.match_id).expect("a rematch");
        let next = anna.look(&next).await;
        assert!(next.players.a.bot != next.players.b.bot);
    });
}

#[test]
fn a_program_makes_an_offer_that_only_those_who_choose_it_accept() {
    run(async {
        let table = Table::new().await;
        let (_, mut program) = bot(&table, "Robot").await;
        let mut anna = table.browser();
        make_account(&mut anna, "Anna").await;
        let clock = json!({"kind": "live", "base": 300, "increment": 5});
        let terms = json!({"rules": "bga", "clock": clock});
        let with = |more: Value| {
            let mut body = terms.clone();
            body["client_id"] = json!(client_id());
            body.as_object_mut().unwrap().append(&mut more.as_object().unwrap().clone());
            body
        };
        let mut refused = 0;
        for more in [json!({"rated": true}), json!({"to": "Anna"}), json!({"join": true})] {
            let answer = program.post("/offers", with(more.clone())).await;
            assert_eq!(answer.code(), Code::BotRefused, "{more}");
            refused += 1;
        }
        assert_eq!(refused, 3);
        let wanted = with(json!({"name": "A person"}));
        let made: MadeOffer = program.post("/offers", wanted.clone()).await.ok();
        let own = made.own.expect("an offer");
        // A bot repeats its request to make a match offer, and the server makes no second offer.
        let again: MadeOffer = program.post("/offers", wanted).await.ok();
        assert_eq!(again.own.expect("an offer").offer.id, own.offer.id);
        let lobby: Lobby = program.get("/lobby").await.ok();
        assert_eq!((lobby.own.len(), lobby.own[0].offer.bot), (1, true));
        let lobby: Lobby = anna.get("/api/v1/lobby").await.ok();
        let shown: Vec<_> =
            lobby.offers.iter().map(|offer| (offer.from.as_deref(), offer.bot)).collect();
        assert_eq!(shown, [(Some("Robot"), true)]);
        // A person's request to join any offer with given terms (such as the rule set and the clock) does not accept a bot's offer.
        let asked: MadeOffer = anna.post("/api/v1/offers", with(json!({"join": true}))).await.ok();
        let (asked, begun) = (asked.own.expect("an offer").offer, asked.match_id);
        assert_eq!((begun, asked.bot), (None, false));
        let accept = format!("/api/v1/offers/{}/accept", own.offer.id);
        let body = json!({"client_id": client_id(), "name": "Anna"});
        let state: MatchView = anna.post(&accept, body).await.ok();
        let players = [&state.players.a, &state.players.b];
        let mut shown = players.map(|own| (own.name.as_deref().unwrap_or_default(), own.bot));
        shown.sort_unstable();
        assert_eq!(shown, [("Anna", false), ("Robot", true)]);
        assert!(!state.rated);
        // The program plays in the match that began with its offer. The offer is no longer in the lobby.
        let path = format!("/matches/{}", state.id);
        let seen: MatchView = program.get(&path).await.ok();
        let (mut acted, mut sequence) = (0, seen.sequence);
        for _ in 0..4 {
            let seen = anna.look(&state.id).await;
            if let Some(legal) = seen.current.legal.first() {
                sequence = anna.act(&seen, &legal.action).await.ok::<MatchView>().sequence;
            } else {
                let seen: MatchView = program.get(&path).await.ok();
                let action = &seen.current.legal[0].action;
                let act =
                    json!({"sequence": seen.sequence, "action": action, "client_id": client_id()});
                let seen: MatchView = program.post(&format!("{path}/actions"), act).await.ok();
                (acted, sequence) = (acted + 1, seen.sequence);
            }
        }
        assert!(acted > 0 && sequence == seen.sequence + 4, "{acted} of {sequence}");
        let lobby: Lobby = anna.get("/api/v1/lobby").await.ok();
        assert!(lobby.offers.iter().all(|offer| offer.id != own.offer.id));
        // A program withdraws its own offers, and no others.
        let days = json!({"clock": {"kind": "days", "days": 3}});
        let made: MadeOffer = program.post("/offers", with(days)).await.ok();
        let lasting = made.own.expect("an offer");
        let path = format!("/offers/{}", lasting.offer.id);
        assert!(lasting.lasting);
        let (mut other_owner, mut other) = bot(&table, "Automat").await;
        let foreign = other.send(Method::DELETE, &path, Value::Null).await;
        assert_eq!(foreign.code(), Code::NotFound);
        let refused = other.accept(&lasting.offer.id).await;
        assert_eq!(refused.code(), Code::BotRefused, "the offer is for people");
        let withdrawn = program.send(Method::DELETE, &path, Value::Null).await;
        assert_eq!(withdrawn.status, StatusCode::OK);
        assert_eq!(other_owner.get("/api/v1/lobby").await.ok::<Lobby>().total, 0);
    });
}

#[test]
fn an_offer_of_a_bot_shows_its_present_handle() {
    run(async {
        let table = Table::new().await;
        let (mut owner, mut program) = bot(&table, "Robot").await;
        let days = json!({
            "rules": "bga", "clock": {"kind": "days", "days": 3}, "client_id": client_id(),
        });
        let made: MadeOffer = program.post("/offers", days).await.ok();
        let offer = made.own.expect("an offer").offer;
        assert_eq!(offer.from.as_deref(), Some("Robot"));
        let mut anna = table.browser();
        assert_eq!(anna.get("/api/v1/lobby").await.ok::<Lobby>().offers.len(), 1);
        let renamed = owner.put("/api/v1/me/account/handle", json!({"handle": "Automat"})).await;
        assert_eq!(renamed.status, StatusCode::OK);
        let shown = async {
            loop {
                let lobby: Lobby = anna.get("/api/v1/lobby").await.ok();
                if lobby.offers[0].from.as_deref() == Some("Automat") {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        timeout(SOON, shown).await.expect("the new handle");
        let accept = json!({"client_id": client_id()});
        let accepted = anna.post(&format!("/api/v1/offers/{}/accept", offer.id), accept).await;
        let state: MatchView = accepted.ok();
        let players = [&state.players.a, &state.players.b];
        let named = players.map(|player| player.bot && player.name.as_deref() == Some("Automat"));
        assert!(named.contains(&true), "{:?}", state.players);
    });
}

#[test]
fn operators_find_an_offer_of_a_bot_by_its_present_handle_and_do_not_rename_it() {
    run(async {
        let table = Table::new().await;
        let (mut owner, mut program) = bot(&table, "Robot").await;
        let new = json!({
            "rules": "bga", "clock": {"kind": "days", "days": 3}, "client_id": client_id(),
        });
        let made: MadeOffer = program.post("/offers", new).await.ok();
        let id = made.own.expect("an offer").offer.id;
        let renamed = owner.put("/api/v1/me/account/handle", json!({"handle": "Automat"})).await;
        assert_eq!(renamed.status, StatusCode::OK);
        let mut admin =
            Admin::open(&table.folder.path().to_owned().into()).await.expect("a database");
        for (text, expected) in [("automat", Some("Automat")), ("robot", None)] {
            let offers = admin.find(text, 10).await.expect("a read").offers;
            let names: Vec<Option<&str>> =
                offers.iter().map(|found| found.name.as_deref()).collect();
            assert_eq!(names, Vec::from_iter(expected.map(Some)), "{text}");
        }
        for target in [&*id, "@Automat"] {
            let refused = admin.rename(target, None, Some("Anna"), "a test").await;
            let refused = refused.expect_err("an offer of a bot").to_string();
            assert!(refused.contains("overmate admin revoke"), "{target}: {refused}");
        }
        assert_eq!(admin.acts().await.expect("a read"), [], "nothing is stored");
        // The bot's name in a match is changed, and its offer keeps the handle.
        let mut anna = table.browser();
        let open = offered(&mut anna, json!({"bots": true})).await.offer;
        let _: MatchView = program.accept(&open.id).await.ok();
        admin.rename("@Automat", None, Some("Bert"), "a test").await.expect("a match");
        let found = admin.find("@Automat", 10).await.expect("a read");
        assert!(found.matches[0].seats.iter().any(|seat| seat.name.as_deref() == Some("Bert")));
        assert_eq!(found.offers[0].name.as_deref(), Some("Automat"));
        // The refusal for a bot without a match and an open offer does not speak of open offers of the bot.
        bot(&table, "Idle").await;
        let refused = admin.rename("@Idle", None, Some("Anna"), "a test").await;
        let refused = refused.expect_err("nothing to change").to_string();
        assert!(refused.contains("no match and no open offer"), "{refused}");
        admin.close().await.expect("a database");
    });
}

#[test]
fn a_join_of_an_event_is_refused_by_the_account_before_the_write() {
    run(async {
        let patience = Duration::from_millis(100);
        let table = Table::with(|settings| Settings { patience, ..settings }).await;
        let mut host = table.browser();
        make_account(&mut host, "Anna").await;
        let event = json!({
            "kind": {"kind": "swiss", "rounds": 3}, "rules": "bga", "base": 300, "increment": 5,
            "starts_in": 60, "client_id": client_id(),
        });
        let made: SeenEvent = host.post("/api/v1/events", event).await.ok();
        let join = format!("/api/v1/events/{}/join", made.shown.event.id);
        let (robot, _) = bot(&table, "Robot").await;
        let mut closed = table.browser();
        make_account(&mut closed, "Bert").await;
        let mut admin =
            Admin::open(&table.folder.path().to_owned().into()).await.expect("a database");
        admin.take_measure("@Bert", &Measure::Close, "a test", None).await.expect("an account");
        admin.close().await.expect("a database");
        let mut nobody = table.browser();
        nobody.begin("bga", json!({"kind": "both"})).await;
        let refusals = [
            (nobody, Code::AccountNeeded),
            (closed, Code::AccountClosed),
            (robot, Code::BotRefused),
        ];
        let mut database = table.connect().await;
        sqlx::query("BEGIN IMMEDIATE").execute(&mut database).await.expect("the write lock");
        for (mut person, code) in refusals {
            assert_eq!(person.post(&join, json!({})).await.code(), code);
        }
        assert_eq!(host.post(&join, json!({})).await.code(), Code::Busy);
        sqlx::query("ROLLBACK").execute(&mut database).await.expect("no write lock");
        let joined: SeenEvent = host.post(&join, json!({})).await.ok();
        assert!(joined.you.present);
        database.close().await.expect("a connection");
    });
}

#[test]
fn a_bot_plays_neither_rated_nor_with_invitations_or_in_events() {
    run(async {
        let table = Table::new().await;
        let (mut owner, mut program) = bot(&table, "Robot").await;
        let mut anna = table.browser();
        make_account(&mut anna, "Anna").await;
        let clock = json!({"kind": "live", "base": 300, "increment": 5});
        let invite = json!({"rules": "bga", "opponent": {"kind": "friend"}});
        assert_eq!(owner.post("/api/v1/matches", invite.clone()).await.code(), Code::BotRefused);
        let state: MatchView = anna.post("/api/v1/matches", invite).await.ok();
        let token = state.invitation.as_deref().unwrap().trim_start_matches("/join/");
        let join = format!("/api/v1/invitations/{token}");
        assert_eq!(owner.post(&join, json!({})).await.code(), Code::BotRefused);
        let event = json!({
            "kind": {"kind": "swiss", "rounds": 3}, "title": "Friday", "rules": "bga", "base": 300,
            "increment": 5, "starts_in": 60, "client_id": "event-of-anna",
        });
        assert_eq!(owner.post("/api/v1/events", event.clone()).await.code(), Code::BotRefused);
        let made: SeenEvent = anna.post("/api/v1/events", event).await.ok();
        let join = format!("/api/v1/events/{}/join", made.shown.event.id);
        assert_eq!(owner.post(&join, json!({})).await.code(), Code::BotRefused);
        let deals: SharedDeals = anna.get("/api/v1/shared-deals").await.ok();
        let deal = &deals.today[0];
        let path = format!("/api/v1/shared-deals/{}/{}", deal.name, deal.rules);
        assert_eq!(owner.post(&path, json!({})).await.code(), Code::BotRefused);
        // A rated offer allows no bots, and a challenge to a bot is not rated.
        let mut rated =
            json!({"rules": "bga", "client_id": client_id(), "clock": clock, "rated": true});
        rated["bots"] = json!(true);
        assert_eq!(anna.post("/api/v1/offers", rated.clone()).await.code(), Code::BadRequest);
        rated["bots"] = json!(false);
        rated["to"] = json!("Robot");
        assert_eq!(anna.post("/api/v1/offers", rated.clone()).await.code(), Code::BotRefused);
        // For a challenge to a private bot, the response is the same as for an unknown handle: the server makes a challenge that
        // nobody accepts.
        let hidden = owner.put("/api/v1/me/account/profile", json!({"private": true})).await;
        assert_eq!(hidden.status, StatusCode::OK);
        for handle in ["Robot", "Nobody"] {
            rated["to"] = json!(handle);
            rated["client_id"] = json!(client_id());
            let made = anna.post("/api/v1/offers", rated.clone()).await;
            assert_eq!(made.status, StatusCode::CREATED, "{handle}");
        }
        // A program with a bot token has no access to a match that the owner of the bot account has begun in a browser.
        let own: MatchView = owner
            .post("/api/v1/matches", json!({"rules": "bga", "opponent": {"kind": "both"}}))
            .await
            .ok();
        let path = format!("/matches/{}", own.id);
        assert_eq!(program.get(&path).await.code(), Code::BotRefused);
        let permitted = "a token allows only to read the rules, the bot's account, the lobby and the bot's matches, to make, withdraw and accept offers, to accept and decline challenges, and to play matches and rematches: send other requests from a browser";
        for (method, path) in [
            (Method::POST, "/matches"),
            (Method::GET, "/me/export"),
            (Method::DELETE, "/me"),
            (Method::POST, "/me/codes"),
            (Method::POST, "/me/account/tokens"),
            (Method::GET, "/me/account/tokens"),
            (Method::PUT, "/me/account/password"),
            (Method::POST, "/analysis"),
            (Method::GET, "/puzzles/next"),
        ] {
            let refused = program.send(method.clone(), path, json!({})).await;
            assert!(refused.text().contains(permitted), "{path}");
            assert_eq!(refused.code(), Code::BotRefused, "{method} {path}");
        }
    });
}

#[test]
fn an_account_that_has_begun_a_rated_match_or_an_event_does_not_become_a_bot() {
    run(async {
        let table = Table::new().await;
        let mut nobody = table.browser();
        assert_eq!(
            nobody.put("/api/v1/me/account/bot", json!({})).await.code(),
            Code::AccountNeeded
        );
        let (mut anna, mut bert, _) = resigned(&table, ["Anna", "Bert"]).await;
        assert_eq!(anna.put("/api/v1/me/account/bot", json!({})).await.code(), Code::BotRefused);
        let tokens = anna.post("/api/v1/me/account/tokens", json!({})).await;
        assert_eq!(tokens.code(), Code::BotRefused, "only a bot has tokens");
        let mut carl = table.browser();
        make_account(&mut carl, "Carl").await;
        begin(&mut carl, &mut bert, json!({})).await;
        assert_eq!(carl.put("/api/v1/me/account/bot", json!({})).await.code(), Code::BotRefused);
        let mut dora = table.browser();
        make_account(&mut dora, "Dora").await;
        let event = json!({
            "kind": {"kind": "swiss", "rounds": 3}, "title": null, "rules": "bga", "base": 300,
            "increment": 5, "starts_in": 60, "client_id": "event-of-dora",
        });
        let made: SeenEvent = dora.post("/api/v1/events", event).await.ok();
        // The host of an event that is not over does not become a bot, and neither does a player.
        assert_eq!(dora.put("/api/v1/me/account/bot", json!({})).await.code(), Code::BotRefused);
        let join = format!("/api/v1/events/{}/join", made.shown.event.id);
        dora.post(&join, json!({})).await.ok::<SeenEvent>();
        assert_eq!(dora.put("/api/v1/me/account/bot", json!({})).await.code(), Code::BotRefused);
        // Anna's account has not become a bot account.
        assert!(!anna.get("/api/v1/players/Anna").await.ok::<Profile>().bot);
    });
}

#[test]
fn the_matches_of_a_browser_that_signs_in_to_a_bot_become_matches_of_the_bot() {
    run(async {
        let table = Table::new().await;
        let (_, mut program) = bot(&table, "Robot").await;
        let (mut anna, mut browser, state) = two(&table, "bga").await;
        let days = json!({"clock": {"kind": "days", "days": 3}});
        let offer = offered(&mut browser, days).await.offer;
        let signed_in = json!({"handle": "Robot", "password": PASSWORD});
        let signed_in = browser.post("/api/v1/me/sign-in", signed_in).await;
        assert!(signed_in.status.is_success(), "{}", signed_in.text());
        let seen = anna.look(&state.id).await;
        let players = [&seen.players.a, &seen.players.b];
        let shown = players.map(|player| (player.name.as_deref() == Some("Robot"), player.bot));
        assert_eq!(shown, [(false, false), (true, true)]);
        let path = format!("/matches/{}", state.id);
        assert_eq!(program.get(&path).await.status, StatusCode::OK);
        let lobby: Lobby = anna.get("/api/v1/lobby").await.ok();
        assert!(lobby.offers.iter().all(|open| open.id != offer.id));
        let accept = json!({"client_id": client_id()});
        let accepted = anna.post(&format!("/api/v1/offers/{}/accept", offer.id), accept).await;
        assert_eq!(accepted.code(), Code::OfferGone);
    });
}
