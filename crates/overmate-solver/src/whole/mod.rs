//! The whole game: the exact value of every position of every deal of a rule set with at most 20 cards.
//!
//! A position in which a card is to be led is a set of live cards and the part of it that the leader
//! holds. A row has a byte for each split of the same live cards, from the leader's point of view. When a lead
//! is answered, two cards are gone, and the rest of the row's lanes are those of a smaller row, in order; if the other leads
//! next, it is that row read backwards and negated. So all splits of the same live cards are worked out at once.
//! All sizes are binomial coefficients.

mod build;
mod deals;
mod hashes;
mod job;
mod kernel;
mod layer;
mod mirror;
mod pairings;

use core::fmt;
use std::io;
use std::sync::Arc;

use overmate_rules::{CardSet, Position, RuleSet};

use crate::deal::action_tree::{ActionTree, LeadPosition};
pub(crate) use crate::deal::score_codes::Codes;
pub(crate) use crate::deal::subsets::{places_of, rank};
use crate::parallel;
use crate::progress::{Progress, Stopped};
use crate::value::ValueForFirst;
use build::{Builder, Failure};
pub use deals::DealFacts;
pub(crate) use hashes::facts_of;
pub use hashes::{HashedLayer, NotALayer};
pub use kernel::{Kernel, UnknownKernel};
pub use layer::Hands;
pub(crate) use layer::Layer;

/// The most cards that a deck of a whole game can have.
pub const MAX_WHOLE_DECK: usize = 20;

/// The exact value of every position of every deal of a rule set, all cards known to both players.
///
/// Memory: a byte for each position, 1.1 GB for 20 cards with foreplacing, 0.4 GB without, twice that with a free move.
pub struct WholeGame {
    rules: Arc<RuleSet>,
    codes: Codes,
    layers: Layers<Layer>,
    kernel: Kernel,
    threads: usize,
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

/// Why a whole game could not be worked out.
#[derive(Debug)]
#[non_exhaustive]
pub enum WholeError {
    /// The deck has more than [`MAX_WHOLE_DECK`] cards.
    TooManyCards {
        /// How many it has.
        cards: usize,
    },
    /// More different scores are possible than fit in a byte.
    TooManyScores,
    /// The processor lacks the instructions of the kernel.
    Unsupported(Kernel),
    /// The system did not give the memory.
    Memory {
        /// How many bytes are needed in all.
        needed: u64,
        /// What the system said.
        error: io::Error,
    },
    /// The work was stopped.
    Stopped,
}

impl fmt::Display for WholeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyCards { cards } => {
                write!(
                    f,
                    "the whole game is solved for at most {MAX_WHOLE_DECK} cards, not {cards}"
                )
            }
            Self::TooManyScores => f.write_str("this rule set has more than 126 different scores"),
            Self::Unsupported(kernel) => {
                write!(f, "this processor lacks the instructions of the kernel {kernel}")
            }
            Self::Memory { needed, .. } => {
                write!(f, "the system did not give the memory, {} MB in all", needed / 1_000_000)
            }
            Self::Stopped => Stopped.fmt(f),
        }
    }
}

impl core::error::Error for WholeError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Memory { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// One layer of a whole game, for statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayerFacts {
    /// How many cards the leader holds.
    pub leader_cards: usize,
    /// How many cards the other holds.
    pub other_cards: usize,
    /// Whether the free move is still there; false in a rule set without it.
    pub free_move: bool,
    /// How many positions the layer has.
    pub positions: u64,
    /// The sum of their values as the leader sees them.
    pub sum_for_leader: i64,
    /// The sum of the squares of their values.
    pub sum_of_squares: u64,
}

/// Something for each layer, by free move, by hands and by number of live cards.
pub(crate) struct Layers<T>([[Vec<Option<T>>; 3]; 2]);

impl<T> Default for Layers<T> {
    fn default() -> Self {
        Self(core::array::from_fn(|_| core::array::from_fn(|_| Vec::new())))
    }
}

impl<T> Layers<T> {
    pub(crate) fn get(&self, free: bool, hands: Hands, live: usize) -> Option<&T> {
        self.0[usize::from(free)][hands as usize].get(live)?.as_ref()
    }

    pub(crate) fn put(&mut self, free: bool, hands: Hands, live: usize, layer: T) {
        let layers = &mut self.0[usize::from(free)][hands as usize];
        if layers.len() <= live {
            layers.resize_with(live + 1, || None);
        }
        layers[live] = Some(layer);
    }
}

/// Where the value of a lead stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerPosition {
    pub(crate) free: bool,
    pub(crate) hands: Hands,
    /// The cards held, as slots.
    pub(crate) live: u32,
    /// Those of the leader.
    pub(crate) own: u32,
}

impl LayerPosition {
    pub(crate) fn of(lead: &LeadPosition) -> Self {
        let slots = lead.hands.map(|hand: CardSet| u32::try_from(hand.0).unwrap_or_default());
        let (own, other) = (slots[lead.leader], slots[!lead.leader]);
        let hands = match own.count_ones().cmp(&other.count_ones()) {
            core::cmp::Ordering::Less => Hands::LeaderFewer,
            core::cmp::Ordering::Equal => Hands::Equal,
            core::cmp::Ordering::Greater => Hands::LeaderMore,
        };
        Self { free: lead.free, hands, live: own | other, own }
    }
}

/// Which layers a rule set has, in an order in which each needs earlier ones only.
pub(crate) fn layer_keys(rules: &RuleSet) -> Vec<(bool, Hands, usize)> {
    let deck = rules.deck().cards().len();
    let all = [Hands::Equal, Hands::LeaderFewer, Hands::LeaderMore];
    let hands = if rules.foreplacing().is_some() { &all[..] } else { &all[..1] };
    let mut keys = Vec::new();
    for live in 0..=deck {
        for free in [false, true] {
            if free && !rules.free_move() {
                continue;
            }
            let here = hands.iter().filter(|hands| hands.live_counts(deck).any(|n| n == live));
            keys.extend(here.map(|&hands| (free, hands, live)));
        }
    }
    keys
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
        let codes = Codes::new(rules).ok_or(WholeError::TooManyScores)?;
        let needed = Self::positions_of(rules);
        let threads = threads.max(1);
        let mut layers = Layers::default();
        let builder = Builder::new(rules, &codes, (threads, kernel), progress, needed);
        for (free, hands, live) in layer_keys(rules) {
            if hands == Hands::LeaderMore {
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
    pub(crate) fn codes(&self) -> &Codes {
        &self.codes
    }

    /// The bytes of all layers, in canonical order.
    pub(crate) fn all_rows(&self) -> impl Iterator<Item = &[i8]> {
        let keys = layer_keys(&self.rules).into_iter();
        keys.filter_map(|(free, hands, live)| Some(self.layers.get(free, hands, live)?.rows()))
    }
}
