//! Tests that every store removes the secret URL of a turn feed (web feed of a person's due turns) after a password change or sign-out.
//! Other people may then know the URL. The same applies to the creation of an account.

use std::sync::Arc;

use futures_util::future::join;

use super::pair::{Pair, against_computer, create, holder, use_code};
use super::relations::make_account;
use crate::store::{AccountChange, Appended, CodeKind, CodeOffer, PersonChange, Proof, Store};

type Shared = Arc<dyn Store>;

async fn set(store: &Shared, person: u8, browser: u8) -> Appended {
    let token = Some(format!("of {person} by {browser}"));
    store.set_feed(holder(person), holder(browser), token).await.expect("a write")
}

async fn change(store: &Shared, change: PersonChange) -> Appended {
    store.change_person(change).await.expect("a write")
}

async fn has_feed(store: &Shared, person: u8) -> bool {
    store.feed_of(holder(person)).await.expect("a read").is_some()
}

/// Stores the hash of a linking or recovery code of a person.
async fn offer(store: &Shared, person: u8, kind: CodeKind, hash: [u8; 32]) {
    let (person, browser) = (holder(person), holder(person));
    let offer =
        CodeOffer { hashes: vec![hash], kind, person, browser, name: None, at: 50, until: None };
    assert_eq!(change(store, PersonChange::Offer(offer)).await, Appended::Stored);
}

pub(super) async fn exposed_addresses(Pair { a, b, .. }: &mut Pair) {
    create(a, against_computer(80, holder(80))).await;
    // Only a browser of the person to whom a turn feed belongs can set the secret URL of the feed.
    assert_eq!(set(a, 80, 81).await, Appended::Conflict);
    assert_eq!(set(b, 80, 80).await, Appended::Stored);
    make_account(a, 80, "Xenia").await;
    assert!(!has_feed(b, 80).await);

    // A password change removes the secret URL of the turn feed. The proof for the change may be the former password or a recovery code.
    offer(a, 80, CodeKind::Recovery, [88; 32]).await;
    for (proof, password) in
        [(Proof::RecoveryCode([88; 32]), "by code"), (Proof::Password("by code".to_owned()), "new")]
    {
        assert_eq!(set(a, 80, 80).await, Appended::Stored);
        let password = password.to_owned();
        let (person, browser, renewed) = (holder(80), holder(80), holder(80));
        let set = AccountChange::SetPassword { person, proof, password, browser, renewed };
        assert_eq!(change(b, PersonChange::Account(set)).await, Appended::Stored);
        assert!(!has_feed(a, 80).await);
    }

    // A browser sets the secret URL of its owner's turn feed while another request signs the browser out. Afterwards, the feed has no
    // secret URL, whichever request comes first.
    for browser in 90..106 {
        let hash = [browser; 32];
        offer(a, 80, CodeKind::Link, hash).await;
        let add = use_code(hash, browser, 60);
        assert_eq!(change(b, add).await, Appended::Stored);
        let (person, browser_id) = (holder(80), holder(browser));
        let revoke = PersonChange::Revoke { person, browser: browser_id, keeps_codes: true };
        let (_, revoked) = join(set(a, 80, browser), change(b, revoke)).await;
        assert_eq!(revoked, Appended::Stored);
        assert!(!has_feed(a, 80).await, "browser {browser}");
        assert_eq!(set(a, 80, browser).await, Appended::Conflict);
        assert!(!has_feed(b, 80).await, "browser {browser}");
    }
}
