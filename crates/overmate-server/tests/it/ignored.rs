//! Tests the effects of a person's mutes and blocks of other persons.

use axum::http::StatusCode;
use overmate_server::wire::{
    ClientMessage, Code, Export, IgnoreKind, IgnoredPersons, Invitation, Lobby, LobbyMessage,
    MadeOffer, MatchRatings, MatchView, OpponentRelation, Phrase, PlayerWire, Profile,
    ServerMessage, TalkState,
};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::ratings::{begin, make_account, resign, resigned};
use crate::sockets::{Socket, served};
use crate::support::{Answer, Browser, SOON, Table, client_id, run, two};
use crate::talk::talk;

async fn set(browser: &mut Browser, path: &str, is_set: bool) {
    let path = format!("/api/v1/{path}");
    let answer =
        if is_set { browser.put(&path, json!({})).await } else { browser.delete(&path).await };
    assert_eq!(answer.status, StatusCode::NO_CONTENT, "{path}: {}", answer.text());
}

async fn relation(browser: &mut Browser, id: &str) -> OpponentRelation {
    browser.get(&format!("/api/v1/matches/{id}/favourite")).await.ok()
}

/// Returns the kind (mute or block) and the handle of each person whom a given test client has muted or blocked.
pub(crate) async fn ignored(browser: &mut Browser) -> Vec<(IgnoreKind, Option<String>)> {
    let list: IgnoredPersons = browser.get("/api/v1/me/ignored").await.ok();
    list.ignored.into_iter().map(|one| (one.kind, one.handle)).collect()
}

async fn read(browser: &mut Browser, id: &str) -> Vec<PlayerWire> {
    let talk: TalkState = browser.get(&format!("/api/v1/matches/{id}/talk")).await.ok();
    talk.lines.into_iter().map(|line| line.player).collect()
}

async fn offer(browser: &mut Browser, more: Value) -> Answer {
    let mut body = json!({"rules": "bga", "client_id": client_id()});
    body.as_object_mut().unwrap().append(&mut more.as_object().unwrap().clone());
    browser.post("/api/v1/offers", body).await
}

async fn accept(browser: &mut Browser, id: &str) -> Answer {
    let body = json!({"client_id": client_id()});
    browser.post(&format!("/api/v1/offers/{id}/accept"), body).await
}

/// Polls the lobby until a test client sees given numbers of match offers and challenges. Returns the lobby.
async fn lobby(browser: &mut Browser, offers: usize, challenges: usize) -> Lobby {
    let found = timeout(SOON, async {
        loop {
            let lobby: Lobby = browser.get("/api/v1/lobby").await.ok();
            assert_eq!(lobby.total, lobby.offers.len());
            if (lobby.offers.len(), lobby.challenges.len()) == (offers, challenges) {
                return lobby;
            }
            sleep(std::time::Duration::from_millis(50)).await;
        }
    });
    found.await.expect("offers and challenges")
}

#[test]
fn a_mute_hides_phrases_and_texts_from_the_person_who_made_it() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = resigned(&table, ["Anna", "Bert"]).await;
        let id = &*state.id;
        talk(&mut host, &mut guest, id).await;
        let mute = format!("matches/{id}/ignored/mute");
        set(&mut host, &mute, true).await;
        let own = relation(&mut host, id).await;
        assert_eq!((own.muted, own.blocked, own.ignorable, own.mutual), (true, false, true, true));
        assert!(!relation(&mut guest, id).await.muted);
        assert_eq!(read(&mut host, id).await, [PlayerWire::A]);
        assert_eq!(read(&mut guest, id).await, [PlayerWire::A, PlayerWire::B]);
        // Over a live connection, a player receives their own chat messages and chat phrases, but not those of a muted opponent.
        let served = served(&table).await;
        let live = format!("{id}/live");
        let mut own = Socket::open(&served, &host, &live).await;
        let mut other = Socket::open(&served, &guest, &live).await;
        for socket in [&mut own, &mut other] {
            socket.hello().await;
            socket.say(&ClientMessage::Attend { hidden: false }).await;
        }
        other.say(&ClientMessage::Say { phrase: Phrase::GoodLuck }).await;
        until_said(&mut other, PlayerWire::B).await;
        let new = json!({"text": "one more?", "client_id": client_id()});
        let sent = guest.post(&format!("/api/v1/matches/{id}/talk"), new).await;
        assert_eq!(sent.status, StatusCode::OK);
        own.say(&ClientMessage::Say { phrase: Phrase::Thanks }).await;
        let heard = until_said(&mut own, PlayerWire::A).await;
        assert!(heard.iter().all(|player| *player == PlayerWire::A), "{heard:?}");
        // When a player ends the mute of an opponent, they see all chat messages of the opponent again.
        set(&mut host, &mute, false).await;
        assert_eq!(read(&mut host, id).await, [PlayerWire::A, PlayerWire::B, PlayerWire::B]);
        drop(served.stop);
    });
}

/// Reads messages from a live connection until a given player sends a chat phrase. Returns the senders of all chat phrases and free
/// texts that were read.
async fn until_said(socket: &mut Socket, wanted: PlayerWire) -> Vec<PlayerWire> {
    let mut heard = Vec::new();
    loop {
        match timeout(SOON, socket.next()).await.expect("a message") {
            ServerMessage::Said { player, .. } => {
                heard.push(player);
                if player == wanted {
                    return heard;
                }
            }
            ServerMessage::Talk { lines } => heard.extend(lines.iter().map(|line| line.player)),
            ServerMessage::Presence { .. } => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_blocked_player_learns_no_more_than_about_a_player_who_does_not_exist() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = resigned(&table, ["Anna", "Bert"]).await;
        let id = &*state.id;
        talk(&mut host, &mut guest, id).await;
        let running = begin(&mut host, &mut guest, json!({})).await;
        set(&mut host, "me/ignored/block/bert", true).await;
        assert_eq!(ignored(&mut host).await, [(IgnoreKind::Block, Some("Bert".to_owned()))]);
        assert_eq!(ignored(&mut guest).await, []);
        // A block removes both players from each other's favourites, so that they can send no chat messages. The messages of the blocked
        // player are hidden.
        let own = relation(&mut host, id).await;
        assert_eq!((own.addable, own.added, own.blocked), (false, false, true));
        let other = relation(&mut guest, id).await;
        assert_eq!((other.addable, other.added, other.muted, other.blocked), Default::default());
        assert_eq!(read(&mut host, id).await, [PlayerWire::A]);
        let text = json!({"text": "hello?", "client_id": client_id()});
        let refused = guest.post(&format!("/api/v1/matches/{id}/talk"), text).await;
        assert_eq!(refused.code(), Code::TalkClosed);
        // The blocked player's requests about the blocker's handle get the same responses as requests about an unknown handle. The requests
        // are for the profile, for a new favourite and for a challenge to a match.
        let mut answers = Vec::new();
        for handle in ["Anna", "Nobody"] {
            let profile = guest.get(&format!("/api/v1/players/{handle}")).await;
            let added = guest.put(&format!("/api/v1/me/favourites/{handle}"), json!({})).await;
            let more = json!({"to": handle, "clock": {"kind": "days", "days": 3}, "lead": "me"});
            let made = offer(&mut guest, more).await;
            assert_eq!(made.status, StatusCode::CREATED);
            let mut own = made.ok::<MadeOffer>().own.expect("a challenge");
            (own.to, own.offer.id, own.offer.made_at) = (None, String::new(), String::new());
            answers.push((profile.status, profile.code(), added.status, added.code(), own));
        }
        assert_eq!(answers[0], answers[1]);
        assert_eq!(answers[0].1, Code::NotFound);
        let shown: Profile = host.get("/api/v1/players/bert").await.ok();
        assert_eq!((shown.blocked, shown.muted, shown.favourite), (true, false, Some(false)));
        // After a block, neither player can see or accept the open offers of the other player. Other people see the offers of both.
        let mut stranger = table.browser();
        let days = json!({"clock": {"kind": "days", "days": 1}});
        let own: MadeOffer = offer(&mut host, days.clone()).await.ok();
        let other: MadeOffer = offer(&mut guest, days.clone()).await.ok();
        let [own, other] = [own, other].map(|made| made.own.expect("an offer").offer.id);
        lobby(&mut stranger, 2, 0).await;
        assert_eq!(lobby(&mut host, 1, 0).await.offers[0].id, own);
        assert_eq!(lobby(&mut guest, 1, 0).await.offers[0].id, other);
        let served = served(&table).await;
        let mut watcher = Socket::of_lobby(&served, &guest).await;
        let told = loop {
            let text = timeout(SOON, watcher.text()).await.expect("a message");
            if let LobbyMessage::Offers { offers, total } = serde_json::from_str(&text).unwrap() {
                break (offers.into_iter().map(|offer| offer.id).collect::<Vec<_>>(), total);
            }
        };
        assert_eq!(told, (vec![other.clone()], 1));
        assert_eq!(accept(&mut guest, &own).await.code(), Code::OfferGone);
        assert_eq!(accept(&mut host, &other).await.code(), Code::OfferGone);
        // Running matches of two players continue after one of them has blocked the other.
        assert_eq!(guest.look(&running.id).await.id, running.id);
        let exported: Export = host.get("/api/v1/me/export").await.ok();
        assert_eq!(exported.ignored.len(), 1);
        // When a player unblocks an opponent, the player sees the opponent's challenge to a match again.
        let list: IgnoredPersons = host.get("/api/v1/me/ignored").await.ok();
        set(&mut host, &format!("me/ignored/{}", list.ignored[0].id), false).await;
        assert_eq!(ignored(&mut host).await, []);
        lobby(&mut host, 2, 1).await;
        let _: MatchView = accept(&mut guest, &own).await.ok();
        drop(served.stop);
    });
}

#[test]
fn a_blocked_player_sees_the_handle_of_the_blocker_in_no_profile() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = resigned(&table, ["Anna", "Bert"]).await;
        let casual = begin(&mut host, &mut guest, json!({"rated": false})).await;
        resign(&mut host, &mut guest, &casual.id).await;
        let mut third = table.browser();
        make_account(&mut third, "Cara").await;
        let seen = async |viewer: &mut Browser, handle: &str| {
            let shown: Profile = viewer.get(&format!("/api/v1/players/{handle}")).await.ok();
            let [rated, casual] = [&shown.matches[0].opponent, &shown.casual[0].opponent];
            assert_eq!(rated, casual, "{handle}");
            rated.clone()
        };
        let shown = Some("Anna".to_owned());
        assert_eq!(seen(&mut third, "Bert").await, shown);
        set(&mut host, "me/ignored/block/Bert", true).await;
        assert_eq!(seen(&mut third, "Bert").await, shown, "Cara is not blocked");
        // Bert does not see the handle of the player who has blocked Bert, not even on Bert's own profile.
        assert_eq!(seen(&mut guest, "Bert").await, None);
        let ratings: MatchRatings =
            guest.get(&format!("/api/v1/matches/{}/ratings", state.id)).await.ok();
        assert_eq!(ratings.a.map(|own| own.handle), Some(None));
        assert_eq!(seen(&mut host, "Bert").await, shown, "Anna has blocked Bert");
        set(&mut host, "me/ignored/block/Bert", false).await;
        assert_eq!(seen(&mut guest, "Bert").await, shown);
    });
}

#[test]
fn persons_without_accounts_ignore_one_another_by_their_match() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "bga").await;
        let id = &*state.id;
        let block = format!("matches/{id}/ignored/block");
        set(&mut host, &block, true).await;
        assert_eq!(ignored(&mut host).await, [(IgnoreKind::Block, None)]);
        offer(&mut host, json!({"clock": {"kind": "days", "days": 1}})).await.ok::<MadeOffer>();
        lobby(&mut guest, 0, 0).await;
        // The block stays when the blocked person gets an account.
        make_account(&mut guest, "Bert").await;
        lobby(&mut guest, 0, 0).await;
        assert_eq!(ignored(&mut host).await, [(IgnoreKind::Block, None)], "a hidden profile");
        set(&mut host, &block, false).await;
        lobby(&mut guest, 1, 0).await;
        // The server refuses to mute a computer opponent, a hidden profile or an unknown handle, and refuses an unknown kind of
        // relation. A stranger to the match cannot block its players.
        let alone: MatchView = host.begin("bga", json!({"kind": "level", "level": 3})).await;
        for (path, code) in [
            (format!("matches/{}/ignored/mute", alone.id), Code::NotAllowed),
            (format!("matches/{id}/ignored/hate"), Code::BadRequest),
            ("me/ignored/mute/Bert".to_owned(), Code::NotFound),
            ("me/ignored/mute/Nobody".to_owned(), Code::NotFound),
        ] {
            let refused = host.put(&format!("/api/v1/{path}"), json!({})).await;
            assert_eq!(refused.code(), code, "{path}");
        }
        let refused = table.browser().put(&format!("/api/v1/{block}"), json!({})).await;
        assert_eq!(refused.code(), Code::NotFound);
        // A challenger with a hidden profile can be blocked by their handle.
        make_account(&mut host, "Anna").await;
        let more = json!({"to": "Anna", "clock": {"kind": "days", "days": 3}});
        offer(&mut guest, more).await.ok::<MadeOffer>();
        lobby(&mut host, 1, 1).await;
        set(&mut host, "me/ignored/block/Bert", true).await;
        lobby(&mut host, 1, 0).await;
        // If a blocked person erases their data, the block disappears.
        assert_eq!(guest.erase().await.status, StatusCode::NO_CONTENT);
        assert_eq!(ignored(&mut host).await, []);
    });
}

#[test]
fn an_invitation_looks_used_to_a_person_who_is_blocked_and_to_one_who_has_blocked() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = resigned(&table, ["Anna", "Bert"]).await;
        let relation = format!("matches/{}/ignored/block", state.id);
        for blocks_host in [true, false] {
            let blocker = if blocks_host { &mut guest } else { &mut host };
            set(blocker, &relation, true).await;
            let new =
                json!({"rules": "bga", "opponent": {"kind": "friend"}, "names": {"me": "Anna"}});
            let invited: MatchView = host.post("/api/v1/matches", new).await.ok();
            let token = invited.invitation.expect("an invitation").replace("/join/", "");
            let path = format!("/api/v1/invitations/{token}");
            let seen: Invitation = guest.get(&path).await.ok();
            assert_eq!((seen.used, seen.from), (true, None), "{blocks_host}");
            assert_eq!(guest.post(&path, json!({})).await.code(), Code::InvitationUsed);
            // A person who neither has blocked the host nor is blocked by the host sees an unused invitation.
            let seen: Invitation = table.browser().get(&path).await.ok();
            assert_eq!((seen.used, seen.from.as_deref()), (false, Some("Anna")));
            let blocker = if blocks_host { &mut guest } else { &mut host };
            set(blocker, &relation, false).await;
            assert!(!guest.get(&path).await.ok::<Invitation>().used);
            guest.post(&path, json!({})).await.ok::<MatchView>();
        }
    });
}
