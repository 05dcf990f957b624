//! Measures in simulated time how soon a cluster recovers from a fault.
//!
//! One measurement is the time from the death of a server until another server has done its work. The other is the time from the
//! end of all faults until a client that waits for changes knows the last state of its match.
//!
//! No notice between servers arrives in these runs, so that the times follow from the leases and
//! from the rereading of watched matches.

use std::cell::Cell;
use std::time::Duration;

use fastrand::Rng;
use tokio::time::{Instant, sleep};

use super::cluster::{Cluster, Player, SERVERS, in_simulated_time};
use super::network::State;

/// Simulated time between two checks of the log and the database lease of a match.
const STEP: Duration = Duration::from_millis(1);

/// Timeout of long polling for changes of a match. This time exceeds each recovery time that the tests allow.
const WAIT: Duration = Duration::from_secs(15);

/// Number of the simulated player who plays against a computer opponent.
const AGAINST_COMPUTER: u8 = 1;

/// Number of the simulated player who holds both seats of a match.
const ALONE: u8 = 0;

/// Kills the simulated server that holds the lease of a computer opponent's turn, and measures the time until another
/// server plays the turn.
pub(super) fn take_over(seed: u64) -> Duration {
    in_simulated_time(seed, async {
        let mut random = Rng::with_seed(seed);
        let cluster = start(&mut random).await;
        let mut player = Player::new(cluster.clone(), AGAINST_COMPUTER, random.fork());
        let mut state = player.create().await;
        let id = state.id().to_owned();
        let mut pauses = random.fork();
        let plays = async {
            for number in 0.. {
                sleep(Duration::from_millis(pauses.u64(..1_500))).await;
                while state.bot_to_act().is_some() {
                    state = player.look(&id, state.sequence(), WAIT).await;
                }
                state = player.act(&state, number).await;
            }
        };
        let mut fatal = random.fork();
        let dies = async {
            loop {
                sleep(STEP).await;
                // The lease of the match exists from the action of the person until the computer opponent has acted.
                let holder = cluster.tables().leases.holder(&id);
                let sequence = cluster.tables().sequence(&id);
                if let Some(holder) = holder
                    && sequence > 0
                    && fatal.u8(..3) == 0
                {
                    cluster.servers()[holder as usize - 1].wire.set(State::Dead);
                    return time_to_exceed(&cluster, &id, sequence).await;
                }
            }
        };
        tokio::select! {
            biased;
            time = dies => time,
            () = plays => unreachable!("the player plays on"),
        }
    })
}

/// Result of a simulated recovery of a long-polling client.
#[derive(Clone, Copy, Debug)]
pub(super) struct Healed {
    /// Whether the long-polling client lacked stored log entries of the match when the faults of the simulated servers ended.
    pub(super) was_behind: bool,
    /// Time from the end of the servers' faults until the long-polling client knew all log entries that were stored before this end.
    pub(super) time: Duration,
}

/// Measures the recovery of a long-polling client after faults of one or more servers. All faults end at the same time. During the faults,
/// a player plays, and the client waits for changes of the match.
pub(super) fn heal(seed: u64) -> Healed {
    in_simulated_time(seed, async {
        let mut random = Rng::with_seed(seed);
        let cluster = start(&mut random).await;
        let mut player = Player::new(cluster.clone(), ALONE, random.fork());
        let mut reader = Player::new(cluster.clone(), ALONE, random.fork());
        let mut state = player.create().await;
        let id = state.id().to_owned();
        let known = Cell::new(0);
        let mut pauses = random.fork();
        let plays = async {
            for number in 0.. {
                sleep(Duration::from_millis(pauses.u64(100..1_000))).await;
                if state.result().is_some() {
                    return;
                }
                state = player.act(&state, number).await;
            }
        };
        let reads = async {
            loop {
                let read = reader.look(&id, known.get(), WAIT).await;
                known.set(read.sequence());
            }
        };
        let heals = async {
            sleep(Duration::from_millis(random.u64(..2_000))).await;
            let mut places: Vec<_> = (0..SERVERS).collect();
            random.shuffle(&mut places);
            places.truncate(random.usize(1..=SERVERS));
            for &place in &places {
                let state = [State::Lossy, State::Cut, State::Frozen, State::Dead];
                let wire = cluster.servers()[place].wire.clone();
                wire.set(state[random.usize(..state.len())]);
            }
            sleep(Duration::from_millis(random.u64(1_000..9_000))).await;
            for place in places {
                let wire = cluster.servers()[place].wire.clone();
                if wire.state() == State::Dead {
                    let server = cluster.start(random.fork());
                    cluster.servers()[place] = server;
                }
                wire.set(State::Well);
            }
            let (begin, last) = (Instant::now(), cluster.tables().sequence(&id));
            let was_behind = known.get() < last;
            while known.get() < last {
                sleep(STEP).await;
            }
            Healed { was_behind, time: begin.elapsed() }
        };
        let everyone_plays = async { tokio::join!(plays, reads) };
        tokio::select! {
            biased;
            healed = heals => healed,
            _ = everyone_plays => unreachable!("the reader reads on"),
        }
    })
}

/// Starts a simulated cluster in which no notices pass between servers. The servers start one after another, so that they renew their
/// leases at different moments.
async fn start(random: &mut Rng) -> Cluster {
    let cluster = Cluster::new(true);
    for _ in 0..SERVERS {
        let server = cluster.start(random.fork());
        cluster.servers().push(server);
        sleep(Duration::from_millis(random.u64(..1_000))).await;
    }
    cluster
}

/// Measures the simulated time until the log of a match contains an entry after the sequence number `sequence`.
async fn time_to_exceed(cluster: &Cluster, id: &str, sequence: u64) -> Duration {
    let begin = Instant::now();
    while cluster.tables().sequence(id) <= sequence {
        sleep(STEP).await;
    }
    begin.elapsed()
}
