//! Tests conditional answers and private notes in correspondence matches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use metrics_exporter_prometheus::PrometheusBuilder;
use overmate_server::wire::{
    AnswerChoices, Code, ConditionalAnswers, ExportedMatch, MatchView, Note, PlayerWire, Problem,
};
use overmate_server::{Server, Settings};
use serde_json::{Value, json};

use crate::support::{Browser, Table, run, turn};

/// Begins a correspondence match between two new test clients. The first client leads.
async fn two(table: &Table, rules: &str) -> (Browser, Browser, MatchView) {
    let (mut host, mut guest) = (table.browser(), table.browser());
    let clock = json!({"kind": "days", "days": 3});
    let new = json!({"rules": rules, "opponent": {"kind": "friend"}, "lead": "me", "deal": "20010", "clock": clock});
    let state: MatchView = host.post("/api/v1/matches", new).await.ok();
    let path = state.invitation.clone().expect("an invitation");
    let token = path.trim_start_matches("/join/");
    let state: MatchView =
        guest.post(&format!("/api/v1/invitations/{token}"), json!({})).await.ok();
    (host, guest, state)
}

fn answers(state: &MatchView) -> String {
    format!("/api/v1/matches/{}/answers", state.id)
}

/// Returns the actions that would be legal after a given sequence of future actions in a match.
async fn choices(browser: &mut Browser, state: &MatchView, actions: &[&str]) -> AnswerChoices {
    let line = json!({"sequence": state.sequence, "actions": actions});
    browser.post(&format!("{}/choices", answers(state)), line).await.ok()
}

/// Returns the first action that would be legal after a given sequence of future actions in a match.
async fn first(browser: &mut Browser, state: &MatchView, actions: &[&str]) -> String {
    choices(browser, state, actions).await.legal[0].action.clone()
}

/// Returns a legal sequence of at least `least` future actions, of which a given test client takes the last. Each
/// action has a flag that is true for actions of the client.
async fn line(browser: &mut Browser, state: &MatchView, least: usize) -> Vec<(String, bool)> {
    let mut line: Vec<(String, bool)> = Vec::new();
    while line.len() < least || !line[line.len() - 1].1 {
        let taken: Vec<&str> = line.iter().map(|(action, _)| &**action).collect();
        let next = choices(browser, state, &taken).await;
        let legal = next.legal.last().expect("the game goes on");
        line.push((legal.action.clone(), next.yours));
    }
    line
}

/// Converts a sequence of actions to a tree of conditional answers with a single branch.
fn tree(line: &[(String, bool)]) -> Value {
    let Some(((on, _), rest)) = line.split_first() else { return json!([]) };
    let own = rest.iter().take_while(|(_, yours)| *yours).count();
    let answers: Vec<&String> = rest[..own].iter().map(|(action, _)| action).collect();
    json!([{"on": on, "answers": answers, "then": tree(&rest[own..])}])
}

/// Returns the text of each action in the games of a match.
async fn actions(browser: &mut Browser, id: &str) -> Vec<String> {
    let state = browser.look(id).await;
    let games = state.finished.iter().chain([&state.current]);
    games.flat_map(|game| &game.steps).map(|step| step.text.clone()).collect()
}

#[test]
fn an_answer_is_taken_together_with_the_action_of_the_opponent() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "bga").await;
        let line = line(&mut guest, &state, 6).await;
        let body = json!({"sequence": state.sequence, "branches": tree(&line)});
        let stored: ConditionalAnswers = guest.put(&answers(&state), body).await.ok();
        assert_eq!(stored.branches.len(), 1);
        // Only the player who has set conditional answers can see them.
        for browser in [&mut host, &mut guest] {
            let text = browser.get(&format!("/api/v1/matches/{}", state.id)).await.text();
            assert!(!text.contains("branches"), "{text}");
        }
        let others: ConditionalAnswers = host.get(&answers(&state)).await.ok();
        assert_eq!(others.branches, []);
        assert_eq!(table.browser().get(&answers(&state)).await.code(), Code::NotFound);

        // Only the player who created the match (the host) takes actions. The server plays the conditional answers of the invited player
        // (the guest).
        let mut state = state;
        let mut acted = 0;
        while let Some((action, false)) = line.get(actions(&mut host, &state.id).await.len()) {
            let left: ConditionalAnswers = guest.get(&answers(&state)).await.ok();
            assert_eq!((left.sequence, &left.branches[0].on), (state.sequence, action));
            state = host.act(&state, action).await.ok();
            acted += 1;
        }
        let played: Vec<&String> = line.iter().map(|(action, _)| action).collect();
        assert_eq!(actions(&mut host, &state.id).await.iter().collect::<Vec<_>>(), played);
        assert!(acted >= 2 && acted < line.len(), "{acted} of {line:?}");
        let rest: ConditionalAnswers = guest.get(&answers(&state)).await.ok();
        assert_eq!((rest.sequence, rest.branches.len()), (state.sequence, 0));
    });
}

#[test]
fn the_metric_of_actions_counts_conditional_answers() {
    // The test has a recorder of its own, because the recorder of the process also counts the actions of other tests.
    let recorder = PrometheusBuilder::new().build_recorder();
    metrics::with_local_recorder(&recorder, || {
        run(async {
            let table = Table::new().await;
            let (mut host, mut guest, state) = two(&table, "bga").await;
            let line = line(&mut guest, &state, 2).await;
            let body = json!({"sequence": state.sequence, "branches": tree(&line)});
            guest.put(&answers(&state), body).await.ok::<ConditionalAnswers>();
            let _: MatchView = host.act(&state, &line[0].0).await.ok();
            let acted = actions(&mut host, &state.id).await.len();
            assert!(acted > 1, "{line:?}");
            let counted = format!("\novermate_actions_total{{by=\"person\"}} {acted}\n");
            let metrics = recorder.handle().render();
            assert!(metrics.contains(&counted), "{metrics}");
        });
    });
}

#[test]
fn an_action_outside_of_the_branches_ends_the_answers_and_a_change_replaces_them() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "bga").await;
        let leads = choices(&mut guest, &state, &[]).await.legal;
        let (one, two) = (&*leads[0].action, &*leads[1].action);
        let mut branches = Vec::new();
        for lead in [one, two] {
            let reply = first(&mut guest, &state, &[lead]).await;
            branches.push(json!({"on": lead, "answers": [reply]}));
        }
        let put = |branches: Value| json!({"sequence": state.sequence, "branches": branches});
        let all: ConditionalAnswers = guest.put(&answers(&state), put(json!(branches))).await.ok();
        assert_eq!(all.branches.len(), 2);
        let none: ConditionalAnswers = guest.put(&answers(&state), put(json!([]))).await.ok();
        assert_eq!(none.branches.len(), 0);
        let second: ConditionalAnswers =
            guest.put(&answers(&state), put(json!([branches[1]]))).await.ok();
        assert_eq!(&*second.branches[0].on, two);
        let after: MatchView = host.act(&state, one).await.ok();
        assert_eq!(after.sequence, state.sequence + 1);
        let left: ConditionalAnswers = guest.get(&answers(&state)).await.ok();
        assert_eq!(left.branches, []);
        let mut database = table.connect().await;
        let stored: i64 =
            sqlx::query_scalar("SELECT count(*) FROM seats WHERE answers IS NOT NULL")
                .fetch_one(&mut database)
                .await
                .unwrap();
        assert_eq!(stored, 0);
        // A player whose turn it is cannot set conditional answers. A request for an earlier state is a conflict.
        let late = guest.put(&answers(&state), put(json!([branches[1]]))).await;
        assert_eq!(late.code(), Code::Conflict);
        let own = json!({"sequence": after.sequence, "branches": [branches[0]]});
        assert_eq!(guest.put(&answers(&state), own).await.code(), Code::NotAllowed);
    });
}

#[test]
fn answers_that_are_not_legal_or_too_many_are_refused() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "bga").await;
        let leads = choices(&mut guest, &state, &[]).await.legal;
        let lead = &*leads[0].action;
        let reply = first(&mut guest, &state, &[lead]).await;
        let many: Vec<Value> = (0..33).map(|_| json!({"on": lead, "answers": [reply]})).collect();
        let deep = (0..40)
            .fold(json!([]), |then, _| json!([{"on": lead, "answers": [reply], "then": then}]));
        let twice = json!([{"on": lead, "answers": [reply]}, {"on": lead, "answers": [reply]}]);
        let mut cases = 0;
        for (branches, code) in [
            (json!([{"on": "Xx", "answers": [reply]}]), Code::BadRequest),
            (json!([{"on": reply, "answers": [lead]}]), Code::IllegalAction),
            (json!([{"on": lead, "answers": [lead]}]), Code::IllegalAction),
            (json!([{"on": lead, "answers": []}]), Code::BadRequest),
            (twice, Code::BadRequest),
            (json!(many), Code::BadRequest),
            (deep, Code::BadRequest),
        ] {
            let body = json!({"sequence": state.sequence, "branches": branches});
            let refused = guest.put(&answers(&state), body.clone()).await;
            assert_eq!(refused.code(), code, "{body}");
            cases += 1;
        }
        assert_eq!(cases, 7);
        let illegal =
            json!({"sequence": state.sequence, "branches": [{"on": lead, "answers": [lead]}]});
        let refused: Problem = guest.put(&answers(&state), illegal).await.json();
        let named = format!("the action is not legal: {lead}: ");
        assert!(refused.detail.starts_with(&named), "{}", refused.detail);
        let own =
            json!({"sequence": state.sequence, "branches": [{"on": reply, "answers": [lead]}]});
        assert_eq!(host.put(&answers(&state), own).await.code(), Code::NotAllowed);
        // Conditional answers are refused in a match against the computer.
        let level = host.begin("bga", json!({"kind": "level", "level": 1})).await;
        assert_eq!(host.get(&answers(&level)).await.code(), Code::NotAllowed);
    });
}

#[test]
fn answers_tell_nothing_of_a_card_that_lies_face_down() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "denexa").await;
        let offered = choices(&mut guest, &state, &[]).await;
        let cards: Vec<&str> = offered.legal.iter().map(|legal| &*legal.action).collect();
        let down = cards.iter().find(|card| card.starts_with('(')).expect("a card to foreplace");
        let mut refusals = std::collections::BTreeSet::new();
        // The server refuses each conditional answer to the foreplacing of a face-down card with the same text, whether or not the opponent
        // holds the card.
        let body =
            json!({"sequence": state.sequence, "branches": [{"on": down, "answers": ["-"]}]});
        for on in ["(Ac)", "(Tc)", "(Kd)", down] {
            let mut body = body.clone();
            body["branches"][0]["on"] = json!(on);
            let refused = guest.put(&answers(&state), body).await;
            assert_eq!(refused.code(), Code::NotAllowed, "{on}");
            let problem: Value = refused.json();
            refusals.insert(problem["detail"].to_string());
        }
        assert_eq!(refusals.len(), 1, "{refusals:?}");
        // Declining to foreplace is public, so that conditional answers to it are possible.
        let reply = first(&mut guest, &state, &["-"]).await;
        let body =
            json!({"sequence": state.sequence, "branches": [{"on": "-", "answers": [reply]}]});
        let stored: ConditionalAnswers = guest.put(&answers(&state), body).await.ok();
        assert_eq!(stored.branches.len(), 1);
        // The player who created the match (the host) foreplaces a card. The conditional answers of the invited player (the guest) are
        // removed, and no further line can be requested.
        let after: MatchView = host.act(&state, down).await.ok();
        assert_eq!(after.sequence, state.sequence + 1);
        let seen = guest.look(&state.id).await;
        let after: MatchView = guest.act(&seen, "-").await.ok();
        let line = json!({"sequence": after.sequence, "actions": []});
        let refused = guest.post(&format!("{}/choices", answers(&state)), line).await;
        assert_eq!(refused.code(), Code::NotAllowed);
    });
}

#[test]
fn a_server_plays_the_answers_that_another_server_has_stored() {
    run(async {
        let table = Table::new().await;
        let (mut host, guest, state) = two(&table, "bga").await;
        let other = Server::open(Settings::new(table.folder.path().to_owned())).await.unwrap();
        let (mut there, id) = (guest.at(&other), state.id.clone());
        let mut played = 0;
        let mut state = state;
        while state.game == 0 {
            let (actor, waiting) = match turn(&state) {
                Some(PlayerWire::A) => (&mut host, &mut there),
                _ => (&mut there, &mut host),
            };
            let seen = actor.look(&id).await;
            let waiting_state = waiting.look(&id).await;
            let lead = seen.current.legal[0].action.clone();
            let choices = choices(waiting, &waiting_state, &[&lead]).await;
            let mut expected = seen.sequence + 1;
            if let Some(reply) = choices.legal.first().filter(|_| choices.yours) {
                let branch = json!({"on": lead, "answers": [reply.action]});
                let body = json!({"sequence": seen.sequence, "branches": [branch]});
                let _: ConditionalAnswers = waiting.put(&answers(&seen), body).await.ok();
                expected += 1;
                played += 1;
            }
            state = actor.act(&seen, &lead).await.ok();
            assert_eq!(state.sequence, expected);
        }
        assert!(played > 2, "{played}");
        assert_eq!(host.look(&id).await.sequence, there.look(&id).await.sequence);
        other.close().await;
    });
}

#[test]
fn many_changes_at_once_never_lose_an_answer_and_never_play_one_twice() {
    run(async {
        let table = Table::new().await;
        let (host, guest, state) = two(&table, "bga").await;
        let lead = first(&mut guest.at(&table.server), &state, &[]).await;
        let reply = first(&mut guest.at(&table.server), &state, &[&lead]).await;
        let body =
            json!({"sequence": state.sequence, "branches": [{"on": lead, "answers": [reply]}]});
        let none = json!({"sequence": state.sequence, "branches": []});
        // Several requests at once set and remove a player's conditional answers until the opponent's action is stored. The server thus
        // also meets answers that have changed and changed back between the server's read of the answers and its write of the action.
        let is_stored = AtomicBool::new(false);
        let puts = (0..8).map(async |number| {
            let mut guest = guest.at(&table.server);
            let mut statuses = Vec::new();
            while !is_stored.load(Ordering::Relaxed) {
                let body = if (number + statuses.len()) % 2 == 0 { &body } else { &none };
                statuses.push(guest.put(&answers(&state), body.clone()).await.status.as_u16());
            }
            statuses
        });
        let mut acting = host.at(&table.server);
        let act = async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            let acted = acting.act(&state, &lead).await;
            is_stored.store(true, Ordering::Relaxed);
            acted
        };
        let (statuses, acted) = tokio::join!(futures_util::future::join_all(puts), act);
        let statuses = statuses.concat();
        let after: MatchView = acted.ok();
        assert!(statuses.len() >= 8, "{statuses:?}");
        assert!(statuses.iter().all(|status| [200, 409].contains(status)), "{statuses:?}");
        // The server has played the conditional answer to the opponent's action at most once. It has played no answer if none was stored at
        // the time of the action.
        let played = actions(&mut acting, &state.id).await;
        assert!(played == [lead.clone()] || played == [lead, reply], "{played:?}");
        assert_eq!(after.sequence, state.sequence + played.len() as u64);
    });
}

#[test]
fn a_used_client_id_is_refused_where_conditional_answers_are_possible() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "bga").await;
        let state = host.look(&state.id).await;
        let lead = &state.current.legal[0].action;
        let state: MatchView =
            host.try_act(&state.id, state.sequence, lead, "the-first-id").await.ok();
        let state = guest.look(&state.id).await;
        let answer = &state.current.legal[0].action;
        let refused = guest.try_act(&state.id, state.sequence, answer, "the-first-id").await;
        assert_eq!(refused.code(), Code::BadRequest, "{}", refused.text());
        assert!(refused.text().contains("client_id: "), "{}", refused.text());
        assert_eq!(guest.look(&state.id).await.sequence, state.sequence);
    });
}

#[test]
fn a_note_is_private_exported_and_erased() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "bga").await;
        let path = format!("/api/v1/matches/{}/note", state.id);
        let text = "Their queens are gone.\nLead spades.";
        assert_eq!(host.put(&path, json!({"text": text})).await.status.as_u16(), 204);
        let [own, other]: [Note; 2] = [host.get(&path).await.ok(), guest.get(&path).await.ok()];
        assert_eq!((&*own.text, &*other.text), (text, ""));
        assert_eq!(table.browser().get(&path).await.code(), Code::NotFound);
        let watched = format!("{path}?watch={}", state.watch.rsplit('/').next().unwrap());
        assert_eq!(table.browser().get(&watched).await.code(), Code::NotFound);
        let long = "x".repeat(2_001);
        assert_eq!(host.put(&path, json!({"text": long})).await.code(), Code::BadRequest);

        let lead = first(&mut guest, &state, &[]).await;
        let reply = first(&mut guest, &state, &[&lead]).await;
        let body =
            json!({"sequence": state.sequence, "branches": [{"on": lead, "answers": [reply]}]});
        let _: ConditionalAnswers = guest.put(&answers(&state), body).await.ok();
        let exported = async |browser: &mut Browser| -> ExportedMatch {
            let export: Value = browser.get("/api/v1/me/export").await.ok();
            serde_json::from_value(export["matches"][0].clone()).expect("a match")
        };
        let [mine, theirs] = [exported(&mut host).await, exported(&mut guest).await];
        assert_eq!((mine.note.as_deref(), mine.conditional_answers.len()), (Some(text), 0));
        assert_eq!((theirs.note, theirs.conditional_answers.len()), (None, 1));
        // If both players of a match become one person, the data export of this person contains the notes of both players.
        let other = json!({"text": "They hold the ten."});
        assert_eq!(guest.put(&path, other).await.status.as_u16(), 204);
        let made = host.make_codes("link").await;
        assert!(guest.join(&made.codes[0]).await.status.is_success());
        let both = exported(&mut guest).await;
        let notes = both.note.expect("a note");
        assert!(notes.contains(text) && notes.contains("They hold the ten."), "{notes}");
        assert_eq!(both.conditional_answers.len(), 1);

        assert_eq!(host.erase().await.status.as_u16(), 204);
        let mut database = table.connect().await;
        let left: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM seats WHERE note IS NOT NULL OR answers IS NOT NULL",
        )
        .fetch_one(&mut database)
        .await
        .unwrap();
        assert_eq!(left, 0);
    });
}
