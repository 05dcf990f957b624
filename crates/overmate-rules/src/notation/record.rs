//! Defines records of matches, with headers, comments and annotations, and their text form.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use crate::cards::{Player, Seat};
use crate::game::{DealFaults, Game, Illegal, Match, Outcome, Phase};
use crate::rule_set::{NameFault, RuleSet, RulesFaults};
use crate::text::{ReadError, TextPlace};

/// Keys of the derived record headers, whose values follow from the match and cannot be set.
pub(crate) const DERIVED: [&str; 5] = ["Rules", "RuleSet", "Games", "Deals", "Result"];

/// Record of a match, with headers such as the players' names, and with notes on the actions. Every
/// `Record` is valid: its match was played by legal actions.
///
/// A record reveals everything, including the deals of future rounds and face-down cards. The
/// record of a match in progress must not be shown to a player.
///
/// ```
/// use overmate_rules::{Game, Match, Record, RuleSet, SeededDeals};
/// let rules = RuleSet::named("bga")?.shared();
/// let mut record = Record::new(Match::new(&rules, &mut SeededDeals::new(7)));
/// record.set_header("A", "Anna")?;
/// let text = record.to_string();
/// assert!(text.starts_with("[Rules \"bga\"]\n[A \"Anna\"]\n[Games \"4\"]"));
/// assert_eq!(Record::read(&text)?, record);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Stability
///
/// [`read`](Record::read) reads the output of [`Display`](fmt::Display) back as an equal record, in this version and in every later
/// version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    contest: Match,
    headers: Vec<(String, String)>,
    notes: Vec<Note>,
}

/// Comment or annotation at a point in the recorded match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Index of the game to which the note belongs, from 0.
    pub game: usize,
    /// Number of actions that precede the note in the note's game, from 0.
    pub after: usize,
    /// Content of the note: a comment or an annotation.
    pub text: NoteText,
}

/// Content of a note: a comment or an annotation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoteText {
    /// Comment with arbitrary text, written `{like this}`.
    Comment(String),
    /// Numeric annotation as in chess records (PGN), such as `$1` for a good action, `$2` for a
    /// mistake or `$4` for a blunder. Other numbers have no fixed meaning.
    Annotation(u8),
}

/// Error from parsing a record, with the place of the fault in the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place} of the record is not valid")]
pub struct RecordError {
    /// Place of the fault in the record's text.
    pub place: TextPlace,
    /// Fault that the parser found in the record.
    #[source]
    pub fault: RecordFault,
}

/// Fault that a parser found in the text of a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordFault {
    /// The text of the record has a syntax error.
    #[error("expected {expected}, found {found}")]
    Syntax {
        /// Description of the text that the record's syntax requires.
        expected: String,
        /// Text found in the record at the place of the syntax error.
        found: String,
    },
    /// The record has two headers with the same key. The field holds that key.
    #[error("the header `{0}` stands twice in the record: remove one of the two headers")]
    SecondHeader(String),
    /// The record lacks a required header. The field holds the key of that header.
    #[error("the record lacks the header [{0} \"…\"]: add this header")]
    MissingHeader(&'static str),
    /// A header of the record has an invalid value.
    #[error("the header `{key}` has {found}, but needs {expected}")]
    Header {
        /// Key of the record header with the wrong value.
        key: &'static str,
        /// Wrong value of the record header, or a description of the wrong part of the value.
        found: String,
        /// Description of the allowed values of the record header.
        expected: String,
    },
    /// The record names an unpublished rule set, and does not contain the rules of this rule set.
    #[error(transparent)]
    Name(#[from] NameFault),
    /// The custom rule set in the record is invalid; the field holds all faults of the rule set.
    #[error("the rule set in the header `RuleSet` is not valid")]
    Rules(#[source] RulesFaults),
    /// The record has a custom rule set, but the program was built without the feature `toml` that reads custom rule
    /// sets.
    #[error(
        "the record has a custom rule set, but this program cannot read custom rule sets: build the program with the feature `toml`"
    )]
    NoToml,
    /// A deal number in the record is above the highest deal number of the record's rule set.
    #[error(transparent)]
    Deal(#[from] DealFaults),
    /// The record contains an illegal action.
    #[error(transparent)]
    Illegal(Box<IllegalInRecord>),
    /// The mark after an action in the record, which shows a mate (`#`) or an overmate (`##`), is wrong.
    #[error(
        "the mark `{found}` after the action is wrong (`#` is a mate, `##` an overmate): write {} instead",
        or_nothing(expected)
    )]
    WrongMark {
        /// Wrong mark (`#`, `##`, or empty for no mark) that follows an action in the record.
        found: &'static str,
        /// Correct mark (`#`, `##`, or empty for no mark) in place of the wrong mark in the record.
        expected: &'static str,
    },
    /// The result in the record does not agree with the record's actions.
    #[error(
        "the record gives the result {found}, but its actions give {expected}: correct the result or the actions"
    )]
    WrongResult {
        /// Result of the match as stated in the record.
        found: String,
        /// Result of the match according to the actions in the record.
        expected: String,
    },
    /// The record is truncated: its text ends before the result of the match.
    #[error(
        "the record is truncated: it ends in game {game}, {at}, without the result of the match, which is * for an unfinished match"
    )]
    CutOff {
        /// Number of the game, counted from 1, in which the truncated record breaks off.
        game: usize,
        /// Description of the point in the game at which the record's text ends, such as `move 3` or `foreplacing`.
        at: String,
    },
}

/// Illegal action in a record, with the point in the match at which it occurs.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}, {at}: {action} is not legal")]
pub struct IllegalInRecord {
    /// Number of the game with the illegal action, from 1.
    pub game: usize,
    /// Description of the point in the game at which the illegal action occurs, such as `move 3` or `foreplacing`.
    pub at: String,
    /// Illegal action as written in notation, such as `Tc`.
    pub action: String,
    /// Reason why the action is illegal.
    #[source]
    pub illegal: Illegal,
}

impl From<ReadError> for RecordError {
    fn from(error: ReadError) -> Self {
        let fault = RecordFault::Syntax { expected: error.expected, found: error.found };
        Self { place: error.place, fault }
    }
}

/// Reason why a record cannot store a header or a note.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotRecordable {
    /// The header key is not an ASCII letter followed by ASCII letters and digits.
    #[error("`{key}` cannot be the key of a header: use ASCII letters and digits, a letter first")]
    Key {
        /// Rejected key of a record header.
        key: String,
    },
    /// The header, such as `Result`, has a value that is derived from the match and cannot be set.
    #[error("the header `{key}` is computed from the match and cannot be set: choose another key")]
    DerivedHeader {
        /// Key of the rejected record header, such as `Result`.
        key: String,
    },
    /// The value of the header `Date` is not a date such as `2026-11-20`.
    #[error("the header `Date` must be a date in the form 2026-11-20")]
    Date,
    /// The note belongs to a nonexistent game or action of the match.
    #[error("the note belongs after action {after} of game {}, but the match has no such place: move or remove the note", game.saturating_add(1))]
    NoSuchPlace {
        /// Index, from 0, of the game to which the caller wanted to add a note.
        game: usize,
        /// Number of the game's actions before the note that the caller wanted to add; 0 for a note before the first action.
        after: usize,
    },
}

impl Record {
    /// Returns the record of a match, without player names, date and notes.
    #[must_use]
    pub fn new(contest: Match) -> Self {
        Self::of_parts(contest, Vec::new(), Vec::new())
    }

    /// Creates a record from a match, its headers and its notes. The caller has checked that the header keys are unique and
    /// that the notes are sorted.
    pub(crate) fn of_parts(
        contest: Match,
        headers: Vec<(String, String)>,
        notes: Vec<Note>,
    ) -> Self {
        Self { contest, headers, notes }
    }

    /// Returns the match of the record.
    #[must_use]
    pub fn played_match(&self) -> &Match {
        &self.contest
    }

    /// Replaces the match of the record by a later or earlier state of the same match. Also removes the notes on games
    /// and actions that the new state lacks.
    #[must_use]
    pub fn with_match(mut self, contest: Match) -> Self {
        let games = contest.games();
        self.notes.retain(|note| {
            games.get(note.game).is_some_and(|game| note.after <= game.actions().len())
        });
        self.contest = contest;
        self
    }

    /// Returns the settable headers of the match record, as ordered pairs of key and value.
    ///
    /// The headers `A` and `B` hold the names of the players. `Date` is a date in the form
    /// `2026-11-20`.
    #[must_use]
    pub fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    /// Returns the value of a settable header of the match record, or `None` if the record lacks the header.
    #[must_use]
    pub fn header(&self, key: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// Returns the name of a player from the record's header `A` or `B`. Without this header, the player's letter is
    /// returned.
    #[must_use]
    pub fn player_name(&self, player: Player) -> &str {
        let letter = match player {
            Player::A => "A",
            Player::B => "B",
        };
        self.header(letter).unwrap_or(letter)
    }

    /// Sets a header of the record, replacing an earlier value.
    ///
    /// # Errors
    ///
    /// Returns an error if the key is not a word of ASCII letters and digits that begins with a letter, if the value of the header is
    /// computed from the match, or if the value of `Date` is not a date in the form `2026-11-20`.
    pub fn set_header(&mut self, key: &str, value: &str) -> Result<(), NotRecordable> {
        Self::check_header(key, value)?;
        match self.headers.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => value.clone_into(old),
            None => self.headers.push((key.to_owned(), value.to_owned())),
        }
        Ok(())
    }

    /// Checks that a record can store a header with the given key and value.
    pub(crate) fn check_header(key: &str, value: &str) -> Result<(), NotRecordable> {
        let mut chars = key.chars();
        let is_word = chars.next().is_some_and(|c| c.is_ascii_alphabetic())
            && chars.all(|c| c.is_ascii_alphanumeric());
        if !is_word {
            return Err(NotRecordable::Key { key: key.to_owned() });
        }
        if DERIVED.contains(&key) {
            return Err(NotRecordable::DerivedHeader { key: key.to_owned() });
        }
        if key == "Date" && !is_date(value) {
            return Err(NotRecordable::Date);
        }
        Ok(())
    }

    /// Returns the notes of the record, in the order in which they occur in the match.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Adds a note to the record, after all earlier notes at the same point in the match.
    ///
    /// ```
    /// use overmate_rules::{Deal, Game, Match, Note, NoteText, Record, RuleSet};
    /// let rules = RuleSet::named("bga")?.shared();
    /// let mut record = Record::new(Match::of_one_game(Deal::numbered(&rules, 20_010)?));
    /// let text = NoteText::Comment("Best play is a draw.".to_owned());
    /// record.add_note(Note { game: 0, after: 0, text })?;
    /// assert!(record.to_string().contains("{Best play is a draw.}"));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the match does not have the note's game or action.
    pub fn add_note(&mut self, note: Note) -> Result<(), NotRecordable> {
        let game = self.contest.games().get(note.game);
        if game.is_none_or(|game| note.after > game.actions().len()) {
            return Err(NotRecordable::NoSuchPlace { game: note.game, after: note.after });
        }
        let place = |note: &Note| (note.game, note.after);
        let at = self.notes.partition_point(|other| place(other) <= place(&note));
        self.notes.insert(at, note);
        Ok(())
    }

    /// Returns the total points of players A and B as text, such as `32-0`, or `*` for an
    /// unfinished match.
    #[must_use]
    pub fn result_text(&self) -> String {
        result_text(&self.contest)
    }
}

fn or_nothing(mark: &str) -> String {
    if mark.is_empty() { "nothing".to_owned() } else { alloc::format!("`{mark}`") }
}

/// Returns the total points of players A and B in a match as text, such as `32-0`, or `*` for an
/// unfinished match.
pub(crate) fn result_text(contest: &Match) -> String {
    let totals = contest.totals();
    match contest.result() {
        Some(_) => alloc::format!("{}-{}", totals.a, totals.b),
        None => "*".to_owned(),
    }
}

/// Returns the mark that follows an action in a record, such as `#` after a mate. The mark is `##` after an overmate,
/// and empty after any other action.
///
/// The parameter `outcome` is the outcome after the action.
pub(crate) fn mark(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Mate(mate)) if mate.overmate => "##",
        Some(Outcome::Mate(_)) => "#",
        Some(Outcome::Draw | Outcome::Resigned { .. }) | None => "",
    }
}

/// Describes the current point in a game, such as `move 3` or `foreplacing`.
pub(crate) fn at(game: &Game) -> String {
    match game.phase() {
        Phase::Foreplacing(_) => "foreplacing".to_owned(),
        Phase::Over => "at its end".to_owned(),
        Phase::Lead(_) | Phase::Follow(_) => {
            alloc::format!("move {}", game.position().moves() + 1)
        }
    }
}

/// Returns whether a string is a date in the form `2026-11-20`. Every month may have up to 31 days.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let digits = |part: &str, len| part.len() == len && part.chars().all(|c| c.is_ascii_digit());
    let in_range = |part: &str, last| part.parse().is_ok_and(|n: u8| (1..=last).contains(&n));
    matches!(parts[..], [year, month, day] if digits(year, 4) && digits(month, 2)
        && digits(day, 2) && in_range(month, 12) && in_range(day, 31))
}

/// Escapes a string for a record: backslashes, the character `special` and, if `line_ends` is set, line breaks.
fn escape(text: &str, special: char, line_ends: bool) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '\n' if line_ends => escaped.push_str("\\n"),
            '\r' if line_ends => escaped.push_str("\\r"),
            c => {
                if c == '\\' || c == special {
                    escaped.push('\\');
                }
                escaped.push(c);
            }
        }
    }
    escaped
}

/// Writer that wraps the lines of a record between words at 80 characters.
struct Wrapped<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    column: usize,
}

impl Wrapped<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let width = word.chars().count();
        if self.column > 0 && self.column + 1 + width > 80 {
            self.out.write_str("\n")?;
            self.column = 0;
        } else if self.column > 0 {
            self.out.write_str(" ")?;
            self.column += 1;
        }
        self.column += width;
        self.out.write_str(word)
    }
}

impl fmt::Display for Record {
    /// Writes the record in its text form. `docs/notation.md` has the grammar.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.contest.rules();
        let mut header =
            |key: &str, value: &str| writeln!(f, "[{key} \"{}\"]", escape(value, '"', true));
        header("Rules", rules.name())?;
        if RuleSet::named(rules.name()).as_ref() != Ok(rules.as_ref()) {
            header("RuleSet", &rules.to_toml())?;
        }
        for (key, value) in &self.headers {
            header(key, value)?;
        }
        header("Games", &self.contest.length().to_string())?;
        let deals: Vec<String> =
            self.contest.deals().iter().map(|dealt| dealt.number().to_string()).collect();
        header("Deals", &deals.join(" "))?;
        header("Result", &self.result_text())?;
        for (index, game) in self.contest.games().iter().enumerate() {
            let leader = Match::player(index, Seat::First);
            writeln!(f, "\nGame {}: {leader} leads", index + 1)?;
            let mut out = Wrapped { out: f, column: 0 };
            self.write_game(index, game, &mut out)?;
            if index == self.contest.current_index() {
                out.word(&self.result_text())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl Record {
    fn write_game(&self, index: usize, game: &Game, out: &mut Wrapped<'_, '_>) -> fmt::Result {
        let mut notes = self.notes.iter().filter(|note| note.game == index).peekable();
        let mut stand = game.after(0);
        for (done, action) in game.actions().iter().map(Some).chain([None]).enumerate() {
            while let Some(note) = notes.next_if(|note| note.after == done) {
                match &note.text {
                    NoteText::Comment(text) => {
                        out.word(&alloc::format!("{{{}}}", escape(text, '}', false)))?;
                    }
                    NoteText::Annotation(number) => out.word(&alloc::format!("${number}"))?,
                }
            }
            let Some(&action) = action else { break };
            let mut word = String::new();
            if matches!(stand.phase(), Phase::Lead(_)) {
                write!(word, "{}. ", stand.position().moves() + 1)?;
            }
            stand.carry_out(action);
            let mark = mark(stand.position().outcome());
            write!(word, "{}{mark}", game.rules().action_text(action))?;
            out.word(&word)?;
        }
        if let Some(Outcome::Resigned { by }) = game.outcome() {
            out.word(&alloc::format!("{} resigns", Match::player(index, by)))?;
        }
        Ok(())
    }
}
