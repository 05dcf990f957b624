//! Starts PostgreSQL servers for tests.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::certificates::{self, Authority};
use crate::process::{LIFETIME, NOBODY, PATIENCE, START, command, free_port, quit};

/// Running PostgreSQL server. Dropping the value stops the server and deletes its folder.
#[derive(Debug)]
pub struct Postgres {
    folder: TempDir,
    server: Child,
    /// Value of the PostgreSQL setting `fsync`, which is `on` if commits are flushed to the disk, and otherwise `off`.
    fsync: &'static str,
    /// TCP port for encrypted connections; `None` for a server with only a Unix socket.
    port: Option<u16>,
    databases: AtomicU32,
}

impl Postgres {
    /// Starts a new PostgreSQL server with `fsync` off. A test can kill the server without losing commits, because the operating system
    /// still writes them to the disk. Only a power failure, which no test causes, would lose commits.
    ///
    /// # Panics
    ///
    /// Panics if PostgreSQL is not installed, or if the server does not start within a minute.
    #[must_use]
    pub fn start() -> Self {
        Self::start_with("off", None)
    }

    /// Starts a new PostgreSQL server with `fsync` on, for measurements.
    ///
    /// # Panics
    ///
    /// Panics if PostgreSQL is not installed, or if the server does not start within a minute.
    #[must_use]
    pub fn start_durable() -> Self {
        Self::start_with("on", None)
    }

    /// Starts a new PostgreSQL server with a TCP port that accepts only encrypted connections. The [certificate](Self::certificate) of the
    /// server is for `localhost`.
    ///
    /// # Panics
    ///
    /// Panics if PostgreSQL or OpenSSL is not installed, or if the server does not start within a
    /// minute.
    #[must_use]
    pub fn start_encrypted() -> Self {
        Self::start_with("off", Some(free_port()))
    }

    fn start_with(fsync: &'static str, port: Option<u16>) -> Self {
        let folder = tempfile::tempdir().expect("there is room for a temporary folder");
        if is_of_root(folder.path()) {
            chown(folder.path(), Some(NOBODY), Some(NOBODY)).expect("root may give folders away");
        }
        let made = program(folder.path(), PATIENCE, "initdb")
            .args(["--no-sync", "--no-instructions", "--auth=trust", "--username=overmate"])
            .args(["--encoding=UTF8", "--locale=C.UTF-8", "--pgdata=data"])
            .output()
            .expect("the program `timeout` exists");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        if port.is_some() {
            certificates::create(folder.path());
            let rules = "local all all trust\nhostssl all all 127.0.0.1/32 trust\n";
            fs::write(folder.path().join("data/pg_hba.conf"), rules).expect("the file is writable");
        }
        let server = serve(folder.path(), fsync, port);
        let mut postgres = Self { folder, server, fsync, port, databases: AtomicU32::new(0) };
        postgres.wait_until_ready();
        postgres
    }

    /// Creates an empty database, and returns its URL.
    ///
    /// # Panics
    ///
    /// Panics if the server does not create the database.
    pub fn database(&self) -> String {
        let name = format!("mate{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let folder = self.folder.path();
        let made = program(folder, PATIENCE, "createdb")
            .arg("--host")
            .arg(folder)
            .args(["--port", &self.port.unwrap_or(5_432).to_string()])
            .args(["--username=overmate", &name])
            .output()
            .expect("the program `timeout` exists");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        match self.port {
            Some(port) => format!("postgres://overmate@localhost:{port}/{name}"),
            None => format!("postgres://overmate@localhost/{name}?host={}", folder.display()),
        }
    }

    /// Returns the path of the root certificate that belongs to a certificate authority.
    #[must_use]
    pub fn certificate(&self, authority: Authority) -> PathBuf {
        self.folder.path().join(authority.file())
    }

    /// Returns the rows of an SQL query, each as a list of strings. The program `psql` runs the query, because `psql` shares no code with
    /// the server under test.
    ///
    /// # Panics
    ///
    /// Panics if the query fails.
    #[must_use]
    pub fn rows(&self, database: &str, query: &str) -> Vec<Vec<String>> {
        let found = program(self.folder.path(), PATIENCE, "psql")
            .args(["--no-psqlrc", "--no-align", "--tuples-only", "--field-separator=\t"])
            .args(["--command", query, database])
            .output()
            .expect("the program `timeout` exists");
        assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
        let text = String::from_utf8(found.stdout).expect("the database holds UTF-8");
        text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
    }

    /// Kills the PostgreSQL server as in a crash, and restarts the server.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start within a minute.
    pub fn crash_and_restart(&mut self) {
        self.stop();
        self.server = serve(self.folder.path(), self.fsync, self.port);
        self.wait_until_ready();
    }

    /// Returns the id of PostgreSQL's main process.
    #[must_use]
    pub fn process(&self) -> u32 {
        self.server.id()
    }

    /// Stops the PostgreSQL server immediately, without a checkpoint.
    fn stop(&mut self) {
        let state = fs::read_to_string(self.folder.path().join("data/postmaster.pid"));
        quit(&mut self.server);
        // The program `timeout`, which runs the server, may end before the server. The function therefore waits for the server itself,
        // because the folder accepts no other server until then.
        let process = state.ok().and_then(|state| state.lines().next().map(str::to_owned));
        if let Some(process) = process {
            let begin = Instant::now();
            while Path::new("/proc").join(&process).exists() && begin.elapsed() < START {
                thread::sleep(Duration::from_millis(5));
            }
        }
    }

    fn wait_until_ready(&mut self) {
        let begin = Instant::now();
        let state = self.folder.path().join("data/postmaster.pid");
        while !fs::read_to_string(&state).is_ok_and(|state| state.trim_end().ends_with("ready")) {
            let has_ended = self.server.try_wait().is_ok_and(|ended| ended.is_some());
            if has_ended || begin.elapsed() > START {
                let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
                panic!("PostgreSQL does not start: {log}");
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.stop();
    }
}

fn serve(folder: &Path, fsync: &str, port: Option<u16>) -> Child {
    let log = fs::File::create(folder.join("log")).expect("the folder is writable");
    let mut settings = vec![format!("fsync={fsync}")];
    match port {
        Some(port) => {
            settings.extend(["listen_addresses=127.0.0.1", "ssl=on"].map(str::to_owned));
            settings.push(format!("port={port}"));
            let [certificate, key] = certificates::OF_SERVER.map(|file| folder.join(file));
            settings.push(format!("ssl_cert_file={}", certificate.display()));
            settings.push(format!("ssl_key_file={}", key.display()));
        }
        None => settings.push("listen_addresses=".to_owned()),
    }
    program(folder, LIFETIME, "postgres")
        .args(["-D", "data"])
        .args(settings.iter().flat_map(|setting| ["-c", setting]))
        .arg("-k")
        .arg(folder)
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .expect("the program `timeout` exists")
}

/// Returns a command that runs a PostgreSQL program in a folder. The program has a time limit and never runs as root.
fn program(folder: &Path, seconds: &str, name: &str) -> Command {
    command(folder, seconds, &programs().join(name))
}

fn is_of_root(folder: &Path) -> bool {
    fs::metadata(folder).is_ok_and(|folder| folder.uid() == 0)
}

/// Returns the program folder of the newest installed PostgreSQL. The function looks in the folders
/// of Debian, then in `PATH`.
fn programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest = versions
        .filter_map(|version| version.file_name().to_str()?.parse::<u32>().ok())
        .max()
        .map(|version| PathBuf::from(format!("/usr/lib/postgresql/{version}/bin")));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = newest.into_iter().chain(std::env::split_paths(&path));
    folders.find(|folder| folder.join("initdb").is_file()).expect(
        "PostgreSQL is installed: run `cargo xtask test --only test`, or `apt-get install postgresql`",
    )
}
