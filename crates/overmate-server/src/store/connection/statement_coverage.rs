//! Lists the SQL statements of the store that the tests have not executed on PostgreSQL.

use std::collections::BTreeSet;
use std::fs;
use std::panic::Location;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Source positions of the SQL statements that the tests of this process have executed on PostgreSQL. A position consists of a file name
/// with its folder and a line number.
static EXECUTED: Mutex<BTreeSet<(String, u32)>> = Mutex::new(BTreeSet::new());

/// Subfolders of the folder `store` with the SQL statements that the statement-coverage test checks.
///
/// The files in the folder `store` itself are left out. Some of these files are tests. Other tests execute the statements of the
/// remaining files, such as `copy.rs`.
const FOLDERS: [&str; 3] = ["connection", "queries", "sql_store"];

/// Source files in [`FOLDERS`] that the statement-coverage test ignores.
///
/// In `connection_pool.rs`, `statement` is the name of a closure. The statements in `inspect.rs`, by which an operator examines a database,
/// are executed in other tests. This file contains no statements of the store.
const LEFT_OUT: [&str; 3] =
    ["connection/connection_pool.rs", "connection/inspect.rs", "connection/statement_coverage.rs"];

/// Source text by which the statement-coverage test finds the calls that create SQL statements.
const CALL: &str = "statement(";

/// Records the execution of an SQL statement of the store.
pub(crate) fn record(place: &Location<'_>) {
    if let Some((_, file)) = place.file().rsplit_once("/store/") {
        let executed = (file.to_owned(), place.line());
        EXECUTED.lock().unwrap_or_else(PoisonError::into_inner).insert(executed);
    }
}

/// Returns the source positions of the SQL statements that no test of this process has executed on PostgreSQL. A position consists
/// of a file name with its folder and a line number.
pub(crate) fn missing() -> Vec<String> {
    let store = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store");
    let executed = EXECUTED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut missing = Vec::new();
    let mut found = 0;
    for folder in FOLDERS {
        for entry in fs::read_dir(store.join(folder)).expect("a folder") {
            let path = entry.expect("a file").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
            let file = format!("{folder}/{name}");
            if LEFT_OUT.contains(&&*file) {
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
