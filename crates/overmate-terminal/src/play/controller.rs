//! Controls a match against the computer independently of the display: actions, undo, resignation, hints, and a save after each change.

use anyhow::Result;
use overmate_rules::{Action, Illegal, Match, Player, RuleSet, View};

use super::autosave::{Autosave, SaveOutcome};
use super::explanation::{self, Explanation, ThoughtLog};
use super::moment::Moment;
use super::opponent::{ComputerOpponent, Opponent, OpponentAction};
use super::session::{HelpMark, OpponentTurn, Session, ShownAction};
use crate::text::notation::Notation;

/// Match in progress between a human and the computer, with the file to which the match is saved.
pub struct MatchController {
    session: Session,
    autosave: Autosave,
    opponent: Opponent,
    thoughts: ThoughtLog,
}

/// Result of an attempt to save the match: nothing to report, a message for the player, or an error.
pub(crate) enum SaveNotice {
    /// The save succeeded or was unnecessary, and there is no message for the player.
    None,
    /// The save succeeded, and there is a message for the player.
    Message(String),
    /// The save failed with this error, and the match continues.
    Failed(anyhow::Error),
}

/// Warning that the match continues unsaved.
pub(crate) const NOT_SAVED: &str = "The match goes on, but its present state is not saved.";

impl MatchController {
    pub(crate) fn new(session: Session, autosave: Autosave, opponent: Opponent) -> Self {
        Self { session, autosave, opponent, thoughts: ThoughtLog::default() }
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    pub(crate) fn autosave(&self) -> &Autosave {
        &self.autosave
    }

    pub(crate) fn played_match(&self) -> &Match {
        self.session.played_match()
    }

    pub(crate) fn rules(&self) -> &RuleSet {
        self.played_match().rules()
    }

    /// Describes the strength of the computer opponent, such as `level 3 of 9`.
    pub(crate) fn strength(&self) -> String {
        self.opponent.strength()
    }

    /// Returns a new computer opponent for the match.
    pub(crate) fn new_opponent(&self) -> ComputerOpponent {
        ComputerOpponent::new(self.opponent.clone(), self.played_match(), !self.session.human())
    }

    /// Returns the player (A or B) whose turn it is, or `None` if the match is over.
    pub(crate) fn to_act(&self) -> Option<Player> {
        self.played_match().to_act()
    }

    /// Returns whether it is the human's turn.
    pub(crate) fn is_humans_turn(&self) -> bool {
        self.to_act() == Some(self.session.human())
    }

    /// Returns the information from which the opponent chooses its next action.
    pub(crate) fn opponent_turn(&self) -> OpponentTurn {
        self.session.opponent_turn()
    }

    /// Returns the opponent's views of all games of the ended match.
    pub(crate) fn finished_games(&self) -> Vec<View> {
        self.session.finished_games()
    }

    /// Plays an action of the human and saves the match. An illegal action changes nothing.
    pub(crate) fn act(
        &mut self,
        action: Action,
    ) -> Result<Result<(ShownAction, SaveNotice), Illegal>> {
        if let Err(illegal) = self.session.check(action) {
            return Ok(Err(illegal));
        }
        let told = self.session.play_as_human(action)?;
        Ok(Ok((told, self.save())))
    }

    /// Plays an action that the opponent chose. Saves the match if the file of the match exists already, or if the match is over.
    pub(crate) fn play_opponent_action(
        &mut self,
        answered: OpponentAction,
    ) -> Result<(ShownAction, SaveNotice)> {
        self.thoughts.push(&self.session, answered.thought);
        let told = self.session.play(answered.action)?;
        // An action of the opponent creates the match's save file only if it ends the match. In other matches, the human's first action or
        // resignation creates the file.
        let is_over = self.to_act().is_none();
        Ok((told, if is_over { self.save() } else { self.save_if_begun() }))
    }

    /// Takes back the human's last action and all later actions, or returns `None` if the human has no action to take back.
    pub(crate) fn undo(&mut self) -> Result<Option<SaveNotice>> {
        if !self.session.undo()? {
            return Ok(None);
        }
        self.thoughts.forget_from(self.session.current_moment());
        Ok(Some(self.save_if_begun()))
    }

    /// Resigns the match on behalf of the human, and saves the match.
    pub(crate) fn resign(&mut self) -> Result<SaveNotice> {
        self.session.resign()?;
        Ok(self.save())
    }

    /// Records that the human took a hint. Saves the match if the file of the match exists already.
    pub(crate) fn take_hint(&mut self) -> Result<SaveNotice> {
        self.session.mark(HelpMark::Hint)?;
        Ok(self.save_if_begun())
    }

    /// Explains the opponent's last action before the given moment of the match.
    ///
    /// If the deal is still in play, the record marks the explanation as a hint.
    pub(crate) fn explain(
        &mut self,
        moment: Moment,
        notation: Notation,
    ) -> Result<(String, SaveNotice)> {
        let explanation = self.thoughts.explain(&self.session, moment);
        let text = explanation::text(&self.session, &explanation, notation);
        let kept = match explanation {
            Explanation::Known { moment, .. } => self.mark_review(moment.game)?,
            Explanation::NoActionYet | Explanation::Forgotten | Explanation::Secret => {
                SaveNotice::None
            }
        };
        Ok((text, kept))
    }

    /// Marks a review or explanation of the game `game` as a hint in the match record, unless the match or the round of this game is over.
    /// After such a mark, also saves the match if its file exists already.
    pub(crate) fn mark_review(&mut self, game: usize) -> Result<SaveNotice> {
        if self.session.has_deal_in_play(game) { self.take_hint() } else { Ok(SaveNotice::None) }
    }

    fn save_if_begun(&self) -> SaveNotice {
        if self.autosave.has_file() { self.save() } else { SaveNotice::None }
    }

    fn save(&self) -> SaveNotice {
        match self.autosave.save(self.session.record()) {
            Ok(SaveOutcome::AsUsual) => SaveNotice::None,
            Ok(SaveOutcome::Recovered) => {
                SaveNotice::Message("The match is saved again.".to_owned())
            }
            Ok(SaveOutcome::Renamed) => SaveNotice::Message(format!(
                "Another program has created a file of that name: the match is saved in {}.",
                self.autosave.place()
            )),
            Err(error) => SaveNotice::Failed(error),
        }
    }
}
