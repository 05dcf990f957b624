//! Runs the steps of `cargo xtask test` as two sequences in parallel.
//!
//! The main sequence compiles and tests, and writes to the terminal. The side sequence holds the steps that mostly wait for the network, a
//! server or a browser, and short steps that use the processor time which waiting tests leave. Each side step writes to a file of its own,
//! which is shown if the step fails.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use xtask::repository::{Repository, create_folder};

use crate::command::{BINARY_VARIABLE, build_overmate};
use crate::steps::{StepOptions, TestStep, run_one};

/// Steps of the main sequence of `cargo xtask test`, which run in this process one after another.
const MAIN_LANE: [TestStep; 12] = [
    TestStep::Fmt,
    TestStep::Tidy,
    TestStep::Clippy,
    TestStep::Build,
    TestStep::Test,
    TestStep::Examples,
    TestStep::Generated,
    TestStep::Package,
    TestStep::Python,
    TestStep::Fuzz,
    TestStep::Sanitizer,
    TestStep::Release,
];

/// Steps of `cargo xtask test` that run in parallel with the main sequence. They run one after another, each in a separate process.
///
/// Missing programs are installed during the build in the main sequence, because the installation mostly waits for the network.
const SIDE_LANE: [TestStep; 8] = [
    TestStep::Web,
    TestStep::Programs,
    TestStep::Deny,
    TestStep::Api,
    TestStep::Doc,
    TestStep::NoStd,
    TestStep::Browser,
    TestStep::Engines,
];

/// Returns the test step that must pass before a given test step starts, if the two steps run in different parallel sequences. Returns
/// `None` for a step without such a prerequisite.
fn prerequisite(step: TestStep) -> Option<TestStep> {
    match step {
        // The step `build` waits for the step `web`, because the server embeds the web client.
        TestStep::Build => Some(TestStep::Web),
        // The API tests wait for the build of the binary.
        TestStep::Api => Some(TestStep::Build),
        // The step `browser` waits for the step `test`, because the tests of the step `test` would slow the browser down.
        TestStep::Browser => Some(TestStep::Test),
        TestStep::Fmt
        | TestStep::Tidy
        | TestStep::Clippy
        | TestStep::Web
        | TestStep::Programs
        | TestStep::Deny
        | TestStep::Test
        | TestStep::Cluster
        | TestStep::Examples
        | TestStep::Doc
        | TestStep::NoStd
        | TestStep::Generated
        | TestStep::Package
        | TestStep::Python
        | TestStep::Fuzz
        | TestStep::Sanitizer
        | TestStep::Release
        | TestStep::Engines => None,
    }
}

/// Outcomes of all finished steps of `cargo xtask test`, shared by the main sequence of steps and the parallel side sequence.
#[derive(Default)]
struct Board {
    finished: Mutex<Vec<StepOutcome>>,
    changed: Condvar,
}

/// Outcome of a finished test step: the step, its duration, and whether the step passed.
#[derive(Clone, Copy)]
struct StepOutcome {
    step: TestStep,
    has_passed: bool,
    time: Duration,
}

impl Board {
    /// Waits until the prerequisite of a test step has passed, and returns whether the step may start. Returns `false` as soon as any step
    /// has failed.
    fn may_start(&self, step: TestStep) -> bool {
        let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if finished.iter().any(|outcome| !outcome.has_passed) {
                return false;
            }
            let is_ready = prerequisite(step)
                .is_none_or(|needed| finished.iter().any(|outcome| outcome.step == needed));
            if is_ready {
                return true;
            }
            finished = self.changed.wait(finished).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn finish(&self, outcome: StepOutcome) {
        self.finished.lock().unwrap_or_else(PoisonError::into_inner).push(outcome);
        self.changed.notify_all();
    }

    /// Runs the test steps of one of two parallel sequences in order, until a step of either sequence fails.
    fn run_lane(
        &self,
        steps: &[TestStep],
        mut run: impl FnMut(TestStep) -> Result<()>,
    ) -> Result<()> {
        for &step in steps {
            if !self.may_start(step) {
                break;
            }
            let start = Instant::now();
            let result = run(step);
            self.finish(StepOutcome { step, has_passed: result.is_ok(), time: start.elapsed() });
            result?;
        }
        Ok(())
    }
}

/// Runs all steps of `cargo xtask test` until the first step fails, and prints a summary.
pub(crate) fn run_all(repository: &Repository, options: StepOptions) -> Result<()> {
    let start = Instant::now();
    let board = Board::default();
    let (main, side) = thread::scope(|scope| {
        let side = scope.spawn(|| {
            let mut binary = None;
            let steps = chosen(&SIDE_LANE, options);
            board.run_lane(&steps, |step| run_beside(repository, step, options, &mut binary))
        });
        let main =
            board.run_lane(&chosen(&MAIN_LANE, options), |step| run_one(repository, step, options));
        let side =
            side.join().unwrap_or_else(|_| Err(anyhow!("a thread that runs test steps panicked")));
        (main, side)
    });
    let finished = board.finished.into_inner().unwrap_or_else(PoisonError::into_inner);
    eprintln!("\n==== summary ====\n{}", summary(&finished, start.elapsed()));
    main.and(side)
}

/// Selects the test steps to run from the sequence `lane`. Only a run with `--thorough` contains all steps.
fn chosen(lane: &[TestStep], options: StepOptions) -> Vec<TestStep> {
    let is_chosen = |step: &TestStep| options.thorough || !step.is_thorough_only();
    lane.iter().copied().filter(is_chosen).collect()
}

/// Runs one test step in a separate process, with the step's output in a file under `target/steps`.
///
/// The first step that needs the binary `overmate` stores the path of the binary in `binary` for later steps.
fn run_beside(
    repository: &Repository,
    step: TestStep,
    options: StepOptions,
    binary: &mut Option<PathBuf>,
) -> Result<()> {
    let log = log_of(repository, step)?;
    let file = File::create(&log)
        .with_context(|| format!("cannot create the log file {} for a step", log.display()))?;
    let program = std::env::current_exe().context("cannot find the path of the running program")?;
    let mut command = Command::new(program);
    command.args(["test", "--only", &step.name()]);
    if options.thorough {
        command.arg("--thorough");
    }
    if matches!(step, TestStep::Api | TestStep::Browser | TestStep::Engines) {
        // A test step that runs the binary `overmate` gets the path of the built binary. A build by the test step would wait for the lock
        // that cargo in the main sequence holds on the target folder.
        let path = match binary.take() {
            Some(path) => path,
            None => build_overmate(repository)?,
        };
        command.env(BINARY_VARIABLE, &path);
        *binary = Some(path);
    }
    command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
    eprintln!(
        "==== {} starts in the side sequence; its output: {} ====",
        step.name(),
        log.display()
    );
    let status = command
        .status()
        .context("cannot start the process of a step that runs in parallel with the main steps")?;
    if status.success() {
        eprintln!("==== {} has passed ====", step.name());
        return Ok(());
    }
    let output = fs::read_to_string(&log).unwrap_or_default();
    eprintln!("==== {} has failed ====\n{output}", step.name());
    bail!(
        "step `{name}` failed; to run only this step: cargo xtask test --only {name}",
        name = step.name()
    )
}

fn log_of(repository: &Repository, step: TestStep) -> Result<PathBuf> {
    let folder = repository.path("target/steps");
    create_folder(&folder)?;
    Ok(folder.join(format!("{}.log", step.name())))
}

/// Returns a summary of a test run, with one line for each finished step and one line for the total time.
fn summary(finished: &[StepOutcome], total: Duration) -> String {
    let steps = MAIN_LANE.iter().chain(&SIDE_LANE);
    let mut lines: Vec<_> = steps
        .map(|&step| {
            let outcome = match finished.iter().find(|outcome| outcome.step == step) {
                None => "not run".to_owned(),
                Some(outcome) => {
                    let word = if outcome.has_passed { "ok" } else { "FAILED" };
                    format!("{word:<6} {:>6.1} s", outcome.time.as_secs_f64())
                }
            };
            format!("{:<10} {outcome:<16} {}", step.name(), step.what())
        })
        .collect();
    lines.push(format!("{:<10} {:>13.1} s", "all", total.as_secs_f64()));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::ValueEnum as _;

    use super::*;

    #[test]
    fn every_step_stands_in_one_lane() {
        // The test step `cluster` is in neither `MAIN_LANE` nor `SIDE_LANE`, because the test step `test` runs the same tests.
        let planned: Vec<_> =
            MAIN_LANE.into_iter().chain(SIDE_LANE).chain([TestStep::Cluster]).collect();
        assert_eq!(planned.len(), TestStep::value_variants().len());
        let distinct: BTreeSet<_> = planned.into_iter().collect();
        assert_eq!(distinct.len(), TestStep::value_variants().len());
    }

    #[test]
    fn an_ordinary_run_leaves_out_the_thorough_steps() {
        let of_main: &[TestStep] =
            &[TestStep::Python, TestStep::Fuzz, TestStep::Sanitizer, TestStep::Release];
        for (lane, left_out) in
            [(MAIN_LANE.as_slice(), of_main), (&SIDE_LANE, &[TestStep::Engines])]
        {
            let ordinary = chosen(lane, StepOptions { thorough: false });
            let others = lane.iter().copied().filter(|step| !ordinary.contains(step));
            assert_eq!(others.collect::<Vec<_>>(), left_out);
            assert_eq!(chosen(lane, StepOptions { thorough: true }), lane);
        }
    }

    #[test]
    fn a_step_waits_for_its_prerequisite_in_the_other_lane() {
        let board = Board::default();
        let order = Mutex::new(Vec::new());
        let record = |step| {
            order.lock().unwrap().push(step);
            Ok(())
        };
        thread::scope(|scope| {
            scope.spawn(|| board.run_lane(&SIDE_LANE, record).unwrap());
            board.run_lane(&MAIN_LANE, record).unwrap();
        });
        let order = order.into_inner().unwrap();
        let place = |wanted| order.iter().position(|&step| step == wanted);
        for &step in &order {
            if let Some(needed) = prerequisite(step) {
                assert!(place(needed) < place(step), "{step:?} ran before {needed:?}");
            }
        }
        assert_eq!(order.len(), MAIN_LANE.len() + SIDE_LANE.len());
    }

    #[test]
    fn a_failure_stops_both_lanes() {
        let board = Board::default();
        let fail_at_clippy =
            |step| if step == TestStep::Clippy { bail!("Clippy found a lint") } else { Ok(()) };
        assert!(board.run_lane(&MAIN_LANE, fail_at_clippy).is_err());

        let mut started = Vec::new();
        let record = |step| {
            started.push(step);
            Ok(())
        };
        board.run_lane(&SIDE_LANE, record).unwrap();
        assert_eq!(started, []);

        let finished = board.finished.into_inner().unwrap();
        let shown = summary(&finished, Duration::from_secs(3));
        assert!(shown.contains("clippy     FAILED"), "{shown}");
        assert!(shown.contains("fmt        ok"), "{shown}");
        assert!(shown.contains("browser    not run"), "{shown}");
    }
}
