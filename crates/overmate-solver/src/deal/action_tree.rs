//! The few actions between a position and the next leads: foreplacing, an answer, a move with a repeated card.
//!
//! Solvers know positions in which a card is to be led. What lies before them is expanded here, by the rules
//! crate itself, so it cannot differ from the rules.

use overmate_rules::{BySeat, CardSet, Phase, Position, Seat};

/// A position, down to the leads that a solver knows.
#[derive(Clone, Debug)]
pub(crate) enum ActionTree {
    /// The game is over, with these points for *first*.
    Over(i32),
    /// A card is to be led.
    Lead(LeadPosition),
    /// A seat chooses among these.
    Choice(Seat, Vec<Self>),
}

/// A position in which a card is to be led, in any move but the one with a repeated card.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeadPosition {
    pub(crate) hands: BySeat<CardSet>,
    pub(crate) leader: Seat,
    /// Whether the free move is still there.
    pub(crate) free: bool,
}

impl ActionTree {
    pub(crate) fn of(position: &Position) -> Self {
        if let Some(outcome) = position.outcome() {
            return Self::Over(outcome.points_for_first());
        }
        let rules = position.rules();
        let repeats =
            position.sole_foreplacer().is_some() && position.moves() + 1 == rules.hand_size();
        match position.phase() {
            Phase::Lead(leader) if !repeats => Self::Lead(LeadPosition {
                hands: position.hands(),
                leader,
                free: rules.free_move() && !position.free_move_used(),
            }),
            phase => {
                let next = position.legal_actions().into_iter();
                let next = next.filter_map(|action| position.play(action).ok());
                let seat = phase.to_act().unwrap_or(Seat::First);
                Self::Choice(seat, next.map(|position| Self::of(&position)).collect())
            }
        }
    }

    /// All leads, in the order in which [`points_for_first`](Self::points_for_first) asks for them.
    pub(crate) fn leads(&self, leads: &mut Vec<LeadPosition>) {
        match self {
            Self::Over(_) => {}
            Self::Lead(lead) => leads.push(*lead),
            Self::Choice(_, next) => next.iter().for_each(|tree| tree.leads(leads)),
        }
    }

    /// The points for *first* with best play by both, when those of the leads are known.
    pub(crate) fn points_for_first(&self, known: &mut impl FnMut(&LeadPosition) -> i32) -> i32 {
        match self {
            Self::Over(points) => *points,
            Self::Lead(lead) => known(lead),
            Self::Choice(seat, next) => {
                let points = next.iter().map(|tree| tree.points_for_first(known));
                match seat {
                    Seat::First => points.max(),
                    Seat::Second => points.min(),
                }
                .unwrap_or_default()
            }
        }
    }
}
