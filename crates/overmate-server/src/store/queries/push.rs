//! Reads and writes push subscriptions in a database, and schedules the push messages about matches.

use sqlx::Error;

use super::person_sql::{holder_in, is_of, known_person_of, owned};
use crate::store::connection::sql::{Connection, Pool, Row, sql, statement};
use crate::store::interface::entry::{Entry, EntryKind};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::Appended;
use crate::store::interface::push::{
    MAIL_DELAY, MOST_SUBSCRIPTIONS, NEAR, PAIRED_DELAY, PushChange, PushKind, PushLanguage,
    PushSubscription, TURN_DELAY,
};
use crate::store::interface::store::Deadline;

/// Maximum number of scheduled push messages and e-mails about turns that one database query returns.
const MOST_WAITING: i64 = 1_000;

fn subscription_in(row: &Row) -> Result<PushSubscription, Error> {
    let (language, failures): (String, i64) = (row.get("language")?, row.get("failures")?);
    Ok(PushSubscription {
        browser: holder_in(row, "browser")?,
        endpoint: row.get("endpoint")?,
        key: row.get("key")?,
        secret: row.get("secret")?,
        language: PushLanguage::of_tag(&language),
        made_at: row.get("made_at")?,
        failures: u32::try_from(failures).unwrap_or(u32::MAX),
        retry_at: row.get("retry_at")?,
        told: row.get("told")?,
    })
}

/// Returns the push subscriptions of a person, oldest first.
pub(crate) async fn of_person(
    readers: &Pool,
    person: Holder,
) -> Result<Vec<PushSubscription>, Error> {
    let rows = statement(
        "SELECT browser, endpoint, key, secret, language, made_at, failures, retry_at, told
         FROM push_subscriptions WHERE person = $1
         AND NOT EXISTS (SELECT 1 FROM browsers WHERE browsers.browser = push_subscriptions.browser AND revoked)
         ORDER BY made_at, browser LIMIT $2",
    )
    .bind(person)
    .bind(i64::try_from(MOST_SUBSCRIPTIONS).unwrap_or(i64::MAX))
    .rows(readers)
    .await?;
    rows.iter().map(subscription_in).collect()
}

/// Returns the names of the database leases that schedule push messages and e-mails about turns, earliest message first. Push messages that
/// are not due soon are left out.
pub(crate) async fn waiting(readers: &Pool) -> Result<Vec<String>, Error> {
    // A push message about a new turn is due within [`TURN_DELAY`]. A message that is due later waits after a failed attempt, and is left
    // out.
    let query = sql!(
        "SELECT name FROM leases WHERE name LIKE 'turn:%' AND until <= $1 + ",
        NOW,
        " OR name LIKE 'mail:%' ORDER BY until, name LIMIT $2"
    );
    statement(query).bind(TURN_DELAY).bind(MOST_WAITING).scalars(readers).await
}

/// Executes a change of a push subscription in a transaction.
pub(crate) async fn write(
    connection: &mut Connection,
    change: &PushChange,
) -> Result<Appended, Error> {
    let changed = match change {
        PushChange::Set { person, subscription } => {
            // The subscribing browser may have been signed out, or its person's data erased, after the browser sent the push subscription.
            let is_own = is_of(connection, subscription.browser, *person).await?;
            if !is_own || !is_known(connection, *person).await? {
                return Ok(Appended::Conflict);
            }
            set(connection, *person, subscription).await?;
            1
        }
        PushChange::Remove { person, browser, endpoint } => {
            statement(
                "DELETE FROM push_subscriptions
                 WHERE browser = $1 AND person = $2 AND endpoint = coalesce($3, endpoint)",
            )
            .bind(*browser)
            .bind(*person)
            .bind(endpoint.as_deref())
            .execute(connection)
            .await?
        }
        PushChange::Sent { person, browser, endpoint, failures, retry_at, told } => statement(
            "UPDATE push_subscriptions SET failures = $3, retry_at = $4, told = coalesce($5, told)
                 WHERE browser = $1 AND person = $2 AND endpoint = $6",
        )
        .bind(*browser)
        .bind(*person)
        .bind(i64::from(*failures))
        .bind(*retry_at)
        .bind(told.as_deref())
        .bind(endpoint)
        .execute(connection)
        .await?,
    };
    Ok(Appended::stored_if(changed > 0))
}

/// Returns whether the store contains a browser, a seat or a match offer of a person.
async fn is_known(connection: &mut Connection, person: Holder) -> Result<bool, Error> {
    if known_person_of(connection, person).await?.is_some() {
        return Ok(true);
    }
    let query = "SELECT EXISTS (SELECT 1 FROM offers WHERE holder = $1)";
    statement(query).bind(person).scalar(connection).await
}

/// Stores the push subscription of a browser. An endpoint belongs to the browser that sent it last, because a browser can get a
/// new identity.
async fn set(
    connection: &mut Connection,
    person: Holder,
    subscription: &PushSubscription,
) -> Result<(), Error> {
    let PushSubscription { browser, endpoint, key, secret, language, made_at, .. } = subscription;
    statement("DELETE FROM push_subscriptions WHERE browser = $1 OR endpoint = $2")
        .bind(*browser)
        .bind(endpoint)
        .execute(&mut *connection)
        .await?;
    statement(
        "INSERT INTO push_subscriptions (browser, person, endpoint, key, secret, language, made_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(*browser)
    .bind(person)
    .bind(endpoint)
    .bind(&key[..])
    .bind(&secret[..])
    .bind(language.tag())
    .bind(*made_at)
    .execute(&mut *connection)
    .await?;
    trim(connection, person, Some(*browser)).await
}

/// Removes the oldest push subscriptions of a person until at most [`MOST_SUBSCRIPTIONS`] remain. The subscription of the browser `kept`
/// always stays.
async fn trim(
    connection: &mut Connection,
    person: Holder,
    kept: Option<Holder>,
) -> Result<(), Error> {
    statement(
        "DELETE FROM push_subscriptions WHERE person = $1 AND browser NOT IN
         (SELECT browser FROM push_subscriptions WHERE person = $1
          ORDER BY coalesce(browser = $2, FALSE) DESC, made_at DESC, browser LIMIT $3)",
    )
    .bind(person)
    .bind(kept)
    .bind(i64::try_from(MOST_SUBSCRIPTIONS).unwrap_or(i64::MAX))
    .execute(connection)
    .await
    .map(drop)
}

/// Expands to an SQL condition for unusable push subscriptions: those of signed-out browsers, and those of persons whom the store
/// does not know.
macro_rules! is_old {
    () => {
        "EXISTS (SELECT 1 FROM browsers WHERE browsers.browser = push_subscriptions.browser AND revoked)
         OR (NOT EXISTS (SELECT 1 FROM browsers WHERE browsers.person = push_subscriptions.person)
             AND NOT EXISTS (SELECT 1 FROM seats WHERE seats.holder = push_subscriptions.person)
             AND NOT EXISTS (SELECT 1 FROM offers WHERE offers.holder = push_subscriptions.person))"
    };
}

/// Returns whether the store contains push subscriptions that no browser can use any more.
pub(crate) async fn has_old(readers: &Pool) -> Result<bool, Error> {
    let query = concat!("SELECT EXISTS (SELECT 1 FROM push_subscriptions WHERE ", is_old!(), ")");
    statement(query).scalar(readers).await
}

/// Removes the push subscriptions that no browser can use any more.
pub(crate) async fn forget_old(connection: &mut Connection) -> Result<(), Error> {
    let delete = concat!("DELETE FROM push_subscriptions WHERE ", is_old!());
    statement(delete).execute(connection).await.map(drop)
}

/// Removes the push subscription of a browser whose identity (token hash) has been signed out or replaced.
pub(crate) async fn sign_out(connection: &mut Connection, browser: Holder) -> Result<(), Error> {
    let delete = statement("DELETE FROM push_subscriptions WHERE browser = $1").bind(browser);
    delete.execute(connection).await.map(drop)
}

/// Transfers the push subscriptions of a person to another person. The other person keeps only the newest [`MOST_SUBSCRIPTIONS`]
/// subscriptions.
pub(crate) async fn join(
    connection: &mut Connection,
    former: Holder,
    person: Holder,
) -> Result<(), Error> {
    statement("UPDATE push_subscriptions SET person = $2 WHERE person = $1")
        .bind(former)
        .bind(person)
        .execute(&mut *connection)
        .await?;
    trim(connection, person, None).await
}

/// Removes the push subscriptions of a person.
pub(crate) async fn forget(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    let delete =
        concat!("DELETE FROM push_subscriptions WHERE person = $1 OR browser IN ", owned!("$1"));
    statement(delete).bind(person).execute(connection).await.map(drop)
}

/// Kinds of messages (push messages, e-mails about turns) that at least one player of a match wants.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Wanted {
    /// Whether any player of the match has a push subscription.
    push: bool,
    /// Whether the match is a correspondence match in which at least one player gets e-mails about turns.
    mail: bool,
}

impl Wanted {
    /// Returns whether at least one player of the match wants messages of a given kind: e-mails, or any kind of push
    /// message.
    fn has(self, kind: PushKind) -> bool {
        if kind == PushKind::Mail { self.mail } else { self.push }
    }
}

/// Expands to an SQL subquery for the persons who hold the seats of the match `$1`.
macro_rules! players {
    () => {
        "(SELECT coalesce((SELECT person FROM browsers WHERE browser = seats.holder), seats.holder)
          FROM seats WHERE match_id = $1 AND holder IS NOT NULL)"
    };
}

/// Expands to an SQL query that tells whether any player of the match `$1` wants push messages, and whether any player
/// wants e-mails about turns. Only the players of correspondence matches get e-mails about turns.
macro_rules! wanted_messages {
    () => {
        concat!(
            "SELECT EXISTS (SELECT 1 FROM push_subscriptions WHERE person IN ",
            $crate::store::queries::push::players!(),
            ") AS by_push, EXISTS (SELECT 1 FROM mail_addresses WHERE turns AND person IN ",
            $crate::store::queries::push::players!(),
            ") AND EXISTS (SELECT 1 FROM matches WHERE id = $1 AND clock LIKE '%d') AS by_mail"
        )
    };
}
pub(crate) use {players, wanted_messages};

async fn wanted(connection: &mut Connection, id: &str) -> Result<Wanted, Error> {
    let row = statement(wanted_messages!()).bind(id).row(connection).await?;
    let Some(row) = row else { return Ok(Wanted { push: false, mail: false }) };
    Ok(Wanted { push: row.get("by_push")?, mail: row.get("by_mail")? })
}

/// Schedules a push message or an e-mail for the Unix time `until`, in milliseconds. The name of the message's database lease is `name`.
/// The database's clock decides when the message is due.
async fn wait(connection: &mut Connection, name: &str, until: i64) -> Result<(), Error> {
    statement(
        "INSERT INTO leases (name, holder, until) VALUES ($1, NULL, $2)
         ON CONFLICT (name) DO UPDATE SET holder = NULL, until = excluded.until",
    )
    .bind(name)
    .bind(until)
    .execute(connection)
    .await
    .map(drop)
}

/// Schedules the push messages and e-mails about a new log entry of a match between people. The new messages replace scheduled
/// messages about earlier entries.
pub(crate) async fn announce(
    connection: &mut Connection,
    id: &str,
    entry: &Entry,
    deadline: Option<Deadline>,
) -> Result<(), Error> {
    let wanted = wanted(connection, id).await?;
    if !wanted.push && !wanted.mail {
        return Ok(());
    }
    let now: i64 = statement(sql!("SELECT ", NOW)).scalar(&mut *connection).await?;
    let is_turn = matches!(entry.kind, EntryKind::Act(_) | EntryKind::Join);
    if is_turn && wanted.mail {
        wait(connection, &PushKind::Mail.lease(id), now + MAIL_DELAY).await?;
    }
    if !wanted.push {
        return Ok(());
    }
    if is_turn {
        wait(connection, &PushKind::Turn.lease(id), now + TURN_DELAY).await?;
    }
    let Some(Deadline(deadline)) = deadline else { return Ok(()) };
    let name = PushKind::Near.lease(id);
    if let Some(at) = deadline.map(|deadline| deadline - NEAR).filter(|at| *at > now) {
        return wait(connection, &name, at).await;
    }
    let delete = statement("DELETE FROM leases WHERE name = $1").bind(name);
    delete.execute(connection).await.map(drop)
}

/// Schedules push messages and e-mails of given kinds about a match, except kinds that no player of the match wants. Each kind
/// has a delay in milliseconds.
async fn schedule(
    connection: &mut Connection,
    id: &str,
    kinds: &[(PushKind, i64)],
) -> Result<(), Error> {
    let wanted = wanted(connection, id).await?;
    if !kinds.iter().any(|(kind, _)| wanted.has(*kind)) {
        return Ok(());
    }
    let now: i64 = statement(sql!("SELECT ", NOW)).scalar(&mut *connection).await?;
    for &(kind, delay) in kinds {
        if wanted.has(kind) {
            wait(connection, &kind.lease(id), now + delay).await?;
        }
    }
    Ok(())
}

/// Queues the push message to the maker of an accepted match offer, and the e-mail to the player who has the first turn.
pub(crate) async fn announce_match(connection: &mut Connection, id: &str) -> Result<(), Error> {
    let kinds = [(PushKind::Mail, MAIL_DELAY), (PushKind::Offer, TURN_DELAY)];
    schedule(connection, id, &kinds).await
}

/// Queues the e-mail to the player who has the first turn in an accepted rematch. No push messages are sent, because both players
/// see the rematch in the former match.
pub(crate) async fn announce_rematch(connection: &mut Connection, id: &str) -> Result<(), Error> {
    schedule(connection, id, &[(PushKind::Mail, MAIL_DELAY)]).await
}

/// Queues the push messages to the players of a new match in a tournament event. No e-mails are sent, because the clocks in
/// events last only minutes.
pub(crate) async fn announce_pairing(connection: &mut Connection, id: &str) -> Result<(), Error> {
    schedule(connection, id, &[(PushKind::Paired, PAIRED_DELAY)]).await
}
