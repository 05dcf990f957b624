//! Holds the titles and descriptions of the web client's pages for link previews, in English and German.

use overmate_rules::Dealt;

use super::html::Preview;
use super::language::Language;

/// Title and description of a page for the link preview, in English and German.
struct PageTexts {
    /// First segment of the page's URL path.
    path: &'static str,
    english: [&'static str; 2],
    german: [&'static str; 2],
    /// Whether search engines may list the page.
    listed: bool,
}

/// URL path of the default picture, for link previews without a deal.
const PICTURE: &str = "/picture.png";

/// Title and description of the start page, and of every page without a title and description of its own.
const START: PageTexts = PageTexts {
    path: "",
    english: [
        "Overmate · The card game for two, without luck",
        "Mate, the card game for two without luck: play the computer or a friend, and see where the points went.",
    ],
    german: [
        "Overmate · Das Kartenspiel für zwei, ohne Glück",
        "Mate, das Kartenspiel für zwei ohne Glück: Spiele gegen den Computer oder einen Freund, und sieh, wo die Punkte blieben.",
    ],
    listed: true,
};

/// Title and description of the page on which spectators watch a match.
const WATCHED: PageTexts = PageTexts {
    path: "watch",
    english: [
        "Watch a match of Mate · Overmate",
        "Watch a match of the card game for two, without luck.",
    ],
    german: [
        "Einer Partie Mate zusehen · Overmate",
        "Sieh einer Partie des Kartenspiels für zwei zu, ohne Glück.",
    ],
    listed: false,
};

/// Title and description of the page with the review of a game.
const REVIEWED: PageTexts = PageTexts {
    path: "match",
    english: [
        "Where the points went · Overmate",
        "The review of a game of Mate: the points that each action lost.",
    ],
    german: [
        "Wo die Punkte blieben · Overmate",
        "Die Durchsicht eines Spiels Mate: die Punkte, die jede Aktion verlor.",
    ],
    listed: false,
};

const PAGES: [PageTexts; 19] = [
    PageTexts {
        path: "analysis",
        english: ["Analysis · Overmate", "The exact value of every card in any deal of Mate."],
        german: ["Analyse · Overmate", "Der genaue Wert jeder Karte in jeder Verteilung von Mate."],
        listed: true,
    },
    PageTexts {
        path: "daily",
        english: [
            "Deal of the day · Overmate",
            "The deal of Mate that everybody plays today, and that of the week, with all results.",
        ],
        german: [
            "Verteilung des Tages · Overmate",
            "Die Verteilung von Mate, die heute alle spielen, und die der Woche, mit allen Ergebnissen.",
        ],
        listed: true,
    },
    PageTexts {
        path: "events",
        english: [
            "Events · Overmate",
            "Arenas and Swiss events of the card game Mate, in which everybody plays the same deals.",
        ],
        german: [
            "Turniere · Overmate",
            "Arenen und Turniere nach Schweizer System für das Kartenspiel Mate, in denen alle dieselben Verteilungen spielen.",
        ],
        listed: true,
    },
    PageTexts {
        path: "guide",
        english: [
            "A guide to Mate · Overmate",
            "How to play Mate well and with real cards, its history, and the words of the five texts that describe it.",
        ],
        german: [
            "Leitfaden zu Mate · Overmate",
            "Wie man Mate gut und mit echten Karten spielt, seine Geschichte und die Wörter der fünf Texte, die es beschreiben.",
        ],
        listed: true,
    },
    PageTexts {
        path: "learn",
        english: [
            "Learn Mate · Overmate",
            "Learn the card game Mate by playing: short lessons on the rules, the craft and the variations.",
        ],
        german: [
            "Mate lernen · Overmate",
            "Lerne das Kartenspiel Mate beim Spielen: kurze Lektionen über Regeln, Kunst und Varianten.",
        ],
        listed: true,
    },
    PageTexts {
        path: "play",
        english: [
            "Play a person · Overmate",
            "Find somebody to play the card game Mate with: open offers by rules and clock, without an account.",
        ],
        german: [
            "Gegen Menschen spielen · Overmate",
            "Finde jemanden, der mit dir das Kartenspiel Mate spielt: offene Angebote nach Regeln und Uhr, ohne Konto.",
        ],
        listed: true,
    },
    PageTexts {
        path: "puzzles",
        english: [
            "Puzzles · Overmate",
            "Thousands of puzzles of the card game Mate, each with a proved solution, from easy to very hard.",
        ],
        german: [
            "Aufgaben · Overmate",
            "Tausende Aufgaben zum Kartenspiel Mate, jede mit bewiesener Lösung, von leicht bis sehr schwer.",
        ],
        listed: true,
    },
    PageTexts {
        path: "rules",
        english: [
            "The rules of Mate · Overmate",
            "The five published rule sets of the card game Mate and their variations, with examples to play through.",
        ],
        german: [
            "Die Regeln von Mate · Overmate",
            "Die fünf veröffentlichten Regelwerke des Kartenspiels Mate und ihre Varianten, mit Beispielen zum Durchspielen.",
        ],
        listed: true,
    },
    PageTexts {
        path: "players",
        english: [
            "Best players · Overmate",
            "Players of Mate with their ratings by rated matches.",
        ],
        german: [
            "Bestenliste · Overmate",
            "Spieler von Mate mit ihren Wertungen aus gewerteten Partien.",
        ],
        listed: false,
    },
    PageTexts {
        path: "privacy",
        english: ["Privacy · Overmate", "What this server keeps, why, and for how long."],
        german: ["Datenschutz · Overmate", "Was dieser Server speichert, wozu und wie lange."],
        listed: true,
    },
    PageTexts {
        path: "me",
        english: [
            "Your progress · Overmate",
            "Your results at Mate, the points that you lost, and the level that plays most like you.",
        ],
        german: [
            "Dein Fortschritt · Overmate",
            "Deine Ergebnisse bei Mate, die verlorenen Punkte und die Stufe, die am ehesten so spielt wie du.",
        ],
        listed: false,
    },
    PageTexts {
        path: "device",
        english: [
            "Add this browser · Overmate",
            "Use a code to bring your matches of Mate to this browser.",
        ],
        german: [
            "Diesen Browser hinzufügen · Overmate",
            "Bring deine Partien Mate mit einem Code in diesen Browser.",
        ],
        listed: false,
    },
    PageTexts {
        path: "sign-in",
        english: [
            "Sign in · Overmate",
            "Bring your matches of Mate to this browser with your handle and password.",
        ],
        german: [
            "Anmelden · Overmate",
            "Bring deine Partien Mate mit Kontoname und Passwort in diesen Browser.",
        ],
        listed: false,
    },
    PageTexts {
        path: "confirm-address",
        english: [
            "Confirm your e-mail address · Overmate",
            "Confirm the e-mail address of your account.",
        ],
        german: [
            "E-Mail-Adresse bestätigen · Overmate",
            "Bestätige die E-Mail-Adresse deines Kontos.",
        ],
        listed: false,
    },
    PageTexts {
        path: "unsubscribe",
        english: [
            "No more e-mails about turns · Overmate",
            "Switch off the e-mails about your turns.",
        ],
        german: [
            "Keine E-Mails mehr zum Zug · Overmate",
            "Schalte die E-Mails ab, wenn du am Zug bist.",
        ],
        listed: false,
    },
    PageTexts {
        path: "recover",
        english: [
            "Forgotten password · Overmate",
            "Set a new password for your account with a link by e-mail.",
        ],
        german: [
            "Passwort vergessen · Overmate",
            "Setze mit einem Link per E-Mail ein neues Passwort für dein Konto.",
        ],
        listed: false,
    },
    PageTexts {
        path: "match",
        english: ["A match of Mate · Overmate", "A match of the card game for two, without luck."],
        german: [
            "Eine Partie Mate · Overmate",
            "Eine Partie des Kartenspiels für zwei, ohne Glück.",
        ],
        listed: false,
    },
    PageTexts {
        path: "watch",
        english: [
            "Watch · Overmate",
            "Matches of the card game Mate that are being played in public, and recent ones.",
        ],
        german: [
            "Zuschauen · Overmate",
            "Partien des Kartenspiels Mate, die öffentlich gespielt werden oder wurden.",
        ],
        listed: true,
    },
    PageTexts {
        path: "join",
        english: [
            "An invitation to a match · Overmate",
            "Open the link to play the card game for two, without luck.",
        ],
        german: [
            "Eine Einladung zu einer Partie · Overmate",
            "Öffne den Link und spiele das Kartenspiel für zwei, ohne Glück.",
        ],
        listed: false,
    },
];

/// Returns the generic link preview of the web client's page at a URL path. The preview contains no data of a match.
pub(crate) fn about_page(path: &str, language: Language) -> Preview {
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let texts = match parts[..] {
        ["watch", _, ..] => &WATCHED,
        ["match", _, "review"] => &REVIEWED,
        [name, ..] => PAGES.iter().find(|texts| texts.path == name).unwrap_or(&START),
        [] => &START,
    };
    let [title, description] = match language {
        Language::English => texts.english,
        Language::German => texts.german,
    };
    let shows = match language {
        Language::English => {
            "A board of Mate: the cards of one player are light, those of the other dark"
        }
        Language::German => {
            "Ein Brett von Mate: die Karten des einen sind hell, die des anderen dunkel"
        }
    };
    Preview {
        title: title.to_owned(),
        description: description.to_owned(),
        picture: PICTURE.to_owned(),
        shows: shows.to_owned(),
        listed: texts.listed,
    }
}

/// Returns the link preview of the analysis page for a deal. The preview names the deal.
pub(crate) fn about_deal(deal: &Dealt, language: Language) -> Preview {
    let (number, rules) = (deal.number(), overmate_json::title(deal.rules().name()));
    let title = match language {
        Language::English => format!("Deal {number}, {rules} · Overmate"),
        Language::German => format!("Verteilung {number}, {rules} · Overmate"),
    };
    Preview { title, ..about_page("analysis", language) }.with_picture_of(deal, language)
}

/// Returns the link preview of an invitation. The preview names the player who sent the invitation, if they gave a name, and the
/// deal, unless the deal is secret.
pub(crate) fn about_invitation(
    from: Option<&str>,
    rules: &str,
    games: u8,
    deal: Option<&Dealt>,
    language: Language,
) -> Preview {
    let from = from.map(isolated);
    let title = match (language, from) {
        (Language::English, Some(from)) => format!("{from} invites you to a match of Mate"),
        (Language::English, None) => "You are invited to a match of Mate".to_owned(),
        (Language::German, Some(from)) => format!("{from} lädt dich zu einer Partie Mate ein"),
        (Language::German, None) => "Du bist zu einer Partie Mate eingeladen".to_owned(),
    };
    let rules = overmate_json::title(rules);
    let description = match language {
        Language::English => format!("{games} games, rules: {rules}. Open the link to play."),
        Language::German => format!("{games} Spiele, Regeln: {rules}. Öffne den Link und spiele."),
    };
    let preview = Preview { title, description, ..about_page("join", language) };
    match deal {
        Some(deal) => preview.with_picture_of(deal, language),
        None => preview,
    }
}

/// Returns the link preview of the page on which spectators watch a match. The parameter `game` is the number of the current game, from 1.
/// The preview names no player, because either player may share the link.
pub(crate) fn about_watched(deal: &Dealt, game: usize, games: u8, language: Language) -> Preview {
    let (number, rules) = (deal.number(), overmate_json::title(deal.rules().name()));
    let (title, description) = match language {
        Language::English => (
            format!("Watch a match of Mate: deal {number}"),
            format!("Game {game} of {games}, rules: {rules}. Open the link to watch."),
        ),
        Language::German => (
            format!("Einer Partie Mate zusehen: Verteilung {number}"),
            format!("Spiel {game} von {games}, Regeln: {rules}. Öffne den Link und sieh zu."),
        ),
    };
    Preview { title, description, ..about_page("watch/match", language) }
        .with_picture_of(deal, language)
}

impl Preview {
    fn with_picture_of(self, deal: &Dealt, language: Language) -> Self {
        let (number, rules) = (deal.number(), deal.rules().name());
        // The plus sign in a rule set's name is escaped, because an unescaped plus sign in a URL query means a space.
        let picture = format!("{PICTURE}?rules={}&deal={number}", rules.replace('+', "%2B"));
        let shows = match language {
            Language::English => format!("The board of deal {number}"),
            Language::German => format!("Das Brett der Verteilung {number}"),
        };
        Self { picture, shows, ..self }
    }
}

/// Wraps a name in Unicode characters that isolate its text direction (Unicode Standard Annex 9).
pub(super) fn isolated(name: &str) -> String {
    format!("\u{2068}{name}\u{2069}")
}
