//! Reads and writes the browsers, the linking and recovery codes, and the accounts of persons in a database.
//!
//! A seat stores the hash of the browser that took it. Queries on seats return the person of this
//! browser, so that all other code compares only persons.

use sqlx::Error;

use super::absences;
use super::accounts;
use super::appending::vacate;
use super::bot_accounts;
use super::browsers::{know, renew, revoke_others};
use super::erasure;
use super::feeds;
use super::mail;
use super::offers;
use super::operators::{self, Seats};
use super::passkeys;
use super::person_sql::{holder_in, is_of, owned};
use super::push;
use super::puzzles;
use super::relations;
use super::reports;
use super::visibility;
use crate::store::connection::sql::{Connection, Pool, Row, sql, statement};
use crate::store::interface::holder::Holder;
use crate::store::interface::mail::MailChange;
use crate::store::interface::outcome::Appended;
use crate::store::interface::passkey::PasskeyChange;
use crate::store::interface::person::{
    AccountChange, CodeOffer, Joined, KnownBrowser, PersonChange, Proof, RecoveryCodes,
    SignInProof, Standing,
};

/// Validity period, in seconds, of a linking code for another browser. A browser that used a code may repeat its request for the same time.
pub(crate) const CODE_TIME: i64 = 10 * 60;

/// Key of the PostgreSQL advisory lock for all changes of persons. The lock prevents two persons from joining each other at the
/// same time.
const LOCK: i64 = 0x7065_6f70_6c65;

/// Locks the data of all persons against other database writers until the end of the transaction. In SQLite, the transaction
/// itself keeps other writers away.
pub(crate) async fn lock(connection: &mut Connection) -> Result<(), Error> {
    connection.lock(LOCK).await
}

fn standing_of(row: Option<&Row>) -> Result<Standing, Error> {
    let Some(row) = row else { return Ok(Standing::Alone) };
    let is_revoked: bool = row.get("revoked")?;
    Ok(if is_revoked { Standing::Revoked } else { Standing::Of(holder_in(row, "person")?) })
}

const STANDING: &str = "SELECT person, revoked FROM browsers WHERE browser = $1";

pub(crate) async fn standing(readers: &Pool, browser: Holder) -> Result<Standing, Error> {
    standing_of(statement(STANDING).bind(browser).row(readers).await?.as_ref())
}

/// Returns the browsers that were transferred to another person, or signed out, during the last `seconds` seconds.
pub(crate) async fn changed(readers: &Pool, seconds: i64) -> Result<Vec<Holder>, Error> {
    let query = sql!("SELECT browser FROM browsers WHERE changed_at >= ", NOW, " / 1000 - $1");
    let rows = statement(query).bind(seconds).rows(readers).await?;
    rows.iter().map(|row| holder_in(row, "browser")).collect()
}

/// Returns the person to whom a sign-in, a linking code or a recovery code adds a browser. Returns `None` for an unknown code.
pub(crate) async fn joined(
    connection: &mut Connection,
    joined: Joined<'_>,
) -> Result<Option<Holder>, Error> {
    let hash = match joined {
        Joined::MakerOf(code) => code,
        Joined::Person(person) => return Ok(Some(person)),
    };
    let query = statement("SELECT person FROM codes WHERE hash = $1").bind(&hash[..]);
    query.row(connection).await?.as_ref().map(|row| holder_in(row, "person")).transpose()
}

/// Returns the ids of the matches in which a person holds a seat. A transaction in PostgreSQL locks these matches if the person
/// joins another person, or if their account becomes a bot account.
pub(crate) async fn matches_of(
    connection: &mut Connection,
    person: Holder,
) -> Result<Vec<String>, Error> {
    statement(concat!("SELECT DISTINCT match_id FROM seats WHERE holder IN ", owned!("$1")))
        .bind(person)
        .scalars(connection)
        .await
}

/// Returns the signed-in browsers of a person, oldest first.
pub(crate) async fn browsers(readers: &Pool, person: Holder) -> Result<Vec<KnownBrowser>, Error> {
    let rows = statement(
        "SELECT browser, name, added_at FROM browsers WHERE person = $1 AND NOT revoked ORDER BY added_at, browser",
    )
    .bind(person)
    .rows(readers)
    .await?;
    let read = |row: &Row| {
        Ok(KnownBrowser {
            browser: holder_in(row, "browser")?,
            name: row.get("name")?,
            added_at: row.get("added_at")?,
        })
    };
    rows.iter().map(read).collect()
}

/// Returns the ids of the matches that a person's browsers have created, each with the client id of the creating request. Matches
/// without a stored creation request are left out.
pub(crate) async fn requests(
    readers: &Pool,
    person: Holder,
) -> Result<Vec<(String, String)>, Error> {
    let rows = statement(concat!(
        "SELECT id, client_id FROM matches WHERE client_id IS NOT NULL AND asked_by IN ",
        owned!("$1"),
        " ORDER BY id"
    ))
    .bind(person)
    .rows(readers)
    .await?;
    rows.iter().map(|row| Ok((row.get("id")?, row.get("client_id")?))).collect()
}

/// Returns the creation time and the number of a person's unused recovery codes, or `None` if the person has no such codes.
pub(crate) async fn recovery(
    readers: &Pool,
    person: Holder,
) -> Result<Option<RecoveryCodes>, Error> {
    let row = statement(
        "SELECT made_at, count(*) AS number FROM codes
         WHERE person = $1 AND kind = 'recovery' AND used_by IS NULL GROUP BY made_at",
    )
    .bind(person)
    .row(readers)
    .await?;
    let read = |row: &Row| {
        let number: i64 = row.get("number")?;
        let left = u32::try_from(number).unwrap_or(u32::MAX);
        Ok(RecoveryCodes { made_at: row.get("made_at")?, left })
    };
    row.as_ref().map(read).transpose()
}

/// Returns whether the store contains linking or recovery codes that have expired at a Unix time in seconds.
pub(crate) async fn has_old_codes(readers: &Pool, at: i64) -> Result<bool, Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM codes WHERE until <= $1)";
    statement(query).bind(at).scalar(readers).await
}

/// Executes a change of a person's browsers, linking or recovery codes, or account in a transaction. If a person joins another
/// person, `budget` limits their joint days off in a calendar year.
pub(crate) async fn write(
    connection: &mut Connection,
    change: &PersonChange,
    budget: u32,
) -> Result<Appended, Error> {
    match change {
        PersonChange::Offer(code) => offer(connection, code).await,
        PersonChange::Add { hash, browser, renewed, name, at } => {
            add(connection, hash, (*browser, *renewed, name.as_deref()), budget, *at).await
        }
        PersonChange::Revoke { person, browser, keeps_codes } => {
            let revoked = statement(sql!(
                "UPDATE browsers SET revoked = TRUE, changed_at = ",
                NOW,
                " / 1000 WHERE browser = $1 AND person = $2 AND NOT revoked"
            ))
            .bind(*browser)
            .bind(*person)
            .execute(&mut *connection)
            .await?;
            if revoked == 0 {
                return Ok(Appended::Conflict);
            }
            // The web feed of the person's turns is removed, because the browser that is being signed out knows the feed's secret URL.
            feeds::forget(connection, *person).await?;
            push::sign_out(connection, *browser).await?;
            if !keeps_codes {
                forget_secrets(connection, *person).await?;
                // The browser that is being signed out may have asked the server to confirm an e-mail address of its own for the account.
                mail::forget_messages(connection, *person).await?;
            }
            Ok(Appended::Stored)
        }
        PersonChange::Account(change) => change_account(connection, change, budget).await,
        PersonChange::Passkey(change) => change_passkey(connection, change).await,
        PersonChange::Bot(change) => bot_accounts::write(connection, change).await,
        PersonChange::Mail(MailChange::Recover { person, hash, password, at }) => {
            recover(connection, *person, (hash, *at), password).await
        }
        PersonChange::Mail(change) => mail::write(connection, change).await,
        PersonChange::Forget { person, at } => erasure::forget(connection, *person, *at).await,
        PersonChange::Vacate { person, id, at } => vacate(connection, id, *person, *at).await,
        PersonChange::ForgetOld { at } => {
            let delete = statement("DELETE FROM codes WHERE until <= $1").bind(*at);
            delete.execute(&mut *connection).await?;
            accounts::forget_old(connection, *at).await?;
            passkeys::forget_old(connection, *at).await?;
            mail::forget_old(connection, *at).await?;
            push::forget_old(connection).await?;
            visibility::forget_old(connection, *at).await?;
            Ok(Appended::Stored)
        }
    }
}

async fn change_account(
    connection: &mut Connection,
    change: &AccountChange,
    budget: u32,
) -> Result<Appended, Error> {
    match change {
        AccountChange::Make { account, tag, passkey, browser, renewed, name } => {
            if !is_of(connection, *browser, account.person).await? {
                return Ok(Appended::Conflict);
            }
            // The check whether another account has the new passkey precedes all writes, because a conflict would not undo earlier writes.
            if let Some(passkey) = passkey
                && passkeys::exists(connection, &passkey.id).await?
            {
                return Ok(Appended::Conflict);
            }
            let made = accounts::make(connection, account, *tag).await?;
            if made == Appended::Stored {
                if let Some(passkey) = passkey {
                    passkeys::add(connection, passkey).await?;
                }
                know(connection, *browser, account.person, name.as_deref(), account.made_at)
                    .await?;
                // An attacker may have put their own identity cookie into the browser that creates the account (session fixation). The
                // identity's other browsers are therefore signed out, and its codes are deleted.
                revoke_others(connection, account.person, *browser).await?;
                forget_secrets(connection, account.person).await?;
                renew(connection, *browser, *renewed).await?;
            }
            Ok(made)
        }
        AccountChange::SignIn { person, proof, browser, renewed, name, at } => {
            let Some(former) = joining(connection, *browser).await? else {
                return Ok(Appended::Conflict);
            };
            if former != *person && accounts::exists(connection, former).await? {
                return Ok(Appended::Conflict);
            }
            // The sign-in checks the password or passkey last, because the check of a passkey also changes the stored passkey.
            if !is_proved(connection, *person, proof, *at).await? {
                return Ok(Appended::Conflict);
            }
            if former == *person {
                know(connection, *browser, *person, name.as_deref(), *at).await?;
            } else {
                // An attacker may have put their own identity cookie into the browser that signs in (session fixation). The other browsers
                // of this identity are therefore signed out.
                revoke_others(connection, former, *browser).await?;
                let (joining, browser) = ((former, *person), (*browser, name.as_deref()));
                join(connection, joining, browser, budget, *at).await?;
            }
            renew(connection, *browser, *renewed).await?;
            Ok(Appended::Stored)
        }
        AccountChange::SetPassword { person, proof, password, browser, renewed } => {
            let browser = (*browser, *renewed);
            set_password(connection, *person, proof, password, browser).await
        }
        AccountChange::SetPrivate { person, is_private } => {
            // If a person hides or shows their profile, the version number of the match offers grows. Offers of a hidden profile are shown
            // without the rating.
            offers::note_of(connection, *person).await?;
            accounts::set_private(connection, *person, *is_private).await
        }
        AccountChange::SetHandle { person, former, former_at, handle, tag, at } => {
            // Another request may have changed the account's handle since the server read the handle. A further change is then permitted
            // only later.
            if !accounts::has_handle(connection, *person, former, *former_at).await? {
                return Ok(Appended::Conflict);
            }
            offers::note_of(connection, *person).await?;
            accounts::set_handle(connection, *person, handle, *tag, *at).await
        }
    }
}

/// Replaces an account's password if the former password or a recovery code is valid, and signs out the person's other browsers. The first
/// password of an account needs no such proof, and signs out no browser. Links in e-mails to the person become invalid in all cases.
async fn set_password(
    connection: &mut Connection,
    person: Holder,
    proof: &Proof,
    password: &str,
    (browser, renewed): (Holder, Holder),
) -> Result<Appended, Error> {
    // Another request may have signed out the browser since this browser asked the server to change the password.
    if !is_of(connection, browser, person).await? {
        return Ok(Appended::Conflict);
    }
    let is_proved = match proof {
        Proof::Password(former) => accounts::has_password(connection, person, Some(former)).await?,
        Proof::RecoveryCode(hash) => {
            accounts::exists(connection, person).await? && use_up(connection, hash, person).await?
        }
        Proof::NoPassword => accounts::has_password(connection, person, None).await?,
    };
    if !is_proved {
        return Ok(Appended::Conflict);
    }
    // Before a first password, any signed-in browser could ask the server to confirm an e-mail address for the account, without a proof.
    mail::forget_messages(connection, person).await?;
    // Anybody with an account's former password may have signed in, and made bot tokens or codes that add browsers to the account. If a
    // recovery code was the proof, the person's other codes stay valid. A first password replaces no password that somebody could know.
    if !matches!(proof, Proof::NoPassword) {
        revoke_others(connection, person, browser).await?;
        bot_accounts::forget_tokens(connection, person).await?;
        renew(connection, browser, renewed).await?;
    }
    match proof {
        Proof::Password(_) => forget_secrets(connection, person).await?,
        Proof::RecoveryCode(_) => feeds::forget(connection, person).await?,
        Proof::NoPassword => {}
    }
    accounts::set_password(connection, person, password).await
}

/// Replaces a forgotten password if the token from a recovery e-mail is valid, and signs out all browsers of the person.
async fn recover(
    connection: &mut Connection,
    person: Holder,
    (hash, at): (&[u8; 32], i64),
    password: &str,
) -> Result<Appended, Error> {
    if !mail::recover(connection, person, hash, at).await? {
        return Ok(Appended::Conflict);
    }
    // Somebody who knew the former password may have asked the server to confirm their own e-mail address for the account. All e-mail
    // messages with links are therefore removed.
    mail::forget_messages(connection, person).await?;
    // All browsers of the person are signed out. The browser to keep is given as the hash of the e-mail's token, which is no browser's
    // identity.
    revoke_others(connection, person, Holder(*hash)).await?;
    bot_accounts::forget_tokens(connection, person).await?;
    forget_secrets(connection, person).await?;
    accounts::set_password(connection, person, password).await
}

async fn change_passkey(
    connection: &mut Connection,
    change: &PasskeyChange,
) -> Result<Appended, Error> {
    match change {
        PasskeyChange::Begin(challenge) => passkeys::begin(connection, challenge).await,
        PasskeyChange::UseUp { challenge } => passkeys::use_up(connection, challenge).await,
        PasskeyChange::Add(passkey) => passkeys::add(connection, passkey).await,
        PasskeyChange::Remove { person, id } => {
            let removed = passkeys::remove(connection, *person, id).await?;
            if removed == Appended::Stored {
                forget_secrets(connection, *person).await?;
                // Somebody with the passkey may have signed in, and asked the server to confirm an e-mail address of their own.
                mail::forget_messages(connection, *person).await?;
            }
            Ok(removed)
        }
    }
}

/// Returns whether the password hash or the passkey of a sign-in is still valid for the person's account. For a passkey, stores
/// the passkey's new state.
async fn is_proved(
    connection: &mut Connection,
    person: Holder,
    proof: &SignInProof,
    at: i64,
) -> Result<bool, Error> {
    match proof {
        SignInProof::Password(password) => {
            accounts::has_password(connection, person, Some(password)).await
        }
        SignInProof::Passkey { id, former, new } => Ok(accounts::exists(connection, person)
            .await?
            && passkeys::use_passkey(connection, (person, id), former, new, at).await?),
    }
}

/// Removes the unused recovery code with a given hash if the code belongs to a given person. Returns whether a code was
/// removed.
async fn use_up(
    connection: &mut Connection,
    hash: &[u8; 32],
    person: Holder,
) -> Result<bool, Error> {
    let delete = statement(
        "DELETE FROM codes WHERE hash = $1 AND person = $2 AND kind = 'recovery' AND used_by IS NULL",
    );
    Ok(delete.bind(&hash[..]).bind(person).execute(connection).await? == 1)
}

/// Returns the person to whom a browser belongs, or `None` if the browser is signed out.
async fn joining(connection: &mut Connection, browser: Holder) -> Result<Option<Holder>, Error> {
    let row = statement(STANDING).bind(browser).row(connection).await?;
    Ok(match standing_of(row.as_ref())? {
        Standing::Alone => Some(browser),
        Standing::Of(person) => Some(person),
        Standing::Revoked => None,
    })
}

async fn offer(connection: &mut Connection, offer: &CodeOffer) -> Result<Appended, Error> {
    let CodeOffer { hashes, kind, person, browser, name, at, until } = offer;
    // The browser that requested linking or recovery codes may meanwhile have been signed out, or have been linked to another person.
    if !is_of(connection, *browser, *person).await? {
        return Ok(Appended::Conflict);
    }
    statement("DELETE FROM codes WHERE person = $1 AND kind = $2 AND used_by IS NULL")
        .bind(*person)
        .bind(kind.text())
        .execute(&mut *connection)
        .await?;
    know(connection, *browser, *person, name.as_deref(), *at).await?;
    for hash in hashes {
        statement(
            "INSERT INTO codes (hash, person, kind, made_at, until) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(&hash[..])
        .bind(*person)
        .bind(kind.text())
        .bind(*at)
        .bind(*until)
        .execute(&mut *connection)
        .await?;
    }
    Ok(Appended::Stored)
}

/// Consumes a linking or recovery code, and adds a browser to the person who made the code. A repeated request of a browser that belongs to
/// this person also succeeds.
async fn add(
    connection: &mut Connection,
    hash: &[u8; 32],
    (browser, renewed, name): (Holder, Holder, Option<&str>),
    budget: u32,
    at: i64,
) -> Result<Appended, Error> {
    let Some(former) = joining(connection, browser).await? else {
        return Ok(Appended::Conflict);
    };
    // A browser whose person has an account cannot use a linking or recovery code of another person. A code thus never transfers an account
    // to another person.
    let is_foreign = statement(
        "SELECT EXISTS (SELECT 1 FROM codes WHERE hash = $1 AND person != $2)
         AND EXISTS (SELECT 1 FROM accounts WHERE person = $2)",
    );
    if is_foreign.bind(&hash[..]).bind(former).scalar(&mut *connection).await? {
        return Ok(Appended::Conflict);
    }
    // A single SQL statement tests the linking or recovery code and marks it as used, so that two browsers cannot use the same code. A
    // closed account gets no browsers.
    let used = statement(
        "UPDATE codes SET used_by = $2, until = $3 + $4
         WHERE hash = $1 AND used_by IS NULL AND (until IS NULL OR until > $3)
         AND NOT EXISTS (SELECT 1 FROM measures WHERE measures.person = codes.person AND kind = 'closed') RETURNING person",
    )
    .bind(&hash[..])
    .bind(browser)
    .bind(at)
    .bind(CODE_TIME)
    .row(&mut *connection)
    .await?;
    let Some(used) = used else {
        let is_repeated: bool = statement(
            "SELECT EXISTS (SELECT 1 FROM codes WHERE hash = $1 AND used_by IS NOT NULL AND person = $2 AND until > $3)",
        )
        .bind(&hash[..])
        .bind(former)
        .bind(at)
        .scalar(connection)
        .await?;
        return Ok(Appended::stored_if(is_repeated));
    };
    let person = holder_in(&used, "person")?;
    if former == person {
        return Ok(Appended::Stored);
    }
    let has_account = accounts::exists(connection, person).await?;
    if has_account {
        // An attacker may have put their own identity cookie into the browser that uses the code (session fixation). As for a sign-in, the
        // other browsers of this identity are therefore signed out, and the browser gets a new token.
        revoke_others(connection, former, browser).await?;
    }
    let joined = join(connection, (former, person), (browser, name), budget, at).await?;
    if has_account {
        renew(connection, browser, renewed).await?;
    }
    Ok(joined)
}

/// Merges one person into another person, who gets all browsers and other data of the first person.
async fn join(
    connection: &mut Connection,
    (former, person): (Holder, Holder),
    (browser, name): (Holder, Option<&str>),
    budget: u32,
    at: i64,
) -> Result<Appended, Error> {
    // The call of `operators::note` adds an entry to the log of each match of the person `former`. Each entry makes all servers read the
    // seats of its match again.
    operators::note(connection, Seats { holder: Some(former), ..Seats::default() }, at).await?;
    // The call of `offers::note_of` precedes the transfer of the person's browsers, because `note_of` finds the person's match offers by
    // these browsers.
    offers::note_of(connection, former).await?;
    if accounts::is_bot(connection, person).await? {
        bot_accounts::mark_seats(connection, former, person).await?;
    }
    forget_secrets(connection, former).await?;
    know(connection, browser, former, name, at).await?;
    let query =
        sql!("UPDATE browsers SET person = $2, changed_at = ", NOW, " / 1000 WHERE person = $1");
    statement(query).bind(former).bind(person).execute(&mut *connection).await?;
    puzzles::bring(connection, former, person).await?;
    relations::join(connection, former, person).await?;
    reports::bring(connection, former, person).await?;
    push::join(connection, former, person).await?;
    visibility::join(connection, (former, person), at).await?;
    absences::join(connection, (former, person), budget, at.saturating_mul(1_000)).await?;
    Ok(Appended::Stored)
}

/// Deletes a person's unused linking and recovery codes, and the secret URL of their turn feed (list of the matches in
/// which it is their turn).
async fn forget_secrets(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    let delete = statement("DELETE FROM codes WHERE person = $1 AND used_by IS NULL").bind(person);
    delete.execute(&mut *connection).await?;
    feeds::forget(connection, person).await
}
