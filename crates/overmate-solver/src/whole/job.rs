//! Defines the input for solving all positions whose hands together hold a given set of cards.

use overmate_rules::for_engines::MAX_ANSWER_TIERS;

/// Byte that marks a missing value of a position. The marker is greater than the codes of all values.
pub(crate) const ABSENT: i8 = i8::MAX;

/// Maximum number of kinds of leads from a 20-card deck. A lead with a demand is a separate kind.
pub(crate) const MAX_LEADS: usize = NO_LEAD as usize;

/// Location of the solved values after a move in which a given card wins over another given card.
///
/// The values at this location are read once for two uses. In positions in which the leader holds the winning card and the follower the
/// losing card, they are the values after the winning card is led. The leader then leads again. In the positions with exchanged hands, the
/// negated values are the values after the losing card is led.
#[derive(Clone, Copy, Default)]
pub(crate) struct SourceRange {
    /// Byte offset of the first solved value that is still to be read for the half `NEAR` of the positions. The kernels raise the offset as
    /// they read. With precomputed byte shuffles, the kernels read both halves from this offset, and change neither `up` nor `down`.
    pub(crate) up: u32,
    /// Byte offset of the end of the solved values that are still to be read for the half `FAR` of the positions. The kernels lower the
    /// offset as they read.
    pub(crate) down: u32,
    pub(crate) pairing: Pairing,
}

/// Pair of leads that use one row of solved values: the lead of the winning card and, with
/// exchanged hands, the lead of the losing card.
#[derive(Clone, Copy, Default)]
pub(crate) struct Pairing {
    /// Index of the losing card in the ascending list of all cards in both hands.
    pub(crate) loser: u8,
    /// Index of the losing card's lead among all kinds of leads, or [`NO_LEAD`] if only the winning card's lead uses the solved values.
    pub(crate) swapped: u8,
    /// Indices of two bit masks: of the positions in which the losing card may answer a lead of the winning card, and of the positions in
    /// which the winning card may answer a lead of the losing card. The second mask is for the positions with exchanged hands.
    pub(crate) masks: [u16; 2],
}

/// Value of [`Pairing::swapped`] if only the winning card's lead uses the solved values.
pub(crate) const NO_LEAD: u8 = 40;

/// Maximum number of bit masks of positions that a [`Job`] needs. Two masks are constant. Each lead has four masks for each tier of answers
/// below its first tier.
pub(crate) const MAX_MASKS: usize = 2 + 4 * MAX_LEADS * (MAX_ANSWER_TIERS - 1);

/// Index of the bit mask that selects every position.
pub(crate) const ALWAYS: u16 = 0;
/// Index of the bit mask that selects no position.
pub(crate) const NEVER: u16 = 1;
/// Index, in the list of bit masks of positions, of the first mask for a group of cards (see [`Job::groups`]). Such a mask depends on which
/// cards of the group the leader holds.
pub(crate) const OF_GROUPS: u16 = 2;

/// Kind of lead (a card, with or without a demand), with the locations of the solved values after each answer to the lead.
///
/// The locations stand in three groups: values that both leads of a pair use in all positions, values that bit masks select, and values
/// after answers by the free move.
#[derive(Clone, Copy)]
pub(crate) struct JobLead {
    /// Index of the led card in the sorted list of all cards in both hands.
    pub(crate) card: u8,
    /// Index of the lead among all kinds of leads from the deck.
    pub(crate) number: u8,
    /// Score codes (signed bytes that encode points) of a mate by the lead: one for each half (`NEAR` and `FAR`) of the layer's positions.
    pub(crate) mates: [i8; 2],
    /// End indices, in the list [`Job::sources`], of three groups of locations of solved values: locations without bit masks, locations
    /// with bit masks, and locations for answers by the free move.
    pub(crate) ends: [usize; 3],
}

/// Input for solving all positions whose hands together hold a given set of cards.
#[derive(Default)]
pub(crate) struct Job<'a> {
    /// Solved values of the positions that can follow a move: the bytes of whole layers, with their
    /// padding. The first index states whether the move uses the free move, and the second index is
    /// the half `NEAR` or `FAR`.
    pub(crate) layers: [[&'a [i8]; 2]; 2],
    /// Kinds of leads (cards, with or without a demand) in solving order, from stronger to weaker cards. Weaker leads use solved values
    /// that stronger leads have read.
    pub(crate) leads: Vec<JobLead>,
    /// Whether the free move is unused in the positions to solve.
    pub(crate) has_free: bool,
    /// Locations of the solved values after each lead and answer. Unused entries are at the end.
    pub(crate) sources: Vec<SourceRange>,
    /// Number of entries in the list [`Job::sources`] that are in use. The unused entries are at the end.
    pub(crate) used: usize,
    /// Groups of cards whose absence from the follower's hand makes more answers legal. Each group is a set of
    /// indices in the sorted list of all cards in both hands.
    pub(crate) groups: Vec<u32>,
}
