//! Implements a minimal HTTP and WebSocket client for the load test.

use std::error::Error;

use futures_util::{SinkExt as _, StreamExt as _};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::{Bytes, Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

pub(crate) type Fault = Box<dyn Error + Send + Sync>;

/// HTTP client of the load test, with its identity cookie. The cookie is `None` until the server issues one.
#[derive(Clone, Default)]
pub(crate) struct Browser {
    cookie: Option<String>,
    /// Value of the header `X-Forwarded-For`, from which a server behind a proxy takes the client's address.
    forwarded: String,
}

impl Browser {
    /// Returns an HTTP client that has no cookie, and sends a given value in the header `X-Forwarded-For`. A reverse proxy would send the
    /// client's address in this header.
    pub(crate) fn at(forwarded: impl Into<String>) -> Self {
        Self { cookie: None, forwarded: forwarded.into() }
    }

    /// Sends a POST request with a JSON body, and stores the cookie that the response sets.
    pub(crate) async fn post(
        &mut self,
        address: &str,
        path: &str,
        body: &Value,
    ) -> Result<Value, Fault> {
        self.send(address, "POST", path, &body.to_string()).await
    }

    /// Sends a GET request, and stores the cookie that the response sets.
    pub(crate) async fn get(&mut self, address: &str, path: &str) -> Result<Value, Fault> {
        self.send(address, "GET", path, "").await
    }

    /// Sends an HTTP request on a new TCP connection, and returns the JSON body of the response. A response with a status other
    /// than 2xx is an error. For a response without a body, the result is null.
    async fn send(
        &mut self,
        address: &str,
        method: &str,
        path: &str,
        body: &str,
    ) -> Result<Value, Fault> {
        let mut stream = TcpStream::connect(address).await?;
        let (cookie, forwarded) = (self.cookie.as_deref().unwrap_or_default(), &self.forwarded);
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nCookie: {cookie}\r\nConnection: close\r\n\
             X-Forwarded-For: {forwarded}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).await?;
        let mut text = String::new();
        stream.read_to_string(&mut text).await?;
        let (head, body) = text
            .split_once("\r\n\r\n")
            .ok_or("the answer of the server has no blank line after its headers")?;
        if !head.starts_with("HTTP/1.1 2") {
            return Err(body.into());
        }
        let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: "));
        if let Some(cookie) = cookie.and_then(|cookie| cookie.split(';').next()) {
            self.cookie = Some(cookie.to_owned());
        }
        if body.is_empty() {
            return Ok(Value::Null);
        }
        Ok(serde_json::from_str(body)?)
    }
}

/// Client side of a live connection: a WebSocket with the updates of one match, or of the lobby.
pub(crate) struct Live {
    socket: WebSocketStream<TcpStream>,
    /// Whether the client has sent the first fragment of an unfinished WebSocket message.
    is_in_message: bool,
}

/// WebSocket message from the server, reduced to the fields that the load test needs.
#[derive(Debug, Deserialize)]
pub(crate) struct Heard {
    pub(crate) t: String,
    pub(crate) state: Option<State>,
}

/// State of a match, reduced to the fields that the load test needs.
#[derive(Debug, Deserialize)]
pub(crate) struct State {
    pub(crate) sequence: u64,
    pub(crate) current: Game,
    pub(crate) result: Option<Value>,
}

/// Current game of a match, reduced to the fields that the load test needs.
#[derive(Debug, Deserialize)]
pub(crate) struct Game {
    pub(crate) index: usize,
    /// Actions of the current game so far.
    pub(crate) steps: Vec<IgnoredAny>,
    pub(crate) legal: Vec<Legal>,
}

impl State {
    /// Returns whether a player has taken an action between an earlier state of the match and this state. A server that
    /// credits time to a clock makes a new state without an action.
    pub(crate) fn has_acted_since(&self, before: &Self) -> bool {
        let place = |state: &Self| (state.current.index, state.current.steps.len());
        place(self) != place(before) || self.result.is_some()
    }
}

/// Legal action in the current game, reduced to the fields that the load test needs.
#[derive(Debug, Deserialize)]
pub(crate) struct Legal {
    pub(crate) action: String,
}

impl Live {
    /// Opens a live connection to a match, and sends the message `hello`.
    pub(crate) async fn open(address: &str, browser: &Browser, path: &str) -> Result<Self, Fault> {
        let mut live = Self::connect(address, browser, &format!("matches/{path}")).await?;
        live.say(&json!({"t": "hello"})).await?;
        Ok(live)
    }

    /// Opens the WebSocket at a URL path of the server's HTTP interface.
    pub(crate) async fn connect(
        address: &str,
        browser: &Browser,
        path: &str,
    ) -> Result<Self, Fault> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let url = format!("ws://{address}/api/v1/{path}");
        let mut request = url.into_client_request()?;
        if let Some(cookie) = &browser.cookie {
            request.headers_mut().insert("cookie", cookie.parse()?);
        }
        request.headers_mut().insert("x-forwarded-for", browser.forwarded.parse()?);
        // The buffers are small, because thousands of connections are open at once.
        let config = WebSocketConfig::default().read_buffer_size(4_096).write_buffer_size(0);
        let (socket, _) = client_async_with_config(request, stream, Some(config)).await?;
        Ok(Self { socket, is_in_message: false })
    }

    pub(crate) async fn say(&mut self, message: &Value) -> Result<(), Fault> {
        self.send(&message.to_string()).await
    }

    /// Sends a text message over the live connection.
    pub(crate) async fn send(&mut self, text: &str) -> Result<(), Fault> {
        Ok(self.socket.send(Message::text(text)).await?)
    }

    /// Sends an empty fragment of a WebSocket message over the live connection. The message never ends.
    pub(crate) async fn send_fragment(&mut self) -> Result<(), Fault> {
        let code = if self.is_in_message { Data::Continue } else { Data::Text };
        self.is_in_message = true;
        let fragment = Frame::message(Bytes::new(), OpCode::Data(code), false);
        Ok(self.socket.send(Message::Frame(fragment)).await?)
    }

    /// Returns the next message that the server sends on the live connection to a match.
    pub(crate) async fn hear(&mut self) -> Result<Heard, Fault> {
        Ok(serde_json::from_str(&self.hear_text().await?)?)
    }

    /// Returns the text of the next message that the server sends on the live connection.
    pub(crate) async fn hear_text(&mut self) -> Result<Utf8Bytes, Fault> {
        loop {
            match self
                .socket
                .next()
                .await
                .ok_or("the live connection to the server has ended")??
            {
                Message::Text(text) => return Ok(text),
                Message::Close(_) => return Err("the server has closed the live connection".into()),
                _ => {}
            }
        }
    }
}
