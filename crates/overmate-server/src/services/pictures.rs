//! Renders pictures of deals, and schedules the work fairly between clients. Recent pictures are cached.

use std::sync::Arc;

use overmate_rules::{Deal, Dealt, RuleSet};

use super::parse::{numbered_deal, rule_set};
use crate::computing::compute::Class;
use crate::computing::fair_cache::FairCache;
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::matches::match_state::MatchState;
use crate::picture::{board_with_words, image_of};
use crate::shared_deal::SharedDeal;

/// Memory limit of the cached pictures of deals, in bytes.
const CACHE_BYTES: u64 = 16_000_000;

/// Rule set and number of the deal in the preview picture for pages without a deal.
const SAMPLE: (&str, u64) = ("sackson", 20_010);

/// Service that renders and caches pictures of deals.
pub(crate) struct PictureService {
    /// Cached pictures of deals, by deal. The key `None` holds the picture for pages without a deal.
    pictures: FairCache<Option<Dealt>, Arc<[u8]>>,
    solvers: Arc<SolverPool>,
}

/// Parses the deal that a picture shows, from the name of the rule set and the deal number.
pub(crate) fn deal_of(rules: &str, number: &str) -> Result<Dealt, ApiError> {
    numbered_deal(&rule_set(rules)?, number)
}

/// Returns the deal of a match's current game, or `None` if the preview of a link to the match must not show the deal. `now` is in seconds
/// since 1970.
///
/// The link preview may not show the deal in three cases. A card of the rule set may lie face down.
/// The deal belongs to a running day or week. Or nobody has joined yet and the deal is random, so
/// that the guest could analyse the deal before the match.
pub(crate) fn previewed_deal(state: &MatchState, now: i64) -> Option<&Dealt> {
    let waits = state.open_seat().is_some() && !state.info().deal_chosen;
    let shared = state.info().shared_deal.as_deref();
    let is_over = |name: &str| name.parse().is_ok_and(|deal: SharedDeal| deal.ends_at() <= now);
    let is_secret =
        waits || overmate_json::hides_cards(state.rules()) || !shared.is_none_or(is_over);
    (!is_secret).then(|| state.play().current().dealt())
}

impl PictureService {
    pub(crate) fn new(solvers: Arc<SolverPool>) -> Self {
        Self { pictures: FairCache::new(CACHE_BYTES), solvers }
    }

    /// Returns an image of the board of a deal: the cards of both hands, by suit and rank. Without a deal, the result is the image of the
    /// whole site. The image has the media type [`MEDIA_TYPE`](crate::picture::MEDIA_TYPE).
    pub(crate) async fn image(
        &self,
        deal: Option<Dealt>,
        client: Client,
    ) -> Result<Arc<[u8]>, ApiError> {
        if let Some(image) = self.pictures.get(&deal, client.network()) {
            return Ok(image);
        }
        let image = self.draw(deal.clone(), client).await?;
        let bytes = u64::try_from(image.len()).unwrap_or(u64::MAX);
        self.pictures.put(deal, Arc::clone(&image), client.network(), bytes);
        Ok(image)
    }

    async fn draw(&self, deal: Option<Dealt>, client: Client) -> Result<Arc<[u8]>, ApiError> {
        let svg = if let Some(deal) = deal {
            let title = overmate_json::title(deal.rules().name());
            board_with_words(&deal, &[&deal.number().to_string(), &title])
        } else {
            let rules = RuleSet::named(SAMPLE.0).map_err(ApiError::internal)?.shared();
            let sample = Deal::numbered(&rules, SAMPLE.1).map_err(ApiError::internal)?;
            board_with_words(&sample, &["Mate"])
        };
        let permit = self.solvers.permit(Class::Cheap, client).await?;
        let image = permit.run(move || image_of(&svg)).await?.map_err(ApiError::internal)?;
        Ok(image.into())
    }
}
