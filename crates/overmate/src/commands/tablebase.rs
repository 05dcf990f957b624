//! Implements the command `overmate tablebase`, which builds, verifies and reads files with the value of every position of a
//! game.

use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow};
use overmate_rules::RuleSet;
use overmate_solver::Progress;
use overmate_solver::tablebase::{NewTablebase, Tablebase, Verified};
use overmate_solver::whole::WholeGame;

use super::solve::{self, SolveRequest};
use crate::cli::{BuildArgs, HashesArgs, ProbeArgs, TablebaseArgs, TablebaseCommand, VerifyArgs};
use crate::json::{self, TablebaseWire};
use crate::memory;
use crate::rules_argument::RulesArg;
use crate::whole_game::{self, StageBar};
use overmate_terminal::errors::write_error;
use overmate_terminal::text::{style, words};

pub(crate) fn run(args: &TablebaseArgs, out: &mut dyn Write) -> Result<()> {
    match &args.command {
        TablebaseCommand::Build(args) => build(args, out),
        TablebaseCommand::Verify(args) => verify(args, out),
        TablebaseCommand::Probe(args) => probe(args, out),
        TablebaseCommand::Hashes(args) => hashes(args, out),
    }
}

fn build(args: &BuildArgs, out: &mut dyn Write) -> Result<()> {
    let rules = args.rules.rules.load()?;
    let failed = || format!("cannot write the tablebase file {}", args.file.display());
    let stop = whole_game::stop_at_ctrl_c()?;
    // The tablebase file is created before the long computation, so that a faulty path is reported at once.
    let new = NewTablebase::create(&args.file, args.force).map_err(explain).with_context(failed)?;
    let start = Instant::now();
    let write = || {
        let (game, _) = whole_game::solve(&rules, &args.work, Some(&stop))?;
        let progress = StageBar::new("Writing");
        let tell = |done, total| progress.tell(done, total);
        let watch = Progress { report: Some(&tell), stop: Some(&stop) };
        let bytes = new.write(&game, &watch).with_context(failed)?;
        Ok((game.positions(), bytes))
    };
    let (positions, bytes) = whole_game::unless_stopped(&stop, write())?;
    let (positions, bytes) = (words::grouped(positions), words::grouped(bytes));
    let (file, seconds) = (args.file.display(), start.elapsed().as_secs_f64());
    let name = rules.name();
    writeln!(out, "{file}: {name}, {positions} positions in {bytes} bytes, {seconds:.2} s")
        .map_err(write_error)
}

/// Replaces the I/O errors for an existing tablebase file and for a missing folder by errors that name a remedy.
fn explain(error: io::Error) -> anyhow::Error {
    match error.kind() {
        ErrorKind::AlreadyExists => {
            anyhow!("the tablebase file exists already: give --force to replace the file")
        }
        ErrorKind::NotFound => {
            anyhow!(
                "the folder of the tablebase file does not exist: create the folder, or choose another place"
            )
        }
        _ => error.into(),
    }
}

/// Opens a tablebase file. If the user named a rule set, the file must hold the values of this rule set.
fn open(file: &Path, rules: Option<&RulesArg>) -> Result<Tablebase> {
    let opened = match rules {
        Some(rules) => Tablebase::open_for(file, &*rules.load()?),
        None => Tablebase::open(file),
    };
    opened.with_context(|| format!("the file {} cannot be opened as a tablebase", file.display()))
}

fn verify(args: &VerifyArgs, out: &mut dyn Write) -> Result<()> {
    let table = open(&args.file, args.rules.as_ref())?;
    whole_game::end_at_ctrl_c()?;
    let failed =
        || format!("the tablebase {} has not passed the verification", args.file.display());
    memory::check(table.positions()).with_context(|| {
        format!("the verification of the tablebase {} needs too much memory", args.file.display())
    })?;
    let start = Instant::now();
    let verified = {
        let progress = StageBar::new("Verifying");
        let tell = |done, total| progress.tell(done, total);
        let watch = Progress { report: Some(&tell), stop: None };
        table.verify(whole_game::threads(args.threads), &watch).with_context(failed)?
    };
    let seconds = start.elapsed().as_secs_f64();
    write_verified(table.rules(), &verified, seconds, out).map_err(write_error)
}

fn write_verified(
    rules: &RuleSet,
    verified: &Verified,
    seconds: f64,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Verified { bytes, blocks, published, positions, answers, searched } = *verified;
    let [bytes, blocks, positions, answers, searched] =
        [bytes, blocks, positions, answers, searched].map(words::grouped);
    let bold = style::HEADING;
    writeln!(out, "{bold}All is in order{bold:#}: the whole game of {}", rules.name())?;
    writeln!(out, "  {bytes} bytes have their hash, {blocks} blocks their checksums")?;
    match published {
        Some(layers) => writeln!(out, "  {layers} layers have their published hashes")?,
        None => writeln!(out, "  for this rule set no hashes are published")?,
    }
    writeln!(out, "  {positions} values are the best of their leads, by {answers} answers")?;
    writeln!(out, "  {searched} random positions have the values that a search finds")?;
    writeln!(out, "Verified in {seconds:.2} s")
}

fn probe(args: &ProbeArgs, out: &mut dyn Write) -> Result<()> {
    let table = open(&args.file, args.rules.as_ref())?;
    let rules = table.rules();
    if args.deals.is_empty() {
        return describe(&table, args.json, out);
    }
    let mut reader = table.reader();
    let wanted = SolveRequest { rules, deals: &args.deals, after: &args.after, json: args.json };
    let failed = || format!("the tablebase {} cannot be read", args.file.display());
    let analyse = |position: &_| {
        let analysis = reader.analyse_position(position).with_context(failed)?;
        analysis.with_context(|| {
            format!("the tablebase of {} holds no value of the given position: give a position of this rule set", rules.name())
        })
    };
    solve::answer(&wanted, analyse, out)
}

fn describe(table: &Tablebase, json: bool, out: &mut dyn Write) -> Result<()> {
    let (positions, bytes, version) = (table.positions(), table.bytes(), table.version());
    let rules = table.rules().name();
    if json {
        return json::print(out, &TablebaseWire { rules, positions, bytes, version });
    }
    let bold = style::HEADING;
    let (positions, bytes) = (words::grouped(positions), words::grouped(bytes));
    writeln!(out, "{bold}The whole game of {rules}{bold:#}")
        .and_then(|()| writeln!(out, "{positions} positions in {bytes} bytes, format {version}"))
        .map_err(write_error)
}

/// Comment lines at the beginning of the output of `overmate tablebase hashes --all`.
const HASHES_HEAD: &str = "\
# Every rule set with published values, layer by layer, in canonical order.
# Written by: overmate tablebase hashes --all
# rules\tleader_cards\tother_cards\tfree_move\tpositions\tsum_for_leader\tsum_of_squares\txxh3_64";

fn hashes(args: &HashesArgs, out: &mut dyn Write) -> Result<()> {
    whole_game::end_at_ctrl_c()?;
    if !args.all {
        return print_hashes(args, &args.rules.rules, out);
    }
    writeln!(out, "{HASHES_HEAD}").map_err(write_error)?;
    for rules in RuleSet::with_published_values().into_iter().map(RuleSet::shared) {
        print_hashes(args, &RulesArg::Named(rules), out)?;
    }
    Ok(())
}

fn print_hashes(args: &HashesArgs, rules: &RulesArg, out: &mut dyn Write) -> Result<()> {
    let (game, _): (WholeGame, _) = whole_game::solve(&rules.load()?, &args.work, None)?;
    let name = game.rules().name();
    for layer in game.hashed_layers() {
        writeln!(out, "{name}\t{layer}").map_err(write_error)?;
    }
    Ok(())
}
