//! Implements an in-memory store of e-mails about turns, for tests.

use crate::store::{
    Holder, MOST_REFUSALS, MailAddress, REFUSAL_PAUSE, STOP_TIME, TurnMail, TurnMailAnswer,
    TurnMailChange,
};

/// In-memory table of e-mails about turns, each with the hash of the token in its link.
#[derive(Default)]
pub(super) struct TurnMailTable(Vec<([u8; 32], TurnMail)>);

impl TurnMailTable {
    /// Executes a change of the stored e-mails about turns. Before an attempt to send an e-mail, the caller checks that the e-mail is still
    /// queued and that the log of the match has no later entry.
    pub(super) fn change(
        &mut self,
        addresses: &mut [MailAddress],
        change: TurnMailChange,
    ) -> Option<()> {
        let person = change.person();
        let own = addresses.iter_mut().find(|own| own.person == person);
        match change {
            TurnMailChange::Set { turns, language, .. } => {
                let own = own?;
                (own.turns, own.language, own.refusals, own.retry_at) = (turns, language, 0, 0);
            }
            TurnMailChange::Begin { address, id, turn, hash, at, .. } => {
                own.filter(|own| own.turns && own.address == address)?;
                let (failed, until) = (false, at + STOP_TIME);
                let mut new = TurnMail { person, id, turn, tries: 1, failed, at, until };
                let known = self.0.iter().position(|(_, own)| {
                    (own.person, &own.id, own.turn) == (person, &new.id, turn)
                });
                if let Some(place) = known {
                    let (_, former) = self.0.get(place).filter(|(_, former)| former.failed)?;
                    new.tries += former.tries;
                    self.0.remove(place);
                }
                self.0.push((hash, new));
            }
            TurnMailChange::End { hash, answer, at, .. } => {
                let (_, begun) = self.0.iter_mut().find(|(known, _)| *known == hash)?;
                match answer {
                    TurnMailAnswer::Accepted => {
                        let own = own?;
                        (own.refusals, own.retry_at) = (0, 0);
                    }
                    TurnMailAnswer::Refused => {
                        let own = own.filter(|own| own.retry_at <= at)?;
                        own.refusals += 1;
                        own.turns &= own.refusals < MOST_REFUSALS;
                        own.retry_at = at + REFUSAL_PAUSE;
                    }
                    TurnMailAnswer::Failed => begun.failed = true,
                }
            }
            TurnMailChange::Stop { hash, at, .. } => {
                (self.person_of(hash, at) == Some(person)).then_some(())?;
                let own = own?;
                (own.turns, own.refusals, own.retry_at) = (false, 0, 0);
            }
        }
        Some(())
    }

    /// Returns the recipient of the e-mail whose link token has a given hash, or `None` if the token is not valid at
    /// the time `at`.
    pub(super) fn person_of(&self, hash: [u8; 32], at: i64) -> Option<Holder> {
        let found = self.0.iter().find(|(known, own)| *known == hash && own.until > at);
        found.map(|(_, own)| own.person)
    }

    /// Returns the e-mails about turns to a person, oldest first.
    pub(super) fn of(&self, person: Holder) -> Vec<TurnMail> {
        let own = self.0.iter().filter(|(_, own)| own.person == person);
        let mut own: Vec<TurnMail> = own.map(|(_, own)| own.clone()).collect();
        own.sort_by_key(|own| (own.at, own.id.clone(), own.turn));
        own
    }

    pub(super) fn forget(&mut self, person: Holder) {
        self.0.retain(|(_, own)| own.person != person);
    }

    pub(super) fn forget_old(&mut self, at: i64) {
        self.0.retain(|(_, own)| own.until > at);
    }
}
