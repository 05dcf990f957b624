//! Tests that valid custom rule sets can be written, parsed and played.

use overmate_rules::{
    Card, Face, Foreplacing, OvermateFor, Privilege, Rank, RankFace, RuleSet, RuleSetDraft,
    SoleReward, Suit, SuitFace,
};

use crate::chance::{Chance, catalogue, rules};

#[test]
fn every_rule_set_of_the_catalogue_is_written_and_read_back() {
    let mut count = 0;
    for rules in catalogue() {
        let toml = rules.to_toml();
        assert_eq!(RuleSet::from_toml(&toml).as_ref(), Ok(rules.as_ref()), "{toml}");
        assert_eq!(RuleSet::new(rules.draft()).as_ref(), Ok(rules.as_ref()));
        count += 1;
    }
    assert_eq!(count, catalogue().len());
}

#[test]
fn the_toml_form_of_a_rule_set_never_changes() {
    let toml = r#"name = "rael+kings-privilege"
rounds = 3
free_move = false

[deck]
suits = [
  { letter = "b", name = "blue" },
  { letter = "g", name = "green" },
  { letter = "y", name = "yellow" },
  { letter = "r", name = "red" },
]
ranks = [
  { letter = "K", name = "king", value = 11 },
  { letter = "Q", name = "queen", value = 10 },
  { letter = "R", name = "rook", value = 7 },
  { letter = "B", name = "bishop", value = 4 },
  { letter = "N", name = "knight", value = 3 },
]
cards = [
  "Kb Qb Rb Bb Nb",
  "Kg Qg Rg Bg Ng",
  "Ky Qy Ry By Ny",
  "Kr Qr Rr Br Nr",
]

[foreplacing]
face = "up"
second_restricted = false
sole = "doubled"
overmate = "nobody"

[privilege]
ranks = ["K"]
on_demand = true
"#;
    assert_eq!(rules("rael+kings-privilege").to_toml(), toml);
}

#[test]
fn missing_optional_keys_have_their_defaults() {
    let toml = r#"
        name = "small"
        [deck]
        suits = [{ letter = "a", name = "apples" }, { letter = "p", name = "pears", symbol = "🍐" }]
        ranks = [{ letter = "X", name = "ex", value = 1_000 }, { letter = "2", name = "two", value = 0x2 }]
    "#;
    let small = RuleSet::from_toml(toml).unwrap();
    assert_eq!((small.rounds(), small.free_move(), small.hand_size()), (2, false, 2));
    assert_eq!((small.foreplacing(), small.privilege()), (None, None));
    assert_eq!(
        small.deck().cards_text(small.deck().all(), " "),
        "Xa 2a Xp 2p",
        "the deck has one copy of each card"
    );
    assert_eq!(small.deck().value(small.deck().read_card("X🍐").unwrap()), 1000);
    // Games with two cards in each hand end after at most two moves.
    let shared = small.shared();
    let mut chance = Chance(71);
    for _ in 0..50 {
        let game = chance.game(&shared, 0);
        assert!(game.moves().len() <= 2);
        assert_eq!(RuleSet::from_toml(&shared.to_toml()).as_ref(), Ok(shared.as_ref()));
    }
}

/// Returns a random draft of a valid custom rule set.
fn draft(chance: &mut Chance) -> RuleSetDraft {
    let suits = 1 + chance.below(26);
    let ranks = 1 + chance.below(34);
    let name = |chance: &mut Chance| {
        chance.of(&["a\"b\\", "♣ é", "x", "[deck]", "'", "#", "\u{feff}x"]).to_owned()
    };
    let mut letters: Vec<char> = ('a'..='z').collect();
    let suits: Vec<SuitFace> = (0..suits)
        .map(|i| SuitFace {
            letter: letters.remove(chance.below(letters.len())),
            name: name(chance),
            symbol: chance.one_in(2).then(|| "♣♠♥♦★☆●○◆◇■□▲△▼▽αβγδεζηθικ".chars().nth(i).unwrap()),
        })
        .collect();
    letters = ('A'..='Z').chain('2'..='9').collect();
    let ranks: Vec<RankFace> = (0..ranks)
        .map(|_| RankFace {
            letter: letters.remove(chance.below(letters.len())),
            name: name(chance),
            value: u16::try_from(1 + chance.below(1000)).unwrap(),
        })
        .collect();
    let place = |chance: &mut Chance, n: usize| u8::try_from(chance.below(n)).unwrap();
    let card = |chance: &mut Chance| Card {
        suit: Suit(place(chance, suits.len())),
        rank: Rank(place(chance, ranks.len())),
    };
    let cards: Vec<Card> = (0..4 + 2 * chance.below(29)).map(|_| card(chance)).collect();
    let face = chance.of(&[Face::Up, Face::Down]);
    let foreplacing = Foreplacing {
        face,
        second_restricted: face == Face::Up && chance.one_in(2),
        sole: chance.of(&[SoleReward::OneMoveMore, SoleReward::Doubled]),
        overmate: chance.of(&[OvermateFor::Nobody, OvermateFor::Foreplacer, OvermateFor::Either]),
    };
    let mut privileged = vec![chance.of(&cards).rank, chance.of(&cards).rank];
    privileged.dedup();
    let privilege = Privilege { ranks: privileged, on_demand: chance.one_in(2) };
    let mut draft = RuleSetDraft::new(name(chance), suits, ranks);
    draft.foreplacing = (!chance.one_in(4)).then_some(foreplacing);
    draft.privilege = chance.one_in(2).then_some(privilege);
    draft.free_move = chance.one_in(2);
    draft.rounds = 1 + u8::try_from(chance.below(100)).unwrap();
    draft.cards = cards;
    draft
}

#[test]
fn every_valid_custom_rule_set_is_written_read_and_played() {
    let mut chance = Chance(72);
    let (mut count, mut large) = (0, 0);
    for _ in 0..400 {
        let rules = RuleSet::new(draft(&mut chance)).unwrap().shared();
        let toml = rules.to_toml();
        assert_eq!(RuleSet::from_toml(&toml).as_ref(), Ok(rules.as_ref()), "{toml}");
        let game = chance.game(&rules, 5);
        let text = game.position().to_string();
        let setup = rules.read_position(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(setup.validate(&rules).as_ref(), Ok(game.position()), "{text}");
        assert!(game.moves().len() <= usize::from(rules.hand_size()));
        count += 1;
        large += usize::from(rules.hand_size() > 24);
    }
    assert_eq!(count, 400);
    assert!(large > 50, "{large}");
}
