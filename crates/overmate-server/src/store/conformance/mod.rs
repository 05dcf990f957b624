//! Tests that every database behaves as [`Store`] specifies, even when two servers share the database.

mod absences;
mod accounts;
mod bots;
mod clocks;
mod counts;
mod events;
mod feeds;
mod hand_in;
mod leases;
mod mail;
mod offers;
pub(super) mod pair;
mod passkeys;
mod people;
mod push;
mod puzzles;
mod rated_pairs;
mod ratings;
pub(super) mod relations;
mod reports;
mod seats;
mod talk;
mod turn_mails;
mod visibility;

use std::collections::BTreeSet;
use std::path::Path;

use futures_util::future::{BoxFuture, FutureExt as _, join_all};
use overmate_rules::{ByPlayer, Player};

use self::absences::absences;
use self::accounts::{accounts, operators_and_accounts};
use self::clocks::{beats, deadlines, deadlines_of_many_matches, entries_of_earlier_versions};
use self::counts::{counts_of_all_servers, keys, longest_log, quotas};
use self::hand_in::hand_in;
use self::leases::{leases_of_servers, race_for_leases};
use self::pair::{
    Pair, against_computer, append, create, entry, holder, id, info, open, open_in_memory, seat,
};
use self::people::{browsers_of_a_person, codes, operators_and_persons, shared_deals_of_a_person};
use self::puzzles::{order_of_attempts, puzzles_of_browsers, ratings_of_puzzles, runs_of_puzzles};
use self::ratings::{anchored, ratings};
use self::relations::{
    handles_of_ignored_people, mutes_and_blocks, operators_and_relations, relations,
};
use self::reports::{operators_and_reports, reports_of_players};
use self::seats::{private_texts, refused_texts, vacated_seats};
use self::talk::talk;
use crate::database::Database;
use crate::store::connection::sql::statement;
use crate::store::connection::{inspect, statement_coverage};
use crate::store::queries::operators::{self, ActKind, FoundOccupant, Seats};
use crate::store::{
    Addition, Appended, Entry, EntryKind, Holder, MatchInfo, NewMatchRequest, Occupant, SeatInfo,
    SeatTaken, Selection, SharedDealMatch, StoreError,
};

type Case = fn(&mut Pair) -> BoxFuture<'_, ()>;

/// Test cases for the specified behaviour of every store, each with its name. Each case gets an empty database.
const CASES: [(&str, Case); 64] = [
    ("keys", |pair| keys(pair).boxed()),
    ("hand-in", |pair| hand_in(pair).boxed()),
    ("creation", |pair| creation(pair).boxed()),
    ("kinds of entries", |pair| kinds(pair).boxed()),
    ("order of entries", |pair| order(pair).boxed()),
    ("matches of one round", |pair| one_round(pair).boxed()),
    ("race for a sequence", |pair| race(pair).boxed()),
    ("many matches at once", |pair| many(pair).boxed()),
    ("seats", |pair| seats(pair).boxed()),
    ("race of a removal", |pair| removal(pair).boxed()),
    ("quotas", |pair| quotas(pair).boxed()),
    ("lists", |pair| lists(pair).boxed()),
    ("unfinished matches", |pair| unfinished(pair).boxed()),
    ("puzzles", |pair| puzzles_of_browsers(pair).boxed()),
    ("ratings of puzzles", |pair| ratings_of_puzzles(pair).boxed()),
    ("runs of puzzles", |pair| runs_of_puzzles(pair).boxed()),
    ("browsers of a person", |pair| browsers_of_a_person(pair).boxed()),
    ("shared deals of a person", |pair| shared_deals_of_a_person(pair).boxed()),
    ("codes", |pair| codes(pair).boxed()),
    ("accounts", |pair| accounts(pair).boxed()),
    ("passkeys", |pair| passkeys::passkeys(pair).boxed()),
    ("e-mail addresses", |pair| mail::addresses(pair).boxed()),
    ("notices to former addresses", |pair| mail::notices(pair).boxed()),
    ("recoveries by e-mail", |pair| mail::recoveries(pair).boxed()),
    ("waiting e-mails about turns", |pair| turn_mails::waits(pair).boxed()),
    ("attempts of e-mails about turns", |pair| turn_mails::attempts(pair).boxed()),
    ("links of e-mails about turns", |pair| turn_mails::links(pair).boxed()),
    ("bots", |pair| bots::bots(pair).boxed()),
    ("ratings", |pair| ratings(pair).boxed()),
    ("rated pairs", |pair| rated_pairs::rated_pairs(pair).boxed()),
    ("race of a rated pair", |pair| rated_pairs::race_of_a_pair(pair).boxed()),
    ("ratings by anchors", |pair| anchored(pair).boxed()),
    ("relations", |pair| relations(pair).boxed()),
    ("mutes and blocks", |pair| mutes_and_blocks(pair).boxed()),
    ("handles of ignored people", |pair| handles_of_ignored_people(pair).boxed()),
    ("reports", |pair| reports_of_players(pair).boxed()),
    ("talk", |pair| talk(pair).boxed()),
    ("visibility", |pair| visibility::settings(pair).boxed()),
    ("public matches", |pair| visibility::public_matches(pair).boxed()),
    ("people who are here", |pair| visibility::people_here(pair).boxed()),
    ("leases", |pair| leases_of_servers(pair).boxed()),
    ("deadlines", |pair| deadlines(pair).boxed()),
    ("deadlines of many matches", |pair| deadlines_of_many_matches(pair).boxed()),
    ("beats", |pair| beats(pair).boxed()),
    ("absences", |pair| absences(pair).boxed()),
    ("private texts", |pair| private_texts(pair).boxed()),
    ("refused texts", |pair| refused_texts(pair).boxed()),
    ("vacated seats", |pair| vacated_seats(pair).boxed()),
    ("counts", |pair| counts_of_all_servers(pair).boxed()),
    ("offers", |pair| offers::open_offers(pair).boxed()),
    ("race for an offer", |pair| offers::race_for_an_offer(pair).boxed()),
    ("limits of offers", |pair| offers::limits_of_offers(pair).boxed()),
    ("events", |pair| events::events(pair).boxed()),
    ("limits of events", |pair| events::limits_of_events(pair).boxed()),
    ("steps of events", |pair| events::steps(pair).boxed()),
    ("players of events", |pair| events::players(pair).boxed()),
    ("push subscriptions", |pair| push::subscriptions(pair).boxed()),
    ("push subscriptions of persons", |pair| push::subscriptions_of_persons(pair).boxed()),
    ("push messages", |pair| push::messages(pair).boxed()),
    ("blocked offers", |pair| offers::blocked_offers(pair).boxed()),
    ("challenges", |pair| offers::challenges(pair).boxed()),
    ("rated offers", |pair| offers::rated_offers(pair).boxed()),
    ("longest log", |pair| longest_log(pair).boxed()),
    ("end", |pair| end(pair).boxed()),
];

/// Test cases in which an operator changes a database while servers use it, each with its name.
const OPERATOR_CASES: [(&str, Case); 15] = [
    ("order of attempts", |pair| order_of_attempts(pair).boxed()),
    ("operators", |pair| acts_of_operators(pair).boxed()),
    ("operators and persons", |pair| operators_and_persons(pair).boxed()),
    ("entries of earlier versions", |pair| entries_of_earlier_versions(pair).boxed()),
    ("operators and accounts", |pair| operators_and_accounts(pair).boxed()),
    ("operators and passkeys", |pair| passkeys::operators_and_passkeys(pair).boxed()),
    ("operators and addresses", |pair| mail::operators_and_addresses(pair).boxed()),
    ("operators and bots", |pair| bots::operators_and_bots(pair).boxed()),
    ("operators and offers", |pair| offers::operators_and_offers(pair).boxed()),
    ("operators and events", |pair| events::operators_and_events(pair).boxed()),
    ("operators and relations", |pair| operators_and_relations(pair).boxed()),
    ("operators and visibility", |pair| visibility::operators_and_visibility(pair).boxed()),
    ("operators and reports", |pair| operators_and_reports(pair).boxed()),
    ("times of push messages", |pair| push::times_of_messages(pair).boxed()),
    ("race for leases", |pair| race_for_leases(pair).boxed()),
];

fn run(mut database: impl FnMut(&Path) -> Database) {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let mut done = 0;
    for (name, case) in CASES.into_iter().chain(OPERATOR_CASES) {
        let folder = tempfile::tempdir().expect("a folder");
        let database = database(folder.path());
        eprintln!("case: {name}");
        runtime.as_ref().expect("a runtime").block_on(async {
            let mut pair = open(&database).await;
            case(&mut pair).await;
            let operator = pair.operator.expect("a database");
            operator.close().await.expect("a connection");
            pair.a.close().await;
            pair.b.close().await;
        });
        done += 1;
    }
    assert_eq!(done, 79);
}

#[test]
fn memory_is_a_store() {
    // The in-memory store measures leases by the simulated clock of the runtime, which advances only when no task can run.
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime = runtime.expect("a runtime");
    let mut done = 0;
    for (name, case) in CASES {
        eprintln!("case: {name}");
        runtime.block_on(async { case(&mut open_in_memory()).await });
        done += 1;
    }
    assert_eq!(done, 64);
}

#[test]
fn sqlite_is_a_store() {
    run(|folder| Database::Sqlite(folder.to_owned()));
}

#[cfg(unix)]
#[test]
fn postgres_is_a_store() {
    let server = test_postgres::Postgres::start();
    run(|_| server.database().parse().expect("an address"));
    // Only the PostgreSQL test checks that all SQL statements were executed. SQLite executes the same statements, some with another text.
    assert_eq!(statement_coverage::missing(), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_store_goes_on_after_a_crash_of_postgres() {
    let mut server = test_postgres::Postgres::start();
    let database: Database = server.database().parse().expect("an address");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("a runtime");
    let pair = runtime.block_on(async {
        let pair = open(&database).await;
        assert_eq!(pair.a.create(info(1), None).await.expect("a write"), Appended::Stored);
        assert_eq!(append(&pair.a, 1, 1).await, Appended::Stored);
        pair
    });
    server.crash_and_restart();
    runtime.block_on(async {
        // The first write after the crash of PostgreSQL may fail on the lost connection. The second write opens a new connection.
        let first = pair.a.append(Addition::of(&id(1), entry(2))).await;
        assert!(matches!(first, Ok(Appended::Stored) | Err(StoreError::Busy(_))), "{first:?}");
        if first.is_err() {
            assert_eq!(append(&pair.a, 1, 2).await, Appended::Stored);
        }
        let entries = pair.b.entries(&id(1), 0).await.expect("a read").expect("a match");
        assert_eq!(entries, [entry(1), entry(2)]);
    });
}

async fn creation(Pair { a, b, .. }: &mut Pair) {
    let request = NewMatchRequest { holder: holder(1), client_id: "request".to_owned() };
    let other = NewMatchRequest { holder: holder(2), ..request.clone() };
    let full = MatchInfo {
        deals: vec![0, u64::from(u32::MAX), 7],
        shared_deal: Some("2026-11-21".to_owned()),
        deal_chosen: true,
        network: Some(u16::MAX),
        seats: ByPlayer {
            a: SeatInfo {
                name: Some("Zoë ♥ 😀 'x'".to_owned()),
                occupant: Occupant::Holder(Holder([255; 32])),
                is_program: true,
            },
            b: against_computer(1, holder(1)).seats.b,
        },
        ..info(1)
    };
    assert_eq!(b.created_by(&request).await.expect("a read"), None);
    let created = a.create(full.clone(), Some(request.clone())).await.expect("a write");
    assert_eq!(created, Appended::Stored);
    assert_eq!(b.info(&id(1)).await.expect("a read"), Some(full));
    assert_eq!(b.info(&id(2)).await.expect("a read"), None);
    assert_eq!(b.created_by(&request).await.expect("a read"), Some(id(1)));
    assert_eq!(b.created_by(&other).await.expect("a read"), None);
    let again = b.create(info(2), Some(request)).await.expect("a write");
    assert_eq!(again, Appended::Conflict);
    assert_eq!(a.info(&id(2)).await.expect("a read"), None);
    assert_eq!(b.create(info(2), Some(other)).await.expect("a write"), Appended::Stored);
    assert_eq!(a.invited_to("invitation 2").await.expect("a read"), Some(id(2)));
    assert_eq!(a.invited_to("invitation 3").await.expect("a read"), None);
    // If two servers get the same request for a new match at the same time, only one of them creates the match.
    let request = NewMatchRequest { holder: holder(3), client_id: "race".to_owned() };
    let requests = (10..20).map(|number| {
        let store = if number % 2 == 0 { &*a } else { &*b };
        store.create(against_computer(number, holder(3)), Some(request.clone()))
    });
    let created: Vec<_> =
        join_all(requests).await.into_iter().map(|done| done.expect("a write")).collect();
    assert_eq!(created.iter().filter(|done| **done == Appended::Stored).count(), 1, "{created:?}");
}

async fn kinds(Pair { a, b, .. }: &mut Pair) {
    create(a, info(1)).await;
    let kinds = [
        EntryKind::Act("(Tc)".to_owned()),
        EntryKind::Undo,
        EntryKind::Hint,
        EntryKind::Join,
        EntryKind::Resign,
        EntryKind::Offer,
        EntryKind::Accept(id(2)),
        EntryKind::Operator,
        EntryKind::Flag,
        EntryKind::Credit,
        EntryKind::Away,
        EntryKind::Pause,
        EntryKind::Leave,
    ];
    let entries: Vec<Entry> =
        (1..).zip(kinds).map(|(sequence, kind)| Entry { kind, ..entry(sequence) }).collect();
    for entry in &entries {
        let appended = a.append(Addition::of(&id(1), entry.clone())).await;
        assert_eq!(appended.expect("a write"), Appended::Stored);
    }
    assert_eq!(b.entries(&id(1), 0).await.expect("a read").as_ref(), Some(&entries));
    assert_eq!(b.entries(&id(1), 7).await.expect("a read").as_deref(), Some(&entries[7..]));
    assert_eq!(b.entries(&id(1), 13).await.expect("a read"), Some(Vec::new()));
    assert_eq!(b.entries(&id(2), 0).await.expect("a read"), None);
    let found = b.entry_of_request(&id(1), "request 3").await.expect("a read");
    assert_eq!(found.as_ref(), Some(&entries[2]));
    assert_eq!(b.entry_of_request(&id(1), "request 33").await.expect("a read"), None);
}

async fn order(Pair { a, b, .. }: &mut Pair) {
    create(a, info(1)).await;
    assert_eq!(append(a, 1, 2).await, Appended::Conflict, "a gap");
    assert_eq!(append(a, 1, 1).await, Appended::Stored);
    assert_eq!(append(b, 1, 1).await, Appended::Conflict, "the same sequence");
    let same_request = Entry { client_id: "request 1".to_owned(), ..entry(2) };
    let appended = b.append(Addition::of(&id(1), same_request)).await;
    assert_eq!(appended.expect("a write"), Appended::Conflict, "the same request");
    assert_eq!(append(b, 1, 2).await, Appended::Stored);
    assert_eq!(append(b, 2, 1).await, Appended::Conflict, "no match");
    assert_eq!(a.entries(&id(1), 0).await.expect("a read"), Some(vec![entry(1), entry(2)]));
    // Match 2 on a shared deal ends with its first log entry. The list of the person's matches on shared deals then shows it as finished.
    create(a, MatchInfo { shared_deal: Some("2026-W47-3".to_owned()), ..info(2) }).await;
    let last = Addition { ends: true, ..Addition::of(&id(2), entry(1)) };
    assert_eq!(a.append(last).await.expect("a write"), Appended::Stored);
    let ended = async |since| b.ended_on("2026-W47-3", "bga", since).await.expect("a read");
    assert_eq!((ended(1_001).await, ended(1_002).await), (vec![id(2)], vec![]));
    let listed = b.shared_deals_of(holder(1), 10).await.expect("a read");
    let shared_deal = "2026-W47-3".to_owned();
    let rules = "bga".to_owned();
    let finished = SharedDealMatch { id: id(2), shared_deal, rules, is_finished: true };
    assert_eq!(listed, std::slice::from_ref(&finished));
    // In the list of matches on shared deals, a resigned match does not count as finished. The folding of its log makes no difference.
    create(a, MatchInfo { shared_deal: Some("2026-W47-3".to_owned()), ..info(3) }).await;
    let resigned = Entry { kind: EntryKind::Resign, ..entry(1) };
    let last = Addition { ends: true, ..Addition::of(&id(3), resigned) };
    assert_eq!(a.append(last).await.expect("a write"), Appended::Stored);
    let resigned = SharedDealMatch { id: id(3), is_finished: false, ..finished.clone() };
    for _ in 0..2 {
        let listed = b.shared_deals_of(holder(1), 10).await.expect("a read");
        assert_eq!(listed, [resigned.clone(), finished.clone()]);
        for id in [id(2), id(3)] {
            a.fold(id).await.expect("a write");
        }
    }
}

/// Tests that the store does not mistake a one-round match without a shared deal for a match on a shared deal.
async fn one_round(Pair { a, b, .. }: &mut Pair) {
    let short = MatchInfo { deals: vec![20_010], ..against_computer(1, holder(1)) };
    create(a, short.clone()).await;
    create(a, against_computer(2, holder(1))).await;
    let shared = MatchInfo { shared_deal: Some("2026-W47-3".to_owned()), ..short.clone() };
    create(a, MatchInfo { watch: "watch 3".to_owned(), id: id(3), ..shared }).await;
    assert_eq!(b.info(&id(1)).await.expect("a read"), Some(short));
    let played = b.shared_deals_of(holder(1), 10).await.expect("a read");
    assert_eq!(played.into_iter().map(|deal| deal.id).collect::<Vec<_>>(), [id(3)]);
    let alone = b.list(Selection::WithoutHelp { holder: holder(1) }).await.expect("a read");
    assert_eq!(alone.into_iter().map(|listed| listed.id).collect::<Vec<_>>(), [id(3)]);
    let unfinished = b.unfinished(i64::MAX, None, 10).await.expect("a read");
    let empty: BTreeSet<(String, bool)> =
        unfinished.into_iter().map(|unfinished| (unfinished.id, unfinished.is_empty)).collect();
    assert_eq!(empty, [(id(1), true), (id(2), true), (id(3), false)].into());
}

async fn race(Pair { a, b, .. }: &mut Pair) {
    const LENGTH: u64 = 40;
    create(a, info(1)).await;
    let mut won = [0, 0];
    for sequence in 1..=LENGTH {
        let of = |server: &str| {
            let client_id = format!("{server} {sequence}");
            Addition::of(&id(1), Entry { client_id, ..entry(sequence) })
        };
        let (by_a, by_b) = tokio::join!(a.append(of("a")), b.append(of("b")));
        let stored = [by_a, by_b].map(|done| done.expect("a write") == Appended::Stored);
        assert_ne!(stored[0], stored[1], "exactly one server appends the entry {sequence}");
        won[usize::from(stored[1])] += 1;
    }
    let entries = a.entries(&id(1), 0).await.expect("a read").expect("a match");
    assert!(entries.iter().map(|entry| entry.sequence).eq(1..=LENGTH));
    let by_a = entries.iter().filter(|entry| entry.client_id.starts_with('a')).count() as u64;
    assert_eq!([by_a, LENGTH - by_a], won);
}

async fn many(Pair { a, b, .. }: &mut Pair) {
    const MATCHES: u32 = 60;
    for number in 1..=60 {
        create(a, against_computer(number.into(), holder(number))).await;
    }
    let one_round = |sequence: u64| {
        // Two servers append log entries to all matches, in opposite orders.
        let forth = (1..=MATCHES).map(move |number| (number, true));
        let back = (1..=MATCHES).rev().map(move |number| (number, false));
        forth.zip(back).flat_map(|(one, other)| [one, other]).map(move |(number, is_a)| {
            let client_id = format!("{is_a} {sequence}");
            (is_a, Addition::of(&id(number), Entry { client_id, ..entry(sequence) }))
        })
    };
    for sequence in 1..=5 {
        let writes = one_round(sequence);
        let writes =
            writes.map(|(is_a, write)| if is_a { a.append(write) } else { b.append(write) });
        let written: Vec<_> =
            join_all(writes).await.into_iter().map(|done| done.expect("a write")).collect();
        let stored = written.iter().filter(|done| **done == Appended::Stored).count();
        assert_eq!((written.len(), stored), (120, 60));
    }
    let wanted: Vec<_> = (1..=MATCHES).map(|number| (id(number), u64::from(number % 6))).collect();
    let logs = b.entries_of(wanted.clone()).await.expect("a read");
    for (id, after) in wanted {
        let log = logs.get(&id).map_or(&[][..], |log| log.as_ref().expect("a log"));
        assert!(log.iter().map(|entry| entry.sequence).eq(after + 1..=5));
    }
    let found = b.sequences(vec![id(7), id(99), id(3)]).await.expect("a read");
    assert!([[3, 7], [7, 3]].iter().any(|order| found == order.map(|number| (id(number), 5))));
}

async fn seats(Pair { a, b, .. }: &mut Pair) {
    create(a, info(1)).await;
    let join = |holder: Holder, client_id: &str| {
        let entry = Entry { kind: EntryKind::Join, client_id: client_id.to_owned(), ..entry(1) };
        let name = Some(client_id.to_owned());
        let taken = Some(SeatTaken { player: Player::B, holder, name, rated_host: None });
        Addition { taken, ..Addition::of(&id(1), entry) }
    };
    let (one, other) =
        tokio::join!(a.append(join(holder(2), "Anna")), b.append(join(holder(3), "Bert")));
    let stored = [one, other].map(|done| done.expect("a write") == Appended::Stored);
    assert_ne!(stored[0], stored[1], "one of both takes the seat");
    let (guest, name) = if stored[0] { (holder(2), "Anna") } else { (holder(3), "Bert") };
    let found = b.info(&id(1)).await.expect("a read").expect("a match");
    let occupant = Occupant::Holder(guest);
    assert_eq!(found.seats.b, SeatInfo::new(Some(name.to_owned()), occupant));
    // A seat stays open if the log entry of the joining player has the wrong sequence number.
    create(a, info(2)).await;
    let late = Addition { id: id(2), ..join(holder(4), "Cara") };
    let late = Addition { entry: Entry { sequence: 2, ..late.entry.clone() }, ..late };
    assert_eq!(a.append(late).await.expect("a write"), Appended::Conflict);
    assert_eq!(b.info(&id(2)).await.expect("a read").expect("a match").seats.b, info(2).seats.b);
    // Player A leaves the match, so that their seat becomes vacant. The match of a rematch is created together with the log entry that
    // accepts the rematch.
    let leave = Entry { player: Player::A, kind: EntryKind::Leave, ..entry(2) };
    assert_eq!(a.append(Addition::of(&id(1), leave)).await.expect("a write"), Appended::Stored);
    let found = b.info(&id(1)).await.expect("a read").expect("a match");
    assert_eq!(found.seats.a, seat(Occupant::Deleted));
    let accept = Entry { kind: EntryKind::Accept(id(3)), ..entry(3) };
    let addition = Addition { begun: Some(info(3)), ..Addition::of(&id(1), accept) };
    assert_eq!(b.append(addition).await.expect("a write"), Appended::Stored);
    assert_eq!(a.info(&id(3)).await.expect("a read"), Some(info(3)));
}

async fn removal(Pair { a, b, .. }: &mut Pair) {
    const MATCHES: u32 = 40;
    let mut removed = 0;
    for number in 1..=MATCHES {
        create(a, against_computer(number, holder(1))).await;
        assert_eq!(append(a, number, 1).await, Appended::Stored);
        let (gone, appended) = tokio::join!(a.remove(id(number), 1), append(b, number, 2));
        let gone = gone.expect("a write") == Appended::Stored;
        assert_ne!(gone, appended == Appended::Stored, "either the removal or the entry is first");
        let entries = b.entries(&id(number), 0).await.expect("a read");
        assert_eq!(entries, (!gone).then(|| vec![entry(1), entry(2)]));
        removed += u32::from(gone);
        if !gone {
            let again = b.remove(id(number), 2).await;
            assert_eq!(again.expect("a write"), Appended::Stored);
        }
        assert_eq!(a.info(&id(number)).await.expect("a read"), None);
        assert_eq!(a.remove(id(number), 2).await.expect("a write"), Appended::Conflict);
    }
    eprintln!("{removed} of {MATCHES} removals came first");
}

async fn lists(Pair { a, b, .. }: &mut Pair) {
    let me = holder(7);
    let mine = |number| MatchInfo {
        seats: ByPlayer { a: seat(Occupant::Holder(me)), b: seat(Occupant::Open) },
        ..info(number)
    };
    create(a, mine(1)).await;
    create(a, against_computer(2, me)).await;
    create(a, MatchInfo { shared_deal: Some("2026-11-21".to_owned()), ..against_computer(3, me) })
        .await;
    let alone = ByPlayer { a: seat(Occupant::Holder(me)), b: seat(Occupant::Holder(me)) };
    create(a, MatchInfo { seats: alone, ..mine(4) }).await;
    create(a, against_computer(5, holder(8))).await;
    assert_eq!(append(a, 2, 1).await, Appended::Stored);
    let last = Addition { ends: true, ..Addition::of(&id(4), entry(1)) };
    assert_eq!(a.append(last).await.expect("a write"), Appended::Stored);
    let list = async |selection| {
        let listed = b.list(selection).await.expect("a read");
        listed
            .into_iter()
            .map(|listed| (listed.info.expect("a match").created_at, listed.sequence))
            .collect::<Vec<_>>()
    };
    let held = |limit| Selection::HeldBy { holder: me, limit };
    assert_eq!(list(held(10)).await, [(3, 0), (2, 1), (1, 0), (4, 1)]);
    assert_eq!(list(held(2)).await, [(3, 0), (2, 1)]);
    let batch =
        |after: &str, limit| Selection::Batch { holder: me, after: after.to_owned(), limit };
    assert_eq!(list(batch("", 3)).await, [(1, 0), (2, 1), (3, 0)]);
    assert_eq!(list(batch(&id(3), 3)).await, [(4, 1)]);
    assert_eq!(list(Selection::WithoutHelp { holder: me }).await, [(1, 0), (3, 0)]);
    let finished = |limit| Selection::Finished { holder: me, limit };
    assert_eq!(list(finished(9)).await, [], "the browser holds both seats of the finished match");
    let resigned = Entry { kind: EntryKind::Resign, at_ms: 9_000_000, ..entry(2) };
    let last = Addition { ends: true, ..Addition::of(&id(2), resigned) };
    assert_eq!(a.append(last).await.expect("a write"), Appended::Stored);
    assert_eq!(list(finished(9)).await, [(2, 2)]);
    let ids = vec![id(5), id(2), id(99)];
    assert_eq!(list(Selection::Ids(ids)).await, [(2, 2), (5, 0)]);
    assert_eq!(list(Selection::Ids(Vec::new())).await, []);
    assert!(b.is_known(me).await.expect("a read"));
    assert!(!b.is_known(holder(99)).await.expect("a read"));
    for (person, before, expected) in [(7, 2, true), (7, 1, false), (8, 6, true), (8, 5, false)] {
        let found = b.has_played(holder(person), before).await.expect("a read");
        assert_eq!(found, expected, "{person} before {before}");
    }
}

async fn unfinished(Pair { a, b, .. }: &mut Pair) {
    create(a, info(3)).await;
    create(a, against_computer(1, holder(9))).await;
    create(a, against_computer(2, holder(9))).await;
    create(a, against_computer(4, holder(9))).await;
    assert_eq!(append(a, 2, 1).await, Appended::Stored);
    let last = Addition { ends: true, ..Addition::of(&id(4), entry(1)) };
    assert_eq!(a.append(last).await.expect("a write"), Appended::Stored);
    let mut found = Vec::new();
    let mut after = None;
    loop {
        let batch = b.unfinished(5, after, 2).await.expect("a read");
        after = batch.last().cloned();
        if after.is_none() {
            break;
        }
        found.extend(batch);
    }
    let found: Vec<_> = found
        .into_iter()
        .map(|found| {
            (found.created_at, found.sequence, found.acted_at, found.is_open, found.is_empty)
        })
        .collect();
    assert_eq!(found, [(1, 0, 1, false, true), (2, 1, 1_001, false, false), (3, 0, 3, true, true)]);
    assert_eq!(b.unfinished(2, None, 9).await.expect("a read").len(), 1);
}

async fn acts_of_operators(Pair { a, b, operator }: &mut Pair) {
    let operator = operator.as_mut().expect("a database");
    create(a, info(1)).await;
    create(a, against_computer(2, holder(1))).await;
    assert_eq!(append(a, 1, 1).await, Appended::Stored);
    let row = operators::begin_act(operator, ActKind::Rename, "target", "reason").await;
    let seats = Seats { holder: Some(holder(1)), ..Seats::default() };
    assert_eq!(operators::people(operator, seats).await.expect("a read"), 2);
    operator.begin().await.expect("a transaction");
    let renamed = operators::rename(operator, seats, Some("Änne"), 60).await;
    assert_eq!(operator.end(renamed).await.expect("a write"), 2);
    operators::finish_act(operator, row.expect("a row"), 2).await.expect("a write");
    let acts = operators::acts(operator).await.expect("a read");
    assert_eq!((acts.len(), acts[0].act.as_str(), acts[0].matches), (1, "rename", Some(2)));
    let found = b.info(&id(1)).await.expect("a read").expect("a match");
    assert_eq!(found.seats.a.name.as_deref(), Some("Änne"));
    let entries = b.entries(&id(1), 1).await.expect("a read").expect("a match");
    assert_eq!((entries.len(), entries[0].sequence, entries[0].at()), (1, 2, 60));
    assert_eq!(entries[0].kind, EntryKind::Operator);
    assert_eq!(append(b, 1, 2).await, Appended::Conflict, "the operator's entry is first");
    let by_name = operators::ids_by_name(operator, "anne", 10).await;
    assert_eq!(by_name.expect("a read"), [id(2), id(1)]);
    assert_eq!(operators::ids_of(operator, holder(1), 1).await.expect("a read"), [id(2)]);
    let invited = operators::id_by_invitation(&mut *operator, "invitation 1").await;
    assert_eq!(invited.expect("a read"), Some(id(1)));
    let revoked = operators::revoke_invitation(operator, &id(1), 70).await;
    assert_eq!(revoked.expect("a write"), 1);
    let revoked = operators::revoke_browser(operator, holder(1), holder(5), 80).await;
    assert_eq!(revoked.expect("a write"), 2);
    assert_eq!(operators::count_of(operator, holder(1)).await.expect("a read"), 0);
    assert_eq!(operators::attempts_of(operator, holder(5)).await.expect("a read"), 0);
    let matches = operators::matches(operator, &[id(1), id(2), id(9)]).await.expect("a read");
    let shown: Vec<_> = matches.iter().map(|found| (found.id.as_str(), found.invites)).collect();
    assert_eq!(shown, [(id(2).as_str(), false), (id(1).as_str(), false)]);
    assert_eq!(matches[1].seats[0].occupant, FoundOccupant::Browser(holder(5).to_string()));
    let contents = inspect::inspect(operator).await.expect("a sound database");
    assert_eq!((contents.matches, contents.entries), (2, 6));
    assert_eq!(contents.schema, inspect::latest_schema());
    assert_eq!(b.act_targets(10).await.expect("a read"), ["target"]);
    let minute_ago = statement("UPDATE operator_acts SET at = at - 60");
    assert_eq!(minute_ago.execute(&mut *operator).await.expect("a write"), 1);
    assert_eq!(b.act_targets(30).await.expect("a read").len(), 0);
    assert_eq!(b.act_targets(3_600).await.expect("a read").len(), 1);
    let long_ago = statement("UPDATE operator_acts SET at = 50");
    assert_eq!(long_ago.execute(&mut *operator).await.expect("a write"), 1);
    assert_eq!(a.forget_acts(50).await.expect("a write"), Appended::Stored);
    assert_eq!(operators::acts(operator).await.expect("a read").len(), 1);
    assert_eq!(a.forget_acts(51).await.expect("a write"), Appended::Stored);
    assert_eq!(operators::acts(operator).await.expect("a read").len(), 0);
}

async fn end(Pair { a, b, .. }: &mut Pair) {
    create(a, info(1)).await;
    // Queued writes are committed before the store closes. Later writes are refused.
    let (appended, ()) = tokio::join!(a.append(Addition::of(&id(1), entry(1))), a.close());
    let late = a.append(Addition::of(&id(1), entry(2))).await;
    assert!(matches!(late, Err(StoreError::Busy(_))), "{late:?}");
    let entries = b.entries(&id(1), 0).await.expect("a read").expect("a match");
    assert_eq!((appended.expect("a write"), entries), (Appended::Stored, vec![entry(1)]));
}
