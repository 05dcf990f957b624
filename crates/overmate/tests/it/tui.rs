//! Tests the full-screen display of `overmate play`. The real binary runs in a pseudo-terminal.
#![cfg(unix)]

use std::fs;
use std::io::{Read as _, Write};
use std::num::NonZeroU16;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, SlavePty, native_pty_system};

use crate::support::{Home, signal, text};

/// Timeout of a test that waits for output or for the end of the process `overmate`. The limit is far longer than usual waits, so that
/// tests pass on busy machines.
const PATIENCE: Duration = Duration::from_mins(1);

/// Pseudo-terminal in which a test runs the binary `overmate`.
struct Pty {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    printed: Receiver<Vec<u8>>,
    /// All bytes that the binary `overmate` has printed so far.
    raw: Vec<u8>,
    screen: vt100::Parser,
    flags_before: String,
    /// Slave side of the pseudo-terminal, which is the terminal of the process `overmate`. The field keeps this side open, so that terminal
    /// modes can be read after the end of the process.
    slave: Box<dyn SlavePty + Send>,
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn side(length: u16) -> NonZeroU16 {
    NonZeroU16::new(length).expect("no test has an empty screen")
}

impl Pty {
    fn new(home: &Home, args: &[&str], env: &[(&str, &str)]) -> Self {
        let pair = native_pty_system().openpty(size(80, 24)).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_overmate"));
        command.args(args);
        command.cwd(home.path(""));
        command.env_clear();
        command.env("HOME", home.path(""));
        command.env("XDG_DATA_HOME", home.path("data"));
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        for (key, value) in env {
            command.env(key, value);
        }
        let flags = pair.master.get_termios().map(|modes| modes.local_flags);
        let flags_before = format!("{flags:?}");
        assert!(flags_before.contains("ICANON"), "{flags_before}");
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        let (print, printed) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // A read error also ends the loop that reads the terminal's output, because some systems report the end of the output as an
            // error.
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if print.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let screen = vt100::Parser::new(side(24), side(80), 0);
        Self {
            master: pair.master,
            child,
            keys,
            printed,
            raw: Vec::new(),
            screen,
            flags_before,
            slave: pair.slave,
        }
    }

    fn shown(&self) -> String {
        self.screen.screen().contents()
    }

    /// Waits until the text on the screen satisfies the condition `found`.
    #[track_caller]
    fn wait(&mut self, what: &str, found: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !found(&self.shown()) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.printed.recv_timeout(left) {
                Ok(bytes) => {
                    self.screen.process(&bytes);
                    self.raw.extend(bytes);
                }
                Err(error) => panic!("{what}: {error}\n{}", self.shown()),
            }
        }
    }

    #[track_caller]
    fn sees(&mut self, text: &str) {
        self.wait(text, |shown| shown.contains(text));
    }

    /// Waits for the prompt of `overmate play` in line mode, because text that is typed before the prompt cannot be edited.
    #[track_caller]
    fn sees_prompt(&mut self) {
        self.wait("the prompt", |shown| shown.trim_end().ends_with("\n>"));
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    fn resize(&mut self, cols: u16, rows: u16) {
        self.screen.screen_mut().set_size(side(rows), side(cols));
        self.master.resize(size(cols, rows)).unwrap();
    }

    fn signal(&self, name: &str) {
        signal(self.child.process_id().unwrap(), name);
    }

    /// Waits for the end of the process `overmate`, and checks its exit code. Also checks that the modes of the terminal are restored.
    #[track_caller]
    fn ends(mut self, code: u32) -> String {
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if Instant::now() > deadline {
                self.child.kill().unwrap();
                panic!("the program does not end\n{}", self.shown());
            }
            thread::sleep(Duration::from_millis(5));
        };
        // The flags of the terminal show that raw mode is off and that the terminal edits and echoes lines.
        let flags = self.master.get_termios().map(|modes| modes.local_flags);
        assert_eq!(format!("{flags:?}"), self.flags_before);
        // The reader thread ends when no process has the terminal open. By then the thread has read all output.
        drop(self.keys);
        drop(self.slave);
        while let Ok(bytes) = self.printed.recv_timeout(PATIENCE) {
            self.screen.process(&bytes);
            self.raw.extend(bytes);
        }
        let raw = String::from_utf8_lossy(&self.raw).into_owned();
        assert_eq!(status.exit_code(), code, "{raw:?}");
        let screen = self.screen.screen();
        assert!(!screen.alternate_screen(), "the old screen is back\n{raw:?}");
        assert!(!screen.hide_cursor(), "the cursor is back\n{raw:?}");
        assert!(!screen.bracketed_paste(), "what is pasted is not marked\n{raw:?}");
        let mouse = screen.mouse_protocol_mode();
        assert_eq!(mouse, vt100::MouseProtocolMode::None, "{raw:?}");
        raw
    }
}

#[test]
fn a_match_survives_resizing_and_ctrl_c() {
    let home = Home::new();
    let args = ["play", "--deal", "20010", "--level", "perfect", "--record", "a.mate"];
    let mut pty = Pty::new(&home, &args, &[]);
    pty.sees("Foreplace a card, or nothing");
    pty.press("-");
    pty.sees("Move 1: you lead");
    // The screen shows the cards of both players, the ranks with their values, and the lifted card.
    for sign in ["╭───────╮", "╔═══════╗", "A 11", "▸T♣◂", "a mate"]
    {
        pty.sees(sign);
    }
    pty.press("\x1b[C\x1b[C\r");
    pty.sees("Move 2: ");
    pty.resize(60, 20);
    pty.wait("the table on 60 columns", |shown| {
        shown.contains("? help") && shown.contains("q leave") && shown.contains("Move 2: ")
    });
    pty.resize(40, 10);
    pty.sees("The table needs 60 × 20; here are 40 ×");
    pty.resize(120, 40);
    pty.wait("the table on 120 columns", |shown| shown.contains("R give up"));
    pty.press("\x03");
    let raw = pty.ends(130);
    assert!(raw.contains("The match is kept in a.mate."), "{raw:?}");
    assert!(raw.contains("To go on: overmate play --resume a.mate"), "{raw:?}");
    let replayed = home.run(&["replay", "a.mate"]).ok();
    assert!(replayed.contains("Opponent: perfect"), "{replayed}");

    let mut pty = Pty::new(&home, &["play", "--resume", "a.mate"], &[]);
    pty.sees("Move 2: ");
    pty.sees("Overmate, perfect");
    pty.press("q");
    let raw = pty.ends(0);
    assert!(raw.contains("To go on: overmate play --resume a.mate"), "{raw:?}");
}

#[test]
fn a_game_is_played_to_its_end_and_reviewed() {
    let home = Home::new();
    let mut pty = Pty::new(&home, &["play", "--rules", "bga", "--seed", "4"], &[]);
    pty.sees("Move 1: you lead");
    for turn in 2.. {
        pty.press("\r");
        let next = format!("Move {turn}: ");
        pty.wait(&next, |shown| shown.contains(&next) || shown.contains("is over"));
        if pty.shown().contains("is over") {
            break;
        }
        pty.sees("your turn");
    }
    pty.sees("In this game you lost ");
    pty.press("\x1b[B\r");
    pty.sees("Review of game 1 of 4");
    pty.press("\r");
    pty.sees("Next game");
    pty.press("\r");
    pty.sees("Game 2 of 4");
    pty.press("q");
    let raw = pty.ends(0);
    assert!(raw.contains("To go on: overmate play --resume "), "{raw:?}");
    assert!(text(&home.kept()).contains("Game 2: B leads"));
}

/// Tests that Ctrl-Z leaves the full-screen display, and that the display returns when the process continues.
/// Without a shell, the system immediately continues the suspended program.
#[test]
fn ctrl_z_leaves_the_screen_and_takes_it_over_again() {
    let home = Home::new();
    let mut pty = Pty::new(&home, &["play", "--deal", "20010"], &[]);
    pty.sees("? help");
    pty.press("\x1a");
    pty.press("?");
    pty.sees("suspend; fg in the shell continues");
    pty.press("q");
    pty.press("q");
    let raw = pty.ends(0);
    assert_eq!(raw.matches("\x1b[?1049h").count(), 2, "{raw:?}");
}

#[test]
fn a_signal_restores_the_terminal() {
    for (signal, code) in [("-TERM", 143), ("-HUP", 129), ("-INT", 130)] {
        let home = Home::new();
        let mut pty = Pty::new(&home, &["play", "--seed", "1", "--record", "a.mate"], &[]);
        pty.sees("[-] foreplace nothing");
        pty.press("-");
        pty.sees("Move 1: you lead");
        pty.signal(signal);
        let raw = pty.ends(code);
        assert!(raw.contains("To go on: overmate play --resume a.mate"), "{signal} {raw:?}");
        assert!(fs::metadata(home.path("a.mate")).is_ok());
    }
}

#[test]
fn a_signal_restores_the_terminal_in_line_mode() {
    for (signal, code) in [("-TERM", 143), ("-HUP", 129), ("-INT", 130)] {
        let home = Home::new();
        let args = ["play", "--seed", "1", "--lines", "--record", "a.mate"];
        let mut pty = Pty::new(&home, &args, &[]);
        pty.sees("Foreplace a card, as in");
        pty.sees_prompt();
        pty.press("-\r");
        pty.sees("You lead to move 1");
        pty.sees_prompt();
        pty.signal(signal);
        let raw = pty.ends(code);
        assert!(raw.contains("To go on: overmate play --resume a.mate"), "{signal} {raw:?}");
    }
}

#[test]
fn no_color_turns_off_colours() {
    for (env, wanted) in
        [(&[][..], true), (&[("NO_COLOR", "1")], false), (&[("NO_COLOR", "")], true)]
    {
        let home = Home::new();
        let mut pty = Pty::new(&home, &["play", "--deal", "20010"], env);
        pty.sees("? help");
        pty.press("q");
        let raw = pty.ends(0);
        let coloured = raw.contains("\x1b[38;5;") || raw.contains(";5;1m");
        assert_eq!(coloured, wanted, "{env:?} {raw:?}");
        assert!(raw.contains("You played nothing, so nothing is kept."), "{raw:?}");
    }
}

#[test]
fn a_terminal_without_utf_8_gets_ascii_only() {
    for (args, env, wanted) in [
        (&[][..], &[("LANG", "C")][..], true),
        (&[], &[("LC_ALL", "de_DE.ISO-8859-1")], true),
        (&["--charset", "ascii"], &[], true),
        (&["--charset", "utf-8"], &[("LANG", "C")], false),
        (&[], &[], false),
        (&["--lines"], &[("LANG", "C")], true),
        (&["--lines"], &[], false),
    ] {
        let home = Home::new();
        let args = [&["play", "--deal", "20010", "--level", "perfect"], args].concat();
        let mut pty = Pty::new(&home, &args, env);
        if args.contains(&"--lines") {
            pty.sees_prompt();
            // The score sheet shows an ellipsis for the points of the running game.
            pty.press("score\r");
            pty.sees("total");
            pty.sees_prompt();
            pty.press("\x03");
        } else {
            pty.sees("? help");
            pty.press("-");
            pty.sees("Move 1: you lead");
            pty.press("q");
        }
        let code = if args.contains(&"--lines") { 130 } else { 0 };
        let raw = pty.ends(code);
        assert_eq!(raw.is_ascii(), wanted, "{args:?} {env:?} {raw:?}");
    }
}

#[test]
fn line_mode_edits_lines_and_draws_nothing() {
    let home = Home::new();
    for (args, term) in [
        (&["play", "--deal", "20010", "--lines"][..], "xterm-256color"),
        (&["play", "--deal", "20010"], "dumb"),
    ] {
        let mut pty = Pty::new(&home, args, &[("TERM", term)]);
        pty.sees("Foreplace a card, as in");
        pty.sees_prompt();
        if term == "dumb" {
            pty.press("hint\n");
        } else {
            // The test types an extra letter inside a word, and removes this letter with the arrow keys and Backspace.
            pty.press("hixnt\x1b[D\x1b[D\x7f\r");
        }
        pty.sees("Overmate would play ");
        pty.sees_prompt();
        pty.press("\x03");
        let raw = pty.ends(130);
        assert!(raw.contains("You played nothing, so nothing is kept."), "{raw:?}");
        assert!(!raw.contains("\x1b[?1049h"), "{raw:?}");
    }
}

#[test]
fn an_arena_shows_the_remaining_time_after_the_first_match() {
    let home = Home::new();
    let args = ["arena", "--players", "level:1,level:2", "--rules", "bga", "--seed", "5"];
    let pty = Pty::new(&home, &[&args[..], &["--matches", "1000", "--threads", "1"]].concat(), &[]);
    // The test reads the arena's whole output. On a busy machine, a test that reads only the screen could miss all but its final state.
    let raw = pty.ends(0);
    assert!(!raw.contains(" 0 of 1000 matches, "), "{raw:?}");
    assert!(raw.contains(" of 1000 matches, "), "{raw:?}");
    assert!(raw.contains(" left"), "{raw:?}");
    // The progress bar disappears when the arena is over.
    let (_, after) = raw.rsplit_once(" of 1000 matches").unwrap();
    assert!(after.contains("Arena of bga"), "{raw:?}");
}
