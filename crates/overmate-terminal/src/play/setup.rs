//! Starts a new match, or resumes a match from a file.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context as _, Result, bail};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use overmate_rules::{ByPlayer, Match, Player, Record, Seat};

use super::autosave::{Autosave, quoted, shell_word};
use super::controller::MatchController;
use super::opponent::{Opponent, ProgramOpponent};
use super::session::Session;
use crate::begin::POSITION;
use crate::private;
use crate::text::words;
use crate::untrusted;

/// Key of the record header that states whether the human is player A or B.
const HUMAN: &str = "Human";

/// Key of the record header that names the computer opponent. The value is `level:3`, `perfect`, `perfect:vs=3`, or `program` for an
/// external program.
const STRENGTH: &str = "Opponent";

/// Value of the record header `Opponent` if the opponent is an external program. The record does not hold the program's command, because a
/// record may come from a stranger.
const PROGRAM: &str = "program";

/// Settings of a new match against the computer.
pub struct MatchSetup {
    /// State of the match when the human begins to play.
    pub start: Match,
    /// Whether the human begins to play after the last action of the match `start`, and cannot undo the actions of `start`.
    pub begins_here: bool,
    /// Seat of the human player in the first game.
    pub seat: Seat,
    /// Opponent of the human.
    pub opponent: Opponent,
    /// File for the record of the match, or `None` for a new file in the user's data directory.
    pub record: Option<PathBuf>,
}

/// Begins a match, and chooses the file to which the match is saved from the first action on.
///
/// # Errors
///
/// Returns an error if the file exists already, or no file can be created in its folder.
pub fn new_match(new: MatchSetup) -> Result<MatchController> {
    let MatchSetup { start, begins_here, seat, opponent, record: path } = new;
    let position = start.current().position().to_string();
    let human = Match::player(0, seat);

    let today = today();
    let mut record = Record::new(start);
    let mut names = ByPlayer::new_with(|_| opponent.name());
    names[human] = words::YOU;
    let human_letter = human.to_string();
    let strength = match &opponent {
        Opponent::BuiltIn(kind) => kind.to_string(),
        Opponent::Program(_) => PROGRAM.to_owned(),
    };
    for (key, value) in [
        ("A", names.a),
        ("B", names.b),
        ("Date", &today),
        (HUMAN, &human_letter),
        (STRENGTH, &strength),
    ] {
        record.set_header(key, value)?;
    }
    if begins_here {
        record.set_header(POSITION, &position)?;
    }
    let autosave = match &path {
        Some(path) => Autosave::new_file(path)?,
        None => Autosave::in_data_folder(&today)?,
    };
    let autosave = advising(autosave, &opponent);
    let session = Session::new(record, human, opponent.name());
    Ok(MatchController::new(session, autosave, opponent))
}

/// Returns the current date in the user's time zone, such as `2026-11-20`.
fn today() -> String {
    let now = Timestamp::try_from(SystemTime::now()).unwrap_or(Timestamp::MAX);
    now.to_zoned_datetime(TimeZone::system()).date().to_string()
}

/// Adds the option `--bot` to the displayed shell command for resuming the match, if the opponent is an external program.
fn advising(autosave: Autosave, opponent: &Opponent) -> Autosave {
    match opponent {
        Opponent::BuiltIn(_) => autosave,
        Opponent::Program(program) => {
            autosave.resumed_with(format!(" --bot {}", shell_word(program.command())))
        }
    }
}

/// Resumes a match from the file of the match's record. For a match against an external program, `program` must be given again.
///
/// # Errors
///
/// Returns an error if the file cannot be read, or is not the record of an unfinished match that was begun at a terminal. Also returns
/// an error if `program` is missing for a match against an external program, or is given for any other match.
pub fn resume(path: &Path, program: Option<ProgramOpponent>) -> Result<MatchController> {
    let name = path.display();
    // A symbolic link to the file of the match is resolved, so that a save replaces the file and not the link.
    let real = fs::canonicalize(path).with_context(|| format!("cannot read the record {name}"))?;
    let text = untrusted::read_text(&real)?;
    let mut record = Record::read(&text)
        .with_context(|| format!("the text in {name} is not the record of a single match"))?;
    if record.played_match().result().is_some() {
        bail!(
            "the match in {name} is over and cannot be resumed: show it with `overmate replay {}`",
            quoted(path)
        );
    }
    let human = match record.header(HUMAN) {
        Some("A") => Player::A,
        Some("B") => Player::B,
        _ => bail!(
            "the record {name} does not say which player you are: add the header [Human \"A\"] or [Human \"B\"]"
        ),
    };
    // Match records of earlier versions lack the header `Opponent`, and the opponent in them was always the perfect player.
    let opponent = match (record.header(STRENGTH), program) {
        (Some(PROGRAM), Some(program)) => Opponent::Program(program),
        (Some(PROGRAM), None) => {
            bail!(
                "the match in {name} is against a program: give the command of the program with --bot COMMAND"
            )
        }
        (_, Some(_)) => bail!("the match in {name} is not against a program: leave out --bot"),
        (strength, None) => {
            let kind = strength.map_or("perfect".parse(), str::parse).with_context(|| {
                format!(
                    "the record {name} names no known opponent: correct its header [{STRENGTH} \"…\"]"
                )
            })?;
            Opponent::BuiltIn(kind)
        }
    };
    // A failure to make the existing file of the match private is ignored, because every save replaces the file by a private file.
    if let Ok(file) = fs::File::open(&real) {
        private::restrict(&file);
    }
    if let Opponent::Program(_) = opponent {
        // The record gets the name of the external program that is now the opponent. Another program may have played before.
        record.set_header(&(!human).to_string(), opponent.name())?;
    }
    let autosave = advising(Autosave::of_file(path, real, text), &opponent);
    let session = Session::new(record, human, opponent.name());
    Ok(MatchController::new(session, autosave, opponent))
}
