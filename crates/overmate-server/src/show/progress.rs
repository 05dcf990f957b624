//! Converts a player's analysed matches to the JSON types of progress statistics, and to a CSV table.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use overmate_bots::LevelLikelihood;
use overmate_json::MistakeKind;
use overmate_rules::Player;

use crate::clock::rfc3339;
use crate::matches::game_report::GameReport;
use crate::matches::match_state::MatchState;
use crate::show::matches::of_computer;
use crate::store::Occupant;
use crate::wire;

/// Finished match of a player (a browser identity), with the analysis of the player's play if available.
pub(crate) struct CountedMatch {
    pub(crate) state: Arc<MatchState>,
    /// Player (A or B) whose seat the browser identity holds in the match.
    pub(crate) player: Player,
    /// Analysis of the match, or `None` while the match waits for its analysis.
    pub(crate) analysed: Option<Arc<Analysed>>,
}

/// Analysis of one player's play in a finished match.
pub(crate) enum Analysed {
    /// Evaluations of the player's play in each game of the match, in the order of play.
    Games(Vec<GameReport>),
    /// The match is not analysed, because the exact values of its positions are unknown or still secret.
    WithoutValues,
}

impl Analysed {
    /// Returns the memory, in bytes, that the analysis of a match and its cache key occupy.
    pub(crate) fn bytes(&self) -> u64 {
        let of = |report: &GameReport| size_of_val(report) + size_of_val(&*report.mistakes);
        let reports = self.reports().iter().map(of).sum::<usize>();
        (128 + reports) as u64
    }

    fn reports(&self) -> &[GameReport] {
        match self {
            Self::Games(reports) => reports,
            Self::WithoutValues => &[],
        }
    }
}

impl CountedMatch {
    /// Returns the kind of the opponent in a finished match, and the strength level of a computer opponent. A person who has erased their
    /// data still counts as a person. The level is `None` for all other opponents.
    fn opponent(&self) -> (wire::PlayerKind, Option<u8>) {
        match self.state.seats()[!self.player].occupant {
            Occupant::Bot(computer, _) => of_computer(computer),
            Occupant::Open | Occupant::Deleted | Occupant::Holder(_) => {
                (wire::PlayerKind::Friend, None)
            }
        }
    }

    fn reports(&self) -> &[GameReport] {
        self.analysed.as_deref().map_or(&[], Analysed::reports)
    }
}

/// Computes a player's progress statistics from the player's finished matches, which are sorted from new to old. Fields that the caller
/// sets, such as limits and series, have default values.
pub(crate) fn progress(counted: &[CountedMatch]) -> wire::ProgressWire {
    let reports = || counted.iter().flat_map(CountedMatch::reports);
    let choices = reports().map(|report| report.choices).sum();
    let mut likelihood = LevelLikelihood::default();
    reports().for_each(|report| likelihood.merge(&report.likelihood));
    let without_values = |counted: &&CountedMatch| {
        matches!(counted.analysed.as_deref(), Some(Analysed::WithoutValues))
    };
    wire::ProgressWire {
        matches: counted.len(),
        offline: counted.iter().filter(|counted| counted.state.info().is_offline()).count(),
        waiting: counted.iter().filter(|counted| counted.analysed.is_none()).count(),
        without_values: counted.iter().filter(without_values).count(),
        results: results(counted),
        games: games(counted),
        analysed_games: reports().count(),
        choices,
        points_lost: reports().map(GameReport::points_lost).sum(),
        accuracy: mean(reports().map(|report| report.accuracies).sum(), choices),
        like_level: estimate(&likelihood),
        mistakes: mistakes(reports()),
        ..wire::ProgressWire::default()
    }
}

/// Returns the games of a player's finished matches, from old to new.
pub(crate) fn games(counted: &[CountedMatch]) -> Vec<wire::ProgressGame> {
    counted.iter().rev().flat_map(games_of).collect()
}

fn games_of(counted: &CountedMatch) -> Vec<wire::ProgressGame> {
    let CountedMatch { state, player, .. } = counted;
    let (opponent, level) = counted.opponent();
    let game = |game: usize| {
        let points = state.play().game_points(game)?;
        let report = counted.reports().get(game);
        let is_own =
            |mark: &&overmate_json::LoggedMark| mark.player == *player && mark.game == game;
        Some(wire::ProgressGame {
            begun_at: rfc3339(state.info().began_at()),
            match_id: state.id().to_owned(),
            game,
            rules: state.info().rules.clone(),
            opponent,
            level,
            points: points[*player] - points[!*player],
            offline: state.info().is_offline(),
            help: state.marks().iter().filter(is_own).count(),
            choices: report.map(|report| report.choices),
            points_lost: report.map(GameReport::points_lost),
            accuracy: report.and_then(|report| mean(report.accuracies, report.choices)),
        })
    };
    (0..state.play().games().len()).filter_map(game).collect()
}

fn results(counted: &[CountedMatch]) -> Vec<wire::ProgressResult> {
    let mut results: BTreeMap<(String, u8), wire::ProgressResult> = BTreeMap::new();
    for counted in counted {
        let CountedMatch { state, player, .. } = counted;
        let (opponent, level) = counted.opponent();
        let order = match opponent {
            wire::PlayerKind::Level => level.unwrap_or_default(),
            wire::PlayerKind::Perfect => 10,
            wire::PlayerKind::Program => 11,
            wire::PlayerKind::Friend
            | wire::PlayerKind::You
            | wire::PlayerKind::Open
            | wire::PlayerKind::Deleted => 12,
        };
        let rules = state.info().rules.clone();
        let row = results.entry((rules.clone(), order)).or_insert_with(|| wire::ProgressResult {
            rules_title: overmate_json::title(&rules),
            rules,
            opponent,
            level,
            matches: 0,
            wins: 0,
            draws: 0,
            losses: 0,
            margin: 0,
        });
        row.matches += 1;
        match state.result().and_then(|result| result.winner) {
            Some(winner) if winner == *player => row.wins += 1,
            Some(_) => row.losses += 1,
            None => row.draws += 1,
        }
        let totals = state.play().totals();
        row.margin += totals[*player] - totals[!*player];
    }
    results.into_values().collect()
}

fn mistakes<'a>(reports: impl Iterator<Item = &'a GameReport>) -> Vec<wire::MistakeCount> {
    let mut counts: Vec<wire::MistakeCount> = Vec::new();
    for mistake in reports.flat_map(|report| &report.mistakes) {
        let kind: Option<MistakeKind> = mistake.kind;
        let at = counts.iter().position(|count| count.kind == kind).unwrap_or_else(|| {
            counts.push(wire::MistakeCount { kind, count: 0, points_lost: 0 });
            counts.len() - 1
        });
        counts[at].count += 1;
        counts[at].points_lost += mistake.lost;
    }
    counts.sort_by_key(|count| (count.kind.is_none(), Reverse(count.points_lost)));
    counts
}

/// Returns the most probable strength level of a player, with a credible interval of at least 90 percent. Returns `None` without a
/// decision.
fn estimate(likelihood: &LevelLikelihood) -> Option<wire::LevelEstimate> {
    const TAIL: f64 = 0.05;
    if likelihood.decisions() == 0 {
        return None;
    }
    let posterior = likelihood.posterior();
    let most = posterior.iter().max_by(|a, b| a.1.total_cmp(&b.1))?.0;
    let (mut below, mut above) = (0.0, 0.0);
    let exceeds = |sum: &mut f64, probability: f64| {
        *sum += probability;
        *sum > TAIL
    };
    let low = posterior.iter().find(|(_, p)| exceeds(&mut below, *p))?.0;
    let high = posterior.iter().rev().find(|(_, p)| exceeds(&mut above, *p))?.0;
    Some(wire::LevelEstimate {
        level: most.get(),
        low: low.get(),
        high: high.get(),
        decisions: likelihood.decisions(),
    })
}

fn mean(sum: f64, count: u32) -> Option<f64> {
    (count > 0).then(|| sum / f64::from(count))
}

/// Returns a CSV table (RFC 4180) of a player's games. The first line holds the names of the columns. Unknown values are empty.
///
/// No value needs quoting, because none contains a comma, a quotation mark or a line break.
pub(crate) fn table(games: &[wire::ProgressGame]) -> String {
    let mut table = String::from(
        "begun_at,match,game,rules,opponent,level,points,help,choices,points_lost,accuracy,offline\r\n",
    );
    let known = |value: Option<u32>| value.map_or_else(String::new, |value| value.to_string());
    for game in games {
        let opponent = match game.opponent {
            wire::PlayerKind::Level => "level",
            wire::PlayerKind::Perfect => "perfect",
            wire::PlayerKind::Program => "program",
            wire::PlayerKind::Friend
            | wire::PlayerKind::You
            | wire::PlayerKind::Open
            | wire::PlayerKind::Deleted => "friend",
        };
        let _ = write!(
            table,
            "{},{},{},{},{opponent},{},{},{},{},{},{},{}\r\n",
            game.begun_at,
            game.match_id,
            game.game,
            game.rules,
            known(game.level.map(u32::from)),
            game.points,
            game.help,
            known(game.choices),
            known(game.points_lost),
            game.accuracy.map_or_else(String::new, |accuracy| format!("{accuracy:.4}")),
            game.offline,
        );
    }
    table
}
