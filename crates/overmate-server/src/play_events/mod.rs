//! Defines the rules of arenas and Swiss events: the pairings, the scores of matches, and the order of the standings. The
//! functions use neither the database nor the clock.

mod plan;
mod score;
mod standings;

pub(crate) use plan::{Pairs, absent_player, pairs_of_arena, pairs_of_round, rounds_of};
pub(crate) use score::{broken_game, forfeited, points_of};
pub(crate) use standings::standings;
