//! Tests the embedded puzzles: numbers, patterns, solutions, themes, replies and ratings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use std::time::SystemTime;

use overmate_bots::LevelPolicies;
use overmate_puzzles::{
    Decision, DullKind, FieldFault, Pattern, Puzzle, PuzzleSet, Theme, rating, success_of_levels,
    themes_of,
};
use overmate_rules::{Action, Phase, Position, RuleSet, Seat};
use overmate_solver::Solver;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng as _, SeedableRng as _};
use test_sample::is_thorough;

use crate::proof;

fn sets() -> Vec<(PuzzleSet, usize)> {
    let set = |name| RuleSet::named(name).expect("the sets are of published rules").shared();
    PuzzleSet::names()
        .map(|(name, wanted)| (PuzzleSet::embedded(&set(name)).expect("the set is sound"), wanted))
        .collect()
}

/// Random seed from which the tests draw a sample of the embedded puzzles. Each run takes a new seed, unless the environment variable
/// `OVERMATE_SAMPLE_SEED` gives one.
static SEED: LazyLock<u64> = LazyLock::new(|| {
    std::env::var("OVERMATE_SAMPLE_SEED").map_or_else(
        |_| SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs(),
        |text| text.parse().expect("OVERMATE_SAMPLE_SEED is a number"),
    )
});

/// Returns `count` random puzzles of a set, or all puzzles of the set in a thorough test run.
fn sample(set: &PuzzleSet, count: usize) -> Vec<Puzzle> {
    let mut entries: Vec<_> = set.entries().iter().collect();
    if !is_thorough() {
        // A failing test shows the random seed in its output, so that the same sample of puzzles can be tested again.
        println!("to repeat the sample: OVERMATE_SAMPLE_SEED={}", *SEED);
        let mut random = ChaCha20Rng::seed_from_u64(*SEED);
        let count = count.min(entries.len());
        for index in 0..count {
            let left = u64::try_from(entries.len() - index).unwrap();
            entries.swap(index, index + usize::try_from(random.next_u64() % left).unwrap());
        }
        entries.truncate(count);
    }
    entries
        .into_iter()
        .map(|entry| set.read(entry).expect("an embedded puzzle can be read"))
        .collect()
}

#[test]
fn sets_have_the_promised_numbers_of_puzzles_and_are_small() {
    let sets = sets();
    let of = |name: &str| {
        sets.iter().find(|(set, _)| set.rules().name() == name).unwrap().0.entries().len()
    };
    assert!(of("bga") >= 3000 && of("sackson") >= 3000, "{} {}", of("bga"), of("sackson"));
    for (set, wanted) in &sets {
        assert_eq!(set.entries().len(), *wanted, "{}", set.rules().name());
        assert!(*wanted >= 300);
        let ids: BTreeSet<&str> = set.entries().iter().map(|entry| &*entry.id).collect();
        assert_eq!(ids.len(), *wanted, "{}", set.rules().name());
    }
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    let files = std::fs::read_dir(data).unwrap();
    let bytes: u64 = files.map(|file| file.unwrap().metadata().unwrap().len()).sum();
    assert!(bytes > 10_000 && bytes < 400_000, "{bytes}");
}

#[test]
fn every_puzzle_has_its_day_before_the_first_returns() {
    let mut days = 0;
    for (set, wanted) in sets() {
        // For a large set of puzzles, the test checks the daily puzzle of every tenth day only.
        let step = wanted / 300;
        let dull = set.entries().iter().filter(|entry| set.is_dull(entry));
        let dull: BTreeSet<&str> = dull.map(|entry| &*entry.id).collect();
        let chosen = wanted - dull.len();
        let length = i64::try_from(chosen).unwrap();
        let id = |day: i64| set.of_day(day).unwrap().id.clone();
        // The test includes days before 1970, which have negative numbers.
        for first in [-7, 20_778] {
            let ids: BTreeSet<String> = (first..first + length).step_by(step).map(id).collect();
            assert_eq!(ids.len(), chosen.div_ceil(step), "{}", set.rules().name());
            assert!(ids.iter().all(|id| !dull.contains(&**id)), "{}", set.rules().name());
            assert_eq!(id(first), id(first + length));
            days += ids.len();
        }
        assert!((0..length).step_by(step).map(id).is_sorted());
    }
    assert!(days > 10 * 2 * 150, "{days}");
}

#[test]
fn no_two_puzzles_of_a_set_have_the_same_pattern() {
    for (set, _) in sets() {
        let puzzles = sample(&set, 300);
        let patterns: BTreeSet<_> = puzzles.iter().map(|p| Pattern::of(p.position())).collect();
        assert_eq!(patterns.len(), puzzles.len());
        assert!(puzzles.len() >= 300);
    }
}

/// Returns the denominator and the numerator of the probability that random actions solve a puzzle. Identical cards count once.
fn guesses(puzzle: &Puzzle) -> (u128, u128) {
    let lines = puzzle.solution.lines();
    let ways = lines.iter().map(|line| {
        let mut at = puzzle.position().clone();
        let mut ways = 1;
        for &action in line {
            if at.to_act() == Some(puzzle.solver()) {
                let actions = at.legal_actions().map(|a| at.rules().action_text(a).to_string());
                ways *= actions.collect::<BTreeSet<_>>().len() as u128;
            }
            at = at.play(action).unwrap();
        }
        ways
    });
    let ways: Vec<u128> = ways.collect();
    let all: u128 = ways.iter().product();
    (all, ways.iter().map(|ways| all / ways).sum())
}

#[test]
fn no_embedded_puzzle_is_lost_or_solved_by_guessing() {
    let (mut draws, mut turned, mut checked) = (0, 0, 0);
    for (set, _) in sets() {
        for entry in set.entries() {
            let puzzle = set.read(entry).expect("an embedded puzzle can be read");
            let values = puzzle.solution.values.iter().map(|(_, value)| *value);
            let (best, worst) = (values.clone().max().unwrap(), values.min().unwrap());
            assert!(best >= 0, "the best result is a loss: {puzzle}");
            let (all, solved) = guesses(&puzzle);
            assert!(2 * solved < all, "{solved} of {all} guesses solve {puzzle}");
            draws += usize::from(best == 0);
            turned += usize::from(best > 0 && worst < 0);
            checked += 1;
        }
    }
    // Even the right actions of some puzzles lead only to a drawn game. In other puzzles the right actions win, and the worst action loses.
    assert!(checked >= 8400 && draws > 100 && turned > 100, "{checked} {draws} {turned}");
}

/// Returns whether the best wrong action of a decision is at most eleven points worse than the right actions.
fn is_close(decision: &Decision) -> bool {
    let mut values: Vec<i32> = decision.values.iter().map(|(_, value)| *value).collect();
    values.sort_unstable();
    values.dedup();
    let [.., wrong, best] = values[..] else { panic!("a decision has a wrong action") };
    best - wrong <= 11
}

#[test]
fn a_set_holds_few_puzzles_of_each_kind_that_players_find_dull() {
    let (mut cards, mut declines, mut plain, mut short, mut checked) = (0, 0, 0, 0, 0);
    for (set, wanted) in sets() {
        let before = (plain, short);
        for entry in set.entries() {
            let puzzle = set.read(entry).expect("an embedded puzzle can be read");
            let Decision { position, values, .. } = &puzzle.solution;
            let has = |theme| puzzle.themes.contains(theme);
            let best = puzzle.solution.value();
            let held = position.hand_cards(puzzle.solver()).len();
            if has(Theme::Foreplace) {
                let declining = values.contains(&(Action::Decline, best));
                *(if declining { &mut declines } else { &mut cards }) += 1;
            }
            let mates = |action| position.clone().play(action).unwrap().mate().is_some();
            let leads: BTreeSet<_> = values.iter().map(|(action, _)| action.card()).collect();
            let mating = values.iter().filter(|(action, _)| mates(*action));
            let mating: BTreeSet<_> = mating.map(|(action, _)| action.card()).collect();
            let right = values.iter().any(|(action, value)| *value == best && mates(*action));
            plain += usize::from(right && (mating.len() == 1 || mating == leads));
            let wait = has(Theme::Wait) && !has(Theme::Overmate);
            short += usize::from(wait && held <= 3 && is_close(&puzzle.solution));
            // A puzzle set contains no puzzle that requires only arithmetic. In such a puzzle, the player holds at least seven cards and
            // does not foreplace, a wrong action also wins, all margins are small, and the main line ends before the mate.
            let without_mate = puzzle.solution.end().mate().is_none();
            // A puzzle has an ending after its main line exactly if the player wins and the main line does not reach the mate.
            assert_eq!(best > 0 && without_mate, !puzzle.ending.is_empty(), "{puzzle}");
            let wins_anyway = values.iter().any(|(_, value)| (1..best).contains(value));
            if wins_anyway && !has(Theme::Foreplace) && held >= 7 && without_mate {
                assert!(!puzzle.solution.decisions().into_iter().all(is_close), "{puzzle}");
            }
            checked += 1;
        }
        let (plain, short) = (plain - before.0, short - before.1);
        assert!(100 * plain <= wanted && 100 * short <= wanted, "{plain} {short}");
    }
    assert!(checked >= 8400 && plain > 10 && short > 10, "{checked} {plain} {short}");
    // In puzzles about foreplacing, foreplacing a card and declining are each right so often that neither is a safe guess.
    assert!(cards >= 30 && declines <= cards && 2 * declines >= cards, "{cards} {declines}");
    println!("{cards} cards, {declines} declines, {plain} plain mates, {short} short waits");
}

/// Returns the position that follows from a position by the given actions.
fn after(position: &Position, actions: &[Action]) -> Position {
    actions.iter().fold(position.clone(), |at, action| at.play(*action).unwrap())
}

/// Returns whether the opponent of a seat can give mate with the opponent's next lead. All sequences of at most two actions are tried.
fn is_mated_next(position: &Position, seat: Seat) -> bool {
    position.to_act() == Some(!seat)
        && position.legal_actions().any(|action| {
            let next = after(position, &[action]);
            let is_lead = matches!(position.phase(), Phase::Lead(_));
            let mates = |at: &Position| at.mate().is_some_and(|mate| mate.by == !seat);
            mates(&next) || !is_lead && is_mated_next(&next, seat)
        })
}

/// Returns the names of the kinds of dull puzzle to which a puzzle belongs, computed without the library's type `DullKind`.
fn dull_kinds(puzzle: &Puzzle) -> BTreeSet<&'static str> {
    let me = puzzle.solver();
    let values: Vec<i32> = puzzle.solution.values.iter().map(|(_, value)| *value).collect();
    let best = *values.iter().max().unwrap();
    let second = *values.iter().filter(|value| **value < best).max().unwrap();
    let lines = puzzle.solution.lines();
    let line = &lines[0];
    let decides = |at: &Position| at.to_act() == Some(me) && at.legal_actions().len() > 1;
    let decided = (0..line.len()).filter(|done| decides(&after(puzzle.position(), &line[..*done])));
    let decided: Vec<usize> = decided.collect();
    let rights = |done: usize| -> BTreeSet<String> {
        let same = lines.iter().filter(|other| other.len() > done && other[..done] == line[..done]);
        same.map(|other| format!("{:?}", other[done])).collect()
    };
    let mut kinds = BTreeSet::new();
    if best == 0 && decided.len() <= 2 {
        kinds.insert("short draw");
    }
    let blunders = |done: usize| {
        let at = after(puzzle.position(), &line[..done]);
        let wrong = at.legal_actions().filter(|a| !rights(done).contains(&format!("{a:?}")));
        wrong.into_iter().all(|action| is_mated_next(&after(&at, &[action]), me))
    };
    if decided.iter().all(|done| blunders(*done)) {
        kinds.insert("blunders");
    }
    if lines.iter().any(|line| after(puzzle.position(), &line[..1]).mate().is_some()) {
        kinds.insert("mate now");
    }
    let held = puzzle.position().hand_cards(me).len();
    if held > 5 && second > 0 && f64::from(second) >= 0.75 * f64::from(best) {
        kinds.insert("close win");
    }
    kinds
}

#[test]
fn dull_kinds_follow_from_the_lines_and_values() {
    let mut counts = BTreeMap::new();
    let (mut dull, mut checked) = (0, 0);
    for (set, wanted) in sets() {
        let before = dull;
        for entry in set.entries() {
            let puzzle = set.read(entry).expect("an embedded puzzle can be read");
            let expected = dull_kinds(&puzzle);
            let found = DullKind::ALL.iter().filter(|kind| kind.holds(&puzzle));
            let found: BTreeSet<&str> = found.map(|kind| kind.name).collect();
            assert_eq!(found, expected, "{puzzle}");
            assert_eq!(set.is_dull(entry), !expected.is_empty(), "{puzzle}");
            dull += usize::from(!expected.is_empty());
            for name in expected {
                *counts.entry(name).or_insert(0) += 1;
            }
            checked += 1;
        }
        // Fewer than half of the puzzles in each set are dull, so that enough other puzzles remain for the players.
        assert!(2 * (dull - before) < wanted, "{} {}", set.rules().name(), dull - before);
        println!("{}: {} dull", set.rules().name(), dull - before);
    }
    assert_eq!(counts.len(), DullKind::ALL.len(), "{counts:?}");
    assert!(counts.values().all(|count| *count > 50), "{counts:?}");
    assert!(checked >= 8400 && dull > 1000, "{dull} of {checked}");
    println!("{dull} of {checked}: {counts:?}");
}

#[test]
fn embedded_puzzles_are_proved_by_the_solver() {
    let mut checked = 0;
    let mut solver = Solver::new();
    for (set, _) in sets() {
        for puzzle in sample(&set, 25) {
            checked += proof::check(&mut solver, &puzzle);
        }
    }
    assert!(checked > 500, "{checked}");
    println!("{checked} actions of embedded puzzles are proved");
}

#[test]
fn embedded_puzzles_follow_from_their_positions() {
    let mut checked = 0;
    for (set, _) in sets() {
        for puzzle in sample(&set, 6) {
            let deal = puzzle.position().possible_deal().expect("the position comes from a deal");
            let policies = LevelPolicies::new(&deal).expect("the deck has 20 cards");
            let solution = Decision::of_puzzle(puzzle.position(), &policies).expect("{puzzle}");
            // The solution that the test computes from the puzzle's position equals the stored solution, including all lines and values.
            assert_eq!(solution, puzzle.solution, "{puzzle}");
            let ending = solution.ending(&policies);
            assert_eq!(ending, puzzle.ending, "{puzzle}");
            assert_eq!(themes_of(&solution, &ending), puzzle.themes, "{puzzle}");
            let computed = rating(&success_of_levels(&solution, &policies));
            // The computed and the embedded rating may differ by 1, because the exponential function can differ in the last bit between
            // platforms.
            assert!(computed.abs_diff(puzzle.rating) <= 1, "{computed} {puzzle}");
            checked += 1;
        }
    }
    assert!(checked >= 60, "{checked}");
    println!("{checked} embedded puzzles follow from their positions");
}

#[test]
fn texts_with_faulty_values_or_lines_are_no_puzzles() {
    let (set, _) = sets().swap_remove(0);
    let mut refused = 0;
    for puzzle in sample(&set, 20) {
        let text = puzzle.to_string();
        let fields: Vec<&str> = text.split('\t').collect();
        let [position, rating, themes, lines, values, ending] = fields[..] else {
            panic!("{text}")
        };
        let fault = |lines: &str, values: &str| {
            let text = [position, rating, themes, lines, values, ending].join("\t");
            Puzzle::read(set.rules(), &text).expect_err(&text).fault
        };
        for values in [format!("{values},0"), format!("{values}|0"), format!("0,{values}")] {
            assert_eq!(fault(lines, &values), FieldFault::WrongNumberOfValues, "{values}");
            refused += 1;
        }
        assert!(matches!(fault(lines, &format!("{values}x")), FieldFault::Number(_)));
        // The parser refuses a puzzle whose solution contains the same line of play twice.
        let (first, _) = lines.split_once('|').unwrap_or((lines, ""));
        let twice = fault(&format!("{first}|{first}"), values);
        let expected = [FieldFault::NoTree, FieldFault::WrongNumberOfValues];
        assert!(expected.contains(&twice), "{twice:?}");
        assert_eq!(fault("", values), FieldFault::EmptyLine);
        // The parser refuses a puzzle whose ending contains an illegal action. The illegal action of this test repeats the last action of
        // the ending or, without an ending, of the main line.
        let last = ending.rsplit(' ').next().filter(|last| !last.is_empty());
        let last = last.or(first.rsplit(' ').next()).unwrap();
        let twice = format!("{text}{}{last}", if ending.is_empty() { "" } else { " " });
        let twice = Puzzle::read(set.rules(), &twice).expect_err(&text);
        assert_eq!(twice.field, "ending");
        assert!(matches!(twice.fault, FieldFault::IllegalAction(_)), "{twice:?}");
        refused += 4;
    }
    assert!(refused >= 140, "{refused}");
}

#[test]
fn the_text_form_of_a_puzzle_reads_as_the_same_puzzle() {
    for (set, _) in sets() {
        for puzzle in sample(&set, 20) {
            assert_eq!(Puzzle::read(set.rules(), &puzzle.to_string()), Ok(puzzle.clone()));
            assert_eq!(set.find(&puzzle.id()).map(|entry| entry.rating), Some(puzzle.rating));
        }
    }
}
