//! What all requests share.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use metrics_exporter_prometheus::PrometheusHandle;
use moka::sync::Cache;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::bots::Bots;
use crate::contest::Contest;
use crate::events::{Events, InProcess};
use crate::limits::Limiter;
use crate::settings::Settings;
use crate::solving::Solving;
use crate::store::{Sqlite, Store};
use crate::telemetry;

/// How long what runs may go on after the server was told to stop.
pub(crate) const DRAIN: Duration = Duration::from_secs(10);

/// A server: its store, its caches, and what runs beside the requests. Cloning shares it.
#[derive(Clone)]
pub struct Server(Arc<Parts>);

/// The parts of a server.
pub struct Parts {
    pub(crate) settings: Settings,
    pub(crate) store: Box<dyn Store>,
    pub(crate) events: Box<dyn Events>,
    /// Matches as they were last replayed. Never the truth: a log only grows, so what is here is its beginning.
    pub(crate) replayed: Cache<Box<str>, Arc<Contest>>,
    pub(crate) solving: Solving,
    pub(crate) bots: Bots,
    pub(crate) limiter: Limiter,
    pub(crate) metrics: PrometheusHandle,
    /// Set when the server stops: connections end.
    pub(crate) stop: CancellationToken,
    /// What has to end before the store closes.
    pub(crate) tasks: TaskTracker,
}

/// A server cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The data folder cannot be made.
    #[error("cannot make the data folder {}", folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The database cannot be opened.
    #[error("cannot open the database {}", file.display())]
    Database {
        /// Which.
        file: PathBuf,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl std::ops::Deref for Server {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Server {
    /// The file of the database in a data folder.
    #[must_use]
    pub fn database(data: &Path) -> PathBuf {
        data.join("overmate.sqlite")
    }

    /// Opens the store. Matches in which the computer is to act go on.
    ///
    /// # Errors
    ///
    /// If the data folder cannot be made, or the database in it not be opened.
    pub async fn open(settings: Settings) -> Result<Self, OpenError> {
        let folder = settings.data.clone();
        std::fs::create_dir_all(&folder)
            .map_err(|source| OpenError::Folder { folder: folder.clone(), source })?;
        let file = Self::database(&folder);
        let store = Sqlite::open(&file, &settings)
            .await
            .map_err(|source| OpenError::Database { file, source: source.into() })?;
        let server = Self(Arc::new(Parts {
            limiter: Limiter::new(&settings.limits),
            settings,
            store: Box::new(store),
            events: Box::new(InProcess::default()),
            replayed: Cache::builder()
                .max_capacity(10_000)
                .time_to_idle(Duration::from_mins(10))
                .build(),
            solving: Solving::new(),
            bots: Bots::default(),
            metrics: telemetry::metrics(),
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }));
        server.resume_bots().await;
        Ok(server)
    }

    /// Ends what runs, within ten seconds, and then the store. What was acknowledged is kept whether this is called or not.
    pub async fn close(&self) {
        self.close_by(Instant::now() + DRAIN).await;
    }

    /// The same, with a moment after which nothing is waited for but the store.
    pub(crate) async fn close_by(&self, deadline: Instant) {
        self.stop.cancel();
        self.bots.halt();
        self.tasks.close();
        if timeout_at(deadline, self.tasks.wait()).await.is_err() {
            tracing::warn!(left = self.tasks.len(), "not everything ended in time");
        }
        self.store.close().await;
    }
}
