//! What a rule set must satisfy to be playable, and the faults of one that is not.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::cards::{Card, MAX_DECK, RankFace, SuitFace};
use crate::rule_set::draft::{Face, Privilege, RuleSetDraft};
use crate::text::Place;

/// As many suits as there are letters for them.
pub(crate) const MOST_SUITS: usize = 26;

/// As many ranks as there are letters and digits for them.
pub(crate) const MOST_RANKS: usize = 34;

pub(crate) fn is_suit_letter(letter: char) -> bool {
    letter.is_ascii_lowercase()
}

/// `1` and `0` are none, so that `10` can be read as a ten.
pub(crate) fn is_rank_letter(letter: char) -> bool {
    letter.is_ascii_uppercase() || matches!(letter, '2'..='9')
}

/// One thing wrong with a rule set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesFault {
    /// The key of the TOML form that it concerns, such as `deck.ranks[2].value`; empty if the text is not TOML.
    pub key: String,
    /// What is wrong, and what would be right.
    pub what: String,
    /// Where the key's value stands, or the key itself if it means nothing here, if the rule set was read
    /// from a text. A key that is missing stands nowhere.
    pub place: Option<Place>,
}

impl fmt::Display for RulesFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place {
            write!(f, "{place}: ")?;
        }
        if !self.key.is_empty() {
            write!(f, "`{}`: ", self.key)?;
        }
        f.write_str(&self.what)
    }
}

/// Everything that is wrong with a rule set: at least one fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesFaults(pub Vec<RulesFault>);

impl fmt::Display for RulesFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            write!(f, "{}{fault}", if i == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl core::error::Error for RulesFaults {}

/// Collects faults.
#[derive(Default)]
struct Faults(Vec<RulesFault>);

impl Faults {
    fn push(&mut self, key: impl Into<String>, what: impl Into<String>) {
        self.0.push(RulesFault { key: key.into(), what: what.into(), place: None });
    }
}

/// Checks that a draft is a rule set that can be played.
pub(crate) fn check(draft: &RuleSetDraft) -> Result<(), RulesFaults> {
    let mut faults = Faults::default();
    let name_ok = !draft.name.trim().is_empty()
        && draft.name.chars().count() <= 80
        && !draft.name.chars().any(char::is_control);
    if !name_ok {
        faults.push("name", "must be 1 to 80 printable characters");
    }
    if !(1..=100).contains(&draft.rounds) {
        faults.push("rounds", "must be 1 to 100");
    }
    check_suits(&draft.suits, &mut faults);
    check_ranks(&draft.ranks, &mut faults);
    check_cards(draft, &mut faults);
    if let Some(privilege) = &draft.privilege {
        check_privilege(draft, privilege, &mut faults);
    }
    if draft.foreplacing.is_some_and(|f| f.face == Face::Down && f.second_restricted) {
        faults.push(
            "foreplacing.second_restricted",
            "cannot be true with `face = \"down\"`: second cannot know what he may not take",
        );
    }
    if faults.0.is_empty() { Ok(()) } else { Err(RulesFaults(faults.0)) }
}

fn check_suits(suits: &[SuitFace], faults: &mut Faults) {
    if !(1..=MOST_SUITS).contains(&suits.len()) {
        // Not each of a million is looked at.
        return faults.push("deck.suits", alloc::format!("must be 1 to {MOST_SUITS} suits"));
    }
    for (i, suit) in suits.iter().enumerate() {
        let key = |field: &str| alloc::format!("deck.suits[{i}].{field}");
        if !is_suit_letter(suit.letter) {
            faults.push(key("letter"), "must be one lower-case letter, a to z");
        }
        if suits[..i].iter().any(|other| other.letter == suit.letter) {
            faults.push(key("letter"), "is the letter of an earlier suit too");
        }
        check_name(&suit.name, key("name"), faults);
        let Some(symbol) = suit.symbol else { continue };
        if symbol.is_ascii() || symbol.is_whitespace() || symbol.is_control() {
            faults
                .push(key("symbol"), "must be a printable character that is not ASCII, such as ♣");
        }
        if suits[..i].iter().any(|other| other.symbol == suit.symbol) {
            faults.push(key("symbol"), "is the symbol of an earlier suit too");
        }
    }
}

fn check_ranks(ranks: &[RankFace], faults: &mut Faults) {
    if !(1..=MOST_RANKS).contains(&ranks.len()) {
        return faults.push("deck.ranks", alloc::format!("must be 1 to {MOST_RANKS} ranks"));
    }
    for (i, rank) in ranks.iter().enumerate() {
        let key = |field: &str| alloc::format!("deck.ranks[{i}].{field}");
        if !is_rank_letter(rank.letter) {
            faults.push(key("letter"), "must be one upper-case letter or a digit from 2 to 9");
        }
        if ranks[..i].iter().any(|other| other.letter == rank.letter) {
            faults.push(key("letter"), "is the letter of an earlier rank too");
        }
        check_name(&rank.name, key("name"), faults);
        if !(1..=1000).contains(&rank.value) {
            faults.push(key("value"), "must be 1 to 1000 points");
        }
    }
}

fn check_name(name: &str, key: String, faults: &mut Faults) {
    if name.trim().is_empty() || name.chars().count() > 30 || name.chars().any(char::is_control) {
        faults.push(key, "must be 1 to 30 printable characters");
    }
}

fn check_cards(draft: &RuleSetDraft, faults: &mut Faults) {
    let count = draft.cards.len();
    if !(4..=MAX_DECK).contains(&count) || count % 2 == 1 {
        let what =
            alloc::format!("must be an even number of cards from 4 to {MAX_DECK}, not {count}");
        faults.push("deck.cards", what);
    }
    let known = |card: &Card| {
        usize::from(card.suit.0) < draft.suits.len() && usize::from(card.rank.0) < draft.ranks.len()
    };
    if !draft.cards.iter().all(known) {
        faults.push("deck.cards", "holds a card of a suit or rank that the deck does not have");
    }
}

fn check_privilege(draft: &RuleSetDraft, privilege: &Privilege, faults: &mut Faults) {
    if !(1..=MOST_RANKS).contains(&privilege.ranks.len()) {
        return faults.push("privilege.ranks", "must name at least one rank, and none twice");
    }
    for (i, rank) in privilege.ranks.iter().enumerate() {
        let key = alloc::format!("privilege.ranks[{i}]");
        if !draft.cards.iter().any(|card| card.rank == *rank) {
            faults.push(key, "is a rank of which the deck has no card");
        } else if privilege.ranks[..i].contains(rank) {
            faults.push(key, "is there twice");
        }
    }
}
