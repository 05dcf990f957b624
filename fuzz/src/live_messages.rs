//! Fuzzes an in-memory server with the messages of a live connection (WebSocket). Each answer must be readable, the server must not fail,
//! and each acknowledged action must stand in the match log.

use std::cell::OnceCell;
use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, header};
use futures_util::{SinkExt as _, StreamExt as _};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use overmate_server::wire::{MatchView, ServerMessage};
use overmate_server::{Limits, Server, Settings, app};
use tempfile::TempDir;
use tokio::io::duplex;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tower::ServiceExt as _;

/// Request body that creates a match in which one client plays both seats. The client may therefore take every legal action.
const NEW: &str =
    r#"{"rules": "bga", "opponent": {"kind": "both"}, "lead": "me", "deal": "20010"}"#;

/// First byte that marks a line of the fuzz input as a binary message.
const BINARY: u8 = 1;

/// First byte that marks a line of the fuzz input as a ping.
const PING: u8 = 2;

/// WebSocket close code of an internal server error.
const FAILURE: u16 = 1011;

/// Timeout for all responses to one fuzz input. A slower server counts as hanging.
const LIMIT: Duration = Duration::from_secs(8);

/// Buffer size of the in-memory connection, in bytes for each direction.
const BUFFER: usize = 64 * 1_024;

/// Server under test, with its runtime and database. All inputs share the server, and each input
/// creates a match.
struct Fixture {
    runtime: Runtime,
    router: Router,
    _folder: TempDir,
}

thread_local! {
    static FIXTURE: OnceCell<Fixture> = const { OnceCell::new() };
}

/// Runs the fuzz target `live_messages` on one input.
///
/// # Panics
///
/// Panics if the target finds a fault.
pub fn run(data: &[u8]) {
    FIXTURE.with(|fixture| {
        let fixture = fixture.get_or_init(Fixture::new);
        let talk = async { timeout(LIMIT, talk(fixture.router.clone(), data)).await };
        fixture.runtime.block_on(talk).expect("the server answers in time");
    });
}

impl Fixture {
    fn new() -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let folder = tempfile::tempdir().expect("a folder");
        let mut settings = Settings::new(folder.path().to_owned());
        settings.limits = Limits::default().lifted();
        let server = runtime.block_on(Server::open(settings)).expect("a server");
        Self { runtime, router: app(server), _folder: folder }
    }
}

/// Creates a match, and sends each line of the fuzz input as a message on a live connection to the match.
async fn talk(router: Router, input: &[u8]) {
    let new = Request::post("/api/v1/matches").header(header::CONTENT_TYPE, "application/json");
    let (cookie, state) = ask(&router, new.body(Body::from(NEW)).expect("a request")).await;
    let path = format!("/api/v1/matches/{}", state.id);

    let (near, far) = duplex(BUFFER);
    let served = tokio::spawn(serve(router.clone(), far));
    let mut request =
        format!("ws://localhost{path}/live").into_client_request().expect("a request");
    let cookie_value = cookie.parse().expect("a header");
    request.headers_mut().insert(header::COOKIE, cookie_value);
    let (socket, _) = client_async(request, near).await.expect("a connection");
    let (mut sender, mut receiver) = socket.split();
    let send = async {
        for line in input.split(|byte| *byte == b'\n') {
            let message = match line {
                [BINARY, bytes @ ..] => Message::binary(bytes.to_vec()),
                [PING, bytes @ ..] => Message::Ping(bytes.iter().copied().take(125).collect()),
                text => Message::text(String::from_utf8_lossy(text).into_owned()),
            };
            if sender.send(message).await.is_err() {
                return;
            }
        }
        // A failure to send the close message is ignored, because the server may have closed the connection.
        let _ = sender.send(Message::Close(None)).await;
    };
    let receive = async {
        let mut acknowledged = 0;
        while let Some(received) = receiver.next().await {
            match received {
                Ok(Message::Text(text)) => match serde_json::from_str(&text).expect("a message") {
                    ServerMessage::Ack { sequence, .. } => {
                        acknowledged = sequence.max(acknowledged);
                    }
                    ServerMessage::Problem { problem, .. } => {
                        assert!(problem.status < 500, "{problem:?}");
                    }
                    _ => {}
                },
                Ok(Message::Close(Some(frame))) => {
                    assert_ne!(u16::from(frame.code), FAILURE, "{frame:?}");
                }
                Ok(_) => {}
                Err(Error::ConnectionClosed | Error::Protocol(_) | Error::Io(_)) => break,
                Err(error) => panic!("{error}"),
            }
        }
        acknowledged
    };
    let ((), acknowledged) = tokio::join!(send, receive);
    drop((sender, receiver));
    served.await.expect("no panic");

    let read = Request::get(&path).header(header::COOKIE, cookie);
    let (_, state) = ask(&router, read.body(Body::empty()).expect("a request")).await;
    assert!(state.sequence >= acknowledged, "an acknowledged action is lost");
}

/// Sends an HTTP request that must succeed, and returns the identity cookie and the match state from its response.
async fn ask(router: &Router, request: Request<Body>) -> (String, MatchView) {
    let response: Response<Body> = router.clone().oneshot(request).await.expect("never fails");
    assert!(response.status().is_success(), "{response:?}");
    let (parts, body) = response.into_parts();
    let cookie = parts.headers.get(header::SET_COOKIE).and_then(|value| value.to_str().ok());
    let cookie = cookie.and_then(|text| text.split(';').next()).unwrap_or_default().to_owned();
    let body = to_bytes(body, usize::MAX).await.expect("a body");
    (cookie, serde_json::from_slice(&body).expect("the state of a match"))
}

/// Serves HTTP on an in-memory connection until the connection ends.
async fn serve(router: Router, stream: tokio::io::DuplexStream) {
    let service = service_fn(move |request: Request<Incoming>| {
        let answer = router.clone().oneshot(request.map(Body::new));
        async move { answer.await.map_err(|never: Infallible| never) }
    });
    let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    // An error of the connection is ignored, because a client may end the connection at any time.
    let _ = connection.with_upgrades().await;
}
