//! Defines the store interface for push subscriptions, and the names of waiting push messages.

use super::holder::Holder;
use super::outcome::{Appended, StoreFuture};

/// Largest number of push subscriptions of a person. A further subscription replaces the oldest one.
pub(crate) const MOST_SUBSCRIPTIONS: usize = 20;

/// Delay, in milliseconds, from an action to the push message that tells the opponent about their turn. In this time, a player who
/// is at the table sees the action.
pub(crate) const TURN_DELAY: i64 = 10_000;

/// Time in milliseconds between an action and the e-mail about the turn. Each further action restarts this time, so that no e-mail
/// is sent during a quick exchange of actions.
pub(crate) const MAIL_DELAY: i64 = 600_000;

/// Time in milliseconds between a pairing and its push message. In this time, the pages of connected players open the match.
pub(crate) const PAIRED_DELAY: i64 = 3_000;

/// Time, in milliseconds, from the push message about a near deadline to that deadline.
pub(crate) const NEAR: i64 = 6 * 3_600_000;

/// Language of push messages and e-mails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PushLanguage {
    English,
    German,
}

impl PushLanguage {
    /// Returns the language for a language tag that the page sends. All tags but `de` stand for English.
    pub(crate) fn of_tag(tag: &str) -> Self {
        if tag == "de" { Self::German } else { Self::English }
    }

    pub(crate) fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }
}

/// Subscription of a browser to push messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PushSubscription {
    pub(crate) browser: Holder,
    /// URL of the subscription at the push service of the browser's vendor.
    pub(crate) endpoint: String,
    /// Public key of the browser: an uncompressed point on P-256 (65 bytes).
    pub(crate) key: Vec<u8>,
    /// Authentication secret of the browser (16 bytes; RFC 8291).
    pub(crate) secret: Vec<u8>,
    pub(crate) language: PushLanguage,
    /// Time of the subscription, in seconds since 1970.
    pub(crate) made_at: i64,
    /// Number of failed messages since the last accepted message.
    pub(crate) failures: u32,
    /// Time until which no message is sent after a failure, in seconds since 1970.
    pub(crate) retry_at: i64,
    /// Name of the occasion, such as a turn, that the last accepted message reported; `None` before the first accepted message.
    /// It prevents a second message about the occasion.
    pub(crate) told: Option<String>,
}

/// Change of a push subscription.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PushChange {
    /// Stores the push subscription of a person's browser. Returns a conflict if the browser does not belong to the person, is
    /// signed out, or is not known.
    Set { person: Holder, subscription: PushSubscription },
    /// Removes the push subscription of a browser. With `endpoint`, a subscription of the browser to another endpoint stays.
    Remove { person: Holder, browser: Holder, endpoint: Option<String> },
    /// Records whether the push service of a browser accepted a message.
    Sent {
        person: Holder,
        browser: Holder,
        /// URL of the subscription to which the message was sent. The result does not apply to a newer subscription of the browser.
        endpoint: String,
        failures: u32,
        retry_at: i64,
        told: Option<String>,
    },
}

impl PushChange {
    /// Returns the person whose push subscription changes.
    pub(crate) fn person(&self) -> Holder {
        match self {
            Self::Set { person, .. } | Self::Remove { person, .. } | Self::Sent { person, .. } => {
                *person
            }
        }
    }
}

/// Store of push subscriptions.
pub(crate) trait PushSubscriptions: Send + Sync + 'static {
    /// Returns the secret from which all servers of a database derive their common key for push services.
    fn push_key(&self) -> [u8; 32];

    /// Returns the push subscriptions of a person, from old to new.
    fn push_subscriptions(&self, person: Holder) -> StoreFuture<'_, Vec<PushSubscription>>;

    /// Changes a push subscription.
    fn change_push(&self, change: PushChange) -> StoreFuture<'_, Appended>;

    /// Returns the names of the leases of messages about turns that wait: push messages and e-mails.
    fn waiting_turns(&self) -> StoreFuture<'_, Vec<String>>;
}

/// Kind of a push message, or of an e-mail about a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PushKind {
    /// Push message that the player is to act.
    Turn,
    /// Push message that the deadline of the player is near.
    Near,
    /// Push message that an offer of the player was accepted.
    Offer,
    /// Push message that the player has been paired with an opponent in an event.
    Paired,
    /// E-mail that the player is to act in a correspondence match.
    Mail,
}

impl PushKind {
    pub(crate) const ALL: [Self; 5] =
        [Self::Turn, Self::Near, Self::Offer, Self::Paired, Self::Mail];

    /// Returns the prefix of the names of leases for messages of this kind.
    fn prefix(self) -> &'static str {
        match self {
            Self::Turn => "turn:",
            Self::Near => "near:",
            Self::Offer => "offer:",
            Self::Paired => "paired:",
            Self::Mail => "mail:",
        }
    }

    /// Returns the name of the lease for the push message about a match.
    pub(crate) fn lease(self, id: &str) -> String {
        format!("{}{id}", self.prefix())
    }

    /// Returns the kind of push message and the match id in the name of a lease, or `None` for other leases.
    pub(crate) fn of_lease(name: &str) -> Option<(Self, &str)> {
        Self::ALL.into_iter().find_map(|kind| Some((kind, name.strip_prefix(kind.prefix())?)))
    }
}

/// Returns the id of the match in the name of a push message's lease. For any other lease, returns the name unchanged.
pub(crate) fn match_of(name: &str) -> &str {
    PushKind::of_lease(name).map_or(name, |(_, id)| id)
}
