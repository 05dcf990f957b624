//! Implements the command `overmate arena`: computer players play many matches on the same deals, and statistics show their
//! strength.

mod archive;
mod logs;
mod results_json;
mod results_text;
mod setup;

use std::fmt::Write as _;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use overmate_arena::protocol::{Program, ProgramLogs, ProgramOptions};
use overmate_arena::{Arena, ArenaOptions, Entrant as _, MatchId, Observer, Pairings, PlayedMatch};
use overmate_bots::BotSpec;
use overmate_rules::RuleSet;
use overmate_solver::Budget;

use self::archive::Archive;
use self::setup::{ArenaSettings, Contest, NamedEntrant, Setup};
use crate::cli::{ArenaArgs, ProgramArg};
use crate::exit::Usage;
use crate::{deal_arguments, whole_game};
use overmate_terminal::errors::{Interrupted, print_aside, write_error};
use overmate_terminal::limits::is_best_play_slow;
use overmate_terminal::text::words::counted;

/// Default limit of search nodes for an action of a built-in player, under rule sets whose best play may take long to compute.
///
/// A time limit would make the results depend on the machine.
const NODES_WHEN_HARD: u64 = 200_000;

pub(crate) fn run(args: &ArenaArgs, out: &mut dyn Write) -> Result<()> {
    check_players(args)?;
    let rules = args.rules.rules.load()?;
    // A repeated command without `--seed` continues its arena file, because the command takes the random seed from the first match record.
    let seed = match args.seed.or_else(|| archive::recorded_seed(args.record.as_deref()?)) {
        Some(seed) => seed,
        // The random seed is below 2^53, because every JSON parser reads such whole numbers without rounding.
        None => {
            getrandom::u64()
                .context("the system gives no random numbers: choose the seed with --seed")?
                >> 11
        }
    };
    let is_hard = is_best_play_slow(&rules);
    let nodes = args.nodes.or((is_hard && args.time.is_none()).then_some(NODES_WHEN_HARD));
    let settings =
        ArenaSettings { seed, nodes, time: args.time, sprt: args.sprt, clock: args.clock };
    let contest = contest(args, &rules)?;
    let stop = whole_game::stop_at_ctrl_c()?;
    let unnamed = if args.record.is_none() { unnamed_file(seed) } else { None };
    let arena_file = args.record.as_ref().or(unnamed.as_ref().map(|open| &open.path)).cloned();
    let beside = || arena_file.as_deref().map(logs::folder_beside);
    let logs = ProgramLogs::new(args.stderr.clone().or_else(beside), args.trace.clone());
    let (mut entrants, programs) = enter(args, nodes, &logs, &stop).inspect_err(|_| {
        if let Some(open) = &unnamed {
            // An error in removing the file for the arena's matches is ignored. The file is still empty, and does no harm.
            let _ = std::fs::remove_file(&open.path);
        }
    })?;
    if let Some(name) = &args.gauntlet {
        // A stable sort moves the player that `--gauntlet` names to the first place, and keeps the order of the other players.
        entrants.sort_by_key(|entrant| !is_called(&entrant.name, name));
    }
    let names: Vec<String> = entrants.iter().map(|entrant| entrant.name.clone()).collect();
    let setup = Setup { rules: Arc::clone(&rules), entrants, settings, contest };
    let pairings = if setup.contest.is_gauntlet { Pairings::OfFirst } else { Pairings::All };
    let options = ArenaOptions::default()
        .with_pairs(setup.contest.pairs)
        .with_pairings(pairings)
        .with_deals(setup.contest.deals.clone())
        .with_seed(seed)
        .with_budget(budget(nodes, args.time, &stop))
        .with_threads(whole_game::threads(args.threads))
        .with_sprt(args.sprt);
    let contenders = setup.entrants.iter().map(|entrant| Arc::clone(&entrant.entrant)).collect();
    let arena = Arena::new(rules, contenders, options)?;
    let (archive, known) = Archive::open(args.record.as_deref(), unnamed, &setup, names)?;
    let archive = Mutex::new(archive);
    let failure = Mutex::new(None);
    let bar = Bar::new();
    let keep = |id: MatchId, played: &PlayedMatch| {
        let mut archive = archive.lock().unwrap_or_else(PoisonError::into_inner);
        match archive.add(id, played) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                ControlFlow::Break(())
            }
        }
    };
    let progress = |done, total| bar.tell(done, total);
    let watch = Observer::default().on_played(&keep).on_progress(&progress).stopped_by(&stop);
    let results = arena.run(known, &watch);
    bar.end();
    tell_of_logs(args, &programs, &logs);
    let archive = archive.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let results = match results {
        Ok(results) => results,
        Err(stopped) => {
            let place = archive.leave();
            let mut told =
                format!("Stopped after {} of {} matches.", stopped.played, stopped.matches);
            if let Some(place) = place {
                let _ = write!(told, "\nTo go on: {}", command_to_go_on(args, seed, &place));
            }
            print_aside(&told);
            return Err(Interrupted.into());
        }
    };
    // The results are printed before the arena file is sorted, because they are known even if the sorting fails.
    let printed = if args.json {
        results_json::print(&setup, &results, out)
    } else {
        results_text::write(&setup, &results, out).map_err(write_error)
    };
    archive.finish(&results)?;
    printed
}

/// Creates the temporary file in which an arena stores its matches. If no file can be created, returns `None`: the arena can then be played
/// but not resumed. A line on the standard error says so at the start, while the user can still choose a file.
fn unnamed_file(seed: u64) -> Option<archive::Open> {
    archive::unnamed_file(seed)
        .inspect_err(|error| {
            print_aside(&format!(
                "No match is kept if the arena stops early: {error:#}. To keep the matches, name a file with --record FILE."
            ));
        })
        .ok()
}

/// Number of matches between each pair of players in an arena, if neither `--matches` nor `--deals` is given.
const MATCHES: u64 = 100;

/// Returns the schedule of an arena from the command-line arguments: the opponents, match pairs and deals.
fn contest(args: &ArenaArgs, rules: &Arc<RuleSet>) -> Result<Contest> {
    let is_gauntlet = args.gauntlet.is_some();
    let Some(path) = &args.deals else {
        let pairs = args.matches.unwrap_or(MATCHES) / 2;
        return Ok(Contest { pairs, is_gauntlet, deals: None });
    };
    let deals = deal_arguments::deals_of_file(rules, path)?;
    let (count, rounds) = (deals.len() as u64, u64::from(rules.rounds()));
    let pairs = match args.matches {
        Some(matches) => matches / 2,
        None if count.is_multiple_of(rounds) => count / rounds,
        None => bail!(
            "the file {} lists {}, but a match of {} has {rounds} deals: list a multiple of {rounds} deals{}",
            path.display(),
            counted(count, "deal"),
            rules.name(),
            if count < rounds { "" } else { ", or choose the number of matches with --matches" }
        ),
    };
    if pairs.saturating_mul(rounds) > count {
        bail!(
            "the file {} lists {}, but {} matches need {} deals: add deals{}",
            path.display(),
            counted(count, "deal"),
            2 * pairs,
            pairs.saturating_mul(rounds),
            if count < rounds { "" } else { ", or choose fewer matches with --matches" }
        );
    }
    Ok(Contest { pairs, is_gauntlet, deals: Some(deals.into()) })
}

/// Returns whether a text names a given player, either in full or in another form, such as `3` for `level:3`.
fn is_called(name: &str, text: &str) -> bool {
    name == text || text.parse::<BotSpec>().is_ok_and(|built_in| built_in.to_string() == name)
}

/// Tells the user which log files are incomplete, and which folder holds the standard error of the external programs.
fn tell_of_logs(args: &ArenaArgs, programs: &[Arc<Program>], logs: &ProgramLogs) {
    for program in programs {
        if let Some(error) = program.log_fault() {
            let name = program.name();
            print_aside(&format!("a log file of the program {name} is incomplete: {error}"));
        }
        if let Some(path) = program.cut_log() {
            print_aside(&format!(
                "The standard error of the program {} is cut off at 16 MiB in {}.",
                program.name(),
                path.display()
            ));
        }
    }
    let unnamed = logs.stderr.as_ref().filter(|_| args.record.is_none() && args.stderr.is_none());
    if let Some(folder) = unnamed.filter(|folder| folder.exists()) {
        print_aside(&format!("The standard error of the programs is in {}.", folder.display()));
    }
}

/// Checks the players that the user has named: at least two, all with different names, and an external program if `--clock` is given. The
/// check comes before any external program starts.
fn check_players(args: &ArenaArgs) -> Result<(), Usage> {
    let built_in = args.players.iter().map(ToString::to_string);
    let names: Vec<String> =
        built_in.chain(args.bots.iter().map(|program| program.name.clone())).collect();
    if let Some((_, twice)) =
        names.iter().enumerate().find(|(place, name)| names[..*place].contains(name))
    {
        return Err(Usage(format!(
            "two players have the name `{twice}`: give each player a name of its own"
        )));
    }
    if names.len() < 2 {
        let usage = "an arena needs at least two players: name built-in players with --players level:3,perfect, and \
                     programs with --bot NAME=COMMAND";
        return Err(Usage(usage.to_owned()));
    }
    if args.clock.is_some() && args.bots.is_empty() {
        let usage = "only programs have a clock: add a program with --bot NAME=COMMAND, or leave out --clock";
        return Err(Usage(usage.to_owned()));
    }
    if let Some(gauntlet) = &args.gauntlet
        && !names.iter().any(|name| is_called(name, gauntlet))
    {
        return Err(Usage(format!(
            "no player of the arena has the name `{gauntlet}` of --gauntlet: name one of {}",
            names.join(", ")
        )));
    }
    Ok(())
}

/// Creates the built-in players of an arena, and starts its external programs. Returns all players, with a list of the external programs.
fn enter(
    args: &ArenaArgs,
    nodes: Option<u64>,
    logs: &ProgramLogs,
    stop: &Arc<AtomicBool>,
) -> Result<(Vec<NamedEntrant>, Vec<Arc<Program>>)> {
    for folder in [&args.stderr, &args.trace].into_iter().flatten() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    }
    let mut entrants: Vec<NamedEntrant> = Vec::new();
    let mut programs = Vec::new();
    for &built_in in &args.players {
        let name = built_in.to_string();
        entrants.push(NamedEntrant { entrant: Arc::new(built_in), name, own_name: None });
    }
    let default_time = if args.clock.is_some() { Duration::MAX } else { ProgramOptions::TIME };
    for ProgramArg { name, command } in &args.bots {
        let options = ProgramOptions::new(name.clone(), command.clone())
            .with_time(args.time.unwrap_or(default_time))
            .with_clock(args.clock)
            .with_nodes(nodes)
            .with_stop(Arc::clone(stop))
            .with_logs(logs.clone());
        let program = match Program::start(options) {
            Err(_) if stop.load(Ordering::Relaxed) => return Err(Interrupted.into()),
            Err(forfeit) => {
                let error = anyhow::Error::msg(forfeit.why);
                return Err(error.context(format!("the player {name} cannot enter the arena")));
            }
            Ok(program) => Arc::new(program),
        };
        let own_name = Some(program.own_name().to_owned());
        let entrant = Arc::clone(&program);
        entrants.push(NamedEntrant { entrant, name: name.clone(), own_name });
        programs.push(program);
    }
    Ok((entrants, programs))
}

fn budget(nodes: Option<u64>, time: Option<Duration>, stop: &Arc<AtomicBool>) -> Budget {
    let budget = Budget::unlimited().with_stop(Arc::clone(stop));
    let budget = match nodes {
        Some(nodes) => budget.with_nodes(nodes),
        None => budget,
    };
    match time {
        Some(time) => budget.with_time(time),
        None => budget,
    }
}

/// Returns the command line that resumes a stopped arena.
fn command_to_go_on(args: &ArenaArgs, seed: u64, place: &str) -> String {
    let mut words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if args.seed.is_none() {
        words.extend(["--seed".to_owned(), seed.to_string()]);
    }
    if args.record.is_none() {
        words.extend(["--record".to_owned(), place.to_owned()]);
    }
    let words = words.iter().map(String::as_str);
    let line = shlex::try_join(std::iter::once("overmate").chain(words));
    line.unwrap_or_else(|_| "the same command again".to_owned())
}

/// Progress bar of an arena on the standard error. The bar is shown only if the standard error is a terminal.
struct Bar {
    bar: ProgressBar,
    /// Number of matches that the arena file holds from earlier runs.
    known: OnceLock<u64>,
}

impl Bar {
    fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let bar = Self { bar, known: OnceLock::new() };
        bar.shows("");
        // The progress bar updates the estimated remaining time every second, because a single match may take long.
        bar.bar.enable_steady_tick(Duration::from_secs(1));
        bar
    }

    /// Sets the text that follows the number of matches in the progress bar.
    fn shows(&self, more: &str) {
        let template = format!("{{bar:40}} {{pos}} of {{len}} matches{more}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            self.bar.set_style(style.progress_chars("=> "));
        }
    }

    fn tell(&self, done: u64, total: u64) {
        self.bar.set_length(total);
        self.bar.set_position(done);
        let known = *self.known.get_or_init(|| {
            // The progress bar resets its estimate of the remaining time, because the matches that the arena file already held took no
            // time.
            self.bar.reset_eta();
            done
        });
        // The progress bar shows the estimated remaining time only after the first match of this run.
        if done > known {
            self.shows(", {eta} left");
        }
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}
