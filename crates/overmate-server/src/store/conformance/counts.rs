//! Tests the rate limits and quotas that all servers of a database share, and the maximum length of a log.

use std::time::Duration;

use futures_util::future::join_all;

use super::pair::{MOST_UNFINISHED, Pair, against_computer, append, create, holder, id, info};
use crate::store::connection::sql::{Connection, statement};
use crate::store::{Appended, Counted, Quota};

/// Window (period in which requests are counted) of the rate limits in the tests. The duration of a test is negligible compared with this
/// window.
const LONG: Duration = Duration::from_hours(10);

/// Maximum time for which a test waits for the removal of rate-limit counters. A slower removal is assumed to wait for a lock.
const HANG: Duration = Duration::from_secs(10);

/// Returns a test request that counts against the rate limits with the given keys. The window [`LONG`] has room for ten such
/// requests.
fn of(keys: impl IntoIterator<Item = i64>) -> Vec<Counted> {
    keys.into_iter().map(|key| Counted { key, step: LONG / 10 }).collect()
}

/// Counts requests against rate limits concurrently at two servers, and returns the number of accepted requests. Checks that each refusal
/// reports a wait of at most one step.
async fn taken(
    Pair { a, b, .. }: &Pair,
    requests: impl IntoIterator<Item = Vec<Counted>>,
) -> usize {
    let requests = requests.into_iter().zip([a, b].into_iter().cycle());
    let counted = join_all(requests.map(|(request, store)| store.count(request, LONG))).await;
    let counted = counted.into_iter().map(|counted| counted.expect("a count"));
    let taken = counted.filter(|wait| match wait {
        None => true,
        Some(wait) => {
            assert!(!wait.is_zero() && *wait <= LONG / 10, "{wait:?}");
            false
        }
    });
    taken.count()
}

pub(super) async fn counts_of_all_servers(pair: &mut Pair) {
    if let Some(Connection::Sqlite(_)) = pair.operator {
        // A SQLite database has a single server, which counts requests against the rate limits itself. The store thus counts no requests.
        assert_eq!(taken(pair, (0..20).map(|_| of([1]))).await, 20);
        pair.a.forget_counts().await.expect("a write");
        return;
    }
    assert_eq!(taken(pair, (0..40).map(|_| of([1]))).await, 10);
    assert_eq!(taken(pair, (0..4).map(|_| of([2]))).await, 4);
    // A request counts against none of its rate limits if it would exceed one of them.
    assert_eq!(taken(pair, (0..10).map(|_| of([2, 1, 3]))).await, 0);
    let mut in_turn = 0;
    for _ in 0..20 {
        in_turn += taken(pair, [of([3, 2])]).await;
    }
    assert_eq!(in_turn, 6);
    assert_eq!(taken(pair, (0..20).map(|_| of([3]))).await, 4);
    // A rate limit with a smaller `step` (the time window divided by the number of permitted requests) accepts more requests.
    let large = Counted { key: 4, step: LONG / 20 };
    assert_eq!(taken(pair, (0..40).map(|_| vec![large])).await, 20);
    // Concurrent requests that share some of their rate limits must never cause a deadlock in the database. Half of the requests list the
    // keys of their rate limits in descending order, and the others in ascending order.
    let requests = (0..60).map(|number| {
        let mut request = of((0..4).map(|place| 10 + (number * (place + 1)) % 7));
        request.sort_by_key(|counted| counted.key);
        request.dedup();
        if number % 2 == 0 {
            request.reverse();
        }
        request
    });
    let shared = taken(pair, requests).await;
    assert!((10..60).contains(&shared), "{shared}");

    // A refused request is accepted if it is repeated after the waiting time that the store has returned with the refusal.
    let short = Duration::from_millis(600);
    let request = || vec![Counted { key: -1, step: short / 2 }];
    let mut wait = None;
    for _ in 0..10_000 {
        wait = pair.a.count(request(), short).await.expect("a count");
        if wait.is_some() {
            break;
        }
    }
    tokio::time::sleep(wait.expect("a refusal")).await;
    assert_eq!(pair.b.count(request(), short).await.expect("a count"), None);

    // The store deletes only rate-limit counters that no longer affect any request.
    tokio::time::sleep(short).await;
    pair.b.forget_counts().await.expect("a write");
    assert_eq!(taken(pair, (0..20).map(|_| of([1]))).await, 0);
    let Some(operator) = &mut pair.operator else { return };
    let kept = statement("SELECT count(*) FROM counts WHERE key < 0").scalar(&mut *operator);
    assert_eq!(kept.await.ok(), Some(0_i64));
    // The removal of old rate-limit counters does not wait for another server's transaction that changes a counter. The changed counter
    // stays.
    for key in [-1_i64, -2] {
        let old = statement("INSERT INTO counts (key, until) VALUES ($1, 0)").bind(key);
        old.execute(&mut *operator).await.expect("a write");
    }
    operator.begin().await.expect("a transaction");
    let counting = statement("UPDATE counts SET until = 1 WHERE key = -1");
    assert_eq!(counting.execute(&mut *operator).await.ok(), Some(1));
    let removal = tokio::time::timeout(HANG, pair.b.forget_counts()).await;
    removal.expect("no wait for the lock").expect("a write");
    operator.commit().await.expect("a write");
    let kept = statement("SELECT key FROM counts WHERE key < 0").scalars(&mut *operator);
    assert_eq!(kept.await.ok(), Some(vec![-1_i64]));
    // The test moves the times of the rate-limit counters two days into the future, as if the clock of the database had been set back. The
    // store ignores such counters.
    statement("UPDATE counts SET until = until + 172800000000")
        .execute(operator)
        .await
        .expect("a write");
    assert_eq!(taken(pair, (0..20).map(|_| of([1]))).await, 10);
}

pub(super) async fn longest_log(Pair { a, b, .. }: &mut Pair) {
    let longest = async || b.longest_log().await.expect("a read");
    create(a, info(1)).await;
    create(a, info(2)).await;
    assert_eq!(longest().await, 0);
    for sequence in 1..=130 {
        assert_eq!(append(a, 1, sequence).await, Appended::Stored);
        if sequence <= 128 {
            assert_eq!(append(a, 2, sequence).await, Appended::Stored);
        }
        let expected = if sequence < 128 { 0 } else { sequence };
        assert_eq!(longest().await, expected);
    }
    assert_eq!(a.remove(id(1), 130).await.expect("a write"), Appended::Stored);
    assert_eq!(longest().await, 128);
}

pub(super) async fn keys(Pair { a, b, .. }: &mut Pair) {
    assert_eq!(a.identity_key(), b.identity_key());
    assert_ne!(a.identity_key(), [0; 32]);
    assert!(a.shared_deal_key() == b.shared_deal_key());
    a.check_writable().await.expect("a writable database");
}

/// Tests that concurrent requests create no more unfinished matches than the quota permits.
pub(super) async fn quotas(Pair { a, b, .. }: &mut Pair) {
    let new = (1..=20).map(|number| {
        let store = if number % 2 == 0 { &*a } else { &*b };
        store.create(against_computer(number, holder(1)), None)
    });
    let created: Vec<_> =
        join_all(new).await.into_iter().map(|done| done.expect("a write")).collect();
    let stored = created.iter().filter(|done| **done == Appended::Stored).count();
    let full = created.iter().filter(|done| **done == Appended::Full(Quota::Unfinished)).count();
    assert_eq!((stored, full), (MOST_UNFINISHED as usize, 20 - MOST_UNFINISHED as usize));
    create(a, against_computer(21, holder(2))).await;
}
