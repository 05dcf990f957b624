//! Reads and writes the reports about players, and operators' measures against persons, in a database.

use sqlx::Error;

use super::ratings;
use super::rows::{player_in, player_text};
use super::talk::person_at;
use crate::store::connection::sql::{Connection, Pool, Row, statement};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::{Appended, Quota};
use crate::store::interface::report::{
    MOST_OF_NETWORK, MOST_REPORTS, Measures, NewReport, REPORT_PERIOD, Report, ReportChange,
    ReportReason,
};

fn report_in(row: &Row) -> Result<Report, Error> {
    let unreadable =
        |what: &str| Error::Decode(format!("{what} of a stored report cannot be read").into());
    let reason: String = row.get("reason")?;
    let reason = ReportReason::ALL.into_iter().find(|known| known.text() == reason);
    let network: i64 = row.get("network")?;
    Ok(Report {
        id: row.get("id")?,
        match_id: row.get("match_id")?,
        player: player_in(row)?,
        reason: reason.ok_or_else(|| unreadable("the reason"))?,
        text: row.get("text")?,
        at: row.get("at")?,
        network: network.try_into().map_err(|_| unreadable("the network"))?,
        settled_at: row.get("settled_at")?,
    })
}

/// Returns the reports that a person has made about opponents, oldest first.
pub(crate) async fn of_person(readers: &Pool, person: Holder) -> Result<Vec<Report>, Error> {
    let rows = statement(
        "SELECT id, match_id, player, reason, text, at, network, settled_at FROM reports WHERE reporter = $1 ORDER BY at, id",
    )
    .bind(person)
    .rows(readers)
    .await?;
    rows.iter().map(report_in).collect()
}

/// Returns the measures that operators have taken against a person.
pub(crate) async fn measures(readers: &Pool, person: Holder) -> Result<Measures, Error> {
    let query = "SELECT kind, text, at, until FROM measures WHERE person = $1";
    let mut measures = Measures::default();
    for row in statement(query).bind(person).rows(readers).await? {
        let (kind, at): (String, i64) = (row.get("kind")?, row.get("at")?);
        match &*kind {
            "warning" => {
                let text: Option<String> = row.get("text")?;
                measures.warning = Some((text.unwrap_or_default(), at));
            }
            "mute" => measures.muted_until = row.get("until")?,
            "closed" => measures.closed_at = Some(at),
            _ => return Err(Error::Decode("a stored measure has an unknown kind".into())),
        }
    }
    Ok(measures)
}

/// Returns whether the store contains reports that were made before the Unix time `before`, or mutes that have ended at the Unix
/// time `at`. Both times are in seconds.
pub(crate) async fn has_old(readers: &Pool, before: i64, at: i64) -> Result<bool, Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM reports WHERE at < $1)
         OR EXISTS (SELECT 1 FROM measures WHERE kind = 'mute' AND until <= $2)";
    statement(query).bind(before).bind(at).scalar(readers).await
}

/// Executes a change of a report about a player, or of a measure against a person, in a transaction.
pub(crate) async fn write(
    connection: &mut Connection,
    change: &ReportChange,
) -> Result<Appended, Error> {
    match change {
        ReportChange::Make(new) => make(connection, new).await,
        ReportChange::Confirm { person, at } => {
            statement("DELETE FROM measures WHERE person = $1 AND kind = 'warning' AND at = $2")
                .bind(*person)
                .bind(*at)
                .execute(connection)
                .await?;
            Ok(Appended::Stored)
        }
        ReportChange::Forget { before, at } => {
            let delete = statement("DELETE FROM reports WHERE at < $1").bind(*before);
            delete.execute(&mut *connection).await?;
            let unmute = "DELETE FROM measures WHERE kind = 'mute' AND until <= $1";
            statement(unmute).bind(*at).execute(connection).await?;
            Ok(Appended::Stored)
        }
    }
}

async fn make(connection: &mut Connection, new: &NewReport) -> Result<Appended, Error> {
    let NewReport { report, reporter } = new;
    let Report { id, match_id, player, reason, text, at, network, .. } = report;
    let own = person_at(connection, match_id, *player).await?;
    // A player can report their opponent even after the opponent has deleted the rated match. The stored rating change of the match still
    // names the opponent.
    let other = match person_at(connection, match_id, !*player).await? {
        None => ratings::player(&mut *connection, match_id, !*player).await?,
        other => other,
    };
    let reported = match (own, other) {
        (Some(own), Some(other)) if own == *reporter && other != own => other,
        _ => return Ok(Appended::Conflict),
    };
    let query = "SELECT settled_at FROM reports WHERE match_id = $1 AND player = $2";
    let known = statement(query).bind(match_id).bind(player_text(*player));
    if let Some(known) = known.row(&mut *connection).await? {
        if known.get::<Option<i64>>("settled_at")?.is_some() {
            return Ok(Appended::Conflict);
        }
        statement("UPDATE reports SET reason = $3, text = $4 WHERE match_id = $1 AND player = $2")
            .bind(match_id)
            .bind(player_text(*player))
            .bind(reason.text())
            .bind(text.as_deref())
            .execute(connection)
            .await?;
        return Ok(Appended::Stored);
    }
    // The query reads the latest reports of the person and of the network, and returns the time of the report that must be older than a day
    // before the next report. It returns NULL below the limits.
    let row = statement(
        "SELECT (SELECT at FROM reports WHERE reporter = $1 AND at > $3 ORDER BY at DESC LIMIT 1 OFFSET $4) AS own,
             (SELECT at FROM reports WHERE network = $2 AND at > $3 ORDER BY at DESC LIMIT 1 OFFSET $5) AS near",
    )
    .bind(*reporter)
    .bind(i64::from(*network))
    .bind(at - REPORT_PERIOD)
    .bind(MOST_REPORTS - 1)
    .bind(MOST_OF_NETWORK - 1)
    .row(&mut *connection)
    .await?
    .ok_or(Error::RowNotFound)?;
    let (own, near): (Option<i64>, Option<i64>) = (row.get("own")?, row.get("near")?);
    if let Some(blocking) = own.max(near) {
        let seconds = (blocking + REPORT_PERIOD - at).unsigned_abs();
        return Ok(Appended::Full(Quota::Reports { seconds }));
    }
    statement(
        "INSERT INTO reports (id, match_id, player, reporter, reported, reason, text, network, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(id)
    .bind(match_id)
    .bind(player_text(*player))
    .bind(*reporter)
    .bind(reported)
    .bind(reason.text())
    .bind(text.as_deref())
    .bind(i64::from(*network))
    .bind(*at)
    .execute(connection)
    .await?;
    Ok(Appended::Stored)
}

/// Removes the identity and the texts of a person from the reports that the person has made. All reports about the person, and
/// all measures against the person, are removed.
pub(crate) async fn forget(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    for sql in [
        "DELETE FROM reports WHERE reported = $1",
        "UPDATE reports SET reporter = NULL, text = NULL WHERE reporter = $1",
        "DELETE FROM measures WHERE person = $1",
    ] {
        statement(sql).bind(person).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Transfers the reports by and about a person, and the measures against the person, to a new identity or to another person. If
/// both have a measure of one kind, the measure against the receiving identity or person stays. Of two mutes, the mute with the
/// later end stays.
pub(crate) async fn bring(
    connection: &mut Connection,
    former: Holder,
    person: Holder,
) -> Result<(), Error> {
    for sql in [
        "UPDATE reports SET reporter = $2 WHERE reporter = $1",
        "UPDATE reports SET reported = $2 WHERE reported = $1",
        "DELETE FROM measures WHERE person = $2 AND kind = 'mute'
         AND until < (SELECT former.until FROM measures AS former WHERE former.person = $1 AND former.kind = 'mute')",
        "DELETE FROM measures WHERE person = $1
         AND EXISTS (SELECT 1 FROM measures AS kept WHERE kept.person = $2 AND kept.kind = measures.kind)",
        "UPDATE measures SET person = $2 WHERE person = $1",
    ] {
        statement(sql).bind(former).bind(person).execute(&mut *connection).await?;
    }
    Ok(())
}
