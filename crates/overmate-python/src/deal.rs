//! Python class `Deal`.

use overmate_rules::Dealt;
use pyo3::prelude::*;

use crate::rule_set::PyRuleSet;
use crate::words::read_seat;

/// Deal of all cards of a deck to the hands of *first* and *second*.
#[pyclass(name = "Deal", module = "overmate", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyDeal(pub(crate) Dealt);

#[pymethods]
impl PyDeal {
    /// Rule set whose deck was dealt.
    #[getter]
    fn rules(&self) -> PyRuleSet {
        PyRuleSet(self.0.rules().clone())
    }

    /// Canonical deal number.
    #[getter]
    fn number(&self) -> u64 {
        self.0.number()
    }

    /// Returns the cards that a seat was dealt.
    fn hand(&self, seat: &str) -> PyResult<Vec<String>> {
        Ok(overmate_json::cards(self.0.rules(), self.0.hands()[read_seat(seat)?]))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("RuleSet({:?}).deal({})", self.0.rules().name(), self.0.number())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (u64,))> {
        let rules = Bound::new(py, self.rules())?;
        Ok((rules.getattr("deal")?, (self.number(),)))
    }
}
