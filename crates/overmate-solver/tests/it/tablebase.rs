//! Tests that tablebase files hold correct values, that reading detects all damage, and that writing can be cancelled.

use std::fs;
use std::hash::Hasher as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use overmate_rules::{Deal, Dealt, Game, Position, RuleSet};
use overmate_solver::tablebase::{NewTablebase, Tablebase, TablebaseError};
use overmate_solver::whole::{HashedLayer, WholeGame, WholeOptions};
use overmate_solver::{Budget, Progress, Solver};
use tempfile::TempDir;
use twox_hash::XxHash3_64;

use crate::both::Both;
use crate::chance::{Chance, rules};

fn solve(rules: &Arc<RuleSet>) -> WholeGame {
    let options = WholeOptions::default().with_threads(2);
    WholeGame::solve(rules, options, &Progress::default()).unwrap()
}

fn write(game: &WholeGame, path: &Path) -> u64 {
    NewTablebase::create(path, true).unwrap().write(game, &Progress::default()).unwrap()
}

fn verify(path: &Path) -> Result<(), TablebaseError> {
    Tablebase::open(path)?.verify(2, &Progress::default()).map(drop)
}

const FOUR_RANKS: [(char, i32); 4] = [('A', 11), ('K', 4), ('Q', 3), ('7', 7)];

/// Returns a rule set with a deck of twelve cards and the rules of the catalogue rule set `name`.
fn twelve(name: &str) -> Arc<RuleSet> {
    Both::one_of_each(name, "csh", &FOUR_RANKS).rules
}

/// Returns a rule set with six cards, foreplacing and a free move, whose tablebase has a few
/// hundred bytes.
fn six() -> Arc<RuleSet> {
    let cards = ["Ac", "Kc", "7c", "As", "Ks", "7s"];
    let ranks = [('A', 11), ('K', 4), ('7', 7)];
    Both::custom("sackson+free-move", "cs", &ranks, &cards).rules
}

/// Returns `count` positions from random games. Most of the positions are late in their game.
fn positions(rules: &Arc<RuleSet>, count: usize) -> Vec<Position> {
    let mut chance = Chance(7);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut game = chance.game(rules);
        while game.outcome().is_none() {
            positions.push(game.position().clone());
            let action = chance.action(game.position(), 2);
            game = game.play(action).unwrap();
        }
        positions.push(game.position().clone());
    }
    positions
}

#[test]
fn a_file_holds_all_solved_values() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("file");
    let names = [
        "bga",
        "bga+free-move+figure-privilege",
        "sackson",
        "pagat+kings-privilege",
        "denexa+free-move",
        "rael+free-move+figure-privilege",
    ];
    for name in names {
        let rules = twelve(name);
        let game = solve(&rules);
        let bytes = write(&game, &path);
        assert_eq!(bytes, fs::metadata(&path).unwrap().len());
        let table = Tablebase::open_for(&path, &rules).unwrap();
        assert_eq!((table.rules(), table.bytes()), (&rules, bytes));
        assert_eq!(table.positions(), game.positions());
        assert!(bytes < table.positions(), "{name}: the file is not compressed");

        let mut reader = table.reader();
        for position in positions(&rules, 5_000) {
            let value = reader.value_for_first(&position).unwrap();
            assert_eq!(value, game.value_for_first(&position), "{position:?}");
            assert!(value.is_some());
        }
        for number in [0, 17, Dealt::count(&rules) - 1] {
            let start = Game::new(Deal::numbered(&rules, number).unwrap());
            let analysis = reader.analyse(&start).unwrap();
            assert_eq!(analysis, Some(Solver::new().analyse(&start, &Budget::unlimited())));
        }
        let other = Chance(1).game(&six());
        assert_eq!(reader.value_for_first(other.position()).unwrap(), None);
        assert_eq!(reader.analyse(&other).unwrap(), None);

        let verified = table.verify(3, &Progress::default()).unwrap();
        assert_eq!((verified.bytes, verified.positions), (bytes, table.positions()));
        assert_eq!((verified.published, verified.searched), (None, 1000));
        assert!(
            verified.answers > verified.positions && verified.blocks > verified.positions / 512
        );
    }
}

#[test]
fn every_damaged_byte_is_detected() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("file");
    let game = solve(&six());
    write(&game, &path);
    let good = fs::read(&path).unwrap();
    let positions = positions(&six(), 200);
    let (mut readable, mut refused) = (0, 0);
    for at in 0..good.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut bytes = good.clone();
            bytes[at] ^= change;
            fs::write(&path, &bytes).unwrap();
            assert!(verify(&path).is_err(), "byte {at} was changed");
            // If one byte of the file is changed, a reader may return correct values or an error, but never a wrong
            // value.
            let Ok(table) = Tablebase::open(&path) else { continue };
            let mut reader = table.reader();
            for position in &positions {
                match reader.value_for_first(position) {
                    Ok(value) => {
                        assert_eq!(value, game.value_for_first(position));
                        readable += 1;
                    }
                    Err(TablebaseError::Damaged { .. }) => refused += 1,
                    Err(error) => panic!("byte {at}: {error}"),
                }
            }
        }
    }
    assert!(readable > 0 && refused > 0);
}

#[test]
fn every_truncation_is_detected() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("file");
    write(&solve(&six()), &path);
    let good = fs::read(&path).unwrap();
    for length in 0..good.len() {
        fs::write(&path, &good[..length]).unwrap();
        let error = Tablebase::open(&path).map(drop).unwrap_err();
        let expected = match length {
            0 => matches!(error, TablebaseError::NotATablebase),
            _ => matches!(error, TablebaseError::CutOff { found, .. } if found == length as u64),
        };
        assert!(expected, "{length}: {error}");
    }
}

#[test]
fn reading_a_file_truncated_while_open_gives_an_error_and_no_signal() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("file");
    let game = solve(&six());
    write(&game, &path);
    let length = fs::metadata(&path).unwrap().len();
    let positions = positions(&six(), 200);
    let (mut right, mut cut_off) = (0, 0);
    for left in [length - 1, length / 2, 64, 0] {
        write(&game, &path);
        let table = Tablebase::open(&path).unwrap();
        let mut reader = table.reader();
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_len(left).unwrap();
        for position in &positions {
            match reader.value_for_first(position) {
                Ok(value) => {
                    assert_eq!(value, game.value_for_first(position));
                    right += 1;
                }
                Err(TablebaseError::CutOff { expected, found }) => {
                    assert_eq!((expected, found), (length, left));
                    cut_off += 1;
                }
                Err(error) => panic!("{left}: {error}"),
            }
        }
        let error = table.verify(2, &Progress::default()).unwrap_err();
        assert!(matches!(error, TablebaseError::CutOff { .. }), "{left}: {error}");
    }
    assert!(right > 0 && cut_off > 200, "{right} values and {cut_off} errors");
}

fn hash(bytes: &[u8]) -> [u8; 8] {
    let mut hasher = XxHash3_64::new();
    hasher.write(bytes);
    hasher.finish().to_le_bytes()
}

/// Recomputes all checksums of a tablebase file that has `blocks` uncompressed blocks.
fn sign(file: &mut [u8], blocks: usize) {
    let number =
        |file: &[u8], at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let blocks_at = 64 + number(file, 16) + 4 * number(file, 20) + number(file, 24);
    let index = file.len() - 8 * blocks;
    let mut start = blocks_at;
    for block in 0..blocks {
        let entry = index + 8 * block;
        let end = blocks_at + number(file, entry);
        let sum = hash(&file[start..end]);
        file[entry + 4..entry + 8].copy_from_slice(&sum[..4]);
        start = end;
    }
    let preface = hash(&file[64..blocks_at]);
    file[28..32].copy_from_slice(&preface[..4]);
    let rest = hash(&file[64..]);
    file[48..56].copy_from_slice(&rest);
    let head = hash(&file[..56]);
    file[56..64].copy_from_slice(&head);
}

/// Tests that verification detects a wrong value in a file with correct checksums.
#[test]
fn every_wrong_value_is_detected() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("file");
    // With a deck of four cards, each layer is so small that no block is compressed.
    let ranks = [('A', 11), ('K', 4)];
    let rules = Both::custom("sackson", "cs", &ranks, &["Ac", "Kc", "As", "Ks"]).rules;
    let game = solve(&rules);
    write(&game, &path);
    let good = fs::read(&path).unwrap();
    let (blocks, positions) = (5, usize::try_from(game.positions()).unwrap());
    let blocks_at = good.len() - 8 * blocks - positions;
    let mut signed = good.clone();
    sign(&mut signed, blocks);
    assert!(signed == good, "the checksums of the test equal the checksums of the program");
    for at in blocks_at..blocks_at + positions {
        let mut bytes = good.clone();
        bytes[at] = if bytes[at] == 1 { 2 } else { 1 };
        sign(&mut bytes, blocks);
        fs::write(&path, &bytes).unwrap();
        let error = verify(&path).unwrap_err();
        assert!(matches!(error, TablebaseError::Wrong { .. }), "byte {at}: {error}");

        bytes[at] = 100;
        sign(&mut bytes, blocks);
        fs::write(&path, &bytes).unwrap();
        let error = verify(&path).unwrap_err();
        assert!(error.to_string().contains("a score that the rule set cannot give"), "{error}");
    }
}

#[test]
fn a_false_head_is_reported_as_damage() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("file");
    write(&solve(&six()), &path);
    let good = fs::read(&path).unwrap();
    for at in [12, 16, 20, 24, 32, 36, 40, 44] {
        for value in [0, 1, u32::MAX] {
            let mut bytes = good.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            let head = hash(&bytes[..56]);
            bytes[56..64].copy_from_slice(&head);
            if bytes == good {
                continue;
            }
            fs::write(&path, &bytes).unwrap();
            assert!(verify(&path).is_err(), "{value} at {at}");
        }
    }
}

#[test]
fn cancelled_writing_leaves_no_file() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("file");
    let game = solve(&twelve("rael+free-move"));
    let stop = AtomicBool::new(false);
    let told = |_: u64, _: u64| stop.store(true, Ordering::Relaxed);
    let progress = Progress { report: Some(&told), stop: Some(&stop) };
    let written = NewTablebase::create(&path, false).unwrap().write(&game, &progress);
    assert!(matches!(written, Err(TablebaseError::Stopped)));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn only_files_of_killed_programs_are_removed() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let game = solve(&six());
    fs::write(at(".overmate-tablebase-AbCdEf.tmp"), "half of a tablebase").unwrap();
    for other in [".overmate-AbCdEf.tmp", ".overmate-tablebase-AbCdEf", "overmate-tablebase.tmp"] {
        fs::write(at(other), "something else").unwrap();
    }
    fs::create_dir(at(".overmate-tablebase-folder.tmp")).unwrap();
    // Two programs that write to the same folder do not remove each other's files.
    let one = NewTablebase::create(&at("one"), false).unwrap();
    let two = NewTablebase::create(&at("two"), false).unwrap();
    one.write(&game, &Progress::default()).unwrap();
    two.write(&game, &Progress::default()).unwrap();

    let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort_unstable();
    let expected = [
        ".overmate-AbCdEf.tmp",
        ".overmate-tablebase-AbCdEf",
        ".overmate-tablebase-folder.tmp",
        "one",
        "overmate-tablebase.tmp",
        "two",
    ];
    assert_eq!(names, expected);
}

#[test]
fn a_missing_folder_is_an_error() {
    let folder = TempDir::new().unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let new = NewTablebase::create(&inner.join("file"), false).unwrap();
    fs::remove_dir_all(&inner).unwrap();
    let written = new.write(&solve(&six()), &Progress::default());
    assert!(matches!(written, Err(TablebaseError::Io(_))));
}

#[test]
fn a_file_created_during_the_write_is_not_replaced() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("file");
    let new = NewTablebase::create(&path, false).unwrap();
    fs::write(&path, "another").unwrap();
    assert!(matches!(new.write(&solve(&six()), &Progress::default()), Err(TablebaseError::Io(_))));
    assert_eq!(fs::read_to_string(&path).unwrap(), "another");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn verification_can_be_cancelled() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("file");
    write(&solve(&twelve("bga")), &path);
    let stop = AtomicBool::new(true);
    let progress = Progress { report: None, stop: Some(&stop) };
    let verified = Tablebase::open(&path).unwrap().verify(2, &progress);
    assert!(matches!(verified, Err(TablebaseError::Stopped)));
}

/// Tests that the solved values of the rule set `bga` have the published hashes.
#[test]
fn the_layers_of_bga_have_their_published_hashes() {
    let found = solve(&rules("bga")).hashed_layers();
    assert_eq!(found.len(), 11);
    assert_eq!(HashedLayer::published(&rules("bga")), Some(found));
}

#[test]
fn every_rule_set_with_published_values_has_hashes_of_all_its_positions() {
    let hashes = include_str!("../../data/layer-hashes.tsv").lines();
    let hashes = hashes.filter(|line| !line.starts_with('#'));
    let mut names: Vec<&str> = hashes.filter_map(|line| Some(line.split_once('\t')?.0)).collect();
    names.dedup();
    let published = RuleSet::with_published_values();
    assert_eq!(names, published.iter().map(RuleSet::name).collect::<Vec<_>>());
    for rules in &published {
        let layers = HashedLayer::published(rules).unwrap();
        let positions: u64 = layers.iter().map(|layer| layer.facts.positions).sum();
        assert_eq!(positions, WholeGame::positions_of(rules), "{}", rules.name());
    }
    assert_eq!(HashedLayer::published(&six()), None);
    // A custom rule set has no published hashes, whatever its name.
    let mut draft = rules("bga").draft();
    draft.rounds = 1;
    let own = RuleSet::new(draft);
    assert!(own.is_err() || HashedLayer::published(&own.unwrap()).is_none());
}

#[test]
fn a_line_of_published_hashes_is_read_as_it_is_written() {
    let layer = HashedLayer::published(&rules("sackson+free-move")).unwrap()[20];
    let text = layer.to_string();
    assert_eq!(text.parse(), Ok(layer));
    for wrong in ["", "1\t2", &text.replace('\t', " "), &format!("{text}\t"), &format!("{text}g")] {
        assert!(wrong.parse::<HashedLayer>().is_err(), "{wrong}");
    }
}
