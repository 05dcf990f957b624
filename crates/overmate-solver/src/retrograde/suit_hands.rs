//! Splits both hands of a deal by suit, and numbers the pairs of remaining hands within each suit.
//!
//! A *pair* is a set of cards that *first* holds of one suit, together with a set of cards that
//! *second* holds of the same suit. Pairs are numbered among the pairs of equal sizes.

use overmate_rules::{BySeat, Card, RuleSet, Seat};

use super::hand_sets::{HandSets, Run};
use crate::deal::cards::{DealCards, LeadKind};
use crate::deal::subsets::bits;

/// Maximum number of suits in a deal for a retrograde analysis that splits the hands by suit. With more suits, the
/// combinations of suit counts could be too many to list before the budget is checked.
pub(super) const MOST_SUITS: usize = 4;

/// Maximum number of cards of one suit in both hands together. The moves in a suit are listed for all pairs of hands, and this work is not
/// part of the budget. With 16 cards there are at most 65,536 pairs, and in Pinochle 4,096.
const MOST_OF_SUIT: usize = 16;

/// Cards of one suit in both dealt hands.
pub(super) struct SuitHands {
    /// Indices, in each seat's dealt hand, of the cards of one suit, in ascending order.
    cards: BySeat<Vec<usize>>,
    sets: BySeat<HandSets>,
    /// Void leads with cards of one suit, for each leader: the follower holds no card of this suit.
    void_leads: BySeat<Vec<VoidLead>>,
}

/// Moves in which both seats play a card of one suit, indexed by the leader and by the suit's card counts in both hands.
pub(super) struct SuitMoves(BySeat<Vec<Vec<PairMoves>>>);

impl SuitMoves {
    /// Lists all moves in which both seats play a card of the suit `hands`.
    pub(super) fn of(hands: &SuitHands, cards: &DealCards) -> Self {
        Self(BySeat::new_with(|leader| hands.all_moves(cards, leader)))
    }

    /// Returns the moves for given counts (above 0) of the suit's cards in both hands.
    pub(super) fn with_sizes(&self, leader: Seat, sizes: BySeat<usize>) -> &PairMoves {
        &self.0[leader][sizes.first][sizes.second]
    }
}

/// All moves in which both seats play a card of one suit, for a given leader and given counts of the suit's cards in both hands.
#[derive(Default)]
pub(super) struct PairMoves {
    /// Prefix sums: for each pair of hands, the total number of leads from all pairs with a lower index. The last entry
    /// is the total number of leads.
    leads_before: Vec<u32>,
    /// Prefix sums: for each lead, the total number of answers to all leads with a lower index. The last entry is the
    /// total number of answers.
    answers_before: Vec<u32>,
    answers: Vec<PairAnswer>,
}

/// Answer to a lead, in the led suit.
#[derive(Clone, Copy)]
pub(super) struct PairAnswer {
    /// Index of the pair of remaining hands after the move.
    pub(super) next: u32,
    /// Whether the led card wins the move.
    pub(super) wins: bool,
}

/// Lead of a card against a follower without the led suit, with the possible answers in other suits.
pub(super) struct VoidLead {
    /// Index of the led card among the leader's different cards of its suit.
    pub(super) kind: usize,
    /// Value of the led card in points.
    pub(super) value: u16,
    pub(super) answers: Vec<VoidAnswer>,
}

/// Answer to a lead, in another suit than the led suit.
pub(super) struct VoidAnswer {
    pub(super) suit: usize,
    /// Index of the answering card among the follower's different cards of the suit `suit`.
    pub(super) kind: usize,
    /// Whether the led card wins the move.
    pub(super) wins: bool,
}

impl SuitHands {
    /// Splits both dealt hands by suit. One byte will hold the values of `positions_a_byte` positions. Returns `None` if the rules do not
    /// always require an answer in suit before an answer in another suit, or if the deck has too many suits or too many cards of a suit.
    pub(super) fn of_all_suits(
        rules: &RuleSet,
        cards: &DealCards,
        positions_a_byte: usize,
    ) -> Option<Vec<Self>> {
        let mut suits = cards.suits();
        if rules.free_move() || suits.len() > MOST_SUITS {
            return None;
        }
        for seat in Seat::BOTH {
            let leads = &cards.leads[seat];
            // The retrograde analysis by suits requires that no card can be led with a demand, and that each lead has at most two tiers of
            // answers. The first tier must be the cards of the led suit.
            let plain = |lead: &LeadKind| {
                let suit = suits.iter().find(|suit| suit[seat] >> lead.card & 1 == 1);
                let [first, _, later @ ..] = lead.masks.tiers();
                !lead.demanded
                    && suit.is_some_and(|suit| suit[!seat] == *first)
                    && later.iter().all(|tier| *tier == 0)
            };
            if leads.len() != cards.cards[seat].len() || !leads.iter().all(plain) {
                return None;
            }
        }
        let count = |suit: &BySeat<u64>| suit.map(|cards| cards.count_ones() as usize);
        if suits.iter().map(count).any(|count| count.first + count.second > MOST_OF_SUIT) {
            return None;
        }
        // The suits are sorted from the most possible moves to the fewest. Moves in the last suit are costly, because they permute single
        // bytes instead of runs of bytes. With a bit for each position, the order is reversed: a row of positions that differ only in the
        // last suit fills whole bytes, and a long row wastes few bits.
        suits.sort_by_key(|suit| core::cmp::Reverse(count(suit).first * count(suit).second));
        if positions_a_byte > 1 {
            suits.reverse();
        }
        let sets = |suit: BySeat<u64>, seat: Seat| {
            let cards: Vec<Card> = bits(suit[seat]).map(|i| cards.cards[seat][i]).collect();
            HandSets::new(&cards)
        };
        let mut hands: Vec<Self> = suits
            .into_iter()
            .map(|suit| Self {
                cards: suit.map(|cards| bits(cards).collect()),
                sets: BySeat::new_with(|seat| sets(suit, seat)),
                void_leads: BySeat::new_with(|_| Vec::new()),
            })
            .collect();
        for suit in 0..hands.len() {
            hands[suit].void_leads = BySeat::new_with(|seat| void_leads(cards, &hands, suit, seat));
        }
        Some(hands)
    }

    /// Counts the cards of one suit in the hand `hand` of `seat`.
    pub(super) fn held(&self, seat: Seat, hand: u64) -> usize {
        self.cards[seat].iter().filter(|&card| hand >> card & 1 == 1).count()
    }

    /// Counts the ways in which the two seats can hold given numbers of cards of one suit. Ways that differ only in identical cards count
    /// as one.
    pub(super) fn pairs(&self, sizes: BySeat<usize>) -> usize {
        self.sets.first.sets(sizes.first).len() * self.sets.second.sets(sizes.second).len()
    }

    /// Returns the index of the pair that consists of the two seats' cards of one suit in `hands`. The pair is numbered among all pairs
    /// with the same two numbers of cards.
    pub(super) fn pair(&self, hands: BySeat<u64>) -> usize {
        let local = |seat: Seat| {
            let cards = self.cards[seat].iter().enumerate();
            let local = cards.fold(0, |set, (i, card)| set | (hands[seat] >> card & 1) << i);
            self.sets[seat].places(local)
        };
        let (first, second) = (local(Seat::First), local(Seat::Second));
        let rest = self.sets.second.sets(second.count_ones() as usize).len();
        self.sets.first.number(first) * rest + self.sets.second.number(second)
    }

    /// Returns the void leads by `leader` with cards of one suit: the follower holds no card of this suit.
    pub(super) fn void_leads(&self, leader: Seat) -> &[VoidLead] {
        &self.void_leads[leader]
    }

    /// Returns all pairs of remaining hands in which `seat` can play a given card of the suit, as runs of consecutive indices. `kind` is
    /// the card's index among the different cards of the suit in the dealt hand of `seat`. Each run has the pairs' indices before and after
    /// the play. All pairs have the given sizes. The runs are ascending and as few as possible.
    pub(super) fn runs(&self, seat: Seat, kind: usize, sizes: BySeat<usize>) -> Vec<Run> {
        let kind = &self.sets[seat].kinds[kind];
        let len = |seat: Seat| self.sets[seat].sets(sizes[seat]).len();
        let fewer = self.sets[seat].sets(sizes[seat] - 1).len();
        let other = len(!seat);
        let own = self.sets[seat].sets(sizes[seat]).iter().enumerate();
        let own: Vec<(usize, usize)> = own
            .filter(|(_, set)| HandSets::holds(**set, kind))
            .map(|(i, set)| (i, self.sets[seat].number(HandSets::without(*set, kind))))
            .collect();
        let mut runs = Vec::new();
        match seat {
            Seat::First => {
                for (before, after) in own {
                    let (before, after) = (before * other, after * other);
                    Run { before, after, len: other }.add_to(&mut runs);
                }
            }
            Seat::Second => {
                for i in 0..other {
                    for (before, after) in &own {
                        let (before, after) = (i * len(seat) + before, i * fewer + after);
                        Run { before, after, len: 1 }.add_to(&mut runs);
                    }
                }
            }
        }
        runs
    }

    fn all_moves(&self, cards: &DealCards, leader: Seat) -> Vec<Vec<PairMoves>> {
        let sizes = |seat: Seat| 0..=self.cards[seat].len();
        sizes(Seat::First)
            .map(|first| {
                let moves = |second| self.moves_of(cards, leader, BySeat { first, second });
                sizes(Seat::Second).map(moves).collect()
            })
            .collect()
    }

    fn moves_of(&self, cards: &DealCards, leader: Seat, sizes: BySeat<usize>) -> PairMoves {
        let mut moves =
            PairMoves { leads_before: vec![0], answers_before: vec![0], answers: vec![] };
        if sizes.first == 0 || sizes.second == 0 {
            return moves;
        }
        let count = |of: usize| u32::try_from(of).unwrap_or(u32::MAX);
        let rest = self.sets.second.sets(sizes.second - 1).len();
        for &first in self.sets.first.sets(sizes.first) {
            for &second in self.sets.second.sets(sizes.second) {
                let held = BySeat { first, second };
                for led in self.kinds_in(leader, held) {
                    let lead = &cards.leads[leader][self.card(leader, led)];
                    for answer in self.kinds_in(!leader, held) {
                        let left = BySeat::new_with(|seat| {
                            let kind = if seat == leader { led } else { answer };
                            let sets = &self.sets[seat];
                            sets.number(HandSets::without(held[seat], &sets.kinds[kind]))
                        });
                        moves.answers.push(PairAnswer {
                            next: count(left.first * rest + left.second),
                            wins: lead.masks.wins_over(self.card(!leader, answer)),
                        });
                    }
                    moves.answers_before.push(count(moves.answers.len()));
                }
                moves.leads_before.push(count(moves.answers_before.len() - 1));
            }
        }
        moves
    }

    fn kinds_in(&self, seat: Seat, held: BySeat<u32>) -> impl Iterator<Item = usize> {
        let kinds = self.sets[seat].kinds.iter().enumerate();
        kinds.filter(move |(_, kind)| HandSets::holds(held[seat], kind)).map(|(i, _)| i)
    }

    /// Converts the kind number of a card to the card's index in the dealt hand. The kind number is the card's index among the suit's
    /// different cards. Of identical cards, the first is returned.
    fn card(&self, seat: Seat, kind: usize) -> usize {
        let place = self.sets[seat].kinds[kind].start;
        let local = self.sets[seat].place.iter().position(|p| *p == place);
        self.cards[seat][local.unwrap_or_default()]
    }

    /// Returns the kind number of a dealt card: its index among the suit's different cards. Returns `None` for a card of
    /// another suit, and for all but the first of identical cards.
    fn kind_of(&self, seat: Seat, card: usize) -> Option<usize> {
        (0..self.sets[seat].kinds.len()).find(|&kind| self.card(seat, kind) == card)
    }
}

fn void_leads(cards: &DealCards, suits: &[SuitHands], suit: usize, leader: Seat) -> Vec<VoidLead> {
    let own = &suits[suit];
    let leads = (0..own.sets[leader].kinds.len()).map(|kind| {
        let lead = &cards.leads[leader][own.card(leader, kind)];
        let answers = bits(lead.masks.tiers()[1]).filter_map(|card| {
            let found = suits.iter().enumerate();
            let mut found = found.filter_map(|(i, of)| Some((i, of.kind_of(!leader, card)?)));
            let (suit, kind) = found.next()?;
            Some(VoidAnswer { suit, kind, wins: lead.masks.wins_over(card) })
        });
        VoidLead { kind, value: lead.value, answers: answers.collect() }
    });
    leads.collect()
}

impl PairMoves {
    /// Returns all leads from a pair of hands, each as the list of its answers.
    #[inline]
    pub(super) fn leads(&self, pair: usize) -> impl Iterator<Item = &[PairAnswer]> + Clone {
        let leads = self.leads_before[pair] as usize..self.leads_before[pair + 1] as usize;
        let bounds = &self.answers_before[leads.start..=leads.end];
        bounds.windows(2).map(|bounds| &self.answers[bounds[0] as usize..bounds[1] as usize])
    }
}
