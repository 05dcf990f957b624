//! Tests accounts with a handle and a password.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use overmate_server::wire::{
    Code, Export, MadeCodes, MatchView, MyAccount, MyBrowsers, OwnAccount, Problem,
};
use overmate_server::{Limits, Settings};
use serde_json::json;

use crate::support::{Answer, Browser, Table, run, two};

const PASSWORD: &str = "correct horse battery";

async fn make(browser: &mut Browser, handle: &str, password: &str) -> Answer {
    let body = json!({"handle": handle, "password": password, "name": "Test"});
    browser.post("/api/v1/me/account", body).await
}

async fn sign_in(browser: &mut Browser, handle: &str, password: &str) -> Answer {
    browser.post("/api/v1/me/sign-in", json!({"handle": handle, "password": password})).await
}

async fn set_password(browser: &mut Browser, former: &str, password: &str) -> Answer {
    let body = json!({"former": former, "password": password});
    browser.put("/api/v1/me/account/password", body).await
}

async fn set_handle(browser: &mut Browser, handle: &str) -> Answer {
    browser.put("/api/v1/me/account/handle", json!({"handle": handle})).await
}

async fn account(browser: &mut Browser) -> Option<MyAccount> {
    browser.get("/api/v1/me/account").await.ok::<OwnAccount>().account
}

#[test]
fn a_browser_that_signs_in_has_the_matches_of_the_account_and_brings_its_own() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, between) = two(&table, "bga").await;
        assert_eq!(account(&mut host).await, None);
        assert_eq!(account(&mut table.browser()).await, None);
        let answer = make(&mut host, "Anna", PASSWORD).await;
        assert_eq!(answer.status, StatusCode::CREATED);
        let made: MyAccount = answer.json();
        assert_eq!((&*made.handle, &made.handle_changeable_at), ("Anna", &made.made_at));
        let mut phone = table.browser();
        let own = phone.begin("bga", json!({"kind": "both"})).await;
        let listed: MyBrowsers = sign_in(&mut phone, " anna", PASSWORD).await.ok();
        assert_eq!(listed.browsers.len(), 2);
        let mut expected = vec![own.id.clone(), between.id.clone()];
        expected.sort();
        assert_eq!(phone.ids().await, expected);
        assert_eq!(host.ids().await, expected);
        let seen = phone.look(&between.id).await;
        let moved: MatchView = phone.act(&seen, &seen.current.legal[0].action).await.ok();
        assert_eq!(guest.look(&between.id).await.sequence, moved.sequence);
        // If a signed-in browser signs in to the same account again, the server accepts the request. After a restart, the password is still
        // right.
        assert_eq!(sign_in(&mut phone, "Anna", PASSWORD).await.status, StatusCode::OK);
        let table = table.restart().await;
        let mut third = table.browser();
        assert_eq!(sign_in(&mut third, "Anna", PASSWORD).await.status, StatusCode::OK);
        assert_eq!(third.ids().await, expected);
        let export: Export = third.get("/api/v1/me/export").await.ok();
        assert_eq!(export.account, Some(made));
        // The export of a person's data does not contain the hash of their password.
        let text = third.get("/api/v1/me/export").await.text();
        assert!(text.contains("\"Anna\"") && !text.contains("argon2"));
    });
}

#[test]
fn a_cookie_that_somebody_else_put_into_the_browser_gets_no_account() {
    run(async {
        let table = Table::new().await;
        for (way, handle, browsers) in
            [("sign-in", "Anna", 2), ("new account", "Berta", 1), ("code", "Carla", 2)]
        {
            let mut owner = table.browser();
            if way != "new account" {
                let made = make(&mut owner, handle, PASSWORD).await;
                assert_eq!(made.status, StatusCode::CREATED);
            }
            let (mut thief, mut accomplice, mut victim) =
                (table.browser(), table.browser(), table.browser());
            let planted = thief.begin("bga", json!({"kind": "both"})).await;
            let link = thief.make_codes("link").await;
            assert_eq!(accomplice.join(&link.codes[0]).await.status, StatusCode::OK);
            let kept = accomplice.make_codes("recovery").await;
            let unused = thief.make_codes("link").await;
            victim.cookie.clone_from(&thief.cookie);
            let own = owner.make_codes("link").await;
            let answer = match way {
                "sign-in" => sign_in(&mut victim, handle, PASSWORD).await,
                "new account" => make(&mut victim, handle, PASSWORD).await,
                _ => victim.join(&own.codes[0]).await,
            };
            assert!(answer.status.is_success(), "{way}: {}", answer.text());
            if way == "code" {
                // The browser may repeat its request with the new cookie. The former cookie and the used code give nothing.
                let cookie = victim.cookie.clone();
                assert_eq!(victim.join(&own.codes[0]).await.status, StatusCode::OK);
                assert_eq!(victim.cookie, cookie);
                assert_eq!(thief.clone().join(&own.codes[0]).await.code(), Code::CodeRefused);
            }
            assert_ne!(victim.cookie, thief.cookie);
            assert!(account(&mut victim).await.is_some());
            assert_eq!(victim.ids().await, [planted.id.as_str()]);
            for other in [&mut thief, &mut accomplice] {
                assert_eq!(account(other).await, None);
                assert!(other.ids().await.is_empty());
                let missing = other.get(&format!("/api/v1/matches/{}", planted.id)).await;
                assert_eq!(missing.code(), Code::SignedOut);
            }
            for code in [&kept.codes[0], &unused.codes[0]] {
                assert_eq!(table.browser().join(code).await.code(), Code::CodeRefused);
            }
            let listed: MyBrowsers = victim.get("/api/v1/me/browsers").await.ok();
            let current = listed.browsers.iter().filter(|known| known.current).count();
            assert_eq!((listed.browsers.len(), current), (browsers, 1), "{way}");
        }
    });
}

#[test]
fn an_unknown_handle_and_a_wrong_password_have_one_answer() {
    run(async {
        let table = Table::new().await;
        assert_eq!(make(&mut table.browser(), "Anna", PASSWORD).await.status, StatusCode::CREATED);
        let mut problems = Vec::new();
        for (handle, password) in
            [("Anna", "wrong horse battery"), ("Berta", PASSWORD), ("?", PASSWORD), ("Anna", "")]
        {
            let mut thief = table.browser();
            let answer = sign_in(&mut thief, handle, password).await;
            assert_eq!(answer.code(), Code::SignInRefused, "{handle}");
            assert_eq!(thief.cookie, None);
            problems.push(Problem { request_id: None, ..answer.json() }.detail);
        }
        problems.dedup();
        assert_eq!(problems.len(), 1, "{problems:?}");
    });
}

#[test]
fn handles_that_look_alike_and_weak_passwords_are_refused() {
    run(async {
        let table = Table::with(|settings| Settings {
            refused_words: vec!["badger".to_owned()],
            ..settings
        })
        .await;
        let mut first = table.browser();
        assert_eq!(make(&mut first, "Milli", PASSWORD).await.status, StatusCode::CREATED);
        assert_eq!(make(&mut first, "Berta", PASSWORD).await.code(), Code::HasAccount);
        let mut second = table.browser();
        let mut done = 0;
        for (handle, password, expected) in [
            ("milli", PASSWORD, Code::HandleTaken),
            ("M1LL1", PASSWORD, Code::HandleTaken),
            ("rnil-li", PASSWORD, Code::HandleTaken),
            ("ab", PASSWORD, Code::HandleNotValid),
            ("\u{43c}illi", PASSWORD, Code::HandleNotValid),
            ("Admin", PASSWORD, Code::NameRefused),
            ("the-badger", PASSWORD, Code::NameRefused),
            ("Berta", "too short", Code::PasswordLength),
            ("Berta", "berta is my name", Code::PasswordWeak),
            ("Berta", "111111111111", Code::PasswordWeak),
            ("Berta", &"x".repeat(2_000), Code::BadRequest),
        ] {
            assert_eq!(make(&mut second, handle, password).await.code(), expected, "{handle}");
            done += 1;
        }
        assert_eq!(done, 11);
        assert_eq!(account(&mut second).await, None);
        assert_eq!(make(&mut second, "Berta", PASSWORD).await.status, StatusCode::CREATED);
    });
}

#[test]
fn a_new_password_and_a_new_handle_replace_the_former_ones() {
    run(async {
        let table = Table::new().await;
        let mut anna = table.browser();
        assert_eq!(set_handle(&mut anna, "Anna").await.code(), Code::NotFound);
        assert_eq!(set_password(&mut anna, "", PASSWORD).await.code(), Code::NotFound);
        make(&mut anna, "Anna", PASSWORD).await.ok::<MyAccount>();
        let new = "battery horse correct";
        assert_eq!(set_password(&mut anna, "wrong", new).await.code(), Code::PasswordWrong);
        assert_eq!(set_password(&mut anna, PASSWORD, "short").await.code(), Code::PasswordLength);
        assert_eq!(set_password(&mut anna, PASSWORD, new).await.status, StatusCode::NO_CONTENT);
        assert!(account(&mut anna).await.is_some_and(|account| account.password));
        let mut phone = table.browser();
        assert_eq!(sign_in(&mut phone, "Anna", PASSWORD).await.code(), Code::SignInRefused);
        assert_eq!(sign_in(&mut phone, "Anna", new).await.status, StatusCode::OK);

        // A recovery code replaces a forgotten password once.
        let made = phone.make_codes("recovery").await;
        let by_code = set_password(&mut anna, &made.codes[3].to_lowercase(), PASSWORD).await;
        assert_eq!(by_code.status, StatusCode::NO_CONTENT, "{}", by_code.text());
        assert_eq!(set_password(&mut anna, &made.codes[3], new).await.code(), Code::PasswordWrong);
        assert_eq!(set_password(&mut anna, PASSWORD, new).await.status, StatusCode::NO_CONTENT);
        // The changes of the password by Anna's first browser have signed out her phone.
        assert_eq!(account(&mut phone).await, None);
        phone.cookie = None;
        assert_eq!(sign_in(&mut phone, "Anna", new).await.status, StatusCode::OK);
        let mut berta = table.browser();
        make(&mut berta, "Berta", PASSWORD).await.ok::<MyAccount>();
        assert_eq!(set_handle(&mut phone, "berta").await.code(), Code::HandleTaken);
        // Another spelling of a handle counts as the same handle. The first change of the handle is possible at once; a second
        // change is not.
        assert_eq!(set_handle(&mut phone, "ANNA").await.ok::<MyAccount>().handle, "ANNA");
        let vera: MyAccount = set_handle(&mut phone, "Vera").await.ok();
        assert!(vera.handle_changeable_at > vera.made_at);
        assert_eq!(account(&mut anna).await, Some(vera));
        assert_eq!(set_handle(&mut phone, "Anna").await.code(), Code::HandleTooNew);
        assert_eq!(set_handle(&mut phone, "ver-a").await.ok::<MyAccount>().handle, "ver-a");
        let mut third = table.browser();
        assert_eq!(sign_in(&mut third, "Anna", new).await.code(), Code::SignInRefused);
        assert_eq!(make(&mut third, "Anna", PASSWORD).await.code(), Code::HandleTaken);
        assert_eq!(sign_in(&mut third, "Vera", new).await.status, StatusCode::OK);
    });
}

#[test]
fn a_new_password_signs_out_all_other_browsers_and_a_copied_cookie() {
    run(async {
        let table = Table::new().await;
        let mut anna = table.browser();
        let begun = anna.begin("bga", json!({"kind": "both"})).await;
        make(&mut anna, "Anna", PASSWORD).await.ok::<MyAccount>();
        let (mut password, mut done) = (PASSWORD.to_owned(), 0);
        for by_code in [false, true] {
            let mut phone = table.browser();
            assert_eq!(sign_in(&mut phone, "Anna", &password).await.status, StatusCode::OK);
            let mut thief = table.browser();
            thief.cookie.clone_from(&anna.cookie);
            let made = phone.make_codes("recovery").await;
            for browser in [&mut anna, &mut phone, &mut thief] {
                assert_eq!(browser.ids().await, [begun.id.as_str()], "by code: {by_code}");
            }
            // A refused change of the password signs no browser out.
            let wrong = set_password(&mut anna, "wrong", "battery horse correct").await;
            assert_eq!(wrong.code(), Code::PasswordWrong);
            assert!(account(&mut phone).await.is_some() && account(&mut thief).await.is_some());
            let new = format!("{password} {by_code}");
            let former = if by_code { &made.codes[0] } else { &password };
            let changed = set_password(&mut anna, former, &new).await;
            assert_eq!(changed.status, StatusCode::NO_CONTENT, "{}", changed.text());
            assert_ne!(anna.cookie, thief.cookie);
            assert_eq!(anna.ids().await, [begun.id.as_str()]);
            for other in [&mut phone, &mut thief] {
                assert_eq!(account(other).await, None, "by code: {by_code}");
                assert!(other.ids().await.is_empty());
                done += 1;
            }
            let listed: MyBrowsers = anna.get("/api/v1/me/browsers").await.ok();
            assert_eq!(listed.browsers.len(), 1);
            assert!(listed.browsers[0].current);
            // A password change without a recovery code makes all recovery codes invalid. A password change with a recovery code
            // leaves the other nine codes valid.
            let left = listed.recovery_codes.map(|codes| codes.left);
            assert_eq!(left, by_code.then_some(9));
            password = new;
        }
        assert_eq!(done, 4);
    });
}

#[test]
fn the_browser_of_an_account_joins_nobody_else() {
    run(async {
        let table = Table::new().await;
        let (mut anna, mut berta, mut other) = (table.browser(), table.browser(), table.browser());
        make(&mut anna, "Anna", PASSWORD).await.ok::<MyAccount>();
        make(&mut berta, "Berta", PASSWORD).await.ok::<MyAccount>();
        assert_eq!(sign_in(&mut berta, "Anna", PASSWORD).await.code(), Code::HasAccount);
        let link: MadeCodes = other.make_codes("link").await;
        assert_eq!(berta.join(&link.codes[0]).await.code(), Code::HasAccount);
        // A code that links a browser to a person stays valid after the server has refused a browser with an account. A browser without an
        // account may use the code.
        let mut phone = table.browser();
        assert_eq!(phone.join(&link.codes[0]).await.status, StatusCode::OK);
        let link: MadeCodes = anna.make_codes("link").await;
        assert_eq!(phone.join(&link.codes[0]).await.status, StatusCode::OK);
        let handle = account(&mut phone).await.map(|account| account.handle);
        assert_eq!(handle.as_deref(), Some("Anna"));
        // The other browser of the phone's former person is signed out, and does not get the account.
        assert_eq!(account(&mut other).await, None);
        // A browser that has signed out of one account may sign in to another account.
        let listed: MyBrowsers = phone.get("/api/v1/me/browsers").await.ok();
        let own = listed.browsers.iter().find(|known| known.current).expect("this browser");
        let path = format!("/api/v1/me/browsers/{}", own.id);
        let left = phone.send(Request::delete(path).body(Body::empty()).expect("a request")).await;
        assert_eq!(left.status, StatusCode::NO_CONTENT);
        phone.cookie = None;
        assert_eq!(sign_in(&mut phone, "Berta", PASSWORD).await.status, StatusCode::OK);
    });
}

#[test]
fn an_erased_account_opens_nothing_and_its_handle_stays_free_for_nobody() {
    run(async {
        let table = Table::new().await;
        let mut anna = table.browser();
        let begun = anna.begin("bga", json!({"kind": "both"})).await;
        make(&mut anna, "Anna", PASSWORD).await.ok::<MyAccount>();
        assert_eq!(anna.erase().await.status, StatusCode::NO_CONTENT);
        let mut other = table.browser();
        assert_eq!(sign_in(&mut other, "Anna", PASSWORD).await.code(), Code::SignInRefused);
        assert_eq!(make(&mut other, "anna", PASSWORD).await.code(), Code::HandleTaken);
        let missing = other.get(&format!("/api/v1/matches/{}", begun.id)).await;
        assert_eq!(missing.code(), Code::NotFound);
    });
}

#[test]
fn sign_ins_are_limited_by_handle_and_by_network() {
    run(async {
        let table = Table::with(|settings| Settings {
            limits: Limits {
                codes_per_hour: Some(5),
                sign_ins_per_hour: Some(3),
                ..settings.limits
            },
            behind_proxy: true,
            ..settings
        })
        .await;
        let mut anna = table.browser_at("192.0.2.1");
        make(&mut anna, "Anna", PASSWORD).await.ok::<MyAccount>();
        // The server limits the sign-in attempts with each handle, from all networks together, whether the handle exists or not.
        for handle in ["Anna", "Nobody-1"] {
            for network in 2..5 {
                let mut thief = table.browser_at(&format!("192.0.2.{network}"));
                let answer = sign_in(&mut thief, handle, "wrong horse battery").await;
                assert_eq!(answer.code(), Code::SignInRefused, "{handle}");
            }
            let mut thief = table.browser_at("198.51.100.1");
            let answer = sign_in(&mut thief, handle, PASSWORD).await;
            assert_eq!(answer.code(), Code::TooMany, "{handle}");
            assert!(answer.text().contains("with this handle"), "{}", answer.text());
        }
        // A client in one network can try only few handles, so that the client learns of few existing handles.
        let mut thief = table.browser_at("198.51.100.2");
        for number in 0..5 {
            let answer = make(&mut thief, "Anna", PASSWORD).await;
            assert_eq!(answer.code(), Code::HandleTaken, "{number}");
        }
        assert_eq!(make(&mut thief, "Berta", PASSWORD).await.code(), Code::TooMany);
        assert_eq!(sign_in(&mut thief, "Berta", PASSWORD).await.code(), Code::TooMany);
    });
}
