//! Tests that each misbehaving program forfeits its match with a reason, and leaves no process
//! running.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use overmate_arena::protocol::{Program, ProgramOptions, TimeControl};
use overmate_arena::{Arena, ArenaOptions, Entrant, Observer, PairingResult};
use overmate_bots::Forfeit;
use overmate_rules::RuleSet;

use crate::Chancer;

/// Starts an entrant that runs a shell script, with a time limit for its first answer and for each action.
fn shell(script: &str, time: Duration) -> Result<Program, Forfeit> {
    let words = ["/bin/sh", "-c", script];
    let command = words.map(str::to_owned).to_vec();
    Program::start(ProgramOptions::new("rogue", command).with_greeting(time).with_time(time))
}

const READY: &str = r#"read hello; echo '{"type":"ready","protocol":1,"name":"Rogue"}'; "#;

const SLOW: Duration = Duration::from_secs(20);
const QUICK: Duration = Duration::from_millis(50);

/// Returns the results of two matches between a random player and a bot that answers the message `hello` and then runs
/// the shell code `script`.
fn plays(script: &str, time: Duration) -> PairingResult {
    let program = shell(&format!("{READY}{script}"), time).unwrap();
    assert_eq!(program.own_name(), "Rogue");
    plays_against_fair(program)
}

/// Plays two matches of a program against a player that chooses its actions at random, and returns the results.
fn plays_against_fair(program: Program) -> PairingResult {
    let rules = RuleSet::named("bga").unwrap().shared();
    let players: Vec<Arc<dyn Entrant>> = vec![Arc::new(program), Chancer::player("fair", 0)];
    let options = ArenaOptions::default().with_pairs(1).with_threads(2);
    Arena::new(rules, players, options).unwrap().run([], &Observer::default()).unwrap().remove(0)
}

/// Asserts that a bot that runs the shell code `script` forfeits two matches, with a reason that contains the text
/// `saying`.
#[track_caller]
fn loses(script: &str, time: Duration, saying: &str) {
    let result = plays(script, time);
    assert_eq!((result.losses, result.forfeits), (2, [2, 0]), "{script}");
    for report in &result.reported_forfeits {
        assert!(report.why.contains(saying), "`{saying}` is missing in: {}", report.why);
        assert!(!report.why.contains('\n') && report.why.len() < 700, "{}", report.why);
    }
}

/// Returns a shell script that reads protocol messages until the first request for an action, and then runs `script`.
fn at_its_turn(script: &str) -> String {
    format!(
        r#"while read line; do case "$line" in *'"type":"turn"'*) break;; esac; done; {script}"#
    )
}

/// Returns a shell script that runs `script` for each request for an action, with the message in the shell variable
/// `line`.
fn at_each_turn(script: &str) -> String {
    format!(r#"while read -r line; do case "$line" in *'"type":"turn"'*) {script};; esac; done"#)
}

/// Shell code that takes the first legal action from the message in the variable `line`, and stores the answer in the
/// variable `json`.
const FIRST_LEGAL: &str = r#"action=${line##*\"legal\":[\"}; action=${action%%\"*}; json="{\"type\":\"action\",\"action\":\"$action\"}""#;

/// Returns a shell script that answers the first request for an action with the line `json`.
fn answers(json: &str) -> String {
    at_its_turn(&format!("echo '{json}'; while read line; do :; done"))
}

#[test]
fn programs_with_invalid_answers_forfeit() {
    loses(
        &answers(r#"{"type":"action","action":"Zz"}"#),
        SLOW,
        "the program's action `Zz` in move 1 of game 1 cannot be read",
    );
    loses(
        &answers(r#"{"type":"action","action":"(Ac)"}"#),
        SLOW,
        "the program's action `(Ac)` in move 1 of game 1 is not legal: ",
    );
    loses(
        &answers(r#"{"type":"action"}"#),
        SLOW,
        "which is not an action message (see docs/bot-protocol.md): missing field `action`",
    );
    loses(
        &answers(r#"{"type":"ready","protocol":1,"name":"x"}"#),
        SLOW,
        "the program answered with `ready` in move 1",
    );
    loses(
        &answers("hello?"),
        SLOW,
        "the program answered with `hello?` in move 1 of game 1, which is not an action message",
    );
    loses(
        &answers(&"[".repeat(60_000)),
        SLOW,
        "which is not an action message (see docs/bot-protocol.md): ",
    );
    loses(&at_its_turn(r"printf '\377\n'"), SLOW, "the program sent a line that is not UTF-8");
    loses(
        &at_its_turn(r"printf '\033[2Jboo\n'"),
        SLOW,
        "the program answered with `\u{fffd}[2Jboo`",
    );
}

#[test]
fn a_line_of_the_maximum_length_is_read() {
    let padded = |bytes: usize| {
        plays(&at_each_turn(&format!(r#"{FIRST_LEGAL}; printf '%-{bytes}s\n' "$json""#)), SLOW)
    };
    assert_eq!(padded(65_536).forfeits, [0, 0]);
    assert_eq!(padded(65_537).forfeits, [2, 0]);
}

#[test]
fn programs_that_hang_forfeit() {
    loses("exec sleep 1000", QUICK, "the program sent no answer within 0.05 s in move 1 of game 1");
    loses(
        &at_its_turn("exec 1>&-; exec sleep 1000"),
        QUICK,
        "the program closed its standard output in move 1",
    );
}

#[test]
fn programs_whose_clock_runs_out_forfeit() {
    // At each of its turns, the program sleeps and then answers with the first legal action.
    let sleeps =
        |seconds: &str| at_each_turn(&format!(r#"sleep {seconds}; {FIRST_LEGAL}; echo "$json""#));
    let plays = |script: &str, base: u64, increment: u64| {
        let words = ["/bin/sh".to_owned(), "-c".to_owned(), format!("{READY}{script}")];
        let [base, increment] = [base, increment].map(Duration::from_millis);
        let options = ProgramOptions::new("rogue", words.to_vec())
            .with_time(SLOW)
            .with_clock(Some(TimeControl { base, increment }));
        plays_against_fair(Program::start(options).unwrap())
    };
    // A match of four games takes at least four actions of each player. Four pauses exceed the clock of 0.3 s plus 0.5 s of grace.
    let result = plays(&sleeps("0.3"), 300, 0);
    assert_eq!((result.losses, result.forfeits), (2, [2, 0]));
    for report in &result.reported_forfeits {
        let saying = "the program's clock of 0.3+0 s ran out in move ";
        assert!(report.why.starts_with(saying), "{}", report.why);
    }
    // A program that sends no answer forfeits when its clock runs out, long before the time limit for an action.
    let result = plays(&at_its_turn("exec sleep 1000"), 50, 0);
    assert_eq!(result.forfeits, [2, 0]);
    assert!(result.reported_forfeits[0].why.contains("within the last 0.050 s"), "{result:?}");
    // A program that sleeps 0.01 s at each turn does not exceed a clock of 20 s with an increment of 1 s.
    assert_eq!(plays(&sleeps("0.01"), 20_000, 1_000).forfeits, [0, 0]);
}

#[test]
fn programs_that_exit_forfeit() {
    let scripts = [
        ("exit 3", "the program exited (exit status: 3)"),
        ("kill -9 $$", "the program exited (signal: 9 (SIGKILL))"),
    ];
    for (script, saying) in scripts {
        loses(&at_its_turn(script), SLOW, saying);
    }
    let script = at_its_turn("echo first >&2; echo 'Oh, I die, Horatio' >&2; exit 1");
    loses(
        &script,
        SLOW,
        "(exit status: 1) in move 1 of game 1; the last line of the program's standard error is: Oh, I die, Horatio",
    );
}

#[test]
fn programs_that_flood_their_pipes_forfeit() {
    // The lines of the shell command `yes` may arrive before or after the request for an action. The test therefore accepts the
    // forfeit reasons of both cases.
    loses("exec yes", SLOW, "`y` ");
    loses(&at_its_turn("exec yes"), SLOW, "the program answered with `y` in move 1");
    loses(
        &at_its_turn(r"exec tr '\0' x < /dev/zero"),
        SLOW,
        "the program sent a line of more than 65536 bytes",
    );
    loses(
        &at_its_turn("yes >&2 & sleep 0.1; exit 1"),
        SLOW,
        "the last line of the program's standard error is: y",
    );
    loses(
        &at_its_turn(r"exec tr '\0' '\n' < /dev/zero"),
        QUICK,
        "the program sent no answer within 0.05 s",
    );
}

#[test]
fn programs_that_do_not_answer_hello_cannot_start() {
    let fails = |script: &str, saying: &str| {
        let forfeit = shell(script, QUICK).unwrap_err();
        assert_eq!(forfeit.who, "rogue");
        assert!(forfeit.why.contains(saying), "{}", forfeit.why);
    };
    fails("exec sleep 1000", "the program sent no answer within 0.05 s after `hello`");
    fails(
        "echo what > /dev/stderr; exit 7",
        "the program exited (exit status: 7) after `hello`; the last line of the program's standard error is: what",
    );
    fails(
        "echo hello; exec sleep 1000",
        "the program answered `hello` with `hello` instead of `ready` (see docs/bot-protocol.md): ",
    );
    fails(
        r#"echo '{"type":"ready","protocol":9,"name":"x"}'; exec sleep 1000"#,
        "the program speaks version 9 of the bot protocol",
    );
    fails(
        r#"echo '{"type":"action","action":"-"}'; exec sleep 1000"#,
        "the program answered `hello` with an action",
    );

    let options = |command: Vec<String>| {
        ProgramOptions::new("rogue", command).with_greeting(QUICK).with_time(QUICK)
    };
    let none = options(Vec::new());
    let options = options(vec!["./no-such-program".to_owned()]);
    assert!(
        Program::start(options)
            .unwrap_err()
            .why
            .starts_with("the program `./no-such-program` cannot be started: ")
    );
    assert!(Program::start(none).is_err());
}

#[test]
fn children_of_a_forfeiting_program_are_killed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("children");
    let script = at_its_turn(&format!("sleep 1000 & echo $! >> {}; exit 1", file.display()));
    loses(&script, SLOW, "the program exited (exit status: 1)");

    let children = std::fs::read_to_string(file).unwrap();
    assert_eq!(children.lines().count(), 2);
    for child in children.lines() {
        let state = Command::new("ps").args(["-o", "stat=", "-p", child]).output().unwrap();
        let state = String::from_utf8(state.stdout).unwrap();
        // A zombie process also counts as killed.
        assert!(state.trim().is_empty() || state.starts_with('Z'), "{child}: {state}");
    }
}

#[test]
fn an_exited_program_is_started_again_for_the_next_match() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("starts");
    let starts = format!("echo >> {}; {}", file.display(), at_its_turn("exit 0"));
    let result = plays(&starts, SLOW);
    assert_eq!(result.losses, 2);
    assert_eq!(std::fs::read_to_string(file).unwrap().lines().count(), 2);
}
