//! Builds Overmate in the profile `trial`, which compiles quickly, and runs Overmate in the browser or in the terminal.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader};
use std::panic::resume_unwind;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result};

use crate::command::{at_low_priority, cargo, hand_over, run, shown, task};
use crate::repository::{Repository, create_folder};
use crate::{engine, web};

/// Arguments of cargo that select the binary `overmate`, the build profile `trial`, and no default features. The default features are for
/// servers with a public address, and their libraries take long to build.
const BINARY: [&str; 8] = [
    "--profile",
    "trial",
    "--locked",
    "--no-default-features",
    "--package",
    "overmate",
    "--bin",
    "overmate",
];

/// Environment variable that lets the server's crate compile although the web client has not been built. In the profile `trial`, the server
/// reads the web client from a folder at run time.
pub const WITHOUT_PAGE: &str = "OVERMATE_WITHOUT_PAGE";

/// Path of the folder from which the server reads the web client at run time.
const PAGE: &str = "crates/overmate-server/page";

/// Arguments of `cargo xtask play`.
#[derive(PartialEq, Eq, Debug)]
pub struct Play {
    /// Whether the match is played in the current terminal. Otherwise, the match is played in the browser.
    pub terminal: bool,
    /// Arguments of `overmate play` in the terminal, or of `overmate serve` for the browser.
    pub args: Vec<OsString>,
}

impl Play {
    /// Parses the arguments of `cargo xtask` for the task `play`. Returns `None` if they name another task, or if they request the help
    /// text of this task.
    #[must_use]
    pub fn parse(args: &[OsString]) -> Option<Self> {
        let (task, mut args) = args.split_first()?;
        let mut takes = |option: &str| {
            let rest = args.split_first().filter(|(first, _)| *first == option);
            args = rest.map_or(args, |(_, rest)| rest);
            rest.is_some()
        };
        if task != "play" {
            return None;
        }
        let terminal = takes("--terminal");
        if takes("--help") || takes("-h") {
            return None;
        }
        takes("--");
        Some(Self { terminal, args: args.to_vec() })
    }

    /// Builds Overmate, and runs Overmate until its end. Returns the exit code.
    ///
    /// # Errors
    ///
    /// Returns an error if the build fails, or if the program does not start.
    pub fn run(&self, repository: &Repository) -> Result<ExitCode> {
        if self.terminal {
            build(repository)?;
            hand_over(overmate(repository, "play", &self.args))
        } else {
            in_browser(repository, &self.args)
        }
    }
}

/// Builds the web client and the binary in parallel, starts `overmate serve`, and opens the start page in the default browser.
fn in_browser(repository: &Repository, args: &[OsString]) -> Result<ExitCode> {
    // The folder of the built web client must exist when cargo builds the server, because the macro `RustEmbed` resolves symbolic links
    // only in the path of an existing folder.
    create_folder(&repository.path(PAGE))?;
    std::thread::scope(|scope| {
        let client = scope.spawn(|| build_client(repository));
        let binary = build(repository);
        client.join().unwrap_or_else(|panic| resume_unwind(panic)).and(binary)
    })?;
    engine::note_if_missing(repository);
    let mut server = overmate(repository, "serve", args);
    eprintln!("$ {}", shown(&server));
    let mut child = server.stdout(Stdio::piped()).spawn().context("cannot start the server")?;
    // The first line of the server's output is its address, which the server prints as soon as it listens. Ctrl-C reaches both processes.
    if let Some(output) = child.stdout.take() {
        for (index, line) in BufReader::new(output).lines().enumerate() {
            let line = line.context("cannot read the server's output")?;
            println!("{line}");
            if index == 0 && line.starts_with("http") {
                open(&line);
            }
        }
    }
    let status = child.wait().context("cannot wait for the end of the server process")?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}

/// Builds the web client at a low priority. If an earlier run has compiled the engine, first compiles the present engine.
///
/// The last crates of the binary compile one after the other, so that the build of the web client then has an idle processor core. At an
/// equal priority, the build of the web client would delay the earlier crates.
fn build_client(repository: &Repository) -> Result<()> {
    if engine::is_built(repository) {
        run(&mut at_low_priority(&task(repository, ["wasm"])))?;
    }
    web::build_client(repository, web::npm_at_low_priority)
}

/// Builds the binary `overmate`, and shows the progress of the build.
fn build(repository: &Repository) -> Result<()> {
    run(cargo(repository, ["build"]).args(BINARY).env(WITHOUT_PAGE, "1"))
}

/// Returns a command that runs a subcommand of the built binary `overmate`.
fn overmate(repository: &Repository, command: &str, args: &[OsString]) -> Command {
    let mut overmate = cargo(repository, ["run", "--quiet"]);
    overmate.args(BINARY).args(["--", command]).args(args).env(WITHOUT_PAGE, "1");
    overmate
}

/// Opens a web page in the default browser. If that fails, prints a request to open the address.
fn open(address: &str) {
    let (program, before): (_, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut opener = Command::new(program);
    opener.args(before).arg(address).stdout(Stdio::null()).stderr(Stdio::null());
    if opener.spawn().is_err() {
        eprintln!("open this address in a browser");
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn arguments_of_the_task_go_to_the_program() {
        let parse = |args: &[&str]| {
            Play::parse(&args.iter().map(OsString::from).collect::<Vec<_>>())
                .map(|play| (play.terminal, play.args.join(OsStr::new(" "))))
        };
        let browser = |args: &str| Some((false, OsString::from(args)));
        let terminal = |args: &str| Some((true, OsString::from(args)));

        assert_eq!(parse(&["play"]), browser(""));
        assert_eq!(parse(&["play", "--listen", "x", "--help"]), browser("--listen x --help"));
        assert_eq!(parse(&["play", "--", "--terminal"]), browser("--terminal"));
        assert_eq!(parse(&["play", "--terminal"]), terminal(""));
        assert_eq!(parse(&["play", "--terminal", "--rules", "bga"]), terminal("--rules bga"));
        assert_eq!(parse(&["play", "--terminal", "--", "-h"]), terminal("-h"));
        for others in [&["play", "-h"][..], &["play", "--terminal", "--help"], &["test"], &[]] {
            assert_eq!(parse(others), None, "{others:?}");
        }
    }
}
