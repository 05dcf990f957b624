//! Defines the store interface for push subscriptions, and the names of the database leases that schedule push messages and
//! e-mails about turns.

use super::holder::Holder;
use super::outcome::{Appended, StoreFuture};

/// Maximum number of push subscriptions of a person. A further subscription replaces the oldest subscription.
pub(crate) const MOST_SUBSCRIPTIONS: usize = 20;

/// Delay, in milliseconds, from a player's action to the push message about the opponent's turn. A player who is at the table sees the
/// action during this delay.
pub(crate) const TURN_DELAY: i64 = 10_000;

/// Delay, in milliseconds, from a player's action to the e-mail about the opponent's turn. Each further action restarts the delay, so that
/// no e-mail is sent during a quick exchange of actions.
pub(crate) const MAIL_DELAY: i64 = 600_000;

/// Delay, in milliseconds, from the pairing of two players in a tournament event to the push message about the pairing. The pages
/// of connected players open the match during this delay.
pub(crate) const PAIRED_DELAY: i64 = 3_000;

/// Interval, in milliseconds, between the push message about a clock deadline and the deadline.
pub(crate) const NEAR: i64 = 6 * 3_600_000;

/// Language of push messages and e-mails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PushLanguage {
    English,
    German,
}

impl PushLanguage {
    /// Returns the language for a language tag that the web page sends. All tags except `de` stand for English.
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
    /// Public key of the browser for push messages: an uncompressed point on P-256 (65 bytes).
    pub(crate) key: Vec<u8>,
    /// Authentication secret of the browser for push messages (16 bytes; RFC 8291).
    pub(crate) secret: Vec<u8>,
    pub(crate) language: PushLanguage,
    /// Time at which the push subscription was created, in seconds since 1970.
    pub(crate) made_at: i64,
    /// Number of failed push messages since the last accepted push message.
    pub(crate) failures: u32,
    /// Earliest time of the next push message after a failure, in seconds since 1970.
    pub(crate) retry_at: i64,
    /// Names of the occasions, such as turns, of the last push messages that the push service accepted, one a line; `None` before the first
    /// accepted message.
    ///
    /// The stored names prevent further push messages about one occasion. Of two messages that are sent at the same time, only one name may
    /// be stored.
    pub(crate) told: Option<String>,
}

/// Change of a push subscription.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PushChange {
    /// Stores the push subscription of a person's browser. Returns a conflict if the browser does not belong to the person or is
    /// signed out, or if the store does not know the person.
    Set { person: Holder, subscription: PushSubscription },
    /// Removes the push subscription of a browser. If `endpoint` is given, only a subscription to this endpoint is removed.
    Remove { person: Holder, browser: Holder, endpoint: Option<String> },
    /// Records whether the push service accepted a push message to a browser.
    Sent {
        person: Holder,
        browser: Holder,
        /// URL of the subscription to which the push message was sent. The result does not apply to a newer subscription of the
        /// browser.
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
    /// Returns the secret from which all servers of a database derive their common VAPID key (key for signed requests to push services).
    fn push_key(&self) -> [u8; 32];

    /// Returns the push subscriptions of a person, oldest first.
    fn push_subscriptions(&self, person: Holder) -> StoreFuture<'_, Vec<PushSubscription>>;

    /// Executes a change of a push subscription.
    fn change_push(&self, change: PushChange) -> StoreFuture<'_, Appended>;

    /// Returns the names of the database leases for the work of sending messages about turns: push messages and e-mails. Push messages that
    /// are not due soon are left out.
    fn waiting_turns(&self) -> StoreFuture<'_, Vec<String>>;
}

/// Kind of a push message, or of an e-mail about a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PushKind {
    /// Push message to a player that it is their turn.
    Turn,
    /// Push message to a player that their clock deadline in a match is near.
    Near,
    /// Push message to a player that their match offer was accepted.
    Offer,
    /// Push message to a player that they have been paired with an opponent in a tournament event.
    Paired,
    /// E-mail to a player that it is their turn in a correspondence match.
    Mail,
}

impl PushKind {
    pub(crate) const ALL: [Self; 5] =
        [Self::Turn, Self::Near, Self::Offer, Self::Paired, Self::Mail];

    /// Returns the prefix of the names of the database leases for the work of sending messages of a given kind.
    fn prefix(self) -> &'static str {
        match self {
            Self::Turn => "turn:",
            Self::Near => "near:",
            Self::Offer => "offer:",
            Self::Paired => "paired:",
            Self::Mail => "mail:",
        }
    }

    /// Returns the name of the database lease for the work of sending a message of a given kind about a match.
    pub(crate) fn lease(self, id: &str) -> String {
        format!("{}{id}", self.prefix())
    }

    /// Returns the kind of message and the match id in the name of a database lease. Returns `None` if the work of the lease is not the
    /// sending of a message.
    pub(crate) fn of_lease(name: &str) -> Option<(Self, &str)> {
        Self::ALL.into_iter().find_map(|kind| Some((kind, name.strip_prefix(kind.prefix())?)))
    }
}

/// Returns the match id in the name of a database lease for the work of sending a message about a match. For any other lease, returns the
/// name unchanged.
pub(crate) fn match_of(name: &str) -> &str {
    PushKind::of_lease(name).map_or(name, |(_, id)| id)
}
