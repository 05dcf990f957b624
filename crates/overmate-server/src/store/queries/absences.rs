//! Reads and writes the days off of people in a database.

use sqlx::Error;

use super::person_sql::{holder_in, known_person_of};
use crate::clocks::absence::{self, Absence};
use crate::store::connection::sql::{Connection, Pool, Row, statement};
use crate::store::interface::absence::{AbsenceChange, AbsenceKind};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::Appended;

/// SQL query for a person's periods of days off, the earliest first.
const OF: &str = "SELECT began_at, until FROM absences WHERE person = $1 ORDER BY began_at";

/// Returns the periods of days off of a person, the earliest first.
pub(crate) async fn of(readers: &Pool, person: Holder) -> Result<Vec<Absence>, Error> {
    let rows = statement(OF).bind(person).rows(readers).await?;
    rows.iter().map(absence_in).collect()
}

fn absence_in(row: &Row) -> Result<Absence, Error> {
    Ok(Absence { began_at: row.get("began_at")?, until: row.get("until")? })
}

/// Returns the persons whose days off began or ended between two Unix times in milliseconds.
pub(crate) async fn changed(readers: &Pool, since: i64, until: i64) -> Result<Vec<Holder>, Error> {
    // The condition `until >= $1` lets the database use an index on the end of the days off. The condition also holds for days off
    // that began in this period, because no days off end before they begin.
    let query = "SELECT DISTINCT person FROM absences
         WHERE until >= $1 AND (began_at BETWEEN $1 AND $2 OR until BETWEEN $1 AND $2)";
    let rows = statement(query).bind(since).bind(until).rows(readers).await?;
    rows.iter().map(|row| holder_in(row, "person")).collect()
}

/// Begins or ends the days off of a person. The change is refused if the store contains neither a browser nor a seat of the
/// person.
pub(crate) async fn write(
    connection: &mut Connection,
    AbsenceChange { person, kind }: AbsenceChange,
) -> Result<Appended, Error> {
    // The requesting browser may have been linked to another person since its request about days off, or its data may have been erased.
    let Some(person) = known_person_of(connection, person).await? else {
        return Ok(Appended::Conflict);
    };
    let changed = match kind {
        AbsenceKind::Begin(Absence { began_at, until }) => {
            let begin = "INSERT INTO absences (person, began_at, until) SELECT $1, $2, $3
                 WHERE NOT EXISTS (SELECT 1 FROM absences WHERE person = $1 AND until > $2)
                 ON CONFLICT DO NOTHING";
            statement(begin).bind(person).bind(began_at).bind(until).execute(connection).await?
        }
        AbsenceKind::End { at } => {
            let end = "UPDATE absences SET until = $2
                 WHERE person = $1 AND until > $2 AND began_at <= $2";
            statement(end).bind(person).bind(at).execute(connection).await?
        }
    };
    Ok(Appended::stored_if(changed > 0))
}

/// Ends the days off of a person at a given time, in milliseconds since 1970. Days off that end earlier stay unchanged.
async fn end(connection: &mut Connection, person: Holder, at: i64) -> Result<(), Error> {
    let end = "UPDATE absences SET until = CASE WHEN began_at > $2 THEN began_at ELSE $2 END
         WHERE person = $1 AND until > $2";
    statement(end).bind(person).bind(at).execute(connection).await.map(drop)
}

/// Merges a person's days off into the days off of another person, when the two persons become one.
///
/// Current days off of the former person end at `at`, in milliseconds since 1970. The other person's days off are shortened, so
/// that the joint days off fit the budget of one person.
pub(crate) async fn join(
    connection: &mut Connection,
    (former, person): (Holder, Holder),
    budget: u32,
    at: i64,
) -> Result<(), Error> {
    // The current days off of the person `former` end when this person is merged into the person `person`. Otherwise each new browser would
    // bring further days off to the person `person`.
    end(connection, former, at).await?;
    bring(connection, former, person).await?;
    let rows = statement(OF).bind(person).rows(&mut *connection).await?;
    let absences = rows.iter().map(absence_in).collect::<Result<Vec<_>, Error>>()?;
    let Some(Absence { began_at, until }) = absence::cut(&absences, budget, at) else {
        return Ok(());
    };
    let cut = "UPDATE absences SET until = $3 WHERE person = $1 AND began_at = $2";
    statement(cut).bind(person).bind(began_at).bind(until).execute(connection).await.map(drop)
}

/// Transfers all periods of days off of a person to another person.
pub(crate) async fn bring(
    connection: &mut Connection,
    former: Holder,
    person: Holder,
) -> Result<(), Error> {
    for sql in [
        "DELETE FROM absences WHERE person = $1
         AND began_at IN (SELECT began_at FROM absences WHERE person = $2)",
        "UPDATE absences SET person = $2 WHERE person = $1",
    ] {
        statement(sql).bind(former).bind(person).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Deletes a person's days off.
pub(crate) async fn forget(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    let delete = statement("DELETE FROM absences WHERE person = $1").bind(person);
    delete.execute(connection).await.map(drop)
}
