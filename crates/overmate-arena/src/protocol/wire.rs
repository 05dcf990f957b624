//! The messages of the bot protocol as types; each message is one JSON object on a line of its own.

use overmate_json::{RuleFacts, Seat};
use serde::{Deserialize, Serialize};

/// Version of the bot protocol that this crate speaks.
pub const VERSION: u32 = 1;

/// Message from the arena to a bot.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToBot {
    /// First message of the arena; the bot answers with [`FromBot::Ready`].
    Hello {
        /// Version of the bot protocol that the arena speaks.
        protocol: u32,
        /// Name and version of the arena's software.
        arena: String,
    },
    /// Start of a match; the bot does not answer.
    Match(Box<MatchWire>),
    /// Request for the bot's action; the bot answers with [`FromBot::Action`].
    Turn(Box<TurnWire>),
    /// End of a game; the bot does not answer.
    GameOver(Box<GameOverWire>),
    /// End of the match; the bot does not answer.
    MatchOver {
        /// Result of the match for the bot.
        result: ResultWire,
        /// Points of both sides in the match.
        points: PointsWire,
    },
    /// End of the conversation, at which the bot exits.
    Quit,
    /// Message of an unknown kind, which a later version of the protocol may add.
    #[serde(other)]
    Unknown,
}

/// Message from a bot to the arena.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromBot {
    /// Bot's answer to [`ToBot::Hello`], with its name.
    Ready {
        /// Version of the protocol that the bot speaks.
        protocol: u32,
        /// Name of the bot.
        name: String,
    },
    /// Bot's answer to [`ToBot::Turn`], with its chosen action.
    Action {
        /// Legal action that the bot chooses, in notation.
        action: String,
        /// Bot's explanation of the action, which may be missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thought: Option<ThoughtWire>,
    },
}

/// Announcement of a match that begins.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct MatchWire {
    /// Rule set of the match.
    pub rules: RuleFacts,
    /// Number of games in the match.
    pub games: u8,
    /// Player (A or B) as which the bot plays the match, of whom A leads to game 1 and B to games 2 and 3.
    pub player: PlayerWire,
    /// Random seed for the bot, below 2^53.
    pub seed: u64,
}

/// Player (A or B) of a match.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub enum PlayerWire {
    /// Player A, who leads to game 1.
    A,
    /// Player B, who leads to game 2.
    B,
}

/// Side of a game from the bot's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum SideWire {
    /// The bot that receives the message.
    You,
    /// The opponent of the bot that receives the message.
    Other,
}

/// Pair of values, one for the bot and one for its opponent.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct BothWire<T> {
    /// The bot's value of the pair.
    pub you: T,
    /// The opponent's value of the pair.
    pub other: T,
}

/// Points of the bot and of its opponent.
pub type PointsWire = BothWire<i32>;

/// Game of a match, with only the facts that the bot may know.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct GameWire {
    /// Number of the game within the match, from 1.
    pub game: usize,
    /// Number of games in the match.
    pub games: usize,
    /// The bot's seat in this game.
    pub seat: Seat,
    /// Points of both sides in the earlier games of the match.
    pub points: PointsWire,
    /// Cards dealt to the bot and to its opponent.
    pub dealt: BothWire<Vec<String>>,
    /// Actions of the game so far, in notation.
    pub actions: Vec<String>,
}

/// State of a game in which the bot is to act.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct TurnWire {
    /// Game in which the bot is to act.
    #[serde(flatten)]
    pub game: GameWire,
    /// Phase of the game, which determines the kind of action.
    pub phase: PhaseWire,
    /// Number of the move, from 1.
    #[serde(rename = "move")]
    pub move_number: u8,
    /// Cards that the bot and its opponent hold now. The opponent's hand includes a card that the opponent foreplaced face
    /// down.
    pub hands: BothWire<Vec<String>>,
    /// Foreplaced cards: a card, `-` for none, `?` for a face-down card, null before the choice.
    pub foreplaced: BothWire<Option<String>>,
    /// Cards that may be the opponent's face-down card; empty without one.
    pub hidden: Vec<String>,
    /// Side that leads to the current move.
    pub leader: SideWire,
    /// Lead that the bot has to answer; null if the bot does not have to answer a lead.
    pub lead: Option<LeadWire>,
    /// Whether the free move of the game is still unused.
    pub free_move: bool,
    /// Legal actions in notation; never empty.
    pub legal: Vec<String>,
    /// Time limit for the answer, in milliseconds.
    pub time_ms: u64,
    /// Node limit for the bot's search, if there is one; the arena does not count nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// Kind of action that the bot has to choose.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum PhaseWire {
    /// The bot foreplaces a card or none.
    Foreplace,
    /// The bot leads a card.
    Lead,
    /// The bot answers a lead.
    Follow,
}

/// Lead of a card that the bot has to answer.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct LeadWire {
    /// Card that the leader has led.
    pub card: String,
    /// Whether the leader demands the privileged rank.
    pub demanded: bool,
}

/// Game that has ended; no card is hidden any more.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct GameOverWire {
    /// Ended game, with all its actions.
    #[serde(flatten)]
    pub game: GameWire,
    /// Outcome of the ended game.
    pub outcome: OutcomeWire,
}

/// Outcome of a game, with the side that caused it.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct OutcomeWire {
    /// Kind of the outcome: mate, overmate, draw or forfeit.
    pub kind: OutcomeKindWire,
    /// Side that gave mate or forfeited; null after a draw.
    pub by: Option<SideWire>,
    /// Points that the mate is worth; 0 without a mate.
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

/// Result of a match for the bot.
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

/// Explanation of an action by the bot; every field is optional.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, Debug)]
#[serde(default)]
pub struct ThoughtWire {
    /// Search horizon in complete moves; null if the search reached the end of the game.
    pub horizon: Option<u8>,
    /// Final points of the game that the bot expects for itself.
    pub expected: Option<f64>,
    /// Whether the bot has proved that no other action is better.
    pub proved: bool,
    /// The bot's reason for the action, in words.
    pub reason: String,
}

/// Returns a message as a line of JSON, without the line end.
pub(super) fn to_line(message: &impl Serialize) -> String {
    serde_json::to_string(message).expect("messages consist of texts, numbers and lists")
}
