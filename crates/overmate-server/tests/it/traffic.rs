//! Tests, with random requests, that a match stays valid and that a face-down card stays hidden.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use overmate_rules::{Action, Deal, Match, Player, RuleSet};
use overmate_server::wire::{Hint, MarkKind, MatchView, ServerMessage};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::sockets::{Socket, served};
use crate::support::{Browser, Table, run, two};

/// Random request that a test client sends about a match.
#[derive(Clone, Debug)]
enum Try {
    /// Takes an action that is legal for the client `by`, or does nothing if it is not that client's turn.
    Legal { by: usize, which: usize },
    /// Sends an arbitrary action, which is often illegal.
    Any { by: usize, text: String, sequence: u64 },
    /// Repeats the request for the most recent action that the server accepted.
    Again,
    /// Sends a request other than an action, such as an undo or a hint. `again` selects a client id
    /// that was used before; `None` stands for a new client id.
    Ask { by: usize, what: &'static str, again: Option<usize> },
}

fn tries() -> impl Strategy<Value = Try> {
    let by = 0..4_usize;
    let whats = ["undo", "hint", "rematch", "record", "review"].repeat(4);
    let whats = prop::sample::select([whats, vec!["resign"]].concat());
    let again = prop::option::of(0..50_usize);
    prop_oneof![
        8 => (0..2_usize, 0..20_usize).prop_map(|(by, which)| Try::Legal { by, which }),
        2 => (by.clone(), "[AKQT7x]?[cshdx]?[!*()-]?", 0..60_u64)
            .prop_map(|(by, text, sequence)| Try::Any { by, text, sequence }),
        1 => Just(Try::Again),
        3 => (by, whats, again).prop_map(|(by, what, again)| Try::Ask { by, what, again }),
    ]
}

fn runner(cases: u32) -> TestRunner {
    // A fixed seed makes a failure reproducible.
    TestRunner::new_with_rng(
        Config { cases, failure_persistence: None, ..Config::default() },
        prop::test_runner::TestRng::deterministic_rng(prop::test_runner::RngAlgorithm::ChaCha),
    )
}

const RULES: [&str; 5] =
    ["sackson", "denexa", "bga+free-move", "rael+kings-privilege", "denexa+double"];

#[test]
fn random_requests_leave_a_match_in_the_state_that_the_rules_crate_computes() {
    let traffic = (0..RULES.len(), prop::collection::vec(tries(), 20..60));
    let actions = AtomicUsize::new(0);
    runner(24)
        .run(&traffic, |(rules, tries)| {
            run(async {
                actions.fetch_add(play(RULES[rules], &tries).await, Ordering::Relaxed);
            });
            Ok(())
        })
        .unwrap();
    let actions = actions.into_inner();
    assert!(actions > 200, "{actions}");
}

/// Sends random requests about one match, and compares each response with a simulation of the match by the rules crate. Returns the number
/// of accepted actions.
async fn play(name: &str, tries: &[Try]) -> usize {
    let table = Table::new().await;
    let (host, guest, state) = two(&table, name).await;
    let id = state.id.clone();
    let watch = state.watch.rsplit('/').next().unwrap().to_owned();
    let mut browsers = [host, guest, table.browser(), table.browser()];
    let rules = RuleSet::named(name).unwrap().shared();
    let mut model: Option<Match> = None;
    let mut last: Option<(usize, String, u64, String)> = None;
    let mut names: Vec<String> = Vec::new();
    let mut sequence = state.sequence;
    let mut accepted = 0;
    let served = served(&table).await;
    let live = format!("{id}/live?watch={watch}");
    let mut socket = Socket::open(&served, &browsers[2], &live).await;
    socket.hello().await;
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
                    let again: MatchView =
                        browsers[*by].try_act(&id, *at, action, client_id).await.ok();
                    assert_eq!(again.sequence, sequence);
                }
                continue;
            }
            Try::Ask { by, what, again } => {
                let used = again.and_then(|which| names.get(which % names.len().max(1)));
                let name = used.cloned().unwrap_or_else(|| format!("asked-for-{number}"));
                let is_done = ask(&mut browsers[*by], &id, what, &name).await;
                let play = model.take().unwrap_or_else(|| begun(&rules, &state));
                // Only an action or a resignation changes a running match between two people, and only if the request's client id (its
                // idempotency key) is new.
                let changes = is_done
                    && used.is_none()
                    && (*what == "resign" || *what == "rematch" && play.result().is_some());
                if changes {
                    let now = look(&mut browsers[2], &id, &watch).await.sequence;
                    // A repeated offer of a rematch changes nothing.
                    assert!(now == sequence + 1 || *what == "rematch" && now == sequence, "{what}");
                    if now > sequence {
                        told(&mut socket, now).await;
                        names.push(name);
                    }
                    sequence = now;
                }
                let by = [Player::A, Player::B].get(*by).copied();
                model = Some(match by.filter(|_| changes && *what == "resign") {
                    Some(player) => play.resign(player).unwrap(),
                    None => play,
                });
                assert_eq!(look(&mut browsers[2], &id, &watch).await.sequence, sequence, "{what}");
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
        let answer_is_new = expected.is_some();
        if let Some(action) = expected {
            let new_game = play.clone().play(action).unwrap();
            sequence += 1;
            accepted += 1;
            let state: MatchView = answer.ok();
            assert_eq!(state.sequence, sequence);
            names.push(client_id.clone());
            // At the start of each round, the test copies the round's deal from the server's match state to its own simulation of the
            // match.
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
        let watched = look(&mut browsers[2], &id, &watch).await;
        assert_eq!(watched.sequence, sequence);
        if answer_is_new {
            let told = told(&mut socket, sequence).await;
            assert_eq!((&told.current, told.totals), (&watched.current, watched.totals));
        }
        assert_is(&watched, play);
    }
    accepted
}

fn assert_is(state: &MatchView, play: &Match) {
    assert_eq!(state.totals.a, play.totals().a);
    assert_eq!(state.current.steps.len(), play.current().actions().len());
    assert_eq!(state.game, play.current_index());
}

fn begun(rules: &std::sync::Arc<RuleSet>, state: &MatchView) -> Match {
    let number = state.current.deal.as_deref().unwrap().parse().unwrap();
    let dealt = Deal::numbered(rules, number).unwrap();
    Match::with_deals(rules.rounds() * 2, vec![dealt; rules.rounds().into()]).unwrap()
}

/// Returns a copy of a match, with the deal of the current round replaced by the deal in a match state from the server.
fn with_deal(play: &Match, state: &MatchView) -> Match {
    let rules = play.rules();
    let number = state.current.deal.as_deref().unwrap().parse().unwrap();
    let mut deals = play.deals().to_vec();
    deals[play.current_index() / 2] = Deal::numbered(rules, number).unwrap();
    let mut same = Match::with_deals(play.length(), deals).unwrap();
    for game in play.games() {
        for action in game.actions() {
            same = same.play(*action).unwrap();
        }
    }
    same
}

/// Returns the action with a given text notation, or `None` if the text names no action that the player may take now.
fn expected(play: &Match, player: Option<Player>, is_current: bool, text: &str) -> Option<Action> {
    let action = play.rules().read_action(text.trim()).ok()?;
    let is_turn = player.is_some() && play.to_act() == player;
    (is_current && is_turn && play.current().check(action).is_ok()).then_some(action)
}

/// Sends a request about a match. Returns whether the server accepted the request.
async fn ask(browser: &mut Browser, id: &str, what: &str, name: &str) -> bool {
    let path = format!("/api/v1/matches/{id}/{what}");
    let answer = match what {
        "record" | "review" => browser.get(&path).await,
        _ => browser.post(&path, json!({"client_id": name})).await,
    };
    assert!(
        answer.status.is_success() || answer.status.is_client_error(),
        "{what}: {}",
        answer.text()
    );
    // The players of a match between two people get no exact values while the match runs, and no review of an unfinished round.
    assert!(what == "review" || !answer.text().contains("value_for_first"), "{what}");
    answer.status.is_success()
}

async fn look(browser: &mut Browser, id: &str, watch: &str) -> MatchView {
    browser.get(&format!("/api/v1/matches/{id}?watch={watch}")).await.ok()
}

/// Returns the next match state that a live connection receives, and checks its sequence number.
async fn told(socket: &mut Socket, sequence: u64) -> MatchView {
    match socket.next().await {
        ServerMessage::Changed { sequence: told, state } => {
            assert_eq!((told, state.sequence), (sequence, sequence));
            *state
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn other_viewers_see_equal_states_for_every_face_down_card() {
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

/// Plays two matches that differ only in player A's face-down card, and checks that all other viewers see equal states of both
/// matches. Returns the number of compared states.
async fn compare(one: usize, other: usize, choices: &[usize]) -> usize {
    let table = Table::new().await;
    let mut sides = Vec::new();
    let served = served(&table).await;
    for card in [one, other] {
        let (mut host, guest, state) = two(&table, "denexa").await;
        let live = format!("{}/live", state.id);
        let watch = format!("{live}?watch={}", state.watch.rsplit('/').next().unwrap());
        let mut sockets = [
            Socket::open(&served, &guest, &live).await,
            Socket::open(&served, &table.browser(), &watch).await,
        ];
        for socket in &mut sockets {
            socket.hello().await;
        }
        let legal = host.look(&state.id).await.current.legal;
        let state: MatchView = host.act(&state, &legal[1 + card].action).await.ok();
        sides.push((host, guest, state, sockets));
    }
    let mut compared = 0;
    for choice in choices {
        let mut seen = Vec::new();
        for (_, guest, state, sockets) in &mut sides {
            let watch = state.watch.rsplit('/').next().unwrap().to_owned();
            let path = format!("/api/v1/matches/{}", state.id);
            let watched = table.browser().get(&format!("{path}?watch={watch}")).await.ok::<Value>();
            let record = guest.get(&format!("{path}/record")).await.text();
            let record = record.lines().filter(|line| !line.starts_with("[Date"));
            let record = record.map(str::to_owned).collect::<Vec<_>>();
            let mut views = vec![guest.get(&path).await.ok::<Value>(), watched];
            for socket in sockets {
                let mut told: Value = serde_json::from_str(&socket.text().await).unwrap();
                assert_eq!(told["t"], "changed");
                views.push(told["state"].take());
            }
            for view in &mut views {
                for own in ["id", "watch", "created_at"] {
                    assert!(view.as_object_mut().unwrap().remove(own).is_some());
                }
            }
            seen.push((views, record));
        }
        // A finished game shows all cards.
        if sides.iter().any(|(_, _, state, _)| state.game > 0) {
            return compared;
        }
        assert_eq!(seen[0], seen[1]);
        compared += 1;
        // In each of the two compared matches, the player to act takes the same action. The action must be legal in both matches.
        let mut legal = Vec::new();
        for (host, guest, state, _) in &mut sides {
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
        for (host, guest, state, _) in &mut sides {
            let is_host = !host.look(&state.id).await.current.legal.is_empty();
            let browser = if is_host { host } else { guest };
            *state = browser.act(state, action).await.ok();
        }
    }
    compared
}

/// Random request of a test client that holds both seats: kind, number at the end of the client id (idempotency key), and index of a legal
/// action.
type Deed = (&'static str, usize, usize);

#[test]
fn every_hint_has_one_mark_even_if_requests_are_repeated() {
    let whats = prop::sample::select(vec!["act", "act", "act", "undo", "hint", "hint", "rematch"]);
    let deeds = prop::collection::vec((whats, 0..16_usize, 0..20_usize), 10..40);
    let counted = [AtomicUsize::new(0), AtomicUsize::new(0)];
    runner(12)
        .run(&(0..RULES.len(), deeds), |(rules, deeds)| {
            run(async {
                let counts = deal_alone(RULES[rules], &deeds).await;
                for (counted, count) in counted.iter().zip(counts) {
                    counted.fetch_add(count, Ordering::Relaxed);
                }
            });
            Ok(())
        })
        .unwrap();
    let [hints, again] = counted.map(AtomicUsize::into_inner);
    assert!(hints > 20 && again > 20, "{hints} hints, {again} requests sent again");
}

/// Sends random requests about a match in which one test client holds both seats. Returns the
/// number of hints, and the number of requests with a client id that was used before.
async fn deal_alone(rules: &str, deeds: &[Deed]) -> [usize; 2] {
    let table = Table::new().await;
    let mut both = table.browser();
    let mut state = both.begin(rules, json!({"kind": "both"})).await;
    let mut used = HashSet::new();
    let (mut hints, mut again) = (HashMap::<u64, Value>::new(), 0);
    for (what, name, which) in deeds {
        let name = format!("the-name-{name}");
        let (path, body) = if *what == "act" {
            let legal = &state.current.legal;
            let action = &legal[which % legal.len()].action;
            let body = json!({"sequence": state.sequence, "action": action, "client_id": name});
            ("actions", body)
        } else {
            (*what, json!({"client_id": name}))
        };
        let answer = both.post(&format!("/api/v1/matches/{}/{path}", state.id), body).await;
        let is_done = answer.status.is_success();
        assert!(is_done || answer.status.is_client_error(), "{}", answer.text());
        let before = state;
        state = both.look(&before.id).await;
        if used.contains(&name) {
            assert_eq!(state.sequence, before.sequence, "{what} as {name} once more");
            again += 1;
        }
        if state.sequence > before.sequence {
            used.insert(name);
        }
        if is_done && *what == "hint" {
            let hint: Hint = answer.json();
            let is_it = |mark: &&overmate_server::wire::Mark| {
                mark.kind == MarkKind::Hint && mark.sequence == hint.sequence
            };
            assert_eq!(state.marks.iter().filter(is_it).count(), 1, "values without a mark");
            // All hints with the same sequence number have the same content, because they belong to the same position.
            let told = answer.json::<Value>();
            assert_eq!(*hints.entry(hint.sequence).or_insert_with(|| told.clone()), told);
        }
        if state.result.is_some() {
            break;
        }
    }
    [hints.len(), again]
}
