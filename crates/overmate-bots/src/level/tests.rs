//! Tests the belief that the bot of a strength level computes, by Bayes' rule, about the opponent's face-down card.

use std::sync::Arc;

use overmate_rules::{
    Action, BySeat, DealSource as _, Foreplaced, Game, RuleSet, SeededDeals, Viewer,
};
use overmate_solver::Budget;

use crate::bot::{Bot as _, Standing, Turn};
use crate::level::belief::HiddenCardBelief;
use crate::level::bot::LevelBot;
use crate::model::parameters::Level;
use crate::public_game::belief::SoftmaxPlayer;

/// Tests that a bot's belief about the opponent's face-down card is more accurate late in a game than early in the
/// game. The late belief must also be more accurate than a uniform belief.
#[test]
fn belief_in_the_hidden_card_improves_with_the_actions_played() {
    let rules = RuleSet::named("denexa").expect("a published rule set").shared();
    let level = Level::new(7).expect("a level");
    let model = SoftmaxPlayer { temperature: level.exact_temperature() };
    let budget = Budget::unlimited();
    let (mut early, mut late) = ((0.0, 0), (0.0, 0));
    for seed in 0..12 {
        let mut game = Game::new(SeededDeals::new(seed).next_deal(&rules));
        let mut bots = BySeat::new_with(|seat| LevelBot::new(level, seat as u64, &Arc::default()));
        let mut beliefs = BySeat::new_with(|_| HiddenCardBelief::default());
        while let Some(seat) = game.to_act() {
            let view = game.view(Viewer::Seat(seat));
            let candidates = view.candidates(!seat);
            if candidates.len() > 1 {
                let shares = beliefs[seat].of(&view, seat, &candidates, model);
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
                let Foreplaced::Card(card) = game.position().foreplaced(!seat) else {
                    unreachable!("a face-down card exists");
                };
                let place = candidates.iter().position(|other| *other == card);
                let share = shares[place.expect("the true card is a candidate")];
                let count = f64::from(u8::try_from(candidates.len()).expect("ten at most"));
                let told = if game.actions().len() < 8 { &mut early } else { &mut late };
                told.0 += (share * count).ln();
                told.1 += 1;
            }
            let turn = Turn::new(&view, Standing::of_one_game(), &budget);
            let mut action = bots[seat].choose(&turn).expect("its turn").action;
            if action == Action::Decline {
                // If the bot declines to foreplace, the test foreplaces one of five cards in the bot's place. The beliefs that the test
                // checks need a hidden card.
                action = game
                    .legal_actions()
                    .nth(1 + usize::try_from(seed % 5).expect("small"))
                    .unwrap();
            }
            game = game.play(action).expect("legal");
        }
    }
    let mean = |(sum, count): (f64, u32)| sum / f64::from(count);
    assert!(early.1 > 30 && late.1 > 30, "{early:?} {late:?}");
    assert!(mean(late) > 0.05 && mean(late) > mean(early), "{early:?} {late:?}");
}
