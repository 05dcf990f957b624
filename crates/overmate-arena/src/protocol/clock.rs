//! Defines the time limit for an action and the match clock of an external program.

use std::time::Duration;

/// Grace period: extra time for an external program beyond its time limit, for delays of pipes and of a busy machine.
pub(super) const GRACE: Duration = Duration::from_millis(500);

/// Time control of an external program: a base time for each match, and an increment after each action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Time on the external program's clock at the start of a match.
    pub base: Duration,
    /// Time that is added to the external program's clock after each of its actions.
    pub increment: Duration,
}

impl std::fmt::Display for TimeControl {
    /// Formats the time control as base time and increment in seconds, such as `60+0.5`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// Clock of an external program in one match.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    control: TimeControl,
    /// Remaining time on the program's clock, plus the unused part of the match's grace period ([`GRACE`]).
    left_with_grace: Duration,
}

impl Clock {
    /// Returns the clock of an external program at the start of a match.
    pub(super) fn new(control: TimeControl) -> Self {
        Self { control, left_with_grace: control.base.saturating_add(GRACE) }
    }

    /// Returns the time control of the external program's clock.
    pub(super) fn control(&self) -> TimeControl {
        self.control
    }

    /// Returns the remaining time on the external program's clock, without the grace period.
    pub(super) fn left(&self) -> Duration {
        self.left_with_grace.saturating_sub(GRACE)
    }

    /// Deducts the elapsed time of an action from the external program's clock, and adds the increment.
    pub(super) fn act(&mut self, used: Duration) {
        let left = self.left_with_grace.saturating_sub(used);
        self.left_with_grace = left.saturating_add(self.control.increment);
    }
}

/// Time limit of an external program for an action: a fixed limit for each action, or the program's clock.
#[derive(Clone, Copy, Debug)]
pub(super) enum TimeLimit {
    /// Fixed time limit for each action of the external program.
    Action(Duration),
    /// Clock of the external program in the match, which limits the time for the action.
    Clock {
        /// Time control of the external program's clock.
        control: TimeControl,
        /// Remaining time on the clock, as announced to the external program.
        left: Duration,
        /// Time after which the external program forfeits the match: the announced time plus the grace period.
        with_grace: Duration,
    },
}

impl TimeLimit {
    /// Returns the shorter time limit for an action of the external program: the fixed limit, or the remaining time on
    /// the clock.
    pub(super) fn of(time: Duration, clock: Option<&Clock>) -> Self {
        match clock {
            Some(clock) if clock.left_with_grace <= time.saturating_add(GRACE) => Self::Clock {
                control: clock.control,
                left: clock.left(),
                with_grace: clock.left_with_grace,
            },
            Some(_) | None => Self::Action(time),
        }
    }

    /// Returns the time limit that is announced to the external program for the action.
    pub(super) fn announced(&self) -> Duration {
        match *self {
            Self::Action(time) => time,
            Self::Clock { left, .. } => left,
        }
    }

    /// Returns the time after which the external program forfeits the match: the announced time limit plus the grace period.
    pub(super) fn with_grace(&self) -> Duration {
        match *self {
            Self::Action(time) => time.saturating_add(GRACE),
            Self::Clock { with_grace, .. } => with_grace,
        }
    }

    /// Returns the error text for an external program that has exceeded its time limit for an action, or whose clock has run out. The
    /// phrase `when` names the current move or phase, such as `in move 3 of game 2`.
    pub(super) fn exceeded(&self, when: &str) -> String {
        match self {
            Self::Action(time) => {
                format!("the program sent no answer within {} s {when}", time.as_secs_f64())
            }
            Self::Clock { control, left, .. } => format!(
                "the program's clock of {control} s ran out {when}: it sent no answer within the last {:.3} s",
                left.as_secs_f64()
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTROL: TimeControl =
        TimeControl { base: Duration::from_secs(10), increment: Duration::from_secs(2) };

    #[test]
    fn an_action_uses_time_and_adds_the_increment() {
        let mut clock = Clock::new(CONTROL);
        clock.act(Duration::from_secs(5));
        assert_eq!(clock.left(), Duration::from_secs(7));
        clock.act(Duration::ZERO);
        assert_eq!(clock.left(), Duration::from_secs(9));
    }

    #[test]
    fn the_grace_period_is_granted_once_in_a_match() {
        let mut clock = Clock::new(TimeControl { increment: Duration::ZERO, ..CONTROL });
        let limit = |clock: &Clock| TimeLimit::of(Duration::MAX, Some(clock));
        assert_eq!(limit(&clock).with_grace(), Duration::from_millis(10_500));
        clock.act(Duration::from_millis(10_300));
        assert_eq!(limit(&clock).announced(), Duration::ZERO);
        assert_eq!(limit(&clock).with_grace(), Duration::from_millis(200));
        clock.act(Duration::from_millis(250));
        assert_eq!(limit(&clock).with_grace(), Duration::ZERO);
    }

    #[test]
    fn the_limit_that_ends_first_counts() {
        let clock = Clock::new(CONTROL);
        let of = |seconds| TimeLimit::of(Duration::from_secs(seconds), Some(&clock));
        assert!(matches!(of(3), TimeLimit::Action(_)));
        assert_eq!(of(3).announced(), Duration::from_secs(3));
        assert!(of(30).exceeded("in move 1").contains("clock of 10+2 s ran out in move 1"));
        assert!(matches!(TimeLimit::of(Duration::MAX, None), TimeLimit::Action(_)));
    }
}
