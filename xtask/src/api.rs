//! The server against its own description: schemathesis sends it what the document allows, and what it forbids.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::command::{build_overmate, run};
use crate::files::Repository;
use crate::install;

/// The version that is installed: another one may find other things on a day when nothing has changed.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";

/// Who sends it all: one browser, so that what it has made it can look at.
const COOKIE: &str =
    "Cookie: overmate_seat=5c4e3a7e5c4e3a7e5c4e3a7e5c4e3a7e5c4e3a7e5c4e3a7e5c4e3a7e5c4e3a7e";

/// A server that ends with this value.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Builds the server, starts it with a database of its own, and lets schemathesis loose on it.
pub(crate) fn check(repository: &Repository) -> Result<()> {
    let binary = build_overmate(repository)?;
    let schemathesis = installed(repository)?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let (_served, address) = serve(&binary, folder.path())?;
    let mut command = Command::new(schemathesis);
    command.current_dir(folder.path());
    command.args(["run", &format!("{address}/api/openapi.json"), "--header", COOKIE]);
    // The same every time, and not for long.
    command.args(["--seed", "1", "--generation-deterministic"]);
    // Some requests wait on purpose.
    command.args(["--request-timeout", "40"]);
    command.args([
        "--max-examples",
        "20",
        "--max-time",
        "60",
        "--phases",
        "examples,coverage,fuzzing",
    ]);
    // A WebSocket is not what it speaks. That a valid rule set or card must exist the document cannot say.
    command.args(["--exclude-operation-id", "connect"]);
    command.args([
        "--exclude-checks",
        "positive_data_acceptance",
        "--warnings",
        "off",
        "--no-color",
    ]);
    run(&mut command)
}

fn serve(binary: &Path, folder: &Path) -> Result<(Served, String)> {
    let mut child = Command::new(binary)
        .args(["serve", "--listen", "127.0.0.1:0", "--no-limits", "--data"])
        .arg(folder)
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start the server")?;
    let output = child.stdout.take();
    let served = Served(child);
    let mut line = String::new();
    BufReader::new(output.context("the server has no output")?).read_line(&mut line)?;
    let address = line.trim().to_owned();
    if !address.starts_with("http://") {
        bail!("the server did not start");
    }
    Ok((served, address))
}

/// The program in an environment of its own under `target`, installed when it is missing.
fn installed(repository: &Repository) -> Result<PathBuf> {
    let folder = repository.path("target/schemathesis");
    let program = folder.join("bin/schemathesis");
    let version = Command::new(&program).arg("--version").output();
    let wanted = SCHEMATHESIS.rsplit('=').next().unwrap_or_default();
    if version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(wanted)) {
        return Ok(program);
    }
    // Debian keeps the module in a package of its own.
    let probe = ["-c", "import venv, ensurepip"];
    let packages = ["python3", "python3-venv"];
    let what = "Python with its module venv, for schemathesis";
    install::ensure(what, Command::new("python3").args(probe), &packages)?;
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", SCHEMATHESIS];
    run(Command::new(folder.join("bin/python")).args(pip))
        .context("cannot install schemathesis from the Python package index")?;
    Ok(program)
}
