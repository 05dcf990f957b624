//! What a level believes of a card that lies face down before the other.

use std::sync::Arc;

use overmate_rules::{BySeat, Card, CardSet, Phase, Seat, View};

use crate::public_game::belief::{SoftmaxPlayer, update};
use crate::public_game::cards::{HandCards, bits};
use crate::public_game::history::History;
use crate::public_game::state::PublicState;

/// Beliefs of one player, who keeps what he worked out for the last deal.
#[derive(Default)]
pub(crate) struct Beliefs {
    cards: Option<Arc<HandCards>>,
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
        model: SoftmaxPlayer,
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
            let story = History::of(view)?;
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

    fn cards(&mut self, view: &View, hands: BySeat<CardSet>) -> Option<Arc<HandCards>> {
        if !self.cards.as_ref().is_some_and(|cards| cards.are(view.rules(), hands)) {
            self.cards = HandCards::new(view.rules(), hands).map(Arc::new);
        }
        self.cards.clone()
    }
}

#[cfg(test)]
mod tests {
    use overmate_rules::{Action, DealSource as _, Foreplaced, Game, RuleSet, SeededDeals, Viewer};
    use overmate_solver::Budget;

    use super::*;
    use crate::{BuiltIn, Level, Standing, Turn};

    /// What is believed of the card that lies there is better than to know nothing, the more so the more was played.
    #[test]
    fn what_was_played_tells_of_the_card() {
        let rules = RuleSet::named("denexa").expect("a published rule set").shared();
        let level = Level::new(7).expect("a level");
        let model = SoftmaxPlayer { temperature: level.exact_temperature() };
        let budget = Budget::unlimited();
        let (mut early, mut late) = ((0.0, 0), (0.0, 0));
        for seed in 0..12 {
            let mut game = Game::new(SeededDeals::new(seed).next_deal(&rules));
            let mut bots = BySeat::new_with(|seat| BuiltIn::Level(level).seeded(seat as u64));
            let mut beliefs = BySeat::new_with(|_| Beliefs::default());
            while let Some(seat) = game.to_act() {
                let view = game.view(Viewer::Seat(seat));
                let candidates = view.candidates(!seat);
                if candidates.len() > 1 {
                    let shares = beliefs[seat].of(&view, seat, &candidates, model);
                    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
                    let Foreplaced::Card(card) = game.position().foreplaced(!seat) else {
                        unreachable!("there are candidates");
                    };
                    let place = candidates.iter().position(|other| *other == card);
                    let share = shares[place.expect("it is one of them")];
                    let count = f64::from(u8::try_from(candidates.len()).expect("ten at most"));
                    let told = if game.actions().len() < 8 { &mut early } else { &mut late };
                    told.0 += (share * count).ln();
                    told.1 += 1;
                }
                let turn = Turn { view: &view, standing: Standing::of_one_game(), budget: &budget };
                let mut action = bots[seat].choose(&turn).expect("its turn").action;
                if action == Action::Decline {
                    // By turns, so that there is something to believe.
                    action = game.legal_actions()[1 + usize::try_from(seed % 5).expect("small")];
                }
                game = game.play(action).expect("legal");
            }
        }
        let mean = |(sum, count): (f64, u32)| sum / f64::from(count);
        assert!(early.1 > 30 && late.1 > 30, "{early:?} {late:?}");
        assert!(mean(late) > 0.05 && mean(late) > mean(early), "{early:?} {late:?}");
    }
}
