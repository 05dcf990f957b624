//! Tests the progress of a player, which consists of statistics of their finished matches. The lost points must agree with the
//! solver, decisions with help must not count, and exports must be complete.

use overmate_rules::{Match, Player};
use overmate_server::wire::{
    Hint, LevelEstimate, MatchView, PlayerKind, ProgressGame, ProgressWire, Streak,
};
use overmate_solver::{Budget, Solver};
use serde_json::json;

use crate::support::{Browser, Table, begin_between, client_id, last_action, run, turn};

const LEVEL: &str = r#"{"kind":"level","level":2}"#;

fn level() -> serde_json::Value {
    serde_json::from_str(LEVEL).expect("an opponent")
}

async fn progress(browser: &mut Browser) -> ProgressWire {
    browser.get("/api/v1/me/progress").await.ok()
}

/// Statistics of player A's decisions in one game, which the test computes with the solver for a comparison with the server.
#[derive(Debug, Default)]
struct Expected {
    lost: u32,
    choices: u32,
    accuracies: f64,
    mistakes: u32,
}

fn expected(play: &Match, index: usize) -> Expected {
    let game = &play.games()[index];
    let seat = Match::seat(index, Player::A);
    let mut solver = Solver::new();
    let review = solver.review(game, &Budget::unlimited());
    let mut expected = Expected::default();
    for (before, action) in review.actions.iter().enumerate().filter(|(_, a)| a.seat == seat) {
        let analysis = solver.analyse(&game.after(before), &Budget::unlimited());
        let values = analysis.actions.iter().filter_map(|action| action.value.exact());
        let values: Vec<i32> = values.map(|value| value.for_seat(seat)).collect();
        let (best, worst) = (values.iter().max(), values.iter().min());
        let range = best.expect("an action") - worst.expect("an action");
        if range == 0 {
            continue;
        }
        let lost = action.lost.expect("few cards");
        expected.lost += lost;
        expected.choices += 1;
        expected.accuracies += 1.0 - f64::from(lost) / f64::from(range);
        expected.mistakes += u32::from(lost > 0);
    }
    expected
}

#[test]
fn the_losses_of_a_match_are_those_of_the_solver() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        assert_eq!(progress(&mut browser).await.matches, 0);
        let mut checked = 0;
        let mut all = Expected::default();
        for rules in ["bga", "sackson"] {
            let state = browser.begin(rules, level()).await;
            let state = browser.finish(state, last_action).await;
            let play = browser.record(&state.id).await;
            let progress = progress(&mut browser).await;
            assert_eq!((progress.waiting, progress.without_values), (0, 0));
            let games = progress.games.iter().filter(|game| game.match_id == state.id);
            for (game, index) in games.zip(0..) {
                let expected = expected(&play, index);
                assert_eq!((game.game, &*game.rules), (index, rules));
                assert_eq!((game.opponent, game.level), (PlayerKind::Level, Some(2)));
                assert_eq!(game.points_lost, Some(expected.lost));
                assert_eq!(game.choices, Some(expected.choices));
                // A game in which no decision of the player could lose points has no accuracy.
                assert_eq!(game.accuracy.is_some(), expected.choices > 0, "{game:?}");
                if let Some(own) = game.accuracy {
                    let accuracy = expected.accuracies / f64::from(expected.choices);
                    assert!((own - accuracy).abs() < 1e-9, "{game:?}");
                }
                let points = play.game_points(index).expect("a finished game");
                assert_eq!(game.points, points.a - points.b);
                all.lost += expected.lost;
                all.choices += expected.choices;
                all.accuracies += expected.accuracies;
                all.mistakes += expected.mistakes;
                checked += 1;
            }
            let [.., result] = &progress.results[..] else { panic!("{progress:?}") };
            let winner = play.result().expect("a result").winner;
            assert_eq!((&*result.rules, result.matches), (rules, 1));
            assert_eq!(result.wins, u32::from(winner == Some(Player::A)));
            assert_eq!(result.losses, u32::from(winner == Some(Player::B)));
            assert_eq!(result.margin, play.totals().a - play.totals().b);
        }
        let progress = progress(&mut browser).await;
        assert_eq!((checked, progress.analysed_games, progress.matches), (8, 8, 2));
        assert_eq!((progress.points_lost, progress.choices), (all.lost, all.choices));
        let accuracy = all.accuracies / f64::from(all.choices);
        assert!((progress.accuracy.expect("choices") - accuracy).abs() < 1e-9);
        let kinds: u32 = progress.mistakes.iter().map(|mistake| mistake.count).sum();
        let lost: u32 = progress.mistakes.iter().map(|mistake| mistake.points_lost).sum();
        assert_eq!((kinds, lost), (all.mistakes, all.lost));
        // A player who always takes the last legal action is no better than the lowest levels.
        let LevelEstimate { level, low, high, decisions } = progress.like_level.expect("decisions");
        assert!(low <= level && level <= high && level <= 2, "{progress:?}");
        assert!(decisions >= progress.choices);
        // The progress statistics of a person do not contain the matches of another person.
        assert_eq!(progress_of_a_stranger(&table).await, 0);
    });
}

async fn progress_of_a_stranger(table: &Table) -> usize {
    let mut stranger = table.browser();
    stranger.begin("bga", json!({"kind": "both"})).await;
    progress(&mut stranger).await.matches
}

/// Requests a hint in a match, and returns a best action from the hint.
async fn hinted(browser: &mut Browser, id: &str) -> String {
    let hint: Hint = browser.ask(id, "hint").await.ok();
    let best = hint.actions.into_iter().find(|action| action.best);
    best.expect("a hint names a best action").action
}

#[test]
fn decisions_with_a_hint_or_after_an_undo_do_not_count() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        // The test chooses the perfect opponent, because a level's random reply could end the first game before the player's second
        // decision. On the deal of this test, the perfect opponent does not end the game so early.
        let state = browser.begin("bga", json!({"kind": "perfect"})).await;
        let action = hinted(&mut browser, &state.id).await;
        let state = browser.look(&state.id).await;
        let state: MatchView = browser.act(&state, &action).await.ok();
        let own = overmate_server::wire::PlayerWire::A;
        browser.wait(&state.id, |state| turn(state) == Some(own)).await;
        let action = hinted(&mut browser, &state.id).await;
        let state = browser.look(&state.id).await;
        assert_eq!(state.game, 0, "the second decision is in the first game");
        let place = state.current.steps.len();
        browser.act(&state, &action).await;
        let undone: MatchView = browser.ask(&state.id, "undo").await.ok();
        assert_eq!(undone.current.steps.len(), place);
        let state = browser.finish(undone, last_action).await;
        let play = browser.record(&state.id).await;
        let progress = progress(&mut browser).await;
        let helped: Vec<usize> = progress.games.iter().map(|game| game.help).collect();
        assert_eq!(helped, [3, 0, 0, 0], "two hints and an undo");
        // The statistics do not count the player's decisions with a hint or after an undo. On this deal, these decisions could lose points.
        let first = expected(&play, 0);
        assert!(progress.games[0].choices <= Some(first.choices - 2), "{:?}", progress.games[0]);
        for index in 1..4 {
            assert_eq!(progress.games[index].choices, Some(expected(&play, index).choices));
        }
    });
}

#[test]
fn the_values_of_a_deal_are_withheld_while_it_is_played_without_help() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest) = (table.browser(), table.browser());
        // First, the player resigns a match against a computer opponent, on the same deal as their later match against a person.
        let own = host.begin("bga", level()).await;
        host.ask(&own.id, "resign").await;
        let state = begin_between(&mut host, &mut guest, "bga").await;
        assert_eq!(state.current.deal, own.current.deal);
        let before = progress(&mut host).await;
        assert_eq!((before.matches, before.without_values), (1, 1));
        assert!(before.games.iter().all(|game| game.points_lost.is_none()), "{before:?}");
        assert_eq!((before.accuracy, before.like_level), (None, None));
        // A match does not count in the statistics of its players while the match runs. After its end, the match counts for both.
        assert_eq!(progress(&mut guest).await.matches, 0);
        guest.ask(&state.id, "resign").await;
        let after = progress(&mut host).await;
        assert_eq!((after.matches, after.without_values, after.waiting), (2, 0, 0));
        let friend = after.results.iter().find(|result| result.opponent == PlayerKind::Friend);
        assert_eq!(friend.map(|result| (result.matches, result.wins)), Some((1, 1)));
        assert_eq!(progress(&mut guest).await.results[0].losses, 1);
    });
}

#[test]
fn a_request_analyses_a_few_matches_and_later_requests_go_on() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        for _ in 0..9 {
            let state = browser.begin("sackson", level()).await;
            browser.ask(&state.id, "resign").await;
        }
        let large = browser.begin("bga+pinochle", level()).await;
        browser.ask(&large.id, "resign").await;
        let first = progress(&mut browser).await;
        assert_eq!((first.matches, first.waiting, first.without_values), (10, 1, 1));
        let second = progress(&mut browser).await;
        assert_eq!((second.matches, second.waiting, second.without_values), (10, 0, 1));
        assert_eq!((second.analysed_games, second.games.len()), (9, 10));
        assert_eq!(second.puzzles, Streak::default());
        let rules: Vec<_> = second.results.iter().map(|row| (&*row.rules, row.losses)).collect();
        assert_eq!(rules, [("bga+pinochle", 1), ("sackson", 9)]);
    });
}

#[test]
fn the_exports_hold_all_games() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let state = browser.begin("bga", level()).await;
        browser.finish(state, last_action).await;
        for _ in 0..9 {
            let state = browser.begin("bga", json!({"kind": "perfect"})).await;
            let body = json!({"client_id": client_id()});
            browser.post(&format!("/api/v1/matches/{}/resign", state.id), body).await;
        }
        let games: Vec<ProgressGame> = browser.get("/api/v1/me/games.json").await.ok();
        assert_eq!(games.len(), 13);
        assert!(games.iter().all(|game| game.points_lost.is_some()));
        assert_eq!(games, progress(&mut browser).await.games);
        let answer = browser.get("/api/v1/me/games.csv").await;
        assert_eq!(answer.headers["content-type"], "text/csv; charset=utf-8");
        assert!(answer.headers["content-disposition"].to_str().unwrap().contains(".csv"));
        let text = answer.text();
        let mut lines = text.split_terminator("\r\n").map(|line| line.split(',').collect());
        let names: Vec<&str> = lines.next().expect("the names");
        assert_eq!(names.len(), 12);
        let mut compared = 0;
        for (line, game) in lines.zip(&games) {
            let line: Vec<&str> = line;
            let value = serde_json::to_value(game).expect("an object");
            for (name, text) in names.iter().zip(&line) {
                let value = &value[*name];
                match value.as_f64() {
                    Some(number) => {
                        let read: f64 = text.parse().expect("a number");
                        assert!((read - number).abs() < 1e-4, "{name}");
                    }
                    None if value.is_boolean() => assert_eq!(value.to_string(), *text, "{name}"),
                    None => assert_eq!(value.as_str().unwrap_or_default(), *text, "{name}"),
                }
                compared += 1;
            }
        }
        assert_eq!(compared, 13 * 12);
    });
}
