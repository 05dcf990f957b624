//! Defines the store interface for the relations between persons: favourites, mutes and blocks.

use super::holder::Holder;
use super::outcome::{Appended, StoreFuture};

/// Maximum number of relations of one kind (favourites, mutes or blocks) that a person may have.
pub(crate) const MOST_RELATIONS: usize = 200;

/// Store of the relations between persons: favourites, mutes and blocks.
///
/// A person and their favourite both need accounts. A relation is removed when the data of either person are erased. When a person
/// is merged into another person, the relations are transferred to that other person.
pub(crate) trait Relations: Send + Sync + 'static {
    /// Returns the favourites, mutes or blocks that a person has added, ordered by handle.
    fn relations_of(
        &self,
        person: Holder,
        kind: RelationKind,
    ) -> StoreFuture<'_, Vec<KnownRelation>>;

    /// Returns the mutes and blocks that a person has added, oldest first.
    fn ignored_by(&self, person: Holder) -> StoreFuture<'_, Vec<Ignored>>;

    /// Returns the relations between two persons, such as favourites and blocks, in both directions.
    fn relations_between(&self, person: Holder, other: Holder) -> StoreFuture<'_, Between>;

    /// Executes a change of the relations between two persons, such as a new favourite or block. Returns a conflict if both persons
    /// are equal. An added favourite is also a conflict if one of the persons has no account, or has blocked the other person.
    fn change_relation(&self, change: RelationChange) -> StoreFuture<'_, Appended>;
}

/// Kind of relation between two persons: favourite, mute or block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum RelationKind {
    /// A person has added another person to their favourites.
    Favourite,
    /// A person does not want to see the chat phrases and chat messages of another person.
    Mute,
    /// A person refuses challenges, offers and chat messages by another person. A block includes a mute, and neither of the two persons can
    /// be a favourite of the other person.
    Block,
}

impl RelationKind {
    /// Returns the text by which the database stores the kind of a relation (favourite, mute or block) between two persons.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Favourite => "favourite",
            Self::Mute => "mute",
            Self::Block => "block",
        }
    }
}

/// Relation (favourite, mute or block) of a person to another person who has an account.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each field answers a separate question")]
pub(crate) struct KnownRelation {
    /// Handle of the person on a list of favourites, mutes or blocks.
    pub(crate) handle: String,
    /// Unix time at which the favourite, mute or block was added, in seconds.
    pub(crate) at: i64,
    /// Whether the person on a list of favourites, mutes or blocks has added the owner of the list as a favourite.
    pub(crate) is_mutual: bool,
    /// Whether the profile of the person on a list of favourites, mutes or blocks is private.
    pub(crate) is_private: bool,
    /// Whether the person on a list of favourites, mutes or blocks has played a rated match or is a bot.
    pub(crate) is_rated: bool,
    /// Whether the person on a list of favourites, mutes or blocks is a bot.
    pub(crate) is_bot: bool,
}

/// Mute or block of a person against another person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ignored {
    /// Muted or blocked person.
    pub(crate) other: Holder,
    pub(crate) kind: RelationKind,
    /// Unix time at which the mute or block was added, in seconds.
    pub(crate) at: i64,
    /// Handle of the muted or blocked person; `None` if their profile is not public.
    pub(crate) handle: Option<String>,
}

/// Relations, such as favourites and blocks, between a first and a second person, in both directions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each field answers a separate question")]
pub(crate) struct Between {
    /// Whether the first of two persons has added the second person to their favourites.
    pub(crate) has_added: bool,
    /// Whether the second of two persons has added the first person to their favourites.
    pub(crate) is_added: bool,
    /// Whether the first of two persons has muted the second person.
    pub(crate) has_muted: bool,
    /// Whether the first of two persons has blocked the second person.
    pub(crate) has_blocked: bool,
    /// Whether the second of two persons has blocked the first person.
    pub(crate) is_blocked: bool,
}

impl Between {
    /// Returns whether each of two persons has added the other person to their favourites.
    pub(crate) fn is_mutual(self) -> bool {
        self.has_added && self.is_added
    }

    /// Returns whether the second person's chat phrases and chat messages are hidden from the first person.
    pub(crate) fn hides_texts(self) -> bool {
        self.has_muted || self.has_blocked
    }

    /// Returns whether at least one of the two persons has blocked the other person.
    pub(crate) fn is_apart(self) -> bool {
        self.has_blocked || self.is_blocked
    }
}

/// Change of the relations of a person, such as a new favourite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RelationChange {
    /// Adds a favourite, mute or block, unless the person already has the maximum number ([`MOST_RELATIONS`]) of relations of this
    /// kind. A repeated change has no effect.
    Add { person: Holder, other: Holder, kind: RelationKind, at: i64 },
    /// Removes a favourite, mute or block. If the relation does not exist, the change has no effect.
    Remove { person: Holder, other: Holder, kind: RelationKind },
}

impl RelationChange {
    /// Returns the two persons between whom a relation (favourite, mute or block) changes.
    pub(crate) fn persons(self) -> [Holder; 2] {
        match self {
            Self::Add { person, other, .. } | Self::Remove { person, other, .. } => [person, other],
        }
    }

    /// Returns the kind of the relation (favourite, mute or block) that changes.
    pub(crate) fn kind(self) -> RelationKind {
        match self {
            Self::Add { kind, .. } | Self::Remove { kind, .. } => kind,
        }
    }
}
