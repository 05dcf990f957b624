//! Limits the number of rated matches that two persons begin with each other within a day.

use super::repository::MatchRepository;
use crate::clock::DAY;
use crate::error::ApiError;
use crate::store::Holder;

/// Refuses a rated match of two persons who have reached the operator's limit on rated matches with each other within 24 hours.
/// Otherwise two accounts could raise one of their ratings without limit by matches with each other.
///
/// This check refuses early. The store checks again in the transaction that begins the match, so that concurrent requests do not
/// exceed the limit.
pub(super) async fn check_pair(
    repository: &MatchRepository,
    one: Holder,
    other: Holder,
) -> Result<(), ApiError> {
    match full_limit(repository, one, other).await? {
        Some(most) => Err(ApiError::TooManyRated { most }),
        None => Ok(()),
    }
}

/// Returns the operator's limit on rated matches between two persons within 24 hours if the two persons have reached
/// the limit, otherwise `None`.
pub(super) async fn full_limit(
    repository: &MatchRepository,
    one: Holder,
    other: Holder,
) -> Result<Option<u32>, ApiError> {
    let Some(most) = repository.limits().rated_matches_of_pair else { return Ok(None) };
    let since = repository.time().now() - DAY;
    let number = repository.store().rated_between(one, other, since).await?;
    Ok((number >= u64::from(most)).then_some(most))
}
