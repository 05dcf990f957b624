//! Defines the Python class `Bot`, and functions that play matches between bots or compute exact score probabilities.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use overmate_arena::{
    Arena, ArenaError, ArenaOptions, ArenaStopped, Entrant, Estimate, Observer, PairingResult,
    play_match as play,
};
use overmate_bots::{
    Bot, BotSpec, BuiltIn, Choice, ExactGames, ExactPlayer, Forfeit, PointBounds, Standing, Turn,
};
use overmate_rules::{ByPlayer, BySeat, View};
use overmate_solver::Budget;
use pyo3::prelude::*;

use crate::errors::{BotError, MatchError, TooLarge, raise};
use crate::interrupt;
use crate::limits::Items;
use crate::match_play::PyMatch;
use crate::rule_set::{PyDeal, PyRuleSet};
use crate::solver::{budget, checked_threads};
use crate::view::PyView;

/// Parses the name of a bot, such as `level:3`, `perfect` or `perfect:vs=3`.
pub(crate) fn read_bot(name: &str) -> PyResult<BotSpec> {
    BotSpec::from_str(name).map_err(|error| raise::<BotError>(&error))
}

fn gave_up(forfeit: &Forfeit) -> PyErr {
    BotError::new_err(format!("{}: {}", forfeit.who, forfeit.why))
}

/// Returns the game view that a Python object of the class `View` holds, or an error if it is not the viewer's turn.
fn own_turn(view: &PyView) -> PyResult<&View> {
    if view.0.legal_actions().len() == 0 {
        return Err(BotError::new_err(
            "the view is of a seat that is not to act, of a spectator or of a finished game: give the view of the seat to act",
        ));
    }
    Ok(&view.0)
}

/// Action that a bot chose, with the bot's reason.
#[pyclass(name = "Choice", module = "overmate", frozen, get_all)]
pub(crate) struct PyChoice {
    /// Chosen action, in notation.
    action: String,
    /// Reason for the action in words; empty if the bot gives no reason.
    reason: String,
    /// Final points that the bot expects for itself; None if the bot gives no expectation.
    expected: Option<f64>,
    /// Lower and upper bounds of the bot's final points under best play by the bot; None if the bot computed no bounds.
    guaranteed: Option<(i32, i32)>,
}

#[pymethods]
impl PyChoice {
    fn __repr__(&self) -> String {
        format!("<Choice {}: {}>", self.action, self.reason)
    }
}

/// Computer opponent whose random choices depend on a seed. A bot sees only views of games, without the cards that its
/// player may not see.
#[pyclass(name = "Bot", module = "overmate", frozen)]
pub(crate) struct PyBot {
    name: String,
    bot: Mutex<Box<dyn Bot>>,
}

#[pymethods]
impl PyBot {
    /// Creates a bot from its name and a random seed. The names are `level:1` to `level:9`, `perfect`, and names such as
    /// `perfect:vs=3`: the perfect bot that sets traps for a player of level 3.
    #[new]
    #[pyo3(signature = (name, seed = 0))]
    fn new(name: &str, seed: u64) -> PyResult<Self> {
        let spec = read_bot(name)?;
        Ok(Self { name: spec.to_string(), bot: Mutex::new(spec.seeded(seed)) })
    }

    /// Name of the bot.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Chooses an action for the viewer of the game view `view`. It must be the viewer's turn.
    ///
    /// `game` and `games` are the index of the game and the number of games in the match; `own` and `other` the points
    /// of the bot and of its opponent in earlier games. A bot accepts up to 200 games, and points from 0 to 1,000,000,000.
    #[pyo3(signature = (view, *, game = 0, games = 1, own = 0, other = 0, nodes = None, seconds = None))]
    #[allow(clippy::too_many_arguments, reason = "Python passes all but the first by name")]
    fn choose(
        &self,
        py: Python<'_>,
        view: &PyView,
        game: usize,
        games: usize,
        own: i32,
        other: i32,
        nodes: Option<u64>,
        seconds: Option<f64>,
    ) -> PyResult<PyChoice> {
        let stop = Arc::new(AtomicBool::new(false));
        let budget = budget(nodes, seconds, 1)?.with_stop(Arc::clone(&stop));
        let standing = Standing { game, games, own, other }.checked();
        let standing = standing.map_err(|error| raise::<BotError>(&error))?;
        let view = own_turn(view)?;
        let choice = interrupt::run_with_flag(py, &stop, None, |_| {
            let mut bot = self.bot.lock().unwrap_or_else(PoisonError::into_inner);
            bot.choose(&Turn::new(view, standing, &budget))
        })?;
        let Choice { action, thought, .. } = choice.map_err(|forfeit| gave_up(&forfeit))?;
        Ok(PyChoice {
            action: overmate_json::action(view.rules(), action),
            reason: thought.reason,
            expected: thought.expected,
            guaranteed: thought
                .guaranteed
                .map(|PointBounds { at_least, at_most }| (at_least, at_most)),
        })
    }

    /// Returns each action that the bot may choose for the viewer of the game, with the action's probability.
    ///
    /// Only the bots `level:1` to `level:9` can tell their probabilities; other bots raise `BotError`. The probabilities do not
    /// depend on the seed of the bot.
    fn chances(&self, py: Python<'_>, view: &PyView) -> PyResult<BTreeMap<String, f64>> {
        let view = own_turn(view)?;
        let chances = py.detach(|| {
            let mut bot = self.bot.lock().unwrap_or_else(PoisonError::into_inner);
            bot.chances(&Turn::new(view, Standing::of_one_game(), &Budget::unlimited()))
        });
        let chances = chances.ok_or_else(|| {
            BotError::new_err(format!(
                "the bot `{}` cannot tell the probabilities of its actions: use a level such as `level:3`, or call `choose`",
                self.name
            ))
        })?;
        let text = |action| overmate_json::action(view.rules(), action);
        Ok(chances.into_iter().map(|(action, chance)| (text(action), chance)).collect())
    }

    fn __repr__(&self) -> String {
        format!("Bot({:?})", self.name)
    }
}

/// Plays the rest of a match between two bots, from the current state of the match to the end.
#[pyfunction]
#[pyo3(signature = (r#match, a, b, *, seed = 0, nodes = None, seconds = None))]
pub(crate) fn play_match(
    py: Python<'_>,
    r#match: &PyMatch,
    a: &str,
    b: &str,
    seed: u64,
    nodes: Option<u64>,
    seconds: Option<f64>,
) -> PyResult<PyMatch> {
    let stop = Arc::new(AtomicBool::new(false));
    let budget = budget(nodes, seconds, 1)?.with_stop(Arc::clone(&stop));
    let mut bots = ByPlayer {
        a: read_bot(a)?.seeded(seed),
        // The second bot has another seed, so that two equal bots do not play alike.
        b: read_bot(b)?.seeded(seed.wrapping_add(1)),
    };
    let state = r#match.0.clone();
    let played =
        interrupt::run_with_flag(py, &stop, None, |_| play(state, &mut bots, &budget, &stop))?;
    let played = played.ok_or_else(|| BotError::new_err("the match was stopped before its end"))?;
    match played.forfeit {
        Some((_, forfeit)) => Err(gave_up(&forfeit)),
        None => Ok(PyMatch(played.state)),
    }
}

/// Results of all matches between two bots.
#[pyclass(name = "PairingResult", module = "overmate", frozen, get_all)]
pub(crate) struct PyPairingResult {
    /// Names of the first and the second bot.
    players: (String, String),
    /// Number of matches between the two bots.
    matches: u64,
    /// Number of matches that the first bot in `players` won.
    wins: u64,
    /// Number of matches between the two bots that ended in a draw.
    draws: u64,
    /// Number of matches that the first bot in `players` lost.
    losses: u64,
    /// Total points of the first and of the second bot in `players`, over all match pairs without a forfeit.
    points: (i64, i64),
    /// Mean score in a match, 0 to 1, of the first bot in `players`: lower limit of the 95 % confidence interval, estimate, upper limit.
    score: (f64, f64, f64),
    /// Elo advantage of the first bot in `players`: lower limit of the 95 % confidence interval, estimate, upper limit.
    elo: (f64, f64, f64),
    /// Mean margin of a match, in points, for the first bot in `players`: lower limit of the 95 % confidence interval, estimate, upper
    /// limit. The margin is the points of the first bot minus the points of the second bot.
    margin: (f64, f64, f64),
}

impl PyPairingResult {
    fn new(names: &[String], result: &PairingResult) -> Self {
        let triple = |estimate: Estimate| (estimate.low, estimate.value, estimate.high);
        let [first, second] = result.players.map(|index| names[index].clone());
        Self {
            players: (first, second),
            matches: result.matches(),
            wins: result.wins,
            draws: result.draws,
            losses: result.losses,
            points: result.points.into(),
            score: triple(result.counts.score()),
            elo: triple(result.counts.elo()),
            margin: triple(result.margin_a_match()),
        }
    }
}

#[pymethods]
impl PyPairingResult {
    fn __repr__(&self) -> String {
        let Self { players: (first, second), wins, draws, losses, .. } = self;
        format!("<PairingResult {first} against {second}: {wins}-{draws}-{losses}>")
    }
}

/// Plays match pairs (two matches on the same deals, with exchanged seats) between every two bots, at most 50,000,000 pairs.
///
/// The result depends on the seed, not on the number of threads. Ctrl-C stops the matches.
#[pyfunction]
#[pyo3(signature = (rules, players, pairs, *, seed = 0, threads = 1, nodes = None, progress = None))]
#[allow(clippy::too_many_arguments, reason = "Python passes most of them by name")]
pub(crate) fn arena(
    py: Python<'_>,
    rules: &PyRuleSet,
    players: Items<String>,
    pairs: u64,
    seed: u64,
    threads: usize,
    nodes: Option<u64>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Vec<PyPairingResult>> {
    let entrant = |name: &String| Ok(Arc::new(read_bot(name)?) as Arc<dyn Entrant>);
    let entrants = players.0.iter().map(entrant).collect::<PyResult<Vec<_>>>()?;
    let names: Vec<String> = entrants.iter().map(|entrant| entrant.name()).collect();
    let threads = checked_threads(threads)?;
    let options = ArenaOptions::default().with_pairs(pairs).with_seed(seed).with_threads(threads);
    let options = options.with_budget(budget(nodes, None, 1)?);
    let arena = Arena::new(rules.0.clone(), entrants, options);
    let arena = arena.map_err(|error: ArenaError| raise::<MatchError>(&error))?;
    let results = interrupt::run(py, progress.as_ref(), |stop, counts| {
        let report = |done, total| counts.set(done, total);
        arena.run([], &Observer::default().on_progress(&report).stopped_by(stop))
    })?;
    let results = results.map_err(|error: ArenaStopped| raise::<MatchError>(&error))?;
    Ok(results.iter().map(|result| PyPairingResult::new(&names, result)).collect())
}

/// Returns the exact probability of each final score of the seat *first* in games between two bots on one deal.
///
/// Each bot is `random`, a level such as `level:3`, or `perfect`. Face-down cards count as open. A deal with more than ten
/// cards in a hand raises `TooLarge`.
#[pyfunction]
pub(crate) fn exact_scores(
    py: Python<'_>,
    deal: &PyDeal,
    first: &str,
    second: &str,
) -> PyResult<BTreeMap<i32, f64>> {
    let player = |name: &str| match name {
        "random" => Ok(ExactPlayer::Random),
        _ => BuiltIn::from_str(name)
            .map(ExactPlayer::BuiltIn)
            .map_err(|error| raise::<BotError>(&error)),
    };
    let seats = BySeat { first: player(first)?, second: player(second)? };
    let scores = py.detach(|| ExactGames::new(&deal.0).map(|games| games.scores_for_first(seats)));
    scores.map_err(|error| raise::<TooLarge>(&error))
}

/// Returns the names of all bots that the class `Bot` accepts.
#[pyfunction]
pub(crate) fn bots() -> Vec<String> {
    BotSpec::all().map(|bot| bot.to_string()).collect()
}
