//! Computer opponents: each is just another seat that answers by itself.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use overmate_solver::Budget;
use tokio::sync::Semaphore;

use crate::contest::Contest;
use crate::error::ApiError;
use crate::identity::random_id;
use crate::kept::Kept;
use crate::matches::entry;
use crate::server::Server;
use crate::solving::{MEMORY, processors};
use crate::store::What;

/// What a bot may spend where a game is too large to be solved. By positions first, so that the same seed does the same
/// again; the time is there for slow machines.
const NODES: u64 = 3_000_000;
const TIME: Duration = Duration::from_secs(5);

/// The opponents that are at work.
pub(crate) struct Bots {
    /// Matches in which a bot of this process is at work.
    at_work: Mutex<HashSet<Box<str>>>,
    permits: Semaphore,
    /// Stops those that are thinking.
    halt: Arc<AtomicBool>,
    /// Those that wait for their next turn.
    pub(crate) kept: Kept,
}

impl Default for Bots {
    fn default() -> Self {
        Self {
            at_work: Mutex::default(),
            permits: Semaphore::new(processors()),
            halt: Arc::default(),
            kept: Kept::default(),
        }
    }
}

impl Bots {
    /// Stops those that are thinking; nothing of theirs is stored.
    pub(crate) fn halt(&self) {
        self.halt.store(true, Ordering::Relaxed);
    }

    fn begin(&self, id: &str) -> bool {
        self.at_work.lock().unwrap_or_else(PoisonError::into_inner).insert(id.into())
    }

    fn end(&self, id: &str) {
        self.at_work.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }
}

impl Server {
    /// Goes on with all matches in which the computer is to act.
    pub(crate) async fn resume_bots(&self) {
        match self.store.running_with_bots().await {
            Ok(ids) => {
                let server = self.clone();
                self.tasks.spawn(async move {
                    for id in ids {
                        match server.contest(&id).await {
                            Ok(contest) if contest.bot_to_act().is_some() => {
                                server.wake_bot(&contest);
                            }
                            Ok(_) => {}
                            Err(error) => error.log(),
                        }
                        if server.stop.is_cancelled() {
                            return;
                        }
                    }
                });
            }
            Err(error) => ApiError::from(error).log(),
        }
    }

    /// Lets the computer act in a match, some time soon. Asking twice does nothing more.
    pub(crate) fn wake_bot(&self, contest: &Contest) {
        if self.stop.is_cancelled() || !self.bots.begin(contest.id()) {
            return;
        }
        let server = self.clone();
        let id: Box<str> = contest.id().into();
        self.tasks.spawn(async move {
            loop {
                let result = server.let_bots_play(&id).await;
                server.bots.end(&id);
                if let Err(error) = result {
                    // It is tried again when somebody looks at the match.
                    error.log();
                    return;
                }
                // It may have been woken for a new turn between its last look and its end.
                let again = server.replayed.get(&*id).is_some_and(|c| c.bot_to_act().is_some());
                if server.stop.is_cancelled() || !again || !server.bots.begin(&id) {
                    return;
                }
            }
        });
    }

    async fn let_bots_play(&self, id: &str) -> Result<(), ApiError> {
        let mut refused = None;
        loop {
            let contest = self.contest(id).await?;
            let Some((player, bot, seed)) = contest.bot_to_act() else { return Ok(()) };
            let Ok(_permit) = self.bots.permits.acquire().await else { return Ok(()) };
            if self.stop.is_cancelled() {
                return Ok(());
            }
            let halt = Arc::clone(&self.bots.halt);
            let thinking = Arc::clone(&contest);
            let start = Instant::now();
            let mut opponent = self.bots.kept.take(id, player, bot, seed);
            let chosen = tokio::task::spawn_blocking(move || {
                let budget = Budget::unlimited().with_nodes(NODES).with_time(TIME);
                let budget = budget.with_memory(MEMORY).with_stop(halt);
                let chosen = opponent.choose(thinking.play(), &budget);
                (opponent, chosen)
            });
            let (opponent, chosen) = chosen.await.map_err(ApiError::internal)?;
            self.bots.kept.put(opponent);
            metrics::histogram!("overmate_bot_seconds").record(start.elapsed().as_secs_f64());
            if self.stop.is_cancelled() {
                return Ok(());
            }
            let what = match chosen {
                Ok(choice) => What::Act(contest.rules().action_text(choice.action).to_string()),
                Err(forfeit) => {
                    tracing::error!(%forfeit, id, "a computer opponent gave up");
                    What::Resign
                }
            };
            // Nobody can take this name first.
            let entry = entry(&contest, player, what, random_id()?);
            if self.append(&contest, entry, |addition| addition).await?.is_some() {
                metrics::counter!("overmate_actions_total", "by" => "computer").increment(1);
            } else if refused == Some(contest.sequence()) {
                return Err(ApiError::internal(
                    "what the computer does is taken for done, and is not",
                ));
            } else {
                // Something came first: a new state, if it is not for ever the same.
                refused = Some(contest.sequence());
            }
        }
    }
}
