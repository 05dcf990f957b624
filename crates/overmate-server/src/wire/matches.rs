//! Defines the JSON types of matches: requests and responses.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::clocks::{ClockWire, Clocks};
use overmate_json::{GameState, PlayerWire, SeatWire};

/// Request to create a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMatch {
    /// Name of the match's rule set, such as `bga` or `sackson+double`.
    #[schema(max_length = 200, example = "bga")]
    pub rules: String,
    /// Opponent against whom the requester wants to play.
    #[serde(deserialize_with = "overmate_json::object")]
    pub opponent: Opponent,
    /// Deal number of the first round. Without a number the first deal is random, like all later
    /// deals.
    #[serde(default)]
    #[schema(max_length = 20, example = "20010")]
    pub deal: Option<String>,
    /// Player who leads in the first game.
    #[serde(default)]
    pub lead: LeadWire,
    /// Time control; null or absent for a match without clocks. Clocks are possible against a
    /// friend or a computer opponent. A match with clocks is played without help.
    #[serde(default)]
    pub clock: Option<ClockWire>,
    /// Whether the match changes the ratings of its players. A rated match is against a friend, with clocks and without a chosen deal, and both players have
    /// accounts.
    #[serde(default)]
    pub rated: bool,
    /// Display names of the players.
    #[serde(default, deserialize_with = "overmate_json::object")]
    pub names: Names,
    /// Client id of the request, such as a UUID, which makes the request idempotent for this
    /// browser.
    #[serde(default)]
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: Option<String>,
}

/// Opponent in a new match: a computer opponent, a friend, or the requester.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Opponent {
    /// Computer opponent of a level from 1 to 9.
    Level {
        /// Level of the computer opponent, from 1 (weakest) to 9.
        #[schema(minimum = 1, maximum = 9)]
        level: u8,
    },
    /// Perfect computer opponent, which loses no points against best play.
    Perfect,
    /// Friend of the requester, who joins by an invitation link.
    Friend,
    /// The requester, who plays for both players.
    Both,
}

/// Player who leads in the first game of a new match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Lead)]
pub enum LeadWire {
    /// The requester leads in the first game.
    Me,
    /// The other player leads in the first game.
    Other,
    /// A randomly chosen player leads in the first game.
    #[default]
    Random,
}

/// Names of the players for display, each of at most 40 user-perceived characters. The server composes accents (Unicode
/// normalisation form C), and removes invisible characters and stacked combining characters.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Names {
    /// Name of the requester.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub me: Option<String>,
    /// Name of the second player if the requester plays for both players.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub other: Option<String>,
}

/// Request to take an action in a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// Sequence number of the match state on which the action was chosen. If the match has changed since, the server refuses the
    /// action.
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub sequence: u64,
    /// Chosen action in notation, as in the list `legal` of the game.
    #[schema(max_length = 16, example = "Tc")]
    pub action: String,
    /// Client id of the request, such as a UUID, which makes the request idempotent.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
}

/// Request with only a client id.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClientId {
    /// Client id of the request, such as a UUID, which makes the request idempotent.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
}

/// Request to resign a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// Client id of the request, such as a UUID, which makes the request idempotent.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
    /// Player (A or B) who resigns, if the requester plays for both players. Without this field the player to act resigns.
    #[serde(default)]
    pub player: Option<PlayerWire>,
}

/// Role of the requester in a match: player A, player B, or both players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum You {
    /// The requester is player A.
    A,
    /// The requester is player B.
    B,
    /// The requester plays for both players.
    Both,
}

/// State of a match, with only the facts that one viewer may know.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = MatchState)]
#[allow(clippy::struct_excessive_bools, reason = "the fields are facts of their own in JSON")]
pub struct MatchView {
    /// Id of the match.
    pub id: String,
    /// Sequence number of the match: the number of its log entries. Every change of the match adds an entry.
    pub sequence: u64,
    /// Name of the match's rule set.
    pub rules: String,
    /// English title of the match's rule set.
    pub rules_title: String,
    /// Role of the requester: player A, player B, or both players; null for a spectator.
    #[schema(required)]
    pub you: Option<You>,
    /// Players A and B of the match.
    pub players: Players,
    /// Number of games in the match.
    pub games: u8,
    /// Index of the current game in the match, from 0.
    pub game: usize,
    /// Total points of both players in all finished games.
    pub totals: Points,
    /// Points of both players in each game, in the order of play; null for an unfinished game.
    pub scores: Vec<Option<Points>>,
    /// Whether the review of each game is available. The game must be over and, between two people, the second game of its deal,
    /// too.
    pub reviewable: Vec<bool>,
    /// State of the current game, or of the last game after the end of the match.
    pub current: GameState,
    /// States of the games before the current game, from the index `finished_from` on.
    pub finished: Vec<GameState>,
    /// Index of the first game in the list `finished`. The index is 0, except in messages of a live connection, which leave out
    /// games that the client has. A client keeps its own games below the index, and appends the games of the message.
    pub finished_from: usize,
    /// Result of the match; null until the match is over.
    #[schema(required)]
    pub result: Option<MatchResultWire>,
    /// URL path of the unused invitation, for the inviting player; otherwise null.
    #[schema(required)]
    pub invitation: Option<String>,
    /// URL path of the spectators' link, or of the public page for a viewer who came by it.
    pub watch: String,
    /// Number of actions that this viewer of a public match does not see yet while the match runs; null for players, and for
    /// viewers with the spectators' link.
    #[schema(required)]
    pub public_delay: Option<u8>,
    /// State of a rematch; null while no player has offered a rematch.
    #[schema(required)]
    pub rematch: Option<Rematch>,
    /// Whether the requester may undo an action now.
    pub undo: bool,
    /// Whether the requester may request a hint now.
    pub hint: bool,
    /// Latest undos and hints of the match, at most 100, from old to new. The record holds all undos and hints.
    pub marks: Vec<Mark>,
    /// Name of the shared deal that the match plays, such as `2026-11-21`; null for all other matches.
    #[schema(required)]
    pub shared_deal: Option<String>,
    /// Whether the creator of the match chose the first deal by its number. The creator may have analysed this deal before.
    pub deal_chosen: bool,
    /// Clocks of the players; null for a match without clocks.
    #[schema(required)]
    pub clocks: Option<Clocks>,
    /// Whether the match changes the ratings of its players.
    pub rated: bool,
    /// Time when the match was created, in RFC 3339.
    pub created_at: String,
}

/// Players A and B of a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Players {
    /// Player A, who leads to the first move of the first game.
    pub a: PlayerState,
    /// Player B, who leads to the first move of the second game.
    pub b: PlayerState,
}

/// Player of a match, described for the requester.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PlayerState {
    /// Display name of the player; null if no name was given.
    #[schema(required)]
    pub name: Option<String>,
    /// Kind of the player, such as a friend or a computer opponent.
    pub kind: PlayerKind,
    /// Level of the computer opponent, from 1 to 9; null for other kinds of players.
    #[schema(required)]
    pub level: Option<u8>,
}

/// Kind of a player, from the requester's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlayerKind {
    /// The requester is the player.
    You,
    /// The player is a person other than the requester.
    Friend,
    /// The player is a computer opponent of a level from 1 to 9.
    Level,
    /// The player is the perfect computer opponent.
    Perfect,
    /// The seat of the player is open, because the invitation is unused.
    Open,
    /// The seat is vacant, because the player has erased their data.
    Deleted,
}

/// Points of both players in a game or in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Points {
    /// Points of player A in the game or match.
    pub a: i32,
    /// Points of player B in the game or match.
    pub b: i32,
}

/// Result of a match that is over.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = MatchResult)]
pub struct MatchResultWire {
    /// Player who won the match; null for a draw, and for an abandoned match.
    #[schema(required)]
    pub winner: Option<PlayerWire>,
    /// Difference between the players' total points, at least 0.
    pub margin: u32,
    /// Player who resigned the match or lost it on time; null if the match was played to its end.
    #[schema(required)]
    pub resigned: Option<PlayerWire>,
    /// Player who lost the match on time; null if no player lost on time.
    #[schema(required)]
    pub out_of_time: Option<PlayerWire>,
    /// Whether a match with clocks ended before each player had acted. Such a match counts for nobody.
    pub abandoned: bool,
}

/// State of a rematch: a match with the same rules, in which the other player leads first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Rematch {
    /// Player who first offered the rematch.
    pub offered_by: PlayerWire,
    /// Id of the new match; null until the second player accepts the rematch.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}

/// Undo or hint in the record of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Mark {
    /// Sequence number of the log entry of the undo or hint.
    pub sequence: u64,
    /// Kind of help: an undo or a hint.
    pub kind: MarkKind,
    /// Player who took back an action or got a hint.
    pub player: PlayerWire,
    /// Index of the game with the undo or hint, from 0.
    pub game: usize,
    /// Number of actions in the game before the undo or hint.
    pub after: usize,
}

/// Kind of help in the record of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    /// The player took back an action.
    Undo,
    /// The player got a hint.
    Hint,
}

/// List of the matches in which the requester holds a seat.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MatchList {
    /// Matches in which the requester holds a seat: unfinished matches first, then from new to old; at most 100.
    pub matches: Vec<MatchSummary>,
}

/// Facts about a match in a list of matches.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MatchSummary {
    /// Id of the match.
    pub id: String,
    /// Name of the match's rule set.
    pub rules: String,
    /// English title of the match's rule set.
    pub rules_title: String,
    /// Role of the requester in the match: player A, player B, or both players.
    pub you: You,
    /// Players A and B of the match.
    pub players: Players,
    /// Sequence number of the match: the number of entries in its log.
    pub sequence: u64,
    /// Number of games in the match.
    pub games: u8,
    /// Index of the current game in the match, from 0.
    pub game: usize,
    /// Total points of both players in all finished games.
    pub totals: Points,
    /// Whether a person has acted, joined, or asked for help in the match. Otherwise the match is removed after
    /// `empty_match_days`.
    pub begun: bool,
    /// Whether the requester is to act.
    pub your_turn: bool,
    /// Time control; null for a match without clocks.
    #[schema(required)]
    pub clock: Option<ClockWire>,
    /// Whether the match changes the ratings of its players.
    pub rated: bool,
    /// Deadline of the player to act in RFC 3339, including maximum lag compensation; null while no
    /// clock runs.
    #[schema(required)]
    pub deadline: Option<String>,
    /// Result of the match; null until the match is over.
    #[schema(required)]
    pub result: Option<MatchResultWire>,
    /// Name of the shared deal that the match plays, such as `2026-11-21`; null for all other matches.
    #[schema(required)]
    pub shared_deal: Option<String>,
    /// Time when the match was created, in RFC 3339.
    pub created_at: String,
}

/// Request to join a match by its invitation.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// Name of the requester for display, of at most 40 user-perceived characters.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
}

/// Public facts about the match of an invitation.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Invitation {
    /// Name of the match's rule set.
    pub rules: String,
    /// English title of the match's rule set.
    pub rules_title: String,
    /// Name of the player who invites; null without a name, and once the invitation is used.
    #[schema(required)]
    pub from: Option<String>,
    /// Number of games in the match.
    pub games: u8,
    /// Time control; null for a match without clocks.
    #[schema(required)]
    pub clock: Option<ClockWire>,
    /// Whether the match is rated, so that the invited player needs an account.
    pub rated: bool,
    /// Seat of the invited player in the first game.
    pub seat: SeatWire,
    /// Whether the invitation is used.
    pub used: bool,
    /// Whether the player who invites chose the first deal by its number. That player may have analysed this deal before.
    pub deal_chosen: bool,
    /// Id of the match; null unless the requester plays in the match.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}
