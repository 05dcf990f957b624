//! Solves all positions of all deals of a rule set, and stores the exact values.

use std::sync::Arc;

use overmate_rules::{Position, RuleSet};

use super::build::{Builder, Failure};
use super::error::WholeError;
use super::facts::{LayerFacts, facts_of};
use super::layer::{HandBalance, Layer};
use super::layers::{LayerPosition, Layers, MAX_WHOLE_DECK, layer_keys};
use crate::deal::action_tree::{ActionTree, LeadPosition};
use crate::deal::score_codes::ScoreCodes;
use crate::kernel::Kernel;
use crate::parallel;
use crate::progress::Progress;
use crate::value::ValueForFirst;

/// Exact values of every position of every deal of a rule set, with all cards known to both players.
///
/// The values need one byte for each position: 1.1 GB for 20 cards with foreplacing, 0.4 GB
/// without, and twice as much with a free move.
///
/// ```
/// use overmate_rules::{Deal, Game, RuleSet};
/// use overmate_solver::Progress;
/// use overmate_solver::whole::{WholeGame, WholeOptions};
/// let mut draft = RuleSet::named("bga")?.draft();
/// draft.name = "small".to_owned();
/// draft.cards.truncate(10);
/// let rules = RuleSet::new(draft)?.shared();
/// let whole = WholeGame::solve(&rules, WholeOptions::default(), &Progress::default())?;
/// let game = Game::new(Deal::numbered(&rules, 20)?);
/// assert!(whole.value_for_first(game.position()).is_some());
/// assert_eq!(whole.deal_facts().len(), 252);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct WholeGame {
    pub(super) rules: Arc<RuleSet>,
    pub(super) codes: ScoreCodes,
    pub(super) layers: Layers<Layer>,
    kernel: Kernel,
    pub(super) threads: usize,
}

/// Options for solving all positions of a rule set: the number of threads, and the kernel (implementation of the inner loops).
///
/// ```
/// use overmate_solver::Kernel;
/// use overmate_solver::whole::WholeOptions;
/// let options = WholeOptions::default().with_threads(1).with_kernel(Kernel::Portable);
/// assert_eq!((options.threads, options.kernel), (1, Kernel::Portable));
/// assert!(WholeOptions::default().kernel.is_supported());
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct WholeOptions {
    /// Number of threads that compute the values, at least one.
    pub threads: usize,
    /// Kernel (implementation of the inner loops), which the processor must support.
    pub kernel: Kernel,
}

impl Default for WholeOptions {
    /// Returns options with one thread for each processor and with the fastest kernel that the processor supports.
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, core::num::NonZero::get);
        Self { threads, kernel: Kernel::fastest() }
    }
}

impl WholeOptions {
    /// Sets the number of threads that compute the values, at least one.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Sets the kernel (implementation of the inner loops), which the processor must support.
    #[must_use]
    pub fn with_kernel(self, kernel: Kernel) -> Self {
        Self { kernel, ..self }
    }
}

impl WholeGame {
    /// Returns the number of positions in all deals of a rule set.
    ///
    /// ```
    /// use overmate_rules::RuleSet;
    /// use overmate_solver::whole::WholeGame;
    /// assert_eq!(WholeGame::positions_of(&RuleSet::named("bga")?), 377_379_369);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn positions_of(rules: &RuleSet) -> u64 {
        let deck = rules.deck().cards().len();
        if deck > MAX_WHOLE_DECK {
            return u64::MAX;
        }
        let keys = layer_keys(rules).into_iter();
        keys.map(|(_, hands, live)| Layer::size(deck, live, hands) as u64).sum()
    }

    /// Computes the value of every position of every deal of a rule set, with all cards known to both players.
    ///
    /// # Errors
    ///
    /// Returns [`WholeError`] if the rule set is too large, the processor or the memory does not
    /// suffice, or the caller cancels the work.
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
                // The layer in which the leader has one card more than the follower is already solved. The call of `Builder::layers` for
                // the layer in which the leader has one card fewer has solved both layers.
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

    /// Returns the rule set whose positions have been solved.
    #[must_use]
    pub fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }

    /// Returns the kernel (implementation of the inner loops) that computed the values of the positions.
    #[must_use]
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Returns the number of threads that computed the values of the positions.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Returns the number of solved positions in all deals of the rule set.
    #[must_use]
    pub fn positions(&self) -> u64 {
        Self::positions_of(&self.rules)
    }

    /// Returns the final points for seat *first* under best play from a position.
    ///
    /// Returns `None` if the position is of another rule set.
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

    /// Returns the statistics of each layer of solved positions.
    #[must_use]
    pub fn layer_facts(&self) -> Vec<LayerFacts> {
        let keys = layer_keys(&self.rules);
        // The threads take the layers one by one, because a fixed division of the layers would be uneven: the largest layers hold a third
        // of all positions.
        let facts = parallel::map(self.threads, keys.len(), |i| {
            let (free, hands, live) = keys[i];
            let layer = self.layers.get(free, hands, live)?;
            Some(facts_of(&self.codes, (free, hands, live), layer.rows()))
        });
        facts.into_iter().flatten().collect()
    }

    /// Returns the score codes, which encode the scores of the rule set as bytes.
    pub(crate) fn codes(&self) -> &ScoreCodes {
        &self.codes
    }

    /// Returns the stored values of each layer as a byte slice, in the order in which the layers were solved.
    pub(crate) fn all_rows(&self) -> impl Iterator<Item = &[i8]> {
        let keys = layer_keys(&self.rules).into_iter();
        keys.filter_map(|(free, hands, live)| Some(self.layers.get(free, hands, live)?.rows()))
    }
}
