//! Starts test servers on real TCP ports, and opens live connections to the servers.

use std::net::SocketAddr;

use axum::http;
use futures_util::{SinkExt as _, StreamExt as _};
use overmate_server::serve;
use overmate_server::wire::{ClientMessage, MatchView, ServerMessage};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::support::{Browser, SOON, Table, client_id};

/// Server under test that listens on a TCP port.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) stop: oneshot::Sender<()>,
    pub(crate) ended: JoinHandle<()>,
}

pub(crate) async fn served(table: &Table) -> Served {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let until = async move {
        // The server also stops when the sender of the stop signal is dropped.
        let _ = stopped.await;
    };
    let ended = tokio::spawn(serve(listener, table.server.clone(), until));
    Served { address, stop, ended }
}

/// Client side of a live connection, with the id of the HTTP request that opened the connection.
pub(crate) struct Socket(pub(crate) WebSocketStream<MaybeTlsStream<TcpStream>>, pub(crate) String);

impl Socket {
    pub(crate) async fn open(served: &Served, browser: &Browser, path: &str) -> Self {
        Self::try_open(served, browser, path, None).await.expect("a connection")
    }

    /// Opens a live connection that receives the changes of the open offers in the lobby.
    pub(crate) async fn of_lobby(served: &Served, browser: &Browser) -> Self {
        Self::at(served, browser, "lobby/live", None).await.expect("a connection")
    }

    pub(crate) async fn try_open(
        served: &Served,
        browser: &Browser,
        path: &str,
        origin: Option<&str>,
    ) -> Result<Self, Error> {
        Self::at(served, browser, &format!("matches/{path}"), origin).await
    }

    async fn at(
        served: &Served,
        browser: &Browser,
        path: &str,
        origin: Option<&str>,
    ) -> Result<Self, Error> {
        let mut request = format!("ws://{}/api/v1/{path}", served.address).into_client_request()?;
        let headers = request.headers_mut();
        if let Some(cookie) = &browser.cookie {
            headers.insert("cookie", cookie.parse().unwrap());
        }
        if let Some(origin) = origin {
            headers.insert("origin", origin.parse().unwrap());
        }
        Self::connect(request).await
    }

    /// Opens a live connection for a program, which identifies itself by a bot token.
    pub(crate) async fn of_program(served: &Served, token: &str, path: &str) -> Self {
        let uri = format!("ws://{}/api/v1/{path}", served.address);
        let mut request = uri.into_client_request().unwrap();
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
        Self::connect(request).await.expect("a connection")
    }

    async fn connect(request: http::Request<()>) -> Result<Self, Error> {
        let (socket, response) = connect_async(request).await?;
        let id = response.headers()["x-request-id"].to_str().expect("a text").to_owned();
        Ok(Self(socket, id))
    }

    pub(crate) async fn say(&mut self, message: &ClientMessage) {
        let text = serde_json::to_string(message).unwrap();
        self.0.send(Message::text(text)).await.unwrap();
    }

    pub(crate) async fn next(&mut self) -> ServerMessage {
        serde_json::from_str(&self.text().await).unwrap()
    }

    /// Returns the next text message on the live connection.
    pub(crate) async fn text(&mut self) -> String {
        loop {
            let message = timeout(SOON, self.0.next()).await.expect("in time").expect("a message");
            match message.expect("a message") {
                Message::Text(text) => return text.to_string(),
                Message::Ping(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// Waits for the server's next ping. The WebSocket library answers the ping at the connection's next operation.
    pub(crate) async fn ping(&mut self) {
        let message = timeout(SOON, self.0.next()).await.expect("in time").expect("a message");
        assert!(matches!(message, Ok(Message::Ping(_))), "{message:?}");
    }

    /// Waits until the server closes the live connection, and returns the close code and reason.
    pub(crate) async fn closed(&mut self) -> (CloseCode, String) {
        loop {
            let message = timeout(SOON, self.0.next()).await.expect("before the next heartbeat");
            match message.expect("a message").expect("a message") {
                Message::Close(Some(frame)) => return (frame.code, frame.reason.to_string()),
                Message::Text(_) | Message::Ping(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    pub(crate) async fn hello(&mut self) -> MatchView {
        self.say(&ClientMessage::Hello { have: None }).await;
        match self.next().await {
            ServerMessage::State { state } => *state,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn act(&mut self, sequence: u64, action: &str) -> String {
        let client_id = client_id();
        let action = action.to_owned();
        self.say(&ClientMessage::Act { sequence, action, client_id: client_id.clone() }).await;
        client_id
    }
}
