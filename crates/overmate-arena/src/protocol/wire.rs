//! The messages between an arena and a bot, as types: one JSON object a line.

use serde::{Deserialize, Serialize};

use super::facts::RulesWire;

/// The version of the protocol that this crate speaks.
pub const VERSION: u32 = 1;

/// What an arena says to a bot.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToBot {
    /// The first line; the bot answers with [`FromBot::Ready`].
    Hello {
        /// The version of the protocol.
        protocol: u32,
        /// Who asks.
        arena: String,
    },
    /// A match begins. No answer.
    Match(Box<MatchWire>),
    /// It is the bot's turn; it answers with [`FromBot::Action`].
    Turn(Box<TurnWire>),
    /// A game is over. No answer.
    GameOver(Box<GameOverWire>),
    /// The match is over. No answer.
    MatchOver {
        /// How it ended for the bot.
        result: ResultWire,
        /// The points of the match.
        points: PointsWire,
    },
    /// There is nothing more to do: the bot ends.
    Quit,
    /// Something that a later version says.
    #[serde(other)]
    Unknown,
}

/// What a bot says to an arena.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromBot {
    /// It speaks the protocol.
    Ready {
        /// The version that it speaks.
        protocol: u32,
        /// What it calls itself.
        name: String,
    },
    /// What it does.
    Action {
        /// A legal action, in notation.
        action: String,
        /// Why, if it wants to say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thought: Option<ThoughtWire>,
    },
}

/// A match that begins.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct MatchWire {
    /// What is played.
    pub rules: RulesWire,
    /// How many games the match has.
    pub games: u8,
    /// Which player the bot is: `A` leads to game 1, `B` to games 2 and 3.
    pub player: PlayerWire,
    /// For bots that leave something to chance: below 2^53.
    pub seed: u64,
}

/// A player of a match.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub enum PlayerWire {
    /// Leads game 1.
    A,
    /// The other one.
    B,
}

/// A seat of a game.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum SeatWire {
    /// Leads to the first move.
    First,
    /// Answers the first lead.
    Second,
}

/// One of the two, as the bot sees them.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum WhoWire {
    /// The bot itself.
    You,
    /// Its opponent.
    Other,
}

/// Something for the bot, and for its opponent.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct BothWire<T> {
    /// The bot's own.
    pub you: T,
    /// Its opponent's.
    pub other: T,
}

/// Points of both.
pub type PointsWire = BothWire<i32>;

/// A game as the bot may know it.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct GameWire {
    /// The number of the game, from 1.
    pub game: usize,
    /// How many games the match has.
    pub games: usize,
    /// Where the bot sits in this game.
    pub seat: SeatWire,
    /// The points of the games before this one.
    pub points: PointsWire,
    /// The hands that were dealt.
    pub dealt: BothWire<Vec<String>>,
    /// Everything that was done so far, in notation.
    pub actions: Vec<String>,
}

/// It is the bot's turn.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct TurnWire {
    /// The game.
    #[serde(flatten)]
    pub game: GameWire,
    /// What is to be done.
    pub phase: PhaseWire,
    /// The number of the move, from 1.
    #[serde(rename = "move")]
    pub move_number: u8,
    /// The hands as they are. If the other's foreplaced card lies face down, it is still among his.
    pub hands: BothWire<Vec<String>>,
    /// What was foreplaced: a card, `-` for none, `?` for a card face down; null for who has not chosen yet.
    pub foreplaced: BothWire<Option<String>>,
    /// The cards of which one lies face down before the other; empty if none does.
    pub hidden: Vec<String>,
    /// Who leads to this move.
    pub leader: WhoWire,
    /// The lead that is to be answered.
    pub lead: Option<LeadWire>,
    /// Whether the free move is still there.
    pub free_move: bool,
    /// Every legal action, in notation: never empty.
    pub legal: Vec<String>,
    /// How many milliseconds the bot has. After that it forfeits.
    pub time_ms: u64,
    /// How many positions the bot may look at, if that is limited. Nobody counts but the bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// What is to be done.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum PhaseWire {
    /// Foreplacing a card, or none.
    Foreplace,
    /// Leading.
    Lead,
    /// Answering a lead.
    Follow,
}

/// A lead.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct LeadWire {
    /// The card.
    pub card: String,
    /// Whether its rank is demanded.
    pub demanded: bool,
}

/// A game that is over; its actions hide nothing now.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct GameOverWire {
    /// The game.
    #[serde(flatten)]
    pub game: GameWire,
    /// How it ended.
    pub outcome: OutcomeWire,
}

/// How a game ended.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct OutcomeWire {
    /// In which way.
    pub kind: OutcomeKindWire,
    /// Who gave mate, or gave up.
    pub by: Option<WhoWire>,
    /// The points of the mate; 0 without one.
    pub points: i32,
}

/// In which way a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKindWire {
    /// By mate.
    Mate,
    /// By overmate.
    Overmate,
    /// Without a mate.
    Draw,
    /// A player forfeited the match.
    Forfeit,
}

/// How a match ended for a bot.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum ResultWire {
    /// It won.
    Win,
    /// Nobody won.
    Draw,
    /// It lost.
    Loss,
}

/// Why a bot does something. Everything may be left out.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, Debug)]
#[serde(default)]
pub struct ThoughtWire {
    /// How many moves ahead it saw everything; null if to the end of the game.
    pub horizon: Option<u8>,
    /// The final points of the game that it expects for itself.
    pub expected: Option<f64>,
    /// Whether no other action can be better.
    pub proved: bool,
    /// In words.
    pub reason: String,
}
