//! The door to play with a card face down: from a view and a budget to an action.

use std::sync::Arc;

use overmate_rules::{
    Action, BySeat, CardSet, Face, Foreplaced, Phase, RuleSet, Seat, View, Viewer,
};
use overmate_solver::{Budget, CounselledAction, Meter, Solver, Spent};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::bot::{Choice, Thought};
use crate::hidden::belief::Model;
use crate::hidden::cards::{Cards, bits};
use crate::hidden::plan::{Care, Planner, with_part};
use crate::hidden::secure::Regret;
use crate::hidden::spot::{Act, Spot};
use crate::hidden::story::Story;

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
pub struct Mind {
    strength: Strength,
    seed: u64,
    planner: Option<Planner>,
    solver: Solver,
}

impl Mind {
    /// One that has worked out nothing yet. What it does depends on the seed and on what it is shown alone.
    #[must_use]
    pub fn new(strength: Strength, seed: u64) -> Self {
        Self { strength, seed, planner: None, solver: Solver::new() }
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

    /// What it does, drawn from its [advice](Self::advise); `None` where it is not [needed](Self::is_needed).
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
            is_proved: advice.is_proved,
            reason: advice.reason.clone(),
        };
        Some(Choice { action: chosen.action, thought })
    }

    /// What it thinks of each action; `None` where it is not [needed](Self::is_needed).
    pub fn advise(&mut self, view: &View, budget: &Budget) -> Option<Advice> {
        if !Self::is_needed(view) {
            return None;
        }
        let mut meter = budget.start();
        let advice = match view.phase() {
            Phase::Foreplacing(seat) => self.on_foreplacing(view, seat, &mut meter),
            _ => self.on_play(view, &mut meter),
        };
        advice.or_else(|| self.as_if_shown(view, budget))
    }

    fn on_foreplacing(&mut self, view: &View, seat: Seat, meter: &mut Meter) -> Option<Advice> {
        let planner = self.planner_for(view.rules(), view.dealt().hands())?;
        let first_hides = view.foreplaced(Seat::First).is_card();
        let plan = planner.plan_foreplacing(seat, first_hides, meter)?;
        let cards = Arc::clone(&planner.cards);
        let hides = BySeat::new_with(|s| s == seat || (s == Seat::First && first_hides));
        let types: Vec<u32> = bits(Spot::start(&cards, hides).types[seat]).collect();
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
        Some(Advice { actions, horizon, is_proved: false, reason })
    }

    fn on_play(&mut self, view: &View, meter: &mut Meter) -> Option<Advice> {
        let story = Story::of(view)?;
        let planner = self.planner_for(view.rules(), story.hands)?;
        let seat = story.now.to_act();
        let branches = story.now.branches(&planner.cards);
        let index = |action: Action| {
            branches
                .iter()
                .position(|branch| story.now.action(&planner.cards, branch.act) == action)
        };
        let legal = view.legal_actions();
        let of: Vec<usize> = legal.iter().map(|action| index(*action)).collect::<Option<_>>()?;
        let own = bits(story.now.types_or_none(seat)).position(|t| t == story.own)?;
        if let Ok(Some(best)) = with_part(meter, |part| proved(planner, &story, part)) {
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
                reason: "what lies face down makes no difference any more with best play"
                    .to_owned(),
            });
        }
        let plan = planner.plan(&story.steps, &story.now, meter);
        let actions = legal.iter().zip(&of).map(|(action, i)| AdvisedAction {
            action: *action,
            chance: plan.chances[*i][own],
            expected: plan.values.as_ref().map(|values| values[*i][own]),
        });
        let actions = purified(actions.collect());
        let horizon = plan.horizon.and_then(|moves| u8::try_from(moves).ok());
        let reason = solved_reason(
            plan.horizon,
            plan.gap,
            "to the end of the game, given what is believed of the card face down",
        );
        Some(Advice { actions, horizon, is_proved: false, reason })
    }

    /// With too many cards, or without time: each card that may lie there in turn as if it were shown.
    fn as_if_shown(&mut self, view: &View, budget: &Budget) -> Option<Advice> {
        let Viewer::Seat(seat) = view.viewer() else { return None };
        let counsel = self.solver.counsel(view, budget)?;
        // In the move with a repeated card all others are played, so both know what lies face down.
        let is_known = view.moves() + 1 == view.rules().hand_size();
        let exact = |action: &CounselledAction| action.worst.exact().filter(|_| is_known);
        let is_exact = counsel.actions.iter().all(|action| exact(action).is_some());
        let actions = counsel.actions.iter().map(|action| AdvisedAction {
            action: action.action,
            chance: if action.action == counsel.choice { 1.0 } else { 0.0 },
            expected: exact(action).map(|value| value.for_seat(seat).into()),
        });
        let reason = if is_exact {
            "nothing is hidden any more"
        } else {
            "it has the best worst case if the card face down were shown"
        };
        Some(Advice {
            actions: actions.collect(),
            horizon: (!is_exact).then_some(0),
            is_proved: is_exact,
            reason: reason.to_owned(),
        })
    }

    /// The planner of a deal: what it has solved is kept.
    fn planner_for(
        &mut self,
        rules: &Arc<RuleSet>,
        hands: BySeat<CardSet>,
    ) -> Option<&mut Planner> {
        if !self.planner.as_ref().is_some_and(|planner| planner.cards.are(rules, hands)) {
            let care = Care {
                nodes: self.strength.nodes,
                visits: 100 * self.strength.nodes as u64,
                gap: 0.1,
                model: Model { temperature: self.strength.temperature.max(0.01) },
            };
            self.planner = Some(Planner::new(Arc::new(Cards::new(rules, hands)?), care));
        }
        self.planner.as_mut()
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

/// Below this an action of a solution is not meant, only not yet quite given up.
const UNMEANT: f64 = 0.02;

/// The chances without those that are not meant.
fn purified(mut actions: Vec<AdvisedAction>) -> Vec<AdvisedAction> {
    let most = actions.iter().map(|action| action.chance).fold(0.0, f64::max);
    let meant = |chance: f64| if chance >= UNMEANT.min(most) { chance } else { 0.0 };
    let total: f64 = actions.iter().map(|action| meant(action.chance)).sum();
    let count = actions.len();
    for action in &mut actions {
        action.chance = if total > 0.0 { meant(action.chance) / total } else { share(count) };
    }
    actions
}

/// An equal share for each of so many, at most 255.
fn share(count: usize) -> f64 {
    1.0 / f64::from(u8::try_from(count).unwrap_or(u8::MAX).max(1))
}

fn solved_reason(horizon: Option<u32>, gap: f64, to_the_end: &str) -> String {
    match horizon {
        None => format!("solved {to_the_end}, within {gap:.2} points"),
        Some(0) => "it looks best if the card face down were shown".to_owned(),
        Some(1) => "solved one move ahead with what is believed of the card face down".to_owned(),
        Some(moves) => {
            format!("solved {moves} moves ahead with what is believed of the card face down")
        }
    }
}

/// Where neither player loses anything by not knowing what the other hides: what is best whatever that is. `None` where
/// that is not so.
fn proved(
    planner: &mut Planner,
    story: &Story,
    meter: &mut Meter,
) -> Result<Option<Vec<Act>>, Spent> {
    let (now, seat) = (&story.now, story.now.to_act());
    let cards = Arc::clone(&planner.cards);
    for other in bits(now.types_or_none(!seat)) {
        if !is_nothing(planner, now, !seat, other, meter)? {
            return Ok(None);
        }
    }
    if !is_nothing(planner, now, seat, story.own, meter)? {
        return Ok(None);
    }
    let mut regret = Regret::against_open(&cards, now, seat, story.own);
    let branches = regret.of_branches(now, meter)?;
    let best = branches.into_iter().filter(|(_, regret)| *regret <= 0);
    Ok(Some(best.map(|(branch, _)| branch.act).collect()))
}

/// Whether a seat of this type loses nothing by not knowing the other's. Of many cards only the quick bound is asked.
fn is_nothing(
    planner: &mut Planner,
    spot: &Spot,
    seat: Seat,
    own: u32,
    meter: &mut Meter,
) -> Result<bool, Spent> {
    let cards = Arc::clone(&planner.cards);
    if spot.held.first.count_ones() > 8 {
        return Ok(false);
    }
    Ok(planner.secured.regret(&cards, spot, seat, own, meter)? == 0
        || Regret::against_open(&cards, spot, seat, own).of(spot, meter)? <= 0)
}
