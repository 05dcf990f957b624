//! Tests what happens in a tournament event to players who do not show up, who take a break, and whose account is closed.

use std::time::Duration;

use fastrand::Rng;
use overmate_server::wire::{EventBoardWire, EventStateWire, EventView, PlayerWire, SeenEvent};
use overmate_server::{Admin, Limits, Measure, Settings};
use serde_json::json;

use crate::events::{Remote, begin, new_event, player_of, players, quick};
use crate::sockets::served;
use crate::support::{Table, run};

#[test]
fn players_who_do_not_show_up_lose_and_are_paired_no_more() {
    run(async {
        let table = Table::with(|settings| {
            let settings = quick(settings);
            let limits = Limits { event_show_time: Duration::ZERO, ..settings.limits };
            Settings { limits, ..settings }
        })
        .await;
        let served = served(&table).await;
        let players = players(&table, &served, 2).await;
        let id = begin(&players, &json!({"kind": "arena", "minutes": 30})).await;
        let path = format!("/api/v1/events/{id}");
        let mut seen: SeenEvent = players[0].get(&path).await;
        while seen.shown.boards.first().is_none_or(|board| board.points.is_none()) {
            seen = players[0].get(&format!("{path}?after={}&wait=5", seen.shown.version)).await;
        }
        // The player who leads has not acted, and has therefore forfeited the match.
        let board = seen.shown.boards[0];
        assert_eq!((board.points, board.forfeit), (Some(-20), Some(PlayerWire::A)));
        let present: Vec<(u32, bool)> =
            seen.shown.standings.iter().map(|one| (one.number, one.present)).collect();
        assert_eq!(present, [(board.b.unwrap(), true), (board.a, false)]);
        assert_eq!(seen.shown.standings[0].points, 20);
        let absent = player_of(&players, &seen.shown, board.a);
        let back: SeenEvent = absent.post(&format!("{path}/join"), json!({})).await;
        assert!(back.you.present);
        let left: SeenEvent = absent.post(&format!("{path}/leave"), json!({})).await;
        assert!(!left.you.present && left.you.number == Some(board.a));
        drop(served.stop);
    });
}

#[test]
fn a_swiss_event_waits_for_players_who_take_a_break_before_it_ends() {
    run(async {
        let table = Table::with(quick).await;
        let served = served(&table).await;
        let players = players(&table, &served, 4).await;
        let id = begin(&players, &json!({"kind": "swiss", "rounds": 3})).await;
        let path = format!("/api/v1/events/{id}");
        // Waits until a condition holds for the event, and returns the event as seen by a player.
        let until = async |player: &Remote, holds: fn(&EventView) -> bool| {
            let mut seen: SeenEvent = player.get(&path).await;
            while !holds(&seen.shown) {
                seen = player.get(&format!("{path}?after={}&wait=5", seen.shown.version)).await;
            }
            seen
        };
        let play = async |boards: &[EventBoardWire], shown: &EventView| {
            for board in boards.iter().filter(|board| board.points.is_none()) {
                let one = player_of(&players, shown, board.a);
                let other = player_of(&players, shown, board.b.expect("an opponent"));
                let own: SeenEvent = one.get(&path).await;
                let match_id = own.you.match_id.expect("a match");
                one.play(other, &match_id, &mut Rng::with_seed(1), 2).await;
            }
        };
        let seen = until(&players[0], |shown| shown.boards.len() == 2).await;
        // All players but one take a break during the first round.
        for player in &players[1..] {
            let _: SeenEvent = player.post(&format!("{path}/leave"), json!({})).await;
        }
        play(&seen.shown.boards, &seen.shown).await;
        until(&players[0], |shown| shown.boards.iter().all(|one| one.points.is_some())).await;
        tokio::time::sleep(Duration::from_secs(3)).await;
        let waiting: SeenEvent = players[0].get(&path).await;
        assert_eq!(waiting.shown.event.state, EventStateWire::Running);
        assert_eq!((waiting.shown.event.round, waiting.shown.boards.len()), (1, 2));
        // One player comes back, and the next round begins.
        let _: SeenEvent = players[1].post(&format!("{path}/join"), json!({})).await;
        let seen = until(&players[0], |shown| shown.boards.len() == 3).await;
        let _: SeenEvent = players[1].post(&format!("{path}/leave"), json!({})).await;
        play(&seen.shown.boards, &seen.shown).await;
        until(&players[0], |shown| shown.boards.iter().all(|one| one.points.is_some())).await;
        // Nobody comes back for three minutes.
        table.execute("UPDATE event_boards SET ended_at = ended_at - 170").await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        let waiting: SeenEvent = players[0].get(&path).await;
        assert_eq!(waiting.shown.event.state, EventStateWire::Running);
        table.execute("UPDATE event_boards SET ended_at = ended_at - 10").await;
        let ended = until(&players[0], |shown| shown.event.state == EventStateWire::Finished).await;
        assert_eq!(ended.shown.boards.len(), 3);
        drop(served.stop);
    });
}

#[test]
fn a_player_whose_account_is_closed_is_paired_no_more() {
    run(async {
        let table = Table::with(quick).await;
        let served = served(&table).await;
        let players = players(&table, &served, 2).await;
        let [host, closed] = &players[..] else { panic!("two players") };
        let new = new_event(&json!({"kind": "arena", "minutes": 30}));
        let coming: SeenEvent = host.post("/api/v1/events", new).await;
        let coming = format!("/api/v1/events/{}", coming.shown.event.id);
        let joined: SeenEvent = closed.post(&format!("{coming}/join"), json!({})).await;
        let id = begin(&players, &json!({"kind": "arena", "minutes": 30})).await;
        let path = format!("/api/v1/events/{id}");
        let mut seen: SeenEvent = closed.get(&path).await;
        while seen.you.match_id.is_none() {
            seen = closed.get(&format!("{path}?after={}&wait=5", seen.shown.version)).await;
        }
        let running = seen.you.match_id.expect("a match");
        let database = table.folder.path().to_owned().into();
        let mut admin = Admin::open(&database).await.expect("a database");
        let target = format!("@{}", closed.handle);
        admin.take_measure(&target, &Measure::Close, "a test", None).await.expect("an account");
        admin.close().await.expect("a database");
        // The person leaves the event that has not begun, and is absent in the running event, in which their match goes on.
        let left: SeenEvent = closed.get(&coming).await;
        assert_eq!((left.you.number, left.shown.standings.len()), (None, 0));
        assert!(left.shown.version > joined.shown.version);
        let now: SeenEvent = closed.get(&path).await;
        assert!(!now.you.present && now.shown.version > seen.shown.version);
        assert_eq!(now.you.match_id.as_ref(), Some(&running));
        // A third player, who waits for an opponent, gets none but the host after the end of this match.
        let late = Remote::new(&table, &served, "Late".to_owned()).await;
        let joined: SeenEvent = late.post(&format!("{path}/join"), json!({})).await;
        let own = joined.you.number.expect("a number");
        closed.play(host, &running, &mut Rng::with_seed(1), 4).await;
        let mut seen: SeenEvent = late.get(&path).await;
        while seen.shown.boards.len() < 2 {
            seen = late.get(&format!("{path}?after={}&wait=5", seen.shown.version)).await;
        }
        let number = |one: &Remote| {
            let named = |handle: &Option<String>| handle.as_ref() == Some(&one.handle);
            let mut standings = seen.shown.standings.iter();
            standings.find(|standing| named(&standing.handle)).map(|standing| standing.number)
        };
        let pair = [Some(seen.shown.boards[1].a), seen.shown.boards[1].b];
        assert!(pair.contains(&Some(own)) && pair.contains(&number(host)), "{pair:?}");
        drop(served.stop);
    });
}
