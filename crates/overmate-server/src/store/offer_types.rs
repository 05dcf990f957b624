//! Defines the types of open offers in a store.

use super::holder::Holder;
use crate::clock_setting::ClockSetting;
use crate::match_rating::MatchRating;

/// Minimum retention, in seconds, of an accepted offer, so that both players find their match after
/// a lost response. An offer that would have stayed open for longer is kept until then, so that its
/// maker learns of the acceptance after days.
pub(crate) const ACCEPTED_TIME: i64 = 60 * 60;

/// Retention, in seconds, of a declined challenge. In this time the maker cannot challenge the same
/// handle again.
pub(crate) const DECLINED_TIME: i64 = 24 * 60 * 60;

/// Maximum number of open challenges to a handle.
pub(crate) const CHALLENGES: usize = 20;

/// Open offer of a person to play against the first person who accepts.
#[derive(Clone, PartialEq, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each field answers a separate question")]
pub(crate) struct Offer {
    pub(crate) id: String,
    /// Person who made the offer, called its maker.
    pub(crate) holder: Holder,
    /// Display name of the maker.
    pub(crate) name: Option<String>,
    pub(crate) rules: String,
    pub(crate) clock: Option<ClockSetting>,
    /// Whether the maker leads in the first game.
    pub(crate) leads: bool,
    /// Whether the match changes the ratings of its players, which both need accounts. A rated offer has a clock.
    pub(crate) rated: bool,
    /// Whether a bot may accept the offer. A bot may always accept a challenge to it.
    pub(crate) bots: bool,
    /// Number that identifies the client network from which the maker sent the offer.
    pub(crate) network: u16,
    /// Id that the client chose for the request, unique for the person.
    pub(crate) client_id: String,
    /// Unix time of the creation, in seconds.
    pub(crate) made_at: i64,
    /// Unix time, in seconds, at which the offer expires.
    pub(crate) until: i64,
    /// Id of the match that began with the acceptance; `None` while the offer is open.
    pub(crate) match_id: Option<String>,
    /// Addressee of a challenge; `None` for an offer to everybody.
    pub(crate) to: Option<Addressee>,
    /// Account of the maker at the time of the read, for a rated offer or a challenge. A write ignores this field.
    pub(crate) maker: Option<Maker>,
    /// Whether the maker is a bot, at the time of the read. A write ignores this field.
    pub(crate) by_bot: bool,
}

/// Addressee of a challenge, given by a handle. An account with this handle need not exist.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Addressee {
    /// Handle of the addressee, as the maker wrote it.
    pub(crate) handle: String,
    /// Tag (keyed hash) of the handle.
    pub(crate) tag: [u8; 32],
    /// Person whose account has the handle at the time of the read. A write ignores this field.
    pub(crate) person: Option<Holder>,
    /// Whether the addressee has declined the challenge.
    pub(crate) has_declined: bool,
}

/// Account of the maker of a rated offer or a challenge.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Maker {
    pub(crate) handle: String,
    /// Whether the profile of the maker is visible only to the maker.
    pub(crate) is_private: bool,
    /// Rating of the maker for the rule set and pace of the offer; `None` before the first rated
    /// match.
    pub(crate) rating: Option<MatchRating>,
}

impl Offer {
    /// Returns whether the offer stays open while its maker is offline.
    pub(crate) fn is_lasting(&self) -> bool {
        matches!(self.clock, Some(ClockSetting::Days(_)))
    }

    /// Returns whether the offer may be accepted at a Unix time in seconds.
    pub(crate) fn is_open(&self, at: i64) -> bool {
        self.match_id.is_none() && !self.is_declined() && self.until > at
    }

    /// Returns whether the offer is a challenge that its addressee has declined.
    pub(crate) fn is_declined(&self) -> bool {
        self.to.as_ref().is_some_and(|to| to.has_declined)
    }

    /// Returns the person whom the offer challenges, or `None` for an offer to everybody or an unknown handle.
    pub(crate) fn addressee(&self) -> Option<Holder> {
        self.to.as_ref().and_then(|to| to.person)
    }

    /// Returns whether bots may accept the offer: an unrated offer that is a challenge, or whose maker permits bots.
    pub(crate) fn is_for_bots(&self) -> bool {
        !self.rated && (self.bots || self.to.is_some())
    }

    /// Returns whether bots may make the offer: an unrated offer to everybody.
    pub(crate) fn may_be_of_bot(&self) -> bool {
        !self.rated && self.to.is_none()
    }

    /// Returns whether a person may accept the offer. Only its addressee may accept a challenge.
    pub(crate) fn is_for(&self, person: Holder) -> bool {
        self.to.is_none() || self.addressee() == Some(person)
    }
}

/// Quotas of open offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OfferLimits {
    /// Maximum number of open offers per person, or `None` without a limit.
    pub(crate) person: Option<u32>,
    /// Maximum number of open offers per client network (address prefix), or `None` without a
    /// limit.
    pub(crate) network: Option<u32>,
    /// Maximum number of open offers of all persons together.
    pub(crate) all: u32,
    /// Maximum number of open offers of correspondence matches, of all persons together.
    pub(crate) lasting: u32,
}
