//! Identifies a browser by a random token in a cookie; the server stores only the hash of the token.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use sha2::{Digest as _, Sha256};

use crate::error::ApiError;
use crate::random::random_token;
use crate::store::Holder;

/// Name of the identity cookie for a page that was loaded without HTTPS.
const COOKIE: &str = "overmate_seat";

/// Name of the identity cookie for a page that was loaded over HTTPS. Browsers accept the prefix from this host over HTTPS only, so no other host
/// of the domain can set the cookie.
const SECURE_COOKIE: &str = "__Host-overmate_seat";

/// Lifetime of the identity cookie in seconds: 400 days, the longest that browsers accept.
pub(crate) const MAX_AGE: u32 = 400 * 24 * 60 * 60;

/// Cookies that remove both identity cookies from a browser.
pub(crate) const CLEARED_COOKIES: [&str; 2] = [
    "overmate_seat=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0",
    "__Host-overmate_seat=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0; Secure",
];

/// Identity of the browser that sent a request, or `None` without a valid cookie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity(pub(crate) Option<Holder>);

/// Identity of the browser that sent a request, with the cookie for the response. A browser without a valid cookie gets a new identity.
pub(crate) struct IssuedIdentity {
    pub(crate) holder: Holder,
    /// Identity cookie for the response, which restarts the lifetime of the cookie of a known browser.
    pub(crate) cookie: HeaderValue,
}

impl<S: Sync> FromRequestParts<S> for Identity {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(holder_of_request(&parts.headers)))
    }
}

impl<S: Sync> FromRequestParts<S> for IssuedIdentity {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let token = match token_of(&parts.headers) {
            Some(token) => token,
            None => random_token()?,
        };
        // A page that was loaded over HTTPS has an `https` origin. Its cookie never travels unencrypted.
        let origin = parts.headers.get(header::ORIGIN);
        let is_secure = origin.is_some_and(|origin| origin.as_bytes().starts_with(b"https://"));
        let (name, secure) = if is_secure { (SECURE_COOKIE, "; Secure") } else { (COOKIE, "") };
        let text =
            format!("{name}={token}; HttpOnly; SameSite=Lax; Path=/; Max-Age={MAX_AGE}{secure}");
        let cookie = HeaderValue::from_str(&text).map_err(ApiError::internal)?;
        Ok(Self { holder: holder_of(&token), cookie })
    }
}

/// Returns the identity of the browser that sent a request, or `None` without a valid cookie.
pub(crate) fn holder_of_request(headers: &HeaderMap) -> Option<Holder> {
    token_of(headers).map(|token| holder_of(&token))
}

/// Returns the identity token in the cookie of a request, if it has the form of this server's tokens. The cookie with the prefix comes first.
fn token_of(headers: &HeaderMap) -> Option<String> {
    let token = |wanted: &str| {
        let cookies = headers.get_all(header::COOKIE).iter();
        let texts = cookies.filter_map(|value| value.to_str().ok());
        let mut pairs =
            texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(name, token)| *name == wanted && is_token(token)).map(|(_, token)| token)
    };
    token(SECURE_COOKIE).or_else(|| token(COOKIE)).map(str::to_owned)
}

fn is_token(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn holder_of(token: &str) -> Holder {
    Holder(Sha256::digest(token.as_bytes()).into())
}
