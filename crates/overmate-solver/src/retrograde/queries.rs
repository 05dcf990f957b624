//! Proves bounds on the values of large positions by null-window queries, each of which is a retrograde analysis with a bit for each
//! position.

use std::sync::Arc;
use std::time::{Duration, Instant};

use overmate_rules::{BySeat, CardSet, RuleSet, Seat};

use super::cells::{AnswerBits, Cells};
use super::points::wanted;
use super::suit_layers::{SuitPlan, Workspace};
use super::wanted::WantedPosition;
use crate::budget::{BudgetExhausted, Meter};
use crate::deal::action_tree::ActionTree;
use crate::deal::cards::DealCards;
use crate::value::{Value, ValueForFirst};

/// Time in picoseconds for one position on one thread in a null-window query. Measurements with whole deals of 48 cards and AVX2 gave
/// 1,300 ps on an idle machine. An estimate that is too long would leave large deals without any query.
const PICOS_A_POSITION: u64 = 1_500;

/// Null-window queries about the values of action trees: whether seat *first* gets at least a given number of points. A query takes an
/// eighth of the memory of a retrograde analysis that computes the points.
pub(crate) struct Queries {
    plan: SuitPlan,
    wanted: Vec<WantedPosition>,
    /// Seat that chooses between the action trees.
    seat: Seat,
    trees: Vec<ActionTree>,
    /// All possible points of the action trees for seat *first*, in ascending order.
    scores: Vec<i32>,
    /// Proved bounds on the points of each action tree for seat *first*.
    bounds: Vec<(i32, i32)>,
    workspace: Option<Workspace>,
}

impl Queries {
    /// Plans queries about action trees, all of which must be reachable from the given hands. `seat` chooses between them. Returns `None`
    /// if an analysis by blocks does not apply to the rules or the positions.
    pub(crate) fn new(
        rules: &Arc<RuleSet>,
        hands: BySeat<CardSet>,
        seat: Seat,
        trees: Vec<ActionTree>,
    ) -> Option<Self> {
        let cards = DealCards::of_hands(rules, hands);
        let wanted = wanted(rules, &cards, &ActionTree::leads_of(&trees))?;
        let plan = SuitPlan::new(rules, &cards, &wanted, AnswerBits::POSITIONS_A_BYTE)?;
        let mut scores = vec![0];
        scores.extend(plan.scores().iter().flat_map(|score| [*score, -score]));
        for tree in &trees {
            tree.outcomes(&mut scores);
        }
        scores.sort_unstable();
        scores.dedup();
        let bounds = vec![(*scores.first()?, *scores.last()?); trees.len()];
        Some(Self { plan, wanted, seat, trees, scores, bounds, workspace: None })
    }

    /// Returns whether a query fits the memory and the time of a budget.
    pub(crate) fn is_affordable(&self, meter: &Meter) -> bool {
        let fits = |left: Duration| self.time(meter) <= left;
        let scratch = self.plan.scratch_bytes().saturating_mul(meter.threads() as u64);
        self.plan.bytes().saturating_add(scratch) <= meter.memory()
            && meter.time_left().is_none_or(fits)
    }

    /// Estimates the duration of a query with the threads of a budget.
    pub(crate) fn time(&self, meter: &Meter) -> Duration {
        let picos = self.plan.positions().saturating_mul(PICOS_A_POSITION);
        Duration::from_nanos(picos / 1_000 / meter.threads() as u64)
    }

    /// Takes over bounds on the only action tree that are already proved, as far as they are possible scores.
    pub(crate) fn note(&mut self, value: Value) {
        let possible =
            |score: &&i32| (value.at_least().points()..=value.at_most().points()).contains(score);
        let first = self.scores.iter().find(possible);
        let last = self.scores.iter().rfind(possible);
        if let (Some(at_least), Some(at_most), [bounds]) = (first, last, &mut *self.bounds) {
            *bounds = (*at_least, *at_most);
        }
    }

    /// Bisects the window of the best tree by queries, and then those of the other trees, as long as the budget suffices. Returns the
    /// proved bounds on the value of each tree.
    pub(crate) fn values(&mut self, meter: &mut Meter) -> Vec<Value> {
        let mut time = self.time(meter);
        while meter.check().is_ok()
            && meter.time_left().is_none_or(|left| time <= left)
            && let Some(asked) = self.next_query()
        {
            let start = meter.time_left().map(|_| Instant::now());
            if self.ask(asked, meter).is_err() {
                break;
            }
            time = start.map_or(time, |start| start.elapsed());
        }
        let points = ValueForFirst::new;
        let value = |&(low, high): &(i32, i32)| Value::between(points(low), points(high));
        self.bounds.iter().map(value).collect()
    }

    /// Returns the score for the next query: the score nearest to the middle of the window of the best tree, or if this window has only one
    /// score, of the widest window. Returns `None` if all values are exact.
    fn next_query(&self) -> Option<i32> {
        let (lows, highs) =
            (self.bounds.iter().map(|bounds| bounds.0), self.bounds.iter().map(|bounds| bounds.1));
        let best = match self.seat {
            Seat::First => (lows.max()?, highs.max()?),
            Seat::Second => (lows.min()?, highs.min()?),
        };
        let widest = *self.bounds.iter().max_by_key(|(low, high)| high - low)?;
        let (low, high) = if best.0 < best.1 { best } else { widest };
        // An answer leaves the window from `low` to the score below the asked score, or the window from the asked score to `high`.
        let inside = self.scores.iter().copied().filter(|&score| low < score && score <= high);
        inside.min_by_key(|score| (2 * score - low - high).abs())
    }

    /// Asks whether seat *first* gets at least `asked` points, and narrows the bounds of all trees.
    fn ask(&mut self, asked: i32, meter: &Meter) -> Result<(), BudgetExhausted> {
        if self.workspace.is_none() {
            self.workspace = Some(self.plan.workspace()?);
        }
        let Some(workspace) = &mut self.workspace else { return Err(BudgetExhausted) };
        let answers = self.plan.first_gets(asked, &self.wanted, workspace, meter)?;
        let below =
            self.scores.iter().rfind(|score| **score < asked).map_or(asked - 1, |score| *score);
        let mut answers = answers.into_iter();
        for (tree, (at_least, at_most)) in self.trees.iter().zip(&mut self.bounds) {
            // The points of a lead position stand for its answer, so that the points of the tree tell the answer for its root.
            let mut of_lead = |_: &_| if answers.next() == Some(true) { asked } else { asked - 1 };
            if tree.points_for_first(&mut of_lead) >= asked {
                *at_least = asked.max(*at_least);
            } else {
                *at_most = below.min(*at_most);
            }
        }
        Ok(())
    }
}
