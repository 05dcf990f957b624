//! Computes the exact score distribution of the games between two given bots on one deal, without playing games.

use std::collections::BTreeMap;

use overmate_rules::{BySeat, Dealt, Position, Seat};
use overmate_solver::graph::LeadGraph;

use crate::built_in::BuiltIn;
use crate::model::best_response::BestResponse;
use crate::model::horizon_tables::HorizonTables;
use crate::model::objective::Objective;
use crate::model::player::PlayerModel;
use crate::model::scores::{Policy, ScoreCalculator};

/// Bot whose action probabilities are known, so that the scores of its games can be computed exactly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ExactPlayer {
    /// Bot that chooses each legal action with equal probability.
    Random,
    /// Built-in bot: the bot of a strength level, or the perfect player. The perfect player knows the model of its
    /// opponent, plays the best response to the model, and plays for points.
    BuiltIn(BuiltIn),
}

/// Calculator of exact score distributions of games between bots, for one deal without face-down cards.
///
/// Face-down cards are open here, so the scores of rule sets with face-down cards differ from those of real games.
///
/// This example shows the use of `ExactGames`.
/// ```
/// use overmate_bots::{BuiltIn, ExactGames, ExactPlayer};
/// use overmate_rules::{BySeat, Deal, RuleSet};
/// let rules = RuleSet::named("bga")?.shared();
/// let dealt = Deal::numbered(&rules, 20_010)?;
/// let mut games = ExactGames::new(&dealt)?;
/// let weak = ExactPlayer::BuiltIn("level:1".parse::<BuiltIn>()?);
/// let strong = ExactPlayer::BuiltIn("perfect".parse::<BuiltIn>()?);
/// let scores = games.scores_for_first(BySeat { first: strong, second: weak });
/// let total: f64 = scores.values().sum();
/// assert!((total - 1.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ExactGames {
    start: Position,
    tables: HorizonTables,
    calculator: ScoreCalculator,
}

/// Error for a deck whose games have too many positions to compute exact score distributions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "exact scores of a deal with {0} cards a hand need too many positions: use a deck with at most ten cards a hand"
)]
pub struct TooManyPositions(pub u8);

impl ExactGames {
    /// Fills the value tables of a deal, from which the score distributions are computed.
    ///
    /// # Errors
    ///
    /// Returns an error if the deck has more than 20 cards, or scores outside the range of a table.
    pub fn new(dealt: &Dealt) -> Result<Self, TooManyPositions> {
        let tables = tables_of(dealt)?;
        let start = Position::start(dealt);
        Ok(Self { start, tables, calculator: ScoreCalculator::default() })
    }

    /// Returns the probability of each score of a game between two bots. The keys are points for *first*.
    pub fn scores_for_first(&mut self, seats: BySeat<ExactPlayer>) -> BTreeMap<i32, f64> {
        let Self { start, tables, calculator } = self;
        let model = |seat: Seat| match seats[seat] {
            ExactPlayer::Random => Some(PlayerModel::Random),
            ExactPlayer::BuiltIn(BuiltIn::Level(level)) => {
                Some(PlayerModel::Level(level.parameters_in(start.rules())))
            }
            ExactPlayer::BuiltIn(BuiltIn::Perfect) => None,
        };
        let response =
            |seat: Seat, other| BestResponse::new(tables, seat, other, Objective::Points);
        match (model(Seat::First), model(Seat::Second)) {
            (Some(first), Some(second)) => {
                let mut players = BySeat { first, second }.map(Policy::Model);
                calculator.scores_from(tables, start, &mut players)
            }
            (None, Some(second)) => {
                let first = Policy::BestResponse(&mut response(Seat::First, second));
                let mut players = BySeat { first, second: Policy::Model(second) };
                calculator.scores_from(tables, start, &mut players)
            }
            (Some(first), None) => {
                let second = Policy::BestResponse(&mut response(Seat::Second, first));
                let mut players = BySeat { first: Policy::Model(first), second };
                calculator.scores_from(tables, start, &mut players)
            }
            (None, None) => {
                let exact = tables.exact();
                let value = tables.graph().value_for_first(start, &mut |node| exact.get(node));
                BTreeMap::from([(value.unwrap_or_default(), 1.0)])
            }
        }
    }
}

/// Returns the value tables of a deal for all search horizons.
pub(crate) fn tables_of(dealt: &Dealt) -> Result<HorizonTables, TooManyPositions> {
    let graph = LeadGraph::of_deal(dealt);
    if !graph.fits_table() {
        return Err(TooManyPositions(dealt.rules().hand_size()));
    }
    Ok(HorizonTables::new(graph))
}
