//! Assigns numbers to the possible remaining hands (subsets of a dealt hand) during a game, separately for each size. Subsets that differ
//! only in identical cards have one number.

use core::ops::Range;

use overmate_rules::Card;

use crate::deal::subsets::bits;

/// Maximum number of cards in a dealt hand whose subsets can all be numbered.
pub(super) const MOST_CARDS: usize = 20;

/// Numbering of all remaining hands (subsets of a dealt hand) during a game. Each card has a *place*, which is its index in the sorted
/// hand. Identical cards have neighbouring places, and the identical card at the lowest place is played first. Each multiset of remaining
/// cards therefore has exactly one set of places.
pub(super) struct HandSets {
    /// Index of each card in the sorted hand, in which identical cards are adjacent.
    pub(super) place: Vec<usize>,
    /// Index range in the sorted hand for each group of identical cards.
    pub(super) kinds: Vec<Range<usize>>,
    /// All possible remaining hands as bit sets of sorted card indices, grouped by size and in ascending order.
    sets: Vec<Vec<u32>>,
    /// Index of each possible remaining hand (subset of the dealt hand) in the list of all such hands of equal size. The entry of a hand
    /// stands at the index that equals its bit set.
    number: Vec<u32>,
}

/// Run of consecutive numbers of hands, or of pairs of hands, in all of which a given card can be played. The numbers stay consecutive when
/// the card is played.
pub(super) struct Run {
    /// Lowest number of the run before the card is played.
    pub(super) before: usize,
    /// Lowest number of the run after the card has been played.
    pub(super) after: usize,
    /// Count of the numbers in the run.
    pub(super) len: usize,
}

impl Run {
    /// Appends the run to a list, or extends the last run of the list if the numbers of both runs are consecutive.
    pub(super) fn add_to(self, runs: &mut Vec<Self>) {
        let next = |last: &Self| (last.before + last.len, last.after + last.len);
        match runs.last_mut() {
            Some(last) if next(last) == (self.before, self.after) => last.len += self.len,
            _ => runs.push(self),
        }
    }
}

/// Returns the index of each card and the index range of each group of identical cards in the sorted hand. Identical
/// cards are adjacent in the sorted hand.
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

/// Returns, for each hand size from 0, the number of different hands that can remain of a dealt hand.
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

/// Returns the bit set of all numbers from 0 to `places` - 1.
const fn below(places: usize) -> u32 {
    (1 << places) - 1
}

impl HandSets {
    /// Assigns numbers to all remaining hands (subsets) of a dealt hand of at most [`MOST_CARDS`] cards.
    pub(super) fn new(cards: &[Card]) -> Self {
        let (place, kinds) = kinds(cards);
        let mut all = vec![0u32];
        // The list `all` of bit sets stays in ascending order, because each pass of the loop adds only bits below the bits of earlier
        // passes.
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

    /// Returns all possible remaining hands (subsets of the dealt hand) of `size` cards, as bit sets in ascending order.
    pub(super) fn sets(&self, size: usize) -> &[u32] {
        &self.sets[size]
    }

    /// Returns the index of a possible remaining hand (subset of the dealt hand) among all such hands of equal size.
    pub(super) fn number(&self, set: u32) -> usize {
        self.number[set as usize] as usize
    }

    /// Converts a bit set of card numbers in the dealt hand to a bit set of indices in the sorted hand.
    pub(super) fn places(&self, cards: u64) -> u32 {
        bits(cards).fold(0, |set, card| set | 1 << self.place[card])
    }

    /// Removes from a bit set the lowest card of a group of identical cards. The group is given by
    /// the index range `kind`.
    pub(super) fn without(set: u32, kind: &Range<usize>) -> u32 {
        let of_kind = set >> kind.start << kind.start;
        set & !(of_kind & of_kind.wrapping_neg())
    }

    /// Returns whether a bit set contains a card of a group of identical cards. The group is given
    /// by the index range `kind`.
    pub(super) fn holds(set: u32, kind: &Range<usize>) -> bool {
        set & Self::all_of(kind) != 0
    }

    /// Returns the bit set of all cards of a group of identical cards. The group is given by the
    /// index range `kind`.
    pub(super) const fn all_of(kind: &Range<usize>) -> u32 {
        below(kind.end) & !below(kind.start)
    }

    /// Returns the index range of the group of identical cards that contains the card with the index `place`.
    pub(super) fn kind_at(&self, place: usize) -> &Range<usize> {
        &self.kinds[self.kinds.partition_point(|kind| kind.end <= place)]
    }
}
