//! Who a browser is: a token in a cookie, of which only the hash is kept.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use sha2::{Digest as _, Sha256};

use crate::error::ApiError;
use crate::store::Holder;

/// The name of the cookie.
const COOKIE: &str = "overmate_seat";

/// The longest time for which browsers keep a cookie: 400 days.
const MAX_AGE: u32 = 400 * 24 * 60 * 60;

/// Who sends a request, if that has been settled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity(pub(crate) Option<Holder>);

/// Who sends a request; a browser that is nobody yet becomes somebody by the cookie.
pub(crate) struct Known {
    pub(crate) holder: Holder,
    /// Sent back with every seat that is taken, so that it lasts.
    pub(crate) cookie: HeaderValue,
}

impl<S: Sync> FromRequestParts<S> for Identity {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(token_of(&parts.headers).map(|token| holder_of(&token))))
    }
}

impl<S: Sync> FromRequestParts<S> for Known {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let token = match token_of(&parts.headers) {
            Some(token) => token,
            None => random_token()?,
        };
        // A page that was loaded by https says so; then the cookie never leaves in the open.
        let origin = parts.headers.get(header::ORIGIN);
        let is_secure = origin.is_some_and(|origin| origin.as_bytes().starts_with(b"https://"));
        let secure = if is_secure { "; Secure" } else { "" };
        let text =
            format!("{COOKIE}={token}; HttpOnly; SameSite=Lax; Path=/; Max-Age={MAX_AGE}{secure}");
        let cookie = HeaderValue::from_str(&text).map_err(ApiError::internal)?;
        Ok(Self { holder: holder_of(&token), cookie })
    }
}

/// The token of the cookie, if it is one that this server could have made.
fn token_of(headers: &HeaderMap) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        cookies.flat_map(|text| text.split(';')).filter_map(|c| c.trim().split_once('='));
    let (_, token) = pairs.find(|(name, token)| *name == COOKIE && is_token(token))?;
    Some(token.to_owned())
}

fn is_token(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn holder_of(token: &str) -> Holder {
    Holder(Sha256::digest(token.as_bytes()).into())
}

/// 256 random bits.
pub(crate) fn random_token() -> Result<String, ApiError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(ApiError::internal)?;
    Ok(hexadecimal(&bytes))
}

/// 128 random bits, for what stands in paths.
pub(crate) fn random_id() -> Result<String, ApiError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(ApiError::internal)?;
    Ok(hexadecimal(&bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |number: u8| char::from_digit(number.into(), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
