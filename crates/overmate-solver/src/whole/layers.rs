//! Defines the layers of a rule set, and the order in which the solver solves the layers.
//!
//! A layer has all positions with given hand sizes and a given state of the free move.

use overmate_rules::{CardSet, RuleSet};

use super::layer::HandBalance;
use crate::deal::action_tree::LeadPosition;

/// Maximum number of cards in a deck whose positions can all be solved.
pub const MAX_WHOLE_DECK: usize = 20;

/// Map from layers (positions with given hand sizes and a given state of the free move) to values of type `T`.
pub(crate) struct Layers<T>([[Vec<Option<T>>; 3]; 2]);

impl<T> Default for Layers<T> {
    fn default() -> Self {
        Self(core::array::from_fn(|_| core::array::from_fn(|_| Vec::new())))
    }
}

impl<T> Layers<T> {
    pub(crate) fn get(&self, free: bool, hands: HandBalance, live: usize) -> Option<&T> {
        self.0[usize::from(free)][hands as usize].get(live)?.as_ref()
    }

    pub(crate) fn put(&mut self, free: bool, hands: HandBalance, live: usize, layer: T) {
        let layers = &mut self.0[usize::from(free)][hands as usize];
        if layers.len() <= live {
            layers.resize_with(live + 1, || None);
        }
        layers[live] = Some(layer);
    }
}

/// Location of a position among the solved layers: the layer, and the cards of both hands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerPosition {
    pub(crate) free: bool,
    pub(crate) hands: HandBalance,
    /// Bit set of the cards that both hands together hold.
    pub(crate) live: u32,
    /// Bit set of the cards in the leader's hand.
    pub(crate) own: u32,
}

impl LayerPosition {
    pub(crate) fn of(lead: &LeadPosition) -> Self {
        let slots = lead.hands.map(|hand: CardSet| u32::try_from(hand.0).unwrap_or_default());
        let (own, other) = (slots[lead.leader], slots[!lead.leader]);
        let hands = match own.count_ones().cmp(&other.count_ones()) {
            core::cmp::Ordering::Less => HandBalance::LeaderFewer,
            core::cmp::Ordering::Equal => HandBalance::Equal,
            core::cmp::Ordering::Greater => HandBalance::LeaderMore,
        };
        Self { free: lead.free, hands, live: own | other, own }
    }
}

/// Returns the keys of all layers in the order in which the layers are solved. A key has the state of the free move, the
/// relation of the hand sizes, and the number of cards in both hands together. Each layer comes after the layers on
/// which its values depend.
pub(crate) fn layer_keys(rules: &RuleSet) -> Vec<(bool, HandBalance, usize)> {
    let deck = rules.deck().cards().len();
    let all = [HandBalance::Equal, HandBalance::LeaderFewer, HandBalance::LeaderMore];
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
