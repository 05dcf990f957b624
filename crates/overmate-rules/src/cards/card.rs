//! Defines suits, ranks, cards, and sets of cards of one deck.

use core::fmt::{self, Write as _};
use core::iter::FusedIterator;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

/// Suit of a deck, stored as its index in the deck's list of suits, where 0 is the highest suit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Suit(pub u8);

/// Rank of a deck, stored as its index in the deck's list of ranks, where 0 is the highest rank.
/// The deck defines how many points a rank scores.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(pub u8);

/// Playing card, identified by its suit and rank. A deck may hold several identical cards.
///
/// Cards are ordered suit by suit, and from high to low within a suit.
///
/// # Debug output
///
/// A card stores indices rather than letters, because every deck has its own letters. `Debug`
/// prints the letters of the single deck of `sackson` for every deck, and `#5` for an index without
/// such a letter. [`Deck::card_text`](crate::Deck::card_text) prints the letters of the card's own
/// deck.
///
/// ```
/// use overmate_rules::RuleSet;
/// let sackson = RuleSet::named("sackson")?;
/// let rael = RuleSet::named("rael")?;
/// assert_eq!(format!("{:?}", sackson.deck().read_card("Kc")?), "Kc");
/// let rook = rael.deck().read_card("Rb")?;
/// assert_eq!(format!("{rook:?}"), "Kc");
/// assert_eq!(format!("{:?}", rael.deck().card_text(rook)), "Rb");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card {
    /// Suit of the card.
    pub suit: Suit,
    /// Rank of the card.
    pub rank: Rank,
}

impl Card {
    /// Returns whether a led card wins the move against the legal answer `answer`.
    ///
    /// If the answer is in the led suit, the card of the higher rank wins. If the answer is in the led rank, the card of the higher suit
    /// wins. Of two identical cards the led card wins.
    #[must_use]
    pub fn wins_over(self, answer: Self) -> bool {
        if self.suit == answer.suit { self.rank <= answer.rank } else { self.suit < answer.suit }
    }
}

/// Suit letters for the `Debug` output of a card, from the highest suit of the 20-card deck to the lowest.
const SUIT_LETTERS: [char; 4] = ['c', 's', 'h', 'd'];

/// Rank letters for the `Debug` output of a card, from the highest rank of the 20-card deck to the lowest.
const RANK_LETTERS: [char; 5] = ['A', 'T', 'K', 'Q', '7'];

/// Writes the letter at an index of `letters`, or `#` and the index if the list has no such letter.
fn write_letter(f: &mut fmt::Formatter<'_>, letters: &[char], index: u8) -> fmt::Result {
    match letters.get(usize::from(index)) {
        Some(letter) => f.write_char(*letter),
        None => write!(f, "#{index}"),
    }
}

impl fmt::Debug for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_letter(f, &SUIT_LETTERS, self.0)
    }
}

impl fmt::Debug for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_letter(f, &RANK_LETTERS, self.0)
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{:?}", self.rank, self.suit)
    }
}

/// Set of cards of a deck, stored as a 64-bit mask with one bit for each card.
///
/// ```text
/// bit    0  1  2  3  4   5  6 …  19     (single deck: bit 19 is the last card)
/// slot  A♣ 10♣ K♣ Q♣ 7♣  A♠ 10♠ …  7♦
/// ```
///
/// The method [`Deck::card_at`](crate::Deck::card_at) returns the card at an index. The operators
/// `&`, `|` and `-` make the intersection, the union and the difference of two sets.
///
/// # Debug output
///
/// A set of cards does not store its deck. `Debug` prints the cards of the single deck of
/// `sackson`, such as `Ac Td`, and slot numbers such as `{2, 25}` if a slot lies beyond that deck.
/// [`Deck::show`](crate::Deck::show) prints the cards of the set's own deck.
///
/// ```
/// use overmate_rules::{CardSet, RuleSet};
/// let rules = RuleSet::named("sackson")?;
/// let deck = rules.deck();
/// let king = deck.slots_of(deck.read_card("Kc")?);
/// let spades = deck.of_suit(deck.read_card("As")?.suit);
/// let set = king | spades - CardSet::from_iter([7, 8, 9]);
/// assert_eq!(format!("{set:?}"), "Kc As Ts");
/// assert_eq!(format!("{:?}", CardSet::from_iter([2, 25])), "{2, 25}");
/// assert!(king.is_subset(set) && (king & spades).is_empty());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CardSet(pub u64);

impl CardSet {
    /// Empty set of cards.
    pub const EMPTY: Self = Self(0);

    /// Returns the set of the `n` cards with the lowest indices in the deck, where `n` is at most 64.
    #[must_use]
    pub const fn lowest(n: u32) -> Self {
        if n >= 64 { Self(u64::MAX) } else { Self((1 << n) - 1) }
    }

    /// Returns the set of a single card, given the card's index in the deck, which must be below 64.
    #[must_use]
    pub const fn of_slot(slot: u8) -> Self {
        Self(1 << (slot & 63))
    }

    /// Returns the number of cards in the set.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether the set holds no card.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the set holds the card with a given index in the deck.
    #[must_use]
    pub const fn has_slot(self, slot: u8) -> bool {
        self.0 & Self::of_slot(slot).0 != 0
    }

    /// Returns whether every card of the set is also in the set `other`.
    #[must_use]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns the lowest card index in the set, or `None` if the set is empty.
    #[must_use]
    pub const fn first_slot(self) -> Option<u8> {
        // The index fits in 8 bits, because a set of 64 bits has indices below 64.
        #[allow(clippy::cast_possible_truncation, reason = "the index of a card is at most 63")]
        if self.is_empty() { None } else { Some(self.0.trailing_zeros() as u8) }
    }

    /// Returns an iterator over the indices of the cards in the set, from low to high.
    #[must_use]
    pub const fn slots(self) -> Slots {
        Slots(self)
    }
}

impl BitAnd for CardSet {
    type Output = Self;

    /// Returns the intersection of two sets of cards.
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for CardSet {
    type Output = Self;

    /// Returns the union of two sets of cards.
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Sub for CardSet {
    type Output = Self;

    /// Returns the difference of two sets of cards: the cards of `self` that are not in `other`.
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitAndAssign for CardSet {
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for CardSet {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl SubAssign for CardSet {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl FromIterator<u8> for CardSet {
    /// Collects card indices, each below 64, into a set of cards.
    fn from_iter<I: IntoIterator<Item = u8>>(slots: I) -> Self {
        slots.into_iter().map(Self::of_slot).collect()
    }
}

impl FromIterator<Self> for CardSet {
    /// Returns the union of the given sets of cards.
    fn from_iter<I: IntoIterator<Item = Self>>(sets: I) -> Self {
        sets.into_iter().fold(Self::EMPTY, |all, set| all | set)
    }
}

impl IntoIterator for CardSet {
    type Item = u8;
    type IntoIter = Slots;

    fn into_iter(self) -> Slots {
        self.slots()
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let single = SUIT_LETTERS.iter().flat_map(|suit| RANK_LETTERS.map(|rank| (rank, suit)));
        if self.is_empty() || self.slots().any(|slot| usize::from(slot) >= single.clone().count()) {
            return f.debug_set().entries(self.slots()).finish();
        }
        let mut blank = "";
        for (_, (rank, suit)) in (0u8..).zip(single).filter(|(slot, _)| self.has_slot(*slot)) {
            write!(f, "{blank}{rank}{suit}")?;
            blank = " ";
        }
        Ok(())
    }
}

/// Iterator over the indices of the cards in a [`CardSet`], from low to high.
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
