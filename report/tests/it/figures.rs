//! Recomputes a sample of the stored statistics of the document "Mate, solved", and compares the results with the stored values.

use std::fs;

use overmate_rules::{Deal, Dealt, Position, RuleSet};
use overmate_solver::whole::{WholeGame, WholeOptions};
use overmate_solver::{DealTable, Progress};

use crate::{TableRow, docs, table};

fn number(line: &TableRow, column: &str) -> i64 {
    line[column].parse().expect("the cell is a number")
}

fn line_of<'a>(lines: &'a [TableRow], rules: &str) -> &'a TableRow {
    lines.iter().find(|line| line["rules"] == rules).expect("the table has a row for the rule set")
}

#[test]
fn every_rule_set_with_published_values_has_one_row_and_its_results_add_up() {
    let figures = table("solved/figures.tsv");
    let mut names: Vec<&str> = figures
        .iter()
        .flat_map(|line| line["same_rules"].split_whitespace().chain([line["rules"].as_str()]))
        .collect();
    let published = RuleSet::with_published_values();
    let mut expected: Vec<&str> = published.iter().map(RuleSet::name).collect();
    names.sort_unstable();
    expected.sort_unstable();

    assert_eq!(names, expected);
    for line in &figures {
        let rules = RuleSet::named(&line["rules"]).unwrap();
        let parts = ["first_wins", "draws", "second_wins"].map(|part| number(line, part));
        assert_eq!(parts.iter().sum::<i64>(), number(line, "deals"), "{}", rules.name());
        assert_eq!(number(line, "deals"), i64::try_from(Dealt::count(&rules)).unwrap());
    }
}

#[test]
fn recomputed_totals_of_bga_equal_the_committed_totals() {
    let figures = table("solved/figures.tsv");
    let line = line_of(&figures, "bga");
    let rules = RuleSet::named("bga").unwrap().shared();
    let whole = WholeGame::solve(&rules, WholeOptions::default(), &Progress::default()).unwrap();
    let values: Vec<i64> =
        whole.deal_facts().iter().map(|facts| facts.value_for_first.points().into()).collect();
    let count = |wanted: fn(i64) -> bool| {
        i64::try_from(values.iter().filter(|value| wanted(**value)).count()).unwrap()
    };

    assert_eq!(count(|_| true), number(line, "deals"));
    assert_eq!(count(|value| value > 0), number(line, "first_wins"));
    assert_eq!(count(|value| value == 0), number(line, "draws"));
    assert_eq!(count(|value| value < 0), number(line, "second_wins"));
    assert_eq!(values.iter().sum::<i64>(), number(line, "sum_for_first"));
    assert_eq!(values.iter().copied().max().unwrap(), number(line, "highest"));
    assert_eq!(values.iter().copied().min().unwrap(), number(line, "lowest"));
}

#[test]
fn every_example_has_the_value_that_its_deal_table_gives() {
    let mut checked = 0;
    for line in table("solved/examples.tsv") {
        let rules = RuleSet::named(&line["rules"]).unwrap().shared();
        let dealt = Deal::numbered(&rules, line["deal"].parse().unwrap()).unwrap();
        let table = DealTable::with_all_cards_open(&dealt).unwrap();
        let value = table.value_for_first(&Position::start(&dealt)).unwrap();

        let expected = number(&line, "value_for_first");
        assert_eq!(i64::from(value.points()), expected, "{} {}", line["rules"], line["deal"]);
        checked += 1;
    }
    assert!(checked > 200, "{checked} examples");
}

#[test]
fn the_document_shows_the_committed_figures_and_only_committed_examples() {
    let text = fs::read_to_string(docs("solved.md")).unwrap();
    for line in table("solved/figures.tsv") {
        let share = |column: &str| {
            let (part, whole) = (number(&line, column), number(&line, "deals"));
            #[allow(clippy::cast_precision_loss, reason = "counts of deals are small")]
            let share = 100.0 * part as f64 / whole as f64;
            format!("{share:.1}%")
        };
        let row = text.lines().find(|row| {
            let own = format!("| `{}`", line["rules"]);
            row.starts_with(&own) && row.contains("(deal ")
        });
        let row = row.unwrap_or_else(|| panic!("no row for {}", line["rules"]));
        let shares = ["first_wins", "draws", "second_wins"].map(share).join(" | ");
        assert!(row.contains(&shares), "{row} without {shares}");
    }

    let examples = table("solved/examples.tsv");
    let mut shown = 0;
    for head in text.lines().filter_map(|line| line.strip_prefix("Deal ")) {
        let Some((deal, rules)) = head.split_once(", ") else { continue };
        let known = examples.iter().any(|line| line["deal"] == deal && line["rules"] == rules);
        assert!(known, "the document shows deal {deal} of {rules}, which is no committed example");
        shown += 1;
    }
    assert!(shown > 10, "{shown} deals are shown");
}
