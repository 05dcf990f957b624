//! Input of the inner loops for solving all positions with the same held cards, with the leads and
//! the solved positions after them.

use overmate_rules::for_engines::MAX_ANSWER_TIERS;

/// Marker byte of a position without a value yet, greater than every encoded value.
pub(crate) const ABSENT: i8 = i8::MAX;

/// Largest number of ways to lead a card of a 20-card deck, where a lead with a demand counts separately.
pub(crate) const MAX_LEADS: usize = NO_LEAD as usize;

/// Solved values of the positions after a move in which one given card wins over another.
///
/// Each source is read once for two uses. In lanes where the leader holds the winner and the other player the loser, the
/// source holds the values after the lead of the winner, who leads again. In the opposite lanes the source, negated, holds
/// the values after the lead of the loser.
#[derive(Clone, Copy, Default)]
pub(crate) struct SourceRange {
    /// Offset in bytes of the next solved value to read for the first half of the positions, which
    /// are solved in ascending order.
    pub(crate) up: u32,
    /// Offset in bytes just after the next solved value to read for the second half of the
    /// positions, which are solved in descending order.
    pub(crate) down: u32,
    pub(crate) pairing: Pairing,
}

/// Pair of leads that share the solved values of the positions after one move. They are the lead of
/// the winning card and, with exchanged hands, the lead of the losing card.
#[derive(Clone, Copy, Default)]
pub(crate) struct Pairing {
    /// Index of the losing card among the cards that are still held, in ascending order.
    pub(crate) loser: u8,
    /// Number of the losing card's lead that shares the solved values with exchanged hands, or
    /// [`NO_LEAD`] without such a lead.
    pub(crate) swapped: u8,
    /// Numbers of the two bit masks that select the positions in which each of the two leads uses
    /// the solved values. The second mask is of the positions with exchanged hands. The first mask
    /// selects the positions in which the lead of the winning card uses the solved values; the
    /// second mask selects the positions with exchanged hands in which the lead of the losing card
    /// uses them.
    pub(crate) masks: [u16; 2],
}

/// Marker in place of the number of the losing card's lead, if no such lead shares the solved
/// values.
pub(crate) const NO_LEAD: u8 = 40;

/// Largest number of bit masks for one set of held cards. Two masks are constant, and each answer
/// group of lower priority of each lead has four masks.
pub(crate) const MAX_MASKS: usize = 2 + 4 * MAX_LEADS * (MAX_ANSWER_TIERS - 1);

/// Number of the bit mask that includes every division of the held cards between the hands.
pub(crate) const ALWAYS: u16 = 0;
/// Number of the bit mask that excludes every division of the held cards between the hands.
pub(crate) const NEVER: u16 = 1;
/// Number of the first bit mask that depends on the leader's cards from an answer group. A group
/// has four masks, of the lanes in which the leader holds: all cards of the group, not all of them,
/// none of them, some of them.
pub(crate) const OF_GROUPS: u16 = 2;

/// Way to lead a card; three consecutive runs of a list hold the solved values after its answers.
///
/// The runs are: sources that both leads use in all lanes, sources with masks, and sources of free moves.
#[derive(Clone, Copy)]
pub(crate) struct JobLead {
    /// Index of the led card among the cards that are still held, in ascending order.
    pub(crate) card: u8,
    /// Index of this lead in the list of all ways to lead a card of the deck.
    pub(crate) number: u8,
    /// Encoded scores of a mate by this lead, for the first half of the positions and for the half
    /// with exchanged hands.
    pub(crate) mates: [i8; 2],
    /// End indices of the three runs in the list `sources` of solved values.
    pub(crate) ends: [usize; 3],
}

/// Input for solving all positions that have the same held cards but divide the cards differently between the hands.
#[derive(Default)]
pub(crate) struct Job<'a> {
    /// Solved values of the positions after one move, with padding, indexed by whether the move
    /// used the free move and by half of the positions.
    pub(crate) layers: [[&'a [i8]; 2]; 2],
    /// Ways to lead, ordered from stronger to weaker cards, so that each lead comes after all leads that it depends on.
    pub(crate) leads: Vec<JobLead>,
    /// Whether the free move is still unused, so that an answer can use it.
    pub(crate) has_free: bool,
    /// Solved values after each lead and its answer, followed by unused entries.
    pub(crate) sources: Vec<SourceRange>,
    /// Number of entries at the beginning of `sources` that are in use; the rest is unused.
    pub(crate) used: usize,
    /// Groups of cards that decide which answers are legal, each a set of indices among the held cards.
    pub(crate) groups: Vec<u32>,
}
