//! Tests that the actions of all lessons are legal, and that the solver confirms the values in the lessons.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::http::StatusCode;
use overmate_rules::{Action, Outcome, Position, RuleSet, Seat};
use overmate_server::wire::{Code, Lesson, LessonPart, LessonState};
use overmate_solver::{Budget, Solver};
use serde_json::Value;

use crate::support::{Table, run};

/// JSON text of all lessons, from the data file that the server contains.
const DATA: &str = include_str!("../../data/lessons.json");

/// Counts of the checked choices (legal actions at decisions), mates, overmates and refutations in the lessons.
#[derive(Default)]
struct CheckedLessons {
    decisions: usize,
    mates: usize,
    overmates: usize,
    refutations: usize,
}

/// Lesson part that the test plays through with the rules library instead of the server.
struct PlayedPart<'a> {
    part: &'a LessonPart,
    learner: Seat,
    rules: &'a Arc<RuleSet>,
    checked: CheckedLessons,
}

impl PlayedPart<'_> {
    /// Plays every action sequence that a lesson offers from one of its positions, and checks each reached position.
    /// `value` is the value of the last decision for the learner.
    fn play(&mut self, at: usize, position: &Position, is_right: bool, value: i32) {
        let state = &self.part.states[at];
        self.compare(state, position);
        if state.decides {
            self.decide(state, position);
            return;
        }
        match &state.choices[..] {
            [] if is_right => self.end(position, value),
            [] => {}
            [scripted] => {
                assert!(scripted.right && scripted.value.is_none());
                self.checked.refutations += usize::from(!is_right);
                let next = self.after(position, &scripted.action);
                self.play(scripted.next, &next, is_right, value);
            }
            several => panic!("a script has {} choices", several.len()),
        }
    }

    /// Checks that the choices at a lesson's decision are the legal actions with their exact
    /// values. Exactly the best actions must be marked as correct.
    fn decide(&mut self, state: &LessonState, position: &Position) {
        assert_eq!(position.to_act(), Some(self.learner));
        let values: BTreeMap<String, i32> = self.values(position);
        let best = *values.values().max().expect("a legal action");
        assert_eq!(state.choices.len(), values.len());
        for choice in &state.choices {
            let value = values[&choice.action];
            assert_eq!(choice.value, Some(value), "{} in {position}", choice.action);
            assert_eq!(choice.right, value == best, "{} in {position}", choice.action);
            self.checked.decisions += 1;
            let next = self.after(position, &choice.action);
            self.play(choice.next, &next, choice.right, value);
        }
    }

    /// Checks the final position of a lesson part in which the learner has taken only correct actions. If the game is over, it
    /// ends with a mate by the learner, whose points equal the value of the last decision.
    fn end(&mut self, position: &Position, value: i32) {
        match position.outcome() {
            Some(Outcome::Mate(mate)) => {
                assert_eq!(mate.by, self.learner);
                assert_eq!(mate.points(), value, "{position}");
                self.checked.mates += 1;
                self.checked.overmates += usize::from(mate.overmate);
            }
            Some(Outcome::Draw | Outcome::Resigned { .. }) => panic!("{position} is over"),
            None => {}
        }
    }

    fn compare(&self, state: &LessonState, position: &Position) {
        let phase = position.to_act().map(|seat| format!("{seat:?}"));
        assert_eq!(state.game.to_act.map(|seat| format!("{seat:?}")), phase);
        let actions = |position: &Position| -> Vec<String> {
            let legal = position.legal_actions();
            legal.map(|action| self.rules.action_text(action).to_string()).collect()
        };
        let legal: Vec<_> = state.game.legal.iter().map(|legal| legal.action.clone()).collect();
        let expected = if state.decides { actions(position) } else { Vec::new() };
        assert_eq!(legal, expected, "{position}");
        let steps = state.game.steps.len();
        assert!(steps <= 2, "{steps} steps in {position}");
        let led = position.lead().is_some();
        assert!(!led || steps == 1, "{position} shows its lead");
    }

    fn values(&self, position: &Position) -> BTreeMap<String, i32> {
        let analysis = Solver::new().analyse_position(position, &Budget::unlimited());
        let text = |action| self.rules.action_text(action).to_string();
        let value = |found: &overmate_solver::ActionValue| {
            (text(found.action), found.value.exact().expect("solved").for_seat(self.learner))
        };
        analysis.actions.iter().map(value).collect()
    }

    fn after(&self, position: &Position, text: &str) -> Position {
        let action: Action = self.rules.read_action(text).expect("an action");
        position.clone().play(action).unwrap_or_else(|error| panic!("{text}: {}", error.illegal))
    }
}

#[test]
fn every_lesson_plays_by_the_rules_and_exactly_the_best_actions_are_right() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let data: Vec<Value> = serde_json::from_str(DATA).expect("JSON");
        let mut total = CheckedLessons::default();
        for entry in &data {
            let id = entry["id"].as_str().expect("an id");
            let lesson: Lesson = browser.get(&format!("/api/v1/lessons/{id}")).await.ok();
            let rules = RuleSet::named(&lesson.rules).expect("a rule set").shared();
            for (at, part) in lesson.parts.iter().enumerate() {
                assert_eq!(entry["parts"][at]["position"], part.position.as_str());
                let position = rules.read_position(&part.position).expect("a position");
                let position = position.validate(&rules).expect("a position");
                let learner = position.to_act().expect("the learner acts first");
                let checked = CheckedLessons::default();
                let mut played = PlayedPart { part, learner, rules: &rules, checked };
                played.play(0, &position, true, 0);
                total.decisions += played.checked.decisions;
                total.mates += played.checked.mates;
                total.overmates += played.checked.overmates;
                total.refutations += played.checked.refutations;
            }
        }
        assert_eq!(data.len(), 19);
        let CheckedLessons { decisions, mates, overmates, refutations } = total;
        assert_eq!((decisions, mates, overmates, refutations), (106, 21, 1, 48));
    });
}

#[test]
fn the_card_face_down_of_a_lesson_is_hidden() {
    run(async {
        let table = Table::new().await;
        let lesson: Lesson = table.browser().get("/api/v1/lessons/hidden").await.ok();
        let hidden: Vec<_> = lesson.parts[0]
            .states
            .iter()
            .filter(|state| state.game.outcome.is_none())
            .map(|state| serde_json::to_value(&state.game.foreplaced.second).expect("JSON"))
            .collect();
        assert!(hidden.len() >= 3);
        assert_eq!(hidden[0]["candidates"], serde_json::json!(["Ac", "7s", "Kd"]));
        for foreplaced in hidden {
            assert_eq!(foreplaced["kind"], "face_down");
            assert_eq!(foreplaced["card"], Value::Null);
        }
    });
}

#[test]
fn an_unknown_lesson_is_not_found() {
    run(async {
        let table = Table::new().await;
        let answer = table.browser().get("/api/v1/lessons/nothing").await;
        assert_eq!((answer.status, answer.code()), (StatusCode::NOT_FOUND, Code::NotFound));
    });
}
