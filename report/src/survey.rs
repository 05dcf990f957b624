//! Collects the value, the values of the first leads, and the principal variation of every deal of a solved rule set.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use overmate_rules::{
    Action, BySeat, Card, Deal, Dealt, Foreplaced, Mate, Outcome, Phase, Position, RuleSet, Seat,
};
use overmate_solver::Progress;
use overmate_solver::whole::{DealFacts, WholeGame, WholeOptions};
use rayon::prelude::*;

/// Solved rule set: the value, the values of the first leads, and the principal variation of every deal.
pub(crate) struct SolvedDeals {
    pub(crate) whole: WholeGame,
    pub(crate) facts: Vec<DealFacts>,
    pub(crate) deals: Vec<PlayedDeal>,
}

/// Deal with its value, the values of its first leads, and its principal variation. Ties go to the first action in canonical order, as in
/// `overmate solve`.
#[derive(Clone, Debug)]
pub(crate) struct PlayedDeal {
    pub(crate) number: u64,
    pub(crate) value: i32,
    pub(crate) foreplaced: BySeat<Option<Card>>,
    /// Number of moves in the principal variation. A last move that mates counts too.
    pub(crate) moves: u8,
    pub(crate) mate: Option<Mate>,
    /// Value for seat *first* of each legal first lead, in points, after best foreplacing by both seats. The leads are in canonical order.
    pub(crate) leads: Vec<(Card, i32)>,
}

impl PlayedDeal {
    /// Returns the number of first leads of a deal that lose no points.
    pub(crate) fn perfect_leads(&self) -> usize {
        self.leads.iter().filter(|(_, value)| *value == self.value).count()
    }

    /// Returns the points that the leader loses by the least costly mistake in the first lead, or `None` if no lead loses points.
    pub(crate) fn next_best_costs(&self) -> Option<i32> {
        let others = self.leads.iter().filter(|(_, value)| *value < self.value);
        others.map(|(_, value)| self.value - value).min()
    }

    /// Returns the points that the leader loses by choosing `card` as the first lead, or `None` for a card that cannot be led.
    pub(crate) fn cost(&self, card: Card) -> Option<i32> {
        let lead = self.leads.iter().find(|(lead, _)| *lead == card)?;
        Some(self.value - lead.1)
    }
}

impl SolvedDeals {
    /// Solves all deals of a rule set, and follows the principal variation of each deal.
    pub(crate) fn of(rules: &Arc<RuleSet>) -> Result<Self> {
        let whole = WholeGame::solve(rules, WholeOptions::default(), &Progress::default())
            .with_context(|| format!("cannot solve the rule set {}", rules.name()))?;
        let facts = whole.deal_facts();
        let deals: Result<Vec<PlayedDeal>> = (0..Dealt::count(rules))
            .into_par_iter()
            .map(|number| {
                played(&whole, number).with_context(|| {
                    format!("cannot follow the principal variation of deal {number}")
                })
            })
            .collect();
        let deals = deals.with_context(|| {
            format!("cannot compute the statistics of the deals of the rule set {}", rules.name())
        })?;
        for (deal, facts) in deals.iter().zip(&facts) {
            anyhow::ensure!(
                deal.value == facts.value_for_first.points(),
                "the solver contradicts itself: two computations under {} give different values for deal {}",
                rules.name(),
                deal.number
            );
        }
        Ok(Self { whole, facts, deals })
    }

    pub(crate) fn rules(&self) -> &Arc<RuleSet> {
        self.whole.rules()
    }

    /// Returns the solved deal that results when the two hands of a deal are exchanged.
    pub(crate) fn mirrored(&self, deal: &PlayedDeal) -> &PlayedDeal {
        let place = usize::try_from(deal.number).unwrap_or_default();
        &self.deals[self.deals.len() - 1 - place]
    }
}

/// Returns the value of a position for seat *first* under best play, in points.
pub(crate) fn value(whole: &WholeGame, position: &Position) -> Result<i32> {
    let value = whole
        .value_for_first(position)
        .context("the position does not belong to the solved rule set")?;
    Ok(value.points())
}

/// Returns the first legal action that keeps the value of a position, with the position after that action. Returns
/// `None` if the game is over.
pub(crate) fn best(
    whole: &WholeGame,
    position: &Position,
    value_now: i32,
) -> Result<Option<(Action, Position)>> {
    for action in position.legal_actions() {
        let next = position.clone().play(action)?;
        if value(whole, &next)? == value_now {
            return Ok(Some((action, next)));
        }
    }
    Ok(None)
}

/// Returns the actions of the principal variation from `start`, with the final position.
pub(crate) fn line(whole: &WholeGame, start: &Position) -> Result<(Vec<Action>, Position)> {
    let value = value(whole, start)?;
    let (mut actions, mut position) = (Vec::new(), start.clone());
    while let Some((action, next)) = best(whole, &position, value)? {
        actions.push(action);
        position = next;
    }
    Ok((actions, position))
}

/// Returns the outcome of the game in the last position of a principal variation.
///
/// # Errors
///
/// Returns an error if the game has not ended in the position `end`.
pub(crate) fn outcome(end: &Position) -> Result<Outcome> {
    end.outcome().context(
        "the solver contradicts itself: the principal variation stops before the end of the game",
    )
}

/// Returns the initial position of the deal with a given deal number.
pub(crate) fn start(rules: &Arc<RuleSet>, number: u64) -> Result<Position> {
    Ok(Position::start(&Deal::numbered(rules, number)?))
}

fn played(whole: &WholeGame, number: u64) -> Result<PlayedDeal> {
    let mut position = start(whole.rules(), number)?;
    let value = value(whole, &position)?;
    while matches!(position.phase(), Phase::Foreplacing(_)) {
        position = best(whole, &position, value)?
            .context(
                "the solver contradicts itself: no legal action reaches the value of the position",
            )?
            .1;
    }
    let leads = leads(whole, &position)?;
    let (_, end) = line(whole, &position)?;
    let outcome = outcome(&end)?;
    anyhow::ensure!(
        outcome.points_for_first() == value,
        "the solver contradicts itself: the points at the end of the principal variation differ from the value of the deal"
    );
    let card = |what: Foreplaced| match what {
        Foreplaced::Card(card) => Some(card),
        Foreplaced::Undecided | Foreplaced::Nothing | Foreplaced::FaceDown => None,
    };
    let mate = if let Outcome::Mate(mate) = outcome { Some(mate) } else { None };
    Ok(PlayedDeal {
        number,
        value,
        foreplaced: BySeat::new_with(|seat| card(end.foreplaced(seat))),
        moves: mate.map_or(end.moves(), |mate| mate.move_number),
        mate,
        leads,
    })
}

/// Returns the value for seat *first*, in points, of each legal lead. A card that can be led in two ways has the value of the better way.
fn leads(whole: &WholeGame, position: &Position) -> Result<Vec<(Card, i32)>> {
    let seat = position.to_act().unwrap_or(Seat::First);
    let mut leads: Vec<(Card, i32)> = Vec::new();
    for action in position.legal_actions() {
        let worth = value(whole, &position.clone().play(action)?)?;
        let Some(card) = action.card() else { continue };
        match leads.last_mut() {
            Some((last, known)) if *last == card => {
                let better = worth * seat.sign_for_first() > *known * seat.sign_for_first();
                *known = if better { worth } else { *known };
            }
            _ => leads.push((card, worth)),
        }
    }
    Ok(leads)
}
