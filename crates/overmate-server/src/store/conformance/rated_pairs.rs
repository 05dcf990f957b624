//! Tests that every store limits the rated matches that two persons begin with each other within a day.

use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt as _, join_all};
use overmate_rules::{ByPlayer, Player};

use super::pair::{MOST_RATED, Pair, create, entry, holder, id, info, seat};
use super::ratings::{leave, won};
use super::relations::make_account;
use crate::clock::DAY;
use crate::store::{
    Addition, Appended, Entry, EntryKind, MatchInfo, NewMatchRequest, Occupant, Offer, OfferChange,
    OfferLimits, Quota, SeatTaken, Store,
};

type Shared = Arc<dyn Store>;

const NO_LIMITS: OfferLimits =
    OfferLimits { person: None, network: None, all: u32::MAX, lasting: u32::MAX };

/// Unix time of the tested requests for rated matches, in seconds.
const NOW: i64 = 10 * DAY;

/// Unix time at which the matches that [`won`] creates end, in seconds.
const ENDED: i64 = 60;

const FULL: Appended = Appended::Full(Quota::RatedPair);

fn offer(number: u32, maker: u8) -> Offer {
    Offer {
        id: id(number),
        holder: holder(maker),
        name: None,
        rules: "bga".to_owned(),
        clock: Some("3d".parse().expect("a setting")),
        leads: true,
        network: 1,
        client_id: format!("request {number}"),
        made_at: NOW,
        until: NOW + 9 * DAY,
        match_id: None,
        rated: true,
        bots: false,
        to: None,
        maker: None,
        by_bot: false,
    }
}

fn between(number: u32, one: u8, other: u8, at: i64) -> MatchInfo {
    let [a, b] = [one, other].map(|person| seat(Occupant::Holder(holder(person))));
    let seats = ByPlayer { a, b };
    MatchInfo { created_at: at, rated: true, invitation: None, seats, ..info(number) }
}

/// Makes a match offer, and returns the request that accepts the offer at a given time.
async fn accepted(
    store: &Shared,
    number: u32,
    (maker, acceptor): (u8, u8),
    (rated, at): (bool, i64),
) -> BoxFuture<'_, Appended> {
    let offer = Offer { rated, ..offer(number, maker) };
    let make = OfferChange::Make { offer: offer.clone(), is_new: false, limits: NO_LIMITS };
    assert_eq!(store.change_offer(make).await.expect("a write"), Appended::Stored);
    let begun = MatchInfo { rated, ..between(1_000 + number, maker, acceptor, at) };
    let client_id = format!("accept {number}");
    let request = NewMatchRequest { holder: holder(acceptor), client_id };
    let accept = OfferChange::Accept { id: offer.id, info: begun, request, at };
    async move { store.change_offer(accept).await.expect("a write") }.boxed()
}

/// Creates a rated match with an open seat, and returns the request by which an invited friend joins the match. The match was created three
/// days before [`NOW`].
async fn joined(
    store: &Shared,
    number: u32,
    (host, friend): (u8, u8),
    at: i64,
) -> BoxFuture<'_, Appended> {
    let host = holder(host);
    let seats = ByPlayer { a: seat(Occupant::Holder(host)), b: seat(Occupant::Open) };
    let created_at = NOW - 3 * DAY;
    create(store, MatchInfo { created_at, rated: true, seats, ..info(number) }).await;
    let kind = EntryKind::Join;
    let entry = Entry { kind, player: Player::B, at_ms: 1_000 * at, ..entry(1) };
    let taken =
        SeatTaken { player: Player::B, holder: holder(friend), name: None, rated_host: Some(host) };
    let addition = Addition { taken: Some(taken), ..Addition::of(&id(number), entry) };
    async move { store.append(addition).await.expect("a write") }.boxed()
}

/// Creates a finished rated match, and returns the request that begins a rematch. The match ended two days before [`NOW`].
async fn rematch(store: &Shared, number: u32, (one, other): (u8, u8)) -> BoxFuture<'_, Appended> {
    create(store, between(number, one, other, NOW - 3 * DAY)).await;
    let entry_of = |sequence, kind, at| Entry { kind, at_ms: 1_000 * at, ..entry(sequence) };
    let resigned = entry_of(1, EntryKind::Resign, NOW - 2 * DAY);
    let end = Addition { ends: true, ..Addition::of(&id(number), resigned) };
    assert_eq!(store.append(end).await.expect("a write"), Appended::Stored);
    let begun = between(2_000 + number, one, other, NOW);
    let accept = entry_of(2, EntryKind::Accept(begun.id.clone()), NOW);
    let addition = Addition { begun: Some(begun), ..Addition::of(&id(number), accept) };
    async move { store.append(addition).await.expect("a write") }.boxed()
}

async fn number_of(store: &Shared, one: u8, other: u8, since: i64) -> u64 {
    store.rated_between(holder(one), holder(other), since).await.expect("a read")
}

/// Tests that concurrent requests of two persons begin exactly as many rated matches as the quota permits.
pub(super) async fn race_of_a_pair(Pair { a, b, .. }: &mut Pair) {
    let mut races = 0;
    for round in 0..8_u8 {
        let (one, other) = (10 + 2 * round, 11 + 2 * round);
        let first = 100 * u32::from(round);
        // Two persons send requests for rated matches at the same time, each person to a different server.
        let requests = [
            accepted(a, first + 1, (one, other), (true, NOW)).await,
            accepted(b, first + 2, (other, one), (true, NOW)).await,
            joined(a, first + 3, (one, other), NOW).await,
            joined(b, first + 4, (other, one), NOW).await,
            rematch(a, first + 5, (one, other)).await,
            rematch(b, first + 6, (other, one)).await,
        ];
        let results = join_all(requests).await;
        let stored = results.iter().filter(|&&result| result == Appended::Stored).count();
        let full = results.iter().filter(|&&result| result == FULL).count();
        assert_eq!((stored, full), (MOST_RATED as usize, 3), "round {round}: {results:?}");
        assert_eq!(number_of(a, one, other, NOW - DAY).await, u64::from(MOST_RATED));
        assert_eq!(number_of(b, other, one, NOW).await, 0);
        races += 1;
    }
    assert_eq!(races, 8);
}

pub(super) async fn rated_pairs(Pair { a, b, .. }: &mut Pair) {
    for number in 1..=MOST_RATED {
        let at = NOW + i64::from(number);
        assert_eq!(accepted(a, number, (1, 2), (true, at)).await.await, Appended::Stored);
    }
    // The store refuses to accept an offer or to fill an open seat beyond the limit on rated matches. The offer and the seat stay open.
    let last = NOW + i64::from(MOST_RATED) + 1;
    assert_eq!(accepted(b, 10, (2, 1), (true, last)).await.await, FULL);
    assert!(a.offer(&id(10)).await.expect("a read").expect("an offer").is_open(last));
    assert_eq!(joined(b, 11, (2, 1), last).await.await, FULL);
    let found = a.info(&id(11)).await.expect("a read").expect("a match");
    assert_eq!(found.seats.b.occupant, Occupant::Open);
    assert_eq!(a.entries(&id(11), 0).await.expect("a read").expect("a log"), []);
    // The limit on the rated matches of two persons applies neither to their unrated matches nor to matches with other persons.
    assert_eq!(accepted(a, 12, (1, 2), (false, last)).await.await, Appended::Stored);
    assert_eq!(joined(a, 13, (1, 3), last).await.await, Appended::Stored);
    // A rated match counts towards the daily limit for a day from its beginning. A match by invitation begins when the second player joins.
    assert_eq!(number_of(b, 1, 2, NOW).await, u64::from(MOST_RATED));
    assert_eq!(number_of(b, 2, 1, NOW + 1).await, u64::from(MOST_RATED) - 1);
    assert_eq!(number_of(b, 1, 3, last - 1).await, 1);
    assert_eq!(number_of(b, 1, 3, last).await, 0);
    let full = accepted(b, 14, (4, 5), (true, NOW)).await.await;
    assert_eq!(full, Appended::Stored);
    for (number, at, expected) in
        [(15, NOW, Appended::Stored), (16, NOW, Appended::Stored), (17, NOW + DAY - 1, FULL)]
    {
        assert_eq!(joined(a, number, (5, 4), at).await.await, expected, "{number}");
    }
    assert_eq!(accepted(b, 18, (4, 5), (true, NOW + DAY)).await.await, Appended::Stored);
    left_matches(a, b).await;
}

/// Tests that a rated match counts towards the daily limit even after the players have deleted the match.
async fn left_matches(a: &Shared, b: &Shared) {
    for (person, handle) in [(6, "Anna"), (7, "Bert")] {
        make_account(a, person, handle).await;
    }
    won(a, 20, (6, 7)).await;
    for player in [None, Some(Player::B), Some(Player::A)] {
        if let Some(player) = player {
            leave(a, 20, player).await;
        }
        assert_eq!(number_of(b, 6, 7, ENDED - 60).await, 1, "{player:?}");
        assert_eq!(number_of(b, 7, 6, ENDED).await, 0, "{player:?}");
    }
    assert_eq!(a.remove(id(20), 3).await.expect("a write"), Appended::Stored);
    assert_eq!(number_of(b, 7, 6, ENDED - 60).await, 1);
}
