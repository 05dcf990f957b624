//! Tests the favourites of accounts.

use axum::http::StatusCode;
use overmate_server::wire::{
    Code, Export, Favourite, Favourites, MatchView, MyAccount, OpponentRelation, Profile,
};
use serde_json::json;

use crate::ratings::{begin, make_account, resigned};
use crate::support::{Browser, Table, run};

async fn favourites(browser: &mut Browser) -> Vec<Favourite> {
    browser.get("/api/v1/me/favourites").await.ok::<Favourites>().favourites
}

/// Returns the handles of a person's favourites, each with a flag that is true if the favourite has also added the person as a favourite.
async fn handles(browser: &mut Browser) -> Vec<(String, bool)> {
    favourites(browser).await.into_iter().map(|known| (known.handle, known.mutual)).collect()
}

async fn set_private(browser: &mut Browser, is_private: bool) {
    let path = "/api/v1/me/account/profile";
    let set: MyAccount = browser.put(path, json!({"private": is_private})).await.ok();
    assert_eq!(set.private, is_private);
}

async fn add(browser: &mut Browser, handle: &str) -> Result<(), Code> {
    let path = format!("/api/v1/me/favourites/{handle}");
    let answer = browser.put(&path, json!({})).await;
    if answer.status == StatusCode::NO_CONTENT { Ok(()) } else { Err(answer.code()) }
}

async fn add_opponent(browser: &mut Browser, id: &str) -> Result<(), Code> {
    let answer = browser.put(&format!("/api/v1/matches/{id}/favourite"), json!({})).await;
    if answer.status == StatusCode::NO_CONTENT { Ok(()) } else { Err(answer.code()) }
}

async fn remove(browser: &mut Browser, handle: &str) {
    let answer = browser.delete(&format!("/api/v1/me/favourites/{handle}")).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.text());
}

/// Returns three flags: whether a player may add their opponent as a favourite, whether the player has added the
/// opponent, and whether each player has added the other.
async fn opponent(browser: &mut Browser, id: &str) -> [bool; 3] {
    let found = browser.get(&format!("/api/v1/matches/{id}/favourite")).await;
    let OpponentRelation { addable, added, mutual, .. } = found.ok();
    [addable, added, mutual]
}

#[test]
fn players_who_add_one_another_see_it_until_one_removes_the_other() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, _) = resigned(&table, ["Anna", "Bert"]).await;
        let of_profile = async |browser: &mut Browser, handle: &str| {
            browser.get(&format!("/api/v1/players/{handle}")).await.ok::<Profile>().favourite
        };
        assert_eq!(of_profile(&mut host, "Bert").await, Some(false));
        assert_eq!(of_profile(&mut host, "Anna").await, None);
        assert_eq!(of_profile(&mut table.browser(), "Anna").await, None);
        assert_eq!(add(&mut host, "BERT").await, Ok(()));
        assert_eq!(add(&mut host, "bert").await, Ok(()), "a repeated request");
        assert_eq!(of_profile(&mut host, "Bert").await, Some(true));
        assert_eq!(handles(&mut host).await, [("Bert".to_owned(), false)]);
        // A player does not learn that another player has added them to their favourites.
        assert_eq!(handles(&mut guest).await, []);
        assert_eq!(add(&mut guest, "Anna").await, Ok(()));
        assert_eq!(handles(&mut host).await, [("Bert".to_owned(), true)]);
        assert_eq!(handles(&mut guest).await, [("Anna".to_owned(), true)]);
        assert!(favourites(&mut guest).await[0].profile);
        let exported: Export = host.get("/api/v1/me/export").await.ok();
        assert_eq!(exported.favourites, favourites(&mut host).await);
        remove(&mut guest, "anna").await;
        assert_eq!(handles(&mut host).await, [("Bert".to_owned(), false)]);
        assert_eq!(handles(&mut guest).await, []);
        // When a player erases their account, the account disappears from the lists of favourites of all other players.
        assert_eq!(guest.erase().await.status, StatusCode::NO_CONTENT);
        assert_eq!(handles(&mut host).await, []);
    });
}

#[test]
fn favourites_tell_no_more_than_profiles() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, _) = resigned(&table, ["Anna", "Bert"]).await;
        let (mut hidden, mut new, mut nobody) = (table.browser(), table.browser(), table.browser());
        make_account(&mut hidden, "Hidden").await;
        make_account(&mut new, "Newcomer").await;
        set_private(&mut hidden, true).await;
        // A request to add a favourite gets the same response for a private profile, a profile without a rated match, and an unknown
        // handle.
        for handle in ["Hidden", "Newcomer", "Nobody"] {
            assert_eq!(add(&mut host, handle).await, Err(Code::NotFound), "{handle}");
            remove(&mut host, handle).await;
        }
        for text in ["-not~a+handle-", &"0".repeat(65)] {
            assert_eq!(add(&mut host, text).await, Err(Code::NotFound), "{text}");
            let answer = host.delete(&format!("/api/v1/me/favourites/{text}")).await;
            assert_eq!(answer.code(), Code::NotFound, "{text}");
        }
        assert_eq!(add(&mut host, "Anna").await, Err(Code::BadRequest));
        assert_eq!(add(&mut nobody, "Anna").await, Err(Code::NotFound));
        assert_eq!(nobody.delete("/api/v1/me/favourites/Anna").await.code(), Code::NotFound);
        assert_eq!(handles(&mut nobody).await, []);
        // A favourite whose profile becomes private leaves the list of favourites, and comes back when the profile becomes public again.
        assert_eq!(add(&mut host, "Bert").await, Ok(()));
        set_private(&mut guest, true).await;
        assert_eq!(handles(&mut host).await, []);
        assert_eq!(host.get("/api/v1/me/export").await.ok::<Export>().favourites, []);
        // A favourite with a private profile stays in a player's list of favourites if the favourite has also added the player.
        assert_eq!(add(&mut guest, "Anna").await, Ok(()));
        assert_eq!(handles(&mut host).await, [("Bert".to_owned(), true)]);
        assert!(!favourites(&mut host).await[0].profile);
        remove(&mut guest, "Anna").await;
        set_private(&mut guest, false).await;
        assert_eq!(handles(&mut host).await, [("Bert".to_owned(), false)]);
    });
}

#[test]
fn opponents_with_accounts_add_one_another_by_their_match() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest) = (table.browser(), table.browser());
        make_account(&mut host, "Anna").await;
        let casual = json!({"rated": false});
        let state = begin(&mut host, &mut guest, casual.clone()).await;
        // The server gives a player the same response about an opponent without an account and about an opponent with a private profile.
        // The player can add neither opponent as a favourite.
        assert_eq!(opponent(&mut host, &state.id).await, [false; 3]);
        assert_eq!(add_opponent(&mut host, &state.id).await, Err(Code::NotAllowed));
        make_account(&mut guest, "Bert").await;
        set_private(&mut guest, true).await;
        assert_eq!(opponent(&mut host, &state.id).await, [false; 3]);
        assert_eq!(add_opponent(&mut host, &state.id).await, Err(Code::NotAllowed));
        // A player can add an opponent with a private profile only after the opponent has added the player.
        assert_eq!(opponent(&mut guest, &state.id).await, [true, false, false]);
        assert_eq!(add_opponent(&mut guest, &state.id).await, Ok(()));
        assert_eq!(opponent(&mut guest, &state.id).await, [true, true, false]);
        assert_eq!(opponent(&mut host, &state.id).await, [true, false, false]);
        assert_eq!(add_opponent(&mut host, &state.id).await, Ok(()));
        assert_eq!(opponent(&mut host, &state.id).await, [true; 3]);
        assert_eq!(handles(&mut host).await, [("Bert".to_owned(), true)]);
        // A stranger to a match cannot see whether its players are favourites of each other.
        let path = format!("/api/v1/matches/{}/favourite", state.id);
        assert_eq!(table.browser().get(&path).await.code(), Code::NotFound);
        assert_eq!(add_opponent(&mut table.browser(), &state.id).await, Err(Code::NotFound));
        let alone: MatchView = host.begin("bga", json!({"kind": "level", "level": 3})).await;
        assert_eq!(opponent(&mut host, &alone.id).await, [false; 3]);
        assert_eq!(add_opponent(&mut host, &alone.id).await, Err(Code::NotAllowed));
    });
}
