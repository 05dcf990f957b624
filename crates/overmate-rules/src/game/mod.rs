//! Defines games and matches with their deals, actions and positions, and the views that hide face-down cards from
//! observers.

mod action;
mod deal;
mod deal_source;
#[allow(clippy::module_inception, reason = "the folder is named after its main type")]
mod game;
mod illegal;
mod legal_actions;
mod legality;
mod match_play;
mod mate;
mod outcome;
mod past;
mod phase;
mod play_error;
mod position;
#[cfg(feature = "seeded")]
mod seeded_deals;
mod state;
mod view;

pub use action::Action;
pub use deal::{Deal, DealFault, DealFaults, Dealt};
pub use deal_source::DealSource;
pub use game::{Game, Move};
pub use illegal::Illegal;
pub use legal_actions::LegalActions;
pub use match_play::{Match, MatchFault, MatchResult};
pub use mate::Mate;
pub use outcome::Outcome;
pub use phase::Phase;
pub use play_error::PlayError;
pub use position::Position;
#[cfg(feature = "seeded")]
pub use seeded_deals::SeededDeals;
pub use state::Foreplaced;
pub(crate) use state::PositionState;
pub use view::{Seen, View, Viewer};
