//! Tests e-mail addresses, and the recovery of accounts by e-mail.

use axum::http::StatusCode;
use overmate_server::wire::{Code, Export, Mail, MyBrowsers, OwnAccount, Recovered};
use overmate_server::{Limits, OpenError, Server, Settings};
use serde_json::{Value, json};

use crate::ratings::make_account;
use crate::smtp::{CONFIRMATION, MAIL, PASSWORD, SITE, Smtp, account, mail, set};
use crate::sockets::served;
use crate::support::{Answer, Browser, SOON, Table, run};

const RECOVERY: &str = "/api/v1/me/recovery";
const REMOVAL: &str = "/api/v1/me/mail/removal";
const NEW_PASSWORD: &str = "another horse battery";

async fn sign_in(table: &Table, handle: &str, password: &str) -> Answer {
    let body = json!({"handle": handle, "password": password});
    table.browser().post("/api/v1/me/sign-in", body).await
}

#[test]
fn an_address_is_used_once_its_owner_has_confirmed_it() {
    run(async {
        let mut smtp = Smtp::start().await;
        let table = smtp.table(|limits| limits).await;
        let _served = served(&table).await;
        let mut anna = table.browser();
        // An e-mail address can be set only with an account and the account's password.
        assert_eq!(
            set(&mut anna, "anna@mate.example", true, "de").await.code(),
            Code::AccountNeeded
        );
        make_account(&mut anna, "Anna").await;
        let wrong = json!({"address": "anna@mate.example", "recovery": true, "language": "de", "password": "wrong"});
        assert_eq!(anna.put(MAIL, wrong).await.code(), Code::PasswordWrong);
        for address in
            ["anna", "anna@mate.example\r\nBcc: bert@mate.example", "a@b.example, c@d.example"]
        {
            assert_eq!(set(&mut anna, address, true, "de").await.code(), Code::BadRequest);
        }
        let pending: Mail = set(&mut anna, " Anna@Mate.example ", true, "de").await.ok();
        assert!(pending.available && pending.address.is_none());
        assert_eq!(pending.pending.expect("a pending address").address, "Anna@Mate.example");

        // The e-mail that asks for the confirmation of an address is plain text in the language of the page, and goes only to this address.
        let letter = smtp.next().await;
        assert_eq!(
            (&*letter.from, &letter.to[..]),
            ("mate@mate.example", &["Anna@Mate.example".to_owned()][..])
        );
        assert_eq!(letter.header("From"), "Overmate <mate@mate.example>");
        assert_eq!(letter.header("To"), "Anna@Mate.example");
        assert_eq!(letter.header("Auto-Submitted"), "auto-generated");
        assert!(letter.header("Content-Type").starts_with("text/plain"));
        assert!(letter.header("Message-ID").ends_with("@localhost>"));
        assert!(letter.header("Subject").starts_with("Overmate: "), "{letter:?}");
        assert!(
            letter.body.contains("für das Konto Anna auf http://localhost:2420"),
            "{}",
            letter.body
        );
        let token = letter.token("confirm-address");

        // Neither the database file nor the export of the person's data contains the token of the link in the e-mail.
        let export = anna.get("/api/v1/me/export").await;
        assert!(!export.text().contains(&token));
        let mails = export.ok::<Export>().mail;
        assert_eq!((mails.address, mails.messages.len()), (None, 1));
        assert_eq!((&*mails.messages[0].kind, &*mails.messages[0].language), ("confirm", "de"));
        let stored = std::fs::read(Server::database(table.folder.path())).unwrap();
        assert!(!stored.windows(64).any(|part| part == token.as_bytes()));

        // The link in the confirmation e-mail confirms the address once, in any browser, and cannot set a password.
        let mut phone = table.browser();
        let other = format!("{}{}", if token.starts_with('0') { '1' } else { '0' }, &token[1..]);
        assert_eq!(
            phone.post(CONFIRMATION, json!({"token": other})).await.code(),
            Code::LinkRefused
        );
        let recover = json!({"token": token, "password": NEW_PASSWORD});
        assert_eq!(phone.put(RECOVERY, recover).await.code(), Code::LinkRefused);
        let confirm = json!({"token": token});
        assert_eq!(phone.post(CONFIRMATION, confirm.clone()).await.status, StatusCode::NO_CONTENT);
        assert_eq!(phone.post(CONFIRMATION, confirm).await.code(), Code::LinkRefused);
        let own = mail(&mut anna).await.address.expect("an address");
        assert_eq!(
            (&*own.address, own.recovery, &*own.language),
            ("Anna@Mate.example", true, "de")
        );
        assert_eq!(anna.get("/api/v1/me/export").await.ok::<Export>().mail.address, Some(own));
        // The public profile of an account does not show the e-mail address of the account.
        let profile = phone.get("/api/v1/players/Anna").await.text();
        assert!(!profile.to_lowercase().contains("mate.example"), "{profile}");

        // Switching account recovery off for the address sends no e-mail. A new address stays unused until its confirmation.
        let changed: Mail = set(&mut anna, "anna@mate.example", false, "en").await.ok();
        assert!(!changed.address.expect("an address").recovery && changed.pending.is_none());
        let _: Mail = set(&mut anna, "anna@other.example", true, "en").await.ok();
        let letter = smtp.next().await;
        assert_eq!(letter.header("Subject"), "Overmate: confirm your e-mail address");
        assert_eq!(mail(&mut anna).await.address.expect("an address").address, "Anna@Mate.example");
        let proof = json!({"password": PASSWORD});
        assert_eq!(anna.post(REMOVAL, proof).await.status, StatusCode::NO_CONTENT);
        let late = json!({"token": letter.token("confirm-address")});
        assert_eq!(phone.post(CONFIRMATION, late).await.code(), Code::LinkRefused);
        assert_eq!(mail(&mut anna).await, Mail { available: true, address: None, pending: None });
    });
}

#[test]
fn a_forgotten_password_is_replaced_by_a_letter() {
    run(async {
        let mut smtp = Smtp::start().await;
        let table = smtp.table(|limits| limits).await;
        let _served = served(&table).await;
        let mut anna = account(&mut smtp, &table, "Anna", "anna@mate.example").await;
        let codes = anna.make_codes("recovery").await;
        let mut bert = account(&mut smtp, &table, "Bert", "bert@mate.example").await;
        let _: Mail = set(&mut bert, "bert@mate.example", false, "en").await.ok();
        let mut carl = table.browser();
        make_account(&mut carl, "Carl").await;

        // A stranger who requests a recovery e-mail cannot tell whether the account exists. The server sends no e-mail if the account is
        // unknown or has no address for recovery.
        let mut stranger = table.browser();
        let mut answers = Vec::new();
        for name in ["bert@mate.example", "Bert", "Carl", "Nobody", "nobody@mate.example", "?", ""]
        {
            let answer = stranger.post(RECOVERY, json!({"account": name})).await;
            answers.push((answer.status, answer.text()));
        }
        smtp.nothing_else(&table, "Dora").await;
        let mut letters = Vec::new();
        for name in ["ANNA@Mate.example", " anna "] {
            let answer = stranger.post(RECOVERY, json!({"account": name})).await;
            answers.push((answer.status, answer.text()));
            letters.push(smtp.next().await);
        }
        assert_eq!(answers.len(), 9);
        let expected = (StatusCode::ACCEPTED, String::new());
        assert!(answers.iter().all(|answer| *answer == expected), "{answers:?}");

        let (former, letter) = (&letters[0], &letters[1]);
        assert_eq!([&former.to[..], &letter.to[..]], [["anna@mate.example"]; 2]);
        assert_eq!(letter.header("Subject"), "Overmate: set a new password");
        assert!(letter.body.contains("for the account Anna at http://localhost:2420"));
        let tokens = [former.token("recover"), letter.token("recover")];
        // The recovery link stays valid after the server has refused a weak password. The link in the earlier e-mail is not valid any more.
        let weak = json!({"token": tokens[1], "password": "Anna Anna Anna"});
        assert_eq!(stranger.put(RECOVERY, weak).await.code(), Code::PasswordWeak);
        let set = |token: &str| json!({"token": token, "password": NEW_PASSWORD});
        assert_eq!(stranger.put(RECOVERY, set(&tokens[0])).await.code(), Code::LinkRefused);
        let recovered: Recovered = stranger.put(RECOVERY, set(&tokens[1])).await.ok();
        assert_eq!(recovered.handle, "Anna");
        assert_eq!(stranger.put(RECOVERY, set(&tokens[1])).await.code(), Code::LinkRefused);

        // A new password that is set by a recovery link signs all browsers of the account out, and signs no browser in. The codes of the
        // account are not valid any more.
        for browser in [&mut stranger, &mut anna] {
            let own: OwnAccount = browser.get("/api/v1/me/account").await.ok();
            assert!(own.account.is_none() && own.mail);
        }
        assert_eq!(table.browser().join(&codes.codes[0]).await.code(), Code::CodeRefused);
        assert_eq!(sign_in(&table, "Anna", PASSWORD).await.code(), Code::SignInRefused);
        let listed: MyBrowsers = sign_in(&table, "Anna", NEW_PASSWORD).await.ok();
        assert_eq!(listed.browsers.len(), 1);

        // The erasure of the account removes the e-mail address.
        assert_eq!(bert.erase().await.status, StatusCode::NO_CONTENT);
        let mut connection = table.connect().await;
        let left: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM mail_addresses WHERE folded = 'bert@mate.example'",
        )
        .fetch_one(&mut connection)
        .await
        .unwrap();
        assert_eq!(left, 0);
    });
}

/// Polls until the server has tried a given number of times to send the queued e-mail for a test client. For `None`,
/// polls until no e-mail waits.
async fn wait_for(browser: &mut Browser, wanted: Option<u32>) {
    for _ in 0..200 {
        let export: Export = browser.get("/api/v1/me/export").await.ok();
        if export.mail.messages.first().map(|message| message.tries) == wanted {
            return;
        }
        tokio::time::sleep(SOON / 100).await;
    }
    panic!("never {wanted:?} attempts");
}

#[test]
fn a_letter_is_tried_again_with_a_new_link_and_dropped_in_the_end() {
    run(async {
        let mut smtp = Smtp::start().await;
        let table = smtp.table(|limits| limits).await;
        let _served = served(&table).await;
        let mut anna = table.browser();
        make_account(&mut anna, "Anna").await;
        smtp.answers.send("451 try later").unwrap();
        let _: Mail = set(&mut anna, "anna@mate.example", true, "en").await.ok();
        wait_for(&mut anna, Some(1)).await;
        smtp.answers.send("451 try later").unwrap();
        table.execute("UPDATE mail_messages SET retry_at = 0").await;
        wait_for(&mut anna, Some(2)).await;
        assert!(!mail(&mut anna).await.pending.expect("a pending address").sent);
        table.execute("UPDATE mail_messages SET retry_at = 0").await;
        let token = smtp.next().await.token("confirm-address");
        wait_for(&mut anna, Some(3)).await;
        let confirm = json!({"token": token});
        assert_eq!(anna.post(CONFIRMATION, confirm).await.status, StatusCode::NO_CONTENT);

        // The server stops its attempts to send an e-mail if the mail server refuses the address, or after many failed attempts.
        smtp.answers.send("550 no such mailbox").unwrap();
        let _: Mail = set(&mut anna, "anna@other.example", true, "en").await.ok();
        wait_for(&mut anna, None).await;
        assert!(mail(&mut anna).await.pending.is_none());
        smtp.answers.send("451 try later").unwrap();
        let _: Mail = set(&mut anna, "anna@third.example", true, "en").await.ok();
        wait_for(&mut anna, Some(1)).await;
        smtp.answers.send("451 try later").unwrap();
        table.execute("UPDATE mail_messages SET tries = 6, retry_at = 0").await;
        wait_for(&mut anna, None).await;
        let metrics = Browser::metrics(&table.server).await;
        for outcome in ["failed", "accepted", "refused", "dropped"] {
            let line = format!("overmate_mails_total{{kind=\"confirm\",outcome=\"{outcome}\"}} ");
            assert!(metrics.contains(&line), "{line} {metrics}");
        }
    });
}

#[test]
fn a_former_address_is_told_of_its_change_and_removal() {
    run(async {
        let mut smtp = Smtp::start().await;
        let table = smtp.table(|limits| limits).await;
        let _served = served(&table).await;
        let mut anna = account(&mut smtp, &table, "Anna", "anna@mate.example").await;
        // Another spelling of the e-mail address counts as the same address.
        let _: Mail = set(&mut anna, "ANNA@mate.example", true, "de").await.ok();
        let _: Mail = set(&mut anna, "anna@other.example", true, "en").await.ok();
        let token = smtp.next().await.token("confirm-address");
        let confirmed = anna.post(CONFIRMATION, json!({"token": token})).await;
        assert_eq!(confirmed.status, StatusCode::NO_CONTENT);
        let letter = smtp.next().await;
        assert_eq!(letter.to, ["anna@mate.example"]);
        assert!(letter.body.contains("Das Konto Anna auf http://localhost:2420 hat jetzt eine"));
        assert!(letter.body.contains("andere E-Mail-Adresse"), "{}", letter.body);
        // The e-mail about a change of the address goes to the former address, and contains neither the new address nor a secret.
        assert!(!letter.body.contains("other.example") && !letter.body.contains('#'));

        // The removal of the e-mail address needs the password of the account.
        for body in [json!({"password": "wrong"}), json!({"password": null}), json!({})] {
            assert_eq!(anna.post(REMOVAL, body).await.code(), Code::PasswordWrong);
        }
        assert_eq!(table.browser().post(REMOVAL, json!({})).await.code(), Code::AccountNeeded);
        assert!(mail(&mut anna).await.address.is_some());
        let proof = json!({"password": PASSWORD});
        assert_eq!(anna.post(REMOVAL, proof.clone()).await.status, StatusCode::NO_CONTENT);
        let letter = smtp.next().await;
        assert_eq!(letter.to, ["anna@other.example"]);
        assert_eq!(letter.header("Subject"), "Overmate: your e-mail address was removed");
        assert!(letter.body.contains("open http://localhost:2420/me, set a new password"));
        // If a person removes their e-mail address twice, the second request sends no e-mail. The sent e-mails leave no data.
        assert_eq!(anna.post(REMOVAL, proof).await.status, StatusCode::NO_CONTENT);
        smtp.nothing_else(&table, "Dora").await;
        wait_for(&mut anna, None).await;
    });
}

#[test]
fn the_letters_to_an_address_and_of_a_client_are_limited() {
    run(async {
        let mut smtp = Smtp::start().await;
        let limited = |limits| Limits { mails_per_hour: Some(2), ..limits };
        let table = smtp.table(limited).await;
        let _served = served(&table).await;
        let mut anna = account(&mut smtp, &table, "Anna", "anna@mate.example").await;
        // A client reaches the limit on e-mails with two requests, whichever accounts the requests name.
        let answer = anna.post(RECOVERY, json!({"account": "nobody"})).await;
        assert_eq!(answer.status, StatusCode::ACCEPTED);
        assert_eq!(anna.post(RECOVERY, json!({"account": "nobody"})).await.code(), Code::TooMany);
        assert_eq!(set(&mut anna, "strange@mate.example", true, "en").await.code(), Code::TooMany);
    });
}

#[test]
fn the_letters_to_an_address_are_limited_without_a_word_about_it() {
    run(async {
        let mut smtp = Smtp::start().await;
        let table = Table::with(|settings| Settings {
            public_url: Some(SITE.parse().unwrap()),
            mail: Some(smtp.settings.clone()),
            behind_proxy: true,
            limits: Limits { mails_per_hour: Some(2), ..settings.limits },
            ..settings
        })
        .await;
        let _served = served(&table).await;
        let _anna = account(&mut smtp, &table, "Anna", "anna@mate.example").await;
        let mut letters = 0;
        for number in 1..5 {
            let mut stranger = table.browser_at(&format!("192.0.2.{number}"));
            let answer = stranger.post(RECOVERY, json!({"account": "anna"})).await;
            assert_eq!((answer.status, answer.text()), (StatusCode::ACCEPTED, String::new()));
            if letters < 2 {
                assert_eq!(smtp.next().await.to, ["anna@mate.example"]);
                letters += 1;
            }
        }
        let mut dora = table.browser_at("192.0.2.200");
        make_account(&mut dora, "Dora").await;
        // The server counts the confirmation e-mails and the recovery e-mails to an address separately. Otherwise a refusal of Dora's
        // address would reveal that recovery e-mails for an account go to the same mailbox. The limit of an address ignores the part after
        // a plus sign.
        assert_eq!(set(&mut dora, "anna+2@mate.example", true, "en").await.status, StatusCode::OK);
        assert_eq!(smtp.next().await.to, ["anna+2@mate.example"]);
        let mut emil = table.browser_at("192.0.2.201");
        make_account(&mut emil, "Emil").await;
        assert_eq!(set(&mut emil, "anna+3@mate.example", true, "en").await.code(), Code::TooMany);
        assert_eq!(set(&mut emil, "emil@mate.example", true, "en").await.status, StatusCode::OK);
        assert_eq!(smtp.next().await.to, ["emil@mate.example"]);
    });
}

#[test]
fn without_an_smtp_server_there_is_no_e_mail() {
    run(async {
        let table = Table::new().await;
        let mut anna = table.browser();
        make_account(&mut anna, "Anna").await;
        assert_eq!(mail(&mut anna).await, Mail { available: false, address: None, pending: None });
        assert_eq!(set(&mut anna, "anna@mate.example", true, "en").await.code(), Code::NotFound);
        let (token, password) = ("0".repeat(64), PASSWORD);
        assert_eq!(anna.post(CONFIRMATION, json!({"token": token})).await.code(), Code::NotFound);
        assert_eq!(anna.post(RECOVERY, json!({"account": "Anna"})).await.code(), Code::NotFound);
        let recover = json!({"token": token, "password": password});
        assert_eq!(anna.put(RECOVERY, recover).await.code(), Code::NotFound);
        let privacy: Value = anna.get("/api/v1/privacy").await.ok();
        assert_eq!(privacy["mail"], json!(false));

        // A server with e-mail settings but without a public URL does not start, because the links in e-mails need the URL.
        let folder = tempfile::tempdir().unwrap();
        let smtp = Smtp::start().await;
        let settings =
            Settings { mail: Some(smtp.settings), ..Settings::new(folder.path().to_owned()) };
        assert!(matches!(Server::open(settings).await, Err(OpenError::MailWithoutPublicUrl)));
    });
}
