//! Defines decks of cards, with ordered suits and ranks and a number for each card.

use alloc::string::String;
use alloc::vec::Vec;

use crate::cards::card::{Card, CardSet, Rank, Suit};

/// Maximum number of cards in a deck, chosen so that deal numbers and positions fit in 64 bits.
pub const MAX_DECK: usize = 60;

/// Letter, name and symbol of a suit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SuitFace {
    /// Lower-case ASCII letter of the suit, unique among the suits, such as `c`.
    pub letter: char,
    /// Name of the suit, such as `clubs`.
    pub name: String,
    /// Alternative symbol of the suit that parsers accept, such as `♣`.
    pub symbol: Option<char>,
}

/// Letter, name and point value of a rank.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RankFace {
    /// Upper-case ASCII letter or digit of the rank, unique among the ranks, such as `A`.
    pub letter: char,
    /// Name of the rank in the singular, such as `ace`.
    pub name: String,
    /// Base points of a mate with a card of the rank, from 1 to 1,000, before any factor is applied.
    ///
    /// The values need not follow the order of the ranks: a 7 is the lowest card of the single
    /// deck, but scores more than a king.
    pub value: u16,
}

/// Deck of cards, numbered by suit and rank from high to low, with identical cards adjacent.
///
/// Every `Deck` has an even number of cards from 4 to [`MAX_DECK`], all of suits and ranks of the
/// deck.
///
/// ```
/// use overmate_rules::RuleSet;
/// let rules = RuleSet::named("sackson")?;
/// let deck = rules.deck();
/// let king = deck.read_card("Kc")?;
/// assert_eq!((deck.rank_name(king.rank), deck.suit_name(king.suit)), ("king", "clubs"));
/// assert_eq!(deck.value(king), 4);
/// assert_eq!(deck.of_rank(king.rank).len(), 4);
/// assert_eq!(deck.cards().len(), 20);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Deck {
    suits: Vec<SuitFace>,
    ranks: Vec<RankFace>,
    cards: Vec<Card>,
    of_suit: Vec<CardSet>,
    of_rank: Vec<CardSet>,
}

impl Deck {
    /// Creates a deck by sorting and numbering the cards by suit and rank. The caller has checked
    /// that the suits and ranks of the cards exist.
    pub(crate) fn lay_out(
        suits: Vec<SuitFace>,
        ranks: Vec<RankFace>,
        mut cards: Vec<Card>,
    ) -> Self {
        cards.sort_unstable();
        let gather = |wanted: &dyn Fn(Card) -> bool| -> CardSet {
            let slots = (0u8..).zip(&cards).filter(|(_, card)| wanted(**card));
            slots.map(|(slot, _)| slot).collect()
        };
        let of_suit = (0u8..).zip(&suits).map(|(i, _)| gather(&|c| c.suit == Suit(i))).collect();
        let of_rank = (0u8..).zip(&ranks).map(|(i, _)| gather(&|c| c.rank == Rank(i))).collect();
        Self { suits, ranks, cards, of_suit, of_rank }
    }

    /// Returns the suits of the deck, the highest first.
    #[must_use]
    pub fn suits(&self) -> &[SuitFace] {
        &self.suits
    }

    /// Returns the ranks of the deck, the highest first.
    #[must_use]
    pub fn ranks(&self) -> &[RankFace] {
        &self.ranks
    }

    /// Returns the cards of the deck, indexed by the card numbers from 0.
    #[must_use]
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// Returns the number of cards in a dealt hand: half of the deck.
    #[must_use]
    pub fn hand_size(&self) -> u8 {
        u8::try_from(self.cards.len() / 2).unwrap_or(u8::MAX)
    }

    /// Returns the set of all cards of the deck.
    #[must_use]
    pub fn all(&self) -> CardSet {
        self.of_suit.iter().copied().collect()
    }

    /// Returns the card with a given index in the deck.
    ///
    /// # Panics
    ///
    /// Panics if the deck has no card with this index.
    #[must_use]
    pub fn card_at(&self, slot: u8) -> Card {
        self.cards[usize::from(slot)]
    }

    /// Returns the set of all cards of a suit in the deck. The set is empty if the deck has no such suit.
    #[must_use]
    pub fn of_suit(&self, suit: Suit) -> CardSet {
        self.of_suit.get(usize::from(suit.0)).copied().unwrap_or_default()
    }

    /// Returns the set of all cards of a rank in the deck. The set is empty if the deck has no such rank.
    #[must_use]
    pub fn of_rank(&self, rank: Rank) -> CardSet {
        self.of_rank.get(usize::from(rank.0)).copied().unwrap_or_default()
    }

    /// Returns the set of all copies of a card in the deck. The set is empty if the card is not in the deck.
    #[must_use]
    pub fn slots_of(&self, card: Card) -> CardSet {
        self.of_suit(card.suit) & self.of_rank(card.rank)
    }

    /// Returns the distinct cards of a set, in the order of the deck. Identical cards are returned
    /// once.
    pub fn distinct(&self, set: CardSet) -> impl Iterator<Item = Card> + '_ {
        let mut last = None;
        set.slots().filter_map(move |slot| {
            let card = *self.cards.get(usize::from(slot))?;
            (last != Some(card)).then(|| {
                last = Some(card);
                card
            })
        })
    }

    /// Returns a set of cards without the duplicates of identical cards: only the copy with the lowest index stays.
    pub(crate) fn distinct_slots(&self, set: CardSet) -> CardSet {
        let is_new = |slot: &u8| {
            set & self.slots_of(self.card_at(*slot)) & CardSet::lowest(u32::from(*slot))
                == CardSet::EMPTY
        };
        set.slots().filter(is_new).collect()
    }

    /// Returns all cards of a set, including duplicates, in the order of the deck. Identical cards
    /// are returned once for each copy in the set.
    pub fn cards_of(&self, set: CardSet) -> impl Iterator<Item = Card> + '_ {
        set.slots().filter_map(|slot| self.cards.get(usize::from(slot)).copied())
    }

    /// Returns the base points of a mate with a card before any factor is applied, or 0 if the deck
    /// lacks the card's rank.
    #[must_use]
    pub fn value(&self, card: Card) -> u16 {
        self.ranks.get(usize::from(card.rank.0)).map_or(0, |rank| rank.value)
    }

    /// Returns the name of a suit, such as `hearts`, or an empty string if the deck does not have the suit.
    #[must_use]
    pub fn suit_name(&self, suit: Suit) -> &str {
        self.suits.get(usize::from(suit.0)).map_or("", |face| &face.name)
    }

    /// Returns the name of a rank, such as `king`, or an empty string if the deck does not have the rank.
    #[must_use]
    pub fn rank_name(&self, rank: Rank) -> &str {
        self.ranks.get(usize::from(rank.0)).map_or("", |face| &face.name)
    }

    /// Canonicalises two hands: if the hands share identical cards, seat `First` gets the copies with the lower indices.
    ///
    /// Canonical hands are equal if they hold the same cards.
    pub(crate) fn settle(&self, first: CardSet, second: CardSet) -> (CardSet, CardSet) {
        if first.len() + second.len() == 0 || self.all_distinct() {
            return (first, second);
        }
        let (mut low, mut high) = (CardSet::EMPTY, CardSet::EMPTY);
        for card in self.distinct(self.all()) {
            let copies = self.slots_of(card);
            let mut slots = copies.slots();
            let (of_first, of_second) = ((first & copies).len(), (second & copies).len());
            low |= slots.by_ref().take(of_first as usize).collect();
            high |= slots.take(of_second as usize).collect();
        }
        (low, high)
    }

    /// Returns whether the deck has no two identical cards.
    #[must_use]
    pub fn all_distinct(&self) -> bool {
        self.cards.windows(2).all(|pair| pair[0] != pair[1])
    }
}
