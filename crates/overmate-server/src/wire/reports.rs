//! Defines the JSON types of reports about other players, and of operators' measures, such as a warning.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Reason for a report about another player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReportReasonWire {
    /// The reported player used insulting words.
    Insults,
    /// The reported player has an offensive name.
    Name,
    /// The reported player played unfairly, for example with the help of a computer.
    Unfair,
    /// The reported player stalled a game.
    Stalling,
    /// The report has a reason other than insults, a name, unfair play or stalling.
    Other,
}

/// Report that you make about your opponent in a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewReport {
    /// Reason for the report about the opponent.
    pub reason: ReportReasonWire,
    /// Text of the report for the operator, at most 500 characters; null or absent without a text.
    #[serde(default)]
    #[schema(max_length = 2_000)]
    pub text: Option<String>,
}

/// Report that you have made about another player, as part of a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedReport {
    /// Id of the match to which the report belongs.
    pub match_id: String,
    /// Reason for the report about the other player.
    pub reason: ReportReasonWire,
    /// Text of the report for the operator; null without a text.
    #[schema(required)]
    pub text: Option<String>,
    /// Time of the report, in RFC 3339.
    pub at: String,
    /// 16-bit hash of the IP network from which you made the report; many networks have the same hash.
    pub network: u16,
    /// Time at which an operator settled the report, in RFC 3339; null for an unsettled report.
    #[schema(required)]
    pub settled_at: Option<String>,
}

/// Measures, such as a warning, that operators have taken against you.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct MyMeasures {
    /// Operator's warning that the person has not yet confirmed as read; null without such a warning.
    #[schema(required)]
    pub warning: Option<OperatorWarning>,
    /// Time, in RFC 3339, until which an operator's measure forbids you to send chat phrases and chat messages. Null if you are not muted.
    #[schema(required)]
    pub muted_until: Option<String>,
    /// Whether an operator has closed your account.
    pub closed: bool,
}

/// Warning that an operator has sent to you.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct OperatorWarning {
    /// Text of the operator's warning.
    pub text: String,
    /// Time of the operator's warning, as a Unix time in seconds.
    pub at: i64,
}

/// Confirmation that you have read an operator's warning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmWarning {
    /// Time of the warning that the person confirms as read, as a Unix time in seconds.
    pub at: i64,
}
