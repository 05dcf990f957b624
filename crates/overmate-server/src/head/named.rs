//! Writes the link previews of individual lessons, puzzles, arenas, Swiss events and players.

use super::html::Preview;
use super::language::Language;
use super::texts::{about_page, isolated};
use crate::store::{Event, EventKind};

/// Embedded table (tab-separated values) of the lesson ids, each with the name of the lesson in English and German. The first line is a
/// heading.
const LESSONS: &str = include_str!("../../data/lesson-titles.tsv");

/// Returns the link preview of a lesson. For an id without a name, returns the link preview of the list of lessons.
pub(crate) fn about_lesson(id: &str, language: Language) -> Preview {
    let all = about_page("learn", language);
    let names = LESSONS.lines().skip(1).find_map(|line| {
        let (own, names) = line.split_once('\t')?;
        (own == id).then(|| names.split_once('\t')).flatten()
    });
    let Some((english, german)) = names else { return all };
    let (name, description) = match language {
        Language::English => {
            (english, "A short lesson on the card game Mate, with positions to play.")
        }
        Language::German => {
            (german, "Eine kurze Lektion zum Kartenspiel Mate, mit Stellungen zum Spielen.")
        }
    };
    Preview { title: titled(name), description: description.to_owned(), ..all }
}

/// Returns the link preview of a puzzle. The preview holds only the id and the rules, because themes and cards would tell a part
/// of the solution.
pub(crate) fn about_puzzle(id: &str, rules: &str, language: Language) -> Preview {
    let rules = overmate_json::title(rules);
    let (name, description) = match language {
        Language::English => (
            format!("Puzzle {id}"),
            format!("A puzzle of the card game Mate with a proved solution, rules: {rules}."),
        ),
        Language::German => (
            format!("Aufgabe {id}"),
            format!("Eine Aufgabe zum Kartenspiel Mate mit bewiesener Lösung, Regeln: {rules}."),
        ),
    };
    Preview { title: titled(&name), description, ..about_page("puzzles", language) }
}

/// Returns the link preview of an arena or Swiss event. The title of the preview is the event's title or, without one, the event's kind
/// and length. The preview names no deal, because the deals of the event are secret until its end.
pub(crate) fn about_event(event: &Event, language: Language) -> Preview {
    let rules = overmate_json::title(&event.rules);
    let kind = match (language, event.kind) {
        (Language::English, EventKind::Arena { minutes }) => format!("Arena of {minutes} minutes"),
        (Language::English, EventKind::Swiss { rounds: 1 }) => {
            "Swiss event of one round".to_owned()
        }
        (Language::English, EventKind::Swiss { rounds }) => {
            format!("Swiss event of {rounds} rounds")
        }
        (Language::German, EventKind::Arena { minutes }) => format!("Arena von {minutes} Minuten"),
        (Language::German, EventKind::Swiss { rounds: 1 }) => {
            "Schweizer System, eine Runde".to_owned()
        }
        (Language::German, EventKind::Swiss { rounds }) => {
            format!("Schweizer System, {rounds} Runden")
        }
    };
    let description = match language {
        Language::English => {
            format!("{kind}, rules: {rules}. Everybody plays the same deals of the card game Mate.")
        }
        Language::German => format!(
            "{kind}, Regeln: {rules}. Alle spielen dieselben Verteilungen des Kartenspiels Mate."
        ),
    };
    let name = event.title.as_deref().map_or(kind, isolated);
    Preview { title: titled(&name), description, ..about_page("events", language) }
}

/// Returns the link preview of a public player profile.
pub(crate) fn about_player(handle: &str, language: Language) -> Preview {
    let description = match language {
        Language::English => "A player of the card game Mate: ratings and latest matches.",
        Language::German => {
            "Wertungen und letzte Partien einer Person, die das Kartenspiel Mate spielt."
        }
    };
    let description = description.to_owned();
    Preview { title: titled(&isolated(handle)), description, ..about_page("players", language) }
}

fn titled(name: &str) -> String {
    format!("{name} · Overmate")
}
