//! Implements the command `overmate replay`, which checks a match record, and shows the positions and scores of the match.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context as _, Result};
use overmate_json::Hands;
use overmate_rules::{
    ByPlayer, BySeat, Foreplaced, Game, Match, NoteText, Outcome, Player, Record, Seat,
};

use crate::cli::ReplayArgs;
use crate::json::{self, GameJson, MatchJson, OutcomeJson, PairWire};
use overmate_terminal::errors::write_error;
use overmate_terminal::is_help_mark;
use overmate_terminal::text::columns::{Align, TextTable};
use overmate_terminal::text::notation::Notation;
use overmate_terminal::text::{hands, score_sheet, style, words};
use overmate_terminal::untrusted::{display_name, isolated_line, printable_line, read_text};

pub(crate) fn run(args: &ReplayArgs, out: &mut dyn Write) -> Result<()> {
    let records = read(&args.file)?;
    for (index, record) in records.iter().enumerate() {
        if args.json {
            print_json(record, out)?;
        } else {
            write_which(index, records.len(), out).map_err(write_error)?;
            write(record, out).map_err(write_error)?;
        }
    }
    Ok(())
}

/// Reads one or more match records from a file or from the standard input.
pub(crate) fn read(path: &Path) -> Result<Vec<Record>> {
    let text = read_text(path)?;
    Record::read_all(&text)
        .with_context(|| format!("the text in {} is not the record of a match", display_name(path)))
}

/// Writes a heading such as `Match 2 of 3`, or nothing for the only match record of a file.
pub(crate) fn write_which(index: usize, records: usize, out: &mut dyn Write) -> io::Result<()> {
    if records == 1 {
        return Ok(());
    }
    let (bold, blank) = (style::HEADING, if index > 0 { "\n" } else { "" });
    writeln!(out, "{blank}{bold}Match {} of {records}{bold:#}", index + 1)
}

fn print_json(record: &Record, out: &mut dyn Write) -> Result<()> {
    let contest = record.played_match();
    let rules = contest.rules();
    let mut score = ByPlayer { a: 0, b: 0 };
    for (index, game) in contest.games().iter().enumerate() {
        let scored = contest.game_points(index).unwrap_or_default();
        score = ByPlayer { a: score.a + scored.a, b: score.b + scored.b };
        let positions = 0..=game.actions().len();
        let object = GameJson {
            game: index + 1,
            deal: overmate_json::deal_number(game.dealt()),
            leader: Match::player(index, Seat::First).to_string(),
            hands: Hands::dealt(rules, game.dealt()),
            actions: overmate_json::actions(rules, game.actions()),
            positions: positions.map(|keep| game.after(keep).position().to_string()).collect(),
            outcome: game.outcome().map(|outcome| OutcomeJson::new(rules, index, outcome)),
            score: PairWire { a: score.a, b: score.b },
            comments: final_comments(record, index, game).collect(),
        };
        json::print(out, &object)?;
    }
    let totals = contest.totals();
    let object = MatchJson {
        rules: rules.name(),
        players: PairWire { a: record.player_name(Player::A), b: record.player_name(Player::B) },
        games: contest.length(),
        score: PairWire { a: totals.a, b: totals.b },
        result: contest.result().map(Into::into),
    };
    json::print(out, &object)
}

fn write(record: &Record, out: &mut dyn Write) -> io::Result<()> {
    let contest = record.played_match();
    writeln!(out, "Rules: {}", contest.rules().name())?;
    for (key, value) in record.headers() {
        writeln!(out, "{key}: {}", visible(value).unwrap_or_default())?;
    }
    let players = player_names(record);
    for (index, game) in contest.games().iter().enumerate() {
        writeln!(out)?;
        write_game(contest, index, game, &players, out)?;
        for comment in final_comments(record, index, game) {
            writeln!(out, "Comment: {}", isolated_line(&comment))?;
        }
    }
    writeln!(out)?;
    score_sheet::write(contest, &players, out)?;
    writeln!(out, "\n{}", score_sheet::result(contest, &players))
}

/// Returns a text from an untrusted source as one line without invisible characters, or `None` if no visible character remains.
pub(super) fn visible_name(text: &str) -> Option<String> {
    overmate_server::normalised_name(&printable_line(text))
}

/// Returns a text from a match record as one line, without invisible characters and with right-to-left text in Unicode isolates. Returns
/// `None` if no visible character remains.
fn visible(text: &str) -> Option<String> {
    visible_name(text).map(|text| isolated_line(&text))
}

/// Returns the names of both players in a match record. A player without a visible name gets the letter A or B.
pub(crate) fn player_names(record: &Record) -> ByPlayer<String> {
    ByPlayer::new_with(|player| {
        visible(record.player_name(player)).unwrap_or_else(|| player.to_string())
    })
}

fn write_game(
    contest: &Match,
    index: usize,
    game: &Game,
    players: &ByPlayer<String>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let bold = style::HEADING;
    let names = words::player_names_by_seat(players, index);
    writeln!(out, "{bold}{}{bold:#}", words::game_title(contest, index, &names))?;
    let dealt = game.dealt().hands();
    let shown = Seat::BOTH.map(|seat| (names[seat].clone(), dealt[seat]));
    hands::PrintedHands { rules: game.rules(), shown, playable: &[] }.write(out)?;
    if game.rules().foreplacing().is_some() && !game.actions().is_empty() {
        writeln!(out, "{}", foreplacings(game, &names))?;
    }
    write_moves(game, &names, out)?;
    write_positions(game, out)?;
    if let Some(outcome) = game.outcome() {
        writeln!(out, "{}", words::outcome(game.rules(), &outcome, &names, Notation::Letters))?;
    } else {
        writeln!(out, "Not over: {}", words::to_do(game.position()))?;
    }
    Ok(())
}

/// Returns the visible comments after the last action of a resigned game, such as the reason for a forfeit. Marks of hints and undos are
/// left out. The iterator is empty if the game did not end by a resignation.
fn final_comments(record: &Record, index: usize, game: &Game) -> impl Iterator<Item = String> {
    let is_resigned = matches!(game.outcome(), Some(Outcome::Resigned { .. }));
    let last = game.actions().len();
    let notes = record.notes().iter();
    let notes = notes.filter(move |note| is_resigned && note.game == index && note.after == last);
    notes.filter_map(|note| match &note.text {
        NoteText::Comment(text) if !is_help_mark(&note.text) => visible_name(text),
        _ => None,
    })
}

/// Describes the foreplacing choice of each player in a game: the card that the player set aside, or no card.
fn foreplacings(game: &Game, names: &BySeat<String>) -> String {
    let deck = game.rules().deck();
    let verb = game.rules().in_own_words("foreplace");
    let told = Seat::BOTH.iter().filter_map(|&seat| {
        let what = match game.position().foreplaced(seat) {
            Foreplaced::Undecided => return None,
            Foreplaced::Nothing => "nothing".to_owned(),
            Foreplaced::Card(card) => deck.card_text(card).to_string(),
            Foreplaced::FaceDown => "a card face down".to_owned(),
        };
        Some(format!("{} {what}", words::with_verb(&names[seat], &verb)))
    });
    told.collect::<Vec<_>>().join(", ")
}

fn write_moves(game: &Game, names: &BySeat<String>, out: &mut dyn Write) -> io::Result<()> {
    let moves = game.moves();
    if moves.is_empty() {
        return Ok(());
    }
    let deck = game.rules().deck();
    let outcome = game.outcome();
    let mut table = TextTable::new([
        ("move", Align::Right),
        ("leader", Align::Left),
        ("lead", Align::Left),
        ("answer", Align::Left),
        ("won by", Align::Left),
    ]);
    for played in &moves {
        let demand = if played.demanded { "!" } else { "" };
        let mark = match played.answer {
            None => words::mark(outcome.as_ref()),
            Some(_) => "",
        };
        let answer = played.answer.map_or_else(String::new, |card| {
            format!("{}{}", deck.card_text(card), if played.free { "*" } else { "" })
        });
        let won_by = match (played.winner, &outcome) {
            (Some(seat), _) => names[seat].clone(),
            (None, Some(Outcome::Mate(mate))) if mate.overmate => "overmate".to_owned(),
            (None, Some(Outcome::Mate(_))) => "mate".to_owned(),
            (None, _) => String::new(),
        };
        table.row([
            played.number.to_string(),
            names[played.leader].clone(),
            format!("{}{demand}{mark}", deck.card_text(played.lead)),
            answer,
            won_by,
        ]);
    }
    writeln!(out)?;
    table.write(out)
}

/// Writes each position of a game in one-line notation, preceded by the action that led to the position.
fn write_positions(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    let mut table = TextTable::new([("action", Align::Left), ("position after it", Align::Left)]);
    table.row(["start".to_owned(), game.after(0).position().to_string()]);
    for (index, action) in game.actions().iter().enumerate() {
        let after = game.after(index + 1);
        let mark = words::mark(after.outcome().as_ref());
        let action = format!("{}{mark}", game.rules().action_text(*action));
        table.row([action, after.position().to_string()]);
    }
    writeln!(out)?;
    table.write(out)?;
    writeln!(out)
}
