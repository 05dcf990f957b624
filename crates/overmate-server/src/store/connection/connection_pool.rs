//! Provides a pool of database connections. The pool tests a connection only after an idle time or an interrupted
//! statement.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use scopeguard::{ScopeGuard, guard};
use sqlx::{ConnectOptions as _, Connection, Database, Error};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use super::fault::{answered, is_closed};

/// Idle time after which a database connection is tested before its next use.
pub(crate) const FRESH: Duration = Duration::from_secs(1);

/// Pool of database connections. Each connection executes one statement at a time.
///
/// The pool of sqlx tests each connection before and after each use. On PostgreSQL, these tests are three further round trips, so
/// that they take more time than a short read.
pub(crate) struct ConnectionPool<DB: Database>(Arc<Shared<DB>>);

/// Limits of a pool of database connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolLimits {
    /// Maximum number of open database connections.
    pub(crate) connections: u32,
    /// Timeout of the wait for a free database connection.
    pub(crate) wait: Duration,
    /// Timeout of a database statement. If the caller gives up, the statement still occupies its connection for at most
    /// this time.
    pub(crate) statement: Duration,
    /// Timeout of the test of a database connection. A connection that does not answer in this time is dropped.
    pub(crate) test: Duration,
}

struct Shared<DB: Database> {
    options: <DB::Connection as Connection>::Options,
    limits: PoolLimits,
    /// Semaphore with one permit for each database connection that may be in use at a time.
    places: Arc<Semaphore>,
    /// Idle database connections, each with the time at which its last use ended. The last element is the most recently used connection.
    idle: Mutex<Vec<(DB::Connection, Instant)>>,
}

impl<DB: Database> Clone for ConnectionPool<DB> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<DB: Database> ConnectionPool<DB> {
    /// Opens a pool of database connections, with its first connection.
    ///
    /// # Errors
    ///
    /// Returns an error if the database accepts no connection.
    pub(crate) async fn open(
        options: <DB::Connection as Connection>::Options,
        limits: PoolLimits,
    ) -> Result<Self, Error> {
        let first = options.connect().await?;
        let places = Arc::new(Semaphore::new(limits.connections as usize));
        let idle = Mutex::new(vec![(first, Instant::now())]);
        Ok(Self(Arc::new(Shared { options, limits, places, idle })))
    }

    /// Executes a database statement on a connection of the pool, and retries the statement on another connection if the database has
    /// closed the first connection. The database may thus execute the statement twice, which is harmless for a read or a notice.
    ///
    /// # Errors
    ///
    /// Returns [`Error::PoolTimedOut`] if no connection is free in time, [`Error::PoolClosed`] after [`close`](Self::close), and
    /// the error of the statement.
    pub(crate) async fn run<T>(
        &self,
        statement: impl for<'c> Fn(&'c mut DB::Connection) -> BoxFuture<'c, Result<T, Error>>,
    ) -> Result<T, Error> {
        match self.run_once(FRESH, &statement).await {
            Err(error) if is_closed(&error) => self.run_once(Duration::ZERO, &statement).await,
            done => done,
        }
    }

    /// Executes a database statement once, on a connection of the pool. The connection is tested first if it was idle for at least the time
    /// `untested`.
    async fn run_once<T>(
        &self,
        untested: Duration,
        statement: &impl for<'c> Fn(&'c mut DB::Connection) -> BoxFuture<'c, Result<T, Error>>,
    ) -> Result<T, Error> {
        let PoolLimits { wait, statement: longest, .. } = self.0.limits;
        let lent = timeout(wait, self.lend(untested)).await.map_err(|_| Error::PoolTimedOut)??;
        // PostgreSQL may go on with a statement after its caller has given up. The connection keeps its semaphore permit
        // (`place`) until the statement ends, so that PostgreSQL never executes more statements than the pool has permits.
        let mut lent = guard(lent, |(connection, place)| {
            tokio::spawn(Arc::clone(&self.0).keep_tested(connection, place));
        });
        let done = answered(longest, statement(&mut lent.0)).await?;
        let (connection, place) = ScopeGuard::into_inner(lent);
        self.0.keep(connection, place);
        Ok(done)
    }

    /// Closes the connection pool after its running statements have ended, but waits for at most the time `patience`.
    pub(crate) async fn close(&self, patience: Duration) {
        let Shared { places, limits, .. } = &*self.0;
        // Each running statement holds a semaphore permit, so that all permits are free after the last statement.
        let all = timeout(patience, places.acquire_many(limits.connections)).await;
        places.close();
        drop(all);
        let idle = std::mem::take(&mut *self.0.idle());
        for (connection, _) in idle {
            // A failed close of a connection is ignored, because a lost connection is closed already.
            let _ = timeout(limits.test, connection.close()).await;
        }
    }

    /// Returns a connection from the pool, with the semaphore permit for its use.
    async fn lend(
        &self,
        untested: Duration,
    ) -> Result<(DB::Connection, OwnedSemaphorePermit), Error> {
        let Shared { options, limits, places, .. } = &*self.0;
        let place = Arc::clone(places).acquire_owned().await.map_err(|_| Error::PoolClosed)?;
        let last_used = self.0.idle().pop();
        let connection = match last_used {
            Some((connection, since)) if since.elapsed() < untested => connection,
            Some((mut connection, _)) => match answered(limits.test, connection.ping()).await {
                Ok(()) => connection,
                Err(_) => options.connect().await?,
            },
            None => options.connect().await?,
        };
        Ok((connection, place))
    }
}

impl<DB: Database> Shared<DB> {
    fn idle(&self) -> MutexGuard<'_, Vec<(DB::Connection, Instant)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a database connection back into the pool, and releases its semaphore permit.
    fn keep(&self, connection: DB::Connection, place: OwnedSemaphorePermit) {
        self.idle().push((connection, Instant::now()));
        drop(place);
    }

    /// Waits until the interrupted statement of a connection has ended, and puts the connection back into the pool if the database
    /// answers a ping.
    async fn keep_tested(
        self: Arc<Self>,
        mut connection: DB::Connection,
        place: OwnedSemaphorePermit,
    ) {
        if answered(self.limits.statement, connection.ping()).await.is_ok() {
            self.keep(connection, place);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use sqlx::Sqlite;
    use sqlx::sqlite::SqliteConnectOptions;
    use tokio::sync::SemaphorePermit;

    use super::*;

    const LIMITS: PoolLimits = PoolLimits {
        connections: 2,
        wait: Duration::from_millis(50),
        statement: Duration::from_mins(1),
        test: Duration::from_mins(1),
    };

    async fn pool() -> ConnectionPool<Sqlite> {
        ConnectionPool::open(SqliteConnectOptions::new(), LIMITS).await.expect("a pool")
    }

    /// Executes a simulated database statement that ends when the semaphore `end` gets a permit.
    async fn wait(pool: ConnectionPool<Sqlite>, end: Arc<Semaphore>) -> Result<(), Error> {
        pool.run(|_| {
            let end = Arc::clone(&end);
            async move {
                end.acquire().await.map(SemaphorePermit::forget).map_err(|_| Error::PoolClosed)
            }
            .boxed()
        })
        .await
    }

    async fn ping(pool: &ConnectionPool<Sqlite>) -> Result<(), Error> {
        pool.run(|connection| connection.ping().boxed()).await
    }

    #[tokio::test]
    async fn a_statement_waits_for_one_of_the_places() {
        let pool = pool().await;
        let end = Arc::new(Semaphore::new(0));
        let running: Vec<_> =
            (0..2).map(|_| tokio::spawn(wait(pool.clone(), Arc::clone(&end)))).collect();
        while pool.0.places.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert!(matches!(ping(&pool).await, Err(Error::PoolTimedOut)));
        for running in running {
            end.add_permits(1);
            running.await.expect("the task ends").expect("the statement ends");
            ping(&pool).await.expect("a free place");
        }
        assert_eq!(pool.0.idle().len(), 2);
    }

    #[tokio::test]
    async fn a_closed_pool_executes_nothing_after_its_running_statements() {
        let pool = pool().await;
        let end = Arc::new(Semaphore::new(0));
        let running = tokio::spawn(wait(pool.clone(), Arc::clone(&end)));
        while pool.0.places.available_permits() == 2 {
            tokio::task::yield_now().await;
        }
        let closing = {
            let pool = pool.clone();
            tokio::spawn(async move { pool.close(Duration::MAX).await })
        };
        tokio::task::yield_now().await;
        assert!(!closing.is_finished());
        end.add_permits(1);
        running.await.expect("the task ends").expect("the statement ends");
        closing.await.expect("the pool closes");
        assert!(matches!(ping(&pool).await, Err(Error::PoolClosed)));
        assert!(pool.0.idle().is_empty());
    }
}
