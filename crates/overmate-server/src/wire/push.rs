//! Defines the JSON types of push subscriptions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Push settings of this browser: the server's public key, and whether the browser has a push subscription.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Push {
    /// Public key of the server for `pushManager.subscribe`, in URL-safe Base64; null if the server sends no push messages.
    #[schema(required)]
    pub key: Option<String>,
    /// Whether the server has a push subscription of this browser.
    pub subscribed: bool,
}

/// Push subscription that a browser sends to the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetPush {
    /// URL of the subscription at the push service, with the scheme `https` and a public host name.
    #[schema(max_length = 1024)]
    pub endpoint: String,
    /// Public key of the browser's push subscription, in URL-safe Base64.
    #[schema(max_length = 100)]
    pub p256dh: String,
    /// Authentication secret of the browser's push subscription, in URL-safe Base64.
    #[schema(max_length = 40)]
    pub auth: String,
    /// Language of the push messages (`de` for German, otherwise English).
    #[schema(max_length = 10)]
    pub language: String,
}

/// Push subscription without its keys, as part of a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedPush {
    /// Identity of the subscribed browser: the SHA-256 hash of the token in the browser's cookie, in hexadecimal digits.
    pub browser: String,
    /// URL of the subscription at the push service.
    pub endpoint: String,
    /// Language of the push messages (`de` or `en`).
    pub language: String,
    /// Time at which the browser subscribed, in RFC 3339.
    pub made_at: String,
    /// Number of push messages that have failed since the latest accepted push message.
    pub failures: u32,
    /// Kind, match and turn (sequence number) of the latest push message that the push service accepted; null before the first accepted
    /// message.
    #[schema(required)]
    pub last_message: Option<String>,
}
