//! What two opponents make of a deal, exactly: how likely each score is, without playing a single game.

use std::collections::BTreeMap;

use overmate_rules::{BySeat, Dealt, Position, Seat};
use overmate_solver::LeadGraph;

use crate::built_in::BuiltIn;
use crate::level::bot::Level;
use crate::model::best_response::Reply;
use crate::model::game::{Follower, Known};
use crate::model::horizon_tables::Sights;
use crate::model::objective::Aim;
use crate::model::player::Model;

/// Who plays in [`ExactGames`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Contestant {
    /// Takes each legal action equally often.
    Random,
    /// An opponent of the program. `perfect` is told whom it plays, reckons with exactly that, and plays for points.
    BuiltIn(BuiltIn),
}

/// A deal with all cards open, and what opponents make of it.
///
/// A card that lies face down is open here, so the scores of rule sets that have such cards are not those of their games.
pub struct ExactGames {
    start: Position,
    sights: Sights,
    follower: Follower,
}

/// There are too many positions to follow them all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a deal with {0} cards a hand has too many positions to follow them all: at most ten cards are"
)]
pub struct TooManyPositions(pub u8);

impl ExactGames {
    /// Prepares a deal.
    ///
    /// # Errors
    ///
    /// If the deck has more than 20 cards, or scores that do not fit into a table.
    pub fn new(dealt: &Dealt) -> Result<Self, TooManyPositions> {
        let graph = LeadGraph::of_deal(dealt);
        if !graph.fits_table() {
            return Err(TooManyPositions(dealt.rules().hand_size()));
        }
        let horizons: Vec<u8> = Level::all().map(|level| level.manner().horizon).collect();
        let sights = Sights::new(graph, &horizons);
        let start = Position::start(dealt);
        Ok(Self { start, sights, follower: Follower::default() })
    }

    /// How likely each score is, by the points for *first*.
    pub fn scores_for_first(&mut self, seats: BySeat<Contestant>) -> BTreeMap<i32, f64> {
        let Self { start, sights, follower } = self;
        let model = |seat: Seat| match seats[seat] {
            Contestant::Random => Some(Model::Random),
            Contestant::BuiltIn(BuiltIn::Level(level)) => {
                Some(Model::Level(level.manner_in(start.rules())))
            }
            Contestant::BuiltIn(BuiltIn::Perfect) => None,
        };
        let reply = |seat: Seat, other| Reply::new(sights, seat, other, Aim::Points);
        match (model(Seat::First), model(Seat::Second)) {
            (Some(first), Some(second)) => {
                let mut players = BySeat { first, second }.map(Known::Model);
                follower.follow(sights, start, &mut players)
            }
            (None, Some(second)) => {
                let first = Known::Reply(&mut reply(Seat::First, second));
                let mut players = BySeat { first, second: Known::Model(second) };
                follower.follow(sights, start, &mut players)
            }
            (Some(first), None) => {
                let second = Known::Reply(&mut reply(Seat::Second, first));
                let mut players = BySeat { first: Known::Model(first), second };
                follower.follow(sights, start, &mut players)
            }
            (None, None) => {
                let exact = sights.exact();
                let value = sights.graph().value_for_first(start, &mut |node| exact.get(node));
                BTreeMap::from([(value.unwrap_or_default(), 1.0)])
            }
        }
    }
}
