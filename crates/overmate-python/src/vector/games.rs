//! Defines the Python class `VectorGames`: a batch of games, in which each call of `step` plays one action per game.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};

use numpy::{
    IntoPyArray as _, PyArray1, PyArray2, PyArrayMethods as _, PyUntypedArrayMethods as _,
};
use overmate_rules::{Action, Deal, Dealt, Game, Position, RuleSet, Seat};
use overmate_solver::{DealTable, MAX_TABLE_HAND};
use pyo3::prelude::*;

use super::kernel::{BUFFER, Kernel, State};
use crate::errors::{IllegalAction, TooLarge, fault, raise};
use crate::interrupt;
use crate::limits::checked_count;
use crate::rule_set::PyRuleSet;
use crate::solver::{Numbers, checked_threads, numbered};
use crate::words::{read_action, read_seat};

/// Maximum number of games in a batch. A game takes less than 1 kB, with its rows of the arrays.
const MAX_GAMES: usize = 1 << 20;

/// Maximum number of games in a batch with exact values. The values of a game take up to 8.4 MB.
const MAX_GAMES_WITH_REGRET: usize = 1 << 12;

/// Game in a batch, with its random number generators and, if requested, the exact values of its positions.
struct Slot {
    state: State,
    /// State of the random number generator for deals.
    deals: u64,
    /// State of the random number generator for random legal actions.
    chances: u64,
    exact: Option<Box<(DealTable, Position)>>,
}

/// Consecutive games of a batch, with the array rows for the observations, rewards and other values of these games.
/// Each thread writes the rows of one such group of games.
struct Stretch<'a> {
    slots: &'a mut [Slot],
    observations: &'a mut [u8],
    masks: &'a mut [bool],
    seats: &'a mut [u8],
    rewards: &'a mut [i32],
    dones: &'a mut [bool],
    regrets: &'a mut [i32],
}

/// Batch of games of one rule set. Each call of `step` plays one action in every game.
///
/// The arrays `observations`, `masks`, `seats`, `rewards`, `dones` and `regrets` have one row for each game, and `step`
/// writes them in place. A finished game is replaced by a new game at once; its reward and its mark in `dones` stand until
/// the next step. A call that uses the games raises an exception while such a call runs in another thread.
#[pyclass(name = "VectorGames", module = "overmate", frozen)]
pub(crate) struct PyVectorGames {
    kernel: Kernel,
    /// Games of the batch. Each call that uses them holds the lock.
    slots: Mutex<Vec<Slot>>,
    /// Number of games in the batch.
    games: usize,
    threads: usize,
    /// Observation of each game from the viewpoint of the player whose turn it is, one row for each game.
    #[pyo3(get)]
    observations: Py<PyArray2<u8>>,
    /// Mask of the legal actions, one row for each game.
    #[pyo3(get)]
    masks: Py<PyArray2<bool>>,
    /// Numbers of the seats whose turn it is, one for each game: 0 for the seat *first*, 1 for the seat *second*.
    #[pyo3(get)]
    seats: Py<PyArray1<u8>>,
    /// Points for the seat *first* in each game that the latest call of `step` ended; 0 for all other games.
    #[pyo3(get)]
    rewards: Py<PyArray1<i32>>,
    /// Whether the latest call of `step` ended the game, one Boolean value for each game.
    #[pyo3(get)]
    dones: Py<PyArray1<bool>>,
    /// Points that the latest action in each game lost against best play; zeros unless `regret=True` was given.
    #[pyo3(get)]
    regrets: Py<PyArray1<i32>>,
}

/// Returns the next random number of the `SplitMix64` generator (Steele, Lea and Flood, 2014).
fn next_random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl Slot {
    /// Creates a game whose random numbers depend only on the seed and on the index of the game.
    fn new(kernel: &Kernel, seed: u64, index: u64, has_regret: bool) -> Self {
        let mut source = seed;
        let mut mixed = next_random(&mut source) ^ index.wrapping_mul(0xd6e8_feb8_6659_fd93);
        let (mut deals, chances) = (next_random(&mut mixed), next_random(&mut mixed));
        let state = kernel.start(kernel.random_hand(|| next_random(&mut deals)));
        let mut slot = Self { state, deals, chances, exact: None };
        if has_regret {
            slot.solve(kernel);
        }
        slot
    }

    fn deal_again(&mut self, kernel: &Kernel) {
        self.state = kernel.start(kernel.random_hand(|| next_random(&mut self.deals)));
        if self.exact.is_some() {
            self.solve(kernel);
        }
    }

    /// Computes the exact values of all positions of the current deal, to find out how many points each action loses.
    fn solve(&mut self, kernel: &Kernel) {
        let dealt = dealt(kernel, &self.state);
        let table = DealTable::with_all_cards_open(&dealt);
        let start = Position::start(&dealt);
        self.exact = table.ok().map(|table| Box::new((table, start)));
    }

    /// Returns the points that `action` loses against best play in the current position, or 0 if no exact values were computed. Also
    /// plays the action in the position that is kept with the exact values.
    fn regret(&mut self, action: Action) -> i32 {
        let Some((table, position)) = self.exact.as_deref_mut() else { return 0 };
        let seat = position.to_act();
        let values = table.action_values(position).unwrap_or_default();
        let for_actor = |(action, value): &(Action, overmate_solver::ValueForFirst)| {
            (*action, seat.map_or(0, |seat| value.for_seat(seat)))
        };
        let values: Vec<_> = values.iter().map(for_actor).collect();
        let best = values.iter().map(|(_, value)| *value).max().unwrap_or_default();
        let taken = values.iter().find(|(other, _)| *other == action);
        if let Ok(after) = position.clone().play(action) {
            *position = after;
        }
        best - taken.map_or(best, |(_, value)| *value)
    }
}

/// Returns the deal with which a game began, given a state of the game.
fn dealt(kernel: &Kernel, state: &State) -> Dealt {
    let (rules, deck) = (&kernel.rules, kernel.rules.deck());
    let first = state.dealt();
    let hands = Deal {
        first: deck.cards_of(first).collect(),
        second: deck.cards_of(deck.all() - first).collect(),
    };
    hands.validate(rules).expect("half of the deck's cards and the other half form a deal")
}

impl Stretch<'_> {
    /// Plays one action in each game, and updates the arrays of observations, legal actions and results. The error is
    /// the index of the first game whose action is not legal. The games before this game have then played their actions. After a
    /// cancellation, later games have not played their actions.
    fn step(&mut self, kernel: &Kernel, actions: &[i64], stop: &AtomicBool) -> Result<(), usize> {
        let played = self.play(kernel, actions, stop);
        self.observe(kernel);
        played
    }

    /// Plays one action in each game, and updates the arrays `rewards`, `dones` and `regrets`. The error is that of [`step`](Self::step).
    fn play(&mut self, kernel: &Kernel, actions: &[i64], stop: &AtomicBool) -> Result<(), usize> {
        // Games that do not play their actions have no results.
        self.rewards.fill(0);
        self.dones.fill(false);
        self.regrets.fill(0);
        for (index, (slot, &number)) in self.slots.iter_mut().zip(actions).enumerate() {
            if slot.exact.is_some() && stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let number = usize::try_from(number).unwrap_or(usize::MAX);
            let mut state = slot.state;
            let ended = kernel.step(&mut state, number).ok_or(index)?;
            if slot.exact.is_some() {
                self.regrets[index] = slot.regret(action_of(kernel, number));
            }
            slot.state = state;
            self.rewards[index] = ended.unwrap_or_default();
            self.dones[index] = ended.is_some();
            if ended.is_some() {
                slot.deal_again(kernel);
            }
        }
        Ok(())
    }

    /// Updates the arrays `observations`, `masks` and `seats` to the current states of the games.
    fn observe(&mut self, kernel: &Kernel) {
        let mut row = [0; BUFFER];
        let sizes = (kernel.observation_size(), kernel.layout.actions);
        let rows = self.observations.chunks_exact_mut(sizes.0);
        let masks = self.masks.chunks_exact_mut(sizes.1);
        let games = self.slots.iter().zip(self.seats.iter_mut());
        for (((slot, seat), observation), mask) in games.zip(rows).zip(masks) {
            kernel.write_observation(&slot.state, slot.state.to_act, &mut row);
            observation.copy_from_slice(&row[..sizes.0]);
            kernel.write_mask(&slot.state, &mut row);
            for (legal, byte) in mask.iter_mut().zip(&row) {
                *legal = *byte != 0;
            }
            *seat = slot.state.to_act;
        }
    }

    /// Splits this stretch of consecutive games into shorter stretches of at most `length` games each. Each stretch borrows the array
    /// rows of its games.
    fn split(self, length: usize, kernel: &Kernel) -> impl Iterator<Item = Self> {
        let sizes = (kernel.observation_size(), kernel.layout.actions);
        let slots = self.slots.chunks_mut(length);
        let observations = self.observations.chunks_mut(length * sizes.0);
        let masks = self.masks.chunks_mut(length * sizes.1);
        let seats = self.seats.chunks_mut(length);
        let ends = self.rewards.chunks_mut(length).zip(self.dones.chunks_mut(length));
        let regrets = self.regrets.chunks_mut(length);
        let games = slots.zip(observations).zip(masks).zip(seats).zip(ends).zip(regrets);
        games.map(|(((((slots, observations), masks), seats), (rewards, dones)), regrets)| Self {
            slots,
            observations,
            masks,
            seats,
            rewards,
            dones,
            regrets,
        })
    }
}

/// Returns the action with the given number, which must be below the rule set's number of actions.
fn action_of(kernel: &Kernel, number: usize) -> Action {
    let layout = kernel.layout;
    let card = |at: usize| kernel.distinct[number - at];
    if number < layout.cards {
        Action::Play(card(0))
    } else if number < layout.decline {
        Action::Foreplace(card(layout.foreplace))
    } else if number < layout.demand {
        Action::Decline
    } else if number < layout.free {
        Action::Demand(card(layout.demand))
    } else {
        Action::Free(card(layout.free))
    }
}

/// Returns the number of an action in the rule set, or `None` if the rule set has no such action.
fn number_of(kernel: &Kernel, action: Action) -> Option<usize> {
    let layout = kernel.layout;
    let at = |first: usize, end: usize, card| {
        let number = kernel.distinct.iter().position(|known| *known == card)?;
        (first < end).then_some(first + number)
    };
    match action {
        Action::Play(card) => at(0, layout.cards, card),
        Action::Foreplace(card) => at(layout.foreplace, layout.decline, card),
        Action::Decline => (layout.decline < layout.demand).then_some(layout.decline),
        Action::Demand(card) => at(layout.demand, layout.free, card),
        Action::Free(card) => at(layout.free, layout.actions, card),
    }
}

/// Returns the error of a call that finds the games or one of their arrays in use by another call.
fn busy() -> PyErr {
    fault("another call is using the games: wait for the end of that call")
}

impl PyVectorGames {
    /// Locks the games of the batch for a call. Returns an error while a call in another thread uses them.
    fn slots(&self) -> PyResult<MutexGuard<'_, Vec<Slot>>> {
        match self.slots.try_lock() {
            Ok(slots) => Ok(slots),
            Err(TryLockError::Poisoned(slots)) => Ok(slots.into_inner()),
            Err(TryLockError::WouldBlock) => Err(busy()),
        }
    }

    /// Calls `work` with all games of the batch, their arrays and a cancel flag, without holding Python's global interpreter lock (GIL).
    /// Ctrl-C sets the flag only if the games have exact values, because other games take too little time.
    fn with_arrays<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(Stretch<'_>, &Kernel, &AtomicBool) -> T + Send,
    ) -> PyResult<T> {
        let mut slots = self.slots()?;
        let has_exact = slots.first().is_some_and(|slot| slot.exact.is_some());
        let busy = |_| busy();
        let mut observations = self.observations.bind(py).try_readwrite().map_err(busy)?;
        let mut masks = self.masks.bind(py).try_readwrite().map_err(busy)?;
        let mut seats = self.seats.bind(py).try_readwrite().map_err(busy)?;
        let mut rewards = self.rewards.bind(py).try_readwrite().map_err(busy)?;
        let mut dones = self.dones.bind(py).try_readwrite().map_err(busy)?;
        let mut regrets = self.regrets.bind(py).try_readwrite().map_err(busy)?;
        let stretch = Stretch {
            slots: &mut slots,
            observations: observations.as_slice_mut()?,
            masks: masks.as_slice_mut()?,
            seats: seats.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            dones: dones.as_slice_mut()?,
            regrets: regrets.as_slice_mut()?,
        };
        let kernel = &self.kernel;
        if has_exact {
            return interrupt::run(py, None, |stop, _| work(stretch, kernel, stop));
        }
        Ok(py.detach(|| work(stretch, kernel, &AtomicBool::new(false))))
    }

    fn check_length(&self, what: &str, found: usize) -> PyResult<()> {
        let expected = self.games;
        if found == expected {
            return Ok(());
        }
        Err(fault(format!(
            "{found} {what} were given for {expected} games: give as many as there are games"
        )))
    }
}

#[pymethods]
impl PyVectorGames {
    /// Creates games whose deals a random seed determines: at most 1,048,576 games, or 4,096 games with `regret=True`.
    #[new]
    #[pyo3(signature = (rules, games, *, seed = 0, threads = 1, regret = false))]
    fn new(
        py: Python<'_>,
        rules: &PyRuleSet,
        games: usize,
        seed: u64,
        threads: usize,
        regret: bool,
    ) -> PyResult<Self> {
        let threads = checked_threads(threads)?;
        let hand_size = rules.0.hand_size();
        if regret && hand_size > MAX_TABLE_HAND {
            return Err(raise::<TooLarge>(&overmate_solver::TooManyCards { hand_size }));
        }
        let games = if regret {
            checked_count(games, "games with `regret=True`", MAX_GAMES_WITH_REGRET)?
        } else {
            checked_count(games, "games", MAX_GAMES)?
        };
        let kernel = Kernel::new(&rules.0);
        let slots = interrupt::run(py, None, |stop, _| {
            let indexes = (0..games as u64).take_while(|_| !stop.load(Ordering::Relaxed));
            indexes.map(|index| Slot::new(&kernel, seed, index, regret)).collect()
        })?;
        let made = Self {
            observations: PyArray2::zeros(py, [games, kernel.observation_size()], false).unbind(),
            masks: PyArray2::zeros(py, [games, kernel.layout.actions], false).unbind(),
            seats: PyArray1::zeros(py, games, false).unbind(),
            rewards: PyArray1::zeros(py, games, false).unbind(),
            dones: PyArray1::zeros(py, games, false).unbind(),
            regrets: PyArray1::zeros(py, games, false).unbind(),
            threads,
            kernel,
            slots: Mutex::new(slots),
            games,
        };
        made.with_arrays(py, |mut stretch, kernel, _| stretch.observe(kernel))?;
        Ok(made)
    }

    /// Rule set of the games.
    #[getter]
    fn rules(&self) -> PyRuleSet {
        PyRuleSet(self.kernel.rules.clone())
    }

    /// Number of different actions in the rule set, which are numbered from 0.
    #[getter]
    fn action_count(&self) -> usize {
        self.kernel.layout.actions
    }

    /// Returns the action with the given number, in notation.
    fn action(&self, number: usize) -> PyResult<String> {
        let count = self.kernel.layout.actions;
        if number >= count {
            return Err(fault(format!(
                "there is no action with the number {number}: give a number below {count}"
            )));
        }
        Ok(overmate_json::action(&self.kernel.rules, action_of(&self.kernel, number)))
    }

    /// Returns the number of an action in the numbering of all actions of the rule set. The parameter `action` is in notation.
    fn action_number(&self, action: &str) -> PyResult<usize> {
        let rules: &RuleSet = &self.kernel.rules;
        let found = number_of(&self.kernel, read_action(rules, action)?);
        found.ok_or_else(|| {
            let name = rules.name();
            IllegalAction::new_err(format!(
                "the rule set {name} never allows the action `{action}`: choose another action"
            ))
        })
    }

    /// Deal numbers of the parallel games, one for each game, in the order of the games.
    #[getter]
    fn deals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let number = |slot: &Slot| dealt(&self.kernel, &slot.state).number();
        Ok(self.slots()?.iter().map(number).collect::<Vec<_>>().into_pyarray(py))
    }

    /// Replaces all games by new games of the given deals, and clears the results of the latest call of `step`.
    ///
    /// Ctrl-C stops the computation of regrets. Later games are then not replaced.
    fn start(&self, py: Python<'_>, deals: Numbers) -> PyResult<()> {
        let dealt = numbered(&self.kernel.rules, &deals)?;
        self.check_length("deals", dealt.len())?;
        self.with_arrays(py, |mut stretch, kernel, stop| {
            for (slot, dealt) in stretch.slots.iter_mut().zip(&dealt) {
                if slot.exact.is_some() && stop.load(Ordering::Relaxed) {
                    break;
                }
                let first = Game::new(dealt.clone()).dealt().hands().first;
                slot.state = kernel.start(first.0);
                if slot.exact.is_some() {
                    slot.solve(kernel);
                }
            }
            stretch.rewards.fill(0);
            stretch.dones.fill(false);
            stretch.regrets.fill(0);
            stretch.observe(kernel);
        })
    }

    /// Plays one action in each game, and updates the arrays of observations, legal actions and results.
    ///
    /// An illegal action raises an exception, but does not undo the step: the games before the game of the illegal action, and games
    /// of other threads, have played their actions. Ctrl-C stops the computation of regrets in the same way, between two games.
    fn step(&self, py: Python<'_>, actions: numpy::PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        self.check_length("actions", actions.len())?;
        let actions = actions.as_slice().map_err(|_| {
            fault("the array of actions is not contiguous: give a copy of the array")
        })?;
        let threads = self.threads;
        let failed = self.with_arrays(py, |mut stretch, kernel, stop| {
            if threads == 1 {
                return stretch.step(kernel, actions, stop).err();
            }
            let length = actions.len().div_ceil(threads).max(1);
            let stretches = stretch.split(length, kernel).zip(actions.chunks(length));
            std::thread::scope(|scope| {
                let run =
                    |(mut stretch, actions): (Stretch<'_>, &_)| stretch.step(kernel, actions, stop);
                let mut running = Vec::new();
                for piece in stretches {
                    running.push(scope.spawn(move || run(piece)));
                }
                let results = running.into_iter().enumerate();
                let failures = results.filter_map(|(number, thread)| {
                    let result = thread.join().expect("stepping games does not panic");
                    result.err().map(|index| number * length + index)
                });
                failures.min()
            })
        })?;
        failed.map_or(Ok(()), |index| {
            let action = actions[index];
            Err(IllegalAction::new_err(format!(
                "action {action} is not legal in game {index}: choose an action that the mask of the game allows"
            )))
        })
    }

    /// Returns a random legal action for each game; all legal actions are equally likely.
    fn sample<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let mut chosen = Vec::with_capacity(self.games);
        for slot in self.slots()?.iter_mut() {
            let action = self.kernel.random_action(&slot.state, next_random(&mut slot.chances));
            #[allow(clippy::cast_possible_wrap, reason = "action numbers are below 241")]
            chosen.push(action as i64);
        }
        Ok(chosen.into_pyarray(py))
    }

    /// Returns the observation of one game from the viewpoint of a seat. It need not be this seat's turn.
    fn observe<'py>(
        &self,
        py: Python<'py>,
        game: usize,
        seat: &str,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let seat = u8::from(read_seat(seat)? == Seat::Second);
        let slots = self.slots()?;
        let slot = slots.get(game).ok_or_else(|| {
            let games = self.games;
            fault(format!("there is no game with the number {game}: give a number below {games}"))
        })?;
        let mut row = [0; BUFFER];
        self.kernel.write_observation(&slot.state, seat, &mut row);
        Ok(row[..self.kernel.observation_size()].to_vec().into_pyarray(py))
    }

    fn __len__(&self) -> usize {
        self.games
    }

    fn __repr__(&self) -> String {
        format!("<VectorGames {}: {} games>", self.kernel.rules.name(), self.games)
    }
}
