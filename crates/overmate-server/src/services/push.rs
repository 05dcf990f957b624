//! Sends push messages to players about their turns, approaching clock deadlines, accepted match offers, and pairings in tournament events.
//! E-mails about turns use the same leases.
//!
//! The store queues each message as a lease that becomes due later, in the transaction of the event that causes the message, such as an
//! action. One server takes the lease, and sends the message if its cause still exists. Each server removes the queued messages about turns
//! in matches that the player already sees on this server.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use overmate_rules::Player;
use serde_json::json;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::failure_log::FailureLog;
use super::repository::MatchRepository;
use super::turn_mails::{TurnMailService, TurnNews};
use crate::clocks::match_clock::MatchClock;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::limits::Limiter;
use crate::matches::match_state::MatchState;
use crate::presence::Rooms;
use crate::push::{Delivery, Endpoint, Outcome, PushClient, is_key};
use crate::store::{
    EntryKind, Holder, Occupant, PushChange, PushKind, PushLanguage, PushSubscription,
};
use crate::turn_text::TurnText;

/// Interval at which the server removes superfluous unsent messages about turns. A message is removed if the player
/// already sees the match through this server.
const INTERVAL: Duration = Duration::from_secs(3);

/// Delay before the next attempt to send a push message or an e-mail after a failure within this server.
const RETRY: Duration = Duration::from_secs(30);

/// Minimum and maximum time to live (TTL) of a push message at a push service, in seconds.
const LIFETIME: (i64, i64) = (60, 24 * 3_600);

/// Pause, in seconds, between the first failure of a push subscription and the next message to the subscription. Each further
/// failure doubles the pause.
const FIRST_PAUSE: i64 = 60;

/// Longest pause, in seconds, between a failure of a push subscription and the next message to the subscription.
const LONGEST_PAUSE: i64 = 24 * 3_600;

/// Delay before the next attempt to send a push message, if this server cannot send it. A server sends no push messages if its operator
/// has set no contact address.
const UNABLE_PAUSE: Duration = Duration::from_secs(30);

/// Number of consecutive failures after which a push subscription is removed. The pauses before the last attempt add up to nearly two and a
/// half days.
const MOST_FAILURES: u32 = 13;

/// Number of the last events of which a browser got a message that are stored with its push subscription.
///
/// Several events can wait for a further attempt at the same time, for example turns in several matches.
const REMEMBERED_EVENTS: usize = 32;

/// Maximum number of browsers to which one push message is sent concurrently.
const AT_ONCE: usize = 4;

/// Service that keeps push subscriptions and sends push messages.
#[derive(Clone)]
pub(crate) struct PushService(Arc<PushState>);

struct PushState {
    repository: Arc<MatchRepository>,
    rooms: Rooms,
    /// Client of push services, or `None` if the operator has set no contact address.
    client: Option<PushClient>,
    limiter: Arc<Limiter>,
    turn_mails: TurnMailService,
    /// Names of the database leases of push messages and e-mails that a task of this process is sending.
    working: Mutex<HashSet<String>>,
    stop: CancellationToken,
    tasks: TaskTracker,
}

/// Notification about a match, sent to the browsers of a person or to the person's e-mail address.
struct Message {
    kind: PushKind,
    /// Id of the match that the notification is about.
    id: String,
    person: Holder,
    /// Last known client (browser identity and IP network) of the person who gets the notification. The deliveries are scheduled fairly
    /// between the networks and persons of the clients.
    client: Client,
    /// Key of the push message, by which a repeated attempt skips the browsers that already got the message.
    event: String,
    opponent: Option<String>,
    /// Unix time, in seconds, at which the person who gets the notification loses on time, or `None` if their clock does not run.
    deadline: Option<i64>,
}

impl Message {
    /// Returns the JSON text of the notification. The text is sent encrypted, so that only the browser can decrypt it.
    fn text(&self, language: PushLanguage) -> String {
        let says = TurnText { german: language == PushLanguage::German };
        let opponent = self.opponent.as_deref();
        let title = match self.kind {
            PushKind::Turn | PushKind::Mail => says.turn(opponent),
            PushKind::Near => says.near(opponent),
            PushKind::Offer => says.accepted(opponent),
            PushKind::Paired => says.paired(opponent),
        };
        json!({
            "title": title,
            "body": self.deadline.map(|deadline| says.until(deadline)),
            "path": format!("/match/{}", self.id),
            "language": language.tag(),
        })
        .to_string()
    }
}

impl PushService {
    pub(crate) fn new(
        repository: Arc<MatchRepository>,
        rooms: Rooms,
        client: Option<PushClient>,
        limiter: Arc<Limiter>,
        turn_mails: TurnMailService,
        (stop, tasks): (CancellationToken, TaskTracker),
    ) -> Self {
        let working = Mutex::default();
        let state =
            PushState { repository, rooms, client, limiter, turn_mails, working, stop, tasks };
        Self(Arc::new(state))
    }

    /// Returns the public key with which browsers subscribe to push messages, or `None` if this server sends no push messages.
    pub(crate) fn key(&self) -> Option<&str> {
        self.0.client.as_ref().map(PushClient::public_key)
    }

    /// Returns the push subscriptions of a person, from old to new.
    pub(crate) async fn of(
        &self,
        person: Option<Holder>,
    ) -> Result<Vec<PushSubscription>, ApiError> {
        match person {
            Some(person) => Ok(self.0.repository.store().push_subscriptions(person).await?),
            None => Ok(Vec::new()),
        }
    }

    /// Stores the push subscription of one of a person's browsers.
    pub(crate) async fn subscribe(
        &self,
        person: Holder,
        subscription: PushSubscription,
    ) -> Result<(), ApiError> {
        if self.0.client.is_none() {
            return Err(ApiError::Lacking("this server sends no push messages"));
        }
        if Endpoint::read(&subscription.endpoint).is_none() {
            return Err(ApiError::bad_request(
                "endpoint: the address is not valid: send the address of a push service with https:// and a public host name",
            ));
        }
        if !is_key(&subscription.key) || subscription.secret.len() != 16 {
            return Err(ApiError::bad_request(
                "p256dh, auth: the keys are not valid: send the keys of the push subscription in Base64",
            ));
        }
        let set = PushChange::Set { person, subscription };
        self.0.repository.store().change_push(set).await?.ok_or(ApiError::BROWSER_UNKNOWN)
    }

    /// Removes the push subscription of one of a person's browsers.
    pub(crate) async fn unsubscribe(
        &self,
        person: Holder,
        browser: Holder,
    ) -> Result<(), ApiError> {
        let remove = PushChange::Remove { person, browser, endpoint: None };
        self.0.repository.store().change_push(remove).await?;
        Ok(())
    }

    /// Regularly removes unsent push messages and e-mails about turns to players who already see their match through this server. The
    /// method runs until the server stops.
    pub(crate) async fn run(&self) {
        if self.0.client.is_none() && !self.0.turn_mails.is_on() {
            return;
        }
        let mut failures = FailureLog::default();
        while timeout(INTERVAL, self.0.stop.cancelled()).await.is_err() {
            failures.note(self.remove_seen().await);
        }
    }

    async fn remove_seen(&self) -> Result<(), ApiError> {
        let PushState { repository, rooms, .. } = &*self.0;
        for lease in repository.store().waiting_turns().await? {
            let Some((_, id)) = PushKind::of_lease(&lease) else { continue };
            if !Player::BOTH.into_iter().any(|player| rooms.is_here(id, player)) {
                continue;
            }
            let state = match repository.load(id).await {
                Ok(state) => state,
                // The match was removed after the list of leases was read.
                Err(ApiError::NotFound(_)) => continue,
                Err(error) => return Err(error),
            };
            if state.to_act().is_some_and(|player| rooms.is_here(state.id(), player)) {
                // The lease of a message about a turn is removed only if the log of the match has not grown since the match was loaded. A
                // message about a later action is thus kept.
                repository.store().remove_lease(lease, state.sequence()).await?;
            }
        }
        Ok(())
    }

    /// Sends the push message or e-mail for which this server holds a database lease, unless a task of this process is already sending the
    /// message.
    pub(crate) fn take_over(&self, name: String) {
        if !self.working().insert(name.clone()) {
            return;
        }
        let service = self.clone();
        self.0.tasks.spawn(async move {
            let store = service.0.repository.store();
            let is_mail = matches!(PushKind::of_lease(&name), Some((PushKind::Mail, _)));
            let done = tokio::select! {
                done = service.work(&name) => done,
                // When this server stops, an attempt to send a push message is cancelled, and another server sends the message. An attempt
                // to send an e-mail is not cancelled, because no server would repeat the attempt.
                () = service.0.stop.cancelled(), if !is_mail => Ok(()),
            };
            if let Err(error) = done {
                error.log();
                if let Err(error) = store.release_lease(name.clone(), RETRY).await {
                    ApiError::from(error).log();
                }
            }
            service.working().remove(&name);
        });
    }

    fn working(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.working.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends the push message or e-mail to which a database lease belongs, and then removes the lease. If an attempt failed, the lease is
    /// released, and becomes due again after a pause.
    async fn work(&self, name: &str) -> Result<(), ApiError> {
        let Some((kind, id)) = PushKind::of_lease(name) else { return Ok(()) };
        let store = self.0.repository.store();
        let (sequence, pause) = match self.0.repository.load(id).await {
            Ok(state) => {
                let mut pause = None;
                for message in self.messages(kind, &state).await? {
                    let next = match &self.0.client {
                        _ if kind == PushKind::Mail => self.mail(message, &state).await?,
                        Some(client) => self.tell(client, &message).await?,
                        // This server cannot send push messages, but another server of the database may be able to.
                        None => Some(UNABLE_PAUSE),
                    };
                    pause = pause.into_iter().chain(next).min();
                }
                (state.sequence(), pause)
            }
            Err(ApiError::NotFound(_)) => (0, None),
            Err(error) => return Err(error),
        };
        match pause {
            Some(pause) => store.release_lease(name.to_owned(), pause).await?,
            // The method `remove_lease` removes the lease of the push message or e-mail only if the match's log has not grown since
            // the match was loaded. Otherwise the lease stays, and the server checks again whether to send a message.
            None => store.remove_lease(name.to_owned(), sequence).await?,
        };
        Ok(())
    }

    /// Returns the push messages of the given kind about a match. Messages whose cause no longer exists, and messages to players
    /// who see the match, are left out.
    async fn messages(&self, kind: PushKind, state: &MatchState) -> Result<Vec<Message>, ApiError> {
        let players = match kind {
            PushKind::Turn | PushKind::Near | PushKind::Mail => {
                state.to_act().into_iter().collect()
            }
            PushKind::Offer => self.offered_by(state).await?.into_iter().collect(),
            PushKind::Paired => Player::BOTH.to_vec(),
        };
        let deadline = state.clock().and_then(MatchClock::deadline);
        let deadline = deadline.map(|deadline| deadline.div_euclid(1_000));
        let is_over = state.result().is_some() || (kind == PushKind::Near && deadline.is_none());
        if is_over || !state.is_between_people() {
            return Ok(Vec::new());
        }
        let message = |player: Player| self.message(kind, state, player, deadline);
        Ok(players.into_iter().filter_map(message).collect())
    }

    /// Returns the push message of the given kind to a player of a running match. Returns `None` if the player is no person, holds
    /// both seats, or already sees the match.
    fn message(
        &self,
        kind: PushKind,
        state: &MatchState,
        player: Player,
        deadline: Option<i64>,
    ) -> Option<Message> {
        let Occupant::Holder(person) = state.seats()[player].occupant else { return None };
        let is_alone = state.seats()[!player].occupant == Occupant::Holder(person);
        if is_alone || self.0.rooms.is_here(state.id(), player) {
            return None;
        }
        let name = kind.lease(state.id());
        let event = match kind {
            PushKind::Turn | PushKind::Mail => format!("{name} {}", state.unchanged_since()),
            // The key of the push message about a near deadline contains this deadline, because days off can change the deadline of a turn.
            PushKind::Near => {
                format!("{name} {} {}", state.unchanged_since(), deadline.unwrap_or_default())
            }
            PushKind::Offer | PushKind::Paired => format!("{name} 0"),
        };
        Some(Message {
            kind,
            id: state.id().to_owned(),
            person,
            client: self.0.limiter.latest(person, state.info().network),
            event,
            opponent: state.seats()[!player].marked_name(),
            deadline: deadline.filter(|_| state.to_act() == Some(player)),
        })
    }

    /// Returns the player (A or B) who made the accepted match offer, or `None` if nobody has taken the open seat of
    /// the match. This player is the opponent of the player who took the seat.
    async fn offered_by(&self, state: &MatchState) -> Result<Option<Player>, ApiError> {
        let entries = self.0.repository.store().entries(state.id(), 0).await?.unwrap_or_default();
        let joined = entries.iter().find(|entry| entry.kind == EntryKind::Join);
        Ok(joined.map(|entry| !entry.player))
    }

    /// Sends the e-mail about a player's turn. Returns the delay before the next attempt, or `None` if no further attempt is due.
    async fn mail(
        &self,
        message: Message,
        state: &MatchState,
    ) -> Result<Option<Duration>, ApiError> {
        let Message { id, person, opponent, deadline, .. } = message;
        // The number of actions identifies the turn, because log entries about clocks and seats do not change the turn.
        let (turn, sequence) = (state.actions(), state.sequence());
        self.0.turn_mails.tell(&TurnNews { id, person, opponent, deadline, sequence, turn }).await
    }

    /// Sends a push message to each push subscription of the addressed person. Returns the delay before the next
    /// attempt, or `None` if no further attempt is due.
    async fn tell(
        &self,
        client: &PushClient,
        message: &Message,
    ) -> Result<Option<Duration>, ApiError> {
        let store = self.0.repository.store();
        let subscriptions = store.push_subscriptions(message.person).await?;
        let told = stream::iter(subscriptions)
            .map(|subscription| self.tell_one(client, message, subscription))
            .buffer_unordered(AT_ONCE);
        let pauses: Vec<Result<Option<i64>, ApiError>> = told.collect().await;
        let pauses = pauses.into_iter().collect::<Result<Vec<_>, _>>()?;
        let pause = pauses.into_iter().flatten().min();
        Ok(pause.map(|seconds| Duration::from_secs(seconds.max(1).unsigned_abs())))
    }

    /// Sends a push message to one browser, and records the outcome. Returns the seconds until the next attempt, or `None` if no
    /// further attempt is due.
    async fn tell_one(
        &self,
        client: &PushClient,
        message: &Message,
        subscription: PushSubscription,
    ) -> Result<Option<i64>, ApiError> {
        let store = self.0.repository.store();
        let now = self.0.repository.time().now();
        let PushSubscription { browser, endpoint, failures, retry_at, .. } = &subscription;
        let earlier = subscription.told.as_deref().unwrap_or_default();
        if earlier.lines().any(|event| event == message.event) {
            return Ok(None);
        }
        if *retry_at > now {
            return Ok(Some(retry_at - now));
        }
        let person = message.person;
        let remove =
            || PushChange::Remove { person, browser: *browser, endpoint: Some(endpoint.clone()) };
        let Some(read) = Endpoint::read(endpoint) else {
            store.change_push(remove()).await?;
            return Ok(None);
        };
        let (least, most) = LIFETIME;
        let lifetime = message.deadline.map_or(most, |deadline| deadline - now).clamp(least, most);
        let delivery = Delivery {
            client: message.client,
            endpoint: &read,
            key: &subscription.key,
            secret: &subscription.secret,
            text: &message.text(subscription.language),
            lifetime: u32::try_from(lifetime).unwrap_or(u32::MAX),
            topic: &message.id,
            is_urgent: matches!(message.kind, PushKind::Near | PushKind::Paired),
        };
        let outcome = client.deliver(delivery, now).await;
        let name = match outcome {
            Outcome::Accepted => "accepted",
            Outcome::Gone => "gone",
            Outcome::Failed => "failed",
        };
        metrics::counter!("overmate_push_messages_total", "outcome" => name).increment(1);
        let (change, pause) = match outcome {
            Outcome::Accepted => {
                let told = Some(with_event(earlier, &message.event));
                let (browser, endpoint) = (*browser, endpoint.clone());
                (
                    PushChange::Sent { person, browser, endpoint, failures: 0, retry_at: 0, told },
                    None,
                )
            }
            Outcome::Failed if failures + 1 < MOST_FAILURES => {
                let pause = pause_after(failures + 1);
                let (failures, retry_at) = (failures + 1, now + pause);
                let (browser, endpoint, told) = (*browser, endpoint.clone(), None);
                let sent = PushChange::Sent { person, browser, endpoint, failures, retry_at, told };
                (sent, Some(pause))
            }
            Outcome::Gone | Outcome::Failed => (remove(), None),
        };
        store.change_push(change).await?;
        Ok(pause)
    }
}

/// Adds an event to the list of the last events of which a browser got a message, one a line, the latest first.
fn with_event(earlier: &str, event: &str) -> String {
    let events: Vec<&str> =
        [event].into_iter().chain(earlier.lines()).take(REMEMBERED_EVENTS).collect();
    events.join("\n")
}

/// Returns the pause, in seconds, before the next message to a push subscription after a number of consecutive failures.
fn pause_after(failures: u32) -> i64 {
    let factor = 1_i64.checked_shl(failures.saturating_sub(1)).unwrap_or(i64::MAX);
    FIRST_PAUSE.saturating_mul(factor).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_events_of_a_browser_are_remembered() {
        let all: Vec<String> = (0..100).map(|number| format!("match {number}")).collect();
        let told = all.iter().fold(String::new(), |told, event| with_event(&told, event));
        let remembered: Vec<&str> = told.lines().collect();
        let latest: Vec<&String> = all.iter().rev().take(REMEMBERED_EVENTS).collect();
        assert_eq!(remembered, latest);
    }

    #[test]
    fn pauses_double_up_to_a_day() {
        let pauses: Vec<i64> = (1..MOST_FAILURES).map(pause_after).collect();
        assert_eq!(pauses[..4], [60, 120, 240, 480]);
        assert_eq!(pauses[11], LONGEST_PAUSE);
        assert!(pauses.is_sorted());
        let days = pauses.iter().sum::<i64>() / (24 * 3_600);
        assert_eq!(days, 2, "{pauses:?}");
    }
}
