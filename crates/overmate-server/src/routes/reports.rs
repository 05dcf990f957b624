//! Serves the routes of reports about other players, and of operators' measures against a person, such as a warning.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::extract::{Body, PathParameter};
use crate::clock::rfc3339;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::Identity;
use crate::services::ReportService;
use crate::store::{Measures, Report, ReportReason};
use crate::wire::{
    ConfirmWarning, ExportedReport, MyMeasures, NewReport, OperatorWarning, ReportReasonWire,
};

fn reason(reason: ReportReasonWire) -> ReportReason {
    match reason {
        ReportReasonWire::Insults => ReportReason::Insults,
        ReportReasonWire::Name => ReportReason::Name,
        ReportReasonWire::Unfair => ReportReason::Unfair,
        ReportReasonWire::Stalling => ReportReason::Stalling,
        ReportReasonWire::Other => ReportReason::Other,
    }
}

fn shown_reason(reason: ReportReason) -> ReportReasonWire {
    match reason {
        ReportReason::Insults => ReportReasonWire::Insults,
        ReportReason::Name => ReportReasonWire::Name,
        ReportReason::Unfair => ReportReasonWire::Unfair,
        ReportReason::Stalling => ReportReasonWire::Stalling,
        ReportReason::Other => ReportReasonWire::Other,
    }
}

/// Returns the reports that a person has made, in their JSON form.
pub(super) fn exported(reports: Vec<Report>) -> Vec<ExportedReport> {
    let shown = |report: Report| ExportedReport {
        match_id: report.match_id,
        reason: shown_reason(report.reason),
        text: report.text,
        at: rfc3339(report.at),
        network: report.network,
        settled_at: report.settled_at.map(rfc3339),
    };
    reports.into_iter().map(shown).collect()
}

/// Returns the operators' measures against a person, such as a warning, in their JSON form.
pub(super) fn shown(measures: Measures) -> MyMeasures {
    MyMeasures {
        warning: measures.warning.map(|(text, at)| OperatorWarning { text, at }),
        muted_until: measures.muted_until.map(rfc3339),
        closed: measures.closed_at.is_some(),
    }
}

/// Reports your opponent in a match to the operators
///
/// The match needs two persons. A second report in the same match replaces the reason and the text of the first one. A person may
/// report five opponents a day, and a network twenty. The server keeps a report for 180 days. Your opponent does not learn of it.
#[utoipa::path(post, path = "/matches/{id}/report", operation_id = "report_opponent", tag = "matches", request_body = NewReport,
    params(("id" = String, Path, description = "Id of the match", max_length = 64)),
    responses(
        (status = 204, description = "The report is stored"),
        ApiError,
    ))]
pub(super) async fn report(
    State(reports): State<Arc<ReportService>>,
    client: Client,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
    Body(new): Body<NewReport>,
) -> Result<StatusCode, ApiError> {
    reports.report(&id, (person, client), reason(new.reason), new.text.as_deref()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the measures of operators against you: a warning, a mute, or a closed account
#[utoipa::path(get, path = "/me/measures", operation_id = "measures", tag = "personal data",
    responses(
        (status = 200, description = "The measures", body = MyMeasures),
        ApiError,
    ))]
pub(super) async fn measures(
    State(reports): State<Arc<ReportService>>,
    Identity(person): Identity,
) -> Result<Json<MyMeasures>, ApiError> {
    Ok(Json(shown(reports.measures(person).await?)))
}

/// Confirms that you have read the warning of an operator
///
/// The page shows the warning until then. A later warning stays.
#[utoipa::path(post, path = "/me/measures/confirm", operation_id = "confirm_warning", tag = "personal data", request_body = ConfirmWarning,
    responses(
        (status = 204, description = "The warning is confirmed"),
        ApiError,
    ))]
pub(super) async fn confirm(
    State(reports): State<Arc<ReportService>>,
    Identity(person): Identity,
    Body(confirmed): Body<ConfirmWarning>,
) -> Result<StatusCode, ApiError> {
    reports.confirm(person, confirmed.at).await?;
    Ok(StatusCode::NO_CONTENT)
}
