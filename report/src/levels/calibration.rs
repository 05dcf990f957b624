//! Measures the results of selected pairs of computer opponents, and writes the results to tables.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};
use overmate_bots::ExactGames;
use overmate_rules::RuleSet;

use super::pairing::{
    MeasuredPair, Pair, Rounds, deals, name, names, pairs, players_by_strength, rounds,
};
use super::tables::{SampleMatches, SampleRound, replace, write};
use super::{Deals, Matches, RULES, Way, hidden, played};

/// Command-line argument that selects the exploitability table (play with a face-down card), in place of a rule set's name.
const HIDDEN: &str = "face-down";

/// Selection of the match results to recompute. The tables keep all unselected results.
#[derive(Clone)]
pub(crate) struct MeasuredParts {
    /// Names of the rule sets under which computer opponents are measured. An empty list selects all rule sets.
    pub(crate) only: Vec<String>,
    /// Names of the selected computer opponents. Only pairs with at least one of them are measured; an empty list selects all pairs.
    pub(crate) with: Vec<String>,
    /// Percentage of the usual number of deals and matches to measure.
    pub(crate) percent: u64,
}

impl MeasuredParts {
    /// Checks that the document "How strong the levels are" contains all selected rule sets and computer opponents.
    fn check(&self) -> Result<()> {
        let rules: Vec<&str> = RULES.iter().map(|(name, _)| *name).chain([HIDDEN]).collect();
        if let Some(unknown) = self.only.iter().find(|name| !rules.contains(&name.as_str())) {
            bail!(
                "the levels are not measured under the rule set `{unknown}`: use {}",
                rules.join(", ")
            );
        }
        let players: Vec<String> = players_by_strength().into_iter().map(name).collect();
        if let Some(unknown) = self.with.iter().find(|name| !players.contains(name)) {
            bail!("there is no computer opponent `{unknown}`: use {}", players.join(", "));
        }
        if !self.with.is_empty() && self.only.iter().any(|name| name == HIDDEN) {
            bail!("`{HIDDEN}` is measured for all computer opponents at once: leave out --with");
        }
        Ok(())
    }

    fn is_wanted(&self, rules: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == rules)
    }

    fn pairs(&self) -> Vec<Pair> {
        let is_in = |pair: &Pair| names(*pair).iter().any(|name| self.with.contains(name));
        pairs().filter(|pair| self.with.is_empty() || is_in(pair)).collect()
    }

    /// Returns the number of deals or match pairs to measure: `percent` percent of the number `usual`, but at least two. A standard error
    /// needs two measurements.
    fn share(&self, usual: u64) -> u64 {
        (usual * self.percent / 100).max(2)
    }
}

/// Measures the selected computer opponents under the selected rule sets, and writes the results to tables in the
/// folder `levels/` of `docs`.
pub(crate) fn work_out(docs: &Path, choice: &MeasuredParts) -> Result<()> {
    choice.check()?;
    std::thread::scope(|scope| {
        // This measurement takes one thread, so that the other measurements start at the same time.
        let wanted = choice.is_wanted(HIDDEN) && choice.with.is_empty();
        let hidden = wanted.then(|| scope.spawn(|| write(docs, &hidden::measure()?)));
        work_out_rules(docs, choice)?;
        hidden.map_or(Ok(()), |hidden| {
            hidden.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })
}

/// Measures the selected computer opponents under the selected rule sets by the scores of their games, and writes the results to tables.
fn work_out_rules(docs: &Path, choice: &MeasuredParts) -> Result<()> {
    for (name, way) in RULES.into_iter().filter(|(name, _)| choice.is_wanted(name)) {
        let rules = RuleSet::named(name)?.shared();
        match way {
            Way::WorkedOut(Deals { all, strong }) => {
                let deals = Deals { all: choice.share(all), strong: choice.share(strong) };
                replace(docs, Rounds::play(&rules, &choice.pairs(), deals)?.pairings()?)?;
                replace(docs, sample_of_rounds(&rules)?)?;
            }
            Way::Played(Matches { step, others }) => {
                let (steps, rest): (Vec<_>, Vec<_>) =
                    choice.pairs().into_iter().partition(|pair| is_step(*pair));
                for (pairs, count) in [(steps, step), (rest, others)] {
                    for (pair, leads) in played::play(&rules, &pairs, choice.share(count))? {
                        replace(docs, vec![MeasuredPair::of_matches(&rules, pair, &leads)?])?;
                        if is_step(pair) {
                            replace(docs, sample_of_matches(&rules, pair, &leads))?;
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

/// Returns whether two computer opponents are adjacent in the order of strength.
fn is_step((strong, weak): Pair) -> bool {
    strong == weak + 1
}

fn sample_of_rounds(rules: &Arc<RuleSet>) -> Result<Vec<SampleRound>> {
    let strong: Vec<_> = players_by_strength().into_iter().rev().take(4).collect();
    let mut sample = Vec::new();
    for dealt in deals(rules, 3) {
        let games = ExactGames::new(&dealt)?;
        let pairs: Vec<_> = strong.windows(2).map(|pair| (pair[0], pair[1])).collect();
        for ((strong, weak), spread) in pairs.iter().zip(rounds(&games, &pairs)) {
            sample.push(SampleRound {
                rules: rules.name().to_owned(),
                deal: dealt.number(),
                strong: name(*strong),
                weak: name(*weak),
                points_of_the_round: spread.iter().map(|(p, odds)| f64::from(*p) * odds).sum(),
            });
        }
    }
    Ok(sample)
}

/// Returns the results of the first four matches between two opponents, for a test that replays these matches.
fn sample_of_matches(rules: &RuleSet, pair: Pair, leads: &[[i32; 2]]) -> Vec<SampleMatches> {
    let line = |(number, lead): (u64, &[i32; 2])| {
        let [strong, weak] = names(pair);
        SampleMatches {
            rules: rules.name().to_owned(),
            strong,
            weak,
            pair: number,
            points_as_a: lead[0],
            points_as_b: lead[1],
        }
    };
    (0..).zip(leads).take(2).map(line).collect()
}
