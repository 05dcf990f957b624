//! Lists the SQL statements of the store that the tests have not executed on PostgreSQL.

use std::collections::BTreeSet;
use std::fs;
use std::panic::Location;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Source positions of the SQL statements that the tests of this process have executed on PostgreSQL, as file names and line
/// numbers.
static EXECUTED: Mutex<BTreeSet<(String, u32)>> = Mutex::new(BTreeSet::new());

/// Source files whose SQL statements the test of the statement coverage ignores.
///
/// The connection pool gives the name `statement` to a closure. Other tests execute the statements of operators' commands, such
/// as the archive and the copy of a database. The remaining files are tests.
const LEFT_OUT: [&str; 8] = [
    "connection_pool.rs",
    "copy.rs",
    "earlier_schemas.rs",
    "finished.rs",
    "folding.rs",
    "inspect.rs",
    "statement_coverage.rs",
    "tables.rs",
];

/// Source text by which the test of the statement coverage finds the calls that create SQL statements.
const CALL: &str = "statement(";

/// Records the execution of an SQL statement of the store. Statements of the conformance tests are ignored, because they are in a
/// subfolder.
pub(super) fn record(place: &Location<'_>) {
    let path = Path::new(place.file());
    if !path.parent().is_some_and(|folder| folder.ends_with("store")) {
        return;
    }
    let file = path.file_name().and_then(|name| name.to_str()).expect("a file name").to_owned();
    EXECUTED.lock().unwrap_or_else(PoisonError::into_inner).insert((file, place.line()));
}

/// Returns the source positions of the SQL statements that no test of this process has executed on PostgreSQL. A position consists
/// of a file name and a line number.
pub(super) fn missing() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store");
    let executed = EXECUTED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut missing = Vec::new();
    let mut found = 0;
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        let file = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        if path.is_dir() || LEFT_OUT.contains(&&*file) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a text");
        for line in lines_of_statements(&text) {
            found += 1;
            if !executed.contains(&(file.clone(), line)) {
                missing.push(format!("{file}:{line}"));
            }
        }
    }
    assert!(found > 300, "{found} statements");
    missing.sort();
    missing
}

/// Returns the line numbers, from 1, at which a source file creates SQL statements. The tests at the end of the file are left out.
fn lines_of_statements(text: &str) -> Vec<u32> {
    let code = text.lines().take_while(|line| *line != "mod tests {");
    let is_statement = |line: &str| {
        let starts = line.match_indices(CALL).map(|(at, _)| &line[..at]);
        let is_call =
            |before: &str| !before.ends_with(|last: char| last.is_alphanumeric() || last == '_');
        !line.trim_start().starts_with("//")
            && starts.into_iter().any(|before| is_call(before) && !before.ends_with("fn "))
    };
    (1..).zip(code).filter(|(_, line)| is_statement(line)).map(|(number, _)| number).collect()
}

#[test]
fn statements_are_found_in_source_files() {
    let text = "fn statement() {}\nlet a = statement(\"A\");\n// statement(\n  statement(sql!(\nmod tests {\nstatement(\"B\")\n";
    assert_eq!(lines_of_statements(text), [2, 4]);
}
