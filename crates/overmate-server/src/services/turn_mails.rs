//! Notifies players by e-mail of their turns in correspondence matches. A link in each e-mail switches these e-mails off.
//!
//! Like a push message, each e-mail is queued as a lease that becomes due later, in the transaction that begins the turn. The server that
//! holds the lease begins an attempt with a new token. An attempt with an unknown outcome is not repeated, so that a turn has at most one
//! e-mail. The outcome of a recent attempt may still become known, because a server that stops completes its running attempts.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::mail::{hash_of, limit_key};
use crate::clock::now;
use crate::error::ApiError;
use crate::limits::Limiter;
use crate::mail::{EmailAddress, MailOutcome, MailSender, TurnFacts, turn_text};
use crate::random::random_token;
use crate::store::{
    Appended, Holder, MOST_TRIES, MailAddress, MailChange, PersonChange, PushLanguage, Store,
    TurnMailAnswer, TurnMailChange, pause_after,
};

/// Maximum number of e-mails about turns that this server sends concurrently. The other connections to the SMTP server stay free for
/// messages for which people wait, such as links that set a new password.
const MOST_AT_ONCE: usize = 2;

/// Timeout, in seconds, for the outcome of an attempt to send an e-mail, counted from the start of the attempt. An attempt takes less time,
/// including its wait for a connection.
const ATTEMPT_TIME: i64 = 30;

/// Pause before the next attempt to send an e-mail, on a server without settings for an SMTP server. Another server of the database may
/// have such settings.
const UNABLE_PAUSE: Duration = Duration::from_secs(30);

/// Service that sends e-mails about turns.
#[derive(Clone)]
pub(crate) struct TurnMailService(Arc<TurnMailState>);

struct TurnMailState {
    store: Arc<dyn Store>,
    limiter: Arc<Limiter>,
    /// Client of the SMTP server, or `None` if the operator has set up no SMTP server.
    sender: Option<Arc<MailSender>>,
    places: Semaphore,
    stop: CancellationToken,
}

/// Player's turn in a correspondence match, announced to the player by e-mail. The player does not see the match at
/// present.
pub(crate) struct TurnNews {
    /// Id of the match in which it is the player's turn.
    pub(crate) id: String,
    pub(crate) person: Holder,
    pub(crate) opponent: Option<String>,
    /// Unix time, in seconds, at which the player loses on time; `None` while the clock is stopped.
    pub(crate) deadline: Option<i64>,
    /// Sequence number of the last log entry of the match.
    pub(crate) sequence: u64,
    /// Number of actions in the match before the turn that the e-mail announces. The number identifies the turn.
    pub(crate) turn: u64,
}

impl TurnMailService {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        limiter: Arc<Limiter>,
        sender: Option<Arc<MailSender>>,
        stop: CancellationToken,
    ) -> Self {
        let places = Semaphore::new(MOST_AT_ONCE);
        Self(Arc::new(TurnMailState { store, limiter, sender, places, stop }))
    }

    /// Returns whether this server sends e-mail.
    pub(crate) fn is_on(&self) -> bool {
        self.0.sender.is_some()
    }

    /// Switches e-mails about turns on or off for the confirmed e-mail address of a person.
    pub(crate) async fn set(
        &self,
        person: Holder,
        turns: bool,
        language: PushLanguage,
    ) -> Result<(), ApiError> {
        if turns && !self.is_on() {
            return Err(ApiError::Lacking("this server sends no e-mail"));
        }
        self.change(TurnMailChange::Set { person, turns, language }).await?.ok_or(
            ApiError::Lacking("you have no confirmed e-mail address: confirm an address first"),
        )
    }

    /// Unsubscribes a person from e-mails about turns, by the token in the link of one of these e-mails. A repeated
    /// request has the same effect.
    pub(crate) async fn stop(&self, token: &str) -> Result<(), ApiError> {
        let (hash, at) = (hash_of(token), now());
        let person = self.0.store.turn_mail_of_token(hash, at).await?;
        let person = person.ok_or(ApiError::LinkRefused)?;
        self.change(TurnMailChange::Stop { person, hash, at }).await?.ok_or(ApiError::LinkRefused)
    }

    /// Sends the e-mail about a turn, unless the e-mail was sent before or the player has switched e-mails about turns off. Returns
    /// the delay before the next attempt, or `None` if no further attempt is due.
    pub(crate) async fn tell(&self, news: &TurnNews) -> Result<Option<Duration>, ApiError> {
        let TurnMailState { store, sender, .. } = &*self.0;
        let person = news.person;
        let to = store.mail_address(person).await?.filter(|to| to.turns);
        let account = store.account(person).await?;
        let (Some(to), Some(account)) = (to, account) else { return Ok(None) };
        let Some(address) = EmailAddress::read(&to.address) else { return Ok(None) };
        // If this server cannot send e-mail, another server with the same database may be able to send the e-mail about the turn.
        let Some(sender) = sender else { return Ok(Some(UNABLE_PAUSE)) };
        if to.retry_at > now() {
            return Ok(Some(seconds(to.retry_at - now())));
        }
        let tries = match store.turn_mail(person, &news.id, news.turn).await? {
            // Only a failed attempt to send the e-mail about a turn may be repeated. This earlier attempt is not recorded as failed: the
            // mail server may have accepted or refused the e-mail, or the result is unknown. The server of that attempt may have
            // released the lease because it stops, and may still wait for the response of the mail server.
            Some(earlier) if !earlier.failed => {
                let left = earlier.at + ATTEMPT_TIME - now();
                return Ok((left > 0).then(|| seconds(left)));
            }
            earlier => earlier.map_or(0, |earlier| earlier.tries),
        };
        let place = tokio::select! {
            biased;
            () = self.0.stop.cancelled() => return Ok(Some(Duration::ZERO)),
            place = self.0.places.acquire() => place,
        };
        let Ok(_place) = place else { return Ok(Some(Duration::ZERO)) };
        if let Err(wait) =
            self.0.limiter.count_turn_mail(limit_key(&**store, "turn", &address)).await
        {
            return Ok(Some(wait + Duration::from_secs(1)));
        }
        let token = random_token()?;
        let begin = TurnMailChange::Begin {
            person,
            address: to.address.clone(),
            id: news.id.clone(),
            sequence: news.sequence,
            turn: news.turn,
            hash: hash_of(&token),
            at: now(),
        };
        if self.change(begin).await? != Appended::Stored {
            return Ok(None);
        }
        let origin = sender.origin();
        let facts = TurnFacts {
            handle: &account.handle,
            origin: &origin,
            id: &news.id,
            opponent: news.opponent.as_deref(),
            deadline: news.deadline,
            now: now(),
        };
        let text = turn_text(to.language, facts, &token);
        let outcome = sender.send(&address, text, &self.0.stop).await?;
        self.end(&to, hash_of(&token), outcome, tries + 1).await
    }

    /// Records the outcome of an attempt to send an e-mail about a turn. Returns the delay before the next attempt, or `None` if no
    /// further attempt is due.
    async fn end(
        &self,
        to: &MailAddress,
        hash: [u8; 32],
        outcome: MailOutcome,
        tries: u32,
    ) -> Result<Option<Duration>, ApiError> {
        let (name, answer, pause) = match outcome {
            MailOutcome::Accepted => ("accepted", Some(TurnMailAnswer::Accepted), None),
            MailOutcome::Refused => ("refused", Some(TurnMailAnswer::Refused), None),
            MailOutcome::Unknown => ("unknown", None, None),
            MailOutcome::Failed if tries >= MOST_TRIES => ("dropped", None, None),
            MailOutcome::Failed => {
                ("failed", Some(TurnMailAnswer::Failed), Some(seconds(pause_after(tries))))
            }
        };
        metrics::counter!("overmate_mails_total", "kind" => "turn", "outcome" => name).increment(1);
        if let Some(answer) = answer {
            let end = TurnMailChange::End { person: to.person, hash, answer, at: now() };
            self.change(end).await?;
        }
        Ok(pause)
    }

    async fn change(&self, change: TurnMailChange) -> Result<Appended, ApiError> {
        let change = PersonChange::Mail(MailChange::Turn(change));
        Ok(self.0.store.change_person(change).await?)
    }
}

fn seconds(seconds: i64) -> Duration {
    Duration::from_secs(seconds.max(1).unsigned_abs())
}
