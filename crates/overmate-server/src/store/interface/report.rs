//! Defines the store interface for the reports about players, and for operators' measures against persons.

use overmate_rules::Player;

use super::holder::Holder;
use super::outcome::{Appended, StoreFuture};

/// Period to which the limits on reports about players apply, in seconds: one day.
pub(crate) const REPORT_PERIOD: i64 = 24 * 60 * 60;

/// Maximum number of reports about players that a person may make within a day ([`REPORT_PERIOD`]).
pub(crate) const MOST_REPORTS: u32 = 5;

/// Maximum number of reports about players from one IP network of clients (address prefix) within a day ([`REPORT_PERIOD`]).
pub(crate) const MOST_OF_NETWORK: u32 = 20;

/// Retention of a report about a player, in seconds: 180 days.
pub(crate) const REPORT_TIME: i64 = 180 * 24 * 60 * 60;

/// Store of the reports about players, and of the moderation measures of operators against persons.
///
/// An erasure of a person's data removes their texts and their name from reports, the reports about them, and the measures against
/// them.
pub(crate) trait Reports: Send + Sync + 'static {
    /// Returns the reports that a person has made about opponents, oldest first.
    fn reports_of(&self, person: Holder) -> StoreFuture<'_, Vec<Report>>;

    /// Returns the measures that operators have taken against a person.
    fn measures_against(&self, person: Holder) -> StoreFuture<'_, Measures>;

    /// Executes a change of a report about a player, or of a measure against a person.
    fn change_report(&self, change: ReportChange) -> StoreFuture<'_, Appended>;
}

/// Reason for a player's report about their opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReportReason {
    Insults,
    Name,
    Unfair,
    Stalling,
    Other,
}

impl ReportReason {
    pub(crate) const ALL: [Self; 5] =
        [Self::Insults, Self::Name, Self::Unfair, Self::Stalling, Self::Other];

    /// Returns the text by which the database stores the reason of a report about a player.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Insults => "insults",
            Self::Name => "name",
            Self::Unfair => "unfair",
            Self::Stalling => "stalling",
            Self::Other => "other",
        }
    }
}

/// Report by a player about their opponent in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Report {
    pub(crate) id: String,
    pub(crate) match_id: String,
    /// Player who made the report about their opponent.
    pub(crate) player: Player,
    pub(crate) reason: ReportReason,
    /// Explanation by the player who made the report, or `None`.
    pub(crate) text: Option<String>,
    /// Unix time at which the report was made, in seconds.
    pub(crate) at: i64,
    /// 16-bit hash of the IP network (address prefix) from which the report was sent.
    pub(crate) network: u16,
    /// Unix time at which an operator settled the report, in seconds; `None` for an open report.
    pub(crate) settled_at: Option<i64>,
}

/// New report about a player, with the person who makes the report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NewReport {
    pub(crate) report: Report,
    /// Person who makes the report.
    pub(crate) reporter: Holder,
}

/// Change of a report about a player, or of a measure against a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ReportChange {
    /// Stores a report about a player. If the reporting player already has an open report in the match, the new reason and text
    /// replace those of the open report.
    ///
    /// Returns a conflict if the person does not hold the seat, if no other person holds the opponent's seat, or if an operator
    /// has settled the report.
    Make(NewReport),
    /// Removes an operator's warning after the warned person has confirmed the warning. `at` is the Unix time of the warning, in seconds.
    Confirm { person: Holder, at: i64 },
    /// Removes the reports that were made before the Unix time `before`, and the mutes that have ended at the Unix time `at`. Both times
    /// are in seconds.
    Forget { before: i64, at: i64 },
}

/// Measures that operators have taken against a person.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Measures {
    /// Text and Unix time (in seconds) of a warning that the person has not confirmed; `None` without such a warning.
    pub(crate) warning: Option<(String, i64)>,
    /// Unix time, in seconds, until which the person may send no chat phrases or chat messages; `None` if the person is not muted.
    pub(crate) muted_until: Option<i64>,
    /// Unix time, in seconds, at which the person's account was closed; `None` for an open account.
    pub(crate) closed_at: Option<i64>,
}
