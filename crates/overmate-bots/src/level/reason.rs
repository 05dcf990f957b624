//! Writes the reason for an action of the bot of a strength level as one English sentence.

use overmate_rules::{Action, Lead, Position, Seat};

use crate::model::horizon_tables::HorizonTables;
use crate::model::softmax::OptionPoints;
use crate::words::{card_words, mate_words, points_words};

/// Returns a sentence with the reason for an action, given the points of all actions that the bot considered.
///
/// `horizon` is the completed search horizon in moves. Without tables the reason names the evaluation only, not forced points.
pub(crate) fn reason(
    position: &Position,
    seat: Seat,
    horizon: u8,
    tables: Option<&HorizonTables>,
    points: &OptionPoints<Action>,
    action: Action,
) -> String {
    let Ok(next) = position.clone().play(action) else { return String::new() };
    if position.legal_actions().len() == 1 {
        return "it has no choice".to_owned();
    }
    if let Some(words) = mate_words(&next) {
        return words;
    }
    let own = points.of(&action).unwrap_or_default();
    let most = points.most();
    #[allow(clippy::cast_possible_truncation, reason = "some hundreds of points")]
    let (own, loss) = (own as i32, (most - own) as i32);
    let moves = match horizon {
        0 => "at first sight".to_owned(),
        1 => "in this move".to_owned(),
        horizon => format!("within {horizon} moves"),
    };
    let forced = tables.and_then(|tables| {
        let ahead = horizon.checked_sub(1)?;
        if own > 0 && tables.can_force(&next, seat, own, ahead)? {
            return Some(format!("it sees {} {moves}, whatever is played", points_words(own)));
        }
        if own < 0 && tables.can_force(&next, !seat, -own, ahead)? {
            return Some(format!("it sees itself lose {} {moves}", points_words(-own)));
        }
        None
    });
    let seen = forced.unwrap_or_else(|| match best_prospect(&next, seat) {
        Some(words) => format!("it sees nothing sure {moves}, and hopes for {words}"),
        None => format!("it sees nothing sure {moves}"),
    });
    match loss {
        0 => seen,
        _ => format!("{seen}, although another action seems {} better", points_words(loss)),
    }
}

/// Returns a phrase that describes the seat's card with the fewest possible answers, or `None` if every card has at
/// least two possible answers. Of several such cards, the phrase describes the most valuable card.
fn best_prospect(position: &Position, seat: Seat) -> Option<String> {
    let rules = position.rules();
    let deck = rules.deck();
    let other = position.hand(!seat);
    let cards = deck.distinct(position.hand(seat)).map(|card| {
        let tiers = rules.answers_in_order(Lead { card, demanded: false });
        ((other & tiers.cards()).len(), card)
    });
    let (answers, card) = cards
        .filter(|(answers, _)| *answers <= 1)
        .min_by_key(|(answers, card)| (*answers, u16::MAX - deck.value(*card)))?;
    let words = card_words(rules, card);
    Some(match answers {
        0 => format!("{words}, which the other can no longer answer"),
        _ => format!("{words}, for which the other has one answer left"),
    })
}
