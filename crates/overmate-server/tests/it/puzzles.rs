//! Tests puzzles: selection, states, attempts, ratings, export and erasure.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use overmate_puzzles::{PuzzleEntry, PuzzleSet, Theme};
use overmate_rules::RuleSet;
use overmate_server::wire::{
    AttemptResult, Code, Export, ProgressWire, PuzzleOverview, PuzzleTheme, PuzzleWire, Streak,
};
use overmate_solver::{Budget, Solver};
use serde_json::json;
use sqlx::Connection as _;

use crate::support::{Browser, Table, run};

/// Returns the correct actions along the main line of a puzzle. These actions form a successful attempt.
fn solution(puzzle: &PuzzleWire) -> Vec<String> {
    let mut actions = Vec::new();
    let mut at = 0;
    while let Some(choice) = puzzle.states[at].choices.iter().find(|choice| choice.next.is_some()) {
        actions.push(choice.action.clone());
        at = choice.next.expect("a right action");
    }
    actions
}

async fn next(browser: &mut Browser, query: &str) -> PuzzleWire {
    browser.get(&format!("/api/v1/puzzles/next?{query}")).await.ok()
}

async fn attempt(browser: &mut Browser, puzzle: &PuzzleWire, actions: &[String]) -> AttemptResult {
    let path = format!("/api/v1/puzzles/{}/attempts", puzzle.id);
    browser.post(&path, json!({"actions": actions})).await.ok()
}

#[test]
fn only_the_first_attempt_of_a_browser_changes_its_rating() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let puzzle = next(&mut browser, "rules=bga").await;
        assert!(!puzzle.tried);
        let right = solution(&puzzle);

        let first = attempt(&mut browser, &puzzle, &right).await;
        assert!(first.solved && first.counted && first.rating > first.before, "{first:?}");
        // An attempt of a new player does not change the rating of the puzzle.
        assert!((first.puzzle - puzzle.rating).abs() < 1e-9, "{first:?}");
        // A second device with the same browser identity makes another attempt at the same puzzle.
        let mut device = browser.clone();
        let again = attempt(&mut device, &puzzle, &[]).await;
        assert!(!again.solved && !again.counted, "{again:?}");
        assert_eq!((again.rating, again.puzzle), (first.rating, first.puzzle));

        let other = table.browser().get(&format!("/api/v1/puzzles/{}", puzzle.id)).await;
        let other: PuzzleWire = other.ok();
        assert!(!other.tried && (other.rating - first.puzzle).abs() < 1e-9);
        let overview: PuzzleOverview = browser.get("/api/v1/puzzles").await.ok();
        assert_eq!((overview.attempts, overview.solved, overview.latest.len()), (1, 1, 1));
        assert!((overview.rating - first.rating).abs() < 1e-9);
        assert!(overview.sets.iter().any(|set| set.rules == "bga" && set.puzzles >= 3000));
    });
}

#[test]
fn the_progress_tells_the_longest_series_of_solved_puzzles() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        for solved in 1..=3 {
            let puzzle = next(&mut browser, "rules=bga").await;
            assert!(attempt(&mut browser, &puzzle, &solution(&puzzle)).await.counted);
            let progress: ProgressWire = browser.get("/api/v1/me/progress").await.ok();
            assert_eq!(progress.puzzles, Streak { current: solved, longest: solved });
        }
    });
}

/// Attempts a new puzzle within a puzzle run (streak or storm), or in training if `run` is `None`. The attempt has the correct
/// actions of the main line, or no action.
async fn attempt_in(browser: &mut Browser, run: Option<&str>, is_solved: bool) {
    let puzzle = next(browser, "rules=bga&rating=400").await;
    let actions = if is_solved { solution(&puzzle) } else { Vec::new() };
    let path = format!("/api/v1/puzzles/{}/attempts", puzzle.id);
    let result: AttemptResult =
        browser.post(&path, json!({"actions": actions, "run": run})).await.ok();
    assert_eq!((result.solved, result.counted), (is_solved, true));
}

#[test]
fn the_best_streak_and_storm_follow_from_the_attempts_and_come_along_to_another_browser() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let bests = async |browser: &mut Browser| {
            let overview: PuzzleOverview = browser.get("/api/v1/puzzles").await.ok();
            (overview.best_streak, overview.best_storm)
        };
        assert_eq!(bests(&mut browser).await, (0, 0));
        let (first, second) = ("streak:01234567", "streak:12345678");
        let storm = "storm:23456789";
        let mut checked = 0;
        for (run, is_solved, expected) in [
            (Some(first), true, (1, 0)),
            (Some(first), true, (2, 0)),
            (Some(first), false, (2, 0)),
            // The failed attempt has ended the streak, so that further attempts do not count for the streak. Attempts in training
            // count for no run.
            (Some(first), true, (2, 0)),
            (None, true, (2, 0)),
            (Some(second), true, (2, 0)),
            (Some(storm), true, (2, 1)),
            (Some(storm), false, (2, 1)),
            (Some(storm), true, (2, 2)),
            (Some(storm), true, (2, 3)),
        ] {
            attempt_in(&mut browser, run, is_solved).await;
            assert_eq!(bests(&mut browser).await, expected, "{run:?}");
            checked += 1;
        }
        assert_eq!(checked, 10);

        let mut phone = table.browser();
        attempt_in(&mut phone, Some("streak:34567890"), true).await;
        assert_eq!(bests(&mut phone).await, (1, 0));
        let code = browser.make_codes("link").await;
        let added = phone.join(&code.codes[0]).await;
        assert!(added.status.is_success(), "{}", added.text());
        assert_eq!(bests(&mut phone).await, (2, 3));

        let file = browser.get("/api/v1/me/puzzles.csv").await.text();
        let lines = |end: &str| file.lines().filter(|line| line.ends_with(end)).count();
        assert_eq!((lines(first), lines(second), lines(storm)), (3, 1, 4), "{file}");
    });
}

#[test]
fn simultaneous_attempts_of_two_devices_count_once() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        browser.post("/api/v1/identity", json!({})).await;
        let puzzle = next(&mut browser, "rules=bga").await;
        let right = solution(&puzzle);
        let (mut one, mut two) = (browser.clone(), browser.clone());
        let (one, two) =
            tokio::join!(attempt(&mut one, &puzzle, &right), attempt(&mut two, &puzzle, &right));
        assert!(one.counted != two.counted, "{one:?} {two:?}");
        let overview: PuzzleOverview = browser.get("/api/v1/puzzles").await.ok();
        assert_eq!(overview.attempts, 1);
    });
}

#[test]
fn puzzles_are_near_the_wanted_rating_and_have_the_wanted_theme() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        for rating in [500, 1200, 2000] {
            let query = format!("rules=sackson&theme=wait&rating={rating}");
            let puzzle = next(&mut browser, &query).await;
            assert!((puzzle.rating - f64::from(rating)).abs() < 250.0, "{}", puzzle.rating);
            assert!(puzzle.themes.contains(&PuzzleTheme(Theme::Wait)));
        }
        let code = browser.get("/api/v1/puzzles/next?rules=bga&theme=overmate").await.code();
        assert_eq!(code, Code::NotFound);
        assert_eq!(browser.get("/api/v1/puzzles/next?rules=denexa").await.code(), Code::NotFound);
        assert_eq!(browser.get("/api/v1/puzzles/0123").await.code(), Code::NotFound);
    });
}

/// Fails a given puzzle as a new test client, and returns the puzzle's rating after the failure. The client attempts
/// another puzzle before.
async fn fail(table: &Table, id: &str) -> f64 {
    let mut browser = table.browser();
    let earlier = next(&mut browser, "rules=bga").await;
    attempt(&mut browser, &earlier, &[]).await;
    // The test lowers the deviation of the player's puzzle rating, as attempts at more puzzles would do. The next attempt then changes the
    // rating of the puzzle.
    table.execute("UPDATE puzzle_players SET deviation = 100").await;
    let path = format!("/api/v1/puzzles/{id}/attempts");
    browser.post(&path, json!({"actions": []})).await.ok::<AttemptResult>().puzzle
}

#[test]
fn browsers_without_cookies_attempt_puzzles_within_the_limit_of_new_matches() {
    run(async {
        let table = Table::limited(|limits| limits.matches_per_hour = Some(3)).await;
        let mut known = table.browser();
        let puzzle = next(&mut known, "rules=bga").await;
        assert!(attempt(&mut known, &puzzle, &[]).await.counted);
        let path = format!("/api/v1/puzzles/{}/attempts", puzzle.id);
        let mut counted = 0;
        for _ in 0..10 {
            let answer = table.browser().post(&path, json!({"actions": []})).await;
            if answer.status == StatusCode::OK {
                counted += 1;
            } else {
                assert_eq!(answer.code(), Code::TooMany);
            }
        }
        assert_eq!(counted, 2);
        // A browser that already has an identity may attempt further puzzles, although new browsers of the network have reached the limit.
        let puzzle = next(&mut known, "rules=bga").await;
        assert!(attempt(&mut known, &puzzle, &[]).await.counted);
    });
}

#[test]
fn puzzles_are_chosen_by_the_ratings_that_follow_from_the_attempts() {
    run(async {
        let table = Table::new().await;
        let rules = RuleSet::named("sackson").expect("a rule set").shared();
        let set = PuzzleSet::embedded(&rules).expect("a set");
        let entries = set.entries().iter().filter(|entry| entry.themes.contains(Theme::Overmate));
        let (dull, entries): (Vec<&PuzzleEntry>, Vec<_>) =
            entries.partition(|entry| set.is_dull(entry));
        let mut ratings: Vec<(f64, String)> =
            entries.iter().map(|entry| (f64::from(entry.rating), entry.id.clone())).collect();
        ratings.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(dull.len() > 20, "the set has dull puzzles that the choice avoids");
        // Players fail the easiest puzzles until the puzzles' ratings are far from their first ratings.
        let easiest = ratings[0].0;
        let mut moved = 0;
        for (rating, id) in &mut ratings {
            if *rating > easiest + 50.0 {
                break;
            }
            while *rating < easiest + 150.0 {
                *rating = fail(&table, id).await;
            }
            moved += 1;
        }
        assert!(moved > 0);
        let closest = ratings.iter().map(|(rating, _)| (rating - easiest).abs());
        let closest = closest.min_by(f64::total_cmp).expect("a puzzle");
        for _ in 0..20 {
            let query = format!("rules=sackson&theme=overmate&rating={easiest}");
            let found = next(&mut table.browser(), &query).await;
            let known =
                ratings.iter().find(|(_, id)| *id == found.id).expect("a puzzle that is not dull");
            assert!((found.rating - known.0).abs() < 1e-9, "{} {}", found.rating, known.0);
            assert!((found.rating - easiest).abs() <= closest + 25.0 + 1e-9, "{}", found.rating);
        }
    });
}

#[test]
fn dull_puzzles_come_only_after_the_others_near_the_rating() {
    run(async {
        let table = Table::new().await;
        let rules = RuleSet::named("sackson+free-move").expect("a rule set").shared();
        let set = PuzzleSet::embedded(&rules).expect("a set");
        let is_dull = |id: &str| set.is_dull(set.find(id).expect("a puzzle of the set"));
        let near = |entry: &&PuzzleEntry| (f64::from(entry.rating) - 1_200.0).abs() < 100.0;
        let near: Vec<&PuzzleEntry> = set.entries().iter().filter(near).collect();
        let others = near.iter().filter(|entry| !set.is_dull(entry)).count();
        assert!(others > 10 && near.len() - others > 4, "{others} of {}", near.len());
        let mut browser = table.browser();
        let (mut dull, mut found) = (0, BTreeSet::new());
        // The server chooses untried puzzles first, so that the changed ratings of tried puzzles do not influence the order of its choices.
        for number in 0..set.entries().len() {
            let puzzle = next(&mut browser, "rules=sackson%2Bfree-move&rating=1200").await;
            assert!(!puzzle.tried);
            dull += usize::from(is_dull(&puzzle.id));
            assert!(dull == 0 || number >= others, "{number}: {}", puzzle.id);
            assert!(attempt(&mut browser, &puzzle, &[]).await.counted);
            assert!(found.insert(puzzle.id));
        }
        assert_eq!(found.len(), set.entries().len());
        assert!(dull >= near.len() - others, "{dull}");
        // The player has tried all puzzles of the set, so that the server offers a tried puzzle again.
        assert!(next(&mut browser, "rules=sackson%2Bfree-move&rating=1200").await.tried);
    });
}

#[test]
fn a_streak_gets_harder_with_every_puzzle_until_none_is_harder() {
    run(async {
        let table = Table::new().await;
        let mut checked = 0;
        for (query, steps) in [
            ("rules=bga", 12),
            ("rules=sackson&theme=overmate", 12),
            // Only few puzzles have the theme `free-move` or `demand`.
            ("rules=sackson%2Bfree-move&theme=free-move", usize::MAX),
            ("rules=rael%2Bkings-privilege&theme=demand", usize::MAX),
        ] {
            let mut browser = table.browser();
            let (mut last, mut seen) = (0.0, BTreeSet::new());
            for step in 0..steps {
                let wanted = (400 + 75 * step).min(3_000);
                let query = format!("{query}&rating={wanted}&above={last}");
                let answer = browser.get(&format!("/api/v1/puzzles/next?{query}")).await;
                if answer.status == StatusCode::NOT_FOUND {
                    break;
                }
                let puzzle: PuzzleWire = answer.ok();
                assert!(puzzle.rating > last, "{query}: {}", puzzle.rating);
                last = puzzle.rating;
                let right = solution(&puzzle);
                assert!(attempt(&mut browser, &puzzle, &right).await.counted);
                assert!(seen.insert(puzzle.id), "{query}");
                checked += 1;
            }
            assert!(steps == usize::MAX || seen.len() == steps, "{query}");
            assert!(!seen.is_empty(), "{query}");
        }
        assert!(checked > 24, "{checked}");
        let refused = table.browser().get("/api/v1/puzzles/next?rules=bga&above=4001").await;
        assert_eq!(refused.code(), Code::BadRequest);
        let refused = table.browser().get("/api/v1/puzzles/next?rules=bga&above=NaN").await;
        assert_eq!(refused.code(), Code::BadRequest);
    });
}

#[test]
fn states_follow_the_rules_and_their_values_are_exact() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let mut solver = Solver::new();
        let mut checked = 0;
        for rules in ["bga", "sackson", "rael+kings-privilege", "sackson+free-move"] {
            let query = format!("rules={}", rules.replace('+', "%2B"));
            let puzzle = next(&mut browser, &query).await;
            let rules = RuleSet::named(rules).expect("a rule set").shared();
            let start = rules.read_position(&puzzle.position).expect("a position");
            let start = start.validate(&rules).expect("a position");
            // The test computes the position of each puzzle state from the actions that lead to the state.
            let mut positions = vec![start];
            for (index, state) in puzzle.states.iter().enumerate() {
                let position = positions[index].clone();
                let values = solver.analyse_position(&position, &Budget::unlimited()).actions;
                assert!(state.choices.is_empty() || state.choices.len() == values.len());
                for (choice, value) in state.choices.iter().zip(&values) {
                    assert_eq!(choice.action, rules.action_text(value.action).to_string());
                    let exact = value.value.exact().expect("few cards");
                    let seat = position.to_act().expect("a decision");
                    assert_eq!(choice.value, exact.for_seat(seat));
                    checked += 1;
                    let Some(next) = choice.next else { continue };
                    let mut at = position.clone();
                    for played in &puzzle.states[next].played {
                        assert_eq!(at.to_act().map(Into::into), Some(played.seat));
                        let action = rules.read_action(&played.action).expect("an action");
                        at = at.play(action).expect("a legal action");
                    }
                    positions.resize(positions.len().max(next + 1), at.clone());
                    positions[next] = at;
                }
            }
        }
        assert!(checked > 10, "{checked}");
    });
}

#[test]
fn the_ending_continues_the_solution_to_the_mate() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let rules = RuleSet::named("sackson").expect("a rule set").shared();
        let set = PuzzleSet::embedded(&rules).expect("a set");
        let with_ending = set
            .entries()
            .iter()
            .filter(|entry| set.read(entry).is_ok_and(|puzzle| !puzzle.ending.is_empty()));
        let mut checked = 0;
        for entry in with_ending.step_by(50) {
            let puzzle: PuzzleWire =
                browser.get(&format!("/api/v1/puzzles/{}", entry.id)).await.ok();
            let position = rules.read_position(&puzzle.position).expect("a position");
            let mut at = position.validate(&rules).expect("a position");
            for action in puzzle.solution.iter().chain(&puzzle.ending) {
                let action = rules.read_action(action).expect("an action");
                at = at.play(action).expect("a legal action");
            }
            assert_eq!(at.mate().map(|mate| mate.by.into()), Some(puzzle.solver), "{puzzle:?}");
            checked += 1;
        }
        assert!(checked > 5, "{checked}");
    });
}

#[test]
fn an_attempt_at_a_puzzle_that_a_new_collection_lacks_stays_in_all_lists() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let puzzle = next(&mut browser, "rules=bga").await;
        let result = attempt(&mut browser, &puzzle, &solution(&puzzle)).await;
        // The test changes the stored id of the tried puzzle to an id that the current collection lacks, like the id of a removed puzzle.
        let removed = "0123456789ab";
        let mut other = table.connect().await;
        for update in
            ["UPDATE puzzle_attempts SET puzzle = ?1", "UPDATE puzzle_ratings SET puzzle = ?1"]
        {
            let changed = sqlx::query(update).bind(removed).execute(&mut other).await.unwrap();
            assert_eq!(changed.rows_affected(), 1, "{update}");
        }
        other.close().await.unwrap();
        let cookie = browser.cookie.clone();
        let table = table.restart().await;
        let mut browser = table.browser();
        browser.cookie = cookie;

        let overview: PuzzleOverview = browser.get("/api/v1/puzzles").await.ok();
        assert_eq!((overview.attempts, overview.solved), (1, 1));
        assert_eq!(overview.latest[0].puzzle, removed);
        assert!((overview.rating - result.rating).abs() < 1e-9);
        let progress: ProgressWire = browser.get("/api/v1/me/progress").await.ok();
        assert_eq!(progress.puzzles, Streak { current: 1, longest: 1 });
        let export: Export = browser.get("/api/v1/me/export").await.ok();
        assert_eq!(export.puzzle_attempts[0].puzzle, removed);
        let file = browser.get("/api/v1/me/puzzles.csv").await.text();
        assert!(file.contains(&format!("\n{removed},bga,true,")), "{file}");

        let path = format!("/api/v1/puzzles/{removed}");
        assert_eq!(browser.get(&path).await.code(), Code::NotFound);
        let again = browser.post(&format!("{path}/attempts"), json!({"actions": []})).await;
        assert_eq!(again.code(), Code::NotFound);
        let page = browser.get(&format!("/puzzles/{removed}")).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND);
        // The puzzle counts as untried, because the test has stored the player's attempt under the id of a removed puzzle. The server still
        // chooses further puzzles.
        let open: PuzzleWire = browser.get(&format!("/api/v1/puzzles/{}", puzzle.id)).await.ok();
        assert!(!open.tried);
        let other = next(&mut browser, "rules=bga").await;
        assert!(attempt(&mut browser, &other, &solution(&other)).await.counted);
        let overview: PuzzleOverview = browser.get("/api/v1/puzzles").await.ok();
        assert_eq!(overview.attempts, 2);
    });
}

#[test]
fn impossible_attempts_are_refused() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let puzzle = next(&mut browser, "rules=bga").await;
        let path = format!("/api/v1/puzzles/{}/attempts", puzzle.id);
        let send = |actions: serde_json::Value| json!({"actions": actions});
        for (actions, code) in [
            (json!(["??"]), Code::BadRequest),
            (json!(["(Ac)"]), Code::IllegalAction),
            (json!(vec!["Ac"; 6]), Code::BadRequest),
            (json!(["A".repeat(50)]), Code::BadRequest),
        ] {
            assert_eq!(browser.post(&path, send(actions)).await.code(), code);
        }
        for run in ["train:01234567", "streak:0123456", "streak", "storm:0123456%"] {
            let body = json!({"actions": solution(&puzzle), "run": run});
            assert_eq!(browser.post(&path, body).await.code(), Code::BadRequest, "{run}");
        }
        let mut long = solution(&puzzle);
        if long.len() < 5 {
            long.push("Ac".to_owned());
            assert_eq!(browser.post(&path, send(json!(long))).await.code(), Code::BadRequest);
        }
        let overview: PuzzleOverview = browser.get("/api/v1/puzzles").await.ok();
        assert_eq!(overview.attempts, 0);
    });
}

#[test]
fn attempts_survive_a_restart_and_are_exported_and_erased() {
    run(async {
        let mut table = Table::new().await;
        let mut browser = table.browser();
        let puzzle = next(&mut browser, "rules=bga").await;
        attempt(&mut browser, &puzzle, &solution(&puzzle)).await;
        table = table.restart().await;
        let mut browser = browser.at(&table.server);
        let export: Export = browser.get("/api/v1/me/export").await.ok();
        let attempts: Vec<_> =
            export.puzzle_attempts.iter().map(|a| (&*a.puzzle, a.solved)).collect();
        assert_eq!(attempts, [(&*puzzle.id, true)]);
        let table = browser.get("/api/v1/me/puzzles.csv").await;
        assert_eq!(table.headers["content-type"], "text/csv; charset=utf-8");
        let attempt = &export.puzzle_attempts[0];
        let line = format!("{},bga,true,{:.2},{},", puzzle.id, attempt.rating, attempt.at);
        assert_eq!(table.text(), format!("puzzle,rules,solved,rating,at,run\n{line}\n"));
        let file = browser.get("/api/v1/me/puzzles.json").await;
        assert_eq!(
            file.headers["content-disposition"],
            "attachment; filename=\"overmate-puzzles.json\""
        );
        let values: serde_json::Value = file.ok();
        assert_eq!(
            values,
            json!([{"puzzle": puzzle.id, "rules": "bga", "solved": true, "rating": attempt.rating, "at": attempt.at, "run": null}])
        );

        let mut former = browser.clone();
        assert_eq!(browser.erase().await.status, StatusCode::NO_CONTENT);
        let overview: PuzzleOverview = former.get("/api/v1/puzzles").await.ok();
        assert_eq!(overview.attempts, 0);
        assert!((overview.rating - 1200.0).abs() < 1e-9);
    });
}
