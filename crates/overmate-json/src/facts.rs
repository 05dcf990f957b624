//! JSON form of a complete rule set, for programs in any language.

use overmate_rules::{
    BASES, Card, Dealt, Face, Foreplacing, OvermateFor, Privilege, Rank, RankFace, RuleSet,
    RuleSetDraft, RulesFaults, SoleReward, Suit, SuitFace,
};
use serde::{Deserialize, Serialize};

use crate::catalogue::title;

/// Complete description of a rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleFacts {
    /// Name of the rule set: `sackson+double`.
    pub id: String,
    /// Title of the rule set for display: `Sackson, double deck`.
    pub title: String,
    /// Name of the published rule set that the variations change.
    pub base: String,
    /// Names of the variations in effect.
    pub variations: Vec<String>,
    /// Publication that describes the base; empty for a custom rule set.
    pub source: String,
    /// Deck of cards.
    pub deck: DeckFacts,
    /// Number of cards in a hand, which is also the greatest number of moves in a game.
    pub hand_size: u8,
    /// Number of games in a match.
    pub games: u8,
    /// Number of deals, as a decimal string; deal numbers start at 0.
    pub deals: String,
    /// Rules of foreplacing; null if the rule set has no foreplacing.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub foreplacing: Option<ForeplacingFacts>,
    /// Privilege of some ranks; null if the rule set has no privilege.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub privilege: Option<PrivilegeFacts>,
    /// Whether one follower may, once in a game, answer in rank while holding the suit.
    pub free_move: bool,
}

/// Deck of cards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeckFacts {
    /// Suits from high to low.
    pub suits: Vec<SuitFacts>,
    /// Ranks from high to low. The points of a rank need not follow this order.
    pub ranks: Vec<RankFacts>,
    /// Every card, suit by suit, high to low; identical cards are repeated.
    pub cards: Vec<String>,
}

/// Suit of a deck.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SuitFacts {
    /// Letter of the suit in card notation: `c`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub letter: char,
    /// Name of the suit: `clubs`.
    pub name: String,
    /// Sign of the suit: `♣`; null if the suit has none.
    #[cfg_attr(feature = "openapi", schema(required, value_type = Option<String>))]
    pub symbol: Option<char>,
}

/// Rank of a deck.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RankFacts {
    /// Letter of the rank in card notation: `T`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub letter: char,
    /// Name of the rank: `ten`.
    pub name: String,
    /// Points of a mate with this rank, before any factor.
    pub points: u16,
}

/// Rules of foreplacing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ForeplacingFacts {
    /// Whether the card lies face down until the game ends.
    pub face_down: bool,
    /// Whether *second* may not take a card of the suit or rank that *first* took.
    pub second_restricted: bool,
    /// Whether the mates of a sole foreplacer are doubled instead of counting one move more.
    pub sole_doubled: bool,
    /// Seat whose mate in the extra last move is doubled: `nobody`, `foreplacer` or `either`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub overmate: OvermateRule,
}

/// Seat whose mate in the extra last move is doubled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OvermateRule {
    /// No seat: every mate in the extra last move is plain.
    Nobody,
    /// The seat that foreplaced.
    Foreplacer,
    /// Both seats.
    Either,
}

/// Privilege of some ranks: a lead of such a rank must be answered in rank before the suit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PrivilegeFacts {
    /// Letters of the privileged ranks.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub ranks: Vec<char>,
    /// Whether the privilege holds only if the leader demands it.
    pub on_demand: bool,
}

/// Reason why [`RuleFacts`] are not a valid rule set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FactsError {
    /// Card text that is not the letter of a listed rank followed by the letter of a listed suit.
    #[error("the card `{0}` is not a rank letter followed by a suit letter of the deck")]
    UnknownCard(String),
    /// A privileged rank that the deck does not list.
    #[error("the privilege names the rank `{0}`, which the deck does not list")]
    UnknownRank(char),
    /// An odd number of games: a round is two games with the hands exchanged.
    #[error("a match of {0} games is not a whole number of rounds: give an even number of games")]
    OddGames(u8),
    /// Facts that break the rules of valid rule sets.
    #[error(transparent)]
    Invalid(#[from] RulesFaults),
}

impl RuleFacts {
    /// Returns the complete description of a rule set.
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

    /// Returns the rule set that these facts describe.
    ///
    /// The fields `title`, `base`, `variations`, `source`, `hand_size` and `deals` follow from the others and are not read.
    ///
    /// # Errors
    ///
    /// [`FactsError`] if a letter is unknown, the number of games is odd, or the rule set is invalid.
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
        let draft = RuleSetDraft {
            name: self.id.clone(),
            suits: self.deck.suits.iter().map(SuitFace::from).collect(),
            ranks: self.deck.ranks.iter().map(RankFace::from).collect(),
            cards: self.deck.cards.iter().map(card).collect::<Result<_, _>>()?,
            foreplacing: self.foreplacing.as_ref().map(Foreplacing::from),
            privilege: privilege.transpose()?,
            free_move: self.free_move,
            rounds: self.games / 2,
        };
        Ok(RuleSet::new(draft)?)
    }
}

impl DeckFacts {
    /// Returns the description of a rule set's deck.
    #[must_use]
    pub fn new(rules: &RuleSet) -> Self {
        let deck = rules.deck();
        Self {
            suits: deck.suits().iter().map(SuitFacts::from).collect(),
            ranks: deck.ranks().iter().map(RankFacts::from).collect(),
            cards: deck.cards().iter().map(|card| crate::card(rules, *card)).collect(),
        }
    }

    /// Returns the listed rank with a letter.
    fn rank(&self, letter: char) -> Option<Rank> {
        let index = self.ranks.iter().position(|rank| rank.letter == letter)?;
        u8::try_from(index).ok().map(Rank)
    }

    /// Returns the listed suit with a letter.
    fn suit(&self, letter: char) -> Option<Suit> {
        let index = self.suits.iter().position(|suit| suit.letter == letter)?;
        u8::try_from(index).ok().map(Suit)
    }

    /// Reads a card: the letter of a rank, then the letter of a suit.
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
