//! From a view to what both players know: the spots of a game so far.

use overmate_rules::{Action, BySeat, Card, CardSet, Foreplaced, Game, Seat, Seen, View, Viewer};
use overmate_solver::MAX_TABLE_HAND;

use crate::public_game::cards::{HandCards, bits};
use crate::public_game::state::{PublicState, Successor, TypedAction};

/// A game after foreplacing as both players know it, from the first lead on or, with a larger deck, from the first lead with
/// few enough cards.
pub(crate) struct History {
    /// The cards that count: those not played when it begins, the ones that lie face down among them.
    pub(crate) hands: BySeat<CardSet>,
    #[cfg(test)]
    cards: HandCards,
    /// Each spot, and what was done there as far as both saw it.
    pub(crate) steps: Vec<(PublicState, TypedAction)>,
    /// How it stands.
    pub(crate) now: PublicState,
    /// The type of the viewer; [`NO_TYPE`] if he did not foreplace.
    pub(crate) own: u32,
}

/// The type of a seat that did not foreplace.
pub(crate) const NO_TYPE: u32 = 0;

impl History {
    /// What a player's view tells; `None` if it is not a player's, if foreplacing is not over or the game is, or with too many cards.
    pub(crate) fn of(view: &View) -> Option<Self> {
        let Viewer::Seat(viewer) = view.viewer() else { return None };
        view.to_act()?;
        let hides = BySeat::new_with(|seat| view.foreplaced(seat).is_card());
        // Any card will do for the other: what both know is the same with each of them.
        let other = view.candidates(!viewer).first().copied();
        let game = view.imagine(BySeat::new_with(|seat| other.filter(|_| seat != viewer)))?;
        let hidden = BySeat::new_with(|seat| match game.position().foreplaced(seat) {
            Foreplaced::Card(card) => Some(card),
            _ => None,
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
            let branch =
                now.branches(&cards).into_iter().find(|b| now.action(&cards, b.act) == action)?;
            let Successor::PublicState(next) = now.after(&cards, branch) else { return None };
            steps.push((now, branch));
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
    pub(crate) fn cards(&self) -> &HandCards {
        &self.cards
    }
}

/// The cards and the spot after the first actions of a game in which these cards lie face down.
fn start(
    game: &Game,
    begin: usize,
    hidden: BySeat<Option<Card>>,
) -> Option<(BySeat<CardSet>, HandCards, PublicState)> {
    let rules = game.rules();
    let position = game.after(begin).position().clone();
    let hands = BySeat::new_with(|seat| {
        let hand = position.hand(seat);
        // Identical cards need not lie where the deck has them: only what they show is read.
        let copy =
            hidden[seat].and_then(|card| rules.deck().slots_of(card).without(hand).first_slot());
        copy.map_or(hand, |slot| hand.or(CardSet::of_slot(slot)))
    });
    let cards = HandCards::new(rules, hands)?;
    let mut spot = PublicState::start(&cards, hidden.map(|card| card.is_some()));
    for seat in Seat::BOTH {
        let possible = bits(spot.types[seat]).filter(|t| {
            let mut cards_down = hidden;
            cards_down[seat] = Some(cards.card(seat, *t));
            is_possible(game, begin, cards_down)
        });
        spot.types[seat] = possible.fold(0, |types, t| types | 1 << t);
    }
    spot.leader = position.leader();
    spot.free = rules.free_move() && !position.free_move_used();
    Some((hands, cards, spot))
}

/// Whether the first actions would have been legal, and the game not over, with these cards face down.
fn is_possible(game: &Game, begin: usize, hidden: BySeat<Option<Card>>) -> bool {
    let mut imagined = Game::new(game.dealt().clone());
    for &action in &game.actions()[..begin] {
        let action = match (action, imagined.to_act().and_then(|seat| hidden[seat])) {
            (Action::Foreplace(_), Some(card)) => Action::Foreplace(card),
            _ => action,
        };
        match imagined.play(action) {
            Ok(next) => imagined = next,
            Err(_) => return false,
        }
    }
    imagined.outcome().is_none()
}
