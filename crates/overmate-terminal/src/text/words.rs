//! What happens in a game, in words: outcomes with their sums, values, lines of play.

use overmate_rules::{
    Action, ByPlayer, BySeat, Game, Match, Mate, Outcome, Phase, Position, RuleSet, Seat,
};
use overmate_solver::{Value, ValueForFirst};

/// How the points of a mate come about: `4 × 8 = 32`, `11 × 11 × 2 = 242`.
pub fn sum(mate: &Mate) -> String {
    let doubled = if mate.doubled { " × 2" } else { "" };
    format!("{} × {}{doubled} = {}", mate.value, mate.counts_as, mate.points())
}

/// How a game ended, with the sum written out. The names begin a sentence.
pub fn outcome(rules: &RuleSet, outcome: &Outcome, names: &BySeat<String>) -> String {
    match outcome {
        Outcome::Mate(mate) => {
            let kind = if mate.overmate { "Overmate" } else { "Mate" };
            let card = rules.deck().card_text(mate.card);
            let counts = match mate.counts_as - mate.move_number {
                0 => String::new(),
                _ => format!(", which counts as move {}", mate.counts_as),
            };
            let doubled = if mate.doubled { ", doubled" } else { "" };
            format!(
                "{kind} by {} with {card} in move {}{counts}{doubled}: {}",
                in_sentence(&names[mate.by]),
                mate.move_number,
                sum(mate)
            )
        }
        Outcome::Draw => "A draw: nobody mated, and nobody scores".to_owned(),
        Outcome::Resigned { by } => {
            let owner = match names[!*by].as_str() {
                YOU => "yours".to_owned(),
                name => format!("{name}'s"),
            };
            format!("{}: the match is {owner}", with_verb(&names[*by], "resign"))
        }
    }
}

/// What the player at the prompt is called.
pub const YOU: &str = "You";

/// Name of the computer player.
pub const OPPONENT: &str = "Overmate";

/// A value in words: `first wins 32`, `a draw`, `between first wins 3 and second wins 4`.
pub fn value(value: &Value, names: &BySeat<String>) -> String {
    match value {
        Value::Exact(points) => exact(*points, names),
        Value::Between { at_least, at_most } => format!(
            "not proved: between {} and {}",
            exact(*at_least, names),
            exact(*at_most, names)
        ),
    }
}

fn exact(value: ValueForFirst, names: &BySeat<String>) -> String {
    value.winner().map_or_else(
        || "a draw".to_owned(),
        |seat| format!("{} {}", with_verb(&names[seat], "win"), value.for_seat(seat)),
    )
}

/// Somebody and what he does: `first leads`, `You lead`.
pub fn with_verb(name: &str, verb: &str) -> String {
    format!("{name} {verb}{}", if name == YOU || name == in_sentence(YOU) { "" } else { "s" })
}

/// A name inside a sentence.
pub fn in_sentence(name: &str) -> &str {
    if name == YOU { "you" } else { name }
}

/// A value as the seat sees it, with its sign: `+32`, `0`, `-4`; `-4 to +32` if it is not proved.
pub fn signed(value: &Value, seat: Seat) -> String {
    match value {
        Value::Exact(points) => signed_points(points.for_seat(seat)),
        Value::Between { .. } => {
            let (least, most) = (value.lower_bound_for(seat), value.upper_bound_for(seat));
            format!("{} to {}", signed_points(least), signed_points(most))
        }
    }
}

/// Points with their sign: `+32`, `0`, `-4`.
pub fn signed_points(points: i32) -> String {
    if points == 0 { "0".to_owned() } else { format!("{points:+}") }
}

/// Points on average with their sign: `+32.0`, `0`, `-0.4`.
pub fn signed_expectation(points: f64) -> String {
    let text = format!("{points:+.1}");
    if matches!(text.as_str(), "+0.0" | "-0.0") { "0".to_owned() } else { text }
}

/// What is to be done next.
pub fn to_do(position: &Position) -> String {
    let deck = position.rules().deck();
    match position.phase() {
        Phase::Foreplacing(seat) => format!("{seat} to foreplace"),
        Phase::Lead(seat) => format!("{seat} to lead to move {}", position.moves() + 1),
        Phase::Follow(seat) => {
            let lead = position.lead().map(|lead| deck.card_text(lead.card).to_string());
            format!("{seat} to answer {}", lead.unwrap_or_default())
        }
        Phase::Over => "the game is over".to_owned(),
    }
}

/// The mark of an action that ended its game: `#`, `##`, or nothing.
pub fn mark(outcome: Option<&Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Mate(mate)) if mate.overmate => "##",
        Some(Outcome::Mate(_)) => "#",
        _ => "",
    }
}

/// A line of play from a game on, with the numbers of the moves and the mark of the end, and the
/// game at its end.
pub fn line(game: &Game, actions: &[Action]) -> (String, Game) {
    let mut words = Vec::new();
    let mut game = game.clone();
    for &action in actions {
        let phase = game.phase();
        let number = game.position().moves() + 1;
        // A line that the rules do not let through is a fault of the caller; what is legal is shown.
        let Ok(next) = game.clone().play(action) else { break };
        game = next;
        let text = game.rules().action_text(action);
        let mark = mark(game.outcome().as_ref());
        words.push(match phase {
            Phase::Lead(_) => format!("{number}. {text}{mark}"),
            Phase::Follow(_) if words.is_empty() => format!("{number}. … {text}{mark}"),
            _ => format!("{text}{mark}"),
        });
    }
    (words.join(" "), game)
}

/// The seats under their own names.
pub fn seat_names() -> BySeat<String> {
    BySeat::new_with(|seat| seat.to_string())
}

/// The players' names by their seats in the game of this index.
pub fn player_names_by_seat(players: &ByPlayer<String>, index: usize) -> BySeat<String> {
    BySeat::new_with(|seat| players[Match::player(index, seat)].clone())
}

/// The head of a game: its number, who leads, and the deal.
pub fn game_title(contest: &Match, index: usize, names: &BySeat<String>) -> String {
    let leads = with_verb(&names.first, "lead");
    let deal = contest.games()[index].dealt().number();
    format!("Game {} of {}: {leads}. Deal {deal}", index + 1, contest.length())
}

/// A word with a capital first letter, as it begins a sentence.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// `1 point`, `2 points`.
pub fn points(points: u32) -> String {
    counted(u64::from(points), "point")
}

/// A number with its noun, which takes an s.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// A number in groups of three digits: `184,756`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped() {
        let texts = [0, 7, 999, 1_000, 184_756, 1_068_022_052].map(grouped);
        assert_eq!(texts, ["0", "7", "999", "1,000", "184,756", "1,068,022,052"]);
    }
}
