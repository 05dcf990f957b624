//! Writes the record of a match, reads the record back, and prints the error for a damaged record.

use std::error::Error;

use overmate_rules::{Match, Record, RuleSet, SeededDeals, error_with_causes};

fn main() -> Result<(), Box<dyn Error>> {
    let rules = RuleSet::named("bga")?.shared();
    let mut play = Match::new(&rules, &mut SeededDeals::new(7));
    while let Some(action) = play.current().legal_actions().last() {
        play = play.play(action)?;
    }
    let mut record = Record::new(play);
    record.set_header("A", "Anna")?;
    record.set_header("B", "Bert")?;
    let text = record.to_string();
    println!("{text}");

    let read = Record::read(&text)?;
    assert_eq!(read, record);
    println!("Result: {}", read.result_text());

    let damaged = text.replace("Game 2", "Game 7");
    if let Err(error) = Record::read(&damaged) {
        println!("Error: {}", error_with_causes(&error));
    }
    Ok(())
}
