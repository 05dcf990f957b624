//! Defines the Python class `Game`: a game of one deal.

use overmate_rules::{Game, Outcome};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::limits::Items;
use crate::outcome::{PyMove, PyOutcome};
use crate::rule_set::{PyDeal, PyPosition, PyRuleSet};
use crate::view::PyView;
use crate::words::{illegal, phase_word, read_action, read_seat, read_viewer, seat_word};

/// Game of a given deal, with the actions that have been played. A game never changes: `play` returns a new
/// game.
#[pyclass(name = "Game", module = "overmate", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyGame(pub(crate) Game);

#[pymethods]
impl PyGame {
    /// Creates a game of a given deal, and plays the given actions.
    #[new]
    #[pyo3(signature = (deal, actions = Items(Vec::new()), *, resigned = None))]
    fn new(deal: &PyDeal, actions: Items<String>, resigned: Option<&str>) -> PyResult<Self> {
        let game = Self(Game::new(deal.0.clone())).play(actions.0)?;
        resigned.map_or(Ok(game.clone()), |seat| game.resign(seat))
    }

    /// Searches for a game that leads to a position; None if the search finds no game.
    #[staticmethod]
    fn leading_to(py: Python<'_>, position: &PyPosition) -> Option<Self> {
        py.detach(|| Game::leading_to(&position.0)).map(Self)
    }

    /// Rule set of the game.
    #[getter]
    fn rules(&self) -> PyRuleSet {
        PyRuleSet(self.0.rules().clone())
    }

    /// Deal of the game.
    #[getter]
    fn deal(&self) -> PyDeal {
        PyDeal(self.0.dealt().clone())
    }

    /// Actions that have been played, in notation.
    #[getter]
    fn actions(&self) -> Vec<String> {
        overmate_json::actions(self.0.rules(), self.0.actions())
    }

    /// Position after the actions that have been played.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition(self.0.position().clone())
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

    /// Returns the legal actions in notation, in a fixed order. Identical cards are named only once.
    fn legal_actions(&self) -> Vec<String> {
        let rules = self.0.rules();
        self.0.legal_actions().map(|action| overmate_json::action(rules, action)).collect()
    }

    /// Returns the reason why an action is not legal; None if the action is legal.
    fn why_illegal(&self, action: &str) -> PyResult<Option<String>> {
        let action = read_action(self.0.rules(), action)?;
        Ok(self.0.check(action).err().map(|reason| reason.to_string()))
    }

    /// Plays the given actions in order, and returns the resulting game.
    #[pyo3(signature = (*actions))]
    fn play(&self, actions: Vec<String>) -> PyResult<Self> {
        let mut game = self.0.clone();
        for text in actions {
            let action = read_action(game.rules(), &text)?;
            game = game.play(action).map_err(|error| illegal(&error.illegal))?;
        }
        Ok(Self(game))
    }

    /// Returns the finished game in which the given seat has resigned.
    fn resign(&self, seat: &str) -> PyResult<Self> {
        let game = self.0.clone().resign(read_seat(seat)?);
        game.map(Self).map_err(|error| illegal(&error.illegal))
    }

    /// Returns the game after its first `keep` actions, without the later actions.
    fn after(&self, keep: usize) -> Self {
        Self(self.0.after(keep))
    }

    /// Returns the moves (leads with their answers) that have been played.
    fn moves(&self) -> Vec<PyMove> {
        self.0.moves().iter().map(|played| PyMove::new(self.0.rules(), played)).collect()
    }

    /// Returns the view of the game by a seat or a `spectator`, without the cards that this viewer may not
    /// see.
    fn view(&self, viewer: &str) -> PyResult<PyView> {
        Ok(PyView(self.0.view(read_viewer(viewer)?)))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let Self(game) = self;
        format!("<Game {} {}: {game}>", game.rules().name(), game.dealt().number())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, GameParts)> {
        let resigned = match self.0.outcome() {
            Some(Outcome::Resigned { by }) => Some(seat_word(by)),
            Some(Outcome::Mate(_) | Outcome::Draw) | None => None,
        };
        let make = PyType::new::<Self>(py).getattr("_of_parts")?;
        Ok((make, (self.deal(), self.actions(), resigned)))
    }

    #[staticmethod]
    fn _of_parts(deal: &PyDeal, actions: Items<String>, resigned: Option<&str>) -> PyResult<Self> {
        Self::new(deal, actions, resigned)
    }
}

/// Deal and actions of a game, and the seat that resigned, from which `pickle` restores the game.
type GameParts = (PyDeal, Vec<String>, Option<&'static str>);
