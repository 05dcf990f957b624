//! Defines the time controls of matches, with their limits and their text form.

use std::fmt;
use std::str::FromStr;

use overmate_rules::format_names;

/// Number of milliseconds in a day.
pub(crate) const DAY: i64 = 86_400_000;

/// Break between two games of a live match, in milliseconds. After the break, the clock of the player who opens the next game
/// starts.
pub(crate) const BREAK: i64 = 15_000;

/// Maximum network lag, in milliseconds, that a clock compensates for one action.
pub(crate) const MOST_LAG: i64 = 1_000;

/// Time control of a match: live clocks, or a number of days for each action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ClockSetting {
    /// Live clocks: a base time for the whole match, and an increment for each action except a player's first.
    Live {
        /// Base time of each player for the whole match, in seconds.
        base: u32,
        /// Increment for each action of a player except their first, in seconds.
        increment: u32,
    },
    /// Correspondence clocks: a number of days for each action.
    Days(u8),
}

impl ClockSetting {
    /// Minimum and maximum base time of a live clock, in seconds.
    pub(crate) const BASE: (u32, u32) = (1, 10_800);

    /// Maximum increment of a live clock for each action, in seconds.
    pub(crate) const MOST_INCREMENT: u32 = 180;

    /// Minimum duration of a server downtime, in milliseconds, for which a live clock gets a time credit.
    pub(crate) const LEAST_DOWNTIME: i64 = 1_500;

    /// Minimum duration of a server downtime, in milliseconds, for which a correspondence clock with less than an hour left gets a time
    /// credit. The value is larger than the time between two heartbeats while only correspondence clocks run.
    pub(crate) const LEAST_DOWNTIME_OF_DAYS: i64 = 120_000;

    /// Minimum duration of a server downtime, in milliseconds, for which every correspondence clock gets a time credit. A shorter downtime
    /// is credited only to clocks with less than this time left, so that a restart does not add an entry to each match.
    pub(crate) const LONG_DOWNTIME_OF_DAYS: i64 = 3_600_000;

    /// Allowed numbers of days for each action of a correspondence match.
    pub(crate) const DAYS: [u8; 4] = [1, 2, 3, 7];

    /// Returns the time control of a live match from its base time and increment, both in seconds.
    /// Returns `None` if a value is out of bounds.
    pub(crate) fn live(base: u32, increment: u32) -> Option<Self> {
        let (least, most) = Self::BASE;
        let is_valid = (least..=most).contains(&base) && increment <= Self::MOST_INCREMENT;
        is_valid.then_some(Self::Live { base, increment })
    }

    /// Returns the time control with a number of days for each action, or `None` for a number that
    /// is not in [`DAYS`](Self::DAYS).
    pub(crate) fn days(days: u8) -> Option<Self> {
        Self::DAYS.contains(&days).then_some(Self::Days(days))
    }

    /// Returns the initial time on each player's clock, in milliseconds.
    pub(crate) fn first(self) -> i64 {
        match self {
            Self::Live { base, .. } => 1_000 * i64::from(base),
            Self::Days(days) => DAY * i64::from(days),
        }
    }

    /// Returns a player's remaining time after an action, in milliseconds. `left` is the time before the action, and `used` the time that
    /// the action used.
    pub(crate) fn after_action(self, left: i64, used: i64) -> i64 {
        match self {
            Self::Live { increment, .. } => (left - used).max(0) + 1_000 * i64::from(increment),
            Self::Days(_) => self.first(),
        }
    }

    /// Returns the duration of the break between two games of a match, in milliseconds.
    pub(crate) fn pause(self) -> i64 {
        match self {
            Self::Live { .. } => BREAK,
            Self::Days(_) => 0,
        }
    }

    /// Returns the minimum duration of a server downtime, in milliseconds, for which a player's clock gets a time credit. `left` is the
    /// player's remaining time in milliseconds at the end of the downtime, and negative if the deadline has passed in the downtime.
    pub(crate) fn least_downtime(self, left: i64) -> i64 {
        match self {
            Self::Live { .. } => Self::LEAST_DOWNTIME,
            Self::Days(_) if left < Self::LONG_DOWNTIME_OF_DAYS => Self::LEAST_DOWNTIME_OF_DAYS,
            Self::Days(_) => Self::LONG_DOWNTIME_OF_DAYS,
        }
    }

    /// Returns the milliseconds by which each action raises a player's lag quota: the network lag that the clock can still compensate. The
    /// result is 0 for correspondence clocks. For live clocks, the increase grows with the expected length of the match, as on lichess, up
    /// to [`MOST_LAG`].
    pub(crate) fn lag_gain(self) -> i64 {
        match self {
            Self::Live { base, increment } => {
                let estimate = i64::from(base) + 40 * i64::from(increment);
                (4 * estimate + 150).min(MOST_LAG)
            }
            Self::Days(_) => 0,
        }
    }
}

impl fmt::Display for ClockSetting {
    /// Formats the time control: base time and increment in seconds, such as `180+2`, or days for
    /// each action, such as `3d`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Live { base, increment } => write!(formatter, "{base}+{increment}"),
            Self::Days(days) => write!(formatter, "{days}d"),
        }
    }
}

/// Parse error: the string is not a time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the text is not a time control: write base time ({} to {}) and increment (0 to {}) in seconds, such as 180+2, or {} for each action",
    ClockSetting::BASE.0,
    ClockSetting::BASE.1,
    ClockSetting::MOST_INCREMENT,
    format_names(&ClockSetting::DAYS.map(|days| ClockSetting::Days(days).to_string()))
)]
pub(crate) struct NoClock;

impl FromStr for ClockSetting {
    type Err = NoClock;

    fn from_str(text: &str) -> Result<Self, NoClock> {
        let setting = match (text.split_once('+'), text.strip_suffix('d')) {
            (Some((base, increment)), _) => {
                let number = |text: &str| text.parse().map_err(|_| NoClock);
                Self::live(number(base)?, number(increment)?)
            }
            (None, Some(days)) => Self::days(days.parse().map_err(|_| NoClock)?),
            (None, None) => None,
        };
        setting.ok_or(NoClock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_has_a_text() {
        for (text, read) in [
            ("180+2", ClockSetting::live(180, 2)),
            ("1+0", ClockSetting::live(1, 0)),
            ("3d", Some(ClockSetting::Days(3))),
        ] {
            assert_eq!(text.parse().ok(), read);
            assert_eq!(read.expect("a setting").to_string(), text);
        }
        for text in [
            "0+5", "4d", "d", "3 d", "3d+1", "", "180", "180+", "+2", "10801+0", "60+181", "60 + 2",
        ] {
            assert_eq!(text.parse::<ClockSetting>(), Err(NoClock), "{text}");
        }
        assert_eq!(
            NoClock.to_string(),
            "the text is not a time control: write base time (1 to 10800) and increment (0 to 180) in seconds, such as 180+2, or 1d, 2d, 3d or 7d for each action"
        );
    }
}
