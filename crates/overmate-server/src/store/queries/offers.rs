//! Reads and writes open offers of matches in a database.
//!
//! All writes to offers take one lock in PostgreSQL, so that only one acceptor gets an offer and concurrent requests for equal
//! offers find each other's offer. In SQLite a write transaction itself excludes all other write transactions.

use sqlx::Error;

use super::accounts;
use super::logs::{insert_entry, joined};
use super::new_matches::{full_quota, holders, insert, is_known};
use super::person_sql::{apart, are_apart, holder_in, owned, person, person_of};
use super::push;
use super::rated_pairs;
use super::ratings;
use crate::names;
use crate::settings::Limits;
use crate::store::connection::sql::{Connection, On, Pool, Row, Sql, statement};
use crate::store::interface::holder::Holder;
use crate::store::interface::match_info::MatchInfo;
use crate::store::interface::offer::{
    ACCEPTED_TIME, Addressee, CHALLENGES, DECLINED_TIME, Maker, Offer, OfferLimits,
};
use crate::store::interface::outcome::{Appended, Quota};
use crate::store::interface::store::{NewMatchRequest, OfferChange};

/// Key of the PostgreSQL advisory lock for all writes to match offers.
pub(crate) const LOCK: i64 = 0x6c6f_6262_7921;

/// Expands to the SQL condition that a person is a bot. The argument is an SQL expression for the person.
macro_rules! of_bot {
    ($person:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM accounts AS own WHERE own.person = ",
            $person,
            " AND own.bot)"
        )
    };
}

/// Expands to an SQL query for match offers with the accounts and ratings of their makers, and with the accounts of their
/// addressees. The name in an offer of a bot is the present handle of the bot.
///
/// If the challenger or the challenged person has blocked the other, the challenge looks like a challenge to a handle without an
/// account.
macro_rules! offers {
    ($($condition:expr),+) => {
        concat!(
            "SELECT found.id AS id, found.holder AS holder, coalesce(program.handle, name) AS name, found.rules AS rules, clock, leads, rated, bots, network, client_id,
                 found.made_at AS made_at, until, match_id, to_handle, to_tag, declined, addressee.person AS addressee,
                 maker.handle AS handle, maker.private AS private, rating, deviation, volatility, at,
                 program.person IS NOT NULL AS by_bot
             FROM (SELECT id, ",
            person!("offers"),
            ", name, rules, clock, leads, lasting, rated, bots, network, client_id, made_at, until, match_id, to_handle, to_tag, declined
             FROM offers WHERE ",
            $($condition),+,
            ") AS found
             LEFT JOIN accounts AS program ON program.person = found.holder AND program.bot
             LEFT JOIN accounts AS maker ON (rated OR to_tag IS NOT NULL) AND maker.person = found.holder
             LEFT JOIN accounts AS addressee ON addressee.tag = to_tag AND NOT ",
            apart!("found.holder", "addressee.person"),
            "
             LEFT JOIN ratings ON rated AND ratings.person = maker.person AND ratings.rules = found.rules
                 AND pace = CASE WHEN lasting THEN 'correspondence' ELSE 'live' END
             ORDER BY found.made_at, found.id"
        )
    };
}

fn offer_in(row: &Row) -> Result<Offer, Error> {
    let unreadable =
        |what: &str| Error::Decode(format!("{what} of a stored offer cannot be read").into());
    let clock: Option<String> = row.get("clock")?;
    let clock = clock.map(|text| text.parse().map_err(|_| unreadable("the clock"))).transpose()?;
    let network: i64 = row.get("network")?;
    let name: Option<String> = row.get("name")?;
    Ok(Offer {
        id: row.get("id")?,
        holder: holder_in(row, "holder")?,
        name: name.as_deref().and_then(names::shown),
        rules: row.get("rules")?,
        clock,
        leads: row.get("leads")?,
        rated: row.get("rated")?,
        bots: row.get("bots")?,
        network: network.try_into().map_err(|_| unreadable("the network"))?,
        client_id: row.get("client_id")?,
        made_at: row.get("made_at")?,
        until: row.get("until")?,
        match_id: row.get("match_id")?,
        to: addressee_in(row)?,
        maker: maker_in(row)?,
        by_bot: row.get("by_bot")?,
    })
}

fn addressee_in(row: &Row) -> Result<Option<Addressee>, Error> {
    let Some(handle) = row.get("to_handle")? else { return Ok(None) };
    let person: Option<Vec<u8>> = row.get("addressee")?;
    let person = person.map(|_| holder_in(row, "addressee")).transpose()?;
    let Holder(tag) = holder_in(row, "to_tag")?;
    Ok(Some(Addressee { handle, tag, person, has_declined: row.get("declined")? }))
}

fn maker_in(row: &Row) -> Result<Option<Maker>, Error> {
    let Some(is_private) = row.get("private")? else { return Ok(None) };
    let rating: Option<f64> = row.get("rating")?;
    let rating = rating.map(|_| ratings::known_in(row)).transpose()?;
    Ok(Some(Maker { handle: row.get("handle")?, is_private, rating }))
}

pub(crate) async fn version(readers: &Pool) -> Result<i64, Error> {
    statement("SELECT version FROM versions WHERE name = 'lobby'").scalar(readers).await
}

/// Returns the match offers that are open at a Unix time in seconds, oldest first.
pub(crate) async fn all(on: impl Into<On<'_>>, at: i64) -> Result<Vec<Offer>, Error> {
    open_rows(on, at).await?.iter().map(offer_in).collect()
}

/// Returns the rows of the match offers that are open at a Unix time in seconds, oldest first.
pub(super) async fn open_rows(on: impl Into<On<'_>>, at: i64) -> Result<Vec<Row>, Error> {
    let open = statement(offers!("match_id IS NULL AND NOT declined AND until > $1"));
    open.bind(at).rows(on).await
}

/// Returns pairs of a person and the id of an open match offer that is hidden from this person. The person has blocked the
/// offer's maker, or the maker has blocked the person.
pub(crate) async fn hidden(readers: &Pool, at: i64) -> Result<Vec<(Holder, String)>, Error> {
    let rows = statement(concat!(
        "WITH shown AS (SELECT id, ",
        person!("offers"),
        " FROM offers WHERE match_id IS NULL AND to_tag IS NULL AND until > $1)
         SELECT id, other AS viewer FROM shown JOIN relations ON person = shown.holder AND kind = 'block'
         UNION SELECT id, person AS viewer FROM shown JOIN relations ON other = shown.holder AND kind = 'block'
         ORDER BY id, viewer"
    ))
    .bind(at)
    .rows(readers)
    .await?;
    rows.iter().map(|row| Ok((holder_in(row, "viewer")?, row.get("id")?))).collect()
}

pub(crate) async fn one(readers: &Pool, id: &str) -> Result<Option<Offer>, Error> {
    let row = statement(offers!("id = $1")).bind(id).row(readers).await?;
    row.as_ref().map(offer_in).transpose()
}

pub(crate) async fn of_person(readers: &Pool, person: Holder) -> Result<Vec<Offer>, Error> {
    let query = offers!("holder IN ", owned!("$1"));
    let rows = statement(query).bind(person).rows(readers).await?;
    rows.iter().map(offer_in).collect()
}

pub(crate) async fn equal(readers: &Pool, offer: &Offer) -> Result<Option<Offer>, Error> {
    let query = offers!(
        "match_id IS NULL AND to_tag IS NULL AND until > $1 AND rules = $2 AND coalesce(clock, '') = coalesce($3, '') AND rated = $5 AND NOT ",
        apart!(
            "$4",
            "coalesce((SELECT person FROM browsers WHERE browser = offers.holder), offers.holder)"
        ),
        " AND NOT ",
        of_bot!(
            "coalesce((SELECT person FROM browsers WHERE browser = offers.holder), offers.holder)"
        ),
        " AND holder NOT IN ",
        owned!("$4")
    );
    let row = statement(query)
        .bind(offer.made_at)
        .bind(&offer.rules)
        .bind(offer.clock.map(|clock| clock.to_string()))
        .bind(offer.holder)
        .bind(offer.rated)
        .row(readers)
        .await?;
    row.as_ref().map(offer_in).transpose()
}

/// Returns whether the store contains expired match offers.
pub(crate) async fn has_old(readers: &Pool, at: i64) -> Result<bool, Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM offers WHERE until <= $1)";
    statement(query).bind(at).scalar(readers).await
}

/// Returns the persons whose matches must be read or created to store a change of a match offer.
pub(crate) fn players(change: &OfferChange) -> impl Iterator<Item = Holder> {
    let (asks, info) = match change {
        OfferChange::Make { offer, .. } => (Some(offer.holder), None),
        OfferChange::Accept { info, request, .. } => (Some(request.holder), Some(info)),
        OfferChange::Decline { .. }
        | OfferChange::Withdraw { .. }
        | OfferChange::WithdrawAll { .. }
        | OfferChange::Keep { .. }
        | OfferChange::ForgetOld { .. } => (None, None),
    };
    asks.into_iter().chain(info.into_iter().flat_map(holders))
}

/// Stores a change to the match offers, such as a new or withdrawn offer, in a transaction.
pub(crate) async fn write(
    connection: &mut Connection,
    change: &OfferChange,
    limits: &Limits,
    server: Option<&str>,
) -> Result<Appended, Error> {
    let changed = match change {
        OfferChange::Make { offer, is_new, limits: offer_limits } => {
            let made = make(connection, offer, *is_new, *offer_limits).await?;
            if made != Appended::Stored {
                return Ok(made);
            }
            1
        }
        OfferChange::Accept { id, info, request, at } => {
            return accept(connection, (id, *at), info, request, (limits, server)).await;
        }
        OfferChange::Decline { id, person, at } => {
            statement(
                "UPDATE offers SET declined = TRUE, until = $3 WHERE id = $1 AND match_id IS NULL AND NOT declined
                     AND until > $4 AND to_tag = (SELECT tag FROM accounts WHERE person = $2)",
            )
            .bind(id)
            .bind(*person)
            .bind(at + DECLINED_TIME)
            .bind(*at)
            .execute(&mut *connection)
            .await?
        }
        OfferChange::Withdraw { id, person } => {
            statement(concat!(
                "DELETE FROM offers WHERE id = $1 AND match_id IS NULL AND NOT declined AND holder IN ",
                owned!("$2")
            ))
            .bind(id)
            .bind(*person)
            .execute(&mut *connection)
            .await?
        }
        OfferChange::WithdrawAll { person } => withdraw_all(connection, *person).await?,
        OfferChange::Keep { ids, at, until } => {
            // The version number of the lobby stays the same, because no reader of the match offers needs to know that an expiry was
            // extended.
            let keep = Sql::Each {
                sqlite: "UPDATE offers SET until = $3 WHERE match_id IS NULL AND NOT declined AND NOT lasting AND until > $2 AND until < $3
                     AND id IN (SELECT value FROM json_each($1))",
                postgres: "UPDATE offers SET until = $3 WHERE match_id IS NULL AND NOT declined AND NOT lasting AND until > $2 AND until < $3
                     AND id = ANY($1)",
            };
            let keep = statement(keep).bind(ids.clone()).bind(*at).bind(*until);
            let kept = keep.execute(connection).await?;
            return Ok(Appended::stored_if(kept > 0));
        }
        OfferChange::ForgetOld { at } => {
            let delete = statement("DELETE FROM offers WHERE until <= $1").bind(*at);
            delete.execute(&mut *connection).await?
        }
    };
    if changed == 0 {
        return Ok(Appended::Conflict);
    }
    note(connection).await?;
    Ok(Appended::Stored)
}

/// Increments the version number of the lobby (the list of open match offers) after a change.
pub(crate) async fn note(connection: &mut Connection) -> Result<(), Error> {
    let note = "UPDATE versions SET version = version + 1 WHERE name = 'lobby'";
    statement(note).execute(connection).await.map(drop)
}

async fn make(
    connection: &mut Connection,
    offer: &Offer,
    is_new: bool,
    limits: OfferLimits,
) -> Result<Appended, Error> {
    let clock = offer.clock.map(|clock| clock.to_string());
    // The SQL query searches only the maker's own match offers for an earlier offer with the new offer's idempotency key (client id). A
    // query for the offers of all makers could read too many rows, because accepted offers stay for days, and their total number has no
    // limit.
    let is_made: bool = statement(concat!(
        "SELECT EXISTS (SELECT 1 FROM offers WHERE client_id = $2 AND (match_id IS NOT NULL OR declined OR until > $3) AND holder IN ",
        owned!("$1"),
        ")"
    ))
    .bind(offer.holder)
    .bind(&offer.client_id)
    .bind(offer.made_at)
    .scalar(&mut *connection)
    .await?;
    let row = statement(concat!(
        "SELECT count(*) FILTER (WHERE own) AS own, count(*) FILTER (WHERE network = $2) AS near,
             count(*) AS number, count(*) FILTER (WHERE lasting) AS lasting,
             count(*) FILTER (WHERE NOT own AND NOT apart AND NOT of_bot AND to_tag IS NULL AND rules = $4 AND coalesce(clock, '') = coalesce($5, '') AND rated = $6) AS equals
         FROM (SELECT rules, clock, lasting, rated, to_tag, network, holder IN ",
        owned!("$1"),
        " AS own, ",
        apart!("$1", "coalesce((SELECT person FROM browsers WHERE browser = offers.holder), offers.holder)"),
        " AS apart, ",
        of_bot!("coalesce((SELECT person FROM browsers WHERE browser = offers.holder), offers.holder)"),
        " AS of_bot FROM offers WHERE match_id IS NULL AND NOT declined AND until > $3) AS open"
    ))
    .bind(offer.holder)
    .bind(i64::from(offer.network))
    .bind(offer.made_at)
    .bind(&offer.rules)
    .bind(clock.as_deref())
    .bind(offer.rated)
    .row(&mut *connection)
    .await?
    .ok_or(Error::RowNotFound)?;
    let equals: i64 = row.get("equals")?;
    let request = NewMatchRequest { holder: offer.holder, client_id: offer.client_id.clone() };
    if is_made
        || is_new && offer.to.is_none() && equals > 0
        || is_known(connection, Some(&request)).await?
        || !offer.may_be_of_bot() && accounts::is_bot(connection, offer.holder).await?
    {
        return Ok(Appended::Conflict);
    }
    let most =
        [("own", limits.person, Quota::Offers), ("near", limits.network, Quota::OffersOfNetwork)];
    let lasting = offer.is_lasting().then_some(("lasting", Some(limits.lasting), Quota::Lobby));
    let all = [("number", Some(limits.all), Quota::Lobby)];
    for (column, most, quota) in most.into_iter().chain(all).chain(lasting) {
        let number: i64 = row.get(column)?;
        if most.is_some_and(|most| number >= most.into()) {
            return Ok(Appended::Full(quota));
        }
    }
    if let Some(to) = &offer.to
        && has_enough_challenges(connection, offer, to).await?
    {
        return Ok(Appended::Full(Quota::Challenges));
    }
    statement(
        "INSERT INTO offers (id, holder, name, rules, clock, leads, lasting, rated, network, client_id, made_at, until, to_handle, to_tag, bots)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
    )
    .bind(&offer.id)
    .bind(offer.holder)
    .bind(offer.name.as_deref())
    .bind(&offer.rules)
    .bind(clock)
    .bind(offer.leads)
    .bind(offer.is_lasting())
    .bind(offer.rated)
    .bind(i64::from(offer.network))
    .bind(&offer.client_id)
    .bind(offer.made_at)
    .bind(offer.until)
    .bind(offer.to.as_ref().map(|to| to.handle.as_str()))
    .bind(offer.to.as_ref().map(|to| Holder(to.tag)))
    .bind(offer.bots)
    .execute(connection)
    .await?;
    Ok(Appended::Stored)
}

/// Returns whether the limits on open challenges to matches forbid a further challenge to a given handle. The challenger may have only one
/// challenge to a handle, and each handle has a maximum number of open challenges.
///
/// The result does not depend on whether an account has the handle. Challenges that a block hides from the addressee do not count
/// towards the maximum number.
async fn has_enough_challenges(
    connection: &mut Connection,
    offer: &Offer,
    to: &Addressee,
) -> Result<bool, Error> {
    let row = statement(concat!(
        "SELECT count(*) FILTER (WHERE NOT declined AND NOT apart) AS open, count(*) FILTER (WHERE own) AS own
         FROM (SELECT declined, holder IN ",
        owned!("$1"),
        " AS own, ",
        apart!(
            "coalesce((SELECT person FROM browsers WHERE browser = offers.holder), offers.holder)",
            "(SELECT person FROM accounts WHERE tag = $2)"
        ),
        " AS apart FROM offers WHERE to_tag = $2 AND match_id IS NULL AND until > $3) AS challenges"
    ))
    .bind(offer.holder)
    .bind(Holder(to.tag))
    .bind(offer.made_at)
    .row(connection)
    .await?
    .ok_or(Error::RowNotFound)?;
    let (open, own): (i64, i64) = (row.get("open")?, row.get("own")?);
    Ok(usize::try_from(open).is_ok_and(|open| open >= CHALLENGES) || own > 0)
}

async fn accept(
    connection: &mut Connection,
    (id, at): (&str, i64),
    info: &MatchInfo,
    request: &NewMatchRequest,
    (limits, server): (&Limits, Option<&str>),
) -> Result<Appended, Error> {
    let found = statement(offers!("id = $1 AND match_id IS NULL AND NOT declined AND until > $2"));
    let found = found.bind(id).bind(at).row(&mut *connection).await?;
    let Some(offer) = found.as_ref().map(offer_in).transpose()? else {
        return Ok(Appended::Conflict);
    };
    // Since the request to accept the match offer, the offer's maker and the acceptor may have become one person.
    let acceptor = person_of(connection, request.holder).await?;
    if acceptor == offer.holder
        || !offer.is_for(acceptor)
        || are_apart(connection, acceptor, offer.holder).await?
        || accounts::is_bot(connection, acceptor).await? && !offer.is_for_bots()
        || is_known(connection, Some(request)).await?
    {
        return Ok(Appended::Conflict);
    }
    if let Some(quota) = full_quota(connection, acceptor, limits).await? {
        return Ok(Appended::Full(quota));
    }
    if offer.rated {
        let pair = (acceptor, offer.holder);
        if let Some(quota) = rated_pairs::full_quota(connection, pair, at, limits).await? {
            return Ok(Appended::Full(quota));
        }
    }
    if full_quota(connection, offer.holder, limits).await?.is_some() {
        statement("DELETE FROM offers WHERE id = $1").bind(id).execute(&mut *connection).await?;
        note(connection).await?;
        return Ok(Appended::Conflict);
    }
    statement("UPDATE offers SET match_id = $2, until = $3 WHERE id = $1")
        .bind(id)
        .bind(&info.id)
        .bind(offer.until.max(at + ACCEPTED_TIME))
        .execute(&mut *connection)
        .await?;
    if !offer.is_lasting() {
        for player in [acceptor, offer.holder] {
            statement(concat!(
                "DELETE FROM offers WHERE match_id IS NULL AND NOT declined AND NOT lasting AND holder IN ",
                owned!("$1")
            ))
            .bind(player)
            .execute(&mut *connection)
            .await?;
        }
    }
    insert(connection, info, Some(request), server).await?;
    // The log of the new match gets an entry of the person who accepted the match offer. Otherwise the match would count as empty, and be
    // removed after a day.
    insert_entry(connection, &info.id, &joined(info, request.holder, at)).await?;
    push::announce_match(connection, &info.id).await?;
    note(connection).await?;
    Ok(Appended::Stored)
}

/// Removes all match offers of a person.
pub(crate) async fn forget(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    let delete = concat!("DELETE FROM offers WHERE holder IN ", owned!("$1"));
    if statement(delete).bind(person).execute(&mut *connection).await? > 0 {
        note(connection).await?;
    }
    Ok(())
}

/// Removes all match offers of a person that nobody has accepted. Returns the number of removed offers.
pub(crate) async fn withdraw_all(
    connection: &mut Connection,
    person: Holder,
) -> Result<u64, Error> {
    let delete = concat!("DELETE FROM offers WHERE match_id IS NULL AND holder IN ", owned!("$1"));
    statement(delete).bind(person).execute(connection).await
}

/// Returns whether the database holds match offers of a person: open, accepted, declined or expired.
pub(crate) async fn has_offers(connection: &mut Connection, person: Holder) -> Result<bool, Error> {
    let query = concat!("SELECT EXISTS (SELECT 1 FROM offers WHERE holder IN ", owned!("$1"), ")");
    statement(query).bind(person).scalar(connection).await
}

/// Increments the version number of the lobby (the list of open match offers) if the store has a match offer of the given person. Callers
/// use this function when the person joins another person, hides their profile, or changes their handle.
pub(crate) async fn note_of(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    if has_offers(connection, person).await? {
        note(connection).await?;
    }
    Ok(())
}

/// Locks the match offers against other writers until the end of an operator's transaction. In SQLite, the transaction itself
/// keeps other writers away.
pub(crate) async fn lock(connection: &mut Connection) -> Result<(), Error> {
    connection.lock(LOCK).await
}

/// Transfers the accepted match offers of a person to the person's new identity, and deletes the person's other match offers. An
/// operator's command calls this function after [`lock`].
pub(crate) async fn transfer(
    connection: &mut Connection,
    person: Holder,
    new: Holder,
) -> Result<(), Error> {
    let removed = withdraw_all(connection, person).await?;
    let transfer = concat!("UPDATE offers SET holder = $2 WHERE holder IN ", owned!("$1"));
    let moved = statement(transfer).bind(person).bind(new).execute(&mut *connection).await?;
    if removed + moved > 0 {
        note(connection).await?;
    }
    Ok(())
}
