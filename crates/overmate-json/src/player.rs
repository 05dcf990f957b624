//! Defines the JSON type of a player of a match.

use serde::{Deserialize, Serialize};

/// Player of a match, `a` or `b`. Player `a` is *first* in game 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", schema(as = Player))]
pub enum PlayerWire {
    /// Player A, who leads to the first move of the first game.
    A,
    /// Player B, who leads to the first move of the second game.
    B,
}

impl From<overmate_rules::Player> for PlayerWire {
    fn from(player: overmate_rules::Player) -> Self {
        match player {
            overmate_rules::Player::A => Self::A,
            overmate_rules::Player::B => Self::B,
        }
    }
}

impl From<PlayerWire> for overmate_rules::Player {
    fn from(player: PlayerWire) -> Self {
        match player {
            PlayerWire::A => Self::A,
            PlayerWire::B => Self::B,
        }
    }
}
