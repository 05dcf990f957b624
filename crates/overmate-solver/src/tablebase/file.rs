//! Tablebase files opened for reading, with the check of the head and the decompression of the blocks.

use std::path::Path;
use std::sync::Arc;

use overmate_rules::RuleSet;
use zstd::bulk::Decompressor;

use super::bytes::Bytes;
use super::error::TablebaseError;
use super::format::{ENTRY, HEAD, Head, Stretch, checksum, number32, stretches};
use super::version::VERSION;
use crate::deal::score_codes::ScoreCodes;
use crate::whole::game::WholeGame;
use crate::whole::layers::{Layers, MAX_WHOLE_DECK};

/// Open tablebase file with the exact value of every position of every deal of a rule set, all cards known to both
/// players.
///
/// The file is mapped into memory, so opening takes no time and only the requested blocks are read.
///
/// ```no_run
/// use overmate_rules::{Deal, Game, RuleSet};
/// use overmate_solver::Tablebase;
///
/// let rules = RuleSet::named("bga")?.shared();
/// let table = Tablebase::open_for("bga.matebase".as_ref(), &rules)?;
/// let game = Game::new(Deal::numbered(&rules, 20_010)?);
/// let value = table.reader().value_for_first(game.position())?;
/// println!("{}", value.expect("the position is of this rule set"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tablebase {
    pub(super) file: Bytes,
    pub(super) head: Head,
    pub(super) rules: Arc<RuleSet>,
    pub(super) codes: ScoreCodes,
    dictionary: Vec<u8>,
    pub(super) layers: Layers<Stretch>,
    /// Offset in bytes, from the start of the file, of the first compressed block.
    blocks_at: usize,
    /// Offset in bytes, from the start of the file, of the index that locates the blocks.
    index_at: usize,
}

impl Tablebase {
    /// Opens a tablebase file, and checks its head, rule set and dictionary. Each block is checked when it is read.
    ///
    /// The file may not be changed while it is open; replacing it by another file is fine.
    ///
    /// # Errors
    ///
    /// [`TablebaseError`] if there is no such file, or if it is no complete tablebase of this version.
    pub fn open(path: &Path) -> Result<Self, TablebaseError> {
        Self::read(Bytes::map(path)?)
    }

    /// Opens a tablebase from the bytes of a file in memory, with the checks of [`open`](Self::open).
    ///
    /// # Errors
    ///
    /// [`TablebaseError`] if the bytes are no complete tablebase of this version.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, TablebaseError> {
        Self::read(Bytes::Owned(bytes))
    }

    /// Opens a tablebase file, and returns an error unless the file is for the rule set `rules`.
    ///
    /// # Errors
    ///
    /// The errors of [`open`](Self::open), and [`TablebaseError::OtherRules`] if the file is of another rule set.
    pub fn open_for(path: &Path, rules: &RuleSet) -> Result<Self, TablebaseError> {
        let table = Self::open(path)?;
        if *table.rules != *rules {
            let (expected, found) = (rules.name().to_owned(), table.rules.name().to_owned());
            return Err(TablebaseError::OtherRules { expected, found });
        }
        Ok(table)
    }

    fn read(file: Bytes) -> Result<Self, TablebaseError> {
        let head = Head::read(&file)?;
        let (mut at, mut lengths) = (HEAD, [HEAD; 4]);
        let parts = [u64::from(head.rules), 4 * u64::from(head.scores), head.dictionary.into()];
        for (end, part) in lengths[1..].iter_mut().zip(parts) {
            // Each part is at most 16 GB, so the sum cannot overflow.
            at += usize::try_from(part).unwrap_or(usize::MAX >> 2);
            *end = at;
        }
        let [from, scores, dictionary, blocks_at] = lengths;
        let index = usize::try_from(head.blocks).ok().and_then(|n| n.checked_mul(ENTRY));
        let index_at = index.and_then(|index| file.len().checked_sub(index));
        let (Some(index_at), Some(preface)) = (index_at, file.get(from..blocks_at)) else {
            return Err(TablebaseError::damaged("its head states wrong lengths"));
        };
        if checksum(preface) != head.preface || index_at < blocks_at {
            return Err(TablebaseError::damaged(
                "the rule set or the dictionary has a wrong checksum",
            ));
        }
        let rules = core::str::from_utf8(&file[from..scores]).ok();
        let rules = rules.and_then(|text| RuleSet::from_toml(text).ok());
        let rules = rules.filter(|rules| rules.deck().cards().len() <= MAX_WHOLE_DECK);
        let Some(rules) = rules.map(RuleSet::shared) else {
            return Err(TablebaseError::damaged("its rule set cannot be read"));
        };
        let stored = file[scores..dictionary].chunks_exact(4).map(|bytes| number32(bytes, 0));
        let stored: Vec<_> = stored.map(|n| n.and_then(|n| i32::try_from(n).ok())).collect();
        let codes = ScoreCodes::of_rules(&rules);
        let codes = codes.filter(|codes| codes.scores().iter().copied().map(Some).eq(stored));
        let Some(codes) = codes else {
            return Err(TablebaseError::damaged(
                "its list of scores differs from the scores of its rule set",
            ));
        };
        let (layers, blocks) = stretches(&rules);
        if head.blocks != blocks as u64 {
            return Err(TablebaseError::damaged(
                "its number of blocks differs from the number that its rule set needs",
            ));
        }
        let dictionary = file[dictionary..blocks_at].to_vec();
        Ok(Self { file, head, rules, codes, dictionary, layers, blocks_at, index_at })
    }

    /// Returns the rule set whose positions the tablebase holds.
    #[must_use]
    pub fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }

    /// Returns the number of positions whose values the tablebase holds.
    #[must_use]
    pub fn positions(&self) -> u64 {
        WholeGame::positions_of(&self.rules)
    }

    /// Returns the size of the tablebase file in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.head.length
    }

    /// Returns the version number of the tablebase format in which the file is written.
    #[must_use]
    pub fn version(&self) -> u32 {
        VERSION
    }

    /// Creates a decompressor for the blocks, with the compression dictionary of this file.
    pub(super) fn unpacker(&self) -> Decompressor<'static> {
        Decompressor::with_dictionary(&self.dictionary).unwrap_or_default()
    }

    /// Decompresses the block with index `block` into `out`, which has one byte for each position of the block.
    pub(super) fn unpack(
        &self,
        block: usize,
        unpacker: &mut Decompressor<'_>,
        out: &mut [u8],
    ) -> Result<(), TablebaseError> {
        let damaged = || {
            TablebaseError::damaged(format!(
                "block {} of {} has a wrong checksum or length",
                block + 1,
                self.head.blocks
            ))
        };
        let entry = self.index_at + block * ENTRY;
        let start = if block == 0 { Some(0) } else { number32(&self.file, entry - ENTRY) };
        let end = number32(&self.file, entry);
        let (Some(start), Some(end), Some(sum)) = (start, end, number32(&self.file, entry + 4))
        else {
            return Err(damaged());
        };
        let blocks = &self.file[self.blocks_at..self.index_at];
        let packed = blocks.get(start as usize..end as usize).ok_or_else(damaged)?;
        if checksum(packed) != sum {
            return Err(damaged());
        }
        if packed.len() == out.len() {
            out.copy_from_slice(packed);
            return Ok(());
        }
        match unpacker.decompress_to_buffer(packed, out) {
            Ok(length) if length == out.len() => Ok(()),
            _ => Err(damaged()),
        }
    }
}
