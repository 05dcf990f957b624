//! Defines the JSON types of favourites, mutes and blocks.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Player whom your account has added to its favourites.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Favourite {
    /// Handle of the player, in the spelling that the player chose.
    pub handle: String,
    /// Whether the player has also added you to their favourites.
    pub mutual: bool,
    /// Whether the player is a bot, for whose account a program plays.
    pub bot: bool,
    /// Whether you can see the profile of the player.
    pub profile: bool,
    /// Time when you added the player to your favourites, in RFC 3339.
    pub added_at: String,
}

/// Players whom your account has added to its favourites.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Favourites {
    /// Favourites of your account, ordered by handle. A player whose profile has become private is left out, unless both have added one another.
    pub favourites: Vec<Favourite>,
    /// Maximum number of favourites of an account.
    pub most: u32,
}

/// Relations between you and your opponent in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[allow(clippy::struct_excessive_bools, reason = "each field answers a separate question")]
pub struct OpponentRelation {
    /// Whether you may add the opponent to your favourites. You and the opponent need accounts, and the opponent's profile may not be private.
    pub addable: bool,
    /// Whether you have added the opponent to your favourites.
    pub added: bool,
    /// Whether you and the opponent have added one another to your favourites.
    pub mutual: bool,
    /// Whether the opponent is another person, whom you may mute and block.
    pub ignorable: bool,
    /// Whether you have muted the opponent: you see none of their phrases and texts in any match.
    pub muted: bool,
    /// Whether you have blocked the opponent.
    pub blocked: bool,
}

/// Way to ignore another person: a mute, or the stricter block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IgnoreKind {
    /// You see none of the person's phrases and texts.
    Mute,
    /// You see none of the person's phrases and texts, and neither of you sees the other's open offers. Besides, the person can
    /// neither challenge you nor take your offers nor add you.
    Block,
}

/// Person whom you have muted or blocked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct IgnoredPerson {
    /// Id of the mute or block, for the request to end the mute or block.
    pub id: String,
    /// Way in which you ignore the person: mute or block.
    pub kind: IgnoreKind,
    /// Handle of the person; null if they have no account, or a profile that you cannot see.
    #[schema(required)]
    pub handle: Option<String>,
    /// Time of the mute or block, in RFC 3339.
    pub at: String,
}

/// Persons whom you have muted or blocked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct IgnoredPersons {
    /// Mutes and blocks, from old to new.
    pub ignored: Vec<IgnoredPerson>,
}
