//! Tests the solver against deals solved by another solver (see `tests/data/README.md`).

use std::collections::HashMap;

use overmate_rules::{Action, Deal, Game};
use overmate_solver::{Budget, DealTable, Solver, Value, ValueForFirst};

use crate::chance::rules;
use crate::sample;

const SOLVED: &str = include_str!("../data/solved.tsv");

/// Expands a short rule set name, as used in the file of solved deals, to the full name.
fn full_name(short: &str) -> String {
    let parts = short.split('+').map(|part| match part {
        "free" => "free-move",
        "king" => "kings-privilege",
        "figure" => "figure-privilege",
        "nofore" => "no-foreplacing",
        other => other,
    });
    parts.collect::<Vec<_>>().join("+")
}

fn value(text: &str) -> ValueForFirst {
    ValueForFirst::new(text.parse().unwrap())
}

#[test]
fn the_corpus_has_the_reference_values() {
    let mut solver = Solver::new();
    let (mut cases, mut actions) = (0, 0);
    let lines: Vec<&str> = SOLVED.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 660);
    for line in sample::of(&lines, 165, 70) {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[name, deal, first, second, expected, first_actions] = fields.as_slice() else {
            panic!("{line}")
        };
        let rules = rules(&full_name(name));
        let dealt = Deal::numbered(&rules, deal.parse().unwrap()).unwrap();
        assert_eq!(rules.deck().cards_text(dealt.hands().first, " "), first, "{line}");
        assert_eq!(rules.deck().cards_text(dealt.hands().second, " "), second, "{line}");

        let foreplacing = rules.foreplacing().is_some();
        let mut of_action: HashMap<Action, ValueForFirst> = HashMap::new();
        for case in first_actions.split_ascii_whitespace() {
            let (card, points) = case.split_once('=').unwrap();
            let text = match card {
                "-" => "-".to_owned(),
                card if foreplacing => format!("({card})"),
                card => card.to_owned(),
            };
            let known = of_action.insert(rules.read_action(&text).unwrap(), value(points));
            // If a hand holds identical cards, the file of solved deals lists the same action once for each of these cards. The value must
            // be the same each time.
            assert!(known.is_none_or(|known| known == value(points)), "{line}");
        }

        let game = Game::new(dealt.clone());
        let legal: Vec<_> = game.legal_actions().collect();
        assert_eq!(legal.len(), of_action.len(), "{line}");
        let expected = value(expected);
        let of_actions: Vec<_> = legal.into_iter().map(|a| (a, of_action[&a])).collect();

        let table = DealTable::with_all_cards_open(&dealt).unwrap();
        assert_eq!(table.value_for_first(game.position()), Some(expected), "{line}");
        assert_eq!(table.action_values(game.position()), Some(of_actions.clone()), "{line}");

        let analysis = solver.analyse(&game, &Budget::unlimited());
        assert_eq!(analysis.value, Value::Exact(expected), "{line}");
        let analysed: Vec<_> =
            analysis.actions.iter().map(|a| (a.action, a.value.exact().unwrap())).collect();
        assert_eq!(analysed, of_actions, "{line}");

        let value = solver.value(game.position(), &Budget::unlimited());
        assert_eq!(value, Value::Exact(expected), "{line}");
        // For each solved deal, the solver computes the value of the position after only one of the legal first actions. Such a computation
        // may take as long as filling a deal table.
        if let Some(&(action, expected)) = of_actions.get(cases % of_actions.len()) {
            let after = game.position().clone().play(action).unwrap();
            let value = solver.value(&after, &Budget::unlimited());
            assert_eq!(value, Value::Exact(expected), "{line}: {action:?}");
        }
        actions += of_actions.len();
        cases += 1;
    }
    assert_eq!(cases, test_sample::cases(165, 660));
    assert!(actions > 9 * cases, "{actions}");
}
