//! Executes the database reads and writes of operators' commands, even while a server runs.
//!
//! Each operator's change of a match appends a log entry of the kind `operator`. A server with an
//! older state of the match in its cache therefore fails at its next write, and reads the match
//! again.

use futures_util::TryStreamExt as _;
use sqlx::Error;

use super::person_sql::{owned, person};
use super::rows::last_sequence;
use super::secrets;
use super::{
    absences, accounts, bot_tokens, events, feeds, mail, offers, passkeys, people, push, relations,
    reports, visibility,
};
use crate::clock::rfc3339;
use crate::names;
use crate::random::hexadecimal;
use crate::store::connection::sql::{Connection, On, Pool, Row, Sql, Statement, sql, statement};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::Appended;
use crate::store::interface::traces::OperatorAct;

/// Kind of an operator's act in the operators' log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ActKind {
    /// The operator changed or removed the display name of a player.
    Rename,
    /// The operator ended a running match.
    End,
    /// The operator revoked an invitation or the identity of a browser, or withdrew an open match offer.
    Revoke,
    /// The operator erased the data of a browser.
    Erase,
    /// The operator warned a person.
    Warn,
    /// The operator muted a person for a number of days.
    Mute,
    /// The operator ended the mute of a person.
    Unmute,
    /// The operator closed the account of a person.
    Close,
    /// The operator reopened a closed account.
    Reopen,
    /// The operator settled a report about a player, and took no measure against the player.
    Settle,
}

impl ActKind {
    /// Returns the text by which the database stores the kind of an operator's act.
    fn text(self) -> &'static str {
        match self {
            Self::Rename => "rename",
            Self::End => "end",
            Self::Revoke => "revoke",
            Self::Erase => "erase",
            Self::Warn => "warn",
            Self::Mute => "mute",
            Self::Unmute => "unmute",
            Self::Close => "close",
            Self::Reopen => "reopen",
            Self::Settle => "settle",
        }
    }
}

/// Match that an operator's search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundMatch {
    /// Id of the found match.
    pub id: String,
    /// Name of the rule set of the match.
    pub rules: String,
    /// Time at which the match was created, as RFC 3339 text in UTC.
    pub created_at: String,
    /// Time of the last log entry of the match, as RFC 3339 text in UTC; `None` for an empty log.
    pub acted_at: Option<String>,
    /// Time at which the match ended, as RFC 3339 text in UTC; `None` for an unfinished match.
    pub ended_at: Option<String>,
    /// Whether the match has an unused invitation.
    pub invites: bool,
    /// Seats of player A and player B in the match.
    pub seats: [FoundSeat; 2],
}

/// Seat in a match that an operator's search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundSeat {
    /// Display name of the player, or `None` if the player has no name.
    pub name: Option<String>,
    /// Occupant of the seat: a browser, a computer opponent, or nobody.
    pub occupant: FoundOccupant,
}

/// Occupant of a seat in a match that an operator's search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FoundOccupant {
    /// Identity of the browser that holds the seat: the hash of the browser's token, as 64 hexadecimal digits.
    Browser(String),
    /// Name of the computer opponent that holds the seat.
    Computer(String),
    /// Nobody: the seat waits for an invited person.
    Open,
    /// Nobody: the player of the seat has erased their data.
    Deleted,
}

/// Selection of match seats for an SQL statement: the seats of one match, or the seats of one person. Only seats that persons
/// hold are selected.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seats<'a> {
    /// Id of the match whose seats an SQL statement selects, or `None` to select the seats of one person instead.
    pub(crate) id: Option<&'a str>,
    /// Person whose seats an SQL statement selects, or `None` to select the seats of one match instead.
    pub(crate) holder: Option<Holder>,
    /// Player whose seats are selected, as the database text `a` or `b`; `None` for both players.
    pub(crate) player: Option<&'static str>,
}

impl Seats<'_> {
    /// Binds the match id, the person and the player of a seat selection to the first three parameters of an SQL statement.
    pub(crate) fn bind_to(self, query: Statement) -> Statement {
        query.bind(self.id).bind(self.holder).bind(self.player)
    }
}

/// Expands to an SQL table expression, with the alias `own`, for a selection of match seats.
///
/// The parameters of the expression are the match `$1`, the person `$2` and the player `$3`. Each part uses an index. A single
/// condition with `$1 IS NULL OR` would read the whole table.
macro_rules! chosen {
    () => {
        concat!(
            "(SELECT match_id, player, holder FROM seats WHERE match_id = $1
              UNION ALL SELECT match_id, player, holder FROM seats WHERE holder IN ",
            owned!("$2"),
            ") AS own WHERE ($3 IS NULL OR player = $3) AND holder IS NOT NULL"
        )
    };
}

/// Expands to an SQL statement that changes the display names of the players in a selection of match seats. The new name is the
/// parameter `$4`.
macro_rules! rename {
    () => {
        concat!(
            "UPDATE seats SET name = $4 WHERE (match_id, player) IN (SELECT match_id, player FROM ",
            chosen!(),
            ")"
        )
    };
}

/// SQL query for the execution plan of the statement that changes the display names of players.
#[cfg(test)]
pub(crate) const RENAME_PLAN: Sql = Sql::Each {
    sqlite: concat!("EXPLAIN QUERY PLAN ", rename!()),
    postgres: concat!("EXPLAIN ", rename!()),
};

/// Expands to an SQL query for the matches whose ids meet a condition, each with both seats. The argument is the condition.
macro_rules! matches {
    ($condition:literal) => {
        concat!(
            "SELECT id, rules, created_at, ended_at, invitation IS NOT NULL AS invites,
                 (SELECT at FROM log WHERE log.match_id = id ORDER BY sequence DESC LIMIT 1) AS acted_at,
                 name, ",
            person!(),
            ", bot, deleted_at
             FROM matches JOIN seats ON seats.match_id = id
             WHERE id ",
            $condition,
            " ORDER BY created_at DESC, id, player"
        )
    };
}

/// SQL query for matches with given ids.
const MATCHES: Sql = Sql::Each {
    sqlite: matches!("IN (SELECT value FROM json_each($1))"),
    postgres: matches!("= ANY($1)"),
};

/// Appends an operator's act, such as a mute, to the operators' log before the act is executed. Returns the number of the new
/// row.
///
/// The time of the act comes from the database, because the clocks of operators and servers differ.
pub(crate) async fn begin_act(
    connection: &mut Connection,
    act: ActKind,
    target: &str,
    reason: &str,
) -> Result<i64, Error> {
    let sql = sql!(
        "INSERT INTO operator_acts (at, act, target, reason) VALUES (",
        NOW,
        " / 1000, $1, $2, $3) RETURNING id"
    );
    statement(sql).bind(act.text()).bind(target).bind(reason).scalar(connection).await
}

/// Records in the operators' log that an operator's act is complete, with the number of changed or removed matches.
pub(crate) async fn finish_act(
    connection: &mut Connection,
    row: i64,
    matches: u64,
) -> Result<(), Error> {
    statement("UPDATE operator_acts SET matches = $2 WHERE id = $1")
        .bind(row)
        .bind(matches.cast_signed())
        .execute(connection)
        .await?;
    Ok(())
}

/// Returns the entries of the operators' log, ordered by time.
pub(crate) async fn acts(connection: &mut Connection) -> Result<Vec<OperatorAct>, Error> {
    let rows = statement("SELECT at, act, target, reason, matches FROM operator_acts ORDER BY id")
        .rows(connection)
        .await?;
    rows.iter().map(act_of).collect()
}

/// Expands to an SQL query for the operators' acts, such as a mute, against the person `$1`. The argument is an SQL expression
/// for a browser's hexadecimal id. This id is the target of an act, or the last 64 characters of the target if the browser is the host of
/// an event. The settlement of a report is no act against the reported player, who must not learn of the report.
macro_rules! acts_on {
    ($digits:literal) => {
        concat!(
            "SELECT at, act, target, reason, matches FROM operator_acts
             WHERE act <> 'settle' AND (substr(target, length(target) - 63) IN (SELECT $2 UNION ALL SELECT ",
            $digits,
            " FROM browsers WHERE person = $1) OR EXISTS (
                 SELECT 1 FROM seats WHERE match_id = substr(target, 1, 32)
                 AND (target = match_id OR target = match_id || ' player ' || player) AND holder IN ",
            owned!("$1"),
            ")) ORDER BY id"
        )
    };
}

/// SQL query for the operators' acts, such as a mute, against the person `$1` with the hexadecimal id `$2`.
const ACTS_ON: Sql = Sql::Each {
    sqlite: acts_on!("lower(hex(browser))"),
    postgres: acts_on!("encode(browser, 'hex')"),
};

/// Returns the operators' acts, such as a mute, that concern a person. The target of such an act is the person, a present or former
/// browser of the person, a match or seat of the person, or an event of the person. Settled reports are left out.
pub(crate) async fn acts_on(readers: &Pool, person: Holder) -> Result<Vec<OperatorAct>, Error> {
    let rows = statement(ACTS_ON).bind(person).bind(person.to_string()).rows(readers).await?;
    rows.iter().map(act_of).collect()
}

fn act_of(row: &Row) -> Result<OperatorAct, Error> {
    Ok(OperatorAct {
        at: rfc3339(row.get("at")?),
        act: row.get("act")?,
        target: row.get("target")?,
        reason: row.get("reason")?,
        matches: row.get::<Option<i64>>("matches")?.map(i64::cast_unsigned),
    })
}

/// Returns whether the operators' log contains acts, such as a mute, that precede a Unix time in seconds.
pub(crate) async fn has_acts_before(readers: &Pool, before: i64) -> Result<bool, Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM operator_acts WHERE at < $1)";
    statement(query).bind(before).scalar(readers).await
}

/// Returns the targets of the operators' acts in the last `seconds` seconds, by the database's clock. A target is a match, a player
/// of a match, a browser, a person, or an event with its host.
pub(crate) async fn targets(readers: &Pool, seconds: i64) -> Result<Vec<String>, Error> {
    let query = sql!("SELECT DISTINCT target FROM operator_acts WHERE at >= ", NOW, " / 1000 - $1");
    statement(query).bind(seconds).scalars(readers).await
}

/// Removes old entries from the operators' log: all acts that precede a Unix time in seconds.
pub(crate) async fn forget(connection: &mut Connection, before: i64) -> Result<Appended, Error> {
    statement("DELETE FROM operator_acts WHERE at < $1").bind(before).execute(connection).await?;
    Ok(Appended::Stored)
}

/// Returns the number of match seats in the selection `seats` that persons hold.
pub(crate) async fn people(connection: &mut Connection, seats: Seats<'_>) -> Result<u64, Error> {
    let count = statement(concat!("SELECT count(*) FROM ", chosen!()));
    let count: i64 = seats.bind_to(count).scalar(connection).await?;
    Ok(count.cast_unsigned())
}

/// Changes or removes the players' display names in selected match seats, except seats of computer opponents. Returns the number
/// of changed matches.
pub(crate) async fn rename(
    connection: &mut Connection,
    seats: Seats<'_>,
    name: Option<&str>,
    at: i64,
) -> Result<u64, Error> {
    let matches = note(connection, seats, at).await?;
    seats.bind_to(statement(rename!())).bind(name).execute(connection).await?;
    Ok(matches)
}

/// Locks the matches that have a seat in the selection `seats`, so that other transactions do not change these matches. In SQLite the
/// transaction itself prevents all other writes.
async fn lock_matches(connection: &mut Connection, seats: Seats<'_>) -> Result<(), Error> {
    if let Connection::Postgres(_) = connection {
        let lock = statement(concat!(
            "SELECT 1 FROM matches WHERE id IN (SELECT match_id FROM ",
            chosen!(),
            ") ORDER BY id FOR UPDATE"
        ));
        seats.bind_to(lock).execute(connection).await?;
    }
    Ok(())
}

/// Appends an entry of the kind `operator` to the log of each match that has a seat in the selection `seats`. Returns the number
/// of these matches.
pub(crate) async fn note(
    connection: &mut Connection,
    seats: Seats<'_>,
    at: i64,
) -> Result<u64, Error> {
    lock_matches(connection, seats).await?;
    // The new log entries of all matches get the same client id, because a client id needs to be unique only within one match.
    let client_id = hexadecimal(&secrets::drawn::<16>()?);
    let note = statement(concat!(
        "INSERT INTO log (match_id, sequence, player, kind, client_id, at)
         SELECT match_id, 1 + ",
        last_sequence!("own.match_id"),
        ", min(player), 'operator', $5, $4 FROM ",
        chosen!(),
        " GROUP BY match_id"
    ));
    seats.bind_to(note).bind(at).bind(client_id).execute(connection).await
}

/// Revokes the unused invitation of an unfinished match. Returns the number of changed matches: 1, or 0 if the match has no
/// unused invitation.
pub(crate) async fn revoke_invitation(
    connection: &mut Connection,
    id: &str,
    at: i64,
) -> Result<u64, Error> {
    let seats = Seats { id: Some(id), ..Seats::default() };
    // Without the lock, the update could read the seats before a person joins the match, and then revoke the invitation after the person
    // has joined.
    lock_matches(connection, seats).await?;
    let revoked = statement(
        "UPDATE matches SET invitation = NULL
         WHERE id = $1 AND invitation IS NOT NULL AND ended_at IS NULL
         AND EXISTS (SELECT 1 FROM seats WHERE match_id = id AND holder IS NULL AND bot IS NULL AND deleted_at IS NULL)",
    )
    .bind(id)
    .execute(&mut *connection)
    .await?;
    if revoked == 0 {
        return Ok(0);
    }
    note(connection, seats, at).await
}

/// Moves the data of a person, such as seats and puzzle attempts, to a new identity, and signs out all browsers of the person.
/// The old cookies then give no access. Returns the number of changed matches.
pub(crate) async fn revoke_browser(
    connection: &mut Connection,
    holder: Holder,
    new: Holder,
    at: i64,
) -> Result<u64, Error> {
    // The lock on the data of all persons keeps other writers away from a person's account while the account moves to a new identity.
    people::lock(connection).await?;
    let seats = Seats { holder: Some(holder), ..Seats::default() };
    let matches = note(connection, seats, at).await?;
    // This function takes the lock on tournament events after the locks on matches, and before it changes rows of other tables. The writes
    // of servers take the locks in the same order, so that no deadlock occurs.
    connection.lock(events::LOCK).await?;
    offers::lock(connection).await?;
    for sql in [
        concat!("UPDATE seats SET holder = $2 WHERE holder IN ", owned!("$1")),
        "UPDATE puzzle_attempts SET holder = $2 WHERE holder = $1",
        "UPDATE puzzle_players SET holder = $2 WHERE holder = $1",
    ] {
        statement(sql).bind(holder).bind(new).execute(&mut *connection).await?;
    }
    offers::transfer(connection, holder, new).await?;
    // The client ids of the person's requests for new matches are deleted, so that nobody can repeat such a request with the old identity.
    let forget_requests = concat!(
        "UPDATE matches SET asked_by = NULL, client_id = NULL WHERE client_id IS NOT NULL AND asked_by IN ",
        owned!("$1")
    );
    for sql in [forget_requests, "DELETE FROM codes WHERE person = $1"] {
        statement(sql).bind(holder).execute(&mut *connection).await?;
    }
    // This function signs out the person's browsers, but keeps them assigned to the person under the person's new identity. A later erasure
    // of the person's data thus also removes these browsers. The browsers move after the seats, because the query finds the seats by the
    // browsers.
    let revoke = sql!(
        "UPDATE browsers SET person = $2, revoked = TRUE, changed_at = ",
        NOW,
        " / 1000 WHERE person = $1"
    );
    statement(revoke).bind(holder).bind(new).execute(&mut *connection).await?;
    // The new identity gets a row of its own, because queries that compare persons find the seats of a person by the person's browsers.
    statement(
        "INSERT INTO browsers (browser, person, added_at, changed_at, revoked) VALUES ($1, $1, $2, 0, TRUE)",
    )
    .bind(new)
    .bind(at)
    .execute(&mut *connection)
    .await?;
    accounts::transfer(connection, holder, new).await?;
    passkeys::transfer(connection, holder, new).await?;
    mail::transfer(connection, holder, new).await?;
    // The access tokens of a bot account are removed, because whoever knows the cookies of the person may also know the tokens.
    bot_tokens::forget(connection, holder).await?;
    relations::transfer(connection, holder, new).await?;
    visibility::transfer(connection, holder, new).await?;
    reports::bring(connection, holder, new).await?;
    events::transfer(connection, holder, new).await?;
    absences::bring(connection, holder, new).await?;
    feeds::forget(connection, holder).await?;
    push::forget(connection, holder).await?;
    Ok(matches)
}

/// Removes the passkeys of a person.
pub(crate) async fn forget_passkeys(
    connection: &mut Connection,
    person: Holder,
) -> Result<(), Error> {
    passkeys::forget(connection, person).await
}

/// Returns the number of a person's puzzle attempts that counted for ratings.
pub(crate) async fn attempts_of(connection: &mut Connection, holder: Holder) -> Result<u64, Error> {
    let count: i64 = statement("SELECT count(*) FROM puzzle_attempts WHERE holder = $1")
        .bind(holder)
        .scalar(connection)
        .await?;
    Ok(count.cast_unsigned())
}

/// Returns whether the database lists any browser of a person, including signed-out browsers.
pub(crate) async fn has_browsers(
    connection: &mut Connection,
    person: Holder,
) -> Result<bool, Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM browsers WHERE person = $1)";
    statement(query).bind(person).scalar(connection).await
}

/// Returns the number of matches in which a person holds a seat.
pub(crate) async fn count_of(connection: &mut Connection, holder: Holder) -> Result<u64, Error> {
    let query =
        concat!("SELECT count(DISTINCT match_id) FROM seats WHERE holder IN ", owned!("$1"));
    let count: i64 = statement(query).bind(holder).scalar(connection).await?;
    Ok(count.cast_unsigned())
}

/// Returns the ids of the matches in which a person holds a seat, newest match first.
pub(crate) async fn ids_of(
    connection: &mut Connection,
    holder: Holder,
    limit: u32,
) -> Result<Vec<String>, Error> {
    statement(concat!(
        "SELECT id FROM matches WHERE id IN (SELECT match_id FROM seats WHERE holder IN ",
        owned!("$1"),
        ") ORDER BY created_at DESC, id LIMIT $2"
    ))
    .bind(holder)
    .bind(limit)
    .scalars(connection)
    .await
}

/// Returns the ids of matches with a player whose name contains a given text, newest match first. Case and accents make no
/// difference.
pub(crate) async fn ids_by_name(
    connection: &mut Connection,
    text: &str,
    limit: u32,
) -> Result<Vec<String>, Error> {
    let mut rows = statement(
        "SELECT id, name FROM seats JOIN matches ON id = match_id
         WHERE name IS NOT NULL ORDER BY created_at DESC, id",
    )
    .stream(connection);
    let mut found: Vec<String> = Vec::new();
    while let Some(row) = rows.try_next().await? {
        let (id, name): (String, String) = (row.get("id")?, row.get("name")?);
        if names::contains(&name, text) && found.last() != Some(&id) {
            if found.len() >= limit as usize {
                break;
            }
            found.push(id);
        }
    }
    Ok(found)
}

/// Returns the id of the match to which an invitation belongs. The invitation may be used or unused.
pub(crate) async fn id_by_invitation(
    on: impl Into<On<'_>>,
    token: &str,
) -> Result<Option<String>, Error> {
    let query = statement("SELECT id FROM matches WHERE invitation = $1");
    query.bind(token).optional_scalar(on).await
}

/// Returns the matches with given ids, newest first. Ids of unknown matches are skipped.
pub(crate) async fn matches(
    connection: &mut Connection,
    ids: &[String],
) -> Result<Vec<FoundMatch>, Error> {
    let rows = statement(MATCHES).bind(ids.to_vec()).rows(connection).await?;
    // The SQL query returns two adjacent rows for each match, one for each seat.
    let mut found = Vec::with_capacity(ids.len());
    for pair in rows.chunks(2) {
        let [a, b] = pair else { return Err(Error::RowNotFound) };
        let seats = [seat(a)?, seat(b)?];
        let is_open = seats.iter().any(|seat| seat.occupant == FoundOccupant::Open);
        let ended_at: Option<i64> = a.get("ended_at")?;
        found.push(FoundMatch {
            id: a.get("id")?,
            rules: a.get("rules")?,
            created_at: rfc3339(a.get("created_at")?),
            acted_at: a.get::<Option<i64>>("acted_at")?.map(rfc3339),
            ended_at: ended_at.map(rfc3339),
            invites: a.get("invites")? && is_open && ended_at.is_none(),
            seats,
        });
    }
    Ok(found)
}

fn seat(row: &Row) -> Result<FoundSeat, Error> {
    let holder: Option<Vec<u8>> = row.get("holder")?;
    let bot: Option<String> = row.get("bot")?;
    let deleted_at: Option<i64> = row.get("deleted_at")?;
    let holder = holder.map(|hash| {
        let hash = hash
            .try_into()
            .map_err(|_| Error::Decode("the id of a browser does not have 32 bytes".into()));
        hash.map(|hash| Holder(hash).to_string())
    });
    let occupant = match (holder.transpose()?, bot, deleted_at) {
        (Some(browser), ..) => FoundOccupant::Browser(browser),
        (None, Some(bot), _) => FoundOccupant::Computer(bot),
        (None, None, Some(_)) => FoundOccupant::Deleted,
        (None, None, None) => FoundOccupant::Open,
    };
    let name: Option<String> = row.get("name")?;
    Ok(FoundSeat { name: name.as_deref().and_then(names::shown), occupant })
}
