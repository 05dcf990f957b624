//! Compares the reasons that the solver gives for lost points in random games with an independent definition of the reasons.
//!
//! The independent definition compares suits and ranks directly, and plays actions by the rules. This definition uses neither the tiers of
//! answers nor the code under test.

use std::collections::BTreeMap;

use overmate_rules::{Action, Card, Phase, Position, Seat};
use overmate_solver::{Budget, Mistake, ReviewedAction, Solver};

use crate::chance::{Chance, rules};

fn follows(answer: Card, lead: Card) -> bool {
    answer.suit == lead.suit || answer.rank == lead.rank
}

fn gives_mate(position: &Position, action: Action) -> bool {
    position.clone().play(action).unwrap().mate().is_some()
}

fn mating_cards(position: &Position, seat: Seat) -> Vec<Card> {
    if position.phase() != Phase::Lead(seat) {
        return Vec::new();
    }
    let mates = position.legal_actions().filter(|action| gives_mate(position, *action));
    mates.filter_map(Action::card).collect()
}

/// Returns the opponent's cards that the player can answer with the played card and with no other card.
fn given_up(position: &Position, action: Action) -> Vec<Card> {
    let seat = position.to_act().unwrap();
    let mut kept = position.hand_cards(seat);
    let Some(at) = kept.iter().position(|card| Some(*card) == action.card()) else { return kept };
    let played = kept.remove(at);
    let mut leads = position.hand_cards(!seat);
    leads.retain(|&lead| follows(played, lead) && !kept.iter().any(|&card| follows(card, lead)));
    leads
}

/// Returns the positions after each answer to a lead, or the single position after an action that is not a lead.
fn ends(position: &Position, action: Action) -> Vec<Position> {
    let after = position.clone().play(action).unwrap();
    let is_lead = matches!(position.phase(), Phase::Lead(_));
    let answers = after.legal_actions().filter(|_| is_lead);
    let ends: Vec<_> = answers.map(|answer| after.clone().play(answer).unwrap()).collect();
    if is_lead { ends } else { vec![after] }
}

/// Returns the name of the expected reason for lost points, according to a definition that is independent of the solver.
fn expected(position: &Position, reviewed: &ReviewedAction) -> &'static str {
    let (seat, best) = (reviewed.seat, &reviewed.best);
    let gives_up = given_up(position, reviewed.action);
    let keeps = |action: &Action| !given_up(position, *action).iter().any(|c| gives_up.contains(c));
    match position.phase() {
        Phase::Foreplacing(_) => "foreplacing",
        Phase::Lead(_) | Phase::Follow(_) => {
            let is_lead = matches!(position.phase(), Phase::Lead(_));
            let best_mates = is_lead && best.iter().any(|action| gives_mate(position, *action));
            let mates = is_lead && gives_mate(position, reviewed.action);
            let allows = |action| {
                let ends = ends(position, action);
                ends.iter().any(|end| !mating_cards(end, !seat).is_empty())
            };
            let wins = |action| ends(position, action).iter().all(|end| end.leader() == seat);
            let won = wins(reviewed.action);
            match (mates, best_mates) {
                (false, true) => "mate overlooked",
                (true, true) => "cheaper mate",
                (true, false) => "mate too early",
                _ if allows(reviewed.action) && !best.iter().any(|action| allows(*action)) => {
                    "mate allowed"
                }
                _ if !gives_up.is_empty() && best.iter().any(keeps) => "last answer",
                _ if best.iter().any(|action| wins(*action) == won) => "",
                _ if won => "move won",
                _ => "move lost",
            }
        }
        Phase::Over => unreachable!("a review holds actions only"),
    }
}

/// Returns the name of the reason that a review gives for lost points. Also checks that the cards in the reason fit the position and the
/// reviewed action.
fn name(position: &Position, reviewed: &ReviewedAction) -> &'static str {
    let seat = reviewed.seat;
    let is_best = |card| reviewed.best.iter().any(|action| action.card() == Some(card));
    match reviewed.mistake {
        None => "",
        Some(Mistake::MateOverlooked(card)) => {
            assert!(is_best(card) && mating_cards(position, seat).contains(&card));
            "mate overlooked"
        }
        Some(Mistake::CheaperMate(card)) => {
            assert!(is_best(card) && mating_cards(position, seat).contains(&card));
            "cheaper mate"
        }
        Some(Mistake::MateTooEarly) => "mate too early",
        Some(Mistake::Foreplacing) => "foreplacing",
        Some(Mistake::MateAllowed(card)) => {
            let ends = ends(position, reviewed.action);
            assert!(ends.iter().any(|end| mating_cards(end, !seat).contains(&card)));
            "mate allowed"
        }
        Some(Mistake::LastAnswer(cards)) => {
            let deck = position.rules().deck();
            let cards: Vec<Card> = cards.slots().map(|slot| deck.card_at(slot)).collect();
            assert_eq!(cards, given_up(position, reviewed.action));
            "last answer"
        }
        Some(Mistake::MoveLost) => "move lost",
        Some(Mistake::MoveWon) => "move won",
    }
}

#[test]
fn reasons_agree_with_their_second_definition() {
    let (mut chance, mut solver) = (Chance(43), Solver::new());
    let mut counts = BTreeMap::new();
    for name_of_rules in ["sackson", "bga", "pagat", "rael", "pagat+free-move"] {
        let rules = rules(name_of_rules);
        for patience in [0, 0, 5, 60] {
            let game = chance.game(&rules);
            let game = chance.play_down(game, 0, patience);
            let review = solver.review(&game, &Budget::unlimited());
            for (done, reviewed) in review.actions.iter().enumerate() {
                let before = game.after(done);
                let found = name(before.position(), reviewed);
                if reviewed.lost == Some(0) {
                    assert_eq!(reviewed.mistake, None);
                } else {
                    assert_eq!(found, expected(before.position(), reviewed), "{before}");
                    *counts.entry(found).or_insert(0) += 1;
                }
            }
        }
    }
    let reasons: Vec<_> = counts.keys().copied().collect();
    let all = [
        "",
        "cheaper mate",
        "foreplacing",
        "last answer",
        "mate allowed",
        "mate overlooked",
        "mate too early",
        "move lost",
        "move won",
    ];
    assert_eq!(reasons, all, "{counts:?}");
}
