//! Computes how the value of a deal for seat *first* depends on the cards, suits and ranks in the hands.

use overmate_rules::{CardSet, Deck, Rank, RuleSet, Suit};
use serde::Serialize;

use crate::numbers::{Mean, real};
use crate::survey::{PlayedDeal, SolvedDeals, start};

/// Statistics that relate deal values to the cards in the hand of seat *first*.
#[derive(Serialize)]
pub(crate) struct Cards {
    /// Effect of each card of seat *first* on the mean deal value, in points, in the order of the
    /// deck.
    pub(crate) worth: Vec<Worth>,
    /// Mean effect of a card of each suit in the hand of seat *first* on the deal value, in points.
    pub(crate) suits: Vec<Named>,
    /// Mean effect of a card of each rank in the hand of seat *first* on the deal value, in points.
    pub(crate) ranks: Vec<Named>,
    /// Coefficient of determination (R²), 0 to 1, of a linear model of the deal value. The model adds the effects of the cards of seat
    /// *first*.
    pub(crate) explained: f64,
    /// Correlation between the sum of the card values in the hand of seat *first* and the value of the deal.
    pub(crate) points_correlation: f64,
    /// Number of deals in which the hand with the smaller sum of card values wins under best play.
    pub(crate) poorer_wins: usize,
    /// Mean deal values by the number of cards of a rank in the hand of seat *first*, with one table row for each rank.
    pub(crate) by_rank_count: Vec<MeanRow>,
    /// Mean deal values by the number of cards of a suit in the hand of seat *first*, with one table row for each suit.
    pub(crate) by_suit_count: Vec<MeanRow>,
    /// Mean deal values by the number of suits missing from each hand. The rows are for *first*, the columns for *second*. The number 2
    /// means two or more suits.
    pub(crate) by_voids: Vec<Vec<MeanCell>>,
    /// Mean deal values by the number of ranks missing from each hand. The rows are for *first*, the columns for *second*. The number 2
    /// means two or more ranks.
    pub(crate) by_rank_voids: Vec<Vec<MeanCell>>,
}

/// Effect of a card of seat *first* on the mean deal value, in points.
#[derive(Serialize)]
pub(crate) struct Worth {
    pub(crate) card: String,
    /// Mean deal value for seat *first* over the deals in which *first* holds the card, minus the mean over the deals in which *second*
    /// holds the card.
    pub(crate) worth: f64,
}

/// Mean effect of a card of one suit or rank in the hand of seat *first* on the deal value, in points.
#[derive(Serialize)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) worth: f64,
}

/// Table row with the mean deal value of each of several groups of deals.
#[derive(Serialize)]
pub(crate) struct MeanRow {
    pub(crate) name: String,
    pub(crate) cells: Vec<MeanCell>,
}

/// Mean deal value for seat *first*, in points, and number of deals, for one group of deals.
#[derive(Clone, Copy, Default, Serialize)]
pub(crate) struct MeanCell {
    pub(crate) deals: u32,
    pub(crate) mean: Mean,
    pub(crate) first_wins: u32,
}

impl MeanCell {
    fn add(&mut self, value: i32) {
        self.deals += 1;
        self.mean.add(value);
        self.first_wins += u32::from(value > 0);
    }
}

impl Cards {
    pub(crate) fn of(survey: &SolvedDeals) -> Self {
        let rules = survey.rules();
        let deck = rules.deck();
        let slots = deck.cards().len();
        let (mut held, mut given) = (vec![Mean::default(); slots], vec![Mean::default(); slots]);
        let suits: Vec<(String, CardSet)> = (0u8..)
            .zip(deck.suits())
            .map(|(i, face)| (face.name.clone(), deck.of_suit(Suit(i))))
            .collect();
        let ranks: Vec<(String, CardSet)> = (0u8..)
            .zip(deck.ranks())
            .map(|(i, face)| (plural(&face.name), deck.of_rank(Rank(i))))
            .collect();
        let mut by_suit_count = rows(&suits);
        let mut by_rank_count = rows(&ranks);
        let mut by_voids = vec![vec![MeanCell::default(); 3]; 3];
        let mut by_rank_voids = vec![vec![MeanCell::default(); 3]; 3];
        for deal in &survey.deals {
            let Ok(position) = start(rules, deal.number) else { continue };
            let hands = position.hands();
            for slot in 0..slots {
                let holds = u8::try_from(slot).is_ok_and(|slot| hands.first.has_slot(slot));
                let means = if holds { &mut held } else { &mut given };
                means[slot].add(deal.value);
            }
            for (groups, rows, voids) in [
                (&suits, &mut by_suit_count, &mut by_voids),
                (&ranks, &mut by_rank_count, &mut by_rank_voids),
            ] {
                for ((_, set), row) in groups.iter().zip(rows) {
                    row.cells[(hands.first & *set).len() as usize].add(deal.value);
                }
                let lacks = hands
                    .map(|hand| groups.iter().filter(|(_, set)| (hand & *set).is_empty()).count());
                voids[lacks.first.min(2)][lacks.second.min(2)].add(deal.value);
            }
        }
        let worth: Vec<f64> =
            held.iter().zip(&given).map(|(held, given)| held.get() - given.get()).collect();
        Self {
            explained: explained(survey, &worth),
            points_correlation: points_correlation(survey),
            poorer_wins: poorer_wins(survey),
            suits: suits.iter().map(|group| named(group, &worth)).collect(),
            ranks: ranks.iter().map(|group| named(group, &worth)).collect(),
            worth: deck
                .cards()
                .iter()
                .zip(worth)
                .map(|(card, worth)| Worth { card: deck.card_text(*card).to_string(), worth })
                .collect(),
            by_rank_count,
            by_suit_count,
            by_voids,
            by_rank_voids,
        }
    }
}

fn plural(name: &str) -> String {
    format!("{name}s")
}

fn rows(groups: &[(String, CardSet)]) -> Vec<MeanRow> {
    let row = |(name, set): &(String, CardSet)| MeanRow {
        name: name.clone(),
        cells: vec![MeanCell::default(); set.len() as usize + 1],
    };
    groups.iter().map(row).collect()
}

fn named((name, set): &(String, CardSet), worth: &[f64]) -> Named {
    let of_set: Vec<f64> = set.slots().map(|slot| worth[usize::from(slot)]).collect();
    let count = f64::from(set.len());
    Named { name: name.clone(), worth: of_set.iter().sum::<f64>() / count }
}

/// Returns the share of the variance of deal values, 0 to 1, that a linear regression on the cards of seat *first* explains.
///
/// Every deal occurs once, so the regression has a closed form: all cards have the variance ¼, and all pairs have the same
/// covariance, -¼ divided by the number of the other cards.
fn explained(survey: &SolvedDeals, worth: &[f64]) -> f64 {
    let cards = f64::from(u32::try_from(worth.len()).unwrap_or_default());
    let squares: f64 = worth.iter().map(|worth| worth * worth).sum();
    let deals = real(i64::try_from(survey.deals.len()).unwrap_or_default());
    let mean: Mean = survey.deals.iter().map(|deal| deal.value).collect();
    let variance =
        survey.deals.iter().map(|deal| (f64::from(deal.value) - mean.get()).powi(2)).sum::<f64>()
            / deals;
    (cards - 1.0) / (4.0 * cards) * squares / variance
}

fn points_correlation(survey: &SolvedDeals) -> f64 {
    let pairs: Vec<(f64, f64)> = survey
        .deals
        .iter()
        .filter_map(|deal| {
            let hand = start(survey.rules(), deal.number).ok()?.hands().first;
            Some((f64::from(card_points(survey.rules(), hand)), f64::from(deal.value)))
        })
        .collect();
    let count = real(i64::try_from(pairs.len()).unwrap_or_default());
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(&|pair| pair.0), mean(&|pair| pair.1));
    let both = mean(&|pair| (pair.0 - x) * (pair.1 - y));
    both / (mean(&|pair| (pair.0 - x).powi(2)) * mean(&|pair| (pair.1 - y).powi(2))).sqrt()
}

/// Returns the number of deals in which the hand with the smaller sum of card values wins under best play.
fn poorer_wins(survey: &SolvedDeals) -> usize {
    let rules = survey.rules();
    let is_won_by_poorer = |deal: &&PlayedDeal| {
        let Ok(position) = start(rules, deal.number) else { return false };
        let [first, second] =
            [position.hands().first, position.hands().second].map(|hand| card_points(rules, hand));
        (deal.value > 0 && first < second) || (deal.value < 0 && second < first)
    };
    survey.deals.iter().filter(is_won_by_poorer).count()
}

/// Returns the sum of the values of the cards in a hand, in points.
pub(crate) fn card_points(rules: &RuleSet, hand: CardSet) -> u32 {
    let deck: &Deck = rules.deck();
    deck.cards_of(hand).map(|card| u32::from(deck.value(card))).sum()
}
