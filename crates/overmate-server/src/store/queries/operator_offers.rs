//! Finds and changes open match offers for operators, even while a server runs.

use sqlx::Error;

use super::offers::{self, lock, note};
use super::person_sql::{holder_in, owned};
use crate::clock::rfc3339;
use crate::names;
use crate::store::connection::sql::{Connection, Row, statement};
use crate::store::interface::holder::Holder;

/// Open match offer in the result of an operator's search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundOffer {
    /// Id of the match offer.
    pub id: String,
    /// Id of the browser that made the match offer. For a person with several browsers, this is the id of the first browser.
    pub browser: String,
    /// Display name of the match offer's maker, or `None` if the maker has no name.
    pub name: Option<String>,
    /// Name of the rule set of the offered match.
    pub rules: String,
    /// Time at which the match offer was made, as RFC 3339 text in UTC.
    pub made_at: String,
    /// Time at which the match offer expires if nobody accepts it, as RFC 3339 text in UTC.
    pub until: String,
}

/// Returns the match offers that are open at a Unix time in seconds, oldest first, with the names that the lobby shows. The function reads
/// no other columns, so that an operator can withdraw an offer that the lobby cannot read.
pub(crate) async fn open(connection: &mut Connection, at: i64) -> Result<Vec<FoundOffer>, Error> {
    let found = |row: &Row| {
        let name: Option<String> = row.get("name")?;
        Ok(FoundOffer {
            id: row.get("id")?,
            browser: holder_in(row, "holder")?.to_string(),
            name: name.as_deref().and_then(names::shown),
            rules: row.get("rules")?,
            made_at: rfc3339(row.get("made_at")?),
            until: rfc3339(row.get("until")?),
        })
    };
    offers::open_rows(connection, at).await?.iter().map(found).collect()
}

/// Changes or removes a person's display name in the person's unaccepted match offers. `id` limits the change to one
/// offer. Stored offers that were declined or have expired are also changed. Returns the number of changed offers.
pub(crate) async fn rename(
    connection: &mut Connection,
    person: Holder,
    id: Option<&str>,
    name: Option<&str>,
) -> Result<u64, Error> {
    lock(connection).await?;
    let rename = statement(concat!(
        "UPDATE offers SET name = $3 WHERE match_id IS NULL AND ($2 IS NULL OR id = $2) AND holder IN ",
        owned!("$1")
    ));
    let renamed = rename.bind(person).bind(id).bind(name).execute(&mut *connection).await?;
    if renamed > 0 {
        note(connection).await?;
    }
    Ok(renamed)
}

/// Removes a match offer that nobody has accepted, even if the offer was declined or has expired. Returns whether an offer was removed.
pub(crate) async fn withdraw(connection: &mut Connection, id: &str) -> Result<bool, Error> {
    lock(connection).await?;
    let withdraw = statement("DELETE FROM offers WHERE id = $1 AND match_id IS NULL").bind(id);
    let is_withdrawn = withdraw.execute(&mut *connection).await? > 0;
    if is_withdrawn {
        note(connection).await?;
    }
    Ok(is_withdrawn)
}
