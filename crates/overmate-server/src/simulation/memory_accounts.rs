//! Implements an in-memory store of accounts and reserved handles, for tests.

use crate::store::queries::accounts::FORMER_HANDLE_TIME;
use crate::store::{Account, Appended, Holder};

/// In-memory table of all accounts.
#[derive(Default)]
pub(super) struct AccountTables {
    /// Accounts, each with the tag (keyed hash) of its handle.
    accounts: Vec<([u8; 32], Account)>,
    former: Vec<FormerHandle>,
}

struct FormerHandle {
    tag: [u8; 32],
    person: Option<Holder>,
    until: i64,
}

impl AccountTables {
    pub(super) fn of_person(&self, person: Holder) -> Option<Account> {
        let found = self.accounts.iter().find(|(_, account)| account.person == person);
        found.map(|(_, account)| account.clone())
    }

    pub(super) fn of_tag(&self, tag: [u8; 32]) -> Option<Account> {
        let found = self.accounts.iter().find(|(own, _)| *own == tag);
        found.map(|(_, account)| account.clone())
    }

    /// Returns the tag (keyed hash) of a person's handle.
    pub(super) fn tag_of(&self, person: Holder) -> Option<[u8; 32]> {
        let found = self.accounts.iter().find(|(_, account)| account.person == person);
        found.map(|(tag, _)| *tag)
    }

    pub(super) fn is_free(&self, tag: [u8; 32], person: Holder, at: i64) -> bool {
        self.of_tag(tag).is_none_or(|account| account.person == person)
            && !self.former.iter().any(|former| {
                former.tag == tag && former.until > at && former.person != Some(person)
            })
    }

    pub(super) fn make(&mut self, account: Account, tag: [u8; 32]) -> Appended {
        let person = account.person;
        if !self.is_free(tag, person, account.made_at) || self.of_person(person).is_some() {
            return Appended::Conflict;
        }
        self.former.retain(|former| former.tag != tag);
        self.accounts.push((tag, account));
        Appended::Stored
    }

    pub(super) fn set_password(&mut self, person: Holder, password: &str) {
        for (_, account) in self.accounts.iter_mut().filter(|(_, own)| own.person == person) {
            account.password = Some(password.to_owned());
        }
    }

    pub(super) fn set_private(&mut self, person: Holder, is_private: bool) -> Appended {
        let found = self.accounts.iter_mut().find(|(_, account)| account.person == person);
        let Some((_, account)) = found else { return Appended::Conflict };
        account.is_private = is_private;
        Appended::Stored
    }

    /// Converts the account of a person to a bot account.
    pub(super) fn mark(&mut self, person: Holder) {
        for (_, account) in self.accounts.iter_mut().filter(|(_, own)| own.person == person) {
            account.is_bot = true;
        }
    }

    pub(super) fn set_handle(
        &mut self,
        person: Holder,
        handle: String,
        tag: [u8; 32],
        at: i64,
    ) -> Appended {
        if !self.is_free(tag, person, at) {
            return Appended::Conflict;
        }
        let found = self.accounts.iter_mut().find(|(_, account)| account.person == person);
        let Some((own, account)) = found else { return Appended::Conflict };
        let given_up = std::mem::replace(own, tag);
        (account.handle, account.handle_at) = (handle, at);
        self.former.retain(|former| former.tag != tag);
        if given_up != tag {
            let person = Some(person);
            self.former.push(FormerHandle {
                tag: given_up,
                person,
                until: at + FORMER_HANDLE_TIME,
            });
        }
        Appended::Stored
    }

    pub(super) fn forget(&mut self, person: Holder, at: i64) {
        for former in self.former.iter_mut().filter(|former| former.person == Some(person)) {
            former.person = None;
        }
        let own = self.accounts.extract_if(.., |(_, account)| account.person == person);
        self.former.extend(own.map(|(tag, _)| FormerHandle {
            tag,
            person: None,
            until: at + FORMER_HANDLE_TIME,
        }));
    }

    pub(super) fn forget_old(&mut self, at: i64) {
        self.former.retain(|former| former.until > at);
    }
}
