//! Writes the standard error and the protocol log of external programs to files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Maximum total size, in bytes, of the saved standard error of all processes of an external
/// program.
const MAX_STDERR: usize = 16 << 20;

/// Text that ends the saved standard error of an external program that has printed more than the maximum size.
const CUT_OFF: &str = "\n[The arena keeps no more than 16 MiB of a program's standard error.]\n";

/// Folders in which an external program's log files are stored. Each process of the program has separate files.
///
/// A log file is created when its process writes for the first time. The files are called
/// `NAME-1.stderr`, `NAME-2.stderr` and so on, and `NAME-1.trace` in the same way. Text is appended
/// to files that exist.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ProgramLogs {
    /// Folder for the standard error of each process, or `None` to discard this output. The arena keeps the first 16
    /// MiB of all processes of the program.
    pub stderr: Option<PathBuf>,
    /// Folder for the protocol log (all lines between the arena and the program), or `None` to keep no protocol log.
    /// `> ` begins a line from the arena, `< ` a line from the program.
    pub trace: Option<PathBuf>,
}

impl ProgramLogs {
    /// Creates the log settings of an external program from a folder for standard error and a folder for protocol logs.
    /// `None` keeps no log of that kind.
    #[must_use]
    pub fn new(stderr: Option<PathBuf>, trace: Option<PathBuf>) -> Self {
        Self { stderr, trace }
    }
}

/// Factory for the log files of an external program's processes. All logs share the record of the first write failure,
/// and all standard-error logs share a size limit.
#[derive(Debug)]
pub(super) struct LogFolder {
    /// Number of processes of the external program that have been started so far.
    processes: AtomicU32,
    /// Remaining number of bytes of standard error that may be saved, in total for all processes of an external
    /// program.
    stderr_left: Arc<AtomicUsize>,
    fault: LogFault,
    cut: CutLog,
}

impl Default for LogFolder {
    fn default() -> Self {
        Self {
            processes: AtomicU32::default(),
            stderr_left: Arc::new(AtomicUsize::new(MAX_STDERR)),
            fault: LogFault::default(),
            cut: CutLog::default(),
        }
    }
}

/// Shared cell for the first write error in the log files of an external program; empty while no write has failed.
type LogFault = Arc<OnceLock<io::Error>>;

/// Shared cell for the path of an external program's first log file that was truncated at the size limit; empty before
/// a truncation.
type CutLog = Arc<OnceLock<PathBuf>>;

/// Log files of one process of an external program.
#[derive(Debug, Default)]
pub(super) struct ProcessLogs {
    pub(super) stderr: Option<LogFile>,
    pub(super) trace: Option<LogFile>,
}

/// Log file of an external program, to which text is appended. The first write failure closes the file.
#[derive(Debug)]
pub(super) struct LogFile {
    path: PathBuf,
    target: Mutex<Target>,
    /// Remaining number of bytes that may be written to the log files that share this counter; `None` without a limit.
    left: Option<Arc<AtomicUsize>>,
    fault: LogFault,
    cut: CutLog,
}

/// State of an external program's log file: not yet created, open or closed.
#[derive(Debug)]
enum Target {
    /// Unopened log file, which is opened by the first write.
    Planned,
    Open(File),
    /// Closed log file, to which nothing more is written.
    Closed,
}

impl LogFolder {
    /// Returns the log files of the external program's next process.
    pub(super) fn next(&self, name: &str, logs: &ProgramLogs) -> ProcessLogs {
        let number = self.processes.fetch_add(1, Ordering::Relaxed) + 1;
        let file = |folder: &PathBuf, kind: &str, left: Option<&Arc<AtomicUsize>>| {
            let path = folder.join(format!("{}-{number}.{kind}", file_name(name)));
            LogFile {
                path,
                target: Mutex::new(Target::Planned),
                left: left.map(Arc::clone),
                fault: Arc::clone(&self.fault),
                cut: Arc::clone(&self.cut),
            }
        };
        ProcessLogs {
            stderr: logs.stderr.as_ref().map(|to| file(to, "stderr", Some(&self.stderr_left))),
            trace: logs.trace.as_ref().map(|to| file(to, "trace", None)),
        }
    }

    /// Returns the first error from a write to one of the program's log files, or `None` if no write has failed.
    pub(super) fn fault(&self) -> Option<&io::Error> {
        self.fault.get()
    }

    /// Returns the path of the first log file truncated at the size limit, or `None` if no log file was truncated.
    pub(super) fn cut(&self) -> Option<&Path> {
        self.cut.get().map(PathBuf::as_path)
    }
}

impl LogFile {
    /// Appends bytes to the log file. After a write failure, and beyond the size limit, nothing more is written.
    pub(super) fn append(&self, bytes: &[u8]) {
        let mut target = self.target.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = self.write(&mut target, bytes) {
            *target = Target::Closed;
            // Only the first write failure of an external program's log files is kept. Later calls of `set` fail
            // without effect, so that their results are ignored.
            let _ = self.fault.set(error);
        }
    }

    fn write(&self, target: &mut Target, bytes: &[u8]) -> io::Result<()> {
        if matches!(target, Target::Planned) {
            *target = Target::Open(open(&self.path)?);
        }
        let Target::Open(file) = target else { return Ok(()) };
        let kept = self.left.as_ref().map_or(bytes.len(), |left| take(left, bytes.len()));
        file.write_all(&bytes[..kept])?;
        if kept < bytes.len() {
            // The cell `cut` keeps only the path of an external program's first log file that was cut off at the size limit.
            // Later calls of `set` fail without effect, so that their results are ignored.
            let _ = self.cut.set(self.path.clone());
            file.write_all(CUT_OFF.as_bytes())?;
            *target = Target::Closed;
        }
        Ok(())
    }

    /// Appends a protocol line to the log file, preceded by a mark that shows the sender.
    pub(super) fn line(&self, mark: &str, line: &str) {
        self.append(format!("{mark} {}\n", line.trim_end()).as_bytes());
    }
}

/// Subtracts up to `wanted` from the counter `left` of bytes that may still be logged, and returns the subtracted
/// number.
fn take(left: &AtomicUsize, wanted: usize) -> usize {
    let taken = |left: usize| Some(left.saturating_sub(wanted));
    let before = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken);
    before.unwrap_or_else(|left| left).min(wanted)
}

/// Opens a log file for appending, and creates the file and its folder if necessary.
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

/// Escapes the name of an entrant for use in a file name.
fn file_name(name: &str) -> String {
    let part = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' => c.to_string(),
        other => format!(".{:x}.", u32::from(other)),
    };
    name.chars().map(part).collect()
}
