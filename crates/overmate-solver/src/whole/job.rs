//! What a row is worked out from: the leads of a set of live cards, and the rows that their answers lead to.

/// What stands where there is no value: more than any.
pub(crate) const ABSENT: i8 = i8::MAX;

/// The most ways to lead: each card of a deck of 20 plainly and with a demand.
pub(crate) const MAX_LEADS: usize = NO_LEAD as usize;

/// A row to be read: that after two cards have met, of which one wins over the other.
///
/// It is read once for two uses. Where the leader holds the winner and the other the loser, it is what comes after the winner
/// has been led; he leads again. In the opposite lanes, negated, it is what comes after the loser has been led.
#[derive(Clone, Copy, Default)]
pub(crate) struct Source {
    /// Where the rest of the row for the near side begins in its layer.
    pub(crate) up: u32,
    /// Where the rest of the row for the far side ends in its layer.
    pub(crate) down: u32,
    pub(crate) met: Met,
}

/// Two cards that meet.
#[derive(Clone, Copy, Default)]
pub(crate) struct Met {
    /// The place of the loser among the live cards.
    pub(crate) loser: u8,
    /// The lead of the loser for which it is used, as one of the deck's; or [`NO_LEAD`].
    pub(crate) turned: u8,
    /// The mask of the lanes in which the lead of the winner uses it, and of those opposite to which that of the loser does.
    pub(crate) masks: [u8; 2],
}

/// No lead of the loser uses the source.
pub(crate) const NO_LEAD: u8 = 40;

/// The most masks.
pub(crate) const MAX_MASKS: usize = 2 + 4 * MAX_LEADS;

/// All lanes.
pub(crate) const ALWAYS: u8 = 0;
/// No lane.
pub(crate) const NEVER: u8 = 1;
/// Masks of the first group of cards, in this order: the leader holds all of it, not all of it, none of it, some of it.
pub(crate) const OF_GROUPS: u8 = 2;

/// One way to lead a card, and where its sources end in the job: three runs, each beginning where the last one ends.
///
/// The runs are sources that are used in all lanes, by the leads of both cards; those with masks; and those of free moves.
#[derive(Clone, Copy)]
pub(crate) struct JobLead {
    /// The place of the card among the live ones.
    pub(crate) card: u8,
    /// Which of the deck's leads it is.
    pub(crate) number: u8,
    /// The bytes of a mate, by side.
    pub(crate) mates: [i8; 2],
    /// The ends of the runs.
    pub(crate) ends: [usize; 3],
}

/// A row to be worked out.
#[derive(Default)]
pub(crate) struct Job<'a> {
    /// The layers of the sources with their pads: by whether the source is for free moves, and by side.
    pub(crate) layers: [[&'a [i8]; 2]; 2],
    /// The stronger cards first: no lead comes before one whose sources it uses.
    pub(crate) leads: Vec<JobLead>,
    /// Whether there are sources of free moves.
    pub(crate) has_free: bool,
    /// The sources, and after them room for more.
    pub(crate) sources: Vec<Source>,
    /// How many sources there are.
    pub(crate) used: usize,
    /// The groups of cards, as sets of places.
    pub(crate) groups: Vec<u32>,
}
