//! The data: the value of every deal in every rule set, as CSV, and what its columns mean.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use overmate_rules::{CardSet, Dealt, Deck, RuleSet};
use overmate_solver::{Watch, WholeGame, WholeOptions};

use crate::catalogue::Entry;
use crate::survey::start;

/// Decks by the name of their file, with the rule sets that play with them: names and values of all deals.
type Columns = Vec<(String, Vec<i32>)>;

/// Solves every game and writes a file for each deck into a folder.
pub(crate) fn write(folder: &Path, games: &[Entry]) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut decks: BTreeMap<String, (&Entry, Columns)> = BTreeMap::new();
    for (done, entry) in games.iter().enumerate() {
        eprintln!("{:>3} of {}: {}", done + 1, games.len(), entry.name());
        let whole = WholeGame::solve(&entry.rules, WholeOptions::default(), &Watch::default())
            .with_context(|| format!("cannot solve {}", entry.name()))?;
        let values: Vec<i32> =
            whole.deal_facts().iter().map(|facts| facts.value_for_first.points()).collect();
        let (_, columns) = decks
            .entry(deck_name(&entry.rules).to_owned())
            .or_insert_with(|| (entry, Columns::new()));
        columns.extend(entry.names().map(|name| (name.to_owned(), values.clone())));
    }
    for (name, (entry, columns)) in &decks {
        write_deck(&folder.join(format!("{name}.csv")), &entry.rules, columns)
            .with_context(|| format!("cannot write {name}.csv"))?;
    }
    let readme = folder.join("README.md");
    fs::write(&readme, dictionary(&decks))
        .with_context(|| format!("cannot write {}", readme.display()))?;
    Ok(())
}

/// What the file of a deck is called.
fn deck_name(rules: &RuleSet) -> &'static str {
    let deck: &Deck = rules.deck();
    let chess = deck.suits().iter().any(|suit| suit.name == "blue");
    match (chess, deck.all_distinct()) {
        (false, true) => "single",
        (false, false) => "double",
        (true, true) => "chess",
        (true, false) => "chess-double",
    }
}

fn write_deck(file: &Path, rules: &std::sync::Arc<RuleSet>, columns: &Columns) -> Result<()> {
    let mut csv = csv::Writer::from_path(file)?;
    let names = columns.iter().map(|(name, _)| name.as_str());
    csv.write_record(["deal", "same_as", "first", "second"].into_iter().chain(names))?;
    for number in 0..Dealt::count(rules) {
        let hands = start(rules, number)?.hands();
        let hand = |hand: CardSet| rules.deck().cards_text(hand, " ");
        let canonical = overmate_rules::Deal::numbered(rules, number)?.number();
        let place = usize::try_from(number)?;
        let head =
            [number.to_string(), canonical.to_string(), hand(hands.first), hand(hands.second)];
        let values = columns.iter().map(|(_, values)| values[place].to_string());
        csv.write_record(head.into_iter().chain(values))?;
    }
    csv.flush()?;
    Ok(())
}

fn dictionary(decks: &BTreeMap<String, (&Entry, Columns)>) -> String {
    let mut text = String::from(
        "# Mate, solved: the data\n\n\
         The value of every deal of 20 cards in every rule set, with best play by both. Made by\n\
         `cargo xtask solved --data DIR`. UTF-8, commas, a header line, one line for each deal.\n\n\
         | column | meaning |\n|---|---|\n\
         | `deal` | the number of the deal: the colexicographic rank of the slots that *first* holds |\n\
         | `same_as` | the smallest number of the same deal; another one only in double decks |\n\
         | `first` | the cards of *first*, suit by suit, high to low: `Ac Tc` |\n\
         | `second` | the cards of *second* |\n\
         | any other | the name of a rule set: the final points as *first* sees them, negative if *second* wins, 0 a draw |\n\n\
         In `denexa` and what is built on it the foreplaced card lies face down. The values are those of the game\n\
         with all cards open.\n\n\
         The rules, the deal numbers and the card names: docs/rules.md and docs/notation.md of Overmate.\n\n\
         | file | rule sets |\n|---|---|\n",
    );
    text.extend(decks.iter().map(|(name, (_, columns))| {
        let names: Vec<String> = columns.iter().map(|(name, _)| format!("`{name}`")).collect();
        format!("| `{name}.csv` | {} |\n", names.join(", "))
    }));
    text
}
