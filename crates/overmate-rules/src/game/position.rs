//! Positions of a game, which hold everything that affects the rest of the game but not the earlier
//! actions.

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

/// Valid position of a game, with everything that affects the rest of the game but without the
/// earlier actions.
///
/// ```
/// use overmate_rules::{Deal, Phase, Position, RuleSet, Seat};
///
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
/// Two positions are equal if their rule sets are equal and no player can tell the positions apart. The actions
/// before make no difference, nor does the choice between identical cards.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Position {
    rules: Arc<RuleSet>,
    state: PositionState,
}

impl Position {
    /// Returns the position at the start of a game of the given deal.
    #[must_use]
    pub fn start(dealt: &Dealt) -> Self {
        let rules = dealt.rules();
        Self { rules: Arc::clone(rules), state: PositionState::start(rules, dealt.hands()) }
    }

    /// Makes a position from a rule set and a game state that the caller has checked to be valid.
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

    /// Returns the cards that the player in a given seat holds now.
    ///
    /// For the last move, the hand of a sole foreplacer holds the repeated card.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> CardSet {
        self.state.hands[seat]
    }

    /// Returns the choice of a seat about setting a card aside (foreplacing): the card, declined, or not yet made.
    #[must_use]
    pub fn foreplaced(&self, seat: Seat) -> Foreplaced {
        self.state.foreplaced[seat]
    }

    /// Returns the seat of the player who leads, or has led, in the current move.
    #[must_use]
    pub fn leader(&self) -> Seat {
        self.state.leader
    }

    /// Returns the lead of the current move, which awaits its answer or has given mate, or `None` if no card is led.
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

    /// Returns the number of moves completed so far, each of which is a lead and its answer.
    #[must_use]
    pub fn moves(&self) -> u8 {
        self.state.moves
    }

    /// Returns the number of the last move that the game can have, which depends on the cards foreplaced (set aside) so far.
    #[must_use]
    pub fn last_move(&self) -> u8 {
        self.state.last_move(&self.rules)
    }

    /// Returns the only seat that set a card aside (foreplaced), or `None` if both seats or neither seat did, or if a choice is still open.
    #[must_use]
    pub fn sole_foreplacer(&self) -> Option<Seat> {
        match self.phase() {
            Phase::Foreplacing(_) => None,
            Phase::Lead(_) | Phase::Follow(_) | Phase::Over => self.state.sole_foreplacer(),
        }
    }

    /// Returns the current phase of the game, such as leading or following, with the seat that acts
    /// next.
    #[must_use]
    pub fn phase(&self) -> Phase {
        if self.mate().is_some() { Phase::Over } else { self.state.phase(&self.rules) }
    }

    /// Returns the seat that acts next, or `None` if the game is over.
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        self.phase().to_act()
    }

    /// Returns the mate that the current lead gives, or `None` without a lead or if the lead can be
    /// answered.
    #[must_use]
    pub fn mate(&self) -> Option<Mate> {
        let lead = self.state.lead?;
        if !self.answers()?.forced.is_empty() {
            return None;
        }
        let foreplaced = self.state.foreplaced.map(Foreplaced::is_card);
        Some(self.rules.mate(self.state.leader, lead.card, self.state.moves + 1, foreplaced))
    }

    /// Returns the mate that an action gives at once, or `None` if the action gives no mate or is not legal.
    ///
    /// ```
    /// use overmate_rules::RuleSet;
    ///
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

    /// Returns the outcome of the game, mate or draw, or `None` while the game goes on.
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

    /// Returns an iterator over the legal actions of the position, each once and in a fixed
    /// (canonical) order. The iterator is empty when the game is over.
    ///
    /// ```
    /// use overmate_rules::{Deal, Position, RuleSet};
    ///
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

    /// Checks whether an action is legal in this position, and returns the reason if the action is
    /// illegal.
    ///
    /// # Errors
    ///
    /// Returns the reason why the action is not legal.
    pub fn check(&self, action: Action) -> Result<(), Illegal> {
        legality::check(&self.rules, &self.state, self.phase(), action)
    }

    /// Plays an action and returns the position after the action.
    ///
    /// # Errors
    ///
    /// Returns the unchanged position and the reason why the action is not legal.
    pub fn play(mut self, action: Action) -> Result<Self, PlayError<Self>> {
        match self.check(action) {
            Ok(()) => {
                self.carry_out(action);
                Ok(self)
            }
            Err(illegal) => Err(PlayError::new(self, illegal)),
        }
    }

    /// Carries out an action that the caller has checked to be legal.
    pub(crate) fn carry_out(&mut self, action: Action) {
        self.state.carry_out(&self.rules, action);
    }

    /// Returns the cards that each seat holds now.
    #[must_use]
    pub fn hands(&self) -> BySeat<CardSet> {
        self.state.hands
    }

    /// Returns the cards that the player in a given seat holds, sorted by suit and then by rank
    /// from high to low.
    #[must_use]
    pub fn hand_cards(&self, seat: Seat) -> Vec<Card> {
        self.rules.deck().cards_of(self.hand(seat)).collect()
    }
}
