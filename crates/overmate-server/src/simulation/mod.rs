//! Simulates clusters of servers in one thread with a simulated clock. A cluster runs the services
//! of three servers on one store. One random seed decides late and lost messages, partitions,
//! frozen servers and deaths.
//!
//! Repeat the run of a seed, with its trace, by this command: `OVERMATE_SIMULATED_SEED=7 cargo test
//! -p overmate-server --lib simulation -- --nocapture`

mod cluster;
mod days_off;
mod memory_absences;
mod memory_accounts;
mod memory_bots;
mod memory_clock_store;
mod memory_clocks;
mod memory_counts;
mod memory_events;
mod memory_folding;
mod memory_leases;
pub(crate) mod memory_link;
mod memory_lists;
mod memory_lobby;
mod memory_mail;
mod memory_match;
mod memory_passkeys;
mod memory_people;
mod memory_person_store;
mod memory_push;
mod memory_puzzles;
mod memory_ratings;
mod memory_relations;
mod memory_reports;
mod memory_seats;
pub(crate) mod memory_store;
mod memory_talk;
mod memory_visibility;
mod network;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, available_parallelism};

use cluster::{Outcome, simulate};

/// Number of random seeds in an ordinary and in a thorough test run.
const SEEDS: [u64; 2] = [200, 10_000];

#[test]
fn simulated_clusters_keep_their_promises() {
    if let Ok(seed) = std::env::var("OVERMATE_SIMULATED_SEED") {
        let outcome = simulate(seed.parse().expect("a number"));
        println!("{}", outcome.trace.join("\n"));
        assert_eq!(outcome.contradictions, [""; 0]);
        return;
    }
    let is_thorough = std::env::var_os("OVERMATE_THOROUGH").is_some_and(|value| value == "1");
    let seeds = SEEDS[usize::from(is_thorough)];
    let next = AtomicU64::new(0);
    let all = Mutex::new(Outcome::default());
    thread::scope(|scope| {
        for _ in 0..available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds {
                        return;
                    }
                    let outcome = simulate(seed);
                    assert_eq!(outcome.contradictions, [""; 0], "seed {seed}");
                    let mut all = all.lock().expect("no other seed has failed");
                    all.acknowledged += outcome.acknowledged;
                    all.unanswered += outcome.unanswered;
                    all.by_computers += outcome.by_computers;
                    all.faults += outcome.faults;
                }
            });
        }
    });
    let all = all.into_inner().expect("no seed has failed");
    println!(
        "{seeds} seeds: {} faults, {} acknowledged actions after {} requests without an answer, {} actions of computer opponents",
        all.faults, all.acknowledged, all.unanswered, all.by_computers
    );
    assert!(all.faults > 5 * seeds && all.unanswered > seeds && all.by_computers > seeds);
}

#[test]
fn a_seed_gives_the_same_run_again() {
    let mut different = BTreeSet::new();
    for seed in 0..5 {
        let [first, again] = [simulate(seed), simulate(seed)];
        assert!(first.trace.len() > 50, "{}", first.trace.len());
        assert_eq!(first.trace, again.trace, "seed {seed}");
        different.insert(first.trace);
    }
    assert_eq!(different.len(), 5);
}
