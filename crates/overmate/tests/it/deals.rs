//! Tests valid and invalid deals, given as command-line arguments and as lines of the standard input.

use crate::support::{Home, Ran};

const FIRST: &str = "Ac Tc Kc Qc 7c As Ts Ks Qs 7s";
const SECOND: &str = "Ah Th Kh Qh 7h Ad Td Kd Qd 7d";
const ZERO: &str = r#"{"rules":"sackson","deal":"0","first":["Ac","Tc","Kc","Qc","7c","As","Ts","Ks","Qs","7s"],"second":["Ah","Th","Kh","Qh","7h","Ad","Td","Kd","Qd","7d"]}"#;

#[test]
fn deals_are_read_in_every_accepted_form() {
    let home = Home::new();
    let symbols = "10♣ a♣ Kc qC 7c as 10s ks qs 7s/ah th kh qh 7h ad td kd qd 7d";
    let hands = format!("{FIRST} / {SECOND}");
    for deal in ["0", "000", "0..1", &hands, symbols, &hands.replace(' ', "")] {
        assert_eq!(home.run(&["deal", "--json", deal]).ok(), format!("{ZERO}\n"), "{deal}");
    }
    let found = home.run(&["deal", "0"]).ok();
    assert!(found.starts_with("Deal 0, sackson\n"), "{found}");
    assert!(found.contains("\n  spades    As Ts Ks Qs 7s  -\n"), "{found}");
    assert!(found.ends_with(&format!("  {hands}\n")), "{found}");
}

#[test]
fn deal_prints_the_canonical_number() {
    let home = Home::new();
    // Two deal numbers may name the same deal, because the deck has two sevens of clubs.
    let found = home.run(&["deal", "--rules", "sackson+double", "--json", "1", "2"]).ok();
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.len(), 2);
    for (number, line) in lines.iter().enumerate() {
        let again = line.split_once(r#""deal":""#).unwrap().1.split_once('"').unwrap().0;
        assert!(again.parse::<usize>().unwrap() <= number + 1, "{line}");
    }
}

#[test]
fn random_deals_depend_on_the_seed_alone() {
    let home = Home::new();
    let deal = |args: &[&str]| home.run(&[&["deal", "--json", "--random"], args].concat()).ok();

    let three = deal(&["--seed", "7", "--count", "3"]);
    assert_eq!(three.lines().count(), 3);
    assert_eq!(three, deal(&["--seed", "7", "--count", "3"]));
    assert!(three.starts_with(&deal(&["--seed", "7"])));
    assert_ne!(three, deal(&["--seed", "8", "--count", "3"]));
    assert_ne!(deal(&["--count", "3"]), deal(&["--count", "3"]));
}

#[test]
fn deals_are_read_from_lines_of_the_input() {
    let home = Home::new();
    let input = format!("0\n\n  0..2 \r\n{FIRST}/{SECOND}");
    let found = home.run_with(&["deal", "--json", "-", "0"], input).ok();

    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.len(), 5);
    for index in [0, 1, 3, 4] {
        assert_eq!(lines[index], ZERO);
    }
    assert_eq!(home.run(&["deal", "--json", "-"]).ok(), "");
}

#[test]
fn a_bad_line_is_reported_after_the_answers_to_good_lines() {
    let home = Home::new();
    let endless = vec![b'7'; 1 << 20];
    let bad: [(&[u8], &str); 5] = [
        (b"-1", "`-1` is not a deal"),
        (b"184756", "there is no deal 184756"),
        (b"-", "a deal is a number"),
        (b"\xff\xfe", "UTF-8"),
        (&endless, "longer than"),
    ];
    for (line, what) in bad {
        let input = [b"0\n\n0..1\n", line, b"\n0\n"].concat();
        let ran = home.run_with(&["deal", "--json", "-"], input);
        let ran = ran.fails(1, &["line 4 of the standard input", what]);
        assert_eq!(ran.stdout, format!("{ZERO}\n{ZERO}\n"));
    }
}

#[test]
fn invalid_hands_are_refused_with_every_fault() {
    let home = Home::new();
    let deal = |hands: &str| home.run(&["deal", hands]);

    // The first hand has only nine cards instead of ten.
    let nine = FIRST.strip_suffix(" 7s").unwrap();
    deal(&format!("{nine} / {SECOND}")).fails(
        1,
        &["is not a deal of sackson", "seat `first` was dealt 9 cards, but needs a hand of 10"],
    );
    // The first hand holds one card twice, so that another card is missing.
    deal(&format!("{nine} Ah / {SECOND}")).fails(
        1,
        &[
            "the hands hold Ah 2 times, but the deck holds Ah 1 time",
            "the card 7s of the deck is in neither hand",
        ],
    );
    // The text `8s` names no card of the deck.
    deal(&format!("{nine} 8s / {SECOND}")).fails(1, &["column 28: expected a card", "found `8s`"]);
    deal(&format!("{FIRST} {SECOND}")).fails(1, &["expected another card, or `/`"]);
    deal(&format!("{FIRST} / {SECOND} / Ac")).fails(1, &["column"]);
    deal("/").fails(1, &["seat `first` was dealt 0 cards", "seat `second` was dealt 0 cards"]);
}

#[test]
fn invalid_numbers_and_ranges_are_refused_before_any_output() {
    let home = Home::new();
    let last = "from 0 to 184755";
    let bad = [
        ("184756", last),
        ("99999999999999999999999", last),
        ("99999999999999999999999", "`99999999999999999999999` is not a deal"),
        ("184000..184757", last),
        ("0..99999999999999999999999", last),
        ("5..4", "the range of deals ends before its start"),
        ("0..", "a range of deals needs two numbers"),
        ("..", "a range of deals needs two numbers"),
        ("x", "a deal is a number, a range such as 0..1000, two hands"),
        ("x", "or a position line such as"),
        ("", "a deal is a number, a range"),
        ("\u{1b}[2J", "a deal is a number, a range"),
        ("AcTc/AhKh secnd -/- - -", "names the leader's seat: write first or second"),
    ];
    for (deal, what) in bad {
        let ran = home.run(&["deal", "0", deal]).fails(1, &["is not a deal of sackson", what]);
        assert_eq!(ran.stdout, "", "{deal}");
        assert!(!ran.stderr.contains('\u{1b}'));
    }
}

#[test]
fn deal_requires_a_deal_or_random() {
    let home = Home::new();
    home.run(&["deal"]).fails(2, &["DEAL", "--random"]);
    home.run(&["deal", "--random", "0"]).fails(2, &["cannot be used with"]);
    home.run(&["deal", "--seed", "7", "0"]).fails(2, &["--seed"]);
    home.run(&["deal", "-5"]).fails(1, &["`-5` is not a deal of sackson"]);
}

#[test]
fn a_value_that_is_no_number_or_day_is_refused_with_an_example() {
    let home = Home::new();
    let number = "a whole number such as 7 is needed";
    let cases: [(&[&str], &str); 7] = [
        (&["deal", "--random", "--count", "0"], "a whole number from 1 is needed"),
        (&["puzzles", "--count", "0"], "a whole number from 1 is needed"),
        (&["play", "--deal", "abc"], number),
        (&["puzzle", "--seed", "abc"], number),
        (&["solve", "7", "--threads", "abc"], number),
        (&["deal", "--random", "--count", "99999999999999999999"], "the number is too large"),
        (&["puzzle", "--daily", "--date", "yesterday"], "a day such as 2026-11-21 is needed"),
    ];
    for (args, needed) in cases {
        let ran = home.run(args).fails(2, &[args[args.len() - 2], needed]);
        assert!(!ran.stderr.contains("digit"), "{ran:?}");
    }
    let mut command = home.command(["serve", "--data", "server"]);
    let ran: Ran = command.env("OVERMATE_DAYS_OFF", "abc").output().unwrap().into();
    let needed = "a whole number from 0 to 366 is needed";
    ran.fails(1, &["the value of the environment variable OVERMATE_DAYS_OFF", needed]);
    let name = "OVERMATE_RATED_MATCHES_OF_PAIR";
    let mut command = home.command(["serve", "--data", "server"]);
    let ran: Ran = command.env(name, "abc").output().unwrap().into();
    ran.fails(1, &["the value of the environment variable", name, number]);
}
