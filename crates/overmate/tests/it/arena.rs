//! Tests that the output of `overmate arena` does not depend on threads or interruptions, and that each error names a remedy.

use std::path::Path;

use serde_json::Value;

use crate::support::{Home, Ran, SMALL, text};

/// Returns the arguments of a quick arena between built-in players with a deck of six cards.
fn small(home: &Home) -> Vec<String> {
    let rules = home.file("small.toml", SMALL);
    let words = ["arena", "--players", "level:1,level:2,perfect", "--seed", "7", "--rules", &rules];
    words.map(str::to_owned).to_vec()
}

fn run(home: &Home, args: &[String], more: &[&str]) -> Ran {
    let args: Vec<&str> = args.iter().map(String::as_str).chain(more.iter().copied()).collect();
    home.run(&args)
}

/// Splits an arena file into its match records.
fn records(file: &str) -> Vec<String> {
    let starts: Vec<usize> = file.match_indices("[Rules ").map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([file.len()]);
    starts.iter().zip(ends).map(|(start, end)| file[*start..end].trim_end().to_owned()).collect()
}

#[test]
fn results_and_records_do_not_depend_on_the_number_of_threads() {
    let home = Home::new();
    let args = small(&home);
    let of = |threads: &str, seed: &str| {
        let file = format!("{threads}-{seed}.mates");
        let mut args = args.clone();
        args[4] = seed.to_owned();
        let more = ["--matches", "60", "--threads", threads, "--json", "--record", &file];
        (run(&home, &args, &more).ok(), text(&home.path(&file)))
    };
    let (json, file) = of("1", "7");
    for threads in ["2", "5"] {
        assert!(of(threads, "7") == (json.clone(), file.clone()), "{threads} threads");
    }
    assert_ne!(of("2", "8").1, file);

    let object: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(object["pairings"].as_array().unwrap().len(), 3);
    for pairing in object["pairings"].as_array().unwrap() {
        assert_eq!(pairing["matches"], 60);
        let sum =
            |keys: &[&str]| keys.iter().map(|key| pairing[*key].as_u64().unwrap()).sum::<u64>();
        assert_eq!(sum(&["wins", "draws", "losses"]), 60);
        let pairs = pairing["pairs"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap());
        assert_eq!(pairs.sum::<u64>(), 30);
    }
    assert_eq!(object["standings"].as_array().unwrap().len(), 3);
    assert_eq!(records(&file).len(), 180);
    // A single pair of matches gives no confidence interval.
    let pair = run(&home, &args, &["--matches", "2", "--json"]).ok();
    let pair: Value = serde_json::from_str(&pair).unwrap();
    let margin = &pair["pairings"][0]["margin_a_match"];
    assert!(margin["value"].is_number() && margin["low"].is_null() && margin["high"].is_null());
    assert!(run(&home, &args, &["--matches", "2"]).ok().contains(" in every pair\n"));
    // An arena without --record leaves no file.
    run(&home, &args, &["--matches", "2"]).ok();
    assert_eq!(std::fs::read_dir(home.path("data/overmate/arenas")).unwrap().count(), 0);
}

#[test]
fn the_file_of_an_arena_can_be_replayed_and_reviewed() {
    let home = Home::new();
    run(&home, &small(&home), &["--matches", "4", "--record", "all.mates"]).ok();
    let replayed = home.run(&["replay", "all.mates"]).ok();
    assert!(replayed.starts_with("Match 1 of 12\nRules: small\nA: level:1\nB: level:2\nPair: 1\n"));
    assert!(replayed.contains("\n\nMatch 12 of 12\nRules: small\nA: perfect\nB: level:2\n"));
    let lines = home.run(&["replay", "--json", "all.mates"]).ok();
    let ends = lines.lines().filter(|line| line.contains("\"result\":")).count();
    // The command `replay --json` prints a line for each of the two games of a match, and a line for the whole match.
    assert_eq!((lines.lines().count(), ends), (36, 12));
    let reviewed = home.run(&["review", "all.mates"]).ok();
    assert_eq!(reviewed.matches("Lost to best play").count(), 12);
    let sums = home.run(&["review", "--json", "all.mates"]).ok();
    assert_eq!(sums.lines().filter(|line| line.starts_with("{\"lost\":")).count(), 12);
}

#[test]
fn an_arena_resumes_from_any_part_of_its_file() {
    let home = Home::new();
    let args = small(&home);
    let with = |file: &str, matches: &str| {
        run(&home, &args, &["--matches", matches, "--json", "--record", file])
    };
    let json = with("whole.mates", "20").ok();
    let whole = text(&home.path("whole.mates"));
    let all = records(&whole);
    assert_eq!(all.len(), 60);
    // A resumed arena reports each incomplete record that it removes from its file, in a line on the standard error.
    let resumes = |removed: Option<(usize, usize)>| {
        let ran = with("part.mates", "20");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), json.as_str()), "{}", ran.stderr);
        let told = removed.map_or_else(String::new, |(line, bytes)| {
            let bytes = if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") };
            format!(
                "Removed the incomplete record that begins in line {line} of part.mates, {bytes}: its match is played again.\n"
            )
        });
        assert_eq!(ran.stderr, told);
    };

    // The arena resumes from a file that holds every third match record, in reverse order, with or without a truncated record at the end.
    let mut some: Vec<&str> = all.iter().map(String::as_str).rev().step_by(3).collect();
    let cut = &all[0][..all[0].len() - 5];
    for last in ["", cut, &cut[..cut.len() / 2]] {
        some.push(last);
        let part = some.join("\n\n");
        home.file("part.mates", part.trim_end());
        let start = part.trim_end().rfind("[Rules ").unwrap();
        let line = part[..start].matches('\n').count() + 1;
        let removed = part.trim_end().len() - start;
        let told = if last.is_empty() { None } else { Some((line, removed)) };
        resumes(told);
        assert!(text(&home.path("part.mates")) == whole, "{last}");
        some.pop();
    }
    // The arena also resumes from a file that holds only one truncated record, of any length.
    let first = &all[0];
    for cut in [1, 5, 12, 20, 40, first.find("\nGame 1").unwrap(), first.len() - 3] {
        home.file("part.mates", &first[..cut]);
        resumes(Some((1, cut)));
        assert!(text(&home.path("part.mates")) == whole, "{}", &first[..cut]);
    }
    // An arena whose file already holds all matches leaves the file unchanged. An arena with a higher number of matches adds the missing
    // matches.
    assert_eq!(with("part.mates", "20").ok(), json);
    assert!(text(&home.path("part.mates")) == whole);
    let longer = with("part.mates", "30").ok();
    assert_eq!(longer, with("longer.mates", "30").ok());
    assert!(text(&home.path("part.mates")) == text(&home.path("longer.mates")));
}

/// Tests the results of an arena whose file cannot be sorted. The arena opens its file by a file descriptor. The name of the file is gone,
/// so that the arena finds no place for the sorted file, even if root runs the test.
#[cfg(target_os = "linux")]
#[test]
fn an_arena_prints_its_results_although_its_file_cannot_be_sorted() {
    let home = Home::new();
    let args = small(&home);
    let with = |file: &str| run(&home, &args, &["--matches", "4", "--json", "--record", file]);
    let json = with("sorted.mates").ok();
    home.file("kept.mates", "");
    for _ in 0..2 {
        let script = format!(
            "ln kept.mates gone.mates; exec 3<>gone.mates; rm gone.mates; \"$0\" {} --matches 4 --json --record /dev/fd/3",
            args.join(" ")
        );
        let mut shell = home.shell(&script);
        shell.env("HOME", home.path("")).env("XDG_DATA_HOME", home.path("data"));
        let ran = Ran::from(shell.output().unwrap());
        assert_eq!(ran.stdout, json, "{}", ran.stderr);
        ran.fails(1, &["the arena file /dev/fd/3: the file is complete but unsorted"]);
        assert_eq!(records(&text(&home.path("kept.mates"))).len(), 12);
    }
    // A repeated command with a usable name sorts the records.
    assert_eq!(with("kept.mates").ok(), json);
    assert!(text(&home.path("kept.mates")) == text(&home.path("sorted.mates")));
}

#[test]
fn the_same_command_without_a_seed_again_continues_its_file() {
    let home = Home::new();
    let mut args = small(&home);
    args.drain(3..5);
    let again = |matches: &str| {
        let more = ["--matches", matches, "--json", "--record", "mine.mates"];
        let object: Value = serde_json::from_str(&run(&home, &args, &more).ok()).unwrap();
        object["seed"].as_u64().unwrap()
    };
    let seed = again("2");
    let before = records(&text(&home.path("mine.mates")));
    assert_eq!(again("4"), seed);
    let after = records(&text(&home.path("mine.mates")));
    assert_eq!((before.len(), after.len()), (6, 12));
    assert!(before.iter().all(|record| after.contains(record)));
}

#[test]
fn a_file_that_is_not_of_this_arena_is_refused_and_unchanged() {
    let home = Home::new();
    let args = small(&home);
    run(&home, &args, &["--matches", "4", "--record", "mine.mates"]).ok();
    let before = text(&home.path("mine.mates"));
    let refused = |args: &[String], more: &[&str], saying: &str| {
        let ran = run(&home, args, &[more, &["--record", "mine.mates"]].concat());
        ran.fails(1, &["mine.mates cannot be continued by this arena", saying]);
        assert_eq!(text(&home.path("mine.mates")), before);
    };
    let mut other = args.clone();
    other[4] = "8".to_owned();
    refused(&other, &["--matches", "4"], "the record's header `Seed` is 7, but this arena has 8");
    refused(
        &args,
        &["--matches", "2"],
        "the record has match pair 2, but this arena has only 1 pair: set --matches to at least 4",
    );
    refused(
        &args,
        &["--matches", "4", "--nodes", "5"],
        "the record's header `Nodes` is none, but this arena has 5",
    );
    refused(
        &args,
        &["--matches", "4", "--sprt", "0,9"],
        "the record's header `Sprt` is none, but this arena has 0,9",
    );
    let mut other = args.clone();
    other[2] = "level:1,perfect".to_owned();
    refused(&other, &["--matches", "4"], "the record's player level:2 does not play in this arena");
    other = args.clone();
    other[6] = "bga".to_owned();
    refused(
        &other,
        &["--matches", "4"],
        "the record's rule set is small, but this arena plays bga",
    );
    other[6] = home.file("changed.toml", SMALL.replace("value = 10", "value = 9"));
    refused(
        &other,
        &["--matches", "4"],
        "the record's rules differ from the rules of this arena, although both rule sets have the name small: restore the \
         rules of the first run, or give the changed rules another name and choose another --record file",
    );

    let once = records(&before)[0].clone();
    let strange = [
        ("shopping list\n", "the record lacks the header [Rules \"…\"]"),
        ("", ""),
        // The arena must not remove a truncated match record with a move but without the header `Pair`, because no arena writes such a
        // record.
        ("[Rules \"small\"]\n\nGame 1: A leads\n1. Ax", "the record that begins in line 1"),
        (&format!("{once}\n\n{once}\n"), "repeats a match of an earlier record"),
        (&format!("{once}\nmore\n\n{once}"), "the record that begins in line 1"),
        (
            &format!("{once}\nmore\n"),
            "the text after the record that begins in line 1 is not a record",
        ),
        (
            &format!("{once}\n\n{{\"type\":\"match\"}}\n"),
            "the text after the record that begins in line 1 is not a record",
        ),
        (
            &format!("{once}\n{{ hello\nworld\n"),
            "the text after the record that begins in line 1 is not a record",
        ),
        (&format!("{once}\n\n[Rules \"small\"]\nbla bla bla\n"), "cannot be read"),
        // The arena must not remove a complete record that it cannot read, such as a record with a fault in its text or with later rules.
        (
            &format!("{}\n", once.replacen("1. ", "2. ", 1)),
            "the record that begins in line 1 cannot be read",
        ),
        (
            &format!("{}\n", once.replacen("rounds = 1", "rounds = later", 1)),
            "the record that begins in line 1 cannot be read",
        ),
        (
            &once.replace("[Pair \"1\"]\n", ""),
            "the record's header `Pair` is missing, or is not the number of a match pair, such as 1",
        ),
        (
            &once.replace("[Pair \"1\"]", "[Pair \"0\"]"),
            "the record's header `Pair` is missing, or is not the number of a match pair, such as 1",
        ),
    ];
    for (contents, saying) in strange {
        let file = home.file("strange", contents);
        let ran = run(&home, &args, &["--matches", "4", "--record", &file]);
        if saying.is_empty() {
            ran.ok();
        } else {
            ran.fails(1, &[saying]);
            assert_eq!(text(Path::new(&file)), contents);
        }
    }
    std::fs::write(home.path("bytes"), b"[Rules \"\xff\"]\n").unwrap();
    run(&home, &args, &["--record", "bytes"]).fails(1, &["the arena file is not a text in UTF-8"]);
    run(&home, &args, &["--record", "no/such/folder"])
        .fails(1, &["cannot write to the arena file no/such/folder"]);
    // The test locks the arena file, as another arena process would.
    let file = std::fs::OpenOptions::new().write(true).open(home.path("mine.mates")).unwrap();
    file.lock().unwrap();
    let ran = run(&home, &args, &["--matches", "4", "--record", "mine.mates"]);
    ran.fails(1, &["another arena is writing to the arena file mine.mates"]);
}

#[test]
fn an_arena_without_a_file_says_at_the_start_that_no_match_is_kept() {
    let home = Home::new();
    // A file at the path of the data directory prevents the creation of an arena file, even if root runs the test.
    home.file("data", "");
    let ran = run(&home, &small(&home), &["--matches", "2"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for part in ["No match is kept if the arena stops early", "overmate/arenas", "--record FILE"] {
        assert!(ran.stderr.contains(part), "{ran:?}");
    }
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
    run(&home, &small(&home), &["--matches", "2", "--record", "mine.mates"]).ok();
}

#[cfg(unix)]
#[test]
fn only_the_user_may_read_the_records_of_arenas_whatever_the_umask() {
    use std::os::unix::fs::PermissionsExt as _;

    for umask in ["000", "022", "077"] {
        let home = Home::new();
        home.file("old.mates", "");
        let old = std::fs::Permissions::from_mode(0o644);
        std::fs::set_permissions(home.path("old.mates"), old).unwrap();
        for option in ["", " --record new.mates", " --record old.mates"] {
            let script = format!(
                "umask {umask}; \"$0\" arena --players level:1,level:2 --rules bga --matches 2{option}"
            );
            let mut shell = home.shell(&script);
            shell.env("HOME", home.path("")).env("XDG_DATA_HOME", home.path("data"));
            assert!(shell.status().unwrap().success());
        }
        let mode =
            |name: &str| std::fs::metadata(home.path(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode("new.mates"), mode("old.mates")), (0o600, 0o600), "{umask}");
        assert_eq!(mode("data/overmate/arenas"), 0o700, "{umask}");
        for parent in ["data", "data/overmate"] {
            assert_eq!(mode(parent) & 0o022, 0, "{umask} {parent}");
        }
    }
}

#[test]
fn arena_rejects_senseless_command_lines() {
    let home = Home::new();
    let fails = |args: &[&str], saying: &str| {
        let args: Vec<&str> = ["arena"].iter().chain(args).copied().collect();
        home.run(&args).fails(2, &[saying]);
    };
    fails(&[], "an arena needs at least two players");
    fails(&["--players", "perfect"], "an arena needs at least two players");
    fails(
        &["--players", "perfect,level:10"],
        "'level:10' for '--players <P,…>': there is no opponent `level:10`: use",
    );
    fails(
        &["--players", "perfect,./bot.py"],
        "a program of your own plays with --bot NAME=COMMAND",
    );
    fails(&["--players", "perfect,level:3,3"], "two players have the name `level:3`");
    fails(&["--players", "perfect, level:3, 3 "], "two players have the name `level:3`");
    fails(&["--players", "perfect,"], "'' for '--players <P,…>': there is no opponent ``");
    fails(&["--players", "perfect", "--bot", "level:3=x"], "is the name of a built-in opponent");
    fails(&["--bot", "mine"], "NAME=COMMAND is needed");
    fails(&["--bot", "a=x", "--bot", "a=y"], "two players have the name `a`");
    let two = |more: &[&'static str]| [&["--players", "level:1,perfect"], more].concat();
    fails(&two(&["--matches", "7"]), "an even number from 2");
    fails(&two(&["--sprt", "5"]), "two Elo differences are needed");
    fails(&two(&["--sprt", "5,1"]), "the lower difference first");
    fails(&two(&["--threads", "0"]), "0 is not in 1..=1024");
    fails(&two(&["--rules", "chess"]), "there is no rule set `chess`");
    let ran = home.run(&["arena", "--players", "perfect", "--bot", "mine=./no-such-bot"]);
    ran.fails(
        1,
        &[
            "the player mine cannot enter the arena",
            "the program `./no-such-bot` cannot be started",
        ],
    );
    home.run(&["bot"]).fails(2, &["--level", "--perfect"]);
    home.run(&["bot", "--level", "10"]).fails(2, &["use 1 to 9, perfect, or perfect:vs=1"]);
    home.run(&["bot", "--level", "1", "--perfect"]).fails(2, &["cannot be used with"]);
    home.run_with(&["bot", "--perfect"], "hello\n")
        .fails(1, &["the conversation of the bot with the arena failed", "line 1"]);
}
