//! Implements an in-memory store of the accounts' e-mail addresses and of the e-mails to these addresses, for tests.

use super::memory_link::Link;
use super::memory_store::MemoryStore;
use super::memory_turn_mails::TurnMailTable;
use crate::store::{
    Appended, Holder, MOST_TRIES, MOST_WITH_ADDRESS, MailAddress, MailChange, MailKind,
    MailMessage, Mails, StoreFuture, TurnMail, folded, pause_after,
};

/// In-memory tables of confirmed e-mail addresses and of e-mail messages.
#[derive(Default)]
pub(super) struct MailTables {
    addresses: Vec<MailAddress>,
    messages: Vec<MailMessage>,
    turns: TurnMailTable,
}

impl MailTables {
    /// Executes a change of an e-mail address or an e-mail message. [`recover`](Self::recover) handles account recoveries
    /// instead. `stored` is the password hash of the person's account.
    pub(super) fn change(
        &mut self,
        change: MailChange,
        stored: Option<&Option<String>>,
    ) -> Appended {
        let is_changed = match change {
            MailChange::Queue { message, password } => {
                self.queue(message, stored == Some(&password))
            }
            MailChange::Begin { person, kind, address, tries, hash, at } => {
                let found = self.messages.iter_mut().find(|own| {
                    (own.person, own.kind, own.tries, own.sent) == (person, kind, tries, false)
                        && own.address == address
                        && own.retry_at <= at
                        && own.until > at
                });
                found.map(|own| {
                    (own.tries, own.hash) = (tries + 1, Some(hash));
                    own.retry_at = at + pause_after(tries + 1);
                    own.until = at + kind.lifetime();
                })
            }
            MailChange::Sent { person, kind, hash } => {
                let found = self.messages.iter_mut().find(|own| is_of(own, person, kind, hash));
                found.map(|own| own.sent = true)
            }
            MailChange::Drop { person, kind, hash } => {
                self.take((person, kind), hash, i64::MIN).map(drop)
            }
            MailChange::Confirm { person, hash, at } => self.confirm(person, hash, at),
            MailChange::Set { person, address, language, recovery, password } => {
                let found = self.addresses.iter_mut().find(|own| {
                    own.person == person
                        && folded(&own.address) == folded(&address)
                        && stored == Some(&password)
                });
                let changed = found.map(|own| (own.language, own.recovery) = (language, recovery));
                changed.map(|()| self.forget_messages(person))
            }
            MailChange::Remove { person, password, at } => (stored == Some(&password)).then(|| {
                if let Some(former) = self.take_address(person) {
                    self.add_notice(MailKind::Removed, former, at);
                }
            }),
            MailChange::Recover { .. } => None,
            MailChange::Turn(change) => self.turns.change(&mut self.addresses, change),
        };
        Appended::stored_if(is_changed.is_some())
    }

    fn queue(&mut self, message: MailMessage, is_proved: bool) -> Option<()> {
        let MailMessage { person, kind, .. } = message;
        let is_wanted = match kind {
            MailKind::Confirm => is_proved,
            MailKind::Changed | MailKind::Removed => false,
            MailKind::Recover => self.addresses.iter().any(|own| {
                own.person == person
                    && own.recovery
                    && folded(&own.address) == folded(&message.address)
            }),
        };
        is_wanted.then(|| {
            self.messages.retain(|own| (own.person, own.kind) != (person, kind));
            self.messages.push(message);
        })
    }

    /// Removes and returns the e-mail message with a given token in its link, if the token is valid at the time `at`.
    fn take(
        &mut self,
        (person, kind): (Holder, MailKind),
        hash: [u8; 32],
        at: i64,
    ) -> Option<MailMessage> {
        let is_wanted = |own: &MailMessage| is_of(own, person, kind, hash) && own.until > at;
        let place = self.messages.iter().position(is_wanted)?;
        Some(self.messages.remove(place))
    }

    fn confirm(&mut self, person: Holder, hash: [u8; 32], at: i64) -> Option<()> {
        let used = self.take((person, MailKind::Confirm), hash, at)?;
        let MailMessage { address, language, recovery, .. } = used;
        let former = self.take_address(person);
        let turns = former.as_ref().is_some_and(|former| former.turns);
        if let Some(former) = former.filter(|own| folded(&own.address) != folded(&address)) {
            self.add_notice(MailKind::Changed, former, at);
        }
        let confirmed_at = at;
        let (refusals, retry_at) = (0, 0);
        self.addresses.push(MailAddress {
            person,
            address,
            language,
            recovery,
            confirmed_at,
            turns,
            refusals,
            retry_at,
        });
        Some(())
    }

    /// Removes and returns the e-mail address of a person. The links in e-mails to this address become invalid.
    fn take_address(&mut self, person: Holder) -> Option<MailAddress> {
        let place = self.addresses.iter().position(|own| own.person == person);
        self.forget_messages(person);
        self.turns.forget(person);
        place.map(|place| self.addresses.remove(place))
    }

    fn add_notice(&mut self, kind: MailKind, to: MailAddress, at: i64) {
        let message = MailMessage { recovery: false, ..MailMessage::new(kind, to, at) };
        let is_known = self.messages.iter().any(|own| {
            (own.person, own.kind, &own.address) == (message.person, kind, &message.address)
        });
        if !is_known {
            self.messages.push(message);
        }
    }

    /// Uses up the token of a person's account recovery link. Returns whether the token was valid at the time `at`.
    pub(super) fn recover(&mut self, person: Holder, hash: [u8; 32], at: i64) -> bool {
        self.take((person, MailKind::Recover), hash, at).is_some()
    }

    pub(super) fn forget(&mut self, person: Holder) {
        self.take_address(person);
        self.messages.retain(|own| own.person != person);
    }

    /// Removes all sent and unsent e-mail messages to a person except notices to former addresses.
    pub(super) fn forget_messages(&mut self, person: Holder) {
        self.messages.retain(|own| own.person != person || own.kind.is_notice());
    }

    /// Returns whether a person gets e-mails about turns.
    pub(super) fn tells_turns(&self, person: Holder) -> bool {
        self.addresses.iter().any(|own| own.person == person && own.turns)
    }

    pub(super) fn forget_old(&mut self, at: i64) {
        self.messages.retain(|own| own.until > at);
        self.turns.forget_old(at);
    }

    fn sorted(&self, is_wanted: impl Fn(&MailMessage) -> bool) -> Vec<MailMessage> {
        let mut found: Vec<_> =
            self.messages.iter().filter(|own| is_wanted(own)).cloned().collect();
        found.sort_by_key(|own| (own.retry_at, own.person.0, own.kind.text(), own.address.clone()));
        found
    }
}

fn is_of(message: &MailMessage, person: Holder, kind: MailKind, hash: [u8; 32]) -> bool {
    (message.person, message.kind, message.hash) == (person, kind, Some(hash))
}

impl<L: Link> Mails for MemoryStore<L> {
    fn mail_address(&self, person: Holder) -> StoreFuture<'_, Option<MailAddress>> {
        self.call(move |tables| {
            let mut own = tables.people.mail.addresses.iter();
            own.find(|own| own.person == person).cloned()
        })
    }

    fn mail_addresses_of(&self, address: String) -> StoreFuture<'_, Vec<MailAddress>> {
        self.call(move |tables| {
            let all = tables.people.mail.addresses.iter();
            let found = all.filter(|own| own.recovery && folded(&own.address) == folded(&address));
            let mut found: Vec<_> = found.cloned().collect();
            found.sort_by_key(|own| (own.confirmed_at, own.person.0));
            found.truncate(usize::try_from(MOST_WITH_ADDRESS).unwrap_or(usize::MAX));
            found
        })
    }

    fn mail_messages(&self, person: Holder) -> StoreFuture<'_, Vec<MailMessage>> {
        self.call(move |tables| {
            let mut own = tables.people.mail.sorted(|own| own.person == person);
            own.sort_by_key(|own| (own.kind.text(), own.address.clone()));
            own
        })
    }

    fn mail_of_token(
        &self,
        kind: MailKind,
        hash: [u8; 32],
        at: i64,
    ) -> StoreFuture<'_, Option<MailMessage>> {
        self.call(move |tables| {
            let is_wanted =
                |own: &MailMessage| is_of(own, own.person, kind, hash) && own.until > at;
            tables.people.mail.sorted(is_wanted).pop()
        })
    }

    fn due_mail(&self, at: i64, limit: u32) -> StoreFuture<'_, Vec<MailMessage>> {
        self.call(move |tables| {
            let mut due = tables.people.mail.sorted(|own| {
                !own.sent && own.retry_at <= at && own.until > at && own.tries < MOST_TRIES
            });
            due.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
            due
        })
    }

    fn turn_mails(&self, person: Holder) -> StoreFuture<'_, Vec<TurnMail>> {
        self.call(move |tables| tables.people.mail.turns.of(person))
    }

    fn turn_mail<'a>(
        &'a self,
        person: Holder,
        id: &'a str,
        turn: u64,
    ) -> StoreFuture<'a, Option<TurnMail>> {
        self.call(move |tables| {
            let own = tables.people.mail.turns.of(person);
            own.into_iter().find(|own| own.id == id && own.turn == turn)
        })
    }

    fn turn_mail_of_token(&self, hash: [u8; 32], at: i64) -> StoreFuture<'_, Option<Holder>> {
        self.call(move |tables| tables.people.mail.turns.person_of(hash, at))
    }
}
