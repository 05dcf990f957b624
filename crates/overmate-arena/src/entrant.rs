//! Defines entrants of an arena, which create a bot for each match.

use std::sync::Arc;

use overmate_bots::{Bot, BotSpec, Forfeit, SharedTables};
use overmate_rules::{Player, RuleSet};

/// Participant of an [`Arena`](crate::Arena). The participant provides a bot for each of its matches.
pub trait Entrant: Send + Sync {
    /// Returns the entrant's name, which differs from the names of all other entrants of the arena.
    fn name(&self) -> String;

    /// Returns a new bot that plays one match for the entrant.
    ///
    /// # Errors
    ///
    /// Returns a forfeit if the entrant cannot play. The entrant then forfeits the match.
    fn enter(&self, seating: &Seating<'_>) -> Result<Box<dyn Bot>, Forfeit>;
}

/// Facts about a match that an entrant needs to create its bot, such as the rule set and the bot's role (player A or B).
#[derive(Clone, Copy)]
pub struct Seating<'a> {
    /// Rule set of the match.
    pub rules: &'a Arc<RuleSet>,
    /// Role of the entrant in the match: player A or player B.
    pub player: Player,
    /// Number of games in the match.
    pub games: u8,
    /// Random seed of the bot, below 2^53, so that a JSON parser with 64-bit floating-point numbers reads the seed exactly.
    pub seed: u64,
    /// Value tables (tables of position values) of the match's deals, shared by the bots in all matches on these deals.
    pub tables: &'a Arc<SharedTables>,
}

impl Entrant for BotSpec {
    fn name(&self) -> String {
        self.to_string()
    }

    fn enter(&self, seating: &Seating<'_>) -> Result<Box<dyn Bot>, Forfeit> {
        Ok(self.seeded_with(seating.seed, seating.tables))
    }
}
