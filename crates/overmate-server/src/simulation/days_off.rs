//! Tests that correspondence clocks neither gain nor lose time by days off, downtimes, actions and clock skew between servers.

use overmate_rules::{ByPlayer, Player};
use proptest::prelude::*;

use crate::clocks::clock_setting::{ClockSetting, DAY};
use crate::clocks::match_clock::MatchClock;

/// Random event of a test match, with the time in milliseconds since the previous event. The event is an action, a change of days off, a
/// downtime credit or a loss on time. The time is negative with clock skew.
#[derive(Clone, Copy, Debug)]
struct Step {
    after: i64,
    event: Event,
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Act,
    /// The player to act begins days off of this length in milliseconds. The length 0 ends the current days off.
    Away(i64),
    Credit(i64),
    Flag,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let after = prop_oneof![9 => 0..2 * DAY, 1 => -60_000..0_i64];
    let event = prop_oneof![
        4 => Just(Event::Act),
        3 => (0..5 * DAY).prop_map(Event::Away),
        2 => Just(Event::Away(0)),
        2 => (0..3 * DAY).prop_map(Event::Credit),
        2 => Just(Event::Flag),
    ];
    prop::collection::vec((after, event).prop_map(|(after, event)| Step { after, event }), 1..60)
}

proptest! {
    /// Tests that days off neither add nor remove thinking time, by comparison with a model that treats each turn separately.
    #[test]
    fn days_off_make_and_lose_no_time(days in prop::sample::select(vec![1_u8, 3, 7]), steps in steps()) {
        let setting = ClockSetting::days(days).expect("a setting");
        let mut clock = MatchClock::new(setting, ByPlayer { a: true, b: true });
        clock.act(Player::A, 0, 0);
        clock.act(Player::B, 0, 0);
        clock.start(Some(Player::A), false);
        let all = i64::from(days) * DAY;
        // `latest` is the latest time of a log entry so far, `used` is the time that the player has used in the turn, and `away` is the end
        // of the player's days off.
        let (mut player, mut now, mut latest, mut used, mut away) = (Player::A, 0, 0, 0, 0);
        for Step { after, event } in steps {
            now += after;
            let present = now.max(latest);
            // Of the time since the last log entry, only the part after the end of the player's days off counts as thinking time.
            let counted = (present - latest.max(away)).max(0);
            let has_time = used + counted < all;
            prop_assert_eq!(clock.left(player, now), Some((all - used - counted).max(0)));
            match event {
                Event::Act if has_time => {
                    prop_assert!(!clock.is_late(player, now, 0));
                    clock.act(player, now, 0);
                    player = !player;
                    clock.start(Some(player), false);
                    (latest, used, away) = (present, 0, 0);
                }
                Event::Act => {
                    prop_assert!(clock.is_late(player, now, 0));
                    break;
                }
                Event::Away(length) => {
                    prop_assert!(!clock.away(!player, now, now + length));
                    prop_assert_eq!(clock.away(player, now, now + length), has_time);
                    if has_time {
                        (latest, used, away) = (present, used + counted, present.max(now + length));
                        prop_assert_eq!(clock.away_until(present), Some(away).filter(|end| *end > present));
                        prop_assert_eq!(clock.deadline(), Some(away + all - used));
                    }
                }
                Event::Credit(down) => {
                    prop_assert!(clock.credit(player, now, down));
                    // A time credit gives the player back at most the thinking time that they have used since the last log entry.
                    used += counted - down.min(counted);
                    latest = present;
                }
                Event::Flag => {
                    let is_over = clock.flag(player, now);
                    prop_assert_eq!(is_over, !has_time);
                    if is_over {
                        break;
                    }
                }
            }
        }
    }
}
