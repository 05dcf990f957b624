//! Tests the commands `backup`, `restore` and `doctor` with running and stopped servers.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;

use crate::serve::{HttpClient, ServerProcess};
use crate::support::{Home, Ran};

/// Text of `docs/server.md`, which is the document for operators of a server.
const DOCUMENT: &str = include_str!("../../../../docs/server.md");

/// Starts a server with its data in the folder `server`, and plays one action in a new match. Returns the server, the player's client and
/// the state.
fn play_one_action(home: &Home) -> (ServerProcess, HttpClient, Value) {
    let served = ServerProcess::start(home, &[]);
    let mut client = HttpClient::default();
    let state = client.begin(&served.address).unwrap();
    let (status, state) = client.act(&served.address, &state, "the-first").unwrap();
    assert_eq!(status, 200, "{state}");
    (served, client, state)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn id(state: &Value) -> &str {
    state["id"].as_str().unwrap()
}

#[test]
fn a_backup_of_a_server_under_load_holds_every_action_acknowledged_before() {
    let home = Home::new();
    let (served, mut client, mut state) = play_one_action(&home);
    let address = served.address.clone();
    let stop = AtomicBool::new(false);
    let mut backups = Vec::new();
    std::thread::scope(|scope| {
        // While the backups are made, two other clients create matches and play one action in each match.
        for _ in 0..2 {
            scope.spawn(|| {
                let mut other = HttpClient::default();
                while !stop.load(Ordering::Relaxed) {
                    let begun = other.begin(&address).unwrap();
                    assert_eq!(other.act(&address, &begun, "the-first").unwrap().0, 200);
                }
            });
        }
        for number in 0..4 {
            let file = format!("backup-{number}.sqlite");
            let told = home.run(&["backup", "--data", "server", &file]).ok();
            assert!(told.contains("verified") && told.contains(&file), "{told}");
            backups.push((file, state["sequence"].clone()));
            let client_id = format!("number-{number}");
            state = client.act(&address, &state, &client_id).unwrap().1;
        }
        stop.store(true, Ordering::Relaxed);
    });
    drop(served);
    for (file, sequence) in &backups {
        home.run(&["restore", "--data", "restored", "--force", file]).ok();
        let args = ["serve", "--listen", "127.0.0.1:0", "--data", "restored"];
        let served = ServerProcess::of(home.command(args));
        assert_eq!(&client.look(&served.address, id(&state))["sequence"], sequence);
    }
    assert_eq!(backups.len(), 4);
}

#[test]
fn a_backup_replaces_no_file_without_force_and_only_its_owner_may_read_it() {
    let home = Home::new();
    let (served, ..) = play_one_action(&home);
    let taken = home.file("taken.sqlite", "notes");
    home.run(&["backup", "--data", "server", &taken]).fails(1, &["exists already", "--force"]);
    assert_eq!(fs::read_to_string(&taken).unwrap(), "notes");
    let script = "umask 000; exec \"$0\" backup --data server --force taken.sqlite";
    assert!(home.shell(script).status().unwrap().success());
    assert_eq!(mode(&home.path("taken.sqlite")), 0o600);
    assert!(fs::read(&taken).unwrap().starts_with(b"SQLite format 3\0"));
    for own in ["overmate.sqlite", "overmate.sqlite-wal", "overmate.lock"] {
        let own = format!("server/{own}");
        let before = fs::metadata(home.path(&own)).unwrap().ino();
        home.run(&["backup", "--data", "server", "--force", &own])
            .fails(1, &["the database file itself, its write-ahead log or a lock file"]);
        assert_eq!(fs::metadata(home.path(&own)).unwrap().ino(), before);
    }
    assert!(home.shell("mkfifo pipe; ln -s taken.sqlite link").status().unwrap().success());
    for options in [&["--force"][..], &[]] {
        let mut args = vec!["backup", "--data", "server", "pipe"];
        args.extend(options);
        let refused = home.run(&args).fails(1, &["not a regular file: choose another path"]);
        assert!(!refused.stderr.contains("--force"), "{refused:?}");
    }
    assert!(fs::metadata(home.path("pipe")).unwrap().file_type().is_fifo());
    fs::write(&taken, "notes").unwrap();
    home.run(&["backup", "--data", "server", "--force", "link"]).ok();
    assert!(fs::symlink_metadata(home.path("link")).unwrap().is_symlink());
    assert!(fs::read(&taken).unwrap().starts_with(b"SQLite format 3\0"));
    home.run(&["backup", "--data", "elsewhere", "new.sqlite"]).fails(1, &["no database", "--data"]);
    assert!(!home.path("elsewhere").exists() && !home.path("new.sqlite").exists());
    let refused = home
        .run(&["backup", "--data", "server", "no/such/folder.sqlite"])
        .fails(1, &["the folder no/such does not exist: create the folder"]);
    assert!(!refused.stderr.contains(".tmp"), "{refused:?}");
    drop(served);
}

#[test]
fn a_database_of_another_user_is_not_reported_as_missing() {
    const NOBODY: u32 = 65_534;
    let home = Home::new();
    drop(ServerProcess::start(&home, &[]));
    assert_eq!(mode(&home.path("server")), 0o700);
    // Every user may enter the home folder, but not another user's data folder. Root may enter every folder, so that root runs the commands
    // as the user `NOBODY`. Without root, the test removes its own permission for the data folder.
    fs::set_permissions(home.path(""), fs::Permissions::from_mode(0o755)).unwrap();
    let is_root = fs::metadata(home.path("")).unwrap().uid() == 0;
    if !is_root {
        fs::set_permissions(home.path("server"), fs::Permissions::from_mode(0o000)).unwrap();
    }
    let commands: [&[&str]; 5] = [
        &["backup", "--data", "server", "new.sqlite"],
        &["admin", "--data", "server", "log"],
        &["archive", "--data", "server", "--parquet", "archive"],
        &["doctor", "--data", "server"],
        &["database", "copy", "sqlite:server", "sqlite:new"],
    ];
    for args in commands {
        let mut command = home.command(args);
        if is_root {
            command.uid(NOBODY);
        }
        let ran: Ran = command.output().unwrap().into();
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let told = format!("{}{}", ran.stdout, ran.stderr);
        for part in ["cannot look at the database", "as root", "Permission denied"] {
            assert!(told.contains(part), "{told}");
        }
    }
    fs::set_permissions(home.path("server"), fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn a_full_disk_leaves_the_older_backup_and_no_remains() {
    let home = Home::new();
    let (served, ..) = play_one_action(&home);
    home.file("backup.sqlite", "older");
    // For the database, a limit on the size of files has the same effect as a full disk.
    let script =
        "trap '' XFSZ; ulimit -f 8; exec \"$0\" backup --data server --force backup.sqlite";
    let ran = home.shell(script).output().unwrap();
    assert_eq!(ran.status.code(), Some(1));
    let told = String::from_utf8_lossy(&ran.stderr);
    assert!(told.contains("cannot write the copy of the database to backup.sqlite"), "{told}");
    assert_eq!(fs::read_to_string(home.path("backup.sqlite")).unwrap(), "older");
    let names = fs::read_dir(home.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().ends_with(".tmp")));
    drop(served);
}

#[test]
fn the_documented_commands_work_twice_in_a_day() {
    let home = Home::new();
    let (mut served, mut client, state) = play_one_action(&home);
    fs::create_dir(home.path("backup")).unwrap();
    fs::create_dir(home.path("bin")).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_overmate"), home.path("bin/overmate")).unwrap();
    let blocks: Vec<&str> =
        DOCUMENT.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let block = |start: &str| {
        let found = blocks.iter().find(|block| block.starts_with(start));
        found.unwrap_or_else(|| panic!("no block starts with {start}"))
    };
    let run = |block: &str| {
        let mut script = block.replace("/var/lib/overmate", "server").replace("/backup", "backup");
        // The commands in `docs/server.md` name a backup file of a fixed day. The test replaces this name by the name of its own backup.
        if let Some(first) = first_backup(&home) {
            script = script.replace("overmate-2026-11-20-1.sqlite", &first);
        }
        let mut shell = home.shell(&format!("set -e; PATH=\"$PWD/bin:$PATH\"; {script}"));
        shell.env("PATH", std::env::var_os("PATH").unwrap());
        let ran = shell.output().unwrap();
        assert!(ran.status.success(), "{script}{}", String::from_utf8_lossy(&ran.stderr));
    };
    let backup = block("overmate backup");
    run(backup);
    client.act(&served.address, &state, "the-second").unwrap();
    run(backup);
    assert_eq!(fs::read_dir(home.path("backup")).unwrap().count(), 2);
    run(block("overmate doctor"));
    for _ in 0..2 {
        drop(served);
        run(block("overmate restore"));
        served = ServerProcess::start(&home, &[]);
        let found = client.look(&served.address, id(&state));
        assert_eq!(found["sequence"], state["sequence"]);
        client.act(&served.address, &found, "another").unwrap();
    }
}

/// Returns the name of the backup file with the number 1 in the folder `backup`, or `None` if there is no such file.
fn first_backup(home: &Home) -> Option<String> {
    let names = fs::read_dir(home.path("backup")).unwrap();
    let mut names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.find(|name| name.ends_with("-1.sqlite"))
}

#[test]
fn a_restore_waits_for_no_running_server_and_replaces_no_database_without_force() {
    let home = Home::new();
    let (served, mut client, state) = play_one_action(&home);
    home.run(&["backup", "--data", "server", "backup.sqlite"]).ok();
    let (_, later) = client.act(&served.address, &state, "the-second").unwrap();
    let restore = ["restore", "--data", "server", "--force", "backup.sqlite"];
    home.run(&restore).fails(
        1,
        &[
            "a server or another command of Overmate is using the data folder server",
            "stop the server",
        ],
    );
    assert_eq!(client.look(&served.address, id(&state))["sequence"], later["sequence"]);
    // The restore must also remove the write-ahead log of the killed server, because this log belongs to the replaced database.
    served.kill();
    assert!(home.path("server/overmate.sqlite-wal").exists());
    home.run(&["restore", "--data", "server", "backup.sqlite"]).fails(1, &["--force"]);
    home.run(&restore).ok();
    assert!(!home.path("server/overmate.sqlite-wal").exists());
    assert_eq!(mode(&home.path("server/overmate.sqlite")), 0o600);
    let served = ServerProcess::start(&home, &[]);
    assert_eq!(client.look(&served.address, id(&state))["sequence"], state["sequence"]);
}

#[test]
fn a_file_that_is_no_sound_backup_is_refused_and_changes_nothing() {
    let home = Home::new();
    let (served, mut client, state) = play_one_action(&home);
    home.run(&["backup", "--data", "server", "backup.sqlite"]).ok();
    served.kill();
    let sound = fs::read(home.path("backup.sqlite")).unwrap();
    let mut damaged = sound.clone();
    let middle = damaged.len() / 2;
    damaged[middle..].fill(0xa5);
    home.file("damaged.sqlite", &damaged);
    home.file("short.sqlite", &sound[..sound.len() / 2]);
    home.file("text.sqlite", "This is no database. ".repeat(100));
    home.file("empty.sqlite", "");
    home.file("later.sqlite", &sound);
    change(&home.path("later.sqlite"), "UPDATE _sqlx_migrations SET version = version + 1000");
    home.file("gap.sqlite", &sound);
    fs::create_dir(home.path("older")).unwrap();
    change(&home.path("gap.sqlite"), "UPDATE log SET sequence = 2");
    let refused = [
        ("damaged.sqlite", "damaged.sqlite cannot be used"),
        ("short.sqlite", "short.sqlite cannot be used"),
        ("text.sqlite", "file is not a database"),
        ("empty.sqlite", "no tables of Overmate"),
        ("later.sqlite", "a later version of Overmate"),
        ("gap.sqlite", "lacks log entries"),
        ("missing.sqlite", "there is no backup at missing.sqlite"),
        ("server/overmate.sqlite", "the database file itself"),
    ];
    for (name, fault) in refused {
        let ran = home.run(&["restore", "--data", "server", "--force", name]);
        ran.fails(1, &[fault]);
        // A refused restore leaves no new folder behind, and keeps the folders that existed before.
        if name != "server/overmate.sqlite" {
            home.run(&["restore", "--data", "older/new/nested", name]).fails(1, &[fault]);
            assert!(fs::read_dir(home.path("older")).unwrap().next().is_none(), "{name}");
        }
    }
    fs::copy(home.path("server/overmate.sqlite"), home.path("live.sqlite")).unwrap();
    fs::copy(home.path("server/overmate.sqlite-wal"), home.path("live.sqlite-wal")).unwrap();
    home.run(&["restore", "--data", "server", "--force", "live.sqlite"])
        .fails(1, &["not a backup", "write-ahead log"]);
    let served = ServerProcess::start(&home, &[]);
    assert_eq!(client.look(&served.address, id(&state))["sequence"], state["sequence"]);
}

#[test]
fn damage_that_the_server_finds_after_its_start_is_in_the_log_and_makes_it_unready() {
    let home = Home::new();
    let (served, ..) = play_one_action(&home);
    assert_eq!(
        HttpClient::default().send(&served.address, "GET", "/readyz", &Value::Null).unwrap().0,
        200
    );
    served.kill();
    let file = home.path("server/overmate.sqlite");
    // The test damages a database index that the server does not read at its start.
    let page = number(&file, "SELECT rootpage FROM sqlite_schema WHERE name = 'seats_by_holder'");
    let size = number(&file, "PRAGMA page_size");
    change(&file, "PRAGMA wal_checkpoint(TRUNCATE)");
    let mut bytes = fs::read(&file).unwrap();
    bytes[(page - 1) * size..page * size].fill(0xa5);
    fs::write(&file, bytes).unwrap();
    let mut served = ServerProcess::start(&home, &["--log", "json"]);
    let mut status = 200;
    for _ in 0..1_000 {
        let answer = HttpClient::default().send(&served.address, "GET", "/readyz", &Value::Null);
        status = answer.unwrap().0;
        if status == 503 {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(status, 503);
    assert_eq!(
        HttpClient::default().send(&served.address, "GET", "/healthz", &Value::Null).unwrap().0,
        200
    );
    served.child.kill().unwrap();
    let mut log = String::new();
    served.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    let told = log.lines().find(|line| line.contains("the database is damaged")).unwrap();
    assert!(told.contains("ERROR") && told.contains("overmate restore"), "{told}");
    assert_eq!(faults(&home), ["database"]);
}

#[test]
fn an_archive_without_a_damaged_match_is_written_and_the_exit_code_says_so() {
    let home = Home::new();
    let (served, _, state) = play_one_action(&home);
    served.kill();
    let file = home.path("server/overmate.sqlite");
    change(&file, "UPDATE matches SET ended_at = 1");
    let archive = ["archive", "--data", "server", "--parquet", "archive", "--force"];
    assert!(home.run(&archive).ok().contains("1 match, 1 entry\n"));
    change(&file, "UPDATE log SET detail = 'Zz'");
    let ran = home
        .run(&archive)
        .fails(1, &[id(&state), "in the stored log", "is not valid", "overmate doctor"]);
    assert!(ran.stdout.contains("0 matches, 0 entries\n"), "{ran:?}");
}

/// Returns the number that an SQL query on a database file returns.
fn number(file: &Path, query: &str) -> usize {
    let python = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])";
    let output = Command::new("python3").args(["-c", python]).arg(file).arg(query).output();
    String::from_utf8(output.unwrap().stdout).unwrap().trim().parse().unwrap()
}

/// Executes an SQL statement in a database file.
pub(crate) fn change(file: &Path, statement: &str) {
    let python =
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()";
    let status = Command::new("python3").args(["-c", python]).arg(file).arg(statement).status();
    assert!(status.unwrap().success());
}

/// Returns the subject and the verdict of each check of `overmate doctor`.
fn verdicts(home: &Home, code: i32) -> Vec<(String, String)> {
    let ran = home.run(&["doctor", "--data", "server", "--json"]);
    assert_eq!(ran.code, Some(code), "{ran:?}");
    let lines = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    lines.map(|found| (text(&found["subject"]), text(&found["verdict"]))).collect()
}

fn faults(home: &Home) -> Vec<String> {
    let faulty = verdicts(home, 1).into_iter().filter(|(_, verdict)| verdict == "fault");
    faulty.map(|(subject, _)| subject).collect()
}

#[test]
fn the_doctor_finds_no_fault_in_a_running_server_and_changes_nothing() {
    let home = Home::new();
    let (served, mut client, state) = play_one_action(&home);
    let subjects: Vec<String> =
        verdicts(&home, 0).into_iter().map(|(subject, _)| subject).collect();
    assert_eq!(
        subjects,
        [
            "clock",
            "open files",
            "data folder",
            "permissions",
            "free disk",
            "write-ahead log",
            "database",
            "schema",
            "times"
        ]
    );
    let told = home.run(&["doctor", "--data", "server"]).ok();
    assert!(told.contains("1 match with 1 log entry in "), "{told}");
    assert_eq!(client.act(&served.address, &state, "the-second").unwrap().0, 200);
}

#[test]
fn the_doctor_finds_each_fault_of_a_data_folder() {
    let home = Home::new();
    assert_eq!(faults(&home), ["data folder"]);
    assert!(!home.path("server").exists());
    let (served, ..) = play_one_action(&home);
    served.kill();
    let (folder, file) = (home.path("server"), home.path("server/overmate.sqlite"));
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o750)).unwrap();
    assert_eq!(faults(&home), ["permissions"]);
    // For a folder with files of another program, `doctor` advises no change of permissions.
    let shared = home.path("shared");
    fs::create_dir(&shared).unwrap();
    fs::set_permissions(&shared, fs::Permissions::from_mode(0o755)).unwrap();
    home.file("shared/notes.txt", "");
    let found = home.run(&["doctor", "--data", "shared"]);
    assert!(found.stdout.contains("choose a folder for Overmate alone"), "{}", found.stdout);
    assert!(!found.stdout.contains("chmod"), "{}", found.stdout);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(faults(&home), ["permissions"]);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    change(&file, "UPDATE matches SET created_at = 250000000000");
    let found = verdicts(&home, 0);
    assert!(found.contains(&("times".to_owned(), "warning".to_owned())), "{found:?}");
    change(&file, "DELETE FROM seats WHERE player = 'b'");
    assert_eq!(faults(&home), ["database"]);
    fs::write(&file, "This is no database. ".repeat(100)).unwrap();
    assert_eq!(faults(&home), ["database"]);
}
