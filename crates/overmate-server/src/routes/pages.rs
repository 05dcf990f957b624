//! Serves the files of the web client, and an HTML page whose `head` element depends on the URL.

use std::sync::Arc;

use axum::extract::{FromRef, Query, State};
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use overmate_rules::Player;
use serde::Deserialize;

use super::origin;
use super::pictures::USUAL_RULES;
use super::state::RouterState;
use crate::clock::now;
use crate::error::ApiError;
use crate::head::{self, Language, Preview};
use crate::http::assets;
use crate::identity::browser::LenientIdentity;
use crate::services::{
    self, EventService, InvitationService, MatchService, PuzzleService, RatingService, deal_of,
    previewed_deal,
};
use crate::settings::Settings;
use crate::store::Holder;
use crate::wire::checks::TOKEN;

/// Query parameters in the URL of the analysis page.
#[derive(Debug, Default, Deserialize)]
struct AnalysisAddress {
    rules: Option<String>,
    deal: Option<String>,
}

/// Query parameters in the URL of the review page of a game.
#[derive(Debug, Default, Deserialize)]
struct ReviewAddress {
    /// Index of the reviewed game in its match, as text; `None` stands for the first game.
    game: Option<String>,
    /// Spectator token of the match; `None` for a player of the match.
    watch: Option<String>,
}

/// Services that check the existence of a page, and supply the content of its link preview.
pub(super) struct PageFacts {
    events: Arc<EventService>,
    invitations: Arc<InvitationService>,
    matches: Arc<MatchService>,
    puzzles: Arc<PuzzleService>,
    ratings: Arc<RatingService>,
}

impl FromRef<RouterState> for PageFacts {
    fn from_ref(server: &RouterState) -> Self {
        Self {
            events: FromRef::from_ref(server),
            invitations: FromRef::from_ref(server),
            matches: FromRef::from_ref(server),
            puzzles: FromRef::from_ref(server),
            ratings: FromRef::from_ref(server),
        }
    }
}

/// Serves a file of the web client, or the HTML page for the requested path. An unknown path gets status 404 with the HTML page. The same
/// holds for a match, invitation, event, puzzle or lesson that the browser may not see. For a missing file, the response is a problem in
/// JSON, except for a client that reads HTML.
pub(super) async fn serve(
    State(settings): State<Arc<Settings>>,
    State(facts): State<PageFacts>,
    LenientIdentity(holder): LenientIdentity,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let path = uri.path().trim_start_matches('/');
    if let Some(response) = assets::file_at(path, &headers) {
        return response;
    }
    if assets::names_file(path) && !reads_html(&headers) {
        return ApiError::NotFound("file").into_response();
    }
    let language = Language::of(&headers);
    let special = facts.special(&uri, holder, language).await;
    let is_missing = matches!(special, Err(ApiError::NotFound(_)));
    // The server answers a page request with an error status only if the page is missing. The web client reports all other errors,
    // because the web client sends the same request to the API.
    let preview = special.ok().flatten().unwrap_or_else(|| head::about_page(path, language));
    let own = origin::own_origin(&headers, &settings);
    let address = uri.path_and_query().map_or("/", |address| address.as_str());
    let html = head::filled(&assets::shell(path), &preview, language, own.as_deref(), address);
    if is_missing { assets::missing_page(html) } else { assets::page(html, &headers) }
}

impl PageFacts {
    /// Returns the link preview of a page about one match, invitation, deal, puzzle, lesson, event or player.
    /// Returns `None` for other pages, and an error if the page does not exist for a browser.
    async fn special(
        &self,
        uri: &Uri,
        holder: Option<Holder>,
        language: Language,
    ) -> Result<Option<Preview>, ApiError> {
        let path = uri.path().trim_matches('/');
        let parts: Vec<&str> = path.split('/').collect();
        match parts[..] {
            ["analysis"] => Ok(deal(uri, language)),
            ["join", token] => self.invitation(token, language).await,
            ["watch", id, token] => self.watched(id, token, language).await,
            // Only the players of a match see the match's page. Therefore the link preview of this page holds no data of the match.
            ["match", id] => {
                self.matches.read(bounded(id)?, holder, None).await?;
                Ok(None)
            }
            ["match", id, "review"] => self.reviewed(id, uri, holder).await,
            ["puzzles", id] => {
                let rules = self.puzzles.rules_of(id)?;
                Ok(Some(head::about_puzzle(id, rules, language)))
            }
            // For a viewer who may not see a private profile, the page of the profile is missing, like the page of an unknown handle.
            ["players", handle] => {
                let (account, _) = self.ratings.visible(bounded(handle)?, holder).await?;
                let is_public = !account.is_private;
                Ok(is_public.then(|| head::about_player(&account.handle, language)))
            }
            ["events", id] => {
                let shown = self.events.show(bounded(id)?).await?;
                Ok(Some(head::about_event(&shown.record.event, language)))
            }
            ["learn", id] => {
                services::lesson(id).await?;
                Ok(Some(head::about_lesson(id, language)))
            }
            _ if assets::is_page(path) => Ok(None),
            _ => Err(ApiError::NotFound("page")),
        }
    }

    /// Returns the link preview of an unused invitation, with only the data that every holder of the invitation token may read. Returns
    /// `None` for a used invitation.
    async fn invitation(
        &self,
        token: &str,
        language: Language,
    ) -> Result<Option<Preview>, ApiError> {
        let state = self.invitations.read(bounded(token)?).await?;
        let Some(guest): Option<Player> = state.open_seat() else { return Ok(None) };
        let from = state.seats()[!guest].name.as_deref();
        let deal = previewed_deal(&state, now());
        let games = state.play().length();
        Ok(Some(head::about_invitation(from, state.rules().name(), games, deal, language)))
    }

    /// Returns the link preview of a match for a holder of the spectator token. Returns `None`
    /// while the deal of the match is secret.
    async fn watched(
        &self,
        id: &str,
        token: &str,
        language: Language,
    ) -> Result<Option<Preview>, ApiError> {
        let (state, _) = self.matches.read(bounded(id)?, None, Some(bounded(token)?)).await?;
        let play = state.play();
        let game = play.current_index() + 1;
        let preview = previewed_deal(&state, now())
            .map(|deal| head::about_watched(deal, game, play.length(), language));
        Ok(preview)
    }

    /// Checks that a browser may see the match of a review, and that the match contains the reviewed game. Returns `None`, because a review
    /// has no link preview of its own.
    async fn reviewed(
        &self,
        id: &str,
        uri: &Uri,
        holder: Option<Holder>,
    ) -> Result<Option<Preview>, ApiError> {
        let query: Result<Query<ReviewAddress>, _> = Query::try_from_uri(uri);
        let Query(ReviewAddress { game, watch }) = query.unwrap_or_default();
        let watch = watch.as_deref().map(bounded).transpose()?;
        let (state, _) = self.matches.read(bounded(id)?, holder, watch).await?;
        // If the URL of the review names no game, the web client shows the first game of the match.
        let index: Option<usize> = game.map_or(Some(0), |text| text.parse().ok());
        let game = index.and_then(|index| state.play().games().get(index));
        game.map(|_| None).ok_or(ApiError::NotFound("game"))
    }
}

/// Returns whether the request header `Accept` contains `text/html`, as in a page navigation of a browser.
fn reads_html(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|list| list.to_ascii_lowercase().contains("text/html"))
}

fn deal(uri: &Uri, language: Language) -> Option<Preview> {
    let Query(AnalysisAddress { rules, deal }) = Query::try_from_uri(uri).ok()?;
    let rules = rules.as_deref().unwrap_or(USUAL_RULES);
    let deal = deal_of(rules, &deal?).ok()?;
    Some(head::about_deal(&deal, language))
}

/// Returns a token, id or handle from a URL, or an error if the text is longer than [`TOKEN`] bytes.
fn bounded(part: &str) -> Result<&str, ApiError> {
    if part.len() <= TOKEN { Ok(part) } else { Err(ApiError::NotFound("page")) }
}
