//! Implements an in-memory store of tournament events, for tests.

use std::collections::BTreeMap;

use super::memory_link::Link;
use super::memory_push;
use super::memory_store::{MemoryStore, Tables};
use crate::store::{
    Appended, Event, EventChange, EventPlayer, EventRecord, EventState, EventStep, Holder,
    ListedEvent, MOST_EVENTS_OF_NETWORK, MOST_OF_HOST, MOST_OPEN, MOST_PLAYERS, PlayEvents, Quota,
    StoreFuture,
};

/// In-memory table of tournament events.
#[derive(Default)]
pub(super) struct EventTables {
    all: BTreeMap<String, EventRecord>,
}

impl EventTables {
    /// Returns whether a person is a player of any tournament event, upcoming, running or finished, or the host of an unfinished one.
    pub(super) fn plays(&self, person: Holder) -> bool {
        let mut players = self.all.values().flat_map(|record| &record.players);
        players.any(|player| player.person == Some(person))
            || self.open().any(|event| event.host == Some(person))
    }

    /// Removes a person from all tournament events. The results in these events stay, but no longer name the person.
    pub(super) fn forget(&mut self, person: Holder) {
        for record in self.all.values_mut() {
            let is_host = record.event.host == Some(person);
            let is_player = record.players.iter().any(|player| player.person == Some(person));
            record.event.version += i64::from(is_host || is_player);
            if is_host {
                (record.event.host, record.event.client_id) = (None, None);
                record.event.title = None;
            }
            if record.event.state == EventState::Coming {
                record.players.retain(|player| player.person != Some(person));
            }
            let own = record.players.iter_mut().filter(|player| player.person == Some(person));
            for player in own {
                (player.person, player.is_present) = (None, false);
            }
        }
    }

    fn open(&self) -> impl Iterator<Item = &Event> {
        let events = self.all.values().map(|record| &record.event);
        events.filter(|event| event.finished_at.is_none())
    }

    /// Returns whether any tournament event is running.
    pub(super) fn has_running(&self) -> bool {
        self.open().any(|event| event.state == EventState::Running)
    }

    fn insert(&mut self, event: Event) -> Appended {
        if self.all.contains_key(&event.id) {
            return Appended::Conflict;
        }
        let (players, deals, boards) = (Vec::new(), Vec::new(), Vec::new());
        let id = event.id.clone();
        self.all.insert(id, EventRecord { event, host_handle: None, players, deals, boards });
        Appended::Stored
    }
}

/// Returns whether a person has an account that is not a bot. No account of this store is closed, because the store has no operators.
fn may_take_part(tables: &Tables, person: Holder) -> bool {
    tables.people.accounts.of_person(person).is_some_and(|account| !account.is_bot)
}

fn make(tables: &mut Tables, event: Event) -> Appended {
    if let Some(host) = event.host {
        let is_same = |other: &EventRecord| {
            other.event.host == Some(host) && other.event.client_id == event.client_id
        };
        let is_known = event.client_id.is_some() && tables.events.all.values().any(is_same);
        if !may_take_part(tables, host) || is_known {
            return Appended::Conflict;
        }
        let open = |is_counted: &dyn Fn(&Event) -> bool| {
            tables.events.open().filter(|other| is_counted(other)).count()
        };
        let is_near = |other: &Event| event.network.is_some() && other.network == event.network;
        for (number, most, quota) in [
            (open(&|other| other.host == Some(host)), MOST_OF_HOST, Quota::Events),
            (open(&is_near), MOST_EVENTS_OF_NETWORK, Quota::EventsOfNetwork),
            (open(&|_| true), MOST_OPEN, Quota::AllEvents),
        ] {
            if number >= most as usize {
                return Appended::Full(quota);
            }
        }
    }
    tables.events.insert(event)
}

fn join(tables: &mut Tables, id: &str, person: Holder, at: i64) -> Appended {
    let may_join = may_take_part(tables, person);
    let record = tables.events.all.get_mut(id);
    let record = record.filter(|record| may_join && record.event.finished_at.is_none());
    let Some(EventRecord { event, players, .. }) = record else { return Appended::Conflict };
    let own = players.iter_mut().find(|player| player.person == Some(person));
    if let Some(own) = own {
        own.is_present = true;
    } else {
        if event.kind.is_closed(event.starts_at, event.state == EventState::Coming, at) {
            return Appended::Conflict;
        }
        if players.len() >= MOST_PLAYERS as usize {
            return Appended::Full(Quota::EventPlayers);
        }
        let number = players.last().map_or(0, |last| last.number) + 1;
        players.push(EventPlayer {
            number,
            person: Some(person),
            handle: None,
            has_profile: false,
            is_present: true,
            joined_at: at,
        });
    }
    event.version += 1;
    Appended::Stored
}

fn leave(tables: &mut Tables, id: &str, person: Holder) -> Appended {
    let record = tables.events.all.get_mut(id);
    let record = record.filter(|record| record.event.finished_at.is_none());
    let Some(EventRecord { event, players, .. }) = record else { return Appended::Conflict };
    let Some(own) = players.iter().position(|player| player.person == Some(person)) else {
        return Appended::Conflict;
    };
    if event.state == EventState::Coming {
        players.remove(own);
    } else {
        players[own].is_present = false;
    }
    event.version += 1;
    Appended::Stored
}

fn take_step(tables: &mut Tables, step: EventStep, server: Option<u32>) -> Appended {
    let record = tables.events.all.get_mut(&step.id);
    let record = record.filter(|record| record.event.finished_at.is_none());
    let Some(EventRecord { event, players, deals, boards, .. }) = record else {
        return Appended::Conflict;
    };
    let is_present = |number: u32| {
        let mut players = players.iter();
        players.any(|one| one.number == number && one.is_present && one.person.is_some())
    };
    let mut paired = step.boards.iter().flat_map(|(board, _)| [Some(board.a), board.b]).flatten();
    let is_stale = event.state == EventState::Coming && event.version != step.version;
    if event.step != step.after || is_stale || !paired.all(is_present) {
        return Appended::Conflict;
    }
    (event.state, event.kind, event.round) = (step.state, step.kind, step.round);
    event.finished_at = (step.state == EventState::Finished).then_some(step.at);
    event.step += 1;
    event.version += 1;
    for score in step.scores {
        let board = boards.iter_mut().find(|board| board.number == score.number);
        if let Some(board) = board.filter(|board| board.points.is_none()) {
            (board.ended_at, board.points) = (Some(step.at), Some(score.points));
            board.forfeit = score.forfeit;
        }
    }
    for player in players.iter_mut().filter(|player| step.absent.contains(&player.number)) {
        player.is_present = false;
    }
    deals.extend(step.deals);
    let mut matches = Vec::new();
    for (board, info) in step.boards {
        boards.push(board);
        matches.extend(info);
    }
    for info in matches {
        let id = info.id.clone();
        tables.insert(info, None, server);
        memory_push::announce_pairing(tables, &id);
    }
    if let Some(successor) = step.successor {
        tables.events.insert(successor);
    }
    Appended::Stored
}

/// Removes the tournament events that meet a condition.
fn remove(tables: &mut Tables, is_gone: impl Fn(&Event) -> bool) -> Appended {
    let before = tables.events.all.len();
    tables.events.all.retain(|_, record| !is_gone(&record.event));
    Appended::stored_if(tables.events.all.len() < before)
}

/// Returns a copy of a tournament event, updated with the current account data of its host and players. The data are
/// the handles, and whether each player's profile is public.
fn shown(tables: &Tables, record: &EventRecord) -> EventRecord {
    let account = |person: Option<Holder>| tables.people.accounts.of_person(person?);
    let mut record = record.clone();
    record.host_handle = account(record.event.host).map(|host| host.handle);
    for player in &mut record.players {
        let own = account(player.person);
        player.has_profile =
            own.as_ref().is_some_and(|own| !own.is_private && tables.ratings.is_rated(own));
        player.handle = own.map(|own| own.handle);
    }
    record
}

impl<L: Link> PlayEvents for MemoryStore<L> {
    fn due_events(&self, at: i64) -> StoreFuture<'_, Vec<String>> {
        self.call(move |tables| {
            let mut due: Vec<&Event> =
                tables.events.open().filter(|event| event.starts_at <= at).collect();
            due.sort_by_key(|event| (event.starts_at, &event.id));
            due.into_iter().map(|event| event.id.clone()).collect()
        })
    }

    fn events(&self, finished: u32) -> StoreFuture<'_, Vec<ListedEvent>> {
        self.call(move |tables| {
            let listed = |record: &EventRecord| {
                let record = shown(tables, record);
                let players = u32::try_from(record.players.len()).unwrap_or(u32::MAX);
                ListedEvent { event: record.event, host_handle: record.host_handle, players }
            };
            let mut all: Vec<ListedEvent> = tables.events.all.values().map(listed).collect();
            all.sort_by_key(|one| match one.event.finished_at {
                None => (0, one.event.starts_at, one.event.id.clone()),
                Some(at) => (1, -at, one.event.id.clone()),
            });
            let open = tables.events.open().count();
            all.truncate(open + finished as usize);
            all
        })
    }

    fn event<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<EventRecord>> {
        self.call(move |tables| Some(shown(tables, tables.events.all.get(id)?)))
    }

    fn event_version<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<i64>> {
        self.call(move |tables| Some(tables.events.all.get(id)?.event.version))
    }

    fn event_of_request<'a>(
        &'a self,
        host: Holder,
        client_id: &'a str,
    ) -> StoreFuture<'a, Option<String>> {
        self.call(move |tables| {
            let mut events = tables.events.all.values().map(|record| &record.event);
            let found = events.find(|event| {
                event.host == Some(host) && event.client_id.as_deref() == Some(client_id)
            });
            found.map(|event| event.id.clone())
        })
    }

    fn events_of(&self, person: Holder) -> StoreFuture<'_, Vec<String>> {
        self.call(move |tables| {
            let is_own = |record: &&EventRecord| {
                record.event.host == Some(person)
                    || record.players.iter().any(|player| player.person == Some(person))
            };
            let mut own: Vec<&EventRecord> = tables.events.all.values().filter(is_own).collect();
            own.sort_by_key(|record| (record.event.starts_at, &record.event.id));
            own.into_iter().map(|record| record.event.id.clone()).collect()
        })
    }

    fn change_event(&self, change: EventChange) -> StoreFuture<'_, Appended> {
        let server = self.server();
        self.write(move |tables| match change {
            EventChange::Make { event } => make(tables, event),
            EventChange::Join { id, person, at } => join(tables, &id, person, at),
            EventChange::Leave { id, person } => leave(tables, &id, person),
            EventChange::Start { id, host, at } => {
                let record = tables.events.all.get_mut(&id);
                let event = record.map(|record| &mut record.event).filter(|event| {
                    event.host == Some(host)
                        && event.state == EventState::Coming
                        && event.starts_at > at
                });
                let Some(event) = event else { return Appended::Conflict };
                event.starts_at = at;
                event.version += 1;
                Appended::Stored
            }
            EventChange::Remove { id, host } => remove(tables, |event| {
                event.id == id
                    && event.state == EventState::Coming
                    && (host.is_none() || event.host == host)
            }),
            EventChange::Step(step) => take_step(tables, *step, server),
            EventChange::ForgetOld { before } => {
                remove(tables, |event| event.finished_at.is_some_and(|at| at < before))
            }
        })
    }
}
