//! Computes the exact exploitability of computer opponents that play with a face-down card, on small decks.

use anyhow::{Context as _, Result};
use overmate_bots::hidden::{self, exploitability_report, small_denexa};
use serde::{Deserialize, Serialize};

/// Number of random deals on which the exploitability of each computer opponent is computed.
pub(crate) const DEALS: u32 = 24;

/// Line of the table `hidden.tsv`: the exploitability of one computer opponent, in points per game.
#[derive(Serialize, Deserialize)]
pub(crate) struct Exploited {
    pub(crate) player: String,
    pub(crate) loses_as_first: f64,
    pub(crate) loses_as_second: f64,
    pub(crate) against_solution: f64,
    pub(crate) against_level: f64,
}

/// Measures the exploitability of all computer opponents under a small version of the rule set `denexa`. The deck has twelve cards (aces,
/// tens and kings), and each hand six.
pub(crate) fn measure() -> Result<Vec<Exploited>> {
    let rules = small_denexa(4, 3).context("the reduced deck has an odd number of cards")?;
    let report = exploitability_report(&rules, DEALS, 1);
    let line = |row: hidden::PlayerExploitability| Exploited {
        player: row.player,
        loses_as_first: row.loses_as_first,
        loses_as_second: row.loses_as_second,
        against_solution: row.against_solution,
        against_level: row.against_level,
    };
    Ok(report.players.into_iter().map(line).collect())
}
