//! Recomputes the clocks of a match from its log in a naive way, and checks the credits for downtimes and the losses on time.

use overmate_rules::{ByPlayer, Player};

use super::network::State;
use crate::settings::ServerRole;
use crate::store::{Entry, EntryKind};

/// Maximum time, in milliseconds, by which the time credited to a player may exceed a downtime. A server measures a downtime from
/// the last heartbeat before the downtime to the first heartbeat after the downtime.
const MOST_SURPLUS: i64 = 1_300;

/// Maximum part of a downtime, in milliseconds, for which a player may get no time credit. A server with a slow link knows the time of the
/// database only approximately.
const MOST_MISSING: i64 = 1_100;

/// Shortest downtime, in milliseconds, that is credited to players.
const LEAST_DOWNTIME: i64 = 1_500;

/// Least message delay, in milliseconds, between a simulated server and the store with which the server counts as slow. While every server
/// that answers players is slow or has another fault, the test permits time credits as for a downtime.
const SLOW: u16 = 300;

/// Maximum delay, in milliseconds, between the deadline of a match and the time at which a running server ends the match. A frozen server
/// may hold the lease of the match for three seconds.
const MOST_LATE: i64 = 6_000;

/// Maximum network lag, in milliseconds, that the server deducts from a player's used time.
const MOST_GRACE: i64 = 1_000;

/// Break before the first action of each later game in a match, in milliseconds.
const BREAK: i64 = 15_000;

/// Changes of a server's state in chronological order: the Unix time in milliseconds, and the new state.
pub(super) type Changes = Vec<(i64, State)>;

/// States of all simulated servers during a simulated run.
pub(super) struct Timeline {
    /// Role of each simulated server, with the changes of its state (such as running, frozen or dead).
    places: Vec<(ServerRole, Changes)>,
    end: i64,
}

impl Timeline {
    pub(super) fn new(roles: &[ServerRole], changes: &[Changes], end: i64) -> Self {
        Self { places: roles.iter().copied().zip(changes.iter().cloned()).collect(), end }
    }

    /// Returns the periods, in milliseconds since 1970, in which the state of a simulated server satisfies a condition. `after` is the
    /// time, in milliseconds, for which a state still has effects after its end.
    fn spans(
        &self,
        place: usize,
        is_met: impl Fn(State) -> bool,
        after: impl Fn(State) -> i64,
    ) -> Vec<(i64, i64)> {
        let (_, changes) = &self.places[place];
        let ends = changes.iter().skip(1).map(|(at, _)| *at).chain([self.end]);
        let spans = changes.iter().zip(ends).filter(|((_, state), _)| is_met(*state));
        let mut joined: Vec<(i64, i64)> = Vec::new();
        for ((from, state), until) in spans {
            let until = until + after(*state);
            match joined.last_mut() {
                Some(last) if last.1 >= *from => last.1 = last.1.max(until),
                _ => joined.push((*from, until)),
            }
        }
        joined
    }

    /// Returns the indexes of the servers whose role satisfies a condition.
    fn with_role(&self, is_met: impl Fn(ServerRole) -> bool) -> Vec<usize> {
        (0..self.places.len()).filter(|place| is_met(self.places[*place].0)).collect()
    }

    /// Returns the periods, in milliseconds since 1970, in which the state of every server except workers (servers for
    /// background work only) satisfies a condition.
    fn spans_of_all(
        &self,
        is_met: impl Fn(State) -> bool + Copy,
        after: impl Fn(State) -> i64 + Copy,
    ) -> Vec<(i64, i64)> {
        let mut all = vec![(i64::MIN, i64::MAX)];
        for place in self.with_role(|role| role != ServerRole::Worker) {
            all = common(&all, &self.spans(place, is_met, after));
        }
        all
    }

    /// Returns the minimum and the maximum time, in milliseconds, that servers may credit to a player for the downtimes in a period.
    fn bounds(&self, from: i64, until: i64) -> (i64, i64) {
        let cut = |(start, end): (i64, i64)| end.min(until) - start.max(from);
        let down = self.downtimes().into_iter().map(cut);
        let down = down.filter(|down| *down >= LEAST_DOWNTIME + MOST_MISSING);
        // A server with a slow link may or may not reach the database. Periods with slow links therefore count only for the maximum.
        let is_unsure = |state| !matches!(state, State::Well | State::Late(..SLOW));
        let perhaps = self.spans_of_all(is_unsure, still_delayed);
        let perhaps = perhaps.into_iter().map(cut).filter(|down| *down > -MOST_SURPLUS);
        (down.map(|down| down - MOST_MISSING).sum(), perhaps.map(|down| down + MOST_SURPLUS).sum())
    }

    /// Returns the periods, in milliseconds since 1970, in which every server that answers players was dead, frozen or cut off from the
    /// store.
    fn downtimes(&self) -> Vec<(i64, i64)> {
        let is_down = |state| matches!(state, State::Cut | State::Frozen | State::Dead);
        self.spans_of_all(is_down, |_| 0)
    }

    /// Returns the Unix time, in milliseconds, by which a server must have ended a match with the given deadline. A worker ends a
    /// match only while a server that answers players also runs.
    fn latest_end(&self, deadline: i64) -> i64 {
        let well = |place| self.spans(place, |state| state == State::Well, |_| 0);
        let alone = self.with_role(|role| role == ServerRole::All).into_iter().flat_map(well);
        let workers = self.with_role(|role| role == ServerRole::Worker).into_iter();
        let pairs = workers.flat_map(|worker| {
            let answering = self.with_role(|role| role != ServerRole::Worker).into_iter();
            answering.flat_map(move |place| common(&well(worker), &well(place)))
        });
        let ends = alone.chain(pairs).filter_map(|(from, until)| {
            let end = from.max(deadline) + MOST_LATE;
            (end <= until).then_some(end)
        });
        ends.min().unwrap_or(i64::MAX)
    }
}

/// Returns the intersections of the periods in two lists.
fn common(some: &[(i64, i64)], others: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let pairs = some.iter().flat_map(|one| others.iter().map(move |other| (one, other)));
    let common = pairs.map(|(one, other)| (one.0.max(other.0), one.1.min(other.1)));
    common.filter(|(from, until)| from < until).collect()
}

/// Returns the time, in milliseconds, for which messages may still be delayed after a fault of a server's link has ended. A server waits
/// for half a second after a lost message.
fn still_delayed(state: State) -> i64 {
    match state {
        State::Lossy => 1_600,
        State::Late(milliseconds) => milliseconds.into(),
        State::Well | State::Cut | State::Frozen | State::Dead => 0,
    }
}

/// Clocks of both players, recomputed turn by turn from the log of a match in a naive way.
pub(super) struct Naive {
    pub(super) left: ByPlayer<i64>,
    /// Total thinking time, in milliseconds, that was credited to players for downtimes.
    pub(super) credited: i64,
    /// Whether a player lost the match on time.
    pub(super) flagged: bool,
    /// Whether the players paused the clocks at least once in the match.
    pub(super) paused: bool,
    /// Delays, in milliseconds, between the recorded time and the storage of each log entry that ended a pause of the
    /// clocks.
    pub(super) resumed: Vec<i64>,
    pub(super) contradictions: Vec<String>,
}

/// Turn of a player, as read from the log of a match.
#[derive(Debug, Default)]
struct Turn {
    /// Unix time, in milliseconds, at which the player's turn began.
    began: i64,
    /// Unix time, in milliseconds, at which the action before the turn was stored. The turn begins at the arrival of this action
    /// at the server, which may be earlier.
    stored: i64,
    /// Latest Unix time, in milliseconds, at which the player's clock has started to run during their turn. The clock starts after a break
    /// at the beginning of a later game, and after a pause of the clocks.
    from: i64,
    /// Unix time, in milliseconds, of the latest log entry in the player's turn.
    latest: i64,
    credited: i64,
    /// Thinking time, in milliseconds, that the player has used in the turn before the latest pause of the clocks.
    used: i64,
    /// Player who has asked for a pause of the clocks or, during a pause, for the end of the pause.
    asked: Option<Player>,
    is_paused: bool,
}

impl Naive {
    /// Recomputes the clocks of a finished match from the match log. The base time and the increment of the clocks are in seconds. Each
    /// entry has the time at which it was stored. `opens` holds the sequence numbers of the actions that end a game before another game.
    pub(super) fn of<'a>(
        log: impl Iterator<Item = (&'a Entry, i64)>,
        (base, increment): (u32, u32),
        opens: &[u64],
        timeline: &Timeline,
    ) -> Self {
        let mut naive = Self {
            left: ByPlayer::new_with(|_| 1_000 * i64::from(base)),
            credited: 0,
            flagged: false,
            paused: false,
            resumed: Vec::new(),
            contradictions: Vec::new(),
        };
        let (mut acted, mut turn) = (ByPlayer::<bool>::default(), Turn::default());
        for (index, (entry, stored)) in log.enumerate() {
            if entry.sequence != index as u64 + 1 || naive.flagged {
                naive.blame(entry, "an entry after a gap or after the end");
            }
            let runs = acted.a && acted.b;
            let at = entry.at_ms.max(turn.latest);
            turn.latest = at;
            match entry.kind {
                EntryKind::Credit if runs && !turn.is_paused => turn.credited += entry.given_ms,
                EntryKind::Pause if runs => {
                    naive.paused |= naive.ask_for_pause((entry, stored), &mut turn, timeline);
                }
                EntryKind::Act(_) | EntryKind::Flag if !turn.is_paused => {
                    naive.end_turn((entry, stored), &turn, runs, timeline);
                    let gain = if runs { 1_000 * i64::from(increment) } else { 0 };
                    if !naive.flagged {
                        naive.left[entry.player] += gain;
                    }
                    acted[entry.player] = true;
                    let pause = if opens.contains(&entry.sequence) { BREAK } else { 0 };
                    let begun = Turn { began: at, stored, latest: at, ..Turn::default() };
                    turn = Turn { from: at + pause, ..begun };
                }
                _ => naive.blame(entry, "an unexpected entry"),
            }
        }
        naive
    }

    fn blame(&mut self, entry: &Entry, what: &str) {
        self.contradictions.push(format!("{what}: {entry:?}"));
    }

    /// Checks that a player was credited neither too little nor too much time for the servers' downtimes in a turn. Downtimes after the
    /// time `until` need no credit. All times are in milliseconds.
    fn check_credits(&mut self, entry: &Entry, turn: &Turn, until: i64, timeline: &Timeline) {
        let (least, _) = timeline.bounds(turn.stored, until);
        // A player may also get a time credit for the wait until the log entry that begins their turn is stored. The player cannot act
        // during this time. Without another running clock, the servers store no heartbeats before the storage of that entry, and store the
        // first heartbeat soon afterwards.
        let waited = turn.stored - turn.began;
        let unheard =
            if waited + MOST_SURPLUS < LEAST_DOWNTIME { 0 } else { waited + MOST_SURPLUS };
        let most = unheard + timeline.bounds(turn.began.max(turn.stored - unheard), turn.latest).1;
        if turn.credited < least || turn.credited > most {
            let what = format!("given back: {}, not {least} to {most}, {turn:?}", turn.credited);
            self.blame(entry, &what);
        }
        self.credited += turn.credited;
    }

    /// Records a player's request to begin or end a pause of the clocks. Once both players have asked, the time before the pause is
    /// deducted, or the clock starts again after a break. Returns whether a pause has begun.
    fn ask_for_pause(
        &mut self,
        (entry, stored): (&Entry, i64),
        turn: &mut Turn,
        timeline: &Timeline,
    ) -> bool {
        match turn.asked.take() {
            None => turn.asked = Some(entry.player),
            Some(asked) if asked == entry.player => self.blame(entry, "a second request"),
            Some(_) if turn.is_paused => {
                let (began, latest) = (turn.latest, turn.latest);
                *turn = Turn { began, stored, latest, from: latest + BREAK, ..*turn };
                turn.is_paused = false;
                self.resumed.push(stored - entry.at_ms);
            }
            Some(_) => {
                self.check_credits(entry, turn, turn.latest, timeline);
                turn.used += (turn.latest - turn.from - turn.credited).max(0);
                (turn.credited, turn.is_paused) = (0, true);
                return true;
            }
        }
        false
    }

    /// Deducts the used time of a turn from the player's clock. The turn ends by an action or by a loss on time.
    fn end_turn(
        &mut self,
        (entry, stored): (&Entry, i64),
        turn: &Turn,
        runs: bool,
        timeline: &Timeline,
    ) {
        let player: Player = entry.player;
        let is_flag = entry.kind == EntryKind::Flag;
        if !runs {
            if is_flag || turn.credited != 0 {
                self.blame(entry, "a clock ran before both players had acted");
            }
            return;
        }
        let used = (turn.latest - turn.from - turn.credited).max(0);
        let lag = if is_flag { 0 } else { entry.given_ms };
        let left = self.left[player] - turn.used - (used - lag);
        // After a loss on time, the test demands time credits only for downtimes that began before the player's time was used up. A worker
        // may end the match in a later downtime, and any server may find the loss before such a downtime and store the loss afterwards.
        let until = if is_flag { turn.latest + (left + MOST_GRACE).min(0) } else { turn.latest };
        self.check_credits(entry, turn, until, timeline);
        if !(0..=used.min(MOST_GRACE)).contains(&lag) {
            self.blame(entry, &format!("the lag is more than {used}"));
        }
        self.left[player] = left.max(0);
        self.flagged = is_flag;
        if is_flag && left > 0 {
            self.blame(entry, &format!("a loss on time with {left} left, {turn:?}"));
        }
        if !is_flag && left <= 0 && used > lag {
            self.blame(entry, &format!("an action {left} after the end of the time, {turn:?}"));
        }
        // A player must not lose on time during a downtime that began before their time was used up. The servers have not credited this
        // downtime yet.
        let over = turn.latest + left - MOST_MISSING;
        let is_in = |(from, until): (i64, i64)| from < over && stored < until;
        if is_flag && timeline.downtimes().into_iter().any(is_in) {
            self.blame(entry, &format!("a loss on time in a downtime, {turn:?}"));
        }
        let deadline = turn.latest + left + MOST_GRACE;
        let latest = timeline.latest_end(deadline);
        if is_flag && turn.latest > latest {
            self.blame(entry, &format!("a loss on time {} too late", turn.latest - latest));
        }
    }
}
