//! Fuzzes the reader of tablebase files. Arbitrary bytes must yield values or an error, and verified values must be consistent.

use overmate_rules::{Deal, Dealt, Position};
use overmate_solver::tablebase::{Tablebase, TablebaseReader};
use overmate_solver::{Progress, ValueForFirst};
use twox_hash::XxHash3_64;

/// Maximum size, in positions, of a tablebase that the fuzz target verifies. Larger tablebases would slow down the fuzzer.
const FEW: u64 = 20_000;

/// Runs the fuzz target `tablebase` on one input.
///
/// # Panics
///
/// Panics if the target finds a fault.
pub fn run(data: &[u8]) {
    read(data.to_vec());
    // The fuzz target writes correct checksums into the input, so that the fuzzer also reaches the code after the check of the checksums.
    let mut signed = data.to_vec();
    if sign(&mut signed).is_some() {
        read(signed);
    }
}

fn read(bytes: Vec<u8>) {
    let picks = bytes.clone();
    let table = match Tablebase::from_bytes(bytes) {
        Ok(table) => table,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let positions = table.positions();
    assert!(positions <= 1024 * table.bytes(), "an index entry stands for at most 512 positions");
    let verified = positions <= FEW && table.verify(1, &Progress::default()).is_ok();

    let mut reader = table.reader();
    let rules = table.rules();
    // The bytes of the fuzz input select the deal and the actions that are played.
    let mut picks = picks.iter().rev().map(|&byte| usize::from(byte)).cycle();
    let mut pick = |of: usize| picks.next().unwrap_or_default() % of.max(1);
    let number = (pick(256) * 256 + pick(256)) as u64 % Dealt::count(rules);
    let dealt = Deal::numbered(rules, number).expect("the deal number exists");
    let mut position = Position::start(&dealt);
    loop {
        let value = value(&mut reader, &position);
        let legal: Vec<_> = position.legal_actions().collect();
        if legal.is_empty() {
            break;
        }
        let next: Vec<Position> = legal
            .iter()
            .map(|action| position.clone().play(*action).expect("it is legal"))
            .collect();
        let values = next.iter().map(|next| self::value(&mut reader, next));
        let values: Option<Vec<ValueForFirst>> = values.collect();
        if verified {
            let seat = position.to_act().expect("a seat acts while the game goes on");
            let best = values
                .expect("a verified tablebase gives all values")
                .iter()
                .map(|v| v.for_seat(seat))
                .max();
            assert_eq!(value.map(|value| value.for_seat(seat)), best, "{position}");
        }
        position = next[pick(next.len())].clone();
    }
}

/// Returns a position's value for seat *first*, or `None` if the tablebase is damaged.
fn value(reader: &mut TablebaseReader<'_>, position: &Position) -> Option<ValueForFirst> {
    let value = reader.value_for_first(position).ok()?;
    Some(value.expect("the position belongs to the rule set of the tablebase"))
}

/// Writes the correct length and checksums into the bytes of a tablebase file. Returns `None` if the bytes do not have the structure of
/// such a file.
fn sign(file: &mut [u8]) -> Option<()> {
    let length = file.len();
    file.get_mut(40..48)?.copy_from_slice(&(length as u64).to_le_bytes());
    let number = |file: &[u8], at: usize| {
        let bytes = file.get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
    };
    let preface = number(file, 16)? + 4 * number(file, 20)? + number(file, 24)?;
    let blocks_at = 64 + preface;
    let blocks = number(file, 32)?;
    let index = length.checked_sub(8 * blocks)?;
    let mut start = blocks_at;
    for entry in (index..length).step_by(8) {
        let end = blocks_at + number(file, entry)?;
        // A block that lies outside of the file gets the checksum of an empty block.
        let sum = XxHash3_64::oneshot(file.get(start..end).unwrap_or_default());
        file[entry + 4..entry + 8].copy_from_slice(&sum.to_le_bytes()[..4]);
        start = end;
    }
    let preface = XxHash3_64::oneshot(file.get(64..blocks_at)?);
    file[28..32].copy_from_slice(&preface.to_le_bytes()[..4]);
    let rest = XxHash3_64::oneshot(&file[64..]);
    file[48..56].copy_from_slice(&rest.to_le_bytes());
    let head = XxHash3_64::oneshot(&file[..56]);
    file[56..64].copy_from_slice(&head.to_le_bytes());
    Some(())
}
