//! Solves decisions in games with a face-down card, given a player's view and a budget.

use std::sync::Arc;

use overmate_rules::{Action, BySeat, CardSet, Phase, RuleSet, Seat, View, Viewer};
use overmate_solver::for_bots::Meter;
use overmate_solver::{Budget, Solver};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::bot::{Choice, Thought};
use crate::hidden::advice::{
    MixedAdvice, SOLVED_GAP, WeightedAction, equal_share, is_improbable, only, purified,
    solved_reason,
};
use crate::hidden::config::{HiddenConfig, Strength};
use crate::hidden::match_utility::MatchUtility;
use crate::hidden::planner::{ATTEMPT_PARTS, LocalStrategy, Planner};
use crate::hidden::value_bounds::{ValueBounds, proved_best, sure_mate};
use crate::model::searched_advice::searched_advice;
use crate::model::softmax::Distribution;
use crate::public_game::cards::{HandCards, bits};
use crate::public_game::history::{History, has_hidden_card};
use crate::public_game::state::{PublicAction, PublicState, TypedAction};
use crate::words::{card_words, points_words};

/// Solver of decisions in games in which a player has or may have a face-down card. The solver
/// keeps the solutions of the last deal.
pub struct HiddenSolver {
    seed: u64,
    config: HiddenConfig,
    planner: Option<Planner>,
    last: Option<EarlierDecision>,
    solver: Solver,
}

/// Most recent decision of the solver: the advice, and the input from which the advice was computed.
struct EarlierDecision {
    view: View,
    config: HiddenConfig,
    /// Node limit of the search that computed the advice, or `None` without a limit.
    nodes: Option<u64>,
    advice: MixedAdvice,
}

impl HiddenSolver {
    /// Creates a solver for the decisions of one match, without any stored solution. The choices of the solver depend only on the seed and
    /// on the views and budgets.
    #[must_use]
    pub fn new(strength: Strength, seed: u64) -> Self {
        let config = HiddenConfig::of(strength);
        Self { seed, config, planner: None, last: None, solver: Solver::new() }
    }

    /// Enables, for all decisions after this call, a softmax model of the opponent with the given [temperature](Strength::temperature).
    pub(crate) fn expect(&mut self, temperature: f64) {
        self.config.expect(temperature);
    }

    /// Sets the utility function of points for later decisions. With `None`, the solver maximises points.
    pub(crate) fn play_for(&mut self, utility: Option<MatchUtility>) {
        self.config.utility = utility.map(Arc::new);
    }

    /// Draws an action at random, with the probabilities of the [advice](Self::advise). Returns
    /// `None` if there is no advice.
    pub fn choose(&mut self, view: &View, budget: &Budget) -> Option<Choice> {
        let advice = self.advise(view, budget)?;
        let total: f64 = advice.actions.iter().map(|action| action.chance).sum();
        let possible = advice.actions.iter().filter(|action| action.chance > 0.0);
        let possible: Distribution<_> = possible.map(|action| (action, action.chance)).collect();
        let chosen = possible.at(self.draw(view) * total).or(advice.actions.first())?;
        let thought = Thought {
            horizon: advice.horizon,
            expected: chosen.expected,
            guaranteed: advice.sure,
            is_proved: advice.is_proved,
            reason: advice.reason.clone(),
        };
        Some(Choice { action: chosen.action, thought })
    }

    /// Returns the probability and the expected points of each legal action of the player whose view is given. Returns
    /// `None` if it is not this player's turn, or if no card can be face down.
    ///
    /// Advice continues the plans of the player's earlier turns in the game. A solver that is first asked in the middle
    /// of a game therefore plans the earlier turns again, so that the advice depends only on the view and the number of
    /// nodes. Each earlier turn gets the same number of nodes, which are not charged to this budget. If the budget also
    /// has a time limit, the earlier turns take at most half of the time. If the budget has only a time limit, the
    /// earlier turns are not planned again, because no decision is then reproducible.
    pub fn advise(&mut self, view: &View, budget: &Budget) -> Option<MixedAdvice> {
        if !has_hidden_card(view) {
            return None;
        }
        let mut meter = budget.start();
        let nodes = meter.nodes_left();
        if nodes.is_some() || meter.time_left().is_none() {
            if let Some(last) = &self.last
                && (&last.config, last.nodes, &last.view) == (&self.config, nodes, view)
            {
                return Some(last.advice.clone());
            }
            self.catch_up(view, budget);
        }
        let advice = self.decide(view, &mut meter)?;
        // If the stop flag interrupted the search, the computed strategies are incomplete, and the player's later turns must not reuse
        // them.
        self.last = (!budget.is_stopped()).then(|| EarlierDecision {
            view: view.clone(),
            config: self.config.clone(),
            nodes,
            advice: advice.clone(),
        });
        Some(advice)
    }

    fn decide(&mut self, view: &View, meter: &mut Meter) -> Option<MixedAdvice> {
        let advice = match view.phase() {
            Phase::Foreplacing(seat) => self.decide_foreplacing(view, seat, meter),
            Phase::Lead(_) | Phase::Follow(_) | Phase::Over => self.decide_play(view, meter),
        };
        advice.or_else(|| self.decide_as_if_shown(view, meter))
    }

    /// Recomputes the advised player's earlier decisions in the game, to reuse their solved strategies in later
    /// decisions.
    fn catch_up(&mut self, view: &View, budget: &Budget) {
        let earlier = earlier_turns(view);
        // The solver reuses its strategies from the player's previous turn if the solver's settings are still the same. A changed node
        // limit does not matter.
        let last = self.last.as_ref().filter(|last| last.config == self.config);
        if last.is_some_and(|last| earlier.last() == Some(&last.view)) {
            return;
        }
        if let Some(planner) = &mut self.planner {
            planner.forget();
        }
        let clock = budget.start();
        let half = clock.time_left().unwrap_or_default() / 2;
        for turn in earlier {
            if budget.is_stopped() {
                return;
            }
            let again = match clock.time_left() {
                Some(left) if left <= half => return,
                Some(left) => budget.untallied().with_time(left.saturating_sub(half)),
                None => budget.untallied(),
            };
            self.decide(&turn, &mut again.start());
        }
    }

    fn decide_foreplacing(
        &mut self,
        view: &View,
        seat: Seat,
        meter: &mut Meter,
    ) -> Option<MixedAdvice> {
        let planner = self.planner_for(view.rules(), view.dealt().hands())?;
        let first_hides = view.foreplaced(Seat::First).is_card();
        let found = planner.decide_foreplacing(seat, first_hides, meter)?;
        let cards = Arc::clone(&planner.cards);
        let hides = BySeat::new_with(|s| s == seat || (s == Seat::First && first_hides));
        let types: Vec<u32> = bits(PublicState::start(&cards, hides).types[seat]).collect();
        let actions = view.legal_actions().map(|action| {
            let at = action.card().and_then(|card| {
                let kind = cards.kind(seat, card)?;
                types.iter().position(|t| *t == kind)
            });
            let (chance, expected) = match at {
                Some(at) => (found.cards[at], found.cards_expected[at]),
                None => (found.declines, found.declines_expected),
            };
            WeightedAction { action, chance, expected: Some(expected) }
        });
        let actions = purified(actions.collect());
        let to_the_end = "to the end of the game, foreplacing included";
        let reason = solved_reason(found.horizon, found.gap, to_the_end);
        Some(MixedAdvice {
            actions,
            horizon: as_horizon(found.horizon),
            is_proved: false,
            sure: None,
            reason,
        })
    }

    fn decide_play(&mut self, view: &View, meter: &mut Meter) -> Option<MixedAdvice> {
        let history = History::of(view)?;
        let utility = self.config.utility.clone();
        let planner = self.planner_for(view.rules(), history.hands)?;
        let cards = Arc::clone(&planner.cards);
        let turn = PlayTurn::new(&cards, &history, view)?;
        // The solver looks for a proved best action before it builds any game tree, because such a proof already solves
        // the decision.
        let bounds = within(meter, |part| {
            ValueBounds::of(&cards, &history.now, turn.seat, history.own, part)
        });
        let sure = bounds.as_ref().map(|bounds| bounds.sure);
        let bounds_words = bounds.as_ref().map(ValueBounds::words).unwrap_or_default();
        let proved =
            within(meter, |part| proved_best(&cards, &mut planner.regrets, &history, part));
        if let Ok(Some(best)) = proved {
            let reason = format!(
                "what lies face down makes no difference any more with best play{bounds_words}"
            );
            let actions = turn.equally(&best);
            return Some(MixedAdvice { actions, horizon: None, is_proved: true, sure, reason });
        }
        let found = planner.decide(&history.steps, &history.now, Some(history.own), meter);
        let horizon = as_horizon(found.horizon);
        let mut actions = turn.weighted(&found);
        // If the solver plays to win the match, it considers a sure mate only if the player then wins the match with a probability above
        // one half.
        let is_worthwhile = |points: &i32| {
            utility.as_ref().is_none_or(|utility| utility.win_chance(turn.seat, *points) > 0.5)
        };
        let mate = sure_mate(&cards, &history).filter(|(_, points)| is_worthwhile(points));
        if let Some((mate, points)) = mate {
            let is_decided = utility.as_ref().is_some_and(|utility| utility.is_last());
            let better = if is_decided {
                // In the last game of a match, no action is better than a mate that wins the match.
                vec![false; actions.len()]
            } else {
                within(meter, |part| {
                    turn.better_than(points, &actions, &found, bounds.as_ref(), part)
                })
            };
            if !better.contains(&true) {
                let mate = history.now.rules_action(&cards, mate);
                let card = mate.card().map(|card| card_words(view.rules(), card));
                let card = card.unwrap_or_default();
                let words = points_words(points);
                let reason = format!("it mates with {card} for {words}, whatever lies face down");
                let actions = only(actions, mate, points);
                return Some(MixedAdvice { actions, horizon, is_proved: false, sure, reason });
            }
            keep_better(&mut actions, &better);
        }
        let to_the_end = "to the end of the game, given what it believes of the card face down";
        let reason = solved_reason(found.horizon, found.gap, to_the_end);
        let for_the_match = if utility.is_some() { "for the match, " } else { "" };
        let reason = format!("{for_the_match}{reason}{bounds_words}");
        Some(MixedAdvice { actions: purified(actions), horizon, is_proved: false, sure, reason })
    }

    /// Returns advice for large hands or small budgets, by searches that treat each possible face-down card as if it were shown.
    fn decide_as_if_shown(&mut self, view: &View, meter: &mut Meter) -> Option<MixedAdvice> {
        let found = searched_advice(&mut self.solver, view, has_hidden_card(view), meter)?;
        let actions = found.actions.into_iter().map(|(action, expected)| WeightedAction {
            action,
            chance: if action == found.choice { 1.0 } else { 0.0 },
            expected,
        });
        Some(MixedAdvice {
            actions: actions.collect(),
            horizon: found.horizon,
            is_proved: found.is_proved,
            sure: None,
            reason: found.reason,
        })
    }

    /// Returns the planner for a deal, with the current settings of this [`HiddenSolver`].
    fn planner_for(
        &mut self,
        rules: &Arc<RuleSet>,
        hands: BySeat<CardSet>,
    ) -> Option<&mut Planner> {
        if !self.planner.as_ref().is_some_and(|planner| planner.cards.are(rules, hands)) {
            let cards = Arc::new(HandCards::new(rules, hands)?);
            self.planner = Some(Planner::new(cards, self.config.clone()));
        }
        let planner = self.planner.as_mut()?;
        planner.configure(&self.config);
        Some(planner)
    }

    /// Returns a pseudo-random number from 0 to 1 that depends only on the solver's seed and the view.
    fn draw(&self, view: &View) -> f64 {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&self.seed.to_le_bytes());
        key[8..16].copy_from_slice(&view.dealt().number().to_le_bytes());
        key[16..24].copy_from_slice(&(view.actions().len() as u64).to_le_bytes());
        key[24] = u8::from(view.viewer() == Viewer::Seat(Seat::Second));
        f64::from(ChaCha8Rng::from_seed(key).next_u32()) / (f64::from(u32::MAX) + 1.0)
    }
}

/// Turn of a player to lead or answer: the player's legal actions, and all actions that the opponent considers possible.
struct PlayTurn {
    seat: Seat,
    /// Index of the advised player's face-down card in the list of cards that the opponent considers possible.
    own: usize,
    legal: Vec<Action>,
    /// Index of each legal action in the list `public` of all actions that the opponent considers possible.
    indices: Vec<usize>,
    public: Vec<TypedAction>,
}

impl PlayTurn {
    fn new(cards: &HandCards, history: &History, view: &View) -> Option<Self> {
        let now = &history.now;
        let seat = now.to_act();
        let public = now.actions(cards);
        let index = |action: &Action| {
            public.iter().position(|typed| now.rules_action(cards, typed.action) == *action)
        };
        let legal: Vec<_> = view.legal_actions().collect();
        let indices = legal.iter().map(index).collect::<Option<_>>()?;
        let own = now.place_of_type(seat, history.own)?;
        Some(Self { seat, own, legal, indices, public })
    }

    /// Returns the legal actions, with equal probabilities for the actions in `best` and the probability 0 for all other actions.
    fn equally(&self, best: &[PublicAction]) -> Vec<WeightedAction> {
        let is_best = |i: &usize| best.contains(&self.public[*i].action);
        let count = self.indices.iter().filter(|i| is_best(i)).count();
        let actions = self.legal.iter().zip(&self.indices).map(|(action, i)| WeightedAction {
            action: *action,
            chance: if is_best(i) { equal_share(count) } else { 0.0 },
            expected: None,
        });
        actions.collect()
    }

    /// Returns the legal actions of the turn with the probabilities and expected points of a solved strategy.
    fn weighted(&self, found: &LocalStrategy) -> Vec<WeightedAction> {
        let actions = self.legal.iter().zip(&self.indices).map(|(action, i)| WeightedAction {
            action: *action,
            chance: found.chances[*i][self.own],
            expected: found.values.as_ref().map(|values| values[*i][self.own]),
        });
        actions.collect()
    }

    /// Returns, for each legal action, whether the action provably brings more than `points`. The player can give a mate at once that
    /// brings `points`.
    fn better_than(
        &self,
        points: i32,
        actions: &[WeightedAction],
        found: &LocalStrategy,
        bounds: Option<&ValueBounds<'_>>,
        meter: &mut Meter,
    ) -> Vec<bool> {
        let is_solved = found.horizon.is_none() && found.gap <= SOLVED_GAP;
        let least = f64::from(points) + found.gap;
        let better = actions.iter().zip(&self.indices).map(|(action, i)| {
            is_solved && action.expected.is_some_and(|expected| expected > least)
                || bounds.is_some_and(|bounds| {
                    bounds.guarantees_more(self.public[*i].action, points, meter)
                })
        });
        better.collect()
    }
}

/// Sets to 0 the probability of each action that the list `better` marks with `false`. If all better actions are improbable, they become
/// equally likely.
fn keep_better(actions: &mut [WeightedAction], better: &[bool]) {
    let is_meant =
        |(action, better): (&WeightedAction, &bool)| *better && !is_improbable(action.chance);
    let is_any_meant = actions.iter().zip(better).any(is_meant);
    for (action, better) in actions.iter_mut().zip(better) {
        action.chance = match (*better, is_any_meant) {
            (false, _) => 0.0,
            (true, true) => action.chance,
            (true, false) => 1.0,
        };
    }
}

/// Maximum number of nodes of one attempt to bound an action's value or to prove that an action is best.
const MAX_PROOF_NODES: u64 = 50_000;

/// Runs `attempt` with at most [`MAX_PROOF_NODES`] nodes and at most the fraction 1/[`ATTEMPT_PARTS`] of the remaining budget.
fn within<T>(meter: &mut Meter, attempt: impl FnOnce(&mut Meter) -> T) -> T {
    meter.with_part(ATTEMPT_PARTS, |part| part.with_node_limit(MAX_PROOF_NODES, attempt))
}

/// Converts a search horizon in complete moves to an 8-bit number. A horizon above 255 moves
/// becomes `None`, which means a search to the end of the game.
fn as_horizon(moves: Option<u32>) -> Option<u8> {
    moves.and_then(|moves| u8::try_from(moves).ok())
}

/// Returns the advised player's earlier turns in which a card was or could be face down, in the order of the game.
fn earlier_turns(view: &View) -> Vec<View> {
    let Viewer::Seat(seat) = view.viewer() else { return Vec::new() };
    // The opponent's face-down card is assumed to be the first possible card. The advised player's earlier views are the same for every
    // possible card.
    let other = view.candidates(!seat).first().copied();
    let Some(game) = view.imagine(BySeat::new_with(|s| other.filter(|_| s != seat))) else {
        return Vec::new();
    };
    let turns = (0..view.actions().len()).map(|done| game.after(done));
    let turns = turns.filter(|game| game.to_act() == Some(seat));
    turns.map(|game| game.view(view.viewer())).filter(has_hidden_card).collect()
}
