//! Fuzzes the parser of match records. Each parsed record must stay equal after it is written and parsed again.

use overmate_rules::Record;

use crate::input::text;

/// Runs the fuzz target `record` on one input.
///
/// # Panics
///
/// Panics if the target finds a fault.
pub fn run(data: &[u8]) {
    let data = text(data);
    match Record::read(data) {
        Ok(record) => {
            let written = record.to_string();
            let again = Record::read(&written).expect("written text can be read");
            assert_eq!(again, record, "{written}");
            assert_eq!(again.to_string(), written);
            let cut = written.trim_end().len() - 1;
            assert!(
                Record::read(&written[..cut]).is_err(),
                "the reader accepts a truncated record: {written}"
            );
        }
        Err(error) => {
            let text = data.strip_prefix('\u{feff}').unwrap_or(data);
            let line = text
                .split('\n')
                .nth(error.place.line - 1)
                .expect("the error names an existing line");
            assert!(error.place.column <= line.chars().count() + 1, "{error}");
        }
    }
}
