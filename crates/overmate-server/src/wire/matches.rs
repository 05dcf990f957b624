//! Matches on the wire: what one asks for, and what one gets to see.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{GameState, Seat};

/// A player of a match; `a` is *first* in game 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Player {
    /// Leads game 0.
    A,
    /// Leads game 1.
    B,
}

/// What to play, and against whom.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMatch {
    /// The name of a rule set: `bga`, `sackson+double`.
    #[schema(max_length = 200, example = "bga")]
    pub rules: String,
    /// Against whom.
    #[serde(deserialize_with = "super::object")]
    pub opponent: Opponent,
    /// The number of the first deal. Without it the deal is drawn at random, as the later ones always are.
    #[serde(default)]
    #[schema(max_length = 20, example = "20010")]
    pub deal: Option<String>,
    /// Who leads to the first game.
    #[serde(default)]
    pub lead: Lead,
    /// What the players are called.
    #[serde(default, deserialize_with = "super::object")]
    pub names: Names,
    /// Made by the client for this request alone, such as a UUID. Sent again by the same browser, it begins nothing again.
    #[serde(default)]
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: Option<String>,
}

/// Against whom.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Opponent {
    /// An opponent of a level.
    Level {
        /// From 1, the weakest, to 9.
        #[schema(minimum = 1, maximum = 9)]
        level: u8,
    },
    /// One that loses no point to best play.
    Perfect,
    /// Somebody who follows the invitation.
    Friend,
    /// You play both sides.
    Both,
}

/// Who leads to the first game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Lead {
    /// You.
    Me,
    /// The other.
    Other,
    /// Either, at random.
    #[default]
    Random,
}

/// What the players are called: at most 40 characters.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Names {
    /// You.
    #[serde(default)]
    #[schema(max_length = 40)]
    pub me: Option<String>,
    /// The other, if you play both sides.
    #[serde(default)]
    #[schema(max_length = 40)]
    pub other: Option<String>,
}

/// An action.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// The sequence of the state that the action answers.
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub sequence: u64,
    /// In notation, as in `legal`.
    #[schema(max_length = 16, example = "Tc")]
    pub action: String,
    /// Made by the client for this action alone, such as a UUID. Sent again, it does nothing again.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
}

/// The name of a request, so that sending it again does nothing again.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClientId {
    /// Made by the client for this request alone, such as a UUID.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
}

/// Gives the match up.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// Made by the client for this request alone, such as a UUID.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
    /// Who resigns, if you play both sides; without it, the one whose turn it is.
    #[serde(default)]
    pub player: Option<Player>,
}

/// Who you are in a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum You {
    /// Player A.
    A,
    /// Player B.
    B,
    /// Both.
    Both,
}

/// A match as one viewer may see it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MatchState {
    /// The match.
    pub id: String,
    /// How many things have happened in it: each changes the state, and none is skipped.
    pub sequence: u64,
    /// The name of the rule set.
    pub rules: String,
    /// What to call the rule set on a page.
    pub rules_title: String,
    /// Who you are; null for a spectator.
    #[schema(required)]
    pub you: Option<You>,
    /// The players.
    pub players: Players,
    /// How many games the match has.
    pub games: u8,
    /// The index of the current game, from 0.
    pub game: usize,
    /// The points so far.
    pub totals: Points,
    /// The points of each game; null for those that are not over.
    pub scores: Vec<Option<Points>>,
    /// Of each game, by its index, whether its review may be read now: it is over, and between two people so is the other
    /// game of its deal.
    pub reviewable: Vec<bool>,
    /// The game that is played; the last one, when the match is over.
    pub current: GameState,
    /// Games before the current one, whole, from the index `finished_from` on.
    pub finished: Vec<GameState>,
    /// The index of the first game in `finished`. Always 0 but in messages of a live connection, which bring what is
    /// new: keep your own games below this index, and put these after them.
    pub finished_from: usize,
    /// How the match ended.
    #[schema(required)]
    pub result: Option<MatchResult>,
    /// The path to give to a friend, for the one who invites, until it is used.
    #[schema(required)]
    pub invitation: Option<String>,
    /// The path to give to spectators.
    pub watch: String,
    /// What stands about another match with the same rules.
    #[schema(required)]
    pub rematch: Option<Rematch>,
    /// Whether you may take back now.
    pub undo: bool,
    /// Whether you may ask for a hint now.
    pub hint: bool,
    /// Where somebody took back or had a hint.
    pub marks: Vec<Mark>,
    /// When the match was made, in RFC 3339.
    pub created_at: String,
}

/// The players of a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Players {
    /// Player A.
    pub a: PlayerState,
    /// Player B.
    pub b: PlayerState,
}

/// A player.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PlayerState {
    /// What the player is called; null if nobody said.
    #[schema(required)]
    pub name: Option<String>,
    /// Who it is, as you see it.
    pub kind: PlayerKind,
    /// The level, if it is an opponent of a level.
    #[schema(required)]
    pub level: Option<u8>,
}

/// Who a player is, as you see it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlayerKind {
    /// You.
    You,
    /// Somebody else.
    Friend,
    /// The computer, at a level.
    Level,
    /// The computer at its best.
    Perfect,
    /// Nobody yet: the invitation has not been used.
    Open,
}

/// Points of both players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Points {
    /// Of A.
    pub a: i32,
    /// Of B.
    pub b: i32,
}

/// How a match ended.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MatchResult {
    /// Who won; null for a draw.
    #[schema(required)]
    pub winner: Option<Player>,
    /// The difference of the totals, 0 and up.
    pub margin: u32,
    /// Who gave up.
    #[schema(required)]
    pub resigned: Option<Player>,
}

/// Another match with the same rules, in which the other leads first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Rematch {
    /// Who asked for it first.
    pub offered_by: Player,
    /// The new match, once the other has agreed.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}

/// Something that a record says of a match besides its actions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Mark {
    /// Which thing that happened it is.
    pub sequence: u64,
    /// What.
    pub kind: MarkKind,
    /// By whom.
    pub player: Player,
    /// The index of the game.
    pub game: usize,
    /// How many actions of that game it follows.
    pub after: usize,
}

/// What was done besides acting.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    /// An action was taken back.
    Undo,
    /// A hint was given.
    Hint,
}

/// Your matches.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MatchList {
    /// Unfinished ones first, then the newest; at most 100.
    pub matches: Vec<MatchSummary>,
}

/// One of your matches.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MatchSummary {
    /// The match.
    pub id: String,
    /// The name of the rule set.
    pub rules: String,
    /// What to call the rule set on a page.
    pub rules_title: String,
    /// Who you are.
    pub you: You,
    /// The players.
    pub players: Players,
    /// How many things have happened.
    pub sequence: u64,
    /// How many games the match has.
    pub games: u8,
    /// The index of the current game, from 0.
    pub game: usize,
    /// The points so far.
    pub totals: Points,
    /// Whether it is your turn.
    pub your_turn: bool,
    /// How the match ended.
    #[schema(required)]
    pub result: Option<MatchResult>,
    /// When the match was made, in RFC 3339.
    pub created_at: String,
}

/// Takes the seat that an invitation is to.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// What you are called: at most 40 characters.
    #[serde(default)]
    #[schema(max_length = 40)]
    pub name: Option<String>,
}

/// What an invitation is to.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Invitation {
    /// The name of the rule set.
    pub rules: String,
    /// What to call the rule set on a page.
    pub rules_title: String,
    /// What the one who invites is called.
    #[schema(required)]
    pub from: Option<String>,
    /// How many games the match has.
    pub games: u8,
    /// Where you would sit in the first game.
    pub seat: Seat,
    /// Whether the invitation has been used.
    pub used: bool,
    /// The match, if you are a player of it already.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}
