//! One look at every deal of a solved game: its value, its best line, and what each first lead is worth.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use overmate_rules::{
    Action, BySeat, Card, Deal, Dealt, Foreplaced, Mate, Outcome, Phase, Position, RuleSet, Seat,
};
use overmate_solver::{DealFacts, Progress, WholeGame, WholeOptions};
use rayon::prelude::*;

/// Everything that is looked up for a rule set.
pub(crate) struct Survey {
    pub(crate) whole: WholeGame,
    pub(crate) facts: Vec<DealFacts>,
    pub(crate) deals: Vec<Played>,
}

/// A deal as it is played best. Among equally good actions it is the first in canonical order, as in the
/// best line of `overmate solve`.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) number: u64,
    pub(crate) value: i32,
    pub(crate) foreplaced: BySeat<Option<Card>>,
    /// Moves begun.
    pub(crate) moves: u8,
    pub(crate) mate: Option<Mate>,
    /// The value for *first* of each first lead, after that foreplacing, in canonical order.
    pub(crate) leads: Vec<(Card, i32)>,
}

impl Played {
    /// How many first leads are perfect.
    pub(crate) fn perfect_leads(&self) -> usize {
        self.leads.iter().filter(|(_, value)| *value == self.value).count()
    }

    /// What the least bad of the other leads costs, if there is one.
    pub(crate) fn next_best_costs(&self) -> Option<i32> {
        let others = self.leads.iter().filter(|(_, value)| *value < self.value);
        others.map(|(_, value)| self.value - value).min()
    }

    /// What a lead costs.
    pub(crate) fn cost(&self, card: Card) -> Option<i32> {
        let lead = self.leads.iter().find(|(lead, _)| *lead == card)?;
        Some(self.value - lead.1)
    }
}

impl Survey {
    /// Solves a rule set and looks at every deal.
    pub(crate) fn of(rules: &Arc<RuleSet>) -> Result<Self> {
        let whole = WholeGame::solve(rules, WholeOptions::default(), &Progress::default())
            .with_context(|| format!("cannot solve {}", rules.name()))?;
        let facts = whole.deal_facts();
        let deals: Result<Vec<Played>> = (0..Dealt::count(rules))
            .into_par_iter()
            .map(|number| played(&whole, number).with_context(|| format!("deal {number}")))
            .collect();
        let deals = deals.with_context(|| format!("cannot play {}", rules.name()))?;
        for (deal, facts) in deals.iter().zip(&facts) {
            anyhow::ensure!(
                deal.value == facts.value_for_first.points(),
                "{}: two values for deal {}",
                rules.name(),
                deal.number
            );
        }
        Ok(Self { whole, facts, deals })
    }

    pub(crate) fn rules(&self) -> &Arc<RuleSet> {
        self.whole.rules()
    }

    /// The same deal with the hands exchanged: its number counts from the other end.
    pub(crate) fn mirrored(&self, deal: &Played) -> &Played {
        let place = usize::try_from(deal.number).unwrap_or_default();
        &self.deals[self.deals.len() - 1 - place]
    }
}

/// The value of a position of this game.
pub(crate) fn value(whole: &WholeGame, position: &Position) -> Result<i32> {
    let value = whole.value_for_first(position).context("a position of another rule set")?;
    Ok(value.points())
}

/// The first of the best actions, and the position after it; `None` if the game is over.
pub(crate) fn best(
    whole: &WholeGame,
    position: &Position,
    value_now: i32,
) -> Result<Option<(Action, Position)>> {
    for action in position.legal_actions() {
        let next = position.play(action)?;
        if value(whole, &next)? == value_now {
            return Ok(Some((action, next)));
        }
    }
    Ok(None)
}

/// The best line from a position, and where it ends.
pub(crate) fn line(whole: &WholeGame, start: &Position) -> Result<(Vec<Action>, Position)> {
    let value = value(whole, start)?;
    let (mut actions, mut position) = (Vec::new(), start.clone());
    while let Some((action, next)) = best(whole, &position, value)? {
        actions.push(action);
        position = next;
    }
    Ok((actions, position))
}

/// The position in which a deal begins.
pub(crate) fn start(rules: &Arc<RuleSet>, number: u64) -> Result<Position> {
    Ok(Position::start(&Deal::numbered(rules, number)?))
}

fn played(whole: &WholeGame, number: u64) -> Result<Played> {
    let mut position = start(whole.rules(), number)?;
    let value = value(whole, &position)?;
    while matches!(position.phase(), Phase::Foreplacing(_)) {
        position = best(whole, &position, value)?.context("nothing keeps the value")?.1;
    }
    let leads = leads(whole, &position)?;
    let (_, end) = line(whole, &position)?;
    let outcome = end.outcome().context("the best line has no end")?;
    anyhow::ensure!(outcome.points_for_first() == value, "the best line ends with other points");
    let card = |what: Foreplaced| match what {
        Foreplaced::Card(card) => Some(card),
        _ => None,
    };
    let mate = if let Outcome::Mate(mate) = outcome { Some(mate) } else { None };
    Ok(Played {
        number,
        value,
        foreplaced: BySeat::new_with(|seat| card(end.foreplaced(seat))),
        moves: mate.map_or(end.moves(), |mate| mate.move_number),
        mate,
        leads,
    })
}

/// What each card that can be led is worth; a card that can be led in two ways counts by the better one.
fn leads(whole: &WholeGame, position: &Position) -> Result<Vec<(Card, i32)>> {
    let seat = position.to_act().unwrap_or(Seat::First);
    let mut leads: Vec<(Card, i32)> = Vec::new();
    for action in position.legal_actions() {
        let worth = value(whole, &position.play(action)?)?;
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
