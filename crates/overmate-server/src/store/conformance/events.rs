//! Tests that every store keeps tournament events with their players and boards (pairings).

use std::sync::Arc;

use futures_util::future::join_all;
use overmate_rules::{ByPlayer, Player};

use super::pair::{Pair, holder, id, info, seat};
use super::relations::make_account;
use crate::store::queries::{self, operator_reports, operators};
use crate::store::{
    Appended, BoardScore, Event, EventBoard, EventChange, EventDeal, EventKind, EventState,
    EventStep, MOST_EVENTS_OF_NETWORK, MOST_OF_HOST, MOST_OPEN, MOST_PLAYERS, MatchInfo, Occupant,
    PersonChange, Quota, Store,
};

type Shared = Arc<dyn Store>;

/// Returns a test tournament event that has not begun. Its start time equals its number.
fn event(number: u32, kind: EventKind, host: Option<u8>) -> Event {
    Event {
        id: id(number),
        kind,
        title: Some(format!("Title {number}")),
        host: host.map(holder),
        client_id: host.map(|_| format!("request {number}")),
        starts_at: number.into(),
        ..Event::sample()
    }
}

const ARENA: EventKind = EventKind::Arena { minutes: 30 };
const SWISS: EventKind = EventKind::Swiss { rounds: 5 };

async fn change(store: &Shared, change: EventChange) -> Appended {
    store.change_event(change).await.expect("a write")
}

async fn make(store: &Shared, event: Event) -> Appended {
    change(store, EventChange::Make { event }).await
}

async fn join(store: &Shared, number: u32, person: u8) -> Appended {
    change(store, EventChange::Join { id: id(number), person: holder(person), at: 7 }).await
}

async fn leave(store: &Shared, number: u32, person: u8) -> Appended {
    change(store, EventChange::Leave { id: id(number), person: holder(person) }).await
}

/// Returns the number and the handle of each player of a tournament event, and whether the player takes part in the
/// next pairings.
async fn players_of(store: &Shared, number: u32) -> Vec<(u32, Option<String>, bool)> {
    let record = store.event(&id(number)).await.expect("a read").expect("an event");
    let players = record.players.into_iter();
    players.map(|player| (player.number, player.handle, player.is_present)).collect()
}

fn step(number: u32, after: i64) -> EventStep {
    EventStep {
        id: id(number),
        after,
        version: 0,
        at: 100 + after,
        state: EventState::Running,
        kind: SWISS,
        round: 1,
        scores: Vec::new(),
        absent: Vec::new(),
        deals: Vec::new(),
        boards: Vec::new(),
        successor: None,
    }
}

fn board(number: u32, a: u32, b: u32) -> (EventBoard, Option<MatchInfo>) {
    let match_id = id(1_000 + number);
    let seats =
        ByPlayer { a: seat(Occupant::Holder(holder(1))), b: seat(Occupant::Holder(holder(2))) };
    let info = MatchInfo { invitation: None, seats, ..info(1_000 + number) };
    let board = EventBoard {
        number,
        round: 1,
        place: Some(0),
        a,
        b: Some(b),
        match_id: Some(match_id),
        began_at: 100,
        ended_at: None,
        points: None,
        forfeit: None,
    };
    (board, Some(info))
}

pub(super) async fn events(Pair { a, b, .. }: &mut Pair) {
    for (person, handle) in [(1, "Anna"), (2, "Bert")] {
        make_account(a, person, handle).await;
    }
    // Only a person with an account, or the operator, can create an event.
    assert_eq!(make(a, event(1, ARENA, Some(3))).await, Appended::Conflict);
    let made = event(10, ARENA, Some(1));
    assert_eq!(make(a, made.clone()).await, Appended::Stored);
    let read = b.event(&id(10)).await.expect("a read").expect("an event");
    assert_eq!((read.event, read.host_handle.as_deref()), (made, Some("Anna")));
    assert_eq!((read.players.len(), read.deals.len(), read.boards.len()), (0, 0, 0));
    assert_eq!(b.event(&id(11)).await.expect("a read"), None);
    assert_eq!(b.event_version(&id(10)).await.expect("a read"), Some(0));
    assert_eq!(b.event_version(&id(11)).await.expect("a read"), None);
    // A repeated request with the same client id makes no second event.
    let again = Event { client_id: Some("request 10".to_owned()), ..event(11, ARENA, Some(1)) };
    assert_eq!(make(b, again).await, Appended::Conflict);
    let known = b.event_of_request(holder(1), "request 10").await.expect("a read");
    assert_eq!(known, Some(id(10)));
    assert_eq!(b.event_of_request(holder(2), "request 10").await.expect("a read"), None);

    // An account has a quota of tournament events, and the operator has no quota.
    for number in 11..10 + MOST_OF_HOST {
        assert_eq!(make(a, event(number, SWISS, Some(1))).await, Appended::Stored);
    }
    assert_eq!(make(a, event(90, SWISS, Some(1))).await, Appended::Full(Quota::Events));
    for number in 20..30 {
        assert_eq!(make(b, event(number, ARENA, None)).await, Appended::Stored);
    }
    assert_eq!(a.due_events(11).await.expect("a read"), [id(10), id(11)]);

    // Only the host (creator) of a tournament event can start the event before its planned time.
    let start = |number: u32, host: u8, at: i64| EventChange::Start {
        id: id(number),
        host: holder(host),
        at,
    };
    assert_eq!(change(a, start(12, 2, 3)).await, Appended::Conflict);
    assert_eq!(change(a, start(12, 1, 3)).await, Appended::Stored);
    assert_eq!(change(a, start(12, 1, 3)).await, Appended::Conflict);
    assert_eq!(a.due_events(3).await.expect("a read"), [id(12)]);

    // Only the host of an event and the operator can remove the event.
    let remove = |number: u32, host: Option<u8>| EventChange::Remove {
        id: id(number),
        host: host.map(holder),
    };
    assert_eq!(change(a, remove(10, Some(2))).await, Appended::Conflict);
    assert_eq!(change(a, remove(20, Some(1))).await, Appended::Conflict);
    assert_eq!(change(a, remove(10, Some(1))).await, Appended::Stored);
    assert_eq!(change(a, remove(10, None)).await, Appended::Conflict);
    assert_eq!(change(a, remove(20, None)).await, Appended::Stored);
    assert_eq!(join(a, 21, 1).await, Appended::Stored);
    assert_eq!(join(a, 21, 2).await, Appended::Stored);
    for number in [22, 23, 24] {
        let end = EventStep { state: EventState::Finished, at: number.into(), ..step(number, 0) };
        assert_eq!(change(a, EventChange::Step(Box::new(end))).await, Appended::Stored);
    }
    // Nobody can remove a running event, not even the operator.
    assert_eq!(change(a, EventChange::Step(Box::new(step(25, 0)))).await, Appended::Stored);
    assert_eq!(change(a, remove(25, None)).await, Appended::Conflict);
    let listed = b.events(2).await.expect("a read");
    let listed: Vec<(String, u32)> =
        listed.into_iter().map(|listed| (listed.event.id, listed.players)).collect();
    let open = [12, 11, 21, 25, 26, 27, 28, 29]
        .map(|number| (id(number), if number == 21 { 2 } else { 0 }));
    assert_eq!(listed, [&open[..], &[(id(24), 0), (id(23), 0)]].concat());
    assert_eq!(b.events_of(holder(1)).await.expect("a read"), [id(12), id(11), id(21)]);
    assert_eq!(b.events_of(holder(2)).await.expect("a read"), [id(21)]);
    // The change `ForgetOld` removes tournament events that ended before a given time.
    assert_eq!(change(b, EventChange::ForgetOld { before: 24 }).await, Appended::Stored);
    assert_eq!(change(b, EventChange::ForgetOld { before: 24 }).await, Appended::Conflict);
    let left = a.events(9).await.expect("a read");
    assert_eq!(left.iter().filter(|left| left.event.finished_at.is_some()).count(), 1);
}

pub(super) async fn limits_of_events(Pair { a, b, .. }: &mut Pair) {
    let hosts = MOST_OPEN / MOST_OF_HOST + 2;
    let hosts = 1..=u8::try_from(hosts).expect("a small number");
    for person in hosts.clone() {
        make_account(a, person, &format!("Host{person}")).await;
    }
    // All accounts in a network together share one limit on tournament events.
    let mut made = 0;
    for host in hosts.clone() {
        for _ in 0..MOST_OF_HOST {
            let wanted = Event { network: Some(7), ..event(1_000 + made, ARENA, Some(host)) };
            let store = if made % 2 == 0 { &*a } else { &*b };
            let done = make(store, wanted).await;
            let is_full = made >= MOST_EVENTS_OF_NETWORK;
            let expected = [Appended::Stored, Appended::Full(Quota::EventsOfNetwork)];
            assert_eq!(done, expected[usize::from(is_full)], "host {host}");
            made += u32::from(!is_full);
        }
    }
    assert_eq!(made, MOST_EVENTS_OF_NETWORK);
    let host = *hosts.end();
    let next = |network| Event { network, ..event(2_000, SWISS, Some(host)) };
    // A finished tournament event does not count towards the limit on the events of its network. An event whose host has erased their data
    // still counts.
    let end = EventStep { state: EventState::Finished, ..step(1_000, 0) };
    assert_eq!(change(a, EventChange::Step(Box::new(end))).await, Appended::Stored);
    assert_eq!(make(b, next(Some(7))).await, Appended::Stored);
    let forget = PersonChange::Forget { person: holder(host), at: 9 };
    assert_eq!(a.change_person(forget).await.expect("a write"), Appended::Stored);
    let other = |network| Event { network, ..event(2_001, SWISS, Some(host - 1)) };
    assert_eq!(make(b, other(Some(7))).await, Appended::Full(Quota::EventsOfNetwork));
    // Open tournament events from all networks count towards the limit that all accounts share. So do events without a network, which
    // earlier server versions stored.
    assert_eq!(make(b, other(Some(8))).await, Appended::Stored);
    let mut open = MOST_EVENTS_OF_NETWORK + 1;
    for host in *hosts.start()..host - 1 {
        for _ in 0..MOST_OF_HOST {
            match make(a, event(3_000 + open, ARENA, Some(host))).await {
                Appended::Full(Quota::Events) => {}
                Appended::Stored => open += 1,
                refused => {
                    assert_eq!((refused, open), (Appended::Full(Quota::AllEvents), MOST_OPEN));
                }
            }
        }
    }
    assert_eq!(open, MOST_OPEN);
}

pub(super) async fn players(Pair { a, b, .. }: &mut Pair) {
    for (person, handle) in [(1, "Anna"), (2, "Bert"), (3, "Cleo")] {
        make_account(a, person, handle).await;
    }
    let anna = Some("Anna".to_owned());
    let bert = Some("Bert".to_owned());
    assert_eq!(make(a, event(1, SWISS, Some(1))).await, Appended::Stored);
    assert_eq!(make(a, event(2, ARENA, None)).await, Appended::Stored);
    // A person without an account cannot join an event, and nobody can join an unknown event.
    assert_eq!(join(a, 1, 9).await, Appended::Conflict);
    assert_eq!(join(a, 9, 1).await, Appended::Conflict);
    for person in [1, 2, 1] {
        assert_eq!(join(a, 1, person).await, Appended::Stored);
    }
    let both = [(1, anna.clone(), true), (2, bert.clone(), true)];
    assert_eq!(players_of(b, 1).await, both);
    // A player who leaves an event before its start is removed from the event.
    assert_eq!(leave(b, 1, 3).await, Appended::Conflict);
    assert_eq!(leave(b, 1, 1).await, Appended::Stored);
    assert_eq!(players_of(a, 1).await, [(2, bert.clone(), true)]);
    assert_eq!(join(b, 1, 1).await, Appended::Stored);
    let both = [(2, bert.clone(), true), (3, anna.clone(), true)];
    assert_eq!(players_of(a, 1).await, both);

    // Each change of a tournament event increments the version number of the event.
    let version = a.event_version(&id(1)).await.expect("a read");
    assert_eq!(version, Some(5));
    // The first step is refused if players have joined or left since the event was read.
    for (version, expected) in [(4, Appended::Conflict), (5, Appended::Stored)] {
        let begin = EventStep { version, ..step(1, 0) };
        assert_eq!(change(a, EventChange::Step(Box::new(begin))).await, expected);
    }
    assert_eq!(b.event_version(&id(1)).await.expect("a read"), Some(6));
    // A running Swiss event readmits players who left, and admits nobody else. A running arena admits everybody.
    assert_eq!(leave(b, 1, 1).await, Appended::Stored);
    assert_eq!(players_of(a, 1).await, [(2, bert.clone(), true), (3, anna.clone(), false)]);
    assert_eq!(join(b, 1, 1).await, Appended::Stored);
    assert_eq!(join(b, 1, 3).await, Appended::Conflict);
    let begin = EventStep { kind: ARENA, ..step(2, 0) };
    assert_eq!(change(a, EventChange::Step(Box::new(begin))).await, Appended::Stored);
    assert_eq!(join(b, 2, 3).await, Appended::Stored);
    assert_eq!(join(b, 2, 1).await, Appended::Stored);
    // After its end, an arena takes back only its own players.
    for (person, expected) in [(2, Appended::Conflict), (1, Appended::Stored)] {
        let late = EventChange::Join { id: id(2), person: holder(person), at: 2 + 30 * 60 };
        assert_eq!(change(a, late).await, expected);
    }

    // A tournament event keeps the number of a player who erases their data, but not the player's handle. If the player is the host, the
    // event loses its title.
    let forget = PersonChange::Forget { person: holder(1), at: 9 };
    assert_eq!(a.change_person(forget).await.expect("a write"), Appended::Stored);
    assert_eq!(players_of(b, 1).await, [(2, bert, true), (3, None, false)]);
    let record = b.event(&id(1)).await.expect("a read").expect("an event");
    assert_eq!((record.event.host, record.event.title, record.host_handle), (None, None, None));
    assert_eq!(record.event.client_id, None);
    assert_eq!(b.events_of(holder(1)).await.expect("a read"), [""; 0]);
    assert_eq!(join(b, 1, 1).await, Appended::Conflict);
    // Players can neither join nor leave a finished tournament event, and the store refuses further steps (such as a pairing) of the event.
    let end = EventStep { state: EventState::Finished, ..step(1, 1) };
    assert_eq!(change(a, EventChange::Step(Box::new(end))).await, Appended::Stored);
    assert_eq!(join(b, 1, 2).await, Appended::Conflict);
    assert_eq!(leave(b, 1, 2).await, Appended::Conflict);
    assert_eq!(change(a, EventChange::Step(Box::new(step(1, 2)))).await, Appended::Conflict);

    // The number of players in an event is limited.
    assert_eq!(make(a, event(3, ARENA, None)).await, Appended::Stored);
    for number in 0..MOST_PLAYERS {
        let person = u8::try_from(10 + number % 240).expect("a small number");
        if a.account(holder(person)).await.expect("a read").is_none() {
            make_account(a, person, &format!("Player{person}")).await;
        }
        assert_eq!(join(a, 3, person).await, Appended::Stored);
    }
    assert_eq!(join(b, 3, 3).await, Appended::Full(Quota::EventPlayers));
    assert_eq!(join(b, 3, 10).await, Appended::Stored);
}

pub(super) async fn steps(Pair { a, b, .. }: &mut Pair) {
    for (person, handle) in [(1, "Anna"), (2, "Bert"), (3, "Cleo"), (4, "Dora")] {
        make_account(a, person, handle).await;
    }
    assert_eq!(make(a, event(1, SWISS, Some(1))).await, Appended::Stored);
    for person in 1..=4 {
        assert_eq!(join(a, 1, person).await, Appended::Stored);
    }
    let runs = async || b.clock_status().await.expect("a read").has_event;
    assert!(!runs().await);
    // If several servers pair the players for the same round of a Swiss event, exactly one server stores the round with its matches.
    let deal = EventDeal { place: 0, number: 184_755, value: -42 };
    let kind = EventKind::Swiss { rounds: 3 };
    let steps = (0..8).map(|number| {
        let boards = vec![board(1 + 10 * number, 1, 2), board(2 + 10 * number, 4, 3)];
        let step = EventStep { kind, version: 4, deals: vec![deal], boards, ..step(1, 0) };
        let store = if number % 2 == 0 { &*a } else { &*b };
        store.change_event(EventChange::Step(Box::new(step)))
    });
    let taken = join_all(steps).await.into_iter().map(|done| done.expect("a write"));
    assert_eq!(taken.filter(|taken| *taken == Appended::Stored).count(), 1);
    let record = a.event(&id(1)).await.expect("a read").expect("an event");
    let event = &record.event;
    assert_eq!((event.state, event.kind, event.round), (EventState::Running, kind, 1));
    assert!(runs().await);
    assert_eq!((event.step, event.version, event.finished_at), (1, 5, None));
    assert_eq!((&record.deals[..], record.boards.len()), (&[deal][..], 2));
    let first = record.boards[0].number;
    assert_eq!(record.boards[0], board(first, 1, 2).0);
    for number in (0..8).flat_map(|number| [1 + 10 * number, 2 + 10 * number]) {
        let exists = b.info(&id(1_000 + number)).await.expect("a read").is_some();
        assert_eq!(exists, [first, first + 1].contains(&number), "{number}");
    }

    // The store refuses a new pairing with a player who has left the tournament event, and changes nothing.
    assert_eq!(leave(b, 1, 3).await, Appended::Stored);
    let boards = vec![board(201, 4, 3)];
    let refused = EventStep { kind, boards, ..step(1, 1) };
    assert_eq!(change(a, EventChange::Step(Box::new(refused))).await, Appended::Conflict);
    assert_eq!(b.info(&id(1_201)).await.expect("a read"), None);
    assert_eq!(join(b, 1, 3).await, Appended::Stored);

    // The score of a board (pairing) is stored only once.
    let score = |points, forfeit| BoardScore { number: first, points, forfeit };
    let scored = EventStep {
        kind,
        scores: vec![score(-33, Some(Player::A))],
        absent: vec![1],
        successor: Some(self::event(7, SWISS, None)),
        ..step(1, 1)
    };
    assert_eq!(change(b, EventChange::Step(Box::new(scored))).await, Appended::Stored);
    let bye = EventBoard {
        place: None,
        b: None,
        match_id: None,
        ended_at: Some(101),
        points: Some(0),
        ..board(300, 2, 2).0
    };
    let boards = vec![(bye.clone(), None)];
    let scores = vec![score(99, None)];
    let end =
        EventStep { kind, scores, boards, state: EventState::Finished, round: 2, ..step(1, 2) };
    assert_eq!(change(a, EventChange::Step(Box::new(end))).await, Appended::Stored);
    let record = b.event(&id(1)).await.expect("a read").expect("an event");
    let ended = &record.boards[0];
    assert_eq!(
        (ended.points, ended.forfeit, ended.ended_at),
        (Some(-33), Some(Player::A), Some(101))
    );
    assert_eq!(record.boards[2], bye);
    assert_eq!((record.event.finished_at, record.event.round), (Some(102), 2));
    let present: Vec<bool> = record.players.iter().map(|player| player.is_present).collect();
    assert_eq!(present, [false, true, true, true]);
    assert!(b.event(&id(7)).await.expect("a read").is_some());
    assert_eq!(b.due_events(100).await.expect("a read"), [id(7)]);
    assert!(!runs().await);
}

pub(super) async fn operators_and_events(Pair { a, b, operator }: &mut Pair) {
    let connection = operator.as_mut().expect("a database");
    make_account(a, 1, "Anna").await;
    assert_eq!(make(a, event(1, SWISS, Some(1))).await, Appended::Stored);
    assert_eq!(join(a, 1, 1).await, Appended::Stored);
    operators::revoke_browser(connection, holder(1), holder(5), 99).await.expect("a write");
    assert_eq!(b.events_of(holder(1)).await.expect("a read"), [""; 0]);
    assert_eq!(b.events_of(holder(5)).await.expect("a read"), [id(1)]);
    assert_eq!(players_of(b, 1).await, [(1, Some("Anna".to_owned()), true)]);
    // An operator takes a person out of the events that are not over, when the operator closes the person's account. The person does not
    // join again in the same moment, and neither joins nor creates events before the account is reopened.
    let closed = (holder(5), "closed");
    connection.begin().await.expect("a transaction");
    queries::events::leave_all(connection, holder(5)).await.expect("a write");
    operator_reports::take(connection, closed, (None, None), 100).await.expect("a write");
    let (joined, committed) = tokio::join!(join(b, 1, 5), connection.commit());
    committed.expect("a commit");
    assert_eq!(joined, Appended::Conflict);
    assert_eq!(players_of(b, 1).await, []);
    assert_eq!(make(a, event(2, ARENA, Some(5))).await, Appended::Conflict);
    assert!(operator_reports::end(connection, closed, 101).await.expect("a write"));
    assert_eq!(join(b, 1, 5).await, Appended::Stored);
    // An operator changes the title of an event.
    for (number, host) in [(1, Some(Some(holder(5)))), (9, None)] {
        let renamed = queries::events::rename(connection, &id(number), Some("New")).await;
        assert_eq!(renamed.expect("a write"), host);
    }
    let record = b.event(&id(1)).await.expect("a read").expect("an event");
    assert_eq!(record.event.title.as_deref(), Some("New"));

    // The test deletes the account of a player from the database, and leaves the tournament events unchanged. A server of an earlier
    // version does the same when it erases a person.
    crate::store::connection::sql::statement("DELETE FROM accounts")
        .execute(&mut *connection)
        .await
        .expect("a write");
    assert_eq!(players_of(b, 1).await, [(1, None, true)]);
    change(a, EventChange::ForgetOld { before: 0 }).await;
    assert_eq!(b.events_of(holder(5)).await.expect("a read"), [""; 0]);
}
