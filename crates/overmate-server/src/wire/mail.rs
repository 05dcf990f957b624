//! Defines the JSON types of e-mail addresses and of links in e-mails.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// E-mail address of your account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Mail {
    /// Whether the server sends e-mail.
    pub available: bool,
    /// Confirmed address; null without one.
    #[schema(required)]
    pub address: Option<MyAddress>,
    /// Address whose confirmation is outstanding; null without one.
    #[schema(required)]
    pub pending: Option<PendingAddress>,
}

/// Confirmed e-mail address.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MyAddress {
    /// The address.
    pub address: String,
    /// Whether a link in a message to the address may set a new password.
    pub recovery: bool,
    /// Language of the messages: `de` or `en`.
    pub language: String,
    /// Time of the confirmation, in RFC 3339.
    pub confirmed_at: String,
    /// Whether you get an e-mail when you are to act in a correspondence match.
    pub turns: bool,
    /// Number of these e-mails in a row that the mail server refused. After three, the server switches them off.
    pub refusals: u32,
}

/// E-mail address whose confirmation is outstanding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PendingAddress {
    /// The address.
    pub address: String,
    /// Whether the mail server has accepted the message with the link.
    pub sent: bool,
    /// Time at which the link expires, in RFC 3339.
    pub until: String,
}

/// Request to set the e-mail address of your account, or its use.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetMail {
    /// The address: ASCII characters without blanks and quotes.
    #[schema(max_length = 254)]
    pub address: String,
    /// Whether a link in a message to the address may set a new password.
    pub recovery: bool,
    /// Language of the messages: `de` for German, otherwise English.
    #[schema(max_length = 10)]
    pub language: String,
    /// Password of the account. Null if the account has no password.
    #[serde(default)]
    #[schema(max_length = 1024)]
    pub password: Option<String>,
}

/// Request to remove the e-mail address of your account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RemoveMail {
    /// Password of the account. Null if the account has no password.
    #[serde(default)]
    #[schema(max_length = 1024)]
    pub password: Option<String>,
}

/// Request to switch e-mails about turns on or off.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetTurnMails {
    /// Whether you get an e-mail when you are to act in a correspondence match.
    pub turns: bool,
    /// Language of the messages: `de` for German, otherwise English.
    #[schema(max_length = 10)]
    pub language: String,
}

/// Token in the link of an e-mail about a turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StopTurnMails {
    /// The last part of the link.
    #[schema(max_length = 64)]
    pub token: String,
}

/// Token in the link of a message that confirms an address.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmMail {
    /// The part of the link after the sign `#`.
    #[schema(max_length = 64)]
    pub token: String,
}

/// Request for a message with which a new password can be set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestRecovery {
    /// Handle or e-mail address of the account.
    #[schema(max_length = 254)]
    pub account: String,
}

/// Request to set a new password with the link of a message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Recover {
    /// The part of the link after the sign `#`.
    #[schema(max_length = 64)]
    pub token: String,
    /// New password: 10 to 256 characters, at least 5 of them different, without the handle.
    #[schema(max_length = 1024)]
    pub password: String,
}

/// Account with a new password.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Recovered {
    /// Handle of the account.
    pub handle: String,
}

/// E-mail address and messages in a data export, without the tokens of links.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedMail {
    /// Confirmed address; null without one.
    #[schema(required)]
    pub address: Option<MyAddress>,
    /// Messages that wait or whose link is valid.
    pub messages: Vec<ExportedMailMessage>,
    /// E-mails about turns, from old to new.
    pub turns: Vec<ExportedTurnMail>,
}

/// E-mail about a turn in a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedTurnMail {
    /// Id of the match.
    #[serde(rename = "match")]
    pub id: String,
    /// Number of actions in the match before the turn.
    pub turn: u64,
    /// Number of attempts to send the message.
    pub tries: u32,
    /// Whether the latest attempt has failed.
    pub failed: bool,
    /// Time of the latest attempt, in RFC 3339.
    pub at: String,
    /// Time at which the link in the message expires, in RFC 3339.
    pub until: String,
}

/// Message to an e-mail address in a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedMailMessage {
    /// Kind of the message: `confirm`, `recover`, or the notice `changed` or `removed` to a former address.
    pub kind: String,
    /// Address of the message.
    pub address: String,
    /// Language of the message: `de` or `en`.
    pub language: String,
    /// Whether the address is to be used for recovery.
    pub recovery: bool,
    /// Time of the request, in RFC 3339.
    pub made_at: String,
    /// Number of attempts to send the message.
    pub tries: u32,
    /// Whether the mail server has accepted the message.
    pub sent: bool,
    /// Time at which the message is removed, in RFC 3339.
    pub until: String,
}
