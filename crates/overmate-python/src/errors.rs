//! Defines the Python exceptions, which carry the texts of the Rust errors.

use std::error::Error;

use overmate_rules::error_with_causes;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::{PyTypeInfo, create_exception};

create_exception!(overmate, OvermateError, PyValueError, "Base class of all errors of Overmate.");
create_exception!(overmate, NotationError, OvermateError, "Text that is not in game notation.");
create_exception!(overmate, RulesError, OvermateError, "Unknown or invalid rule set.");
create_exception!(overmate, DealError, OvermateError, "Invalid deal.");
create_exception!(overmate, PositionError, OvermateError, "Position that no game reaches.");
create_exception!(overmate, IllegalAction, OvermateError, "Action that is not legal.");
create_exception!(overmate, MatchError, OvermateError, "Games and deals that form no match.");
create_exception!(overmate, RecordError, OvermateError, "Record that is not valid.");
create_exception!(overmate, TooLarge, OvermateError, "Deck that is too large for a computation.");
create_exception!(overmate, TablebaseError, OvermateError, "Tablebase that cannot be read.");
create_exception!(overmate, DataError, OvermateError, "File of deal values that cannot be used.");
create_exception!(overmate, BotError, OvermateError, "Unknown bot, or bot without an answer.");

/// Converts a Rust error with its causes to a Python exception of class `E`.
pub(crate) fn raise<E: PyTypeInfo>(error: &(dyn Error + 'static)) -> PyErr {
    PyErr::new::<E, _>(error_with_causes(error))
}

/// Returns an exception of the base class `OvermateError` with the given text.
pub(crate) fn fault(text: impl Into<String>) -> PyErr {
    OvermateError::new_err(text.into())
}
