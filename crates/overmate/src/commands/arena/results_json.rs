//! Defines the JSON output of `overmate arena`: one object, which does not depend on the number of
//! threads.

use std::io::Write;

use anyhow::Result;
use overmate_arena::{Estimate, Hypothesis, PairingResult};
use serde::Serialize;

use super::results_text::standings;
use super::setup::Setup;
use crate::json;

#[derive(Serialize)]
struct ArenaWire<'a> {
    rules: &'a str,
    seed: u64,
    matches: u64,
    nodes: Option<u64>,
    time: Option<f64>,
    sprt: Option<SprtWire>,
    players: Vec<PlayerJson<'a>>,
    pairings: Vec<PairingWire<'a>>,
    standings: Vec<StandingWire<'a>>,
    gauntlet: Option<&'a str>,
    clock: Option<ClockJson>,
    listed_deals: Option<u64>,
}

/// Clock of each external program: the seconds for a whole match, and the seconds that each action adds.
#[derive(Serialize)]
struct ClockJson {
    base: f64,
    increment: f64,
}

#[derive(Serialize)]
struct SprtWire {
    elo0: f64,
    elo1: f64,
    error_rate: f64,
    lower: f64,
    upper: f64,
}

#[derive(Serialize)]
struct PlayerJson<'a> {
    name: &'a str,
    program: Option<&'a str>,
}

#[derive(Serialize)]
struct PairingWire<'a> {
    players: [&'a str; 2],
    matches: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: [u64; 5],
    score: EstimateWire,
    elo: EstimateWire,
    likelihood_of_superiority: f64,
    points_a_match: [f64; 2],
    margin_a_match: EstimateWire,
    llr: Option<f64>,
    accepted: Option<&'static str>,
    forfeits: [u64; 2],
    /// Forfeits in the matches between two players, at most the 20 forfeits with the lowest match numbers. The
    /// documented JSON key is `told_forfeits`.
    #[serde(rename = "told_forfeits")]
    reported_forfeits: Vec<ForfeitWire<'a>>,
}

#[derive(Serialize)]
struct EstimateWire {
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

#[derive(Serialize)]
struct ForfeitWire<'a> {
    player: &'a str,
    pair: u64,
    r#as: String,
    why: &'a str,
}

#[derive(Serialize)]
struct StandingWire<'a> {
    player: &'a str,
    matches: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    points_a_match: f64,
}

pub(super) fn print(setup: &Setup, results: &[PairingResult], out: &mut dyn Write) -> Result<()> {
    let name = |place: usize| setup.entrants[place].name.as_str();
    let (settings, contest) = (&setup.settings, &setup.contest);
    let rounds = u64::from(setup.rules.rounds());
    let players = setup.entrants.iter();
    // All pairings play the same deals, but the SPRT can stop a pairing early.
    let played_pairs = results.iter().map(|result| result.counts.pairs()).max().unwrap_or(0);
    let object = ArenaWire {
        rules: setup.rules.name(),
        seed: settings.seed,
        matches: 2 * contest.pairs,
        nodes: settings.nodes,
        time: settings.time.map(|time| time.as_secs_f64()),
        sprt: settings.sprt.map(|sprt| SprtWire {
            elo0: sprt.elo0(),
            elo1: sprt.elo1(),
            error_rate: sprt.error_rate(),
            lower: rounded(sprt.lower_bound(), 4),
            upper: rounded(sprt.upper_bound(), 4),
        }),
        players: players
            .map(|entrant| PlayerJson { name: &entrant.name, program: entrant.own_name.as_deref() })
            .collect(),
        pairings: results.iter().map(|result| pairing(result, &name)).collect(),
        standings: standings(setup, results)
            .iter()
            .map(|standing| StandingWire {
                player: name(standing.player),
                matches: standing.matches,
                wins: standing.wins,
                draws: standing.draws,
                losses: standing.losses,
                score: rounded(standing.score(), 6),
                points_a_match: rounded(standing.points_a_match(), 4),
            })
            .collect(),
        gauntlet: contest.is_gauntlet.then(|| name(0)),
        clock: settings.clock.map(|clock| ClockJson {
            base: clock.base.as_secs_f64(),
            increment: clock.increment.as_secs_f64(),
        }),
        listed_deals: contest.deals.as_ref().map(|_| played_pairs * rounds),
    };
    json::print(out, &object)
}

fn pairing<'a>(result: &'a PairingResult, name: &impl Fn(usize) -> &'a str) -> PairingWire<'a> {
    PairingWire {
        players: result.players.map(name),
        matches: result.matches(),
        wins: result.wins,
        draws: result.draws,
        losses: result.losses,
        pairs: result.counts.0,
        score: estimate(result.counts.score(), 6),
        elo: estimate(result.counts.elo(), 2),
        likelihood_of_superiority: rounded(result.counts.likelihood_of_superiority(), 6),
        points_a_match: result.points_a_match().map(|points| rounded(points, 4)),
        margin_a_match: estimate(result.margin_a_match(), 4),
        llr: result.sprt.map(|sprt| rounded(sprt.log_likelihood_ratio, 4)),
        accepted: result.sprt.and_then(|sprt| sprt.accepted).map(|accepted| match accepted {
            Hypothesis::Elo0 => "elo0",
            Hypothesis::Elo1 => "elo1",
        }),
        forfeits: result.forfeits,
        reported_forfeits: result
            .reported_forfeits
            .iter()
            .map(|told| ForfeitWire {
                player: name(told.by),
                pair: told.pair + 1,
                r#as: told.player.to_string(),
                why: &told.why,
            })
            .collect(),
    }
}

fn estimate(estimate: Estimate, digits: i32) -> EstimateWire {
    // Infinite numbers become null, because JSON has no infinity.
    let number = |number: f64| number.is_finite().then(|| rounded(number, digits));
    EstimateWire {
        value: number(estimate.value),
        low: number(estimate.low),
        high: number(estimate.high),
    }
}

/// Rounds a number to `digits` decimals, and returns 0 in place of -0.
fn rounded(number: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (number * scale).round() / scale + 0.0
}
