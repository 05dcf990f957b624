//! Measures the strength of the built-in opponents in all pairings, exactly over many deals or in played matches.

mod calibration;
mod document;
mod hidden;
mod pairing;
mod played;
mod random;
mod tables;

pub(crate) use calibration::{Choice, work_out};
pub(crate) use document::write;
pub(crate) use tables::read_table;

/// Method of measuring the players in a rule set.
#[derive(Clone, Copy)]
enum Way {
    /// Exact score distributions over a number of deals.
    WorkedOut(Deals),
    /// Played matches, for large decks and for face-down cards.
    Played(Matches),
}

/// Numbers of deals that are evaluated exactly for each pairing.
#[derive(Clone, Copy)]
struct Deals {
    all: u64,
    /// Number of deals between two strong players, whose errors are rare and often coincide.
    strong: u64,
}

/// Numbers of match pairs that are played for each pairing.
#[derive(Clone, Copy)]
struct Matches {
    /// Number of match pairs between two neighbours in strength.
    step: u64,
    /// Number of match pairs between two players who are not neighbours in strength.
    others: u64,
}

/// Rule sets of the document, each with its method of measurement.
const RULES: [(&str, Way); 6] = [
    ("sackson", Way::WorkedOut(MANY)),
    ("bga", Way::WorkedOut(MANY)),
    ("pagat", Way::WorkedOut(MANY)),
    ("rael", Way::WorkedOut(MANY)),
    ("denexa", Way::Played(Matches { step: 150, others: 20 })),
    ("bga+pinochle", Way::Played(Matches { step: 40, others: 4 })),
];

const MANY: Deals = Deals { all: 24, strong: 240 };

/// Random seed of the deals and of the bots in played matches.
const SEED: u64 = 1;

/// Node limit of a decision in played matches: the default of the arena.
const NODES: u64 = 200_000;
