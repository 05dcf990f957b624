//! Defines the JSON types of e-mail addresses and of links in e-mails.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// E-mail settings of your account: its confirmed address, and a new, unconfirmed address.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Mail {
    /// Whether the server can send e-mail.
    pub available: bool,
    /// Confirmed e-mail address of the account; null without a confirmed address.
    #[schema(required)]
    pub address: Option<MyAddress>,
    /// Unconfirmed new e-mail address of the account; null without such an address.
    #[schema(required)]
    pub pending: Option<PendingAddress>,
}

/// Confirmed e-mail address of your account, with its settings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MyAddress {
    /// Confirmed e-mail address of the account.
    pub address: String,
    /// Whether the account can be recovered through the e-mail address. On request, the server then sends an e-mail with a link for
    /// setting a new password.
    pub recovery: bool,
    /// Language of the e-mails from the server (`de` or `en`).
    pub language: String,
    /// Time at which you confirmed the e-mail address, in RFC 3339.
    pub confirmed_at: String,
    /// Whether you get an e-mail when it is your turn in a correspondence match.
    pub turns: bool,
    /// Number of consecutive times that the mail server has refused an e-mail about a turn. After three refusals, the server switches these
    /// e-mails off.
    pub refusals: u32,
}

/// Unconfirmed new e-mail address of your account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PendingAddress {
    /// Unconfirmed e-mail address.
    pub address: String,
    /// Whether the mail server has accepted the e-mail with the confirmation link.
    pub sent: bool,
    /// Time at which the confirmation link expires, in RFC 3339.
    pub until: String,
}

/// Request to set the e-mail address of your account, or to change the settings of the address.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetMail {
    /// E-mail address of ASCII characters, without spaces and quotes.
    #[schema(max_length = 254)]
    pub address: String,
    /// Whether the account can be recovered through the e-mail address. On request, the server then sends an e-mail with a link for
    /// setting a new password.
    pub recovery: bool,
    /// Language of the e-mails from the server (`de` for German, otherwise English).
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

/// Request to switch e-mails about your turns in correspondence matches on or off.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetTurnMails {
    /// Whether you want to get an e-mail when it is your turn in a correspondence match.
    pub turns: bool,
    /// Language of the e-mails from the server (`de` for German, otherwise English).
    #[schema(max_length = 10)]
    pub language: String,
}

/// Request to switch e-mails about turns off, with the token in the link of such an e-mail.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StopTurnMails {
    /// Token in the link of the e-mail about a turn: the last part of the link's path.
    #[schema(max_length = 64)]
    pub token: String,
}

/// Request to confirm an e-mail address, with the token in the confirmation link.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmMail {
    /// Token in the confirmation link: the part after the sign `#`.
    #[schema(max_length = 64)]
    pub token: String,
}

/// Request for an e-mail with a recovery link, by which the owner of an account can set a new password.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestRecovery {
    /// Handle or e-mail address of the account.
    #[schema(max_length = 254)]
    pub account: String,
}

/// Request to set a new password, with the token in a recovery link.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Recover {
    /// Token in the recovery link: the part after the sign `#`.
    #[schema(max_length = 64)]
    pub token: String,
    /// New password of 10 to 256 characters, at least 5 of them different; the password may not contain the handle.
    #[schema(max_length = 1024)]
    pub password: String,
}

/// Account whose password has been replaced by a recovery link.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Recovered {
    /// Handle of the account.
    pub handle: String,
}

/// E-mail address of an account and the e-mails to the account's owner, as part of a data export, without the tokens in the links.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedMail {
    /// Confirmed e-mail address of the account; null without a confirmed address.
    #[schema(required)]
    pub address: Option<MyAddress>,
    /// E-mails that wait to be sent, or whose link is still valid.
    pub messages: Vec<ExportedMailMessage>,
    /// E-mails about turns, from old to new.
    pub turns: Vec<ExportedTurnMail>,
}

/// E-mail about a turn in a correspondence match, as part of a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedTurnMail {
    /// Id of the match to which the e-mail refers.
    #[serde(rename = "match")]
    pub id: String,
    /// Number of actions in the match before the turn to which the e-mail refers.
    pub turn: u64,
    /// Number of attempts to send the e-mail.
    pub tries: u32,
    /// Whether the latest attempt to send the e-mail has failed.
    pub failed: bool,
    /// Time of the latest attempt to send the e-mail, in RFC 3339.
    pub at: String,
    /// Time at which the unsubscribe link in the e-mail expires, in RFC 3339.
    pub until: String,
}

/// E-mail about an e-mail address or an account recovery, as part of a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedMailMessage {
    /// Kind of the e-mail (`confirm`, `recover`, or the notice `changed` or `removed` to a former address).
    pub kind: String,
    /// Address to which the e-mail is sent.
    pub address: String,
    /// Language of the e-mail (`de` or `en`).
    pub language: String,
    /// Whether the account is to use the e-mail address for recovery.
    pub recovery: bool,
    /// Time at which the e-mail was requested, in RFC 3339.
    pub made_at: String,
    /// Number of attempts to send the e-mail.
    pub tries: u32,
    /// Whether the mail server has accepted the e-mail.
    pub sent: bool,
    /// Time at which the server removes the e-mail from its database, in RFC 3339.
    pub until: String,
}
