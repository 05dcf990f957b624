//! Tests the JSON output, the values and the limits of `overmate solve`.

use crate::support::{Home, SMALL, SMALL_DEAL};

#[test]
fn the_fields_of_solve_stand_in_order() {
    let home = Home::new();
    let rules = home.file("small.toml", SMALL);
    let solve = |after| {
        home.run(&["solve", "--rules", &rules, "--json", "--after", after, SMALL_DEAL]).ok()
    };
    let head = r#"{"rules":"small","deal":"0","first":["Ax","Bx","Ay"],"second":["By","Az","Bz"],"#;

    // If *second* keeps the card `By`, *second* can answer every lead. Otherwise an ace mates in move 3.
    let expected = format!(
        "{head}{}\n",
        r#""after":["Bx"],"to_act":"second","value_for_first":{"exact":0,"low":0,"high":0},"actions":[{"action":"By","value_for_first":{"exact":33,"low":33,"high":33}},{"action":"Bz","value_for_first":{"exact":0,"low":0,"high":0}}],"line":["Bz","Ax","Az","Ay","By"]}"#
    );
    let found = solve("Bx");
    // After the best answer, *first* holds two aces and may lead either ace first. Both leads are best play, so the
    // test accepts both lines of play.
    let other = expected.replace(r#""Ax","Az","Ay","By"]"#, r#""Ay","By","Ax","Az"]"#);
    assert!(found == expected || found == other, "{found}");

    let found = solve("Bx By");
    let tail = r#""after":["Bx","By"],"to_act":"first","value_for_first":{"exact":33,"low":33,"high":33},"actions":[{"action":"Ax","value_for_first":{"exact":33,"low":33,"high":33}},{"action":"Ay","value_for_first":{"exact":33,"low":33,"high":33}}],"line":["#;
    assert!(found.starts_with(&format!("{head}{tail}")), "{found}");

    let tail = r#""after":["Bx","By","Ay","Az","Ax"],"to_act":null,"value_for_first":{"exact":33,"low":33,"high":33},"actions":[],"line":[]}"#;
    assert_eq!(solve("  Bx By  Ay Az Ax "), format!("{head}{tail}\n"));
}

#[test]
fn values_with_a_card_face_down_are_marked_as_values_of_open_cards() {
    let home = Home::new();
    let note = "These are values with open cards: a card face down is not known to its opponent.\n";
    let solve = |rules| home.run(&["solve", "--rules", rules, "20010"]).ok();
    assert!(solve("denexa").contains(&format!("\nValue: first wins 16\n{note}")));
    assert!(!solve("sackson").contains(note));
}

#[test]
fn an_unproved_value_has_bounds() {
    let home = Home::new();
    let found =
        home.run(&["solve", "--rules", "bga+pinochle", "--nodes", "1", "--json", "123456789"]).ok();

    let (_, value) = found.split_once(r#""to_act":"first","#).unwrap();
    assert!(value.starts_with(r#""value_for_first":{"exact":null,"low":-"#), "{value}");
    assert!(value.contains(r#"},"actions":[{"action":"#), "{value}");
    let text = home.run(&["solve", "--rules", "bga+pinochle", "--nodes", "1", "123456789"]).ok();
    assert!(text.contains("Value: not proved: between second wins "), "{text}");
}

#[test]
fn values_are_printed_from_the_acting_players_point_of_view() {
    let home = Home::new();
    let rules = home.file("small.toml", SMALL);
    let solve = |after| home.run(&["solve", "--rules", &rules, "--after", after, SMALL_DEAL]).ok();

    let found = solve("Bx");
    for text in [
        "Deal 0, small\n",
        "  x-es  Ax Bx  -\n",
        "Second to answer Bx\nValue: a draw\n",
        "  action  for second\n  Bz               0\n  By             -33\n",
        "\nBest line: 1. … Bz 2. ",
        "A draw: nobody mated",
    ] {
        assert!(found.contains(text), "`{text}` is missing in: {found}");
    }
    let found = solve("Bx By");
    assert!(found.contains("Value: first wins 33\n"), "{found}");
    assert!(found.contains("#\nMate by first with A"), "{found}");
    assert!(found.contains(" in move 3: 11 × 3 = 33\n"), "{found}");
    assert!(solve("Bx By Ay Az Ax").contains("The game is over\nValue: first wins 33\n"));
}

#[test]
fn a_range_is_solved_deal_by_deal() {
    let home = Home::new();
    let found = home.run(&["solve", "--rules", "bga", "--json", "20008..20011"]).ok();
    let deals: Vec<&str> = found
        .lines()
        .map(|line| line.split_once(r#""deal":""#).unwrap().1.split_once('"').unwrap().0)
        .collect();
    assert_eq!(deals, ["20008", "20009", "20010"]);
    assert_eq!(home.run(&["solve", "--json", "7..7"]).ok(), "");
}

#[test]
fn an_illegal_action_of_after_is_refused() {
    let home = Home::new();
    let solve = |after| home.run(&["solve", "--after", after, "20010"]);

    solve("- - Zz").fails(1, &["--after cannot be read", "line 1, column 5: expected an action"]);
    solve("- - 7d")
        .fails(1, &["7d of --after is not legal in deal 20010", "because: you do not hold 7d"]);
    solve("Tc")
        .fails(1, &["Tc of --after is not legal", "no card can be played before foreplacing"]);
    solve("- - Tc Qh").fails(1, &["clubs were led and you hold clubs: answer in clubs"]);
}

#[test]
fn errors_on_actions_use_the_words_of_the_rule_set() {
    let home = Home::new();
    for (after, saying) in [
        ("- Kr", "no card can be played before sacrificing: sacrifice a card"),
        ("(Zb)", "then a colour of bgyr"),
    ] {
        let ran = home.run(&["solve", "--rules", "rael", "--after", after, "5"]);
        let ran = ran.fails(1, &[saying]);
        assert!(!ran.stderr.contains("foreplac") && !ran.stderr.contains("suit"), "{}", ran.stderr);
    }
}

#[test]
fn limits_must_be_numbers() {
    let home = Home::new();
    for time in ["x", "-1", "nan", "1e300"] {
        let ran = home.run(&["solve", "--time", time, "0"]);
        assert_eq!(ran.code, Some(2), "{time}: {ran:?}");
    }
    home.run(&["solve", "--nodes", "many", "0"]).fails(2, &["--nodes"]);
    home.run(&["solve", "--threads", "0", "0"]).fails(2, &["--threads"]);
    // The test asks for a petabyte of memory, which no machine has.
    home.run(&["solve", "--rules", "bga+pinochle", "--memory", "1000000000", "0"]).fails(
        1,
        &[
            "--memory asks for more memory than is free",
            "the computation needs 1000000000 MB of memory",
        ],
    );
    home.run(&["solve"]).fails(2, &["<DEAL>", "--help"]);
    for deal in [&["--deal", "20010"][..], &["--deal=20010"], &["--deals", "20010"]] {
        home.run(&[&["solve"], deal].concat()).fails(
            2,
            &["'--deal <DEAL>'", "write the deal without an option, as in `overmate solve 20010`"],
        );
    }
}
