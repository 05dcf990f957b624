//! Serves live connections of the lobby, which are `WebSockets` that send the open offers and then every change.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};
use tracing::{Instrument as _, Span};

use super::live::{BYTES_PER_MESSAGE, Gone, READ_BUFFER, close, closing, stopping};
use crate::client::Client;
use crate::error::ApiError;
use crate::identity::{Identity, OwnBrowser};
use crate::limits::ConnectionPermit;
use crate::server::Server;
use crate::services::{LobbyService, Offers};
use crate::store::Holder;
use crate::stream::ReadBytes;
use crate::wire::{LobbyMessage, OwnOffer};

/// Time between two pings that the server sends, whose pongs are the signs that keep the offers of a maker open.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// Time without any message or pong of the client after which the server closes the connection.
const SILENCE: Duration = Duration::from_secs(35);

/// Number of heartbeats between two looks whether the browser still belongs to the same person.
/// A new person is found within 20 seconds, before the offers of the browser end without a sign of this person.
const PERSON_INTERVAL: u32 = 2;

/// Opens the WebSocket of the lobby
///
/// The server sends `LobbyMessage`s; the client sends nothing, or messages without meaning, each of which has the answer `pong`. While the connection is open, the offers of the browser stay open. A graceful
/// stop of the server closes the connection with code 1012, as that of a match. A browser that gets another identity is closed with code 1013: it connects
/// again.
#[utoipa::path(get, path = "/lobby/live", operation_id = "watch_offers", tag = "lobby",
    responses(
        (status = 101, description = "The connection becomes a WebSocket"),
        ApiError,
    ))]
pub(super) async fn connect(
    State(server): State<Server>,
    State(lobby): State<Arc<LobbyService>>,
    client: Client,
    Identity(person): Identity,
    OwnBrowser(browser): OwnBrowser,
    read: Option<Extension<ReadBytes>>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let upgrade = upgrade.map_err(|rejection| ApiError::BadRequest(rejection.body_text()))?;
    if server.stop.is_cancelled() {
        return Err(ApiError::busy("the server is stopping"));
    }
    let permit = server.limiter.open_live(client)?;
    // A change after the read of the list reaches the watcher only if the watch began before.
    let changes = lobby.watch();
    let offers = lobby.offers().await?;
    let message_bytes = server.settings.limits.message_bytes;
    let span = Span::current();
    Ok(upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .max_message_size(message_bytes)
        .max_frame_size(message_bytes)
        .on_upgrade(move |socket| {
            let tasks = server.tasks.clone();
            let watcher = Watcher {
                changes,
                server,
                lobby,
                client,
                person,
                browser,
                sent: None,
                sent_own: None,
                refused: 0,
                read: read.map(|Extension(read)| read).unwrap_or_default(),
                socket,
            };
            tasks.track_future(watcher.run(offers, permit)).instrument(span)
        }))
}

/// State of one live connection of the lobby.
struct Watcher {
    changes: watch::Receiver<Arc<Offers>>,
    server: Server,
    lobby: Arc<LobbyService>,
    client: Client,
    person: Option<Holder>,
    browser: Option<Holder>,
    /// Last sent message with the open offers.
    sent: Option<Utf8Bytes>,
    /// Last sent offers of the person.
    sent_own: Option<Vec<OwnOffer>>,
    /// Number of messages refused by the rate limit since the last accepted message.
    refused: u32,
    /// Number of bytes that the connection has read since the last message.
    read: ReadBytes,
    socket: WebSocket,
}

impl Watcher {
    async fn run(mut self, offers: Arc<Offers>, _permit: ConnectionPermit) {
        if let Err(Gone(Some(frame))) = self.serve(offers).await {
            let most_bytes = self.server.settings.limits.message_bytes;
            close(&mut self.socket, frame, &self.read, most_bytes).await;
        }
    }

    async fn serve(&mut self, offers: Arc<Offers>) -> Result<(), Gone> {
        let mut heartbeat = interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard = Instant::now();
        let mut beats = 0_u32;
        let stop = self.server.stop.clone();
        let most_bytes = BYTES_PER_MESSAGE * self.server.settings.limits.message_bytes;
        self.read.clear();
        self.hear();
        self.show(&offers).await?;
        loop {
            tokio::select! {
                () = stop.cancelled() => return Err(stopping(&self.server)),
                () = self.read.exceed(most_bytes) => {
                    return Err(closing(close_code::POLICY, "too many frames without a message"));
                }
                message = self.socket.recv() => {
                    heard = Instant::now();
                    self.read.clear();
                    match message {
                        Some(Ok(Message::Close(_))) | None => return Err(Gone(None)),
                        Some(Ok(message)) => self.receive(&message).await?,
                        Some(Err(error)) => {
                            tracing::debug!(%error, "a live connection of the lobby failed");
                            return Err(closing(close_code::POLICY, "the message is too large or malformed"));
                        }
                    }
                }
                changed = self.changes.changed() => {
                    if changed.is_err() {
                        return Err(stopping(&self.server));
                    }
                    let offers = Arc::clone(&self.changes.borrow_and_update());
                    self.show(&offers).await?;
                }
                _ = heartbeat.tick() => {
                    if heard.elapsed() > SILENCE {
                        return Err(closing(close_code::POLICY, "no answer to pings"));
                    }
                    self.send(Message::Ping(axum::body::Bytes::new())).await?;
                    beats += 1;
                    if beats.is_multiple_of(PERSON_INTERVAL) {
                        self.check_person().await?;
                    }
                }
            }
        }
    }

    /// Counts a message of the client, which is a sign of the person.
    async fn receive(&mut self, message: &Message) -> Result<(), Gone> {
        if self.server.limiter.count(self.client).is_ok() {
            self.refused = 0;
            self.hear();
            if matches!(message, Message::Text(_)) {
                // A page does not see the pings of the server, so that it asks itself whether the connection works.
                let pong = serde_json::to_string(&LobbyMessage::Pong);
                let pong = pong.map_err(|_| closing(close_code::ERROR, "the server failed"))?;
                self.send(Message::Text(pong.into())).await?;
            }
            return Ok(());
        }
        self.refused += 1;
        if self.refused < self.server.settings.limits.faulty_messages {
            return Ok(());
        }
        Err(closing(close_code::POLICY, "too many messages: send fewer a second"))
    }

    fn hear(&self) {
        if let Some(person) = self.person {
            self.lobby.hear(person);
        }
    }

    /// Sends the open offers and those of the person, unless the client has them.
    async fn show(&mut self, offers: &Offers) -> Result<(), Gone> {
        let own = offers.own(self.person);
        // The own offers come first, so that the page knows them in the list.
        if self.sent_own.as_deref() != Some(own) {
            self.sent_own = Some(own.to_vec());
            let message = serde_json::to_string(&LobbyMessage::Own { own: own.to_vec() });
            let message = message.map_err(|_| closing(close_code::ERROR, "the server failed"))?;
            self.send(Message::Text(message.into())).await?;
        }
        if self.sent.as_ref() != Some(&offers.message) {
            self.sent = Some(offers.message.clone());
            self.send(Message::Text(offers.message.clone())).await?;
        }
        Ok(())
    }

    /// Closes the connection of a browser that has got another person or was signed out.
    async fn check_person(&mut self) -> Result<(), Gone> {
        let Some(browser) = self.browser else { return Ok(()) };
        match self.server.identities.person_of(browser).await {
            Ok(person) if person == self.person => Ok(()),
            Ok(_) => Err(closing(close_code::AGAIN, "the browser has another identity now")),
            // A later heartbeat asks again.
            Err(error) => {
                error.log();
                Ok(())
            }
        }
    }

    async fn send(&mut self, message: Message) -> Result<(), Gone> {
        let sent = timeout(self.server.settings.limits.write_time, self.socket.send(message));
        tokio::select! {
            biased;
            sent = sent => sent.ok().and_then(Result::ok).ok_or(Gone(None)),
            // The stop of the server cancels a send to a client that does not read.
            () = self.server.stop.cancelled() => Err(stopping(&self.server)),
        }
    }
}
