//! Tests the texts generated from the command-line definition: help, completions and manual pages.

use std::collections::BTreeSet;

use overmate_puzzles::PuzzleSet;

use crate::support::Home;

const COMMANDS: [&str; 21] = [
    "play",
    "puzzle",
    "puzzles",
    "solve",
    "solved",
    "tablebase",
    "deal",
    "replay",
    "review",
    "arena",
    "bot",
    "rules",
    "serve",
    "admin",
    "archive",
    "backup",
    "database",
    "restore",
    "doctor",
    "completions",
    "man",
];

#[test]
fn every_command_has_help_with_examples() {
    let home = Home::new();
    let top = home.run(&["--help"]).ok();
    let is_narrow = |line: &str| line.chars().count() <= 80;
    assert!(top.contains("Exit codes:") && top.contains("NO_COLOR"), "{top}");
    for command in COMMANDS {
        assert!(top.contains(&format!("\n  {command} ")), "{top}");
        let help = home.run(&[command, "--help"]).ok();
        let (_, after) = help.split_once("\nExamples:\n").unwrap();
        assert!(after.lines().all(is_narrow), "a terminal of 80 columns breaks a line: {after}");
        assert!(help.contains("Examples:\n  overmate "), "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
        assert_eq!(home.run(&["help", command]).ok(), help);
        assert!(home.run(&[command, "-h"]).ok().contains("Usage:"));
    }
    assert!(home.run(&["--version"]).ok().starts_with("overmate "));
}

#[test]
fn the_help_of_puzzle_names_every_embedded_set() {
    let help = Home::new().run(&["puzzle", "--help"]).ok();
    let (_, sets) = help.split_once("The sets of the binary: ").unwrap();
    let words = || sets.split([' ', '\n', ',', ';', '.']).filter(|word| !word.is_empty());
    let embedded: Vec<&str> = PuzzleSet::names().map(|(rules, _)| rules).collect();
    let named: Vec<&str> = words().filter(|word| embedded.contains(word)).collect();
    assert_eq!(named, embedded);
}

#[test]
fn every_shell_has_completions_for_every_command() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = home.run(&["completions", shell]).ok();
        for command in COMMANDS {
            assert!(script.contains(command), "{shell}: {command}");
        }
        assert!(script.contains("resume"), "{shell}");
        // In shells that complete values of options, the completions contain names of opponents.
        let knows_values = !["elvish", "powershell"].contains(&shell);
        let told = |escaped: &str| script.contains("perfect:vs=9") || script.contains(escaped);
        assert!(!knows_values || told(r"perfect\:vs=9"), "{shell}");
    }
    home.run(&["completions", "cmd"]).fails(2, &["bash"]);
    home.run(&["completions"]).fails(2, &["<SHELL>"]);
}

#[test]
fn every_command_has_a_manual_page() {
    let home = Home::new();
    let page = home.run(&["man"]).ok();
    let version = home.run(&["--version"]).ok();
    let title = |name: &str| format!(".TH {name} 1  \"{}\"", version.trim_end());
    assert!(page.contains(&title("overmate")), "{page}");
    assert!(page.contains(".SH EXIT STATUS\n.nf\n  0  done\n"), "{page}");
    for command in COMMANDS {
        assert!(page.contains(&format!("overmate\\-{command}(1)")), "{page}");
        let (page, help) = (home.run(&["man", command]).ok(), home.run(&[command, "--help"]).ok());
        assert!(page.contains(&title(&format!("overmate-{command}"))), "{page}");
        let (_, usage) = help.split_once("\nUsage: ").unwrap();
        let (_, synopsis) = page.split_once("\n.SH SYNOPSIS\n").unwrap();
        let synopsis = synopsis.lines().next().unwrap().replace("\\fB", "").replace("\\fR", "");
        assert_eq!(synopsis.replace("\\-", "-"), usage.lines().next().unwrap());
        // The manual page keeps the line breaks of the examples.
        assert!(page.contains(".SH EXAMPLES\n.nf\n  overmate "), "{page}");
        let has_json = help.contains("\nJSON: ");
        assert_eq!(page.contains(".SH OUTPUT\n.nf\nJSON: "), has_json, "{page}");
        let headings: Vec<&str> = page.lines().filter(|line| line.starts_with(".SH ")).collect();
        let distinct: BTreeSet<&str> = headings.iter().copied().collect();
        assert_eq!(distinct.len(), headings.len(), "{headings:?}");
    }
    let page = home.run(&["man", "tablebase", "build"]).ok();
    assert!(page.contains(&title("overmate-tablebase-build")), "{page}");
    assert_eq!(home.run(&["man", "tablebase-build"]).ok(), page);
    home.run(&["man", "solve", "foo"])
        .fails(2, &["the command `solve` has no commands of its own"]);
    home.run(&["man", "tablebase-burn"]).fails(2, &["there is no command `burn`: use build"]);
    let refused = home
        .run(&["man", "chess"])
        .fails(2, &["there is no command `chess`: use play, puzzle, puzzles, solve"]);
    assert!(!refused.stderr.contains("openapi"), "a hidden command is named: {refused:?}");
}

#[test]
fn every_page_to_which_a_manual_page_refers_exists() {
    let home = Home::new();
    let mut names = COMMANDS.map(str::to_owned).to_vec();
    let mut read = 0;
    while let Some(name) = names.get(read).cloned() {
        let page = home.run(&["man", &name]).ok();
        assert!(page.contains(&format!(".TH overmate-{name} 1")), "{page}");
        let words = page.split_whitespace().filter_map(|word| word.strip_suffix("(1)"));
        names.extend(
            words
                .filter_map(|word| word.strip_prefix("overmate\\-"))
                .map(|name| name.replace('\\', "")),
        );
        read += 1;
    }
    for name in ["tablebase-build", "admin-fair-play", "admin-event-make"] {
        assert!(names.iter().any(|known| known == name), "{names:?}");
    }
}

#[test]
fn a_usage_error_exits_with_2() {
    let home = Home::new();
    home.run(&["chess"]).fails(2, &["unrecognized subcommand 'chess'"]);
    home.run(&["solve", "--fast", "0"]).fails(2, &["unexpected argument '--fast'"]);
    home.run(&["play", "--seat", "third"]).fails(2, &["first", "second"]);
    home.run(&["replay"]).fails(2, &["<FILE>"]);
    let ran = home.run(&[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains("Usage: overmate <COMMAND>"));
}
