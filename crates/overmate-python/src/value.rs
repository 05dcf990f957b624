//! Defines the Python classes for exact values. These classes are `Value`, `Analysis` and `ReviewedAction`.

use overmate_json::MistakeWire;
use overmate_rules::RuleSet;
use overmate_solver::{Analysis, ReviewedAction, Value, ValueForFirst};
use pyo3::prelude::*;

use crate::errors::fault;
use crate::words::seat_word;

/// Proved final points of the seat *first* under best play: an exact number, or two bounds.
#[pyclass(name = "Value", module = "overmate", frozen, eq, hash, get_all)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyValue {
    /// Exact points of the seat *first*; None if only bounds are proved.
    exact: Option<i32>,
    /// Proved lower bound on the final points of the seat *first*.
    low: i32,
    /// Proved upper bound on the final points of the seat *first*.
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

/// Analysis of a position: its value, the value of each legal action, and a principal variation.
#[pyclass(name = "Analysis", module = "overmate", frozen, eq, get_all)]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PyAnalysis {
    /// Value of the analysed position.
    value: PyValue,
    /// Legal actions in a fixed order, each with the value of the position after the action.
    actions: Vec<(String, PyValue)>,
    /// Principal variation: actions of both players that are proved to be best play.
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

/// Action of a reviewed game, with the values before and after the action, and the lost points.
#[pyclass(name = "ReviewedAction", module = "overmate", frozen, eq, get_all)]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PyReviewedAction {
    /// Seat that took the reviewed action.
    seat: &'static str,
    /// Action under review, in notation.
    action: String,
    /// Value of the position before the reviewed action.
    before: PyValue,
    /// Value of the position after the reviewed action.
    after: PyValue,
    /// Points that the action lost against best play; None if the loss is not proved.
    lost: Option<u32>,
    /// Actions that provably lose no points against best play.
    best: Vec<String>,
    /// Kind of mistake in the reviewed action; None if the action lost no points or if no known kind applies.
    mistake: Option<String>,
    /// Cards to which the description of the mistake refers; empty for a kind of mistake without cards.
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
