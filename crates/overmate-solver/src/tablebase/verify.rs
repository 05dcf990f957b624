//! Verifies a tablebase: all checksums, all values by one-ply searches, and some values by full searches.

use std::hash::Hasher as _;
use std::sync::atomic::{AtomicU64, Ordering};

use overmate_rules::CardSet;
use twox_hash::XxHash3_64;

use super::error::TablebaseError;
use super::file::Tablebase;
use super::format::{BLOCK, HEADER, Stretch};
use super::one_ply::{Key, OnePly, ValueFault};
use crate::analysis::solver::Solver;
use crate::budget::Budget;
use crate::deal::subsets::elements_at;
use crate::parallel;
use crate::progress::{Progress, Stopped};
use crate::value::Value;
use crate::whole::hashes::HashedLayer;
use crate::whole::layer::Layer;
use crate::whole::layers::{Layers, layer_keys};

/// Number of random positions whose stored values are verified by a full search.
const SEARCHED: usize = 1000;

/// Maximum number of attempts to sample a random position that a game can reach.
const MOST_TRIES: usize = 100;

/// Number of blocks that a thread decompresses between two checks of the cancel flag.
const BATCH: usize = 2048;

/// Number of bytes hashed between two checks of the cancel flag.
const HASHED: usize = 1 << 20;

/// Result of a successful tablebase verification: the numbers of confirmed bytes, blocks and values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// Size, in bytes, of the tablebase file whose hash was confirmed.
    pub bytes: u64,
    /// Number of blocks of the tablebase whose checksums were confirmed.
    pub blocks: u64,
    /// Number of layers of positions whose hash equals the published hash, or `None` if no hashes are published for the
    /// rule set. A layer has all positions with given hand sizes and a given state of the free move.
    pub published: Option<u64>,
    /// Number of positions whose stored value was confirmed by a one-ply search.
    pub positions: u64,
    /// Number of stored values that the one-ply searches have read. One value is read for each lead and answer.
    pub answers: u64,
    /// Number of random positions whose stored value was confirmed by a full search.
    pub searched: u64,
}

impl Tablebase {
    /// Verifies the hash, the checksums and the values of a tablebase, and compares the hashes of the values with the
    /// published hashes. Each value is checked against the values after one move. The values of random positions are
    /// also checked by a full search.
    ///
    /// The verification needs a byte of memory for each position.
    ///
    /// # Errors
    ///
    /// Returns [`TablebaseError`] at the first fault, if the operating system refuses the memory,
    /// or if the caller cancels the work.
    pub fn verify(
        &self,
        threads: usize,
        progress: &Progress<'_>,
    ) -> Result<Verified, TablebaseError> {
        let threads = threads.max(1);
        let done = Done { progress, positions: AtomicU64::new(0), total: 2 * self.positions() };
        self.check_hash(progress)?;
        let layers = self.unpack_all(threads, &done)?;
        let published = self.check_published(threads, &layers)?;
        let plain = OnePly::new(&self.rules, &self.codes, &layers);
        let answers = self.check_values(threads, &plain, &done)?;
        let searched = self.check_by_search(threads, &plain, progress)?;
        let (bytes, blocks, positions) = (self.bytes(), self.header.blocks, self.positions());
        Ok(Verified { bytes, blocks, published, positions, answers, searched })
    }

    fn check_hash(&self, progress: &Progress<'_>) -> Result<(), TablebaseError> {
        let mut hasher = XxHash3_64::new();
        let mut room = vec![0; HASHED];
        let mut at = HEADER as u64;
        while at < self.header.length {
            if progress.is_stopped() {
                return Err(Stopped.into());
            }
            let rest = usize::try_from(self.header.length - at).unwrap_or(HASHED);
            let part = &mut room[..rest.min(HASHED)];
            self.read_at(at, part)?;
            hasher.write(part);
            at += part.len() as u64;
        }
        if hasher.finish() == self.header.hash {
            return Ok(());
        }
        // The hash of all bytes after the tablebase file's header differs from the hash in the header. If a single block is damaged,
        // unpacking all blocks lets the error name that block.
        let mut unpacker = self.unpacker();
        let mut room = [0; BLOCK];
        for key in layer_keys(&self.rules) {
            let stretch = self.stretch(key)?;
            for block in stretch.first_block..stretch.first_block + stretch.blocks() {
                self.unpack(block, &mut unpacker, &mut room[..stretch.held_by(block)])?;
            }
        }
        Err(TablebaseError::damaged(
            "the hash of all bytes differs from the hash that the header of the file states",
        ))
    }

    fn stretch(&self, (free, hands, live): Key) -> Result<&Stretch, TablebaseError> {
        let stretch = self.layers.get(free, hands, live);
        stretch
            .ok_or_else(|| TablebaseError::damaged("the positions of some hand sizes are missing"))
    }

    /// Decompresses the values of all positions in the tablebase into memory.
    fn unpack_all(&self, threads: usize, done: &Done<'_>) -> Result<Layers<Layer>, TablebaseError> {
        let mut layers = Layers::default();
        for key in layer_keys(&self.rules) {
            let (free, hands, live) = key;
            let stretch = self.stretch(key)?;
            let mut layer = Layer::new(self.rules.deck().cards().len(), live, hands)?;
            let batches = layer.rows_mut().chunks_mut(BATCH * BLOCK);
            let batches = (stretch.first_block..).step_by(BATCH).zip(batches);
            let unpacker = || self.unpacker();
            parallel::for_each_piece(threads, batches, unpacker, |unpacker, (first, rows)| {
                done.check()?;
                let blocks = bytemuck::cast_slice_mut::<i8, u8>(rows).chunks_mut(BLOCK);
                for (block, out) in (first..).zip(blocks) {
                    self.unpack(block, unpacker, out)?;
                }
                self.check_codes(first, rows)?;
                done.add(rows.len());
                Ok::<(), TablebaseError>(())
            })?;
            layers.put(free, hands, live, layer);
        }
        Ok(layers)
    }

    /// Checks that each byte in `rows` encodes a possible score of the rule set.
    fn check_codes(&self, first: usize, rows: &[i8]) -> Result<(), TablebaseError> {
        let scores = self.codes.scores().len();
        match rows.iter().position(|code| usize::from(code.unsigned_abs()) > scores) {
            None => Ok(()),
            Some(at) => {
                let block = first + at / BLOCK + 1;
                let what = format!("block {block} holds a score that the rule set cannot give");
                Err(TablebaseError::damaged(what))
            }
        }
    }

    /// Compares the hash of the values in each layer of positions with the published hash. The check is skipped if no hashes are published
    /// for the rule set.
    fn check_published(
        &self,
        threads: usize,
        layers: &Layers<Layer>,
    ) -> Result<Option<u64>, TablebaseError> {
        let Some(published) = HashedLayer::published(&self.rules) else { return Ok(None) };
        let keys = layer_keys(&self.rules);
        let found = parallel::map(threads, keys.len(), |i| {
            let (free, hands, live) = keys[i];
            Some(HashedLayer::of(&self.codes, keys[i], layers.get(free, hands, live)?.rows()))
        });
        for (i, found) in found.iter().enumerate() {
            if found.as_ref() != published.get(i) {
                let (_, hands, live) = keys[i];
                let (own, other) = (hands.held(live), live - hands.held(live));
                return Err(TablebaseError::Wrong {
                    what: format!(
                        "the values of the positions with {own} cards against {other} do not have the published hash"
                    ),
                });
            }
        }
        Ok(Some(found.len() as u64))
    }

    /// Verifies each stored value against the stored values of the positions after one move.
    /// Returns the number of successor values that were read.
    fn check_values(
        &self,
        threads: usize,
        plain: &OnePly<'_>,
        done: &Done<'_>,
    ) -> Result<u64, TablebaseError> {
        let mut answers = 0;
        for key in layer_keys(&self.rules) {
            let stretch = self.stretch(key)?;
            let rows = stretch.positions / stretch.row;
            let sets = &plain.sets.of_size(key.2)[..rows];
            let batches: Vec<&[u32]> = sets.chunks((1 << 17) / stretch.row + 1).collect();
            let checked = parallel::map(threads, batches.len(), |i| {
                let mut answers = 0;
                for &live in batches[i] {
                    done.check()?;
                    answers += plain.check(key, live).map_err(|fault| self.wrong(key, &fault))?;
                    done.add(stretch.row);
                }
                Ok(answers)
            });
            answers += checked.into_iter().sum::<Result<u64, TablebaseError>>()?;
        }
        Ok(answers)
    }

    fn wrong(&self, key: Key, fault: &ValueFault) -> TablebaseError {
        let ValueFault { live, own, stored, expected } = *fault;
        let deck = self.rules.deck();
        let text = |slots: u32| {
            let cards = deck.cards_of(CardSet(slots.into()));
            cards.map(|card| deck.card_text(card).to_string()).collect::<Vec<_>>().join(" ")
        };
        let (own, other) = (text(own), text(live & !own));
        let used = if self.rules.free_move() && !key.0 { ", the free move used" } else { "" };
        TablebaseError::Wrong {
            what: format!(
                "the file gives {stored} points to the leader who holds {own} against {other}{used}, but best play gives {expected}"
            ),
        }
    }

    /// Verifies the stored values of random positions by full searches, and returns the number of
    /// verified positions. A given file always gives the same random positions.
    fn check_by_search(
        &self,
        threads: usize,
        plain: &OnePly<'_>,
        progress: &Progress<'_>,
    ) -> Result<u64, TablebaseError> {
        let keys: Vec<Key> =
            layer_keys(&self.rules).into_iter().filter(|(_, _, live)| *live > 0).collect();
        let searched = AtomicU64::new(0);
        let scratch = || (Solver::new(), self.reader());
        parallel::for_each_piece(threads, 0..SEARCHED, scratch, |(solver, reader), i| {
            if progress.is_stopped() {
                return Err(Stopped.into());
            }
            let mut chance = Chance(self.header.hash.wrapping_add(i as u64));
            // Some stored positions cannot arise in a game, such as positions of the first move with a used free move. Instead of such a
            // position, another random position is chosen.
            let found = (0..MOST_TRIES).find_map(|_| {
                let key = keys[chance.below(keys.len())];
                let (free, hands, count) = key;
                let stretch = self.layers.get(free, hands, count)?;
                let row = chance.below(stretch.positions / stretch.row);
                let live = plain.sets.of_size(count)[row];
                let places = plain.sets.of_size(hands.held(count))[chance.below(stretch.row)];
                let own = elements_at(places, live);
                Some((key, live, own, plain.position(key, live, own)?))
            });
            let Some((key, live, own, position)) = found else { return Ok(()) };
            let stored = reader.value_for_first(&position)?;
            let found = solver.value(&position, &Budget::unlimited());
            if let (Some(stored), Value::Exact(found)) = (stored, found)
                && stored != found
            {
                let (stored, expected) = (stored.points(), found.points());
                return Err(self.wrong(key, &ValueFault { live, own, stored, expected }));
            }
            searched.fetch_add(1, Ordering::Relaxed);
            Ok(())
        })?;
        Ok(searched.into_inner())
    }
}

/// Progress counter of a verification: the number of decompressed positions plus the number of verified positions. All
/// threads share the counter, which reports the progress to the caller.
struct Done<'a> {
    progress: &'a Progress<'a>,
    positions: AtomicU64,
    total: u64,
}

impl Done<'_> {
    fn check(&self) -> Result<(), TablebaseError> {
        if self.progress.is_stopped() { Err(Stopped.into()) } else { Ok(()) }
    }

    fn add(&self, positions: usize) {
        let positions = positions as u64;
        let done = self.positions.fetch_add(positions, Ordering::Relaxed) + positions;
        self.progress.tell(done, self.total);
    }
}

/// Pseudorandom number generator `SplitMix64` (Steele, Lea and Flood 2014) for choosing the positions to verify.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        // The operation `%` makes some numbers slightly more likely, but this bias is negligible for a small `end`.
        usize::try_from(mixed >> 16).unwrap_or_default() % end
    }
}
