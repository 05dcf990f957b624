//! Tests that every store keeps passkeys and passkey challenges.

use std::sync::Arc;

use super::mail::message;
use super::pair::{Pair, holder};
use crate::store::queries::operators;
use crate::store::{
    Account, AccountChange, Appended, CodeKind, CodeOffer, Holder, MOST_CHALLENGES, MOST_PASSKEYS,
    MailChange, MailKind, PasskeyChallenge, PasskeyChange, PersonChange, Proof, SignInProof,
    Standing, Store, StoredPasskey,
};

type Shared = Arc<dyn Store>;

fn passkey(person: u8, id: u8, at: i64) -> StoredPasskey {
    StoredPasskey {
        id: vec![id; 40],
        person: holder(person),
        user_handle: [person; 16],
        passkey: format!("{{\"counter\":{id}}}"),
        name: id.is_multiple_of(2).then(|| format!("key {id}")),
        made_at: at,
        used_at: None,
    }
}

async fn change(store: &Shared, change: PasskeyChange) -> Appended {
    store.change_person(PersonChange::Passkey(change)).await.expect("a write")
}

async fn change_account(store: &Shared, change: AccountChange) -> Appended {
    store.change_person(PersonChange::Account(change)).await.expect("a write")
}

async fn make(
    store: &Shared,
    person: u8,
    password: Option<&str>,
    passkey: Option<StoredPasskey>,
) -> Appended {
    let account = Account {
        person: holder(person),
        handle: format!("handle-{person}"),
        password: password.map(str::to_owned),
        made_at: 50,
        handle_at: 50,
        is_private: false,
        is_bot: false,
    };
    let (browser, renewed) = (holder(person), holder(person));
    let passkey = passkey.map(Box::new);
    let make =
        AccountChange::Make { account, tag: [person; 32], passkey, browser, renewed, name: None };
    change_account(store, make).await
}

async fn sign_in(
    store: &Shared,
    person: u8,
    (id, former, new): (u8, &str, &str),
    browser: u8,
    at: i64,
) -> Appended {
    let (former, new) = (former.to_owned(), new.to_owned());
    let sign_in = AccountChange::SignIn {
        person: holder(person),
        proof: SignInProof::Passkey { id: vec![id; 40], former, new },
        browser: holder(browser),
        renewed: holder(browser),
        name: None,
        at,
    };
    change_account(store, sign_in).await
}

async fn of(store: &Shared, person: u8) -> Vec<u8> {
    let passkeys = store.passkeys(holder(person)).await.expect("a read");
    passkeys.iter().map(|passkey| passkey.id[0]).collect()
}

async fn of_id(store: &Shared, id: u8) -> Option<StoredPasskey> {
    store.passkey(vec![id; 40]).await.expect("a read")
}

async fn remove(store: &Shared, person: u8, id: u8) -> Appended {
    change(store, PasskeyChange::Remove { person: holder(person), id: vec![id; 40] }).await
}

async fn set_password(store: &Shared, person: u8, proof: Proof) -> Appended {
    let (person, password) = (holder(person), "new".to_owned());
    let (browser, renewed) = (person, person);
    let set = AccountChange::SetPassword { person, proof, password, browser, renewed };
    change_account(store, set).await
}

/// Queues a confirmation e-mail to a new address of person 1, whose account has a given password hash.
async fn ask(store: &Shared, password: Option<&str>) {
    let message = message(MailKind::Confirm, 1, "thief@a.example", 80);
    let queue = MailChange::Queue { message, password: password.map(str::to_owned) };
    let queued = store.change_person(PersonChange::Mail(queue)).await.expect("a write");
    assert_eq!(queued, Appended::Stored);
}

pub(super) async fn passkeys(Pair { a, b, .. }: &mut Pair) {
    // A passkey alone suffices to make an account. No second account can have an equal passkey.
    assert_eq!(change(a, PasskeyChange::Add(passkey(1, 1, 40))).await, Appended::Conflict);
    assert_eq!(make(a, 1, None, Some(passkey(1, 1, 50))).await, Appended::Stored);
    assert_eq!(of_id(b, 1).await, Some(passkey(1, 1, 50)));
    assert_eq!(make(b, 2, None, Some(passkey(2, 1, 60))).await, Appended::Conflict);
    assert_eq!(b.account(holder(2)).await.expect("a read"), None);
    let account = b.account(holder(1)).await.expect("a read").expect("an account");
    assert_eq!(account.password, None);

    // A sign-in with a passkey succeeds only if the request contains the stored state of the passkey, and then replaces this state. A
    // second sign-in with the former state is refused.
    let former = "{\"counter\":1}";
    assert_eq!(sign_in(b, 1, (9, former, "new"), 3, 70).await, Appended::Conflict);
    assert_eq!(sign_in(b, 2, (1, former, "new"), 3, 70).await, Appended::Conflict);
    assert_eq!(sign_in(b, 1, (1, "other", "new"), 3, 70).await, Appended::Conflict);
    assert_eq!(a.standing(holder(3)).await.expect("a read"), Standing::Alone);
    assert_eq!(of_id(a, 1).await.expect("a passkey").used_at, None);
    assert_eq!(sign_in(b, 1, (1, former, "new"), 3, 70).await, Appended::Stored);
    assert_eq!(a.standing(holder(3)).await.expect("a read"), Standing::Of(holder(1)));
    let used = of_id(a, 1).await.expect("a passkey");
    assert_eq!((&*used.passkey, used.used_at), ("new", Some(70)));
    assert_eq!(sign_in(a, 1, (1, former, "newer"), 4, 71).await, Appended::Conflict);
    assert_eq!(sign_in(a, 1, (1, "new", "new"), 4, 72).await, Appended::Stored);

    // The only passkey of an account without a password cannot be removed.
    assert_eq!(remove(a, 1, 1).await, Appended::Conflict);
    let other = StoredPasskey { user_handle: [9; 16], ..passkey(1, 2, 80) };
    assert_eq!(change(b, PasskeyChange::Add(other)).await, Appended::Conflict, "of two handles");
    assert_eq!(change(b, PasskeyChange::Add(passkey(1, 2, 80))).await, Appended::Stored);
    assert_eq!(change(b, PasskeyChange::Add(passkey(1, 2, 81))).await, Appended::Conflict);
    assert_eq!(of(a, 1).await, [1, 2]);
    assert_eq!(remove(a, 3, 1).await, Appended::Conflict, "of another person");
    let offer = PersonChange::Offer(CodeOffer {
        hashes: vec![[9; 32]],
        kind: CodeKind::Recovery,
        person: holder(1),
        browser: holder(1),
        name: None,
        at: 85,
        until: None,
    });
    assert_eq!(a.change_person(offer).await.expect("a write"), Appended::Stored);
    ask(a, None).await;
    assert_eq!(remove(a, 1, 1).await, Appended::Stored);
    // The removal of a passkey makes the person's codes and e-mail links invalid, because whoever had the passkey may have made codes, or
    // requested a confirmation link for their own address.
    assert_eq!(b.recovery(holder(1)).await.expect("a read"), None);
    let waiting = async || b.mail_messages(holder(1)).await.expect("a read").len();
    assert_eq!(waiting().await, 0);
    assert_eq!(sign_in(a, 1, (1, "new", "new"), 5, 86).await, Appended::Conflict);
    assert_eq!(remove(b, 1, 2).await, Appended::Conflict);
    let wrong = Proof::Password("hash".to_owned());
    assert_eq!(set_password(a, 1, wrong).await, Appended::Conflict);
    // When an account gets its first password, no browser is signed out, but e-mail links become invalid.
    ask(a, None).await;
    assert_eq!(set_password(a, 1, Proof::NoPassword).await, Appended::Stored);
    assert_eq!(waiting().await, 0);
    assert_eq!(b.standing(holder(3)).await.expect("a read"), Standing::Of(holder(1)));
    assert_eq!(set_password(a, 1, Proof::NoPassword).await, Appended::Conflict);
    assert_eq!(remove(b, 1, 2).await, Appended::Stored);
    assert_eq!(of(a, 1).await, [0; 0]);
    // E-mail links become invalid if one browser of a person signs out another browser. They stay valid if a browser signs itself out.
    ask(a, Some("new")).await;
    for (browser, keeps_codes, expected) in [(3, true, 1), (4, false, 0)] {
        let revoke =
            PersonChange::Revoke { person: holder(1), browser: holder(browser), keeps_codes };
        assert_eq!(a.change_person(revoke).await.expect("a write"), Appended::Stored);
        assert_eq!(waiting().await, expected, "browser {browser}");
    }

    // The limit on the passkeys of an account holds even if two servers add passkeys.
    for number in 0..=u8::try_from(MOST_PASSKEYS).expect("a small number") {
        let server = if number % 2 == 0 { &*a } else { &*b };
        let expected = Appended::stored_if(usize::from(number) < MOST_PASSKEYS);
        let add = PasskeyChange::Add(passkey(1, 100 + number, i64::from(number)));
        assert_eq!(change(server, add).await, expected, "passkey {number}");
    }
    assert_eq!(of(a, 1).await.len(), MOST_PASSKEYS);

    // A browser that is signed in to one account cannot sign in to another account. Its attempt does not change the state of the passkey.
    assert_eq!(make(a, 7, Some("hash 7"), Some(passkey(7, 7, 90))).await, Appended::Stored);
    let former = "{\"counter\":100}";
    assert_eq!(sign_in(b, 1, (100, former, "new"), 7, 91).await, Appended::Conflict);
    assert_eq!(of_id(a, 100).await.expect("a passkey").used_at, None);

    // The erasure of a person removes the passkeys of their account.
    let forget = PersonChange::Forget { person: holder(7), at: 100 };
    assert_eq!(a.change_person(forget).await.expect("a write"), Appended::Stored);
    assert_eq!(of_id(b, 7).await, None);
    assert_eq!(of(b, 1).await.len(), MOST_PASSKEYS);
    challenges(a, b).await;
}

/// Tests that a passkey challenge expires and works only once, and that a person has a limited
/// number of challenges.
async fn challenges(a: &Shared, b: &Shared) {
    let challenge = |number: u8, person: Option<Holder>, until: i64| PasskeyChallenge {
        id: format!("challenge {number}"),
        person,
        state: format!("{{\"number\":{number}}}"),
        until,
    };
    let begin = async |challenge: PasskeyChallenge| {
        assert_eq!(change(a, PasskeyChange::Begin(challenge)).await, Appended::Stored);
    };
    let found = async |number: u8, at: i64| {
        b.passkey_challenge(format!("challenge {number}"), at).await.expect("a read")
    };
    let use_up = |number: u8| PasskeyChange::UseUp { challenge: format!("challenge {number}") };
    for person in [None, Some(holder(1))] {
        begin(challenge(1, person, 400)).await;
        assert_eq!(found(1, 399).await, Some(challenge(1, person, 400)));
        assert_eq!(found(1, 400).await, None);
        // Two servers try to use up the same passkey challenge at the same time. Exactly one of them succeeds.
        let (one, other) = tokio::join!(change(a, use_up(1)), change(b, use_up(1)));
        assert!((one == Appended::Stored) != (other == Appended::Stored), "{one:?} {other:?}");
        assert_eq!(found(1, 100).await, None);
    }
    let most = u8::try_from(MOST_CHALLENGES).expect("a small number");
    for number in 0..=most {
        begin(challenge(10 + number, Some(holder(1)), 500 + i64::from(number))).await;
        begin(challenge(30 + number, None, 500 + i64::from(number))).await;
    }
    begin(challenge(50, Some(holder(2)), 100)).await;
    assert_eq!(found(10, 0).await, None, "the oldest one of the person");
    for number in 1..=most {
        assert!(found(10 + number, 0).await.is_some(), "challenge {number}");
    }
    assert!(found(30, 0).await.is_some() && found(50, 0).await.is_some());
    let forget = PersonChange::ForgetOld { at: 501 };
    assert_eq!(a.change_person(forget).await.expect("a write"), Appended::Stored);
    assert!(found(50, 0).await.is_none() && found(31, 0).await.is_none());
    assert!(found(12, 0).await.is_some() && found(32, 0).await.is_some());
    let forget = PersonChange::Forget { person: holder(1), at: 600 };
    assert_eq!(a.change_person(forget).await.expect("a write"), Appended::Stored);
    assert!(found(12, 0).await.is_none() && found(32, 0).await.is_some());
}

pub(super) async fn operators_and_passkeys(Pair { a, b, operator }: &mut Pair) {
    let operator = operator.as_mut().expect("a database");
    assert_eq!(make(a, 1, None, Some(passkey(1, 1, 50))).await, Appended::Stored);
    operators::revoke_browser(operator, holder(1), holder(5), 60).await.expect("a write");
    // A passkey still signs in to its account after an operator has replaced the identity of the account's owner by a new identity.
    assert_eq!(of(b, 5).await, [1]);
    let former = "{\"counter\":1}";
    assert_eq!(sign_in(b, 5, (1, former, former), 2, 70).await, Appended::Stored);
    assert_eq!(a.standing(holder(2)).await.expect("a read"), Standing::Of(holder(5)));
}
