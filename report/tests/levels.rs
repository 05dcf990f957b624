//! A sample of the figures of "How strong the levels are", worked out again from the files that are committed, and what that page claims.

use std::collections::BTreeMap;
use std::path::Path;

use overmate_bots::{BuiltIn, Contestant, ExactGames, Level};
use overmate_rules::{BySeat, Deal, RuleSet};

/// A line of a table, by the names of its columns.
type Line = BTreeMap<String, String>;

fn table(file: &str) -> Vec<Line> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/levels").join(file);
    let tsv = csv::ReaderBuilder::new().delimiter(b'\t').from_path(file);
    let mut tsv = tsv.expect("the tables are committed");
    tsv.deserialize().collect::<Result<_, _>>().expect("a table is a table")
}

fn number(line: &Line, column: &str) -> f64 {
    line[column].parse().expect("a number")
}

/// The names of everybody, from the weakest.
fn names() -> Vec<String> {
    let levels = Level::all().map(|level| level.get().to_string());
    ["random".to_owned()].into_iter().chain(levels).chain(["perfect".to_owned()]).collect()
}

fn contestant(name: &str) -> Contestant {
    Contestant::BuiltIn(name.parse::<BuiltIn>().expect("random is not in the sample"))
}

#[test]
fn the_points_of_a_round_are_worked_out_again() {
    let sample = table("sample.tsv");
    let mut compared = 0;
    for rounds in sample.chunk_by(|a, b| a["rules"] == b["rules"] && a["deal"] == b["deal"]) {
        let rules = RuleSet::named(&rounds[0]["rules"]).expect("a rule set").shared();
        let deal = rounds[0]["deal"].parse().expect("a number");
        let dealt = Deal::numbered(&rules, deal).expect("a deal");
        let mut games = ExactGames::new(&rules, &dealt).expect("20 cards");
        for line in rounds {
            let (one, other) = (contestant(&line["strong"]), contestant(&line["weak"]));
            let mut mean = |first, second| -> f64 {
                let spread = games.scores_for_first(BySeat { first, second });
                spread.iter().map(|(points, odds)| f64::from(*points) * odds).sum()
            };
            let points = mean(one, other) - mean(other, one);
            assert!((points - number(line, "points_of_the_round")).abs() < 1e-5, "{line:?}");
            compared += 1;
        }
    }
    assert_eq!(compared, 18);
}

#[test]
fn a_step_wins_sixty_of_a_hundred_decided_matches_from_the_one_below() {
    let (names, lines) = (names(), table("levels.tsv"));
    let mut steps = 0;
    for line in &lines {
        let place = |column: &str| names.iter().position(|name| *name == line[column]);
        if place("strong") == place("weak").map(|place| place + 1) {
            // Beyond what chance in the choice of the deals could feign.
            let surely = number(line, "decided") - 2.0 * number(line, "decided_error");
            assert!(surely > 0.6, "{line:?}");
            steps += 1;
        }
    }
    assert_eq!(steps, 2 * (names.len() - 1));
}

#[test]
fn a_higher_step_makes_more_points_against_everybody() {
    let (names, lines) = (names(), table("levels.tsv"));
    let mut compared = 0;
    for rules in ["sackson", "bga"] {
        for weak in &names {
            let against: Vec<f64> = names
                .iter()
                .filter_map(|strong| {
                    let is_it = |line: &&Line| {
                        line["rules"] == rules && line["strong"] == *strong && line["weak"] == *weak
                    };
                    lines.iter().find(is_it).map(|line| number(line, "points"))
                })
                .collect();
            assert!(against.first().is_none_or(|points| *points > 0.0), "{rules} {weak}");
            assert!(against.is_sorted_by(|a, b| a < b), "{rules} {weak}: {against:?}");
            compared += against.len();
        }
    }
    assert_eq!(compared, 2 * 55);
}

#[test]
fn shares_add_up() {
    for line in table("levels.tsv") {
        let shares = ["wins", "draws", "losses"].map(|share| number(&line, share));
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-5, "{line:?}");
        if line["strong"] == "perfect" {
            assert!(number(&line, "losses") == 0.0, "{line:?}");
        }
    }
}
