//! Reads and changes the favourites of accounts, and the mutes and blocks that persons have set.
//!
//! An account may add every player whose profile it can see, and the opponents in its matches whose profiles are not private. A favourite
//! whose account is erased is left out of the list. A favourite whose profile has become private is left out, too, unless both accounts
//! have added each other.
//!
//! Everybody may mute or block the opponents in their matches, and the players whose profiles or challenges they can see. A muted or
//! blocked person is not told. To a blocked person, the person who has set the block is like a person who does not exist.

use std::sync::Arc;

use hmac::Mac as _;
use overmate_rules::Player;

use super::ratings::RatingService;
use super::repository::MatchRepository;
use crate::clock::now;
use crate::error::ApiError;
use crate::identity::handle::Handle;
use crate::keyed_hash::keyed_hash;
use crate::matches::match_state::{MatchState, Role};
use crate::store::{
    Appended, Between, Holder, Ignored, KnownRelation, MOST_RELATIONS, Occupant, RelationChange,
    RelationKind, Store,
};

/// Length of the id of a mute or block, in hexadecimal digits.
const ID_LENGTH: usize = 64;

/// Service that reads and changes a person's favourites, mutes and blocks.
pub(crate) struct RelationService {
    repository: Arc<MatchRepository>,
    ratings: Arc<RatingService>,
}

/// Opponent of a person in a match, with the favourites, mutes and blocks between the person and the opponent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownOpponent {
    /// Opponent whom the person may add to their favourites. `None` without accounts of both players, for an opponent with a private
    /// profile who has not added the person, and if either player has blocked the other.
    pub(crate) addable: Option<Holder>,
    /// Opponent whom the person may mute or block; `None` if the opponent is not another person.
    pub(crate) ignorable: Option<Holder>,
    pub(crate) between: Between,
}

/// Relations of a profile's viewer to the profile's owner: whether the owner is the viewer's favourite, muted or blocked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standpoint {
    /// Whether the viewer has added the profile's owner to their favourites; `None` for a viewer without an account.
    pub(crate) added: Option<bool>,
    pub(crate) muted: bool,
    pub(crate) blocked: bool,
}

impl RelationService {
    pub(crate) fn new(repository: Arc<MatchRepository>, ratings: Arc<RatingService>) -> Self {
        Self { repository, ratings }
    }

    /// Returns a person's visible favourites, ordered by handle. A favourite who has added the person, too, is always
    /// visible. Any other favourite must have a public profile, and must be a bot or have played a rated match.
    pub(crate) async fn favourites(
        &self,
        person: Option<Holder>,
    ) -> Result<Vec<KnownRelation>, ApiError> {
        let Some(person) = person else { return Ok(Vec::new()) };
        let mut known =
            self.repository.store().relations_of(person, RelationKind::Favourite).await?;
        known.retain(|known| known.is_mutual || (known.is_rated && !known.is_private));
        Ok(known)
    }

    /// Returns whether a viewer has added another person to their favourites, and whether the viewer has muted or blocked that person.
    /// Returns `None` for a viewer without an identity, and for the viewer's own profile.
    pub(crate) async fn standpoint(
        &self,
        viewer: Option<Holder>,
        person: Holder,
    ) -> Result<Option<Standpoint>, ApiError> {
        let Some(viewer) = viewer.filter(|viewer| *viewer != person) else { return Ok(None) };
        let store = self.repository.store();
        let account = store.account(viewer).await?;
        let between = store.relations_between(viewer, person).await?;
        Ok(Some(Standpoint {
            added: account.map(|_| between.has_added),
            muted: between.has_muted,
            blocked: between.has_blocked,
        }))
    }

    /// Adds the account with the given handle to the favourites of a person, if the person may see the account's profile.
    pub(crate) async fn add(&self, person: Option<Holder>, handle: &str) -> Result<(), ApiError> {
        let person = self.with_account(person).await?;
        let (account, _) = self.ratings.visible(handle, Some(person)).await?;
        if account.person == person {
            return Err(ApiError::BadRequest(
                "your favourites cannot hold your own account: choose another player".to_owned(),
            ));
        }
        self.store(person, account.person).await
    }

    /// Removes the account with the given handle from the favourites of a person. The answer does not reveal whether the account
    /// was a favourite. A text that cannot be a handle is an error.
    pub(crate) async fn remove(
        &self,
        person: Option<Holder>,
        handle: &str,
    ) -> Result<(), ApiError> {
        let person = self.with_account(person).await?;
        let handle = Handle::read(handle).map_err(|_| ApiError::NotFound("player"))?;
        let store = self.repository.store();
        let account = store.account_by_tag(handle.tag(&store.identity_key())).await?;
        let Some(account) = account else { return Ok(()) };
        let kind = RelationKind::Favourite;
        let remove = RelationChange::Remove { person, other: account.person, kind };
        store.change_relation(remove).await?;
        Ok(())
    }

    /// Returns the opponent of a person in a match between two people. Only players of the match have an opponent.
    pub(crate) async fn opponent(
        &self,
        id: &str,
        person: Option<Holder>,
    ) -> Result<KnownOpponent, ApiError> {
        let state = self.repository.load(id).await?;
        let role = state.role_of(person).ok_or(ApiError::NotFound("match"))?;
        let nobody = KnownOpponent { addable: None, ignorable: None, between: Between::default() };
        let (Role::Player(player), Some(person)) = (role, person) else { return Ok(nobody) };
        let store = self.repository.store();
        let other = match state.seats()[!player].occupant {
            Occupant::Holder(other) => Some(other),
            // If the opponent has deleted the match, the store still knows the opponent by the rating change of the match.
            Occupant::Deleted => store.rated_player(id, !player).await?,
            Occupant::Open | Occupant::Bot(..) => None,
        };
        let Some(other) = other else { return Ok(nobody) };
        let between = store.relations_between(person, other).await?;
        // If the identity of the opponent is hidden, the server does not tell whether one player has the other as a favourite. Otherwise,
        // the answer would reveal who the opponent is. A mute or block of the opponent is no secret to the person who has set the mute or
        // block.
        let Between { has_muted, has_blocked, .. } = between;
        let ignored = Between { has_muted, has_blocked, ..Between::default() };
        let unknown = KnownOpponent { addable: None, ignorable: Some(other), between: ignored };
        if store.account(person).await?.is_none() || between.is_apart() {
            return Ok(unknown);
        }
        let account = store.account(other).await?;
        // A private account is visible to the persons whom the account has added to its favourites.
        let account = account.filter(|account| !account.is_private || between.is_added);
        if account.is_none() {
            return Ok(unknown);
        }
        Ok(KnownOpponent {
            addable: Some(other),
            ignorable: Some(other),
            between: Between { is_added: between.is_mutual(), ..between },
        })
    }

    /// Adds a person's opponent in a match to the person's favourites.
    pub(crate) async fn add_opponent(
        &self,
        id: &str,
        person: Option<Holder>,
    ) -> Result<(), ApiError> {
        let KnownOpponent { addable, .. } = self.opponent(id, person).await?;
        let (Some(person), Some(other)) = (person, addable) else {
            return Err(ApiError::NotAllowed(
                "the opponent cannot become a favourite, because one of you has no account, or the profile of the opponent is private: choose another player",
            ));
        };
        self.store(person, other).await
    }

    /// Returns the mutes and blocks that a person has set, from old to new, each with an id.
    pub(crate) async fn ignored(
        &self,
        person: Option<Holder>,
    ) -> Result<Vec<(String, Ignored)>, ApiError> {
        let Some(person) = person else { return Ok(Vec::new()) };
        let ignored = self.repository.store().ignored_by(person).await?;
        Ok(ignored.into_iter().map(|one| (self.id_of(person, &one), one)).collect())
    }

    /// Sets or removes a person's mute or block of the opponent in a match.
    pub(crate) async fn ignore_opponent(
        &self,
        id: &str,
        person: Option<Holder>,
        (kind, is_set): (RelationKind, bool),
    ) -> Result<(), ApiError> {
        let KnownOpponent { ignorable, .. } = self.opponent(id, person).await?;
        let (Some(person), Some(other)) = (person, ignorable) else {
            return Err(ApiError::NotAllowed(
                "the match has no other person: choose a match against the person whom you want to mute or block",
            ));
        };
        self.set(person, other, (kind, is_set)).await
    }

    /// Mutes or blocks the account with the given handle, if the person may see the account's profile or was challenged by the
    /// account.
    pub(crate) async fn ignore(
        &self,
        person: Holder,
        handle: &str,
        kind: RelationKind,
    ) -> Result<(), ApiError> {
        let other = match self.ratings.visible(handle, Some(person)).await {
            Ok((account, _)) => account.person,
            Err(error @ ApiError::NotFound(_)) => {
                self.challenger(person, handle).await?.ok_or(error)?
            }
            Err(error) => return Err(error),
        };
        if other == person {
            return Err(ApiError::BadRequest(
                "you can neither mute nor block yourself: choose another player".to_owned(),
            ));
        }
        self.set(person, other, (kind, true)).await
    }

    /// Returns the owner of a handle if the owner has challenged the given person, otherwise `None`.
    async fn challenger(&self, person: Holder, handle: &str) -> Result<Option<Holder>, ApiError> {
        let Some(account) = self.by_handle(handle).await? else { return Ok(None) };
        let offers = self.repository.store().offers_of(account).await?;
        Ok(offers.iter().any(|offer| offer.addressee() == Some(person)).then_some(account))
    }

    async fn by_handle(&self, handle: &str) -> Result<Option<Holder>, ApiError> {
        let Ok(handle) = Handle::read(handle) else { return Ok(None) };
        let store = self.repository.store();
        let account = store.account_by_tag(handle.tag(&store.identity_key())).await?;
        Ok(account.map(|account| account.person))
    }

    /// Removes a person's mute or block of the account with the given handle. The answer does not reveal whether there was a mute
    /// or block.
    pub(crate) async fn heed(
        &self,
        person: Option<Holder>,
        handle: &str,
        kind: RelationKind,
    ) -> Result<(), ApiError> {
        if Handle::read(handle).is_err() {
            return Err(ApiError::NotFound("player"));
        }
        let (Some(person), Some(other)) = (person, self.by_handle(handle).await?) else {
            return Ok(());
        };
        self.set(person, other, (kind, false)).await
    }

    /// Removes the mute or block with the given id that a person has set.
    pub(crate) async fn heed_by_id(
        &self,
        person: Option<Holder>,
        id: &str,
    ) -> Result<(), ApiError> {
        if id.len() != ID_LENGTH {
            return Err(ApiError::NotFound("mute or block"));
        }
        let ignored = self.ignored(person).await?.into_iter().find(|(known, _)| known == id);
        let (Some(person), Some((_, one))) = (person, ignored) else { return Ok(()) };
        self.set(person, one.other, (one.kind, false)).await
    }

    /// Returns the id of a mute or block. The id is a keyed hash, which does not reveal the other person.
    fn id_of(&self, person: Holder, ignored: &Ignored) -> String {
        let hash = keyed_hash(&self.repository.store().identity_key());
        let hash = hash.chain_update("ignored ").chain_update(ignored.kind.text());
        let hash = hash.chain_update(person.0).chain_update(ignored.other.0).finalize();
        Holder(hash.into_bytes().into()).to_string()
    }

    async fn set(
        &self,
        person: Holder,
        other: Holder,
        (kind, is_set): (RelationKind, bool),
    ) -> Result<(), ApiError> {
        let store = self.repository.store();
        let change = if is_set {
            RelationChange::Add { person, other, kind, at: now() }
        } else {
            RelationChange::Remove { person, other, kind }
        };
        if let Appended::Full(_) = store.change_relation(change).await? {
            return Err(ApiError::TooManyIgnored { most: MOST_RELATIONS });
        }
        if kind == RelationKind::Block {
            self.repository.publish_lobby(store.lobby_version().await?);
        }
        Ok(())
    }

    async fn store(&self, person: Holder, other: Holder) -> Result<(), ApiError> {
        let kind = RelationKind::Favourite;
        let add = RelationChange::Add { person, other, kind, at: now() };
        match self.repository.store().change_relation(add).await? {
            Appended::Stored => Ok(()),
            Appended::Full(_) => Err(ApiError::TooManyFavourites { most: MOST_RELATIONS }),
            // The person or the new favourite no longer has an account, or one of them has blocked the other.
            Appended::Conflict => Err(ApiError::NotFound("player")),
        }
    }

    /// Returns the person who sent a request, or an error if the person has no account.
    async fn with_account(&self, person: Option<Holder>) -> Result<Holder, ApiError> {
        const NONE: ApiError = ApiError::NotFound("account");
        let person = person.ok_or(NONE)?;
        self.repository.store().account(person).await?.map(|_| person).ok_or(NONE)
    }
}

/// Returns whether the chat phrases and free-text chat messages of the opponent in a match are hidden from a player. The messages of an
/// opponent who has vacated their seat are hidden.
pub(crate) async fn hides_texts(
    store: &dyn Store,
    state: &MatchState,
    player: Player,
) -> Result<bool, ApiError> {
    match [player, !player].map(|player| state.seats()[player].occupant) {
        [Occupant::Holder(person), Occupant::Holder(other)] => {
            Ok(store.relations_between(person, other).await?.hides_texts())
        }
        [_, other] => Ok(other == Occupant::Deleted),
    }
}
