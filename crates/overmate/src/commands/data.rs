//! Implements the command `overmate data`, which reads files with the values of all deals.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use overmate_data::{CsvWriter, DealColumn, DealFile, DealTable};
use overmate_rules::{Deal, Position, RuleSet};
use overmate_solver::Solver;
use serde::{Serialize, Serializer};

use super::solved;
use crate::cli::DataArgs;
use crate::deal_arguments;
use crate::json::{self, DealsWire};
use crate::whole_game::{self, StageBar};
use overmate_terminal::errors::write_error;
use overmate_terminal::limits::budget;
use overmate_terminal::text::columns::{Align, TextTable};
use overmate_terminal::text::{style, words};

pub(crate) fn run(args: &DataArgs, out: &mut dyn Write) -> Result<()> {
    let failed =
        || format!("the file {} cannot be read as a file of deal values", args.file.display());
    let file = DealFile::open(&args.file).with_context(failed)?;
    let names: Vec<&str> = if args.rules.is_empty() {
        file.names()
    } else {
        // A rule set is shown once even if its option is repeated, because a JSON object has each key once.
        let mut seen = HashSet::new();
        args.rules.iter().map(String::as_str).filter(|name| seen.insert(*name)).collect()
    };
    let table = file.read(&names).with_context(failed)?;
    if let Some(count) = args.verify {
        return verify(args, &file, &table, count, out);
    }
    if !args.deals.is_empty() {
        return show_deals(args, &file, &table, out);
    }
    let statistics = table.columns().iter().map(Statistics::of);
    if args.json {
        return statistics.into_iter().try_for_each(|row| json::print(out, &row));
    }
    describe(&args.file, &file, &statistics.collect::<Vec<_>>(), out).map_err(write_error)
}

/// JSON object with statistics of the deal values under one rule set.
#[derive(Serialize)]
struct Statistics<'a> {
    rules: &'a str,
    #[serde(flatten)]
    deals: DealsWire,
    least_value_for_first: i32,
    most_value_for_first: i32,
}

impl<'a> Statistics<'a> {
    fn of(column: &'a DealColumn) -> Self {
        let values = || column.values.iter().copied();
        Self {
            rules: &column.rules,
            deals: solved::sum(values()),
            least_value_for_first: values().min().unwrap_or(0),
            most_value_for_first: values().max().unwrap_or(0),
        }
    }
}

fn describe(
    path: &Path,
    file: &DealFile,
    statistics: &[Statistics<'_>],
    out: &mut dyn Write,
) -> io::Result<()> {
    let bold = style::HEADING;
    let deals = words::grouped(file.rows() as u64);
    let all = file.rule_sets().len();
    let rule_sets = words::counted(all as u64, "rule set");
    let chosen = statistics.len();
    let rule_sets = if chosen < all { format!("{chosen} of {rule_sets}") } else { rule_sets };
    writeln!(out, "{bold}{}: {deals} deals, {rule_sets}{bold:#}", path.display())?;
    writeln!(out, "Points for first, the leader of the first move, with best play by both.\n")?;
    let mut table = TextTable::new([
        ("rule set", Align::Left),
        ("deals", Align::Right),
        ("smallest", Align::Right),
        ("mean", Align::Right),
        ("largest", Align::Right),
        ("first wins", Align::Right),
        ("draws", Align::Right),
        ("second wins", Align::Right),
    ]);
    for row in statistics {
        let deals = row.deals;
        let share = |count| format!("{} %", solved::per_cent(count, deals.deals));
        table.row([
            row.rules.to_owned(),
            words::grouped(deals.deals),
            words::signed_points(row.least_value_for_first),
            format!("{:+.3}", deals.mean_value_for_first),
            words::signed_points(row.most_value_for_first),
            share(deals.first_wins),
            share(deals.draws),
            share(deals.second_wins),
        ]);
    }
    table.write(out)
}

/// Prints the requested deals with their values.
fn show_deals(
    args: &DataArgs,
    file: &DealFile,
    table: &DealTable,
    out: &mut dyn Write,
) -> Result<()> {
    let rules = &file.rule_sets()[0];
    let row_of = |deal| {
        let row = table.row_of(deal);
        row.with_context(|| format!("cannot show deal {deal} of the file {}", args.file.display()))
    };
    if args.csv {
        let mut csv = CsvWriter::new(out, table).map_err(csv_error)?;
        deal_arguments::for_each_number(rules, &args.deals, |deal| {
            csv.row(table, row_of(deal)?).map_err(csv_error)
        })?;
        return csv.finish().map_err(csv_error);
    }
    let mut shown = 0u64;
    deal_arguments::for_each_number(rules, &args.deals, |deal| {
        let row = row_of(deal)?;
        shown += 1;
        if args.json {
            return json::print(out, &RowWire::new(table, row));
        }
        write_row(table, row, shown > 1, out).map_err(write_error)
    })
}

/// JSON object with one deal and its values under each rule set.
#[derive(Serialize)]
struct RowWire<'a> {
    deal: String,
    same_as: String,
    first: Vec<&'a str>,
    second: Vec<&'a str>,
    #[serde(serialize_with = "in_order")]
    values_for_first: Vec<(&'a str, i32)>,
}

impl<'a> RowWire<'a> {
    fn new(table: &'a DealTable, row: usize) -> Self {
        let value = |column: &'a DealColumn| (column.rules.as_str(), column.values[row]);
        Self {
            deal: table.deals()[row].to_string(),
            same_as: table.same_as()[row].to_string(),
            first: table.first()[row].split(' ').collect(),
            second: table.second()[row].split(' ').collect(),
            values_for_first: table.columns().iter().map(value).collect(),
        }
    }
}

/// Serialises pairs of names and numbers as a JSON object, with the fields in the order of the pairs.
fn in_order<S: Serializer>(pairs: &[(&str, i32)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().copied())
}

fn write_row(table: &DealTable, row: usize, is_later: bool, out: &mut dyn Write) -> io::Result<()> {
    let bold = style::HEADING;
    let (deal, same_as) = (table.deals()[row], table.same_as()[row]);
    let separator = if is_later { "\n" } else { "" };
    writeln!(out, "{separator}{bold}Deal {deal}{bold:#}")?;
    writeln!(out, "  first   {}", table.first()[row])?;
    writeln!(out, "  second  {}", table.second()[row])?;
    if same_as != deal {
        writeln!(out, "  The smallest number of the same deal is {same_as}.")?;
    }
    writeln!(out)?;
    let mut values = TextTable::new([("rule set", Align::Left), ("for first", Align::Right)]);
    for column in table.columns() {
        values.row([column.rules.clone(), words::signed_points(column.values[row])]);
    }
    values.write(out)
}

/// Converts an error of the CSV writer to an error of the command. An I/O error becomes an error of the standard output.
fn csv_error(error: overmate_data::DataError) -> anyhow::Error {
    match error {
        overmate_data::DataError::Io(error) => write_error(error),
        error => error.into(),
    }
}

/// Compares the values of random deals in a file of deal values with the solver's values. Also compares the values of all deal numbers that
/// name the same deal.
fn verify(
    args: &DataArgs,
    file: &DealFile,
    table: &DealTable,
    count: u64,
    out: &mut dyn Write,
) -> Result<()> {
    whole_game::end_at_ctrl_c()?;
    let start = Instant::now();
    let mut random = args.seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
    let count = usize::try_from(count).unwrap_or(usize::MAX).min(table.rows());
    let mut rows = random.choose_multiple(0..table.rows(), count);
    rows.sort_unstable();
    let failed = || format!("the file {} has not passed the verification", args.file.display());
    let twins = verify_twins(table).with_context(failed)?;
    {
        let progress = StageBar::new("Verifying");
        for (done, &row) in (0u64..).zip(&rows) {
            progress.tell(done, rows.len() as u64);
            verify_row(file, table, row).with_context(failed)?;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    write_verified(table, rows.len(), twins, seconds, out).map_err(write_error)
}

/// Checks that deals have equal values if they differ only by exchanges of identical cards. Each row is compared with the row of the deal's
/// smallest number. Returns the number of compared pairs of rows.
fn verify_twins(table: &DealTable) -> Result<u64> {
    let mut twins = 0;
    for (row, (deal, same_as)) in table.deals().iter().zip(table.same_as()).enumerate() {
        if deal == same_as {
            continue;
        }
        // A file that holds only some deals may lack the row of a deal's canonical number, which is the smallest number that names the
        // deal.
        let Ok(other) = table.row_of(u64::try_from(*same_as).unwrap_or(u64::MAX)) else { continue };
        twins += 1;
        for DealColumn { rules, values } in table.columns() {
            if values[row] != values[other] {
                bail!(
                    "the deal numbers {same_as} and {deal} name one deal, but have different values in the column `{rules}`: {} and {}; write the file again",
                    words::signed_points(values[other]),
                    words::signed_points(values[row])
                );
            }
        }
    }
    Ok(twins)
}

/// Checks one row of a file of deal values: the hands against the rules, and the values against the solver.
fn verify_row(file: &DealFile, table: &DealTable, row: usize) -> Result<()> {
    let deal = table.deals()[row];
    if !table.describes_its_deal(&file.rule_sets()[0], row)? {
        bail!(
            "the row of deal {deal} has wrong hands or a wrong number in `same_as`: write the file again, for example with `cargo xtask solved --data`"
        );
    }
    let mut solver = Solver::new();
    for DealColumn { rules, values } in table.columns() {
        let known = file.rule_sets().iter().find(|known| known.name() == rules);
        let known = known.with_context(|| format!("the file has no column `{rules}`"))?;
        let expected = solve(&mut solver, known, u64::try_from(deal)?)?;
        let found = values[row];
        if found != expected {
            bail!(
                "deal {deal} has the value {} in the column `{rules}`, but the solver finds {}: write the file again",
                words::signed_points(found),
                words::signed_points(expected)
            );
        }
    }
    Ok(())
}

/// Returns the value of a deal in points for seat *first* under best play.
fn solve(solver: &mut Solver, rules: &Arc<RuleSet>, deal: u64) -> Result<i32> {
    let position = Position::start(&Deal::numbered(rules, deal)?);
    let budget = budget(rules, None, Duration::from_secs(10), None);
    let value = solver.value(&position, &budget).exact();
    let value = value.with_context(|| {
        format!(
            "the solver cannot prove the value of deal {deal} in {} in time: choose columns of a deck of 20 cards with --rules",
            rules.name()
        )
    })?;
    Ok(value.points())
}

fn write_verified(
    table: &DealTable,
    deals: usize,
    twins: u64,
    seconds: f64,
    out: &mut dyn Write,
) -> io::Result<()> {
    let bold = style::HEADING;
    let (rule_sets, deals) = (table.columns().len() as u64, deals as u64);
    let values = words::grouped(deals * rule_sets);
    let deals = words::counted(deals, "random deal");
    let rule_sets = words::counted(rule_sets, "rule set");
    writeln!(out, "{bold}All is in order{bold:#}")?;
    writeln!(out, "  {values} values of {deals} in {rule_sets} are those of the solver")?;
    if twins > 0 {
        let twins = words::grouped(twins);
        writeln!(out, "  {twins} rows of the same deals as other rows, with the same values")?;
    }
    writeln!(out, "Verified in {seconds:.2} s")
}
