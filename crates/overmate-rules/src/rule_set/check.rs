//! Validates drafts of rule sets, and reports all faults.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::cards::{Card, MAX_DECK, RankFace, SuitFace};
use crate::faults::Faults;
use crate::rule_set::draft::{Face, Privilege, RuleSetDraft};
use crate::rule_set::fault::{RulesFault, RulesFaults, RulesProblem};

/// Maximum number of suits in a deck: the number of valid suit letters.
pub(crate) const MOST_SUITS: usize = 26;

/// Maximum number of ranks in a deck: the number of valid rank letters and digits.
pub(crate) const MOST_RANKS: usize = 34;

/// Returns whether a character is a valid suit letter: a lower-case ASCII letter.
pub(crate) fn is_suit_letter(letter: char) -> bool {
    letter.is_ascii_lowercase()
}

/// Returns whether a character is a valid rank letter: an upper-case ASCII letter, or a digit from
/// 2 to 9.
///
/// The digits `1` and `0` are excluded, so that `10` can be parsed as a ten.
pub(crate) fn is_rank_letter(letter: char) -> bool {
    letter.is_ascii_uppercase() || matches!(letter, '2'..='9')
}

impl RulesFaults {
    /// Appends a fault to this list of faults, with the TOML key of the faulty value.
    fn push(&mut self, key: impl Into<String>, problem: RulesProblem) {
        self.0.push(RulesFault { key: key.into(), problem, place: None });
    }
}

/// Checks that a draft describes a playable rule set, and returns all faults otherwise.
pub(crate) fn check(draft: &RuleSetDraft) -> Result<(), RulesFaults> {
    let mut faults = Faults(Vec::new());
    check_text(&draft.name, 80, "name".into(), &mut faults);
    if !(1..=RuleSetDraft::MAX_ROUNDS).contains(&draft.rounds) {
        faults.push("rounds", RulesProblem::RoundCount { found: draft.rounds.to_string() });
    }
    check_suits(&draft.suits, &mut faults);
    check_ranks(&draft.ranks, &mut faults);
    check_cards(draft, &mut faults);
    if let Some(privilege) = &draft.privilege {
        check_privilege(draft, privilege, &mut faults);
    }
    if draft.foreplacing.is_some_and(|f| f.face == Face::Down && f.second_restricted) {
        faults.push("foreplacing.second_restricted", RulesProblem::RestrictedFaceDown);
    }
    if faults.0.is_empty() { Ok(()) } else { Err(faults) }
}

fn check_suits(suits: &[SuitFace], faults: &mut RulesFaults) {
    if !(1..=MOST_SUITS).contains(&suits.len()) {
        // The untrusted text of a rule set may list a million suits. Such a list is refused by its length, before the suits are
        // checked one by one.
        return faults
            .push("deck.suits", RulesProblem::SuitCount { found: suits.len(), max: MOST_SUITS });
    }
    for (i, suit) in suits.iter().enumerate() {
        let key = |field: &str| alloc::format!("deck.suits[{i}].{field}");
        if !is_suit_letter(suit.letter) {
            faults.push(key("letter"), RulesProblem::SuitLetter { found: suit.letter });
        }
        if suits[..i].iter().any(|other| other.letter == suit.letter) {
            faults.push(key("letter"), RulesProblem::RepeatedSuitLetter);
        }
        check_text(&suit.name, 30, key("name"), faults);
        let Some(symbol) = suit.symbol else { continue };
        if symbol.is_ascii() || symbol.is_whitespace() || is_unprintable(symbol) {
            faults.push(key("symbol"), RulesProblem::Symbol { found: symbol });
        }
        if suits[..i].iter().any(|other| other.symbol == suit.symbol) {
            faults.push(key("symbol"), RulesProblem::RepeatedSymbol);
        }
    }
}

fn check_ranks(ranks: &[RankFace], faults: &mut RulesFaults) {
    if !(1..=MOST_RANKS).contains(&ranks.len()) {
        return faults
            .push("deck.ranks", RulesProblem::RankCount { found: ranks.len(), max: MOST_RANKS });
    }
    for (i, rank) in ranks.iter().enumerate() {
        let key = |field: &str| alloc::format!("deck.ranks[{i}].{field}");
        if !is_rank_letter(rank.letter) {
            faults.push(key("letter"), RulesProblem::RankLetter { found: rank.letter });
        }
        if ranks[..i].iter().any(|other| other.letter == rank.letter) {
            faults.push(key("letter"), RulesProblem::RepeatedRankLetter);
        }
        check_text(&rank.name, 30, key("name"), faults);
        if !(1..=1000).contains(&rank.value) {
            faults.push(key("value"), RulesProblem::Value { found: rank.value.to_string() });
        }
    }
}

/// Returns whether a character is a control character, or changes the writing direction of the text around it in a terminal (an embedding,
/// override or isolate of the Unicode Bidirectional Algorithm).
fn is_unprintable(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Adds a fault if a name is blank, is longer than `max` characters, or contains an unprintable character.
fn check_text(text: &str, max: usize, key: String, faults: &mut RulesFaults) {
    if text.trim().is_empty() || text.chars().count() > max || text.chars().any(is_unprintable) {
        faults.push(key, RulesProblem::TextLength { max });
    }
}

fn check_cards(draft: &RuleSetDraft, faults: &mut RulesFaults) {
    let found = draft.cards.len();
    if !(4..=MAX_DECK).contains(&found) || found % 2 == 1 {
        faults.push("deck.cards", RulesProblem::CardCount { found });
    }
    let known = |card: &Card| {
        usize::from(card.suit.0) < draft.suits.len() && usize::from(card.rank.0) < draft.ranks.len()
    };
    if !draft.cards.iter().all(known) {
        faults.push("deck.cards", RulesProblem::ForeignCard);
    }
}

fn check_privilege(draft: &RuleSetDraft, privilege: &Privilege, faults: &mut RulesFaults) {
    if !(1..=MOST_RANKS).contains(&privilege.ranks.len()) {
        let found = privilege.ranks.len();
        let problem = RulesProblem::PrivilegedRankCount { found, max: MOST_RANKS };
        return faults.push("privilege.ranks", problem);
    }
    for (i, rank) in privilege.ranks.iter().enumerate() {
        let key = alloc::format!("privilege.ranks[{i}]");
        if !draft.cards.iter().any(|card| card.rank == *rank) {
            faults.push(key, RulesProblem::RankWithoutCards);
        } else if privilege.ranks[..i].contains(rank) {
            faults.push(key, RulesProblem::RepeatedRank);
        }
    }
}
