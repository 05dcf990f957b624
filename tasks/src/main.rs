//! Implements `cargo xtask`, which builds, runs, tests and checks Overmate, and writes the generated documents.

mod api;
mod browser;
mod command;
mod deny;
mod dependencies;
mod examples;
mod files;
mod fuzz;
mod generate;
mod install;
mod installed;
mod licences;
mod load;
mod no_std;
mod npm;
mod older;
mod package;
mod plan;
mod python;
mod release;
mod sanitizer;
mod scaling;
mod served;
mod solved;
mod steps;
mod tidy;
mod virtual_environment;
mod wasm;
mod web;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use xtask::play::Play;
use xtask::repository::Repository;

/// Builds, runs, tests and checks Overmate.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct XtaskCli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build everything, start the server at <http://127.0.0.1:2420> and open the page, or play in the terminal
    ///
    /// The build optimises little but the solver and the opponents, so that it ends soon; `cargo xtask build` builds the release.
    /// Further arguments go to `overmate serve`, or with `--terminal` to `overmate play`; their `--help` lists them.
    Play {
        /// Play in this terminal instead of the browser
        #[arg(long)]
        terminal: bool,
        /// Arguments of `overmate serve` or `overmate play`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<std::ffi::OsString>,
    },
    /// Build the web client, and the release binary that contains it
    Build {
        /// Also write the list of dependencies into the binary, for `cargo audit bin`
        #[arg(long)]
        auditable: bool,
    },
    /// Compile the engine to WebAssembly, so that the page analyses deals and plays without the server
    Wasm {
        /// Also build the npm package of the engine in `target/npm`
        #[arg(long)]
        package: bool,
        /// Compile only the example `tables`, a small module with the rules and the deal tables, in place of the engine
        #[arg(long, conflicts_with = "package")]
        example: bool,
    },
    /// Check format, project rules and lints, and run the quick tests: for use before each commit
    Check,
    /// Run the steps of the test suite, with --thorough all of them, up to the first failure
    Test {
        /// Run only the step of the test suite with this name
        #[arg(long, value_name = "STEP", conflicts_with = "list")]
        only: Option<steps::TestStep>,
        /// List the names and descriptions of all steps
        #[arg(long)]
        list: bool,
        #[command(flatten)]
        options: steps::StepOptions,
    },
    /// Check source files by project rules that neither the compiler nor Clippy covers
    Tidy,
    /// Write the documents that show the output of the binary
    Generate {
        /// Write nothing; fail and show the difference if a document is stale
        #[arg(long)]
        check: bool,
    },
    /// Write the licence texts of the crates, npm packages and fonts of others that the published files contain
    Licences {
        /// Write nothing; fail if a file with licence texts is out of date
        #[arg(long)]
        check: bool,
    },
    /// Take the pictures in `docs/screenshots` with Chromium
    Screenshots {
        /// Instead of the pictures in `docs/screenshots`, write to `target/sheet` one contact sheet with pictures of matches with all decks
        /// and of other pages, in all window sizes, and print the card sizes
        #[arg(long)]
        sheet: bool,
    },
    /// Measure the release server on this machine with many clients, and the loading time of its start page
    Load(load::Load),
    /// Compute the servers, databases and memory that given numbers of players need, for `docs/scaling.md`
    Scaling(scaling::Scaling),
    /// Solve every rule set with published values and write `docs/solved.md` with its plots
    Solved {
        /// Instead of `docs/solved.md`, write the value of every deal in every published rule set of 20 cards into this folder, as CSV and
        /// Parquet
        #[arg(long, value_name = "DIR")]
        data: Option<std::path::PathBuf>,
    },
    /// Measure which Pinochle positions the solver can solve (takes ten minutes), and write the table and plot in `docs/performance`
    Pinochle,
    /// Measure the strength of the levels and write `docs/levels.md` with its plots
    Levels(solved::Levels),
    /// Find the embedded puzzles and write them with `docs/puzzles.md`
    Puzzles(solved::Puzzles),
    /// Build the Debian package, the archive and the bill of materials of a release in `target/packages`
    Package {
        /// Also check the Debian package, and install and remove it in a separate namespace; needs root
        #[arg(long)]
        check: bool,
        /// Instead of the packages, build the release in two folders and compare all files byte by byte; takes a quarter of an hour and
        /// 4 GB of disk space
        #[arg(long, conflicts_with = "check")]
        reproducible: bool,
    },
    /// Build the Python package as a wheel in `target/wheels`
    Python,
    /// Fuzz one target and keep its corpus in `target/fuzz-corpus`
    Fuzz {
        /// Name of the target: a `[[bin]]` of `fuzz/Cargo.toml`
        target: String,
        /// Duration of the run in seconds
        #[arg(long, default_value_t = 60)]
        seconds: u32,
        /// Run the target only on this input file, for example a file in `fuzz/artifacts`
        #[arg(long, value_name = "FILE", conflicts_with = "seconds")]
        input: Option<std::path::PathBuf>,
    },
}

fn main() -> ExitCode {
    xtask::exit_code(run(XtaskCli::parse().task))
}

fn run(task: Task) -> Result<ExitCode> {
    let repository = Repository::of_this_run()?;
    match task {
        Task::Play { terminal, args } => return Play { terminal, args }.run(&repository),
        Task::Build { auditable } => web::build(&repository, auditable)?,
        Task::Wasm { example: true, .. } => {
            println!("The module is {}", wasm::example(&repository)?.display());
        }
        Task::Wasm { package: false, .. } => drop(wasm::build(&repository)?),
        Task::Wasm { package: true, .. } => {
            println!(
                "The npm package is {}; install it with npm.",
                npm::pack(&repository)?.display()
            );
        }
        Task::Test { list: true, .. } => steps::list(),
        Task::Check => steps::check(&repository)?,
        Task::Test { only: Some(step), options, .. } => steps::run_one(&repository, step, options)?,
        Task::Test { only: None, options, .. } => plan::run_all(&repository, options)?,
        Task::Tidy => tidy::run(&repository)?,
        Task::Generate { check } => generate::run(&repository, check)?,
        Task::Licences { check } => licences::run(&repository, check)?,
        Task::Screenshots { sheet } => browser::screenshots(&repository, sheet)?,
        Task::Load(load) => load::run_load(&repository, &load)?,
        Task::Scaling(scaling) => scaling.print(),
        Task::Solved { data } => solved::solve(&repository, data.as_deref())?,
        Task::Pinochle => solved::pinochle(&repository)?,
        Task::Levels(levels) => solved::levels(&repository, &levels)?,
        Task::Puzzles(options) => solved::puzzles(&repository, &options)?,
        Task::Package { reproducible: true, .. } => release::check_reproducible(&repository)?,
        Task::Package { check, .. } => release::build(&repository, check)?,
        Task::Python => python::build_wheel(&repository)?,
        Task::Fuzz { target, input: Some(input), .. } => {
            fuzz::replay(&repository, &target, &input)?;
        }
        Task::Fuzz { target, seconds, input: None } => {
            fuzz::at_length(&repository, &target, seconds)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
