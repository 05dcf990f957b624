//! Keeps the days off of persons, and lets the clocks of their matches by correspondence follow them.

use std::sync::Arc;

use futures_util::{StreamExt as _, stream};

use super::clocks::ClockService;
use super::entries::absence_entry;
use super::repository::MatchRepository;
use crate::absence::{self, DAY, DAYS_OFF};
use crate::clock::rfc3339;
use crate::clock_setting::ClockSetting;
use crate::error::ApiError;
use crate::match_state::MatchState;
use crate::store::{AbsenceChange, AbsenceKind, Addition, Appended, EntryKind, Holder, Selection};
use crate::wire::{DaysOff, ExportedAbsence};

/// Largest number of matches whose clocks change at the same time.
const AT_ONCE: usize = 16;

/// Begins and ends the absences of persons.
pub(crate) struct DaysOffService {
    repository: Arc<MatchRepository>,
    clocks: Arc<ClockService>,
}

impl DaysOffService {
    pub(crate) fn new(repository: Arc<MatchRepository>, clocks: Arc<ClockService>) -> Self {
        Self { repository, clocks }
    }

    /// Returns the days off of a person.
    pub(crate) async fn read(&self, person: Option<Holder>) -> Result<DaysOff, ApiError> {
        let absences = match person {
            Some(person) => self.repository.store().absences_of(person).await?,
            None => Vec::new(),
        };
        let now = self.repository.time().now_ms();
        let current = absence::current(&absences, now);
        Ok(DaysOff {
            away_until: current.map(|absence| rfc3339(absence.until.div_euclid(1_000))),
            days_left: u32::try_from(absence::left_if_back(&absences, now) / DAY).unwrap_or(0),
            days: u32::try_from(DAYS_OFF).unwrap_or(0),
        })
    }

    /// Lets a person be away from now on, or back. The operation is idempotent.
    pub(crate) async fn set(&self, person: Holder, away: bool) -> Result<DaysOff, ApiError> {
        // A downtime is given back before an absence begins or ends.
        self.clocks.settle().await?;
        let store = self.repository.store();
        let absences = store.absences_of(person).await?;
        let now = self.repository.time().now_ms();
        if away != absence::current(&absences, now).is_some() {
            let kind = if away {
                AbsenceKind::Begin(absence::begin(&absences, now).ok_or(ApiError::NotAllowed(
                    "less than a day off is left of this calendar year",
                ))?)
            } else {
                AbsenceKind::End { at: now }
            };
            let changed = store.change_absence(AbsenceChange { person, kind }).await?;
            // Of two requests at the same time one has changed the absence.
            if away && changed != Appended::Stored && store.absences_of(person).await?.is_empty() {
                return Err(ApiError::NotFound("match"));
            }
        }
        self.repository.settle_absences(person).await?;
        self.read(Some(person)).await
    }

    /// Returns the absences of a person for their export.
    pub(crate) async fn exported(
        &self,
        person: Option<Holder>,
    ) -> Result<Vec<ExportedAbsence>, ApiError> {
        let Some(person) = person else { return Ok(Vec::new()) };
        let absences = self.repository.store().absences_of(person).await?;
        let exported = absences.into_iter().map(|absence| ExportedAbsence {
            began_at_ms: absence.began_at,
            until_ms: absence.until,
        });
        Ok(exported.collect())
    }
}

impl MatchRepository {
    /// Appends the absence of the player whose clock of days an action starts.
    pub(super) async fn absent(
        &self,
        state: MatchState,
        mut addition: Addition,
    ) -> Result<(MatchState, Addition), ApiError> {
        if !matches!(addition.entry.kind, EntryKind::Act(_)) {
            return Ok((state, addition));
        }
        let Some((player, person)) = state.timed_by_days() else { return Ok((state, addition)) };
        let absences = self.store().absences_of(person).await?;
        let Some(entry) = absence_entry(&state, player, &absences)? else {
            return Ok((state, addition));
        };
        let state = state.apply(&entry)?;
        addition.followed_by.push(entry);
        Ok((state, addition))
    }

    /// Lets the clock of days that runs in a match follow the absences of its player. Returns whether the log has grown.
    pub(super) async fn settle_absence(&self, id: &str) -> Result<bool, ApiError> {
        self.retry(id, async |state| {
            let Some((player, person)) = state.timed_by_days() else { return Ok(Some(false)) };
            let absences = self.store().absences_of(person).await?;
            let Some(entry) = absence_entry(&state, player, &absences)? else {
                return Ok(Some(false));
            };
            let appended = self.append(&state, entry, |addition| addition).await?;
            Ok(appended.map(|_| true))
        })
        .await
    }

    /// Lets the clocks of days in the matches of a person follow the absences.
    pub(super) async fn settle_absences(&self, person: Holder) -> Result<(), ApiError> {
        let listed = self.store().list(Selection::WithoutHelp { holder: person }).await?;
        let by_days = listed
            .into_iter()
            .filter(|listed| matches!(listed.info.clock, Some(ClockSetting::Days(_))));
        let ids = stream::iter(by_days.map(|listed| listed.info.id));
        ids.for_each_concurrent(AT_ONCE, |id| async move {
            match self.settle_absence(&id).await {
                // The match may have been removed meanwhile.
                Ok(_) | Err(ApiError::NotFound(_)) => {}
                // An unreadable match does not prevent the work in other matches.
                Err(error) => error.log(),
            }
        })
        .await;
        Ok(())
    }
}
