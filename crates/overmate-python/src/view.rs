//! Python class `View`.

use overmate_rules::{Seen, View};
use pyo3::prelude::*;

use crate::outcome::PyOutcome;
use crate::rule_set::{PyDeal, PyRuleSet};
use crate::shared_methods::{state_methods, table_methods};
use crate::words::{foreplaced_text, phase_word, read_seat, seat_word, viewer_word};

/// What one player or a spectator may know of a game.
#[pyclass(name = "View", module = "overmate", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyView(pub(crate) View);

state_methods!(PyView);
table_methods!(PyView);

#[pymethods]
impl PyView {
    /// Rule set of the game.
    #[getter]
    fn rules(&self) -> PyRuleSet {
        PyRuleSet(self.0.rules().clone())
    }

    /// Viewer: `first`, `second` or `spectator`.
    #[getter]
    fn viewer(&self) -> &'static str {
        viewer_word(self.0.viewer())
    }

    /// Deal of the game, which both players know.
    #[getter]
    fn deal(&self) -> PyDeal {
        PyDeal(self.0.dealt().clone())
    }

    /// Actions so far, with `(?)` for a hidden card.
    #[getter]
    fn actions(&self) -> Vec<String> {
        let rules = self.0.rules();
        let text = |seen: &Seen| match seen {
            Seen::Action(action) => overmate_json::action(rules, *action),
            Seen::FaceDown => "(?)".to_owned(),
        };
        self.0.actions().iter().map(text).collect()
    }

    /// Returns the cards that the hidden card of a seat can be; empty without a hidden card.
    fn candidates(&self, seat: &str) -> PyResult<Vec<String>> {
        let cards = self.0.candidates(read_seat(seat)?);
        Ok(cards.into_iter().map(|card| overmate_json::card(self.0.rules(), card)).collect())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<View of {}, {}: {}>", self.viewer(), self.0.rules().name(), self.0)
    }
}
