//! Asks opponent programs for their actions, with a limit on the number of concurrent processes.

#[cfg(test)]
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use overmate_bots::{Choice, Forfeit};
use overmate_rules::{ByPlayer, Player};
use overmate_solver::Budget;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::fair_cache::FairCache;
use super::fair_semaphore::{FairPermit, FairSemaphore};
use super::match_bot::MatchBot;
use crate::computer::Computer;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::matches::match_state::MatchState;
use crate::programs::{OfferedProgram, ProgramName, ProgramSeat, ProgramSource};
use crate::settings::Settings;

/// Maximum interval between two searches for opponent programs that have been idle for too long.
const SWEEP_INTERVAL: Duration = Duration::from_secs(30);

/// Opponent programs that this server offers, and the bots that play for these programs in running matches.
pub(crate) struct ProgramPool {
    offered: Vec<OfferedProgram>,
    /// Semaphore that limits how many opponent programs choose an action at the same time. An IP network holds at most half of the permits,
    /// rounded up.
    turns: FairSemaphore,
    idle_time: Duration,
    bots: Arc<ProgramBots>,
}

/// Bots through which opponent programs play: some choose an action now, and the others wait for their next turn.
struct ProgramBots {
    places: Arc<Places>,
    /// Idle bots, by match and player. Each bot waits until it is the turn of its opponent program again, and counts as one byte, so that
    /// the limit of the cache is a number of bots.
    idle: FairCache<(Box<str>, Player), PlacedBot>,
    /// Flag that ends all running turns of opponent programs. The flag is set when the server stops.
    halt: Arc<AtomicBool>,
}

/// Limit on the number of concurrent processes of opponent programs. A process counts from its start until it has exited.
struct Places {
    /// Maximum number of concurrent processes of opponent programs, at least 1.
    number: usize,
    taken: Mutex<usize>,
    /// Condition variable that is notified when the process of an opponent program has ended, or a bot has become idle. A turn that waits
    /// for a place then tries again.
    changed: Condvar,
}

/// Permission for one process of an opponent program to run. Dropping the permission lets another process run.
struct Place(Arc<Places>);

/// Bot that plays for an opponent program, together with the permission for the program's process to run.
struct PlacedBot {
    // Rust drops `bot` before `_place`, so that the bot's process has exited before another process may start.
    bot: MatchBot,
    _place: Place,
}

/// Turn of an opponent program in a match.
pub(crate) struct ProgramTurn {
    /// Factory that creates the bots of the opponent program.
    pub(crate) source: Arc<dyn ProgramSource>,
    pub(crate) state: Arc<MatchState>,
    pub(crate) player: Player,
    /// Random seed of the opponent program's seat in the match.
    pub(crate) seed: u64,
    /// Client in whose match the opponent program must act next. The turn counts for the fair share of this client.
    pub(crate) client: Client,
}

/// Answer of an opponent program to the request for its action.
pub(crate) enum ProgramAnswer {
    /// The opponent program has chosen an action, or forfeits the match.
    Chosen(Result<Choice, Forfeit>),
    /// The opponent program cannot be started. A later start may succeed, such as after a lack of processes or files.
    NotStarted(Forfeit),
}

impl ProgramPool {
    /// Creates the pool of the opponent programs in the settings of the server.
    pub(crate) fn new(settings: &Settings) -> Self {
        let most = settings.limits.program_processes.max(1);
        let bots = ProgramBots {
            places: Arc::new(Places::new(most)),
            idle: FairCache::new(most as u64),
            halt: Arc::default(),
        };
        Self {
            offered: settings.programs.clone(),
            turns: FairSemaphore::new(most, most.div_ceil(2)),
            idle_time: settings.limits.program_idle_time,
            bots: Arc::new(bots),
        }
    }

    /// Waits until a client may use an opponent program, and returns the permit for one action.
    pub(crate) async fn permit(&self, client: Client) -> Result<FairPermit, ApiError> {
        let permit = self.turns.acquire(client, None).await;
        permit.map_err(|_| ApiError::internal("the queue of programs is full"))
    }

    /// Creates an empty pool of opponent programs, for the tests of a server without opponent programs.
    #[cfg(test)]
    pub(crate) fn empty() -> Arc<Self> {
        Arc::new(Self::new(&Settings::new(PathBuf::new())))
    }

    /// Returns the factory that creates the bots of an opponent program, or `None` if this server does not offer the program.
    pub(crate) fn source(&self, name: ProgramName) -> Option<Arc<dyn ProgramSource>> {
        let offered = self.offered.iter().find(|program| program.name == name);
        offered.map(|program| Arc::clone(&program.source))
    }

    /// Returns whether a computer opponent is an opponent program that this server does not offer.
    pub(crate) fn lacks(&self, computer: Computer) -> bool {
        matches!(computer, Computer::Program(name) if self.source(name).is_none())
    }

    /// Asks an opponent program for its action. The turn runs under a permit of the turn's client. A program that answers with a forfeit is
    /// terminated.
    pub(crate) async fn choose(
        &self,
        permit: FairPermit,
        turn: ProgramTurn,
    ) -> Result<ProgramAnswer, ApiError> {
        let bots = Arc::clone(&self.bots);
        let chosen = spawn_blocking(move || {
            let _permit = permit;
            let key = (turn.state.id().into(), turn.player);
            let mut placed = if let Some(placed) = bots.idle.take(&key) {
                placed
            } else {
                let place = bots.place();
                let seat = ProgramSeat {
                    rules: turn.state.rules(),
                    player: turn.player,
                    games: turn.state.play().length(),
                    // The program gets 53 bits of the seed, which JSON parsers with 64-bit floating-point numbers read exactly.
                    seed: turn.seed >> 11,
                    stop: &bots.halt,
                };
                let bot = match turn.source.enter(&seat) {
                    Ok(bot) => bot,
                    Err(fault) => return ProgramAnswer::NotStarted(fault),
                };
                PlacedBot { bot: MatchBot::new(turn.player, bot), _place: place }
            };
            let choice = match placed.bot.choose(turn.state.play(), &Budget::unlimited()) {
                Ok(choice) => choice,
                Err(forfeit) => return ProgramAnswer::Chosen(Err(forfeit)),
            };
            bots.keep(key, placed, turn.client);
            // When the server stops, it ends all idle bots, perhaps before the bot of this turn has become idle. This turn therefore ends
            // all idle bots again.
            if bots.halt.load(Ordering::Relaxed) {
                bots.end_all();
            }
            ProgramAnswer::Chosen(Ok(choice))
        });
        chosen.await.map_err(ApiError::internal)
    }

    /// Ends the bots through which opponent programs play in a match. If `state`, the last state of the match, is known, the function first
    /// shows the bots the last game.
    pub(crate) fn end(&self, id: &str, state: Option<Arc<MatchState>>) {
        let take = |player| self.bots.idle.take(&(id.into(), player));
        let bots = ByPlayer::new_with(take);
        if bots.a.is_none() && bots.b.is_none() {
            return;
        }
        // A blocking thread ends the bots through which opponent programs play, because the end of a bot waits until its process has
        // exited. The process gets some time to exit by itself.
        drop(spawn_blocking(move || {
            for mut placed in [bots.a, bots.b].into_iter().flatten() {
                if let Some(state) = &state {
                    placed.bot.finish(state.play());
                }
            }
        }));
    }

    /// Ends all running turns of opponent programs. Their results are forfeits, which are discarded.
    pub(crate) fn halt(&self) {
        self.bots.halt.store(true, Ordering::Relaxed);
    }

    /// Terminates opponent programs that have been idle for too long, and all opponent programs when the server stops.
    pub(crate) async fn run(&self, stop: CancellationToken) {
        if self.offered.is_empty() {
            return;
        }
        let interval = (self.idle_time / 2).clamp(Duration::from_millis(50), SWEEP_INTERVAL);
        while timeout(interval, stop.cancelled()).await.is_err() {
            let (bots, idle_time) = (Arc::clone(&self.bots), self.idle_time);
            // A blocking thread ends the bots that were idle for too long, because the end of a bot waits until its process has exited.
            drop(spawn_blocking(move || bots.idle.remove_idle(idle_time)).await);
        }
        self.halt();
        let bots = Arc::clone(&self.bots);
        drop(spawn_blocking(move || bots.end_all()).await);
    }
}

impl ProgramBots {
    /// Reserves a place for the process of a new bot, within the limit on concurrent processes of opponent programs. If no place is free,
    /// the function ends an idle bot, or waits until a bot has ended or is idle.
    ///
    /// The wait is limited: the caller has a permit for a turn, so that at least one place belongs to no running turn.
    fn place(&self) -> Place {
        let mut taken = self.places.lock();
        loop {
            if *taken < self.places.number {
                *taken += 1;
                return Place(Arc::clone(&self.places));
            }
            // The thread holds the lock on `taken` from its search for an idle bot until it waits for the signal `changed`. Otherwise the
            // thread could miss the signal of a bot that becomes idle after the search.
            if let Some(idle) = self.idle.displace() {
                drop(taken);
                drop(idle);
                taken = self.places.lock();
            } else {
                let changed = self.places.changed.wait(taken);
                taken = changed.unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Stores a bot, through which an opponent program plays, among the idle bots until the program's next turn.
    fn keep(&self, key: (Box<str>, Player), placed: PlacedBot, client: Client) {
        self.idle.put(key, placed, client.network(), 1);
        // The function takes the lock on `taken` before it sends the signal `changed`, so that no thread in search of an idle bot misses
        // the signal. Such a thread holds the lock from its search until it waits for the signal.
        drop(self.places.lock());
        self.places.changed.notify_all();
    }

    fn end_all(&self) {
        self.idle.retain(|_| false);
    }
}

impl Places {
    fn new(number: usize) -> Self {
        Self { number, taken: Mutex::default(), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        *self.0.lock() -= 1;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::path::PathBuf;
    use std::sync::mpsc;

    use overmate_bots::{Bot, Thought, Turn};

    use super::*;
    use crate::matches::match_state::LogLimits;
    use crate::programs::ProgramSource;
    use crate::settings::Limits;
    use crate::store::MatchInfo;

    /// Counts of processes in a test: started so far, running now, and the maximum number of concurrent processes.
    #[derive(Clone, Copy, Default, Debug)]
    struct Processes {
        started: usize,
        running: usize,
        most_running: usize,
        /// Whether test processes keep running after a request to terminate.
        must_stay: bool,
    }

    /// Test factory that creates bots whose processes exit only when the test permits.
    #[derive(Clone, Default, Debug)]
    struct LateEnds(Arc<Mutex<Processes>>);

    struct LateEnd(LateEnds);

    impl LateEnds {
        fn processes(&self) -> MutexGuard<'_, Processes> {
            self.0.lock().expect("no panic")
        }
    }

    impl ProgramSource for LateEnds {
        fn enter(&self, _: &ProgramSeat<'_>) -> Result<Box<dyn Bot>, Forfeit> {
            let mut processes = self.processes();
            processes.started += 1;
            processes.running += 1;
            processes.most_running = processes.most_running.max(processes.running);
            Ok(Box::new(LateEnd(self.clone())))
        }
    }

    impl Bot for LateEnd {
        fn name(&self) -> String {
            "mine".to_owned()
        }

        fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Forfeit> {
            let action = turn.view.legal_actions().next().expect("a legal action");
            Ok(Choice { action, thought: Thought::default() })
        }
    }

    impl Drop for LateEnd {
        fn drop(&mut self) {
            while self.0.processes().must_stay {
                std::thread::sleep(Duration::from_millis(1));
            }
            self.0.processes().running -= 1;
        }
    }

    /// Creates a pool of one opponent program for a test, given the maximum number of concurrent processes. Returns the pool and the
    /// factory of its bots.
    fn pool(processes: usize) -> (ProgramPool, LateEnds) {
        let source = LateEnds::default();
        let mut settings = Settings::new(PathBuf::new());
        let name = "mine".parse().expect("a name");
        settings.programs = vec![OfferedProgram { name, source: Arc::new(source.clone()) }];
        settings.limits.program_processes = processes;
        (ProgramPool::new(&settings), source)
    }

    /// Plays the first turn of an opponent program in a new match of a test. The given number is the id of the match, and the last byte of
    /// the client's IP address.
    async fn play(pool: &ProgramPool, number: u8) {
        let info = MatchInfo { id: number.to_string(), ..MatchInfo::sample() };
        let limits = LogLimits::of(&Limits::default());
        let state = MatchState::new(Arc::new(info), limits).expect("a match");
        let turn = ProgramTurn {
            source: pool.source("mine".parse().expect("a name")).expect("an offered program"),
            player: state.to_act().expect("a player"),
            state: Arc::new(state),
            seed: 1,
            client: Client::at(IpAddr::from([192, 0, 2, number])),
        };
        let permit = pool.permit(turn.client).await.expect("a permit");
        let answer = pool.choose(permit, turn).await.expect("an answer");
        assert!(matches!(answer, ProgramAnswer::Chosen(Ok(_))));
    }

    #[test]
    fn a_process_that_ends_keeps_its_place_until_it_has_ended() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.expect("a runtime").block_on(async {
            let (pool, source) = pool(2);
            play(&pool, 0).await;
            play(&pool, 1).await;
            source.processes().must_stay = true;
            // The process of match 0 ends with the match, and the process of match 1 ends because its bot is idle.
            pool.end("0", None);
            let bots = Arc::clone(&pool.bots);
            let idle = spawn_blocking(move || bots.idle.remove_idle(Duration::ZERO));
            while pool.bots.idle.len() > 0 {
                tokio::task::yield_now().await;
            }
            let release = async {
                tokio::time::sleep(Duration::from_millis(50)).await;
                let held = *source.processes();
                // The test lets its simulated processes exit before the assertion. If the assertion fails, the runtime still waits for the
                // threads that drop the bots of these processes.
                source.processes().must_stay = false;
                assert_eq!((held.started, held.running), (2, 2));
            };
            tokio::join!(play(&pool, 2), play(&pool, 3), release);
            // The first turns in the matches 4 and 5 need two processes, so that the pool ends the idle bots of the matches 2 and 3.
            tokio::join!(play(&pool, 4), play(&pool, 5));
            idle.await.expect("no panic");
            let processes = *source.processes();
            assert_eq!((processes.started, processes.most_running), (6, 2), "{processes:?}");
        });
    }

    #[test]
    fn a_turn_without_a_place_displaces_a_bot_that_becomes_idle() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let (pool, source) = pool(1);
        runtime.block_on(play(&pool, 0));
        let key = ("0".into(), MatchState::sample().to_act().expect("a player"));
        let busy = pool.bots.idle.take(&key).expect("an idle bot");
        let bots = Arc::clone(&pool.bots);
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || sender.send(bots.place()));
        std::thread::sleep(Duration::from_millis(50));
        assert!(receiver.try_recv().is_err(), "the only place is taken");
        pool.bots.keep(key, busy, Client::at(IpAddr::from([192, 0, 2, 1])));
        assert!(receiver.recv_timeout(Duration::from_mins(1)).is_ok(), "the idle bot ends");
        assert_eq!((pool.bots.idle.len(), source.processes().running), (0, 0));
    }
}
