//! Tests that positions of random games stay equal after the conversion to a text and back, and to a `PositionSetup` and back. Also tests
//! the faults of invalid positions, and the search for a game that leads to a position.

use overmate_rules::{
    Foreplaced, Game, Lead, Phase, Position, PositionFault, PositionSetup, RuleSet, Seat,
};

use crate::chance::{Chance, catalogue, rules};

fn read(rules: &std::sync::Arc<RuleSet>, text: &str) -> Position {
    let setup = rules.read_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    setup.validate(rules).unwrap_or_else(|faults| panic!("{text}: {faults}"))
}

#[test]
fn every_reached_position_is_written_and_read_and_set_up() {
    let mut chance = Chance(11);
    let (mut positions, mut over) = (0, 0);
    for rules in catalogue() {
        for _ in 0..12 {
            let patience = chance.below(30);
            let end = chance.game(&rules, patience);
            for keep in 0..=end.actions().len() {
                let game = end.after(keep);
                let position = game.position();
                let text = position.to_string();
                assert!(!text.contains('\n'));
                let again = read(&rules, &text);
                assert_eq!(&again, position, "{text}");
                assert_eq!(again.to_string(), text);
                assert_eq!(again.outcome(), game.outcome());
                assert!(again.legal_actions().eq(game.legal_actions()));
                let setup = PositionSetup::of(position);
                assert_eq!(&setup.validate(&rules).unwrap(), position, "{text}");
                assert_eq!(rules.read_position(&text).unwrap(), setup, "{text}");
                // A position set-up gives the same position for each order of the cards in a hand.
                let mut shuffled = setup.clone();
                shuffled.hands.first.reverse();
                assert_eq!(&shuffled.validate(&rules).unwrap(), position, "{text}");
                let spaced = format!("  {} \n", text.replace(' ', "\t "));
                assert_eq!(&read(&rules, &spaced), position, "{spaced}");
                positions += 1;
                over += usize::from(game.outcome().is_some());
            }
        }
    }
    assert_eq!(over, catalogue().len() * 12);
    assert!(positions > 25_000, "{positions} positions");
}

#[test]
fn a_position_from_a_set_up_plays_on_like_its_game() {
    let mut chance = Chance(12);
    let mut games = 0;
    for rules in catalogue() {
        for _ in 0..6 {
            let end = chance.game(&rules, 25);
            let keep = chance.below(end.actions().len() + 1);
            let mut position = read(&rules, &end.after(keep).position().to_string());
            for &action in &end.actions()[keep..] {
                position = position.play(action).unwrap();
            }
            assert_eq!(&position, end.position(), "{end}");
            games += 1;
        }
    }
    assert_eq!(games, catalogue().len() * 6);
}

#[test]
fn the_text_of_a_position_never_changes() {
    let cases = [
        ("sackson", "AcTc7s/KcQs7h first (Kh)/(Td) - -"),
        ("sackson", "AcTc/KcQs7h first (Kh)/(Td) 7d -"),
        ("sackson", "Kc/Ac7d second (Ts)/- - -"),
        ("sackson", "-/- second (Ts)/- - -"),
        ("pagat+free-move", "Ac/Kc7d first -/- Ks used"),
        ("rael+kings-privilege", "Qr/RbNr first -/- Kb! -"),
        ("sackson+double", "7c7cKsKsAdAd/AcTcTsThThKd first -/- - -"),
    ];
    for (name, text) in cases {
        assert_eq!(read(&rules(name), text).to_string(), text, "{name}");
    }
    let start = "AcTcKcQc7cAsTsKsQs7s/AhThKhQh7hAdTdKdQd7d first ?/? - -";
    let game = Game::new(overmate_rules::Deal::numbered(&rules("denexa"), 0).unwrap());
    assert_eq!(game.position().to_string(), start);
}

/// Parses an invalid position, and returns the names of its faults.
fn faults(name: &str, text: &str) -> Vec<String> {
    let rules = rules(name);
    let setup = rules.read_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let Err(faults) = setup.validate(&rules) else { panic!("{text} is valid") };
    assert!(!faults.to_string().is_empty());
    let names = faults.0.iter().map(|fault| format!("{fault:?}"));
    names.map(|text| text.split([' ', '{']).next().unwrap().to_owned()).collect()
}

#[test]
fn wrong_positions_report_all_faults() {
    let ten = "AcTcKcQc7cAsTsKsQs7s";
    let others = "AhThKhQh7hAdTdKdQd7d";
    let cases: &[(&str, &str, &[&str])] = &[
        ("sackson", "Ac/- first -/- - -", &["Sizes"]),
        ("sackson", "Ac/KcQc first -/- - -", &["Sizes"]),
        ("sackson", "AcTc/KcQc first (Kh)/- - -", &["Sizes"]),
        ("sackson", "Ac/Ac first -/- - -", &["TooMany"]),
        ("sackson", "Ac/Kc first (Ac)/(Td) - -", &["TooMany"]),
        ("sackson", "-/Kc first -/- Kc -", &["TooMany"]),
        ("sackson", "Ac/Kc first (Kh)/(Th) - -", &["Restricted"]),
        ("pagat", "Ac/Kc first (Kh)/(Kd) - -", &["Restricted"]),
        ("sackson", "Ac/Kc first (?)/(Th) - -", &["FaceDown"]),
        ("denexa", "Ac/Kc first (?)/(?) - -", &["FaceDown", "FaceDown"]),
        ("bga", "Ac/Kc first (Kh)/(Td) - -", &["NoForeplacing"]),
        ("sackson", "Ac/Kc first ?/- - -", &["SecondBeforeFirst"]),
        ("bga", "Ac/Kc first ?/? - -", &["NoForeplacing"]),
        ("sackson", "Ac/Kc first -/? - -", &["Sizes"]),
        ("sackson", "Ac/KcQh first -/- Kd! -", &["NothingToDemand"]),
        ("rael+kings-privilege", "-/Kb first -/- Qb! -", &["NothingToDemand"]),
        ("sackson+double", "Ac/Qc first -/- - -", &["NotInDeck"]),
        ("sackson+double", "AcAd/AdAd first -/- - -", &["TooMany"]),
        ("sackson", "-/AcTc first -/- - -", &["Sizes"]),
        ("sackson", "Ac/Tc first (Ts)/(Kd) Th -", &["Sizes"]),
    ];
    let mut count = 0;
    for (name, text, expected) in cases {
        let found = faults(name, text);
        assert_eq!(&found, expected, "{name}: {text}");
        count += 1;
    }
    assert_eq!(count, 20);
    let starts = [
        ("sackson", "second -/- - -", "WrongLeader"),
        ("sackson", "second ?/? - -", "WrongLeader"),
        ("sackson+free-move", "first -/- - used", "FreeMoveUsed"),
        ("sackson", "first ?/- - -", "SecondBeforeFirst"),
    ];
    for (name, rest, expected) in starts {
        assert_eq!(faults(name, &format!("{ten}/{others} {rest}")), [expected], "{rest}");
    }
    let lead = format!("{}/{others} first ?/? Ac -", &ten[2..]);
    assert_eq!(faults("sackson", &lead), ["LeadBeforeForeplacing"]);
    // The validation of a position with three independent kinds of faults reports all faults together.
    let three = format!("{ten}/{others} second (Kh)/(Kd) - -");
    assert_eq!(faults("sackson", &three), ["TooMany", "TooMany", "Restricted", "Sizes"]);
}

#[test]
fn a_set_up_with_foreign_cards_is_refused() {
    let pinochle = rules("sackson+pinochle");
    let single = rules("sackson");
    let mut chance = Chance(13);
    let mut setup = PositionSetup::of(chance.game(&pinochle, 0).after(0).position());
    let Err(faults) = setup.validate(&single) else { panic!("48 cards are not 20") };
    let strangers =
        faults.0.iter().filter(|f| matches!(f, PositionFault::NotInDeck { .. })).count();
    assert_eq!(strangers, 4, "the nines: {faults}");
    setup.foreplaced.first = Foreplaced::FaceDown;
    setup.lead = Some(Lead { card: setup.hands.first[0], demanded: true });
    assert!(setup.validate(&pinochle).is_err());
}

#[test]
fn the_phase_of_a_position_follows_from_its_set_up() {
    let cases = [
        ("Kc/Ac7d second (Ts)/- - -", Phase::Lead(Seat::Second)),
        ("-/KcAd first (Ts)/- Kd -", Phase::Follow(Seat::Second)),
        ("-/Qc7s first (Ts)/- Kd -", Phase::Over),
        ("-/- second (Ts)/- - -", Phase::Over),
        ("-/- second (Ts)/(Kc) - -", Phase::Over),
        ("Qc/7s second (Ts)/(Kc) - -", Phase::Lead(Seat::Second)),
    ];
    let rules = rules("sackson");
    for (text, phase) in cases {
        assert_eq!(read(&rules, text).phase(), phase, "{text}");
    }
}

#[test]
fn a_game_is_found_that_leads_to_every_reached_position() {
    let mut chance = Chance(14);
    let (mut found, mut after_moves) = (0, 0);
    for rules in catalogue() {
        let patience = chance.below(30);
        let end = chance.game(&rules, patience);
        for keep in (chance.below(3)..end.actions().len()).step_by(3) {
            let position = end.after(keep).position().clone();
            let text = position.to_string();
            let deal =
                position.possible_deal().unwrap_or_else(|| panic!("{}: {text}", rules.name()));
            let deck = rules.deck();
            let owned = PositionSetup::of(&position).hands;
            for (seat, hand) in [(Seat::First, &owned.first), (Seat::Second, &owned.second)] {
                let dealt: Vec<_> = deck.cards_of(deal.hands()[seat]).collect();
                let count = |cards: &[_], card| cards.iter().filter(|held| **held == card).count();
                assert!(
                    hand.iter().all(|card| count(&dealt, *card) >= count(hand, *card)),
                    "{text}"
                );
            }
            let game = Game::leading_to(&position);
            let game = game.unwrap_or_else(|| panic!("{}: no game leads to {text}", rules.name()));
            assert_eq!(*game.position(), position, "{text}");
            found += 1;
            after_moves += usize::from(position.moves() > 4);
        }
        assert!(Game::leading_to(end.position()).is_none(), "the game is over: {end}");
    }
    assert!(found > 300 && after_moves > 50, "{found} positions, {after_moves} late ones");
}

#[test]
fn no_game_leads_to_a_position_that_play_cannot_reach() {
    let rules = rules("bga");
    // The ace of clubs and the king of spades were played, and neither card can answer the other.
    let position = read(&rules, "TcKcQc7cAsTsQs7sAh/ThKhQh7hAdTdKdQd7d first -/- - -");
    assert!(Game::leading_to(&position).is_none());
}
