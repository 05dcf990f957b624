//! Hashes the values of each layer of positions, and provides the published hashes for rule sets of the catalogue.

use core::fmt;
use core::str::FromStr;
use std::hash::Hasher as _;

use overmate_rules::RuleSet;
use twox_hash::XxHash3_64;

use super::facts::{LayerFacts, facts_of};
use super::game::WholeGame;
use super::layer::HandBalance;
use super::layers::layer_keys;
use crate::deal::score_codes::ScoreCodes;
use crate::parallel;

/// Published hashes of the values of layers, as tab-separated text with one line for each layer of each rule set.
const PUBLISHED: &str = include_str!("../../data/layer-hashes.tsv");

/// Statistics and hash of a layer of positions, with which two runs of the solver can be compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HashedLayer {
    /// Statistics of the layer of positions.
    pub facts: LayerFacts,
    /// XXH3 hash (64 bits) of all values in the layer, in points for the leader. Each value is
    /// hashed as a 16-bit little-endian number.
    pub xxh3: u64,
}

impl HashedLayer {
    pub(crate) fn of(codes: &ScoreCodes, key: (bool, HandBalance, usize), bytes: &[i8]) -> Self {
        let mut values = [[0; 2]; 256];
        for code in i8::MIN..=i8::MAX {
            // With ten cards a hand, each worth at most 1,000 points, no score is above 22,000, so that every score fits in 16 bits.
            let points = i16::try_from(codes.points(code)).unwrap_or_default();
            values[usize::from(code.cast_unsigned())] = points.to_le_bytes();
        }
        let mut hasher = XxHash3_64::new();
        let mut buffer = Vec::with_capacity(2 << 14);
        for bytes in bytes.chunks(1 << 14) {
            buffer.clear();
            buffer.extend(bytes.iter().flat_map(|code| values[usize::from(code.cast_unsigned())]));
            hasher.write(&buffer);
        }
        Self { facts: facts_of(codes, key, bytes), xxh3: hasher.finish() }
    }

    /// Returns the published hashes of a rule set, or `None` if no hashes are published for the
    /// rule set. The rule sets of [`RuleSet::with_published_values`] have published hashes.
    ///
    /// ```
    /// use overmate_rules::RuleSet;
    /// use overmate_solver::whole::{HashedLayer, WholeGame};
    /// let rules = RuleSet::named("bga")?;
    /// let layers = HashedLayer::published(&rules).expect("the values of bga are published");
    /// let positions: u64 = layers.iter().map(|layer| layer.facts.positions).sum();
    /// assert_eq!(positions, WholeGame::positions_of(&rules));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn published(rules: &RuleSet) -> Option<Vec<Self>> {
        if RuleSet::named(rules.name()).as_ref() != Ok(rules) {
            return None;
        }
        let lines = PUBLISHED.lines().filter_map(|line| line.split_once('\t'));
        let lines = lines.filter(|(name, _)| *name == rules.name());
        let layers: Vec<Self> = lines.filter_map(|(_, layer)| layer.parse().ok()).collect();
        (!layers.is_empty()).then_some(layers)
    }
}

/// Formats the statistics and the hash of a layer as tab-separated columns.
impl fmt::Display for HashedLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { facts, xxh3 } = self;
        let LayerFacts { leader_cards, other_cards, free_move, positions, .. } = facts;
        write!(f, "{leader_cards}\t{other_cards}\t{free_move}\t{positions}\t")?;
        write!(f, "{}\t{}\t{xxh3:016x}", facts.sum_for_leader, facts.sum_of_squares)
    }
}

/// Parse error: the line does not have the seven columns of a [`HashedLayer`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotALayer;

impl fmt::Display for NotALayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a line of layer hashes must have seven columns, separated by tabs")
    }
}

impl core::error::Error for NotALayer {}

impl FromStr for HashedLayer {
    type Err = NotALayer;

    fn from_str(text: &str) -> Result<Self, NotALayer> {
        fn read<T: FromStr>(text: &str) -> Result<T, NotALayer> {
            text.parse().map_err(|_| NotALayer)
        }
        let columns: Vec<&str> = text.split('\t').collect();
        let [leader, other, free, positions, sum, squares, xxh3] = columns[..] else {
            return Err(NotALayer);
        };
        let facts = LayerFacts {
            leader_cards: read(leader)?,
            other_cards: read(other)?,
            free_move: read(free)?,
            positions: read(positions)?,
            sum_for_leader: read(sum)?,
            sum_of_squares: read(squares)?,
        };
        let xxh3 = u64::from_str_radix(xxh3, 16).map_err(|_| NotALayer)?;
        Ok(Self { facts, xxh3 })
    }
}

impl WholeGame {
    /// Returns the statistics and the hash of each layer, in the order in which the layers were solved.
    #[must_use]
    pub fn hashed_layers(&self) -> Vec<HashedLayer> {
        let keys = layer_keys(&self.rules);
        let hashed = parallel::map(self.threads, keys.len(), |i| {
            let (free, hands, live) = keys[i];
            let layer = self.layers.get(free, hands, live)?;
            Some(HashedLayer::of(&self.codes, keys[i], layer.rows()))
        });
        hashed.into_iter().flatten().collect()
    }
}
