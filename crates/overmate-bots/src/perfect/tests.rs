//! The perfect player itself, in every rule set of 20 open cards, against plain recursion by the rules crate.

use std::collections::HashMap;
use std::sync::Arc;

use overmate_rules::{
    DealSource as _, Face, Game, Phase, Position, Rank, RuleSet, Seat, SeededDeals, Viewer,
};
use overmate_solver::{Budget, LeadGraph};

use crate::bot::{Bot as _, Choice, Standing, Turn};
use crate::level::bot::Level;
use crate::model::horizon_tables::Sights;
use crate::perfect::bot::Perfect;

/// Every rule set of 20 cards in which nothing is hidden.
fn open_rule_sets() -> Vec<RuleSet> {
    let is_open = |rules: &RuleSet| {
        rules.hand_size() == 10 && rules.foreplacing().is_none_or(|f| f.face == Face::Up)
    };
    RuleSet::catalogue().into_iter().filter(is_open).collect()
}

/// The same rules on so few cards that everything before the first lead can be followed too: two ranks, the privileged one
/// among them.
fn small(rules: &RuleSet) -> Arc<RuleSet> {
    let mut draft = rules.draft();
    draft.name = format!("{} on few cards", rules.name());
    draft.ranks.truncate(2);
    draft.cards.retain(|card| card.rank.0 < 2);
    draft.cards.truncate(8);
    if let Some(privilege) = &mut draft.privilege {
        privilege.ranks = vec![Rank(1)];
    }
    RuleSet::new(draft).expect("it is a rule set with fewer cards").shared()
}

/// What is asked of the perfect player, answered by the rules alone and by what the level is known to do.
struct Naive<'a> {
    seat: Seat,
    level: Level,
    sights: &'a Sights,
    /// The lead before this game, if it is the last one of a match.
    lead: Option<i32>,
    values: HashMap<Position, i32>,
    worths: HashMap<Position, f64>,
}

impl Naive<'_> {
    /// The points for the seat when both play best.
    fn value(&mut self, position: &Position) -> i32 {
        if let Some(outcome) = position.outcome() {
            return outcome.points_for_first() * self.seat.sign_for_first();
        }
        if let Some(value) = self.values.get(position) {
            return *value;
        }
        let is_own = position.to_act() == Some(self.seat);
        let next = position.legal_actions().into_iter();
        let next: Vec<Position> = next.map(|a| position.play(a).expect("it is legal")).collect();
        let values = next.iter().map(|next| self.value(next));
        let value = if is_own { values.max() } else { values.min() };
        let value = value.expect("there is a legal action");
        self.values.insert(position.clone(), value);
        value
    }

    fn may_give(&mut self, now: &Position) -> bool {
        self.lead.is_some_and(|lead| lead + self.value(now) < 0)
    }

    /// What a position is worth when the other plays as his level does.
    fn worth(&mut self, position: &Position, may_give: bool) -> f64 {
        if let Some(outcome) = position.outcome() {
            let points = outcome.points_for_first() * self.seat.sign_for_first();
            return match self.lead {
                None => points.into(),
                Some(lead) => f64::from((lead + points).signum() + 1) / 2.0,
            };
        }
        if let Some(worth) = self.worths.get(position) {
            return *worth;
        }
        let worth = if position.to_act() == Some(self.seat) {
            let options = self.options(position, may_give).into_iter();
            options.map(|(_, worth)| worth).fold(f64::NEG_INFINITY, f64::max)
        } else {
            let odds = self.sights.action_odds(self.level.manner(), position, !self.seat);
            let odds = odds.expect("of this deal").into_iter();
            odds.map(|(action, odds)| {
                odds * self.worth(&position.play(action).expect("it is legal"), may_give)
            })
            .sum()
        };
        self.worths.insert(position.clone(), worth);
        worth
    }

    /// The actions that may be considered, and what each is worth.
    fn options(
        &mut self,
        position: &Position,
        may_give: bool,
    ) -> Vec<(overmate_rules::Action, f64)> {
        let best = self.value(position);
        let mut options = Vec::new();
        for action in position.legal_actions() {
            let next = position.play(action).expect("it is legal");
            if may_give || self.value(&next) == best {
                options.push((action, self.worth(&next, may_give)));
            }
        }
        options
    }
}

/// Asks the perfect player, and compares; returns over how many actions it had to choose, and how many lost it something.
fn compare(game: &Game, seat: Seat, level: Level, lead: Option<i32>) -> (usize, usize) {
    let view = game.view(Viewer::Seat(seat));
    let standing = match lead {
        None => Standing::of_one_game(),
        Some(lead) => Standing { game: 3, games: 4, own: 100 + lead, other: 100 },
    };
    let turn = Turn { view: &view, standing, budget: &Budget::unlimited() };
    let Choice { action, thought } =
        Perfect::against(level, 1).choose(&turn).expect("it is its turn");

    let position = game.position();
    let hands = position.hands();
    let graph = LeadGraph::of_hands(game.rules(), hands);
    let horizons: Vec<u8> = Level::all().map(|level| level.manner().horizon).collect();
    let sights = Sights::new(graph, &horizons);
    let (values, worths) = (HashMap::new(), HashMap::new());
    let mut naive = Naive { seat, level, sights: &sights, lead, values, worths };
    let may_give = naive.may_give(position);
    let options = naive.options(position, may_give);
    let most = options.iter().map(|(_, worth)| *worth).fold(f64::NEG_INFINITY, f64::max);
    let taken = options.iter().find(|(option, _)| *option == action);
    let (_, worth) = taken.unwrap_or_else(|| panic!("{game} {seat}: {action:?} gives points up"));
    // Beside the match a point is worth next to nothing, but not nothing.
    assert!(*worth >= most - 1e-3, "{game} {seat} {lead:?}: {action:?} {worth} {options:?}");
    assert_eq!(thought.is_proved, !may_give);
    if !may_give {
        let value = f64::from(naive.value(position));
        assert_eq!(thought.expected, Some(value), "{game} {seat}");
    }
    let worse = options.iter().filter(|(_, worth)| *worth < most - 1e-3).count();
    (options.len(), worse)
}

/// In every rule set, before and after foreplacing, when leading and when following, for points and for the match.
#[test]
fn it_takes_the_best_of_what_loses_nothing() {
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
            let legal = game.legal_actions();
            let place = usize::try_from(chance >> 33).expect("31 bits") % legal.len();
            game = game.play(legal[place]).expect("it is legal");
        }
    }
    assert!(asked > 500 && chosen > 300 && worse > 50 && foreplacing > 100);
}
