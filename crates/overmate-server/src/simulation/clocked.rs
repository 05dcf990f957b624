//! Simulates matches with clocks on a cluster of servers, and checks the logs. The checks compare the logs with a naive model of
//! the clocks, and with the times at which the servers could answer.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fastrand::Rng;
use futures_util::future::join_all;
use overmate_rules::{ByPlayer, Player};
use tokio::runtime;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::clocked_model::{Changes, Naive, Timeline};
use super::memory_store::Tables;
use super::network::{Hearers, State};
use super::server::{Server, lock, start_clocks};
use super::simulated_time::{self, SimulatedTime};
use crate::clocks::clock_setting::ClockSetting;
use crate::clocks::match_clock::MatchClock;
use crate::error::ApiError;
use crate::matches::match_state::{LogLimits, MatchState};
use crate::services::MatchService;
use crate::settings::{Limits, ServerRole};
use crate::store::{Entry, EntryKind, Holder, MatchInfo, Occupant, SeatInfo};
use crate::wire::Act;

/// Number of matches in a simulated run.
const MATCHES: u8 = 3;

/// Simulated period in which faults occur. Afterwards all servers run until all matches have ended.
const TIME: Duration = Duration::from_mins(1);

/// Simulated time after which a simulated run counts as stuck.
const HANG: Duration = Duration::from_mins(30);

/// Fault that a simulated run injects into a server.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    /// State of the server while the fault lasts.
    pub(super) state: State,
    /// Time from the end of the previous fault, or from the start of the run, to the start of this fault.
    pub(super) after: Duration,
    /// Duration of the fault, in simulated time.
    pub(super) time: Duration,
}

/// Role of one server in a simulated cluster, with the server's faults in chronological order.
pub(super) struct Place {
    pub(super) role: ServerRole,
    pub(super) faults: Vec<Fault>,
}

/// Statistics of a simulated run, and the contradictions that were found in its match logs.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) contradictions: Vec<String>,
    /// Number of entries in the logs of all matches.
    pub(crate) entries: u64,
    /// Number of matches that a player lost on time.
    pub(crate) flags: u64,
    /// Number of matches in which the players paused the clocks at least once.
    pub(crate) pauses: u64,
    /// Delays, in milliseconds, between the recorded time and the storage of each log entry that ended a pause of the
    /// clocks.
    pub(crate) resumed: Vec<i64>,
    /// Thinking time, in milliseconds, that was credited to players for downtimes.
    pub(crate) credited: i64,
    /// Log of each match, and the role and the state changes of each server, as lines of text with Unix times in milliseconds.
    pub(crate) trace: Vec<String>,
}

/// Simulates matches with clocks on servers with random faults, all generated from a seed.
pub(crate) fn simulate(seed: u64) -> Outcome {
    let mut random = Rng::with_seed(seed);
    let number = random.usize(1..=3);
    // In some clusters of several servers, the last server is a worker, and the other servers only answer players.
    let is_split = number > 1 && random.bool();
    let role = |place| match (is_split, place + 1 == number) {
        (false, _) => ServerRole::All,
        (true, false) => ServerRole::Web,
        (true, true) => ServerRole::Worker,
    };
    let places = (0..number)
        .map(|place| Place { role: role(place), faults: draw_faults(&mut random) })
        .collect();
    run(random, places, true)
}

/// Generates the random faults of a simulated server.
fn draw_faults(random: &mut Rng) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut sum = Duration::ZERO;
    while sum < TIME {
        let late = State::Late(random.u16(200..2_500));
        let state = [State::Lossy, State::Cut, State::Frozen, State::Dead, late];
        let state = state[random.usize(..state.len())];
        let [after, time] = [8_000, 9_000].map(|most| Duration::from_millis(random.u64(50..most)));
        sum += after + time;
        faults.push(Fault { state, after, time });
    }
    faults
}

/// Simulates matches with clocks on servers with given roles and faults. If `pauses` is true, players ask for pauses of the clocks.
pub(super) fn run(random: Rng, places: Vec<Place>, pauses: bool) -> Outcome {
    let runtime = runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(async {
        let _time = SimulatedTime::start();
        timeout(HANG, Run::start(random, places, pauses)).await.expect("the run hangs")
    })
}

/// State of a simulated run, shared by all tasks of the run.
#[derive(Clone)]
struct Run {
    tables: Arc<Mutex<Tables>>,
    hearers: Hearers,
    servers: Arc<Mutex<Vec<Server>>>,
    /// Role of each simulated server.
    roles: Arc<[ServerRole]>,
    /// Whether the simulated players ask for pauses of the clocks.
    pauses: bool,
    /// Changes of the state of each simulated server, with the times of the changes.
    changes: Arc<Mutex<Vec<Changes>>>,
    contradictions: Arc<Mutex<Vec<String>>>,
}

fn now_ms() -> i64 {
    simulated_time::now_ms().expect("a simulation")
}

impl Run {
    async fn start(mut random: Rng, places: Vec<Place>, pauses: bool) -> Outcome {
        let run = Self {
            tables: Tables::new(&Limits::default().lifted()),
            hearers: Hearers::default(),
            servers: Arc::default(),
            roles: places.iter().map(|place| place.role).collect(),
            pauses,
            changes: Arc::default(),
            contradictions: Arc::default(),
        };
        for place in &places {
            let server = run.server(place.role, random.fork());
            lock(&run.servers).push(server);
            lock(&run.changes).push(vec![(now_ms(), State::Well)]);
        }
        let end = Instant::now() + TIME;
        let faults = places.into_iter().map(|place| place.faults).enumerate();
        let faults = faults.map(|(place, faults)| run.fail(place, faults, end, random.fork()));
        let faults: Vec<_> = faults.collect();
        let tables =
            (0..MATCHES).map(|number| Table::new(run.clone(), number, random.fork()).play());
        let tables: Vec<_> = tables.collect();
        let (tables, _) = tokio::join!(join_all(tables), join_all(faults));
        run.judge(&tables)
    }

    /// Starts a simulated server process.
    fn server(&self, role: ServerRole, random: Rng) -> Server {
        let shared = (&self.tables, &self.hearers);
        Server::new(start_clocks(shared, role, &Limits::default().lifted(), random))
    }

    /// Injects faults, one after another, into one server of the simulated cluster. A server process that ends is replaced by a new one.
    async fn fail(&self, place: usize, faults: Vec<Fault>, end: Instant, mut random: Rng) {
        for Fault { state, after, time } in faults {
            sleep(after).await;
            if Instant::now() >= end {
                return;
            }
            self.compare_deadlines();
            let wire = lock(&self.servers)[place].wire.clone();
            wire.set(state);
            lock(&self.changes)[place].push((now_ms(), state));
            sleep_until(end.min(Instant::now() + time)).await;
            if state == State::Dead {
                let server = self.server(self.roles[place], random.fork());
                lock(&self.servers)[place] = server;
            }
            wire.set(State::Well);
            lock(&self.changes)[place].push((now_ms(), State::Well));
        }
    }

    /// Compares the stored deadlines of all matches with the deadlines that follow from the match logs.
    fn compare_deadlines(&self) {
        let wrong = wrong_deadlines(&lock(&self.tables));
        lock(&self.contradictions).extend(wrong);
    }

    /// Compares the logs of all matches with a naive model of the clocks, and with the responses that the players got.
    fn judge(&self, told: &[Table]) -> Outcome {
        self.compare_deadlines();
        let tables = lock(&self.tables);
        let timeline = Timeline::new(&self.roles, &lock(&self.changes), now_ms() + 1);
        let contradictions = std::mem::take(&mut *lock(&self.contradictions));
        let mut outcome = Outcome { contradictions, ..Outcome::default() };
        for (told, (id, stored)) in told.iter().zip(&tables.matches) {
            let (mut opens, mut games) = (Vec::new(), 1);
            let state = replay(&stored.info, &stored.log, |state, entry| {
                if state.play().games().len() > games {
                    games = state.play().games().len();
                    opens.push(entry.sequence);
                }
            });
            let times = tables.clocks.stored.get(id).map_or(&[][..], |times| times);
            let log = stored.log.iter().zip(times.iter().copied());
            let naive = Naive::of(log, told.setting, &opens, &timeline);
            assert_eq!(times.len(), stored.log.len());
            let faults = naive.contradictions.iter().map(|what| format!("{id}: {what}"));
            outcome.contradictions.extend(faults);
            let clock = state.clock().expect("clocks");
            for player in Player::BOTH {
                let left = clock.left(player, clock.last());
                if left != Some(naive.left[player]) {
                    let what = format!("{id}: {left:?} left, not {}", naive.left[player]);
                    outcome.contradictions.push(what);
                }
            }
            let is_asked = |kind: &EntryKind| matches!(kind, EntryKind::Act(_) | EntryKind::Pause);
            let acts = stored.log.iter().filter(|entry| is_asked(&entry.kind));
            let logged: BTreeSet<&String> = acts.map(|entry| &entry.client_id).collect();
            let is_wrong = |(is_accepted, client_id): &&(bool, String)| {
                *is_accepted != logged.contains(client_id)
            };
            let wrong = told.answers.iter().filter(is_wrong);
            outcome.contradictions.extend(wrong.map(|wrong| format!("{id}: the answer {wrong:?}")));
            outcome.entries += stored.log.len() as u64;
            outcome.flags += u64::from(naive.flagged);
            outcome.pauses += u64::from(naive.paused);
            outcome.resumed.extend(naive.resumed);
            outcome.credited += naive.credited;
            let lines = stored.log.iter().map(|entry| {
                let Entry { sequence, player, kind, at_ms, given_ms, .. } = entry;
                format!("{id} {sequence} {player:?} {kind:?} {at_ms} {given_ms}")
            });
            outcome.trace.extend(lines);
        }
        let changes = lock(&self.changes);
        let changes = self.roles.iter().zip(changes.iter());
        outcome.trace.extend(changes.map(|(role, changes)| format!("{role:?} {changes:?}")));
        outcome
    }
}

/// Returns an error text for each match whose stored deadline does not follow from its log.
pub(super) fn wrong_deadlines(tables: &Tables) -> Vec<String> {
    let compared = tables.matches.iter().filter_map(|(id, stored)| {
        let state = replay(&stored.info, &stored.log, |_, _| {});
        let deadline = state.clock().and_then(MatchClock::deadline);
        let kept = tables.clocks.deadlines.get(id).copied();
        (deadline != kept).then(|| format!("{id}: the deadline is {kept:?}, not {deadline:?}"))
    });
    compared.collect()
}

/// Replays the log of a match. Calls `see` with the state after each entry.
pub(super) fn replay(
    info: &MatchInfo,
    log: &[Entry],
    mut see: impl FnMut(&MatchState, &Entry),
) -> MatchState {
    let limits = LogLimits { entries: 1_000, undos_per_game: 1_000 };
    let mut state = MatchState::new(Arc::new(info.clone()), limits).expect("a match");
    for entry in log {
        state = state.apply(entry).expect("a valid log");
        see(&state, entry);
    }
    state
}

/// Match of two simulated players, who send each request to a random server.
struct Table {
    run: Run,
    number: u8,
    random: Rng,
    /// Base time and increment of the match's clocks, in seconds.
    setting: (u32, u32),
    /// Responses to the players' actions and requests for pauses: whether the server accepted each request, and the client id of the
    /// request.
    answers: Vec<(bool, String)>,
}

impl Table {
    fn new(run: Run, number: u8, mut random: Rng) -> Self {
        let setting = (random.u32(4..30), random.u32(0..3));
        Self { run, number, random, setting, answers: Vec::new() }
    }

    fn holder(&self, player: Player) -> Holder {
        Holder([2 * self.number + u8::from(player == Player::B); 32])
    }

    fn info(&self) -> MatchInfo {
        let (base, increment) = self.setting;
        let seat = |player| SeatInfo::new(None, Occupant::Holder(self.holder(player)));
        MatchInfo {
            id: format!("{:032x}", self.number),
            watch: format!("watch-{}", self.number),
            clock: ClockSetting::live(base, increment),
            seats: ByPlayer::new_with(seat),
            ..MatchInfo::sample()
        }
    }

    async fn play(mut self) -> Self {
        let (info, id) = (self.info(), format!("{:032x}", self.number));
        let create = async |matches: &MatchService| {
            Ok(matches.repository().store().create(info.clone(), None).await?)
        };
        while self.ask(&create).await.is_none_or(|answer| answer.is_err()) {}
        let mut requests = 0;
        loop {
            let holder = Some(self.holder(Player::A));
            let look = async |matches: &MatchService| {
                matches.read(&id, holder, None).await.map(|(state, _)| state)
            };
            let Some(Ok(state)) = self.ask(&look).await else { continue };
            let Some(player) = state.to_act().filter(|_| state.result().is_none()) else {
                return self;
            };
            // In one of 25 turns, the player may wait up to a minute, and thus lose on time.
            let leaves = self.random.u8(..25) == 0;
            let most = if leaves { 60_000 } else { 2_500 };
            sleep(Duration::from_millis(self.random.u64(..most))).await;
            let actions: Vec<_> = state.play().current().legal_actions().collect();
            let action = actions[self.random.usize(..actions.len())];
            let action = overmate_json::action(state.rules(), action);
            if self.run.pauses && self.random.u8(..12) == 0 {
                self.pause(&id, requests).await;
            }
            let client_id = format!("request-{requests}");
            requests += 1;
            self.act(&state, player, action, client_id).await;
        }
    }

    /// Lets a simulated player ask for a pause of the clocks. Usually the other player agrees, and both end the pause after some
    /// time. `number` is the number of the player's next action.
    async fn pause(&mut self, id: &str, number: u32) {
        let first = if self.random.bool() { Player::A } else { Player::B };
        let is_agreed = self.random.u8(..4) > 0;
        let time = Duration::from_millis(self.random.u64(..8_000));
        if !self.ask_for_pause(id, first, format!("pause-{number}-1")).await || !is_agreed {
            return;
        }
        if self.ask_for_pause(id, !first, format!("pause-{number}-2")).await {
            sleep(time).await;
            self.ask_for_pause(id, first, format!("pause-{number}-3")).await;
            self.ask_for_pause(id, !first, format!("pause-{number}-4")).await;
        }
    }

    /// Sends a player's request to begin or end a pause of the clocks, repeatedly until a server accepts or refuses the request. Returns
    /// whether a server has accepted the request.
    async fn ask_for_pause(&mut self, id: &str, player: Player, client_id: String) -> bool {
        let holder = Some(self.holder(player));
        let pause =
            async |matches: &MatchService| matches.pause(id, holder, &client_id).await.map(drop);
        loop {
            match self.ask(&pause).await {
                Some(Ok(())) => break,
                // The server refuses a pause before both players have acted and after the end of the match, because no clock runs then.
                Some(Err(ApiError::MatchOver | ApiError::NotAllowed(_))) => return false,
                Some(Err(ApiError::Busy(_))) | None => {}
                Some(Err(error)) => panic!("{error}"),
            }
        }
        self.answers.push((true, client_id));
        true
    }

    /// Sends an action repeatedly until a server accepts or refuses the action.
    async fn act(&mut self, state: &MatchState, player: Player, action: String, client_id: String) {
        let holder = Some(self.holder(player));
        let (id, sequence) = (state.id().to_owned(), state.sequence());
        let lag = self.random.i64(-500..1_500);
        let act = async |matches: &MatchService| {
            let attempt = Act { sequence, action: action.clone(), client_id: client_id.clone() };
            matches.act(&id, holder, attempt, lag).await.map(drop)
        };
        for attempt in 0.. {
            match self.ask(&act).await {
                Some(Ok(())) => self.answers.push((true, client_id)),
                // If the server refuses a repeated request, the result stays unknown, because the first copy of the request may still be
                // executed later.
                Some(Err(ApiError::Conflict(_) | ApiError::MatchOver)) if attempt > 0 => {}
                Some(Err(ApiError::Conflict(_) | ApiError::MatchOver)) => {
                    self.answers.push((false, client_id));
                }
                Some(Err(ApiError::Busy(_))) | None => continue,
                Some(Err(error)) => panic!("{error}"),
            }
            return;
        }
    }

    /// Sends a player's request to a random server that is not a worker (server for background work only). Returns
    /// `None` if no answer came.
    async fn ask<T>(
        &mut self,
        request: impl AsyncFnOnce(&MatchService) -> Result<T, ApiError>,
    ) -> Option<Result<T, ApiError>> {
        let roles = &self.run.roles;
        let answering = roles.iter().filter(|role| **role != ServerRole::Worker).count();
        // The request goes to a random server that answers players. A worker, which answers no players, is always the last server in the
        // list.
        let place = self.random.usize(..answering);
        let server = lock(&self.run.servers)[place].clone();
        let answer = server.answer(request).await;
        if !matches!(answer, Some(Ok(_))) {
            sleep(Duration::from_millis(self.random.u64(10..200))).await;
        }
        answer
    }
}
