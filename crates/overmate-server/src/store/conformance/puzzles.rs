//! Tests puzzle attempts and puzzle ratings on every store.

use std::collections::BTreeSet;

use futures_util::future::join_all;

use super::pair::{Pair, holder};
use super::people::{add, offer};
use crate::puzzle_run::PuzzleRun;
use crate::rating::puzzle_rating;
use crate::store::queries::operators;
use crate::store::{
    Appended, Attempt, CodeKind, CountedAttempt, Holder, PersonChange, PuzzleCounts, TriedPuzzles,
};

/// Returns a successful puzzle attempt of a browser identity.
fn attempt(holder: Holder, puzzle: &str, at: i64) -> Attempt {
    Attempt {
        holder,
        puzzle: puzzle.to_owned(),
        rules: "bga".to_owned(),
        new_puzzle: puzzle_rating::of_new_puzzle(1_500),
        solved: true,
        at,
        run: None,
    }
}

pub(super) async fn puzzles_of_browsers(Pair { a, b, .. }: &mut Pair) {
    const BROWSERS: u8 = 20;
    let attempt = |number: u8, puzzle: &str| attempt(holder(number), puzzle, number.into());
    let attempts = (1..=BROWSERS).map(|number| {
        let store = if number % 2 == 0 { &*a } else { &*b };
        store.attempt(attempt(number, "bga-1"))
    });
    for counted in join_all(attempts).await {
        assert_eq!(counted.expect("a write"), Appended::Stored);
    }
    assert_eq!(a.attempt(attempt(3, "bga-1")).await.expect("a write"), Appended::Conflict);
    // An attempt of a new browser at a puzzle changes the rating of the browser, but not the rating of the puzzle.
    let initial = attempt(1, "bga-1").new_puzzle;
    let new_player = puzzle_rating::of_new_player();
    let (expected, _) = puzzle_rating::after_attempt(new_player, initial, initial, true);
    assert_eq!(b.puzzle_rating("bga-1").await.expect("a read"), Some(initial));
    assert_eq!(b.puzzle_rating("bga-2").await.expect("a read"), None);
    let rating = b.puzzle_player(holder(3)).await.expect("a read").expect("a rating").rating;
    assert_eq!(rating.to_bits(), expected.rating.to_bits());
    let counted = b.puzzle_attempts(holder(3), 9).await.expect("a read");
    let (puzzle, rules) = ("bga-1".to_owned(), "bga".to_owned());
    assert_eq!(counted, [CountedAttempt { puzzle, rules, solved: true, rating, at: 3, run: None }]);
    assert!(b.is_known(holder(3)).await.expect("a read"));
    assert!(b.has_played(holder(3), 4).await.expect("a read"));
    assert!(!b.has_played(holder(3), 3).await.expect("a read"));
    let failed = Attempt { solved: false, ..attempt(3, "bga-2") };
    assert_eq!(a.attempt(failed).await.expect("a write"), Appended::Stored);
    assert_eq!(b.puzzle_attempts(holder(3), 1).await.expect("a read")[0].puzzle, "bga-2");
    assert_eq!(b.puzzle_results(holder(3)).await.expect("a read"), [false, true]);
    let tried = b.tried_puzzles(holder(3), 0, "").await.expect("a read");
    assert_eq!(
        (&tried.puzzles[..], tried.has_asked),
        (&["bga-1", "bga-2"].map(str::to_owned)[..], false)
    );
    let (first, last) = tried.numbers.expect("two attempts");
    assert!(first < last, "{first} {last}");
    // The flag `has_asked` tells whether the browser has ever tried the requested puzzle, even if the returned list omits this puzzle.
    for (from, asked, has_asked) in
        [(first + 1, "bga-1", true), (last, "bga-2", true), (last, "bga-3", false)]
    {
        let second = TriedPuzzles {
            puzzles: vec!["bga-2".to_owned()],
            numbers: Some((last, last)),
            has_asked,
        };
        let found = b.tried_puzzles(holder(3), from, asked).await.expect("a read");
        assert_eq!(found, second, "{from} {asked}");
    }
    for (browser, from, asked, has_asked) in
        [(3, last + 1, "bga-1", true), (4, last, "bga-2", false), (99, 0, "bga-1", false)]
    {
        let none = b.tried_puzzles(holder(browser), from, asked).await.expect("a read");
        assert_eq!(none, TriedPuzzles { has_asked, ..TriedPuzzles::default() }, "{browser}");
    }
    assert_eq!(b.puzzle_results(holder(99)).await.expect("a read"), [false; 0]);
    let ratings = b.puzzle_ratings().await.expect("a read");
    assert_eq!(ratings.len(), 2);
    assert!(
        ratings.values().all(|rating| rating.to_bits() == initial.rating.to_bits()),
        "{ratings:?}"
    );
    let forgotten = a.change_person(PersonChange::Forget { person: holder(3), at: 100 }).await;
    assert_eq!(forgotten.expect("a write"), Appended::Stored);
    assert_eq!(b.puzzle_attempts(holder(3), 9).await.expect("a read"), []);
    assert_eq!(b.puzzle_player(holder(3)).await.expect("a read"), None);
    assert!(!b.is_known(holder(3)).await.expect("a read"));
}

pub(super) async fn ratings_of_puzzles(Pair { a, b, .. }: &mut Pair) {
    const BROWSERS: u8 = 6;
    const EARLIER: i64 = 8;
    // Each browser tries puzzles that no other browser tries, until the browser's puzzle rating is established.
    for number in 1..=BROWSERS {
        for at in 1..=EARLIER {
            let puzzle = format!("own-{number}-{at}");
            let own = Attempt { solved: at % 2 == 0, ..attempt(holder(number), &puzzle, at) };
            assert_eq!(a.attempt(own).await.expect("a write"), Appended::Stored);
        }
    }
    let player = b.puzzle_player(holder(1)).await.expect("a read").expect("a rating");
    let attempts = (1..=BROWSERS).map(|number| {
        let store = if number % 2 == 0 { &*a } else { &*b };
        store.attempt(attempt(holder(number), "shared", 100))
    });
    for counted in join_all(attempts).await {
        assert_eq!(counted.expect("a write"), Appended::Stored);
    }
    // All browsers have equal ratings before they try the shared puzzle, so that the order of their attempts makes no difference.
    let first = attempt(holder(1), "shared", 100).new_puzzle;
    let (mut expected, mut players) = (first, BTreeSet::new());
    for _ in 1..=BROWSERS {
        let (after, puzzle) = puzzle_rating::after_attempt(player, expected, first, true);
        players.insert(after.rating.to_bits());
        expected = puzzle;
    }
    assert!(expected.rating < first.rating - 10.0, "{expected:?}");
    assert_eq!(b.puzzle_rating("shared").await.expect("a read"), Some(expected));
    let mut found = BTreeSet::new();
    for number in 1..=BROWSERS {
        let rating = a.puzzle_player(holder(number)).await.expect("a read").expect("a rating");
        found.insert(rating.rating.to_bits());
    }
    assert_eq!(found, players);
}

pub(super) async fn order_of_attempts(Pair { a, b, operator }: &mut Pair) {
    let operator = operator.as_mut().expect("a database");
    // Most puzzle attempts in this test have the same time in seconds. The last attempt has an earlier time, as from a server with a slow
    // clock.
    for (server, puzzle, at) in
        [(&a, "c", 9), (&b, "a", 9), (&b, "d", 9), (&a, "b", 9), (&b, "e", 8)]
    {
        let counted = server.attempt(attempt(holder(1), puzzle, at)).await;
        assert_eq!(counted.expect("a write"), Appended::Stored);
        let other = server.attempt(attempt(holder(2), puzzle, at)).await;
        assert_eq!(other.expect("a write"), Appended::Stored);
    }
    let again = a.attempt(attempt(holder(1), "c", 10)).await;
    assert_eq!(again.expect("a write"), Appended::Conflict);
    operators::revoke_browser(operator, holder(1), holder(3), 11).await.expect("a write");
    for browser in [2, 3] {
        let attempts = b.puzzle_attempts(holder(browser), 9).await.expect("a read");
        let puzzles: Vec<&str> = attempts.iter().map(|attempt| &*attempt.puzzle).collect();
        assert_eq!(puzzles, ["e", "b", "d", "a", "c"]);
    }
}

pub(super) async fn runs_of_puzzles(Pair { a, b, .. }: &mut Pair) {
    const STREAK: &str = "streak:01234567";
    const STORM: &str = "storm:01234567";
    // Each tuple in the array `attempts` describes one puzzle attempt. The fields are the browser, the puzzle, the success, the time, the
    // puzzle run (streak or storm), and whether the attempt counts in this run.
    let attempts = [
        (1, "a", true, 10, Some(STREAK), true),
        (1, "b", true, 2_000, Some(STREAK), true),
        (1, "c", false, 2_001, Some(STREAK), true),
        // A streak (a run of puzzles without a mistake) ends with its first failed attempt, in this test with the attempt at puzzle "c".
        (1, "d", true, 2_002, Some(STREAK), false),
        (1, "e", true, 2_003, Some("streak:another1"), true),
        (1, "f", true, 3_000, Some(STORM), true),
        (1, "g", false, 3_001, Some(STORM), true),
        (1, "h", true, 3_002, Some(STORM), true),
        (1, "i", true, 3_180, Some(STORM), true),
        // A storm (a timed run of puzzles) ends three minutes after its first attempt.
        (1, "j", true, 3_181, Some(STORM), false),
        (1, "k", true, 3_182, Some("storm:another1"), true),
        (1, "l", true, 3_183, None, false),
        // Browser 2 has chosen the same id for a puzzle run as browser 1. The two runs are separate.
        (2, "a", true, 3_184, Some(STREAK), true),
        (2, "m", true, 3_185, Some("streak:of-other"), true),
        (2, "n", true, 3_186, Some("streak:of-other"), true),
        (2, "o", true, 3_187, Some("streak:of-other"), true),
    ];
    for (index, (browser, puzzle, solved, at, run, _)) in attempts.into_iter().enumerate() {
        let run = run.map(|run| PuzzleRun::parse(run).expect("a run"));
        let attempt = Attempt { solved, run, ..attempt(holder(browser), puzzle, at) };
        let server = if index % 2 == 0 { &*a } else { &*b };
        assert_eq!(server.attempt(attempt).await.expect("a write"), Appended::Stored);
    }
    for browser in [1, 2] {
        let found = b.puzzle_attempts(holder(browser), 99).await.expect("a read");
        let found = found.into_iter().rev().map(|counted| (counted.puzzle, counted.run));
        let own = attempts.into_iter().filter(|(by, ..)| *by == browser);
        let expected = own.map(|(_, puzzle, _, _, run, is_counted)| {
            (puzzle.to_owned(), run.filter(|_| is_counted).map(str::to_owned))
        });
        assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{browser}");
    }
    let counts = async |browser| b.puzzle_counts(holder(browser)).await.expect("a read");
    let own = PuzzleCounts { attempts: 12, solved: 10, best_streak: 2, best_storm: 3 };
    assert_eq!(counts(1).await, own);
    let others = PuzzleCounts { attempts: 4, solved: 4, best_streak: 3, best_storm: 0 };
    assert_eq!(counts(2).await, others);
    assert_eq!(counts(99).await, PuzzleCounts::default());
    // A repeated attempt at the same puzzle changes none of the browser's counts, such as its best streak.
    let run = PuzzleRun::parse("streak:another1");
    let again = Attempt { run, ..attempt(holder(1), "a", 3_200) };
    assert_eq!(a.attempt(again).await.expect("a write"), Appended::Conflict);
    assert_eq!(counts(1).await, own);
    // After browser 2 is linked to browser 1, their common person has the puzzle runs of both browsers. Of two attempts at one puzzle, the
    // earlier attempt stays.
    for change in [offer(1, 1, 10, CodeKind::Link, 3_300), add(10, 2, 3_301)] {
        assert_eq!(a.change_person(change).await.expect("a write"), Appended::Stored);
    }
    let both = PuzzleCounts { attempts: 15, solved: 13, best_streak: 3, best_storm: 3 };
    assert_eq!(counts(1).await, both);
}
