//! Renders the document "Mate, solved" as Markdown from a template and the computed statistics.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;

use crate::cards::Cards;
use crate::catalogue::CatalogueGame;
use crate::examples::{self, Example};
use crate::foreplacing::ForeplacingStatistics;
use crate::leads::Leads;
use crate::numbers::{add_filters, percent};
use crate::players::{ROUNDS, SimulatedOpponent, opponents};
use crate::plots::{self, Bars, Colour, Series, Stand};
use crate::survey::SolvedDeals;
use crate::totals::Totals;

/// Statistics of a published rule set, for the chapter about the rule set in `docs/solved.md`.
#[derive(Serialize)]
pub(crate) struct Chapter {
    pub(crate) leads: Leads,
    pub(crate) foreplacing: Option<ForeplacingStatistics>,
    pub(crate) cards: Cards,
    pub(crate) examples: BTreeMap<&'static str, Example>,
    pub(crate) opponents: Vec<SimulatedOpponent>,
}

/// Deal statistics and names of a group of rule sets that differ only in name and number of rounds.
#[derive(Serialize)]
pub(crate) struct GameStatistics {
    pub(crate) names: Vec<String>,
    pub(crate) totals: Totals,
}

/// All statistics that the document "Mate, solved" shows.
#[derive(Serialize)]
pub(crate) struct Report {
    pub(crate) games: Vec<GameStatistics>,
    pub(crate) bases: BTreeMap<String, Chapter>,
    /// Totals of each rule set, such as the number of wins under best play, keyed by the name of the rule set.
    sets: BTreeMap<String, Totals>,
    overall: Overall,
    rounds: u32,
    plots: BTreeMap<&'static str, String>,
}

/// Statistics over all solved rule sets together.
#[derive(Default, Serialize)]
struct Overall {
    names: usize,
    games: usize,
    positions: u64,
    /// Two counts of rule sets with a deal that seat *first* loses under best play, both before and after an exchange of the hands. The
    /// first count is of rule sets without the variation *free move*, the second of rule sets with this variation. Rule sets that differ
    /// only in name and rounds count once.
    leader_loses_both: [usize; 2],
    /// Number of rule sets with foreplacing. Rule sets that differ only in name and rounds count once.
    with_foreplacing: usize,
    /// Names of the rule sets with foreplacing in which a seat wins at least one deal by the highest possible score under best play. Of
    /// rule sets that differ only in name and rounds, the list has only the simplest name.
    top_reached: Vec<String>,
    /// Maximum deal value for seat *first* over all solved rule sets, in points.
    first_most: i32,
}

impl Chapter {
    pub(crate) fn of(survey: &SolvedDeals) -> Result<Self> {
        Ok(Self {
            leads: Leads::of(survey),
            foreplacing: ForeplacingStatistics::of(survey)?,
            cards: Cards::of(survey),
            examples: examples::find(survey)?,
            opponents: opponents(survey)?,
        })
    }
}

impl Report {
    /// Computes all statistics of the document "Mate, solved", and prints the progress to the standard error.
    pub(crate) fn work_out(entries: &[CatalogueGame]) -> Result<Self> {
        let (mut games, mut bases, mut sets) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        for (done, entry) in entries.iter().enumerate() {
            eprintln!("{:>3} of {}: {}", done + 1, entries.len(), entry.name());
            let survey = SolvedDeals::of(&entry.rules)?;
            let totals = Totals::of(&survey)?;
            if entry.is_base() {
                bases.insert(entry.name().to_owned(), Chapter::of(&survey)?);
            }
            let names: Vec<String> = entry.names().map(str::to_owned).collect();
            sets.extend(names.iter().map(|name| (name.clone(), totals.clone())));
            games.push(GameStatistics { names, totals });
        }
        let overall = Overall::of(&games);
        Ok(Self { games, bases, sets, overall, rounds: ROUNDS, plots: BTreeMap::new() })
    }

    /// Writes the document "Mate, solved" and its plots into the folder `docs`.
    pub(crate) fn write(&mut self, docs: &Path) -> Result<()> {
        let folder = docs.join("solved");
        fs::create_dir_all(&folder).with_context(|| {
            format!("cannot create the folder {} for the plots", folder.display())
        })?;
        for (bars, alt) in self.pictures() {
            plots::write(&folder, &bars)?;
            self.plots.insert(bars.file, plots::markdown("solved", bars.file, &alt)?);
        }
        let text = render("solved.md", include_str!("solved.md.jinja"), &*self)?;
        let file = docs.join("solved.md");
        fs::write(&file, text)
            .with_context(|| format!("cannot write the document to {}", file.display()))?;
        Ok(())
    }

    fn pictures(&self) -> Vec<(Bars, String)> {
        let base = |name: &str| self.sets.get(name).map(|totals| (name.to_owned(), totals));
        let bases: Vec<_> = overmate_rules::BASES.iter().filter_map(|b| base(b.name)).collect();
        let shares = |of: fn(&Totals) -> u32| bases.iter().map(|(_, t)| f64::from(of(t))).collect();
        let mut pictures = vec![(
            Bars {
                file: "outcomes",
                groups: bases.iter().map(|(name, _)| name.clone()).collect(),
                series: vec![
                    series("first wins", Colour::First, shares(|t| t.first_wins)),
                    series("draw", Colour::Neither, shares(|t| t.draws)),
                    series("second wins", Colour::Second, shares(|t| t.second_wins)),
                ],
                below: "",
                unit: "%",
                stand: Stand::InARow,
            },
            format!("How all deals end with best play: {}", outcomes(&bases)),
        )];
        if let (Some((_, sackson)), Some(chapter)) = (base("sackson"), self.bases.get("sackson")) {
            pictures
                .push((values(sackson), "How many deals are won by how many points".to_owned()));
            pictures.push((worth(chapter), "What each card is worth in the hand".to_owned()));
            pictures.push((mates(sackson), "In which move best play mates".to_owned()));
        }
        if let Some(chapter) = self.bases.get("bga") {
            pictures
                .push((perfect(chapter), "How many of the ten first leads are perfect".to_owned()));
        }
        pictures
    }
}

/// Removes trailing spaces and repeated empty lines, which the loops of a template leave behind.
fn tidied(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
    lines.join("\n") + "\n"
}

/// Renders a document from its template and data.
pub(crate) fn render(name: &str, template: &str, facts: &impl Serialize) -> Result<String> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment
        .set_syntax(SyntaxConfig::builder().trim_blocks(true).keep_trailing_newline(true).build()?);
    add_filters(&mut environment);
    environment.add_template(name, template)?;
    let text = environment.get_template(name)?.render(Serde(facts))?;
    Ok(tidied(&text))
}

impl Overall {
    fn of(games: &[GameStatistics]) -> Self {
        let totals = || games.iter().map(|game| &game.totals);
        let best = |t: &Totals| t.highest.value.max(-t.lowest.value);
        Self {
            names: games.iter().map(|game| game.names.len()).sum(),
            games: games.len(),
            positions: totals().map(|t| t.positions).sum(),
            leader_loses_both: [false, true].map(|free_move| {
                totals().filter(|t| t.free_move == free_move && t.leader_loses_both > 0).count()
            }),
            with_foreplacing: totals().filter(|t| t.foreplacing).count(),
            top_reached: totals()
                .filter(|t| t.foreplacing && best(t) == t.top_score)
                .map(|t| t.name.clone())
                .collect(),
            first_most: totals().map(|t| t.highest.value).max().unwrap_or_default(),
        }
    }
}

fn outcomes(bases: &[(String, &Totals)]) -> String {
    let one = |(name, t): &(String, &Totals)| {
        let share = |part: u32| percent(part.into(), t.deals.into());
        let (first, draw, second) = (share(t.first_wins), share(t.draws), share(t.second_wins));
        format!("{name}: first wins {first}, draw {draw}, second wins {second}")
    };
    bases.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn share(part: u32, whole: u32) -> f64 {
    100.0 * f64::from(part) / f64::from(whole)
}

fn series(name: &'static str, colour: Colour, values: Vec<f64>) -> Series {
    Series { name, colour, values }
}

/// Returns a histogram of the points that each seat wins under best play. Each bar shows the share of all deals in a
/// range of 10 points; the last bar of each seat holds all larger wins.
fn values(totals: &Totals) -> Bars {
    const STEP: i32 = 10;
    const STEPS: i32 = 11;
    let from = |step: i32| step * STEP + 1;
    let to = |step: i32| if step == STEPS { i32::MAX } else { (step + 1) * STEP };
    let won = |sign: i32| {
        let of_step = |step: i32| {
            let within = |value: i32| (from(step)..=to(step)).contains(&(value * sign));
            let deals = totals.values.iter().filter(|(value, _)| within(*value));
            share(deals.map(|(_, deals)| deals).sum(), totals.deals)
        };
        (0..=STEPS).map(of_step).collect()
    };
    let name = |step: i32| match step {
        STEPS => "more".to_owned(),
        _ => format!("{}–{}", from(step), to(step)),
    };
    Bars {
        file: "points",
        groups: (0..=STEPS).map(name).collect(),
        series: vec![
            series("first wins", Colour::First, won(1)),
            series("second wins", Colour::Second, won(-1)),
        ],
        below: "points won (sackson; share of all deals)",
        unit: "%",
        stand: Stand::Beside,
    }
}

fn worth(chapter: &Chapter) -> Bars {
    let worth = || chapter.cards.worth.iter();
    Bars {
        file: "cards",
        groups: worth().map(|card| card.card.clone()).collect(),
        series: vec![
            series(
                "better in your hand",
                Colour::First,
                worth().map(|card| card.worth.max(0.0)).collect(),
            ),
            series(
                "better in the other’s",
                Colour::Second,
                worth().map(|card| card.worth.min(0.0)).collect(),
            ),
        ],
        below: "points a game that it is worth to hold the card (sackson)",
        unit: "",
        stand: Stand::SamePlace,
    }
}

fn mates(totals: &Totals) -> Bars {
    let by = |seat: usize| {
        totals.mates_in_move.iter().map(|mates| share(mates[seat], totals.wins)).collect()
    };
    Bars {
        file: "mates",
        groups: (1..=totals.mates_in_move.len()).map(|number| number.to_string()).collect(),
        series: vec![
            series("first mates", Colour::First, by(0)),
            series("second mates", Colour::Second, by(1)),
        ],
        below: "move of the mate (sackson; share of all mates)",
        unit: "%",
        stand: Stand::Beside,
    }
}

fn perfect(chapter: &Chapter) -> Bars {
    let deals: u32 = chapter.leads.perfect.iter().sum();
    Bars {
        file: "leads",
        groups: (1..=chapter.leads.perfect.len()).map(|number| number.to_string()).collect(),
        series: vec![series(
            "",
            Colour::First,
            chapter.leads.perfect.iter().map(|count| share(*count, deals)).collect(),
        )],
        below: "how many of the ten first leads are perfect (bga; share of all deals)",
        unit: "%",
        stand: Stand::Beside,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tidied_text_has_no_trailing_blanks_and_no_repeated_blank_lines() {
        assert_eq!(tidied("a \n\n \n\nb |\n| c | \n\n"), "a\n\nb |\n| c |\n\n");
    }
}
