//! Tests the JSON output and the errors of `overmate solved`. Its counts must agree with `overmate solve`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{Home, SMALL, without_seconds};

/// Small rule sets that differ from one another in many rules, with decks of ten or twelve cards. The last deck has identical
/// cards.
pub(crate) const VARIED: [(&str, &str); 4] =
    [("twelve", TWELVE), ("free", FREE), ("doubled", DOUBLED), ("double", DOUBLE)];

const TWELVE: &str = r#"
name = "twelve"
[deck]
suits = [{ letter = "x", name = "x" }, { letter = "y", name = "y" }, { letter = "z", name = "z" }]
ranks = [
  { letter = "A", name = "ace", value = 11 }, { letter = "K", name = "king", value = 4 },
  { letter = "Q", name = "queen", value = 3 }, { letter = "7", name = "seven", value = 7 },
]
[foreplacing]
face = "up"
second_restricted = true
sole = "one-move-more"
overmate = "either"
"#;

const FREE: &str = r#"
name = "free"
free_move = true
[deck]
suits = [{ letter = "x", name = "x" }, { letter = "y", name = "y" }]
ranks = [
  { letter = "A", name = "ace", value = 11 }, { letter = "T", name = "ten", value = 10 },
  { letter = "K", name = "king", value = 4 }, { letter = "Q", name = "queen", value = 3 },
  { letter = "7", name = "seven", value = 7 },
]
[foreplacing]
face = "down"
second_restricted = false
sole = "one-move-more"
overmate = "foreplacer"
[privilege]
ranks = ["K"]
on_demand = false
"#;

const DOUBLED: &str = r#"
name = "doubled"
free_move = true
[deck]
suits = [{ letter = "x", name = "x" }, { letter = "y", name = "y" }]
ranks = [
  { letter = "K", name = "king", value = 11 }, { letter = "Q", name = "queen", value = 10 },
  { letter = "R", name = "rook", value = 7 }, { letter = "B", name = "bishop", value = 4 },
  { letter = "N", name = "knight", value = 3 },
]
[foreplacing]
face = "up"
second_restricted = false
sole = "doubled"
overmate = "nobody"
[privilege]
ranks = ["K", "Q"]
on_demand = true
"#;

const DOUBLE: &str = r#"
name = "double"
[deck]
suits = [{ letter = "x", name = "x" }, { letter = "y", name = "y" }]
ranks = [
  { letter = "A", name = "ace", value = 11 }, { letter = "K", name = "king", value = 4 },
  { letter = "7", name = "seven", value = 7 },
]
cards = ["Ax Kx Kx 7x 7x", "Ay Ay Ky 7y 7y"]
[foreplacing]
face = "up"
second_restricted = true
sole = "one-move-more"
overmate = "either"
"#;

fn object(home: &Home, args: &[&str]) -> Value {
    let text = home.run(&[&["solved", "--json"], args].concat()).ok();
    assert_eq!(text.lines().count(), 1);
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_fields_of_solved_stand_in_order() {
    let home = Home::new();
    let rules = home.file("small.toml", SMALL);
    let found = home.run(&["solved", "--rules", &rules, "--json", "--threads", "1"]).ok();

    let head = r#"{"rules":"small","positions":141,"deals":20,"first_wins":"#;
    assert!(found.starts_with(head), "{found}");
    let mut from = 0;
    for field in [
        "\"rules\"",
        "\"positions\"",
        "\"deals\"",
        "\"first_wins\"",
        "\"second_wins\"",
        "\"draws\"",
        "\"mean_value_for_first\"",
        "\"histogram\":{\"",
        "\"foreplacing\":{\"none\":20,\"first\":0,",
        "\"second\":0,\"both\":0}",
        "\"layers\":[{\"leader_cards\":0,\"other_cards\":0,",
        "\"free_move\":false,\"positions\":1,\"sum_for_leader\":0,\"sum_of_squares\":0},",
        "\"seconds\":",
        "\"kernel\":\"",
        "\"threads\":1}\n",
    ] {
        let at = found[from..].find(field);
        from += at.unwrap_or_else(|| panic!("{field} is missing or too early in {found}"));
    }
}

/// Returns the number of deals for each deal value, counted in the output of `overmate solve` for all deals of a rule set. If `distinct` is
/// true, each deal counts once, although several numbers may name the deal.
fn by_deal(home: &Home, rules: &str, distinct: bool) -> BTreeMap<i64, u64> {
    let count = object(home, &["--rules", rules])["deals"].as_u64().unwrap();
    let range = format!("0..{count}");
    let lines = home.run(&["solve", "--rules", rules, "--json", &range]).ok();
    let mut histogram = BTreeMap::new();
    for (number, line) in (0u64..).zip(lines.lines()) {
        let number = number.to_string();
        let deal: Value = serde_json::from_str(line).unwrap();
        // Each printed line contains the deal's canonical number, which is the smallest number that names the deal.
        if !distinct || deal["deal"] == number.as_str() {
            *histogram.entry(deal["value_for_first"]["exact"].as_i64().unwrap()).or_default() += 1;
        }
    }
    histogram
}

fn check_sums(found: &Value, histogram: &BTreeMap<i64, u64>) {
    let count = |wanted: fn(i64) -> bool| -> u64 {
        histogram.iter().filter(|(value, _)| wanted(**value)).map(|(_, count)| count).sum()
    };
    assert_eq!(found["deals"], count(|_| true));
    assert_eq!(found["first_wins"], count(|value| value > 0));
    assert_eq!(found["second_wins"], count(|value| value < 0));
    assert_eq!(found["draws"], count(|value| value == 0));
    let number = |n: i64| f64::from(i32::try_from(n).unwrap());
    let terms = histogram.iter().map(|(value, count)| number(value * count.cast_signed()));
    let sum: f64 = terms.sum();
    let mean = found["mean_value_for_first"].as_f64().unwrap();
    let deals = found["deals"].as_f64().unwrap();
    assert!((mean * deals - sum).abs() < 1e-6, "{mean} {sum}");
}

#[test]
fn the_counts_equal_those_of_solving_deal_by_deal() {
    let home = Home::new();
    for (name, text) in VARIED {
        let rules = home.file(&format!("{name}.toml"), text);
        let found = object(&home, &["--rules", &rules]);
        let histogram = by_deal(&home, &rules, false);
        check_sums(&found, &histogram);
        let told = found["histogram"].as_object().unwrap().iter();
        let told: BTreeMap<i64, u64> =
            told.map(|(value, n)| (value.parse().unwrap(), n.as_u64().unwrap())).collect();
        assert_eq!(told, histogram, "{name}");

        let needs = found["foreplacing"].as_object().unwrap();
        let sum: u64 = needs.values().map(|n| n.as_u64().unwrap()).sum();
        assert_eq!(found["deals"], sum);
        assert!(needs["none"].as_u64().unwrap() < sum, "{name}: nobody ever needs to foreplace");
        let layers = found["layers"].as_array().unwrap();
        let positions: u64 = layers.iter().map(|layer| layer["positions"].as_u64().unwrap()).sum();
        assert_eq!(found["positions"], positions);

        assert_eq!(found.get("distinct").is_some(), name == "double");
        if let Some(distinct) = found.get("distinct") {
            check_sums(distinct, &by_deal(&home, &rules, true));
            assert!(distinct["deals"].as_u64() < found["deals"].as_u64());
        }
    }
}

#[test]
fn all_kernels_give_the_same_results() {
    let home = Home::new();
    for (name, text) in VARIED {
        let rules = home.file(&format!("{name}.toml"), text);
        let run = |kernel: &str, threads: &str| {
            let args = ["solved", "--rules", &rules, "--json", "--kernel", kernel];
            home.run(&[&args[..], &["--threads", threads]].concat())
        };
        let portable = run("portable", "1").ok();
        for kernel in ["avx512", "avx2", "portable"] {
            let ran = run(kernel, "3");
            if ran.code == Some(1) {
                ran.fails(1, &["this processor lacks the instructions of the kernel", kernel]);
                continue;
            }
            let found = ran.ok();
            let (tail, expected) = (format!(",\"kernel\":\"{kernel}\",\"threads\":3"), &portable);
            assert!(found.contains(&tail), "{found}");
            let expected = expected.replace(r#","kernel":"portable","threads":1"#, &tail);
            assert_eq!(without_seconds(&found), without_seconds(&expected), "{name}");
        }
    }
}

/// Tests the solution of all deals of the rule set `bga`, the only rule set with 20 cards in these
/// tests. The expected counts come from solving each deal separately.
#[test]
fn the_whole_of_bga() {
    let home = Home::new();
    let found = object(&home, &["--rules", "bga"]);

    assert_eq!(found["positions"], 377_379_369);
    assert_eq!(found["deals"], 184_756);
    let wins = [&found["first_wins"], &found["second_wins"], &found["draws"]];
    assert_eq!(wins, [91_353, 40_138, 53_265]);
    assert_eq!(found["layers"].as_array().unwrap().len(), 11);
    assert_eq!(found["layers"][10]["sum_for_leader"], 2_761_598);
}

#[test]
fn solved_prints_tables_without_json() {
    let home = Home::new();
    let rules = home.file("double.toml", DOUBLE);
    let found = home.run(&["solved", "--rules", &rules, "--threads", "2"]).ok();
    for text in [
        "The whole game of double\n",
        " positions, solved in ",
        " s by 2 threads with ",
        "               deals  per cent\n  first wins  ",
        "\n  all            252\nMean value for first: +",
        "several numbers name one deal",
        "distinct  per cent\n",
        " most frequent of ",
        "Players who would do worse without the right to foreplace:\n",
        "\nPositions in which a card is to be led:\n  leader holds  other holds",
    ] {
        assert!(found.contains(text), "`{text}` is missing in: {found}");
    }
    let rules = home.file("small.toml", SMALL);
    let found = home.run(&["solved", "--rules", &rules]).ok();
    assert!(!found.contains("foreplace") && !found.contains("distinct"), "{found}");
}

#[test]
fn an_unsolvable_rule_set_is_reported() {
    let home = Home::new();
    home.run(&["solved", "--rules", "bga+pinochle"]).fails(
        1,
        &["bga+pinochle cannot be solved as a whole", "at most 20 cards, but the deck has 48"],
    );
    home.run(&["solved", "--threads", "0"]).fails(2, &["--threads", "0 is not in 1..=1024"]);
    home.run(&["solved", "--kernel", "fast"]).fails(2, &["--kernel", "avx512, avx2, portable"]);

    // The score of a mate in this rule set is one of ten card values times one of fifteen factors. The 150 products of a value and a factor
    // all differ.
    let values = [997, 991, 983, 977, 971, 967, 953, 947, 941, 937];
    let ranks: Vec<String> = ('A'..)
        .zip(values)
        .map(|(letter, value)| {
            format!(r#"{{ letter = "{letter}", name = "{letter}", value = {value} }}"#)
        })
        .collect();
    let doubled =
        DOUBLED.split_once("[foreplacing]").unwrap().1.split_once("[privilege]").unwrap().0;
    let many = format!(
        "name = \"many\"\n[deck]\nsuits = [{}]\nranks = [{}]\n[foreplacing]{doubled}",
        r#"{ letter = "x", name = "x" }, { letter = "y", name = "y" }"#,
        ranks.join(", ")
    );
    let rules = home.file("many.toml", many);
    home.run(&["solved", "--rules", &rules]).fails(1, &["more than 126 different scores"]);
}

#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_reported() {
    let home = Home::new();
    let mut command = home.shell("ulimit -v 300000; exec \"$0\" solved --rules bga --threads 1");
    let ran: crate::support::Ran = command.output().unwrap().into();
    ran.fails(
        1,
        &[
            "bga cannot be solved as a whole",
            "the system refused the 377 MB of memory that the values of all positions need",
        ],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_solved_at_once() {
    let home = Home::new();
    let args = ["solved", "--rules", "bga", "--kernel", "portable", "--threads", "1"];
    let child = home.command(args).spawn().unwrap();
    crate::support::wait_until_ctrl_c_is_handled(&child);
    let ran = crate::support::interrupt(child);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(130), "", ""));
}
