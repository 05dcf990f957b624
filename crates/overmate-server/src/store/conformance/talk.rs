//! Tests that every store keeps the chat messages of players.

use std::sync::Arc;

use overmate_rules::{ByPlayer, Player};

use super::pair::{Pair, create, holder, id, info, seat};
use super::relations::{add, make_account, remove};
use crate::store::{
    Addition, Appended, Entry, EntryKind, MOST_IN_PERIOD, MOST_TEXTS, MatchInfo, NewTalk, Occupant,
    PersonChange, Quota, Store, TALK_PERIOD,
};

type Shared = Arc<dyn Store>;

/// Returns the metadata of a test match between two browser identities.
fn between(number: u32, [a, b]: [u8; 2]) -> MatchInfo {
    let [a, b] = [a, b].map(|browser| seat(Occupant::Holder(holder(browser))));
    MatchInfo { invitation: None, seats: ByPlayer { a, b }, ..info(number) }
}

async fn send(store: &Shared, player: Player, person: u8, text: &str, at: i64) -> Appended {
    send_in(store, 1, (player, person), text, at).await
}

async fn send_in(
    store: &Shared,
    number: u32,
    (player, person): (Player, u8),
    text: &str,
    at: i64,
) -> Appended {
    let (id, person, client_id) = (id(number), holder(person), format!("request {text}"));
    let new = NewTalk { id, player, person, text: text.to_owned(), client_id, at };
    store.send_talk(new).await.expect("a write")
}

/// Returns the chat messages of a match after the message with a given number, each with its number, its sender and its text.
async fn texts(store: &Shared, number: u32, after: u64) -> Vec<(u64, Player, String)> {
    let texts = store.talk(&id(number), after).await.expect("a read");
    texts.into_iter().map(|text| (text.number, text.player, text.text)).collect()
}

fn text(number: u64, player: Player, text: &str) -> (u64, Player, String) {
    (number, player, text.to_owned())
}

pub(super) async fn talk(Pair { a, b, .. }: &mut Pair) {
    create(a, between(1, [1, 2])).await;
    assert_eq!(send(a, Player::A, 1, "no accounts", 100).await, Appended::Conflict);
    for (person, handle) in [(1, "Anna"), (2, "Bert"), (3, "Cleo")] {
        make_account(a, person, handle).await;
    }
    assert_eq!(add(a, 1, 2, 90).await, Appended::Stored);
    assert_eq!(send(a, Player::A, 1, "one side", 100).await, Appended::Conflict);
    assert_eq!(add(b, 2, 1, 90).await, Appended::Stored);
    assert_eq!(send(a, Player::A, 1, "hello", 100).await, Appended::Stored);
    assert_eq!(send(b, Player::B, 2, "hi", 101).await, Appended::Stored);
    // A repeated request to send a chat message stores nothing. The other player may use the same client id.
    assert_eq!(send(b, Player::A, 1, "hello", 102).await, Appended::Stored);
    assert_eq!(send(b, Player::B, 2, "hello", 102).await, Appended::Stored);
    let known =
        [text(1, Player::A, "hello"), text(2, Player::B, "hi"), text(3, Player::B, "hello")];
    assert_eq!(texts(a, 1, 0).await, known);
    assert_eq!(texts(b, 1, 1).await, known[1..]);
    let times = a.talk(&id(1), 0).await.expect("a read").into_iter().map(|text| text.at);
    assert_eq!(times.collect::<Vec<_>>(), [100, 101, 102]);
    // A person can send chat messages only from their own seat.
    for (player, person) in [(Player::B, 1), (Player::A, 2), (Player::A, 3)] {
        assert_eq!(send(a, player, person, "foreign", 103).await, Appended::Conflict);
    }
    assert_eq!(send_in(a, 9, (Player::A, 1), "no match", 103).await, Appended::Conflict);
    // If one player removes the other from the favourites, neither can send messages.
    remove(a, 2, 1).await;
    assert_eq!(send(a, Player::A, 1, "alone", 104).await, Appended::Conflict);
    assert_eq!(add(a, 2, 1, 105).await, Appended::Stored);
    limits(a, b).await;
    ends(a, b).await;
}

/// Tests the limits on the number of chat messages: per player within a minute, and per match.
async fn limits(a: &Shared, b: &Shared) {
    create(a, between(2, [1, 2])).await;
    for number in 0..MOST_IN_PERIOD {
        let sent = send_in(a, 2, (Player::A, 1), &format!("text {number}"), 200).await;
        assert_eq!(sent, Appended::Stored, "{number}");
    }
    let late = 200 + TALK_PERIOD - 1;
    assert_eq!(
        send_in(b, 2, (Player::A, 1), "too early", late).await,
        Appended::Full(Quota::TalkInPeriod)
    );
    assert_eq!(send_in(b, 2, (Player::B, 2), "of the other", late).await, Appended::Stored);
    assert_eq!(send_in(b, 2, (Player::A, 1), "later", late + 1).await, Appended::Stored);
    let mut at = 1_000;
    for number in texts(a, 2, 0).await.len()..MOST_TEXTS {
        at += TALK_PERIOD;
        let sent = send_in(a, 2, (Player::A, 1), &format!("more {number}"), at).await;
        assert_eq!(sent, Appended::Stored, "{number}");
    }
    let full = send_in(b, 2, (Player::B, 2), "too many", 2 * at).await;
    assert_eq!(full, Appended::Full(Quota::Talk));
}

/// Tests that chat messages are removed when they expire, when their sender leaves the match, and when the match is removed.
async fn ends(a: &Shared, b: &Shared) {
    let of = async |person: u8| {
        let own = b.talk_of(holder(person)).await.expect("a read");
        own.into_iter().filter(|(of, _)| *of == id(1)).count()
    };
    assert_eq!((of(1).await, of(2).await, of(3).await), (1, 2, 0));
    assert_eq!(a.forget_talk(101).await.expect("a write"), Appended::Stored);
    let left = [text(2, Player::B, "hi"), text(3, Player::B, "hello")];
    assert_eq!(texts(b, 1, 0).await, left);
    assert_eq!(send(a, Player::A, 1, "again", 300).await, Appended::Stored);
    let leave = Entry {
        sequence: 1,
        player: Player::B,
        kind: EntryKind::Leave,
        client_id: "leave".to_owned(),
        at_ms: 310_000,
        given_ms: 0,
    };
    let left = a.append(Addition::of(&id(1), leave)).await.expect("a write");
    assert_eq!(left, Appended::Stored);
    assert_eq!(texts(b, 1, 0).await, [text(4, Player::A, "again")]);
    assert_eq!(send(a, Player::A, 1, "to nobody", 320).await, Appended::Conflict);
    assert_eq!(b.remove(id(1), 1).await.expect("a write"), Appended::Stored);
    assert_eq!(texts(a, 1, 0).await, []);
    // After the account of one player has been erased, the opponent cannot send this player a chat message. Only mutual favourites may send
    // messages, and an erased account has no favourites.
    let forget = PersonChange::Forget { person: holder(2), at: 400 };
    assert_eq!(a.change_person(forget).await.expect("a write"), Appended::Stored);
    assert_eq!(send_in(a, 2, (Player::A, 1), "no account", 90_000).await, Appended::Conflict);
}
