//! Prints the error for an invalid match record, with the causes of the error, in the format of the `overmate` commands.

use anyhow::Context as _;
use overmate_rules::Record;
use overmate_terminal::errors;

fn main() {
    let read = Record::read("[Rules \"chess\"]").context("the text is not the record of a match");
    if let Err(error) = read {
        errors::print_error(&error);
    }
}
