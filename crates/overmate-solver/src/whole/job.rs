//! Input of the kernels (the inner loops) for one row of positions: the leads, and the solved rows after each answer.

use overmate_rules::MAX_ANSWER_TIERS;

/// Marker of an entry without a value, above every value code.
pub(crate) const ABSENT: i8 = i8::MAX;

/// Largest number of ways to lead a card of a 20-card deck, each card with and without a demand.
pub(crate) const MAX_LEADS: usize = NO_LEAD as usize;

/// Solved row after a move in which one card wins over another, from which values are read.
///
/// Each source is read once for two uses. In lanes where the leader holds the winner and the other player the loser, the
/// source holds the values after the lead of the winner, who leads again. In the opposite lanes the source, negated, holds
/// the values after the lead of the loser.
#[derive(Clone, Copy, Default)]
pub(crate) struct Source {
    /// Offset up to which the near side of a mirror has read the row, from the start of the row upwards.
    pub(crate) up: u32,
    /// Offset down to which the far side of a mirror has read the row, from the end of the row downwards.
    pub(crate) down: u32,
    pub(crate) pairing: Pairing,
}

/// Use of a solved row by the leads of the two cards of a move.
#[derive(Clone, Copy, Default)]
pub(crate) struct Pairing {
    /// Index of the losing card among the cards that are still held.
    pub(crate) loser: u8,
    /// Number of the lead of the losing card that uses the solved row, or [`NO_LEAD`] without such a lead.
    pub(crate) swapped: u8,
    /// Numbers of two bit masks: the entries where the lead of the winning card uses the solved row, and the entries
    /// opposite to which the lead of the losing card uses the row.
    pub(crate) masks: [u16; 2],
}

/// Marker of a solved row that no lead of the losing card uses.
pub(crate) const NO_LEAD: u8 = 40;

/// Largest number of bit masks in a job: two constant masks, and four for each tier
/// (answers of equal priority) of a lead after its first tier.
pub(crate) const MAX_MASKS: usize = 2 + 4 * MAX_LEADS * (MAX_ANSWER_TIERS - 1);

/// Number of the bit mask that includes all splits of the held cards between the hands.
pub(crate) const ALWAYS: u16 = 0;
/// Number of the bit mask that excludes all splits of the held cards between the hands.
pub(crate) const NEVER: u16 = 1;
/// Number of the first bit mask that depends on a group of cards in the leader's hand. A group has four masks, of the
/// lanes in which the leader holds: all cards of the group, not all of them, none of them, some of them.
pub(crate) const OF_GROUPS: u16 = 2;

/// Way to lead a card, with its solved rows in three runs, each beginning where the previous run ends.
///
/// The runs are: sources that both leads use in all lanes, sources with masks, and sources of free moves.
#[derive(Clone, Copy)]
pub(crate) struct JobLead {
    /// Index of the led card among the cards that are still held.
    pub(crate) card: u8,
    /// Number of the lead among all ways to lead a card of the deck.
    pub(crate) number: u8,
    /// Score codes of a mate by this lead, for the near and the far side of the mirror.
    pub(crate) mates: [i8; 2],
    /// End indices of the three runs in the list of solved rows.
    pub(crate) ends: [usize; 3],
}

/// Input for solving one row: all positions in which the same cards are still held, by split between the hands.
#[derive(Default)]
pub(crate) struct Job<'a> {
    /// Solved positions after a move, with padding, indexed by whether the answer uses the free move, and by side of
    /// the mirror.
    pub(crate) layers: [[&'a [i8]; 2]; 2],
    /// Ways to lead, the stronger cards first, so that a lead comes after all leads whose solved rows it uses.
    pub(crate) leads: Vec<JobLead>,
    /// Whether an answer by the free move is still possible.
    pub(crate) has_free: bool,
    /// Solved rows (values of all splits of the remaining cards) after each lead and answer, followed by unused
    /// entries.
    pub(crate) sources: Vec<Source>,
    /// Number of entries of `sources` that are in use; the rest is unused.
    pub(crate) used: usize,
    /// Groups of cards, as sets of indices among the cards that are still held.
    pub(crate) groups: Vec<u32>,
}
