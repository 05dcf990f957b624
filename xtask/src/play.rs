//! Implements `cargo xtask play`, which builds Overmate in the profile `trial` and runs Overmate in the browser or in the terminal. The
//! profile compiles quickly.

use std::io::{BufRead as _, BufReader};
use std::panic::resume_unwind;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result};

use crate::command::{cargo, run, shown};
use crate::files::{Repository, create_folder};
use crate::{wasm, web};

/// Arguments of cargo that select the binary `overmate` in the profile `trial`.
const BINARY: [&str; 7] =
    ["--profile", "trial", "--locked", "--package", "overmate", "--bin", "overmate"];

/// Environment variable that lets the server's crate compile although the web client has not been built. In the profile `trial`, the server
/// reads the web client from a folder at run time.
const WITHOUT_PAGE: &str = "OVERMATE_WITHOUT_PAGE";

/// Path of the folder from which the server reads the web client at run time.
const PAGE: &str = "crates/overmate-server/page";

/// Builds the web client and the binary in parallel, starts `overmate serve`, and opens the start page in the default browser.
pub(crate) fn in_browser(repository: &Repository, args: &[String]) -> Result<ExitCode> {
    // The macro that names the folder in the binary resolves symbolic links only if the folder exists.
    create_folder(&repository.path(PAGE))?;
    std::thread::scope(|scope| {
        let client = scope.spawn(|| {
            lower_priority();
            web::build_client(repository)
        });
        let binary = build(repository);
        client.join().unwrap_or_else(|panic| resume_unwind(panic)).and(binary)
    })?;
    wasm::note_if_missing(repository);
    let mut server = overmate(repository, "serve", args);
    eprintln!("$ {}", shown(&server));
    let mut child = server.stdout(Stdio::piped()).spawn().context("cannot start the server")?;
    // The first line of the server's output is its address, which the server prints as soon as it listens. Ctrl-C reaches both processes.
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines() {
            let line = line.context("cannot read the server's output")?;
            println!("{line}");
            if line.starts_with("http") {
                open(&line);
            }
        }
    }
    let status = child.wait().context("cannot wait for the end of the server process")?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}

/// Gives this thread and its child processes the lowest scheduling priority. The last crates of the binary compile one after the other, so
/// that the build of the web client then has an idle processor core. At an equal
/// priority, the build of the web client would delay the crates before.
fn lower_priority() {
    // On other systems, the whole process would have the lowest priority. If a priority stays as it was, the builds take a little longer.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(19);
}

/// Builds the binary, and runs `overmate play` in the current terminal.
pub(crate) fn in_terminal(repository: &Repository, args: &[String]) -> Result<ExitCode> {
    build(repository)?;
    hand_over(overmate(repository, "play", args))
}

/// Builds the binary `overmate`, and shows the progress of the build.
fn build(repository: &Repository) -> Result<()> {
    run(cargo(repository, ["build"]).args(BINARY).env(WITHOUT_PAGE, "1"))
}

/// Returns a command that runs a subcommand of the built binary `overmate`.
fn overmate(repository: &Repository, command: &str, args: &[String]) -> Command {
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

/// Replaces the xtask process by a program. The program then handles Ctrl-C, the terminal and the exit code itself.
#[cfg(unix)]
fn hand_over(mut program: Command) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(program.exec().into())
}

/// Runs a program to its end, and returns its exit code.
#[cfg(not(unix))]
fn hand_over(mut program: Command) -> Result<ExitCode> {
    let code = program.status()?.code().unwrap_or(1);
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)))
}
