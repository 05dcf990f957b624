//! Serves the routes of push subscriptions.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

use super::extract::Body;
use crate::clock::{now, rfc3339};
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::{Identity, OwnBrowser};
use crate::limits::{Dear, Limiter};
use crate::services::PushService;
use crate::store::{PushLanguage, PushSubscription};
use crate::wire::{ExportedPush, Push, SetPush};

/// Converts a push subscription to its JSON type in the data export.
pub(super) fn exported(subscription: PushSubscription) -> ExportedPush {
    let PushSubscription { browser, endpoint, language, made_at, failures, told, .. } =
        subscription;
    ExportedPush {
        browser: browser.to_string(),
        endpoint,
        language: language.tag().to_owned(),
        made_at: rfc3339(made_at),
        failures,
        last_message: told,
    }
}

/// Returns whether this browser gets push messages
#[utoipa::path(get, path = "/me/push", operation_id = "push", tag = "personal data",
    responses(
        (status = 200, description = "The key of the server and the state of this browser", body = Push),
        ApiError,
    ))]
pub(super) async fn read(
    State(push): State<PushService>,
    Identity(person): Identity,
    OwnBrowser(browser): OwnBrowser,
) -> Result<Json<Push>, ApiError> {
    let subscriptions = push.of(person).await?;
    let subscribed = subscriptions.iter().any(|own| Some(own.browser) == browser);
    Ok(Json(Push { key: push.key().map(str::to_owned), subscribed }))
}

/// Subscribes this browser to push messages
///
/// The server notifies the browser in four cases: when its person is to act in a match with another person, six hours before their time
/// runs out, when their offer was accepted, and when a tournament event gives them an opponent. The request replaces a former subscription
/// of the browser.
#[utoipa::path(put, path = "/me/push", operation_id = "subscribe_push", tag = "personal data", request_body = SetPush,
    responses(
        (status = 204, description = "The browser is subscribed"),
        ApiError,
    ))]
pub(super) async fn subscribe(
    State(push): State<PushService>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Identity(person): Identity,
    OwnBrowser(browser): OwnBrowser,
    Body(body): Body<SetPush>,
) -> Result<StatusCode, ApiError> {
    limiter.count_dear(client, Dear::Code).await?;
    let (person, browser) = person.zip(browser).ok_or(ApiError::BROWSER_UNKNOWN)?;
    // A key or secret that is not valid Base64 is replaced by an empty value, which `PushService` refuses.
    let decoded =
        |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).unwrap_or_default();
    let subscription = PushSubscription {
        browser,
        key: decoded(&body.p256dh),
        secret: decoded(&body.auth),
        endpoint: body.endpoint,
        language: PushLanguage::of_tag(&body.language),
        made_at: now(),
        failures: 0,
        retry_at: 0,
        told: None,
    };
    push.subscribe(person, subscription).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends the push messages to this browser
#[utoipa::path(delete, path = "/me/push", operation_id = "unsubscribe_push", tag = "personal data",
    responses(
        (status = 204, description = "The browser is not subscribed"),
        ApiError,
    ))]
pub(super) async fn unsubscribe(
    State(push): State<PushService>,
    Identity(person): Identity,
    OwnBrowser(browser): OwnBrowser,
) -> Result<StatusCode, ApiError> {
    if let Some((person, browser)) = person.zip(browser) {
        push.unsubscribe(person, browser).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}
