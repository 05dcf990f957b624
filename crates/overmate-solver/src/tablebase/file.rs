//! Opens tablebase files, checks their headers, and decompresses their blocks.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use overmate_rules::RuleSet;
use zstd::bulk::Decompressor;

use super::bytes::Bytes;
use super::error::TablebaseError;
use super::format::{BLOCK, ENTRY, HEADER, Header, Stretch, checksum, number32, stretches};
use super::version::VERSION;
use crate::deal::score_codes::ScoreCodes;
use crate::whole::game::WholeGame;
use crate::whole::layers::{Layers, MAX_WHOLE_DECK};

/// Open tablebase file: the exact value of every position of every deal of a rule set.
///
/// Opening reads only the header, the rule set and the dictionary. Later only the requested blocks are read.
///
/// ```no_run
/// use overmate_rules::{Deal, Game, RuleSet};
/// use overmate_solver::tablebase::Tablebase;
/// let rules = RuleSet::named("bga")?.shared();
/// let table = Tablebase::open_for("bga.matebase".as_ref(), &rules)?;
/// let game = Game::new(Deal::numbered(&rules, 20_010)?);
/// let value = table.reader().value_for_first(game.position())?;
/// println!("{}", value.expect("the position is of this rule set"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tablebase {
    file: Bytes,
    pub(super) header: Header,
    pub(super) rules: Arc<RuleSet>,
    pub(super) codes: ScoreCodes,
    dictionary: Vec<u8>,
    pub(super) layers: Layers<Stretch>,
    /// Offset of the first compressed block in the tablebase file, in bytes.
    blocks_at: u64,
    /// Offset of the block index in the tablebase file, in bytes.
    index_at: u64,
}

/// Maximum total length of the rule set, the scores and the dictionary in a tablebase file, in bytes.
const MAX_PREFACE: u64 = 1 << 20;

impl Tablebase {
    /// Opens a tablebase file, and checks the file's header, rule set and dictionary. Each block is checked when the block is read.
    ///
    /// If another program changes or truncates the file, reads return errors rather than wrong
    /// values.
    ///
    /// # Errors
    ///
    /// Returns [`TablebaseError`] if there is no such file, or if it is not a complete tablebase of this version.
    pub fn open(path: &Path) -> Result<Self, TablebaseError> {
        Self::read(Bytes::open(path)?)
    }

    /// Opens a tablebase from the bytes of its file in memory, and makes the same checks as [`open`](Self::open).
    ///
    /// ```
    /// use overmate_solver::tablebase::{Tablebase, TablebaseError};
    /// let result = Tablebase::from_bytes(vec![0; 1_000]);
    /// assert!(matches!(result, Err(TablebaseError::NotATablebase)));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`TablebaseError`] if the bytes are not a complete tablebase of this version.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, TablebaseError> {
        Self::read(Bytes::Owned(bytes))
    }

    /// Opens a tablebase file of a given rule set. Returns an error if the file holds the values of
    /// another rule set.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`open`](Self::open), and [`TablebaseError::OtherRules`] if the file is of another rule set.
    pub fn open_for(path: &Path, rules: &RuleSet) -> Result<Self, TablebaseError> {
        let table = Self::open(path)?;
        if *table.rules != *rules {
            let (expected, found) = (rules.name().to_owned(), table.rules.name().to_owned());
            return Err(TablebaseError::OtherRules { expected, found });
        }
        Ok(table)
    }

    fn read(file: Bytes) -> Result<Self, TablebaseError> {
        let length = file.len()?;
        let mut begin = [0; HEADER];
        let begin =
            &mut begin[..usize::try_from(length).map_or(HEADER, |length| length.min(HEADER))];
        file.read_at(0, begin)?;
        let header = Header::read(begin, length)?;
        let [rules, scores, all] = {
            // The rule set, the scores and the dictionary of a tablebase file have at most 16 GiB each. The sums of their lengths therefore
            // cannot overflow.
            let rules = u64::from(header.rules);
            let scores = rules + 4 * u64::from(header.scores);
            [rules, scores, scores + u64::from(header.dictionary)]
        };
        let blocks_at = HEADER as u64 + all;
        let index = header.blocks.checked_mul(ENTRY as u64);
        let index_at = index.and_then(|index| header.length.checked_sub(index));
        let index_at = index_at.filter(|at| all <= MAX_PREFACE && *at >= blocks_at);
        let Some(index_at) = index_at else {
            return Err(TablebaseError::damaged("the header of the file states wrong lengths"));
        };
        let [rules, scores, all] = [rules, scores, all].map(|at| usize::try_from(at).unwrap_or(0));
        let mut preface = vec![0; all];
        file.read_at(HEADER as u64, &mut preface)?;
        if checksum(&preface) != header.preface {
            return Err(TablebaseError::damaged(
                "the rule set or the dictionary has a wrong checksum",
            ));
        }
        let (text, stored, dictionary) =
            (&preface[..rules], &preface[rules..scores], preface[scores..].to_vec());
        let rules = core::str::from_utf8(text).ok();
        let rules = rules.and_then(|text| RuleSet::from_toml(text).ok());
        let rules = rules.filter(|rules| rules.deck().cards().len() <= MAX_WHOLE_DECK);
        let Some(rules) = rules.map(RuleSet::shared) else {
            return Err(TablebaseError::damaged("the rule set in the file cannot be read"));
        };
        let stored = stored.chunks_exact(4).map(|bytes| number32(bytes, 0));
        let stored: Vec<_> = stored.map(|n| n.and_then(|n| i32::try_from(n).ok())).collect();
        let codes = ScoreCodes::of_rules(&rules);
        let codes = codes.filter(|codes| codes.scores().iter().copied().map(Some).eq(stored));
        let Some(codes) = codes else {
            return Err(TablebaseError::damaged(
                "the list of scores differs from the scores of the rule set",
            ));
        };
        let (layers, blocks) = stretches(&rules);
        if header.blocks != blocks as u64 {
            return Err(TablebaseError::damaged(
                "the number of blocks differs from the number that the rule set needs",
            ));
        }
        Ok(Self { file, header, rules, codes, dictionary, layers, blocks_at, index_at })
    }

    /// Returns the rule set whose values the tablebase holds.
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
        self.header.length
    }

    /// Returns the format version of the tablebase file.
    #[must_use]
    pub fn version(&self) -> u32 {
        VERSION
    }

    /// Reads bytes of the tablebase file from the offset `at` into `out`, or reports that the file is truncated.
    pub(super) fn read_at(&self, at: u64, out: &mut [u8]) -> Result<(), TablebaseError> {
        self.file.read_at(at, out).map_err(|error| match (error.kind(), self.file.len()) {
            (ErrorKind::UnexpectedEof, Ok(found)) => {
                TablebaseError::CutOff { expected: self.header.length, found }
            }
            _ => error.into(),
        })
    }

    /// Creates a decompressor with the compression dictionary of the tablebase file.
    pub(super) fn unpacker(&self) -> Decompressor<'static> {
        Decompressor::with_dictionary(&self.dictionary).unwrap_or_default()
    }

    /// Decompresses a block of values into `out`, with one byte for each position.
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
                self.header.blocks
            ))
        };
        // A block of the tablebase file begins where the preceding block ends. The preceding entry of the block index stores this offset.
        let entry = self.index_at + (block * ENTRY) as u64;
        let mut entries = [0; 2 * ENTRY];
        if block == 0 {
            self.read_at(entry, &mut entries[ENTRY..])?;
        } else {
            self.read_at(entry - ENTRY as u64, &mut entries)?;
        }
        let numbers = [0, ENTRY, ENTRY + 4].map(|at| number32(&entries, at).unwrap_or_default());
        let [start, end, sum] = numbers;
        let length = end.checked_sub(start).and_then(|length| usize::try_from(length).ok());
        let is_inside = self.blocks_at + u64::from(end) <= self.index_at;
        // A block that compression would make longer is stored as it is.
        let mut room = [0; BLOCK];
        let packed = length.filter(|_| is_inside).and_then(|length| room.get_mut(..length));
        let packed = packed.filter(|packed| packed.len() <= out.len()).ok_or_else(damaged)?;
        self.read_at(self.blocks_at + u64::from(start), packed)?;
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
