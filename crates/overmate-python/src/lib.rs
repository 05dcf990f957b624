//! Defines the Python module `overmate._overmate`: rules, solver and bots of the card game *Mate* for research.
//!
//! The Python package `overmate` in the folder `python` re-exports this module. Each file holds the
//! classes of one topic. The classes wrap the types of the other crates. Only the kernel of
//! `VectorGames` implements the course of play a second time, with tables that are built from the rules.

#![allow(
    clippy::needless_pass_by_value,
    reason = "Python passes the arguments of functions by value"
)]

mod bots;
mod data;
mod errors;
mod game;
mod interrupt;
mod limits;
mod match_play;
mod outcome;
mod rule_set;
mod solver;
mod tablebase;
mod value;
mod vector;
mod view;
mod whole;
mod words;

use pyo3::prelude::*;

#[pymodule]
mod _overmate {
    use pyo3::prelude::*;

    /// Connects to NumPy when Python imports the module, so that Ctrl-C at this time raises an exception of the import.
    ///
    /// Without this call, the first use of an array connects. The crate `numpy` panics if Ctrl-C interrupts it there.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        numpy::get_array_module(module.py())?;
        // The capsule of the array functions is found without Python code, which Ctrl-C could interrupt.
        let _ = numpy::dtype::<i32>(module.py());
        Ok(())
    }

    #[pymodule_export]
    use crate::bots::{PyBot, PyChoice, PyPairingResult, arena, bots, exact_scores, play_match};
    #[pymodule_export]
    use crate::data::{read_data, write_data};
    #[pymodule_export]
    use crate::errors::{
        BotError, DataError, DealError, IllegalAction, MatchError, NotationError, OvermateError,
        PositionError, RecordError, RulesError, TablebaseError, TooLarge,
    };
    #[pymodule_export]
    use crate::game::PyGame;
    #[pymodule_export]
    use crate::match_play::{PyMatch, PyMatchResult, PyRecord};
    #[pymodule_export]
    use crate::outcome::{PyMove, PyOutcome};
    #[pymodule_export]
    use crate::rule_set::{PyDeal, PyPosition, PyRuleSet, catalogue};
    #[pymodule_export]
    use crate::solver::{PySolver, solve_deals};
    #[pymodule_export]
    use crate::tablebase::PyTablebase;
    #[pymodule_export]
    use crate::value::{PyAnalysis, PyReviewedAction, PyValue};
    #[pymodule_export]
    use crate::vector::games::PyVectorGames;
    #[pymodule_export]
    use crate::view::PyView;
    #[pymodule_export]
    use crate::whole::PyWholeGame;
}
