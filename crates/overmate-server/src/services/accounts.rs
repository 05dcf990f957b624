//! Creates accounts, signs browsers in by handle and password or by a passkey, and changes handles and passwords.

use std::sync::Arc;

use super::reports::check_open;
use crate::clock::{DAY, now};
use crate::computing::compute::{Class, Compute, Purpose};
use crate::computing::fair_semaphore::QueueLimit;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::codes;
use crate::identity::handle::Handle;
use crate::identity::passwords;
use crate::limits::Limiter;
use crate::names::RefusedWords;
use crate::store::{
    Account, AccountChange, Appended, Holder, MailChange, PersonChange, Proof, SignInProof, Store,
    StoredPasskey,
};

/// Minimum number of days between two changes of a handle. The first change is possible at any
/// time.
pub(crate) const HANDLE_DAYS: i64 = 30;

/// Queue limits of password hashing: the maximum numbers of waiting requests per IP network and in total.
const QUEUE: QueueLimit = QueueLimit { of_network: 16, of_all: 200 };

/// Service that creates and changes accounts.
pub(crate) struct AccountService {
    store: Arc<dyn Store>,
    words: Arc<RefusedWords>,
    compute: Arc<Compute>,
    limiter: Arc<Limiter>,
}

/// Browser that requests to sign in, to create an account, or to set a password, with the data that identify the browser.
pub(crate) struct Asking<'a> {
    pub(crate) client: Client,
    pub(crate) person: Holder,
    pub(crate) browser: Holder,
    /// New identity of the browser: the hash of the browser's new secret token.
    pub(crate) renewed: Holder,
    /// Kind of the requesting browser, such as `Firefox, Android`, as reported by the web page; `None` without a report.
    pub(crate) name: Option<&'a str>,
}

impl AccountService {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        words: Arc<RefusedWords>,
        compute: Arc<Compute>,
        limiter: Arc<Limiter>,
    ) -> Self {
        Self { store, words, compute, limiter }
    }

    /// Returns the account of a person, or `None` if the person is unknown or has no account.
    pub(crate) async fn of(&self, person: Option<Holder>) -> Result<Option<Account>, ApiError> {
        let Some(person) = person else { return Ok(None) };
        Ok(self.store.account(person).await?)
    }

    /// Checks the handle and the password of a new account, and returns the handle.
    pub(crate) async fn check_new(
        &self,
        person: Holder,
        handle: &str,
        password: Option<&str>,
    ) -> Result<Handle, ApiError> {
        let (handle, tag) = self.wanted(handle)?;
        if let Some(password) = password {
            passwords::check(password, handle.text())?;
        }
        self.refuse_taken(person, tag).await?;
        Ok(handle)
    }

    /// Creates an account for a person without an account, with a password, a passkey or both.
    /// [`check_new`](Self::check_new) has accepted the handle and the password.
    pub(crate) async fn make(
        &self,
        asking: Asking<'_>,
        handle: Handle,
        password: Option<&str>,
        passkey: Option<StoredPasskey>,
    ) -> Result<Account, ApiError> {
        let Asking { client, person, browser, renewed, name } = asking;
        let name = self.words.check(name)?;
        let tag = handle.tag(&self.store.identity_key());
        let password = match password {
            Some(password) => Some(self.hash(client, password).await?),
            None if passkey.is_some() => None,
            None => {
                return Err(ApiError::BadRequest(
                    "an account needs a password or a passkey: send a password or a passkey"
                        .to_owned(),
                ));
            }
        };
        let at = now();
        let handle = handle.text().to_owned();
        let account = Account {
            person,
            handle,
            password,
            made_at: at,
            handle_at: at,
            is_private: false,
            is_bot: false,
        };
        let credential = passkey.as_ref().map(|passkey| passkey.id.clone());
        let (made, passkey) = (account.clone(), passkey.map(Box::new));
        let make = AccountChange::Make { account: made, tag, passkey, browser, renewed, name };
        match self.change(make).await? {
            Appended::Stored => Ok(account),
            Appended::Conflict | Appended::Full(_) => {
                self.refuse_taken(person, tag).await?;
                if let Some(id) = credential
                    && self.store.passkey(id).await?.is_some()
                {
                    return Err(ApiError::PasskeyRefused);
                }
                Err(ApiError::busy("another request has changed the account of the browser"))
            }
        }
    }

    /// Signs a browser in to an account by handle and password. The browser and its earlier data
    /// then belong to the owner of the account. An unknown handle and a wrong password give the
    /// same error after the same work.
    pub(crate) async fn sign_in(
        &self,
        asking: Asking<'_>,
        handle: &str,
        password: &str,
    ) -> Result<(), ApiError> {
        let client = asking.client;
        self.words.check(asking.name)?;
        let tag = Handle::read(handle).ok().map(|handle| handle.tag(&self.store.identity_key()));
        let account = match tag {
            Some(tag) => {
                self.limiter.count_sign_in(tag).await?;
                self.store.account_by_tag(tag).await?
            }
            None => None,
        };
        let stored = account.as_ref().and_then(|account| account.password.clone());
        if !self.is_right(client, password, stored).await? {
            return Err(ApiError::SignInRefused);
        }
        let account = account.ok_or(ApiError::SignInRefused)?;
        let proof = SignInProof::Password(account.password.ok_or(ApiError::SignInRefused)?);
        self.join(asking, account.person, proof, ApiError::SignInRefused).await
    }

    /// Signs a browser in to the account of a passkey's owner, with the authenticator's answer to a challenge as proof. The browser and its
    /// earlier data then belong to the owner of the account.
    pub(crate) async fn sign_in_with_passkey(
        &self,
        asking: Asking<'_>,
        owner: Holder,
        proof: SignInProof,
    ) -> Result<(), ApiError> {
        self.join(asking, owner, proof, ApiError::PasskeyRefused).await
    }

    /// Adds a browser identity to the signed-in browsers of an account's owner. Returns the error `refused` if another request has changed
    /// the account or the browser at the same time.
    async fn join(
        &self,
        asking: Asking<'_>,
        owner: Holder,
        proof: SignInProof,
        refused: ApiError,
    ) -> Result<(), ApiError> {
        let Asking { person, browser, renewed, name, .. } = asking;
        let name = self.words.check(name)?;
        if owner != person && self.store.account(person).await?.is_some() {
            return Err(ApiError::HasAccount);
        }
        // A caller of `join` has already verified a password or a passkey of the account. Therefore only the owner of an account learns
        // that the account is closed.
        check_open(&*self.store, owner).await?;
        let person = owner;
        let sign_in = AccountChange::SignIn { person, proof, browser, renewed, name, at: now() };
        self.change(sign_in).await?.ok_or(refused)
    }

    /// Replaces the password of a person's account, and signs the person's other browsers out. The request must hold the former password or
    /// a recovery code, unless the account has no password. Returns whether the requesting browser now has the token `renewed`. A first
    /// password replaces no token, and signs no browser out.
    pub(crate) async fn set_password(
        &self,
        asking: Asking<'_>,
        former: Option<&str>,
        password: &str,
    ) -> Result<bool, ApiError> {
        let Asking { client, person, browser, renewed, .. } = asking;
        let account = self.store.account(person).await?.ok_or(ApiError::NotFound("account"))?;
        passwords::check(password, &account.handle)?;
        let proof = self.proof(client, former, account.password).await?;
        let password = self.hash(client, password).await?;
        let is_first = proof == Proof::NoPassword;
        let set = AccountChange::SetPassword { person, proof, password, browser, renewed };
        match self.change(set).await? {
            Appended::Stored => Ok(!is_first),
            Appended::Conflict | Appended::Full(_) => Err(ApiError::PasswordWrong),
        }
    }

    /// Checks a password against a person's account, and returns the stored hash of the account's password. If the account has no
    /// password, the check succeeds, and the result is `None`.
    pub(crate) async fn check_password(
        &self,
        client: Client,
        person: Holder,
        password: Option<&str>,
    ) -> Result<Option<String>, ApiError> {
        let account = self.store.account(person).await?.ok_or(ApiError::AccountNeeded)?;
        let Some(stored) = account.password else { return Ok(None) };
        let password = password.ok_or(ApiError::PasswordWrong)?;
        if self.is_right(client, password, Some(stored.clone())).await? {
            Ok(Some(stored))
        } else {
            Err(ApiError::PasswordWrong)
        }
    }

    /// Replaces the forgotten password of a person's account by means of a recovery link, and signs out all browsers of the person.
    /// `hash` is the hash of the token in the link. Returns the account's handle.
    pub(crate) async fn recover(
        &self,
        client: Client,
        (person, hash): (Holder, [u8; 32]),
        password: &str,
    ) -> Result<String, ApiError> {
        let account = self.store.account(person).await?.ok_or(ApiError::LinkRefused)?;
        passwords::check(password, &account.handle)?;
        let password = self.hash(client, password).await?;
        let recover = MailChange::Recover { person, hash, password, at: now() };
        match self.store.change_person(PersonChange::Mail(recover)).await? {
            Appended::Stored => Ok(account.handle),
            Appended::Conflict | Appended::Full(_) => Err(ApiError::LinkRefused),
        }
    }

    /// Returns the proof that permits a change of password: the former password, a recovery code, or the absence of a password.
    async fn proof(
        &self,
        client: Client,
        former: Option<&str>,
        stored: Option<String>,
    ) -> Result<Proof, ApiError> {
        let Some(former) = former else {
            return stored.map_or(Ok(Proof::NoPassword), |_| Err(ApiError::PasswordWrong));
        };
        if let Some(stored) = stored
            && self.is_right(client, former, Some(stored.clone())).await?
        {
            return Ok(Proof::Password(stored));
        }
        let digits = codes::read(former).ok_or(ApiError::PasswordWrong)?;
        Ok(Proof::RecoveryCode(codes::hash_of(&digits)))
    }

    /// Changes the handle of a person's account. A new spelling of the same handle, such as a change to upper case, is allowed at
    /// any time.
    pub(crate) async fn set_handle(
        &self,
        person: Holder,
        handle: &str,
    ) -> Result<Account, ApiError> {
        let account = self.store.account(person).await?.ok_or(ApiError::NotFound("account"))?;
        let (handle, tag) = self.wanted(handle)?;
        let at = now();
        let is_same = Handle::read(&account.handle)?.tag(&self.store.identity_key()) == tag;
        if !is_same && may_change_at(&account) > at {
            return Err(ApiError::HandleTooNew { days: HANDLE_DAYS });
        }
        if !self.store.is_handle_free(tag, person, at).await? {
            return Err(ApiError::HandleTaken);
        }
        let handle = handle.text().to_owned();
        // A new spelling of the same handle does not restart the waiting time for the next change of the handle. The time of a new handle
        // is after the creation of the account, even within the same second, because equal times mean that the handle has never changed.
        let at = if is_same { account.handle_at } else { at.max(account.made_at + 1) };
        let set = AccountChange::SetHandle {
            person,
            former: account.handle.clone(),
            former_at: account.handle_at,
            handle: handle.clone(),
            tag,
            at,
        };
        match self.change(set).await? {
            Appended::Stored => Ok(Account { handle, handle_at: at, ..account }),
            Appended::Conflict | Appended::Full(_) => {
                if !self.store.is_handle_free(tag, person, now()).await? {
                    return Err(ApiError::HandleTaken);
                }
                Err(ApiError::busy("another request has changed the account"))
            }
        }
    }

    /// Sets whether the profile of a person's account is private.
    pub(crate) async fn set_private(
        &self,
        person: Holder,
        is_private: bool,
    ) -> Result<Account, ApiError> {
        self.change(AccountChange::SetPrivate { person, is_private }).await?;
        self.store.account(person).await?.ok_or(ApiError::NotFound("account"))
    }

    /// Parses a requested handle, and returns the handle with its tag (keyed hash).
    fn wanted(&self, handle: &str) -> Result<(Handle, [u8; 32]), ApiError> {
        let handle = Handle::read(handle)?;
        handle.check(&self.words)?;
        let tag = handle.tag(&self.store.identity_key());
        Ok((handle, tag))
    }

    /// Returns an error if a person already has an account, or if a handle is already taken.
    async fn refuse_taken(&self, person: Holder, tag: [u8; 32]) -> Result<(), ApiError> {
        if self.store.account(person).await?.is_some() {
            return Err(ApiError::HasAccount);
        }
        if !self.store.is_handle_free(tag, person, now()).await? {
            return Err(ApiError::HandleTaken);
        }
        Ok(())
    }

    async fn change(&self, change: AccountChange) -> Result<Appended, ApiError> {
        Ok(self.store.change_person(PersonChange::Account(change)).await?)
    }

    async fn hash(&self, client: Client, password: &str) -> Result<String, ApiError> {
        let password = password.to_owned();
        let hash = self.compute(client, move || passwords::hash(&password)).await?;
        hash.map_err(|error| ApiError::internal(error.to_string()))
    }

    async fn is_right(
        &self,
        client: Client,
        password: &str,
        stored: Option<String>,
    ) -> Result<bool, ApiError> {
        let password = password.to_owned();
        self.compute(client, move || passwords::is_right(&password, stored.as_deref())).await
    }

    /// Waits until the client may use a processor, and then hashes or verifies a password.
    async fn compute<T: Send + 'static>(
        &self,
        client: Client,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let (class, purpose) = (Class::Password, Purpose::Password);
        let permit = self.compute.timely_permit(class, purpose, client, QUEUE, "waiting sign-ins");
        permit.await?.run(work).await
    }
}

/// Returns the Unix time, in seconds, from which the handle of an account may be changed. The first change is possible at any time.
pub(crate) fn may_change_at(account: &Account) -> i64 {
    let Account { made_at, handle_at, .. } = *account;
    if handle_at == made_at { made_at } else { handle_at + HANDLE_DAYS * DAY }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;
    use crate::settings::Limits;
    use crate::simulation::memory_link::Direct;
    use crate::simulation::memory_store::{MemoryStore, Tables};

    const PASSWORD: &str = "correct horse battery";

    fn client(number: u8) -> Client {
        Client::numbered(Holder([number; 32]), Some(number.into()))
    }

    fn asking(number: u8) -> Asking<'static> {
        let holder = Holder([number; 32]);
        Asking {
            client: client(number),
            person: holder,
            browser: holder,
            renewed: holder,
            name: None,
        }
    }

    #[tokio::test]
    async fn people_sign_in_while_all_places_for_expensive_searches_are_taken() {
        let limits = Limits::default();
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new(Tables::new(&limits), Direct));
        let compute = Arc::new(Compute::new());
        let accounts = AccountService::new(
            Arc::clone(&store),
            Arc::new(RefusedWords::from_lines([])),
            Arc::clone(&compute),
            Arc::new(Limiter::new(&limits, store)),
        );
        let mut taken = Vec::new();
        for number in 0..=u8::MAX {
            let permit = compute.permit(Class::Dear, Purpose::Solver, client(number), None);
            let Some(permit) = permit.now_or_never() else { break };
            taken.push(permit.expect("a permit"));
        }
        assert!((2..256).contains(&taken.len()), "{}", taken.len());
        let handle = accounts.check_new(Holder([1; 32]), "Anna", Some(PASSWORD)).await;
        let handle = handle.expect("a free handle");
        accounts.make(asking(1), handle, Some(PASSWORD), None).await.expect("an account");
        accounts.sign_in(asking(2), "Anna", PASSWORD).await.expect("a sign-in");
        let known = accounts.store.browsers(Holder([1; 32])).await.expect("a read");
        assert_eq!(known.len(), 2);
        drop(taken);
    }
}
