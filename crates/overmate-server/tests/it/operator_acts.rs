//! Tests that operators' acts, such as the revocation of a browser identity, reach live connections before the next heartbeat.
//! The operators use another connection to the database.

use axum::http::StatusCode;
use overmate_rules::Player;
use overmate_server::wire::{Export, MadeCodes, MyBrowsers, PlayerWire, ServerMessage};
use overmate_server::{Admin, FoundBrowser, Revoked};
use serde_json::json;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use crate::bots::offered;
use crate::passkeys::{use_passkeys, with_site};
use crate::ratings::make_account;
use crate::sockets::{Socket, served};
use crate::support::{Browser, Table, run, two};

/// Returns the new browser identity that took over the data of a revoked browser identity.
fn renewed(revoked: Revoked) -> FoundBrowser {
    match revoked {
        Revoked::Browser(new) => new,
        other => panic!("a browser: {other:?}"),
    }
}

async fn identity(browser: &mut Browser) -> String {
    let export: Export = browser.get("/api/v1/me/export").await.ok();
    export.identity.expect("an identity")
}

#[test]
fn a_revoked_browser_is_cut_off_and_its_opponent_is_not() {
    run(async {
        let table = Table::new().await;
        let (mut host, guest, state) = two(&table, "bga").await;
        let served = served(&table).await;
        let live = format!("{}/live", state.id);
        let mut silent = Socket::open(&served, &host, &live).await;
        let mut idle = Socket::open(&served, &host, &live).await;
        let mut opponent = Socket::open(&served, &guest, &live).await;
        let before = idle.hello().await.sequence;
        opponent.hello().await;
        let mut admin =
            Admin::open(&table.folder.path().to_owned().into()).await.expect("a database");
        let id = identity(&mut host).await;
        renewed(admin.revoke(&id, "a test").await.expect("a browser"));
        for socket in [&mut silent, &mut idle] {
            let (code, reason) = socket.closed().await;
            assert_eq!(code, CloseCode::Policy);
            assert!(reason.contains("may no longer see"), "{reason}");
        }
        // The live connection of the signed-out player's opponent stays open, and reports that an operator has ended the match.
        admin.end(&state.id, Player::A, "a test").await.expect("a running match");
        let mut sequence = before;
        let resigned = loop {
            let ServerMessage::Changed { state, .. } = opponent.next().await else {
                panic!("another message");
            };
            assert!(state.sequence > sequence);
            sequence = state.sequence;
            if let Some(result) = state.result {
                break result.resigned;
            }
        };
        assert_eq!(resigned, Some(PlayerWire::A));
        admin.close().await.expect("a database");
    });
}

#[test]
fn an_act_about_another_browser_and_another_match_closes_no_connection() {
    run(async {
        let table = Table::new().await;
        let (host, _, state) = two(&table, "bga").await;
        let (mut other, _, _) = two(&table, "bga").await;
        let served = served(&table).await;
        let mut socket = Socket::open(&served, &host, &format!("{}/live", state.id)).await;
        let path = format!("{}/live", other.begin("bga", json!({"kind": "both"})).await.id);
        let mut revoked = Socket::open(&served, &other, &path).await;
        socket.hello().await;
        let mut admin =
            Admin::open(&table.folder.path().to_owned().into()).await.expect("a database");
        let id = identity(&mut other).await;
        renewed(admin.revoke(&id, "a test").await.expect("a browser"));
        assert_eq!(revoked.closed().await.0, CloseCode::Policy);
        assert_eq!(socket.hello().await.sequence, state.sequence);
        admin.close().await.expect("a database");
    });
}

#[test]
fn the_name_in_an_offer_is_changed_without_a_player() {
    run(async {
        let table = Table::new().await;
        let mut maker = table.browser();
        let offer = offered(&mut maker, json!({})).await.offer;
        let mut admin = Admin::open(&table.folder.path().to_owned().into()).await.unwrap();
        let (id, name) = (&offer.id, Some("Bert"));
        let refused = admin.rename(id, Some(Player::A), name, "a test").await;
        assert!(refused.expect_err("a player").to_string().contains("--player"));
        admin.rename(id, None, name, "a test").await.expect("an offer");
        admin.close().await.expect("a database");
    });
}

#[test]
fn an_operator_finds_and_withdraws_an_offer_that_the_server_cannot_read() {
    run(async {
        let table = Table::new().await;
        let damaged = offered(&mut table.browser(), json!({})).await.offer;
        let sound = offered(&mut table.browser(), json!({"rules": "sackson"})).await.offer;
        table.execute("UPDATE offers SET clock = 'unknown' WHERE rules = 'bga'").await;
        let mut admin = Admin::open(&table.folder.path().to_owned().into()).await.unwrap();
        // Offers of the same second have the order of their random ids.
        let mut expected = vec![damaged.id, sound.id];
        expected.sort();
        while !expected.is_empty() {
            let offers = admin.find("Anna", 10).await.expect("a read").offers;
            let mut ids: Vec<String> = offers.into_iter().map(|found| found.id).collect();
            ids.sort();
            assert_eq!(ids, expected);
            let revoked = admin.revoke(&expected.remove(0), "a test").await;
            assert_eq!(revoked.expect("an offer"), Revoked::Offer);
        }
        admin.close().await.expect("a database");
    });
}

#[test]
fn an_operator_revokes_and_erases_a_person_with_browsers_and_no_match() {
    run(async {
        let table = Table::new().await;
        let (mut browser, mut phone) = (table.browser(), table.browser());
        let code = async |browser: &mut Browser| {
            let made = browser.post("/api/v1/me/codes", json!({"kind": "recovery"})).await;
            made.ok::<MadeCodes>().codes.remove(0)
        };
        let add = async |browser: &mut Browser, code: &str| {
            browser.post("/api/v1/me/browsers", json!({"code": code})).await.status
        };
        let made = code(&mut browser).await;
        assert_eq!(add(&mut phone, &made).await, StatusCode::OK);
        let second = code(&mut browser).await;
        let id = identity(&mut browser).await;
        let mut admin =
            Admin::open(&table.folder.path().to_owned().into()).await.expect("a database");
        let found = admin.find(&id, 10).await.expect("a read").browser.expect("a person");
        assert_eq!((found.id.as_str(), found.matches, found.puzzle_attempts), (&*id, 0, 0));
        let new = renewed(admin.revoke(&id, "a test").await.expect("a person"));
        assert_eq!(add(&mut table.browser(), &second).await, StatusCode::FORBIDDEN);
        let listed: MyBrowsers = phone.get("/api/v1/me/browsers").await.ok();
        assert_eq!(listed, MyBrowsers::default());
        // After a revocation, operators find the new browser identity by the id of the old identity, until the new identity is erased.
        let found = admin.find(&id, 10).await.expect("a read").browser.expect("a person");
        assert_eq!(found.id, new.id);
        admin.erase(&new.id, "a test").await.expect("a person");
        assert!(admin.find(&id, 10).await.expect("a read").browser.is_none());
        admin.close().await.expect("a database");
    });
}

#[test]
fn a_revocation_keeps_passkeys_unless_the_operator_removes_them() {
    run(async {
        let table = Table::with(with_site).await;
        let mut owner = table.browser();
        make_account(&mut owner, "Anna").await;
        use_passkeys(&mut owner, &mut table.browser()).await;
        let mut admin = Admin::open(&table.folder.path().to_owned().into()).await.unwrap();
        let mut database = table.connect().await;
        for (removes, expected) in [(false, 1), (true, 0)] {
            renewed(admin.revoke_all("@Anna", removes, "a test").await.unwrap());
            let count = sqlx::query_scalar("SELECT count(*) FROM passkeys");
            let count: i64 = count.fetch_one(&mut database).await.unwrap();
            assert_eq!(count, expected);
        }
        admin.close().await.unwrap();
    });
}
