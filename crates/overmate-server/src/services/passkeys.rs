//! Registers passkeys, and checks the answers of authenticators to challenges (Web Authentication, level 3).
//!
//! Several servers may share the database. Each challenge is therefore stored with the state of its ceremony, and removed at its
//! first use.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::clock::now;
use crate::error::ApiError;
use crate::identity::relying_party::{NewCredential, RelyingParty, SignInCredential, Started};
use crate::names::RefusedWords;
use crate::random::random_id;
use crate::store::{
    Appended, Holder, MOST_PASSKEYS, PasskeyChallenge, PasskeyChange, PersonChange, SignInProof,
    Store, StoredPasskey,
};
use crate::wire::{PasskeyAnswer, PasskeyOptions};

/// Validity period of a passkey challenge, in seconds. Browsers wait for an authenticator for the same time.
pub(crate) const CHALLENGE_TIME: i64 = 5 * 60;

/// Service that registers passkeys, and signs people in by passkeys.
pub(crate) struct PasskeyService {
    store: Arc<dyn Store>,
    words: Arc<RefusedWords>,
}

/// State of a passkey registration or sign-in between the server's challenge and the authenticator's answer.
#[derive(Serialize, Deserialize)]
enum Ceremony {
    /// Registration of a passkey for a new account with the given handle. Without a handle, the passkey is for the account of the
    /// requesting person.
    Register { handle: Option<String>, user: Uuid, state: Value },
    /// Sign-in without a handle, in which the authenticator selects the account.
    SignIn { state: Value },
}

impl PasskeyService {
    pub(crate) fn new(store: Arc<dyn Store>, words: Arc<RefusedWords>) -> Self {
        Self { store, words }
    }

    /// Returns the passkeys of a person, from old to new.
    pub(crate) async fn of(&self, person: Option<Holder>) -> Result<Vec<StoredPasskey>, ApiError> {
        let Some(person) = person else { return Ok(Vec::new()) };
        Ok(self.store.passkeys(person).await?)
    }

    /// Begins the registration of a passkey for a new account. The caller has checked the account's handle.
    pub(crate) async fn begin_account(
        &self,
        site: &RelyingParty,
        person: Holder,
        handle: &str,
    ) -> Result<PasskeyOptions, ApiError> {
        let new = (Some(handle.to_owned()), Uuid::new_v4());
        self.begin(site, person, handle, new, &[]).await
    }

    /// Begins the registration of a further passkey for the account of a person.
    pub(crate) async fn begin_addition(
        &self,
        site: &RelyingParty,
        person: Holder,
    ) -> Result<PasskeyOptions, ApiError> {
        let account = self.store.account(person).await?.ok_or(ApiError::NotFound("account"))?;
        let passkeys = self.store.passkeys(person).await?;
        if passkeys.len() >= MOST_PASSKEYS {
            return Err(ApiError::TooManyPasskeys { most: MOST_PASSKEYS });
        }
        let known = passkeys.first().map(|passkey| Uuid::from_bytes(passkey.user_handle));
        let user = known.unwrap_or_else(Uuid::new_v4);
        self.begin(site, person, &account.handle, (None, user), &passkeys).await
    }

    async fn begin(
        &self,
        site: &RelyingParty,
        person: Holder,
        name: &str,
        (handle, user): (Option<String>, Uuid),
        known: &[StoredPasskey],
    ) -> Result<PasskeyOptions, ApiError> {
        let known = known.iter().map(|passkey| passkey.id.clone()).collect();
        let Started { options, state } = site.start_registration(user, name, known)?;
        let ceremony = Ceremony::Register { handle, user, state };
        self.store_challenge(Some(person), &ceremony, options).await
    }

    /// Begins a sign-in without a handle, in which the authenticator selects the account.
    pub(crate) async fn begin_sign_in(
        &self,
        site: &RelyingParty,
        person: Option<Holder>,
    ) -> Result<PasskeyOptions, ApiError> {
        let Started { options, state } = site.start_sign_in()?;
        self.store_challenge(person, &Ceremony::SignIn { state }, options).await
    }

    /// Verifies an authenticator's answer to a registration challenge. `wanted` is the handle of the new account for which the passkey is;
    /// `None` means that the passkey is for the person's existing account.
    pub(crate) async fn registered(
        &self,
        site: &RelyingParty,
        person: Holder,
        wanted: Option<&str>,
        answer: PasskeyAnswer,
    ) -> Result<StoredPasskey, ApiError> {
        let name = self.words.check(answer.name.as_deref())?;
        let credential = NewCredential::parse(answer.credential)?;
        let (owner, ceremony) = self.use_up(answer.challenge).await?;
        let Ceremony::Register { handle, user, state } = ceremony else {
            return Err(ApiError::PasskeyRefused);
        };
        if owner != Some(person) || handle.as_deref() != wanted {
            return Err(ApiError::PasskeyRefused);
        }
        let (id, passkey) = site.finish_registration(&credential, state)?;
        Ok(StoredPasskey {
            id,
            person,
            user_handle: user.into_bytes(),
            passkey,
            name,
            made_at: now(),
            used_at: None,
        })
    }

    /// Verifies an authenticator's answer to a registration challenge, and adds the passkey to a person's account.
    pub(crate) async fn add(
        &self,
        site: &RelyingParty,
        person: Holder,
        answer: PasskeyAnswer,
    ) -> Result<StoredPasskey, ApiError> {
        let passkey = self.registered(site, person, None, answer).await?;
        match self.change(PasskeyChange::Add(passkey.clone())).await? {
            Appended::Stored => Ok(passkey),
            Appended::Conflict | Appended::Full(_) => {
                self.store.account(person).await?.ok_or(ApiError::NotFound("account"))?;
                if self.store.passkeys(person).await?.len() >= MOST_PASSKEYS {
                    return Err(ApiError::TooManyPasskeys { most: MOST_PASSKEYS });
                }
                Err(ApiError::PasskeyRefused)
            }
        }
    }

    /// Verifies an authenticator's answer to a sign-in challenge. Returns the account's owner, and the proof with which the store signs the
    /// browser in. Each refusal has the same error.
    pub(crate) async fn signed_in(
        &self,
        site: &RelyingParty,
        person: Option<Holder>,
        answer: PasskeyAnswer,
    ) -> Result<(Holder, SignInProof), ApiError> {
        let credential = SignInCredential::parse(answer.credential)?;
        let (owner, ceremony) = self.use_up(answer.challenge).await?;
        let Ceremony::SignIn { state } = ceremony else { return Err(ApiError::PasskeyRefused) };
        if owner.is_some() && owner != person {
            return Err(ApiError::PasskeyRefused);
        }
        let (user, id) = site.claim(&credential)?;
        let stored = self.store.passkey(id).await?.ok_or(ApiError::PasskeyRefused)?;
        if stored.user_handle != *user.as_bytes() {
            return Err(ApiError::PasskeyRefused);
        }
        let new = site.finish_sign_in(&credential, state, &stored.passkey)?;
        let proof = SignInProof::Passkey { id: stored.id, former: stored.passkey, new };
        Ok((stored.person, proof))
    }

    /// Removes a passkey of a person, unless the passkey is the person's only way to sign in.
    pub(crate) async fn remove(&self, person: Holder, id: &str) -> Result<(), ApiError> {
        let id = URL_SAFE_NO_PAD.decode(id).map_err(|_| ApiError::NotFound("passkey"))?;
        let remove = PasskeyChange::Remove { person, id: id.clone() };
        match self.change(remove).await? {
            Appended::Stored => Ok(()),
            Appended::Conflict | Appended::Full(_) => {
                let passkeys = self.store.passkeys(person).await?;
                let is_own = passkeys.iter().any(|passkey| passkey.id == id);
                Err(if is_own { ApiError::LastWayIn } else { ApiError::NotFound("passkey") })
            }
        }
    }

    async fn store_challenge(
        &self,
        person: Option<Holder>,
        ceremony: &Ceremony,
        options: Value,
    ) -> Result<PasskeyOptions, ApiError> {
        let id = random_id()?;
        let state = serde_json::to_string(ceremony).map_err(ApiError::internal)?;
        let until = now() + CHALLENGE_TIME;
        let begin = PasskeyChallenge { id: id.clone(), person, state, until };
        self.change(PasskeyChange::Begin(begin)).await?;
        Ok(PasskeyOptions { challenge: id, options })
    }

    /// Marks a passkey challenge as used. Returns the person who requested the challenge, and the stored state of the registration or
    /// sign-in.
    async fn use_up(&self, challenge: String) -> Result<(Option<Holder>, Ceremony), ApiError> {
        let found = self.store.passkey_challenge(challenge.clone(), now()).await?;
        let PasskeyChallenge { person, state, .. } = found.ok_or(ApiError::PasskeyRefused)?;
        match self.change(PasskeyChange::UseUp { challenge }).await? {
            Appended::Stored => {
                Ok((person, serde_json::from_str(&state).map_err(ApiError::internal)?))
            }
            Appended::Conflict | Appended::Full(_) => Err(ApiError::PasskeyRefused),
        }
    }

    async fn change(&self, change: PasskeyChange) -> Result<Appended, ApiError> {
        Ok(self.store.change_person(PersonChange::Passkey(change)).await?)
    }
}

/// Encodes a credential id in base64url, as in the JSON form of Web Authentication.
pub(crate) fn id_text(id: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(id)
}
