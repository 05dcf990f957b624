//! Levels 1 to 9: opponents that see some moves ahead, and judge what lies behind.

use overmate_rules::{Action, BySeat, Card, CardSet, Game, Seat, View, Viewer};
use overmate_solver::{Budget, LeadGraph, MAX_TABLE_HAND};

use crate::bot::{Bot, Choice, Forfeit, Thought, Turn};
use crate::built_in::BuiltIn;
use crate::level_chance::Chance;
use crate::level_look::Look;
use crate::level_reason::reason;
use crate::model::{Manner, Odds, Sights, heed_mate, temper};

/// How strong an opponent is, from 1 to 9.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// The weakest.
    pub const LOWEST: Self = Self(1);
    /// The strongest.
    pub const HIGHEST: Self = Self(9);

    /// The level of this number, from 1 to 9.
    #[must_use]
    pub fn new(number: u8) -> Option<Self> {
        (Self::LOWEST.0..=Self::HIGHEST.0).contains(&number).then_some(Self(number))
    }

    /// All levels, from the weakest to the strongest.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::LOWEST.0..=Self::HIGHEST.0).map(Self)
    }

    /// The number, from 1 to 9.
    #[must_use]
    pub fn get(self) -> u8 {
        self.0
    }

    /// Within how many moves it sees everything, the present one included: from 1.
    #[must_use]
    pub fn horizon(self) -> u8 {
        self.manner().horizon
    }

    /// In points: a loss of so many that it sees is taken e times less often than none. Five times as much is never taken.
    #[must_use]
    pub fn temperature(self) -> f64 {
        self.manner().temperature
    }
}

/// An opponent of a level.
pub(crate) struct LevelBot {
    level: Level,
    seed: u64,
    sights: Option<Sights>,
}

/// What a level sees of a game that may be the one.
struct Seen {
    points: Vec<(Action, i32)>,
    /// Moves within which it saw everything.
    horizon: u8,
    /// Whether a table of all positions was at hand.
    tabled: bool,
}

impl LevelBot {
    pub(crate) fn new(level: Level, seed: u64) -> Self {
        Self { level, seed, sights: None }
    }

    fn see(&mut self, game: &Game, seat: Seat, manner: Manner, budget: &Budget) -> Seen {
        let position = game.position();
        let horizon = manner.horizon;
        let known = self.sights.as_ref().filter(|s| s.graph().rules() == game.rules());
        if let Some(points) = known.and_then(|s| s.action_points(horizon, position, seat)) {
            return Seen { points, horizon, tabled: true };
        }
        let is_small = |hands: BySeat<CardSet>| {
            hands.first.len().max(hands.second.len()) <= u32::from(MAX_TABLE_HAND)
        };
        let dealt = game.dealt().hands();
        let hands = if is_small(dealt) { dealt } else { position.hands() };
        if is_small(hands) {
            let graph = LeadGraph::of_hands(game.rules(), hands);
            if graph.fits_table() {
                let sights = self.sights.insert(Sights::new(graph, &[horizon]));
                if let Some(points) = sights.action_points(horizon, position, seat) {
                    return Seen { points, horizon, tabled: true };
                }
            }
        }
        let graph = LeadGraph::of_deal(game.rules(), &game.dealt());
        let look = Look::new(&graph, manner.never());
        let (points, horizon) = look.action_points(horizon, position, seat, budget);
        Seen { points, horizon, tabled: false }
    }
}

impl Bot for LevelBot {
    fn name(&self) -> String {
        BuiltIn::Level(self.level).to_string()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Forfeit> {
        let legal = turn.view.legal_actions();
        let (Viewer::Seat(seat), false) = (turn.view.viewer(), legal.is_empty()) else {
            return Err(Forfeit { who: self.name(), why: "it is not its turn".to_owned() });
        };
        let manner = self.level.manner();
        let cases = cases(turn.view, seat);
        let seen: Vec<Seen> =
            cases.iter().map(|game| self.see(game, seat, manner, turn.budget)).collect();
        let mut odds = weigh(&legal, &seen);
        if let ([game], [seen]) = (&cases[..], &seen[..]) {
            let sights = self.sights.as_ref().filter(|_| seen.tabled);
            heed_mate(game.position(), &mut odds, |action, points| {
                sights.is_some_and(|sights| {
                    sights.outdoes_mate(seen.horizon, game.position(), action, points)
                })
            });
        }
        let points = odds.clone();
        temper(manner.temperature, &mut odds);
        let action = Chance::new(self.seed, turn).pick(&odds).unwrap_or(legal[0]);
        let expected = points.iter().find(|(other, _)| *other == action);
        let reason = match (&cases[..], &seen[..]) {
            ([game], [seen]) => {
                let sights = self.sights.as_ref().filter(|_| seen.tabled);
                reason(game.position(), seat, manner, sights, &points, action)
            }
            (games, _) => format!("reckons with {} cards that may lie face down", games.len()),
        };
        let thought = Thought {
            horizon: seen.iter().map(|seen| seen.horizon).min(),
            expected: expected.map(|(_, points)| *points),
            is_proved: legal.len() == 1,
            reason,
        };
        Ok(Choice { action, thought })
    }
}

/// The games that the viewer may be in.
pub(crate) fn cases(view: &View, seat: Seat) -> Vec<Game> {
    let hidden: Vec<Option<Card>> = match view.candidates(!seat) {
        candidates if candidates.is_empty() => vec![None],
        candidates => candidates.into_iter().map(Some).collect(),
    };
    let game =
        |card| view.imagine(BySeat::new_with(|owner| if owner == seat { None } else { card }));
    hidden.into_iter().filter_map(game).collect()
}

/// What each action is worth when any of several games may be the one: halfway between the worst case and the mean.
///
/// This is the one place where a level reckons with a card that lies face down before the other.
fn weigh(legal: &[Action], seen: &[Seen]) -> Odds<Action> {
    let points = |action: &Action| {
        let in_case = |case: &Seen| {
            case.points.iter().find(|(other, _)| other == action).map(|(_, points)| *points)
        };
        let cases: Vec<f64> = seen.iter().filter_map(in_case).map(f64::from).collect();
        #[allow(clippy::cast_precision_loss, reason = "a hand has at most 30 cards")]
        let mean = cases.iter().sum::<f64>() / cases.len() as f64;
        let worst = cases.iter().copied().fold(f64::INFINITY, f64::min);
        (*action, f64::midpoint(mean, worst))
    };
    legal.iter().map(points).collect()
}
