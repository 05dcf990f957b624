//! Computes totals over all deals of a rule set, such as numbers of wins, points and mates under best play.

use anyhow::Result;
use overmate_rules::{BySeat, Card, RuleSet, Seat};
use serde::Serialize;

use crate::numbers::counted;
use crate::numbers::{Mean, real};
use crate::overmates;
use crate::survey::{PlayedDeal, SolvedDeals};

/// Totals over all deals of a rule set under best play. Every deal number counts once, because all deal numbers are equally likely.
#[derive(Clone, Serialize)]
pub(crate) struct Totals {
    pub(crate) name: String,
    pub(crate) rounds: u8,
    /// Whether the rule set has foreplacing.
    pub(crate) foreplacing: bool,
    pub(crate) free_move: bool,
    pub(crate) deals: u32,
    pub(crate) positions: u64,
    pub(crate) first_wins: u32,
    pub(crate) draws: u32,
    pub(crate) second_wins: u32,
    /// Number of deals that have a winner under best play.
    pub(crate) wins: u32,
    pub(crate) sum: i64,
    pub(crate) mean: Mean,
    /// Mean absolute deal value in points, over all deals: the points that the winner gains, or 0 for a draw.
    pub(crate) mean_size: Mean,
    pub(crate) mean_win: Mean,
    pub(crate) deviation: f64,
    pub(crate) middle_win: i32,
    pub(crate) highest: Peak,
    pub(crate) lowest: Peak,
    /// Number of deals in which the hand of seat *first* is worth more points if it leads than if it follows.
    pub(crate) lead_helps: u32,
    /// Number of deals in which the hand of seat *first* is worth the same number of points whether the hand leads or
    /// follows.
    pub(crate) lead_is_nothing: u32,
    /// Number of deals in which the hand of seat *first* is worth fewer points if it leads than if it follows.
    pub(crate) lead_hurts: u32,
    /// Number of deals that are drawn whichever of the two hands leads.
    pub(crate) drawn_both_ways: u32,
    /// Number of deals in which the same hand wins whichever of the two hands leads.
    pub(crate) won_both_ways: u32,
    /// Number of deals in which the leading hand wins, whichever of the two hands leads.
    pub(crate) leader_wins_both: u32,
    /// Number of deals in which the leading hand loses, whichever of the two hands leads.
    pub(crate) leader_loses_both: u32,
    pub(crate) first_needs: u32,
    pub(crate) second_needs: u32,
    pub(crate) either_needs: u32,
    pub(crate) first_gain: Mean,
    pub(crate) second_gain: Mean,
    pub(crate) if_nobody: Mean,
    pub(crate) if_nobody_draws: u32,
    pub(crate) foreplaced_nobody: u32,
    pub(crate) foreplaced_first: u32,
    pub(crate) foreplaced_second: u32,
    pub(crate) foreplaced_both: u32,
    pub(crate) moves: Mean,
    pub(crate) moves_of_wins: Mean,
    pub(crate) perfect_leads: Mean,
    pub(crate) one_perfect_lead: u32,
    pub(crate) all_leads_perfect: u32,
    /// Number of drawn deals in which every first lead keeps the draw.
    pub(crate) dead_draws: u32,
    /// Highest possible score of a game, in points.
    pub(crate) top_score: i32,
    /// Numbers of deals in which a seat wins the highest possible score if the opponent may not foreplace: for *first*, then for *second*.
    pub(crate) threatens_top: [u32; 2],
    /// Number of deals in which the winner under best play can force an overmate.
    pub(crate) overmates: u32,
    /// Number of deals in which seat *first* wins and can force an overmate.
    pub(crate) overmates_by_first: u32,
    /// Numbers of mates by *first* and by *second* at the end of principal variations, for each move from move 1.
    pub(crate) mates_in_move: Vec<[u32; 2]>,
    pub(crate) mates_by_rank: Vec<RankMates>,
    /// Histogram of the deal values: pairs of a value for seat *first*, in points, and the number of deals with this value.
    pub(crate) values: Vec<(i32, u32)>,
}

/// Best deal value for one seat, with the number of deals that have this value. The value is in points for seat
/// *first*. The field `example` is the smallest deal number with this value.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Peak {
    pub(crate) value: i32,
    pub(crate) deals: u32,
    pub(crate) example: u64,
}

/// Number of mates by cards of one rank at the end of principal variations.
#[derive(Clone, Serialize)]
pub(crate) struct RankMates {
    pub(crate) rank: String,
    pub(crate) mates: u32,
}

impl Totals {
    pub(crate) fn of(survey: &SolvedDeals) -> Result<Self> {
        let rules = survey.rules();
        let deals = &survey.deals;
        let count =
            |wanted: &dyn Fn(&PlayedDeal) -> bool| counted(deals.iter().filter(|d| wanted(d)));
        let mean: Mean = deals.iter().map(|deal| deal.value).collect();
        let wins = || deals.iter().filter(|deal| deal.value != 0);
        let squares: i64 = deals.iter().map(|deal| i64::from(deal.value).pow(2)).sum();
        let both = |wanted: fn(i32, i32) -> bool| {
            count(&|deal| wanted(deal.value, survey.mirrored(deal).value))
        };
        let foreplaced = |first: bool, second: bool| {
            count(&|d| {
                (d.foreplaced.first.is_some(), d.foreplaced.second.is_some()) == (first, second)
            })
        };
        let facts = &survey.facts;
        let top_score = top_score(rules);
        let overmates = overmates::forced(&survey.whole, deals)?;
        Ok(Self {
            name: rules.name().to_owned(),
            rounds: rules.rounds(),
            foreplacing: rules.foreplacing().is_some(),
            free_move: rules.free_move(),
            deals: mean.count,
            positions: survey.whole.positions(),
            first_wins: count(&|deal| deal.value > 0),
            draws: count(&|deal| deal.value == 0),
            second_wins: count(&|deal| deal.value < 0),
            wins: counted(wins()),
            sum: mean.sum,
            mean,
            mean_size: deals.iter().map(|deal| deal.value.abs()).collect(),
            mean_win: wins().map(|deal| deal.value.abs()).collect(),
            deviation: (real(squares) / f64::from(mean.count) - mean.get().powi(2)).sqrt(),
            middle_win: middle(wins().map(|deal| deal.value.abs()).collect()),
            highest: peak(deals, 1),
            lowest: peak(deals, -1),
            lead_helps: both(|one, other| one > -other),
            lead_is_nothing: both(|one, other| one == -other),
            lead_hurts: both(|one, other| one < -other),
            drawn_both_ways: both(|one, other| one == 0 && other == 0),
            won_both_ways: both(|one, other| one.signum() * other.signum() < 0),
            leader_wins_both: both(|one, other| one > 0 && other > 0),
            leader_loses_both: both(|one, other| one < 0 && other < 0),
            first_needs: counted(facts.iter().filter(|deal| deal.first_needs_it())),
            second_needs: counted(facts.iter().filter(|deal| deal.second_needs_it())),
            either_needs: counted(
                facts.iter().filter(|deal| deal.first_needs_it() || deal.second_needs_it()),
            ),
            first_gain: gains(survey, |d| {
                d.0.first_needs_it().then_some(d.1 - d.0.if_first_may_not.points())
            }),
            second_gain: gains(survey, |d| {
                d.0.second_needs_it().then_some(d.0.if_second_may_not.points() - d.1)
            }),
            if_nobody: facts.iter().map(|deal| deal.if_nobody_may.points()).collect(),
            if_nobody_draws: counted(facts.iter().filter(|deal| deal.if_nobody_may.points() == 0)),
            foreplaced_nobody: foreplaced(false, false),
            foreplaced_first: foreplaced(true, false),
            foreplaced_second: foreplaced(false, true),
            foreplaced_both: foreplaced(true, true),
            moves: deals.iter().map(|deal| i32::from(deal.moves)).collect(),
            moves_of_wins: wins().map(|deal| i32::from(deal.moves)).collect(),
            perfect_leads: deals
                .iter()
                .map(|d| i32::try_from(d.perfect_leads()).unwrap_or(0))
                .collect(),
            one_perfect_lead: count(&|deal| deal.perfect_leads() == 1),
            all_leads_perfect: count(&|deal| deal.perfect_leads() == deal.leads.len()),
            dead_draws: count(&|deal| deal.value == 0 && deal.perfect_leads() == deal.leads.len()),
            top_score,
            threatens_top: [
                counted(facts.iter().filter(|deal| deal.if_second_may_not.points() == top_score)),
                counted(facts.iter().filter(|deal| deal.if_first_may_not.points() == -top_score)),
            ],
            overmates: overmates.first + overmates.second,
            overmates_by_first: overmates.first,
            mates_in_move: (1..=rules.hand_size())
                .map(|number| {
                    Seat::BOTH.map(|seat| {
                        count(&|d| d.mate.is_some_and(|m| m.move_number == number && m.by == seat))
                    })
                })
                .collect(),
            mates_by_rank: mates_by_rank(rules, deals),
            values: values(deals),
        })
    }
}

/// Returns the highest possible score of a game: the score of an overmate with the most valuable card. In a rule set without foreplacing,
/// the score is that of a mate in the last move.
fn top_score(rules: &RuleSet) -> i32 {
    let deck = rules.deck();
    let alone = BySeat { first: rules.foreplacing().is_some(), second: false };
    let points = |card: &Card| rules.mate(Seat::First, *card, rules.hand_size(), alone).points();
    deck.cards().iter().map(points).max().unwrap_or_default()
}

fn gains(
    survey: &SolvedDeals,
    gain: impl Fn((&overmate_solver::whole::DealFacts, i32)) -> Option<i32>,
) -> Mean {
    survey.facts.iter().filter_map(|facts| gain((facts, facts.value_for_first.points()))).collect()
}

fn middle(mut values: Vec<i32>) -> i32 {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Returns the best value for one seat among the given deals, with the number of deals that have this value. A `sign` of 1 selects *first*,
/// and -1 selects *second*.
fn peak(deals: &[PlayedDeal], sign: i32) -> Peak {
    let most = deals.iter().map(|deal| deal.value * sign).max().unwrap_or_default();
    let mut with_it = deals.iter().filter(|deal| deal.value * sign == most);
    let example = with_it.next().map_or(0, |deal| deal.number);
    Peak { value: most * sign, deals: 1 + counted(with_it), example }
}

fn mates_by_rank(rules: &RuleSet, deals: &[PlayedDeal]) -> Vec<RankMates> {
    let faces = rules.deck().ranks();
    let mates = |rank: usize| {
        let by_rank =
            |deal: &&PlayedDeal| deal.mate.is_some_and(|m| usize::from(m.card.rank.0) == rank);
        counted(deals.iter().filter(by_rank))
    };
    let of_rank = |(rank, face): (usize, &overmate_rules::RankFace)| RankMates {
        rank: face.name.clone(),
        mates: mates(rank),
    };
    faces.iter().enumerate().map(of_rank).collect()
}

fn values(deals: &[PlayedDeal]) -> Vec<(i32, u32)> {
    let mut counts = std::collections::BTreeMap::new();
    for deal in deals {
        *counts.entry(deal.value).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}
