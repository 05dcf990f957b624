//! Tests that servers divide background work among themselves by database leases, on every database.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;

use super::pair::{Pair, against_computer, create, entry, holder, id, info};
use crate::store::connection::sql::{Connection, sql, statement};
use crate::store::queries::leases::{EXPIRY, LEASE, of_event};
use crate::store::{Addition, Appended, Store};

async fn keep(store: &Arc<dyn Store>) -> Vec<String> {
    store.keep_leases().await.expect("a write")
}

/// Sets the expiry of all database leases to a Unix time in milliseconds.
async fn last_until(operator: &mut Connection, until: i64) {
    let change = statement("UPDATE leases SET until = $1").bind(until);
    change.execute(operator).await.expect("a write");
}

/// Sets the expiry of the database lease of match 1 to `time` milliseconds from now.
async fn last_for(operator: &mut Connection, time: i64) {
    let change = statement(sql!("UPDATE leases SET until = $2 + ", NOW, " WHERE name = $1"));
    change.bind(id(1)).bind(time).execute(operator).await.expect("a write");
}

/// Returns the expiry of the database lease of match 1, as a Unix time in milliseconds.
async fn until(operator: &mut Connection) -> i64 {
    let query = statement("SELECT until FROM leases WHERE name = $1").bind(id(1));
    query.scalar(operator).await.expect("a lease")
}

pub(super) async fn leases_of_servers(Pair { a, b, operator }: &mut Pair) {
    const LONG: Duration = Duration::from_hours(1);
    let expiry = EXPIRY.to_owned();
    assert_eq!((keep(a).await, keep(b).await), (vec![expiry.clone()], vec![]));
    assert_eq!(b.release_lease(expiry.clone(), LONG).await.expect("a write"), Appended::Conflict);
    assert_eq!(a.release_lease(expiry.clone(), LONG).await.expect("a write"), Appended::Stored);
    assert_eq!((keep(a).await, keep(b).await), (vec![], vec![]));
    // The server that creates a match against a computer opponent holds the lease for the first turn of the match.
    create(a, against_computer(1, holder(1))).await;
    create(a, info(2)).await;
    let take = async |store: &Arc<dyn Store>| store.take_lease(&id(1)).await.expect("a write");
    assert_eq!((keep(a).await, keep(b).await), (vec![id(1)], vec![]));
    assert_eq!((take(a).await, take(b).await), (Appended::Stored, Appended::Conflict));
    // The server that appends a player's log entry gets the lease for the next turn of the computer opponent. The entry of the computer
    // opponent ends the lease.
    let act = async |store: &Arc<dyn Store>, sequence, computer_acts| {
        let addition = Addition {
            computer_acts: Some(computer_acts),
            ..Addition::of(&id(1), entry(sequence))
        };
        store.append(addition).await.expect("a write")
    };
    assert_eq!(act(b, 1, true).await, Appended::Stored);
    assert_eq!((keep(a).await, keep(b).await), (vec![], vec![id(1)]));
    assert_eq!(act(a, 1, false).await, Appended::Conflict);
    assert_eq!(keep(b).await, [id(1)]);
    assert_eq!(act(a, 2, false).await, Appended::Stored);
    assert_eq!((keep(a).await, keep(b).await), (vec![], vec![]));
    // A server can remove the lease of a match only if the log of the match has not grown since the server read the log.
    assert_eq!((take(a).await, take(b).await), (Appended::Stored, Appended::Conflict));
    assert_eq!(b.remove_lease(id(1), 1).await.expect("a write"), Appended::Conflict);
    assert_eq!(b.remove_lease(id(1), 2).await.expect("a write"), Appended::Stored);
    assert_eq!((take(b).await, take(a).await), (Appended::Stored, Appended::Conflict));
    // The clock of the database decides how long a lease lasts. A lease can be renewed, and runs out.
    if let Some(operator) = operator {
        last_until(operator, i64::MAX).await;
        assert_eq!(keep(b).await, [id(1)]);
        assert_ne!(until(operator).await, i64::MAX, "the lease is renewed");
        // A server renews only those of its leases that expire soon. On a slow machine, a lease may need a renewal in the meantime, so that
        // the test tries again.
        let mut kept = false;
        for _ in 0..100 {
            last_for(operator, LEASE - 1).await;
            let before = until(operator).await;
            assert_eq!(keep(b).await, [id(1)]);
            kept = until(operator).await == before;
            if kept {
                break;
            }
        }
        assert!(kept, "each look renews the lease");
        last_for(operator, LEASE / 2).await;
        let before = until(operator).await;
        assert_eq!(keep(b).await, [id(1)]);
        assert!(until(operator).await > before);
    }
    assert_eq!(keep(a).await, Vec::<String>::new());
    while keep(a).await.is_empty() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!((take(a).await, take(b).await), (Appended::Stored, Appended::Conflict));
    // After server `a` has released a lease, `keep_leases` gives the lease to no server during the requested pause. A server that asks for
    // the lease by its name gets the lease at once.
    assert_eq!(a.release_lease(id(1), LONG).await.expect("a write"), Appended::Stored);
    assert_eq!((keep(a).await, keep(b).await), (vec![], vec![]));
    assert_eq!((take(b).await, take(a).await), (Appended::Stored, Appended::Conflict));
    // A server takes over the expired lease of a tournament event only if it asks for this lease by its name. A request for all due leases
    // does not include this lease.
    let event = of_event("1");
    let take_event =
        async |store: &Arc<dyn Store>| store.take_lease(&event).await.expect("a write");
    assert_eq!((take_event(a).await, take_event(b).await), (Appended::Stored, Appended::Conflict));
    while take_event(b).await == Appended::Conflict {
        assert_eq!(keep(b).await, [id(1)]);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!((take_event(a).await, keep(b).await), (Appended::Conflict, vec![id(1)]));
    assert_eq!(b.remove_lease(event.clone(), 0).await.expect("a write"), Appended::Stored);
    // A server that retires releases its leases, so that another server takes over the background work.
    assert_eq!(b.retire().await.expect("a write"), Appended::Stored);
    assert_eq!(keep(a).await, [id(1)]);
    assert_eq!(act(b, 3, true).await, Appended::Stored);
    assert_eq!((take(b).await, keep(a).await), (Appended::Conflict, vec![id(1)]));
    assert_eq!(a.remove(id(1), 3).await.expect("a write"), Appended::Stored);
    assert_eq!(take(b).await, Appended::Conflict);
    assert_eq!(keep(a).await, [id(1)], "a server without leases leaves work to others");
    assert_eq!(a.remove_lease(id(1), 0).await.expect("a write"), Appended::Stored);
    assert_eq!(keep(a).await, Vec::<String>::new());
}

pub(super) async fn race_for_leases(Pair { a, b, operator }: &mut Pair) {
    const MATCHES: u8 = 80;
    const ROUNDS: u64 = 10;
    let operator = operator.as_mut().expect("a database");
    for number in 1..=MATCHES {
        create(a, against_computer(number.into(), holder(number))).await;
    }
    let mut most = 0;
    for round in 1..=ROUNDS {
        // Two servers take over expired leases, and append log entries to the same matches in opposite orders.
        last_until(operator, 0).await;
        let writes = (1..=u32::from(MATCHES)).flat_map(|number| {
            let turn = |number| Addition {
                computer_acts: Some(true),
                ..Addition::of(&id(number), entry(round))
            };
            [a.append(turn(number)), b.append(turn(u32::from(MATCHES) + 1 - number))]
        });
        let (written, ..) = tokio::join!(join_all(writes), a.keep_leases(), b.keep_leases());
        let written = written.into_iter().map(|done| done.expect("a write"));
        let stored = written.filter(|done| *done == Appended::Stored).count();
        assert_eq!(stored, usize::from(MATCHES));
        last_until(operator, 0).await;
        let (by_a, by_b) = tokio::join!(a.keep_leases(), b.keep_leases());
        let told = [by_a, by_b].map(|names| BTreeSet::from_iter(names.expect("a write")));
        let rows = statement("SELECT holder, name FROM leases").rows(&mut *operator).await;
        let mut held = BTreeMap::<String, BTreeSet<String>>::new();
        for row in rows.expect("a read") {
            let holder = row.get("holder").expect("a server");
            held.entry(holder).or_default().insert(row.get("name").expect("a name"));
        }
        assert_eq!(held.values().map(BTreeSet::len).sum::<usize>(), 1 + usize::from(MATCHES));
        for names in held.values() {
            assert!(told.iter().any(|told| told.is_superset(names)), "each server knows its work");
        }
        most = most.max(held.len());
    }
    eprintln!("{most} of 2 servers took leases in one round");
}
