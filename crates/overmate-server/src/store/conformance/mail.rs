//! Tests that every store keeps e-mail addresses and e-mail messages.

use std::sync::Arc;

use super::pair::{Pair, against_computer, create, holder, use_code};
use super::relations::new_account;
use crate::store::connection::sql::statement;
use crate::store::queries::operators;
use crate::store::{
    Appended, CodeKind, CodeOffer, MOST_TRIES, MOST_WITH_ADDRESS, MailAddress, MailChange,
    MailKind, MailMessage, PersonChange, PushLanguage, Standing, Store,
};

type Shared = Arc<dyn Store>;

async fn change(store: &Shared, change: MailChange) -> Appended {
    store.change_person(PersonChange::Mail(change)).await.expect("a write")
}

pub(super) async fn make_account(store: &Shared, person: u8) {
    create(store, against_computer(person.into(), holder(person))).await;
    let (handle, password) = (format!("Person{person}"), format!("hash {person}"));
    let make = new_account(person, person, &handle, &password);
    let made = store.change_person(make).await.expect("a write");
    assert_eq!(made, Appended::Stored);
}

fn address(person: u8, text: &str, recovery: bool, at: i64) -> MailAddress {
    MailAddress {
        person: holder(person),
        address: text.to_owned(),
        language: PushLanguage::German,
        recovery,
        confirmed_at: at,
        turns: false,
        refusals: 0,
        retry_at: 0,
    }
}

pub(super) fn message(kind: MailKind, person: u8, text: &str, at: i64) -> MailMessage {
    MailMessage::new(kind, address(person, text, true, 0), at)
}

async fn queue(store: &Shared, kind: MailKind, person: u8, text: &str, at: i64) -> Appended {
    let (message, password) = (message(kind, person, text, at), Some(format!("hash {person}")));
    change(store, MailChange::Queue { message, password }).await
}

async fn begin(
    store: &Shared,
    kind: MailKind,
    person: u8,
    tries: u32,
    hash: u8,
    at: i64,
) -> Appended {
    let of_kind = |own: &MailMessage| own.kind == kind;
    let own = store.mail_messages(holder(person)).await.expect("a read");
    let address = own.into_iter().find(of_kind).map(|own| own.address).unwrap_or_default();
    let hash = [hash; 32];
    let begin = MailChange::Begin { person: holder(person), kind, address, tries, hash, at };
    change(store, begin).await
}

/// Removes the e-mail address of a person, after a check of the person's password.
async fn remove(store: &Shared, person: u8, password: &str, at: i64) -> Appended {
    let (person, password) = (holder(person), Some(password.to_owned()));
    change(store, MailChange::Remove { person, password, at }).await
}

async fn confirm(store: &Shared, person: u8, hash: u8, at: i64) -> Appended {
    change(store, MailChange::Confirm { person: holder(person), hash: [hash; 32], at }).await
}

async fn recover(store: &Shared, person: u8, hash: u8, at: i64) -> Appended {
    let (person, password) = (holder(person), "new hash".to_owned());
    change(store, MailChange::Recover { person, hash: [hash; 32], password, at }).await
}

/// Queues a confirmation e-mail to a person's address, and confirms the address by the link in the e-mail.
pub(super) async fn set(store: &Shared, person: u8, text: &str, at: i64) {
    let hash = person ^ 128;
    assert_eq!(queue(store, MailKind::Confirm, person, text, at).await, Appended::Stored);
    assert_eq!(begin(store, MailKind::Confirm, person, 0, hash, at).await, Appended::Stored);
    assert_eq!(confirm(store, person, hash, at).await, Appended::Stored);
}

async fn of(store: &Shared, person: u8) -> Option<MailAddress> {
    store.mail_address(holder(person)).await.expect("a read")
}

async fn due(store: &Shared, at: i64) -> Vec<MailMessage> {
    store.due_mail(at, 10).await.expect("a read")
}

/// Tests that several accounts may use one e-mail address. Person 1 has already confirmed the address, `anna@b.example`.
async fn one_address_of_several(a: &Shared, b: &Shared) {
    // The store finds accounts by their e-mail address, regardless of upper and lower case. It returns at most three accounts.
    let with = async |text: &str| {
        let found = a.mail_addresses_of(text.to_owned()).await.expect("a read");
        found.iter().map(|own| own.person.0[0]).collect::<Vec<u8>>()
    };
    for person in 2..6 {
        make_account(a, person).await;
        set(b, person, "anna@b.example", 300 + i64::from(person)).await;
    }
    assert_eq!(with("ANNA@b.example").await, [1, 2, 3]);
    assert_eq!(MOST_WITH_ADDRESS, 3);
    let (person, language) = (holder(2), PushLanguage::English);
    let change_use = |text: &str| MailChange::Set {
        person,
        address: text.to_owned(),
        language,
        recovery: false,
        password: Some("hash 2".to_owned()),
    };
    assert_eq!(change(a, change_use("anna@a.example")).await, Appended::Conflict);
    // The request to change the settings of an e-mail address contains an outdated password hash, as if another request had replaced the
    // password.
    let mut late = change_use("ANNA@b.example");
    if let MailChange::Set { password, .. } = &mut late {
        *password = Some("former hash".to_owned());
    }
    assert_eq!(change(a, late).await, Appended::Conflict);
    let message_to_stranger = message(MailKind::Confirm, 2, "stranger@b.example", 310);
    for password in [None, Some("former hash".to_owned())] {
        let message = message_to_stranger.clone();
        let queued = change(a, MailChange::Queue { message, password }).await;
        assert_eq!(queued, Appended::Conflict);
    }
    // After a person has changed the settings of their e-mail address, the links in their earlier confirmation and recovery e-mails are
    // invalid.
    for (kind, text, hash) in
        [(MailKind::Confirm, "stranger@b.example", 30), (MailKind::Recover, "anna@b.example", 31)]
    {
        assert_eq!(queue(a, kind, 2, text, 310).await, Appended::Stored);
        assert_eq!(begin(a, kind, 2, 0, hash, 310).await, Appended::Stored);
    }
    assert_eq!(change(a, change_use("ANNA@b.example")).await, Appended::Stored);
    assert_eq!(confirm(a, 2, 30, 311).await, Appended::Conflict);
    assert_eq!(recover(a, 2, 31, 311).await, Appended::Conflict);
    let unused = MailAddress { language, ..address(2, "anna@b.example", false, 302) };
    assert_eq!(of(b, 2).await, Some(unused));
    assert_eq!(with("anna@b.example").await, [1, 3, 4]);
    assert_eq!(with("anna@a.example").await, [0_u8; 0]);
}

pub(super) async fn addresses(Pair { a, b, .. }: &mut Pair) {
    // Only a person with an account gets an e-mail message.
    assert_eq!(queue(a, MailKind::Confirm, 1, "anna@a.example", 100).await, Appended::Conflict);
    make_account(a, 1).await;
    assert_eq!(queue(a, MailKind::Confirm, 1, "anna@a.example", 100).await, Appended::Stored);
    let waiting = message(MailKind::Confirm, 1, "anna@a.example", 100);
    assert_eq!(due(b, 99).await, []);
    assert_eq!(due(b, 100).await, std::slice::from_ref(&waiting));
    assert_eq!(of(b, 1).await, None, "an address without a confirmation");

    // If two servers begin the same attempt to send a message, exactly one of them succeeds.
    let begun = tokio::join!(
        begin(a, MailKind::Confirm, 1, 0, 7, 110),
        begin(b, MailKind::Confirm, 1, 0, 8, 110)
    );
    let hash = match begun {
        (Appended::Stored, Appended::Conflict) => 7,
        (Appended::Conflict, Appended::Stored) => 8,
        other => panic!("{other:?}"),
    };
    let kept = b.mail_messages(holder(1)).await.expect("a read");
    let (tries, retry_at, until) = (1, 170, 110 + 24 * 3_600);
    let attempt = MailMessage { hash: Some([hash; 32]), tries, retry_at, until, ..waiting.clone() };
    assert_eq!(kept, std::slice::from_ref(&attempt));
    assert_eq!(due(a, 169).await, []);
    assert_eq!(due(a, 170).await, std::slice::from_ref(&attempt));

    // A further attempt to send an e-mail message has a token of its own. A sent message is not sent again.
    assert_eq!(begin(a, MailKind::Confirm, 1, 1, 9, 170).await, Appended::Stored);
    let sent = |hash| MailChange::Sent { person: holder(1), kind: MailKind::Confirm, hash };
    assert_eq!(change(b, sent([hash; 32])).await, Appended::Conflict);
    assert_eq!(change(b, sent([9; 32])).await, Appended::Stored);
    assert_eq!(due(a, 10_000).await, []);
    assert_eq!(begin(a, MailKind::Confirm, 1, 2, 10, 10_000).await, Appended::Conflict);

    // The token of an e-mail link works once, before its expiry, and only for its kind of message.
    let end = 170 + 24 * 3_600;
    let found = async |kind, hash, at| {
        a.mail_of_token(kind, [hash; 32], at).await.expect("a read").map(|found| found.person)
    };
    assert_eq!(found(MailKind::Confirm, 9, end - 1).await, Some(holder(1)));
    assert_eq!(found(MailKind::Confirm, 9, end).await, None);
    assert_eq!(found(MailKind::Confirm, hash, 200).await, None);
    assert_eq!(found(MailKind::Recover, 9, 200).await, None);
    assert_eq!(recover(a, 1, 9, 200).await, Appended::Conflict);
    assert_eq!(confirm(a, 1, hash, 200).await, Appended::Conflict);
    assert_eq!(confirm(b, 1, 9, 200).await, Appended::Stored);
    assert_eq!(confirm(b, 1, 9, 200).await, Appended::Conflict);
    assert_eq!(of(a, 1).await, Some(address(1, "anna@a.example", true, 200)));

    // The former e-mail address of an account stays in use until the new address is confirmed.
    assert_eq!(queue(a, MailKind::Confirm, 1, "Anna@B.example", 300).await, Appended::Stored);
    assert_eq!(begin(a, MailKind::Confirm, 1, 0, 11, 300).await, Appended::Stored);
    assert_eq!(of(b, 1).await, Some(address(1, "anna@a.example", true, 200)));
    assert_eq!(confirm(a, 1, 11, 300).await, Appended::Stored);
    assert_eq!(of(b, 1).await, Some(address(1, "Anna@B.example", true, 300)));

    one_address_of_several(a, b).await;

    // The removal of an address removes the messages with links to this address. The erasure of a person removes the address and
    // all messages to the person.
    assert_eq!(queue(a, MailKind::Confirm, 3, "c@c.example", 400).await, Appended::Stored);
    assert_eq!(remove(a, 3, "former hash", 450).await, Appended::Conflict);
    assert!(of(b, 3).await.is_some());
    assert_eq!(remove(a, 3, "hash 3", 450).await, Appended::Stored);
    assert_eq!(of(b, 3).await, None);
    let kinds = async || {
        let waiting = due(b, 500).await;
        waiting.iter().map(|own| own.kind).collect::<Vec<MailKind>>()
    };
    assert_eq!(kinds().await, [MailKind::Changed, MailKind::Removed]);
    assert_eq!(queue(a, MailKind::Confirm, 4, "d@d.example", 400).await, Appended::Stored);
    let forget = PersonChange::Forget { person: holder(4), at: 500 };
    assert_eq!(a.change_person(forget).await.expect("a write"), Appended::Stored);
    assert_eq!((of(b, 4).await, kinds().await.len()), (None, 2));
}

pub(super) async fn notices(Pair { a, b, .. }: &mut Pair) {
    make_account(a, 1).await;
    for (at, text) in [
        (300, "anna@a.example"),
        (301, "anna@b.example"),
        // A change of letter case is not a change of the e-mail address.
        (302, "ANNA@b.example"),
        (303, "anna@a.example"),
        // The e-mail notice to `anna@a.example` is still queued, and is not queued twice.
        (304, "anna@b.example"),
    ] {
        set(a, 1, text, at).await;
    }
    assert_eq!(remove(b, 1, "hash 1", 305).await, Appended::Stored);
    assert_eq!(remove(b, 1, "hash 1", 306).await, Appended::Stored);
    let expected = [
        (MailKind::Changed, "anna@a.example", 301),
        (MailKind::Changed, "ANNA@b.example", 303),
        (MailKind::Removed, "anna@b.example", 305),
    ];
    let told = due(b, 306).await;
    let told: Vec<_> = told.iter().map(|own| (own.kind, &*own.address, own.made_at)).collect();
    assert_eq!(told, expected);
    // Neither a new e-mail address nor a new password removes a queued notice to a former address.
    set(a, 1, "anna@c.example", 307).await;
    assert_eq!(queue(a, MailKind::Recover, 1, "anna@c.example", 307).await, Appended::Stored);
    assert_eq!(begin(a, MailKind::Recover, 1, 0, 50, 307).await, Appended::Stored);
    assert_eq!(recover(a, 1, 50, 307).await, Appended::Stored);
    assert_eq!(due(a, 307).await.len(), 3);
    for (number, (kind, text, at)) in (60..).zip(expected) {
        let (person, address, hash) = (holder(1), text.to_owned(), [number; 32]);
        let begin = MailChange::Begin { person, kind, address, tries: 0, hash, at };
        assert_eq!(change(a, begin).await, Appended::Stored, "{text}");
        for other in [MailKind::Confirm, MailKind::Recover] {
            let found = a.mail_of_token(other, hash, at).await.expect("a read");
            assert_eq!(found, None, "the token of a notice serves for nothing");
        }
        assert_eq!(change(b, MailChange::Drop { person, kind, hash }).await, Appended::Stored);
    }
    assert_eq!(a.mail_messages(holder(1)).await.expect("a read"), []);
    // Only a change or removal of an e-mail address queues an e-mail notice to the former address. The store refuses a request that would
    // queue such a notice itself. An erased person gets no notice.
    let notice = message(MailKind::Changed, 1, "stranger@b.example", 310);
    let queued = MailChange::Queue { message: notice, password: Some("new hash".to_owned()) };
    assert_eq!(change(a, queued).await, Appended::Conflict);
    assert_eq!(remove(b, 1, "new hash", 310).await, Appended::Stored);
    assert_eq!(due(a, 310).await.len(), 1);
    let forget = PersonChange::Forget { person: holder(1), at: 320 };
    assert_eq!(a.change_person(forget).await.expect("a write"), Appended::Stored);
    assert_eq!(due(a, 330).await, []);
}

pub(super) async fn recoveries(Pair { a, b, .. }: &mut Pair) {
    make_account(a, 1).await;
    let recovery = MailKind::Recover;
    assert_eq!(queue(a, recovery, 1, "anna@a.example", 100).await, Appended::Conflict);
    set(a, 1, "anna@a.example", 100).await;
    assert_eq!(queue(a, recovery, 1, "other@a.example", 100).await, Appended::Conflict);
    assert_eq!(queue(a, recovery, 1, "ANNA@a.example", 100).await, Appended::Stored);
    assert_eq!(begin(b, recovery, 1, 0, 7, 100).await, Appended::Stored);
    // The account to be recovered has a second browser and recovery codes. Somebody who knew the former password may have created the
    // codes.
    let codes = CodeOffer {
        hashes: vec![[50; 32], [51; 32]],
        kind: CodeKind::Recovery,
        person: holder(1),
        browser: holder(1),
        name: None,
        at: 100,
        until: None,
    };
    a.change_person(PersonChange::Offer(codes)).await.expect("a write");
    let add = use_code([50; 32], 2, 100);
    assert_eq!(a.change_person(add).await.expect("a write"), Appended::Stored);

    assert_eq!(recover(a, 1, 8, 200).await, Appended::Conflict, "another token");
    assert_eq!(recover(a, 1, 7, 100 + 3_600).await, Appended::Conflict, "an old token");
    set(a, 1, "anna@a.example", 100).await;
    assert_eq!(queue(a, recovery, 1, "anna@a.example", 200).await, Appended::Stored);
    assert_eq!(begin(b, recovery, 1, 0, 7, 200).await, Appended::Stored);
    // Somebody who knew the former password may have requested a confirmation link for their own address. The recovery of the account makes
    // this link invalid.
    assert_eq!(queue(a, MailKind::Confirm, 1, "thief@a.example", 200).await, Appended::Stored);
    assert_eq!(begin(a, MailKind::Confirm, 1, 0, 30, 200).await, Appended::Stored);
    assert_eq!(recover(b, 1, 7, 201).await, Appended::Stored);
    assert_eq!(confirm(b, 1, 30, 201).await, Appended::Conflict);
    assert_eq!(recover(b, 1, 7, 201).await, Appended::Conflict, "a used token");
    let account = b.account(holder(1)).await.expect("a read").expect("an account");
    assert_eq!(account.password.as_deref(), Some("new hash"));
    for browser in [1, 2] {
        assert_eq!(a.standing(holder(browser)).await.expect("a read"), Standing::Revoked);
    }
    assert_eq!(a.recovery(holder(1)).await.expect("a read"), None);
    let late = use_code([51; 32], 3, 210);
    assert_eq!(a.change_person(late).await.expect("a write"), Appended::Conflict);
    assert_eq!(of(a, 1).await, Some(address(1, "anna@a.example", true, 100)));

    // A queued e-mail is no longer due after the maximum number of attempts to send it. The server of the last attempt can drop the e-mail.
    // An e-mail that no server tries to send expires.
    assert_eq!(queue(a, recovery, 1, "anna@a.example", 300).await, Appended::Stored);
    let (mut at, mut tries) = (300, 0);
    while let Some(next) = due(b, at).await.pop() {
        assert_eq!(begin(b, recovery, 1, next.tries, 20, at).await, Appended::Stored);
        at = b.mail_messages(holder(1)).await.expect("a read")[0].retry_at;
        tries += 1;
    }
    assert_eq!(tries, MOST_TRIES);
    let drop = |hash| MailChange::Drop { person: holder(1), kind: recovery, hash: [hash; 32] };
    assert_eq!(change(a, drop(21)).await, Appended::Conflict);
    assert_eq!(change(a, drop(20)).await, Appended::Stored);
    assert_eq!(a.mail_messages(holder(1)).await.expect("a read"), []);
    assert_eq!(queue(a, recovery, 1, "anna@a.example", 10_000).await, Appended::Stored);
    assert_eq!(due(b, 10_000 + 3_600).await, []);
    for (at, left) in [(10_000 + 3_599, 1), (10_000 + 3_600, 0)] {
        let forget = PersonChange::ForgetOld { at };
        assert_eq!(a.change_person(forget).await.expect("a write"), Appended::Stored);
        assert_eq!(b.mail_messages(holder(1)).await.expect("a read").len(), left);
    }
}

/// Tests that an account keeps its e-mail address when an operator moves the account to a new identity after a cookie theft. Messages with
/// links do not move.
pub(super) async fn operators_and_addresses(Pair { a, operator, .. }: &mut Pair) {
    let connection = operator.as_mut().expect("a database");
    make_account(a, 1).await;
    set(a, 1, "anna@a.example", 100).await;
    assert_eq!(queue(a, MailKind::Recover, 1, "anna@a.example", 100).await, Appended::Stored);
    set(a, 1, "anna@b.example", 100).await;
    operators::revoke_browser(connection, holder(1), holder(9), 110).await.expect("a write");
    assert_eq!(of(a, 1).await, None);
    assert_eq!(of(a, 9).await, Some(address(9, "anna@b.example", true, 100)));
    // A queued e-mail notice to an account's former address is still sent after an operator has moved the account to a new identity.
    let told = due(a, 120).await;
    let told: Vec<_> = told.iter().map(|own| (own.person, own.kind, &*own.address)).collect();
    assert_eq!(told, [(holder(9), MailKind::Changed, "anna@a.example")]);

    // The clean-up of old data removes an e-mail address whose account no longer exists. Earlier versions left such addresses behind.
    statement("DELETE FROM accounts WHERE person = $1")
        .bind(holder(9))
        .execute(connection)
        .await
        .expect("a write");
    let forget = PersonChange::ForgetOld { at: 130 };
    assert_eq!(a.change_person(forget).await.expect("a write"), Appended::Stored);
    assert_eq!(of(a, 9).await, None);
}
