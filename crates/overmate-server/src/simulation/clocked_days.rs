//! Simulates matches by correspondence and days off while all servers stop and start again, for minutes or days. The downtimes and
//! the days off determine the time for which each player was to act. The test compares this time with the logs.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use fastrand::Rng;
use overmate_rules::{ByPlayer, Player};
use tokio::runtime;
use tokio::time::sleep;

use super::clocked::{replay, wrong_deadlines};
use super::memory_store::Tables;
use super::network::{Hearers, State};
use super::server::{ClockParts, Server, lock, start_clocks};
use super::simulated_time::{self, SimulatedTime};
use crate::clocks::absence::Absence;
use crate::clocks::clock_setting::{ClockSetting, DAY};
use crate::clocks::match_clock::MatchClock;
use crate::error::ApiError;
use crate::services::{AbsenceWatch, MatchService};
use crate::settings::{Limits, ServerRole};
use crate::store::{Entry, EntryKind, Holder, MatchInfo, Occupant, SeatInfo};
use crate::wire::Act;

/// Number of matches in a simulated run, all between the same two persons.
const MATCHES: u8 = 3;

/// Number of downtimes in a simulated run, for the two kinds of runs: with downtimes of all lengths, and with mostly short downtimes. A
/// downtime is a period in which no server runs.
const DOWNTIMES: [usize; 2] = [20, 60];

/// Maximum number of days off of each person in a calendar year.
const DAYS_OFF: u32 = 3;

/// Start of the calendar year 2002, in milliseconds since 1970.
const NEXT_YEAR: i64 = 1_009_843_200_000;

/// Shortest downtime, in milliseconds, that is credited to a correspondence clock with little time (less than [`LONG_DOWNTIME`]) left.
const LEAST_DOWNTIME: i64 = 120_000;

/// Shortest downtime, in milliseconds, that is credited to all correspondence clocks.
const LONG_DOWNTIME: i64 = 3_600_000;

/// Maximum error, in milliseconds, of a server's estimate of the length of a downtime. The error consists of the time from the last
/// heartbeat to the death of the server, and of the time that the next server needs for its first heartbeat.
const UNNOTED: i64 = 63_000;

/// Tolerance, in milliseconds, for the thinking time of one turn. The tolerance covers the delays from the requests in
/// the turn to the times of their log entries.
const SLACK: i64 = 5_000;

/// Statistics of a simulated run, and the contradictions that were found in its match logs.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) contradictions: Vec<String>,
    pub(crate) turns: u64,
    pub(crate) flags: u64,
    pub(crate) absences: u64,
    /// Time, in milliseconds, that was credited to players for downtimes.
    pub(crate) credited: i64,
    /// Lines of text with the logs of all matches, the days off of both players, and the downtimes.
    pub(crate) trace: Vec<String>,
}

/// Simulates matches by correspondence with random downtimes of all servers, drawn from a seed.
pub(crate) fn simulate(seed: u64) -> Outcome {
    let runtime = runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(async {
        let _time = SimulatedTime::start();
        let mut run = Run::new(Rng::with_seed(seed));
        run.play().await;
        run.judge()
    })
}

fn now_ms() -> i64 {
    simulated_time::now_ms().expect("a simulation")
}

fn person(player: Player) -> Holder {
    Holder([u8::from(player == Player::B); 32])
}

/// Downtime: a period in which no simulated server runs.
#[derive(Debug)]
struct Down {
    from: i64,
    until: i64,
    /// Simulated player whose request to begin or end days off got no response before the servers stopped; `None` without such a request.
    pending: Option<Player>,
}

/// Simulated cluster of servers, which receives its requests one after another.
struct Run {
    tables: Arc<Mutex<Tables>>,
    hearers: Hearers,
    servers: Vec<Server>,
    random: Rng,
    downs: Vec<Down>,
    /// Unanswered request of a simulated player to begin (`true`) or to end (`false`) days off; `None` without such a request.
    pending: Option<(Player, bool)>,
    /// Whether each player has days off, according to the last answer of a server.
    away: ByPlayer<bool>,
    /// Client ids of the requests whose actions a server acknowledged.
    acknowledged: Vec<String>,
    /// Whether almost all downtimes in the simulated run are too short to be credited to clocks with more than an hour left.
    is_mostly_short: bool,
}

impl Run {
    fn new(mut random: Rng) -> Self {
        Self {
            tables: Tables::new(&limits()),
            hearers: Hearers::default(),
            servers: Vec::new(),
            is_mostly_short: random.bool(),
            random,
            downs: Vec::new(),
            pending: None,
            away: ByPlayer::default(),
            acknowledged: Vec::new(),
        }
    }

    async fn play(&mut self) {
        // In half of the runs, the matches begin in December, so that they can last beyond the end of a calendar year.
        let days = if self.random.bool() { self.random.u64(100..114) } else { 0 };
        sleep(Duration::from_hours(24 * days)).await;
        self.start_servers();
        for number in 0..MATCHES {
            let days = [1, 1, 1, 2, 3, 7][self.random.usize(..6)];
            let server = self.servers[0].clone();
            let seat = |player| SeatInfo::new(None, Occupant::Holder(person(player)));
            let info = MatchInfo {
                id: format!("{number:032x}"),
                watch: format!("watch-{number}"),
                clock: ClockSetting::days(days),
                seats: ByPlayer::new_with(seat),
                ..MatchInfo::sample()
            };
            let create = async |matches: &MatchService| {
                Ok(matches.repository().store().create(info, None).await?)
            };
            server.answer(create).await.expect("an answer").expect("a match");
        }
        for _ in 0..DOWNTIMES[usize::from(self.is_mostly_short)] {
            let most = if self.random.u8(..10) == 0 { 100_000 } else { 12_000 };
            let up = sleep(Duration::from_millis(self.random.u64(3_000..most)));
            tokio::select! {
                biased;
                () = up => {}
                () = self.act_and_go_away() => {}
            }
            self.stop_servers().await;
        }
        // The servers store their first heartbeats, and end the matches that were lost on time. Clocks with about an hour left then
        // run to their ends.
        sleep(Duration::from_secs(20)).await;
        let deadlines: Vec<i64> = lock(&self.tables).clocks.deadlines.values().copied().collect();
        let left = deadlines.iter().map(|deadline| deadline - now_ms());
        let last = left.filter(|left| *left < LONG_DOWNTIME + 600_000).max();
        let wait = last.map_or(0, |last| last.max(0).unsigned_abs() + 20_000);
        sleep(Duration::from_millis(wait)).await;
    }

    fn start_servers(&mut self) {
        for _ in 0..self.random.usize(1..=2) {
            let shared = (&self.tables, &self.hearers);
            let parts = start_clocks(shared, ServerRole::All, &limits(), self.random.fork());
            let ClockParts { repository, clocks, stop, .. } = &parts;
            let shared = (Arc::clone(repository), Arc::clone(clocks));
            let absences = AbsenceWatch::new(shared.0, shared.1, true, stop.clone());
            tokio::spawn(async move { absences.run().await });
            self.servers.push(Server::new(parts));
        }
    }

    /// Kills all simulated servers, and starts servers again after a random time.
    async fn stop_servers(&mut self) {
        for server in self.servers.drain(..) {
            server.wire.set(State::Dead);
        }
        let pending = self.pending.map(|(player, _)| player);
        let from = now_ms();
        let minutes = match self.random.u8(..10) {
            0 => self.random.u64(66..2_400),
            1..6 if !self.is_mostly_short => self.random.u64(66..600),
            9 => self.random.u64(1..58),
            _ => self.random.u64(50..58),
        };
        sleep(Duration::from_secs(60 * minutes)).await;
        self.downs.push(Down { from, until: now_ms(), pending });
        self.start_servers();
    }

    /// Sends random requests (actions and days off), one after another, until the future is dropped.
    async fn act_and_go_away(&mut self) {
        loop {
            let milliseconds = self.random.u64(..4_000);
            sleep(Duration::from_millis(milliseconds)).await;
            let server = self.servers[self.random.usize(..self.servers.len())].clone();
            if let Some((player, is_away)) = self.pending {
                match server.set_away(person(player), is_away).await {
                    Some(Ok(())) => self.away[player] = is_away,
                    // The server refuses further days off, because the person has no days off left in this calendar year.
                    Some(Err(ApiError::NotAllowed(_))) => {}
                    Some(Err(error)) => panic!("{error}"),
                    None => continue,
                }
                self.pending = None;
            }
            let player = if self.random.bool() { Player::A } else { Player::B };
            match self.random.u8(..12) {
                0 if !self.away[player] => self.pending = Some((player, true)),
                0..2 if self.away[player] => self.pending = Some((player, false)),
                2..7 => self.act(&server).await,
                _ => {}
            }
        }
    }

    /// Takes a random action in a random match.
    async fn act(&mut self, server: &Server) {
        // In a simulated run with mostly short downtimes, all players stop acting after a while, except in one match. The clocks in the
        // other matches must run until less than an hour is left, because only then do the servers credit short downtimes.
        let have_left = self.is_mostly_short && self.downs.len() > 2;
        let number = if have_left { 0 } else { self.random.u8(..MATCHES) };
        let id = format!("{number:032x}");
        let look = async |matches: &MatchService| {
            matches.read(&id, Some(person(Player::A)), None).await.map(|(state, _)| state)
        };
        let Some(Ok(state)) = server.answer(look).await else { return };
        let Some(player) = state.to_act().filter(|_| state.result().is_none()) else { return };
        let actions: Vec<_> = state.play().current().legal_actions().collect();
        let action = actions[self.random.usize(..actions.len())];
        let action = overmate_json::action(state.rules(), action);
        let client_id = format!("request-{}", self.random.u64(..));
        let attempt = Act { sequence: state.sequence(), action, client_id: client_id.clone() };
        let act = async |matches: &MatchService| {
            matches.act(&id, Some(person(player)), attempt, 0).await.map(drop)
        };
        match server.answer(act).await {
            Some(Ok(())) => self.acknowledged.push(client_id),
            Some(Err(ApiError::Conflict(_) | ApiError::MatchOver | ApiError::Busy(_))) | None => {}
            Some(Err(error)) => panic!("{error}"),
        }
    }

    /// Compares the logs of all matches with the simulated downtimes and days off.
    fn judge(&self) -> Outcome {
        let tables = lock(&self.tables);
        let mut outcome =
            Outcome { contradictions: wrong_deadlines(&tables), ..Outcome::default() };
        let absences = ByPlayer::new_with(|player| tables.absences.of(person(player)));
        for player in Player::BOTH {
            outcome.absences += absences[player].len() as u64;
            for (from, until) in [(0, NEXT_YEAR), (NEXT_YEAR, i64::MAX)] {
                let part = |one: &Absence| {
                    let end = one.until.max(one.began_at + DAY);
                    (end.min(until) - one.began_at.max(from)).max(0)
                };
                let used: i64 = absences[player].iter().map(part).sum();
                if used > i64::from(DAYS_OFF) * DAY {
                    outcome.contradictions.push(format!("{player:?} has had {used} off"));
                }
            }
        }
        for (id, stored) in &tables.matches {
            let Some(ClockSetting::Days(days)) = stored.info.clock else { continue };
            let days = i64::from(days) * DAY;
            let mut check = Check { run: self, absences: &absences, days, outcome: &mut outcome };
            check.log(id, &stored.log);
            let state = replay(&stored.info, &stored.log, |_, _| {});
            // A running server ends each match soon after its deadline. A match may continue after its deadline only while all servers are
            // stopped.
            let deadline = state.clock().and_then(MatchClock::deadline);
            if deadline.is_some_and(|deadline| deadline < now_ms() - SLACK) {
                outcome.contradictions.push(format!("{id} goes on after {deadline:?}"));
            }
            let lines = stored.log.iter().map(
                |Entry { sequence, player, kind, at_ms, given_ms, .. }| {
                    format!("{id} {sequence} {player:?} {kind:?} {at_ms} {given_ms}")
                },
            );
            outcome.trace.extend(lines);
        }
        let logs = tables.matches.values().flat_map(|stored| &stored.log);
        let logged: Vec<&String> = logs.map(|entry| &entry.client_id).collect();
        let lost = self.acknowledged.iter().filter(|id| !logged.contains(id));
        outcome.contradictions.extend(lost.map(|id| format!("lost: {id}")));
        outcome.trace.push(format!("{absences:?} {:?}", self.downs));
        outcome
    }
}

fn limits() -> Limits {
    Limits { days_off: DAYS_OFF, ..Limits::default().lifted() }
}

/// Check of the thinking times in the log of one match. The players have `days` milliseconds for each action.
struct Check<'a> {
    run: &'a Run,
    absences: &'a ByPlayer<Vec<Absence>>,
    days: i64,
    outcome: &'a mut Outcome,
}

impl Check<'_> {
    /// Compares the thinking time of each turn in a match log with the thinking time that follows from the simulated downtimes and days
    /// off.
    fn log(&mut self, id: &str, log: &[Entry]) {
        let mut acted = ByPlayer::<bool>::default();
        // The variable `used` counts the time that the player has used in the turn, up to the time `known`. While the player is away,
        // `known` is in the future.
        let (mut began, mut known, mut used, mut credited) = (0, 0, 0, 0);
        for entry in log {
            let at = entry.at_ms;
            let runs = acted.a && acted.b;
            if runs {
                used += (at - known).max(0);
                known = known.max(at);
            }
            match entry.kind {
                EntryKind::Away if runs => known = at + entry.given_ms,
                EntryKind::Credit if runs => {
                    used -= entry.given_ms;
                    credited += entry.given_ms;
                }
                EntryKind::Act(_) | EntryKind::Flag => {
                    let is_flag = entry.kind == EntryKind::Flag;
                    if runs {
                        let (expected, slack) = self.expected(entry.player, began, at);
                        let is_over = used >= self.days && used > 0;
                        if used.abs_diff(expected) > slack.unsigned_abs() || is_over != is_flag {
                            let what =
                                format!("{id}: used {used}, not {expected} ± {slack}: {entry:?}");
                            self.outcome.contradictions.push(what);
                        }
                        self.outcome.turns += 1;
                        self.outcome.credited += credited;
                    }
                    self.outcome.flags += u64::from(is_flag);
                    acted[entry.player] = true;
                    (began, known, used, credited) = (at, at, 0, 0);
                }
                _ => self.outcome.contradictions.push(format!("{id}: unexpected {entry:?}")),
            }
        }
    }

    /// Computes a player's expected thinking time in a turn, and by how much the measured time may differ from it, both in milliseconds.
    /// The player's days off and the credited downtimes do not count as thinking time.
    fn expected(&self, player: Player, began: i64, ended: i64) -> (i64, i64) {
        let absences = &self.absences[player];
        let to_act = |until: i64| {
            let away =
                |absence: &Absence| (absence.until.min(until) - absence.began_at.max(began)).max(0);
            until - began - absences.iter().map(away).sum::<i64>()
        };
        let (mut credited, mut slack) = (0, SLACK);
        for down in self.run.downs.iter().filter(|down| down.from >= began && down.until <= ended) {
            let lasts =
                |absence: &&Absence| absence.began_at <= down.from && down.from < absence.until;
            let back = absences.iter().find(lasts).map_or(down.from, |absence| absence.until);
            let counted = (down.until - back).max(0);
            let left = self.days - (to_act(down.until) - credited);
            if counted >= least_downtime(left + slack + UNNOTED) + UNNOTED {
                credited += counted;
                slack += UNNOTED;
            } else if counted >= least_downtime(left - slack - UNNOTED) - UNNOTED {
                slack += counted;
            }
            if down.pending == Some(player) {
                slack += (down.until - down.from).min(LONG_DOWNTIME + UNNOTED);
            }
        }
        (to_act(ended) - credited, slack)
    }
}

/// Returns the shortest downtime, in milliseconds, that is credited to a correspondence clock with the remaining time
/// `left`. The remaining time, also in milliseconds, is taken at the end of the downtime.
fn least_downtime(left: i64) -> i64 {
    if left < LONG_DOWNTIME { LEAST_DOWNTIME } else { LONG_DOWNTIME }
}
