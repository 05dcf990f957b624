//! Tests live WebSocket connections over real TCP connections. Every change must arrive in
//! order, and a reconnect must lose no change.

use std::collections::HashSet;
use std::time::Duration;

use axum::http::StatusCode;
use futures_util::{SinkExt as _, StreamExt as _};
use overmate_server::Limits;
use overmate_server::wire::{
    ClientMessage, Code, MatchView, Phrase, PlayerWire, PresenceKind, ServerMessage, You,
};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::sockets::{Socket, served};
use crate::support::{SOON, Table, run, two};

/// Merges a match state from the server into the match state that a client already has.
fn merge(own: &MatchView, new: MatchView) -> MatchView {
    let mut finished = own.finished[..new.finished_from].to_vec();
    finished.extend(new.finished.clone());
    MatchView { finished, finished_from: 0, ..new }
}

#[test]
fn players_and_spectators_get_every_change() {
    run(async {
        let table = Table::new().await;
        let (mut host, guest, state) = two(&table, "bga").await;
        let served = served(&table).await;
        let live = format!("{}/live", state.id);
        let watch = format!("{live}?watch={}", state.watch.rsplit('/').next().unwrap());
        let mut sockets = [
            Socket::open(&served, &host, &live).await,
            Socket::open(&served, &guest, &live).await,
            Socket::open(&served, &table.browser(), &watch).await,
        ];
        let mut states = Vec::new();
        for socket in &mut sockets {
            states.push(socket.hello().await);
        }
        assert_eq!(
            [states[0].you, states[1].you, states[2].you],
            [Some(You::A), Some(You::B), None]
        );
        let mut changes = 0;
        while states[0].result.is_none() {
            let sequence = states[0].sequence;
            let actor = usize::from(states[0].current.legal.is_empty());
            let action = states[actor].current.legal[0].action.clone();
            let id = sockets[actor].act(sequence, &action).await;
            let mut acked = false;
            for (index, socket) in sockets.iter_mut().enumerate() {
                let mut told = false;
                while !told || (index == actor && !acked) {
                    match socket.next().await {
                        ServerMessage::Ack { client_id, sequence: stored } => {
                            assert_eq!((client_id.as_str(), stored), (id.as_str(), sequence + 1));
                            acked = true;
                        }
                        ServerMessage::Changed { sequence: now, state } => {
                            assert_eq!((now, state.sequence), (sequence + 1, sequence + 1));
                            states[index] = merge(&states[index], *state);
                            told = true;
                        }
                        other => panic!("{other:?}"),
                    }
                }
            }
            changes += 1;
        }
        assert!(changes >= 8, "{changes}");
        // The client's match state, into which all changes were merged, lists the same finished games as the complete state from the
        // server.
        let whole = host.look(&state.id).await;
        assert_eq!(states[0].finished, whole.finished);
        assert_eq!(states[0].finished, states[2].finished);
        drop(served.stop);
    });
}

#[test]
fn players_get_presence_and_phrases_and_the_server_stores_no_phrase() {
    run(async {
        let table = Table::new().await;
        let (host, guest, state) = two(&table, "bga").await;
        let served = served(&table).await;
        let live = format!("{}/live", state.id);
        let watch = format!("{live}?watch={}", state.watch.rsplit('/').next().unwrap());
        let mut own = Socket::open(&served, &host, &live).await;
        let mut watching = Socket::open(&served, &table.browser(), &watch).await;
        watching.hello().await;
        watching.say(&ClientMessage::Attend { hidden: false }).await;
        own.hello().await;
        own.say(&ClientMessage::Attend { hidden: false }).await;
        assert_eq!(present(&mut own).await, [PresenceKind::Here, PresenceKind::Gone]);
        let mut other = Socket::open(&served, &guest, &live).await;
        other.hello().await;
        other.say(&ClientMessage::Attend { hidden: true }).await;
        assert_eq!(present(&mut own).await, [PresenceKind::Here, PresenceKind::Away]);
        assert_eq!(present(&mut other).await, [PresenceKind::Here, PresenceKind::Away]);
        other.say(&ClientMessage::Say { phrase: Phrase::GoodLuck }).await;
        for socket in [&mut own, &mut other] {
            match socket.next().await {
                ServerMessage::Said { player, phrase } => {
                    assert_eq!((player, phrase), (PlayerWire::B, Phrase::GoodLuck));
                }
                other => panic!("{other:?}"),
            }
        }
        // The server refuses a player's second chat phrase within a few seconds, and each chat phrase of a spectator.
        other.say(&ClientMessage::Say { phrase: Phrase::GoodLuck }).await;
        watching.say(&ClientMessage::Say { phrase: Phrase::GoodLuck }).await;
        for (socket, code) in [(&mut other, Code::TooMany), (&mut watching, Code::NotAllowed)] {
            match socket.next().await {
                ServerMessage::Problem { problem, .. } => assert_eq!(problem.code, code),
                other => panic!("{other:?}"),
            }
        }
        drop(other);
        match own.next().await {
            ServerMessage::Presence { b, .. } => {
                assert!(b.kind == PresenceKind::Gone && b.since.is_some(), "{b:?}");
            }
            other => panic!("{other:?}"),
        }
        drop(served.stop);
    });
}

#[test]
fn a_player_who_has_deleted_the_match_is_not_heard_any_more() {
    run(async {
        let table = Table::new().await;
        let (host, mut guest, state) = two(&table, "bga").await;
        let served = served(&table).await;
        let live = format!("{}/live", state.id);
        // The live connection has a spectators' token, so that it stays open after the player deletes the match from their list.
        let watch = format!("{live}?watch={}", state.watch.rsplit('/').next().unwrap());
        let mut own = Socket::open(&served, &host, &live).await;
        let mut other = Socket::open(&served, &guest, &watch).await;
        for socket in [&mut own, &mut other] {
            socket.hello().await;
            socket.say(&ClientMessage::Attend { hidden: false }).await;
        }
        guest.ask(&state.id, "resign").await.ok::<MatchView>();
        let path = format!("/api/v1/matches/{}", state.id);
        assert_eq!(guest.delete(&path).await.status, StatusCode::NO_CONTENT);
        // After a player has deleted a match, their open live connection receives the match state as spectators see it.
        loop {
            if let ServerMessage::Changed { state, .. } = other.next().await
                && state.you.is_none()
            {
                break;
            }
        }
        other.say(&ClientMessage::Say { phrase: Phrase::Thanks }).await;
        let refused = async {
            loop {
                if let ServerMessage::Problem { problem, .. } = other.next().await {
                    return problem.code;
                }
            }
        };
        assert_eq!(refused.await, Code::NotAllowed);
        own.say(&ClientMessage::Say { phrase: Phrase::GoodGame }).await;
        loop {
            if let ServerMessage::Said { player, phrase } = own.next().await {
                assert_eq!((player, phrase), (PlayerWire::A, Phrase::GoodGame));
                break;
            }
        }
        drop(served.stop);
    });
}

/// Returns the presence of players A and B from the next message of a live connection.
async fn present(socket: &mut Socket) -> [PresenceKind; 2] {
    match socket.next().await {
        ServerMessage::Presence { a, b } => [a.kind, b.kind],
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_broken_connection_loses_and_repeats_no_change() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "bga").await;
        let served = served(&table).await;
        let live = format!("{}/live", state.id);
        let mut socket = Socket::open(&served, &host, &live).await;
        let seen = socket.hello().await;
        let action = seen.current.legal[0].action.clone();
        // The client sends the action, and the connection is cut before any response arrives.
        let client_id = socket.act(seen.sequence, &action).await;
        drop(socket);
        let answered = guest.wait(&state.id, |state| state.sequence > seen.sequence).await;
        let _: MatchView = guest.act(&answered, &answered.current.legal[0].action).await.ok();

        let mut socket = Socket::open(&served, &host, &live).await;
        let caught_up = socket.hello().await;
        assert_eq!((caught_up.sequence, caught_up.current.steps.len()), (seen.sequence + 2, 2));
        // The reconnected client sends the same action again, with the same client id.
        socket
            .say(&ClientMessage::Act {
                sequence: seen.sequence,
                action,
                client_id: client_id.clone(),
            })
            .await;
        match socket.next().await {
            ServerMessage::Ack { client_id: acked, .. } => assert_eq!(acked, client_id),
            other => panic!("{other:?}"),
        }
        assert_eq!(host.look(&state.id).await.sequence, seen.sequence + 2);
        drop(served.stop);
    });
}

#[test]
fn a_hello_with_a_sequence_gets_only_new_finished_games() {
    run(async {
        let table = Table::new().await;
        let mut both = table.browser();
        let mut state = both.begin("rael", json!({"kind": "both"})).await;
        let served = served(&table).await;
        let live = format!("{}/live", state.id);
        let mut had = vec![state.clone()];
        while state.result.is_none() {
            state = both.act(&state, &state.current.legal[0].action).await.ok();
            had.push(state.clone());
        }
        let mut games = 0;
        for own in had.iter().step_by(7) {
            let mut socket = Socket::open(&served, &both, &live).await;
            socket.say(&ClientMessage::Hello { have: Some(own.sequence) }).await;
            let ServerMessage::State { state: new } = socket.next().await else {
                panic!("no state")
            };
            assert_eq!((new.sequence, new.finished_from), (state.sequence, own.finished.len()));
            games += new.finished_from;
            assert_eq!(merge(own, *new).finished, state.finished);
        }
        assert!(games > 5, "{games}");
        // The server ignores a sequence number that is larger than the latest sequence number of the match.
        let mut socket = Socket::open(&served, &both, &live).await;
        socket.say(&ClientMessage::Hello { have: Some(state.sequence + 1) }).await;
        let ServerMessage::State { state: whole } = socket.next().await else { panic!("no state") };
        assert_eq!((whole.finished_from, &whole.finished), (0, &state.finished));
        drop(served.stop);
    });
}

#[test]
fn an_unanswerable_hello_closes_the_connection() {
    run(async {
        let table = Table::limited(|limits| {
            limits.requests_per_second = Some(1);
            limits.requests_at_once = 5;
        })
        .await;
        let mut host = table.browser();
        let state = host.begin("bga", json!({"kind": "both"})).await;
        let served = served(&table).await;
        let mut socket = Socket::open(&served, &host, &format!("{}/live", state.id)).await;
        let mut states = 0;
        let problem = loop {
            socket.say(&ClientMessage::Hello { have: None }).await;
            match socket.next().await {
                ServerMessage::State { .. } => states += 1,
                ServerMessage::Problem { problem, .. } => break problem,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(problem.code, Code::TooMany);
        assert!((1..60).contains(&states), "{states}");
        match timeout(SOON, socket.0.next()).await.expect("in time") {
            Some(Ok(Message::Close(Some(frame)))) => assert_eq!(u16::from(frame.code), 1013),
            other => panic!("{other:?}"),
        }
        drop(served.stop);
    });
}

#[test]
fn a_faulty_message_gets_a_problem_and_the_connection_stays_open() {
    run(async {
        let table = Table::new().await;
        let (host, guest, state) = two(&table, "bga").await;
        let served = served(&table).await;
        let live = format!("{}/live", state.id);
        let mut socket = Socket::open(&served, &guest, &live).await;
        for text in [
            "",
            "nonsense",
            "{}",
            r#"{"t":"fly"}"#,
            r#"{"t":"act"}"#,
            r#"{"t":"hello","more":1}"#,
            r#"{"t":"ping","more":1}"#,
        ] {
            socket.0.send(Message::text(text)).await.unwrap();
            match socket.next().await {
                ServerMessage::Problem { client_id: None, problem } => {
                    assert_eq!(problem.code, Code::BadRequest);
                    assert_eq!(problem.request_id, Some(socket.1.clone()));
                }
                other => panic!("{text}: {other:?}"),
            }
        }
        let id = socket.act(state.sequence, "Ac").await;
        match socket.next().await {
            ServerMessage::Problem { client_id, problem } => {
                assert_eq!((client_id, problem.code), (Some(id), Code::NotYourTurn));
            }
            other => panic!("{other:?}"),
        }
        socket.say(&ClientMessage::Ping {}).await;
        assert!(matches!(socket.next().await, ServerMessage::Pong));
        // A spectator may not act.
        let watch = format!("{live}?watch={}", state.watch.rsplit('/').next().unwrap());
        let mut watcher = Socket::open(&served, &table.browser(), &watch).await;
        watcher.act(state.sequence, "Ac").await;
        match watcher.next().await {
            ServerMessage::Problem { problem, .. } => assert_eq!(problem.code, Code::NotAPlayer),
            other => panic!("{other:?}"),
        }
        // A message that is too large, or is not text, closes the connection.
        for message in [Message::text("x".repeat(5_000)), Message::binary(vec![1, 2, 3])] {
            let mut socket = Socket::open(&served, &host, &live).await;
            socket.0.send(message).await.unwrap();
            let ended = timeout(SOON, async {
                while let Some(Ok(message)) = socket.0.next().await {
                    assert!(matches!(message, Message::Close(_)), "{message:?}");
                }
            });
            ended.await.expect("the connection ends");
        }
        drop(served.stop);
    });
}

#[test]
fn connections_of_other_sites_and_beyond_the_limit_are_refused() {
    run(async {
        let table = Table::with(|mut settings| {
            settings.limits = Limits { connections_per_client: Some(2), ..settings.limits };
            settings
        })
        .await;
        let (host, _, state) = two(&table, "bga").await;
        let served = served(&table).await;
        let live = format!("{}/live", state.id);
        let status = |result: Result<Socket, Error>| match result {
            Err(Error::Http(response)) => response.status().as_u16(),
            Err(error) => panic!("{error}"),
            Ok(_) => 101,
        };
        let foreign = Socket::try_open(&served, &host, &live, Some("https://evil.example")).await;
        assert_eq!(status(foreign), 403);
        let own = format!("http://{}", served.address);
        let one = Socket::try_open(&served, &host, &live, Some(&own)).await.expect("a connection");
        let two = Socket::open(&served, &host, &live).await;
        assert_eq!(status(Socket::try_open(&served, &host, &live, None).await), 429);
        // A closed connection no longer counts for the limit on the client's connections.
        drop(one);
        let mut tries = 0;
        while status(Socket::try_open(&served, &host, &live, None).await) != 101 {
            tries += 1;
            assert!(tries < 200, "the permit of the closed connection is not returned");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        drop(two);
        drop(served.stop);
    });
}

/// Returns whether the server closes a TCP connection within a time limit. The server may send responses before.
async fn is_closed(stream: &mut TcpStream) -> bool {
    let mut bytes = [0; 1_024];
    loop {
        match timeout(SOON, stream.read(&mut bytes)).await {
            Ok(Ok(0) | Err(_)) => return true,
            Ok(Ok(_)) => {}
            Err(_) => return false,
        }
    }
}

#[test]
fn a_connection_without_a_whole_request_is_closed() {
    run(async {
        let table = Table::limited(|limits| {
            limits.head_time = Duration::from_millis(200);
        })
        .await;
        let served = served(&table).await;
        let begun = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n";
        // The server closes an idle TCP connection on which a client has sent no request, a part of a request, or a single request.
        for said in [String::new(), begun.to_owned(), format!("{begun}\r\n")] {
            let mut stream = TcpStream::connect(served.address).await.unwrap();
            stream.write_all(said.as_bytes()).await.unwrap();
            assert!(is_closed(&mut stream).await, "{said:?}");
        }
        // A live connection without messages stays open.
        let mut host = table.browser();
        let state = host.begin("bga", json!({"kind": "both"})).await;
        let mut socket = Socket::open(&served, &host, &format!("{}/live", state.id)).await;
        tokio::time::sleep(Duration::from_millis(600)).await;
        assert_eq!(socket.hello().await.id, state.id);
        drop(served.stop);
    });
}

#[test]
fn connections_beyond_the_limit_are_closed() {
    run(async {
        for (per_client, in_all) in [(Some(3), 100), (None, 3)] {
            let table = Table::limited(|limits| {
                limits.sockets_per_client = per_client;
                limits.sockets = in_all;
            })
            .await;
            let served = served(&table).await;
            let ask = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
            let mut open = Vec::new();
            for _ in 0..3 {
                let mut stream = TcpStream::connect(served.address).await.unwrap();
                stream.write_all(ask.as_bytes()).await.unwrap();
                let mut answer = [0; 12];
                stream.read_exact(&mut answer).await.unwrap();
                assert_eq!(&answer, b"HTTP/1.1 200");
                open.push(stream);
            }
            let mut more = TcpStream::connect(served.address).await.unwrap();
            assert!(is_closed(&mut more).await);
            // A TCP connection counts for the limit on connections only until it is closed or becomes a WebSocket.
            open.pop();
            let mut host = table.browser();
            let state = host.begin("bga", json!({"kind": "both"})).await;
            let live = format!("{}/live", state.id);
            let mut sockets = Vec::new();
            for tries in 0.. {
                match Socket::try_open(&served, &host, &live, None).await {
                    Ok(socket) => sockets.push(socket),
                    Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
                }
                if sockets.len() == 5 {
                    break;
                }
                assert!(tries < 500, "the permit of the closed connection is not returned");
            }
            drop(served.stop);
        }
    });
}

#[test]
fn a_stop_does_not_wait_for_a_client_that_does_not_read() {
    run(async {
        let table = Table::new().await;
        let mut host = table.browser();
        let state = host.begin("bga", json!({"kind": "both"})).await;
        let served = served(&table).await;
        let mut socket = Socket::open(&served, &host, &format!("{}/live", state.id)).await;
        // The test sends requests until unread responses fill all buffers. The server then stops reading.
        let mut hellos = 0;
        let hello = serde_json::to_string(&ClientMessage::Hello { have: None }).unwrap();
        let quiet = Duration::from_millis(500);
        while hellos < 1_000_000
            && timeout(quiet, socket.0.send(Message::text(hello.as_str()))).await.is_ok()
        {
            hellos += 1;
        }
        assert!((10..1_000_000).contains(&hellos), "{hellos}");
        served.stop.send(()).expect("the server is running");
        timeout(SOON, served.ended).await.expect("in time").expect("no panic");
    });
}

/// Parses the reason of a close frame, and returns the requested delay before a reconnection, in milliseconds.
fn wait(reason: &str) -> u64 {
    let (_, wait) = reason.rsplit_once("retry-after-ms=").expect("a time");
    wait.parse().expect("a number")
}

#[test]
fn a_stop_tells_the_clients_to_reconnect_at_different_times() {
    run(async {
        let table = Table::new().await;
        let (host, _, state) = two(&table, "bga").await;
        let served = served(&table).await;
        let mut sockets = Vec::new();
        for _ in 0..50 {
            sockets.push(Socket::open(&served, &host, &format!("{}/live", state.id)).await);
        }
        served.stop.send(()).expect("the server is running");
        let mut waits = HashSet::new();
        for mut socket in sockets {
            match timeout(SOON, socket.0.next()).await.expect("in time") {
                Some(Ok(Message::Close(Some(frame)))) => waits.insert(wait(&frame.reason)),
                other => panic!("{other:?}"),
            };
        }
        // Fifty random times below 600 milliseconds almost always have more than ten different values.
        assert!(waits.len() > 10, "{waits:?}");
        timeout(SOON, served.ended).await.expect("in time").expect("no panic");
    });
}

#[test]
fn a_graceful_stop_closes_live_connections_with_code_1012() {
    run(async {
        let table = Table::new().await;
        let (mut host, _, state) = two(&table, "bga").await;
        let served = served(&table).await;
        let mut socket = Socket::open(&served, &host, &format!("{}/live", state.id)).await;
        let seen = socket.hello().await;
        let _: MatchView = host.act(&seen, &seen.current.legal[0].action).await.ok();
        assert!(matches!(socket.next().await, ServerMessage::Changed { .. }));
        served.stop.send(()).expect("the server is running");
        let closed = timeout(SOON, socket.0.next()).await.expect("in time");
        match closed {
            Some(Ok(Message::Close(Some(frame)))) => {
                assert_eq!(u16::from(frame.code), 1012);
                assert!(wait(&frame.reason) < 1_000, "{}", frame.reason);
            }
            other => panic!("{other:?}"),
        }
        timeout(SOON, served.ended).await.expect("in time").expect("no panic");
        let table = table.restart().await;
        let mut host = host.at(&table.server);
        assert_eq!(host.look(&state.id).await.sequence, seen.sequence + 1);
    });
}
