//! Defines the view of a game by an observer (player or spectator), with hidden face-down cards.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::cards::{BySeat, Card, CardSet, Seat};
use crate::game::action::Action;
use crate::game::deal::Dealt;
use crate::game::game::Game;
use crate::game::legal_actions::LegalActions;
use crate::game::outcome::Outcome;
use crate::game::phase::Phase;
use crate::game::position::Position;
use crate::game::state::{Foreplaced, PositionState};
use crate::rule_set::{Face, Lead, RuleSet};

/// Observer of a game: one of the players, or a spectator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Viewer {
    /// Player in the given seat, who sees their own face-down card.
    Seat(Seat),
    /// Spectator, who sees no face-down card before the game ends.
    Spectator,
}

/// Action in an observer's view of a game. The card of the action is missing if it is foreplaced and hidden from the observer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Seen {
    /// Action with a visible card.
    Action(Action),
    /// Foreplacing of a card that is hidden from the observer, written `(?)`.
    FaceDown,
}

/// View of a game by an observer, without face-down cards that are hidden from the observer.
///
/// A view differs from its game only while a face-down card is hidden from the observer. A view is
/// made of the deal and of the actions with that card masked, and holds nothing else, so that no
/// part of a view reveals the card before the game ends. At the end all cards are shown.
///
/// ```
/// use overmate_rules::{Deal, Game, RuleSet, Seat, Viewer};
/// let rules = RuleSet::named("denexa")?.shared();
/// let game = Game::new(Deal::numbered(&rules, 60_417)?).play(rules.read_action("(Qh)")?)?;
/// let view = game.view(Viewer::Seat(Seat::Second));
/// assert_eq!(view.to_string(), "(?)");
/// assert_eq!(view.candidates(Seat::First).len(), 10);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct View {
    viewer: Viewer,
    dealt: Dealt,
    seen: Vec<Seen>,
    state: PositionState,
    outcome: Option<Outcome>,
}

impl Game {
    /// Returns the view of the game for an observer.
    #[must_use]
    pub fn view(&self, viewer: Viewer) -> View {
        let rules = self.rules();
        let outcome = self.outcome();
        let face_down = rules.foreplacing().is_some_and(|f| f.face == Face::Down);
        let mut state = *Position::start(self.dealt()).state();
        let mut seen = Vec::new();
        for &action in self.actions() {
            let owner = state.phase(rules).to_act();
            let hidden = face_down
                && outcome.is_none()
                && matches!(action, Action::Foreplace(_))
                && owner.map(Viewer::Seat) != Some(viewer);
            if let (true, Some(owner)) = (hidden, owner) {
                state.foreplace(rules, owner, Foreplaced::FaceDown);
                seen.push(Seen::FaceDown);
            } else {
                state.carry_out(rules, action);
                seen.push(Seen::Action(action));
            }
        }
        View { viewer, dealt: self.dealt().clone(), seen, state, outcome }
    }
}

impl View {
    /// Returns the rule set of the game.
    #[must_use]
    pub fn rules(&self) -> &Arc<RuleSet> {
        self.dealt.rules()
    }

    /// Returns the observer for whom the view was made.
    #[must_use]
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// Returns the deal of the game, which all observers know.
    #[must_use]
    pub fn dealt(&self) -> &Dealt {
        &self.dealt
    }

    /// Returns the actions of the game so far, as the observer has seen them.
    #[must_use]
    pub fn actions(&self) -> &[Seen] {
        &self.seen
    }

    /// Returns the outcome of the game, or `None` for an unfinished game.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Returns the current phase of the game, with the seat to act.
    #[must_use]
    pub fn phase(&self) -> Phase {
        if self.outcome.is_some() { Phase::Over } else { self.state.phase(self.rules()) }
    }

    /// Returns the seat to act, or `None` if the game is over.
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        self.phase().to_act()
    }

    /// Returns the cards in a seat's hand, plus any face-down card of the seat that is hidden from the observer.
    ///
    /// If [`hides_card`](Self::hides_card) is true of the seat, one of the
    /// [`candidates`](Self::candidates) lies face down. Identical cards may have other indices in the view than in the game.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> CardSet {
        self.state.hands[seat]
    }

    /// Returns whether a seat has foreplaced a face-down card that the observer does not know.
    #[must_use]
    pub fn hides_card(&self, seat: Seat) -> bool {
        self.state.foreplaced[seat] == Foreplaced::FaceDown
    }

    /// Returns the state of a seat's foreplacing: undecided, declined, or with a known or hidden card.
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

    /// Returns the number of completed moves in the game. Each move is a lead and its answer.
    #[must_use]
    pub fn moves(&self) -> u8 {
        self.state.moves
    }

    /// Returns whether either player has used the free move (the right to answer once in rank while
    /// holding the suit).
    #[must_use]
    pub fn free_move_used(&self) -> bool {
        self.state.free_move_used
    }

    /// Returns the legal actions of the player who sees this view of the game. The iterator is empty if it is not this player's turn, and
    /// for a spectator.
    #[must_use]
    pub fn legal_actions(&self) -> LegalActions<'_> {
        if self.to_act().map(Viewer::Seat) == Some(self.viewer) {
            LegalActions::new(self.rules(), &self.state, self.phase())
        } else {
            LegalActions::none(self.rules())
        }
    }

    /// Returns the candidates for a seat's face-down card: the cards dealt to the seat that are consistent with the seat's observed
    /// actions.
    ///
    /// The list is empty unless [`hides_card`](Self::hides_card) is true of the seat.
    #[must_use]
    pub fn candidates(&self, seat: Seat) -> Vec<Card> {
        if !self.hides_card(seat) {
            return Vec::new();
        }
        let deck = self.rules().deck();
        let dealt = deck.distinct(self.dealt.hands()[seat]);
        dealt.filter(|card| self.is_possible(seat, *card)).collect()
    }

    /// Returns the game with the given cards in place of the hidden face-down cards, or `None` if such a game is impossible. Cards of
    /// seats that hide no card are ignored.
    ///
    /// Returns `None` if an observed action would be illegal in that game.
    ///
    /// ```
    /// use overmate_rules::{BySeat, Deal, Game, RuleSet, Seat, Viewer};
    /// let rules = RuleSet::named("denexa")?.shared();
    /// let game = Game::new(Deal::numbered(&rules, 60_417)?).play(rules.read_action("(Qh)")?)?;
    /// let view = game.view(Viewer::Seat(Seat::Second));
    /// for card in view.candidates(Seat::First) {
    ///     let imagined = view.imagine(BySeat { first: Some(card), second: None });
    ///     assert_eq!(imagined.map(|game| game.view(view.viewer())), Some(view.clone()));
    /// }
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn imagine(&self, hidden: BySeat<Option<Card>>) -> Option<Game> {
        let mut game = Game::new(self.dealt.clone());
        for &seen in &self.seen {
            let action = match seen {
                Seen::Action(action) => action,
                Seen::FaceDown => Action::Foreplace(hidden[game.to_act()?]?),
            };
            game = game.play(action).ok()?;
        }
        if let Some(Outcome::Resigned { by }) = self.outcome {
            game = game.resign(by).ok()?;
        }
        // A mate ends a game and shows the face-down cards. The imagined game is therefore impossible if it is over but the observed game
        // is not.
        (game.outcome().is_some() == self.outcome.is_some()).then_some(game)
    }

    /// Returns whether a seat's observed actions are consistent with the assumption that the seat foreplaced `card` face down.
    ///
    /// The hidden card of the other seat is irrelevant.
    fn is_possible(&self, seat: Seat, card: Card) -> bool {
        let rules = self.rules();
        let mut position = Position::start(&self.dealt);
        for &seen in &self.seen {
            let turn = position.state().phase(rules).to_act();
            let mut state = *position.state();
            match (seen, turn) {
                (Seen::FaceDown, Some(owner)) => {
                    let what =
                        if owner == seat { Foreplaced::Card(card) } else { Foreplaced::FaceDown };
                    state.foreplace(rules, owner, what);
                }
                (Seen::Action(action), turn) => {
                    if turn == Some(seat) && position.check(action).is_err() {
                        return false;
                    }
                    state.carry_out(rules, action);
                }
                (Seen::FaceDown, None) => return false,
            }
            position = Position::from_state(Arc::clone(rules), state);
        }
        // A seat that must answer a lead, but has no legal answer, would be mated. The mate would have ended the game and shown the card.
        let must_answer = position.state().phase(rules) == Phase::Follow(seat);
        !must_answer || position.answers().is_some_and(|answers| !answers.forced.is_empty())
    }
}
