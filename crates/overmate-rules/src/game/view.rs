//! What one seat, or a spectator, may know of a game.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::cards::{BySeat, Card, CardSet, Seat};
use crate::game::action::Action;
use crate::game::deal::Dealt;
use crate::game::game::Game;
use crate::game::outcome::Outcome;
use crate::game::phase::Phase;
use crate::game::position::Position;
use crate::game::state::{Foreplaced, State};
use crate::rule_set::{Face, Lead, RuleSet};

/// Who looks at a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Viewer {
    /// A player.
    Seat(Seat),
    /// Anybody else.
    Spectator,
}

/// An action as somebody sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Seen {
    /// Seen as it was.
    Action(Action),
    /// A card was foreplaced face down: `(?)`.
    FaceDown,
}

/// A game as one seat or a spectator may see it.
///
/// It differs from the game only while a card lies face down and is not the viewer's own. It is made
/// of the deal and of the actions with that card masked, and holds nothing else, so nothing in it can
/// tell the card before the game ends; then everything is shown.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct View {
    viewer: Viewer,
    dealt: Dealt,
    seen: Vec<Seen>,
    state: State,
    outcome: Option<Outcome>,
}

impl Game {
    /// What somebody may know of this game.
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
    /// The rule set.
    #[must_use]
    pub fn rules(&self) -> &Arc<RuleSet> {
        self.dealt.rules()
    }

    /// Whose view it is.
    #[must_use]
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// The deal, which all know.
    #[must_use]
    pub fn dealt(&self) -> &Dealt {
        &self.dealt
    }

    /// What was done so far, as the viewer saw it.
    #[must_use]
    pub fn actions(&self) -> &[Seen] {
        &self.seen
    }

    /// How the game ended, if it is over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// What is to be done next, and by whom.
    #[must_use]
    pub fn phase(&self) -> Phase {
        if self.outcome.is_some() { Phase::Over } else { self.state.phase(self.rules()) }
    }

    /// Whose turn it is, if the game goes on.
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        self.phase().to_act()
    }

    /// The cards that a seat may hold. If [`hides_card`](Self::hides_card) is true of the seat, one of them is
    /// not held but lies face down: one of the [`candidates`](Self::candidates). Identical cards may lie in other slots
    /// than in the game, where those of a hidden card are settled too.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> CardSet {
        self.state.hands[seat]
    }

    /// Whether a card of this seat lies face down and is unknown to the viewer.
    #[must_use]
    pub fn hides_card(&self, seat: Seat) -> bool {
        self.state.foreplaced[seat] == Foreplaced::FaceDown
    }

    /// What a seat has foreplaced, as far as the viewer knows.
    #[must_use]
    pub fn foreplaced(&self, seat: Seat) -> Foreplaced {
        self.state.foreplaced[seat]
    }

    /// Who leads, or led, to the present move.
    #[must_use]
    pub fn leader(&self) -> Seat {
        self.state.leader
    }

    /// The card that was led and not answered yet, or that gave mate.
    #[must_use]
    pub fn lead(&self) -> Option<Lead> {
        self.state.lead
    }

    /// How many moves are complete.
    #[must_use]
    pub fn moves(&self) -> u8 {
        self.state.moves
    }

    /// Whether the free move has been used.
    #[must_use]
    pub fn free_move_used(&self) -> bool {
        self.state.free_move_used
    }

    /// The viewer's legal actions, from the view alone; empty when it is not his turn.
    #[must_use]
    pub fn legal_actions(&self) -> Vec<Action> {
        match (self.viewer, self.to_act()) {
            (Viewer::Seat(viewer), Some(seat)) if viewer == seat => {
                self.as_position().legal_actions()
            }
            _ => Vec::new(),
        }
    }

    /// The cards that may lie face down before this seat: those with which everything that was seen is legal.
    /// Empty unless [`hides_card`](Self::hides_card).
    #[must_use]
    pub fn candidates(&self, seat: Seat) -> Vec<Card> {
        if !self.hides_card(seat) {
            return Vec::new();
        }
        let deck = self.rules().deck();
        let dealt = deck.distinct(self.dealt.hands()[seat]);
        dealt.filter(|card| self.is_possible(seat, *card)).collect()
    }

    /// The game as it would be if these cards lay face down. Cards of seats that hide none are not asked for.
    ///
    /// `None` if what was seen would not be legal then.
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
        // A mate would have ended the game and shown the card.
        (game.outcome().is_some() == self.outcome.is_some()).then_some(game)
    }

    /// Whether the seat's own actions are all legal if this card lies face down before it. What the other
    /// seat hides does not matter for that.
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
        // If the seat could not answer now, it would be mate, and the card shown.
        let must_answer = position.state().phase(rules) == Phase::Follow(seat);
        !must_answer || position.answers().is_some_and(|answers| !answers.forced.is_empty())
    }

    fn as_position(&self) -> Position {
        Position::from_state(Arc::clone(self.rules()), self.state)
    }
}
