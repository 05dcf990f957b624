//! Simulates one run of a cluster of servers, with clients and faults.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use fastrand::Rng;
use futures_util::future::join_all;
use overmate_rules::{ByPlayer, Game, Match, Seat};
use test_postgres::history::{Attempt, CLIENT_ID, History, LogRow, Told};
use tokio::runtime;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::memory_store::Tables;
use super::network::{Hearers, NoCarrier, State, Wire};
use super::server::{ClockParts, Server, connect, lock, lossy_events};
use crate::clock::now;
use crate::computing::compute::Compute;
use crate::computing::program_pool::ProgramPool;
use crate::error::ApiError;
use crate::limits::Limiter;
use crate::matches::match_state::MatchState;
use crate::notices::events::{Events, InProcess};
use crate::notices::sharing::{REREAD_INTERVAL, SharedEvents};
use crate::presence::Rooms;
use crate::services::{
    BackgroundService, BotService, ClockService, ExpiryService, MatchRepository, MatchService,
    PushService, TurnMailService,
};
use crate::settings::{Limits, ServerRole};
use crate::store::{
    Entry, EntryKind, Holder, MatchInfo, NewMatchRequest, Occupant, SeatInfo, Store,
};
use crate::wire::Act;

/// Number of servers in the simulated cluster.
pub(super) const SERVERS: usize = 3;

/// Number of simulated players in a simulated run. One of them plays against a computer opponent.
const PLAYERS: u8 = 3;

/// Number of actions that each simulated player takes.
const ACTIONS: usize = 15;

/// Number of injected faults in a simulated run.
const FAULTS: usize = 8;

/// Simulated time after which a simulated run counts as stuck.
const HANG: Duration = Duration::from_hours(1);

/// Timeout of long polling for changes of a match, in simulated time.
const WAIT: Duration = Duration::from_secs(5);

/// Statistics of a simulated run, and the contradictions that were found in its match logs.
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

/// Runs a simulated cluster with players and faults, all drawn from a seed.
pub(crate) fn simulate(seed: u64) -> Outcome {
    in_simulated_time(seed, Cluster::run(seed))
}

/// Runs a simulation to its end, in a runtime with a simulated clock.
pub(super) fn in_simulated_time<T>(seed: u64, run: impl Future<Output = T>) -> T {
    let runtime = runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(async {
        timeout(HANG, run).await.unwrap_or_else(|_| panic!("the cluster of seed {seed} hangs"))
    })
}

/// Simulated cluster of servers on one store, with the trace (record of requests and faults) of a run. All clones share the same state.
#[derive(Clone)]
pub(super) struct Cluster {
    tables: Arc<Mutex<Tables>>,
    hearers: Hearers,
    /// Whether all notices between servers are lost, so that servers find changes by rereading the logs.
    loses_all_notices: bool,
    /// Current process of each server in the simulated cluster.
    servers: Arc<Mutex<Vec<Server>>>,
    trace: Arc<Mutex<Vec<String>>>,
    begin: Instant,
}

impl Cluster {
    /// Creates a simulated cluster that has no server yet.
    pub(super) fn new(loses_all_notices: bool) -> Self {
        Self {
            tables: Tables::new(&Limits::default().lifted()),
            hearers: Hearers::default(),
            loses_all_notices,
            servers: Arc::default(),
            trace: Arc::default(),
            begin: Instant::now(),
        }
    }

    async fn run(seed: u64) -> Outcome {
        let mut random = Rng::with_seed(seed);
        let cluster = Self::new(false);
        for _ in 0..SERVERS {
            let server = cluster.start(random.fork());
            cluster.servers().push(server);
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

    pub(super) fn servers(&self) -> MutexGuard<'_, Vec<Server>> {
        lock(&self.servers)
    }

    pub(super) fn tables(&self) -> MutexGuard<'_, Tables> {
        lock(&self.tables)
    }

    fn note(&self, what: &str) {
        let at = self.begin.elapsed().as_millis();
        lock(&self.trace).push(format!("{at} {what}"));
    }

    /// Starts a simulated server process.
    pub(super) fn start(&self, random: Rng) -> Server {
        let (wire, store) = connect(&self.tables, random);
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let events = self.events(&wire, &store, (&stop, &tasks));
        let limits = Limits::default().lifted();
        let (repository, notices) = MatchRepository::new(Arc::clone(&store), events, &limits);
        let repository = Arc::new(repository);
        let limiter = Arc::new(Limiter::new(&limits, Arc::clone(&store)));
        let programs = ProgramPool::empty();
        let shares = (Arc::new(Compute::inline()), Arc::clone(&limiter), programs);
        let bots =
            BotService::start(Arc::clone(&repository), true, notices, shares, stop.clone(), &tasks);
        let expiry = Arc::new(ExpiryService::new(Arc::clone(&repository), stop.clone()));
        // Simulated servers send neither push messages nor e-mails.
        let rooms = Rooms::default();
        let mails =
            TurnMailService::new(Arc::clone(&store), Arc::clone(&limiter), None, stop.clone());
        let shared = Arc::clone(&repository);
        let run = (stop.clone(), tasks.clone());
        let push = PushService::new(shared, rooms, None, limiter, mails, run);
        let works = (bots, push);
        let background =
            BackgroundService::new(store, works, expiry, ServerRole::All, stop.clone(), tasks);
        tokio::spawn(async move { background.run().await });
        let clocks =
            Arc::new(ClockService::new(Arc::clone(&repository), ServerRole::All, stop.clone()));
        Server::new(ClockParts { wire, repository, clocks, stop })
    }

    /// Returns the event bus by which a new simulated server exchanges notices with the other servers.
    fn events(
        &self,
        wire: &Wire,
        store: &Arc<dyn Store>,
        running: (&CancellationToken, &TaskTracker),
    ) -> Arc<dyn Events> {
        if self.loses_all_notices {
            let store = Arc::clone(store);
            return Arc::new(SharedEvents::start(
                InProcess::default(),
                NoCarrier,
                store,
                running,
                REREAD_INTERVAL,
            ));
        }
        lossy_events(&self.hearers, wire)
    }

    /// Injects faults into the simulated servers, one after another or two at the same time. At the end all faults are repaired.
    async fn fail(&self, mut random: Rng) {
        for _ in 0..FAULTS {
            sleep(Duration::from_millis(random.u64(..800))).await;
            let place = random.usize(..SERVERS);
            let state = [State::Lossy, State::Cut, State::Frozen, State::Dead][random.usize(..4)];
            self.note(&format!("server {place}: {state:?}"));
            let time = Duration::from_millis(random.u64(..8_000));
            let wire = self.servers()[place].wire.clone();
            wire.set(state);
            let (cluster, seed) = (self.clone(), random.fork());
            let healed = tokio::spawn(async move {
                sleep(time).await;
                if state == State::Dead {
                    let server = cluster.start(seed);
                    cluster.servers()[place] = server;
                }
                wire.set(State::Well);
                cluster.note(&format!("server {place}: well"));
            });
            if random.bool() {
                healed.await.expect("the server is healed");
            }
        }
    }

    /// Returns the logs of all matches in the simulated cluster, by match id.
    fn logs(&self) -> BTreeMap<String, Vec<LogRow>> {
        let tables = self.tables();
        let log = |log: &[Entry]| {
            let row = |entry: &Entry| {
                let EntryKind::Act(action) = &entry.kind else { panic!("{entry:?}") };
                let (action, client_id) = (action.clone(), entry.client_id.clone());
                LogRow { sequence: entry.sequence, kind: "act".to_owned(), action, client_id }
            };
            log.iter().map(row).collect()
        };
        tables.logs().map(|(id, entries)| (id.to_owned(), log(entries))).collect()
    }
}

/// Simulated client that plays one match, and sends each request to a random server.
pub(super) struct Player {
    cluster: Cluster,
    number: u8,
    random: Rng,
    history: History,
    unanswered: u64,
}

impl Player {
    /// Creates a simulated player. A player with an odd number plays against a computer opponent.
    pub(super) fn new(cluster: Cluster, number: u8, random: Rng) -> Self {
        Self { cluster, number, random, history: History::default(), unanswered: 0 }
    }

    fn holder(&self) -> Holder {
        Holder([self.number; 32])
    }

    /// Generates the metadata of a random match. A player with an odd number plays against a computer opponent.
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
        let mut state = self.create().await;
        let id = state.id().to_owned();
        let mut taken = 0;
        while taken < ACTIONS && state.result().is_none() {
            if state.bot_to_act().is_some() {
                state = self.look(&id, state.sequence(), WAIT).await;
                continue;
            }
            state = self.act(&state, taken).await;
            taken += 1;
            // After one of four actions on average, the player also reads the match at a random server.
            if self.random.u8(..4) == 0 {
                state = self.look(&id, u64::MAX, WAIT).await;
            }
        }
        // The player waits until the computer opponent has taken its last turn, and then reads the match once more.
        while state.bot_to_act().is_some() {
            state = self.look(&id, state.sequence(), WAIT).await;
        }
        self.look(&id, u64::MAX, WAIT).await;
        self
    }

    /// Creates the simulated player's match.
    pub(super) async fn create(&mut self) -> Arc<MatchState> {
        let (info, holder) = (self.new_match(), self.holder());
        let request = NewMatchRequest { holder, client_id: "new-match".to_owned() };
        self.ask("create", async |matches| {
            let store = matches.repository().store();
            // A repeated request to create the match stores no second match, because the match exists already.
            store.create(info.clone(), Some(request.clone())).await?;
            matches.read(&info.id, Some(holder), None).await.map(|(state, _)| state)
        })
        .await
    }

    /// Takes a random action in a match. The number of the action is part of the request's client id.
    pub(super) async fn act(&mut self, state: &MatchState, number: usize) -> Arc<MatchState> {
        let (id, after, holder) = (state.id(), state.sequence(), Some(self.holder()));
        let actions: Vec<_> = state.play().current().legal_actions().collect();
        let action = actions[self.random.usize(..actions.len())];
        let action = overmate_json::action(state.rules(), action);
        let client_id = format!("{CLIENT_ID}{}-{number}", self.number);
        let act = || Act { sequence: after, action: action.clone(), client_id: client_id.clone() };
        let state = self
            .ask("act", async |matches| {
                matches.act(id, holder, act(), 0).await.map(|(state, _)| state)
            })
            .await;
        self.history.attempts.push(Attempt {
            match_id: id.to_owned(),
            client_id,
            after,
            action,
            acknowledged: Some(Instant::now().into_std()),
        });
        self.note(&state, None);
        state
    }

    /// Reads the state of a match from a server of the simulated cluster. The server waits until the log exceeds a sequence number, or the
    /// given time is over.
    pub(super) async fn look(&mut self, id: &str, after: u64, wait: Duration) -> Arc<MatchState> {
        let (asked, holder) = (Instant::now(), Some(self.holder()));
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

    /// Adds the match state in a server's response to the history of the states that the client has seen.
    fn note(&mut self, state: &MatchState, asked: Option<Instant>) {
        self.history.told.push(Told {
            match_id: state.id().to_owned(),
            sequence: state.sequence(),
            actions: actions(state.play()),
            persons: persons(state),
            asked: asked.map(Instant::into_std),
            answered: Instant::now().into_std(),
        });
    }
}

/// Returns the actions of all games of a match as strings, in the order of play.
fn actions(play: &Match) -> Vec<String> {
    let rules = play.rules();
    let games = play.games().iter();
    games.flat_map(Game::actions).map(|&a| overmate_json::action(rules, a)).collect()
}

/// Returns, for each action of a match and for the next action, whether a person (and not a computer opponent) takes the action.
/// A replay of the games by the rules gives the player of each action.
fn persons(state: &MatchState) -> Vec<bool> {
    let is_person = |index: usize, seat: Seat| {
        let occupant = state.info().seats[Match::player(index, seat)].occupant;
        matches!(occupant, Occupant::Holder(_))
    };
    let mut persons = Vec::new();
    for (index, game) in state.play().games().iter().enumerate() {
        let mut replay = Game::new(game.dealt().clone());
        for &action in game.actions() {
            persons.extend(replay.to_act().map(|seat| is_person(index, seat)));
            replay = replay.play(action).expect("an action by the rules");
        }
        persons.extend(replay.to_act().map(|seat| is_person(index, seat)));
    }
    persons
}
