//! Recomputes the clocks of a match from its log in a naive way, and checks credits and losses on time.

use overmate_rules::{ByPlayer, Player};

use super::network::State;
use crate::store::{Entry, EntryKind};

/// Maximum surplus, in milliseconds, of a credit over its downtime. It covers the times from the last heartbeat before the
/// downtime to the first heartbeat after the downtime.
const MOST_SURPLUS: i64 = 1_300;

/// Maximum time, in milliseconds, by which a credit may fall short of its downtime. A server with a slow link knows the time of
/// the database only approximately.
const MOST_MISSING: i64 = 1_100;

/// Shortest downtime, in milliseconds, for which players get time back.
const LEAST_DOWNTIME: i64 = 1_500;

/// Smallest delay of a link, in milliseconds, at which a server may be too slow to serve its players.
const SLOW: u16 = 300;

/// Maximum delay, in milliseconds, between a deadline and the time at which a running server ends the match. A frozen server
/// may hold the lease of the match for three seconds.
const MOST_LATE: i64 = 6_000;

/// Maximum network lag, in milliseconds, that the server deducts from a player's used time.
const MOST_GRACE: i64 = 1_000;

/// Break before the first action of each later game of a match, in milliseconds.
const BREAK: i64 = 15_000;

/// Changes of a server's state in chronological order: the Unix time in milliseconds, and the new state.
pub(super) type Changes = Vec<(i64, State)>;

/// States of all servers during a simulated run.
pub(super) struct Timeline {
    /// State changes of each server.
    places: Vec<Changes>,
    end: i64,
}

impl Timeline {
    pub(super) fn new(places: Vec<Changes>, end: i64) -> Self {
        Self { places, end }
    }

    /// Returns the periods, in milliseconds since 1970, in which the state of a server satisfies a condition. `after` is the
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

    /// Returns the periods, in milliseconds since 1970, in which the states of all servers satisfy a condition.
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

    /// Returns the minimum and maximum time, in milliseconds, that a player may get back for downtimes in a period.
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

    /// Returns the latest Unix time, in milliseconds, at which a server ends a match with the given deadline.
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

/// Returns the time, in milliseconds, for which messages may still be delayed after a state of the link has ended. After a lost
/// message, a server waits for half a second.
fn still_delayed(state: State) -> i64 {
    match state {
        State::Lossy => 1_600,
        State::Late(milliseconds) => milliseconds.into(),
        State::Well | State::Cut | State::Frozen | State::Dead => 0,
    }
}

/// Clocks of both players, recomputed turn by turn from a log in a naive way.
pub(super) struct Naive {
    pub(super) left: ByPlayer<i64>,
    /// Total thinking time, in milliseconds, that players got back for downtimes.
    pub(super) credited: i64,
    /// Whether a player lost on time.
    pub(super) flagged: bool,
    pub(super) contradictions: Vec<String>,
}

/// Turn of a player, as read from a log.
#[derive(Debug, Default)]
struct Turn {
    /// Unix time, in milliseconds, at which the turn began.
    began: i64,
    /// Unix time, in milliseconds, at which the action before the turn was stored. An action that waits at a server counts at its arrival.
    stored: i64,
    /// Unix time, in milliseconds, at which the clock started, after a possible break.
    from: i64,
    /// Latest Unix time, in milliseconds, of the log entries of the turn.
    latest: i64,
    credited: i64,
}

impl Naive {
    /// Recomputes the clocks of a finished match, given the base time and the increment in seconds. Each entry has the time at
    /// which it was stored. `opens` holds the sequence numbers of the actions that end a game before another game.
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

    /// Deducts the used time of a turn that ends by an action or by a loss on time.
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
