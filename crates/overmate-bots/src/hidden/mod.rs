//! Play with a card that lies face down.
//!
//! In a rule set that foreplaces face down a player knows his own card and the other's [candidates](overmate_rules::View::candidates).
//! Everything else is seen by both, so the game is a tree of what both see, with a private *type* for each player: his card.
//!
//! From the bottom up: `cards` and `spot` are the game in that form, every answer worked out by the rules; `secure` brackets what
//! not knowing can cost, and finds where it costs nothing, and `bracket` tells it of a turn; `tree` and `grow` are the game tree, cut off at such spots;
//! `cfr` solves it and `response` says, exactly, how good any strategy is; `belief` is Bayes over the candidates; `story` turns a
//! view into spots; `aim` is what the end of a match is played for; `plan` solves as early a part of a game as can be solved, and looks ahead where none can;
//! `mind` is the door. `baseline`, `graded`, `report` and `limit` measure.

mod aim;
mod baseline;
mod belief;
mod bracket;
mod cards;
mod cfr;
mod graded;
mod grow;
mod habits;
mod limit;
mod mind;
mod plan;
mod report;
mod response;
mod secure;
mod spot;
mod story;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use aim::MatchAim;
pub(crate) use belief::Model as Foreplacer;
pub(crate) use belief::update;
pub(crate) use cards::{Cards, bits};
pub use limit::{Limit, LimitReport, limit_report};
pub use mind::{Advice, AdvisedAction, Mind, Strength};
pub use report::{ExploitabilityReport, Exploited, exploitability_report, small_denexa};
pub(crate) use spot::Spot;
pub(crate) use story::Story;
