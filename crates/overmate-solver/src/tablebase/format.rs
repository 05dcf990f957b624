//! Defines the layout of a tablebase file, as described in docs/tablebase.md.

use overmate_rules::RuleSet;
use twox_hash::XxHash3_64;

use super::error::TablebaseError;
use super::version::VERSION;
use crate::deal::subsets::binomial;
use crate::whole::layer::{HandBalance, Layer};
use crate::whole::layers::{Layers, layer_keys};

/// Signature bytes at the start of every tablebase file. The signature reveals a transfer in text
/// mode: its first byte is not ASCII, and such a transfer would change its line ends.
pub(super) const MAGIC: [u8; 8] = *b"\x89MATE\r\n\x1a";

/// Number of positions in a full block of a tablebase file. Unpacking a block takes about a
/// microsecond.
pub(super) const BLOCK: usize = 512;

/// Length of the header of a tablebase file, in bytes.
pub(super) const HEADER: usize = 64;

/// Length, in bytes, of an entry in the block index of a tablebase file. An entry stores the end offset and the checksum of a block.
pub(super) const ENTRY: usize = 8;

/// Returns the checksum of a byte string: the lower 32 bits of its XXH3 hash.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    let [a, b, c, d, ..] = XxHash3_64::oneshot(bytes).to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// Header of a tablebase file: the first 64 bytes, which hold the lengths and checksums of the other parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    /// Length of the rule set in the tablebase file (as TOML text), in bytes.
    pub(super) rules: u32,
    /// Number of distinct final scores in the tablebase file.
    pub(super) scores: u32,
    /// Length of the compression dictionary in the tablebase file, in bytes.
    pub(super) dictionary: u32,
    /// Checksum of the tablebase file's preface, which consists of the rule set, the scores and the dictionary.
    pub(super) preface: u32,
    /// Number of compressed blocks in the tablebase file.
    pub(super) blocks: u64,
    /// Length of the whole tablebase file, in bytes.
    pub(super) length: u64,
    /// XXH3 hash (64 bits) of all bytes of the tablebase file after the header.
    pub(super) hash: u64,
}

impl Header {
    pub(super) fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = Vec::with_capacity(HEADER);
        bytes.extend(MAGIC);
        let block = u32::try_from(BLOCK).unwrap_or_default();
        for number in [VERSION, block, self.rules, self.scores, self.dictionary, self.preface] {
            bytes.extend(number.to_le_bytes());
        }
        for number in [self.blocks, self.length, self.hash] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(XxHash3_64::oneshot(&bytes).to_le_bytes());
        let mut header = [0; HEADER];
        header.copy_from_slice(&bytes);
        header
    }

    /// Parses the header of a tablebase file, and checks the header's checksum and lengths.
    ///
    /// The parameter `begin` holds the first bytes of the file, and `found` is the length of the
    /// file.
    pub(super) fn read(begin: &[u8], found: u64) -> Result<Self, TablebaseError> {
        let cut_off = || TablebaseError::CutOff { expected: HEADER as u64, found };
        if !begin.starts_with(&MAGIC) {
            let begins = !begin.is_empty() && MAGIC.starts_with(begin);
            return Err(if begins { cut_off() } else { TablebaseError::NotATablebase });
        }
        let Some(version) = number32(begin, 8) else { return Err(cut_off()) };
        if version != VERSION {
            return Err(TablebaseError::OtherVersion { found: version });
        }
        let Some(header) = begin.get(..HEADER) else { return Err(cut_off()) };
        let (n32, n64) = (
            |at: usize| number32(header, at).unwrap_or_default(),
            |at: usize| number64(header, at).unwrap_or_default(),
        );
        if n64(56) != XxHash3_64::oneshot(&header[..56]) || n32(12) as usize != BLOCK {
            return Err(TablebaseError::damaged(
                "the header of the file has a wrong checksum or block size",
            ));
        }
        let read = Self {
            rules: n32(16),
            scores: n32(20),
            dictionary: n32(24),
            preface: n32(28),
            blocks: n64(32),
            length: n64(40),
            hash: n64(48),
        };
        if found < read.length {
            return Err(TablebaseError::CutOff { expected: read.length, found });
        }
        if found > read.length {
            let stated = read.length;
            let what =
                format!("the file has {found} bytes, but the header of the file states {stated}");
            return Err(TablebaseError::damaged(what));
        }
        Ok(read)
    }
}

/// Reads the 32-bit little-endian number at the offset `at`, or returns `None` if the bytes end too early.
pub(super) fn number32(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

/// Reads the 64-bit little-endian number at the offset `at`, or returns `None` if the bytes end too early.
pub(super) fn number64(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(8)?)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

/// Location of a layer (all positions with given hand sizes and a given state of the free move) in a tablebase file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stretch {
    /// Index, in the tablebase file, of the first block of the layer.
    pub(super) first_block: usize,
    /// Number of positions in the layer.
    pub(super) positions: usize,
    /// Number of positions in a row of the layer; a row has all positions whose hands together hold a given set of cards.
    pub(super) row: usize,
}

impl Stretch {
    pub(super) fn blocks(&self) -> usize {
        self.positions.div_ceil(BLOCK)
    }

    /// Returns the number of positions in a block of the layer. The last block of a layer may have
    /// fewer positions than the other blocks.
    pub(super) fn held_by(&self, block: usize) -> usize {
        let before = (block - self.first_block) * BLOCK;
        self.positions.saturating_sub(before).min(BLOCK)
    }
}

/// Returns the location of each layer in a tablebase file, and the total number of blocks.
pub(super) fn stretches(rules: &RuleSet) -> (Layers<Stretch>, usize) {
    let deck = rules.deck().cards().len();
    let mut layers = Layers::default();
    let mut blocks = 0;
    for (free, hands, live) in layer_keys(rules) {
        let stretch = stretch(deck, hands, live, blocks);
        blocks += stretch.blocks();
        layers.put(free, hands, live, stretch);
    }
    (layers, blocks)
}

fn stretch(deck: usize, hands: HandBalance, live: usize, first_block: usize) -> Stretch {
    let row = binomial(live, hands.held(live));
    Stretch { first_block, positions: Layer::size(deck, live, hands), row }
}
