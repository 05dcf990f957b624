//! What is believed of a hidden card: Bayes, with a model of how a player of some strength acts.

use overmate_rules::{BySeat, Seat};

use crate::public_game::cards::{HandCards, bits};
use crate::public_game::state::{PublicState, Successor, TypedAction};
use crate::public_game::types::{TypeChances, TypeVector, ZERO};

/// How a player is expected to act: the better the value of an action with open cards, the likelier, by a softmax.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SoftmaxPlayer {
    /// Points by which an action may be worse to be 2.7 times less likely. Above 0.
    pub(crate) temperature: f64,
}

impl SoftmaxPlayer {
    /// What is believed when the first card is led: how likely each foreplacer was to choose each card.
    ///
    /// By the open value of the deal with that card out of play, averaged over what the other may have foreplaced.
    pub(crate) fn prior(self, cards: &HandCards, spot: &PublicState) -> TypeChances {
        let even = even_chances(spot);
        BySeat::new_with(|seat| {
            let values = bits(spot.types_or_none(seat)).map(|own| {
                Self::expected(spot, seat, own, &even[!seat], |types| spot.open(cards, types))
            });
            self.softmax(values)
        })
    }

    /// How likely each branch of a spot is for each type of the seat whose turn it is, in the order of its types;
    /// 0 where the type does not have the branch.
    pub(crate) fn likelihoods(
        self,
        cards: &HandCards,
        spot: &PublicState,
        chances: &TypeChances,
    ) -> Vec<TypeVector> {
        let seat = spot.to_act();
        let branches = spot.branches(cards);
        let mut likelihoods = vec![ZERO; branches.len()];
        for (k, own) in bits(spot.types_or_none(seat)).enumerate() {
            let has = |branch: &&TypedAction| branch.by >> own & 1 == 1;
            let values = branches.iter().filter(has).map(|branch| {
                let next = spot.after(cards, *branch);
                Self::expected(spot, seat, own, &chances[!seat], |types| match next {
                    Successor::PublicState(next) => next.open(cards, types),
                    Successor::Over(points) => points,
                })
            });
            let shares = self.softmax_of(&values.collect::<Vec<_>>());
            let those = branches.iter().enumerate().filter(|(_, branch)| has(branch));
            for ((i, _), share) in those.zip(shares) {
                likelihoods[i][k] = share;
            }
        }
        likelihoods
    }

    /// The points of a seat, averaged over the other's types.
    fn expected(
        spot: &PublicState,
        seat: Seat,
        own: u32,
        others: &TypeVector,
        points_for_first: impl Fn(BySeat<u32>) -> i32,
    ) -> f64 {
        let each = bits(spot.types_or_none(!seat)).zip(others).map(|(other, chance)| {
            let types = BySeat::new_with(|s| if s == seat { own } else { other });
            chance * f64::from(points_for_first(types) * seat.sign_for_first())
        });
        each.sum()
    }

    fn softmax(self, values: impl Iterator<Item = f64>) -> TypeVector {
        let mut chances = ZERO;
        let shares = self.softmax_of(&values.collect::<Vec<_>>());
        for (chance, share) in chances.iter_mut().zip(shares) {
            *chance = share;
        }
        chances
    }

    /// How likely each of several things is that are worth so many points.
    pub(crate) fn softmax_of(self, values: &[f64]) -> Vec<f64> {
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> =
            values.iter().map(|value| ((value - most) / self.temperature).exp()).collect();
        let total: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / total).collect()
    }
}

/// Every type equally likely.
pub(crate) fn even_chances(spot: &PublicState) -> TypeChances {
    BySeat::new_with(|seat| {
        let count = spot.types_or_none(seat).count_ones();
        let mut chances = ZERO;
        chances[..count as usize].fill(1.0 / f64::from(count));
        chances
    })
}

/// What is believed after a branch, if the one who acts takes it with these likelihoods by type: his types are then those that
/// have the branch.
pub(crate) fn update(
    spot: &PublicState,
    branch: TypedAction,
    likelihoods: &TypeVector,
    chances: &mut TypeChances,
) {
    let seat = spot.to_act();
    let own = bits(spot.types_or_none(seat)).enumerate().filter(|(_, t)| branch.by >> t & 1 == 1);
    let mut after = ZERO;
    let mut count = 0;
    for (k, _) in own {
        after[count] = chances[seat][k] * likelihoods[k];
        count += 1;
    }
    let total: f64 = after.iter().sum();
    if total > 0.0 {
        for chance in &mut after {
            *chance /= total;
        }
    } else {
        // What was taken to be impossible has happened: nothing is known.
        after[..count].fill(1.0 / f64::from(u32::try_from(count).unwrap_or(1)));
    }
    chances[seat] = after;
}
