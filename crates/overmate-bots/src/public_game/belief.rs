//! Computes Bayesian beliefs about face-down cards, under the assumption that players choose actions by softmax.

use overmate_rules::{BySeat, Seat};

use crate::public_game::cards::{HandCards, bits, place_in};
use crate::public_game::state::{PublicState, Successor, TypedAction};
use crate::public_game::types::{TypeChances, TypePoints, TypeProbabilities, ZERO};

/// Model of a player who chooses actions by a softmax over the points that the actions would bring if all cards were shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SoftmaxPlayer {
    /// Softmax temperature in points, above 0: an action that loses this number of points is e
    /// times less likely than a best action.
    pub(crate) temperature: f64,
}

impl SoftmaxPlayer {
    /// Returns the probability of each possible face-down card before the first lead, if both seats
    /// foreplace by softmax.
    ///
    /// The expected value of choosing a card is the value with open cards of the deal without that card, averaged over the
    /// opponent's possible face-down cards.
    pub(crate) fn prior(self, cards: &HandCards, start: &PublicState) -> TypeChances {
        let even = even_chances(start);
        BySeat::new_with(|seat| {
            let expected = Self::expected(cards, start, seat, &even[!seat]);
            let values = bits(start.types_or_none(seat)).map(|own| expected[own as usize]);
            let mut chances = ZERO;
            for (chance, share) in chances.iter_mut().zip(self.softmax(&values.collect::<Vec<_>>()))
            {
                *chance = share;
            }
            chances
        })
    }

    /// Returns the probability of each action for each possible face-down card of the acting seat;
    /// 0 for an illegal action. The actions have the order of [`PublicState::actions`].
    pub(crate) fn likelihoods(
        self,
        cards: &HandCards,
        state: &PublicState,
        chances: &TypeChances,
    ) -> Vec<TypeProbabilities> {
        let seat = state.to_act();
        let actions = state.actions(cards);
        let mut likelihoods = vec![ZERO; actions.len()];
        let others = &chances[!seat][..state.types_or_none(!seat).count_ones() as usize];
        let expected = actions.iter().map(|action| match state.after(cards, *action) {
            Successor::State(next) => Self::expected(cards, &next, seat, others),
            Successor::Over(points) => {
                let points = f64::from(points * seat.sign_for_first());
                TypePoints::all(others.iter().map(|chance| chance * points).sum())
            }
        });
        let expected: Vec<TypePoints> = expected.collect();
        for (k, own) in bits(state.types_or_none(seat)).enumerate() {
            let has = |action: &&TypedAction| action.by >> own & 1 == 1;
            let those = actions.iter().zip(&expected).filter(|(action, _)| has(action));
            let values = those.map(|(_, expected)| expected[own as usize]);
            let shares = self.softmax(&values.collect::<Vec<_>>());
            let those = actions.iter().enumerate().filter(|(_, action)| has(action));
            for ((i, _), share) in those.zip(shares) {
                likelihoods[i][k] = share;
            }
        }
        likelihoods
    }

    /// Returns the mean of a seat's points over the opponent's possible face-down cards, weighted by the probabilities `others`
    /// of these cards. The result has a number for each of the seat's own possible cards, indexed by the card in the hand.
    fn expected(cards: &HandCards, state: &PublicState, seat: Seat, others: &[f64]) -> TypePoints {
        let mut expected = TypePoints::ZERO;
        state.each_open_points(cards, |types, points_for_first| {
            let chance = others[place_in(state.types_or_none(!seat), types[!seat])];
            expected[types[seat] as usize] +=
                chance * f64::from(points_for_first * seat.sign_for_first());
        });
        expected
    }

    /// Returns the softmax probabilities of options, given the value of each option in points.
    pub(crate) fn softmax(self, values: &[f64]) -> Vec<f64> {
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> =
            values.iter().map(|value| ((value - most) / self.temperature).exp()).collect();
        let total: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / total).collect()
    }
}

/// Returns, for each seat, a uniform distribution over the cards that the seat may have face down.
pub(crate) fn even_chances(state: &PublicState) -> TypeChances {
    BySeat::new_with(|seat| {
        let count = state.types_or_none(seat).count_ones();
        let mut chances = ZERO;
        chances[..count as usize].fill(1.0 / f64::from(count));
        chances
    })
}

/// Updates the beliefs about face-down cards by Bayes' rule, given the probability of the chosen
/// action for each possible face-down card.
///
/// Afterwards, the acting seat has one probability for each of its possible face-down cards with which the action is legal.
pub(crate) fn update(
    state: &PublicState,
    taken: TypedAction,
    likelihoods: &TypeProbabilities,
    chances: &mut TypeChances,
) {
    let seat = state.to_act();
    let own = bits(state.types_or_none(seat)).enumerate().filter(|(_, t)| taken.by >> t & 1 == 1);
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
        // An action of probability 0 contradicts the model, so the belief is reset to uniform.
        after[..count].fill(1.0 / f64::from(u32::try_from(count).unwrap_or(1)));
    }
    chances[seat] = after;
}
