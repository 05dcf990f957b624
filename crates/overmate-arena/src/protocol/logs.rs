//! Writes the standard error and the protocol's lines of external programs into files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Largest number of bytes that the arena keeps of the standard error of all processes of one program.
const MAX_STDERR: usize = 16 << 20;

/// Text that the arena writes after the last kept part of a program's standard error.
const CUT_OFF: &str = "\n[The arena keeps no more than 16 MiB of a program's standard error.]\n";

/// Folders for the log files of an external program. Each process of the program has separate files.
///
/// A file is created when its process writes to it. The files are called `NAME-1.stderr`, `NAME-2.stderr` and so on, and `NAME-1.trace` in the same way. Text is
/// appended to files that exist.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ProgramLogs {
    /// Folder for the text that each process writes to its standard error, or `None` to write no such text. The arena keeps the first 16 MiB of all
    /// processes of the program.
    pub stderr: Option<PathBuf>,
    /// Folder for the lines of the protocol, or `None` to write no lines. `> ` begins a line from the arena, `< ` a line from the program.
    pub trace: Option<PathBuf>,
}

impl ProgramLogs {
    /// Creates logs in the given folders. `None` keeps no log of that kind.
    #[must_use]
    pub fn new(stderr: Option<PathBuf>, trace: Option<PathBuf>) -> Self {
        Self { stderr, trace }
    }
}

/// Opener of the log files for the processes of one program.
#[derive(Debug)]
pub(super) struct LogFolder {
    /// Number of processes that have been started.
    processes: AtomicU32,
    /// Number of bytes of the standard error that may still be kept, shared by all processes.
    stderr_left: Arc<AtomicUsize>,
    fault: LogFault,
}

impl Default for LogFolder {
    fn default() -> Self {
        Self {
            processes: AtomicU32::default(),
            stderr_left: Arc::new(AtomicUsize::new(MAX_STDERR)),
            fault: LogFault::default(),
        }
    }
}

/// First failure to write a log file, shared by all processes of a program.
type LogFault = Arc<OnceLock<io::Error>>;

/// Log files of one process.
#[derive(Debug, Default)]
pub(super) struct ProcessLogs {
    pub(super) stderr: Option<LogFile>,
    pub(super) trace: Option<LogFile>,
}

/// Log file to which text is appended until a write fails for the first time.
#[derive(Debug)]
pub(super) struct LogFile {
    target: Mutex<Target>,
    /// Number of bytes that may still be written to the files that share this number; `None` without a limit.
    left: Option<Arc<AtomicUsize>>,
    fault: LogFault,
}

/// State of a log file.
#[derive(Debug)]
enum Target {
    /// File at this path, which is created with the first text.
    Planned(PathBuf),
    Open(File),
    /// File to which no more text is written.
    Closed,
}

impl LogFolder {
    /// Returns the files of the next process of a program.
    pub(super) fn next(&self, name: &str, logs: &ProgramLogs) -> ProcessLogs {
        let number = self.processes.fetch_add(1, Ordering::Relaxed) + 1;
        let file = |folder: &PathBuf, kind: &str, left: Option<&Arc<AtomicUsize>>| {
            let path = folder.join(format!("{}-{number}.{kind}", file_name(name)));
            LogFile {
                target: Mutex::new(Target::Planned(path)),
                left: left.map(Arc::clone),
                fault: Arc::clone(&self.fault),
            }
        };
        ProcessLogs {
            stderr: logs.stderr.as_ref().map(|to| file(to, "stderr", Some(&self.stderr_left))),
            trace: logs.trace.as_ref().map(|to| file(to, "trace", None)),
        }
    }

    /// Returns the first failure to write a log file.
    pub(super) fn fault(&self) -> Option<&io::Error> {
        self.fault.get()
    }
}

impl LogFile {
    /// Appends bytes to the file. After a failure, and beyond the limit, no more text is written.
    pub(super) fn append(&self, bytes: &[u8]) {
        let mut target = self.target.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = self.write(&mut target, bytes) {
            *target = Target::Closed;
            // Only the first failure is kept.
            let _ = self.fault.set(error);
        }
    }

    fn write(&self, target: &mut Target, bytes: &[u8]) -> io::Result<()> {
        if let Target::Planned(path) = target {
            *target = Target::Open(open(path)?);
        }
        let Target::Open(file) = target else { return Ok(()) };
        let kept = self.left.as_ref().map_or(bytes.len(), |left| take(left, bytes.len()));
        file.write_all(&bytes[..kept])?;
        if kept < bytes.len() {
            file.write_all(CUT_OFF.as_bytes())?;
            *target = Target::Closed;
        }
        Ok(())
    }

    /// Appends a line of the bot protocol to the log file, after a mark that names the sender of the line.
    pub(super) fn line(&self, mark: &str, line: &str) {
        self.append(format!("{mark} {}\n", line.trim_end()).as_bytes());
    }
}

/// Takes up to `wanted` bytes from the bytes that are left, and returns the number of taken bytes.
fn take(left: &AtomicUsize, wanted: usize) -> usize {
    let taken = |left: usize| Some(left.saturating_sub(wanted));
    let before = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken);
    before.unwrap_or_else(|left| left).min(wanted)
}

/// Opens a log file to append to it, and creates the file and its folder if they are missing.
fn open(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let opened = OpenOptions::new().append(true).create(true).open(path);
    opened.map_err(|error| {
        io::Error::new(
            error.kind(),
            format!("cannot write to the log file {}: {error}", path.display()),
        )
    })
}

/// Returns the name of an entrant as a part of a file name: each character other than letters, digits, `-` and `_` becomes its code point between two
/// dots, so that different names have different files.
fn file_name(name: &str) -> String {
    let part = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' => c.to_string(),
        other => format!(".{:x}.", u32::from(other)),
    };
    name.chars().map(part).collect()
}
