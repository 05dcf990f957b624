//! Layout of a tablebase file: its head, and the blocks of values, as described in docs/tablebase.md.

use std::hash::Hasher as _;

use overmate_rules::RuleSet;
use twox_hash::XxHash3_64;

use super::error::TablebaseError;
use super::version::VERSION;
use crate::deal::subsets::binomial;
use crate::whole::layer::{HandBalance, Layer};
use crate::whole::layers::{Layers, layer_keys};

/// Signature bytes with which every tablebase file begins. The first byte is not ASCII, and a transfer as text would
/// change the line ends.
pub(super) const MAGIC: [u8; 8] = *b"\x89MATE\r\n\x1a";

/// Number of positions whose values a full block of a tablebase file holds. Unpacking a block takes about a
/// microsecond.
pub(super) const BLOCK: usize = 512;

/// Length in bytes of the head with which a tablebase file begins.
pub(super) const HEAD: usize = 64;

/// Length in bytes of the index entry for a block, which holds the block's end offset and checksum.
pub(super) const ENTRY: usize = 8;

/// Returns the XXH3-64 hash of a byte string.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = XxHash3_64::new();
    hasher.write(bytes);
    hasher.finish()
}

/// Returns the checksum of a byte string, which is the lower 32 bits of its XXH3-64 hash and
/// suffices to detect damage in a short block.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    let [a, b, c, d, ..] = XxHash3_64::oneshot(bytes).to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// Head of a tablebase file, which is its first 64 bytes, with the lengths and checksums of the
/// other parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Head {
    /// Length in bytes of the rule set, which the file stores as TOML text.
    pub(super) rules: u32,
    /// Number of different final scores in the file's list of scores.
    pub(super) scores: u32,
    /// Length in bytes of the compression dictionary in the file.
    pub(super) dictionary: u32,
    /// Checksum over the rule set, the list of scores and the compression dictionary.
    pub(super) preface: u32,
    /// Number of compressed blocks of values in the file.
    pub(super) blocks: u64,
    /// Length in bytes that the whole file must have.
    pub(super) length: u64,
    /// XXH3-64 hash of all bytes of the file after the head.
    pub(super) hash: u64,
}

impl Head {
    pub(super) fn to_bytes(self) -> [u8; HEAD] {
        let mut bytes = Vec::with_capacity(HEAD);
        bytes.extend(MAGIC);
        let block = u32::try_from(BLOCK).unwrap_or_default();
        for number in [VERSION, block, self.rules, self.scores, self.dictionary, self.preface] {
            bytes.extend(number.to_le_bytes());
        }
        for number in [self.blocks, self.length, self.hash] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(hash(&bytes).to_le_bytes());
        let mut head = [0; HEAD];
        head.copy_from_slice(&bytes);
        head
    }

    /// Reads the head of a tablebase file, and checks the head's checksum and the stated lengths.
    ///
    /// `begin` holds the first bytes of the file, at most as many as a head has, and `found` is the length of the file.
    pub(super) fn read(begin: &[u8], found: u64) -> Result<Self, TablebaseError> {
        let cut_off = || TablebaseError::CutOff { expected: HEAD as u64, found };
        if !begin.starts_with(&MAGIC) {
            let begins = !begin.is_empty() && MAGIC.starts_with(begin);
            return Err(if begins { cut_off() } else { TablebaseError::NotATablebase });
        }
        let Some(version) = number32(begin, 8) else { return Err(cut_off()) };
        if version != VERSION {
            return Err(TablebaseError::OtherVersion { found: version });
        }
        let Some(head) = begin.get(..HEAD) else { return Err(cut_off()) };
        let (n32, n64) = (
            |at: usize| number32(head, at).unwrap_or_default(),
            |at: usize| number64(head, at).unwrap_or_default(),
        );
        if n64(56) != hash(&head[..56]) || n32(12) as usize != BLOCK {
            return Err(TablebaseError::damaged(
                "the head of the file has a wrong checksum or block size",
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
                format!("the file has {found} bytes, but the head of the file states {stated}");
            return Err(TablebaseError::damaged(what));
        }
        Ok(read)
    }
}

/// Reads the 32-bit little-endian number at the offset `at`, or returns `None` if fewer than four bytes follow.
pub(super) fn number32(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

/// Reads the 64-bit little-endian number at the offset `at`, or returns `None` if fewer than eight bytes follow.
pub(super) fn number64(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(8)?)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

/// Location, in a tablebase file, of the values of one layer: all positions with the same hand sizes and state of the
/// free move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stretch {
    /// Index in the file of the first block with values of the layer (positions with the same hand sizes).
    pub(super) first_block: usize,
    /// Number of positions in the layer (positions with the same hand sizes).
    pub(super) positions: usize,
    /// Number of positions in the layer (positions with the same hand sizes) in which both hands together hold given cards, the same for all cards.
    pub(super) row: usize,
}

impl Stretch {
    pub(super) fn blocks(&self) -> usize {
        self.positions.div_ceil(BLOCK)
    }

    /// Returns the number of positions in a block, which is smaller in the last block of the layer (positions with the same hand sizes).
    pub(super) fn held_by(&self, block: usize) -> usize {
        let before = (block - self.first_block) * BLOCK;
        self.positions.saturating_sub(before).min(BLOCK)
    }
}

/// Returns the location of each layer (positions with the same hand sizes) in a tablebase file, and the total number of
/// blocks.
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
