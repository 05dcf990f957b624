//! Writes tablebase files. Each file has a temporary name until the file is complete.

use std::fs::{self, File, TryLockError};
use std::hash::Hasher as _;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use twox_hash::XxHash3_64;
use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter;

use super::error::TablebaseError;
use super::format::{BLOCK, ENTRY, HEADER, Header, checksum};
use crate::parallel;
use crate::progress::{Progress, Stopped};
use crate::whole::game::WholeGame;

/// Zstandard compression level of the tablebase's blocks. Higher levels save two per cent of the
/// size and take at least twice the time.
const LEVEL: i32 = 1;

/// Maximum length of the compression dictionary, in bytes. Longer dictionaries do not make the tablebase smaller.
const DICTIONARY: usize = 4096;

/// Number of sample blocks for training the compression dictionary.
const SAMPLES: usize = 4096;

/// Number of blocks that a thread compresses between two checks of the cancel flag.
const BATCH: usize = 2048;

/// Number of bytes written between two flushes of the file to the disk. The flushes keep the last
/// sync short, and cancelled work need not wait for the disk.
const SYNC: u64 = 64 << 20;

/// Unfinished tablebase in a temporary file. Until the tablebase is complete, the target path keeps
/// the previous file or stays empty.
///
/// ```
/// use overmate_rules::{Deal, Game, RuleSet};
/// use overmate_solver::Progress;
/// use overmate_solver::tablebase::{NewTablebase, Tablebase};
/// use overmate_solver::whole::{WholeGame, WholeOptions};
/// let mut draft = RuleSet::named("bga")?.draft();
/// draft.name = "small".to_owned();
/// draft.cards.truncate(8);
/// let rules = RuleSet::new(draft)?.shared();
/// let whole = WholeGame::solve(&rules, WholeOptions::default(), &Progress::default())?;
///
/// let path = std::env::temp_dir().join(format!("overmate-{}.matebase", std::process::id()));
/// let bytes = NewTablebase::create(&path, true)?.write(&whole, &Progress::default())?;
/// let table = Tablebase::open_for(&path, &rules)?;
/// assert_eq!((table.bytes(), table.positions()), (bytes, whole.positions()));
///
/// let position = Game::new(Deal::numbered(&rules, 7)?).position().clone();
/// assert_eq!(table.reader().value_for_first(&position)?, whole.value_for_first(&position));
/// assert_eq!(table.verify(1, &Progress::default())?.positions, whole.positions());
/// std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct NewTablebase {
    file: NamedTempFile,
    path: PathBuf,
    replace: bool,
}

impl NewTablebase {
    /// Creates a temporary file for a new tablebase. The caller creates the file before the long
    /// computation, so that file errors show early. An existing file at the path is replaced only
    /// if `replace` is set. If the path is a symbolic link, the target of the link is replaced.
    ///
    /// # Errors
    ///
    /// Returns the error of the operating system if the path exists and may not be replaced, or if
    /// the file cannot be created. A symbolic link without a target is an error, too.
    pub fn create(path: &Path, replace: bool) -> io::Result<Self> {
        let invalid = |text| io::Error::new(io::ErrorKind::InvalidInput, text);
        let path = if fs::symlink_metadata(path).is_ok() {
            // If the path is a symbolic link, the new file replaces the target of the link.
            let real = fs::canonicalize(path).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => invalid(
                    "the path is a symbolic link whose target does not exist: remove the link, or choose another path",
                ),
                _ => error,
            })?;
            if !replace {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            if !fs::metadata(&real)?.is_file() {
                return Err(invalid("the path is not a regular file: choose another path"));
            }
            real
        } else {
            path.to_owned()
        };
        let folder = folder_of(&path);
        remove_abandoned(folder);
        let file = create_locked(folder)?;
        Ok(Self { file, path, replace })
    }

    /// Writes the values of all positions of a rule set to the tablebase, and returns the size of
    /// the file in bytes. The file appears at its path only after the disk has stored all of it.
    /// After an error no file is left.
    ///
    /// # Errors
    ///
    /// Returns [`TablebaseError`] if writing fails, or if the caller cancels the work.
    pub fn write(
        mut self,
        game: &WholeGame,
        progress: &Progress<'_>,
    ) -> Result<u64, TablebaseError> {
        let file = self.file.as_file_mut();
        let dictionary = dictionary(game);
        let mut preface = game.rules().to_toml().into_bytes();
        let rules = preface.len();
        preface.extend(game.codes().scores().iter().flat_map(|score| score.to_le_bytes()));
        preface.extend(&dictionary);

        file.seek(SeekFrom::Start(HEADER as u64))?;
        let mut out = Output { file, hasher: XxHash3_64::new(), written: 0, synced: 0 };
        out.write(&preface)?;
        let index = write_blocks(game, &dictionary, &mut out, progress)?;
        out.write(&index)?;

        let length = |n: usize| u32::try_from(n).unwrap_or_default();
        let header = Header {
            rules: length(rules),
            scores: length(game.codes().scores().len()),
            dictionary: length(dictionary.len()),
            preface: checksum(&preface),
            blocks: (index.len() / ENTRY) as u64,
            length: HEADER as u64 + out.written,
            hash: out.hasher.finish(),
        };
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header.to_bytes())?;
        file.sync_all()?;
        if progress.is_stopped() {
            return Err(Stopped.into());
        }
        let Self { file, path, replace } = self;
        let placed = if replace { file.persist(&path) } else { file.persist_noclobber(&path) };
        placed.map_err(|error| error.error)?;
        sync_folder(folder_of(&path));
        Ok(header.length)
    }
}

/// Output file of an unfinished tablebase, with a running hash of all written bytes.
struct Output<'a> {
    file: &'a mut File,
    hasher: XxHash3_64,
    written: u64,
    synced: u64,
}

impl Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.hasher.write(bytes);
        self.written += bytes.len() as u64;
        if self.written - self.synced >= SYNC {
            self.synced = self.written;
            self.file.sync_data()?;
        }
        Ok(())
    }
}

/// Compressed data of a batch: consecutive blocks of a layer that one thread has compressed.
#[derive(Default)]
struct PackedBatch {
    bytes: Vec<u8>,
    /// Length in bytes and checksum of each compressed block.
    blocks: Vec<(usize, u32)>,
}

/// Compresses the values of all positions, writes them as blocks, and returns the bytes of the block index.
fn write_blocks(
    game: &WholeGame,
    dictionary: &[u8],
    out: &mut Output<'_>,
    progress: &Progress<'_>,
) -> Result<Vec<u8>, TablebaseError> {
    let total = game.positions();
    let (mut index, mut end, mut done) = (Vec::new(), 0, 0);
    for rows in game.all_rows() {
        let batches: Vec<&[i8]> = rows.chunks(BATCH * BLOCK).collect();
        for batches in batches.chunks(4 * game.threads()) {
            if progress.is_stopped() {
                return Err(Stopped.into());
            }
            let packed =
                parallel::map(game.threads(), batches.len(), |i| pack(batches[i], dictionary));
            for packed in packed {
                let PackedBatch { bytes, blocks } = packed?;
                out.write(&bytes)?;
                for (length, sum) in blocks {
                    end += length;
                    // The end offset of a compressed block fits in 32 bits, because there are fewer than 2^32 positions, and each
                    // position takes at most one byte.
                    index.extend(u32::try_from(end).unwrap_or_default().to_le_bytes());
                    index.extend(sum.to_le_bytes());
                }
            }
            done += batches.iter().map(|batch| batch.len() as u64).sum::<u64>();
            progress.tell(done, total);
        }
    }
    Ok(index)
}

fn pack(rows: &[i8], dictionary: &[u8]) -> io::Result<PackedBatch> {
    let mut packer = Compressor::with_dictionary(LEVEL, dictionary)?;
    // The compressed frame needs no content size and no dictionary number, because the reader of a tablebase knows both.
    packer.set_parameter(CParameter::ContentSizeFlag(false))?;
    packer.set_parameter(CParameter::DictIdFlag(false))?;
    let mut room = vec![0; zstd::zstd_safe::compress_bound(BLOCK)];
    let mut packed = PackedBatch::default();
    for block in bytemuck::cast_slice::<i8, u8>(rows).chunks(BLOCK) {
        let length = packer.compress_to_buffer(block, &mut room[..])?;
        // A block that compression does not shorten is stored uncompressed. The reader recognises such a block by its full length.
        let bytes = if length < block.len() { &room[..length] } else { block };
        packed.bytes.extend(bytes);
        packed.blocks.push((bytes.len(), checksum(bytes)));
    }
    Ok(packed)
}

/// Trains the compression dictionary on sample blocks. Returns an empty dictionary if there are too few samples.
fn dictionary(game: &WholeGame) -> Vec<u8> {
    let count: usize = game.all_rows().map(|rows| rows.len().div_ceil(BLOCK)).sum();
    let blocks = game.all_rows().flat_map(|rows| rows.chunks(BLOCK));
    let samples = blocks.step_by((count / SAMPLES).max(1));
    let samples: Vec<&[u8]> = samples.map(bytemuck::cast_slice).collect();
    zstd::dict::from_samples(&samples, DICTIONARY).unwrap_or_default()
}

/// Prefix and suffix of the file names of unfinished tablebases.
const UNFINISHED: (&str, &str) = (".overmate-tablebase-", ".tmp");

/// Creates a temporary tablebase file in a folder. The file is locked until the current program closes it.
fn create_locked(folder: &Path) -> io::Result<NamedTempFile> {
    loop {
        let mut builder = tempfile::Builder::new();
        builder.prefix(UNFINISHED.0).suffix(UNFINISHED.1);
        give_permissions(&mut builder);
        let file = builder.tempfile_in(folder)?;
        // Before this program locked the new file, another program may have regarded the file as abandoned and removed it. Then another
        // file is created.
        match file.as_file().try_lock() {
            // On systems that cannot lock files, no program removes abandoned files, so the new file is safe without a lock.
            Err(TryLockError::Error(_)) => return Ok(file),
            Ok(()) if file.path().exists() => return Ok(file),
            Ok(()) | Err(TryLockError::WouldBlock) => {}
        }
    }
}

/// Deletes the unfinished tablebases of killed processes from a folder. A lock marks the files of running processes, and the operating
/// system releases the locks of killed processes.
///
/// Files that cannot be inspected or removed stay, because their removal only saves space.
fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let unfinished = name.starts_with(UNFINISHED.0) && name.ends_with(UNFINISHED.1);
        // Links and pipes whose names look like unfinished tablebases were not created by this program, so they stay.
        if !unfinished || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let path = entry.path();
        let file = File::options().read(true).write(true).open(&path);
        if let Ok(file) = file
            && file.try_lock().is_ok()
        {
            // The program removes an abandoned tablebase file while it holds the lock on the file, so that no other program can use the
            // file.
            let _ = fs::remove_file(&path);
        }
    }
}

/// Returns the parent folder of a file path, or the current folder for a bare file name.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Gives a temporary file the default permissions of new files.
#[cfg(unix)]
fn give_permissions(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(fs::Permissions::from_mode(0o666));
}

/// Leaves the permissions of a temporary file unchanged, on systems without Unix permissions.
#[cfg(not(unix))]
fn give_permissions(_: &mut tempfile::Builder<'_, '_>) {}

/// Flushes a folder to the disk, to make the renaming of a file durable. An error is ignored, because the file exists even on systems that
/// cannot synchronise a folder.
fn sync_folder(folder: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}
