//! Measures how often a person finds the best action in clocked matches, by the time that each decision takes them.
//!
//! The figures are for operators only. They never end a match or close an account by themselves: a program to consult is public, and good play is no proof of it.

use std::collections::HashMap;
use std::sync::Arc;

use overmate_bots::LevelPolicies;
use overmate_rules::{Match, Player};

use super::repository::MatchRepository;
use crate::error::ApiError;
use crate::game_report::GameReport;
use crate::match_state::{MatchState, Role};
use crate::store::{Entry, EntryKind, Holder, Selection};

/// Ends of the spans of time into which decisions fall, in milliseconds. A further span has no end.
const ENDS_MS: [i64; 4] = [2_000, 5_000, 15_000, 60_000];

/// Play of a person in their latest clocked matches against other people, beside the play of their opponents in the same matches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FairPlay {
    /// Number of measured matches.
    pub matches: usize,
    /// Play of the person, one element for each span of time, the shortest first.
    pub person: Vec<TimedPlay>,
    /// Play of the opponents in the same spans of time.
    pub opponents: Vec<TimedPlay>,
}

/// Decisions that took their player a span of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimedPlay {
    /// End of the span in seconds; `None` for the longest span.
    pub below: Option<u32>,
    /// Number of real choices: decisions whose legal actions have at least two different exact values.
    pub choices: u32,
    /// Number of real choices with the best value.
    pub best: u32,
    /// Points that the other real choices lost against best play.
    pub points_lost: u32,
}

/// Measures clocked matches for operators.
pub(crate) struct FairPlayService {
    repository: Arc<MatchRepository>,
}

impl FairPlayService {
    pub(crate) fn new(repository: Arc<MatchRepository>) -> Self {
        Self { repository }
    }

    /// Measures at most `limit` clocked matches of a person against other people, the latest of their finished matches.
    ///
    /// Matches of decks without a table of values do not count.
    pub(crate) async fn measure(&self, holder: Holder, limit: u32) -> Result<FairPlay, ApiError> {
        let states = self.repository.list(Selection::Finished { holder, limit }).await?;
        let measured = states.iter().filter_map(|state| {
            let Some(Role::Player(player)) = state.role_of(Some(holder)) else { return None };
            let counts = state.clock().is_some() && state.is_between_people();
            (counts && !state.is_abandoned()).then_some((state, player))
        });
        let measured: Vec<(&Arc<MatchState>, Player)> = measured.collect();
        let ids = measured.iter().map(|(state, _)| (state.id().to_owned(), 0)).collect();
        let mut logs: HashMap<String, Vec<Entry>> = HashMap::new();
        for (id, entry) in self.repository.store().entries_of(ids).await? {
            logs.entry(id).or_default().push(entry);
        }
        let mut found =
            FairPlay { matches: 0, person: spans().collect(), opponents: spans().collect() };
        for (state, player) in measured {
            let log = logs.get(state.id()).map_or(&[][..], Vec::as_slice);
            let times = times(state, log);
            let of_person = (player, &mut found.person);
            let of_opponent = (!player, &mut found.opponents);
            if count(state, &times, [of_person, of_opponent]) {
                found.matches += 1;
            }
        }
        Ok(found)
    }
}

/// Returns the empty counts of all spans of time, the shortest first.
fn spans() -> impl Iterator<Item = TimedPlay> {
    let ends = ENDS_MS.into_iter().map(|end| u32::try_from(end / 1_000).ok());
    ends.chain([None]).map(|below| TimedPlay { below, ..TimedPlay::default() })
}

/// Returns the milliseconds that the actions of each game took their players. A clocked match has no undos, so its log holds exactly these actions.
fn times(state: &MatchState, log: &[Entry]) -> Vec<Vec<i64>> {
    let acts = log.iter().enumerate().filter(|(_, entry)| matches!(entry.kind, EntryKind::Act(_)));
    let mut times = acts.map(|(index, entry)| {
        let before = index.checked_sub(1).and_then(|index| log.get(index));
        before.map_or(0, |before| (entry.at_ms - before.at_ms - entry.given_ms).max(0))
    });
    let games = state.play().games().iter();
    games.map(|game| times.by_ref().take(game.actions().len()).collect()).collect()
}

/// Adds the decisions of a match to the counts of its players; returns false if its decks have no table of values.
fn count(
    state: &MatchState,
    times: &[Vec<i64>],
    mut players: [(Player, &mut Vec<TimedPlay>); 2],
) -> bool {
    // The two games of a round share a deal.
    for (round, games) in state.play().games().chunks(2).enumerate() {
        let Some(Ok(policies)) = games.first().map(|game| LevelPolicies::new(game.dealt())) else {
            return false;
        };
        for (game, index) in games.iter().zip(2 * round..) {
            for (player, counts) in &mut players {
                let seat = Match::seat(index, *player);
                for (span, count) in counts.iter_mut().enumerate() {
                    let is_elsewhere = |before: usize| {
                        times.get(index).and_then(|game| game.get(before)).map(|ms| span_of(*ms))
                            != Some(span)
                    };
                    let report = GameReport::new(game, seat, &policies, is_elsewhere);
                    let mistakes = u32::try_from(report.mistakes.len()).unwrap_or(u32::MAX);
                    count.choices += report.choices;
                    count.best += report.choices - mistakes;
                    count.points_lost += report.points_lost();
                }
            }
        }
    }
    true
}

/// Returns the index of the span of time into which a number of milliseconds falls.
fn span_of(ms: i64) -> usize {
    ENDS_MS.iter().take_while(|end| **end <= ms).count()
}
