//! Defines the JSON types of reports about other players, and of the measures of operators.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Reason for a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReportReasonWire {
    /// Insulting words.
    Insults,
    /// An offensive name.
    Name,
    /// Unfair play, such as the help of a computer.
    Unfair,
    /// Stalling of a game.
    Stalling,
    /// Another reason.
    Other,
}

/// Report about your opponent in a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewReport {
    /// Reason for the report.
    pub reason: ReportReasonWire,
    /// Text for the operator, at most 500 characters.
    #[serde(default)]
    #[schema(max_length = 2_000)]
    pub text: Option<String>,
}

/// Report that you have made about another player, as part of a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedReport {
    /// Id of the match.
    pub match_id: String,
    /// Reason for the report.
    pub reason: ReportReasonWire,
    /// Text for the operator.
    #[schema(required)]
    pub text: Option<String>,
    /// Time of the report, in RFC 3339.
    pub at: String,
    /// Network number (16-bit hash of your network), which many networks share.
    pub network: u16,
    /// Time at which an operator settled the report, in RFC 3339; null for an open report.
    #[schema(required)]
    pub settled_at: Option<String>,
}

/// Measures that operators have taken against you.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct MyMeasures {
    /// Warning that you have not confirmed yet; null without such a warning.
    #[schema(required)]
    pub warning: Option<OperatorWarning>,
    /// Time, in RFC 3339, until which you may not send phrases and texts; null if you are not muted.
    #[schema(required)]
    pub muted_until: Option<String>,
    /// Whether your account is closed.
    pub closed: bool,
}

/// Warning of an operator.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct OperatorWarning {
    /// Text of the warning.
    pub text: String,
    /// Time of the warning, as Unix time in seconds.
    pub at: i64,
}

/// Confirmation that you have read a warning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmWarning {
    /// Time of the warning, as Unix time in seconds.
    pub at: i64,
}
