//! Tests the free-text chat messages that two players send to each other.

use axum::http::StatusCode;
use overmate_server::Settings;
use overmate_server::wire::{
    ClientMessage, Code, Export, PlayerWire, ServerMessage, TalkLine, TalkState,
};
use serde_json::{Value, json};

use crate::ratings::{begin, make_account, resigned};
use crate::sockets::{Socket, served};
use crate::support::{Browser, SOON, Table, run};

async fn send(browser: &mut Browser, id: &str, text: &str) -> Result<TalkState, Code> {
    let new = json!({"text": text, "client_id": format!("text-{:x}", text.len()) + "-of-a-player"});
    send_as(browser, id, new).await
}

async fn send_as(browser: &mut Browser, id: &str, new: Value) -> Result<TalkState, Code> {
    let answer = browser.post(&format!("/api/v1/matches/{id}/talk"), new).await;
    if answer.status.is_success() { Ok(answer.json()) } else { Err(answer.code()) }
}

async fn read(browser: &mut Browser, id: &str) -> TalkState {
    browser.get(&format!("/api/v1/matches/{id}/talk")).await.ok()
}

/// Returns the player and the text of each chat message in a list.
fn texts(lines: &[TalkLine]) -> Vec<(PlayerWire, &str)> {
    lines.iter().map(|line| (line.player, &*line.text)).collect()
}

async fn add_opponent(browser: &mut Browser, id: &str) {
    let added = browser.put(&format!("/api/v1/matches/{id}/favourite"), json!({})).await;
    assert_eq!(added.status, StatusCode::NO_CONTENT, "{}", added.text());
}

/// Makes the players of a match favourites of each other, and sends one chat message on behalf of each player.
pub(crate) async fn talk(host: &mut Browser, guest: &mut Browser, id: &str) {
    for browser in [&mut *host, &mut *guest] {
        add_opponent(browser, id).await;
    }
    for browser in [host, guest] {
        send(browser, id, "well played").await.expect("a text");
    }
}

#[test]
fn two_players_who_have_added_one_another_write_to_each_other() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest) = (table.browser(), table.browser());
        make_account(&mut host, "Anna").await;
        make_account(&mut guest, "Bert").await;
        let state = begin(&mut host, &mut guest, json!({})).await;
        let id = &*state.id;
        assert!(!read(&mut host, id).await.writable);
        assert_eq!(send(&mut host, id, "hello").await, Err(Code::TalkClosed));
        add_opponent(&mut host, id).await;
        assert_eq!(send(&mut host, id, "hello").await, Err(Code::TalkClosed));
        assert_eq!(send(&mut guest, id, "hello").await, Err(Code::TalkClosed));
        add_opponent(&mut guest, id).await;
        assert!(read(&mut host, id).await.writable);
        let sent = send(&mut host, id, " Jose\u{301}\u{200b}! ").await.expect("a text");
        assert_eq!(texts(&sent.lines), [(PlayerWire::A, "Jos\u{e9}!")]);
        let first = sent.lines[0].number;
        // The response to a new chat message holds all messages that the client does not have yet. If the client repeats the request, the
        // server stores nothing.
        for _ in 0..2 {
            let new = json!({"text": "hi", "client_id": "text-of-the-guest", "after": first});
            let sent = send_as(&mut guest, id, new).await.expect("a text");
            assert_eq!(texts(&sent.lines), [(PlayerWire::B, "hi")]);
        }
        let both = [(PlayerWire::A, "Jos\u{e9}!"), (PlayerWire::B, "hi")];
        assert_eq!(texts(&read(&mut host, id).await.lines), both);
        assert_eq!(send(&mut host, id, &"x".repeat(201)).await, Err(Code::TextTooLong));
        assert_eq!(send(&mut host, id, " \u{200b}\u{7} ").await, Err(Code::BadRequest));
        // A chat message adds no entry to the match log.
        assert_eq!(host.look(id).await.sequence, state.sequence);
        // If one player removes the other player from their favourites, neither can send chat messages; earlier messages stay.
        let removed = guest.delete("/api/v1/me/favourites/Anna").await;
        assert_eq!(removed.status, StatusCode::NO_CONTENT);
        assert_eq!(send(&mut host, id, "still there?").await, Err(Code::TalkClosed));
        let left = read(&mut host, id).await;
        assert_eq!((left.writable, texts(&left.lines)), (false, both.to_vec()));
        // The export of a player's data holds only the chat messages that this player has written. The erasure of the opponent's data
        // removes the opponent's messages.
        let exported: Export = host.get("/api/v1/me/export").await.ok();
        let own: Vec<&str> = exported.talk.iter().map(|sent| &*sent.line.text).collect();
        assert_eq!(own, ["Jos\u{e9}!"]);
        assert_eq!(guest.erase().await.status, StatusCode::NO_CONTENT);
        assert_eq!(texts(&read(&mut host, id).await.lines), both[..1]);
    });
}

#[test]
fn only_players_read_texts_and_refused_words_and_floods_are_refused() {
    run(async {
        let words = |settings| Settings { refused_words: vec!["badger".to_owned()], ..settings };
        let table = Table::with(words).await;
        let (mut host, mut guest, state) = resigned(&table, ["Anna", "Bert"]).await;
        let id = &*state.id;
        // The players can chat after the end of the match.
        talk(&mut host, &mut guest, id).await;
        assert_eq!(send(&mut host, id, "you Badger").await, Err(Code::TextRefused));
        let watch = state.watch.rsplit('/').next().expect("a token");
        let mut stranger = table.browser();
        for query in [String::new(), format!("?watch={watch}")] {
            let path = format!("/api/v1/matches/{id}/talk{query}");
            assert!(!stranger.get(&path).await.status.is_success());
            let shown = stranger.get(&format!("/api/v1/matches/{id}{query}")).await;
            assert!(!shown.text().contains("well played"), "{}", shown.text());
        }
        assert_eq!(send(&mut stranger, id, "hello").await, Err(Code::NotFound));
        let mut sent = 1;
        let refused = loop {
            let new = json!({"text": "more", "client_id": format!("request-{sent}")});
            match send_as(&mut host, id, new).await {
                Ok(_) => sent += 1,
                Err(code) => break code,
            }
        };
        assert_eq!((refused, sent), (Code::TooMany, 10));
    });
}

#[test]
fn players_get_texts_over_their_live_connections_and_spectators_none() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = resigned(&table, ["Anna", "Bert"]).await;
        talk(&mut host, &mut guest, &state.id).await;
        let served = served(&table).await;
        let live = format!("{}/live", state.id);
        let watch = format!("{live}?watch={}", state.watch.rsplit('/').next().expect("a token"));
        let mut own = Socket::open(&served, &host, &live).await;
        let mut watching = Socket::open(&served, &table.browser(), &watch).await;
        for socket in [&mut own, &mut watching] {
            socket.hello().await;
            socket.say(&ClientMessage::Attend { hidden: false }).await;
        }
        // The first message of the kind `Talk` holds all earlier chat messages. Each new chat message comes in a further `Talk` message.
        let mut heard = Vec::new();
        while heard.len() < 2 {
            heard.extend(lines(&mut own).await);
        }
        assert_eq!(texts(&heard), [(PlayerWire::A, "well played"), (PlayerWire::B, "well played")]);
        send(&mut guest, &state.id, "one more?").await.expect("a text");
        assert_eq!(texts(&lines(&mut own).await), [(PlayerWire::B, "one more?")]);
        // The live connection of a spectator gets no chat messages: the first message after the greeting is the response to the spectator's
        // ping.
        watching.say(&ClientMessage::Ping {}).await;
        let next = tokio::time::timeout(SOON, watching.next()).await.expect("a message");
        assert!(matches!(next, ServerMessage::Pong), "{next:?}");
        drop(served.stop);
    });
}

#[test]
fn texts_that_a_fault_of_the_database_has_held_back_come_later() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = resigned(&table, ["Anna", "Bert"]).await;
        talk(&mut host, &mut guest, &state.id).await;
        let served = served(&table).await;
        let mut own = Socket::open(&served, &host, &format!("{}/live", state.id)).await;
        own.hello().await;
        let faults = async || {
            let metrics = Browser::metrics(&table.server).await;
            let start = "overmate_problems_total{code=\"internal\"} ";
            let line = metrics.lines().find_map(|line| line.strip_prefix(start));
            line.map_or(0, |count| count.parse::<u64>().expect("a count"))
        };
        let before = faults().await;
        table.execute("ALTER TABLE relations RENAME TO lost").await;
        own.say(&ClientMessage::Attend { hidden: false }).await;
        while faults().await == before {
            tokio::time::sleep(SOON / 1_000).await;
        }
        table.execute("ALTER TABLE lost RENAME TO relations").await;
        send(&mut guest, &state.id, "one more?").await.expect("a text");
        let heard = lines(&mut own).await;
        let heard: Vec<&str> = heard.iter().map(|line| &*line.text).collect();
        assert_eq!(heard, ["well played", "well played", "one more?"]);
        drop(served.stop);
    });
}

/// Reads from a live connection until chat messages arrive, and returns these messages.
async fn lines(socket: &mut Socket) -> Vec<TalkLine> {
    loop {
        match socket.next().await {
            ServerMessage::Talk { lines } => return lines,
            ServerMessage::Presence { .. } => {}
            other => panic!("{other:?}"),
        }
    }
}
