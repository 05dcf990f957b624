//! Reads and settles reports about players for operators, and applies measures, such as a mute, to persons.

use overmate_rules::Player;
use sqlx::Error;

use super::offers;
use super::person_sql::{holder_in, owned};
use super::rows::{player_in, player_text};
use crate::clock::rfc3339;
use crate::names;
use crate::store::connection::sql::{Connection, Row, statement};
use crate::store::interface::holder::Holder;

/// Report by a player about their opponent, as listed for operators.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundReport {
    /// Id of the report about a player.
    pub id: String,
    /// Time at which the player reported their opponent, as RFC 3339 text in UTC.
    pub at: String,
    /// Time at which an operator settled the report, as RFC 3339 text in UTC; `None` for an open report.
    pub settled_at: Option<String>,
    /// Reason for the report about a player (`insults`, `name`, `unfair`, `stalling` or `other`).
    pub reason: String,
    /// Explanation that the reporting player added to the report, or `None` without an explanation.
    pub text: Option<String>,
    /// Id of the match in which the reporting player met the reported player.
    pub match_id: String,
    /// Name of the rule set of the match; `None` if the match has been removed.
    pub rules: Option<String>,
    /// Reporting player: the author of the report.
    pub reporter: FoundParty,
    /// Reported player: the subject of the report.
    pub reported: FoundParty,
    /// Chat messages of both players in the match, oldest first.
    pub messages: Vec<FoundMessage>,
    /// Game record of the reported match in the format that `overmate replay` reads. The record omits cards that are hidden from
    /// watchers. `None` if the match has been removed or cannot be read.
    pub record: Option<String>,
}

/// Person in a report about a player: the author of the report or the reported player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundParty {
    /// Role of the person in the reported match: player `a` or `b`.
    pub player: &'static str,
    /// Identity of the reporting or reported person (the id of their first browser); `None` if the person has erased their data.
    pub browser: Option<String>,
    /// Handle of the person's account; `None` if the person has no account.
    pub handle: Option<String>,
    /// Display name of the player in the match.
    pub name: Option<String>,
}

/// Chat message of a player in a reported match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundMessage {
    /// Player of the match who sent the chat message (`a` or `b`).
    pub player: String,
    /// Text of the chat message.
    pub text: String,
    /// Time at which the chat message was sent, as RFC 3339 text in UTC.
    pub at: String,
}

/// Match and reported player of a report that an operator has settled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Settled {
    /// Id of the match that a player's report about their opponent concerns.
    pub(crate) match_id: String,
    /// Reported player of the settled report.
    pub(crate) reported: Player,
    /// Person who holds or held the seat of the reported player.
    pub(crate) person: Holder,
}

fn holder_text(row: &Row, column: &str) -> Result<Option<String>, Error> {
    let hash: Option<Vec<u8>> = row.get(column)?;
    let hash = hash.and_then(|hash| hash.try_into().ok());
    Ok(hash.map(|hash| Holder(hash).to_string()))
}

fn party(row: &Row, player: Player, who: &str) -> Result<FoundParty, Error> {
    let name: Option<String> = row.get(&format!("{who}_name"))?;
    Ok(FoundParty {
        player: player_text(player),
        browser: holder_text(row, who)?,
        handle: row.get(&format!("{who}_handle"))?,
        name: name.as_deref().and_then(names::shown),
    })
}

/// Returns the open reports about players, or all reports if `has_settled` is true, oldest first. The game records of the matches
/// are not included.
pub(crate) async fn reports(
    connection: &mut Connection,
    has_settled: bool,
) -> Result<Vec<FoundReport>, Error> {
    let rows = statement(
        "SELECT reports.id AS id, reports.match_id AS match_id, reports.player AS player, reason, reports.text AS text,
             reports.at AS at, settled_at, rules, reporter, reported, own.handle AS reporter_handle, other.handle AS reported_handle,
             own_seat.name AS reporter_name, other_seat.name AS reported_name
         FROM reports
         LEFT JOIN matches ON matches.id = reports.match_id
         LEFT JOIN accounts AS own ON own.person = reporter
         LEFT JOIN accounts AS other ON other.person = reported
         LEFT JOIN seats AS own_seat ON own_seat.match_id = reports.match_id AND own_seat.player = reports.player
         LEFT JOIN seats AS other_seat ON other_seat.match_id = reports.match_id AND other_seat.player != reports.player
         WHERE $1 OR settled_at IS NULL ORDER BY reports.at, reports.id",
    )
    .bind(has_settled)
    .rows(&mut *connection)
    .await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        let match_id: String = row.get("match_id")?;
        let player = player_in(&row)?;
        found.push(FoundReport {
            id: row.get("id")?,
            at: rfc3339(row.get("at")?),
            settled_at: row.get::<Option<i64>>("settled_at")?.map(rfc3339),
            reason: row.get("reason")?,
            text: row.get("text")?,
            rules: row.get("rules")?,
            reporter: party(&row, player, "reporter")?,
            reported: party(&row, !player, "reported")?,
            messages: messages(connection, &match_id).await?,
            match_id,
            record: None,
        });
    }
    Ok(found)
}

async fn messages(connection: &mut Connection, id: &str) -> Result<Vec<FoundMessage>, Error> {
    let query = "SELECT player, text, at FROM talk WHERE match_id = $1 ORDER BY number";
    let rows = statement(query).bind(id).rows(connection).await?;
    let read = |row: &Row| {
        let at = rfc3339(row.get("at")?);
        Ok(FoundMessage { player: row.get("player")?, text: row.get("text")?, at })
    };
    rows.iter().map(read).collect()
}

/// Marks an open report about a player as settled. Returns `None` if no open report has the given id.
pub(crate) async fn settle(
    connection: &mut Connection,
    id: &str,
    at: i64,
) -> Result<Option<Settled>, Error> {
    let row = statement(
        "UPDATE reports SET settled_at = $2 WHERE id = $1 AND settled_at IS NULL RETURNING match_id, player, reported",
    )
    .bind(id)
    .bind(at)
    .row(connection)
    .await?;
    let read = |row: Row| {
        let (reported, person) = (!player_in(&row)?, holder_in(&row, "reported")?);
        Ok(Settled { match_id: row.get("match_id")?, reported, person })
    };
    row.map(read).transpose()
}

/// Stores an operator's measure against a person, such as a mute. The measure replaces an earlier measure of the same kind.
pub(crate) async fn take(
    connection: &mut Connection,
    (person, kind): (Holder, &'static str),
    (text, until): (Option<&str>, Option<i64>),
    at: i64,
) -> Result<(), Error> {
    statement(
        "INSERT INTO measures (person, kind, text, at, until) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (person, kind) DO UPDATE SET text = excluded.text, at = excluded.at, until = excluded.until",
    )
    .bind(person)
    .bind(kind)
    .bind(text)
    .bind(at)
    .bind(until)
    .execute(connection)
    .await
    .map(drop)
}

/// Ends an operator's measure against a person, such as a mute. Returns whether the person was under such a measure at a Unix time in
/// seconds.
pub(crate) async fn end(
    connection: &mut Connection,
    (person, kind): (Holder, &'static str),
    at: i64,
) -> Result<bool, Error> {
    let delete = statement(
        "DELETE FROM measures WHERE person = $1 AND kind = $2 AND (until IS NULL OR until > $3)",
    );
    Ok(delete.bind(person).bind(kind).bind(at).execute(connection).await? > 0)
}

/// Withdraws a person's challenges and rated match offers, except offers that have been accepted. Of a bot, all open offers are withdrawn,
/// because no program can play them while the account is closed.
pub(crate) async fn withdraw(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    offers::lock(connection).await?;
    let delete = concat!(
        "DELETE FROM offers WHERE match_id IS NULL
             AND (rated OR to_tag IS NOT NULL OR EXISTS (SELECT 1 FROM accounts WHERE person = $1 AND bot)) AND holder IN ",
        owned!("$1")
    );
    if statement(delete).bind(person).execute(&mut *connection).await? > 0 {
        offers::note(connection).await?;
    }
    Ok(())
}
