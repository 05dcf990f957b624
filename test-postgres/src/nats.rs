//! Starts NATS servers for tests.

use std::env;
use std::ffi::OsString;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::process::{LIFETIME, START, free_port, quit};

/// User name for each NATS test server, and the password in two forms: as plain text, and percent-encoded for URLs.
const LOGIN: (&str, [&str; 2]) = ("anna", ["a@b:c", "a%40b%3Ac"]);

/// Folder in which Debian installs NATS. Only the `PATH` of the user root contains this folder.
const DEBIAN: &str = "/usr/sbin";

/// NATS server on a port of its own. Dropping the value stops the server.
#[derive(Debug)]
pub struct Nats {
    port: u16,
    server: Option<Child>,
}

impl Nats {
    /// Starts a new NATS server.
    ///
    /// # Panics
    ///
    /// Panics if NATS is not installed, or if the server does not start within a minute.
    #[must_use]
    pub fn start() -> Self {
        let mut nats = Self::stopped();
        nats.restart();
        nats
    }

    /// Returns a NATS server that has not been started. Its port is free at the time of the call.
    ///
    /// # Panics
    ///
    /// Panics if the machine has no free port.
    #[must_use]
    pub fn stopped() -> Self {
        Self { port: free_port(), server: None }
    }

    /// Returns the host and port of a NATS server, separated by a colon.
    #[must_use]
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Returns the address of a NATS server with user and password, for clients.
    #[must_use]
    pub fn address(&self) -> String {
        let (user, [_, password]) = LOGIN;
        format!("nats://{user}:{password}@{}", self.host())
    }

    /// Returns whether the NATS server is running.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.server.is_some()
    }

    /// Kills the process of the NATS server.
    pub fn kill(&mut self) {
        if let Some(mut server) = self.server.take() {
            quit(&mut server);
        }
    }

    /// Restarts the NATS server at its former address.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start within a minute.
    pub fn restart(&mut self) {
        self.kill();
        let port = self.port.to_string();
        let server = Command::new("timeout")
            .args(["--signal=KILL", LIFETIME, "nats-server", "--addr", "127.0.0.1", "--port"])
            .args([&port, "--user", LOGIN.0, "--pass", LOGIN.1[0]])
            .env("PATH", path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let server = self.server.insert(server.expect("the program `timeout` exists"));
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let has_ended = server.try_wait().is_ok_and(|ended| ended.is_some());
            assert!(
                !has_ended && begin.elapsed() < START,
                "NATS does not start: run `cargo xtask test --only test`, or `apt-get install nats-server`"
            );
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Returns the search path `PATH`, extended by the installation folder of NATS.
fn path() -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain([PathBuf::from(DEBIAN)]);
    env::join_paths(folders).expect("the folders come from a path")
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
    }
}
