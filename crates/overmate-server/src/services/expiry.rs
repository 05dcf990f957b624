//! Removes expired data, such as abandoned matches, unused invitations, ended match offers, old reports about players and old records of
//! operators' acts. A match is abandoned if it is unfinished without recent actions, or if no person has acted in it. Also folds
//! (compresses) the logs of matches that ended long ago.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::repository::MatchRepository;
use crate::error::ApiError;
use crate::store::{
    Appended, EventChange, OfferChange, PersonChange, REPORT_TIME, ReportChange, TALK_TIME,
    Unfinished,
};

/// Number of unfinished matches that one database query reads in a search for expired matches. Each removal is a separate write, so that
/// the search delays no other write.
const BATCH: u32 = 100;

/// Maximum number of unfinished matches that one search for expired matches reads. The next search continues, so that a
/// server with many matches does not read all of them every hour.
const MOST_READ: u32 = 50_000;

/// Maximum number of match logs that one run of the expiry service folds (packs into one row each). The next run continues.
const MOST_FOLDS: u32 = 10_000;

/// Service that removes expired data, such as abandoned matches.
pub(crate) struct ExpiryService {
    repository: Arc<MatchRepository>,
    stop: CancellationToken,
    /// Last match that the previous search for expired matches read, after which the next search continues. The value is `None` if that
    /// search read all old unfinished matches.
    last: Mutex<Option<Unfinished>>,
}

impl ExpiryService {
    pub(crate) fn new(repository: Arc<MatchRepository>, stop: CancellationToken) -> Self {
        Self { repository, stop, last: Mutex::default() }
    }

    /// Removes the data that has expired at the present time of the store's clock, as [`ExpiryService::sweep`] does. This clock
    /// is used because the times of offers come from it.
    pub(crate) async fn sweep_now(&self) -> Result<u64, ApiError> {
        self.sweep(self.repository.time().now()).await
    }

    /// Removes the data that has expired at the Unix time `now`, in seconds, and returns the number
    /// of removed matches. A sweep that was interrupted by a stop, or that has read [`MOST_READ`]
    /// matches, continues with the next call.
    pub(crate) async fn sweep(&self, now: i64) -> Result<u64, ApiError> {
        self.sweep_batches(now, MOST_READ / BATCH).await
    }

    async fn sweep_batches(&self, now: i64, batches: u32) -> Result<u64, ApiError> {
        let limits = self.repository.limits();
        self.repository.store().forget_counts().await?;
        self.repository.store().forget_acts(before(now, limits.operator_log_time)).await?;
        self.repository.store().change_person(PersonChange::ForgetOld { at: now }).await?;
        self.repository.store().change_offer(OfferChange::ForgetOld { at: now }).await?;
        let before_event = before(now, limits.event_time);
        self.repository
            .store()
            .change_event(EventChange::ForgetOld { before: before_event })
            .await?;
        self.repository.store().forget_talk(now.saturating_sub(TALK_TIME)).await?;
        let reports = ReportChange::Forget { before: now.saturating_sub(REPORT_TIME), at: now };
        self.repository.store().change_report(reports).await?;
        let unfinished_until = before(now, limits.unfinished_match_time);
        let unused_until = before(now, limits.invitation_time);
        let empty_until = before(now, limits.empty_match_time);
        let mut removed = 0;
        for _ in 0..batches {
            if self.stop.is_cancelled() {
                return Ok(removed);
            }
            let oldest = unfinished_until.max(unused_until).max(empty_until);
            let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).take();
            let batch = self.repository.store().unfinished(oldest, last, BATCH).await?;
            for found in &batch {
                let (kind, is_expired) = if found.is_open {
                    ("invitation", found.created_at < unused_until)
                } else if found.is_empty {
                    ("empty match", found.created_at < empty_until)
                } else {
                    // A player on days off may have more time than matches are kept.
                    let has_time = found.deadline.is_some_and(|at| at.div_euclid(1_000) > now);
                    ("match", found.acted_at < unfinished_until && !has_time)
                };
                // A match is not removed if its log has grown since the match was found, because such a match has not expired.
                if is_expired && self.repository.remove(&found.id, found.sequence).await? {
                    metrics::counter!("overmate_expired_total", "kind" => kind).increment(1);
                    removed += 1;
                }
                if self.stop.is_cancelled() {
                    return Ok(removed);
                }
            }
            if batch.len() < BATCH as usize {
                break;
            }
            *self.last.lock().unwrap_or_else(PoisonError::into_inner) =
                batch.into_iter().next_back();
        }
        self.fold(now).await?;
        Ok(removed)
    }

    /// Folds (compresses) the log of each match that ended long ago into one database row. Each log is folded in a separate write.
    async fn fold(&self, now: i64) -> Result<(), ApiError> {
        let Some(days) = self.repository.limits().fold_days else { return Ok(()) };
        let time = Duration::from_hours(24 * u64::from(days));
        let store = self.repository.store();
        for _ in 0..MOST_FOLDS / BATCH {
            let batch = store.foldable(before(now, time), BATCH).await?;
            let is_last = batch.len() < BATCH as usize;
            for id in batch {
                if self.stop.is_cancelled() {
                    return Ok(());
                }
                // Another server may have folded the log already.
                if store.fold(id).await? == Appended::Stored {
                    metrics::counter!("overmate_folded_total").increment(1);
                }
            }
            if is_last {
                break;
            }
        }
        Ok(())
    }
}

/// Returns the Unix time, in seconds, that is earlier than `now` by the given duration.
fn before(now: i64, time: Duration) -> i64 {
    now.saturating_sub(i64::try_from(time.as_secs()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use overmate_rules::Player;

    use super::*;
    use crate::notices::events::InProcess;
    use crate::settings::Settings;
    use crate::store::{Addition, Entry, EntryKind, MatchInfo, SqlStore, Store};

    #[tokio::test]
    async fn a_sweep_reads_a_limited_number_of_matches_and_the_next_one_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut settings = Settings::new(folder.path().to_owned());
        settings.limits = settings.limits.lifted();
        let store: Arc<dyn Store> = Arc::new(SqlStore::open(&settings).await.expect("a store"));
        for number in 0..BATCH + 20 {
            let info = MatchInfo { id: format!("{number:032x}"), ..MatchInfo::sample() };
            let info = MatchInfo { watch: info.id.clone(), invitation: None, ..info };
            assert_eq!(store.create(info, None).await.expect("a write"), Appended::Stored);
        }
        let events = Arc::new(InProcess::default());
        let (repository, _notices) =
            MatchRepository::new(Arc::clone(&store), events, &settings.limits);
        let service = ExpiryService::new(Arc::new(repository), CancellationToken::new());
        let mut removed = Vec::new();
        for _ in 0..3 {
            removed.push(service.sweep_batches(i64::MAX, 1).await.expect("a sweep"));
        }
        assert_eq!(removed, [u64::from(BATCH), 20, 0]);
    }

    #[tokio::test]
    async fn a_match_with_a_new_log_entry_is_not_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = Settings::new(folder.path().to_owned());
        let store = SqlStore::open(&settings).await.expect("a store");
        let info = MatchInfo::sample();
        let id = info.id.clone();
        assert_eq!(store.create(info, None).await.expect("a write"), Appended::Stored);
        let found = store.unfinished(1, None, BATCH).await.expect("a list");
        assert_eq!((found.len(), found[0].sequence, found[0].acted_at), (1, 0, 0));
        let kind = EntryKind::Act("Tc".to_owned());
        let entry = Entry {
            sequence: 1,
            player: Player::A,
            kind,
            client_id: "1".to_owned(),
            at_ms: 5_000,
            given_ms: 0,
        };
        let appended = store.append(Addition::of(&id, entry.clone())).await.expect("a write");
        assert_eq!(appended, Appended::Stored);
        assert_eq!(store.remove(id.clone(), 0).await.expect("a write"), Appended::Conflict);
        let found = store.unfinished(1, None, BATCH).await.expect("a list");
        assert_eq!((found[0].sequence, found[0].acted_at), (1, 5));
        assert_eq!(store.remove(id.clone(), 1).await.expect("a write"), Appended::Stored);
        // A second removal of the removed match, and a new log entry for this match, both give a conflict.
        assert_eq!(store.remove(id.clone(), 1).await.expect("a write"), Appended::Conflict);
        let entry = Entry { sequence: 1, client_id: "2".to_owned(), ..entry };
        let appended = store.append(Addition::of(&id, entry)).await.expect("a write");
        assert_eq!(appended, Appended::Conflict);
        assert_eq!(store.entries(&id, 0).await.expect("a read"), None);
    }
}
