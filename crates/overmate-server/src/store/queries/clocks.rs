//! Writes the deadlines of matches, and the time of the servers' last heartbeat, into a database.

use sqlx::Error;

use super::rows::signed;
use crate::store::connection::sql::{Connection, statement};
use crate::store::interface::outcome::Appended;
use crate::store::interface::store::Deadline;

/// Database write of the deadline of a match, or of the time of the servers' last heartbeat.
#[derive(Clone, Debug)]
pub(crate) enum ClockWrite {
    /// Replaces the deadline of a match, if the last log entry still has a given sequence number.
    Deadline { id: String, sequence: u64, deadline: Deadline },
    /// Records that a server was running at a Unix time in milliseconds.
    Beat { at_ms: i64 },
}

impl ClockWrite {
    /// Returns the id of the match whose deadline a [`ClockWrite`] replaces, or `None` for a heartbeat of the servers.
    pub(crate) fn match_id(&self) -> Option<&str> {
        match self {
            Self::Deadline { id, .. } => Some(id),
            Self::Beat { .. } => None,
        }
    }
}

/// Stores the deadline of a match after a log entry was appended.
pub(crate) async fn set(
    connection: &mut Connection,
    id: &str,
    Deadline(deadline): Deadline,
) -> Result<(), Error> {
    let set = statement("UPDATE matches SET deadline = $2 WHERE id = $1").bind(id).bind(deadline);
    set.execute(connection).await.map(drop)
}

/// Writes a match deadline or a heartbeat of the servers to the database.
pub(crate) async fn write(
    connection: &mut Connection,
    write: &ClockWrite,
) -> Result<Appended, Error> {
    let changed = match write {
        ClockWrite::Deadline { id, sequence, deadline: Deadline(deadline) } => {
            let set = "UPDATE matches SET deadline = $3 WHERE id = $1
                 AND $2 = (SELECT coalesce(max(sequence), 0) FROM log WHERE match_id = $1)";
            statement(set)
                .bind(id)
                .bind(signed(*sequence))
                .bind(*deadline)
                .execute(connection)
                .await?
        }
        ClockWrite::Beat { at_ms } => {
            let beat = "UPDATE beats SET at = $1 WHERE name = 'clocks' AND at < $1";
            statement(beat).bind(*at_ms).execute(connection).await?
        }
    };
    Ok(Appended::stored_if(changed > 0))
}
