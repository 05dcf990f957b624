//! The door to play with a card face down: from a view and a budget to an action.

use std::sync::Arc;

use overmate_rules::{
    Action, BySeat, CardSet, Face, Foreplaced, Phase, RuleSet, Seat, View, Viewer,
};
use overmate_solver::{Budget, Meter, Solver};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::bot::{Choice, PointBounds, Thought};
use crate::hidden::match_utility::MatchUtility;
use crate::hidden::planner::{HiddenConfig, Planner, with_limit};
use crate::hidden::value_bounds::{ValueBounds, proved, sure_mate};
use crate::model::parameters::Level;
use crate::model::searched_advice::searched_advice;
use crate::public_game::belief::SoftmaxPlayer;
use crate::public_game::cards::{HandCards, bits};
use crate::public_game::history::History;
use crate::public_game::state::{PublicAction, PublicState};
use crate::words::{card_words, points_words};

/// How strong play with a hidden card is, and what is expected of the other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// How the other is expected to choose: points by which an action may be worse to be 2.7 times less likely.
    /// Above 0; the smaller, the stronger he is taken to be.
    pub temperature: f64,
    /// The most nodes of a game tree that is solved. Up to 150,000 of them a hidden card among seven is always
    /// solved exactly, and one among eight often.
    pub nodes: usize,
}

impl Strength {
    /// As strong as it gets: about a second for the hardest decisions.
    pub const FULL: Self = Self { temperature: 8.0, nodes: 150_000 };
}

/// What a player can do where a card is hidden, or can be.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// Every legal action once, in the order of [`View::legal_actions`].
    pub actions: Vec<AdvisedAction>,
    /// Moves ahead up to which everything was seen; `None` if to the end of the game.
    pub horizon: Option<u8>,
    /// Whether the likeliest actions are best whatever the hidden card is.
    pub is_proved: bool,
    /// What best play is sure of whatever the hidden card is, where that was worked out.
    pub sure: Option<PointBounds>,
    /// In plain English, one sentence without a full stop.
    pub reason: String,
}

/// An action, how likely it should be, and what it is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AdvisedAction {
    /// The action.
    pub action: Action,
    /// How likely it should be taken, 0 to 1: to be predictable would tell a secret. They add up to 1.
    pub chance: f64,
    /// The final points for the player that it leads to, on average over what is believed; `None` if not judged.
    pub expected: Option<f64>,
}

/// Plays where a card lies face down, or may be laid so. It keeps what it worked out for the last deal.
pub struct HiddenSolver {
    strength: Strength,
    seed: u64,
    /// How far it relies on the other to act as expected, 0 to 1.
    reliance: f64,
    /// At the end of a match.
    aim: Option<Arc<MatchUtility>>,
    planner: Option<Planner>,
    /// Its last turn.
    last: Option<Last>,
    solver: Solver,
}

/// A turn that was thought about.
struct Last {
    view: View,
    reckons: Reckons,
    advice: Advice,
}

/// What advice depends on, beside the view.
#[derive(Clone, PartialEq, Debug)]
struct Reckons {
    strength: Strength,
    reliance: f64,
    aim: Option<Arc<MatchUtility>>,
    nodes: Option<u64>,
}

impl HiddenSolver {
    /// One that has worked out nothing yet. What it does depends on the seed and on what it is shown alone.
    #[must_use]
    pub fn new(strength: Strength, seed: u64) -> Self {
        Self {
            strength,
            seed,
            reliance: 0.0,
            aim: None,
            planner: None,
            last: None,
            solver: Solver::new(),
        }
    }

    /// Expects the other to choose at this [temperature](Strength::temperature) from now on.
    pub(crate) fn expect(&mut self, temperature: f64) {
        self.strength.temperature = temperature;
        self.reliance = MODEL_RELIANCE;
    }

    /// Plays for this from now on, or for points.
    pub(crate) fn play_for(&mut self, aim: Option<MatchUtility>) {
        self.aim = aim.map(Arc::new);
    }

    /// Whether it is the viewer's turn in a game in which something is hidden, or may be: there the open values do not
    /// say what is best.
    #[must_use]
    pub fn is_needed(view: &View) -> bool {
        let face_down = view.rules().foreplacing().is_some_and(|f| f.face == Face::Down);
        let hidden = Seat::BOTH.into_iter().any(|seat| {
            matches!(view.foreplaced(seat), Foreplaced::FaceDown | Foreplaced::Card(_))
        });
        let foreplacing = matches!(view.phase(), Phase::Foreplacing(_));
        face_down && (hidden || foreplacing) && !view.legal_actions().is_empty()
    }

    /// NodeKind it does, drawn from its [advice](Self::advise); `None` where it is not [needed](Self::is_needed).
    pub fn choose(&mut self, view: &View, budget: &Budget) -> Option<Choice> {
        let advice = self.advise(view, budget)?;
        let mut rest = self.number(view) * advice.actions.iter().map(|a| a.chance).sum::<f64>();
        let mut chosen = advice.actions.first()?;
        for action in advice.actions.iter().filter(|action| action.chance > 0.0) {
            chosen = action;
            rest -= action.chance;
            if rest < 0.0 {
                break;
            }
        }
        let thought = Thought {
            horizon: advice.horizon,
            expected: chosen.expected,
            guaranteed: advice.sure,
            is_proved: advice.is_proved,
            reason: advice.reason.clone(),
        };
        Some(Choice { action: chosen.action, thought })
    }

    /// NodeKind it thinks of each action; `None` where it is not [needed](Self::is_needed).
    ///
    /// It follows what it planned on its earlier turns of a game. So that this depends on the view and the number of nodes alone, who is
    /// asked in the middle of a game first plans its earlier turns, each with as many nodes; they are not counted on this budget,
    /// and within a limit of time they are left out as soon as half of it has passed. With a limit of time alone nothing
    /// is reproducible anyway, and nothing is made up for.
    pub fn advise(&mut self, view: &View, budget: &Budget) -> Option<Advice> {
        if !Self::is_needed(view) {
            return None;
        }
        let mut meter = budget.start();
        let reckons = Reckons {
            strength: self.strength,
            reliance: self.reliance,
            aim: self.aim.clone(),
            nodes: meter.nodes_left(),
        };
        if reckons.nodes.is_some() || meter.time_left().is_none() {
            if let Some(last) = self.last.as_ref().filter(|last| last.reckons == reckons)
                && last.view == *view
            {
                return Some(last.advice.clone());
            }
            self.catch_up(view, &reckons, budget);
        }
        let advice = self.think(view, &mut meter)?;
        // What was thought until the flag was set is not to be followed.
        let is_stopped = budget.untallied().with_nodes(2).start().spend().is_err();
        let last = Last { view: view.clone(), reckons, advice: advice.clone() };
        self.last = (!is_stopped).then_some(last);
        Some(advice)
    }

    fn think(&mut self, view: &View, meter: &mut Meter) -> Option<Advice> {
        let advice = match view.phase() {
            Phase::Foreplacing(seat) => self.on_foreplacing(view, seat, meter),
            _ => self.on_play(view, meter),
        };
        advice.or_else(|| self.as_if_shown(view, meter))
    }

    /// Has planned all its earlier turns of a game, and nothing else.
    fn catch_up(&mut self, view: &View, reckons: &Reckons, budget: &Budget) {
        let earlier = earlier_turns(view);
        // Who has more or fewer nodes than on the turn before has planned that one all the same.
        let is_same =
            |last: &&Last| Reckons { nodes: reckons.nodes, ..last.reckons.clone() } == *reckons;
        let last = self.last.as_ref().filter(is_same);
        if last.is_some_and(|last| earlier.last() == Some(&last.view)) {
            return;
        }
        if let Some(planner) = &mut self.planner {
            planner.forget();
        }
        let clock = budget.start();
        let half = clock.time_left().unwrap_or_default() / 2;
        for turn in earlier {
            let again = match clock.time_left() {
                Some(left) if left <= half => return,
                Some(left) => budget.untallied().with_time(left.saturating_sub(half)),
                None => budget.untallied(),
            };
            self.think(&turn, &mut again.start());
        }
    }

    fn on_foreplacing(&mut self, view: &View, seat: Seat, meter: &mut Meter) -> Option<Advice> {
        let planner = self.planner_for(view.rules(), view.dealt().hands())?;
        let first_hides = view.foreplaced(Seat::First).is_card();
        let plan = planner.plan_foreplacing(seat, first_hides, meter)?;
        let cards = Arc::clone(&planner.cards);
        let hides = BySeat::new_with(|s| s == seat || (s == Seat::First && first_hides));
        let types: Vec<u32> = bits(PublicState::start(&cards, hides).types[seat]).collect();
        let actions = view.legal_actions().into_iter().map(|action| {
            let at = action.card().and_then(|card| {
                let kind = cards.kind(seat, card)?;
                types.iter().position(|t| *t == kind)
            });
            let (chance, expected) = match at {
                Some(at) => (plan.cards[at], plan.cards_expected[at]),
                None => (plan.declines, plan.declines_expected),
            };
            AdvisedAction { action, chance, expected: Some(expected) }
        });
        let actions = purified(actions.collect());
        let horizon = plan.horizon.and_then(|moves| u8::try_from(moves).ok());
        let reason =
            solved_reason(plan.horizon, plan.gap, "to the end of the game, foreplacing included");
        Some(Advice { actions, horizon, is_proved: false, sure: None, reason })
    }

    fn on_play(&mut self, view: &View, meter: &mut Meter) -> Option<Advice> {
        let story = History::of(view)?;
        let planner = self.planner_for(view.rules(), story.hands)?;
        let cards = Arc::clone(&planner.cards);
        let seat = story.now.to_act();
        let branches = story.now.branches(&cards);
        let index = |action: Action| {
            branches.iter().position(|branch| story.now.action(&cards, branch.act) == action)
        };
        let legal = view.legal_actions();
        let of: Vec<usize> = legal.iter().map(|action| index(*action)).collect::<Option<_>>()?;
        let own = bits(story.now.types_or_none(seat)).position(|t| t == story.own)?;
        // Bounds first: where they meet there is nothing to solve.
        let bracket = with_limit(meter, MOST_FOR_SURE, |part| {
            ValueBounds::of(&cards, &story.now, seat, story.own, part)
        });
        let sure = bracket.as_ref().map(|bracket| bracket.sure);
        if let Ok(Some(best)) = with_limit(meter, MOST_FOR_SURE, |part| {
            proved(&cards, &mut planner.secured, &story, part)
        }) {
            let is_best = |i: &usize| best.contains(&branches[*i].act);
            let count = of.iter().filter(|i| is_best(i)).count();
            let actions = legal.iter().zip(&of).map(|(action, i)| AdvisedAction {
                action: *action,
                chance: if is_best(i) { share(count) } else { 0.0 },
                expected: None,
            });
            return Some(Advice {
                actions: actions.collect(),
                horizon: None,
                is_proved: true,
                sure,
                reason: format!(
                    "what lies face down makes no difference any more with best play{}",
                    bracket.map(|bracket| bracket.words()).unwrap_or_default()
                ),
            });
        }
        let plan = planner.plan(&story.steps, &story.now, meter);
        let actions = legal.iter().zip(&of).map(|(action, i)| AdvisedAction {
            action: *action,
            chance: plan.chances[*i][own],
            expected: plan.values.as_ref().map(|values| values[*i][own]),
        });
        let mut actions: Vec<AdvisedAction> = actions.collect();
        let mate = sure_mate(&cards, &story);
        // For the match it is nothing to mate and to lose.
        let aim = self.aim.clone();
        let is_worth = |points: i32| aim.as_ref().is_none_or(|aim| aim.chance(seat, points) > 0.5);
        let is_decided = aim.as_ref().is_some_and(|aim| aim.is_last());
        if let Some((act, points)) = mate.filter(|(_, points)| is_worth(*points)) {
            let mate = story.now.action(&cards, act);
            let is_solved = plan.horizon.is_none() && plan.gap <= CLOSE;
            let least = f64::from(points) + plan.gap;
            let surer: Vec<PublicAction> = with_limit(meter, MOST_FOR_SURE, |part| {
                let bracket = bracket.as_ref();
                let is_surer =
                    |act: &PublicAction| bracket.is_some_and(|b| b.gives_more(*act, points, part));
                branches.iter().map(|branch| branch.act).filter(is_surer).collect()
            });
            let is_more = |a: &AdvisedAction| {
                let act = index(a.action).map(|i| branches[i].act);
                // Where mate wins the match nothing is more.
                !is_decided
                    && (is_solved && a.expected.is_some_and(|e| e > least)
                        || act.is_some_and(|act| surer.contains(&act)))
            };
            if !actions.iter().any(is_more) {
                let words = points_words(points);
                let card = mate.card().map(|card| card_words(view.rules(), card));
                return Some(Advice {
                    actions: only(actions, mate, points),
                    horizon: plan.horizon.and_then(|moves| u8::try_from(moves).ok()),
                    is_proved: false,
                    sure,
                    reason: format!(
                        "mates with {} for {words}, whatever lies face down",
                        card.unwrap_or_default()
                    ),
                });
            }
            for action in actions.iter_mut().filter(|action| !is_more(action)) {
                action.chance = 0.0;
            }
            // What is proved may not have been thought of.
            if actions.iter().all(|action| action.chance < PURIFICATION_THRESHOLD) {
                for action in &mut actions {
                    action.chance = if is_more(action) { 1.0 } else { 0.0 };
                }
            }
        }
        let actions = purified(actions);
        let horizon = plan.horizon.and_then(|moves| u8::try_from(moves).ok());
        let reason = solved_reason(
            plan.horizon,
            plan.gap,
            "to the end of the game, given what is believed of the card face down",
        );
        let aim = if aim.is_some() { "for the match, " } else { "" };
        let bracket = bracket.map(|bracket| bracket.words()).unwrap_or_default();
        let reason = format!("{aim}{reason}{bracket}");
        Some(Advice { actions, horizon, is_proved: false, sure, reason })
    }

    /// With too many cards, or without time: each card that may lie there in turn as if it were shown.
    fn as_if_shown(&mut self, view: &View, meter: &mut Meter) -> Option<Advice> {
        let advice = searched_advice(&mut self.solver, view, Self::is_needed(view), meter)?;
        let actions = advice.actions.into_iter().map(|(action, expected)| AdvisedAction {
            action,
            chance: if action == advice.choice { 1.0 } else { 0.0 },
            expected,
        });
        Some(Advice {
            actions: actions.collect(),
            horizon: advice.horizon,
            is_proved: advice.is_proved,
            sure: None,
            reason: advice.reason,
        })
    }

    /// The planner of a deal: what it has solved is kept.
    fn planner_for(
        &mut self,
        rules: &Arc<RuleSet>,
        hands: BySeat<CardSet>,
    ) -> Option<&mut Planner> {
        let care = HiddenConfig {
            aim: self.aim.clone(),
            reliance: if self.reliance > 0.0 {
                std::env::var("HID_REL").ok().and_then(|s| s.parse().ok()).unwrap_or(self.reliance)
            } else {
                0.0
            },
            ..Self::care(self.strength)
        };
        if !self.planner.as_ref().is_some_and(|planner| planner.cards.are(rules, hands)) {
            let cards = Arc::new(HandCards::new(rules, hands)?);
            self.planner = Some(Planner::new(cards, care.clone()));
        }
        let planner = self.planner.as_mut()?;
        planner.reckon_with(&care);
        Some(planner)
    }

    /// What is taken of a decision at a strength.
    pub(crate) fn care(strength: Strength) -> HiddenConfig {
        HiddenConfig {
            nodes: strength.nodes,
            visits: 100 * strength.nodes as u64,
            gap: 0.1,
            model: SoftmaxPlayer { temperature: strength.temperature.max(0.01) },
            reliance: 0.0,
            aim: None,
        }
    }

    /// What is taken of a decision of the perfect player who meets a stranger.
    pub(crate) fn care_for_stranger() -> HiddenConfig {
        let temperature = Level::MIDDLE.exact_temperature();
        let strength = Strength { temperature, ..Strength::FULL };
        HiddenConfig { reliance: MODEL_RELIANCE, ..Self::care(strength) }
    }

    /// A number from 0 to 1 that depends on the seed and on the view.
    fn number(&self, view: &View) -> f64 {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&self.seed.to_le_bytes());
        key[8..16].copy_from_slice(&view.dealt().number().to_le_bytes());
        key[16..24].copy_from_slice(&(view.actions().len() as u64).to_le_bytes());
        key[24] = u8::from(view.viewer() == Viewer::Seat(Seat::Second));
        f64::from(ChaCha8Rng::from_seed(key).next_u32()) / (f64::from(u32::MAX) + 1.0)
    }
}

/// The turns that the viewer has had in a game and for which a mind was needed, from the first on.
fn earlier_turns(view: &View) -> Vec<View> {
    let Viewer::Seat(seat) = view.viewer() else { return Vec::new() };
    // What the viewer saw is the same with each card that may lie there.
    let other = view.candidates(!seat).first().copied();
    let Some(game) = view.imagine(BySeat::new_with(|s| other.filter(|_| s != seat))) else {
        return Vec::new();
    };
    let turns = (0..view.actions().len()).map(|done| game.after(done));
    let turns = turns.filter(|game| game.to_act() == Some(seat));
    turns.map(|game| game.view(view.viewer())).filter(HiddenSolver::is_needed).collect()
}

/// Below this an action of a solution is not meant, only not yet quite given up.
const PURIFICATION_THRESHOLD: f64 = 0.02;

/// The chances without those that are not meant.
fn purified(mut actions: Vec<AdvisedAction>) -> Vec<AdvisedAction> {
    let mut chances: Vec<f64> = actions.iter().map(|action| action.chance).collect();
    purify(&mut chances);
    for (action, chance) in actions.iter_mut().zip(chances) {
        action.chance = chance;
    }
    actions
}

/// Drops of the chances of what can be done those that are not meant.
pub(crate) fn purify(chances: &mut [f64]) {
    let most = chances.iter().copied().fold(0.0, f64::max);
    let meant = |chance: f64| if chance >= PURIFICATION_THRESHOLD.min(most) { chance } else { 0.0 };
    let total: f64 = chances.iter().copied().map(meant).sum();
    let count = chances.len();
    for chance in chances {
        *chance = if total > 0.0 { meant(*chance) / total } else { share(count) };
    }
}

/// An equal share for each of so many, at most 255.
fn share(count: usize) -> f64 {
    1.0 / f64::from(u8::try_from(count).unwrap_or(u8::MAX).max(1))
}

/// The advice to do one thing, which brings so many points.
fn only(actions: Vec<AdvisedAction>, action: Action, points: i32) -> Vec<AdvisedAction> {
    let advised = |mut other: AdvisedAction| {
        let is_it = other.action == action;
        other.chance = if is_it { 1.0 } else { 0.0 };
        other.expected = if is_it { Some(points.into()) } else { other.expected };
        other
    };
    actions.into_iter().map(advised).collect()
}

/// The most positions that are looked at for what is sure.
const MOST_FOR_SURE: u64 = 50_000;

/// How far the other is relied on to act as expected of him, the rest of his play being the best there is. On decks of twelve cards
/// so little already brings a point a game more against a level, and the best reply to it gains half a point; with more both
/// grow, the second faster.
const MODEL_RELIANCE: f64 = 0.1;

/// The gap, in points, up to which something is called solved.
const CLOSE: f64 = 1.0;

fn solved_reason(horizon: Option<u32>, gap: f64, to_the_end: &str) -> String {
    let verb = if gap <= CLOSE { "solved" } else { "looked" };
    match horizon {
        None if gap <= CLOSE => format!("solved {to_the_end}, within {gap:.2} points"),
        None => format!("looked {to_the_end}, and may be {gap:.0} points from best play"),
        Some(0) => "it looks best if the card face down were shown".to_owned(),
        Some(1) => format!("{verb} one move ahead with what is believed of the card face down"),
        Some(moves) => {
            format!("{verb} {moves} moves ahead with what is believed of the card face down")
        }
    }
}
