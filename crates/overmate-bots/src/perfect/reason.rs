//! Why the perfect player does what it does, in one sentence.

use overmate_rules::{Action, Mate, Outcome, Position, Seat};

use crate::level::bot::Level;
use crate::model::horizon_tables::Sights;
use crate::model::objective::Aim;
use crate::words::{card_words, mate_words, points_words};

/// What the reason is found from.
pub(crate) struct Reason<'a> {
    pub(crate) sights: &'a Sights,
    pub(crate) position: &'a Position,
    pub(crate) seat: Seat,
    /// What the other is taken for.
    pub(crate) level: Level,
    pub(crate) aim: &'a Aim,
}

impl Reason<'_> {
    /// The points that are sure for the seat after an action.
    pub(crate) fn value_after(&self, action: Action) -> Option<i32> {
        self.value(&self.position.play(action).ok()?)
    }

    /// The points that are sure for the seat at a position.
    pub(crate) fn value(&self, position: &Position) -> Option<i32> {
        let exact = self.sights.exact();
        let points = self.sights.graph().value_for_first(position, &mut |node| exact.get(node))?;
        Some(points * self.seat.sign_for_first())
    }

    /// The reason for an action that was chosen among so many, with what it is worth to the aim.
    pub(crate) fn sentence(&self, action: Action, among: usize, worth: f64) -> String {
        let Ok(next) = self.position.play(action) else { return String::new() };
        if let Some(words) = mate_words(&next) {
            return words;
        }
        let value = self.value(&next).unwrap_or_default();
        let end = self.end(next).map(|mate| {
            let card = card_words(self.position.rules(), mate.card);
            format!("{card} mates in move {}", mate.move_number)
        });
        let points = points_words(value.abs());
        let sure = match (value.signum(), end) {
            (1, Some(end)) => format!("is sure of {points}: against the best defence {end}"),
            (-1, Some(end)) => format!("loses no more than {points}: in the best attack {end}"),
            _ => "is sure of a draw".to_owned(),
        };
        let level = self.level.get();
        match self.aim {
            _ if self.position.legal_actions().len() == 1 => format!("has no choice, and {sure}"),
            Aim::Points if among > 1 => format!(
                "{sure}; of {among} actions that are as good it expects most of this one against level {level}: \
                 {worth:.1} points"
            ),
            Aim::Points => format!("{sure}, and every other action gives something up"),
            Aim::Match { is_lost: false, .. } => format!(
                "{sure}; for the match it expects {:.0} in 100 of this against level {level}",
                100.0 * worth
            ),
            Aim::Match { is_lost: true, .. } => format!(
                "best play would lose the match, so it sets the trap in which level {level} is most likely to be caught: \
                 {:.0} in 100",
                100.0 * worth
            ),
        }
    }

    /// The mate to which best play leads, where both take the first of their best actions.
    fn end(&self, mut position: Position) -> Option<Mate> {
        loop {
            match position.outcome() {
                Some(Outcome::Mate(mate)) => return Some(mate),
                Some(_) => return None,
                None => {}
            }
            let sign = if position.to_act()? == self.seat { 1 } else { -1 };
            let next = position.legal_actions().into_iter();
            let next = next.filter_map(|action| position.play(action).ok());
            let mut best: Option<(i32, Position)> = None;
            for next in next {
                let value = self.value(&next)? * sign;
                if best.as_ref().is_none_or(|(most, _)| value > *most) {
                    best = Some((value, next));
                }
            }
            position = best?.1;
        }
    }
}
