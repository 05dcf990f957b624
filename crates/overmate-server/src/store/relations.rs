//! Reads and writes the relations between accounts in a database.

use sqlx::Error;

use super::accounts;
use super::outcome::Quota;
use super::relation_types::{Between, KnownRelation, MOST_RELATIONS, RelationChange, RelationKind};
use super::sql::{Connection, Pool, Row, statement};
use super::types::{Appended, Holder};

/// Returns the relations of one kind that a person has made, ordered by handle.
pub(super) async fn of_person(
    readers: &Pool,
    person: Holder,
    kind: RelationKind,
) -> Result<Vec<KnownRelation>, Error> {
    let rows = statement(
        "SELECT accounts.handle AS handle, relations.at AS at, accounts.private AS private,
             EXISTS (SELECT 1 FROM relations AS back WHERE back.person = relations.other
                 AND back.other = relations.person AND back.kind = 'favourite') AS mutual,
             EXISTS (SELECT 1 FROM ratings WHERE ratings.person = relations.other) AS rated
         FROM relations JOIN accounts ON accounts.person = relations.other
         WHERE relations.person = $1 AND relations.kind = $2",
    )
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
        })
    };
    let mut known = rows.iter().map(read).collect::<Result<Vec<KnownRelation>, Error>>()?;
    // The databases compare texts by different rules.
    known.sort_by_key(|relation| relation.handle.to_ascii_lowercase());
    Ok(known)
}

/// Returns the relations in both directions between two persons.
pub(super) async fn between(
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
        }
    }
    Ok(between)
}

/// Returns whether two persons have added one another.
pub(super) async fn are_mutual(
    connection: &mut Connection,
    one: Holder,
    other: Holder,
) -> Result<bool, Error> {
    let query = "SELECT count(*) = 2 FROM relations WHERE kind = 'favourite'
         AND (person = $1 AND other = $2 OR person = $2 AND other = $1)";
    statement(query).bind(one).bind(other).scalar(connection).await
}

/// Executes a change of relations in a transaction.
pub(super) async fn write(
    connection: &mut Connection,
    change: RelationChange,
) -> Result<Appended, Error> {
    match change {
        RelationChange::Add { person, other, kind, at } => {
            if person == other
                || !accounts::exists(connection, person).await?
                || !accounts::exists(connection, other).await?
            {
                return Ok(Appended::Conflict);
            }
            let query =
                "SELECT count(*) FROM relations WHERE person = $1 AND kind = $2 AND other != $3";
            let count = statement(query).bind(person).bind(kind.text()).bind(other);
            let count: i64 = count.scalar(&mut *connection).await?;
            if usize::try_from(count).is_ok_and(|count| count >= MOST_RELATIONS) {
                return Ok(Appended::Full(Quota::Relations));
            }
            statement(
                "INSERT INTO relations (person, other, kind, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
            )
            .bind(person)
            .bind(other)
            .bind(kind.text())
            .bind(at)
            .execute(connection)
            .await?;
        }
        RelationChange::Remove { person, other, kind } => {
            statement("DELETE FROM relations WHERE person = $1 AND other = $2 AND kind = $3")
                .bind(person)
                .bind(other)
                .bind(kind.text())
                .execute(connection)
                .await?;
        }
    }
    Ok(Appended::Stored)
}

/// Removes the relations of a person, in both directions.
pub(super) async fn forget(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    let delete = statement("DELETE FROM relations WHERE person = $1 OR other = $1").bind(person);
    delete.execute(connection).await.map(drop)
}

/// Moves the relations of a person to another identity.
pub(super) async fn transfer(
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
