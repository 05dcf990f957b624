//! Computes the points that result from best play in the last two moves of games in which only one seat has foreplaced.
//! This seat plays the same card in both moves.

use overmate_rules::{BySeat, RuleSet, Seat};

use super::cards::{DealCards, LeadKind};
use super::scores::mate_points_for_first;
use super::subsets::{bits, sets_of};

/// Table of the values of all positions in which one hand has two cards and the other hand has one card.
///
/// The single card is played in the next move, and played again in the last move. Between these two
/// moves, the bit mask of the hand is empty, so the mask does not tell which card is repeated. Each
/// value in the table therefore covers both moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastMovesTable {
    /// Solved positions with their points, grouped by the bit mask of the cards that seat *first*
    /// holds.
    values: Vec<(usize, Vec<LastMovesEntry>)>,
}

#[derive(Clone, Copy, Debug)]
struct LastMovesEntry {
    second_holds: usize,
    leader: Seat,
    points_for_first: i32,
}

impl LastMovesTable {
    /// Solves all positions that can arise from two hands, with two cards in one hand and one card
    /// in the other. In a rule set without foreplacing there are no such positions.
    pub(crate) fn new(rules: &RuleSet, cards: &DealCards) -> Self {
        if rules.foreplacing().is_none() {
            return Self::default();
        }
        let solver = LastMoves { rules, cards };
        let sets = |seat: Seat, size: usize| sets_of(cards.cards[seat].len(), size);
        let mut values = Vec::new();
        for (sole, first_size, second_size) in [(Seat::First, 1, 2), (Seat::Second, 2, 1)] {
            for first_holds in sets(Seat::First, first_size) {
                let mut entries = Vec::new();
                for second_holds in sets(Seat::Second, second_size) {
                    let held = BySeat { first: first_holds as u64, second: second_holds as u64 };
                    for leader in Seat::BOTH {
                        let points_for_first = solver.points_for_first(held, leader, sole);
                        entries.push(LastMovesEntry { second_holds, leader, points_for_first });
                    }
                }
                values.push((first_holds, entries));
            }
        }
        values.sort_by_key(|(first_holds, _)| *first_holds);
        Self { values }
    }

    /// Returns the absolute values of the points of all solved positions.
    pub(crate) fn scores(&self) -> impl Iterator<Item = i32> {
        let entries = self.values.iter().flat_map(|(_, entries)| entries);
        entries.map(|entry| entry.points_for_first.abs())
    }

    /// Returns the solved positions in which seat *first* holds the cards `first_holds`, with their
    /// points for *first*.
    pub(crate) fn values(&self, first_holds: usize) -> impl Iterator<Item = (usize, Seat, i32)> {
        let found = self.values.binary_search_by_key(&first_holds, |(holds, _)| *holds);
        let entries = found.map_or(&[][..], |i| &self.values[i].1);
        entries.iter().map(|entry| (entry.second_holds, entry.leader, entry.points_for_first))
    }
}

/// Solver for the last two moves of a game, from positions in which one hand has two cards and the other hand has one card.
pub(crate) struct LastMoves<'a> {
    pub(crate) rules: &'a RuleSet,
    pub(crate) cards: &'a DealCards,
}

impl LastMoves<'_> {
    /// Returns the points for seat *first* under best play of the last two moves, if only the seat `sole` has foreplaced. The seat `sole`
    /// must hold one card.
    ///
    /// The free move does not change the points. A follower with a choice between two tiers holds two cards that answer the opponent's only
    /// card. The card that the follower keeps then answers the last move too.
    pub(crate) fn points_for_first(&self, held: BySeat<u64>, leader: Seat, sole: Seat) -> i32 {
        let counts = held.map(|set| set.count_ones() as usize);
        let holds = |lead: &&LeadKind| held[leader] >> lead.card & 1 == 1;
        let values = self.cards.leads[leader].iter().filter(holds).map(|lead| {
            let values = bits(lead.masks.forced(held[!leader])).map(|answer| {
                let wins = lead.masks.wins_over(answer);
                let played = BySeat::new_with(|s| if s == leader { lead.card } else { answer });
                let left = BySeat::new_with(|s| match held[s] & !(1 << played[s]) {
                    0 => played[s],
                    rest => rest.trailing_zeros() as usize,
                });
                self.last(left, if wins { leader } else { !leader }, sole)
            });
            values.reduce(best_for(!leader)).unwrap_or_else(|| {
                mate_points_for_first(self.rules, lead.value, counts, leader).unwrap_or_default()
            })
        });
        values.reduce(best_for(leader)).unwrap_or_default()
    }

    /// Returns the points for seat *first* in the extra last move, in which the seat `sole` plays
    /// its last card a second time.
    ///
    /// A demand in the last move changes no value. A demand changes only the priority of the answers, and the follower holds a single card.
    pub(crate) fn last(&self, left: BySeat<usize>, leader: Seat, sole: Seat) -> i32 {
        let lead = self.cards.leads[leader].iter().find(|lead| lead.card == left[leader]);
        let Some(lead) = lead else { return 0 };
        if lead.masks.forced(1 << left[!leader]) != 0 {
            return 0;
        }
        let card = self.cards.cards[leader][left[leader]];
        let foreplaced = BySeat::new_with(|seat| seat == sole);
        self.rules.mate(leader, card, self.rules.hand_size(), foreplaced).points_for_first()
    }
}

fn best_for(seat: Seat) -> fn(i32, i32) -> i32 {
    match seat {
        Seat::First => i32::max,
        Seat::Second => i32::min,
    }
}
