//! Tests `overmate play` under all rule sets, with pipes as standard input and output.

use crate::support::{Home, Talk, asks, legal, text};

/// Plays a match to its end, with actions chosen by a fixed pattern. Returns the last output of the
/// program.
fn play_on(talk: &mut Talk, mut heard: String) -> String {
    let mut turn = 0;
    while asks(&heard) {
        let actions = legal(&heard);
        // The choice of the action is deterministic, and is not always the first legal action.
        let action = actions[turn * 7 % actions.len()].clone();
        turn += 1;
        let said = talk.say(&action);
        assert!(!said.contains("Not legal") && !said.contains("Not understood"), "{said}");
        heard = said;
    }
    heard
}

#[test]
fn a_whole_match_can_be_played() {
    let mut reasons = 0;
    for (rules, games) in [
        ("sackson", 4),
        ("pagat+free-move", 4),
        ("denexa", 4),
        ("bga+double", 4),
        ("rael+kings-privilege", 6),
        ("sackson+double+free-move+kings-privilege", 4),
    ] {
        let home = Home::new();
        let mut talk = home.talk(&["play", "--rules", rules, "--seed", "5"]);
        let heard = talk.listen();
        assert!(heard.contains(&format!("A match of {games} games, rules {rules}.")), "{heard}");
        let last = play_on(&mut talk, heard);
        let all = talk.end().ok();
        assert!(last.contains("the match") || last.contains("The match is drawn"), "{all}");
        assert_eq!(all.matches(&format!(" of {games}: ")).count(), games, "{all}");
        assert_eq!(all.matches("The hands are exchanged").count(), games / 2);
        assert_eq!(all.matches("a new round").count(), games / 2 - 1);
        let endings =
            all.matches("A draw: nobody mated").count() + all.matches(" points for ").count();
        assert_eq!(endings, games, "{all}");

        // The saved match record contains the score that `overmate play` printed.
        let file = home.kept();
        let replayed = home.run(&["replay", file.to_str().unwrap()]).ok();
        let result = last.lines().find(|line| line.contains("match")).unwrap();
        let result = result.trim_end_matches('.');
        assert!(replayed.contains(result), "{result}\n{replayed}");
        let record = text(&file);
        assert!(record.contains("[A \"You\"]\n[B \"Overmate\"]\n[Date \""), "{record}");
        assert!(record.contains("[Human \"A\"]\n[Opponent \"level:3\"]\n"), "{record}");

        // The review after the last game and the review of the match record list the same mistakes with the same reasons.
        let Some((_, review)) = last.split_once(&format!("Review of game {games}\n")) else {
            assert!(rules.contains("double"), "{last}");
            continue;
        };
        let reviewed = home.run(&["review", file.to_str().unwrap()]).ok();
        let (_, reviewed) = reviewed.split_once(&format!("Game {games} of {games}: ")).unwrap();
        let of = |text: &str| {
            let mut found: Vec<String> =
                text.lines().filter(|line| line.contains("(lost ")).map(str::to_owned).collect();
            found.sort();
            found
        };
        assert_eq!(of(review), of(reviewed), "{last}");
        reasons += of(review).len();
    }
    assert!(reasons > 4, "{reasons}");
}

#[test]
fn the_same_seed_and_deals_give_the_same_match() {
    let home = Home::new();
    let begin = |args: &[&str]| home.run(&[&["play"], args].concat()).ok();
    let deal = |text: &str| text.split_once("Deal ").unwrap().1.lines().next().unwrap().to_owned();

    assert_eq!(deal(&begin(&["--seed", "9"])), deal(&begin(&["--seed", "9"])));
    assert_ne!(deal(&begin(&["--seed", "9"])), deal(&begin(&["--seed", "10"])));
    assert_eq!(deal(&begin(&["--deal", "20010"])), "20010");
    let second = begin(&["--deal", "20010", "--seat", "second"]);
    assert!(second.contains("Game 1 of 4: Overmate leads. Deal 20010"), "{second}");
    home.run(&["play", "--deal", "184756"]).fails(1, &["`--deal 184756`", "0 to 184755"]);
    home.run(&["play", "--deal", "1", "--deal", "2", "--deal", "3"])
        .fails(2, &["--deal is given 3 times", "2 rounds"]);
    // The program saves no file for a match in which the player took no action.
    assert!(!home.path("data").exists());
}

#[test]
fn the_opponents_level_is_kept_after_a_resume() {
    let home = Home::new();
    let begin = |args: &[&str]| home.run(&[&["play", "--seed", "4"], args].concat()).ok();
    assert!(begin(&[]).contains("You play against Overmate, level 3 of 9.\n"));
    assert!(begin(&["--level", "9"]).contains("You play against Overmate, level 9 of 9.\n"));
    assert!(begin(&["--level", "perfect"]).contains("You play against Overmate, perfect.\n"));
    for (told, level) in [("perfect:vs=1", 1), ("perfect:vs=9", 9)] {
        let welcome = format!("You play against Overmate, perfect against level {level}.\n");
        assert!(begin(&["--level", told]).contains(&welcome));
    }
    for wrong in ["0", "10", "strong", "", "perfect:vs=0", "perfect:vs=10", "perfect:3"] {
        home.run(&["play", "--level", wrong]).fails(2, &["use 1 to 9, perfect, or perfect:vs=1"]);
    }

    let run = |args: &[&str]| home.run_with(&[&["play"], args].concat(), "-\n").ok();
    run(&["--level", "7", "--record", "a.mate"]);
    assert!(text(&home.path("a.mate")).contains("[Opponent \"level:7\"]\n"));
    let again = home.run(&["play", "--resume", "a.mate"]).ok();
    assert!(again.contains("You play against Overmate, level 7 of 9.\n"), "{again}");
    home.run(&["play", "--resume", "a.mate", "--level", "1"]).fails(2, &["cannot be used with"]);

    run(&["--level", "perfect:vs=2", "--record", "told.mate"]);
    assert!(text(&home.path("told.mate")).contains("[Opponent \"perfect:vs=2\"]\n"));
    let again = home.run(&["play", "--resume", "told.mate"]).ok();
    assert!(again.contains("You play against Overmate, perfect against level 2.\n"), "{again}");

    let record = text(&home.path("a.mate"));
    let old = home.file("old.mate", record.replace("[Opponent \"level:7\"]\n", ""));
    let again = home.run(&["play", "--resume", &old]).ok();
    assert!(again.contains("You play against Overmate, perfect.\n"), "{again}");
    let wrong = home.file("wrong.mate", record.replace("level:7", "level:77"));
    home.run(&["play", "--resume", &wrong]).fails(1, &["[Opponent", "`level:77`", "perfect"]);
}

#[test]
fn a_program_plays_against_a_person_and_as_its_built_in_self() {
    let home = Home::new();
    let program = format!("'{}' bot --level 2", env!("CARGO_BIN_EXE_overmate"));
    let actions = |file: &str| {
        let record = text(&home.path(file));
        record.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>().join("\n")
    };

    let play = |args: &[&str]| {
        let mut talk = home.talk(&[&["play", "--seed", "5"], args].concat());
        let heard = talk.listen();
        play_on(&mut talk, heard);
        talk.end().ok()
    };
    let told = play(&["--bot", &program, "--record", "program.mate"]);
    assert!(told.contains("You play against level:2, played by the program "), "{told}");
    play(&["--level", "2", "--record", "level.mate"]);
    assert_eq!(actions("program.mate"), actions("level.mate"));
    assert!(actions("program.mate").lines().count() > 4, "{}", actions("program.mate"));

    // The external program receives a message at the end of each of the four games, and at the end of the match.
    let listener = format!("/bin/sh -c \"tee heard | {program}\"");
    play(&["--bot", &listener, "--record", "heard.mate"]);
    assert_eq!(actions("heard.mate"), actions("level.mate"));
    let heard = text(&home.path("heard"));
    let ends: Vec<&str> =
        heard.lines().filter(|line| !line.contains("\"type\":\"turn\"")).collect();
    let types = ["hello", "match", "game_over", "game_over", "game_over", "game_over"];
    assert_eq!(ends.len(), 8, "{ends:?}");
    for (line, name) in ends.iter().zip(types.iter().chain(&["match_over", "quit"])) {
        assert!(line.starts_with(&format!("{{\"type\":\"{name}\"")), "{name}: {line}");
    }

    // If the opponent program dies, the match stays open, so that the error must not speak of a forfeit.
    let ready = r#"read hello; echo '{"type":"ready","protocol":1,"name":"dying"}'; read next"#;
    let dying = format!("/bin/sh '{}'", home.file("dying.sh", ready));
    let died = home.run_with(&["play", "--seed", "5", "--bot", &dying], "-\n".repeat(9));
    let died = died.fails(1, &["the opponent failed to choose an action", "because: "]);
    assert!(!died.stderr.contains("forfeit"), "{}", died.stderr);

    let begun = home.run_with(&["play", "--bot", &program, "--record", "b.mate"], "-\n").ok();
    let (_, advice) =
        begun.split_once("\nTo go on: overmate play --resume b.mate --bot ").expect("advice");
    assert_eq!(shlex::split(advice), Some(vec![program.clone()]), "{begun}");
    // A match record contains no command that starts an external program, because the record may come from a stranger.
    let record = text(&home.path("b.mate"));
    assert!(record.contains("[B \"level:2\"]\n"), "{record}");
    assert!(record.contains("[Opponent \"program\"]\n"), "{record}");
    home.run(&["play", "--resume", "b.mate"]).fails(1, &["against a program", "--bot COMMAND"]);
    let resumed = home.run(&["play", "--resume", "b.mate", "--bot", &program]).ok();
    assert!(resumed.contains("You play against level:2, ") && !resumed.contains("Overmate"));
    // If the user resumes a match with a different opponent program, the match record names the new program as the opponent.
    let other = format!("'{}' bot --level 3", env!("CARGO_BIN_EXE_overmate"));
    home.run_with(&["play", "--resume", "b.mate", "--bot", &other], "hint\n").ok();
    assert!(text(&home.path("b.mate")).contains("[B \"level:3\"]\n"));
    home.run_with(&["play", "--level", "2", "--record", "l.mate"], "-\n").ok();
    home.run(&["play", "--resume", "l.mate", "--bot", &program]).fails(1, &["leave out --bot"]);
}

#[test]
fn the_name_of_a_program_is_cleaned_and_cannot_be_that_of_the_person() {
    let home = Home::new();
    for (reported, shown) in [
        ("\\u001b[31mRed", "\u{2068}\u{fffd}[31mRed\u{2069}"),
        ("\\u200b", "Bot"),
        ("You\\u200b", "Bot"),
        ("\\u2069\\u202eevil", "evil"),
        ("漢漢漢漢漢漢漢漢漢漢漢", "\u{2068}漢漢漢漢漢漢漢漢漢漢\u{2069}"),
        ("A name of many words and letters", "A name of many words"),
        ("\\u05d0\\u05d1", "\u{2068}\u{5d0}\u{5d1}\u{2069}"),
        (" you ", "Bot"),
        ("", "Bot"),
    ] {
        let ready = format!(r#"{{"type": "ready", "protocol": 1, "name": "{reported}"}}"#);
        let file = home.file("bot.sh", format!("echo '{ready}'\ncat >/dev/null\n"));
        let told = home.run_with(&["play", "--bot", &format!("sh '{file}'")], "quit\n").ok();
        assert!(told.contains(&format!("You play against {shown}, played by ")), "{told}");
        assert!(told.contains(&format!("score: you 0, {shown} 0\n")), "{told}");
    }
}

#[test]
fn a_program_that_sends_only_actions_has_given_no_explanation() {
    let home = Home::new();
    let bot = concat!("python3 '", env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/bot.py'");
    let args = ["play", "--rules", "bga", "--seat", "second", "--deal", "20010", "--bot", bot];
    let mut talk = home.talk(&args);
    talk.listen();
    let why = talk.say("why");
    assert!(why.contains("Chance and mate played ") && why.contains(" in move 1."), "{why}");
    assert!(why.contains("It gave no explanation."), "{why}");
    assert!(!why.contains("searched") && !why.contains("proved"), "{why}");
}

#[test]
fn a_program_that_fails_ends_the_match_with_its_reason() {
    let home = Home::new();
    home.run(&["play", "--bot", "no-such-program-here"]).fails(1, &["--bot", "cannot be started"]);
    home.run(&["play", "--bot", "'open"]).fails(2, &["closing quotation mark"]);
    home.run(&["play", "--bot", ""]).fails(2, &["the command is empty"]);
    home.run(&["play", "--bot", "true", "--level", "1"]).fails(2, &["cannot be used with"]);
    let script = "import sys\nsys.stdin.readline()\n\
                  print('{\"type\": \"ready\", \"protocol\": 1, \"name\": \"x\"}', flush=True)\n\
                  sys.exit('no more ideas')\n";
    let file = home.file("bot.py", script);
    let program = format!("python3 '{file}'");
    let args =
        ["play", "--rules", "bga", "--deal", "20010", "--bot", &program, "--record", "x.mate"];
    let ended = home.run_with(&args, "Tc\n");
    ended.fails(1, &["the match has stopped", "x.mate", "exited", "no more ideas"]);
}

#[test]
fn an_unreadable_line_changes_nothing() {
    let home = Home::new();
    let mut talk = home.talk(&["play", "--deal", "20010"]);
    let table = talk.listen();
    assert!(table.contains("  clubs     [Tc] [Kc] [Qc]  Ac 7c\n"), "{table}");
    for (line, reason) in [
        ("Tc", "Not legal: no card can be played before foreplacing: foreplace"),
        ("(7d)", "Not legal: you do not hold 7d"),
        ("(Tc", "Not understood: expected `)`"),
        ("castle", "Not understood: expected an action"),
        ("- -", "Not understood"),
        ("\u{1b}[A\u{7}", "Not understood"),
        (&"x".repeat(1 << 20), "the line is longer than"),
    ] {
        let said = talk.say(line);
        assert!(said.contains(reason) && asks(&said), "{said}");
        assert!(!said.contains(['\u{1b}', '\u{7}']), "{said}");
    }
    let shown = talk.say("");
    assert!(table.ends_with(shown.trim_start()), "{shown}");
    assert!(!home.path("data").exists());
    assert!(talk.say("-").contains("You foreplace nothing.\nOvermate foreplaces "));
    assert!(talk.say("7d").contains("Not legal"));
}

#[test]
fn an_illegal_answer_shows_the_reason() {
    let home = Home::new();
    let mut talk = home.talk(&["play", "--rules", "bga", "--seat", "second", "--deal", "20010"]);
    let heard = talk.listen();
    let legal = legal(&heard);
    let held = ["Ac", "7c", "Ts", "7s", "Qh", "7h", "Ad", "Td", "Qd", "7d"];
    let other = held.iter().find(|card| !legal.iter().any(|action| action == *card)).unwrap();
    let said = talk.say(other);
    assert!(said.contains("Not legal: ") && said.contains(" led "), "{said}");
    // The program prints playable cards in brackets.
    assert!(heard.contains(&format!("[{}]", legal[0])) && !heard.contains(&format!("[{other}]")));
}

#[test]
fn an_illegal_answer_names_the_legal_free_move_with_the_same_card() {
    let home = Home::new();
    let position = "Ac/Ts7d first -/- 7s unused";
    let args = ["play", "--rules", "pagat+free-move", "--seat", "second", "--position", position];
    let mut talk = home.talk(&args);
    assert_eq!(legal(&talk.listen()), ["Ts", "7d*"]);

    let said = talk.say("7d");
    assert!(said.contains("Not legal: spades were led"), "{said}");
    assert!(said.contains("The free move with this card is legal: type 7d*"), "{said}");
    assert!(!talk.say("Ac").contains("free move"));
}

#[test]
fn input_that_is_not_utf8_is_refused() {
    let home = Home::new();
    let found = home.run_with(&["play", "--seed", "1"], b"\xff\xfe\n\0\nquit\n").ok();
    assert!(found.contains("not a text in UTF-8"), "{found}");
    let garbage: Vec<u8> =
        (0..1u32 << 20).map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
    let ran = home.run_with(&["play", "--seed", "1"], garbage);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn hints_and_undos_are_marked_in_the_record() {
    let home = Home::new();
    let mut talk = home.talk(&["play", "--deal", "20010"]);
    let first = talk.listen();
    assert!(talk.say("undo").contains("There is no action of yours to take back."));
    let hint = talk.say("hint");
    assert!(
        hint.contains("  action  for you\n") && hint.contains("Overmate would play "),
        "{hint}"
    );
    for action in legal(&first) {
        assert!(hint.contains(&format!("\n  {action} ")), "{hint}");
    }
    talk.say("-");
    let file = home.kept();
    assert!(text(&file).contains("Game 1: A leads\n- {hint} "), "{}", text(&file));
    talk.say("Kd");
    assert!(text(&file).contains("1. Kd "));

    // `undo` takes back one action. Repeated, it takes back all actions.
    let said = talk.say("undo");
    assert!(said.contains("taken back") && said.contains("You lead to move 1"), "{said}");
    assert!(!text(&file).contains("1. Kd "));
    talk.say("Kd");
    assert!(text(&file).contains("1. Kd {undo} "), "{}", text(&file));
    talk.say("undo");
    let said = talk.say("undo");
    assert!(said.ends_with(first.split_once("Deal 20010\n").unwrap().1), "{said}");
    assert!(talk.say("undo").contains("There is no action of yours"));
    talk.say("(Kd)");
    assert!(text(&file).contains("(Kd) {hint} {undo} "), "{}", text(&file));
}

#[test]
fn a_replay_shows_the_comments_on_a_resignation_without_marks_of_help() {
    let home = Home::new();
    let mut talk = home.talk(&["play", "--rules", "bga", "--deal", "20010", "--record", "a.mate"]);
    talk.listen();
    talk.say("hint");
    talk.say("resign");
    talk.say("yes");
    talk.end().ok();
    let record = text(&home.path("a.mate"));
    assert!(record.contains("{hint}"), "{record}");
    let commented = record.replace("{hint}", "{hint} {lost \u{1b}[31mpatience}");
    let file = home.file("commented.mate", commented);

    let replayed = home.run(&["replay", &file]).ok();
    let comments: Vec<&str> =
        replayed.lines().filter(|line| line.starts_with("Comment: ")).collect();
    assert_eq!(comments, ["Comment: \u{2068}lost \u{fffd}[31mpatience\u{2069}"]);
}

#[test]
fn a_review_of_a_finished_game_explains_its_actions_and_is_marked() {
    let home = Home::new();
    let mut talk = home.talk(&["play", "--rules", "bga", "--deal", "20010", "--record", "a.mate"]);
    let mut heard = talk.listen();
    assert!(talk.say("review").contains("There is no game to review yet"));
    while !heard.contains("Game 2 of 4") {
        let first = legal(&heard)[0].clone();
        heard = talk.say(&first);
    }
    assert!(!text(&home.path("a.mate")).contains("{hint}"));
    let said = talk.say("review");
    let (own, marked) = ("\nYou, Tc in move 1: ", "the record marks this review as a hint");
    assert!(said.contains("Review of game 1\nIn this game you lost "), "{said}");
    assert!(said.contains(own) && said.contains(marked), "{said}");
    let of = |name: &str| said.lines().position(|line| line.starts_with(name));
    assert!(of("Overmate, ").is_none_or(|other| of("You, ").unwrap() < other), "{said}");
    assert!(text(&home.path("a.mate")).contains("{hint}"));
}

#[test]
fn undo_reaches_into_an_earlier_game() {
    let home = Home::new();
    let mut talk = home.talk(&["play", "--rules", "bga", "--seed", "4"]);
    let mut heard = talk.listen();
    let mut before = String::new();
    while !heard.contains("Game 2 of 4") {
        before = heard.clone();
        heard = talk.say(&legal(&heard)[0]);
    }
    assert!(heard.contains("The hands are exchanged"), "{heard}");
    let record = text(&home.kept());
    assert!(record.contains("Game 2: B leads"), "{record}");

    let said = talk.say("undo");
    assert!(said.contains("This is game 1 again."), "{said}");
    assert_eq!(legal(&said), legal(&before));
    assert!(!text(&home.kept()).contains("Game 2"), "{}", text(&home.kept()));
}

#[test]
fn resigning_requires_a_yes() {
    let home = Home::new();
    let mut talk = home.talk(&["play", "--seed", "4"]);
    talk.listen();
    assert!(talk.say("resign").ends_with("type yes: "));
    assert!(talk.say("no").contains("The match goes on."));
    talk.say("resign");
    let said = talk.say("YES");
    assert!(said.contains("You resign: the match is Overmate's."), "{said}");
    assert!(said.contains("Overmate wins the match, 0 to 0: you resign."), "{said}");
    talk.end().ok();
    assert!(text(&home.kept()).ends_with("A resigns 0-0\n"), "{}", text(&home.kept()));

    // The end of the input does not confirm a resignation.
    let home = Home::new();
    let found = home.run_with(&["play", "--seed", "4"], "resign\n").ok();
    assert!(found.ends_with("You played nothing, so nothing is kept.\n"), "{found}");
}

#[test]
fn help_score_and_record_are_printed_on_request() {
    let home = Home::new();
    let mut talk =
        home.talk(&["play", "--rules", "rael+free-move+kings-privilege", "--deal", "20010"]);
    talk.listen();
    for ask in ["?", "help"] {
        let help = talk.say(ask);
        for text in
            ["undo", "hint", "why", "score", "record", "resign", "quit", "*", "!", "(Kb)", "-"]
        {
            assert!(help.contains(&format!("  {text}")) || help.contains(text), "{help}");
        }
    }
    let score = talk.say("score");
    assert!(score.contains("led by") && score.contains("total"), "{score}");
    let record = talk.say("record");
    // The command `record` does not reveal the deals of later rounds.
    assert!(record.contains("[Deals \"20010 …\"]\n"), "{record}");
    assert!(record.contains("Game 1: A leads\n"), "{record}");
}

#[test]
fn the_texts_of_rael_have_the_words_of_its_publication() {
    let home = Home::new();
    let mut talk = home.talk(&["play", "--rules", "rael", "--seed", "5"]);
    let heard = talk.listen();
    for line in ["?", "(Kb", "why", "hint"] {
        talk.say(line);
    }
    play_on(&mut talk, heard);
    talk.say("review");
    let played = talk.end().ok();
    assert!(played.contains("sacrifices the card") && played.contains("colour"), "{played}");
    let file = home.kept();
    let file = file.to_str().unwrap();
    let replayed = home.run(&["replay", file]).ok();
    assert!(replayed.contains("You sacrifice "), "{replayed}");
    let reviewed = home.run(&["review", file]).ok();
    let puzzle = home.run_with(&["puzzle", "--rules", "rael", "--seed", "3"], "(Kb\n-\n").ok();
    let told = home.run(&["rules", "rael"]).ok();
    for text in [played, replayed, reviewed, puzzle, told] {
        let words = text.split(|c: char| !c.is_ascii_alphabetic()).map(str::to_lowercase);
        let mut foreign = words.filter(|word| word.starts_with("foreplac") || word == "suit");
        assert_eq!(foreign.next(), None, "{text}");
    }
}

#[test]
fn a_card_that_lies_face_down_stays_secret_until_the_end() {
    // Number of matches of this test in which the opponent foreplaces a card face down.
    let mut hidden = 0;
    for deal in ["20010", "0", "31415", "92653", "101010", "184000"] {
        let home = Home::new();
        let rest = ["--rules", "denexa", "--seat", "second", "--level", "perfect"];
        let mut talk = home.talk(&[&["play", "--deal", deal][..], &rest].concat());
        let mut heard = talk.listen();
        if !heard.contains("Overmate foreplaces a card face down: (?)") {
            continue;
        }
        hidden += 1;
        assert!(heard.contains("One of Overmate's cards lies face down: "), "{heard}");
        let mut said = heard.clone();
        while !said.contains("The card that Overmate had face down was ") {
            for ask in ["record", "score", "show"] {
                said.push_str(&talk.say(ask));
            }
            let why = talk.say("why");
            assert!(why.starts_with("why\nOvermate has a card face down"), "{why}");
            // The test asks for hints only at some turns, because the search for a hint takes a second while the hands hold many cards.
            if heard.contains("Move 1:") || legal(&heard).len() <= 3 {
                said.push_str(&talk.say("hint"));
            }
            heard = talk.say(&legal(&heard)[0]);
            said.push_str(&heard);
        }
        let (before, after) = said.split_once("The card that Overmate had face down was ").unwrap();
        let card = after.split_once('.').unwrap().0;
        assert!(!before.contains(&format!("({card})")), "{before}");
        assert!(before.contains("\n(?) "), "{before}");
        assert!(text(&home.kept()).contains(&format!("\n({card}) ")));
    }
    assert!(hidden > 0);
}

#[test]
fn the_opponent_explains_its_last_action() {
    let home = Home::new();
    let begin = ["play", "--rules", "bga", "--deal", "20010", "--seat", "second"];
    let solved = home.run(&["solve", "--rules", "bga", "--json", "20010"]).ok();
    let value = solved.split_once("\"value_for_first\":{\"exact\":").unwrap().1;
    let value: i32 = value.split([',', '}']).next().unwrap().parse().unwrap();
    let (verb, points) = (if value > 0 { "win" } else { "lose" }, value.abs());
    let expects = format!("It expects to {verb} {points} points in this game.\n");

    let record = ["--level", "perfect", "--record", "a.mate"];
    let mut talk = home.talk(&[&begin[..], &record].concat());
    let first = talk.listen();
    let led = first.split_once("Overmate leads ").unwrap().1.split('.').next().unwrap();
    let why = talk.say("why");
    for told in [
        &format!("Overmate played {led} in move 1.\n"),
        "Its reason: ",
        "It searched to the end of the game.\n",
        &expects,
        "This is proved: ",
    ] {
        assert!(why.contains(told), "{told} is not in {why}");
    }
    talk.say(&legal(&first)[0]);
    assert!(text(&home.path("a.mate")).contains("{hint}"), "{}", text(&home.path("a.mate")));
    talk.end().ok();
    let again = home.run_with(&["play", "--resume", "a.mate"], "why\n").ok();
    assert!(again.contains("its thoughts are not saved"), "{again}");

    for told in ["1", "9"] {
        let level = format!("perfect:vs={told}");
        let begin =
            ["play", "--rules", "bga", "--seed", "4", "--seat", "second", "--level", &level];
        let why = home.run_with(&begin, "why\n").ok();
        assert!(why.contains(&format!("against level {told}")), "{why}");
    }
    let low = home.run_with(&[&begin[..], &["--level", "1"]].concat(), "why\n").ok();
    assert!(low.contains("It searched 1 move ahead and estimated the rest."), "{low}");
    assert!(low.contains("This is an estimate, which is not proved."), "{low}");
    let own = home.run_with(&["play", "--rules", "bga"], "why\n").ok();
    assert!(own.contains("Overmate has not done anything yet."), "{own}");
}

#[test]
fn a_large_deck_is_played_without_proof() {
    let home = Home::new();
    let mut talk =
        home.talk(&["play", "--rules", "bga+pinochle", "--seed", "3", "--level", "perfect"]);
    let heard = talk.listen();
    assert!(heard.contains("Your hand") && legal(&heard).len() > 10, "{heard}");
    let said = talk.say(&legal(&heard)[0]);
    assert!(said.contains("Overmate plays this without proof"), "{said}");
    assert!(asks(&said), "{said}");
}
