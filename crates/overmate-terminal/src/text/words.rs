//! Describes outcomes, values of positions, players, and sequences of actions in words.

use overmate_rules::{
    Action, ByPlayer, BySeat, Match, Mate, Outcome, Phase, Position, Privilege, RuleSet, Seat,
};
use overmate_solver::{Mistake, Value, ValueForFirst};

use super::notation::Notation;

/// Formats the computation of a mate's points, such as `4 × 8 = 32` or `11 × 11 × 2 = 242`.
pub fn sum(mate: &Mate) -> String {
    let doubled = if mate.overmate { " × 2" } else { "" };
    format!("{} × {}{doubled} = {}", mate.value, mate.counts_as, mate.points())
}

/// Describes the outcome of a game, including the computation of the points, without a full stop.
///
/// The parameter `names` holds the players' names in the form for the start of a sentence.
pub fn outcome(
    rules: &RuleSet,
    outcome: &Outcome,
    names: &BySeat<String>,
    notation: Notation,
) -> String {
    match outcome {
        Outcome::Mate(mate) => {
            let kind = if mate.overmate { "Overmate" } else { "Mate" };
            let card = notation.card(rules.deck(), mate.card);
            let counts = match mate.counts_as - mate.move_number {
                0 => String::new(),
                _ => format!(", which counts as move {}", mate.counts_as),
            };
            let doubled = if mate.overmate { ", doubled" } else { "" };
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

/// Name of the human player in texts, at the beginning of a sentence.
pub const YOU: &str = "You";

/// Name of the computer opponent in texts for the human.
pub const OPPONENT: &str = "Overmate";

/// Describes the value of a position, such as `first wins 32`, `a draw` or `not proved: between
/// first wins 3 and second wins 4`.
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

/// Returns a name followed by a verb in the matching grammatical person, such as `first leads` or `You lead`.
pub fn with_verb(name: &str, verb: &str) -> String {
    format!("{name} {verb}{}", if name == YOU || name == in_sentence(YOU) { "" } else { "s" })
}

/// Returns a player's name for the inside of a sentence, such as `you` instead of `You`. All other names stay unchanged.
pub fn in_sentence(name: &str) -> &str {
    if name == YOU { "you" } else { name }
}

/// Returns a value in points for the player at `seat`, such as `+32`, `0` or `-4`. Unproved values are given as bounds,
/// such as `-4 to +32`.
pub fn signed(value: &Value, seat: Seat) -> String {
    match value {
        Value::Exact(points) => signed_points(points.for_seat(seat)),
        Value::Between { .. } => {
            let (least, most) = (value.lower_bound_for(seat), value.upper_bound_for(seat));
            format!("{} to {}", signed_points(least), signed_points(most))
        }
    }
}

/// Returns a number of points with its sign, such as `+32`, `0` or `-4`.
pub fn signed_points(points: i32) -> String {
    if points == 0 { "0".to_owned() } else { format!("{points:+}") }
}

/// Returns expected points with their sign and one decimal, such as `+32.0` or `-0.4`, and `0` for values near zero.
pub fn signed_expectation(points: f64) -> String {
    let text = format!("{points:+.1}");
    if matches!(text.as_str(), "+0.0" | "-0.0") { "0".to_owned() } else { text }
}

/// Describes the decision of the player whose turn it is, such as `first to lead to move 3` or `second to answer Tc`. A
/// lead with a demand ends with `!`.
pub fn to_do(position: &Position) -> String {
    match position.phase() {
        Phase::Foreplacing(seat) => position.rules().in_own_words(&format!("{seat} to foreplace")),
        Phase::Lead(seat) => format!("{seat} to lead to move {}", position.moves() + 1),
        Phase::Follow(seat) => {
            let lead =
                position.lead().map(|lead| position.rules().action_text(lead.into()).to_string());
            format!("{seat} to answer {}", lead.unwrap_or_default())
        }
        Phase::Over => "the game is over".to_owned(),
    }
}

/// Returns a sentence that says whether the free move of a game has been used.
pub fn free_move(is_used: bool) -> String {
    let used = if is_used { "has been used" } else { "is still available" };
    format!("The free move {used}.")
}

/// Returns the mark written after the last action of a game, which is `#` for a mate and `##` for an overmate.
pub fn mark(outcome: Option<&Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Mate(mate)) if mate.overmate => "##",
        Some(Outcome::Mate(_)) => "#",
        Some(Outcome::Draw | Outcome::Resigned { .. }) | None => "",
    }
}

/// Returns a sequence of actions as text with move numbers, and the position after the sequence.
pub fn line(position: &Position, actions: &[Action]) -> (String, Position) {
    let mut words = Vec::new();
    let mut position = position.clone();
    for &action in actions {
        let phase = position.phase();
        let number = position.moves() + 1;
        // The returned text would end before an illegal action, but callers pass only legal actions.
        let Ok(next) = position.clone().play(action) else { break };
        position = next;
        let text = position.rules().action_text(action);
        let mark = mark(position.outcome().as_ref());
        words.push(match phase {
            Phase::Lead(_) => format!("{number}. {text}{mark}"),
            Phase::Follow(_) if words.is_empty() => format!("{number}. … {text}{mark}"),
            Phase::Foreplacing(_) | Phase::Follow(_) | Phase::Over => format!("{text}{mark}"),
        });
    }
    (words.join(" "), position)
}

/// Describes why an action lost points, as a clause such as `a later mate scores more`.
pub fn mistake(rules: &RuleSet, reason: Mistake, notation: Notation) -> String {
    let card = |card| notation.card(rules.deck(), card);
    match reason {
        Mistake::MateOverlooked(lead) => format!("{} would have been mate", card(lead)),
        Mistake::CheaperMate(lead) => format!("mate with {} scores more", card(lead)),
        Mistake::MateTooEarly => "a later mate scores more".to_owned(),
        Mistake::Foreplacing => rules.in_own_words("another choice at foreplacing is better"),
        Mistake::MateAllowed(lead) => {
            format!("the opponent can win the move and give mate with {}", card(lead))
        }
        Mistake::LastAnswer(cards) => {
            let cards: Vec<_> = rules.deck().cards_of(cards).map(card).collect();
            format!("this was the last answer to {}", cards.join(" "))
        }
        Mistake::MoveLost => "it lets the opponent win the move".to_owned(),
        Mistake::MoveWon => "it was better to let the opponent win the move".to_owned(),
    }
}

/// Describes in a sentence which answers a lead of a privileged rank requires.
pub fn privilege(rules: &RuleSet, privilege: &Privilege) -> String {
    let names: Vec<String> =
        privilege.ranks.iter().map(|rank| format!("a {}", rules.deck().rank_name(*rank))).collect();
    let names = overmate_rules::format_names(&names);
    if privilege.on_demand {
        format!(
            "A player who leads {names} may demand that the rank be answered first, then the suit."
        )
    } else {
        format!("A lead of {names} must be answered in rank first, then in suit.")
    }
}

/// Returns `first` and `second` as the names of the seats.
pub fn seat_names() -> BySeat<String> {
    BySeat::new_with(|seat| seat.to_string())
}

/// Returns the names of the players at both seats of the game with index `index`.
pub fn player_names_by_seat(players: &ByPlayer<String>, index: usize) -> BySeat<String> {
    BySeat::new_with(|seat| players[Match::player(index, seat)].clone())
}

/// Returns the heading of a game: its number, the player who leads to move 1, and its deal number.
pub fn game_title(contest: &Match, index: usize, names: &BySeat<String>) -> String {
    let leads = with_verb(&names.first, "lead");
    let deal = contest.games()[index].dealt().number();
    format!("{}: {leads}. Deal {deal}", game_number(contest, index))
}

/// Returns the number of a game in its match, such as `Game 2 of 4`.
pub fn game_number(contest: &Match, index: usize) -> String {
    format!("Game {} of {}", index + 1, contest.length())
}

/// Returns a text with its first letter changed to a capital letter.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// Returns a number of points with its noun, such as `1 point` or `2 points`.
pub fn points(points: u32) -> String {
    counted(u64::from(points), "point")
}

/// Formats a number with its noun, to which an `s` is added unless the number is 1.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Formats a number in groups of three digits with its noun, which is given in the singular and in the plural.
pub fn grouped_count(number: u64, [one, many]: [&str; 2]) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// Returns a number with its digits in groups of three, such as `184,756`.
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
        let matches = [0, 1, 1_000].map(|number| grouped_count(number, ["match", "matches"]));
        assert_eq!(matches, ["0 matches", "1 match", "1,000 matches"]);
    }
}
