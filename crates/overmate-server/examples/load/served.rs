//! Runs the server under test with its own data folder.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::client::Fault;

/// Server process under test. Dropping this handle kills the process.
pub(crate) struct Served {
    child: Child,
    pub(crate) address: String,
    binary: PathBuf,
    options: Vec<String>,
    folder: tempfile::TempDir,
    /// Address of a PostgreSQL database, or `None` for SQLite in the data folder.
    database: Option<String>,
}

impl Served {
    /// Starts the server with SQLite on a free port, and waits until the server answers requests. `options` are further
    /// arguments.
    pub(crate) fn start(binary: &Path, options: &[&str]) -> Result<Self, Fault> {
        Self::start_on(binary, options, None)
    }

    /// Starts the server on a PostgreSQL database, or with SQLite in a new data folder.
    pub(crate) fn start_on(
        binary: &Path,
        options: &[&str],
        database: Option<&str>,
    ) -> Result<Self, Fault> {
        let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        let folder = tempfile::tempdir()?;
        let database = database.map(str::to_owned);
        let (child, address) = start(binary, &options, folder.path(), database.as_deref())?;
        Ok(Self { child, address, binary: binary.to_owned(), options, folder, database })
    }

    /// Kills the server process, and starts a new process with the same data and empty caches.
    pub(crate) fn restart(&mut self) -> Result<(), Fault> {
        self.kill();
        let database = self.database.as_deref();
        (self.child, self.address) =
            start(&self.binary, &self.options, self.folder.path(), database)?;
        Ok(())
    }

    /// Returns the process id of the server.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Returns the data folder of the server.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn kill(&mut self) {
        // A failure to kill the server process is ignored, because the process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.kill();
    }
}

fn start(
    binary: &Path,
    options: &[String],
    folder: &Path,
    database: Option<&str>,
) -> Result<(Child, String), Fault> {
    let mut command = Command::new(binary);
    command.args(["serve", "--listen", "127.0.0.1:0"]).args(options).env("RUST_LOG", "warn");
    match database {
        Some(address) => command.env("OVERMATE_DATABASE", address),
        None => command.arg("--data").arg(folder),
    };
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut line = String::new();
    let output = child.stdout.take().ok_or("the standard output of the server is not captured")?;
    BufReader::new(output).read_line(&mut line)?;
    let address = line
        .trim()
        .strip_prefix("http://")
        .ok_or("the server did not print its address: see its log")?;
    Ok((child, address.to_owned()))
}
