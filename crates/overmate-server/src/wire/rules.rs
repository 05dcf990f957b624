//! Rule sets on the wire.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The published rule sets, and the variations that combine with them.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RuleSets {
    /// The rule sets.
    pub rule_sets: Vec<RuleSummary>,
    /// The variations, in the order in which a name lists them.
    pub variations: Vec<VariationSummary>,
}

/// A published rule set.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RuleSummary {
    /// Its name: `sackson`.
    pub id: String,
    /// What to call it on a page.
    pub title: String,
    /// Where it was published.
    pub source: String,
}

/// A variation.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct VariationSummary {
    /// Its name, as it follows a `+`: `free-move`.
    pub id: String,
    /// What to call it on a page.
    pub title: String,
    /// What it changes, in one sentence.
    pub summary: String,
}

/// A rule set in full.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RuleFacts {
    /// Its name: `sackson+double`.
    pub id: String,
    /// What to call it on a page.
    pub title: String,
    /// The published rule set that it varies.
    pub base: String,
    /// The variations in it.
    pub variations: Vec<String>,
    /// Where its base was published.
    pub source: String,
    /// The deck.
    pub deck: DeckFacts,
    /// Cards a hand, and so the most moves of a game.
    pub hand_size: u8,
    /// Games in a match.
    pub games: u8,
    /// How many deal numbers there are; the first is 0.
    pub deals: String,
    /// Foreplacing, if there is any.
    #[schema(required)]
    pub foreplacing: Option<ForeplacingFacts>,
    /// The privilege of some ranks, if there is any.
    #[schema(required)]
    pub privilege: Option<PrivilegeFacts>,
    /// Whether once in a game a follower may answer in rank although he could follow suit.
    pub free_move: bool,
}

/// A deck.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct DeckFacts {
    /// From high to low.
    pub suits: Vec<SuitFacts>,
    /// From high to low. Mind that a rank's points need not follow this order.
    pub ranks: Vec<RankFacts>,
    /// Every card, suit by suit, high to low; identical ones as often as they are there.
    pub cards: Vec<String>,
}

/// A suit.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SuitFacts {
    /// As it is written in a card: `c`.
    pub letter: String,
    /// `clubs`.
    pub name: String,
    /// `♣`, if there is a sign for it.
    #[schema(required)]
    pub symbol: Option<String>,
}

/// A rank.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RankFacts {
    /// As it is written in a card: `T`.
    pub letter: String,
    /// `ten`.
    pub name: String,
    /// What a mate with it scores, before any factor.
    pub points: u16,
}

/// How foreplacing works.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ForeplacingFacts {
    /// Whether the card lies face down until the game ends.
    pub face_down: bool,
    /// Whether *second* may not take a card of the suit or rank that *first* took.
    pub second_restricted: bool,
    /// Whether the mates of a sole foreplacer are doubled instead of counting one move more.
    pub sole_doubled: bool,
    /// Who doubles with a mate in the extra last move: `nobody`, `foreplacer` or `either`.
    pub overmate: String,
}

/// A privilege.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PrivilegeFacts {
    /// The letters of the ranks that have it.
    pub ranks: Vec<String>,
    /// Whether it holds only when the leader demands it.
    pub on_demand: bool,
}
