//! Tests `overmate puzzles` and `overmate puzzle`.

use std::time::{SystemTime, UNIX_EPOCH};

use overmate_puzzles::{Puzzle, PuzzleEntry, PuzzleSet};
use overmate_rules::{Action, RuleSet};

use crate::support::Home;

/// Returns the string value of the field `name` in a JSON text. The string must hold no quotes.
fn field<'a>(json: &'a str, name: &str) -> &'a str {
    let (_, rest) = json.split_once(&format!("\"{name}\":\"")).expect("the field exists");
    rest.split_once('"').expect("the text ends").0
}

#[test]
fn puzzles_are_the_same_for_the_same_seed_and_their_positions_can_be_solved() {
    let home = Home::new();
    let args = ["puzzles", "--rules", "bga", "--count", "3", "--seed", "4", "--json"];
    let found = home.run(&args).ok();
    assert_eq!(found, home.run(&[&args[..], &["--threads", "2"]].concat()).ok());
    assert_eq!(found.lines().count(), 3);
    for line in found.lines() {
        let fields = [
            "id",
            "rules",
            "position",
            "to_act",
            "solution",
            "alternatives",
            "ending",
            "themes",
            "difficulty",
            "margin",
        ];
        let places: Vec<_> =
            fields.iter().map(|field| line.find(&format!("\"{field}\":"))).collect();
        assert!(places.is_sorted() && places[0].is_some(), "{line}");
        let solved = home.run(&["solve", "--rules", "bga", "--json", field(line, "position")]).ok();
        assert!(solved.contains(&format!("\"to_act\":\"{}\"", field(line, "to_act"))), "{solved}");
        let (_, solution) = line.split_once("\"solution\":[\"").unwrap();
        let first = solution.split_once('"').unwrap().0;
        let (_, value) = solved.split_once("\"value_for_first\":{\"exact\":").unwrap();
        let value = value.split_once(',').unwrap().0;
        let action = format!("{{\"action\":\"{first}\",\"value_for_first\":{{\"exact\":{value},");
        assert!(solved.contains(&action), "{action} in {solved}");
    }
}

#[test]
fn a_theme_that_a_rule_set_lacks_is_reported() {
    let home = Home::new();
    let ran = home.run(&["puzzles", "--rules", "denexa"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("lies face down"), "{}", ran.stderr);
    let ran = home.run(&["puzzles", "--theme", "chess"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("there is no theme `chess`: use only-action, "), "{}", ran.stderr);
    for (rules, theme) in
        [("sackson", "demand"), ("sackson", "free-move"), ("bga", "overmate"), ("bga", "foreplace")]
    {
        let impossible = format!("the rule set {rules} has no puzzle with the theme {theme}");
        home.run(&["puzzles", "--rules", rules, "--theme", theme]).fails(1, &[&impossible]);
    }
    let ran = home.run(&["puzzle", "--rules", "bga", "--theme", "overmate"]);
    assert!(
        ran.stderr.contains("no puzzle with the theme overmate for the rule set bga"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_puzzle_is_explained_when_it_is_solved_missed_or_given_up() {
    let home = Home::new();
    let args = ["puzzle", "--rules", "bga", "--theme", "mate-in-1", "--seed", "12"];
    let given_up = home.run_with(&args, "solution\n").ok();
    assert!(given_up.contains("The solution: with "), "{given_up}");
    let left = home.run_with(&args, "").ok();
    assert!(!left.contains("The solution"), "{left}");
    let (_, line) = given_up.split_once("\nSolution: ").unwrap();
    let line = line.lines().next().unwrap();
    // A mate in one is a single lead, printed after the number of the move.
    let mate = line.split_once(". ").unwrap().1.trim_end_matches('#');

    let solved = home.run_with(&args, format!("xx\n?\n{mate}\n")).ok();
    assert!(
        solved.contains("Not understood: xx. Type an action of the list, or ? for help."),
        "{solved}"
    );
    // The end of a line that is too long is not an action.
    let long = format!("{}{mate}\n", "x".repeat(200));
    let longer = format!("{}{mate}\n", "x".repeat(5000));
    for line in
        [long.as_bytes(), longer.as_bytes(), format!("\u{e4}{mate}\n").as_bytes(), b"\xff\n"]
    {
        let left = home.run_with(&args, line).ok();
        assert!(left.contains("> Not understood:") && !left.contains("Solved."), "{left}");
        assert_eq!(left.matches("\n> ").count(), 2, "{left}");
    }
    assert!(solved.contains("\n  solution  to see the solution\n"), "{solved}");
    assert!(solved.contains("Right: with best play you win "), "{solved}");
    assert!(solved.contains("Solved.\n"), "{solved}");
    assert!(solved.contains("You could give mate in this move."), "{solved}");

    // For a puzzle with a custom rule set, the program prints an `overmate solve` command with the path of the rule set's file. This
    // command shows the values of all actions.
    let toml = home.run(&["rules", "--toml", "bga"]).ok();
    let file = home.file("my bga.toml", &toml);
    let own = ["puzzle", "--rules", &file, "--theme", "mate-in-1", "--seed", "12"];
    let given_up = home.run_with(&own, "solution\n").ok();
    let (_, command) = given_up.split_once("All values: overmate ").unwrap();
    let command = shlex::split(command).unwrap();
    let command: Vec<&str> = command.iter().map(String::as_str).collect();
    assert_eq!(command[..3], ["solve", "--rules", &file]);
    home.run(&command).ok();

    let left = home.run_with(&args, "\nQUIT\n").ok();
    assert_eq!(left.matches("\nLegal: ").count(), 2, "{left}");
    assert!(!left.contains("olution: ") && !left.contains("overmate solve"), "{left}");

    let (_, legal) = given_up.split_once("\nLegal: ").unwrap();
    let wrong = legal
        .lines()
        .next()
        .unwrap()
        .split(' ')
        .map(|action| home.run_with(&args, format!("{action}\n")).ok());
    let wrong: Vec<String> = wrong.filter(|output| !output.contains("Solved.")).collect();
    assert!(
        !wrong.is_empty()
            && wrong.iter().all(
                |output| output.contains("\nWrong: with ") || output.contains("> Wrong: with ")
            )
    );
}

#[test]
fn a_solution_that_ends_before_the_mate_is_continued_to_the_mate() {
    let home = Home::new();
    let rules = RuleSet::named("bga").unwrap().shared();
    let set = PuzzleSet::embedded(&rules).unwrap();
    // If the seed is smaller than the number of puzzles that are not dull, `--seed` is the index of the chosen puzzle among these puzzles.
    let entries: Vec<_> = set.entries().iter().filter(|entry| !set.is_dull(entry)).collect();
    let ending = |entry: &&PuzzleEntry| !set.read(entry).unwrap().ending.is_empty();
    let index = entries.iter().position(ending).expect("a puzzle with an ending");
    let puzzle = set.read(entries[index]).unwrap();
    let args = ["puzzle", "--rules", "bga", "--seed", &index.to_string()];
    let given_up = home.run_with(&args, "solution\n").ok();
    assert!(given_up.contains(&puzzle.id()), "{given_up}");
    let (_, line) = given_up.split_once("\nBest play goes on: ").expect("an ending");
    assert!(line.lines().next().unwrap().ends_with('#'), "{line}");
    let decisions = puzzle.solution.main_line();
    let right = decisions.iter().map(|d| rules.action_text(d.branches[0].action).to_string());
    let right: Vec<String> = right.collect();
    let solved = home.run_with(&args, right.join("\n") + "\n").ok();
    assert!(solved.contains("\nSolved.\nBest play goes on: "), "{solved}");
}

#[test]
fn best_play_goes_on_after_the_main_line_of_several_lines() {
    let home = Home::new();
    let rules = RuleSet::named("bga").unwrap().shared();
    let set = PuzzleSet::embedded(&rules).unwrap();
    let has_both = |entry: &PuzzleEntry| {
        let puzzle = set.read(entry).unwrap();
        !puzzle.ending.is_empty() && puzzle.solution.lines().len() > 1
    };
    let mut entries = set.entries().iter().filter(|entry| !set.is_dull(entry));
    let index = entries.position(has_both).expect("an ending after several lines");
    let shown =
        home.run_with(&["puzzle", "--rules", "bga", "--seed", &index.to_string()], "solution\n");
    let found = home.run(&["puzzles", "--rules", "bga", "--count", "20", "--seed", "1"]);
    let mut with_alternatives = 0;
    for output in [shown.ok(), found.ok()] {
        let lines: Vec<&str> = output.lines().collect();
        for lines in lines.windows(3) {
            if lines[1].starts_with("Best play goes on: ") {
                assert!(lines[0].starts_with("Solution: "), "{output}");
                with_alternatives += usize::from(lines[2].starts_with("Or: "));
            }
        }
        assert!(with_alternatives > 0, "{output}");
    }
    assert!(with_alternatives > 1, "{with_alternatives}");
}

/// Returns the output of `overmate puzzle` for the first embedded puzzle of a rule set that `is_wanted` accepts. The player takes the right
/// actions of the main line. Also returns the puzzle.
fn solved(rules: &str, is_wanted: impl Fn(&Puzzle) -> bool) -> (String, Puzzle) {
    let shared = RuleSet::named(rules).unwrap().shared();
    let set = PuzzleSet::embedded(&shared).unwrap();
    let entries = set.entries().iter().filter(|entry| !set.is_dull(entry));
    let mut puzzles = entries.map(|entry| set.read(entry).unwrap()).enumerate();
    let (index, puzzle) = puzzles.find(|(_, puzzle)| is_wanted(puzzle)).expect("a puzzle");
    let line = puzzle.solution.main_line();
    let right: Vec<String> =
        line.iter().map(|at| shared.action_text(at.branches[0].action).to_string()).collect();
    let args = ["puzzle", "--rules", rules, "--seed", &index.to_string()];
    let shown = Home::new().run_with(&args, right.join("\n") + "\n").ok();
    assert!(shown.contains(&puzzle.id()) && shown.contains("Solved."), "{shown}");
    (shown, puzzle)
}

#[test]
fn a_puzzle_says_whether_the_free_move_has_been_used() {
    for (is_used, text) in
        [(false, "The free move is still available."), (true, "The free move has been used.")]
    {
        let (shown, _) =
            solved("sackson+free-move", |puzzle| puzzle.position().free_move_used() == is_used);
        assert!(
            shown.contains(&format!("\n{text}\nMove"))
                || shown.contains(&format!("\n{text}\nYou lead")),
            "{shown}"
        );
    }
    assert!(!solved("sackson", |_| true).0.contains("free move"));
}

#[test]
fn a_puzzle_shows_the_demand_of_the_lead() {
    let (shown, puzzle) = solved("rael+kings-privilege", |puzzle| {
        puzzle.position().lead().is_some_and(|lead| matches!(lead.into(), Action::Demand(_)))
    });
    let lead = puzzle.position().lead().unwrap();
    let card = puzzle.position().rules().deck().card_text(lead.card).to_string();
    assert!(shown.contains(&format!(": answer {card}!\n")), "{shown}");
}

#[test]
fn a_puzzle_tells_the_opponents_foreplacing_in_words() {
    let follow_up = |puzzle: &Puzzle| puzzle.solution.branches[0].follow_up.first().copied();
    let (shown, _) = solved("sackson", |puzzle| follow_up(puzzle) == Some(Action::Decline));
    assert!(
        shown.contains("\nYour opponent foreplaces nothing.\n")
            || shown.contains("\nYou foreplace nothing;"),
        "{shown}"
    );
    let (shown, puzzle) =
        solved("sackson", |puzzle| matches!(follow_up(puzzle), Some(Action::Foreplace(_))));
    let card = follow_up(&puzzle).and_then(Action::card).unwrap();
    let card = puzzle.position().rules().deck().card_text(card).to_string();
    assert!(shown.contains(&format!("\nYour opponent foreplaces {card}.\n")), "{shown}");
}

#[test]
fn the_puzzle_of_a_day_follows_from_the_date() {
    let home = Home::new();
    let rules = RuleSet::named("bga").unwrap().shared();
    let set = PuzzleSet::embedded(&rules).unwrap();
    // The numbers of days since 1970 come from `date --utc --date DATE +%s`, divided by 86,400.
    for (date, day) in [
        ("1969-12-31", -1),
        ("1970-01-01", 0),
        ("2024-02-28", 19_781),
        ("2024-02-29", 19_782),
        ("2024-03-01", 19_783),
        ("2026-11-21", 20_778),
    ] {
        let args = ["puzzle", "--rules", "bga", "--daily", "--date", date];
        let shown = home.run_with(&args, "solution\n").ok();
        let without_daily = ["puzzle", "--rules", "bga", "--date", date];
        assert_eq!(home.run_with(&without_daily, "solution\n").ok(), shown);
        let id = &set.of_day(day).unwrap().id;
        assert!(shown.starts_with(&format!("Puzzle of {date}: {id}, bga, ")), "{shown}");
    }

    // The test reads the date before and after `overmate puzzle --daily`, because midnight may pass while the command runs.
    let today = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() / 86_400;
    let before = today();
    let shown = home.run_with(&["puzzle", "--rules", "bga", "--daily"], "solution\n").ok();
    let ids = (before..=today()).map(|day| &set.of_day(i64::try_from(day).unwrap()).unwrap().id);
    assert!(ids.into_iter().any(|id| shown.contains(&format!(": {id}, bga, "))), "{shown}");

    let ran = home.run(&["puzzle", "--rules", "bga+pinochle", "--daily"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("bga+pinochle has no puzzle of the day: use --rules with bga, "));
    for args in
        [["--daily", "--seed=1"], ["--daily", "--theme=wait"], ["--seed=1", "--date=2026-11-21"]]
    {
        assert_eq!(home.run(&[&["puzzle"][..], &args].concat()).code, Some(2), "{args:?}");
    }
}
