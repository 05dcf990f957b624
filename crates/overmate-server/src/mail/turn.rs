//! Writes the texts of e-mails that remind players of their turns, in English and German.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::text::MailText;
use crate::names::shown;
use crate::store::PushLanguage;

/// Names of the months, in English and German.
const MONTHS: [[&str; 2]; 12] = [
    ["January", "Januar"],
    ["February", "Februar"],
    ["March", "März"],
    ["April", "April"],
    ["May", "Mai"],
    ["June", "Juni"],
    ["July", "Juli"],
    ["August", "August"],
    ["September", "September"],
    ["October", "Oktober"],
    ["November", "November"],
    ["December", "Dezember"],
];

/// Data for an e-mail that reminds a player of their turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnFacts<'a> {
    /// Handle of the account that gets the e-mail.
    pub(crate) handle: &'a str,
    /// Public address of this server, without a slash at the end.
    pub(crate) origin: &'a str,
    /// Id of the match in which it is the player's turn.
    pub(crate) id: &'a str,
    pub(crate) opponent: Option<&'a str>,
    /// Unix time, in seconds, at which the player loses the match if they do not act; `None` while the player's clock does not run.
    pub(crate) deadline: Option<i64>,
    /// Current time in seconds since 1970.
    pub(crate) now: i64,
}

/// Returns the subject and the body of an e-mail that reminds a player of their turn. The token is part of the URL that switches such
/// e-mails off. The token cannot stand after a sign `#`, because mail programs send requests to this URL, and requests do not contain the
/// part after the sign.
pub(crate) fn turn_text(language: PushLanguage, facts: TurnFacts<'_>, token: &str) -> MailText {
    let TurnFacts { handle, origin, id, deadline, now, .. } = facts;
    let opponent = facts.opponent.and_then(plain);
    let left = deadline.map(|deadline| deadline_says(language, deadline, now));
    let left = left.map_or_else(String::new, |says| format!("{says}\n\n"));
    let stop = format!("{origin}/unsubscribe/{token}");
    let (subject, body) = match language {
        PushLanguage::English => {
            let against = opponent.map_or_else(String::new, |name| format!(" against {name}"));
            (
                "Overmate: it is your turn",
                format!(
                    "It is your turn in your match{against}:\n\n{origin}/match/{id}\n\n{left}The server sends such an e-mail because it is switched on for the account {handle}. Open this page and press its button to get no more of them:\n\n{stop}\n"
                ),
            )
        }
        PushLanguage::German => {
            let against = opponent.map_or_else(String::new, |name| format!(" gegen {name}"));
            (
                "Overmate: du bist am Zug",
                format!(
                    "Du bist am Zug in deiner Partie{against}:\n\n{origin}/match/{id}\n\n{left}Der Server schickt eine solche E-Mail, weil sie für das Konto {handle} eingeschaltet ist. Öffne diese Seite und drücke ihren Knopf, um keine mehr zu bekommen:\n\n{stop}\n"
                ),
            )
        }
    };
    MailText { subject, body, unsubscribe: Some(stop) }
}

/// Returns the name of an opponent for an e-mail, or `None` for a name that mail programs could show as a link. The opponent
/// chooses the name, and must not be able to put a link into the e-mail.
fn plain(name: &str) -> Option<String> {
    let name = shown(name)?;
    let is_of_link = |c: char| "./:@\\\u{3002}\u{ff0e}\u{ff61}\u{ff0f}\u{ff1a}\u{ff20}".contains(c);
    (!name.contains(is_of_link)).then_some(name)
}

/// Returns the sentence about the remaining time for an action, as part of an e-mail.
fn deadline_says(language: PushLanguage, deadline: i64, now: i64) -> String {
    let left = time_left(language, deadline.saturating_sub(now));
    let time =
        Timestamp::from_second(deadline).unwrap_or_default().to_zoned_datetime(TimeZone::UTC);
    let (day, year) = (time.day(), time.year());
    let (hour, minute) = (time.hour(), time.minute());
    let names = MONTHS.get(usize::from(time.month().unsigned_abs()).saturating_sub(1));
    let [english, german] = names.copied().unwrap_or_default();
    match language {
        PushLanguage::English => format!(
            "You have {left} left for your action, until {day} {english} {year} at {hour:02}:{minute:02} UTC."
        ),
        PushLanguage::German => format!(
            "Du hast für deine Aktion noch {left} Zeit, bis zum {day}. {german} {year} um {hour:02}:{minute:02} UTC."
        ),
    }
}

/// Formats a duration in words: as days and hours, as hours, or as minutes, rounded down.
fn time_left(language: PushLanguage, seconds: i64) -> String {
    let minutes = seconds.max(0) / 60;
    let (days, hours) = (minutes / (24 * 60), minutes / 60 % 24);
    let is_german = language == PushLanguage::German;
    let counted = |number: i64, [one, many]: [&str; 2]| {
        format!("{number} {}", if number == 1 { one } else { many })
    };
    let of_days = counted(days, if is_german { ["Tag", "Tage"] } else { ["day", "days"] });
    let of_hours =
        counted(hours, if is_german { ["Stunde", "Stunden"] } else { ["hour", "hours"] });
    match (days, hours) {
        (0, 0) => {
            counted(minutes, if is_german { ["Minute", "Minuten"] } else { ["minute", "minutes"] })
        }
        (0, _) => of_hours,
        (_, 0) => of_days,
        (_, _) => format!("{of_days} {} {of_hours}", if is_german { "und" } else { "and" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: TurnFacts<'_> = TurnFacts {
        handle: "Anna",
        origin: "https://mate.example",
        id: "1234",
        opponent: Some("Björn"),
        deadline: Some(1_700_000_000),
        now: 1_700_000_000 - 2 * 86_400 - 3 * 3_600 - 59,
    };

    #[test]
    fn the_deadline_is_told_in_words() {
        let english = turn_text(PushLanguage::English, FACTS, "token").body;
        // The date in the expected mail text was computed from the deadline, with the command `date -u -d @1700000000`.
        let until = "You have 2 days and 3 hours left for your action, until 14 November 2023 at 22:13 UTC.";
        assert!(english.contains(until), "{english}");
        let german = turn_text(PushLanguage::German, FACTS, "token").body;
        let until = "Du hast für deine Aktion noch 2 Tage und 3 Stunden Zeit, bis zum 14. November 2023 um 22:13 UTC.";
        assert!(german.contains(until), "{german}");
        let without = turn_text(PushLanguage::English, TurnFacts { deadline: None, ..FACTS }, "t");
        assert!(!without.body.contains("UTC"), "{}", without.body);
        let mut told = 0;
        for (seconds, english, german) in [
            (-5, "0 minutes", "0 Minuten"),
            (119, "1 minute", "1 Minute"),
            (3_599, "59 minutes", "59 Minuten"),
            (3_600, "1 hour", "1 Stunde"),
            (86_399, "23 hours", "23 Stunden"),
            (86_400, "1 day", "1 Tag"),
            (90_000, "1 day and 1 hour", "1 Tag und 1 Stunde"),
            (7 * 86_400, "7 days", "7 Tage"),
        ] {
            assert_eq!(time_left(PushLanguage::English, seconds), english);
            assert_eq!(time_left(PushLanguage::German, seconds), german);
            told += 1;
        }
        assert_eq!(told, 8);
    }

    #[test]
    fn no_name_becomes_a_line_or_a_link() {
        let told = |opponent| {
            let facts = TurnFacts { opponent: Some(opponent), ..FACTS };
            turn_text(PushLanguage::English, facts, "token").body
        };
        assert!(told("Björn").starts_with("It is your turn in your match against Björn:\n"));
        assert!(told("Dr X\r\nBcc: b").starts_with("It is your turn in your match:\n"));
        assert!(told("B\nc\u{202e}d").starts_with("It is your turn in your match against B cd:\n"));
        let mut refused = 0;
        for name in ["evil.example", "http://evil", "a@b", "//evil", "evil\u{ff0e}example", ""] {
            assert!(told(name).starts_with("It is your turn in your match:\n"), "{name}");
            refused += 1;
        }
        assert_eq!(refused, 6);
    }
}
