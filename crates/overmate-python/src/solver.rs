//! Defines the Python class `Solver`, and a function that computes the values of many deals as an array.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use numpy::{IntoPyArray as _, PyArray1};
use overmate_rules::{Deal, Dealt, Game, RuleSet};
use overmate_solver::{Budget, MAX_TABLE_HAND, Solver};
use pyo3::prelude::*;

use crate::errors::{DealError, TooLarge, fault, raise};
use crate::game::PyGame;
use crate::interrupt::{self, Counts};
use crate::limits::{MAX_DEALS, checked_count};
use crate::rule_set::{PyPosition, PyRuleSet};
use crate::value::{PyAnalysis, PyReviewedAction, PyValue};

/// Number of deals that a thread solves between two checks of the cancel flag.
const BATCH: usize = 16;

/// Solver of positions and games. The solver keeps the table of position values of the last deal.
#[pyclass(name = "Solver", module = "overmate", frozen)]
#[derive(Default)]
pub(crate) struct PySolver(Mutex<Solver>);

/// Deal numbers from Python: an array of integers, or a sequence such as a range, with at most [`MAX_DEALS`] numbers.
pub(crate) struct Numbers(pub(crate) Vec<u64>);

impl<'py> FromPyObject<'_, 'py> for Numbers {
    type Error = PyErr;

    /// Converts the items of a Python array or sequence to deal numbers, one by one. The conversion of a whole array of another type would
    /// truncate fractions and wrap negative numbers.
    fn extract(deals: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let read = |number: PyResult<Bound<'py, PyAny>>| {
            let number = number?;
            number.extract().map_err(|_| {
                fault(format!(
                    "`{number}` is not a deal number: give integers from 0 on, below the number of deals"
                ))
            })
        };
        let check = |count| checked_count(count, "deal numbers", MAX_DEALS);
        check(deals.len().unwrap_or_default())?;
        // An iterator without a length may have no end.
        let numbers = deals.try_iter()?.take(MAX_DEALS + 1).map(read);
        let numbers = numbers.collect::<PyResult<Vec<_>>>()?;
        check(numbers.len())?;
        Ok(Self(numbers))
    }
}

/// Game or position whose value is to be computed.
#[derive(FromPyObject)]
pub(crate) enum Solvable {
    /// Game with its deal and all its earlier actions.
    Game(PyGame),
    /// Position of a game, without the deal and without the earlier actions.
    Position(PyPosition),
}

impl Solvable {
    /// Returns the position to be solved. For a game, this is the game's current position.
    pub(crate) fn position(&self) -> &overmate_rules::Position {
        match self {
            Self::Game(game) => game.0.position(),
            Self::Position(position) => &position.0,
        }
    }

    /// Returns the outcome of the game, or `None` before the end of the game.
    pub(crate) fn outcome(&self) -> Option<overmate_rules::Outcome> {
        match self {
            Self::Game(game) => game.0.outcome(),
            Self::Position(position) => position.0.outcome(),
        }
    }
}

/// Validates a caller's number of threads, and replaces 0 by 1. The maximum is that of the command line.
pub(crate) fn checked_threads(threads: usize) -> PyResult<usize> {
    Ok(checked_count(threads, "threads", Budget::MAX_THREADS.into())?.max(1))
}

/// Creates the budget of a search from a node limit, a time limit in seconds and a number of threads.
pub(crate) fn budget(nodes: Option<u64>, seconds: Option<f64>, threads: usize) -> PyResult<Budget> {
    let mut budget = Budget::unlimited().with_threads(checked_threads(threads)?);
    if let Some(nodes) = nodes {
        budget = budget.with_nodes(nodes);
    }
    if let Some(seconds) = seconds {
        let time = Duration::try_from_secs_f64(seconds);
        let time = time.map_err(|error| {
            fault(format!("`{seconds}` is not a time limit in seconds: {error}"))
        })?;
        budget = budget.with_time(time);
    }
    Ok(budget)
}

impl PySolver {
    /// Runs a search that Ctrl-C can stop. A search with at most ten cards in a hand takes milliseconds and runs in the
    /// calling thread.
    fn search<T: Send>(
        &self,
        py: Python<'_>,
        rules: &RuleSet,
        budget: Budget,
        work: impl FnOnce(&mut Solver, &Budget) -> T + Send,
    ) -> PyResult<T> {
        let locked = |budget: &Budget| {
            work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner), budget)
        };
        if rules.hand_size() <= MAX_TABLE_HAND {
            return Ok(py.detach(|| locked(&budget)));
        }
        let stop = Arc::new(AtomicBool::new(false));
        let budget = budget.with_stop(Arc::clone(&stop));
        interrupt::run_with_flag(py, &stop, None, |_| locked(&budget))
    }
}

#[pymethods]
impl PySolver {
    /// Creates a solver that has not solved any deal yet.
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Returns the value of a game or position, without the values of the single actions.
    #[pyo3(signature = (state, *, nodes = None, seconds = None, threads = 1))]
    fn value(
        &self,
        py: Python<'_>,
        state: Solvable,
        nodes: Option<u64>,
        seconds: Option<f64>,
        threads: usize,
    ) -> PyResult<PyValue> {
        if let Some(outcome) = state.outcome() {
            return Ok(overmate_solver::Value::Exact(outcome.into()).into());
        }
        let position = state.position();
        let budget = budget(nodes, seconds, threads)?;
        let search = |solver: &mut Solver, budget: &Budget| solver.value(position, budget);
        Ok(self.search(py, position.rules(), budget, search)?.into())
    }

    /// Analyses a game or position: returns its value, the values of all legal actions, and a principal variation.
    #[pyo3(signature = (state, *, nodes = None, seconds = None, threads = 1))]
    fn analyse(
        &self,
        py: Python<'_>,
        state: Solvable,
        nodes: Option<u64>,
        seconds: Option<f64>,
        threads: usize,
    ) -> PyResult<PyAnalysis> {
        let rules = state.position().rules().clone();
        let budget = budget(nodes, seconds, threads)?;
        let analysis = self.search(py, &rules, budget, |solver, budget| match &state {
            Solvable::Game(game) => solver.analyse(&game.0, budget),
            Solvable::Position(position) => solver.analyse_position(&position.0, budget),
        })?;
        Ok(PyAnalysis::new(&rules, &analysis))
    }

    /// Reviews a game: returns the points that each action lost against best play.
    #[pyo3(signature = (game, *, nodes = None, seconds = None, threads = 1))]
    fn review(
        &self,
        py: Python<'_>,
        game: &PyGame,
        nodes: Option<u64>,
        seconds: Option<f64>,
        threads: usize,
    ) -> PyResult<Vec<PyReviewedAction>> {
        let (rules, game) = (game.0.rules(), &game.0);
        let budget = budget(nodes, seconds, threads)?;
        let review =
            self.search(py, rules, budget, |solver, budget| solver.review(game, budget))?;
        Ok(review.actions.iter().map(|action| PyReviewedAction::new(rules, action)).collect())
    }
}

/// Returns the deals of a rule set with the given deal numbers.
pub(crate) fn numbered(rules: &Arc<RuleSet>, numbers: &Numbers) -> PyResult<Vec<Dealt>> {
    let dealt: Result<_, _> =
        numbers.0.iter().map(|&number| Deal::numbered(rules, number)).collect();
    dealt.map_err(|error| raise::<DealError>(&error))
}

/// Returns an array with the values of the given deals, in points for the seat *first* under best play.
///
/// During the computation, other Python threads can run. `progress` is called with the number of solved deals and the number of
/// all deals. Ctrl-C stops the computation.
#[pyfunction]
#[pyo3(signature = (rules, deals, *, threads = 1, progress = None))]
pub(crate) fn solve_deals<'py>(
    py: Python<'py>,
    rules: &PyRuleSet,
    deals: Numbers,
    threads: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<i32>>> {
    let (rules, threads) = (&rules.0, checked_threads(threads)?);
    let hand_size = rules.hand_size();
    if hand_size > MAX_TABLE_HAND {
        return Err(raise::<TooLarge>(&overmate_solver::TooManyCards { hand_size }));
    }
    let dealt = numbered(rules, &deals)?;
    let values = interrupt::run(py, progress.as_ref(), |stop, counts| {
        values_of(&dealt, threads, stop, counts)
    })?;
    Ok(values.into_pyarray(py))
}

/// Computes the values of deals on several threads. After a cancellation, deals that are not yet solved have the value 0.
fn values_of(deals: &[Dealt], threads: usize, stop: &AtomicBool, counts: &Counts) -> Vec<i32> {
    let total = deals.len();
    counts.set(0, total as u64);
    let mut values = vec![0; total];
    let pieces = Mutex::new(deals.chunks(BATCH).zip(values.chunks_mut(BATCH)));
    let next = || pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        let mut solver = Solver::new();
        while let Some((deals, values)) = next()
            && !stop.load(Ordering::Relaxed)
        {
            for (dealt, value) in deals.iter().zip(&mut *values) {
                let game = Game::new(dealt.clone());
                let found = solver.value(game.position(), &Budget::unlimited());
                *value = found.at_least().points();
            }
            counts.add(values.len() as u64);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    values
}
