//! Defines the Python classes `Outcome` and `Move`.

use overmate_rules::{Move, Outcome, RuleSet};
use pyo3::prelude::*;

use crate::words::seat_word;

/// Outcome of a finished game, which is a mate, a draw or a resignation.
#[pyclass(name = "Outcome", module = "overmate", frozen, eq, hash, get_all)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyOutcome {
    /// Kind of the outcome, which is one of `mate`, `overmate`, `draw` or `resignation`.
    kind: &'static str,
    /// Seat that gave mate or resigned; None after a draw.
    by: Option<&'static str>,
    /// Card that gave mate, in notation; None without a mate.
    card: Option<String>,
    /// Value of the mating card: the points of a mate in move 1 with this card, without any bonus; None without a mate.
    value: Option<u16>,
    /// Number of the move in which the mate was given, from 1; None without a mate.
    r#move: Option<u8>,
    /// Factor by which the value of the mating card is multiplied; None without a mate.
    factor: Option<u16>,
    /// Points of the seat that gave mate; 0 after a draw or a resignation.
    points: i32,
    /// Points of the game for the seat *first*; negative if the seat *second* scored.
    points_for_first: i32,
    /// Seat that won the game; None after a draw.
    winner: Option<&'static str>,
}

impl PyOutcome {
    pub(crate) fn new(rules: &RuleSet, outcome: Outcome) -> Self {
        let points_for_first = outcome.points_for_first();
        let none = Self {
            kind: "draw",
            by: None,
            card: None,
            value: None,
            r#move: None,
            factor: None,
            points: points_for_first.abs(),
            points_for_first,
            winner: outcome.winner().map(seat_word),
        };
        match outcome {
            Outcome::Mate(mate) => Self {
                kind: if mate.overmate { "overmate" } else { "mate" },
                by: Some(seat_word(mate.by)),
                card: Some(overmate_json::card(rules, mate.card)),
                value: Some(mate.value),
                r#move: Some(mate.move_number),
                factor: Some(mate.factor()),
                ..none
            },
            Outcome::Draw => none,
            Outcome::Resigned { by } => {
                Self { kind: "resignation", by: Some(seat_word(by)), ..none }
            }
        }
    }
}

#[pymethods]
impl PyOutcome {
    fn __repr__(&self) -> String {
        let Self { kind, by, points_for_first, .. } = self;
        let by = by.map_or_else(String::new, |by| format!(" by {by}"));
        format!("<Outcome: {kind}{by}, {points_for_first} points for first>")
    }
}

/// Move of a game: a lead and its answer.
#[pyclass(name = "Move", module = "overmate", frozen, eq, hash, get_all)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyMove {
    /// Number of the move in the game, from 1.
    number: u8,
    /// Seat that led the card.
    leader: &'static str,
    /// Led card, in notation.
    lead: String,
    /// Whether the leader of the move demanded an answer in the rank of the led card.
    demanded: bool,
    /// Card that answered the lead; None before the answer and after a mate.
    answer: Option<String>,
    /// Whether the follower used the free move for the answer.
    free: bool,
    /// Seat that won the move; None before the answer and after a mate.
    winner: Option<&'static str>,
}

impl PyMove {
    pub(crate) fn new(rules: &RuleSet, played: &Move) -> Self {
        Self {
            number: played.number,
            leader: seat_word(played.leader),
            lead: overmate_json::card(rules, played.lead),
            demanded: played.demanded,
            answer: played.answer.map(|card| overmate_json::card(rules, card)),
            free: played.free,
            winner: played.winner.map(seat_word),
        }
    }
}

#[pymethods]
impl PyMove {
    fn __repr__(&self) -> String {
        let Self { number, leader, lead, answer, .. } = self;
        format!("<Move {number}: {leader} leads {lead}, {}>", answer.as_deref().unwrap_or("-"))
    }
}
