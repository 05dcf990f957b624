//! Tests `overmate replay` and `overmate review` with valid and invalid match records.

use crate::support::Home;

/// Match record of a game without foreplacing, which the seat *first* wins by a mate in move 9.
const RECORD: &str = r#"[Rules "sackson"]
[A "Ann"]
[B "Bob"]
[Games "1"]
[Deals "20010"]
[Result "36-0"]

Game 1: A leads
- - 1. Tc Ac 2. 7c Kc 3. Qc Qh 4. As Ts 5. Ks 7s 6. Qs Qd 7. Ah 7h 8. Th Td
9. Kh# 36-0
"#;

/// Record of a match that was abandoned during its second game.
const UNFINISHED: &str = r#"[Rules "sackson"]
[Deals "20010 7"]

Game 1: A leads
(Kc) {bold} - 1. Tc Ac 2. 7c Qc 3. As Ts *
"#;

#[test]
fn replay_prints_a_record_as_text() {
    let home = Home::new();
    let file = home.file("a.mate", RECORD);
    let found = home.run(&["replay", &file]).ok();
    for text in [
        "Rules: sackson\nA: Ann\nB: Bob\n",
        "Game 1 of 1: Ann leads. Deal 20010\n",
        "  clubs     Tc Kc Qc  Ac 7c\n",
        "Ann foreplaces nothing, Bob foreplaces nothing\n",
        "  move  leader  lead  answer  won by\n     1  Ann     Tc    Ac      Bob\n",
        "     9  Ann     Kh#           mate\n",
        "Mate by Ann with Kh in move 9: 4 × 9 = 36\n",
        "  1      1     Ann      36    0\n",
        "Ann wins the match, 36 to 0: a margin of 36 points\n",
    ] {
        assert!(found.contains(text), "`{text}` is missing in: {found}");
    }
    let positions = found.lines().filter(|line| line.contains('/') && line.ends_with(" -")).count();
    assert_eq!(positions, 20, "{found}");
    assert_eq!(home.run_with(&["replay", "-"], RECORD).ok(), found);
}

#[test]
fn replay_prints_a_record_as_json() {
    let home = Home::new();
    let file = home.file("a.mate", RECORD);
    let found = home.run(&["replay", "--json", &file]).ok();
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.len(), 2);

    let head = r#"{"game":1,"deal":"20010","leader":"A","first":["Tc","Kc","Qc","As","Ks","Qs","Ah","Th","Kh","Kd"],"second":["Ac","7c","Ts","7s","Qh","7h","Ad","Td","Qd","7d"],"actions":["-","-","Tc","Ac","7c","Kc","Qc","Qh","As","Ts","Ks","7s","Qs","Qd","Ah","7h","Th","Td","Kh"],"positions":[""#;
    assert!(lines[0].starts_with(head), "{}", lines[0]);
    let tail = r#""outcome":{"kind":"mate","by":"A","card":"Kh","value":4,"move":9,"factor":9,"points":36},"score":{"a":36,"b":0}}"#;
    assert!(lines[0].ends_with(tail), "{}", lines[0]);
    let expected = r#"{"rules":"sackson","players":{"a":"Ann","b":"Bob"},"games":1,"score":{"a":36,"b":0},"result":{"winner":"A","margin":36,"resigned":null}}"#;
    assert_eq!(lines[1], expected);
}

#[test]
fn an_unfinished_match_can_be_replayed() {
    let home = Home::new();
    let text = home.run_with(&["replay", "-"], UNFINISHED).ok();
    assert!(text.contains("Not over: first to lead to move 4"), "{text}");
    assert!(text.contains("The match is not over: game 1 of 4, 0 to 0 so far"), "{text}");
    let json = home.run_with(&["replay", "--json", "-"], UNFINISHED).ok();
    assert!(json.contains(r#""outcome":null"#) && json.ends_with("\"result\":null}\n"), "{json}");

    let resigned = UNFINISHED.replace(" *", " B resigns 0-0");
    let text = home.run_with(&["replay", "-"], &resigned).ok();
    assert!(text.contains("B resigns: the match is A's"), "{text}");
    assert!(text.contains("A wins the match, 0 to 0: B resigns"), "{text}");
    let json = home.run_with(&["replay", "--json", "-"], &resigned).ok();
    let outcome = r#""outcome":{"kind":"resignation","by":"B","card":null,"value":null,"move":null,"factor":null,"points":0}"#;
    assert!(json.contains(outcome), "{json}");
    assert!(json.contains(r#""result":{"winner":"A","margin":0,"resigned":"B"}"#), "{json}");
}

#[test]
fn an_invalid_record_is_refused_with_line_and_column() {
    let home = Home::new();
    let change = |from: &str, to: &str| {
        assert!(RECORD.contains(from));
        RECORD.replacen(from, to, 1)
    };
    let bad = [
        (
            change("2. 7c Kc", "2. 7c Kh"),
            "because: game 1, move 2: Kh is not legal\n  because: clubs were led",
        ),
        (change("Kh# 36-0\n", ""), "line 10, column 4 of the record is not valid\n"),
        (change("\n9. Kh# 36-0\n", ""), "truncated: it ends in game 1, move 9"),
        (change("Kh#", "Kh##"), "the mark `##` after the action is wrong"),
        (
            change("20010", "184756"),
            "line 5, column 9 of the record is not valid\n  because: there is no deal 184756",
        ),
        (change("sackson", "chess"), "there is no rule set `chess`"),
        (change("\"36-0\"", "\"35-0\""), "the record gives the result 35-0"),
        (change("[Deals \"20010\"]\n", ""), "[Deals"),
        (String::new(), "line 1, column 1"),
        ("x".repeat(1 << 20), "line 1, column 1"),
        ("[".repeat(1 << 20), "line 1, column 2"),
        (change("Ann", "\u{1b}[2J\n"), "line 2"),
    ];
    for (record, what) in bad {
        let file = home.file("bad.mate", &record);
        for command in ["replay", "review"] {
            let ran = home.run(&[command, &file]).fails(1, &["bad.mate is not the record", what]);
            assert_eq!(ran.stdout, "");
            assert!(ran.stderr.len() < 2000 && !ran.stderr.contains('\u{1b}'), "{}", ran.stderr);
        }
        let ran = home.run_with(&["replay", "--json", "-"], &record);
        ran.fails(1, &["the standard input is not the record", what]);
    }
}

#[test]
fn every_truncated_record_is_refused() {
    let home = Home::new();
    let whole = RECORD.trim_end().len();
    for end in (0..whole).step_by(7) {
        home.run_with(&["replay", "-"], &RECORD[..end]).fails(1, &["line "]);
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let home = Home::new();
    let bytes = home.file("bytes.mate", b"[A \"\n\n\xff\"]");
    for command in ["replay", "review"] {
        home.run(&[command, "none.mate"])
            .fails(1, &["cannot read the text in none.mate", "because: No such file"]);
        home.run(&[command, "."]).fails(1, &["cannot read the text in ."]);
        home.run(&[command, &bytes]).fails(1, &["bytes.mate is not a text in UTF-8: line 3"]);
    }
    #[cfg(unix)]
    home.run(&["replay", "/dev/zero"]).fails(1, &["/dev/zero is larger than 16 MiB"]);
}

#[test]
fn names_in_a_record_cannot_steer_the_terminal() {
    let home = Home::new();
    let record = RECORD.replace("Ann", "\u{1b}[2JAnn\\nB").replace("Bob", "B\\\\\u{7}");
    let found = home.run_with(&["replay", "-"], &record).ok();
    assert!(found.contains("A: \u{2068}\u{fffd}[2JAnn B\u{2069}\n"), "{found}");
    let found = home.run_with(&["review", "-"], &record).ok();
    assert!(!found.contains(['\u{1b}', '\u{7}']), "{found}");
}

#[test]
fn names_in_a_record_are_free_of_invisible_characters_and_isolated() {
    let home = Home::new();
    let record =
        RECORD.replace("Ann", "\u{202e}A\u{200b}nn").replace("Bob", "\u{5d1}\u{5d5}\u{5d1}");
    for command in ["replay", "review"] {
        let found = home.run_with(&[command, "-"], &record).ok();
        assert!(!found.contains(['\u{202e}', '\u{200b}']), "{found}");
        assert!(found.contains("Ann"), "{found}");
        let isolated = found.matches("\u{2068}\u{5d1}\u{5d5}\u{5d1}\u{2069}").count();
        assert!(isolated > 1, "{found}");
        assert_eq!(isolated, found.matches("\u{5d1}\u{5d5}\u{5d1}").count(), "{found}");
    }
    let found = home.run_with(&["replay", "-"], RECORD.replace("Ann", "\u{200b}")).ok();
    assert!(found.contains("A: \n"), "{found}");
    assert!(found.contains("  A "), "{found}");
}

#[test]
fn a_review_shows_the_loss_of_each_action() {
    let home = Home::new();
    let file = home.file("a.mate", RECORD);
    let json = home.run(&["review", "--json", &file]).ok();
    let lines: Vec<&str> = json.lines().collect();
    assert_eq!(lines.len(), 20, "{json}");
    let head = r#"{"game":1,"number":1,"move":null,"player":"A","seat":"first","action":"-","before":{"exact":"#;
    assert!(lines[0].starts_with(head), "{}", lines[0]);
    let last = r#"{"game":1,"number":19,"move":9,"player":"A","seat":"first","action":"Kh","before":{"exact":36,"low":36,"high":36},"after":{"exact":36,"low":36,"high":36},"lost":0,"best":["Kh"],"mistake":null}"#;
    assert_eq!(lines[18], last);

    // The totals of a review are the sums of the points that the actions of each player lost. An action loses the points by which the value
    // of the position falls for the acting player.
    let mut sums = [0, 0];
    for line in &lines[..19] {
        let action: serde_json::Value = serde_json::from_str(line).unwrap();
        let value = |key: &str| action[key]["exact"].as_i64().unwrap();
        let is_first = action["seat"] == "first";
        let lost = (value("before") - value("after")) * if is_first { 1 } else { -1 };
        assert_eq!(action["lost"].as_i64(), Some(lost), "{line}");
        sums[usize::from(!is_first)] += lost;
    }
    let expected =
        format!(r#"{{"lost":{{"a":{},"b":{}}},"unproved":{{"a":0,"b":0}}}}"#, sums[0], sums[1]);
    assert_eq!(lines[19], expected);
    // At least one action lost points, because *first* won 36 points, although *first* wins only 16 points under best play.
    assert!(sums[0] + sums[1] > 0);

    let text = home.run(&["review", &file]).ok();
    assert!(text.contains("move  player  action"), "{text}");
    assert!(text.contains("   9  Ann     Kh#        +36    +36     -\n"), "{text}");
    assert!(text.contains(&format!("  Bob: {} point", sums[1])), "{text}");
}

#[test]
fn an_unfinished_match_is_reviewed_to_its_last_action() {
    let home = Home::new();
    let json = home.run_with(&["review", "--json", "-"], UNFINISHED).ok();
    assert_eq!(json.lines().count(), 9, "{json}");
    let text = home.run_with(&["review", "-"], UNFINISHED.replace("sackson", "denexa")).ok();
    assert!(text.contains("a card face down is not known"), "{text}");
}

#[test]
fn a_review_marks_unproved_losses() {
    let home = Home::new();
    let dealt = home.run(&["deal", "--rules", "bga+pinochle", "--json", "123456789"]).ok();
    let dealt: serde_json::Value = serde_json::from_str(&dealt).unwrap();
    let lead = dealt["first"][0].as_str().unwrap();
    let record = format!(
        "[Rules \"bga+pinochle\"]\n[Games \"1\"]\n[Deals \"123456789\"]\n\nGame 1: A leads\n1. {lead} *\n"
    );
    let json = home.run_with(&["review", "--time", "0", "--json", "-"], &record).ok();
    assert!(json.contains(r#""before":{"exact":null,"low":-"#), "{json}");
    assert!(
        json.contains(r#""lost":null"#) && json.contains(r#""unproved":{"a":1,"b":0}"#),
        "{json}"
    );
    let text = home.run_with(&["review", "--time", "0", "-"], &record).ok();
    assert!(text.contains("not proved"), "{text}");
    assert!(text.contains("A: 0 points, and an unproved loss by 1 action\n"), "{text}");
}
