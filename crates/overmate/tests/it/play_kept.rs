//! Tests the files of saved matches: every file is complete, and no file except the match's own file is overwritten.

use std::fs;

use crate::support::{Home, Talk, asks, legal, text};

/// Takes the first legal action at each of the next `actions` prompts, and returns the last output of the program.
fn play(talk: &mut Talk, actions: usize) -> String {
    let mut heard = talk.listen();
    for _ in 0..actions {
        heard = talk.say(&legal(&heard)[0]);
    }
    heard
}

#[test]
fn a_match_resumes_where_it_was_left() {
    let home = Home::new();
    let mut talk = home.talk(&["play", "--seed", "2", "--record", "my match.mate"]);
    let heard = play(&mut talk, 4);
    let said = talk.say("quit");
    assert!(said.contains("The match is kept in my match.mate.\n"), "{said}");
    assert!(said.contains("To go on: overmate play --resume 'my match.mate'\n"), "{said}");
    talk.end().ok();

    let file = home.path("my match.mate");
    let kept = text(&file);
    let noted = kept.replace("[Human", "[Place \"Home\"]\n[Human").replace(" *", " {so far} *");
    fs::write(&file, &noted).unwrap();
    let mut talk = home.talk(&["play", "--resume", "my match.mate"]);
    let again = talk.listen();
    assert_eq!(legal(&again), legal(&heard));
    assert!(again.contains("The match is kept in my match.mate.\n"), "{again}");
    assert_eq!(text(&file), noted);
    talk.say(&legal(&again)[0]);
    let after = text(&file);
    assert!(after.contains("[Place \"Home\"]") && after.contains("{so far}"), "{after}");
    assert!(after.len() > noted.len(), "{after}");
    talk.end().ok();
}

#[test]
fn a_match_that_ends_before_the_persons_first_action_is_kept() {
    let home = Home::new();
    let position = "AcTc/AhKh second -/- - -";
    let args = ["play", "--position", position, "--rules", "denexa", "--lines"];
    let found = home.run(&args).ok();
    assert!(found.contains("Overmate wins the match, 0 to 36"), "{found}");
    let file = home.kept();
    let file = file.to_str().unwrap();
    let kept = format!("\nThe match is kept in {file}.\nTo look at it: overmate review {file}\n");
    assert!(found.ends_with(&kept), "{found}");
    assert!(text(&home.kept()).contains("[Result \"0-36\"]"));
}

#[test]
fn the_default_file_names_of_a_day_are_numbered() {
    let home = Home::new();
    for number in 1..=3 {
        let mut talk = home.talk(&["play"]);
        let heard = play(&mut talk, 1);
        assert!(asks(&heard));
        let name = format!("-{number}.mate");
        let ran = talk.end().ok();
        assert!(ran.contains(&name), "{ran}");
    }
    assert_eq!(fs::read_dir(home.path("data/overmate/matches")).unwrap().count(), 3);
}

#[test]
fn a_file_created_meanwhile_is_not_overwritten() {
    let home = Home::new();
    let (mut one, mut other) = (home.talk(&["play"]), home.talk(&["play"]));
    let (first, second) = (one.listen(), other.listen());
    one.say(&legal(&first)[0]);
    let file = home.kept();
    let kept = text(&file);
    let said = other.say(&legal(&second)[0]);
    assert!(
        said.contains("Another program has created a file of that name: the match is saved in "),
        "{said}"
    );
    assert_eq!(text(&file), kept);
    assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 2);
}

#[test]
fn an_existing_file_is_not_overwritten() {
    let home = Home::new();
    let file = home.file("old.mate", "precious");
    home.run(&["play", "--record", &file])
        .fails(1, &["old.mate exists already", "overmate play --resume"]);
    assert_eq!(text(&home.path("old.mate")), "precious");

    // The program also does not overwrite a file that is created after its start.
    let mut talk = home.talk(&["play", "--record", "new.mate"]);
    let heard = talk.listen();
    let file = home.file("new.mate", "precious too");
    let said = talk.say(&legal(&heard)[0]);
    assert!(said.contains("The match goes on, but its present state is not saved"), "{said}");
    let ran = talk.end();
    assert!(ran.stderr.contains("cannot save the match to new.mate"), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("The match could not be saved, and is not kept."),
        "{}",
        ran.stdout
    );
    assert_eq!(fs::read_to_string(file).unwrap(), "precious too");
}

#[test]
fn an_unusable_file_is_reported_before_the_match() {
    let home = Home::new();
    let file = home.file("file", "");
    let output = home.command(["play"]).env("XDG_DATA_HOME", &file).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{stderr}");
    for text in ["choose a file with --record FILE", "file/overmate/matches", "is not a folder"] {
        assert!(stderr.contains(text), "{stderr}");
    }
    home.run(&["play", "--record", "none/a.mate"])
        .fails(1, &["cannot create the file none/a.mate", "choose another place", "No such file"]);
    home.run(&["play", "--record", "file/a.mate"])
        .fails(1, &["cannot create the file file/a.mate"]);
    home.run(&["play", "--record", "none/"]).fails(1, &["none/ is the name of a folder"]);
    home.run(&["play", "--record", "."]).fails(1, &["is the name of a folder"]);
    assert!(!home.path("none").exists());
}

#[test]
fn a_match_goes_on_when_it_cannot_be_saved() {
    let home = Home::new();
    fs::create_dir(home.path("here")).unwrap();
    let mut talk = home.talk(&["play", "--rules", "bga", "--seed", "6", "--record", "here/a.mate"]);
    let heard = play(&mut talk, 1);
    let kept = text(&home.path("here/a.mate"));

    fs::rename(home.path("here"), home.path("there")).unwrap();
    let said = talk.say(&legal(&heard)[0]);
    assert!(said.contains("The match goes on, but its present state is not saved."), "{said}");
    assert!(asks(&said));
    assert_eq!(text(&home.path("there/a.mate")), kept);

    fs::rename(home.path("there"), home.path("here")).unwrap();
    let said = talk.say(&legal(&said)[0]);
    assert!(said.contains("The match is saved again."), "{said}");
    assert!(text(&home.path("here/a.mate")).len() > kept.len());

    // A file that another program has changed is not overwritten.
    fs::write(home.path("here/a.mate"), "other").unwrap();
    talk.say(&legal(&said)[0]);
    let ran = talk.end();
    assert_eq!(text(&home.path("here/a.mate")), "other");
    assert!(ran.stderr.contains("error: cannot save the match to here/a.mate"), "{}", ran.stderr);
    assert!(ran.stderr.contains("another program has changed"), "{}", ran.stderr);
    assert!(ran.stdout.contains("without its last actions"), "{}", ran.stdout);
    assert_eq!(ran.code, Some(0));
    let left: Vec<_> = fs::read_dir(home.path("here")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn only_an_unfinished_match_of_a_known_player_is_resumed() {
    let home = Home::new();
    home.run(&["play", "--resume", "none.mate"]).fails(1, &["cannot read the record none.mate"]);
    home.run(&["play", "--resume", "-"]).fails(1, &["cannot read the record -"]);
    home.run(&["play", "--resume", "."]).fails(1, &["cannot read"]);
    let file = home.file("bad.mate", "garbage");
    home.run(&["play", "--resume", &file]).fails(1, &["bad.mate is not the record", "line 1"]);

    let unfinished = "[Rules \"bga\"]\n[Deals \"1 2\"]\n\nGame 1: A leads\n*\n";
    let file = home.file("nobody.mate", unfinished);
    home.run(&["play", "--resume", &file])
        .fails(1, &["does not say which player you are", "[Human \"A\"]"]);
    let file = home.file("b.mate", format!("[Human \"B\"]\n{unfinished}"));
    let found = home.run(&["play", "--resume", &file]).ok();
    assert!(found.contains("Overmate leads"), "{found}");
    let over = format!("[Human \"B\"]\n{}", unfinished.replace('*', "A resigns 0-0"));
    let file = home.file("over.mate", over);
    home.run(&["play", "--resume", &file]).fails(1, &["is over", "overmate replay "]);

    for option in [
        &["--rules", "bga"][..],
        &["--seat", "first"],
        &["--deal", "1"],
        &["--seed", "1"],
        &["--record", "x"],
    ] {
        home.run(&[&["play", "--resume", &file], option].concat())
            .fails(2, &["cannot be used with"]);
    }
}

#[cfg(unix)]
#[test]
fn resuming_keeps_a_symbolic_link_and_makes_its_file_private() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let home = Home::new();
    let real = home.file(
        "real.mate",
        "[Human \"A\"]\n[Rules \"bga\"]\n[Deals \"1 2\"]\n\nGame 1: A leads\n*\n",
    );
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.mate", home.path("link.mate")).unwrap();
    let mode = || fs::metadata(&real).unwrap().permissions().mode() & 0o777;
    // When a match is resumed, the program denies other users access to the file of the match, even if no action is played.
    home.run(&["play", "--resume", "link.mate"]).ok();
    assert_eq!(mode(), 0o600);
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    let mut talk = home.talk(&["play", "--resume", "link.mate"]);
    play(&mut talk, 1);
    talk.end().ok();
    assert!(fs::symlink_metadata(home.path("link.mate")).unwrap().is_symlink());
    assert!(text(&home.path("real.mate")).contains("1. "));
    assert_eq!(mode(), 0o600);
}

#[cfg(unix)]
#[test]
fn only_the_user_may_read_new_records_whatever_the_umask() {
    use std::os::unix::fs::PermissionsExt as _;

    for umask in ["000", "022", "077"] {
        let home = Home::new();
        // The folder for saved matches may be open to other users if an earlier version of the program created the folder.
        fs::create_dir_all(home.path("data/overmate/matches")).unwrap();
        for option in ["", " --record a.mate"] {
            let script = format!("umask {umask}; echo - | \"$0\" play --seed 1 --lines{option}");
            let mut shell = home.shell(&script);
            shell.env("HOME", home.path("")).env("XDG_DATA_HOME", home.path("data"));
            assert!(shell.status().unwrap().success());
        }
        let mode =
            |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let kept = home.kept();
        assert_eq!((mode(&kept), mode(&home.path("a.mate"))), (0o600, 0o600), "{umask}");
        assert_eq!(mode(kept.parent().unwrap()), 0o700, "{umask}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_the_file_of_the_match() {
    let home = Home::new();
    let mut talk = home.talk(&["play", "--record", "a.mate", "--seed", "1"]);
    play(&mut talk, 2);
    talk.interrupt();
    let ran = talk.hear_out();
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert!(ran.stderr.contains("The match is kept in a.mate.\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("To go on: overmate play --resume a.mate\n"), "{}", ran.stderr);

    let mut talk = home.talk(&["play", "--seed", "1"]);
    talk.listen();
    talk.interrupt();
    let ran = talk.hear_out();
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (Some(130), "\nYou played nothing, so nothing is kept.\n")
    );
}

#[cfg(target_os = "linux")]
#[test]
fn the_exit_code_names_the_signal_that_ended_the_match() {
    // The test itself may run under `nohup`, which makes its processes ignore SIGHUP.
    let script = r#"exec env --default-signal=HUP "$0" play --record a.mate --seed 1"#;
    for (signal, code) in [("-TERM", 143), ("-HUP", 129), ("-INT", 130)] {
        let home = Home::new();
        let mut talk = Talk::of(home.shell(script));
        play(&mut talk, 1);
        talk.signal(signal);
        let ran = talk.hear_out();
        assert_eq!(ran.code, Some(code), "{signal} {}", ran.stderr);
        assert!(ran.stderr.contains("The match is kept in a.mate.\n"), "{}", ran.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn every_end_of_a_match_prints_its_file() {
    let home = Home::new();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let folder = fs::File::open(home.path("")).unwrap();
    let output = home.command(["play"]).stdin(folder).stdout(full).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.starts_with("error: the match has stopped\n  You played nothing"), "{stderr}");
    assert!(stderr.contains("\n  because: cannot write the results\n"), "{stderr}");
}

#[test]
fn the_end_of_the_input_leaves_the_match() {
    let home = Home::new();
    let found = home.run_with(&["play", "--record", "a.mate", "--seed", "1"], "-\n").ok();
    assert!(found.ends_with("To go on: overmate play --resume a.mate\n"), "{found}");
    let found = home.run(&["play", "--seed", "1"]).ok();
    assert!(found.contains("\nGame 1 of 4, score: you 0, Overmate 0\n"), "{found}");
    assert!(found.ends_with("You played nothing, so nothing is kept.\n"), "{found}");
}
