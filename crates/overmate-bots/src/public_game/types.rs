//! Defines vectors of probabilities and of points by private type.

use std::ops::{Index, IndexMut};

use overmate_rules::BySeat;

/// Largest number of types that a seat can have.
pub(crate) const MAX_TYPES: usize = 12;

/// One probability for each type of a seat, in the order of the types; 0 beyond the last type.
pub(crate) type TypeProbabilities = [f64; MAX_TYPES];

/// Vector that is 0 for every type.
pub(crate) const ZERO: TypeProbabilities = [0.0; MAX_TYPES];

/// Points for each type of a seat, in the order of the types; 0 beyond the last type.
///
/// Counterfactual values are points too, weighted by the reach probabilities of the opponent's types.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct TypePoints([f64; MAX_TYPES]);

impl TypePoints {
    /// Points that are 0 for every type.
    pub(crate) const ZERO: Self = Self([0.0; MAX_TYPES]);

    /// Returns the same points for every type.
    pub(crate) fn all(points: f64) -> Self {
        Self([points; MAX_TYPES])
    }

    /// Iterates over the points of all types.
    pub(crate) fn iter(&self) -> impl Iterator<Item = f64> {
        self.0.into_iter()
    }

    /// Iterates over the points of all types and allows changing them.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        self.0.iter_mut()
    }

    /// Adds the points of each type.
    pub(crate) fn add(&mut self, other: &Self) {
        for (points, more) in self.iter_mut().zip(other.iter()) {
            *points += more;
        }
    }

    /// Returns the expected points under the given probabilities of the types.
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

/// Probabilities of the types of each seat, independent between the seats; a seat without a hidden card has one type.
pub(crate) type TypeChances = BySeat<TypeProbabilities>;

/// Scales the probabilities of each seat so that they add up to 1; a seat whose probabilities are all 0 keeps them.
pub(crate) fn normalised(chances: &TypeChances) -> TypeChances {
    chances.map(|chances| {
        let total: f64 = chances.iter().sum();
        if total > 0.0 { chances.map(|chance| chance / total) } else { chances }
    })
}
