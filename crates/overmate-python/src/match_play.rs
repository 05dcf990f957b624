//! Defines the Python classes `Match`, `MatchResult` and `Record`.

use overmate_rules::{Match, Note, NoteText, Record, SeededDeals};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::errors::{MatchError, RecordError, raise};
use crate::game::PyGame;
use crate::limits::Items;
use crate::rule_set::{PyDeal, PyRuleSet};
use crate::words::{illegal, player_word, read_action, read_player, read_seat, seat_word};

/// Match of several games, in which each deal is played twice with exchanged hands. `play` returns a new match.
#[pyclass(name = "Match", module = "overmate", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyMatch(pub(crate) Match);

/// Result of a finished match.
#[pyclass(name = "MatchResult", module = "overmate", frozen, eq, hash, get_all)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyMatchResult {
    /// Player (A or B) who won the match; None for a draw.
    winner: Option<&'static str>,
    /// Absolute difference between the total points of the two players.
    margin: u32,
    /// Player (A or B) who resigned the match; None without a resignation.
    resigned: Option<&'static str>,
}

#[pymethods]
impl PyMatchResult {
    fn __repr__(&self) -> String {
        let Self { winner, margin, .. } = self;
        format!("<MatchResult: winner {}, margin {margin}>", winner.unwrap_or("nobody"))
    }
}

#[pymethods]
impl PyMatch {
    /// Creates a match under a rule set, with deals that a random seed determines.
    #[new]
    fn new(rules: &PyRuleSet, seed: u64) -> Self {
        Self(Match::new(&rules.0, &mut SeededDeals::new(seed)))
    }

    /// Creates a match of `length` games with the given deals, one for each round.
    #[staticmethod]
    fn with_deals(length: u8, deals: Items<PyDeal>) -> PyResult<Self> {
        let deals = deals.0.into_iter().map(|deal| deal.0).collect();
        Match::with_deals(length, deals).map(Self).map_err(|error| raise::<MatchError>(&error))
    }

    /// Creates a match of one game with the given deal.
    #[staticmethod]
    fn of_one_game(deal: &PyDeal) -> Self {
        Self(Match::of_one_game(deal.0.clone()))
    }

    /// Returns the player (A or B) who has the given seat in the game with the given index, from 0.
    #[staticmethod]
    fn player(index: usize, seat: &str) -> PyResult<&'static str> {
        Ok(player_word(Match::player(index, read_seat(seat)?)))
    }

    /// Returns the seat of the given player (A or B) in the game with the given index, from 0.
    #[staticmethod]
    fn seat(index: usize, player: &str) -> PyResult<&'static str> {
        Ok(seat_word(Match::seat(index, read_player(player)?)))
    }

    /// Rule set of the match.
    #[getter]
    fn rules(&self) -> PyRuleSet {
        PyRuleSet(self.0.rules().clone())
    }

    /// Number of games in the complete match.
    #[getter]
    fn length(&self) -> u8 {
        self.0.length()
    }

    /// Deals of the match, one for each round.
    #[getter]
    fn deals(&self) -> Vec<PyDeal> {
        self.0.deals().iter().cloned().map(PyDeal).collect()
    }

    /// Games of the match that have begun, in the order of play.
    #[getter]
    fn games(&self) -> Vec<PyGame> {
        self.0.games().iter().cloned().map(PyGame).collect()
    }

    /// Game in progress, or the last game of a finished match.
    #[getter]
    fn current(&self) -> PyGame {
        PyGame(self.0.current().clone())
    }

    /// Player (A or B) whose turn it is; None after the end of the match.
    #[getter]
    fn to_act(&self) -> Option<&'static str> {
        self.0.to_act().map(player_word)
    }

    /// Total points of player A and of player B in the match.
    #[getter]
    fn totals(&self) -> (i32, i32) {
        let totals = self.0.totals();
        (totals.a, totals.b)
    }

    /// Result of the match; None before the end of the match.
    #[getter]
    fn result(&self) -> Option<PyMatchResult> {
        self.0.result().map(|result| PyMatchResult {
            winner: result.winner.map(player_word),
            margin: result.margin,
            resigned: result.resigned.map(player_word),
        })
    }

    /// Returns the points of players A and B in the game with the given index, from 0; None before the end of the game.
    fn game_points(&self, index: usize) -> Option<(i32, i32)> {
        self.0.game_points(index).map(|points| (points.a, points.b))
    }

    /// Plays the given actions in order, and returns the resulting match.
    #[pyo3(signature = (*actions))]
    fn play(&self, actions: Vec<String>) -> PyResult<Self> {
        let mut contest = self.0.clone();
        for text in actions {
            let action = read_action(contest.rules(), &text)?;
            contest = contest.play(action).map_err(|error| illegal(&error.illegal))?;
        }
        Ok(Self(contest))
    }

    /// Returns the finished match in which the given player (A or B) has resigned.
    fn resign(&self, player: &str) -> PyResult<Self> {
        let contest = self.0.clone().resign(read_player(player)?);
        contest.map(Self).map_err(|error| illegal(&error.illegal))
    }

    /// Returns the match as it was after the first `keep` actions of the game with the given index, from 0. Returns
    /// None if the match has no such state.
    fn after(&self, index: usize, keep: usize) -> Option<Self> {
        self.0.after(index, keep).map(Self)
    }

    fn __repr__(&self) -> String {
        let (a, b) = self.totals();
        let (rules, begun) = (self.0.rules().name(), self.0.games().len());
        format!("<Match {rules}: game {begun} of {}, {a}-{b}>", self.0.length())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((PyRecord::reader(py)?, (PyRecord::text_of(&self.0),)))
    }
}

/// Record of a match, with headers and notes. A record can be written as text.
#[pyclass(name = "Record", module = "overmate", frozen, eq)]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PyRecord(Record);

/// Note in a match record, as the index of its game, the number of actions before the note, and a comment or an annotation number.
type PyNote = (usize, usize, CommentOrNumber);

#[derive(FromPyObject, IntoPyObject)]
enum CommentOrNumber {
    Comment(String),
    Annotation(u8),
}

impl PyRecord {
    /// Returns the Python function that restores a match from the text of the match's record.
    pub(crate) fn reader(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        PyType::new::<Self>(py).getattr("_read_match")
    }

    /// Returns the text of the record of a match.
    pub(crate) fn text_of(contest: &Match) -> String {
        Record::new(contest.clone()).to_string()
    }
}

#[pymethods]
impl PyRecord {
    /// Creates the record of the given match.
    #[new]
    fn new(r#match: &PyMatch) -> Self {
        Self(Record::new(r#match.0.clone()))
    }

    /// Parses a string with one match record.
    #[staticmethod]
    fn read(text: &str) -> PyResult<Self> {
        Record::read(text).map(Self).map_err(|error| raise::<RecordError>(&error))
    }

    /// Parses a string with any number of match records.
    #[staticmethod]
    fn read_all(text: &str) -> PyResult<Vec<Self>> {
        let records = Record::read_all(text).map_err(|error| raise::<RecordError>(&error))?;
        Ok(records.into_iter().map(Self).collect())
    }

    #[staticmethod]
    fn _read_match(text: &str) -> PyResult<PyMatch> {
        Ok(Self::read(text)?.r#match())
    }

    /// Match that the record describes.
    #[getter]
    fn r#match(&self) -> PyMatch {
        PyMatch(self.0.played_match().clone())
    }

    /// Headers of the match record in their order, as pairs of key and value.
    #[getter]
    fn headers(&self) -> Vec<(String, String)> {
        self.0.headers().to_vec()
    }

    /// Notes of the match record in their order, each as a tuple of three values: the index of the game from 0, the
    /// number of actions before the note, and a comment or the number of an annotation.
    #[getter]
    fn notes(&self) -> Vec<PyNote> {
        let note = |note: &Note| {
            let text = match &note.text {
                NoteText::Comment(text) => CommentOrNumber::Comment(text.clone()),
                NoteText::Annotation(number) => CommentOrNumber::Annotation(*number),
            };
            (note.game, note.after, text)
        };
        self.0.notes().iter().map(note).collect()
    }

    /// Result of the match as text, such as `28-0`, or `*` before the end of the match.
    #[getter]
    fn result_text(&self) -> String {
        self.0.result_text()
    }

    /// Returns a copy of the match record with the given header. The new header replaces an earlier header with an equal key.
    fn with_header(&self, key: &str, value: &str) -> PyResult<Self> {
        let mut record = self.0.clone();
        record.set_header(key, value).map_err(|error| raise::<RecordError>(&error))?;
        Ok(Self(record))
    }

    /// Returns a copy of the match record with one more note: a comment, or an annotation such as `!`, given by
    /// its number.
    fn with_note(&self, game: usize, after: usize, note: CommentOrNumber) -> PyResult<Self> {
        let mut record = self.0.clone();
        let text = match note {
            CommentOrNumber::Comment(text) => NoteText::Comment(text),
            CommentOrNumber::Annotation(number) => NoteText::Annotation(number),
        };
        let note = Note { game, after, text };
        record.add_note(note).map_err(|error| raise::<RecordError>(&error))?;
        Ok(Self(record))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Record {}: {}>", self.0.played_match().rules().name(), self.0.result_text())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((PyType::new::<Self>(py).getattr("read")?, (self.0.to_string(),)))
    }
}
