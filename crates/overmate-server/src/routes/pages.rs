//! Serves the files of the web client, and its HTML page with a `head` element for the requested
//! page.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use overmate_rules::Player;
use serde::Deserialize;

use super::origin;
use super::pictures::USUAL_RULES;
use crate::assets;
use crate::error::ApiError;
use crate::head::{self, Language, Preview};
use crate::services::{InvitationService, MatchService, deal_of};
use crate::settings::Settings;
use crate::wire::checks::TOKEN;

/// Deal that the address of an analysis names.
#[derive(Debug, Default, Deserialize)]
struct AnalysisAddress {
    rules: Option<String>,
    deal: Option<String>,
}

/// Answers a request with the named file of the web client, or with the HTML page for the requested
/// path. An unknown path gets status 404 and the HTML, which says so.
pub(super) async fn serve(
    State(settings): State<Arc<Settings>>,
    State(invitations): State<Arc<InvitationService>>,
    State(matches): State<Arc<MatchService>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return ApiError::MethodNotAllowed.into_response();
    }
    let path = uri.path().trim_start_matches('/');
    if let Some(response) = assets::file_at(path, &headers) {
        return response;
    }
    if assets::names_file(path) {
        return ApiError::NotFound("file").into_response();
    }
    let language = Language::of(&headers);
    let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    let special = match parts[..] {
        ["analysis"] => deal(&uri, language),
        ["join", token] => invitation(&invitations, token, language).await,
        ["watch", id, token] => watched(&matches, id, token, language).await,
        _ => None,
    };
    let preview = special.unwrap_or_else(|| head::about_page(path, language));
    let own = origin::own_origin(&headers, &settings);
    let html = head::filled(&assets::shell(), &preview, language, own.as_deref());
    let mut response = assets::page(html, &headers);
    if !assets::is_page(path) {
        *response.status_mut() = StatusCode::NOT_FOUND;
        // The problem layer leaves the body of a marked response alone.
        response.extensions_mut().insert(assets::PageNotFound);
    }
    response
}

fn deal(uri: &Uri, language: Language) -> Option<Preview> {
    let Query(AnalysisAddress { rules, deal }) = Query::try_from_uri(uri).ok()?;
    let rules = rules.as_deref().unwrap_or(USUAL_RULES);
    let deal = deal_of(rules, &deal?).ok()?;
    Some(head::about_deal(&deal, language))
}

/// Returns the preview of an unused invitation, with only the facts that any holder of the token may read.
async fn invitation(
    invitations: &InvitationService,
    token: &str,
    language: Language,
) -> Option<Preview> {
    let state = invitations.read(bounded(token)?).await.ok()?;
    let guest: Player = state.open_seat()?;
    let from = state.seats()[!guest].name.as_deref();
    Some(head::about_invitation(from, state.rules().name(), state.play().length(), language))
}

/// Returns the preview of a running or finished match for the holder of the spectators' token.
async fn watched(
    matches: &MatchService,
    id: &str,
    token: &str,
    language: Language,
) -> Option<Preview> {
    let (state, _) = matches.read(bounded(id)?, None, Some(bounded(token)?)).await.ok()?;
    if state.open_seat().is_some() {
        return None;
    }
    Some(head::about_watched(state.play().current().dealt(), language))
}

/// Returns a segment of a path, or `None` if the segment is longer than a token.
fn bounded(part: &str) -> Option<&str> {
    (part.len() <= TOKEN).then_some(part)
}
