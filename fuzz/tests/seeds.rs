//! Runs the fuzz targets on their seed inputs and on random mutations of these inputs, without `libFuzzer`.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

use fastrand::Rng;
use overmate_fuzz::{card_and_action, deal, position, record, rules_toml, tablebase};

/// Number of randomly mutated inputs on which a test runs a fuzz target.
const CHANGED: usize = 10_000;

/// Runs a fuzz target on all seed inputs of the target, and then on [`CHANGED`] randomly mutated copies of these inputs.
fn check(target: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    let entries = fs::read_dir(folder).expect("the fuzz target has a folder of seeds");
    let mut paths: Vec<_> =
        entries.map(|entry| entry.expect("the folder is readable").path()).collect();
    paths.sort();
    let read = |path| fs::read(path).expect("the seed is readable");
    let seeds: Vec<_> = paths.into_iter().map(read).collect();
    assert!(!seeds.is_empty(), "the fuzz target {target} has no seeds");
    for seed in &seeds {
        run(seed);
    }
    let mut random = Rng::with_seed(1);
    let mut changed = seeds.clone();
    for _ in 0..CHANGED {
        // A fuzz input may be mutated several times, because each mutated input replaces the former input in the list of all inputs.
        let place = random.usize(..changed.len());
        let donor = random.choice(&seeds).expect("there are seeds").clone();
        let input = &mut changed[place];
        change(input, &donor, &mut random);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| run(input))) {
            eprintln!("the fuzz target {target} fails on the input {}", input.escape_ascii());
            resume_unwind(panic);
        }
        // After about a quarter of the mutations, the input is reset to its seed, which keeps most inputs close to valid texts.
        if random.u8(..4) == 0 {
            changed[place].clone_from(&seeds[place]);
        }
    }
}

/// Mutates a fuzz input at one place: removes or repeats a part, replaces a byte, or inserts a part of another input.
fn change(input: &mut Vec<u8>, donor: &[u8], random: &mut Rng) {
    let part = |length: usize, random: &mut Rng| {
        let start = random.usize(..=length);
        start..length.min(start + random.usize(1..=16))
    };
    match random.u8(..4) {
        0 => drop(input.drain(part(input.len(), random))),
        1 => {
            let part = part(input.len(), random);
            input.extend_from_within(part);
        }
        2 => {
            if let Some(byte) = random.choice(input.iter_mut()) {
                *byte = random.u8(b' '..=b'~');
            }
        }
        _ => {
            let place = random.usize(..=input.len());
            let part = donor[part(donor.len(), random)].iter().copied();
            drop(input.splice(place..place, part));
        }
    }
}

#[test]
fn card_and_action_of_changed_texts() {
    check("card_and_action", card_and_action::run);
}

#[test]
fn deal_of_changed_texts() {
    check("deal", deal::run);
}

#[test]
fn position_of_changed_texts() {
    check("position", position::run);
}

#[test]
fn record_of_changed_texts() {
    check("record", record::run);
}

#[test]
fn rules_toml_of_changed_texts() {
    check("rules_toml", rules_toml::run);
}

#[test]
fn tablebase_of_changed_bytes() {
    check("tablebase", tablebase::run);
}
