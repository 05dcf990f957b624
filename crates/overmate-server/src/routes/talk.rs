//! Serves the routes of the chat texts that two players write to each other in their own words.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;

use super::extract::{Body, Options, PathParameter};
use crate::clock::rfc3339;
use crate::error::ApiError;
use crate::identity::browser::Identity;
use crate::services::{ReadTalk, TalkService};
use crate::store::TalkText;
use crate::wire::checks::{Checked, LAST_SEQUENCE, too_large};
use crate::wire::{ExportedTalkLine, NewTalkLine, TalkLine, TalkState};

/// Query parameters of a request for the chat messages of a match.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct TalkQuery {
    /// Number of the last chat message that the client has received.
    #[param(maximum = 1_000_000, required = false)]
    after: Option<u64>,
}

impl Checked for TalkQuery {
    fn fault(&self) -> Option<String> {
        too_large("after", self.after.unwrap_or_default(), LAST_SEQUENCE)
    }
}

/// Converts a chat message of a match to its JSON type.
pub(super) fn line(text: TalkText) -> TalkLine {
    let TalkText { number, player, text, at } = text;
    TalkLine { number, player: player.into(), text, at: rfc3339(at) }
}

/// Converts the chat messages of a person to their JSON type in the data export.
pub(super) fn exported(texts: Vec<(String, TalkText)>) -> Vec<ExportedTalkLine> {
    let shown = |(match_id, text)| ExportedTalkLine { match_id, line: line(text) };
    texts.into_iter().map(shown).collect()
}

fn shown(ReadTalk { is_writable, texts }: ReadTalk) -> Json<TalkState> {
    Json(TalkState { writable: is_writable, lines: texts.into_iter().map(line).collect() })
}

/// Returns the free-text chat messages of both players in a match
///
/// Only the two players of a match can read its chat messages. The messages of an opponent whom you have muted or blocked are left
/// out. The server keeps a chat message for 90 days, but only while the match exists and the sender keeps their seat. Live connections
/// with the message `attend` receive the chat messages as `talk`.
#[utoipa::path(get, path = "/matches/{id}/talk", operation_id = "read_talk", tag = "matches",
    params(("id" = String, Path, description = "Id of the match", max_length = 64), TalkQuery),
    responses(
        (status = 200, description = "The texts", body = TalkState),
        ApiError,
    ))]
pub(super) async fn read(
    State(talk): State<Arc<TalkService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
    Options(query): Options<TalkQuery>,
) -> Result<Json<TalkState>, ApiError> {
    Ok(shown(talk.read(&id, person, query.after.unwrap_or_default()).await?))
}

/// Sends a free-text chat message to your opponent in a match
///
/// Both players need accounts, and must have added one another to their favourites. A player may send ten chat
/// messages a minute.
#[utoipa::path(post, path = "/matches/{id}/talk", operation_id = "send_talk", tag = "matches", request_body = NewTalkLine,
    params(("id" = String, Path, description = "Id of the match", max_length = 64)),
    responses(
        (status = 200, description = "The texts after the given number, with the new one", body = TalkState),
        ApiError,
    ))]
pub(super) async fn send(
    State(talk): State<Arc<TalkService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
    Body(new): Body<NewTalkLine>,
) -> Result<Json<TalkState>, ApiError> {
    let NewTalkLine { text, client_id, after } = new;
    Ok(shown(talk.send(&id, person, (&text, client_id), after).await?))
}
