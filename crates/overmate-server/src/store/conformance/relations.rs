//! Tests that every store keeps the relations between persons, such as favourites, mutes and blocks.

use std::sync::Arc;

use super::pair::{Pair, holder, use_code};
use crate::store::queries::operators;
use crate::store::{
    Account, AccountChange, Appended, Between, BotChange, CodeKind, CodeOffer, MOST_RELATIONS,
    PersonChange, Quota, RelationChange, RelationKind, Store,
};

type Shared = Arc<dyn Store>;

const FAVOURITE: RelationKind = RelationKind::Favourite;

async fn change_person(store: &Shared, change: PersonChange) {
    assert_eq!(store.change_person(change).await.expect("a write"), Appended::Stored);
}

/// Returns the request by which a test asks a store to create an account for a person. Afterwards, the person's browser has the identity
/// `renewed`.
pub(super) fn new_account(person: u8, renewed: u8, handle: &str, password: &str) -> PersonChange {
    let account = Account {
        person: holder(person),
        handle: handle.to_owned(),
        password: Some(password.to_owned()),
        made_at: 50,
        handle_at: 50,
        is_private: false,
        is_bot: false,
    };
    PersonChange::Account(AccountChange::Make {
        account,
        tag: [person; 32],
        passkey: None,
        browser: holder(person),
        renewed: holder(renewed),
        name: None,
    })
}

pub(crate) async fn make_account(store: &Shared, person: u8, handle: &str) {
    change_person(store, new_account(person, person, handle, "hash")).await;
}

pub(super) async fn add(store: &Shared, person: u8, other: u8, at: i64) -> Appended {
    let (person, other) = (holder(person), holder(other));
    let add = RelationChange::Add { person, other, kind: FAVOURITE, at };
    store.change_relation(add).await.expect("a write")
}

pub(super) async fn remove(store: &Shared, person: u8, other: u8) {
    let (person, other) = (holder(person), holder(other));
    let remove = RelationChange::Remove { person, other, kind: FAVOURITE };
    assert_eq!(store.change_relation(remove).await.expect("a write"), Appended::Stored);
}

/// Returns the favourites of a person, each with the handle, the time of the addition, and whether both persons are favourites of each
/// other.
async fn favourites(store: &Shared, person: u8) -> Vec<(String, i64, bool)> {
    let known = store.relations_of(holder(person), FAVOURITE).await.expect("a read");
    assert!(known.iter().all(|relation| !relation.is_rated));
    known.into_iter().map(|relation| (relation.handle, relation.at, relation.is_mutual)).collect()
}

async fn between(store: &Shared, person: u8, other: u8) -> [bool; 2] {
    let between = store.relations_between(holder(person), holder(other)).await.expect("a read");
    let Between { has_added, is_added, .. } = between;
    [has_added, is_added]
}

pub(super) async fn relations(Pair { a, b, .. }: &mut Pair) {
    for (person, handle) in [(1, "Zoe"), (2, "bert"), (3, "Cleo")] {
        make_account(a, person, handle).await;
    }
    // Only a person with an account can add a favourite or be added as a favourite, and nobody can add themselves.
    for (person, other) in [(1, 4), (4, 1), (1, 1)] {
        assert_eq!(add(a, person, other, 100).await, Appended::Conflict, "{person} {other}");
    }
    assert_eq!(add(a, 1, 3, 100).await, Appended::Stored);
    assert_eq!(add(b, 1, 2, 110).await, Appended::Stored);
    assert_eq!(add(b, 1, 2, 120).await, Appended::Stored, "a repeated request");
    let named = |handle: &str, at, is_mutual| (handle.to_owned(), at, is_mutual);
    assert_eq!(favourites(b, 1).await, [named("bert", 110, false), named("Cleo", 100, false)]);
    assert_eq!(favourites(b, 2).await, []);
    assert_eq!(add(a, 2, 1, 130).await, Appended::Stored);
    assert_eq!(favourites(a, 1).await, [named("bert", 110, true), named("Cleo", 100, false)]);
    assert_eq!(between(b, 1, 2).await, [true, true]);
    assert_eq!(between(b, 1, 3).await, [true, false]);
    assert_eq!(between(b, 3, 1).await, [false, true]);
    assert_eq!(between(b, 2, 3).await, [false, false]);
    let private = AccountChange::SetPrivate { person: holder(3), is_private: true };
    change_person(a, PersonChange::Account(private)).await;
    let known = b.relations_of(holder(1), FAVOURITE).await.expect("a read");
    assert_eq!(known.iter().map(|one| one.is_private).collect::<Vec<_>>(), [false, true]);
    // A person who removes another person from their favourites stays a favourite of this other person.
    remove(b, 2, 1).await;
    remove(b, 2, 1).await;
    assert_eq!(between(a, 1, 2).await, [true, false]);
    // The erasure of a person removes this person's favourites, and removes the person from the favourites of others.
    assert_eq!(add(a, 3, 1, 140).await, Appended::Stored);
    change_person(a, PersonChange::Forget { person: holder(3), at: 150 }).await;
    assert_eq!(favourites(b, 1).await, [named("bert", 110, false)]);
    assert_eq!(between(b, 3, 1).await, [false, false]);
    // The number of favourites is limited, and a repeated addition of a favourite does not count towards the limit.
    for person in 0..MOST_RELATIONS - 1 {
        let person = 4 + u8::try_from(person).expect("a byte");
        make_account(a, person, &format!("Player{person}")).await;
        assert_eq!(add(b, 1, person, 200).await, Appended::Stored, "{person}");
    }
    assert_eq!(favourites(a, 1).await.len(), MOST_RELATIONS);
    make_account(a, 250, "Late").await;
    assert_eq!(add(a, 1, 250, 200).await, Appended::Full(Quota::Relations));
    assert_eq!(add(a, 1, 2, 200).await, Appended::Stored);
    remove(a, 1, 2).await;
    assert_eq!(add(b, 1, 250, 200).await, Appended::Stored);
}

async fn ignore(store: &Shared, person: u8, other: u8, kind: RelationKind, at: i64) -> Appended {
    let (person, other) = (holder(person), holder(other));
    let add = RelationChange::Add { person, other, kind, at };
    store.change_relation(add).await.expect("a write")
}

/// Returns the mutes and blocks of a person, each with the other person, the kind and the other person's handle.
async fn ignored(store: &Shared, person: u8) -> Vec<(u8, RelationKind, Option<String>)> {
    let ignored = store.ignored_by(holder(person)).await.expect("a read");
    ignored.into_iter().map(|one| (one.other.0[0], one.kind, one.handle)).collect()
}

/// Returns three flags: whether a person has muted another person, has blocked that person, and is blocked by that person.
async fn apart(store: &Shared, person: u8, other: u8) -> [bool; 3] {
    let between = store.relations_between(holder(person), holder(other)).await.expect("a read");
    assert_eq!(between.hides_texts(), between.has_muted || between.has_blocked);
    [between.has_muted, between.has_blocked, between.is_blocked]
}

pub(super) async fn mutes_and_blocks(Pair { a, b, .. }: &mut Pair) {
    const MUTE: RelationKind = RelationKind::Mute;
    const BLOCK: RelationKind = RelationKind::Block;
    for (person, handle) in [(1, "Zoe"), (2, "bert")] {
        make_account(a, person, handle).await;
    }
    assert_eq!(ignore(a, 1, 1, BLOCK, 90).await, Appended::Conflict);
    // A mute needs no account, neither of the person nor of the muted person.
    assert_eq!(ignore(a, 1, 7, MUTE, 100).await, Appended::Stored);
    assert_eq!(ignore(b, 1, 7, MUTE, 101).await, Appended::Stored, "a repeated request");
    assert_eq!(ignore(a, 7, 2, MUTE, 102).await, Appended::Stored);
    assert_eq!(apart(b, 1, 7).await, [true, false, false]);
    assert_eq!(apart(b, 7, 1).await, [false, false, false]);
    // A block removes each of the two persons from the favourites of the other, and keeps them from adding each other again.
    assert_eq!(add(a, 1, 2, 110).await, Appended::Stored);
    assert_eq!(add(a, 2, 1, 110).await, Appended::Stored);
    let version = a.lobby_version().await.expect("a read");
    assert_eq!(ignore(b, 1, 2, BLOCK, 120).await, Appended::Stored);
    assert!(a.lobby_version().await.expect("a read") > version);
    assert_eq!(between(a, 1, 2).await, [false, false]);
    assert_eq!(add(a, 1, 2, 130).await, Appended::Conflict);
    assert_eq!(add(b, 2, 1, 130).await, Appended::Conflict);
    assert_eq!(apart(a, 1, 2).await, [false, true, false]);
    assert_eq!(apart(a, 2, 1).await, [false, false, true]);
    assert_eq!(favourites(a, 1).await, []);
    // The handle of a muted or blocked person without a rated match is hidden, because their profile is not visible.
    assert_eq!(ignored(b, 1).await, [(7, MUTE, None), (2, BLOCK, None)]);
    assert_eq!(ignored(b, 2).await, []);
    // When a browser is linked to another person, all mutes and blocks by and against its former person pass to the other person.
    let code = |person: u8| CodeOffer {
        hashes: vec![[person; 32]],
        kind: CodeKind::Link,
        person: holder(person),
        browser: holder(person),
        name: None,
        at: 140,
        until: Some(900),
    };
    change_person(a, PersonChange::Offer(code(2))).await;
    assert_eq!(ignore(a, 7, 1, BLOCK, 150).await, Appended::Stored);
    let join = use_code([2; 32], 7, 160);
    change_person(b, join).await;
    assert_eq!(ignored(a, 1).await, [(2, MUTE, None), (2, BLOCK, None)]);
    // Browser 7 muted person 2 before it was linked to this person. The link has removed the mute, because nobody can mute themselves.
    assert_eq!(ignored(a, 2).await, [(1, BLOCK, None)]);
    assert_eq!(apart(b, 1, 2).await, [true, true, true]);
    let version = a.lobby_version().await.expect("a read");
    let (person, other) = (holder(1), holder(2));
    let remove = RelationChange::Remove { person, other, kind: BLOCK };
    assert_eq!(a.change_relation(remove).await.expect("a write"), Appended::Stored);
    assert!(b.lobby_version().await.expect("a read") > version);
    assert_eq!(apart(b, 1, 2).await, [true, false, true]);
    change_person(a, PersonChange::Forget { person: holder(2), at: 170 }).await;
    assert_eq!(ignored(b, 1).await, []);
    // Persons 3 and 4 are favourites of each other, and person 3 has blocked browser 8. When browser 8 joins person 4, the two persons stop
    // being favourites.
    for (person, handle) in [(3, "Cara"), (4, "Dora")] {
        make_account(a, person, handle).await;
    }
    for (own, other) in [(3, 4), (4, 3)] {
        assert_eq!(add(a, own, other, 180).await, Appended::Stored);
    }
    assert_eq!(ignore(b, 3, 8, BLOCK, 190).await, Appended::Stored);
    change_person(a, PersonChange::Offer(code(4))).await;
    let join = use_code([4; 32], 8, 195);
    change_person(b, join).await;
    assert_eq!(apart(b, 3, 4).await, [false, true, false]);
    assert_eq!(between(a, 3, 4).await, [false, false]);
    // The number of persons whom one person can block is limited.
    for person in 0..MOST_RELATIONS {
        let other = 20 + u8::try_from(person).expect("a byte");
        assert_eq!(ignore(b, 1, other, BLOCK, 200).await, Appended::Stored, "{other}");
    }
    assert_eq!(ignore(b, 1, 250, BLOCK, 200).await, Appended::Full(Quota::Relations));
    assert_eq!(ignore(b, 1, 250, MUTE, 200).await, Appended::Stored);
}

pub(super) async fn operators_and_relations(Pair { a, b, operator }: &mut Pair) {
    let operator = operator.as_mut().expect("a database");
    for (person, handle) in [(1, "Zoe"), (2, "bert")] {
        make_account(a, person, handle).await;
    }
    assert_eq!(add(a, 1, 2, 100).await, Appended::Stored);
    assert_eq!(add(a, 2, 1, 100).await, Appended::Stored);
    // An account keeps its favourites when an operator signs out the account's browsers and moves the account to a new identity.
    operators::revoke_browser(operator, holder(1), holder(5), 60).await.expect("a write");
    assert_eq!(between(b, 5, 2).await, [true, true]);
    assert_eq!(between(b, 1, 2).await, [false, false]);
}

pub(super) async fn handles_of_ignored_people(Pair { a, b, .. }: &mut Pair) {
    make_account(a, 1, "Zoe").await;
    make_account(a, 2, "bert").await;
    let change = PersonChange::Bot(BotChange::Mark { person: holder(2), at: 90 });
    change_person(a, change).await;
    assert_eq!(ignore(a, 1, 2, RelationKind::Mute, 100).await, Appended::Stored);
    let shown = Some("bert".to_owned());
    assert_eq!(ignored(b, 1).await, [(2, RelationKind::Mute, shown)]);
    // A person who blocks another person hides their own handle and profile from this person.
    assert_eq!(ignore(b, 2, 1, RelationKind::Block, 110).await, Appended::Stored);
    assert_eq!(ignored(a, 1).await, [(2, RelationKind::Mute, None)]);
}
