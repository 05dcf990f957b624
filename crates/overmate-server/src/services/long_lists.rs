//! Tests that lists of matches replay long logs only with a permit of the client that asks for the list.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use overmate_rules::ByPlayer;
use tokio::time::timeout;

use super::casual::casual_matches;
use super::repository::MatchRepository;
use super::turns::TurnService;
use super::watching::WatchService;
use crate::computing::compute::{Class, Compute, ComputePermit};
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::names::RefusedWords;
use crate::notices::events::InProcess;
use crate::settings::Limits;
use crate::simulation::memory_link::Direct;
use crate::simulation::memory_store::{MemoryStore, Tables};
use crate::store::{
    Account, Addition, Appended, Entry, EntryKind, Holder, MatchInfo, Occupant, SeatInfo, Store,
};

/// Number of log entries of each match in the test. A list replays so many entries only with a permit.
const LONG: u64 = 1_000;

const SECOND: Duration = Duration::from_secs(1);

const PERSON: Holder = Holder([1; 32]);

const FEED: &str = "token of the feed";

/// Returns a store with a running match and a finished match of two persons, both public and with long logs.
async fn store() -> Arc<dyn Store> {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new(Tables::new(&Limits::default()), Direct));
    for (number, is_ended) in [(1, false), (2, true)] {
        let seat = |person| SeatInfo::new(None, Occupant::Holder(person));
        let id = format!("{number:032x}");
        let seats = ByPlayer { a: seat(PERSON), b: seat(Holder([2; 32])) };
        let watch = id.clone();
        let info = MatchInfo { id, watch, seats, public: true, ..MatchInfo::sample() };
        let id = info.id.clone();
        assert_eq!(store.create(info, None).await.expect("a write"), Appended::Stored);
        for sequence in 1..=LONG {
            let ends = is_ended && sequence == LONG;
            let kind = if ends { EntryKind::Resign } else { EntryKind::Hint };
            let addition = Addition { ends, ..Addition::of(&id, Entry::sample(sequence, kind)) };
            assert_eq!(store.append(addition).await.expect("a write"), Appended::Stored);
        }
    }
    let feed = store.set_feed(PERSON, PERSON, Some(FEED.to_owned())).await;
    assert_eq!(feed.expect("a write"), Appended::Stored);
    store
}

/// Takes all permits that a client can hold.
async fn hold_all(solvers: &SolverPool, client: Client) -> Vec<ComputePermit> {
    let mut held = Vec::new();
    while let Ok(permit) = timeout(SECOND, solvers.permit(Class::Cheap, client)).await {
        held.push(permit.expect("a permit"));
    }
    assert!(!held.is_empty());
    held
}

/// Asserts that a list waits while its client holds all of the client's permits, and returns the list.
async fn waited<T: Debug>(
    list: impl Future<Output = Result<T, ApiError>>,
    solvers: &SolverPool,
    client: Client,
) -> T {
    let held = hold_all(solvers, client).await;
    let mut list = Box::pin(list);
    let early = timeout(SECOND, &mut list).await;
    assert!(early.is_err(), "{early:?}");
    drop(held);
    list.await.expect("a list")
}

#[tokio::test(start_paused = true)]
async fn lists_of_matches_replay_long_logs_only_with_a_permit_of_their_client() {
    let store = store().await;
    let solvers = Arc::new(SolverPool::new(Arc::new(Compute::new())));
    let words = || Arc::new(RefusedWords::default());
    let client = Client::at([192, 0, 2, 1].into());
    // Each list has a repository of its own, so that no list finds the states in the cache.
    let repository = || {
        let events = Arc::new(InProcess::default());
        Arc::new(MatchRepository::new(Arc::clone(&store), events, &Limits::default()).0)
    };
    let turns = TurnService::new(repository(), Arc::clone(&solvers));
    waited(turns.turns(FEED, client), &solvers, client).await;
    let account = Account {
        person: PERSON,
        handle: "Anna".to_owned(),
        password: None,
        made_at: 0,
        handle_at: 0,
        is_private: false,
        is_bot: false,
    };
    let finished = repository();
    let casual = async {
        let casual = casual_matches(&finished, &account, None, (&*solvers, client)).await?;
        Ok(casual.latest.len())
    };
    waited(casual, &solvers, client).await;
    let watching = WatchService::new(repository(), Arc::clone(&solvers), words());
    let after = format!("1-{}", "0".repeat(32));
    for is_finished in [false, true] {
        let page = async {
            let page = watching.list(None, is_finished, Some(&after), client).await?;
            Ok(String::from_utf8_lossy(&page.text).into_owned())
        };
        let page = waited(page, &solvers, client).await;
        assert!(page.contains(&format!("{:032x}", 1 + u32::from(is_finished))), "{page}");
    }
    // The first page has one reader for all watchers, and waits for nobody.
    let watching = WatchService::new(repository(), Arc::clone(&solvers), words());
    let held = hold_all(&solvers, client).await;
    watching.list(None, true, None, client).await.expect("a list");
    drop(held);
}
