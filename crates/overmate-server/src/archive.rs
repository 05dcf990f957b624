//! Writes finished matches as Parquet files for people who study them, without names and identities.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use overmate_rules::{ByPlayer, Player};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use tempfile::NamedTempFile;

use crate::clock;
use crate::data_folder;
use crate::database::Database;
use crate::match_state::{LogLimits, MatchState, ReplayError};
use crate::settings::Limits;
use crate::shared_deal::SharedDeal;
use crate::store::finished::finished;
use crate::store::inspect::{self, Unsound};
use crate::store::{Entry, EntryKind, MatchInfo, Occupant, StoreError};

/// Number of matches that are read, and written as a row group, at once.
const BATCH: u32 = 5_000;

/// Files of an archive.
const FILES: [&str; 2] = ["matches.parquet", "entries.parquet"];

/// Archive that was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Archived {
    /// Number of rows in `matches.parquet`.
    pub matches: u64,
    /// Number of rows in `entries.parquet`.
    pub entries: u64,
}

/// Reason why no archive was written. An existing file is replaced only by a complete file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The data folder at this path holds no database.
    #[error("there is no database at {}: give the folder of `overmate serve` with --data", .0.display())]
    NoDatabase(PathBuf),
    /// A file of the archive exists already.
    #[error("the file {} exists already: replace the files with --force", .0.display())]
    Exists(PathBuf),
    /// The database cannot be read.
    #[error("the database {database} cannot be read")]
    Unsound {
        /// Database that was read.
        database: Database,
        /// Fault of the database.
        source: Unsound,
    },
    /// A stored match cannot be read.
    #[error("a match cannot be read: examine the database with `overmate doctor`")]
    Match(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A file of the archive cannot be written.
    #[error("cannot write the archive to {}", path.display())]
    Write {
        /// File or folder to be written.
        path: PathBuf,
        /// Error of the operating system or of the Parquet library.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl From<StoreError> for ArchiveError {
    fn from(error: StoreError) -> Self {
        Self::Match(error.into())
    }
}

impl From<ReplayError> for ArchiveError {
    fn from(error: ReplayError) -> Self {
        Self::Match(error.into())
    }
}

/// Value of a column in a row. Every row has a value in every column.
#[derive(Clone, Copy, Debug)]
enum Cell<'a> {
    Number(i64),
    Flag(bool),
    Text(&'a str),
}

/// Values of a column in a row group.
#[derive(Debug)]
enum Column {
    Numbers(Vec<i64>),
    Flags(Vec<bool>),
    Texts(Vec<ByteArray>),
}

/// Names and empty values of the columns of `matches.parquet`.
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
    ]
}

/// Names and empty values of the columns of `entries.parquet`.
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

/// Parquet file that is being written under a temporary name.
struct TableFile {
    path: PathBuf,
    new: NamedTempFile,
    writer: SerializedFileWriter<File>,
    columns: Vec<Column>,
    rows: u64,
}

impl TableFile {
    fn create(
        folder: &Path,
        name: &str,
        columns: Vec<(&'static str, Column)>,
    ) -> Result<Self, ArchiveError> {
        let path = folder.join(name);
        let new = data_folder::new_file(folder).map_err(writing(&path))?;
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

    /// Adds a row, whose cells have the order and the types of the columns.
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

    /// Writes the rows since the last call as a row group.
    fn flush(&mut self) -> Result<(), ArchiveError> {
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

    /// Writes the end of the file, and gives the file its name.
    fn finish(self, force: bool) -> Result<u64, ArchiveError> {
        let Self { path, new, writer, rows, .. } = self;
        // The error of `into_inner` is reported, because the call writes the last bytes of the file.
        writer.into_inner().map_err(writing(&path))?;
        data_folder::place(new, &path, force).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => ArchiveError::Exists(path.clone()),
            _ => writing(&path)(error),
        })?;
        Ok(rows)
    }
}

/// Returns a function that makes an error of writing a file from the error of the operating system or of the Parquet library.
fn writing<E>(path: &Path) -> impl Fn(E) -> ArchiveError + use<E>
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let path = path.to_owned();
    move |source| ArchiveError::Write { path: path.clone(), source: source.into() }
}

/// Writes all finished matches of a database, which a server may be using, to `matches.parquet` and `entries.parquet` in a folder, which is created if it
/// is missing. The files hold no names, no identities of browsers, no ids and no links.
///
/// # Errors
///
/// [`ArchiveError`] if a file exists and may not be replaced, if the database cannot be read, or if a file cannot be written. A file appears under
/// its name when it is complete.
pub async fn archive(
    database: &Database,
    folder: &Path,
    force: bool,
) -> Result<Archived, ArchiveError> {
    if let Some(data) = database.folder()
        && !data_folder::database(data).is_file()
    {
        return Err(ArchiveError::NoDatabase(data_folder::database(data)));
    }
    for file in FILES.map(|name| folder.join(name)) {
        if !force && file.exists() {
            return Err(ArchiveError::Exists(file));
        }
    }
    let unsound = |source| ArchiveError::Unsound { database: database.clone(), source };
    let mut connection =
        inspect::connect_to(database).await.map_err(|error| unsound(error.into()))?;
    let schema = inspect::schema(&mut connection).await.map_err(unsound)?;
    let known = inspect::latest_schema();
    if schema != known {
        return Err(unsound(Unsound::Earlier { found: schema, known }));
    }
    std::fs::create_dir_all(folder).map_err(writing(folder))?;
    let mut matches = TableFile::create(folder, FILES[0], match_columns())?;
    let mut entries = TableFile::create(folder, FILES[1], entry_columns())?;
    let mut after = String::new();
    loop {
        let batch = finished(&mut connection, &after, BATCH).await?;
        let Some((last, _)) = batch.last() else { break };
        after.clone_from(&last.id);
        for (info, log) in batch {
            // A match that is erased between the two reads has no log. The deal of a running day or week stays secret.
            if log.is_empty() || is_secret(&info, clock::now()) {
                continue;
            }
            add(info, &log, &mut matches, &mut entries)?;
        }
        matches.flush()?;
        entries.flush()?;
    }
    // The files are complete: an error at the goodbye changes nothing.
    let _ = connection.close().await;
    Ok(Archived { matches: matches.finish(force)?, entries: entries.finish(force)? })
}

/// Returns whether a match plays a deal of a day or week that is not over at a time, in seconds since 1970.
fn is_secret(info: &MatchInfo, now: i64) -> bool {
    let deal = info.shared_deal.as_ref().and_then(|name| name.parse::<SharedDeal>().ok());
    deal.is_some_and(|deal| deal.ends_at() > now)
}

/// Adds the rows of a match.
fn add(
    info: MatchInfo,
    log: &[Entry],
    matches: &mut TableFile,
    entries: &mut TableFile,
) -> Result<(), ArchiveError> {
    // The number counts the matches in the order of their random ids, which says nothing of their time.
    let number = matches.rows.cast_signed() + 1;
    let info = Arc::new(info);
    let mut state = MatchState::new(Arc::clone(&info), LogLimits::of(&Limits::default()))?;
    let mut before = info.created_at;
    for entry in log {
        let game = count(state.play().current_index() + 1);
        state = state.replay(std::slice::from_ref(entry))?;
        let action = match &entry.kind {
            EntryKind::Act(action) => Some(action.as_str()),
            EntryKind::Resign | EntryKind::Undo | EntryKind::Hint => Some(""),
            // Invitations, rematches, erasures and acts of operators are no part of the play.
            EntryKind::Join
            | EntryKind::Leave
            | EntryKind::Offer
            | EntryKind::Accept(_)
            | EntryKind::Operator => None,
        };
        if let Some(action) = action {
            entries.push([
                Cell::Number(number),
                Cell::Number(entry.sequence.cast_signed()),
                game,
                Cell::Text(letter(entry.player)),
                Cell::Text(entry.kind.texts().0),
                Cell::Text(action),
                Cell::Number(entry.at - before),
            ]);
        }
        before = entry.at;
    }
    let play = state.play();
    let totals = play.totals();
    let resigned = state.result().and_then(|result| result.resigned);
    let players = ByPlayer::new_with(|player| occupant(&info, player));
    let deals: Vec<String> = info.deals.iter().map(ToString::to_string).collect();
    let is_alone = matches!(
        (info.seats.a.occupant, info.seats.b.occupant),
        (Occupant::Holder(a), Occupant::Holder(b)) if a == b
    );
    matches.push([
        Cell::Number(number),
        Cell::Text(&clock::day(info.created_at)),
        Cell::Text(&info.rules),
        Cell::Text(&players.a),
        Cell::Text(&players.b),
        Cell::Flag(is_alone),
        Cell::Text(info.shared_deal.as_deref().unwrap_or_default()),
        Cell::Flag(info.deal_chosen),
        Cell::Text(&deals.join(" ")),
        count(play.games().len()),
        Cell::Number(totals.a.into()),
        Cell::Number(totals.b.into()),
        Cell::Text(resigned.map_or("", letter)),
    ]);
    Ok(())
}

/// Returns the cell of a count, which is far below the largest number.
fn count(number: usize) -> Cell<'static> {
    Cell::Number(i64::try_from(number).unwrap_or(i64::MAX))
}

fn letter(player: Player) -> &'static str {
    match player {
        Player::A => "a",
        Player::B => "b",
    }
}

/// Returns the occupant of a seat without identity: `person`, or the name of a computer opponent.
fn occupant(info: &MatchInfo, player: Player) -> String {
    match info.seats[player].occupant {
        Occupant::Open | Occupant::Deleted | Occupant::Holder(_) => "person".to_owned(),
        Occupant::Bot(bot, _) => bot.to_string(),
    }
}
