//! Defines the store's data types for match offers.

use super::holder::Holder;
use crate::clocks::clock_setting::ClockSetting;
use crate::rating::match_rating::MatchRating;

/// Minimum retention, in seconds, of an accepted match offer. In this time, both players can find their match after a lost response.
///
/// An offer with a later expiry is kept until its expiry, so that its maker learns of the acceptance even days later.
pub(crate) const ACCEPTED_TIME: i64 = 60 * 60;

/// Retention, in seconds, of a declined challenge to a match. During this time, the challenger cannot challenge the same handle again.
pub(crate) const DECLINED_TIME: i64 = 24 * 60 * 60;

/// Maximum number of open challenges to matches that are addressed to one handle.
pub(crate) const CHALLENGES: usize = 20;

/// Offer to play a match, addressed to everybody or, as a challenge, to one person.
#[derive(Clone, PartialEq, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each field answers a separate question")]
pub(crate) struct Offer {
    pub(crate) id: String,
    /// Person who made the match offer, called the maker of the offer.
    pub(crate) holder: Holder,
    /// Display name of the match offer's maker.
    pub(crate) name: Option<String>,
    pub(crate) rules: String,
    pub(crate) clock: Option<ClockSetting>,
    /// Whether the maker of the match offer leads in the first game.
    pub(crate) leads: bool,
    /// Whether the offered match changes the ratings of its players. Both players of a rated match need accounts, and a rated
    /// offer has a clock.
    pub(crate) rated: bool,
    /// Whether a bot may accept the match offer. A bot may always accept an unrated challenge that is addressed to the bot.
    pub(crate) bots: bool,
    /// 16-bit hash of the IP network from which the maker sent the match offer.
    pub(crate) network: u16,
    /// Id that the client chose for the request that created the match offer. The id is unique among the requests of the maker.
    pub(crate) client_id: String,
    /// Unix time at which the match offer was created, in seconds.
    pub(crate) made_at: i64,
    /// Unix time at which the match offer expires, in seconds.
    pub(crate) until: i64,
    /// Id of the match that began with the acceptance of the offer. `None` while the offer is open.
    pub(crate) match_id: Option<String>,
    /// Addressee of the match offer, if the offer is a challenge. `None` for a match offer to everybody.
    pub(crate) to: Option<Addressee>,
    /// Account of the maker of a rated match offer or a challenge, as it was when the database was read. A write ignores this
    /// field.
    pub(crate) maker: Option<Maker>,
    /// Whether the maker of the match offer was a bot when the database was read. A write ignores this field.
    pub(crate) by_bot: bool,
}

/// Addressee of a challenge to a match, named by a handle. There may be no account with this handle.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Addressee {
    /// Handle of the challenge's addressee, as the challenger wrote it.
    pub(crate) handle: String,
    /// Tag (keyed hash) of the addressee's handle.
    pub(crate) tag: [u8; 32],
    /// Person whose account had the handle of a challenge's addressee when the database was read. A write ignores this field.
    pub(crate) person: Option<Holder>,
    /// Whether the addressee has declined the challenge.
    pub(crate) has_declined: bool,
}

/// Account of the person who made a rated match offer or a challenge.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Maker {
    pub(crate) handle: String,
    /// Whether only the maker of the match offer can see the maker's profile.
    pub(crate) is_private: bool,
    /// Maker's rating for the rule set and the pace (live or correspondence) of the match offer; `None` before the maker's first rated
    /// match.
    pub(crate) rating: Option<MatchRating>,
}

impl Offer {
    /// Returns whether the match offer stays open while its maker is offline.
    pub(crate) fn is_lasting(&self) -> bool {
        matches!(self.clock, Some(ClockSetting::Days(_)))
    }

    /// Returns whether the match offer can be accepted at a Unix time in seconds.
    pub(crate) fn is_open(&self, at: i64) -> bool {
        self.match_id.is_none() && !self.is_declined() && self.until > at
    }

    /// Returns whether the match offer is a challenge that its addressee has declined.
    pub(crate) fn is_declined(&self) -> bool {
        self.to.as_ref().is_some_and(|to| to.has_declined)
    }

    /// Returns the person to whom the match offer is addressed as a challenge. Returns `None` for an offer to everybody, or if no
    /// account has the challenged handle.
    pub(crate) fn addressee(&self) -> Option<Holder> {
        self.to.as_ref().and_then(|to| to.person)
    }

    /// Returns whether bots may accept the match offer. They may accept unrated challenges, and unrated offers whose maker
    /// permits bots.
    pub(crate) fn is_for_bots(&self) -> bool {
        !self.rated && (self.bots || self.to.is_some())
    }

    /// Returns whether the match offer is of a kind that bots may make: an unrated offer to everybody.
    pub(crate) fn may_be_of_bot(&self) -> bool {
        !self.rated && self.to.is_none()
    }

    /// Returns whether a person may accept the match offer. Only the addressee may accept a challenge.
    pub(crate) fn is_for(&self, person: Holder) -> bool {
        self.to.is_none() || self.addressee() == Some(person)
    }
}

/// Maximum numbers of open match offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OfferLimits {
    /// Maximum number of open match offers per person, or `None` for no limit.
    pub(crate) person: Option<u32>,
    /// Maximum number of open match offers per client network (address prefix), or `None` for no limit.
    pub(crate) network: Option<u32>,
    /// Maximum number of open match offers of all persons together.
    pub(crate) all: u32,
    /// Maximum number of open offers of correspondence matches by all persons together.
    pub(crate) lasting: u32,
}
