//! Tests that the server accepts matches played offline in the web client. An accepted match must be finished and legal, is stored once, is
//! marked as offline, and is never rated.

use axum::http::StatusCode;
use overmate_bots::{BuiltIn, Standing, Turn};
use overmate_json::{ENTRIES_WITH_UNDOS, OWN_ENTRIES, OwnEntry, OwnMatch, UNDOS_PER_GAME};
use overmate_rules::{Deal, Match, Player, RuleSet, SeededDeals, Viewer};
use overmate_server::wire::{
    Code, Export, MatchList, MatchView, PlayerKind, PlayerWire, ProgressGame, ProgressWire,
    ReviewWire,
};
use overmate_server::{Limits, Settings};
use overmate_solver::Budget;
use serde_json::{Value, json};

use crate::support::{Answer, Browser, Table, now, run};

const PATH: &str = "/api/v1/matches/offline";
const LEVEL: &str = "level:1";

/// Plays an offline match between a person and a computer opponent, as the web client does. The person always takes the last
/// legal action. Returns the match in the form in which the page submits it, and as a `Match`.
fn played(id: &str, rules: &str, you: Player) -> (OwnMatch, Match) {
    let rules = RuleSet::named(rules).expect("a rule set").shared();
    let mut play = Match::new(&rules, &mut SeededDeals::new(7));
    let opponent: BuiltIn = LEVEL.parse().expect("an opponent");
    let mut bot = opponent.seeded(11);
    let mut entries = Vec::new();
    let mut shown = 0;
    while let Some(player) = play.to_act() {
        let index = play.current_index();
        let action = if player == you {
            play.current().legal_actions().last().expect("a legal action")
        } else {
            let view =
                |index: usize| play.games()[index].view(Viewer::Seat(Match::seat(index, player)));
            (shown..index).for_each(|index| bot.game_over(&view(index)));
            shown = index;
            let budget = Budget::unlimited();
            let turn = view(index);
            bot.choose(&Turn::new(&turn, Standing::of(&play, player), &budget))
                .expect("an action")
                .action
        };
        entries.push(OwnEntry::Act(overmate_json::action(&rules, action)));
        play = play.play(action).expect("a legal action");
    }
    let own = OwnMatch {
        id: id.to_owned(),
        created_at: "2026-01-31T23:59:00Z".to_owned(),
        rules: rules.name().to_owned(),
        deals: play.deals().iter().map(|dealt| dealt.number().to_string()).collect(),
        deal_chosen: false,
        opponent: LEVEL.to_owned(),
        seed: "11".to_owned(),
        you: PlayerWire::from(you),
        name: Some("Ada".to_owned()),
        entries,
    };
    (own, play)
}

async fn send(browser: &mut Browser, own: &OwnMatch) -> Answer {
    browser.post(PATH, serde_json::to_value(own).expect("JSON")).await
}

/// Submits an offline match in which the person has resigned before the first action.
pub(crate) async fn hand_in_resigned(browser: &mut Browser) {
    let (own, _) = played("here-resigned-at-once", "bga", Player::A);
    let own = OwnMatch { entries: vec![OwnEntry::Resign], ..own };
    send(browser, &own).await.ok::<MatchView>();
}

/// Returns the error code and the response body with which the server refuses an offline match.
async fn refused(browser: &mut Browser, own: &OwnMatch) -> (Code, String) {
    let answer = send(browser, own).await;
    (answer.code(), answer.text())
}

async fn count(browser: &mut Browser) -> usize {
    browser.ids().await.len()
}

#[test]
fn a_match_that_is_handed_in_reads_like_its_play() {
    run(async {
        let table = Table::new().await;
        let mut compared = 0;
        for (rules, you) in
            [("bga", Player::A), ("sackson", Player::B), ("pagat+double", Player::A)]
        {
            let mut browser = table.browser();
            let (own, play) = played("here-0123456789", rules, you);
            let answer = send(&mut browser, &own).await;
            assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
            let location = answer.headers["location"].to_str().expect("a text").to_owned();
            let state: MatchView = answer.json();
            assert_eq!(location, format!("/api/v1/matches/{}", state.id));
            assert!(state.offline && !state.rated && state.shared_deal.is_none());
            assert_eq!(state.sequence, own.entries.len() as u64);
            assert_eq!(state.created_at, own.created_at);
            let (mine, theirs) = match you {
                Player::A => (&state.players.a, &state.players.b),
                Player::B => (&state.players.b, &state.players.a),
            };
            assert_eq!((mine.kind, mine.name.as_deref()), (PlayerKind::You, Some("Ada")));
            assert_eq!((theirs.kind, theirs.level), (PlayerKind::Level, Some(1)));
            let read = browser.record(&state.id).await;
            assert_eq!(read, play);
            assert_eq!((state.totals.a, state.totals.b), (play.totals().a, play.totals().b));
            let record = browser.get(&format!("/api/v1/matches/{}/record", state.id)).await.text();
            assert!(record.contains("the match was played offline"), "{record}");
            assert!(record.contains("2026-01-31"), "{record}");
            let list: MatchList = browser.get("/api/v1/matches").await.ok();
            assert!(list.matches[0].offline && list.matches[0].result.is_some());
            let export: Export = browser.get("/api/v1/me/export").await.ok();
            assert!(export.matches[0].summary.offline);
            assert_eq!(export.requests[0].client_id, own.id);
            let mine = &export.matches[0].entries;
            assert!(mine.len() > own.entries.len() / 3, "{} entries", mine.len());
            for entry in mine {
                let sent = &own.entries[usize::try_from(entry.sequence).expect("small") - 1];
                assert_eq!(entry.detail.clone().map(OwnEntry::Act).as_ref(), Some(sent));
            }
            compared += play.games().len();
        }
        assert!(compared >= 12, "{compared}");
    });
}

#[test]
fn a_match_is_handed_in_once_and_no_other_match_takes_its_id() {
    run(async {
        let table = Table::with(|settings| Settings {
            limits: Limits { matches_per_hour: Some(2), ..settings.limits },
            ..settings
        })
        .await;
        let mut browser = table.browser();
        let (own, _) = played("here-0123456789", "bga", Player::A);
        let first: MatchView = send(&mut browser, &own).await.ok();
        // If a browser submits an offline match again, the server returns the stored match, even after a rematch. The repetition does not
        // count for the rate limit.
        browser.ask(&first.id, "rematch").await.ok::<MatchView>();
        for _ in 0..5 {
            let again: MatchView = send(&mut browser, &own).await.ok();
            assert_eq!(again.id, first.id);
        }
        assert_eq!(count(&mut browser).await, 2);
        let (other, _) = played("here-9876543210", "bga", Player::B);
        assert_eq!(refused(&mut browser, &other).await.0, Code::TooMany);

        // If several tabs submit copies of a match at the same time, the server stores one copy.
        let table = Table::new().await;
        let mut browser = table.browser();
        let first: MatchView = send(&mut browser, &own).await.ok();
        let copies: Vec<_> = (0..4)
            .map(|_| {
                let (mut tab, other) = (browser.clone(), other.clone());
                tokio::spawn(async move { send(&mut tab, &other).await.ok::<MatchView>().id })
            })
            .collect();
        let mut ids = Vec::new();
        for copy in copies {
            ids.push(copy.await.expect("no panic"));
        }
        ids.dedup();
        assert_eq!((ids.len(), count(&mut browser).await), (1, 2));
        let mut other_person = table.browser();
        let theirs: MatchView = send(&mut other_person, &own).await.ok();
        assert_ne!(theirs.id, first.id);

        let changed: [fn(&mut OwnMatch); 7] = [
            |own| own.entries.truncate(20),
            |own| own.entries.push(OwnEntry::Undo),
            |own| own.entries[3] = OwnEntry::Hint,
            |own| own.deals[0] = "1".to_owned(),
            |own| own.seed = "12".to_owned(),
            |own| own.opponent = "perfect".to_owned(),
            |own| own.deal_chosen = true,
        ];
        for change in changed {
            let mut another = own.clone();
            change(&mut another);
            let (code, text) = refused(&mut browser, &another).await;
            assert_eq!(code, Code::BadRequest);
            assert!(text.contains("another match with this id"), "{text}");
        }
        let state = browser.look(&first.id).await;
        assert!(state.result.is_some() && state.offline);
        // An offline match is also refused if its id equals the client id with which the person has created a match on the server.
        let mut host = table.browser();
        let new = json!({"rules": "bga", "opponent": {"kind": "perfect"}, "client_id": own.id});
        host.post("/api/v1/matches", new).await.ok::<MatchView>();
        assert_eq!(refused(&mut host, &own).await.0, Code::BadRequest);
    });
}

#[test]
fn a_match_is_handed_in_once_though_another_number_names_its_deal() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let rules = RuleSet::named("bga+pinochle").expect("a rule set").shared();
        let number = |number| Deal::numbered(&rules, number).expect("a deal").number();
        // Identical cards give a deal several numbers. The server stores the smallest of them.
        let another = (0..1_000).find(|other| number(*other) != *other).expect("another number");
        let (own, _) = played("here-0123456789", rules.name(), Player::A);
        let mut own = OwnMatch { entries: vec![OwnEntry::Resign], ..own };
        own.deals[0] = another.to_string();
        let first: MatchView = send(&mut browser, &own).await.ok();
        let again: MatchView = send(&mut browser, &own).await.ok();
        assert_eq!(again.id, first.id);
        own.deals[0] = number(another).to_string();
        let again: MatchView = send(&mut browser, &own).await.ok();
        assert_eq!((again.id, count(&mut browser).await), (first.id, 1));
    });
}

#[test]
fn only_a_legal_and_finished_match_is_taken() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let (own, play) = played("here-0123456789", "bga", Player::A);
        let last = own.entries.len();
        let illegal = play.games()[0].actions()[0];
        let illegal = OwnEntry::Act(overmate_json::action(play.rules(), illegal));
        let cases: Vec<(OwnMatch, Code, &str)> = [
            (vec![(2, illegal)], Code::BadRequest, "entry 3 is not allowed"),
            (vec![(0, OwnEntry::Undo)], Code::BadRequest, "entry 1 is not allowed"),
            // The first game of the match is over, so that its actions cannot be taken back.
            (
                vec![(play.games()[0].actions().len(), OwnEntry::Undo)],
                Code::BadRequest,
                "no action in the current game",
            ),
            (vec![(last - 1, OwnEntry::Act("nonsense".to_owned()))], Code::BadRequest, "entry"),
            (vec![(last, OwnEntry::Resign)], Code::BadRequest, "the match ended before this entry"),
            (vec![(last, OwnEntry::Hint)], Code::BadRequest, "the match ended before this entry"),
            (vec![(4, OwnEntry::Act("x".repeat(17)))], Code::BadRequest, "an action is too long"),
        ]
        .map(|(changes, code, text)| {
            let mut own = own.clone();
            for (index, entry) in changes {
                own.entries.truncate(index);
                own.entries.push(entry);
            }
            (own, code, text)
        })
        .into_iter()
        .chain([
            (OwnMatch { entries: Vec::new(), ..own.clone() }, Code::MatchRunning, "not over"),
            (
                OwnMatch { entries: own.entries[..last - 1].to_vec(), ..own.clone() },
                Code::MatchRunning,
                "not over",
            ),
            (OwnMatch { deals: Vec::new(), ..own.clone() }, Code::BadRequest, "one deal for each"),
            (
                OwnMatch { deals: vec!["99999999".to_owned(); 2], ..own.clone() },
                Code::BadRequest,
                "deal",
            ),
            (OwnMatch { rules: "none".to_owned(), ..own.clone() }, Code::BadRequest, "none"),
            (OwnMatch { opponent: "level:10".to_owned(), ..own.clone() }, Code::BadRequest, "10"),
            (OwnMatch { seed: "-1".to_owned(), ..own.clone() }, Code::BadRequest, "seed"),
            (OwnMatch { id: "short".to_owned(), ..own.clone() }, Code::BadRequest, "id is not"),
            (
                OwnMatch { created_at: "now".to_owned(), ..own.clone() },
                Code::BadRequest,
                "RFC 3339",
            ),
            (
                OwnMatch { entries: vec![OwnEntry::Hint; OWN_ENTRIES + 1], ..own.clone() },
                Code::BadRequest,
                "at most 2500",
            ),
        ])
        .collect();
        assert_eq!(cases.len(), 17);
        for (own, code, expected) in cases {
            let (found, text) = refused(&mut browser, &own).await;
            assert_eq!(found, code, "{expected}: {text}");
            assert!(text.contains(expected), "{expected}: {text}");
        }
        let unknown = json!({"id": "here-0123456789", "rated": true});
        assert_eq!(browser.post(PATH, unknown).await.code(), Code::BadRequest);
        assert_eq!(count(&mut browser).await, 0);
    });
}

#[test]
fn the_longest_match_with_undos_and_hints_is_taken() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let (mut own, _) = played("here-0123456789", "bga", Player::A);
        let undone = [own.entries[0].clone(), OwnEntry::Undo];
        let actions = own.entries.clone();
        // All limits are those of a match on the server.
        let with = |undos: usize, hints: usize| OwnMatch {
            entries: [
                vec![undone.clone(); undos].concat(),
                vec![OwnEntry::Hint; hints],
                actions.clone(),
            ]
            .concat(),
            ..own.clone()
        };
        let hints = ENTRIES_WITH_UNDOS - 2 * UNDOS_PER_GAME;
        for (undos, hints, expected) in [
            (UNDOS_PER_GAME + 1, 0, "entry 202 is not allowed: the game takes no more undos"),
            (UNDOS_PER_GAME, hints + 1, "entry 2001 is not allowed: a match of this length"),
        ] {
            let (code, text) = refused(&mut browser, &with(undos, hints)).await;
            assert_eq!(code, Code::BadRequest);
            assert!(text.contains(expected), "{text}");
        }
        own = with(UNDOS_PER_GAME, hints);
        assert!((ENTRIES_WITH_UNDOS..OWN_ENTRIES).contains(&own.entries.len()));
        let state: MatchView = send(&mut browser, &own).await.ok();
        assert_eq!(state.sequence, own.entries.len() as u64);
        let again: MatchView = send(&mut browser, &own).await.ok();
        assert_eq!(again.id, state.id);
        // An offline match may also end by a resignation.
        let (mut short, _) = played("here-resigned", "bga", Player::B);
        short.entries.truncate(1);
        short.entries.push(OwnEntry::Resign);
        let state: MatchView = send(&mut browser, &short).await.ok();
        assert_eq!(state.result.expect("a result").resigned, Some(PlayerWire::B));
    });
}

#[test]
fn an_offline_match_counts_for_the_progress_and_for_nothing_else() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let account = json!({"handle": "Ada", "password": "correct horse battery"});
        browser.post("/api/v1/me/account", account).await.ok::<Value>();
        let (own, play) = played("here-0123456789", "bga", Player::A);
        let state: MatchView = send(&mut browser, &own).await.ok();
        let progress: ProgressWire = browser.get("/api/v1/me/progress").await.ok();
        assert_eq!((progress.matches, progress.offline, progress.waiting), (1, 1, 0));
        assert_eq!(
            (progress.results[0].opponent, progress.results[0].level),
            (PlayerKind::Level, Some(1))
        );
        assert_eq!(progress.analysed_games, play.games().len());
        assert!(progress.choices > 0 && progress.like_level.is_some());
        assert_eq!((progress.days.longest, progress.puzzles.longest), (0, 0));
        let games: Vec<ProgressGame> = browser.get("/api/v1/me/games.json").await.ok();
        assert!(games.iter().all(|game| game.offline && game.begun_at == own.created_at));
        let csv = browser.get("/api/v1/me/games.csv").await.text();
        assert_eq!(csv.lines().filter(|line| line.ends_with(",true")).count(), games.len());
        assert!(
            csv.starts_with("begun_at,")
                && csv.lines().next().expect("names").ends_with(",offline")
        );
        let review = format!("/api/v1/matches/{}/review?game=0", state.id);
        browser.get(&review).await.ok::<ReviewWire>();

        let ratings = browser.get(&format!("/api/v1/matches/{}/ratings", state.id)).await;
        assert!(!ratings.text().contains("\"after\":{"), "{}", ratings.text());
        let mut connection = table.connect().await;
        for table in [
            "ratings",
            "rating_changes",
            "puzzle_attempts",
            "event_boards",
            "leases WHERE name = '",
        ] {
            let query = match table.strip_suffix('\'') {
                Some(leases) => format!("SELECT count(*) FROM {leases}'{}'", state.id),
                None => format!("SELECT count(*) FROM {table}"),
            };
            let rows: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(query))
                .fetch_one(&mut connection)
                .await
                .expect("a read");
            assert_eq!(rows, 0, "{table}");
        }
        let public = browser.get("/api/v1/public/matches?state=finished").await.text();
        assert!(!public.contains(&state.id), "{public}");
        // A match that began on the server is not marked as offline.
        let online = browser.begin("bga", json!({"kind": "level", "level": 1})).await;
        assert!(!online.offline);
        let rematch: MatchView = browser.ask(&state.id, "rematch").await.ok();
        let rematch = rematch.rematch.expect("a rematch").match_id.expect("an id");
        assert!(!browser.look(&rematch).await.offline);
    });
}

#[test]
fn other_people_see_an_offline_match_only_by_its_link_and_its_owner_erases_it() {
    run(async {
        let table = Table::new().await;
        let (mut browser, mut stranger) = (table.browser(), table.browser());
        let (mut own, _) = played("here-0123456789", "bga", Player::A);
        // If the player name in an offline match is not allowed, the server leaves the name out. A creation time in the future is replaced
        // by the time of the submission.
        own.name = Some("x".repeat(100));
        own.created_at = "2999-01-01T00:00:00Z".to_owned();
        let before = now();
        let state: MatchView = send(&mut browser, &own).await.ok();
        assert_eq!(state.players.a.name, None);
        let time: i64 = state.created_at.parse::<jiff::Timestamp>().expect("a time").as_second();
        assert!((before..=now()).contains(&time), "{}", state.created_at);
        let path = format!("/api/v1/matches/{}", state.id);
        assert_eq!(stranger.get(&path).await.code(), Code::NotFound);
        assert_eq!(stranger.get(&format!("{path}?watch=public")).await.code(), Code::NotFound);
        assert_eq!(stranger.delete(&path).await.code(), Code::NotFound);
        let token = state.watch.rsplit('/').next().expect("a token");
        let watched: MatchView = stranger.get(&format!("{path}?watch={token}")).await.ok();
        assert!(watched.offline && watched.you.is_none());
        assert_eq!(count(&mut stranger).await, 0);
        assert!(browser.erase().await.status.is_success());
        assert_eq!(stranger.get(&format!("{path}?watch={token}")).await.code(), Code::NotFound);
    });
}
