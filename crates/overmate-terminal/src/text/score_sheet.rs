//! Writes the points of a match by game and round, and the result of the match.

use std::io::{self, Write};

use overmate_rules::{ByPlayer, Match, Player, Seat};

use crate::text::columns::{Align, TextTable};
use crate::text::words;

/// Writes the points of each game, the sum of each round, and the total of the match.
///
/// # Errors
///
/// Returns an error if writing to `out` fails.
pub fn write(contest: &Match, players: &ByPlayer<String>, out: &mut dyn Write) -> io::Result<()> {
    let mut table = TextTable::new([
        ("round", Align::Left),
        ("game", Align::Left),
        ("led by", Align::Left),
        (&players.a, Align::Right),
        (&players.b, Align::Right),
    ]);
    let games = contest.games().len();
    for index in 0..games {
        let (round, in_round) = (index / 2, index % 2);
        let points = contest.game_points(index);
        let cell = |player: Player| {
            points.map_or_else(|| "…".to_owned(), |points| points[player].to_string())
        };
        table.row([
            if in_round == 0 { (round + 1).to_string() } else { String::new() },
            (index + 1).to_string(),
            players[Match::player(index, Seat::First)].clone(),
            cell(Player::A),
            cell(Player::B),
        ]);
        if in_round == 1 && points.is_some() {
            let sum = contest.round_points(round);
            table.row([
                String::new(),
                "sum".to_owned(),
                String::new(),
                sum.a.to_string(),
                sum.b.to_string(),
            ]);
        }
    }
    let totals = contest.totals();
    table.row([
        "total".to_owned(),
        String::new(),
        String::new(),
        totals.a.to_string(),
        totals.b.to_string(),
    ]);
    table.write(out)
}

/// Returns the result of a finished match, or the score of an unfinished match, as a sentence without a full stop.
pub fn result(contest: &Match, players: &ByPlayer<String>) -> String {
    let totals = contest.totals();
    let score = format!("{} to {}", totals.a, totals.b);
    let Some(result) = contest.result() else {
        let (game, of) = (contest.current_index() + 1, contest.length());
        return format!("The match is not over: game {game} of {of}, {score} so far");
    };
    match (result.winner, result.resigned) {
        (Some(winner), Some(loser)) => format!(
            "{} the match, {score}: {}",
            words::with_verb(&players[winner], "win"),
            words::with_verb(words::in_sentence(&players[loser]), "resign")
        ),
        (Some(winner), None) => format!(
            "{} the match, {score}: a margin of {}",
            words::with_verb(&players[winner], "win"),
            words::points(result.margin)
        ),
        (None, _) => format!("The match is drawn, {score}"),
    }
}
