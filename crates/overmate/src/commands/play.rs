//! Implements the command `overmate play`: a match in the terminal, on the full screen or line by line.

use std::io::Write;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use overmate_arena::protocol::{Program, ProgramOptions};
use overmate_bots::{BotSpec, BuiltIn, Level};
use overmate_rules::{Deal, Dealt, Game, Match, RuleSet, Seat};
use overmate_terminal::text::words;
use overmate_terminal::{Charset, MatchController, MatchSetup, Opponent, ProgramOpponent};

use super::replay::visible_name;
use crate::cli::{CommandArg, PlayArgs};
use crate::deal_arguments::{self, Given};
use crate::deal_source::DealSupplier;
use crate::exit::Usage;
use crate::rules_argument::RulesArg;

/// Default level of the computer opponent. Beginners can soon win against this level.
const DEFAULT_LEVEL: u8 = 3;

pub(crate) fn run(args: &PlayArgs, out: &mut dyn Write) -> Result<()> {
    let program = args.bot.as_ref().map(start).transpose()?;
    let opponent = program.as_ref().zip(args.bot.as_ref()).map(|(program, command)| {
        let name = visible_name(program.own_name());
        ProgramOpponent::new(program.clone(), name.as_deref(), &command.text)
    });
    let controller = match &args.resume {
        Some(path) => overmate_terminal::resume(path, opponent)?,
        None => new_match(args, opponent)?,
    };
    let played =
        overmate_terminal::play(controller, args.lines, args.charset.map(Charset::from), out);
    // The thread that asks the opponent for actions may still hold a reference to the external program. Dropping `program` would therefore
    // not end the program's process.
    if let Some(program) = program {
        program.quit_idle();
    }
    played
}

/// Starts the external program that the option `--bot` names.
fn start(command: &CommandArg) -> Result<Arc<Program>> {
    let words = &command.words;
    let program = Program::start(ProgramOptions::new(words.join(" "), words.clone()))
        .map_err(|forfeit| anyhow::Error::msg(forfeit.why))
        .context("the program given with --bot cannot play: correct its command")?;
    Ok(Arc::new(program))
}

fn new_match(args: &PlayArgs, program: Option<ProgramOpponent>) -> Result<MatchController> {
    let rules = match &args.rules {
        Some(rules) => rules.load()?,
        None => RulesArg::parse("sackson")?.load()?,
    };
    let contest = if let Some(line) = &args.position {
        match_from(&rules, line)?
    } else {
        let deals = chosen_deals(&rules, &args.deals)?;
        Match::new(&rules, &mut DealSupplier::of_seed(args.seed)?.after(deals.into()))
    };
    let default = Level::new(DEFAULT_LEVEL).map_or(BuiltIn::Perfect, BuiltIn::Level);
    overmate_terminal::new_match(MatchSetup {
        begins_here: !contest.current().actions().is_empty(),
        start: contest,
        seat: args.seat.map_or(Seat::First, Seat::from),
        opponent: match program {
            Some(program) => Opponent::Program(program),
            None => Opponent::BuiltIn(args.level.unwrap_or(BotSpec::BuiltIn(default))),
        },
        record: args.record.clone(),
    })
}

/// Returns a match of one game that begins at the position in `line`, which is in one-line position notation.
fn match_from(rules: &Arc<RuleSet>, line: &str) -> Result<Match> {
    let given = deal_arguments::read_position(rules, line)
        .context("the value of --position is not a valid position")?;
    let position = given.position();
    if position.to_act().is_none() {
        bail!("the game is over in the position of --position: choose an earlier position");
    }
    let game = match given {
        Given::Deal(dealt) => Game::new(dealt),
        Given::Position(position) => Game::leading_to(&position).context(
            "no game was found that leads to the position of --position: \
             `overmate solve` shows the values of the position",
        )?,
    };
    let contest = Match::of_one_game(game.dealt().clone());
    Ok(game.actions().iter().try_fold(contest, |contest, action| contest.play(*action))?)
}

fn chosen_deals(rules: &Arc<RuleSet>, numbers: &[u64]) -> Result<Vec<Dealt>> {
    let rounds = usize::from(rules.rounds());
    if numbers.len() > rounds {
        let message = format!(
            "--deal is given {}, but a match of {} has only {}: leave out the other deals",
            words::counted(numbers.len() as u64, "time"),
            rules.name(),
            words::counted(rounds as u64, "round")
        );
        return Err(Usage(message).into());
    }
    let deal = |number: &u64| {
        Deal::numbered(rules, *number).with_context(|| {
            format!("`--deal {number}` names no deal of the rule set {}", rules.name())
        })
    };
    numbers.iter().map(deal).collect()
}
