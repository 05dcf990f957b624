//! Tests that a panic of any thread restores the terminal before the panic message is printed.

use std::env;
use std::io::Read as _;
use std::thread;

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::screen::terminal::{Screen, TerminalGuard};

/// Name of the environment variable that tells the child process which thread is to panic.
const WHO: &str = "OVERMATE_TEST_PANICS";

/// Opens the full-screen display, and causes a panic on the thread that `who` names.
fn panic_as_asked(who: &str) {
    let mut screen = Screen::open(&TerminalGuard::default()).unwrap();
    screen.draw(|frame| frame.render_widget("TABLE", frame.area())).unwrap();
    if who == "drawing" {
        screen.draw(|_| panic!("as asked")).unwrap();
    }
    let other = thread::Builder::new().name("opponent".to_owned());
    let thought = other.spawn(|| panic!("as asked")).unwrap();
    assert!(thought.join().is_err());
    // The text drawn after a thread's panic must not appear, because the panic has already restored the terminal.
    screen.draw(|frame| frame.render_widget("AGAIN", frame.area())).unwrap();
}

#[test]
fn a_panic_restores_the_terminal() {
    const NAME: &str = "screen::tests::panics::a_panic_restores_the_terminal";
    if let Ok(who) = env::var(WHO) {
        return panic_as_asked(&who);
    }
    for (who, code) in [("drawing", 101), ("opponent", 0)] {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let flags = || format!("{:?}", pair.master.get_termios().map(|modes| modes.local_flags));
        let before = flags();
        assert!(before.contains("ICANON") && before.contains("ECHO"), "{before}");
        let mut command = CommandBuilder::new(env::current_exe().unwrap());
        command.args(["--exact", NAME, "--nocapture", "--test-threads=1"]);
        command.env(WHO, who);
        command.env("TERM", "xterm-256color");
        let mut reader = pair.master.try_clone_reader().unwrap();
        let mut child = pair.slave.spawn_command(command).unwrap();
        let reading = thread::spawn(move || {
            let (mut printed, mut bytes) = (Vec::new(), [0; 4096]);
            // The test reads the output of its child process up to the last lines of the child's test report.
            while !printed.windows(12).any(|text| text == b"test result:") {
                match reader.read(&mut bytes) {
                    Ok(count @ 1..) => printed.extend(&bytes[..count]),
                    _ => break,
                }
            }
            printed
        });
        let status = child.wait().unwrap();
        let printed = reading.join().unwrap();
        let text = String::from_utf8_lossy(&printed).into_owned();
        assert_eq!(status.exit_code(), code, "{text:?}");

        // The child process of the test switched to the alternate screen and drew the text `TABLE` before its panic.
        assert!(text.contains("\x1b[?1049h") && text.contains("TABLE"), "{text:?}");
        // The child process restored the terminal before it printed the panic message, and drew nothing afterwards.
        let (_, after) = text.split_once("\x1b[?1049l").expect("the old screen comes back");
        assert!(after.contains("panicked at") && after.contains("as asked"), "{text:?}");
        assert!(!text.contains("AGAIN"), "{text:?}");
        let mut screen = vt100::Parser::default();
        screen.process(&printed);
        let screen = screen.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor(), "{text:?}");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "{text:?}");
        assert_eq!(flags(), before);
    }
}
