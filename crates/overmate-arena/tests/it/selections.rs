//! Tests arenas with selected pairings, such as gauntlets, and arenas with a given list of deals.

use std::sync::{Arc, Mutex};

use overmate_arena::{
    Arena, ArenaError, ArenaOptions, Entrant, MatchId, Observer, Pairings, PlayedMatch,
};
use overmate_rules::{Deal, Dealt, RuleSet};

use crate::Chancer;

fn players() -> Vec<Arc<dyn Entrant>> {
    [("strong", 100), ("weak", 0), ("middling", 50)]
        .map(|(name, looks)| Chancer::player(name, looks))
        .into()
}

fn rules() -> Arc<RuleSet> {
    RuleSet::named("bga").unwrap().shared()
}

fn options() -> ArenaOptions {
    ArenaOptions::default().with_pairs(10).with_seed(7).with_threads(2)
}

fn listed(numbers: impl IntoIterator<Item = u64>) -> Arc<[Dealt]> {
    let rules = rules();
    numbers.into_iter().map(|number| Deal::numbered(&rules, number).unwrap()).collect()
}

/// Plays all matches of an arena, and returns the id of each match with its deal numbers.
fn matches(options: ArenaOptions) -> Vec<(MatchId, Vec<u64>)> {
    let arena = Arena::new(rules(), players(), options).unwrap();
    let found = Mutex::new(Vec::new());
    let keep = |id: MatchId, played: &PlayedMatch| {
        let games = played.state.games().iter();
        let deals = games.map(|game| game.dealt().number()).collect();
        found.lock().unwrap().push((id, deals));
        std::ops::ControlFlow::Continue(())
    };
    arena.run([], &Observer::default().on_played(&keep)).unwrap();
    found.into_inner().unwrap()
}

#[test]
fn an_arena_has_the_matches_of_the_selected_pairings_and_no_others() {
    let run = |options| {
        Arena::new(rules(), players(), options).unwrap().run([], &Observer::default()).unwrap()
    };
    let all = run(options());
    assert_eq!(all.len(), 3);
    let selections = [
        (Pairings::OfFirst, vec![[0, 1], [0, 2]]),
        (Pairings::Listed([[1, 2], [0, 1]].into()), vec![[0, 1], [1, 2]]),
        (Pairings::Listed([].into()), vec![]),
    ];
    for (selected, expected) in selections {
        let results = run(options().with_pairings(selected.clone()));
        let pairings: Vec<_> = results.iter().map(|result| result.players).collect();
        assert_eq!(pairings, expected);
        for result in &results {
            assert_eq!(result.matches(), 20);
            assert!(all.contains(result), "{result:?}");
        }
        let played = matches(options().with_pairings(selected));
        assert_eq!(played.len(), 20 * expected.len());
        let players = played.iter().map(|(id, _)| [id.players.a, id.players.b]);
        assert!(players.into_iter().all(|[a, b]| expected.contains(&[a.min(b), a.max(b)])));
    }
}

#[test]
fn a_listed_pairing_without_two_entrants_is_refused() {
    for pairing in [[1, 1], [2, 0], [0, 3]] {
        let listed = Pairings::Listed([[0, 1], pairing].into());
        let fault = Arena::new(rules(), players(), options().with_pairings(listed)).err();
        assert_eq!(fault, Some(ArenaError::NoSuchPairing { pairing, players: 3 }));
    }
}

#[test]
fn listed_deals_are_played_in_their_order_by_all_pairings() {
    // A match of four games has two deals, each of which is played twice.
    let numbers: Vec<u64> = (0..20).map(|number| number * 9_001 % 184_756).collect();
    let played = matches(options().with_deals(Some(listed(numbers.clone()))));
    assert_eq!(played.len(), 60);
    for (id, deals) in &played {
        let at = usize::try_from(2 * id.pair).unwrap();
        let (one, other) = (numbers[at], numbers[at + 1]);
        assert_eq!(*deals, [one, one, other, other], "{id:?}");
    }
}

#[test]
fn a_list_that_is_too_short_or_of_other_rules_is_refused() {
    let fault = |options| Arena::new(rules(), players(), options).err();
    assert_eq!(fault(options().with_deals(Some(listed(0..20)))), None);
    let short = fault(options().with_deals(Some(listed(0..19))));
    assert_eq!(short, Some(ArenaError::TooFewDeals { deals: 19, pairs: 10, rounds: 2 }));
    let other = Deal::numbered(&RuleSet::named("sackson").unwrap().shared(), 5).unwrap();
    let mixed: Vec<Dealt> = listed(0..19).iter().cloned().chain([other]).collect();
    let mixed = fault(options().with_deals(Some(mixed.into())));
    assert_eq!(mixed, Some(ArenaError::OtherRules { number: 20, rules: "sackson".to_owned() }));
}
