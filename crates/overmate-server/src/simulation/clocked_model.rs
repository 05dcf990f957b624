//! Computes the clocks of a match anew from its log, and compares credits and losses on time with
//! the times at which the simulated servers could serve.

use overmate_rules::{ByPlayer, Player};

use super::network::State;
use crate::store::{Entry, EntryKind};

/// Largest time, in milliseconds, that a credit may exceed a downtime by: the time since the last
/// heartbeat before the downtime, and the time until the first heartbeat after the downtime.
const MOST_SURPLUS: i64 = 1_300;

/// Largest time, in milliseconds, that may be missing in the credit of a downtime, because the
/// server with a slow link knows the time of the database only approximately.
const MOST_MISSING: i64 = 1_100;

/// Shortest downtime, in milliseconds, that players get back.
const LEAST_DOWNTIME: i64 = 1_500;

/// Delay of a link, in milliseconds, from which on the server may be too slow for its players.
const SLOW: u16 = 300;

/// Time, in milliseconds, in which a server that runs ends a match after the deadline. A frozen
/// server may hold the lease of the match for three seconds.
const MOST_LATE: i64 = 6_000;

/// Longest lag, in milliseconds, that the deadline of a player allows for.
const MOST_GRACE: i64 = 1_000;

/// Break before the first action of a later game, in milliseconds.
const BREAK: i64 = 15_000;

/// Changes of a server's state, in the order of time: the Unix time in milliseconds, and the new
/// state.
pub(super) type Changes = Vec<(i64, State)>;

/// States of the servers over the simulated time.
pub(super) struct Timeline {
    /// Changes of each server's state.
    places: Vec<Changes>,
    end: i64,
}

impl Timeline {
    pub(super) fn new(places: Vec<Changes>, end: i64) -> Self {
        Self { places, end }
    }

    /// Returns the times in which a server has a state that satisfies a condition. `after` is the
    /// time, in milliseconds, for which a state has consequences after its end.
    fn spans(
        &self,
        place: usize,
        is_met: impl Fn(State) -> bool,
        after: impl Fn(State) -> i64,
    ) -> Vec<(i64, i64)> {
        let changes = &self.places[place];
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

    /// Returns the times in which the states of all servers satisfy a condition.
    fn spans_of_all(
        &self,
        is_met: impl Fn(State) -> bool + Copy,
        after: impl Fn(State) -> i64 + Copy,
    ) -> Vec<(i64, i64)> {
        let mut all = vec![(i64::MIN, i64::MAX)];
        for place in 0..self.places.len() {
            let spans = self.spans(place, is_met, after);
            let meet = |(from, until): (i64, i64)| {
                let met = spans.iter().map(move |span| (from.max(span.0), until.min(span.1)));
                met.filter(|(from, until)| from < until).collect::<Vec<_>>()
            };
            all = all.into_iter().flat_map(meet).collect();
        }
        all
    }

    /// Returns the least and the most time, in milliseconds, that a player may get back for
    /// downtimes between two times.
    fn bounds(&self, from: i64, until: i64) -> (i64, i64) {
        let cut = |(start, end): (i64, i64)| end.min(until) - start.max(from);
        let is_down = |state| matches!(state, State::Cut | State::Frozen | State::Dead);
        let down = self.spans_of_all(is_down, |_| 0).into_iter().map(cut);
        let down = down.filter(|down| *down >= LEAST_DOWNTIME + MOST_MISSING);
        // A server with a slow link may reach the database or not.
        let is_unsure = |state| !matches!(state, State::Well | State::Late(..SLOW));
        let perhaps = self.spans_of_all(is_unsure, still_delayed);
        let perhaps = perhaps.into_iter().map(cut).filter(|down| *down > -MOST_SURPLUS);
        (down.map(|down| down - MOST_MISSING).sum(), perhaps.map(|down| down + MOST_SURPLUS).sum())
    }

    /// Returns the latest time at which a match with a deadline ends.
    fn latest_end(&self, deadline: i64) -> i64 {
        let spans = (0..self.places.len())
            .flat_map(|place| self.spans(place, |state| state == State::Well, |_| 0));
        let ends = spans.filter_map(|(from, until)| {
            let end = from.max(deadline) + MOST_LATE;
            (end <= until).then_some(end)
        });
        ends.min().unwrap_or(i64::MAX)
    }
}

/// Returns the time, in milliseconds, for which a message that was sent in a state of the link may
/// be delayed after this state. After a lost message, a server waits for half a second.
fn still_delayed(state: State) -> i64 {
    match state {
        State::Lossy => 1_600,
        State::Late(milliseconds) => milliseconds.into(),
        State::Well | State::Cut | State::Frozen | State::Dead => 0,
    }
}

/// Naive clocks of both players, computed turn by turn from a log.
pub(super) struct Naive {
    pub(super) left: ByPlayer<i64>,
    /// Total time that was given back for downtimes, in milliseconds.
    pub(super) credited: i64,
    /// Whether a player lost on time.
    pub(super) flagged: bool,
    pub(super) contradictions: Vec<String>,
}

/// Turn of a player in a log.
#[derive(Debug, Default)]
struct Turn {
    /// Time at which the turn began.
    began: i64,
    /// Time at which the action before the turn was stored. An action that waits at a server counts at its arrival.
    stored: i64,
    /// Start of the clock, after a break.
    from: i64,
    /// Latest time of an entry of the turn.
    latest: i64,
    credited: i64,
}

impl Naive {
    /// Computes the clocks of a finished match with a base time and an increment in seconds.
    /// Each entry has the time at which it was stored. `opens` holds the sequence numbers of the actions that end a game before another game.
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
                EntryKind::Credit if runs => turn.credited += entry.given_ms,
                EntryKind::Act(_) | EntryKind::Flag => {
                    naive.end_turn(entry, &turn, runs, timeline);
                    let gain = if runs { 1_000 * i64::from(increment) } else { 0 };
                    if !naive.flagged {
                        naive.left[entry.player] += gain;
                    }
                    acted[entry.player] = true;
                    let pause = if opens.contains(&entry.sequence) { BREAK } else { 0 };
                    turn = Turn { began: at, stored, from: at + pause, latest: at, credited: 0 };
                }
                _ => naive.blame(entry, "an unexpected entry"),
            }
        }
        naive
    }

    fn blame(&mut self, entry: &Entry, what: &str) {
        self.contradictions.push(format!("{what}: {entry:?}"));
    }

    /// Deducts the time of a turn, which an action or a loss on time ends.
    fn end_turn(&mut self, entry: &Entry, turn: &Turn, runs: bool, timeline: &Timeline) {
        let player: Player = entry.player;
        let is_flag = entry.kind == EntryKind::Flag;
        if !runs {
            if is_flag || turn.credited != 0 {
                self.blame(entry, "a clock ran before both players had acted");
            }
            return;
        }
        let (least, _) = timeline.bounds(turn.stored, turn.latest);
        let (_, most) = timeline.bounds(turn.began, turn.latest);
        if turn.credited < least || turn.credited > most {
            self.blame(
                entry,
                &format!("given back: {}, not {least} to {most}, {turn:?}", turn.credited),
            );
        }
        self.credited += turn.credited;
        let used = (turn.latest - turn.from - turn.credited).max(0);
        let lag = if is_flag { 0 } else { entry.given_ms };
        if !(0..=used.min(MOST_GRACE)).contains(&lag) {
            self.blame(entry, &format!("the lag is more than {used}"));
        }
        let left = self.left[player] - (used - lag);
        self.left[player] = left.max(0);
        self.flagged = is_flag;
        if is_flag && left > 0 {
            self.blame(entry, &format!("a loss on time with {left} left, {turn:?}"));
        }
        if !is_flag && left <= 0 && used > lag {
            self.blame(entry, &format!("an action {left} after the end of the time, {turn:?}"));
        }
        let deadline = turn.latest + left + MOST_GRACE;
        let latest = timeline.latest_end(deadline);
        if is_flag && turn.latest > latest {
            self.blame(entry, &format!("a loss on time {} too late", turn.latest - latest));
        }
    }
}
