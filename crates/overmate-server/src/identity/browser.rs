//! Identifies a browser by a signed token in a cookie. The server stores only the hash of the token.
//!
//! Several browsers can belong to the same person. These browsers share one identity: the hash of the token of the person's first browser.
//!
//! An identity token consists of random bytes and their keyed hash. Tokens of earlier versions have no keyed hash, and are accepted if the
//! store holds data of their browser. The server accepts no other token, so that clients cannot invent browsers.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{AppendHeaders, IntoResponse as _, Response};
use hmac::{Hmac, Mac as _};
use sha2::{Digest as _, Sha256};

use super::bot_token;
use crate::error::ApiError;
use crate::keyed_hash::keyed_hash;
use crate::random::{hexadecimal, random_id};
use crate::store::{Holder, Standing, Store};

/// Name of the identity cookie for a page that was loaded without HTTPS.
const COOKIE: &str = "overmate_seat";

/// Name of the identity cookie for a page that was loaded over HTTPS. Browsers accept the prefix `__Host-` only from this host
/// and only over HTTPS, so that no other host of the domain can set the cookie.
const SECURE_COOKIE: &str = "__Host-overmate_seat";

/// Lifetime of the identity cookie in seconds: 400 days, the longest lifetime that browsers accept.
pub(crate) const MAX_AGE: u32 = 400 * 24 * 60 * 60;

/// Number of hexadecimal digits in an identity token: 16 random bytes, and 16 bytes of their keyed
/// hash.
const TOKEN: usize = 64;

/// Response headers that delete both identity cookies in the browser.
pub(crate) const CLEARED_COOKIES: AppendHeaders<[(HeaderName, &str); 2]> = AppendHeaders([
    (header::SET_COOKIE, "overmate_seat=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0"),
    (
        header::SET_COOKIE,
        "__Host-overmate_seat=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0; Secure",
    ),
]);

/// Issuer and verifier of identity tokens.
pub(crate) struct Identities {
    key: [u8; 32],
    store: Arc<dyn Store>,
}

impl Identities {
    pub(crate) fn new(store: Arc<dyn Store>) -> Self {
        Self { key: store.identity_key(), store }
    }

    /// Checks the identity tokens in the cookies of a request. A token that this server did not issue counts as no token. The cookie with
    /// the prefix `__Host-` has priority.
    pub(crate) async fn presented(&self, headers: &HeaderMap) -> Result<Presented, ApiError> {
        let mut presented = Presented::Nothing;
        for name in [SECURE_COOKIE, COOKIE] {
            let Some(text) = token_in(headers, name) else { continue };
            let browser = holder_of(text);
            if !self.has_issued(text) && !self.store.is_known(browser).await? {
                continue;
            }
            match self.person_of(browser).await? {
                Some(holder) => {
                    let text = text.into();
                    return Ok(Presented::Identity(Token { holder, browser, text, bot: None }));
                }
                None => presented = Presented::SignedOut,
            }
        }
        Ok(presented)
    }

    /// Returns the identity of the bot to which a bot token belongs, or `None` if the token is not valid.
    pub(crate) async fn program(&self, token: &str) -> Result<Option<Token>, ApiError> {
        let Some(hash) = bot_token::read(&self.key, token) else { return Ok(None) };
        let holder = self.store.bot_of_token(hash).await?;
        // A program that plays as a bot has no identity cookie. Therefore `text` is empty, and `browser` is the identity of the bot in
        // place of the hash of an identity token.
        let bot = Some(hash);
        Ok(holder.map(|holder| Token { holder, browser: holder, text: Arc::from(""), bot }))
    }

    /// Returns the person to whom an identity token or bot token belongs now. Returns `None` if the browser is signed out or the bot token
    /// is removed.
    pub(crate) async fn current_holder(&self, token: &Token) -> Result<Option<Holder>, ApiError> {
        match token.bot {
            Some(hash) => Ok(self.store.bot_of_token(hash).await?),
            None => self.person_of(token.browser).await,
        }
    }

    /// Returns the person to whom a browser belongs, or `None` if the browser is signed out.
    pub(crate) async fn person_of(&self, browser: Holder) -> Result<Option<Holder>, ApiError> {
        Ok(match self.store.standing(browser).await? {
            Standing::Alone => Some(browser),
            Standing::Of(person) => Some(person),
            Standing::Revoked => None,
        })
    }

    fn issue(&self) -> Result<Token, ApiError> {
        let random = random_id()?;
        let hash = self.keyed(&random).finalize().into_bytes();
        let tag = hash.get(..TOKEN / 4).unwrap_or_default();
        let text = format!("{random}{}", hexadecimal(tag));
        let browser = holder_of(&text);
        Ok(Token { holder: browser, browser, text: text.into(), bot: None })
    }

    /// Returns whether the server has issued a token: the token ends with the keyed hash of its
    /// random bytes.
    fn has_issued(&self, token: &str) -> bool {
        let Some((random, tag)) = token.split_at_checked(TOKEN / 2) else { return false };
        let digits = (0..TOKEN / 4).map(|index| tag.get(2 * index..2 * index + 2));
        let bytes = digits.map(|pair| u8::from_str_radix(pair?, 16).ok());
        let tag: Option<Vec<u8>> = bytes.collect();
        tag.is_some_and(|tag| self.keyed(random).verify_truncated_left(&tag).is_ok())
    }

    fn keyed(&self, random: &str) -> Hmac<Sha256> {
        keyed_hash(&self.key).chain_update(random)
    }
}

/// Result of verifying the identity tokens in the cookies of a request.
pub(crate) enum Presented {
    /// A cookie of the request holds a valid identity token.
    Identity(Token),
    /// Each identity token of the request belongs to a browser that another browser or an operator has signed out.
    SignedOut,
    /// No cookie of the request holds an identity token of this server.
    Nothing,
}

/// Request extension (marker in the HTTP library) for requests whose identity token was revoked, because the browser was signed out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SignedOut;

/// Result of verifying the bot token in a program's request. A layer adds the result to the extensions of the request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Program {
    /// The bot token of the request is valid and belongs to a bot. The extensions of the request hold the identity of the bot.
    Bot,
    /// The bot token of the request belongs to no bot.
    Unknown,
}

/// Authentication token of a request: the identity token of a browser, or the token of a bot. A layer adds the token to the extensions of a
/// request.
#[derive(Clone)]
pub(crate) struct Token {
    /// Text of the identity token; empty for a bot.
    text: Arc<str>,
    /// Hash of the identity token, which identifies the browser. For a bot, this is the identity of its person.
    browser: Holder,
    /// Identity of the person to whom the browser belongs. For a browser that shares its matches with no other browser, this identity is
    /// the hash of the browser's own token.
    holder: Holder,
    /// Hash of the bot token; `None` for a browser.
    bot: Option<[u8; 32]>,
}

impl Token {
    /// Returns the identity of the person to whom the request's token belonged when the request arrived.
    pub(crate) fn holder(&self) -> Holder {
        self.holder
    }

    /// Returns the hash that identifies the requesting browser. For a request of a bot, returns the identity of the bot's person.
    pub(crate) fn browser(&self) -> Holder {
        self.browser
    }

    /// Returns whether the authentication token is a bot token.
    pub(crate) fn is_of_bot(&self) -> bool {
        self.bot.is_some()
    }
}

/// Returns the identity of the person whose browser or bot sent a request, or `None` without a valid token. All browsers
/// of a person have one identity.
pub(crate) fn requester(extensions: &Extensions) -> Option<Holder> {
    extensions.get::<Token>().map(|token| token.holder)
}

/// Extractor of the identity of the person whose browser or bot sent a request, or `None` without a valid token. All browsers of a person
/// have one identity.
///
/// The extractor refuses the requests of a browser that was signed out, unless the HTTP method is safe, such as GET. The refusal does not
/// remove the identity cookie of the browser.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity(pub(crate) Option<Holder>);

/// Extractor of the identity of the person whose browser or bot sent a request, or `None` without a valid token. In contrast to
/// [`Identity`], the extractor also accepts every request of a browser that was signed out, for example to sign in again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LenientIdentity(pub(crate) Option<Holder>);

/// Extractor of the token hash of the requesting browser, or `None` without a valid token. The hash differs between the browsers of a
/// person. For a request with a bot token, the extractor gives the identity of the bot's person.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnBrowser(pub(crate) Option<Holder>);

/// Extractor of the identity of the requesting browser, with the identity cookie for the response. A browser without a valid cookie gets a
/// new identity.
///
/// The extractor refuses one request of a browser that was signed out. Otherwise the browser would act for a new and empty identity
/// without notice. The refusal removes the cookie, so that a repeated request gets a new identity.
pub(crate) struct IssuedIdentity {
    pub(crate) holder: Holder,
    /// Hash of the requesting browser's token.
    pub(crate) browser: Holder,
    /// Identity cookie for the response. For a known browser, the response restarts the cookie's lifetime.
    pub(crate) cookie: HeaderValue,
}

/// Extractor of the identity of a browser that is being linked to a person, with the identity cookie for the response. A browser without a
/// valid cookie gets a new identity, even if the browser was signed out.
pub(crate) struct JoiningIdentity(pub(crate) IssuedIdentity);

/// Extractor that always issues a new identity token for the requesting browser, in the identity cookie of the response. Another person may
/// have put the former token into the browser. Therefore the former token must not give access to an account.
///
/// Like [`IssuedIdentity`], the extractor refuses one request of a browser that was signed out.
pub(crate) struct RenewedIdentity {
    pub(crate) holder: Holder,
    /// Hash of the token that the requesting browser had before the new token. Without a valid cookie, this is the hash of the new token.
    pub(crate) browser: Holder,
    /// Hash of the new token of the requesting browser.
    pub(crate) renewed: Holder,
    pub(crate) cookie: HeaderValue,
}

/// Extractor that issues a new identity token for a browser that signs in to an account, even if the browser was signed out.
pub(crate) struct SigningInIdentity(pub(crate) RenewedIdentity);

impl<S: Sync> FromRequestParts<S> for Identity {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        if !parts.method.is_safe() && is_signed_out(parts) {
            return Err(ApiError::SignedOut);
        }
        Ok(Self(requester(&parts.extensions)))
    }
}

impl<S: Sync> FromRequestParts<S> for LenientIdentity {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(requester(&parts.extensions)))
    }
}

impl<S: Sync> FromRequestParts<S> for OwnBrowser {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.extensions.get::<Token>().map(|token| token.browser)))
    }
}

impl<S: Sync> FromRequestParts<S> for IssuedIdentity
where
    Arc<Identities>: FromRef<S>,
{
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        unless_signed_out(parts, state).await.map(|JoiningIdentity(issued)| issued)
    }
}

impl<S: Sync> FromRequestParts<S> for JoiningIdentity
where
    Arc<Identities>: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Token { text, browser, holder, .. } = match parts.extensions.get::<Token>() {
            Some(token) => token.clone(),
            None => Arc::<Identities>::from_ref(state).issue()?,
        };
        let cookie = cookie_of(&text, &parts.headers)?;
        Ok(Self(IssuedIdentity { holder, browser, cookie }))
    }
}

impl<S: Sync> FromRequestParts<S> for RenewedIdentity
where
    Arc<Identities>: FromRef<S>,
{
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        unless_signed_out(parts, state).await.map(|SigningInIdentity(renewed)| renewed)
    }
}

impl<S: Sync> FromRequestParts<S> for SigningInIdentity
where
    Arc<Identities>: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Token { text, browser: renewed, .. } = Arc::<Identities>::from_ref(state).issue()?;
        let former = parts.extensions.get::<Token>();
        let (holder, browser) =
            former.map_or((renewed, renewed), |former| (former.holder, former.browser));
        let cookie = cookie_of(&text, &parts.headers)?;
        Ok(Self(RenewedIdentity { holder, browser, renewed, cookie }))
    }
}

/// Returns whether a request came from a browser that was signed out.
fn is_signed_out(parts: &Parts) -> bool {
    parts.extensions.get::<SignedOut>().is_some()
}

/// Extracts the requester's identity from a request, unless the request came from a browser that was signed out. The error response to a
/// browser that was signed out removes the browser's identity cookie, so that a repeated request gets a new identity.
async fn unless_signed_out<T, S>(parts: &mut Parts, state: &S) -> Result<T, Response>
where
    S: Sync,
    T: FromRequestParts<S, Rejection = ApiError>,
{
    if is_signed_out(parts) {
        return Err((CLEARED_COOKIES, ApiError::SignedOut).into_response());
    }
    T::from_request_parts(parts, state).await.map_err(ApiError::into_response)
}

/// Returns the value of the response header `Set-Cookie` that stores a token in the identity cookie.
fn cookie_of(token: &str, headers: &HeaderMap) -> Result<HeaderValue, ApiError> {
    // A page that was loaded over HTTPS has an `https` origin. Its cookie gets the attribute `Secure`, so that the browser never
    // sends the cookie unencrypted.
    let origin = headers.get(header::ORIGIN);
    let is_secure = origin.is_some_and(|origin| origin.as_bytes().starts_with(b"https://"));
    let (name, secure) = if is_secure { (SECURE_COOKIE, "; Secure") } else { (COOKIE, "") };
    let text = format!("{name}={token}; HttpOnly; SameSite=Lax; Path=/; Max-Age={MAX_AGE}{secure}");
    HeaderValue::from_str(&text).map_err(ApiError::internal)
}

/// Returns the value of the first cookie that has a given name and a value in the form of an identity token. Returns `None` without such a
/// cookie.
fn token_in<'a>(headers: &'a HeaderMap, wanted: &str) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let texts = cookies.filter_map(|value| value.to_str().ok());
    let mut pairs =
        texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, token)| *name == wanted && is_token(token)).map(|(_, token)| token)
}

/// Returns whether a text has the length and the lower-case digits of an identity token. With upper-case digits, one token
/// would have many spellings, each of which would be another browser.
fn is_token(text: &str) -> bool {
    text.len() == TOKEN && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn holder_of(token: &str) -> Holder {
    Holder(Sha256::digest(token.as_bytes()).into())
}
