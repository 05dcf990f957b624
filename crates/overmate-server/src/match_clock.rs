//! Computes the players' clocks of a match from the times in its log.
//!
//! A live clock follows Fischer: each player has a base time for the whole match, and gets an
//! increment for each action. Before the first action of a later game, the clock waits for a break,
//! in which the players read the result. In a correspondence match, each action has its own
//! number of days. With both kinds, the first action of each player takes no time. After both first
//! actions, the clock of the player to act runs.

use overmate_rules::{ByPlayer, Player};

use crate::clock_setting::{BREAK, ClockSetting, DAY, MOST_LAG};

/// Longest pause of live clocks, in milliseconds. A longer pause ends by itself.
pub(crate) const LONGEST_PAUSE: i64 = DAY;

/// Clocks of both players after an entry in the log of a match.
///
/// The clocks never run backwards: an entry with an earlier time counts at the time of the previous
/// entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MatchClock {
    setting: ClockSetting,
    /// Whether each player has a clock. Computer opponents have no clock.
    timed: ByPlayer<bool>,
    has_acted: ByPlayer<bool>,
    /// Remaining time of each player when the running clock started, in milliseconds.
    left: ByPlayer<i64>,
    /// Lag quota of each player: the milliseconds of lag in later actions that can still be
    /// compensated.
    quota: ByPlayer<i64>,
    running: Option<Running>,
    /// Unix time, in milliseconds, of the end of the break before a game that a computer opponent
    /// opens. The break goes on after the quick action of the computer opponent.
    break_until: i64,
    /// Players who have asked for a pause or, during a pause, for its end.
    asked: ByPlayer<bool>,
    /// End of the pause on which both players have agreed, in milliseconds since 1970.
    paused_until: Option<i64>,
    /// Time of the latest action, loss on time, time credit or pause request, in milliseconds since
    /// 1970.
    last: i64,
}

/// Running clock of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Running {
    pub(crate) player: Player,
    /// Unix time, in milliseconds, at which the clock started. The time is in the future during a
    /// break, and while the player is away.
    pub(crate) from: i64,
}

impl MatchClock {
    /// Returns the clocks before the first entry of a log.
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

    /// Returns the running clock, or `None` if no clock runs.
    pub(crate) fn running(&self) -> Option<Running> {
        self.running
    }

    /// Returns the latest time of an entry that concerns the clocks, in milliseconds since 1970.
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

    /// Returns the time that a player has used in the current turn until a given time, in
    /// milliseconds.
    fn used(&self, player: Player, at: i64) -> i64 {
        let running = self.running.filter(|running| running.player == player);
        running.map_or(0, |running| at.max(self.last).saturating_sub(running.from).max(0))
    }

    /// Returns the compensated lag of an action, in milliseconds: the measured lag within the
    /// player's lag quota.
    pub(crate) fn compensated(&self, player: Player, at: i64, lag: i64) -> i64 {
        lag.clamp(0, MOST_LAG).min(self.quota[player]).min(self.used(player, at))
    }

    /// Returns whether a player's time is used up at the time of an action. `given` is the measured
    /// lag of the action, in milliseconds.
    pub(crate) fn is_late(&self, player: Player, at: i64, given: i64) -> bool {
        let used = self.used(player, at) - self.compensated(player, at, given);
        used > 0 && used >= self.left[player]
    }

    /// Returns the deadline of the running clock as a Unix time in milliseconds, with the maximum lag added. Returns `None` while
    /// no clock runs.
    pub(crate) fn deadline(&self) -> Option<i64> {
        let Running { player, from } = self.running?;
        let grace = self.quota[player].min(MOST_LAG);
        Some(from.saturating_add(self.left[player]).saturating_add(grace))
    }

    /// Returns the server downtime to credit, in milliseconds, with the player whose clock runs. The downtime begins at `seen` or
    /// later. Returns `None` if this time is too short.
    pub(crate) fn downtime(&self, seen: i64, now: i64) -> Option<(Player, i64)> {
        let running = self.running?;
        let down = now.saturating_sub(seen.max(self.last_used(running)));
        (down >= self.setting.least_downtime()).then_some((running.player, down))
    }

    /// Returns the earliest time from which server downtime is credited to the running clock, in milliseconds since 1970. This is
    /// the time of the last entry, or the end of days off or of a pause, in which no time is used.
    fn last_used(&self, running: Running) -> i64 {
        match self.setting {
            ClockSetting::Live { .. } if self.paused_until.is_none() => self.last,
            ClockSetting::Live { .. } | ClockSetting::Days(_) => self.last.max(running.from),
        }
    }

    /// Deducts the time of an action from its player's clock, adds the increment, and stops the
    /// clock.
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

    /// Starts the clock of the player to act. If the action opens a later game, a break comes first.
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

    /// Ends the match as lost on time if a player's time is used up. Returns whether the time is
    /// used up.
    pub(crate) fn flag(&mut self, player: Player, at: i64) -> bool {
        let is_running = self.running.is_some_and(|running| running.player == player);
        let is_over = is_running && self.used(player, at) >= self.left[player];
        if is_over {
            self.stop(at);
        }
        is_over
    }

    /// Pauses a player's correspondence clock until the end of days off, or resumes the clock if
    /// that end is past. Returns whether the player's clock runs and has time left.
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

    /// Returns the end of the days off for which a correspondence clock is paused at a given time,
    /// or `None`.
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

    /// Returns whether a player has an open request, at a given time, for a pause or for the end of
    /// a pause. A request for the end of a pause lapses with the pause.
    pub(crate) fn has_asked(&self, player: Player, at: i64) -> bool {
        let is_lapsed = self.paused_until.is_some() && self.paused_until(at).is_none();
        self.asked[player] && !is_lapsed
    }

    /// Returns the end of the pause that lasts at a given time, in milliseconds since 1970, or
    /// `None` if the clocks are not paused.
    pub(crate) fn paused_until(&self, at: i64) -> Option<i64> {
        self.paused_until.filter(|until| at.max(self.last) < *until)
    }

    /// Returns the time at which a request for a pause, or for its end, counts. The request arrived at a time and is stored now; all
    /// are Unix times in milliseconds. The wait at the server takes no time from the player to act: a pause begins at the arrival
    /// of the request, and ends only when the request is stored. A pause that has ended by itself meanwhile ends with the request.
    pub(crate) fn pause_asked_at(&self, arrived: i64, now: i64) -> i64 {
        self.paused_until(arrived).map_or(arrived, |until| now.min(until - 1))
    }

    /// Records a player's request for a pause of the clocks or, during a pause, for its end. Once
    /// both players have asked, the pause begins or ends. After a pause, the clock starts with a
    /// break. Returns whether the request is possible.
    pub(crate) fn ask_for_pause(&mut self, player: Player, at: i64) -> bool {
        let at = at.max(self.last);
        let Some(running) = self.running.filter(|_| self.may_pause()) else { return false };
        let used = self.used(running.player, at);
        let is_paused = self.paused_until(at).is_some();
        if !is_paused && self.paused_until.take().is_some() {
            // The pause has ended by itself, and with it the requests for its end.
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

    /// Credits server downtime to a player whose clock runs. Returns whether the player's clock runs.
    pub(crate) fn credit(&mut self, player: Player, at: i64, given: i64) -> bool {
        let at = at.max(self.last);
        let Some(running) = self.running.filter(|running| running.player == player) else {
            return false;
        };
        // No more time is given back than has passed since the last entry.
        let passed = at.saturating_sub(self.last_used(running)).max(0);
        let from = running.from.saturating_add(given.clamp(0, passed));
        self.running = Some(Running { from, ..running });
        self.last = at;
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn clock(base: u32, increment: u32) -> MatchClock {
        let setting = ClockSetting::live(base, increment).expect("a setting");
        MatchClock::new(setting, ByPlayer { a: true, b: true })
    }

    fn both(clock: &MatchClock, at: i64) -> [i64; 2] {
        Player::BOTH.map(|player| clock.left(player, at).expect("a clock"))
    }

    #[test]
    fn a_computer_opponent_that_opens_a_game_does_not_end_the_break() {
        let setting = ClockSetting::live(60, 0).expect("a setting");
        let mut clock = MatchClock::new(setting, ByPlayer { a: true, b: false });
        clock.act(Player::A, 0, 0);
        clock.start(Some(Player::B), true);
        for at in [100, 200] {
            assert_eq!(clock.running(), None);
            clock.act(Player::B, at, 0);
            clock.start(Some(if at == 100 { Player::B } else { Player::A }), false);
        }
        assert_eq!(clock.running(), Some(Running { player: Player::A, from: BREAK }));
        clock.act(Player::A, BREAK + 1_000, 0);
        clock.start(Some(Player::B), false);
        clock.act(Player::B, BREAK + 1_500, 0);
        clock.start(Some(Player::A), false);
        assert_eq!(clock.running(), Some(Running { player: Player::A, from: BREAK + 1_500 }));
    }

    #[test]
    fn the_first_actions_are_free_and_the_next_use_time() {
        let mut clock = clock(60, 2);
        clock.act(Player::A, 5_000, 0);
        clock.start(Some(Player::B), false);
        assert_eq!((clock.running(), clock.deadline()), (None, None));
        clock.act(Player::B, 900_000, 0);
        clock.start(Some(Player::A), false);
        assert_eq!(clock.running(), Some(Running { player: Player::A, from: 900_000 }));
        assert_eq!(both(&clock, 910_500), [49_500, 60_000]);
        clock.act(Player::A, 910_500, 0);
        clock.start(Some(Player::B), false);
        assert_eq!(both(&clock, 910_500), [51_500, 60_000]);
        // The deadline is 60 seconds later, plus the largest lag that the action could get back.
        assert_eq!(clock.deadline(), Some(910_500 + 60_000 + 1_000));
        assert!(!clock.flag(Player::B, 970_499) && !clock.flag(Player::A, 999_999));
        assert!(clock.is_late(Player::B, 970_500, 0) && !clock.is_late(Player::B, 970_500, 1));
        assert!(clock.flag(Player::B, 970_500));
        assert_eq!((both(&clock, 999_999), clock.running()), ([51_500, 0], None));
    }

    #[test]
    fn by_correspondence_each_action_has_days_of_its_own() {
        let mut clock = MatchClock::new(ClockSetting::Days(3), ByPlayer { a: true, b: true });
        clock.act(Player::A, 0, 0);
        clock.act(Player::B, 0, 0);
        clock.start(Some(Player::A), true);
        assert_eq!(clock.deadline(), Some(3 * DAY));
        clock.act(Player::A, 2 * DAY, 0);
        clock.start(Some(Player::A), false);
        assert_eq!(clock.deadline(), Some(5 * DAY));
        assert!(!clock.flag(Player::A, 5 * DAY - 1) && clock.flag(Player::A, 5 * DAY));
    }

    #[test]
    fn a_later_game_begins_with_a_break() {
        let mut clock = clock(60, 0);
        clock.act(Player::A, 0, 0);
        clock.act(Player::B, 1_000, 0);
        clock.start(Some(Player::B), true);
        assert_eq!(both(&clock, 1_000 + BREAK), [60_000, 60_000]);
        assert_eq!(both(&clock, 3_000 + BREAK), [60_000, 58_000]);
    }

    #[test]
    fn a_computer_opponent_has_no_clock() {
        let setting = ClockSetting::live(60, 0).expect("a setting");
        let mut clock = MatchClock::new(setting, ByPlayer { a: true, b: false });
        clock.start(Some(Player::B), false);
        assert_eq!((clock.running(), clock.left(Player::B, 0)), (None, None));
        clock.act(Player::B, 0, 0);
        clock.start(Some(Player::A), false);
        clock.act(Player::A, 9_000, 0);
        clock.start(Some(Player::A), false);
        assert_eq!(clock.left(Player::A, 10_000), Some(59_000));
    }

    #[test]
    fn a_downtime_is_given_back_once() {
        let mut clock = clock(60, 0);
        clock.act(Player::A, 0, 0);
        clock.act(Player::B, 10_000, 0);
        clock.start(Some(Player::A), false);
        // A server ran until 4 seconds after the start of the clock. The next server starts 30 seconds later.
        assert_eq!(clock.downtime(14_000, 44_000), Some((Player::A, 30_000)));
        assert!(!clock.credit(Player::B, 44_000, 30_000));
        assert!(clock.credit(Player::A, 44_000, 30_000));
        assert_eq!(both(&clock, 45_000), [55_000, 60_000]);
        assert_eq!(clock.downtime(14_000, 44_050), None);
        assert_eq!(clock.downtime(14_000, 45_500), Some((Player::A, 1_500)));
        // The clock gives back no more time than has passed.
        assert!(clock.credit(Player::A, 46_000, 90_000));
        assert_eq!(both(&clock, 46_000), [56_000, 60_000]);
    }

    #[test]
    fn a_pause_needs_both_players_and_ends_after_a_day() {
        let mut clock = clock(60, 0);
        assert!(!clock.ask_for_pause(Player::A, 0), "no clock runs before the first actions");
        clock.act(Player::A, 0, 0);
        clock.act(Player::B, 0, 0);
        clock.start(Some(Player::A), false);
        assert!(clock.ask_for_pause(Player::A, 1_000) && !clock.ask_for_pause(Player::A, 2_000));
        assert_eq!((clock.paused_until(2_000), clock.has_asked(Player::A, 2_000)), (None, true));
        assert_eq!(clock.pause_asked_at(2_000, 9_000), 2_000);
        assert!(clock.ask_for_pause(Player::B, 3_000));
        assert_eq!(clock.paused_until(4_000), Some(3_000 + DAY));
        assert_eq!(both(&clock, DAY), [57_000, 60_000]);
        // The wait for a slow server takes no time from the player, also if the pause ends meanwhile.
        for (now, counts) in [(9_000, 9_000), (4_000 + DAY, 2_999 + DAY)] {
            assert_eq!(clock.pause_asked_at(4_000, now), counts);
        }
        // The request then is one for the end of the pause, and not for a new pause.
        let mut late = clock.clone();
        assert!(late.ask_for_pause(Player::A, 2_999 + DAY));
        assert!(!late.has_asked(Player::A, 4_000 + DAY));
        // No downtime is given back for a time in which no clock ran.
        assert_eq!(clock.downtime(4_000, DAY), None);
        let mut resumed = clock.clone();
        let noon = DAY / 2;
        assert!(resumed.ask_for_pause(Player::A, noon) && resumed.ask_for_pause(Player::B, noon));
        assert_eq!(both(&resumed, noon + BREAK + 1_000), [56_000, 60_000]);
        // Without a request the clock runs again after a day, and a single request ends with the pause.
        assert!(clock.ask_for_pause(Player::B, 10_000) && clock.has_asked(Player::B, 11_000));
        assert_eq!(clock.paused_until(3_000 + DAY), None);
        assert!(!clock.has_asked(Player::B, 3_000 + DAY));
        let mut again = clock.clone();
        assert!(again.ask_for_pause(Player::B, 4_000 + DAY));
        assert!(again.has_asked(Player::B, 4_000 + DAY));
        assert_eq!(both(&clock, 5_000 + DAY), [55_000, 60_000]);
        assert!(clock.ask_for_pause(Player::A, 6_000 + DAY));
        assert_eq!(clock.paused_until(7_000 + DAY), None);
        // An action withdraws a request.
        clock.act(Player::A, 8_000 + DAY, 0);
        assert!(!clock.has_asked(Player::A, 9_000 + DAY));
    }

    /// Step of a match: the milliseconds since the previous step, and the event. The milliseconds are negative if the clocks of
    /// two servers differ.
    #[derive(Clone, Copy, Debug)]
    enum Step {
        Act { after: i64, lag: i64, opens_game: bool },
        Credit { after: i64, down: i64 },
        Flag { after: i64 },
        Ask { after: i64, by_player_to_act: bool },
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let after = || prop_oneof![9 => 0..20_000_i64, 1 => -3_000..0_i64];
        let step = prop_oneof![
            8 => (after(), prop_oneof![Just(0), 0..3_000_i64], prop::bool::weighted(0.1))
                .prop_map(|(after, lag, opens_game)| Step::Act { after, lag, opens_game }),
            1 => (after(), 0..40_000_i64).prop_map(|(after, down)| Step::Credit { after, down }),
            2 => after().prop_map(|after| Step::Flag { after }),
            4 => (after(), prop::bool::ANY)
                .prop_map(|(after, by_player_to_act)| Step::Ask { after, by_player_to_act }),
        ];
        prop::collection::vec(step, 1..60)
    }

    /// Total times of a player, summed without the code under test.
    #[derive(Clone, Copy, Debug, Default)]
    struct Sums {
        passed: i64,
        free: i64,
        lag: i64,
        credits: i64,
        increments: i64,
    }

    proptest! {
        /// Tests that both players' clocks never gain or lose time; the players alternate. A
        /// player's time must equal the base plus the increments, minus the time of their turns,
        /// plus the credited time.
        #[test]
        fn time_is_neither_made_nor_lost(
            base in 1..120_u32, increment in 0..5_u32, begin in 0..1_000_000_000_i64, steps in steps()
        ) {
            let mut clock = clock(base, increment);
            let mut sums = ByPlayer::<Sums>::default();
            let (mut now, mut to_act, mut actions) = (begin, Player::A, 0);
            // The variables hold the latest time of any server, the rest of a break, and the used time of the turn.
            let (mut latest, mut rest, mut used, mut is_over) = (i64::MIN, 0, 0, false);
            let (mut asked, mut is_paused) = (None, false);
            for step in steps {
                let (Step::Act { after, .. }
                | Step::Credit { after, .. }
                | Step::Flag { after }
                | Step::Ask { after, .. }) = step;
                now += after;
                let runs = actions >= 2;
                let passed = if actions > 0 { (now - latest).max(0) } else { 0 };
                let free = passed.min(rest);
                prop_assert_eq!(clock.paused_until(now).is_some(), is_paused);
                match step {
                    // The match refuses actions during a pause.
                    Step::Act { .. } if is_paused => {}
                    Step::Act { lag, opens_game, .. } => {
                        let given = clock.compensated(to_act, now, lag);
                        prop_assert!(given <= lag && given <= MOST_LAG && given <= used + passed - free);
                        if clock.is_late(to_act, now, given) {
                            prop_assert!(clock.flag(to_act, now));
                            is_over = true;
                        } else {
                            clock.act(to_act, now, given);
                            if runs {
                                sums[to_act].lag += given;
                                sums[to_act].increments += 1_000 * i64::from(increment);
                            }
                            rest = 0;
                        }
                        if runs {
                            sums[to_act].passed += passed;
                            sums[to_act].free += free;
                        }
                        latest = latest.max(now);
                        if !is_over {
                            actions += 1;
                            to_act = !to_act;
                            clock.start(Some(to_act), opens_game);
                            rest = if opens_game { BREAK } else { 0 };
                            used = 0;
                            asked = None;
                        }
                    }
                    Step::Credit { down, .. } => {
                        let is_taken = clock.credit(to_act, now, down);
                        prop_assert_eq!(is_taken, runs);
                        if is_taken {
                            let given = if is_paused { 0 } else { down.min(passed) };
                            sums[to_act].passed += passed;
                            sums[to_act].free += free;
                            used += passed - free;
                            // The credit first gives used time back, and then extends the break.
                            let back = given.min(used);
                            sums[to_act].credits += back;
                            used -= back;
                            rest += given - back - free;
                            latest = latest.max(now);
                        }
                    }
                    Step::Flag { .. } => {
                        let left = clock.left(to_act, now);
                        is_over = clock.flag(to_act, now);
                        prop_assert_eq!(is_over, runs && left == Some(0));
                        if is_over {
                            sums[to_act].passed += passed;
                            sums[to_act].free += free;
                            latest = latest.max(now);
                        }
                    }
                    Step::Ask { by_player_to_act, .. } => {
                        let player = if by_player_to_act { to_act } else { !to_act };
                        let is_possible = runs && clock.left(to_act, now) != Some(0);
                        let is_taken = clock.ask_for_pause(player, now);
                        prop_assert_eq!(is_taken, is_possible && asked != Some(player));
                        if is_taken {
                            sums[to_act].passed += passed;
                            sums[to_act].free += free;
                            used += passed - free;
                            rest -= free;
                            latest = latest.max(now);
                            if asked.take().is_none() {
                                asked = Some(player);
                            } else if is_paused {
                                (is_paused, rest) = (false, rest.min(BREAK));
                            } else {
                                (is_paused, rest, used) = (true, LONGEST_PAUSE, 0);
                            }
                        }
                    }
                }
                for player in Player::BOTH {
                    let sum = sums[player];
                    let left = 1_000 * i64::from(base) + sum.increments + sum.lag + sum.credits + sum.free - sum.passed;
                    prop_assert_eq!(clock.left(player, latest), Some(left.max(0)), "{:?} {:?}", step, sum);
                }
                if is_over {
                    break;
                }
            }
        }
    }
}
