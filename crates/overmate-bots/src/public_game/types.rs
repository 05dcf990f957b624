//! Defines vectors of probabilities and vectors of points, with one number for each card that a seat may have face
//! down.
//!
//! A *type* of a seat is a card that the seat may have face down.

use std::ops::{Index, IndexMut};

use overmate_rules::BySeat;

/// Length of the vectors with one number for each card that a seat may have face down. A hand has at most ten such
/// cards, so the last two numbers are unused.
pub(crate) const MAX_TYPES: usize = 12;

/// Probability of each possible face-down card of a seat, in the order of the cards in the hand.
pub(crate) type TypeProbabilities = [f64; MAX_TYPES];

/// Vector with the probability 0 for each possible face-down card.
pub(crate) const ZERO: TypeProbabilities = [0.0; MAX_TYPES];

/// Points of a seat for each of its possible face-down cards, in the order of the cards in the hand.
///
/// Counterfactual values are points too, weighted by the reach probabilities of the opponent's types.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct TypePoints([f64; MAX_TYPES]);

impl TypePoints {
    /// Vector with 0 points for each possible face-down card.
    pub(crate) const ZERO: Self = Self([0.0; MAX_TYPES]);

    /// Returns a vector with the number `points` for every possible face-down card.
    pub(crate) fn all(points: f64) -> Self {
        Self([points; MAX_TYPES])
    }

    /// Iterates over the points for each possible face-down card.
    pub(crate) fn iter(&self) -> impl Iterator<Item = f64> {
        self.0.into_iter()
    }

    /// Iterates mutably over the points for each possible face-down card.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        self.0.iter_mut()
    }

    /// Adds the points of `other` to the points of the vector, separately for each possible face-down card.
    pub(crate) fn add(&mut self, other: &Self) {
        for (points, more) in self.iter_mut().zip(other.iter()) {
            *points += more;
        }
    }

    /// Returns the mean of the points over the possible face-down cards, weighted by the given probabilities.
    pub(crate) fn expected(&self, chances: &TypeProbabilities) -> f64 {
        self.iter().zip(chances).map(|(points, chance)| points * chance).sum()
    }
}

impl Index<usize> for TypePoints {
    type Output = f64;

    fn index(&self, index: usize) -> &f64 {
        &self.0[index]
    }
}

impl IndexMut<usize> for TypePoints {
    fn index_mut(&mut self, index: usize) -> &mut f64 {
        &mut self.0[index]
    }
}

/// Pair of independent probability distributions over the possible face-down cards, one for each seat. If a seat has
/// not foreplaced, the probability that it has no face-down card is 1.
pub(crate) type TypeChances = BySeat<TypeProbabilities>;

/// Scales the probabilities of each seat's face-down cards to the sum 1. A seat whose probabilities
/// are all 0 stays unchanged.
pub(crate) fn normalised(chances: &TypeChances) -> TypeChances {
    chances.map(|chances| {
        let total: f64 = chances.iter().sum();
        if total > 0.0 { chances.map(|chance| chance / total) } else { chances }
    })
}
