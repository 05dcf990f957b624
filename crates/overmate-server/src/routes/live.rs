//! The live connection of a match: its state at first, then every change.

#![allow(unused_qualifications, reason = "what utoipa generates qualifies names that are in scope")]

use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};
use tower_http::request_id::RequestId;
use tracing::{Instrument as _, Span};

use super::extract::{Options, Part};
use super::matches::Watch;
use crate::contest::{Contest, Role};
use crate::error::ApiError;
use crate::identity::Identity;
use crate::limits::{Client, Costly, Place};
use crate::server::Server;
use crate::show::matches::state;
use crate::wire::checks::Checked as _;
use crate::wire::{Act, ClientMessage, Problem, ServerMessage};

/// How often the server asks whether somebody is there.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// After how long without a sign of life a connection is given up.
const SILENCE: Duration = Duration::from_secs(50);

/// How long a message may take to leave.
const SEND_TIME: Duration = Duration::from_secs(20);

/// Buffers of a connection: most of the time it is idle, and there are many.
const READ_BUFFER: usize = 1_024;

/// A WebSocket of a match
///
/// The client sends `ClientMessage`s, `hello` first; the server sends `ServerMessage`s. At a graceful stop of the server it
/// is closed with code 1012, after a `hello` that cannot be answered now with 1013: connect again.
#[utoipa::path(get, path = "/matches/{id}/live", operation_id = "connect", tag = "matches",
    params(("id" = String, Path, description = "The match", max_length = 64), Watch),
    responses(
        (status = 101, description = "The connection is a WebSocket now"),
        (status = "4XX", description = "Not possible", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The server failed", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn connect(
    State(server): State<Server>,
    client: Client,
    Identity(holder): Identity,
    Part(id): Part,
    Options(watch): Options<Watch>,
    request_id: Option<Extension<RequestId>>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let (_, role) = server.seen_by(&id, holder, watch.watch.as_deref()).await?;
    let upgrade = upgrade.map_err(|rejection| ApiError::BadRequest(rejection.body_text()))?;
    if server.stop.is_cancelled() {
        return Err(ApiError::Busy);
    }
    let place = server.limiter.connect(client)?;
    let message_bytes = server.settings.limits.message_bytes;
    let span = Span::current();
    let request_id =
        request_id.and_then(|Extension(id)| Some(id.header_value().to_str().ok()?.into()));
    Ok(upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .max_message_size(message_bytes)
        .max_frame_size(message_bytes)
        .on_upgrade(move |socket| {
            let tasks = server.tasks.clone();
            let live = Live { server, client, id: id.into(), role, request_id, sent: None, socket };
            // What happens on the connection is logged under the request that opened it.
            tasks.track_future(live.run(place)).instrument(span)
        }))
}

/// A live connection.
struct Live {
    server: Server,
    client: Client,
    id: Box<str>,
    role: Role,
    /// Of the request that opened it: problems name it.
    request_id: Option<Box<str>>,
    /// The last sequence that was sent, and how many finished games the client has. `None` before the first state.
    sent: Option<(u64, usize)>,
    socket: WebSocket,
}

/// The other side is gone, or is to go.
struct Gone(Option<CloseFrame>);

impl Live {
    async fn run(mut self, _place: Place) {
        if let Err(Gone(Some(frame))) = self.serve().await {
            // Whoever is gone already misses it.
            let _ = timeout(Duration::from_secs(1), self.socket.send(Message::Close(Some(frame))))
                .await;
        }
    }

    async fn serve(&mut self) -> Result<(), Gone> {
        let mut changes = self.server.events.subscribe(&self.id);
        let mut heartbeat = interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard = Instant::now();
        let stop = self.server.stop.clone();
        loop {
            tokio::select! {
                () = stop.cancelled() => {
                    return Err(stopping());
                }
                message = self.socket.recv() => {
                    heard = Instant::now();
                    match message {
                        Some(Ok(message)) => self.take(message).await?,
                        Some(Err(_)) | None => return Err(Gone(None)),
                    }
                }
                changed = changes.changed(), if self.sent.is_some() => {
                    if changed.is_err() {
                        changes = self.server.events.subscribe(&self.id);
                    }
                    let sequence = *changes.borrow_and_update();
                    self.tell_change(sequence).await?;
                }
                _ = heartbeat.tick() => {
                    if heard.elapsed() > SILENCE {
                        return Err(closing(close_code::POLICY, "no sign of life"));
                    }
                    self.send(Message::Ping(axum::body::Bytes::new())).await?;
                    // Another process may have acted, or a hint been lost.
                    if self.sent.is_some() {
                        self.tell_change(u64::MAX).await?;
                    }
                }
            }
        }
    }

    async fn take(&mut self, message: Message) -> Result<(), Gone> {
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => {
                return Err(closing(close_code::UNSUPPORTED, "messages are text"));
            }
            // Answered by the library; that somebody is there has been noted.
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Close(_) => return Err(Gone(None)),
        };
        let message = serde_json::from_str(&text);
        if let Err(error) = self.server.limiter.count(self.client, Costly::Request) {
            return match message {
                Ok(ClientMessage::Hello { .. }) => self.refuse_hello(&error).await,
                _ => self.tell_problem(None, &error).await,
            };
        }
        match message {
            Ok(ClientMessage::Hello { have }) => self.tell_state(have).await,
            Ok(ClientMessage::Ping) => self.tell(&ServerMessage::Pong).await,
            Ok(ClientMessage::Act { sequence, action, client_id }) => {
                let act = Act { sequence, action, client_id: client_id.clone() };
                let result = match act.fault() {
                    Some(fault) => Err(ApiError::BadRequest(fault)),
                    None => self.server.act(&self.id, self.role, act).await,
                };
                match result {
                    Ok(contest) => {
                        let sequence = contest.sequence();
                        self.tell(&ServerMessage::Ack { client_id, sequence }).await
                    }
                    Err(error) => self.tell_problem(Some(client_id), &error).await,
                }
            }
            Err(error) => {
                let error = ApiError::bad_request(format!("the message is none of these: {error}"));
                self.tell_problem(None, &error).await
            }
        }
    }

    /// Tells of the match, without the finished games that the client has by the sequence that it names.
    async fn tell_state(&mut self, have: Option<u64>) -> Result<(), Gone> {
        match self.server.contest(&self.id).await {
            Ok(contest) => {
                self.note_sent(&contest);
                let finished_from = have.map_or(0, |sequence| contest.finished_at(sequence));
                let state = Box::new(state(&contest, self.role, finished_from));
                self.tell(&ServerMessage::State { state }).await
            }
            Err(error) => self.refuse_hello(&error).await,
        }
    }

    /// Without a first state nothing would ever be told: the connection ends, so that the client comes back.
    async fn refuse_hello(&mut self, error: &ApiError) -> Result<(), Gone> {
        self.tell_problem(None, error).await?;
        Err(closing(close_code::AGAIN, "the hello could not be answered: connect again"))
    }

    /// Tells of the match at this sequence or later, if that is new to the client.
    async fn tell_change(&mut self, sequence: u64) -> Result<(), Gone> {
        let contest = match self.server.contest_since(&self.id, sequence).await {
            Ok(contest) => contest,
            Err(error) => return self.tell_problem(None, &error).await,
        };
        let Some((sent, games)) = self.sent else { return Ok(()) };
        if contest.sequence() <= sent {
            return Ok(());
        }
        self.note_sent(&contest);
        let state = Box::new(state(&contest, self.role, games));
        self.tell(&ServerMessage::Changed { sequence: contest.sequence(), state }).await
    }

    fn note_sent(&mut self, contest: &Contest) {
        self.sent = Some((contest.sequence(), contest.play().current_index()));
    }

    async fn tell_problem(
        &mut self,
        client_id: Option<String>,
        error: &ApiError,
    ) -> Result<(), Gone> {
        error.log();
        let problem: Problem = error.problem(self.request_id.as_deref().map(str::to_owned));
        self.tell(&ServerMessage::Problem { client_id, problem: Box::new(problem) }).await
    }

    async fn tell(&mut self, message: &ServerMessage) -> Result<(), Gone> {
        let text = serde_json::to_string(message)
            .map_err(|_| closing(close_code::ERROR, "the server failed"))?;
        self.send(Message::Text(Utf8Bytes::from(text))).await
    }

    async fn send(&mut self, message: Message) -> Result<(), Gone> {
        let sent = timeout(SEND_TIME, self.socket.send(message));
        tokio::select! {
            biased;
            sent = sent => match sent {
                Ok(Ok(())) => Ok(()),
                Ok(Err(_)) | Err(_) => Err(Gone(None)),
            },
            // A stop does not wait for who does not listen.
            () = self.server.stop.cancelled() => Err(stopping()),
        }
    }
}

fn stopping() -> Gone {
    closing(close_code::RESTART, "the server stops: connect again")
}

fn closing(code: u16, reason: &'static str) -> Gone {
    Gone(Some(CloseFrame { code, reason: Utf8Bytes::from_static(reason) }))
}
