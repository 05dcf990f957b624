//! How a match goes, whatever it is shown on: actions, undo, hints, resigning, and saving after each of them.

use anyhow::Result;
use overmate_bots::HousePlayer;
use overmate_rules::{Action, Illegal, Match, Player, RuleSet};

use super::autosave::{Keeper, Saved};
use super::explanation::{self, Thoughts, Why};
use super::opponent::{Answered, Asked};
use super::session::{Mark, Session, Told};

/// A match in progress and the file that it is kept in.
pub struct MatchController {
    session: Session,
    keeper: Keeper,
    opponent: HousePlayer,
    thoughts: Thoughts,
}

/// What saving has to say to the player.
pub(crate) enum Kept {
    /// Nothing.
    Silently,
    /// A sentence.
    Told(String),
    /// It failed; the match goes on all the same.
    Failed(anyhow::Error),
}

/// What is said after an attempt to save failed.
pub(crate) const NOT_SAVED: &str = "The match goes on, but it is not saved as it stands now.";

impl MatchController {
    pub(crate) fn new(session: Session, keeper: Keeper, opponent: HousePlayer) -> Self {
        Self { session, keeper, opponent, thoughts: Thoughts::default() }
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    pub(crate) fn keeper(&self) -> &Keeper {
        &self.keeper
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
    pub(crate) fn asked(&self) -> Asked {
        self.session.asked()
    }

    /// Carries out an action of the human, unless it is not legal: then nothing changes.
    pub(crate) fn act(&mut self, action: Action) -> Result<Result<(Told, Kept), Illegal>> {
        if let Err(illegal) = self.session.check(action) {
            return Ok(Err(illegal));
        }
        let told = self.session.play_as_human(action)?;
        Ok(Ok((told, self.save())))
    }

    /// Carries out an action of the opponent.
    pub(crate) fn opponent_acts(&mut self, answered: Answered) -> Result<(Told, Kept)> {
        self.thoughts.keep(&self.session, answered.thought);
        let told = self.session.play(answered.action)?;
        // What the opponent does before the first action of the human leaves nothing behind.
        Ok((told, self.save_if_begun()))
    }

    /// Takes back the human's last action and what followed it; `None` if there is none.
    pub(crate) fn undo(&mut self) -> Result<Option<Kept>> {
        if !self.session.undo()? {
            return Ok(None);
        }
        self.thoughts.forget_from(self.session.here());
        Ok(Some(self.save_if_begun()))
    }

    /// Gives the match up for the human.
    pub(crate) fn resign(&mut self) -> Result<Kept> {
        self.session.resign()?;
        Ok(self.save())
    }

    /// Notes that the human took a hint.
    pub(crate) fn take_hint(&mut self) -> Result<Kept> {
        self.session.mark(Mark::Hint)?;
        Ok(self.save_if_begun())
    }

    /// Says why the opponent did what it did last before a place, a sentence a line. If that can be of use for what is still
    /// to be played, it is marked as a hint.
    pub(crate) fn tell_why(&mut self, place: (usize, usize)) -> Result<(String, Kept)> {
        let why = self.thoughts.why(&self.session, place);
        let text = explanation::text(&self.session, &why);
        let kept = match why {
            Why::Told { game, .. } => self.learns_of(game)?,
            _ => Kept::Silently,
        };
        Ok((text, kept))
    }

    /// Notes that the human is told more of a game than its actions: a hint, if its deal is still on the table.
    pub(crate) fn learns_of(&mut self, game: usize) -> Result<Kept> {
        if self.session.is_still_of_use(game) { self.take_hint() } else { Ok(Kept::Silently) }
    }

    fn save_if_begun(&self) -> Kept {
        if self.keeper.has_begun() { self.save() } else { Kept::Silently }
    }

    fn save(&self) -> Kept {
        match self.keeper.save(self.session.record()) {
            Ok(Saved::Still) => Kept::Silently,
            Ok(Saved::Again) => Kept::Told("The match is saved again.".to_owned()),
            Ok(Saved::Elsewhere) => Kept::Told(format!(
                "The name was taken meanwhile: the match is kept in {}.",
                self.keeper.place()
            )),
            Err(error) => Kept::Failed(error),
        }
    }
}
