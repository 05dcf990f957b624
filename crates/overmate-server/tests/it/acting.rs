//! Tests requests that change a match: actions, undos, resignations and rematches. The actions of computer opponents are tested,
//! too.

use axum::http::{StatusCode, header};
use overmate_rules::{Action, Deal, Game, RuleSet};
use overmate_server::wire::{
    Code, Hint, LegalKind, MarkKind, MatchView, PhaseWire, PlayerWire, Problem, ReasonCode,
    SeatWire,
};
use serde_json::json;

use crate::support::{Table, client_id, run, turn, two};

#[test]
fn a_match_of_one_browser_follows_the_rules_crate() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let (mut actions, mut mates) = (0, 0);
        for name in ["sackson", "bga", "rael+double+kings-privilege", "denexa+free-move"] {
            let rules = RuleSet::named(name).unwrap().shared();
            let mut state = browser.begin(name, json!({"kind": "both"})).await;
            let mut game = game_of(&rules, &state);
            while state.result.is_none() {
                assert_eq!(state.current.legal.len(), game.legal_actions().len());
                mates += told_effects(&game, &state);
                let last = state.current.legal.last().expect("a legal action").action.clone();
                game = game.play(rules.read_action(&last).unwrap()).unwrap();
                let index = state.game;
                state = browser.act(&state, &last).await.ok();
                actions += 1;
                if let Some(outcome) = game.outcome() {
                    let over =
                        if state.game == index { &state.current } else { &state.finished[index] };
                    assert_eq!(
                        over.outcome.as_ref().unwrap().points_for_first,
                        outcome.points_for_first()
                    );
                    let texts: Vec<_> =
                        over.steps.iter().map(|step| step.text.trim_end_matches('#')).collect();
                    assert_eq!(texts.join(" "), game.to_string());
                    game = game_of(&rules, &state);
                }
                assert_eq!(state.sequence, actions_of(&state));
            }
            let sum: i32 = state.scores.iter().flatten().map(|points| points.a).sum();
            assert_eq!((state.totals.a, state.scores.len()), (sum, usize::from(state.games)));
            assert!(state.scores.iter().all(Option::is_some));
            let late = browser.act(&state, "Tc").await;
            assert_eq!((late.status, late.code()), (StatusCode::CONFLICT, Code::MatchOver));
        }
        assert!(actions > 100, "{actions}");
        assert!(mates > 5, "{mates}");
    });
}

/// Checks that a match state reports the correct effect, such as a mate, of each legal action. Returns the number of
/// actions that give mate.
fn told_effects(game: &Game, state: &MatchView) -> usize {
    let hidden = state.rules.starts_with("denexa");
    let deck = game.rules().deck();
    let mut mates = 0;
    for told in &state.current.legal {
        let action = game.rules().read_action(&told.action).unwrap();
        let after = game.clone().play(action).unwrap();
        let points = after.outcome().map_or(0, |outcome| outcome.points_for_first().abs());
        // A match state does not report the leader's mate if a face-down card could answer the lead.
        if let Some(mate) = &told.mate {
            assert_eq!(mate.points, points, "{}", told.action);
            mates += 1;
        } else if !hidden {
            assert_eq!(points, 0, "{}", told.action);
        }
        let answers: Vec<_> = after
            .legal_actions()
            .filter_map(|answer| match answer {
                Action::Play(card) => Some(deck.card_text(card).to_string()),
                _ => None,
            })
            .collect();
        let leads = matches!(told.kind, LegalKind::Lead | LegalKind::Demand);
        assert_eq!(told.answers.is_some(), leads);
        if let Some(told) = &told.answers
            && !hidden
        {
            let answers = if after.outcome().is_some() { Vec::new() } else { answers };
            assert_eq!(told.cards, answers);
        }
        let follows = matches!(told.kind, LegalKind::Follow | LegalKind::Free);
        let won = follows.then(|| Some(after.position().leader()) == game.to_act());
        assert_eq!(told.wins, won, "{}", told.action);
    }
    mates
}

fn game_of(rules: &std::sync::Arc<RuleSet>, state: &MatchView) -> Game {
    let number = state.current.deal.as_deref().unwrap().parse().unwrap();
    Game::new(Deal::numbered(rules, number).unwrap())
}

fn actions_of(state: &MatchView) -> u64 {
    let games = state.finished.iter().chain([&state.current]);
    games.map(|game| game.steps.len() as u64).sum()
}

#[test]
fn an_illegal_action_is_refused_with_its_reason() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let state = browser.begin("sackson", json!({"kind": "both"})).await;
        assert_eq!(state.current.phase, PhaseWire::Foreplace);
        for (action, status, code) in [
            ("Tc", StatusCode::UNPROCESSABLE_ENTITY, Code::IllegalAction),
            ("Xx", StatusCode::BAD_REQUEST, Code::BadRequest),
            ("", StatusCode::BAD_REQUEST, Code::BadRequest),
            ("Tc Tc", StatusCode::BAD_REQUEST, Code::BadRequest),
        ] {
            let answer = browser.act(&state, action).await;
            assert_eq!((answer.status, answer.code()), (status, code), "{action}");
        }
        assert_eq!(browser.look(&state.id).await.sequence, 0);

        // For a card that is not a legal answer, the match state and the server's refusal give the same reason.
        let state: MatchView = browser.act(&state, "-").await.ok();
        let state: MatchView = browser.act(&state, "-").await.ok();
        let state: MatchView = browser.act(&state, "Tc").await.ok();
        assert_eq!(state.current.phase, PhaseWire::Follow);
        let hand = state.current.hands.second.len();
        assert_eq!(state.current.legal.len() + state.current.not_legal.len(), hand);
        let refused = &state.current.not_legal[0];
        let problem: Problem = browser.act(&state, &refused.card).await.json();
        assert_eq!(problem.detail, format!("the action is not legal: {}", refused.why));
        assert!(
            refused.code == ReasonCode::MustFollowSuit && refused.suit.as_deref() == Some("clubs")
        );
        assert!(state.current.legal.iter().all(|legal| legal.kind == LegalKind::Follow));
    });
}

#[test]
fn an_action_out_of_turn_or_for_another_sequence_is_refused() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "bga").await;
        let legal = host.look(&state.id).await.current.legal[0].action.clone();
        assert_eq!(guest.act(&state, &legal).await.code(), Code::NotYourTurn);
        let next: MatchView = host.act(&state, &legal).await.ok();
        assert_eq!((next.sequence, next.current.steps.len()), (state.sequence + 1, 1));
        // The server refuses an action for an earlier position of the match as a conflict, if the client id of the action is new.
        let answer = host.act(&state, &legal).await;
        assert_eq!((answer.status, answer.code()), (StatusCode::CONFLICT, Code::Conflict));
        let problem: Problem = answer.json();
        assert_eq!(problem.state.expect("the state").sequence, next.sequence);
        // The server refuses an action as a conflict if its sequence number is larger than the latest sequence number of the match.
        assert_eq!(host.try_act(&state.id, 99, &legal, "12345678").await.code(), Code::Conflict);
    });
}

#[test]
fn a_repeated_action_is_idempotent() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let state = browser.begin("bga", json!({"kind": "both"})).await;
        let legal = state.current.legal[0].action.clone();
        for _ in 0..3 {
            let again: MatchView = browser.try_act(&state.id, 0, &legal, "the-same-one").await.ok();
            assert_eq!(again.sequence, 1);
        }
        let next: MatchView = browser.look(&state.id).await;
        let answer: MatchView = browser.act(&next, &next.current.legal[0].action).await.ok();
        // If a client repeats the request for an earlier action, the server stores no second action, and responds with the current state.
        let again: MatchView = browser.try_act(&state.id, 0, &legal, "the-same-one").await.ok();
        assert_eq!((answer.sequence, again.sequence), (2, 2));
        for name in ["short", "", "with blank", &"a".repeat(65)] {
            let answer = browser.try_act(&state.id, 2, "Tc", name).await;
            assert_eq!(answer.code(), Code::BadRequest, "{name}");
        }
    });
}

#[test]
fn one_of_two_concurrent_actions_is_stored() {
    run(async {
        let table = Table::new().await;
        let browser = table.browser();
        let mut races = 0;
        for _ in 0..20 {
            let mut one = browser.clone();
            let state = one.begin("bga", json!({"kind": "both"})).await;
            let mut two = one.clone();
            let (a, b) = (&state.current.legal[0].action, &state.current.legal[1].action);
            let (a, b) = tokio::join!(one.act(&state, a), two.act(&state, b));
            let won = [&a, &b].map(|answer| answer.status == StatusCode::OK);
            assert!(won[0] != won[1], "{} {}", a.status, b.status);
            let lost = if won[0] { b } else { a };
            assert_eq!(lost.code(), Code::Conflict);
            assert_eq!(one.look(&state.id).await.sequence, 1);
            races += 1;
        }
        assert_eq!(races, 20);
    });
}

#[test]
fn a_match_against_the_computer_is_played_to_its_end() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        for opponent in [json!({"kind": "level", "level": 3}), json!({"kind": "perfect"})] {
            let new = json!({"rules": "sackson", "opponent": opponent, "lead": "other"});
            let state: MatchView = browser.post("/api/v1/matches", new).await.ok();
            let id = state.id.clone();
            let mut state = browser.wait(&id, |state| turn(state) == Some(PlayerWire::B)).await;
            let mut own = 0;
            while state.result.is_none() {
                let action = state.current.legal[own % state.current.legal.len()].action.clone();
                let _: MatchView = browser.act(&state, &action).await.ok();
                own += 1;
                let is_next = |state: &MatchView| {
                    state.result.is_some() || turn(state) == Some(PlayerWire::B)
                };
                state = browser.wait(&id, is_next).await;
            }
            assert!(own >= 4 && state.scores.iter().all(Option::is_some), "{own}");
        }
    });
}

#[test]
fn no_client_id_blocks_the_computer() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let state = browser.begin("sackson", json!({"kind": "level", "level": 1})).await;
        let action = state.current.legal[0].action.clone();
        let acted = browser.try_act(&state.id, 0, &action, "bot-00000002").await;
        let _: MatchView = acted.ok();
        let state = browser.wait(&state.id, |state| state.sequence >= 2).await;
        assert_eq!(turn(&state), Some(PlayerWire::A));
    });
}

#[test]
fn the_computer_acts_after_a_restart() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let state = browser.begin("bga", json!({"kind": "level", "level": 5})).await;
        let id = state.id.clone();
        // The server stops right after it has stored the action of the player. The computer opponent acts before or after the restart.
        let acted: MatchView = browser.act(&state, &state.current.legal[0].action).await.ok();
        assert!(acted.sequence >= 1);
        let table = table.restart().await;
        let mut browser = browser.at(&table.server);
        let state = browser.wait(&id, |state| state.sequence >= 2).await;
        assert!(state.current.steps.len() >= 2 || state.game > 0);
    });
}

#[test]
fn an_undo_takes_back_the_own_action_and_is_noted() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let state = browser.begin("bga", json!({"kind": "perfect"})).await;
        assert!(!state.undo);
        assert_eq!(browser.ask(&state.id, "undo").await.code(), Code::NothingToUndo);
        let _: MatchView = browser.act(&state, &state.current.legal[2].action).await.ok();
        let answered = browser.wait(&state.id, |state| turn(state) == Some(PlayerWire::A)).await;
        assert!(answered.undo);
        let back: MatchView = browser.ask(&state.id, "undo").await.ok();
        assert_eq!(
            (back.current.steps.len(), back.current.legal.clone()),
            (0, state.current.legal)
        );
        assert_eq!(back.sequence, answered.sequence + 1);
        assert_eq!((back.marks.len(), back.marks[0].kind), (1, MarkKind::Undo));
        let record = browser.get(&format!("/api/v1/matches/{}/record", state.id)).await.text();
        assert!(record.contains("A took back an action"), "{record}");

        let (mut host, _, state) = two(&table, "bga").await;
        let legal = host.look(&state.id).await.current.legal[0].action.clone();
        let state: MatchView = host.act(&state, &legal).await.ok();
        assert!(!state.undo && !state.hint);
        assert_eq!(host.ask(&state.id, "undo").await.code(), Code::NotAllowed);
    });
}

#[test]
fn an_undo_never_reopens_a_finished_game() {
    run(async {
        let table = Table::new().await;
        let mut checked = 0;
        for rules in ["sackson", "denexa", "rael+double+kings-privilege", "bga+free-move"] {
            for opponent in [json!({"kind": "both"}), json!({"kind": "level", "level": 3})] {
                let mut browser = table.browser();
                let mut state = browser.begin(rules, opponent).await;
                let is_mine = |state: &MatchView| !state.current.legal.is_empty();
                while state.game == 0 {
                    state = browser.act(&state, &state.current.legal[0].action).await.ok();
                    state = browser.wait(&state.id, is_mine).await;
                }
                let over = state.finished.clone();
                assert!(!state.undo, "{rules}");
                assert_eq!(browser.ask(&state.id, "undo").await.code(), Code::NothingToUndo);
                // An undo never takes back an action of an earlier game.
                let steps = state.current.steps.len();
                state = browser.act(&state, &state.current.legal[0].action).await.ok();
                state = browser.wait(&state.id, is_mine).await;
                assert!(state.undo, "{rules}");
                let back: MatchView = browser.ask(&state.id, "undo").await.ok();
                assert_eq!((back.game, back.current.steps.len(), back.undo), (1, steps, false));
                assert_eq!(back.finished, over, "{rules}");
                assert_eq!(browser.ask(&state.id, "undo").await.code(), Code::NothingToUndo);
                checked += 1;
            }
        }
        assert_eq!(checked, 8);
    });
}

#[test]
fn the_record_notes_every_undo_and_hint() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let mut state = browser.begin("denexa", json!({"kind": "both"})).await;
        for _ in 0..5 {
            state = browser.act(&state, &state.current.legal[0].action).await.ok();
        }
        let _: Hint = browser.ask(&state.id, "hint").await.ok();
        for _ in 0..5 {
            state = browser.ask(&state.id, "undo").await.ok();
        }
        assert_eq!((state.marks.len(), state.current.steps.len()), (6, 0));
        let record = browser.get(&format!("/api/v1/matches/{}/record", state.id)).await.text();
        let (hints, undos) = ("had a hint", "took back an action");
        assert_eq!(
            (record.matches(hints).count(), record.matches(undos).count()),
            (1, 5),
            "{record}"
        );
        assert_eq!(overmate_rules::Record::read(&record).expect("a record").notes().len(), 6);
    });
}

#[test]
fn a_resignation_loses_the_match_and_ends_it() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "pagat").await;
        let path = format!("/api/v1/matches/{}/resign", state.id);
        let body = json!({"client_id": client_id(), "player": "a"});
        assert_eq!(guest.post(&path, body).await.code(), Code::NotAllowed);
        let over: MatchView = guest.ask(&state.id, "resign").await.ok();
        let result = over.result.expect("a result");
        assert_eq!((result.winner, result.resigned), (Some(PlayerWire::A), Some(PlayerWire::B)));
        for what in ["resign", "undo", "hint"] {
            let code = host.ask(&state.id, what).await.code();
            assert!(matches!(code, Code::MatchOver | Code::NotAllowed), "{what}: {code:?}");
        }
        let mut both = table.browser();
        let state = both.begin("bga", json!({"kind": "both"})).await;
        let body = json!({"client_id": client_id(), "player": "b"});
        let over: MatchView =
            both.post(&format!("/api/v1/matches/{}/resign", state.id), body).await.ok();
        assert_eq!(over.result.expect("a result").resigned, Some(PlayerWire::B));
    });
}

#[test]
fn a_rematch_is_offered_and_accepted_and_the_other_player_leads() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "bga").await;
        assert_eq!(host.ask(&state.id, "rematch").await.code(), Code::MatchRunning);
        let _: MatchView = guest.ask(&state.id, "resign").await.ok();
        for _ in 0..2 {
            let offered: MatchView = guest.ask(&state.id, "rematch").await.ok();
            let rematch = offered.rematch.expect("an offer");
            assert_eq!((rematch.offered_by, rematch.match_id), (PlayerWire::B, None));
        }
        let agreed: MatchView = host.ask(&state.id, "rematch").await.ok();
        let id = agreed.rematch.expect("an offer").match_id.expect("a match");
        let (a, b) = (guest.look(&id).await, host.look(&id).await);
        assert_eq!(
            (a.you, b.you),
            (Some(overmate_server::wire::You::A), Some(overmate_server::wire::You::B))
        );
        assert_eq!(a.rules, "bga");
        let again: MatchView = host.ask(&state.id, "rematch").await.ok();
        assert_eq!(again.rematch.and_then(|rematch| rematch.match_id), Some(id));

        let mut alone = table.browser();
        let state = alone.begin("bga", json!({"kind": "level", "level": 1})).await;
        let _: MatchView = alone.ask(&state.id, "resign").await.ok();
        let agreed: MatchView = alone.ask(&state.id, "rematch").await.ok();
        let id = agreed.rematch.and_then(|rematch| rematch.match_id).expect("a match at once");
        // The computer opponent leads first in the rematch.
        let state = alone.wait(&id, |state| turn(state) == Some(PlayerWire::B)).await;
        // The first lead of the computer opponent may be a mate, which ends the first game.
        let opened = state.finished.first().unwrap_or(&state.current);
        assert_eq!((opened.first, opened.steps[0].seat), (PlayerWire::A, SeatWire::First));
    });
}

#[test]
fn a_match_is_read_with_its_tag_or_by_long_polling() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let state = browser.begin("bga", json!({"kind": "both"})).await;
        let path = format!("/api/v1/matches/{}", state.id);
        let answer = browser.get(&path).await;
        let tag = answer.headers[header::ETAG].clone();
        let request = axum::http::Request::get(&path).header(header::IF_NONE_MATCH, tag.clone());
        let answer = browser.send(request.body(axum::body::Body::empty()).unwrap()).await;
        assert_eq!((answer.status, answer.body.len()), (StatusCode::NOT_MODIFIED, 0));

        let mut waiting = browser.clone();
        let (waited, acted) = tokio::join!(
            async { waiting.get(&format!("{path}?after=0&wait=20")).await.ok::<MatchView>() },
            async {
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                browser.act(&state, &state.current.legal[0].action).await.ok::<MatchView>()
            }
        );
        assert_eq!((waited.sequence, acted.sequence), (1, 1));
        let answer = browser.get(&path).await;
        assert_ne!(answer.headers[header::ETAG], tag);
    });
}
