//! Prints the error for a text that is not a record, with its causes, as the commands of `overmate` do.

use anyhow::Context as _;
use overmate_rules::Record;
use overmate_terminal::errors;

fn main() {
    let read = Record::read("[Rules \"chess\"]").context("the text is not the record of a match");
    if let Err(error) = read {
        errors::print_error(&error);
    }
}
