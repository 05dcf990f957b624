//! Tests push subscriptions and waiting push messages on every store.

use std::sync::Arc;

use futures_util::future::join_all;
use overmate_rules::{ByPlayer, Player};

use super::accounts::sign_in_anew;
use super::pair::{Pair, append, create, entry, holder, id, info, seat, use_code};
use super::relations::new_account;
use crate::store::connection::sql::statement;
use crate::store::queries::operators;
use crate::store::{
    Addition, Appended, CodeKind, CodeOffer, Deadline, MOST_SUBSCRIPTIONS, MatchInfo, Occupant,
    PersonChange, PushChange, PushKind, PushLanguage, PushSubscription, Store,
};

type Shared = Arc<dyn Store>;

fn subscription(browser: u8, at: i64) -> PushSubscription {
    PushSubscription {
        browser: holder(browser),
        endpoint: format!("https://push.example/{browser}"),
        key: vec![browser; 65],
        secret: vec![browser; 16],
        language: if browser.is_multiple_of(2) {
            PushLanguage::English
        } else {
            PushLanguage::German
        },
        made_at: at,
        failures: 0,
        retry_at: 0,
        told: None,
    }
}

async fn change(store: &Shared, change: PushChange) -> Appended {
    store.change_push(change).await.expect("a write")
}

async fn set(store: &Shared, person: u8, browser: u8, at: i64) -> Appended {
    let subscription = subscription(browser, at);
    change(store, PushChange::Set { person: holder(person), subscription }).await
}

async fn change_person(store: &Shared, change: PersonChange) {
    assert_eq!(store.change_person(change).await.expect("a write"), Appended::Stored);
}

/// Returns a person's browsers with a push subscription, each as the first byte of the browser identity.
async fn of(store: &Shared, person: u8) -> Vec<u8> {
    let subscriptions = store.push_subscriptions(holder(person)).await.expect("a read");
    subscriptions.iter().map(|subscription| subscription.browser.0[0]).collect()
}

/// Returns a linking code with a given hash that a person's first browser makes.
fn link(person: u8, hash: [u8; 32]) -> CodeOffer {
    CodeOffer {
        hashes: vec![hash],
        kind: CodeKind::Link,
        person: holder(person),
        browser: holder(person),
        name: None,
        at: 50,
        until: None,
    }
}

/// Adds a browser identity to the browsers of a person by means of a linking code.
pub(super) async fn add(store: &Shared, person: u8, browser: u8) {
    let hash = [browser; 32];
    change_person(store, PersonChange::Offer(link(person, hash))).await;
    change_person(store, use_code(hash, browser, 60)).await;
}

/// Creates a test match between two browser identities.
async fn between(store: &Shared, number: u32, a: u8, b: u8) {
    let seats =
        ByPlayer { a: seat(Occupant::Holder(holder(a))), b: seat(Occupant::Holder(holder(b))) };
    create(store, MatchInfo { invitation: None, seats, ..info(number) }).await;
}

pub(super) async fn subscriptions(Pair { a, b, .. }: &mut Pair) {
    // The store refuses the push subscription of an unknown person, or of a browser that belongs to another person. A seat makes a
    // person known.
    assert_eq!(set(a, 70, 70, 1).await, Appended::Conflict);
    between(a, 1, 70, 71).await;
    assert_eq!(set(a, 70, 71, 1).await, Appended::Conflict);
    assert_eq!(set(a, 70, 70, 1).await, Appended::Stored);
    assert_eq!(b.push_subscriptions(holder(70)).await.expect("a read"), [subscription(70, 1)]);

    // The store keeps the result of a sent push message. A new subscription of the browser starts without results.
    let sent = |failures, told: Option<&str>| PushChange::Sent {
        person: holder(70),
        browser: holder(70),
        endpoint: "https://push.example/70".to_owned(),
        failures,
        retry_at: 9,
        told: told.map(str::to_owned),
    };
    assert_eq!(change(b, sent(0, Some("turn 1"))).await, Appended::Stored);
    assert_eq!(change(b, sent(3, None)).await, Appended::Stored);
    let read = a.push_subscriptions(holder(70)).await.expect("a read").remove(0);
    assert_eq!((read.failures, read.retry_at, read.told.as_deref()), (3, 9, Some("turn 1")));
    // The store ignores the result of a push message to an endpoint that the browser no longer uses.
    let endpoint = "https://push.example/former".to_owned();
    let (person, browser) = (holder(70), holder(70));
    let late =
        PushChange::Sent { person, browser, endpoint, failures: 9, retry_at: 99, told: None };
    assert_eq!(change(b, late).await, Appended::Conflict);
    assert_eq!(set(a, 70, 70, 2).await, Appended::Stored);
    assert_eq!(b.push_subscriptions(holder(70)).await.expect("a read"), [subscription(70, 2)]);

    // If two browsers send the same push endpoint, the endpoint belongs to the browser that sent it last.
    let taken = PushSubscription { browser: holder(71), ..subscription(70, 3) };
    let taken = PushChange::Set { person: holder(71), subscription: taken };
    assert_eq!(change(a, taken).await, Appended::Stored);
    assert_eq!((of(b, 70).await, of(b, 71).await), (vec![], vec![71]));

    // The store removes a push endpoint that its push service no longer knows. A newer endpoint of the same browser stays.
    let remove = |endpoint: Option<&str>| PushChange::Remove {
        person: holder(71),
        browser: holder(71),
        endpoint: endpoint.map(str::to_owned),
    };
    let other = Some("https://push.example/other");
    assert_eq!(change(b, remove(other)).await, Appended::Conflict);
    assert_eq!(of(a, 71).await, [71]);
    assert_eq!(change(b, remove(Some("https://push.example/70"))).await, Appended::Stored);
    assert_eq!(of(a, 71).await, [0_u8; 0]);
    assert_eq!(set(a, 71, 71, 4).await, Appended::Stored);
    assert_eq!(change(b, remove(None)).await, Appended::Stored);
    assert_eq!(change(b, remove(None)).await, Appended::Conflict);

    // The number of subscriptions of a person is limited. The oldest subscriptions are removed first.
    let most = u8::try_from(MOST_SUBSCRIPTIONS).expect("a small number");
    for browser in 100..=100 + most {
        add(a, 70, browser).await;
        assert_eq!(set(b, 70, browser, browser.into()).await, Appended::Stored);
    }
    assert_eq!(of(a, 70).await, (101..=100 + most).collect::<Vec<u8>>());
}

pub(super) async fn subscriptions_of_persons(Pair { a, b, .. }: &mut Pair) {
    between(a, 1, 70, 71).await;
    assert_eq!(set(a, 70, 70, 1).await, Appended::Stored);
    assert_eq!(set(a, 71, 71, 2).await, Appended::Stored);
    // When a browser is linked to another person, its push subscription passes to this person.
    add(a, 70, 71).await;
    assert_eq!((of(b, 70).await, of(b, 71).await), (vec![70, 71], vec![]));
    // A browser that is signed out gets no further push messages.
    let (person, browser) = (holder(70), holder(71));
    change_person(b, PersonChange::Revoke { person, browser, keeps_codes: true }).await;
    assert_eq!(of(a, 70).await, [70]);
    assert_eq!(set(a, 70, 71, 3).await, Appended::Conflict);

    // When a person creates an account, their other browsers are signed out, and the remaining browser gets a new token. All of them lose
    // their push subscriptions, because somebody else may have made them.
    add(a, 70, 72).await;
    assert_eq!(set(a, 70, 72, 4).await, Appended::Stored);
    change_person(a, new_account(70, 73, "Xenia", "hash")).await;
    assert_eq!(of(b, 70).await, [0_u8; 0]);
    assert_eq!(set(a, 70, 73, 5).await, Appended::Stored);

    // No push subscription follows a browser that signs in to an account, or that uses a code of an account.
    between(a, 2, 74, 76).await;
    add(a, 74, 75).await;
    for (person, browser) in [(74, 74), (74, 75), (76, 76)] {
        assert_eq!(set(a, person, browser, 6).await, Appended::Stored);
    }
    assert_eq!(sign_in_anew(a, (70, "hash"), (74, 77), 80).await, Appended::Stored);
    let code = CodeOffer { browser: holder(73), ..link(70, [76; 32]) };
    change_person(a, PersonChange::Offer(code)).await;
    let (browser, renewed) = (holder(76), holder(78));
    let add = PersonChange::Add { hash: [76; 32], browser, renewed, name: None, at: 80 };
    change_person(a, add).await;
    let own = b.browsers(holder(70)).await.expect("a read");
    assert_eq!(own.iter().map(|known| known.browser.0[0]).collect::<Vec<_>>(), [73, 77, 78]);
    assert_eq!((of(b, 70).await, of(b, 74).await, of(b, 76).await), (vec![73], vec![], vec![]));
    // A browser of the account that signs in again gets a new token, and loses its push subscription.
    assert_eq!(sign_in_anew(a, (70, "hash"), (73, 79), 81).await, Appended::Stored);
    assert_eq!(of(b, 70).await, [0_u8; 0]);
    assert_eq!(set(a, 70, 79, 7).await, Appended::Stored);

    change_person(b, PersonChange::Forget { person: holder(70), at: 90 }).await;
    assert_eq!(of(a, 70).await, [0_u8; 0]);
}

pub(super) async fn messages(Pair { a, b, .. }: &mut Pair) {
    between(a, 1, 70, 71).await;
    between(a, 2, 72, 73).await;
    // The store queues no push message about a match whose players have no push subscription.
    assert_eq!(append(a, 1, 1).await, Appended::Stored);
    assert_eq!(b.waiting_turns().await.expect("a read"), [""; 0]);
    assert_eq!(set(a, 71, 71, 1).await, Appended::Stored);
    for number in [1, 2] {
        let sequence = if number == 1 { 2 } else { 1 };
        assert_eq!(append(b, number, sequence).await, Appended::Stored);
    }
    assert_eq!(a.waiting_turns().await.expect("a read"), [PushKind::Turn.lease(&id(1))]);
    // A queued push message about a turn is removed only if the log of the match has not grown since the server read the log.
    let lease = PushKind::Turn.lease(&id(1));
    assert_eq!(a.remove_lease(lease.clone(), 1).await.expect("a write"), Appended::Conflict);
    assert_eq!(a.remove_lease(lease, 2).await.expect("a write"), Appended::Stored);
    assert_eq!(b.waiting_turns().await.expect("a read"), [""; 0]);
    // If many matches get log entries at once, the store queues a push message for each match in which a player has a push subscription.
    let numbers = 3..=22;
    for number in numbers.clone() {
        between(a, number.into(), 100 + number, 150 + number).await;
        if number % 2 == 0 {
            assert_eq!(set(a, 100 + number, 100 + number, 1).await, Appended::Stored);
        }
    }
    let appended = join_all(numbers.clone().map(|number| append(a, number.into(), 1))).await;
    assert_eq!(appended, vec![Appended::Stored; numbers.len()]);
    let mut waiting = b.waiting_turns().await.expect("a read");
    waiting.sort();
    let even = numbers.filter(|number| number % 2 == 0);
    let expected = even.map(|number| PushKind::Turn.lease(&id(number.into())));
    assert_eq!(waiting, expected.collect::<Vec<_>>());
}

/// Checks the times at which waiting push messages are due.
pub(super) async fn times_of_messages(Pair { a, operator, .. }: &mut Pair) {
    let connection = operator.as_mut().expect("a database");
    between(a, 1, 70, 71).await;
    assert_eq!(set(a, 71, 71, 1).await, Appended::Stored);
    let now = a.clock_status().await.expect("a read").now.unwrap_or_else(crate::clock::now_ms);
    let mut sequence = 0;
    let mut checked = 0;
    for (deadline, near) in [
        (Some(now + 24 * 3_600_000), Some(now + 18 * 3_600_000)),
        // No push message about a deadline is scheduled if the deadline is already near, or if no clock runs.
        (Some(now + 3_600_000), None),
        (Some(now + 48 * 3_600_000), Some(now + 42 * 3_600_000)),
        (None, None),
    ] {
        sequence += 1;
        let deadline = Some(Deadline(deadline));
        let addition = Addition { deadline, ..Addition::of(&id(1), entry(sequence)) };
        assert_eq!(a.append(addition).await.expect("a write"), Appended::Stored);
        let read = statement("SELECT until FROM leases WHERE name = $1");
        let read = read.bind(PushKind::Near.lease(&id(1)));
        let read: Option<i64> = read.optional_scalar(&mut *connection).await.expect("a read");
        assert_eq!(read, near);
        checked += 1;
    }
    assert_eq!(checked, 4);
    let until: i64 = statement("SELECT until FROM leases WHERE name = $1")
        .bind(PushKind::Turn.lease(&id(1)))
        .scalar(&mut *connection)
        .await
        .expect("a waiting message");
    assert!(until > now, "{until} {now}");

    // An operator who revokes the access of a browser also removes its subscription.
    assert_eq!(entry(1).player, Player::A);
    operators::revoke_browser(connection, holder(71), holder(74), 99).await.expect("a write");
    assert_eq!((of(a, 71).await, of(a, 74).await), (vec![], vec![]));
}
