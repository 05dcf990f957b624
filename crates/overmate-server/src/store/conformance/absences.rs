//! Tests that every database stores the days off of people.

use super::pair::{Pair, against_computer, create, holder, use_code};
use crate::clocks::absence::Absence;
use crate::clocks::clock_setting::DAY;
use crate::store::{
    AbsenceChange, AbsenceKind, Appended, CodeKind, CodeOffer, Holder, PersonChange, Store,
};

type Shared = std::sync::Arc<dyn Store>;

async fn change(store: &Shared, person: u8, kind: AbsenceKind) -> Appended {
    let change = AbsenceChange { person: holder(person), kind };
    store.change_absence(change).await.expect("a write")
}

async fn of(store: &Shared, person: u8) -> Vec<(i64, i64)> {
    let absences = store.absences_of(holder(person)).await.expect("a read");
    absences.into_iter().map(|absence| (absence.began_at, absence.until)).collect()
}

/// Assigns a browser identity to a person at a given time, in seconds since 1970.
async fn join(store: &Shared, browser: u8, person: u8, at: i64) -> Appended {
    let hash = [100 + person; 32];
    let offer = PersonChange::Offer(CodeOffer {
        hashes: vec![hash],
        kind: CodeKind::Link,
        person: holder(person),
        browser: holder(person),
        name: None,
        at,
        until: None,
    });
    assert_eq!(store.change_person(offer).await.expect("a write"), Appended::Stored);
    let add = use_code(hash, browser, at);
    store.change_person(add).await.expect("a write")
}

pub(super) async fn absences(pair: &mut Pair) {
    days_off(pair).await;
    super::feeds::exposed_addresses(pair).await;
}

async fn days_off(Pair { a, b, .. }: &mut Pair) {
    let (a, b) = (&*a, &*b);
    let begin = |began_at, until| AbsenceKind::Begin(Absence { began_at, until });
    let end = |at| AbsenceKind::End { at };
    for person in 1..=3 {
        create(a, against_computer(person.into(), holder(person))).await;
    }
    assert_eq!(change(a, 4, begin(1, 5)).await, Appended::Conflict, "no seat");
    assert_eq!(change(a, 1, end(5)).await, Appended::Conflict);
    assert_eq!(change(a, 1, begin(10, 100)).await, Appended::Stored);
    assert_eq!(change(b, 1, begin(20, 120)).await, Appended::Conflict);
    assert_eq!(change(b, 2, begin(20, 120)).await, Appended::Stored);
    assert_eq!(change(b, 1, end(30)).await, Appended::Stored);
    assert_eq!(change(a, 1, end(30)).await, Appended::Conflict);
    assert_eq!(change(a, 1, begin(40, 50)).await, Appended::Stored);
    assert_eq!(of(b, 1).await, [(10, 30), (40, 50)]);
    assert_eq!(of(a, 2).await, [(20, 120)]);
    let changed = async |since, until| {
        let mut changed = b.changed_absences(since, until).await.expect("a read");
        changed.sort_by_key(|person| person.0);
        changed
    };
    assert_eq!(changed(0, 9).await, []);
    assert_eq!(changed(20, 20).await, [holder(2)]);
    assert_eq!(changed(30, 45).await, [holder(1)]);
    assert_eq!(changed(31, 39).await, []);
    assert_eq!(changed(0, 200).await, [holder(1), holder(2)]);
    // If several requests begin days off at the same time, exactly one request succeeds.
    let race = futures_util::future::join_all((0..10).map(|number| {
        let store = if number % 2 == 0 { a } else { b };
        change(store, 3, begin(100 + number, 200))
    }));
    let begun = race.await.into_iter().filter(|done| *done == Appended::Stored).count();
    assert_eq!((begun, of(a, 3).await.len()), (1, 1));

    // Each person has at most one secret URL for the web feed of their turns. A new URL replaces the former one.
    let set = async |person, token: Option<&str>| {
        let set = a.set_feed(holder(person), holder(person), token.map(str::to_owned)).await;
        assert_eq!(set.expect("a write"), Appended::Stored);
    };
    let reader = async |token| b.person_of_feed(token).await.expect("a read");
    for (person, token) in [(1, "one"), (2, "two"), (1, "new")] {
        set(person, Some(token)).await;
    }
    assert_eq!((reader("one").await, reader("new").await), (None, Some(holder(1))));
    assert_eq!(b.feed_of(holder(2)).await.expect("a read").as_deref(), Some("two"));
    set(3, None).await;
    assert_eq!(b.feed_of(holder(3)).await.expect("a read"), None);
    let refused = a.set_feed(holder(4), holder(4), Some("four".to_owned())).await;
    let refused = refused.expect("a write");
    assert_eq!((refused, reader("four").await), (Appended::Conflict, None), "no seat");

    // If a person's browser is linked to another person, the second person takes over the days off of the first person. Days off that are
    // running then end. The erasure of a person removes all their days off.
    assert_eq!(change(a, 2, begin(1_500, 9_000)).await, Appended::Stored);
    assert_eq!(join(a, 2, 1, 2).await, Appended::Stored);
    assert_eq!(of(a, 1).await, [(10, 30), (20, 120), (40, 50), (1_500, 2_000)]);
    assert_eq!((reader("two").await, reader("new").await), (None, Some(holder(1))));
    // After browser 2 has been linked to person 1, a late request of browser 2 changes the days off of person 1.
    assert_eq!(change(a, 2, begin(3_000, 4_000)).await, Appended::Stored);
    assert_eq!(of(b, 1).await.last(), Some(&(3_000, 4_000)));
    assert_eq!(of(a, 2).await, []);
    // If the browsers of two persons are linked, the used days off of both persons count towards one yearly limit.
    create(a, against_computer(5, holder(5))).await;
    let spent = 20 * DAY;
    assert_eq!(change(a, 5, begin(3 * DAY, 3 * DAY + spent)).await, Appended::Stored);
    create(a, against_computer(6, holder(6))).await;
    assert_eq!(change(b, 6, begin(30 * DAY, 30 * DAY + spent)).await, Appended::Stored);
    let at = 31 * DAY / 1_000;
    assert_eq!(join(a, 5, 6, at).await, Appended::Stored);
    assert_eq!(of(b, 6).await, [(3 * DAY, 3 * DAY + spent), (30 * DAY, 31 * DAY)]);
    let both: &[Holder] = &[holder(6)];
    assert_eq!(changed(31 * DAY, 31 * DAY).await, both);
    // The sign-out of a browser removes the secret URL of the person's turn feed, because the signed-out browser still knows the URL.
    let revoke = PersonChange::Revoke { person: holder(1), browser: holder(2), keeps_codes: true };
    assert_eq!(a.change_person(revoke).await.expect("a write"), Appended::Stored);
    assert_eq!(reader("new").await, None);
    set(1, Some("new")).await;
    let forget = PersonChange::Forget { person: holder(1), at: 3 };
    assert_eq!(a.change_person(forget).await.expect("a write"), Appended::Stored);
    assert_eq!(of(b, 1).await, []);
    assert_eq!(reader("new").await, None);
    assert_eq!(of(b, 3).await.len(), 1);
}
