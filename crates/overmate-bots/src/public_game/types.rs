//! Defines vectors of probabilities and of points by type; a type is the card that a player has face down.

use std::ops::{Index, IndexMut};

use overmate_rules::BySeat;

/// Largest number of types (possible face-down cards) that a seat can have.
pub(crate) const MAX_TYPES: usize = 12;

/// One probability for each type (possible face-down card) of a seat, in the order of the types; 0 beyond the last type.
pub(crate) type TypeProbabilities = [f64; MAX_TYPES];

/// Vector of one 0 for each type (possible face-down card).
pub(crate) const ZERO: TypeProbabilities = [0.0; MAX_TYPES];

/// Points for each type (possible face-down card) of a seat, in the order of the types; 0 beyond the last type.
///
/// Counterfactual values are points too, weighted by the reach probabilities of the opponent's types.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct TypePoints([f64; MAX_TYPES]);

impl TypePoints {
    /// Vector of 0 points for each type (possible face-down card).
    pub(crate) const ZERO: Self = Self([0.0; MAX_TYPES]);

    /// Returns a vector of the same points for every type (possible face-down card).
    pub(crate) fn all(points: f64) -> Self {
        Self([points; MAX_TYPES])
    }

    /// Iterates over the points of all types (possible face-down cards).
    pub(crate) fn iter(&self) -> impl Iterator<Item = f64> {
        self.0.into_iter()
    }

    /// Iterates mutably over the points of all types (possible face-down cards).
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        self.0.iter_mut()
    }

    /// Adds the points of `other` to these points, type by type (possible face-down card).
    pub(crate) fn add(&mut self, other: &Self) {
        for (points, more) in self.iter_mut().zip(other.iter()) {
            *points += more;
        }
    }

    /// Returns the expected points if the types (possible face-down cards) have the given probabilities.
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

/// Probabilities of each seat's types (possible face-down cards), independent between the seats; a seat without a hidden card
/// has one type.
pub(crate) type TypeChances = BySeat<TypeProbabilities>;

/// Scales the probabilities of each seat's types (possible face-down cards) to the sum 1; leaves a seat unchanged if all are 0.
pub(crate) fn normalised(chances: &TypeChances) -> TypeChances {
    chances.map(|chances| {
        let total: f64 = chances.iter().sum();
        if total > 0.0 { chances.map(|chance| chance / total) } else { chances }
    })
}
