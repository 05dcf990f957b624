//! Simulates a tournament event whose players never act, while servers fail. Each player must act within a limited time after the
//! start of their match. A downtime of all servers that answer players does not count towards this time.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use fastrand::Rng;
use overmate_rules::ByPlayer;
use tokio::runtime;
use tokio::time::{sleep, timeout};

use super::memory_store::Tables;
use super::network::{Hearers, State, Wire};
use super::server::{ClockParts, connect, lock, start_clocks};
use super::simulated_time::{self, SimulatedTime};
use crate::clocks::clock_setting::ClockSetting;
use crate::computing::compute::Compute;
use crate::computing::solver_pool::SolverPool;
use crate::names::RefusedWords;
use crate::services::EventService;
use crate::settings::{Limits, ServerRole};
use crate::store::{
    Appended, Event, EventBoard, EventChange, EventKind, EventState, EventStep, Holder, MatchInfo,
    Occupant, SeatInfo, Store, make_account,
};

/// Simulated time between the start of the tournament event and the beginning of the server faults.
const BEFORE: Duration = Duration::from_secs(30);

/// Maximum simulated time from the end of the servers' faults until the absent players' match ends by forfeit.
const HANG: Duration = Duration::from_mins(30);

/// Role and fault state of a simulated server, such as a frozen worker.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) role: ServerRole,
    pub(super) state: State,
}

/// Simulates a tournament event with absent players, and returns the delay, in milliseconds, from the end of the server
/// faults to a player's forfeit. The delay is negative if the forfeit came first. The faults of all servers begin
/// together and last for the time `fault`.
pub(super) fn time_to_forfeit(seed: u64, places: &[Place], fault: Duration) -> i64 {
    let runtime = runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(async {
        let _time = SimulatedTime::start();
        let mut random = Rng::with_seed(seed);
        let tables = Tables::new(&Limits::default().lifted());
        let hearers = Hearers::default();
        let (pair, mut seeds) = ((&tables, &hearers), random.fork());
        let mut start = |role| start_server(pair, role, seeds.fork());
        let wires: Vec<Wire> = places.iter().map(|place| start(place.role)).collect();
        // The servers store their first heartbeats before the event begins.
        sleep(Duration::from_secs(5)).await;
        begin_event(&connect(&tables, random.fork()).1).await;
        sleep(BEFORE).await;
        for (place, wire) in places.iter().zip(&wires) {
            wire.set(place.state);
        }
        sleep(fault).await;
        for (place, wire) in places.iter().zip(&wires) {
            match place.state {
                State::Dead => drop(start(place.role)),
                _ => wire.set(State::Well),
            }
        }
        let healed = now_ms();
        let ended = async {
            loop {
                if let Some(at) = ended_at(&tables) {
                    return at;
                }
                sleep(Duration::from_millis(100)).await;
            }
        };
        let ended = timeout(HANG, ended).await.expect("nobody loses the match");
        ended - healed
    })
}

fn now_ms() -> i64 {
    simulated_time::now_ms().expect("a simulation")
}

/// Returns the time of the last log entry in the only match of the simulated tournament event, or `None` if the log is empty.
fn ended_at(tables: &Arc<Mutex<Tables>>) -> Option<i64> {
    let tables = lock(tables);
    let stored = tables.matches.values().next().expect("a match");
    stored.log.last().map(|entry| entry.at_ms)
}

/// Starts a simulated server process with the services of match clocks and tournament events.
fn start_server(shared: (&Arc<Mutex<Tables>>, &Hearers), role: ServerRole, random: Rng) -> Wire {
    let limits = Limits::default().lifted();
    let ClockParts { wire, repository, clocks, stop } = start_clocks(shared, role, &limits, random);
    let solvers = Arc::new(SolverPool::new(Arc::new(Compute::inline())));
    let words = Arc::new(RefusedWords::from_lines([]));
    let works = role != ServerRole::Web;
    let events = EventService::new(repository, solvers, words, clocks, works, stop);
    tokio::spawn(async move { events.run().await });
    wire
}

/// Stores a tournament event that has just begun, with one match.
async fn begin_event(store: &Arc<dyn Store>) {
    let clock = ClockSetting::live(180, 2).expect("a time control");
    let at = now_ms() / 1_000;
    let kind = EventKind::Arena { minutes: 60 };
    let id = "e".repeat(32);
    let event = Event {
        id: id.clone(),
        kind,
        clock,
        made_at: at,
        // The planned start of the event lies five seconds in the future, so that no simulated server pairs the players before this
        // function does.
        starts_at: at + 5,
        repeat_days: 0,
        ..Event::sample()
    };
    let person = |number| Holder([number; 32]);
    let seat = |number| SeatInfo::new(None, Occupant::Holder(person(number)));
    let seats = ByPlayer { a: seat(1), b: seat(2) };
    let info = MatchInfo { clock: Some(clock), seats, ..MatchInfo::sample() };
    let board = EventBoard {
        number: 1,
        round: 1,
        place: Some(0),
        a: 1,
        b: Some(2),
        match_id: Some(info.id.clone()),
        began_at: at,
        ended_at: None,
        points: None,
        forfeit: None,
    };
    let step = EventStep {
        id: id.clone(),
        after: 0,
        // Version after both players have joined.
        version: 2,
        at,
        state: EventState::Running,
        kind,
        round: 1,
        scores: Vec::new(),
        absent: Vec::new(),
        deals: Vec::new(),
        boards: vec![(board, Some(info))],
        successor: None,
    };
    let mut changes = vec![EventChange::Make { event }];
    for (number, handle) in [(1, "Anna"), (2, "Bert")] {
        make_account(store, number, handle).await;
        changes.push(EventChange::Join { id: id.clone(), person: person(number), at });
    }
    changes.push(EventChange::Step(Box::new(step)));
    for change in changes {
        assert_eq!(store.change_event(change).await.expect("a write"), Appended::Stored);
    }
}
