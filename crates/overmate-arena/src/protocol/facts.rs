//! A rule set as facts: all that a program in any language needs to know of it.

use overmate_rules::{
    Card, Face, Foreplacing, OvermateFor, Privilege, Rank, RankFace, RuleSet, RuleSetDraft,
    SoleReward, Suit, SuitFace,
};
use serde::{Deserialize, Serialize};

/// A rule set. The fields are those of `overmate rules --json`, in their order.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct RulesWire {
    /// What it is called.
    pub name: String,
    /// Rounds in a match; each is two games with the hands exchanged.
    pub rounds: u8,
    /// Cards a hand.
    pub hand_size: u8,
    /// Whether there is a free move.
    pub free_move: bool,
    /// The deck.
    pub deck: DeckWire,
    /// Foreplacing, if there is any.
    pub foreplacing: Option<ForeplacingWire>,
    /// The privilege, if there is one.
    pub privilege: Option<PrivilegeWire>,
}

/// A deck; suits and ranks go from high to low.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct DeckWire {
    /// The suits.
    pub suits: Vec<SuitWire>,
    /// The ranks.
    pub ranks: Vec<RankWire>,
    /// Every card, identical ones as often as they are there.
    pub cards: Vec<String>,
}

/// A suit.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct SuitWire {
    /// How it is written.
    pub letter: char,
    /// What it is called.
    pub name: String,
    /// A sign for it.
    pub symbol: Option<char>,
}

/// A rank.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct RankWire {
    /// How it is written.
    pub letter: char,
    /// What it is called.
    pub name: String,
    /// The points of a card of this rank.
    pub value: u16,
}

/// How foreplacing works.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct ForeplacingWire {
    /// How the card lies.
    pub face: FaceWire,
    /// Whether the second player may not take a card of the suit or rank that the first took.
    pub second_restricted: bool,
    /// What a mate brings a sole foreplacer.
    pub sole: SoleWire,
    /// Who doubles with a mate in the extra last move.
    pub overmate: OvermateWire,
}

/// How a foreplaced card lies.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum FaceWire {
    /// Shown.
    Up,
    /// Hidden until the game ends.
    Down,
}

/// What a mate brings a sole foreplacer.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum SoleWire {
    /// It counts one move more.
    OneMoveMore,
    /// It is doubled.
    Doubled,
}

/// Who doubles with a mate in the extra last move.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum OvermateWire {
    /// Whoever gives it.
    Either,
    /// The foreplacer alone.
    Foreplacer,
    /// Nobody.
    Nobody,
}

/// Ranks that must be answered before the suit.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct PrivilegeWire {
    /// The letters of the ranks.
    pub ranks: Vec<char>,
    /// Whether the leader has to demand it.
    pub on_demand: bool,
}

impl RulesWire {
    /// The facts of a rule set.
    #[must_use]
    pub fn new(rules: &RuleSet) -> Self {
        let deck = rules.deck();
        let suit = |face: &SuitFace| SuitWire {
            letter: face.letter,
            name: face.name.clone(),
            symbol: face.symbol,
        };
        let rank = |face: &RankFace| RankWire {
            letter: face.letter,
            name: face.name.clone(),
            value: face.value,
        };
        Self {
            name: rules.name().to_owned(),
            rounds: rules.rounds(),
            hand_size: rules.hand_size(),
            free_move: rules.free_move(),
            deck: DeckWire {
                suits: deck.suits().iter().map(suit).collect(),
                ranks: deck.ranks().iter().map(rank).collect(),
                cards: deck.cards().iter().map(|card| deck.card_text(*card).to_string()).collect(),
            },
            foreplacing: rules.foreplacing().map(Into::into),
            privilege: rules.privilege().map(|privilege| PrivilegeWire {
                ranks: privilege.ranks.iter().map(|rank| letter(rules, *rank)).collect(),
                on_demand: privilege.on_demand,
            }),
        }
    }

    /// The rule set of these facts.
    ///
    /// # Errors
    ///
    /// What is wrong with them, in words.
    pub fn rule_set(&self) -> Result<RuleSet, String> {
        let ranks = &self.deck.ranks;
        let rank = |letter: char| {
            let place = ranks.iter().position(|rank| rank.letter == letter);
            place.and_then(|place| u8::try_from(place).ok()).map(Rank)
        };
        let suit = |letter: char| {
            let place = self.deck.suits.iter().position(|suit| suit.letter == letter);
            place.and_then(|place| u8::try_from(place).ok()).map(Suit)
        };
        let card = |text: &String| {
            let mut letters = text.chars();
            let card = match (letters.next(), letters.next(), letters.next()) {
                (Some(r), Some(s), None) => rank(r).zip(suit(s)),
                _ => None,
            };
            let card = card.map(|(rank, suit)| Card { suit, rank });
            card.ok_or_else(|| format!("`{text}` is no card of the deck"))
        };
        let of_rank = |letter: &char| {
            rank(*letter).ok_or_else(|| format!("the deck has no rank `{letter}` for a privilege"))
        };
        let privilege = self.privilege.as_ref().map(|wire| {
            let ranks = wire.ranks.iter().map(of_rank).collect::<Result<_, _>>()?;
            Ok::<_, String>(Privilege { ranks, on_demand: wire.on_demand })
        });
        let draft = RuleSetDraft {
            name: self.name.clone(),
            suits: self
                .deck
                .suits
                .iter()
                .map(|suit| SuitFace {
                    letter: suit.letter,
                    name: suit.name.clone(),
                    symbol: suit.symbol,
                })
                .collect(),
            ranks: ranks
                .iter()
                .map(|rank| RankFace {
                    letter: rank.letter,
                    name: rank.name.clone(),
                    value: rank.value,
                })
                .collect(),
            cards: self.deck.cards.iter().map(card).collect::<Result<_, _>>()?,
            foreplacing: self.foreplacing.as_ref().map(Into::into),
            privilege: privilege.transpose()?,
            free_move: self.free_move,
            rounds: self.rounds,
        };
        RuleSet::new(draft).map_err(|faults| faults.to_string())
    }
}

fn letter(rules: &RuleSet, rank: Rank) -> char {
    rules.deck().ranks().get(usize::from(rank.0)).map_or('?', |face| face.letter)
}

impl From<Foreplacing> for ForeplacingWire {
    fn from(foreplacing: Foreplacing) -> Self {
        Self {
            face: match foreplacing.face {
                Face::Up => FaceWire::Up,
                Face::Down => FaceWire::Down,
            },
            second_restricted: foreplacing.second_restricted,
            sole: match foreplacing.sole {
                SoleReward::OneMoveMore => SoleWire::OneMoveMore,
                SoleReward::Doubled => SoleWire::Doubled,
            },
            overmate: match foreplacing.overmate {
                OvermateFor::Either => OvermateWire::Either,
                OvermateFor::Foreplacer => OvermateWire::Foreplacer,
                OvermateFor::Nobody => OvermateWire::Nobody,
            },
        }
    }
}

impl From<&ForeplacingWire> for Foreplacing {
    fn from(wire: &ForeplacingWire) -> Self {
        Self {
            face: match wire.face {
                FaceWire::Up => Face::Up,
                FaceWire::Down => Face::Down,
            },
            second_restricted: wire.second_restricted,
            sole: match wire.sole {
                SoleWire::OneMoveMore => SoleReward::OneMoveMore,
                SoleWire::Doubled => SoleReward::Doubled,
            },
            overmate: match wire.overmate {
                OvermateWire::Either => OvermateFor::Either,
                OvermateWire::Foreplacer => OvermateFor::Foreplacer,
                OvermateWire::Nobody => OvermateFor::Nobody,
            },
        }
    }
}
