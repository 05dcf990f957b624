//! Creates, lists and removes arenas and Swiss events for operators. A server may run meanwhile.

use super::admin::Admin;
use super::admin_error::AdminError;
use crate::clock::now;
use crate::error::ApiError;
use crate::names::{LONGEST, PlayerNameFault, RefusedWords};
use crate::services::plan_event;
use crate::show;
use crate::store::queries::events;
use crate::store::queries::operators::{self, ActKind};
use crate::store::{Appended, Event, EventChange};
use crate::wire::checks::Checked as _;
use crate::wire::{EventSummary, NewEvent};

impl Admin {
    /// Creates an arena or Swiss event without a host (organiser), and returns the id of the event. If `every_days` is above 0, the event
    /// repeats after this number of days.
    ///
    /// # Errors
    ///
    /// Returns [`AdminError::Refused`] if the event is not valid, and [`AdminError::Database`] if the database fails.
    pub async fn make_event(
        &mut self,
        new: &NewEvent,
        every_days: u32,
    ) -> Result<String, AdminError> {
        if let Some(fault) = new.fault() {
            return Err(ApiError::BadRequest(fault).into());
        }
        let title = RefusedWords::default().check(new.title.as_deref());
        let title = title.map_err(|fault| {
            AdminError::Refused(match fault {
                PlayerNameFault::TooLong => format!(
                    "title: the title is too long: choose a title of at most {LONGEST} characters"
                ),
                PlayerNameFault::Refused => format!("title: {fault}"),
            })
        })?;
        let event = plan_event(new, title, None, now())?;
        let id = event.id.clone();
        let event = Event { repeat_days: every_days, ..event };
        self.store.change_event(EventChange::Make { event }).await?;
        Ok(id)
    }

    /// Returns the unfinished arenas and Swiss events, ordered by start.
    ///
    /// # Errors
    ///
    /// Returns [`AdminError::Database`] if the database fails.
    pub async fn events(&mut self) -> Result<Vec<EventSummary>, AdminError> {
        let events = self.store.events(0).await?;
        Ok(events.iter().map(show::events::listed).collect())
    }

    /// Changes the title of an arena or Swiss event, or removes it if no title is given. Returns whether an event has the id.
    pub(super) async fn rename_event(
        &mut self,
        id: &str,
        title: Option<&str>,
        reason: &str,
    ) -> Result<bool, AdminError> {
        let write = &mut self.connection;
        write.begin().await?;
        let done = async {
            let Some(host) = events::rename(write, id, title).await? else { return Ok(false) };
            // The operators' log also names the host of the event, so that the data export of this person contains the log entry.
            let target = host.map_or_else(|| id.to_owned(), |host| format!("{id} host {host}"));
            let row = operators::begin_act(write, ActKind::Rename, &target, reason).await?;
            operators::finish_act(write, row, 0).await?;
            Ok(true)
        };
        let done = done.await;
        self.connection.end(done).await
    }

    /// Removes an arena or Swiss event that has not started. Returns whether such an event existed.
    ///
    /// # Errors
    ///
    /// Returns [`AdminError::Database`] if the database fails.
    pub async fn remove_event(&mut self, id: &str) -> Result<bool, AdminError> {
        let remove = EventChange::Remove { id: id.to_owned(), host: None };
        Ok(self.store.change_event(remove).await? == Appended::Stored)
    }
}
