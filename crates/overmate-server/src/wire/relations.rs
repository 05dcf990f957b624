//! Defines the JSON types of favourites, mutes and blocks.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Favourite: a player whom you have added to the favourites of your account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Favourite {
    /// Handle of the player, in the spelling that the player chose.
    pub handle: String,
    /// Whether the player has also added you to their favourites.
    pub mutual: bool,
    /// Whether the player is a bot: an account for which a program plays.
    pub bot: bool,
    /// Whether you can see the profile of the player.
    pub profile: bool,
    /// Time when you added the player to your favourites, in RFC 3339.
    pub added_at: String,
}

/// List of your account's favourite players.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Favourites {
    /// Favourites of your account, ordered by handle. A player with a private profile is left out, unless you and the player have
    /// added one another to your favourites.
    pub favourites: Vec<Favourite>,
    /// Maximum number of favourites that an account may have.
    pub most: u32,
}

/// Your relations to your opponent in a match: favourite, mute and block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[allow(clippy::struct_excessive_bools, reason = "each field answers a separate question")]
pub struct OpponentRelation {
    /// Whether you may add the opponent to your favourites. You and the opponent need accounts, neither of you may have
    /// blocked the other, and an opponent with a private profile must have added you first.
    pub addable: bool,
    /// Whether you have added the opponent to your favourites.
    pub added: bool,
    /// Whether you and the opponent have added one another to your favourites.
    pub mutual: bool,
    /// Whether you may mute and block the opponent, which is possible only if the opponent is another person.
    pub ignorable: bool,
    /// Whether you have muted the opponent, so that you see none of their chat phrases and chat messages in any match.
    pub muted: bool,
    /// Whether you have blocked the opponent.
    pub blocked: bool,
}

/// Way to ignore another person: a mute, or a block, which is stricter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IgnoreKind {
    /// Mute: you see none of the person's chat phrases and chat messages.
    Mute,
    /// Block: you see none of the person's chat phrases and chat messages, and neither of you sees the other's open offers. The person can
    /// neither challenge you, nor accept your offers, nor add you to their favourites.
    Block,
}

/// Person whom you have muted or blocked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct IgnoredPerson {
    /// Id of the mute or block. A request to end the mute or block names this id.
    pub id: String,
    /// Way in which you ignore the person: mute or block.
    pub kind: IgnoreKind,
    /// Handle of the muted or blocked person; null if the person has no account, or a profile that you cannot see.
    #[schema(required)]
    pub handle: Option<String>,
    /// Time at which you muted or blocked the person, in RFC 3339.
    pub at: String,
}

/// List of the persons whom you have muted or blocked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct IgnoredPersons {
    /// Your mutes and blocks, from old to new.
    pub ignored: Vec<IgnoredPerson>,
}
