//! Simulates the perfect player against computer opponents that make simple kinds of errors.

use anyhow::{Context as _, Result};
use overmate_rules::{Action, BySeat, Dealt, Phase, Position, Seat};
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rayon::prelude::*;
use serde::Serialize;

use crate::numbers::real;
use crate::survey::{SolvedDeals, best, start, value};

/// Number of simulated rounds between the perfect player and each other computer opponent. The number of a round is also its random seed.
pub(crate) const ROUNDS: u32 = 20_000;

/// Strategy of a simulated computer opponent.
#[derive(Clone, Copy)]
enum Style {
    Perfect,
    /// Perfect play, except that each action is replaced by a random legal action with probability 1/10.
    Slips,
    /// Play that never foreplaces, gives mate whenever possible with the most valuable card, and otherwise plays a random legal card.
    Mates,
    /// Play that takes each legal action with equal probability.
    Random,
}

/// Results of the perfect player against one computer opponent.
#[derive(Serialize)]
pub(crate) struct SimulatedOpponent {
    pub(crate) who: &'static str,
    /// Mean points per game that the perfect player wins in the seat *first*.
    pub(crate) leading: f64,
    /// Mean points per game that the perfect player wins in the seat *second*.
    pub(crate) following: f64,
    pub(crate) round: f64,
    /// Standard error of the perfect player's mean points per round of two games.
    pub(crate) error: f64,
    pub(crate) of_match: f64,
    pub(crate) rounds_won: u32,
    pub(crate) rounds_level: u32,
    pub(crate) rounds_lost: u32,
    pub(crate) rounds: u32,
}

const OPPONENTS: [(&str, Style); 3] =
    [("slips", Style::Slips), ("grabs", Style::Mates), ("guesses", Style::Random)];

/// Returns the results of the perfect player against each simulated kind of computer opponent.
pub(crate) fn opponents(survey: &SolvedDeals) -> Result<Vec<SimulatedOpponent>> {
    OPPONENTS.into_iter().map(|(who, style)| opponent(survey, who, style)).collect()
}

fn opponent(survey: &SolvedDeals, who: &'static str, style: Style) -> Result<SimulatedOpponent> {
    let played: Result<Vec<(i32, i32)>> =
        (0..ROUNDS).into_par_iter().map(|seed| round(survey, style, seed.into())).collect();
    let played = played?;
    let mean = |of: fn(&(i32, i32)) -> i32| {
        real(played.iter().map(|round| i64::from(of(round))).sum()) / f64::from(ROUNDS)
    };
    let round = mean(|round| round.0 + round.1);
    let squares: f64 = played.iter().map(|(one, two)| (f64::from(one + two) - round).powi(2)).sum();
    let count = |wanted: fn(i32) -> bool| {
        crate::numbers::counted(played.iter().filter(|(one, two)| wanted(one + two)))
    };
    Ok(SimulatedOpponent {
        who,
        leading: mean(|round| round.0),
        following: mean(|round| round.1),
        round,
        error: squares.sqrt() / f64::from(ROUNDS),
        of_match: round * f64::from(survey.rules().rounds()),
        rounds_won: count(|points| points > 0),
        rounds_level: count(|points| points == 0),
        rounds_lost: count(|points| points < 0),
        rounds: ROUNDS,
    })
}

/// Returns the points of the perfect player in the two games of a round: in the seat *first*, then in the seat *second*.
fn round(survey: &SolvedDeals, style: Style, seed: u64) -> Result<(i32, i32)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let number = rng.random_range(0..Dealt::count(survey.rules()));
    let mut game = |styles: BySeat<Style>| game(survey, number, styles, &mut rng);
    // Both games of a round have the same deal, and the two players exchange seats between the games.
    let leading = game(BySeat { first: Style::Perfect, second: style })?;
    let following = game(BySeat { first: style, second: Style::Perfect })?;
    Ok((leading, -following))
}

/// Simulates a game between two strategies, and returns the points for the seat *first*.
fn game(
    survey: &SolvedDeals,
    number: u64,
    styles: BySeat<Style>,
    rng: &mut ChaCha8Rng,
) -> Result<i32> {
    let mut position = start(survey.rules(), number)?;
    while let Some(seat) = position.to_act() {
        let action = match styles[seat] {
            Style::Perfect => perfect(survey, &position)?,
            Style::Slips if rng.random_range(0..10) > 0 => perfect(survey, &position)?,
            Style::Slips | Style::Random => {
                any(&position.legal_actions().collect::<Vec<_>>(), rng)?
            }
            Style::Mates => mating(&position, seat, rng)?,
        };
        position = position.play(action)?;
    }
    Ok(position.outcome().context("the game ended without an outcome")?.points_for_first())
}

fn perfect(survey: &SolvedDeals, position: &Position) -> Result<Action> {
    let worth = value(&survey.whole, position)?;
    Ok(best(&survey.whole, position, worth)?
        .context(
            "the solver contradicts itself: no legal action reaches the value of the position",
        )?
        .0)
}

fn any(actions: &[Action], rng: &mut ChaCha8Rng) -> Result<Action> {
    actions.choose(rng).copied().context("the position has no legal action")
}

fn mating(position: &Position, seat: Seat, rng: &mut ChaCha8Rng) -> Result<Action> {
    let legal: Vec<_> = position.legal_actions().collect();
    match position.phase() {
        Phase::Foreplacing(_) => Ok(Action::Decline),
        Phase::Lead(_) => {
            let points = |action: &Action| {
                let mate = position.clone().play(*action).ok()?.mate()?;
                Some((mate.points_for_first() * seat.sign_for_first(), *action))
            };
            let mates = legal.iter().filter_map(points);
            match mates.max_by_key(|(points, _)| *points) {
                Some((_, action)) => Ok(action),
                None => any(&legal, rng),
            }
        }
        Phase::Follow(_) | Phase::Over => any(&legal, rng),
    }
}
