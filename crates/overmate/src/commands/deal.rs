//! Implements the command `overmate deal`, which shows numbered deals, random deals, and positions.

use std::io::{self, Write};
use std::sync::Arc;

use anyhow::Result;
use overmate_rules::RuleSet;

use crate::cli::DealArgs;
use crate::deal_arguments::{self, Given};
use crate::deal_source::DealSupplier;
use crate::json::{self, GivenWire};
use overmate_terminal::errors::write_error;
use overmate_terminal::text::{hands, style, words};

pub(crate) fn run(args: &DealArgs, out: &mut dyn Write) -> Result<()> {
    let rules = args.rules.rules.load()?;
    let mut shown = 0u64;
    let mut show = |given: Given| {
        shown += 1;
        if args.json {
            return json::print(out, &GivenWire::new(&given));
        }
        write(&rules, &given, shown, out).map_err(write_error)
    };
    if !args.random {
        return deal_arguments::for_each(&rules, &args.deals, show);
    }
    let mut source = DealSupplier::of_seed(args.seed)?;
    (0..args.count.get()).try_for_each(|_| show(Given::Deal(source.next(&rules))))
}

fn write(rules: &Arc<RuleSet>, given: &Given, shown: u64, out: &mut dyn Write) -> io::Result<()> {
    if shown > 1 {
        writeln!(out)?;
    }
    write_given(rules, given, out)?;
    // The last line of the output shows the whole deal or position as a text that the user can copy.
    match given {
        Given::Deal(dealt) => writeln!(out, "  {dealt}"),
        Given::Position(position) => {
            writeln!(out, "\n{}\n  {position}", words::capital(&words::to_do(position)))
        }
    }
}

/// Writes the heading and both hands of a deal or position.
pub(crate) fn write_given(
    rules: &Arc<RuleSet>,
    given: &Given,
    out: &mut dyn Write,
) -> io::Result<()> {
    let bold = style::HEADING;
    let name = rules.name();
    match given {
        Given::Deal(dealt) => writeln!(out, "{bold}Deal {}, {name}{bold:#}", dealt.number())?,
        Given::Position(_) => writeln!(out, "{bold}Position, {name}{bold:#}")?,
    }
    hands::of_seats(rules, given.position().hands()).write(out)
}
