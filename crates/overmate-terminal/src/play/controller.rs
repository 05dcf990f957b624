//! How a match goes, whatever it is shown on: actions, undo, hints, resigning, and saving after each of them.

use anyhow::Result;
use overmate_bots::HousePlayer;
use overmate_rules::{Action, Illegal, Match, Player, RuleSet};

use super::autosave::{Autosave, SaveOutcome};
use super::explanation::{self, Explanation, ThoughtLog};
use super::moment::Moment;
use super::opponent::OpponentAction;
use super::session::{HelpMark, OpponentTurn, PlayedAction, Session};

/// A match in progress and the file that it is kept in.
pub struct MatchController {
    session: Session,
    autosave: Autosave,
    opponent: HousePlayer,
    thoughts: ThoughtLog,
}

/// What saving has to say to the player.
pub(crate) enum SaveNotice {
    /// Nothing.
    None,
    /// A sentence.
    Message(String),
    /// It failed; the match goes on all the same.
    Failed(anyhow::Error),
}

/// What is said after an attempt to save failed.
pub(crate) const NOT_SAVED: &str = "The match goes on, but it is not saved as it stands now.";

impl MatchController {
    pub(crate) fn new(session: Session, autosave: Autosave, opponent: HousePlayer) -> Self {
        Self { session, autosave, opponent, thoughts: ThoughtLog::default() }
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    pub(crate) fn autosave(&self) -> &Autosave {
        &self.autosave
    }

    pub(crate) fn contest(&self) -> &Match {
        self.session.contest()
    }

    pub(crate) fn rules(&self) -> &RuleSet {
        self.contest().rules()
    }

    /// Whom the human plays against.
    pub(crate) fn opponent(&self) -> HousePlayer {
        self.opponent
    }

    /// Whose turn it is, if the match goes on.
    pub(crate) fn to_act(&self) -> Option<Player> {
        self.contest().to_act()
    }

    /// Whether the human is to act.
    pub(crate) fn is_humans_turn(&self) -> bool {
        self.to_act() == Some(self.session.human())
    }

    /// What the opponent is told when it is its turn.
    pub(crate) fn opponent_turn(&self) -> OpponentTurn {
        self.session.opponent_turn()
    }

    /// Carries out an action of the human, unless it is not legal: then nothing changes.
    pub(crate) fn act(
        &mut self,
        action: Action,
    ) -> Result<Result<(PlayedAction, SaveNotice), Illegal>> {
        if let Err(illegal) = self.session.check(action) {
            return Ok(Err(illegal));
        }
        let told = self.session.play_as_human(action)?;
        Ok(Ok((told, self.save())))
    }

    /// Carries out an action of the opponent.
    pub(crate) fn play_opponent_action(
        &mut self,
        answered: OpponentAction,
    ) -> Result<(PlayedAction, SaveNotice)> {
        self.thoughts.push(&self.session, answered.thought);
        let told = self.session.play(answered.action)?;
        // What the opponent does before the first action of the human leaves nothing behind.
        Ok((told, self.save_if_begun()))
    }

    /// Takes back the human's last action and what followed it; `None` if there is none.
    pub(crate) fn undo(&mut self) -> Result<Option<SaveNotice>> {
        if !self.session.undo()? {
            return Ok(None);
        }
        self.thoughts.forget_from(self.session.current_moment());
        Ok(Some(self.save_if_begun()))
    }

    /// Gives the match up for the human.
    pub(crate) fn resign(&mut self) -> Result<SaveNotice> {
        self.session.resign()?;
        Ok(self.save())
    }

    /// Notes that the human took a hint.
    pub(crate) fn take_hint(&mut self) -> Result<SaveNotice> {
        self.session.mark(HelpMark::Hint)?;
        Ok(self.save_if_begun())
    }

    /// Says why the opponent did what it did last before a place, a sentence a line. If that can be of use for what is still
    /// to be played, it is marked as a hint.
    pub(crate) fn explain(&mut self, moment: Moment) -> Result<(String, SaveNotice)> {
        let explanation = self.thoughts.explain(&self.session, moment);
        let text = explanation::text(&self.session, &explanation);
        let kept = match explanation {
            Explanation::Known { moment, .. } => self.mark_review(moment.game)?,
            Explanation::NoActionYet | Explanation::Forgotten | Explanation::Secret => {
                SaveNotice::None
            }
        };
        Ok((text, kept))
    }

    /// Notes that the human is told more of a game than its actions: a hint, if its deal is still on the table.
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
                "The name was taken meanwhile: the match is kept in {}.",
                self.autosave.place()
            )),
            Err(error) => SaveNotice::Failed(error),
        }
    }
}
