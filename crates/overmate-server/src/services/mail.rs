//! Stores the e-mail addresses of accounts, and sends confirmation links and recovery links. After a change or removal of an address, also
//! sends a notice to the former address.
//!
//! A message waits in the store until a server begins an attempt to send the message. Each attempt has a new token, of which the
//! store keeps only the hash. If the server dies during the attempt, a later attempt sends the message.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use hmac::Mac as _;
use sha2::{Digest as _, Sha256};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::accounts::AccountService;
use super::failure_log::FailureLog;
use crate::clock::now;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::handle::Handle;
use crate::keyed_hash::keyed_hash;
use crate::limits::Limiter;
use crate::mail::{EmailAddress, MailOutcome, MailSender, text_of};
use crate::random::random_token;
use crate::store::{
    Appended, Holder, MOST_TRIES, MailAddress, MailChange, MailKind, MailMessage, PersonChange,
    Store, TurnMail, folded,
};

/// Interval between two searches for queued e-mails that are due. The searches find e-mails that another server has queued, and e-mails
/// that must be sent again after a failed attempt.
const INTERVAL: Duration = Duration::from_secs(5);

/// Maximum number of e-mails that one search for queued e-mails starts to send.
const MOST_BEGUN: u32 = 20;

/// Service that keeps e-mail addresses of accounts and sends e-mails.
#[derive(Clone)]
pub(crate) struct MailService(Arc<MailState>);

struct MailState {
    store: Arc<dyn Store>,
    accounts: Arc<AccountService>,
    limiter: Arc<Limiter>,
    /// Client of the SMTP server, or `None` if the operator has set up no SMTP server.
    sender: Option<Arc<MailSender>>,
    /// Signal that this server has queued an e-mail.
    added: Notify,
    stop: CancellationToken,
    tasks: TaskTracker,
}

/// E-mail address of a person, and the stored e-mails from the server to the person.
pub(crate) struct KnownMail {
    pub(crate) address: Option<MailAddress>,
    pub(crate) messages: Vec<MailMessage>,
}

impl MailService {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        accounts: Arc<AccountService>,
        limiter: Arc<Limiter>,
        sender: Option<Arc<MailSender>>,
        run: (CancellationToken, TaskTracker),
    ) -> Self {
        let (stop, tasks) = run;
        let added = Notify::new();
        Self(Arc::new(MailState { store, accounts, limiter, sender, added, stop, tasks }))
    }

    /// Returns whether this server sends e-mail.
    pub(crate) fn is_on(&self) -> bool {
        self.0.sender.is_some()
    }

    fn check_on(&self) -> Result<(), ApiError> {
        if self.is_on() { Ok(()) } else { Err(ApiError::Lacking("this server sends no e-mail")) }
    }

    /// Returns the e-mail address of a person, and the stored, unexpired e-mails from the server to the person.
    pub(crate) async fn of(&self, person: Option<Holder>) -> Result<KnownMail, ApiError> {
        let Some(person) = person else {
            return Ok(KnownMail { address: None, messages: Vec::new() });
        };
        let address = self.0.store.mail_address(person).await?;
        let mut messages = self.0.store.mail_messages(person).await?;
        messages.retain(|message| message.until > now());
        Ok(KnownMail { address, messages })
    }

    /// Returns the e-mails about turns that were sent to a person and whose links may still be valid, from old to new.
    pub(crate) async fn turns(&self, person: Option<Holder>) -> Result<Vec<TurnMail>, ApiError> {
        let Some(person) = person else { return Ok(Vec::new()) };
        Ok(self.0.store.turn_mails(person).await?)
    }

    /// Changes the settings of an account's confirmed e-mail address, or sends an e-mail with a confirmation link to a new address. The
    /// request must hold the password of the account, unless the account has no password.
    pub(crate) async fn set(
        &self,
        client: Client,
        to: MailAddress,
        password: Option<&str>,
    ) -> Result<(), ApiError> {
        self.check_on()?;
        let person = to.person;
        let password = self.0.accounts.check_password(client, person, password).await?;
        let address = EmailAddress::read(&to.address).ok_or(ApiError::BadRequest(
            "address: an e-mail address such as anna@example.org is needed, without accents and other special characters".to_owned(),
        ))?;
        let MailAddress { language, recovery, .. } = to;
        let to = MailAddress { address: address.text().to_owned(), ..to };
        let current = self.0.store.mail_address(person).await?;
        if current.is_some_and(|current| folded(&current.address) == folded(&to.address)) {
            let set = MailChange::Set { person, address: to.address, language, recovery, password };
            return match self.change(set).await? {
                Appended::Stored => Ok(()),
                Appended::Conflict | Appended::Full(_) => {
                    Err(ApiError::busy("another request has changed the e-mail address"))
                }
            };
        }
        let tag = limit_key(&*self.0.store, MailKind::Confirm.text(), &address);
        self.0.limiter.count_mail(Some(client), Some(tag)).await?;
        let message = MailMessage::new(MailKind::Confirm, to, now());
        match self.change(MailChange::Queue { message, password }).await? {
            Appended::Stored => {
                self.0.added.notify_one();
                Ok(())
            }
            Appended::Conflict | Appended::Full(_) => Err(ApiError::busy(
                "too many e-mails wait, or another request has changed the account",
            )),
        }
    }

    /// Removes the e-mail address of a person, and the person's stored e-mails with links. A notice to the removed address is queued. The
    /// request must hold the password of the account, unless the account has no password.
    pub(crate) async fn remove(
        &self,
        client: Client,
        person: Holder,
        password: Option<&str>,
    ) -> Result<(), ApiError> {
        let password = self.0.accounts.check_password(client, person, password).await?;
        match self.change(MailChange::Remove { person, password, at: now() }).await? {
            Appended::Stored => {
                self.0.added.notify_one();
                Ok(())
            }
            Appended::Conflict | Appended::Full(_) => {
                Err(ApiError::busy("another request has changed the account"))
            }
        }
    }

    /// Confirms an e-mail address by the token in the link of an e-mail.
    pub(crate) async fn confirm(&self, token: &str) -> Result<(), ApiError> {
        self.check_on()?;
        let hash = hash_of(token);
        let found = self.0.store.mail_of_token(MailKind::Confirm, hash, now()).await?;
        let person = found.ok_or(ApiError::LinkRefused)?.person;
        match self.change(MailChange::Confirm { person, hash, at: now() }).await? {
            Appended::Stored => {
                // If the new address replaces a former address, the store has queued an e-mail to the former address. The signal makes this
                // server send the e-mail at once.
                self.0.added.notify_one();
                Ok(())
            }
            Appended::Conflict | Appended::Full(_) => Err(ApiError::LinkRefused),
        }
    }

    /// Sends a recovery link by e-mail to each account with the given handle or e-mail address, if the account uses its address for
    /// recovery. The response to the client does not wait for the search for accounts, so that neither the response nor its time reveals
    /// whether such an account exists.
    pub(crate) async fn request_recovery(
        &self,
        client: Client,
        account: String,
    ) -> Result<(), ApiError> {
        self.check_on()?;
        self.0.limiter.count_mail(Some(client), None).await?;
        let service = self.clone();
        self.0.tasks.spawn(async move {
            if let Err(error) = service.send_recovery(account).await {
                error.log();
            }
        });
        Ok(())
    }

    async fn send_recovery(&self, account: String) -> Result<(), ApiError> {
        let store = &self.0.store;
        let found = if let Some(address) = EmailAddress::read(&account) {
            store.mail_addresses_of(address.text().to_owned()).await?
        } else {
            let Ok(handle) = Handle::read(&account) else { return Ok(()) };
            let Some(account) = store.account_by_tag(handle.tag(&store.identity_key())).await?
            else {
                return Ok(());
            };
            store.mail_address(account.person).await?.into_iter().collect()
        };
        for to in found {
            let Some(address) = EmailAddress::read(&to.address) else { continue };
            // The recovery e-mail to each account counts against the rate limit of the account's e-mail address. A refusal is not reported
            // to the client, because the report would reveal that the account exists.
            let tag = limit_key(&**store, MailKind::Recover.text(), &address);
            if self.0.limiter.count_mail(None, Some(tag)).await.is_err() {
                break;
            }
            let message = MailMessage::new(MailKind::Recover, to, now());
            let queue = MailChange::Queue { message, password: None };
            if self.change(queue).await? == Appended::Stored {
                self.0.added.notify_one();
            }
        }
        Ok(())
    }

    /// Sets a new password by the token in the recovery link of an e-mail. Returns the handle of the account.
    pub(crate) async fn recover(
        &self,
        client: Client,
        token: &str,
        password: &str,
    ) -> Result<String, ApiError> {
        self.check_on()?;
        let hash = hash_of(token);
        let found = self.0.store.mail_of_token(MailKind::Recover, hash, now()).await?;
        let person = found.ok_or(ApiError::LinkRefused)?.person;
        self.0.accounts.recover(client, (person, hash), password).await
    }

    /// Sends the due e-mails, until the server stops.
    pub(crate) async fn run(&self) {
        let Some(sender) = &self.0.sender else { return };
        let mut failures = FailureLog::default();
        loop {
            failures.note(self.send_due(sender).await);
            tokio::select! {
                () = self.0.stop.cancelled() => return,
                () = self.0.added.notified() => {}
                () = tokio::time::sleep(INTERVAL) => {}
            }
        }
    }

    async fn send_due(&self, sender: &MailSender) -> Result<(), ApiError> {
        let due = self.0.store.due_mail(now(), MOST_BEGUN).await?;
        let sent = stream::iter(due).map(|message| self.send(sender, message));
        let sent: Vec<Result<(), ApiError>> = sent.buffer_unordered(4).collect().await;
        sent.into_iter().collect()
    }

    /// Makes one attempt to send an e-mail, unless another server is already sending the e-mail.
    async fn send(&self, sender: &MailSender, message: MailMessage) -> Result<(), ApiError> {
        if self.0.stop.is_cancelled() {
            return Ok(());
        }
        let MailMessage { person, kind, tries, .. } = message;
        let token = random_token()?;
        let hash = hash_of(&token);
        let address = message.address.clone();
        let begin = MailChange::Begin { person, kind, address, tries, hash, at: now() };
        if self.change(begin).await? != Appended::Stored {
            return Ok(());
        }
        let account = self.0.store.account(person).await?;
        let (Some(account), Some(to)) = (account, EmailAddress::read(&message.address)) else {
            self.change(MailChange::Drop { person, kind, hash }).await?;
            return Ok(());
        };
        let origin = sender.origin();
        let text = text_of(kind, message.language, (&account.handle, &origin), &token);
        let (outcome, change) = match sender.send(&to, text, &self.0.stop).await? {
            // An e-mail to a former address has no link. Therefore the store drops this e-mail as soon as the SMTP server has accepted it.
            // Any other accepted message stays in the store, because its link is valid from now on.
            MailOutcome::Accepted if kind.is_notice() => {
                ("accepted", Some(MailChange::Drop { person, kind, hash }))
            }
            MailOutcome::Accepted => ("accepted", Some(MailChange::Sent { person, kind, hash })),
            MailOutcome::Refused => ("refused", Some(MailChange::Drop { person, kind, hash })),
            MailOutcome::Failed | MailOutcome::Unknown if tries + 1 >= MOST_TRIES => {
                ("dropped", Some(MailChange::Drop { person, kind, hash }))
            }
            MailOutcome::Failed | MailOutcome::Unknown => ("failed", None),
        };
        metrics::counter!("overmate_mails_total", "kind" => kind.text(), "outcome" => outcome)
            .increment(1);
        if let Some(change) = change {
            self.change(change).await?;
        }
        Ok(())
    }

    async fn change(&self, change: MailChange) -> Result<Appended, ApiError> {
        Ok(self.0.store.change_person(PersonChange::Mail(change)).await?)
    }
}

/// Returns the key of the rate limit on e-mails of one kind to one address. The key is a keyed hash. Each kind of e-mail is counted
/// separately. If all kinds were counted together, the refusal of a confirmation e-mail would reveal whether recovery e-mails go to the
/// address.
pub(super) fn limit_key(store: &dyn Store, kind: &str, address: &EmailAddress) -> [u8; 32] {
    let counted = format!("e-mail {kind} {}", address.limited());
    keyed_hash(&store.identity_key()).chain_update(counted).finalize().into_bytes().into()
}

/// Returns the hash of the token in an e-mail's link. The store keeps the hash in place of the token. The hash needs no salt,
/// because a token has 256 random bits.
pub(super) fn hash_of(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}
