//! Computes the pattern of a position: a canonical form without the names of the suits and seats. Equivalent positions
//! have the same form, because the suits are renamed in a fixed order.

use overmate_rules::{Card, Foreplaced, Phase, Position, Seat, Suit};

/// Pattern of a position for the seat to act: a canonical form without the names of the suits and seats.
///
/// Positions with equal patterns have the same solution, except for the names of suits and seats.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pattern(Vec<u8>);

impl Pattern {
    /// Returns the pattern of a position in an unfinished game: the position's canonical form, without the
    /// names of the suits and seats.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        let solver = position.to_act().unwrap_or(Seat::First);
        let lead = position.lead();
        let mut suits: Vec<Suit> = Vec::new();
        for seat in Seat::BOTH {
            suits.extend(position.hand_cards(seat).iter().map(|card| card.suit));
        }
        suits.extend(lead.map(|lead| lead.card.suit));
        suits.sort_unstable();
        suits.dedup();
        let bytes_of = |card: Card| {
            let suit = suits.iter().position(|suit| *suit == card.suit).unwrap_or(suits.len());
            [u8::try_from(suit).unwrap_or(u8::MAX), card.rank.0]
        };
        let phase = match position.phase() {
            Phase::Foreplacing(_) => 0,
            Phase::Lead(_) => 1,
            Phase::Follow(_) => 2,
            Phase::Over => 3,
        };
        let mut bytes = vec![
            phase,
            u8::from(position.leader() == solver),
            u8::from(position.free_move_used()),
            position.moves(),
        ];
        for seat in [solver, !solver] {
            let foreplaced = position.foreplaced(seat);
            bytes.push(match foreplaced {
                Foreplaced::Undecided => 0,
                Foreplaced::Nothing => 1,
                Foreplaced::Card(_) => 2,
                Foreplaced::FaceDown => 3,
            });
            // The canonical form of a position includes a foreplaced card only while the card may limit the opponent's choice of a card to
            // foreplace.
            if let Foreplaced::Card(card) = foreplaced
                && phase == 0
            {
                bytes.extend(bytes_of(card));
            }
            bytes.push(u8::MAX);
            bytes.extend(position.hand_cards(seat).into_iter().flat_map(bytes_of));
            bytes.push(u8::MAX);
        }
        if let Some(lead) = lead {
            bytes.extend(bytes_of(lead.card));
            bytes.push(u8::from(lead.demanded));
        }
        Self(bytes)
    }
}
