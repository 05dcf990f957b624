//! Creates and shows tournament events, and lets players join and leave.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use moka::sync::Cache;
use overmate_rules::{Deal, RuleSet};
use tokio::sync::Mutex;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::bot_accounts::check_human;
use super::clocks::ClockService;
use super::event_steps::EventSteps;
use super::parse::{is_id, rule_set};
use super::reports::check_account;
use super::repository::MatchRepository;
use super::running_deals::RunningDeals;
use crate::clocks::clock_setting::ClockSetting;
use crate::computing::compute::Class;
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::names::RefusedWords;
use crate::notices::events::event_of;
use crate::random::{random_bytes, random_id};
use crate::show;
use crate::store::{
    Appended, Event, EventChange, EventKind, EventRecord, EventState, Holder, ListedEvent,
};
use crate::wire::{EventKindWire, EventView, ExportedEvent, NewEvent};

/// Maximum number of finished tournament events in the list of events.
const FINISHED: u32 = 30;

/// Maximum number of tournament events whose prepared JSON text is cached.
const CACHED: u64 = 200;

/// Maximum age of the cached JSON text of a tournament event. The age is limited, because the version of an event stays the same when a
/// player changes their handle or makes their profile public or private.
const CACHED_AGE: Duration = Duration::from_mins(1);

const NOT_FOUND: ApiError = ApiError::NotFound("event");

/// Service that creates and shows tournament events, and runs their rounds.
pub(crate) struct EventService {
    repository: Arc<MatchRepository>,
    words: Arc<RefusedWords>,
    steps: EventSteps,
    /// Cached tournament events by event id, each with one JSON text that is the same for all viewers.
    shown: Cache<String, Arc<ShownEvent>>,
    /// Lock that makes concurrent requests for changed tournament events share one database read.
    reading: Mutex<()>,
    stop: CancellationToken,
}

/// Tournament event with a JSON text that is the same for all viewers.
pub(crate) struct ShownEvent {
    pub(crate) record: EventRecord,
    /// JSON text of the viewer-independent data of the tournament event.
    pub(crate) json: String,
}

impl EventService {
    pub(crate) fn new(
        repository: Arc<MatchRepository>,
        solvers: Arc<SolverPool>,
        words: Arc<RefusedWords>,
        clocks: Arc<ClockService>,
        plays: bool,
        stop: CancellationToken,
    ) -> Self {
        let steps = EventSteps::new(Arc::clone(&repository), solvers, clocks, plays, stop.clone());
        let shown = Cache::builder().max_capacity(CACHED).time_to_live(CACHED_AGE).build();
        let reading = Mutex::default();
        Self { repository, words, steps, shown, reading, stop }
    }

    /// Takes the due steps (scoring, pairing or end) of all tournament events until the server stops.
    pub(crate) async fn run(&self) {
        self.steps.run().await;
    }

    /// Returns the unfinished tournament events, and the events that ended most recently.
    pub(crate) async fn list(&self) -> Result<Vec<ListedEvent>, ApiError> {
        let mut listed = self.repository.store().events(FINISHED).await?;
        for one in &mut listed {
            self.clean(&mut one.event);
        }
        Ok(listed)
    }

    /// Removes the title of a tournament event, if the operator's word list now refuses the title.
    fn clean(&self, event: &mut Event) {
        event.title = self.words.check(event.title.as_deref()).unwrap_or_default();
    }

    /// Returns the current data of a tournament event, with a JSON text that is the same for all viewers.
    pub(crate) async fn show(&self, id: &str) -> Result<Arc<ShownEvent>, ApiError> {
        if !is_id(id) {
            return Err(NOT_FOUND);
        }
        let store = self.repository.store();
        let version = store.event_version(id).await?.ok_or(NOT_FOUND)?;
        let current = || self.shown.get(id).filter(|shown| shown.record.event.version >= version);
        if let Some(shown) = current() {
            return Ok(shown);
        }
        let _reading = self.reading.lock().await;
        if let Some(shown) = current() {
            return Ok(shown);
        }
        let mut record = store.event(id).await?.ok_or(NOT_FOUND)?;
        self.clean(&mut record.event);
        let view: EventView = show::events::view(&record);
        let json = serde_json::to_string(&view).map_err(ApiError::internal)?;
        let shown = Arc::new(ShownEvent { record, json });
        self.shown.insert(id.to_owned(), Arc::clone(&shown));
        Ok(shown)
    }

    /// Returns the JSON text of the viewer-independent data of a tournament event. The text for a player of a running match on one of the
    /// event's deals, in which help is forbidden, lacks the deals, because a finished event shows their values.
    pub(crate) async fn json_for<'a>(
        &self,
        shown: &'a ShownEvent,
        person: Option<Holder>,
    ) -> Result<Cow<'a, str>, ApiError> {
        let EventRecord { event, deals, .. } = &shown.record;
        if event.state != EventState::Finished {
            return Ok(Cow::Borrowed(&shown.json));
        }
        let running = RunningDeals::of(&self.repository, person).await?;
        if running.is_empty() {
            return Ok(Cow::Borrowed(&shown.json));
        }
        let rules = rule_set(&event.rules)?;
        let mut dealt = deals.iter().filter_map(|deal| Deal::numbered(&rules, deal.number).ok());
        if !dealt.any(|dealt| running.contain(&rules, dealt.hands())) {
            return Ok(Cow::Borrowed(&shown.json));
        }
        let view = EventView { deals: Vec::new(), ..show::events::view(&shown.record) };
        serde_json::to_string(&view).map(Cow::Owned).map_err(ApiError::internal)
    }

    /// Waits until the version of a tournament event differs from `known`, or until the event is over, at most for the time `wait`. Then
    /// returns the event's view.
    pub(crate) async fn wait_beyond(
        &self,
        id: &str,
        known: i64,
        wait: Duration,
    ) -> Result<Arc<ShownEvent>, ApiError> {
        let mut changes = self.repository.events().subscribe(&event_of(id));
        // The server subscribes to the changes of the tournament event before it reads the event, so that it misses no change.
        let shown = self.show(id).await?;
        if shown.record.event.version != known || shown.record.event.finished_at.is_some() {
            return Ok(shown);
        }
        let change = async {
            while changes.changed().await.is_ok() {
                if changes.borrow_and_update().sequence() > known.unsigned_abs() {
                    return;
                }
            }
        };
        tokio::select! {
            _ = timeout(wait, change) => {}
            () = self.stop.cancelled() => {}
        }
        self.show(id).await
    }

    /// Returns the tournament events that a person has made or plays in, for the person's data export.
    pub(crate) async fn of(&self, person: Option<Holder>) -> Result<Vec<ExportedEvent>, ApiError> {
        let Some(person) = person else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for id in self.repository.store().events_of(person).await? {
            if let Some(record) = self.repository.store().event(&id).await? {
                found.push(show::events::exported(&record, person));
            }
        }
        Ok(found)
    }

    /// Creates a tournament event for its host (organiser), whose client sends the request. The operation is idempotent.
    pub(crate) async fn make(
        &self,
        new: &NewEvent,
        host: Holder,
        client: Client,
    ) -> Result<Arc<ShownEvent>, ApiError> {
        let store = self.repository.store();
        let title = self.words.check(new.title.as_deref())?;
        let network = Some(client.network_number(&store.identity_key()));
        let event =
            Event { network, ..plan_event(new, title, Some(host), self.repository.time().now())? };
        let id = event.id.clone();
        let made = store.change_event(EventChange::Make { event }).await?;
        self.repository.refuse_over_quota(made)?;
        let id = match made {
            Appended::Stored => id,
            Appended::Conflict | Appended::Full(_) => {
                let Some(id) = store.event_of_request(host, &new.client_id).await? else {
                    self.check_player(host).await?;
                    return Err(ApiError::AccountNeeded);
                };
                id
            }
        };
        self.show(&id).await
    }

    /// Adds a person to the players of a tournament event, or lets a player who has left return.
    ///
    /// A person whose account may not play is refused before the write, so that their requests do not delay the writes of others. The check
    /// in the transaction decides, because the account may change meanwhile.
    pub(crate) async fn join(&self, id: &str, person: Holder) -> Result<Arc<ShownEvent>, ApiError> {
        if !is_id(id) {
            return Err(NOT_FOUND);
        }
        self.check_player(person).await?;
        let join =
            EventChange::Join { id: id.to_owned(), person, at: self.repository.time().now() };
        let joined = self.change(id, join).await;
        if let Err(ApiError::EventClosed) = joined {
            // The store also refuses a join because of the person's account. Such an error names the account.
            self.check_player(person).await?;
        }
        joined
    }

    /// Removes a person from a tournament event that has not begun, or from the further pairings of a running event.
    pub(crate) async fn leave(
        &self,
        id: &str,
        person: Holder,
    ) -> Result<Arc<ShownEvent>, ApiError> {
        self.change(id, EventChange::Leave { id: id.to_owned(), person }).await
    }

    /// Starts a tournament event immediately, at the request of its host (organiser).
    pub(crate) async fn start(&self, id: &str, host: Holder) -> Result<Arc<ShownEvent>, ApiError> {
        let start =
            EventChange::Start { id: id.to_owned(), host, at: self.repository.time().now() };
        self.change(id, start).await
    }

    /// Removes a tournament event before its start, at the request of its host (organiser).
    pub(crate) async fn remove(&self, id: &str, host: Holder) -> Result<(), ApiError> {
        if !is_id(id) {
            return Err(NOT_FOUND);
        }
        let remove = EventChange::Remove { id: id.to_owned(), host: Some(host) };
        let store = self.repository.store();
        if store.change_event(remove).await? == Appended::Stored {
            self.shown.invalidate(id);
            self.repository.events().publish(&event_of(id), u64::MAX);
            return Ok(());
        }
        store.event_version(id).await?.ok_or(NOT_FOUND)?;
        Err(ApiError::EventClosed)
    }

    /// Stores a change of a tournament event, and notifies all servers.
    async fn change(&self, id: &str, change: EventChange) -> Result<Arc<ShownEvent>, ApiError> {
        if !is_id(id) {
            return Err(NOT_FOUND);
        }
        let store = self.repository.store();
        let changed = store.change_event(change).await?;
        self.repository.refuse_over_quota(changed)?;
        if changed == Appended::Conflict {
            store.event_version(id).await?.ok_or(NOT_FOUND)?;
            return Err(ApiError::EventClosed);
        }
        let shown = self.show(id).await?;
        let version = shown.record.event.version.unsigned_abs();
        self.repository.events().publish(&event_of(id), version);
        Ok(shown)
    }

    /// Returns an error if a person has no account, a closed account or the account of a bot.
    async fn check_player(&self, person: Holder) -> Result<(), ApiError> {
        check_account(self.repository.store(), person).await?;
        check_human(self.repository.store(), person).await
    }
}

/// Returns the new tournament event that a request describes. `host` is `None` for the operator, and `made_at` is in seconds since 1970.
pub(crate) fn plan_event(
    new: &NewEvent,
    title: Option<String>,
    host: Option<Holder>,
    made_at: i64,
) -> Result<Event, ApiError> {
    let rules = playable(&new.rules)?;
    let kind = match new.kind {
        EventKindWire::Arena { minutes } => EventKind::Arena { minutes },
        EventKindWire::Swiss { rounds } => EventKind::Swiss { rounds },
    };
    let clock = ClockSetting::live(new.base, new.increment);
    Ok(Event {
        id: random_id()?,
        kind,
        title,
        rules: rules.name().to_owned(),
        clock: clock.ok_or_else(|| {
            ApiError::bad_request(
                "base: the base time of the clock is out of range: send another number of seconds",
            )
        })?,
        host,
        client_id: host.map(|_| new.client_id.clone()),
        network: None,
        secret: random_bytes().map_err(ApiError::internal)?,
        made_at,
        starts_at: made_at + 60 * i64::from(new.starts_in),
        finished_at: None,
        state: EventState::Coming,
        repeat_days: 0,
        round: 0,
        step: 0,
        version: 0,
    })
}

/// Returns the rule set with the given name, or an error if tournament events cannot use the rule set. The points of an event are measured
/// against exact values. An event therefore needs a deck whose values are computed quickly, and no face-down cards.
fn playable(name: &str) -> Result<Arc<RuleSet>, ApiError> {
    let rules = rule_set(name)?;
    let dealt = Deal::numbered(&rules, 0).map_err(ApiError::internal)?;
    if Class::of_hands(dealt.hands()) != Class::Cheap || overmate_json::hides_cards(&rules) {
        return Err(ApiError::bad_request(
            "rules: an event needs a rule set with 20 cards, none of them face down: choose another rule set",
        ));
    }
    Ok(rules)
}
