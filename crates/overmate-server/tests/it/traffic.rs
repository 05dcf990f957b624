//! Any traffic, legal or not: a match never breaks, and a hidden card never shows.

use std::sync::atomic::{AtomicUsize, Ordering};

use overmate_rules::{Action, Deal, Match, Player, RuleSet};
use overmate_server::wire::MatchState;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;

use crate::support::{Browser, Table, run, two};

/// What somebody tries.
#[derive(Clone, Debug)]
enum Try {
    /// An action that is legal for the one whose turn it is.
    Legal { by: usize, which: usize },
    /// Any action.
    Any { by: usize, text: String, sequence: u64 },
    /// The last accepted request once more.
    Again,
    /// Something else.
    Ask { by: usize, what: &'static str },
}

fn tries() -> impl Strategy<Value = Try> {
    let by = 0..4_usize;
    let whats = prop::sample::select(vec!["undo", "hint", "rematch", "record", "review"]);
    prop_oneof![
        8 => (0..2_usize, 0..20_usize).prop_map(|(by, which)| Try::Legal { by, which }),
        2 => (by.clone(), "[AKQT7x]?[cshdx]?[!*()-]?", 0..60_u64)
            .prop_map(|(by, text, sequence)| Try::Any { by, text, sequence }),
        1 => Just(Try::Again),
        2 => (by, whats).prop_map(|(by, what)| Try::Ask { by, what }),
    ]
}

fn runner(cases: u32) -> TestRunner {
    // The same cases every time: a failure is found again.
    TestRunner::new_with_rng(
        Config { cases, failure_persistence: None, ..Config::default() },
        prop::test_runner::TestRng::deterministic_rng(prop::test_runner::RngAlgorithm::ChaCha),
    )
}

const RULES: [&str; 5] =
    ["sackson", "denexa", "bga+free-move", "rael+kings-privilege", "denexa+double"];

#[test]
fn any_traffic_leaves_a_match_as_the_rules_have_it() {
    let traffic = (0..RULES.len(), prop::collection::vec(tries(), 10..50));
    let actions = AtomicUsize::new(0);
    runner(24)
        .run(&traffic, |(rules, tries)| {
            run(async {
                actions.fetch_add(play(RULES[rules], &tries).await, Ordering::Relaxed);
            });
            Ok(())
        })
        .unwrap();
    assert!(actions.into_inner() > 200);
}

/// How many actions were accepted.
async fn play(name: &str, tries: &[Try]) -> usize {
    let table = Table::new().await;
    let (host, guest, state) = two(&table, name).await;
    let id = state.id.clone();
    let watch = state.watch.rsplit('/').next().unwrap().to_owned();
    let mut browsers = [host, guest, table.browser(), table.browser()];
    let rules = RuleSet::named(name).unwrap().shared();
    let mut model: Option<Match> = None;
    let mut last: Option<(usize, String, u64, String)> = None;
    let mut sequence = state.sequence;
    let mut accepted = 0;
    for (number, attempt) in tries.iter().enumerate() {
        let (by, action, at) = match attempt {
            Try::Legal { by, which } => {
                let seen = browsers[*by].look(&id).await;
                let legal = &seen.current.legal;
                let Some(legal) = legal.get(which % legal.len().max(1)) else { continue };
                (*by, legal.action.clone(), sequence)
            }
            Try::Any { by, text, sequence } => (*by, text.clone(), *sequence),
            Try::Again => {
                if let Some((by, action, at, client_id)) = &last {
                    let again: MatchState =
                        browsers[*by].try_act(&id, *at, action, client_id).await.ok();
                    assert_eq!(again.sequence, sequence);
                }
                continue;
            }
            Try::Ask { by, what } => {
                ask(&mut browsers[*by], &id, what).await;
                continue;
            }
        };
        let client_id = format!("attempt-{number}");
        let answer = browsers[by].try_act(&id, at, &action, &client_id).await;
        let play = model.take().unwrap_or_else(|| begun(&rules, &state));
        let player = [Some(Player::A), Some(Player::B), None, None][by];
        let expected = expected(&play, player, at == sequence, &action);
        assert_eq!(
            answer.status.is_success(),
            expected.is_some(),
            "{attempt:?}: {}",
            answer.text()
        );
        if let Some(action) = expected {
            let new_game = play.clone().play(action).unwrap();
            sequence += 1;
            accepted += 1;
            let state: MatchState = answer.ok();
            assert_eq!(state.sequence, sequence);
            // A later deal is not known before it is dealt: the model learns it then.
            model = Some(
                if new_game.games().len() > play.games().len() && new_game.games().len() % 2 == 1 {
                    with_deal(&new_game, &state)
                } else {
                    new_game
                },
            );
            last = Some((by, rules.action_text(action).to_string(), at, client_id));
        } else {
            model = Some(play);
        }
        let play = model.as_ref().unwrap();
        let watched: MatchState =
            browsers[2].get(&format!("/api/v1/matches/{id}?watch={watch}")).await.ok();
        assert_eq!(watched.sequence, sequence);
        assert_eq!(watched.totals.a, play.totals().a);
        assert_eq!(watched.current.steps.len(), play.current().actions().len());
        assert_eq!(watched.game, play.current_index());
    }
    accepted
}

fn begun(rules: &std::sync::Arc<RuleSet>, state: &MatchState) -> Match {
    let number = state.current.deal.as_deref().unwrap().parse().unwrap();
    let dealt = Deal::numbered(rules, number).unwrap();
    Match::with_deals(rules, rules.rounds() * 2, vec![dealt; rules.rounds().into()])
}

/// The same match with the deal of its current game as it turned out to be.
fn with_deal(play: &Match, state: &MatchState) -> Match {
    let rules = play.rules();
    let number = state.current.deal.as_deref().unwrap().parse().unwrap();
    let mut deals = play.deals().to_vec();
    deals[play.current_index() / 2] = Deal::numbered(rules, number).unwrap();
    let mut same = Match::with_deals(rules, play.length(), deals);
    for game in play.games() {
        for action in game.actions() {
            same = same.play(*action).unwrap();
        }
    }
    same
}

/// The action, if it is this player's turn and legal.
fn expected(play: &Match, player: Option<Player>, is_current: bool, text: &str) -> Option<Action> {
    let action = play.rules().read_action(text.trim()).ok()?;
    let is_turn = player.is_some() && play.to_act() == player;
    (is_current && is_turn && play.current().check(action).is_ok()).then_some(action)
}

async fn ask(browser: &mut Browser, id: &str, what: &str) {
    let answer = match what {
        "record" | "review" => browser.get(&format!("/api/v1/matches/{id}/{what}")).await,
        what => browser.ask(id, what).await,
    };
    // Between two people none of these changes anything while they play.
    assert!(
        answer.status.is_success() || answer.status.is_client_error(),
        "{what}: {}",
        answer.text()
    );
}

#[test]
fn whichever_card_lies_face_down_others_see_the_same() {
    let cards = (0..10_usize, 0..10_usize, prop::collection::vec(0..1_000_usize, 1..18));
    let compared = AtomicUsize::new(0);
    runner(24)
        .run(&cards, |(one, other, choices)| {
            run(async {
                compared.fetch_add(compare(one, other, &choices).await, Ordering::Relaxed);
            });
            Ok(())
        })
        .unwrap();
    assert!(compared.into_inner() > 100);
}

/// Plays the same twice, but for the card that A lays face down. How many states were compared.
async fn compare(one: usize, other: usize, choices: &[usize]) -> usize {
    let table = Table::new().await;
    let mut sides = Vec::new();
    for card in [one, other] {
        let (mut host, guest, state) = two(&table, "denexa").await;
        let legal = host.look(&state.id).await.current.legal;
        let state: MatchState = host.act(&state, &legal[1 + card].action).await.ok();
        sides.push((host, guest, state));
    }
    let mut compared = 0;
    for choice in choices {
        let mut seen = Vec::new();
        for (_, guest, state) in &mut sides {
            let watch = state.watch.rsplit('/').next().unwrap().to_owned();
            let path = format!("/api/v1/matches/{}", state.id);
            let watched = table.browser().get(&format!("{path}?watch={watch}")).await.ok::<Value>();
            let record = guest.get(&format!("{path}/record")).await.text();
            let record = record.lines().filter(|line| !line.starts_with("[Date"));
            let record = record.map(str::to_owned).collect::<Vec<_>>();
            let views = [guest.get(&path).await.ok::<Value>(), watched].map(|mut view| {
                for own in ["id", "watch", "created_at"] {
                    assert!(view.as_object_mut().unwrap().remove(own).is_some());
                }
                view
            });
            seen.push((views, record));
        }
        // A game that is over shows all.
        if sides.iter().any(|(_, _, state)| state.game > 0) {
            return compared;
        }
        assert_eq!(seen[0], seen[1]);
        compared += 1;
        // The same action for both, if both allow it.
        let mut legal = Vec::new();
        for (host, guest, state) in &mut sides {
            let mut actions: Vec<String> = Vec::new();
            for browser in [host, guest] {
                let seen = browser.look(&state.id).await;
                actions.extend(seen.current.legal.into_iter().map(|legal| legal.action));
            }
            legal.push(actions);
        }
        let common: Vec<_> =
            legal[0].iter().filter(|action| legal[1].contains(action)).cloned().collect();
        let Some(action) = common.get(choice % common.len().max(1)) else { return compared };
        for (host, guest, state) in &mut sides {
            let is_host = !host.look(&state.id).await.current.legal.is_empty();
            let browser = if is_host { host } else { guest };
            *state = browser.act(state, action).await.ok();
        }
    }
    compared
}
