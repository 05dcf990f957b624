//! All that can be left of a hand: its sets of cards by their size, identical cards taken as one.

use core::ops::Range;

use overmate_rules::Card;

/// No more cards are in a hand of which all sets are numbered.
pub(super) const MOST_CARDS: usize = 20;

/// A hand. Its cards have *places*, identical ones beside each other, and of identical ones those at the lower places
/// are played first. So there is one set of places for each set of cards that can be left.
pub(super) struct Hand {
    /// The place of each card, by its number in the hand.
    pub(super) place: Vec<usize>,
    /// The different cards: the places that each has.
    pub(super) kinds: Vec<Range<usize>>,
    /// By size: the sets in numeric order.
    sets: Vec<Vec<u32>>,
    /// The number of each set among those of its size.
    number: Vec<u32>,
}

/// The places of identical cards, side by side, in any order of the kinds.
fn kinds(cards: &[Card]) -> (Vec<usize>, Vec<Range<usize>>) {
    let (mut place, mut kinds): (Vec<usize>, Vec<Range<usize>>) =
        (vec![0; cards.len()], Vec::new());
    let mut next = 0;
    for (i, card) in cards.iter().enumerate() {
        if cards[..i].contains(card) {
            continue;
        }
        let first = next;
        for same in (i..cards.len()).filter(|&j| cards[j] == *card) {
            place[same] = next;
            next += 1;
        }
        kinds.push(first..next);
    }
    (place, kinds)
}

/// How many sets of each size can be left of a hand.
pub(super) fn counts(cards: &[Card]) -> Vec<u64> {
    let mut counts = vec![1];
    for kind in kinds(cards).1 {
        let mut more = vec![0; counts.len() + kind.len()];
        for (size, count) in counts.iter().enumerate() {
            for sum in &mut more[size..=size + kind.len()] {
                *sum += count;
            }
        }
        counts = more;
    }
    counts
}

/// A set of so many places from 0 on.
const fn below(places: usize) -> u32 {
    (1 << places) - 1
}

impl Hand {
    /// Numbers the sets of a hand of at most [`MOST_CARDS`].
    pub(super) fn new(cards: &[Card]) -> Self {
        let (place, kinds) = kinds(cards);
        let mut all = vec![0u32];
        // The kinds at the lower places change first, so the order is numeric.
        for kind in kinds.iter().rev() {
            let of_kind = |left: usize| below(kind.end) & !below(kind.end - left);
            let more = |&set: &u32| (0..=kind.len()).map(move |left| set | of_kind(left));
            all = all.iter().flat_map(more).collect();
        }
        let mut sets = vec![Vec::new(); cards.len() + 1];
        let mut number = vec![u32::MAX; 1 << cards.len()];
        for set in all {
            let of_size: &mut Vec<u32> = &mut sets[set.count_ones() as usize];
            number[set as usize] = u32::try_from(of_size.len()).unwrap_or(u32::MAX);
            of_size.push(set);
        }
        Self { place, kinds, sets, number }
    }

    /// The sets of a size in numeric order.
    pub(super) fn sets(&self, size: usize) -> &[u32] {
        &self.sets[size]
    }

    /// The number of a set among those of its size.
    pub(super) fn number(&self, set: u32) -> usize {
        self.number[set as usize] as usize
    }

    /// The set of places for cards by their numbers in the hand, in whose order identical ones have theirs.
    pub(super) fn places(&self, cards: u64) -> u32 {
        crate::deal::cards::bits(cards).fold(0, |set, card| set | 1 << self.place[card])
    }

    /// A set without one card of a kind that it holds.
    pub(super) fn without(set: u32, kind: &Range<usize>) -> u32 {
        let of_kind = set >> kind.start << kind.start;
        set & !(of_kind & of_kind.wrapping_neg())
    }

    /// Whether a set holds a card of a kind.
    pub(super) fn holds(set: u32, kind: &Range<usize>) -> bool {
        set & Self::all_of(kind) != 0
    }

    /// All places of a kind.
    pub(super) const fn all_of(kind: &Range<usize>) -> u32 {
        below(kind.end) & !below(kind.start)
    }

    /// The kind of the card at a place.
    pub(super) fn kind_at(&self, place: usize) -> &Range<usize> {
        &self.kinds[self.kinds.partition_point(|kind| kind.end <= place)]
    }
}
