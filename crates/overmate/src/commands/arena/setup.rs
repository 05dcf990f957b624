//! Defines the players and settings of an arena.

use std::sync::Arc;
use std::time::Duration;

use overmate_arena::{Entrant, Sprt};
use overmate_rules::RuleSet;

/// Player of an arena, with its name in the results.
pub(super) struct NamedEntrant {
    pub(super) entrant: Arc<dyn Entrant>,
    pub(super) name: String,
    /// Reported name of an external program, or `None` without a reported name.
    pub(super) own_name: Option<String>,
}

/// Rules, players and settings of an arena.
pub(super) struct Setup {
    pub(super) rules: Arc<RuleSet>,
    pub(super) entrants: Vec<NamedEntrant>,
    pub(super) settings: ArenaSettings,
}

/// Settings that determine the matches of an arena, in addition to the rule set and the players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ArenaSettings {
    pub(super) seed: u64,
    pub(super) nodes: Option<u64>,
    pub(super) time: Option<Duration>,
    pub(super) sprt: Option<Sprt>,
}

impl ArenaSettings {
    /// Returns the settings of the arena as headers of a match record. A header without a value is
    /// left out of the record.
    pub(super) fn headers(&self) -> [(&'static str, Option<String>); 4] {
        [
            ("Seed", Some(self.seed.to_string())),
            ("Nodes", self.nodes.map(|nodes| nodes.to_string())),
            ("Time", self.time.map(|time| time.as_secs_f64().to_string())),
            ("Sprt", self.sprt.map(|sprt| format!("{},{}", sprt.elo0(), sprt.elo1()))),
        ]
    }
}
