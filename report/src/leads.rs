//! First leads: which are perfect, and what simple rules of thumb cost.

use overmate_rules::{Card, CardSet, Deck};
use rayon::prelude::*;
use serde::Serialize;

use crate::numbers::Mean;
use crate::survey::{Played, Survey, start};

/// What the first leads of all deals are worth, after best foreplacing.
#[derive(Serialize)]
pub(crate) struct Leads {
    /// Each card of the deck, in the order of its slots.
    pub(crate) cards: Vec<LeadOfCard>,
    /// By how many cards of the suit the leader holds, from 1.
    pub(crate) by_length: Vec<LeadOfLength>,
    /// Deals by how many leads are perfect, from 1.
    pub(crate) perfect: Vec<u32>,
    pub(crate) rules_of_thumb: Vec<RuleOfThumb>,
    /// Drawn deals in which a single lead keeps the draw.
    pub(crate) one_lead_draws: u32,
    /// What the cheapest mistake costs where one lead alone is perfect.
    pub(crate) only_lead_margin: Mean,
}

/// How often a card is a perfect first lead.
#[derive(Clone, Default, Serialize)]
pub(crate) struct LeadOfCard {
    pub(crate) card: String,
    pub(crate) held: u32,
    pub(crate) perfect: u32,
    pub(crate) only: u32,
    pub(crate) cost: Mean,
}

/// How often a lead from a suit of this length is perfect.
#[derive(Clone, Default, Serialize)]
pub(crate) struct LeadOfLength {
    pub(crate) length: usize,
    pub(crate) leads: u32,
    pub(crate) perfect: u32,
    pub(crate) cost: Mean,
}

/// A rule of thumb for the first lead, followed in every deal.
#[derive(Serialize)]
pub(crate) struct RuleOfThumb {
    pub(crate) rule: &'static str,
    pub(crate) perfect: u32,
    pub(crate) deals: u32,
    pub(crate) cost: Mean,
    pub(crate) dearest: i32,
    pub(crate) dearest_deal: u64,
}

/// What a rule of thumb sees: the leader's cards in slot order, and the other's hand.
pub(crate) struct Sight<'a> {
    deck: &'a Deck,
    own: &'a [Card],
    other: CardSet,
}

type Choose = fn(&Sight<'_>) -> Option<Card>;

/// The rules of thumb. Among equally good cards they take the one of the higher suit.
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

impl Sight<'_> {
    fn length(&self, card: Card) -> usize {
        self.own.iter().filter(|own| own.suit == card.suit).count()
    }

    /// How many cards answer in suit, or else in rank.
    fn answers(&self, card: Card) -> u32 {
        let of_suit = self.other.and(self.deck.of_suit(card.suit)).len();
        if of_suit > 0 { of_suit } else { self.other.and(self.deck.of_rank(card.rank)).len() }
    }
}

impl Leads {
    pub(crate) fn of(survey: &Survey) -> Self {
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
            one_lead_draws: crate::totals::counted(lone().filter(|deal| deal.value == 0)),
            only_lead_margin: lone().filter_map(Played::next_best_costs).collect(),
        }
    }
}

/// The lead that a rule of thumb chooses after the best foreplacing.
pub(crate) fn chosen(survey: &Survey, deal: &Played, choose: Choose) -> Option<Card> {
    let deck = survey.rules().deck();
    let own: Vec<Card> = deal.leads.iter().map(|(card, _)| *card).collect();
    let mut other = start(survey.rules(), deal.number).ok()?.hands().second;
    if let Some(card) = deal.foreplaced.second {
        other = other.without(deck.slots_of(card));
    }
    choose(&Sight { deck, own: &own, other })
}

/// What a rule of thumb costs in each deal, with the number of the deal.
pub(crate) fn costs(survey: &Survey, choose: Choose) -> Vec<(i32, u64)> {
    let cost = |deal: &Played| Some((deal.cost(chosen(survey, deal, choose)?)?, deal.number));
    survey.deals.par_iter().filter_map(cost).collect()
}

fn follow(survey: &Survey, rule: &'static str, choose: Choose) -> RuleOfThumb {
    let costs = costs(survey, choose);
    let dearest = costs.iter().copied().max_by_key(|(cost, deal)| (*cost, u64::MAX - deal));
    let (dearest, dearest_deal) = dearest.unwrap_or_default();
    RuleOfThumb {
        rule,
        perfect: crate::totals::counted(costs.iter().filter(|(cost, _)| *cost == 0)),
        deals: crate::totals::counted(costs.iter()),
        cost: costs.into_iter().map(|(cost, _)| cost).collect(),
        dearest,
        dearest_deal,
    }
}

/// Any card, each equally likely: counted over all leads of all deals.
fn at_random(survey: &Survey) -> RuleOfThumb {
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
        perfect: crate::totals::counted(costs().filter(|(cost, _)| *cost == 0)),
        deals: crate::totals::counted(costs()),
        cost: costs().map(|(cost, _)| cost).collect(),
        dearest,
        dearest_deal,
    }
}
