//! Computes the possible answers to a lead, and the winner of a move.

use overmate_rules::{Action, CardSet, Lead, Position, RuleSet, Seat};

use super::forms::AnswersWire;

/// Returns the follower's cards that can legally answer a lead.
pub(super) fn answers(
    rules: &RuleSet,
    lead: Lead,
    hand: CardSet,
    free_move_used: bool,
) -> AnswersWire {
    let deck = rules.deck();
    let answers = rules.answers_in_order(lead).answers_of(hand, free_move_used);
    let texts = |cards| deck.distinct(cards).map(|card| crate::card(rules, card)).collect();
    AnswersWire { cards: texts(answers.forced), free_move: texts(answers.free_move) }
}

/// Returns whether an answer wins the move for the follower.
pub(super) fn wins(position: &Position, seat: Seat, answer: Action) -> bool {
    position.clone().play(answer).is_ok_and(|after| after.leader() == seat)
}
