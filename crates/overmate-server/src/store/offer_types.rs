//! Defines the open offers in a store.

use super::holder::Holder;
use crate::clock_setting::ClockSetting;

/// Shortest time in seconds for which an accepted offer is kept, so that both players find their match after a lost answer. An offer that would have stayed open
/// for longer is kept until then, so that its maker learns of the acceptance after days.
pub(crate) const ACCEPTED_TIME: i64 = 60 * 60;

/// Offer of a person to play with whoever accepts first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Offer {
    pub(crate) id: String,
    /// Person who made the offer.
    pub(crate) holder: Holder,
    /// Name under which the maker is shown.
    pub(crate) name: Option<String>,
    pub(crate) rules: String,
    pub(crate) clock: Option<ClockSetting>,
    /// Whether the maker leads in the first game.
    pub(crate) leads: bool,
    /// Number of the network from which the offer was made.
    pub(crate) network: u16,
    /// Name of the request that made the offer, unique for the person.
    pub(crate) client_id: String,
    /// Time when the offer was made, in seconds since 1970.
    pub(crate) made_at: i64,
    /// Time from which nobody may accept the offer, and from which an accepted offer is forgotten, in seconds since 1970.
    pub(crate) until: i64,
    /// Match that the acceptance began; `None` while the offer is open.
    pub(crate) match_id: Option<String>,
}

impl Offer {
    /// Returns whether the offer stays open without its maker.
    pub(crate) fn is_lasting(&self) -> bool {
        matches!(self.clock, Some(ClockSetting::Days(_)))
    }

    /// Returns whether the offer may be accepted at a time, in seconds since 1970.
    pub(crate) fn is_open(&self, at: i64) -> bool {
        self.match_id.is_none() && self.until > at
    }
}

/// Largest numbers of open offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OfferLimits {
    /// Largest number of a person, or `None` without a limit.
    pub(crate) person: Option<u32>,
    /// Largest number of a network, or `None` without a limit.
    pub(crate) network: Option<u32>,
    /// Largest number of all persons.
    pub(crate) all: u32,
    /// Largest number of lasting offers of all persons.
    pub(crate) lasting: u32,
}
