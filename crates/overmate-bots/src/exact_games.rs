//! Computes the exact score distribution of the games between two given bots on one deal, without playing games.

use std::collections::BTreeMap;

use overmate_rules::{BySeat, Dealt, Position, Seat};
use overmate_solver::Budget;
use overmate_solver::graph::LeadGraph;

use crate::built_in::BuiltIn;
use crate::model::best_response::BestResponse;
use crate::model::horizon_tables::HorizonTables;
use crate::model::objective::Objective;
use crate::model::player::PlayerModel;
use crate::model::scores::{Pairings, Policy, scores_of_games};

/// Bot with known action probabilities, for the computation of exact score distributions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ExactPlayer {
    /// Bot that chooses each legal action with equal probability.
    Random,
    /// Built-in bot: the bot of a strength level, or the perfect player. The perfect player knows the model of its
    /// opponent, plays the best response to the model, and plays for points.
    BuiltIn(BuiltIn),
}

/// Calculator of exact score distributions for games between bots on one deal without face-down cards.
///
/// Face-down cards are open here, so the scores of rule sets with face-down cards differ from those of real games.
///
/// ```
/// use overmate_bots::{BuiltIn, ExactGames, ExactPlayer};
/// use overmate_rules::{BySeat, Deal, RuleSet};
/// let rules = RuleSet::named("bga")?.shared();
/// let dealt = Deal::numbered(&rules, 20_010)?;
/// let games = ExactGames::new(&dealt)?;
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
}

/// Error: the games on a deal have too many positions for exact score distributions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "exact scores of a deal with {0} cards a hand need too many positions: use a deck with at most ten cards a hand"
)]
pub struct TooManyPositions(pub u8);

impl ExactGames {
    /// Creates the calculator of score distributions for a deal. The calculator fills its tables of
    /// position values at first use.
    ///
    /// # Errors
    ///
    /// Returns an error if the deck has more than 20 cards, or scores outside the range of a table.
    pub fn new(dealt: &Dealt) -> Result<Self, TooManyPositions> {
        let tables = tables_of(dealt)?;
        let start = Position::start(dealt);
        Ok(Self { start, tables })
    }

    /// Returns the probability of each final score, in points for seat *first*, of a game between two bots. The keys of the map are the
    /// scores.
    #[must_use]
    pub fn scores_for_first(&self, seats: BySeat<ExactPlayer>) -> BTreeMap<i32, f64> {
        self.scores_of_games(&[seats]).pop().unwrap_or_default()
    }

    /// Returns the score distribution of each game in the list `games`: the probability of each final score in points for seat *first*.
    ///
    /// One call is faster than a call for each game, because the action probabilities of a bot are computed once for all of its games. The
    /// memory grows with the number of games, by some 2 MB for each game with 20 cards.
    #[must_use]
    pub fn scores_of_games(&self, games: &[BySeat<ExactPlayer>]) -> Vec<BTreeMap<i32, f64>> {
        let Self { start, tables } = self;
        let games: Vec<_> = games.iter().map(|seats| self.participants(*seats)).collect();
        let mut participants = BySeat::new_with(|_| Vec::new());
        let index = |game: &BySeat<Participant>| {
            BySeat::new_with(|seat| index_in(&mut participants[seat], game[seat]))
        };
        let indices = games.iter().flatten().map(index).collect();
        let players = BySeat::new_with(|seat| {
            let policy = |participant: &Participant| participant.policy(tables, seat);
            participants[seat].iter().map(policy).collect()
        });
        let pairings = Pairings { players, games: indices };
        let mut meter = Budget::unlimited().start();
        let scores = scores_of_games(tables, start, pairings, &mut meter);
        let mut scores = scores.unwrap_or_default().into_iter();
        let scores_of = |game: Option<_>| match game {
            Some(_) => scores.next().unwrap_or_default().into_iter().collect(),
            None => BTreeMap::from([(self.value(), 1.0)]),
        };
        games.into_iter().map(scores_of).collect()
    }

    /// Determines how the bot in each seat chooses actions: with known probabilities or, as the perfect player, by the best response to the
    /// opponent's probabilities. Returns `None` if the perfect player plays both seats.
    fn participants(&self, seats: BySeat<ExactPlayer>) -> Option<BySeat<Participant>> {
        let model = |player| match player {
            ExactPlayer::Random => Some(PlayerModel::Random),
            ExactPlayer::BuiltIn(BuiltIn::Level(level)) => {
                Some(PlayerModel::Level(level.parameters(self.start.rules())))
            }
            ExactPlayer::BuiltIn(BuiltIn::Perfect) => None,
        };
        let models = seats.map(model);
        let known = models.first.or(models.second)?;
        Some(models.map(|own| own.map_or(Participant::BestResponseTo(known), Participant::Model)))
    }

    /// Returns the final points for seat *first* in a game between two perfect players.
    fn value(&self) -> i32 {
        self.tables.exact_points_for_first(&self.start).unwrap_or_default()
    }
}

/// Participant of a game: a bot with known action probabilities, or the best response to such a bot.
#[derive(Clone, Copy, PartialEq)]
enum Participant {
    Model(PlayerModel),
    BestResponseTo(PlayerModel),
}

impl Participant {
    fn policy(self, tables: &HorizonTables, seat: Seat) -> Policy<'_> {
        match self {
            Self::Model(model) => Policy::of_model(model),
            Self::BestResponseTo(model) => {
                Policy::BestResponse(BestResponse::new(tables, seat, model, Objective::Points))
            }
        }
    }
}

/// Returns the index of a participant in a list, after appending the participant if the list lacks it.
fn index_in(list: &mut Vec<Participant>, participant: Participant) -> u8 {
    let known = list.iter().position(|other| *other == participant);
    let index = known.unwrap_or_else(|| {
        list.push(participant);
        list.len() - 1
    });
    u8::try_from(index).expect("there are ten models, and a best response to each")
}

/// Returns the tables of position values of a deal for all search horizons.
pub(crate) fn tables_of(dealt: &Dealt) -> Result<HorizonTables, TooManyPositions> {
    let graph = LeadGraph::of_deal(dealt);
    if !graph.fits_table() {
        return Err(TooManyPositions(dealt.rules().hand_size()));
    }
    Ok(HorizonTables::new(graph))
}
