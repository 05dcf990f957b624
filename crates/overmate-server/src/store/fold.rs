//! Folds the log of a finished match into one row, and reads such a row.
//!
//! The row stands in the table `log` under the sequence number of the last folded entry, with the kind [`KIND`]. So the last sequence number, the time
//! of the last entry, and the removal of a match need no second query. Later entries follow as rows of their own.
//!
//! Each entry is one line: the player, the seconds since the entry before it (of the first entry, since 1970), the kind, and the detail if the kind has one.
//! The ids of requests are not kept.

use std::fmt::Write as _;

use super::fault::unreadable;
use super::types::{Entry, EntryKind, StoreError};
use overmate_rules::Player;

/// Kind of a row that holds a folded log.
pub(super) const KIND: &str = "fold";

/// Row of the table `log` with the columns that a folded log keeps.
#[derive(Debug)]
pub(super) struct LogRow {
    pub(super) player: String,
    pub(super) kind: String,
    pub(super) detail: Option<String>,
    pub(super) at: i64,
}

/// Returns the text of a folded log, or `None` if a row does not fit into a line.
pub(super) fn encode(rows: &[LogRow]) -> Option<String> {
    let mut text = String::new();
    let mut before = 0;
    for LogRow { player, kind, detail, at } in rows {
        if kind == KIND || detail.as_ref().is_some_and(|detail| detail.contains('\n')) {
            return None;
        }
        write!(text, "{player} {} {kind}", at.checked_sub(before)?).ok()?;
        if let Some(detail) = detail {
            write!(text, " {detail}").ok()?;
        }
        text.push('\n');
        before = *at;
    }
    Some(text)
}

/// Returns the entries of a folded log whose last entry has a sequence number.
pub(super) fn decode(text: &str, last: u64) -> Result<Vec<Entry>, StoreError> {
    let damaged = || unreadable("a folded log");
    let mut at = 0_i64;
    let mut entries = Vec::new();
    for (sequence, line) in (1..).zip(text.lines()) {
        let mut words = line.splitn(4, ' ');
        let mut word = || words.next().ok_or_else(damaged);
        let player = match word()? {
            "a" => Player::A,
            "b" => Player::B,
            _ => return Err(damaged()),
        };
        let seconds: i64 = word()?.parse().map_err(|_| damaged())?;
        at = at.checked_add(seconds).ok_or_else(damaged)?;
        let kind = word()?;
        let detail = words.next().map(str::to_owned);
        let kind = EntryKind::of_texts(kind, detail).ok_or_else(damaged)?;
        entries.push(Entry { sequence, player, kind, client_id: String::new(), at });
    }
    if entries.len() as u64 == last { Ok(entries) } else { Err(damaged()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(player: &str, kind: &str, detail: Option<&str>, at: i64) -> LogRow {
        let [player, kind] = [player, kind].map(str::to_owned);
        LogRow { player, kind, detail: detail.map(str::to_owned), at }
    }

    #[test]
    fn a_folded_log_has_a_line_for_each_entry() {
        let rows = [
            row("a", "act", Some("(Tc)"), 1_000),
            row("b", "act", Some("-"), 1_007),
            row("b", "hint", None, 1_005),
        ];
        let text = encode(&rows).expect("a text");
        assert_eq!(text, "a 1000 act (Tc)\nb 7 act -\nb -2 hint\n");
        let entries = decode(&text, 3).expect("a log");
        let act = EntryKind::Act("-".to_owned());
        let expected = Entry {
            sequence: 2,
            player: Player::B,
            kind: act,
            client_id: String::new(),
            at: 1_007,
        };
        assert_eq!((entries.len(), &entries[1]), (3, &expected));
        assert_eq!((entries[2].kind.clone(), entries[2].at), (EntryKind::Hint, 1_005));
    }

    #[test]
    fn a_damaged_folded_log_is_refused() {
        let whole = "a 1000 act Tc\nb 7 resign\n";
        assert!(decode(whole, 2).is_ok());
        let damaged = [
            "a 1000 act Tc\n",
            "",
            "c 1000 act Tc\nb 7 resign\n",
            "a x act Tc\nb 7 resign\n",
            "a 1 act Tc\nb 7\n",
            "a 1 act Tc\nb 7 fold\n",
        ];
        for text in damaged {
            assert!(decode(text, 2).is_err(), "{text}");
        }
        assert!(encode(&[row("a", "act", Some("T\nc"), 0)]).is_none());
        assert!(encode(&[row("a", KIND, Some(""), 0)]).is_none());
    }
}
