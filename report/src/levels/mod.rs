//! Measures the strength of the built-in computer opponents in all pairs, by exact evaluation of many deals or by played matches.

mod calibration;
mod document;
mod hidden;
mod pairing;
mod played;
mod random;
mod tables;

pub(crate) use calibration::{MeasuredParts, work_out};
pub(crate) use document::write;
pub(crate) use tables::read_table;

/// Measurement method for the strength of computer opponents under a rule set.
#[derive(Clone, Copy)]
enum Way {
    /// Exact computation of the score distribution on a given number of deals.
    WorkedOut(Deals),
    /// Measurement of the strength of two computer opponents by matches that they play against each other. This method is for decks that
    /// are too large for exact computation, and for games with face-down cards.
    Played(Matches),
}

/// Counts of the deals on which pairs of computer opponents are evaluated exactly. The count is `strong` for each pair of two strong
/// opponents, and `all` for each other pair.
#[derive(Clone, Copy)]
struct Deals {
    all: u64,
    /// Number of deals on which a pair of two strong computer opponents is evaluated. Their errors are rare, so that a measurement needs
    /// more deals.
    strong: u64,
}

/// Numbers of match pairs (two matches on the same deals with exchanged seats) that two computer opponents play, by their distance in
/// strength.
#[derive(Clone, Copy)]
struct Matches {
    /// Number of match pairs (two matches on the same deals with exchanged seats) for two computer opponents of adjacent strength.
    step: u64,
    /// Number of match pairs (two matches on the same deals with exchanged seats) for two computer opponents of non-adjacent strength.
    others: u64,
}

/// Rule sets in the document "How strong the levels are", each with the method that measures the computer opponents.
const RULES: [(&str, Way); 6] = [
    ("sackson", Way::WorkedOut(MANY)),
    ("bga", Way::WorkedOut(MANY)),
    ("pagat", Way::WorkedOut(MANY)),
    ("rael", Way::WorkedOut(MANY)),
    ("denexa", Way::Played(Matches { step: 150, others: 20 })),
    ("bga+pinochle", Way::Played(Matches { step: 40, others: 4 })),
];

const MANY: Deals = Deals { all: 24, strong: 240 };

/// Random seed of the deals, and of the random choices of computer opponents in played matches.
const SEED: u64 = 1;

/// Maximum number of search nodes for each decision in played matches, equal to the default of the
/// arena.
const NODES: u64 = 200_000;
