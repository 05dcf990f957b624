//! Finds the deals of the running matches in which help (undos, hints and analyses) is forbidden to a browser identity. No other match or
//! analysis may give help with these deals.

use overmate_rules::{BySeat, CardSet, Dealt, RuleSet};

use super::repository::MatchRepository;
use crate::error::ApiError;
use crate::matches::match_state::MatchState;
use crate::store::{Holder, Selection};

/// Deals of the running matches in which help (undos, hints and analyses) is forbidden to a browser identity.
pub(super) struct RunningDeals(Vec<Dealt>);

impl RunningDeals {
    /// Returns the deals of the running matches in which help (undos, hints and analyses) is forbidden to a browser identity.
    pub(super) async fn of(
        repository: &MatchRepository,
        holder: Option<Holder>,
    ) -> Result<Self, ApiError> {
        let Some(holder) = holder else { return Ok(Self(Vec::new())) };
        // If one of the person's running matches is damaged, the server refuses the person undos, hints and analyses, because the match's
        // deal is unknown.
        let states = repository.select(Selection::WithoutHelp { holder }).await?.all()?;
        // Deals that are still hidden from the player are left out. Otherwise the player could find the cards of such a deal by
        // trying which analyses are refused.
        let is_running = |state: &MatchState| state.result().is_none() && !state.hides_deal();
        let running = states.iter().filter(|state| is_running(state)).map(|state| {
            // The games of one round share a deal. Earlier rounds are over.
            let play = state.play();
            play.games()[play.current_index() & !1].dealt().clone()
        });
        Ok(Self(running.collect()))
    }

    /// Returns whether two given hands may occur in a game on the deal of one of the running matches. Each hand must be a subset of a dealt
    /// hand. The rules and the names of suits and ranks may differ, and the hands may be exchanged between the seats.
    pub(super) fn contain(&self, rules: &RuleSet, hands: BySeat<CardSet>) -> bool {
        // The cards of two decks are compared by the indices of their suits and ranks, because the names of suits and ranks may differ. The
        // ranks of one deck, for example, are named after chess pieces.
        let cards = rules.deck().cards();
        let is_same = |dealt: &Dealt| {
            dealt.rules().deck().cards() == cards && may_be_of(hands, dealt.hands())
        };
        self.0.iter().any(is_same)
    }
}

/// Returns whether two given hands are subsets of the two dealt hands of a deal, in this or in exchanged order.
fn may_be_of(hands: BySeat<CardSet>, dealt: BySeat<CardSet>) -> bool {
    let within = |a: CardSet, b: CardSet| a.is_subset(b);
    within(hands.first, dealt.first) && within(hands.second, dealt.second)
        || within(hands.first, dealt.second) && within(hands.second, dealt.first)
}
