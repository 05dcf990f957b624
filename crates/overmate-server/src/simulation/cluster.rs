//! Simulates one run of a cluster of servers, with clients and faults.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fastrand::Rng;
use futures_util::future::join_all;
use overmate_rules::{ByPlayer, Game, Match};
use test_postgres::history::{Attempt, CLIENT_ID, History, LogRow, Told};
use tokio::runtime;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::memory_store::{MemoryStore, Tables};
use super::network::{Hearers, LossyEvents, State, Wire};
use crate::clock::now;
use crate::compute::Compute;
use crate::error::ApiError;
use crate::events::InProcess;
use crate::limits::Limiter;
use crate::match_state::MatchState;
use crate::names::RefusedWords;
use crate::presence::Rooms;
use crate::services::{
    BackgroundService, BotService, ClockService, ExpiryService, MatchRepository, MatchService,
    PushService, TurnMailService, WatchService,
};
use crate::settings::{Limits, ServerRole};
use crate::store::{
    Entry, EntryKind, Holder, MatchInfo, NewMatchRequest, Occupant, SeatInfo, Store,
};
use crate::wire::Act;

/// Number of servers in the simulated cluster.
const SERVERS: usize = 3;

/// Number of simulated players in a run. One of them plays against a computer opponent.
const PLAYERS: u8 = 3;

/// Number of actions that each simulated player takes.
const ACTIONS: usize = 15;

/// Number of injected faults in a run.
const FAULTS: usize = 8;

/// Simulated time after which a run counts as hanging.
const HANG: Duration = Duration::from_hours(1);

/// Statistics and contradictions of a simulated run.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) contradictions: Vec<String>,
    /// Trace of requests and faults, ordered by simulated time.
    pub(crate) trace: Vec<String>,
    pub(crate) faults: u64,
    pub(crate) acknowledged: u64,
    /// Number of requests that were repeated for lack of a response.
    pub(crate) unanswered: u64,
    pub(crate) by_computers: u64,
}

/// Runs the simulated cluster of a random seed.
pub(crate) fn simulate(seed: u64) -> Outcome {
    let runtime = runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(async {
        let run = timeout(HANG, Cluster::run(seed));
        run.await.unwrap_or_else(|_| panic!("the cluster of seed {seed} hangs"))
    })
}

/// Simulated run of one server process.
#[derive(Clone)]
struct Server {
    wire: Wire,
    matches: Arc<MatchService>,
}

/// Cluster of servers on one store, with the trace of a run. All clones share the same state.
#[derive(Clone)]
struct Cluster {
    tables: Arc<Mutex<Tables>>,
    hearers: Hearers,
    /// Current server process at each place of the cluster.
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
        outcome.trace =
            std::mem::take(&mut *cluster.trace.lock().unwrap_or_else(PoisonError::into_inner));
        outcome
    }

    fn servers(&self) -> MutexGuard<'_, Vec<Server>> {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, what: &str) {
        let at = self.begin.elapsed().as_millis();
        self.trace.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{at} {what}"));
    }

    /// Starts a server process.
    fn start(&self, random: Rng) -> Server {
        let wire = Wire::new(random);
        let store = MemoryStore::new(Arc::clone(&self.tables), wire.clone());
        let store: Arc<dyn Store> = Arc::new(store);
        let local = InProcess::default();
        let heard = (wire.clone(), local.clone());
        self.hearers.lock().unwrap_or_else(PoisonError::into_inner).push(heard);
        let hearers = Arc::clone(&self.hearers);
        let events = Arc::new(LossyEvents { local, wire: wire.clone(), hearers });
        let limits = Limits::default().lifted();
        let (repository, notices) = MatchRepository::new(Arc::clone(&store), events, &limits);
        let repository = Arc::new(repository);
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let limiter = Arc::new(Limiter::new(&limits, Arc::clone(&store)));
        let shares = (Arc::new(Compute::inline()), Arc::clone(&limiter));
        let bots =
            BotService::start(Arc::clone(&repository), true, notices, shares, stop.clone(), &tasks);
        let expiry = Arc::new(ExpiryService::new(Arc::clone(&repository), stop.clone()));
        // Simulated servers send neither push messages nor e-mails.
        let rooms = Rooms::default();
        let mails = TurnMailService::new(Arc::clone(&store), limiter, None, stop.clone());
        let shared = Arc::clone(&repository);
        let run = (stop.clone(), tasks.clone());
        let push = PushService::new(shared, rooms, None, mails, run);
        let works = (bots, push);
        let background =
            BackgroundService::new(store, works, expiry, ServerRole::All, stop.clone(), tasks);
        tokio::spawn(async move { background.run().await });
        let words = Arc::new(RefusedWords::from_lines([]));
        let clocks = Arc::new(ClockService::new(Arc::clone(&repository), true, stop.clone()));
        let watching = WatchService::new(Arc::clone(&repository), Arc::clone(&words));
        let watching = Arc::new(watching);
        Server {
            wire,
            matches: Arc::new(MatchService::new((repository, clocks, watching), words, stop)),
        }
    }

    /// Injects faults into servers, one after another or two at once. At the end all faults are
    /// repaired.
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

    /// Returns the log of each match, by match id.
    fn logs(&self) -> BTreeMap<String, Vec<LogRow>> {
        let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
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
            let Server { wire, matches } = self.cluster.servers()[place].clone();
            let there_and_back = async {
                wire.delay(20).await;
                let answer = request(&matches).await;
                wire.delay(20).await;
                answer
            };
            let answer = tokio::select! {
                biased;
                () = wire.ended() => None,
                answer = timeout(Duration::from_secs(20), there_and_back) => answer.ok(),
            };
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

    /// Adds the match state in a server's response to the client's history.
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
