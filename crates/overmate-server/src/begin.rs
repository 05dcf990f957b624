//! How a match begins: the rules, the deals, who sits where.

use std::sync::Arc;

use getrandom::SysRng;
use getrandom::rand_core::UnwrapErr;
use overmate_bots::{BuiltIn, Level};
use overmate_rules::{ByPlayer, Deal, DealSource as _, RuleSet};

use crate::contest::Contest;
use crate::error::ApiError;
use crate::identity::{random_id, random_token};
use crate::matches::now;
use crate::server::Server;
use crate::store::{Appended, Head, Holder, Request, SeatHead, Sitter};
use crate::wire::{Lead, NewMatch, Opponent};

impl Server {
    /// The match that this request has begun already.
    pub(crate) async fn begun(
        &self,
        new: &NewMatch,
        holder: Holder,
    ) -> Result<Option<Arc<Contest>>, ApiError> {
        let Some(request) = request(new, holder) else { return Ok(None) };
        // What cannot be begun has not been, whatever the request was called before.
        planned(new, holder)?;
        match self.store.begun_by(&request).await? {
            Some(id) => self.contest(&id).await.map(Some),
            None => Ok(None),
        }
    }

    /// Begins a match, or finds the one that the same request has begun in the meantime.
    pub(crate) async fn begin(
        &self,
        new: &NewMatch,
        holder: Holder,
    ) -> Result<Arc<Contest>, ApiError> {
        let request = request(new, holder);
        let (head, kind) = planned(new, holder)?;
        let contest = Contest::new(Arc::new(head.clone())).map_err(ApiError::internal)?;
        if self.store.create(head, request.clone()).await? == Appended::Taken {
            let id = match &request {
                Some(request) => self.store.begun_by(request).await?,
                None => None,
            };
            let id = id.ok_or_else(|| ApiError::internal("a match is neither new nor known"))?;
            return self.contest(&id).await;
        }
        metrics::counter!("overmate_matches_total", "opponent" => kind).increment(1);
        let contest = Arc::new(contest);
        if contest.bot_to_act().is_some() {
            self.wake_bot(&contest);
        }
        Ok(contest)
    }
}

/// The match that is asked for, and the kind of its opponent.
fn planned(new: &NewMatch, holder: Holder) -> Result<(Head, &'static str), ApiError> {
    let rules = named(&new.rules)?;
    let first_deal = new.deal.as_deref().map(|deal| numbered(&rules, deal)).transpose()?;
    let mine = SeatHead { name: name(new.names.me.clone()), sitter: Sitter::Holder(holder) };
    let their_name = name(new.names.other.clone());
    let (sitter, their_name, kind) = match new.opponent {
        Opponent::Level { level } => {
            let level = Level::new(level)
                .ok_or_else(|| ApiError::bad_request("the levels go from 1 to 9"))?;
            (Sitter::Bot(BuiltIn::Level(level), random_seed()?), None, "level")
        }
        Opponent::Perfect => (Sitter::Bot(BuiltIn::Perfect, random_seed()?), None, "perfect"),
        Opponent::Friend => (Sitter::Open, None, "friend"),
        Opponent::Both => (Sitter::Holder(holder), their_name, "both"),
    };
    let theirs = SeatHead { name: their_name, sitter };
    let i_lead = match new.lead {
        Lead::Me => true,
        Lead::Other => false,
        Lead::Random => random_seed()?.is_multiple_of(2),
    };
    let seats =
        if i_lead { ByPlayer { a: mine, b: theirs } } else { ByPlayer { a: theirs, b: mine } };
    let mut head = head(&rules, first_deal, seats)?;
    if sitter == Sitter::Open {
        head.invitation = Some(random_token()?);
    }
    Ok((head, kind))
}

/// What the client called its request, if it called it anything.
fn request(new: &NewMatch, holder: Holder) -> Option<Request> {
    new.client_id.clone().map(|client_id| Request { holder, client_id })
}

/// The rule set of a name.
pub(crate) fn named(name: &str) -> Result<Arc<RuleSet>, ApiError> {
    // A name may say the same again and again, and nobody needs that.
    if name.len() > 200 {
        return Err(ApiError::bad_request("the name of a rule set has at most 200 characters"));
    }
    RuleSet::named(name).map(RuleSet::shared).map_err(ApiError::bad_request)
}

/// A deal's canonical number.
pub(crate) fn numbered(rules: &Arc<RuleSet>, text: &str) -> Result<u64, ApiError> {
    let number = text.trim().parse::<u64>();
    let number = number.map_err(|_| ApiError::bad_request("a deal is a whole number from 0"))?;
    let dealt = Deal::numbered(rules, number).map_err(ApiError::bad_request)?;
    Ok(dealt.number())
}

/// A new match without an invitation: what is not given is drawn from the system's generator.
pub(crate) fn head(
    rules: &Arc<RuleSet>,
    first_deal: Option<u64>,
    seats: ByPlayer<SeatHead>,
) -> Result<Head, ApiError> {
    // Asked once where an error can be told: from then on it does not fail.
    random_seed()?;
    let mut generator = UnwrapErr(SysRng);
    let mut deals: Vec<u64> =
        (0..rules.rounds()).map(|_| generator.next_deal(rules).number()).collect();
    if let (Some(number), Some(first)) = (first_deal, deals.first_mut()) {
        *first = number;
    }
    Ok(Head {
        id: random_id()?,
        rules: rules.name().to_owned(),
        deals,
        watch: random_id()?,
        invitation: None,
        created_at: now(),
        seats,
    })
}

/// 64 random bits.
pub(crate) fn random_seed() -> Result<u64, ApiError> {
    getrandom::u64().map_err(ApiError::internal)
}

/// A name as it is shown to others: trimmed, and without anything that steers what shows it.
pub(crate) fn name(name: Option<String>) -> Option<String> {
    let name = name.unwrap_or_default();
    let steers = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let name: String = name.chars().filter(|c| !steers(*c)).collect();
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}
