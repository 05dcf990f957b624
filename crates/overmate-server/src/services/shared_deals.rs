//! Computes the deals of the day and of the week, which all players share, begins matches on these deals, and compares the results.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use moka::sync::Cache;
use overmate_rules::{Deal, Dealt, Game, Match, Player};
use tokio::sync::Mutex;

use super::analysis::AnalysisService;
use super::bot_accounts::check_human;
use super::new_match::plan_shared_deal;
use super::parse::rule_set;
use super::repository::MatchRepository;
use crate::clock::rfc3339;
use crate::computing::compute::Class;
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::matches::match_state::MatchState;
use crate::names::RefusedWords;
use crate::shared_deal::{SharedDeal, SharedDealKey};
use crate::store::{Appended, Holder, NewMatchRequest, Selection, SharedDealMatch};
use crate::wire::{
    SharedDealDecision, SharedDealResult, SharedDealScore, SharedDealState, SharedDealSummary,
    SharedDeals, Streak,
};

/// Maximum number of shared deals whose cards are cached.
const DRAWN: u64 = 10_000;

/// Maximum number of shared deals with cached results.
const RESULTS: u64 = 100;

/// Maximum number of shared-deal matches from which the streak of a browser identity is computed. A person who plays all deals of the days
/// and weeks reaches the limit after 36 years.
const HISTORY: u32 = 40_000;

/// Number of days in the feed of the deals of the day, including today.
const RECENT_DAYS: usize = 8;

/// Number of finished matches on a shared deal that are read and replayed at a time.
const BATCH: usize = 200;

/// Overlap, in seconds, of the time ranges of two successive queries for ended matches on a shared deal. Without the overlap, a match would
/// be missed if its commit takes long, or if the clocks of the servers differ.
const LATE: i64 = 60;

/// Interval, in seconds, between two checks that remove erased matches from the cached results of a shared deal.
const CLEANED: i64 = 600;

const NO_DEAL: ApiError = ApiError::NotFound("deal of a day or week");

/// Service that computes the shared deals of a server, begins matches on them, and compares the results.
pub(crate) struct SharedDealService {
    repository: Arc<MatchRepository>,
    analysis: Arc<AnalysisService>,
    solvers: Arc<SolverPool>,
    words: Arc<RefusedWords>,
    key: SharedDealKey,
    drawn: Cache<SharedDealOfRules, u64>,
    results: Cache<SharedDealOfRules, Arc<Mutex<Results>>>,
}

/// Key of a shared deal under one rule set: the deal (a date, or a week and a number), and the name of the rule set.
#[derive(Clone, PartialEq, Eq, Hash)]
struct SharedDealOfRules {
    deal: SharedDeal,
    rules: Arc<str>,
}

impl SharedDealOfRules {
    /// Returns the oldest match on the shared deal from a list of matches that is ordered from new to old. A person has several matches on
    /// the deal if their browsers played the deal before they belonged to one person. Returns `None` without such a match.
    fn first_of<'a>(&self, matches: &'a [SharedDealMatch]) -> Option<&'a SharedDealMatch> {
        let name = self.deal.to_string();
        matches.iter().rfind(|own| own.shared_deal == name && *own.rules == *self.rules)
    }
}

/// Cached results of the finished matches on a shared deal.
#[derive(Default)]
struct Results {
    /// Points that the player lost against best play in each finished match, by match id; `None` for a match that was resigned.
    lost: HashMap<String, Option<u32>>,
    /// Unix time, in seconds, up to which the cached results contain all ended matches on the shared deal.
    complete_until: i64,
    /// Unix time, in seconds, at which erased matches were last removed from the cached results.
    cleaned_at: i64,
}

/// Deals of the day for one UTC date, with one deal for each rule set.
pub(crate) struct DealsOfDay {
    /// Name of the day, which is the UTC date, such as `2026-11-21`.
    pub(crate) name: String,
    /// Start of the UTC day, as a Unix time in seconds.
    pub(crate) starts_at: i64,
    /// End of the UTC day, as a Unix time in seconds.
    pub(crate) ends_at: i64,
    /// Deals of the day, each as a pair of the rule set's name and the deal number. The list is empty until the day
    /// is over.
    pub(crate) deals: Vec<(&'static str, u64)>,
}

impl SharedDealService {
    pub(crate) fn new(
        repository: Arc<MatchRepository>,
        analysis: Arc<AnalysisService>,
        solvers: Arc<SolverPool>,
        words: Arc<RefusedWords>,
    ) -> Self {
        let key = repository.store().shared_deal_key();
        let drawn = Cache::new(DRAWN);
        Self { repository, analysis, solvers, words, key, drawn, results: Cache::new(RESULTS) }
    }

    /// Returns the shared deals of today, yesterday and the current week, with the results of a client. `now` is in seconds since 1970.
    pub(crate) async fn list(&self, client: Client, now: i64) -> Result<SharedDeals, ApiError> {
        let today = SharedDeal::of_day(now);
        let week = SharedDeal::of_week(now);
        let own = self.matches_of(client.browser()).await?;
        let mut deals = SharedDeals {
            today: Vec::new(),
            today_ends_at: rfc3339(today.ends_at()),
            yesterday: Vec::new(),
            week: Vec::new(),
            week_ends_at: rfc3339(week.first().map_or(now, |deal| deal.ends_at())),
            streak: streak(&own, today),
        };
        for (list, of) in [
            (&mut deals.today, vec![today]),
            (&mut deals.yesterday, today.day_before().into_iter().collect()),
            (&mut deals.week, week),
        ] {
            for deal in of {
                for name in deal.rule_sets() {
                    let key = SharedDealOfRules { deal, rules: (*name).into() };
                    list.push(self.summary(&key, &own, client, now).await?.0);
                }
            }
        }
        Ok(deals)
    }

    /// Returns the current and the longest streak of consecutive days whose deal of the day a browser identity has finished.
    pub(crate) async fn streak(
        &self,
        holder: Option<Holder>,
        now: i64,
    ) -> Result<Streak, ApiError> {
        let own = self.matches_of(holder).await?;
        Ok(Streak { current: streak(&own, SharedDeal::of_day(now)), longest: longest_streak(&own) })
    }

    /// Returns the results of all players on a shared deal. A client that has finished the deal
    /// also gets the decisions of its match.
    pub(crate) async fn result(
        &self,
        name: &str,
        rules: &str,
        client: Client,
        now: i64,
    ) -> Result<SharedDealResult, ApiError> {
        let key = key_of(name, rules, now)?;
        let own = self.matches_of(client.browser()).await?;
        let (deal, state) = self.summary(&key, &own, client, now).await?;
        let value_for_first = match deal.deal {
            Some(_) => Some(self.value(&key, client).await?),
            None => None,
        };
        let counts = self.counts(&key, now).await?;
        let better = |lost: u32| counts.range(..lost).map(|(_, players)| players).sum::<u32>();
        let decisions = match state {
            Some(state) if deal.lost.is_some() => self.decisions(&state, client).await?,
            _ => Vec::new(),
        };
        Ok(SharedDealResult {
            rank: deal.lost.map(|lost| better(lost) + 1),
            deal,
            value_for_first,
            scores: counts
                .into_iter()
                .map(|(lost, players)| SharedDealScore { lost, players })
                .collect(),
            decisions,
        })
    }

    /// Returns the match of a browser identity on a shared deal, and creates the match at the first request.
    pub(crate) async fn play(
        &self,
        name: &str,
        rules: &str,
        (holder, player_name): (Holder, Option<&str>),
        client: Client,
        now: i64,
    ) -> Result<Arc<MatchState>, ApiError> {
        let key = key_of(name, rules, now)?;
        if let Some(own) = key.first_of(&self.matches_of(Some(holder)).await?) {
            return self.repository.load(&own.id).await;
        }
        if !key.deal.is_open_at(now) {
            return Err(ApiError::NotAllowed(
                "the time of the shared deal is over: play the deal by its number in a new match",
            ));
        }
        check_human(self.repository.store(), holder).await?;
        let player_name = self.words.check(player_name)?;
        let dealt = self.draw(&key, client).await?;
        let mut info = plan_shared_deal(key.deal, &dealt, holder, player_name)?;
        self.repository.note_network(&mut info, client);
        let request = request_of(&key, holder);
        let (state, created) = self.repository.create(info, Some(request)).await?;
        if created == Appended::Stored {
            metrics::counter!("overmate_matches_total", "opponent" => "shared deal").increment(1);
        }
        Ok(state)
    }

    /// Returns the deals of the current day and of the previous seven days, from new to old.
    pub(crate) async fn recent_days(
        &self,
        client: Client,
        now: i64,
    ) -> Result<Vec<DealsOfDay>, ApiError> {
        let days = std::iter::successors(Some(SharedDeal::of_day(now)), |day| day.day_before());
        let mut recent = Vec::new();
        for day in days.take(RECENT_DAYS) {
            let mut deals = Vec::new();
            for name in day.rule_sets().iter().filter(|_| !day.is_open_at(now)) {
                let key = SharedDealOfRules { deal: day, rules: (*name).into() };
                deals.push((*name, self.draw(&key, client).await?.number()));
            }
            let (starts_at, ends_at) = (day.starts_at(), day.ends_at());
            recent.push(DealsOfDay { name: day.to_string(), starts_at, ends_at, deals });
        }
        Ok(recent)
    }

    async fn matches_of(&self, holder: Option<Holder>) -> Result<Vec<SharedDealMatch>, ApiError> {
        let Some(holder) = holder else { return Ok(Vec::new()) };
        Ok(self.repository.store().shared_deals_of(holder, HISTORY).await?)
    }

    /// Returns a shared deal, with the state of a client's match on the deal.
    async fn summary(
        &self,
        key: &SharedDealOfRules,
        own: &[SharedDealMatch],
        client: Client,
        now: i64,
    ) -> Result<(SharedDealSummary, Option<Arc<MatchState>>), ApiError> {
        let own = key.first_of(own);
        let state = match own {
            Some(own) => Some(self.repository.load(&own.id).await?),
            None => None,
        };
        let lost = state.as_deref().and_then(lost);
        let progress = match state.as_deref().map(MatchState::result) {
            Some(Some(result)) if result.resigned.is_some() => SharedDealState::Resigned,
            Some(Some(_)) => SharedDealState::Finished,
            Some(None) => SharedDealState::Running,
            None if key.deal.is_open_at(now) => SharedDealState::Open,
            None => SharedDealState::Missed,
        };
        let is_known = match progress {
            SharedDealState::Finished | SharedDealState::Resigned | SharedDealState::Missed => true,
            SharedDealState::Open | SharedDealState::Running => false,
        };
        let deal =
            if is_known { Some(self.draw(key, client).await?.number().to_string()) } else { None };
        let summary = SharedDealSummary {
            name: key.deal.to_string(),
            rules: (*key.rules).to_owned(),
            rules_title: overmate_json::title(&key.rules),
            state: progress,
            match_id: own.map(|own| own.id.clone()),
            lost,
            deal,
        };
        Ok((summary, state))
    }

    /// Returns the cards of a shared deal. The first request for the deal draws the cards, under a search permit of the requesting
    /// client.
    async fn draw(&self, key: &SharedDealOfRules, client: Client) -> Result<Dealt, ApiError> {
        let rules = rule_set(&key.rules)?;
        if let Some(number) = self.drawn.get(key) {
            return Deal::numbered(&rules, number).map_err(ApiError::internal);
        }
        let (deal, secret) = (key.deal, self.key);
        let drawn = self
            .solvers
            .run(client, Class::Cheap, move |budget| {
                deal.draw(&secret, &rules, &mut overmate_solver::Solver::new(), budget)
            })
            .await?
            .ok_or_else(|| {
                ApiError::internal("cannot draw a shared deal, because the rule set has no deal with the drawn number")
            })?;
        self.drawn.insert(key.clone(), drawn.number());
        Ok(drawn)
    }

    /// Returns the exact value of a shared deal, in points for the player who leads first. Refuses the deal of a running match in
    /// which the client may get no help: a client may play a past shared deal by its number in another match.
    async fn value(&self, key: &SharedDealOfRules, client: Client) -> Result<i32, ApiError> {
        let dealt = self.draw(key, client).await?;
        self.analysis.refuse_running_deal(dealt.rules(), dealt.hands(), client.browser()).await?;
        let game = Game::new(dealt.clone());
        let value = self
            .solvers
            .with_deal(client, dealt, move |solver, budget| solver.analyse(&game, budget).value)
            .await?;
        Ok(value.at_least().points())
    }

    /// Returns a histogram of the points that players lost on a shared deal.
    ///
    /// The call replays only matches that have ended since the last call.
    async fn counts(
        &self,
        key: &SharedDealOfRules,
        now: i64,
    ) -> Result<BTreeMap<u32, u32>, ApiError> {
        let results = self.results.get_with(key.clone(), Arc::default);
        let mut results = results.lock().await;
        let name = key.deal.to_string();
        let store = self.repository.store();
        if now - results.cleaned_at >= CLEANED {
            let kept = store.ended_on(&name, &key.rules, i64::MIN).await?;
            let kept: HashSet<String> = kept.into_iter().collect();
            results.lost.retain(|id, _| kept.contains(id));
            results.cleaned_at = now;
        }
        let mut ended = store.ended_on(&name, &key.rules, results.complete_until).await?;
        ended.retain(|id| !results.lost.contains_key(id));
        for ids in ended.chunks(BATCH) {
            for state in self.repository.list(Selection::Ids(ids.to_vec())).await? {
                results.lost.insert(state.id().to_owned(), lost(&state));
            }
        }
        results.complete_until = now - LATE;
        let mut counts = BTreeMap::new();
        for lost in results.lost.values().flatten() {
            *counts.entry(*lost).or_default() += 1;
        }
        Ok(counts)
    }

    /// Returns the decisions of player A in a finished match, in the order of play. Actions without an alternative are left out.
    async fn decisions(
        &self,
        state: &MatchState,
        client: Client,
    ) -> Result<Vec<SharedDealDecision>, ApiError> {
        let mut decisions = Vec::new();
        for (index, game) in state.play().games().iter().enumerate() {
            let seat = Match::seat(index, Player::A).into();
            let review = self.analysis.review(state, index, client).await?;
            for action in review.actions.into_iter().filter(|action| action.seat == seat) {
                if game.after(action.index).legal_actions().nth(1).is_none() {
                    continue;
                }
                let lost = action.lost.unwrap_or_default();
                decisions.push(SharedDealDecision {
                    game: index,
                    index: action.index,
                    action: action.action,
                    lost,
                    best: if lost > 0 { action.best } else { Vec::new() },
                });
            }
        }
        Ok(decisions)
    }
}

/// Parses the name of a shared deal, and checks that the deal has begun and exists under the rule set. Otherwise returns an error.
fn key_of(name: &str, rules: &str, now: i64) -> Result<SharedDealOfRules, ApiError> {
    let deal: SharedDeal = name.parse().map_err(ApiError::bad_request)?;
    if deal.starts_at() > now || !deal.rule_sets().contains(&rules) {
        return Err(NO_DEAL);
    }
    Ok(SharedDealOfRules { deal, rules: rules.into() })
}

/// Returns the idempotency key that limits a browser identity to one match on a shared deal. No client can send this client id, because the
/// id contains a colon.
fn request_of(key: &SharedDealOfRules, holder: Holder) -> NewMatchRequest {
    NewMatchRequest { holder, client_id: format!("shared:{}:{}", key.deal, key.rules) }
}

/// Returns the points that the player of a match on a shared deal lost against best play. Returns
/// `None` if the match is running or was resigned.
///
/// The player plays both sides of the deal, so best play by both ends the round in a draw. The
/// perfect opponent loses no point, so that the margin of the round is the player's loss.
fn lost(state: &MatchState) -> Option<u32> {
    let result = state.result()?;
    let totals = state.play().totals();
    result.resigned.is_none().then_some((totals.b - totals.a).max(0).unsigned_abs())
}

/// Returns the number of consecutive days, up to today or yesterday, with a finished deal of the
/// day.
fn streak(own: &[SharedDealMatch], today: SharedDeal) -> u32 {
    let finished = own.iter().filter(|own| own.is_finished);
    let finished: HashSet<&str> = finished.map(|own| own.shared_deal.as_str()).collect();
    let is_played = |day: SharedDeal| finished.contains(day.to_string().as_str());
    let last = if is_played(today) { Some(today) } else { today.day_before() };
    let days = std::iter::successors(last, |day| day.day_before());
    u32::try_from(days.take_while(|day| is_played(*day)).count()).unwrap_or(u32::MAX)
}

/// Returns the maximum number of consecutive days with a finished deal of the day.
fn longest_streak(own: &[SharedDealMatch]) -> u32 {
    let finished = own.iter().filter(|own| own.is_finished);
    // The `BTreeSet` sorts the names of days, such as `2026-11-21`, from the earliest to the latest day.
    let names: BTreeSet<&str> = finished.map(|own| own.shared_deal.as_str()).collect();
    let days = names.into_iter().filter_map(|name| name.parse::<SharedDeal>().ok());
    let (mut longest, mut run, mut last) = (0, 0, None);
    for day in days.filter(|day| matches!(day, SharedDeal::Day(_))) {
        let follows = last.is_some() && day.day_before() == last;
        run = if follows { run + 1 } else { 1 };
        longest = longest.max(run);
        last = Some(day);
    }
    longest
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::path::Path;

    use super::*;
    use crate::computing::compute::Compute;
    use crate::notices::events::InProcess;
    use crate::settings::Settings;
    use crate::store::{SqlStore, Store};

    fn at(text: &str) -> i64 {
        text.parse::<jiff::Timestamp>().expect("a time").as_second()
    }

    /// Returns the shared-deal service of a newly started test server.
    async fn started(folder: &Path) -> SharedDealService {
        let settings = Settings::new(folder.to_owned());
        let store = SqlStore::open(&settings).await;
        let store: Arc<dyn Store> = Arc::new(store.expect("a store"));
        let (repository, _) =
            MatchRepository::new(store, Arc::new(InProcess::default()), &settings.limits);
        let repository = Arc::new(repository);
        let solvers = Arc::new(SolverPool::new(Arc::new(Compute::new())));
        let analysis =
            Arc::new(AnalysisService::new(Arc::clone(&repository), Arc::clone(&solvers)));
        let words = Arc::new(RefusedWords::from_lines([]));
        SharedDealService::new(repository, analysis, solvers, words)
    }

    #[tokio::test]
    async fn days_on_which_the_server_was_down_have_their_deals() {
        let folder = tempfile::tempdir().expect("a folder");
        let holder = Holder([7; 32]);
        let client = Client::at(IpAddr::V4(Ipv4Addr::LOCALHOST)).with_browser(Some(holder));
        let missed = SharedDealOfRules {
            deal: "2028-02-29".parse().expect("a leap day"),
            rules: "bga".into(),
        };
        let before = started(folder.path()).await;
        let evening = at("2028-02-28T23:59:59Z");
        let begun = before.play("2028-02-28", "bga", (holder, None), client, evening).await;
        let begun = begun.expect("a match");
        let number = before.draw(&missed, client).await.expect("a deal").number();
        before.repository.store().close().await;
        drop(before);

        let after = started(folder.path()).await;
        let morning = at("2028-03-01T00:00:00Z");
        let deals = after.list(client, morning).await.expect("a list");
        let names: Vec<&str> = deals.today.iter().map(|deal| &*deal.name).collect();
        assert_eq!(names, ["2028-03-01"; 2]);
        let yesterday = &deals.yesterday[0];
        assert_eq!((&*yesterday.name, &*yesterday.rules), ("2028-02-29", "bga"));
        assert_eq!(yesterday.state, SharedDealState::Missed);
        assert_eq!(yesterday.deal, Some(number.to_string()));
        // A match on the deal of 29 February cannot begin any more, because this day is over. The match on the deal of 28 February, which
        // began in time, continues.
        let late = after.play("2028-02-29", "bga", (holder, None), client, morning).await;
        assert!(matches!(late, Err(ApiError::NotAllowed(_))));
        let resumed = after.play("2028-02-28", "bga", (holder, None), client, morning).await;
        assert_eq!(resumed.expect("a match").id(), begun.id());
        let days = after.recent_days(client, morning).await.expect("a feed");
        let numbers: Vec<(&str, usize)> =
            days.iter().map(|day| (&*day.name, day.deals.len())).collect();
        assert_eq!(numbers[..3], [("2028-03-01", 0), ("2028-02-29", 2), ("2028-02-28", 2)]);
        assert_eq!(days[1].deals[0], ("bga", number));
        assert_eq!(days.len(), RECENT_DAYS);
    }

    #[test]
    fn a_streak_counts_finished_days_in_a_row_up_to_today_or_yesterday() {
        let played = |name: &str, rules: &str, is_finished| SharedDealMatch {
            id: name.to_owned(),
            shared_deal: name.to_owned(),
            rules: rules.to_owned(),
            is_finished,
        };
        let own = [
            played("2028-02-26", "bga", true),
            played("2028-02-27", "bga", false),
            played("2028-02-28", "bga", true),
            played("2028-02-29", "sackson", true),
            played("2028-03-01", "bga", true),
            played("2028-03-01", "sackson", true),
            played("2028-W09-4", "sackson", true),
        ];
        let mut checked = 0;
        for (time, days) in [
            ("2028-02-26T12:00:00Z", 1),
            ("2028-02-27T12:00:00Z", 1),
            ("2028-02-28T00:00:00Z", 1),
            ("2028-02-29T23:59:59Z", 2),
            ("2028-03-01T00:00:00Z", 3),
            // In every time zone, the deal of the day changes at midnight in UTC.
            ("2028-03-02T13:59:59+14:00", 3),
            ("2028-03-02T23:59:59Z", 3),
            ("2028-03-02T12:00:00-12:00", 0),
            ("2028-03-03T00:00:00Z", 0),
        ] {
            assert_eq!(streak(&own, SharedDeal::of_day(at(time))), days, "{time}");
            checked += 1;
        }
        assert_eq!(checked, 9);
    }

    #[test]
    fn the_longest_streak_counts_finished_days_in_a_row() {
        let played = |shared_deal: &str, is_finished| SharedDealMatch {
            id: String::new(),
            shared_deal: shared_deal.to_owned(),
            rules: "bga".to_owned(),
            is_finished,
        };
        let mut own = vec![
            played("2024-03-01", true),
            played("2024-02-28", true),
            played("2024-02-29", true),
            played("2024-02-29", true),
            played("2024-W09-1", true),
            played("2024-03-02", false),
            played("2024-03-04", true),
        ];
        assert_eq!(longest_streak(&own), 3);
        own.push(played("2024-03-02", true));
        own.push(played("2024-03-03", true));
        assert_eq!(longest_streak(&own), 6);
        assert_eq!(longest_streak(&[]), 0);
    }
}
