//! Players of a match.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Player of a match. Player `a` is *first* in game 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Player {
    /// Player who leads game 0.
    A,
    /// Player who leads game 1.
    B,
}

impl From<overmate_rules::Player> for Player {
    fn from(player: overmate_rules::Player) -> Self {
        match player {
            overmate_rules::Player::A => Self::A,
            overmate_rules::Player::B => Self::B,
        }
    }
}

impl From<Player> for overmate_rules::Player {
    fn from(player: Player) -> Self {
        match player {
            Player::A => Self::A,
            Player::B => Self::B,
        }
    }
}
