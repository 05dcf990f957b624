//! Computes the contents of the board: the holder of each card, the row and column of a led card, possible mates, and winning answers.

use overmate_rules::{Action, BySeat, Card, CardSet, Foreplaced, Lead, Mate, Phase};

use super::app::{CursorTarget, ShownMoment};

/// State of the row or column of a led card: whether the follower can answer with cards of this row or column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arm {
    /// The follower has a legal answer, other than a free move, in this row or column of the board.
    Answers,
    /// The follower has legal answers, but none of them, except free moves, lies in the given row or column of the led card.
    Idle,
    /// The follower cannot answer the led card at all: the lead gives mate.
    Empty,
}

/// Row and column (cross) of a led card on the board, which contain all answers to the lead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cross {
    pub(super) card: Card,
    /// Whether the led card is a card of the human, not of the opponent.
    pub(super) is_own: bool,
    pub(super) row: Arm,
    pub(super) column: Arm,
    /// Cards with which the follower can answer the led card, either by the usual rules or as a free move.
    answers: CardSet,
}

/// Effect of playing a card: the answer wins or loses the move, or the lead gives mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// The answer wins the move.
    Wins,
    /// The answer loses the move.
    Loses,
    /// The lead gives mate for the given number of points.
    Mate(i32),
}

/// Location of a player's card: in hand, led, or possibly face down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Hand,
    /// The card is led in the current move.
    Led,
    /// Unknown location: the card is in the player's hand, or is the card that the player foreplaced face down.
    MayBeFaceDown,
}

/// Identical cards of one player that lie in one cell of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lying {
    pub(super) is_own: bool,
    /// Number of identical cards of one player in a cell of the board, including a led card.
    pub(super) count: u32,
    pub(super) place: Place,
    /// Whether the cards are drawn faded. Faded cards are the human's cards that cannot be played now, and cards in the
    /// row or column of the led card that are not legal answers. Before a lead, the card under the cursor takes the place
    /// of the led card.
    pub(super) is_faded: bool,
    pub(super) effect: Option<Effect>,
}

/// Contents of a card's cell on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    /// Cards that lie in this cell of the board, the opponent's cards before the human's cards.
    pub(super) lying: Vec<Lying>,
    /// For a board cell that is empty because its card is foreplaced: whether the human (true) or the opponent (false) foreplaced the card.
    /// `None` for all other cells.
    pub(super) foreplaced_by_own: Option<bool>,
    /// For a cell in the row or column of the led card: whether the follower can answer in this row or column. `None` for all other cells.
    pub(super) arm: Option<Arm>,
}

/// Returns the row and column (cross) of the led card or, while the human is to lead, of the card under the cursor.
pub(super) fn cross(snapshot: &ShownMoment, cursor: CursorTarget) -> Option<Cross> {
    let view = &snapshot.view;
    let lead = match (view.lead(), cursor) {
        (Some(lead), _) => lead,
        (None, CursorTarget::Card(card)) if snapshot.legal().contains(&Action::Play(card)) => {
            matches!(view.phase(), Phase::Lead(_)).then_some(Lead { card, demanded: false })?
        }
        (None, CursorTarget::Card(_) | CursorTarget::Decline) => return None,
    };
    let deck = view.rules().deck();
    let tiers = view.rules().answers_in_order(lead);
    let follower = !view.leader();
    let answers = tiers.answers_of(view.hand(follower), view.free_move_used());
    let (suit, rank) = (deck.of_suit(lead.card.suit), deck.of_rank(lead.card.rank));
    let arm = |cards: CardSet| match (answers.forced.is_empty(), cards.is_empty()) {
        (true, _) => Arm::Empty,
        (false, false) => Arm::Answers,
        (false, true) => Arm::Idle,
    };
    Some(Cross {
        card: lead.card,
        is_own: view.leader() == snapshot.own,
        row: arm(answers.forced & suit),
        column: arm(answers.forced & (rank - suit)),
        answers: answers.forced | answers.free_move,
    })
}

impl Cross {
    /// Returns, for a card in the row or column of the led card, whether the follower can answer in this row or column. Returns `None` for
    /// all other cards.
    fn arm(&self, card: Card) -> Option<Arm> {
        if card.suit == self.card.suit {
            Some(self.row)
        } else {
            (card.rank == self.card.rank).then_some(self.column)
        }
    }
}

/// Returns the contents of a card's cell on the board. With `seals`, cards that give mate show the points.
pub(super) fn cell(snapshot: &ShownMoment, cross: Option<&Cross>, card: Card, seals: bool) -> Cell {
    let view = &snapshot.view;
    let slots = view.rules().deck().slots_of(card);
    let lying = [false, true].into_iter().filter_map(|is_own| {
        let seat = if is_own { snapshot.own } else { !snapshot.own };
        let is_led = view.lead().is_some_and(|lead| lead.card == card) && view.leader() == seat;
        let held = view.hand(seat) & slots;
        let count = held.len() + u32::from(is_led);
        let is_answer =
            cross.is_some_and(|cross| cross.is_own != is_own && !(cross.answers & held).is_empty());
        let is_barred = is_own
            && view.to_act() == Some(snapshot.own)
            && !snapshot.is_past
            && snapshot.legal().iter().all(|action| action.card() != Some(card));
        let is_beside_the_point = (is_barred || !is_own || view.lead().is_some())
            && cross.is_some_and(|cross| cross.arm(card).is_some());
        (count > 0).then(|| Lying {
            is_own,
            count,
            place: match (is_led, view.candidates(seat).contains(&card)) {
                (true, _) => Place::Led,
                (false, true) => Place::MayBeFaceDown,
                (false, false) => Place::Hand,
            },
            is_faded: !is_led && !is_answer && (is_barred || is_beside_the_point),
            effect: effect(snapshot, cross, card, is_own, is_answer, seals),
        })
    });
    let lying: Vec<Lying> = lying.collect();
    let out = |is_own| {
        let seat = if is_own { snapshot.own } else { !snapshot.own };
        view.foreplaced(seat) == Foreplaced::Card(card)
    };
    let foreplaced_by_own = [true, false].into_iter().find(|is_own| out(*is_own));
    Cell {
        foreplaced_by_own: foreplaced_by_own.filter(|_| lying.is_empty()),
        arm: cross.and_then(|cross| cross.arm(card)),
        lying,
    }
}

fn effect(
    snapshot: &ShownMoment,
    cross: Option<&Cross>,
    card: Card,
    is_own: bool,
    is_answer: bool,
    seals: bool,
) -> Option<Effect> {
    let view = &snapshot.view;
    let led = cross.filter(|cross| cross.card == card && cross.is_own == is_own);
    if led.is_some_and(|cross| cross.row == Arm::Empty && view.lead().is_some()) {
        return Some(Effect::Mate(mate_by_leader(snapshot, card).points()));
    }
    if is_answer {
        let loses = cross.is_some_and(|cross| cross.card.wins_over(card));
        return Some(if loses { Effect::Loses } else { Effect::Wins });
    }
    let gives_mate = |action: Action| match action {
        Action::Play(own) | Action::Demand(own) if own == card => {
            let lead = Lead { card, demanded: matches!(action, Action::Demand(_)) };
            let tiers = view.rules().answers_in_order(lead);
            tiers.answers_of(view.hand(!snapshot.own), view.free_move_used()).forced.is_empty()
        }
        Action::Play(_)
        | Action::Demand(_)
        | Action::Free(_)
        | Action::Foreplace(_)
        | Action::Decline => false,
    };
    let leads = seals && is_own && matches!(view.phase(), Phase::Lead(_));
    (leads && snapshot.legal().into_iter().any(gives_mate))
        .then(|| Effect::Mate(mate_by_leader(snapshot, card).points()))
}

/// Returns the mate that the leader of the current move gives with `card`, if the follower cannot answer the card.
pub(super) fn mate_by_leader(snapshot: &ShownMoment, card: Card) -> Mate {
    let view = &snapshot.view;
    view.rules().mate(view.leader(), card, view.moves() + 1, foreplaced(snapshot))
}

/// Returns, for each seat, whether its player has set a card aside (foreplaced).
pub(super) fn foreplaced(snapshot: &ShownMoment) -> BySeat<bool> {
    BySeat::new_with(|seat| snapshot.view.foreplaced(seat)).map(Foreplaced::is_card)
}
