//! Reads and writes the relations between persons, such as favourites and blocks, in a database.

use sqlx::Error;

use super::accounts;
use super::offers;
use super::person_sql::{apart, are_apart, holder_in, is_rated};
use crate::store::connection::sql::{Connection, Pool, Row, statement};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::{Appended, Quota};
use crate::store::interface::relation::{
    Between, Ignored, KnownRelation, MOST_RELATIONS, RelationChange, RelationKind,
};

/// Returns the favourites, mutes or blocks that a person has added, ordered by handle.
pub(crate) async fn of_person(
    readers: &Pool,
    person: Holder,
    kind: RelationKind,
) -> Result<Vec<KnownRelation>, Error> {
    let rows = statement(concat!(
        "SELECT accounts.handle AS handle, relations.at AS at, accounts.private AS private,
             EXISTS (SELECT 1 FROM relations AS back WHERE back.person = relations.other
                 AND back.other = relations.person AND back.kind = 'favourite') AS mutual,
             accounts.bot AS bot, ",
        is_rated!(),
        " AS rated
         FROM relations JOIN accounts ON accounts.person = relations.other
         WHERE relations.person = $1 AND relations.kind = $2",
    ))
    .bind(person)
    .bind(kind.text())
    .rows(readers)
    .await?;
    let read = |row: &Row| {
        Ok(KnownRelation {
            handle: row.get("handle")?,
            at: row.get("at")?,
            is_mutual: row.get("mutual")?,
            is_private: row.get("private")?,
            is_rated: row.get("rated")?,
            is_bot: row.get("bot")?,
        })
    };
    let mut known = rows.iter().map(read).collect::<Result<Vec<KnownRelation>, Error>>()?;
    // This function, and not the database, sorts the rows by handle. SQLite and PostgreSQL order texts by different rules.
    known.sort_by_key(|relation| relation.handle.to_ascii_lowercase());
    Ok(known)
}

/// Returns the mutes and blocks that a person has added, oldest first. Handles that the person may not see are left out.
pub(crate) async fn ignored_by(readers: &Pool, person: Holder) -> Result<Vec<Ignored>, Error> {
    let rows = statement(concat!(
        "SELECT other, kind, at, CASE WHEN NOT private AND ",
        is_rated!(),
        "
                 AND NOT EXISTS (SELECT 1 FROM relations AS back
                     WHERE back.person = relations.other AND back.other = relations.person AND back.kind = 'block')
             THEN handle END AS handle
         FROM relations LEFT JOIN accounts ON accounts.person = other
         WHERE relations.person = $1 AND kind IN ('mute', 'block') ORDER BY at, kind, other",
    ))
    .bind(person)
    .rows(readers)
    .await?;
    let read = |row: &Row| {
        let kind: String = row.get("kind")?;
        let kind = if kind == RelationKind::Block.text() {
            RelationKind::Block
        } else {
            RelationKind::Mute
        };
        let other = holder_in(row, "other")?;
        Ok(Ignored { other, kind, at: row.get("at")?, handle: row.get("handle")? })
    };
    rows.iter().map(read).collect()
}

/// Returns the relations between two persons, such as favourites and blocks, in both directions.
pub(crate) async fn between(
    readers: &Pool,
    person: Holder,
    other: Holder,
) -> Result<Between, Error> {
    let rows = statement(
        "SELECT kind, person = $1 AS own FROM relations
         WHERE person = $1 AND other = $2 OR person = $2 AND other = $1",
    )
    .bind(person)
    .bind(other)
    .rows(readers)
    .await?;
    let mut between = Between::default();
    for row in rows {
        let (kind, is_own): (String, bool) = (row.get("kind")?, row.get("own")?);
        if kind == RelationKind::Favourite.text() {
            between.has_added |= is_own;
            between.is_added |= !is_own;
        } else if kind == RelationKind::Mute.text() {
            between.has_muted |= is_own;
        } else if kind == RelationKind::Block.text() {
            between.has_blocked |= is_own;
            between.is_blocked |= !is_own;
        }
    }
    Ok(between)
}

/// Returns whether each of two persons has added the other person to their favourites.
pub(crate) async fn are_mutual(
    connection: &mut Connection,
    one: Holder,
    other: Holder,
) -> Result<bool, Error> {
    let query = "SELECT count(*) = 2 FROM relations WHERE kind = 'favourite'
         AND (person = $1 AND other = $2 OR person = $2 AND other = $1)";
    statement(query).bind(one).bind(other).scalar(connection).await
}

/// Executes a change of the relations between two persons, such as a new favourite or block, in a transaction.
pub(crate) async fn write(
    connection: &mut Connection,
    change: RelationChange,
) -> Result<Appended, Error> {
    let changed = match change {
        RelationChange::Add { person, other, kind, at } => {
            if let Some(refused) = refusal(connection, (person, other), kind).await? {
                return Ok(refused);
            }
            if kind == RelationKind::Block {
                statement(
                    "DELETE FROM relations WHERE kind = 'favourite'
                         AND (person = $1 AND other = $2 OR person = $2 AND other = $1)",
                )
                .bind(person)
                .bind(other)
                .execute(&mut *connection)
                .await?;
            }
            statement(
                "INSERT INTO relations (person, other, kind, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
            )
            .bind(person)
            .bind(other)
            .bind(kind.text())
            .bind(at)
            .execute(&mut *connection)
            .await?
        }
        RelationChange::Remove { person, other, kind } => {
            statement("DELETE FROM relations WHERE person = $1 AND other = $2 AND kind = $3")
                .bind(person)
                .bind(other)
                .bind(kind.text())
                .execute(&mut *connection)
                .await?
        }
    };
    if changed > 0 && change.kind() == RelationKind::Block {
        // If a person blocks another person, or ends the block, the two persons see other match offers than before. The version number of
        // the match offers therefore grows.
        offers::note(connection).await?;
    }
    Ok(Appended::Stored)
}

/// Returns the reason for the refusal of a new relation (favourite, mute or block) between two persons: a conflict or a used-up quota.
/// Returns `None` if the relation is permitted.
async fn refusal(
    connection: &mut Connection,
    (person, other): (Holder, Holder),
    kind: RelationKind,
) -> Result<Option<Appended>, Error> {
    let is_refused = person == other
        || kind == RelationKind::Favourite
            && (!accounts::exists(connection, person).await?
                || !accounts::exists(connection, other).await?
                || are_apart(connection, person, other).await?);
    if is_refused {
        return Ok(Some(Appended::Conflict));
    }
    let count = "SELECT count(*) FROM relations WHERE person = $1 AND kind = $2 AND other != $3";
    let count = statement(count).bind(person).bind(kind.text()).bind(other);
    let count: i64 = count.scalar(connection).await?;
    let is_full = usize::try_from(count).is_ok_and(|count| count >= MOST_RELATIONS);
    Ok(is_full.then_some(Appended::Full(Quota::Relations)))
}

/// Transfers the relations (favourites, mutes and blocks) of a person to another person, into whom the person is merged. If the
/// other person already has such a relation, that relation stays unchanged.
pub(crate) async fn join(
    connection: &mut Connection,
    former: Holder,
    person: Holder,
) -> Result<(), Error> {
    for sql in [
        "DELETE FROM relations WHERE person = $1 AND (other = $2 OR EXISTS (SELECT 1 FROM relations AS kept
             WHERE kept.person = $2 AND kept.other = relations.other AND kept.kind = relations.kind))",
        "DELETE FROM relations WHERE other = $1 AND (person = $2 OR EXISTS (SELECT 1 FROM relations AS kept
             WHERE kept.other = $2 AND kept.person = relations.person AND kept.kind = relations.kind))",
    ] {
        statement(sql).bind(former).bind(person).execute(&mut *connection).await?;
    }
    let query = "SELECT EXISTS (SELECT 1 FROM relations WHERE kind = 'block' AND (person = $1 OR other = $1))";
    if statement(query).bind(former).scalar(&mut *connection).await? {
        offers::note(connection).await?;
    }
    transfer(connection, former, person).await?;
    // After the merge of `former` into `person`, there can be both a block and a favourite between `person` and a third person. The block
    // then ends the favourite.
    let end = concat!(
        "DELETE FROM relations WHERE kind = 'favourite' AND (person = $1 OR other = $1) AND ",
        apart!("relations.person", "relations.other")
    );
    statement(end).bind(person).execute(connection).await.map(drop)
}

/// Removes all relations (favourites, mutes and blocks) from and to a person.
pub(crate) async fn forget(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    let delete = statement("DELETE FROM relations WHERE person = $1 OR other = $1").bind(person);
    delete.execute(connection).await.map(drop)
}

/// Replaces the identity of a person by another identity in all relations (favourites, mutes and blocks) from and to the person.
pub(crate) async fn transfer(
    connection: &mut Connection,
    person: Holder,
    new: Holder,
) -> Result<(), Error> {
    for sql in [
        "UPDATE relations SET person = $2 WHERE person = $1",
        "UPDATE relations SET other = $2 WHERE other = $1",
    ] {
        statement(sql).bind(person).bind(new).execute(&mut *connection).await?;
    }
    Ok(())
}
