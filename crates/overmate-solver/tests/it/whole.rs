//! Tests the solution of all positions of a rule set: the solver kernels against each other, and the values against deal tables.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use overmate_rules::{
    BySeat, CardSet, Deal, Dealt, Foreplaced, Game, PositionSetup, RuleSet, Seat,
};
use overmate_solver::whole::{WholeError, WholeGame, WholeOptions};
use overmate_solver::{DealTable, Kernel, Progress};

use crate::chance::{Chance, rules};

/// Returns every implementation of the solver's inner loops that the current processor supports.
fn kernels() -> Vec<Kernel> {
    Kernel::ALL.into_iter().filter(|kernel| kernel.is_supported()).collect()
}

fn solve(rules: &Arc<RuleSet>, threads: usize, kernel: Kernel) -> WholeGame {
    WholeGame::solve(
        rules,
        WholeOptions::default().with_threads(threads).with_kernel(kernel),
        &Progress::default(),
    )
    .unwrap()
}

/// Returns the catalogue rule set `name` with only the first `suits` suits and the first `ranks` ranks of its deck.
fn reduced(name: &str, suits: usize, ranks: usize) -> Arc<RuleSet> {
    let mut draft = rules(name).draft();
    draft.cards.retain(|card| usize::from(card.suit.0) < suits && usize::from(card.rank.0) < ranks);
    RuleSet::new(draft).unwrap().shared()
}

/// Returns small rule sets that together use every optional rule.
fn small_rule_sets() -> Vec<Arc<RuleSet>> {
    let names = [
        "bga",
        "bga+free-move+kings-privilege",
        "sackson",
        "sackson+double+kings-privilege",
        "sackson+free-move+figure-privilege",
        "pagat+double+free-move",
        "denexa+figure-privilege",
        "rael",
        "rael+double+free-move+figure-privilege",
        "rael+kings-privilege",
    ];
    let mut sets: Vec<_> = names.iter().map(|name| reduced(name, 2, 5)).collect();
    sets.extend(["sackson", "rael+free-move+figure-privilege"].map(|name| reduced(name, 3, 4)));
    sets
}

#[test]
fn position_counts_equal_the_trinomial_sums() {
    let (equal, unequal) = (377_379_369, 363_985_660);
    assert_eq!(WholeGame::positions_of(&rules("bga")), equal);
    assert_eq!(WholeGame::positions_of(&rules("sackson")), equal + 2 * unequal);
    assert_eq!(WholeGame::positions_of(&rules("rael+free-move")), 2 * (equal + 2 * unequal));
}

#[test]
fn all_kernels_and_thread_counts_give_the_same_bytes() {
    let sets = small_rule_sets();
    for rules in &sets {
        let portable = solve(rules, 1, Kernel::Portable);
        let facts = (portable.layer_facts(), portable.deal_facts());
        for (kernel, threads) in kernels().into_iter().flat_map(|k| [(k, 1), (k, 2), (k, 5)]) {
            let game = solve(rules, threads, kernel);
            assert_eq!((game.kernel(), game.threads()), (kernel, threads));
            let name = rules.name();
            assert_eq!((game.layer_facts(), game.deal_facts()), facts, "{name}, {kernel}");
        }
        let positions: u64 = facts.0.iter().map(|layer| layer.positions).sum();
        assert_eq!(positions, WholeGame::positions_of(rules));
    }
    assert_eq!(sets.len(), 12);
    // On an x86-64 processor, the test must compare at least two solver kernels, of which at least one uses vector instructions.
    assert!(!cfg!(target_arch = "x86_64") || kernels().len() > 1);
}

/// Returns every position of a deal in which a card must be led, for each choice of foreplaced cards.
fn leads_of_deal(rules: &Arc<RuleSet>, dealt: &Dealt) -> Vec<PositionSetup> {
    let hands = dealt.hands();
    let size = usize::from(rules.hand_size());
    let subsets = |hand: CardSet| {
        let slots: Vec<u8> = hand.slots().collect();
        (0u32..1 << slots.len()).map(move |chosen| {
            let kept = slots.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1);
            kept.map(|(_, slot)| *slot).collect::<CardSet>()
        })
    };
    let mut setups = Vec::new();
    for first in subsets(hands.first) {
        for second in subsets(hands.second) {
            let held = BySeat { first, second };
            let counts = held.map(CardSet::len);
            if counts.first.min(counts.second) == 0 || counts.first.abs_diff(counts.second) > 1 {
                continue;
            }
            // The seat with fewer cards has foreplaced a card. The test takes any card that the seat no longer holds, because the value
            // does not depend on which card is foreplaced.
            let foreplaced = BySeat::new_with(|seat| {
                let gone = rules.deck().cards_of(hands[seat] - held[seat]).next();
                match gone {
                    Some(card) if counts[seat] < counts[!seat] => Foreplaced::Card(card),
                    _ => Foreplaced::Nothing,
                }
            });
            let unequal = counts.first != counts.second;
            if unequal && rules.foreplacing().is_none() {
                continue;
            }
            let at_start = counts.first.max(counts.second) as usize == size;
            for leader in
                Seat::BOTH.into_iter().filter(|&leader| !at_start || leader == Seat::First)
            {
                for free_move_used in [false, true] {
                    if free_move_used && (!rules.free_move() || at_start) {
                        continue;
                    }
                    setups.push(PositionSetup {
                        hands: held.map(|hand| rules.deck().cards_of(hand).collect()),
                        leader,
                        foreplaced,
                        lead: None,
                        free_move_used,
                    });
                }
            }
        }
    }
    setups
}

/// Tests the value of every position of every deal against the deal table, which uses another
/// algorithm.
#[test]
fn every_value_equals_the_table_of_its_deal() {
    let mut compared = 0;
    for rules in small_rule_sets().iter().take(10) {
        let game = solve(rules, 2, Kernel::fastest());
        let facts = game.deal_facts();
        for number in 0..Dealt::count(rules) {
            let dealt = Deal::numbered(rules, number).unwrap();
            let table = DealTable::with_all_cards_open(&dealt).unwrap();
            let start = Game::new(dealt.clone());
            let fact = facts[usize::try_from(number).unwrap()];
            assert_eq!(Some(fact.value_for_first), table.value_for_first(start.position()));
            for setup in leads_of_deal(rules, &dealt).iter().step_by(11) {
                let position = setup.validate(rules).unwrap();
                let value = table.value_for_first(&position);
                assert!(value.is_some(), "{position:?}");
                assert_eq!(game.value_for_first(&position), value, "{position:?}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, COMPARED);
}

/// Number of positions that the test `every_value_equals_the_table_of_its_deal` compares.
const COMPARED: usize = 365_652;

/// Tests the values of all positions in random games of a 20-card deck against the deal tables.
#[test]
fn values_in_random_games_of_twenty_cards_equal_the_table() {
    let rules = rules("bga+double");
    let game = solve(&rules, 2, Kernel::fastest());
    let facts = game.deal_facts();
    let mut chance = Chance(7);
    let mut compared = 0;
    for _ in 0..100 {
        let mut playing = chance.game(&rules);
        let table = DealTable::with_all_cards_open(playing.dealt()).unwrap();
        let number = usize::try_from(playing.dealt().number()).unwrap();
        let value = table.value_for_first(playing.position());
        assert_eq!(Some(facts[number].value_for_first), value);
        assert_eq!(facts[number].if_nobody_may, facts[number].value_for_first);
        while playing.outcome().is_none() {
            let value = table.value_for_first(playing.position());
            assert_eq!(game.value_for_first(playing.position()), value);
            let action = chance.action(playing.position(), 3);
            playing = playing.play(action).unwrap();
            compared += 1;
        }
    }
    assert!(compared > 1_000, "{compared}");
}

/// Tests the values of each deal if only one seat, or no seat, may foreplace. The test also counts the deals in which
/// each seat needs the right to foreplace.
#[test]
fn deal_facts_tell_which_seat_needs_foreplacing() {
    let (mut deals, mut first, mut second) = (0, 0, 0);
    for name in ["sackson", "rael", "denexa"] {
        let rules = reduced(name, 2, 4);
        let facts = solve(&rules, 1, Kernel::fastest()).deal_facts();
        let mut draft = rules.draft();
        draft.foreplacing = None;
        let nobody = RuleSet::new(draft).unwrap().shared();
        let nobody = solve(&nobody, 1, Kernel::fastest()).deal_facts();
        for number in 0..Dealt::count(&rules) {
            let dealt = Deal::numbered(&rules, number).unwrap();
            let table = DealTable::with_all_cards_open(&dealt).unwrap();
            let fact = facts[usize::try_from(number).unwrap()];
            assert_eq!(
                fact.if_nobody_may,
                nobody[usize::try_from(number).unwrap()].value_for_first
            );
            // If *first* may not foreplace, the only action of *first* is to decline.
            let start = Game::new(dealt.clone());
            let declined = start.clone().play(overmate_rules::Action::Decline).unwrap();
            assert_eq!(Some(fact.if_first_may_not), table.value_for_first(declined.position()));
            // If *second* may not foreplace, *second* declines after each action of *first*.
            let best = start.legal_actions().map(|action| {
                let after = start.clone().play(action).unwrap();
                let after = after.play(overmate_rules::Action::Decline).unwrap();
                table.value_for_first(after.position()).unwrap()
            });
            assert_eq!(Some(fact.if_second_may_not), best.max());
            deals += 1;
            first += u32::from(fact.first_needs_it());
            second += u32::from(fact.second_needs_it());
        }
    }
    assert_eq!(deals, 210);
    assert!(first > 0 && second > 0, "{first} {second}");
}

#[test]
fn solving_reports_progress_and_can_be_cancelled() {
    let rules = reduced("sackson", 3, 4);
    let told = Mutex::new(Vec::new());
    let tell = |done, total| told.lock().unwrap().push((done, total));
    let progress = Progress { report: Some(&tell), stop: None };
    WholeGame::solve(&rules, WholeOptions::default(), &progress).unwrap();
    let told = told.into_inner().unwrap();
    let total = WholeGame::positions_of(&rules);
    assert!(!told.is_empty() && told.iter().all(|&(done, of)| done <= of && of == total));

    let stop = AtomicBool::new(true);
    let progress = Progress { report: None, stop: Some(&stop) };
    let stopped = WholeGame::solve(&rules, WholeOptions::default(), &progress);
    assert!(matches!(stopped, Err(WholeError::Stopped)));
}

#[test]
fn unsolvable_rule_sets_are_errors() {
    let options = WholeOptions::default();
    let pinochle = WholeGame::solve(&rules("bga+pinochle"), options, &Progress::default());
    assert!(matches!(pinochle, Err(WholeError::TooManyCards { cards: 48 })));

    let mut draft = reduced("sackson", 4, 4).draft();
    for (value, rank) in [907, 911, 919, 929, 937].into_iter().zip(&mut draft.ranks) {
        rank.value = value;
    }
    draft.ranks[4].value = 941;
    let few = RuleSet::new(draft.clone()).unwrap().shared();
    assert!(WholeGame::solve(&few, options, &Progress::default()).is_ok());
    for value in 0..20 {
        let letter = char::from(b'B' + value);
        if draft.ranks.iter().all(|rank| rank.letter != letter) {
            let name = format!("rank {value}");
            let value = 947 + u16::from(value);
            draft.ranks.push(overmate_rules::RankFace { letter, name, value });
        }
    }
    let many = RuleSet::new(draft).unwrap().shared();
    let many = WholeGame::solve(&many, options, &Progress::default());
    assert!(matches!(many, Err(WholeError::TooManyScores)));
}
