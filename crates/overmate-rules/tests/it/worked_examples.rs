//! Tests every worked example in the written rules, by playing a deal or from a given position.

use std::collections::BTreeSet;

use overmate_rules::{
    Action, BASES, Card, Dealt, Illegal, Mate, Outcome, Phase, Position, RuleSet, Seat, VARIATIONS,
};

use crate::chance::{catalogue, played, rules};

/// Plays given actions on a deal, and returns the mate and the points of the player who gives mate. The games below were found among random
/// games and end in the mates that the tests check.
fn mate(name: &str, deal: u64, actions: &str) -> (Mate, i32) {
    let game = played(name, deal, actions);
    let Some(Outcome::Mate(mate)) = game.outcome() else { panic!("{actions} gives no mate") };
    (mate, mate.points())
}

#[test]
fn a_queen_in_move_1_scores_3() {
    for (name, deal, actions) in [("sackson", 48_638, "- - Qh"), ("bga", 44_511, "Qs")] {
        let (mate, points) = mate(name, deal, actions);
        assert_eq!((mate.by, mate.move_number, points), (Seat::First, 1, 3));
    }
}

#[test]
fn an_ace_in_move_10_scores_110() {
    let by_first = "- - Ks Ts 7s As Qd Kd 7c Qc Td Tc Qh Th 7d 7h Kh Ah Ac Kc Ad";
    let by_second = "- - Qd 7d Tc Kc Kd Td Th 7h As Ts Ah Qh 7s Qs Ks Kh 7c Ac Ad";
    for name in ["sackson", "pagat", "denexa"] {
        let (mate_of_first, points) = mate(name, 161_065, by_first);
        assert_eq!((mate_of_first.by, mate_of_first.move_number, points), (Seat::First, 10, 110));
        let (mate_of_second, points) = mate(name, 72_859, by_second);
        assert_eq!((mate_of_second.by, points), (Seat::Second, 110));
        assert_eq!(mate_of_second.points_for_first(), -110);
        assert!(!mate_of_second.overmate);
    }
}

#[test]
fn a_king_in_move_7_scores_28() {
    let (mate, points) = mate("sackson", 15_538, "- - Qh 7h Kc Tc Ac Qc Kd Ad Td 7d Ah Th Kh");
    assert_eq!((mate.move_number, mate.counts_as, points), (7, 7, 28));
}

#[test]
fn foreplaced_a_king_in_move_7_scores_4_times_8() {
    let alone = (22_525, "(Ks) - 7c Kc Qd Kd 7h Qh 7s Ts Th Td Ac Qc Kh");
    let both = (2_848, "(Qs) (Kd) Ah Ad Qh Qd 7h 7d Kc Ac As Ks Td Tc Kh");
    let other = (118_155, "(Ks) - 7c Qc 7h Ah Qh Th Td Kd Qd 7d Ac Kc Kh");
    for name in ["sackson", "pagat", "denexa"] {
        for (deal, actions) in [alone, both] {
            let (mate, points) = mate(name, deal, actions);
            assert_eq!((mate.move_number, mate.counts_as, mate.overmate), (7, 8, false));
            assert_eq!(points, 4 * 8);
        }
        let (mate, points) = mate(name, other.0, other.1);
        assert_eq!(
            (mate.by, points),
            (Seat::Second, 28),
            "a player who did not foreplace gets no bonus"
        );
    }
}

#[test]
fn an_overmate_of_the_foreplacer_with_an_ace_scores_242() {
    let first = "(Qh) - Th Ah As Ks 7s Ts Qd 7d Kc Tc 7c Qc Td Kd 7h Kh Ad Ac Ac";
    let second = "- (7d) Th Kh Qh 7h Tc 7c Ad Qd Ks Ts Qc Qs Kc Kd As 7s Ac Ah Ac";
    for name in ["sackson", "pagat", "denexa"] {
        for (deal, actions, by) in [(60_417, first, Seat::First), (39_957, second, Seat::Second)] {
            let (mate, points) = mate(name, deal, actions);
            assert_eq!((mate.by, mate.move_number, mate.counts_as), (by, 10, 11));
            assert!(mate.overmate);
            assert_eq!(points, 11 * 11 * 2);
        }
    }
}

#[test]
fn an_ace_of_the_opponent_in_move_10_scores_220_in_sackson_and_110_in_pagat_and_denexa() {
    // The sole foreplacer's only card is the repeated card, which cannot answer the led ace.
    let second = "(7h) - Qh Ah Ad Td Tc Qc As Ks Kh Th Ts 7s 7c Kc Kd 7d Qs Qd Ac";
    let first = "- (Kh) Qd Td 7s Qs Qc 7c Th Ah Qh 7h 7d Ad As Ts Tc Kc Ks Kd Ac";
    for (name, expected) in [("sackson", 220), ("pagat", 110), ("denexa", 110)] {
        for (deal, actions, by) in [(159_542, second, Seat::Second), (52_151, first, Seat::First)] {
            let (mate, points) = mate(name, deal, actions);
            assert_eq!((mate.by, mate.move_number, mate.counts_as), (by, 10, 10));
            assert_eq!(mate.overmate, name == "sackson");
            assert_eq!(points, expected, "{name}");
        }
    }
}

#[test]
fn a_rook_in_move_4_of_rael_scores_28_or_56_or_35() {
    let cases = [
        (19_944, "- - Bg Br Qg Qb By Ry Rg", 28, false),
        // Under Rael's rules, each mate by a sole foreplacer is an overmate.
        (125_810, "(Kb) - Kg Ng Qg Bg Ry Ny Rg", 56, true),
        (8_700, "(Rb) (Kb) Qr Rr Ng Qg Ny Ky Rg", 35, false),
        // Only the opponent of the player who gives mate has foreplaced a card, so that the mate is no overmate.
        (67_512, "(Bg) - Kb Rb By Ry Ng Ny Rg", 28, false),
    ];
    for (deal, actions, expected, is_overmate) in cases {
        let (mate, points) = mate("rael", deal, actions);
        assert_eq!((mate.move_number, mate.value, points), (4, 7, expected), "{actions}");
        assert_eq!(mate.overmate, is_overmate, "{actions}");
    }
}

#[test]
fn the_last_move_of_rael_is_doubled_for_the_sole_sacrificer_alone() {
    let own = "(Rb) - Rr Br Qg Rg Kr Kb Nb Nr Qb Qr Bg Kg Ry By Ng Ny Ky Qy Ky";
    let (of_sacrificer, points) = mate("rael", 137_327, own);
    assert_eq!((of_sacrificer.by, of_sacrificer.move_number, points), (Seat::First, 10, 220));
    assert!(of_sacrificer.overmate);
    let others = "(Ny) - Kr Rr Bg Qg Kb Bb Ry Qy Rg Kg By Br Rb Qb Nr Qr Nb Ng Ky";
    let (of_other, points) = mate("rael", 151_562, others);
    assert_eq!((of_other.by, of_other.move_number, points), (Seat::Second, 10, 110));
    assert!(!of_other.overmate);
}

#[test]
fn overmates_score_double_with_double_and_pinochle_decks() {
    let double = "(7d) - Kh 7h 7c 7c 7s As Th Th Kc Tc Ac Ah Td Ad Ts Ks Kd Ad Ad";
    assert_eq!(mate("sackson+double", 125_928, double).1, 242);
    // In a game with 24 cards in each hand, the last led card, a jack, mates in move 24. The mate counts as a mate in move 25, and its
    // score is doubled.
    let pinochle = "(Ac) - Qd Ad Kd Qd Td Td 9c Tc Jh Kh As Ks Js 9s Ah Kh Kd 9d Ts Qs Jh 9h Tc Jc \
        Qc Kc 9c Jc 9h Qh 9s Qs Ah As Js Ks Th Ts Kc Ac 9d Ad Qc Qh Jd Jd Jd";
    let (mate, points) = mate("sackson+pinochle", 13_680_998_728_041, pinochle);
    assert_eq!((mate.move_number, points), (24, 2 * 25 * 2));
}

fn position(name: &str, text: &str) -> Position {
    let rules = rules(name);
    rules.read_position(text).unwrap().validate(&rules).unwrap()
}

fn legal(position: &Position) -> String {
    let rules = position.rules();
    let texts = position.legal_actions().map(|a| rules.action_text(a).to_string());
    texts.collect::<Vec<_>>().join(" ")
}

fn after(position: &Position, action: &str) -> Position {
    position.clone().play(position.rules().read_action(action).unwrap()).unwrap()
}

#[test]
fn a_lead_is_answered_in_suit_else_in_rank_else_it_mates() {
    for (text, expected) in [
        ("As/QcKhTd first -/- Kc -", "Qc"),
        ("As/QsKhTd first -/- Kc -", "Kh"),
        ("As/QsKhKd first -/- Kc -", "Kh Kd"),
        ("As/QsThTd first -/- Kc -", ""),
    ] {
        // The test adds the card `Ts` to the hand of *first*, who has led `Kc`. Each player thus had three cards before the lead.
        let text = text.replace("As/", "AsTs/");
        assert_eq!(legal(&position("bga", &text)), expected, "{text}");
    }
}

#[test]
fn the_higher_card_of_a_suit_or_else_the_higher_suit_wins() {
    for (name, lead, answer, winner) in [
        ("bga", "Tc", "Ac", Seat::Second),
        ("bga", "Tc", "Kc", Seat::First),
        ("bga", "Qc", "7c", Seat::First),
        ("bga", "7c", "Qc", Seat::Second),
        ("bga", "7s", "7c", Seat::Second),
        ("bga", "7s", "7h", Seat::First),
        ("bga", "7d", "7h", Seat::Second),
        ("rael", "Rg", "Qg", Seat::Second),
        ("rael", "Rg", "Rb", Seat::Second),
        ("rael", "Ry", "Rr", Seat::First),
        ("sackson+pinochle", "9s", "Js", Seat::Second),
        // If the lead and its answer are identical cards, the lead wins the move.
        ("bga+double", "7c", "7c", Seat::First),
        ("bga+pinochle", "Jd", "Jd", Seat::First),
    ] {
        let before = position(name, &format!("-/{answer} first -/- {lead} -"));
        assert_eq!(after(&before, answer).leader(), winner, "{lead} {answer}");
    }
}

#[test]
fn second_may_not_foreplace_the_suit_or_rank_of_first_where_the_text_says_so() {
    for (name, restricted) in [("sackson", true), ("pagat", true), ("denexa", false)] {
        let game = played(name, 0, "(Tc)");
        let all = "- (Ah) (Th) (Kh) (Qh) (7h) (Ad) (Td) (Kd) (Qd) (7d)";
        let expected =
            if restricted { all.replace(" (Th)", "").replace(" (Td)", "") } else { all.to_owned() };
        assert_eq!(legal(game.position()), expected, "{name}");
        let barred = game.rules().read_action("(Th)").unwrap();
        assert_eq!(game.check(barred).is_err(), restricted);
        let chosen = game.play(game_action(name, "-")).unwrap();
        assert_eq!(chosen.phase(), Phase::Lead(Seat::First));
    }
    let rael = played("rael", 0, "(Qb)");
    assert_eq!(rael.legal_actions().len(), 11, "rael does not restrict what second foreplaces");
    let bga = played("bga", 0, "");
    assert_eq!(bga.phase(), Phase::Lead(Seat::First), "bga has no foreplacing");
    assert!(matches!(bga.check(Action::Decline), Err(Illegal::NoForeplacing)));
    // Under the rule set `bga`, foreplacing is refused for the same reason with every card, whether or not the player holds the card.
    for rank in "AKQT7".chars() {
        for suit in "cdhs".chars() {
            let card = game_action("bga", &format!("({rank}{suit})"));
            assert!(matches!(bga.check(card), Err(Illegal::NoForeplacing)), "{rank}{suit}");
        }
    }
}

fn game_action(name: &str, text: &str) -> Action {
    rules(name).read_action(text).unwrap()
}

#[test]
fn the_repeated_card_is_answered_like_any_other() {
    for name in ["sackson", "pagat", "denexa"] {
        let start = position(name, "Kc/Ac7c first (Ts)/- - -");
        let drawn = ["Kc", "Ac", "7c"].iter().fold(start, |p, action| after(&p, action));
        assert_eq!(legal(&drawn), "Kc", "the foreplacer must answer with the repeated card");
        assert_eq!(after(&drawn, "Kc").outcome(), Some(Outcome::Draw));
        let start = position(name, "Kc/Ac7d first (Ts)/- - -");
        let mated = ["Kc", "Ac", "7d"].iter().fold(start, |p, action| after(&p, action));
        let points = if name == "sackson" { -140 } else { -70 };
        assert_eq!(
            mated.outcome().unwrap().points_for_first(),
            points,
            "the foreplacer is mated if the repeated card cannot answer"
        );
    }
}

#[test]
fn the_free_move_is_used_once_and_only_by_a_follower_who_could_follow_suit() {
    let open = position("bga+free-move", "AsTs/QcKhKd first -/- Kc unused");
    assert_eq!(legal(&open), "Qc Kh* Kd*");
    assert!(after(&open, "Kh*").free_move_used());
    assert!(!after(&open, "Qc").free_move_used());
    let used = position("bga+free-move", "AsTs/QcKhKd first -/- Kc used");
    assert_eq!(legal(&used), "Qc");
    assert_eq!(used.check(game_action("bga", "Kh*")), Err(Illegal::FreeMoveUsed));
    let without_suit = position("bga+free-move", "AsTs/QsKhKd first -/- Kc unused");
    assert_eq!(legal(&without_suit), "Kh Kd");
    assert!(
        !after(&without_suit, "Kh").free_move_used(),
        "an answer in rank without the suit does not use the free move"
    );
    let mated = position("bga+free-move", "AsTs/QsThTd first -/- Kc unused");
    assert!(mated.mate().is_some());
}

#[test]
fn privileges_put_the_rank_before_the_suit() {
    for (name, led, expected) in [
        ("bga+kings-privilege", "Kc", "Kh"),
        ("bga+kings-privilege", "Qc", "7c"),
        ("bga+figure-privilege", "Kc", "Kh"),
        ("bga+figure-privilege", "Qc", "Qh"),
        ("bga+figure-privilege", "Tc", "7c"),
        // After a privileged lead, the free move allows an answer in suit although the follower holds the led rank.
        ("bga+kings-privilege+free-move", "Kc", "Kh 7c*"),
        ("bga+kings-privilege+free-move", "Qc", "7c Qh*"),
    ] {
        let free = if name.contains("free") { "unused" } else { "-" };
        let text = format!("AsTs/7cKhQh first -/- {led} {free}");
        assert_eq!(legal(&position(name, &text)), expected, "{name} {led}");
    }
    // After the lead of a privileged king, a follower without a king must answer in suit. A follower without a king and without the led
    // suit is mated.
    let suit = position("bga+kings-privilege", "AsTs/7cThQh first -/- Kc -");
    assert_eq!(legal(&suit), "7c");
    assert!(position("bga+kings-privilege", "AsTs/7hThQh first -/- Kc -").mate().is_some());
}

#[test]
fn in_rael_the_privilege_is_the_leaders_choice() {
    let lead = position("rael+kings-privilege", "KbQb/NbKr first -/- - -");
    assert_eq!(legal(&lead), "Kb Kb! Qb");
    assert_eq!(legal(&after(&lead, "Kb")), "Nb", "without a demand, suit comes before rank");
    assert_eq!(legal(&after(&lead, "Kb!")), "Kr");
    let figures = position("rael+figure-privilege", "KbQb/NbKr first -/- - -");
    assert_eq!(legal(&figures), "Kb Kb! Qb Qb!");
    let french = position("rael+pinochle+kings-privilege", "KcQc/JcKd first -/- - -");
    assert_eq!(legal(&french), "Kc Kc! Qc", "the privilege belongs to the rank with the name king");
    let always = position("sackson+kings-privilege", "KcQc/7cKd first -/- - -");
    assert_eq!(legal(&always), "Kc Qc");
    assert_eq!(legal(&after(&always, "Kc")), "Kd");
}

/// Returns the cards of a rule set's deck as text, with one string for each suit.
fn deck(name: &str) -> Vec<String> {
    let rules = rules(name);
    let deck = rules.deck();
    let suits = deck.cards().chunk_by(|a, b| a.suit == b.suit);
    suits
        .map(|cards| {
            cards.iter().map(|c: &Card| deck.card_text(*c).to_string()).collect::<String>()
        })
        .collect()
}

#[test]
fn the_decks_equal_the_table_of_the_rules() {
    let single = ["AcTcKcQc7c", "AsTsKsQs7s", "AhThKhQh7h", "AdTdKdQd7d"];
    let double = ["AcTcKc7c7c", "AsTsKsKs7s", "AhThThKh7h", "AdAdTdKd7d"];
    for base in ["sackson", "pagat", "denexa", "bga"] {
        assert_eq!(deck(base), single);
        assert_eq!(deck(&format!("{base}+double")), double);
    }
    assert_eq!(deck("rael"), ["KbQbRbBbNb", "KgQgRgBgNg", "KyQyRyByNy", "KrQrRrBrNr"]);
    assert_eq!(deck("rael+double"), ["KbQbRbNbNb", "KgQgRgRgNg", "KyQyQyRyNy", "KrKrQrRrNr"]);
    let pinochle =
        |suit: char| "AATTKKQQJJ99".chars().flat_map(|rank| [rank, suit]).collect::<String>();
    for base in BASES {
        assert_eq!(deck(&format!("{}+pinochle", base.name)), ['c', 's', 'h', 'd'].map(pinochle));
    }
}

#[test]
fn the_values_and_names_equal_the_table_of_the_rules() {
    let values = |name: &str| {
        let faces = rules(name).deck().ranks().to_vec();
        faces.into_iter().map(|face| (face.letter, face.value, face.name)).collect::<Vec<_>>()
    };
    let expect = |faces: &[(char, u16, &str)]| {
        faces.iter().map(|(l, v, n)| (*l, *v, (*n).to_owned())).collect::<Vec<_>>()
    };
    let single = [
        ('A', 11, "ace"),
        ('T', 10, "ten"),
        ('K', 4, "king"),
        ('Q', 3, "queen"),
        ('7', 7, "seven"),
    ];
    let chess = [
        ('K', 11, "king"),
        ('Q', 10, "queen"),
        ('R', 7, "rook"),
        ('B', 4, "bishop"),
        ('N', 3, "knight"),
    ];
    let pinochle = [
        ('A', 11, "ace"),
        ('T', 10, "ten"),
        ('K', 4, "king"),
        ('Q', 3, "queen"),
        ('J', 2, "jack"),
        ('9', 9, "nine"),
    ];
    for name in ["sackson", "pagat", "denexa", "bga", "sackson+double"] {
        assert_eq!(values(name), expect(&single));
    }
    assert_eq!(values("rael"), expect(&chess));
    assert_eq!(values("rael+double"), expect(&chess));
    assert_eq!(values("rael+pinochle"), expect(&pinochle));
    let suits = |name: &str| {
        let faces = rules(name).deck().suits().to_vec();
        faces.into_iter().map(|face| face.name).collect::<Vec<_>>()
    };
    assert_eq!(suits("sackson+pinochle"), ["clubs", "spades", "hearts", "diamonds"]);
    assert_eq!(suits("rael"), ["blue", "green", "yellow", "red"]);
}

#[test]
fn the_numbers_of_deals_equal_the_text_of_the_rules() {
    for name in ["sackson", "rael", "bga+double"] {
        assert_eq!(Dealt::count(&rules(name)), 184_756);
    }
    assert_eq!(Dealt::count(&rules("sackson+pinochle")), 32_247_603_683_100);
    let first = |name: &str, number| {
        let game = played(name, number, "");
        game.rules().deck().cards_text(game.position().hand(Seat::First), "")
    };
    assert_eq!(first("sackson", 0), "AcTcKcQc7cAsTsKsQs7s");
    assert_eq!(first("sackson", 184_755), "AhThKhQh7hAdTdKdQd7d");
    assert_eq!(first("sackson", 1), "AcTcKcQc7cAsTsKsQsAh", "the highest slot moves first");
}

#[test]
fn rule_sets_are_named_by_base_and_variations() {
    let cases = [
        ("sackson", "sackson"),
        ("sackson+double", "sackson+double"),
        ("pagat+free-move+kings-privilege", "pagat+free-move+kings-privilege"),
        ("pagat+kings-privilege+free-move", "pagat+free-move+kings-privilege"),
        ("sackson+pinochle", "sackson+pinochle"),
        ("rael+kings-privilege", "rael+kings-privilege"),
        ("rael+double", "rael+double"),
        ("bga+no-foreplacing", "bga"),
        ("denexa+kings-privilege+figure-privilege", "denexa+figure-privilege"),
    ];
    for (asked, name) in cases {
        assert_eq!(RuleSet::named(asked).unwrap().name(), name);
    }
    let faults = [
        ("", "the name of a rule set is missing: use sackson, pagat, denexa, bga or rael"),
        ("+bogus", "the name of a rule set is missing: use sackson, pagat, denexa, bga or rael"),
        ("chess", "there is no rule set `chess`: use sackson, pagat, denexa, bga or rael"),
        (
            "pinochle+sackson",
            "`pinochle` is a variation of a rule set: write for example sackson+pinochle",
        ),
        (
            "+double+free-move",
            "`double` is a variation of a rule set: write for example sackson+double",
        ),
        (
            "sackson+double+pinochle",
            "the variations `double` and `pinochle` both replace the deck: choose one of them",
        ),
        (
            "bga+double+figure-privilege",
            "the variation `figure-privilege` needs a queen, which the deck does not have: leave the variation out",
        ),
    ];
    for (asked, fault) in faults {
        assert_eq!(RuleSet::named(asked).unwrap_err().to_string(), fault);
    }
    for asked in ["bga+", "bga++double", "bga+double+ "] {
        let empty = RuleSet::named(asked).unwrap_err().to_string();
        let fault =
            "the name of a rule set has nothing after a `+`: leave the `+` out, or add double, ";
        assert!(empty.starts_with(fault), "{empty}");
    }
    let unknown = RuleSet::named("sackson+tripple").unwrap_err().to_string();
    assert!(unknown.starts_with("there is no variation `tripple`: use double, "), "{unknown}");
    assert_eq!(BASES[0].name, "sackson", "the default");
}

#[test]
fn every_combination_of_names_gives_one_rule_set_or_a_reason() {
    let catalogue = catalogue();
    let (mut valid, mut refused) = (0, 0);
    let mut found = BTreeSet::new();
    for base in BASES {
        for chosen in 0..1_u32 << VARIATIONS.len() {
            let picked = VARIATIONS.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1);
            let name =
                picked.fold(base.name.to_owned(), |name, (_, v)| format!("{name}+{}", v.name));
            match RuleSet::named(&name) {
                Ok(rules) => {
                    let known = catalogue.iter().filter(|known| ***known == rules).count();
                    assert_eq!(known, 1, "{name}");
                    assert_eq!(RuleSet::named(rules.name()).as_ref(), Ok(&rules), "{name}");
                    assert_eq!(rules.rounds(), if base.name == "rael" { 3 } else { 2 });
                    found.insert(rules.name().to_owned());
                    valid += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    // A rule set name is refused if two of its variations replace the deck. A name is also refused if it combines the figure privilege
    // with a double deck without queens.
    let names = 1 << VARIATIONS.len();
    assert_eq!(refused, BASES.len() * names / 4 + (BASES.len() - 1) * names / 8);
    assert_eq!(valid + refused, BASES.len() * names);
    assert_eq!(
        catalogue.iter().map(|rules| rules.name().to_owned()).collect::<BTreeSet<_>>(),
        found
    );
}

#[test]
fn a_match_has_four_games_and_in_rael_six() {
    for (name, games) in [("sackson", 4), ("pagat", 4), ("denexa", 4), ("bga", 4), ("rael", 6)] {
        let mut deals = overmate_rules::SeededDeals::new(1);
        let contest = overmate_rules::Match::new(&rules(name), &mut deals);
        assert_eq!(contest.length(), games, "{name}");
        assert_eq!(contest.deals().len() * 2, usize::from(games), "each deal is played twice");
    }
}
