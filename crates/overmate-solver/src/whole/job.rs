//! Jobs of the kernels: the input of one row, with the leads of a set of live cards and the rows after each answer.

use overmate_rules::MAX_ANSWER_TIERS;

/// Marker of a lane without a value, above every code.
pub(crate) const ABSENT: i8 = i8::MAX;

/// Largest number of ways to lead: each card of a deck of 20, plainly and with a demand.
pub(crate) const MAX_LEADS: usize = NO_LEAD as usize;

/// Source of values: the row without two cards, of which one wins over the other.
///
/// Each source is read once for two uses. In lanes where the leader holds the winner and the other player the loser, the
/// source holds the values after the lead of the winner, who leads again. In the opposite lanes the source, negated, holds
/// the values after the lead of the loser.
#[derive(Clone, Copy, Default)]
pub(crate) struct Source {
    /// Offset of the unread rest of the row for the near side: the start of the rest.
    pub(crate) up: u32,
    /// Offset of the unread rest of the row for the far side: the end of the rest.
    pub(crate) down: u32,
    pub(crate) pairing: Pairing,
}

/// Use of a source by a lead and its answer.
#[derive(Clone, Copy, Default)]
pub(crate) struct Pairing {
    /// Place of the loser among the live cards.
    pub(crate) loser: u8,
    /// Number of the lead of the loser that uses the source, or [`NO_LEAD`].
    pub(crate) swapped: u8,
    /// Mask of the lanes in which the lead of the winner uses the source, and mask of the lanes in whose opposite lanes the
    /// lead of the loser uses the source.
    pub(crate) masks: [u16; 2],
}

/// Marker: no lead of the loser uses the source.
pub(crate) const NO_LEAD: u8 = 40;

/// Largest number of masks: a lead has one group of cards for each tier after its first.
pub(crate) const MAX_MASKS: usize = 2 + 4 * MAX_LEADS * (MAX_ANSWER_TIERS - 1);

/// Mask that includes all lanes.
pub(crate) const ALWAYS: u16 = 0;
/// Mask that excludes all lanes.
pub(crate) const NEVER: u16 = 1;
/// Number of the first mask of the first group of cards. A group has four masks, of the lanes in which the leader
/// holds: all cards of the group, not all of them, none of them, some of them.
pub(crate) const OF_GROUPS: u16 = 2;

/// One way to lead a card, with its sources in three runs, each beginning where the previous run ends.
///
/// The runs are: sources that both leads use in all lanes, sources with masks, and sources of free moves.
#[derive(Clone, Copy)]
pub(crate) struct JobLead {
    /// Place of the card among the live cards.
    pub(crate) card: u8,
    /// Number of the lead among the deck's leads.
    pub(crate) number: u8,
    /// Score codes of a mate, by side.
    pub(crate) mates: [i8; 2],
    /// Ends of the three runs.
    pub(crate) ends: [usize; 3],
}

/// Input of a row.
#[derive(Default)]
pub(crate) struct Job<'a> {
    /// Layers of the sources with their padding, indexed by whether the source is of a free move, and by side.
    pub(crate) layers: [[&'a [i8]; 2]; 2],
    /// Leads, the stronger cards first: a lead comes after all leads whose sources it uses.
    pub(crate) leads: Vec<JobLead>,
    /// Whether there are sources of free moves.
    pub(crate) has_free: bool,
    /// Sources, followed by unused entries.
    pub(crate) sources: Vec<Source>,
    /// Number of sources.
    pub(crate) used: usize,
    /// Groups of cards, as sets of places.
    pub(crate) groups: Vec<u32>,
}
