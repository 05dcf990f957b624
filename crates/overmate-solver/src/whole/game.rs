//! The whole game: solving all layers, and values of positions.

use std::sync::Arc;

use overmate_rules::{Position, RuleSet};

use super::build::{Builder, Failure};
use super::error::WholeError;
use super::facts::{LayerFacts, facts_of};
use super::kernel::Kernel;
use super::layer::{HandBalance, Layer};
use super::layers::{LayerPosition, Layers, MAX_WHOLE_DECK, layer_keys};
use crate::deal::action_tree::{ActionTree, LeadPosition};
use crate::deal::score_codes::ScoreCodes;
use crate::parallel;
use crate::progress::Progress;
use crate::value::ValueForFirst;

/// The exact value of every position of every deal of a rule set, all cards known to both players.
///
/// Memory: a byte for each position, 1.1 GB for 20 cards with foreplacing, 0.4 GB without, twice that with a free move.
pub struct WholeGame {
    pub(super) rules: Arc<RuleSet>,
    pub(super) codes: ScoreCodes,
    pub(super) layers: Layers<Layer>,
    kernel: Kernel,
    pub(super) threads: usize,
}

/// How to work a whole game out.
#[derive(Clone, Copy, Debug)]
pub struct WholeOptions {
    /// How many threads work, 1 and up.
    pub threads: usize,
    /// The kernel, one that the processor supports.
    pub kernel: Kernel,
}

impl Default for WholeOptions {
    /// All processors, and the fastest kernel.
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, core::num::NonZero::get);
        Self { threads, kernel: Kernel::fastest() }
    }
}

impl WholeGame {
    /// How many positions a rule set has, and so how many bytes it takes.
    #[must_use]
    pub fn positions_of(rules: &RuleSet) -> u64 {
        let deck = rules.deck().cards().len();
        if deck > MAX_WHOLE_DECK {
            return u64::MAX;
        }
        let keys = layer_keys(rules).into_iter();
        keys.map(|(_, hands, live)| Layer::size(deck, live, hands) as u64).sum()
    }

    /// Works out every position of every deal, with all cards known to both players.
    ///
    /// # Errors
    ///
    /// If the rule set is too large, the processor or the memory too small, or the work was stopped.
    pub fn solve(
        rules: &Arc<RuleSet>,
        options: WholeOptions,
        progress: &Progress<'_>,
    ) -> Result<Self, WholeError> {
        let cards = rules.deck().cards().len();
        if cards > MAX_WHOLE_DECK {
            return Err(WholeError::TooManyCards { cards });
        }
        let WholeOptions { threads, kernel } = options;
        if !kernel.is_supported() {
            return Err(WholeError::Unsupported(kernel));
        }
        let codes = ScoreCodes::of_rules(rules).ok_or(WholeError::TooManyScores)?;
        let needed = Self::positions_of(rules);
        let threads = threads.max(1);
        let mut layers = Layers::default();
        let builder = Builder::new(rules, &codes, (threads, kernel), progress, needed);
        for (free, hands, live) in layer_keys(rules) {
            if hands == HandBalance::LeaderMore {
                // It has been worked out with its opposite.
                continue;
            }
            let made = builder.layers(&layers, free, live).map_err(|failure| match failure {
                Failure::Stopped => WholeError::Stopped,
                Failure::Memory(error) => WholeError::Memory { needed, error },
            })?;
            for (hands, layer) in made {
                layers.put(free, hands, live, layer);
            }
        }
        Ok(Self { rules: Arc::clone(rules), codes, layers, kernel, threads })
    }

    /// The rule set.
    #[must_use]
    pub fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }

    /// The kernel that worked it out.
    #[must_use]
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// How many threads worked it out.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// How many positions it holds.
    #[must_use]
    pub fn positions(&self) -> u64 {
        Self::positions_of(&self.rules)
    }

    /// The final points of a position for *first*, with best play by both and all cards known; `None` if it is of
    /// another rule set.
    #[must_use]
    pub fn value_for_first(&self, position: &Position) -> Option<ValueForFirst> {
        if position.rules() != &self.rules {
            return None;
        }
        let tree = ActionTree::of(position);
        Some(ValueForFirst::new(tree.points_for_first(&mut |lead| self.lead_points(lead))))
    }

    fn lead_points(&self, lead: &LeadPosition) -> i32 {
        let LayerPosition { free, hands, live, own } = LayerPosition::of(lead);
        let layer = self.layers.get(free, hands, live.count_ones() as usize);
        let points = layer.map_or(0, |layer| self.codes.points(layer.get(live, own)));
        points * lead.leader.sign_for_first()
    }

    /// The layers, each with the sums over its positions: a check on every byte.
    #[must_use]
    pub fn layer_facts(&self) -> Vec<LayerFacts> {
        let keys = layer_keys(&self.rules);
        // A layer at a time on each thread: the largest ones are a third of the whole.
        let facts = parallel::map(self.threads, keys.len(), |i| {
            let (free, hands, live) = keys[i];
            let layer = self.layers.get(free, hands, live)?;
            Some(facts_of(&self.codes, (free, hands, live), layer.rows()))
        });
        facts.into_iter().flatten().collect()
    }

    /// The scores as bytes.
    pub(crate) fn codes(&self) -> &ScoreCodes {
        &self.codes
    }

    /// The bytes of all layers, in canonical order.
    pub(crate) fn all_rows(&self) -> impl Iterator<Item = &[i8]> {
        let keys = layer_keys(&self.rules).into_iter();
        keys.filter_map(|(free, hands, live)| Some(self.layers.get(free, hands, live)?.rows()))
    }
}
