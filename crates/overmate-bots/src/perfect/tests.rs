//! Compares the perfect player with plain recursion over positions of the rules crate.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use overmate_rules::{
    DealSource as _, Face, Foreplaced, Game, Phase, Position, Rank, RuleSet, Seat, SeededDeals,
    Viewer,
};
use overmate_solver::Budget;
use overmate_solver::for_bots::possible_worlds;
use overmate_solver::graph::LeadGraph;

use crate::bot::{Bot as _, Choice, Standing, Turn};
use crate::level::belief::HiddenCardBelief;
use crate::level::bot::LevelBot;
use crate::model::horizon_tables::HorizonTables;
use crate::model::parameters::Level;
use crate::perfect::bot::Perfect;
use crate::perfect::level_belief::{LevelBelief, distribution_over_worlds};
use crate::public_game::history::History;

/// Returns every published rule set with 20 cards and without face-down cards.
fn open_rule_sets() -> Vec<RuleSet> {
    let is_open = |rules: &RuleSet| {
        rules.hand_size() == 10 && rules.foreplacing().is_none_or(|f| f.face == Face::Up)
    };
    RuleSet::catalogue().into_iter().filter(is_open).collect()
}

/// Returns a copy of a rule set with a deck of two ranks and at most eight cards. One rank is privileged if the rule set has privileges.
fn small(rules: &RuleSet) -> Arc<RuleSet> {
    let mut draft = rules.draft();
    draft.name = format!("{} on few cards", rules.name());
    draft.ranks.truncate(2);
    draft.cards.retain(|card| card.rank.0 < 2);
    draft.cards.truncate(8);
    if let Some(privilege) = &mut draft.privilege {
        privilege.ranks = vec![Rank(1)];
    }
    RuleSet::new(draft).expect("the smaller rule set is valid").shared()
}

/// Naive computation of the perfect player's choices, by plain recursion over positions of the rules crate.
struct Naive<'a> {
    seat: Seat,
    level: Level,
    tables: &'a HorizonTables,
    /// Points by which the perfect player is ahead in the match, or `None` if the game is not the last
    /// game of the match.
    lead: Option<i32>,
    values: HashMap<Position, i32>,
    expected: HashMap<Position, f64>,
}

impl Naive<'_> {
    /// Returns the final points of the perfect player from a position onward, with perfect play by both players.
    fn value(&mut self, position: &Position) -> i32 {
        if let Some(outcome) = position.outcome() {
            return outcome.points_for_first() * self.seat.sign_for_first();
        }
        if let Some(value) = self.values.get(position) {
            return *value;
        }
        let is_own = position.to_act() == Some(self.seat);
        let next = position.legal_actions();
        let next: Vec<Position> =
            next.map(|a| position.clone().play(a).expect("it is legal")).collect();
        let values = next.iter().map(|next| self.value(next));
        let value = if is_own { values.max() } else { values.min() };
        let value = value.expect("there is a legal action");
        self.values.insert(position.clone(), value);
        value
    }

    /// Returns whether the perfect player may choose an action that gives up points. It may do so only if it plays to win the
    /// match, and loses the match when both players play perfectly.
    fn may_concede(&mut self, now: &Position) -> bool {
        self.lead.is_some_and(|lead| lead + self.value(now) < 0)
    }

    /// Returns the expected value of the perfect player's objective from a position onward, against the bot of a given strength level.
    fn expected_value(&mut self, position: &Position, may_concede: bool) -> f64 {
        if let Some(outcome) = position.outcome() {
            let points = outcome.points_for_first() * self.seat.sign_for_first();
            return match self.lead {
                None => points.into(),
                Some(lead) => f64::from((lead + points).signum() + 1) / 2.0,
            };
        }
        if let Some(value) = self.expected.get(position) {
            return *value;
        }
        let value = if position.to_act() == Some(self.seat) {
            let options = self.options(position, may_concede).into_iter();
            options.map(|(_, value)| value).fold(f64::NEG_INFINITY, f64::max)
        } else {
            let actions = self.tables.action_distribution(
                self.level.parameters(position.rules()),
                position,
                !self.seat,
            );
            let actions = actions.expect("the position is in the tables").into_iter();
            actions
                .map(|(action, share)| {
                    share
                        * self.expected_value(
                            &position.clone().play(action).expect("it is legal"),
                            may_concede,
                        )
                })
                .sum()
        };
        self.expected.insert(position.clone(), value);
        value
    }

    /// Computes, by plain recursion, the actions among which the perfect player chooses, each with its expected value for that player.
    fn options(
        &mut self,
        position: &Position,
        may_concede: bool,
    ) -> Vec<(overmate_rules::Action, f64)> {
        let best = self.value(position);
        let mut options = Vec::new();
        for action in position.legal_actions() {
            let next = position.clone().play(action).expect("it is legal");
            if may_concede || self.value(&next) == best {
                options.push((action, self.expected_value(&next, may_concede)));
            }
        }
        options
    }
}

/// Compares the perfect player's choice with a naive computation of the best choice. Returns the numbers of considered actions and of worse
/// actions.
fn compare(game: &Game, seat: Seat, level: Level, lead: Option<i32>) -> (usize, usize) {
    let view = game.view(Viewer::Seat(seat));
    let standing = match lead {
        None => Standing::of_one_game(),
        Some(lead) => Standing { game: 3, games: 4, own: 100 + lead, other: 100 },
    };
    let budget = Budget::unlimited();
    let turn = Turn::new(&view, standing, &budget);
    let Choice { action, thought } =
        Perfect::against(level, 1, &Arc::default()).choose(&turn).expect("the viewer acts");

    let position = game.position();
    let hands = position.hands();
    let graph = LeadGraph::of_hands(game.rules(), hands);
    let tables = HorizonTables::new(graph);
    let (values, expected) = (HashMap::new(), HashMap::new());
    let mut naive = Naive { seat, level, tables: &tables, lead, values, expected };
    let may_concede = naive.may_concede(position);
    let options = naive.options(position, may_concede);
    let most = options.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
    let taken = options.iter().find(|(option, _)| *option == action);
    let (_, value) = taken.unwrap_or_else(|| panic!("{game} {seat}: {action:?} gives points up"));
    // The perfect player adds a tiny multiple of the points to its probability of winning the match, so the test allows a difference of
    // 0.001. The added term breaks ties between equal probabilities.
    assert!(*value >= most - 1e-3, "{game} {seat} {lead:?}: {action:?} {value} {options:?}");
    assert_eq!(thought.is_proved, !may_concede);
    if !may_concede {
        let value = f64::from(naive.value(position));
        assert_eq!(thought.expected, Some(value), "{game} {seat}");
    }
    let worse = options.iter().filter(|(_, value)| *value < most - 1e-3).count();
    (options.len(), worse)
}

/// Tests the perfect player's choices against a naive computation, in every phase of a game and for both objectives:
/// most points, and the highest probability of winning the match.
#[test]
fn perfect_takes_the_best_response_among_optimal_actions() {
    let (mut asked, mut chosen, mut worse, mut foreplacing) = (0, 0, 0, 0);
    for (seed, rules) in (1_u64..).zip(open_rule_sets()) {
        let rules = small(&rules);
        let mut game = Game::new(SeededDeals::new(seed).next_deal(&rules));
        let mut chance = seed;
        while let Some(seat) = game.to_act() {
            let level = Level::new(u8::try_from(1 + chance % 9).expect("a digit")).expect("1 to 9");
            for lead in [None, Some(0), Some(-12), Some(7), Some(-40)] {
                let (among, less) = compare(&game, seat, level, lead);
                asked += 1;
                chosen += usize::from(among > 1);
                worse += usize::from(less > 0);
                foreplacing += usize::from(matches!(game.phase(), Phase::Foreplacing(_)));
            }
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(seed);
            let legal: Vec<_> = game.legal_actions().collect();
            let place = usize::try_from(chance >> 33).expect("31 bits") % legal.len();
            game = game.play(legal[place]).expect("it is legal");
        }
    }
    assert!(asked > 500 && chosen > 300 && worse > 50 && foreplacing > 100);
}

/// Tests that a perfect player without time takes an action that loses no point, and that later choices with time do not depend on
/// the interrupted ones.
#[test]
fn perfect_without_time_loses_no_point() {
    let standing = Standing { game: 2, games: 4, own: 0, other: 300 };
    let level = Level::new(2).expect("1 to 9");
    let stop = Arc::new(AtomicBool::new(true));
    let stopped = Budget::unlimited().with_stop(Arc::clone(&stop));
    let late = Budget::unlimited().with_time(Duration::ZERO);
    let (mut asked, mut cut) = (0, 0);
    for (seed, rules) in (1_u64..).zip(open_rule_sets()) {
        let mut game = Game::new(SeededDeals::new(seed).next_deal(&small(&rules)));
        while let Some(seat) = game.to_act() {
            let view = game.view(Viewer::Seat(seat));
            let tables = HorizonTables::new(LeadGraph::of_deal(game.dealt()));
            let value = |position: &Position| tables.exact_points_for_first(position);
            let choice = |player: &mut Perfect, budget| {
                player.choose(&Turn::new(&view, standing, budget)).expect("the viewer acts")
            };
            let new = || Perfect::against(level, 1, &Arc::default());
            let unlimited = Budget::unlimited();
            let expected = choice(&mut new(), &unlimited);
            for budget in [&stopped, &late] {
                let mut player = new();
                let Choice { action, thought } = choice(&mut player, budget);
                let next = game.position().clone().play(action).expect("it is legal");
                assert_eq!(value(&next), value(game.position()), "{game} {action:?}");
                assert!(thought.is_proved, "{game}");
                asked += 1;
                cut += usize::from(thought.reason.contains("no time to compare"));
                assert_eq!(choice(&mut player, &unlimited), expected, "{game}");
            }
            game = game.play(expected.action).expect("it is legal");
        }
    }
    assert!(asked > 200 && cut > 50, "{asked} {cut}");
}

/// Tests that the belief about the opponent's strength level distinguishes weak, middle and strong
/// opponents in games with a face-down card.
#[test]
fn level_belief_ranks_opponents_that_face_a_hidden_card() {
    let rules = RuleSet::named("denexa").expect("a published rule set").shared();
    let budget = Budget::unlimited();
    let (mut found, mut hidden) = (Vec::new(), 0);
    for level in [2, 5, 9].into_iter().filter_map(Level::new) {
        let mut belief = LevelBelief::new();
        for seed in 0..3 {
            let mut game = Game::new(SeededDeals::new(seed).next_deal(&rules));
            let mut bot = LevelBot::new(level, seed, &Arc::default());
            while let Some(seat) = game.to_act() {
                let view = game.view(Viewer::Seat(seat));
                let turn = Turn::new(&view, Standing::of_one_game(), &budget);
                let action = match seat {
                    Seat::Second => bot.choose(&turn).expect("its turn").action,
                    // The seat *first* foreplaces a card, because it always takes the second of several legal actions. The first legal
                    // action during foreplacing is to decline.
                    Seat::First => {
                        game.legal_actions().nth(1).unwrap_or(view.legal_actions().next().unwrap())
                    }
                };
                game = game.play(action).expect("legal");
            }
            hidden +=
                usize::from(matches!(game.position().foreplaced(Seat::First), Foreplaced::Card(_)));
            let graph = LeadGraph::of_deal(game.dealt());
            belief = belief.with(&game, Seat::Second, &Arc::new(HorizonTables::new(graph)));
        }
        found.push(belief.level().get());
    }
    assert_eq!(hidden, 9);
    assert!(found[0] < found[1] && found[1] < found[2], "{found:?}");
}

/// Tests that the probabilities by which the perfect player judges a level are those of the level's own bot, also in the last moves of a
/// deck with more than ten cards a hand, whose levels have higher temperatures.
#[test]
fn level_belief_expects_the_play_of_the_level_in_every_deck_with_a_hidden_card() {
    let budget = Budget::unlimited();
    for name in ["denexa", "denexa+pinochle"] {
        let rules = RuleSet::named(name).expect("the catalogue has the rule set").shared();
        let mut compared = 0;
        for seed in 1..=4 {
            let mut game = Game::new(SeededDeals::new(seed).next_deal(&rules));
            let mut chance = seed;
            while let Some(seat) = game.to_act() {
                let legal: Vec<_> = game.legal_actions().collect();
                let view = game.view(Viewer::Seat(seat));
                let worlds = possible_worlds(&view, seat);
                let position = game.position();
                if worlds.len() > 1 && legal.len() > 1 && position.hand(seat).len() <= 6 {
                    let history = History::of(&view).expect("the moves of the view are legal");
                    let graph = LeadGraph::of_hands(&rules, history.hands);
                    let tables = Arc::new(HorizonTables::new(graph));
                    for level in [2, 5, 8].into_iter().filter_map(Level::new) {
                        let mut belief = HiddenCardBelief::default();
                        let expected =
                            distribution_over_worlds(level, &view, &worlds, &mut belief, &tables);
                        let expected: Option<Vec<_>> =
                            expected.map(|expected| expected.into_iter().collect());
                        let turn = Turn::new(&view, Standing::of_one_game(), &budget);
                        let mut bot = LevelBot::new(level, seed, &Arc::default());
                        assert_eq!(bot.chances(&turn), expected, "{game} {level}");
                        compared += 1;
                    }
                }
                chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let place = usize::try_from(chance >> 33).expect("31 bits") % legal.len();
                game = game.play(legal[place]).expect("it is legal");
            }
        }
        assert!(compared >= 6, "{name}: {compared}");
    }
}
