//! A game on the wire, as one viewer may see it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Hands, Player, Seat};

/// What each seat has foreplaced.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Sides {
    /// By *first*.
    pub first: ForeplacedCard,
    /// By *second*.
    pub second: ForeplacedCard,
}

/// What a seat has foreplaced, as far as the viewer may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ForeplacedCard {
    /// Whether there is a card.
    pub kind: ForeplacedKind,
    /// The card, if the viewer may know it.
    #[schema(required)]
    pub card: Option<String>,
    /// The cards that it may be, where it is not known: with these everything that was seen is legal.
    pub candidates: Vec<String>,
}

/// Whether a seat has foreplaced.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ForeplacedKind {
    /// It has not chosen yet.
    Undecided,
    /// Nothing.
    Nothing,
    /// A card that the viewer knows.
    Card,
    /// A card that lies face down before the viewer.
    FaceDown,
}

/// What is to be done next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Somebody foreplaces or declines.
    Foreplace,
    /// Somebody leads.
    Lead,
    /// Somebody answers.
    Follow,
    /// Nothing.
    Over,
}

/// A game, with all its past, as one viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct GameState {
    /// Its index in the match, from 0.
    pub index: usize,
    /// The player who sits *first*.
    pub first: Player,
    /// The number of the deal; null for a position without a past.
    #[schema(required)]
    pub deal: Option<String>,
    /// The hands as dealt; null for a position without a past.
    #[schema(required)]
    pub dealt: Option<Hands>,
    /// What was done so far.
    pub steps: Vec<Step>,
    /// What the seats hold now. Of a seat whose card lies face down before the viewer, one of these is that card.
    pub hands: Hands,
    /// What was foreplaced.
    pub foreplaced: Sides,
    /// The number of the present move, from 1.
    #[serde(rename = "move")]
    pub move_number: u8,
    /// The number of the last move that the game can have.
    pub moves_max: u8,
    /// Who leads, or led, to the present move.
    pub leader: Seat,
    /// The card that was led and not answered, or that mated.
    #[schema(required)]
    pub lead: Option<LeadState>,
    /// What is to be done next.
    pub phase: Phase,
    /// Whose turn it is.
    #[schema(required)]
    pub to_act: Option<Seat>,
    /// What you may do now; empty unless it is your turn.
    pub legal: Vec<LegalAction>,
    /// The cards of your hand that you may not play now, and why; empty unless it is your turn.
    pub not_legal: Vec<NotLegal>,
    /// Whether the game's free move has been used.
    pub free_move_used: bool,
    /// What a mate in the present move counts for the one who leads or led; null while foreplacing and when over.
    #[schema(required)]
    pub multiplier: Option<Factors>,
    /// How the game ended.
    #[schema(required)]
    pub outcome: Option<OutcomeState>,
}

/// A card that was led.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct LeadState {
    /// The card.
    pub card: String,
    /// Whether its rank was demanded.
    pub demanded: bool,
}

/// What the value of a mating card is multiplied by.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Factors {
    /// The number that the move counts as.
    pub counts_as: u8,
    /// Whether the score is doubled.
    pub doubled: bool,
    /// The product: 1 and up.
    pub factor: u16,
}

/// One thing that was done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Step {
    /// Who did it.
    pub seat: Seat,
    /// In notation: `-`, `(Tc)`, `(?)`, `Tc`, `Kc!`, `Ks*`; with `#` for a mate and `##` for an overmate.
    pub text: String,
    /// What it was.
    pub kind: StepKind,
    /// The card, if there is one and the viewer may know it.
    #[schema(required)]
    pub card: Option<String>,
    /// The number of the move, from 1; null for foreplacing.
    #[serde(rename = "move")]
    #[schema(required)]
    pub move_number: Option<u8>,
    /// The same in English, without a full stop.
    pub says: String,
    /// What the seats held afterwards.
    pub hands: Hands,
    /// Who won the move that this answer completed.
    #[schema(required)]
    pub won_by: Option<Seat>,
    /// Whether this lead gave mate.
    pub mate: bool,
}

/// What a step was.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// Foreplaced nothing.
    Decline,
    /// Foreplaced a card that the viewer knows.
    Foreplace,
    /// Foreplaced a card that the viewer does not know.
    FaceDown,
    /// Led a card.
    Lead,
    /// Led a card and demanded its rank.
    Demand,
    /// Followed in the ordinary way.
    Follow,
    /// Followed with the free move.
    Free,
}

/// An action that you may take.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct LegalAction {
    /// In notation, to be sent back as it is.
    pub action: String,
    /// What it is.
    pub kind: LegalKind,
    /// The card; null for declining.
    #[schema(required)]
    pub card: Option<String>,
}

/// What an action is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LegalKind {
    /// Foreplace nothing.
    Decline,
    /// Foreplace a card.
    Foreplace,
    /// Lead a card.
    Lead,
    /// Lead a card and demand its rank.
    Demand,
    /// Follow in the ordinary way.
    Follow,
    /// Follow with the free move.
    Free,
}

/// A card of your hand that may not be played now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct NotLegal {
    /// The card.
    pub card: String,
    /// Kind of the reason.
    pub code: ReasonCode,
    /// The reason in English.
    pub why: String,
    /// The name of the suit that the reason speaks of.
    #[schema(required)]
    pub suit: Option<String>,
    /// The name of the rank that the reason speaks of.
    #[schema(required)]
    pub rank: Option<String>,
}

/// Kind of reason why an action is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReasonCode {
    /// The game is over.
    GameOver,
    /// The deck has no such card.
    NotInDeck,
    /// The hand does not hold the card.
    NotHeld,
    /// Both players foreplace or decline before the first lead.
    ForeplacingFirst,
    /// The rule set has no foreplacing.
    NoForeplacing,
    /// Play has begun, so that nothing can be foreplaced.
    ForeplacingOver,
    /// *Second* may not take a card of the suit or rank that *first* took.
    ForeplacingRestricted,
    /// The suit was led and is held.
    MustFollowSuit,
    /// The suit that was led is not held, its rank is.
    MustFollowRank,
    /// A privileged rank was led and is held.
    MustAnswerPrivilege,
    /// A privileged rank was led and is not held, its suit is.
    MustFollowSuitOfPrivilege,
    /// The card that was led has no privilege to demand.
    NothingToDemand,
    /// Only a lead can demand.
    DemandWhileFollowing,
    /// Only an answer can be a free move.
    FreeWhileLeading,
    /// The rule set has no free move.
    NoFreeMove,
    /// The free move of the game has been used.
    FreeMoveUsed,
    /// The card may answer without the free move.
    FreeMoveNotNeeded,
    /// The card has neither the suit nor the rank that was led.
    NeitherSuitNorRank,
    /// Another reason.
    NotLegal,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct OutcomeState {
    /// In which way.
    pub kind: OutcomeKind,
    /// Who gave mate, or who resigned.
    #[schema(required)]
    pub by: Option<Seat>,
    /// The card that mated.
    #[schema(required)]
    pub card: Option<String>,
    /// Its value.
    #[schema(required)]
    pub value: Option<u16>,
    /// The move in which it mated.
    #[serde(rename = "move")]
    #[schema(required)]
    pub move_number: Option<u8>,
    /// What the value is multiplied by.
    #[schema(required)]
    pub multiplier: Option<Factors>,
    /// The points of the one who gave mate; 0 otherwise.
    pub points: i32,
    /// `4 × 8 = 32`, for a mate.
    #[schema(required)]
    pub sum: Option<String>,
    /// The points as *first* sees them.
    pub points_for_first: i32,
}

/// In which way a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKind {
    /// By mate.
    Mate,
    /// By a mate in the extra last move, doubled.
    Overmate,
    /// All moves were played without a mate.
    Draw,
    /// A player gave up the match.
    Resigned,
}
