//! Opens two stores on one database for tests, and creates test matches.

use std::sync::Arc;

use overmate_rules::{ByPlayer, Player};

use crate::clocks::clock_setting::ClockSetting;
use crate::database::Database;
use crate::settings::{Limits, Settings};
use crate::simulation::memory_link::Direct;
use crate::simulation::memory_store::{MemoryStore, Tables};
use crate::store::connection::inspect;
use crate::store::connection::sql::Connection;
use crate::store::{
    Addition, Appended, Entry, EntryKind, Event, EventKind, EventState, Holder, MatchInfo,
    NewMatchRequest, Occupant, PersonChange, SeatInfo, SqlStore, Store,
};

/// Two stores on one database, like the stores of two servers.
pub(super) struct Pair {
    pub(super) a: Arc<dyn Store>,
    pub(super) b: Arc<dyn Store>,
    /// Database connection of an operator. `None` for the in-memory store, which has no operators.
    pub(super) operator: Option<Connection>,
}

/// Quota of unfinished matches for each browser identity in the tests.
pub(super) const MOST_UNFINISHED: u32 = 5;

/// Quota of rated matches that two persons may begin with each other within a day in the tests.
pub(super) const MOST_RATED: u32 = 3;

pub(super) async fn open(database: &Database) -> Pair {
    let settings = Settings { limits: limits(), ..Settings::new(database.clone()) };
    // The stores `a` and `b` of two servers open the same empty database. In PostgreSQL they open the database at the same time, and both
    // try to create the tables.
    let (a, b) = match database {
        Database::Sqlite(_) => (SqlStore::open(&settings).await, SqlStore::open(&settings).await),
        Database::Postgres(_) => {
            tokio::join!(SqlStore::open(&settings), SqlStore::open(&settings))
        }
    };
    let operator = inspect::connect_to(database).await;
    Pair {
        a: Arc::new(a.expect("a store")),
        b: Arc::new(b.expect("a store")),
        operator: Some(operator.expect("a connection")),
    }
}

pub(super) fn open_in_memory() -> Pair {
    let tables = Tables::new(&limits());
    let store = || Arc::new(MemoryStore::new(Arc::clone(&tables), Direct));
    Pair { a: store(), b: store(), operator: None }
}

fn limits() -> Limits {
    Limits {
        unfinished_matches: Some(MOST_UNFINISHED),
        rated_matches_of_pair: Some(MOST_RATED),
        ..Limits::default()
    }
}

/// Returns the id of the test match with a given number.
pub(super) fn id(number: u32) -> String {
    format!("{number:032x}")
}

/// Returns the use of a linking or recovery code by a browser that reports no name, and keeps its token.
pub(super) fn use_code(hash: [u8; 32], browser: u8, at: i64) -> PersonChange {
    let browser = holder(browser);
    PersonChange::Add { hash, browser, renewed: browser, name: None, at }
}

pub(super) fn holder(number: u8) -> Holder {
    Holder([number; 32])
}

pub(super) fn seat(occupant: Occupant) -> SeatInfo {
    SeatInfo::new(None, occupant)
}

/// Returns the metadata of a test match in which browser identity 1 is player A and the other seat is open.
pub(super) fn info(number: u32) -> MatchInfo {
    MatchInfo {
        id: id(number),
        watch: format!("watch {number}"),
        invitation: Some(format!("invitation {number}")),
        created_at: number.into(),
        seats: ByPlayer { a: seat(Occupant::Holder(holder(1))), b: seat(Occupant::Open) },
        ..MatchInfo::sample()
    }
}

/// Returns the metadata of a test match between a browser identity and a computer opponent.
pub(super) fn against_computer(number: u32, browser: Holder) -> MatchInfo {
    let bot = Occupant::Bot("level:3".parse().expect("an opponent"), u64::MAX - 1);
    MatchInfo {
        invitation: None,
        seats: ByPlayer { a: seat(Occupant::Holder(browser)), b: seat(bot) },
        ..info(number)
    }
}

pub(super) fn entry(sequence: u64) -> Entry {
    Entry {
        sequence,
        player: if sequence % 2 == 1 { Player::A } else { Player::B },
        kind: EntryKind::Act(format!("T{sequence}")),
        client_id: format!("request {sequence}"),
        at_ms: 1_000_321 + 1_000 * sequence.cast_signed(),
        given_ms: 10 * sequence.cast_signed(),
    }
}

pub(super) async fn create(store: &Arc<dyn Store>, info: MatchInfo) {
    assert_eq!(store.create(info, None).await.expect("a write"), Appended::Stored);
}

pub(super) async fn append(store: &Arc<dyn Store>, number: u32, sequence: u64) -> Appended {
    store.append(Addition::of(&id(number), entry(sequence))).await.expect("a write")
}

/// Hands in a match with one browser identity in both seats. The match log has `entries` entries: acts of an operator, and a resignation at
/// the end.
pub(crate) async fn hand_in_sample(store: &dyn Store, id: &str, holder: Holder, entries: u64) {
    let seat = SeatInfo::new(None, Occupant::Holder(holder));
    let seats = ByPlayer { a: seat.clone(), b: seat };
    let info = MatchInfo { id: id.to_owned(), watch: id.to_owned(), seats, ..MatchInfo::sample() };
    let acts = (1..entries).map(|sequence| Entry::sample(sequence, EntryKind::Operator));
    let log = acts.chain([Entry::sample(entries, EntryKind::Resign)]).collect();
    let request = NewMatchRequest { holder, client_id: id.to_owned() };
    let stored = store.hand_in(info, request, log).await;
    assert_eq!(stored.expect("a write"), Appended::Stored);
}

impl Event {
    /// Returns a tournament event for tests: an arena that repeats every week. An operator has made the arena, and it has not begun.
    pub(crate) fn sample() -> Self {
        Self {
            id: id(0),
            kind: EventKind::Arena { minutes: 30 },
            title: None,
            rules: "bga".to_owned(),
            clock: ClockSetting::live(180, 2).expect("a setting"),
            host: None,
            client_id: None,
            network: None,
            secret: [9; 32],
            made_at: 5,
            starts_at: 10,
            finished_at: None,
            state: EventState::Coming,
            repeat_days: 7,
            round: 0,
            step: 0,
            version: 0,
        }
    }
}

impl MatchInfo {
    /// Returns the metadata of a test match under the rule set `bga`, with one browser identity in both seats.
    pub(crate) fn sample() -> Self {
        let seat = SeatInfo::new(None, Occupant::Holder(Holder([7; 32])));
        Self {
            id: "0".repeat(32),
            rules: "bga".to_owned(),
            deals: vec![20_010, 7],
            watch: String::new(),
            invitation: None,
            created_at: 0,
            shared_deal: None,
            deal_chosen: false,
            network: None,
            clock: None,
            rated: false,
            public: false,
            played_at: None,
            seats: ByPlayer { a: seat.clone(), b: seat },
        }
    }
}
