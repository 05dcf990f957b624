//! Writes rule sets as TOML.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use crate::cards::Rank;
use crate::rule_set::rule_set::RuleSet;
use crate::rule_set::toml_words::{FACES, OVERMATES, SOLE_REWARDS};

impl RuleSet {
    /// Returns the rule set as TOML text, which [`from_toml`](Self::from_toml) can parse.
    #[must_use]
    pub fn to_toml(&self) -> String {
        self.write_toml().unwrap_or_default()
    }

    fn write_toml(&self) -> Result<String, fmt::Error> {
        let mut out = String::new();
        let deck = self.deck();
        writeln!(out, "name = {}", quoted(self.name()))?;
        writeln!(out, "rounds = {}", self.rounds())?;
        writeln!(out, "free_move = {}", self.free_move())?;
        writeln!(out, "\n[deck]\nsuits = [")?;
        for suit in deck.suits() {
            let (letter, name) = (suit.letter, quoted(&suit.name));
            write!(out, "  {{ letter = \"{letter}\", name = {name}")?;
            if let Some(symbol) = suit.symbol {
                write!(out, ", symbol = \"{symbol}\"")?;
            }
            writeln!(out, " }},")?;
        }
        writeln!(out, "]\nranks = [")?;
        for rank in deck.ranks() {
            let (letter, name, value) = (rank.letter, quoted(&rank.name), rank.value);
            writeln!(out, "  {{ letter = \"{letter}\", name = {name}, value = {value} }},")?;
        }
        writeln!(out, "]\ncards = [")?;
        for cards in deck.cards().chunk_by(|a, b| a.suit == b.suit) {
            let cards: Vec<String> = cards.iter().map(|c| deck.card_text(*c).to_string()).collect();
            writeln!(out, "  \"{}\",", cards.join(" "))?;
        }
        writeln!(out, "]")?;
        if let Some(foreplacing) = self.foreplacing() {
            writeln!(out, "\n[foreplacing]")?;
            writeln!(out, "face = \"{}\"", word(FACES, &foreplacing.face))?;
            writeln!(out, "second_restricted = {}", foreplacing.second_restricted)?;
            writeln!(out, "sole = \"{}\"", word(SOLE_REWARDS, &foreplacing.sole))?;
            writeln!(out, "overmate = \"{}\"", word(OVERMATES, &foreplacing.overmate))?;
        }
        if let Some(privilege) = self.privilege() {
            let letter = |rank: &Rank| deck.ranks()[usize::from(rank.0)].letter;
            let ranks: Vec<String> =
                privilege.ranks.iter().map(|rank| alloc::format!("\"{}\"", letter(rank))).collect();
            writeln!(out, "\n[privilege]\nranks = [{}]", ranks.join(", "))?;
            writeln!(out, "on_demand = {}", privilege.on_demand)?;
        }
        Ok(out)
    }
}

/// Formats a name as a quoted TOML string. Names hold no control characters, so two escapes are enough.
fn quoted(text: &str) -> String {
    alloc::format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns the TOML word for the value of a rule, from a list of pairs of word and value.
fn word<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, known)| known == value).map_or("", |(word, _)| word)
}
