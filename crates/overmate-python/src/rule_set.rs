//! Defines the Python classes `RuleSet`, `Deal` and `Position`, and the list of published rule sets.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use overmate_json::RuleFacts;
use overmate_rules::{Deal, DealSource as _, Dealt, Position, RuleSet, SeededDeals};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::errors::{DealError, NotationError, PositionError, RulesError, fault, raise};
use crate::interrupt;
use crate::limits::{MAX_DEALS, checked_count};
use crate::outcome::PyOutcome;
use crate::words::{foreplaced_text, illegal, json, phase_word, read_action, read_seat, seat_word};

/// Rules of a game: a published rule set by its name, or a custom rule set in TOML.
#[pyclass(name = "RuleSet", module = "overmate", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyRuleSet(pub(crate) Arc<RuleSet>);

#[pymethods]
impl PyRuleSet {
    /// Returns the published rule set with the given name, such as `pagat+free-move`.
    #[new]
    #[pyo3(signature = (name = "sackson"))]
    fn new(name: &str) -> PyResult<Self> {
        let rules = RuleSet::named(name).map_err(|error| raise::<RulesError>(&error))?;
        Ok(Self(rules.shared()))
    }

    /// Parses a custom rule set in TOML.
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

    /// Cards of the deck in notation, ordered by suit and rank from high to low.
    #[getter]
    fn cards(&self) -> Vec<String> {
        overmate_json::cards(&self.0, self.0.deck().all())
    }

    /// Number of cards in a dealt hand.
    #[getter]
    fn hand_size(&self) -> u8 {
        self.0.hand_size()
    }

    /// Number of rounds in a match; each round has two games.
    #[getter]
    fn rounds(&self) -> u8 {
        self.0.rounds()
    }

    /// Number of different deals of the rule set's deck. Deal numbers begin at 0.
    #[getter]
    fn deal_count(&self) -> u64 {
        Dealt::count(&self.0)
    }

    /// Returns the rule set as a dictionary, with the fields that `overmate rules --json` prints.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let facts = serde_json::to_value(RuleFacts::new(&self.0));
        json(py, &facts.map_err(|error| fault(error.to_string()))?)
    }

    /// Returns the deal with the given deal number.
    fn deal(&self, number: u64) -> PyResult<PyDeal> {
        Deal::numbered(&self.0, number).map(PyDeal).map_err(|error| raise::<DealError>(&error))
    }

    /// Returns the first `count` deals of the sequence of deals that a random seed determines, at most 10,000,000 deals.
    fn deals(&self, py: Python<'_>, seed: u64, count: usize) -> PyResult<Vec<PyDeal>> {
        let count = checked_count(count, "deals", MAX_DEALS)?;
        let mut source = SeededDeals::new(seed);
        interrupt::run(py, None, |stop, _| {
            let wanted = (0..count).take_while(|_| !stop.load(Ordering::Relaxed));
            wanted.map(|_| PyDeal(source.next_deal(&self.0))).collect()
        })
    }

    /// Parses a deal such as `Tc Kc … / Ac 7c …`, with the hand of the seat *first* before the slash.
    fn read_deal(&self, text: &str) -> PyResult<PyDeal> {
        let deal = self.0.read_deal(text).map_err(|error| raise::<NotationError>(&error))?;
        deal.validate(&self.0).map(PyDeal).map_err(|error| raise::<DealError>(&error))
    }

    /// Parses the notation of a position.
    fn read_position(&self, text: &str) -> PyResult<PyPosition> {
        let setup = self.0.read_position(text).map_err(|error| raise::<NotationError>(&error))?;
        let position = setup.validate(&self.0);
        position.map(PyPosition).map_err(|error| raise::<PositionError>(&error))
    }

    /// Parses an action, and returns its canonical notation, such as `Tc` for `10♣`.
    fn read_action(&self, text: &str) -> PyResult<String> {
        Ok(overmate_json::action(&self.0, read_action(&self.0, text)?))
    }

    /// Parses actions that are separated by spaces, and returns their canonical notation.
    fn read_actions(&self, text: &str) -> PyResult<Vec<String>> {
        let actions = self.0.read_actions(text).map_err(|error| raise::<NotationError>(&error))?;
        Ok(overmate_json::actions(&self.0, &actions))
    }

    /// Parses a rule set in TOML, as `from_toml` does, but also accepts the name of a published rule set with other rules. A record may
    /// hold such a rule set.
    #[staticmethod]
    fn _from_toml_of_any_name(text: &str) -> PyResult<Self> {
        let rules = RuleSet::from_toml_of_any_name(text);
        Ok(Self(rules.map_err(|error| raise::<RulesError>(&error))?.shared()))
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
            _ => Ok((class.getattr("_from_toml_of_any_name")?, (self.0.to_toml(),))),
        }
    }
}

/// Returns the names of all published rule sets, each also with every allowed combination of variations.
#[pyfunction]
pub(crate) fn catalogue() -> Vec<String> {
    RuleSet::catalogue().iter().map(|rules| rules.name().to_owned()).collect()
}

/// Deal: the hands of the seats *first* and *second*, which together contain the whole deck.
#[pyclass(name = "Deal", module = "overmate", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyDeal(pub(crate) Dealt);

#[pymethods]
impl PyDeal {
    /// Rule set whose deck is dealt.
    #[getter]
    fn rules(&self) -> PyRuleSet {
        PyRuleSet(self.0.rules().clone())
    }

    /// Number that identifies the deal among all deals of the rule set.
    #[getter]
    fn number(&self) -> u64 {
        self.0.number()
    }

    /// Returns the cards that were dealt to a seat, in notation.
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

/// Position of a game: the information on which the rest of the game depends, without the earlier actions.
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

    /// Returns the cards that a seat holds in the position.
    fn hand(&self, seat: &str) -> PyResult<Vec<String>> {
        Ok(overmate_json::cards(self.0.rules(), self.0.hand(read_seat(seat)?)))
    }

    /// Returns the card that a seat foreplaced, `-` if the seat declined, or None before the seat's choice.
    fn foreplaced(&self, seat: &str) -> PyResult<Option<String>> {
        Ok(foreplaced_text(self.0.rules(), self.0.foreplaced(read_seat(seat)?)))
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

    /// Returns the legal actions in notation, in a fixed order. Identical cards are named only once.
    fn legal_actions(&self) -> Vec<String> {
        let rules = self.0.rules();
        self.0.legal_actions().map(|action| overmate_json::action(rules, action)).collect()
    }

    /// Plays the given actions in order, and returns the resulting position.
    #[pyo3(signature = (*actions))]
    fn play(&self, actions: Vec<String>) -> PyResult<Self> {
        let mut position = self.0.clone();
        for text in actions {
            let action = read_action(position.rules(), &text)?;
            position = position.play(action).map_err(|error| illegal(&error.illegal))?;
        }
        Ok(Self(position))
    }

    /// Returns the reason why an action is not legal; None if the action is legal.
    fn why_illegal(&self, action: &str) -> PyResult<Option<String>> {
        let action = read_action(self.0.rules(), action)?;
        Ok(self.0.check(action).err().map(|reason| reason.to_string()))
    }

    /// Returns a deal that gives each seat the cards that the seat holds, leads or has foreplaced in the position; None
    /// if there is no such deal.
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
