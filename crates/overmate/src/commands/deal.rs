//! Implements the command `overmate deal`, which shows deals of given numbers, the deal numbers of given hands, and random deals.

use std::io::{self, Write};
use std::sync::Arc;

use anyhow::Result;
use overmate_rules::{Dealt, RuleSet};

use crate::cli::DealArgs;
use crate::deal_arguments;
use crate::deal_source::Source;
use crate::json::{self, DealWire};
use overmate_terminal::errors::write_error;
use overmate_terminal::text::hands;

pub(crate) fn run(args: &DealArgs, out: &mut dyn Write) -> Result<()> {
    let rules = args.rules.rules.load()?;
    let mut shown = 0u64;
    let mut show = |dealt: Dealt| {
        shown += 1;
        if args.json {
            return json::print(out, &DealWire::new(&rules, &dealt));
        }
        write(&rules, &dealt, shown, out).map_err(write_error)
    };
    if !args.random {
        return deal_arguments::for_each(&rules, &args.deals, show);
    }
    let mut source = Source::of_seed(args.seed)?;
    (0..args.count).try_for_each(|_| show(source.next(&rules)))
}

fn write(rules: &Arc<RuleSet>, dealt: &Dealt, shown: u64, out: &mut dyn Write) -> io::Result<()> {
    let bold = overmate_terminal::text::style::HEADING;
    let separator = if shown > 1 { "\n" } else { "" };
    writeln!(out, "{separator}{bold}Deal {}, {}{bold:#}", dealt.number(), rules.name())?;
    hands::of_seats(rules, dealt.hands()).write(out)?;
    // The last line shows the whole deal, so that it can be copied.
    writeln!(out, "  {dealt}")
}
