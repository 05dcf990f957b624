//! Tests that every store accepts an offline match, with its complete log, exactly once.

use futures_util::future::join_all;
use overmate_rules::Player;

use super::pair::{MOST_UNFINISHED, Pair, against_computer, create, entry, holder, id, info};
use crate::store::connection::inspect;
use crate::store::{
    Addition, Appended, Entry, EntryKind, Listed, MatchInfo, NewMatchRequest, Selection,
};

/// Unix time, in seconds, at which the offline match is submitted.
const HANDED_IN: i64 = 5_000;

/// Returns the metadata of an offline match of person 1.
fn offline(number: u32) -> MatchInfo {
    let match_of = against_computer(number, holder(1));
    MatchInfo { created_at: HANDED_IN, played_at: Some(-7), ..match_of }
}

fn request(name: &str) -> NewMatchRequest {
    NewMatchRequest { holder: holder(1), client_id: name.to_owned() }
}

/// Returns a match log of a given length that ends with a resignation.
fn log(length: u64) -> Vec<Entry> {
    let kind = |sequence| match sequence {
        last if last == length => EntryKind::Resign,
        5 => EntryKind::Undo,
        6 => EntryKind::Hint,
        _ => EntryKind::Act(format!("(T{sequence})")),
    };
    let entry = |sequence| Entry {
        kind: kind(sequence),
        client_id: String::new(),
        at_ms: 1_000 * HANDED_IN,
        given_ms: 0,
        ..entry(sequence)
    };
    (1..=length).map(entry).collect()
}

pub(super) async fn hand_in(Pair { a, b, operator }: &mut Pair) {
    // Unfinished matches up to the quota do not prevent the submission of a finished offline match.
    for number in 100..100 + MOST_UNFINISHED {
        create(a, info(number)).await;
    }
    let full = a.create(info(99), None).await.expect("a write");
    assert!(matches!(full, Appended::Full(_)), "{full:?}");
    let stored = a.hand_in(offline(1), request("first"), log(10_000)).await;
    assert_eq!(stored.expect("a write"), Appended::Stored);
    assert_eq!(b.info(&id(1)).await.expect("a read"), Some(offline(1)));
    assert_eq!(b.created_by(&request("first")).await.expect("a read"), Some(id(1)));
    assert_eq!(b.entries(&id(1), 0).await.expect("a read"), Some(log(10_000)));
    assert_eq!(b.sequences(vec![id(1)]).await.expect("a read"), [(id(1), 10_000)]);

    // A submitted offline match is over: no computer opponent waits in the match, and the match neither expires nor needs folding.
    assert!(!a.keep_leases().await.expect("a write").contains(&id(1)));
    assert!(!b.keep_leases().await.expect("a write").contains(&id(1)));
    let unfinished = b.unfinished(i64::MAX, None, 99).await.expect("a read");
    assert!(unfinished.iter().all(|found| found.id != id(1)));
    assert_eq!(u32::try_from(unfinished.len()), Ok(MOST_UNFINISHED));
    assert_eq!(b.foldable(i64::MAX, 9).await.expect("a read"), Vec::<String>::new());
    let finished = Selection::Finished { holder: holder(1), limit: 9 };
    let finished = b.list(finished).await.expect("a read");
    let shown = |listed: Listed| (listed.id, listed.info.expect("a match"), listed.sequence);
    let finished: Vec<_> = finished.into_iter().map(shown).collect();
    assert_eq!(finished, [(id(1), offline(1), 10_000)]);
    // An offline match counts as played at the time of its submission, and not at its reported start.
    let has_played = async |before| b.has_played(holder(2), before).await.expect("a read");

    // A person's second request with the same idempotency key stores nothing, even if it contains another match.
    let again = b.hand_in(offline(2), request("first"), log(3)).await;
    assert_eq!(again.expect("a write"), Appended::Conflict);
    let begun = b.create(offline(2), Some(request("first"))).await.expect("a write");
    assert_eq!(begun, Appended::Conflict);
    assert_eq!(b.info(&id(2)).await.expect("a read"), None);
    assert_eq!(b.entries(&id(2), 0).await.expect("a read"), None);
    let other = NewMatchRequest { holder: holder(2), ..request("first") };
    let seats = against_computer(3, holder(2)).seats;
    let theirs = MatchInfo { seats, ..offline(3) };
    assert_eq!(a.hand_in(theirs, other, log(1)).await.expect("a write"), Appended::Stored);
    assert_eq!(b.entries(&id(3), 0).await.expect("a read"), Some(log(1)));
    assert_eq!((has_played(HANDED_IN).await, has_played(HANDED_IN + 1).await), (false, true));
    // If an offline match is submitted several times at once, exactly one copy is stored.
    let copies = (10..20).map(|number| {
        let store = if number % 2 == 0 { &*a } else { &*b };
        store.hand_in(offline(number), request("race"), log(u64::from(number)))
    });
    let written: Vec<_> =
        join_all(copies).await.into_iter().map(|done| done.expect("a write")).collect();
    assert_eq!(written.iter().filter(|done| **done == Appended::Stored).count(), 1, "{written:?}");
    let first = b.created_by(&request("race")).await.expect("a read").expect("a match");
    let number = (10..20).find(|number| id(*number) == first).expect("a copy");
    assert_eq!(b.entries(&first, 0).await.expect("a read"), Some(log(number.into())));

    // The log of a submitted offline match accepts further entries. The removal of the match removes its whole log.
    let offer = Entry { player: Player::A, kind: EntryKind::Offer, ..entry(10_001) };
    let offered = b.append(Addition::of(&id(1), offer.clone())).await.expect("a write");
    assert_eq!(offered, Appended::Stored);
    let last = a.entries(&id(1), 9_999).await.expect("a read");
    assert_eq!(last, Some(vec![log(10_000)[9_999].clone(), offer]));
    if let Some(operator) = operator {
        let contents = inspect::inspect(operator).await.expect("a sound database");
        assert_eq!(contents.entries, 10_001 + 1 + u64::from(number));
    }
    assert_eq!(a.remove(id(1), 10_001).await.expect("a write"), Appended::Stored);
    assert_eq!(b.entries(&id(1), 0).await.expect("a read"), None);
    assert_eq!(b.created_by(&request("first")).await.expect("a read"), None);
}
