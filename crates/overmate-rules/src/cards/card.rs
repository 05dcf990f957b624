//! Suits, ranks, cards, and sets of the cards of one deck.

use core::fmt;
use core::iter::FusedIterator;

/// A suit of a deck, by its place: 0 is the highest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Suit(pub u8);

/// A rank of a deck, by its place: 0 is the highest. A rank's value in points is the deck's to say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rank(pub u8);

/// What a card shows: its suit and rank. A deck may hold several identical cards.
///
/// The order is that of a deck's slots: suit by suit, and high to low.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Card {
    /// The suit.
    pub suit: Suit,
    /// The rank.
    pub rank: Rank,
}

impl Card {
    /// Whether this card, when led, wins the move against an answer that was legal.
    ///
    /// The higher of the suit wins, or the higher suit if rank was followed. Of identical cards the
    /// one led wins.
    #[must_use]
    pub fn wins_over(self, answer: Self) -> bool {
        if self.suit == answer.suit { self.rank <= answer.rank } else { self.suit < answer.suit }
    }
}

/// A set of cards of one deck of at most 64 cards, as a set of the deck's slots.
///
/// ```text
/// bit    0  1  2  3  4   5  6 …  19     (the single deck; the highest bit used is the deck's last)
/// slot  A♣ 10♣ K♣ Q♣ 7♣  A♠ 10♠ …  7♦
/// ```
///
/// Which card lies in a slot is the deck's to say ([`Deck::card_at`](crate::Deck::card_at)).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CardSet(pub u64);

impl CardSet {
    /// The set without cards.
    pub const EMPTY: Self = Self(0);

    /// The set of the lowest `n` slots (of all 64 if `n` is more).
    #[must_use]
    pub const fn lowest(n: u32) -> Self {
        if n >= 64 { Self(u64::MAX) } else { Self((1 << n) - 1) }
    }

    /// The set of one slot, below 64.
    #[must_use]
    pub const fn of_slot(slot: u8) -> Self {
        Self(1 << (slot & 63))
    }

    /// How many cards are in the set.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is no card in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the slot is in the set.
    #[must_use]
    pub const fn has_slot(self, slot: u8) -> bool {
        self.0 & Self::of_slot(slot).0 != 0
    }

    /// The cards in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The cards in either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The cards of this set that are not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The lowest slot, if there is one.
    #[must_use]
    pub const fn first_slot(self) -> Option<u8> {
        // A set of 64 bits has slots below 64.
        #[allow(clippy::cast_possible_truncation, reason = "at most 63 here")]
        if self.is_empty() { None } else { Some(self.0.trailing_zeros() as u8) }
    }

    /// The slots from low to high.
    #[must_use]
    pub const fn slots(self) -> Slots {
        Slots(self)
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.slots()).finish()
    }
}

/// The slots of a [`CardSet`], from low to high.
#[derive(Clone, Debug)]
pub struct Slots(CardSet);

impl Iterator for Slots {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let slot = self.0.first_slot()?;
        self.0.0 &= self.0.0 - 1;
        Some(slot)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Slots {}
impl FusedIterator for Slots {}
