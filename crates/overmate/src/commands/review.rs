//! Implements the command `overmate review`, which shows the points that each action of a match record lost compared with best play.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::Result;
use overmate_json::MistakeWire;
use overmate_rules::{ByPlayer, Face, Game, Match, Record};
use overmate_solver::{ReviewedAction, Solver};

use super::replay::{self, player_names};
use crate::cli::ReviewArgs;
use crate::json::{self, PairWire, ReviewSumWire, ReviewedWire};
use overmate_terminal::errors::write_error;
use overmate_terminal::limits::budget;
use overmate_terminal::text::columns::{Align, TextTable};
use overmate_terminal::text::notation::Notation;
use overmate_terminal::text::review::{OPEN_CARDS, move_number, played, reasons};
use overmate_terminal::text::{style, words};

/// Totals of a review for each player: the lost points, and the number of actions whose losses are not proved.
#[derive(Default)]
struct Sums {
    lost: ByPlayer<u32>,
    /// For each player, the number of actions for which the solver did not find the exact number of lost points.
    unproved: ByPlayer<u32>,
}

impl Sums {
    fn add(&mut self, index: usize, reviewed: &ReviewedAction) {
        let player = Match::player(index, reviewed.seat);
        match reviewed.lost {
            Some(lost) => self.lost[player] += lost,
            None => self.unproved[player] += 1,
        }
    }
}

pub(crate) fn run(args: &ReviewArgs, out: &mut dyn Write) -> Result<()> {
    let records = replay::read(&args.file)?;
    let mut solver = Solver::new();
    for (index, record) in records.iter().enumerate() {
        if !args.json {
            replay::write_which(index, records.len(), out).map_err(write_error)?;
        }
        review(record, args, &mut solver, out)?;
    }
    Ok(())
}

fn review(
    record: &Record,
    args: &ReviewArgs,
    solver: &mut Solver,
    out: &mut dyn Write,
) -> Result<()> {
    let rules = record.played_match().rules();
    let budget = budget(rules, args.time, Duration::from_mins(1), None);
    let mut sums = Sums::default();
    if !args.json && rules.foreplacing().is_some_and(|f| f.face == Face::Down) {
        writeln!(out, "{OPEN_CARDS}\n").map_err(write_error)?;
    }
    for (index, game) in record.played_match().games().iter().enumerate() {
        let review = solver.review(game, &budget);
        let actions = played(record, index, &review.actions);
        for (_, reviewed) in &actions {
            sums.add(index, reviewed);
        }
        if args.json {
            for (done, reviewed) in actions {
                json::print(out, &object(game, index, done, reviewed))?;
            }
        } else {
            write_game(record, index, game, &actions, out).map_err(write_error)?;
        }
    }
    if args.json {
        let pair = |values: ByPlayer<u32>| PairWire { a: values.a, b: values.b };
        let object = ReviewSumWire { lost: pair(sums.lost), unproved: pair(sums.unproved) };
        return json::print(out, &object);
    }
    write_sums(record, &sums, out).map_err(write_error)
}

fn object(game: &Game, index: usize, done: usize, reviewed: &ReviewedAction) -> ReviewedWire {
    ReviewedWire {
        game: index + 1,
        number: done + 1,
        r#move: move_number(game, done),
        player: Match::player(index, reviewed.seat).to_string(),
        seat: reviewed.seat.to_string(),
        action: overmate_json::action(game.rules(), reviewed.action),
        before: reviewed.before.into(),
        after: reviewed.after.into(),
        lost: reviewed.lost,
        best: overmate_json::actions(game.rules(), &reviewed.best),
        mistake: reviewed.mistake.map(|reason| MistakeWire::new(game.rules(), reason)),
    }
}

fn write_game(
    record: &Record,
    index: usize,
    game: &Game,
    actions: &[(usize, &ReviewedAction)],
    out: &mut dyn Write,
) -> io::Result<()> {
    let bold = style::HEADING;
    let names = words::player_names_by_seat(&player_names(record), index);
    writeln!(out, "{bold}{}{bold:#}", words::game_title(record.played_match(), index, &names))?;
    let mut table = TextTable::new([
        ("move", Align::Right),
        ("player", Align::Left),
        ("action", Align::Left),
        ("before", Align::Right),
        ("after", Align::Right),
        ("lost", Align::Right),
        ("best", Align::Left),
    ]);
    for &(done, reviewed) in actions {
        let rules = game.rules();
        let mark = words::mark(game.after(done + 1).outcome().as_ref());
        let best = match reviewed.lost {
            Some(0) => String::new(),
            _ => overmate_json::actions(rules, &reviewed.best).join(" "),
        };
        table.row([
            move_number(game, done).map_or_else(String::new, |number| number.to_string()),
            names[reviewed.seat].clone(),
            format!("{}{mark}", rules.action_text(reviewed.action)),
            words::signed(&reviewed.before, reviewed.seat),
            words::signed(&reviewed.after, reviewed.seat),
            match reviewed.lost {
                None => "not proved".to_owned(),
                Some(0) => "-".to_owned(),
                Some(lost) => lost.to_string(),
            },
            best,
        ]);
    }
    table.write(out)?;
    for reason in reasons(game, actions, &names, Notation::Letters) {
        writeln!(out, "{}", reason.sentence)?;
    }
    match game.outcome() {
        Some(outcome) => {
            writeln!(out, "{}\n", words::outcome(game.rules(), &outcome, &names, Notation::Letters))
        }
        None => writeln!(out, "Not over: {}\n", words::to_do(game.position())),
    }
}

fn write_sums(record: &Record, sums: &Sums, out: &mut dyn Write) -> io::Result<()> {
    let names = player_names(record);
    let bold = style::HEADING;
    writeln!(out, "{bold}Lost to best play{bold:#}")?;
    for player in overmate_rules::Player::BOTH {
        let unproved = match sums.unproved[player] {
            0 => String::new(),
            n => {
                format!(", and an unproved loss by {}", words::counted(n.into(), "action"))
            }
        };
        writeln!(out, "  {}: {}{unproved}", names[player], words::points(sums.lost[player]))?;
    }
    Ok(())
}
