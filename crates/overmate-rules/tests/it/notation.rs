//! Tests the text forms of cards and actions: accepted spellings, and places of errors.

use overmate_rules::{Action, Card, CardSet, Illegal, Rank, Suit};
use proptest::prelude::*;

use crate::chance::{catalogue, conceivable, rules};

#[test]
fn cards_are_read_in_all_their_spellings() {
    let ten_of_clubs = Card { suit: Suit(0), rank: Rank(1) };
    let seven_of_diamonds = Card { suit: Suit(3), rank: Rank(4) };
    let bishop_of_blue = Card { suit: Suit(0), rank: Rank(3) };
    let nine_of_hearts = Card { suit: Suit(2), rank: Rank(5) };
    let cases = [
        ("sackson", ten_of_clubs, &["Tc", "tc", "TC", "tC", "10c", "10C", "T♣", "t♣", "10♣"][..]),
        ("sackson", seven_of_diamonds, &["7d", "7D", "7♦"]),
        ("rael", bishop_of_blue, &["Bb", "bb", "BB", "bB"]),
        ("rael+pinochle", nine_of_hearts, &["9h", "9H", "9♥"]),
    ];
    let mut count = 0;
    for (name, card, spellings) in cases {
        for text in spellings {
            assert_eq!(rules(name).deck().read_card(text).as_ref(), Ok(&card), "{text}");
            count += 1;
        }
        assert_eq!(rules(name).deck().card_text(card).to_string(), spellings[0]);
    }
    assert_eq!(count, 19);
}

#[test]
fn debug_output_shows_the_letters_of_the_single_deck() {
    let single = rules("sackson");
    let deck = single.deck();
    for slot in 0..20 {
        let card = deck.card_at(slot);
        let text = deck.card_text(card).to_string();
        assert_eq!(format!("{card:?}"), text);
        assert_eq!(format!("{:?}", CardSet::of_slot(slot)), text);
        assert_eq!(format!("{:?}{:?}", card.rank, card.suit), text);
        assert_eq!(format!("{:?}", Action::Play(card)), format!("Play({text})"));
    }
    let whole = CardSet::lowest(20);
    assert_eq!(format!("{whole:?}"), deck.show(whole).to_string());
    assert_eq!(format!("{:?}", CardSet::EMPTY), "{}");
    // The card index 20 and the rank nine exist only in the Pinochle deck.
    assert_eq!(format!("{:?}", CardSet::from_iter([0, 20])), "{0, 20}");
    assert_eq!(format!("{:?}", rules("bga+pinochle").deck().read_card("9h").unwrap()), "#5h");
}

#[test]
fn every_action_is_written_and_read() {
    let mut count = 0;
    for rules in catalogue() {
        for action in conceivable(&rules) {
            let text = rules.action_text(action).to_string();
            assert_eq!(rules.read_action(&text).as_ref(), Ok(&action), "{text}");
            assert_eq!(rules.read_action(&text.to_lowercase()).as_ref(), Ok(&action), "{text}");
            count += 1;
        }
    }
    assert!(count > 10_000, "{count}");
    let rules = rules("sackson");
    let king = Card { suit: Suit(0), rank: Rank(2) };
    for (text, action) in [
        ("-", Action::Decline),
        ("(Kc)", Action::Foreplace(king)),
        ("Kc", Action::Play(king)),
        ("Kc!", Action::Demand(king)),
        ("Kc*", Action::Free(king)),
    ] {
        assert_eq!(rules.action_text(action).to_string(), text);
    }
    let stranger = Card { suit: Suit(4), rank: Rank(9) };
    assert_eq!(rules.deck().card_text(stranger).to_string(), "??");
}

#[test]
fn unreadable_notation_reports_its_place() {
    let card = "a card (a rank of ATKQ7, then a suit of cshd)";
    let action = format!("an action: -, (card) or card, with {card}");
    let rules = rules("sackson");
    let one = |text: &str| rules.read_action(text).unwrap_err().to_string();
    let cases = [
        ("", format!("line 1, column 1: expected {action}, found the end of the text")),
        ("Xc", format!("line 1, column 1: expected {action}, found `Xc`")),
        ("1c", format!("line 1, column 1: expected {action}, found `1c`")),
        ("10", format!("line 1, column 1: expected {action}, found `10`")),
        ("Jc", format!("line 1, column 1: expected {action}, found `Jc`")),
        ("K", format!("line 1, column 1: expected {action}, found `K`")),
        (" Kc", format!("line 1, column 1: expected {action}, found a blank")),
        ("\nKc", format!("line 1, column 1: expected {action}, found the end of the line")),
        ("Kcc", "line 1, column 3: expected the end of the action, found `c`".to_owned()),
        ("K♣♣", "line 1, column 3: expected the end of the action, found `♣`".to_owned()),
        ("Kc!*", "line 1, column 4: expected the end of the action, found `*`".to_owned()),
        (
            "(Kc",
            "line 1, column 4: expected `)` after the foreplaced card, found the end of the text"
                .to_owned(),
        ),
        ("(K)", format!("line 1, column 2: expected {card}, found `K)`")),
        ("(?)", format!("line 1, column 2: expected {card}, found `?)`")),
        ("--", "line 1, column 2: expected the end of the action, found `-`".to_owned()),
        ("🂡", format!("line 1, column 1: expected {action}, found `🂡`")),
    ];
    let mut count = 0;
    for (text, expected) in cases {
        assert_eq!(one(text), expected, "{text:?}");
        count += 1;
    }
    assert_eq!(count, 16);
    let long = "x".repeat(1000);
    assert!(
        one(&long).ends_with(&format!("found `{}`", "x".repeat(20))),
        "the error shortens a long word"
    );
}

#[test]
fn unreadable_actions_name_the_forms_of_the_rules() {
    let forms = [
        ("bga", "an action: a card ("),
        ("sackson", "an action: -, (card) or card, with a card ("),
        ("bga+free-move", "an action: card or card*, with a card ("),
        ("rael+kings-privilege", "an action: -, (card), card or card!, with a card ("),
    ];
    for (name, expected) in forms {
        let fault = rules(name).read_action("Zz").unwrap_err();
        assert!(fault.expected.starts_with(expected), "{name}: {}", fault.expected);
    }
}

#[test]
fn places_count_lines_and_characters_from_one() {
    let rules = rules("sackson");
    let error = rules.read_actions("Kc T♣\n  7d A♠ ♥x Kd").unwrap_err();
    assert_eq!((error.place.line, error.place.column), (2, 9));
    assert_eq!(error.found, "`♥x`");
    let error = rules.read_actions("Kc Tc7d").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1, column 6: expected a blank after the action, found `7d`"
    );
    assert_eq!(rules.read_actions(" \n\t "), Ok(Vec::new()));

    let error = rules.read_deal("AcTc Kc").unwrap_err();
    let expected = "line 1, column 8: expected another card, or `/` and the second hand, found the end of the text";
    assert_eq!(error.to_string(), expected);
    let error = rules.read_deal("Ac/Tc/Kc").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1, column 6: expected the end of the second hand, found `/Kc`"
    );

    let positions = [
        ("", 1, "`-` or a card (a rank of ATKQ7, then a suit of cshd)"),
        ("Ac", 3, "`/`"),
        ("Ac/Kc", 6, "a blank and the leader, `first` or `second`"),
        ("Ac/Kc first", 12, "a blank and the foreplaced cards, such as `-/-` for none"),
        ("Ac/Kc first -/-", 16, "a blank and the card led, or `-` for none"),
        ("Ac/Kc first -/- -", 18, "a blank and `-`, because this rule set has no free move"),
        ("Ac/Kc third", 7, "the leader, `first` or `second`"),
        (
            "Ac/Kc first Kc/-",
            13,
            "a foreplaced card such as (Kc), `-` for none or `?` for undecided",
        ),
        ("Ac/Kc first (Kc/-", 16, "`)`"),
        ("Ac/Kc first -/- x", 17, "`-` or a card (a rank of ATKQ7, then a suit of cshd)"),
        ("Ac/Kc first -/- - used", 19, "`-`, because this rule set has no free move"),
        ("Ac/Kc first -/- - - -", 20, "the end of the position"),
    ];
    for (text, column, expected) in positions {
        let error = rules.read_position(text).unwrap_err();
        assert_eq!((error.place.line, error.place.column), (1, column), "{text}");
        assert_eq!(error.expected, expected, "{text}");
    }
    let with_free_move = self::rules("bga+free-move");
    let error = with_free_move.read_position("Ac/Kc first -/- - -").unwrap_err();
    assert_eq!(error.expected, "the state of the free move, `unused` or `used`");
}

/// Table of illegal actions with their rule set, position and error text.
const REASONS: &[(&str, &str, &str, &str)] = &[
    ("sackson", "Ac/Kc first -/- - -", "Tc", "you do not hold Tc: choose a card from your hand"),
    (
        "sackson+double",
        "Ac/Kc first -/- - -",
        "Qc",
        "the card of the action is not in the deck of this rule set: choose a card from your hand",
    ),
    ("sackson", "-/7s first -/- Ks -", "Kc", "you do not hold Kc: choose a card from your hand"),
    (
        "sackson",
        "Qd/7sKc first -/- Ks -",
        "Kc",
        "spades were led and you hold spades: answer in spades",
    ),
    (
        "rael",
        "Qb/NgKy first -/- Kb -",
        "Ng",
        "blue was led and you hold no blue: answer in the led rank, king",
    ),
    (
        "bga+kings-privilege",
        "Qd/7sKc first -/- Ks -",
        "7s",
        "a lead of the rank king is privileged in this rule set, and you hold a card of this rank: answer in this rank",
    ),
    (
        "bga+kings-privilege",
        "Qd/7sTc first -/- Ks -",
        "Tc",
        "a lead of the rank king is privileged in this rule set, but you hold no card of this rank: answer in the led suit, spades",
    ),
    (
        "bga",
        "KsQd/7sTc first -/- - -",
        "Ks!",
        "Ks cannot be led with a demand in this rule set: lead Ks without the !",
    ),
    (
        "bga",
        "Qd/7sTc first -/- Ks -",
        "7s!",
        "only a leader can demand: leave out the ! after the card",
    ),
    (
        "bga+free-move",
        "KsQd/7sTc first -/- - unused",
        "Ks*",
        "only a follower can use the free move: lead without the *",
    ),
    (
        "bga",
        "Qd/7sKc first -/- Ks -",
        "Kc*",
        "this rule set has no free move: leave out the * after the card",
    ),
    (
        "bga+free-move",
        "Qd/7sKc first -/- Ks used",
        "Kc*",
        "the free move of this game is used up: leave out the * after the card",
    ),
    (
        "bga+free-move",
        "Qd/7sKc first -/- Ks unused",
        "7s*",
        "7s needs no free move here: play 7s without the *",
    ),
    (
        "bga+free-move",
        "Qd/7sTc first -/- Ks unused",
        "Tc*",
        "Tc has neither the led suit nor the led rank (spades, king): use the free move for a card of the led suit or rank",
    ),
    ("bga", "KsQd/7sTc first -/- - -", "-", "this rule set has no foreplacing: play a card"),
    (
        "pagat",
        "KsQd/7sTc first -/- - -",
        "(Ks)",
        "both players have already foreplaced a card or declined: play a card",
    ),
    (
        "pagat",
        "Qd/7sTc first -/- Ks -",
        "-",
        "both players have already foreplaced a card or declined: play a card",
    ),
    ("pagat", "Qd/7cTc first -/- Ks -", "7c", "the game is over: no action can follow"),
];

#[test]
fn every_reason_against_an_action_has_a_readable_text() {
    let mut count = 0;
    for &(name, text, action, expected) in REASONS {
        let rules = rules(name);
        let setup = rules.read_position(text).unwrap();
        let position = setup.validate(&rules).unwrap();
        let illegal: Illegal = position.check(rules.read_action(action).unwrap()).unwrap_err();
        assert_eq!(illegal.to_string(), expected, "{name}: {text}: {action}");
        count += 1;
    }
    assert_eq!(count, 18);
    let game = crate::chance::played("sackson", 0, "(Tc)");
    let told =
        |text: &str| game.check(game.rules().read_action(text).unwrap()).unwrap_err().to_string();
    let restricted = "the opponent foreplaced Tc, so you may not foreplace a card of the same suit (clubs) or rank (ten): foreplace another card, or decline with -";
    assert_eq!(told("(Th)"), restricted);
    assert_eq!(
        told("Th"),
        "no card can be played before foreplacing: foreplace a card, written in parentheses, or decline with -"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Tests that no text makes a parser panic, and that a parsed value stays equal after it is formatted and parsed again.
    #[test]
    fn no_text_makes_a_reader_panic(
        text in "[-()?!*/ ATKQJRBNatk0-9csdhbgyr♣♠♥♦\n]{0,24}|\\PC{0,12}",
        name in prop::sample::select(vec!["sackson", "rael+double", "bga+pinochle+free-move"]),
    ) {
        let rules = rules(name);
        if let Ok(card) = rules.deck().read_card(&text) {
            let written = rules.deck().card_text(card).to_string();
            prop_assert_eq!(rules.deck().read_card(&written), Ok(card));
        }
        if let Ok(actions) = rules.read_actions(&text) {
            let words: Vec<String> =
                actions.iter().map(|action| rules.action_text(*action).to_string()).collect();
            prop_assert_eq!(rules.read_actions(&words.join(" ")), Ok(actions));
        }
        if let Ok(deal) = rules.read_deal(&text) {
            prop_assert!(deal.validate(&rules).is_err(), "too short for a deal: {}", text);
        }
        if let Ok(setup) = rules.read_position(&text)
            && let Ok(position) = setup.validate(&rules)
        {
            let again = rules.read_position(&position.to_string()).unwrap();
            prop_assert_eq!(again.validate(&rules), Ok(position));
        }
    }
}
