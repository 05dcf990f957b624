//! Reads and writes the e-mail addresses of accounts, and the e-mail messages to these addresses, in a database.

use sqlx::Error;

use super::accounts;
use super::person_sql::holder_in;
use super::turn_mails;
use crate::store::connection::sql::{Connection, Pool, Row, statement};
use crate::store::interface::holder::Holder;
use crate::store::interface::mail::{
    MOST_TRIES, MOST_WAITING, MOST_WITH_ADDRESS, MailAddress, MailChange, MailKind, MailMessage,
    folded, pause_after,
};
use crate::store::interface::outcome::Appended;
use crate::store::interface::push::PushLanguage;

/// Expands to an SQL query for the stored e-mail messages that meet a condition. The argument is the SQL condition.
macro_rules! message {
    ($condition:literal) => {
        concat!(
            "SELECT person, kind, address, language, recovery, made_at, hash, tries, retry_at, until, sent
             FROM mail_messages WHERE ",
            $condition
        )
    };
}

/// Expands to an SQL query for the confirmed e-mail addresses that meet a condition. The argument is the SQL condition.
macro_rules! address {
    ($condition:literal) => {
        concat!(
            "SELECT person, address, language, recovery, confirmed_at, turns, refusals, retry_at
             FROM mail_addresses WHERE ",
            $condition
        )
    };
}

fn address_in(row: &Row) -> Result<MailAddress, Error> {
    let (language, refusals): (String, i64) = (row.get("language")?, row.get("refusals")?);
    Ok(MailAddress {
        person: holder_in(row, "person")?,
        address: row.get("address")?,
        language: PushLanguage::of_tag(&language),
        recovery: row.get("recovery")?,
        confirmed_at: row.get("confirmed_at")?,
        turns: row.get("turns")?,
        refusals: u32::try_from(refusals).unwrap_or(u32::MAX),
        retry_at: row.get("retry_at")?,
    })
}

fn message_in(row: &Row) -> Result<MailMessage, Error> {
    let (kind, language): (String, String) = (row.get("kind")?, row.get("language")?);
    let (hash, tries): (Option<Vec<u8>>, i64) = (row.get("hash")?, row.get("tries")?);
    Ok(MailMessage {
        person: holder_in(row, "person")?,
        kind: MailKind::of_text(&kind),
        address: row.get("address")?,
        language: PushLanguage::of_tag(&language),
        recovery: row.get("recovery")?,
        made_at: row.get("made_at")?,
        hash: hash.and_then(|hash| hash.try_into().ok()),
        tries: u32::try_from(tries).unwrap_or(u32::MAX),
        retry_at: row.get("retry_at")?,
        until: row.get("until")?,
        sent: row.get("sent")?,
    })
}

/// Returns the confirmed e-mail address of a person's account, or `None` if the account has no address.
pub(crate) async fn address(readers: &Pool, person: Holder) -> Result<Option<MailAddress>, Error> {
    let row = statement(address!("person = $1")).bind(person).row(readers).await?;
    row.as_ref().map(address_in).transpose()
}

/// Returns the address records of the accounts that use a given e-mail address for account recovery.
pub(crate) async fn with_address(readers: &Pool, address: &str) -> Result<Vec<MailAddress>, Error> {
    let query = address!("folded = $1 AND recovery ORDER BY confirmed_at, person LIMIT $2");
    let rows = statement(query).bind(folded(address)).bind(MOST_WITH_ADDRESS).rows(readers).await?;
    rows.iter().map(address_in).collect()
}

/// Returns the stored e-mail messages to a person.
pub(crate) async fn of_person(readers: &Pool, person: Holder) -> Result<Vec<MailMessage>, Error> {
    let rows = statement(message!("person = $1 ORDER BY kind, address"))
        .bind(person)
        .rows(readers)
        .await?;
    rows.iter().map(message_in).collect()
}

/// Returns the e-mail message with a given token in its link, or `None` if the link is not valid at the time `at`.
pub(crate) async fn of_token(
    readers: &Pool,
    (kind, hash): (MailKind, [u8; 32]),
    at: i64,
) -> Result<Option<MailMessage>, Error> {
    let query = statement(message!("hash = $1 AND kind = $2 AND until > $3"));
    let row = query.bind(&hash[..]).bind(kind.text()).bind(at).row(readers).await?;
    row.as_ref().map(message_in).transpose()
}

/// Returns at most `limit` unsent e-mail messages for which the next attempt to send is due at the time `at`.
pub(crate) async fn due(readers: &Pool, at: i64, limit: u32) -> Result<Vec<MailMessage>, Error> {
    let query = statement(message!(
        "NOT sent AND retry_at <= $1 AND until > $1 AND tries < $2 ORDER BY retry_at, person, kind, address LIMIT $3"
    ));
    let rows = query.bind(at).bind(MOST_TRIES).bind(limit).rows(readers).await?;
    rows.iter().map(message_in).collect()
}

/// Expands to an SQL condition that an e-mail address belongs to no account. Servers of earlier versions leave such addresses behind when
/// they erase a person.
macro_rules! is_left {
    () => {
        "NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.person = mail_addresses.person)"
    };
}

/// Returns whether the store contains expired e-mail messages, or e-mail addresses without an account.
pub(crate) async fn has_old(readers: &Pool, at: i64) -> Result<bool, Error> {
    let query = concat!(
        "SELECT EXISTS (SELECT 1 FROM mail_messages WHERE until <= $1)
         OR EXISTS (SELECT 1 FROM mail_addresses WHERE ",
        is_left!(),
        ")"
    );
    Ok(statement(query).bind(at).scalar(readers).await? || turn_mails::has_old(readers, at).await?)
}

/// Executes a change of an e-mail address or an e-mail message in a transaction. [`recover`] handles account recoveries instead.
pub(crate) async fn write(
    connection: &mut Connection,
    change: &MailChange,
) -> Result<Appended, Error> {
    let changed = match change {
        MailChange::Queue { message, password } => {
            return queue(connection, message, password.as_deref()).await;
        }
        MailChange::Begin { person, kind, address, tries, hash, at } => {
            statement(
                "UPDATE mail_messages SET tries = tries + 1, hash = $4, retry_at = $5, until = $6
                 WHERE person = $1 AND kind = $2 AND tries = $3 AND NOT sent AND retry_at <= $7 AND until > $7 AND address = $8",
            )
            .bind(*person)
            .bind(kind.text())
            .bind(*tries)
            .bind(&hash[..])
            .bind(at + pause_after(tries + 1))
            .bind(at + kind.lifetime())
            .bind(*at)
            .bind(address)
            .execute(connection)
            .await?
        }
        MailChange::Sent { person, kind, hash } => {
            statement(
                "UPDATE mail_messages SET sent = TRUE WHERE person = $1 AND kind = $2 AND hash = $3",
            )
            .bind(*person)
            .bind(kind.text())
            .bind(&hash[..])
            .execute(connection)
            .await?
        }
        MailChange::Drop { person, kind, hash } => {
            statement("DELETE FROM mail_messages WHERE person = $1 AND kind = $2 AND hash = $3")
                .bind(*person)
                .bind(kind.text())
                .bind(&hash[..])
                .execute(connection)
                .await?
        }
        MailChange::Confirm { person, hash, at } => {
            return confirm(connection, *person, hash, *at).await;
        }
        MailChange::Set { person, address, language, recovery, password } => {
            if !accounts::has_password(connection, *person, password.as_deref()).await? {
                return Ok(Appended::Conflict);
            }
            let changed = statement(
                "UPDATE mail_addresses SET language = $3, recovery = $4 WHERE person = $1 AND folded = $2",
            )
            .bind(*person)
            .bind(folded(address))
            .bind(language.tag())
            .bind(*recovery)
            .execute(&mut *connection)
            .await?;
            if changed > 0 {
                forget_messages(connection, *person).await?;
            }
            changed
        }
        MailChange::Remove { person, password, at } => {
            return remove(connection, *person, password.as_deref(), *at).await;
        }
        MailChange::Recover { .. } => 0,
        MailChange::Turn(change) => return turn_mails::write(connection, change).await,
    };
    Ok(Appended::stored_if(changed > 0))
}

async fn queue(
    connection: &mut Connection,
    message: &MailMessage,
    password: Option<&str>,
) -> Result<Appended, Error> {
    let MailMessage { person, kind, address, language, recovery, made_at, retry_at, until, .. } =
        message;
    let is_wanted = match kind {
        MailKind::Confirm => accounts::has_password(connection, *person, password).await?,
        // This function queues no notices to former e-mail addresses. Only a change or removal of an account's address queues such notices.
        MailKind::Changed | MailKind::Removed => false,
        MailKind::Recover => {
            let query = "SELECT EXISTS (SELECT 1 FROM mail_addresses
                WHERE person = $1 AND folded = $2 AND recovery)";
            statement(query).bind(*person).bind(folded(address)).scalar(&mut *connection).await?
        }
    };
    let count = statement("SELECT count(*) FROM mail_messages WHERE NOT sent");
    let waiting: i64 = count.scalar(&mut *connection).await?;
    if !is_wanted || waiting >= MOST_WAITING {
        return Ok(Appended::Conflict);
    }
    statement("DELETE FROM mail_messages WHERE person = $1 AND kind = $2")
        .bind(*person)
        .bind(kind.text())
        .execute(&mut *connection)
        .await?;
    statement(
        "INSERT INTO mail_messages (person, kind, address, language, recovery, made_at, retry_at, until)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(*person)
    .bind(kind.text())
    .bind(address)
    .bind(language.tag())
    .bind(*recovery)
    .bind(*made_at)
    .bind(*retry_at)
    .bind(*until)
    .execute(connection)
    .await?;
    Ok(Appended::Stored)
}

/// Removes and returns the e-mail message with a given token in its link. Returns `None` if the token is not valid at the time
/// `at`.
async fn use_up(
    connection: &mut Connection,
    (person, kind): (Holder, MailKind),
    hash: &[u8; 32],
    at: i64,
) -> Result<Option<Row>, Error> {
    statement(
        "DELETE FROM mail_messages WHERE person = $1 AND kind = $2 AND hash = $3 AND until > $4
         RETURNING address, language, recovery",
    )
    .bind(person)
    .bind(kind.text())
    .bind(&hash[..])
    .bind(at)
    .row(connection)
    .await
}

async fn confirm(
    connection: &mut Connection,
    person: Holder,
    hash: &[u8; 32],
    at: i64,
) -> Result<Appended, Error> {
    let used = use_up(connection, (person, MailKind::Confirm), hash, at).await?;
    let Some(used) = used else { return Ok(Appended::Conflict) };
    let (address, language): (String, String) = (used.get("address")?, used.get("language")?);
    let former = take_address(connection, person).await?;
    let is_new = |former: &&MailAddress| folded(&former.address) != folded(&address);
    if let Some(former) = former.as_ref().filter(is_new) {
        add_notice(connection, MailKind::Changed, former, at).await?;
    }
    statement(
        "INSERT INTO mail_addresses (person, address, folded, language, recovery, confirmed_at, turns)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(person)
    .bind(&address)
    .bind(folded(&address))
    .bind(language)
    .bind(used.get::<bool>("recovery")?)
    .bind(at)
    // The setting for e-mails about turns belongs to the account, so that a new address inherits the setting.
    .bind(former.is_some_and(|former| former.turns))
    .execute(connection)
    .await?;
    Ok(Appended::Stored)
}

async fn remove(
    connection: &mut Connection,
    person: Holder,
    password: Option<&str>,
    at: i64,
) -> Result<Appended, Error> {
    if !accounts::has_password(connection, person, password).await? {
        return Ok(Appended::Conflict);
    }
    if let Some(former) = take_address(connection, person).await? {
        add_notice(connection, MailKind::Removed, &former, at).await?;
    }
    Ok(Appended::Stored)
}

/// Removes and returns the e-mail address of a person. The links in e-mails to this address become invalid, but notices that are
/// already queued stay.
async fn take_address(
    connection: &mut Connection,
    person: Holder,
) -> Result<Option<MailAddress>, Error> {
    let query = statement(address!("person = $1")).bind(person);
    let former = query.row(&mut *connection).await?.as_ref().map(address_in).transpose()?;
    let delete = statement("DELETE FROM mail_addresses WHERE person = $1").bind(person);
    delete.execute(&mut *connection).await?;
    forget_messages(connection, person).await?;
    turn_mails::forget(connection, person).await?;
    Ok(former)
}

/// Queues an e-mail to a former address of an account, with the notice that the account no longer uses the address. An
/// equal notice that is already queued stays unchanged.
async fn add_notice(
    connection: &mut Connection,
    kind: MailKind,
    to: &MailAddress,
    at: i64,
) -> Result<(), Error> {
    let MailMessage { person, address, language, made_at, retry_at, until, .. } =
        MailMessage::new(kind, to.clone(), at);
    statement(
        "INSERT INTO mail_messages (person, kind, address, language, recovery, made_at, retry_at, until)
         VALUES ($1, $2, $3, $4, FALSE, $5, $6, $7) ON CONFLICT (person, kind, address) DO NOTHING",
    )
    .bind(person)
    .bind(kind.text())
    .bind(&address)
    .bind(language.tag())
    .bind(made_at)
    .bind(retry_at)
    .bind(until)
    .execute(connection)
    .await
    .map(drop)
}

/// Consumes the token from the link of an account-recovery e-mail. Returns whether the token was valid at the time `at`.
pub(crate) async fn recover(
    connection: &mut Connection,
    person: Holder,
    hash: &[u8; 32],
    at: i64,
) -> Result<bool, Error> {
    Ok(use_up(connection, (person, MailKind::Recover), hash, at).await?.is_some())
}

/// Removes the e-mail address of a person, and all e-mail messages to the person.
pub(crate) async fn forget(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    take_address(connection, person).await?;
    let delete = statement("DELETE FROM mail_messages WHERE person = $1").bind(person);
    delete.execute(connection).await.map(drop)
}

/// Removes a person's stored e-mail messages with confirmation or recovery links, unsent and sent, so that these links
/// become invalid. Notices to former addresses stay.
pub(crate) async fn forget_messages(
    connection: &mut Connection,
    person: Holder,
) -> Result<(), Error> {
    let delete = "DELETE FROM mail_messages WHERE person = $1 AND kind IN ('confirm', 'recover')";
    statement(delete).bind(person).execute(connection).await.map(drop)
}

/// Removes expired e-mail messages, and e-mail addresses without an account.
pub(crate) async fn forget_old(connection: &mut Connection, at: i64) -> Result<(), Error> {
    let left = concat!("DELETE FROM mail_addresses WHERE ", is_left!());
    statement(left).execute(&mut *connection).await?;
    turn_mails::forget_old(connection, at).await?;
    let delete = statement("DELETE FROM mail_messages WHERE until <= $1").bind(at);
    delete.execute(connection).await.map(drop)
}

/// Transfers a person's e-mail address, and the notices to former addresses, to the person's new identity. Links in earlier
/// e-mails become invalid, except the links that switch e-mails about turns off.
pub(crate) async fn transfer(
    connection: &mut Connection,
    person: Holder,
    new: Holder,
) -> Result<(), Error> {
    let update = statement("UPDATE mail_addresses SET person = $2 WHERE person = $1");
    update.bind(person).bind(new).execute(&mut *connection).await?;
    let notices =
        "UPDATE mail_messages SET person = $2 WHERE person = $1 AND kind IN ('changed', 'removed')";
    statement(notices).bind(person).bind(new).execute(&mut *connection).await?;
    turn_mails::transfer(connection, person, new).await?;
    forget(connection, person).await
}
