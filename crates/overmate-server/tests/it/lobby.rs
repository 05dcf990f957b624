//! Tests open match offers: their visibility, acceptance and expiry.

use axum::http::StatusCode;
use futures_util::{SinkExt as _, StreamExt as _};
use overmate_server::wire::{
    ClockWire, Code, Export, Lobby, LobbyMessage, MadeOffer, MatchList, MatchView, OwnOffer,
    PlayerKind, Profile, SeatWire, WithdrawnOffer, You,
};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::ratings::{make_account, resign, resigned};
use crate::sockets::{Socket, served};
use crate::support::{Answer, Browser, DAY, Table, client_id, now, run};

const OFFERS: &str = "/api/v1/offers";

async fn offer(browser: &mut Browser, rules: &str, more: Value) -> Answer {
    let mut body = json!({"rules": rules, "client_id": client_id()});
    body.as_object_mut().unwrap().append(&mut more.as_object().unwrap().clone());
    browser.post(OFFERS, body).await
}

async fn offered(browser: &mut Browser, rules: &str, more: Value) -> OwnOffer {
    offer(browser, rules, more).await.ok::<MadeOffer>().own.expect("an offer")
}

async fn accept(browser: &mut Browser, id: &str) -> Answer {
    let body = json!({"name": "Guest", "client_id": client_id()});
    browser.post(&format!("{OFFERS}/{id}/accept"), body).await
}

async fn lobby(browser: &mut Browser) -> Lobby {
    browser.get("/api/v1/lobby").await.ok()
}

#[test]
fn an_accepted_offer_becomes_a_match_of_both() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest) = (table.browser(), table.browser());
        let more = json!({"name": "Anna", "lead": "me", "clock": {"kind": "live", "base": 180, "increment": 2}});
        let own = offered(&mut host, "bga", more).await;
        assert_eq!((own.lasting, own.match_id.clone()), (false, None));
        let seen = lobby(&mut guest).await;
        assert_eq!(
            (seen.offers.as_slice(), seen.total, seen.own.len()),
            (&[own.offer.clone()][..], 1, 0)
        );
        assert_eq!(lobby(&mut host).await.own, std::slice::from_ref(&own));
        let shown = &own.offer;
        assert_eq!((&*shown.rules, shown.games, shown.seat), ("bga", 4, SeatWire::Second));
        assert_eq!(
            (shown.from.as_deref(), shown.clock),
            (Some("Anna"), Some(ClockWire::Live { base: 180, increment: 2 }))
        );
        let state: MatchView = accept(&mut guest, &shown.id).await.ok();
        assert_eq!((state.you, state.players.a.name.as_deref()), (Some(You::B), Some("Anna")));
        assert_eq!(state.clocks.map(|clocks| clocks.setting), shown.clock);
        assert_eq!(state.players.b.kind, PlayerKind::You);
        assert!(!state.deal_chosen && !state.hint && state.invitation.is_none());
        // A player who accepts an offer again gets the match that began with the offer, even with another client id. Nobody else gets the
        // match.
        let again: MatchView = accept(&mut guest, &shown.id).await.ok();
        assert_eq!(again.id, state.id);
        assert_eq!(accept(&mut table.browser(), &shown.id).await.code(), Code::OfferGone);
        // The server finds no offer if the id in the request is too long.
        assert_eq!(accept(&mut guest, &"0".repeat(65)).await.code(), Code::NotFound);
        // The player who made an accepted offer finds the match in their list of own offers. The list of another browser is empty.
        assert_eq!(lobby(&mut table.browser()).await.own, []);
        let seen = lobby(&mut host).await;
        assert_eq!((seen.total, seen.own[0].match_id.as_ref()), (0, Some(&state.id)));
        assert_eq!(host.look(&state.id).await.you, Some(You::A));
        let withdrawn: WithdrawnOffer = host.delete(&format!("{OFFERS}/{}", shown.id)).await.ok();
        assert_eq!(withdrawn.match_id.as_ref(), Some(&state.id));
        let acted: MatchView = host.look(&state.id).await;
        let acted: MatchView = host.act(&acted, &acted.current.legal[0].action).await.ok();
        assert_eq!(guest.look(&state.id).await.sequence, acted.sequence);
        // A rematch has the time control of the earlier match.
        host.ask(&state.id, "resign").await.ok::<MatchView>();
        guest.ask(&state.id, "rematch").await.ok::<MatchView>();
        let over: MatchView = host.ask(&state.id, "rematch").await.ok();
        let rematch = over.rematch.and_then(|rematch| rematch.match_id).expect("a rematch");
        let rematch = guest.look(&rematch).await;
        assert_eq!(rematch.clocks.map(|clocks| clocks.setting), shown.clock);
        let export: Export = host.get("/api/v1/me/export").await.ok();
        assert_eq!(export.offers.len(), 1);
    });
}

#[test]
fn nobody_accepts_an_own_offer_and_only_the_maker_withdraws_an_offer() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest) = (table.browser(), table.browser());
        let body = json!({"rules": "bga", "client_id": "the-same-request"});
        let made: MadeOffer = host.post(OFFERS, body.clone()).await.ok();
        let again: MadeOffer = host.post(OFFERS, body).await.ok();
        assert_eq!(made, again);
        let id = made.own.expect("an offer").offer.id;
        assert_eq!(accept(&mut host, &id).await.code(), Code::OwnOffer);
        // A person cannot accept their own offer, even with another browser.
        let code: Value = host.post("/api/v1/me/codes", json!({"kind": "link"})).await.ok();
        let mut phone = table.browser();
        let added = phone.post("/api/v1/me/browsers", json!({"code": code["codes"][0]})).await;
        assert_eq!(added.status, StatusCode::OK);
        assert_eq!(accept(&mut phone, &id).await.code(), Code::OwnOffer);
        assert_eq!(lobby(&mut phone).await.own.len(), 1);
        let path = format!("{OFFERS}/{id}");
        assert_eq!(guest.delete(&path).await.code(), Code::NotFound);
        guest.get("/api/v1/matches").await.ok::<MatchList>();
        offered(&mut guest, "bga", json!({})).await;
        assert_eq!(guest.delete(&path).await.code(), Code::NotFound);
        for _ in 0..2 {
            assert_eq!(phone.delete(&path).await.ok::<WithdrawnOffer>().match_id, None);
        }
        assert_eq!(accept(&mut guest, &id).await.code(), Code::OfferGone);
        assert_eq!(lobby(&mut host).await.total, 1);
        for (body, code) in [
            (json!({"rules": "whist", "client_id": client_id()}), Code::BadRequest),
            (json!({"rules": "bga", "client_id": "short"}), Code::BadRequest),
            (
                json!({"rules": "bga", "client_id": client_id(), "clock": {"kind": "days", "days": 5}}),
                Code::BadRequest,
            ),
            (
                json!({"rules": "bga", "client_id": client_id(), "name": "x".repeat(41)}),
                Code::NameTooLong,
            ),
        ] {
            assert_eq!(host.post(OFFERS, body.clone()).await.code(), code, "{body}");
        }
    });
}

#[test]
fn an_equal_offer_is_accepted_and_of_many_acceptors_one_gets_the_match() {
    run(async {
        let table = Table::new().await;
        let mut host = table.browser();
        offered(&mut host, "bga", json!({})).await;
        offered(&mut host, "pagat", json!({"join": true})).await;
        let mut guest = table.browser();
        let join = json!({"join": true});
        // Offers with different rule sets or different clocks are not equal.
        let other = offered(&mut guest, "sackson", join.clone()).await;
        let lasting = json!({"join": true, "clock": {"kind": "days", "days": 3}});
        assert!(offered(&mut guest, "bga", lasting).await.lasting);
        let body = json!({"rules": "bga", "join": true, "client_id": "a-lost-answer"});
        let made: MadeOffer = guest.post(OFFERS, body.clone()).await.ok();
        assert_eq!(made, guest.post(OFFERS, body).await.ok());
        let id = made.match_id.expect("a match");
        assert_eq!(host.look(&id).await.rules, "bga");
        // When two players begin a match by an offer, their other offers end, except offers that stay open for days.
        let seen = lobby(&mut table.browser()).await;
        assert_eq!((seen.total, seen.offers[0].clock), (1, Some(ClockWire::Days { days: 3 })));
        assert_eq!(accept(&mut host, &other.offer.id).await.code(), Code::OfferGone);
        let wanted = seen.offers[0].id.clone();
        let acceptances = (0..10).map(|_| {
            let (mut browser, wanted) = (table.browser(), wanted.clone());
            async move { accept(&mut browser, &wanted).await.status }
        });
        let accepted = futures_util::future::join_all(acceptances).await;
        let won = accepted.iter().filter(|status| **status == StatusCode::OK).count();
        assert_eq!(won, 1, "{accepted:?}");
        assert!(accepted.iter().all(|status| matches!(status.as_u16(), 200 | 410)), "{accepted:?}");
    });
}

#[test]
fn a_rated_offer_is_for_accounts_and_shows_the_rating_of_its_maker() {
    run(async {
        let table = Table::new().await;
        let mut stranger = table.browser();
        let live = json!({"kind": "live", "base": 180, "increment": 2});
        let rated = json!({"rated": true, "clock": live, "lead": "me"});
        assert_eq!(offer(&mut stranger, "bga", rated.clone()).await.code(), Code::AccountNeeded);
        // The host wins a rated match, and has a rating from then on.
        let (mut host, mut guest, _) = resigned(&table, ["Anna", "Bert"]).await;
        let refused = offer(&mut host, "bga", json!({"rated": true})).await;
        assert_eq!(refused.code(), Code::BadRequest);
        assert!(refused.text().contains("rated: a rated match needs clocks"), "{}", refused.text());
        let profile: Profile = host.get("/api/v1/players/Anna").await.ok();
        let own = offered(&mut host, "bga", rated.clone()).await;
        assert!(own.offer.rated);
        assert_eq!(own.offer.rating, Some(profile.ratings[0].rating));
        let other = offered(&mut host, "pagat", rated.clone()).await;
        assert_eq!(other.offer.rating.map(|rating| rating.rating), Some(1500));
        let unrated = json!({"clock": live});
        let plain = offered(&mut host, "bga", unrated).await;
        assert_eq!((plain.offer.rated, plain.offer.rating), (false, None));
        // The test sorts the offers by id, because offers of the same second are listed in no particular order.
        let mut shown = lobby(&mut stranger).await.offers;
        let mut made = [plain.offer, other.offer, own.offer.clone()];
        shown.sort_by(|a, b| a.id.cmp(&b.id));
        made.sort_by(|a, b| a.id.cmp(&b.id));
        assert_eq!(shown, made);
        assert_eq!(accept(&mut stranger, &own.offer.id).await.code(), Code::AccountNeeded);
        // The rating of a private account is not shown.
        let hidden = host.put("/api/v1/me/account/profile", json!({"private": true})).await;
        assert_eq!(hidden.status, StatusCode::OK);
        let shown = loop {
            let shown = lobby(&mut stranger).await.offers;
            if shown.iter().all(|offer| offer.rating.is_none()) {
                break shown;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        };
        assert_eq!(shown.iter().filter(|offer| offer.rated).count(), 2);
        // A request to join any offer with given terms accepts a rated offer only if the request asks for a rated match. The match is
        // then rated, as a match by invitation is.
        let mut join = rated.clone();
        join["join"] = json!(true);
        join["rated"] = json!(false);
        let made: MadeOffer = offer(&mut guest, "sackson", join.clone()).await.ok();
        assert!(made.own.is_some());
        join["rated"] = json!(true);
        let made: MadeOffer = offer(&mut guest, "bga", join).await.ok();
        let id = made.match_id.expect("a match");
        let state = host.look(&id).await;
        assert!(state.rated && !state.hint && !state.deal_chosen);
        resign(&mut host, &mut guest, &id).await;
        let profile: Profile = host.get("/api/v1/players/Anna").await.ok();
        assert_eq!(profile.ratings[0].results.wins, 2);
    });
}

#[test]
fn only_the_challenged_player_sees_a_challenge() {
    run(async {
        let table = Table::new().await;
        let served = served(&table).await;
        let (mut host, mut guest, mut stranger) =
            (table.browser(), table.browser(), table.browser());
        let refused = offer(&mut stranger, "bga", json!({"to": "Bert"})).await;
        assert_eq!(refused.code(), Code::AccountNeeded);
        make_account(&mut host, "Anna").await;
        make_account(&mut guest, "Bert").await;
        let hidden = guest.put("/api/v1/me/account/profile", json!({"private": true})).await;
        assert_eq!(hidden.status, StatusCode::OK);
        let both = json!({"to": "Bert", "join": true});
        assert_eq!(offer(&mut host, "bga", both).await.code(), Code::BadRequest);
        let wrong = offer(&mut host, "bga", json!({"to": "no handle"})).await;
        assert_eq!(wrong.code(), Code::HandleNotValid);
        assert_eq!(offer(&mut host, "bga", json!({"to": "anna"})).await.code(), Code::BadRequest);
        // The server responds in the same way to a match offer for a private account and to a match offer for an unknown handle. Only the
        // handle, the id and the time in the response differ.
        let mut answers = Vec::new();
        for handle in ["bert", "zora"] {
            let more = json!({"to": handle, "clock": {"kind": "days", "days": 3}, "lead": "me"});
            let made = offer(&mut host, "bga", more.clone()).await;
            assert_eq!(made.status, StatusCode::CREATED);
            let mut own = made.ok::<MadeOffer>().own.expect("a challenge");
            assert_eq!((own.to.as_deref(), own.declined), (Some(handle), false));
            assert_eq!(own.offer.handle.as_deref(), Some("Anna"));
            let again = offer(&mut host, "bga", more).await;
            assert_eq!(again.code(), Code::ChallengesFull);
            answers.push(own.clone());
            (own.to, own.offer.id, own.offer.made_at) = (None, String::new(), String::new());
            answers.push(own);
        }
        assert_eq!(answers[1], answers[3]);
        let sent = &answers[0].offer;
        for browser in [&mut stranger, &mut host] {
            let seen = lobby(browser).await;
            assert_eq!((seen.offers.len(), seen.total, seen.challenges.len()), (0, 0, 0));
        }
        assert_eq!(lobby(&mut guest).await.challenges, std::slice::from_ref(sent));
        let mut watcher = Socket::of_lobby(&served, &guest).await;
        loop {
            if let LobbyMessage::Challenges { challenges } = told(&mut watcher).await {
                assert_eq!(challenges, std::slice::from_ref(sent));
                break;
            }
        }
        // Only the challenged player can accept or decline the challenge, and no third person learns of it.
        let decline = async |browser: &mut Browser, id: &str| {
            browser.post(&format!("{OFFERS}/{id}/decline"), json!({})).await
        };
        assert_eq!(accept(&mut stranger, &sent.id).await.code(), Code::OfferGone);
        assert_eq!(decline(&mut stranger, &sent.id).await.code(), Code::NotFound);
        assert_eq!(decline(&mut host, &sent.id).await.code(), Code::NotFound);
        assert_eq!(decline(&mut guest, &"0".repeat(32)).await.code(), Code::NotFound);
        for _ in 0..2 {
            assert_eq!(decline(&mut guest, &sent.id).await.status, StatusCode::NO_CONTENT);
        }
        loop {
            if let LobbyMessage::Challenges { challenges } = told(&mut watcher).await {
                assert_eq!(challenges, []);
                break;
            }
        }
        assert_eq!(accept(&mut guest, &sent.id).await.code(), Code::OfferGone);
        let declined = lobby(&mut host).await.own;
        let declined: Vec<_> = declined.iter().filter(|own| own.declined).collect();
        assert_eq!(declined.len(), 1);
        assert_eq!(declined[0].offer.id, sent.id);
        let again = offer(&mut host, "bga", json!({"to": "Bert"})).await;
        assert_eq!(again.code(), Code::ChallengesFull);
        // A player who has declined a challenge can challenge the challenger in turn. The match of this challenge is rated.
        let rated = json!({"to": "Anna", "rated": true, "clock": {"kind": "days", "days": 3}});
        let own = offered(&mut guest, "bga", rated).await;
        let seen = lobby(&mut host).await.challenges;
        assert_eq!(seen[0].handle.as_deref(), Some("Bert"));
        let state: MatchView = accept(&mut host, &own.offer.id).await.ok();
        assert!(state.rated);
        assert_eq!(lobby(&mut guest).await.own[0].match_id, Some(state.id));
    });
}

#[test]
fn offers_end_and_are_limited() {
    run(async {
        let table = Table::limited(|limits| {
            limits.open_offers = Some(2);
        })
        .await;
        let mut host = table.browser();
        let short = offered(&mut host, "bga", json!({})).await;
        let long = offered(&mut host, "bga", json!({"clock": {"kind": "days", "days": 1}})).await;
        assert_eq!(offer(&mut host, "bga", json!({})).await.code(), Code::OffersFull);
        // The server counts the open offers of all clients without an IP address together. In this test, these clients share the limit of
        // one browser.
        let refused = offer(&mut table.browser(), "bga", json!({})).await;
        assert_eq!(
            (refused.status, refused.code()),
            (StatusCode::TOO_MANY_REQUESTS, Code::TooMany)
        );
        table.execute("UPDATE offers SET until = until - 31 WHERE NOT lasting").await;
        let mut guest = table.browser();
        assert_eq!(accept(&mut guest, &short.offer.id).await.code(), Code::OfferGone);
        table.server.remove_expired(now()).await;
        assert_eq!(host.get("/api/v1/me/export").await.ok::<Export>().offers.len(), 1);
        table.server.remove_expired(now() + 15 * DAY).await;
        assert_eq!(accept(&mut guest, &long.offer.id).await.code(), Code::OfferGone);
        // If a player erases their data, their offers disappear from the lobby.
        offered(&mut host, "bga", json!({})).await;
        assert_eq!(host.erase().await.status, StatusCode::NO_CONTENT);
        assert_eq!(lobby(&mut guest).await.total, 0);
        let metrics = Browser::metrics(&table.server).await;
        assert!(metrics.contains("overmate_offers_total{act=\"made\"}"), "{metrics}");
    });
}

/// Returns the next message of a live connection to the lobby.
async fn told(socket: &mut Socket) -> LobbyMessage {
    serde_json::from_str(&socket.text().await).expect("a message")
}

#[test]
fn watchers_are_told_of_offers_and_makers_of_their_matches() {
    run(async {
        let table = Table::new().await;
        let served = served(&table).await;
        let (mut host, mut guest) = (table.browser(), table.browser());
        let first = offered(&mut host, "bga", json!({})).await;
        let mut watcher = Socket::of_lobby(&served, &guest).await;
        assert!(matches!(told(&mut watcher).await, LobbyMessage::Own { own } if own.is_empty()));
        let LobbyMessage::Offers { offers, total: 1 } = told(&mut watcher).await else { panic!() };
        assert_eq!(offers, std::slice::from_ref(&first.offer));
        let mut maker = Socket::of_lobby(&served, &host).await;
        assert!(
            matches!(told(&mut maker).await, LobbyMessage::Own { own } if own == [first.clone()])
        );
        // A live connection to the lobby may send several new offers in one message.
        for _ in 0..5 {
            offered(&mut table.browser(), "bga", json!({})).await;
        }
        loop {
            let LobbyMessage::Offers { offers, total } = told(&mut watcher).await else { panic!() };
            if (offers.len(), total) == (6, 6) {
                break;
            }
        }
        watcher.0.send(Message::text(r#"{"t":"ping"}"#)).await.unwrap();
        assert!(matches!(told(&mut watcher).await, LobbyMessage::Pong));
        let state: MatchView = accept(&mut guest, &first.offer.id).await.ok();
        loop {
            if let LobbyMessage::Own { own } = told(&mut maker).await {
                assert_eq!(own[0].match_id, Some(state.id));
                break;
            }
        }
        // A server that stops closes the live connections to the lobby, and tells the clients when to connect again.
        drop(served.stop);
        let closed = loop {
            let message = watcher.0.next().await.expect("a message");
            if let Message::Close(frame) = message.expect("a message") {
                break frame;
            }
        };
        assert!(closed.expect("a frame").reason.contains("retry-after-ms="));
        served.ended.await.unwrap();
    });
}
