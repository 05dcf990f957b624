//! Tests that the values in a deal table are consistent, and that the table has no values for positions of other deals.

use overmate_rules::{Card, Deal, Foreplaced, Position, PositionSetup, RuleSet, Seat};
use overmate_solver::{DealTable, MAX_TABLE_HAND, TooManyCards, ValueForFirst};

use crate::both::catalogue;
use crate::chance::{Chance, rules};

#[test]
fn a_table_value_equals_the_best_action() {
    let mut chance = Chance(20);
    let mut positions = 0;
    for rules in catalogue() {
        for _ in 0..4 {
            let mut game = chance.game(&rules);
            let table = DealTable::with_all_cards_open(game.dealt()).unwrap();
            while let Some(seat) = game.to_act() {
                let position = game.position();
                let value = table.value_for_first(position).unwrap();
                let actions = table.action_values(position).unwrap();
                let listed: Vec<_> = actions.iter().map(|(action, _)| *action).collect();
                assert_eq!(listed, position.legal_actions().collect::<Vec<_>>());
                let best = actions.iter().map(|(_, value)| value.for_seat(seat)).max();
                assert_eq!(best, Some(value.for_seat(seat)), "{position:?}");
                let action = chance.action(position, 20);
                game = game.play(action).unwrap();
                positions += 1;
            }
            let outcome = game.outcome().unwrap();
            assert_eq!(table.value_for_first(game.position()), Some(outcome.into()));
            assert_eq!(table.action_values(game.position()), Some(Vec::new()));
        }
    }
    assert!(positions > 4_000, "{positions}");
}

/// Returns a copy of a position in which *first* and *second* have exchanged hands, foreplaced cards, and the roles of leader and follower.
/// Returns `None` if no move of the game is complete yet.
fn exchanged(position: &Position) -> Option<Position> {
    let setup = PositionSetup::of(position);
    let swapped = PositionSetup {
        hands: overmate_rules::BySeat { first: setup.hands.second, second: setup.hands.first },
        leader: !setup.leader,
        foreplaced: overmate_rules::BySeat {
            first: setup.foreplaced.second,
            second: setup.foreplaced.first,
        },
        ..setup
    };
    (position.moves() > 0).then(|| swapped.validate(position.rules()).unwrap())
}

#[test]
fn exchanging_the_seats_negates_the_value() {
    let mut chance = Chance(21);
    let mut positions = 0;
    for rules in catalogue() {
        for _ in 0..3 {
            let mut game = chance.game(&rules);
            let table = DealTable::with_all_cards_open(game.dealt()).unwrap();
            let cards =
                |seat| rules.deck().cards_of(game.dealt().hands()[seat]).collect::<Vec<Card>>();
            let swapped = Deal { first: cards(Seat::Second), second: cards(Seat::First) };
            let swapped = swapped.validate(&rules).unwrap();
            let swapped = DealTable::with_all_cards_open(&swapped).unwrap();
            while game.outcome().is_none() {
                if let Some(position) = exchanged(game.position()) {
                    let value = table.value_for_first(game.position()).unwrap();
                    assert_eq!(swapped.value_for_first(&position), Some(-value), "{position:?}");
                    positions += 1;
                }
                let action = chance.action(game.position(), 20);
                game = game.play(action).unwrap();
            }
        }
    }
    assert!(positions > 2_500, "{positions}");
}

#[test]
fn positions_of_other_deals_have_no_value() {
    let mut chance = Chance(22);
    let (mut other_deals, mut same_hands) = (0, 0);
    for name in ["sackson", "sackson+double", "bga", "denexa+free-move"] {
        let rules = rules(name);
        let other_rules = RuleSet::named(&format!("{name}+kings-privilege")).unwrap().shared();
        let equal_rules = RuleSet::named(name).unwrap().shared();
        for _ in 0..60 {
            let dealt = chance.deal(&rules);
            let table = DealTable::with_all_cards_open(&dealt).unwrap();
            assert_eq!((table.rules(), table.dealt()), (&rules, &dealt));
            let start = Position::start(&Deal::numbered(&equal_rules, dealt.number()).unwrap());
            assert!(table.value_for_first(&start).is_some());
            let of_other_rules =
                Position::start(&Deal::numbered(&other_rules, dealt.number()).unwrap());
            assert_eq!(table.value_for_first(&of_other_rules), None);
            assert_eq!(table.action_values(&of_other_rules), None);

            let game = chance.game(&rules);
            if *game.dealt() == dealt {
                continue;
            }
            let down = 1 + u32::try_from(chance.below(3)).unwrap();
            let game = chance.play_down(game, down, 30);
            let position = game.position();
            // A late position of another deal may be a position of this deal too, if the cards of each seat in the position are among the
            // cards that this deal gives to the seat.
            let has_all = Seat::BOTH.into_iter().all(|seat| {
                let mut own: Vec<Card> = rules.deck().cards_of(dealt.hands()[seat]).collect();
                let mut needed = position.hand_cards(seat);
                needed
                    .extend(position.lead().filter(|_| position.leader() == seat).map(|l| l.card));
                if let Foreplaced::Card(card) = position.foreplaced(seat) {
                    needed.push(card);
                }
                needed.into_iter().all(|card| {
                    let place = own.iter().position(|held| *held == card);
                    place.map(|i| own.swap_remove(i)).is_some()
                })
            });
            assert_eq!(table.value_for_first(position).is_some(), has_all, "{position:?}");
            assert_eq!(table.action_values(position).is_some(), has_all);
            other_deals += u32::from(!has_all);
            same_hands += u32::from(has_all);
        }
    }
    assert!(other_deals > 100 && same_hands > 10, "{other_deals} {same_hands}");
}

#[test]
fn a_played_card_of_another_deal_has_no_value() {
    let rules = rules("sackson");
    let dealt = Deal::numbered(&rules, 0).unwrap();
    let table = DealTable::with_all_cards_open(&dealt).unwrap();
    // In the deal with the number 0, *first* holds all clubs and spades.
    let value = |text: &str| {
        let setup = rules.read_position(text).unwrap();
        table.value_for_first(&setup.validate(&rules).unwrap())
    };
    assert_eq!(value("AcTc/AhKh7d first -/- Qs -"), Some(ValueForFirst::new(3 * 8)));
    assert_eq!(value("AcTc/AhKh7d first -/- Qd -"), None, "the led card was dealt to second");
    assert_eq!(
        value("AcTc/Ah7d first (Th)/(Qd) - -"),
        None,
        "the card foreplaced by first was dealt to second"
    );
    assert!(value("AcTc/Ah7d first (7c)/(Qd) - -").is_some());
}

#[test]
fn large_decks_have_no_table() {
    let pinochle = rules("sackson+pinochle");
    let error = DealTable::with_all_cards_open(&Chance(23).deal(&pinochle)).unwrap_err();
    assert_eq!(error, TooManyCards { hand_size: 24 });
    assert_eq!(
        error.to_string(),
        format!("a deal table holds at most {MAX_TABLE_HAND} cards a hand, not 24")
    );
}
