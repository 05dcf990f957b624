//! Defines the players of a match as the JSON type that requests and responses use.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Player of a match, `a` or `b`. Player `a` is *first* in game 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Player {
    /// Player A, who leads to the first move of the first game.
    A,
    /// Player B, who leads to the first move of the second game.
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
