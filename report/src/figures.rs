//! Writes the computed statistics of the document "Mate, solved" as tables, for other programs and for a test that recomputes a sample.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::document::Report;

/// Writes the table `figures.tsv` with the totals over all deals of each rule set. Rule sets that differ only in name and number of rounds
/// share a row. Writes `examples.tsv` with the value of every example deal.
pub(crate) fn write(folder: &Path, report: &Report) -> Result<()> {
    write_totals(&folder.join("figures.tsv"), report)?;
    write_examples(&folder.join("examples.tsv"), report)
}

fn table(file: &Path) -> Result<csv::Writer<std::fs::File>> {
    csv::WriterBuilder::new()
        .delimiter(b'\t')
        .from_path(file)
        .with_context(|| format!("cannot write the statistics to {}", file.display()))
}

fn write_totals(file: &Path, report: &Report) -> Result<()> {
    let mut tsv = table(file)?;
    tsv.write_record([
        "rules",
        "same_rules",
        "deals",
        "first_wins",
        "draws",
        "second_wins",
        "sum_for_first",
        "highest",
        "lowest",
        "first_needs",
        "second_needs",
        "sum_if_nobody_may",
        "moves",
        "perfect_leads",
        "overmates",
    ])?;
    for game in &report.games {
        let t = &game.totals;
        tsv.write_record([
            t.name.clone(),
            game.names[1..].join(" "),
            t.deals.to_string(),
            t.first_wins.to_string(),
            t.draws.to_string(),
            t.second_wins.to_string(),
            t.sum.to_string(),
            t.highest.value.to_string(),
            t.lowest.value.to_string(),
            t.first_needs.to_string(),
            t.second_needs.to_string(),
            t.if_nobody.sum.to_string(),
            t.moves.sum.to_string(),
            t.perfect_leads.sum.to_string(),
            t.overmates.to_string(),
        ])?;
    }
    tsv.flush()?;
    Ok(())
}

fn write_examples(file: &Path, report: &Report) -> Result<()> {
    let mut deals: BTreeSet<(&str, u64, i32)> = BTreeSet::new();
    for game in &report.games {
        let t = &game.totals;
        for peak in [t.highest, t.lowest] {
            deals.insert((&t.name, peak.example, peak.value));
        }
    }
    for example in report.bases.values().flat_map(|chapter| chapter.examples.values()) {
        deals.insert((&example.rules, example.deal, example.value));
        deals.insert((&example.rules, example.mirrored_deal, example.mirrored));
    }
    let mut tsv = table(file)?;
    tsv.write_record(["rules", "deal", "value_for_first"])?;
    for (rules, deal, value) in deals {
        tsv.write_record([rules, &deal.to_string(), &value.to_string()])?;
    }
    tsv.flush()?;
    Ok(())
}
