//! What a level believes of a card that lies face down before the other.

use std::sync::Arc;

use overmate_rules::{BySeat, Card, CardSet, Phase, Seat, View};

use crate::hidden::{Cards, Foreplacer, Spot, Story, bits, update};

/// Beliefs of one player, who keeps what he worked out for the last deal.
#[derive(Default)]
pub(crate) struct Beliefs {
    cards: Option<Arc<Cards>>,
}

impl Beliefs {
    /// How likely each of these cards lies face down before the other, 0 to 1, if he acts by this model; all are
    /// [candidates](View::candidates).
    ///
    /// By what he foreplaced and has done since, or with a large deck by what he has done with the last ten cards. Where
    /// nothing can be told, all are equally likely.
    pub(crate) fn of(
        &mut self,
        view: &View,
        seat: Seat,
        candidates: &[Card],
        model: Foreplacer,
    ) -> Vec<f64> {
        #[allow(clippy::cast_precision_loss, reason = "a hand has at most 30 cards")]
        let even = vec![1.0 / candidates.len().max(1) as f64; candidates.len()];
        let Some(believed) = self.believed(view, seat, model) else { return even };
        let share = |card: &Card| {
            let share = believed.iter().find(|(other, _)| other == card);
            share.map_or(0.0, |(_, share)| *share)
        };
        let shares: Vec<f64> = candidates.iter().map(share).collect();
        let total: f64 = shares.iter().sum();
        if total > 0.0 { shares.into_iter().map(|share| share / total).collect() } else { even }
    }

    fn believed(&mut self, view: &View, seat: Seat, model: Foreplacer) -> Option<Vec<(Card, f64)>> {
        let (cards, now, chances) = if matches!(view.phase(), Phase::Foreplacing(_)) {
            let cards = self.cards(view, view.dealt().hands())?;
            let now = Spot::start(&cards, BySeat::new_with(|owner| owner != seat));
            let chances = model.prior(&cards, &now);
            (cards, now, chances)
        } else {
            let story = Story::of(view)?;
            let cards = self.cards(view, story.hands)?;
            let start = story.steps.first().map_or(&story.now, |(spot, _)| spot);
            let mut chances = model.prior(&cards, start);
            for (spot, branch) in &story.steps {
                let place = spot.branches(&cards).iter().position(|b| b.act == branch.act)?;
                let likelihoods = model.likelihoods(&cards, spot, &chances)[place];
                update(spot, *branch, &likelihoods, &mut chances);
            }
            (cards, story.now, chances)
        };
        let types = bits(now.types_or_none(!seat)).zip(chances[!seat]);
        Some(types.map(|(t, share)| (cards.card(!seat, t), share)).collect())
    }

    fn cards(&mut self, view: &View, hands: BySeat<CardSet>) -> Option<Arc<Cards>> {
        if !self.cards.as_ref().is_some_and(|cards| cards.are(view.rules(), hands)) {
            self.cards = Cards::new(view.rules(), hands).map(Arc::new);
        }
        self.cards.clone()
    }
}
