//! Runs the background work for which this server holds database leases: turns of computer opponents, push messages, e-mails about turns,
//! and removal of expired data.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::bots::BotService;
use super::expiry::ExpiryService;
use super::push::PushService;
use crate::settings::ServerRole;
use crate::store::queries::leases::EXPIRY;
use crate::store::{PushKind, Store};

/// Interval between two renewals of the database leases that this server holds for background work. It is a third of the time for which a
/// lease lasts.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(1);

/// Interval at which a server with the role [`ServerRole::Worker`] looks for background work in the database. The interval is short,
/// because servers without background work leave the turns of computer opponents to the workers, and people wait for these turns.
const WORKER_INTERVAL: Duration = Duration::from_millis(100);

/// Interval between two removals of expired data.
const EXPIRY_INTERVAL: Duration = Duration::from_hours(1);

/// Delay between a failed removal of expired data and the next attempt.
const EXPIRY_RETRY: Duration = Duration::from_mins(1);

/// Service that renews the database leases of this server, and takes over the leases of dead servers.
pub(crate) struct BackgroundService {
    store: Arc<dyn Store>,
    bots: BotService,
    expiry: Arc<ExpiryService>,
    push: PushService,
    role: ServerRole,
    /// Whether a task of this process is currently removing expired data.
    is_expiring: Arc<AtomicBool>,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl BackgroundService {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        (bots, push): (BotService, PushService),
        expiry: Arc<ExpiryService>,
        role: ServerRole,
        stop: CancellationToken,
        tasks: TaskTracker,
    ) -> Self {
        Self { store, bots, expiry, push, role, is_expiring: Arc::default(), stop, tasks }
    }

    /// Runs the background work for which this server holds database leases, until the server stops. Then returns all leases, so that
    /// another server takes the work at once.
    pub(crate) async fn run(&self) {
        let interval = match self.role {
            ServerRole::Web => return,
            ServerRole::All => RENEWAL_INTERVAL,
            ServerRole::Worker => WORKER_INTERVAL,
        };
        let mut has_failed = false;
        loop {
            match self.store.keep_leases().await {
                Ok(names) => {
                    has_failed = false;
                    for name in names {
                        self.begin(name);
                    }
                }
                Err(error) if !has_failed => {
                    has_failed = true;
                    tracing::warn!(%error, "the leases of background work cannot be renewed");
                }
                Err(_) => {}
            }
            if timeout(interval, self.stop.cancelled()).await.is_ok() {
                break;
            }
        }
        if let Err(error) = self.store.retire().await {
            tracing::warn!(%error, "the leases of this server cannot be released: other servers wait until these leases run out");
        }
    }

    /// Starts the background work for which this server holds a database lease, unless a task of this process already does the work.
    fn begin(&self, name: String) {
        if PushKind::of_lease(&name).is_some() {
            self.push.take_over(name);
        } else if name != EXPIRY {
            self.bots.take_over(name.into());
        } else if !self.is_expiring.swap(true, Ordering::Relaxed) {
            let (store, expiry) = (Arc::clone(&self.store), Arc::clone(&self.expiry));
            let (is_expiring, stop) = (Arc::clone(&self.is_expiring), self.stop.clone());
            self.tasks.spawn(async move {
                let pause = match expiry.sweep_now().await {
                    Ok(removed) => {
                        if removed > 0 {
                            tracing::info!(removed, "removed expired matches");
                        }
                        EXPIRY_INTERVAL
                    }
                    Err(error) => {
                        error.log();
                        EXPIRY_RETRY
                    }
                };
                // A stop of the server interrupts the removal of expired data. The lease is then not released here, because another server
                // would have to wait for the pause. Instead, `run` releases all leases, so that another server continues the removal at
                // once.
                if !stop.is_cancelled()
                    && let Err(error) = store.release_lease(EXPIRY.to_owned(), pause).await
                {
                    tracing::warn!(%error, "the lease for the removal of expired data cannot be released: the next removal waits until the lease runs out");
                }
                is_expiring.store(false, Ordering::Relaxed);
            });
        }
    }
}
