//! Tests that three servers on one PostgreSQL database lose no acknowledged action and send no stale match state while
//! servers, database, NATS and network fail.

mod persons;
mod proxy;
mod run;
mod upgrade;

use std::thread;
use std::time::Duration;

use fastrand::Rng;
use test_postgres::history::CLIENT_ID;
use test_postgres::times::Times;

use persons::Games;
use run::{Cluster, Fault, Players};
use test_sample::cases;

/// Number of matches that the test plays at the same time.
const MATCHES: usize = 6;

/// Random seed for the faults that the test injects, and for the servers to which each client sends its requests.
const SEED: u64 = 20_010;

#[test]
fn servers_keep_their_promises_while_servers_database_and_network_fail() {
    let faults = cases(2 * Fault::ALL.len(), 300);
    let mut random = Rng::with_seed(SEED);
    let mut cluster = Cluster::start();
    let mut players = Players::start(&cluster, MATCHES, SEED);
    let games = Games::start(&cluster, &mut players, SEED);
    let mut waits = Times::default();
    // Every kind of fault occurs once in each round, in random order.
    let mut order: Vec<Fault> = Vec::new();
    while order.len() < faults {
        let mut round = Fault::ALL;
        random.shuffle(&mut round);
        order.extend(round);
    }
    order.truncate(faults);
    for (number, fault) in order.into_iter().enumerate() {
        cluster.inject(fault, random.usize(..Cluster::NODES));
        thread::sleep(Duration::from_millis(random.u64(100..800)));
        // The test ends every third fault only together with the next fault, so that two faults overlap.
        if number % 3 != 1 || number + 1 == faults {
            cluster.heal();
            waits.add(players.wait_until_all_watchers_know());
        }
    }
    players.wait_until_acknowledged(5 * faults + 1);
    let (history, refusals) = players.stop();
    let logs = cluster.logs();
    let mut contradictions = history.contradictions(&logs);
    let clocked = games.check(&cluster, &mut contradictions);
    println!(
        "{faults} faults of {} kinds: {}; {clocked:?}; {} contradictions; \
         until all watchers knew the last state: {waits}; refusals by status (0: no answer): {refusals:?}",
        Fault::ALL.len(),
        history.summary(&logs),
        contradictions.len(),
    );
    assert_eq!(contradictions, [""; 0]);
    assert!(refusals.keys().all(|status| [0, 503].contains(status)), "{refusals:?}");
    assert!(
        history.acknowledged() > 5 * faults && logs.len() >= MATCHES,
        "the players hardly played"
    );
    assert!(clocked.is_enough(), "{clocked:?}");
    assert!(
        logs.values().flatten().any(|row| !row.client_id.starts_with(CLIENT_ID)),
        "no computer opponent played"
    );
}
