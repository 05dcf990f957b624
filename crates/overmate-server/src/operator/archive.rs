//! Writes finished matches to Parquet files for research. The files contain no names and no identities.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use overmate_rules::{ByPlayer, Player, error_with_causes};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use tempfile::NamedTempFile;

use crate::clock;
use crate::data_folder::{self, NoDatabase, Target, TargetFault, folder_of};
use crate::database::Database;
use crate::matches::match_state::{LogLimits, MatchState};
use crate::matches::replay_error::ReplayError;
use crate::settings::Limits;
use crate::shared_deal::SharedDeal;
use crate::store::connection::inspect::{self, Unsound};
use crate::store::finished::{Finished, finished, shared_since};
use crate::store::{Entry, EntryKind, MatchInfo, Occupant, StoreError, player_text};

/// PostgreSQL application name of the sessions of the command `overmate archive`.
const APPLICATION: &str = "overmate archive";

/// Number of rows in a row group of the Parquet files. Rows are kept in memory until a row group is
/// complete.
const ROW_GROUP: usize = 50_000;

/// Names of the two files of an archive of finished matches.
const FILES: [&str; 2] = ["matches.parquet", "entries.parquet"];

/// Row counts of a written archive, and the list of skipped matches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Archived {
    /// Number of rows in `matches.parquet`.
    pub matches: u64,
    /// Number of rows in `entries.parquet`.
    pub entries: u64,
    /// Finished matches that the archive does not hold, because their stored rows are damaged.
    pub skipped: Vec<SkippedMatch>,
}

/// Match that an archive skips because its stored rows are damaged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SkippedMatch {
    /// Id of the match.
    pub id: String,
    /// Description of the damage in the match's stored rows.
    pub reason: String,
}

/// Reason why the archive of finished matches was not written. Existing files are replaced only by complete files. An existing file is lost
/// only after [`ArchiveError::SecondFile`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The data folder has no database that this process can use.
    #[error(transparent)]
    NoDatabase(#[from] NoDatabase),
    /// A file of the archive exists already at the given path.
    #[error("the file {} exists already: give --force to replace the files of the archive", .0.display())]
    Exists(PathBuf),
    /// A file of the archive may not be replaced, even with the caller's permission.
    #[error(transparent)]
    Target(#[from] TargetFault),
    /// The database cannot be read.
    #[error("the database {database} cannot be read")]
    Unsound {
        /// Database with the matches to archive.
        database: Database,
        /// Reason why the database is not usable.
        source: Unsound,
    },
    /// The database was locked or unreachable while the archive of its finished matches was written.
    #[error("the database {database} stopped answering while its matches were read: try again")]
    Interrupted {
        /// Database with the matches to archive.
        database: Database,
        /// Error from the database.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The database failed while the archive of its finished matches was written.
    #[error(
        "the database {database} failed while its matches were read: examine the database with `overmate doctor`"
    )]
    Failed {
        /// Database with the matches to archive.
        database: Database,
        /// Error from the database.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The second file of the archive was not written. The first file was removed, because its rows and those of an older second file do
    /// not belong together.
    #[error(
        "the archive has lost the file {}, because its second file cannot be written: write the archive again",
        removed.display()
    )]
    SecondFile {
        /// Path of the removed first file of the archive.
        removed: PathBuf,
        /// Reason why the second file was not written.
        source: Box<ArchiveError>,
    },
    /// A file or the folder of the archive is not writable.
    #[error("cannot write the archive to {}", path.display())]
    Write {
        /// Path of the file or folder that is not writable.
        path: PathBuf,
        /// Error from the operating system or from the Parquet library.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// Value of one column in one row of a Parquet file. Every row has a value in every column.
#[derive(Clone, Copy, Debug)]
enum Cell<'a> {
    Number(i64),
    Flag(bool),
    Text(&'a str),
}

/// Values of one column in one row group of a Parquet file.
#[derive(Debug)]
enum Column {
    Numbers(Vec<i64>),
    Flags(Vec<bool>),
    Texts(Vec<ByteArray>),
}

impl Column {
    fn len(&self) -> usize {
        match self {
            Self::Numbers(values) => values.len(),
            Self::Flags(values) => values.len(),
            Self::Texts(values) => values.len(),
        }
    }
}

/// Returns the columns of the archive file `matches.parquet`, each with its name and without values.
fn match_columns() -> Vec<(&'static str, Column)> {
    let (number, flag, text) = (numbers, flags, texts);
    vec![
        ("match", number()),
        ("day", text()),
        ("rules", text()),
        ("player_a", text()),
        ("player_b", text()),
        ("alone", flag()),
        ("shared_deal", text()),
        ("deal_chosen", flag()),
        ("deals", text()),
        ("games", number()),
        ("points_a", number()),
        ("points_b", number()),
        ("resigned", text()),
        ("offline", flag()),
    ]
}

/// Returns the columns of the archive file `entries.parquet`, each with its name and without values.
fn entry_columns() -> Vec<(&'static str, Column)> {
    let (number, text) = (numbers, texts);
    vec![
        ("match", number()),
        ("entry", number()),
        ("game", number()),
        ("player", text()),
        ("kind", text()),
        ("action", text()),
        ("seconds", number()),
    ]
}

fn numbers() -> Column {
    Column::Numbers(Vec::new())
}

fn flags() -> Column {
    Column::Flags(Vec::new())
}

fn texts() -> Column {
    Column::Texts(Vec::new())
}

/// Unfinished Parquet file under a temporary name.
struct TableFile {
    path: PathBuf,
    new: NamedTempFile,
    writer: SerializedFileWriter<File>,
    columns: Vec<Column>,
    rows: u64,
}

impl TableFile {
    fn create(path: PathBuf, columns: Vec<(&'static str, Column)>) -> Result<Self, ArchiveError> {
        let new = data_folder::new_file(folder_of(&path)).map_err(writing(&path))?;
        let file = new.as_file().try_clone().map_err(writing(&path))?;
        let fields = columns.iter().map(|(name, column)| {
            let (physical, logical) = match column {
                Column::Numbers(_) => (Physical::INT64, None),
                Column::Flags(_) => (Physical::BOOLEAN, None),
                Column::Texts(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            };
            let field = Type::primitive_type_builder(name, physical)
                .with_repetition(Repetition::REQUIRED)
                .with_logical_type(logical);
            field.build().map(Arc::new)
        });
        let fields: Result<Vec<_>, ParquetError> = fields.collect();
        let schema = fields
            .and_then(|fields| Type::group_type_builder("row").with_fields(fields).build())
            .map_err(writing(&path))?;
        let compression = Compression::ZSTD(ZstdLevel::default());
        let properties = WriterProperties::builder().set_compression(compression).build();
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties));
        let writer = writer.map_err(writing(&path))?;
        let columns = columns.into_iter().map(|(_, column)| column).collect();
        Ok(Self { path, new, writer, columns, rows: 0 })
    }

    /// Adds a row to the Parquet file. The cells must have the order and the types of the columns.
    fn push<const N: usize>(&mut self, cells: [Cell<'_>; N]) {
        debug_assert_eq!(cells.len(), self.columns.len());
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            match (column, cell) {
                (Column::Numbers(values), Cell::Number(value)) => values.push(value),
                (Column::Flags(values), Cell::Flag(value)) => values.push(value),
                (Column::Texts(values), Cell::Text(value)) => values.push(value.into()),
                (column, cell) => unreachable!("the cell {cell:?} is not of {column:?}"),
            }
        }
        self.rows += 1;
    }

    /// Writes the buffered rows of the Parquet file as a new row group, unless the buffer holds fewer than `least` rows.
    fn flush(&mut self, least: usize) -> Result<(), ArchiveError> {
        let waiting = self.columns.first().map_or(0, Column::len);
        if waiting < least {
            return Ok(());
        }
        let write = |writer: &mut SerializedFileWriter<File>, columns: &mut [Column]| {
            let mut group = writer.next_row_group()?;
            for values in columns {
                let Some(mut column) = group.next_column()? else { break };
                match values {
                    Column::Numbers(values) => {
                        column.typed::<Int64Type>().write_batch(values, None, None)?;
                        values.clear();
                    }
                    Column::Flags(values) => {
                        column.typed::<BoolType>().write_batch(values, None, None)?;
                        values.clear();
                    }
                    Column::Texts(values) => {
                        column.typed::<ByteArrayType>().write_batch(values, None, None)?;
                        values.clear();
                    }
                }
                column.close()?;
            }
            group.close().map(drop)
        };
        write(&mut self.writer, &mut self.columns).map_err(writing::<ParquetError>(&self.path))
    }

    /// Completes the Parquet file, and returns the file under its temporary name.
    fn complete(mut self) -> Result<CompleteFile, ArchiveError> {
        self.flush(1)?;
        let Self { path, new, writer, rows, .. } = self;
        // The error of `into_inner` is reported, because this call writes the last bytes of the file.
        writer.into_inner().map_err(writing(&path))?;
        new.as_file().sync_all().map_err(writing(&path))?;
        Ok(CompleteFile { path, new, rows })
    }
}

/// Complete Parquet file under a temporary name, and its number of rows.
struct CompleteFile {
    path: PathBuf,
    new: NamedTempFile,
    rows: u64,
}

impl CompleteFile {
    /// Renames the file to its final name, and returns its number of rows.
    fn place(self, force: bool) -> Result<u64, ArchiveError> {
        let Self { path, new, rows } = self;
        data_folder::place(new, &path, force).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => ArchiveError::Exists(path.clone()),
            _ => writing(&path)(error),
        })?;
        Ok(rows)
    }
}

/// Returns a function that wraps an error from the operating system or the Parquet library in an
/// [`ArchiveError`].
fn writing<E>(path: &Path) -> impl Fn(E) -> ArchiveError + use<E>
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let path = path.to_owned();
    move |source| ArchiveError::Write { path: path.clone(), source: source.into() }
}

/// Writes all finished matches of a database to `matches.parquet` and `entries.parquet` in a folder. A server may use the
/// database meanwhile.
///
/// Creates the folder of the archive if the folder is missing. The files hold no names, ids, links
/// and browser identities. A match whose stored rows are damaged is left out.
///
/// # Errors
///
/// Returns [`ArchiveError`] if a file exists and may not be replaced, if the database cannot be
/// read, or if a file cannot be written. A file gets its name only when it is complete.
pub async fn archive(
    database: &Database,
    folder: &Path,
    force: bool,
) -> Result<Archived, ArchiveError> {
    let data = database.folder();
    if let Some(data) = data {
        data_folder::existing_database(data)?;
    }
    let target = |name| {
        let file = folder.join(name);
        let target = Target::new(&file, data)?;
        if target.exists && !force { Err(ArchiveError::Exists(file)) } else { Ok(target.path) }
    };
    let (matches, entries) = (target(FILES[0])?, target(FILES[1])?);
    let unsound = |source| ArchiveError::Unsound { database: database.clone(), source };
    let connection = inspect::connect_for_all(database, APPLICATION).await;
    let mut connection = connection.map_err(|error| unsound(error.into()))?;
    inspect::check_schema(&mut connection).await.map_err(unsound)?;
    std::fs::create_dir_all(folder).map_err(writing(folder))?;
    let mut matches = TableFile::create(matches, match_columns())?;
    let mut entries = TableFile::create(entries, entry_columns())?;
    let mut skipped = Vec::new();
    let mut after = String::new();
    let now = clock::now();
    let failed = |error| match error {
        StoreError::Busy(source) => {
            ArchiveError::Interrupted { database: database.clone(), source: source.into() }
        }
        StoreError::Failed(source) => {
            ArchiveError::Failed { database: database.clone(), source: source.into() }
        }
    };
    let shared = shared_since(&mut connection, now - LONGEST_SECRET).await.map_err(failed)?;
    let secret: HashSet<(String, u64)> = shared
        .into_iter()
        .filter(|shared| is_secret(&shared.name, shared.created_at, now))
        .flat_map(|shared| shared.deals.into_iter().map(move |deal| (shared.rules.clone(), deal)))
        .collect();
    while let Some(batch) = finished(&mut connection, &after).await.map_err(failed)? {
        after = batch.last;
        for Finished { id, read } in batch.matches {
            let added = read.map_err(|error| error_with_causes(&error)).and_then(|(info, log)| {
                if !has_secret_deal(&info, &secret, clock::now()) {
                    let played = play(info, &log).map_err(|error| error_with_causes(&error))?;
                    add(&played, &mut matches, &mut entries);
                }
                Ok(())
            });
            if let Err(reason) = added {
                skipped.push(SkippedMatch { id, reason });
            }
        }
        matches.flush(ROW_GROUP)?;
        entries.flush(ROW_GROUP)?;
    }
    // An error while disconnecting from the database is ignored, because all rows have already been read.
    let _ = connection.close().await;
    // Both files are complete before the first one gets its name, because their rows belong together.
    let (matches, entries) = place_both(matches.complete()?, entries.complete()?, force)?;
    Ok(Archived { matches, entries, skipped })
}

/// Renames both files of the archive to their final names, and returns their numbers of rows. If the second file keeps its temporary name,
/// the first file is removed.
fn place_both(
    first: CompleteFile,
    second: CompleteFile,
    force: bool,
) -> Result<(u64, u64), ArchiveError> {
    let path = first.path.clone();
    let first = first.place(force)?;
    let second = second.place(force).map_err(|error| {
        let _ = std::fs::remove_file(&path);
        ArchiveError::SecondFile { removed: path, source: error.into() }
    })?;
    Ok((first, second))
}

/// Upper bound on the time from the creation of a match until the end of its arena or Swiss event, in seconds.
const EVENT_TIME: i64 = 2 * 24 * 60 * 60;

/// Upper bound on the time from the creation of a match on a shared deal until other people can no longer play the deal, in seconds: the
/// length of a week with its deals.
const LONGEST_SECRET: i64 = 7 * 24 * 60 * 60;

/// Returns whether a match has a deal that must stay secret, because other people may still play the deal. `secret` holds the rule sets and
/// the numbers of such deals. A match for practice can have such a deal, too. `now` is in seconds since 1970.
fn has_secret_deal(info: &MatchInfo, secret: &HashSet<(String, u64)>, now: i64) -> bool {
    info.shared_deal.as_ref().is_some_and(|name| is_secret(name, info.created_at, now))
        || info.deals.iter().any(|deal| secret.contains(&(info.rules.clone(), *deal)))
}

/// Returns whether a shared deal must stay secret, because other people may still play the deal. A current deal of the day or week is
/// secret, as is the deal of an arena or Swiss event that may still run. `name` is the name of the shared deal in a match. The times are in
/// seconds since 1970.
fn is_secret(name: &str, created_at: i64, now: i64) -> bool {
    match name.parse::<SharedDeal>() {
        Ok(deal) => deal.ends_at() > now,
        Err(_) => created_at + EVENT_TIME > now,
    }
}

/// Returns the deal of the day or of the week that a match plays, or `None` for other matches. Deals of events are left out,
/// because the id of an event would reveal the handles of the players.
fn shared_deal(info: &MatchInfo) -> Option<SharedDeal> {
    info.shared_deal.as_ref().and_then(|name| name.parse().ok())
}

/// Finished match, replayed to the end of its log.
struct Played<'a> {
    state: MatchState,
    /// Match log entries that record the play: actions, undos, hints, resignations and losses on time.
    acts: Vec<PlayedEntry<'a>>,
}

/// Match log entry that records the play: an action, an undo, a hint, a resignation or a loss on time.
struct PlayedEntry<'a> {
    entry: &'a Entry,
    /// Number of the game to which the log entry belongs, from 1.
    game: usize,
    /// Action of the log entry in notation; empty for an entry without an action.
    action: &'a str,
    /// Time since the previous log entry, in seconds.
    seconds: i64,
}

/// Replays the complete log of a match.
fn play(info: MatchInfo, log: &[Entry]) -> Result<Played<'_>, ReplayError> {
    let mut before = info.created_at;
    let mut state = MatchState::new(Arc::new(info), LogLimits::of(&Limits::default()))?;
    let mut acts = Vec::with_capacity(log.len());
    for entry in log {
        let game = state.play().current_index() + 1;
        state = state.replay(std::slice::from_ref(entry))?;
        let action = match &entry.kind {
            EntryKind::Act(action) => Some(action.as_str()),
            EntryKind::Resign | EntryKind::Undo | EntryKind::Hint | EntryKind::Flag => Some(""),
            // Log entries about invitations, rematches, erasures, operators' acts and changes of clocks are left out, because they say
            // nothing about how the games were played.
            EntryKind::Join
            | EntryKind::Leave
            | EntryKind::Offer
            | EntryKind::Accept(_)
            | EntryKind::Operator
            | EntryKind::Credit
            | EntryKind::Away
            | EntryKind::Pause => None,
        };
        if let Some(action) = action {
            acts.push(PlayedEntry {
                entry,
                game,
                action,
                seconds: entry.at().saturating_sub(before),
            });
        }
        before = entry.at();
    }
    Ok(Played { state, acts })
}

/// Adds the rows of a match to the two Parquet files of the archive.
fn add(played: &Played<'_>, matches: &mut TableFile, entries: &mut TableFile) {
    let Played { state, acts } = played;
    // The archive numbers the matches in the order of their random ids, so that the number does not reveal the time of a match.
    let number = matches.rows.cast_signed() + 1;
    for PlayedEntry { entry, game, action, seconds } in acts {
        entries.push([
            Cell::Number(number),
            Cell::Number(entry.sequence.cast_signed()),
            count(*game),
            Cell::Text(player_text(entry.player)),
            Cell::Text(entry.kind.texts().0),
            Cell::Text(action),
            Cell::Number(*seconds),
        ]);
    }
    let info = state.info();
    let play = state.play();
    let totals = play.totals();
    let resigned = state.result().and_then(|result| result.resigned);
    let players = ByPlayer::new_with(|player| occupant(info, player));
    let deals: Vec<String> = info.deals.iter().map(ToString::to_string).collect();
    let is_alone = matches!(
        (info.seats.a.occupant, info.seats.b.occupant),
        (Occupant::Holder(a), Occupant::Holder(b)) if a == b
    );
    matches.push([
        Cell::Number(number),
        Cell::Text(&clock::day(info.began_at())),
        Cell::Text(&info.rules),
        Cell::Text(&players.a),
        Cell::Text(&players.b),
        Cell::Flag(is_alone),
        Cell::Text(&shared_deal(info).map(|deal| deal.to_string()).unwrap_or_default()),
        Cell::Flag(info.deal_chosen),
        Cell::Text(&deals.join(" ")),
        count(play.games().len()),
        Cell::Number(totals.a.into()),
        Cell::Number(totals.b.into()),
        Cell::Text(resigned.map_or("", player_text)),
        Cell::Flag(info.is_offline()),
    ]);
}

/// Converts a count to a cell of a Parquet file. A cell can hold much larger numbers than any count.
fn count(number: usize) -> Cell<'static> {
    Cell::Number(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Returns the anonymised name of a player in a match. The name is `person`, or the name of the computer opponent.
fn occupant(info: &MatchInfo, player: Player) -> String {
    match info.seats[player].occupant {
        Occupant::Open | Occupant::Deleted | Occupant::Holder(_) => "person".to_owned(),
        Occupant::Bot(bot, _) => bot.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_names_the_first_file_if_it_is_lost_with_the_second_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str| CompleteFile {
            path: folder.path().join(name),
            new: data_folder::new_file(folder.path()).expect("a file"),
            rows: 1,
        };
        let (first, second) = (folder.path().join(FILES[0]), folder.path().join(FILES[1]));
        std::fs::write(&first, "old").expect("a file");
        std::fs::create_dir(&second).expect("a folder");
        let error = place_both(file(FILES[0]), file(FILES[1]), true).expect_err("no second file");
        let text = error_with_causes(&error);
        for path in [&first, &second] {
            assert!(text.contains(&path.display().to_string()), "{text}");
        }
        assert!(!first.exists());
        std::fs::remove_dir(&second).expect("a folder");
        assert_eq!(place_both(file(FILES[0]), file(FILES[1]), false).expect("files"), (1, 1));
    }
}
