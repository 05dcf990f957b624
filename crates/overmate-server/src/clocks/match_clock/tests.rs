//! Tests the clocks of a match.

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
    // The deadline is 60 seconds after the start of B's clock, plus the largest lag that could be compensated for the action.
    assert_eq!(clock.deadline(), Some(910_500 + 60_000 + 1_000));
    assert!(!clock.flag(Player::B, 970_499) && !clock.flag(Player::A, 999_999));
    assert!(clock.is_late(Player::B, 970_500, 0) && !clock.is_late(Player::B, 970_500, 1));
    assert!(clock.flag(Player::B, 970_500));
    assert_eq!((both(&clock, 999_999), clock.running()), ([51_500, 0], None));
}

#[test]
fn lag_is_given_back_within_a_quota_that_each_action_fills_up() {
    let mut clock = clock(60, 0);
    let mut at = 0;
    clock.act(Player::A, at, 0);
    clock.act(Player::B, at, 0);
    let mut given = |lag: i64| {
        clock.start(Some(Player::A), false);
        at += 1_000;
        let given = clock.compensated(Player::A, at, lag);
        clock.act(Player::A, at, lag);
        given
    };
    // Each action of a player adds 390 ms to the player's lag quota: the network lag that the clock can still compensate. The quota starts
    // at three times this amount, and is at most seven times this amount.
    assert_eq!([(); 4].map(|()| given(1_000)), [1_000, 560, 390, 390]);
    assert!((0..20).all(|_| given(0) == 0));
    assert_eq!([(); 5].map(|()| given(1_000)), [1_000, 1_000, 1_000, 900, 390]);
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
    // One server stops 4 seconds after the start of player A's clock, and the next server starts 30 seconds later.
    assert_eq!(clock.downtime(14_000, 44_000), Some((Player::A, 30_000)));
    assert!(!clock.credit(Player::B, 44_000, 30_000));
    assert!(clock.credit(Player::A, 44_000, 30_000));
    assert_eq!(both(&clock, 45_000), [55_000, 60_000]);
    assert_eq!(clock.downtime(14_000, 44_050), None);
    assert_eq!(clock.downtime(14_000, 45_500), Some((Player::A, 1_500)));
    // The time credit for a downtime of the server is at most the time that has passed since the last log entry.
    assert!(clock.credit(Player::A, 46_000, 90_000));
    assert_eq!(both(&clock, 46_000), [56_000, 60_000]);
}

#[test]
fn a_short_downtime_is_given_back_to_clocks_of_days_near_their_end() {
    const MINUTE: i64 = 60_000;
    const HOUR: i64 = 60 * MINUTE;
    let setting = ClockSetting::days(1).expect("a setting");
    let mut clock = MatchClock::new(setting, ByPlayer { a: true, b: true });
    clock.act(Player::A, 0, 0);
    clock.act(Player::B, 0, 0);
    clock.start(Some(Player::A), false);
    // Player A's correspondence clock runs out 24 hours after its start. Each case has the last heartbeat of the old server, the end of the
    // downtime, and the downtime that is credited to the player.
    let cases = [
        (2 * HOUR, 2 * HOUR + 59 * MINUTE, None),
        (2 * HOUR, 3 * HOUR, Some(HOUR)),
        (22 * HOUR + 30 * MINUTE, 23 * HOUR, None),
        (22 * HOUR + 30 * MINUTE, 23 * HOUR + 1, Some(30 * MINUTE + 1)),
        (23 * HOUR + 30 * MINUTE, 23 * HOUR + 31 * MINUTE, None),
        (23 * HOUR + 30 * MINUTE, 23 * HOUR + 32 * MINUTE, Some(2 * MINUTE)),
        (23 * HOUR + 50 * MINUTE, 24 * HOUR + 40 * MINUTE, Some(50 * MINUTE)),
    ];
    for (seen, now, credit) in cases {
        assert_eq!(clock.downtime(seen, now), credit.map(|credit| (Player::A, credit)), "{seen}");
    }
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
    // A slow server may store a player's request to end a pause of the clocks long after the request has arrived. The delay takes no time
    // from the player, even if the pause ends meanwhile.
    for (now, counts) in [(9_000, 9_000), (4_000 + DAY, 2_999 + DAY)] {
        assert_eq!(clock.pause_asked_at(4_000, now), counts);
    }
    // A player's request that arrives during a pause of the clocks asks for the end of this pause, and not for a new pause.
    let mut late = clock.clone();
    assert!(late.ask_for_pause(Player::A, 2_999 + DAY));
    assert!(!late.has_asked(Player::A, 4_000 + DAY));
    // No downtime is credited for a time in which no clock ran.
    assert_eq!(clock.downtime(4_000, DAY), None);
    let mut resumed = clock.clone();
    let noon = DAY / 2;
    assert!(resumed.ask_for_pause(Player::A, noon) && resumed.ask_for_pause(Player::B, noon));
    assert_eq!(both(&resumed, noon + BREAK + 1_000), [56_000, 60_000]);
    // A pause of the clocks ends after a day, unless both players have asked for an earlier end. The request of a single player lapses with
    // the pause.
    assert!(clock.ask_for_pause(Player::B, 10_000) && clock.has_asked(Player::B, 11_000));
    assert_eq!(clock.paused_until(3_000 + DAY), None);
    assert!(!clock.has_asked(Player::B, 3_000 + DAY));
    let mut again = clock.clone();
    assert!(again.ask_for_pause(Player::B, 4_000 + DAY));
    assert!(again.has_asked(Player::B, 4_000 + DAY));
    assert_eq!(both(&clock, 5_000 + DAY), [55_000, 60_000]);
    assert!(clock.ask_for_pause(Player::A, 6_000 + DAY));
    assert_eq!(clock.paused_until(7_000 + DAY), None);
    // An action of a player withdraws the player's request for a pause.
    clock.act(Player::A, 8_000 + DAY, 0);
    assert!(!clock.has_asked(Player::A, 9_000 + DAY));
}

/// Step of a randomly generated match: an action, a time credit, a check for a loss on time, or a pause request. Each step holds the
/// milliseconds since the previous step. This time is negative if the clock of the next server is behind.
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

/// Sums of the times that a player's clock must lose or gain, computed independently of the code under test.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    passed: i64,
    free: i64,
    lag: i64,
    credits: i64,
    increments: i64,
}

proptest! {
    /// Tests that each player's remaining time always equals the base time plus all gained time, minus the time that has passed in the
    /// player's turns. A player gains the increments, the compensated network lag, the credits for downtimes of the server, and the time of
    /// breaks and pauses.
    #[test]
    fn time_is_neither_made_nor_lost(
        base in 1..120_u32, increment in 0..5_u32, begin in 0..1_000_000_000_i64, steps in steps()
    ) {
        let mut clock = clock(base, increment);
        let mut sums = ByPlayer::<Sums>::default();
        let (mut now, mut to_act, mut actions) = (begin, Player::A, 0);
        // The variable `latest` holds the latest time at which an action or another random test step has changed the match clock. `rest`
        // holds the remaining time of a break or pause, and `used` the time that the player to act has used in the current turn since the
        // last pause.
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
                        // A time credit for a server's downtime first gives back the time that the player has used in the current turn. The
                        // rest of the credit extends the break before the turn.
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
