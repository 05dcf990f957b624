//! Defines the fixed ratings of the computer opponents, which anchor the ratings of players.
//!
//! The ratings are the maximum-likelihood estimate of the Bradley-Terry model (1952; the model of Elo ratings) from the measured
//! shares of wins and draws between all opponents of a rule set, as in `docs/levels/levels.tsv`. Level 4 has the rating 1500 by
//! definition, so that a new player begins as strong as this level. A test computes the ratings in `data/anchors.tsv` again.

use overmate_bots::BuiltIn;

use super::glicko2::Rating;
use crate::computer::Computer;

/// Table of the fixed ratings as tab-separated text: rule set, computer opponent, and rating.
const ANCHORS: &str = include_str!("../../data/anchors.tsv");

/// Rating deviation of each anchor (a computer opponent with a fixed rating), in rating points. The number equals the smallest
/// deviation of a player's rating.
const DEVIATION: f64 = 45.0;

/// Returns the fixed rating of a computer opponent under a rule set, or `None` if its strength has not been measured. The
/// strength of an opponent program is never measured.
pub(crate) fn anchor(rules: &str, computer: impl Into<Computer>) -> Option<Rating> {
    let name = match computer.into() {
        Computer::BuiltIn(BuiltIn::Level(level)) => level.get().to_string(),
        Computer::BuiltIn(BuiltIn::Perfect) => "perfect".to_owned(),
        Computer::Program(_) => return None,
    };
    let rows = ANCHORS.lines().map(|line| line.split('\t'));
    let mut found = rows.filter_map(|mut row| {
        let is_wanted = row.next() == Some(rules) && row.next() == Some(&name);
        if is_wanted { row.next()?.parse().ok() } else { None }
    });
    let rating = found.next()?;
    Some(Rating { rating, deviation: DEVIATION, volatility: Rating::NEW_VOLATILITY })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::fmt::Write as _;
    use std::path::Path;

    use super::*;

    /// Names of the computer opponents, from the weakest to the strongest.
    const NAMES: [&str; 10] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "perfect"];

    /// Index in [`NAMES`] of the computer opponent whose rating is fixed at 1500.
    const CENTRE: usize = 3;

    /// Scores, from 0 to 1, of each computer opponent (row) against each computer opponent (column). A score is the share of won games
    /// plus half of the share of drawn games.
    type Shares = [[f64; 10]; 10];

    /// Reads the measured scores between the computer opponents from a table, for each rule set.
    fn measured(table: &str) -> Vec<(String, Shares)> {
        let mut found: Vec<(String, Shares)> = Vec::new();
        let mut lines = table.lines().map(|line| line.split('\t').collect::<Vec<&str>>());
        let head = lines.next().expect("a head");
        let place: HashMap<&str, usize> =
            head.iter().enumerate().map(|(index, name)| (*name, index)).collect();
        for line in lines {
            let index = |column: &str| NAMES.iter().position(|name| *name == line[place[column]]);
            let (Some(strong), Some(weak)) = (index("strong"), index("weak")) else { continue };
            let number = |column: &str| line[place[column]].parse::<f64>().expect("a number");
            let share = number("wins") + number("draws") / 2.0;
            let rules = line[place["rules"]];
            if found.last().is_none_or(|(last, _)| last != rules) {
                found.push((rules.to_owned(), [[0.5; 10]; 10]));
            }
            let (_, shares) = found.last_mut().expect("a rule set");
            (shares[strong][weak], shares[weak][strong]) = (share, 1.0 - share);
        }
        found
    }

    /// Returns the expected score, from 0 to 1, of a player with the rating `own` against a player with the rating `other`.
    fn expected(own: f64, other: f64) -> f64 {
        1.0 / (1.0 + 10_f64.powf((other - own) / 400.0))
    }

    /// Estimates the ratings of the computer opponents from their scores against each other. The method is a Newton iteration that updates
    /// one rating at a time.
    fn estimated(shares: &Shares) -> [f64; 10] {
        let mut ratings = [1_500.0_f64; 10];
        for _ in 0..10_000 {
            let mut largest = 0.0_f64;
            for own in 0..10 {
                let (mut surplus, mut slope) = (0.0, 0.0);
                for other in (0..10).filter(|other| *other != own) {
                    let share = expected(ratings[own], ratings[other]);
                    surplus += shares[own][other] - share;
                    slope += share * (1.0 - share);
                }
                let step = (surplus / slope * 400.0 / 10_f64.ln()).clamp(-50.0, 50.0);
                ratings[own] += step;
                largest = largest.max(step.abs());
            }
            if largest < 1e-9 {
                break;
            }
        }
        let shift = 1_500.0 - ratings[CENTRE];
        ratings.map(|rating| rating + shift)
    }

    #[test]
    fn the_ratings_are_those_of_the_measured_table() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let table = folder.join("../../docs/levels/levels.tsv");
        let table = std::fs::read_to_string(table).expect("the measured table");
        let mut text = "rules\tplayer\trating\n".to_owned();
        let mut players = 0;
        for (rules, shares) in measured(&table) {
            let ratings = estimated(&shares);
            // The estimate of the ratings has converged: the ratings predict the measured total score of each computer opponent.
            for (own, rating) in ratings.iter().enumerate() {
                let others = (0..10).filter(|other| *other != own);
                let made: f64 = others.clone().map(|other| shares[own][other]).sum();
                let told: f64 = others.map(|other| expected(*rating, ratings[other])).sum();
                assert!((made - told).abs() < 1e-6, "{rules} {own}: {made} {told}");
            }
            assert!(ratings.is_sorted(), "{rules}: {ratings:?}");
            for (name, rating) in NAMES.iter().zip(ratings) {
                writeln!(text, "{rules}\t{name}\t{rating:.0}").expect("a text");
                players += 1;
            }
        }
        assert_eq!(players, 60);
        if std::env::var_os("OVERMATE_WRITE_ANCHORS").is_some() {
            std::fs::write(folder.join("data/anchors.tsv"), &text).expect("a written file");
        } else {
            assert_eq!(text, ANCHORS, "set OVERMATE_WRITE_ANCHORS=1 to write the file");
        }
    }

    #[test]
    fn only_measured_opponents_are_anchors() {
        let rating = |rules, bot: &str| {
            anchor(rules, bot.parse::<BuiltIn>().expect("an opponent")).map(|anchor| anchor.rating)
        };
        assert_eq!(rating("bga", "level:4"), Some(1_500.0));
        assert!(rating("bga", "perfect") > rating("bga", "level:9"));
        assert!(rating("sackson", "level:1") < Some(1_200.0));
        assert_eq!((rating("bga+double", "level:4"), rating("", "perfect")), (None, None));
        let all = BuiltIn::all().filter_map(|bot| anchor("rael", bot)).count();
        assert_eq!(all, 10);
    }
}
