//! The perfect player loses no round to anybody, over thousands of matches.

// Clippy knows this of functions marked as tests, and not of what they call.
#![allow(clippy::unwrap_used, reason = "a test that panics has said what it wanted to say")]

mod support;

use std::collections::BTreeMap;

use overmate_bots::{Bot, Standing, Turn};
use overmate_rules::{DealSource as _, Face, Match, Player, RuleSet, SeededDeals, Viewer};
use overmate_solver::Budget;

use crate::support::{Dice, bot, small};

/// Whom the perfect player meets: all levels, and one that plays anything.
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

/// What was played.
#[derive(Default, Debug)]
struct Played {
    matches: usize,
    rounds: usize,
    /// Rounds that were won, by whom they were won against.
    won: BTreeMap<&'static str, usize>,
}

impl Played {
    /// Plays a match of the perfect player, who is A or B, and checks each round.
    fn play(
        &mut self,
        mut contest: Match,
        perfect: Player,
        other: Option<&'static str>,
        dice: &mut Dice,
    ) {
        let budget = Budget::unlimited();
        let seed = dice.below(1_000) as u64;
        let mut own = bot("perfect", seed);
        let mut others = other.map(|name| bot(name, seed));
        while let Some(player) = contest.to_act() {
            let index = contest.current_index();
            let view = contest.current().view(Viewer::Seat(Match::seat(index, player)));
            let standing = Standing::of(&contest, player);
            let turn = Turn { view: &view, standing, budget: &budget };
            let ask = |bot: &mut Box<dyn Bot>| bot.choose(&turn).unwrap().action;
            let action = match &mut others {
                _ if player == perfect => ask(&mut own),
                Some(bot) => ask(bot),
                None => {
                    let legal = view.legal_actions();
                    legal[dice.below(legal.len())]
                }
            };
            contest = contest.play(action).unwrap();
            if contest.games()[index].outcome().is_some() {
                let shown =
                    |player| contest.games()[index].view(Viewer::Seat(Match::seat(index, player)));
                own.game_over(&shown(perfect));
                if let Some(bot) = &mut others {
                    bot.game_over(&shown(!perfect));
                }
            }
        }
        for round in 0..contest.games().len() / 2 {
            let points = contest.round_points(round);
            let lead = points[perfect] - points[!perfect];
            assert!(lead >= 0, "lost to {other:?} by {lead}: {contest:?}");
            self.rounds += 1;
            *self.won.entry(other.unwrap_or("anything")).or_default() += usize::from(lead > 0);
        }
        self.matches += 1;
    }
}

/// The rule sets in which nothing is hidden.
fn open() -> Vec<RuleSet> {
    let is_open = |rules: &RuleSet| rules.foreplacing().is_none_or(|f| f.face == Face::Up);
    RuleSet::catalogue().into_iter().filter(is_open).collect()
}

#[test]
fn thousands_of_matches_on_few_cards() {
    let mut played = Played::default();
    let mut dice = Dice(1);
    for (number, rules) in open().into_iter().enumerate() {
        let has_every_card_twice = rules.hand_size() == 24;
        let shapes =
            if has_every_card_twice { [(2, 2), (3, 2), (2, 2)] } else { [(4, 3), (2, 5), (4, 2)] };
        for (turn, other) in OTHERS.into_iter().enumerate() {
            let (suits, ranks) = shapes[(number + turn) % 3];
            let rules = small(&rules, suits, ranks);
            for perfect in Player::BOTH {
                let mut deals = SeededDeals::new((number * 10 + turn) as u64);
                // A whole match, or one round.
                let contest = if number.is_multiple_of(3) {
                    Match::new(&rules, &mut deals)
                } else {
                    Match::with_deals(2, vec![deals.next_deal(&rules)]).unwrap()
                };
                played.play(contest, perfect, other, &mut dice);
            }
        }
    }
    assert!(played.matches >= 2_600 && played.rounds >= 3_000, "{played:?}");
    // Nobody is beaten for not being there, and the weak are beaten often.
    assert_eq!(played.won.len(), OTHERS.len(), "{played:?}");
    assert!(played.won["level:1"] > 200 && played.won["level:5"] > 50, "{played:?}");
}

#[test]
fn and_on_whole_decks() {
    let mut played = Played::default();
    let mut dice = Dice(2);
    for (number, name) in
        ["sackson", "bga", "rael+kings-privilege", "pagat+double+free-move"].into_iter().enumerate()
    {
        let rules = RuleSet::named(name).unwrap().shared();
        let deal = SeededDeals::new(50 + number as u64).next_deal(&rules);
        let contest = Match::with_deals(2, vec![deal]).unwrap();
        for turn in 0..2 {
            let other = OTHERS[(number * 2 + turn * 5) % OTHERS.len()];
            played.play(contest.clone(), Player::BOTH[turn], other, &mut dice);
        }
    }
    assert_eq!((played.matches, played.rounds), (8, 8));
    assert!(played.won.values().sum::<usize>() > 3, "{played:?}");
}
