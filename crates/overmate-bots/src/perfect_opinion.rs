//! What a player thinks of the other: which level would most likely have done what he did.

use overmate_rules::{Action, Face, Game, Seat, View};

use crate::level::Level;
use crate::model::Sights;

/// However unlikely an action was, a slip or another way of thinking makes it at least so likely.
const SLIP: f64 = 0.05;

/// How well each level explains what was seen, as logarithms.
#[derive(Clone, Debug)]
pub(crate) struct Opinion([f64; 9]);

impl Opinion {
    /// Of somebody who has done nothing yet: probably in the middle.
    pub(crate) fn new() -> Self {
        Self([1, 2, 3, 4, 5, 6, 7, 8, 9].map(|level| -f64::from((level - 5) * (level - 5)) / 16.0))
    }

    /// Of somebody who is this level for sure, whatever he does.
    pub(crate) fn sure_of(level: Level) -> Self {
        let mut explained = [f64::NEG_INFINITY; 9];
        explained[usize::from(level.get()) - 1] = 0.0;
        Self(explained)
    }

    /// The level that explains best what was seen.
    pub(crate) fn level(&self) -> Level {
        let explained = |level: &Level| self.0[usize::from(level.get()) - 1];
        let best = Level::all().max_by(|a, b| explained(a).total_cmp(&explained(b)));
        best.unwrap_or(Level::HIGHEST)
    }

    /// The opinion after one more game, as far as it went. All of it must be open.
    ///
    /// What somebody does who cannot see a card says little about what he would do if he could, and is left out.
    pub(crate) fn with(&self, game: &Game, seat: Seat, sights: &Sights) -> Self {
        let mut explained = self.0;
        let hides = game.rules().foreplacing().is_some_and(|f| f.face == Face::Down);
        let mut hidden_from_him = false;
        for (before, &action) in game.actions().iter().enumerate() {
            let earlier = game.after(before);
            if earlier.to_act() == Some(!seat) {
                hidden_from_him |= hides && matches!(action, Action::Foreplace(_));
                continue;
            }
            if hidden_from_him || earlier.legal_actions().len() < 2 {
                continue;
            }
            for (level, explained) in Level::all().zip(&mut explained) {
                let odds =
                    sights.action_odds(level.manner_in(game.rules()), earlier.position(), seat);
                let Some(odds) = odds else { continue };
                let share = odds.iter().find(|(other, _)| *other == action);
                let share = share.map_or(0.0, |(_, share)| *share);
                *explained += (SLIP + (1.0 - SLIP) * share).ln();
            }
        }
        Self(explained)
    }

    /// The game of a view in which nothing is hidden from the viewer.
    pub(crate) fn game(view: &View) -> Option<Game> {
        view.imagine(overmate_rules::BySeat::default())
    }
}
