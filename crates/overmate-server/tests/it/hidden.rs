//! Tests that the server reveals no secrets of matches: face-down cards, later deals, or values of
//! running games.

use overmate_rules::{BySeat, Record};
use overmate_server::wire::{
    AnalysisWire, Code, ForeplacedKind, Hint, MatchList, MatchView, ReviewWire, ServerMessage,
    StepKind,
};
use serde_json::{Value, json};

use crate::ratings::{invitation, make_account, rated};
use crate::sockets::{Socket, served};
use crate::support::{Table, play_out, run, two};

#[test]
fn a_face_down_card_is_shown_to_its_owner_only_until_the_game_ends() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "denexa").await;
        let mut watcher = table.browser();
        let id = state.id.clone();
        let watch =
            format!("/api/v1/matches/{id}?watch={}", state.watch.rsplit('/').next().unwrap());
        // Each player foreplaces a card of their own hand. The deal is 20010.
        let card = host.look(&id).await.current.legal[3].card.clone().expect("a card");
        let own: MatchView = host.act(&state, &format!("({card})")).await.ok();
        assert_eq!(own.current.foreplaced.first.card.as_deref(), Some(card.as_str()));
        assert!(own.current.hands.first.len() == 9);
        let others: [Value; 2] = [
            guest.get(&format!("/api/v1/matches/{id}")).await.ok(),
            watcher.get(&watch).await.ok(),
        ];
        for other in others {
            let state: MatchView = serde_json::from_value(other).unwrap();
            let foreplaced = &state.current.foreplaced.first;
            assert_eq!(
                (foreplaced.kind, foreplaced.card.as_deref()),
                (ForeplacedKind::FaceDown, None)
            );
            assert_eq!(foreplaced.candidates.len(), 10);
            let step = &state.current.steps[0];
            assert_eq!((step.kind, step.text.as_str()), (StepKind::FaceDown, "(?)"));
            assert_eq!((step.card.as_deref(), step.hands.first.len()), (None, 10));
            assert!(!step.says.contains(" of "), "{}", step.says);
        }
        // The record of a running game holds only the deal.
        let record = guest.get(&format!("/api/v1/matches/{id}/record")).await.text();
        assert!(!record.contains('('), "{record}");
        let record = Record::read(&record).expect("a record");
        assert_eq!(record.played_match().deals().len(), 1);

        // After the end of the game, everybody sees the foreplaced card.
        let over = play_out(&mut host, &mut guest, &id, 1).await;
        assert_eq!(over.finished[0].foreplaced.first.card.as_deref(), Some(card.as_str()));
        let seen: MatchView = watcher.get(&watch).await.ok();
        assert_eq!(seen.finished[0], over.finished[0]);
    });
}

#[test]
fn later_deals_are_not_in_any_response() {
    run(async {
        let table = Table::new().await;
        let mut checked = 0;
        for _ in 0..8 {
            let (mut host, mut guest, state) = two(&table, "bga+no-foreplacing").await;
            let id = state.id.clone();
            play_out(&mut host, &mut guest, &id, 1).await;
            let played = host.record(&id).await;
            assert_eq!((played.deals().len(), played.length()), (1, 2));
            let early = [
                host.get(&format!("/api/v1/matches/{id}")).await.text(),
                host.get("/api/v1/matches").await.text(),
            ];
            let state = play_out(&mut host, &mut guest, &id, 2).await;
            let deal = state.current.deal.clone().expect("a deal");
            assert!(early.iter().all(|text| !text.contains(&format!("\"{deal}\""))), "{deal}");
            checked += 1;
        }
        assert_eq!(checked, 8);
    });
}

#[test]
fn two_people_get_no_values_of_the_deal_that_they_play() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "sackson").await;
        let id = state.id.clone();
        let hands = json!(state.current.dealt);
        let exchanged = json!({"first": hands["second"], "second": hands["first"]});
        let position = "Tc7c/AcKc first -/- - -";
        let deal = state.current.deal.clone().unwrap();
        let asked = |rules: &str, key: &str, value: Value| json!({"rules": rules, key: value});
        let mut requests = vec![
            asked("sackson", "deal", json!(deal)),
            asked("pagat", "deal", json!(deal)),
            // The rule set `rael` has the same cards as the rule set `sackson`, under the names of chess pieces.
            asked("rael", "deal", json!(deal)),
            asked("bga+free-move", "hands", hands.clone()),
            asked("sackson", "hands", exchanged),
        ];
        // The test also asks for a late position of the match's deal, in which each hand holds two of the dealt cards.
        let cards = |seat: &str, from: usize| -> String {
            hands[seat].as_array().unwrap()[from..from + 2]
                .iter()
                .map(|c| c.as_str().unwrap())
                .collect()
        };
        let late = format!("{}/{} first -/- - -", cards("first", 3), cards("second", 5));
        requests.push(asked("sackson", "position", json!(late)));
        for body in &requests {
            for browser in [&mut host, &mut guest] {
                let answer = browser.post("/api/v1/analysis", body.clone()).await;
                assert_eq!(answer.code(), Code::MatchRunning, "{body}");
            }
            let _: AnalysisWire = table.browser().post("/api/v1/analysis", body.clone()).await.ok();
        }
        // During a match between two people, the server still analyses other deals, other decks, and positions that cannot follow from the
        // deal of this match.
        for body in [
            asked("sackson", "deal", json!("77")),
            asked("sackson+double", "deal", json!("77")),
            asked("bga+pinochle", "deal", json!("77")),
            asked("sackson", "position", json!(position)),
        ] {
            let fits = body["position"].is_null()
                || !["Tc", "7c"]
                    .iter()
                    .all(|card| hands["first"].as_array().unwrap().contains(&json!(card)));
            if fits {
                let _: AnalysisWire = host.post("/api/v1/analysis", body).await.ok();
            }
        }
        for what in ["hint", "undo"] {
            assert_eq!(host.ask(&id, what).await.code(), Code::NotAllowed);
        }
        // The review of a round's first game is available after the second game.
        let review = format!("/api/v1/matches/{id}/review?game=0");
        assert_eq!(host.get(&review).await.code(), Code::MatchRunning);
        let state = play_out(&mut host, &mut guest, &id, 1).await;
        assert_eq!(host.get(&review).await.code(), Code::MatchRunning);
        assert_eq!(state.reviewable, vec![false; state.games.into()]);
        let state = play_out(&mut host, &mut guest, &id, 2).await;
        assert_eq!(state.reviewable[..3], [true, true, false][..state.games.clamp(2, 3).into()]);
        let review: ReviewWire = host.get(&review).await.ok();
        assert!(review.other_seating_points_for_first.is_some());
        let _: AnalysisWire = host.post("/api/v1/analysis", requests.swap_remove(0)).await.ok();
    });
}

#[test]
fn no_client_id_gives_values_without_a_mark() {
    run(async {
        let table = Table::new().await;
        let asked =
            |id: &str| (format!("/api/v1/matches/{id}/hint"), json!({"client_id": "own-act-1"}));
        // In a match between two people, the server refuses a hint, even if the request repeats the idempotency key (client id) of an
        // earlier action.
        let (mut host, _, state) = two(&table, "bga").await;
        let legal = host.look(&state.id).await.current.legal[0].action.clone();
        let acted = host.try_act(&state.id, state.sequence, &legal, "own-act-1").await;
        let _: MatchView = acted.ok();
        let (path, body) = asked(&state.id);
        assert!(!host.post(&path, body).await.status.is_success());

        // In a match without a second person, the server refuses a hint if the request has the idempotency key (client id) of an earlier
        // action. To the key of an earlier hint, the server answers with that hint.
        for opponent in [json!({"kind": "both"}), json!({"kind": "level", "level": 3})] {
            let mut alone = table.browser();
            let state = alone.begin("bga", opponent).await;
            let legal = state.current.legal[0].action.clone();
            let _: MatchView = alone.try_act(&state.id, 0, &legal, "own-act-1").await.ok();
            let turn = |state: &MatchView| !state.current.legal.is_empty();
            let state = alone.wait(&state.id, turn).await;
            let (path, body) = asked(&state.id);
            assert_eq!(alone.post(&path, body).await.code(), Code::BadRequest);
            assert!(alone.look(&state.id).await.marks.is_empty());

            let again = json!({"client_id": "own-hint-1"});
            let hint: Value = alone.post(&path, again.clone()).await.ok();
            let same: Value = alone.post(&path, again.clone()).await.ok();
            assert_eq!(hint, same);
            let state = alone.look(&state.id).await;
            assert_eq!(state.marks.len(), 1);
            let legal = state.current.legal[0].action.clone();
            let _: MatchView = alone.act(&state, &legal).await.ok();
            let state = alone.wait(&state.id, turn).await;
            let late: Value = alone.post(&path, again).await.ok();
            assert_eq!(late, hint);
            assert_eq!(alone.look(&state.id).await.marks, state.marks);
        }
    });
}

#[test]
fn a_second_match_with_the_same_deal_gives_no_values() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, friends) = two(&table, "sackson").await;
        let hint = |id: &str| format!("/api/v1/matches/{id}/hint");
        let named = || json!({"client_id": crate::support::client_id()});
        let mut finished = Vec::new();
        for browser in [&mut host, &mut guest] {
            for rules in ["sackson", "bga"] {
                let state = browser.begin(rules, json!({"kind": "both"})).await;
                let answer = browser.post(&hint(&state.id), named()).await;
                assert_eq!(answer.code(), Code::MatchRunning, "{rules}");
                assert!(browser.look(&state.id).await.marks.is_empty(), "{rules}");
            }
            let mut state = browser.begin("sackson", json!({"kind": "both"})).await;
            while state.finished.is_empty() {
                state = browser.act(&state, &state.current.legal[0].action).await.ok();
            }
            let review = format!("/api/v1/matches/{}/review?game=0", state.id);
            assert_eq!(browser.get(&review).await.code(), Code::MatchRunning);
            finished.push((state.id, review));
        }
        // A person who does not play in a running match of two players gets a hint on the deal of that match.
        let mut other = table.browser();
        let state = other.begin("sackson", json!({"kind": "both"})).await;
        let _: Hint = other.post(&hint(&state.id), named()).await.ok();
        // The players get hints after the end of their match.
        let _: MatchView = guest.ask(&friends.id, "resign").await.ok();
        for (browser, (id, review)) in [&mut host, &mut guest].into_iter().zip(finished) {
            let _: ReviewWire = browser.get(&review).await.ok();
            let _: Hint = browser.post(&hint(&id), named()).await.ok();
        }
    });
}

#[test]
fn a_holder_of_both_seats_sees_the_view_of_the_seat_to_act() {
    run(async {
        let table = Table::new().await;
        let mut both = table.browser();
        let state = both.begin("denexa", json!({"kind": "both"})).await;
        let card = state.current.legal[2].action.clone();
        let state: MatchView = both.act(&state, &card).await.ok();
        let sides = BySeat {
            first: &state.current.foreplaced.first,
            second: &state.current.foreplaced.second,
        };
        assert_eq!(
            (sides.first.kind, sides.second.kind),
            (ForeplacedKind::FaceDown, ForeplacedKind::Undecided)
        );
        let hint: Hint = both.ask(&state.id, "hint").await.ok();
        assert!(
            hint.hidden_card
                && hint.actions.iter().all(|a| a.value_for_first.low <= a.value_for_first.high)
        );
    });
}

/// Returns the deal numbers of a match as the database stores them, separated by spaces.
async fn stored_deals(table: &Table, id: &str) -> String {
    let mut connection = table.connect().await;
    let deals = sqlx::query_scalar("SELECT deals FROM matches WHERE id = $1").bind(id);
    deals.fetch_one(&mut connection).await.expect("a match")
}

#[test]
fn nobody_learns_the_deal_of_a_rated_match_before_the_invited_player_joins() {
    run(async {
        let table = Table::new().await;
        let served = served(&table).await;
        let (mut host, mut guest) = (table.browser(), table.browser());
        make_account(&mut host, "Anna").await;
        make_account(&mut guest, "Bert").await;
        let days = json!({"clock": {"kind": "days", "days": 2}});
        for others in [json!({}), days.clone()] {
            let invited: MatchView = host.post("/api/v1/matches", rated(others.clone())).await.ok();
            let (id, watch) = (invited.id.clone(), invited.watch.rsplit('/').next().unwrap());
            let deals = stored_deals(&table, &id).await;
            let first = deals.split(' ').next().expect("a deal").to_owned();
            let live = format!("{id}/live");
            let mut socket = Socket::open(&served, &host, &live).await;
            let mut watching =
                Socket::open(&served, &table.browser(), &format!("{live}?watch={watch}")).await;
            let read = host.look(&id).await;
            let seen: MatchView =
                table.browser().get(&format!("/api/v1/matches/{id}?watch={watch}")).await.ok();
            for state in [&invited, &read, &seen, &socket.hello().await, &watching.hello().await] {
                let game = &state.current;
                assert_eq!((&game.deal, &game.dealt), (&None, &None));
                assert!(game.hands.first.is_empty() && game.hands.second.is_empty());
                assert!(game.legal.is_empty() && game.not_legal.is_empty());
            }
            let list: MatchList = host.get("/api/v1/matches").await.ok();
            assert!(list.matches.iter().all(|summary| !summary.your_turn));
            let record = format!("/api/v1/matches/{id}/record");
            assert_eq!(host.get(&record).await.code(), Code::NotAllowed);
            let exported: Value = host.get("/api/v1/me/export").await.ok();
            let matches = exported["matches"].as_array().expect("a list");
            let of_match = matches.iter().find(|item| item["summary"]["id"] == *id);
            assert_eq!(of_match.map(|item| &item["record"]), Some(&json!("")));
            // Before the invited player joins a rated match, the server refuses every action of the host. If asked to analyse the deal of
            // the match, the server does so, as for other deals. No refusal therefore reveals the deal of the match.
            for action in ["Ac", "Tc", "7d"] {
                assert_eq!(host.act(&invited, action).await.code(), Code::NotAllowed);
            }
            if others == days {
                let body = json!({"sequence": 0, "actions": []});
                let path = format!("/api/v1/matches/{id}/answers/choices");
                assert_eq!(host.post(&path, body).await.code(), Code::NotAllowed);
            }
            let analysis = json!({"rules": "bga", "deal": first});
            assert_eq!(host.post("/api/v1/analysis", analysis.clone()).await.status, 200);

            let joined: MatchView = guest.post(&invitation(&invited), json!({})).await.ok();
            let ServerMessage::Changed { state, .. } = socket.next().await else {
                panic!("a change")
            };
            for state in [&joined, &*state, &host.look(&id).await] {
                let game = &state.current;
                assert_eq!(game.deal.as_deref(), Some(&*first));
                assert_eq!((game.hands.first.len(), game.hands.second.len()), (10, 10));
            }
            // The deals in the database do not change when the invited player joins, so that a server of an earlier version reads the same
            // match.
            assert_eq!(stored_deals(&table, &id).await, deals);
            assert_eq!(host.post("/api/v1/analysis", analysis).await.code(), Code::MatchRunning);
            assert!(host.record(&id).await.games()[0].actions().is_empty());
            let own = host.look(&id).await;
            host.act(&own, &own.current.legal[0].action).await.ok::<MatchView>();
        }
        // The host of an unrated match sees the deal before the invited player joins.
        let unrated: MatchView =
            host.post("/api/v1/matches", rated(json!({"rated": false}))).await.ok();
        assert!(unrated.current.deal.is_some() && !unrated.current.legal.is_empty());
    });
}
