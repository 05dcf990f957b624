//! Tests that a clock after the year 9999 makes neither a server nor a command panic.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use crate::serve::ServerProcess;
use crate::support::{Home, Ran, fake_time};

/// Open HTTP connection to a listener.
struct Kept(TcpStream);

impl Kept {
    fn to(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        Self(stream)
    }

    /// Sends a request, and returns the status line and the header `Date` of the answer.
    fn ask(&mut self, path: &str) -> (String, String) {
        write!(self.0, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut reader = BufReader::new(&mut self.0);
        let (mut status, mut date, mut length) = (String::new(), String::new(), 0);
        reader.read_line(&mut status).unwrap();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            let Some((name, value)) = line.trim().split_once(": ") else { break };
            match name {
                "date" => value.clone_into(&mut date),
                "content-length" => length = value.parse().unwrap(),
                _ => {}
            }
        }
        reader.read_exact(&mut vec![0; length]).unwrap();
        (status.trim().to_owned(), date)
    }
}

#[test]
fn a_running_server_whose_clock_jumps_after_9999_answers_on_both_listeners() {
    let home = Home::new();
    let clock = home.file("clock", "+0");
    let mut command = home.command([
        "serve",
        "--listen=localhost:0",
        "--data=server",
        "--no-limits",
        "--metrics=127.0.0.1:0",
    ]);
    command.env("LD_PRELOAD", fake_time()).env("FAKETIME_TIMESTAMP_FILE", &clock);
    command.env("FAKETIME_NO_CACHE", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    let mut server = ServerProcess::of(command);
    let metrics = server.more.next().unwrap().unwrap();
    let metrics = metrics.trim().split("//").nth(1).unwrap().split('/').next().unwrap().to_owned();
    let mut kept = [(Kept::to(&server.address), "/api/v1/rules"), (Kept::to(&metrics), "/metrics")];
    for (connection, path) in &mut kept {
        let (status, date) = connection.ask(path);
        assert_eq!(status, "HTTP/1.1 200 OK");
        assert!(date.contains(" 20") && date.ends_with(" GMT"), "{date}");
    }
    fs::write(&clock, "+8500y").unwrap();
    for (connection, path) in &mut kept {
        let (status, date) = connection.ask(path);
        assert_eq!(
            (status.as_str(), date.as_str()),
            ("HTTP/1.1 200 OK", "Thu, 30 Dec 9999 22:00:00 GMT")
        );
    }
    fs::write(&clock, "+0").unwrap();
    assert_eq!(Kept::to(&server.address).ask("/healthz").0, "HTTP/1.1 200 OK");
}

#[test]
fn the_puzzle_of_the_day_after_9999_is_that_of_the_last_day() {
    let home = Home::new();
    let mut command = home.command(["puzzle", "--rules", "bga", "--daily"]);
    command.env("LD_PRELOAD", fake_time()).env("FAKETIME", "+8500y");
    let ran = Ran::from(command.output().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.starts_with("Puzzle of 9999-12-30: "), "{ran:?}");
}
