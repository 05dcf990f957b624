//! Python class `RuleSet`, and the list of published rule sets.

use std::sync::Arc;

use overmate_json::RuleFacts;
use overmate_rules::{Deal, DealSource as _, Dealt, RuleSet, SeededDeals};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::deal::PyDeal;
use crate::errors::{DealError, NotationError, PositionError, RulesError, fault, raise};
use crate::position::PyPosition;
use crate::words::{json, read_action};

/// Rules of a game: a published rule set by its name, or a custom rule set in TOML.
#[pyclass(name = "RuleSet", module = "overmate", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyRuleSet(pub(crate) Arc<RuleSet>);

#[pymethods]
impl PyRuleSet {
    /// Creates a published rule set from its name, such as `pagat+free-move`.
    #[new]
    #[pyo3(signature = (name = "sackson"))]
    fn new(name: &str) -> PyResult<Self> {
        let rules = RuleSet::named(name).map_err(|error| raise::<RulesError>(&error))?;
        Ok(Self(rules.shared()))
    }

    /// Reads a custom rule set from TOML.
    #[staticmethod]
    fn from_toml(text: &str) -> PyResult<Self> {
        let rules = RuleSet::from_toml(text).map_err(|error| raise::<RulesError>(&error))?;
        Ok(Self(rules.shared()))
    }

    /// Returns the rule set in TOML.
    fn to_toml(&self) -> String {
        self.0.to_toml()
    }

    /// Name of the rule set.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// Cards of the deck in notation, by suit and rank from high to low.
    #[getter]
    fn cards(&self) -> Vec<String> {
        overmate_json::cards(&self.0, self.0.deck().all())
    }

    /// Number of cards in a dealt hand.
    #[getter]
    fn hand_size(&self) -> u8 {
        self.0.hand_size()
    }

    /// Number of rounds in a match, each of two games.
    #[getter]
    fn rounds(&self) -> u8 {
        self.0.rounds()
    }

    /// Number of deals; deal numbers are below this number.
    #[getter]
    fn deal_count(&self) -> u64 {
        Dealt::count(&self.0)
    }

    /// Returns all rules as a dictionary, with the fields of `overmate rules --json`.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let facts = serde_json::to_value(RuleFacts::new(&self.0));
        json(py, &facts.map_err(|error| fault(error.to_string()))?)
    }

    /// Returns the deal with a number.
    fn deal(&self, number: u64) -> PyResult<PyDeal> {
        Deal::numbered(&self.0, number).map(PyDeal).map_err(|error| raise::<DealError>(&error))
    }

    /// Returns the first `count` deals that follow from a seed.
    fn deals(&self, seed: u64, count: usize) -> Vec<PyDeal> {
        let mut source = SeededDeals::new(seed);
        (0..count).map(|_| PyDeal(source.next_deal(&self.0))).collect()
    }

    /// Reads a deal such as `Tc Kc … / Ac 7c …`, with the hand of *first* before the slash.
    fn read_deal(&self, text: &str) -> PyResult<PyDeal> {
        let deal = self.0.read_deal(text).map_err(|error| raise::<NotationError>(&error))?;
        deal.validate(&self.0).map(PyDeal).map_err(|error| raise::<DealError>(&error))
    }

    /// Reads a position in notation.
    fn read_position(&self, text: &str) -> PyResult<PyPosition> {
        let setup = self.0.read_position(text).map_err(|error| raise::<NotationError>(&error))?;
        let position = setup.validate(&self.0);
        position.map(PyPosition).map_err(|error| raise::<PositionError>(&error))
    }

    /// Reads an action, and returns it in notation; `10♣` becomes `Tc`.
    fn read_action(&self, text: &str) -> PyResult<String> {
        Ok(overmate_json::action(&self.0, read_action(&self.0, text)?))
    }

    /// Reads a list of actions, separated by spaces.
    fn read_actions(&self, text: &str) -> PyResult<Vec<String>> {
        let actions = self.0.read_actions(text).map_err(|error| raise::<NotationError>(&error))?;
        Ok(overmate_json::actions(&self.0, &actions))
    }

    fn __repr__(&self) -> String {
        format!("RuleSet({:?})", self.0.name())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let class = PyType::new::<Self>(py);
        match RuleSet::named(self.0.name()) {
            Ok(published) if published == *self.0 => {
                Ok((class.into_any(), (self.0.name().to_owned(),)))
            }
            _ => Ok((class.getattr("from_toml")?, (self.0.to_toml(),))),
        }
    }
}

/// Returns the names of all published rule sets, including all combinations of variations.
#[pyfunction]
pub(crate) fn catalogue() -> Vec<String> {
    RuleSet::catalogue().iter().map(|rules| rules.name().to_owned()).collect()
}
