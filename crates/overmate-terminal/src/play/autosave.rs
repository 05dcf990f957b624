//! Saves a match by writing its whole record to a file after every action.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, Result, bail};
use etcetera::BaseStrategy as _;
use overmate_rules::Record;

use crate::{private, signals};

/// File to which a match is saved after every action.
///
/// The handler of Ctrl-C locks the same state, so the program ends only after a save is complete.
pub(crate) struct Autosave(Arc<Mutex<SaveState>>);

struct SaveState {
    /// Displayed path of the match's save file, with unresolved symbolic links.
    shown: PathBuf,
    path: PathBuf,
    /// Date in the automatically chosen name of the save file, or `None` if the user chose the file name. Until the first save, the
    /// program may change the number after the date.
    counting: Option<String>,
    /// Text of the record in the file after the most recent save, or `None` if the match was never saved.
    written: Option<String>,
    /// Options that follow the path in the displayed shell command for resuming the match, such as
    /// ` --bot 'python3 bot.py'`.
    resume_options: String,
    /// Whether the most recent attempt to save the match failed.
    failed: bool,
}

/// Result of a successful save.
pub(crate) enum SaveOutcome {
    /// The match was saved as usual, so the player needs no message about the save.
    AsUsual,
    /// The match was saved, although the previous attempt to save the match had failed.
    Recovered,
    /// The match was saved under a new file name, because a file of the intended name already existed.
    Renamed,
}

impl Autosave {
    /// Chooses an unused file name in the user's data directory for a new match. The first save creates the file.
    pub(crate) fn in_data_folder(day: &str) -> Result<Self> {
        const ADVICE: &str = "the match cannot be saved: choose a file with --record FILE";
        let strategy = etcetera::choose_base_strategy().context(ADVICE)?;
        let folder = strategy.data_dir().join("overmate").join("matches");
        let path = free_name(&folder, day);
        check_writable(&folder)
            .with_context(|| format!("cannot create files in the folder {}", folder.display()))
            .context(ADVICE)?;
        Ok(Self::new(path.clone(), path, Some(day.to_owned()), None))
    }

    /// Chooses `path` as the file of a new match. The first save creates the file.
    pub(crate) fn new_file(path: &Path) -> Result<Self> {
        let last = path.as_os_str().as_encoded_bytes().last();
        if path.is_dir() || last.is_some_and(|&byte| std::path::is_separator(byte.into())) {
            bail!("{} is the name of a folder: give --record a file name", path.display());
        }
        if fs::symlink_metadata(path).is_ok() {
            bail!(
                "the file {} exists already: choose another name, or continue its match, if it is not over, with `overmate play --resume {}`",
                path.display(),
                quoted(path)
            );
        }
        let folder = folder_of(path);
        let checked = match fs::metadata(folder) {
            Ok(_) => check_writable(folder),
            Err(error) => Err(error),
        };
        checked.with_context(|| {
            format!("cannot create the file {}: choose another place with --record", path.display())
        })?;
        Ok(Self::new(path.to_owned(), path.to_owned(), None, None))
    }

    /// Prepares to save a resumed match to the existing file `path`, which has the contents `text`.
    pub(crate) fn of_file(shown: &Path, path: PathBuf, text: String) -> Self {
        Self::new(shown.to_owned(), path, None, Some(text))
    }

    fn new(
        shown: PathBuf,
        path: PathBuf,
        counting: Option<String>,
        written: Option<String>,
    ) -> Self {
        Self(Arc::new(Mutex::new(SaveState {
            shown,
            path,
            counting,
            written,
            resume_options: String::new(),
            failed: false,
        })))
    }

    /// Sets the options that follow the path in the displayed shell command for resuming the match.
    pub(crate) fn resumed_with(self, options: String) -> Self {
        self.state().resume_options = options;
        self
    }

    fn state(&self) -> MutexGuard<'_, SaveState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Installs a signal handler that prints the path of the saved match and then terminates the program.
    ///
    /// The function `before` runs before the program prints the path.
    pub(crate) fn print_place_at_exit(&self, before: impl Fn() + Send + 'static) -> Result<()> {
        let autosave = Self(Arc::clone(&self.0));
        signals::when_told_to_end(move || {
            before();
            let state = autosave.state();
            // The message about the saved match goes to the standard error, because the standard output may be locked in the middle of a
            // line.
            let _ = writeln!(io::stderr(), "\n{}", state.leaving_message());
            signals::exit();
        })
    }

    /// Returns the path of the match's save file, as shown in messages to the player.
    pub(crate) fn place(&self) -> String {
        self.state().shown.display().to_string()
    }

    /// Returns whether the match has been saved to its file at least once.
    pub(crate) fn has_file(&self) -> bool {
        self.state().written.is_some()
    }

    /// Returns the message for a player who leaves an unfinished match: whether and where the match is saved.
    pub(crate) fn leaving_message(&self) -> String {
        self.state().leaving_message()
    }

    /// Returns the message for the end of the match: whether and where the match is saved.
    pub(crate) fn finished_message(&self) -> String {
        let state = self.state();
        if state.failed || state.written.is_none() {
            return state.leaving_message();
        }
        let shown = quoted(&state.shown);
        format!(
            "The match is kept in {}.\nTo look at it: overmate review {shown}",
            state.shown.display()
        )
    }

    /// Saves the whole record of the match to the match's file.
    pub(crate) fn save(&self, record: &Record) -> Result<SaveOutcome> {
        let mut state = self.state();
        let result = state.save(record.to_string());
        let failed_before = std::mem::replace(&mut state.failed, result.is_err());
        match result? {
            SaveOutcome::AsUsual if failed_before => Ok(SaveOutcome::Recovered),
            saved @ (SaveOutcome::AsUsual | SaveOutcome::Recovered | SaveOutcome::Renamed) => {
                Ok(saved)
            }
        }
    }
}

impl SaveState {
    fn save(&mut self, text: String) -> Result<SaveOutcome> {
        let shown = self.shown.display().to_string();
        let saved = if let Some(written) = &self.written {
            match fs::read_to_string(&self.path) {
                Ok(found) if found != *written => {
                    bail!(
                        "another program has changed the file {shown}: rename the changed file, so that the match can be saved under the name {shown}"
                    );
                }
                _ => write_whole(&self.path, &text, true)
                    .with_context(|| format!("cannot save the match to {shown}"))?,
            }
            SaveOutcome::AsUsual
        } else {
            self.create(&text).with_context(|| format!("cannot save the match to {shown}"))?
        };
        self.written = Some(text);
        Ok(saved)
    }

    /// Creates the file of a new match without overwriting any existing file.
    fn create(&mut self, text: &str) -> io::Result<SaveOutcome> {
        let Some(day) = &self.counting else {
            write_whole(&self.path, text, false)?;
            return Ok(SaveOutcome::AsUsual);
        };
        let folder = folder_of(&self.path).to_owned();
        private::create_folder(&folder)?;
        let mut saved = SaveOutcome::AsUsual;
        loop {
            match write_whole(&self.path, text, false) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    self.path = free_name(&folder, day);
                    self.shown.clone_from(&self.path);
                    saved = SaveOutcome::Renamed;
                }
                result => return result.map(|()| saved),
            }
        }
    }

    fn leaving_message(&self) -> String {
        let shown = self.shown.display();
        match (&self.written, self.failed) {
            (None, false) => "You played nothing, so nothing is kept.".to_owned(),
            (None, true) => "The match could not be saved, and is not kept.".to_owned(),
            (Some(_), _) if fs::metadata(&self.path).is_err() => {
                format!("The match was kept in {shown}, but that file is gone.")
            }
            (Some(_), failed) => {
                let kept =
                    if failed { "The match, without its last actions," } else { "The match" };
                let (file, options) = (quoted(&self.shown), &self.resume_options);
                format!(
                    "{kept} is kept in {shown}.\nTo go on: overmate play --resume {file}{options}"
                )
            }
        }
    }
}

/// Returns the first unused file path for a match that begins on the given day. The file names are `2026-11-20-1.mate`,
/// `2026-11-20-2.mate`, and so on.
fn free_name(folder: &Path, day: &str) -> PathBuf {
    let names = (1u64..).map(|n| folder.join(format!("{day}-{n}.mate")));
    let mut free = names.skip_while(|path| fs::symlink_metadata(path).is_ok());
    free.next().unwrap_or_else(|| folder.join(format!("{day}.mate")))
}

/// Returns the folder that contains a file; for a file name without a folder, the current folder.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Checks that files can be created in a folder, which need not exist yet, and leaves no file behind.
fn check_writable(folder: &Path) -> io::Result<()> {
    let existing = folder.ancestors().find(|path| fs::symlink_metadata(path).is_ok());
    let existing = existing.filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !fs::metadata(existing)?.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::NotADirectory,
            format!("{} is not a folder", existing.display()),
        ));
    }
    tempfile::tempdir_in(existing)?.close()
}

/// Writes a text to the file `path` atomically: to a temporary file, which is then renamed to `path`. Only the user may read the file.
fn write_whole(path: &Path, text: &str, replace: bool) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".overmate-").suffix(".tmp");
    let mut file = builder.tempfile_in(folder_of(path))?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    let placed = if replace { file.persist(path) } else { file.persist_noclobber(path) };
    placed.map(|_| ()).map_err(|error| error.error)
}

/// Quotes a path as a single argument of a shell command.
#[must_use]
pub fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    // A shell command would read a leading minus sign as an option.
    shell_word(&if text.starts_with('-') { format!("./{text}") } else { text })
}

/// Quotes a text as a single word of a shell command, if the text needs quotes.
pub(crate) fn shell_word(text: &str) -> String {
    let plain =
        |c: char| c.is_ascii_alphanumeric() || "/._-+~:".contains(c) || cfg!(windows) && c == '\\';
    if !text.is_empty() && text.chars().all(plain) && !text.starts_with('~') {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}
