//! From the game to the wire: what a viewer may see, in the wire's own types.

pub(crate) mod game;
pub(crate) mod matches;
mod reasons;
mod words;

use overmate_rules::Player;

use crate::wire;

/// A player on the wire.
pub(crate) fn player(player: Player) -> wire::Player {
    match player {
        Player::A => wire::Player::A,
        Player::B => wire::Player::B,
    }
}
