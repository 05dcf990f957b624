//! Implements an in-memory store of the reports about players, for tests. This store contains no operators' measures against persons,
//! because it has no operators.

use super::memory_link::Link;
use super::memory_match::holder_of;
use super::memory_store::{MemoryStore, Tables};
use crate::store::{
    Appended, Holder, MOST_OF_NETWORK, MOST_REPORTS, Measures, NewReport, Quota, REPORT_PERIOD,
    Report, ReportChange, Reports, StoreFuture,
};

/// In-memory table of the reports about players.
#[derive(Default)]
pub(super) struct ReportTables {
    /// Reports about players, each with the reporting person, if known, and the reported person.
    all: Vec<(Report, Option<Holder>, Holder)>,
}

impl ReportTables {
    pub(super) fn forget(&mut self, person: Holder) {
        self.all.retain(|(_, _, reported)| *reported != person);
        for (report, reporter, ..) in &mut self.all {
            if *reporter == Some(person) {
                (report.text, *reporter) = (None, None);
            }
        }
    }

    /// Transfers all reports that a person made, or that concern the person, to another person.
    pub(super) fn join(&mut self, former: Holder, person: Holder) {
        for (_, reporter, reported) in &mut self.all {
            if *reporter == Some(former) {
                *reporter = Some(person);
            }
            if *reported == former {
                *reported = person;
            }
        }
    }
}

fn make(tables: &mut Tables, new: NewReport) -> Appended {
    let NewReport { report, reporter } = new;
    let Some(stored) = tables.matches.get(&report.match_id) else { return Appended::Conflict };
    let [own, other] =
        [report.player, !report.player].map(|player| holder_of(&stored.info, player));
    let other = other.or_else(|| tables.ratings.player(&report.match_id, !report.player));
    let reported = match (own, other) {
        (Some(own), Some(other)) if own == reporter && other != own => other,
        _ => return Appended::Conflict,
    };
    let all = &mut tables.reports.all;
    let is_same =
        |known: &Report| (&known.match_id, known.player) == (&report.match_id, report.player);
    if let Some((known, ..)) = all.iter_mut().find(|(known, ..)| is_same(known)) {
        (known.reason, known.text) = (report.reason, report.text);
        return Appended::Stored;
    }
    // Returns the seconds until fewer than `most` of the counted reports are at most a day old; 0 if that is the case now.
    let wait = |most: u32, is_counted: &dyn Fn(&Report, Option<Holder>) -> bool| {
        let counted = all.iter().filter(|(known, by, _)| is_counted(known, *by));
        let mut times: Vec<i64> = counted.map(|(known, ..)| known.at).collect();
        times.sort_unstable();
        let blocking = times.iter().rev().nth(most as usize - 1);
        blocking.map_or(0, |at| (at + REPORT_PERIOD - report.at).max(0))
    };
    let own = wait(MOST_REPORTS, &|_, by| by == Some(reporter));
    let near = wait(MOST_OF_NETWORK, &|known, _| known.network == report.network);
    let seconds = own.max(near).unsigned_abs();
    if seconds > 0 {
        return Appended::Full(Quota::Reports { seconds });
    }
    all.push((report, Some(reporter), reported));
    Appended::Stored
}

impl<L: Link> Reports for MemoryStore<L> {
    fn reports_of(&self, person: Holder) -> StoreFuture<'_, Vec<Report>> {
        self.call(move |tables| {
            let own = tables.reports.all.iter().filter(|(_, known, ..)| *known == Some(person));
            let mut own: Vec<Report> = own.map(|(report, ..)| report.clone()).collect();
            own.sort_by_key(|report| (report.at, report.id.clone()));
            own
        })
    }

    fn measures_against(&self, _: Holder) -> StoreFuture<'_, Measures> {
        self.call(|_| Measures::default())
    }

    fn change_report(&self, change: ReportChange) -> StoreFuture<'_, Appended> {
        self.write(move |tables| match change {
            ReportChange::Make(new) => make(tables, new),
            ReportChange::Confirm { .. } => Appended::Stored,
            ReportChange::Forget { before, .. } => {
                tables.reports.all.retain(|(report, ..)| report.at >= before);
                Appended::Stored
            }
        })
    }
}
