//! Measures the speed of reading the values of positions from a tablebase file. Each benchmark also checks its results.

#[path = "../tests/it/chance.rs"]
#[allow(dead_code, clippy::unwrap_used, reason = "the tests use more of it, and may panic")]
mod chance;

use std::path::PathBuf;

use divan::Bencher;
use divan::counter::ItemsCount;
use overmate_rules::{Phase, Position, RuleSet};
use overmate_solver::tablebase::{NewTablebase, Tablebase};
use overmate_solver::whole::{WholeGame, WholeOptions};
use overmate_solver::{Progress, ValueForFirst};
use tempfile::TempDir;

use crate::chance::Chance;

fn main() {
    divan::main();
}

/// Number of positions whose values the benchmark looks up.
const PROBES: usize = 4096;

/// Rule sets for which the benchmarks run, namely `bga` without foreplacing and `sackson` with foreplacing.
const RULES: [&str; 2] = ["bga", "sackson"];

/// Tablebase file for a benchmark, with random positions to look up and the correct values of these positions.
struct Probes {
    table: Tablebase,
    positions: Vec<(Position, i32)>,
    path: PathBuf,
    _folder: TempDir,
}

/// Builds a tablebase of the rule set `name`, and chooses random positions to look up. When the benchmark runs as a
/// test, the rule set has a reduced deck.
fn probes(name: &str) -> Probes {
    let is_test = !std::env::args().any(|argument| argument == "--bench");
    let mut draft = RuleSet::named(name).expect("the rule set exists").draft();
    if is_test {
        draft.cards.truncate(12);
        "twelve cards".clone_into(&mut draft.name);
    }
    let rules = RuleSet::new(draft).expect("the deck is valid").shared();
    let game = WholeGame::solve(&rules, WholeOptions::default(), &Progress::default());
    let game = game.expect("the rule set is small enough");
    let folder = TempDir::new().expect("there is room for a temporary folder");
    let path = folder.path().join("file");
    let new = NewTablebase::create(&path, false).expect("the path is free");
    new.write(&game, &Progress::default()).expect("the disk has room");

    let mut chance = Chance(200);
    let mut positions = Vec::new();
    while positions.len() < PROBES {
        let mut played = chance.game(&rules);
        while played.outcome().is_none() && positions.len() < PROBES {
            let position = played.position();
            if matches!(position.phase(), Phase::Lead(_)) {
                let value = game.value_for_first(position).expect("the game has the position");
                positions.push((position.clone(), value.points()));
            }
            let action = chance.action(position, 5);
            played = played.play(action).expect("it is legal");
        }
    }
    let table = Tablebase::open_for(&path, &rules).expect("the file is complete");
    Probes { table, positions, path, _folder: folder }
}

/// Measures the time to open a tablebase file, including the checks of the file's header, rule set and dictionary.
#[divan::bench(args = RULES)]
fn open(bencher: Bencher<'_, '_>, name: &str) {
    let Probes { table, path, .. } = &probes(name);
    bencher.bench_local(|| {
        let opened = Tablebase::open(path).expect("the file is complete");
        assert_eq!(opened.positions(), table.positions());
    });
}

/// Measures the time to look up the values of random positions, nearly all of which lie in different blocks of the tablebase file.
#[divan::bench(sample_size = 1, args = RULES)]
fn probe(bencher: Bencher<'_, '_>, name: &str) {
    let Probes { table, positions, .. } = &probes(name);
    let mut reader = table.reader();
    bencher.counter(ItemsCount::new(PROBES)).bench_local(|| {
        for (position, expected) in positions {
            let value = reader.value_for_first(position).expect("the file is undamaged");
            assert_eq!(value.map(ValueForFirst::points), Some(*expected));
        }
    });
}

/// Measures the time to look up the values of positions that all lie in one block of the tablebase file.
#[divan::bench(sample_size = 1, args = RULES)]
fn probe_same_block(bencher: Bencher<'_, '_>, name: &str) {
    let Probes { table, positions, .. } = &probes(name);
    let mut reader = table.reader();
    let (position, expected) = &positions[0];
    bencher.counter(ItemsCount::new(PROBES)).bench_local(|| {
        for _ in 0..PROBES {
            let value = reader.value_for_first(divan::black_box(position));
            let value = value.expect("the file is undamaged");
            assert_eq!(value.map(ValueForFirst::points), Some(*expected));
        }
    });
}
