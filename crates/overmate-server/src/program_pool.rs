//! Plays the turns of the operator's programs, with a limit on the number of programs that run at the same time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use overmate_bots::{Choice, Forfeit};
use overmate_rules::{ByPlayer, Player};
use overmate_solver::Budget;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::client::Client;
use crate::error::ApiError;
use crate::fair_cache::FairCache;
use crate::fair_semaphore::FairSemaphore;
use crate::match_bot::MatchBot;
use crate::match_state::MatchState;
use crate::programs::{OfferedProgram, ProgramName, ProgramSeat};
use crate::settings::Settings;

/// Maximum interval between two searches for programs whose idle time is over.
const SWEEP_INTERVAL: Duration = Duration::from_secs(30);

/// Programs of this server, and their bots in running matches.
pub(crate) struct ProgramPool {
    offered: Vec<OfferedProgram>,
    /// Permits for turns. A network holds at most half of them, rounded up.
    turns: FairSemaphore,
    idle_time: Duration,
    bots: Arc<ProgramBots>,
}

/// Bots of programs: those whose turn is running, and those that wait for their next turn.
struct ProgramBots {
    /// Maximum number of bots. Each bot has a process of its own.
    most: usize,
    running: AtomicUsize,
    /// Bots between two turns, by match and player. Each bot counts as one byte.
    idle: FairCache<(Box<str>, Player), MatchBot>,
    /// Flag that ends all turns.
    halt: Arc<AtomicBool>,
}

/// Turn of a program in a match.
pub(crate) struct ProgramTurn {
    pub(crate) name: ProgramName,
    pub(crate) state: Arc<MatchState>,
    pub(crate) player: Player,
    /// Random seed of the seat.
    pub(crate) seed: u64,
    /// Client whose match it is, for the fair share of that client.
    pub(crate) client: Client,
}

impl ProgramPool {
    /// Creates the pool of the programs in the settings of a server.
    pub(crate) fn new(settings: &Settings) -> Self {
        let most = settings.limits.program_processes.max(1);
        let bots = ProgramBots {
            most,
            running: AtomicUsize::default(),
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

    /// Returns whether this server offers a program.
    pub(crate) fn offers(&self, name: ProgramName) -> bool {
        self.offered.iter().any(|program| program.name == name)
    }

    /// Waits for a permit, and asks a program for its action. A program that answers with a forfeit is ended. A program that cannot
    /// be started is an error, and the turn is tried again.
    pub(crate) async fn choose(
        &self,
        turn: ProgramTurn,
    ) -> Result<Result<Choice, Forfeit>, ApiError> {
        let offered = self.offered.iter().find(|program| program.name == turn.name);
        let source = offered.map(|program| Arc::clone(&program.source));
        let source = source.ok_or_else(|| ApiError::internal("the program is not offered"))?;
        let permit = self.turns.acquire(turn.client, None).await;
        let permit = permit.map_err(|_| ApiError::internal("the queue of programs is full"))?;
        let bots = Arc::clone(&self.bots);
        let chosen = spawn_blocking(move || {
            let _permit = permit;
            let running = Running::begin(&bots);
            let key = (turn.state.id().into(), turn.player);
            let mut bot = if let Some(bot) = bots.idle.take(&key) {
                bot
            } else {
                bots.idle.shrink(running.left() as u64);
                let seat = ProgramSeat {
                    rules: turn.state.rules(),
                    player: turn.player,
                    games: turn.state.play().length(),
                    // A parser of JSON with 64-bit floating-point numbers reads 53 bits exactly.
                    seed: turn.seed >> 11,
                    stop: &bots.halt,
                };
                // A program that cannot be started may start later, such as after a lack of processes or files.
                let bot = source.enter(&seat).map_err(|fault| ApiError::internal(fault.why))?;
                MatchBot::new(turn.player, bot)
            };
            let choice = match bot.choose(turn.state.play(), &Budget::unlimited()) {
                Ok(choice) => choice,
                Err(forfeit) => return Ok(Err(forfeit)),
            };
            bots.idle.put(key, bot, turn.client.network(), 1);
            // A stop may have come meanwhile, and have ended the bots that were idle then.
            if bots.halt.load(Ordering::Relaxed) {
                bots.end_all();
            }
            Ok(Ok(choice))
        });
        chosen.await.map_err(ApiError::internal)?
    }

    /// Tells the bots of a match that the match is over, and ends them. `state` is the last state of the match, if it is known.
    pub(crate) fn end(&self, id: &str, state: Option<Arc<MatchState>>) {
        let take = |player| self.bots.idle.take(&(id.into(), player));
        let bots = ByPlayer::new_with(take);
        if bots.a.is_none() && bots.b.is_none() {
            return;
        }
        // A program gets some time to end by itself.
        drop(spawn_blocking(move || {
            for mut bot in [bots.a, bots.b].into_iter().flatten() {
                if let Some(state) = &state {
                    bot.finish(state.play());
                }
            }
        }));
    }

    /// Ends all turns. Their results are forfeits, which are discarded.
    pub(crate) fn halt(&self) {
        self.bots.halt.store(true, Ordering::Relaxed);
    }

    /// Ends programs whose idle time is over, and all programs when the server stops.
    pub(crate) async fn run(&self, stop: CancellationToken) {
        if self.offered.is_empty() {
            return;
        }
        let interval = (self.idle_time / 2).clamp(Duration::from_millis(50), SWEEP_INTERVAL);
        while timeout(interval, stop.cancelled()).await.is_err() {
            let (bots, idle_time) = (Arc::clone(&self.bots), self.idle_time);
            // The end of a process takes time.
            drop(spawn_blocking(move || bots.idle.remove_idle(idle_time)).await);
        }
        self.halt();
        let bots = Arc::clone(&self.bots);
        drop(spawn_blocking(move || bots.end_all()).await);
    }
}

impl ProgramBots {
    fn end_all(&self) {
        self.idle.retain(|_| false);
    }
}

/// Guard of a running turn.
struct Running<'a> {
    bots: &'a ProgramBots,
}

impl<'a> Running<'a> {
    fn begin(bots: &'a ProgramBots) -> Self {
        bots.running.fetch_add(1, Ordering::SeqCst);
        Self { bots }
    }

    /// Returns the maximum number of idle bots beside the turns that are running now.
    fn left(&self) -> usize {
        self.bots.most.saturating_sub(self.bots.running.load(Ordering::SeqCst))
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.bots.running.fetch_sub(1, Ordering::SeqCst);
    }
}
