//! Implements an in-memory store of passkeys and passkey challenges, for tests.

use crate::store::{
    Appended, Holder, MOST_CHALLENGES, MOST_PASSKEYS, PasskeyChallenge, StoredPasskey,
};

/// In-memory tables of passkeys and unused challenges. The challenges are in the order of their creation.
#[derive(Default)]
pub(super) struct PasskeyTables {
    passkeys: Vec<StoredPasskey>,
    challenges: Vec<PasskeyChallenge>,
}

impl PasskeyTables {
    pub(super) fn of_person(&self, person: Holder) -> Vec<StoredPasskey> {
        let own = self.passkeys.iter().filter(|passkey| passkey.person == person);
        let mut own: Vec<_> = own.cloned().collect();
        own.sort_by(|one, other| (one.made_at, &one.id).cmp(&(other.made_at, &other.id)));
        own
    }

    pub(super) fn of_id(&self, id: &[u8]) -> Option<StoredPasskey> {
        self.passkeys.iter().find(|passkey| passkey.id == id).cloned()
    }

    pub(super) fn challenge(&self, id: &str, at: i64) -> Option<PasskeyChallenge> {
        let found = self.challenges.iter().find(|challenge| challenge.id == id);
        found.filter(|challenge| challenge.until > at).cloned()
    }

    pub(super) fn begin(&mut self, challenge: PasskeyChallenge) {
        if let Some(person) = challenge.person {
            let mut own: Vec<_> =
                self.challenges.iter().filter(|other| other.person == Some(person)).collect();
            own.sort_by_key(|other| std::cmp::Reverse(other.until));
            let old: Vec<String> =
                own.into_iter().skip(MOST_CHALLENGES - 1).map(|other| other.id.clone()).collect();
            self.challenges.retain(|other| !old.contains(&other.id));
        }
        self.challenges.push(challenge);
    }

    pub(super) fn use_up(&mut self, id: &str) -> Appended {
        let number = self.challenges.len();
        self.challenges.retain(|challenge| challenge.id != id);
        Appended::stored_if(self.challenges.len() < number)
    }

    pub(super) fn add(&mut self, passkey: StoredPasskey) -> Appended {
        let own = self.of_person(passkey.person);
        let fits = own.is_empty() || own.iter().any(|one| one.user_handle == passkey.user_handle);
        if self.of_id(&passkey.id).is_some() || own.len() >= MOST_PASSKEYS || !fits {
            return Appended::Conflict;
        }
        self.passkeys.push(passkey);
        Appended::Stored
    }

    /// Stores the new state of a passkey if the stored state equals `former`. Returns whether the new state was stored.
    pub(super) fn use_passkey(
        &mut self,
        (person, id): (Holder, &[u8]),
        former: &str,
        new: &str,
        at: i64,
    ) -> bool {
        let found = self.passkeys.iter_mut().find(|passkey| {
            passkey.id == id && passkey.person == person && passkey.passkey == former
        });
        let Some(found) = found else { return false };
        new.clone_into(&mut found.passkey);
        found.used_at = Some(at);
        true
    }

    /// Removes a passkey of a person. If the account has no password, its last passkey is not removed.
    pub(super) fn remove(&mut self, person: Holder, id: &[u8], has_password: bool) -> Appended {
        let own = self.of_person(person);
        let is_own = own.iter().any(|passkey| passkey.id == id);
        if !is_own || (own.len() == 1 && !has_password) {
            return Appended::Conflict;
        }
        self.passkeys.retain(|passkey| passkey.id != id);
        Appended::Stored
    }

    pub(super) fn forget(&mut self, person: Holder) {
        self.passkeys.retain(|passkey| passkey.person != person);
        self.challenges.retain(|challenge| challenge.person != Some(person));
    }

    pub(super) fn forget_old(&mut self, at: i64) {
        self.challenges.retain(|challenge| challenge.until > at);
    }
}
