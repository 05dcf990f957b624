//! The record of a match or game: headers, the match itself, comments and annotations, and its text.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use crate::cards::{Player, Seat};
use crate::game::{DealFaults, Game, Illegal, Match, Outcome, Phase};
use crate::rule_set::{NameFault, RuleSet, RulesFaults};
use crate::text::{Place, ReadError};

/// Header keys that follow from the match, and so cannot be set.
pub(crate) const DERIVED: [&str; 5] = ["Rules", "RuleSet", "Games", "Deals", "Result"];

/// The record of a match. One that exists is valid: its match was played by legal actions.
///
/// A record tells everything: the deals of rounds not begun, and cards that lie face down. While a match goes
/// on it is not for a player's eyes.
///
/// # Stability
///
/// [`Display`](fmt::Display) writes what [`read`](Record::read) reads back as an equal record, now and in every
/// later version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    contest: Match,
    headers: Vec<(String, String)>,
    notes: Vec<Note>,
}

/// A comment or annotation, and where it belongs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The index of the game, from 0.
    pub game: usize,
    /// How many actions of that game it follows; 0 for one before the first.
    pub after: usize,
    /// What it says.
    pub text: NoteText,
}

/// What a note says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoteText {
    /// Any text: `{like this}`.
    Comment(String),
    /// A numbered sign, as chess records use them: `$1` good, `$2` a mistake, `$3` very good, `$4` a blunder,
    /// `$5` interesting, `$6` doubtful. Other numbers mean what their users agree on.
    Annotation(u8),
}

/// A record cannot be read: what is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct RecordError {
    /// Where the fault lies.
    pub place: Place,
    /// What is wrong.
    pub fault: RecordFault,
}

/// What is wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordFault {
    /// The text is not of the form.
    #[error("expected {expected}, found {found}")]
    Syntax {
        /// What could have stood there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A header is there twice.
    #[error("there is a second header `{0}`")]
    SecondHeader(String),
    /// A header that every record needs is missing.
    #[error("the header [{0} \"…\"] is missing")]
    MissingHeader(&'static str),
    /// A header has a value that it cannot have.
    #[error("the header `{key}` must be {expected}")]
    Header {
        /// The key.
        key: &'static str,
        /// What it must be.
        expected: String,
    },
    /// The rule set has no such name, and the record does not bring its own.
    #[error(transparent)]
    Name(NameFault),
    /// The record brings a rule set that is wrong.
    #[error("the header `RuleSet` holds a rule set that is wrong:\n{0}")]
    Rules(RulesFaults),
    /// A deal that does not exist.
    #[error(transparent)]
    Deal(DealFaults),
    /// An action that is not legal there.
    #[error(transparent)]
    Illegal(Box<IllegalInRecord>),
    /// `#` or `##` where there is no mate or overmate, or the other.
    #[error("`{found}` stands after the action, and {} would be right", or_nothing(expected))]
    WrongMark {
        /// What stands there.
        found: &'static str,
        /// What would be right: `#`, `##`, or nothing.
        expected: &'static str,
    },
    /// The result is not that of the actions.
    #[error("the result is given as {found}, and the actions make it {expected}")]
    WrongResult {
        /// What stands there.
        found: String,
        /// What would be right.
        expected: String,
    },
    /// The text ends before the result.
    #[error("the record is cut off: it ends in game {game}, {at}, without its result")]
    CutOff {
        /// The number of the game, from 1.
        game: usize,
        /// The move or the foreplacing, in words.
        at: String,
    },
}

/// An action of a record that is not legal, and which one it is.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}, {at}: {action} is not legal: {illegal}")]
pub struct IllegalInRecord {
    /// The number of the game, from 1.
    pub game: usize,
    /// The move or the foreplacing, in words.
    pub at: String,
    /// The action, in notation.
    pub action: String,
    /// Why it is not legal.
    pub illegal: Illegal,
}

impl From<ReadError> for RecordError {
    fn from(error: ReadError) -> Self {
        let fault = RecordFault::Syntax { expected: error.expected, found: error.found };
        Self { place: error.place, fault }
    }
}

/// A header or note that a record cannot hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotRecordable(String);

impl Record {
    /// The record of a match, without players, date and notes.
    #[must_use]
    pub fn new(contest: Match) -> Self {
        Self::of_parts(contest, Vec::new(), Vec::new())
    }

    /// The record of a match with headers that are checked and different, and with notes that are in order and
    /// at places that it has.
    pub(crate) fn of_parts(
        contest: Match,
        headers: Vec<(String, String)>,
        notes: Vec<Note>,
    ) -> Self {
        Self { contest, headers, notes }
    }

    /// The match.
    #[must_use]
    pub fn contest(&self) -> &Match {
        &self.contest
    }

    /// The same record of a match that has gone on, or back. Notes to actions that are gone go with them.
    #[must_use]
    pub fn with_contest(mut self, contest: Match) -> Self {
        let games = contest.games();
        self.notes.retain(|note| {
            games.get(note.game).is_some_and(|game| note.after <= game.actions().len())
        });
        self.contest = contest;
        self
    }

    /// The headers that are not derived from the match, in order. `A` and `B` are the players, `Date` is the day
    /// as `2026-11-20`.
    #[must_use]
    pub fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    /// The value of a header that is not derived from the match.
    #[must_use]
    pub fn header(&self, key: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// What a player is called: the header `A` or `B`, or just that letter.
    #[must_use]
    pub fn player_name(&self, player: Player) -> &str {
        let letter = match player {
            Player::A => "A",
            Player::B => "B",
        };
        self.header(letter).unwrap_or(letter)
    }

    /// Sets a header; an earlier value is replaced.
    ///
    /// # Errors
    ///
    /// If the key is not a word of ASCII letters and digits that begins with a letter, follows from the
    /// match, or is `Date` with a value that is not a day as `2026-11-20`.
    pub fn set_header(&mut self, key: &str, value: &str) -> Result<(), NotRecordable> {
        Self::check_header(key, value)?;
        match self.headers.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => value.clone_into(old),
            None => self.headers.push((key.to_owned(), value.to_owned())),
        }
        Ok(())
    }

    /// Whether a record can hold this header.
    pub(crate) fn check_header(key: &str, value: &str) -> Result<(), NotRecordable> {
        let mut chars = key.chars();
        let is_word = chars.next().is_some_and(|c| c.is_ascii_alphabetic())
            && chars.all(|c| c.is_ascii_alphanumeric());
        if !is_word {
            return Err(NotRecordable(alloc::format!("`{key}` cannot be the key of a header")));
        }
        if DERIVED.contains(&key) {
            return Err(NotRecordable(alloc::format!("the header `{key}` follows from the match")));
        }
        if key == "Date" && !is_date(value) {
            return Err(NotRecordable("the header `Date` must be a day as 2026-11-20".to_owned()));
        }
        Ok(())
    }

    /// The comments and annotations, in the order of the actions that they follow.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Adds a note, after those that are at the same place.
    ///
    /// # Errors
    ///
    /// If the match has no such place yet.
    pub fn add_note(&mut self, note: Note) -> Result<(), NotRecordable> {
        let game = self.contest.games().get(note.game);
        if game.is_none_or(|game| note.after > game.actions().len()) {
            return Err(NotRecordable("the match has no such place for a note".to_owned()));
        }
        let place = |note: &Note| (note.game, note.after);
        let at = self.notes.partition_point(|other| place(other) <= place(&note));
        self.notes.insert(at, note);
        Ok(())
    }

    /// The points of A and B, `32-0`; `*` while the match goes on.
    #[must_use]
    pub fn result_text(&self) -> String {
        result_text(&self.contest)
    }
}

fn or_nothing(mark: &str) -> String {
    if mark.is_empty() { "nothing".to_owned() } else { alloc::format!("`{mark}`") }
}

/// The points of A and B, `32-0`; `*` while the match goes on.
pub(crate) fn result_text(contest: &Match) -> String {
    let totals = contest.totals();
    match contest.result() {
        Some(_) => alloc::format!("{}-{}", totals.a, totals.b),
        None => "*".to_owned(),
    }
}

/// `#` after a card that mates, `##` after an overmate; nothing after other actions. The position is that
/// after the action.
pub(crate) fn mark(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Mate(mate)) if mate.overmate => "##",
        Some(Outcome::Mate(_)) => "#",
        _ => "",
    }
}

/// Where a game stands, in words.
pub(crate) fn at(game: &Game) -> String {
    match game.phase() {
        Phase::Foreplacing(_) => "foreplacing".to_owned(),
        Phase::Over => "at its end".to_owned(),
        Phase::Lead(_) | Phase::Follow(_) => {
            alloc::format!("move {}", game.position().moves() + 1)
        }
    }
}

/// Whether a text is a day as `2026-11-20`. How many days its month has is not asked.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let digits = |part: &str, len| part.len() == len && part.chars().all(|c| c.is_ascii_digit());
    let in_range = |part: &str, last| part.parse().is_ok_and(|n: u8| (1..=last).contains(&n));
    matches!(parts[..], [year, month, day] if digits(year, 4) && digits(month, 2)
        && digits(day, 2) && in_range(month, 12) && in_range(day, 31))
}

/// Puts a backslash before the characters given, and writes line ends as `\n` and `\r` if asked.
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

/// Writes words into lines of at most 80 characters, as far as the words allow.
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
    /// The text of the record; the grammar is in `docs/notation.md`.
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
