//! Verifying a tablebase: every checksum, every value by its leads and answers, some by a search.

use std::hash::Hasher as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use overmate_rules::CardSet;
use twox_hash::XxHash3_64;

use super::error::TablebaseError;
use super::file::Tablebase;
use super::format::{BLOCK, HEAD, Stretch};
use super::one_ply::{Fault, Key, OnePly};
use crate::analysis::solver::Solver;
use crate::budget::Budget;
use crate::parallel;
use crate::progress::{Progress, Stopped};
use crate::value::Value;
use crate::whole::hashes::HashedLayer;
use crate::whole::layer::Layer;
use crate::whole::layers::{Layers, layer_keys};

/// How many positions are searched.
const SEARCHED: usize = 1000;

/// How often a random position is tried that no game comes to.
const MOST_TRIES: usize = 100;

/// How many blocks a thread unpacks before it looks up.
const BATCH: usize = 2048;

/// How many bytes are hashed before it is asked whether to stop.
const HASHED: usize = 16 << 20;

/// What was found in order in a tablebase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// Bytes that the hash of the file is over.
    pub bytes: u64,
    /// Blocks whose checksums are right.
    pub blocks: u64,
    /// Layers that are those published for the rule set; `None` if nothing is published for it.
    pub published: Option<u64>,
    /// Positions whose values are the best of their leads.
    pub positions: u64,
    /// Answers that were looked up for that.
    pub answers: u64,
    /// Random positions whose values a search found as well.
    pub searched: u64,
}

impl Tablebase {
    /// Checks everything: the hash of the file, the checksum of each block, the published hashes of the layers if
    /// there are any, each value against those after every lead and answer, and random positions against a search.
    ///
    /// It takes a byte of memory for each position.
    ///
    /// # Errors
    ///
    /// The first thing that is not in order, if the memory is not there, or the work was stopped.
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
        let (bytes, blocks, positions) = (self.bytes(), self.head.blocks, self.positions());
        Ok(Verified { bytes, blocks, published, positions, answers, searched })
    }

    fn check_hash(&self, progress: &Progress<'_>) -> Result<(), TablebaseError> {
        let mut hasher = XxHash3_64::new();
        for bytes in self.file[HEAD..].chunks(HASHED) {
            if progress.is_stopped() {
                return Err(Stopped.into());
            }
            hasher.write(bytes);
        }
        if hasher.finish() == self.head.hash {
            return Ok(());
        }
        // Which part it is can be told if it is a block's.
        let mut unpacker = self.unpacker();
        let mut room = [0; BLOCK];
        for key in layer_keys(&self.rules) {
            let stretch = self.stretch(key)?;
            for block in stretch.first_block..stretch.first_block + stretch.blocks() {
                self.unpack(block, &mut unpacker, &mut room[..stretch.held_by(block)])?;
            }
        }
        Err(TablebaseError::damaged("the hash of the whole file is not that of its bytes"))
    }

    fn stretch(&self, (free, hands, live): Key) -> Result<&Stretch, TablebaseError> {
        let stretch = self.layers.get(free, hands, live);
        stretch.ok_or_else(|| TablebaseError::damaged("a layer is missing"))
    }

    /// All layers, in memory.
    fn unpack_all(&self, threads: usize, done: &Done<'_>) -> Result<Layers<Layer>, TablebaseError> {
        let mut layers = Layers::default();
        for key in layer_keys(&self.rules) {
            let (free, hands, live) = key;
            let stretch = self.stretch(key)?;
            let mut layer = Layer::new(self.rules.deck().cards().len(), live, hands)?;
            let batches = layer.rows_mut().chunks_mut(BATCH * BLOCK);
            let batches = Mutex::new((stretch.first_block..).step_by(BATCH).zip(batches));
            let results = parallel::map(threads, threads, |_| {
                let mut unpacker = self.unpacker();
                // No thread panics while it holds the lock; should one ever, the others stop as well.
                while let Ok(Some((first, rows))) = batches.lock().map(|mut rest| rest.next()) {
                    done.check()?;
                    let blocks = bytemuck::cast_slice_mut::<i8, u8>(rows).chunks_mut(BLOCK);
                    for (block, out) in (first..).zip(blocks) {
                        self.unpack(block, &mut unpacker, out)?;
                    }
                    self.check_codes(first, rows)?;
                    done.add(rows.len());
                }
                Ok(())
            });
            results.into_iter().collect::<Result<(), TablebaseError>>()?;
            layers.put(free, hands, live, layer);
        }
        Ok(layers)
    }

    /// Whether every byte stands for a score.
    fn check_codes(&self, first: usize, rows: &[i8]) -> Result<(), TablebaseError> {
        let scores = self.codes.scores().len();
        match rows.iter().position(|code| usize::from(code.unsigned_abs()) > scores) {
            None => Ok(()),
            Some(at) => {
                let block = first + at / BLOCK + 1;
                let what = format!("block {block} holds a value that the rule set does not have");
                Err(TablebaseError::damaged(what))
            }
        }
    }

    /// The hashes of the layers against those that are published, if there are any.
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
                        "the positions of {own} cards against {other} have not the published hash"
                    ),
                });
            }
        }
        Ok(Some(found.len() as u64))
    }

    /// Every value against those that follow it; returns how many answers were looked up.
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

    fn wrong(&self, key: Key, fault: &Fault) -> TablebaseError {
        let Fault { live, own, stored, expected } = *fault;
        let deck = self.rules.deck();
        let text = |slots: u32| {
            let cards = deck.cards_of(CardSet(slots.into()));
            cards.map(|card| deck.card_text(card).to_string()).collect::<Vec<_>>().join(" ")
        };
        let (own, other) = (text(own), text(live & !own));
        let used = if self.rules.free_move() && !key.0 { ", the free move used" } else { "" };
        TablebaseError::Wrong {
            what: format!(
                "with {own} to lead against {other}{used}, {stored} points for the leader, and best play gives {expected}"
            ),
        }
    }

    /// Random positions, the same for the same file; returns how many were searched.
    fn check_by_search(
        &self,
        threads: usize,
        plain: &OnePly<'_>,
        progress: &Progress<'_>,
    ) -> Result<u64, TablebaseError> {
        let keys: Vec<Key> =
            layer_keys(&self.rules).into_iter().filter(|(_, _, live)| *live > 0).collect();
        let next = std::sync::atomic::AtomicUsize::new(0);
        let results = parallel::map(threads, threads, |_| {
            let (mut solver, mut reader) = (Solver::new(), self.reader());
            let mut searched = 0;
            while let i = next.fetch_add(1, Ordering::Relaxed)
                && i < SEARCHED
                && !keys.is_empty()
            {
                if progress.is_stopped() {
                    return Err(Stopped.into());
                }
                let mut chance = Chance(self.head.hash.wrapping_add(i as u64));
                // Some positions no game comes to: those of the first move with the free move used.
                let found = (0..MOST_TRIES).find_map(|_| {
                    let key = keys[chance.below(keys.len())];
                    let (free, hands, count) = key;
                    let stretch = self.layers.get(free, hands, count)?;
                    let row = chance.below(stretch.positions / stretch.row);
                    let live = plain.sets.of_size(count)[row];
                    let places = plain.sets.of_size(hands.held(count))[chance.below(stretch.row)];
                    let own = spread(places, live);
                    Some((key, live, own, plain.position(key, live, own)?))
                });
                let Some((key, live, own, position)) = found else { continue };
                let stored = reader.value_for_first(&position)?;
                let found = solver.value(&position, &Budget::unlimited());
                if let (Some(stored), Value::Exact(found)) = (stored, found)
                    && stored != found
                {
                    let (stored, expected) = (stored.points(), found.points());
                    return Err(self.wrong(key, &Fault { live, own, stored, expected }));
                }
                searched += 1;
            }
            Ok(searched)
        });
        results.into_iter().sum()
    }
}

/// How far it is.
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

/// The elements of a set that stand at these places in it.
fn spread(places: u32, set: u32) -> u32 {
    let elements = (0..u32::BITS).filter(|element| set >> element & 1 == 1).enumerate();
    let held = elements.filter(|(place, _)| places >> place & 1 == 1);
    held.fold(0, |held, (_, element)| held | 1 << element)
}

/// A generator for choosing samples: `SplitMix64`.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        // The remainder is as good as even for so few.
        usize::try_from(mixed >> 16).unwrap_or_default() % end
    }
}
