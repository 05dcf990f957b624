//! `overmate solve`: exact values of deals and of positions in them.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use overmate_rules::{Dealt, Face, Game, RuleSet, Seat};
use overmate_solver::{ActionValue, Analysis, Budget, MAX_TABLE_HAND, Solver};

use crate::cli::SolveArgs;
use crate::report::write_error;
use crate::table::{Align, Table};
use crate::wire::{self, ActionWire, DealWire, SolveWire};
use crate::{deals, hands, words, work};

pub(crate) fn run(args: &SolveArgs, out: &mut dyn Write) -> Result<()> {
    let rules = args.rules.rules.load()?;
    let memory = args.memory.saturating_mul(work::MB);
    if is_large(&rules) && memory > Budget::MEMORY {
        work::check_memory(memory).context("--memory cannot be had")?;
    }
    let budget = budget(&rules, args.time, Duration::from_secs(10), args.nodes)
        .with_memory(memory)
        .with_threads(work::threads(args.threads));
    let mut solver = Solver::new();
    let wanted = Wanted { rules: &rules, deals: &args.deals, after: &args.after, json: args.json };
    answer(&wanted, |game| Ok(solver.analyse(game, &budget)), out)
}

/// The deals that are asked about, and how the answers are to look.
pub(crate) struct Wanted<'a> {
    pub(crate) rules: &'a Arc<RuleSet>,
    pub(crate) deals: &'a [String],
    pub(crate) after: &'a str,
    pub(crate) json: bool,
}

/// Answers for each deal with what is known of it.
pub(crate) fn answer(
    wanted: &Wanted<'_>,
    mut analyse: impl FnMut(&Game) -> Result<Analysis>,
    out: &mut dyn Write,
) -> Result<()> {
    let Wanted { rules, deals, after, json } = *wanted;
    let actions = rules
        .read_actions(after)
        .with_context(|| format!("the actions of --after cannot be read: `{after}`"))?;
    let mut answered = 0u64;
    deals::for_each(rules, deals, |dealt| {
        let mut game = Game::new(rules, dealt);
        for action in &actions {
            game = game.play(*action).with_context(|| {
                let text = rules.action_text(*action);
                format!("{text} of --after is not legal in deal {}", dealt.number())
            })?;
        }
        let analysis = analyse(&game)?;
        answered += 1;
        if json {
            return wire::print(out, &object(rules, &dealt, &game, &analysis));
        }
        let separator = if answered > 1 { "\n" } else { "" };
        write!(out, "{separator}")
            .and_then(|()| write(rules, &dealt, &game, &analysis, out))
            .map_err(write_error)
    })
}

/// Whether a deck is too large for its deals to be solved at once.
pub(crate) fn is_large(rules: &RuleSet) -> bool {
    rules.hand_size() > MAX_TABLE_HAND
}

/// Whether best play is not always known at once: the deck is large, or a card may lie face down.
pub(crate) fn hides_best_play(rules: &RuleSet) -> bool {
    is_large(rules) || rules.foreplacing().is_some_and(|f| f.face == Face::Down)
}

/// What may be spent on one deal: what was asked for, and without an end only where the end is near.
pub(crate) fn budget(
    rules: &RuleSet,
    time: Option<Duration>,
    time_for_large: Duration,
    nodes: Option<u64>,
) -> Budget {
    let time = time.or((is_large(rules) && nodes.is_none()).then_some(time_for_large));
    let budget = match time {
        Some(time) => Budget::unlimited().with_time(time),
        None => Budget::unlimited(),
    };
    match nodes {
        Some(nodes) => budget.with_nodes(nodes),
        None => budget,
    }
}

fn object<'a>(
    rules: &'a Arc<RuleSet>,
    dealt: &Dealt,
    game: &Game,
    analysis: &Analysis,
) -> SolveWire<'a> {
    let action = |valued: &ActionValue| ActionWire {
        action: rules.action_text(valued.action).to_string(),
        value: valued.value.into(),
    };
    SolveWire {
        deal: DealWire::new(rules, dealt),
        after: wire::actions(rules, game.actions()),
        to_act: game.to_act().map(|seat| seat.to_string()),
        value: analysis.value.into(),
        actions: analysis.actions.iter().map(action).collect(),
        line: wire::actions(rules, &analysis.principal_variation),
    }
}

fn write(
    rules: &Arc<RuleSet>,
    dealt: &Dealt,
    game: &Game,
    analysis: &Analysis,
    out: &mut dyn Write,
) -> io::Result<()> {
    let bold = crate::style::HEADING;
    writeln!(out, "{bold}Deal {}, {}{bold:#}", dealt.number(), rules.name())?;
    hands::of_seats(rules, dealt.hands()).write(out)?;
    if !game.actions().is_empty() {
        writeln!(out, "\nAfter {game}")?;
        if game.to_act().is_some() {
            hands::of_seats(rules, game.position().hands()).write(out)?;
        }
    }
    let names = words::seat_names();
    writeln!(out, "\n{}", words::capital(&words::to_do(game.position())))?;
    writeln!(out, "Value: {bold}{}{bold:#}", words::value(&analysis.value, &names))?;
    if let Some(seat) = game.to_act() {
        write_actions(rules, seat, &analysis.actions, out)?;
    }
    let (line, end) = words::line(game, &analysis.principal_variation);
    if !line.is_empty() {
        writeln!(out, "\nBest line: {line}")?;
    }
    if let Some(outcome) = end.outcome() {
        writeln!(out, "{}", words::outcome(rules, &outcome, &names))?;
    }
    Ok(())
}

/// The actions from the acting player's view, the best first.
fn write_actions(
    rules: &RuleSet,
    seat: Seat,
    actions: &[ActionValue],
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut sorted: Vec<&ActionValue> = actions.iter().collect();
    // Equal ones stay in their canonical order.
    sorted.sort_by_key(|valued| {
        std::cmp::Reverse((valued.value.lower_bound_for(seat), valued.value.upper_bound_for(seat)))
    });
    let view = format!("for {seat}");
    let mut table = Table::new([("action", Align::Left), (&view, Align::Right)]);
    for valued in sorted {
        let text = rules.action_text(valued.action).to_string();
        table.row([text, words::signed(&valued.value, seat)]);
    }
    writeln!(out)?;
    table.write(out)
}
