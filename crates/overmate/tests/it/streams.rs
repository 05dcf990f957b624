//! Tests the standard streams of the binary with broken pipes, colours and full disks.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use serde_json::json;

use crate::serve::{HttpClient, ServerProcess};
use crate::support::Home;

#[test]
fn a_closed_pipe_ends_the_program_silently() {
    let home = Home::new();
    let endless: [&[&str]; 3] = [
        &["deal", "--json", "0..184756"],
        &["deal", "0..184756"],
        &["deal", "--random", "--count", "18446744073709551615"],
    ];
    for args in endless {
        let mut child = home.command(args).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        // The test closes its end of the pipe of the standard output after the first line.
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn generated_texts_end_silently_at_a_closed_pipe() {
    let home = Home::new();
    for args in [&["--help"][..], &["completions", "bash"], &["man"], &["rules"], &["solve", "-h"]]
    {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let child = home.command(args).stdout(writer).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let home = Home::new();
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for args in [&["deal", "0"][..], &["rules"], &["--help"], &["man"]] {
        let child = home.command(args).stdout(full()).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {stderr}");
        assert!(stderr.contains("cannot write the results"), "{stderr}");
    }
    // An error that cannot be printed does not change the exit code.
    let mut command = home.command(["deal", "x"]);
    assert_eq!(command.stderr(full()).status().unwrap().code(), Some(1));
    let mut command = home.command(["solve"]);
    assert_eq!(command.stderr(full()).status().unwrap().code(), Some(2));
}

/// Tests that a server answers requests although its standard error is on a full disk, or its standard output is a
/// closed pipe.
#[cfg(target_os = "linux")]
#[test]
fn a_server_runs_on_without_its_standard_streams() {
    let home = Home::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let args = ["serve", "--listen", "localhost:0", "--data", "server", "--no-limits"];
    let mut command = home.command(args);
    command.stderr(full);
    let mut server = ServerProcess::of(command);
    let mut client = HttpClient::default();
    let body = json!({ "rules": "bga", "opponent": { "kind": "both" }, "lead": "me" });
    let (status, _) = client.send(&server.address, "POST", "/api/v1/matches", &body).unwrap();
    assert_eq!(status, 201);
    // The server writes a line into its log before it answers the request for the deletion of a person's data.
    let (status, _) = client.send(&server.address, "DELETE", "/api/v1/me", &json!({})).unwrap();
    assert_eq!(status, 204);
    server.signal("-TERM");
    assert_eq!(server.child.wait().unwrap().code(), Some(0));

    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut child = home.command(args).stdout(writer).spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("the standard output is closed: the server listens at http://") {
        line.clear();
        assert!(log.read_line(&mut line).unwrap() > 0, "the server has ended");
    }
    let address = line.trim().rsplit_once('/').unwrap().1.to_owned();
    let (status, _) = client.send(&address, "GET", "/api/v1/rules", &json!({})).unwrap();
    assert_eq!(status, 200);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn the_doctor_reports_a_fault_also_at_a_closed_pipe() {
    let home = Home::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let child = home.command(["doctor", "--data", "missing"]).stdout(writer).spawn().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn colour_is_used_only_in_a_terminal() {
    let home = Home::new();
    for args in [&["rules"][..], &["deal", "0"], &["--help"], &["deal", "x"], &["solve"]] {
        let ran = home.run(args);
        assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'), "{args:?}");
        let forced = home.command(args).env("CLICOLOR_FORCE", "1").output().unwrap();
        let printed = [forced.stdout, forced.stderr].concat();
        assert!(printed.contains(&0x1b), "{args:?}");
        let plain = anstream::adapter::strip_bytes(&printed).into_vec();
        assert_eq!(String::from_utf8(plain).unwrap(), ran.stdout + &ran.stderr);
    }
}

#[test]
fn the_standard_output_holds_results_only() {
    let home = Home::new();
    let mut command = home.command(["deal", "x"]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.stdout.is_empty());
    assert!(!output.stderr.is_empty());
}
