//! Tests hints: their action values, their entries in the match log, and requests for hints without values.

use metrics_exporter_prometheus::PrometheusBuilder;
use overmate_rules::{Deal, Game, RuleSet};
use overmate_server::wire::{Code, Hint, MarkKind, MatchView, ProvedValue, SeatWire};
use overmate_solver::{Budget, Solver, ValueForFirst};
use serde_json::{Value, json};

use crate::support::{Table, client_id, run, two};

/// Returns the JSON of a hint request, which asks for the values of the legal actions if `values` is true.
fn hint_request(client_id: &str, values: bool) -> Value {
    json!({"client_id": client_id, "values": values})
}

#[test]
fn a_hint_holds_the_values_of_the_solver_and_is_noted() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let state = browser.begin("sackson", json!({"kind": "perfect"})).await;
        assert!(state.hint);
        let hint: Hint = browser.ask(&state.id, "hint").await.ok();
        let rules = RuleSet::named("sackson").unwrap().shared();
        let game = Game::new(Deal::numbered(&rules, 20_010).unwrap());
        let analysis = Solver::new().analyse(&game, &Budget::unlimited());
        assert_eq!(hint.actions.len(), analysis.actions.len());
        for (hinted, known) in hint.actions.iter().zip(&analysis.actions) {
            assert_eq!(hinted.action, rules.action_text(known.action).to_string());
            let value = known.value.exact().map(ValueForFirst::points);
            assert_eq!((hinted.value_for_first.exact, Some(hinted.points_for_you)), (value, value));
            assert_eq!(hinted.best, known.value == analysis.value, "{hinted:?}");
        }
        // The match state lists one hint for a position, even if the player requests a hint for the same position again.
        let again: Hint = browser.ask(&state.id, "hint").await.ok();
        assert_eq!((hint.sequence, again.sequence), (1, 1));
        let marked = browser.look(&state.id).await;
        assert_eq!((marked.marks.len(), marked.marks[0].kind), (1, MarkKind::Hint));
        // The server reports a conflict for an action with the sequence number that the match had before the player got a hint.
        assert_eq!(browser.act(&state, "-").await.code(), Code::Conflict);
        let _: MatchView = browser.act(&marked, "-").await.ok();
    });
}

#[test]
fn a_hint_without_values_is_noted_once_and_searches_nothing() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let searches = || {
        let text = metrics.render();
        let count = text.lines().find_map(|line| line.strip_prefix("overmate_solve_seconds_count"));
        count.map_or(0, |count| count.trim().parse().expect("a number"))
    };
    metrics::with_local_recorder(&recorder, || {
        run(async {
            let table = Table::new().await;
            let mut browser = table.browser();
            for (at, rules) in ["sackson", "denexa", "bga+pinochle"].into_iter().enumerate() {
                let state = browser.begin(rules, json!({"kind": "both"})).await;
                let path = format!("/api/v1/matches/{}/hint", state.id);
                for id in ["hint-one", "hint-one", "hint-two"] {
                    let hint: Hint = browser.post(&path, hint_request(id, false)).await.ok();
                    assert_eq!((hint.sequence, hint.actions.len()), (1, 0), "{rules}");
                    assert_eq!((hint.hidden_card, hint.horizon), (false, None), "{rules}");
                }
                assert_eq!(searches(), at, "{rules}");
                let marked = browser.look(&state.id).await;
                assert_eq!((marked.sequence, marked.marks.len()), (1, 1), "{rules}");
                assert_eq!(marked.marks[0].kind, MarkKind::Hint);
                let hint: Hint = browser.post(&path, hint_request("hint-one", true)).await.ok();
                assert!(hint.sequence == 1 && !hint.actions.is_empty(), "{hint:?}");
                assert_eq!(searches(), at + 1, "{rules}");
                assert_eq!(browser.look(&state.id).await.marks, marked.marks);
            }
        });
    });
}

#[test]
fn a_hint_with_values_after_one_without_is_for_the_position_of_the_first() {
    run(async {
        let table = Table::new().await;
        for opponent in [json!({"kind": "both"}), json!({"kind": "level", "level": 3})] {
            let mut browser = table.browser();
            let state = browser.begin("bga", opponent).await;
            let path = format!("/api/v1/matches/{}/hint", state.id);
            let noted: Hint = browser.post(&path, hint_request("hint-one", false)).await.ok();
            let marked = browser.look(&state.id).await;
            assert_eq!((noted.sequence, marked.sequence), (1, 1));
            let first = &marked.current.legal[0].action;
            let _: MatchView = browser.act(&marked, first).await.ok();
            let is_mine = |state: &MatchView| !state.current.legal.is_empty();
            let later = browser.wait(&state.id, is_mine).await;
            let hint: Hint = browser.post(&path, hint_request("hint-one", true)).await.ok();
            let hinted = hint.actions.iter().map(|hinted| hinted.action.as_str());
            let legal = marked.current.legal.iter().map(|legal| legal.action.as_str());
            assert!(hint.sequence == 1 && hinted.eq(legal), "{hint:?}");
            assert_eq!(browser.look(&state.id).await.marks, later.marks);
            // If a request for a hint has a new client id, the server responds with a hint for the present position of the match.
            let now: Hint = browser.post(&path, hint_request("hint-two", false)).await.ok();
            assert_eq!(now.sequence, later.sequence + 1);
        }
    });
}

#[test]
fn a_hint_without_values_is_refused_like_one_with_values() {
    run(async {
        let table = Table::new().await;
        let (mut host, guest, friends) = two(&table, "sackson").await;
        let mut stranger = table.browser();
        let same_deal = host.begin("bga", json!({"kind": "both"})).await;
        let over = stranger.begin("rael", json!({"kind": "both"})).await;
        let _: MatchView = stranger.ask(&over.id, "resign").await.ok();
        let mut browsers = [host, guest, stranger];
        let mut checked = 0;
        for values in [false, true] {
            for (at, id, code) in [
                (0, &friends.id, Code::NotAllowed),
                (1, &friends.id, Code::NotAllowed),
                (2, &friends.id, Code::NotFound),
                (0, &same_deal.id, Code::MatchRunning),
                (2, &over.id, Code::MatchOver),
            ] {
                let path = format!("/api/v1/matches/{id}/hint");
                let request = hint_request(&client_id(), values);
                let answer = browsers[at].post(&path, request).await;
                assert_eq!(answer.code(), code, "{values} {id}");
                checked += 1;
            }
            let faulty = json!({"client_id": "short", "values": values});
            let path = format!("/api/v1/matches/{}/hint", same_deal.id);
            assert_eq!(browsers[0].post(&path, faulty).await.code(), Code::BadRequest);
        }
        assert_eq!(checked, 10);
        assert!(browsers[0].look(&same_deal.id).await.marks.is_empty());
    });
}

#[test]
fn a_hint_for_pinochle_estimates_each_action_within_its_proved_bounds() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let state = browser.begin("bga+pinochle", json!({"kind": "both"})).await;
        let is_first = state.current.to_act == Some(SeatWire::First);
        let hint: Hint = browser.ask(&state.id, "hint").await.ok();
        assert!(hint.horizon.is_some_and(|moves| moves > 0), "{hint:?}");
        let best = hint.actions.iter().map(|hinted| hinted.estimate).max().expect("an action");
        for hinted in &hint.actions {
            let ProvedValue { low, high, exact } = hinted.value_for_first;
            let estimate = hinted.estimate.expect("an estimate");
            let for_first = if is_first { estimate } else { -estimate };
            assert!((low..=high).contains(&for_first) && exact.is_none(), "{hinted:?}");
            assert_eq!(hinted.best, Some(estimate) == best, "{hinted:?}");
        }
        // Leads of two identical cards count as one action, so that a hand of 24 Pinochle cards has at least 12 actions.
        assert!(hint.actions.len() >= 12, "{hint:?}");
    });
}
