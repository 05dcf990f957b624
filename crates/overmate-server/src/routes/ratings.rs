//! Serves the routes of ratings, profiles and leaderboards.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;

use super::accounts::shown;
use super::extract::{Body, Options, PathParameter};
use super::matches::Watch;
use crate::clock::{now, rfc3339};
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::Identity;
use crate::limits::{Dear, Limiter};
use crate::rating::match_rating::Pace;
use crate::services::{
    AccountService, MatchService, RatingService, RelationService, ReportService, rule_set,
};
use crate::show;
use crate::wire::checks::{Checked, text_fault};
use crate::wire::{Leaderboard, MatchRatings, MyAccount, PaceWire, Profile, ProfileSetting};

/// Query parameters of a request for a leaderboard.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct BoardQuery {
    /// Name of the leaderboard's rule set. The default is the rule set of the first leaderboard of the pace.
    #[param(max_length = 200, required = false)]
    rules: Option<String>,
    /// Pace of the leaderboard's matches: live or correspondence. The default is live play if anybody has a live rating.
    #[param(required = false)]
    pace: Option<PaceWire>,
}

impl Checked for BoardQuery {
    fn fault(&self) -> Option<String> {
        text_fault("rules", self.rules.as_ref(), 200)
    }
}

/// Returns the profile of a player
///
/// The handle matches regardless of case and signs. A private profile has the same answer as a
/// handle that nobody has, except for its owner. So has a profile whose owner has blocked you.
#[utoipa::path(get, path = "/players/{handle}", operation_id = "player", tag = "ratings",
    params(("handle" = String, Path, description = "Handle of the player", max_length = 64)),
    responses(
        (status = 200, description = "The profile", body = Profile),
        ApiError,
    ))]
pub(super) async fn profile(
    State(ratings): State<Arc<RatingService>>,
    State(relations): State<Arc<RelationService>>,
    State(reports): State<Arc<ReportService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Identity(viewer): Identity,
    PathParameter(handle): PathParameter,
) -> Result<Json<Profile>, ApiError> {
    // A request for a profile replays up to a hundred matches. Therefore the request counts against the rate limit on analyses.
    limiter.count_dear(client, Dear::Analysis).await?;
    let found = ratings.profile(&handle, viewer, client).await?;
    let (account, at) = (found.account, now());
    let is_own = viewer == Some(account.person);
    let standpoint = relations.standpoint(viewer, account.person).await?;
    let is_closed = reports.measures(Some(account.person)).await?.closed_at.is_some();
    let mut since = rfc3339(account.made_at);
    since.truncate("2026-11-21".len());
    let matches = found.matches.into_iter();
    Ok(Json(Profile {
        handle: account.handle,
        since,
        you: is_own,
        private: account.is_private,
        bot: account.is_bot,
        favourite: standpoint.and_then(|own| own.added),
        closed: is_closed,
        muted: standpoint.is_some_and(|own| own.muted),
        blocked: standpoint.is_some_and(|own| own.blocked),
        ratings: found.ratings.iter().map(|known| show::ratings::player(known, at)).collect(),
        matches: matches.map(|rated| show::ratings::rated_match(rated, is_own)).collect(),
        casual_results: show::ratings::results(found.casual.results),
        casual: found.casual.latest,
    }))
}

/// Returns a leaderboard: the players with the highest ratings
///
/// The list omits players with a provisional rating or a private profile.
#[utoipa::path(get, path = "/players", operation_id = "leaderboard", tag = "ratings",
    params(BoardQuery),
    responses(
        (status = 200, description = "The leaderboard", body = Leaderboard),
        ApiError,
    ))]
pub(super) async fn board(
    State(ratings): State<Arc<RatingService>>,
    Options(query): Options<BoardQuery>,
) -> Result<Json<Leaderboard>, ApiError> {
    let boards = ratings.boards().await?;
    let pace = query.pace.map(show::ratings::wanted_pace);
    let rules = query.rules.map(|rules| rule_set(&rules)).transpose()?;
    let rules = rules.map(|rules| rules.name().to_owned());
    let fits = |(of, at): &&(String, Pace)| {
        rules.as_ref().is_none_or(|rules| rules == of) && pace.is_none_or(|pace| pace == *at)
    };
    let mut fitting: Vec<_> = boards.iter().filter(fits).collect();
    fitting.sort_by_key(|(_, pace)| *pace != Pace::Live);
    let first = fitting.first().map(|board| (*board).clone());
    let wanted = first.or_else(|| Some((rules?, pace.unwrap_or(Pace::Live))));
    let at = now();
    let leaders = match &wanted {
        Some((rules, pace)) => ratings.board(rules, *pace, at).await?,
        None => Vec::new(),
    };
    Ok(Json(Leaderboard {
        boards: boards.into_iter().map(show::ratings::board).collect(),
        board: wanted.map(show::ratings::board),
        players: leaders.into_iter().map(|leader| show::ratings::leader(leader, at)).collect(),
    }))
}

/// Returns the ratings of the players of a rated match
///
/// For a finished match, the response contains the ratings before and after the match. The page of
/// the match shows them beside the names.
#[utoipa::path(get, path = "/matches/{id}/ratings", operation_id = "match_ratings", tag = "ratings",
    params(("id" = String, Path, description = "Id of the match", max_length = 64), Watch),
    responses(
        (status = 200, description = "The ratings", body = MatchRatings),
        ApiError,
    ))]
pub(super) async fn of_match(
    State(matches): State<Arc<MatchService>>,
    State(ratings): State<Arc<RatingService>>,
    Identity(viewer): Identity,
    PathParameter(id): PathParameter,
    Options(query): Options<Watch>,
) -> Result<Json<MatchRatings>, ApiError> {
    let (state, _) = matches.read(&id, viewer, query.watch.as_deref()).await?;
    Ok(Json(ratings.of_match(&state, viewer, now()).await?))
}

/// Hides your profile from other people, or makes your profile public
///
/// A private profile is on no leaderboard, and your opponents see your rating without your handle.
#[utoipa::path(put, path = "/me/account/profile", operation_id = "set_profile", tag = "ratings", request_body = ProfileSetting,
    responses(
        (status = 200, description = "The account", body = MyAccount),
        ApiError,
    ))]
pub(super) async fn set_profile(
    State(accounts): State<Arc<AccountService>>,
    Identity(person): Identity,
    Body(body): Body<ProfileSetting>,
) -> Result<Json<MyAccount>, ApiError> {
    let person = person.ok_or(ApiError::NotFound("account"))?;
    Ok(Json(shown(accounts.set_private(person, body.private).await?)))
}
