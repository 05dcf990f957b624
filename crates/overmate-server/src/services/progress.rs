//! Computes the progress of a player from the logs of their latest finished matches. The analysis
//! of each match is cached.

use std::sync::Arc;

use overmate_bots::LevelPolicies;
use overmate_rules::{Dealt, Match, Player};

use super::analysis::AnalysisService;
use super::puzzles::PuzzleService;
use super::repository::MatchRepository;
use super::shared_deals::SharedDealService;
use crate::computing::compute::Class;
use crate::computing::fair_cache::FairCache;
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::matches::game_report::GameReport;
use crate::matches::match_state::{MatchState, Role};
use crate::show::progress::{Analysed, CountedMatch, games, progress};
use crate::store::Selection;
use crate::wire;

/// Maximum number of finished matches that count in a player's progress statistics. The latest matches count.
const MATCHES: u32 = 100;

/// Maximum number of matches that the server newly analyses for one request for progress statistics. The computation of the tables for one
/// match takes some tenths of a second.
const NEW_AT_ONCE: usize = 8;

/// Memory limit of the cached analyses, in bytes.
const CACHE_BYTES: u64 = 4_000_000;

/// Service that computes progress statistics from the finished matches of a browser identity.
pub(crate) struct ProgressService {
    repository: Arc<MatchRepository>,
    analysis: Arc<AnalysisService>,
    puzzles: Arc<PuzzleService>,
    shared_deals: Arc<SharedDealService>,
    solvers: Arc<SolverPool>,
    analysed: FairCache<AnalysisKey, Arc<Analysed>>,
}

/// Cache key of the analysis of one player's play in a match. The key consists of the id of the match, the analysed player, and the
/// sequence number of the last log entry.
#[derive(Clone, PartialEq, Eq)]
struct AnalysisKey {
    sequence: u64,
    player: Player,
    id: Box<str>,
}

impl ProgressService {
    pub(crate) fn new(
        repository: Arc<MatchRepository>,
        analysis: Arc<AnalysisService>,
        puzzles: Arc<PuzzleService>,
        shared_deals: Arc<SharedDealService>,
        solvers: Arc<SolverPool>,
    ) -> Self {
        let analysed = FairCache::new(CACHE_BYTES);
        Self { repository, analysis, puzzles, shared_deals, solvers, analysed }
    }

    /// Returns a person's progress statistics from their latest finished matches, their puzzles and their shared deals. The requesting
    /// browser belongs to this person. One call analyses only a few matches. The result holds the number of matches that remain.
    pub(crate) async fn progress(
        &self,
        client: Client,
        now: i64,
    ) -> Result<wire::ProgressWire, ApiError> {
        let counted = self.counted(client, NEW_AT_ONCE).await?;
        Ok(wire::ProgressWire {
            matches_at_most: MATCHES,
            puzzles: self.puzzles.streak(client.browser()).await?,
            days: self.shared_deals.streak(client.browser(), now).await?,
            ..progress(&counted)
        })
    }

    /// Returns the games of the latest finished matches of the requesting browser identity, ordered by time. All games are analysed.
    pub(crate) async fn games(&self, client: Client) -> Result<Vec<wire::ProgressGame>, ApiError> {
        Ok(games(&self.counted(client, usize::MAX).await?))
    }

    /// Returns the latest finished matches of the requesting browser identity with their analyses, from new to old. At most `new` matches
    /// are analysed in this call.
    async fn counted(&self, client: Client, mut new: usize) -> Result<Vec<CountedMatch>, ApiError> {
        let Some(holder) = client.browser() else { return Ok(Vec::new()) };
        let finished = Selection::Finished { holder, limit: MATCHES };
        let states = self.repository.list_for(finished, &self.solvers, client).await?;
        let running = self.analysis.running_deals(Some(holder)).await?;
        let mut counted = Vec::new();
        for state in states {
            let Some(Role::Player(player)) = state.role_of(Some(holder)) else { continue };
            if state.is_abandoned() {
                continue;
            }
            let mut deals = state.play().games().iter().map(overmate_rules::Game::dealt);
            let is_open = |dealt: &Dealt| {
                Class::of_hands(dealt.hands()) == Class::Cheap
                    && !running.contain(dealt.rules(), dealt.hands())
            };
            let analysed = if !deals.all(is_open) {
                Some(Arc::new(Analysed::WithoutValues))
            } else if let Some(known) =
                self.analysed.get(&AnalysisKey::new(&state, player), client.network())
            {
                Some(known)
            } else if new > 0 {
                new -= 1;
                Some(self.analyse(&state, player, client).await?)
            } else {
                None
            };
            counted.push(CountedMatch { state, player, analysed });
        }
        Ok(counted)
    }

    /// Analyses a match in the cost class `Dear` (expensive searches), so that the analysis delays no cheap search of a computer opponent.
    async fn analyse(
        &self,
        state: &Arc<MatchState>,
        player: Player,
        client: Client,
    ) -> Result<Arc<Analysed>, ApiError> {
        let shared = Arc::clone(state);
        let found =
            self.solvers.run(client, Class::Dear, move |_| analyse(&shared, player)).await?;
        let found = Arc::new(found);
        let key = AnalysisKey::new(state, player);
        self.analysed.put(key, Arc::clone(&found), client.network(), found.bytes());
        Ok(found)
    }
}

impl AnalysisKey {
    fn new(state: &MatchState, player: Player) -> Self {
        Self { sequence: state.sequence(), player, id: state.id().into() }
    }
}

/// Measures a player's play in all games of a finished match.
fn analyse(state: &MatchState, player: Player) -> Analysed {
    let mut reports = Vec::new();
    // The two games of a round share a deal.
    for (round, games) in state.play().games().chunks(2).enumerate() {
        let Some(Ok(policies)) = games.first().map(|game| LevelPolicies::new(game.dealt())) else {
            return Analysed::WithoutValues;
        };
        for (game, index) in games.iter().zip(2 * round..) {
            let is_helped = |before: usize| {
                let mut marks = state.marks().iter();
                marks.any(|mark| (mark.player, mark.game, mark.after) == (player, index, before))
            };
            let seat = Match::seat(index, player);
            reports.push(GameReport::new(game, seat, &policies, is_helped));
        }
    }
    Analysed::Games(reports)
}
