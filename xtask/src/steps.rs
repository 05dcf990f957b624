//! `cargo xtask test`: everything that has to hold, step by step.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::command::{cargo, output, run};
use crate::files::Repository;
use crate::{api, browser, fuzz, generate, install, tidy, web};

/// One thing that has to hold; they run in this order, the quick ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Step {
    /// The code is formatted
    Fmt,
    /// The house rules hold
    Tidy,
    /// The compiler and Clippy have nothing to say
    Clippy,
    /// All tests pass, those in the documentation too
    Test,
    /// The benches compile and run once
    Benches,
    /// The rules need no standard library
    NoStd,
    /// The web client is formatted, holds its types and tests, and fits the server
    Web,
    /// The server does what its description says, and survives what it does not
    Api,
    /// Matches are played and every page is looked at in Chromium
    Browser,
    /// The documents show what the binary prints today
    Generated,
    /// The documentation builds without warnings
    Doc,
    /// The fuzz targets build and find nothing in a short run
    Fuzz,
}

impl Step {
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    fn what(self) -> String {
        let value = self.to_possible_value();
        value.and_then(|value| value.get_help().map(ToString::to_string)).unwrap_or_default()
    }

    fn run(self, repository: &Repository) -> Result<()> {
        match self {
            Self::Fmt => fmt(repository),
            Self::Tidy => tidy::run(repository),
            Self::Clippy => clippy(repository),
            Self::Test => test(repository),
            Self::Benches => benches(repository),
            Self::NoStd => no_std(repository),
            Self::Web => web::check(repository),
            Self::Api => api::check(repository),
            Self::Browser => browser::check(repository),
            Self::Generated => generate::run(repository, true),
            Self::Doc => doc(repository),
            Self::Fuzz => fuzz::briefly(repository),
        }
    }
}

/// Prints the steps in their order.
pub(crate) fn list() {
    for step in Step::value_variants() {
        println!("{:<10} {}", step.name(), step.what());
    }
}

/// Runs one step.
pub(crate) fn run_one(repository: &Repository, step: Step) -> Result<()> {
    eprintln!("\n==== {}: {} ====", step.name(), step.what());
    step.run(repository).with_context(|| {
        format!(
            "step `{name}` failed; to run it alone: cargo xtask test --only {name}",
            name = step.name()
        )
    })
}

/// Runs all steps up to the first that fails, and sums up.
pub(crate) fn run_all(repository: &Repository) -> Result<()> {
    let mut times = Vec::new();
    let mut outcome = Ok(());
    for &step in Step::value_variants() {
        let start = Instant::now();
        outcome = run_one(repository, step);
        times.push(start.elapsed());
        if outcome.is_err() {
            break;
        }
    }
    eprintln!("\n==== summary ====\n{}", summary(&times, outcome.is_ok()));
    outcome
}

/// One line for every step, given how long those took that ran and whether the last one held.
fn summary(times: &[Duration], last_held: bool) -> String {
    let lines = Step::value_variants().iter().enumerate().map(|(index, step)| {
        let outcome = match times.get(index) {
            None => "not run".to_owned(),
            Some(time) if last_held || index + 1 < times.len() => {
                format!("ok {:>7.1} s", time.as_secs_f64())
            }
            Some(time) => format!("FAILED {:>3.1} s", time.as_secs_f64()),
        };
        format!("{:<10} {outcome:<14} {}", step.name(), step.what())
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn fmt(repository: &Repository) -> Result<()> {
    run(&mut cargo(repository, ["fmt", "--all", "--check"]))?;
    let fuzz = ["fmt", "--manifest-path", fuzz::MANIFEST, "--check"];
    run(&mut cargo(repository, fuzz))
}

fn clippy(repository: &Repository) -> Result<()> {
    let args = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
    run(&mut cargo(repository, args))
}

fn test(repository: &Repository) -> Result<()> {
    // The example of a bot is in it.
    let probe = &mut std::process::Command::new("python3");
    install::ensure("Python, for the example of a bot", probe.arg("--version"), &["python3"])?;
    run(&mut cargo(repository, ["test", "--workspace", "--locked"]))
}

fn benches(repository: &Repository) -> Result<()> {
    // As tests the benches run once each. The pattern selects them alone: `--benches` would also
    // run every unit test a second time. A pattern that matches nothing is an error for cargo.
    let metadata = ["metadata", "--no-deps", "--format-version", "1", "--locked"];
    if output(&mut cargo(repository, metadata))?.contains(r#""kind":["bench"]"#) {
        run(&mut cargo(repository, ["test", "--workspace", "--locked", "--bench", "*"]))
    } else {
        eprintln!("there are no benches");
        Ok(())
    }
}

fn no_std(repository: &Repository) -> Result<()> {
    tidy::check_no_std(repository)?;
    let target = "wasm32-unknown-unknown";
    let installed = std::process::Command::new("rustup")
        .args(["target", "list", "--installed"])
        .output()
        .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(target));
    if installed {
        let args = ["check", "--package", "overmate-rules", "--locked", "--target", target];
        run(&mut cargo(repository, args))
    } else {
        eprintln!("checked by its source alone: the target {target} is not installed");
        Ok(())
    }
}

fn doc(repository: &Repository) -> Result<()> {
    let args = ["doc", "--workspace", "--no-deps", "--locked", "--document-private-items"];
    run(cargo(repository, args).env("RUSTDOCFLAGS", "-D warnings"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_a_name_and_says_what_it_is() {
        for step in Step::value_variants() {
            assert!(!step.name().is_empty() && !step.what().is_empty(), "{step:?}");
        }
    }

    #[test]
    fn the_summary_tells_held_failed_and_not_run_apart() {
        let seconds = [Duration::from_secs(1), Duration::from_secs(2)];

        let failed = summary(&seconds, false);
        let outcomes: Vec<_> =
            failed.lines().map(|line| line.get(11..18).unwrap_or_default()).collect();

        assert!(outcomes.first().is_some_and(|outcome| outcome.starts_with("ok")), "{failed}");
        assert!(outcomes.get(1).is_some_and(|outcome| outcome.starts_with("FAILED")), "{failed}");
        assert!(outcomes.iter().skip(2).all(|outcome| *outcome == "not run"), "{failed}");
        assert!(!summary(&seconds, true).contains("FAILED"));
    }
}
