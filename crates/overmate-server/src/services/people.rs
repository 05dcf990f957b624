//! Adds browsers to a person by codes that work once, lists the browsers, and signs them out.

use std::sync::Arc;

use crate::clock::now;
use crate::codes;
use crate::error::ApiError;
use crate::names::RefusedWords;
use crate::store::{
    Appended, CODE_TIME, CodeKind, CodeOffer, Holder, KnownBrowser, PersonChange, RecoveryCodes,
    Store,
};

/// Changes which browsers belong to a person.
pub(crate) struct PeopleService {
    store: Arc<dyn Store>,
    words: Arc<RefusedWords>,
}

/// Number of recovery codes that a person gets at once.
const RECOVERY_CODES: usize = 10;

/// Codes that were made, as they are shown to the person once.
pub(crate) struct MadeCodes {
    pub(crate) texts: Vec<String>,
    /// Time after which the codes are refused, in seconds since 1970; `None` for recovery codes.
    pub(crate) until: Option<i64>,
}

impl PeopleService {
    pub(crate) fn new(store: Arc<dyn Store>, words: Arc<RefusedWords>) -> Self {
        Self { store, words }
    }

    /// Returns the browsers of a person that are not signed out, the first added first. The list is empty for a browser that never shared its matches.
    pub(crate) async fn browsers(&self, person: Holder) -> Result<Vec<KnownBrowser>, ApiError> {
        Ok(self.store.browsers(person).await?)
    }

    /// Returns the person's unused recovery codes, if there are any.
    pub(crate) async fn recovery(&self, person: Holder) -> Result<Option<RecoveryCodes>, ApiError> {
        Ok(self.store.recovery(person).await?)
    }

    /// Makes a code for a link, or recovery codes, each of which adds another browser to a person. Earlier unused codes of the same kind become invalid.
    pub(crate) async fn offer(
        &self,
        person: Holder,
        browser: Holder,
        kind: CodeKind,
        name: Option<&str>,
    ) -> Result<MadeCodes, ApiError> {
        let name = self.words.check(name)?;
        let number = match kind {
            CodeKind::Link => 1,
            CodeKind::Recovery => RECOVERY_CODES,
        };
        let made: Result<Vec<String>, _> = (0..number).map(|_| codes::random()).collect();
        let made = made.map_err(ApiError::internal)?;
        let at = now();
        let until = (kind == CodeKind::Link).then_some(at + CODE_TIME);
        let hashes = made.iter().map(|digits| codes::hash_of(digits)).collect();
        let offer = CodeOffer { hashes, kind, person, browser, name, at, until };
        match self.store.change_person(PersonChange::Offer(offer)).await? {
            Appended::Stored => {
                let texts = made.iter().map(|digits| codes::shown(digits)).collect();
                Ok(MadeCodes { texts, until })
            }
            // Another request has changed the person of this browser at the same time.
            Appended::Conflict | Appended::Full(_) => {
                Err(ApiError::busy("the person of a browser has changed"))
            }
        }
    }

    /// Uses up a code, and adds a browser with everything that its person did to the person who made the code. A wrong, used or old code gives one
    /// and the same error.
    pub(crate) async fn add(
        &self,
        code: &str,
        person: Holder,
        browser: Holder,
        name: Option<&str>,
    ) -> Result<(), ApiError> {
        let name = self.words.check(name)?;
        let hash = codes::hash_of(&codes::read(code).ok_or(ApiError::CodeRefused)?);
        let add = PersonChange::Add { hash, browser, name, at: now() };
        match self.store.change_person(add).await? {
            Appended::Stored => Ok(()),
            // A browser of an account joins nobody. The answer does not depend on the code.
            Appended::Conflict | Appended::Full(_) => {
                let has_account = self.store.account(person).await?.is_some();
                Err(if has_account { ApiError::HasAccount } else { ApiError::CodeRefused })
            }
        }
    }

    /// Signs a browser of a person out. A browser that another browser signs out may have made codes, so the unused codes of the person become invalid
    /// then.
    pub(crate) async fn sign_out(
        &self,
        person: Holder,
        browser: Holder,
        is_own: bool,
    ) -> Result<(), ApiError> {
        let revoke = PersonChange::Revoke { person, browser, keeps_codes: is_own };
        match self.store.change_person(revoke).await? {
            Appended::Stored => Ok(()),
            Appended::Conflict | Appended::Full(_) => Err(ApiError::NotFound("browser")),
        }
    }
}
