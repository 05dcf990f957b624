//! Python class `Record`.

use overmate_rules::{Match, Note, NoteText, Record};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::errors::{RecordError, raise};
use crate::match_play::PyMatch;

/// Record of a match with headers and notes, and its text.
#[pyclass(name = "Record", module = "overmate", frozen, eq)]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PyRecord(Record);

/// Note on a match: the index of its game, the number of actions before it, and a comment or an annotation.
type PyNote = (usize, usize, CommentOrNumber);

#[derive(FromPyObject, IntoPyObject)]
enum CommentOrNumber {
    Comment(String),
    Annotation(u8),
}

impl PyRecord {
    /// Returns the Python function that makes a match of the text of its record.
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
    /// Creates the record of a match.
    #[new]
    fn new(r#match: &PyMatch) -> Self {
        Self(Record::new(r#match.0.clone()))
    }

    /// Reads one record.
    #[staticmethod]
    fn read(text: &str) -> PyResult<Self> {
        Record::read(text).map(Self).map_err(|error| raise::<RecordError>(&error))
    }

    /// Reads all records of a text.
    #[staticmethod]
    fn read_all(text: &str) -> PyResult<Vec<Self>> {
        let records = Record::read_all(text).map_err(|error| raise::<RecordError>(&error))?;
        Ok(records.into_iter().map(Self).collect())
    }

    #[staticmethod]
    fn _read_match(text: &str) -> PyResult<PyMatch> {
        Ok(Self::read(text)?.r#match())
    }

    /// Match of the record.
    #[getter]
    fn r#match(&self) -> PyMatch {
        PyMatch(self.0.played_match().clone())
    }

    /// Headers in their order, as pairs of key and value.
    #[getter]
    fn headers(&self) -> Vec<(String, String)> {
        self.0.headers().to_vec()
    }

    /// Notes in their order: game from 0, number of actions before the note, and a comment or the number of an annotation.
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

    /// Result of the match, such as `28-0`, or `*` before its end.
    #[getter]
    fn result_text(&self) -> String {
        self.0.result_text()
    }

    /// Returns the record with a header, which replaces an earlier header of this key.
    fn with_header(&self, key: &str, value: &str) -> PyResult<Self> {
        let mut record = self.0.clone();
        record.set_header(key, value).map_err(|error| raise::<RecordError>(&error))?;
        Ok(Self(record))
    }

    /// Returns the record with a note: a comment, or the number of an annotation.
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
