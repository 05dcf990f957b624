//! Tests in a pseudo-terminal that the line editor does not change a terminal that the signal handler has restored.

use std::env;
use std::io::Read as _;
use std::thread;

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use super::input::{Input, SavedTerminal, TerminalRestored};

/// Name of the environment variable that tells a process of this test that it is the child process in the pseudo-terminal.
const IN_CHILD: &str = "OVERMATE_TEST_RESTORED";

/// Escape sequence that turns bracketed paste on.
const PASTE_ON: &str = "\x1b[?2004h";

/// Tests that the line editor reads a line before the terminal modes are restored, and refuses to read a line afterwards.
fn read_before_and_after() {
    let terminal = SavedTerminal::now();
    let mut input = Input::new(&terminal).expect("the child has a terminal");
    let typed = input.line("before> ").expect("the line is read");
    assert_eq!(typed, Some(Ok("Tc".to_owned())));
    terminal.restore_for_good();
    println!("RESTORED");
    let refused = input.line("after> ").expect_err("the terminal is restored");
    assert!(refused.is::<TerminalRestored>());
}

#[test]
fn no_line_is_edited_after_the_terminal_was_restored() {
    const NAME: &str = "line_mode::tests::no_line_is_edited_after_the_terminal_was_restored";
    if env::var_os(IN_CHILD).is_some() {
        return read_before_and_after();
    }
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let flags = || format!("{:?}", pair.master.get_termios().map(|modes| modes.local_flags));
    let before = flags();
    let mut command = CommandBuilder::new(env::current_exe().unwrap());
    command.args(["--exact", NAME, "--nocapture", "--test-threads=1"]);
    command.env(IN_CHILD, "1");
    command.env("TERM", "xterm-256color");
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut keys = pair.master.take_writer().unwrap();
    let mut child = pair.slave.spawn_command(command).unwrap();
    let reading = thread::spawn(move || {
        let (mut printed, mut bytes) = (Vec::new(), [0; 4096]);
        let has = |printed: &[u8], text: &str| {
            printed.windows(text.len()).any(|part| part == text.as_bytes())
        };
        let mut is_typed = false;
        // The test reads the output of its child process until the output contains the text `test result:`.
        while !has(&printed, "test result:") {
            match reader.read(&mut bytes) {
                Ok(count @ 1..) => printed.extend(&bytes[..count]),
                _ => break,
            }
            if !is_typed && has(&printed, "before> ") {
                keys.write_all(b"Tc\r").unwrap();
                is_typed = true;
            }
        }
        String::from_utf8_lossy(&printed).into_owned()
    });
    let status = child.wait().unwrap();
    let text = reading.join().unwrap();
    assert_eq!(status.exit_code(), 0, "{text:?}");
    let (edited, after) = text.split_once("RESTORED").expect("the terminal is restored");
    assert!(edited.contains(PASTE_ON), "{text:?}");
    assert!(!after.contains(PASTE_ON) && !after.contains("after> "), "{text:?}");
    assert_eq!(flags(), before);
}
