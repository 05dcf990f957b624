//! "How strong the levels are" as Markdown with its plots, from tables that are worked out first.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use overmate_bots::{Contestant, ExactGames, Level};
use overmate_rules::RuleSet;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::RULES;
use super::hidden::{self, Exploited};
use super::pairing::{Pairing, Rounds, contestants, deals, name, round};
use crate::document::render;
use crate::plots::{self, Bars, Colour, Series, Stand};

/// Everything that the document tells.
#[derive(Serialize)]
struct Facts {
    deals: usize,
    deals_of_the_strong: usize,
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
}

/// What is told of a rule set.
#[derive(Serialize)]
struct RulesFacts {
    name: &'static str,
    /// By the names of the stronger and then of the weaker.
    pairings: BTreeMap<String, BTreeMap<String, Pairing>>,
    /// Each against the one below, from the weakest.
    steps: Vec<Pairing>,
}

/// The tables in a folder.
fn levels_tsv(docs: &Path) -> PathBuf {
    docs.join("levels/levels.tsv")
}

fn hidden_tsv(docs: &Path) -> PathBuf {
    docs.join("levels/hidden.tsv")
}

/// Lets everybody meet and writes the tables into `levels/` in the folder of the documents.
pub(crate) fn work_out(docs: &Path, all: u64, strong: u64) -> Result<()> {
    let folder = docs.join("levels");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    write_table(&hidden_tsv(docs), &hidden::measure()?)?;
    let (mut pairings, mut sample) = (Vec::new(), Vec::new());
    for name in RULES {
        let rules = RuleSet::named(name)?.shared();
        pairings.extend(Rounds::play(&rules, all, strong)?.pairings()?);
        sample.extend(sample_of(name)?);
    }
    write_table(&levels_tsv(docs), &pairings)?;
    write_table(&folder.join("sample.tsv"), &sample)
}

fn write_table(file: &Path, lines: &[impl Serialize]) -> Result<()> {
    let tsv = csv::WriterBuilder::new().delimiter(b'\t').from_path(file);
    let mut tsv = tsv.with_context(|| format!("cannot write {}", file.display()))?;
    for line in lines {
        tsv.serialize(line)?;
    }
    tsv.flush()?;
    Ok(())
}

/// The lines of a table that was written before.
pub(crate) fn read_table<T: DeserializeOwned>(file: &Path) -> Result<Vec<T>> {
    let tsv = csv::ReaderBuilder::new().delimiter(b'\t').from_path(file);
    let mut tsv = tsv.with_context(|| format!("cannot read {}", file.display()))?;
    let lines: Result<Vec<T>, _> = tsv.deserialize().collect();
    lines.with_context(|| format!("{} is not such a table", file.display()))
}

/// A single round, for the test that works it out again.
#[derive(Serialize)]
struct SampleRound {
    rules: &'static str,
    deal: u64,
    strong: String,
    weak: String,
    points_of_the_round: f64,
}

fn sample_of(name_of_rules: &'static str) -> Result<Vec<SampleRound>> {
    let rules = RuleSet::named(name_of_rules)?.shared();
    let strong: Vec<Contestant> = contestants().into_iter().rev().take(4).collect();
    let mut sample = Vec::new();
    for dealt in deals(&rules, 3) {
        let mut games = ExactGames::new(&rules, &dealt)?;
        for pair in strong.windows(2) {
            let spread = round(&mut games, pair[0], pair[1]);
            sample.push(SampleRound {
                rules: name_of_rules,
                deal: dealt.number(),
                strong: name(pair[0]),
                weak: name(pair[1]),
                points_of_the_round: spread.iter().map(|(p, odds)| f64::from(*p) * odds).sum(),
            });
        }
    }
    Ok(sample)
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
        let lines: Vec<Pairing> = read_table(&levels_tsv(docs))?;
        let level = |level: Level| LevelFacts {
            number: level.get(),
            horizon: level.horizon(),
            temperature: level.temperature(),
        };
        let names: Vec<String> = contestants().into_iter().map(name).collect();
        let numbers = || lines.iter().map(|line| line.deals);
        Ok(Self {
            deals: numbers().min().unwrap_or_default(),
            deals_of_the_strong: numbers().max().unwrap_or_default(),
            levels: Level::all().map(level).collect(),
            rules: RULES.map(|rules| RulesFacts::of(rules, &names, &lines)).into(),
            names,
            hidden: read_table(&hidden_tsv(docs))?,
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
    fn of(rules: &'static str, names: &[String], lines: &[Pairing]) -> Self {
        let place = |name: &str| names.iter().position(|other| other == name);
        let lines = || lines.iter().filter(|line| line.rules == rules);
        let below =
            |line: &&Pairing| place(&line.strong) == place(&line.weak).map(|place| place + 1);
        let mut pairings: BTreeMap<String, BTreeMap<String, Pairing>> = BTreeMap::new();
        for line in lines() {
            let row = pairings.entry(line.strong.clone()).or_default();
            row.insert(line.weak.clone(), line.clone());
        }
        Self { name: rules, pairings, steps: lines().filter(below).cloned().collect() }
    }
}
