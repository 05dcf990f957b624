//! Implements in-memory tables of people's browser identities, of their linking and recovery codes, and of their accounts, for tests.

use overmate_rules::Player;

use super::memory_accounts::AccountTables;
use super::memory_mail::MailTables;
use super::memory_passkeys::PasskeyTables;
use crate::store::{
    Account, AccountChange, Appended, CODE_TIME, CodeKind, CodeOffer, Holder, KnownBrowser,
    MailChange, MatchInfo, Occupant, PasskeyChange, PersonChange, Proof, RecoveryCodes,
    SignInProof, Standing,
};

/// In-memory tables of the browsers of people, and of their linking and recovery codes.
#[derive(Default)]
pub(super) struct PeopleTables {
    browsers: Vec<Browser>,
    codes: Vec<Code>,
    pub(super) accounts: AccountTables,
    pub(super) passkeys: PasskeyTables,
    pub(super) mail: MailTables,
}

struct Browser {
    person: Holder,
    known: KnownBrowser,
    /// Whether the browser is signed out.
    is_revoked: bool,
}

struct Code {
    hash: [u8; 32],
    person: Holder,
    kind: CodeKind,
    made_at: i64,
    until: Option<i64>,
    used_by: Option<Holder>,
}

impl PeopleTables {
    pub(super) fn standing(&self, browser: Holder) -> Standing {
        match self.browsers.iter().find(|row| row.known.browser == browser) {
            None => Standing::Alone,
            Some(row) if row.is_revoked => Standing::Revoked,
            Some(row) => Standing::Of(row.person),
        }
    }

    /// Replaces each browser identity in the seats of a match by the person to whom the browser belongs.
    pub(super) fn settle(&self, info: &mut MatchInfo) {
        for player in Player::BOTH {
            if let Occupant::Holder(holder) = &mut info.seats[player].occupant {
                *holder = self.owner(*holder);
            }
        }
    }

    /// Returns the person to whom a browser identity belongs. Signed-out browsers also have a person.
    pub(super) fn owner(&self, browser: Holder) -> Holder {
        let found = self.browsers.iter().find(|row| row.known.browser == browser);
        found.map_or(browser, |row| row.person)
    }

    /// Returns whether the store contains a browser identity of a person, signed in or signed out.
    pub(super) fn knows(&self, person: Holder) -> bool {
        self.browsers.iter().any(|row| row.person == person)
    }

    pub(super) fn browsers(&self, person: Holder) -> Vec<KnownBrowser> {
        let own = self.browsers.iter().filter(|row| row.person == person && !row.is_revoked);
        let mut own: Vec<_> = own.map(|row| row.known.clone()).collect();
        own.sort_by_key(|known| (known.added_at, known.browser.0));
        own
    }

    pub(super) fn recovery(&self, person: Holder) -> Option<RecoveryCodes> {
        let own = self.codes.iter().filter(|code| {
            code.person == person && code.kind == CodeKind::Recovery && code.used_by.is_none()
        });
        let made_at = own.clone().next()?.made_at;
        Some(RecoveryCodes { made_at, left: own.count().try_into().unwrap_or(u32::MAX) })
    }

    /// Executes a change of a person's browsers, account, passkeys, e-mail address, or linking and recovery codes. If a person joins
    /// another person, returns both.
    pub(super) fn change(&mut self, change: PersonChange) -> (Appended, Option<(Holder, Holder)>) {
        let appended = match change {
            PersonChange::Offer(offer) => {
                let CodeOffer { hashes, kind, person, browser, name, at, until } = offer;
                if self.person_of(browser) != Some(person) {
                    return (Appended::Conflict, None);
                }
                self.codes.retain(|code| {
                    code.person != person || code.kind != kind || code.used_by.is_some()
                });
                self.know(browser, person, name, at);
                self.codes.extend(hashes.into_iter().map(|hash| Code {
                    hash,
                    person,
                    kind,
                    made_at: at,
                    until,
                    used_by: None,
                }));
                Appended::Stored
            }
            PersonChange::Add { hash, browser, renewed, name, at } => {
                return self.add(hash, (browser, renewed), name, at);
            }
            PersonChange::Revoke { person, browser, keeps_codes } => {
                let own = self.browsers.iter_mut().find(|row| {
                    row.person == person && row.known.browser == browser && !row.is_revoked
                });
                let Some(own) = own else { return (Appended::Conflict, None) };
                own.is_revoked = true;
                if !keeps_codes {
                    self.forget_unused_codes(person);
                    self.mail.forget_messages(person);
                }
                Appended::Stored
            }
            PersonChange::Account(AccountChange::SignIn {
                person,
                proof,
                browser,
                renewed,
                name,
                at,
            }) => {
                let done = self.sign_in((person, &proof), browser, name, at);
                if done.0 == Appended::Stored {
                    self.renew(browser, renewed);
                }
                return done;
            }
            PersonChange::Account(make @ AccountChange::Make { .. }) => self.make(make),
            PersonChange::Account(AccountChange::SetPassword {
                person,
                proof,
                password,
                browser,
                renewed,
            }) => self.set_password(person, &proof, &password, (browser, renewed)),
            PersonChange::Account(AccountChange::SetPrivate { person, is_private }) => {
                self.accounts.set_private(person, is_private)
            }
            PersonChange::Account(AccountChange::SetHandle {
                person,
                former,
                former_at,
                handle,
                tag,
                at,
            }) => {
                let account = self.accounts.of_person(person);
                let is_former = |own: Account| own.handle == former && own.handle_at == former_at;
                if !account.is_some_and(is_former) {
                    return (Appended::Conflict, None);
                }
                self.accounts.set_handle(person, handle, tag, at)
            }
            PersonChange::Passkey(change) => self.change_passkey(change),
            // This function changes neither bot accounts nor seats, because these changes concern further tables. Its caller executes these
            // changes.
            PersonChange::Bot(_) | PersonChange::Vacate { .. } => Appended::Conflict,
            PersonChange::Mail(change) => self.change_mail(change),
            PersonChange::Forget { person, at } => {
                self.mail.forget(person);
                self.accounts.forget(person, at);
                self.passkeys.forget(person);
                self.codes.retain(|code| code.person != person);
                self.browsers.retain(|row| row.person != person);
                Appended::Stored
            }
            PersonChange::ForgetOld { at } => {
                self.mail.forget_old(at);
                self.accounts.forget_old(at);
                self.passkeys.forget_old(at);
                self.codes.retain(|code| code.until.is_none_or(|until| until > at));
                Appended::Stored
            }
        };
        (appended, None)
    }

    fn add(
        &mut self,
        hash: [u8; 32],
        (browser, renewed): (Holder, Holder),
        name: Option<String>,
        at: i64,
    ) -> (Appended, Option<(Holder, Holder)>) {
        let Some(former) = self.person_of(browser) else { return (Appended::Conflict, None) };
        let is_valid = |code: &&mut Code| {
            code.hash == hash
                && code.until.is_none_or(|until| until > at)
                && (code.used_by.is_none() || code.person == former)
        };
        let Some(code) = self.codes.iter_mut().find(is_valid) else {
            return (Appended::Conflict, None);
        };
        let person = code.person;
        if former != person && self.accounts.of_person(former).is_some() {
            return (Appended::Conflict, None);
        }
        if code.used_by.is_some() {
            return (Appended::Stored, None);
        }
        (code.used_by, code.until) = (Some(browser), Some(at + CODE_TIME));
        if former == person {
            return (Appended::Stored, None);
        }
        let has_account = self.accounts.of_person(person).is_some();
        if has_account {
            self.revoke_others(former, browser);
        }
        let joined = self.join((former, person), browser, name, at);
        if has_account {
            self.renew(browser, renewed);
        }
        joined
    }

    fn set_password(
        &mut self,
        person: Holder,
        proof: &Proof,
        password: &str,
        (browser, renewed): (Holder, Holder),
    ) -> Appended {
        let Some(account) = self.accounts.of_person(person) else { return Appended::Conflict };
        if self.person_of(browser) != Some(person) {
            return Appended::Conflict;
        }
        let is_proved = match proof {
            Proof::Password(former) => account.password.as_ref() == Some(former),
            Proof::NoPassword => account.password.is_none(),
            Proof::RecoveryCode(hash) => {
                let is_used = |code: &Code| {
                    code.hash == *hash
                        && code.person == person
                        && code.kind == CodeKind::Recovery
                        && code.used_by.is_none()
                };
                let number = self.codes.len();
                self.codes.retain(|code| !is_used(code));
                self.codes.len() < number
            }
        };
        if !is_proved {
            return Appended::Conflict;
        }
        if matches!(proof, Proof::Password(_)) {
            self.forget_unused_codes(person);
        }
        self.mail.forget_messages(person);
        if !matches!(proof, Proof::NoPassword) {
            self.revoke_others(person, browser);
            self.renew(browser, renewed);
        }
        self.accounts.set_password(person, password);
        Appended::Stored
    }

    fn make(&mut self, change: AccountChange) -> Appended {
        let AccountChange::Make { account, tag, passkey, browser, renewed, name } = change else {
            return Appended::Conflict;
        };
        let (person, at) = (account.person, account.made_at);
        let is_known = passkey.as_ref().is_some_and(|own| self.passkeys.of_id(&own.id).is_some());
        if self.person_of(browser) != Some(person) || is_known {
            return Appended::Conflict;
        }
        let made = self.accounts.make(account, tag);
        if made == Appended::Stored {
            if let Some(passkey) = passkey {
                self.passkeys.add(*passkey);
            }
            self.know(browser, person, name, at);
            self.revoke_others(person, browser);
            self.forget_unused_codes(person);
            self.renew(browser, renewed);
        }
        made
    }

    fn change_mail(&mut self, change: MailChange) -> Appended {
        if let MailChange::Recover { person, hash, password, at } = change {
            if !self.mail.recover(person, hash, at) {
                return Appended::Conflict;
            }
            self.mail.forget_messages(person);
            self.revoke_others(person, Holder(hash));
            self.forget_unused_codes(person);
            self.accounts.set_password(person, &password);
            return Appended::Stored;
        }
        let account = self.accounts.of_person(change.person());
        let stored = account.map(|account| account.password.clone());
        self.mail.change(change, stored.as_ref())
    }

    fn change_passkey(&mut self, change: PasskeyChange) -> Appended {
        match change {
            PasskeyChange::Begin(challenge) => {
                self.passkeys.begin(challenge);
                Appended::Stored
            }
            PasskeyChange::UseUp { challenge } => self.passkeys.use_up(&challenge),
            PasskeyChange::Add(passkey) => {
                if self.accounts.of_person(passkey.person).is_none() {
                    return Appended::Conflict;
                }
                self.passkeys.add(passkey)
            }
            PasskeyChange::Remove { person, id } => {
                let account = self.accounts.of_person(person);
                let has_password = account.is_some_and(|account| account.password.is_some());
                let removed = self.passkeys.remove(person, &id, has_password);
                if removed == Appended::Stored {
                    self.forget_unused_codes(person);
                    self.mail.forget_messages(person);
                }
                removed
            }
        }
    }

    /// Signs a browser in to an account. The browser and its earlier data then belong to the account's owner.
    fn sign_in(
        &mut self,
        (person, proof): (Holder, &SignInProof),
        browser: Holder,
        name: Option<String>,
        at: i64,
    ) -> (Appended, Option<(Holder, Holder)>) {
        let Some(former) = self.person_of(browser) else { return (Appended::Conflict, None) };
        let Some(account) = self.accounts.of_person(person) else {
            return (Appended::Conflict, None);
        };
        if former != person && self.accounts.of_person(former).is_some() {
            return (Appended::Conflict, None);
        }
        let is_proved = match proof {
            SignInProof::Password(password) => account.password.as_ref() == Some(password),
            SignInProof::Passkey { id, former, new } => {
                self.passkeys.use_passkey((person, id), former, new, at)
            }
        };
        if !is_proved {
            return (Appended::Conflict, None);
        }
        if former == person {
            self.know(browser, person, name, at);
            return (Appended::Stored, None);
        }
        self.revoke_others(former, browser);
        self.join((former, person), browser, name, at)
    }

    /// Signs out all browsers of a person except the browser identity `kept`.
    fn revoke_others(&mut self, person: Holder, kept: Holder) {
        for row in self.browsers.iter_mut().filter(|row| row.person == person) {
            row.is_revoked |= row.known.browser != kept;
        }
    }

    /// Replaces the identity (token hash) of a known browser by a new identity.
    fn renew(&mut self, browser: Holder, renewed: Holder) {
        if browser == renewed {
            return;
        }
        let Some(own) = self.browsers.iter_mut().find(|row| row.known.browser == browser) else {
            return;
        };
        own.is_revoked = true;
        let (person, known) = (own.person, KnownBrowser { browser: renewed, ..own.known.clone() });
        self.browsers.push(Browser { person, known, is_revoked: false });
    }

    fn join(
        &mut self,
        (former, person): (Holder, Holder),
        browser: Holder,
        name: Option<String>,
        at: i64,
    ) -> (Appended, Option<(Holder, Holder)>) {
        self.forget_unused_codes(former);
        for row in self.browsers.iter_mut().filter(|row| row.person == former) {
            row.person = person;
        }
        self.know(browser, person, name, at);
        (Appended::Stored, Some((former, person)))
    }

    fn forget_unused_codes(&mut self, person: Holder) {
        self.codes.retain(|code| code.person != person || code.used_by.is_some());
    }

    /// Returns the person to whom a browser identity belongs, or `None` if the browser is signed out.
    pub(super) fn person_of(&self, browser: Holder) -> Option<Holder> {
        match self.standing(browser) {
            Standing::Alone => Some(browser),
            Standing::Of(person) => Some(person),
            Standing::Revoked => None,
        }
    }

    /// Adds a browser identity to the browsers of a person, or changes the name of a known browser.
    fn know(&mut self, browser: Holder, person: Holder, name: Option<String>, added_at: i64) {
        let found = self.browsers.iter_mut().find(|row| row.known.browser == browser);
        if let Some(Browser { known, .. }) = found {
            known.name = name.or_else(|| known.name.take());
        } else {
            let known = KnownBrowser { browser, name, added_at };
            self.browsers.push(Browser { person, known, is_revoked: false });
        }
    }
}
