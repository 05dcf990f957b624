//! Determines the effect of a finished match on the players' ratings.

use overmate_rules::ByPlayer;

use crate::match_rating::Pace;
use crate::match_state::MatchState;
use crate::store::{Occupant, RatedEnd};

/// Returns the result of a finished match for the players' ratings, or `None` if the match changes
/// no ratings.
pub(super) fn rated_end(state: &MatchState) -> Option<RatedEnd> {
    let info = state.info();
    let (result, setting) = (state.result()?, info.clock?);
    if !info.rated || state.is_abandoned() {
        return None;
    }
    let (Occupant::Holder(a), Occupant::Holder(b)) = (info.seats.a.occupant, info.seats.b.occupant)
    else {
        return None;
    };
    Some(RatedEnd {
        rules: info.rules.clone(),
        pace: Pace::of(setting),
        persons: ByPlayer { a, b },
        winner: result.winner,
        points: state.play().totals(),
    })
}
