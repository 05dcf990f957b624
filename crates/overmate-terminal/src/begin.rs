//! Counts the actions in a match record that lead to the position from which the human began to play.

use overmate_rules::Record;

/// Key of the record header that holds the position from which the human began to play.
pub(crate) const POSITION: &str = "Position";

/// Returns the number of actions in the first game before the position that the record header `Position` gives, or 0
/// without this header. No player chose these actions, because Overmate generated them to reach the position.
pub(crate) fn actions_before_begin(record: &Record) -> usize {
    let game = &record.played_match().games()[0];
    let is_begin = |line: &str, keep: usize| game.after(keep).position().to_string() == line;
    let line = record.header(POSITION);
    line.and_then(|line| (0..=game.actions().len()).find(|keep| is_begin(line, *keep))).unwrap_or(0)
}
