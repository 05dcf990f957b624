//! Creates, accepts and withdraws open match offers, and publishes the offers to all viewers of the lobby.
//!
//! An offer of a correspondence match stays open for days. Any other offer needs the presence of
//! its maker, because its match begins as soon as somebody accepts the offer. Each sign of presence
//! keeps the offer open for half a minute more.
//!
//! Each server reads and serialises the list of offers once for all its watchers. The pause between two messages grows with the
//! number of watchers, so that the number of messages in a second stays bounded.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::blocks::is_visible;
use super::bot_accounts::bot_of;
use super::failure_log::FailureLog;
use super::new_match::{RATED_WITHOUT_CLOCK, clock_setting, leads, plan_accepted};
use super::offer_list::Offers;
use super::parse::{is_id, rule_set};
use super::rated_pair::{check_pair, full_limit};
use super::reports::check_account;
use super::repository::MatchRepository;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::handle::Handle;
use crate::matches::match_state::{MatchState, Role};
use crate::names::RefusedWords;
use crate::notices::events::LOBBY;
use crate::random::random_id;
use crate::show;
use crate::store::{
    Addressee, Appended, Holder, NewMatchRequest, Occupant, Offer, OfferChange, OfferLimits,
    SeatInfo,
};
use crate::telemetry;
use crate::wire::{NewOffer, OwnOffer};

/// Lifetime, in seconds, of an open offer of a correspondence match (14 days).
pub(crate) const LASTING_TIME: i64 = 14 * 24 * 60 * 60;

/// Lifetime, in seconds, of an open match offer without correspondence clocks, counted from the last sign that its maker is in the lobby.
/// The creation of the offer counts as such a sign.
const PRESENCE_TIME: i64 = 30;

/// Interval between two database writes that extend the lifetimes of match offers whose makers are present in the lobby.
const KEEP_INTERVAL: Duration = Duration::from_secs(5);

/// Maximum interval between two reads of the match offers from the store while clients watch the offers. The reads find changes whose
/// notices were lost.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// Interval between two reads of the match offers from the store while no client of this server asks for the offers.
const IDLE_INTERVAL: Duration = Duration::from_secs(10);

/// Minimum interval between two messages about match offers to the same viewer of the lobby. Each viewer adds `PAUSE_PER_WATCHER` to the
/// interval.
const PAUSE: Duration = Duration::from_millis(250);
const PAUSE_PER_WATCHER: Duration = Duration::from_micros(200);

/// Maximum number of attempts to accept or create a match offer under concurrent changes.
const ATTEMPTS: usize = 16;

/// Service that creates, accepts and withdraws match offers, and publishes the offers to the viewers of the lobby.
pub(crate) struct LobbyService {
    repository: Arc<MatchRepository>,
    words: Arc<RefusedWords>,
    read: tokio::sync::Mutex<Read>,
    shown: watch::Sender<Arc<Offers>>,
    /// Time at which each person last showed their presence in the lobby at this server. The map holds only persons who were seen after the
    /// last database write of these times. The write keeps the open offers of the persons from expiring.
    signs: Mutex<HashMap<Holder, Instant>>,
    stop: CancellationToken,
}

/// Open match offers as last read from the store, with the version number of the offers.
#[derive(Default)]
struct Read {
    /// Time of the last read of the match offers from the store; `None` after a change of the offers at this server.
    at: Option<Instant>,
    /// Version number of the match offers in the store; `None` before the first read.
    version: Option<i64>,
    /// Earliest expiry time of the open match offers, as a Unix time in seconds; `None` without open offers.
    next_end: Option<i64>,
    /// Makers and ids of the open match offers that stay open only while their makers are present.
    present: Vec<(Holder, String)>,
    offers: Arc<Offers>,
}

/// Result of a request to create a match offer: the offer, or the new match if the request accepted an existing offer.
pub(crate) enum Made {
    Offer(Box<Offer>),
    /// Id of the match that began with the acceptance of a match offer.
    Match(String),
}

impl LobbyService {
    pub(crate) fn new(
        repository: Arc<MatchRepository>,
        words: Arc<RefusedWords>,
        stop: CancellationToken,
    ) -> Self {
        Self {
            repository,
            words,
            read: tokio::sync::Mutex::default(),
            shown: watch::Sender::default(),
            signs: Mutex::default(),
            stop,
        }
    }

    /// Publishes changes of match offers, and keeps the offers of makers who are in the lobby from expiring, until the server stops.
    pub(crate) async fn run(&self) {
        let mut changes = self.repository.subscribe(LOBBY);
        let mut kept = Instant::now();
        let mut failures = FailureLog::default();
        loop {
            tokio::select! {
                () = self.stop.cancelled() => return,
                () = sleep(LOOK_INTERVAL) => {}
                changed = changes.changed() => {
                    if changed.is_err() {
                        changes = self.repository.subscribe(LOBBY);
                    }
                }
            }
            changes.borrow_and_update();
            failures.note(self.look(&mut kept).await);
            let watchers = u32::try_from(self.shown.receiver_count()).unwrap_or(u32::MAX);
            tokio::select! {
                () = self.stop.cancelled() => return,
                () = sleep(PAUSE + PAUSE_PER_WATCHER.saturating_mul(watchers)) => {}
            }
        }
    }

    async fn look(&self, kept: &mut Instant) -> Result<(), ApiError> {
        if self.is_idle().await {
            return Ok(());
        }
        let offers = self.read(Duration::ZERO).await?;
        telemetry::set("overmate_open_offers", offers.total as u64);
        self.shown.send_if_modified(|shown| {
            let is_new = !Arc::ptr_eq(shown, &offers);
            *shown = offers;
            is_new
        });
        if kept.elapsed() >= KEEP_INTERVAL {
            let since = std::mem::replace(kept, Instant::now());
            self.keep(since).await?;
        }
        Ok(())
    }

    /// Returns whether the next read of the match offers from the store may be skipped. This is the case while no client of this server
    /// looks at the offers, and the last read is younger than [`IDLE_INTERVAL`]. Without viewers, the server needs only the number of
    /// offers, for a metric.
    async fn is_idle(&self) -> bool {
        let has_signs = !self.signs.lock().unwrap_or_else(PoisonError::into_inner).is_empty();
        let is_seen = has_signs || self.shown.receiver_count() > 0;
        !is_seen && self.read.lock().await.at.is_some_and(|at| at.elapsed() < IDLE_INTERVAL)
    }

    /// Extends the lifetimes of match offers whose makers have shown their presence at this server since the time `since`. Offers of
    /// correspondence matches need no extension.
    async fn keep(&self, since: Instant) -> Result<(), ApiError> {
        let ids: Vec<String> = {
            let read = self.read.lock().await;
            let mut signs = self.signs.lock().unwrap_or_else(PoisonError::into_inner);
            signs.retain(|_, sign| *sign >= since);
            let present = read.present.iter().filter(|(maker, _)| signs.contains_key(maker));
            present.map(|(_, id)| id.clone()).collect()
        };
        if !ids.is_empty() {
            let at = self.repository.time().now();
            let keep = OfferChange::Keep { ids, at, until: at + PRESENCE_TIME };
            if self.repository.store().change_offer(keep).await? == Appended::Stored {
                count("kept");
            }
        }
        Ok(())
    }

    /// Returns the open match offers, and rereads them from the store unless the last read is younger than `age`.
    async fn read(&self, age: Duration) -> Result<Arc<Offers>, ApiError> {
        let mut read = self.read.lock().await;
        if read.at.is_some_and(|at| at.elapsed() < age) {
            return Ok(Arc::clone(&read.offers));
        }
        let begin = Instant::now();
        let at = self.repository.time().now();
        let store = self.repository.store();
        // The version number of the offers is read before the offers themselves. A change between the two reads thus causes a further read.
        let version = store.lobby_version().await?;
        if read.version != Some(version) || read.next_end.is_some_and(|end| end <= at) {
            let mut stored = store.offers(at).await?;
            for offer in &mut stored {
                self.clean(offer);
            }
            let hidden = store.hidden_offers(at).await?;
            let offers = Offers::new(&stored, hidden, at)?;
            // If the offers have not changed, the server does not replace the cached list of offers, and no client gets a message. Clients
            // that watch the offers get a message only for a list with another memory address.
            if offers != *read.offers {
                read.offers = Arc::new(offers);
            }
            let needs_maker = |offer: &&Offer| !offer.is_lasting();
            let present = stored.iter().filter(needs_maker);
            read.present = present.map(|offer| (offer.holder, offer.id.clone())).collect();
            read.next_end = stored.iter().map(|offer| offer.until).min();
            read.version = Some(version);
        }
        read.at = Some(begin);
        Ok(Arc::clone(&read.offers))
    }

    /// Removes the maker's name from a match offer, if the operator's word list now refuses the name.
    fn clean(&self, offer: &mut Offer) {
        offer.name = self.words.check(offer.name.as_deref()).unwrap_or_default();
    }

    /// Returns the open match offers, with all changes that this server itself has made to the offers. Changes at other servers may be
    /// missing for up to a second.
    pub(crate) async fn offers(&self) -> Result<Arc<Offers>, ApiError> {
        self.read(LOOK_INTERVAL).await
    }

    /// Returns the open and the accepted match offers that a person has made.
    pub(crate) async fn own(&self, person: Option<Holder>) -> Result<Vec<OwnOffer>, ApiError> {
        let Some(person) = person else { return Ok(Vec::new()) };
        let (at, offers) =
            (self.repository.time().now(), self.repository.store().offers_of(person).await?);
        let offers = offers.into_iter().filter(|offer| offer.until > at);
        let own = offers.filter_map(|mut offer| {
            self.clean(&mut offer);
            show::lobby::own(&offer, at)
        });
        Ok(own.collect())
    }

    /// Returns a receiver that is notified of changes to the open match offers.
    pub(crate) fn watch(&self) -> watch::Receiver<Arc<Offers>> {
        self.shown.subscribe()
    }

    /// Records a sign of a person's presence in the lobby.
    pub(crate) fn hear(&self, person: Holder) {
        let mut signs = self.signs.lock().unwrap_or_else(PoisonError::into_inner);
        signs.insert(person, Instant::now());
    }

    /// Creates an open match offer. If the request permits a join, the method accepts another person's equal open offer instead, but never
    /// an offer of a bot. The operation is idempotent.
    pub(crate) async fn make(
        &self,
        new: &NewOffer,
        holder: Holder,
        client: Client,
    ) -> Result<Made, ApiError> {
        let store = self.repository.store();
        let limits = self.repository.limits();
        let request = NewMatchRequest { holder, client_id: new.client_id.clone() };
        let mut offer = self.wanted(new, holder, client)?;
        if let Some(bot) = bot_of(store, holder).await? {
            if new.join || !offer.may_be_of_bot() {
                return Err(ApiError::BotRefused(
                    "a bot may make only unrated offers to everybody: leave out the fields rated, to and join",
                ));
            }
            // A bot's match offer shows the bot's handle, because everybody is to know which program they play with.
            (offer.name, offer.by_bot) = (Some(bot.handle), true);
        }
        self.check_player(&offer, holder).await?;
        let challenged = match &offer.to {
            Some(to) => store.account_by_tag(to.tag).await?,
            None => None,
        };
        if challenged.as_ref().is_some_and(|account| account.person == holder) {
            return Err(ApiError::bad_request("to: this is your own handle: name another player"));
        }
        // A challenge to a private bot, or to a bot whose owner has blocked the player, is treated like a challenge to an unknown handle.
        if let Some(account) = challenged.filter(|account| account.is_bot)
            && offer.rated
            && is_visible(store, &account, Some(holder)).await?
        {
            return Err(ApiError::BotRefused(
                "a match with a bot is not rated: challenge the bot to an unrated match",
            ));
        }
        let network =
            limits.open_offers.map(|most| most.saturating_mul(limits.browsers_per_address));
        let limits = OfferLimits {
            person: limits.open_offers,
            network,
            all: limits.all_open_offers,
            // Offers that stay open for days may fill only half of the limit on open offers. Room thus remains for offers that stay open
            // for half a minute.
            lasting: limits.all_open_offers / 2,
        };
        for _ in 0..ATTEMPTS {
            let own = store.offers_of(holder).await?.into_iter();
            let is_same = |own: &Offer| {
                own.client_id == offer.client_id
                    && (own.match_id.is_some() || own.is_declined() || own.is_open(offer.made_at))
            };
            if let Some(made) = own.into_iter().find(is_same) {
                return Ok(Made::Offer(Box::new(made)));
            }
            if let Some(id) = store.created_by(&request).await? {
                return Ok(Made::Match(id));
            }
            let equal = if new.join { store.equal_offer(&offer).await? } else { None };
            // Two offers with the same rule set, clock and rated flag stay open if their makers have reached the limit on rated matches
            // with each other. Otherwise the earlier offer would keep the maker of the new offer from playing with others.
            let is_pair_full = match &equal {
                Some(equal) if equal.rated => {
                    full_limit(&self.repository, holder, equal.holder).await?.is_some()
                }
                _ => false,
            };
            if let Some(mut equal) = equal.filter(|_| !is_pair_full) {
                self.clean(&mut equal);
                let seat = SeatInfo::new(offer.name.clone(), Occupant::Holder(holder));
                let info = plan_accepted(&equal, seat)?;
                let id = info.id.clone();
                let (request, at) = (request.clone(), offer.made_at);
                match self
                    .change("accepted", OfferChange::Accept { id: equal.id, info, request, at })
                    .await?
                {
                    Appended::Conflict => continue,
                    Appended::Stored | Appended::Full(_) => return Ok(Made::Match(id)),
                }
            }
            let change = OfferChange::Make {
                offer: offer.clone(),
                is_new: new.join && !is_pair_full,
                limits,
            };
            if self.change("made", change).await? == Appended::Stored {
                self.hear(holder);
                // The stored offer is read, because the store adds the account of the maker to a rated offer or a challenge.
                let stored = if offer.rated || offer.to.is_some() {
                    store.offer(&offer.id).await?
                } else {
                    None
                };
                return Ok(Made::Offer(Box::new(stored.unwrap_or(offer))));
            }
        }
        Err(ApiError::busy("every attempt failed, because concurrent requests changed the offers"))
    }

    /// Returns the new match offer that a request describes. The offer is not stored yet.
    fn wanted(&self, new: &NewOffer, holder: Holder, client: Client) -> Result<Offer, ApiError> {
        let mut offer = Offer {
            id: random_id()?,
            holder,
            name: self.words.check(new.name.as_deref())?,
            rules: rule_set(&new.rules)?.name().to_owned(),
            clock: new.clock.map(clock_setting).transpose()?,
            leads: leads(new.lead)?,
            rated: new.rated,
            bots: new.bots,
            network: client.network_number(&self.repository.store().identity_key()),
            client_id: new.client_id.clone(),
            made_at: self.repository.time().now(),
            until: 0,
            match_id: None,
            to: new.to.as_deref().map(|to| self.addressee(to)).transpose()?,
            maker: None,
            by_bot: false,
        };
        if new.join && offer.to.is_some() {
            return Err(ApiError::bad_request(
                "join: a challenge cannot accept an open offer: leave out the field join or the field to",
            ));
        }
        if offer.rated && offer.bots {
            return Err(ApiError::bad_request(
                "bots: a bot cannot accept a rated offer: leave out the field bots or the field rated",
            ));
        }
        if offer.rated && offer.clock.is_none() {
            return Err(ApiError::bad_request(RATED_WITHOUT_CLOCK));
        }
        let time = if offer.is_lasting() { LASTING_TIME } else { PRESENCE_TIME };
        offer.until = offer.made_at + time;
        Ok(offer)
    }

    /// Returns the addressee of a new challenge, given the addressee's handle. The handle may belong to no account.
    fn addressee(&self, handle: &str) -> Result<Addressee, ApiError> {
        let handle = Handle::read(handle)?;
        let tag = handle.tag(&self.repository.store().identity_key());
        let handle = handle.text().to_owned();
        Ok(Addressee { handle, tag, person: None, has_declined: false })
    }

    /// Returns an error if a match offer requires an account and the player has no account or a closed account. Rated offers and challenges
    /// require an account.
    async fn check_player(&self, offer: &Offer, player: Holder) -> Result<(), ApiError> {
        if offer.rated || offer.to.is_some() {
            check_account(self.repository.store(), player).await?;
        }
        Ok(())
    }

    /// Accepts an open match offer, and returns the new match. The operation is idempotent: the person who has accepted the offer gets the
    /// match again.
    pub(crate) async fn accept(
        &self,
        id: &str,
        holder: Holder,
        name: Option<&str>,
        client_id: &str,
    ) -> Result<(Arc<MatchState>, Role), ApiError> {
        if !is_id(id) {
            return Err(ApiError::NotFound("offer"));
        }
        let name = self.words.check(name)?;
        let store = self.repository.store();
        let request = NewMatchRequest { holder, client_id: client_id.to_owned() };
        for _ in 0..ATTEMPTS {
            if let Some(id) = store.created_by(&request).await? {
                return self.role_in(&id, holder).await;
            }
            let mut offer = store.offer(id).await?.ok_or(ApiError::OfferGone)?;
            self.clean(&mut offer);
            if offer.holder == holder {
                return Err(ApiError::OwnOffer);
            }
            let at = self.repository.time().now();
            if let Some(id) = &offer.match_id {
                return self.role_in(id, holder).await;
            }
            // A person who accepts a challenge to somebody else gets the error for an ended offer, so that they do not learn of the
            // challenge.
            if !offer.is_open(at) || !offer.is_for(holder) {
                return Err(ApiError::OfferGone);
            }
            // If the maker of the offer or the accepting person has blocked the other, the error is the same as for an ended offer.
            if store.relations_between(holder, offer.holder).await?.is_apart() {
                return Err(ApiError::OfferGone);
            }
            self.check_player(&offer, holder).await?;
            let mut seat = SeatInfo::new(name.clone(), Occupant::Holder(holder));
            if let Some(bot) = bot_of(store, holder).await? {
                if !offer.is_for_bots() {
                    return Err(ApiError::BotRefused(
                        "the offer is for people only: accept an offer whose field bots is true",
                    ));
                }
                // The seat shows the bot's handle as the name of its player, because everybody is to know which program they play with.
                seat = SeatInfo { name: Some(bot.handle), is_program: true, ..seat };
            }
            if offer.rated {
                check_pair(&self.repository, holder, offer.holder).await?;
            }
            let info = plan_accepted(&offer, seat)?;
            let begun = info.id.clone();
            let accept = OfferChange::Accept { id: offer.id, info, request: request.clone(), at };
            if self.change("accepted", accept).await? == Appended::Stored {
                return self.role_in(&begun, holder).await;
            }
        }
        Err(ApiError::busy("every attempt failed, because concurrent requests changed the offers"))
    }

    /// Returns the match that began with a match offer, and the requester's role in the match (player A, player B or both). If the match
    /// does not exist, or the requester holds no seat, returns the error for an offer that has ended.
    async fn role_in(&self, id: &str, holder: Holder) -> Result<(Arc<MatchState>, Role), ApiError> {
        let state = match self.repository.load(id).await {
            Err(ApiError::NotFound(_)) => return Err(ApiError::OfferGone),
            loaded => loaded?,
        };
        let role = state.role_of(Some(holder)).ok_or(ApiError::OfferGone)?;
        Ok((state, role))
    }

    /// Declines a challenge on behalf of the challenged person. The operation is idempotent.
    pub(crate) async fn decline(&self, id: &str, person: Holder) -> Result<(), ApiError> {
        const NOT_FOUND: ApiError = ApiError::NotFound("challenge");
        if !is_id(id) {
            return Err(NOT_FOUND);
        }
        let decline =
            OfferChange::Decline { id: id.to_owned(), person, at: self.repository.time().now() };
        if self.change("declined", decline).await? == Appended::Stored {
            return Ok(());
        }
        match self.repository.store().offer(id).await? {
            Some(offer) if offer.addressee() != Some(person) => Err(NOT_FOUND),
            Some(offer) if offer.is_declined() => Ok(()),
            Some(_) => Err(ApiError::OfferGone),
            None => Err(NOT_FOUND),
        }
    }

    /// Withdraws a person's own match offer. Returns the match if another player has already accepted the offer. The operation is
    /// idempotent.
    pub(crate) async fn withdraw(
        &self,
        id: &str,
        person: Holder,
    ) -> Result<Option<String>, ApiError> {
        if !is_id(id) {
            return Err(ApiError::NotFound("offer"));
        }
        let withdraw = OfferChange::Withdraw { id: id.to_owned(), person };
        if self.change("withdrawn", withdraw).await? == Appended::Stored {
            return Ok(None);
        }
        match self.repository.store().offer(id).await? {
            Some(offer) if offer.holder == person => Ok(offer.match_id),
            Some(_) => Err(ApiError::NotFound("offer")),
            None => Ok(None),
        }
    }

    /// Stores a change of match offers, counts the change in the metrics, and notifies all servers.
    async fn change(&self, act: &'static str, change: OfferChange) -> Result<Appended, ApiError> {
        let store = self.repository.store();
        let changed = store.change_offer(change).await?;
        self.repository.refuse_over_quota(changed)?;
        if changed == Appended::Stored {
            count(act);
            if act == "accepted" {
                metrics::counter!("overmate_matches_total", "opponent" => "offer").increment(1);
            }
            self.read.lock().await.at = None;
            self.repository.publish_lobby(store.lobby_version().await?);
        }
        Ok(changed)
    }
}

/// Counts an operation on match offers in the metrics.
fn count(act: &'static str) {
    metrics::counter!("overmate_offers_total", "act" => act).increment(1);
}
