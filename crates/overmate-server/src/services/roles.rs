//! Determines the role (player or spectator) of a browser identity in a match.

use overmate_rules::Player;

use crate::error::ApiError;
use crate::matches::match_state::{MatchState, Role};
use crate::store::Holder;

/// Returns the role of a browser identity in a match: player for the holder of a seat, or spectator for a browser with
/// the spectators' token. A browser without a seat and without the token gets the error for an unknown match.
pub(crate) fn role_in(
    state: &MatchState,
    holder: Option<Holder>,
    watch: Option<&str>,
) -> Result<Role, ApiError> {
    let watches = watch.is_some_and(|token| token == state.info().watch);
    let role = state.role_of(holder).or(watches.then_some(Role::Spectator));
    role.ok_or(ApiError::NotFound("match"))
}

/// Returns the player (A or B) for whom a browser with the given role acts in the current position of a match.
pub(super) fn acting_player(state: &MatchState, role: Role) -> Result<Player, ApiError> {
    match role {
        Role::Player(player) => Ok(player),
        Role::Both => state.to_act().ok_or(ApiError::MatchOver),
        Role::Spectator => Err(ApiError::NotAPlayer),
    }
}
