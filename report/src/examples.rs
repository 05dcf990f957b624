//! Selects example deals, such as the deals with the most extreme values, each with its principal variation.

use std::collections::BTreeMap;

use anyhow::Result;
use overmate_rules::{BASES, CardSet, Outcome, Phase, Position, Rank, Seat};
use serde::Serialize;

use crate::cards::card_points;
use crate::foreplacing;
use crate::leads::{RULES_OF_THUMB, chosen};
use crate::survey::{PlayedDeal, SolvedDeals, line, outcome, start};

/// Example deal of a rule set, with its value and its principal variation.
#[derive(Clone, Serialize)]
pub(crate) struct Example {
    pub(crate) rules: String,
    pub(crate) deal: u64,
    pub(crate) value: i32,
    pub(crate) command: String,
    pub(crate) first: String,
    pub(crate) second: String,
    /// Sums of the card values in the hands of *first* and *second*, in points.
    pub(crate) points: [u32; 2],
    pub(crate) line: String,
    /// Foreplacing actions at the beginning of the principal variation, in notation such as `(7c) -`.
    pub(crate) opening: String,
    /// Description of the end of the principal variation: a draw, or a mate with its score.
    pub(crate) end: String,
    pub(crate) moves: u8,
    pub(crate) foreplaced: [String; 2],
    /// First leads that lose no points in the example deal.
    pub(crate) best_leads: Vec<String>,
    /// Points lost by the least costly mistake in the first lead; 0 if no first lead loses points.
    pub(crate) next_best_costs: i32,
    /// Value for seat *first* after the hands of the example deal are exchanged, in points.
    pub(crate) mirrored: i32,
    pub(crate) mirrored_deal: u64,
    /// Values of the example deal for seat *first* under restricted foreplacing: if neither seat may foreplace, if *first* may not, and if
    /// *second* may not.
    pub(crate) if_may_not: [i32; 3],
    /// First lead that the first rule of thumb in [`RULES_OF_THUMB`] chooses for the example deal, in notation.
    pub(crate) thumb: String,
    pub(crate) thumb_costs: i32,
    /// Number of deals of the rule set with the property that the example illustrates, such as a win without an ace.
    pub(crate) of_kind: u32,
}

impl Example {
    pub(crate) fn of(survey: &SolvedDeals, deal: &PlayedDeal) -> Result<Self> {
        let rules = survey.rules();
        let deck = rules.deck();
        let begin = start(rules, deal.number)?;
        let (text, end) = line_text(survey, &begin)?;
        let hands = begin.hands();
        let facts = survey.facts[usize::try_from(deal.number)?];
        let named = if rules.name() == BASES[0].name {
            String::new()
        } else {
            format!(" --rules {}", rules.name())
        };
        let best = deal.leads.iter().filter(|(_, value)| *value == deal.value);
        let thumb = chosen(survey, deal, RULES_OF_THUMB[0].1);
        let card = |card| deck.card_text(card).to_string();
        Ok(Self {
            rules: rules.name().to_owned(),
            deal: deal.number,
            value: deal.value,
            command: format!("overmate solve {}{named}", deal.number),
            first: deck.cards_text(hands.first, " "),
            second: deck.cards_text(hands.second, " "),
            points: [card_points(rules, hands.first), card_points(rules, hands.second)],
            opening: text.split("1.").next().unwrap_or_default().trim().to_owned(),
            line: text,
            end: end_text(&end)?,
            moves: deal.moves,
            foreplaced: [deal.foreplaced.first, deal.foreplaced.second]
                .map(|taken| taken.map_or_else(String::new, card)),
            best_leads: best.map(|(lead, _)| card(*lead)).collect(),
            next_best_costs: deal.next_best_costs().unwrap_or_default(),
            mirrored: survey.mirrored(deal).value,
            mirrored_deal: survey.mirrored(deal).number,
            if_may_not: [facts.if_nobody_may, facts.if_first_may_not, facts.if_second_may_not]
                .map(overmate_solver::ValueForFirst::points),
            thumb: thumb.map_or_else(String::new, card),
            thumb_costs: thumb.and_then(|lead| deal.cost(lead)).unwrap_or_default(),
            of_kind: 1,
        })
    }
}

/// Formats the principal variation from a position. Returns the text and the final position.
fn line_text(survey: &SolvedDeals, begin: &Position) -> Result<(String, Position)> {
    let (actions, end) = line(&survey.whole, begin)?;
    let mut words = Vec::new();
    let mut position = begin.clone();
    for action in actions {
        let phase = position.phase();
        let number = position.moves() + 1;
        position = position.play(action)?;
        let mark = match position.outcome() {
            Some(Outcome::Mate(mate)) if mate.overmate => "##",
            Some(Outcome::Mate(_)) => "#",
            Some(Outcome::Draw | Outcome::Resigned { .. }) | None => "",
        };
        let text = survey.rules().action_text(action).to_string();
        words.push(match phase {
            Phase::Lead(_) => format!("{number}. {text}{mark}"),
            Phase::Foreplacing(_) | Phase::Follow(_) | Phase::Over => format!("{text}{mark}"),
        });
    }
    Ok((words.join(" "), end))
}

fn end_text(end: &Position) -> Result<String> {
    let Outcome::Mate(mate) = outcome(end)? else {
        return Ok("a draw".to_owned());
    };
    let card = end.rules().deck().card_text(mate.card);
    let kind = if mate.overmate { "overmate" } else { "mate" };
    let doubled = if mate.overmate { " × 2" } else { "" };
    let (by, number) = (mate.by, mate.move_number);
    let sum = format!("{} × {}{doubled} = {}", mate.value, mate.counts_as, mate.points());
    Ok(format!("{kind} by {by} with {card} in move {number}: {sum}"))
}

/// Returns the example deals of a rule set, keyed by the property that each deal illustrates. Properties without deals are omitted.
pub(crate) fn find(survey: &SolvedDeals) -> Result<BTreeMap<&'static str, Example>> {
    let hand = |deal: &PlayedDeal, seat: Seat| -> CardSet {
        start(survey.rules(), deal.number).map_or(CardSet::EMPTY, |position| position.hand(seat))
    };
    let aces = survey.rules().deck().of_rank(Rank(0));
    let mirrored = |deal: &PlayedDeal| survey.mirrored(deal).value;
    let facts = |deal: &PlayedDeal| survey.facts[usize::try_from(deal.number).unwrap_or_default()];
    let overmate = |deal: &PlayedDeal, seat: Seat| {
        deal.mate.filter(|mate| mate.overmate && mate.by == seat).map(|mate| mate.points())
    };
    let winner = |deal: &PlayedDeal| if deal.value > 0 { Seat::First } else { Seat::Second };
    let points = |deal: &PlayedDeal, seat: Seat| {
        i32::try_from(card_points(survey.rules(), hand(deal, seat))).unwrap_or_default()
    };
    let last = i32::from(survey.rules().hand_size());
    let one_lead =
        |deal: &PlayedDeal| (deal.perfect_leads() == 1).then(|| deal.next_best_costs()).flatten();
    let thumb_costs = |deal: &PlayedDeal| deal.cost(chosen(survey, deal, RULES_OF_THUMB[0].1)?);

    let mut examples = BTreeMap::new();
    let mut add = |name: &'static str, rank: &dyn Fn(&PlayedDeal) -> Option<i32>| -> Result<()> {
        let ranked = || survey.deals.iter().filter_map(|deal| Some((rank(deal)?, deal)));
        // If several deals illustrate a property equally well, the deal with the smallest number becomes the example.
        let most = ranked().max_by_key(|(most, deal)| (*most, u64::MAX - deal.number));
        if let Some((_, deal)) = most {
            let of_kind = crate::numbers::counted(ranked());
            examples.insert(name, Example { of_kind, ..Example::of(survey, deal)? });
        }
        Ok(())
    };
    add("first_most", &|deal| (deal.value > 0).then_some(deal.value))?;
    add("second_most", &|deal| (deal.value < 0).then_some(-deal.value))?;
    add("fairest", &|deal| {
        let is_dead =
            |deal: &PlayedDeal| deal.value == 0 && deal.perfect_leads() == deal.leads.len();
        (is_dead(deal) && is_dead(survey.mirrored(deal))).then_some(0)
    })?;
    add("best_hand", &|deal| Some(deal.value - mirrored(deal)))?;
    add("lead_helps", &|deal| Some(deal.value + mirrored(deal)).filter(|sum| *sum > 0))?;
    add("lead_hurts", &|deal| Some(-deal.value - mirrored(deal)).filter(|sum| *sum > 0))?;
    add("only_lead", &one_lead)?;
    add("only_lead_draws", &|deal| one_lead(deal).filter(|_| deal.value == 0))?;
    add("thumb", &thumb_costs)?;
    add("last_move", &|deal| {
        (deal.value > 0 && i32::from(deal.moves) == last).then_some(deal.value)
    })?;
    add("last_move_one_lead", &|deal| {
        one_lead(deal).filter(|_| deal.value > 0 && i32::from(deal.moves) == last)
    })?;
    add("shortest", &|deal| {
        (deal.value > 0).then_some(-1000 * i32::from(deal.moves) + deal.value)
    })?;
    add("poorest_winner", &|deal| {
        (deal.value != 0).then(|| deal.value.abs() - 1000 * points(deal, winner(deal)))
    })?;
    add("four_aces_lose", &|deal| {
        let has_all = hand(deal, Seat::First) & aces == aces;
        (deal.value < 0 && has_all).then_some(-deal.value)
    })?;
    add("no_ace_wins", &|deal| {
        let has_none = (hand(deal, Seat::First) & aces).is_empty();
        (deal.value > 0 && has_none).then_some(deal.value)
    })?;
    add("first_overmate", &|deal| overmate(deal, Seat::First))?;
    add("second_overmate", &|deal| overmate(deal, Seat::Second))?;
    add("first_gain", &|deal| {
        let facts = facts(deal);
        facts.first_needs_it().then(|| deal.value - facts.if_first_may_not.points())
    })?;
    add("second_gain", &|deal| {
        let facts = facts(deal);
        facts.second_needs_it().then(|| facts.if_second_may_not.points() - deal.value)
    })?;
    add("ace_foreplaced", &|deal| {
        deal.foreplaced.first.filter(|card| card.rank == Rank(0))?;
        // An example of a foreplaced ace needs a deal in which foreplacing this ace is the only choice of *first* that loses no points. The
        // principal variation does not tell whether other choices are equally good.
        let [first, _] = foreplacing::of_deal(survey, deal.number, deal.value).ok()?;
        let is_only_one = first.iter().filter(|(_, cost)| *cost == 0).count() == 1;
        is_only_one.then(|| deal.value - facts(deal).if_first_may_not.points())
    })?;
    Ok(examples)
}
