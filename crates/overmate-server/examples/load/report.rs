//! Prints the measured values of a load test, and compares some of them with their targets.

use std::fmt::{self, Display, Formatter};

use crate::client::Fault;

/// Target for a measured value of the load test: an upper or a lower bound, in the unit of the value.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    AtMost(f64),
    AtLeast(f64),
}

impl Target {
    fn is_reached_by(self, value: f64) -> bool {
        match self {
            Self::AtMost(most) => value <= most,
            Self::AtLeast(least) => value >= least,
        }
    }
}

/// Measured value with the name of its unit.
#[derive(Clone, Copy)]
struct Figure(f64, &'static str);

impl Display for Figure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(value, unit) = *self;
        let digits = match value {
            100.0.. => 0,
            10.0.. => 1,
            _ => 2,
        };
        write!(f, "{value:.digits$}{}{unit}", if unit.is_empty() { "" } else { " " })
    }
}

/// Prints a non-numeric result of the load test.
pub(crate) fn fact(name: &str, text: impl Display) {
    println!("{name:<36}{text}");
}

/// Prints a measured value of the load test.
pub(crate) fn figure(name: &str, value: f64, unit: &'static str) {
    fact(name, Figure(value, unit));
}

/// Results of a load test: the targets that the measured values have reached or missed.
#[derive(Default)]
pub(crate) struct Report {
    /// Output lines, one for each measured value with a target, that tell whether the value has reached its target.
    judged: Vec<String>,
    /// Names of the measured values that missed their targets.
    missed: Vec<String>,
}

impl Report {
    /// Prints a measured value, and compares the value with its target.
    pub(crate) fn target(&mut self, name: &str, value: f64, unit: &'static str, target: Target) {
        figure(name, value, unit);
        self.judge(name, value, unit, target);
    }

    /// Compares a measured value with its target. The caller prints the value.
    pub(crate) fn judge(&mut self, name: &str, value: f64, unit: &'static str, target: Target) {
        let (word, bound) = match target {
            Target::AtMost(bound) => ("at most", bound),
            Target::AtLeast(bound) => ("at least", bound),
        };
        let is_reached = target.is_reached_by(value);
        let state = if is_reached { "reached" } else { "missed" };
        let (value, bound) = (Figure(value, unit), Figure(bound, unit));
        self.judged.push(format!("target {state:<9}{name}: {value}, {word} {bound}"));
        if !is_reached {
            self.missed.push(name.to_owned());
        }
    }

    /// Prints for each target of the load test whether the measured value reaches the target. If the targets are checked, a
    /// missed target is an error.
    pub(crate) fn end(self, is_checked: bool) -> Result<(), Fault> {
        for line in &self.judged {
            println!("{line}");
        }
        if is_checked && !self.missed.is_empty() {
            return Err(format!("missed targets: {}", self.missed.join("; ")).into());
        }
        Ok(())
    }
}
