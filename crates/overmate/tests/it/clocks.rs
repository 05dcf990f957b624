//! Tests that no command panics at a wall-clock time outside the years 1970 to 9999.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use crate::serve::ServerProcess;
use crate::support::{Home, Ran, fake_time, shift_clock};

#[test]
fn the_puzzle_of_the_day_after_9999_is_that_of_the_last_day() {
    let home = Home::new();
    let mut command = home.command(["puzzle", "--rules", "bga", "--daily"]);
    shift_clock(&mut command, "+8500y");
    let ran = Ran::from(command.output().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.starts_with("Puzzle of 9999-12-30: "), "{ran:?}");
}

#[test]
fn a_clock_that_leaves_the_years_1970_to_9999_closes_connections_until_the_clock_is_set() {
    let home = Home::new();
    let shift_by = |by: &str| {
        // The test stores the new shift of the server's clock by renaming a complete file, so that the server never reads an incomplete
        // file.
        let next = home.file("next-shift", by);
        std::fs::rename(next, home.path("shift")).unwrap();
    };
    shift_by("+0");
    let args = "serve --listen localhost:0 --data server --no-limits --metrics localhost:0";
    let mut command = home.command(args.split(' '));
    command.env("LD_PRELOAD", fake_time()).env("FAKETIME_TIMESTAMP_FILE", home.path("shift"));
    command.env("FAKETIME_NO_CACHE", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut address = || {
        let line = lines.next().expect("the server starts").unwrap();
        line.trim_end_matches("/metrics").strip_prefix("http://").unwrap().to_owned()
    };
    let (address, metrics) = (address(), address());
    let mut served = ServerProcess { child, address: address.clone() };
    let listeners = [(address, "/healthz"), (metrics, "/metrics")];
    let mut closed = 0;
    for fault in ["+8500y", "-60y"] {
        let mut open = listeners.clone().map(|(address, path)| {
            let mut stream = TcpStream::connect(&address).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
            ask(&mut stream, path);
            assert_eq!(answer(&stream).as_deref(), Some("HTTP/1.1 200 OK"), "{fault} {address}");
            (stream, path)
        });
        shift_by(fault);
        for (stream, path) in &mut open {
            // The test repeats its HTTP request, because a thread of the server may not notice the changed clock at once.
            let ends = (0..50).any(|_| {
                ask(stream, path);
                let ends = answer(stream).is_none();
                std::thread::sleep(Duration::from_millis(if ends { 0 } else { 20 }));
                ends
            });
            assert!(ends, "{fault} {path}: the connection stays open");
            closed += 1;
        }
        shift_by("+0");
    }
    assert_eq!(closed, 4);
    served.signal("-TERM");
    assert_eq!(served.child.wait().unwrap().code(), Some(0));
    let mut log = String::new();
    served.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(!log.contains("panicked"), "{log}");
    assert!(log.contains("after 9999") && log.contains("before 1970"), "{log}");
}

/// Sends a request on a persistent HTTP connection. An error is ignored, because the server may have
/// closed the connection.
fn ask(stream: &mut TcpStream, path: &str) {
    let host = stream.peer_addr().unwrap();
    let _ = write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", host.port());
}

/// Reads an HTTP response with a `Content-Length` header, and returns the status line. The result is `None` if the
/// server has closed the connection.
fn answer(stream: &TcpStream) -> Option<String> {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        match reader.read_line(&mut line) {
            Ok(0) | Err(_) => return None,
            Ok(_) if line == "\r\n" => break,
            Ok(_) => head.push(line.trim_end().to_owned()),
        }
    }
    let length = head.iter().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    reader.read_exact(&mut vec![0; length.parse().unwrap()]).unwrap();
    Some(head.swap_remove(0))
}
