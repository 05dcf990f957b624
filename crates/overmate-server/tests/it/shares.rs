//! Limits that keep one client from taking the server from all others.

use overmate_server::wire::{Code, Hint, MarkKind, MatchView};
use serde_json::json;

use crate::support::{Browser, Table, run};

/// Takes the first legal action, and takes it back if the server permits the undo. Returns the state after both.
async fn act_and_undo(browser: &mut Browser, state: &MatchView) -> Result<MatchView, Code> {
    let acted = browser.act(state, &state.current.legal[0].action).await;
    let acted: MatchView = acted.ok();
    let answer = browser.ask(&acted.id, "undo").await;
    if answer.status.is_success() { Ok(answer.json()) } else { Err(answer.code()) }
}

#[test]
fn undos_in_a_game_are_limited_and_the_next_game_permits_them_again() {
    run(async {
        let table = Table::with(|mut settings| {
            settings.limits.undos_per_game = 3;
            settings
        })
        .await;
        let mut browser = table.browser();
        let mut state = browser.begin("bga", json!({"kind": "both"})).await;
        for _ in 0..3 {
            state = act_and_undo(&mut browser, &state).await.expect("an undo");
        }
        assert_eq!(act_and_undo(&mut browser, &state).await.err(), Some(Code::MatchFull));
        state = browser.look(&state.id).await;
        assert_eq!(state.current.steps.len(), 1, "the action of the refused undo stands");
        while state.game == 0 {
            state = browser.act(&state, &state.current.legal[0].action).await.ok();
        }
        assert!(act_and_undo(&mut browser, &state).await.is_ok());
    });
}

#[test]
fn a_full_log_takes_no_undo_and_no_hint_but_every_action_and_a_resignation() {
    run(async {
        for resigns in [false, true] {
            let table = Table::with(|mut settings| {
                settings.limits.log_entries = 10;
                settings
            })
            .await;
            let mut browser = table.browser();
            let mut state = browser.begin("bga", json!({"kind": "both"})).await;
            for _ in 0..5 {
                state = act_and_undo(&mut browser, &state).await.expect("an undo");
            }
            assert_eq!(state.sequence, 10);
            assert_eq!(browser.ask(&state.id, "hint").await.code(), Code::MatchFull);
            assert_eq!(act_and_undo(&mut browser, &state).await.err(), Some(Code::MatchFull));
            state = browser.look(&state.id).await;
            assert_eq!(state.sequence, 11);
            if resigns {
                state = browser.ask(&state.id, "resign").await.ok();
            }
            while state.result.is_none() {
                state = browser.act(&state, &state.current.legal[0].action).await.ok();
            }
            assert_eq!(state.result.unwrap().resigned.is_some(), resigns);
        }
    });
}

#[test]
fn a_state_lists_the_latest_hundred_marks_and_the_record_all() {
    run(async {
        let table = Table::with(|mut settings| {
            settings.limits.undos_per_game = 1_000;
            settings
        })
        .await;
        let mut browser = table.browser();
        let mut state = browser.begin("bga", json!({"kind": "both"})).await;
        let _: Hint = browser.ask(&state.id, "hint").await.ok();
        state = browser.look(&state.id).await;
        for _ in 0..120 {
            state = act_and_undo(&mut browser, &state).await.expect("an undo");
        }
        let cookie = browser.cookie.clone();
        let table = table.restart().await;
        let mut browser = table.browser();
        browser.cookie = cookie;
        // The log of 241 entries is not cached after the restart.
        let state = browser.look(&state.id).await;
        assert_eq!((state.sequence, state.marks.len()), (241, 100));
        assert!(state.marks.iter().all(|mark| mark.kind == MarkKind::Undo));
        assert_eq!(state.marks[99].sequence, 241);
        let record = browser.get(&format!("/api/v1/matches/{}/record", state.id)).await.text();
        assert_eq!(record.matches("took back an action").count(), 120);
    });
}
