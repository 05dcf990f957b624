//! Reads and changes the favourites of accounts.
//!
//! An account may add every player whose profile it can see, and the opponents in its matches whose profiles are not private. A
//! favourite whose profile has become private is left out of the list, like an erased account, unless both have added one another.

use std::sync::Arc;

use super::ratings::RatingService;
use super::repository::MatchRepository;
use crate::clock::now;
use crate::error::ApiError;
use crate::handle::Handle;
use crate::match_state::Role;
use crate::store::{
    Appended, Between, Holder, KnownRelation, MOST_RELATIONS, Occupant, RelationChange,
    RelationKind,
};

/// Service for the relations between accounts.
pub(crate) struct RelationService {
    repository: Arc<MatchRepository>,
    ratings: Arc<RatingService>,
}

/// Opponent of a person in a match, with the relations between both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownOpponent {
    /// Opponent whom the person may add; `None` for an opponent without an account or with a private profile.
    pub(crate) addable: Option<Holder>,
    pub(crate) between: Between,
}

impl RelationService {
    pub(crate) fn new(repository: Arc<MatchRepository>, ratings: Arc<RatingService>) -> Self {
        Self { repository, ratings }
    }

    /// Returns the favourites of a person whom the person may see, ordered by handle: those with a visible profile, and those who
    /// have added the person.
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

    /// Returns whether a viewer has added the account of a person; `None` for a viewer without an account, and for the person
    /// themselves.
    pub(crate) async fn has_added(
        &self,
        viewer: Option<Holder>,
        person: Holder,
    ) -> Result<Option<bool>, ApiError> {
        let Some(viewer) = viewer.filter(|viewer| *viewer != person) else { return Ok(None) };
        let store = self.repository.store();
        if store.account(viewer).await?.is_none() {
            return Ok(None);
        }
        Ok(Some(store.relations_between(viewer, person).await?.has_added))
    }

    /// Adds the account with a handle to the favourites of a person, if the person may see the profile of the account.
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

    /// Removes the account with a handle from the favourites of a person. The answer does not tell whether there was one.
    pub(crate) async fn remove(
        &self,
        person: Option<Holder>,
        handle: &str,
    ) -> Result<(), ApiError> {
        let person = self.with_account(person).await?;
        let Ok(handle) = Handle::read(handle) else { return Ok(()) };
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
        let unknown = KnownOpponent { addable: None, between: Between::default() };
        let (Role::Player(player), Some(person)) = (role, person) else { return Ok(unknown) };
        let Occupant::Holder(other) = state.seats()[!player].occupant else { return Ok(unknown) };
        let store = self.repository.store();
        if store.account(person).await?.is_none() {
            return Ok(unknown);
        }
        let between = store.relations_between(person, other).await?;
        let account = store.account(other).await?;
        // A player who has added the person may be seen by the person.
        let account = account.filter(|account| !account.is_private || between.is_added);
        // The relation to a hidden account would tell who the opponent is.
        if account.is_none() {
            return Ok(unknown);
        }
        Ok(KnownOpponent {
            addable: Some(other),
            between: Between { is_added: between.is_mutual(), ..between },
        })
    }

    /// Adds the opponent in a match to the favourites of a person.
    pub(crate) async fn add_opponent(
        &self,
        id: &str,
        person: Option<Holder>,
    ) -> Result<(), ApiError> {
        let KnownOpponent { addable, .. } = self.opponent(id, person).await?;
        let (Some(person), Some(other)) = (person, addable) else {
            return Err(ApiError::NotAllowed(
                "the opponent cannot be added, because one of you has no account, or their profile is private",
            ));
        };
        self.store(person, other).await
    }

    async fn store(&self, person: Holder, other: Holder) -> Result<(), ApiError> {
        let kind = RelationKind::Favourite;
        let add = RelationChange::Add { person, other, kind, at: now() };
        match self.repository.store().change_relation(add).await? {
            Appended::Stored => Ok(()),
            Appended::Full(_) => Err(ApiError::TooManyFavourites { most: MOST_RELATIONS }),
            // An account has ended in the meantime.
            Appended::Conflict => Err(ApiError::NotFound("player")),
        }
    }

    /// Returns the person of a request, who must have an account.
    async fn with_account(&self, person: Option<Holder>) -> Result<Holder, ApiError> {
        const NONE: ApiError = ApiError::NotFound("account");
        let person = person.ok_or(NONE)?;
        self.repository.store().account(person).await?.map(|_| person).ok_or(NONE)
    }
}
