//! Explains the opponent's last action: the reason, the search depth, and the result that the opponent expects.

use overmate_bots::Thought;
use overmate_rules::{Action, Viewer};

use super::moment::Moment;
use super::session::Session;
use crate::text::notation::Notation;
use crate::text::words;

/// Log of the opponent's reasoning, with one entry for each action of the opponent. Actions that were taken back have no
/// entry.
#[derive(Default)]
pub(crate) struct ThoughtLog(Vec<LoggedThought>);

/// Opponent's reasoning for one action, and the moment of the match just before the action.
struct LoggedThought {
    moment: Moment,
    thought: Thought,
}

/// Explanation of the opponent's last action, or the reason why no explanation is available.
#[derive(Debug)]
pub(crate) enum Explanation<'a> {
    /// The opponent's reasoning for its last action is known.
    Known {
        /// Moment of the match just before the opponent's last action.
        moment: Moment,
        /// The opponent's reasoning for its last action.
        thought: &'a Thought,
    },
    /// The opponent has not acted before the moment of the match for which an explanation is requested.
    NoActionYet,
    /// The opponent's reasoning is lost, because the match was resumed after the opponent's last action.
    Forgotten,
    /// The opponent's reasoning is secret, because it could reveal the opponent's face-down card.
    Secret,
}

impl ThoughtLog {
    /// Stores the opponent's reasoning for the action that the opponent is about to play.
    pub(crate) fn push(&mut self, session: &Session, thought: Thought) {
        let moment = session.current_moment();
        self.forget_from(moment);
        self.0.push(LoggedThought { moment, thought });
    }

    /// Removes the opponent's reasoning for all actions after `moment`, because these actions were taken back.
    pub(crate) fn forget_from(&mut self, moment: Moment) {
        self.0.retain(|logged| logged.moment < moment);
    }

    /// Returns the explanation of the opponent's last action before `moment`.
    pub(crate) fn explain(&self, session: &Session, moment: Moment) -> Explanation<'_> {
        let Some(moment) = last_of_opponent(session, moment) else {
            return Explanation::NoActionYet;
        };
        let own = session.seat(moment.game);
        if session.game(moment.game).view(Viewer::Seat(own)).hides_card(!own) {
            return Explanation::Secret;
        }
        let logged = self.0.iter().rev().find(|logged| logged.moment == moment);
        logged.map_or(Explanation::Forgotten, |logged| Explanation::Known {
            moment,
            thought: &logged.thought,
        })
    }
}

/// Finds the opponent's last action before the moment `end`, and returns the moment just before this action. Returns `None` if the opponent
/// did not act before `end`.
fn last_of_opponent(session: &Session, end: Moment) -> Option<Moment> {
    (0..=end.game).rev().find_map(|index| {
        let game = session.game(index);
        let length = game.actions().len();
        let last = if index == end.game { end.after.min(length) } else { length };
        let is_opponents =
            |after: &usize| game.after(*after).to_act() == Some(!session.seat(index));
        (0..last).rev().find(is_opponents).map(|after| Moment { game: index, after })
    })
}

/// Returns an explanation of the opponent's action as text, with one sentence on each line.
pub(crate) fn text(session: &Session, explanation: &Explanation<'_>, notation: Notation) -> String {
    let opponent = session.opponent();
    match explanation {
        Explanation::NoActionYet => format!("{opponent} has not done anything yet."),
        Explanation::Forgotten => format!(
            "{opponent} played that before you resumed the match, and its thoughts are not saved. Ask after its next \
             action."
        ),
        Explanation::Secret => format!(
            "{opponent} has a card face down, and an explanation could tell which. Ask when the game is over."
        ),
        Explanation::Known { moment, thought } => {
            let played = session.game(moment.game);
            let number = played.after(moment.after).position().moves() + 1;
            let rules = played.rules();
            let (verb, card, at) = match played.actions().get(moment.after) {
                Some(Action::Decline) => ("foreplaced", "nothing".to_owned(), String::new()),
                Some(action @ Action::Foreplace(_)) => {
                    ("foreplaced", notation.action(rules, *action), String::new())
                }
                Some(action) => {
                    ("played", notation.action(rules, *action), format!(" in move {number}"))
                }
                None => return String::new(),
            };
            let game = if moment.game == session.played_match().current_index() {
                String::new()
            } else {
                format!(" of game {}", moment.game + 1)
            };
            let verb = rules.in_own_words(verb);
            let mut lines = vec![format!("{opponent} {verb} {card}{at}{game}."), reason(thought)];
            // The sentences about search depth, expected points and certainty are omitted if an external program has sent none of these
            // data.
            if **thought != Thought::because(&thought.reason) {
                let certainty = certainty(thought).to_owned();
                lines.extend([search_depth(thought), expectation(thought), certainty]);
            }
            lines.retain(|line| !line.is_empty());
            if lines.len() == 1 {
                lines.push("It gave no explanation.".to_owned());
            }
            lines.join("\n")
        }
    }
}

fn reason(thought: &Thought) -> String {
    if thought.reason.is_empty() {
        String::new()
    } else {
        format!("Its reason: {}.", thought.reason)
    }
}

fn search_depth(thought: &Thought) -> String {
    match thought.horizon {
        None => "It searched to the end of the game.".to_owned(),
        Some(0) => "It did not look ahead.".to_owned(),
        Some(moves) => format!(
            "It searched {} ahead and estimated the rest.",
            words::counted(moves.into(), "move")
        ),
    }
}

fn expectation(thought: &Thought) -> String {
    let Some(points) = thought.expected else { return String::new() };
    let text = format!("{:.1}", points.abs());
    let text = text.strip_suffix(".0").unwrap_or(&text);
    let noun = if text == "1" { "point" } else { "points" };
    match text {
        "0" => "It expects 0 points in this game.".to_owned(),
        _ if points > 0.0 => format!("It expects to win {text} {noun} in this game."),
        _ => format!("It expects to lose {text} {noun} in this game."),
    }
}

fn certainty(thought: &Thought) -> &'static str {
    if thought.is_proved {
        "This is proved: between two perfect players no other action was better."
    } else {
        "This is an estimate, which is not proved."
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thought(horizon: Option<u8>, expected: Option<f64>, is_proved: bool) -> Thought {
        let mut thought = Thought::because("");
        thought.horizon = horizon;
        thought.expected = expected;
        thought.is_proved = is_proved;
        thought
    }

    #[test]
    fn proved_and_unproved_thoughts_have_different_texts() {
        let sure = thought(None, Some(24.0), true);
        assert_eq!(search_depth(&sure), "It searched to the end of the game.");
        assert_eq!(expectation(&sure), "It expects to win 24 points in this game.");
        assert!(certainty(&sure).starts_with("This is proved"));

        let doubt = thought(Some(1), Some(-1.04), false);
        assert_eq!(search_depth(&doubt), "It searched 1 move ahead and estimated the rest.");
        assert_eq!(expectation(&doubt), "It expects to lose 1 point in this game.");
        assert!(certainty(&doubt).ends_with("not proved."));

        let none = thought(Some(0), Some(0.01), false);
        assert_eq!(search_depth(&none), "It did not look ahead.");
        assert_eq!(expectation(&none), "It expects 0 points in this game.");
        assert_eq!(expectation(&thought(None, None, true)), "");
    }
}
