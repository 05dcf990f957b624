//! Settles the reports about players on behalf of operators, and takes measures against persons: warnings, mutes and closed accounts.
//! The operators' log records each act.

use super::admin::Admin;
use super::admin_error::AdminError;
use crate::clock::{DAY, now};
use crate::error::ApiError;
use crate::matches::match_state::Role;
use crate::services::MatchRepository;
use crate::show::records;
use crate::store::connection::sql::Connection;
use crate::store::interface::traces::OperatorAct;
use crate::store::queries::operator_reports::{self, FoundReport};
use crate::store::queries::operators::{self, ActKind};
use crate::store::queries::{accounts, events};
use crate::store::{Holder, player_text};

/// Measure that an operator takes against a person.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Measure {
    /// Warning, which the person reads at the next visit and has to confirm.
    Warn(String),
    /// Mute: the person may send neither chat phrases nor chat messages for this number of days. The number 0 ends the mute.
    Mute(u32),
    /// Closing of the person's account: the person can no longer sign in, play rated matches, challenge players, make or join events, make
    /// codes or access tokens, or send chat phrases and chat messages.
    Close,
    /// Reopening of the person's closed account.
    Reopen,
}

impl Admin {
    /// Returns the reports that players have made about other players, from old to new. Settled reports are included only if
    /// `has_settled` is true.
    ///
    /// # Errors
    ///
    /// Returns [`AdminError::Database`] if the database fails.
    pub async fn reports(&mut self, has_settled: bool) -> Result<Vec<FoundReport>, AdminError> {
        let mut found = operator_reports::reports(&mut self.connection, has_settled).await?;
        for report in &mut found {
            report.record = record(&self.repository, &report.match_id).await;
        }
        Ok(found)
    }

    /// Returns the entries of the operators' log, the oldest first.
    ///
    /// # Errors
    ///
    /// Returns [`AdminError::Database`] if the database fails.
    pub async fn acts(&mut self) -> Result<Vec<OperatorAct>, AdminError> {
        Ok(operators::acts(&mut self.connection).await?)
    }

    /// Settles an open report about a player, and takes no measure against the player.
    ///
    /// # Errors
    ///
    /// Returns [`AdminError`] if no open report has the id, or if the database fails.
    pub async fn settle(&mut self, id: &str, reason: &str) -> Result<(), AdminError> {
        let write = &mut self.connection;
        write.begin().await?;
        let done = async {
            let settled = operator_reports::settle(write, id, now()).await?;
            let settled = settled.ok_or_else(|| AdminError::NoReport(id.to_owned()))?;
            let target = format!("{} player {}", settled.match_id, player_text(settled.reported));
            let row = operators::begin_act(write, ActKind::Settle, &target, reason).await?;
            operators::finish_act(write, row, 0).await?;
            Ok(())
        };
        let done = done.await;
        self.connection.end(done).await
    }

    /// Takes a measure, such as a mute, against a person. If `report` is given, also settles the open report with this id.
    ///
    /// # Errors
    ///
    /// Returns [`AdminError`] if the person or the open report does not exist, if the report is about another person, if the measure
    /// needs an account that the person does not have, or if the database fails.
    pub async fn take_measure(
        &mut self,
        text: &str,
        measure: &Measure,
        reason: &str,
        report: Option<&str>,
    ) -> Result<(), AdminError> {
        let person = self.person(text).await?;
        let write = &mut self.connection;
        write.begin().await?;
        let done = async {
            let kind = match measure {
                Measure::Warn(_) => ActKind::Warn,
                Measure::Mute(0) => ActKind::Unmute,
                Measure::Mute(_) => ActKind::Mute,
                Measure::Close => ActKind::Close,
                Measure::Reopen => ActKind::Reopen,
            };
            let row = operators::begin_act(write, kind, &person.to_string(), reason).await?;
            take(write, person, measure).await?;
            if let Some(id) = report {
                let settled = operator_reports::settle(write, id, now()).await?;
                let settled = settled.ok_or_else(|| AdminError::NoReport(id.to_owned()))?;
                if settled.person != person {
                    return Err(AdminError::OtherPerson(id.to_owned()));
                }
            }
            operators::finish_act(write, row, 0).await?;
            Ok(())
        };
        let done = done.await;
        self.connection.end(done).await
    }
}

/// Returns the game record of a match without the cards that are hidden from spectators. The operator must not see these cards, because the
/// operator may play the same deals. Returns `None` if the match cannot be read, so that the reports about other matches are still shown.
async fn record(repository: &MatchRepository, id: &str) -> Option<String> {
    match repository.load(id).await {
        Ok(state) => records::record(&state, Role::Spectator).map(|record| record.to_string()),
        Err(ApiError::NotFound(_)) => None,
        Err(error) => {
            error.log();
            None
        }
    }
}

async fn take(write: &mut Connection, person: Holder, measure: &Measure) -> Result<(), AdminError> {
    let at = now();
    match measure {
        Measure::Warn(text) => {
            operator_reports::take(write, (person, "warning"), (Some(text), None), at).await?;
        }
        Measure::Mute(0) => {
            if !operator_reports::end(write, (person, "mute"), at).await? {
                return Err(AdminError::NotMuted);
            }
        }
        Measure::Mute(days) => {
            let until = at + i64::from(*days) * DAY;
            operator_reports::take(write, (person, "mute"), (None, Some(until)), at).await?;
        }
        Measure::Close => {
            accounts::handle_of(write, person).await?.ok_or(AdminError::NoAccount)?;
            // The locks on events and offers precede the measure, as in the writes of servers, so that no deadlock occurs.
            events::leave_all(write, person).await?;
            operator_reports::withdraw(write, person).await?;
            operator_reports::take(write, (person, "closed"), (None, None), at).await?;
        }
        Measure::Reopen => {
            if !operator_reports::end(write, (person, "closed"), at).await? {
                accounts::handle_of(write, person).await?.ok_or(AdminError::NoAccount)?;
                return Err(AdminError::NotClosed);
            }
        }
    }
    Ok(())
}
