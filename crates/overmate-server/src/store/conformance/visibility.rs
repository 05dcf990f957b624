//! Tests that every store keeps the list of public matches, the visibility settings, and the people who are online.

use std::sync::Arc;

use overmate_rules::{ByPlayer, Player};

use super::pair::{Pair, create, entry, holder, id, info, seat};
use super::push;
use super::relations::{add, make_account};
use crate::store::queries::operators;
use crate::store::{
    Addition, Appended, Entry, EntryKind, KnownPresence, MatchInfo, Occupant, PersonChange,
    Present, PublicCursor, PublicPage, PublicWanted, Store, UNUSED_TIME, Visibility,
    VisibilityChange, Watching,
};

type Shared = Arc<dyn Store>;

async fn set(store: &Shared, person: u8, watching: Watching, shows_presence: bool) {
    let visibility = Visibility { watching, shows_presence };
    let change = VisibilityChange { person: holder(person), visibility, at: 100 };
    assert_eq!(store.set_visibility(change).await.expect("a write"), Appended::Stored);
}

async fn watching_of(store: &Shared, person: u8) -> Watching {
    store.visibility(holder(person)).await.expect("a read").watching
}

fn public(number: u32, [a, b]: [u8; 2]) -> MatchInfo {
    let [a, b] = [a, b].map(|person| seat(Occupant::Holder(holder(person))));
    MatchInfo { invitation: None, public: true, seats: ByPlayer { a, b }, ..info(number) }
}

async fn end(store: &Shared, number: u32, at: i64) {
    let last = Entry { at_ms: 1_000 * at, kind: EntryKind::Resign, ..entry(1) };
    let addition = Addition { ends: true, ..Addition::of(&id(number), last) };
    assert_eq!(store.append(addition).await.expect("a write"), Appended::Stored);
}

async fn page(store: &Shared, wanted: PublicWanted) -> PublicPage {
    store.public_matches(wanted).await.expect("a read")
}

const RUNNING: PublicWanted =
    PublicWanted { rules: None, is_finished: false, after: None, limit: 10 };

/// Returns the number and the watch permission of each match on a page of public matches. The number of a test match is its id, read as a
/// hexadecimal number.
fn numbers(page: &PublicPage) -> Vec<(u32, Watching)> {
    let number = |id: &str| u32::from_str_radix(id, 16).expect("a number");
    page.matches.iter().map(|found| (number(&found.id), found.watching)).collect()
}

pub(super) async fn settings(Pair { a, b, .. }: &mut Pair) {
    let default = Visibility { watching: Watching::AtOnce, shows_presence: true };
    assert_eq!(a.visibility(holder(1)).await.expect("a read"), default);
    set(a, 1, Watching::Delayed, false).await;
    let delayed = Visibility { watching: Watching::Delayed, shows_presence: false };
    assert_eq!(b.visibility(holder(1)).await.expect("a read"), delayed);
    assert_eq!(watching_of(b, 2).await, Watching::AtOnce);
    set(b, 1, Watching::Never, true).await;
    assert_eq!(watching_of(a, 1).await, Watching::Never);
    set(b, 1, Watching::AtOnce, true).await;
    assert_eq!(a.visibility(holder(1)).await.expect("a read"), default);
    // When a browser is linked to a person, its visibility settings are combined with those of the person. For each setting, the stricter
    // of the two values then applies.
    set(a, 7, Watching::Delayed, true).await;
    set(a, 8, Watching::AtOnce, false).await;
    push::add(b, 7, 8).await;
    assert_eq!(a.visibility(holder(7)).await.expect("a read"), delayed);
    assert_eq!(a.visibility(holder(8)).await.expect("a read"), default);
    // The erasure of a person removes their visibility settings. The settings of a browser that never played are removed after a time.
    set(a, 1, Watching::Never, true).await;
    set(a, 2, Watching::Never, true).await;
    set(a, 3, Watching::Never, true).await;
    create(a, public(1, [3, 4])).await;
    let forget = PersonChange::Forget { person: holder(1), at: 100 };
    assert_eq!(a.change_person(forget).await.expect("a write"), Appended::Stored);
    assert_eq!(watching_of(b, 1).await, Watching::AtOnce);
    for (at, expected) in
        [(100 + UNUSED_TIME, Watching::Never), (101 + UNUSED_TIME, Watching::AtOnce)]
    {
        let forget = PersonChange::ForgetOld { at };
        assert_eq!(b.change_person(forget).await.expect("a write"), Appended::Stored);
        assert_eq!(watching_of(a, 2).await, expected, "{at}");
        assert_eq!(watching_of(a, 3).await, Watching::Never, "{at}");
    }
}

pub(super) async fn public_matches(Pair { a, b, .. }: &mut Pair) {
    let private = MatchInfo { public: false, ..public(1, [1, 2]) };
    create(a, private).await;
    create(a, public(2, [1, 2])).await;
    create(b, public(3, [3, 4])).await;
    create(b, MatchInfo { rules: "pagat".to_owned(), ..public(4, [5, 6]) }).await;
    // In match 5, the same person plays as player A and as player B. Such a match arises when the browsers of its two players are linked,
    // and is not listed.
    create(a, public(5, [7, 7])).await;
    let open = Watching::AtOnce;
    let all = page(a, RUNNING).await;
    assert_eq!(numbers(&all), [(4, open), (3, open), (2, open)]);
    assert_eq!((all.matches[0].at, all.next), (4, None));
    let of_rules = |rules: &str| PublicWanted { rules: Some(rules.to_owned()), ..RUNNING };
    assert_eq!(numbers(&page(b, of_rules("pagat")).await), [(4, open)]);
    assert_eq!(numbers(&page(b, of_rules("bga")).await), [(3, open), (2, open)]);
    assert_eq!(page(b, of_rules("sackson")).await, PublicPage::default());
    // The stricter visibility setting of the two players applies, both to a single match and to the list of public matches.
    set(b, 2, Watching::Delayed, true).await;
    set(b, 3, Watching::Never, true).await;
    set(b, 4, Watching::Delayed, true).await;
    assert_eq!(numbers(&page(a, RUNNING).await), [(4, open), (2, Watching::Delayed)]);
    let delayed = Some(Watching::Delayed);
    for (number, expected) in [(1, None), (2, delayed), (3, None), (4, Some(open)), (5, None)] {
        let found = a.public_watching(&id(number)).await.expect("a read");
        assert_eq!(found, expected, "{number}");
    }
    assert_eq!(a.public_watching(&id(99)).await.expect("a read"), None);
    // Matches that nobody may watch count towards the limit of a page of public matches, so that each page reads a bounded number of rows.
    let first = page(a, PublicWanted { limit: 3, ..RUNNING }).await;
    assert_eq!(numbers(&first), [(4, open)]);
    let next = first.next.expect("a full page");
    assert_eq!((next.at, &*next.id), (3, &*id(3)));
    let second = page(a, PublicWanted { limit: 3, after: Some(next), ..RUNNING }).await;
    assert_eq!((numbers(&second), second.next), (vec![(2, Watching::Delayed)], None));
    // Finished matches are ordered by their ends.
    let finished = PublicWanted { is_finished: true, ..RUNNING };
    end(a, 4, 900).await;
    end(b, 2, 950).await;
    end(b, 3, 960).await;
    assert_eq!(numbers(&page(b, RUNNING).await), []);
    let ended = page(b, finished.clone()).await;
    assert_eq!(numbers(&ended), [(2, Watching::Delayed), (4, open)]);
    assert_eq!(ended.matches[1].at, 900);
    let of_rules = PublicWanted { rules: Some("bga".to_owned()), ..finished.clone() };
    assert_eq!(numbers(&page(b, of_rules).await), [(2, Watching::Delayed)]);
    let after = Some(PublicCursor { at: 950, id: id(2) });
    let rest = page(b, PublicWanted { after, ..finished.clone() }).await;
    assert_eq!(numbers(&rest), [(4, open)]);
    // A match is no longer public after one of its players has left the match.
    let leave = Entry { sequence: 2, player: Player::B, kind: EntryKind::Leave, ..entry(2) };
    let left = a.append(Addition::of(&id(4), leave)).await.expect("a write");
    assert_eq!(left, Appended::Stored);
    assert_eq!(numbers(&page(b, finished).await), [(2, Watching::Delayed)]);
    assert_eq!(b.public_watching(&id(4)).await.expect("a read"), None);
}

fn present(server: &str, persons: &[u8], [at, until]: [i64; 2]) -> Present {
    Present {
        server: server.to_owned(),
        people: persons.len() as u64,
        persons: persons.iter().map(|person| holder(*person)).collect(),
        at,
        until,
    }
}

async fn report(store: &Shared, present: Present) {
    assert_eq!(store.set_present(present).await.expect("a write"), Appended::Stored);
}

/// Returns a person's favourites who share their online presence, each with a flag that is true if the favourite is online.
async fn favourites(store: &Shared, person: u8, at: i64) -> Vec<(String, bool)> {
    let known = store.favourites_present(holder(person), at).await.expect("a read");
    let shown = |KnownPresence { handle, is_here, .. }| (handle, is_here);
    known.into_iter().map(shown).collect()
}

pub(super) async fn people_here(Pair { a, b, .. }: &mut Pair) {
    for (person, handle) in [(1, "Zoe"), (2, "bert"), (3, "Cleo")] {
        make_account(a, person, handle).await;
    }
    for (person, other) in [(1, 2), (2, 1), (1, 3), (3, 1), (2, 3)] {
        assert_eq!(add(a, person, other, 100).await, Appended::Stored, "{person} {other}");
    }
    report(a, present("one", &[2, 2, 9], [100, 160])).await;
    report(b, present("two", &[3], [100, 150])).await;
    let elsewhere = async |at| b.people_elsewhere("two", at).await.expect("a read");
    assert_eq!([elsewhere(100).await, elsewhere(159).await, elsewhere(160).await], [3, 3, 0]);
    assert_eq!(a.people_elsewhere("none", 100).await.expect("a read"), 4);
    let named = |handle: &str, is_here| (handle.to_owned(), is_here);
    assert_eq!(favourites(b, 1, 149).await, [named("bert", true), named("Cleo", true)]);
    assert_eq!(favourites(b, 1, 150).await, [named("bert", true), named("Cleo", false)]);
    // The store shows a person the presence of a favourite only if both persons have added each other to their favourites.
    assert_eq!(favourites(a, 2, 149).await, [named("Zoe", false)]);
    set(b, 2, Watching::AtOnce, false).await;
    assert_eq!(favourites(a, 1, 149).await, [named("Cleo", true)]);
    set(b, 2, Watching::Never, true).await;
    // A server's report about its connected people replaces the former report of this server, and removes the expired reports of
    // other servers.
    report(a, present("one", &[1], [155, 215])).await;
    assert_eq!(favourites(b, 1, 155).await, [named("bert", false), named("Cleo", false)]);
    assert_eq!(favourites(b, 2, 155).await, [named("Zoe", true)]);
    assert_eq!(a.people_elsewhere("none", 0).await.expect("a read"), 1);
    let forget = PersonChange::Forget { person: holder(1), at: 160 };
    assert_eq!(a.change_person(forget).await.expect("a write"), Appended::Stored);
    assert_eq!(favourites(b, 2, 160).await, []);
    report(a, present("one", &[], [170, 230])).await;
    assert_eq!(b.people_elsewhere("two", 170).await.expect("a read"), 0);
}

pub(super) async fn operators_and_visibility(Pair { a, b, operator }: &mut Pair) {
    let operator = operator.as_mut().expect("a database");
    set(a, 1, Watching::Delayed, false).await;
    create(a, public(1, [1, 2])).await;
    operators::revoke_browser(operator, holder(1), holder(5), 60).await.expect("a write");
    assert_eq!(watching_of(b, 5).await, Watching::Delayed);
    assert_eq!(watching_of(b, 1).await, Watching::AtOnce);
    let found = b.public_watching(&id(1)).await.expect("a read");
    assert_eq!(found, Some(Watching::Delayed));
}
