//! Implements the command `overmate puzzle`, in which the player types actions to solve one puzzle, and the program explains the solution.

use std::io::{self, Write};
use std::num::NonZero;
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::{Context as _, Result, bail};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Unit};
use overmate_puzzles::{Branch, Decision, Puzzle, PuzzleSet, Wanted, find};
use overmate_rules::{Action, Card, Foreplaced, Phase, Position, RuleSet, Seat};

use crate::cli::PuzzleArgs;
use crate::whole_game;
use overmate_terminal::errors::write_error;
use overmate_terminal::text::hands::PrintedHands;
use overmate_terminal::text::notation::Notation;
use overmate_terminal::text::wrapping::{filled, wrapped_list};
use overmate_terminal::text::{style, words};
use overmate_terminal::untrusted::{printable_line, read_line};

pub(crate) fn run(args: &PuzzleArgs, out: &mut dyn Write) -> Result<()> {
    let rules = args.rules.rules.load()?;
    let day = args.date.or_else(|| args.daily.then(today));
    let puzzle = match (day, args.seed) {
        (Some(day), _) => of_day(&rules, day)?,
        (None, Some(seed)) => choose(args, &rules, seed)?,
        (None, None) => {
            let seed = getrandom::u64()
                .context("the system gives no random numbers: choose the puzzle with --seed")?;
            choose(args, &rules, seed)?
        }
    };
    let bold = style::HEADING;
    writeln!(
        out,
        "{bold}Puzzle {}{}, {}, rating {}{bold:#}\nFind the best action. Type ? for help.",
        day.map(|day| format!("of {day}: ")).unwrap_or_default(),
        puzzle.id(),
        rules.name(),
        puzzle.rating
    )
    .map_err(write_error)?;
    if matches!(play(&puzzle, out)?, End::Left) {
        return Ok(());
    }
    let ideas: Vec<String> =
        puzzle.themes.iter().map(|theme| rules.in_own_words(theme.idea())).collect();
    if !ideas.is_empty() {
        say(&ideas.join(" "), out)?;
    }
    let position = puzzle.position();
    let rules = args.rules.rules.argument();
    writeln!(out, "All values: overmate solve --rules {rules} \"{position}\"").map_err(write_error)
}

/// Returns the current date in UTC. If the clock shows a year after 9999, the result is the last day of 9999.
fn today() -> Date {
    let now = Timestamp::try_from(SystemTime::now()).unwrap_or(Timestamp::MAX);
    now.to_zoned_datetime(TimeZone::UTC).date()
}

/// Returns the puzzle of the day for a UTC date.
fn of_day(rules: &Arc<RuleSet>, day: Date) -> Result<Puzzle> {
    let set = PuzzleSet::embedded(rules).with_context(|| {
        let names: Vec<&str> = PuzzleSet::names().map(|(name, _)| name).collect();
        format!(
            "the rule set {} has no puzzle of the day: use --rules with {}",
            rules.name(),
            names.join(", ")
        )
    })?;
    let since = Date::constant(1970, 1, 1).until((Unit::Day, day))?;
    let entry = set
        .of_day(since.get_days().into())
        .context("the puzzle set of the rule set is empty: choose another rule set with --rules")?;
    Ok(set.read(entry)?)
}

/// Returns a puzzle from the embedded puzzle set of a rule set, or a newly found puzzle for a rule set without embedded puzzles.
fn choose(args: &PuzzleArgs, rules: &Arc<RuleSet>, seed: u64) -> Result<Puzzle> {
    let missing = || match args.theme {
        Some(theme) => {
            format!("there is no puzzle with the theme {theme} for the rule set {}", rules.name())
        }
        None => format!("there is no puzzle for the rule set {}", rules.name()),
    };
    if let Some(set) = PuzzleSet::embedded(rules) {
        let mut entries: Vec<_> = set
            .entries()
            .iter()
            .filter(|entry| args.theme.is_none_or(|theme| entry.themes.contains(theme)))
            .collect();
        if entries.is_empty() {
            bail!("{}: choose another theme or rule set", missing());
        }
        // Dull puzzles (of the kinds in `docs/puzzles.md`) are chosen only if all puzzles with the theme are dull.
        if entries.iter().any(|entry| !set.is_dull(entry)) {
            entries.retain(|entry| !set.is_dull(entry));
        }
        let index = usize::try_from(seed % entries.len() as u64).unwrap_or_default();
        return Ok(set.read(entries[index])?);
    }
    let threads = NonZero::new(whole_game::threads(None)).unwrap_or(NonZero::<usize>::MIN);
    let wanted =
        Wanted::new(Arc::clone(rules)).with_seed(seed).with_theme(args.theme).with_threads(threads);
    find(&wanted)?.puzzles.pop().with_context(missing)
}

/// Line that the player of a puzzle typed: an action or a command.
enum Typed {
    Act(Action),
    /// Request for the solution of the puzzle.
    Solution,
    /// Request to leave the puzzle, or the end of the input.
    Leave,
}

/// Outcome of the player's attempt at a puzzle.
enum End {
    /// The player has solved the puzzle or seen the solution.
    Solution,
    /// The player left the puzzle without seeing the solution.
    Left,
}

/// Plays a puzzle interactively until the player solves the puzzle, makes a mistake, asks for the solution, or leaves, or until the
/// input ends.
fn play(puzzle: &Puzzle, out: &mut dyn Write) -> Result<End> {
    let mut decision = &puzzle.solution;
    // The ending of a puzzle is shown only after the main line, which consists of the first of the listed right actions at each decision.
    let mut is_main_line = true;
    loop {
        show(&decision.position, out).map_err(write_error)?;
        let action = match read(&decision.position, out)? {
            Typed::Act(action) => Some(action),
            Typed::Solution => None,
            Typed::Leave => return Ok(End::Left),
        };
        let Some(branch) = decision.branches.iter().find(|b| Some(b.action) == action) else {
            say(&wrong(decision, action), out)?;
            write_solution(puzzle, out).map_err(write_error)?;
            return Ok(End::Solution);
        };
        is_main_line &= decision.branches.first() == Some(branch);
        say(&right(decision), out)?;
        follow(decision, branch, out).map_err(write_error)?;
        let Some(next) = &branch.next else {
            writeln!(out, "Solved.").map_err(write_error)?;
            if is_main_line {
                write_ending(puzzle, out).map_err(write_error)?;
            }
            return Ok(End::Solution);
        };
        decision = next;
    }
}

/// Writes each line of play (sequence of actions) that solves a puzzle. The ending stands directly after the main line,
/// because the ending continues only that line.
pub(crate) fn write_solution(puzzle: &Puzzle, out: &mut dyn Write) -> io::Result<()> {
    for (index, line) in puzzle.solution.lines().iter().enumerate() {
        let label = if index == 0 { "Solution" } else { "Or" };
        writeln!(out, "{label}: {}", words::line(puzzle.position(), line).0)?;
        if index == 0 {
            write_ending(puzzle, out)?;
        }
    }
    Ok(())
}

/// Writes the ending of a puzzle: the actions of best play after the main line of the solution, up to the solving player's mate. Writes
/// nothing for a puzzle without an ending.
fn write_ending(puzzle: &Puzzle, out: &mut dyn Write) -> io::Result<()> {
    if puzzle.ending.is_empty() {
        return Ok(());
    }
    let line = words::line(&puzzle.solution.end(), &puzzle.ending).0;
    writeln!(out, "Best play goes on: {line}")
}

/// Writes the hands, the foreplaced cards, the state of the free move and the legal actions at a decision of a puzzle.
fn show(position: &Position, out: &mut dyn Write) -> io::Result<()> {
    let Some(seat) = position.to_act() else { return Ok(()) };
    let rules = position.rules();
    let playable: Vec<Card> = position.legal_actions().filter_map(Action::card).collect();
    let shown = [
        ("Your hand".to_owned(), position.hand(seat)),
        ("Opponent's hand".to_owned(), position.hand(!seat)),
    ];
    writeln!(out)?;
    PrintedHands { rules, shown, playable: &playable }.write(out)?;
    for (owner, name) in [(seat, "You"), (!seat, "Your opponent")] {
        if let Foreplaced::Card(card) = position.foreplaced(owner) {
            let text = format!("{name} foreplaced {}", rules.deck().card_text(card));
            writeln!(out, "{}", rules.in_own_words(&text))?;
        }
    }
    if rules.free_move() {
        writeln!(out, "{}", words::free_move(position.free_move_used()))?;
    }
    let task = match position.phase() {
        Phase::Follow(_) => {
            let lead = position.lead().map(|lead| rules.action_text(lead.into()).to_string());
            format!("Move {}: answer {}", position.moves() + 1, lead.unwrap_or_default())
        }
        Phase::Foreplacing(_) => rules.in_own_words("Foreplace a card, or - for none"),
        Phase::Lead(_) | Phase::Over => format!("You lead to move {}", position.moves() + 1),
    };
    let legal: Vec<String> =
        position.legal_actions().map(|action| rules.action_text(action).to_string()).collect();
    writeln!(out, "{task}")?;
    out.write_all(wrapped_list("Legal:", &legal).as_bytes())
}

/// Writes a text, broken into lines that fit the terminal.
fn say(text: &str, out: &mut dyn Write) -> Result<()> {
    out.write_all(filled(text).as_bytes()).map_err(write_error)
}

/// Help text for a puzzle: the commands that the player can type in place of an action.
const HELP: &str = "Type one of the actions in the list, or:
  show      to see the position again (an empty line too)
  solution  to see the solution
  quit      to leave without the solution";

/// Reads a legal action or a command of the player from the standard input. An empty line shows the position again.
fn read(position: &Position, out: &mut dyn Write) -> Result<Typed> {
    let mut input = io::stdin().lock();
    loop {
        write!(out, "> ").and_then(|()| out.flush()).map_err(write_error)?;
        let line = match read_line(&mut input).context("cannot read the standard input")? {
            None => {
                writeln!(out).map_err(write_error)?;
                return Ok(Typed::Leave);
            }
            Some(Err(bad)) => {
                say(&format!("Not understood: {bad}."), out)?;
                continue;
            }
            Some(Ok(line)) => line,
        };
        let text = line.trim();
        match text.to_ascii_lowercase().as_str() {
            "?" | "h" | "help" => {
                writeln!(out, "{HELP}").map_err(write_error)?;
                continue;
            }
            "solution" => return Ok(Typed::Solution),
            "q" | "quit" | "exit" => return Ok(Typed::Leave),
            "" | "show" => {
                show(position, out).map_err(write_error)?;
                continue;
            }
            _ => {}
        }
        let answer = match position.rules().read_action(text) {
            Ok(action) => match position.check(action) {
                Ok(()) => return Ok(Typed::Act(action)),
                Err(reason) => format!("{reason}."),
            },
            Err(_) => format!("Not understood: {text}. Type an action of the list, or ? for help."),
        };
        let answer = position.rules().in_own_words(&words::capital(&answer));
        say(&printable_line(&answer), out)?;
    }
}

/// Writes the actions that follow the player's correct action in a puzzle, one per line, up to the next decision or the
/// end of the puzzle. Also writes the outcome if the game ends.
fn follow(decision: &Decision, branch: &Branch, out: &mut dyn Write) -> io::Result<()> {
    let solver = decision.solver();
    let Ok(mut at) = decision.position.clone().play(branch.action) else { return Ok(()) };
    for &action in &branch.follow_up {
        writeln!(out, "{}", said(&at, action, solver))?;
        let Ok(next) = at.play(action) else { return Ok(()) };
        at = next;
    }
    if let Some(outcome) = at.outcome() {
        let names = overmate_rules::BySeat::new_with(|seat| {
            if seat == solver { words::YOU } else { "your opponent" }.to_owned()
        });
        writeln!(out, "{}.", words::outcome(at.rules(), &outcome, &names, Notation::Letters))?;
    }
    Ok(())
}

/// Describes an action of the opponent, or a forced action of the player, in a sentence.
fn said(position: &Position, action: Action, solver: Seat) -> String {
    let rules = position.rules();
    let text = match action {
        Action::Decline => "nothing".to_owned(),
        Action::Foreplace(card) => rules.deck().card_text(card).to_string(),
        Action::Play(_) | Action::Demand(_) | Action::Free(_) => {
            rules.action_text(action).to_string()
        }
    };
    let verb = match position.phase() {
        Phase::Foreplacing(_) => rules.in_own_words("foreplace"),
        Phase::Lead(_) => "lead".to_owned(),
        Phase::Follow(_) | Phase::Over => "answer".to_owned(),
    };
    if position.to_act() == Some(solver) {
        format!("You {verb} {text}; it is your only action.")
    } else {
        format!("Your opponent {verb}s {text}.")
    }
}

/// Returns a message that the player's action was correct. The message has the value of the correct action and the best value of the other
/// actions.
fn right(decision: &Decision) -> String {
    format!(
        "Right: with best play you {}. The best other action: you {}.",
        result(decision.value()),
        result(decision.best_wrong_value())
    )
}

/// Returns a message that the player's action was wrong, with the values of this action and of the correct actions.
/// Without an action, the player has given up, and the message gives the solution.
fn wrong(decision: &Decision, action: Option<Action>) -> String {
    let rules = decision.position.rules();
    let right: Vec<String> =
        decision.branches.iter().map(|b| rules.action_text(b.action).to_string()).collect();
    let best = format!("with {} you {}", right.join(" or "), result(decision.value()));
    let value = action.and_then(|played| {
        let found = decision.values.iter().find(|(action, _)| *action == played)?;
        Some((played, found.1))
    });
    match value {
        Some((played, value)) => {
            format!("Wrong: with {} you {}; {best}.", rules.action_text(played), result(value))
        }
        None => format!("The solution: {best}."),
    }
}

/// Formats a position value as words, such as `win 44` or `draw`. The value is in points for the player.
fn result(value: i32) -> String {
    match value {
        0 => "draw".to_owned(),
        1.. => format!("win {value}"),
        _ => format!("lose {}", -value),
    }
}
