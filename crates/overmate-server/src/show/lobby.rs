//! Converts open offers to JSON types, with only public data.

use overmate_rules::{Match, Player, RuleSet};

use super::matches::clock;
use super::ratings::present;
use crate::clock::rfc3339;
use crate::rating::match_rating::MatchRating;
use crate::store::{Maker, Offer};
use crate::wire;

/// Converts an offer to its JSON type, with the maker's rating at the Unix time `at`, in seconds. Returns `None` if the
/// rule set is unknown.
pub(crate) fn offer(offer: &Offer, at: i64) -> Option<wire::OfferWire> {
    let rules = RuleSet::named(&offer.rules).ok()?;
    let maker = offer.maker.as_ref().filter(|_| offer.to.is_some());
    let acceptor = if offer.leads { Player::B } else { Player::A };
    Some(wire::OfferWire {
        id: offer.id.clone(),
        rules: offer.rules.clone(),
        rules_title: overmate_json::title(&offer.rules),
        games: 2 * rules.rounds(),
        clock: offer.clock.map(clock),
        seat: Match::seat(0, acceptor).into(),
        from: offer.name.clone(),
        bot: offer.by_bot,
        rated: offer.rated,
        bots: offer.is_for_bots(),
        rating: offer.maker.as_ref().filter(|_| offer.rated).and_then(|maker| rating(maker, at)),
        handle: maker.map(|maker| maker.handle.clone()),
        made_at: rfc3339(offer.made_at),
    })
}

/// Returns the rating of the maker of a rated offer, or `None` if the maker's profile is private.
fn rating(maker: &Maker, at: i64) -> Option<wire::RatingState> {
    let known = maker.rating.unwrap_or_else(|| MatchRating::new(at));
    (!maker.is_private).then(|| present(known.at(at)))
}

/// Converts an offer to the JSON type for the offer's maker. Returns `None` if the rule set is unknown.
pub(crate) fn own(own: &Offer, at: i64) -> Option<wire::OwnOffer> {
    Some(wire::OwnOffer {
        offer: offer(own, at)?,
        lasting: own.is_lasting(),
        to: own.to.as_ref().map(|to| to.handle.clone()),
        declined: own.is_declined(),
        match_id: own.match_id.clone(),
    })
}
