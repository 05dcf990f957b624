//! Tests that the results of an arena are independent of threads, interruptions and other entrants.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use overmate_arena::{
    Arena, ArenaError, ArenaOptions, Entrant, Hypothesis, MatchId, MatchScore, Observer,
    PairingResult, PlayedMatch, Seating, Sprt,
};
use overmate_bots::{Bot, BotSpec, Choice, Forfeit, Thought, Turn};
use overmate_rules::{
    Action, Card, DealSource as _, Match, Player, Rank, RuleSet, SeededDeals, Suit,
};

use crate::Chancer;
use crate::alone::Alone;

fn players() -> Vec<Arc<dyn Entrant>> {
    vec![
        Chancer::player("weak", 0),
        Chancer::player("middling", 50),
        Chancer::player("strong", 100),
    ]
}

fn arena(players: Vec<Arc<dyn Entrant>>, options: ArenaOptions) -> Arena {
    Arena::new(RuleSet::named("bga").unwrap().shared(), players, options).unwrap()
}

fn options(pairs: u64, threads: usize) -> ArenaOptions {
    ArenaOptions::default().with_pairs(pairs).with_seed(7).with_threads(threads)
}

fn results(players: Vec<Arc<dyn Entrant>>, options: ArenaOptions) -> Vec<PairingResult> {
    arena(players, options).run([], &Observer::default()).unwrap()
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let expected = results(players(), options(40, 1));
    assert_eq!(expected.len(), 3);
    for result in &expected {
        assert_eq!((result.matches(), result.counts.pairs()), (80, 40));
        assert_eq!(result.wins + result.draws + result.losses, 80);
        // The first entrant of each pairing is weaker, because the entrants are in order of increasing strength.
        assert!(result.losses > result.wins, "{result:?}");
        let margin = result.margin_a_match();
        assert!(margin.low < margin.value && margin.value < margin.high && margin.value < 0.0);
    }
    for threads in [2, 3, 8] {
        assert_eq!(results(players(), options(40, threads)), expected);
    }
    let other = options(40, 2).with_seed(8);
    assert_ne!(results(players(), other), expected);
}

#[test]
fn a_pairing_does_not_depend_on_other_entrants() {
    let all = results(players(), options(20, 2));
    let mut two =
        results(vec![Chancer::player("weak", 0), Chancer::player("strong", 100)], options(20, 2));
    two[0].players = [0, 2];
    assert_eq!(two[0], all[1]);
}

#[test]
fn shared_tables_do_not_change_the_play_of_the_bots() {
    let names = ["level:2", "level:6", "perfect"];
    let bots = || names.iter().map(|name| name.parse::<BotSpec>().unwrap());
    for rules in ["bga", "pagat+double"] {
        let rules = RuleSet::named(rules).unwrap().shared();
        let played = |players, threads| {
            let log = Log::default();
            let log_match = |id: MatchId, played: &PlayedMatch| {
                log.0.lock().unwrap().push((id, played.clone()));
                ControlFlow::Continue(())
            };
            let arena = Arena::new(Arc::clone(&rules), players, options(1, threads)).unwrap();
            arena.run([], &Observer::default().on_played(&log_match)).unwrap();
            let mut played = log.0.into_inner().unwrap();
            played.sort_by_key(|(id, _)| (id.pair, id.players.a, id.players.b));
            played
        };
        let alone = played(bots().map(|bot| Arc::new(Alone(bot)) as Arc<dyn Entrant>).collect(), 1);
        let shared = played(bots().map(|bot| Arc::new(bot) as Arc<dyn Entrant>).collect(), 3);
        assert_eq!(alone.len(), 6);
        assert_eq!(alone, shared);
    }
}

/// Log of the finished matches of an arena.
#[derive(Default)]
struct Log(Mutex<Vec<(MatchId, PlayedMatch)>>);

impl Log {
    fn scores(&self) -> Vec<(MatchId, MatchScore)> {
        let played = self.0.lock().unwrap();
        played.iter().map(|(id, played)| (*id, MatchScore::from(played))).collect()
    }
}

#[test]
fn a_stopped_arena_continues_from_its_known_matches() {
    let expected = results(players(), options(15, 2));
    let log = Log::default();
    let mut rounds = 0;
    let found = loop {
        let before = log.scores().len();
        let log_match = |id: MatchId, played: &PlayedMatch| {
            let mut log = log.0.lock().unwrap();
            log.push((id, played.clone()));
            if log.len() >= before + 13 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let observer = Observer::default().on_played(&log_match);
        let result = arena(players(), options(15, 3)).run(log.scores(), &observer);
        rounds += 1;
        match result {
            Ok(results) => break results,
            Err(stopped) => {
                assert_eq!(stopped.played, log.scores().len() as u64);
                assert_eq!(stopped.matches, 90);
            }
        }
    };
    assert_eq!(found, expected);
    assert!(rounds >= 5, "{rounds}");
    let ids: HashSet<MatchId> = log.scores().iter().map(|(id, _)| *id).collect();
    // The log holds 90 different matches, so that no match was played twice.
    assert_eq!((ids.len(), log.scores().len()), (90, 90));
}

#[test]
fn the_stop_flag_ends_an_arena_in_the_middle_of_a_match() {
    let stop = AtomicBool::new(false);
    let log = Log::default();
    let log_match = |id: MatchId, played: &PlayedMatch| {
        assert!(played.state.result().is_some());
        log.0.lock().unwrap().push((id, played.clone()));
        stop.store(true, Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    let observer = Observer::default().on_played(&log_match).stopped_by(&stop);
    let stopped = arena(players(), options(1000, 1)).run([], &observer).unwrap_err();
    assert_eq!((stopped.played, stopped.matches), (1, 6000));
}

#[test]
fn every_pairing_plays_both_sides_of_the_seeded_deals() {
    let log = Log::default();
    let log_match = |id: MatchId, played: &PlayedMatch| {
        log.0.lock().unwrap().push((id, played.clone()));
        ControlFlow::Continue(())
    };
    let observer = Observer::default().on_played(&log_match);
    arena(players(), options(5, 2)).run([], &observer).unwrap();
    let rules = RuleSet::named("bga").unwrap().shared();
    let mut source = SeededDeals::new(7);
    let deals: Vec<_> = (0..10).map(|_| source.next_deal(&rules)).collect();
    let played = log.0.lock().unwrap();
    assert_eq!(played.len(), 30);
    for (id, played) in played.iter() {
        let pair = usize::try_from(id.pair).unwrap();
        assert_eq!(played.state.deals(), &deals[2 * pair..2 * pair + 2]);
    }
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        for (a, b) in [(one, other), (other, one)] {
            let is_this = |id: &MatchId| (id.players.a, id.players.b) == (a, b);
            assert_eq!(played.iter().filter(|(id, _)| is_this(id)).count(), 5);
        }
    }
}

#[test]
fn a_sequential_test_stops_at_the_same_pair_with_any_number_of_threads() {
    let two = || vec![Chancer::player("strong", 100), Chancer::player("weak", 0)];
    let with = |threads, elo0, elo1| {
        let sprt = Some(Sprt::new(elo0, elo1).unwrap());
        results(two(), options(400, threads).with_sprt(sprt)).remove(0)
    };
    for (elo0, elo1, expected) in [(0.0, 50.0, Hypothesis::Elo1), (700.0, 900.0, Hypothesis::Elo0)]
    {
        let one = with(1, elo0, elo1);
        assert_eq!(one.sprt.unwrap().accepted, Some(expected));
        assert!(one.matches() < 800, "{}", one.matches());
        for threads in [2, 6] {
            assert_eq!(with(threads, elo0, elo1), one);
        }
    }
}

/// Entrant that plays a card that is not in the deck, and refuses to play as player B.
struct Cheat;

impl Entrant for Cheat {
    fn name(&self) -> String {
        "cheat".to_owned()
    }

    fn enter(&self, seating: &Seating<'_>) -> Result<Box<dyn Bot>, Forfeit> {
        if seating.player == Player::B {
            return Err(Forfeit {
                who: Entrant::name(self),
                why: "the bot does not play as B".to_owned(),
            });
        }
        Ok(Box::new(Self))
    }
}

impl Bot for Cheat {
    fn name(&self) -> String {
        "cheat".to_owned()
    }

    fn choose(&mut self, _: &Turn<'_>) -> Result<Choice, Forfeit> {
        let action = Action::Play(Card { suit: Suit(9), rank: Rank(9) });
        Ok(Choice { action, thought: Thought::default() })
    }
}

#[test]
fn an_illegal_action_forfeits_the_match() {
    let result =
        results(vec![Chancer::player("fair", 0), Arc::new(Cheat)], options(2, 2)).remove(0);
    assert_eq!((result.wins, result.draws, result.losses, result.forfeits), (4, 0, 0, [0, 4]));
    let reasons: Vec<_> =
        result.reported_forfeits.iter().map(|report| report.why.as_str()).collect();
    assert_eq!(reasons.len(), 4);
    assert_eq!(reasons[0], "the bot does not play as B");
    assert!(reasons[1].starts_with("the bot's action `??` is not legal: "), "{}", reasons[1]);
}

#[test]
fn an_arena_needs_two_players_with_different_names() {
    let rules = RuleSet::named("bga").unwrap().shared();
    let one = vec![Chancer::player("one", 0)];
    let same = vec![Chancer::player("one", 0), Chancer::player("one", 1)];
    let failed = |players| Arena::new(rules.clone(), players, ArenaOptions::default()).err();
    assert_eq!(failed(one), Some(ArenaError::TooFew));
    assert_eq!(failed(same), Some(ArenaError::SameName("one".to_owned())));
}

#[test]
fn an_arena_refuses_more_match_pairs_than_can_be_counted() {
    let rules = RuleSet::named("bga").unwrap().shared();
    for pairs in [50_000_001, u64::MAX] {
        let players = vec![Chancer::player("one", 0), Chancer::player("other", 1)];
        let options = ArenaOptions::default().with_pairs(pairs);
        let failed = Arena::new(rules.clone(), players, options).err();
        assert_eq!(failed, Some(ArenaError::TooManyPairs { pairs }));
    }
}

#[test]
fn a_forfeit_is_a_resignation_in_the_match() {
    let rules = RuleSet::named("bga").unwrap().shared();
    let state = Match::new(&rules, &mut SeededDeals::new(1));
    let why = Forfeit { who: "x".to_owned(), why: "the answer is late".to_owned() };
    let played = PlayedMatch::forfeited(state, Player::A, why);
    let score = MatchScore::from(&played);
    assert_eq!(score.winner, Some(Player::B));
    assert_eq!(score.forfeit, Some((Player::A, "the answer is late".to_owned())));
}
