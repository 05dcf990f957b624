//! Tests that all commands for deals also accept the position lines that `overmate replay` prints.

use std::path::Path;

use serde_json::Value;

use crate::support::{Home, SMALL, SMALL_DEAL, asks, legal, text};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/example.mate");

/// Returns the positions and the actions that `overmate replay --json` prints for a match record
/// with one game.
fn replayed(home: &Home, record: &Path) -> (Vec<String>, Vec<String>) {
    let out = home.run(&["replay", "--json", record.to_str().unwrap()]).ok();
    let game: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    let list = |key: &str| {
        let texts = game[key].as_array().unwrap().iter();
        texts.map(|text| text.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    (list("positions"), list("actions"))
}

/// Returns the JSON object in an output line, without the fields that identify the deal or position, such as `deal` and `first`.
fn values(line: &str) -> Value {
    let mut object: Value = serde_json::from_str(line).unwrap();
    for key in ["deal", "position", "first", "second", "after"] {
        object.as_object_mut().unwrap().remove(key);
    }
    object
}

#[test]
fn solve_gives_a_position_line_the_values_of_the_deal_after_the_same_actions() {
    let home = Home::new();
    let (positions, actions) = replayed(&home, Path::new(EXAMPLE));
    assert_eq!(positions.len(), actions.len() + 1);
    let lines = positions.join("\n");
    let by_line = home.run_with(&["solve", "--json", "-"], lines).ok();
    let by_line: Vec<&str> = by_line.lines().collect();
    assert_eq!(by_line.len(), positions.len());
    for keep in 0..=actions.len() {
        let after = actions[..keep].join(" ");
        let by_deal = home.run(&["solve", "--json", "--after", &after, "37047"]).ok();
        assert_eq!(values(by_line[keep]), values(&by_deal), "{}", positions[keep]);
        let given: Value = serde_json::from_str(by_line[keep]).unwrap();
        if keep == 0 {
            assert_eq!(given["deal"], "37047");
        } else {
            assert_eq!(given["position"], *positions[keep]);
        }
    }
}

#[test]
fn solve_plays_the_actions_of_after_from_a_position_line() {
    let home = Home::new();
    let line = "AcTc/AhKh second -/- - -";
    let found = home.run(&["solve", "--rules", "bga", "--after", "Kh", line]).ok();
    for part in ["Position, bga\n", "\nAfter Kh\n", "Value: second wins 36\n"] {
        assert!(found.contains(part), "`{part}` is missing in: {found}");
    }
    home.run(&["solve", "--rules", "bga", "--after", "Ac", line])
        .fails(1, &["Ac of --after is not legal in the position `AcTc/AhKh second", "hold Ac"]);
}

#[test]
fn a_position_line_that_begins_with_an_empty_hand_is_no_option() {
    let home = Home::new();
    let line = "-/7d first -/- Ts -";
    let found = home.run(&["solve", "--rules", "bga", line]).ok();
    // The player in seat *first* mates with a ten in move 10, which scores 10 × 10 points.
    assert!(found.contains("Value: first wins 100\n"), "{found}");
    assert_eq!(home.run(&["solve", "--rules", "bga", "--", line]).ok(), found);
    let shown = home.run(&["deal", "--rules", "bga", line]).ok();
    assert!(shown.contains("7d"), "{shown}");
    home.run(&["solve", "--rules", "bga", "-/7d"]).fails(2, &["unexpected argument '-/'"]);
}

#[test]
fn a_position_of_48_cards_is_solved() {
    let home = Home::new();
    let line = "KcKcTcKs/AhAhAdQd first -/- - -";
    let found = home.run(&["solve", "--rules", "sackson+pinochle", line]).ok();
    // The player in seat *first* mates at once with any card. The best card is the ten of clubs, which scores 10 × 21 points.
    assert!(found.contains("Value: first wins 210\n"), "{found}");
}

#[test]
fn deal_shows_a_position_line_and_its_hands() {
    let home = Home::new();
    let (positions, _) = replayed(&home, Path::new(EXAMPLE));
    for position in &positions {
        let found = home.run(&["deal", position]).ok();
        assert!(found.contains("first"), "{found}");
        if *position == positions[0] {
            assert!(found.starts_with("Deal 37047, sackson\n"), "{found}");
        } else {
            assert!(found.starts_with("Position, sackson\n"), "{found}");
            assert!(found.ends_with(&format!("\n  {position}\n")), "{found}");
        }
    }
    let found = home.run(&["deal", "--json", "AcTc/AhKh second -/- - -"]).ok();
    assert_eq!(
        found,
        "{\"rules\":\"sackson\",\"position\":\"AcTc/AhKh second -/- - -\",\"first\":[\"Ac\",\"Tc\"],\"second\":[\"Ah\",\"Kh\"]}\n"
    );
}

#[test]
fn a_tablebase_gives_the_values_of_the_solver_for_position_lines() {
    let home = Home::new();
    let rules = home.file("small.toml", SMALL);
    let file = home.path("small.matebase");
    let file = file.to_str().unwrap();
    home.run(&["tablebase", "build", "--rules", &rules, file]).ok();
    let lines =
        ["AxBxAy/ByAzBz first -/- - -", "Ax/Bz second -/- - -", "AxAy/ByAzBz first -/- Bx -"];
    for line in lines {
        let solved = home.run(&["solve", "--rules", &rules, "--json", line]).ok();
        assert_eq!(home.run(&["tablebase", "probe", "--json", file, line]).ok(), solved, "{line}");
    }
    let deal = home.run(&["solve", "--rules", &rules, "--json", SMALL_DEAL]).ok();
    assert_eq!(home.run(&["solve", "--rules", &rules, "--json", lines[0]]).ok(), deal);
}

#[test]
fn an_invalid_position_line_is_refused_with_its_fault() {
    let home = Home::new();
    for (line, fault) in [
        (
            "AcTc/AhKh second",
            "column 17: expected a blank and the foreplaced cards, such as `-/-` for none",
        ),
        ("AcTc/AhKhKd second -/- - -", "seat `first` holds 2 cards and seat `second` 3 cards"),
        ("AcTc/AcKh second -/- - -", "Ac 2 times"),
        ("AcZz/AhKh second -/- - -", "column 3"),
    ] {
        for command in ["solve", "deal"] {
            home.run(&[command, line]).fails(1, &["is not a position of sackson", fault]);
        }
        home.run(&["play", "--position", line])
            .fails(1, &["the value of --position is not a valid position", fault]);
    }
}

#[test]
fn play_begins_at_a_position_line_and_takes_back_no_earlier_action() {
    let home = Home::new();
    let (positions, _) = replayed(&home, Path::new(EXAMPLE));
    let line = &positions[6];
    let mut talk = home.talk(&["play", "--position", line, "--seat", "second"]);
    let heard = talk.listen();
    assert!(heard.contains("A match of 1 game, rules sackson."), "{heard}");
    assert!(heard.contains("The match begins at a given position"), "{heard}");
    // The printed heading of the game does not name the player who leads in move 1, because the match begins at a later position.
    assert!(heard.contains("\nGame 1 of 1\n"), "{heard}");
    assert!(talk.say("undo").contains("no action of yours to take back"));
    let action = legal(&heard)[0].clone();
    let mut heard = talk.say(&action);
    heard = if asks(&heard) { talk.say("undo") } else { heard };
    assert!(heard.contains("Your hand"), "{heard}");
    talk.say("quit");
    talk.end().ok();

    let file = home.kept();
    let record = text(&file);
    assert!(record.contains(&format!("[Position \"{line}\"]\n")), "{record}");
    let (kept, _) = replayed(&home, &file);
    assert!(kept.contains(line), "{kept:?}");
    let mut talk = home.talk(&["play", "--resume", file.to_str().unwrap()]);
    talk.listen();
    assert!(talk.say("undo").contains("no action of yours to take back"));
    talk.say("quit");
    talk.end().ok();
}

#[test]
fn a_review_blames_nobody_for_the_actions_before_the_given_position() {
    let home = Home::new();
    let (positions, _) = replayed(&home, Path::new(EXAMPLE));
    let line = &positions[8];
    let mut talk = home.talk(&["play", "--position", line]);
    let mut heard = talk.listen();
    while asks(&heard) {
        heard = talk.say(&legal(&heard)[0].clone());
    }
    talk.end().ok();

    let file = home.kept();
    let (kept, actions) = replayed(&home, &file);
    let begun_after = kept.iter().position(|position| position == line).unwrap();
    let review = |file: &Path| {
        let out = home.run(&["review", "--json", file.to_str().unwrap()]).ok();
        let objects = out.lines().map(|line| serde_json::from_str(line).unwrap());
        objects.collect::<Vec<Value>>()
    };
    let reviewed = review(&file);
    let (sums, reviewed) = reviewed.split_last().unwrap();
    assert_eq!(reviewed.len(), actions.len() - begun_after);
    assert_eq!(reviewed[0]["number"], begun_after + 1);
    let lost = |player: &str| {
        let own = reviewed.iter().filter(|action| action["player"] == player);
        own.map(|action| action["lost"].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(sums["lost"], serde_json::json!({"a": lost("A"), "b": lost("B")}));
    let points = |points: u64| format!("{points} point{}", if points == 1 { "" } else { "s" });
    let sum = format!(
        "In this game you lost {} to best play, Overmate {}.",
        points(lost("A")),
        lost("B")
    );
    assert!(heard.contains(&sum), "{sum}\n{heard}");
    let found = home.run(&["review", file.to_str().unwrap()]).ok();
    assert!(found.contains(&format!("  You: {}\n", points(lost("A")))), "{found}");
    assert!(!found.contains("\n   1  "), "{found}");

    // The test removes the header `Position`, so that the review also covers the actions before the position at which the match began. Some
    // of these actions lost points.
    let record = text(&file).replace(&format!("[Position \"{line}\"]\n"), "");
    let without_header = Path::new(&home.file("b.mate", record)).to_owned();
    let all = review(&without_header);
    assert_eq!(all.len(), actions.len() + 1);
    assert_ne!(all.last(), Some(sums));
}

#[test]
fn play_refuses_a_position_that_no_game_reaches_or_that_ends_a_game() {
    let home = Home::new();
    // The ace of clubs and the king of spades were played, and neither card can answer the other.
    let line = "TcKcQc7cAsTsQs7sAh/ThKhQh7hAdTdKdQd7d first -/- - -";
    home.run(&["play", "--rules", "bga", "--position", line])
        .fails(1, &["no game was found that leads to the position"]);
    home.run(&["play", "--rules", "bga", "--position", "AcTc/Ah second -/- Kh -"])
        .fails(1, &["the game is over in the position of --position"]);
    home.run(&["play", "--position", line, "--deal", "7"]).fails(2, &["cannot be used with"]);
}
