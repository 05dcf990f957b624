//! Defines the middleware that renders every error as `application/problem+json` (RFC 9457) with
//! the id of the request. Failures are also described in the OpenAPI document.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tower_http::request_id::RequestId;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response as Described, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema as _};

use crate::error::ApiError;
use crate::http::assets::PageNotFound;
use crate::wire::Problem;

/// Media type of problem responses (RFC 9457).
const PROBLEM_JSON: &str = "application/problem+json";

impl IntoResponses for ApiError {
    /// Describes the error responses of a route in the OpenAPI document.
    fn responses() -> BTreeMap<String, RefOr<Described>> {
        let described = |description: &str| {
            let problem =
                ContentBuilder::new().schema(Some(Ref::from_schema_name(Problem::name())));
            let response = ResponseBuilder::new().description(description);
            RefOr::T(response.content(PROBLEM_JSON, problem.build()).build())
        };
        BTreeMap::from([
            ("4XX".to_owned(), described("The request is refused")),
            ("5XX".to_owned(), described("The server failed")),
        ])
    }
}

/// Writes the problem response for a failed request, and logs the error.
pub(super) async fn write(request: Request, next: Next) -> Response {
    let id = request.extensions().get::<RequestId>();
    let id = id.and_then(|id| id.header_value().to_str().ok()).map(str::to_owned);
    let response = next.run(request).await;
    let marked = response.extensions().get::<Arc<ApiError>>().cloned();
    match marked.or_else(|| of_status(&response).map(Arc::new)) {
        Some(error) => {
            error.log();
            rendered(&error, id, response)
        }
        None => response,
    }
}

/// Returns the API error that corresponds to the error status of a response from the router or from third-party middleware.
fn of_status(response: &Response) -> Option<ApiError> {
    if response.extensions().get::<PageNotFound>().is_some() {
        return None;
    }
    match response.status() {
        StatusCode::NOT_FOUND => Some(ApiError::NotFound("page")),
        StatusCode::METHOD_NOT_ALLOWED => Some(ApiError::MethodNotAllowed),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Some(ApiError::UnsupportedMediaType),
        StatusCode::REQUEST_TIMEOUT => Some(ApiError::Timeout),
        status if status.is_client_error() => Some(ApiError::bad_request(
            "compare the request with the OpenAPI document of this server",
        )),
        status if status.is_server_error() => Some(ApiError::internal(status.to_string())),
        _ => None,
    }
}

/// Renders an error as a problem response with the id of the request, and keeps the headers of the replaced response.
fn rendered(error: &ApiError, id: Option<String>, before: Response) -> Response {
    let problem = error.problem(id);
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let Ok(text) = serde_json::to_vec(&problem) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let (mut parts, _) = before.into_parts();
    parts.status = status;
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
    parts.headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(seconds) = error.retry_after() {
        parts.headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    Response::from_parts(parts, Body::from(text))
}
