//! Tests that the server's analyses and reviews agree with the values that the solver computes.

use overmate_rules::{Deal, Game, Record, RuleSet};
use overmate_server::wire::{
    AnalysedAction, AnalysisWire, Code, MatchView, OutcomeKind, ReviewWire, SeatWire,
};
use overmate_solver::{Budget, Solver, ValueForFirst};
use serde_json::{Value, json};

use crate::support::{Table, run};

async fn analyse(table: &Table, body: Value) -> AnalysisWire {
    table.browser().post("/api/v1/analysis", body).await.ok()
}

#[test]
fn a_deal_its_hands_a_record_and_a_position_have_the_same_value() {
    run(async {
        let table = Table::new().await;
        let mut checked = 0;
        for (name, number, actions) in [
            ("sackson", 20_010, vec!["-", "-"]),
            ("bga", 77, vec![]),
            ("rael+double", 4_242, vec!["-", "-"]),
        ] {
            let rules = RuleSet::named(name).unwrap().shared();
            let dealt = Deal::numbered(&rules, number).unwrap();
            let played: Vec<_> = actions.iter().map(|a| rules.read_action(a).unwrap()).collect();
            let game = Game::new(dealt.clone()).play_all(&played).unwrap();
            let known = Solver::new().analyse(&game, &Budget::unlimited());
            let value = known.value.exact().unwrap().points();
            let hand = |seat| -> Vec<String> {
                rules
                    .deck()
                    .cards_of(dealt.hands()[seat])
                    .map(|c| rules.deck().card_text(c).to_string())
                    .collect()
            };
            let hands = json!({"first": hand(overmate_rules::Seat::First), "second": hand(overmate_rules::Seat::Second)});
            let record = Record::new(overmate_rules::Match::of_one_game(dealt)).to_string();
            for body in [
                json!({"rules": name, "deal": number.to_string(), "actions": actions}),
                json!({"rules": name, "hands": hands, "actions": actions}),
                json!({"record": record, "actions": actions}),
                json!({"rules": name, "position": game.position().to_string()}),
            ] {
                let found = analyse(&table, body.clone()).await;
                assert_eq!(found.value_for_first.exact, Some(value), "{body}");
                assert_eq!(found.position, game.position().to_string());
                let values: Vec<_> = found
                    .actions
                    .iter()
                    .map(|a| (a.action.clone(), a.value_for_first.exact))
                    .collect();
                let expected: Vec<_> = known
                    .actions
                    .iter()
                    .map(|a| {
                        (
                            rules.action_text(a.action).to_string(),
                            a.value.exact().map(ValueForFirst::points),
                        )
                    })
                    .collect();
                assert_eq!(values, expected, "{body}");
                let line: Vec<_> = known
                    .principal_variation
                    .iter()
                    .map(|a| rules.action_text(*a).to_string())
                    .collect();
                assert_eq!(found.line, line, "{body}");
                checked += 1;
            }
        }
        assert_eq!(checked, 12);
    });
}

/// Requests the analysis of a position of 48 cards. The analysis is repeated if a pause of the machine used up the time for the
/// principal variation.
async fn analyse_large(table: &Table, body: Value) -> AnalysisWire {
    for _ in 0..5 {
        let found = analyse(table, body.clone()).await;
        if found.line.len() > 1 {
            return found;
        }
    }
    panic!("no analysis had time for a principal variation of two actions: {body}")
}

#[test]
fn an_analysis_of_48_cards_estimates_each_action_within_its_proved_bounds() {
    run(async {
        let table = Table::new().await;
        let deal = json!({"rules": "bga+pinochle", "deal": "10076718823071"});
        let of_deal = analyse_large(&table, deal.clone()).await;
        assert_eq!(of_deal.game.deal.as_deref(), Some("10076718823071"));
        let lead = of_deal.actions.first().expect("a lead").action.clone();
        let mut answering = deal.clone();
        answering["actions"] = json!([lead]);
        let answering = analyse_large(&table, answering).await;
        let position = json!({"rules": "bga+pinochle", "position": answering.position});
        let of_position = analyse_large(&table, position).await;
        assert_eq!(of_position.game.deal, None);
        let seats = [SeatWire::First, SeatWire::Second, SeatWire::Second];
        for (found, seat) in [of_deal, answering, of_position].into_iter().zip(seats) {
            assert_eq!(found.game.to_act, Some(seat));
            assert!(found.value_for_first.low < found.value_for_first.high);
            assert!(found.horizon.expect("a horizon") > 0 && !found.actions.is_empty());
            let for_seat = |action: &AnalysedAction| {
                let estimate = action.estimate_for_first.expect("an estimate");
                if seat == SeatWire::First { estimate } else { -estimate }
            };
            let best = found.actions.iter().map(for_seat).max();
            for action in &found.actions {
                let value = action.value_for_first;
                let estimate = action.estimate_for_first.expect("an estimate");
                assert!((value.low..=value.high).contains(&estimate), "{action:?}");
                assert_eq!(action.best, Some(for_seat(action)) == best, "{action:?}");
            }
            assert!(found.actions.len() == 1 || found.actions.iter().any(|action| !action.best));
            // The estimated principal variation begins with a best action, and the rules allow all of its actions.
            let first = found.actions.iter().find(|action| action.best).expect("a best action");
            assert_eq!(found.line.first(), Some(&first.action));
            let rules = RuleSet::named("bga+pinochle").unwrap().shared();
            let start = rules.read_position(&found.position).unwrap().validate(&rules).unwrap();
            let line = found.line.iter().map(|action| rules.read_action(action).unwrap());
            let end = line.fold(start, |position, action| position.play(action).unwrap());
            assert!(end.to_act().is_some() || end.outcome().is_some());
        }
    });
}

#[test]
fn proved_values_have_no_estimates() {
    run(async {
        let table = Table::new().await;
        for body in [
            json!({"rules": "bga", "deal": "20010"}),
            json!({"rules": "bga+pinochle", "position": "AcTcKs/AhKhQd first -/- - -"}),
        ] {
            let found = analyse(&table, body.clone()).await;
            assert!(found.value_for_first.exact.is_some(), "{body}");
            assert_eq!(found.horizon, None, "{body}");
            assert!(found.actions.len() > 2, "{body}");
            assert!(found.actions.iter().all(|action| action.estimate_for_first.is_none()));
        }
    });
}

#[test]
fn an_invalid_analysis_is_refused() {
    run(async {
        let table = Table::new().await;
        let record = "[Rules \"bga\"]\n[Deals \"1 2\"]\n\nGame 1: A leads\n*\n";
        for (body, code) in [
            (json!({}), Code::BadRequest),
            (json!({"rules": "bga"}), Code::BadRequest),
            (json!({"deal": "1"}), Code::BadRequest),
            (
                json!({"rules": "bga", "deal": "1", "position": "-/- first -/- - -"}),
                Code::BadRequest,
            ),
            (json!({"rules": "bga", "deal": "999999999"}), Code::BadRequest),
            (json!({"rules": "bga", "hands": {"first": ["Ac"], "second": []}}), Code::BadRequest),
            (
                json!({"rules": "bga", "hands": {"first": [], "second": [], "third": []}}),
                Code::BadRequest,
            ),
            (json!({"rules": "bga", "position": "nonsense"}), Code::BadRequest),
            (json!({"record": "nonsense"}), Code::BadRequest),
            (json!({"record": record, "game": 7}), Code::BadRequest),
            (json!({"rules": "bga", "deal": "1", "actions": ["nonsense"]}), Code::BadRequest),
            (json!({"rules": "bga", "deal": "1", "actions": ["-"]}), Code::IllegalAction),
        ] {
            let answer = table.browser().post("/api/v1/analysis", body.clone()).await;
            assert_eq!(answer.code(), code, "{body}");
        }
    });
}

#[test]
fn a_review_holds_the_values_of_the_solver() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let mut state = browser.begin("sackson", json!({"kind": "both"})).await;
        let id = state.id.clone();
        while state.finished.is_empty() {
            let last = state.current.legal.last().unwrap().action.clone();
            state = browser.act(&state, &last).await.ok();
        }
        let review: ReviewWire =
            browser.get(&format!("/api/v1/matches/{id}/review?game=0")).await.ok();
        let played = browser.record(&id).await;
        let game = &played.games()[0];
        let known = Solver::new().review(game, &Budget::unlimited());
        assert_eq!(review.actions.len(), known.actions.len());
        let mut lost = [0, 0];
        for (told, known) in review.actions.iter().zip(&known.actions) {
            assert_eq!(told.lost, known.lost);
            assert_eq!(told.best.len(), known.best.len());
            lost[usize::from(known.seat == overmate_rules::Seat::Second)] += known.lost.unwrap();
        }
        assert_eq!([review.lost.first, review.lost.second], lost);
        assert_eq!(review.values_for_first.len(), known.actions.len() + 1);
        let most = known.actions.iter().map(|action| action.lost.unwrap()).max().unwrap();
        let turning = review.turning_point.map(|at| known.actions[at].lost.unwrap());
        assert_eq!(turning, (most > 0).then_some(most));
        let outcome = state.finished[0].outcome.clone().unwrap();
        assert_eq!(review.points_for_first, outcome.points_for_first);
        assert!(matches!(
            outcome.kind,
            OutcomeKind::Mate | OutcomeKind::Overmate | OutcomeKind::Draw
        ));
        assert_eq!(
            browser.get(&format!("/api/v1/matches/{id}/review?game=1")).await.code(),
            Code::MatchRunning
        );
        assert_eq!(
            browser.get(&format!("/api/v1/matches/{id}/review?game=9")).await.code(),
            Code::NotFound
        );
        let _: MatchView = browser.look(&id).await;
    });
}
