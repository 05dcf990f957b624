//! Tests that every store keeps the browsers of people, and the codes that link browsers to people.

use std::collections::BTreeSet;
use std::sync::Arc;

use overmate_rules::{ByPlayer, Player};

use super::pair::{
    MOST_UNFINISHED, Pair, against_computer, append, create, entry, holder, id, info, seat,
    use_code,
};
use crate::rating::puzzle_rating;
use crate::store::connection::sql::{Connection, Row, statement};
use crate::store::queries::operators::{self, ActKind};
use crate::store::queries::person_sql::person_of;
use crate::store::{
    Addition, Appended, Attempt, CodeKind, CodeOffer, Entry, EntryKind, Holder, MatchInfo,
    NewMatchRequest, Occupant, PersonChange, Quota, RecoveryCodes, SeatTaken, Selection, Standing,
    Store,
};

type Shared = Arc<dyn Store>;

pub(super) fn offer(person: u8, browser: u8, code: u8, kind: CodeKind, at: i64) -> PersonChange {
    PersonChange::Offer(CodeOffer {
        hashes: vec![[code; 32]],
        kind,
        person: holder(person),
        browser: holder(browser),
        name: Some(format!("kind {browser}")),
        at,
        until: (kind == CodeKind::Link).then_some(at + 600),
    })
}

pub(super) fn add(code: u8, browser: u8, at: i64) -> PersonChange {
    let name = Some(format!("kind {browser}"));
    let (hash, browser) = ([code; 32], holder(browser));
    PersonChange::Add { hash, browser, renewed: browser, name, at }
}

async fn change(store: &Shared, change: PersonChange) -> Appended {
    store.change_person(change).await.expect("a write")
}

async fn standing(store: &Shared, browser: u8) -> Standing {
    store.standing(holder(browser)).await.expect("a read")
}

async fn attempt(store: &Shared, browser: u8, puzzle: &str) -> Appended {
    let attempt = Attempt {
        holder: holder(browser),
        puzzle: puzzle.to_owned(),
        rules: "bga".to_owned(),
        new_puzzle: puzzle_rating::of_new_puzzle(1_500),
        solved: true,
        at: 1,
        run: None,
    };
    store.attempt(attempt).await.expect("a write")
}

async fn ids(store: &Shared, selection: Selection) -> BTreeSet<String> {
    let listed = store.list(selection).await.expect("a read");
    listed.into_iter().map(|listed| listed.id).collect()
}

fn held(browser: u8) -> Selection {
    Selection::HeldBy { holder: holder(browser), limit: 100 }
}

/// Returns the metadata of a test match between two browser identities.
fn between(number: u32, a: u8, b: u8) -> MatchInfo {
    let [a, b] = [a, b].map(|browser| seat(Occupant::Holder(holder(browser))));
    MatchInfo { seats: ByPlayer { a, b }, ..info(number) }
}

pub(super) async fn browsers_of_a_person(Pair { a, b, .. }: &mut Pair) {
    create(a, against_computer(1, holder(1))).await;
    create(a, between(2, 2, 9)).await;
    let request = |browser: u8| NewMatchRequest {
        holder: holder(browser),
        client_id: "deal of the day".to_owned(),
    };
    let created = a.create(against_computer(3, holder(3)), Some(request(3))).await;
    assert_eq!(created.expect("a write"), Appended::Stored);
    create(a, between(4, 1, 2)).await;
    assert_eq!(append(a, 2, 1).await, Appended::Stored);
    for (browser, puzzle) in [(1, "p"), (2, "p"), (2, "q"), (3, "r"), (2, "t"), (1, "t")] {
        assert_eq!(attempt(a, browser, puzzle).await, Appended::Stored);
    }
    let rating = a.puzzle_player(holder(1)).await.expect("a read");
    let mut attempts = a.puzzle_attempts(holder(1), 100).await.expect("a read");
    let after_p = attempts.pop().expect("an attempt").rating;
    assert_eq!(standing(b, 1).await, Standing::Alone);

    // Browser 3 is linked to browser 2. Then both are linked to browser 1 by a code from browser 1.
    assert_eq!(change(a, offer(2, 2, 20, CodeKind::Link, 50)).await, Appended::Stored);
    assert_eq!(change(b, add(20, 3, 60)).await, Appended::Stored);
    assert_eq!(change(b, offer(1, 1, 10, CodeKind::Link, 70)).await, Appended::Stored);
    // A browser that reports no name keeps its earlier name.
    assert_eq!(change(a, use_code([10; 32], 2, 80)).await, Appended::Stored);
    for browser in 1..=3 {
        assert_eq!(standing(b, browser).await, Standing::Of(holder(1)));
    }
    let known = b.browsers(holder(1)).await.expect("a read");
    let known: Vec<_> = known.iter().map(|known| (known.browser, known.name.as_deref())).collect();
    let expected = [(2, "kind 2"), (3, "kind 3"), (1, "kind 1")];
    assert_eq!(known, expected.map(|(browser, name)| (holder(browser), Some(name))));
    assert_eq!(b.browsers(holder(2)).await.expect("a read"), []);

    // After browsers 1, 2 and 3 have been linked, the seats of all three belong to person 1. Each match of browsers 2 and 3 has a log entry
    // about the changed seats.
    let all: BTreeSet<String> = [1, 2, 3, 4].map(id).into();
    assert_eq!(ids(b, held(1)).await, all);
    for (number, noted) in [(1, false), (2, true), (3, true), (4, true)] {
        let found = b.info(&id(number)).await.expect("a read").expect("a match");
        assert_eq!(found.seats.a.occupant, Occupant::Holder(holder(1)), "match {number}");
        let log = b.entries(&id(number), 0).await.expect("a read").expect("a match");
        let is_noted = log.last().is_some_and(|entry| entry.kind == EntryKind::Operator);
        assert_eq!(is_noted, noted, "match {number}");
    }
    // Browsers 1 and 3 belong to the same person now. A request of browser 1 with the client id of a request of browser 3 counts as a
    // repetition.
    assert_eq!(b.created_by(&request(1)).await.expect("a read"), Some(id(3)));
    let again = b.create(against_computer(7, holder(1)), Some(request(1))).await;
    assert_eq!(again.expect("a write"), Appended::Conflict);
    let both = b.info(&id(4)).await.expect("a read").expect("a match");
    assert_eq!(both.seats.a.occupant, both.seats.b.occupant);
    let batch = Selection::Batch { holder: holder(1), after: id(2), limit: 10 };
    assert_eq!(ids(b, batch).await, [3, 4].map(id).into());
    // Match 4 is between two browsers of one person, so that help, such as hints, is permitted in this match.
    let alone = Selection::WithoutHelp { holder: holder(1) };
    assert_eq!(ids(b, alone).await, [id(2)].into());

    // A match that a linked browser begins under its former identity belongs to the person to whom the browser is linked. The match also
    // counts towards this person's quota.
    create(a, against_computer(5, holder(2))).await;
    assert_eq!(ids(b, held(1)).await.len(), 5);
    assert_eq!(MOST_UNFINISHED, 5);
    let sixth = b.create(against_computer(6, holder(1)), None).await;
    assert_eq!(sixth.expect("a write"), Appended::Full(Quota::Unfinished));

    // After browsers 2 and 3 have been linked to browser 1, the person keeps only the first attempt at each puzzle. The person's puzzle
    // rating stays that of browser 1, and the attempts of the other browsers leave it unchanged.
    let puzzles = b.puzzle_attempts(holder(1), 100).await.expect("a read");
    let puzzles: Vec<_> =
        puzzles.iter().map(|attempt| (&*attempt.puzzle, attempt.rating)).collect();
    assert_eq!(puzzles, ["t", "r", "q", "p"].map(|puzzle| (puzzle, after_p)));
    assert_eq!(b.puzzle_player(holder(1)).await.expect("a read"), rating);
    assert_eq!(b.puzzle_player(holder(2)).await.expect("a read"), None);
    // A puzzle attempt that a linked browser sends under its former identity belongs to the person to whom the browser is linked.
    assert_eq!(attempt(a, 2, "p").await, Appended::Conflict);
    assert_eq!(attempt(a, 2, "s").await, Appended::Stored);
    let tried = b.tried_puzzles(holder(1), 0, "s").await.expect("a read");
    assert!(tried.has_asked);
    let tried: BTreeSet<_> = tried.puzzles.into_iter().collect();
    assert_eq!(tried, ["p", "q", "r", "s", "t"].map(str::to_owned).into());
    assert_eq!(b.puzzle_player(holder(2)).await.expect("a read"), None);

    // A signed-out browser stays in the store, so that its seats in matches still belong to the person. A code that the browser requests is
    // refused.
    let revoke = |person, browser| PersonChange::Revoke {
        person: holder(person),
        browser: holder(browser),
        keeps_codes: false,
    };
    assert_eq!(change(a, offer(1, 2, 29, CodeKind::Recovery, 90)).await, Appended::Stored);
    assert_eq!(change(a, revoke(9, 2)).await, Appended::Conflict);
    assert_eq!(change(a, revoke(1, 2)).await, Appended::Stored);
    assert_eq!(change(b, revoke(1, 2)).await, Appended::Conflict);
    assert_eq!(standing(b, 2).await, Standing::Revoked);
    let known = b.browsers(holder(1)).await.expect("a read");
    let known: Vec<_> = known.iter().map(|known| known.browser).collect();
    assert_eq!(known, [3, 1].map(holder));
    assert!(b.is_known(holder(2)).await.expect("a read"));
    assert_eq!(ids(b, held(1)).await.len(), 5);
    assert_eq!(change(a, offer(1, 2, 30, CodeKind::Link, 95)).await, Appended::Conflict);
    assert_eq!(change(a, offer(1, 3, 31, CodeKind::Link, 95)).await, Appended::Stored);
    assert_eq!(change(a, add(31, 2, 96)).await, Appended::Conflict);
    // If one browser of a person signs out another browser, the person's linking and recovery codes become invalid. If a browser signs
    // itself out, the codes stay valid.
    assert_eq!(change(a, add(29, 7, 96)).await, Appended::Conflict);
    assert_eq!(b.recovery(holder(1)).await.expect("a read"), None);
    assert_eq!(change(a, offer(1, 3, 32, CodeKind::Recovery, 96)).await, Appended::Stored);
    let own = PersonChange::Revoke { person: holder(1), browser: holder(3), keeps_codes: true };
    assert_eq!(change(a, own).await, Appended::Stored);
    assert_eq!(b.recovery(holder(1)).await.expect("a read"), Some(left(96, 1)));

    // The erasure of a person removes all their linking and recovery codes.
    assert_eq!(
        change(a, PersonChange::Forget { person: holder(1), at: 100 }).await,
        Appended::Stored
    );
    assert_eq!(standing(b, 2).await, Standing::Alone);
    assert_eq!(b.browsers(holder(1)).await.expect("a read"), []);
    assert_eq!(change(b, add(31, 8, 97)).await, Appended::Conflict);
}

pub(super) async fn shared_deals_of_a_person(Pair { a, b, .. }: &mut Pair) {
    const DEAL: &str = "2026-W47-3";
    for number in [1, 2, 3] {
        let info = against_computer(number, holder(u8::try_from(number).expect("a browser")));
        create(a, MatchInfo { shared_deal: Some(DEAL.to_owned()), ..info }).await;
        let last = Addition { ends: true, ..Addition::of(&id(number), entry(1)) };
        assert_eq!(a.append(last).await.expect("a write"), Appended::Stored);
    }
    let ended = async |since| {
        let ended = b.ended_on(DEAL, "bga", since).await.expect("a read");
        ended.into_iter().collect::<BTreeSet<_>>()
    };
    assert_eq!(ended(0).await, [1, 2, 3].map(id).into());
    assert_eq!(change(a, offer(2, 2, 20, CodeKind::Link, 50)).await, Appended::Stored);
    assert_eq!(change(b, add(20, 1, 60)).await, Appended::Stored);
    // Matches 1 and 2 on the shared deal belong to one person now, and only the match that began first counts.
    assert_eq!(ended(0).await, [1, 3].map(id).into());
    assert_eq!(ended(1_002).await, BTreeSet::new());
    let listed = b.shared_deals_of(holder(2), 10).await.expect("a read");
    let listed: Vec<_> = listed.into_iter().map(|listed| listed.id).collect();
    assert_eq!(listed, [2, 1].map(id));
    // The list of a person's matches on shared deals contains no match of a tournament event, even if that match is the newest.
    let of_event = Some(format!("event-{}", id(9)));
    create(a, MatchInfo { shared_deal: of_event, ..against_computer(4, holder(2)) }).await;
    let newest = b.shared_deals_of(holder(2), 1).await.expect("a read");
    assert_eq!(newest.into_iter().map(|listed| listed.id).collect::<Vec<_>>(), [id(2)]);
}

fn left(made_at: i64, left: u32) -> RecoveryCodes {
    RecoveryCodes { made_at, left }
}

pub(super) async fn codes(Pair { a, b, .. }: &mut Pair) {
    assert_eq!(change(a, add(1, 2, 10)).await, Appended::Conflict);
    assert_eq!(change(a, offer(1, 1, 1, CodeKind::Link, 10)).await, Appended::Stored);
    assert_eq!(b.recovery(holder(1)).await.expect("a read"), None);
    assert_eq!(change(a, offer(1, 1, 2, CodeKind::Recovery, 20)).await, Appended::Stored);
    assert_eq!(b.recovery(holder(1)).await.expect("a read"), Some(left(20, 1)));
    // Ten new recovery codes replace the person's earlier recovery code. A used code is not counted as unused.
    let ten = PersonChange::Offer(CodeOffer {
        hashes: (200..210).map(|code| [code; 32]).collect(),
        kind: CodeKind::Recovery,
        person: holder(1),
        browser: holder(1),
        name: None,
        at: 21,
        until: None,
    });
    assert_eq!(change(a, ten).await, Appended::Stored);
    assert_eq!(b.recovery(holder(1)).await.expect("a read"), Some(left(21, 10)));
    assert_eq!(change(b, add(2, 50, 22)).await, Appended::Conflict);
    assert_eq!(change(b, add(205, 50, 22)).await, Appended::Stored);
    assert_eq!(b.recovery(holder(1)).await.expect("a read"), Some(left(21, 9)));
    assert_eq!(change(a, offer(1, 1, 2, CodeKind::Recovery, 20)).await, Appended::Stored);
    // A linking code is refused after its validity period. A new code replaces the person's old code of the same kind.
    assert_eq!(change(b, add(1, 2, 610)).await, Appended::Conflict);
    assert_eq!(change(a, offer(1, 1, 3, CodeKind::Link, 30)).await, Appended::Stored);
    assert_eq!(change(b, add(1, 2, 31)).await, Appended::Conflict);

    // Ten browsers use the same linking code at the same time on two servers. Exactly one browser is added to the person.
    let race = (10..20).map(|browser| {
        let server = if browser % 2 == 0 { &*a } else { &*b };
        change(server, add(3, browser, 40))
    });
    let results = futures_util::future::join_all(race).await;
    let added: Vec<u8> = (10..20)
        .zip(&results)
        .filter_map(|(browser, result)| (*result == Appended::Stored).then_some(browser))
        .collect();
    assert_eq!(added.len(), 1, "{results:?}");
    for browser in 10..20 {
        let expected = if added == [browser] { Standing::Of(holder(1)) } else { Standing::Alone };
        assert_eq!(standing(b, browser).await, expected);
    }
    // Used codes and expired links are removed. Other codes stay.
    assert_eq!(change(a, offer(1, 1, 4, CodeKind::Link, 45)).await, Appended::Stored);
    // A browser that has used a linking code may repeat the request with this code for some time.
    assert_eq!(change(a, add(3, added[0], 50)).await, Appended::Stored);
    assert_eq!(change(a, add(3, added[0], 41 + 600)).await, Appended::Conflict);

    assert_eq!(change(b, PersonChange::ForgetOld { at: 641 }).await, Appended::Stored);
    assert_eq!(change(a, add(3, added[0], 50)).await, Appended::Conflict);
    assert_eq!(change(a, add(4, 21, 50)).await, Appended::Stored);

    // A recovery code does not expire, and works once.
    assert_eq!(change(b, add(2, 5, 1_000_000_000)).await, Appended::Stored);
    assert_eq!(standing(a, 5).await, Standing::Of(holder(1)));
    assert_eq!(b.recovery(holder(1)).await.expect("a read"), None);
    assert_eq!(change(b, add(2, 6, 1_000_000_001)).await, Appended::Conflict);
    // If a browser enters a linking code of its own person, the code is used up, and the browser stays linked to the same person.
    assert_eq!(change(a, offer(1, 5, 7, CodeKind::Link, 2_000_000_000)).await, Appended::Stored);
    assert_eq!(change(a, add(7, 1, 2_000_000_001)).await, Appended::Stored);
    assert_eq!(a.browsers(holder(1)).await.expect("a read").len(), 5);
    // A code is refused if the browser that created it has meanwhile been linked to another person.
    assert_eq!(
        change(a, offer(6, 6, 8, CodeKind::Recovery, 2_000_000_002)).await,
        Appended::Stored
    );
    assert_eq!(change(a, offer(7, 7, 9, CodeKind::Link, 2_000_000_002)).await, Appended::Stored);
    assert_eq!(change(a, add(9, 6, 2_000_000_003)).await, Appended::Stored);
    assert_eq!(change(a, add(8, 8, 2_000_000_004)).await, Appended::Conflict);
    assert_eq!(change(a, offer(6, 6, 11, CodeKind::Link, 2_000_000_005)).await, Appended::Conflict);

    // Two people use each other's linking codes at the same time on two servers. Exactly one of the two requests succeeds.
    for (round, [one, other]) in [[31, 32], [33, 34], [35, 36], [37, 38]].into_iter().enumerate() {
        for person in [one, other] {
            let offer = offer(person, person, person, CodeKind::Link, 2_000_000_010);
            assert_eq!(change(a, offer).await, Appended::Stored);
        }
        let (first, second) = tokio::join!(
            change(a, add(other, one, 2_000_000_011)),
            change(b, add(one, other, 2_000_000_011))
        );
        let stored = [first, second].iter().filter(|&&done| done == Appended::Stored).count();
        assert_eq!(stored, 1, "round {round}");
        let standings = [standing(a, one).await, standing(b, other).await];
        assert_eq!(standings[0], standings[1]);
        assert!(
            matches!(standings[0], Standing::Of(Holder([number, ..])) if [one, other].contains(&number))
        );
    }
}

/// Checks that the databases find the seats of a person or of a match by an index, without a full table scan.
async fn read_no_whole_table(operator: &mut Connection, selections: [operators::Seats<'_>; 2]) {
    operator.begin().await.expect("a transaction");
    if let Connection::Postgres(_) = operator {
        // The test adds rows, because PostgreSQL would not use the index of a small table. SQLite chooses an index regardless of the number
        // of rows.
        for sql in [
            "INSERT INTO matches (id, rules, deals, watch, created_at)
             SELECT number, 'bga', '1', number, 0 FROM generate_series(1, 10000) AS number",
            "INSERT INTO seats (match_id, player, holder)
             SELECT number, 'a', sha256(CAST(CAST(number AS TEXT) AS BYTEA)) FROM generate_series(1, 10000) AS number",
            "ANALYZE seats",
        ] {
            statement(sql).execute(&mut *operator).await.expect("a write");
        }
    }
    for seats in selections {
        let plan = seats.bind_to(statement(operators::RENAME_PLAN)).bind("Anna");
        let plan = plan.rows(&mut *operator).await.expect("a plan");
        let step = |row: &Row| match row {
            Row::Sqlite(_) => row.get("detail"),
            Row::Postgres(_) => row.at::<String>(0),
        };
        let plan: Vec<String> = plan.iter().map(|row| step(row).expect("a step")).collect();
        let is_any =
            |texts: [&str; 2]| plan.iter().any(|step| texts.iter().any(|text| step.contains(text)));
        assert!(is_any(["seats_by_holder (holder=?)", "Index Cond: (holder = "]), "{plan:#?}");
        assert!(!is_any(["SCAN seats", "Seq Scan on seats"]), "{plan:#?}");
    }
    operator.roll_back().await.expect("a transaction");
}

pub(super) async fn operators_and_persons(Pair { a, b, operator }: &mut Pair) {
    let operator = operator.as_mut().expect("a database");
    for browser in [1, 2] {
        // Before they are linked, browsers 1 and 2 each request a match with the same idempotency key.
        let request =
            NewMatchRequest { holder: holder(browser), client_id: "deal of the day".to_owned() };
        let created = a.create(against_computer(browser.into(), holder(browser)), Some(request));
        assert_eq!(created.await.expect("a write"), Appended::Stored);
    }
    assert_eq!(change(a, offer(1, 1, 1, CodeKind::Recovery, 10)).await, Appended::Stored);
    // The store does not count the creation of a recovery code as the linking or the sign-out of a browser.
    assert_eq!(b.act_targets(30).await.expect("a read"), [""; 0]);
    assert_eq!(change(a, add(1, 2, 11)).await, Appended::Stored);
    assert_eq!(change(a, offer(1, 1, 2, CodeKind::Recovery, 12)).await, Appended::Stored);
    assert_eq!(operators::count_of(operator, holder(1)).await.expect("a read"), 2);
    let found = person_of(operator, holder(2)).await.expect("a read");
    assert_eq!(found, holder(1));
    for (person, has_browsers) in [(1, true), (2, false)] {
        let found = operators::has_browsers(operator, holder(person)).await.expect("a read");
        assert_eq!(found, has_browsers, "{person}");
    }
    let traces = b.traces_of(holder(1)).await.expect("a read");
    let requested = [1, 2].map(|number| (id(number), "deal of the day".to_owned()));
    assert_eq!((&*traces.requests, traces.acts.len()), (&requested[..], 0));
    let seats = operators::Seats { holder: Some(holder(1)), ..operators::Seats::default() };
    assert_eq!(operators::rename(operator, seats, Some("Anna"), 20).await.expect("a write"), 2);
    read_no_whole_table(
        operator,
        [seats, operators::Seats { id: Some("x"), holder: None, ..seats }],
    )
    .await;
    for number in [1, 2] {
        let found = b.info(&id(number)).await.expect("a read").expect("a match");
        assert_eq!(found.seats[Player::A].name.as_deref(), Some("Anna"));
    }
    let requests = "SELECT count(*) FROM matches WHERE asked_by IS NOT NULL";
    let kept: i64 = statement(requests).scalar(&mut *operator).await.expect("a read");
    assert_eq!(kept, 2);
    // After an operator has revoked the person's cookies, no browser and no code of the person gives access.
    let revoked = operators::revoke_browser(operator, holder(1), holder(5), 30).await;
    assert_eq!(revoked.expect("a write"), 2);
    let kept: i64 = statement(requests).scalar(&mut *operator).await.expect("a read");
    assert_eq!(kept, 0);
    assert_eq!([standing(b, 1).await, standing(b, 2).await], [Standing::Revoked; 2]);
    assert_eq!(change(b, add(2, 7, 31)).await, Appended::Conflict);
    assert_eq!(ids(b, held(5)).await, [1, 2].map(id).into());
    assert_eq!(ids(b, held(1)).await, BTreeSet::new());
    let targets = b.act_targets(30).await.expect("a read");
    assert_eq!(targets, [1, 2].map(|browser| holder(browser).to_string()));
    // An operator who looks up a revoked identity of a person finds the person's new identity. The erasure of the new identity removes all
    // hashes of its browsers.
    let found = person_of(operator, holder(2)).await.expect("a read");
    assert_eq!(found, holder(5));
    for number in [1, 2] {
        let entries = b.entries(&id(number), 0).await.expect("a read").expect("a match");
        let removed = a.remove(id(number), entries.len() as u64).await;
        assert_eq!(removed.expect("a write"), Appended::Stored);
    }
    assert_eq!(
        change(a, PersonChange::Forget { person: holder(5), at: 100 }).await,
        Appended::Stored
    );
    for query in ["SELECT count(*) FROM browsers", "SELECT count(*) FROM codes"] {
        let rows: i64 = statement(query).scalar(&mut *operator).await.expect("a read");
        assert_eq!(rows, 0, "{query}");
    }
    let target = holder(1).to_string();
    operators::begin_act(operator, ActKind::Erase, &target, "reason").await.expect("a write");
    // An act on an event concerns the host of the event.
    for host in [1, 3] {
        let target = format!("{} host {}", id(9), holder(host));
        operators::begin_act(operator, ActKind::Rename, &target, "reason").await.expect("a write");
    }
    let traces = b.traces_of(holder(1)).await.expect("a read");
    assert_eq!(traces.requests, []);
    assert_eq!(traces.acts.iter().map(|act| &*act.act).collect::<Vec<_>>(), ["erase", "rename"]);
    race_for_invitations(a, operator).await;
}

/// Lets persons join matches while an operator revokes the invitations of these matches. Each invitation is either used or revoked.
///
/// Chance decides the order of the writes, so that a missing lock fails the test in many runs, but not in all.
async fn race_for_invitations(store: &Shared, operator: &mut Connection) {
    const MATCHES: u32 = 40;
    for number in 1..=MATCHES {
        create(store, info(number)).await;
        let joined = Entry { kind: EntryKind::Join, ..entry(1) };
        let taken =
            SeatTaken { player: Player::B, holder: holder(2), name: None, rated_host: None };
        let join = Addition { taken: Some(taken), ..Addition::of(&id(number), joined) };
        let revoke = async {
            operator.begin().await.expect("a transaction");
            let revoked = operators::revoke_invitation(operator, &id(number), 90).await;
            operator.end(revoked).await.expect("a write")
        };
        let (joined, changed) = tokio::join!(store.append(join), revoke);
        let is_joined = joined.expect("a write") == Appended::Stored;
        assert_eq!(changed, u64::from(!is_joined), "match {number}");
        // The removal keeps the person below the limit on unfinished matches.
        assert_eq!(store.remove(id(number), 1).await.expect("a write"), Appended::Stored);
    }
}
