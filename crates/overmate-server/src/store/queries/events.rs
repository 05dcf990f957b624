//! Reads and writes tournament events in a database.
//!
//! All changes of events take one lock in PostgreSQL. In SQLite a write transaction itself excludes all other write transactions.

use sqlx::Error;

use super::new_matches::{holders, insert};
use super::person_sql::{holder_in, is_rated};
use super::push;
use super::rows::{player_of, player_text};
use crate::store::connection::sql::{Connection, Pool, Row, statement};
use crate::store::interface::event::{
    Event, EventBoard, EventChange, EventDeal, EventKind, EventPlayer, EventRecord, EventState,
    EventStep, ListedEvent, MOST_EVENTS_OF_NETWORK, MOST_OF_HOST, MOST_OPEN, MOST_PLAYERS,
};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::{Appended, Quota};

/// Key of the PostgreSQL advisory lock for all writes to tournament events.
pub(crate) const LOCK: i64 = 0x6576_656e_7473;

/// Expands to an SQL query for tournament events with the handles of their hosts (organisers). The arguments are further columns and an SQL
/// condition.
macro_rules! events {
    ($columns:literal, $condition:literal) => {
        concat!(
            "SELECT id, events.kind AS kind, size, title, rules, clock, host, client_id, network, secret, events.made_at AS made_at,
                 starts_at, finished_at, state, repeat_days, round, step, version, handle",
            $columns,
            " FROM events LEFT JOIN accounts ON accounts.person = host WHERE ",
            $condition
        )
    };
}

fn unreadable(what: &str) -> Error {
    Error::Decode(format!("the stored {what} of an event cannot be read").into())
}

fn small(row: &Row, column: &str) -> Result<u32, Error> {
    let number: i64 = row.get(column)?;
    u32::try_from(number).map_err(|_| unreadable(column))
}

fn optional_small(row: &Row, column: &str) -> Result<Option<u32>, Error> {
    let number: Option<i64> = row.get(column)?;
    number.map(|number| u32::try_from(number).map_err(|_| unreadable(column))).transpose()
}

fn optional_holder(row: &Row, column: &str) -> Result<Option<Holder>, Error> {
    let bytes: Option<Vec<u8>> = row.get(column)?;
    bytes.map(|_| holder_in(row, column)).transpose()
}

fn network_in(row: &Row) -> Result<Option<u16>, Error> {
    let number: Option<i64> = row.get("network")?;
    number.map(|number| u16::try_from(number).map_err(|_| unreadable("network"))).transpose()
}

fn event_in(row: &Row) -> Result<Event, Error> {
    let (kind, clock, state): (String, String, String) =
        (row.get("kind")?, row.get("clock")?, row.get("state")?);
    let state = EventState::ALL.into_iter().find(|known| known.text() == state);
    Ok(Event {
        id: row.get("id")?,
        kind: EventKind::of_parts(&kind, small(row, "size")?).ok_or_else(|| unreadable("kind"))?,
        title: row.get("title")?,
        rules: row.get("rules")?,
        clock: clock.parse().map_err(|_| unreadable("clock"))?,
        host: optional_holder(row, "host")?,
        client_id: row.get("client_id")?,
        network: network_in(row)?,
        secret: holder_in(row, "secret")?.0,
        made_at: row.get("made_at")?,
        starts_at: row.get("starts_at")?,
        finished_at: row.get("finished_at")?,
        state: state.ok_or_else(|| unreadable("state"))?,
        repeat_days: small(row, "repeat_days")?,
        round: small(row, "round")?,
        step: row.get("step")?,
        version: row.get("version")?,
    })
}

fn player_in(row: &Row) -> Result<EventPlayer, Error> {
    Ok(EventPlayer {
        number: small(row, "number")?,
        person: optional_holder(row, "person")?,
        handle: row.get("handle")?,
        has_profile: row.get("has_profile")?,
        is_present: row.get("present")?,
        joined_at: row.get("joined_at")?,
    })
}

fn deal_in(row: &Row) -> Result<EventDeal, Error> {
    let (number, value): (i64, i64) = (row.get("number")?, row.get("value")?);
    Ok(EventDeal {
        place: small(row, "place")?,
        number: number.unsigned_abs(),
        value: i32::try_from(value).map_err(|_| unreadable("value"))?,
    })
}

fn board_in(row: &Row) -> Result<EventBoard, Error> {
    let points: Option<i64> = row.get("points")?;
    let points = points.map(|points| i32::try_from(points).map_err(|_| unreadable("points")));
    let forfeit: Option<String> = row.get("forfeit")?;
    Ok(EventBoard {
        number: small(row, "number")?,
        round: small(row, "round")?,
        place: optional_small(row, "place")?,
        a: small(row, "a")?,
        b: optional_small(row, "b")?,
        match_id: row.get("match_id")?,
        began_at: row.get("began_at")?,
        ended_at: row.get("ended_at")?,
        points: points.transpose()?,
        forfeit: forfeit.map(|text| player_of(&text)).transpose()?,
    })
}

pub(crate) async fn due(readers: &Pool, at: i64) -> Result<Vec<String>, Error> {
    let query = "SELECT id FROM events WHERE finished_at IS NULL AND starts_at <= $1 ORDER BY starts_at, id";
    statement(query).bind(at).scalars(readers).await
}

pub(crate) async fn all(readers: &Pool, finished: u32) -> Result<Vec<ListedEvent>, Error> {
    const OPEN: &str = concat!(
        events!(
            ", (SELECT count(*) FROM event_players WHERE event_id = id) AS players",
            "finished_at IS NULL"
        ),
        " ORDER BY starts_at, id"
    );
    const FINISHED: &str = concat!(
        events!(
            ", (SELECT count(*) FROM event_players WHERE event_id = id) AS players",
            "finished_at IS NOT NULL"
        ),
        " ORDER BY finished_at DESC, id LIMIT $1"
    );
    let mut rows = statement(OPEN).rows(readers).await?;
    rows.extend(statement(FINISHED).bind(finished).rows(readers).await?);
    let read = |row: &Row| {
        let event = event_in(row)?;
        let host_handle = row.get("handle")?;
        Ok(ListedEvent { event, host_handle, players: small(row, "players")? })
    };
    rows.iter().map(read).collect()
}

pub(crate) async fn one(readers: &Pool, id: &str) -> Result<Option<EventRecord>, Error> {
    // The function reads a tournament event with its version number before it reads the players, deals and pairings of this event. If the
    // event changes between the reads, its stored version number is then greater than the version number in the result, so that the change
    // is noticed.
    let row = statement(events!("", "id = $1")).bind(id).row(readers).await?;
    let Some(row) = row else { return Ok(None) };
    let players = statement(concat!(
        "SELECT number, event_players.person AS person, handle, present, joined_at,
             handle IS NOT NULL AND NOT private AND ",
        is_rated!(),
        " AS has_profile
         FROM event_players LEFT JOIN accounts ON accounts.person = event_players.person
         WHERE event_id = $1 ORDER BY number",
    ));
    let players = players.bind(id).rows(readers).await?;
    let deals = statement(
        "SELECT place, number, value FROM event_deals WHERE event_id = $1 ORDER BY place",
    );
    let deals = deals.bind(id).rows(readers).await?;
    let boards = statement(
        "SELECT number, round, place, a, b, match_id, began_at, ended_at, points, forfeit
         FROM event_boards WHERE event_id = $1 ORDER BY number",
    );
    let boards = boards.bind(id).rows(readers).await?;
    Ok(Some(EventRecord {
        event: event_in(&row)?,
        host_handle: row.get("handle")?,
        players: players.iter().map(player_in).collect::<Result<_, _>>()?,
        deals: deals.iter().map(deal_in).collect::<Result<_, _>>()?,
        boards: boards.iter().map(board_in).collect::<Result<_, _>>()?,
    }))
}

pub(crate) async fn version(readers: &Pool, id: &str) -> Result<Option<i64>, Error> {
    statement("SELECT version FROM events WHERE id = $1").bind(id).optional_scalar(readers).await
}

pub(crate) async fn of_request(
    readers: &Pool,
    host: Holder,
    client_id: &str,
) -> Result<Option<String>, Error> {
    let query = "SELECT id FROM events WHERE host = $1 AND client_id = $2";
    statement(query).bind(host).bind(client_id).optional_scalar(readers).await
}

pub(crate) async fn of_person(readers: &Pool, person: Holder) -> Result<Vec<String>, Error> {
    let query = "SELECT id FROM events WHERE host = $1
         OR id IN (SELECT event_id FROM event_players WHERE person = $1) ORDER BY starts_at, id";
    statement(query).bind(person).scalars(readers).await
}

/// Returns whether the store contains expired data of tournament events. Such data are events that ended before a Unix time in seconds, and
/// persons without an account among the players of events.
pub(crate) async fn has_old(readers: &Pool, before: i64) -> Result<bool, Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM events WHERE finished_at < $1)
         OR EXISTS (SELECT 1 FROM event_players WHERE person IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.person = event_players.person))";
    statement(query).bind(before).scalar(readers).await
}

/// Returns the persons whose stored data are read or written by a given change of a tournament event.
pub(crate) fn persons(change: &EventChange) -> Vec<Holder> {
    match change {
        EventChange::Make { event } => event.host.into_iter().collect(),
        EventChange::Join { person, .. } | EventChange::Leave { person, .. } => vec![*person],
        EventChange::Start { host, .. } => vec![*host],
        EventChange::Remove { host, .. } => host.iter().copied().collect(),
        EventChange::Step(step) => {
            step.boards.iter().flat_map(|(_, info)| info.iter().flat_map(holders)).collect()
        }
        EventChange::ForgetOld { .. } => Vec::new(),
    }
}

/// Executes a change of one or more tournament events in a transaction.
pub(crate) async fn write(
    connection: &mut Connection,
    change: &EventChange,
    server: Option<&str>,
) -> Result<Appended, Error> {
    match change {
        EventChange::Make { event } => make(connection, event).await,
        EventChange::Join { id, person, at } => join(connection, id, *person, *at).await,
        EventChange::Leave { id, person } => leave(connection, id, *person).await,
        EventChange::Start { id, host, at } => {
            let begin = "UPDATE events SET starts_at = $3, version = version + 1
                 WHERE id = $1 AND host = $2 AND state = 'coming' AND starts_at > $3";
            let begin = statement(begin).bind(id).bind(*host).bind(*at);
            let begun = begin.execute(connection).await?;
            Ok(Appended::stored_if(begun > 0))
        }
        EventChange::Remove { id, host } => {
            let query = "SELECT EXISTS (SELECT 1 FROM events WHERE id = $1 AND state = 'coming' AND ($2 IS NULL OR host = $2))";
            let may: bool = statement(query).bind(id).bind(*host).scalar(&mut *connection).await?;
            if !may {
                return Ok(Appended::Conflict);
            }
            remove(connection, std::slice::from_ref(id)).await
        }
        EventChange::Step(step) => take_step(connection, step, server).await,
        EventChange::ForgetOld { before } => {
            let gone = "SELECT DISTINCT person FROM event_players WHERE person IS NOT NULL
                 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.person = event_players.person)";
            for row in statement(gone).rows(&mut *connection).await? {
                forget(connection, holder_in(&row, "person")?).await?;
            }
            let old = statement("SELECT id FROM events WHERE finished_at < $1").bind(*before);
            let old: Vec<String> = old.scalars(&mut *connection).await?;
            remove(connection, &old).await
        }
    }
}

/// Returns whether a person has an open account that is not a bot. Only such persons create and join tournament events. An operator who
/// closes an account takes [`LOCK`], as this transaction does, so that the person does not join after [`leave_all`].
async fn may_take_part(connection: &mut Connection, person: Holder) -> Result<bool, Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM accounts WHERE person = $1 AND NOT bot)
         AND NOT EXISTS (SELECT 1 FROM measures WHERE person = $1 AND kind = 'closed')";
    statement(query).bind(person).scalar(connection).await
}

/// Removes tournament events with their players, deals and pairings. The matches of the events stay.
async fn remove(connection: &mut Connection, ids: &[String]) -> Result<Appended, Error> {
    for id in ids {
        for sql in [
            "DELETE FROM event_boards WHERE event_id = $1",
            "DELETE FROM event_deals WHERE event_id = $1",
            "DELETE FROM event_players WHERE event_id = $1",
            "DELETE FROM events WHERE id = $1",
        ] {
            statement(sql).bind(id).execute(&mut *connection).await?;
        }
    }
    Ok(if ids.is_empty() { Appended::Conflict } else { Appended::Stored })
}

async fn make(connection: &mut Connection, event: &Event) -> Result<Appended, Error> {
    if let Some(host) = event.host {
        let known = "SELECT EXISTS (SELECT 1 FROM events WHERE host = $1 AND client_id = $2)";
        let known = statement(known).bind(host).bind(event.client_id.as_deref());
        if !may_take_part(connection, host).await? || known.scalar(&mut *connection).await? {
            return Ok(Appended::Conflict);
        }
        let open = "SELECT count(*) FILTER (WHERE host = $1) AS own, count(*) FILTER (WHERE network = $2) AS near,
                 count(*) AS number
             FROM events WHERE finished_at IS NULL";
        let open = statement(open).bind(host).bind(event.network.map(i64::from));
        let open = open.row(&mut *connection).await?.ok_or(Error::RowNotFound)?;
        for (column, most, quota) in [
            ("own", MOST_OF_HOST, Quota::Events),
            ("near", MOST_EVENTS_OF_NETWORK, Quota::EventsOfNetwork),
            ("number", MOST_OPEN, Quota::AllEvents),
        ] {
            if small(&open, column)? >= most {
                return Ok(Appended::Full(quota));
            }
        }
    }
    insert_event(connection, event).await
}

/// Inserts a tournament event without a check of the host's account or of quotas. Returns a conflict if the event's id is in use.
pub(crate) async fn insert_event(
    connection: &mut Connection,
    event: &Event,
) -> Result<Appended, Error> {
    let (kind, size) = event.kind.parts();
    let inserted = statement(
        "INSERT INTO events (id, kind, size, title, rules, clock, host, client_id, network, secret, made_at, starts_at, state, repeat_days)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'coming', $13) ON CONFLICT DO NOTHING",
    )
    .bind(&event.id)
    .bind(kind)
    .bind(size)
    .bind(event.title.as_deref())
    .bind(&event.rules)
    .bind(event.clock.to_string())
    .bind(event.host)
    .bind(event.client_id.as_deref())
    .bind(event.network.map(i64::from))
    .bind(&event.secret[..])
    .bind(event.made_at)
    .bind(event.starts_at)
    .bind(event.repeat_days)
    .execute(connection)
    .await?;
    Ok(Appended::stored_if(inserted > 0))
}

/// Increments the version number of a tournament event after a change.
async fn note(connection: &mut Connection, id: &str) -> Result<Appended, Error> {
    let note = statement("UPDATE events SET version = version + 1 WHERE id = $1").bind(id);
    note.execute(connection).await?;
    Ok(Appended::Stored)
}

async fn join(
    connection: &mut Connection,
    id: &str,
    person: Holder,
    at: i64,
) -> Result<Appended, Error> {
    let row = statement(
        "SELECT kind, size, starts_at, state,
             (SELECT count(*) FROM event_players WHERE event_id = id) AS players,
             (SELECT number FROM event_players WHERE event_id = id AND person = $2) AS own
         FROM events WHERE id = $1 AND finished_at IS NULL",
    );
    let row = row.bind(id).bind(person).row(&mut *connection).await?;
    let Some(row) = row else { return Ok(Appended::Conflict) };
    if !may_take_part(connection, person).await? {
        return Ok(Appended::Conflict);
    }
    let (kind, state): (String, String) = (row.get("kind")?, row.get("state")?);
    let own = optional_small(&row, "own")?;
    let kind = EventKind::of_parts(&kind, small(&row, "size")?);
    let kind = kind.ok_or_else(|| unreadable("kind"))?;
    let is_coming = state == EventState::Coming.text();
    if own.is_none() && kind.is_closed(row.get("starts_at")?, is_coming, at) {
        return Ok(Appended::Conflict);
    }
    if let Some(number) = own {
        let back = "UPDATE event_players SET present = TRUE WHERE event_id = $1 AND number = $2";
        statement(back).bind(id).bind(number).execute(&mut *connection).await?;
        return note(connection, id).await;
    }
    if small(&row, "players")? >= MOST_PLAYERS {
        return Ok(Appended::Full(Quota::EventPlayers));
    }
    statement(
        "INSERT INTO event_players (event_id, number, person, present, joined_at)
         VALUES ($1, (SELECT coalesce(max(number), 0) + 1 FROM event_players WHERE event_id = $1), $2, TRUE, $3)",
    )
    .bind(id)
    .bind(person)
    .bind(at)
    .execute(&mut *connection)
    .await?;
    note(connection, id).await
}

async fn leave(connection: &mut Connection, id: &str, person: Holder) -> Result<Appended, Error> {
    let state = statement("SELECT state FROM events WHERE id = $1 AND finished_at IS NULL");
    let state: Option<String> = state.bind(id).optional_scalar(&mut *connection).await?;
    let Some(state) = state else { return Ok(Appended::Conflict) };
    let leave = if state == EventState::Coming.text() {
        "DELETE FROM event_players WHERE event_id = $1 AND person = $2"
    } else {
        "UPDATE event_players SET present = FALSE WHERE event_id = $1 AND person = $2"
    };
    let left = statement(leave).bind(id).bind(person).execute(&mut *connection).await?;
    if left == 0 {
        return Ok(Appended::Conflict);
    }
    note(connection, id).await
}

async fn take_step(
    connection: &mut Connection,
    step: &EventStep,
    server: Option<&str>,
) -> Result<Appended, Error> {
    let paired: Vec<i64> = step
        .boards
        .iter()
        .flat_map(|(board, _)| [Some(board.a), board.b])
        .flatten()
        .map(i64::from)
        .collect();
    let present =
        "SELECT number FROM event_players WHERE event_id = $1 AND present AND person IS NOT NULL";
    let present: Vec<i64> = statement(present).bind(&step.id).scalars(&mut *connection).await?;
    if paired.iter().any(|number| !present.contains(number)) {
        return Ok(Appended::Conflict);
    }
    let (_, size) = step.kind.parts();
    let finished_at = (step.state == EventState::Finished).then_some(step.at);
    let taken = statement(
        "UPDATE events SET state = $3, size = $4, round = $5, finished_at = $6, step = step + 1, version = version + 1
         WHERE id = $1 AND step = $2 AND finished_at IS NULL AND (state != 'coming' OR version = $7)",
    )
    .bind(&step.id)
    .bind(step.after)
    .bind(step.state.text())
    .bind(size)
    .bind(step.round)
    .bind(finished_at)
    .bind(step.version)
    .execute(&mut *connection)
    .await?;
    if taken == 0 {
        return Ok(Appended::Conflict);
    }
    for score in &step.scores {
        let store = "UPDATE event_boards SET ended_at = $3, points = $4, forfeit = $5
             WHERE event_id = $1 AND number = $2 AND points IS NULL";
        statement(store)
            .bind(&step.id)
            .bind(score.number)
            .bind(step.at)
            .bind(i64::from(score.points))
            .bind(score.forfeit.map(player_text))
            .execute(&mut *connection)
            .await?;
    }
    for number in &step.absent {
        let out = "UPDATE event_players SET present = FALSE WHERE event_id = $1 AND number = $2";
        statement(out).bind(&step.id).bind(*number).execute(&mut *connection).await?;
    }
    for deal in &step.deals {
        let store =
            "INSERT INTO event_deals (event_id, place, number, value) VALUES ($1, $2, $3, $4)";
        statement(store)
            .bind(&step.id)
            .bind(deal.place)
            .bind(deal.number.cast_signed())
            .bind(i64::from(deal.value))
            .execute(&mut *connection)
            .await?;
    }
    for (board, info) in &step.boards {
        insert_board(connection, &step.id, board).await?;
        if let Some(info) = info {
            insert(connection, info, None, server).await?;
            push::announce_pairing(connection, &info.id).await?;
        }
    }
    if let Some(successor) = &step.successor {
        insert_event(connection, successor).await?;
    }
    Ok(Appended::Stored)
}

async fn insert_board(
    connection: &mut Connection,
    id: &str,
    board: &EventBoard,
) -> Result<(), Error> {
    statement(
        "INSERT INTO event_boards (event_id, number, round, place, a, b, match_id, began_at, ended_at, points)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(id)
    .bind(board.number)
    .bind(board.round)
    .bind(board.place.map(i64::from))
    .bind(board.a)
    .bind(board.b.map(i64::from))
    .bind(board.match_id.as_deref())
    .bind(board.began_at)
    .bind(board.ended_at)
    .bind(board.points.map(i64::from))
    .execute(connection)
    .await
    .map(drop)
}

/// Changes or removes the title of a tournament event, for an operator. Returns the host of the event, or `None` for an unknown event.
pub(crate) async fn rename(
    connection: &mut Connection,
    id: &str,
    title: Option<&str>,
) -> Result<Option<Option<Holder>>, Error> {
    connection.lock(LOCK).await?;
    let rename = "UPDATE events SET title = $2, version = version + 1 WHERE id = $1 RETURNING host";
    let row = statement(rename).bind(id).bind(title).row(connection).await?;
    row.as_ref().map(|row| optional_holder(row, "host")).transpose()
}

/// Removes a person from all tournament events. The results of the events stay, but no longer name the person. If an operator's command
/// calls this function, the command has taken [`LOCK`].
pub(crate) async fn forget(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    for sql in [
        "UPDATE events SET version = version + 1 WHERE host = $1
             OR id IN (SELECT event_id FROM event_players WHERE person = $1)",
        "UPDATE events SET host = NULL, client_id = NULL, title = NULL WHERE host = $1",
        "DELETE FROM event_players WHERE person = $1
             AND event_id IN (SELECT id FROM events WHERE state = 'coming')",
        "UPDATE event_players SET person = NULL, present = FALSE WHERE person = $1",
    ] {
        statement(sql).bind(person).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Removes a person from the coming tournament events, and from the further pairings of the running events, for an operator who
/// closes the person's account. A match of the person that is running goes on.
pub(crate) async fn leave_all(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    connection.lock(LOCK).await?;
    for sql in [
        "UPDATE events SET version = version + 1 WHERE finished_at IS NULL
             AND id IN (SELECT event_id FROM event_players WHERE person = $1)",
        "DELETE FROM event_players WHERE person = $1
             AND event_id IN (SELECT id FROM events WHERE state = 'coming')",
        "UPDATE event_players SET present = FALSE WHERE person = $1
             AND event_id IN (SELECT id FROM events WHERE finished_at IS NULL)",
    ] {
        statement(sql).bind(person).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Replaces the identity of a person by a new identity in all tournament events, as host (organiser) and as player.
pub(crate) async fn transfer(
    connection: &mut Connection,
    person: Holder,
    new: Holder,
) -> Result<(), Error> {
    for sql in [
        "UPDATE events SET host = $2 WHERE host = $1",
        "UPDATE event_players SET person = $2 WHERE person = $1",
    ] {
        statement(sql).bind(person).bind(new).execute(&mut *connection).await?;
    }
    Ok(())
}
