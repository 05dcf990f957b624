//! Python class `Position`.

use overmate_rules::Position;
use pyo3::prelude::*;

use crate::deal::PyDeal;
use crate::outcome::PyOutcome;
use crate::rule_set::PyRuleSet;
use crate::words::{foreplaced_text, illegal, phase_word, read_action, read_seat, seat_word};

/// Position: all facts that decide the rest of a game, without the earlier actions.
#[pyclass(name = "Position", module = "overmate", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyPosition(pub(crate) Position);

#[pymethods]
impl PyPosition {
    /// Rule set of the position.
    #[getter]
    fn rules(&self) -> PyRuleSet {
        PyRuleSet(self.0.rules().clone())
    }

    /// Returns the cards in the hand of a seat.
    fn hand(&self, seat: &str) -> PyResult<Vec<String>> {
        Ok(overmate_json::cards(self.0.rules(), self.0.hand(read_seat(seat)?)))
    }

    /// Returns the card that a seat foreplaced, `-` for no card, or None before the decision.
    fn foreplaced(&self, seat: &str) -> PyResult<Option<String>> {
        Ok(foreplaced_text(self.0.rules(), self.0.foreplaced(read_seat(seat)?)))
    }

    /// Seat that leads, or has led, to the current move.
    #[getter]
    fn leader(&self) -> &'static str {
        seat_word(self.0.leader())
    }

    /// Card that was led and not yet answered; None without such a card.
    #[getter]
    fn lead(&self) -> Option<String> {
        self.0.lead().map(|lead| overmate_json::card(self.0.rules(), lead.card))
    }

    /// Whether the leader demanded an answer in rank.
    #[getter]
    fn demanded(&self) -> bool {
        self.0.lead().is_some_and(|lead| lead.demanded)
    }

    /// Number of completed moves.
    #[getter]
    fn moves(&self) -> u8 {
        self.0.moves()
    }

    /// Whether the free move of the game is used.
    #[getter]
    fn free_move_used(&self) -> bool {
        self.0.free_move_used()
    }

    /// Phase of the game: `foreplacing`, `lead`, `follow` or `over`.
    #[getter]
    fn phase(&self) -> &'static str {
        phase_word(self.0.phase())
    }

    /// Seat to act; None if the game is over.
    #[getter]
    fn to_act(&self) -> Option<&'static str> {
        self.0.to_act().map(seat_word)
    }

    /// Outcome of the game; None before its end.
    #[getter]
    fn outcome(&self) -> Option<PyOutcome> {
        self.0.outcome().map(|outcome| PyOutcome::new(self.0.rules(), &outcome))
    }

    /// Returns the distinct legal actions, in a fixed order.
    fn legal_actions(&self) -> Vec<String> {
        let rules = self.0.rules();
        self.0.legal_actions().map(|action| overmate_json::action(rules, action)).collect()
    }

    /// Plays actions in order, and returns the position after them.
    #[pyo3(signature = (*actions))]
    fn play(&self, actions: Vec<String>) -> PyResult<Self> {
        let mut position = self.0.clone();
        for text in actions {
            let action = read_action(position.rules(), &text)?;
            position = position.play(action).map_err(|error| illegal(&error.illegal))?;
        }
        Ok(Self(position))
    }

    /// Returns the reason why an action is not legal; None for a legal action.
    fn why_illegal(&self, action: &str) -> PyResult<Option<String>> {
        let action = read_action(self.0.rules(), action)?;
        Ok(self.0.check(action).err().map(|reason| reason.to_string()))
    }

    /// Returns a deal that gives each seat the cards of the position; None if there is no such deal.
    fn possible_deal(&self) -> Option<PyDeal> {
        self.0.possible_deal().map(PyDeal)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("RuleSet({:?}).read_position({:?})", self.0.rules().name(), self.0.to_string())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let rules = Bound::new(py, self.rules())?;
        Ok((rules.getattr("read_position")?, (self.0.to_string(),)))
    }
}
