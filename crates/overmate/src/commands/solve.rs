//! Implements the command `overmate solve`, which shows exact values of deals and positions.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use overmate_rules::{Action, Face, Illegal, Position, ReadError, RuleSet, Seat};
use overmate_solver::{ActionValue, Analysis, Budget, Solver};

use super::deal;
use crate::cli::SolveArgs;
use crate::deal_arguments::{self, Given};
use crate::json::{self, ActionJson, GivenWire, SolveJson};
use crate::{memory, whole_game};
use overmate_terminal::errors::write_error;
use overmate_terminal::limits::{budget, is_large};
use overmate_terminal::text::columns::{Align, TextTable};
use overmate_terminal::text::notation::Notation;
use overmate_terminal::text::review::OPEN_CARDS;
use overmate_terminal::text::{hands, style, words};

pub(crate) fn run(args: &SolveArgs, out: &mut dyn Write) -> Result<()> {
    let rules = args.rules.rules.load()?;
    let memory = args.memory.saturating_mul(memory::MB);
    if is_large(&rules) && memory > Budget::MEMORY {
        memory::check(memory)
            .context("--memory asks for more memory than is free: give a smaller number")?;
    }
    let budget = budget(&rules, args.time, Duration::from_secs(10), args.nodes)
        .with_memory(memory)
        .with_threads(whole_game::threads(args.threads));
    let mut solver = Solver::new();
    let wanted =
        SolveRequest { rules: &rules, deals: &args.deals, after: &args.after, json: args.json };
    answer(&wanted, |position| Ok(solver.analyse_position(position, &budget)), out)
}

/// Request of the user for analyses: the deals or positions, the actions to play before the analysis, and the output
/// format.
pub(crate) struct SolveRequest<'a> {
    pub(crate) rules: &'a Arc<RuleSet>,
    pub(crate) deals: &'a [String],
    pub(crate) after: &'a str,
    pub(crate) json: bool,
}

/// Applies the requested actions to each deal or position, analyses the resulting position, and prints the analysis.
pub(crate) fn answer(
    wanted: &SolveRequest<'_>,
    mut analyse: impl FnMut(&Position) -> Result<Analysis>,
    out: &mut dyn Write,
) -> Result<()> {
    let SolveRequest { rules, deals, after, json } = *wanted;
    let actions = rules
        .read_actions(after)
        .map_err(|error| syntax_error(rules, error))
        .with_context(|| format!("the actions `{after}` of --after cannot be read"))?;
    let mut answered = 0u64;
    deal_arguments::for_each(rules, deals, |given| {
        let mut position = given.position();
        for action in &actions {
            let at = || {
                let text = rules.action_text(*action);
                match &given {
                    Given::Deal(dealt) => {
                        format!(
                            "the action {text} of --after is not legal in deal {}",
                            dealt.number()
                        )
                    }
                    Given::Position(start) => {
                        format!(
                            "the action {text} of --after is not legal in the position `{start}`"
                        )
                    }
                }
            };
            let played = position.play(*action);
            position = played
                .map_err(|error| illegal_action(&error.unchanged, &error.illegal))
                .with_context(at)?;
        }
        let analysis = analyse(&position)?;
        let analysed = AnalysedPosition { given: &given, after: &actions, position, analysis };
        answered += 1;
        if json {
            return json::print(out, &object(&analysed));
        }
        let separator = if answered > 1 { "\n" } else { "" };
        write!(out, "{separator}").and_then(|()| write(rules, &analysed, out)).map_err(write_error)
    })
}

/// Rewords the message of a syntax error with the game terms of the rule set. The text that the user has typed stays
/// unchanged.
fn syntax_error(rules: &RuleSet, error: ReadError) -> ReadError {
    ReadError { expected: rules.in_own_words(&error.expected), ..error }
}

/// Returns an error with the reason why an action is illegal in a position, and with the legal actions. The text uses
/// the game terms of the rule set.
fn illegal_action(position: &Position, illegal: &Illegal) -> anyhow::Error {
    let rules = position.rules();
    let reason = rules.in_own_words(&illegal.to_string());
    let legal: Vec<Action> = position.legal_actions().collect();
    let legal = overmate_json::actions(rules, &legal).join(" ");
    match position.to_act() {
        Some(seat) => anyhow!("{reason}; the legal actions of {seat} are {legal}"),
        None => anyhow::Error::msg(reason),
    }
}

/// Analysed position with its analysis. The actions `after` lead to this position from the deal or position that the
/// user gave.
struct AnalysedPosition<'a> {
    given: &'a Given,
    after: &'a [Action],
    position: Position,
    analysis: Analysis,
}

fn object<'a>(analysed: &AnalysedPosition<'a>) -> SolveJson<'a> {
    let AnalysedPosition { given, after, position, analysis } = analysed;
    let rules = position.rules();
    let action = |valued: &ActionValue| ActionJson {
        action: overmate_json::action(rules, valued.action),
        value_for_first: valued.value.into(),
    };
    SolveJson {
        given: GivenWire::new(given),
        after: overmate_json::actions(rules, after),
        to_act: position.to_act().map(|seat| seat.to_string()),
        value_for_first: analysis.value.into(),
        actions: analysis.actions.iter().map(action).collect(),
        line: overmate_json::actions(rules, &analysis.principal_variation),
    }
}

fn write(
    rules: &Arc<RuleSet>,
    analysed: &AnalysedPosition<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let AnalysedPosition { given, after, position, analysis } = analysed;
    let bold = style::HEADING;
    deal::write_given(rules, given, out)?;
    if !after.is_empty() {
        writeln!(out, "\nAfter {}", overmate_json::actions(rules, after).join(" "))?;
        if position.to_act().is_some() {
            hands::of_seats(rules, position.hands()).write(out)?;
        }
    }
    let names = words::seat_names();
    writeln!(out, "\n{}", words::capital(&words::to_do(position)))?;
    writeln!(out, "Value: {bold}{}{bold:#}", words::value(&analysis.value, &names))?;
    if analysis.value.exact().is_none() {
        writeln!(
            out,
            "To prove more, give more time, memory or nodes with --time, --memory or --nodes."
        )?;
    }
    if rules.foreplacing().is_some_and(|foreplacing| foreplacing.face == Face::Down) {
        writeln!(out, "{OPEN_CARDS}")?;
    }
    if let Some(seat) = position.to_act() {
        write_actions(rules, seat, &analysis.actions, out)?;
    }
    let (line, end) = words::line(position, &analysis.principal_variation);
    if !line.is_empty() {
        writeln!(out, "\nBest line: {line}")?;
    }
    if let Some(outcome) = end.outcome() {
        writeln!(out, "{}", words::outcome(rules, &outcome, &names, Notation::Letters))?;
    }
    Ok(())
}

/// Writes the legal actions with their values, beginning with the best action.
fn write_actions(
    rules: &RuleSet,
    seat: Seat,
    actions: &[ActionValue],
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut sorted: Vec<&ActionValue> = actions.iter().collect();
    // The sort is stable, so that actions of equal value keep their canonical order.
    sorted.sort_by_key(|valued| {
        std::cmp::Reverse((valued.value.lower_bound_for(seat), valued.value.upper_bound_for(seat)))
    });
    let view = format!("for {seat}");
    let mut table = TextTable::new([("action", Align::Left), (&view, Align::Right)]);
    for valued in sorted {
        let text = rules.action_text(valued.action).to_string();
        table.row([text, words::signed(&valued.value, seat)]);
    }
    writeln!(out)?;
    table.write(out)
}
