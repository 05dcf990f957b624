//! Tests the limits that prevent a client from exhausting the server.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, header};
use futures_util::{SinkExt as _, StreamExt as _};
use overmate_server::Limits;
use overmate_server::wire::{ClientMessage, Code, Hint, MarkKind, MatchView, ServerMessage};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::{Bytes, Message};

use crate::sockets::{Served, Socket, served};
use crate::support::{Browser, SOON, Table, run};

/// Takes the first legal action in a match, and requests an undo. Returns the match state after the undo, or the error code of the
/// refused undo.
async fn act_and_undo(browser: &mut Browser, state: &MatchView) -> Result<MatchView, Code> {
    let acted = browser.act(state, &state.current.legal[0].action).await;
    let acted: MatchView = acted.ok();
    let answer = browser.ask(&acted.id, "undo").await;
    if answer.status.is_success() { Ok(answer.json()) } else { Err(answer.code()) }
}

#[test]
fn undos_in_a_game_are_limited_and_the_next_game_permits_them_again() {
    run(async {
        let table = Table::limited(|limits| {
            limits.undos_per_game = 3;
        })
        .await;
        let mut browser = table.browser();
        let mut state = browser.begin("bga", json!({"kind": "both"})).await;
        for _ in 0..3 {
            state = act_and_undo(&mut browser, &state).await.expect("an undo");
        }
        assert_eq!(act_and_undo(&mut browser, &state).await.err(), Some(Code::MatchFull));
        state = browser.look(&state.id).await;
        assert_eq!(state.current.steps.len(), 1, "the action of the refused undo stands");
        assert!(!state.undo && state.hint, "the state offers no further undo");
        while state.game == 0 {
            state = browser.act(&state, &state.current.legal[0].action).await.ok();
        }
        assert!(act_and_undo(&mut browser, &state).await.is_ok());
    });
}

#[test]
fn a_full_log_gives_the_hint_that_it_already_holds() {
    run(async {
        let table = Table::limited(|limits| {
            limits.log_entries = 1;
        })
        .await;
        let mut browser = table.browser();
        let state = browser.begin("bga", json!({"kind": "both"})).await;
        assert!(state.hint);
        let first: Hint = browser.ask(&state.id, "hint").await.ok();
        assert!(browser.look(&state.id).await.hint);
        let second: Hint = browser.ask(&state.id, "hint").await.ok();
        assert_eq!((first.sequence, second.sequence), (1, 1));
    });
}

#[test]
fn a_full_log_takes_no_undo_and_no_hint_but_every_action_and_a_resignation() {
    run(async {
        for resigns in [false, true] {
            let table = Table::limited(|limits| {
                limits.log_entries = 10;
            })
            .await;
            let mut browser = table.browser();
            let mut state = browser.begin("bga", json!({"kind": "both"})).await;
            for _ in 0..5 {
                state = act_and_undo(&mut browser, &state).await.expect("an undo");
            }
            assert_eq!(state.sequence, 10);
            assert!(!state.hint, "the state offers no hint");
            assert_eq!(browser.ask(&state.id, "hint").await.code(), Code::MatchFull);
            assert_eq!(act_and_undo(&mut browser, &state).await.err(), Some(Code::MatchFull));
            state = browser.look(&state.id).await;
            assert_eq!(state.sequence, 11);
            assert!(!state.undo && !state.hint);
            if resigns {
                state = browser.ask(&state.id, "resign").await.ok();
            }
            while state.result.is_none() {
                state = browser.act(&state, &state.current.legal[0].action).await.ok();
            }
            assert_eq!(state.result.unwrap().resigned.is_some(), resigns);
        }
    });
}

#[test]
fn a_state_lists_the_latest_hundred_marks_and_the_record_all() {
    run(async {
        let table = Table::limited(|limits| {
            limits.undos_per_game = 1_000;
        })
        .await;
        let mut browser = table.browser();
        let mut state = browser.begin("bga", json!({"kind": "both"})).await;
        let _: Hint = browser.ask(&state.id, "hint").await.ok();
        state = browser.look(&state.id).await;
        for _ in 0..120 {
            state = act_and_undo(&mut browser, &state).await.expect("an undo");
        }
        let table = table.restart().await;
        let mut browser = browser.at(&table.server);
        // After the restart, the server has no state of the match in its cache, and reads the log of 241 entries.
        let state = browser.look(&state.id).await;
        assert_eq!((state.sequence, state.marks.len()), (241, 100));
        assert!(state.marks.iter().all(|mark| mark.kind == MarkKind::Undo));
        assert_eq!(state.marks[99].sequence, 241);
        let record = browser.get(&format!("/api/v1/matches/{}/record", state.id)).await.text();
        assert_eq!(record.matches("took back an action").count(), 120);
    });
}

/// Reads messages until the server closes a live connection, and returns the close code and the number of text
/// messages. Each text message reports a problem.
async fn close_code(socket: &mut Socket) -> (u16, usize) {
    let mut problems = 0;
    loop {
        match timeout(SOON, socket.0.next()).await.expect("in time") {
            Some(Ok(Message::Close(Some(frame)))) => return (frame.code.into(), problems),
            Some(Ok(Message::Text(_))) => problems += 1,
            Some(Ok(Message::Pong(_) | Message::Ping(_))) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_live_connection_is_closed_with_1008_after_a_few_unreadable_messages() {
    run(async {
        let table = Table::limited(|limits| {
            limits.faulty_messages = 4;
        })
        .await;
        let mut host = table.browser();
        let state = host.begin("bga", json!({"kind": "both"})).await;
        let served = served(&table).await;
        let live = format!("{}/live", state.id);
        for junk in ["", "nonsense", r#"{"t":"fly"}"#, r#"{"t":"hello","more":1}"#] {
            let mut socket = Socket::open(&served, &host, &live).await;
            // Readable messages between unreadable messages do not reset the count of unreadable messages.
            for _ in 0..4 {
                socket.say(&ClientMessage::Ping {}).await;
                assert!(matches!(socket.next().await, ServerMessage::Pong));
                socket.0.send(Message::text(junk)).await.unwrap();
                assert!(matches!(socket.next().await, ServerMessage::Problem { .. }));
            }
            assert_eq!(close_code(&mut socket).await, (1008, 0), "{junk}");
        }
        // The server closes the live connection of a client that sends many unreadable messages without waiting for responses.
        let mut socket = Socket::open(&served, &host, &live).await;
        for _ in 0..50 {
            socket.0.feed(Message::text("junk")).await.unwrap();
        }
        socket.0.flush().await.unwrap();
        assert_eq!(close_code(&mut socket).await, (1008, 4));
        let mut socket = Socket::open(&served, &host, &live).await;
        socket.0.send(Message::text("x".repeat(5_000))).await.unwrap();
        assert_eq!(close_code(&mut socket).await, (1008, 0), "too large");
        let mut socket = Socket::open(&served, &host, &live).await;
        socket.0.send(Message::binary(vec![1, 2, 3])).await.unwrap();
        assert_eq!(close_code(&mut socket).await, (1003, 0), "binary");
        drop(served.stop);
    });
}

#[test]
fn pings_and_messages_beyond_the_rate_limit_close_the_connection_with_1008() {
    run(async {
        for ping in [Message::Ping(Bytes::new()), Message::text(r#"{"t":"ping"}"#)] {
            let table = Table::limited(|limits| {
                limits.requests_per_second = Some(1);
                limits.requests_at_once = 20;
                limits.faulty_messages = 5;
            })
            .await;
            let mut host = table.browser();
            let state = host.begin("bga", json!({"kind": "both"})).await;
            let served = served(&table).await;
            let mut socket = Socket::open(&served, &host, &format!("{}/live", state.id)).await;
            for _ in 0..200 {
                socket.0.feed(ping.clone()).await.unwrap();
            }
            socket.0.flush().await.unwrap();
            assert_eq!(close_code(&mut socket).await.0, 1008);
            drop(served.stop);
        }
    });
}

/// Tracing subscriber that counts the log events of level `info` or above.
#[derive(Clone, Default)]
struct CountedLog(Arc<AtomicUsize>);

impl tracing::Subscriber for CountedLog {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.is_event() && *metadata.level() <= tracing::Level::INFO
    }

    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }

    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}

    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}

    fn event(&self, _: &tracing::Event<'_>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn enter(&self, _: &tracing::span::Id) {}

    fn exit(&self, _: &tracing::span::Id) {}
}

/// Returns the number of refused requests of a given kind, from the server's metrics.
async fn refusals(table: &Table, kind: &str) -> u64 {
    let metrics = Browser::metrics(&table.server).await;
    let name = format!("overmate_refusals_total{{kind=\"{kind}\"}} ");
    let line = metrics.lines().find_map(|line| line.strip_prefix(&name));
    line.map_or(0, |value| value.parse().expect("a number"))
}

#[test]
fn refusals_are_counted_by_kind_and_not_logged() {
    let log = CountedLog::default();
    let logged = log.clone();
    // The runtime has one thread, because the test sets its tracing subscriber only for this thread.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    tracing::subscriber::with_default(log, || {
        runtime.block_on(async {
            tracing::info!("the subscriber counts this event");
            assert_eq!(logged.0.swap(0, Ordering::Relaxed), 1);
            let table = Table::limited(|limits| {
                limits.matches_per_hour = Some(1);
            })
            .await;
            let mut browser = table.browser();
            let state = browser.begin("bga", json!({"kind": "both"})).await;
            let kinds = ["foreign origin", "new matches", "too large", "bad request"];
            let mut before = Vec::new();
            for kind in kinds {
                before.push(refusals(&table, kind).await);
            }
            let served = served(&table).await;
            let mut socket = Socket::open(&served, &browser, &format!("{}/live", state.id)).await;
            for _ in 0..5 {
                let foreign = Request::post("/api/v1/identity")
                    .header(header::ORIGIN, "https://evil.example")
                    .body(Body::empty());
                assert_eq!(browser.send(foreign.unwrap()).await.status.as_u16(), 403);
                let new = json!({"rules": "bga", "opponent": {"kind": "both"}});
                let refused = browser.post("/api/v1/matches", new).await;
                assert_eq!(refused.status.as_u16(), 429);
                let large = json!({"rules": "x".repeat(300_000)});
                assert_eq!(browser.post("/api/v1/matches", large).await.status.as_u16(), 413);
                socket.0.send(Message::text("junk")).await.unwrap();
                assert!(matches!(socket.next().await, ServerMessage::Problem { .. }));
            }
            for (kind, before) in kinds.into_iter().zip(before) {
                // Other tests in the process may increase the counters of refused requests, too.
                assert!(refusals(&table, kind).await >= before + 5, "{kind}");
            }
            assert_eq!(logged.0.load(Ordering::Relaxed), 0);
            drop(served.stop);
        });
    });
}

#[test]
fn frames_that_complete_no_message_close_the_connection_with_1008() {
    run(async {
        let table = Table::new().await;
        let mut host = table.browser();
        let state = host.begin("bga", json!({"kind": "both"})).await;
        let served = served(&table).await;
        let live = format!("{}/live", state.id);
        let fragment = |control| {
            let fragment = Frame::message(Bytes::new(), OpCode::Data(control), false);
            Message::Frame(fragment)
        };
        // Many fragmented messages are accepted, each with a few empty fragments.
        let mut socket = Socket::open(&served, &host, &live).await;
        for _ in 0..2_000 {
            // The test flushes the connection only after the last fragment of a message. A flush here would wait for the delayed
            // acknowledgement of TCP.
            socket.0.feed(fragment(Data::Text)).await.unwrap();
            for _ in 0..50 {
                socket.0.feed(fragment(Data::Continue)).await.unwrap();
            }
            let text = Bytes::from_static(br#"{"t":"ping"}"#);
            let last = Frame::message(text, OpCode::Data(Data::Continue), true);
            socket.0.send(Message::Frame(last)).await.unwrap();
            assert!(matches!(socket.next().await, ServerMessage::Pong));
        }
        socket.0.send(fragment(Data::Text)).await.unwrap();
        let (mut sender, mut receiver) = socket.0.split();
        let flood = async {
            let mut sent = 0_u64;
            while sender.feed(fragment(Data::Continue)).await.is_ok() {
                sent += 1;
                assert!(sent < 50_000_000, "the server reads on");
            }
        };
        let closed = async {
            loop {
                match receiver.next().await {
                    Some(Ok(Message::Close(Some(frame)))) => break u16::from(frame.code),
                    Some(Ok(_)) => {}
                    other => panic!("{other:?}"),
                }
            }
        };
        let closed = timeout(SOON, async { tokio::join!(flood, closed).1 });
        assert_eq!(closed.await.expect("in time"), 1008);
        drop(served.stop);
    });
}

#[test]
fn the_addresses_of_one_ipv6_network_share_its_limit() {
    run(async {
        let table = Table::with(|mut settings| {
            settings.behind_proxy = true;
            settings.limits.matches_per_hour = Some(2);
            settings
        })
        .await;
        let create = async |address: &str| {
            let new = json!({"rules": "bga", "opponent": {"kind": "both"}}).to_string();
            let request = Request::post("/api/v1/matches")
                .header(header::CONTENT_TYPE, "application/json")
                .header("x-forwarded-for", address)
                .body(Body::from(new));
            usize::from(table.browser().send(request.unwrap()).await.status.is_success())
        };
        let mut created = 0;
        for address in 0..130 {
            created += create(&format!("[2001:db8:1:{:x}::{address:x}]:443", address * 256)).await;
        }
        assert_eq!(created, 8, "matches of 130 networks of 64 bits in one network of 48 bits");
        assert_eq!(create("2001:db8:2::1").await, 1, "another network");
        let mut created = 0;
        for address in 1..=5 {
            created += create(&format!("192.0.2.{address}")).await;
        }
        assert_eq!(created, 5, "each IPv4 address is a client");
    });
}

#[test]
fn a_school_behind_one_address_plays_within_the_default_limits() {
    run(async {
        let table = Table::with(|mut settings| {
            settings.limits = Limits { unfinished_matches: None, ..Limits::default() };
            settings.behind_proxy = true;
            settings
        })
        .await;
        let new = json!({"rules": "bga", "opponent": {"kind": "both"}});
        for _ in 0..30 {
            let mut pupil = table.browser_at("192.0.2.1");
            // The first requests of a new page have no cookie.
            for _ in 0..10 {
                assert!(pupil.get("/api/v1/rules").await.status.is_success());
            }
            assert!(pupil.post("/api/v1/identity", json!({})).await.status.is_success());
            for _ in 0..20 {
                let _: MatchView = pupil.post("/api/v1/matches", new.clone()).await.ok();
            }
        }
        // A new cookie for each match does not avoid the limit of the IP address.
        let mut created = 600;
        while created < 2_000 {
            let mut fresh = table.browser_at("192.0.2.1");
            if !fresh.post("/api/v1/matches", new.clone()).await.status.is_success() {
                break;
            }
            created += 1;
        }
        // The rate limit permits more new matches if the test runs longer. The upper bounds therefore leave room for a slow machine.
        assert!((960..1_500).contains(&created), "{created} matches of one address");
        let mut other = table.browser_at("192.0.2.2");
        let mut created = 0;
        while created < 200 {
            if !other.post("/api/v1/matches", new.clone()).await.status.is_success() {
                break;
            }
            created += 1;
        }
        assert!((120..160).contains(&created), "{created} matches of one browser");
    });
}

/// Begins matches with 48 cards in which a perfect opponent takes the first action.
async fn expensive_matches(browser: &mut Browser, number: usize) -> Vec<String> {
    let new = json!({
        "rules": "bga+pinochle", "lead": "other",
        "opponent": {"kind": "perfect"},
    });
    let mut matches = Vec::new();
    for _ in 0..number {
        let state: MatchView = browser.post("/api/v1/matches", new.clone()).await.ok();
        matches.push(state.id);
    }
    matches
}

#[test]
fn cheap_searches_do_not_wait_for_expensive_searches_of_another_client() {
    run(async {
        let table = Table::with(|mut settings| {
            settings.behind_proxy = true;
            settings
        })
        .await;
        let mut attacker = table.browser_at("192.0.2.1");
        attacker.post("/api/v1/identity", json!({})).await;
        // In the matches of one client (the attacker), the computer opponent searches for more than a second before its first action.
        let matches = expensive_matches(&mut attacker, 60).await;
        let analyses = (0..8).map(|deal: u64| {
            let mut attacker = attacker.clone();
            let analysis = json!({"rules": "bga+pinochle", "deal": deal.to_string()});
            tokio::spawn(async move { attacker.post("/api/v1/analysis", analysis).await })
        });
        let analyses: Vec<_> = analyses.collect();
        let mut honest = table.browser_at("192.0.2.2");
        let new = json!({
            "rules": "bga", "lead": "other", "opponent": {"kind": "level", "level": 1},
        });
        for deal in ["1", "2", "3"] {
            let state: MatchView = honest.post("/api/v1/matches", new.clone()).await.ok();
            let state = honest.wait(&state.id, |state| state.sequence >= 1).await;
            let _: Hint = honest.ask(&state.id, "hint").await.ok();
            let analysis = json!({"rules": "bga", "deal": deal});
            assert!(honest.post("/api/v1/analysis", analysis).await.status.is_success());
        }
        let mut waiting = 0;
        for id in &matches {
            waiting += usize::from(attacker.look(id).await.sequence == 0);
        }
        assert!(waiting > 0, "the expensive searches ended before the cheap searches");
        let metrics = Browser::metrics(&table.server).await;
        let queue = |class: &str, purpose: &str| -> f64 {
            let name =
                format!("overmate_searches_waiting{{class=\"{class}\",purpose=\"{purpose}\"}} ");
            let line = metrics.lines().find_map(|line| line.strip_prefix(&name));
            line.map_or(0.0, |value| value.parse().expect("a number"))
        };
        assert!(queue("dear", "bot") > 0.0 && queue("cheap", "bot") <= 0.0, "{metrics}");
        for analysis in analyses {
            analysis.abort();
        }
        table.server.close().await;
    });
}

#[test]
fn a_request_beyond_the_rate_limit_closes_its_connection() {
    run(async {
        let table = Table::limited(|limits| {
            limits.requests_per_second = Some(1);
            limits.requests_at_once = 5;
        })
        .await;
        let served = served(&table).await;
        let mut stream = TcpStream::connect(served.address).await.unwrap();
        let requests = "GET /healthz HTTP/1.1\r\nHost: mate.example\r\n\r\n".repeat(500);
        stream.write_all(requests.as_bytes()).await.unwrap();
        let mut answers = Vec::new();
        // The server may end the connection with a reset, because it leaves some requests of the client unread.
        let read = timeout(SOON, stream.read_to_end(&mut answers)).await.expect("in time");
        let answers = String::from_utf8_lossy(&answers);
        let refused = answers.matches("HTTP/1.1 429").count();
        assert!(refused <= 1 && answers.matches("HTTP/1.1").count() < 500, "{read:?} {answers}");
        if refused == 1 {
            assert!(answers.contains("connection: close"), "{answers}");
        }
        drop(served.stop);
    });
}

#[test]
fn a_request_with_a_large_head_is_refused_and_its_connection_is_closed() {
    run(async {
        let table = Table::new().await;
        let served = served(&table).await;
        for (length, expected) in [(30_000, "HTTP/1.1 200"), (100_000, "HTTP/1.1 431")] {
            let mut stream = TcpStream::connect(served.address).await.unwrap();
            let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
            let head = format!("{request}X-Long: {}\r\n\r\n", "x".repeat(length));
            // The server may close the connection before it has read the whole head of the request.
            let sent = stream.write_all(head.as_bytes()).await;
            let mut answers = Vec::new();
            let read = timeout(SOON, stream.read_to_end(&mut answers)).await.expect("in time");
            let answers = String::from_utf8_lossy(&answers);
            assert!(answers.starts_with(expected), "{length}: {sent:?} {read:?} {answers}");
        }
        drop(served.stop);
    });
}

/// Opens a TCP connection that requests a long document again and again, but reads no response.
/// Returns when the server accepts no more requests.
async fn never_reading(served: &Served) -> TcpStream {
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    let requests = "GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100);
    let mut sent = 0;
    while timeout(Duration::from_millis(500), stream.write_all(requests.as_bytes())).await.is_ok() {
        sent += 1;
        assert!(sent < 10_000, "the server takes all requests");
    }
    stream
}

#[test]
fn a_client_that_never_reads_is_closed_and_frees_its_connection() {
    run(async {
        let table = Table::limited(|limits| {
            limits.write_time = Duration::from_secs(2);
            limits.sockets_per_client = Some(1);
        })
        .await;
        let served = served(&table).await;
        let stalled = never_reading(&served).await;
        // The client may have only one connection. Its next connection therefore succeeds as soon as the server has closed the first one.
        let answered = timeout(SOON, async {
            loop {
                let mut stream = TcpStream::connect(served.address).await.unwrap();
                let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
                let mut status = [0; 12];
                if stream.write_all(request.as_bytes()).await.is_ok()
                    && stream.read_exact(&mut status).await.is_ok()
                {
                    break status;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        assert_eq!(&answered.await.expect("in time"), b"HTTP/1.1 200");
        drop(stalled);
        drop(served.stop);
    });
}

#[test]
fn a_stop_does_not_wait_for_clients_that_never_read() {
    run(async {
        let table = Table::limited(|limits| {
            limits.write_time = Duration::from_mins(10);
        })
        .await;
        let served = served(&table).await;
        let stalled = never_reading(&served).await;
        served.stop.send(()).expect("the server is running");
        // The server stops within eight seconds, because a stopping server waits only one second for a client that does not read. A request
        // that is still running could delay the stop by up to ten seconds.
        timeout(Duration::from_secs(8), served.ended).await.expect("in time").expect("no panic");
        drop(stalled);
    });
}
