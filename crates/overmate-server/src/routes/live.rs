//! Serves the live connections (`WebSockets`) that send the state of a match, and then each change of the match.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{Message, close_code};
use axum::response::Response;
use overmate_rules::ByPlayer;
use tokio::sync::watch;
use tokio::time::Instant;
use tower_http::request_id::RequestId;

use super::connection::{Beat, Connection, Event, Gone, Opening, closing};
use super::extract::{Options, PathParameter};
use super::matches::Watch;
use super::talk;
use crate::clock::rfc3339;
use crate::error::ApiError;
use crate::matches::match_state::{MatchState, Role};
use crate::notices::events::Reached;
use crate::presence::{Attending, Presence, RoomNotice};
use crate::services::{MatchService, check_may_talk, hides_texts};
use crate::show::matches::view;
use crate::store::TalkText;
use crate::wire::checks::Checked as _;
use crate::wire::{
    Act, ClientMessage, Phrase, PlayerPresence, PresenceKind, Problem, ServerMessage, TalkLine,
};

/// Ping interval and silence timeout of a match's live connection.
const BEAT: Beat = Beat { interval: Duration::from_secs(20), silence: Duration::from_secs(50) };

/// Opens the WebSocket of a match
///
/// The client sends `ClientMessage`s, beginning with `hello`; the server sends `ServerMessage`s. When the server stops, it closes
/// the connection with code 1012 and a reason that ends with `retry-after-ms=N`. The client should connect again after `N`
/// milliseconds; `N` differs between clients. If the server cannot answer a `hello` at the moment, it closes the connection with
/// code 1013, and the client should connect again. The server closes a connection with code 1008 after several unreadable
/// messages, a message that is too large, many frames that complete no message, or many messages beyond the rate limit.
#[utoipa::path(get, path = "/matches/{id}/live", operation_id = "connect", tag = "matches",
    params(("id" = String, Path, description = "Id of the match", max_length = 64), Watch),
    responses(
        (status = 101, description = "The connection becomes a WebSocket"),
        ApiError,
    ))]
pub(super) async fn connect(
    State(matches): State<Arc<MatchService>>,
    opening: Opening,
    PathParameter(id): PathParameter,
    Options(watch): Options<Watch>,
    request_id: Option<Extension<RequestId>>,
) -> Result<Response, ApiError> {
    let (_, role) = matches.read(&id, opening.person, watch.watch.as_deref()).await?;
    let request_id =
        request_id.and_then(|Extension(id)| Some(id.header_value().to_str().ok()?.into()));
    opening.open(BEAT, move |connection| {
        let live = Live {
            connection,
            matches,
            id: id.into(),
            watch: watch.watch,
            role,
            request_id,
            sent: None,
            attending: None,
            talk: None,
            heard: 0,
            unreadable: 0,
            pinged: None,
            lag: Duration::ZERO,
        };
        live.run()
    })
}

/// State of one live connection to a client.
struct Live {
    connection: Connection,
    matches: Arc<MatchService>,
    id: Box<str>,
    /// Spectator token, or `public` for a public match, with which the client opened the connection; `None` without such a token.
    watch: Option<String>,
    role: Role,
    /// Id of the HTTP request that opened the live connection. Problem responses contain this id.
    request_id: Option<Box<str>>,
    /// Last match state that was sent to the client: its sequence number, and the index of its current game. `None` before the first
    /// state.
    sent: Option<(u64, usize)>,
    /// Membership of the player's connection in the match's room (its channel for presence and chat phrases). The membership begins with
    /// the client's message `attend`; `None` before this message.
    attending: Option<Attending>,
    /// Receiver that is notified of each chat message that a player writes to the opponent. The receiver is created at the client's message
    /// `attend`; `None` before this message, and for a connection with a bot token.
    talk: Option<watch::Receiver<Reached>>,
    /// Number of the last chat message between the players that was sent to the client.
    heard: u64,
    /// Number of unreadable messages from the client.
    unreadable: u32,
    /// Time of the server's last ping to the client, or `None` after the client's pong.
    pinged: Option<Instant>,
    /// Round-trip time of the last ping.
    lag: Duration,
}

impl Live {
    async fn run(mut self) {
        let Err(gone) = self.serve().await;
        self.connection.end(gone).await;
    }

    async fn serve(&mut self) -> Result<Infallible, Gone> {
        let mut changes = self.matches.repository().subscribe(&self.id);
        let mut acts = self.connection.server.operator_acts.subscribe();
        let concerned = [self.connection.person, self.connection.browser()];
        loop {
            tokio::select! {
                event = self.connection.next() => match event? {
                    Event::Message(message) => self.receive(message).await?,
                    Event::Heartbeat => {
                        self.ping().await?;
                        // Each heartbeat reads the match again, because another process may have appended an entry to the match's log
                        // without a notice to this server.
                        self.read_again().await?;
                        self.send_talk().await?;
                    }
                },
                changed = changes.changed(), if self.sent.is_some() => {
                    if changed.is_err() {
                        changes = self.matches.repository().subscribe(&self.id);
                    }
                    let sequence = changes.borrow_and_update().sequence();
                    self.send_change(sequence).await?;
                }
                notice = next_notice(&mut self.attending) => self.send_notice(notice).await?,
                () = next_text(&mut self.talk) => self.send_talk().await?,
                () = acts.concerning(&self.id, concerned) => self.read_again().await?,
            }
        }
    }

    async fn receive(&mut self, message: Message) -> Result<(), Gone> {
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => {
                return Err(closing(
                    close_code::UNSUPPORTED,
                    "the message is not text: send JSON in text frames",
                ));
            }
            // The WebSocket library responds to each ping with a pong. Pings count against the rate limit, because such a response costs as
            // much as the response to a message.
            Message::Ping(_) | Message::Pong(_) => {
                if let Message::Pong(_) = message
                    && let Some(pinged) = self.pinged.take()
                {
                    self.lag = pinged.elapsed();
                }
                return match self.connection.count() {
                    Ok(()) => Ok(()),
                    Err(error) => self.connection.note_refused(&error),
                };
            }
            // No close frame reaches this function, because `Connection::next` ends the connection at a close frame.
            Message::Close(_) => return Ok(()),
        };
        let message = serde_json::from_str(&text);
        if let Err(error) = self.connection.count() {
            if let Ok(ClientMessage::Hello { .. }) = message {
                return self.refuse_hello(&error).await;
            }
            self.send_problem(None, &error).await?;
            return self.connection.note_refused(&error);
        }
        match message {
            Ok(ClientMessage::Hello { have }) => self.send_state(have).await,
            Ok(ClientMessage::Ping {}) => self.connection.send_message(&ServerMessage::Pong).await,
            Ok(ClientMessage::Attend { hidden }) => {
                if let Err(error) = self.attend(hidden).await {
                    return self.send_problem(None, &error).await;
                }
                self.send_talk().await
            }
            Ok(ClientMessage::Say { phrase }) => match self.say(phrase).await {
                Ok(()) => Ok(()),
                Err(error) => self.send_problem(None, &error).await,
            },
            Ok(ClientMessage::Act { sequence, action, client_id }) => {
                let act = Act { sequence, action, client_id: client_id.clone() };
                let result = match act.fault() {
                    Some(fault) => Err(ApiError::BadRequest(fault)),
                    None if self.role == Role::Spectator => Err(ApiError::NotAPlayer),
                    None => {
                        let lag = i64::try_from(self.lag.as_millis()).unwrap_or(i64::MAX);
                        self.matches.act(&self.id, self.connection.person, act, lag).await
                    }
                };
                match result {
                    Ok((state, _)) => {
                        let sequence = state.sequence();
                        self.connection
                            .send_message(&ServerMessage::Ack { client_id, sequence })
                            .await
                    }
                    Err(error) => self.send_problem(Some(client_id), &error).await,
                }
            }
            Err(error) => {
                let error = ApiError::bad_request(format!(
                    "the WebSocket message is not a ClientMessage of this interface: {error}"
                ));
                self.send_problem(None, &error).await?;
                self.unreadable += 1;
                if self.unreadable < self.connection.server.settings.limits.faulty_messages {
                    return Ok(());
                }
                Err(closing(
                    close_code::POLICY,
                    "too many messages were not readable: send only messages of this interface",
                ))
            }
        }
    }

    /// Adds the player's connection to the match's room, and records whether the page is in the foreground or background.
    /// Spectators have no presence, and neither have matches without a second person.
    async fn attend(&mut self, is_hidden: bool) -> Result<(), ApiError> {
        if let Some(attending) = &mut self.attending {
            attending.set_hidden(is_hidden);
        } else if let Role::Player(player) = self.role
            && self.matches.repository().load(&self.id).await?.is_between_people()
        {
            self.attending = Some(self.connection.server.rooms.enter(&self.id, player, is_hidden));
            if !self.connection.is_of_bot() {
                self.talk = Some(self.matches.repository().subscribe_talk(&self.id));
            }
        }
        Ok(())
    }

    /// Sends a chat phrase of the player to the match's room (its channel for presence and chat phrases).
    async fn say(&mut self, phrase: Phrase) -> Result<(), ApiError> {
        if self.connection.is_of_bot() {
            return Err(NO_PHRASES_OF_BOTS);
        }
        if let (Some(person), Some(_)) = (self.connection.person, &self.attending) {
            check_may_talk(self.matches.repository().store(), person).await?;
        }
        self.attending.as_ref().ok_or(NO_PHRASES)?.say(phrase)
    }

    /// Sends the client the players' chat messages that the client does not have yet. Only players receive chat messages.
    async fn send_talk(&mut self) -> Result<(), Gone> {
        if self.talk.is_none() || !matches!(self.role, Role::Player(_)) {
            return Ok(());
        }
        match self.matches.repository().store().talk(&self.id, self.heard).await {
            Ok(texts) => {
                let Some(last) = texts.last().map(|text| text.number) else { return Ok(()) };
                let role = self.role;
                let is_own = |text: &TalkText| role == Role::Player(text.player);
                // If the store does not answer, the next heartbeat reads the chat messages again.
                let is_muted = if texts.iter().all(is_own) {
                    false
                } else if let Some(is_muted) = self.is_muted().await {
                    is_muted
                } else {
                    return Ok(());
                };
                let texts = texts.into_iter().filter(|text| !is_muted || is_own(text));
                let lines: Vec<TalkLine> = texts.map(talk::line).collect();
                self.heard = last;
                if lines.is_empty() {
                    return Ok(());
                }
                self.connection.send_message(&ServerMessage::Talk { lines }).await
            }
            // A read error is only logged, because the next heartbeat reads the chat messages again.
            Err(error) => {
                ApiError::from(error).log();
                Ok(())
            }
        }
    }

    /// Sends the client a change of a player's presence, or a chat phrase. A connection with a bot token receives no phrases and no chat
    /// messages.
    async fn send_notice(&mut self, notice: RoomNotice) -> Result<(), Gone> {
        if let RoomNotice::Said(player, _) = notice
            && (self.connection.is_of_bot()
                || self.role != Role::Player(player) && self.is_muted().await.unwrap_or(true))
        {
            return Ok(());
        }
        let Some(attending) = &self.attending else { return Ok(()) };
        let message = match notice {
            RoomNotice::Presence => {
                let ByPlayer { a, b } = attending.players();
                ServerMessage::Presence { a: shown(a), b: shown(b) }
            }
            RoomNotice::Said(player, phrase) => {
                ServerMessage::Said { player: player.into(), phrase }
            }
        };
        self.connection.send_message(&message).await
    }

    /// Returns whether the opponent's chat phrases and texts are hidden from the connected player, or `None` if the match or the player's
    /// setting cannot be read.
    async fn is_muted(&mut self) -> Option<bool> {
        let Role::Player(player) = self.role else { return Some(true) };
        let repository = self.matches.repository();
        let muted = async {
            let state = repository.load(&self.id).await?;
            hides_texts(repository.store(), &state, player).await
        };
        muted.await.inspect_err(ApiError::log).ok()
    }

    /// Sends a ping to the client. The time until the client's pong is the lag of the connection.
    async fn ping(&mut self) -> Result<(), Gone> {
        self.pinged = Some(Instant::now());
        self.connection.ping().await
    }

    /// Sends the state of the match to the client. `have` is the sequence number of the client's
    /// state. Games that were already finished in this state are left out.
    async fn send_state(&mut self, have: Option<u64>) -> Result<(), Gone> {
        match self.matches.repository().load(&self.id).await {
            Ok(state) => {
                let state = self.seen(state).await?;
                self.note_sent(&state);
                let finished_from = have.map_or(0, |sequence| state.finished_at(sequence));
                let state = Box::new(view(&state, self.role, finished_from));
                let has_clocks = state.clocks.is_some();
                self.connection.send_message(&ServerMessage::State { state }).await?;
                // The match clocks compensate for the network lag of an action. A ping therefore measures the lag before the first action.
                if has_clocks { self.ping().await } else { Ok(()) }
            }
            Err(error) => self.refuse_hello(&error).await,
        }
    }

    /// Closes a live connection after a message `hello` that the server cannot answer. The client then reconnects. Without the initial
    /// state of the match, later changes mean nothing to the client.
    async fn refuse_hello(&mut self, error: &ApiError) -> Result<(), Gone> {
        self.send_problem(None, error).await?;
        Err(closing(close_code::AGAIN, "the message `hello` cannot be answered now: connect again"))
    }

    /// Reloads the match from the store, and sends the match state to the client if the state has changed. A browser that lost its seat is
    /// disconnected.
    async fn read_again(&mut self) -> Result<(), Gone> {
        self.connection.check_person().await?;
        if self.sent.is_some() {
            return self.send_change(u64::MAX).await;
        }
        match self.matches.repository().load(&self.id).await {
            Ok(state) => self.seen(state).await.map(drop),
            Err(ApiError::NotFound(_)) => Err(removed()),
            // A read error is only logged, because the server reads the match again at the next heartbeat of the live connection.
            Err(error) => {
                error.log();
                Ok(())
            }
        }
    }

    /// Sends the state of the match after a change in its log. `sequence` is the least sequence
    /// number of the state. A client that already has the state gets nothing.
    async fn send_change(&mut self, sequence: u64) -> Result<(), Gone> {
        let state = match self.matches.repository().load_since(&self.id, sequence).await {
            Ok(state) => state,
            Err(error) => {
                self.send_problem(None, &error).await?;
                if matches!(error, ApiError::NotFound(_)) {
                    return Err(removed());
                }
                return Ok(());
            }
        };
        let Some((sent, games)) = self.sent else { return Ok(()) };
        // The permission of a watcher may have ended without a change of the match.
        let state = self.seen(state).await?;
        let sequence = state.sequence();
        // A client that watches the match with a delay may already have the newest state that it is permitted to see.
        if sequence <= sent {
            return Ok(());
        }
        self.note_sent(&state);
        let state = Box::new(view(&state, self.role, games));
        self.connection.send_message(&ServerMessage::Changed { sequence, state }).await
    }

    /// Returns the given match state in the form that the browser may see, and updates the browser's role in the match. A browser that may
    /// no longer see the match is disconnected: one that has lost its seat and has no spectator token, or a watcher of a match that is no
    /// longer public.
    async fn seen(&mut self, state: Arc<MatchState>) -> Result<Arc<MatchState>, Gone> {
        match self.matches.seen(state, self.connection.person, self.watch.as_deref()).await {
            Ok((state, role)) => {
                // A player who has given up the seat becomes a spectator. Spectators neither send nor receive chat phrases and texts.
                if role != self.role {
                    (self.attending, self.talk) = (None, None);
                }
                self.role = role;
                Ok(state)
            }
            Err(ApiError::NotFound(_)) => {
                Err(closing(close_code::POLICY, "this browser may no longer see the match"))
            }
            Err(error) => {
                error.log();
                Err(closing(close_code::AGAIN, "the match cannot be read now: connect again"))
            }
        }
    }

    fn note_sent(&mut self, state: &MatchState) {
        self.sent = Some((state.sequence(), state.play().current_index()));
    }

    async fn send_problem(
        &mut self,
        client_id: Option<String>,
        error: &ApiError,
    ) -> Result<(), Gone> {
        error.log();
        let problem: Problem = error.problem(self.request_id.as_deref().map(str::to_owned));
        self.connection
            .send_message(&ServerMessage::Problem { client_id, problem: Box::new(problem) })
            .await
    }
}

/// Error for a chat phrase that is not sent by a player of a match between two people, or that is sent before the message `attend`.
const NO_PHRASES: ApiError = ApiError::NotAllowed(
    "only the two people of a match can send chat phrases: send the message `attend` first",
);

/// Error for a chat phrase that is sent with a bot token.
const NO_PHRASES_OF_BOTS: ApiError = ApiError::BotRefused(
    "a token allows only to play, and no chat phrases: send chat phrases from a browser",
);

/// Waits for the next change of a player's presence in the match, or for the next chat phrase of a player. If `attending` is `None`, the
/// future never ends.
async fn next_notice(attending: &mut Option<Attending>) -> RoomNotice {
    match attending {
        Some(attending) => attending.notice().await,
        None => std::future::pending().await,
    }
}

/// Waits for the next chat message between the players of the match. Without a receiver, the future never ends.
async fn next_text(talk: &mut Option<watch::Receiver<Reached>>) {
    if let Some(texts) = talk
        && texts.changed().await.is_ok()
    {
        return;
    }
    std::future::pending::<()>().await;
}

fn shown(presence: Presence) -> PlayerPresence {
    let (kind, since) = match presence {
        Presence::Here => (PresenceKind::Here, None),
        Presence::Away => (PresenceKind::Away, None),
        Presence::Gone(since) => (PresenceKind::Gone, since.map(rfc3339)),
    };
    PlayerPresence { kind, since }
}

/// Returns the close reason for the live connections of a removed match.
fn removed() -> Gone {
    closing(close_code::POLICY, "the match has been removed")
}
