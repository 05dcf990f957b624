//! Tests that the perfect player loses no round, in many matches.

use std::collections::BTreeMap;

use overmate_bots::{Bot, Standing, Turn};
use overmate_rules::{DealSource as _, Face, Match, Player, RuleSet, SeededDeals, Viewer};
use overmate_solver::Budget;

use crate::support::{Dice, bot, sampled, small};

/// Opponents of the perfect player: the bots of all strength levels, and a random player (`None`).
const OTHERS: [Option<&str>; 10] = [
    Some("level:1"),
    Some("level:2"),
    Some("level:3"),
    Some("level:4"),
    Some("level:5"),
    Some("level:6"),
    Some("level:7"),
    Some("level:8"),
    Some("level:9"),
    None,
];

/// Counters of the matches played, and of the rounds that the perfect player won.
#[derive(Default, Debug)]
struct Played {
    matches: usize,
    rounds: usize,
    /// Number of rounds that the perfect player won, by the name of the opponent.
    won: BTreeMap<&'static str, usize>,
}

impl Played {
    /// Plays a match in which the perfect player is player A or player B, and checks that the perfect player loses no
    /// round.
    fn play(
        &mut self,
        mut state: Match,
        perfect: Player,
        other: Option<&'static str>,
        dice: &mut Dice,
    ) {
        let budget = Budget::unlimited();
        let seed = dice.below(1_000) as u64;
        let mut own = bot("perfect", seed);
        let mut others = other.map(|name| bot(name, seed));
        while let Some(player) = state.to_act() {
            let index = state.current_index();
            let view = state.current().view(Viewer::Seat(Match::seat(index, player)));
            let standing = Standing::of(&state, player);
            let turn = Turn::new(&view, standing, &budget);
            let ask = |bot: &mut Box<dyn Bot>| bot.choose(&turn).unwrap().action;
            let action = match &mut others {
                _ if player == perfect => ask(&mut own),
                Some(bot) => ask(bot),
                None => {
                    let legal: Vec<_> = view.legal_actions().collect();
                    legal[dice.below(legal.len())]
                }
            };
            state = state.play(action).unwrap();
            if state.games()[index].outcome().is_some() {
                let shown =
                    |player| state.games()[index].view(Viewer::Seat(Match::seat(index, player)));
                own.game_over(&shown(perfect));
                if let Some(bot) = &mut others {
                    bot.game_over(&shown(!perfect));
                }
            }
        }
        for round in 0..state.games().len() / 2 {
            let points = state.round_points(round);
            let lead = points[perfect] - points[!perfect];
            assert!(lead >= 0, "lost to {other:?} by {lead}: {state:?}");
            self.rounds += 1;
            *self.won.entry(other.unwrap_or("anything")).or_default() += usize::from(lead > 0);
        }
        self.matches += 1;
    }
}

/// Returns the published rule sets without face-down cards.
fn open() -> Vec<RuleSet> {
    let is_open = |rules: &RuleSet| rules.foreplacing().is_none_or(|f| f.face == Face::Up);
    RuleSet::catalogue().into_iter().filter(is_open).collect()
}

#[test]
fn perfect_loses_no_round_on_few_cards() {
    let mut played = Played::default();
    let mut dice = Dice(1);
    let rule_sets = sampled(open().into_iter().enumerate(), 4);
    let matches = rule_sets.len() * OTHERS.len() * 2;
    for (number, rules) in rule_sets {
        let has_every_card_twice = rules.hand_size() == 24;
        let shapes =
            if has_every_card_twice { [(2, 2), (3, 2), (2, 2)] } else { [(4, 3), (2, 5), (4, 2)] };
        for (turn, other) in OTHERS.into_iter().enumerate() {
            let (suits, ranks) = shapes[(number + turn) % 3];
            let rules = small(&rules, suits, ranks);
            for perfect in Player::BOTH {
                let mut deals = SeededDeals::new((number * 10 + turn) as u64);
                // Every third rule set is tested by a whole match, and all other rule sets by one round.
                let state = if number.is_multiple_of(3) {
                    Match::new(&rules, &mut deals)
                } else {
                    Match::with_deals(2, vec![deals.next_deal(&rules)]).unwrap()
                };
                played.play(state, perfect, other, &mut dice);
            }
        }
    }
    assert_eq!(played.matches, matches);
    assert!(played.rounds > matches && matches > 600, "{played:?}");
    // The perfect player must have met every opponent, and must have won many rounds against weak opponents.
    assert_eq!(played.won.len(), OTHERS.len(), "{played:?}");
    assert!(played.won["level:1"] > matches / 15, "{played:?}");
    assert!(played.won["level:5"] > matches / 60, "{played:?}");
}

#[test]
fn perfect_loses_no_round_on_whole_decks() {
    let mut played = Played::default();
    let mut dice = Dice(2);
    for (number, name) in
        ["sackson", "bga", "rael+kings-privilege", "pagat+double+free-move"].into_iter().enumerate()
    {
        let rules = RuleSet::named(name).unwrap().shared();
        let deal = SeededDeals::new(50 + number as u64).next_deal(&rules);
        let state = Match::with_deals(2, vec![deal]).unwrap();
        for turn in 0..2 {
            let other = OTHERS[(number * 2 + turn * 5) % OTHERS.len()];
            played.play(state.clone(), Player::BOTH[turn], other, &mut dice);
        }
    }
    assert_eq!((played.matches, played.rounds), (8, 8));
    assert!(played.won.values().sum::<usize>() > 3, "{played:?}");
}
