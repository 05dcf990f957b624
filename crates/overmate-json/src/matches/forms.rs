//! Defines the JSON types of matches, which hold only facts that one viewer may know.

use serde::{Deserialize, Serialize};

use super::clocks::{ClockWire, Clocks};
use crate::{GameState, PlayerWire};

/// Role of the requester in a match: player A, player B, or both players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum You {
    /// The requester is player A.
    A,
    /// The requester is player B.
    B,
    /// The requester plays for both players.
    Both,
}

/// State of a match, without facts that are hidden from the viewer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = MatchState))]
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
    #[cfg_attr(feature = "openapi", schema(required))]
    pub you: Option<You>,
    /// Players A and B of the match.
    pub players: Players,
    /// Number of games in the match.
    pub games: u8,
    /// Index of the current game among the games of the match, from 0.
    pub game: usize,
    /// Points of each player, added up over all finished games of the match.
    pub totals: Points,
    /// Points of both players in each game, in the order of play; null for an unfinished game.
    pub scores: Vec<Option<Points>>,
    /// Whether the review of a game is available, with one Boolean value for each game in the order of play. The game must be over. In a
    /// match between two people, the second game of the same deal must be over too.
    pub reviewable: Vec<bool>,
    /// State of the current game, or of the last game after the end of the match. A rated match shows no deal, no cards and no legal
    /// actions until the invited player has joined.
    pub current: GameState,
    /// States of the games that precede the current game, beginning with the game at the index `finished_from`.
    pub finished: Vec<GameState>,
    /// Index in the match of the first game in the list `finished`. The index is 0, except in messages of a live connection, which leave
    /// out games that the client has. A client keeps its own games below the index, and appends the games of the message.
    pub finished_from: usize,
    /// Result of the match; null until the match has ended.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub result: Option<MatchResultWire>,
    /// URL path of the unused invitation to the match, shown only to the inviting player; otherwise null.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub invitation: Option<String>,
    /// URL path of the page for spectators of the match. The path is the spectators' link, or the public page for a
    /// viewer who came from that page.
    pub watch: String,
    /// Spectator delay of a running public match: the number of latest actions that the viewer cannot see yet. The number is null for
    /// players, and for viewers with the spectators' link.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub public_delay: Option<u8>,
    /// State of a rematch; null while no player has offered a rematch.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub rematch: Option<Rematch>,
    /// Whether the requester may undo an action now.
    pub undo: bool,
    /// Whether the requester may request a hint now.
    pub hint: bool,
    /// Latest undos and hints of the match, at most 100, from the oldest to the newest. The record holds all undos and hints.
    pub marks: Vec<Mark>,
    /// Name of the deal that the match shares with other matches, such as `2026-11-21` for a deal of the day; null without a shared deal.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub shared_deal: Option<String>,
    /// Whether the creator of the match chose the first deal by its deal number. The creator may have analysed this deal before.
    pub deal_chosen: bool,
    /// Clocks of the players; null for a match without clocks.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub clocks: Option<Clocks>,
    /// Whether the match changes the ratings of its players.
    pub rated: bool,
    /// Whether the match was played offline. The server cannot verify the computer opponent's choice of actions in such a match.
    pub offline: bool,
    /// Time when the match was created, in RFC 3339. For a match that was played offline, it is the time that the page gave.
    pub created_at: String,
}

/// Players A and B of a match.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Players {
    /// Player A, who leads to the first move of the first game.
    pub a: PlayerState,
    /// Player B, who leads to the first move of the second game.
    pub b: PlayerState,
}

/// Player of a match, as shown to the requester.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlayerState {
    /// Display name of the player; null if no name was given.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub name: Option<String>,
    /// Kind of the player, such as a friend or a computer opponent.
    pub kind: PlayerKind,
    /// Strength level of the computer opponent, from 1 to 9; null for other kinds of players.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub level: Option<u8>,
    /// Whether the player is a bot account, operated by a program.
    pub bot: bool,
}

/// Kind of a player, from the requester's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PlayerKind {
    /// The player is the person who sent the request.
    You,
    /// The player is a person other than the sender of the request.
    Friend,
    /// The player is a computer opponent of a strength level from 1 to 9.
    Level,
    /// The player is the perfect computer opponent.
    Perfect,
    /// The player is an opponent program that the server's operator configured. The name of the player is the name of the program.
    Program,
    /// No player has joined yet, because the invitation is unused.
    Open,
    /// The player has erased their data.
    Deleted,
}

/// Points of both players in a game or in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Points {
    /// Points of player A in the game or match.
    pub a: i32,
    /// Points of player B in the game or match.
    pub b: i32,
}

/// Result of a finished match.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = MatchResult))]
pub struct MatchResultWire {
    /// Player who won the match; null for a draw, and for an abandoned match.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub winner: Option<PlayerWire>,
    /// Absolute difference between the total points of the two players.
    pub margin: u32,
    /// Player who resigned the match or lost it on time; null if the match was played to its end.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub resigned: Option<PlayerWire>,
    /// Player who lost the match on time; null if no player lost on time.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub out_of_time: Option<PlayerWire>,
    /// Whether the match was abandoned: it has clocks, and ended before both players had acted. Such a match does not count for either
    /// player.
    pub abandoned: bool,
}

/// Rematch that a player has offered: a match with the same rules, in which the two players exchange the roles of player A and player B.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Rematch {
    /// Player who first offered the rematch.
    pub offered_by: PlayerWire,
    /// Id of the new match; null until both players have agreed to the rematch.
    #[serde(rename = "match")]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub match_id: Option<String>,
}

/// Undo or hint of a player in a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Mark {
    /// Sequence number of the match (number of its log entries) after a player's undo or hint.
    pub sequence: u64,
    /// Kind of help that the player used: an undo or a hint.
    pub kind: MarkKind,
    /// Player who took back an action or got a hint.
    pub player: PlayerWire,
    /// Index of the game in which the undo or hint happened, from 0.
    pub game: usize,
    /// Number of actions that the game had right after a player's undo or hint.
    pub after: usize,
}

/// Kind of help for a player in a match: an undo or a hint.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    /// The player took back an action.
    Undo,
    /// The player got a hint.
    Hint,
}

/// Summary of a match for a list of matches.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[allow(clippy::struct_excessive_bools, reason = "the fields are facts of their own in JSON")]
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
    /// Points of each player, added up over all finished games of the match.
    pub totals: Points,
    /// Whether the match has begun: a person has acted, a second person has joined, or the match has an undo, a hint or a result. Otherwise
    /// the match is removed after `empty_match_days`.
    pub begun: bool,
    /// Whether it is the requester's turn.
    pub your_turn: bool,
    /// Time control of the match; null for a match without clocks.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub clock: Option<ClockWire>,
    /// Whether the match changes the ratings of its players.
    pub rated: bool,
    /// Deadline of the next action in RFC 3339, including the maximum lag compensation; null while no clock runs.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub deadline: Option<String>,
    /// Result of the match; null until the match has ended.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub result: Option<MatchResultWire>,
    /// Name of the deal that the match shares with other matches, such as `2026-11-21` for a deal of the day; null without a shared deal.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub shared_deal: Option<String>,
    /// Whether the match was played offline, without the server.
    pub offline: bool,
    /// Time when the match was created, in RFC 3339. For a match that was played offline, it is the time that the page gave.
    pub created_at: String,
}
