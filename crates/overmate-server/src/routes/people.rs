//! Serves the routes that link several browsers to one person, so that the browsers share the person's matches.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::extract::{Body, PathParameter};
use crate::clock::rfc3339;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::{
    CLEARED_COOKIES, Identities, Identity, IssuedIdentity, JoiningIdentity, OwnBrowser,
    RenewedIdentity, SigningInIdentity,
};
use crate::limits::{Dear, Limiter};
use crate::services::PeopleService;
use crate::store::Holder;
use crate::wire::{
    AddBrowser, MadeCodes, MyBrowser, MyBrowsers, NewCode, Problem, RecoveryCodesLeft,
};

/// Lists the browsers that share your matches
///
/// The list is empty if you have no account, and this browser has never made or used a linking or recovery code.
#[utoipa::path(get, path = "/me/browsers", operation_id = "browsers", tag = "personal data",
    responses(
        (status = 200, description = "The browsers that are not signed out, the first added first", body = MyBrowsers),
        ApiError,
    ))]
pub(super) async fn list(
    State(people): State<Arc<PeopleService>>,
    Identity(person): Identity,
    OwnBrowser(browser): OwnBrowser,
) -> Result<Json<MyBrowsers>, ApiError> {
    Ok(Json(browsers_of(&people, person, browser).await?))
}

/// Returns a person's browsers as JSON types. Without a person the list is empty.
pub(super) async fn browsers_of(
    people: &PeopleService,
    person: Option<Holder>,
    current: Option<Holder>,
) -> Result<MyBrowsers, ApiError> {
    let Some(person) = person else { return Ok(MyBrowsers::default()) };
    let browsers = people.browsers(person).await?.into_iter().map(|known| MyBrowser {
        id: known.browser.to_string(),
        name: known.name,
        added_at: rfc3339(known.added_at),
        current: Some(known.browser) == current,
    });
    Ok(MyBrowsers {
        browsers: browsers.collect(),
        recovery_codes: people
            .recovery(person)
            .await?
            .map(|codes| RecoveryCodesLeft { made_at: rfc3339(codes.made_at), left: codes.left }),
    })
}

/// Creates a linking code, or ten recovery codes
///
/// Each code adds another browser to you, and can be used once. Only this response shows the codes.
/// Earlier unused codes of the same kind become invalid.
#[utoipa::path(post, path = "/me/codes", operation_id = "make_code", tag = "personal data", request_body = NewCode,
    responses(
        (status = 201, description = "The codes", body = MadeCodes),
        ApiError,
    ))]
pub(super) async fn make_code(
    State(people): State<Arc<PeopleService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    issued: IssuedIdentity,
    Body(body): Body<NewCode>,
) -> Result<Response, ApiError> {
    limiter.count_dear(client, Dear::Code).await?;
    let IssuedIdentity { holder, browser, cookie } = issued;
    let made = people.offer(holder, browser, body.kind.into(), body.name.as_deref()).await?;
    let made = MadeCodes { codes: made.texts, until: made.until.map(rfc3339) };
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, cookie)], Json(made)).into_response())
}

/// Links this browser to the person who created a linking or recovery code
///
/// From then on all browsers of the person share the same matches and puzzles, including the earlier ones of this browser. If the person
/// has an account, a browser that did not belong to them gets a new cookie. Its former cookie, and other browsers that shared its matches,
/// are signed out, and their unused codes become invalid. Without an account, these other browsers are linked, too. A repeated request with
/// the cookie of the response within ten minutes gets the same answer.
#[utoipa::path(post, path = "/me/browsers", operation_id = "add_browser", tag = "personal data", request_body = AddBrowser,
    responses(
        (status = 200, description = "This browser is added. Its identity is in the cookie `overmate_seat`", body = MyBrowsers),
        ApiError,
    ))]
pub(super) async fn add(
    State(people): State<Arc<PeopleService>>,
    State(identities): State<Arc<Identities>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    JoiningIdentity(kept): JoiningIdentity,
    SigningInIdentity(issued): SigningInIdentity,
    Body(body): Body<AddBrowser>,
) -> Result<Response, ApiError> {
    limiter.count_dear(client, Dear::Code).await?;
    let RenewedIdentity { holder, browser, renewed, cookie } = issued;
    let name = body.name.as_deref();
    let is_renewed = people.add(&body.code, holder, (browser, renewed), name).await?;
    let (browser, cookie) =
        if is_renewed { (renewed, cookie) } else { (kept.browser, kept.cookie) };
    Ok(joined(&identities, &people, browser, cookie).await)
}

/// Returns the response for a browser that has been linked to a person: the person's browsers, and a new identity cookie. An error has the
/// cookie, too, because the browser's former cookie may be invalid by now.
pub(super) async fn joined(
    identities: &Identities,
    people: &PeopleService,
    browser: Holder,
    cookie: HeaderValue,
) -> Response {
    let browsers = async {
        let person = identities.person_of(browser).await?;
        if let Some(person) = person {
            people.follow_days_off(person).await;
        }
        browsers_of(people, person, Some(browser)).await
    };
    ([(header::SET_COOKIE, cookie)], browsers.await.map(Json)).into_response()
}

/// Signs out one of your browsers
///
/// The matches of a signed-out browser stay yours. The signed-out browser starts without matches: its requests that change data,
/// such as an action, get the status 401 and the code `signed-out`. The refusal of a request that would give it a new identity,
/// such as a new match, also removes its cookie, and a repeated request gets the new identity.
/// If it is this browser, the response removes its cookie. If it is another browser, your unused
/// codes and unused links in e-mails to you become invalid, because that browser may have asked for them: make new recovery codes.
#[utoipa::path(delete, path = "/me/browsers/{id}", operation_id = "sign_out", tag = "personal data",
    params(("id" = String, Path, description = "Id of the browser in the list", max_length = 64)),
    responses(
        (status = 204, description = "The browser is signed out"),
        ApiError,
        (status = "4XX", description = "You have no such browser", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn sign_out(
    State(people): State<Arc<PeopleService>>,
    Identity(person): Identity,
    OwnBrowser(current): OwnBrowser,
    PathParameter(id): PathParameter,
) -> Result<Response, ApiError> {
    let browser = Holder::parse(&id).ok_or(ApiError::NotFound("browser"))?;
    let person = person.ok_or(ApiError::NotFound("browser"))?;
    let is_own = Some(browser) == current;
    people.sign_out(person, browser, is_own).await?;
    if !is_own {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok((StatusCode::NO_CONTENT, CLEARED_COOKIES).into_response())
}
