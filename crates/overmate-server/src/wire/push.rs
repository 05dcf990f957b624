//! Defines the JSON types of push subscriptions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Push settings of this browser: the server's key, and whether the browser has subscribed.
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
    /// Address of the subscription at the push service, with `https` and a public host name.
    #[schema(max_length = 1024)]
    pub endpoint: String,
    /// Public key of the browser, in URL-safe Base64.
    #[schema(max_length = 100)]
    pub p256dh: String,
    /// Authentication secret of the browser, in URL-safe Base64.
    #[schema(max_length = 40)]
    pub auth: String,
    /// Language of the messages, which is `de` for German, otherwise English.
    #[schema(max_length = 10)]
    pub language: String,
}

/// Push subscription without its keys, as part of a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedPush {
    /// Identity of the browser: the SHA-256 hash of the token in its cookie, in hexadecimal digits.
    pub browser: String,
    /// Address at the push service.
    pub endpoint: String,
    /// Language of the messages, which is `de` or `en`.
    pub language: String,
    /// Time of the subscription, in RFC 3339.
    pub made_at: String,
    /// Number of failed messages since the last success.
    pub failures: u32,
    /// Kind, match and turn (sequence number) of the last message that the push service accepted; null before the first message.
    #[schema(required)]
    pub last_message: Option<String>,
}
