//! Tests the options of `overmate arena` for gauntlets, listed deals and clocks.

use serde_json::{Value, json};

use crate::support::{Home, Ran, text};

const BINARY: &str = env!("CARGO_BIN_EXE_overmate");

fn arena(home: &Home, args: &[&str]) -> Ran {
    home.run(&[&["arena", "--rules", "bga", "--seed", "7"], args].concat())
}

fn json(ran: Ran) -> Value {
    serde_json::from_str(&ran.ok()).unwrap()
}

/// Splits an arena file into its match records, and sorts the records by their text.
fn records(file: &str) -> Vec<String> {
    let mut records: Vec<String> =
        file.split("[Rules ").skip(1).map(|record| record.trim_end().to_owned()).collect();
    records.sort_unstable();
    records
}

/// Returns the numbers of the deals of all matches in an arena file, one list for each match.
fn deals(home: &Home, file: &str) -> Vec<Vec<u64>> {
    let lines = home.run(&["replay", "--json", file]).ok();
    let mut matches = vec![Vec::new()];
    for line in lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        match line["deal"].as_str() {
            Some(deal) => matches.last_mut().unwrap().push(deal.parse().unwrap()),
            None => matches.push(Vec::new()),
        }
    }
    matches.pop();
    matches
}

#[test]
fn a_gauntlet_plays_the_matches_of_one_player_and_no_others() {
    let home = Home::new();
    let players = ["--players", "level:1,level:2,level:3", "--matches", "6"];
    let with = |more: &[&str]| arena(&home, &[&players[..], more].concat());
    with(&["--record", "all.mates"]).ok();
    let object = json(with(&["--gauntlet", "2", "--record", "one.mates", "--json"]));
    assert_eq!(object["gauntlet"], "level:2");
    let pairings = object["pairings"].as_array().unwrap();
    let named: Vec<&Value> = pairings.iter().map(|pairing| &pairing["players"]).collect();
    assert_eq!(named, [&json!(["level:2", "level:1"]), &json!(["level:2", "level:3"])]);
    assert!(pairings.iter().all(|pairing| pairing["matches"] == 6));
    let (all, one) = (text(&home.path("all.mates")), text(&home.path("one.mates")));
    let of_one: Vec<String> =
        records(&all).into_iter().filter(|record| record.contains("\"level:2\"]")).collect();
    assert_eq!((records(&all).len(), of_one.len()), (18, 12));
    assert_eq!(records(&one), of_one);
    let shown = with(&["--gauntlet", "level:2"]).ok();
    assert!(shown.contains("6 matches of level:2 against each other player, seed 7\n"), "{shown}");

    // With the option `--gauntlet`, the program refuses an arena file with matches in which the player of the gauntlet does not play.
    // Without the option, the program continues the file of a gauntlet.
    with(&["--gauntlet", "level:2", "--record", "all.mates"]).fails(
        1,
        &["level:2 plays all matches of this gauntlet, but does not play in the record's match: leave out --gauntlet"],
    );
    assert_eq!(text(&home.path("all.mates")), all);
    with(&["--record", "one.mates"]).ok();
    assert_eq!(text(&home.path("one.mates")), all);
    with(&["--gauntlet", "level:4"]).fails(
        2,
        &["no player of the arena has the name `level:4` of --gauntlet: name one of level:1, level:2, level:3"],
    );
}

#[test]
fn the_deals_of_a_file_are_played_in_their_order() {
    let home = Home::new();
    let hands = home.run(&["deal", "--rules", "bga", "4711"]).ok();
    let hands = hands.lines().last().unwrap().trim().to_owned();
    home.file("deals.txt", format!("20010\n\n100..103\n  {hands}  \n7\n"));
    let players = ["--players", "level:1,level:2"];
    let with = |more: &[&str]| arena(&home, &[&players[..], more].concat());
    let listed = ["--deals", "deals.txt"];
    let object = json(with(&[&listed[..], &["--record", "a.mates", "--json"]].concat()));
    // The six listed deals suffice for three match pairs, because both matches of a pair are played on the same two deals.
    assert_eq!((&object["matches"], &object["listed_deals"]), (&json!(6), &json!(6)));
    let pairs = [[20_010, 100], [101, 102], [4711, 7]];
    let expected: Vec<Vec<u64>> =
        pairs.iter().flat_map(|&[one, other]| vec![vec![one, one, other, other]; 2]).collect();
    assert_eq!(deals(&home, "a.mates"), expected);
    // The final arena file does not depend on the number of threads, nor on an interruption of the arena.
    let whole = text(&home.path("a.mates"));
    home.file(
        "b.mates",
        whole.split_inclusive("\n\n[Rules").next().unwrap().trim_end_matches("[Rules"),
    );
    with(&[&listed[..], &["--record", "b.mates", "--threads", "1"]].concat()).ok();
    assert_eq!(text(&home.path("b.mates")), whole);
    let some = with(&[&listed[..], &["--matches", "2", "--record", "c.mates"]].concat()).ok();
    assert!(some.contains("2 matches on listed deals, seed 7\n"), "{some}");
    assert_eq!(deals(&home, "c.mates"), expected[..2]);

    home.file("other.txt", "20010\n101\n");
    for (more, saying) in [
        (
            &["--deals", "other.txt"][..],
            "the record has deal 100, but the list of --deals has deal 101 for the same round",
        ),
        (&["--matches", "2"], "the record's header `DealSource` is list, but this arena has none"),
    ] {
        with(&[more, &["--record", "c.mates"]].concat())
            .fails(1, &["c.mates cannot be continued", saying]);
    }
}

#[test]
fn an_arena_that_the_sprt_stops_counts_the_played_deals() {
    let home = Home::new();
    home.file("deals.txt", "0..400\n");
    let players = ["--players", "perfect,level:1", "--deals", "deals.txt"];
    let object = json(arena(&home, &[&players[..], &["--sprt", "0,100", "--json"]].concat()));
    let matches = object["pairings"][0]["matches"].as_u64().unwrap();
    assert!((10..400).contains(&matches), "{matches}");
    // Both matches of a pair are played on the same two deals.
    assert_eq!(object["listed_deals"], matches);
}

#[test]
fn a_file_without_suitable_deals_is_refused() {
    let home = Home::new();
    let position = "Ac/Tc first - - -";
    let mut refused = 0;
    for (contents, more, sayings) in [
        ("", &[][..], ["the file deals.txt lists no deal", "write one deal a line"]),
        (
            "\n 20010\nchess\n1\n",
            &[],
            ["line 3 of the file deals.txt", "`chess` is not a deal of bga"],
        ),
        ("chess\n", &[], ["a deal is a number, a range such as 0..1000, or two hands", "chess"]),
        ("184756\n1\n", &[], ["line 1 of the file deals.txt", "from 0 to 184755"]),
        ("5..3\n", &[], ["line 1 of the file deals.txt", "ends before its start"]),
        ("\u{feff}5..3\n", &[], ["line 1 of the file deals.txt", "ends before its start"]),
        (position, &[], ["the file deals.txt", "position"]),
        ("0..5\n", &[], ["lists 5 deals, but a match of bga has 2", "--matches"]),
        ("0..5\n", &["--matches", "6"], ["lists 5 deals, but 6 matches need 6", "add deals"]),
    ] {
        home.file("deals.txt", contents);
        let args = [&["--players", "level:1,level:2", "--deals", "deals.txt"], more].concat();
        arena(&home, &args).fails(1, &sayings);
        refused += 1;
    }
    assert_eq!(refused, 9);
    std::fs::write(home.path("bytes"), b"\xff\n").unwrap();
    let args = ["--players", "level:1,level:2", "--deals"];
    arena(&home, &[&args[..], &["bytes"]].concat()).fails(1, &["line 1 of the file bytes"]);
    arena(&home, &[&args[..], &["none"]].concat()).fails(1, &["cannot read the file none"]);
}

#[test]
fn a_program_with_a_clock_plays_and_a_slow_program_forfeits() {
    let home = Home::new();
    let quick = format!("quick='{BINARY}' bot --level 3");
    let with = |bot: &str, clock: &str, file: &str| {
        let more = ["--clock", clock, "--matches", "2", "--json", "--record", file];
        json(arena(&home, &[&["--players", "level:1", "--bot", bot], &more[..]].concat()))
    };
    let object = with(&quick, "60+0.5", "quick.mates");
    assert_eq!(object["clock"], json!({"base": 60.0, "increment": 0.5}));
    assert_eq!(object["pairings"][0]["forfeits"], json!([0, 0]));
    let file = text(&home.path("quick.mates"));
    assert_eq!(file.matches("\n[Clock \"60+0.5\"]\n").count(), 2);

    // A shell script runs `overmate bot --level 3`, and delays each of the bot's messages.
    let script = format!(
        "'{BINARY}' bot --level 3 | while read -r line; do sleep 0.4; echo \"$line\"; done"
    );
    let script = home.file("slow.sh", script);
    let object = with(&format!("slow=/bin/sh '{script}'"), "0.2", "slow.mates");
    let pairing = &object["pairings"][0];
    assert_eq!(
        (&pairing["players"], &pairing["forfeits"]),
        (&json!(["level:1", "slow"]), &json!([0, 2]))
    );
    let why = pairing["told_forfeits"][0]["why"].as_str().unwrap();
    assert!(why.starts_with("the program's clock of 0.2+0 s ran out in move "), "{why}");
    let file = text(&home.path("slow.mates"));
    assert!(file.contains("the program's clock of 0.2+0 s ran out"), "{file}");
    let other =
        ["--players", "level:1", "--bot", &quick, "--clock", "9", "--record", "quick.mates"];
    arena(&home, &[&other[..], &["--matches", "2"]].concat())
        .fails(1, &["the record's header `Clock` is 60+0.5, but this arena has 9+0"]);
    arena(&home, &["--players", "level:1,level:2", "--clock", "0+1"])
        .fails(2, &["such as 60+0.5: the first number must be above 0"]);
    arena(&home, &["--players", "level:1,level:2", "--clock", "9"])
        .fails(2, &["only programs have a clock", "--bot NAME=COMMAND"]);
}
