//! Converts seats, players, viewers, phases and actions to strings for Python, and parses such strings.

use overmate_rules::{Action, Foreplaced, Phase, Player, RuleSet, Seat, Viewer};
use pyo3::prelude::*;

use crate::errors::{IllegalAction, NotationError, fault, raise};

/// Returns the Python string for a seat, which is `first` or `second`.
pub(crate) fn seat_word(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "first",
        Seat::Second => "second",
    }
}

/// Parses the Python string for a seat.
pub(crate) fn read_seat(word: &str) -> PyResult<Seat> {
    match word {
        "first" => Ok(Seat::First),
        "second" => Ok(Seat::Second),
        _ => Err(fault(format!("`{word}` is not a seat: write `first` or `second`"))),
    }
}

/// Returns the Python string for a player of a match, which is `A` or `B`.
pub(crate) fn player_word(player: Player) -> &'static str {
    match player {
        Player::A => "A",
        Player::B => "B",
    }
}

/// Parses the Python string for a player of a match.
pub(crate) fn read_player(word: &str) -> PyResult<Player> {
    match word {
        "A" => Ok(Player::A),
        "B" => Ok(Player::B),
        _ => Err(fault(format!("`{word}` is not a player: write `A` or `B`"))),
    }
}

/// Returns the Python string for a viewer, which is `first`, `second` or `spectator`.
pub(crate) fn viewer_word(viewer: Viewer) -> &'static str {
    match viewer {
        Viewer::Seat(seat) => seat_word(seat),
        Viewer::Spectator => "spectator",
    }
}

/// Parses the name of a viewer of a game, given as the Python string `first`, `second` or `spectator`.
pub(crate) fn read_viewer(word: &str) -> PyResult<Viewer> {
    match word {
        "first" => Ok(Viewer::Seat(Seat::First)),
        "second" => Ok(Viewer::Seat(Seat::Second)),
        "spectator" => Ok(Viewer::Spectator),
        _ => {
            let hint = "write `first`, `second` or `spectator`";
            Err(fault(format!("`{word}` is not a viewer: {hint}")))
        }
    }
}

/// Returns the Python string for a phase of a game.
pub(crate) fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Foreplacing(_) => "foreplacing",
        Phase::Lead(_) => "lead",
        Phase::Follow(_) => "follow",
        Phase::Over => "over",
    }
}

/// Returns the notation of a foreplaced card, `-` if the seat declined, `(?)` for a hidden card, or `None` before the seat's
/// choice.
pub(crate) fn foreplaced_text(rules: &RuleSet, foreplaced: Foreplaced) -> Option<String> {
    match foreplaced {
        Foreplaced::Undecided => None,
        Foreplaced::Nothing => Some("-".to_owned()),
        Foreplaced::Card(card) => Some(overmate_json::card(rules, card)),
        Foreplaced::FaceDown => Some("(?)".to_owned()),
    }
}

/// Parses an action in the notation of a rule set.
pub(crate) fn read_action(rules: &RuleSet, text: &str) -> PyResult<Action> {
    rules.read_action(text).map_err(|error| raise::<NotationError>(&error))
}

/// Returns a Python exception with the reason why an action is not legal.
pub(crate) fn illegal(reason: &overmate_rules::Illegal) -> PyErr {
    raise::<IllegalAction>(reason)
}

/// Converts a JSON value to Python dictionaries, lists, numbers and strings.
pub(crate) fn json<'py>(py: Python<'py>, value: &serde_json::Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (value.to_string(),))
}
