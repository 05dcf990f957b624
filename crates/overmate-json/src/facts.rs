//! Defines the JSON form of a complete rule set, for programs in any language.

use overmate_rules::{
    BASES, Card, Dealt, Face, Foreplacing, OvermateFor, Privilege, Rank, RankFace, RuleSet,
    RuleSetDraft, RulesFaults, SoleReward, Suit, SuitFace,
};
use serde::{Deserialize, Serialize};

use crate::catalogue::title;

/// Complete description of a rule set, for programs that do not know the rules of the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct RuleFacts {
    /// Name of the rule set, such as `sackson+double`.
    pub id: String,
    /// Title of the rule set for display, such as `Sackson, double deck`.
    pub title: String,
    /// Base name of the rule set, such as `sackson` in `sackson+double`.
    pub base: String,
    /// Names of the variations of the rule set.
    pub variations: Vec<String>,
    /// Publication that describes the base rule set; an empty string for a custom rule set.
    pub source: String,
    /// Deck of the rule set.
    pub deck: DeckFacts,
    /// Number of cards in a dealt hand. A game in which no card is played twice has at most as many moves.
    pub hand_size: u8,
    /// Number of games in a match.
    pub games: u8,
    /// Number of deals of the rule set, as a decimal string; deal numbers begin at 0.
    pub deals: String,
    /// Rules of foreplacing (setting one card aside before the first move), or null if players cannot foreplace.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub foreplacing: Option<ForeplacingFacts>,
    /// Privilege of some ranks: a lead of such a rank must be answered in rank if possible; null if no rank has the privilege.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub privilege: Option<PrivilegeFacts>,
    /// Whether the rule set has the free move: the right to answer in rank while holding the suit, once in each game.
    pub free_move: bool,
}

/// Deck of a rule set, with its suits, ranks and cards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct DeckFacts {
    /// Suits of the deck from high to low.
    pub suits: Vec<SuitFacts>,
    /// Ranks of the deck from high to low. The points of a rank need not follow this order.
    pub ranks: Vec<RankFacts>,
    /// Cards of the deck in notation, suit by suit from high to low, with identical cards repeated.
    pub cards: Vec<String>,
}

/// Letter, name and symbol of a suit of a deck.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct SuitFacts {
    /// Letter of the suit in card notation, such as `c`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub letter: char,
    /// Name of the suit, such as `clubs`.
    pub name: String,
    /// Symbol of the suit, such as `♣`, or null without a symbol.
    #[cfg_attr(feature = "openapi", schema(required, value_type = Option<String>))]
    pub symbol: Option<char>,
}

/// Letter, name and points of a rank of a deck.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct RankFacts {
    /// Letter of the rank in card notation, such as `T`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub letter: char,
    /// Name of the rank, such as `ten`.
    pub name: String,
    /// Points of a mate in move 1 with a card of the rank, without any bonus.
    pub points: u16,
}

/// Rules of foreplacing, by which each player may take one card out of play before the first move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct ForeplacingFacts {
    /// Whether a foreplaced card lies face down until the end of the game.
    pub face_down: bool,
    /// Whether the seat *second* must not foreplace a card that shares the suit or the rank of the card that the seat
    /// *first* foreplaced.
    pub second_restricted: bool,
    /// Whether a mate by a sole foreplacer (a player who foreplaced a card while the opponent declined) scores double. If not, the mate
    /// scores as if it were given one move later.
    pub sole_doubled: bool,
    /// Overmate rule: the seats that score double for a mate in the extra last move, which exists if only one player
    /// has foreplaced a card. Its values are `nobody`, `foreplacer` or `either`.
    pub overmate: OvermateRule,
}

/// Overmate rule: the seats that score double for a mate in the extra last move, which exists if only one player has foreplaced a card.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OvermateRule {
    /// A mate does not score double merely because it is given in the extra last move, which exists if only one player foreplaced. With
    /// `sole_doubled`, a mate by the only player who foreplaced still scores double.
    Nobody,
    /// Only the seat of the player who foreplaced a card scores double for a mate in the extra last move.
    Foreplacer,
    /// Both seats score double for a mate in the extra last move.
    Either,
}

/// Privilege of some ranks: the answer to a lead of such a rank must be in rank if possible, and else in suit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct PrivilegeFacts {
    /// Letters of the privileged ranks, whose leads must be answered in rank if possible.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub ranks: Vec<char>,
    /// Whether the privilege of the ranks applies only if the leader demands an answer in rank.
    pub on_demand: bool,
}

/// Reason why a JSON description cannot be converted to a valid rule set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FactsError {
    /// A card is not written as the letter of a rank of the deck followed by the letter of a suit of the deck.
    #[error(
        "`{0}` is not a card of the deck: write the letter of a rank, then the letter of a suit"
    )]
    UnknownCard(String),
    /// The rule on privileged ranks names a rank that is not in the deck.
    #[error(
        "the privilege names the rank `{0}`, which the deck does not list: use a rank of the deck"
    )]
    UnknownRank(char),
    /// The number of games in a match is odd, although each round has two games.
    #[error(
        "a match cannot have {0} games, because each round has two games: give an even number of games"
    )]
    OddGames(u8),
    /// The described rule set is invalid; the error holds all faults of the rule set.
    #[error(transparent)]
    Invalid(#[from] RulesFaults),
}

impl RuleFacts {
    /// Converts a rule set to its complete JSON description.
    #[must_use]
    pub fn new(rules: &RuleSet) -> Self {
        let mut parts = rules.name().split('+').map(str::to_owned);
        let base = parts.next().unwrap_or_default();
        let source = BASES.iter().find(|known| known.name == base).map_or("", |known| known.source);
        Self {
            id: rules.name().to_owned(),
            title: title(rules.name()),
            base,
            variations: parts.collect(),
            source: source.to_owned(),
            deck: DeckFacts::new(rules),
            hand_size: rules.hand_size(),
            games: rules.rounds().saturating_mul(2),
            deals: Dealt::count(rules).to_string(),
            foreplacing: rules.foreplacing().map(ForeplacingFacts::from),
            privilege: rules.privilege().map(|privilege| PrivilegeFacts::new(rules, privilege)),
            free_move: rules.free_move(),
        }
    }

    /// Converts the JSON description to a rule set.
    ///
    /// The fields `title`, `base`, `variations`, `source`, `hand_size` and `deals` follow from the other fields and are
    /// not read.
    ///
    /// # Errors
    ///
    /// Returns [`FactsError`] if a letter is unknown, the number of games is odd, or the rule set is invalid.
    pub fn rule_set(&self) -> Result<RuleSet, FactsError> {
        if !self.games.is_multiple_of(2) {
            return Err(FactsError::OddGames(self.games));
        }
        let privilege = self.privilege.as_ref().map(|privilege| {
            let rank =
                |letter: &char| self.deck.rank(*letter).ok_or(FactsError::UnknownRank(*letter));
            let ranks = privilege.ranks.iter().map(rank).collect::<Result<_, _>>()?;
            Ok::<_, FactsError>(Privilege { ranks, on_demand: privilege.on_demand })
        });
        let card = |text: &String| {
            self.deck.card(text).ok_or_else(|| FactsError::UnknownCard(text.clone()))
        };
        let suits = self.deck.suits.iter().map(SuitFace::from).collect();
        let ranks = self.deck.ranks.iter().map(RankFace::from).collect();
        let mut draft = RuleSetDraft::new(self.id.clone(), suits, ranks);
        draft.cards = self.deck.cards.iter().map(card).collect::<Result<_, _>>()?;
        draft.foreplacing = self.foreplacing.as_ref().map(Foreplacing::from);
        draft.privilege = privilege.transpose()?;
        draft.free_move = self.free_move;
        draft.rounds = self.games / 2;
        Ok(RuleSet::new(draft)?)
    }
}

impl DeckFacts {
    /// Converts the deck of a rule set to its JSON description.
    #[must_use]
    pub fn new(rules: &RuleSet) -> Self {
        let deck = rules.deck();
        Self {
            suits: deck.suits().iter().map(SuitFacts::from).collect(),
            ranks: deck.ranks().iter().map(RankFacts::from).collect(),
            cards: deck.cards().iter().map(|card| crate::card(rules, *card)).collect(),
        }
    }

    /// Returns the rank with a given letter, or `None` if the deck lists no such rank.
    fn rank(&self, letter: char) -> Option<Rank> {
        let index = self.ranks.iter().position(|rank| rank.letter == letter)?;
        u8::try_from(index).ok().map(Rank)
    }

    /// Returns the suit with a given letter, or `None` if the deck lists no such suit.
    fn suit(&self, letter: char) -> Option<Suit> {
        let index = self.suits.iter().position(|suit| suit.letter == letter)?;
        u8::try_from(index).ok().map(Suit)
    }

    /// Parses a card: the letter of a rank, followed by the letter of a suit.
    fn card(&self, text: &str) -> Option<Card> {
        let mut letters = text.chars();
        let rank = self.rank(letters.next()?)?;
        let suit = self.suit(letters.next()?)?;
        letters.next().is_none().then_some(Card { suit, rank })
    }
}

impl PrivilegeFacts {
    fn new(rules: &RuleSet, privilege: &Privilege) -> Self {
        let faces = rules.deck().ranks();
        let letter = |rank: &Rank| faces.get(usize::from(rank.0)).map(|face| face.letter);
        Self {
            ranks: privilege.ranks.iter().filter_map(letter).collect(),
            on_demand: privilege.on_demand,
        }
    }
}

impl From<&SuitFace> for SuitFacts {
    fn from(face: &SuitFace) -> Self {
        Self { letter: face.letter, name: face.name.clone(), symbol: face.symbol }
    }
}

impl From<&SuitFacts> for SuitFace {
    fn from(facts: &SuitFacts) -> Self {
        Self { letter: facts.letter, name: facts.name.clone(), symbol: facts.symbol }
    }
}

impl From<&RankFace> for RankFacts {
    fn from(face: &RankFace) -> Self {
        Self { letter: face.letter, name: face.name.clone(), points: face.value }
    }
}

impl From<&RankFacts> for RankFace {
    fn from(facts: &RankFacts) -> Self {
        Self { letter: facts.letter, name: facts.name.clone(), value: facts.points }
    }
}

impl From<Foreplacing> for ForeplacingFacts {
    fn from(foreplacing: Foreplacing) -> Self {
        Self {
            face_down: match foreplacing.face {
                Face::Up => false,
                Face::Down => true,
            },
            second_restricted: foreplacing.second_restricted,
            sole_doubled: match foreplacing.sole {
                SoleReward::OneMoveMore => false,
                SoleReward::Doubled => true,
            },
            overmate: match foreplacing.overmate {
                OvermateFor::Nobody => OvermateRule::Nobody,
                OvermateFor::Foreplacer => OvermateRule::Foreplacer,
                OvermateFor::Either => OvermateRule::Either,
            },
        }
    }
}

impl From<&ForeplacingFacts> for Foreplacing {
    fn from(facts: &ForeplacingFacts) -> Self {
        Self {
            face: if facts.face_down { Face::Down } else { Face::Up },
            second_restricted: facts.second_restricted,
            sole: if facts.sole_doubled { SoleReward::Doubled } else { SoleReward::OneMoveMore },
            overmate: match facts.overmate {
                OvermateRule::Nobody => OvermateFor::Nobody,
                OvermateRule::Foreplacer => OvermateFor::Foreplacer,
                OvermateRule::Either => OvermateFor::Either,
            },
        }
    }
}
