//! Tests the list of public matches, live connections that watch these matches, and the number of people who are online.

use axum::http::StatusCode;
use futures_util::StreamExt as _;
use overmate_server::Admin;
use overmate_server::wire::{
    Code, Export, MadeOffer, MatchView, MyVisibility, PeopleHere, PresenceShown, PublicMatches,
    ServerMessage, WatchPermission,
};
use serde_json::json;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use crate::ratings::make_account;
use crate::sockets::{Socket, served};
use crate::support::{Browser, SOON, Table, client_id, run, two};

/// Number of the latest actions in a match that spectators with a delayed view do not see yet.
const DELAY: usize = 4;

/// Begins a match by an open offer, which the test client `host` makes and the test client `guest` accepts. The host leads in the
/// first game.
async fn by_offer(host: &mut Browser, guest: &mut Browser, rules: &str) -> MatchView {
    let new = json!({"rules": rules, "name": "Anna", "lead": "me", "client_id": client_id()});
    let made: MadeOffer = host.post("/api/v1/offers", new).await.ok();
    let id = made.own.expect("an offer").offer.id;
    let accept = json!({"name": "Bert", "client_id": client_id()});
    guest.post(&format!("/api/v1/offers/{id}/accept"), accept).await.ok()
}

async fn listed(browser: &mut Browser, query: &str) -> Vec<String> {
    let page: PublicMatches = browser.get(&format!("/api/v1/public/matches{query}")).await.ok();
    page.matches.into_iter().map(|found| found.id).collect()
}

async fn set(browser: &mut Browser, watching: &str, presence: &str) -> MyVisibility {
    let setting = json!({"watching": watching, "presence": presence});
    browser.put("/api/v1/me/visibility", setting).await.ok()
}

fn public(id: &str) -> String {
    format!("/api/v1/matches/{id}?watch=public")
}

/// Takes the first legal action on behalf of the player whose turn it is.
async fn play(players: [&mut Browser; 2], id: &str) -> MatchView {
    for player in players {
        let state = player.look(id).await;
        if let Some(legal) = state.current.legal.first() {
            let action = legal.action.clone();
            return player.act(&state, &action).await.ok();
        }
    }
    unreachable!("a player is to act");
}

/// Returns the number of actions of the current game in a match state.
fn actions(state: &MatchView) -> usize {
    state.current.steps.len()
}

#[test]
fn matches_by_offers_are_listed_and_all_others_are_not() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, mut stranger) =
            (table.browser(), table.browser(), table.browser());
        let (_, _, by_link) = two(&table, "bga").await;
        let alone = host.begin("bga", json!({"kind": "level", "level": 1})).await;
        let first = by_offer(&mut host, &mut guest, "bga").await.id;
        let second = by_offer(&mut host, &mut guest, "pagat").await.id;
        let newest: Vec<String> = listed(&mut stranger, "").await;
        // The matches `first` and `second` may have begun in the same second, so the test does not check their order in the list of public
        // matches.
        assert_eq!(newest.len(), 2);
        assert!([&first, &second].iter().all(|id| newest.contains(id)), "{newest:?}");
        assert_eq!(listed(&mut stranger, "?rules=pagat").await, std::slice::from_ref(&second));
        assert_eq!(listed(&mut stranger, "?rules=sackson").await, [""; 0]);
        assert_eq!(listed(&mut stranger, "?state=finished").await, [""; 0]);
        for id in [&by_link.id, &alone.id] {
            assert_eq!(stranger.get(&public(id)).await.code(), Code::NotFound);
        }
        let shown: MatchView = stranger.get(&public(&first)).await.ok();
        assert_eq!((shown.you, shown.public_delay), (None, Some(0)));
        // The public page of a match does not contain the token of the spectators' link, because the token would stay valid after a player
        // has hidden the match.
        assert_eq!(shown.watch, format!("/watch/{first}/public"));
        assert_eq!((shown.invitation, shown.rematch.is_none()), (None, true));
        // A player who opens the public page of their match sees the match from their own point of view.
        let own: MatchView = host.get(&public(&first)).await.ok();
        assert!(own.you.is_some() && own.public_delay.is_none());
        let page: PublicMatches = stranger.get("/api/v1/public/matches?rules=bga").await.ok();
        let found = &page.matches[0];
        assert_eq!(
            (found.players.a.as_deref(), found.players.b.as_deref()),
            (Some("Anna"), Some("Bert"))
        );
        assert_eq!((found.delay, page.next.is_none()), (0, true));
        assert_eq!(found.progress.expect("a progress").game, 0);
        for query in ["?after=1-2", "?state=open", "?rules=nothing"] {
            let refused = stranger.get(&format!("/api/v1/public/matches{query}")).await;
            assert_eq!(refused.code(), Code::BadRequest, "{query}");
        }
        // A finished match moves to the list of finished matches, and its rematch is public, too.
        play([&mut host, &mut guest], &second).await;
        play([&mut host, &mut guest], &second).await;
        host.ask(&second, "resign").await.ok::<MatchView>();
        host.ask(&second, "rematch").await.ok::<MatchView>();
        let rematch: MatchView = guest.ask(&second, "rematch").await.ok();
        let rematch = rematch.rematch.and_then(|rematch| rematch.match_id).expect("a match");
        set(&mut table.browser(), "at_once", "favourites").await;
        assert_eq!(listed(&mut stranger, "?state=finished").await, std::slice::from_ref(&second));
        assert_eq!(listed(&mut stranger, "?rules=pagat").await, [rematch]);
        let replayed: MatchView = stranger.get(&public(&second)).await.ok();
        assert!(replayed.result.is_some());
    });
}

#[test]
fn one_player_hides_a_match_and_an_erasure_removes_it() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, mut stranger) =
            (table.browser(), table.browser(), table.browser());
        let id = by_offer(&mut host, &mut guest, "bga").await.id;
        assert_eq!(listed(&mut stranger, "").await, std::slice::from_ref(&id));
        let served = served(&table).await;
        let watch = format!("{id}/live?watch=public");
        let mut watching = Socket::open(&served, &stranger, &watch).await;
        assert_eq!(watching.hello().await.public_delay, Some(0));
        let never = set(&mut guest, "never", "nobody").await;
        assert_eq!(
            (never.watching, never.presence),
            (WatchPermission::Never, PresenceShown::Nobody)
        );
        assert_eq!(listed(&mut stranger, "").await, [""; 0]);
        assert_eq!(stranger.get(&public(&id)).await.code(), Code::NotFound);
        // After a player has hidden a match from the public, the next action in the match closes the live connections of the public
        // watchers.
        play([&mut host, &mut guest], &id).await;
        let ended = timeout(SOON, watching.0.next()).await.expect("a close frame");
        assert!(matches!(ended, Some(Ok(Message::Close(_)))), "{ended:?}");
        // The spectators' link of a match still works after a player has hidden the match from the public.
        let own = host.look(&id).await;
        let token = own.watch.rsplit('/').next().expect("a token").to_owned();
        let by_link: MatchView =
            stranger.get(&format!("/api/v1/matches/{id}?watch={token}")).await.ok();
        assert_eq!((by_link.public_delay, by_link.sequence), (None, own.sequence));
        let exported: Export = guest.get("/api/v1/me/export").await.ok();
        assert_eq!(exported.visibility, never);
        set(&mut guest, "at_once", "favourites").await;
        assert_eq!(listed(&mut stranger, "").await, std::slice::from_ref(&id));
        assert_eq!(guest.erase().await.status, StatusCode::NO_CONTENT);
        assert_eq!(stranger.get(&public(&id)).await.code(), Code::NotFound);
        // When anybody changes their visibility settings, the server drops its cached lists of public matches.
        set(&mut stranger, "at_once", "favourites").await;
        assert_eq!(listed(&mut stranger, "").await, [""; 0]);
        assert_eq!(listed(&mut stranger, "?state=finished").await, [""; 0]);
    });
}

#[test]
fn a_watcher_of_a_match_that_is_no_longer_public_is_cut_off_without_an_action() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest) = (table.browser(), table.browser());
        let id = by_offer(&mut host, &mut guest, "bga").await.id;
        let served = served(&table).await;
        let watch = format!("{id}/live?watch=public");
        let mut watching = Socket::open(&served, &table.browser(), &watch).await;
        watching.hello().await;
        let path = format!("/api/v1/matches/{id}/report");
        let reported = guest.post(&path, json!({"reason": "name"})).await;
        assert_eq!(reported.status, StatusCode::NO_CONTENT);
        set(&mut guest, "never", "nobody").await;
        // An act of an operator on a match makes the live connections read the match again, as a heartbeat does.
        let mut admin =
            Admin::open(&table.folder.path().to_owned().into()).await.expect("a database");
        let reports = admin.reports(false).await.expect("a read");
        admin.settle(&reports[0].id, "a test").await.expect("an open report");
        let (code, reason) = watching.closed().await;
        assert_eq!(code, CloseCode::Policy);
        assert!(reason.contains("may no longer see"), "{reason}");
        admin.close().await.expect("a database");
    });
}

#[test]
fn watchers_of_a_delayed_match_see_an_earlier_state_in_all_ways() {
    run(async {
        let mut attempts = 1;
        while !a_delayed_match_is_watched().await {
            attempts += 1;
            assert!(attempts <= 20, "each game ends before its tenth action");
        }
    });
}

/// Plays a match that is shown with a delay, checks the states that its watchers see, and returns whether the first
/// game reached its tenth action. An early mate can end the game, whose deal is random, before that action.
async fn a_delayed_match_is_watched() -> bool {
    let table = Table::new().await;
    let (mut host, mut guest, mut stranger) = (table.browser(), table.browser(), table.browser());
    assert_eq!(set(&mut host, "delayed", "favourites").await.delay, 4);
    let id = by_offer(&mut host, &mut guest, "bga").await.id;
    let served = served(&table).await;
    let watch = format!("{id}/live?watch=public");
    let mut watching = Socket::open(&served, &stranger, &watch).await;
    let mut streamed = actions(&watching.hello().await);
    let mut compared = 0;
    for number in 1..=10 {
        let played = play([&mut host, &mut guest], &id).await;
        if played.current.index > 0 {
            return false;
        }
        assert_eq!(actions(&played), number);
        let seen: MatchView = stranger.get(&public(&id)).await.ok();
        assert_eq!(actions(&seen), number.saturating_sub(DELAY));
        assert_eq!(seen.public_delay, Some(4));
        let own = host.look(&id).await;
        let shown = &own.current.steps[..actions(&seen)];
        assert_eq!(seen.current.steps, shown, "{number}");
        // In a match that is shown with a delay, neither the game record nor a long poll shows watchers more actions than the match state.
        let record = stranger.get(&format!("/api/v1/matches/{id}/record?watch=public")).await;
        let complete = host.get(&format!("/api/v1/matches/{id}/record")).await;
        assert!(record.status.is_success() && record.text().len() < complete.text().len());
        let before = seen.sequence.saturating_sub(1);
        let polled = format!("{}&after={before}&wait=1", public(&id));
        let polled: MatchView = stranger.get(&polled).await.ok();
        assert_eq!(actions(&polled), actions(&seen));
        if number > DELAY {
            let ServerMessage::Changed { state, sequence } = watching.next().await else {
                panic!("a change is expected");
            };
            streamed += 1;
            assert_eq!((actions(&state), sequence), (streamed, state.sequence));
            assert_eq!(streamed, number - DELAY);
            compared += 1;
        }
        // The server refuses a review of a running match to its watchers, because the review would reveal the values of the deal.
        let review = format!("/api/v1/matches/{id}/review?game=0&watch=public");
        assert_eq!(stranger.get(&review).await.code(), Code::MatchRunning);
    }
    assert_eq!(compared, 6);
    let page: PublicMatches = stranger.get("/api/v1/public/matches").await.ok();
    assert_eq!((page.matches[0].delay, page.matches[0].progress), (4, None));
    // After the end of the match, watchers see all actions.
    guest.ask(&id, "resign").await.ok::<MatchView>();
    let ServerMessage::Changed { state, .. } = watching.next().await else {
        panic!("a change is expected");
    };
    assert_eq!((actions(&state), state.result.is_some()), (10, true));
    let seen: MatchView = stranger.get(&public(&id)).await.ok();
    assert_eq!((actions(&seen), seen.result.is_some()), (10, true));
    true
}

/// Returns the number of people who are online, and the mutual favourites of a test client's account. Each favourite has a flag that is
/// true if the favourite is online.
async fn here(browser: &mut Browser) -> (u64, Vec<(String, bool)>) {
    let here: PeopleHere = browser.get("/api/v1/public/people").await.ok();
    let told = here.favourites.into_iter().map(|known| (known.handle, known.here));
    (here.people, told.collect())
}

#[test]
fn people_with_live_connections_count_and_mutual_favourites_are_told() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, mut stranger) =
            (table.browser(), table.browser(), table.browser());
        make_account(&mut host, "Anna").await;
        make_account(&mut guest, "Bert").await;
        let id = by_offer(&mut host, &mut guest, "bga").await.id;
        assert_eq!(here(&mut stranger).await, (0, vec![]));
        let served = served(&table).await;
        let live = format!("{id}/live");
        let mut first = Socket::open(&served, &guest, &live).await;
        first.hello().await;
        let mut second = Socket::open(&served, &guest, &live).await;
        second.hello().await;
        assert_eq!(here(&mut stranger).await, (1, vec![]));
        for (browser, own) in [(&mut host, false), (&mut guest, true)] {
            let path = format!("/api/v1/matches/{id}/favourite");
            let added = browser.put(&path, json!({})).await;
            assert_eq!(added.status, StatusCode::NO_CONTENT);
            assert_eq!(here(browser).await.1.len(), usize::from(own));
        }
        assert_eq!(here(&mut host).await, (1, vec![("Bert".to_owned(), true)]));
        assert_eq!(here(&mut guest).await, (1, vec![("Anna".to_owned(), false)]));
        set(&mut guest, "at_once", "nobody").await;
        assert_eq!(here(&mut host).await, (1, vec![]));
        assert_eq!(here(&mut stranger).await, (1, vec![]));
    });
}
