//! Implements the command `overmate solved`, which solves all deals of a rule set and shows statistics of their values.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use overmate_rules::{Deal, RuleSet};
use overmate_solver::whole::{DealFacts, LayerFacts, WholeGame};

use crate::cli::SolvedArgs;
use crate::json::{self, DealsWire, NeedsWire, SolvedWire};
use crate::whole_game;
use overmate_terminal::errors::write_error;
use overmate_terminal::text::columns::{Align, TextTable};
use overmate_terminal::text::{style, words};

/// Number of rows in the table of the most frequent values of deals.
const FREQUENT: usize = 8;

pub(crate) fn run(args: &SolvedArgs, out: &mut dyn Write) -> Result<()> {
    let rules = args.rules.rules.load()?;
    whole_game::end_at_ctrl_c()?;
    let (game, time) = whole_game::solve(&rules, &args.work, None)?;
    let facts = SolvedFacts::of(&game);
    if !args.json {
        return write(&game, &facts, time, out).map_err(write_error);
    }
    let object = SolvedWire {
        rules: rules.name(),
        positions: game.positions(),
        deals: facts.deals,
        histogram: &facts.histogram,
        foreplacing: facts.needs,
        layers: game.layer_facts().into_iter().map(Into::into).collect(),
        // The duration of the solve is rounded to milliseconds.
        seconds: (time.as_secs_f64() * 1000.0).round() / 1000.0,
        kernel: game.kernel().name(),
        threads: game.threads(),
        distinct: facts.distinct,
    };
    json::print(out, &object)
}

/// Statistics of the values of all deals of a rule set.
struct SolvedFacts {
    deals: DealsWire,
    /// Numbers of deals that *first* wins, that *second* wins, and that are drawn, under best play. Deals that differ only in identical
    /// cards count as one deal. `None` if the deck has no identical cards.
    distinct: Option<DealsWire>,
    histogram: BTreeMap<i32, u64>,
    needs: NeedsWire,
}

impl SolvedFacts {
    fn of(game: &WholeGame) -> Self {
        let deals = game.deal_facts();
        let points = |facts: &DealFacts| facts.value_for_first.points();
        let mut histogram = BTreeMap::new();
        let mut needs = NeedsWire::default();
        for facts in &deals {
            *histogram.entry(points(facts)).or_default() += 1;
            *match (facts.first_needs_it(), facts.second_needs_it()) {
                (false, false) => &mut needs.none,
                (true, false) => &mut needs.first,
                (false, true) => &mut needs.second,
                (true, true) => &mut needs.both,
            } += 1;
        }
        let rules = game.rules();
        let distinct = (!rules.deck().all_distinct()).then(|| {
            let numbered = (0u64..).zip(&deals);
            sum(numbered.filter(|(number, _)| is_canonical(rules, *number)).map(|(_, f)| points(f)))
        });
        Self { deals: sum(deals.iter().map(points)), distinct, histogram, needs }
    }
}

fn is_canonical(rules: &Arc<RuleSet>, number: u64) -> bool {
    Deal::numbered(rules, number).is_ok_and(|dealt| dealt.number() == number)
}

/// Counts deals by their results, and computes the mean of the deals' values. The values are given in points for seat *first*.
pub(super) fn sum(values: impl Iterator<Item = i32>) -> DealsWire {
    let (mut deals, mut first_wins, mut second_wins, mut sum) = (0u64, 0, 0, 0i64);
    for points in values {
        deals += 1;
        first_wins += u64::from(points > 0);
        second_wins += u64::from(points < 0);
        sum += i64::from(points);
    }
    let draws = deals - first_wins - second_wins;
    DealsWire { deals, first_wins, second_wins, draws, mean_value_for_first: mean(sum, deals) }
}

#[expect(clippy::cast_precision_loss, reason = "sums of a billion small numbers stay below 2^53")]
fn mean(sum: i64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum as f64 / count as f64 }
}

fn write(
    game: &WholeGame,
    facts: &SolvedFacts,
    time: Duration,
    out: &mut dyn Write,
) -> io::Result<()> {
    let bold = style::HEADING;
    writeln!(out, "{bold}The whole game of {}{bold:#}", game.rules().name())?;
    let positions = words::grouped(game.positions());
    let (threads, kernel) = (words::counted(game.threads() as u64, "thread"), game.kernel());
    let seconds = time.as_secs_f64();
    writeln!(out, "{positions} positions, solved in {seconds:.2} s by {threads} with {kernel}")?;
    write_deals("deals", &facts.deals, out)?;
    if let Some(distinct) = &facts.distinct {
        writeln!(
            out,
            "\nSome cards are identical, so several numbers name one deal. Each deal counted once:"
        )?;
        write_deals("distinct", distinct, out)?;
    }
    write_frequent(facts, out)?;
    if game.rules().foreplacing().is_some() {
        write_needs(facts, out)?;
    }
    write_layers(&game.layer_facts(), game.rules().free_move(), out)
}

fn write_deals(title: &str, deals: &DealsWire, out: &mut dyn Write) -> io::Result<()> {
    let head = [("", Align::Left), (title, Align::Right), ("per cent", Align::Right)];
    let mut table = TextTable::new(head);
    let rows = [
        ("first wins", deals.first_wins),
        ("second wins", deals.second_wins),
        ("draw", deals.draws),
    ];
    for (what, count) in rows {
        table.row([what.to_owned(), words::grouped(count), per_cent(count, deals.deals)]);
    }
    table.row(["all".to_owned(), words::grouped(deals.deals), String::new()]);
    writeln!(out)?;
    table.write(out)?;
    writeln!(out, "Mean value for first: {:+.3}", deals.mean_value_for_first)
}

fn write_frequent(facts: &SolvedFacts, out: &mut dyn Write) -> io::Result<()> {
    let mut values: Vec<(i32, u64)> = facts.histogram.iter().map(|(v, n)| (*v, *n)).collect();
    values.sort_by_key(|(value, count)| (Reverse(*count), *value));
    let head = [("for first", Align::Right), ("deals", Align::Right), ("per cent", Align::Right)];
    let mut table = TextTable::new(head);
    for &(value, count) in values.iter().take(FREQUENT) {
        let share = per_cent(count, facts.deals.deals);
        table.row([words::signed_points(value), words::grouped(count), share]);
    }
    let (shown, all) = (values.len().min(FREQUENT), values.len());
    writeln!(out, "\nThe {shown} most frequent of {}:", words::counted(all as u64, "value"))?;
    table.write(out)
}

fn write_needs(facts: &SolvedFacts, out: &mut dyn Write) -> io::Result<()> {
    let NeedsWire { none, first, second, both } = facts.needs;
    let head = [("who", Align::Left), ("deals", Align::Right), ("per cent", Align::Right)];
    let mut table = TextTable::new(head);
    for (who, count) in
        [("nobody", none), ("first alone", first), ("second alone", second), ("both", both)]
    {
        table.row([who.to_owned(), words::grouped(count), per_cent(count, facts.deals.deals)]);
    }
    writeln!(out, "\nPlayers who would do worse without the right to foreplace:")?;
    table.write(out)
}

fn write_layers(layers: &[LayerFacts], free_move: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut table = TextTable::new([
        ("leader holds", Align::Right),
        ("other holds", Align::Right),
        (if free_move { "free move" } else { "" }, Align::Left),
        ("positions", Align::Right),
        ("mean for leader", Align::Right),
    ]);
    for layer in layers {
        let free = match (free_move, layer.free_move) {
            (false, _) => "",
            (true, true) => "there",
            (true, false) => "used",
        };
        table.row([
            layer.leader_cards.to_string(),
            layer.other_cards.to_string(),
            free.to_owned(),
            words::grouped(layer.positions),
            format!("{:+.3}", mean(layer.sum_for_leader, layer.positions)),
        ]);
    }
    writeln!(out, "\nPositions in which a card is to be led:")?;
    table.write(out)
}

/// Formats the share of `count` deals among `all` deals as a percentage with two decimals.
pub(super) fn per_cent(count: u64, all: u64) -> String {
    format!("{:.2}", 100.0 * mean(count.cast_signed(), all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_deals_are_correct() {
        let sums = sum([3, -5, 0, 0, 4].into_iter());
        let DealsWire { deals, first_wins, second_wins, draws, mean_value_for_first } = sums;
        assert_eq!((deals, first_wins, second_wins, draws), (5, 2, 1, 2));
        assert!((mean_value_for_first - 0.4).abs() < 1e-12);
        assert_eq!(per_cent(1, 3), "33.33");
        assert_eq!(per_cent(0, 0), "0.00");
    }
}
