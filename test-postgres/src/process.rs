//! Starts and terminates the processes of test servers, with timeouts.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Id of the user and group `nobody`. If the tests run as root, PostgreSQL runs as `nobody`, because PostgreSQL refuses to run as root.
pub(crate) const NOBODY: u32 = 65_534;

/// Maximum lifetime of a test server in seconds. The limit makes sure that a killed test leaves no server behind.
pub(crate) const LIFETIME: &str = "3600";

/// Timeout, in seconds, for programs other than servers, such as `initdb` and `openssl`.
pub(crate) const PATIENCE: &str = "60";

/// Timeout for the start or the termination of a test server.
pub(crate) const START: Duration = Duration::from_mins(1);

/// Returns a command that runs a program in a folder, with a timeout. If the folder belongs to `nobody`, the program runs as `nobody`.
pub(crate) fn command(folder: &Path, seconds: &str, program: &Path) -> Command {
    let mut command = Command::new("timeout");
    command.args(["--signal=QUIT", "--kill-after=10", seconds]).arg(program);
    command.current_dir(folder).env_clear().stdin(Stdio::null());
    if let Ok(owner) = fs::metadata(folder).map(|folder| folder.uid())
        && owner == NOBODY
    {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// Returns a TCP port that is free at the time of the call.
pub(crate) fn free_port() -> u16 {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    free.expect("a port is free").port()
}

/// Terminates a test server by the signal SIGQUIT, and waits for the exit of the process. The server was started through `timeout`, which
/// passes signals on.
pub(crate) fn quit(server: &mut Child) {
    // A failure of the command `kill` is ignored, because the server may have ended by itself.
    let _ = Command::new("kill").args(["-QUIT", &server.id().to_string()]).status();
    let _ = server.wait();
}
