//! Begins and ends the days off of people.

use std::sync::Arc;

use super::absences::settle_absences;
use super::clocks::ClockService;
use super::repository::MatchRepository;
use crate::clock::rfc3339;
use crate::clocks::absence;
use crate::clocks::clock_setting::DAY;
use crate::error::ApiError;
use crate::store::{AbsenceChange, AbsenceKind, Appended, Holder};
use crate::wire::{DaysOff, ExportedAbsence};

/// Service that reads, begins and ends the days off of people.
pub(crate) struct DaysOffService {
    repository: Arc<MatchRepository>,
    clocks: Arc<ClockService>,
}

impl DaysOffService {
    pub(crate) fn new(repository: Arc<MatchRepository>, clocks: Arc<ClockService>) -> Self {
        Self { repository, clocks }
    }

    /// Returns whether a person has days off now, and the number of the person's remaining days off in this year.
    pub(crate) async fn read(&self, person: Option<Holder>) -> Result<DaysOff, ApiError> {
        let absences = match person {
            Some(person) => self.repository.store().absences_of(person).await?,
            None => Vec::new(),
        };
        let now = self.repository.time().now_ms();
        let current = absence::current(&absences, now);
        let days = self.repository.limits().days_off;
        Ok(DaysOff {
            away_until: current.map(|absence| rfc3339(absence.until.div_euclid(1_000))),
            days_left: u32::try_from(absence::left_if_back(&absences, days, now) / DAY)
                .unwrap_or(0),
            days,
        })
    }

    /// Begins or ends the days off of a person. The operation is idempotent.
    pub(crate) async fn set(&self, person: Holder, away: bool) -> Result<DaysOff, ApiError> {
        // The server first credits players for server downtime, and only then begins or ends the days off.
        self.clocks.settle().await?;
        let store = self.repository.store();
        let absences = store.absences_of(person).await?;
        let now = self.repository.time().now_ms();
        if away != absence::current(&absences, now).is_some() {
            let kind = if away {
                AbsenceKind::Begin(absence::begin(&absences, self.repository.limits().days_off, now).ok_or(ApiError::NotAllowed(
                    "less than one day off remains in this calendar year: wait for the next year",
                ))?)
            } else {
                AbsenceKind::End { at: now }
            };
            let changed = store.change_absence(AbsenceChange { person, kind }).await?;
            // If the store refuses to begin a person's days off, a concurrent request may have begun them, which is no error. Without any
            // days off, the person is unknown to the store.
            if away && changed != Appended::Stored && store.absences_of(person).await?.is_empty() {
                return Err(ApiError::BROWSER_UNKNOWN);
            }
        }
        settle_absences(&self.repository, person).await?;
        self.read(Some(person)).await
    }

    /// Returns the days off of a person for the data export.
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
