//! Defines the catalogue of published rule sets and their named variations.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::cards::{Card, Rank, RankFace, Suit, SuitFace};
use crate::rule_set::draft::{Face, Foreplacing, OvermateFor, Privilege, RuleSetDraft, SoleReward};
use crate::rule_set::rule_set::RuleSet;
use crate::text::format_names;

/// Published rule set that can be played unchanged or with named variations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Base {
    /// Name of the published rule set, such as `sackson`.
    pub name: &'static str,
    /// Source of the rules, such as a book or website.
    pub source: &'static str,
    /// English title and summary of the rule set.
    pub english: Texts,
    /// German title and summary of the rule set.
    pub german: Texts,
    /// Pairs of a usual English game word and the word that the rule set's publication uses instead, such as `suit` and `colour`.
    pub own_words: &'static [(&'static str, &'static str)],
    foreplacing: Option<Foreplacing>,
    deck: DeckData,
    double: DeckData,
    on_demand: bool,
    rounds: u8,
}

/// Named variation, which changes a single rule of a published rule set. Variations combine with
/// every base and with each other if the deck has the cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variation {
    /// Name of the variation, such as `double` in the rule set name `sackson+double`.
    pub name: &'static str,
    /// English title and summary of the rule variation.
    pub english: Texts,
    /// German title and summary of the rule variation.
    pub german: Texts,
    change: Change,
}

/// Title and summary of a rule set or variation in one language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Texts {
    /// Title of a rule set or variation for use inside a sentence, such as `free move`.
    pub title: &'static str,
    /// Summary of a rule set or variation, in one sentence without a full stop.
    pub summary: &'static str,
}

impl Texts {
    /// Returns the title of the rule set or variation with a capital first letter, for use as a heading.
    #[must_use]
    pub fn heading(&self) -> String {
        let mut letters = self.title.chars();
        let mut heading: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        heading.push_str(letters.as_str());
        heading
    }
}

impl Variation {
    /// Returns whether the variation replaces the deck of the rule set. A rule set has at most one
    /// such variation.
    #[must_use]
    pub fn replaces_deck(&self) -> bool {
        match self.change {
            Change::Double | Change::Pinochle => true,
            Change::FreeMove | Change::Privilege(_) | Change::NoForeplacing => false,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    Double,
    Pinochle,
    FreeMove,
    Privilege(&'static str),
    NoForeplacing,
}

/// Constant data of a published deck: its suits, ranks and cards. `cards` holds the rank letters of the cards, one
/// string for each suit.
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

/// Pairs of a common game word and its replacement in the published rules of `rael`, such as `suit` and `colour`.
const RAELS_WORDS: &[(&str, &str)] = &[
    ("foreplacing", "sacrificing"),
    ("foreplace", "sacrifice"),
    ("foreplaces", "sacrifices"),
    ("foreplaced", "sacrificed"),
    ("suit", "colour"),
    ("suits", "colours"),
];

/// Published rule sets, without variations. The first is the default.
pub const BASES: [Base; 5] = [
    Base {
        name: "sackson",
        source: "Sid Sackson, A Gamut of Games, 1969, after G. Capellen, Zwei neue Kriegspiele!, Hanover 1915",
        english: Texts {
            title: "Sackson",
            summary: "The classic: each player may first take out a card, which makes their mates worth more",
        },
        german: Texts {
            title: "Sackson",
            summary: "Der Klassiker: Jeder darf zuerst eine Karte herausnehmen, das macht seine Matts teurer",
        },
        own_words: &[],
        foreplacing: Some(SHOWN),
        deck: SINGLE,
        double: DOUBLE,
        on_demand: false,
        rounds: 2,
    },
    Base {
        name: "pagat",
        source: "The page on pagat.com by Doran Gaston and John McLeod, 2016 and 2022",
        english: Texts {
            title: "Pagat",
            summary: "As the classic, but an overmate counts double only for the player who took out a card",
        },
        german: Texts {
            title: "Pagat",
            summary: "Wie der Klassiker, doch doppelt zählt ein Übermatt nur für den, der eine Karte herausnahm",
        },
        own_words: &[],
        foreplacing: Some(Foreplacing { overmate: OvermateFor::Foreplacer, ..SHOWN }),
        deck: SINGLE,
        double: DOUBLE,
        on_demand: false,
        rounds: 2,
    },
    Base {
        name: "denexa",
        source: "The article of the card maker Denexa",
        english: Texts {
            title: "Denexa",
            summary: "The card taken out lies face down: the only secret in the game",
        },
        german: Texts {
            title: "Denexa",
            summary: "Die herausgenommene Karte liegt verdeckt: das einzige Geheimnis im Spiel",
        },
        own_words: &[],
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
        english: Texts { title: "Board Game Arena", summary: "Simple: nobody takes out a card" },
        german: Texts {
            title: "Board Game Arena",
            summary: "Einfach: Niemand nimmt eine Karte heraus",
        },
        own_words: &[],
        foreplacing: None,
        deck: SINGLE,
        double: DOUBLE,
        on_demand: false,
        rounds: 2,
    },
    Base {
        name: "rael",
        source: "Patrick Rael's redesign with chess pieces, 2011",
        english: Texts {
            title: "Rael",
            summary: "With chess pieces, three rounds, and double points for a sole sacrifice",
        },
        german: Texts {
            title: "Rael",
            summary: "Mit Schachfiguren, drei Runden und doppelten Punkten für ein einseitiges Opfer",
        },
        own_words: RAELS_WORDS,
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

/// Variations of the published rule sets, in the order in which rule set names list them.
pub const VARIATIONS: [Variation; 6] = [
    Variation {
        name: "double",
        english: Texts {
            title: "double deck",
            summary: "20 cards, of which each suit holds one twice and lacks another",
        },
        german: Texts {
            title: "doppelte Karten",
            summary: "20 Karten, in jeder Farbe eine doppelt, dafür fehlt eine andere",
        },
        change: Change::Double,
    },
    Variation {
        name: "pinochle",
        english: Texts {
            title: "Pinochle deck",
            summary: "The 48 cards of a Pinochle deck, 24 a hand",
        },
        german: Texts {
            title: "Pinochle-Karten",
            summary: "Die 48 Karten eines Pinochle-Spiels, 24 in jedem Blatt",
        },
        change: Change::Pinochle,
    },
    Variation {
        name: "free-move",
        english: Texts {
            title: "free move",
            summary: "Once in a game, a follower may answer in rank while holding the suit",
        },
        german: Texts {
            title: "freier Zug",
            summary: "Einmal im Spiel darf im Rang geantwortet werden, obwohl die Farbe da ist",
        },
        change: Change::FreeMove,
    },
    Variation {
        name: "kings-privilege",
        english: Texts {
            title: "king’s privilege",
            summary: "A king must be answered with a king before the suit, in Rael’s rules only on demand",
        },
        german: Texts {
            title: "Königsvorrecht",
            summary: "Auf einen König muss ein König antworten, erst danach die Farbe; bei Rael nur auf Forderung",
        },
        change: Change::Privilege("K"),
    },
    Variation {
        name: "figure-privilege",
        english: Texts {
            title: "figure privilege",
            summary: "Kings and queens must be answered in rank before the suit, in Rael’s rules only on demand",
        },
        german: Texts {
            title: "Figurenvorrecht",
            summary: "Auf Könige und Damen muss im Rang geantwortet werden, erst danach in der Farbe; bei Rael nur auf Forderung",
        },
        change: Change::Privilege("KQ"),
    },
    Variation {
        name: "no-foreplacing",
        english: Texts {
            title: "no foreplacing",
            summary: "Nobody foreplaces: the game for beginners",
        },
        german: Texts {
            title: "kein Vorlegen",
            summary: "Niemand legt vor: das Spiel für Anfänger",
        },
        change: Change::NoForeplacing,
    },
];

/// Names of the variations for which this project publishes the solved values of all deals. The values are in `docs/solved.md`, and
/// their hashes are in the solver's data.
///
/// A new variation belongs to the catalogue at once, but to this list only if its values are to be
/// published. The Pinochle deck has too many deals to solve every deal.
const VARIATIONS_WITH_PUBLISHED_VALUES: [&str; 5] =
    ["double", "free-move", "kings-privilege", "figure-privilege", "no-foreplacing"];

/// Reason why a string is not the name of a rule set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NameFault {
    /// The name of the published rule set is missing: the string is empty, or has no known variation after an initial `+`.
    #[error("the name of a rule set is missing: use {}", format_names(&BASES.map(|base| base.name)))]
    MissingBase,
    /// The first part of the rule set's name is not the name of a published rule set.
    #[error("there is no rule set `{name}`: use {}", format_names(&BASES.map(|base| base.name)))]
    UnknownBase {
        /// First part of the rejected rule set name, where the name of a published rule set is required.
        name: String,
    },
    /// The rule set's name begins with a variation instead of a published rule set.
    #[error("`{name}` is a variation of a rule set: write for example {}+{name}", BASES[0].name)]
    VariationAlone {
        /// Name of the rule variation, such as `double`, that was given without a rule set before it.
        name: &'static str,
    },
    /// The rule set's name contains an unknown variation.
    #[error(
        "there is no variation `{name}`: use {}",
        format_names(&VARIATIONS.map(|variation| variation.name))
    )]
    UnknownVariation {
        /// Part of the rejected rule set name that is not the name of a variation.
        name: String,
    },
    /// The rule set's name contains a `+` without a variation after it.
    #[error(
        "the name of a rule set has nothing after a `+`: leave the `+` out, or add {}",
        format_names(&VARIATIONS.map(|variation| variation.name))
    )]
    EmptyVariation,
    /// The rule set's name contains two variations that both replace the deck.
    #[error("the variations `double` and `pinochle` both replace the deck: choose one of them")]
    TwoDecks,
    /// The rule set's name contains a variation that privileges a rank without cards in the deck.
    #[error(
        "the variation `{variation}` needs a {rank}, which the deck does not have: leave the variation out"
    )]
    LacksRank {
        /// Name of the variation that privileges a rank without cards in the deck.
        variation: &'static str,
        /// Name of the privileged rank of which the deck has no card.
        rank: &'static str,
    },
}

impl RuleSet {
    /// Returns the rule set with a given name, such as `sackson` or, with two variations,
    /// `sackson+double+free-move`.
    ///
    /// The variations may be in any order. A variation that changes nothing (`bga+no-foreplacing`)
    /// is allowed and does not appear in [`name`](Self::name).
    ///
    /// ```
    /// use overmate_rules::RuleSet;
    /// let rules = RuleSet::named("pagat+free-move+double")?;
    /// assert_eq!(rules.name(), "pagat+double+free-move");
    /// assert!(rules.free_move());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for the first unknown part of the name, for two decks, and for a privilege of a rank that
    /// the deck lacks.
    pub fn named(name: &str) -> Result<Self, NameFault> {
        let mut parts = name.split('+').map(str::trim);
        let first = parts.next().unwrap_or_default();
        let variation = |name: &str| VARIATIONS.iter().find(|variation| variation.name == name);
        let base = BASES.iter().find(|base| base.name == first).ok_or_else(|| {
            // In a rule set name such as `+double`, the part before the plus sign is empty, and the part after it is a variation.
            let alone = if first.is_empty() { parts.next().unwrap_or_default() } else { first };
            match variation(alone) {
                Some(variation) => NameFault::VariationAlone { name: variation.name },
                None if first.is_empty() => NameFault::MissingBase,
                None => NameFault::UnknownBase { name: first.to_owned() },
            }
        })?;
        let mut changes = Vec::new();
        for part in parts {
            let variation = variation(part).ok_or_else(|| match part {
                "" => NameFault::EmptyVariation,
                name => NameFault::UnknownVariation { name: name.to_owned() },
            })?;
            changes.push(variation.change);
        }
        build(base, &changes)
    }

    /// Returns every published rule set, alone and with each allowed combination of variations, in catalogue order.
    ///
    /// ```
    /// use overmate_rules::RuleSet;
    /// let catalogue = RuleSet::catalogue();
    /// assert_eq!(catalogue[0].name(), "sackson");
    /// assert!(catalogue.contains(&RuleSet::named("rael+double+free-move")?));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
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

    /// Returns the published rule set on which the rule set is based, or `None` for a custom rule set.
    #[must_use]
    pub fn base(&self) -> Option<&'static Base> {
        let name = self.name().split('+').next()?;
        let base = BASES.iter().find(|base| base.name == name)?;
        (Self::named(self.name()).as_ref() == Ok(self)).then_some(base)
    }

    /// Replaces the usual game words in an English text by the words that the publication of the rule set uses.
    ///
    /// ```
    /// use overmate_rules::RuleSet;
    /// let text = "Foreplace a card, or follow suit";
    /// assert_eq!(RuleSet::named("sackson")?.in_own_words(text), text);
    /// let expected = "Sacrifice a card, or follow colour";
    /// assert_eq!(RuleSet::named("rael+double")?.in_own_words(text), expected);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn in_own_words(&self, text: &str) -> String {
        let own_words = self.base().map_or(&[][..], |base| base.own_words);
        let mut out = String::with_capacity(text.len());
        for part in text.split_inclusive(|c: char| !c.is_ascii_alphabetic()) {
            let word = part.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
            let own = own_words.iter().find(|(usual, _)| usual.eq_ignore_ascii_case(word));
            match own {
                None => out.push_str(word),
                Some((_, own)) if word.starts_with(|c: char| c.is_ascii_uppercase()) => {
                    let (first, rest) = own.split_at(1);
                    out.push_str(&first.to_ascii_uppercase());
                    out.push_str(rest);
                }
                Some((_, own)) => out.push_str(own),
            }
            out.push_str(&part[word.len()..]);
        }
        out
    }

    /// Returns the rule sets for which this project publishes the exact value of every deal, in catalogue order. The decks of all these
    /// rule sets have 20 cards.
    ///
    /// ```
    /// use overmate_rules::RuleSet;
    /// let published = RuleSet::with_published_values();
    /// assert!(published.contains(&RuleSet::named("sackson+double")?));
    /// assert!(!published.contains(&RuleSet::named("sackson+pinochle")?));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_published_values() -> Vec<Self> {
        let mut sets = Self::catalogue();
        sets.retain(|rules| {
            rules
                .name()
                .split('+')
                .skip(1)
                .all(|name| VARIATIONS_WITH_PUBLISHED_VALUES.contains(&name))
        });
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
    // The figure privilege covers kings and queens, so that it includes the king's privilege, which covers only kings.
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
                Change::Double | Change::Pinochle | Change::FreeMove => true,
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
    Ok(RuleSet::new(draft).expect("each rule set of the catalogue is valid, as tests check"))
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
