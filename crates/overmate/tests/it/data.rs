//! Tests that `overmate data` shows the values in a file, compares the values with the solver, and reports every kind of
//! fault.

use std::fs;
use std::ops::Range;

use overmate_data::{DealColumn, DealTable};
use overmate_rules::{Deal, Dealt, Position, RuleSet};
use overmate_solver::whole::{WholeGame, WholeOptions};
use overmate_solver::{Budget, Progress, Solver};
use serde_json::Value;

use crate::support::Home;

/// Returns the solver's values of a range of deals under the rule set `name`. Each deal is solved separately.
fn solved(name: &str, deals: Range<u64>) -> DealColumn {
    let rules = RuleSet::named(name).unwrap().shared();
    let mut solver = Solver::new();
    let value = |number| {
        let position = Position::start(&Deal::numbered(&rules, number).unwrap());
        solver.value(&position, &Budget::unlimited()).exact().unwrap().points()
    };
    DealColumn { rules: name.to_owned(), values: deals.map(value).collect() }
}

/// Writes a file of deal values with the given columns, and returns the path of the file.
fn write(home: &Home, name: &str, deals: Range<u64>, columns: Vec<DealColumn>) -> String {
    let rules = RuleSet::named(&columns[0].rules).unwrap().shared();
    let path = home.path(name);
    DealTable::new(&rules, deals, columns).unwrap().write_parquet(&path).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Formats a number of points with its sign, as `overmate data` prints the number.
fn signed(points: i32) -> String {
    if points == 0 { "0".to_owned() } else { format!("{points:+}") }
}

/// Returns the JSON objects in a text that has one object per line.
fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the JSON objects that `overmate solve` prints for a range of deals.
fn solve(home: &Home, rules: &str, deals: &Range<u64>) -> Vec<Value> {
    let range = format!("{}..{}", deals.start, deals.end);
    objects(&home.run(&["solve", "--rules", rules, "--json", &range]).ok())
}

/// Tests that `overmate data` shows, for each deal in a file, the value that the solver computes. The values in the file come from
/// retrograde analysis, and the expected values from solving each deal separately.
#[test]
fn a_file_of_all_deals_shows_the_values_of_the_solver() {
    let home = Home::new();
    let rules = RuleSet::named("bga").unwrap().shared();
    let options = WholeOptions::default().with_threads(2);
    let whole = WholeGame::solve(&rules, options, &Progress::default()).unwrap();
    let values = whole.deal_facts().iter().map(|facts| facts.value_for_first.points()).collect();
    let column = |name: &str, values| DealColumn { rules: name.to_owned(), values };
    let columns = vec![column("bga", values)];
    let file = write(&home, "single.parquet", 0..Dealt::count(&rules), columns);

    let found = objects(&home.run(&["data", "--json", &file]).ok());
    assert_eq!(found.len(), 1);
    let count = |key: &str| found[0][key].as_i64().unwrap();
    assert_eq!((found[0]["rules"].as_str(), count("deals")), (Some("bga"), 184_756));
    // The test of the command `overmate solved` expects these numbers of wins and draws, too.
    let wins = ["first_wins", "second_wins", "draws"].map(count);
    assert_eq!(wins, [91_353, 40_138, 53_265]);
    let extremes = ["least_value_for_first", "most_value_for_first"].map(count);
    assert_eq!(extremes, [-110, 110]);
    let mean = found[0]["mean_value_for_first"].as_f64().unwrap();
    assert!((mean * 184_756.0 - 2_761_598.0).abs() < 0.01, "{mean}");

    let deals = 20_000..20_060;
    let shown = home.run(&["data", "--json", &file, "20000..20060"]).ok();
    let csv = home.run(&["data", "--csv", &file, "20000..20060"]).ok();
    assert!(csv.starts_with("deal,same_as,first,second,bga\n"), "{csv}");
    let expected = solve(&home, "bga", &deals);
    assert_eq!((expected.len(), csv.lines().count()), (60, 61));
    for ((shown, line), expected) in objects(&shown).iter().zip(csv.lines().skip(1)).zip(&expected)
    {
        let value = &expected["value_for_first"]["exact"];
        assert_eq!(&shown["values_for_first"]["bga"], value);
        for key in ["deal", "first", "second"] {
            assert_eq!(shown[key], expected[key]);
        }
        let hand = |key: &str| {
            let cards = expected[key].as_array().unwrap().iter();
            cards.map(|card| card.as_str().unwrap()).collect::<Vec<_>>().join(" ")
        };
        let deal = expected["deal"].as_str().unwrap();
        let row = format!("{deal},{deal},{},{},{value}", hand("first"), hand("second"));
        assert_eq!(line, row);
    }
    let verified = home.run(&["data", "--verify", "200", "--seed", "7", &file]).ok();
    assert!(
        verified.starts_with(
            "All is in order\n  200 values of 200 random deals in 1 rule set are those of the solver\nVerified in "
        ),
        "{verified}"
    );
}

#[test]
fn several_rule_sets_are_shown_and_chosen() {
    let home = Home::new();
    let names = ["sackson", "pagat", "denexa+free-move"];
    let columns = names.map(|name| solved(name, 500..540)).to_vec();
    let file = write(&home, "some.parquet", 500..540, columns.clone());

    let found = home.run(&["data", &file]).ok();
    assert!(found.starts_with(&format!("{file}: 40 deals, 3 rule sets\nPoints for first")));
    assert_eq!(found.lines().count(), 7, "{found}");
    for (line, DealColumn { rules, values }) in found.lines().skip(4).zip(&columns) {
        let (least, most) = (values.iter().min().unwrap(), values.iter().max().unwrap());
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[..3], [rules.as_str(), "40", &signed(*least)]);
        assert_eq!(words[4], signed(*most));
        let share = |wanted: fn(i32) -> bool| {
            let count = values.iter().filter(|value| wanted(**value)).count();
            format!("{}.{}", count * 100 / 40, if count % 2 == 1 { "50" } else { "00" })
        };
        let shares = [words[5], words[7], words[9]];
        assert_eq!(shares, [share(|v| v > 0), share(|v| v == 0), share(|v| v < 0)]);
    }

    let shown = home.run(&["data", "--json", &file, "500..510", "530"]).ok();
    for (name, index) in [("sackson", 0), ("pagat", 1), ("denexa+free-move", 2)] {
        let expected = solve(&home, name, &(500..510));
        for (row, (shown, expected)) in objects(&shown).iter().zip(&expected).enumerate() {
            assert_eq!(shown["values_for_first"][name], expected["value_for_first"]["exact"]);
            assert_eq!(shown["values_for_first"][name], columns[index].values[row]);
        }
    }
    assert_eq!(shown.lines().count(), 11);

    let restricted = home.run(&["data", "--rules", "pagat", &file]).ok();
    assert!(restricted.starts_with(&format!("{file}: 40 deals, 1 of 3 rule sets\n")));
    let deal = Deal::numbered(&RuleSet::named("pagat").unwrap().shared(), 507).unwrap();
    let text = deal.to_string();
    let chosen = ["data", "--rules", "denexa+free-move", "--rules", "sackson", &file];
    let by_number = home.run(&[&chosen[..], &["507"]].concat()).ok();
    assert!(by_number.starts_with("Deal 507\n  first   "), "{by_number}");
    let at = |name: &str| by_number.find(&format!("  {name} ")).unwrap();
    assert!(at("denexa+free-move") < at("sackson") && !by_number.contains("pagat"));
    assert_eq!(home.run(&[&chosen[..], &[&text]].concat()).ok(), by_number);
    let piped = home.run_with(&[&chosen[..], &["-"]].concat(), "507\n").ok();
    assert_eq!(piped, by_number);
    // A rule set that is named twice is shown once.
    let twice = [&chosen[..5], &["--rules", "denexa+free-move", "--json", &file, "507"]].concat();
    let once = [&chosen[..5], &["--json", &file, "507"]].concat();
    let object = home.run(&twice).ok();
    assert_eq!(object.matches("\"denexa+free-move\":").count(), 1, "{object}");
    assert_eq!(object, home.run(&once).ok());
    let verified = home.run(&["data", "--verify", "1000", &file]).ok();
    assert!(
        verified.contains("  120 values of 40 random deals in 3 rule sets are those of the solver")
    );
}

#[test]
fn numbers_of_the_same_deal_keep_their_rows() {
    let home = Home::new();
    let file = write(&home, "double.parquet", 0..400, vec![solved("bga+double", 0..400)]);
    let rows = objects(&home.run(&["data", "--json", &file, "0..400"]).ok());
    let mut twins = 0;
    for (number, row) in rows.iter().enumerate() {
        assert_eq!(row["deal"], number.to_string());
        let same_as: usize = row["same_as"].as_str().unwrap().parse().unwrap();
        assert!(same_as <= number);
        for key in ["first", "second", "values_for_first"] {
            assert_eq!(row[key], rows[same_as][key]);
        }
        twins += usize::from(same_as < number);
    }
    assert!(rows.len() == 400 && twins > 100, "{twins}");
    let twin = rows.iter().find(|row| row["same_as"] != row["deal"]).unwrap();
    let (deal, same_as) = (twin["deal"].as_str().unwrap(), twin["same_as"].as_str().unwrap());
    let shown = home.run(&["data", &file, deal]).ok();
    let text = format!("\n  The smallest number of the same deal is {same_as}.\n");
    assert!(shown.starts_with(&format!("Deal {deal}\n")) && shown.contains(&text), "{shown}");
    let verified = home.run(&["data", "--verify", "20", &file]).ok();
    assert!(verified.contains(&format!(
        "\n  {twins} rows of the same deals as other rows, with the same values\n"
    )));
}

#[test]
fn verification_names_a_wrong_value() {
    let home = Home::new();
    let mut column = solved("sackson", 100..120);
    let correct = column.values[7];
    column.values[7] += 1;
    let other = solved("pagat", 100..120);
    let file = write(&home, "wrong.parquet", 100..120, vec![other, column]);
    let (found, correct) = (signed(correct + 1), signed(correct));
    let fault = format!(
        "deal 107 has the value {found} in the column `sackson`, but the solver finds {correct}"
    );
    home.run(&["data", "--verify", "20", &file])
        .fails(1, &["wrong.parquet has not passed the verification", &fault]);
    home.run(&["data", "--verify", "20", "--rules", "pagat", &file]).ok();

    let rules = RuleSet::named("bga+double").unwrap().shared();
    let canonical = |number| Deal::numbered(&rules, number).unwrap().number();
    let twin = (0..60).rev().find(|&number| canonical(number) < number).unwrap();
    let mut column = solved("bga+double", 0..60);
    column.values[usize::try_from(twin).unwrap()] += 1;
    let file = write(&home, "twins.parquet", 0..60, vec![column]);
    let fault = format!(
        "the deal numbers {} and {twin} name one deal, but have different values in the column `bga+double`",
        canonical(twin)
    );
    home.run(&["data", "--verify", "1", &file]).fails(1, &[&fault]);
}

#[test]
fn faults_of_files_and_arguments_are_reported() {
    let home = Home::new();
    let file = write(&home, "some.parquet", 500..540, vec![solved("bga", 500..540)]);
    let bytes = fs::read(&file).unwrap();
    let mut changed = bytes.clone();
    changed[bytes.len() / 3] ^= 4;
    let cut = home.file("cut.parquet", &bytes[..bytes.len() - 100]);
    let changed = home.file("changed.parquet", &changed);
    let text = home.file("text.parquet", "deal,same_as\n");
    for (args, code, fault) in [
        (&["none.parquet"][..], 1, "the file none.parquet cannot be read as a file of deal values"),
        (&[&text], 1, "the file is not a Parquet file: choose a file"),
        (&[&cut], 1, "the file is not complete: copy or write the file again"),
        (&[&changed], 1, "the file is damaged ("),
        (&["--rules", "pagat", &file], 1, "the file has no column `pagat`: choose bga"),
        (&["--rules", "chess", &file], 2, "there is no rule set `chess`"),
        (
            &[&file, "541"],
            1,
            "the file has no deal 541: choose a deal that the file lists, from 500 to 539",
        ),
        (&[&file, "538..542"], 1, "the file has no deal 540"),
        (&[&file, "184756"], 1, "`184756` is not a deal of bga"),
        (&[&file, "9..5"], 1, "ends before its start"),
        (&[&file, "x"], 1, "a deal is a number, a range such as 0..1000, or two hands such as"),
        (&[&file, "AcTc/AhKh second -/- - -"], 1, "not the start of a game"),
        (&["--csv", &file], 2, "<DEAL>"),
        (&["--csv", "--json", &file, "500"], 2, "cannot be used with"),
        (&["--verify", "0", &file], 2, "0 is not in 1.."),
        (&["--verify", "1", &file, "500"], 2, "cannot be used with"),
        (&["--seed", "1", &file], 2, "--verify"),
        (&[], 2, "<FILE>"),
    ] {
        home.run(&[&["data"], args].concat()).fails(code, &[fault]);
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_the_rows_without_an_error() {
    let home = Home::new();
    let column = DealColumn { rules: "bga".to_owned(), values: vec![0; 20_000] };
    let file = write(&home, "many.parquet", 0..20_000, vec![column]);
    for form in ["--json", "--csv"] {
        let script = format!("\"$0\" data {form} {file} 0..20000 | head -n 1; echo $?");
        let ran: crate::support::Ran = home.shell(&script).output().unwrap().into();
        assert_eq!(ran.ok().lines().count(), 2);
    }
}
