//! Defines the JSON types of a game, which hold only facts that one viewer may know.

use serde::{Deserialize, Serialize};

use crate::{Hands, PlayerWire, SeatWire};

/// Foreplaced cards of both seats, with only the cards that the viewer may see.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Sides {
    /// Foreplaced card of the seat *first*.
    pub first: ForeplacedCard,
    /// Foreplaced card of the seat *second*.
    pub second: ForeplacedCard,
}

/// Foreplaced card of one seat, without facts that are hidden from the viewer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ForeplacedCard {
    /// Choice of the seat at foreplacing: not made yet, no card, a known card, or a card face down.
    pub kind: ForeplacedKind,
    /// Foreplaced card; null if the seat foreplaced no card, or if the card is hidden from the viewer.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub card: Option<String>,
    /// Cards that may be the seat's face-down card, as far as the viewer knows. Each of these cards agrees with all actions so far.
    pub candidates: Vec<String>,
}

/// Choice of a seat at foreplacing: not made yet, no card, a known card, or a card face down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ForeplacedKind {
    /// The seat has neither foreplaced a card nor declined.
    Undecided,
    /// The seat declined to foreplace a card.
    Nothing,
    /// The seat foreplaced a card known to the viewer.
    Card,
    /// The seat foreplaced a card unknown to the viewer.
    FaceDown,
}

/// Phase of a game: foreplacing, leading, answering a lead, or over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", schema(as = Phase))]
pub enum PhaseWire {
    /// A seat has to foreplace a card or to decline.
    Foreplace,
    /// A seat has to lead a card.
    Lead,
    /// A seat has to answer a lead.
    Follow,
    /// No action is possible, because the game has ended.
    Over,
}

/// State of a game and its actions so far, without facts that are hidden from the viewer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameState {
    /// Index of the game in the match, from 0.
    pub index: usize,
    /// Player (A or B) who has the seat *first* in the game.
    pub first: PlayerWire,
    /// Deal number of the game; null for a position without a deal, and for a hidden deal.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub deal: Option<String>,
    /// Dealt hands of both seats; null for a position without a deal, and for a hidden deal.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub dealt: Option<Hands>,
    /// Actions of the game so far, in the order of play.
    pub steps: Vec<Step>,
    /// Current hands of both seats, empty for a hidden deal. If the viewer does not know a seat's foreplaced card, the
    /// seat's hand still holds this card.
    pub hands: Hands,
    /// Foreplaced cards of both seats.
    pub foreplaced: Sides,
    /// Number of the current move in the game, from 1.
    #[serde(rename = "move")]
    pub move_number: u8,
    /// Number of the last possible move of the game.
    pub moves_max: u8,
    /// Seat that plays the first card of the current move.
    pub leader: SeatWire,
    /// Current lead, which awaits an answer or has given mate; null without a lead.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub lead: Option<LeadState>,
    /// Phase of the game: foreplacing, leading, answering a lead, or over.
    pub phase: PhaseWire,
    /// Seat to act; null after the end of the game.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub to_act: Option<SeatWire>,
    /// Legal actions of the viewer; empty unless it is the viewer's turn.
    pub legal: Vec<LegalAction>,
    /// Cards of the viewer's hand that are illegal to play now, with reasons; empty unless it is the viewer's turn.
    pub not_legal: Vec<NotLegal>,
    /// Whether a player has used the free move, which is available once in a game.
    pub free_move_used: bool,
    /// Score factors of a mate by the leader in the current move; null during foreplacing and after the end of the game.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub multiplier: Option<Factors>,
    /// Score factors of a mate in move 1 by the seat to act, if that seat foreplaces a card now; null after foreplacing.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub multiplier_foreplaced: Option<Factors>,
    /// Factors that multiply the value of a mating card, for each seat and each move, given the cards foreplaced so far.
    pub multipliers: Multipliers,
    /// Outcome of the game; null while the game is running.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub outcome: Option<OutcomeState>,
}

/// Lead: the led card, and whether the leader demanded an answer in rank.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadState {
    /// Card led by the leader.
    pub card: String,
    /// Whether the leader demanded an answer in the rank of the led card.
    pub demanded: bool,
    /// Cards with which the follower can answer the lead.
    pub answers: AnswersWire,
}

/// Cards of the follower that can answer a lead, each named once. A card that may lie face down counts as held.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Answers))]
pub struct AnswersWire {
    /// Cards with which the follower can answer without the free move. If the list is empty, the lead gives mate, and
    /// no free move is possible.
    pub cards: Vec<String>,
    /// Cards with which the follower can answer only by the free move.
    pub free_move: Vec<String>,
}

/// Factors that multiply the value of a mating card, for each seat and each move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Multipliers {
    /// Score factors of a mate by the seat *first*, one item for each move from 1 to the last possible move.
    pub first: Vec<Factors>,
    /// Score factors of a mate by the seat *second*, one item for each move from 1 to the last possible move.
    pub second: Vec<Factors>,
}

/// Factors that multiply the value of the mating card to give the score of a mate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Factors {
    /// Factor of a mate's score that depends on the move: the number of the move, plus 1 if foreplacing makes the mate
    /// count one move more.
    pub counts_as: u8,
    /// Whether the score of the mate is doubled.
    pub doubled: bool,
    /// Product of all factors of a mate's score, at least 1.
    pub factor: u16,
}

/// Action in a game, with its effects on the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Step {
    /// Seat that took the action.
    pub seat: SeatWire,
    /// Action in notation, such as `-`, `(Tc)`, `(?)`, `Tc`, `Kc!` or `Ks*`. A mate ends with `#`, and an overmate with `##`.
    pub text: String,
    /// Kind of the action, such as leading or foreplacing a card.
    pub kind: StepKind,
    /// Card of the action; null if the action has no card, or if the card is hidden from the viewer.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub card: Option<String>,
    /// Number of the move to which the action belongs, from 1; null for foreplacing.
    #[serde(rename = "move")]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub move_number: Option<u8>,
    /// Description of the action in English, without a full stop.
    pub says: String,
    /// Hands of both seats after the action.
    pub hands: Hands,
    /// Cards with which the follower can answer the lead; null unless the action led a card.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub answers: Option<AnswersWire>,
    /// Seat that won the move if this action completed the move; null otherwise.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub won_by: Option<SeatWire>,
    /// Whether the action gave mate and ended the game.
    pub mate: bool,
}

/// Kind of an earlier action in a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// The seat declined to foreplace a card.
    Decline,
    /// The seat foreplaced a card known to the viewer.
    Foreplace,
    /// The seat foreplaced a card unknown to the viewer.
    FaceDown,
    /// The seat led a card without a demand.
    Lead,
    /// The seat led a card and demanded an answer in its rank.
    Demand,
    /// The seat answered a lead, and did not use the free move.
    Follow,
    /// The seat answered a lead with the free move.
    Free,
}

/// Legal action of the player whose turn it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LegalAction {
    /// Legal action in notation, such as `-`, `(Tc)`, `Tc`, `Kc!` or `Ks*`.
    pub action: String,
    /// Kind of the legal action, such as leading or foreplacing a card.
    pub kind: LegalKind,
    /// Card of the action; null for declining to foreplace.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub card: Option<String>,
    /// Cards with which the opponent can answer the lead; null unless the action leads a card.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub answers: Option<AnswersWire>,
    /// Outcome of the game if the action gives mate regardless of any face-down card of the opponent; null for all other
    /// actions.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub mate: Option<OutcomeState>,
    /// Whether the action wins the current move; null unless the action answers a lead.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub wins: Option<bool>,
}

/// Kind of a legal action in a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum LegalKind {
    /// The player declines to foreplace a card.
    Decline,
    /// The player foreplaces a card.
    Foreplace,
    /// The player leads a card without a demand.
    Lead,
    /// The player leads a card and demands an answer in its rank.
    Demand,
    /// The player answers a lead without the free move.
    Follow,
    /// The player answers a lead with the free move.
    Free,
}

/// Card of the viewer's hand that is illegal to play now, with the reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NotLegal {
    /// Card that is illegal to play in the current position.
    pub card: String,
    /// Machine-readable code of the reason why the card may not be played. Clients translate the code.
    pub code: ReasonCode,
    /// Reason why the card may not be played, as an English sentence.
    pub why: String,
    /// Name of the suit that the text `why` mentions; null if the text mentions no suit.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub suit: Option<String>,
    /// Name of the rank that the text `why` mentions; null if the text mentions no rank.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub rank: Option<String>,
}

/// Machine-readable code for the reason why an action is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ReasonCode {
    /// No action is possible, because the game has ended.
    GameOver,
    /// The deck of the rule set does not contain the card.
    NotInDeck,
    /// The player's hand does not hold the card.
    NotHeld,
    /// A card cannot be led before both players have foreplaced or declined.
    ForeplacingFirst,
    /// The rule set does not allow players to foreplace a card.
    NoForeplacing,
    /// No card can be foreplaced, because play has begun.
    ForeplacingOver,
    /// The seat *second* must not foreplace a card with the suit or the rank of the card that the seat *first* foreplaced.
    ForeplacingRestricted,
    /// The player's hand holds cards of the led suit, with which the player must answer.
    MustFollowSuit,
    /// The player's hand lacks the led suit, but holds cards of the led rank, with which the player must answer.
    MustFollowRank,
    /// The led rank is privileged, and the player's hand holds cards of this rank, with which the player must answer.
    MustAnswerPrivilege,
    /// The led rank is privileged, and the player's hand lacks this rank, but holds cards of the led suit, with which the player must
    /// answer.
    MustFollowSuitOfPrivilege,
    /// The leader demands an answer in rank, but the rule set allows no demand with the led card.
    NothingToDemand,
    /// The follower demands an answer in rank, but only the leader can demand.
    DemandWhileFollowing,
    /// The leader claims the free move, but only an answer can be a free move.
    FreeWhileLeading,
    /// The rule set has no free move.
    NoFreeMove,
    /// The single free move of the game has already been used.
    FreeMoveUsed,
    /// The player claims the free move for a card that is a legal answer without the free move.
    FreeMoveNotNeeded,
    /// The card of the answer has neither the led suit nor the led rank.
    NeitherSuitNorRank,
    /// The action is illegal for a reason without a specific code.
    NotLegal,
}

/// Outcome of a finished game, with the computation of its points.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OutcomeState {
    /// Kind of the outcome: mate, overmate, draw or resignation.
    pub kind: OutcomeKind,
    /// Seat that gave mate or resigned; null after a draw.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub by: Option<SeatWire>,
    /// Card that gave mate; null without a mate.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub card: Option<String>,
    /// Value in points of the card that gave mate; null without a mate.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub value: Option<u16>,
    /// Number of the move in which mate was given; null without a mate.
    #[serde(rename = "move")]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub move_number: Option<u8>,
    /// Factors that multiplied the value of the mating card; null without a mate.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub multiplier: Option<Factors>,
    /// Points for the seat that gave mate; 0 without a mate.
    pub points: i32,
    /// Computation of the points of a mate as text, such as `4 × 8 = 32`; null without a mate.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub sum: Option<String>,
    /// Points of the game for the seat *first*; negative if the seat *second* scored.
    pub points_for_first: i32,
}

/// Kind of the outcome of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKind {
    /// A player gave mate.
    Mate,
    /// A player gave an overmate: a mate with doubled score, in the extra last move or by the only player who
    /// foreplaced.
    Overmate,
    /// The game was drawn, because all moves were played without a mate.
    Draw,
    /// A player resigned the match.
    Resigned,
}
