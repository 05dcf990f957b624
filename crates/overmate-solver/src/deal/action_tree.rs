//! Defines the tree of actions from a position to the next lead positions (positions in which a card must be led).
//!
//! Action trees are needed because the engines know only the values of lead positions. The actions
//! before such a position are expanded by the rules crate itself, so the expansion cannot differ
//! from the rules.

use overmate_rules::{BySeat, CardSet, Phase, Position, Seat};

/// Tree of the actions from a position to the next lead positions (positions in which a card must be led).
#[derive(Clone, Debug)]
pub(crate) enum ActionTree {
    /// End of the game, with the final points for seat *first*.
    Over(i32),
    /// Leaf of the action tree: a lead position, in which a card must be led.
    Lead(LeadPosition),
    /// Node at which a seat chooses between several actions, with the subtree of each action.
    Choice(Seat, Vec<Self>),
}

/// Lead position: a position in which a card must be led. A position before a last move in which a seat repeats a card is not a lead
/// position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeadPosition {
    pub(crate) hands: BySeat<CardSet>,
    pub(crate) leader: Seat,
    /// Whether the free move (the right to answer once in rank while holding the suit) is unused.
    pub(crate) free: bool,
}

impl ActionTree {
    /// Builds the tree of all actions from a position to the next lead positions (positions in
    /// which a card must be led).
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
            phase @ (Phase::Foreplacing(_) | Phase::Lead(_) | Phase::Follow(_) | Phase::Over) => {
                let next = position.successors();
                let seat = phase.to_act().unwrap_or(Seat::First);
                Self::Choice(seat, next.map(|(_, next)| Self::of(&next)).collect())
            }
        }
    }

    /// Returns all leaves (lead positions) of several action trees, in the order in which [`points_for_first`](Self::points_for_first)
    /// visits them.
    pub(crate) fn leads_of<'t>(trees: impl IntoIterator<Item = &'t Self>) -> Vec<LeadPosition> {
        let mut leads = Vec::new();
        for tree in trees {
            tree.leads(&mut leads);
        }
        leads
    }

    /// Appends all leaves of the action tree (lead positions) to `leads`, in the order in which
    /// [`points_for_first`](Self::points_for_first) visits them.
    fn leads(&self, leads: &mut Vec<LeadPosition>) {
        match self {
            Self::Over(_) => {}
            Self::Lead(lead) => leads.push(*lead),
            Self::Choice(_, next) => next.iter().for_each(|tree| tree.leads(leads)),
        }
    }

    /// Appends the final points for seat *first* of all games that end in the action tree.
    pub(crate) fn outcomes(&self, points: &mut Vec<i32>) {
        match self {
            Self::Over(over) => points.push(*over),
            Self::Lead(_) => {}
            Self::Choice(_, next) => next.iter().for_each(|tree| tree.outcomes(points)),
        }
    }

    /// Returns the points for seat *first* at the root of the action tree under best play, given
    /// the points at each leaf.
    pub(crate) fn points_for_first(&self, of_lead: &mut impl FnMut(&LeadPosition) -> i32) -> i32 {
        match self {
            Self::Over(points) => *points,
            Self::Lead(lead) => of_lead(lead),
            Self::Choice(seat, next) => {
                let points = next.iter().map(|tree| tree.points_for_first(of_lead));
                match seat {
                    Seat::First => points.max(),
                    Seat::Second => points.min(),
                }
                .unwrap_or_default()
            }
        }
    }
}
