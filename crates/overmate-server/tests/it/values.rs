//! Tests that none of a player's devices gets exact values of a deal that the player plays without help.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::StatusCode;
use overmate_rules::{BySeat, CardSet, Deal, RuleSet};
use overmate_server::wire::{Code, MatchView, ProgressWire, PuzzleWire};
use serde_json::{Value, json};

use crate::ratings::{PASSWORD, begin, invitation, make_account, rated};
use crate::support::{Answer, Browser, Table, last_action, run};

/// Ids of the API operations that give exact values of a deal, or actions of a computer opponent on the deal. The function [`given`] tests
/// these operations.
const WITH_VALUES: [&str; 13] = [
    "analyse",
    "attempt_puzzle",
    "checkAnalysis",
    "create_match",
    "export_games",
    "export_games_table",
    "hint",
    "next_puzzle",
    "progress",
    "read_puzzle",
    "read_shared_deal",
    "review",
    "undo",
];

/// Ids, separated by white space, of the API operations that reveal no exact values of a deal that a player is playing.
/// The tests do not check these operations. Three of the operations give other values. Lessons give values of fixed
/// deals, and finished events give the values of their deals, which are the same for everybody. The list of shared
/// deals gives the points that a player lost in their own finished match.
const WITHOUT_VALUES: &str = "
    list_events make_event remove_event read_event join_event leave_event start_event identify read_invitation join read_lesson
    list_offers watch_offers list_matches hand_in delete_match read_match act read_answers set_answers answer_choices
    opponent_relation add_opponent heed_opponent ignore_opponent connect read_note set_note pause match_ratings read_record
    rematch report_opponent resign read_talk send_talk erase account make_account become_bot set_handle passkeys add_passkey
    begin_passkey remove_passkey set_password set_profile bot_tokens make_bot_token remove_bot_token browsers add_browser
    sign_out make_code days_off set_days_off export favourites remove_favourite add_favourite revoke_feed feed make_feed
    ignored heed heed_player ignore_player mail set_mail confirm_mail remove_mail set_turn_mails stop_turn_mails measures
    confirm_warning unsubscribe_push push subscribe_push export_puzzles_table export_puzzles request_recovery recover sign_in
    begin_passkey_sign_in sign_in_with_passkey visibility set_visibility make_offer withdraw_offer accept_offer
    decline_challenge leaderboard player privacy list_programs public_matches people_here list_puzzles
    list_rules read_rules list_shared_deals play_shared_deal";

#[test]
fn each_operation_is_classified_by_whether_it_gives_values() {
    let document: Value = serde_json::from_str(&overmate_server::openapi_json()).unwrap();
    let paths = document["paths"].as_object().unwrap().values();
    let operations = paths.flat_map(|path| path.as_object().unwrap().values());
    let ids: BTreeSet<&str> = operations.filter_map(|of| of["operationId"].as_str()).collect();
    let without: BTreeSet<&str> = WITHOUT_VALUES.split_whitespace().collect();
    let with = BTreeSet::from(WITH_VALUES);
    assert!(with.is_disjoint(&without));
    assert_eq!(ids, &with | &without);
}

/// Deal, puzzle and two matches for which a test requests exact values. Both matches belong to one player and are
/// played on the deal.
struct Known {
    /// Deal number of yesterday's shared deal.
    deal: String,
    /// URL path of yesterday's shared deal.
    shared_deal: String,
    puzzle: PuzzleWire,
    /// Id of the player's finished match against a computer opponent.
    finished: String,
    /// Id of an unfinished match in which the player holds both seats.
    both: String,
}

/// Returns whether the server gave the requested exact values. Otherwise the server must have refused the request because of a running
/// match.
#[track_caller]
fn is_given(answer: &Answer) -> bool {
    answer.status.is_success() || {
        assert_eq!(answer.code(), Code::MatchRunning);
        false
    }
}

/// Requests the exact values of a given deal and puzzle by every API operation that gives exact values. Returns for each operation whether
/// the server gave values.
async fn given(device: &mut Browser, known: &Known) -> BTreeMap<&'static str, bool> {
    let Known { deal, both, puzzle, .. } = known;
    let mut given = BTreeMap::new();
    let deal = json!({"rules": "bga", "deal": deal});
    for (name, path) in
        [("analyse", "/api/v1/analysis"), ("checkAnalysis", "/api/v1/analysis/check")]
    {
        given.insert(name, is_given(&device.post(path, deal.clone()).await));
    }
    let mut new = deal;
    new["opponent"] = json!({"kind": "level", "level": 1});
    given.insert("create_match", is_given(&device.post("/api/v1/matches", new).await));
    given.insert("hint", is_given(&device.ask(both, "hint").await));
    let state = device.look(both).await;
    let _: MatchView = device.act(&state, &state.current.legal[0].action).await.ok();
    given.insert("undo", is_given(&device.ask(both, "undo").await));
    for (name, path) in [
        ("review", format!("/api/v1/matches/{}/review?game=0", known.finished)),
        ("read_shared_deal", known.shared_deal.clone()),
        ("read_puzzle", format!("/api/v1/puzzles/{}", puzzle.id)),
    ] {
        given.insert(name, is_given(&device.get(&path).await));
    }
    let attempt = json!({"actions": [puzzle.solution[0]]});
    let path = format!("/api/v1/puzzles/{}/attempts", puzzle.id);
    given.insert("attempt_puzzle", is_given(&device.post(&path, attempt).await));
    let progress: ProgressWire = device.get("/api/v1/me/progress").await.ok();
    assert_eq!((progress.matches, progress.waiting), (1, 0));
    given.insert("progress", progress.without_values == 0);
    let games: Vec<Value> = device.get("/api/v1/me/games.json").await.ok();
    assert_eq!(games.len(), 2);
    given.insert("export_games", games.iter().any(|game| !game["points_lost"].is_null()));
    let table = device.get("/api/v1/me/games.csv").await.text();
    let (names, games) = table.split_once("\r\n").unwrap();
    let column = names.split(',').position(|name| name == "points_lost").expect("a column");
    let mut losses = games.lines().map(|line| line.split(',').nth(column).expect("a field"));
    given.insert("export_games_table", losses.any(|lost| !lost.is_empty()));
    // The puzzle has one of the highest ratings, so that the server often chooses this puzzle for the requests of the test.
    let next = format!("/api/v1/puzzles/next?rules=bga&rating=4000&above={}", puzzle.rating - 1.0);
    let mut is_drawn = false;
    for _ in 0..60 {
        let answer = device.get(&next).await;
        // The server responds with status 404 if it withholds `puzzle` and no other puzzle has a rating above the query parameter `above`.
        let is_none = answer.status == StatusCode::NOT_FOUND;
        is_drawn |= !is_none && answer.ok::<PuzzleWire>().id == puzzle.id;
    }
    given.insert("next_puzzle", is_drawn);
    given
}

/// Returns the deal number of a deal in the rule set `bga` whose hands contain the hands of a puzzle.
fn deal_of(puzzle: &PuzzleWire) -> u64 {
    let rules = RuleSet::named("bga").unwrap().shared();
    let setup = rules.read_position(&puzzle.position).unwrap();
    let BySeat { first, second } = setup.validate(&rules).unwrap().hands();
    let holds = |all: CardSet, cards: CardSet| cards.is_subset(all);
    let is_deal = |number: &u64| {
        let dealt = Deal::numbered(&rules, *number).unwrap().hands();
        holds(dealt.first, first) && holds(dealt.second, second)
    };
    (0..184_756).find(is_deal).expect("a deal")
}

#[test]
fn no_device_of_a_player_gets_values_of_a_running_deal() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest) = (table.browser(), table.browser());
        let mut devices = [table.browser(), table.browser()];
        make_account(&mut host, "Anna").await;
        make_account(&mut guest, "Bert").await;
        let code = host.make_codes("link").await.codes.remove(0);
        assert!(devices[0].join(&code).await.status.is_success());
        let sign_in = json!({"handle": "Bert", "password": PASSWORD});
        assert!(devices[1].post("/api/v1/me/sign-in", sign_in).await.status.is_success());

        let shared: Value = host.get("/api/v1/shared-deals").await.ok();
        let yesterday = shared["yesterday"].as_array().unwrap();
        let yesterday = yesterday.iter().find(|deal| deal["rules"] == "bga").expect("a deal");
        let deal = yesterday["deal"].as_str().unwrap();
        let shared_deal =
            format!("/api/v1/shared-deals/{}/bga", yesterday["name"].as_str().unwrap());
        let puzzle: PuzzleWire =
            table.browser().get("/api/v1/puzzles/next?rules=bga&rating=4000").await.ok();
        let puzzle_deal = deal_of(&puzzle).to_string();
        let mut known = Vec::new();
        for player in [&mut host, &mut guest] {
            let mut new = json!({"rules": "bga", "deal": deal, "lead": "me", "one_round": true});
            new["opponent"] = json!({"kind": "both"});
            let both: MatchView = player.post("/api/v1/matches", new.clone()).await.ok();
            new["opponent"] = json!({"kind": "level", "level": 1});
            let against: MatchView = player.post("/api/v1/matches", new).await.ok();
            let finished = player.finish(against, last_action).await;
            known.push(Known {
                deal: deal.to_owned(),
                shared_deal: shared_deal.clone(),
                puzzle: puzzle.clone(),
                finished: finished.id,
                both: both.id,
            });
        }

        let everything: BTreeMap<&str, bool> = WITH_VALUES.map(|name| (name, true)).into();
        let nothing: BTreeMap<&str, bool> = WITH_VALUES.map(|name| (name, false)).into();
        for (device, known) in devices.iter_mut().zip(&known) {
            assert_eq!(given(device, known).await, everything, "before the matches");
        }
        let mut running = vec![begin(&mut host, &mut guest, json!({})).await];
        for deal in [deal, &puzzle_deal] {
            let new = rated(json!({"rated": false, "deal": deal}));
            let state: MatchView = host.post("/api/v1/matches", new).await.ok();
            running.push(guest.post(&invitation(&state), json!({})).await.ok::<MatchView>());
        }
        for (device, known) in devices.iter_mut().zip(&known) {
            assert_eq!(given(device, known).await, nothing, "during the matches");
            let rated = json!({"rules": "bga", "deal": running[0].current.deal});
            assert!(!is_given(&device.post("/api/v1/analysis", rated).await));
        }
        for state in running {
            let _: MatchView = guest.ask(&state.id, "resign").await.ok();
        }
        for (device, known) in devices.iter_mut().zip(&known) {
            assert_eq!(given(device, known).await, everything, "after the matches");
        }
    });
}
