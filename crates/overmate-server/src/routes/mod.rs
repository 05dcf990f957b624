//! Combines the routes of the server with the middleware.

mod accounts;
mod analysis;
mod bots;
mod connection;
mod days_off;
mod docs;
mod events;
pub(crate) mod extract;
mod feed;
mod health;
mod identity;
mod ignored;
mod interface;
mod invitations;
mod layers;
mod lessons;
mod live;
mod lobby;
mod lobby_live;
mod mail;
mod matches;
mod offline;
mod origin;
mod pages;
mod passkeys;
mod people;
mod personal;
mod pictures;
mod problems;
mod programs;
mod progress;
mod push;
mod puzzles;
mod ratings;
mod relations;
mod reports;
mod rules;
mod seat_texts;
mod shared_deals;
mod state;
mod talk;
mod turns;
mod watching;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{any, get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::TraceLayer;

use self::interface::INTERFACE;
use self::state::RouterState;
use crate::error::ApiError;
use crate::http::assets;
use crate::server::Server;
use crate::settings::ServerRole;

pub use docs::openapi_json;

/// Returns the HTTP router of a server, with all routes and middleware.
///
/// The router takes the IP address of a client from `ConnectInfo`. Without `ConnectInfo`, all
/// requests count as one client.
pub fn app(server: Server) -> Router {
    let limits = server.settings.limits;
    let (interface, _) = &*INTERFACE;
    let interface = interface
        .clone()
        .layer(DefaultBodyLimit::max(limits.body_bytes))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CACHE_CONTROL,
            HeaderValue::from_static("no-store"),
        ))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, limits.request_time));
    let players = Router::new()
        .merge(interface)
        .route("/api/openapi.json", get(docs::document))
        .route("/api/docs", get(docs::page))
        .route("/api/docs/style.css", get(docs::style))
        .route("/api/{*rest}", any(unknown_path))
        .route("/daily.atom", get(feed::deals_of_the_day))
        .route("/feeds/{token}/{file}", get(turns::serve))
        .route("/picture.png", get(pictures::picture))
        .route("/unsubscribe/{token}", post(mail::stop_by_program).get(pages::serve))
        .fallback(get(pages::serve));
    // A server with the role `Worker` serves no players. It answers only the health checks of its operators.
    let served = match server.settings.role {
        ServerRole::All | ServerRole::Web => players,
        ServerRole::Worker => Router::new().fallback(of_worker),
    };
    let state = RouterState::from(server);
    served
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .layer(from_fn_with_state(state.clone(), bots::check))
        .layer(from_fn_with_state(state.clone(), origin::refuse_foreign))
        .layer(from_fn_with_state(state.clone(), layers::limit))
        .layer(from_fn_with_state(state.clone(), layers::identify))
        .layer(CatchPanicLayer::custom(layers::panicked))
        .layer(from_fn(problems::write))
        .layer(from_fn(layers::measure))
        .layer(from_fn(assets::secure))
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(TraceLayer::new_for_http().make_span_with(layers::span).on_failure(()))
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
        .layer(from_fn(layers::remove_request_id))
        .with_state(state)
}

/// Returns the HTTP router of the metrics listener, for operators. It only answers `/metrics`.
pub fn metrics_app(server: Server) -> Router {
    Router::new().route("/metrics", get(health::metrics)).with_state(RouterState::from(server))
}

async fn of_worker() -> ApiError {
    ApiError::Lacking(
        "this server does background work only and has no page: open the page of another server",
    )
}

async fn unknown_path() -> ApiError {
    ApiError::NotFound("path of the interface")
}
