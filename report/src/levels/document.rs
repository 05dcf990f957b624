//! "How strong the levels are" as Markdown with its plots, from tables that are there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use overmate_bots::Level;
use overmate_rules::RuleSet;
use serde::Serialize;

use super::hidden::{self, Exploited};
use super::pairing::{Pairing, contestants, name};
use super::{NODES, RULES, SEED, Way, tables};
use crate::document::render;
use crate::plots::{self, Bars, Colour, Series, Stand};

/// Everything that the document tells.
#[derive(Serialize)]
struct Facts {
    seed: u64,
    /// What a player may look at for an action in a match that is played.
    nodes: u64,
    levels: Vec<LevelFacts>,
    /// The contestants' names, from the weakest.
    names: Vec<String>,
    rules: Vec<RulesFacts>,
    hidden: Vec<Exploited>,
    hidden_deals: u32,
    plots: BTreeMap<&'static str, String>,
}

/// What a level is.
#[derive(Serialize)]
struct LevelFacts {
    number: u8,
    horizon: u8,
    temperature: f64,
    nodes: u64,
}

/// What is told of a rule set.
#[derive(Serialize)]
struct RulesFacts {
    name: &'static str,
    rounds: u8,
    /// Whether matches were played; else their scores were worked out.
    is_played: bool,
    /// The fewest and the most deals and matches of a pair.
    deals: [usize; 2],
    matches: [usize; 2],
    /// By the names of the stronger and then of the weaker.
    pairings: BTreeMap<String, BTreeMap<String, Pairing>>,
    /// Each against the one below, from the weakest.
    steps: Vec<Pairing>,
}

/// Writes `levels.md` and its plots from the tables.
pub(crate) fn write(docs: &Path) -> Result<()> {
    let mut facts = Facts::read(docs)?;
    for bars in facts.pictures() {
        plots::write(&docs.join("levels"), &bars)?;
        let alt = format!(
            "{}: share of the matches that each wins, draws and loses against the one below",
            bars.file
        );
        facts.plots.insert(bars.file, plots::markdown("levels", bars.file, &alt)?);
    }
    let text = render("levels.md", include_str!("../levels.md.jinja"), &facts)?;
    let file = docs.join("levels.md");
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
}

impl Facts {
    fn read(docs: &Path) -> Result<Self> {
        let lines: Vec<Pairing> = tables::read(docs)?;
        let level = |level: Level| LevelFacts {
            number: level.get(),
            horizon: level.horizon(),
            temperature: level.temperature(),
            nodes: level.nodes(),
        };
        let names: Vec<String> = contestants().into_iter().map(name).collect();
        let rules: Result<Vec<RulesFacts>> = (RULES.into_iter())
            // Those that were not worked out yet are left out.
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
            let series = |name, colour, of: fn(&Pairing) -> f64| Series {
                name,
                colour,
                values: rules.steps.iter().map(of).collect(),
            };
            let group = |step: &Pairing| format!("{} – {}", step.strong, step.weak);
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
    fn of(rules: &'static str, way: Way, names: &[String], lines: &[Pairing]) -> Result<Self> {
        let place = |name: &str| names.iter().position(|other| other == name);
        let lines = || lines.iter().filter(|line| line.rules == rules);
        let below =
            |line: &&Pairing| place(&line.strong) == place(&line.weak).map(|place| place + 1);
        let mut pairings: BTreeMap<String, BTreeMap<String, Pairing>> = BTreeMap::new();
        for line in lines() {
            let row = pairings.entry(line.strong.clone()).or_default();
            row.insert(line.weak.clone(), line.clone());
        }
        let range = |of: fn(&Pairing) -> usize| {
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
