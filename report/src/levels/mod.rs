//! How strong the opponents are: everybody against everybody, exactly for each of many deals, or in matches that are played.

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

/// How everybody meets everybody in a rule set.
#[derive(Clone, Copy)]
enum Way {
    /// On some deals, in every way they ever would.
    WorkedOut(Deals),
    /// In matches that are played, where the cards are too many for that or do not all lie open.
    Played(Matches),
}

/// How many deals are worked out.
#[derive(Clone, Copy)]
struct Deals {
    all: u64,
    /// Where both lose few points: where one of them errs, the other often does too, so that few deals tell them apart.
    strong: u64,
}

/// How many pairs of matches are played.
#[derive(Clone, Copy)]
struct Matches {
    /// Of a step and the one below.
    step: u64,
    /// Of two others.
    others: u64,
}

/// The rule sets, and how everybody meets in them.
const RULES: [(&str, Way); 6] = [
    ("sackson", Way::WorkedOut(MANY)),
    ("bga", Way::WorkedOut(MANY)),
    ("pagat", Way::WorkedOut(MANY)),
    ("rael", Way::WorkedOut(MANY)),
    ("denexa", Way::Played(Matches { step: 150, others: 20 })),
    ("bga+pinochle", Way::Played(Matches { step: 40, others: 4 })),
];

const MANY: Deals = Deals { all: 24, strong: 240 };

/// Where the deals come from, and the chance of those who play matches.
const SEED: u64 = 1;

/// What a player may look at for an action in a match that is played, as in the arena if nobody says.
const NODES: u64 = 200_000;
