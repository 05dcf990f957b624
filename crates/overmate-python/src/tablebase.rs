//! Defines the Python class `Tablebase`: a file with the values of all positions of a rule set.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use numpy::{IntoPyArray as _, PyArray1};
use overmate_rules::Position;
use overmate_solver::ValueForFirst;
use overmate_solver::tablebase::{Tablebase, TablebaseError as Fault};
use pyo3::prelude::*;

use crate::errors::{TablebaseError, fault, raise};
use crate::interrupt;
use crate::rule_set::PyRuleSet;
use crate::solver::{Numbers, Solvable, numbered};
use crate::value::PyAnalysis;

/// Tablebase file of a rule set, as written by `overmate tablebase build`.
#[pyclass(name = "Tablebase", module = "overmate", frozen)]
pub(crate) struct PyTablebase(Tablebase);

fn unreadable(error: &Fault) -> PyErr {
    raise::<TablebaseError>(error)
}

#[pymethods]
impl PyTablebase {
    /// Opens the tablebase file at a path.
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        Tablebase::open(&path).map(Self).map_err(|error| unreadable(&error))
    }

    /// Rule set of the tablebase.
    #[getter]
    fn rules(&self) -> PyRuleSet {
        PyRuleSet(self.0.rules().clone())
    }

    /// Number of positions whose values the tablebase file contains.
    #[getter]
    fn positions(&self) -> u64 {
        self.0.positions()
    }

    /// Size of the tablebase file in bytes.
    #[getter]
    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    /// Version of the tablebase file's format.
    #[getter]
    fn version(&self) -> u32 {
        self.0.version()
    }

    /// Returns the value of a game or position in points for the seat *first*; None if the rule set differs from that
    /// of the tablebase. A finished game or position of any rule set has a value.
    fn value(&self, py: Python<'_>, state: Solvable) -> PyResult<Option<i32>> {
        if let Some(outcome) = state.outcome() {
            return Ok(Some(outcome.points_for_first()));
        }
        let value = py.detach(|| self.0.reader().value_for_first(state.position()));
        let value = value.map_err(|error| unreadable(&error))?;
        Ok(value.map(ValueForFirst::points))
    }

    /// Returns an array with the values of the given deals, in points for the seat *first* under best play. Ctrl-C stops the computation.
    fn values<'py>(&self, py: Python<'py>, deals: Numbers) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let dealt = numbered(self.0.rules(), &deals)?;
        let values: Result<Vec<i32>, Fault> = interrupt::run(py, None, |stop, _| {
            let mut reader = self.0.reader();
            let mut value = |position| {
                let value = reader.value_for_first(&position)?;
                Ok(value.map_or(0, ValueForFirst::points))
            };
            let dealt = dealt.iter().take_while(|_| !stop.load(Ordering::Relaxed));
            dealt.map(|dealt| value(Position::start(dealt))).collect()
        })?;
        Ok(values.map_err(|error| unreadable(&error))?.into_pyarray(py))
    }

    /// Analyses a game or position: returns its value, the values of all legal actions, and a principal variation.
    fn analyse(&self, py: Python<'_>, state: Solvable) -> PyResult<PyAnalysis> {
        let analysis = py.detach(|| match &state {
            Solvable::Game(game) => self.0.reader().analyse(&game.0),
            Solvable::Position(position) => self.0.reader().analyse_position(&position.0),
        });
        let analysis = analysis.map_err(|error| unreadable(&error))?;
        let rules = self.0.rules();
        let found = analysis.map(|analysis| PyAnalysis::new(rules, &analysis));
        found.ok_or_else(|| {
            let other = state.position().rules().name();
            let name = rules.name();
            fault(format!(
                "the tablebase holds the rule set {name}, not the rule set {other} of the position: open another tablebase"
            ))
        })
    }

    fn __repr__(&self) -> String {
        format!("<Tablebase {}: {} positions>", self.0.rules().name(), self.0.positions())
    }
}
