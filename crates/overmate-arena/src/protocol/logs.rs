//! Writes the standard error and the protocol's lines of external programs into files.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Folders for the log files of an external program. Each process of the program has separate files.
///
/// The files are called `NAME-1.stderr`, `NAME-2.stderr` and so on, and `NAME-1.trace` in the same way. Text is
/// appended to files that exist.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ProgramLogs {
    /// Folder for the text that each process writes to its standard error, or `None` to write no such text.
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
#[derive(Debug, Default)]
pub(super) struct LogFolder {
    /// Number of processes that have been started.
    processes: AtomicU32,
    fault: LogFault,
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
    file: Mutex<Option<File>>,
    fault: LogFault,
}

impl LogFolder {
    /// Opens the files of the next process of a program.
    pub(super) fn open(&self, name: &str, logs: &ProgramLogs) -> io::Result<ProcessLogs> {
        let number = self.processes.fetch_add(1, Ordering::Relaxed) + 1;
        let file = |folder: &Option<PathBuf>, kind: &str| {
            let Some(folder) = folder else { return Ok(None) };
            let path = folder.join(format!("{}-{number}.{kind}", file_name(name)));
            let file = open(&path)?;
            Ok::<_, io::Error>(Some(LogFile {
                file: Mutex::new(Some(file)),
                fault: Arc::clone(&self.fault),
            }))
        };
        Ok(ProcessLogs {
            stderr: file(&logs.stderr, "stderr")?,
            trace: file(&logs.trace, "trace")?,
        })
    }

    /// Returns the first failure to write a log file.
    pub(super) fn fault(&self) -> Option<&io::Error> {
        self.fault.get()
    }
}

impl LogFile {
    /// Appends bytes to the file. After a failure no more text is written.
    pub(super) fn append(&self, bytes: &[u8]) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Err(error)) = file.as_mut().map(|file| file.write_all(bytes)) {
            *file = None;
            // Only the first failure is kept.
            let _ = self.fault.set(error);
        }
    }

    /// Appends a line of the bot protocol to the log file, after a mark that names the sender of the line.
    pub(super) fn line(&self, mark: &str, line: &str) {
        self.append(format!("{mark} {}\n", line.trim_end()).as_bytes());
    }
}

fn open(path: &Path) -> io::Result<File> {
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
