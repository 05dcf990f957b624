//! Tests the server against its OpenAPI document with valid and invalid requests from the program `schemathesis`.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::command::{build_overmate, run};
use crate::files::Repository;
use crate::install;

/// Version of the program `schemathesis` that the API test installs. Another version could find new
/// faults in unchanged code.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";

/// Identity cookie of all requests, so that requests can read the matches of earlier requests.
const COOKIE: &str =
    "Cookie: overmate_seat=5c4e3a7e5c4e3a7e5c4e3a7e5c4e3a7e5c4e3a7e5c4e3a7e5c4e3a7e5c4e3a7e";

/// Server process that is killed when the handle is dropped.
struct ServedApi(Child);

impl Drop for ServedApi {
    fn drop(&mut self) {
        // An error is ignored, because it means that the process has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Builds the server, starts it with an empty database, and runs `schemathesis` against the running server.
pub(crate) fn check(repository: &Repository) -> Result<()> {
    let binary = build_overmate(repository)?;
    let schemathesis = installed(repository)?;
    let folder = tempfile::tempdir()
        .context("cannot make a temporary folder for the data of the tested server")?;
    let (_served, address) = serve(&binary, folder.path())?;
    let mut command = Command::new(schemathesis);
    command.current_dir(folder.path());
    command.args(["run", &format!("{address}/api/openapi.json"), "--header", COOKIE]);
    // A fixed seed makes the requests of all runs identical.
    command.args(["--seed", "1", "--generation-deterministic"]);
    // The timeout is long, because some requests wait for a change before the server answers.
    command.args(["--request-timeout", "40"]);
    command.args([
        "--max-examples",
        "20",
        "--max-time",
        "60",
        "--phases",
        "examples,coverage,fuzzing",
    ]);
    // The route of live connections is excluded, because schemathesis does not support WebSocket. The document cannot express which rule sets and
    // cards exist, so that valid data may be refused.
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

fn serve(binary: &Path, folder: &Path) -> Result<(ServedApi, String)> {
    let mut child = Command::new(binary)
        .args(["serve", "--listen", "127.0.0.1:0", "--no-limits", "--data"])
        .arg(folder)
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start the server")?;
    let output = child.stdout.take();
    let served = ServedApi(child);
    let mut line = String::new();
    BufReader::new(output.context("the standard output of the server is not captured")?)
        .read_line(&mut line)?;
    let address = line.trim().to_owned();
    if !address.starts_with("http://") {
        bail!("the server printed `{address}` where its address was expected");
    }
    Ok((served, address))
}

/// Returns the path of `schemathesis` in a virtual environment under `target`, and installs `schemathesis` there if it is missing.
fn installed(repository: &Repository) -> Result<PathBuf> {
    let folder = repository.path("target/schemathesis");
    let program = folder.join("bin/schemathesis");
    let version = Command::new(&program).arg("--version").output();
    let wanted = SCHEMATHESIS.rsplit('=').next().unwrap_or_default();
    if version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(wanted)) {
        return Ok(program);
    }
    // The probe imports `ensurepip` too, because Debian has this module in a separate package.
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
