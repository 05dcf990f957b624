//! Serves the routes of passkeys. With a passkey of an account, a browser is linked to the person who owns the account, without a name
//! and a password.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Json;
use axum::extract::{FromRef, FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::extract::{Body, PathParameter};
use super::origin::own_origin;
use super::people::joined;
use crate::clock::rfc3339;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::{
    Identities, Identity, IssuedIdentity, LenientIdentity, RenewedIdentity, SigningInIdentity,
};
use crate::identity::relying_party::RelyingParty;
use crate::limits::{Dear, Limiter};
use crate::services::{AccountService, Asking, PasskeyService, PeopleService, id_text};
use crate::settings::Settings;
use crate::store::StoredPasskey;
use crate::wire::{
    BeginPasskey, MyBrowsers, MyPasskey, MyPasskeys, PasskeyAnswer, PasskeyOptions, PasskeySignIn,
    Problem,
};

/// Extractor of the WebAuthn relying party of a request. The value is `None` if the server offers no passkeys at the request's host name.
pub(super) struct Site(pub(super) Option<RelyingParty>);

impl Site {
    /// Returns the WebAuthn relying party, or an error if the server offers no passkeys at the request's host name.
    pub(super) fn offered(self) -> Result<RelyingParty, ApiError> {
        self.0.ok_or(ApiError::PasskeysOff)
    }
}

impl<S: Sync> FromRequestParts<S> for Site
where
    Arc<Settings>: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let settings = Arc::<Settings>::from_ref(state);
        let own = own_origin(&parts.headers, &settings);
        Ok(Self(RelyingParty::of(settings.public_url.as_ref(), own.as_deref())))
    }
}

/// Returns a passkey in its JSON form.
fn shown(passkey: StoredPasskey) -> MyPasskey {
    MyPasskey {
        id: id_text(&passkey.id),
        name: passkey.name,
        added_at: rfc3339(passkey.made_at),
        used_at: passkey.used_at.map(rfc3339),
    }
}

/// Returns passkeys in their JSON form.
pub(super) fn all_shown(passkeys: Vec<StoredPasskey>) -> MyPasskeys {
    MyPasskeys { passkeys: passkeys.into_iter().map(shown).collect() }
}

/// Lists the passkeys of your account
///
/// The list is empty without an account.
#[utoipa::path(get, path = "/me/account/passkeys", operation_id = "passkeys", tag = "personal data",
    responses(
        (status = 200, description = "The passkeys, the first added first", body = MyPasskeys),
        ApiError,
    ))]
pub(super) async fn list(
    State(passkeys): State<Arc<PasskeyService>>,
    Identity(person): Identity,
) -> Result<Json<MyPasskeys>, ApiError> {
    Ok(Json(all_shown(passkeys.of(person).await?)))
}

/// Requests a challenge for the registration of a passkey
///
/// With a handle, the passkey is for a new account of this handle: send the answer with the request that makes the account.
/// Without a handle, the passkey is for the account of this browser. The authenticator must check its user and store the account,
/// so that a sign-in needs no name. A person has at most five unused challenges.
#[utoipa::path(post, path = "/me/account/passkeys/challenge", operation_id = "begin_passkey", tag = "personal data", request_body = BeginPasskey,
    responses(
        (status = 200, description = "The challenge. The identity of this browser is in the cookie `overmate_seat`", body = PasskeyOptions),
        ApiError,
    ))]
pub(super) async fn begin(
    State(accounts): State<Arc<AccountService>>,
    State(passkeys): State<Arc<PasskeyService>>,
    State(limiter): State<Arc<Limiter>>,
    site: Site,
    client: Client,
    issued: IssuedIdentity,
    Body(body): Body<BeginPasskey>,
) -> Result<Response, ApiError> {
    limiter.count_dear(client, Dear::Code).await?;
    let site = site.offered()?;
    let IssuedIdentity { holder: person, cookie, .. } = issued;
    let options = match &body.handle {
        Some(handle) => {
            let handle = accounts.check_new(person, handle, None).await?;
            passkeys.begin_account(&site, person, handle.text()).await?
        }
        None => passkeys.begin_addition(&site, person).await?,
    };
    Ok(([(header::SET_COOKIE, cookie)], Json(options)).into_response())
}

/// Adds a passkey to your account
///
/// The request contains the answer of the authenticator to a challenge of this browser.
#[utoipa::path(post, path = "/me/account/passkeys", operation_id = "add_passkey", tag = "personal data", request_body = PasskeyAnswer,
    responses(
        (status = 201, description = "The passkey", body = MyPasskey),
        ApiError,
    ))]
pub(super) async fn add(
    State(passkeys): State<Arc<PasskeyService>>,
    site: Site,
    Identity(person): Identity,
    Body(body): Body<PasskeyAnswer>,
) -> Result<(StatusCode, Json<MyPasskey>), ApiError> {
    // The registration of a passkey needs no rate limit of its own. The earlier request for its challenge was counted under `Dear::Code`.
    let person = person.ok_or(ApiError::NotFound("account"))?;
    let passkey = passkeys.add(&site.offered()?, person, body).await?;
    Ok((StatusCode::CREATED, Json(shown(passkey))))
}

/// Removes a passkey of your account
///
/// Nobody can sign in with the passkey any more. Your unused codes and unused links in e-mails to you become invalid, because the holder
/// of the passkey may have asked for them: make new recovery codes. Your browsers stay signed in. If the passkey is the only way to sign
/// in, the request gets status 409.
#[utoipa::path(delete, path = "/me/account/passkeys/{id}", operation_id = "remove_passkey", tag = "personal data",
    params(("id" = String, Path, description = "Id of the passkey in the list", max_length = 1400)),
    responses(
        (status = 204, description = "The passkey is removed"),
        ApiError,
        (status = "4XX", description = "You have no such passkey, or no other way to sign in", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn remove(
    State(passkeys): State<Arc<PasskeyService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
) -> Result<StatusCode, ApiError> {
    let person = person.ok_or(ApiError::NotFound("passkey"))?;
    passkeys.remove(person, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Requests a challenge for a sign-in with a passkey
///
/// The request names no account: the browser lets you choose one of your passkeys for this site.
#[utoipa::path(post, path = "/me/sign-in/challenge", operation_id = "begin_passkey_sign_in", tag = "personal data",
    responses(
        (status = 200, description = "The challenge", body = PasskeyOptions),
        ApiError,
    ))]
pub(super) async fn begin_sign_in(
    State(passkeys): State<Arc<PasskeyService>>,
    State(limiter): State<Arc<Limiter>>,
    site: Site,
    client: Client,
    LenientIdentity(person): LenientIdentity,
) -> Result<Json<PasskeyOptions>, ApiError> {
    limiter.count_dear(client, Dear::Code).await?;
    Ok(Json(passkeys.begin_sign_in(&site.offered()?, person).await?))
}

/// Signs this browser in to an account by a passkey
///
/// The effect is that of a sign-in with a password. The request contains the answer of the authenticator to a challenge. An unknown
/// passkey, a wrong answer and a challenge that is too old or used get the same answer.
#[utoipa::path(post, path = "/me/sign-in/passkey", operation_id = "sign_in_with_passkey", tag = "personal data", request_body = PasskeySignIn,
    responses(
        (status = 200, description = "This browser is added. Its new identity is in the cookie `overmate_seat`", body = MyBrowsers),
        ApiError,
    ))]
#[allow(
    clippy::too_many_arguments,
    reason = "each argument is an extractor of one part of the request"
)]
pub(super) async fn sign_in(
    State(accounts): State<Arc<AccountService>>,
    State(passkeys): State<Arc<PasskeyService>>,
    State(people): State<Arc<PeopleService>>,
    State(identities): State<Arc<Identities>>,
    site: Site,
    client: Client,
    LenientIdentity(known): LenientIdentity,
    SigningInIdentity(issued): SigningInIdentity,
    Body(body): Body<PasskeySignIn>,
) -> Result<Response, ApiError> {
    // The sign-in with a passkey needs no rate limit of its own. The earlier request for its challenge was counted under `Dear::Code`.
    let RenewedIdentity { holder: person, browser, renewed, cookie } = issued;
    let PasskeySignIn { passkey, name } = body;
    let asking = Asking { client, person, browser, renewed, name: name.as_deref() };
    let (owner, proof) = passkeys.signed_in(&site.offered()?, known, passkey).await?;
    accounts.sign_in_with_passkey(asking, owner, proof).await?;
    Ok(joined(&identities, &people, renewed, cookie).await)
}
