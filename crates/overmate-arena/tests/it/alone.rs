//! Defines an entrant whose bot shares no data with other bots, as a reference for tests and benchmarks.

use overmate_arena::{Entrant, Seating};
use overmate_bots::{Bot, BotSpec, Forfeit};

/// Entrant (player in an arena) with a built-in bot that shares no tables of position values with other bots.
pub(crate) struct Alone(pub(crate) BotSpec);

impl Entrant for Alone {
    fn name(&self) -> String {
        self.0.to_string()
    }

    fn enter(&self, seating: &Seating<'_>) -> Result<Box<dyn Bot>, Forfeit> {
        Ok(self.0.seeded(seating.seed))
    }
}
