//! Assigns browsers to persons by single-use codes, lists a person's browsers, and signs browsers out.

use std::sync::Arc;

use super::absences::settle_absences;
use super::clocks::ClockService;
use super::reports::check_open;
use super::repository::MatchRepository;
use crate::clock::now;
use crate::error::ApiError;
use crate::identity::codes;
use crate::names::RefusedWords;
use crate::store::{
    Appended, CODE_TIME, CodeKind, CodeOffer, Holder, KnownBrowser, PersonChange, RecoveryCodes,
    Standing,
};

/// Service that links browsers to persons by codes, and signs browsers out.
pub(crate) struct PeopleService {
    repository: Arc<MatchRepository>,
    clocks: Arc<ClockService>,
    words: Arc<RefusedWords>,
}

/// Number of recovery codes in one set.
const RECOVERY_CODES: usize = 10;

/// Newly created codes of a person: one linking code, or a set of recovery codes. The response shows the codes to the person once.
pub(crate) struct MadeCodes {
    pub(crate) texts: Vec<String>,
    /// Unix time, in seconds, after which the server refuses a linking code; `None` for recovery codes.
    pub(crate) until: Option<i64>,
}

impl PeopleService {
    pub(crate) fn new(
        repository: Arc<MatchRepository>,
        clocks: Arc<ClockService>,
        words: Arc<RefusedWords>,
    ) -> Self {
        Self { repository, clocks, words }
    }

    /// Returns the signed-in browsers of a person, from old to new. The list is empty if the person has no account, and their
    /// browser has never made or used a code.
    pub(crate) async fn browsers(&self, person: Holder) -> Result<Vec<KnownBrowser>, ApiError> {
        Ok(self.repository.store().browsers(person).await?)
    }

    /// Returns the creation time and number of a person's unused recovery codes, or `None` if the person has no unused code.
    pub(crate) async fn recovery(&self, person: Holder) -> Result<Option<RecoveryCodes>, ApiError> {
        Ok(self.repository.store().recovery(person).await?)
    }

    /// Creates a linking code or recovery codes for a person. Each code adds another browser to the person. Earlier unused codes of
    /// the same kind become invalid.
    pub(crate) async fn offer(
        &self,
        person: Holder,
        browser: Holder,
        kind: CodeKind,
        name: Option<&str>,
    ) -> Result<MadeCodes, ApiError> {
        check_open(self.repository.store(), person).await?;
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
        match self.repository.store().change_person(PersonChange::Offer(offer)).await? {
            Appended::Stored => {
                let texts = made.iter().map(|digits| codes::shown(digits)).collect();
                Ok(MadeCodes { texts, until })
            }
            // Another request has meanwhile signed out this browser, or assigned it to another person.
            Appended::Conflict | Appended::Full(_) => {
                Err(ApiError::busy("another request has changed the account of the browser"))
            }
        }
    }

    /// Uses up a linking or recovery code, and adds a browser identity to the browsers of the person who created the code. The data of the
    /// browser's former person moves with the browser. Returns whether the requesting browser now has the token `renewed`, as it has if the
    /// person has an account. Wrong, used and expired codes give the same error.
    pub(crate) async fn add(
        &self,
        code: &str,
        person: Holder,
        (browser, renewed): (Holder, Holder),
        name: Option<&str>,
    ) -> Result<bool, ApiError> {
        let name = self.words.check(name)?;
        let hash = codes::hash_of(&codes::read(code).ok_or(ApiError::CodeRefused)?);
        let add = PersonChange::Add { hash, browser, renewed, name, at: now() };
        let store = self.repository.store();
        match store.change_person(add).await? {
            Appended::Stored => Ok(store.standing(renewed).await? != Standing::Alone),
            // The store refuses to link the browser if the linking or recovery code is not valid, or if the browser already belongs to
            // another account. The answer depends on the account alone, so that the answer does not reveal whether the code is valid.
            Appended::Conflict | Appended::Full(_) => {
                let has_account = store.account(person).await?.is_some();
                Err(if has_account { ApiError::HasAccount } else { ApiError::CodeRefused })
            }
        }
    }

    /// Pauses or resumes the clocks of a person's correspondence matches for the person's days off. A new browser may have brought further
    /// matches to the person.
    pub(crate) async fn follow_days_off(&self, person: Holder) {
        let follow = async {
            // Players are credited for server downtime before their clocks are paused or resumed for days off.
            self.clocks.settle().await?;
            settle_absences(&self.repository, person).await
        };
        // A failure to adjust the clocks is only logged, because the new browser is already linked to the person.
        if let Err(error) = follow.await {
            error.log();
        }
    }

    /// Signs out a browser of a person. If another browser requests the sign-out, the person's unused codes and e-mail links become
    /// invalid, because the signed-out browser may have created codes, or requested a confirmation link for an address of its own.
    pub(crate) async fn sign_out(
        &self,
        person: Holder,
        browser: Holder,
        is_own: bool,
    ) -> Result<(), ApiError> {
        let revoke = PersonChange::Revoke { person, browser, keeps_codes: is_own };
        self.repository.store().change_person(revoke).await?.ok_or(ApiError::NotFound("browser"))
    }
}
