//! Defines the Python class `WholeGame`: the values of all positions of a rule set, in memory.

use std::sync::atomic::Ordering;

use numpy::{IntoPyArray as _, PyArray1};
use overmate_rules::Position;
use overmate_solver::whole::{WholeError, WholeGame, WholeOptions};
use overmate_solver::{Progress, ValueForFirst};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{OvermateError, RulesError, TooLarge, raise};
use crate::interrupt;
use crate::rule_set::PyRuleSet;
use crate::solver::{Numbers, Solvable, checked_threads, numbered};

/// Values of all positions in all deals of a rule set, held in memory.
#[pyclass(name = "WholeGame", module = "overmate", frozen)]
pub(crate) struct PyWholeGame(WholeGame);

#[pymethods]
impl PyWholeGame {
    /// Returns the number of positions of a rule set, which is also the number of bytes that their values need.
    ///
    /// # Errors
    ///
    /// Raises `TooLarge` for a deck of more than 20 cards, whose positions are too many for the computer.
    #[staticmethod]
    fn positions_of(rules: &PyRuleSet) -> PyResult<u64> {
        match WholeGame::positions_of(&rules.0) {
            u64::MAX => Err(TooLarge::new_err(
                "the deck has more than 20 cards, and too many positions to hold: choose a smaller deck",
            )),
            positions => Ok(positions),
        }
    }

    /// Computes the values of all positions of a rule set. Ctrl-C stops the computation.
    #[staticmethod]
    #[pyo3(signature = (rules, *, threads = 1, progress = None))]
    fn solve(
        py: Python<'_>,
        rules: &PyRuleSet,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let options = WholeOptions::default().with_threads(checked_threads(threads)?);
        let solved = interrupt::run(py, progress.as_ref(), |stop, counts| {
            let report = |done, total| counts.set(done, total);
            let progress = Progress { report: Some(&report), stop: Some(stop) };
            WholeGame::solve(&rules.0, options, &progress)
        })?;
        solved.map(Self).map_err(|error| match error {
            WholeError::TooManyCards { .. } => raise::<TooLarge>(&error),
            WholeError::TooManyScores => raise::<RulesError>(&error),
            _ => raise::<OvermateError>(&error),
        })
    }

    /// Rule set whose positions have been solved.
    #[getter]
    fn rules(&self) -> PyRuleSet {
        PyRuleSet(self.0.rules().clone())
    }

    /// Number of positions of the solved rule set.
    #[getter]
    fn positions(&self) -> u64 {
        self.0.positions()
    }

    /// Returns the value of a game or position in points for the seat *first*; None if the rule set differs from the
    /// solved rule set. A finished game or position of any rule set has a value.
    fn value(&self, state: Solvable) -> Option<i32> {
        if let Some(outcome) = state.outcome() {
            return Some(outcome.points_for_first());
        }
        self.0.value_for_first(state.position()).map(ValueForFirst::points)
    }

    /// Returns an array with the values of the given deals, in points for the seat *first* under best play. Ctrl-C stops the computation.
    fn values<'py>(&self, py: Python<'py>, deals: Numbers) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let dealt = numbered(self.0.rules(), &deals)?;
        let value = |position| self.0.value_for_first(&position).map_or(0, ValueForFirst::points);
        let values = interrupt::run(py, None, |stop, _| {
            let dealt = dealt.iter().take_while(|_| !stop.load(Ordering::Relaxed));
            dealt.map(Position::start).map(value).collect::<Vec<i32>>()
        })?;
        Ok(values.into_pyarray(py))
    }

    /// Returns statistics of each layer (all positions with the same hand sizes). The fields are those that `overmate solved --json`
    /// prints.
    fn layers<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let facts = py.detach(|| self.0.layer_facts());
        let layer = |facts: overmate_solver::whole::LayerFacts| {
            let layer = PyDict::new(py);
            layer.set_item("leader_cards", facts.leader_cards)?;
            layer.set_item("other_cards", facts.other_cards)?;
            layer.set_item("free_move", facts.free_move)?;
            layer.set_item("positions", facts.positions)?;
            layer.set_item("sum_for_leader", facts.sum_for_leader)?;
            layer.set_item("sum_of_squares", facts.sum_of_squares)?;
            Ok(layer)
        };
        facts.into_iter().map(layer).collect()
    }

    fn __repr__(&self) -> String {
        format!("<WholeGame {}: {} positions>", self.0.rules().name(), self.0.positions())
    }
}
