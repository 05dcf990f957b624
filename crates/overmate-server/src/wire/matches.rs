//! Defines the JSON types of matches: requests and responses.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use overmate_json::{ClockWire, MatchSummary, PlayerWire, SeatWire};

/// Request to create a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMatch {
    /// Name of the match's rule set, such as `bga` or `sackson+double`.
    #[schema(max_length = 200, example = "bga")]
    pub rules: String,
    /// Opponent of the requester: a computer opponent, a friend, or nobody if the requester plays for both players.
    #[serde(deserialize_with = "overmate_json::object")]
    pub opponent: Opponent,
    /// Deal number of the first round; null or absent for a random deal. The deals of later rounds
    /// are always random.
    #[serde(default)]
    #[schema(max_length = 20, example = "20010")]
    pub deal: Option<String>,
    /// Whether the match ends after one round (the two games of its first deal), regardless of the rule set.
    #[serde(default)]
    pub one_round: bool,
    /// Player who leads in the first game of the match. The default is `random`.
    #[serde(default)]
    pub lead: LeadWire,
    /// Time control of the match; null or absent for a match without clocks. Only a match against a
    /// friend or a computer opponent can have clocks. A match with clocks is played without help,
    /// such as undos and hints.
    #[serde(default)]
    pub clock: Option<ClockWire>,
    /// Whether the match changes the ratings of its players. A rated match has clocks, all rounds and no chosen deal, and each
    /// person in the match has an account. The opponent is a friend, or a level or `perfect` with a measured rating.
    #[serde(default)]
    pub rated: bool,
    /// Display names of the players.
    #[serde(default, deserialize_with = "overmate_json::object")]
    pub names: Names,
    /// Client id: an idempotency key that the client chooses for the request, such as a UUID. A repeated request of this browser with the
    /// same id has no further effect. Null or absent for a request that is not to be idempotent.
    #[serde(default)]
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: Option<String>,
}

/// List of the opponent programs that the server's operator offers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ProgramList {
    /// Names of the opponent programs, in the order of the server's options; names from a configuration file are sorted. Most
    /// servers offer no programs.
    pub programs: Vec<String>,
}

/// Opponent in a new match: a computer opponent, a friend, or nobody if the requester plays for both players.
// All variants of this enum have braces, because Serde refuses unknown fields only in variants with braces.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Opponent {
    /// Computer opponent of a strength level from 1 to 9.
    Level {
        /// Strength level of the computer opponent, from 1 (weakest) to 9.
        #[schema(minimum = 1, maximum = 9)]
        #[serde(deserialize_with = "level")]
        level: u8,
    },
    /// Perfect computer opponent, which loses no points against best play.
    Perfect {},
    /// Opponent program that the server's operator offers.
    Program {
        /// Name of the opponent program, as in the server's list of such programs.
        #[schema(max_length = 24, pattern = "^[A-Za-z0-9_.-]{1,24}$")]
        name: String,
    },
    /// Friend of the requester, who joins by an invitation link.
    Friend {},
    /// No opponent: the requester plays for both players.
    Both {},
}

/// Deserialises the strength level of a computer opponent. A number that does not fit into 8 bits becomes 0, which is no level
/// either, so that one error text names the range of levels.
fn level<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    i64::deserialize(deserializer).map(|level| u8::try_from(level).unwrap_or(0))
}

/// Player who leads in the first game of a new match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Lead)]
pub enum LeadWire {
    /// The requester leads in the first game.
    Me,
    /// The requester's opponent leads in the first game.
    Other,
    /// A randomly chosen player leads in the first game.
    #[default]
    Random,
}

/// Display names of the players, each of at most 40 user-perceived characters. The server composes accents (Unicode normalisation
/// form C), and removes invisible characters and stacked combining characters.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Names {
    /// Display name of the requester; null or absent for no name.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub me: Option<String>,
    /// Display name of the other player, if the requester plays for both players; null or absent for no name.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub other: Option<String>,
}

/// Request to take an action in a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// Sequence number of the match state in which the player chose the action. If the match has changed since, the server refuses
    /// the action.
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub sequence: u64,
    /// Chosen action in text notation, as in the game's list `legal` of legal actions.
    #[schema(max_length = 16, example = "Tc")]
    pub action: String,
    /// Client id: an idempotency key that the client chooses for the request, such as a UUID. A repeated request with the same id has no
    /// further effect.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
}

/// Request that needs no fields except a client id.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClientId {
    /// Client id: an idempotency key that the client chooses for the request, such as a UUID. A repeated request with the same id has no
    /// further effect.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
}

/// Request for a hint in a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HintRequest {
    /// Client id: an idempotency key that the client chooses for the request, such as a UUID. A repeated request with the same id has no
    /// further effect. A request without values and its repetition with values have the same client id.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
    /// Whether the response to the hint request contains the values of the actions; true by default. Without values, the server
    /// checks and logs the hint, and returns the hint's sequence number but no actions.
    #[serde(default = "with_values")]
    pub values: bool,
}

/// Returns the default (`true`) of the field `values` in a request for a hint.
const fn with_values() -> bool {
    true
}

/// Request to resign a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// Client id: an idempotency key that the client chooses for the request, such as a UUID. A repeated request with the same id has no
    /// further effect.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
    /// Player (A or B) who resigns, if the requester plays for both players. Without this field, the player whose turn it is
    /// resigns.
    #[serde(default)]
    pub player: Option<PlayerWire>,
}

/// List of the matches in which the requester holds a seat.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MatchList {
    /// Matches in which the requester holds a seat, at most 100: unfinished before finished matches, both from new to old.
    pub matches: Vec<MatchSummary>,
}

/// Request to join a match by its invitation link.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// Display name of the requester, of at most 40 user-perceived characters; null or absent for no name.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
}

/// Public description of the match to which an invitation belongs.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Invitation {
    /// Name of the match's rule set.
    pub rules: String,
    /// English title of the match's rule set.
    pub rules_title: String,
    /// Display name of the player who invites; null without a name, and once the invitation has been used.
    #[schema(required)]
    pub from: Option<String>,
    /// Number of games in the match.
    pub games: u8,
    /// Time control of the match; null for a match without clocks.
    #[schema(required)]
    pub clock: Option<ClockWire>,
    /// Whether the match is rated. The invited player in a rated match needs an account.
    pub rated: bool,
    /// Seat, in the first game, of the invited player.
    pub seat: SeatWire,
    /// Whether the invitation has been used.
    pub used: bool,
    /// Whether the inviting player chose the deal number of the first round. That player may have analysed this deal before.
    pub deal_chosen: bool,
    /// Id of the match; null unless the requester plays in the match.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}
