//! One playing of a deal: its actions, how it stands, and how it ended.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::cards::{Card, Seat};
use crate::game::action::Action;
use crate::game::deal::Dealt;
use crate::game::illegal::Illegal;
use crate::game::outcome::Outcome;
use crate::game::phase::Phase;
use crate::game::position::Position;
use crate::rule_set::RuleSet;

/// A game of one deal. A game that exists is valid: every action of it was legal.
///
/// The state is what follows from the deal and the actions; nothing else is kept that could differ.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Game {
    dealt: Dealt,
    actions: Vec<Action>,
    position: Position,
    resigned: Option<Seat>,
}

/// A card led and what came of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The number of the move, from 1.
    pub number: u8,
    /// Who led.
    pub leader: Seat,
    /// The card led.
    pub lead: Card,
    /// Whether it was led with a demand.
    pub demanded: bool,
    /// The answer, unless there is none yet, or none at all: mate.
    pub answer: Option<Card>,
    /// Whether the answer used the free move.
    pub free: bool,
    /// Who won the move, if it was answered.
    pub winner: Option<Seat>,
}

/// An action was not legal: the unchanged game, and why.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{illegal}")]
pub struct PlayError {
    /// The game as it was.
    pub game: Box<Game>,
    /// Why the action is not legal.
    pub illegal: Illegal,
}

impl Game {
    /// Returns the game of a deal before its first action. The deal brings its rule set.
    ///
    /// ```compile_fail
    /// use overmate_rules::{Deal, Game, RuleSet};
    ///
    /// let sackson = RuleSet::named("sackson").unwrap().shared();
    /// let pinochle = RuleSet::named("sackson+pinochle").unwrap().shared();
    /// let dealt = Deal::numbered(&pinochle, 0).unwrap();
    /// let game = Game::new(&sackson, dealt); // A game takes its rules from the deal alone.
    /// ```
    #[must_use]
    pub fn new(dealt: Dealt) -> Self {
        let position = Position::start(&dealt);
        Self { dealt, actions: Vec::new(), position, resigned: None }
    }

    /// Plays actions one after the other.
    ///
    /// # Errors
    ///
    /// The game up to the first action that is not legal, and why it is not.
    pub fn play_all(self, actions: &[Action]) -> Result<Self, PlayError> {
        actions.iter().try_fold(self, |game, action| game.play(*action))
    }

    /// The rule set.
    #[must_use]
    pub fn rules(&self) -> &Arc<RuleSet> {
        self.position.rules()
    }

    /// The deal that is played.
    #[must_use]
    pub fn dealt(&self) -> &Dealt {
        &self.dealt
    }

    /// What was done so far, in order.
    #[must_use]
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// How the game stands. After a resignation: how it stood then.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// What is to be done next, and by whom.
    #[must_use]
    pub fn phase(&self) -> Phase {
        if self.resigned.is_some() { Phase::Over } else { self.position.phase() }
    }

    /// Whose turn it is, if the game goes on.
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        self.phase().to_act()
    }

    /// Every legal action once, in the order of [`Position::legal_actions`].
    #[must_use]
    pub fn legal_actions(&self) -> Vec<Action> {
        if self.resigned.is_some() { Vec::new() } else { self.position.legal_actions() }
    }

    /// How the game ended, if it is over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self.resigned {
            Some(by) => Some(Outcome::Resigned { by }),
            None => self.position.outcome(),
        }
    }

    /// Why an action is not legal now.
    ///
    /// # Errors
    ///
    /// The reason; `Ok` if the action is legal.
    pub fn check(&self, action: Action) -> Result<(), Illegal> {
        if self.resigned.is_some() {
            return Err(Illegal::GameOver);
        }
        self.position.check(action)
    }

    /// The game after an action of the player whose turn it is.
    ///
    /// # Errors
    ///
    /// The unchanged game, and why the action is not legal.
    pub fn play(mut self, action: Action) -> Result<Self, PlayError> {
        match self.play_here(action) {
            Ok(()) => Ok(self),
            Err(illegal) => Err(PlayError { game: Box::new(self), illegal }),
        }
    }

    /// Plays an action; on an error nothing has changed.
    pub(crate) fn play_here(&mut self, action: Action) -> Result<(), Illegal> {
        self.check(action)?;
        self.carry_out(action);
        Ok(())
    }

    /// The game given up by a player, whether it is his turn or not.
    ///
    /// # Errors
    ///
    /// The unchanged game, if it is over already.
    pub fn resign(mut self, by: Seat) -> Result<Self, PlayError> {
        match self.resign_here(by) {
            Ok(()) => Ok(self),
            Err(illegal) => Err(PlayError { game: Box::new(self), illegal }),
        }
    }

    /// Gives the game up; on an error nothing has changed.
    pub(crate) fn resign_here(&mut self, by: Seat) -> Result<(), Illegal> {
        if self.outcome().is_some() {
            return Err(Illegal::GameOver);
        }
        self.resigned = Some(by);
        Ok(())
    }

    /// The game as it stood after its first `keep` actions (as it stands, if it has no more), replayed
    /// from the deal. A resignation is taken back.
    #[must_use]
    pub fn after(&self, keep: usize) -> Self {
        let mut game = Self::new(self.dealt.clone());
        for &action in self.actions.iter().take(keep) {
            game.carry_out(action);
        }
        game
    }

    /// Carries out an action that is known to be legal here.
    pub(crate) fn carry_out(&mut self, action: Action) {
        self.position.carry_out(action);
        self.actions.push(action);
    }

    /// The moves so far; the last may be without an answer.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        let mut moves: Vec<Move> = Vec::new();
        let mut position = Position::start(&self.dealt);
        for &action in &self.actions {
            let phase = position.phase();
            position.carry_out(action);
            match (phase, action.card()) {
                (Phase::Lead(leader), Some(lead)) => moves.push(Move {
                    number: position.moves() + 1,
                    leader,
                    lead,
                    demanded: matches!(action, Action::Demand(_)),
                    answer: None,
                    free: false,
                    winner: None,
                }),
                (Phase::Follow(_), answer) => {
                    if let Some(last) = moves.last_mut() {
                        last.answer = answer;
                        last.free = matches!(action, Action::Free(_));
                        last.winner = Some(position.leader());
                    }
                }
                _ => {}
            }
        }
        moves
    }
}
