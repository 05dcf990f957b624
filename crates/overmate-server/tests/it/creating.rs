//! Tests the creation of matches: rule sets, opponents, deals, names, and what each client can see.

use axum::http::{StatusCode, header};
use overmate_rules::RuleSet;
use overmate_server::wire::{
    Code, Invitation, MatchList, MatchView, PlayerKind, RuleFacts, RuleSets, You,
};
use serde_json::{Value, json};

use crate::support::{Table, run, two};

#[test]
fn every_rule_set_can_be_read_and_played() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let sets: RuleSets = browser.get("/api/v1/rules").await.ok();
        assert_eq!((sets.rule_sets.len(), sets.variations.len()), (5, 6));
        let mut count = 0;
        for rules in RuleSet::catalogue() {
            let facts: RuleFacts =
                browser.get(&format!("/api/v1/rules/{}", rules.name())).await.ok();
            assert_eq!(facts.id, rules.name());
            assert_eq!(facts.deck.cards.len(), rules.deck().cards().len());
            let state = browser.begin(rules.name(), json!({"kind": "both"})).await;
            assert_eq!((state.rules.as_str(), state.you), (rules.name(), Some(You::Both)));
            assert_eq!(state.games, rules.rounds() * 2);
            count += 1;
        }
        assert!(count > 100, "{count}");
        let wrong = browser.get("/api/v1/rules/chess").await;
        assert_eq!((wrong.status, wrong.code()), (StatusCode::BAD_REQUEST, Code::BadRequest));
    });
}

#[test]
fn the_request_decides_the_leader_and_the_first_deal() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        for (lead, you) in [("me", You::A), ("other", You::B)] {
            let new = json!({"rules": "bga", "opponent": {"kind": "friend"}, "deal": "77", "lead": lead,
                "names": {"me": "  A\u{202e}nn\u{7} "}});
            let answer = browser.post("/api/v1/matches", new).await;
            assert_eq!(answer.status, StatusCode::CREATED);
            let state: MatchView = answer.json();
            assert_eq!(answer.headers[header::LOCATION], format!("/api/v1/matches/{}", state.id));
            assert_eq!((state.you, state.current.deal.as_deref()), (Some(you), Some("77")));
            let (mine, theirs) = match you {
                You::A => (&state.players.a, &state.players.b),
                _ => (&state.players.b, &state.players.a),
            };
            assert_eq!((mine.kind, mine.name.as_deref()), (PlayerKind::You, Some("Ann")));
            assert_eq!(theirs.kind, PlayerKind::Open);
        }
        // In many random matches, each player leads at least once.
        let mut led = [false, false];
        for _ in 0..64 {
            let new = json!({"rules": "bga", "opponent": {"kind": "friend"}});
            let state: MatchView = browser.post("/api/v1/matches", new).await.ok();
            led[usize::from(state.you == Some(You::A))] = true;
        }
        assert_eq!(led, [true, true]);
    });
}

#[test]
fn a_repeated_request_creates_one_match() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let new =
            |id: &str| json!({"rules": "bga", "opponent": {"kind": "friend"}, "client_id": id});
        // A browser that sends two requests without a cookie gets two browser identities. A browser that already has an identity keeps this
        // identity.
        let lost: MatchView =
            browser.clone().post("/api/v1/matches", new("answer-lost")).await.ok();
        let again: MatchView =
            browser.clone().post("/api/v1/matches", new("answer-lost")).await.ok();
        assert_ne!(lost.id, again.id);
        let answer = browser.post("/api/v1/identity", json!(null)).await;
        assert_eq!((answer.status, answer.text().as_str()), (StatusCode::NO_CONTENT, ""));
        let who = browser.cookie.clone();
        let lost: MatchView =
            browser.clone().post("/api/v1/matches", new("answer-lost")).await.ok();
        let again: MatchView = browser.post("/api/v1/matches", new("answer-lost")).await.ok();
        assert_eq!(lost.id, again.id);
        // A browser that asks for a browser identity again keeps its first identity.
        browser.post("/api/v1/identity", json!(null)).await;
        assert_eq!(browser.cookie, who);
        let first: MatchView = browser.post("/api/v1/matches", new("the-same-one")).await.ok();
        let mut same = browser.clone();
        let (one, two) = tokio::join!(
            browser.post("/api/v1/matches", new("at-once-1")),
            same.post("/api/v1/matches", new("at-once-1"))
        );
        let (one, two): (MatchView, MatchView) = (one.ok(), two.ok());
        assert_eq!((&one.id, &one.invitation), (&two.id, &two.invitation));
        assert_ne!(one.id, first.id);
        // If a browser repeats the request that created a match, the server returns the same match in its current state. This also holds
        // for another server on the same data.
        let token = first.invitation.clone().unwrap().replace("/join/", "");
        let mut guest = table.browser();
        let joined = guest.post(&format!("/api/v1/invitations/{token}"), json!({})).await;
        let _: MatchView = joined.ok();
        let table = table.restart().await;
        let mut browser = browser.at(&table.server);
        let again = browser.post("/api/v1/matches", new("the-same-one")).await;
        assert_eq!(again.status, StatusCode::CREATED);
        assert_eq!(again.headers[header::LOCATION], format!("/api/v1/matches/{}", first.id));
        let again: MatchView = again.json();
        assert_eq!((again.id.as_str(), again.sequence), (first.id.as_str(), 1));
        let list: MatchList = browser.get("/api/v1/matches").await.ok();
        assert_eq!(list.matches.len(), 3);
        // The same client id in a request of another browser creates another match.
        let mut other = table.browser();
        other.begin("bga", json!({"kind": "both"})).await;
        let others: MatchView = other.post("/api/v1/matches", new("the-same-one")).await.ok();
        assert_ne!(others.id, first.id);
        assert_eq!(browser.post("/api/v1/matches", new("short")).await.code(), Code::BadRequest);
        // The server refuses an invalid request for a new match, even if its idempotency key (client id) is that of an earlier valid
        // request.
        let mut broken = new("the-same-one");
        broken["opponent"] = json!({"kind": "level", "level": 0});
        assert_eq!(browser.post("/api/v1/matches", broken).await.code(), Code::BadRequest);
    });
}

#[test]
fn an_invalid_request_for_a_match_is_refused_with_its_reason() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let level =
            |level: i32| json!({"rules": "bga", "opponent": {"kind": "level", "level": level}});
        let refused = [
            json!({"rules": "bridge", "opponent": {"kind": "friend"}}),
            json!({"rules": "bga", "opponent": {"kind": "stranger"}}),
            json!({"rules": "bga", "opponent": {"kind": "friend"}, "deal": "184756"}),
            json!({"rules": "bga", "opponent": {"kind": "friend"}, "deal": "-1"}),
            json!({"rules": "bga", "opponent": {"kind": "friend"}, "names": []}),
            json!(["bga", {"kind": "friend"}, null, "me", {}]),
            json!({"rules": "bga", "opponent": ["friend"]}),
            json!({"rules": "bga", "opponent": {"kind": "friend"}, "colour": "blue"}),
            json!({"rules": "bga", "opponent": {"kind": "friend", "level": 3}}),
            json!({"rules": "bga", "opponent": {"kind": "both", "name": "Ann"}}),
            json!({"rules": "bga", "opponent": {"kind": "perfect", "level": 3}}),
            json!({"rules": "bga", "opponent": {"kind": "level", "level": 3, "vs": 1}}),
            json!({"rules": "bga"}),
            json!([]),
            level(0),
            level(10),
            level(300),
            level(-1),
        ];
        for body in refused {
            let answer = browser.post("/api/v1/matches", body.clone()).await;
            assert_eq!(
                (answer.status, answer.code()),
                (StatusCode::BAD_REQUEST, Code::BadRequest),
                "{body}"
            );
        }
        for level in [level(99), level(-1), level(300)] {
            let answer = browser.post("/api/v1/matches", level).await;
            assert!(answer.text().contains("choose a level from 1 to 9"), "{}", answer.text());
        }
        let endless =
            json!({"rules": "bga", "opponent": {"kind": "friend"}, "deal": "99999999999999999999"});
        let answer = browser.post("/api/v1/matches", endless).await;
        assert!(answer.text().contains("deal numbers go from 0 to 184755"), "{}", answer.text());
        assert_eq!(browser.cookie, None, "nobody became somebody");
    });
}

#[test]
fn only_players_and_holders_of_the_link_see_a_match() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "sackson").await;
        let mut stranger = table.browser();
        let id = &state.id;
        let watch = state.watch.rsplit('/').next().expect("a token").to_owned();
        for path in ["", "/record", "/review", "/live"] {
            for query in ["", "?watch=", "?watch=0123456789abcdef0123456789abcdef"] {
                let answer = stranger.get(&format!("/api/v1/matches/{id}{path}{query}")).await;
                assert_eq!(answer.code(), Code::NotFound, "{path}{query}");
            }
        }
        for action in ["actions", "resign", "undo", "hint", "rematch"] {
            let body = match action {
                "actions" => json!({"sequence": 1, "action": "-", "client_id": "12345678"}),
                _ => json!({"client_id": "12345678"}),
            };
            let path = format!("/api/v1/matches/{id}/{action}");
            assert_eq!(stranger.post(&path, body).await.code(), Code::NotFound, "{action}");
        }
        let seen: MatchView =
            stranger.get(&format!("/api/v1/matches/{id}?watch={watch}")).await.ok();
        assert_eq!((seen.you, seen.invitation, seen.current.legal.len()), (None, None, 0));
        assert_eq!(host.look(id).await.you, Some(You::A));
        assert_eq!(guest.look(id).await.you, Some(You::B));
        for nonsense in ["x", "..", "0123456789abcdef0123456789abcdef"] {
            let answer = host.get(&format!("/api/v1/matches/{nonsense}")).await;
            assert_eq!(answer.code(), Code::NotFound, "{nonsense}");
        }
    });
}

#[test]
fn a_deal_that_the_host_chose_is_marked_for_the_guest() {
    run(async {
        let table = Table::new().await;
        let mut marks = Vec::new();
        let mut cookies = Vec::new();
        for deal in [Some("20010"), None] {
            let (mut host, mut guest) = (table.browser(), table.browser());
            let new = json!({"rules": "bga", "opponent": {"kind": "friend"}, "deal": deal});
            let state: MatchView = host.post("/api/v1/matches", new).await.ok();
            let token = state.invitation.clone().expect("an invitation");
            let path = format!("/api/v1/invitations/{}", token.trim_start_matches("/join/"));
            let look: Invitation = guest.get(&path).await.ok();
            let joined: MatchView = guest.post(&path, json!({})).await.ok();
            let ended: MatchView = guest.ask(&joined.id, "resign").await.ok();
            let _: MatchView = host.ask(&ended.id, "rematch").await.ok();
            let accepted: MatchView = guest.ask(&ended.id, "rematch").await.ok();
            let id = accepted.rematch.and_then(|rematch| rematch.match_id).expect("a rematch");
            let rematch = guest.look(&id).await;
            marks.push([
                state.deal_chosen,
                look.deal_chosen,
                joined.deal_chosen,
                rematch.deal_chosen,
            ]);
            cookies.push((guest.cookie.clone(), joined.id));
        }
        assert_eq!(marks, [[true, true, true, false], [false; 4]]);
        let table = table.restart().await;
        for ((cookie, id), expected) in cookies.into_iter().zip([true, false]) {
            let mut guest = table.browser();
            guest.cookie = cookie;
            assert_eq!(guest.look(&id).await.deal_chosen, expected);
        }
    });
}

#[test]
fn an_invitation_is_used_once() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, mut late) = (table.browser(), table.browser(), table.browser());
        let new = json!({"rules": "rael", "opponent": {"kind": "friend"}, "lead": "other",
            "names": {"me": "Host"}});
        let state: MatchView = host.post("/api/v1/matches", new).await.ok();
        let token = state.invitation.clone().expect("an invitation").replace("/join/", "");
        let path = format!("/api/v1/invitations/{token}");
        let look: Invitation = guest.get(&path).await.ok();
        assert_eq!((look.from.as_deref(), look.used, look.games), (Some("Host"), false, 6));
        assert_eq!(look.seat, overmate_server::wire::SeatWire::First);

        // A browser with an identity keeps its seat in a match even if the response to its request to join is lost.
        guest.post("/api/v1/identity", json!(null)).await;
        let _: MatchView = guest.clone().post(&path, json!({"name": "Guest"})).await.ok();
        let joined: MatchView = guest.post(&path, json!({"name": "Guest"})).await.ok();
        assert_eq!((joined.you, joined.invitation.clone()), (Some(You::A), None));
        assert_eq!((joined.sequence, joined.players.a.name.as_deref()), (1, Some("Guest")));
        let answer = late.post(&path, json!({})).await;
        assert_eq!((answer.status, answer.code()), (StatusCode::GONE, Code::InvitationUsed));
        // If a browser that already plays in a match accepts the invitation to this match, the server returns the match.
        for browser in [&mut host, &mut guest] {
            let again: MatchView = browser.post(&path, json!({})).await.ok();
            assert_eq!((again.id, again.sequence), (state.id.clone(), 1));
        }
        let look: Invitation = late.get(&path).await.ok();
        assert!(look.used && look.from.is_none() && look.match_id.is_none());
        assert_eq!(late.get("/api/v1/invitations/nothing").await.code(), Code::NotFound);
    });
}

#[test]
fn the_list_holds_the_own_matches_with_unfinished_ones_first() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let empty: MatchList = browser.get("/api/v1/matches").await.ok();
        assert!(empty.matches.is_empty());
        let first = browser.begin("bga", json!({"kind": "both"})).await;
        let second = browser.begin("sackson", json!({"kind": "both"})).await;
        let _: MatchView = browser.ask(&second.id, "resign").await.ok();
        let list: MatchList = browser.get("/api/v1/matches").await.ok();
        let ids: Vec<_> = list.matches.iter().map(|m| (m.id.clone(), m.result.is_some())).collect();
        assert_eq!(ids, [(first.id, false), (second.id, true)]);
        let other: MatchList = table.browser().get("/api/v1/matches").await.ok();
        assert!(other.matches.is_empty());
    });
}

#[test]
fn the_list_of_another_process_holds_the_present_state_of_every_match() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let mut expected = Vec::new();
        for rules in ["bga", "sackson", "denexa"] {
            let mut state = browser.begin(rules, json!({"kind": "both"})).await;
            for _ in 0..5 {
                state = browser.act(&state, &state.current.legal[0].action).await.ok();
            }
            expected.push((state.id, state.sequence));
        }
        let (mut host, mut guest, joined) = two(&table, "bga").await;
        let acted: MatchView = {
            let legal = host.look(&joined.id).await.current.legal[0].action.clone();
            host.act(&joined, &legal).await.ok()
        };
        let (cookies, guest_list) = (
            [browser.cookie.clone(), host.cookie.clone()],
            guest.get("/api/v1/matches").await.ok::<MatchList>(),
        );
        assert_eq!(guest_list.matches[0].sequence, acted.sequence);
        assert_eq!(guest_list.matches[0].players.b.kind, PlayerKind::You);
        let table = table.restart().await;
        let mut browser = table.browser();
        browser.cookie.clone_from(&cookies[0]);
        for _ in 0..2 {
            // The first request for the list of matches replays the match logs. The second request finds the replayed matches in the cache.
            let list: MatchList = browser.get("/api/v1/matches").await.ok();
            let mut found: Vec<_> =
                list.matches.into_iter().map(|item| (item.id, item.sequence)).collect();
            found.sort();
            expected.sort();
            assert_eq!(found, expected);
        }
        let mut host = table.browser();
        host.cookie.clone_from(&cookies[1]);
        let list: MatchList = host.get("/api/v1/matches").await.ok();
        assert_eq!(list.matches[0].players.b.kind, PlayerKind::Friend);
        assert_eq!(list.matches[0].sequence, acted.sequence);
    });
}

#[test]
fn a_name_is_normalised_and_a_refused_name_gets_its_own_code() {
    run(async {
        let table = Table::with(|mut settings| {
            settings.refused_words = vec!["# words".to_owned(), "badger".to_owned()];
            settings
        })
        .await;
        let mut browser = table.browser();
        let state = browser.begin("bga", json!({"kind": "friend"})).await;
        let token = state.invitation.expect("an invitation");
        let join = format!("/api/v1/invitations/{}", token.trim_start_matches("/join/"));
        let long = "e\u{323}".repeat(41);
        for (name, code) in [
            ("The Badger", Code::NameRefused),
            (&long, Code::NameTooLong),
            (&"a".repeat(401), Code::BadRequest),
        ] {
            for names in [json!({"me": name}), json!({"other": name})] {
                let new = json!({"rules": "bga", "opponent": {"kind": "both"}, "names": names});
                let refused = browser.post("/api/v1/matches", new).await;
                assert_eq!((refused.status, refused.code()), (StatusCode::BAD_REQUEST, code));
            }
            let refused = table.browser().post(&join, json!({"name": name})).await;
            assert_eq!(refused.code(), code);
        }
        let mut guest = table.browser();
        let name = json!({"name": "e\u{323}".repeat(40)});
        let joined: MatchView = guest.post(&join, name).await.ok();
        assert_eq!(joined.players.b.name, Some("\u{1eb9}".repeat(40)));
        // The test stores a name that only an earlier version of the server allowed.
        let update = "UPDATE seats SET name = ' A\u{202e}nn\u{301}\u{302}\u{303}\u{304} ' WHERE player = 'a'";
        table.execute(update).await;
        let table = table.restart().await;
        let mut guest = guest.at(&table.server);
        let name = guest.look(&joined.id).await.players.a.name;
        assert_eq!(name.as_deref(), Some("An\u{144}\u{302}\u{303}"));
    });
}

#[test]
fn a_deal_that_a_person_plays_without_help_begins_no_match_against_the_computer() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "bga").await;
        let new = |opponent: &Value, rules: &str, deal: &str| json!({"rules": rules, "opponent": opponent, "deal": deal});
        let mut refused = 0;
        for opponent in [json!({"kind": "perfect"}), json!({"kind": "level", "level": 9})] {
            for browser in [&mut host, &mut guest] {
                for rules in ["bga", "sackson", "rael"] {
                    let answer =
                        browser.post("/api/v1/matches", new(&opponent, rules, "20010")).await;
                    assert_eq!(answer.code(), Code::MatchRunning, "{rules} {opponent}");
                    refused += 1;
                }
                let other = browser.post("/api/v1/matches", new(&opponent, "bga", "20011")).await;
                assert_eq!(other.status, StatusCode::CREATED);
            }
            let mut stranger = table.browser();
            let answer = stranger.post("/api/v1/matches", new(&opponent, "bga", "20010")).await;
            assert_eq!(answer.status, StatusCode::CREATED);
        }
        assert_eq!(refused, 12);
        let _: MatchView = host.ask(&state.id, "resign").await.ok();
        let opponent = json!({"kind": "perfect"});
        let answer = host.post("/api/v1/matches", new(&opponent, "bga", "20010")).await;
        assert_eq!(answer.status, StatusCode::CREATED);
    });
}
