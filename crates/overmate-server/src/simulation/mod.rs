//! Simulates clusters of servers in one thread with a simulated clock.
//!
//! A cluster runs the services of three servers on one store. One random seed determines delayed and lost messages, network
//! partitions, frozen servers and crashes. Matches with clocks have separate simulations, with one to three servers.
//!
//! Repeat the run of a seed, with its trace, by this command: `OVERMATE_SIMULATED_SEED=7 cargo test
//! -p overmate-server --lib simulation -- --nocapture`

mod absent_players;
mod clocked;
mod clocked_days;
mod clocked_model;
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
mod memory_turn_mails;
mod memory_visibility;
mod network;
mod recovery;
mod server;
pub(crate) mod simulated_time;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, available_parallelism};
use std::time::Duration;

use fastrand::Rng;
use test_postgres::times::Times;

use clocked::{Fault, Place};
use cluster::{Outcome, simulate};
use network::State;

use crate::settings::{Limits, ServerRole};

/// Number of random seeds for which an ordinary test run simulates whole clusters.
const CLUSTERS: u64 = 200;
/// Number of random seeds with which an ordinary test run repeats each simulation that tests one behaviour of the servers, such as the
/// recovery from a fault.
const SAMPLE: u64 = 50;
/// Number of random seeds with which a thorough test run repeats each simulation.
const THOROUGH: u64 = 10_000;

/// Runs a test with many random seeds on all processors, or only with the seed in an environment variable. Returns the number of seeds:
/// `ordinary`, or [`THOROUGH`] in a thorough test run. Returns `None` if the environment gives the seed.
fn run_seeds(ordinary: u64, run: impl Fn(u64) -> (Vec<String>, Vec<String>) + Sync) -> Option<u64> {
    if let Ok(seed) = std::env::var("OVERMATE_SIMULATED_SEED") {
        let (contradictions, trace) = run(seed.parse().expect("a number"));
        println!("{}", trace.join("\n"));
        assert_eq!(contradictions, [""; 0]);
        return None;
    }
    let seeds = test_sample::cases(ordinary, THOROUGH);
    let next = AtomicU64::new(0);
    thread::scope(|scope| {
        for _ in 0..available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds {
                        return;
                    }
                    let (contradictions, _) = run(seed);
                    assert_eq!(contradictions, [""; 0], "seed {seed}");
                }
            });
        }
    });
    Some(seeds)
}

#[test]
fn simulated_clusters_keep_their_promises() {
    let all = Mutex::new(Outcome::default());
    let seeds = run_seeds(CLUSTERS, |seed| {
        let outcome = simulate(seed);
        let mut all = all.lock().expect("no other seed has failed");
        all.acknowledged += outcome.acknowledged;
        all.unanswered += outcome.unanswered;
        all.by_computers += outcome.by_computers;
        all.faults += outcome.faults;
        (outcome.contradictions, outcome.trace)
    });
    let Some(seeds) = seeds else { return };
    let all = all.into_inner().expect("no seed has failed");
    println!(
        "{seeds} seeds: {} faults, {} acknowledged actions after {} requests without an answer, {} actions of computer opponents",
        all.faults, all.acknowledged, all.unanswered, all.by_computers
    );
    assert!(all.faults > 5 * seeds && all.unanswered > seeds && all.by_computers > seeds);
}

/// Maximum simulated time in which a cluster must recover from a fault. Simulated times are the same on every machine.
const RECOVERED: Duration = Duration::from_secs(5);

#[test]
fn another_server_takes_the_turn_of_a_dead_server_within_five_seconds() {
    let all = Mutex::new(Times::default());
    let seeds = run_seeds(SAMPLE, |seed| {
        let time = recovery::take_over(seed);
        all.lock().expect("no other seed has failed").add(time);
        (late(time), vec![format!("taken over after {time:?}")])
    });
    let Some(seeds) = seeds else { return };
    let times = all.into_inner().expect("no seed has failed");
    println!("turns of computer opponents after the death of the server with the lease: {times}");
    // After the death of a server, its lease must expire before another server takes the computer opponent's turn. This takes at least a
    // second. In rare runs, the turn comes earlier, because the last write of the dead server still arrives and contains the turn.
    assert!(times.count_from(Duration::from_secs(1)) as u64 >= seeds - seeds / 100, "{times}");
}

#[test]
fn a_waiting_reader_knows_the_last_state_within_five_seconds_after_the_end_of_all_faults() {
    let all = Mutex::new(Times::default());
    let seeds = run_seeds(SAMPLE, |seed| {
        let healed = recovery::heal(seed);
        if healed.was_behind {
            all.lock().expect("no other seed has failed").add(healed.time);
        }
        (late(healed.time), vec![format!("{healed:?}")])
    });
    let Some(seeds) = seeds else { return };
    let times = all.into_inner().expect("no seed has failed");
    println!("reads of the last state after the end of all faults: {times}");
    assert!(times.count_from(Duration::ZERO) as u64 > seeds / 4, "{times}");
    assert!(times.count_from(Duration::from_secs(1)) as u64 > seeds / 40, "{times}");
}

/// Returns a list with one error text if the recovery of a cluster took longer than [`RECOVERED`], otherwise an empty list.
fn late(time: Duration) -> Vec<String> {
    if time > RECOVERED { vec![format!("recovered after {time:?}")] } else { Vec::new() }
}

#[test]
fn simulated_clocks_make_and_lose_no_time() {
    let all = Mutex::new(clocked::Outcome::default());
    let seeds = run_seeds(SAMPLE, |seed| {
        let outcome = clocked::simulate(seed);
        let mut all = all.lock().expect("no other seed has failed");
        all.entries += outcome.entries;
        all.flags += outcome.flags;
        all.pauses += outcome.pauses;
        all.credited += outcome.credited;
        (outcome.contradictions, outcome.trace)
    });
    let Some(seeds) = seeds else { return };
    let all = all.into_inner().expect("no seed has failed");
    println!(
        "{seeds} seeds: {} entries, {} losses on time, {} matches with a pause, {} seconds given back",
        all.entries,
        all.flags,
        all.pauses,
        all.credited / 1_000
    );
    assert!(all.entries > 20 * seeds && all.flags > seeds && all.pauses > seeds / 4);
    assert!(all.credited.unsigned_abs() > 5_000 * seeds, "{}", all.credited);
}

#[test]
fn simulated_days_and_days_off_make_and_lose_no_time_when_all_servers_restart() {
    let all = Mutex::new(clocked_days::Outcome::default());
    let seeds = run_seeds(SAMPLE, |seed| {
        let outcome = clocked_days::simulate(seed);
        let mut all = all.lock().expect("no other seed has failed");
        all.turns += outcome.turns;
        all.flags += outcome.flags;
        all.absences += outcome.absences;
        all.credited += outcome.credited;
        (outcome.contradictions, outcome.trace)
    });
    let Some(seeds) = seeds else { return };
    let all = all.into_inner().expect("no seed has failed");
    let hours = all.credited / 3_600_000;
    println!(
        "{seeds} seeds: {} turns, {} losses on time, {} absences, {hours} hours given back",
        all.turns, all.flags, all.absences
    );
    assert!(all.turns > 10 * seeds && all.flags > seeds / 10 && all.absences > seeds);
    assert!(hours.unsigned_abs() > 10 * seeds, "{hours}");
}

#[test]
fn a_slow_link_to_the_store_gives_no_time_back_while_a_server_runs() {
    let late = |milliseconds| {
        let (after, time) = (Duration::from_secs(3), Duration::from_mins(1));
        let fault = Fault { state: State::Late(milliseconds), after, time };
        Place { role: ServerRole::All, faults: vec![fault] }
    };
    let well = || Place { role: ServerRole::All, faults: Vec::new() };
    let (mut entries, mut flags) = (0, 0);
    for seed in 0..10 {
        // The first tested cluster has one server, with a slow link. The second cluster has two servers, one of them with a very slow link.
        for places in [vec![late(600)], vec![late(2_000), well()]] {
            let outcome = clocked::run(Rng::with_seed(seed), places, false);
            assert_eq!(outcome.contradictions, [""; 0], "seed {seed}");
            assert_eq!(outcome.credited, 0, "seed {seed}: {:#?}", outcome.trace);
            entries += outcome.entries;
            flags += outcome.flags;
        }
    }
    assert!(entries > 200 && flags > 5, "{entries} {flags}");
}

#[test]
fn the_end_of_a_pause_does_not_count_from_its_arrival_at_a_slow_server() {
    let mut resumed = Vec::new();
    for seed in 0..60 {
        let (after, time) = (Duration::from_secs(3), Duration::from_mins(2));
        let fault = Fault { state: State::Late(500), after, time };
        let places = vec![Place { role: ServerRole::All, faults: vec![fault] }];
        let outcome = clocked::run(Rng::with_seed(seed), places, true);
        assert_eq!(outcome.contradictions, [""; 0], "seed {seed}");
        resumed.extend(outcome.resumed);
    }
    // Each delay in `resumed` is that of a single message to the store, which carries the log entry for the end of a clock pause. The
    // server reads the match and its log earlier, and these reads do not add to the delay.
    let slow = resumed.iter().filter(|time| **time >= 500).count();
    assert!(slow > 5 && resumed.iter().all(|time| *time < 600), "{resumed:?}");
}

#[test]
fn a_worker_gives_nothing_back_and_ends_no_match_while_no_other_server_runs() {
    let (after, time) = (Duration::from_secs(4), Duration::from_mins(2));
    let dead = |role| {
        let fault = Fault { state: State::Dead, after, time };
        Place { role, faults: vec![fault] }
    };
    let (mut credited, mut flags) = (0, 0);
    for seed in 0..20 {
        let worker = Place { role: ServerRole::Worker, faults: Vec::new() };
        let places = vec![dead(ServerRole::Web), dead(ServerRole::Web), worker];
        let outcome = clocked::run(Rng::with_seed(seed), places, true);
        assert_eq!(outcome.contradictions, [""; 0], "seed {seed}: {:#?}", outcome.trace);
        credited += outcome.credited;
        flags += outcome.flags;
    }
    assert!(credited > 20 * 50_000 && flags > 5, "{credited} {flags}");
}

#[test]
fn a_downtime_of_the_servers_that_answer_players_makes_nobody_late_at_an_event() {
    let place = |role, state| absent_players::Place { role, state };
    let (all, web, worker) = (ServerRole::All, ServerRole::Web, ServerRole::Worker);
    let show_time = i64::try_from(Limits::default().event_show_time.as_millis()).expect("a time");
    let fault = Duration::from_mins(4);
    for seed in 0..2 {
        for state in [State::Frozen, State::Cut, State::Dead] {
            for places in [
                vec![place(all, state)],
                vec![place(all, state), place(all, state)],
                vec![place(web, state), place(web, state), place(worker, State::Well)],
                vec![place(web, state), place(worker, state)],
            ] {
                let time = absent_players::time_to_forfeit(seed, &places, fault);
                assert!(
                    (show_time..show_time + 10_000).contains(&time),
                    "{seed} {state:?}: {time}"
                );
            }
            // Each cluster in this loop has a server with a fault, and a server without a fault at which players can act.
            for places in [
                vec![place(all, state), place(all, State::Well)],
                vec![place(web, state), place(web, State::Well), place(worker, State::Well)],
            ] {
                let time = absent_players::time_to_forfeit(seed, &places, fault);
                assert!(time < -100_000, "{seed} {state:?}: {time}");
            }
        }
    }
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
    let [first, again] = [clocked::simulate(1), clocked::simulate(1)];
    assert!(first.trace.len() > 20, "{}", first.trace.len());
    assert_eq!(first.trace, again.trace);
}
