//! Manages database leases, by which servers claim background work for a limited time. One server does the work, and
//! another server takes over when the lease expires.
//!
//! The clock of the database decides when a lease expires, because the servers' clocks differ. A lease avoids duplicate work, and
//! is not a lock: a server that was frozen may still finish its work after its lease has expired. If two servers then append an
//! entry to the log of a match under the same sequence number, only the first entry is stored (compare-and-swap).

use std::time::Duration;

use sqlx::Error;

use super::rows::signed;
use crate::store::connection::sql::{Connection, Pool, sql, statement};
use crate::store::interface::outcome::Appended;
use crate::store::interface::push::match_of;

/// Name of the database lease for the removal of expired data.
pub(crate) const EXPIRY: &str = "expiry";

/// SQL pattern that matches the names of the database leases of tournament events.
///
/// A server takes the lease of an event by its name when it looks for due steps of events. No server takes over an expired event
/// lease together with other expired leases. Otherwise the lease of an event that has ended would be renewed for ever.
const OF_EVENTS: &str = "event:%";

/// Duration of a database lease (a server's claim on background work), in milliseconds. After this time, another server takes the work of a
/// dead server.
pub(crate) const LEASE: i64 = 3_000;

/// Remaining time of a database lease, in milliseconds, at which the server that holds the lease renews the lease. A lease is thus renewed
/// once a second, however often the server looks for work.
const RENEWED: i64 = LEASE - 1_000;

/// Maximum number of expired database leases that a server takes over by one database write.
pub(crate) const TAKEN: u32 = 100;

/// Returns the name of the database lease for the background work of a tournament event, such as a pairing.
pub(crate) fn of_event(id: &str) -> String {
    OF_EVENTS.replace('%', id)
}

/// Change of database leases (servers' expiring claims on background work).
#[derive(Clone, Debug)]
pub(crate) enum LeaseWrite {
    /// Takes a database lease for the requesting server, unless another server holds the lease.
    Take { name: String },
    /// Renews the database leases of the requesting server, and takes over expired leases except those of tournament events.
    Keep,
    /// Releases a database lease of the requesting server. [`Keep`](Self::Keep) takes over the lease only after a pause.
    Release { name: String, pause: Duration },
    /// Releases all database leases of the requesting server.
    Retire,
    /// Removes the database lease of a match, of a message (push message or e-mail) about a match, or of a tournament event. The
    /// last log entry of the match must still have a given sequence number; for a tournament event, the number is 0.
    Remove { id: String, sequence: u64 },
}

impl LeaseWrite {
    /// Returns the match id in the name of the database lease that a [`LeaseWrite`] changes. If the lease is not about a match, returns the
    /// whole name of the lease. Returns `None` for a write to many leases.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Take { name } | Self::Release { name, .. } | Self::Remove { id: name, .. } => {
                Some(match_of(name))
            }
            Self::Keep | Self::Retire => None,
        }
    }
}

/// Assigns the database lease of a match to a server, even if another server holds the lease. If `server` is `None`, the work waits until a
/// server takes the lease.
pub(crate) async fn hold(
    connection: &mut Connection,
    id: &str,
    server: Option<&str>,
) -> Result<(), Error> {
    let sql = sql!(
        "INSERT INTO leases (name, holder, until) VALUES ($1, $2, $3 + ",
        NOW,
        ") ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until"
    );
    let time = if server.is_some() { LEASE } else { 0 };
    statement(sql).bind(id).bind(server).bind(time).execute(connection).await.map(drop)
}

/// Removes the database lease of a match, regardless of the server that holds the lease.
pub(crate) async fn end(connection: &mut Connection, id: &str) -> Result<(), Error> {
    statement("DELETE FROM leases WHERE name = $1").bind(id).execute(connection).await.map(drop)
}

/// Executes a change of the database table of leases on behalf of a server. If `server` is `None`, no lease is taken, and the work waits
/// for another server.
pub(crate) async fn write(
    connection: &mut Connection,
    write: &LeaseWrite,
    server: Option<&str>,
) -> Result<Appended, Error> {
    let changed = match write {
        LeaseWrite::Take { name } if server.is_none() => {
            statement("INSERT INTO leases (name, until) VALUES ($1, 0) ON CONFLICT DO NOTHING")
                .bind(name)
                .execute(connection)
                .await?;
            0
        }
        LeaseWrite::Keep if server.is_none() => 0,
        LeaseWrite::Take { name } => {
            let sql = sql!(
                "INSERT INTO leases (name, holder, until) VALUES ($1, $2, $3 + ",
                NOW,
                ") ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
                 WHERE leases.holder IS NULL OR leases.holder = excluded.holder OR leases.until <= ",
                NOW
            );
            statement(sql).bind(name).bind(server).bind(LEASE).execute(connection).await?
        }
        LeaseWrite::Keep => {
            let renew = sql!(
                "UPDATE leases SET until = $2 + ",
                NOW,
                " WHERE name IN (SELECT name FROM leases WHERE holder = $1",
                SKIP_LOCKED,
                ")"
            );
            let renew = statement(renew).bind(server).bind(LEASE);
            let renewed = renew.execute(&mut *connection).await?;
            let take = sql!(
                "UPDATE leases SET holder = $1, until = $2 + ",
                NOW,
                " WHERE name IN (SELECT name FROM leases WHERE until <= ",
                NOW,
                " AND name NOT LIKE $3 ORDER BY until LIMIT $4",
                SKIP_LOCKED,
                ")"
            );
            let take = statement(take).bind(server).bind(LEASE).bind(OF_EVENTS).bind(TAKEN);
            renewed + take.execute(connection).await?
        }
        LeaseWrite::Release { name, pause } => {
            let sql = sql!(
                "UPDATE leases SET holder = NULL, until = $3 + ",
                NOW,
                " WHERE name = $1 AND holder = $2"
            );
            let pause = i64::try_from(pause.as_millis()).unwrap_or(i64::MAX / 2);
            statement(sql).bind(name).bind(server).bind(pause).execute(connection).await?
        }
        LeaseWrite::Retire => {
            let sql = sql!(
                "UPDATE leases SET holder = NULL, until = 0
                 WHERE name IN (SELECT name FROM leases WHERE holder = $1",
                SKIP_LOCKED,
                ")"
            );
            statement(sql).bind(server).execute(connection).await?
        }
        LeaseWrite::Remove { id, sequence } => {
            let sql = "DELETE FROM leases WHERE name = $1
                 AND $2 = (SELECT coalesce(max(sequence), 0) FROM log WHERE match_id = $3)";
            let remove = statement(sql).bind(id).bind(signed(*sequence)).bind(match_of(id));
            remove.execute(connection).await?
        }
    };
    Ok(Appended::stored_if(changed > 0))
}

/// Returns whether a server has database leases to renew or to take over. A lease that ends too far in the future counts as due,
/// because the clock must have been set back since its last renewal.
pub(crate) async fn is_needed(pool: &Pool, server: &str) -> Result<bool, Error> {
    // PostgreSQL computes the time anew for each row unless a subquery computes it. The table has a row for each message that waits.
    let sql = sql!(
        "SELECT EXISTS (SELECT 1 FROM leases WHERE until <= (SELECT ",
        NOW,
        ") AND name NOT LIKE $4)
             OR EXISTS (SELECT 1 FROM leases WHERE holder = $1 AND until - ",
        NOW,
        " NOT BETWEEN $2 + 1 AND $3)"
    );
    statement(sql).bind(server).bind(RENEWED).bind(LEASE).bind(OF_EVENTS).scalar(pool).await
}

/// Returns whether a server other than the given server holds a database lease.
pub(crate) async fn is_held_by_other(pool: &Pool, name: &str, server: &str) -> Result<bool, Error> {
    let sql = sql!(
        "SELECT EXISTS (SELECT 1 FROM leases WHERE name = $1 AND holder != $2 AND until > ",
        NOW,
        ")"
    );
    statement(sql).bind(name).bind(server).scalar(pool).await
}

/// Returns the names of the database leases that a server holds, except those of tournament events.
pub(crate) async fn held(pool: &Pool, server: &str) -> Result<Vec<String>, Error> {
    statement("SELECT name FROM leases WHERE holder = $1 AND name NOT LIKE $2 ORDER BY name")
        .bind(server)
        .bind(OF_EVENTS)
        .scalars(pool)
        .await
}
