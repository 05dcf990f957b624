//! Defines request extractors whose failures are API errors of this server. An extractor reads one
//! part of a request for its handler.

use std::convert::Infallible;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{ConnectInfo, FromRef, FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use overmate_json::Object;
use serde::de::DeserializeOwned;

use super::state::RouterState;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::requester;
use crate::settings::Settings;
use crate::wire::checks::Checked;

/// Extractor that reads a JSON request body and checks the bounds of its fields.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned + Checked, S: Send + Sync> FromRequest<S> for Body<T>
where
    Arc<Settings>: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let body = axum::Json::<Object<T>>::from_request(request, state).await;
        let axum::Json(Object(body)) = body.map_err(|rejection| match rejection {
            JsonRejection::MissingJsonContentType(_) => ApiError::UnsupportedMediaType,
            other if other.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                ApiError::TooLarge { most: Arc::from_ref(state).limits.body_bytes }
            }
            other => unreadable("the JSON body", &other),
        })?;
        checked(body).map(Self)
    }
}

/// Extractor that reads the query parameters of a request and checks the bounds of the parameters.
pub(crate) struct Options<T>(pub(crate) T);

impl<T: DeserializeOwned + Checked, S: Send + Sync> FromRequestParts<S> for Options<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        check_uri(parts)?;
        let options = Query::<T>::from_request_parts(parts, state).await;
        let Query(options) = options
            .map_err(|rejection: QueryRejection| unreadable("the query of the URL", &rejection))?;
        checked(options).map(Self)
    }
}

/// Returns the error for a request part (path, query or body) that does not fit the API. The error names the fault and the description of
/// the API.
fn unreadable(part: &str, rejection: &dyn Error) -> ApiError {
    // The response to an unreadable request quotes only the cause of axum's error, because the cause tells what is wrong with the request.
    // The whole text of the error would begin with words about the part of the request, such as "Failed to deserialize query string".
    let fault = rejection.source().unwrap_or(rejection);
    ApiError::BadRequest(format!("{part} does not fit the API, which /api/docs describes: {fault}"))
}

/// Returns an error if the path or the query has a null character, which PostgreSQL cannot store or compare.
fn check_uri(parts: &Parts) -> Result<(), ApiError> {
    if parts.uri.to_string().contains("%00") {
        let text =
            "the address has a null character (%00): send the request without this character";
        return Err(ApiError::BadRequest(text.to_owned()));
    }
    Ok(())
}

fn checked<T: Checked>(request: T) -> Result<T, ApiError> {
    match request.fault() {
        Some(fault) => Err(ApiError::BadRequest(fault)),
        None => Ok(request),
    }
}

/// Extractor of the path parameters of a request, as a single value or a tuple.
pub(crate) struct PathParameter<T = String>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for PathParameter<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        check_uri(parts)?;
        let part = Path::<T>::from_request_parts(parts, state).await;
        part.map(|Path(part)| Self(part))
            .map_err(|rejection: PathRejection| unreadable("the path of the URL", &rejection))
    }
}

impl FromRequestParts<RouterState> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        server: &RouterState,
    ) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map(|ConnectInfo(address)| address.ip());
        let client = Self::of(&parts.headers, peer, server.settings.behind_proxy);
        Ok(client.with_browser(requester(&parts.extensions)))
    }
}
