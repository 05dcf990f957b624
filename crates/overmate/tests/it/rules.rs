//! Tests `overmate rules`, and rule sets as arguments of other commands.

use overmate_rules::{BASES, VARIATIONS};

use crate::support::{Home, SMALL};

#[test]
fn the_list_has_every_base_and_variation() {
    let home = Home::new();
    let (text, json) = (home.run(&["rules"]).ok(), home.run(&["rules", "--json"]).ok());
    let list: serde_json::Value = serde_json::from_str(&json).unwrap();
    let bases = BASES.iter().map(|base| ("rule_sets", base.name));
    let variations = VARIATIONS.iter().map(|variation| ("variations", variation.name));
    let mut listed = 0;
    for (kind, name) in bases.chain(variations) {
        let entries = list[kind].as_array().unwrap();
        assert!(entries.iter().any(|entry| entry["id"] == name), "{name}: {json}");
        assert!(text.contains(&format!("\n  {name} ")), "{text}");
        listed += 1;
    }
    assert_eq!(listed, BASES.len() + VARIATIONS.len());
}

#[test]
fn a_rule_set_is_shown_in_full() {
    let home = Home::new();
    let found = home.run(&["rules", "rael+kings-privilege+free-move"]).ok();
    for text in [
        "Patrick Rael",
        "20 cards, 10 a hand",
        "K king (11)",
        "yellow  Ky Qy Ry By Ny",
        "is an overmate, doubled",
        "\nSacrificing\n",
        "the only player who sacrificed",
        "answer in its colour",
        "  colours, high to low:",
        "at most 9 moves",
        "may demand",
        "Once in a game",
        "3 rounds",
    ] {
        assert!(found.contains(text), "`{text}` is missing in: {found}");
    }
    for word in ["suit", "foreplac"] {
        assert!(!found.contains(word), "Rael's text does not say `{word}`: {found}");
    }
    let found = home.run(&["rules", "denexa+double"]).ok();
    assert!(found.contains("face down") && found.contains("diamonds ♦  Ad Ad Td Kd 7d"), "{found}");
    assert!(home.run(&["rules", "bga"]).ok().contains("There is none."));
    let small = home.file("small.toml", SMALL);
    let found = home.run(&["rules", &small]).ok();
    assert!(found.contains("1 round of two games with one deal"), "{found}");
    assert!(!found.contains("deals again"), "{found}");
}

#[test]
fn a_rule_set_is_printed_as_json() {
    let home = Home::new();
    let rules = home.file("small.toml", SMALL);
    let expected = concat!(
        r#"{"id":"small","title":"small","base":"small","variations":[],"source":"","deck":{"suits":["#,
        r#"{"letter":"x","name":"x-es","symbol":null},{"letter":"y","name":"y-es","symbol":null},"#,
        r#"{"letter":"z","name":"z-es","symbol":null}],"ranks":[{"letter":"A","name":"ace","points":11},"#,
        r#"{"letter":"B","name":"bee","points":10}],"cards":["Ax","Bx","Ay","By","Az","Bz"]},"#,
        r#""hand_size":3,"games":2,"deals":"20","foreplacing":null,"privilege":null,"free_move":false}"#,
        "\n"
    );
    assert_eq!(home.run(&["rules", "--json", &rules]).ok(), expected);
    let found = home.run(&["rules", "--json", "sackson+kings-privilege"]).ok();
    let tail = r#""foreplacing":{"face_down":false,"second_restricted":true,"sole_doubled":false,"overmate":"either"},"privilege":{"ranks":["K"],"on_demand":false},"free_move":false}"#;
    assert!(found.ends_with(&format!("{tail}\n")), "{found}");
}

#[test]
fn a_printed_toml_file_gives_the_same_rule_set() {
    let home = Home::new();
    for name in ["sackson", "denexa+free-move", "rael+figure-privilege", "bga+pinochle"] {
        let toml = home.run(&["rules", "--toml", name]).ok();
        let file = home.file("own.toml", &toml);
        assert_eq!(home.run(&["rules", "--toml", &file]).ok(), toml);
        let (own, named) = (home.run(&["rules", &file]).ok(), home.run(&["rules", name]).ok());
        assert_eq!(own, named);
    }
    home.run(&["rules", "--toml"]).fails(2, &["NAME"]);
    home.run(&["rules", "--toml", "--json", "bga"]).fails(2, &["cannot be used with"]);
}

#[test]
fn an_unknown_rule_set_is_a_usage_error() {
    let home = Home::new();
    for command in ["solve", "deal", "play"] {
        let last = if command == "play" { "--seed=0" } else { "0" };
        home.run(&[command, "--rules", "chess", last])
            .fails(2, &["there is no rule set `chess`: use sackson, pagat"]);
        home.run(&[command, "--rules", "bga+big", last])
            .fails(2, &["there is no variation `big`: use double"]);
        home.run(&[command, "--rules", "bga+", last])
            .fails(2, &["has nothing after a `+`: leave the `+` out, or add double"]);
        home.run(&[command, "--rules", "bga+double+pinochle", last])
            .fails(2, &["both replace the deck"]);
    }
    home.run(&["rules", "sackson+double+figure-privilege"]).fails(2, &["needs a queen"]);
    home.file("own.txt", "");
    home.run(&["rules", "own.txt"])
        .fails(2, &["the name of a file with rules must end in .toml: rename the file own.txt"]);
    home.run(&["rules", ""]).fails(2, &["the name of a rule set is missing: use sackson"]);
}

#[test]
fn an_invalid_rule_set_file_is_refused_with_every_fault() {
    let home = Home::new();
    let privilege = "[privilege]\nranks = [\"K\", \"Q\"]\non_demand = false\n";
    let file = home.file("king.toml", format!("{SMALL}{privilege}"));
    home.run(&["solve", "--rules", &file, "0"]).fails(
        1,
        &["king.toml is not valid", "`K` is not the letter of a rank", "`Q` is not", "line 1"],
    );
    let file = home.file("odd.toml", "name = 5\nfoo = 1\n");
    home.run(&["rules", &file]).fails(1, &["`name`", "`foo`", "`deck`"]);
    let file = home.file("not.toml", "\u{1b}[2J");
    let ran = home.run(&["rules", &file]).fails(1, &["line 1"]);
    assert!(!ran.stderr.contains('\u{1b}'));
    let file = home.file("bytes.toml", b"a = 1\n\xff");
    home.run(&["rules", &file]).fails(1, &["not a text in UTF-8: line 2"]);
    home.run(&["rules", "missing.toml"])
        .fails(1, &["cannot read the text in missing.toml", "because: No such file"]);
    home.run(&["rules", "./missing"]).fails(1, &["cannot read the text in ./missing"]);
    home.run(&["rules", "./"]).fails(1, &["cannot read the text in ./"]);
}
