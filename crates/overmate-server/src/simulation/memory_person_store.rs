//! Implements an in-memory store of people's browser identities, codes and accounts, for simulations.
//!
//! When a person joins another person, this store moves the person's seats at once. The databases instead find the person of each
//! seat when they execute a query. Both give callers the same result.

use overmate_rules::Player;

use super::memory_bots;
use super::memory_link::Link;
use super::memory_match::holder_of;
use super::memory_store::{MemoryStore, Tables};
use super::memory_visibility;
use crate::store::{
    Account, AccountChange, Addition, Appended, Deadline, Entry, EntryKind, Holder, KnownBrowser,
    MailChange, Occupant, PasskeyChallenge, PasskeyChange, People, PersonChange, Proof, PushKind,
    RecoveryCodes, Standing, StoreFuture, StoredPasskey, Traces, TurnMailChange,
};

impl<L: Link> People for MemoryStore<L> {
    fn standing(&self, browser: Holder) -> StoreFuture<'_, Standing> {
        self.call(move |tables| tables.people.standing(browser))
    }

    fn browsers(&self, person: Holder) -> StoreFuture<'_, Vec<KnownBrowser>> {
        self.call(move |tables| tables.people.browsers(person))
    }

    fn recovery(&self, person: Holder) -> StoreFuture<'_, Option<RecoveryCodes>> {
        self.call(move |tables| tables.people.recovery(person))
    }

    fn account(&self, person: Holder) -> StoreFuture<'_, Option<Account>> {
        self.call(move |tables| tables.people.accounts.of_person(person))
    }

    fn account_by_tag(&self, tag: [u8; 32]) -> StoreFuture<'_, Option<Account>> {
        self.call(move |tables| tables.people.accounts.of_tag(tag))
    }

    fn is_handle_free(&self, tag: [u8; 32], person: Holder, at: i64) -> StoreFuture<'_, bool> {
        self.call(move |tables| tables.people.accounts.is_free(tag, person, at))
    }

    fn passkeys(&self, person: Holder) -> StoreFuture<'_, Vec<StoredPasskey>> {
        self.call(move |tables| tables.people.passkeys.of_person(person))
    }

    fn passkey(&self, id: Vec<u8>) -> StoreFuture<'_, Option<StoredPasskey>> {
        self.call(move |tables| tables.people.passkeys.of_id(&id))
    }

    fn passkey_challenge(&self, id: String, at: i64) -> StoreFuture<'_, Option<PasskeyChallenge>> {
        self.call(move |tables| tables.people.passkeys.challenge(&id, at))
    }

    fn traces_of(&self, person: Holder) -> StoreFuture<'_, Traces> {
        // The list of operators' acts against the person is empty, because no operator can use the in-memory store.
        self.call(move |tables| {
            let created = tables.matches.values().filter_map(|stored| {
                let request = stored.request.as_ref()?;
                let is_own = tables.people.owner(request.holder) == person;
                is_own.then(|| (stored.info.id.clone(), request.client_id.clone()))
            });
            Traces { requests: created.collect(), acts: Vec::new() }
        })
    }

    fn change_person(&self, change: PersonChange) -> StoreFuture<'_, Appended> {
        let at = match &change {
            PersonChange::Add { at, .. }
            | PersonChange::Account(AccountChange::SignIn { at, .. }) => *at,
            PersonChange::Offer(_)
            | PersonChange::Revoke { .. }
            | PersonChange::Account(_)
            | PersonChange::Passkey(_)
            | PersonChange::Bot(_)
            | PersonChange::Mail(_)
            | PersonChange::Forget { .. }
            | PersonChange::Vacate { .. }
            | PersonChange::ForgetOld { .. } => 0,
        };
        let exposed = match &change {
            PersonChange::Revoke { person, .. }
            | PersonChange::Passkey(PasskeyChange::Remove { person, .. })
            | PersonChange::Account(AccountChange::SetPassword {
                person,
                proof: Proof::Password(_) | Proof::RecoveryCode(_),
                ..
            })
            | PersonChange::Mail(MailChange::Recover { person, .. }) => Some(*person),
            PersonChange::Account(AccountChange::Make { account, .. }) => Some(account.person),
            PersonChange::Offer(_)
            | PersonChange::Add { .. }
            | PersonChange::Account(_)
            | PersonChange::Passkey(_)
            | PersonChange::Bot(_)
            | PersonChange::Mail(_)
            | PersonChange::Forget { .. }
            | PersonChange::Vacate { .. }
            | PersonChange::ForgetOld { .. } => None,
        };
        self.write(move |tables| {
            if let PersonChange::Forget { person, .. } = &change {
                tables.puzzles.forget(*person);
                tables.absences.forget(*person);
                tables.offers.forget(*person);
                tables.push.forget(*person);
                tables.ratings.forget(*person);
                tables.relations.forget(*person);
                tables.visibility.forget(*person);
                tables.reports.forget(*person);
                tables.events.forget(*person);
                tables.bots.forget(*person);
            }
            if let PersonChange::Bot(change) = change {
                return memory_bots::change(tables, change);
            }
            if let PersonChange::Vacate { person, id, at } = change {
                return vacate(tables, &id, person, at);
            }
            if is_late_turn(tables, &change) {
                return Appended::Conflict;
            }
            if let PersonChange::Account(
                AccountChange::SetPrivate { person, .. } | AccountChange::SetHandle { person, .. },
            ) = &change
            {
                tables.offers.note_of(*person);
            }
            if let PersonChange::ForgetOld { at } = &change {
                memory_visibility::forget_old(tables, *at);
            }
            let secured = match &change {
                PersonChange::Account(AccountChange::SetPassword {
                    person,
                    proof: Proof::Password(_) | Proof::RecoveryCode(_),
                    ..
                })
                | PersonChange::Mail(MailChange::Recover { person, .. }) => Some(*person),
                _ => None,
            };
            let (appended, joined) = tables.people.change(change);
            if appended == Appended::Stored {
                tables.push.follow(&tables.people);
            }
            if let Some(person) = secured.filter(|_| appended == Appended::Stored) {
                memory_bots::forget_tokens(tables, person);
            }
            if let Some(person) = exposed.filter(|_| appended == Appended::Stored) {
                tables.absences.forget_feed(person);
            }
            if let Some((former, person)) = joined {
                join(tables, former, person, at);
            }
            appended
        })
    }
}

/// Vacates the seat of a person in a match, or removes the match if no other person holds a seat.
fn vacate(tables: &mut Tables, id: &str, person: Holder, at: i64) -> Appended {
    let Some(stored) = tables.matches.get(id).filter(|stored| stored.is_held_by(person)) else {
        return Appended::Conflict;
    };
    let holders = Player::BOTH.map(|player| holder_of(&stored.info, player));
    let sequence = tables.sequence(id);
    if holders.into_iter().flatten().all(|holder| holder == person) {
        return tables.remove(id, sequence);
    }
    let player = if holders[0] == Some(person) { Player::A } else { Player::B };
    let resigns = stored.ended_at.is_none();
    let kinds = [resigns.then_some(EntryKind::Resign), Some(EntryKind::Leave)];
    for (sequence, kind) in (sequence + 1..).zip(kinds.into_iter().flatten()) {
        let (ends, client_id) = (kind == EntryKind::Resign, format!("vacate {sequence}"));
        let entry = Entry { sequence, player, kind, client_id, at_ms: 1_000 * at, given_ms: 0 };
        let deadline = ends.then_some(Deadline(None));
        tables.append(Addition { ends, deadline, ..Addition::of(id, entry) }, None);
    }
    Appended::Stored
}

/// Returns whether `change` begins an attempt to send an outdated e-mail about a turn. The e-mail is outdated if the turn is over or the
/// e-mail is no longer queued.
fn is_late_turn(tables: &Tables, change: &PersonChange) -> bool {
    let PersonChange::Mail(MailChange::Turn(TurnMailChange::Begin { id, sequence, .. })) = change
    else {
        return false;
    };
    let name = PushKind::Mail.lease(id);
    let waits = tables.leases.names().any(|known| known == name);
    !waits || tables.sequence(id) != *sequence
}

/// Transfers the data of a person, such as seats in matches, puzzle attempts and match offers, to another person.
fn join(tables: &mut Tables, former: Holder, person: Holder, at: i64) {
    if let Some(bot) = tables.people.accounts.of_person(person).filter(|account| account.is_bot) {
        memory_bots::mark_seats(tables, former, &bot.handle);
    }
    for stored in tables.matches.values_mut() {
        if let Some(request) = stored.request.as_mut().filter(|request| request.holder == former) {
            request.holder = person;
        }
        let mut changed = None;
        for player in [Player::B, Player::A] {
            let occupant = &mut stored.info.seats[player].occupant;
            if *occupant == Occupant::Holder(former) {
                *occupant = Occupant::Holder(person);
                changed = Some(player);
            }
        }
        if let Some(player) = changed {
            let sequence = stored.log.len() as u64 + 1;
            let client_id = format!("{sequence:032x}");
            let kind = EntryKind::Operator;
            let at_ms = 1_000 * at;
            stored.log.push(Entry { sequence, player, kind, client_id, at_ms, given_ms: 0 });
        }
    }
    tables.puzzles.join(former, person);
    let budget = tables.days_off();
    tables.absences.join(former, person, budget, at.saturating_mul(1_000));
    tables.offers.join(former, person);
    tables.visibility.join(former, person);
    tables.reports.join(former, person);
    if tables.relations.join(former, person) {
        tables.offers.note();
    }
}
