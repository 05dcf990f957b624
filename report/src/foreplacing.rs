//! Computes the points that each seat gains by foreplacing, and the best cards to foreplace.

use anyhow::Result;
use overmate_rules::{Action, Card, Phase, Position, Seat};
use rayon::prelude::*;
use serde::Serialize;

use crate::numbers::Mean;
use crate::survey::{SolvedDeals, best, start, value};

/// Foreplacing statistics of both seats over all deals of a rule set.
#[derive(Serialize)]
pub(crate) struct ForeplacingStatistics {
    pub(crate) first: Choices,
    /// Foreplacing statistics of seat *second*, after seat *first* has made a best choice.
    pub(crate) second: Choices,
}

/// Foreplacing statistics of one seat over all deals of a rule set.
#[derive(Clone, Default, Serialize)]
pub(crate) struct Choices {
    /// Number of deals in which declining to foreplace loses points.
    pub(crate) must: u32,
    /// Number of deals in which declining to foreplace is a mistake, and exactly one card is a best choice for foreplacing.
    pub(crate) only_one: u32,
    /// Mean number of points lost by declining to foreplace, over all deals.
    pub(crate) declining_costs: Mean,
    /// Mean number of points lost by declining to foreplace, over the deals in which declining is a mistake.
    pub(crate) declining_costs_then: Mean,
    /// Mean number of points lost by foreplacing a card chosen at random, over all deals.
    pub(crate) random_card_costs: Mean,
    /// Number of deals in which every choice of a card to foreplace loses points.
    pub(crate) must_not: u32,
    /// Number of deals in which all foreplacing choices are equally good: each card, and declining.
    pub(crate) indifferent: u32,
    pub(crate) cards: Vec<ChoiceOfCard>,
}

/// Statistics of how often foreplacing a given card is possible, a best choice, or the only best choice. They count only deals in which
/// declining to foreplace is a mistake.
#[derive(Clone, Default, Serialize)]
pub(crate) struct ChoiceOfCard {
    pub(crate) card: String,
    /// Number of deals in which a seat may foreplace a given card, and declining to foreplace is a mistake.
    pub(crate) could: u32,
    /// Number of deals in which foreplacing a given card is a best choice, and declining to foreplace is a mistake.
    pub(crate) right: u32,
    /// Number of deals in which foreplacing a given card is the only best choice.
    pub(crate) only: u32,
}

impl ForeplacingStatistics {
    /// Computes the foreplacing statistics over all deals of a solved rule set. Returns `None` for
    /// a rule set without foreplacing.
    pub(crate) fn of(survey: &SolvedDeals) -> Result<Option<Self>> {
        if survey.rules().foreplacing().is_none() {
            return Ok(None);
        }
        let options: Result<Vec<[ChoiceCosts; 2]>> =
            survey.deals.par_iter().map(|deal| of_deal(survey, deal.number, deal.value)).collect();
        let options = options?;
        let gather = |seat: usize| gather(survey, options.iter().map(|both| &both[seat]));
        Ok(Some(Self { first: gather(0), second: gather(1) }))
    }
}

/// Foreplacing choices (`None` for declining), each with the points that are lost against best play.
pub(crate) type ChoiceCosts = Vec<(Option<Card>, i32)>;

/// Returns the points that each foreplacing choice in a deal loses: for *first*, and for *second* after a best choice
/// by *first*.
pub(crate) fn of_deal(survey: &SolvedDeals, number: u64, worth: i32) -> Result<[ChoiceCosts; 2]> {
    let position = start(survey.rules(), number)?;
    let first = options(survey, &position, worth)?;
    let second = match best(&survey.whole, &position, worth)? {
        Some((_, next)) => options(survey, &next, worth)?,
        None => Vec::new(),
    };
    Ok([first, second])
}

fn options(survey: &SolvedDeals, position: &Position, worth: i32) -> Result<ChoiceCosts> {
    let Phase::Foreplacing(seat) = position.phase() else { return Ok(Vec::new()) };
    let sign = if seat == Seat::First { 1 } else { -1 };
    let cost = |action: Action| {
        let after = value(&survey.whole, &position.clone().play(action)?)?;
        Ok((action.card(), (worth - after) * sign))
    };
    position.legal_actions().map(cost).collect()
}

fn gather<'a>(survey: &SolvedDeals, all: impl Iterator<Item = &'a ChoiceCosts>) -> Choices {
    let deck = survey.rules().deck();
    let cards: Vec<Card> = deck.distinct(deck.all()).collect();
    let mut choices = Choices {
        cards: cards
            .iter()
            .map(|card| ChoiceOfCard {
                card: deck.card_text(*card).to_string(),
                ..ChoiceOfCard::default()
            })
            .collect(),
        ..Choices::default()
    };
    for options in all {
        let declining =
            options.iter().find(|(card, _)| card.is_none()).map_or(0, |(_, cost)| *cost);
        choices.declining_costs.add(declining);
        let cards_of = || options.iter().filter_map(|(card, cost)| Some(((*card)?, *cost)));
        choices.random_card_costs.extend(cards_of().map(|(_, cost)| cost));
        choices.must_not += u32::from(cards_of().all(|(_, cost)| cost > 0));
        choices.indifferent += u32::from(options.iter().all(|(_, cost)| *cost == 0));
        if declining == 0 {
            continue;
        }
        let right = cards_of().filter(|(_, cost)| *cost == 0).count();
        choices.must += 1;
        choices.only_one += u32::from(right == 1);
        choices.declining_costs_then.add(declining);
        for (card, cost) in cards_of() {
            let place = cards.iter().position(|known| *known == card).unwrap_or_default();
            let entry = &mut choices.cards[place];
            entry.could += 1;
            entry.right += u32::from(cost == 0);
            entry.only += u32::from(cost == 0 && right == 1);
        }
    }
    choices
}
