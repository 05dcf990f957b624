//! Tests external programs that play in the arena over the bot protocol: the Python example, scripted bots and built-in players.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{Home, Ran, interrupt, text};

const BINARY: &str = env!("CARGO_BIN_EXE_overmate");

/// Returns the path of a file in the `docs` folder.
fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)
}

/// Returns the path of the Python interpreter itself, not of a wrapper script. Such a script may start the interpreter under another path.
fn python() -> String {
    let asked = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    let asked = asked.expect("python3 is needed, to test the example in docs/examples");
    String::from_utf8(asked.stdout).unwrap().trim().to_owned()
}

/// Returns the command line that runs the example bot in Python.
fn example() -> String {
    format!("'{}' '{}'", python(), document("examples/bot.py").display())
}

fn arena(home: &Home, args: &[&str]) -> Ran {
    home.run(&[&["arena"], args].concat())
}

fn json(ran: Ran) -> Value {
    serde_json::from_str(&ran.ok()).unwrap()
}

/// Returns the command line of a test bot that chooses actions by a Python expression.
fn scripted(home: &Home, name: &str, choice: &str) -> String {
    let script = format!(
        "import json, os, sys, time\n\
         for line in sys.stdin:\n\
         \x20   m = json.loads(line)\n\
         \x20   if m['type'] == 'hello':\n\
         \x20       print('{{\"type\":\"ready\",\"protocol\":1,\"name\":\"Last of all\"}}', flush=True)\n\
         \x20   if m['type'] == 'turn':\n\
         \x20       legal = m['legal']\n\
         \x20       action = {choice}\n\
         \x20       print('{{\"type\":\"action\",\"action\":\"%s\"}}' % action, flush=True)\n"
    );
    format!("'{}' '{}'", python(), home.file(&format!("{name}.py"), script))
}

#[test]
fn the_example_bot_plays_without_a_forfeit() {
    let home = Home::new();
    let bot = format!("example={}", example());
    let source = text(&document("examples/bot.py"));
    let document = text(&document("bot-protocol.md"));
    assert!(
        document.contains(&format!("```python\n{}\n```", source.trim_end())),
        "the document shows it"
    );
    assert!(source.lines().filter(|line| !line.trim().is_empty()).count() <= 22);
    let same = scripted(&home, "chance", "legal[len(m['actions']) % len(legal)]");
    let other = format!("other={same}");
    let mut points = [0.0; 2];
    for rules in ["sackson", "denexa+free-move", "rael+figure-privilege+double", "pagat+pinochle"] {
        let args = [
            "--bot",
            &bot,
            "--bot",
            &other,
            "--matches",
            "6",
            "--rules",
            rules,
            "--seed",
            "1",
            "--json",
        ];
        let object = json(arena(&home, &args));
        let pairing = &object["pairings"][0];
        assert_eq!(pairing["forfeits"], serde_json::json!([0, 0]), "{object}");
        assert_eq!(object["players"][0]["program"], "Chance and mate");
        let of_matches = pairing["points_a_match"].as_array().unwrap();
        points = [0, 1].map(|side| points[side] + of_matches[side].as_f64().unwrap());
        assert_eq!(json(arena(&home, &args)), object, "the seed decides");
    }
    // The bot that recognises mates scores more points than the bot that does not recognise mates.
    assert!(points[0] > points[1] + 10.0, "{points:?}");
}

#[test]
fn the_documented_transcript_is_a_real_one() {
    let home = Home::new();
    let last = scripted(&home, "last", "legal[-1]").replace('\'', "");
    let script = format!("tee heard | {last} | tee said");
    let (bot, rival) = (format!("last=sh -c '{script}'"), format!("rival={last}"));
    let rules = ["--rules", "denexa", "--seed", "7", "--matches", "2", "--threads", "1"];
    let args = [&rules[..], &["--time", "10"]].concat();
    let mut command =
        home.command([&["arena"], &args[..], &["--bot", &bot, "--bot", &rival]].concat());
    command.env("PATH", std::env::var_os("PATH").unwrap());
    Ran::from(command.output().unwrap()).ok();
    let (heard, said) = (text(&home.path("heard")), text(&home.path("said")));
    let mut answers = said.lines();
    let mut conversation = Vec::new();
    for message in heard.lines() {
        conversation.push(format!("> {message}"));
        if message.contains("\"type\":\"hello\"") || message.contains("\"type\":\"turn\"") {
            conversation.push(format!("< {}", answers.next().unwrap()));
        }
    }
    assert_eq!(answers.next(), None);
    let document = text(&document("bot-protocol.md"));
    let (_, shown) = document.split_once("<!-- transcript -->\n```text\n").unwrap();
    let (shown, _) = shown.split_once("\n```").unwrap();
    let shown: Vec<&str> = shown.lines().collect();
    assert_eq!(shown.len(), 18);
    assert!(shown.iter().any(|line| line.contains("\"phase\":\"follow\"")));
    // The excerpt in `bot-protocol.md` shows the messages in order, and may omit messages only at a line `…`.
    let mut at = 0;
    for part in shown.split(|line| *line == "…") {
        let found = conversation[at..].windows(part.len()).position(|window| window == part);
        at += found.unwrap_or_else(|| panic!("not in the conversation: {part:#?}")) + part.len();
    }
    assert_eq!(at, conversation.len());
}

#[test]
fn the_protocol_describes_the_rules_as_the_command_does() {
    let home = Home::new();
    let last = scripted(&home, "last", "legal[-1]").replace('\'', "");
    for rules in ["sackson+kings-privilege", "rael+double"] {
        let bot = format!("ears=sh -c 'tee heard | {last}'");
        let rival = format!("rival={last}");
        let args = ["arena", "--rules", rules, "--matches", "2", "--bot", &bot, "--bot", &rival];
        let mut command = home.command(args);
        command.env("PATH", std::env::var_os("PATH").unwrap());
        Ran::from(command.output().unwrap()).ok();
        let heard = text(&home.path("heard"));
        let begun = heard.lines().find(|line| line.contains("\"type\":\"match\"")).unwrap();
        let told = home.run(&["rules", "--json", rules]).ok();
        assert!(begun.contains(&format!("\"rules\":{},", told.trim_end())), "{begun}\n{told}");
    }
}

#[test]
fn the_logs_of_a_program_hold_its_standard_error_and_its_conversation() {
    let home = Home::new();
    // The bot writes both directions of its conversation to its standard error.
    let script = "import json, sys\n\
                  def answer(**message):\n\
                  \x20   line = json.dumps(message)\n\
                  \x20   print('<', line, file=sys.stderr, flush=True)\n\
                  \x20   print(line, flush=True)\n\
                  for line in sys.stdin:\n\
                  \x20   print('>', line.rstrip(), file=sys.stderr, flush=True)\n\
                  \x20   m = json.loads(line)\n\
                  \x20   if m['type'] == 'hello':\n\
                  \x20       answer(type='ready', protocol=1, name='Parrot')\n\
                  \x20   if m['type'] == 'turn':\n\
                  \x20       answer(type='action', action=m['legal'][0])\n";
    let bot = format!("my.bot='{}' '{}'", python(), home.file("parrot.py", script));
    let args = ["--players", "level:1", "--bot", &bot, "--matches", "2", "--seed", "5"];
    let logs = ["--threads", "1", "--stderr", "logs/errors", "--trace", "logs/lines"];
    arena(&home, &[&args[..], &logs[..]].concat()).ok();
    let errors = text(&home.path("logs/errors/my.2e.bot-1.stderr"));
    let lines = text(&home.path("logs/lines/my.2e.bot-1.trace"));
    assert_eq!(errors, lines);
    assert_eq!(lines.matches("> {\"type\":\"match\"").count(), 2);
    assert!(lines.matches("< {\"type\": \"action\"").count() > 20, "{lines}");
    // A second arena with the same log folders appends to the log files of the first arena. A folder that cannot be created is an error.
    arena(&home, &[&args[..], &logs[..]].concat()).ok();
    assert_eq!(text(&home.path("logs/lines/my.2e.bot-1.trace")), lines.repeat(2));
    let blocked = [&args[..], &["--trace", "parrot.py/logs"]].concat();
    arena(&home, &blocked).fails(1, &["cannot create the folder parrot.py/logs"]);
}

#[test]
fn the_standard_error_of_a_program_is_kept_beside_the_arena_file_up_to_a_limit() {
    let home = Home::new();
    let bot = |command: &str| format!("loud=sh -c \"{command}; exec '{BINARY}' bot --level 1\"");
    let run = |bot: &str, more: &[&str]| {
        let args = ["--players", "level:1", "--bot", bot, "--matches", "2", "--threads", "1"];
        arena(&home, &[&args[..], more].concat())
    };
    // With `--record`, an arena stores the standard error of its external programs in a folder beside the file that this option names. A
    // program without output leaves no folder.
    assert_eq!(run(&bot("true"), &["--record", "quiet.mates"]).stderr, "");
    assert!(!home.path("quiet.mates.stderr").exists());
    run(&bot("echo hello >&2"), &["--record", "loud.mates"]).ok();
    assert_eq!(text(&home.path("loud.mates.stderr/loud-1.stderr")), "hello\n");
    // The stored standard error of an external program is cut off after 16 MiB.
    let flood = bot("head -c 20000000 /dev/zero | tr '\\0' x >&2");
    let ran = run(&flood, &["--record", "flood.mates"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(
        ran.stderr,
        "The standard error of the program loud is cut off at 16 MiB in flood.mates.stderr/loud-1.stderr.\n"
    );
    let kept = text(&home.path("flood.mates.stderr/loud-1.stderr"));
    let (kept, end) = kept.split_once('\n').unwrap();
    assert_eq!((kept.len(), kept.trim_matches('x')), (16 << 20, ""));
    assert!(end.starts_with("[The arena keeps no more than 16 MiB"), "{end}");
    // An arena without `--record` prints the path of its log folder. The next arena without `--record` removes this folder.
    let named = |ran: &Ran| {
        let told = ran.stderr.strip_prefix("The standard error of the programs is in ").unwrap();
        PathBuf::from(told.trim_end().strip_suffix('.').unwrap())
    };
    let first = named(&run(&bot("echo one >&2"), &[]));
    assert_eq!(text(&first.join("loud-1.stderr")), "one\n");
    let second = named(&run(&bot("echo two >&2"), &["--seed", "6"]));
    assert_eq!(text(&second.join("loud-1.stderr")), "two\n");
    assert!(first != second && !first.exists(), "{first:?} {second:?}");
}

#[test]
fn a_built_in_player_plays_the_same_through_the_protocol() {
    let home = Home::new();
    let mut games = 0;
    for rules in ["sackson", "denexa", "rael+kings-privilege"] {
        // The player `perfect:vs=5` plays only under `sackson`, which has open cards, because this player takes long with a hidden card.
        // The player assumes an opponent of level 5.
        let (name, level) =
            if rules == "sackson" { ("perfect:vs=5", "perfect:vs=5") } else { ("level:3", "3") };
        let bot = format!("other='{BINARY}' bot --level {level}");
        let players = format!("level:5,{name}");
        let args = ["--rules", rules, "--matches", "4", "--seed", "9", "--record"];
        let within = [&["--players", &players], &args[..], &["within"]].concat();
        let through = [&["--players", "level:5", "--bot", &bot], &args[..], &["through"]].concat();
        let told = arena(&home, &within).ok();
        let is_same = |told: &str, other: &str| {
            // The comparison of two results ignores the number of blanks, because tables pad the players' names with blanks.
            let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(plain(&other.replace("other", name)), plain(told));
        };
        is_same(&told, &arena(&home, &through).ok());
        let played = text(&home.path("within"));
        is_same(&played, &text(&home.path("through")));
        games += played.matches("\nGame ").count();
        std::fs::remove_file(home.path("within")).unwrap();
        std::fs::remove_file(home.path("through")).unwrap();
    }
    // Two of the three arenas play four matches of four games each, and the other arena plays four matches of six games each.
    assert_eq!(games, 16 + 16 + 24);
}

#[test]
fn the_seed_option_of_bot_applies_to_every_match() {
    let home = Home::new();
    let hello = r#"{"type":"hello","protocol":1,"arena":"a test"}"#;
    let ran = home.run_with(&["bot", "--level", "2", "--seed", "5"], format!("{hello}\n"));
    assert_eq!(ran.ok(), "{\"type\":\"ready\",\"protocol\":1,\"name\":\"level:2\"}\n");
    let quit = format!("{hello}\n{{\"type\":\"quit\"}}\nnever read\n");
    let named = |args: &[&str]| home.run_with(&[&["bot"], args].concat(), &quit).ok();
    for (args, name) in [
        (&["--perfect"][..], "perfect"),
        (&["--level", "perfect"], "perfect"),
        (&["--level", "level:9"], "level:9"),
        (&["--level", "perfect:vs=4"], "perfect:vs=4"),
    ] {
        let ready = format!("{{\"type\":\"ready\",\"protocol\":1,\"name\":\"{name}\"}}\n");
        assert_eq!(named(args), ready);
    }
}

#[test]
fn a_forfeit_is_in_the_results_and_in_the_record() {
    let home = Home::new();
    let illegal = scripted(&home, "illegal", "'Zz' if m['move'] == 2 else legal[0]");
    let bot = format!("rogue={illegal}");
    let args =
        ["--players", "perfect", "--bot", &bot, "--matches", "2", "--seed", "1", "--rules", "bga"];
    let told = arena(&home, &[&args[..], &["--record", "rogue.mates"]].concat()).ok();
    assert!(told.contains("forfeits     2 by rogue\n"), "{told}");
    assert!(told.contains("points       none: every pair has a forfeit\n"), "{told}");
    assert!(!told.contains("margin"), "{told}");
    let why = "the program's action `Zz` in move 2 of game 1 cannot be read: line 1, column 1: expected an action";
    assert!(told.contains(&format!("    pair 1, rogue as B: {why}")), "{told}");
    let records = text(&home.path("rogue.mates"));
    assert_eq!(
        records.matches("{rogue forfeits: the program's action `Zz` in move 2").count(),
        2,
        "{records}"
    );
    assert!(records.contains("B resigns 0-0") && records.contains("A resigns 0-0"), "{records}");
    let replayed = home.run(&["replay", "rogue.mates"]).ok();
    let reason = format!("\nComment: rogue forfeits: {why}");
    assert_eq!(replayed.matches(&reason).count(), 2, "{replayed}");
    let replayed = home.run(&["replay", "--json", "rogue.mates"]).ok();
    let comments = format!("\"comments\":[\"rogue forfeits: {why}");
    assert_eq!(replayed.matches(&comments).count(), 2, "{replayed}");
    assert_eq!(replayed.matches("\"comments\"").count(), 2, "{replayed}");
    // An arena whose file already holds all matches prints the same results as the run that played the matches.
    let again = arena(&home, &[&args[..], &["--record", "rogue.mates"]].concat()).ok();
    assert_eq!(again, told);
    // The arena removes a match record that is cut off within the comment on a forfeit, and plays the match of this record again.
    let comment = records.rfind("{rogue").unwrap();
    for cut in [comment + 1, comment + 30] {
        home.file("rogue.mates", &records[..cut]);
        let ran = arena(&home, &[&args[..], &["--record", "rogue.mates"]].concat());
        assert_eq!((ran.code, &ran.stdout), (Some(0), &told));
        let start = records.rfind("[Rules ").unwrap();
        assert!(ran.stderr.starts_with("Removed the incomplete record"), "{}", ran.stderr);
        assert!(ran.stderr.contains(&format!(", {} bytes: ", cut - start)), "{}", ran.stderr);
        assert_eq!(text(&home.path("rogue.mates")), records);
    }
    let object = json(arena(&home, &[&args[..], &["--record", "rogue.mates", "--json"]].concat()));
    let forfeits = &object["pairings"][0]["told_forfeits"];
    assert_eq!(forfeits.as_array().unwrap().len(), 2);
    assert_eq!((&forfeits[0]["player"], &forfeits[0]["as"]), (&"rogue".into(), &"B".into()));
}

/// Tests that Ctrl-C keeps the finished matches, and that the printed command resumes the arena.
#[test]
fn a_stopped_arena_can_be_resumed() {
    let home = Home::new();
    let flag = home.path("go");
    // From game 4 of its third match on, the bot sleeps instead of acting, unless the file `go` exists. The arena therefore cannot end
    // before the test stops the arena.
    let choice = format!(
        "legal[0] if os.path.exists('{0}') or not is_slow(m) else time.sleep(1000)",
        flag.display()
    );
    let script = scripted(&home, "slow", &choice);
    let file = home.path("slow.py");
    let is_slow = "begun = []\ndef is_slow(m):\n    begun.append(m['game'] == 4 and m['move'] == 1)\n    \
                   return sum(begun) > 2\n";
    std::fs::write(&file, is_slow.to_owned() + &text(&file)).unwrap();
    let bot = format!("slow={script}");
    let args = [
        "--players",
        "level:1",
        "--bot",
        &bot,
        "--matches",
        "20",
        "--threads",
        "1",
        "--rules",
        "bga",
    ];
    let named = [&["--seed", "4", "--json", "--record", "kept.mates"], &args[..]].concat();
    let child = home.command([&["arena"], &named[..]].concat()).spawn().unwrap();
    while std::fs::read_to_string(home.path("kept.mates"))
        .unwrap_or_default()
        .matches("[Rules")
        .count()
        < 2
    {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let stopped = interrupt(child);
    assert_eq!((stopped.code, stopped.stdout.as_str()), (Some(130), ""), "{stopped:?}");
    let (told, command) = stopped.stderr.trim_end().split_once("\nTo go on: overmate ").unwrap();
    assert!(told.starts_with("Stopped after ") && told.ends_with(" of 20 matches."), "{told}");
    let kept = text(&home.path("kept.mates"));
    assert!((2..20).contains(&kept.matches("[Rules").count()), "{kept}");

    std::fs::write(&flag, "").unwrap();
    let resumed: Ran = home.shell(&format!("\"$0\" {command}")).output().unwrap().into();
    let resumed = resumed.ok();
    let after = text(&home.path("kept.mates"));
    assert!(after.starts_with(kept.trim_end()), "what was played stays");
    let whole = [&["--seed", "4", "--json", "--record", "whole.mates"], &args[..]].concat();
    assert_eq!(arena(&home, &whole).ok(), resumed);
    assert_eq!(text(&home.path("whole.mates")), after);

    // An arena without --record creates a file and prints the path of the file.
    std::fs::remove_file(&flag).unwrap();
    let child = home.command([&["arena"], &args[..]].concat()).spawn().unwrap();
    let folder = home.path("data/overmate/arenas");
    let has_matches = || {
        let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        files.into_iter().any(|file| file.metadata().is_ok_and(|data| data.len() > 1000))
    };
    while !has_matches() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let stopped = interrupt(child);
    assert_eq!(stopped.code, Some(130));
    std::fs::write(&flag, "").unwrap();
    let (_, command) = stopped.stderr.trim_end().split_once("\nTo go on: overmate ").unwrap();
    assert!(command.contains(" --seed ") && command.contains(" --record "), "{command}");
    let resumed: Ran = home.shell(&format!("\"$0\" {command}")).output().unwrap().into();
    assert!(resumed.ok().contains("20: "));
}

#[test]
fn the_sprt_does_not_depend_on_the_number_of_threads() {
    let home = Home::new();
    let bot = format!("example={}", example());
    let of = |threads: &str| {
        let args = [
            "--players",
            "perfect",
            "--bot",
            &bot,
            "--matches",
            "200",
            "--sprt",
            "0,100",
            "--seed",
            "3",
        ];
        let more = ["--threads", threads, "--rules", "bga", "--json", "--record", threads];
        let told = arena(&home, &[&args[..], &more].concat()).ok();
        (told, text(&home.path(threads)))
    };
    let one = of("1");
    assert!(of("3") == one);
    let object: Value = serde_json::from_str(&one.0).unwrap();
    assert_eq!(object["pairings"][0]["accepted"], "elo1");
    let matches = object["pairings"][0]["matches"].as_u64().unwrap();
    assert!((10..100).contains(&matches), "{matches}");
    assert_eq!(one.1.matches("[Rules ").count() as u64, matches);
}
