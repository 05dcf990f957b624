//! Defines the strength levels 1 to 9 and the parameters of their play.

use std::fmt;

use overmate_rules::RuleSet;
use overmate_solver::MAX_TABLE_HAND;

use crate::model::softmax::CUTOFF;

/// Factor by which the softmax temperature is multiplied while the opponent's face-down card may be one of several cards.
const TEMPERATURE_FACTOR_OVER_WORLDS: f64 = 0.6;

/// Maximum number of points by which an action may be worse than the best action and still get exact points from a depth-limited search.
/// The limit is for decisions with several possible face-down cards. An action that is bad against one face-down card may be good against
/// another.
pub(crate) const MARGIN_OVER_WORLDS: i32 = 100;

/// Strength level of a bot, from 1 to 9.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// Weakest strength level, 1.
    pub const LOWEST: Self = Self(1);
    /// Strongest strength level, 9.
    pub const HIGHEST: Self = Self(9);
    /// Number of levels.
    pub const COUNT: usize = Self::HIGHEST.0 as usize;
    /// Middle strength level, 5, which the perfect player assumes for an unknown opponent.
    pub(crate) const MIDDLE: Self = Self(5);

    /// Returns the strength level with a number from 1 to 9, or `None` for any other number.
    #[must_use]
    pub fn new(number: u8) -> Option<Self> {
        (Self::LOWEST.0..=Self::HIGHEST.0).contains(&number).then_some(Self(number))
    }

    /// Iterates over the strength levels 1 to 9, from the weakest to the strongest.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::LOWEST.0..=Self::HIGHEST.0).map(Self)
    }

    /// Returns the number of the strength level, from 1 to 9.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Returns the search horizon, in complete moves including the current move, of the bot of the
    /// strength level; at least 1.
    #[must_use]
    pub fn horizon(self) -> u8 {
        self.small_deck_parameters().horizon
    }

    /// Returns the maximum number of nodes that the bot of the strength level searches for one
    /// decision, with a deck of more than 20 cards.
    ///
    /// The limit takes precedence over the horizon. Where one of ten cards may lie face down, the limit is ten times as high, but at
    /// most 200,000.
    #[must_use]
    pub fn nodes(self) -> u64 {
        self.small_deck_parameters().nodes
    }

    /// Returns the softmax temperature, in points, of the bot of the strength level. The
    /// temperature applies to decks of up to 20 cards without face-down cards.
    ///
    /// An action that, by the bot's search, loses this many points is *e* times less likely than an action without a loss. An action
    /// that loses more than five times as many points is never taken.
    #[must_use]
    pub fn temperature(self) -> f64 {
        self.small_deck_parameters().temperature
    }

    /// Returns the softmax temperature, in points, at which a softmax over exact values best imitates the bot of the strength level.
    ///
    /// The temperatures are fitted to open games of `bga` and `sackson`.
    pub(crate) fn exact_temperature(self) -> f64 {
        const TEMPERATURES: [f64; Level::COUNT] =
            [100.0, 70.0, 50.0, 45.0, 35.0, 22.0, 15.0, 6.0, 3.0];
        TEMPERATURES[usize::from(self.0 - Self::LOWEST.0)]
    }

    /// Returns the parameters of the bot of the strength level under a rule set. The temperature
    /// grows with the hand size, because the points at stake also grow.
    pub(crate) fn parameters(self, rules: &RuleSet) -> LevelParameters {
        let parameters = self.small_deck_parameters();
        let size = rules.hand_size().max(MAX_TABLE_HAND);
        let temperature = parameters.temperature * f64::from(size) / f64::from(MAX_TABLE_HAND);
        LevelParameters { temperature, ..parameters }
    }

    /// Returns the parameters of the bot of the strength level for decks of up to 20 cards.
    fn small_deck_parameters(self) -> LevelParameters {
        const PARAMETERS: [(u8, f64, u64); Level::COUNT] = [
            (1, 30.0, 200),
            (2, 30.0, 300),
            (2, 12.0, 600),
            (3, 8.0, 1_500),
            (4, 5.0, 5_500),
            (5, 3.5, 15_000),
            (6, 2.5, 30_000),
            (7, 1.5, 80_000),
            (8, 0.8, 200_000),
        ];
        let (horizon, temperature, nodes) = PARAMETERS[usize::from(self.0 - Self::LOWEST.0)];
        LevelParameters { horizon, temperature, nodes }
    }
}

impl fmt::Display for Level {
    /// Writes the name of the bot of the strength level, such as `level:3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "level:{}", self.0)
    }
}

/// Parameters of a strength level's play: search horizon, softmax temperature and node limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct LevelParameters {
    /// Search horizon in complete moves, including the current move: at least 1.
    pub(crate) horizon: u8,
    /// Temperature of the softmax choice among actions, in points.
    pub(crate) temperature: f64,
    /// Maximum number of nodes that the bot searches for one decision and one possible face-down
    /// card, if the bot has no value tables.
    pub(crate) nodes: u64,
}

impl LevelParameters {
    /// Returns the largest loss of points, relative to the best action, at which a search must find the exact points of an action, given
    /// the number of possible face-down cards. With one card, the bot of the strength level takes no action with a larger loss.
    pub(crate) fn margin_over(self, worlds: usize) -> i32 {
        #[allow(clippy::cast_possible_truncation, reason = "some tens of points")]
        let largest_accepted_loss = (self.temperature * CUTOFF).ceil() as i32;
        if worlds > 1 { MARGIN_OVER_WORLDS } else { largest_accepted_loss }
    }

    /// Returns the softmax temperature in points, given the number of possible face-down cards. The
    /// temperature is lower for several cards, because a mean over cards varies less than a single
    /// value.
    pub(crate) fn temperature_over(self, worlds: usize) -> f64 {
        if worlds > 1 {
            TEMPERATURE_FACTOR_OVER_WORLDS * self.temperature
        } else {
            self.temperature
        }
    }
}
