//! Builds the text of the help popup: the keys, the symbols of the cards, and a short form of the rules.

use overmate_rules::Face;
use ratatui::text::{Line, Span};

use super::app::App;
use super::faces::{FAINT, OTHER, OWN, TITLE};
use super::lines::plain;
use crate::play::messages;

/// Keys of the full-screen display with their effects, in which `{card}` stands for a card of the deck. A few of the keys exist only under
/// certain rule sets.
const KEYS: [(&str, &str); 20] = [
    ("arrows, h j k l", "move among your cards"),
    ("Enter, Space", "play or foreplace the card"),
    ("-", "foreplace nothing"),
    ("!", "lead the card and demand its rank"),
    ("*", "answer by the free move"),
    (": or /", "type an action, such as {card}"),
    ("i", "hint; the record marks it"),
    ("w", "explain your opponent's last action; the record marks it"),
    ("m", "show or hide the points of mates in sight"),
    ("u", "undo; the record marks it"),
    ("[ ] PgUp PgDn", "look at earlier moves"),
    ("Home", "look at the start of the game"),
    ("End, Esc", "return to the present"),
    ("r", "review: the points that each action lost"),
    ("s", "score sheet"),
    ("o", "record of the match so far"),
    ("R", "give up the match"),
    ("Ctrl-Z", "suspend; fg in the shell continues"),
    ("Ctrl-L", "draw the screen again"),
    ("q, Ctrl-C", "leave; you can resume the match later"),
];

pub(super) fn text(app: &App) -> Vec<Line<'static>> {
    let rules = app.controller.rules();
    let may_demand = rules.deck().cards().iter().any(|card| rules.may_demand(*card));
    let is_of_use = |key: &str| match key {
        "Ctrl-Z" => cfg!(unix),
        "-" => rules.foreplacing().is_some(),
        "!" => may_demand,
        "*" => rules.free_move(),
        _ => true,
    };
    let title = |text: &'static str| Line::styled(text, TITLE);
    let mut lines = vec![title("Keys")];
    let typed = rules
        .deck()
        .cards()
        .get(1)
        .map_or_else(String::new, |card| rules.deck().card_text(*card).to_string());
    for (key, what) in KEYS.into_iter().filter(|(key, _)| is_of_use(key)) {
        let what = what.replace("{card}", &typed);
        lines.push(Line::from(format!("{key:<16}{}", rules.in_own_words(&what))));
    }
    lines.push(Line::from(
        "The mouse: click a card, and again to play it; click a move to look at it.",
    ));
    lines.extend([Line::default(), title("Signs")]);
    let card = rules.deck().cards().first().map(|card| app.faces.card(*card)).unwrap_or_default();
    let mut signs = vec![
        (format!("│[{card}]│"), "yours: you may play it"),
        (format!("│ {card} │"), "yours: you may not, move to it to see why"),
        (format!("║ {card} ║"), "your opponent's"),
        (format!("▸{card}◂ ‹{card}›"), "lifted, led"),
        ("░ ·".to_owned(), "the cross of a lead: the answers, where others come first"),
        ("▲ ▽".to_owned(), "the answer wins, loses the move"),
        ("#55".to_owned(), "a mate for 55 points"),
        (format!("{OWN} {OTHER}"), "you, your opponent"),
    ];
    if rules.foreplacing().is_some() {
        signs.insert(1, (format!("({card})"), "you may foreplace it, or somebody did"));
    }
    if rules.foreplacing().is_some_and(|foreplacing| foreplacing.face == Face::Down) {
        signs.push((format!(" {card}?"), "one of these lies face down"));
    }
    if rules.free_move() {
        signs.insert(1, (format!("*{card}*"), "you may play it by the free move only"));
    }
    for (sign, what) in signs {
        lines.push(Line::from(format!("{sign:<16}{}", rules.in_own_words(what))));
    }
    lines.extend([Line::default(), title("The game")]);
    lines.extend(plain(&messages::in_short(rules)));
    let autosave = app.controller.autosave();
    let kept = if autosave.has_file() { "is kept" } else { "will be kept" };
    lines.push(Line::default());
    lines.push(Line::from(vec![
        Span::raw(format!("The match {kept} in ")),
        Span::raw(autosave.place()),
        Span::raw("."),
    ]));
    lines.push(Line::styled("It is saved after every action.", FAINT));
    lines.push(Line::from(
        "Other opponents: overmate play --level 1 to 9, perfect, or perfect:vs=1 to perfect:vs=9.",
    ));
    lines
}
