//! Checks source files by project rules that neither the compiler nor Clippy covers.

mod cycles;
mod fault;
mod graph;
mod imports;
mod links;
mod manifests;
mod paths;
mod scripts;
mod sources;
mod tokens;

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, bail};
use xtask::repository::Repository;

use self::fault::RuleBreach;
use crate::files::{files, has_extension};

/// Function that checks a project rule on the text of a file. Returns the lines that break the
/// rule.
type Rule = fn(&str) -> Vec<RuleBreach>;

/// Project rule, with a predicate on file names that selects the files to which the rule applies.
struct Scope {
    applies: fn(&str) -> bool,
    rule: Rule,
}

/// Project rules that can be checked in each file separately.
const RULES: &[Scope] = &[
    Scope { applies: is_rust, rule: sources::opens_with_a_sentence },
    Scope { applies: is_crate_source, rule: sources::is_read_in_one_sitting },
    Scope { applies: is_written_by_hand, rule: sources::has_no_trailing_whitespace },
    Scope { applies: is_rust, rule: sources::has_no_tabs },
    Scope { applies: is_rust, rule: tokens::has_no_leftovers },
    Scope { applies: is_rules_source, rule: tokens::needs_no_std },
    Scope { applies: is_rules_root, rule: tokens::declares_no_std },
    Scope { applies: is_manifest, rule: manifests::gives_reasons },
    Scope { applies: |_| true, rule: paths::names_no_machine },
];

/// Checks all project rules in all files, and prints each line that breaks a rule.
pub(crate) fn run(repository: &Repository) -> Result<()> {
    let texts = read_all(repository)?;
    let mut faults = check(&texts, RULES);
    faults.extend(links::dead_links(&texts));
    faults.extend(cycles::import_cycles(&texts));
    report(faults, texts.len())
}

/// Returns the texts of all files in the repository, keyed by path. Bytes that are not valid UTF-8 are replaced.
fn read_all(repository: &Repository) -> Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    for file in files(repository)? {
        let bytes = fs::read(repository.path(&file))
            .with_context(|| format!("cannot read the source file {file}"))?;
        texts.insert(file, String::from_utf8_lossy(&bytes).into_owned());
    }
    Ok(texts)
}

fn check(texts: &BTreeMap<String, String>, rules: &[Scope]) -> Vec<(String, RuleBreach)> {
    let mut faults = Vec::new();
    for (file, text) in texts {
        for scope in rules.iter().filter(|scope| (scope.applies)(file)) {
            faults.extend((scope.rule)(text).into_iter().map(|fault| (file.clone(), fault)));
        }
    }
    faults
}

fn report(mut faults: Vec<(String, RuleBreach)>, files: usize) -> Result<()> {
    faults.sort_by(|(a, fault_a), (b, fault_b)| (a, fault_a.line).cmp(&(b, fault_b.line)));
    for (file, RuleBreach { line, what }) in &faults {
        eprintln!("{file}:{line}: {what}");
    }
    if !faults.is_empty() {
        bail!("{} lines break the project's rules, as listed above", faults.len());
    }
    eprintln!("{files} files are tidy");
    Ok(())
}

const RULES_ROOT: &str = "crates/overmate-rules/src/lib.rs";

fn is_rust(file: &str) -> bool {
    has_extension(file, "rs")
}

fn is_manifest(file: &str) -> bool {
    file == "Cargo.toml" || file.ends_with("/Cargo.toml")
}

fn is_crate_source(file: &str) -> bool {
    let mut folders = file.split('/');
    is_rust(file) && folders.next() == Some("crates") && folders.nth(1) == Some("src")
}

fn is_rules_root(file: &str) -> bool {
    file == RULES_ROOT
}

/// Returns whether a file is a source file of the crate `overmate-rules` and not a module of tests.
fn is_rules_source(file: &str) -> bool {
    let of_tests = |part: &str| part == "tests" || part == "tests.rs";
    is_rust(file)
        && file.starts_with("crates/overmate-rules/src/")
        && !file.split('/').any(of_tests)
}

/// Returns whether a file is handwritten, judged by its folder or its extension. Trailing spaces in such a file are
/// mistakes.
fn is_written_by_hand(file: &str) -> bool {
    const EXTENSIONS: [&str; 14] = [
        "css", "html", "js", "json", "md", "mjs", "rs", "sh", "sql", "svelte", "toml", "ts",
        "yaml", "yml",
    ];
    file.starts_with(".ci/") || EXTENSIONS.iter().any(|extension| has_extension(file, extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_applies_to_its_kind_of_file() {
        assert!(is_crate_source("crates/overmate/src/deep/down.rs"));
        assert!(!is_crate_source("crates/overmate/tests/all.rs"));
        assert!(!is_crate_source("xtask/src/main.rs"));
        assert!(is_rules_source("crates/overmate-rules/src/card.rs"));
        assert!(!is_rules_source("crates/overmate-rules/src/card/tests.rs"));
        assert!(!is_rules_source("crates/overmate-rules/tests/card.rs"));
        assert!(is_manifest("Cargo.toml") && is_manifest("fuzz/Cargo.toml"));
        assert!(is_written_by_hand(".ci/run") && !is_written_by_hand("fuzz/seeds/deal/one"));
    }

    #[test]
    fn all_faults_of_all_files_are_reported_at_once() {
        let texts = BTreeMap::from([
            ("a.rs".to_owned(), "fn a() {} \n".to_owned()),
            ("b.toml".to_owned(), "[b]\nc = 1 \n".to_owned()),
        ]);

        let faults = check(&texts, RULES);
        let places: Vec<_> =
            faults.iter().map(|(file, fault)| format!("{file}:{}", fault.line)).collect();

        assert_eq!(places, ["a.rs:1", "a.rs:1", "b.toml:2"]);
        assert!(report(faults, 2).is_err());
        assert!(report(Vec::new(), 2).is_ok());
    }
}
