//! Reads the wall clock, and formats times for clients.

use std::time::{SystemTime, UNIX_EPOCH};

/// Latest Unix time that the date library can format, in seconds: 22:00 on 30 December 9999.
const LAST: i64 = 253_402_207_200;

/// Reason why the wall clock's time is not usable: the time lies outside the range of HTTP dates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClockFault {
    /// The wall clock shows a time before 1970.
    #[error("the clock of this machine shows a time before 1970: set the clock")]
    Before1970,
    /// The wall clock shows a time after the year 9999.
    #[error("the clock of this machine shows a time after 9999: set the clock")]
    After9999,
}

impl ClockFault {
    /// Returns the replacement for the machine's faulty time: the nearest Unix time in the years 1970 to 9999, in seconds.
    fn nearest(self) -> i64 {
        match self {
            Self::Before1970 => 0,
            Self::After9999 => LAST,
        }
    }
}

/// Number of seconds in a day.
pub(crate) const DAY: i64 = 24 * 60 * 60;

/// Returns the current time in seconds since 1970, limited to the years 1970 to 9999.
pub(crate) fn now() -> i64 {
    checked().unwrap_or_else(ClockFault::nearest)
}

/// Returns the current Unix time in milliseconds, limited to the years 1970 to 9999.
pub(crate) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX).min(1_000 * LAST)
}

/// Returns the current Unix time in seconds, or an error if the wall clock shows a time outside of the years 1970 to 9999.
pub(crate) fn checked() -> Result<i64, ClockFault> {
    seconds(SystemTime::now())
}

/// Converts a system time to a Unix time in seconds.
fn seconds(time: SystemTime) -> Result<i64, ClockFault> {
    let since = time.duration_since(UNIX_EPOCH).map_err(|_| ClockFault::Before1970)?;
    match i64::try_from(since.as_secs()) {
        Ok(seconds) if seconds <= LAST => Ok(seconds),
        _ => Err(ClockFault::After9999),
    }
}

/// Formats a Unix time in seconds as an RFC 3339 timestamp. The time is limited to the years 1970 to 9999.
pub(crate) fn rfc3339(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds.clamp(0, LAST)).unwrap_or_default().to_string()
}

/// Parses an RFC 3339 timestamp, and returns its Unix time in seconds. Returns `None` for other texts, and for times outside of the years
/// 1970 to 9999.
pub(crate) fn seconds_of(text: &str) -> Option<i64> {
    let seconds = text.parse::<jiff::Timestamp>().ok()?.as_second();
    (0..=LAST).contains(&seconds).then_some(seconds)
}

/// Formats the UTC date of a Unix time in seconds, such as `2026-11-20`.
pub(crate) fn day(seconds: i64) -> String {
    rfc3339(seconds).chars().take_while(|&c| c != 'T').collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_clock_outside_of_1970_to_9999_is_a_fault_and_its_times_have_a_text() {
        let after = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
        let last = after(LAST.unsigned_abs());
        for (time, read, text) in [
            (UNIX_EPOCH, Ok(0), "1970-01-01T00:00:00Z"),
            (after(1_795_132_800), Ok(1_795_132_800), "2026-11-20T00:00:00Z"),
            (last, Ok(LAST), "9999-12-30T22:00:00Z"),
            (
                UNIX_EPOCH - Duration::from_secs(1),
                Err(ClockFault::Before1970),
                "1970-01-01T00:00:00Z",
            ),
            (last + Duration::from_secs(1), Err(ClockFault::After9999), "9999-12-30T22:00:00Z"),
            (after(1 << 60), Err(ClockFault::After9999), "9999-12-30T22:00:00Z"),
        ] {
            assert_eq!(seconds(time), read);
            assert_eq!(rfc3339(seconds(time).unwrap_or_else(ClockFault::nearest)), text);
        }
        for (text, read) in [
            ("2026-11-20T00:00:00Z", Some(1_795_132_800)),
            ("2026-11-20T01:00:00.750+01:00", Some(1_795_132_800)),
            ("1969-12-31T23:59:59Z", None),
            ("9999-12-30T22:00:01Z", None),
            ("yesterday", None),
        ] {
            assert_eq!(seconds_of(text), read);
        }
        assert_eq!(rfc3339(i64::MIN), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(i64::MAX), "9999-12-30T22:00:00Z");
        assert_eq!(day(1_795_132_800), "2026-11-20");
    }
}
