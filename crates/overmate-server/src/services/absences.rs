//! Pauses and resumes the clocks of correspondence matches for the days off of their players.

use futures_util::{StreamExt as _, stream};

use super::entries::{absence_entry, timed_by_days};
use super::repository::MatchRepository;
use crate::clocks::absence::Absence;
use crate::clocks::clock_setting::ClockSetting;
use crate::error::ApiError;
use crate::store::{Holder, Selection};

/// Maximum number of matches whose clocks are concurrently paused or resumed for days off.
const AT_ONCE: usize = 16;

/// Pauses or resumes a match's running correspondence clock once, if the clock does not agree with the days off of its player. The change
/// is one log entry. Returns whether the log has grown.
pub(super) async fn settle_absence(
    repository: &MatchRepository,
    id: &str,
) -> Result<bool, ApiError> {
    repository
        .retry(id, async |state| {
            let Some((player, person)) = timed_by_days(&state) else { return Ok(Some(false)) };
            let absences = repository.store().absences_of(person).await?;
            let Some(entry) = absence_entry(&state, player, &absences)? else {
                return Ok(Some(false));
            };
            let appended = repository.append(&state, entry, |addition| addition).await?;
            Ok(appended.map(|_| true))
        })
        .await
}

/// Pauses or resumes a match's running correspondence clock repeatedly, until the clock agrees with the days off of its player. The server
/// calls this function before it decides whether the player has lost on time.
pub(super) async fn follow(repository: &MatchRepository, id: &str) -> Result<(), ApiError> {
    while settle_absence(repository, id).await? {}
    Ok(())
}

/// Pauses or resumes the correspondence clocks in all matches of a person for the person's days off.
pub(super) async fn settle_absences(
    repository: &MatchRepository,
    person: Holder,
) -> Result<(), ApiError> {
    let listed = repository.store().list(Selection::WithoutHelp { holder: person }).await?;
    // A match that cannot be read is skipped, so that the clocks of the person's other matches are still paused or resumed.
    let infos = listed.into_iter().filter_map(|listed| listed.info.ok());
    let by_days = infos.filter(|info| matches!(info.clock, Some(ClockSetting::Days(_))));
    let ids = stream::iter(by_days.map(|info| info.id));
    let absences = &repository.store().absences_of(person).await?;
    ids.for_each_concurrent(AT_ONCE, |id| async move {
        match settle_one(repository, &id, person, absences).await {
            // The match may have been removed since the list of matches was read.
            Ok(_) | Err(ApiError::NotFound(_)) => {}
            // An error in one match is only logged, so that the clocks of the person's other matches are still paused or resumed.
            Err(error) => error.log(),
        }
    })
    .await;
    Ok(())
}

/// Pauses or resumes a match's running correspondence clock for a person's days off, if the clock belongs to this person. Returns whether
/// the log has grown. `absences` are the days off that the caller has read. If the clock disagrees with them, the days off are read again,
/// because they may have changed meanwhile.
async fn settle_one(
    repository: &MatchRepository,
    id: &str,
    person: Holder,
    absences: &[Absence],
) -> Result<bool, ApiError> {
    let state = repository.load(id).await?;
    let timed = timed_by_days(&state).filter(|(_, of)| *of == person);
    let Some((player, _)) = timed else { return Ok(false) };
    if absence_entry(&state, player, absences)?.is_none() {
        return Ok(false);
    }
    settle_absence(repository, id).await
}
