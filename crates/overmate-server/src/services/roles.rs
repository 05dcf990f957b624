//! Determines the role of a browser in a match.

use overmate_rules::Player;

use crate::error::ApiError;
use crate::match_state::{MatchState, Role};
use crate::store::Holder;

/// Returns the role of a browser in a match: a player by its seat, or a spectator by the spectator token. A browser without a seat
/// and without the token gets the error for an unknown match.
pub(crate) fn role_in(
    state: &MatchState,
    holder: Option<Holder>,
    watch: Option<&str>,
) -> Result<Role, ApiError> {
    let watches = watch.is_some_and(|token| token == state.info().watch);
    let role = state.role_of(holder).or(watches.then_some(Role::Spectator));
    role.ok_or(ApiError::NotFound("match"))
}

/// Returns the player (A or B) for whom a browser acts in the current position, given the browser's role.
pub(super) fn acting_player(state: &MatchState, role: Role) -> Result<Player, ApiError> {
    match role {
        Role::Player(player) => Ok(player),
        Role::Both => state.to_act().ok_or(ApiError::MatchOver),
        Role::Spectator => Err(ApiError::NotAPlayer),
    }
}
