//! Numbers by private type, such as beliefs about the hidden card.

use overmate_rules::BySeat;

/// Largest number of types that a seat can have.
pub(crate) const MAX_TYPES: usize = 12;

/// One number for each type of a seat, in the order of the types; 0 beyond the last type.
pub(crate) type TypeVector = [f64; MAX_TYPES];

/// Vector that is 0 for every type.
pub(crate) const ZERO: TypeVector = [0.0; MAX_TYPES];

/// Probabilities of the types of each seat, independent between the seats; a seat without a hidden card has one type.
pub(crate) type TypeChances = BySeat<TypeVector>;

/// Scales the probabilities of each seat so that they add up to 1; a seat whose probabilities are all 0 keeps them.
pub(crate) fn normalised(chances: &TypeChances) -> TypeChances {
    chances.map(|chances| {
        let total: f64 = chances.iter().sum();
        if total > 0.0 { chances.map(|chance| chance / total) } else { chances }
    })
}
