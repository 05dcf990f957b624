//! Converts open offers to JSON types, with only public facts.

use overmate_rules::{Match, Player, RuleSet};

use super::matches::clock;
use crate::clock::rfc3339;
use crate::store::Offer;
use crate::wire;

/// Converts an offer to its JSON type, or returns `None` for an unknown rule set.
pub(crate) fn offer(offer: &Offer) -> Option<wire::OfferWire> {
    let rules = RuleSet::named(&offer.rules).ok()?;
    let acceptor = if offer.leads { Player::B } else { Player::A };
    Some(wire::OfferWire {
        id: offer.id.clone(),
        rules: offer.rules.clone(),
        rules_title: overmate_json::title(&offer.rules),
        games: 2 * rules.rounds(),
        clock: offer.clock.map(clock),
        seat: Match::seat(0, acceptor).into(),
        from: offer.name.clone(),
        made_at: rfc3339(offer.made_at),
    })
}

/// Converts a requester's own offer to its JSON type.
pub(crate) fn own(own: &Offer) -> Option<wire::OwnOffer> {
    Some(wire::OwnOffer {
        offer: offer(own)?,
        lasting: own.is_lasting(),
        match_id: own.match_id.clone(),
    })
}
