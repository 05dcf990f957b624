//! Defines the players and settings of an arena.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use overmate_arena::protocol::TimeControl;
use overmate_arena::{Entrant, Sprt};
use overmate_rules::{Dealt, Match, RuleSet};

/// Player of an arena, with the player's name in the results.
pub(super) struct NamedEntrant {
    pub(super) entrant: Arc<dyn Entrant>,
    pub(super) name: String,
    /// Name that an external program reports for itself, or `None` if it reports no name.
    pub(super) own_name: Option<String>,
}

/// Rules, players, settings and schedule of an arena.
pub(super) struct Setup {
    pub(super) rules: Arc<RuleSet>,
    pub(super) entrants: Vec<NamedEntrant>,
    pub(super) settings: ArenaSettings,
    pub(super) contest: Contest,
}

/// Schedule of an arena: the pairings of players, the number of match pairs in each pairing, and the deals.
#[derive(Clone, Debug)]
pub(super) struct Contest {
    /// Number of match pairs (two matches on the same deals with exchanged seats) for each pair of players.
    pub(super) pairs: u64,
    /// Whether the arena is a gauntlet, in which every match is between the first player and another player.
    pub(super) is_gauntlet: bool,
    /// Deals that the user listed in a file, one for each round of each match pair, or `None` if the deals come from the random seed.
    pub(super) deals: Option<Arc<[Dealt]>>,
}

impl Contest {
    /// Returns an error if the deals of a recorded match differ from the deals that the user listed for the match pair `pair`.
    pub(super) fn check_deals(&self, pair: u64, recorded: &Match) -> Result<()> {
        let Some(listed) = &self.deals else { return Ok(()) };
        let rounds = usize::from(recorded.rules().rounds());
        let before = usize::try_from(pair)?.saturating_mul(rounds);
        let listed = listed.iter().skip(before).take(rounds);
        // Each deal is played in two games. A match that ends early has fewer games.
        let games = recorded.games().iter().step_by(2);
        for (game, listed) in games.zip(listed) {
            let (found, listed) = (game.dealt().number(), listed.number());
            if found != listed {
                bail!(
                    "the record has deal {found}, but the list of --deals has deal {listed} for the same round"
                );
            }
        }
        Ok(())
    }
}

/// Settings that determine the matches of an arena, in addition to the rule set and the players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ArenaSettings {
    pub(super) seed: u64,
    pub(super) nodes: Option<u64>,
    pub(super) time: Option<Duration>,
    pub(super) sprt: Option<Sprt>,
    pub(super) clock: Option<TimeControl>,
}

impl ArenaSettings {
    /// Returns the settings of an arena, such as its random seed, as headers of a match record. The record leaves out a header without a
    /// value.
    pub(super) fn headers(&self, contest: &Contest) -> [(&'static str, Option<String>); 6] {
        [
            ("Seed", Some(self.seed.to_string())),
            ("Nodes", self.nodes.map(|nodes| nodes.to_string())),
            ("Time", self.time.map(|time| time.as_secs_f64().to_string())),
            ("Sprt", self.sprt.map(|sprt| elo_differences(&sprt).join(","))),
            ("Clock", self.clock.map(|clock| clock.to_string())),
            ("DealSource", contest.deals.is_some().then(|| "list".to_owned())),
        ]
    }
}

/// Returns the two Elo differences of a sequential test as text. A tiny difference has scientific notation, because its decimal fraction
/// may have hundreds of digits.
pub(super) fn elo_differences(sprt: &Sprt) -> [String; 2] {
    [sprt.elo0(), sprt.elo1()].map(|elo| {
        let is_tiny = elo != 0.0 && elo.abs() < 1e-6;
        if is_tiny { format!("{elo:e}") } else { elo.to_string() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiny_elo_differences_have_scientific_notation() {
        let text = |elo0, elo1| elo_differences(&Sprt::new(elo0, elo1).unwrap()).join(",");
        assert_eq!(text(0.0, 9.5), "0,9.5");
        assert_eq!(text(-1e-300, 10.0), "-1e-300,10");
    }
}
