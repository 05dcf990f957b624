//! Lists the matches of the in-memory store for tests.

use super::memory_match::StoredMatch;
use super::memory_store::Tables;
use crate::store::{Listed, Selection, Unfinished};

impl Tables {
    /// Returns the stored matches in a selection, such as all matches of a person, in the order that the selection defines.
    pub(super) fn list(&self, selection: &Selection) -> Vec<Listed> {
        let (mut chosen, limit): (Vec<&StoredMatch>, u32) = match selection {
            Selection::HeldBy { holder, limit } => (self.of(*holder).collect(), *limit),
            Selection::Batch { holder, after, limit } => {
                (self.of(*holder).filter(|stored| stored.info.id > *after).collect(), *limit)
            }
            Selection::Finished { holder, limit } => {
                let is_chosen =
                    |stored: &&StoredMatch| stored.ended_at.is_some() && !stored.is_alone();
                (self.of(*holder).filter(is_chosen).collect(), *limit)
            }
            Selection::WithoutHelp { holder } => {
                let is_chosen = |stored: &&StoredMatch| {
                    let info = &stored.info;
                    let is_between_people = !info.has_bot() && !stored.is_alone();
                    stored.ended_at.is_none()
                        && (is_between_people || info.shared_deal.is_some() || info.clock.is_some())
                };
                (self.of(*holder).filter(is_chosen).collect(), u32::MAX)
            }
            Selection::Ids(ids) => {
                let is_chosen = |stored: &&StoredMatch| ids.contains(&stored.info.id);
                (self.matches.values().filter(is_chosen).collect(), u32::MAX)
            }
        };
        match selection {
            Selection::HeldBy { .. } => chosen.sort_by_key(|stored| {
                (stored.ended_at.is_some(), -stored.info.created_at, stored.info.id.clone())
            }),
            Selection::Finished { .. } => {
                chosen
                    .sort_by_key(|stored| (stored.ended_at.map(|at| -at), stored.info.id.clone()));
            }
            Selection::Batch { .. } | Selection::WithoutHelp { .. } | Selection::Ids(_) => {}
        }
        chosen.truncate(limit as usize);
        let listed = |stored: &StoredMatch| Listed {
            id: stored.info.id.clone(),
            info: Ok(stored.info.clone()),
            sequence: stored.log.len() as u64,
        };
        chosen.into_iter().map(listed).collect()
    }

    /// Returns up to `limit` unfinished matches that were created before a Unix time in seconds, ordered by creation time.
    pub(super) fn unfinished(
        &self,
        created_before: i64,
        after: Option<Unfinished>,
        limit: u32,
    ) -> Vec<Unfinished> {
        let after = after.map(|last| (last.created_at, last.id));
        let mut found: Vec<_> = self
            .matches
            .values()
            .filter(|stored| stored.ended_at.is_none() && stored.info.created_at < created_before)
            .map(|stored| stored.unfinished(self.clocks.deadlines.get(&stored.info.id).copied()))
            .filter(|found| Some((found.created_at, found.id.clone())) > after)
            .collect();
        found.sort_by_key(|found| (found.created_at, found.id.clone()));
        found.truncate(limit as usize);
        found
    }
}
