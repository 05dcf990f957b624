//! Tests that every database stores the time controls, the times of the log entries and the deadlines of matches.

use std::sync::Arc;

use futures_util::future::{FutureExt as _, join_all};

use super::pair::{Pair, against_computer, append, create, entry, holder, id, info};
use crate::store::connection::sql::statement;
use crate::store::{Addition, Appended, Deadline, Entry, EntryKind, MatchInfo, Store};

/// Returns the metadata of a test match with clocks.
fn clocked(number: u32) -> MatchInfo {
    MatchInfo { clock: Some("180+2".parse().expect("a setting")), ..info(number) }
}

/// Returns a request to append a log entry to a match, with the new deadline of the match.
fn addition(number: u32, entry: Entry, deadline: Option<i64>) -> Addition {
    Addition { deadline: Some(Deadline(deadline)), ..Addition::of(&id(number), entry) }
}

pub(super) async fn deadlines(Pair { a, b, .. }: &mut Pair) {
    for number in 1..=3 {
        create(a, clocked(number)).await;
    }
    assert_eq!(b.info(&id(1)).await.expect("a read"), Some(clocked(1)));
    assert_eq!(b.deadlines(i64::MAX, 9).await.expect("a read"), []);
    let running = async || {
        let status = b.clock_status().await.expect("a read");
        (status.has_live, status.has_any)
    };
    assert_eq!(running().await, (false, false));
    let days = Some("3d".parse().expect("a setting"));
    create(a, MatchInfo { clock: days, ..info(5) }).await;
    a.append(addition(5, entry(1), Some(9_500))).await.expect("a write");
    assert_eq!(running().await, (false, true));
    assert_eq!(b.remove(id(5), 1).await.expect("a write"), Appended::Stored);
    assert_eq!(running().await, (false, false));
    for (number, deadline) in [(1, 7_500), (2, 6_000), (3, 9_000)] {
        let appended = a.append(addition(number, entry(1), Some(deadline))).await;
        assert_eq!(appended.expect("a write"), Appended::Stored);
    }
    assert_eq!(running().await, (true, true));
    let found = b.deadlines(i64::MAX, 2).await.expect("a read");
    assert_eq!(found, [(id(2), 6_000), (id(1), 7_500)]);
    assert_eq!(b.deadlines(7_499, 9).await.expect("a read"), [(id(2), 6_000)]);
    assert_eq!(b.deadlines(7_500, 9).await.expect("a read"), found);
    let unfinished = b.unfinished(i64::MAX, None, 9).await.expect("a read");
    let times: Vec<_> = unfinished.into_iter().map(|found| (found.id, found.deadline)).collect();
    assert!(
        times.contains(&(id(2), Some(6_000))) && times.contains(&(id(1), Some(7_500))),
        "{times:?}"
    );
    // A match with correspondence clocks has a deadline, too, but its clocks are not live clocks.
    create(a, MatchInfo { clock: days, ..info(5) }).await;
    a.append(addition(5, entry(1), Some(9_500))).await.expect("a write");
    assert_eq!(b.live_clocks(2).await.expect("a read").len(), 2);
    let mut live = b.live_clocks(u32::MAX).await.expect("a read");
    live.sort();
    assert_eq!(live, [id(1), id(2), id(3)]);
    assert_eq!(b.remove(id(5), 1).await.expect("a write"), Appended::Stored);
    // A log entry that the store refuses changes no deadline. An entry that states no deadline leaves the stored deadline unchanged.
    let refused = b.append(addition(2, entry(1), Some(1))).await.expect("a write");
    assert_eq!(refused, Appended::Conflict);
    assert_eq!(append(b, 1, 2).await, Appended::Stored);
    assert_eq!(a.deadlines(i64::MAX, 2).await.expect("a read"), found);
    // A request to correct the deadline of a match is refused unless it names the sequence number of the last log entry.
    let correct = async |sequence, deadline| {
        let corrected = b.set_deadline(id(1), sequence, Deadline(deadline)).await;
        corrected.expect("a write")
    };
    assert_eq!(correct(1, Some(1)).await, Appended::Conflict);
    assert_eq!(correct(2, Some(5_000)).await, Appended::Stored);
    assert_eq!(a.deadlines(i64::MAX, 1).await.expect("a read"), [(id(1), 5_000)]);
    // The stored deadline of a match is removed when the match ends or is removed.
    let flag = Entry { kind: EntryKind::Flag, at_ms: 6_001_234, ..entry(3) };
    let last = Addition { ends: true, ..addition(1, flag.clone(), None) };
    assert_eq!(b.append(last).await.expect("a write"), Appended::Stored);
    assert_eq!(b.remove(id(2), 1).await.expect("a write"), Appended::Stored);
    assert_eq!(a.deadlines(i64::MAX, 9).await.expect("a read"), [(id(3), 9_000)]);
    // A folded log keeps the times of its entries in milliseconds for a match with clocks, and in seconds for other matches.
    create(a, info(4)).await;
    let last = Addition { ends: true, ..Addition::of(&id(4), entry(1)) };
    assert_eq!(a.append(last).await.expect("a write"), Appended::Stored);
    for number in [1, 4] {
        assert_eq!(a.fold(id(number)).await.expect("a write"), Appended::Stored);
    }
    let times = async |number| {
        let entries = b.entries(&id(number), 0).await.expect("a read").expect("a match");
        entries.iter().map(|entry| (entry.at_ms, entry.given_ms)).collect::<Vec<_>>()
    };
    let [one, two] = [1, 2].map(|sequence| (entry(sequence).at_ms, entry(sequence).given_ms));
    assert_eq!(times(1).await, [one, two, (flag.at_ms, flag.given_ms)]);
    assert_eq!(times(4).await.len(), 1);
    assert_eq!(times(4).await[0].0.div_euclid(1_000), entry(1).at());
}

/// Tests that each match has the deadline of its last accepted log entry, even if two servers append entries to many matches concurrently.
/// A refused entry must not change the deadline.
pub(super) async fn deadlines_of_many_matches(Pair { a, b, .. }: &mut Pair) {
    const MATCHES: u8 = 40;
    for number in 1..=MATCHES {
        let info = against_computer(number.into(), holder(number));
        create(a, MatchInfo { clock: clocked(0).clock, ..info }).await;
    }
    let mut stored = [0, 0];
    // The store commits several waiting writes in one transaction, and a single write in a transaction of its own. The test covers both
    // cases.
    for (sequence, at_once) in [(1, 2), (2, 2 * usize::from(MATCHES)), (3, 2)] {
        // Servers `a` and `b` write different deadlines for the same match, so that the stored deadline shows which server wrote it.
        let deadline = |number: u8, is_a: bool| 2 * i64::from(number) + i64::from(is_a);
        let numbers = (1..=MATCHES).flat_map(|number| [(number, true), (number, false)]);
        let writes = numbers.map(|(number, is_a)| {
            let entry = Entry { client_id: format!("{is_a} {sequence}"), ..entry(sequence) };
            let new = addition(number.into(), entry, Some(deadline(number, is_a)));
            let appended = if is_a { a.append(new) } else { b.append(new) };
            appended.map(move |done| (number, is_a, done.expect("a write")))
        });
        let mut writes: Vec<_> = writes.collect();
        let mut expected = Vec::new();
        while !writes.is_empty() {
            for (number, is_a, appended) in join_all(writes.drain(..at_once)).await {
                if appended == Appended::Stored {
                    stored[usize::from(is_a)] += 1;
                    expected.push((id(number.into()), deadline(number, is_a)));
                }
            }
        }
        assert_eq!(expected.len(), usize::from(MATCHES));
        let mut found = b.deadlines(i64::MAX, u32::from(MATCHES) + 1).await.expect("a read");
        found.sort();
        assert_eq!(found, expected);
    }
    eprintln!("entries by server: {stored:?}");
}

/// Number of repetitions of a test step in which one server stores a heartbeat while another server reads the last heartbeat.
const BEATS: i64 = 50;

pub(super) async fn beats(Pair { a, b, .. }: &mut Pair) {
    let seen = async |store: &Arc<dyn Store>| store.clock_status().await.expect("a read").seen;
    assert_eq!(seen(b).await, 0);
    assert_eq!(a.beat(5_000).await.expect("a write"), Appended::Stored);
    assert_eq!(b.beat(4_000).await.expect("a write"), Appended::Conflict);
    assert_eq!(seen(a).await, 5_000);
    assert_eq!(b.beat(6_000).await.expect("a write"), Appended::Stored);
    assert_eq!(seen(a).await, 6_000);
    // The time of the database never goes backwards between two reads, even if a heartbeat is stored during the second read. This read
    // returns either the former or the new heartbeat.
    let mut known = 0;
    for number in 0..BEATS {
        let status = a.clock_status().await.expect("a read");
        let Some(now) = status.now else { break };
        let beat = now.max(status.seen + 1);
        let (stored, read) = tokio::join!(a.beat(beat), b.clock_status());
        assert_eq!(stored.expect("a write"), Appended::Stored, "{number}");
        let read = read.expect("a read");
        assert!(read.seen == status.seen || read.seen == beat, "{read:?}");
        assert!(read.now.is_some_and(|later| later >= now), "{read:?}");
        assert_eq!(seen(b).await, beat);
        known += 1;
    }
    let has_time = a.clock_status().await.expect("a read").now.is_some();
    assert_eq!(known, if has_time { BEATS } else { 0 });
}

/// Tests that a match with clocks can contain log entries with times in whole seconds, which earlier versions stored.
pub(super) async fn entries_of_earlier_versions(Pair { a, operator, .. }: &mut Pair) {
    create(a, clocked(1)).await;
    let insert = "INSERT INTO log (match_id, sequence, player, kind, detail, client_id, at)
         VALUES ($1, 1, 'a', 'act', 'Tc', 'request', 77)";
    let operator = operator.as_mut().expect("a database");
    statement(insert).bind(id(1)).execute(operator).await.expect("a write");
    let entries = a.entries(&id(1), 0).await.expect("a read").expect("a match");
    assert_eq!((entries[0].at_ms, entries[0].at(), entries[0].given_ms), (77_000, 77, 0));
}
