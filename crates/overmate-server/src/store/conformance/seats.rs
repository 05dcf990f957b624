//! Tests that every database stores the conditional answers and private notes of players. The server plays conditional answers
//! only if they are unchanged since the server read them.

use futures_util::future::join_all;
use overmate_rules::{ByPlayer, Player};

use super::pair::{Pair, against_computer, append, create, entry, holder, id, info, seat};
use crate::store::{
    Addition, AnswersRead, Appended, Entry, EntryKind, MatchInfo, Occupant, PersonChange, SeatText,
    SeatTextChange, SeatTextKind, Store,
};

type Shared = std::sync::Arc<dyn Store>;

/// Returns the metadata of a test match between the browser identities 1 and 2.
fn between(number: u32) -> MatchInfo {
    let seats =
        ByPlayer { a: seat(Occupant::Holder(holder(1))), b: seat(Occupant::Holder(holder(2))) };
    MatchInfo { invitation: None, seats, ..info(number) }
}

async fn set(
    store: &Shared,
    (player, person): (Player, u8),
    kind: SeatTextKind,
    text: Option<&str>,
) -> Appended {
    let text = text.map(str::to_owned);
    let change = SeatTextChange { id: id(1), player, person: holder(person), kind, text };
    store.set_seat_text(change).await.expect("a write")
}

async fn texts(store: &Shared) -> ByPlayer<SeatText> {
    let texts = store.seat_texts(&id(1)).await.expect("a read");
    // For several matches at once, `seat_texts_of` returns the same conditional answers and notes as `seat_texts`. It leaves out unknown
    // matches.
    let mut several = store.seat_texts_of(vec![id(99), id(1)]).await.expect("a read");
    let one = several.remove(&id(1));
    assert!(several.is_empty());
    assert_eq!(one.unwrap_or_else(|| ByPlayer::new_with(|_| SeatText::default())), texts);
    texts
}

/// Returns a request to append a log entry, with the conditional answers that the server read before the request. The answers of player B
/// stay valid.
fn addition(sequence: u64, a: Option<&str>, b: Option<&str>) -> Addition {
    let read = |text: Option<&str>, stay| AnswersRead { text: text.map(str::to_owned), stay };
    let answers = ByPlayer { a: read(a, false), b: read(b, true) };
    Addition { answers: Some(answers), ..Addition::of(&id(1), entry(sequence)) }
}

pub(super) async fn private_texts(Pair { a, b, .. }: &mut Pair) {
    let none = || ByPlayer::new_with(|_| SeatText::default());
    assert_eq!(texts(a).await, none());
    create(a, between(1)).await;
    assert_eq!(append(a, 1, 1).await, Appended::Stored);
    let answers = |sequence| SeatTextKind::Answers { sequence };
    let (of_a, of_b) = ((Player::A, 1), (Player::B, 2));
    // Only the person who holds a seat can write private texts for the seat. New conditional answers must name the last log entry.
    for (who, kind) in [
        ((Player::A, 2), answers(1)),
        ((Player::A, 2), SeatTextKind::Note),
        ((Player::B, 3), SeatTextKind::Note),
        (of_a, answers(0)),
        (of_a, answers(2)),
    ] {
        assert_eq!(set(b, who, kind, Some("x")).await, Appended::Conflict, "{who:?} {kind:?}");
    }
    assert_eq!(texts(a).await, none());
    assert_eq!(set(b, of_a, answers(1), Some("one")).await, Appended::Stored);
    assert_eq!(set(a, of_b, answers(1), Some("two")).await, Appended::Stored);
    assert_eq!(set(a, of_a, SeatTextKind::Note, Some("note")).await, Appended::Stored);
    let text = |answers: Option<&str>, note: Option<&str>| SeatText {
        answers: answers.map(str::to_owned),
        note: note.map(str::to_owned),
    };
    let both = ByPlayer { a: text(Some("one"), Some("note")), b: text(Some("two"), None) };
    assert_eq!(texts(b).await, both);

    // The store refuses an action if the stored conditional answers have changed since the server read them.
    for (read_a, read_b) in [(None, Some("two")), (Some("one"), None), (Some("two"), Some("one"))] {
        let refused = b.append(addition(2, read_a, read_b)).await.expect("a write");
        assert_eq!(refused, Appended::Conflict);
    }
    let followed_by = vec![entry(3), entry(4)];
    let played = Addition { followed_by, ..addition(2, Some("one"), Some("two")) };
    assert_eq!(b.append(played).await.expect("a write"), Appended::Stored);
    let log = a.entries(&id(1), 0).await.expect("a read").expect("a match");
    assert_eq!(log, [entry(1), entry(2), entry(3), entry(4)]);
    let left = ByPlayer { a: text(None, Some("note")), b: text(Some("two"), None) };
    assert_eq!(texts(a).await, left);

    // The end of the match removes the conditional answers. The note of a player who leaves is removed, too.
    let end = Entry { kind: EntryKind::Resign, ..entry(5) };
    let end = Addition { ends: true, ..Addition::of(&id(1), end) };
    assert_eq!(a.append(end).await.expect("a write"), Appended::Stored);
    let ended = ByPlayer { a: text(None, Some("note")), b: text(None, None) };
    assert_eq!(texts(b).await, ended);
    assert_eq!(set(a, of_b, SeatTextKind::Note, Some("late")).await, Appended::Stored);
    let leave = Entry { kind: EntryKind::Leave, player: Player::A, ..entry(6) };
    let left = b.append(Addition::of(&id(1), leave)).await.expect("a write");
    assert_eq!(left, Appended::Stored);
    let rest = ByPlayer { a: text(None, None), b: text(None, Some("late")) };
    assert_eq!(texts(a).await, rest);
    assert_eq!(set(a, of_a, SeatTextKind::Note, Some("gone")).await, Appended::Conflict);
    assert_eq!(set(a, of_b, SeatTextKind::Note, None).await, Appended::Stored);
    assert_eq!(texts(b).await, none());
}

/// Tests that the rejection of a note by the database does not make other writes fail. PostgreSQL, for example, stores no text with a null
/// character.
pub(super) async fn refused_texts(Pair { a, .. }: &mut Pair) {
    create(a, between(1)).await;
    let note = |text: String| {
        let (id, person, kind) = (id(1), holder(1), SeatTextKind::Note);
        a.set_seat_text(SeatTextChange { id, player: Player::A, person, kind, text: Some(text) })
    };
    let texts = (0..60).map(|number| match number % 3 {
        0 => "a null character: \0".to_owned(),
        _ => format!("note {number}"),
    });
    // The test writes sixty notes of a player concurrently, so that the store puts several notes into one transaction.
    let written = join_all(texts.map(note)).await;
    let valid = written.iter().enumerate().filter(|(number, _)| number % 3 != 0);
    let stored = valid.map(|(_, written)| matches!(written, Ok(Appended::Stored)));
    assert_eq!(stored.filter(|is_stored| *is_stored).count(), 40);
    let stored = self::texts(a).await;
    assert_eq!(stored.a.note.as_deref(), Some("note 59"));
}

/// Tests that the store can remove a person from a match without replaying the log of the match. The match is removed with the last person.
pub(super) async fn vacated_seats(Pair { a, b, .. }: &mut Pair) {
    create(a, between(1)).await;
    create(a, against_computer(2, holder(1))).await;
    assert_eq!(append(a, 1, 1).await, Appended::Stored);
    assert_eq!(set(a, (Player::A, 1), SeatTextKind::Note, Some("note")).await, Appended::Stored);
    let vacate = async |number: u32, person: u8| {
        let change = PersonChange::Vacate { person: holder(person), id: id(number), at: 50 };
        b.change_person(change).await.expect("a write")
    };
    assert_eq!(vacate(1, 3).await, Appended::Conflict);
    assert_eq!(vacate(1, 1).await, Appended::Stored);
    assert_eq!(vacate(1, 1).await, Appended::Conflict);
    let found = a.info(&id(1)).await.expect("a read").expect("a match");
    assert_eq!(found.seats, ByPlayer { a: seat(Occupant::Deleted), ..between(1).seats });
    assert_eq!(texts(a).await, ByPlayer::new_with(|_| SeatText::default()));
    let log = a.entries(&id(1), 1).await.expect("a read").expect("a match");
    let kinds: Vec<_> = log.iter().map(|entry| (entry.sequence, &entry.kind, entry.at())).collect();
    assert_eq!(kinds, [(2, &EntryKind::Resign, 50), (3, &EntryKind::Leave, 50)]);
    for (number, person) in [(1, 2), (2, 1)] {
        assert_eq!(vacate(number, person).await, Appended::Stored);
        assert_eq!(a.info(&id(number)).await.expect("a read"), None);
    }
}
