//! JSON types of a game, as one viewer may see it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use overmate_json::{Hands, Seat};

use super::player::Player;

/// Foreplaced cards of both seats.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Sides {
    /// Foreplaced card of *first*.
    pub first: ForeplacedCard,
    /// Foreplaced card of *second*.
    pub second: ForeplacedCard,
}

/// Foreplaced card of a seat, as far as the viewer may know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ForeplacedCard {
    /// Whether the seat has foreplaced a card.
    pub kind: ForeplacedKind,
    /// Card; null if there is none or the viewer may not know it.
    #[schema(required)]
    pub card: Option<String>,
    /// Possible cards of a face-down card: those with which every action so far was legal.
    pub candidates: Vec<String>,
}

/// State of a seat's foreplacing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ForeplacedKind {
    /// The seat has not decided yet.
    Undecided,
    /// The seat foreplaced nothing.
    Nothing,
    /// The seat foreplaced a card that the viewer knows.
    Card,
    /// The seat foreplaced a card that the viewer does not know.
    FaceDown,
}

/// Phase of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// A seat is to foreplace or decline.
    Foreplace,
    /// A seat is to lead.
    Lead,
    /// A seat is to answer a lead.
    Follow,
    /// The game is over.
    Over,
}

/// Game with all its actions, as one viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct GameState {
    /// Index of the game in the match, from 0.
    pub index: usize,
    /// Player who sits *first*.
    pub first: Player,
    /// Number of the deal; null for a position without a deal.
    #[schema(required)]
    pub deal: Option<String>,
    /// Dealt hands; null for a position without a deal.
    #[schema(required)]
    pub dealt: Option<Hands>,
    /// Actions so far.
    pub steps: Vec<Step>,
    /// Present hands. The hand of a seat whose foreplaced card the viewer does not know still holds that card.
    pub hands: Hands,
    /// Foreplaced cards.
    pub foreplaced: Sides,
    /// Number of the present move, from 1.
    #[serde(rename = "move")]
    pub move_number: u8,
    /// Number of the last move that the game can have.
    pub moves_max: u8,
    /// Seat that leads or led to the present move.
    pub leader: Seat,
    /// Card that was led and not answered, or that gave mate.
    #[schema(required)]
    pub lead: Option<LeadState>,
    /// Phase of the game.
    pub phase: Phase,
    /// Seat to act; null when the game is over.
    #[schema(required)]
    pub to_act: Option<Seat>,
    /// Your legal actions; empty unless it is your turn.
    pub legal: Vec<LegalAction>,
    /// Cards of your hand that you may not play now, with the reasons; empty unless it is your turn.
    pub not_legal: Vec<NotLegal>,
    /// Whether the game's free move has been used.
    pub free_move_used: bool,
    /// Score factors of a mate by the leader in the present move; null while foreplacing and when the game is over.
    #[schema(required)]
    pub multiplier: Option<Factors>,
    /// Outcome of the game; null while the game is running.
    #[schema(required)]
    pub outcome: Option<OutcomeState>,
}

/// Card that was led, and whether its rank is demanded.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct LeadState {
    /// Card that was led.
    pub card: String,
    /// Whether the leader demanded the rank of the card.
    pub demanded: bool,
}

/// Factors by which the value of a mating card is multiplied.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Factors {
    /// Move number used as a factor, which a rule of foreplacing may increase by 1.
    pub counts_as: u8,
    /// Whether the score is doubled.
    pub doubled: bool,
    /// Product of the factors, at least 1.
    pub factor: u16,
}

/// Action of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Step {
    /// Seat that acted.
    pub seat: Seat,
    /// Action in notation: `-`, `(Tc)`, `(?)`, `Tc`, `Kc!`, `Ks*`; with `#` for a mate and `##` for an overmate.
    pub text: String,
    /// Kind of the action.
    pub kind: StepKind,
    /// Card; null if there is none or the viewer may not know it.
    #[schema(required)]
    pub card: Option<String>,
    /// Number of the move, from 1; null for foreplacing.
    #[serde(rename = "move")]
    #[schema(required)]
    pub move_number: Option<u8>,
    /// Description of the action in English, without a full stop.
    pub says: String,
    /// Hands after the action.
    pub hands: Hands,
    /// Winner of the move that this answer completed.
    #[schema(required)]
    pub won_by: Option<Seat>,
    /// Whether the action gave mate.
    pub mate: bool,
}

/// Kind of an action of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// Declined to foreplace.
    Decline,
    /// Foreplaced a card that the viewer knows.
    Foreplace,
    /// Foreplaced a card that the viewer does not know.
    FaceDown,
    /// Led a card.
    Lead,
    /// Led a card and demanded its rank.
    Demand,
    /// Followed without the free move.
    Follow,
    /// Followed with the free move.
    Free,
}

/// Legal action.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct LegalAction {
    /// Action in notation, as a request for the action has it.
    pub action: String,
    /// Kind of the action.
    pub kind: LegalKind,
    /// Card; null for declining.
    #[schema(required)]
    pub card: Option<String>,
}

/// Kind of a legal action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LegalKind {
    /// Decline to foreplace.
    Decline,
    /// Foreplace a card.
    Foreplace,
    /// Lead a card.
    Lead,
    /// Lead a card and demand its rank.
    Demand,
    /// Follow without the free move.
    Follow,
    /// Follow with the free move.
    Free,
}

/// Card of your hand that you may not play now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct NotLegal {
    /// Card that you may not play now.
    pub card: String,
    /// Kind of the reason.
    pub code: ReasonCode,
    /// Reason in English.
    pub why: String,
    /// Name of the suit in the reason.
    #[schema(required)]
    pub suit: Option<String>,
    /// Name of the rank in the reason.
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
    /// The hand holds the suit that was led.
    MustFollowSuit,
    /// The hand lacks the suit that was led, but holds its rank.
    MustFollowRank,
    /// The hand holds the privileged rank that was led.
    MustAnswerPrivilege,
    /// The hand lacks the privileged rank that was led, but holds its suit.
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
    /// The action is illegal for another reason.
    NotLegal,
}

/// Outcome of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct OutcomeState {
    /// Kind of the outcome.
    pub kind: OutcomeKind,
    /// Seat that gave mate or resigned.
    #[schema(required)]
    pub by: Option<Seat>,
    /// Card that gave mate.
    #[schema(required)]
    pub card: Option<String>,
    /// Value of the card that gave mate.
    #[schema(required)]
    pub value: Option<u16>,
    /// Number of the move of the mate.
    #[serde(rename = "move")]
    #[schema(required)]
    pub move_number: Option<u8>,
    /// Factors by which the value is multiplied.
    #[schema(required)]
    pub multiplier: Option<Factors>,
    /// Points of the seat that gave mate; 0 without a mate.
    pub points: i32,
    /// Sum of a mate: `4 × 8 = 32`.
    #[schema(required)]
    pub sum: Option<String>,
    /// Points of *first*; negative if *second* scored.
    pub points_for_first: i32,
}

/// Kind of an outcome.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKind {
    /// Mate.
    Mate,
    /// Overmate: a doubled mate in the extra last move.
    Overmate,
    /// Draw: all moves were played without a mate.
    Draw,
    /// Resignation of a player.
    Resigned,
}
