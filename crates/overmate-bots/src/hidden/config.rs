//! Defines the settings of the solver for games with a face-down card.

use std::sync::Arc;

use crate::hidden::match_utility::MatchUtility;
use crate::public_game::belief::SoftmaxPlayer;

/// Settings for the strength of the solver in games with a face-down card: a node limit and a model of the opponent's
/// play.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Strength {
    /// Softmax temperature of the opponent model, in points. An action whose loss equals the
    /// temperature is e times less likely than a best action. A smaller temperature models a
    /// stronger opponent.
    pub temperature: f64,
    /// Maximum number of nodes of a game tree. With 150,000 nodes, the solver always solves a game to
    /// its end if each player holds seven cards and one card is hidden, and often if each player
    /// holds eight cards.
    pub nodes: usize,
}

impl Strength {
    /// Full strength of the solver, with which the hardest decisions take about one second.
    pub const FULL: Self = Self { temperature: 8.0, nodes: 150_000 };
}

/// Settings of the solver for one decision: limits of the search, and a model of the opponent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HiddenConfig {
    /// Maximum number of nodes of a game tree.
    pub(crate) nodes: usize,
    /// Maximum number of node visits while one game tree is solved, summed over all iterations.
    pub(crate) visits: u64,
    /// Maximum sum of both players' exploitabilities, in points, at which a solution is accepted.
    pub(crate) gap: f64,
    /// Softmax model of the opponent's play.
    pub(crate) model: SoftmaxPlayer,
    /// Probability, 0 to 1, with which the opponent is assumed to follow the softmax model at each decision.
    pub(crate) reliance: f64,
    /// Utility function that values points by their effect on the match result, or `None` to maximise points.
    pub(crate) utility: Option<Arc<MatchUtility>>,
}

/// Assumed probability that an opponent of the perfect player follows the softmax model at a decision.
///
/// On decks of twelve cards, this share raises the perfect player's points in a game against level 5 from 8.0 to 9.1. The share also raises
/// the points that a best response gains, for both seats together, from 0.4 to 1.8. With a larger share both numbers rise, and the gain of
/// the best response rises faster.
const MODEL_RELIANCE: f64 = 0.1;

impl HiddenConfig {
    /// Returns the solver's settings for a given strength. The settings maximise points and use no opponent model.
    pub(crate) fn of(strength: Strength) -> Self {
        Self {
            nodes: strength.nodes,
            visits: 100 * strength.nodes as u64,
            gap: 0.1,
            model: softmax_player(strength.temperature),
            reliance: 0.0,
            utility: None,
        }
    }

    /// Enables the softmax model of the opponent. The temperature is in points.
    pub(crate) fn expect(&mut self, temperature: f64) {
        self.model = softmax_player(temperature);
        self.reliance = MODEL_RELIANCE;
    }
}

/// Returns a softmax model of the opponent. The temperature is in points; values below 0.01 are raised to 0.01.
fn softmax_player(temperature: f64) -> SoftmaxPlayer {
    SoftmaxPlayer { temperature: temperature.max(0.01) }
}
