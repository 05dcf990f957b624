//! The catalogue: the published rule sets and variations as data, and their names.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::cards::{Card, Rank, RankFace, Suit, SuitFace};
use crate::rule_set::draft::{Face, Foreplacing, OvermateFor, Privilege, RuleSetDraft, SoleReward};
use crate::rule_set::rule_set::RuleSet;
use crate::text::format_names;

/// A published text of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Base {
    /// The name of the rule set.
    pub name: &'static str,
    /// Where it was published.
    pub source: &'static str,
    foreplacing: Option<Foreplacing>,
    deck: DeckData,
    double: DeckData,
    on_demand: bool,
    rounds: u8,
}

/// A variation. It combines with every base, and with every other variation whose deck has the cards for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variation {
    /// The name, as it follows a `+`.
    pub name: &'static str,
    /// What it changes, in one sentence.
    pub summary: &'static str,
    change: Change,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    Double,
    Pinochle,
    FreeMove,
    Privilege(&'static str),
    NoForeplacing,
}

/// A deck as data: `cards` holds, suit by suit, the rank letters of its cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct DeckData {
    suits: &'static [(char, &'static str, Option<char>)],
    ranks: &'static [(char, &'static str, u16)],
    cards: &'static [&'static str],
}

const FRENCH_SUITS: &[(char, &str, Option<char>)] = &[
    ('c', "clubs", Some('♣')),
    ('s', "spades", Some('♠')),
    ('h', "hearts", Some('♥')),
    ('d', "diamonds", Some('♦')),
];
const FRENCH_RANKS: &[(char, &str, u16)] =
    &[('A', "ace", 11), ('T', "ten", 10), ('K', "king", 4), ('Q', "queen", 3), ('7', "seven", 7)];
const CHESS_SUITS: &[(char, &str, Option<char>)] =
    &[('b', "blue", None), ('g', "green", None), ('y', "yellow", None), ('r', "red", None)];
const CHESS_RANKS: &[(char, &str, u16)] = &[
    ('K', "king", 11),
    ('Q', "queen", 10),
    ('R', "rook", 7),
    ('B', "bishop", 4),
    ('N', "knight", 3),
];

const SINGLE: DeckData =
    DeckData { suits: FRENCH_SUITS, ranks: FRENCH_RANKS, cards: &["ATKQ7"; 4] };
const DOUBLE: DeckData = DeckData {
    suits: FRENCH_SUITS,
    ranks: FRENCH_RANKS,
    cards: &["ATK77", "ATKK7", "ATTK7", "AATK7"],
};
const CHESS: DeckData = DeckData { suits: CHESS_SUITS, ranks: CHESS_RANKS, cards: &["KQRBN"; 4] };
const CHESS_DOUBLE: DeckData = DeckData {
    suits: CHESS_SUITS,
    ranks: CHESS_RANKS,
    cards: &["KQRNN", "KQRRN", "KQQRN", "KKQRN"],
};
const PINOCHLE: DeckData = DeckData {
    suits: FRENCH_SUITS,
    ranks: &[
        ('A', "ace", 11),
        ('T', "ten", 10),
        ('K', "king", 4),
        ('Q', "queen", 3),
        ('J', "jack", 2),
        ('9', "nine", 9),
    ],
    cards: &["AATTKKQQJJ99"; 4],
};

const SHOWN: Foreplacing = Foreplacing {
    face: Face::Up,
    second_restricted: true,
    sole: SoleReward::OneMoveMore,
    overmate: OvermateFor::Either,
};

/// The published rule sets; the first is the default.
pub const BASES: [Base; 5] = [
    Base {
        name: "sackson",
        source: "Sid Sackson, A Gamut of Games, 1969, after G. Capellen, Zwei neue Kriegspiele!, Hanover 1915",
        foreplacing: Some(SHOWN),
        deck: SINGLE,
        double: DOUBLE,
        on_demand: false,
        rounds: 2,
    },
    Base {
        name: "pagat",
        source: "The page on pagat.com by Doran Gaston and John McLeod, 2016 and 2022",
        foreplacing: Some(Foreplacing { overmate: OvermateFor::Foreplacer, ..SHOWN }),
        deck: SINGLE,
        double: DOUBLE,
        on_demand: false,
        rounds: 2,
    },
    Base {
        name: "denexa",
        source: "The article of the card maker Denexa",
        foreplacing: Some(Foreplacing {
            face: Face::Down,
            second_restricted: false,
            overmate: OvermateFor::Foreplacer,
            ..SHOWN
        }),
        deck: SINGLE,
        double: DOUBLE,
        on_demand: false,
        rounds: 2,
    },
    Base {
        name: "bga",
        source: "The help page of Mate on Board Game Arena",
        foreplacing: None,
        deck: SINGLE,
        double: DOUBLE,
        on_demand: false,
        rounds: 2,
    },
    Base {
        name: "rael",
        source: "Patrick Rael's redesign with chess pieces, 2011",
        foreplacing: Some(Foreplacing {
            face: Face::Up,
            second_restricted: false,
            sole: SoleReward::Doubled,
            overmate: OvermateFor::Nobody,
        }),
        deck: CHESS,
        double: CHESS_DOUBLE,
        on_demand: true,
        rounds: 3,
    },
];

/// The variations, in the order in which a name lists them.
pub const VARIATIONS: [Variation; 6] = [
    Variation {
        name: "double",
        summary: "20 cards of which each suit holds one twice and lacks another",
        change: Change::Double,
    },
    Variation {
        name: "pinochle",
        summary: "The 48 cards of a Pinochle deck, 24 a hand",
        change: Change::Pinochle,
    },
    Variation {
        name: "free-move",
        summary: "Once in a game a follower may answer in rank although he could follow suit",
        change: Change::FreeMove,
    },
    Variation {
        name: "kings-privilege",
        summary: "A king must be answered with a king before the suit",
        change: Change::Privilege("K"),
    },
    Variation {
        name: "figure-privilege",
        summary: "Kings and queens must be answered in rank before the suit",
        change: Change::Privilege("KQ"),
    },
    Variation {
        name: "no-foreplacing",
        summary: "Nobody foreplaces: the game for beginners",
        change: Change::NoForeplacing,
    },
];

/// Why a text does not name a rule set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameFault {
    /// The first part is no base.
    #[error("there is no rule set `{name}`: it is {}", format_names(&BASES.map(|base| base.name)))]
    UnknownBase {
        /// What stands there.
        name: String,
    },
    /// A later part is no variation.
    #[error(
        "there is no variation `{name}`: it is {}",
        format_names(&VARIATIONS.map(|variation| variation.name))
    )]
    UnknownVariation {
        /// What stands there.
        name: String,
    },
    /// Two decks at once.
    #[error("`double` and `pinochle` are two decks: choose one")]
    TwoDecks,
    /// A privilege for a rank of which the deck has no card: the double deck of 20 has no queens.
    #[error("`{variation}` needs a {rank}, and the deck has none")]
    LacksRank {
        /// The name of the variation.
        variation: &'static str,
        /// What the rank is called.
        rank: &'static str,
    },
}

impl RuleSet {
    /// The rule set of a name: a base and any variations, `sackson+double+free-move`.
    ///
    /// Variations come in any order; one that changes nothing (`bga+no-foreplacing`) is allowed and
    /// does not appear in [`name`](Self::name).
    ///
    /// # Errors
    ///
    /// The first part of the name that means nothing, two decks at once, or a privilege for a rank that the
    /// deck lacks.
    pub fn named(name: &str) -> Result<Self, NameFault> {
        let mut parts = name.split('+').map(str::trim);
        let first = parts.next().unwrap_or_default();
        let base = BASES
            .iter()
            .find(|base| base.name == first)
            .ok_or_else(|| NameFault::UnknownBase { name: first.to_owned() })?;
        let mut changes = Vec::new();
        for part in parts {
            let variation = VARIATIONS
                .iter()
                .find(|variation| variation.name == part)
                .ok_or_else(|| NameFault::UnknownVariation { name: part.to_owned() })?;
            changes.push(variation.change);
        }
        build(base, &changes)
    }

    /// Every rule set that the bases and variations make, each once, simplest names first.
    #[must_use]
    pub fn catalogue() -> Vec<Self> {
        let mut sets: Vec<Self> = Vec::new();
        for base in &BASES {
            for chosen in 0u32..1 << VARIATIONS.len() {
                let changes: Vec<Change> = (0u32..)
                    .zip(&VARIATIONS)
                    .filter(|(i, _)| chosen >> i & 1 == 1)
                    .map(|(_, variation)| variation.change)
                    .collect();
                if let Ok(rules) = build(base, &changes)
                    && !sets.iter().any(|known| known.name() == rules.name())
                {
                    sets.push(rules);
                }
            }
        }
        sets
    }
}

fn build(base: &Base, changes: &[Change]) -> Result<RuleSet, NameFault> {
    let has = |change: Change| changes.contains(&change);
    let deck = match (has(Change::Double), has(Change::Pinochle)) {
        (true, true) => return Err(NameFault::TwoDecks),
        (true, false) => base.double,
        (false, true) => PINOCHLE,
        (false, false) => base.deck,
    };
    // The figure privilege includes the King's.
    let privilege = ["KQ", "K"].into_iter().find(|ranks| has(Change::Privilege(ranks)));
    let foreplacing = base.foreplacing.filter(|_| !has(Change::NoForeplacing));

    for variation in VARIATIONS.iter().filter(|variation| has(variation.change)) {
        let Change::Privilege(letters) = variation.change else { continue };
        let lacks = |letter: char| !deck.cards.iter().any(|ranks| ranks.contains(letter));
        let mut ranks = deck.ranks.iter();
        if let Some(rank) = ranks.find(|rank| letters.contains(rank.0) && lacks(rank.0)) {
            return Err(NameFault::LacksRank { variation: variation.name, rank: rank.1 });
        }
    }

    let mut name = String::from(base.name);
    for variation in &VARIATIONS {
        let told = has(variation.change)
            && match variation.change {
                Change::Privilege(ranks) => privilege == Some(ranks),
                Change::NoForeplacing => base.foreplacing.is_some(),
                _ => true,
            };
        if told {
            name.push('+');
            name.push_str(variation.name);
        }
    }
    let ranks_of = |letters: &str| {
        let known = (0u8..).zip(deck.ranks);
        known.filter(|(_, rank)| letters.contains(rank.0)).map(|(i, _)| Rank(i)).collect()
    };
    let draft = RuleSetDraft {
        name,
        suits: deck
            .suits
            .iter()
            .map(|&(letter, name, symbol)| SuitFace { letter, name: name.to_owned(), symbol })
            .collect(),
        ranks: deck
            .ranks
            .iter()
            .map(|&(letter, name, value)| RankFace { letter, name: name.to_owned(), value })
            .collect(),
        cards: cards_of(deck),
        foreplacing,
        privilege: privilege
            .map(|letters| Privilege { ranks: ranks_of(letters), on_demand: base.on_demand }),
        free_move: has(Change::FreeMove),
        rounds: base.rounds,
    };
    Ok(RuleSet::new(draft).expect("the catalogue holds valid rule sets only: tested one by one"))
}

fn cards_of(deck: DeckData) -> Vec<Card> {
    let rank_of = |letter: char| deck.ranks.iter().position(|rank| rank.0 == letter);
    let mut cards = Vec::new();
    for (suit, letters) in (0u8..).zip(deck.cards) {
        for rank in letters.chars().filter_map(rank_of).filter_map(|i| u8::try_from(i).ok()) {
            cards.push(Card { suit: Suit(suit), rank: Rank(rank) });
        }
    }
    cards
}
