//! Simulates one run of a cluster of servers, with clients and faults.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fastrand::Rng;
use futures_util::future::join_all;
use overmate_rules::{ByPlayer, Game, Match};
use test_postgres::history::{Attempt, CLIENT_ID, History, LogRow, Told};
use tokio::runtime;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::memory_store::Tables;
use super::network::{Hearers, State};
use super::server::{Server, connect, lock};
use crate::clock::now;
use crate::compute::Compute;
use crate::error::ApiError;
use crate::limits::Limiter;
use crate::match_state::MatchState;
use crate::presence::Rooms;
use crate::services::{
    BackgroundService, BotService, ClockService, ExpiryService, MatchRepository, MatchService,
    PushService,
};
use crate::settings::{Limits, ServerRole};
use crate::store::{Entry, EntryKind, Holder, MatchInfo, NewMatchRequest, Occupant, SeatInfo};
use crate::wire::Act;

/// Number of servers in the simulated cluster.
const SERVERS: usize = 3;

/// Number of simulated players in a run. One of them plays against a computer opponent.
const PLAYERS: u8 = 3;

/// Number of actions that each simulated player takes.
const ACTIONS: usize = 15;

/// Number of injected faults in a run.
const FAULTS: usize = 8;

/// Simulated time after which a run is considered stuck.
const HANG: Duration = Duration::from_hours(1);

/// Statistics of a simulated run, and the contradictions that were found.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) contradictions: Vec<String>,
    /// Trace of requests and faults, ordered by simulated time.
    pub(crate) trace: Vec<String>,
    pub(crate) faults: u64,
    pub(crate) acknowledged: u64,
    /// Number of requests that clients repeated because no response came.
    pub(crate) unanswered: u64,
    pub(crate) by_computers: u64,
}

/// Runs the simulated cluster with a random seed.
pub(crate) fn simulate(seed: u64) -> Outcome {
    let runtime = runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(async {
        let run = timeout(HANG, Cluster::run(seed));
        run.await.unwrap_or_else(|_| panic!("the cluster of seed {seed} hangs"))
    })
}

/// Cluster of servers on one store, with the trace of a run. All clones share the same state.
#[derive(Clone)]
struct Cluster {
    tables: Arc<Mutex<Tables>>,
    hearers: Hearers,
    /// Current server process in each slot of the cluster.
    servers: Arc<Mutex<Vec<Server>>>,
    trace: Arc<Mutex<Vec<String>>>,
    begin: Instant,
}

impl Cluster {
    async fn run(seed: u64) -> Outcome {
        let mut random = Rng::with_seed(seed);
        let cluster = Self {
            tables: Tables::new(&Limits::default().lifted()),
            hearers: Hearers::default(),
            servers: Arc::default(),
            trace: Arc::default(),
            begin: Instant::now(),
        };
        for _ in 0..SERVERS {
            let server = cluster.start(random.fork());
            lock(&cluster.servers).push(server);
        }
        let players: Vec<_> = (0..PLAYERS)
            .map(|number| Player::new(cluster.clone(), number, random.fork()).play())
            .collect();
        let (players, ()) = tokio::join!(join_all(players), cluster.fail(random.fork()));
        let mut outcome = Outcome { faults: FAULTS as u64, ..Outcome::default() };
        let mut history = History::default();
        for player in players {
            outcome.unanswered += player.unanswered;
            history.attempts.extend(player.history.attempts);
            history.told.extend(player.history.told);
        }
        let logs = cluster.logs();
        outcome.acknowledged = history.attempts.len() as u64;
        let rows = logs.values().flatten();
        outcome.by_computers =
            rows.filter(|row| !row.client_id.starts_with(CLIENT_ID)).count() as u64;
        outcome.contradictions = history.contradictions(&logs);
        outcome.trace = std::mem::take(&mut *lock(&cluster.trace));
        outcome
    }

    fn note(&self, what: &str) {
        let at = self.begin.elapsed().as_millis();
        lock(&self.trace).push(format!("{at} {what}"));
    }

    /// Starts a server process.
    fn start(&self, random: Rng) -> Server {
        let (wire, store, events) = connect(&self.tables, &self.hearers, random);
        let limits = Limits::default().lifted();
        let (repository, notices) = MatchRepository::new(Arc::clone(&store), events, &limits);
        let repository = Arc::new(repository);
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let limiter = Limiter::new(&limits, Arc::clone(&store));
        let shares = (Arc::new(Compute::inline()), Arc::new(limiter));
        let bots =
            BotService::start(Arc::clone(&repository), true, notices, shares, stop.clone(), &tasks);
        let expiry = Arc::new(ExpiryService::new(Arc::clone(&repository), stop.clone()));
        // Simulated servers send no push messages.
        let rooms = Rooms::default();
        let shared = Arc::clone(&repository);
        let push = PushService::new(shared, rooms, None, stop.clone(), tasks.clone());
        let works = (bots, push);
        let background =
            BackgroundService::new(store, works, expiry, ServerRole::All, stop.clone(), tasks);
        tokio::spawn(async move { background.run().await });
        let clocks = Arc::new(ClockService::new(Arc::clone(&repository), true, stop.clone()));
        Server::new(wire, repository, clocks, stop)
    }

    /// Injects faults into servers, one after another or two at the same time. At the end all faults are repaired.
    async fn fail(&self, mut random: Rng) {
        for _ in 0..FAULTS {
            sleep(Duration::from_millis(random.u64(..800))).await;
            let place = random.usize(..SERVERS);
            let state = [State::Lossy, State::Cut, State::Frozen, State::Dead][random.usize(..4)];
            self.note(&format!("server {place}: {state:?}"));
            let time = Duration::from_millis(random.u64(..8_000));
            let wire = lock(&self.servers)[place].wire.clone();
            wire.set(state);
            let (cluster, seed) = (self.clone(), random.fork());
            let healed = tokio::spawn(async move {
                sleep(time).await;
                if state == State::Dead {
                    let server = cluster.start(seed);
                    lock(&cluster.servers)[place] = server;
                }
                wire.set(State::Well);
                cluster.note(&format!("server {place}: well"));
            });
            if random.bool() {
                healed.await.expect("the server is healed");
            }
        }
    }

    /// Returns the log of each match, by match id.
    fn logs(&self) -> BTreeMap<String, Vec<LogRow>> {
        let tables = lock(&self.tables);
        let log = |log: &[Entry]| {
            let row = |entry: &Entry| {
                let EntryKind::Act(action) = &entry.kind else { panic!("{entry:?}") };
                let (action, client_id) = (action.clone(), entry.client_id.clone());
                LogRow { sequence: entry.sequence, action, client_id }
            };
            log.iter().map(row).collect()
        };
        tables.logs().map(|(id, entries)| (id.to_owned(), log(entries))).collect()
    }
}

/// Simulated client that plays one match, and sends each request to a random server.
struct Player {
    cluster: Cluster,
    number: u8,
    random: Rng,
    history: History,
    unanswered: u64,
}

impl Player {
    fn new(cluster: Cluster, number: u8, random: Rng) -> Self {
        Self { cluster, number, random, history: History::default(), unanswered: 0 }
    }

    fn holder(&self) -> Holder {
        Holder([self.number; 32])
    }

    /// Draws the metadata of a random match. A player with an odd number plays against a computer
    /// opponent.
    fn new_match(&mut self) -> MatchInfo {
        let occupant = Occupant::Holder(self.holder());
        let opponent = match self.number % 2 {
            0 => occupant,
            _ => Occupant::Bot("level:1".parse().expect("an opponent"), self.random.u64(..)),
        };
        let seat = |occupant| SeatInfo::new(None, occupant);
        MatchInfo {
            id: format!("{:032x}", self.number),
            watch: format!("watch-{}", self.number),
            created_at: now(),
            deals: (0..2).map(|_| self.random.u64(..100_000)).collect(),
            seats: ByPlayer { a: seat(occupant), b: seat(opponent) },
            ..MatchInfo::sample()
        }
    }

    async fn play(mut self) -> Self {
        let (info, holder) = (self.new_match(), self.holder());
        let request = NewMatchRequest { holder, client_id: "new-match".to_owned() };
        let mut state = self
            .ask("create", async |matches| {
                let store = matches.repository().store();
                // The server refuses the repeated request, because the match exists already.
                store.create(info.clone(), Some(request.clone())).await?;
                matches.read(&info.id, Some(holder), None).await.map(|(state, _)| state)
            })
            .await;
        let id = state.id().to_owned();
        let mut taken = 0;
        while taken < ACTIONS && state.result().is_none() {
            let after = state.sequence();
            if state.bot_to_act().is_some() {
                state = self.look(&id, after).await;
                continue;
            }
            let game = state.play().current();
            let actions: Vec<_> = game.legal_actions().collect();
            let action = actions[self.random.usize(..actions.len())];
            let action = overmate_json::action(state.rules(), action);
            let client_id = format!("{CLIENT_ID}{}-{taken}", self.number);
            let act =
                || Act { sequence: after, action: action.clone(), client_id: client_id.clone() };
            state = self
                .ask("act", async |matches| {
                    matches.act(&id, Some(holder), act(), 0).await.map(|(state, _)| state)
                })
                .await;
            taken += 1;
            self.history.attempts.push(Attempt {
                match_id: id.clone(),
                client_id: client_id.clone(),
                after,
                action: action.clone(),
                acknowledged: Some(Instant::now().into_std()),
            });
            self.note(&state, None);
            // At random times the player also reads the match at other servers.
            if self.random.u8(..4) == 0 {
                state = self.look(&id, u64::MAX).await;
            }
        }
        // The last read comes after the last turn of the computer opponent.
        while state.bot_to_act().is_some() {
            state = self.look(&id, state.sequence()).await;
        }
        self.look(&id, u64::MAX).await;
        self
    }

    /// Reads the state of the match from a server. The server waits until the log exceeds a
    /// sequence number.
    async fn look(&mut self, id: &str, after: u64) -> Arc<MatchState> {
        let (asked, holder) = (Instant::now(), Some(self.holder()));
        let wait = Duration::from_secs(5);
        let state = self
            .ask("look", async |matches| {
                let read = matches.wait_beyond(id, holder, None, after, wait).await?;
                Ok(read.0)
            })
            .await;
        self.note(&state, Some(asked));
        state
    }

    /// Sends a request to random servers until a server responds.
    async fn ask(
        &mut self,
        what: &str,
        request: impl AsyncFn(&MatchService) -> Result<Arc<MatchState>, ApiError>,
    ) -> Arc<MatchState> {
        loop {
            let place = self.random.usize(..SERVERS);
            let server = lock(&self.cluster.servers)[place].clone();
            let answer = server.answer(&request).await;
            let told = match &answer {
                Some(Ok(state)) => format!("{}", state.sequence()),
                Some(Err(_)) => "failed".to_owned(),
                None => "no answer".to_owned(),
            };
            self.cluster.note(&format!("player {} at {place}: {what}, {told}", self.number));
            match answer {
                Some(Ok(state)) => return state,
                Some(Err(ApiError::Busy(_))) | None => self.unanswered += 1,
                Some(Err(error)) => panic!("{what}: {error}"),
            }
            sleep(Duration::from_millis(self.random.u64(10..200))).await;
        }
    }

    /// Adds the match state in a server's response to the history of the client's observations.
    fn note(&mut self, state: &MatchState, asked: Option<Instant>) {
        self.history.told.push(Told {
            match_id: state.id().to_owned(),
            sequence: state.sequence(),
            actions: actions(state.play()),
            asked: asked.map(Instant::into_std),
            answered: Instant::now().into_std(),
        });
    }
}

/// Returns the actions of all games of a match as texts, in the order of play.
fn actions(play: &Match) -> Vec<String> {
    let rules = play.rules();
    let games = play.games().iter();
    games.flat_map(Game::actions).map(|&a| overmate_json::action(rules, a)).collect()
}
