//! Determines the effect of a finished match on the players' ratings.

use overmate_rules::{ByPlayer, Player};

use crate::matches::match_state::MatchState;
use crate::rating::anchors::anchor;
use crate::rating::match_rating::Pace;
use crate::store::{Occupant, RatedEnd, Rival};

/// Returns the rating-relevant result of a finished match, or `None` if the match changes no ratings.
pub(super) fn rated_end(state: &MatchState) -> Option<RatedEnd> {
    let info = state.info();
    let (result, setting) = (state.result()?, info.clock?);
    if !info.rated || state.is_abandoned() {
        return None;
    }
    let rival = |player: Player| match info.seats[player].occupant {
        Occupant::Holder(person) => Some(Rival::Person(person)),
        Occupant::Bot(bot, _) => anchor(&info.rules, bot).map(Rival::Anchor),
        Occupant::Open | Occupant::Deleted => None,
    };
    let rivals = ByPlayer { a: rival(Player::A)?, b: rival(Player::B)? };
    Some(RatedEnd {
        rules: info.rules.clone(),
        pace: Pace::of(setting),
        rivals,
        winner: result.winner,
        points: state.play().totals(),
    })
}
