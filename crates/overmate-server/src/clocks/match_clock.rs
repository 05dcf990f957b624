//! Computes the players' clocks of a match from the times in its log.
//!
//! A live clock follows Fischer: each player has a base time for the whole match, and gets an
//! increment for each action except their first. Before the first action of a later game, the clock waits for a break,
//! in which the players read the result. In a correspondence match, each action has its own
//! number of days. With both kinds, the first action of each player takes no time. After both first
//! actions, the clock of the player to act runs.

use overmate_rules::{ByPlayer, Player};

use super::clock_setting::{BREAK, ClockSetting, DAY, MOST_LAG};

/// Longest pause of live clocks, in milliseconds. A longer pause ends by itself.
pub(crate) const LONGEST_PAUSE: i64 = DAY;

/// Clocks of both players after an entry in the log of a match.
///
/// The clocks never run backwards: an entry with an earlier time counts at the time of the previous
/// entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MatchClock {
    setting: ClockSetting,
    /// For each player of the match, whether the player has a clock. Computer opponents have no clock.
    timed: ByPlayer<bool>,
    has_acted: ByPlayer<bool>,
    /// Remaining time of each player when the running clock started, in milliseconds.
    left: ByPlayer<i64>,
    /// Lag quota of each player, in milliseconds: the network lag that the clock can still compensate in later actions.
    quota: ByPlayer<i64>,
    running: Option<Running>,
    /// End of the break before the current game, as a Unix time in milliseconds, or `i64::MIN` without such a break. The end is kept only
    /// while a computer opponent takes the first action of the game, so that the break goes on after this quick action.
    break_until: i64,
    /// For each player, whether the player has asked for a pause of the clocks or, during a pause, for the end of the
    /// pause.
    asked: ByPlayer<bool>,
    /// End of the clock pause to which both players have agreed, in milliseconds since 1970; `None` without such a pause.
    paused_until: Option<i64>,
    /// Time of the most recent log entry that concerns the clocks, such as an action or a pause request, in milliseconds since 1970.
    last: i64,
}

/// Running clock of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Running {
    pub(crate) player: Player,
    /// Unix time, in milliseconds, at which the player's clock started to run. The time is in the future during a break, and
    /// while the player is away.
    pub(crate) from: i64,
}

impl MatchClock {
    /// Returns the clocks of a match before the first entry of the log.
    pub(crate) fn new(setting: ClockSetting, timed: ByPlayer<bool>) -> Self {
        Self {
            setting,
            timed,
            has_acted: ByPlayer::new_with(|player| !timed[player]),
            left: ByPlayer::new_with(|_| setting.first()),
            quota: ByPlayer::new_with(|_| 3 * setting.lag_gain()),
            running: None,
            break_until: i64::MIN,
            asked: ByPlayer::default(),
            paused_until: None,
            last: i64::MIN,
        }
    }

    /// Returns the time control of the match.
    pub(crate) fn setting(&self) -> ClockSetting {
        self.setting
    }

    /// Returns the running clock of the match, or `None` if no clock runs.
    pub(crate) fn running(&self) -> Option<Running> {
        self.running
    }

    /// Returns the time of the most recent log entry that concerns the clocks, in milliseconds since 1970.
    pub(crate) fn last(&self) -> i64 {
        self.last
    }

    /// Returns whether each player with a clock has taken at least one action.
    pub(crate) fn have_both_acted(&self) -> bool {
        self.has_acted.a && self.has_acted.b
    }

    /// Returns a player's remaining time at a Unix time, both in milliseconds. Returns `None` for a
    /// computer opponent.
    pub(crate) fn left(&self, player: Player, at: i64) -> Option<i64> {
        let left = (self.left[player] - self.used(player, at)).max(0);
        self.timed[player].then_some(left)
    }

    /// Returns the time, in milliseconds, that a player has used in the current turn up to the Unix time `at`.
    fn used(&self, player: Player, at: i64) -> i64 {
        let running = self.running.filter(|running| running.player == player);
        running.map_or(0, |running| at.max(self.last).saturating_sub(running.from).max(0))
    }

    /// Returns the compensated network lag of an action, in milliseconds: the measured lag within the player's lag quota.
    pub(crate) fn compensated(&self, player: Player, at: i64, lag: i64) -> i64 {
        lag.clamp(0, MOST_LAG).min(self.quota[player]).min(self.used(player, at))
    }

    /// Returns whether an action arrives too late, because the player's remaining time is used up. `given` is the
    /// measured lag of the action, in milliseconds.
    pub(crate) fn is_late(&self, player: Player, at: i64, given: i64) -> bool {
        let used = self.used(player, at) - self.compensated(player, at, given);
        used > 0 && used >= self.left[player]
    }

    /// Returns the deadline of the running clock as a Unix time in milliseconds. The deadline includes the maximum network lag that can be
    /// compensated for the player's next action. Returns `None` while no clock runs.
    pub(crate) fn deadline(&self) -> Option<i64> {
        let Running { player, from } = self.running?;
        let grace = self.quota[player].min(MOST_LAG);
        Some(from.saturating_add(self.left[player]).saturating_add(grace))
    }

    /// Returns the player whose clock runs, and the time credit (in milliseconds) for a downtime of the server. The downtime begins at
    /// `seen` or later. Returns `None` if the downtime is too short.
    pub(crate) fn downtime(&self, seen: i64, now: i64) -> Option<(Player, i64)> {
        let running = self.running?;
        let down = now.saturating_sub(seen.max(self.last_used(running)));
        let left = self.deadline()?.saturating_sub(now);
        (down >= self.setting.least_downtime(left)).then_some((running.player, down))
    }

    /// Returns the earliest Unix time, in milliseconds, from which a downtime of the server can be credited to the running clock. The
    /// result is the time of the last log entry. If days off or a pause stop the clock after this entry, the result is the end of the days
    /// off or of the pause.
    fn last_used(&self, running: Running) -> i64 {
        match self.setting {
            ClockSetting::Live { .. } if self.paused_until.is_none() => self.last,
            ClockSetting::Live { .. } | ClockSetting::Days(_) => self.last.max(running.from),
        }
    }

    /// Stops the acting player's clock after an action, and updates the player's remaining time.
    pub(crate) fn act(&mut self, player: Player, at: i64, given: i64) {
        let given = self.compensated(player, at, given);
        let used = self.used(player, at) - given;
        if self.running.take().is_some() {
            let gain = self.setting.lag_gain();
            self.quota[player] = (self.quota[player] - given + gain).min(7 * gain);
            self.left[player] = self.setting.after_action(self.left[player], used);
        }
        self.has_acted[player] = true;
        self.last = self.last.max(at);
        self.asked = ByPlayer::default();
        self.paused_until = None;
    }

    /// Starts, after an action, the clock of the player who acts next. If the action opens a later game, a break comes first.
    pub(crate) fn start(&mut self, player: Option<Player>, opens_game: bool) {
        if opens_game {
            self.break_until = self.last.saturating_add(self.setting.pause());
        }
        let from = self.last.max(self.break_until);
        let timed = player.filter(|player| self.timed[*player]);
        if timed == player {
            self.break_until = i64::MIN;
        }
        self.running =
            timed.filter(|_| self.have_both_acted()).map(|player| Running { player, from });
    }

    /// Stops the running clock at the end of a match.
    pub(crate) fn stop(&mut self, at: i64) {
        if let Some(Running { player, .. }) = self.running {
            self.left[player] = (self.left[player] - self.used(player, at)).max(0);
        }
        self.running = None;
        self.last = self.last.max(at);
        self.asked = ByPlayer::default();
        self.paused_until = None;
    }

    /// Stops a player's running clock if the player's time is used up, so that the player loses the match on time. Returns whether the time
    /// is used up.
    pub(crate) fn flag(&mut self, player: Player, at: i64) -> bool {
        let is_running = self.running.is_some_and(|running| running.player == player);
        let is_over = is_running && self.used(player, at) >= self.left[player];
        if is_over {
            self.stop(at);
        }
        is_over
    }

    /// Pauses a player's correspondence clock until the player's days off end, or resumes the clock if the days off have ended. Returns
    /// whether the player's clock runs and has time left.
    pub(crate) fn away(&mut self, player: Player, at: i64, until: i64) -> bool {
        let used = self.used(player, at);
        let at = at.max(self.last);
        let is_of_days = matches!(self.setting, ClockSetting::Days(_));
        let has_time = is_of_days && used < self.left[player];
        let running = self.running.as_mut().filter(|running| running.player == player && has_time);
        let Some(running) = running else { return false };
        self.left[player] -= used;
        running.from = until.max(at);
        self.last = at;
        true
    }

    /// Returns the end of the days off that pause the acting player's correspondence clock at a given time, or `None` without such days
    /// off.
    pub(crate) fn away_until(&self, at: i64) -> Option<i64> {
        let is_of_days = matches!(self.setting, ClockSetting::Days(_));
        self.running.map(|running| running.from).filter(|from| is_of_days && *from > at)
    }

    /// Returns whether the two players can agree on a pause of the clocks now: both are people, and
    /// a live clock runs.
    pub(crate) fn may_pause(&self) -> bool {
        let is_live = matches!(self.setting, ClockSetting::Live { .. });
        is_live && self.timed.a && self.timed.b && self.running.is_some()
    }

    /// Returns whether a player has an open request, at a given time, to begin or end a pause of the clocks. A request for the end of a
    /// pause lapses with the pause.
    pub(crate) fn has_asked(&self, player: Player, at: i64) -> bool {
        let is_lapsed = self.paused_until.is_some() && self.paused_until(at).is_none();
        self.asked[player] && !is_lapsed
    }

    /// Returns the Unix time, in milliseconds, at which the pause of the clocks ends, or `None` if the clocks are not paused at the time
    /// `at`.
    pub(crate) fn paused_until(&self, at: i64) -> Option<i64> {
        self.paused_until.filter(|until| at.max(self.last) < *until)
    }

    /// Returns the Unix time, in milliseconds, at which a player's request to begin or end a pause of the clocks takes effect. The
    /// request came in at the Unix time `arrived`, and is stored at the Unix time `now`. The wait at the server takes no time from the
    /// player whose turn it is: a pause begins at the arrival of the request, and ends only when the request is stored. A request to end a
    /// pause takes effect within this pause even if the pause has ended by itself meanwhile, so that the request does not ask for a new
    /// pause.
    pub(crate) fn pause_asked_at(&self, arrived: i64, now: i64) -> i64 {
        self.paused_until(arrived).map_or(arrived, |until| now.min(until - 1))
    }

    /// Records a player's request for a pause of the clocks or, during a pause, for the end of the pause. Once both players
    /// have asked, the pause begins or ends. After a pause, the clock starts with a break. Returns whether the request is
    /// possible.
    pub(crate) fn ask_for_pause(&mut self, player: Player, at: i64) -> bool {
        let at = at.max(self.last);
        let Some(running) = self.running.filter(|_| self.may_pause()) else { return false };
        let used = self.used(running.player, at);
        let is_paused = self.paused_until(at).is_some();
        if !is_paused && self.paused_until.take().is_some() {
            // Once a pause of the clocks has reached its time limit, a player's earlier request to end this pause no longer counts.
            self.asked = ByPlayer::default();
        }
        if self.asked[player] || used >= self.left[running.player] {
            return false;
        }
        self.last = at;
        self.asked[player] = true;
        if !self.asked[!player] {
            return true;
        }
        self.asked = ByPlayer::default();
        let from = if is_paused {
            self.paused_until = None;
            running.from.min(at.saturating_add(BREAK))
        } else {
            let until = at.saturating_add(LONGEST_PAUSE);
            self.left[running.player] -= used;
            self.paused_until = Some(until);
            until
        };
        self.running = Some(Running { from, ..running });
        true
    }

    /// Adds a time credit for server downtime to a player's running clock. Returns whether the player's clock runs.
    pub(crate) fn credit(&mut self, player: Player, at: i64, given: i64) -> bool {
        let at = at.max(self.last);
        let Some(running) = self.running.filter(|running| running.player == player) else {
            return false;
        };
        // The credited time is at most the time that has passed since the last log entry, without days off and pauses.
        let passed = at.saturating_sub(self.last_used(running)).max(0);
        let from = running.from.saturating_add(given.clamp(0, passed));
        self.running = Some(Running { from, ..running });
        self.last = at;
        true
    }
}

#[cfg(test)]
mod tests;
