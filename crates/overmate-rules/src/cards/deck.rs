//! A deck: its suits and ranks from high to low, and the cards in its slots.

use alloc::string::String;
use alloc::vec::Vec;

use crate::cards::card::{Card, CardSet, Rank, Suit};

/// The most cards that a deck can have, so that deal numbers and positions fit in 64 bits.
pub const MAX_DECK: usize = 60;

/// How a suit is written and called.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SuitFace {
    /// One lower-case ASCII letter, unique among the suits: `c`.
    pub letter: char,
    /// What it is called: `clubs`.
    pub name: String,
    /// A sign for it that reading accepts beside the letter: `♣`.
    pub symbol: Option<char>,
}

/// How a rank is written and called, and what it scores.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RankFace {
    /// One upper-case ASCII letter or a digit, unique among the ranks: `A`.
    pub letter: char,
    /// What it is called, in the singular: `ace`.
    pub name: String,
    /// The points of a card of this rank, 1 to 1,000. It is not bound to the order of the ranks: a 7
    /// is the lowest card of the single deck and scores more than a king.
    pub value: u16,
}

/// A deck whose cards lie in slots: suit by suit, high to low, identical cards in neighbouring slots.
///
/// A deck that exists has 4 to 60 cards, an even number, and each of its cards has a suit and rank of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Deck {
    suits: Vec<SuitFace>,
    ranks: Vec<RankFace>,
    cards: Vec<Card>,
    of_suit: Vec<CardSet>,
    of_rank: Vec<CardSet>,
}

impl Deck {
    /// Lays out a deck; the caller has checked that the cards have suits and ranks of it.
    pub(crate) fn lay_out(
        suits: Vec<SuitFace>,
        ranks: Vec<RankFace>,
        mut cards: Vec<Card>,
    ) -> Self {
        cards.sort_unstable();
        let gather = |wanted: &dyn Fn(Card) -> bool| {
            let slots = (0u8..).zip(&cards).filter(|(_, card)| wanted(**card));
            slots.fold(CardSet::EMPTY, |set, (slot, _)| set.or(CardSet::of_slot(slot)))
        };
        let of_suit = (0u8..).zip(&suits).map(|(i, _)| gather(&|c| c.suit == Suit(i))).collect();
        let of_rank = (0u8..).zip(&ranks).map(|(i, _)| gather(&|c| c.rank == Rank(i))).collect();
        Self { suits, ranks, cards, of_suit, of_rank }
    }

    /// The suits, the highest first.
    #[must_use]
    pub fn suits(&self) -> &[SuitFace] {
        &self.suits
    }

    /// The ranks, the highest first.
    #[must_use]
    pub fn ranks(&self) -> &[RankFace] {
        &self.ranks
    }

    /// The card in each slot.
    #[must_use]
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// How many cards each player is dealt: half the deck.
    #[must_use]
    pub fn hand_size(&self) -> u8 {
        u8::try_from(self.cards.len() / 2).unwrap_or(u8::MAX)
    }

    /// Every slot of the deck.
    #[must_use]
    pub fn all(&self) -> CardSet {
        self.of_suit.iter().fold(CardSet::EMPTY, |all, suit| all.or(*suit))
    }

    /// The card in a slot.
    ///
    /// # Panics
    ///
    /// If the deck has no such slot.
    #[must_use]
    pub fn card_at(&self, slot: u8) -> Card {
        self.cards[usize::from(slot)]
    }

    /// The slots of a suit; none if the deck has no such suit.
    #[must_use]
    pub fn of_suit(&self, suit: Suit) -> CardSet {
        self.of_suit.get(usize::from(suit.0)).copied().unwrap_or_default()
    }

    /// The slots of a rank; none if the deck has no such rank.
    #[must_use]
    pub fn of_rank(&self, rank: Rank) -> CardSet {
        self.of_rank.get(usize::from(rank.0)).copied().unwrap_or_default()
    }

    /// The slots that hold this card; none if it is not in the deck.
    #[must_use]
    pub fn slots_of(&self, card: Card) -> CardSet {
        self.of_suit(card.suit).and(self.of_rank(card.rank))
    }

    /// The different cards of a set, high to low within each suit; identical ones once.
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

    /// Every card of a set in slot order, identical ones as often as they are there.
    pub fn cards_of(&self, set: CardSet) -> impl Iterator<Item = Card> + '_ {
        set.slots().filter_map(|slot| self.cards.get(usize::from(slot)).copied())
    }

    /// The points of a card, before any factor; 0 if its rank is not in the deck.
    #[must_use]
    pub fn value(&self, card: Card) -> u16 {
        self.ranks.get(usize::from(card.rank.0)).map_or(0, |rank| rank.value)
    }

    /// What a suit is called, such as `hearts`; empty if it is not in the deck.
    #[must_use]
    pub fn suit_name(&self, suit: Suit) -> &str {
        self.suits.get(usize::from(suit.0)).map_or("", |face| &face.name)
    }

    /// What a rank is called, such as `king`; empty if it is not in the deck.
    #[must_use]
    pub fn rank_name(&self, rank: Rank) -> &str {
        self.ranks.get(usize::from(rank.0)).map_or("", |face| &face.name)
    }

    /// The two hands with identical cards in the slots where they always lie: *first*'s copies in the
    /// lower ones. So hands that hold the same cards are equal.
    pub(crate) fn settle(&self, first: CardSet, second: CardSet) -> (CardSet, CardSet) {
        if first.len() + second.len() == 0 || self.all_distinct() {
            return (first, second);
        }
        let (mut low, mut high) = (CardSet::EMPTY, CardSet::EMPTY);
        for card in self.distinct(self.all()) {
            let mut slots = self.slots_of(card).slots();
            let mut take = |n: u32| {
                (0..n)
                    .filter_map(|_| slots.next())
                    .fold(CardSet::EMPTY, |set, slot| set.or(CardSet::of_slot(slot)))
            };
            low = low.or(take(first.and(self.slots_of(card)).len()));
            high = high.or(take(second.and(self.slots_of(card)).len()));
        }
        (low, high)
    }

    /// Whether no two cards of the deck are identical.
    #[must_use]
    pub fn all_distinct(&self) -> bool {
        self.cards.windows(2).all(|pair| pair[0] != pair[1])
    }
}
