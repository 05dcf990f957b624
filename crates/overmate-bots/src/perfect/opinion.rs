//! What a player thinks of the other: which level would most likely have done what he did.

use overmate_rules::{Action, Card, Face, Game, Position, Seat, View, Viewer};
use overmate_solver::possible_worlds;

use crate::level::belief::Beliefs;
use crate::level::bot::{Level, Seen, decide};
use crate::model::horizon_tables::{Odds, Sights};
use crate::public_game::belief::SoftmaxPlayer;

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
    /// Of what he did without seeing a card it is asked how likely each level does so that does not see it either.
    pub(crate) fn with(&self, game: &Game, seat: Seat, sights: &Sights) -> Self {
        let mut explained = self.0;
        let hides = game.rules().foreplacing().is_some_and(|f| f.face == Face::Down);
        let mut hidden_from_him = false;
        let mut beliefs = Beliefs::default();
        for (before, &action) in game.actions().iter().enumerate() {
            let earlier = game.after(before);
            if earlier.to_act() == Some(!seat) {
                hidden_from_him |= hides && matches!(action, Action::Foreplace(_));
                continue;
            }
            if earlier.legal_actions().len() < 2 {
                continue;
            }
            let view = hidden_from_him.then(|| earlier.view(Viewer::Seat(seat)));
            let cases = view.as_ref().map(|view| possible_worlds(view, seat)).unwrap_or_default();
            for (level, explained) in Level::all().zip(&mut explained) {
                let odds = match &view {
                    Some(view) => unseeing(level, view, &cases, &mut beliefs, sights),
                    None => {
                        sights.action_odds(level.manner_in(game.rules()), earlier.position(), seat)
                    }
                };
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

/// How likely a level that has this view takes each action, if these are the games that it may be in; `None` if they are not of the
/// sights.
fn unseeing(
    level: Level,
    view: &View,
    cases: &[(Option<Card>, Game)],
    beliefs: &mut Beliefs,
    sights: &Sights,
) -> Option<Odds<Action>> {
    let Viewer::Seat(seat) = view.viewer() else { return None };
    let (manner, horizon) = (level.manner(), level.horizon());
    let positions: Vec<&Position> = cases.iter().map(|(_, game)| game.position()).collect();
    let see = |position: &&Position| {
        let points = sights.action_points(horizon, position, seat)?;
        Some(Seen { points, horizon, tabled: true })
    };
    let seen: Vec<Seen> = positions.iter().map(see).collect::<Option<_>>()?;
    let candidates: Vec<Card> = cases.iter().filter_map(|(card, _)| *card).collect();
    let model = SoftmaxPlayer { temperature: level.exact_temperature() };
    let believed = match candidates.len() {
        0 | 1 => vec![1.0],
        _ => beliefs.of(view, seat, &candidates, model),
    };
    Some(decide(manner, &view.legal_actions(), &positions, &seen, &believed, Some(sights)).1)
}

#[cfg(test)]
mod tests {
    use overmate_rules::{DealSource as _, Foreplaced, RuleSet, SeededDeals};
    use overmate_solver::{Budget, LeadGraph};

    use super::*;
    use crate::{BuiltIn, Standing, Turn};

    /// From games in which a card lies face down before him, too, it is seen who plays weakly and who strongly.
    #[test]
    fn who_does_not_see_a_card_is_known_by_his_play() {
        let rules = RuleSet::named("denexa").expect("a published rule set").shared();
        let budget = Budget::unlimited();
        let horizons: Vec<u8> = Level::all().map(Level::horizon).collect();
        let (mut found, mut hidden) = (Vec::new(), 0);
        for level in [2, 5, 9].into_iter().filter_map(Level::new) {
            let mut opinion = Opinion::new();
            for seed in 0..3 {
                let mut game = Game::new(SeededDeals::new(seed).next_deal(&rules));
                let mut bot = BuiltIn::Level(level).seeded(seed);
                while let Some(seat) = game.to_act() {
                    let view = game.view(Viewer::Seat(seat));
                    let turn =
                        Turn { view: &view, standing: Standing::of_one_game(), budget: &budget };
                    let action = match seat {
                        Seat::Second => bot.choose(&turn).expect("its turn").action,
                        // Foreplaces, and then plays what comes first.
                        Seat::First => {
                            *game.legal_actions().get(1).unwrap_or(&view.legal_actions()[0])
                        }
                    };
                    game = game.play(action).expect("legal");
                }
                hidden += usize::from(matches!(
                    game.position().foreplaced(Seat::First),
                    Foreplaced::Card(_)
                ));
                let graph = LeadGraph::of_deal(&game.dealt());
                opinion = opinion.with(&game, Seat::Second, &Sights::new(graph, &horizons));
            }
            found.push(opinion.level().get());
        }
        assert_eq!(hidden, 9);
        assert!(found[0] < found[1] && found[1] < found[2], "{found:?}");
    }
}
