//! Defines the JSON types of matches: requests and responses.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use overmate_json::{ClockWire, MatchSummary, PlayerWire, SeatWire};

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
    /// Whether the match ends after one round (the two games of its first deal), regardless of the rule set.
    #[serde(default)]
    pub one_round: bool,
    /// Player who leads in the first game.
    #[serde(default)]
    pub lead: LeadWire,
    /// Time control; null or absent for a match without clocks. Clocks are possible against a
    /// friend or a computer opponent. A match with clocks is played without help.
    #[serde(default)]
    pub clock: Option<ClockWire>,
    /// Whether the match changes the ratings of its players. A rated match has clocks, all rounds and no chosen deal, and each of its people has an account.
    /// Its opponent is a friend, or a level or `perfect` with a measured rating.
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

/// Programs of the server's operator, which play as opponents.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ProgramList {
    /// Names of the programs, in the order of the options; names from a configuration file are sorted. Most servers offer no programs.
    pub programs: Vec<String>,
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
    /// Program of the server's operator.
    Program {
        /// Name of the program, as in the list of programs.
        #[schema(max_length = 24, pattern = "^[A-Za-z0-9_.-]{1,24}$")]
        name: String,
    },
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
    /// Chosen action in text notation, as in the list `legal` of the game.
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

/// Request for a hint in a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HintRequest {
    /// Client id of the request, such as a UUID, which makes the request idempotent. A request without values and its repetition with
    /// values have the same client id.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
    /// Whether the server computes the values of the actions, as it does by default. Without values it checks and notes the hint, and returns its sequence number
    /// with no actions.
    #[serde(default = "with_values")]
    pub values: bool,
}

/// Returns the default of `values` in a request for a hint.
const fn with_values() -> bool {
    true
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

/// List of the matches in which the requester holds a seat.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MatchList {
    /// Matches in which the requester holds a seat, at most 100: unfinished before finished matches, both from new to old.
    pub matches: Vec<MatchSummary>,
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
    /// Seat, in the first game, of the invited player.
    pub seat: SeatWire,
    /// Whether the invitation has been used.
    pub used: bool,
    /// Whether the player who invites chose the first deal by its number. That player may have analysed this deal before.
    pub deal_chosen: bool,
    /// Id of the match; null unless the requester plays in the match.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}
