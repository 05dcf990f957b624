//! Defines the types of open offers in a store.

use super::holder::Holder;
use crate::clock_setting::ClockSetting;
use crate::match_rating::MatchRating;

/// Minimum retention, in seconds, of an accepted offer, so that both players find their match after
/// a lost response. An offer that would have stayed open for longer is kept until then, so that its
/// maker learns of the acceptance after days.
pub(crate) const ACCEPTED_TIME: i64 = 60 * 60;

/// Open offer of a person to play against the first person who accepts.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Offer {
    pub(crate) id: String,
    /// Person who made the offer.
    pub(crate) holder: Holder,
    /// Display name of the maker.
    pub(crate) name: Option<String>,
    pub(crate) rules: String,
    pub(crate) clock: Option<ClockSetting>,
    /// Whether the maker leads in the first game.
    pub(crate) leads: bool,
    /// Whether the match changes the ratings of its players, who need accounts. A rated offer has
    /// a clock.
    pub(crate) rated: bool,
    /// Network number from which the offer was made.
    pub(crate) network: u16,
    /// Client id of the request, unique for the person.
    pub(crate) client_id: String,
    /// Unix time of the creation, in seconds.
    pub(crate) made_at: i64,
    /// Unix time, in seconds, at which the offer expires.
    pub(crate) until: i64,
    /// Id of the match that began with the acceptance; `None` while the offer is open.
    pub(crate) match_id: Option<String>,
    /// Account of the maker of a rated offer at the time of the read. A write ignores this field.
    pub(crate) maker: Option<Maker>,
}

/// Account of the maker of a rated offer.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Maker {
    /// Whether the profile of the maker is visible only to the maker.
    pub(crate) is_private: bool,
    /// Rating of the maker for the rule set and pace of the offer; `None` before the first rated
    /// match.
    pub(crate) rating: Option<MatchRating>,
}

impl Offer {
    /// Returns whether the offer stays open without its maker's presence.
    pub(crate) fn is_lasting(&self) -> bool {
        matches!(self.clock, Some(ClockSetting::Days(_)))
    }

    /// Returns whether the offer may be accepted at a Unix time in seconds.
    pub(crate) fn is_open(&self, at: i64) -> bool {
        self.match_id.is_none() && self.until > at
    }
}

/// Quotas of open offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OfferLimits {
    /// Maximum number of open offers per person, or `None` without a limit.
    pub(crate) person: Option<u32>,
    /// Maximum number of open offers per network, or `None` without a limit.
    pub(crate) network: Option<u32>,
    /// Maximum number of open offers of all persons together.
    pub(crate) all: u32,
    /// Maximum number of lasting open offers of all persons together.
    pub(crate) lasting: u32,
}
