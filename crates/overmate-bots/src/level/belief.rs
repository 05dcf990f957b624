//! Computes, by Bayes' rule, the belief of the bot of a strength level about the opponent's face-down card.

use std::sync::Arc;

use overmate_rules::{BySeat, Card, CardSet, Phase, Seat, View};

use crate::public_game::belief::{SoftmaxPlayer, update};
use crate::public_game::cards::{HandCards, bits};
use crate::public_game::history::History;
use crate::public_game::state::PublicState;

/// Calculator of a bot's belief about the opponent's face-down card, with a cache of the position values for the hands
/// of both players.
#[derive(Default)]
pub(crate) struct HiddenCardBelief {
    cards: Option<Arc<HandCards>>,
}

impl HiddenCardBelief {
    /// Returns, for each card in `candidates`, the probability that the card is the opponent's face-down card.
    ///
    /// The prior and the likelihood of the opponent's actions come from the model. With a large deck, the likelihood covers only the end of
    /// the game, where each hand has at most ten cards. If the history of the game cannot be reconstructed, the belief is uniform. Without
    /// candidates, the probability of the only possible world, 1, is returned.
    pub(crate) fn of(
        &mut self,
        view: &View,
        seat: Seat,
        candidates: &[Card],
        model: SoftmaxPlayer,
    ) -> Vec<f64> {
        if candidates.len() < 2 {
            return vec![1.0];
        }
        #[allow(clippy::cast_precision_loss, reason = "a hand has at most 30 cards")]
        let even = vec![1.0 / candidates.len() as f64; candidates.len()];
        let Some(believed) = self.believed(view, seat, model) else { return even };
        let share = |card: &Card| {
            let share = believed.iter().find(|(other, _)| other == card);
            share.map_or(0.0, |(_, share)| *share)
        };
        let shares: Vec<f64> = candidates.iter().map(share).collect();
        let total: f64 = shares.iter().sum();
        if total > 0.0 { shares.into_iter().map(|share| share / total).collect() } else { even }
    }

    /// Returns the probability of each possible face-down card of the opponent, or `None` if the earlier states of the game
    /// cannot be reconstructed.
    fn believed(
        &mut self,
        view: &View,
        seat: Seat,
        model: SoftmaxPlayer,
    ) -> Option<Vec<(Card, f64)>> {
        let (cards, now, chances) = if matches!(view.phase(), Phase::Foreplacing(_)) {
            let cards = self.cards(view, view.dealt().hands())?;
            let now = PublicState::start(&cards, BySeat::new_with(|owner| owner != seat));
            let chances = model.prior(&cards, &now);
            (cards, now, chances)
        } else {
            let history = History::of(view)?;
            let cards = self.cards(view, history.hands)?;
            let start = history.steps.first().map_or(&history.now, |(state, _)| state);
            let mut chances = model.prior(&cards, start);
            for (state, branch) in &history.steps {
                let place = state.actions(&cards).iter().position(|a| a.action == branch.action)?;
                let likelihoods = model.likelihoods(&cards, state, &chances)[place];
                update(state, *branch, &likelihoods, &mut chances);
            }
            (cards, history.now, chances)
        };
        let types = bits(now.types_or_none(!seat)).zip(chances[!seat]);
        Some(types.map(|(t, share)| (cards.card(!seat, t), share)).collect())
    }

    /// Returns the numbered cards of both hands, with the values of all positions of these hands. The result comes from the cache
    /// if possible. Returns `None` if the hands or the scores are too large for a value table.
    fn cards(&mut self, view: &View, hands: BySeat<CardSet>) -> Option<Arc<HandCards>> {
        if !self.cards.as_ref().is_some_and(|cards| cards.are(view.rules(), hands)) {
            self.cards = HandCards::new(view.rules(), hands).map(Arc::new);
        }
        self.cards.clone()
    }
}
