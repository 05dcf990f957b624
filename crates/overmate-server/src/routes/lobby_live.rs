//! Serves the live connections of the lobby, over which clients receive the open offers, and then each change of the offers.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes};
use axum::response::Response;
use tokio::sync::watch;

use super::connection::{Beat, Connection, Event, Gone, Opening};
use crate::error::ApiError;
use crate::services::{LobbyService, Offers};
use crate::wire::{LobbyMessage, OfferWire, OwnOffer};

/// Ping interval and silence timeout of a live connection of the lobby. The pongs of a client keep
/// the offers of the client's person open.
const BEAT: Beat = Beat { interval: Duration::from_secs(10), silence: Duration::from_secs(35) };

/// Number of pings between two checks that the browser still belongs to the person who opened the connection. A change of this person is
/// noticed within 20 seconds, before the offers of the new person end for lack of a sign of presence.
const PERSON_INTERVAL: u32 = 2;

/// Opens the WebSocket of the lobby
///
/// The server sends `LobbyMessage`s, and answers each message of the client with `pong`. While the connection is open, the offers of the
/// browser stay open. When the server stops, it closes the connection with code 1012, as it does for a match. If the browser gets another
/// identity, the server closes the connection with code 1013, and the browser should connect again.
#[utoipa::path(get, path = "/lobby/live", operation_id = "watch_offers", tag = "lobby",
    responses(
        (status = 101, description = "The connection becomes a WebSocket"),
        ApiError,
    ))]
pub(super) async fn connect(
    State(lobby): State<Arc<LobbyService>>,
    opening: Opening,
) -> Result<Response, ApiError> {
    // The subscription to changes of the offers begins before the list of offers is read. Otherwise a change between these two steps would
    // not reach the client.
    let changes = lobby.watch();
    let offers = lobby.offers().await?;
    opening.open(BEAT, move |connection| {
        let watcher = Watcher {
            connection,
            changes,
            lobby,
            sent: None,
            open: None,
            sent_own: None,
            sent_challenges: Vec::new(),
        };
        watcher.run(offers)
    })
}

/// State of one live connection of the lobby.
struct Watcher {
    connection: Connection,
    changes: watch::Receiver<Arc<Offers>>,
    lobby: Arc<LobbyService>,
    /// Last message with the open offers that was sent to the client; `None` before the first message.
    sent: Option<Utf8Bytes>,
    /// Ids of the connected person's open offers at the last read from the store; `None` if the offers must be read again.
    open: Option<Vec<String>>,
    /// Offers that the connected person has made, as last sent to the client; `None` before the first message with these offers.
    sent_own: Option<Vec<OwnOffer>>,
    /// Challenges to the connected person, as last sent to the client.
    sent_challenges: Vec<OfferWire>,
}

impl Watcher {
    async fn run(mut self, offers: Arc<Offers>) {
        let Err(gone) = self.serve(offers).await;
        self.connection.end(gone).await;
    }

    async fn serve(&mut self, offers: Arc<Offers>) -> Result<Infallible, Gone> {
        let mut beats = 0_u32;
        self.hear();
        self.show(&offers).await?;
        // The variable `offers` is dropped as soon as its list of offers has been sent to the client. Otherwise this list would stay in
        // memory as long as the connection is open.
        drop(offers);
        loop {
            tokio::select! {
                event = self.connection.next() => match event? {
                    Event::Message(message) => self.receive(&message).await?,
                    Event::Heartbeat => {
                        self.connection.ping().await?;
                        beats += 1;
                        if beats.is_multiple_of(PERSON_INTERVAL) {
                            self.connection.check_person().await?;
                            self.read_own_again().await?;
                        }
                    }
                },
                changed = self.changes.changed() => {
                    if changed.is_err() {
                        return Err(self.connection.stopping());
                    }
                    let offers = Arc::clone(&self.changes.borrow_and_update());
                    self.show(&offers).await?;
                }
            }
        }
    }

    /// Records a client's message as a sign of the person's presence, and answers a text message with a pong.
    async fn receive(&mut self, message: &Message) -> Result<(), Gone> {
        if let Err(error) = self.connection.count() {
            return self.connection.note_refused(&error);
        }
        self.hear();
        if matches!(message, Message::Text(_)) {
            // A web page does not see the WebSocket pings of the server. Therefore the page sends text messages of its own to check the
            // connection.
            self.connection.send_message(&LobbyMessage::Pong).await?;
        }
        Ok(())
    }

    fn hear(&self) {
        if let Some(person) = self.connection.person {
            self.lobby.hear(person);
        }
    }

    /// Rereads the person's own offers, but only if the client still shows at least one of these offers as open. This read is needed,
    /// because an offer that was made and accepted between two reads of the list of open offers never appears in this list.
    async fn read_own_again(&mut self) -> Result<(), Gone> {
        let is_open = |own: &OwnOffer| own.match_id.is_none();
        if !self.sent_own.as_ref().is_some_and(|own| own.iter().any(is_open)) {
            return Ok(());
        }
        self.open = None;
        let offers = Arc::clone(&self.changes.borrow());
        self.show(&offers).await
    }

    /// Sends the client each changed list: all open offers, the person's own offers, or the challenges to the person.
    async fn show(&mut self, offers: &Offers) -> Result<(), Gone> {
        let open = offers.open_of(self.connection.person);
        // The person's own offers are sent first, so that the page recognises them in the list of all offers. They are read from
        // the store only if one of the person's open offers has appeared or disappeared.
        if self.open.as_deref() != Some(open) {
            match self.lobby.own(self.connection.person).await {
                Ok(own) => {
                    self.open = Some(open.to_vec());
                    if self.sent_own.as_ref() != Some(&own) {
                        self.sent_own = Some(own.clone());
                        self.connection.send_message(&LobbyMessage::Own { own }).await?;
                    }
                }
                // If the person's own offers cannot be read, the error is only logged. The next change of the offers causes another
                // attempt.
                Err(error) => error.log(),
            }
        }
        let challenges = offers.challenges_to(self.connection.person);
        if self.sent_challenges != challenges {
            self.sent_challenges = challenges.to_vec();
            let challenges = challenges.to_vec();
            self.connection.send_message(&LobbyMessage::Challenges { challenges }).await?;
        }
        match offers.message_for(self.connection.person) {
            Ok(message) if self.sent.as_ref() != Some(&message) => {
                self.sent = Some(message.clone());
                self.connection.send_text(message).await
            }
            Ok(_) => Ok(()),
            // If the list of open offers cannot be serialised, the error is only logged. The next change of the offers causes another
            // attempt.
            Err(error) => {
                error.log();
                Ok(())
            }
        }
    }
}
