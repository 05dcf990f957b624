//! Python classes of exact values: `Value`, `Analysis` and `ReviewedAction`.

use overmate_json::MistakeWire;
use overmate_rules::RuleSet;
use overmate_solver::{Analysis, ReviewedAction, Value, ValueForFirst};
use pyo3::prelude::*;

use crate::errors::fault;
use crate::words::seat_word;

/// Proved final points for *first* under best play, exact or between two bounds.
#[pyclass(name = "Value", module = "overmate", frozen, eq, hash, get_all)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyValue {
    /// Exact points for *first*; None if only bounds are proved.
    exact: Option<i32>,
    /// Proved lower bound.
    low: i32,
    /// Proved upper bound.
    high: i32,
}

impl From<Value> for PyValue {
    fn from(value: Value) -> Self {
        Self {
            exact: value.exact().map(ValueForFirst::points),
            low: value.at_least().points(),
            high: value.at_most().points(),
        }
    }
}

#[pymethods]
impl PyValue {
    fn __int__(&self) -> PyResult<i32> {
        self.exact.ok_or_else(|| {
            fault("the value is not proved exactly: read `low` and `high`, or allow more time")
        })
    }

    fn __repr__(&self) -> String {
        let Self { exact, low, high } = self;
        exact.map_or_else(|| format!("<Value {low} to {high}>"), |exact| format!("<Value {exact}>"))
    }
}

/// Analysis of a position: its value, the value of each action, and a line of best play.
#[pyclass(name = "Analysis", module = "overmate", frozen, eq, get_all)]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PyAnalysis {
    /// Value of the position.
    value: PyValue,
    /// Legal actions with the values after them, in a fixed order.
    actions: Vec<(String, PyValue)>,
    /// Principal variation: proved actions of best play.
    line: Vec<String>,
}

impl PyAnalysis {
    pub(crate) fn new(rules: &RuleSet, analysis: &Analysis) -> Self {
        let actions = analysis.actions.iter();
        Self {
            value: analysis.value.into(),
            actions: actions
                .map(|of| (overmate_json::action(rules, of.action), of.value.into()))
                .collect(),
            line: overmate_json::actions(rules, &analysis.principal_variation),
        }
    }
}

#[pymethods]
impl PyAnalysis {
    fn __repr__(&self) -> String {
        format!("<Analysis: {}, {} actions>", self.value.__repr__(), self.actions.len())
    }
}

/// Played action with the values before and after it, and the points that it lost.
#[pyclass(name = "ReviewedAction", module = "overmate", frozen, eq, get_all)]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PyReviewedAction {
    /// Seat that took the action.
    seat: &'static str,
    /// Played action.
    action: String,
    /// Value before the action.
    before: PyValue,
    /// Value after the action.
    after: PyValue,
    /// Points lost against best play; None if the loss is not proved.
    lost: Option<u32>,
    /// Actions that provably lose no points.
    best: Vec<String>,
    /// Kind of the mistake; None without a loss or a known reason.
    mistake: Option<String>,
    /// Cards that the mistake concerns.
    mistake_cards: Vec<String>,
}

impl PyReviewedAction {
    pub(crate) fn new(rules: &RuleSet, reviewed: &ReviewedAction) -> Self {
        let mistake = reviewed.mistake.map(|mistake| MistakeWire::new(rules, mistake));
        let kind =
            |wire: &MistakeWire| serde_json::to_value(wire.kind).ok()?.as_str().map(str::to_owned);
        Self {
            seat: seat_word(reviewed.seat),
            action: overmate_json::action(rules, reviewed.action),
            before: reviewed.before.into(),
            after: reviewed.after.into(),
            lost: reviewed.lost,
            best: overmate_json::actions(rules, &reviewed.best),
            mistake: mistake.as_ref().and_then(kind),
            mistake_cards: mistake.map_or_else(Vec::new, |wire| wire.cards),
        }
    }
}

#[pymethods]
impl PyReviewedAction {
    fn __repr__(&self) -> String {
        let Self { seat, action, lost, .. } = self;
        let lost = lost.map_or_else(|| "unproved".to_owned(), |lost| lost.to_string());
        format!("<ReviewedAction: {seat} {action}, lost {lost}>")
    }
}
