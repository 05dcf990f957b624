//! Defines positions: all facts that affect the rest of a game, without the earlier actions.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::cards::{BySeat, Card, CardSet, Seat};
use crate::game::action::Action;
use crate::game::deal::Dealt;
use crate::game::illegal::Illegal;
use crate::game::legal_actions::LegalActions;
use crate::game::legality;
use crate::game::mate::Mate;
use crate::game::outcome::Outcome;
use crate::game::phase::Phase;
use crate::game::play_error::PlayError;
use crate::game::state::{Foreplaced, PositionState};
use crate::rule_set::{Answers, Lead, RuleSet};

/// Valid position of a game: all facts that affect the rest of the game, without the earlier
/// actions.
///
/// ```
/// use overmate_rules::{Deal, Phase, Position, RuleSet, Seat};
/// let rules = RuleSet::named("bga")?.shared();
/// let start = Position::start(&Deal::numbered(&rules, 20_010)?);
/// let position = start.play(rules.read_action("As")?)?.play(rules.read_action("Ts")?)?;
/// assert_eq!(position.phase(), Phase::Lead(Seat::First));
/// assert_eq!(position.hand(Seat::Second).len(), 9);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Equality
///
/// Two positions are equal if their rule sets are equal and no player can distinguish the
/// positions. The actions before make no difference, nor does the choice between identical cards.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Position {
    rules: Arc<RuleSet>,
    state: PositionState,
}

impl Position {
    /// Returns the initial position of a deal.
    #[must_use]
    pub fn start(dealt: &Dealt) -> Self {
        let rules = dealt.rules();
        Self { rules: Arc::clone(rules), state: PositionState::start(rules, dealt.hands()) }
    }

    /// Creates a position from a state that the caller has checked.
    pub(crate) fn from_state(rules: Arc<RuleSet>, state: PositionState) -> Self {
        Self { rules, state }
    }

    pub(crate) fn state(&self) -> &PositionState {
        &self.state
    }

    /// Returns the rule set of the position.
    #[must_use]
    pub fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }

    /// Returns the cards in a seat's hand.
    ///
    /// In the last move, the hand of a sole foreplacer holds the repeated card.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> CardSet {
        self.state.hands[seat]
    }

    /// Returns the state of a seat's foreplacing: undecided, declined, or with a foreplaced card.
    #[must_use]
    pub fn foreplaced(&self, seat: Seat) -> Foreplaced {
        self.state.foreplaced[seat]
    }

    /// Returns the seat of the leader of the current move.
    #[must_use]
    pub fn leader(&self) -> Seat {
        self.state.leader
    }

    /// Returns the lead that awaits its answer or has given mate, or `None` without a led card.
    #[must_use]
    pub fn lead(&self) -> Option<Lead> {
        self.state.lead
    }

    /// Returns whether either player has used the free move (the right to answer once in rank while
    /// holding the suit).
    #[must_use]
    pub fn free_move_used(&self) -> bool {
        self.state.free_move_used
    }

    /// Returns the number of completed moves in the game. Each move is a lead and its answer.
    #[must_use]
    pub fn moves(&self) -> u8 {
        self.state.moves
    }

    /// Returns the number of the last possible move of the game, given the cards foreplaced so far.
    #[must_use]
    pub fn last_move(&self) -> u8 {
        self.state.last_move(&self.rules)
    }

    /// Returns the seat of the only player who has foreplaced a card, or `None` if there is no such player. The result
    /// is also `None` while a player has not yet chosen.
    #[must_use]
    pub fn sole_foreplacer(&self) -> Option<Seat> {
        match self.phase() {
            Phase::Foreplacing(_) => None,
            Phase::Lead(_) | Phase::Follow(_) | Phase::Over => self.state.sole_foreplacer(),
        }
    }

    /// Returns the current phase of the game, with the seat to act.
    #[must_use]
    pub fn phase(&self) -> Phase {
        if self.mate().is_some() { Phase::Over } else { self.state.phase(&self.rules) }
    }

    /// Returns the seat to act, or `None` if the game is over.
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        self.phase().to_act()
    }

    /// Returns the mate that the current lead gives, or `None` without a current lead that gives mate.
    #[must_use]
    pub fn mate(&self) -> Option<Mate> {
        let lead = self.state.lead?;
        if !self.answers()?.forced.is_empty() {
            return None;
        }
        let foreplaced = self.state.foreplaced.map(Foreplaced::is_card);
        Some(self.rules.mate(self.state.leader, lead.card, self.state.moves + 1, foreplaced))
    }

    /// Returns the mate that a given action would give immediately, or `None` if the action gives no mate.
    ///
    /// ```
    /// use overmate_rules::RuleSet;
    /// let rules = RuleSet::named("sackson")?.shared();
    /// let position = rules.read_position("AcTcQs/AhKh7d first -/- - -")?.validate(&rules)?;
    /// let points = |text| Some(position.mate_by(rules.read_action(text).ok()?)?.points());
    /// assert_eq!(points("Qs"), Some(3 * 8));
    /// assert_eq!(points("Ac"), None);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mate_by(&self, action: Action) -> Option<Mate> {
        self.clone().play(action).ok()?.mate()
    }

    /// Returns the outcome of the game, or `None` for an unfinished game.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(mate) = self.mate() {
            return Some(Outcome::Mate(mate));
        }
        match self.phase() {
            Phase::Over => Some(Outcome::Draw),
            Phase::Foreplacing(_) | Phase::Lead(_) | Phase::Follow(_) => None,
        }
    }

    pub(crate) fn answers(&self) -> Option<Answers> {
        self.state.answers_now(&self.rules)
    }

    /// Returns an iterator over the distinct legal actions, in a fixed (canonical) order. The
    /// iterator is empty when the game is over.
    ///
    /// ```
    /// use overmate_rules::{Deal, Position, RuleSet};
    /// let rules = RuleSet::named("bga")?.shared();
    /// let position = Position::start(&Deal::numbered(&rules, 0)?);
    /// assert_eq!(position.legal_actions().len(), 10);
    /// let texts: Vec<String> =
    ///     position.legal_actions().take(2).map(|a| rules.action_text(a).to_string()).collect();
    /// assert_eq!(texts, ["Ac", "Tc"]);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn legal_actions(&self) -> LegalActions<'_> {
        LegalActions::new(&self.rules, &self.state, self.phase())
    }

    /// Returns an iterator over the distinct legal actions with the position after each action, in the order of
    /// [`legal_actions`](Self::legal_actions).
    ///
    /// ```
    /// use overmate_rules::{Deal, Position, RuleSet};
    /// let rules = RuleSet::named("bga")?.shared();
    /// let position = Position::start(&Deal::numbered(&rules, 0)?);
    /// let (action, next) = position.successors().next().expect("the game goes on");
    /// assert_eq!(Some(action), position.legal_actions().next());
    /// assert_eq!(next, position.play(action)?);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn successors(&self) -> impl ExactSizeIterator<Item = (Action, Self)> + '_ {
        self.legal_actions().map(|action| {
            let mut next = self.clone();
            next.carry_out(action);
            (action, next)
        })
    }

    /// Returns the positions after each legal answer to the current lead, or only the position itself if no lead awaits an answer.
    fn ends_of_move(&self) -> Vec<Self> {
        match self.phase() {
            Phase::Follow(_) => self.successors().map(|(_, end)| end).collect(),
            Phase::Foreplacing(_) | Phase::Lead(_) | Phase::Over => alloc::vec![self.clone()],
        }
    }

    /// Returns whether a seat wins the current move against every legal answer. Without a lead that awaits an answer, returns whether
    /// the seat leads the next move.
    ///
    /// ```
    /// use overmate_rules::{RuleSet, Seat};
    /// let rules = RuleSet::named("sackson")?.shared();
    /// let position = rules.read_position("AcKcQs/AhTc7d first -/- - -")?.validate(&rules)?;
    /// let ace = position.clone().play(rules.read_action("Ac")?)?;
    /// let king = position.play(rules.read_action("Kc")?)?;
    /// assert!(ace.wins_move(Seat::First) && !king.wins_move(Seat::First));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn wins_move(&self, seat: Seat) -> bool {
        self.ends_of_move().iter().all(|end| end.leader() == seat)
    }

    /// Returns a card with which a seat can give mate by the next lead, or `None` if there is no such card. If a lead awaits its answer,
    /// any legal answer that lets the seat lead next is considered. Of several cards, the first in the order of the legal actions is
    /// returned.
    ///
    /// ```
    /// use overmate_rules::{RuleSet, Seat};
    /// let rules = RuleSet::named("sackson")?.shared();
    /// let position = rules.read_position("AcTcQs/AhKh7d first -/- - -")?.validate(&rules)?;
    /// assert_eq!(position.mating_card(Seat::First), rules.read_action("Tc")?.card());
    /// assert_eq!(position.mating_card(Seat::Second), None);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mating_card(&self, seat: Seat) -> Option<Card> {
        let ends = self.ends_of_move();
        let leads =
            ends.iter().filter(|end| end.phase() == Phase::Lead(seat)).flat_map(Self::successors);
        leads.filter(|(_, led)| led.mate().is_some()).find_map(|(lead, _)| lead.card())
    }

    /// Checks the legality of an action, and returns the reason if the action is illegal.
    ///
    /// # Errors
    ///
    /// Returns the reason for the illegality of the action.
    pub fn check(&self, action: Action) -> Result<(), Illegal> {
        legality::check(&self.rules, &self.state, self.phase(), action)
    }

    /// Plays an action, and returns the position after the action.
    ///
    /// # Errors
    ///
    /// Returns the unchanged position, and the reason for the illegality of the action.
    pub fn play(mut self, action: Action) -> Result<Self, PlayError<Self>> {
        match self.check(action) {
            Ok(()) => {
                self.carry_out(action);
                Ok(self)
            }
            Err(illegal) => Err(PlayError::new(self, illegal)),
        }
    }

    /// Executes an action whose legality the caller has checked.
    pub(crate) fn carry_out(&mut self, action: Action) {
        self.state.carry_out(&self.rules, action);
    }

    /// Returns the hands of both seats.
    #[must_use]
    pub fn hands(&self) -> BySeat<CardSet> {
        self.state.hands
    }

    /// Returns the cards in a seat's hand, sorted by suit and rank from high to low.
    #[must_use]
    pub fn hand_cards(&self, seat: Seat) -> Vec<Card> {
        self.rules.deck().cards_of(self.hand(seat)).collect()
    }
}
