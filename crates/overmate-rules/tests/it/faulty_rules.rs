//! Tests that each fault of an invalid rule set is reported exactly once, with its place.

use std::fmt::Write as _;

use overmate_rules::{Card, Rank, RuleSet, Suit};

use crate::chance::{Chance, rules};

const GOOD: &str = r#"name = "mine"
rounds = 2
free_move = true

[deck]
suits = [
  { letter = "a", name = "apples", symbol = "♣" },
  { letter = "p", name = "pears" },
]
ranks = [
  { letter = "T", name = "ten", value = 10 },
  { letter = "A", name = "ace", value = 11 },
  { letter = "K", name = "king", value = 4 },
]
cards = ["Ta Aa Ka", "Tp Ap Kp"]

[foreplacing]
face = "up"
second_restricted = true
sole = "doubled"
overmate = "either"

[privilege]
ranks = ["K", "A"]
on_demand = false
"#;

/// Returns the faults of a TOML rule set as sorted strings of line number and key, such as `2 rounds`. The line number is 0 for a fault
/// without a place.
fn faults(text: &str) -> Vec<String> {
    let Err(faults) = RuleSet::from_toml(text) else { panic!("this is right:\n{text}") };
    assert!(!faults.to_string().is_empty());
    let mut told: Vec<String> = Vec::new();
    for fault in &faults.0 {
        assert!(!fault.problem.to_string().is_empty());
        told.push(format!("{} {}", fault.place.map_or(0, |place| place.line), fault.key));
    }
    told.sort();
    told
}

type Changes = &'static [(&'static str, &'static str)];

/// Table of changes to a TOML rule set, with the line and key of each resulting fault.
const CASES: &[(Changes, &[&str])] = &[
    (&[("name = \"mine\"", "")], &["0 name"]),
    (&[("name = \"mine\"", "names = \"mine\"")], &["0 name", "1 names"]),
    (&[("name = \"mine\"", "name = 5")], &["1 name"]),
    (&[("mine", " ")], &["1 name"]),
    (&[("mine", "a\\nb")], &["1 name"]),
    (&[("rounds = 2", "rounds = 0")], &["2 rounds"]),
    (&[("rounds = 2", "rounds = 101")], &["2 rounds"]),
    (&[("rounds = 2", "rounds = 256")], &["2 rounds"]),
    (&[("rounds = 2", "rounds = -1")], &["2 rounds"]),
    (&[("rounds = 2", "rounds = 99999999999999999999999999")], &["2 rounds"]),
    (&[("rounds = 2", "rounds = 2.0")], &["2 rounds"]),
    (&[("rounds = 2", "round = 2")], &["2 round"]),
    (&[("free_move = true", "free_move = \"yes\"")], &["3 free_move"]),
    (&[("free_move = true", "colour = 2000-01-01")], &["3 colour"]),
    (&[("[deck]", "[dock]")], &["0 deck", "5 dock"]),
    (&[("suits = [", "suites = [")], &["0 deck.suits", "6 deck.suites"]),
    (&[("ranks = [\n", "rankss = [\n")], &["0 deck.ranks", "10 deck.rankss"]),
    (&[("letter = \"a\"", "letter = \"\"")], &["7 deck.suits[0].letter"]),
    (&[("letter = \"a\"", "letter = \"A\"")], &["7 deck.suits[0].letter"]),
    (&[("letter = \"a\"", "letter = \"ab\"")], &["7 deck.suits[0].letter"]),
    (&[("letter = \"a\", ", "")], &["0 deck.suits[0].letter"]),
    (
        &[("letter = \"a\", ", ""), ("letter = \"p\"", "letter = \"a\"")],
        &["0 deck.suits[0].letter"],
    ),
    (&[("letter = \"p\"", "letter = \"a\"")], &["8 deck.suits[1].letter"]),
    (&[("symbol = \"♣\"", "symbol = \"c\"")], &["7 deck.suits[0].symbol"]),
    (&[("symbol = \"♣\"", "symbol = \"♣♣\"")], &["7 deck.suits[0].symbol"]),
    (&[("\"pears\"", "\"pears\", symbol = \"♣\"")], &["8 deck.suits[1].symbol"]),
    (&[("\"pears\"", "\"\"")], &["8 deck.suits[1].name"]),
    (&[("\"pears\"", "5, color = \"red\"")], &["8 deck.suits[1].color", "8 deck.suits[1].name"]),
    (&[("  { letter = \"p\", name = \"pears\" },", "  5,")], &["8 deck.suits[1]"]),
    // An unreadable letter of a rank causes a single fault. The placeholder in its place causes no second fault.
    (&[("letter = \"T\"", "letter = \"10\"")], &["11 deck.ranks[0].letter"]),
    (
        &[("letter = \"T\"", "letter = \"1\""), ("Ta", "1a"), ("Tp", "1p")],
        &["11 deck.ranks[0].letter"],
    ),
    (
        &[("letter = \"A\"", "letter = \"T\""), (" Aa", " Ka"), ("Ap", "Kp"), (", \"A\"", "")],
        &["12 deck.ranks[1].letter"],
    ),
    (&[("value = 10", "value = 0")], &["11 deck.ranks[0].value"]),
    (&[("value = 10", "value = 1001")], &["11 deck.ranks[0].value"]),
    (&[("value = 10", "value = 70000")], &["11 deck.ranks[0].value"]),
    (&[("value = 10", "value = \"10\"")], &["11 deck.ranks[0].value"]),
    (&[(", value = 10", "")], &["0 deck.ranks[0].value"]),
    (
        &[("value = 10", "value = 0"), ("value = 4", "value = 5000"), ("rounds = 2", "rounds = 0")],
        &["11 deck.ranks[0].value", "13 deck.ranks[2].value", "2 rounds"],
    ),
    (&[("\"Ta Aa Ka\"", "\"Ta Aa\"")], &["15 deck.cards"]),
    (
        &[("\"Ta Aa Ka\", \"Tp Ap Kp\"", "")],
        &["15 deck.cards", "24 privilege.ranks[0]", "24 privilege.ranks[1]"],
    ),
    (&[("\"Ta Aa Ka\"", "\"Ta Aa Kx\"")], &["15 deck.cards[0]"]),
    (
        &[("\"Ta Aa Ka\"", "\"Ta Qa Ka\""), ("Tp Ap", "Tp 🍐")],
        &["15 deck.cards[0]", "15 deck.cards[1]"],
    ),
    (&[("\"Ta Aa Ka\"", "5")], &["15 deck.cards[0]"]),
    (&[("[\"Ta Aa Ka\", \"Tp Ap Kp\"]", "\"Ta\"")], &["15 deck.cards"]),
    (
        &[
            ("cards = [\"Ta Aa Ka\", \"Tp Ap Kp\"]\n", ""),
            (
                "  { letter = \"T\", name = \"ten\", value = 10 },\n  { letter = \"A\", name = \"ace\", value = 11 },\n",
                "",
            ),
            (", \"A\"", ""),
        ],
        &["5 deck.cards"],
    ),
    (&[("face = \"up\"", "face = \"down\"")], &["19 foreplacing.second_restricted"]),
    (&[("face = \"up\"", "face = \"sideways\"")], &["18 foreplacing.face"]),
    (
        &[("face = \"up\"\n", ""), ("sole = \"doubled\"", "sole = 2"), ("\"either\"", "\"all\"")],
        &["0 foreplacing.face", "19 foreplacing.sole", "20 foreplacing.overmate"],
    ),
    (&[("second_restricted = true\n", "")], &["0 foreplacing.second_restricted"]),
    (
        &[("[foreplacing]", "[foreplacing.x]")],
        &[
            "0 foreplacing.face",
            "0 foreplacing.overmate",
            "0 foreplacing.second_restricted",
            "0 foreplacing.sole",
            "17 foreplacing.x",
        ],
    ),
    (&[("ranks = [\"K\", \"A\"]", "ranks = []")], &["24 privilege.ranks"]),
    (&[("ranks = [\"K\", \"A\"]", "ranks = \"K\"")], &["24 privilege.ranks"]),
    (&[("ranks = [\"K\", \"A\"]", "ranks = [\"K\", \"K\"]")], &["24 privilege.ranks[1]"]),
    // If several elements of the TOML array `ranks` are faulty, each fault is reported with the index of the faulty element.
    (
        &[("ranks = [\"K\", \"A\"]", "ranks = [\"X\", 5, \"K\", \"K\"]")],
        &["24 privilege.ranks[0]", "24 privilege.ranks[1]", "24 privilege.ranks[3]"],
    ),
    (&[("on_demand = false\n", "")], &["0 privilege.on_demand"]),
    // The deck may define a rank without cards, such as the queen in the double deck.
    (&[("\"Ta Aa Ka\", \"Tp Ap Kp\"", "\"Ta Ta Ka\", \"Tp Tp Kp\"")], &["24 privilege.ranks[1]"]),
];

#[test]
fn wrong_toml_reports_exactly_its_faults() {
    assert!(RuleSet::from_toml(GOOD).is_ok());
    let mut count = 0;
    for (changes, expected) in CASES {
        let mut text = GOOD.to_owned();
        for (part, instead) in *changes {
            assert!(text.contains(part), "{part}");
            text = text.replacen(part, instead, 1);
        }
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        let error = RuleSet::from_toml(&text).unwrap_err();
        assert_eq!(faults(&text), expected, "{text}\n{error}");
        count += 1;
    }
    assert_eq!(count, 56);
}

#[test]
fn faults_of_rule_sets_have_readable_texts() {
    let text = GOOD
        .replace("rounds = 2", "rounds = 0")
        .replace("face = \"up\"", "face = \"sideways\"")
        .replace("\"Ta Aa Ka\"", "\"Ta Aa Xx\"")
        .replace("\"K\", \"A\"", "\"Q\"");
    assert_eq!(
        RuleSet::from_toml(&text).unwrap_err().to_string(),
        "line 15, column 10: `deck.cards[0]`: expected a card (a rank of TAK, then a suit of ap), found `Xx`\n\
         line 18, column 8: `foreplacing.face`: the value `sideways` is not allowed: use up or down\n\
         line 24, column 10: `privilege.ranks[0]`: `Q` is not the letter of a rank of this deck: use a letter from `deck.ranks`\n\
         line 2, column 10: `rounds`: a match must have 1 to 100 rounds, not 0"
    );
    let not_toml = RuleSet::from_toml("name = \nrounds = 1").unwrap_err();
    assert_eq!(not_toml.0[0].key, "");
    assert_eq!(not_toml.0[0].place.map(|place| place.line), Some(1));
    assert!(
        RuleSet::from_toml("").unwrap_err().0.len() >= 2,
        "an empty text lacks the name and the deck"
    );
}

#[test]
fn a_draft_and_its_toml_report_faults_by_the_same_keys() {
    let good = rules("sackson+kings-privilege").draft();
    let keys = |change: &dyn Fn(&mut overmate_rules::RuleSetDraft)| {
        let mut draft = good.clone();
        change(&mut draft);
        let faults = RuleSet::new(draft).unwrap_err();
        faults.0.into_iter().map(|fault| fault.key).collect::<Vec<_>>()
    };
    assert_eq!(keys(&|d| d.name = "♣".repeat(81)), ["name"]);
    assert_eq!(keys(&|d| d.suits[1].name = "♣".repeat(31)), ["deck.suits[1].name"]);
    assert_eq!(keys(&|d| d.ranks[4].name = "x".repeat(31)), ["deck.ranks[4].name"]);
    // The control characters of the writing direction would change the order of the text around a name in a terminal.
    for character in ['\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}', '\n'] {
        let name = format!("a{character}b");
        assert_eq!(keys(&|d| d.name.clone_from(&name)), ["name"]);
        assert_eq!(keys(&|d| d.suits[1].name.clone_from(&name)), ["deck.suits[1].name"]);
        assert_eq!(keys(&|d| d.ranks[4].name.clone_from(&name)), ["deck.ranks[4].name"]);
        assert_eq!(keys(&|d| d.suits[1].symbol = Some(character)), ["deck.suits[1].symbol"]);
    }
    let mut longest = good.clone();
    longest.name = "♣".repeat(80);
    longest.suits[1].name = "♣".repeat(30);
    assert!(RuleSet::new(longest).is_ok());
    assert_eq!(keys(&|d| d.suits.clear()), ["deck.suits", "deck.cards"]);
    assert_eq!(keys(&|d| d.ranks.clear()), ["deck.ranks", "deck.cards"]);
    assert_eq!(keys(&|d| d.cards.truncate(3)), ["deck.cards"]);
    assert_eq!(keys(&|d| d.cards = vec![d.cards[2]; 62]), ["deck.cards"]);
    assert_eq!(keys(&|d| d.cards[0].suit = Suit(4)), ["deck.cards"]);
    assert_eq!(keys(&|d| d.cards[0] = Card { suit: Suit(255), rank: Rank(255) }), ["deck.cards"]);
    assert_eq!(
        keys(&|d| d.privilege.as_mut().unwrap().ranks.push(Rank(9))),
        ["privilege.ranks[1]"]
    );
    assert_eq!(keys(&|d| d.cards.retain(|c| c.rank != Rank(2))), ["privilege.ranks[0]"]);
    assert_eq!(keys(&|d| d.suits = vec![d.suits[0].clone(); 300]), ["deck.suits"]);
}

#[test]
fn long_hostile_toml_is_read_or_refused() {
    const SIZE: usize = 500_000;
    let many = |piece: &str| piece.repeat(SIZE / piece.len());
    let keys = |form: &str| {
        (0..SIZE / 16).fold(String::new(), |mut text, i| {
            write!(text, "{}", form.replace('N', &i.to_string())).unwrap();
            text
        })
    };
    let deck = |suits: usize, ranks: usize, cards: &str| {
        let suit = "{ letter = \"a\", name = \"x\" },".repeat(suits);
        let rank = "{ letter = \"A\", name = \"x\", value = 1 },".repeat(ranks);
        format!("name = \"x\"\n[deck]\nsuits = [{suit}]\nranks = [{rank}]\n{cards}")
    };
    let cases = [
        format!("a = {}", many("[")),
        format!("a = {}", many("{a=")),
        format!("{}a = 1", many("a.")),
        format!("[{}a]", many("a.")),
        format!("a = \"{}\"", many("x")),
        many("=\n"),
        many("\"\"\"\n"),
        many("\u{1f0a1}"),
        keys("kN = 1\n"),
        keys("[kN]\n"),
        format!("a = [{}]", many("{},")),
        deck(255, 1, "cards = [\"Aa\"]"),
        deck(256, 1, "cards = [\"Aa\"]"),
        deck(1, 300, "cards = [\"Aa\"]"),
        deck(300, 300, ""),
        deck(50_000, 50_000, "cards = [\"Aa\"]"),
        deck(1, 1, &format!("cards = [\"{}\"]", many("Aa "))),
        deck(1, 1, &format!("cards = [{}]", many("\"Ab\","))),
        deck(2, 2, &format!("[privilege]\nranks = [{}]", many("\"A\","))),
        deck(2, 2, &format!("[privilege]\nranks = [{}]", many("5,"))),
        format!("rounds = {}", many("9")),
        format!("{GOOD}\n{}", many("# comment\n")),
    ];
    let mut count = 0;
    for text in &cases {
        let read = RuleSet::from_toml(text);
        assert_eq!(read.is_ok(), text.starts_with(GOOD));
        let start: String = text.chars().take(60).collect();
        if let Err(faults) = read {
            // The TOML reader reports at most a hundred faults, and the later validation reports at most a few for each card of the deck.
            assert!(faults.0.len() <= 300, "{} faults of {start}", faults.0.len());
        }
        count += 1;
    }
    assert_eq!(count, 22);
}

#[test]
fn an_altered_text_is_refused_or_valid_and_never_a_panic() {
    let mut chance = Chance(73);
    let letters: Vec<char> = "aApKT09\"'=[]{},.-_#\\\n ♣🍐\u{0}\u{feff}".chars().collect();
    let text: Vec<char> = GOOD.chars().collect();
    let (mut refused, mut valid) = (0, 0);
    for _ in 0..4000 {
        let mut altered = text.clone();
        for _ in 0..=chance.below(2) {
            let at = chance.below(altered.len());
            match chance.below(3) {
                0 => drop(altered.remove(at)),
                1 => altered.insert(at, chance.of(&letters)),
                _ => altered[at] = chance.of(&letters),
            }
        }
        let altered: String = altered.into_iter().collect();
        match RuleSet::from_toml(&altered) {
            Ok(rules) => {
                assert_eq!(RuleSet::from_toml(&rules.to_toml()), Ok(rules), "{altered}");
                valid += 1;
            }
            Err(faults) => {
                assert!(!faults.0.is_empty());
                refused += 1;
            }
        }
    }
    assert!(refused > 2000 && valid > 200, "{refused} refused, {valid} valid");
}

#[test]
fn an_unclosed_array_gives_one_fault_at_its_first_wrong_token() {
    let text = "name = \"x\"\n[deck]\nsuits = [\n  { letter = \"x\", name = \"x\" },\nranks = [\n  \
                { letter = \"A\", name = \"ace\", value = 11 },\n]\n";
    let faults = RuleSet::from_toml(text).unwrap_err();
    assert_eq!(faults.0.len(), 1, "{faults}");
    let told = faults.to_string();
    assert!(told.starts_with("line 5, column 7: ") && told.contains("unclosed array"), "{told}");
}
