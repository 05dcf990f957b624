//! Checks a player's conditional answers (prepared replies) in a correspondence match, and finds the answer that is due. The answers of a
//! player form a private tree, in which each possible action of the opponent has the player's answers.
//!
//! The tree of conditional answers begins at a position where the opponent is to act. The tree ends with the current game,
//! because the deal of a later game may be unknown. The server appends an automatic answer in one transaction with the opponent's
//! action, so that a failure cannot separate them.

use overmate_rules::{Action, Face, Illegal, Match, Player, ReadError, Seat, Viewer};
use serde::{Deserialize, Serialize};

/// Maximum number of actions in the conditional answers of a player.
pub(crate) const MOST_ACTIONS: usize = 64;

/// Branch of a player's conditional answers: a possible action of the opponent, the player's answers, and the next branches. The actions
/// are in the notation of the match log. A server ignores fields of later versions, so that servers of two versions can run beside each
/// other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Branch {
    pub(crate) on: String,
    pub(crate) answers: Vec<String>,
    #[serde(default)]
    pub(crate) then: Vec<Self>,
}

/// Stored conditional answers (prepared replies) of a player, with the position of the match at which the answers
/// begin.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Conditional {
    /// Index, from 0, of the game to which the conditional answers belong.
    game: usize,
    /// Number of actions in the game before the conditional answers begin.
    after: usize,
    branches: Vec<Branch>,
}

/// Reason why the server refuses conditional answers.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConditionalFault {
    #[error(
        "conditional answers are possible only while the opponent is to act: take your action first"
    )]
    YourTurn,
    #[error("the match is over and takes no conditional answers: create a new match")]
    MatchOver,
    #[error(
        "the conditional answers have {0} actions, but at most {MOST_ACTIONS} are allowed: leave some actions out"
    )]
    TooMany(usize),
    #[error("the action {0} stands twice for the same position: remove one of the two entries")]
    Twice(String),
    #[error("the action {0} has no answer: add an answer, or leave the action out")]
    NoAnswer(String),
    #[error("the action {0} comes after the end of the game: leave the action out")]
    AfterGame(String),
    #[error("the action {0} belongs to the wrong player: give the actions of both players in turn")]
    OtherPlayer(String),
    #[error(
        "the action {0} depends on a face-down card that you do not know: leave the action out"
    )]
    Hidden(String),
    #[error("the action {text} cannot be read")]
    Unreadable { text: String, source: ReadError },
    #[error("the action {text} is not legal: {source}")]
    Illegal { text: String, source: Illegal },
}

/// State of a player's conditional answers in the current position of their match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// The actions of the match no longer follow the tree of conditional answers.
    Left,
    /// It is the player's turn, and the field holds the player's conditional answer for the current position.
    Due(Action),
    /// It is the opponent's turn, and the field holds the player's conditional answers to the opponent's possible actions.
    Waiting(Vec<Branch>),
}

impl Conditional {
    /// Creates a player's conditional answers, which start at the current position of a match.
    pub(crate) fn new(
        play: &Match,
        player: Player,
        branches: &[Branch],
    ) -> Result<Self, ConditionalFault> {
        let count = count(branches);
        if count > MOST_ACTIONS {
            return Err(ConditionalFault::TooMany(count));
        }
        match play.to_act() {
            None => return Err(ConditionalFault::MatchOver),
            Some(acting) if acting == player => return Err(ConditionalFault::YourTurn),
            Some(_) => {}
        }
        let line = Line { play: play.clone(), game: play.current_index(), player };
        Ok(Self {
            game: line.game,
            after: play.current().actions().len(),
            branches: line.checked(branches)?,
        })
    }

    /// Parses a player's conditional answers from the text in the store; `None` if the text cannot be read.
    pub(crate) fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// Serialises the player's conditional answers for the store.
    pub(crate) fn text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// Returns the first branches of the conditional answers: one for each action of the opponent to which the player has prepared answers.
    pub(crate) fn into_branches(self) -> Vec<Branch> {
        self.branches
    }

    /// Returns the state of the player's conditional answers in the current position of the match.
    pub(crate) fn standing(&self, play: &Match, player: Player) -> Standing {
        self.followed(play, player).unwrap_or(Standing::Left)
    }

    fn followed(&self, play: &Match, player: Player) -> Option<Standing> {
        if play.current_index() != self.game {
            return None;
        }
        let game = play.current();
        let mut actions = game.actions().get(self.after..)?.iter().copied();
        let rules = game.rules();
        let mut branches = &self.branches;
        while let Some(action) = actions.next() {
            let text = overmate_json::action(rules, action);
            let branch = branches.iter().find(|branch| branch.on == text)?;
            for answer in &branch.answers {
                match actions.next() {
                    None => return Some(Standing::Due(rules.read_action(answer).ok()?)),
                    Some(taken) if overmate_json::action(rules, taken) == *answer => {}
                    Some(_) => return None,
                }
            }
            branches = &branch.then;
        }
        let waits = play.to_act() == Some(!player) && !branches.is_empty();
        waits.then(|| Standing::Waiting(branches.clone()))
    }
}

/// Copy of a match in which one player tries out a sequence of actions of the current game. The check of these actions uses only facts that
/// the player knows.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    play: Match,
    game: usize,
    player: Player,
}

impl Line {
    /// Plays a sequence of actions on a copy of a match, starting from the current position.
    pub(crate) fn of(
        play: &Match,
        player: Player,
        actions: &[String],
    ) -> Result<Self, ConditionalFault> {
        let mut line = Self { play: play.clone(), game: play.current_index(), player };
        for action in actions {
            let acting = line.play.to_act().ok_or(ConditionalFault::MatchOver)?;
            line = line.then(acting, action)?.0;
        }
        Ok(line)
    }

    /// Returns the match after the tried sequence of actions, or `None` if the sequence ends the game.
    pub(crate) fn open(&self) -> Result<Option<&Match>, ConditionalFault> {
        if self.is_over() {
            return Ok(None);
        }
        if self.hides_card() {
            return Err(ConditionalFault::Hidden("the next action".to_owned()));
        }
        Ok(Some(&self.play))
    }

    fn is_over(&self) -> bool {
        self.play.current_index() != self.game || self.play.to_act().is_none()
    }

    /// Validates branches of conditional answers, and converts their actions to the notation of the
    /// log. An illegal action gives an error.
    fn checked(&self, branches: &[Branch]) -> Result<Vec<Branch>, ConditionalFault> {
        let mut checked: Vec<Branch> = Vec::with_capacity(branches.len());
        for Branch { on, answers, then } in branches {
            let (mut line, on) = self.clone().then(!self.player, on)?;
            if checked.iter().any(|branch| branch.on == on) {
                return Err(ConditionalFault::Twice(on));
            }
            if answers.is_empty() && then.is_empty() {
                return Err(ConditionalFault::NoAnswer(on));
            }
            let mut taken = Vec::with_capacity(answers.len());
            for answer in answers {
                let (next, answer) = line.then(self.player, answer)?;
                line = next;
                taken.push(answer);
            }
            let then = line.checked(then)?;
            checked.push(Branch { on, answers: taken, then });
        }
        Ok(checked)
    }

    /// Plays an action on this copy of the match. Returns the changed copy, and the action in the notation of match logs.
    fn then(mut self, acting: Player, text: &str) -> Result<(Self, String), ConditionalFault> {
        if self.is_over() {
            return Err(ConditionalFault::AfterGame(text.to_owned()));
        }
        if self.play.to_act() != Some(acting) {
            return Err(ConditionalFault::OtherPlayer(text.to_owned()));
        }
        let rules = self.play.rules();
        let action = rules.read_action(text.trim());
        let action = action
            .map_err(|source| ConditionalFault::Unreadable { text: text.to_owned(), source })?;
        let text = overmate_json::action(rules, action);
        // A check of the action's legality could reveal a face-down card that the player does not know. Therefore the server first excludes
        // this case.
        if self.depends_on_hidden_card(acting, action) {
            return Err(ConditionalFault::Hidden(text));
        }
        let played = self.play.play(action);
        self.play = played.map_err(|error| ConditionalFault::Illegal {
            text: text.clone(),
            source: error.illegal,
        })?;
        Ok((self, text))
    }

    /// Returns whether a check of an action's legality could reveal a face-down card that the player does not know. The opponent's action
    /// foreplaces such a card, or the card already lies on the table.
    fn depends_on_hidden_card(&self, acting: Player, action: Action) -> bool {
        let is_down = self.play.rules().foreplacing().is_some_and(|f| f.face == Face::Down);
        let lays = is_down && acting != self.player && matches!(action, Action::Foreplace(_));
        lays || self.hides_card()
    }

    /// Returns whether the game has a face-down card whose identity the player does not know.
    fn hides_card(&self) -> bool {
        let own = Viewer::Seat(Match::seat(self.game, self.player));
        let view = self.play.games()[self.game].view(own);
        Seat::BOTH.into_iter().any(|seat| view.hides_card(seat))
    }
}

fn count(branches: &[Branch]) -> usize {
    branches.iter().map(|branch| 1 + branch.answers.len() + count(&branch.then)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_answers_of_other_versions_are_readable() {
        let (on, answers) = ("Tc".to_owned(), vec!["Kc".to_owned()]);
        let leaf = Branch { on: "Qs".to_owned(), answers: Vec::new(), then: Vec::new() };
        let branches = vec![Branch { on, answers, then: vec![leaf] }];
        let stored = Conditional { game: 1, after: 3, branches };
        // The expected JSON text is the form in which earlier versions have stored conditional answers.
        let text = r#"{"game":1,"after":3,"branches":[{"on":"Tc","answers":["Kc"],"then":[{"on":"Qs","answers":[],"then":[]}]}]}"#;
        assert_eq!(stored.text().expect("a text"), text);
        assert_eq!(Conditional::read(text).as_ref(), Some(&stored));
        // Conditional answers that a later version has stored may have further fields in all JSON objects, and may omit a field that holds
        // an empty list.
        let later = r#"{"game":1,"after":3,"by":"x","branches":[{"on":"Tc","answers":["Kc"],"if":1,"then":[{"on":"Qs","answers":[],"new":{}}]}]}"#;
        assert_eq!(Conditional::read(later), Some(stored));
        assert_eq!(Conditional::read("{"), None);
    }
}
