//! Who can play in an arena: somebody who sends a bot to each match.

use std::sync::Arc;

use overmate_rules::{Player, RuleSet};

use overmate_bots::{Bot, Forfeit};
use overmate_bots::{BuiltIn, HousePlayer};

/// A player of an arena.
pub trait Contender: Send + Sync {
    /// What it is called; no two players of an arena have the same name.
    fn name(&self) -> String;

    /// Its bot for one match.
    ///
    /// # Errors
    ///
    /// If it cannot play; it then forfeits the match.
    fn enter(&self, seating: &Seating<'_>) -> Result<Box<dyn Bot>, Forfeit>;
}

/// What a player is told when a match begins.
#[derive(Clone, Copy, Debug)]
pub struct Seating<'a> {
    /// The rule set.
    pub rules: &'a Arc<RuleSet>,
    /// Which player it is.
    pub player: Player,
    /// How many games the match has.
    pub games: u8,
    /// Where its chance comes from: below 2^53, so that it is a whole number in every language.
    pub seed: u64,
}

impl Contender for BuiltIn {
    fn name(&self) -> String {
        self.to_string()
    }

    fn enter(&self, seating: &Seating<'_>) -> Result<Box<dyn Bot>, Forfeit> {
        Ok(self.seeded(seating.seed))
    }
}

impl Contender for HousePlayer {
    fn name(&self) -> String {
        self.to_string()
    }

    fn enter(&self, seating: &Seating<'_>) -> Result<Box<dyn Bot>, Forfeit> {
        Ok(self.seeded(seating.seed))
    }
}
