//! Serves the routes of personal data: retention periods, export and erasure.

use std::sync::Arc;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt as _, stream};
use serde_json::json;

use super::accounts::shown;
use super::bots;
use super::extract;
use super::ignored;
use super::mail;
use super::passkeys::all_shown;
use super::people::browsers_of;
use super::push::exported;
use super::relations;
use super::reports;
use super::talk;
use super::turns::path_of;
use super::watching;
use crate::clock::{self, now, rfc3339};
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::{CLEARED_COOKIES, Identity, MAX_AGE, OwnBrowser};
use crate::limits::{Dear, Limiter};
use crate::services::{
    AccountService, BotAccountService, CHALLENGE_TIME, DaysOffService, EventService, HANDLE_DAYS,
    LASTING_TIME, MailService, PasskeyService, PeopleService, PersonalDataService, PushService,
    RatingService, RelationService, ReportService, TalkService, TurnService, WatchService,
};
use crate::settings::Settings;
use crate::show;
use crate::store::queries::accounts::FORMER_HANDLE_TIME;
use crate::store::{CODE_TIME, REPORT_TIME, TALK_TIME};
use crate::wire::{Export, Privacy, Problem};

/// Services for reports, tournament events, bot accounts and e-mail, grouped in one parameter of the data export's request handler.
type OtherServices = (
    State<Arc<ReportService>>,
    State<Arc<EventService>>,
    State<Arc<BotAccountService>>,
    State<MailService>,
);

/// Exports all data that the server keeps about this browser
///
/// The server sends the matches one after another. An incomplete response is not valid JSON. A
/// browser can have one export at a time, and the browsers of an address eight.
#[utoipa::path(get, path = "/me/export", operation_id = "export", tag = "personal data",
    responses(
        (status = 200, description = "The identity of this browser and its matches, with their records", body = Export),
        ApiError,
    ))]
#[allow(
    clippy::too_many_arguments,
    reason = "each argument is an extractor of one part of the request"
)]
pub(super) async fn export(
    State(personal): State<Arc<PersonalDataService>>,
    State(solvers): State<Arc<SolverPool>>,
    State(people): State<Arc<PeopleService>>,
    State(accounts): State<Arc<AccountService>>,
    State(passkeys): State<Arc<PasskeyService>>,
    State(days_off): State<Arc<DaysOffService>>,
    State(turns): State<Arc<TurnService>>,
    State(push): State<PushService>,
    State(ratings): State<Arc<RatingService>>,
    State(related): State<Arc<RelationService>>,
    State(texts): State<Arc<TalkService>>,
    State(watching): State<Arc<WatchService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    // The parameter `others` groups four services, because axum allows at most sixteen parameters in a request handler.
    others: OtherServices,
    own: (Identity, OwnBrowser),
) -> Result<Response, ApiError> {
    let (State(reported), State(events), State(bot_accounts), State(mails)) = others;
    let (Identity(holder), OwnBrowser(browser)) = own;
    limiter.count_dear(client, Dear::Analysis).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"overmate.json\""),
    ];
    let identity = holder.map(|holder| holder.to_string());
    let head = format!(
        "{{\"identity\":{},\"exported_at\":{},\"matches\":[",
        json!(identity),
        json!(rfc3339(now()))
    );
    // The first match is read before the response begins, so that a failed read can give an HTTP error status.
    let (first, running) = match holder {
        Some(holder) => {
            let mut running = personal.begin_export(solvers, client, holder)?;
            (running.next().await?, Some(running))
        }
        None => (None, None),
    };
    let attempts = personal.puzzle_attempts(holder).await?;
    let (rating, requests, acts) = personal.traces(holder).await?;
    let offers = personal.offers(holder).await?;
    let browsers = browsers_of(&people, holder, browser).await?;
    let account = accounts.of(holder).await?.map(shown);
    let passkeys = all_shown(passkeys.of(holder).await?).passkeys;
    let tokens = bots::all_shown(bot_accounts.tokens(holder).await?);
    let mails = mail::exported(mails.of(holder).await?, mails.turns(holder).await?);
    let absences = days_off.exported(holder).await?;
    let feed = turns.token(holder).await?.map(|token| path_of(&token));
    let subscriptions = push.of(holder).await?;
    let subscriptions: Vec<_> = subscriptions.into_iter().map(exported).collect();
    let (known, changes) = ratings.all_of(holder).await?;
    let favourites = relations::all_shown(related.favourites(holder).await?);
    let known: Vec<_> = known.into_iter().map(show::ratings::exported).collect();
    let changes: Vec<_> = changes.into_iter().map(show::ratings::exported_change).collect();
    let ignored = ignored::all_shown(related.ignored(holder).await?);
    let made = reports::exported(reported.of(holder).await?);
    let measures = reports::shown(reported.measures(holder).await?);
    let played = events.of(holder).await?;
    let sent = talk::exported(texts.all_of(holder).await?);
    let visibility = watching::shown(watching.visibility(holder).await?);
    let rest = stream::try_unfold(running, |running| async move {
        let Some(mut running) = running else { return Ok(None) };
        let text = running.next().await.inspect_err(ApiError::log)?;
        Ok::<_, ApiError>(text.map(|text| (text, Some(running))))
    });
    let tail = format!(
        "],\"requests\":{},\"offers\":{},\"puzzle_attempts\":{},\"puzzle_rating\":{},\"operator_acts\":{},\"browsers\":{},\"absences\":{},\"feed\":{},\"push_subscriptions\":{},\"account\":{},\"passkeys\":{},\"bot_tokens\":{},\"mail\":{},\"ratings\":{},\"rating_changes\":{},\"favourites\":{},\"ignored\":{},\"reports\":{},\"measures\":{},\"talk\":{},\"visibility\":{},\"events\":{}}}\n",
        json!(requests),
        json!(offers),
        json!(attempts),
        json!(rating),
        json!(acts),
        json!(browsers),
        json!(absences),
        json!(feed),
        json!(subscriptions),
        json!(account),
        json!(passkeys),
        json!(tokens),
        json!(mails),
        json!(known),
        json!(changes),
        json!(favourites),
        json!(ignored),
        json!(made),
        json!(measures),
        json!(sent),
        json!(visibility),
        json!(played)
    );
    let head = stream::iter([Ok(head), Ok(first.unwrap_or_default())]);
    let body = head.chain(rest).chain(stream::iter([Ok(tail)]));
    Ok((headers, Body::from_stream(body.map(|text| text.map(Bytes::from)))).into_response())
}

/// Erases all data that the server keeps about this browser
///
/// The server removes matches without another person, together with their invitations. In a match
/// with another person, this browser resigns if the match is running. The other person keeps the
/// match; the seat of this browser becomes `deleted` and loses its name. The request is idempotent.
/// The response removes the cookie. Browsers that share the matches of this browser also lose the
/// matches, all codes become invalid, and the account ends. Nobody can take the handle for a year.
#[utoipa::path(delete, path = "/me", operation_id = "erase", tag = "personal data",
    responses(
        (status = 204, description = "Everything is erased, and the cookie is removed"),
        ApiError,
        (status = "5XX", description = "The server failed; a repeated request continues", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn erase(
    State(personal): State<Arc<PersonalDataService>>,
    Identity(holder): Identity,
) -> Result<impl IntoResponse, ApiError> {
    if let Some(holder) = holder {
        personal.erase(holder).await?;
        metrics::counter!("overmate_erasures_total").increment(1);
        tracing::info!("a browser has erased its data");
    }
    Ok((StatusCode::NO_CONTENT, CLEARED_COOKIES))
}

/// Deletes one of your matches
///
/// The server removes a match without another person. In a match with another person, this browser
/// resigns if the match is running. The other person keeps the match; the seat of this browser
/// becomes `deleted` and loses its name. A match on a shared deal cannot be deleted, and neither can a
/// rated match whose deal you have seen before both players have acted, unless you have waited long for the opponent: resign it first.
#[utoipa::path(delete, path = "/matches/{id}", operation_id = "delete_match", tag = "personal data",
    params(("id" = String, Path, description = "Id of the match", max_length = 64)),
    responses(
        (status = 204, description = "This browser holds no seat in the match any more"),
        ApiError,
    ))]
pub(super) async fn delete(
    State(personal): State<Arc<PersonalDataService>>,
    Identity(holder): Identity,
    extract::PathParameter(id): extract::PathParameter,
) -> Result<StatusCode, ApiError> {
    personal.delete(&id, holder.ok_or(ApiError::NotFound("match"))?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the retention periods of the data on this server
#[utoipa::path(get, path = "/privacy", operation_id = "privacy", tag = "personal data",
    responses((status = 200, description = "Times and numbers from the configuration of the server", body = Privacy), ApiError))]
pub(super) async fn privacy(
    State(settings): State<Arc<Settings>>,
    State(mails): State<MailService>,
) -> Json<Privacy> {
    const DAY: u64 = clock::DAY.unsigned_abs();
    let limits = &settings.limits;
    Json(Privacy {
        cookie_days: u64::from(MAX_AGE) / DAY,
        unfinished_match_days: limits.unfinished_match_time.as_secs() / DAY,
        empty_match_days: limits.empty_match_time.as_secs() / DAY,
        invitation_days: limits.invitation_time.as_secs() / DAY,
        unfinished_matches: limits.unfinished_matches,
        kept_matches: limits.kept_matches,
        log_entries: limits.log_entries,
        fold_after_days: limits.fold_days,
        operator_log_days: limits.operator_log_time.as_secs() / DAY,
        report_days: REPORT_TIME.unsigned_abs() / DAY,
        event_days: limits.event_time.as_secs() / DAY,
        message_days: TALK_TIME.unsigned_abs() / DAY,
        former_handle_days: FORMER_HANDLE_TIME.unsigned_abs() / DAY,
        handle_change_days: HANDLE_DAYS.unsigned_abs(),
        offer_days: LASTING_TIME.unsigned_abs() / DAY,
        code_minutes: CODE_TIME.unsigned_abs() / 60,
        mail: mails.is_on(),
        challenge_minutes: CHALLENGE_TIME.unsigned_abs() / 60,
    })
}
