//! Defines the JSON types of push subscriptions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Whether this browser gets push messages.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Push {
    /// Public key of the server for `pushManager.subscribe`, in Base64; null if the server sends no push messages.
    #[schema(required)]
    pub key: Option<String>,
    /// Whether the server has a subscription of this browser.
    pub subscribed: bool,
}

/// Push subscription of a browser.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetPush {
    /// Address at the push service: `https`, with a public host name.
    #[schema(max_length = 1024)]
    pub endpoint: String,
    /// Public key of the browser, in Base64 for URLs.
    #[schema(max_length = 100)]
    pub p256dh: String,
    /// Secret of authentication of the browser, in Base64 for URLs.
    #[schema(max_length = 40)]
    pub auth: String,
    /// Language of the messages: `de` for German, otherwise English.
    #[schema(max_length = 10)]
    pub language: String,
}

/// Push subscription in a data export, without its keys.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedPush {
    /// Identity of the browser: the SHA-256 hash of the token in its cookie, in hexadecimal digits.
    pub browser: String,
    /// Address at the push service.
    pub endpoint: String,
    /// Language of the messages: `de` or `en`.
    pub language: String,
    /// Time of the subscription, in RFC 3339.
    pub made_at: String,
    /// Number of failed messages since the last success.
    pub failures: u32,
    /// Last message that the push service accepted: its kind, the match and the sequence number of the turn; null before.
    #[schema(required)]
    pub last_message: Option<String>,
}
