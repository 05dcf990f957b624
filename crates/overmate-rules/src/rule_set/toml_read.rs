//! Parses custom rule sets in TOML, and reports all faults.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use toml::Spanned;
use toml::de::{DeTable, DeValue, Error as TomlError};

use crate::cards::{Card, Deck, Rank, RankFace, Suit, SuitFace};
use crate::faults::Faults;
use crate::rule_set::check::{MOST_RANKS, MOST_SUITS, is_rank_letter, is_suit_letter};
use crate::rule_set::draft::{Foreplacing, Privilege, RuleSetDraft};
use crate::rule_set::fault::{RulesFault, RulesFaults, RulesProblem};
use crate::rule_set::rule_set::RuleSet;
use crate::rule_set::toml_words::{FACES, OVERMATES, SOLE_REWARDS};
use crate::text::{Cursor, TextPlace};

/// Maximum number of reported faults in the TOML text of a rule set.
///
/// Each fault costs a scan of the text for its place, so that a million faults would take hours.
const MOST_FAULTS: usize = 100;

impl RuleSet {
    /// Parses a rule set in TOML. `docs/rules.md` describes the form.
    ///
    /// ```
    /// use overmate_rules::RuleSet;
    /// let text = RuleSet::named("bga")?.to_toml().replace("\"bga\"", "\"dear-queens\"");
    /// let rules = RuleSet::from_toml(&text.replace("value = 3", "value = 5"))?;
    /// assert_eq!(rules.deck().value(rules.deck().read_card("Qc")?), 5);
    ///
    /// let faults = RuleSet::from_toml(&text.replace("value = 3", "value = 0")).unwrap_err();
    /// assert_eq!(faults.0[0].key, "deck.ranks[3].value");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns all faults, each with its key and place: text that is not TOML, unknown and missing keys, values of the
    /// wrong type, values that make the rule set unplayable, and the name of a published rule set with
    /// other content. At most the first hundred faults are returned.
    pub fn from_toml(text: &str) -> Result<Self, RulesFaults> {
        let rules = Self::from_toml_of_any_name(text)?;
        match Self::named(rules.name()) {
            Ok(published) if published != rules => Err(Faults(alloc::vec![RulesFault {
                key: "name".to_owned(),
                problem: RulesProblem::PublishedName,
                place: None,
            }])),
            _ => Ok(rules),
        }
    }

    /// Parses a rule set from TOML text, and accepts any name, even the name of a published rule set. A rule set in a
    /// record may have such a name.
    ///
    /// # Errors
    ///
    /// Returns the faults of [`from_toml`](Self::from_toml), except that of the name.
    pub fn from_toml_of_any_name(text: &str) -> Result<Self, RulesFaults> {
        let (document, errors) = DeTable::parse_recoverable(text);
        if let Some(first) = errors.first() {
            let fault = |error: &TomlError, message: String| RulesFault {
                key: String::new(),
                problem: RulesProblem::NotToml { message },
                place: error.span().map(|span| TextPlace::of_byte(text, span.start)),
            };
            // After an unclosed bracket, the parser misreads the rest of the TOML text. Only the first error is therefore reported.
            let unclosed =
                errors.iter().map(TomlError::message).find(|m| m.starts_with("unclosed"));
            let faults = match unclosed {
                Some(unclosed) if unclosed == first.message() => {
                    alloc::vec![fault(first, unclosed.to_owned())]
                }
                Some(unclosed) => {
                    alloc::vec![fault(first, alloc::format!("{unclosed} ({})", first.message()))]
                }
                None => errors
                    .iter()
                    .take(MOST_FAULTS)
                    .map(|error| fault(error, error.message().to_owned()))
                    .collect(),
            };
            return Err(Faults(faults));
        }
        let mut reader = Reader { text, faults: Vec::new(), unread: Vec::new() };
        let draft = reader.draft(document.get_ref());
        let Reader { mut faults, unread, .. } = reader;
        if faults.len() >= MOST_FAULTS {
            return Err(Faults(faults));
        }
        // The TOML reader has replaced each unreadable value of the rule set by a placeholder. The check may report a fault of a
        // placeholder, which is dropped because the unreadable value is reported already.
        let told: Vec<String> = faults.iter().map(|fault| fault.key.clone()).collect();
        let is_told = |key: &str| {
            told.iter().any(|told| is_within(told, key) || is_within(key, told))
                || unread.iter().any(|unread| is_within(key, unread))
        };
        match Self::new(draft) {
            Ok(rules) if faults.is_empty() => return Ok(rules),
            Ok(_) => {}
            Err(more) => {
                let new = more.0.into_iter().filter(|fault| !is_told(&fault.key));
                faults.extend(new.map(|fault| RulesFault {
                    place: place_of_key(text, document.get_ref(), &fault.key),
                    ..fault
                }));
            }
        }
        Err(Faults(faults))
    }
}

/// Returns the place of a key's value in a TOML text. A key is for example `deck.ranks[2].value`. If the value does not exist, returns the
/// place of the nearest enclosing value.
fn place_of_key(text: &str, document: &DeTable<'_>, key: &str) -> Option<TextPlace> {
    let mut segments = key.split(['.', '[', ']']).filter(|segment| !segment.is_empty());
    let mut value = document.get(segments.next()?)?;
    for segment in segments {
        let inner = match value.get_ref() {
            DeValue::Table(table) => table.get(segment),
            DeValue::Array(array) => segment.parse().ok().and_then(|i: usize| array.get(i)),
            _ => None,
        };
        let Some(inner) = inner else { break };
        value = inner;
    }
    Some(TextPlace::of_byte(text, value.span().start))
}

/// Returns whether the TOML key `key` equals or lies inside the key `around`, as `deck.suits[1].name` lies in
/// `deck.suits`.
fn is_within(key: &str, around: &str) -> bool {
    key.strip_prefix(around).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

type TomlValue<'a, 'd> = &'a Spanned<DeValue<'d>>;

/// Converter from a TOML document to a rule set draft. The converter collects all faults.
struct Reader<'t> {
    text: &'t str,
    faults: Vec<RulesFault>,
    /// TOML keys that cannot be validated, because they depend on other keys that cannot be read. Faults of these keys
    /// are not reported.
    unread: Vec<&'static str>,
}

/// Placeholder for an unreadable letter of a suit or rank. The placeholder is not a valid letter.
const NO_LETTER: char = '\0';

impl Reader<'_> {
    fn fault(&mut self, value: Option<TomlValue<'_, '_>>, key: &str, problem: RulesProblem) {
        self.fault_at(value.map(|value| value.span().start), key, problem);
    }

    fn fault_at(&mut self, byte: Option<usize>, key: &str, problem: RulesProblem) {
        if self.faults.len() < MOST_FAULTS {
            let place = byte.map(|byte| TextPlace::of_byte(self.text, byte));
            self.faults.push(RulesFault { key: key.to_owned(), problem, place });
        }
    }

    /// Reports the unknown keys in a TOML table as faults.
    fn known_keys(&mut self, table: &DeTable<'_>, within: &str, known: &[&'static str]) {
        for key in table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())) {
            let problem = RulesProblem::UnknownKey { known: known.to_vec() };
            self.fault_at(Some(key.span().start), &path(within, key.get_ref()), problem);
        }
    }

    fn draft(&mut self, table: &DeTable<'_>) -> RuleSetDraft {
        let keys = ["name", "rounds", "free_move", "deck", "foreplacing", "privilege"];
        self.known_keys(table, "", &keys);
        let deck = self.table(table, "", "deck");
        if deck.is_none() && table.get("deck").is_none() {
            self.fault(None, "deck", RulesProblem::Missing { deck: true });
        }
        let (suits, ranks, cards) = match deck {
            Some(deck) => self.deck(deck),
            None => self.placeholder_deck(),
        };
        let foreplacing = self.table(table, "", "foreplacing").map(|t| self.foreplacing(t));
        let privilege = self.table(table, "", "privilege").map(|t| self.privilege(t, &ranks));
        RuleSetDraft {
            name: self.string(table, "", "name").unwrap_or_else(|| "unnamed".to_owned()),
            suits,
            ranks,
            cards,
            foreplacing,
            privilege,
            free_move: self.flag(table, "", "free_move", Some(false)),
            rounds: match table.get("rounds") {
                None => 2,
                Some(_) => self
                    .integer(table, "", "rounds", |found| RulesProblem::RoundCount { found })
                    .unwrap_or(1),
            },
        }
    }

    /// Returns a placeholder deck for a TOML key `deck` that is missing or not a table. With this valid deck, the other keys of the rule
    /// set can be checked.
    fn placeholder_deck(&mut self) -> (Vec<SuitFace>, Vec<RankFace>, Vec<Card>) {
        self.unread.push("privilege.ranks");
        let rules = RuleSet::named("bga").map(|rules| rules.draft());
        rules.map(|draft| (draft.suits, draft.ranks, draft.cards)).unwrap_or_default()
    }

    fn deck(&mut self, table: &DeTable<'_>) -> (Vec<SuitFace>, Vec<RankFace>, Vec<Card>) {
        self.known_keys(table, "deck", &["suits", "ranks", "cards"]);
        let mut suits = Vec::new();
        for (key, face) in self.tables(table, "deck", "suits") {
            let mut suit = SuitFace { letter: NO_LETTER, name: String::new(), symbol: None };
            if let Some(face) = face {
                self.known_keys(face, &key, &["letter", "name", "symbol"]);
                suit.letter = self.character(face, &key, "letter").unwrap_or(NO_LETTER);
                suit.name = self.string(face, &key, "name").unwrap_or_default();
                let symbol = face.get("symbol");
                suit.symbol = symbol.and_then(|_| self.character(face, &key, "symbol"));
            }
            suits.push(suit);
        }
        let mut ranks = Vec::new();
        for (key, face) in self.tables(table, "deck", "ranks") {
            let mut rank = RankFace { letter: NO_LETTER, name: String::new(), value: 0 };
            if let Some(face) = face {
                self.known_keys(face, &key, &["letter", "name", "value"]);
                rank.letter = self.character(face, &key, "letter").unwrap_or(NO_LETTER);
                rank.name = self.string(face, &key, "name").unwrap_or_default();
                let value =
                    self.integer(face, &key, "value", |found| RulesProblem::Value { found });
                rank.value = value.unwrap_or(0);
            }
            ranks.push(rank);
        }
        let counts_fit =
            (1..=MOST_SUITS).contains(&suits.len()) && (1..=MOST_RANKS).contains(&ranks.len());
        let ranks_named =
            counts_fit && are_names(ranks.iter().map(|rank| rank.letter), is_rank_letter);
        let all_named =
            ranks_named && are_names(suits.iter().map(|suit| suit.letter), is_suit_letter);
        let told = table.get("cards").is_some();
        if !ranks_named {
            self.unread.push("privilege.ranks");
        }
        if !counts_fit || (told && !all_named) {
            self.unread.push("deck.cards");
        }
        let cards = match (counts_fit, told) {
            (false, _) => Vec::new(),
            (true, true) if all_named => self.cards(table, &suits, &ranks),
            (true, _) => one_of_each(&suits, &ranks),
        };
        (suits, ranks, cards)
    }

    fn cards(&mut self, table: &DeTable<'_>, suits: &[SuitFace], ranks: &[RankFace]) -> Vec<Card> {
        let naming = Deck::lay_out(suits.to_vec(), ranks.to_vec(), Vec::new());
        let faults_before = self.faults.len();
        let mut cards = Vec::new();
        for (key, value, line) in self.strings(table, "deck", "cards") {
            let mut cursor = Cursor::new(line.unwrap_or_default());
            cursor.skip_blanks();
            while !cursor.at_end() {
                match naming.card(&mut cursor) {
                    Ok(card) => cards.push(card),
                    Err(error) => {
                        let problem =
                            RulesProblem::NotACard { expected: error.expected, found: error.found };
                        self.fault(Some(value), &key, problem);
                        break;
                    }
                }
                cursor.skip_blanks();
            }
        }
        // Faulty cards are missing from the list of cards, so that the deck may seem to have no card of a privileged rank. A deck with all
        // cards then avoids false faults.
        if self.faults.len() > faults_before { one_of_each(suits, ranks) } else { cards }
    }

    fn foreplacing(&mut self, table: &DeTable<'_>) -> Foreplacing {
        let within = "foreplacing";
        self.known_keys(table, within, &["face", "second_restricted", "sole", "overmate"]);
        let face = self.choice(table, within, "face", FACES);
        Foreplacing {
            face,
            second_restricted: self.flag(table, within, "second_restricted", None),
            sole: self.choice(table, within, "sole", SOLE_REWARDS),
            overmate: self.choice(table, within, "overmate", OVERMATES),
        }
    }

    fn privilege(&mut self, table: &DeTable<'_>, ranks: &[RankFace]) -> Privilege {
        self.known_keys(table, "privilege", &["ranks", "on_demand"]);
        let judged = !self.unread.contains(&"privilege.ranks");
        let mut privileged = Vec::new();
        for (key, value, letter) in self.strings(table, "privilege", "ranks") {
            let is_it = |face: &RankFace| letter.is_some_and(|text| text.chars().eq([face.letter]));
            let rank = ranks.iter().position(is_it).and_then(|place| u8::try_from(place).ok());
            if let (true, Some(letter), None) = (judged, letter, rank) {
                let problem = RulesProblem::UnknownRank { letter: letter.to_owned() };
                self.fault(Some(value), &key, problem);
            }
            // The report of a faulty privileged rank names the index of this rank in the TOML array `privilege.ranks`. A placeholder for an
            // unknown rank therefore preserves the indices of the later ranks.
            privileged.push(Rank(rank.unwrap_or(u8::MAX)));
        }
        Privilege { ranks: privileged, on_demand: self.flag(table, "privilege", "on_demand", None) }
    }

    fn table<'a, 'd>(
        &mut self,
        table: &'a DeTable<'d>,
        within: &str,
        key: &str,
    ) -> Option<&'a DeTable<'d>> {
        let value = table.get(key)?;
        let found = value.get_ref().as_table();
        if found.is_none() {
            self.wrong_type(value, &path(within, key), "a table");
        }
        found
    }

    fn array<'a, 'd>(
        &mut self,
        table: &'a DeTable<'d>,
        within: &str,
        key: &str,
    ) -> Vec<(String, &'a Spanned<DeValue<'d>>)> {
        let full = path(within, key);
        let Some(value) = self.required(table, within, key) else {
            return Vec::new();
        };
        let Some(array) = value.get_ref().as_array() else {
            self.wrong_type(value, &full, "an array");
            return Vec::new();
        };
        array.iter().enumerate().map(|(i, value)| (alloc::format!("{full}[{i}]"), value)).collect()
    }

    /// Returns the items of a TOML array of tables, with `None` for each item that is not a table.
    fn tables<'a, 'd>(
        &mut self,
        table: &'a DeTable<'d>,
        within: &str,
        key: &str,
    ) -> Vec<(String, Option<&'a DeTable<'d>>)> {
        let mut tables = Vec::new();
        for (key, value) in self.array(table, within, key) {
            let found = value.get_ref().as_table();
            if found.is_none() {
                self.wrong_type(value, &key, "a table");
            }
            tables.push((key, found));
        }
        tables
    }

    /// Returns the items of a TOML array of strings, with `None` for each item that is not a string.
    fn strings<'a, 'd>(
        &mut self,
        table: &'a DeTable<'d>,
        within: &str,
        key: &str,
    ) -> Vec<(String, TomlValue<'a, 'd>, Option<&'a str>)> {
        let mut strings = Vec::new();
        for (key, value) in self.array(table, within, key) {
            let found = value.get_ref().as_str();
            if found.is_none() {
                self.wrong_type(value, &key, "a string");
            }
            strings.push((key, value, found));
        }
        strings
    }

    fn string(&mut self, table: &DeTable<'_>, within: &str, key: &str) -> Option<String> {
        let value = self.required(table, within, key)?;
        let string = value.get_ref().as_str();
        if string.is_none() {
            self.wrong_type(value, &path(within, key), "a string");
        }
        string.map(str::to_owned)
    }

    fn character(&mut self, table: &DeTable<'_>, within: &str, key: &str) -> Option<char> {
        let string = self.string(table, within, key)?;
        let mut chars = string.chars();
        let only = chars.next().filter(|_| chars.next().is_none());
        if only.is_none() {
            let problem = RulesProblem::NotOneCharacter { found: string.chars().count() };
            self.fault(table.get(key), &path(within, key), problem);
        }
        only
    }

    /// Returns the integer value of a TOML key. Reports the fault `out_of_range` if the number does not fit the type `T`.
    fn integer<T: TryFrom<i64>>(
        &mut self,
        table: &DeTable<'_>,
        within: &str,
        key: &str,
        out_of_range: fn(String) -> RulesProblem,
    ) -> Option<T> {
        let value = self.required(table, within, key)?;
        let Some(integer) = value.get_ref().as_integer() else {
            self.wrong_type(value, &path(within, key), "a whole number");
            return None;
        };
        let parsed = i64::from_str_radix(integer.as_str(), integer.radix()).ok();
        let fitting = parsed.and_then(|number| T::try_from(number).ok());
        if fitting.is_none() {
            // The first twenty characters of a long number are enough to find the number in the TOML text.
            let found = integer.as_str().chars().take(20).collect();
            self.fault(Some(value), &path(within, key), out_of_range(found));
        }
        fitting
    }

    /// Returns the boolean value of a TOML key, or `default` for a missing key.
    ///
    /// A missing key without a default is a fault.
    fn flag(
        &mut self,
        table: &DeTable<'_>,
        within: &str,
        key: &str,
        default: Option<bool>,
    ) -> bool {
        if let (None, Some(default)) = (table.get(key), default) {
            return default;
        }
        let Some(value) = self.required(table, within, key) else {
            return false;
        };
        value.get_ref().as_bool().unwrap_or_else(|| {
            self.wrong_type(value, &path(within, key), "true or false");
            false
        })
    }

    fn choice<T: Copy>(
        &mut self,
        table: &DeTable<'_>,
        within: &str,
        key: &str,
        words: &[(&'static str, T)],
    ) -> T {
        let found = self.string(table, within, key);
        let choice = found.as_ref().and_then(|text| words.iter().find(|(word, _)| word == text));
        if let (Some(text), None) = (&found, choice) {
            let known = words.iter().map(|(word, _)| *word).collect();
            let problem = RulesProblem::UnknownWord { found: text.clone(), known };
            self.fault(table.get(key), &path(within, key), problem);
        }
        choice.unwrap_or(&words[0]).1
    }

    fn required<'a, 'd>(
        &mut self,
        table: &'a DeTable<'d>,
        within: &str,
        key: &str,
    ) -> Option<&'a Spanned<DeValue<'d>>> {
        let value = table.get(key);
        if value.is_none() {
            self.fault(None, &path(within, key), RulesProblem::Missing { deck: false });
        }
        value
    }

    fn wrong_type(&mut self, value: TomlValue<'_, '_>, key: &str, wanted: &'static str) {
        let found = value.get_ref().type_str().to_owned();
        self.fault(Some(value), key, RulesProblem::WrongType { wanted, found });
    }
}

fn path(within: &str, key: &str) -> String {
    if within.is_empty() { key.to_owned() } else { alloc::format!("{within}.{key}") }
}

/// Returns whether all letters of suits or ranks are valid and distinct.
fn are_names(letters: impl Iterator<Item = char>, is_valid: fn(char) -> bool) -> bool {
    let mut seen = BTreeSet::new();
    letters.into_iter().all(|letter| is_valid(letter) && seen.insert(letter))
}

fn one_of_each(suits: &[SuitFace], ranks: &[RankFace]) -> Vec<Card> {
    let places = |count| 0..u8::try_from(count).unwrap_or(u8::MAX);
    let of_suit =
        |suit| places(ranks.len()).map(move |rank| Card { suit: Suit(suit), rank: Rank(rank) });
    places(suits.len()).flat_map(of_suit).collect()
}
