//! Defines the JSON types of favourites.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Player whom your account has added to its favourites.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Favourite {
    /// Handle in the spelling of its owner.
    pub handle: String,
    /// Whether the player has added you, too.
    pub mutual: bool,
    /// Whether you can see a profile of the player.
    pub profile: bool,
    /// Time when you added the player, in RFC 3339.
    pub added_at: String,
}

/// Players whom your account has added.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Favourites {
    /// Favourites, ordered by handle. A player whose profile has become private is left out, unless both have added one another.
    pub favourites: Vec<Favourite>,
    /// Largest number of favourites.
    pub most: u32,
}

/// Relations between you and your opponent in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct OpponentRelation {
    /// Whether you may add the opponent: both have accounts, and the profile of the opponent is not private.
    pub addable: bool,
    /// Whether you have added the opponent.
    pub added: bool,
    /// Whether both have added one another.
    pub mutual: bool,
}
