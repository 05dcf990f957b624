//! Defines the Python class `View`: a game as a seat or a spectator sees it.

use overmate_rules::{Seen, View};
use pyo3::prelude::*;

use crate::outcome::PyOutcome;
use crate::rule_set::{PyDeal, PyRuleSet};
use crate::words::{foreplaced_text, phase_word, read_seat, seat_word, viewer_word};

/// View of a game, with only the information that one player or a spectator may have.
#[pyclass(name = "View", module = "overmate", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyView(pub(crate) View);

#[pymethods]
impl PyView {
    /// Rule set of the game.
    #[getter]
    fn rules(&self) -> PyRuleSet {
        PyRuleSet(self.0.rules().clone())
    }

    /// Viewer of the game, who is `first`, `second` or `spectator`.
    #[getter]
    fn viewer(&self) -> &'static str {
        viewer_word(self.0.viewer())
    }

    /// Deal of the game. Both players know all cards of the deal.
    #[getter]
    fn deal(&self) -> PyDeal {
        PyDeal(self.0.dealt().clone())
    }

    /// Actions that have been played, in notation, with `(?)` for a hidden foreplaced card.
    #[getter]
    fn actions(&self) -> Vec<String> {
        let rules = self.0.rules();
        let text = |seen: &Seen| match seen {
            Seen::Action(action) => overmate_json::action(rules, *action),
            Seen::FaceDown => "(?)".to_owned(),
        };
        self.0.actions().iter().map(text).collect()
    }

    /// Returns the cards in the hand of a seat, plus any face-down card of the seat that is hidden from the viewer.
    fn hand(&self, seat: &str) -> PyResult<Vec<String>> {
        Ok(overmate_json::cards(self.0.rules(), self.0.hand(read_seat(seat)?)))
    }

    /// Returns the card that a seat foreplaced, `-` if the seat declined, `(?)` for a hidden card, or None before the seat's
    /// choice.
    fn foreplaced(&self, seat: &str) -> PyResult<Option<String>> {
        Ok(foreplaced_text(self.0.rules(), self.0.foreplaced(read_seat(seat)?)))
    }

    /// Returns the cards that may be the face-down card of a seat; empty if no card of the seat is hidden.
    fn candidates(&self, seat: &str) -> PyResult<Vec<String>> {
        let cards = self.0.candidates(read_seat(seat)?);
        Ok(cards.into_iter().map(|card| overmate_json::card(self.0.rules(), card)).collect())
    }

    /// Seat that has to lead, or has led, in the current move.
    #[getter]
    fn leader(&self) -> &'static str {
        seat_word(self.0.leader())
    }

    /// Led card that is not answered yet; None without such a card.
    #[getter]
    fn lead(&self) -> Option<String> {
        self.0.lead().map(|lead| overmate_json::card(self.0.rules(), lead.card))
    }

    /// Whether the leader demanded an answer in the rank of the led card.
    #[getter]
    fn demanded(&self) -> bool {
        self.0.lead().is_some_and(|lead| lead.demanded)
    }

    /// Number of completed moves in the game.
    #[getter]
    fn moves(&self) -> u8 {
        self.0.moves()
    }

    /// Whether a player has used the free move of the game.
    #[getter]
    fn free_move_used(&self) -> bool {
        self.0.free_move_used()
    }

    /// Phase of the game, which is one of `foreplacing`, `lead`, `follow` or `over`.
    #[getter]
    fn phase(&self) -> &'static str {
        phase_word(self.0.phase())
    }

    /// Seat whose turn it is; None after the end of the game.
    #[getter]
    fn to_act(&self) -> Option<&'static str> {
        self.0.to_act().map(seat_word)
    }

    /// Outcome of the game; None before the end of the game.
    #[getter]
    fn outcome(&self) -> Option<PyOutcome> {
        self.0.outcome().map(|outcome| PyOutcome::new(self.0.rules(), outcome))
    }

    /// Returns the legal actions of the viewer; empty if it is not the viewer's turn.
    fn legal_actions(&self) -> Vec<String> {
        let rules = self.0.rules();
        self.0.legal_actions().map(|action| overmate_json::action(rules, action)).collect()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<View of {}, {}: {}>", self.viewer(), self.0.rules().name(), self.0)
    }
}
