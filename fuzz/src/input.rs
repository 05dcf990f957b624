//! Converts the bytes of a fuzz input to the text and the rule set that a fuzz target reads.

use overmate_rules::RuleSet;

/// Returns the longest valid UTF-8 text at the beginning of a fuzz input.
pub(crate) fn text(data: &[u8]) -> &str {
    str::from_utf8(data).unwrap_or_else(|error| {
        str::from_utf8(&data[..error.valid_up_to()]).expect("the text up to the fault is valid")
    })
}

/// Returns the rule set that the first character of a fuzz input selects from `names`, and the text after that
/// character. Returns `None` for an input without text.
pub(crate) fn rules_and_text<'a>(data: &'a [u8], names: &[&str]) -> Option<(RuleSet, &'a str)> {
    let mut letters = text(data).chars();
    let choice = letters.next()?;
    let name = names[choice as usize % names.len()];
    Some((RuleSet::named(name).expect("a name of the catalogue"), letters.as_str()))
}
