//! Tests that truncated, altered or inconsistent records are refused, with the place and the
//! reason.

use overmate_rules::{Record, RecordFault, error_with_causes};

use crate::chance::{Chance, catalogue, rules};
use crate::records::record;

/// Valid record, from which the tests create invalid records by changes of the text.
const GOOD: &str = r#"[Rules "sackson"]
[A "Ann"]
[Games "2"]
[Deals "48638"]
[Result "3-3"]

Game 1: A leads
- - 1. Qh#

Game 2: B leads
- - 1. Qh# 3-3
"#;

#[test]
fn a_record_that_is_cut_off_anywhere_is_refused() {
    let mut chance = Chance(61);
    let (mut cuts, mut complete) = (0, 0);
    for rules in catalogue().into_iter().step_by(4) {
        let contest = chance.new_match(&rules);
        let record = record(&mut chance, contest);
        let text = record.to_string();
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            cuts += 1;
            match Record::read(&text[..end]) {
                // A truncated record is accepted only if nothing but the last line end is missing.
                Ok(read) if end + 1 == text.len() => {
                    assert_eq!(read, record);
                    complete += 1;
                }
                Ok(_) => panic!("{} of {} bytes were enough of\n{text}", end, text.len()),
                Err(error) => assert!(error.place.line <= text.lines().count() + 1),
            }
        }
    }
    assert_eq!(complete, catalogue().len().div_ceil(4));
    assert!(cuts > 10_000, "{cuts} cuts");
}

#[test]
fn a_record_that_was_altered_is_refused_or_valid_and_never_a_panic() {
    let mut chance = Chance(62);
    let letters: Vec<char> =
        "ATKQJ97RBNcshdbgyr0123456789.#!*()-{}$\\\"[]/: \nGame♣\u{feff}\u{1f0a1}".chars().collect();
    let (mut refused, mut valid) = (0, 0);
    for rules in catalogue() {
        let contest = chance.new_match(&rules);
        let record = record(&mut chance, contest);
        let text: Vec<char> = record.to_string().chars().collect();
        for _ in 0..60 {
            let mut altered = text.clone();
            for _ in 0..=chance.below(2) {
                let at = chance.below(altered.len());
                match chance.below(4) {
                    0 => drop(altered.remove(at)),
                    1 => altered.insert(at, chance.of(&letters)),
                    2 => altered.swap(at, chance.below(text.len() - 2)),
                    _ => altered[at] = chance.of(&letters),
                }
            }
            let altered: String = altered.into_iter().collect();
            match Record::read(&altered) {
                Ok(read) => {
                    let again = read.to_string();
                    assert_eq!(Record::read(&again).as_ref(), Ok(&read), "{altered}\n{again}");
                    valid += 1;
                }
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    refused += 1;
                }
            }
        }
    }
    assert_eq!(refused + valid, catalogue().len() * 60);
    assert!(refused > 5000 && valid > 500, "{refused} refused, {valid} valid");
}

/// Table of changes to a valid record, each with its error text.
const FAULTS: &[(&str, &str, &str)] = &[
    ("[Rules \"sackson\"]", "", "7:1 the record lacks the header [Rules \"…\"]: add this header"),
    ("[Deals \"48638\"]\n", "", "6:1 the record lacks the header [Deals \"…\"]: add this header"),
    (
        "sackson",
        "chess",
        "1:9 there is no rule set `chess`: use sackson, pagat, denexa, bga or rael",
    ),
    (
        "[A \"Ann\"]",
        "[Rules \"bga\"]",
        "2:1 the header `Rules` stands twice in the record: remove one of the two headers",
    ),
    ("[A \"Ann\"]", "[A Ann]", "2:4 expected a header's value in double quotes, found `Ann]`"),
    ("[A \"Ann\"]", "[1 \"Ann\"]", "2:2 expected the key of a header, found `1`"),
    (
        "[A \"Ann\"]",
        "[A \"Ann]",
        "2:9 expected `\"` after the header's value, found the end of the line",
    ),
    ("[A \"Ann\"]", "[A \"Ann\" x]", "2:10 expected `]` after the header, found `x]`"),
    ("[A \"Ann\"]", "[A \"An\\x\"]", "2:7 expected `\\\\`, `\\n`, `\\r` or `\\\"`, found `\\x\"]`"),
    (
        "[A \"Ann\"]",
        "[Date \"today\"]",
        "2:8 the header `Date` has `today`, but needs a date in the form 2026-11-20",
    ),
    (
        "[Games \"2\"]",
        "[Games \"0\"]",
        "3:9 the header `Games` has `0`, but needs a number from 1 to 200",
    ),
    (
        "[Games \"2\"]",
        "[Games \"201\"]",
        "3:9 the header `Games` has `201`, but needs a number from 1 to 200",
    ),
    (
        "[Games \"2\"]",
        "[Games \"+2\"]",
        "3:9 the header `Games` has `+2`, but needs a number from 1 to 200",
    ),
    (
        "[Games \"2\"]",
        "[Games \"3\"]",
        "4:9 the header `Deals` has 1 deal number, but needs one deal number for each round, 2 in all",
    ),
    ("48638", "184756", "4:9 there is no deal 184756: deal numbers go from 0 to 184755"),
    ("48638", "x", "4:9 the header `Deals` has `x`, but needs deal numbers from 0 to 184755"),
    ("48638", "+1", "4:9 the header `Deals` has `+1`, but needs deal numbers from 0 to 184755"),
    (
        "48638",
        "99999999999999999999",
        "4:9 the header `Deals` has `99999999999999999999`, but needs deal numbers from 0 to 184755",
    ),
    (
        "[Result \"3-3\"]",
        "[Result \"4-3\"]",
        "5:10 the record gives the result 4-3, but its actions give 3-3: correct the result or the actions",
    ),
    (
        "Qh# 3-3",
        "Qh# 3-4",
        "11:12 the record gives the result 3-4, but its actions give 3-3: correct the result or the actions",
    ),
    (
        "Qh# 3-3",
        "Qh# *",
        "11:12 the record gives the result *, but its actions give 3-3: correct the result or the actions",
    ),
    (
        "Qh# 3-3",
        "Qh#",
        "12:1 the record is truncated: it ends in game 2, at its end, without the result of the match, which is * for an unfinished match",
    ),
    (
        "1. Qh# 3-3",
        "",
        "12:1 the record is truncated: it ends in game 2, move 1, without the result of the match, which is * for an unfinished match",
    ),
    (
        "- - 1. Qh# 3-3",
        "-",
        "12:1 the record is truncated: it ends in game 2, foreplacing, without the result of the match, which is * for an unfinished match",
    ),
    ("Qh# 3-3", "Qh# Th", "11:12 expected the result, `3-3`, found `Th`"),
    ("Qh# 3-3", "Qh# 3-3 {x}", "11:16 expected the end of the record, found `{x}`"),
    (
        "Qh# 3-3",
        "Qh## 3-3",
        "11:10 the mark `##` after the action is wrong (`#` is a mate, `##` an overmate): write `#` instead",
    ),
    (
        "Qh# 3-3",
        "Qh! 3-3",
        "11:8 game 2, move 1: Qh! is not legal: Qh cannot be led with a demand in this rule set: lead Qh without the !",
    ),
    ("Qh# 3-3", "Qh#x 3-3", "11:11 expected a blank after the action, found `x`"),
    ("1. Qh# 3-3", "2. Qh# 3-3", "11:5 expected `1.`, found `2.`"),
    (
        "- - 1. Qh# 3-3",
        "1. - - Qh# 3-3",
        "11:1 expected an action without a move number, because only a lead has a move number, found `1.`",
    ),
    (
        "- - 1. Qh# 3-3",
        "-# - Qh# 3-3",
        "11:2 the mark `#` after the action is wrong (`#` is a mate, `##` an overmate): write nothing instead",
    ),
    ("Game 1: A leads", "Game 1: B leads", "7:9 expected `Game 1: A leads`, found `B`"),
    ("Game 2: B leads", "", "11:1 expected `Game 2: B leads`, found `-`"),
    (
        "- - 1. Qh#\n\n",
        "- - 1. Qh# {",
        "10:1 expected `}` after the comment, found the end of the text",
    ),
    ("- - 1. Qh#\n\n", "- - 1. Qh# {\\n}", "8:13 expected `\\\\` or `\\}`, found `\\n}Game`"),
    (
        "- - 1. Qh#\n\n",
        "- - 1. Qh# $256\n\n",
        "8:13 expected the number of an annotation, 0 to 255, found `256`",
    ),
    (
        "- - 1. Qh#\n\n",
        "- - 1. Qh# $\n\n",
        "8:13 expected the number of an annotation, 0 to 255, found the end of the line",
    ),
    ("1. Qh# 3-3", "A quits 3-3", "11:7 expected `resigns`, found `quits`"),
    ("Qh# 3-3", "Kz 3-3", "11:8 expected an action: -, (card) or card, CARD, found `Kz`"),
];

#[test]
fn every_fault_of_a_record_reports_its_place() {
    assert!(Record::read(GOOD).is_ok());
    let card = "with a card (a rank of ATKQ7, then a suit of cshd)";
    let mut count = 0;
    for &(part, instead, expected) in FAULTS {
        assert!(GOOD.contains(part), "{part}");
        // The test replaces the last occurrence of `part` in the record. If both games contain the text, this is the occurrence in game 2.
        let at = GOOD.rfind(part).unwrap();
        let text = format!("{}{instead}{}", &GOOD[..at], &GOOD[at + part.len()..]);
        let error = Record::read(&text).expect_err(&text);
        let fault = error_with_causes(&error.fault);
        let told = format!("{}:{} {fault}", error.place.line, error.place.column);
        assert_eq!(told, expected.replace("CARD", card), "{text}");
        count += 1;
    }
    assert_eq!(count, 40);
}

#[test]
fn an_illegal_action_in_a_record_reports_game_and_move() {
    let text = GOOD.replacen("1. Qh#", "1. Td Tc", 1);
    let error = Record::read(&text).unwrap_err();
    let RecordFault::Illegal(illegal) = &error.fault else { panic!("{error}") };
    assert_eq!((illegal.game, illegal.at.as_str()), (1, "move 1"));
    assert!(error.to_string().starts_with("line 8, column "), "{error}");
    let untrue =
        "[Rules \"bga\"]\n[Games \"1\"]\n[Deals \"0\"]\nGame 1: A leads\n1. Ac Ah 2. Tc Ah *\n";
    let error = Record::read(untrue).unwrap_err();
    assert_eq!(
        error_with_causes(&error),
        "line 5, column 16 of the record is not valid: game 1, move 2: Ah is not legal: you do not hold Ah: choose a card from your hand"
    );
}

#[test]
fn a_wrong_rule_set_in_a_record_reports_its_faults() {
    let text = |toml: &str| {
        let value = toml.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        format!("[Rules \"mine\"]\n[RuleSet \"{value}\"]\n[Deals \"0 0\"]\nGame 1: A leads\n*\n")
    };
    let mut draft = rules("bga").draft();
    draft.name = "mine".to_owned();
    let toml = overmate_rules::RuleSet::new(draft).unwrap().to_toml();
    assert!(Record::read(&text(&toml)).is_ok());
    let error = Record::read(&text(&toml.replace("rounds = 2", "rounds = 0"))).unwrap_err();
    let expected = "line 2, column 11 of the record is not valid: the rule set in the header `RuleSet` is not valid: \
        line 2, column 10: `rounds`: a match must have 1 to 100 rounds, not 0";
    assert_eq!(error_with_causes(&error), expected);
    let error = Record::read(&text(&toml.replace("mine", "yours"))).unwrap_err();
    let expected = "line 1, column 9 of the record is not valid: the header `Rules` has `mine`, but needs `yours`, the name in the header `RuleSet`";
    assert_eq!(error_with_causes(&error), expected);
}

#[test]
fn long_hostile_records_are_read_or_refused() {
    const SIZE: usize = 5_000_000;
    let head = "[Rules \"sackson+double\"]\n[Games \"1\"]\n[Deals \"7\"]\nGame 1: A leads\n";
    let many = |piece: &str| piece.repeat(SIZE / piece.len());
    let headers: Vec<String> = (0..SIZE / 16).map(|i| format!("[key{i} \"\"]\n")).collect();
    let headers = headers.concat();
    let cases = [
        (format!("{head}{} *", many("{}")), true),
        (format!("{head}{} *", many("$1 ")), true),
        (format!("{head}{} *", many("{\\}\\\\}")), true),
        (format!("{head}{{{}}} *", many("x")), true),
        (format!("{head}{}", many("{}")), false),
        (format!("{head}{{{}", many("x ")), false),
        (format!("{head}{}", many("7")), false),
        (format!("{head}{}", many("\n")), false),
        (format!("{head}{}", many("- ")), false),
        (format!("{headers}{head}*"), true),
        (headers, false),
        (many("["), false),
        (format!("[A \"{}", many("\\\\")), false),
        (format!("{}\n", many("\u{1f0a1}")), false),
        (head.replace('7', &many("7 ")), false),
        (head.replace('7', &many("9")), false),
    ];
    let mut count = 0;
    for (text, valid) in &cases {
        assert_eq!(Record::read(text).is_ok(), *valid, "{}", &text[..80]);
        count += 1;
    }
    assert_eq!(count, 16);
}
