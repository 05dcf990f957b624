//! Opens and closes live connections (`WebSockets`), limits their messages, and sends heartbeat pings.

use std::future::Future;
use std::time::Duration;

use axum::Extension;
use axum::extract::FromRequestParts;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::http::request::Parts;
use axum::response::Response;
use serde::Serialize;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};
use tracing::{Instrument as _, Span};

use super::state::RouterState;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::http::stream::ReadBytes;
use crate::identity::browser::Token;
use crate::limits::ConnectionPermit;
use crate::present::Connected;
use crate::random::random_seed;
use crate::store::Holder;

/// Size of a connection's read buffer, in bytes. The buffer is small, because many connections are idle.
const READ_BUFFER: usize = 1_024;

/// Maximum time for which the server reads from a live connection after the server's own close frame. Meanwhile, the client can receive the
/// frame.
const CLOSE_TIME: Duration = Duration::from_secs(1);

/// Maximum number of bytes that a client may send before a message is complete, as a multiple of
/// the maximum message size. Fragments and control frames need more bytes than the message itself.
const BYTES_PER_MESSAGE: usize = 16;

/// Maximum number of messages that the server reads from a live connection after the server's own close frame. A client that floods the
/// server may miss the frame.
const READ_AFTER_CLOSE: usize = 200;

/// Ping interval and silence timeout of one kind of live connection.
#[derive(Clone, Copy)]
pub(super) struct Beat {
    /// Interval between two pings from the server.
    pub(super) interval: Duration,
    /// Silence timeout: the time without a message or pong from the client after which the server closes the connection.
    pub(super) silence: Duration,
}

/// Request of a browser or a bot to open a live connection.
pub(super) struct Opening {
    server: RouterState,
    client: Client,
    /// Person who sends the request, or `None` if the request has no token.
    pub(super) person: Option<Holder>,
    token: Option<Token>,
    read: ReadBytes,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
}

impl FromRequestParts<RouterState> for Opening {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, server: &RouterState) -> Result<Self, ApiError> {
        let Ok(client) = Client::from_request_parts(parts, server).await;
        let token = parts.extensions.get::<Token>().cloned();
        let read = Option::<Extension<ReadBytes>>::from_request_parts(parts, server).await;
        let read = read.map_err(ApiError::internal)?;
        Ok(Self {
            server: server.clone(),
            client,
            person: token.as_ref().map(Token::holder),
            token,
            read: read.map(|Extension(read)| read).unwrap_or_default(),
            upgrade: WebSocketUpgrade::from_request_parts(parts, server).await,
        })
    }
}

impl Opening {
    /// Returns the response that upgrades the connection of the request to a `WebSocket`. After the upgrade, `serve` runs with the
    /// connection until the future ends.
    ///
    /// # Errors
    ///
    /// Fails if the request is not for a `WebSocket`, if the server stops, or if the client has too many connections.
    pub(super) fn open<F>(
        self,
        beat: Beat,
        serve: impl FnOnce(Connection) -> F + Send + 'static,
    ) -> Result<Response, ApiError>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let Self { server, client, person, token, read, upgrade } = self;
        let upgrade = upgrade.map_err(|rejection| ApiError::BadRequest(rejection.body_text()))?;
        if server.stop.is_cancelled() {
            return Err(ApiError::busy("the server is stopping"));
        }
        let permit = server.limiter.open_live(client)?;
        let is_of_bot = token.as_ref().is_some_and(Token::is_of_bot);
        let connected = (!is_of_bot).then(|| server.connected.enter(client, person));
        let message_bytes = server.settings.limits.message_bytes;
        let span = Span::current();
        Ok(upgrade
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(0)
            .max_message_size(message_bytes)
            .max_frame_size(message_bytes)
            .on_upgrade(move |socket| {
                let tasks = server.tasks.clone();
                let mut heartbeat = interval_at(Instant::now() + beat.interval, beat.interval);
                heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
                read.clear();
                let connection = Connection {
                    server,
                    client,
                    person,
                    token,
                    refused: 0,
                    read,
                    heartbeat,
                    silence: beat.silence,
                    heard: Instant::now(),
                    socket,
                    _permit: permit,
                    _connected: connected,
                };
                // The server's log messages about the connection carry the id of the request that opened the connection.
                tasks.track_future(serve(connection)).instrument(span)
            }))
    }
}

/// Open live connection to a client.
pub(super) struct Connection {
    pub(super) server: RouterState,
    client: Client,
    /// Person to whom the connection's token belonged when the connection was opened, or `None` without a token.
    pub(super) person: Option<Holder>,
    /// Token of the browser or the bot that opened the connection; `None` if the request had no valid token.
    token: Option<Token>,
    /// Number of messages refused by the rate limit since the last accepted message.
    refused: u32,
    /// Number of bytes that were read from the connection since the last complete message.
    read: ReadBytes,
    heartbeat: Interval,
    silence: Duration,
    /// Time of the last message or pong from the client.
    heard: Instant,
    socket: WebSocket,
    /// Permit that counts the connection against the connection limits of the client.
    _permit: ConnectionPermit,
    /// Guard that counts the person of the connection as connected until the guard is dropped; `None` for a bot token, because a program
    /// is no person who is here.
    _connected: Option<Connected>,
}

/// Event on a live connection: the arrival of a client's message, or the time for the next ping to the client.
pub(super) enum Event {
    /// The client sent a message.
    Message(Message),
    /// A ping to the client is due. The owner of the connection sends the ping, and may check its own state.
    Heartbeat,
}

/// Reason for the end of a live connection. With a close frame, the server closes the connection. Without a close frame, the client is
/// gone.
pub(super) struct Gone(Option<CloseFrame>);

impl Connection {
    /// Waits for the next event on the live connection. The wait can be cancelled without loss of an event.
    ///
    /// # Errors
    ///
    /// Fails if the client is gone or silent, if the client sends faulty messages or too many bytes without a complete message, or
    /// if the server stops.
    pub(super) async fn next(&mut self) -> Result<Event, Gone> {
        let most_bytes = BYTES_PER_MESSAGE * self.server.settings.limits.message_bytes;
        tokio::select! {
            () = self.server.stop.cancelled() => Err(self.stopping()),
            () = self.read.exceed(most_bytes) => {
                Err(closing(close_code::POLICY, "the connection sent too many bytes without a complete message: send smaller messages"))
            }
            message = self.socket.recv() => {
                self.heard = Instant::now();
                self.read.clear();
                match message {
                    Some(Ok(Message::Close(_))) | None => Err(Gone(None)),
                    Some(Ok(message)) => Ok(Event::Message(message)),
                    // An error of `recv` means that the message is faulty or that the connection is broken. The close frame reaches the
                    // client only after a faulty message.
                    Some(Err(error)) => {
                        tracing::debug!(%error, "a live connection failed");
                        Err(closing(close_code::POLICY, "the message is too large or malformed: send a smaller, valid message"))
                    }
                }
            }
            _ = self.heartbeat.tick() => {
                if self.heard.elapsed() > self.silence {
                    return Err(closing(close_code::POLICY, "the client has not answered pings: connect again"));
                }
                Ok(Event::Heartbeat)
            }
        }
    }

    /// Counts a client's message against the client's rate limit.
    ///
    /// # Errors
    ///
    /// Fails if the limit refuses the message. The owner then calls [`note_refused`](Self::note_refused).
    pub(super) fn count(&mut self) -> Result<(), ApiError> {
        self.server.limiter.count(self.client, false)?;
        self.refused = 0;
        Ok(())
    }

    /// Counts a client's message that the rate limit refused.
    ///
    /// # Errors
    ///
    /// Fails after several refused messages in a row, so that the connection ends.
    pub(super) fn note_refused(&mut self, error: &ApiError) -> Result<(), Gone> {
        tracing::debug!(%error, "a message of a live connection is refused");
        self.refused += 1;
        if self.refused < self.server.settings.limits.faulty_messages {
            return Ok(());
        }
        Err(closing(close_code::POLICY, "too many messages: send fewer messages each second"))
    }

    /// Returns the hash that identifies the browser of the connection. For a bot, this is the identity of the bot's person. Without
    /// a token, the result is `None`.
    pub(super) fn browser(&self) -> Option<Holder> {
        self.token.as_ref().map(Token::browser)
    }

    /// Returns whether a program opened the connection with a bot token.
    pub(super) fn is_of_bot(&self) -> bool {
        self.token.as_ref().is_some_and(Token::is_of_bot)
    }

    /// Checks that the connection's token still belongs to the person who opened the connection.
    ///
    /// # Errors
    ///
    /// Fails for a browser that joined another person or was signed out. The client then connects again with its new identity.
    /// Fails for a bot whose token was removed or whose account is closed.
    pub(super) async fn check_person(&mut self) -> Result<(), Gone> {
        let Some(token) = &self.token else { return Ok(()) };
        match self.server.identities.current_holder(token).await {
            Ok(person) if person == self.person => Ok(()),
            Ok(_) if token.is_of_bot() => Err(closing(
                close_code::POLICY,
                "the token is not valid any more: connect again with another token",
            )),
            Ok(_) => Err(closing(
                close_code::AGAIN,
                "the browser has another identity now: connect again",
            )),
            // An error while the server reads the person is only logged, because the server checks the person again later.
            Err(error) => {
                error.log();
                Ok(())
            }
        }
    }

    /// Sends a ping to the client. The client's pong shows that the client is still connected.
    pub(super) async fn ping(&mut self) -> Result<(), Gone> {
        self.send(Message::Ping(axum::body::Bytes::new())).await
    }

    /// Sends a message to the client as JSON.
    pub(super) async fn send_message(&mut self, message: &impl Serialize) -> Result<(), Gone> {
        let text = serde_json::to_string(message).map_err(|_| {
            closing(close_code::ERROR, "the server cannot write a message as JSON: connect again")
        })?;
        self.send_text(text.into()).await
    }

    /// Sends the client a message that is already serialised as JSON.
    pub(super) async fn send_text(&mut self, text: Utf8Bytes) -> Result<(), Gone> {
        self.send(Message::Text(text)).await
    }

    async fn send(&mut self, message: Message) -> Result<(), Gone> {
        let sent = timeout(self.server.settings.limits.write_time, self.socket.send(message));
        tokio::select! {
            biased;
            sent = sent => match sent {
                Ok(Ok(())) => Ok(()),
                Ok(Err(_)) | Err(_) => Err(Gone(None)),
            },
            // The stop of the server cancels a send to a client that reads nothing.
            () = self.server.stop.cancelled() => Err(self.stopping()),
        }
    }

    /// Returns the close reason of a live connection at server shutdown. The reason holds a random time in milliseconds, after which the
    /// client should connect again. The different times spread the clients of a restarted server.
    pub(super) fn stopping(&self) -> Gone {
        let window = self.server.return_window.get().copied().unwrap_or_default().max(1);
        // If the random generator fails, the close reason tells the client to connect again without a delay.
        let wait = random_seed().unwrap_or_default() % window;
        let reason = format!("the server is stopping: connect again; retry-after-ms={wait}");
        Gone(Some(CloseFrame { code: close_code::RESTART, reason: Utf8Bytes::from(reason) }))
    }

    /// Closes the live connection. If the reason has a frame, the server sends the frame, and reads on for a short time, so that the client
    /// receives the frame.
    pub(super) async fn end(mut self, Gone(frame): Gone) {
        let Some(frame) = frame else { return };
        let code = frame.code.to_string();
        metrics::counter!("overmate_closed_connections_total", "code" => code).increment(1);
        let close = async {
            self.socket.send(Message::Close(Some(frame))).await?;
            // After the close frame, the server reads the client's remaining data. With unread data, the operating system would reset the
            // connection and drop the close frame.
            self.read.clear();
            for _ in 0..READ_AFTER_CLOSE {
                let Some(Ok(_)) = self.socket.recv().await else { break };
            }
            Ok::<(), axum::Error>(())
        };
        let most_bytes = READ_AFTER_CLOSE * self.server.settings.limits.message_bytes;
        // An error while the server closes the connection is ignored, because the client may be gone.
        tokio::select! {
            _ = timeout(CLOSE_TIME, close) => {}
            () = self.read.exceed(most_bytes) => {}
        }
    }
}

/// Returns the close reason of a live connection, with a close code and a text for the client.
pub(super) fn closing(code: u16, reason: &'static str) -> Gone {
    Gone(Some(CloseFrame { code, reason: Utf8Bytes::from_static(reason) }))
}
