//! Measures how often a person finds the best action in live matches, grouped by thinking time. The baseline is the play of
//! other persons with near ratings.
//!
//! Only operators see these measurements. No match ends and no account is closed because of the
//! figures: everybody can consult a public solver, and good play proves nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use overmate_bots::LevelPolicies;
use overmate_rules::{Match, Player};

use super::repository::MatchRepository;
use super::selected::take_log;
use crate::clocks::clock_setting::ClockSetting;
use crate::error::ApiError;
use crate::matches::game_report::GameReport;
use crate::matches::match_state::{MatchState, Role};
use crate::rating::match_rating::Pace;
use crate::store::{Entry, EntryKind, Holder, Selection};

/// Upper bounds of the spans of thinking time by which decisions are grouped, in milliseconds. The last span has no end.
const ENDS_MS: [i64; 4] = [2_000, 5_000, 15_000, 60_000];

/// Half of the width of a rating band (a range of ratings around a person's rating), in Elo points.
const BAND: f64 = 100.0;

/// Maximum number of persons in each rating band whose decisions are counted. Persons with more recent matches come first.
const PEERS: u32 = 30;

/// Maximum number of finished matches that the server examines for each person in a rating band (range of ratings). The latest matches are
/// examined.
const PEER_MATCHES: u32 = 10;

/// Statistics of a person's decisions in their latest live matches against other people. For comparison, the type holds the statistics of
/// the opponents in these matches, and of persons with similar ratings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FairPlay {
    /// Number of matches in which the server has counted the person's decisions.
    pub matches: usize,
    /// Counts of the person's decisions for each span of thinking time, from short to long.
    pub person: Vec<TimedPlay>,
    /// Counts of the opponents' decisions for each span of thinking time, from short to long.
    pub opponents: Vec<TimedPlay>,
    /// Statistics of the decisions of other persons whose ratings are similar to the ratings of the measured person.
    pub peers: Peers,
}

/// Statistics of the decisions of persons whose ratings are similar to the ratings of a given person. Their latest live matches under the
/// rule sets of these ratings are measured.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Peers {
    /// Rating bands (ranges around the live ratings of the given person), one for each rule set of the person's latest live matches. A rule
    /// set without a live rating of the person is left out.
    pub bands: Vec<RatingBand>,
    /// Number of matches from which the decisions in `play` come. A match counts twice if the decisions of both players are counted.
    pub matches: usize,
    /// Counts of the decisions of the persons in all rating bands, for each span of thinking time from short to long.
    pub play: Vec<TimedPlay>,
}

/// Rating band: a range of live ratings under one rule set, around the rating of a given person.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RatingBand {
    /// Name of the rule set to which the ratings in this rating band belong.
    pub rules: String,
    /// Lower bound of the rating band (range of ratings), in Elo points.
    pub from: i32,
    /// Upper bound of the rating band (range of ratings), in Elo points.
    pub to: i32,
    /// Number of persons in the rating band whose decisions the server has counted in at least one match.
    pub players: usize,
}

/// Counts of players' decisions with thinking times in one range, such as 5 to 15 seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimedPlay {
    /// Upper bound, in seconds, of the thinking times in this group of decisions; `None` for the group with the longest times.
    pub below: Option<u32>,
    /// Number of real choices (decisions whose legal actions have at least two different exact values).
    pub choices: u32,
    /// Number of real choices (decisions with different exact values) in which the player took an action with the best value.
    pub best: u32,
    /// Points that the player lost against best play, summed over all decisions in which the player missed the best value.
    pub points_lost: u32,
}

/// Service that counts, for operators, how often people find the best action in live matches.
pub(crate) struct FairPlayService {
    repository: Arc<MatchRepository>,
}

impl FairPlayService {
    pub(crate) fn new(repository: Arc<MatchRepository>) -> Self {
        Self { repository }
    }

    /// Counts a person's decisions in their latest finished live matches against other people, and the decisions of other persons with
    /// similar ratings. At most `limit` matches of the person are read.
    ///
    /// The counts omit matches whose decks have no deal table.
    pub(crate) async fn measure(&self, holder: Holder, limit: u32) -> Result<FairPlay, ApiError> {
        let mut found = FairPlay { person: spans(), opponents: spans(), ..FairPlay::default() };
        let measured = self.finished(holder, limit).await?;
        for Measured { state, player, times } in &measured {
            let of_person = (*player, &mut found.person);
            let of_opponent = (!*player, &mut found.opponents);
            if count(state, times, &mut [of_person, of_opponent]) {
                found.matches += 1;
            }
        }
        let rules = measured.iter().map(|measured| measured.state.info().rules.clone());
        found.peers = self.peers(holder, &rules.collect()).await?;
        Ok(found)
    }

    /// Counts the decisions of other persons whose ratings under the given rule sets are similar to a given person's ratings.
    async fn peers(&self, holder: Holder, rules: &BTreeSet<String>) -> Result<Peers, ApiError> {
        let store = self.repository.store();
        let mut peers = Peers { play: spans(), ..Peers::default() };
        for own in store.ratings_of(holder).await? {
            if own.pace != Pace::Live || !rules.contains(&own.rules) {
                continue;
            }
            let rating = own.known.rating.rating;
            let band = (rating - BAND, rating + BAND);
            // The query for persons with similar ratings asks for one person more than needed. The result may contain the given person, who
            // is then removed.
            let near = store.rated_near(&own.rules, Pace::Live, band, PEERS + 1).await?;
            let near = near.into_iter().filter(|peer| *peer != holder).take(PEERS as usize);
            let mut players = 0;
            for peer in near {
                let mut has_counted = false;
                for Measured { state, player, times } in self.finished(peer, PEER_MATCHES).await? {
                    let is_same = state.info().rules == own.rules;
                    if is_same && count(&state, &times, &mut [(player, &mut peers.play)]) {
                        peers.matches += 1;
                        has_counted = true;
                    }
                }
                players += usize::from(has_counted);
            }
            #[allow(clippy::cast_possible_truncation, reason = "ratings are small")]
            let [from, to] = [band.0, band.1].map(|bound| bound.round() as i32);
            peers.bands.push(RatingBand { rules: own.rules, from, to, players });
        }
        Ok(peers)
    }

    /// Returns the live matches against other people among a person's `limit` latest finished matches, with the thinking times of all
    /// decisions.
    async fn finished(&self, holder: Holder, limit: u32) -> Result<Vec<Measured>, ApiError> {
        let states = self.repository.list(Selection::Finished { holder, limit }).await?;
        let finished = states.into_iter().filter_map(|state| {
            let Some(Role::Player(player)) = state.role_of(Some(holder)) else { return None };
            // Correspondence matches are left out: the time between two actions is no thinking time, and conditional answers take
            // no time.
            let is_live = matches!(state.info().clock, Some(ClockSetting::Live { .. }));
            let counts = is_live && state.is_between_people() && !state.has_program();
            (counts && !state.is_abandoned()).then_some((state, player))
        });
        let finished: Vec<(Arc<MatchState>, Player)> = finished.collect();
        let ids = finished.iter().map(|(state, _)| (state.id().to_owned(), 0)).collect();
        let mut logs = self.repository.store().entries_of(ids).await?;
        let measured = finished.into_iter().filter_map(|(state, player)| {
            // A match whose log cannot be read is left out of the returned matches.
            let log = take_log(&mut logs, state.id())?;
            let times = times(&state, &log);
            Some(Measured { state, player, times })
        });
        Ok(measured.collect())
    }
}

/// Finished match of a person, with the thinking time, in milliseconds, before each action of each game.
struct Measured {
    state: Arc<MatchState>,
    /// Role of the person in the match: player A or player B.
    player: Player,
    times: Vec<Vec<Option<i64>>>,
}

/// Returns an empty histogram of thinking times: one count of 0 decisions for each time span, from short to long.
fn spans() -> Vec<TimedPlay> {
    let ends = ENDS_MS.into_iter().map(|end| u32::try_from(end / 1_000).ok());
    ends.chain([None]).map(|below| TimedPlay { below, ..TimedPlay::default() }).collect()
}

/// Returns the players' thinking times for the actions of each game, in milliseconds; `None` for an unknown time. A match with
/// clocks has no undos, so that its log holds exactly these actions.
fn times(state: &MatchState, log: &[Entry]) -> Vec<Vec<Option<i64>>> {
    let mut times = decision_times(log).into_iter();
    let games = state.play().games().iter();
    games.map(|game| times.by_ref().take(game.actions().len()).collect()).collect()
}

/// Returns the thinking time before each action of a log, in milliseconds; `None` if unknown. The time counts from the previous action,
/// without compensated lag and downtimes. The time of the first action counts from the arrival of the opponent, if the log records this
/// arrival. Other entries, such as a new name, start no decision.
fn decision_times(log: &[Entry]) -> Vec<Option<i64>> {
    let (mut times, mut before, mut given) = (Vec::new(), None, 0);
    for entry in log {
        match entry.kind {
            EntryKind::Act(_) => {
                let passed = |before: i64| (entry.at_ms - before - entry.given_ms - given).max(0);
                times.push(before.map(passed));
                (before, given) = (Some(entry.at_ms), 0);
            }
            EntryKind::Join if times.is_empty() => before = Some(entry.at_ms),
            EntryKind::Credit => given += entry.given_ms,
            // A pause of the clocks interrupts a decision, so that the thinking time of the decision is unknown.
            EntryKind::Pause => before = None,
            _ => {}
        }
    }
    times
}

/// Adds the decisions in a match to the counts of decisions of the given players. Returns `false` if the deck has no deal table.
fn count(
    state: &MatchState,
    times: &[Vec<Option<i64>>],
    players: &mut [(Player, &mut Vec<TimedPlay>)],
) -> bool {
    // The two games of a round share a deal.
    for (round, games) in state.play().games().chunks(2).enumerate() {
        let Some(Ok(policies)) = games.first().map(|game| LevelPolicies::new(game.dealt())) else {
            return false;
        };
        for (game, index) in games.iter().zip(2 * round..) {
            for (player, counts) in players.iter_mut() {
                let seat = Match::seat(index, *player);
                for (span, count) in counts.iter_mut().enumerate() {
                    let is_elsewhere = |before: usize| {
                        let time = times.get(index).and_then(|game| *game.get(before)?);
                        time.map(span_of) != Some(span)
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

/// Returns the index, in a histogram of thinking times, of the time span that contains `ms` milliseconds.
fn span_of(ms: i64) -> usize {
    ENDS_MS.iter().take_while(|end| **end <= ms).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_begins_with_the_action_before() {
        let act = || EntryKind::Act("Tc".to_owned());
        let log = [
            (EntryKind::Join, 500, 0),
            (act(), 1_000, 0),
            (act(), 4_000, 100),
            // The log entry `Operator` changes a player's name while a player thinks about an action. The later entry `Credit` credits a
            // downtime of the servers.
            (EntryKind::Operator, 60_000, 0),
            (act(), 64_000, 0),
            (EntryKind::Credit, 90_000, 20_000),
            (act(), 94_000, 500),
            (EntryKind::Pause, 95_000, 0),
            (act(), 99_000, 0),
            (act(), 101_000, 0),
            (EntryKind::Resign, 102_000, 0),
        ];
        let log = log.into_iter().zip(1..).map(|((kind, at_ms, given_ms), sequence)| Entry {
            sequence,
            player: Player::A,
            kind,
            client_id: sequence.to_string(),
            at_ms,
            given_ms,
        });
        let log: Vec<Entry> = log.collect();
        let times = [Some(500), Some(2_900), Some(60_000), Some(9_500), None, Some(2_000)];
        assert_eq!(decision_times(&log), times);
        assert_eq!(decision_times(&log[1..]).first(), Some(&None));
    }
}
