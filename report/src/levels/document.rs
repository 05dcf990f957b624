//! Renders the document "How strong the levels are" and its plots from the stored tables of results.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use overmate_bots::Level;
use overmate_rules::RuleSet;
use serde::Serialize;

use super::hidden::{self, Exploited};
use super::pairing::{MeasuredPair, name, players_by_strength};
use super::{NODES, RULES, SEED, Way, tables};
use crate::document::render;
use crate::plots::{self, Bars, Colour, Series, Stand};

/// Template data of the document "How strong the levels are".
#[derive(Serialize)]
struct LevelsDocument {
    seed: u64,
    /// Maximum number of search nodes for each decision in played matches.
    nodes: u64,
    levels: Vec<LevelFacts>,
    /// Names of all computer opponents, from the weakest to the strongest.
    names: Vec<String>,
    rules: Vec<RulesFacts>,
    hidden: Vec<Exploited>,
    hidden_deals: u32,
    plots: BTreeMap<&'static str, String>,
}

/// Parameters of a strength level of the computer opponents.
#[derive(Serialize)]
struct LevelFacts {
    number: u8,
    horizon: u8,
    temperature: f64,
    nodes: u64,
}

/// Results of all pairs of computer opponents under a rule set.
#[derive(Serialize)]
struct RulesFacts {
    name: &'static str,
    rounds: u8,
    /// Whether the computer opponents are measured by played matches, rather than by exact computation.
    is_played: bool,
    /// Lowest and highest number of deals on which a pair of computer opponents is measured, among all pairs under the rule set.
    deals: [usize; 2],
    matches: [usize; 2],
    /// Results of all pairs of computer opponents, keyed by the name of the stronger opponent, then by the name of the weaker opponent.
    pairings: BTreeMap<String, BTreeMap<String, MeasuredPair>>,
    /// Results of the pairs of opponents of adjacent strength, from the weakest pair to the
    /// strongest.
    steps: Vec<MeasuredPair>,
}

/// Writes the document `levels.md` and its plots from the stored tables of results.
pub(crate) fn write(docs: &Path) -> Result<()> {
    let mut facts = LevelsDocument::read(docs)?;
    for bars in facts.pictures() {
        plots::write(&docs.join("levels"), &bars)?;
        let alt = format!(
            "{}: share of matches that each player wins, draws and loses against the next weaker one",
            bars.file
        );
        facts.plots.insert(bars.file, plots::markdown("levels", bars.file, &alt)?);
    }
    let text = render("levels.md", include_str!("../levels.md.jinja"), &facts)?;
    let file = docs.join("levels.md");
    fs::write(&file, text)
        .with_context(|| format!("cannot write the document to {}", file.display()))
}

impl LevelsDocument {
    fn read(docs: &Path) -> Result<Self> {
        let lines: Vec<MeasuredPair> = tables::read(docs)?;
        let level = |level: Level| LevelFacts {
            number: level.get(),
            horizon: level.horizon(),
            temperature: level.temperature(),
            nodes: level.nodes(),
        };
        let names: Vec<String> = players_by_strength().into_iter().map(name).collect();
        let rules: Result<Vec<RulesFacts>> = (RULES.into_iter())
            // The document `levels.md` omits rule sets under which no pair of computer opponents has been measured.
            .filter(|(rules, _)| lines.iter().any(|line| line.rules == *rules))
            .map(|(rules, way)| RulesFacts::of(rules, way, &names, &lines))
            .collect();
        Ok(Self {
            seed: SEED,
            nodes: NODES,
            levels: Level::all().map(level).collect(),
            rules: rules?,
            names,
            hidden: tables::read(docs)?,
            hidden_deals: hidden::DEALS,
            plots: BTreeMap::new(),
        })
    }

    fn pictures(&self) -> Vec<Bars> {
        let picture = |rules: &RulesFacts| {
            let series = |name, colour, of: fn(&MeasuredPair) -> f64| Series {
                name,
                colour,
                values: rules.steps.iter().map(of).collect(),
            };
            let group = |step: &MeasuredPair| format!("{} – {}", step.strong, step.weak);
            Bars {
                file: rules.name,
                groups: rules.steps.iter().map(group).collect(),
                series: vec![
                    series("the stronger wins", Colour::First, |step| step.wins),
                    series("draw", Colour::Neither, |step| step.draws),
                    series("the weaker wins", Colour::Second, |step| step.losses),
                ],
                below: "",
                unit: "%",
                stand: Stand::InARow,
            }
        };
        self.rules.iter().map(picture).collect()
    }
}

impl RulesFacts {
    fn of(rules: &'static str, way: Way, names: &[String], lines: &[MeasuredPair]) -> Result<Self> {
        let place = |name: &str| names.iter().position(|other| other == name);
        let lines = || lines.iter().filter(|line| line.rules == rules);
        let below =
            |line: &&MeasuredPair| place(&line.strong) == place(&line.weak).map(|place| place + 1);
        let mut pairings: BTreeMap<String, BTreeMap<String, MeasuredPair>> = BTreeMap::new();
        for line in lines() {
            let row = pairings.entry(line.strong.clone()).or_default();
            row.insert(line.weak.clone(), line.clone());
        }
        let range = |of: fn(&MeasuredPair) -> usize| {
            let numbers = || lines().map(of);
            [numbers().min().unwrap_or_default(), numbers().max().unwrap_or_default()]
        };
        Ok(Self {
            name: rules,
            rounds: RuleSet::named(rules)?.rounds(),
            is_played: matches!(way, Way::Played(_)),
            deals: range(|line| line.deals),
            matches: range(|line| line.matches),
            pairings,
            steps: lines().filter(below).cloned().collect(),
        })
    }
}
