//! Tests that every store keeps the ratings of accounts.

use std::sync::Arc;

use futures_util::future::join_all;
use overmate_rules::{ByPlayer, Player};

use super::pair::{Pair, against_computer, create, entry, holder, id, info, seat};
use crate::clock::DAY;
use crate::computer::Computer;
use crate::rating::anchors::anchor;
use crate::rating::match_rating::{MatchRating, MatchScore, Pace, after_match};
use crate::store::queries::operators;
use crate::store::{
    Account, AccountChange, Addition, Appended, Entry, EntryKind, Holder, KnownRating, Leader,
    MatchInfo, Occupant, PersonChange, Rated, RatedEnd, RatedMatch, RatingChange, RelationChange,
    RelationKind, Results, Rival, Store,
};

type Shared = Arc<dyn Store>;

/// Unix time at which the first test match ends, in seconds.
const END: i64 = 1_000_000;

fn rated(number: u32, a: u8, b: u8) -> MatchInfo {
    MatchInfo {
        clock: Some("180+2".parse().expect("a setting")),
        rated: true,
        invitation: None,
        seats: ByPlayer {
            a: seat(Occupant::Holder(holder(a))),
            b: seat(Occupant::Holder(holder(b))),
        },
        ..info(number)
    }
}

/// Returns the request to append the log entry that ends a rated match with a given winner. Player A has 30 points, and player B has 20
/// points.
fn end(number: u32, (a, b): (u8, u8), winner: Option<Player>, at: i64) -> Addition {
    let kind = EntryKind::Resign;
    let entry = Entry { kind, at_ms: 1_000 * at, player: Player::B, ..entry(1) };
    let rated = RatedEnd {
        rules: "bga".to_owned(),
        pace: Pace::Live,
        rivals: ByPlayer { a: Rival::Person(holder(a)), b: Rival::Person(holder(b)) },
        winner,
        points: ByPlayer { a: 30, b: 20 },
    };
    Addition { ends: true, rated: Some(rated), ..Addition::of(&id(number), entry) }
}

/// Creates a rated match between two persons, which the first person wins.
pub(super) async fn won(store: &Shared, number: u32, (a, b): (u8, u8)) {
    create(store, rated(number, a, b)).await;
    let ended = store.append(end(number, (a, b), Some(Player::A), 60)).await;
    assert_eq!(ended.expect("a write"), Appended::Stored);
}

/// Appends a log entry by which one player leaves a finished rated test match.
pub(super) async fn leave(store: &Shared, number: u32, player: Player) {
    let sequence = store.entries(&id(number), 0).await.expect("a read").expect("a match").len();
    let leave = Entry { kind: EntryKind::Leave, player, ..entry(sequence as u64 + 1) };
    let left = store.append(Addition::of(&id(number), leave)).await;
    assert_eq!(left.expect("a write"), Appended::Stored);
}

async fn make(store: &Shared, person: u8, handle: &str) {
    let account = Account {
        person: holder(person),
        handle: handle.to_owned(),
        password: Some("hash".to_owned()),
        made_at: 1,
        handle_at: 1,
        is_private: false,
        is_bot: false,
    };
    let (browser, tag) = (holder(person), [person; 32]);
    let (passkey, name) = (None, None);
    let make = AccountChange::Make { account, tag, passkey, browser, renewed: browser, name };
    assert_eq!(change(store, PersonChange::Account(make)).await, Appended::Stored);
}

async fn change(store: &Shared, change: PersonChange) -> Appended {
    store.change_person(change).await.expect("a write")
}

async fn of(store: &Shared, person: Holder) -> Vec<KnownRating> {
    store.ratings_of(person).await.expect("a read")
}

async fn changes(store: &Shared, number: u32) -> Vec<(Player, RatingChange)> {
    store.rating_changes(&id(number)).await.expect("a read")
}

async fn matches(store: &Shared, person: u8) -> Vec<RatedMatch> {
    store.rated_matches(holder(person), None, 9).await.expect("a read")
}

async fn leaders(store: &Shared, at: i64) -> Vec<String> {
    let found = store.board("bga", Pace::Live, at, 9).await.expect("a read");
    found.into_iter().map(|Leader { handle, .. }| handle).collect()
}

/// Returns the ratings that two new players must have after their first rated match.
fn first(winner: Option<Player>, at: i64) -> ByPlayer<MatchRating> {
    let new = MatchRating::new(at);
    let after = after_match(ByPlayer { a: new, b: new }, winner, at);
    ByPlayer::new_with(|player| MatchRating { rating: after[player], at })
}

pub(super) async fn ratings(Pair { a, b, operator }: &mut Pair) {
    for (person, handle) in [(1, "Anna"), (2, "Bert"), (3, "Cara")] {
        make(a, person, handle).await;
    }
    for number in 1..=3 {
        create(a, rated(number, 1, 2)).await;
    }
    assert_eq!(b.info(&id(1)).await.expect("a read"), Some(rated(1, 1, 2)));
    assert_eq!(b.boards().await.expect("a read"), []);

    // If two servers end the same match, only the first of them changes the ratings.
    let won = end(1, (1, 2), Some(Player::A), END);
    assert_eq!(a.append(won.clone()).await.expect("a write"), Appended::Stored);
    assert_eq!(b.append(won).await.expect("a write"), Appended::Conflict);
    let expected = first(Some(Player::A), END);
    let known = of(b, holder(1)).await;
    let results = Results { wins: 1, ..Results::default() };
    let (rules, pace) = ("bga".to_owned(), Pace::Live);
    assert_eq!(known, [KnownRating { rules, pace, known: expected.a, results }]);
    let known = of(b, holder(2)).await;
    assert_eq!(known[0].known, expected.b);
    assert_eq!(known[0].results, Results { losses: 1, ..Results::default() });
    let expected = |player: Player| {
        let (before, after) = (MatchRating::new(END).rating, expected[player].rating);
        RatingChange {
            before: Rated { rating: before.rating, deviation: before.deviation },
            after: Rated { rating: after.rating, deviation: after.deviation },
        }
    };
    let both = [(Player::A, expected(Player::A)), (Player::B, expected(Player::B))];
    assert_eq!(changes(b, 1).await, both);
    assert_eq!(changes(b, 2).await, []);
    assert_eq!(b.boards().await.expect("a read"), [("bga".to_owned(), Pace::Live)]);

    // The second match starts from the ratings after the first match, with deviations that have grown since then.
    let later = END + 30 * DAY;
    a.append(end(2, (1, 2), None, later)).await.expect("a write");
    let [match_2, match_1] = &*matches(b, 2).await else { panic!("two matches") };
    assert_eq!((&match_2.id, &match_1.id), (&id(2), &id(1)));
    assert_eq!((match_2.score, match_1.score), (MatchScore::Draw, MatchScore::Loss));
    assert_eq!((match_1.margin, match_1.at, match_1.opponent.as_deref()), (-10, END, Some("Anna")));
    assert!(match_2.change.before.deviation > match_1.change.after.deviation);
    assert!((match_2.change.before.rating - match_1.change.after.rating).abs() < 1e-9);
    let known = of(a, holder(1)).await;
    assert_eq!(known[0].results, Results { wins: 1, draws: 1, losses: 0 });
    assert_eq!(known[0].known.at, later);

    // A match with a person who has no account, and a match of a person against themselves, change no ratings.
    create(a, rated(4, 1, 9)).await;
    create(a, rated(5, 1, 1)).await;
    for (number, players) in [(4, (1, 9)), (5, (1, 1))] {
        let ended = a.append(end(number, players, Some(Player::A), later)).await;
        assert_eq!(ended.expect("a write"), Appended::Stored);
        assert_eq!(changes(b, number).await, []);
    }
    assert_eq!(of(b, holder(1)).await, known);
    assert_eq!(of(b, holder(9)).await, []);
    boards_and_privacy(a, b, later).await;
    let person = if let Some(operator) = operator {
        // The ratings of an account stay when an operator signs out all of its browsers.
        let moved = operators::revoke_browser(operator, holder(1), holder(40), END).await;
        moved.expect("a write");
        assert_eq!(of(b, holder(1)).await, []);
        holder(40)
    } else {
        holder(1)
    };
    end_of_ratings(a, b, person).await;
    race(a, b).await;
}

async fn boards_and_privacy(a: &Shared, b: &Shared, at: i64) {
    // Provisional ratings are not on the leaderboard.
    assert_eq!(leaders(b, at).await, [""; 0]);
    let mut at = at;
    for number in 100..125 {
        at += DAY;
        create(a, rated(number, 1, 2)).await;
        let winner = [Some(Player::A), None, Some(Player::B)][number as usize % 3];
        let ended = a.append(end(number, (1, 2), winner, at)).await;
        assert_eq!(ended.expect("a write"), Appended::Stored);
    }
    let ratings = [of(b, holder(1)).await, of(b, holder(2)).await];
    let better = ratings[0][0].known.rating.rating > ratings[1][0].known.rating.rating;
    let order = if better { ["Anna", "Bert"] } else { ["Bert", "Anna"] };
    assert_eq!(leaders(b, at).await, order);
    assert_eq!(b.board("bga", Pace::Live, at, 1).await.expect("a read").len(), 1);
    assert_eq!(b.board("bga", Pace::Correspondence, at, 9).await.expect("a read"), []);
    assert_eq!(b.board("sackson", Pace::Live, at, 9).await.expect("a read"), []);
    // The leaderboard decides by the same deviation that players see: a rating disappears from the leaderboard when the deviation
    // exceeds the limit of provisional ratings.
    let until = ratings.each_ref().map(|known| {
        let known = known[0].known;
        (0..9_000).map(|hours| known.at + 3_600 * hours).find(|at| known.at(*at).deviation > 110.0)
    });
    let [anna, bert] = until.map(|until| until.expect("a time within a year"));
    let (first, last) = (anna.min(bert), anna.max(bert));
    assert_eq!(leaders(b, first - 3_600).await, order);
    assert_eq!(leaders(b, last).await, [""; 0]);

    near(b, [ratings[0][0].known, ratings[1][0].known]).await;
    let hide = |is_private| {
        PersonChange::Account(AccountChange::SetPrivate { person: holder(2), is_private })
    };
    assert_eq!(change(a, hide(true)).await, Appended::Stored);
    assert!(b.account(holder(2)).await.expect("a read").expect("an account").is_private);
    assert_eq!(leaders(b, at).await, ["Anna"]);
    assert!(matches(b, 1).await.iter().all(|rated| rated.opponent.is_none()));
    assert!(matches(b, 2).await.iter().all(|rated| rated.opponent.as_deref() == Some("Anna")));
    assert_eq!(change(a, hide(false)).await, Appended::Stored);
    assert_eq!(leaders(b, at).await, order);
    blocked_viewer(a, b).await;
    let nobody = AccountChange::SetPrivate { person: holder(9), is_private: true };
    assert_eq!(change(a, PersonChange::Account(nobody)).await, Appended::Conflict);
}

/// Checks that a list of rated matches hides the handle of an opponent who has blocked the viewer. Bert blocks Cara.
async fn blocked_viewer(a: &Shared, b: &Shared) {
    let (person, other, kind) = (holder(2), holder(3), RelationKind::Block);
    let block = RelationChange::Add { person, other, kind, at: END };
    assert_eq!(a.change_relation(block).await.expect("a write"), Appended::Stored);
    for (of, viewer, opponent) in [
        (1, Some(3), None),
        (1, Some(1), Some("Bert")),
        (1, None, Some("Bert")),
        (2, Some(3), Some("Anna")),
    ] {
        let seen = b.rated_matches(holder(of), viewer.map(holder), 99).await.expect("a read");
        assert!(seen.len() > 2);
        assert!(seen.iter().all(|rated| rated.opponent.as_deref() == opponent), "{viewer:?}");
    }
    let block = RelationChange::Remove { person, other, kind };
    assert_eq!(a.change_relation(block).await.expect("a write"), Appended::Stored);
}

/// Checks that the store finds the persons whose ratings lie within given bounds. Anna and Bert have the given ratings after their last
/// match.
async fn near(store: &Shared, known: [MatchRating; 2]) {
    let [anna, bert] = known.map(|known| known.rating.rating);
    let in_band = async |from: f64, to: f64, limit: u32| {
        store.rated_near("bga", Pace::Live, (from, to), limit).await.expect("a read")
    };
    // A search for ratings between two bounds includes both bounds.
    assert_eq!(in_band(anna, anna, 9).await, [holder(1)]);
    assert_eq!(in_band(bert, bert, 9).await, [holder(2)]);
    let (least, most) = (anna.min(bert), anna.max(bert));
    let mut both = [holder(1), holder(2)];
    both.sort_by_key(|person| person.0);
    assert_eq!(in_band(least, most, 9).await, both);
    assert_eq!(in_band(least, most, 1).await, both[..1]);
    assert_eq!(in_band(most + 0.5, 4_000.0, 9).await, []);
    for (rules, pace) in [("sackson", Pace::Live), ("bga", Pace::Correspondence)] {
        let found = store.rated_near(rules, pace, (0.0, 4_000.0), 9).await;
        assert_eq!(found.expect("a read"), []);
    }
}

async fn end_of_ratings(a: &Shared, b: &Shared, anna: Holder) {
    let number = matches(b, 2).await.len();
    // A player who deletes a match keeps their rating and the rating change of the match. Both players still see each other's names.
    let all = async |person| b.rated_matches(person, None, 99).await.expect("a read");
    let seen = [all(holder(2)).await, all(anna).await];
    let rating = of(b, holder(2)).await;
    let sequence = b.sequences(vec![id(1)]).await.expect("a read")[0].1 + 1;
    let leave = Entry { kind: EntryKind::Leave, player: Player::B, ..entry(sequence) };
    a.append(Addition::of(&id(1), leave)).await.expect("a write");
    assert_eq!(changes(b, 1).await.len(), 2);
    let kept = |rated: &RatedMatch| RatedMatch { is_kept: rated.id != id(1), ..rated.clone() };
    assert!(seen[0].iter().all(|rated| rated.is_kept));
    assert_eq!(all(holder(2)).await, seen[0].iter().map(kept).collect::<Vec<_>>());
    assert_eq!(all(anna).await, seen[1]);
    assert_eq!(of(b, holder(2)).await, rating);
    // The erasure of an account removes its ratings. The rating changes of its opponent stay.
    let before = of(b, holder(2)).await;
    let forget = PersonChange::Forget { person: anna, at: END };
    assert_eq!(change(a, forget).await, Appended::Stored);
    assert_eq!(of(b, anna).await, []);
    assert_eq!(b.rated_matches(anna, None, 9).await.expect("a read"), []);
    assert_eq!(of(b, holder(2)).await, before);
    let left = matches(b, 2).await;
    assert_eq!(left.len(), number);
    assert!(left.iter().all(|rated| rated.opponent.is_none()));
    assert_eq!(
        changes(b, 2).await.iter().map(|(player, _)| *player).collect::<Vec<_>>(),
        [Player::B]
    );
    // A rating change stays after its match was removed, until the account is erased.
    let sequence = b.sequences(vec![id(2)]).await.expect("a read")[0].1;
    assert_eq!(a.remove(id(2), sequence).await.expect("a write"), Appended::Stored);
    let removed =
        all(holder(2)).await.into_iter().find(|rated| rated.id == id(2)).expect("a change");
    assert!(!removed.is_kept);
    let forget = PersonChange::Forget { person: holder(2), at: END };
    assert_eq!(change(a, forget).await, Appended::Stored);
    assert_eq!(changes(b, 2).await, []);
}

/// Tests that no rating change is lost when two servers end rated matches concurrently.
async fn race(a: &Shared, b: &Shared) {
    const MATCHES: u32 = 40;
    for person in 51..=53 {
        make(a, person, &format!("player-{person}")).await;
    }
    let players = |number: u32| match number % 3 {
        0 => (51, 52),
        1 => (52, 51),
        _ => (52, 53),
    };
    for number in 0..MATCHES {
        // The seats of the test matches are open, so that no limit on unfinished matches applies.
        let seats = ByPlayer { a: seat(Occupant::Open), b: seat(Occupant::Open) };
        create(a, MatchInfo { seats, ..rated(200 + number, 51, 52) }).await;
    }
    let ends = (0..MATCHES).flat_map(|number| {
        let ended = end(200 + number, players(number), Some(Player::A), END);
        [a.append(ended.clone()), b.append(ended)]
    });
    let ended: Vec<_> =
        join_all(ends).await.into_iter().map(|ended| ended.expect("a write")).collect();
    let stored = ended.iter().filter(|ended| **ended == Appended::Stored).count();
    assert_eq!((stored, ended.len()), (MATCHES as usize, 2 * MATCHES as usize));
    let mut counted = 0;
    for person in 51..=53 {
        let known = of(b, holder(person)).await;
        let Results { wins, draws, losses } = known[0].results;
        let found = b.rated_matches(holder(person), None, u32::MAX).await.expect("a read");
        assert_eq!(i64::try_from(found.len()), Ok(wins + draws + losses));
        // The rating changes of a player form a chain: the rating after one match is the rating before the player's next match.
        let mut starts: Vec<f64> = found.iter().map(|rated| rated.change.before.rating).collect();
        let mut ends: Vec<f64> = found.iter().map(|rated| rated.change.after.rating).collect();
        starts.push(known[0].known.rating.rating);
        ends.push(1_500.0);
        starts.sort_by(f64::total_cmp);
        ends.sort_by(f64::total_cmp);
        assert!(starts.iter().zip(&ends).all(|(start, end)| (start - end).abs() < 1e-9));
        counted += found.len();
    }
    assert_eq!(counted, 2 * MATCHES as usize);
}

/// Tests rated matches against a computer opponent with a fixed rating.
pub(super) async fn anchored(Pair { a, b, .. }: &mut Pair) {
    make(a, 1, "Anna").await;
    let anchor =
        anchor("bga", "level:7".parse::<Computer>().expect("an opponent")).expect("an anchor");
    let mut known = MatchRating::new(0);
    for number in 1..=2 {
        let info = MatchInfo { rated: true, ..against_computer(number, holder(1)) };
        let info = MatchInfo { clock: Some("180+2".parse().expect("a setting")), ..info };
        create(a, info).await;
        let at = END + DAY * i64::from(number);
        let Addition { rated, .. } = end(number, (1, 9), Some(Player::A), at);
        let rated = rated.map(|end| RatedEnd {
            rivals: ByPlayer { a: Rival::Person(holder(1)), b: Rival::Anchor(anchor) },
            ..end
        });
        let ended = Addition { rated, ..end(number, (1, 9), Some(Player::A), at) };
        assert_eq!(b.append(ended).await.expect("a write"), Appended::Stored);
        if number == 1 {
            known = MatchRating::new(at);
        }
        let opponent = MatchRating { rating: anchor, at };
        let ByPlayer { a: after, .. } =
            after_match(ByPlayer { a: known, b: opponent }, Some(Player::A), at);
        known = MatchRating { rating: after, at };
        let own = of(b, holder(1)).await;
        assert_eq!((own.len(), own[0].known, own[0].results.wins), (1, known, number.into()));
        let changes = b.rating_changes(&id(number)).await.expect("a read");
        assert_eq!(changes.len(), 1, "the opponent has no change");
        assert_eq!(changes[0].0, Player::A);
    }
    // A rated match of a person without an account changes no rating.
    let Addition { rated, .. } = end(3, (2, 9), Some(Player::A), END);
    let rated = rated.map(|end| RatedEnd {
        rivals: ByPlayer { a: Rival::Person(holder(2)), b: Rival::Anchor(anchor) },
        ..end
    });
    create(a, MatchInfo { rated: true, ..against_computer(3, holder(2)) }).await;
    let ended = Addition { rated, ..end(3, (2, 9), Some(Player::A), END) };
    assert_eq!(b.append(ended).await.expect("a write"), Appended::Stored);
    assert_eq!(of(b, holder(2)).await, []);
}
