//! Computes statistics of the points that first leads lose, for each card, for each suit length, and for simple rules of thumb.

use overmate_rules::{Card, CardSet, Lead, RuleSet};
use rayon::prelude::*;
use serde::Serialize;

use crate::numbers::Mean;
use crate::survey::{PlayedDeal, SolvedDeals, start};

/// Statistics of the first leads in all deals, after best play in foreplacing.
#[derive(Serialize)]
pub(crate) struct Leads {
    /// Statistics of each card of the deck as the first lead, in the order of the cards in the deck.
    pub(crate) cards: Vec<LeadOfCard>,
    /// Statistics of first leads, with one entry for each number of cards of the led suit in the leader's hand. The first entry is for one
    /// card.
    pub(crate) by_length: Vec<LeadOfLength>,
    /// Histogram of the number of first leads that lose no points in a deal; the first entry counts the deals with one such lead.
    pub(crate) perfect: Vec<u32>,
    pub(crate) rules_of_thumb: Vec<RuleOfThumb>,
    /// Number of drawn deals in which only one first lead keeps the draw.
    pub(crate) one_lead_draws: u32,
    /// Mean number of points that the least costly wrong first lead loses, over all deals with a single right first
    /// lead.
    pub(crate) only_lead_margin: Mean,
}

/// Statistics of a card as the first lead: the number of deals in which the lead loses no points, and the mean loss.
#[derive(Clone, Default, Serialize)]
pub(crate) struct LeadOfCard {
    pub(crate) card: String,
    pub(crate) held: u32,
    pub(crate) perfect: u32,
    pub(crate) only: u32,
    pub(crate) cost: Mean,
}

/// Statistics of first leads from suits of a given length: the number of leads that lose no points, and the mean loss.
#[derive(Clone, Default, Serialize)]
pub(crate) struct LeadOfLength {
    pub(crate) length: usize,
    pub(crate) leads: u32,
    pub(crate) perfect: u32,
    pub(crate) cost: Mean,
}

/// Statistics of the points that one rule of thumb for the first lead loses, over all deals.
#[derive(Serialize)]
pub(crate) struct RuleOfThumb {
    pub(crate) rule: &'static str,
    pub(crate) perfect: u32,
    pub(crate) deals: u32,
    pub(crate) cost: Mean,
    pub(crate) dearest: i32,
    pub(crate) dearest_deal: u64,
}

/// Input of a rule of thumb for the first lead: the rule set, the leader's cards and the follower's hand.
pub(crate) struct LeadSituation<'a> {
    rules: &'a RuleSet,
    own: &'a [Card],
    other: CardSet,
}

type Choose = fn(&LeadSituation<'_>) -> Option<Card>;

/// Rules of thumb that choose the first lead, each with its name. Ties go to the card of the higher suit.
pub(crate) const RULES_OF_THUMB: [(&str, Choose); 6] = [
    ("the highest card of your longest suit", |s| {
        s.own.iter().copied().min_by_key(|c| (std::cmp::Reverse(s.length(*c)), c.suit, c.rank))
    }),
    ("the lowest card of your longest suit", |s| {
        s.own.iter().copied().min_by_key(|c| {
            (std::cmp::Reverse((s.length(*c), 0)), c.suit, std::cmp::Reverse(c.rank))
        })
    }),
    ("the highest card of your shortest suit", |s| {
        s.own.iter().copied().min_by_key(|c| (s.length(*c), c.suit, c.rank))
    }),
    ("your highest rank", |s| s.own.iter().copied().min_by_key(|c| (c.rank, c.suit))),
    ("your lowest rank", |s| {
        s.own.iter().copied().min_by_key(|c| (std::cmp::Reverse(c.rank), c.suit))
    }),
    ("the card that leaves the other the fewest answers", |s| {
        s.own.iter().copied().min_by_key(|c| (s.answers(*c), *c))
    }),
];

impl LeadSituation<'_> {
    fn length(&self, card: Card) -> usize {
        self.own.iter().filter(|own| own.suit == card.suit).count()
    }

    /// Returns the number of cards with which the follower may answer a lead of `card` without the free move.
    fn answers(&self, card: Card) -> u32 {
        let lead = Lead { card, demanded: false };
        self.rules.answers_in_order(lead).answers_of(self.other, true).forced.len()
    }
}

impl Leads {
    pub(crate) fn of(survey: &SolvedDeals) -> Self {
        let deck = survey.rules().deck();
        let cards: Vec<Card> = deck.distinct(deck.all()).collect();
        let hand = usize::from(survey.rules().hand_size());
        let mut of_card: Vec<LeadOfCard> = cards
            .iter()
            .map(|card| LeadOfCard {
                card: deck.card_text(*card).to_string(),
                ..LeadOfCard::default()
            })
            .collect();
        let mut by_length: Vec<LeadOfLength> = Vec::new();
        let mut perfect = vec![0; hand];
        for deal in &survey.deals {
            perfect[deal.perfect_leads() - 1] += 1;
            for (card, value) in &deal.leads {
                let cost = deal.value - value;
                let is_perfect = u32::from(cost == 0);
                let place = cards.iter().position(|known| known == card).unwrap_or_default();
                let entry = &mut of_card[place];
                entry.held += 1;
                entry.perfect += is_perfect;
                entry.only += u32::from(cost == 0 && deal.perfect_leads() == 1);
                entry.cost.add(cost);
                let length = deal.leads.iter().filter(|(own, _)| own.suit == card.suit).count();
                if by_length.len() < length {
                    by_length.resize_with(length, LeadOfLength::default);
                }
                let entry = &mut by_length[length - 1];
                entry.length = length;
                entry.leads += 1;
                entry.perfect += is_perfect;
                entry.cost.add(cost);
            }
        }
        let lone = || survey.deals.iter().filter(|deal| deal.perfect_leads() == 1);
        let mut rules_of_thumb = vec![at_random(survey)];
        rules_of_thumb
            .extend(RULES_OF_THUMB.iter().map(|(rule, choose)| follow(survey, rule, *choose)));
        Self {
            cards: of_card,
            by_length,
            perfect,
            rules_of_thumb,
            one_lead_draws: crate::numbers::counted(lone().filter(|deal| deal.value == 0)),
            only_lead_margin: lone().filter_map(PlayedDeal::next_best_costs).collect(),
        }
    }
}

/// Returns the first lead that a rule of thumb chooses in a deal, after best play in foreplacing.
pub(crate) fn chosen(survey: &SolvedDeals, deal: &PlayedDeal, choose: Choose) -> Option<Card> {
    let rules = survey.rules();
    let own: Vec<Card> = deal.leads.iter().map(|(card, _)| *card).collect();
    let mut other = start(rules, deal.number).ok()?.hands().second;
    if let Some(card) = deal.foreplaced.second {
        other -= rules.deck().slots_of(card);
    }
    choose(&LeadSituation { rules, own: &own, other })
}

/// Returns, for each deal, the points that a rule of thumb loses by its first lead, and the deal number.
pub(crate) fn costs(survey: &SolvedDeals, choose: Choose) -> Vec<(i32, u64)> {
    let cost = |deal: &PlayedDeal| Some((deal.cost(chosen(survey, deal, choose)?)?, deal.number));
    survey.deals.par_iter().filter_map(cost).collect()
}

fn follow(survey: &SolvedDeals, rule: &'static str, choose: Choose) -> RuleOfThumb {
    let costs = costs(survey, choose);
    let dearest = costs.iter().copied().max_by_key(|(cost, deal)| (*cost, u64::MAX - deal));
    let (dearest, dearest_deal) = dearest.unwrap_or_default();
    RuleOfThumb {
        rule,
        perfect: crate::numbers::counted(costs.iter().filter(|(cost, _)| *cost == 0)),
        deals: crate::numbers::counted(costs.iter()),
        cost: costs.into_iter().map(|(cost, _)| cost).collect(),
        dearest,
        dearest_deal,
    }
}

/// Returns the exact statistics of the points that a uniformly random first lead loses, over all deals.
fn at_random(survey: &SolvedDeals) -> RuleOfThumb {
    let costs = || {
        survey
            .deals
            .iter()
            .flat_map(|deal| deal.leads.iter().map(|(_, value)| (deal.value - value, deal.number)))
    };
    let dearest = costs().max_by_key(|(cost, deal)| (*cost, u64::MAX - deal));
    let (dearest, dearest_deal) = dearest.unwrap_or_default();
    RuleOfThumb {
        rule: "any card, at random",
        perfect: crate::numbers::counted(costs().filter(|(cost, _)| *cost == 0)),
        deals: crate::numbers::counted(costs()),
        cost: costs().map(|(cost, _)| cost).collect(),
        dearest,
        dearest_deal,
    }
}
