//! Why the opponent did what it did: what it saw, how far it looked, and what it expects.

use overmate_bots::Thought;
use overmate_rules::{Action, Viewer};

use super::session::Session;
use crate::text::words;

/// What the opponent thought before its actions, as long as they stand.
#[derive(Default)]
pub(crate) struct Thoughts(Vec<Before>);

/// A thought before an action.
struct Before {
    place: Place,
    thought: Thought,
}

/// A place in a match: the index of a game, and how many of its actions came before.
type Place = (usize, usize);

/// What can be told of the opponent's last action.
#[derive(Debug)]
pub(crate) enum Why<'a> {
    /// All of it.
    Told {
        /// The index of the game.
        game: usize,
        /// How many actions came before.
        before: usize,
        /// What it thought.
        thought: &'a Thought,
    },
    /// It has not done anything yet.
    NothingDone,
    /// Nobody remembers: it was done before the match went on.
    Forgotten,
    /// It would tell which card lies face down.
    Hidden,
}

impl Thoughts {
    /// Keeps what was thought before the action that comes next.
    pub(crate) fn keep(&mut self, session: &Session, thought: Thought) {
        let place = session.here();
        self.forget_from(place);
        self.0.push(Before { place, thought });
    }

    /// Forgets what was thought here and later: what followed was taken back.
    pub(crate) fn forget_from(&mut self, place: Place) {
        self.0.retain(|before| before.place < place);
    }

    /// What can be told of the last action of the opponent before a place.
    pub(crate) fn why(&self, session: &Session, place: Place) -> Why<'_> {
        let Some((game, before)) = last_of_opponent(session, place) else {
            return Why::NothingDone;
        };
        let own = session.seat(game);
        if session.game(game).view(Viewer::Seat(own)).hides_card(!own) {
            return Why::Hidden;
        }
        let kept = self.0.iter().rev().find(|kept| kept.place == (game, before));
        kept.map_or(Why::Forgotten, |kept| Why::Told { game, before, thought: &kept.thought })
    }
}

/// Where the opponent acted last before a place.
fn last_of_opponent(session: &Session, place: Place) -> Option<Place> {
    (0..=place.0).rev().find_map(|index| {
        let game = session.game(index);
        let end = if index == place.0 { place.1 } else { game.actions().len() };
        let is_its = |before: &usize| game.after(*before).to_act() == Some(!session.seat(index));
        (0..end.min(game.actions().len())).rev().find(is_its).map(|before| (index, before))
    })
}

/// What is told, a sentence a line.
pub(crate) fn text(session: &Session, why: &Why<'_>) -> String {
    match why {
        Why::NothingDone => "Overmate has not done anything yet.".to_owned(),
        Why::Forgotten => {
            "What Overmate saw then is not known any more: that was before the match went on. Ask after its next action."
                .to_owned()
        }
        Why::Hidden => {
            "Overmate has a card face down, and what it saw could tell which. Ask when the game is over.".to_owned()
        }
        Why::Told { game, before, thought } => {
            let played = session.game(*game);
            let number = played.after(*before).position().moves() + 1;
            let (what, at) = match played.actions().get(*before) {
                Some(Action::Decline) => ("Overmate foreplaced nothing".to_owned(), String::new()),
                Some(action @ Action::Foreplace(_)) => {
                    let card = played.rules().action_text(*action);
                    (format!("Overmate foreplaced {card}"), String::new())
                }
                Some(action) => {
                    let card = played.rules().action_text(*action);
                    (format!("Overmate played {card}"), format!(" in move {number}"))
                }
                None => return String::new(),
            };
            let game = if *game == session.contest().current_index() {
                String::new()
            } else {
                format!(" of game {}", game + 1)
            };
            let lines = [
                format!("{what}{at}{game}."),
                reason(thought),
                looked(thought),
                expects(thought),
                proved(thought).to_owned(),
            ];
            lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
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

fn looked(thought: &Thought) -> String {
    match thought.horizon {
        None => "It saw everything to the end of the game.".to_owned(),
        Some(0) => "It did not look ahead.".to_owned(),
        Some(moves) => format!(
            "It saw everything within {}; what comes later it judged.",
            words::counted(moves.into(), "move")
        ),
    }
}

fn expects(thought: &Thought) -> String {
    let Some(points) = thought.expected else { return String::new() };
    let text = format!("{:.1}", points.abs());
    let text = text.strip_suffix(".0").unwrap_or(&text);
    let noun = if text == "1" { "point" } else { "points" };
    match text {
        "0" => "It expects that nobody wins anything in this game.".to_owned(),
        _ if points > 0.0 => format!("It expects to win {text} {noun} in this game."),
        _ => format!("It expects to lose {text} {noun} in this game."),
    }
}

fn proved(thought: &Thought) -> &'static str {
    if thought.is_proved {
        "That is proved: between two perfect players no other action was better."
    } else {
        "That is what it thinks, and not proved."
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thought(horizon: Option<u8>, expected: Option<f64>, is_proved: bool) -> Thought {
        Thought { horizon, expected, guaranteed: None, is_proved, reason: String::new() }
    }

    #[test]
    fn what_is_proved_and_what_is_thought_read_differently() {
        let sure = thought(None, Some(24.0), true);
        assert_eq!(looked(&sure), "It saw everything to the end of the game.");
        assert_eq!(expects(&sure), "It expects to win 24 points in this game.");
        assert!(proved(&sure).starts_with("That is proved"));

        let doubt = thought(Some(1), Some(-1.04), false);
        assert_eq!(looked(&doubt), "It saw everything within 1 move; what comes later it judged.");
        assert_eq!(expects(&doubt), "It expects to lose 1 point in this game.");
        assert!(proved(&doubt).ends_with("not proved."));

        let none = thought(Some(0), Some(0.01), false);
        assert_eq!(looked(&none), "It did not look ahead.");
        assert_eq!(expects(&none), "It expects that nobody wins anything in this game.");
        assert_eq!(expects(&thought(None, None, true)), "");
    }
}
