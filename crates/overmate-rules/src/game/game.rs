//! Defines games: a deal, the actions so far, and the outcome.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::cards::{Card, Seat};
use crate::game::action::Action;
use crate::game::deal::Dealt;
use crate::game::illegal::Illegal;
use crate::game::legal_actions::LegalActions;
use crate::game::outcome::Outcome;
use crate::game::phase::Phase;
use crate::game::play_error::PlayError;
use crate::game::position::Position;
use crate::rule_set::RuleSet;

/// Game of one deal, with all actions taken so far. Every `Game` is valid: all its actions were
/// legal.
///
/// The position is derived from the deal and the actions.
///
/// ```
/// use overmate_rules::{Deal, Game, Outcome, RuleSet};
/// let rules = RuleSet::named("bga")?.shared();
/// let mut game = Game::new(Deal::numbered(&rules, 20_010)?);
/// while let Some(action) = game.legal_actions().next() {
///     game = game.play(action)?;
/// }
/// assert!(game.outcome().is_some());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Game {
    dealt: Dealt,
    actions: Vec<Action>,
    position: Position,
    resigned: Option<Seat>,
}

/// Move of a game: a led card, the opponent's answer, and the winning seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// Number of the move in its game, from 1.
    pub number: u8,
    /// Seat of the leader of the move.
    pub leader: Seat,
    /// Card led to the move.
    pub lead: Card,
    /// Whether the leader demanded an answer in rank if possible, and otherwise in suit.
    pub demanded: bool,
    /// Card that answered the lead, or `None` before the answer and after mate.
    pub answer: Option<Card>,
    /// Whether the answer used the free move (the right to answer once in rank while holding the
    /// suit).
    pub free: bool,
    /// Seat that won the move, or `None` while the lead has no answer.
    pub winner: Option<Seat>,
}

impl Game {
    /// Creates a game of a deal, before the first action. The game has the rule set of the deal.
    ///
    /// ```compile_fail
    /// use overmate_rules::{Deal, Game, RuleSet};
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

    /// Plays a list of actions in order, and returns the game after the last action.
    ///
    /// ```
    /// use overmate_rules::{Deal, Game, RuleSet};
    /// let rules = RuleSet::named("sackson")?.shared();
    /// let actions = rules.read_actions("(Tc) (Qh) As 7s Ah 7h Kh")?;
    /// let game = Game::new(Deal::numbered(&rules, 20_010)?).play_all(&actions)?;
    /// assert_eq!(game.outcome().map(|outcome| outcome.points_for_first()), Some(16));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the game before the first illegal action, and the reason for the illegality.
    pub fn play_all(self, actions: &[Action]) -> Result<Self, PlayError<Self>> {
        actions.iter().try_fold(self, |game, action| game.play(*action))
    }

    /// Returns the rule set of the game.
    #[must_use]
    pub fn rules(&self) -> &Arc<RuleSet> {
        self.position.rules()
    }

    /// Returns the deal of the game.
    #[must_use]
    pub fn dealt(&self) -> &Dealt {
        &self.dealt
    }

    /// Returns the actions of the game so far, in order.
    #[must_use]
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// Returns the current position of the game, or the position at the time of a resignation.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the current phase of the game, with the seat to act.
    #[must_use]
    pub fn phase(&self) -> Phase {
        if self.resigned.is_some() { Phase::Over } else { self.position.phase() }
    }

    /// Returns the seat to act, or `None` if the game is over.
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        self.phase().to_act()
    }

    /// Returns the legal actions of the current position, as [`Position::legal_actions`] does.
    #[must_use]
    pub fn legal_actions(&self) -> LegalActions<'_> {
        if self.resigned.is_some() {
            LegalActions::none(self.rules())
        } else {
            self.position.legal_actions()
        }
    }

    /// Returns the outcome of the game, or `None` for an unfinished game.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self.resigned {
            Some(by) => Some(Outcome::Resigned { by }),
            None => self.position.outcome(),
        }
    }

    /// Checks the legality of an action, and returns the reason if the action is illegal.
    ///
    /// ```
    /// use overmate_rules::{Action, Deal, Game, Illegal, RuleSet};
    /// let rules = RuleSet::named("bga")?.shared();
    /// let game = Game::new(Deal::numbered(&rules, 20_010)?);
    /// assert_eq!(game.check(Action::Decline), Err(Illegal::NoForeplacing));
    /// assert_eq!(game.check(rules.read_action("Tc")?), Ok(()));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the reason for the illegality of the action.
    pub fn check(&self, action: Action) -> Result<(), Illegal> {
        if self.resigned.is_some() {
            return Err(Illegal::GameOver);
        }
        self.position.check(action)
    }

    /// Plays an action for the seat to act, and returns the game after the action.
    ///
    /// ```
    /// use overmate_rules::{Deal, Game, RuleSet};
    /// let rules = RuleSet::named("sackson")?.shared();
    /// let game = Game::new(Deal::numbered(&rules, 20_010)?).play(rules.read_action("(Tc)")?)?;
    /// let error = game.play(rules.read_action("(Ac)")?).unwrap_err();
    /// assert_eq!(error.unchanged.to_string(), "(Tc)");
    /// let reason = "the opponent foreplaced Tc, so you may not foreplace a card of the same suit (clubs) or rank (ten): \
    ///     foreplace another card, or decline with -";
    /// assert_eq!(error.illegal.to_string(), reason);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the unchanged game, and the reason for the illegality of the action.
    pub fn play(mut self, action: Action) -> Result<Self, PlayError<Self>> {
        match self.play_here(action) {
            Ok(()) => Ok(self),
            Err(illegal) => Err(PlayError::new(self, illegal)),
        }
    }

    /// Plays an action by changing the game in place. An error leaves the game unchanged.
    pub(crate) fn play_here(&mut self, action: Action) -> Result<(), Illegal> {
        self.check(action)?;
        self.carry_out(action);
        Ok(())
    }

    /// Ends an unfinished game by the resignation of the player in a seat, and returns the finished
    /// game.
    ///
    /// ```
    /// use overmate_rules::{Deal, Game, RuleSet, Seat};
    /// let rules = RuleSet::named("bga")?.shared();
    /// let game = Game::new(Deal::numbered(&rules, 20_010)?).resign(Seat::Second)?;
    /// let outcome = game.outcome().expect("a resignation ends the game");
    /// assert_eq!((outcome.winner(), outcome.points_for_first()), (Some(Seat::First), 0));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the unchanged game if the game is over already.
    pub fn resign(mut self, by: Seat) -> Result<Self, PlayError<Self>> {
        match self.resign_here(by) {
            Ok(()) => Ok(self),
            Err(illegal) => Err(PlayError::new(self, illegal)),
        }
    }

    /// Records the resignation of the player in a seat by changing the game in place. An error leaves the game
    /// unchanged.
    pub(crate) fn resign_here(&mut self, by: Seat) -> Result<(), Illegal> {
        if self.outcome().is_some() {
            return Err(Illegal::GameOver);
        }
        self.resigned = Some(by);
        Ok(())
    }

    /// Returns the state of the game after its first `keep` actions, without any resignation.
    ///
    /// A game with fewer than `keep` actions is replayed completely.
    ///
    /// ```
    /// use overmate_rules::{Deal, Game, RuleSet};
    /// let rules = RuleSet::named("sackson")?.shared();
    /// let actions = rules.read_actions("(Tc) (Qh) As 7s")?;
    /// let game = Game::new(Deal::numbered(&rules, 20_010)?).play_all(&actions)?;
    /// assert_eq!(game.after(3).to_string(), "(Tc) (Qh) As");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn after(&self, keep: usize) -> Self {
        let mut game = Self::new(self.dealt.clone());
        for &action in self.actions.iter().take(keep) {
            game.carry_out(action);
        }
        game
    }

    /// Executes an action whose legality the caller has checked.
    pub(crate) fn carry_out(&mut self, action: Action) {
        self.position.carry_out(action);
        self.actions.push(action);
    }

    /// Returns the moves of the game so far, in order. The last move may lack its answer.
    ///
    /// ```
    /// use overmate_rules::{Deal, Game, RuleSet, Seat};
    /// let rules = RuleSet::named("sackson")?.shared();
    /// let actions = rules.read_actions("(Tc) (Qh) As 7s Ah 7h Kh")?;
    /// let moves = Game::new(Deal::numbered(&rules, 20_010)?).play_all(&actions)?.moves();
    /// assert_eq!(moves.iter().map(|played| played.number).collect::<Vec<_>>(), [1, 2, 3]);
    /// assert_eq!(moves[0].winner, Some(Seat::First));
    /// assert_eq!(moves[2].answer, None);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
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
                (Phase::Foreplacing(_) | Phase::Lead(_) | Phase::Over, _) => {}
            }
        }
        moves
    }
}
