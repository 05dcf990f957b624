//! Writes the results of an arena as human-readable text.

use std::io::{self, Write};

use overmate_arena::{Estimate, Hypothesis, PairingResult, Sprt, SprtResult};

use super::setup::{Setup, elo_differences};
use overmate_terminal::text::columns::{Align, TextTable};
use overmate_terminal::text::style;
use overmate_terminal::text::words::grouped;
use overmate_terminal::untrusted::printable_line;

/// Maximum number of forfeits that the results show for each pair of players.
const SHOWN_FORFEITS: usize = 3;

/// Total results of one player against all other players of an arena.
pub(super) struct RankedPlayer {
    pub(super) player: usize,
    pub(super) matches: u64,
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    /// Number of matches from which the player's mean points per match are computed. If one match of a match pair ends
    /// by a forfeit, neither match counts.
    scored_matches: u64,
    points: i64,
}

impl RankedPlayer {
    /// Returns the player's score as a fraction of the matches, from 0 to 1; a draw counts as half
    /// a win.
    pub(super) fn score(&self) -> f64 {
        ratio(2 * self.wins.cast_signed() + self.draws.cast_signed(), 2 * self.matches)
    }

    pub(super) fn points_a_match(&self) -> f64 {
        ratio(self.points, self.scored_matches)
    }
}

/// Returns the total results of all players of an arena, sorted from best to worst.
pub(super) fn standings(setup: &Setup, results: &[PairingResult]) -> Vec<RankedPlayer> {
    let empty = |player| RankedPlayer {
        player,
        matches: 0,
        wins: 0,
        draws: 0,
        losses: 0,
        scored_matches: 0,
        points: 0,
    };
    let mut standings: Vec<RankedPlayer> = (0..setup.entrants.len()).map(empty).collect();
    for result in results {
        for side in 0..2 {
            let standing = &mut standings[result.players[side]];
            let (wins, losses) = match side {
                0 => (result.wins, result.losses),
                _ => (result.losses, result.wins),
            };
            standing.matches += result.matches();
            standing.wins += wins;
            standing.draws += result.draws;
            standing.losses += losses;
            standing.scored_matches += result.scored_matches();
            standing.points += result.points[side];
        }
    }
    standings.sort_by(|one, other| {
        other.score().total_cmp(&one.score()).then(one.player.cmp(&other.player))
    });
    standings
}

#[expect(clippy::cast_precision_loss, reason = "nobody plays 2^53 matches")]
fn ratio(part: i64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

pub(super) fn write(
    setup: &Setup,
    results: &[PairingResult],
    out: &mut dyn Write,
) -> io::Result<()> {
    let bold = style::HEADING;
    let matches = 2 * setup.contest.pairs;
    let (rules, seed) = (setup.rules.name(), setup.settings.seed);
    let of_each = match setup.entrants.as_slice() {
        [first, _, _, ..] if setup.contest.is_gauntlet => {
            format!(" of {} against each other player", first.name)
        }
        [_, _, _, ..] => " of every two players".to_owned(),
        _ => String::new(),
    };
    let listed = if setup.contest.deals.is_some() { " on listed deals" } else { "" };
    writeln!(out, "{bold}Arena of {rules}{bold:#}")?;
    writeln!(out, "{} matches{of_each}{listed}, seed {seed}", grouped(matches))?;
    for result in results {
        writeln!(out)?;
        write_pairing(setup, result, out)?;
    }
    if setup.entrants.len() > 2 {
        writeln!(out, "\n{bold}All matches{bold:#}")?;
        write_standings(setup, results, out)?;
    }
    Ok(())
}

fn write_pairing(setup: &Setup, result: &PairingResult, out: &mut dyn Write) -> io::Result<()> {
    let bold = style::HEADING;
    let [one, other] = result.players.map(|place| setup.entrants[place].name.as_str());
    writeln!(out, "{bold}{one} against {other}{bold:#}")?;
    let mut line = |title: &str, text: String| writeln!(out, "  {title:<13}{text}");
    let PairingResult { wins, draws, losses, .. } = result;
    line(
        "matches",
        format!(
            "{}: {} won, {} drawn, {} lost",
            grouped(result.matches()),
            grouped(*wins),
            grouped(*draws),
            grouped(*losses)
        ),
    )?;
    let score = result.counts.score();
    let cent = |share: f64| format!("{:.1} %", 100.0 * share);
    line("score", interval(score, cent))?;
    let [own, others] = result.points_a_match();
    if result.scored_matches() == 0 && result.forfeited_pairs > 0 {
        line("points", "none: every pair has a forfeit".to_owned())?;
    } else {
        let left_out = match result.forfeited_pairs {
            0 => String::new(),
            1 => ", without 1 pair with a forfeit".to_owned(),
            pairs => format!(", without {} pairs with forfeits", grouped(pairs)),
        };
        line("points", format!("{own:.2} against {others:.2} a match{left_out}"))?;
        line("margin", interval(result.margin_a_match(), |margin| format!("{margin:+.2}")))?;
    }
    line("Elo", interval(result.counts.elo(), elo))?;
    line("superiority", cent(result.counts.likelihood_of_superiority()))?;
    if let (Some(sprt), Some(reached)) = (setup.settings.sprt, result.sprt) {
        line("SPRT", sprt_words(&sprt, &reached))?;
    }
    for (side, name) in [one, other].into_iter().enumerate() {
        let forfeits = result.forfeits[side];
        if forfeits > 0 {
            line("forfeits", format!("{} by {name}", grouped(forfeits)))?;
        }
    }
    for told in result.reported_forfeits.iter().take(SHOWN_FORFEITS) {
        let (pair, name) = (told.pair + 1, &setup.entrants[told.by].name);
        writeln!(out, "    pair {pair}, {name} as {}: {}", told.player, printable_line(&told.why))?;
    }
    let shown = result.reported_forfeits.len().min(SHOWN_FORFEITS) as u64;
    let more = result.forfeits.iter().sum::<u64>().saturating_sub(shown);
    if more > 0 {
        writeln!(out, "    and {} more: see the file of --record", grouped(more))?;
    }
    Ok(())
}

/// Formats an estimate with its confidence interval. The function `text` formats each of the three
/// numbers.
fn interval(estimate: Estimate, text: impl Fn(f64) -> String) -> String {
    let Estimate { low, value, high } = estimate;
    if value.is_finite() && low.is_infinite() && high.is_infinite() {
        return format!("{} in every pair", text(value));
    }
    format!("{} (95 %: {} to {})", text(value), text(low), text(high))
}

fn elo(elo: f64) -> String {
    if elo.is_finite() {
        format!("{elo:+.0}")
    } else if elo > 0.0 {
        "+∞".to_owned()
    } else {
        "-∞".to_owned()
    }
}

fn sprt_words(sprt: &Sprt, reached: &SprtResult) -> String {
    let [elo0, elo1] = elo_differences(sprt);
    let (lower, upper) = (sprt.lower_bound(), sprt.upper_bound());
    let decision = match reached.accepted {
        Some(Hypothesis::Elo0) => format!("accepts Elo {elo0}"),
        Some(Hypothesis::Elo1) => format!("accepts Elo {elo1}"),
        None => "has not decided".to_owned(),
    };
    let ratio = reached.log_likelihood_ratio;
    format!("Elo {elo0} or {elo1}: {decision}, LLR {ratio:+.2} ({lower:+.2} to {upper:+.2})")
}

fn write_standings(
    setup: &Setup,
    results: &[PairingResult],
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut table = TextTable::new([
        ("player", Align::Left),
        ("matches", Align::Right),
        ("won", Align::Right),
        ("drawn", Align::Right),
        ("lost", Align::Right),
        ("score", Align::Right),
        ("points a match", Align::Right),
    ]);
    for standing in standings(setup, results) {
        table.row([
            setup.entrants[standing.player].name.clone(),
            grouped(standing.matches),
            grouped(standing.wins),
            grouped(standing.draws),
            grouped(standing.losses),
            format!("{:.1} %", 100.0 * standing.score()),
            format!("{:.2}", standing.points_a_match()),
        ]);
    }
    table.write(out)
}
