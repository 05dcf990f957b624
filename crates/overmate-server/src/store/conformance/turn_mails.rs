//! Tests e-mails about turns on every store.

use std::sync::Arc;

use overmate_rules::ByPlayer;

use super::mail::{make_account, set};
use super::pair::{Pair, append, create, entry, holder, id, info, seat};
use crate::clocks::clock_setting::ClockSetting;
use crate::store::connection::sql::statement;
use crate::store::queries::operators;
use crate::store::{
    Addition, Appended, Entry, EntryKind, Holder, MOST_REFUSALS, MailChange, MatchInfo, Occupant,
    PersonChange, PushKind, PushLanguage, REFUSAL_PAUSE, STOP_TIME, Store, TurnMail,
    TurnMailAnswer, TurnMailChange,
};

type Shared = Arc<dyn Store>;

/// Number of the tested correspondence match, from which the match id is derived.
const MATCH: u32 = 11;

async fn change(store: &Shared, change: TurnMailChange) -> Appended {
    let change = PersonChange::Mail(MailChange::Turn(change));
    store.change_person(change).await.expect("a write")
}

async fn switch(store: &Shared, person: u8, turns: bool) -> Appended {
    let (person, language) = (holder(person), PushLanguage::English);
    change(store, TurnMailChange::Set { person, turns, language }).await
}

/// Begins an attempt to send the e-mail to a person about a turn of the correspondence match. `sequence` is the sequence number that the
/// last log entry must have.
async fn begin(store: &Shared, person: u8, (sequence, turn): (u64, u64), hash: u8) -> Appended {
    let begin = TurnMailChange::Begin {
        person: holder(person),
        address: format!("{person}@a.example"),
        id: id(MATCH),
        sequence,
        turn,
        hash: [hash; 32],
        at: 1_000 + i64::from(hash),
    };
    change(store, begin).await
}

async fn end(store: &Shared, person: u8, hash: u8, answer: TurnMailAnswer) -> Appended {
    let (person, hash) = (holder(person), [hash; 32]);
    change(store, TurnMailChange::End { person, hash, answer, at: 2_000 }).await
}

async fn refuse(store: &Shared, hash: u8, at: i64) -> Appended {
    let (person, hash, answer) = (holder(2), [hash; 32], TurnMailAnswer::Refused);
    change(store, TurnMailChange::End { person, hash, answer, at }).await
}

async fn stop(store: &Shared, person: u8, hash: u8, at: i64) -> Appended {
    change(store, TurnMailChange::Stop { person: holder(person), hash: [hash; 32], at }).await
}

async fn of_token(store: &Shared, hash: u8, at: i64) -> Option<Holder> {
    store.turn_mail_of_token([hash; 32], at).await.expect("a read")
}

/// Returns the status of a person's e-mails about turns: the on/off setting, the number of refusals by the mail server,
/// and the earliest time of the next e-mail.
async fn state(store: &Shared, person: u8) -> (bool, u32, i64) {
    let own = store.mail_address(holder(person)).await.expect("a read").expect("an address");
    (own.turns, own.refusals, own.retry_at)
}

async fn mails(store: &Shared, person: u8) -> Vec<TurnMail> {
    store.turn_mails(holder(person)).await.expect("a read")
}

/// Returns the metadata of a test match between two persons.
fn of_two(number: u32, a: u8, b: u8, clock: Option<ClockSetting>) -> MatchInfo {
    let seats = ByPlayer { a, b }.map(|person| seat(Occupant::Holder(holder(person))));
    MatchInfo { invitation: None, seats, clock, ..info(number) }
}

/// Creates a test match between two persons.
async fn between(store: &Shared, number: u32, a: u8, b: u8, clock: Option<ClockSetting>) {
    create(store, of_two(number, a, b, clock)).await;
}

async fn two(store: &Shared) {
    for person in [1, 2] {
        make_account(store, person).await;
        set(store, person, &format!("{person}@a.example"), 100).await;
    }
    between(store, MATCH, 1, 2, ClockSetting::days(3)).await;
}

async fn waiting(store: &Shared) -> Vec<String> {
    store.waiting_turns().await.expect("a read")
}

pub(super) async fn waits(Pair { a, b, .. }: &mut Pair) {
    two(a).await;
    between(a, MATCH + 1, 1, 2, None).await;
    between(a, MATCH + 2, 1, 2, ClockSetting::live(300, 5)).await;
    // Person 2 has not switched e-mails about turns on. Person 3 cannot switch them on, because they have no confirmed address.
    assert_eq!(state(b, 2).await, (false, 0, 0));
    assert_eq!(switch(a, 3, true).await, Appended::Conflict);
    assert_eq!(append(a, MATCH, 1).await, Appended::Stored);
    assert_eq!(waiting(b).await, [""; 0]);
    assert_eq!(switch(a, 2, true).await, Appended::Stored);
    let own = b.mail_address(holder(2)).await.expect("a read").expect("an address");
    assert_eq!((own.turns, own.language), (true, PushLanguage::English));
    // Only a turn in a correspondence match queues an e-mail.
    for (number, sequence) in [(MATCH, 2), (MATCH + 1, 1), (MATCH + 2, 1)] {
        assert_eq!(append(b, number, sequence).await, Appended::Stored);
    }
    let lease = PushKind::Mail.lease(&id(MATCH));
    assert_eq!(waiting(a).await, std::slice::from_ref(&lease));
    // A queued e-mail about a turn is removed only if the log of the match has not grown since the server read the log.
    assert_eq!(a.remove_lease(lease.clone(), 1).await.expect("a write"), Appended::Conflict);
    assert_eq!(a.remove_lease(lease, 2).await.expect("a write"), Appended::Stored);
    assert_eq!(waiting(b).await, [""; 0]);
    assert_eq!(switch(a, 2, false).await, Appended::Stored);
    assert_eq!(append(b, MATCH, 3).await, Appended::Stored);
    assert_eq!(waiting(a).await, [""; 0]);
    // When a player accepts a rematch, the store queues an e-mail to the player who takes the first action of the rematch.
    assert_eq!(switch(b, 1, true).await, Appended::Stored);
    let rematch = of_two(MATCH + 3, 1, 2, ClockSetting::days(3));
    let accept = Entry { kind: EntryKind::Accept(rematch.id.clone()), ..entry(4) };
    let accept = Addition { begun: Some(rematch), ..Addition::of(&id(MATCH), accept) };
    assert_eq!(a.append(accept).await.expect("a write"), Appended::Stored);
    assert_eq!(waiting(b).await, [PushKind::Mail.lease(&id(MATCH + 3))]);
}

pub(super) async fn attempts(Pair { a, b, .. }: &mut Pair) {
    two(a).await;
    assert_eq!(begin(a, 2, (0, 0), 1).await, Appended::Conflict, "switched off");
    assert_eq!(switch(a, 2, true).await, Appended::Stored);
    assert_eq!(begin(a, 2, (0, 0), 1).await, Appended::Conflict, "nothing waits");
    assert_eq!(append(a, MATCH, 1).await, Appended::Stored);
    assert_eq!(begin(a, 2, (0, 1), 1).await, Appended::Conflict, "an action that came meanwhile");
    assert_eq!(begin(a, 1, (1, 1), 1).await, Appended::Conflict, "a person who has not asked");

    // Only one of two servers begins an attempt to send an e-mail about a turn. No server begins another attempt while the result is
    // unknown.
    let begun = tokio::join!(begin(a, 2, (1, 1), 3), begin(b, 2, (1, 1), 4));
    let hash = match begun {
        (Appended::Stored, Appended::Conflict) => 3,
        (Appended::Conflict, Appended::Stored) => 4,
        other => panic!("{other:?}"),
    };
    assert_eq!(begin(b, 2, (1, 1), 5).await, Appended::Conflict);
    let at = 1_000 + i64::from(hash);
    let (person, until) = (holder(2), at + STOP_TIME);
    let sent = TurnMail { person, id: id(MATCH), turn: 1, tries: 1, failed: false, at, until };
    assert_eq!(mails(b, 2).await, std::slice::from_ref(&sent));
    assert_eq!(b.turn_mail(person, &id(MATCH), 1).await.expect("a read"), Some(sent.clone()));
    assert_eq!(b.turn_mail(person, &id(MATCH), 2).await.expect("a read"), None);
    assert_eq!(b.turn_mail(holder(1), &id(MATCH), 1).await.expect("a read"), None);

    // After a failed attempt to send an e-mail, the next attempt replaces the token in the e-mail's unsubscribe link.
    assert_eq!(end(b, 2, 9, TurnMailAnswer::Failed).await, Appended::Conflict);
    assert_eq!(end(b, 2, hash, TurnMailAnswer::Failed).await, Appended::Stored);
    assert!(mails(a, 2).await[0].failed);
    assert_eq!(begin(a, 2, (1, 1), 6).await, Appended::Stored);
    assert_eq!((mails(b, 2).await[0].tries, mails(b, 2).await[0].failed), (2, false));
    assert_eq!((of_token(a, hash, 1_100).await, of_token(a, 6, 1_100).await), (None, Some(person)));
    assert_eq!(end(b, 2, 6, TurnMailAnswer::Accepted).await, Appended::Stored);
    assert_eq!(begin(a, 2, (1, 1), 7).await, Appended::Conflict);

    // Several consecutive refusals by the mail server switch a person's e-mails about turns off.
    for (number, turn) in (1..=MOST_REFUSALS).zip(2_u8..) {
        let sequence = u64::from(turn);
        assert_eq!(append(a, MATCH, sequence).await, Appended::Stored);
        assert_eq!(begin(a, 2, (sequence, sequence), 20 + turn).await, Appended::Stored);
        let at = 2_000 + i64::from(number) * REFUSAL_PAUSE;
        assert_eq!(refuse(b, 20 + turn, at).await, Appended::Stored);
        let expected = (number < MOST_REFUSALS, number, at + REFUSAL_PAUSE);
        assert_eq!(state(a, 2).await, expected);
        // The store does not count a refusal by the mail server that comes within the pause after the previous counted refusal.
        assert_eq!(refuse(a, 20 + turn, at + REFUSAL_PAUSE - 1).await, Appended::Conflict);
        assert_eq!(state(b, 2).await, expected);
    }
    assert_eq!(switch(a, 2, true).await, Appended::Stored);
    assert_eq!(state(b, 2).await, (true, 0, 0));
    // An e-mail that the mail server accepts resets the person's number of consecutive refusals.
    assert_eq!(end(b, 2, 22, TurnMailAnswer::Refused).await, Appended::Stored);
    assert_eq!(end(b, 2, 23, TurnMailAnswer::Accepted).await, Appended::Stored);
    assert_eq!(state(b, 2).await, (true, 0, 0));
}

pub(super) async fn links(Pair { a, b, operator }: &mut Pair) {
    two(a).await;
    for person in [1, 2] {
        assert_eq!(switch(a, person, true).await, Appended::Stored);
    }
    assert_eq!(append(a, MATCH, 1).await, Appended::Stored);
    assert_eq!(begin(a, 2, (1, 1), 3).await, Appended::Stored);
    let end = 1_003 + STOP_TIME;
    assert_eq!((of_token(b, 3, end - 1).await, of_token(b, 3, end).await), (Some(holder(2)), None));
    for (person, hash, at) in [(1, 3, 1_100), (2, 4, 1_100), (2, 3, end)] {
        assert_eq!(stop(a, person, hash, at).await, Appended::Conflict);
    }
    assert_eq!((state(b, 1).await.0, state(b, 2).await.0), (true, true));
    for _ in 0..2 {
        assert_eq!(stop(a, 2, 3, end - 1).await, Appended::Stored);
        assert_eq!((state(b, 1).await.0, state(b, 2).await.0), (true, false));
    }
    // The token of an e-mail about a turn confirms no address and sets no password.
    let (person, hash) = (holder(2), [3; 32]);
    for other in [
        MailChange::Confirm { person, hash, at: 1_100 },
        MailChange::Recover { person, hash, password: "new hash".to_owned(), at: 1_100 },
    ] {
        let done = a.change_person(PersonChange::Mail(other)).await.expect("a write");
        assert_eq!(done, Appended::Conflict);
    }

    // The setting for e-mails about turns also applies to a new e-mail address of the person. The links in e-mails to the former address
    // become invalid.
    assert_eq!(switch(a, 2, true).await, Appended::Stored);
    set(a, 2, "other@a.example", 1_200).await;
    assert_eq!(state(b, 2).await, (true, 0, 0));
    assert_eq!((of_token(b, 3, 1_300).await, mails(b, 2).await), (None, vec![]));
    // The store begins no attempt to send an e-mail to a former address.
    assert_eq!(begin(a, 2, (1, 1), 5).await, Appended::Conflict);

    // E-mails with expired links, and the e-mails of erased people, are removed.
    assert_eq!(begin(a, 1, (1, 1), 6).await, Appended::Stored);
    for (at, left) in [(1_005 + STOP_TIME, 1), (1_006 + STOP_TIME, 0)] {
        let forget = PersonChange::ForgetOld { at };
        assert_eq!(a.change_person(forget).await.expect("a write"), Appended::Stored);
        assert_eq!(mails(b, 1).await.len(), left);
    }
    assert_eq!(begin(a, 1, (1, 1), 7).await, Appended::Stored);
    if let Some(connection) = operator {
        // Unsubscribe links still work after an operator has revoked a stolen cookie.
        operators::revoke_browser(connection, holder(1), holder(9), 1_300).await.expect("a write");
        assert_eq!(of_token(b, 7, 1_300).await, Some(holder(9)));
        let left: i64 = statement("SELECT count(*) FROM turn_mails WHERE person = $1")
            .bind(holder(1))
            .scalar(&mut *connection)
            .await
            .expect("a read");
        assert_eq!(left, 0);
        assert_eq!(stop(a, 9, 7, 1_300).await, Appended::Stored);
    }
    let person = if operator.is_some() { 9 } else { 1 };
    let forget = PersonChange::Forget { person: holder(person), at: 1_400 };
    assert_eq!(a.change_person(forget).await.expect("a write"), Appended::Stored);
    assert_eq!((of_token(b, 7, 1_300).await, mails(b, person).await), (None, vec![]));
}
