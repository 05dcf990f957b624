//! Tests that every bot plays legally in every rule set, and that its actions do not depend on the opponent's face-down card.

use std::sync::Arc;

use overmate_bots::{Bot, Standing, Turn};
use overmate_rules::{
    Action, DealSource as _, Dealt, Face, Game, Phase, RuleSet, Seat, SeededDeals, Viewer,
};
use overmate_solver::Budget;

use crate::support::{Dice, bot, sampled, small};

const BOTS: [&str; 4] = ["level:1", "level:5", "level:9", "perfect"];

/// Game in a possible world (with one of the opponent's possible face-down cards), and the bot that plays only in this world.
struct World {
    game: Game,
    bot: Box<dyn Bot>,
}

/// Counters of the games and decisions that the test has checked.
#[derive(Default, Debug)]
struct Checked {
    games: usize,
    decisions: usize,
    /// Number of decisions that were compared with the bot's decision in another possible world, with a different
    /// face-down card of the opponent.
    compared: usize,
}

impl Checked {
    /// Plays a game between a bot and a random player, and checks each decision of the bot.
    ///
    /// After the random player has foreplaced face down, the game continues in up to `most`
    /// possible worlds. All worlds look the same to the bot, so its action must be the same.
    fn play(
        &mut self,
        rules: &Arc<RuleSet>,
        dealt: &Dealt,
        (name, seat): (&str, Seat),
        most: usize,
        dice: &mut Dice,
    ) {
        let budget = Budget::unlimited().with_nodes(300);
        let face_down = rules.foreplacing().is_some_and(|f| f.face == Face::Down);
        let new = |actions: &[Action]| {
            let game = actions.iter().try_fold(Game::new(dealt.clone()), |game, a| game.play(*a));
            World { game: game.unwrap(), bot: bot(name, 3) }
        };
        // The first possible world holds the true face-down card.
        let mut worlds = vec![new(&[])];
        while let Some(to_act) = worlds[0].game.to_act() {
            let view = worlds[0].game.view(Viewer::Seat(seat));
            let legal: Vec<_> = worlds[0].game.legal_actions().collect();
            let action = if to_act == seat {
                let mut chosen = None;
                for (number, world) in worlds.iter_mut().enumerate() {
                    assert_eq!(world.game.view(Viewer::Seat(seat)), view);
                    let standing = Standing::of_one_game();
                    let turn = Turn::new(&view, standing, &budget);
                    let action = world.bot.choose(&turn).unwrap().action;
                    assert!(legal.contains(&action), "{name}: {view:?}: {action:?}");
                    assert_eq!(*chosen.get_or_insert(action), action, "{name}: {view:?}");
                    self.compared += usize::from(number > 0);
                }
                self.decisions += 1;
                chosen.unwrap()
            } else {
                let action = legal[dice.below(legal.len())];
                if face_down && matches!(worlds[0].game.phase(), Phase::Foreplacing(_)) {
                    let action = legal[1 + dice.below(legal.len() - 1)];
                    let played = worlds[0].game.actions().to_vec();
                    let mut others: Vec<Action> = legal[1..].to_vec();
                    others.retain(|other| *other != action);
                    // A new bot plays in each new possible world. The bot first repeats the earlier decisions of the game.
                    for other in others.into_iter().take(most - 1) {
                        let mut world = new(&played);
                        world.bot = self.led_to(&world.game, (name, seat), &budget);
                        world.game = world.game.play(other).unwrap();
                        worlds.push(world);
                    }
                    worlds[0].game = worlds[0].game.clone().play(action).unwrap();
                    continue;
                }
                action
            };
            let before: Vec<World> = std::mem::take(&mut worlds);
            for world in before {
                let Ok(game) = world.game.play(action) else { continue };
                worlds.push(World { game, ..world });
            }
            // The test drops each possible world whose game has another phase or outcome than the first world, because the bot's view shows
            // the difference.
            let now = (worlds[0].game.phase(), worlds[0].game.outcome());
            worlds.retain(|world| (world.game.phase(), world.game.outcome()) == now);
        }
        self.games += 1;
    }

    /// Returns a new bot that has repeated all earlier decisions of its seat in the given game.
    fn led_to(&mut self, game: &Game, (name, seat): (&str, Seat), budget: &Budget) -> Box<dyn Bot> {
        let mut bot = bot(name, 3);
        for before in 0..game.actions().len() {
            let earlier = game.after(before);
            if earlier.to_act() == Some(seat) {
                let view = earlier.view(Viewer::Seat(seat));
                let turn = Turn::new(&view, Standing::of_one_game(), budget);
                assert_eq!(bot.choose(&turn).unwrap().action, game.actions()[before], "{name}");
                self.decisions += 1;
            }
        }
        bot
    }
}

fn is_face_down(rules: &RuleSet) -> bool {
    rules.foreplacing().is_some_and(|f| f.face == Face::Down)
}

/// Returns a copy of a rule set with at most twelve cards, where `shape` selects one of three combinations of suits and ranks.
fn fewer_cards(rules: &RuleSet, shape: usize) -> Arc<RuleSet> {
    let has_every_card_twice = rules.hand_size() == 24;
    let (suits, ranks) = match (has_every_card_twice, shape % 3) {
        (true, 0 | 1) => (2, 2),
        (true, _) => (3, 2),
        (false, 0) => (4, 2),
        (false, 1) => (2, 5),
        (false, _) => (3, 4),
    };
    small(rules, suits, ranks)
}

#[test]
fn bots_are_legal_and_blind_on_few_cards_in_every_rule_set() {
    let mut checked = Checked::default();
    let mut dice = Dice(1);
    let mut games = 0;
    for (number, rules) in sampled(RuleSet::catalogue().into_iter().enumerate(), 5) {
        let mut deals = SeededDeals::new(number as u64);
        let shapes = if is_face_down(&rules) { 9 } else { 3 };
        games += shapes * BOTS.len() * 2;
        for shape in 0..shapes {
            let rules = fewer_cards(&rules, shape);
            for (name, seat) in
                BOTS.into_iter().flat_map(|name| Seat::BOTH.map(|seat| (name, seat)))
            {
                let dealt = deals.next_deal(&rules);
                checked.play(&rules, &dealt, (name, seat), 10, &mut dice);
            }
        }
    }
    assert_eq!(checked.games, games);
    assert!(
        games > 600 && checked.decisions > 2 * games && checked.compared > games,
        "{checked:?}"
    );
}

#[test]
fn bots_are_legal_and_blind_on_whole_decks_with_a_face_down_card() {
    let mut checked = Checked::default();
    let mut dice = Dice(2);
    let rule_sets: Vec<RuleSet> = RuleSet::catalogue().into_iter().filter(is_face_down).collect();
    let games = rule_sets.len();
    for (number, rules) in rule_sets.into_iter().enumerate() {
        let rules = rules.shared();
        let dealt = SeededDeals::new(number as u64).next_deal(&rules);
        let seat = Seat::BOTH[number / 4 % 2];
        checked.play(&rules, &dealt, (BOTS[number % 4], seat), 3, &mut dice);
    }
    assert_eq!(checked.games, games);
    assert!(checked.decisions > 5 * games && checked.compared > 5 * games, "{checked:?}");
}

#[test]
fn bots_are_legal_on_decks_of_48_cards() {
    let mut checked = Checked::default();
    let mut dice = Dice(3);
    let is_large = |rules: &RuleSet| rules.hand_size() == 24 && !is_face_down(rules);
    let rules = RuleSet::catalogue().into_iter().filter(is_large);
    for (number, rules) in rules.step_by(4).enumerate() {
        let rules = rules.shared();
        let dealt = SeededDeals::new(number as u64).next_deal(&rules);
        let seat = Seat::BOTH[number / 4 % 2];
        checked.play(&rules, &dealt, (BOTS[3 - number % 4], seat), 1, &mut dice);
    }
    assert!(checked.games > 10 && checked.decisions > 100, "{checked:?}");
}
