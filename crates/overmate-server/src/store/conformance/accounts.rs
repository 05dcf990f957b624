//! Tests that every store keeps accounts.

use std::sync::Arc;

use super::pair::{Pair, against_computer, create, entry, holder, id, use_code};
use crate::store::queries::{accounts, operators};
use crate::store::{
    Account, AccountChange, Addition, Appended, CodeKind, CodeOffer, Holder, MatchInfo, Occupant,
    PersonChange, Proof, SignInProof, Standing, Store,
};

type Shared = Arc<dyn Store>;

/// Period, in seconds, for which a former handle stays reserved for the person who had the handle.
const YEAR: i64 = 365 * 24 * 60 * 60;

fn account(person: u8, handle: &str, at: i64) -> Account {
    Account {
        person: holder(person),
        handle: handle.to_owned(),
        password: Some(format!("hash {person}")),
        made_at: at,
        handle_at: at,
        is_private: false,
        is_bot: false,
    }
}

async fn change(store: &Shared, change: PersonChange) -> Appended {
    store.change_person(change).await.expect("a write")
}

async fn make(store: &Shared, person: u8, handle: &str, tag: u8, at: i64) -> Appended {
    let make = AccountChange::Make {
        account: account(person, handle, at),
        tag: [tag; 32],
        passkey: None,
        browser: holder(person),
        renewed: holder(person),
        name: Some(format!("kind {person}")),
    };
    change(store, PersonChange::Account(make)).await
}

async fn sign_in(store: &Shared, person: u8, password: &str, browser: u8, at: i64) -> Appended {
    sign_in_anew(store, (person, password), (browser, browser), at).await
}

pub(super) async fn sign_in_anew(
    store: &Shared,
    (person, password): (u8, &str),
    (browser, renewed): (u8, u8),
    at: i64,
) -> Appended {
    let sign_in = AccountChange::SignIn {
        person: holder(person),
        proof: SignInProof::Password(password.to_owned()),
        browser: holder(browser),
        renewed: holder(renewed),
        name: None,
        at,
    };
    change(store, PersonChange::Account(sign_in)).await
}

async fn set_handle(store: &Shared, person: u8, handle: &str, tag: u8, at: i64) -> Appended {
    let account = account_of(store, person).await;
    let former = account.map_or_else(Default::default, |own| (own.handle, own.handle_at));
    replace_handle(store, person, former, (handle, tag), at).await
}

async fn replace_handle(
    store: &Shared,
    person: u8,
    (former, former_at): (String, i64),
    (handle, tag): (&str, u8),
    at: i64,
) -> Appended {
    let (person, handle, tag) = (holder(person), handle.to_owned(), [tag; 32]);
    let set = AccountChange::SetHandle { person, former, former_at, handle, tag, at };
    change(store, PersonChange::Account(set)).await
}

async fn set_password(store: &Shared, person: u8, former: &str, new: &str) -> Appended {
    prove(store, person, Proof::Password(former.to_owned()), new).await
}

async fn prove(store: &Shared, person: u8, proof: Proof, new: &str) -> Appended {
    prove_in(store, (person, proof), new, (person, person)).await
}

/// Replaces the password of an account, with a given proof of ownership, at the request of a browser identity. The
/// browser gets the new identity `renewed`.
async fn prove_in(
    store: &Shared,
    (person, proof): (u8, Proof),
    new: &str,
    (browser, renewed): (u8, u8),
) -> Appended {
    let set = AccountChange::SetPassword {
        person: holder(person),
        proof,
        password: new.to_owned(),
        browser: holder(browser),
        renewed: holder(renewed),
    };
    change(store, PersonChange::Account(set)).await
}

async fn standing(store: &Shared, browser: u8) -> Standing {
    store.standing(holder(browser)).await.expect("a read")
}

async fn account_of(store: &Shared, person: u8) -> Option<Account> {
    store.account(holder(person)).await.expect("a read")
}

async fn is_free(store: &Shared, tag: u8, person: u8, at: i64) -> bool {
    store.is_handle_free([tag; 32], holder(person), at).await.expect("a read")
}

async fn occupant(store: &Shared, number: u32) -> Occupant {
    store.info(&id(number)).await.expect("a read").expect("a match").seats.a.occupant
}

/// Returns the storage of two recovery codes that a person makes in their first browser.
fn recovery_codes(code: u8, maker: u8, at: i64) -> PersonChange {
    PersonChange::Offer(CodeOffer {
        hashes: vec![[code; 32], [code + 100; 32]],
        kind: CodeKind::Recovery,
        person: holder(maker),
        browser: holder(maker),
        name: None,
        at,
        until: None,
    })
}

pub(super) async fn accounts(Pair { a, b, .. }: &mut Pair) {
    create(a, against_computer(1, holder(1))).await;
    create(a, against_computer(2, holder(2))).await;
    assert_eq!(make(a, 1, "Anna", 10, 50).await, Appended::Stored);
    assert_eq!(account_of(b, 1).await, Some(account(1, "Anna", 50)));
    let found = b.account_by_tag([10; 32]).await.expect("a read");
    assert_eq!(found, Some(account(1, "Anna", 50)));
    assert_eq!(b.account_by_tag([11; 32]).await.expect("a read"), None);
    assert_eq!(standing(b, 1).await, Standing::Of(holder(1)));
    let known = b.browsers(holder(1)).await.expect("a read");
    assert_eq!(known[0].name.as_deref(), Some("kind 1"));

    // A handle belongs to one person, and a person has at most one account.
    assert!(!is_free(b, 10, 2, 60).await);
    assert_eq!(make(b, 2, "Ann\u{61}", 10, 60).await, Appended::Conflict);
    assert_eq!(standing(b, 2).await, Standing::Alone);
    assert_eq!(make(b, 1, "Berta", 11, 60).await, Appended::Conflict);
    assert!(is_free(b, 11, 2, 60).await);

    // A browser can sign in only with the current password. The browser's matches then belong to the account's owner. The browser may
    // repeat its request.
    assert_eq!(sign_in(b, 1, "hash 9", 2, 70).await, Appended::Conflict);
    assert_eq!(sign_in(b, 3, "hash 3", 2, 70).await, Appended::Conflict);
    assert_eq!(sign_in(b, 1, "hash 1", 2, 70).await, Appended::Stored);
    assert_eq!(sign_in(a, 1, "hash 1", 2, 71).await, Appended::Stored);
    assert_eq!(standing(a, 2).await, Standing::Of(holder(1)));
    assert_eq!(occupant(a, 2).await, Occupant::Holder(holder(1)));
    assert_eq!(a.browsers(holder(1)).await.expect("a read").len(), 2);
    assert_eq!(set_password(a, 1, "hash 9", "new").await, Appended::Conflict);
    assert_eq!(set_password(a, 1, "hash 1", "new").await, Appended::Stored);
    assert_eq!(set_password(a, 1, "hash 1", "newer").await, Appended::Conflict);
    assert_eq!(sign_in(b, 1, "hash 1", 3, 80).await, Appended::Conflict);
    assert_eq!(sign_in(b, 1, "new", 3, 80).await, Appended::Stored);
    // A browser that was signed out cannot sign in with its former identity, even with the right password.
    let revoke = PersonChange::Revoke { person: holder(1), browser: holder(3), keeps_codes: false };
    assert_eq!(change(a, revoke).await, Appended::Stored);
    assert_eq!(sign_in(b, 1, "new", 3, 81).await, Appended::Conflict);

    // A browser that is signed in to an account cannot change to another person by a password or a code. The code stays usable for other
    // browsers.
    assert_eq!(make(b, 4, "Emil", 14, 90).await, Appended::Stored);
    assert_eq!(sign_in(a, 1, "new", 4, 91).await, Appended::Conflict);
    let offer = |person: u8, code: u8| recovery_codes(code, person, 92);
    for (person, code) in [(5, 5), (4, 6)] {
        assert_eq!(change(a, offer(person, code)).await, Appended::Stored);
    }
    let add = |code: u8, browser: u8| use_code([code; 32], browser, 93);
    assert_eq!(change(b, add(5, 4)).await, Appended::Conflict);
    assert_eq!(change(b, add(5, 6)).await, Appended::Stored);
    assert_eq!(change(b, add(6, 7)).await, Appended::Stored);
    assert_eq!(change(b, add(6, 7)).await, Appended::Stored, "a repeated request");
    assert_eq!(standing(a, 7).await, Standing::Of(holder(4)));

    // A person can set a new password with a recovery code instead of the forgotten password, but only once with each code. A recovery code
    // of another person is refused.
    for (code, expected) in
        [(105, Appended::Conflict), (106, Appended::Stored), (106, Appended::Conflict)]
    {
        let proof = Proof::RecoveryCode([code; 32]);
        assert_eq!(prove(b, 4, proof, "by code").await, expected, "code {code}");
    }
    assert_eq!(account_of(a, 4).await.expect("an account").password.as_deref(), Some("by code"));
    let proof = Proof::RecoveryCode([105; 32]);
    assert_eq!(prove(b, 5, proof, "without an account").await, Appended::Conflict);

    // If a person sets a new password with a recovery code, their other recovery codes stay valid. If they set it with the former password,
    // all unused codes become invalid.
    assert_eq!(change(a, offer(4, 8)).await, Appended::Stored);
    assert_eq!(prove(b, 4, Proof::RecoveryCode([8; 32]), "again").await, Appended::Stored);
    assert_eq!(b.recovery(holder(4)).await.expect("a read").map(|codes| codes.left), Some(1));
    assert_eq!(set_password(b, 4, "again", "hash 4").await, Appended::Stored);
    assert_eq!(a.recovery(holder(4)).await.expect("a read"), None);
    assert_eq!(prove(b, 4, Proof::RecoveryCode([108; 32]), "new").await, Appended::Conflict);

    renewed_tokens(a, b).await;
    codes_of_accounts(a, b).await;

    // Many browsers request one handle at the same time on two servers. Exactly one of them gets the handle.
    let race = (20..30).map(|person| {
        let server = if person % 2 == 0 { &*a } else { &*b };
        make(server, person, "Zoe", 20, 100)
    });
    let results = futures_util::future::join_all(race).await;
    let made = results.iter().filter(|&&result| result == Appended::Stored).count();
    assert_eq!(made, 1, "{results:?}");
    end_of_accounts(a, b).await;
}

/// Tests that a browser that creates an account or signs in gets a new secret token.
async fn renewed_tokens(a: &Shared, b: &Shared) {
    create(a, against_computer(50, holder(50))).await;
    // Person 50 has a second browser and an unused recovery code before they create an account.
    let add = |code: u8, browser: u8| use_code([code; 32], browser, 96);
    assert_eq!(change(a, recovery_codes(50, 50, 93)).await, Appended::Stored);
    assert_eq!(change(a, add(50, 56)).await, Appended::Stored);
    assert_eq!(standing(b, 56).await, Standing::Of(holder(50)));
    let make = AccountChange::Make {
        account: account(50, "Quentin", 94),
        tag: [50; 32],
        passkey: None,
        browser: holder(50),
        renewed: holder(51),
        name: Some("kind".to_owned()),
    };
    assert_eq!(change(a, PersonChange::Account(make)).await, Appended::Stored);
    for browser in [50, 56] {
        assert_eq!(standing(b, browser).await, Standing::Revoked, "browser {browser}");
    }
    assert_eq!(change(b, add(150, 57)).await, Appended::Conflict, "a code from before");
    assert_eq!(b.recovery(holder(50)).await.expect("a read"), None);
    assert_eq!(standing(b, 51).await, Standing::Of(holder(50)));
    assert_eq!(occupant(b, 50).await, Occupant::Holder(holder(50)));

    // If the browser of a person signs in to somebody else's account, the person's other browsers are signed out. The matches and puzzle
    // attempts of the person are transferred to the account's owner.
    create(a, against_computer(52, holder(52))).await;
    assert_eq!(change(a, recovery_codes(52, 52, 95)).await, Appended::Stored);
    assert_eq!(change(a, add(52, 53)).await, Appended::Stored);
    let login = (50, "hash 50");
    assert_eq!(sign_in_anew(b, login, (53, 54), 97).await, Appended::Stored);
    for browser in [52, 53] {
        assert_eq!(standing(a, browser).await, Standing::Revoked, "browser {browser}");
    }
    assert_eq!(occupant(a, 52).await, Occupant::Holder(holder(50)));
    // A browser that signs in to its account again gets a new secret token.
    assert_eq!(sign_in_anew(b, login, (53, 55), 98).await, Appended::Conflict);
    assert_eq!(sign_in_anew(b, login, (54, 55), 98).await, Appended::Stored);
    let known = a.browsers(holder(50)).await.expect("a read");
    let known: Vec<Holder> = known.into_iter().map(|known| known.browser).collect();
    assert_eq!(known, [holder(51), holder(55)]);
    ended_sessions(a, b).await;
}

/// Tests that a browser that uses a code of an account gets a new secret token, and that the other browsers of its former person are signed
/// out.
async fn codes_of_accounts(a: &Shared, b: &Shared) {
    let offer = |code: u8, person: u8| recovery_codes(code, person, 100);
    let add = |code: u8, browser: u8, renewed: u8| PersonChange::Add {
        hash: [code; 32],
        browser: holder(browser),
        renewed: holder(renewed),
        name: None,
        at: 101,
    };
    create(a, against_computer(72, holder(72))).await;
    assert_eq!(make(a, 70, "Rosa", 70, 100).await, Appended::Stored);
    // Without an account, the browser keeps its token, and its former person's other browsers are added, too.
    for maker in [71, 73] {
        assert_eq!(change(a, offer(maker, maker)).await, Appended::Stored);
        assert_eq!(change(a, add(maker, 72, 79)).await, Appended::Stored);
    }
    for browser in [71, 72, 73] {
        assert_eq!(standing(b, browser).await, Standing::Of(holder(73)), "browser {browser}");
    }
    assert_eq!(standing(b, 79).await, Standing::Alone);
    assert_eq!(change(a, offer(70, 70)).await, Appended::Stored);
    assert_eq!(change(b, add(70, 72, 74)).await, Appended::Stored);
    for browser in [71, 72, 73] {
        assert_eq!(standing(a, browser).await, Standing::Revoked, "browser {browser}");
    }
    assert_eq!(change(a, add(173, 75, 75)).await, Appended::Conflict, "a code of a former person");
    assert_eq!(occupant(a, 72).await, Occupant::Holder(holder(70)));
    // The browser may repeat its request with the new token, and keeps this token. The former token is refused.
    assert_eq!(change(b, add(70, 74, 76)).await, Appended::Stored);
    assert_eq!(change(b, add(70, 72, 76)).await, Appended::Conflict);
    assert_eq!(standing(a, 74).await, Standing::Of(holder(70)));
    assert_eq!(standing(a, 76).await, Standing::Alone);
}

/// Tests that a changed password signs out all other browsers, and renews the secret token of the requesting browser. A first password does
/// neither.
async fn ended_sessions(a: &Shared, b: &Shared) {
    let standings = async |wanted: &[(u8, bool)], case: &str| {
        for &(browser, is_in) in wanted {
            let expected = if is_in { Standing::Of(holder(50)) } else { Standing::Revoked };
            assert_eq!(standing(a, browser).await, expected, "{case}, browser {browser}");
        }
    };
    let wrong = (50, Proof::Password("hash 9".to_owned()));
    assert_eq!(prove_in(b, wrong, "new", (51, 58)).await, Appended::Conflict);
    standings(&[(51, true), (55, true)], "a wrong password").await;
    assert_eq!(standing(a, 58).await, Standing::Alone);
    let former = (50, Proof::Password("hash 50".to_owned()));
    assert_eq!(prove_in(b, former, "new", (51, 58)).await, Appended::Stored);
    standings(&[(51, false), (55, false), (58, true)], "a former password").await;
    // A browser that was signed out cannot change the account's password, even if its user knows the current password.
    let again = || (50, Proof::Password("new".to_owned()));
    assert_eq!(prove_in(b, again(), "newer", (55, 59)).await, Appended::Conflict);
    assert_eq!(sign_in(b, 50, "new", 60, 99).await, Appended::Stored);
    let codes = CodeOffer {
        hashes: vec![[51; 32], [151; 32]],
        kind: CodeKind::Recovery,
        person: holder(50),
        browser: holder(58),
        name: None,
        at: 99,
        until: None,
    };
    assert_eq!(change(a, PersonChange::Offer(codes)).await, Appended::Stored);
    let code = (50, Proof::RecoveryCode([51; 32]));
    assert_eq!(prove_in(b, code, "by code", (60, 61)).await, Appended::Stored);
    standings(&[(58, false), (60, false), (61, true)], "a recovery code").await;
    assert_eq!(b.recovery(holder(50)).await.expect("a read").map(|codes| codes.left), Some(1));
    let known = a.browsers(holder(50)).await.expect("a read");
    assert_eq!(known.len(), 1);
}

/// Tests that an account's owner can change the handle and delete the account.
async fn end_of_accounts(a: &Shared, b: &Shared) {
    // A person who has given up a handle can take it again at once, and other persons only after a year.
    assert_eq!(set_handle(a, 1, "Emilia", 14, 200).await, Appended::Conflict);
    assert_eq!(set_handle(a, 8, "Kurt", 18, 200).await, Appended::Conflict);
    assert_eq!(set_handle(a, 1, "anna", 10, 200).await, Appended::Stored);
    assert_eq!(set_handle(a, 1, "Vera", 12, 210).await, Appended::Stored);
    let renamed = account_of(b, 1).await.expect("an account");
    assert_eq!((&*renamed.handle, renamed.made_at, renamed.handle_at), ("Vera", 50, 210));
    // A request for a new handle is refused if it does not name the account's current handle and the time at which the account got this
    // handle.
    for former in [("anna", 210), ("anna", 200), ("Vera", 200)] {
        let former = (former.0.to_owned(), former.1);
        let answer = replace_handle(b, 1, former, ("Wanda", 19), 211).await;
        assert_eq!(answer, Appended::Conflict);
    }
    assert_eq!(account_of(b, 1).await.expect("an account"), renamed);
    assert_eq!(make(b, 8, "Anna", 10, 220).await, Appended::Conflict);
    assert!(is_free(b, 10, 1, 220).await && !is_free(b, 10, 8, 220).await);
    assert_eq!(set_handle(a, 1, "Anna", 10, 230).await, Appended::Stored);
    assert_eq!(set_handle(a, 1, "Vera", 12, 240).await, Appended::Stored);
    assert_eq!(change(a, PersonChange::ForgetOld { at: 239 + YEAR }).await, Appended::Stored);
    assert!(!is_free(b, 10, 8, 239 + YEAR).await);
    assert!(is_free(b, 10, 8, 240 + YEAR).await);

    // After the end of an account its handles are reserved for a year, and its password gives no access.
    let forget = PersonChange::Forget { person: holder(1), at: 300 };
    assert_eq!(change(a, forget).await, Appended::Stored);
    assert_eq!(account_of(b, 1).await, None);
    assert_eq!(sign_in(b, 1, "new", 40, 301).await, Appended::Conflict);
    for tag in [10, 12] {
        assert!(!is_free(b, tag, 1, 301).await, "handle {tag}");
    }
    assert_eq!(make(b, 1, "Vera", 12, 301).await, Appended::Conflict);
    assert_eq!(change(a, PersonChange::ForgetOld { at: 300 + YEAR }).await, Appended::Stored);
    assert_eq!(make(b, 9, "Vera", 12, 299).await, Appended::Stored, "the row is removed");
    // If another person takes a former handle and then gives it up, the handle is reserved again.
    let forget = PersonChange::Forget { person: holder(9), at: 400 };
    assert_eq!(change(a, forget).await, Appended::Stored);
    assert!(!is_free(b, 12, 9, 401).await);
}

pub(super) async fn operators_and_accounts(Pair { a, b, operator }: &mut Pair) {
    let operator = operator.as_mut().expect("a database");
    let of_day = |number: u32, browser: u8| MatchInfo {
        shared_deal: Some("2026-W47-3".to_owned()),
        ..against_computer(number, holder(browser))
    };
    create(a, of_day(1, 1)).await;
    assert_eq!(make(a, 1, "Anna", 10, 50).await, Appended::Stored);
    for (person, handle) in [(1, Some("Anna")), (2, None)] {
        let found = accounts::handle_of(operator, holder(person)).await.expect("a read");
        assert_eq!(found.as_deref(), handle);
    }
    let revoked = operators::revoke_browser(operator, holder(1), holder(5), 60).await;
    assert_eq!(revoked.expect("a write"), 1);
    // After an operator has revoked a browser identity, its cookie gives no access. The password of the account still gives access to the
    // matches.
    assert_eq!(standing(b, 1).await, Standing::Revoked);
    assert_eq!(account_of(b, 1).await, None);
    assert_eq!(account_of(b, 5).await.map(|account| account.handle).as_deref(), Some("Anna"));
    assert_eq!(sign_in(b, 5, "hash 1", 2, 70).await, Appended::Stored);
    assert_eq!(standing(a, 2).await, Standing::Of(Holder([5; 32])));
    assert_eq!(occupant(a, 1).await, Occupant::Holder(holder(5)));
    // Of the person's matches on a deal of the day before and after the revocation, only the first match counts.
    create(a, of_day(2, 2)).await;
    for (number, sequence) in [(1, 2), (2, 1)] {
        let last = Addition { ends: true, ..Addition::of(&id(number), entry(sequence)) };
        assert_eq!(a.append(last).await.expect("a write"), Appended::Stored);
    }
    assert_eq!(b.ended_on("2026-W47-3", "bga", 0).await.expect("a read"), [id(1)]);
}
