//! Serves the HTTP routes of accounts. With the handle and the password of an account, a browser is linked to the person who owns the
//! account.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};

use super::extract::Body;
use super::passkeys::Site;
use super::people::joined;
use crate::clock::rfc3339;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::{Identities, Identity, RenewedIdentity, SigningInIdentity};
use crate::identity::relying_party::RelyingParty;
use crate::limits::{Dear, Limiter};
use crate::services::{
    AccountService, Asking, MailService, PasskeyService, PeopleService, may_change_at,
};
use crate::store::Account;
use crate::wire::{MyAccount, MyBrowsers, NewAccount, NewHandle, NewPassword, OwnAccount, SignIn};

/// Converts an account to its JSON type.
pub(super) fn shown(account: Account) -> MyAccount {
    MyAccount {
        made_at: rfc3339(account.made_at),
        handle_changeable_at: rfc3339(may_change_at(&account)),
        private: account.is_private,
        bot: account.is_bot,
        password: account.password.is_some(),
        handle: account.handle,
    }
}

/// Returns your account; the field `account` is null if you have no account
#[utoipa::path(get, path = "/me/account", operation_id = "account", tag = "personal data",
    responses(
        (status = 200, description = "The account, or null without an account", body = OwnAccount),
        ApiError,
    ))]
pub(super) async fn read(
    State(accounts): State<Arc<AccountService>>,
    State(mail): State<MailService>,
    Site(site): Site,
    Identity(person): Identity,
) -> Result<Json<OwnAccount>, ApiError> {
    let relying_party = site.as_ref().map(RelyingParty::id).map(str::to_owned);
    let account = accounts.of(person).await?.map(shown);
    Ok(Json(OwnAccount { account, relying_party, mail: mail.is_on() }))
}

/// Creates your account
///
/// The matches and puzzles of this browser and your other browsers belong to the account. A handle that looks like a taken handle gives
/// status 409. Because this status reveals taken handles, the request counts for the rate limit of linking codes. An account needs a
/// password, a passkey or both. This browser gets a new cookie. Its former cookie and your other browsers are signed out, and your unused
/// codes become invalid.
#[utoipa::path(post, path = "/me/account", operation_id = "make_account", tag = "personal data", request_body = NewAccount,
    responses(
        (status = 201, description = "The account. The new identity of this browser is in the cookie `overmate_seat`", body = MyAccount),
        ApiError,
    ))]
pub(super) async fn make(
    State(accounts): State<Arc<AccountService>>,
    State(passkeys): State<Arc<PasskeyService>>,
    State(limiter): State<Arc<Limiter>>,
    site: Site,
    client: Client,
    issued: RenewedIdentity,
    Body(body): Body<NewAccount>,
) -> Result<Response, ApiError> {
    limiter.count_dear(client, Dear::Code).await?;
    let RenewedIdentity { holder: person, browser, renewed, cookie } = issued;
    let NewAccount { handle, password, passkey, name } = body;
    let asking = Asking { client, person, browser, renewed, name: name.as_deref() };
    // The handle and the password are checked first, so that their refusal does not use up the challenge of a passkey.
    let wanted = accounts.check_new(person, &handle, password.as_deref()).await?;
    let passkey = match passkey {
        Some(answer) => {
            let site = site.offered()?;
            Some(passkeys.registered(&site, person, Some(wanted.text()), answer).await?)
        }
        None => None,
    };
    let account = accounts.make(asking, wanted, password.as_deref(), passkey).await?;
    let cookie = [(header::SET_COOKIE, cookie)];
    Ok((StatusCode::CREATED, cookie, Json(shown(account))).into_response())
}

/// Signs this browser in to an account
///
/// From then on this browser has the matches and puzzles of the account, together with its own
/// earlier matches and puzzles. This browser gets a new cookie. Its former cookie, and other
/// browsers that shared its matches, are signed out, and their unused codes become invalid. An
/// unknown handle and a wrong password get the same answer after the same time. A browser of
/// another account is refused.
#[utoipa::path(post, path = "/me/sign-in", operation_id = "sign_in", tag = "personal data", request_body = SignIn,
    responses(
        (status = 200, description = "This browser is added. Its new identity is in the cookie `overmate_seat`", body = MyBrowsers),
        ApiError,
    ))]
pub(super) async fn sign_in(
    State(accounts): State<Arc<AccountService>>,
    State(people): State<Arc<PeopleService>>,
    State(identities): State<Arc<Identities>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    SigningInIdentity(issued): SigningInIdentity,
    Body(body): Body<SignIn>,
) -> Result<Response, ApiError> {
    limiter.count_dear(client, Dear::Code).await?;
    let RenewedIdentity { holder: person, browser, renewed, cookie } = issued;
    let asking = Asking { client, person, browser, renewed, name: body.name.as_deref() };
    accounts.sign_in(asking, &body.handle, &body.password).await?;
    Ok(joined(&identities, &people, renewed, cookie).await)
}

/// Replaces the password of your account
///
/// If you have forgotten the current password, give a recovery code instead; your other codes stay valid. With the current
/// password, all unused codes become invalid: make new recovery codes. In both cases your other browsers are signed out, all tokens
/// of your bot are removed, and this browser gets a new cookie. An account without a password gets its first one without a proof,
/// and your browsers stay signed in. In all cases unused links in e-mails to you become invalid.
#[utoipa::path(put, path = "/me/account/password", operation_id = "set_password", tag = "personal data", request_body = NewPassword,
    responses(
        (status = 204, description = "The new password holds. A new identity of this browser is in the cookie `overmate_seat`"),
        ApiError,
    ))]
pub(super) async fn set_password(
    State(accounts): State<Arc<AccountService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    issued: RenewedIdentity,
    Body(body): Body<NewPassword>,
) -> Result<Response, ApiError> {
    limiter.count_dear(client, Dear::Code).await?;
    let RenewedIdentity { holder: person, browser, renewed, cookie } = issued;
    let asking = Asking { client, person, browser, renewed, name: None };
    let is_renewed = accounts.set_password(asking, body.former.as_deref(), &body.password).await?;
    let cookie = is_renewed.then_some((header::SET_COOKIE, cookie));
    Ok((StatusCode::NO_CONTENT, AppendHeaders(cookie)).into_response())
}

/// Changes the handle of your account
///
/// The first change is possible at any time, and each later change 30 days after the previous one. For a year only you can take
/// the former handle.
#[utoipa::path(put, path = "/me/account/handle", operation_id = "set_handle", tag = "personal data", request_body = NewHandle,
    responses(
        (status = 200, description = "The account with its new handle", body = MyAccount),
        ApiError,
    ))]
pub(super) async fn set_handle(
    State(accounts): State<Arc<AccountService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Identity(person): Identity,
    Body(body): Body<NewHandle>,
) -> Result<Json<MyAccount>, ApiError> {
    limiter.count_dear(client, Dear::Code).await?;
    let person = person.ok_or(ApiError::NotFound("account"))?;
    Ok(Json(shown(accounts.set_handle(person, &body.handle).await?)))
}
