//! Checks the legality of actions, and names the reason for an illegal action.

use alloc::string::ToString;

use crate::cards::{Card, CardSet, Seat};
use crate::game::action::Action;
use crate::game::illegal::Illegal;
use crate::game::phase::Phase;
use crate::game::state::{Foreplaced, PositionState};
use crate::rule_set::{Lead, RuleSet};

/// Checks the legality of an action in a given state and phase of a game.
///
/// # Errors
///
/// Returns the reason for the illegality of the action.
pub(crate) fn check(
    rules: &RuleSet,
    state: &PositionState,
    phase: Phase,
    action: Action,
) -> Result<(), Illegal> {
    let deck = rules.deck();
    let Some(seat) = phase.to_act() else {
        return Err(Illegal::GameOver);
    };
    if matches!(action, Action::Decline | Action::Foreplace(_)) && rules.foreplacing().is_none() {
        return Err(Illegal::NoForeplacing);
    }
    if let Some(card) = action.card() {
        if deck.slots_of(card).is_empty() {
            return Err(Illegal::NotInDeck);
        }
        if (state.hands[seat] & deck.slots_of(card)).is_empty() {
            return Err(Illegal::NotHeld { card: deck.card_text(card).to_string() });
        }
    }
    match phase {
        Phase::Foreplacing(_) => check_foreplacing(rules, state, seat, action),
        Phase::Lead(_) => check_lead(rules, action),
        Phase::Follow(_) => check_answer(rules, state, action),
        Phase::Over => Err(Illegal::GameOver),
    }
}

fn check_foreplacing(
    rules: &RuleSet,
    state: &PositionState,
    seat: Seat,
    action: Action,
) -> Result<(), Illegal> {
    let deck = rules.deck();
    match action {
        Action::Decline => Ok(()),
        Action::Foreplace(card) => match foreplacing_bar(rules, state, seat) {
            Some(bar) if bar.suit == card.suit || bar.rank == card.rank => {
                Err(Illegal::ForeplacingRestricted {
                    card: deck.card_text(bar).to_string(),
                    suit: deck.suit_name(bar.suit).to_string(),
                    rank: deck.rank_name(bar.rank).to_string(),
                })
            }
            Some(_) | None => Ok(()),
        },
        Action::Play(_) | Action::Demand(_) | Action::Free(_) => Err(Illegal::ForeplacingFirst),
    }
}

/// Returns the opponent's foreplaced card if the rules forbid the player in `seat` to foreplace a card of the same suit or rank. Returns
/// `None` otherwise.
pub(crate) fn foreplacing_bar(rules: &RuleSet, state: &PositionState, seat: Seat) -> Option<Card> {
    let restricted = rules.foreplacing().is_some_and(|f| f.second_restricted);
    match state.foreplaced[Seat::First] {
        Foreplaced::Card(card) if restricted && seat == Seat::Second => Some(card),
        Foreplaced::Card(_)
        | Foreplaced::Undecided
        | Foreplaced::Nothing
        | Foreplaced::FaceDown => None,
    }
}

fn check_answer(rules: &RuleSet, state: &PositionState, action: Action) -> Result<(), Illegal> {
    let deck = rules.deck();
    let (Some(lead), Some(answers)) = (state.lead, state.answers_now(rules)) else {
        return Err(Illegal::GameOver);
    };
    let card = match action {
        Action::Play(card) | Action::Free(card) => card,
        Action::Demand(_) => return Err(Illegal::DemandWhileFollowing),
        Action::Decline | Action::Foreplace(_) => return Err(Illegal::ForeplacingOver),
    };
    let is_in = |set: CardSet| !(set & deck.slots_of(card)).is_empty();
    let is_free = matches!(action, Action::Free(_));
    if is_free && !rules.free_move() {
        Err(Illegal::NoFreeMove)
    } else if is_free && is_in(answers.forced) {
        Err(Illegal::FreeMoveNotNeeded { card: deck.card_text(card).to_string() })
    } else if is_free && state.free_move_used {
        Err(Illegal::FreeMoveUsed)
    } else if is_in(if is_free { answers.free_move } else { answers.forced }) {
        Ok(())
    } else if is_free {
        Err(Illegal::NeitherSuitNorRank {
            card: deck.card_text(card).to_string(),
            suit: deck.suit_name(lead.card.suit).to_string(),
            rank: deck.rank_name(lead.card.rank).to_string(),
        })
    } else {
        Err(must_answer(rules, lead, answers.forced))
    }
}

/// Returns the reason why an answer outside the set `forced` of legal answers is illegal.
fn must_answer(rules: &RuleSet, lead: Lead, forced: CardSet) -> Illegal {
    let deck = rules.deck();
    let suit = deck.suit_name(lead.card.suit).to_string();
    let rank = deck.rank_name(lead.card.rank).to_string();
    let in_suit = !(forced & deck.of_suit(lead.card.suit)).is_empty();
    let in_rank = !(forced & deck.of_rank(lead.card.rank)).is_empty();
    if rules.rank_comes_first(lead.card, lead.demanded) {
        if in_rank {
            Illegal::MustAnswerPrivilege { rank }
        } else {
            Illegal::MustFollowSuitOfPrivilege { rank, suit }
        }
    } else if in_suit {
        Illegal::MustFollowSuit { suit }
    } else {
        Illegal::MustFollowRank { suit, rank }
    }
}

fn check_lead(rules: &RuleSet, action: Action) -> Result<(), Illegal> {
    match action {
        Action::Play(_) => Ok(()),
        Action::Demand(card) if rules.may_demand(card) => Ok(()),
        Action::Demand(card) => {
            Err(Illegal::NothingToDemand { card: rules.deck().card_text(card).to_string() })
        }
        Action::Free(_) => Err(Illegal::FreeWhileLeading),
        Action::Decline | Action::Foreplace(_) => Err(Illegal::ForeplacingOver),
    }
}
