//! Tests that tablebase files contain the solver's values, and that `overmate tablebase` reports every kind of damage.

use std::fs;
use std::path::PathBuf;

use overmate_rules::{Deal, Game, RuleSet};

use crate::solved::VARIED;
use crate::support::{Home, Ran, SMALL, SMALL_DEAL};

/// Builds a tablebase of a custom rule set, and returns the path of the file.
fn build(home: &Home, name: &str, rules: &str) -> String {
    let rules = home.file(&format!("{name}.toml"), rules);
    let file = home.path(&format!("{name}.matebase")).to_str().unwrap().to_owned();
    let told = home.run(&["tablebase", "build", "--rules", &rules, &file]).ok();
    assert!(told.starts_with(&format!("{file}: {name}, ")), "{told}");
    file
}

/// Returns the sorted names of the files in a folder.
fn names(folder: &PathBuf) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
    let mut names: Vec<_> = files.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_tablebase_gives_the_values_of_the_solver() {
    let home = Home::new();
    for (name, text) in VARIED {
        let file = build(&home, name, text);
        let rules = home.path(&format!("{name}.toml"));
        let rules = rules.to_str().unwrap();
        for args in
            [&["--json", "0..252"][..], &["7", "100"], &["--json", "--after", "- -", "0..9"]]
        {
            let solved = home.run(&[&["solve", "--rules", rules], args].concat()).ok();
            let probed = home.run(&[&["tablebase", "probe", &file], args].concat()).ok();
            assert_eq!(probed, solved, "{name} {args:?}");
        }
        let verified = home.run(&["tablebase", "verify", "--rules", rules, &file]).ok();
        for text in [
            &format!("All is in order: the whole game of {name}\n"),
            " bytes have their hash, ",
            "  for this rule set no hashes are published\n",
            " values are the best of their leads, by ",
            " random positions have the values that a search finds\nVerified in ",
        ] {
            assert!(verified.contains(text), "`{text}` is missing in: {verified}");
        }
    }
}

#[test]
fn positions_within_a_game_are_probed() {
    let home = Home::new();
    let file = build(&home, "small", SMALL);
    let rules = home.path("small.toml");
    for after in ["", "Bx", "Bx By", "Bx By Ay Az", "Bx By Ay Az Ax"] {
        let args = ["--json", "--after", after];
        let solve = ["solve", "--rules", rules.to_str().unwrap()];
        let solved = home.run(&[&solve[..], &args, &[SMALL_DEAL]].concat()).ok();
        let probe = ["tablebase", "probe"];
        let probed = home.run(&[&probe[..], &args, &[&file, SMALL_DEAL]].concat()).ok();
        assert_eq!(probed, solved, "{after}");
    }
    home.run(&["tablebase", "probe", "--after", "Az", &file, "0"])
        .fails(1, &["Az of --after is not legal in deal 0"]);
}

#[test]
fn probe_without_a_deal_describes_the_file() {
    let home = Home::new();
    let file = build(&home, "small", SMALL);
    let bytes = fs::metadata(&file).unwrap().len();
    let found = home.run(&["tablebase", "probe", &file, "--json"]).ok();
    let head = r#"{"rules":"small","positions":141,"bytes":"#;
    assert_eq!(found, format!("{head}{bytes},\"version\":1}}\n"));
    let found = home.run(&["tablebase", "probe", &file]).ok();
    assert!(found.starts_with("The whole game of small\n141 positions in "), "{found}");
    home.run(&["tablebase", "probe", "--after", "-", &file]).fails(2, &["<DEAL>"]);
}

#[test]
fn the_file_does_not_depend_on_the_number_of_threads() {
    let home = Home::new();
    let (name, text) = VARIED[0];
    let file = build(&home, name, text);
    let rules = home.path("twelve.toml");
    let other = home.path("other").to_str().unwrap().to_owned();
    let args = ["tablebase", "build", "--rules", rules.to_str().unwrap(), "--threads", "3"];
    home.run(&[&args[..], &["--kernel", "portable", &other]].concat()).ok();
    assert!(fs::read(file).unwrap() == fs::read(other).unwrap());
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_keeps_its_place_and_its_target_is_replaced() {
    let home = Home::new();
    let rules = home.file("small.toml", SMALL);
    fs::create_dir(home.path("store")).unwrap();
    home.file("store/target", "mine");
    let link = home.path("link");
    std::os::unix::fs::symlink("store/target", &link).unwrap();
    let args = ["tablebase", "build", "--rules", &rules, "link"];
    home.run(&args).fails(1, &["the tablebase file exists already: give --force"]);
    let forced = [&args[..], &["--force"]].concat();
    home.run(&forced).ok();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    home.run(&["tablebase", "verify", "store/target"]).ok();
    assert_eq!(fs::read_dir(home.path("store")).unwrap().count(), 1);

    fs::remove_file(home.path("store/target")).unwrap();
    for args in [&args[..], &forced] {
        home.run(args).fails(1, &["the path is a symbolic link whose target does not exist"]);
    }
    assert_eq!(fs::read_dir(home.path("store")).unwrap().count(), 0);
}

#[test]
fn an_existing_file_is_replaced_only_with_force() {
    let home = Home::new();
    let rules = home.file("small.toml", SMALL);
    let file = home.file("taken", "mine");
    let args = ["tablebase", "build", "--rules", &rules, &file];
    home.run(&args).fails(
        1,
        &["cannot write", "the tablebase file exists already: give --force to replace the file"],
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    home.run(&[&args[..], &["--force"]].concat()).ok();
    home.run(&["tablebase", "verify", &file]).ok();

    let folder = home.path("folder");
    fs::create_dir(&folder).unwrap();
    let args = ["tablebase", "build", "--force", folder.to_str().unwrap()];
    home.run(&args).fails(1, &["cannot write", "the path is not a regular file"]);
    let nowhere = home.path("nowhere/file");
    let args = ["tablebase", "build", nowhere.to_str().unwrap()];
    home.run(&args).fails(1, &["cannot write", "nowhere"]);
    assert_eq!(names(&folder), Vec::<String>::new());
}

#[test]
fn foreign_and_damaged_files_have_different_errors() {
    let home = Home::new();
    let good = fs::read(build(&home, "small", SMALL)).unwrap();
    let changed = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 0x40;
        bytes
    };
    let number = |at: usize| u32::from_le_bytes(good[at..at + 4].try_into().unwrap()) as usize;
    let end = good.len() - 1;
    // `block` is the offset of the third of the four blocks in the tablebase file. Every deal needs values from this block.
    let index = good.len() - 4 * 8;
    let block = 64 + number(16) + 4 * number(20) + number(24) + number(index + 8);
    let cases: [(&str, Vec<u8>, &[&str]); 11] = [
        ("empty", Vec::new(), &["the file is not a tablebase"]),
        ("text", b"Not a tablebase.".to_vec(), &["the file is not a tablebase"]),
        ("magic", changed(0), &["the file is not a tablebase"]),
        (
            "version",
            changed(8),
            &[
                "the tablebase has format version 65, but this program reads version 1: build the tablebase again",
            ],
        ),
        ("header", changed(40), &["the tablebase is damaged: the header of the file"]),
        ("rules", changed(70), &["the tablebase is damaged: the rule set or the dictionary"]),
        ("index", changed(index + 20), &["the tablebase is damaged: block 3 of 4"]),
        ("block", changed(block), &["the tablebase is damaged: block 3 of 4"]),
        (
            "short",
            good[..end].to_vec(),
            &["the tablebase is truncated", "but a complete file has at least"],
        ),
        (
            "header alone",
            good[..20].to_vec(),
            &["the tablebase is truncated: the file has 20 bytes"],
        ),
        (
            "long",
            [&good[..], b"\n"].concat(),
            &[
                "the tablebase is damaged: the file has ",
                " bytes, but the header of the file states ",
            ],
        ),
    ];
    for (name, bytes, saying) in cases {
        let file = home.file(name, bytes);
        for command in [&["verify", &file][..], &["probe", &file, "0..20"]] {
            let ran = home.run(&[&["tablebase"], command].concat());
            assert_eq!(ran.stdout, "", "{name}");
            ran.fails(1, saying);
        }
    }
    let folder = home.path(".");
    home.run(&["tablebase", "verify", folder.to_str().unwrap()])
        .fails(1, &["the path is not a regular file"]);
    home.run(&["tablebase", "verify", "none"]).fails(
        1,
        &["none cannot be opened as a tablebase", "No such file", "(os error 2): check the path"],
    );
}

#[test]
fn a_file_of_another_rule_set_is_refused() {
    let home = Home::new();
    let file = build(&home, "small", SMALL);
    for command in [&["verify", "--rules", "bga", &file][..], &["probe", "--rules", "bga", &file]] {
        home.run(&[&["tablebase"], command].concat()).fails(
            1,
            &[
                "cannot be opened",
                "the tablebase is of the rule set small, not of the requested rule set bga",
            ],
        );
    }
    let other = home.file("other.toml", SMALL.replace("value = 10", "value = 9"));
    home.run(&["tablebase", "probe", "--rules", &other, &file]).fails(
        1,
        &["the tablebase is of the rule set small, not of the requested rule set of this name"],
    );
}

#[test]
fn a_game_that_cannot_be_solved_leaves_nothing() {
    let home = Home::new();
    let folder = home.path("folder");
    fs::create_dir(&folder).unwrap();
    let file = folder.join("file").to_str().unwrap().to_owned();
    home.run(&["tablebase", "build", "--rules", "bga+pinochle", &file])
        .fails(1, &["bga+pinochle cannot be solved as a whole", "the deck has 48"]);
    home.run(&["tablebase", "build", "--threads", "0", &file]).fails(2, &["--threads"]);
    assert_eq!(names(&folder), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing() {
    let home = Home::new();
    let folder = home.path("folder");
    fs::create_dir(&folder).unwrap();
    home.file("twelve.toml", VARIED[0].1);
    // The script limits files to a few kilobytes, and ignores the signal that reports the limit.
    let script =
        "trap '' XFSZ; ulimit -f 4; exec \"$0\" tablebase build --rules twelve.toml folder/file";
    let ran: Ran = home.shell(script).output().unwrap().into();
    ran.fails(1, &["cannot write the tablebase file folder/file", "File too large"]);
    assert_eq!(names(&folder), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_nothing() {
    let home = Home::new();
    let folder = home.path("folder");
    fs::create_dir(&folder).unwrap();
    let args = ["tablebase", "build", "--rules", "bga", "--kernel", "portable"];
    let args = [&args[..], &["--threads", "1", "folder/file"]].concat();
    let child = home.command(args).spawn().unwrap();
    // The computation has begun when its temporary file appears in the folder.
    while names(&folder).is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::thread::sleep(std::time::Duration::from_millis(100));
    let ran = crate::support::interrupt(child);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(130), "", ""));
    assert_eq!(names(&folder), Vec::<String>::new());
}

#[test]
fn hashes_are_printed_in_columns() {
    let home = Home::new();
    let rules = home.file("small.toml", SMALL);
    let found = home.run(&["tablebase", "hashes", "--rules", &rules]).ok();
    let lines: Vec<Vec<&str>> = found.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines.len(), 4);
    // The expected hash of two zero bytes comes from another program.
    assert_eq!(lines[0], ["small", "0", "0", "false", "1", "0", "0", ZERO]);
    assert_eq!(lines[3][..5], ["small", "3", "3", "false", "20"]);
    home.run(&["tablebase", "hashes", "--all", "--rules", "bga"]).fails(2, &["--all", "--rules"]);
}

const ZERO: &str = "3325230e1f285505";

#[test]
fn the_actions_of_the_example_are_legal_in_all_its_deals() {
    let home = Home::new();
    let help = home.run(&["tablebase", "probe", "--help"]).ok();
    let example = help.lines().find(|line| line.contains(" --after \"")).unwrap();
    let (_, example) = example.split_once(" --after \"").unwrap();
    let (after, rest) = example.split_once('"').unwrap();
    assert_eq!(rest.trim(), "sackson.matebase 0..1000");
    let rules = RuleSet::named("sackson").unwrap().shared();
    let actions = rules.read_actions(after).unwrap();
    assert!(!actions.is_empty());
    for number in 0..1000 {
        let start = Game::new(Deal::numbered(&rules, number).unwrap());
        let played = actions.iter().try_fold(start, |game, action| game.play(*action));
        assert!(played.is_ok(), "{number}");
    }
}

#[test]
fn a_missing_folder_is_named_without_a_temporary_file() {
    let home = Home::new();
    let rules = home.file("small.toml", SMALL);
    let refused = home.run(&["tablebase", "build", "--rules", &rules, "no/such.matebase"]).fails(
        1,
        &["no/such.matebase", "the folder of the tablebase file does not exist: create the folder"],
    );
    assert!(!refused.stderr.contains(".tmp"), "{refused:?}");
}
