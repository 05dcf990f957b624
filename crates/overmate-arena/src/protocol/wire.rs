//! Defines the messages of the bot protocol as types. Each message is one line with one JSON object.

use overmate_json::{RuleFacts, SeatWire};
use serde::{Deserialize, Serialize};

/// Version of the bot protocol in this crate.
pub const VERSION: u32 = 1;

/// Path of the document that describes the messages of the bot protocol. Error texts refer to this document.
pub(super) const DOCUMENT: &str = "docs/bot-protocol.md";

/// Message from the arena to a bot.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToBot {
    /// First message from the arena to a bot, with the arena's protocol version and software. The bot answers with [`FromBot::Ready`].
    Hello {
        /// Version of the bot protocol that the arena speaks.
        protocol: u32,
        /// Name and version of the arena's software.
        arena: String,
    },
    /// Message from the arena to a bot at the start of a match. The bot does not answer.
    Match(Box<MatchWire>),
    /// Request of the arena that the bot choose an action. The bot answers with [`FromBot::Action`].
    Turn(Box<TurnWire>),
    /// Message from the arena to a bot at the end of a game. The bot does not answer.
    GameOver(Box<GameOverWire>),
    /// Message from the arena to a bot at the end of a match, with the result of the match. The bot does not answer.
    MatchOver {
        /// Result of the match from the viewpoint of the bot.
        result: ResultWire,
        /// Points of the bot and of its opponent in the whole match.
        points: PointsWire,
    },
    /// Final message from the arena to a bot, which ends the conversation. The bot's program then exits.
    Quit,
    /// Message of a kind unknown to this version of the bot protocol.
    #[serde(other)]
    Unknown,
}

/// Message from a bot to the arena.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromBot {
    /// Bot's answer to the arena's first message ([`ToBot::Hello`]), with the bot's name.
    Ready {
        /// Version of the bot protocol that the bot speaks.
        protocol: u32,
        /// Name of the bot.
        name: String,
    },
    /// Bot's answer to a request for an action ([`ToBot::Turn`]), with the chosen action.
    Action {
        /// Chosen action of the bot, in the notation of the protocol.
        action: String,
        /// Explanation that the bot gives for its action. Bots may omit the explanation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thought: Option<ThoughtWire>,
    },
}

/// Message at the start of a match: rule set, number of games, role of the bot (player A or B), and random seed.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct MatchWire {
    /// Rule set of the match.
    pub rules: RuleFacts,
    /// Number of games in the match.
    pub games: u8,
    /// Role of the bot in the match: player A or player B.
    pub player: PlayerWire,
    /// Random seed for the bot, below 2^53.
    pub seed: u64,
}

/// Player of a match, A or B.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub enum PlayerWire {
    /// Player A, who leads to the first move of game 1.
    A,
    /// Player B, who leads to the first move of game 2.
    B,
}

/// Side of a game: the bot that receives the message, or the bot's opponent.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum SideWire {
    /// The bot that receives the message.
    You,
    /// Opponent of the message's recipient. The recipient is a bot.
    Other,
}

/// Pair of values: one for the bot that receives the message, and one for its opponent.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct BothWire<T> {
    /// Value, such as a number of points, that belongs to the bot that receives the message.
    pub you: T,
    /// Value, such as a number of points, that belongs to the opponent of the message's recipient.
    pub other: T,
}

/// Points of the bot and of its opponent.
pub type PointsWire = BothWire<i32>;

/// Description of a game in a message to a bot, with only the facts that the bot may know.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct GameWire {
    /// Number of the game in the match, from 1.
    pub game: usize,
    /// Number of games in the match.
    pub games: usize,
    /// Seat of the bot in this game; seat *first* leads to move 1.
    pub seat: SeatWire,
    /// Points of the bot and of its opponent in the earlier games of the match.
    pub points: PointsWire,
    /// Cards that were dealt to the bot and to its opponent.
    pub dealt: BothWire<Vec<String>>,
    /// Actions of both players in the game so far, in the notation of the protocol. The opponent's face-down foreplacing is `(?)`.
    pub actions: Vec<String>,
}

/// Request for an action of the bot: the state of the game, the legal actions and the limits.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct TurnWire {
    /// Game in which the bot is to act.
    #[serde(flatten)]
    pub game: GameWire,
    /// Phase of the game: foreplacing, leading or answering.
    pub phase: PhaseWire,
    /// Number of the current move in the game, from 1.
    #[serde(rename = "move")]
    pub move_number: u8,
    /// Cards that the bot and its opponent hold now. The opponent's hand includes a card that the opponent foreplaced face
    /// down.
    pub hands: BothWire<Vec<String>>,
    /// Foreplaced cards of the bot and of its opponent, in the notation of the protocol. Special values are `-` for a player
    /// who has foreplaced nothing, `?` for a face-down card, and null before the player's choice.
    pub foreplaced: BothWire<Option<String>>,
    /// Cards that the opponent may have foreplaced face down; empty without a face-down card.
    pub hidden: Vec<String>,
    /// Leader of the current move: the bot or its opponent.
    pub leader: SideWire,
    /// Card that the opponent has led and that the bot has to answer; null without a led card.
    pub lead: Option<LeadWire>,
    /// Whether the free move is allowed and not yet used in this game. The free move is the right, once in a game, to
    /// answer in rank while holding the suit, or in suit while holding the privileged led rank.
    pub free_move: bool,
    /// Actions that the bot may choose now, in the notation of the protocol; never empty.
    pub legal: Vec<String>,
    /// Time limit for the bot's answer, in milliseconds.
    pub time_ms: u64,
    /// Clock of the bot in the match; missing if the bot has no clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockWire>,
    /// Maximum number of nodes that the bot's search for the requested action may visit; missing for a search without a limit.
    /// The arena trusts the bot to respect the limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// Clock of the bot: time for all its actions in the match.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct ClockWire {
    /// Remaining time on the bot's clock, in milliseconds, for this action and all later actions of the match.
    pub left_ms: u64,
    /// Time that is added to the bot's clock for each action, in milliseconds.
    pub increment_ms: u64,
}

/// Kind of action that the bot has to choose: foreplacing, leading or answering.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum PhaseWire {
    /// Phase in which the bot sets a card aside (foreplaces) or declines.
    Foreplace,
    /// Phase in which the bot leads a card.
    Lead,
    /// Phase in which the bot answers a lead.
    Follow,
}

/// Led card that the bot has to answer, and whether the leader demands an answer in rank.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct LeadWire {
    /// Card that the leader has led.
    pub card: String,
    /// Whether the leader demands an answer in the rank of the card if possible, and otherwise in suit.
    pub demanded: bool,
}

/// Message that reports an ended game, with all cards of the game.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct GameOverWire {
    /// Ended game, with all its actions.
    #[serde(flatten)]
    pub game: GameWire,
    /// Outcome of the ended game.
    pub outcome: OutcomeWire,
}

/// Outcome of a game: the kind, the points, and the side that gave mate or forfeited.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct OutcomeWire {
    /// Kind of the outcome: mate, overmate, draw or forfeit.
    pub kind: OutcomeKindWire,
    /// Side that gave mate or that forfeited; null after a draw.
    pub by: Option<SideWire>,
    /// Points of a mate or overmate for the mating side; 0 after a draw or forfeit.
    pub points: i32,
}

/// Kind of a game's outcome: mate, overmate, draw or forfeit.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKindWire {
    /// The game ended with a mate.
    Mate,
    /// The game ended with an overmate.
    Overmate,
    /// The game ended without a mate.
    Draw,
    /// The game ended because a player forfeited the match.
    Forfeit,
}

/// Result of a match from the viewpoint of the bot that receives the message.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum ResultWire {
    /// The bot won the match.
    Win,
    /// The match was drawn.
    Draw,
    /// The bot lost the match.
    Loss,
}

/// Explanation by a bot of its chosen action. Every field is optional.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, Debug)]
#[serde(default)]
pub struct ThoughtWire {
    /// Search horizon of the bot in complete moves; null if the search reached the end of the game.
    pub horizon: Option<u8>,
    /// Points that the bot expects to score in the game; a negative number means points for the opponent.
    pub expected: Option<f64>,
    /// Whether the bot has proved that no legal action is better than its chosen action.
    pub proved: bool,
    /// Reason that the bot gives for its action, in words.
    pub reason: String,
}

/// Converts a message to one line of JSON, without the line end.
pub(super) fn to_line(message: &impl Serialize) -> String {
    serde_json::to_string(message).expect("every message can be written as JSON")
}
