//! How far players can be exploited, on decks small enough to know it exactly.

use std::fmt;
use std::sync::Arc;

use overmate_rules::{DealSource, Position, RuleSet, Seat, SeededDeals};
use overmate_solver::Budget;

use crate::hidden::baseline::Baseline;
use crate::hidden::belief::Model;
use crate::hidden::cards::Cards;
use crate::hidden::cfr::{Effort, solve};
use crate::hidden::graded::Grades;
use crate::hidden::grow::{Grower, Grown, Reach};
use crate::hidden::mind::{Mind, purify};
use crate::hidden::plan::{BEFORE, Care, Planner};
use crate::hidden::response::{Strategy, best_responses, outcomes};
use crate::hidden::secure::Secured;
use crate::hidden::spot::{Branch, Next, Spot};
use crate::hidden::tree::{Edge, What, as_slot};
use crate::level::bot::Level;

/// How far players can be exploited who play one rule set.
#[derive(Clone, PartialEq, Debug)]
pub struct ExploitabilityReport {
    /// The rule set.
    pub rules: Arc<RuleSet>,
    /// How many deals were measured.
    pub deals: u32,
    /// The players: levels, who take the card as shown, searches with less and with more room, the solution.
    pub players: Vec<Exploited>,
}

/// What a player loses.
#[derive(Clone, PartialEq, Debug)]
pub struct Exploited {
    /// Which player.
    pub player: String,
    /// Points a game that the best response to him gets beyond the value of the game, on average over the deals; 0
    /// and up.
    pub loses_as_first: f64,
    /// The same where he is *second*.
    pub loses_as_second: f64,
    /// The points a game, on average over deals and seats, that he gets against the exact solution: 0 at most, as
    /// values cancel out.
    pub against_solution: f64,
    /// The same against level 5, which the perfect player takes a stranger for: points a game beyond its value.
    pub against_level: f64,
}

impl fmt::Display for ExploitabilityReport {
    /// A Markdown table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| player | loses as first | loses as second | against the solution | against level 5 |"
        )?;
        writeln!(f, "|---|---:|---:|---:|---:|")?;
        for row in &self.players {
            let Exploited { player, loses_as_first, loses_as_second, .. } = row;
            let Exploited { against_solution, against_level, .. } = row;
            // No minus before a zero.
            let plain = |points: &f64| if points.abs() < 0.005 { 0.0 } else { *points };
            let [against, against_level] = [against_solution, against_level].map(plain);
            writeln!(
                f,
                "| {player} | {loses_as_first:.2} | {loses_as_second:.2} | {against:.2} | {against_level:.2} |"
            )?;
        }
        Ok(())
    }
}

/// `denexa` with the highest suits and ranks of its deck alone: small enough to be solved to the end with a hidden card.
/// `None` if the deck would be too small or have an odd number of cards.
#[must_use]
pub fn small_denexa(suits: u8, ranks: u8) -> Option<Arc<RuleSet>> {
    let mut draft = RuleSet::named("denexa").ok()?.draft();
    draft.name = format!("denexa with {suits} suits of {ranks} ranks");
    draft.suits.truncate(suits.into());
    draft.ranks.truncate(ranks.into());
    draft.cards.retain(|card| card.suit.0 < suits && card.rank.0 < ranks);
    Some(RuleSet::new(draft).ok()?.shared())
}

/// Whom the perfect player takes a stranger for.
const STRANGER: Level = Level::MIDDLE;

/// The players that are measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Measured {
    Baseline(Baseline),
    Level(Level),
    /// The solution of the whole game.
    Solution,
    /// The perfect player where the whole game is too large for him: trees of so many nodes.
    Limited(usize),
    /// The perfect player as he meets a stranger.
    Perfect,
}

/// Exploitability on the first deals of a seed, of a rule set with a deck of at most 14 cards, of which cards are
/// foreplaced face down.
///
/// Each player's strategy is written down for every information set of the game, foreplacing included, and the best
/// response to it worked out. With 12 cards that takes about a second a deal.
#[must_use]
pub fn exploitability_report(rules: &Arc<RuleSet>, deals: u32, seed: u64) -> ExploitabilityReport {
    let levels: Vec<Level> = Level::all().filter(|level| level.get() % 2 == 1).collect();
    let named = |(name, measured): (&str, Measured)| (name.to_owned(), measured);
    let baselines = [
        ("sampling the hidden card", Measured::Baseline(Baseline::Sampling)),
        ("worst case over the hidden card", Measured::Baseline(Baseline::WorstCase)),
    ];
    let solving = [
        ("search limited to 200 nodes", Measured::Limited(200)),
        ("search limited to 2,000 nodes", Measured::Limited(2000)),
        ("search limited to 20,000 nodes", Measured::Limited(20_000)),
        ("`perfect`", Measured::Perfect),
        ("solution", Measured::Solution),
    ];
    let of_levels = levels.iter().map(|l| (format!("level {}", l.get()), Measured::Level(*l)));
    let measured: Vec<(String, Measured)> = of_levels
        .chain(baselines.into_iter().map(named))
        .chain(solving.into_iter().map(named))
        .collect();
    let mut players: Vec<Exploited> = measured
        .iter()
        .map(|(player, _)| Exploited {
            player: player.clone(),
            loses_as_first: 0.0,
            loses_as_second: 0.0,
            against_solution: 0.0,
            against_level: 0.0,
        })
        .collect();
    let mut source = SeededDeals::new(seed);
    let mut measured_deals = 0;
    for _ in 0..deals {
        let dealt = source.next_deal(rules);
        let Some(cards) = Cards::new(rules, dealt.hands()) else { continue };
        let cards = Arc::new(cards);
        let mut meter = Budget::unlimited().start();
        let mut secured = Secured::default();
        let mut grower = Grower { cards: &cards, secured: &mut secured, prunes: false };
        let Ok(grown) = grower.grow_game(Reach::whole(20_000_000), &mut meter) else { continue };
        let solution =
            solve(&grown.tree, &BEFORE, 0.0, None, Effort { gap: 0.02, rounds: 2000 }, &mut meter);
        let Some(grades) = Grades::new(&cards, Position::start(rules, &dealt), &levels) else {
            continue;
        };
        measured_deals += 1;
        let of_level = grades.strategy(STRANGER, &grown);
        for (row, (_, measured)) in players.iter_mut().zip(&measured) {
            let strategy = match measured {
                Measured::Baseline(baseline) => baseline.strategy(&cards, &grown),
                Measured::Level(level) => grades.strategy(*level, &grown),
                Measured::Solution => solution.strategy.clone(),
                Measured::Limited(nodes) => planned(&cards, &grown, limited(*nodes)),
                Measured::Perfect => {
                    purified(&grown, planned(&cards, &grown, Mind::care_for_stranger()))
                }
            };
            let best = best_responses(&grown.tree, &strategy, &BEFORE);
            row.loses_as_first += solution.points_for_first - best.second;
            row.loses_as_second += best.first - solution.points_for_first;
            for seat in Seat::BOTH {
                let value = solution.points_for_first * f64::from(seat.sign_for_first());
                let against = |other: &[f32]| {
                    let both = mixed(&grown, &strategy, other, seat);
                    let root = grown.tree.root();
                    outcomes(&grown.tree, &both, root, seat, &BEFORE[!seat])[0] - value
                };
                row.against_solution += against(&solution.strategy) / 2.0;
                row.against_level += against(&of_level) / 2.0;
            }
        }
    }
    for row in &mut players {
        let of_seats = [&mut row.loses_as_first, &mut row.loses_as_second];
        let of_games = [&mut row.against_solution, &mut row.against_level];
        for number in of_seats.into_iter().chain(of_games) {
            *number /= f64::from(measured_deals.max(1));
        }
    }
    ExploitabilityReport { rules: Arc::clone(rules), deals: measured_deals, players }
}

/// The strategy in which one seat does what the first says, and the other what the second says.
fn mixed(grown: &Grown, strategy: &[f32], other: &[f32], seat: Seat) -> Strategy {
    let mut both = other.to_vec();
    for node in 0..=grown.tree.root() {
        let What::Choice { seat: acts, edges, .. } = grown.tree.node(node).what else { continue };
        if acts == seat {
            for edge in grown.tree.edges(edges) {
                let slots =
                    edge.slots as usize..edge.slots as usize + grown.tree.before(*edge, seat).len();
                both[slots.clone()].copy_from_slice(&strategy[slots]);
            }
        }
    }
    both
}

/// Trees of so many nodes, and nothing expected of the other.
fn limited(nodes: usize) -> Care {
    Care {
        nodes,
        visits: 200 * nodes as u64,
        gap: 0.25,
        model: Model { temperature: 8.0 },
        reliance: 0.0,
        aim: None,
    }
}

/// What the planner does at every node.
fn planned(cards: &Arc<Cards>, grown: &Grown, care: Care) -> Strategy {
    let mut filler = Filler {
        planner: Planner::new(Arc::clone(cards), care),
        grown,
        strategy: vec![0.0; grown.tree.slots()],
    };
    filler.foreplacing();
    filler.strategy
}

/// A strategy without what is not meant, as it is played.
fn purified(grown: &Grown, mut strategy: Strategy) -> Strategy {
    for node in 0..=grown.tree.root() {
        let What::Choice { seat, edges, .. } = grown.tree.node(node).what else { continue };
        for own in 0..grown.tree.node(node).types[seat] {
            let slots_of = |edge: &Edge| {
                let before = grown.tree.before(*edge, seat).iter().enumerate();
                let of_own = before.filter(|(_, before)| **before == own);
                of_own.map(|(k, _)| edge.slots as usize + k).collect::<Vec<_>>()
            };
            let slots: Vec<usize> = grown.tree.edges(edges).iter().flat_map(slots_of).collect();
            let mut chances: Vec<f64> = slots.iter().map(|slot| strategy[*slot].into()).collect();
            purify(&mut chances);
            for (slot, chance) in slots.into_iter().zip(chances) {
                strategy[slot] = as_slot(chance);
            }
        }
    }
    strategy
}

struct Filler<'a> {
    planner: Planner,
    grown: &'a Grown,
    strategy: Strategy,
}

impl Filler<'_> {
    fn foreplacing(&mut self) {
        let Some(nodes) = self.grown.foreplacing else { return };
        let mut meter = Budget::unlimited().start();
        let picks = [
            (nodes.first, Seat::First, false),
            (nodes.second_after_none, Seat::Second, false),
            (nodes.second_after_card, Seat::Second, true),
        ];
        for (node, seat, first_hides) in picks {
            let What::Choice { edges, .. } = self.grown.tree.node(node).what else { continue };
            let edges = self.grown.tree.edges(edges);
            if let Some(plan) = self.planner.plan_foreplacing(seat, first_hides, &mut meter) {
                self.strategy[edges[0].slots as usize] = as_slot(plan.declines);
                let count = self.grown.tree.before(edges[1], seat).len();
                for k in 0..count {
                    self.strategy[edges[1].slots as usize + k] = as_slot(plan.cards[k]);
                }
            }
            if seat == Seat::Second {
                for edge in edges {
                    self.play(edge.to, &mut Vec::new());
                }
            }
        }
    }

    fn play(&mut self, node: u32, steps: &mut Vec<(Spot, Branch)>) {
        let Some(spot) = self.grown.spots[node as usize] else { return };
        let What::Choice { seat, edges, .. } = self.grown.tree.node(node).what else { return };
        let mut meter = Budget::unlimited().start();
        let plan = self.planner.plan(steps, &spot, &mut meter);
        let branches = &self.grown.branches[node as usize];
        for ((edge, branch), chances) in
            self.grown.tree.edges(edges).iter().zip(branches).zip(&plan.chances)
        {
            for (k, &i) in self.grown.tree.before(*edge, seat).iter().enumerate() {
                self.strategy[edge.slots as usize + k] = as_slot(chances[usize::from(i)]);
            }
            if let Next::Spot(_) = spot.after(&self.planner.cards, *branch) {
                steps.push((spot, *branch));
                self.play(edge.to, steps);
                steps.pop();
            }
        }
    }
}
