//! Limits counts and sequences from Python.
//!
//! Python numbers and ranges can be of any size. Rust aborts the process if memory for them cannot be allocated.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PySequence, PyString};

use crate::errors::fault;

/// Maximum number of deals in one call. The deals of a call are in memory at once, with about 100 bytes for each.
pub(crate) const MAX_DEALS: usize = 10_000_000;

/// Returns a count from Python, or an error if the count is above the maximum `most`. `what` names the counted things in the error.
pub(crate) fn checked_count(count: usize, what: &str, most: usize) -> PyResult<usize> {
    if count > most {
        return Err(fault(format!("{count} {what} are too many: give at most {most}")));
    }
    Ok(count)
}

/// Items of a Python sequence, which are converted one by one.
///
/// The usual conversion to a vector reserves memory for as many items as the sequence claims to have. For a range of 10¹² numbers, this
/// would abort the process before the first item is refused.
pub(crate) struct Items<T>(pub(crate) Vec<T>);

impl<'py, T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>> FromPyObject<'_, 'py> for Items<T> {
    type Error = PyErr;

    fn extract(items: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if items.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("a single text was given: give a list"));
        }
        // Other iterables, such as an endless iterator, are no sequences.
        let items = items.cast::<PySequence>()?;
        let read = |item: PyResult<Bound<'py, PyAny>>| item?.extract().map_err(Into::into);
        items.try_iter()?.map(read).collect::<PyResult<_>>().map(Self)
    }
}
