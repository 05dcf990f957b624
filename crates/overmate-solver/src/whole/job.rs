//! Defines the input for solving all positions whose hands together hold the same cards.

use overmate_rules::for_engines::MAX_ANSWER_TIERS;

/// Marker of a missing value, greater than every encoded value.
pub(crate) const ABSENT: i8 = i8::MAX;

/// Maximum number of kinds of leads from a 20-card deck; a lead with a demand counts separately.
pub(crate) const MAX_LEADS: usize = NO_LEAD as usize;

/// Location of the solved values after a move in which a given card wins over another given card.
///
/// Each source is read once for two uses. In lanes where the leader holds the winner and the other player the loser, the
/// source holds the values after the lead of the winner, who leads again. In the opposite lanes the source, negated, holds
/// the values after the lead of the loser.
#[derive(Clone, Copy, Default)]
pub(crate) struct SourceRange {
    /// Byte offset of the next solved value for the first half (`NEAR`), which is read in ascending
    /// order.
    pub(crate) up: u32,
    /// Byte offset after the next solved value for the second half (`FAR`), which is read in
    /// descending order.
    pub(crate) down: u32,
    pub(crate) pairing: Pairing,
}

/// Pair of leads that use the same solved values: the lead of the winning card and, with exchanged
/// hands, the lead of the losing card.
#[derive(Clone, Copy, Default)]
pub(crate) struct Pairing {
    /// Index of the losing card among the cards that both hands together hold, in ascending order.
    pub(crate) loser: u8,
    /// Number of the losing card's lead that uses the same solved values with exchanged hands, or
    /// [`NO_LEAD`].
    pub(crate) swapped: u8,
    /// Two bit mask numbers, one for each lead of the pair: each mask selects the positions in
    /// which that lead uses the solved values. The first mask is for the lead of the winning card.
    /// The second mask is for the lead of the losing card, in the positions with exchanged hands.
    pub(crate) masks: [u16; 2],
}

/// Placeholder for the lead's number in a [`Pairing`] whose losing card has no lead.
pub(crate) const NO_LEAD: u8 = 40;

/// Maximum number of bit masks for solving all positions whose hands together hold the same cards.
/// Two masks are constant, and each answer group of lower priority of each lead has four masks.
pub(crate) const MAX_MASKS: usize = 2 + 4 * MAX_LEADS * (MAX_ANSWER_TIERS - 1);

/// Index of the bit mask that selects every position.
pub(crate) const ALWAYS: u16 = 0;
/// Index of the bit mask that selects no position.
pub(crate) const NEVER: u16 = 1;
/// Index of the first bit mask that depends on a group of answers.
pub(crate) const OF_GROUPS: u16 = 2;

/// Kind of lead, with the locations of the solved values after its answers, as three ranges of
/// [`Job::sources`].
///
/// The ranges are: sources that both leads use in all lanes, sources with masks, and sources of
/// free moves.
#[derive(Clone, Copy)]
pub(crate) struct JobLead {
    /// Index of the led card among the sorted cards of both hands.
    pub(crate) card: u8,
    /// Index of this lead among all kinds of leads from the deck.
    pub(crate) number: u8,
    /// Encoded points of a mate by this lead, for each half of the positions.
    pub(crate) mates: [i8; 2],
    /// End indices of the lead's three ranges in [`Job::sources`].
    pub(crate) ends: [usize; 3],
}

/// Input for solving all positions whose hands together hold the same cards.
#[derive(Default)]
pub(crate) struct Job<'a> {
    /// Padded solved values after a move, indexed by the use of the free move and by half (`NEAR`
    /// or `FAR`).
    pub(crate) layers: [[&'a [i8]; 2]; 2],
    /// Kinds of leads, from stronger to weaker cards, because weaker leads use the values of
    /// stronger leads.
    pub(crate) leads: Vec<JobLead>,
    /// Whether the free move is still unused.
    pub(crate) has_free: bool,
    /// Locations of the solved values after each lead and its answer, with unused entries at the
    /// end.
    pub(crate) sources: Vec<SourceRange>,
    /// Number of used entries in `sources`. The unused entries stand at the end.
    pub(crate) used: usize,
    /// Groups of cards that decide the legality of answers, as sets of indices among the cards of
    /// both hands.
    pub(crate) groups: Vec<u32>,
}
