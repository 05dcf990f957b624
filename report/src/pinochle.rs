//! Plots the share of Pinochle-deck positions that the solver's benchmark solved within each time limit.

use std::path::Path;

use anyhow::Result;
use serde::Deserialize;

use crate::levels::read_table;
use crate::plots::{self, Bars, Colour, Series, Stand};

/// Line of `pinochle.tsv`: the deck size, the hand size, the number of benchmark positions, and the number of positions
/// solved within each time limit.
#[derive(Deserialize)]
struct PinochleLine {
    cards: u32,
    in_each_hand: u32,
    positions: f64,
    within_1_s: f64,
    within_10_s: f64,
}

/// Reads `pinochle.tsv` from a folder and writes its plots into the same folder.
pub(crate) fn write(folder: &Path) -> Result<()> {
    let lines: Vec<PinochleLine> = read_table(&folder.join("pinochle.tsv"))?;
    let series = |name, colour, of: fn(&PinochleLine) -> f64| Series {
        name,
        colour,
        values: lines.iter().map(of).collect(),
    };
    let group = |line: &PinochleLine| format!("{}, {} a hand", line.cards, line.in_each_hand);
    let bars = Bars {
        file: "pinochle",
        groups: lines.iter().map(group).collect(),
        series: vec![
            series("solved within 1 s", Colour::First, |line| line.within_1_s),
            series("within 10 s", Colour::Second, |line| line.within_10_s - line.within_1_s),
            series("not within 10 s", Colour::Neither, |line| line.positions - line.within_10_s),
        ],
        below: "",
        unit: "%",
        stand: Stand::InARow,
    };
    plots::write(folder, &bars)
}
