//! Reconstructs the public states of a game (without the hidden cards) from a player's view.

use overmate_rules::{
    Action, BySeat, Card, CardSet, Face, Foreplaced, Game, Phase, Seat, Seen, View, Viewer,
};
use overmate_solver::MAX_TABLE_HAND;

use crate::public_game::cards::{HandCards, bits, set_of};
use crate::public_game::state::{PublicState, Successor, TypedAction};

/// Returns whether it is the viewer's turn in a game in which a card is or may be face down.
///
/// In such a game the values with open cards do not show the best action.
pub(crate) fn has_hidden_card(view: &View) -> bool {
    let face_down = view.rules().foreplacing().is_some_and(|f| f.face == Face::Down);
    let hidden = Seat::BOTH
        .into_iter()
        .any(|seat| matches!(view.foreplaced(seat), Foreplaced::FaceDown | Foreplaced::Card(_)));
    let foreplacing = matches!(view.phase(), Phase::Foreplacing(_));
    face_down && (hidden || foreplacing) && view.legal_actions().len() > 0
}

/// Sequence of the public states of a game, from the first lead to the current state.
///
/// With a deck of more than 20 cards the history begins at the first lead with at most [`MAX_TABLE_HAND`] cards a hand.
pub(crate) struct History {
    /// Hand of each seat in the first public state, including a face-down card.
    pub(crate) hands: BySeat<CardSet>,
    #[cfg(test)]
    cards: HandCards,
    /// Earlier public states of the game in order, each with the action that followed.
    pub(crate) steps: Vec<(PublicState, TypedAction)>,
    /// Current public state of the game.
    pub(crate) now: PublicState,
    /// Index of the viewer's face-down card in the viewer's hand, or [`NO_TYPE`] if the viewer has
    /// no face-down card.
    pub(crate) own: u32,
}

/// Placeholder for the index of a face-down card, for a seat without a face-down card.
pub(crate) const NO_TYPE: u32 = 0;

impl History {
    /// Reconstructs the public states of a game from a player's view. Returns `None` if the
    /// reconstruction is impossible.
    ///
    /// Returns `None` for a spectator's view, during foreplacing, after the end of the game, or if the hands are still too
    /// large.
    pub(crate) fn of(view: &View) -> Option<Self> {
        let Viewer::Seat(viewer) = view.viewer() else { return None };
        view.to_act()?;
        let hides = BySeat::new_with(|seat| view.foreplaced(seat).is_card());
        // Public states do not depend on the opponent's actual face-down card, so any possible card can stand for this card.
        let other = view.candidates(!viewer).first().copied();
        let game = view.imagine(BySeat::new_with(|seat| other.filter(|_| seat != viewer)))?;
        let hidden = BySeat::new_with(|seat| match game.position().foreplaced(seat) {
            Foreplaced::Card(card) => Some(card),
            Foreplaced::Undecided | Foreplaced::Nothing | Foreplaced::FaceDown => None,
        });
        let begin = (2..=view.actions().len()).find(|done| {
            let position = game.after(*done).position().clone();
            let hands = Seat::BOTH.map(|seat| position.hand(seat).len() + u32::from(hides[seat]));
            position.lead().is_none()
                && hands.into_iter().all(|len| len <= u32::from(MAX_TABLE_HAND))
        })?;
        let (hands, cards, start) = start(&game, begin, hidden)?;
        let own = hidden[viewer].map_or(Some(NO_TYPE), |card| cards.kind(viewer, card))?;
        let mut now = start;
        let mut steps = Vec::new();
        for seen in &view.actions()[begin..] {
            let Seen::Action(action) = *seen else { return None };
            let mut actions = now.actions(&cards).into_iter();
            let taken = actions.find(|a| now.rules_action(&cards, a.action) == action)?;
            let Successor::State(next) = now.after(&cards, taken) else { return None };
            steps.push((now, taken));
            now = next;
        }
        Some(Self {
            hands,
            #[cfg(test)]
            cards,
            steps,
            now,
            own,
        })
    }
}

#[cfg(test)]
impl History {
    /// Returns the cards of both hands, to which the card indices in the public states refer.
    pub(crate) fn cards(&self) -> &HandCards {
        &self.cards
    }
}

/// Returns the public state of a game after its first `begin` actions, together with both hands and the indices of
/// their cards. Returns `None` if a hand or the scores are too large for a value table.
fn start(
    game: &Game,
    begin: usize,
    hidden: BySeat<Option<Card>>,
) -> Option<(BySeat<CardSet>, HandCards, PublicState)> {
    let rules = game.rules();
    let position = game.after(begin).position().clone();
    let hands = BySeat::new_with(|seat| {
        let hand = position.hand(seat);
        // The face-down card is put back into its owner's hand. If the deck has identical copies of the card, any copy outside of this hand
        // is suitable.
        let copy = hidden[seat].and_then(|card| (rules.deck().slots_of(card) - hand).first_slot());
        copy.map_or(hand, |slot| hand | CardSet::of_slot(slot))
    });
    let cards = HandCards::new(rules, hands)?;
    let mut state = PublicState::start(&cards, hidden.map(|card| card.is_some()));
    for seat in Seat::BOTH {
        let possible = bits(state.types[seat]).filter(|t| {
            let mut cards_down = hidden;
            cards_down[seat] = Some(cards.card(seat, *t));
            is_possible(game, begin, cards_down)
        });
        state.types[seat] = set_of(possible);
    }
    state.leader = position.leader();
    state.free = rules.free_move() && !position.free_move_used();
    Some((hands, cards, state))
}

/// Returns whether the first `begin` actions of a game are possible if the cards in `hidden` lie
/// face down. The actions must be legal and must not end the game.
fn is_possible(game: &Game, begin: usize, hidden: BySeat<Option<Card>>) -> bool {
    let mut imagined = Game::new(game.dealt().clone());
    for &action in &game.actions()[..begin] {
        let action = match action {
            Action::Foreplace(card) => {
                let face_down = imagined.to_act().and_then(|seat| hidden[seat]);
                Action::Foreplace(face_down.unwrap_or(card))
            }
            Action::Decline | Action::Play(_) | Action::Demand(_) | Action::Free(_) => action,
        };
        match imagined.play(action) {
            Ok(next) => imagined = next,
            Err(_) => return false,
        }
    }
    imagined.outcome().is_none()
}
