//! Input for solving all positions in which both hands together hold the same cards: the leads, and the solved values after each move.

use overmate_rules::for_engines::MAX_ANSWER_TIERS;

/// Marker byte in place of a missing value, greater than every encoded value of a position.
pub(crate) const ABSENT: i8 = i8::MAX;

/// Largest number of ways to lead a card of a 20-card deck, where a lead with a demand for an answer in rank counts separately.
pub(crate) const MAX_LEADS: usize = NO_LEAD as usize;

/// Place of the solved values of the positions after a move in which one given card wins over another given card.
///
/// Each source is read once for two uses. In lanes where the leader holds the winner and the other player the loser, the
/// source holds the values after the lead of the winner, who leads again. In the opposite lanes the source, negated, holds
/// the values after the lead of the loser.
#[derive(Clone, Copy, Default)]
pub(crate) struct SourceRange {
    /// Offset in bytes of the next solved value for the first half of the positions (`NEAR`), which are solved in ascending order.
    pub(crate) up: u32,
    /// Offset in bytes just after the next solved value for the second half of the positions (`FAR`), which are solved in descending order.
    pub(crate) down: u32,
    pub(crate) pairing: Pairing,
}

/// Pair of leads, one of the winning and one of the losing card of a move, that use the same solved values. The two
/// leads are the lead of the winning card and, with exchanged hands, the lead of the losing card.
#[derive(Clone, Copy, Default)]
pub(crate) struct Pairing {
    /// Index of the losing card among the cards that both hands together hold, in ascending order.
    pub(crate) loser: u8,
    /// Number of the losing card's lead that uses the same solved values with exchanged hands, or [`NO_LEAD`] if there is no such lead.
    pub(crate) swapped: u8,
    /// Numbers of the bit masks that select the positions in which each of the two leads uses the solved values. The
    /// first mask is for the lead of the winning card. The second mask is for the lead of the losing card, in the
    /// positions with exchanged hands.
    pub(crate) masks: [u16; 2],
}

/// Number in place of a lead's number, for a [`Pairing`] in which the losing card has no lead.
pub(crate) const NO_LEAD: u8 = 40;

/// Largest number of bit masks that are needed to solve all positions in which both hands together hold the same cards.
/// Two masks are constant, and each answer group of lower priority of each lead has four masks.
pub(crate) const MAX_MASKS: usize = 2 + 4 * MAX_LEADS * (MAX_ANSWER_TIERS - 1);

/// Index of the bit mask that selects every position.
pub(crate) const ALWAYS: u16 = 0;
/// Index of the bit mask that selects no position.
pub(crate) const NEVER: u16 = 1;
/// Index of the first of the bit masks that select positions by how many cards of a group of answers the leader holds:
/// all, not all, none, or at least one. The four masks of a group stand in this order.
pub(crate) const OF_GROUPS: u16 = 2;

/// Way to lead a card, with the places of the solved values after its answers: three consecutive parts of the list [`Job::sources`].
///
/// The runs are: sources that both leads use in all lanes, sources with masks, and sources of free moves.
#[derive(Clone, Copy)]
pub(crate) struct JobLead {
    /// Index of the led card among the cards that both hands together hold, in ascending order.
    pub(crate) card: u8,
    /// Index of this lead in the list of all ways to lead a card of the deck.
    pub(crate) number: u8,
    /// Encoded points of a mate by this lead, for the first half of the positions and for the second half, which has the exchanged hands.
    pub(crate) mates: [i8; 2],
    /// End indices, in the list [`Job::sources`], of the three parts that belong to this lead.
    pub(crate) ends: [usize; 3],
}

/// Input for solving all positions in which both hands together hold the same cards, divided between the hands in all ways.
#[derive(Default)]
pub(crate) struct Job<'a> {
    /// Solved values of the positions after one move, with padding, indexed by whether the move used the free move and
    /// by half of the positions (`NEAR` or `FAR`).
    pub(crate) layers: [[&'a [i8]; 2]; 2],
    /// Ways to lead, ordered from stronger to weaker cards, because the values of a lead depend on the leads of
    /// stronger cards.
    pub(crate) leads: Vec<JobLead>,
    /// Whether the free move is still unused, so that an answer can use it.
    pub(crate) has_free: bool,
    /// Places of the solved values after each lead and its answer, followed by unused entries.
    pub(crate) sources: Vec<SourceRange>,
    /// Number of entries of the list `sources` that are in use. The unused entries stand at the end.
    pub(crate) used: usize,
    /// Groups of cards that decide which answers are legal, each a set of indices among the cards of both hands.
    pub(crate) groups: Vec<u32>,
}
