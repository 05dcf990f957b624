//! Tests rated matches, profiles and leaderboards.

use axum::http::StatusCode;
use overmate_server::wire::{
    Code, Invitation, Leaderboard, MadeOffer, MatchRatingState, MatchRatings, MatchScoreWire,
    MatchView, MyAccount, PaceWire, PlayerWire, Profile, RatedResults, RatingState,
    SharedDealSummary, SharedDeals,
};
use overmate_server::{Limits, Settings};
use serde_json::{Value, json};

use crate::support::{Answer, Browser, Table, begin_between, play_by, run, turn};

/// Password of the accounts that the function [`make_account`] creates.
pub(crate) const PASSWORD: &str = "correct horse battery";

pub(crate) async fn make_account(browser: &mut Browser, handle: &str) {
    let account = json!({"handle": handle, "password": PASSWORD});
    let made = browser.post("/api/v1/me/account", account).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
}

/// Returns the JSON of a request for a rated match. The members of `others` are added, or replace the default members of the
/// same name. A member with the value null removes the default member.
pub(crate) fn rated(others: Value) -> Value {
    let mut new = json!({
        "rules": "bga", "opponent": {"kind": "friend"}, "lead": "me", "rated": true,
        "clock": {"kind": "live", "base": 300, "increment": 5}
    });
    let members = new.as_object_mut().expect("an object");
    let Value::Object(others) = others else { panic!("an object: {others}") };
    members.extend(others);
    new.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
    new
}

/// Returns the API path of a match's unused invitation.
pub(crate) fn invitation(state: &MatchView) -> String {
    let path = state.invitation.as_deref().expect("an invitation");
    format!("/api/v1/invitations/{}", path.trim_start_matches("/join/"))
}

/// Begins a rated match between two test clients with accounts. The host leads in the first game.
pub(crate) async fn begin(host: &mut Browser, guest: &mut Browser, others: Value) -> MatchView {
    let state: MatchView = host.post("/api/v1/matches", rated(others)).await.ok();
    guest.post(&invitation(&state), json!({})).await.ok()
}

/// Takes the first legal action on behalf of the player whose turn it is.
async fn step(host: &mut Browser, guest: &mut Browser, id: &str) -> MatchView {
    let state = host.look(id).await;
    let browser = if turn(&state) == Some(PlayerWire::A) { host } else { guest };
    let state = browser.look(id).await;
    let action = state.current.legal[0].action.clone();
    browser.act(&state, &action).await.ok()
}

/// Takes one action of each player in a match, and then resigns on behalf of the invited player (`guest`).
pub(crate) async fn resign(host: &mut Browser, guest: &mut Browser, id: &str) -> MatchView {
    for _ in 0..2 {
        step(host, guest, id).await;
    }
    guest.ask(id, "resign").await.ok()
}

/// Creates two accounts, and a rated match between them in which the owner of the second account resigns.
pub(crate) async fn resigned(table: &Table, handles: [&str; 2]) -> (Browser, Browser, MatchView) {
    let (mut host, mut guest) = (table.browser(), table.browser());
    make_account(&mut host, handles[0]).await;
    make_account(&mut guest, handles[1]).await;
    let state = begin(&mut host, &mut guest, json!({})).await;
    let state = resign(&mut host, &mut guest, &state.id).await;
    (host, guest, state)
}

#[test]
fn only_accounts_play_rated_matches_and_only_with_clocks_and_random_deals() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest) = (table.browser(), table.browser());
        let create = async |browser: &mut Browser, others: Value| -> Answer {
            browser.post("/api/v1/matches", rated(others)).await
        };
        assert_eq!(create(&mut host, json!({})).await.code(), Code::AccountNeeded);
        make_account(&mut host, "Anna").await;
        for others in [
            json!({"clock": null}),
            json!({"deal": "20010"}),
            json!({"one_round": true}),
            json!({"opponent": {"kind": "both"}, "clock": null}),
            json!({"opponent": {"kind": "level", "level": 3}, "rules": "bga+double"}),
            json!({"opponent": {"kind": "level", "level": 3}, "clock": null}),
            json!({"opponent": {"kind": "perfect"}, "deal": "20010"}),
        ] {
            let refused = create(&mut host, others.clone()).await;
            assert_eq!(refused.code(), Code::BadRequest, "{others}");
            assert!(refused.text().contains("rated:"), "{}", refused.text());
        }
        let state: MatchView = create(&mut host, json!({})).await.ok();
        assert!(state.rated);
        let path = invitation(&state);
        assert!(guest.get(&path).await.ok::<Invitation>().rated);
        assert_eq!(guest.post(&path, json!({})).await.code(), Code::AccountNeeded);
        // An invitation to a rated match is still open after the invited player has made an account.
        make_account(&mut guest, "Bert").await;
        let state: MatchView = guest.post(&path, json!({})).await.ok();
        assert!(state.rated && !state.hint && !state.undo);
        let state = resign(&mut host, &mut guest, &state.id).await;
        // A rematch is rated too, with new deals.
        let _: MatchView = guest.ask(&state.id, "rematch").await.ok();
        let state: MatchView = host.ask(&state.id, "rematch").await.ok();
        let next = state.rematch.and_then(|rematch| rematch.match_id).expect("a rematch");
        let next = host.look(&next).await;
        assert!(next.rated && !next.deal_chosen && next.clocks.is_some());
        let unrated: MatchView = create(&mut host, json!({"rated": false})).await.ok();
        assert!(!unrated.rated);
    });
}

async fn profile(browser: &mut Browser, handle: &str) -> Profile {
    browser.get(&format!("/api/v1/players/{handle}")).await.ok()
}

async fn ratings_of(browser: &mut Browser, state: &MatchView) -> MatchRatings {
    browser.get(&format!("/api/v1/matches/{}/ratings", state.id)).await.ok()
}

#[test]
fn profiles_show_the_margin_of_a_match_and_the_ratings_ignore_it() {
    run(async {
        let table = Table::new().await;
        let mut margins = Vec::new();
        for number in 0..6 {
            let (mut host, mut guest) = (table.browser(), table.browser());
            let handles = [format!("Anna{number}"), format!("Bert{number}")];
            make_account(&mut host, &handles[0]).await;
            make_account(&mut guest, &handles[1]).await;
            let MatchView { id, games, .. } = begin(&mut host, &mut guest, json!({})).await;
            // The host takes the first legal action, and the guest the last one.
            let choose =
                |player, number: usize| if player == PlayerWire::A { 0 } else { number - 1 };
            let state = play_by(&mut host, &mut guest, &id, usize::from(games), choose).await;
            assert!(state.result.is_some());
            let margin = state.totals.a - state.totals.b;
            // The expected ratings are those after the first match of two new players. They depend on the result alone.
            let ratings = [[1_338, 1_662], [1_500, 1_500], [1_662, 1_338]];
            let [after, other_after] = ratings[usize::try_from(margin.signum() + 1).unwrap()];
            for (handle, expected) in
                [(&handles[0], (margin, after)), (&handles[1], (-margin, other_after))]
            {
                let seen = profile(&mut host, handle).await;
                let [rated] = &*seen.matches else { panic!("one match") };
                assert_eq!((rated.margin, rated.after.rating), expected, "{handle}");
            }
            margins.push(margin);
        }
        assert!(margins.iter().any(|margin| *margin != margins[0]), "{margins:?}");
    });
}

#[test]
fn a_rated_match_changes_both_ratings_once() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest) = (table.browser(), table.browser());
        make_account(&mut host, "Anna").await;
        make_account(&mut guest, "Bert").await;
        let new = RatingState { rating: 1_500, deviation: 350, provisional: true };
        // A rated match that ends before both players have acted changes neither player's rating.
        let state = begin(&mut host, &mut guest, json!({})).await;
        step(&mut host, &mut guest, &state.id).await;
        let state: MatchView = guest.ask(&state.id, "resign").await.ok();
        assert!(state.result.expect("a result").abandoned);
        // Without a rated match, only the owner of the account sees the profile.
        assert_eq!(profile(&mut guest, "Bert").await.ratings, []);
        assert_eq!(host.get("/api/v1/players/Bert").await.code(), Code::NotFound);

        let state = begin(&mut host, &mut guest, json!({})).await;
        let MatchRatings { pace, a, b } = ratings_of(&mut guest, &state).await;
        let unrated = |handle: &str| MatchRatingState {
            handle: Some(handle.to_owned()),
            before: new,
            after: None,
        };
        assert_eq!((pace, a, b), (PaceWire::Live, Some(unrated("Anna")), Some(unrated("Bert"))));
        let state = resign(&mut host, &mut guest, &state.id).await;
        let MatchRatings { a, b, .. } = ratings_of(&mut host, &state).await;
        // The crate `skillratings` has computed the expected ratings of the winner and the loser after a match between two new players.
        let after = |rating| Some(RatingState { rating, deviation: 290, provisional: true });
        assert_eq!(a.as_ref().map(|a| a.after), Some(after(1_662)));
        assert_eq!(b.map(|b| (b.before, b.after)), Some((new, after(1_338))));

        // A second resignation from a match is refused, and does not change the ratings again.
        assert_eq!(host.ask(&state.id, "resign").await.code(), Code::MatchOver);
        assert_eq!(ratings_of(&mut host, &state).await.a, a);
        let seen = profile(&mut table.browser(), "anna").await;
        assert_eq!((&*seen.handle, seen.you, seen.private), ("Anna", false, false));
        assert_eq!(seen.since.len(), 10);
        let [rating] = &*seen.ratings else { panic!("one rating") };
        assert_eq!(
            (&*rating.rules, rating.pace, rating.rating.rating),
            ("bga", PaceWire::Live, 1_662)
        );
        assert_eq!(rating.results, RatedResults { wins: 1, ..RatedResults::default() });
        let [rated] = &*seen.matches else { panic!("one match") };
        assert_eq!((rated.opponent.as_deref(), rated.result), (Some("Bert"), MatchScoreWire::Win));
        assert_eq!((rated.before.rating, rated.after.rating), (1_500, 1_662));
        // A player's profile shows the ids of their matches only to this player.
        assert_eq!(rated.match_id, None);
        assert_eq!(profile(&mut host, "ANNA").await.matches[0].match_id, Some(state.id.clone()));

        // Matches by correspondence have a rating of their own.
        let days = json!({"clock": {"kind": "days", "days": 2}});
        let slow = begin(&mut host, &mut guest, days).await;
        resign(&mut host, &mut guest, &slow.id).await;
        let paces: Vec<PaceWire> =
            profile(&mut host, "Anna").await.ratings.iter().map(|rating| rating.pace).collect();
        assert_eq!(paces, [PaceWire::Correspondence, PaceWire::Live]);
        // A match that is not rated has no ratings.
        let casual = begin(&mut host, &mut guest, json!({"rated": false})).await;
        let path = format!("/api/v1/matches/{}/ratings", casual.id);
        assert_eq!(host.get(&path).await.code(), Code::NotFound);
        let path = format!("/api/v1/matches/{}/ratings", state.id);
        assert_eq!(table.browser().get(&path).await.code(), Code::NotFound);
    });
}

#[test]
fn a_private_profile_is_like_a_handle_that_nobody_has() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = resigned(&table, ["Anna", "Bert"]).await;
        let hidden = guest.put("/api/v1/me/account/profile", json!({"private": true})).await;
        assert!(hidden.ok::<MyAccount>().private);
        let mut stranger = table.browser();
        let answers = [
            stranger.get("/api/v1/players/Bert").await,
            host.get("/api/v1/players/Bert").await,
            stranger.get("/api/v1/players/Nobody").await,
            stranger.get("/api/v1/players/-not~a+handle-").await,
        ];
        for answer in answers {
            let mut problem: Value = answer.json();
            problem.as_object_mut().expect("an object").remove("request_id");
            let expected = json!({
                "type": "about:blank", "title": "Not found", "status": 404, "code": "not-found",
                "detail": "the player does not exist, or this browser may not see it"
            });
            assert_eq!(problem, expected);
        }
        let own = profile(&mut guest, "Bert").await;
        assert!(own.you && own.private && own.ratings.len() == 1);
        assert_eq!(profile(&mut host, "Anna").await.matches[0].opponent, None);
        let seen = ratings_of(&mut host, &state).await.b.expect("a rating");
        assert!(seen.handle.is_none() && seen.after.is_some());
        let shown = guest.put("/api/v1/me/account/profile", json!({"private": false})).await;
        assert!(!shown.ok::<MyAccount>().private);
        assert_eq!(profile(&mut stranger, "Bert").await.handle, "Bert");
        let nobody = stranger.put("/api/v1/me/account/profile", json!({"private": true})).await;
        assert_eq!(nobody.code(), Code::NotFound);
    });
}

#[test]
fn leaderboards_list_established_ratings() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let board = async |browser: &mut Browser, query: &str| -> Leaderboard {
            browser.get(&format!("/api/v1/players{query}")).await.ok()
        };
        let empty = board(&mut browser, "").await;
        assert_eq!((empty.boards.len(), empty.board, empty.players.len()), (0, None, 0));
        resigned(&table, ["Anna", "Bert"]).await;
        let provisional = board(&mut browser, "").await;
        assert_eq!((provisional.boards.len(), provisional.players.len()), (1, 0));
        table.execute("UPDATE ratings SET deviation = 80").await;
        let found = board(&mut browser, "").await;
        assert_eq!(found.board.as_ref(), found.boards.first());
        let handles: Vec<&str> = found.players.iter().map(|leader| &*leader.handle).collect();
        assert_eq!(handles, ["Anna", "Bert"]);
        assert_eq!(board(&mut browser, "?rules=bga&pace=live").await, found);
        let other = board(&mut browser, "?rules=sackson&pace=correspondence").await;
        assert_eq!(other.board.map(|board| board.rules), Some("sackson".to_owned()));
        assert_eq!(other.players, []);
        // The server reads the list of leaderboards once a minute, and the players of a leaderboard at each request.
        table.execute("UPDATE ratings SET rules = 'sackson'").await;
        let kept = board(&mut browser, "").await;
        assert_eq!((&kept.boards, kept.players.len()), (&found.boards, 0));
        assert_eq!(board(&mut browser, "?rules=sackson").await.players.len(), 2);
        let unknown = browser.get("/api/v1/players?rules=chess").await;
        assert_eq!(unknown.code(), Code::BadRequest);
        let unknown = browser.get("/api/v1/players?pace=fast").await;
        assert_eq!(unknown.code(), Code::BadRequest);
    });
}

#[test]
fn an_erased_account_leaves_the_opponent_its_rating() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = resigned(&table, ["Anna", "Bert"]).await;
        let before = profile(&mut host, "Anna").await;
        // A player who erases their data loses a running rated match, and this loss counts.
        let running = begin(&mut host, &mut guest, json!({})).await;
        for _ in 0..2 {
            step(&mut host, &mut guest, &running.id).await;
        }
        assert_eq!(guest.erase().await.status, StatusCode::NO_CONTENT);
        assert_eq!(host.get("/api/v1/players/Bert").await.code(), Code::NotFound);
        let after = profile(&mut host, "Anna").await;
        assert_eq!((before.ratings[0].results.wins, after.ratings[0].results.wins), (1, 2));
        assert!(after.ratings[0].rating.rating > before.ratings[0].rating.rating);
        let opponents: Vec<_> = after.matches.iter().map(|rated| &rated.opponent).collect();
        assert_eq!(opponents, [&None, &None]);
        let ratings = ratings_of(&mut host, &state).await;
        assert!(ratings.a.is_some_and(|a| a.after.is_some()) && ratings.b.is_none());
    });
}

#[test]
fn two_players_begin_only_some_rated_matches_with_each_other_in_a_day() {
    run(async {
        let limited = |settings: Settings| {
            let limits = Limits { rated_matches_of_pair: Some(2), ..settings.limits };
            Settings { limits, ..settings }
        };
        let table = Table::with(limited).await;
        let (mut host, mut guest, first) = resigned(&table, ["Anna", "Bert"]).await;
        begin(&mut host, &mut guest, json!({})).await;
        // With a limit of two rated matches in a day, two players cannot begin a third one by an invitation, an offer or a rematch.
        let state: MatchView = host.post("/api/v1/matches", rated(json!({}))).await.ok();
        let path = invitation(&state);
        assert_eq!(guest.post(&path, json!({})).await.code(), Code::RatedPairFull);
        let offer = json!({
            "rules": "pagat", "rated": true, "clock": {"kind": "live", "base": 300, "increment": 5},
            "client_id": "an-offer-of-anna",
        });
        let made: MadeOffer = host.post("/api/v1/offers", offer.clone()).await.ok();
        let accept = format!("/api/v1/offers/{}/accept", made.own.expect("an offer").offer.id);
        let body = json!({"client_id": "an-acceptance"});
        assert_eq!(guest.post(&accept, body.clone()).await.code(), Code::RatedPairFull);
        let mut join = offer;
        (join["join"], join["client_id"]) = (json!(true), json!("an-offer-of-bert"));
        // Bert asks to join any open offer with the terms of Anna's offer, and the server creates a new offer for Bert instead. The limit
        // on rated matches between Anna and Bert forbids a match by Anna's offer. Another player can accept the new offer.
        let made: MadeOffer = guest.post("/api/v1/offers", join).await.ok();
        assert!(made.own.expect("an own offer").offer.rated);
        assert_eq!(guest.ask(&first.id, "rematch").await.code(), Code::RatedPairFull);
        // The limit on rated matches between two players allows an unrated match, and a rated match with somebody else.
        begin(&mut host, &mut guest, json!({"rated": false})).await;
        let mut third = table.browser();
        make_account(&mut third, "Carl").await;
        third.post(&path, json!({})).await.ok::<MatchView>();
        // Matches that began more than a day ago do not count towards the limit on rated matches.
        table.execute("UPDATE matches SET created_at = created_at - 86400").await;
        table.execute("UPDATE log SET at = at - 86400").await;
        assert!(guest.post(&accept, body).await.ok::<MatchView>().rated);
    });
}

#[test]
fn an_account_leaves_only_some_rated_matches_without_a_result_in_a_day() {
    run(async {
        let limited = |settings: Settings| {
            let limits = Limits { abandoned_rated_per_day: Some(2), ..settings.limits };
            Settings { limits, ..settings }
        };
        let table = Table::with(limited).await;
        let (mut host, mut guest) = (table.browser(), table.browser());
        make_account(&mut host, "Anna").await;
        make_account(&mut guest, "Bert").await;
        let level = json!({"opponent": {"kind": "level", "level": 7}});
        let left = begin(&mut host, &mut guest, json!({})).await;
        step(&mut host, &mut guest, &left.id).await;
        let ended: MatchView = host.ask(&left.id, "resign").await.ok();
        assert!(ended.result.expect("a result").abandoned);
        // A resignation from a match that is over, or that still waits for an opponent, does not count towards the limit on abandoned
        // matches.
        host.ask(&left.id, "resign").await;
        let alone: MatchView = host.post("/api/v1/matches", rated(json!({}))).await.ok();
        host.ask(&alone.id, "resign").await.ok::<MatchView>();
        let other: MatchView = host.post("/api/v1/matches", rated(level.clone())).await.ok();
        host.ask(&other.id, "resign").await.ok::<MatchView>();

        let kept = begin(&mut host, &mut guest, json!({})).await;
        assert_eq!(host.ask(&kept.id, "resign").await.code(), Code::RatedLeftFull);
        // A new handle gives the account no further resignations.
        let renamed = host.put("/api/v1/me/account/handle", json!({"handle": "Anna-2"})).await;
        assert_eq!(renamed.status, StatusCode::OK, "{}", renamed.text());
        assert_eq!(host.ask(&kept.id, "resign").await.code(), Code::RatedLeftFull);
        let path = format!("/api/v1/matches/{}", kept.id);
        assert_eq!(host.delete(&path).await.code(), Code::NotAllowed);
        let other: MatchView = host.post("/api/v1/matches", rated(level)).await.ok();
        assert_eq!(host.ask(&other.id, "resign").await.code(), Code::RatedLeftFull);
        // A player who has reached the limit on abandoned rated matches can still resign an unrated match. The limit applies to each player
        // separately.
        let unrated = begin(&mut host, &mut guest, json!({"rated": false})).await;
        host.ask(&unrated.id, "resign").await.ok::<MatchView>();
        let theirs = begin(&mut host, &mut guest, json!({})).await;
        guest.ask(&theirs.id, "resign").await.ok::<MatchView>();
        // A player who has reached the limit on abandoned rated matches can still resign a match in which both players have acted. The
        // player then loses the match.
        for _ in 0..2 {
            step(&mut host, &mut guest, &kept.id).await;
        }
        let lost: MatchView = host.ask(&kept.id, "resign").await.ok();
        assert_eq!(lost.result.expect("a result").winner, Some(PlayerWire::B));
    });
}

#[test]
fn a_rated_match_against_a_level_changes_the_rating_of_the_player_only() {
    run(async {
        let table = Table::new().await;
        let mut anna = table.browser();
        let level = json!({"opponent": {"kind": "level", "level": 7}});
        let refused = anna.post("/api/v1/matches", rated(level.clone())).await;
        assert_eq!(refused.code(), Code::AccountNeeded);
        make_account(&mut anna, "Anna").await;
        let state: MatchView = anna.post("/api/v1/matches", rated(level.clone())).await.ok();
        assert!(state.rated && !state.undo && !state.hint);
        let seen = ratings_of(&mut anna, &state).await;
        let [own, fixed] = [seen.a.expect("a rating"), seen.b.expect("a rating")];
        assert_eq!(own.before, RatingState { rating: 1_500, deviation: 350, provisional: true });
        assert_eq!((fixed.before.rating, fixed.before.deviation, fixed.handle), (2_271, 45, None));
        // A rated match that ends before the first action does not count for ratings. The player can delete the match only after its end.
        let first: MatchView = anna.post("/api/v1/matches", rated(level.clone())).await.ok();
        let path = format!("/api/v1/matches/{}", first.id);
        assert_eq!(anna.delete(&path).await.code(), Code::NotAllowed);
        assert!(anna.ask(&first.id, "resign").await.ok::<MatchView>().result.is_some());
        assert_eq!(anna.delete(&path).await.status, StatusCode::NO_CONTENT);
        let acted: MatchView = anna.act(&state, &state.current.legal[0].action).await.ok();
        let path = format!("/api/v1/matches/{}", state.id);
        assert_eq!(anna.delete(&path).await.code(), Code::NotAllowed);
        for what in ["undo", "hint"] {
            assert_eq!(anna.ask(&state.id, what).await.code(), Code::NotAllowed, "{what}");
        }
        // The player resigns after an action of the computer opponent, so that the match counts for the player's rating.
        let ready = |state: &MatchView| state.sequence > acted.sequence;
        anna.wait(&state.id, ready).await;
        anna.ask(&state.id, "resign").await.ok::<MatchView>();
        let seen = ratings_of(&mut anna, &state).await;
        let after = seen.a.and_then(|own| own.after).expect("a changed rating");
        // A loss against a much stronger opponent lowers the player's rating only a little.
        assert!((1_480..1_500).contains(&after.rating), "{after:?}");
        assert_eq!(seen.b.map(|fixed| (fixed.before.rating, fixed.after)), Some((2_271, None)));
        let own = profile(&mut anna, "Anna").await;
        assert_eq!((own.ratings.len(), own.ratings[0].results.losses), (1, 1));
        let played = &own.matches[0];
        assert_eq!(
            (played.opponent.as_deref(), played.computer.as_deref()),
            (None, Some("level:7"))
        );
        // The change of the rating stays after the deletion of the match.
        assert_eq!(anna.delete(&path).await.status, StatusCode::NO_CONTENT);
        assert_eq!(profile(&mut anna, "Anna").await.ratings[0].results.losses, 1);
        let board: Leaderboard = anna.get("/api/v1/players?rules=bga").await.ok();
        assert_eq!(board.players.len(), 0, "a provisional rating");
    });
}

#[test]
fn a_profile_shows_unrated_matches_apart_from_rated_matches() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, rated_one) = resigned(&table, ["Anna", "Bert"]).await;
        assert_eq!(profile(&mut guest, "Anna").await.casual, []);
        // Anna plays one unrated match of each kind: against Bert, against a computer level, and against somebody without an account.
        let casual = begin(&mut host, &mut guest, json!({"rated": false})).await;
        resign(&mut host, &mut guest, &casual.id).await;
        let mut nobody = table.browser();
        let unknown = begin_between(&mut host, &mut nobody, "bga").await;
        for _ in 0..2 {
            step(&mut host, &mut nobody, &unknown.id).await;
        }
        host.ask(&unknown.id, "resign").await.ok::<MatchView>();
        let level = host.begin("sackson", json!({"kind": "level", "level": 3})).await;
        host.act(&level, &level.current.legal[0].action).await.ok::<MatchView>();
        host.ask(&level.id, "resign").await.ok::<MatchView>();
        // The profile does not count matches that are running, abandoned, without an opponent, or with the player on both sides.
        begin(&mut host, &mut guest, json!({"rated": false})).await;
        let abandoned = begin(&mut host, &mut guest, json!({"rated": false})).await;
        host.ask(&abandoned.id, "resign").await.ok::<MatchView>();
        // An unrated match without clocks does not count in the profile if one of its persons has not acted.
        let unclocked = begin_between(&mut host, &mut nobody, "bga").await;
        host.ask(&unclocked.id, "resign").await.ok::<MatchView>();
        let unclocked = begin_between(&mut host, &mut nobody, "bga").await;
        step(&mut host, &mut nobody, &unclocked.id).await;
        nobody.ask(&unclocked.id, "resign").await.ok::<MatchView>();
        let unclocked = host.begin("sackson", json!({"kind": "level", "level": 3})).await;
        host.ask(&unclocked.id, "resign").await.ok::<MatchView>();
        for opponent in [json!({"kind": "friend"}), json!({"kind": "both"})] {
            let alone = host.begin("bga", opponent).await;
            host.ask(&alone.id, "resign").await.ok::<MatchView>();
        }
        let days: SharedDeals = host.get("/api/v1/shared-deals").await.ok();
        let SharedDealSummary { name, rules, .. } = &days.today[0];
        let path = format!("/api/v1/shared-deals/{name}/{rules}");
        let shared: MatchView = host.post(&path, json!({})).await.ok();
        host.ask(&shared.id, "resign").await.ok::<MatchView>();

        let own = profile(&mut host, "Anna").await;
        assert_eq!(own.casual_results, RatedResults { wins: 1, draws: 0, losses: 2 });
        let mut facts: Vec<_> = own
            .casual
            .iter()
            .map(|played| {
                let opponent = played.opponent.as_deref().or(played.computer.as_deref());
                (opponent, played.result, played.pace, played.match_id.clone())
            })
            .collect();
        facts.sort_by_key(|(opponent, ..)| opponent.unwrap_or_default().to_owned());
        let (win, loss) = (MatchScoreWire::Win, MatchScoreWire::Loss);
        let expected = [
            (None, loss, None, Some(unknown.id)),
            (Some("Bert"), win, Some(PaceWire::Live), Some(casual.id)),
            (Some("level:3"), loss, None, Some(level.id)),
        ];
        assert_eq!(facts, expected);
        let [only] = &*own.matches else { panic!("one rated match: {own:?}") };
        assert_eq!(only.match_id.as_deref(), Some(&*rated_one.id));
        // Other people see a player's unrated matches without the ids of the matches, and without the handles of opponents with private
        // profiles.
        let mut stranger = table.browser();
        let seen = profile(&mut stranger, "Anna").await;
        assert_eq!((seen.casual.len(), seen.casual_results), (3, own.casual_results));
        assert!(seen.casual.iter().all(|played| played.match_id.is_none()));
        guest.put("/api/v1/me/account/profile", json!({"private": true})).await.ok::<MyAccount>();
        let seen = profile(&mut stranger, "Anna").await;
        assert!(seen.casual.iter().all(|played| played.opponent.is_none()));
        host.put("/api/v1/me/account/profile", json!({"private": true})).await.ok::<MyAccount>();
        assert_eq!(stranger.get("/api/v1/players/Anna").await.code(), Code::NotFound);
        assert_eq!(profile(&mut host, "Anna").await.casual.len(), 3);
    });
}
