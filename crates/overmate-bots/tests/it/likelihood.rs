//! Tests that, given a bot's games against itself, the bot's own level and the adjacent levels together have a
//! posterior probability above 0.9.

use std::collections::BTreeMap;

use overmate_bots::{BuiltIn, Level, LevelLikelihood, LevelPolicies, Standing, Turn};
use overmate_rules::{DealSource as _, Game, RuleSet, SeededDeals, Viewer};
use overmate_solver::Budget;

/// Number of games that the bot of each tested strength level plays against itself.
const GAMES: u64 = 8;

#[test]
fn games_of_a_level_are_attributed_to_the_level_or_a_neighbour() {
    let budget = Budget::unlimited();
    let mut likelihoods: BTreeMap<u8, LevelLikelihood> = BTreeMap::new();
    for name in ["bga", "sackson"] {
        let rules = RuleSet::named(name).unwrap().shared();
        let mut deals = SeededDeals::new(14);
        for seed in 0..GAMES / 2 {
            let dealt = deals.next_deal(&rules);
            let policies = LevelPolicies::new(&dealt).unwrap();
            for number in [1, 4, 6, 9] {
                let mut game = Game::new(dealt.clone());
                let mut bot = BuiltIn::Level(Level::new(number).unwrap()).seeded(seed);
                let likelihood = likelihoods.entry(number).or_default();
                while let Some(seat) = game.to_act() {
                    let view = game.view(Viewer::Seat(seat));
                    let turn = Turn::new(&view, Standing::of_one_game(), &budget);
                    let action = bot.choose(&turn).unwrap().action;
                    likelihood.observe(&policies, game.position(), action);
                    game = game.play(action).unwrap();
                }
            }
        }
    }
    assert_eq!(likelihoods.len(), 4);
    for (number, likelihood) in likelihoods {
        assert!(likelihood.decisions() > 30, "level {number}: {}", likelihood.decisions());
        let posterior = likelihood.posterior();
        let near: f64 =
            posterior.iter().filter(|(l, _)| l.get().abs_diff(number) <= 1).map(|(_, p)| p).sum();
        assert!(near > 0.9, "level {number}: {posterior:?}");
    }
}

#[test]
fn observations_of_several_games_add_up() {
    let rules = RuleSet::named("bga").unwrap().shared();
    let dealt = SeededDeals::new(3).next_deal(&rules);
    let policies = LevelPolicies::new(&dealt).unwrap();
    let (mut whole, mut parts) = (LevelLikelihood::default(), LevelLikelihood::default());
    let mut game = Game::new(dealt);
    let mut observed = 0;
    while let Some(action) = game.legal_actions().last() {
        let is_choice = game.legal_actions().count() > 1;
        whole.observe(&policies, game.position(), action);
        let mut part = LevelLikelihood::default();
        part.observe(&policies, game.position(), action);
        assert_eq!(part.decisions(), u32::from(is_choice));
        parts.merge(&part);
        observed += u32::from(is_choice);
        game = game.play(action).unwrap();
    }
    assert!(observed > 3);
    assert_eq!((whole, whole.decisions()), (parts, observed));
}
