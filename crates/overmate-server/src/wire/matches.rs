//! JSON types of matches: requests and responses.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::game::GameState;
use super::player::Player;
use overmate_json::Seat;

/// Request for a new match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMatch {
    /// Name of a rule set: `bga`, `sackson+double`.
    #[schema(max_length = 200, example = "bga")]
    pub rules: String,
    /// Requested opponent.
    #[serde(deserialize_with = "super::objects::object")]
    pub opponent: Opponent,
    /// Number of the first deal. Without it the first deal is random, as all later deals are.
    #[serde(default)]
    #[schema(max_length = 20, example = "20010")]
    pub deal: Option<String>,
    /// Leader of the first game.
    #[serde(default)]
    pub lead: Lead,
    /// Names of the players.
    #[serde(default, deserialize_with = "super::objects::object")]
    pub names: Names,
    /// Unique name of the request, such as a UUID. It makes the request of a browser idempotent.
    #[serde(default)]
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: Option<String>,
}

/// Opponent of a new match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Opponent {
    /// Computer opponent of a level.
    Level {
        /// Level from 1, the weakest, to 9.
        #[schema(minimum = 1, maximum = 9)]
        level: u8,
    },
    /// Computer opponent that loses no point to best play.
    Perfect,
    /// Friend who gets an invitation.
    Friend,
    /// You, on both seats.
    Both,
}

/// Leader of the first game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Lead {
    /// You lead.
    Me,
    /// The other player leads.
    Other,
    /// A random player leads.
    #[default]
    Random,
}

/// Names of the players, of at most 40 characters as readers count them. The server composes accents (Unicode normalisation form C), and removes invisible
/// characters and stacked combining characters.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Names {
    /// Your name.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub me: Option<String>,
    /// Name of the other player, if you play both seats.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub other: Option<String>,
}

/// Request for an action.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// Sequence number of the state for which the action was chosen (compare-and-swap).
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub sequence: u64,
    /// Action in notation, as in `legal`.
    #[schema(max_length = 16, example = "Tc")]
    pub action: String,
    /// Unique name of the request, such as a UUID, which makes it idempotent.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
}

/// Request that has no parameters but its client id.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClientId {
    /// Unique name of the request, such as a UUID, which makes it idempotent.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
}

/// Request to resign a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// Unique name of the request, such as a UUID, which makes it idempotent.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
    /// Player who resigns, if you play both seats. Without it the player to act resigns.
    #[serde(default)]
    pub player: Option<Player>,
}

/// Your part in a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum You {
    /// You are player A.
    A,
    /// You are player B.
    B,
    /// You are both players.
    Both,
}

/// Match as one viewer may see it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = MatchState)]
pub struct MatchView {
    /// Id of the match.
    pub id: String,
    /// Sequence number: the count of the entries of the match's log. Every change of the match adds an entry.
    pub sequence: u64,
    /// Name of the rule set.
    pub rules: String,
    /// English title of the rule set.
    pub rules_title: String,
    /// Your part in the match; null for a spectator.
    #[schema(required)]
    pub you: Option<You>,
    /// Both players of the match.
    pub players: Players,
    /// Count of the games of the match.
    pub games: u8,
    /// Index of the current game, from 0.
    pub game: usize,
    /// Total points so far.
    pub totals: Points,
    /// Points of each game; null for a game that is not over.
    pub scores: Vec<Option<Points>>,
    /// Whether the review of each game is available, by the index of the game: the game is over, and between two people the
    /// other game of the same deal is over too.
    pub reviewable: Vec<bool>,
    /// Current game, or the last game when the match is over.
    pub current: GameState,
    /// Games before the current one, from the index `finished_from` on.
    pub finished: Vec<GameState>,
    /// Index of the first game in `finished`. It is 0 except in messages of a live connection, which hold new games only: a
    /// client keeps its own games below this index and appends the games of the message.
    pub finished_from: usize,
    /// Result of the match; null while the match is running.
    #[schema(required)]
    pub result: Option<MatchResult>,
    /// Path of the invitation, for the player who invites, until it is used.
    #[schema(required)]
    pub invitation: Option<String>,
    /// Path of the spectators' link.
    pub watch: String,
    /// State of a rematch; null if nobody has offered one.
    #[schema(required)]
    pub rematch: Option<Rematch>,
    /// Whether you may undo now.
    pub undo: bool,
    /// Whether you may ask for a hint now.
    pub hint: bool,
    /// Latest undos and hints, at most 100, oldest first. The record holds all of them.
    pub marks: Vec<Mark>,
    /// Time of the creation of the match, in RFC 3339.
    pub created_at: String,
}

/// Players of a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Players {
    /// Player A.
    pub a: PlayerState,
    /// Player B.
    pub b: PlayerState,
}

/// Player of a match, as you see them.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PlayerState {
    /// Name of the player; null if it is not given.
    #[schema(required)]
    pub name: Option<String>,
    /// Kind of the player.
    pub kind: PlayerKind,
    /// Level of a computer opponent; null for other players.
    #[schema(required)]
    pub level: Option<u8>,
}

/// Kind of a player, as you see them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlayerKind {
    /// Viewer of the match.
    You,
    /// Another person.
    Friend,
    /// Computer opponent of a level.
    Level,
    /// Perfect computer opponent.
    Perfect,
    /// Nobody: the invitation has not been used.
    Open,
}

/// Points of both players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Points {
    /// Points of player A.
    pub a: i32,
    /// Points of player B.
    pub b: i32,
}

/// Result of a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MatchResult {
    /// Winner; null for a draw.
    #[schema(required)]
    pub winner: Option<Player>,
    /// Difference of the totals, at least 0.
    pub margin: u32,
    /// Player who resigned; null if nobody did.
    #[schema(required)]
    pub resigned: Option<Player>,
}

/// State of a rematch: a match with the same rules, in which the other player leads first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Rematch {
    /// Player who offered the rematch first.
    pub offered_by: Player,
    /// Id of the rematch; null until the other player accepts.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}

/// Undo or hint, which the record of the match notes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Mark {
    /// Sequence number of the undo or hint.
    pub sequence: u64,
    /// Kind of the mark.
    pub kind: MarkKind,
    /// Player of the undo or hint.
    pub player: Player,
    /// Index of the game.
    pub game: usize,
    /// Count of the actions of that game before the mark.
    pub after: usize,
}

/// Kind of a mark.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    /// An action was taken back.
    Undo,
    /// A hint was given.
    Hint,
}

/// List of your matches.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MatchList {
    /// Matches, unfinished ones first, then the newest; at most 100.
    pub matches: Vec<MatchSummary>,
}

/// Match in a list.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MatchSummary {
    /// Id of the match.
    pub id: String,
    /// Name of the rule set.
    pub rules: String,
    /// English title of the rule set.
    pub rules_title: String,
    /// Your part in the match.
    pub you: You,
    /// Both players of the match.
    pub players: Players,
    /// Sequence number: the count of the entries of the match's log.
    pub sequence: u64,
    /// Count of the games of the match.
    pub games: u8,
    /// Index of the current game, from 0.
    pub game: usize,
    /// Total points so far.
    pub totals: Points,
    /// Whether it is your turn.
    pub your_turn: bool,
    /// Result of the match; null while the match is running.
    #[schema(required)]
    pub result: Option<MatchResult>,
    /// Time of the creation of the match, in RFC 3339.
    pub created_at: String,
}

/// Request to take the seat of an invitation.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// Your name, of at most 40 characters as readers count them.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
}

/// Invitation to a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Invitation {
    /// Name of the rule set.
    pub rules: String,
    /// English title of the rule set.
    pub rules_title: String,
    /// Name of the player who invites; null if it is not given or the invitation is used.
    #[schema(required)]
    pub from: Option<String>,
    /// Count of the games of the match.
    pub games: u8,
    /// Your seat in the first game.
    pub seat: Seat,
    /// Whether the invitation has been used.
    pub used: bool,
    /// Id of the match, if you are a player of the match already.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}
