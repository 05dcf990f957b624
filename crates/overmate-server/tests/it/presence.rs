//! Tests that two players who are connected to different servers of a database see each other's presence, and receive each other's
//! chat phrases.

use std::time::Duration;

use axum::http::StatusCode;
use futures_util::StreamExt as _;
use overmate_server::wire::{ClientMessage, Phrase, PlayerWire, PresenceKind, ServerMessage};
use overmate_server::{Database, NoticeChannel};
use serde_json::json;
use test_postgres::{Nats, Postgres};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use crate::ratings::make_account;
use crate::sockets::{Served, Socket, served};
use crate::support::{Table, begin_between, run};

/// Timeout for the next message of a live connection. Only a hanging test reaches the limit. Servers repeat the
/// presence of players more often than this.
const PATIENCE: Duration = Duration::from_mins(1);

/// Starts a server on a database, with a channel for notices between servers.
async fn start(database: &Database, events: &NoticeChannel) -> (Table, Served) {
    let table = Table::with(|mut settings| {
        settings.database = database.clone();
        settings.events = Some(events.clone());
        settings
    })
    .await;
    let served = served(&table).await;
    (table, served)
}

/// Returns the next presence message or chat phrase message from a live connection.
async fn next(socket: &mut Socket) -> ServerMessage {
    loop {
        let message = timeout(PATIENCE, socket.0.next()).await.expect("a message in time");
        let Message::Text(text) = message.unwrap().unwrap() else { continue };
        let message = serde_json::from_str(&text).unwrap();
        if let ServerMessage::Presence { .. } | ServerMessage::Said { .. } = message {
            return message;
        }
    }
}

/// Reads messages from a live connection until players A and B have the wanted kinds of presence. Returns the time at which player
/// B left, and the chat phrases that arrived before.
async fn until(
    socket: &mut Socket,
    wanted: [PresenceKind; 2],
) -> (Option<String>, Vec<(PlayerWire, Phrase)>) {
    let mut heard = Vec::new();
    loop {
        match next(socket).await {
            ServerMessage::Presence { a, b } if [a.kind, b.kind] == wanted => {
                return (b.since, heard);
            }
            ServerMessage::Said { player, phrase } => heard.push((player, phrase)),
            _ => {}
        }
    }
}

/// Reads messages from a live connection until a chat phrase arrives. Returns the player and the phrase.
async fn said(socket: &mut Socket) -> (PlayerWire, Phrase) {
    loop {
        if let ServerMessage::Said { player, phrase } = next(socket).await {
            return (player, phrase);
        }
    }
}

/// Checks that players at two servers on one database see each other's presence and receive each other's chat phrases.
async fn see_and_hear_each_other(database: &Database, events: &NoticeChannel) {
    use PresenceKind::{Away, Gone, Here};
    let (one, at_one) = start(database, events).await;
    let (two, at_two) = start(database, events).await;
    let (mut host, mut guest) = (one.browser(), two.browser());
    make_account(&mut host, "Anna").await;
    make_account(&mut guest, "Bert").await;
    let id = begin_between(&mut host, &mut guest, "bga").await.id;
    let live = format!("{id}/live");
    let mut own = Socket::open(&at_one, &host, &live).await;
    own.hello().await;
    own.say(&ClientMessage::Attend { hidden: false }).await;
    until(&mut own, [Here, Gone]).await;
    let mut other = Socket::open(&at_two, &guest, &live).await;
    other.hello().await;
    other.say(&ClientMessage::Attend { hidden: true }).await;
    until(&mut own, [Here, Away]).await;
    until(&mut other, [Here, Away]).await;
    other.say(&ClientMessage::Attend { hidden: false }).await;
    until(&mut own, [Here, Here]).await;

    other.say(&ClientMessage::Say { phrase: Phrase::GoodLuck }).await;
    for socket in [&mut own, &mut other] {
        assert_eq!(said(socket).await, (PlayerWire::B, Phrase::GoodLuck));
    }
    // A player who has muted the opponent receives no chat phrases of the opponent, even if the two are connected to different servers. The
    // player still receives a later change of the opponent's presence.
    let mute = format!("/api/v1/matches/{id}/ignored/mute");
    assert_eq!(guest.put(&mute, json!({})).await.status, StatusCode::NO_CONTENT);
    own.say(&ClientMessage::Say { phrase: Phrase::Thanks }).await;
    assert_eq!(said(&mut own).await, (PlayerWire::A, Phrase::Thanks));
    own.say(&ClientMessage::Attend { hidden: true }).await;
    assert_eq!(until(&mut other, [Away, Here]).await, (None, Vec::new()));

    drop(other);
    let (since, _) = until(&mut own, [Away, Gone]).await;
    assert!(since.is_some());
    // When a server stops, the players on other servers learn that their opponents on the stopped server are gone.
    let mut other = Socket::open(&at_two, &guest, &live).await;
    other.hello().await;
    other.say(&ClientMessage::Attend { hidden: false }).await;
    until(&mut other, [Away, Here]).await;
    until(&mut own, [Away, Here]).await;
    drop(at_two.stop);
    at_two.ended.await.unwrap();
    until(&mut own, [Away, Gone]).await;
    drop(at_one.stop);
    at_one.ended.await.unwrap();
}

#[test]
fn players_at_two_servers_see_and_hear_each_other_over_postgres() {
    let postgres = Postgres::start();
    let database = postgres.database().parse().unwrap();
    run(see_and_hear_each_other(&database, &NoticeChannel::Postgres));
}

#[test]
fn players_at_two_servers_see_and_hear_each_other_over_nats() {
    let (postgres, nats) = (Postgres::start(), Nats::start());
    let database = postgres.database().parse().unwrap();
    run(see_and_hear_each_other(&database, &nats.address().parse().unwrap()));
}
