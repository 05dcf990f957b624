//! Runs the binary `overmate` for tests, with a fixed input or with answers to its prompts.

use std::ffi::OsStr;
use std::io::{BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use tempfile::TempDir;

/// Empty home folder of a test, as on a new machine.
pub(crate) struct Home(TempDir);

/// Exit code and output of a finished run of the binary `overmate`.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("there is room for a temporary folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file into the home folder, and returns the path of the file as a command-line argument.
    pub(crate) fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, contents).unwrap();
        path.to_str().unwrap().to_owned()
    }

    pub(crate) fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        self.command_of(Path::new(env!("CARGO_BIN_EXE_overmate")), args)
    }

    /// Returns a command that runs the given build of the binary `overmate` in the home folder of the test.
    pub(crate) fn command_of<S: AsRef<OsStr>>(
        &self,
        binary: &Path,
        args: impl IntoIterator<Item = S>,
    ) -> Command {
        let mut command = Command::new(binary);
        command.args(args).current_dir(self.0.path()).env_clear();
        command.env("HOME", self.0.path()).env("XDG_DATA_HOME", self.path("data"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the binary `overmate` to its end without input.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.command(args).output().unwrap().into()
    }

    /// Runs the binary `overmate` to its end with the given standard input.
    pub(crate) fn run_with(&self, args: &[&str], input: impl AsRef<[u8]>) -> Ran {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(input.as_ref()).unwrap();
        std::io::Seek::rewind(&mut file).unwrap();
        self.command(args).stdin(file).output().unwrap().into()
    }

    /// Returns a shell command that runs a script. In the script, `$0` stands for the binary `overmate`.
    #[cfg(unix)]
    pub(crate) fn shell(&self, script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_overmate"));
        command.current_dir(self.0.path()).env_clear();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Starts `overmate play` with pipes, so that a test can answer the program's prompts.
    pub(crate) fn talk(&self, args: &[&str]) -> Talk {
        Talk::of(self.command(args))
    }

    /// Returns the path of the only saved match in the default folder for matches.
    pub(crate) fn kept(&self) -> PathBuf {
        let folder = self.path("data/overmate/matches");
        let files: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
        assert_eq!(files.len(), 1, "{files:?}");
        files[0].clone()
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the output is text");
        Self {
            stdout: text(output.stdout),
            stderr: text(output.stderr),
            code: output.status.code(),
        }
    }
}

impl Ran {
    /// Returns the standard output of a run of the binary `overmate`. The run must have succeeded without a message on the standard error.
    #[track_caller]
    pub(crate) fn ok(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{}", self.stdout);
        self.stdout
    }

    /// Asserts that a run of the binary `overmate` failed with the given exit code, and that its error contains the given texts.
    #[track_caller]
    pub(crate) fn fails(self, code: i32, saying: &[&str]) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        for text in saying {
            assert!(self.stderr.contains(text), "`{text}` is missing in: {}", self.stderr);
        }
        assert!(self.stderr.starts_with("error: "), "{}", self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }
}

/// Waits until a running program has set its handler of Ctrl-C. Before, Ctrl-C would end the program without an exit code.
#[cfg(target_os = "linux")]
pub(crate) fn wait_until_ctrl_c_is_handled(child: &Child) {
    // The line `SigCgt` shows the handled signals as a hexadecimal bit set, whose lowest bit is signal 1. SIGINT is signal 2.
    let is_handled = || {
        let status = text(Path::new(&format!("/proc/{}/status", child.id())));
        let handled = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(handled.trim(), 16).unwrap() & 0b10 != 0
    };
    while !is_handled() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// Sends Ctrl-C to a running program, and returns the program's output and exit code after the program
/// has ended.
#[cfg(unix)]
pub(crate) fn interrupt(child: Child) -> Ran {
    signal(child.id(), "-INT");
    child.wait_with_output().unwrap().into()
}

/// Sends a signal to a process. `name` is the option of the command `kill` for the signal, such as `-INT`.
#[cfg(unix)]
pub(crate) fn signal(process: u32, name: &str) {
    let sent = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Makes a command run its program with a clock that is shifted by the time `by`, such as `-1h` or `+60s`. Durations
/// that the program measures stay correct.
#[cfg(unix)]
pub(crate) fn shift_clock(command: &mut Command, by: &str) {
    command.env("LD_PRELOAD", fake_time()).env("FAKETIME", by);
    command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
}

/// Removes the field `seconds`, which varies from run to run, from a JSON object.
pub(crate) fn without_seconds(object: &str) -> String {
    let (before, rest) = object.split_once("\"seconds\":").unwrap();
    let (_, after) = rest.split_once(',').unwrap();
    format!("{before}{after}")
}

/// Running process of `overmate play`. A test answers the prompts of the process through pipes.
pub(crate) struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// Text that `overmate play` has printed so far.
    pub(crate) heard: String,
}

impl Talk {
    /// Starts a command for `overmate play` with pipes as its standard input and output.
    pub(crate) fn of(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take());
        Self { child, input, output: BufReader::new(output.unwrap()), heard: String::new() }
    }

    /// Returns the output of `overmate play` up to the next prompt or the end of the output.
    pub(crate) fn listen(&mut self) -> String {
        let mut heard = Vec::new();
        for byte in self.output.by_ref().bytes() {
            heard.push(byte.unwrap());
            if heard.ends_with(b"\n> ") || heard.ends_with(b"type yes: ") {
                break;
            }
        }
        let heard = String::from_utf8(heard).unwrap();
        self.heard.push_str(&heard);
        heard
    }

    /// Types a line at a prompt of `overmate play`, and returns the output up to the next prompt or the end of the output.
    pub(crate) fn say(&mut self, line: &str) -> String {
        let input = self.input.as_mut().expect("the input is open");
        // A failed write is ignored, because the program may have ended.
        let _ = writeln!(input, "{line}");
        self.listen()
    }

    /// Closes the input of `overmate play`, and reads the output to its end.
    pub(crate) fn end(mut self) -> Ran {
        drop(self.input.take());
        self.hear_out()
    }

    /// Reads all remaining output of `overmate play` without closing its input. Closing the input would end the program.
    pub(crate) fn hear_out(mut self) -> Ran {
        self.listen();
        let mut stderr = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        let code = self.child.wait().unwrap().code();
        Ran { stdout: self.heard, stderr, code }
    }

    /// Sends Ctrl-C to `overmate play`.
    #[cfg(unix)]
    pub(crate) fn interrupt(&self) {
        self.signal("-INT");
    }

    /// Sends a signal to `overmate play`. `name` is the option of the command `kill` for the signal, such as `-INT`.
    #[cfg(unix)]
    pub(crate) fn signal(&self, name: &str) {
        signal(self.child.id(), name);
    }
}

/// Returns the legal actions in the last prompt that `overmate play` has printed.
pub(crate) fn legal(heard: &str) -> Vec<String> {
    let line = heard.lines().rev().find_map(|line| line.strip_prefix("Legal: "));
    line.expect("it is the human's turn").split(' ').map(str::to_owned).collect()
}

/// Returns whether the output of `overmate play` ends with a prompt for an action.
pub(crate) fn asks(heard: &str) -> bool {
    heard.ends_with("\n> ")
}

pub(crate) fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// Rule set with six cards, small enough that the values of its deals can be computed by hand.
///
/// The rule set has three suits x, y, z, two ranks A (11) and B (10), no foreplacing, and three
/// cards a hand.
pub(crate) const SMALL: &str = r#"
name = "small"
rounds = 1

[deck]
suits = [
  { letter = "x", name = "x-es" },
  { letter = "y", name = "y-es" },
  { letter = "z", name = "z-es" },
]
ranks = [
  { letter = "A", name = "ace", value = 11 },
  { letter = "B", name = "bee", value = 10 },
]
"#;

/// Hands of one deal of the rule set `SMALL`.
pub(crate) const SMALL_DEAL: &str = "Ax Bx Ay / By Az Bz";

/// Returns the path of the library that shifts the clock of a process.
#[cfg(unix)]
pub(crate) fn fake_time() -> String {
    let folders = std::fs::read_dir("/usr/lib").unwrap().flatten();
    let mut found = folders.map(|folder| folder.path().join("faketime/libfaketime.so.1"));
    let found = found.find(|path| path.is_file()).expect(
        "libfaketime is installed: run `cargo xtask test --only test`, or `apt-get install faketime`",
    );
    found.to_str().unwrap().to_owned()
}
