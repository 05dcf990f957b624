//! The points of a mate by the cards that are held, and the last two moves of a game in which one card is played twice.

use overmate_rules::{BySeat, RuleSet, Seat};

use crate::deal::cards::{DealCards, LeadKind, bits};

/// The points for *first* if a lead from hands of these sizes gives mate: sizes before the lead, in any move but
/// the one with a repeated card. `None` if no game has such hands.
///
/// The sizes tell the number of the move, and who foreplaced. If both did, a move less was played and counts one more:
/// the same as if nobody did.
pub(crate) fn mate_points_for_first(
    rules: &RuleSet,
    value: u16,
    counts: BySeat<usize>,
    leader: Seat,
) -> Option<i32> {
    let size = usize::from(rules.hand_size());
    let (first, second) = (counts.first, counts.second);
    if first == 0 || second == 0 || first.abs_diff(second) > 1 {
        return None;
    }
    let foreplaced = BySeat { first: first < second, second: second < first };
    let number = u8::try_from((size + 1).checked_sub(first.max(second))?).ok()?;
    let any_card = rules.deck().card_at(0);
    let factor = i32::from(rules.mate(leader, any_card, number, foreplaced).factor());
    Some(i32::from(value) * factor * leader.sign_for_first())
}

/// The values of the positions of two cards against one. In the next move the one card is played; in the
/// last one it is played again, and the empty hand in between does not tell which card it was.
#[derive(Clone, Debug, Default)]
pub(crate) struct Endgame {
    /// By the cards of *first*, if he holds one or two: the cards of *second* and the leader.
    values: Vec<(usize, Vec<Entry>)>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    second_holds: usize,
    leader: Seat,
    points_for_first: i32,
}

impl Endgame {
    /// Works them out; there are none without foreplacing.
    pub(crate) fn new(rules: &RuleSet, cards: &DealCards) -> Self {
        if rules.foreplacing().is_none() {
            return Self::default();
        }
        let solver = LastMoves { rules, cards };
        let sets = |seat: Seat, size: u32| {
            let len = cards.cards[seat].len();
            (0usize..1 << len).filter(move |set| set.count_ones() == size)
        };
        let mut values = Vec::new();
        for (sole, first_size, second_size) in [(Seat::First, 1, 2), (Seat::Second, 2, 1)] {
            for first_holds in sets(Seat::First, first_size) {
                let mut entries = Vec::new();
                for second_holds in sets(Seat::Second, second_size) {
                    let held = BySeat { first: first_holds as u64, second: second_holds as u64 };
                    for leader in Seat::BOTH {
                        let points_for_first = solver.points_for_first(held, leader, sole);
                        entries.push(Entry { second_holds, leader, points_for_first });
                    }
                }
                values.push((first_holds, entries));
            }
        }
        values.sort_by_key(|(first_holds, _)| *first_holds);
        Self { values }
    }

    /// The cards of *second*, the leader and the points for *first*, where *first* holds these cards.
    pub(crate) fn values(&self, first_holds: usize) -> impl Iterator<Item = (usize, Seat, i32)> {
        let found = self.values.binary_search_by_key(&first_holds, |(holds, _)| *holds);
        let entries = found.map_or(&[][..], |i| &self.values[i].1);
        entries.iter().map(|entry| (entry.second_holds, entry.leader, entry.points_for_first))
    }
}

/// Solves positions of two cards against one.
pub(crate) struct LastMoves<'a> {
    pub(crate) rules: &'a RuleSet,
    pub(crate) cards: &'a DealCards,
}

impl LastMoves<'_> {
    /// The points for *first* with best play by both, when `sole` holds one card and has foreplaced.
    ///
    /// The free move makes no difference: who can choose between suit and rank holds two cards that answer the
    /// other's only one, and with either of them left the last move is answered too.
    pub(crate) fn points_for_first(&self, held: BySeat<u64>, leader: Seat, sole: Seat) -> i32 {
        let counts = held.map(|set| set.count_ones() as usize);
        let holds = |lead: &&LeadKind| held[leader] >> lead.card & 1 == 1;
        let values = self.cards.leads[leader].iter().filter(holds).map(|lead| {
            let values = bits(lead.meets.forced(held[!leader])).map(|answer| {
                let wins = lead.meets.beaten >> answer & 1 == 1;
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

    /// The move in which the sole foreplacer's card is played again.
    pub(crate) fn last(&self, left: BySeat<usize>, leader: Seat, sole: Seat) -> i32 {
        let lead = self.cards.leads[leader].iter().find(|lead| lead.card == left[leader]);
        let Some(lead) = lead else { return 0 };
        if lead.meets.forced(1 << left[!leader]) != 0 {
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
