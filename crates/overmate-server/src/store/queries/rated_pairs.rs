//! Counts the rated matches that two persons begin with each other within a day, and limits their number.

use sqlx::Error;

use super::new_matches::holders;
use super::person_sql::{owned, person_of};
use crate::clock::DAY;
use crate::settings::Limits;
use crate::store::connection::sql::{Connection, On, statement};
use crate::store::interface::holder::Holder;
use crate::store::interface::match_info::MatchInfo;
use crate::store::interface::outcome::Quota;
use crate::store::interface::store::Addition;

/// Returns the number of rated matches between two persons that began after a Unix time in seconds.
///
/// A match begins when it is created or, if its second player is invited, when this player joins. A match that a player has
/// deleted counts from its end, because only its rating changes still name the players.
pub(crate) async fn between(
    on: impl Into<On<'_>>,
    (one, other): (Holder, Holder),
    since: i64,
) -> Result<u64, Error> {
    let query = concat!(
        "SELECT (SELECT count(*) FROM matches WHERE rated
         AND id IN (SELECT match_id FROM seats WHERE holder IN ",
        owned!("$1"),
        ") AND id IN (SELECT match_id FROM seats WHERE holder IN ",
        owned!("$2"),
        ") AND (created_at > $3 OR EXISTS (
             SELECT 1 FROM log WHERE match_id = matches.id AND kind = 'join' AND at > $3)))
         + (SELECT count(*) FROM rating_changes AS own
            JOIN rating_changes AS theirs ON theirs.match_id = own.match_id AND theirs.person = $2
            WHERE own.person = $1 AND own.at > $3
            AND (SELECT count(*) FROM seats WHERE seats.match_id = own.match_id AND holder IS NOT NULL) < 2)"
    );
    let count: i64 = statement(query).bind(one).bind(other).bind(since).scalar(on).await?;
    Ok(count.cast_unsigned())
}

/// Returns the quota [`Quota::RatedPair`] if two persons have begun the maximum number of rated matches with each other in the day
/// before `at`. Otherwise returns `None`. `at` is a Unix time in seconds.
///
/// The caller's transaction holds the locks of both persons, so that no other transaction begins such a match before the caller
/// inserts the match.
pub(crate) async fn full_quota(
    connection: &mut Connection,
    (one, other): (Holder, Holder),
    at: i64,
    limits: &Limits,
) -> Result<Option<Quota>, Error> {
    let Some(most) = limits.rated_matches_of_pair else { return Ok(None) };
    let number = between(connection, (one, other), at - DAY).await?;
    Ok((number >= u64::from(most)).then_some(Quota::RatedPair))
}

/// Returns the quota [`Quota::RatedPair`] if a log entry would begin a rated match between two persons who have used up this quota.
/// Otherwise returns `None`.
pub(crate) async fn full_quota_of(
    connection: &mut Connection,
    addition: &Addition,
    limits: &Limits,
) -> Result<Option<Quota>, Error> {
    for (one, other) in pairs(addition) {
        // Another request may have linked the browser of a player to another person since the server read the match.
        let one = person_of(connection, one).await?;
        let other = person_of(connection, other).await?;
        let at = addition.entry.at();
        if let Some(quota) = full_quota(connection, (one, other), at, limits).await? {
            return Ok(Some(quota));
        }
    }
    Ok(None)
}

/// Returns the pair of players of a rated match between persons, if a given log entry begins such a match. The entry is then a join or the
/// acceptance of a rematch.
pub(crate) fn pairs(addition: &Addition) -> impl Iterator<Item = (Holder, Holder)> {
    let joined = addition.taken.iter().filter_map(|taken| Some((taken.rated_host?, taken.holder)));
    joined.chain(addition.begun.iter().filter_map(pair))
}

/// Returns the two players of a rated match between persons, or `None` for any other match.
fn pair(info: &MatchInfo) -> Option<(Holder, Holder)> {
    let mut holders = holders(info);
    let (one, other) = (holders.next()?, holders.next()?);
    info.rated.then_some((one, other))
}
