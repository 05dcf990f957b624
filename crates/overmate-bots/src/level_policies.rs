//! Computes, for each position of a deal without face-down cards, the exact value of each action, and the action
//! probabilities of each strength level.

use overmate_rules::{Action, Dealt, Position};
use overmate_solver::ValueForFirst;

use crate::exact_games::{TooManyPositions, tables_of};
use crate::model::horizon_tables::HorizonTables;
use crate::model::parameters::Level;
use crate::model::softmax::Distribution;

/// Value tables of a deal without face-down cards, from which exact values and the action probabilities of each strength level are read.
///
/// ```
/// use overmate_bots::{Level, LevelPolicies};
/// use overmate_rules::{Deal, Position, RuleSet};
/// let rules = RuleSet::named("bga")?.shared();
/// let dealt = Deal::numbered(&rules, 20_010)?;
/// let policies = LevelPolicies::new(&dealt)?;
/// let start = Position::start(&dealt);
/// assert_eq!(policies.values(&start).map(|values| values.len()), Some(10));
/// let actions = policies.probabilities(Level::LOWEST, &start).expect("the deal starts so");
/// let total: f64 = actions.iter().map(|(_, probability)| probability).sum();
/// assert!((total - 1.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LevelPolicies {
    tables: HorizonTables,
}

impl LevelPolicies {
    /// Creates the tables of position values of a deal. The tables are filled at first use, in about ten milliseconds.
    ///
    /// # Errors
    ///
    /// Returns an error if the deck has more than 20 cards, or scores outside the range of a table.
    pub fn new(dealt: &Dealt) -> Result<Self, TooManyPositions> {
        Ok(Self { tables: tables_of(dealt)? })
    }

    /// Returns each legal action with the exact value of the position after the action, in the
    /// order of [`Position::legal_actions`].
    ///
    /// Returns `None` if the cards of the position are not those of the deal.
    #[must_use]
    pub fn values(&self, position: &Position) -> Option<Vec<(Action, ValueForFirst)>> {
        let value = |(action, next)| {
            Some((action, ValueForFirst::new(self.tables.exact_points_for_first(&next)?)))
        };
        position.successors().map(value).collect()
    }

    /// Returns the actions that the bot of a strength level may take in a position, with the probability of each (above 0).
    ///
    /// Returns `None` if the game is over, or if the cards of the position are not those of the deal.
    #[must_use]
    pub fn probabilities(&self, level: Level, position: &Position) -> Option<Distribution<Action>> {
        let seat = position.to_act()?;
        let parameters = level.parameters(position.rules());
        self.tables.action_distribution(parameters, position, seat)
    }
}
