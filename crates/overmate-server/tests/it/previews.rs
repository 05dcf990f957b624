//! Tests the titles, descriptions and pictures that link previews show for pages.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use overmate_server::wire::{Code, MatchView, SharedDealSummary, SharedDeals};
use serde_json::{Value, json};

use crate::ratings::{make_account, resigned};
use crate::support::{Answer, Browser, Table, client_id, run, two};

/// Requests an existing page in a given language, like a link-preview crawler, and returns the HTML.
async fn preview(browser: &mut Browser, path: &str, language: &str) -> String {
    let (status, html) = page(browser, path, language).await;
    assert_eq!(status, StatusCode::OK, "{path}");
    html
}

/// Requests a page in a given language, and returns the status and the HTML of the response.
async fn page(browser: &mut Browser, path: &str, language: &str) -> (StatusCode, String) {
    let request = Request::get(path)
        .header(header::HOST, "127.0.0.1:2420")
        .header(header::ACCEPT_LANGUAGE, language)
        .body(Body::empty());
    let answer = browser.send(request.expect("a request")).await;
    assert_eq!(answer.headers[header::VARY], "Accept-Language");
    (answer.status, answer.text())
}

/// Returns the content of the `meta` element with a given name in a page; `None` without such an element.
fn meta<'a>(html: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = html.split_once(&format!("=\"{name}\" content=\""))?;
    rest.split_once('"').map(|(content, _)| content)
}

fn title(html: &str) -> &str {
    let (_, rest) = html.split_once("<title>").expect("a title");
    rest.split_once("</title>").expect("the end of the title").0
}

/// Returns a page's HTML without the line that contains the page's URL (`og:url`).
fn without_address(html: &str) -> String {
    let lines: Vec<_> = html.lines().filter(|line| !line.contains("\"og:url\"")).collect();
    assert_eq!(lines.len() + 1, html.lines().count());
    lines.join("\n")
}

/// Returns the width and height of a PNG image, in pixels.
fn size(png: &Answer) -> (u32, u32) {
    assert_eq!(png.headers[header::CONTENT_TYPE], "image/png");
    assert_eq!(png.body[..8], *b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png.body[at..at + 4].try_into().expect("4 bytes"));
    (number(16), number(20))
}

#[test]
fn every_page_has_a_title_a_description_and_a_picture_in_both_languages() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let mut seen = Vec::new();
        for path in [
            "/",
            "/analysis",
            "/daily",
            "/guide",
            "/learn",
            "/rules",
            "/privacy",
            "/match/x",
            "/join/x",
            "/watch",
            "/watch/x/public",
            "/match/x/review",
        ] {
            for language in ["en-GB,en;q=0.9", "de"] {
                let (_, html) = page(&mut browser, path, language).await;
                assert_eq!(meta(&html, "og:title"), Some(title(&html)), "{path}");
                assert!(meta(&html, "description").is_some_and(|text| text.len() > 20), "{path}");
                assert_eq!(
                    meta(&html, "og:image"),
                    Some("http://127.0.0.1:2420/picture.png"),
                    "{path}"
                );
                assert_eq!(
                    meta(&html, "og:url"),
                    Some(&*format!("http://127.0.0.1:2420{path}")),
                    "{path}"
                );
                let is_private = path.contains("/x");
                assert_eq!(meta(&html, "robots").is_some(), is_private, "{path}");
                seen.push(title(&html).to_owned());
            }
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 24, "{seen:?}");
        assert_eq!(size(&browser.get("/picture.png").await), (1_200, 630));
    });
}

#[test]
fn the_page_of_a_deal_has_the_board_of_the_deal_as_its_picture() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let path = "/analysis?rules=sackson%2Bdouble&deal=20010&line=-";
        let html = preview(&mut browser, path, "en").await;
        assert!(title(&html).starts_with("Deal "), "{}", title(&html));
        let picture = meta(&html, "og:image").expect("a picture").replace("&amp;", "&");
        let (_, picture) = picture.split_once(":2420").expect("the address of the server");
        assert!(picture.contains("sackson%2Bdouble"), "{picture}");
        let drawn = browser.get(picture).await;
        assert_eq!(size(&drawn), (1_200, 630));
        assert_eq!(drawn.headers["cross-origin-resource-policy"], "cross-origin");
        assert_ne!(drawn.body, browser.get("/picture.png").await.body);
        // A second request for the preview picture of a deal gets the same picture from the cache.
        assert_eq!(drawn.body, browser.get(picture).await.body);
        // The preview of a URL without a valid deal shows the general title of the analysis page.
        for query in ["deal=999999", "rules=nothing&deal=1", "deal=x", "position=x"] {
            let html = preview(&mut browser, &format!("/analysis?{query}"), "en").await;
            assert_eq!(title(&html), "Analysis · Overmate", "{query}");
        }
    });
}

#[test]
fn a_picture_of_no_deal_is_refused() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let long = format!("/picture.png?rules={}&deal=1", "x".repeat(300));
        for path in [
            "/picture.png?deal=184756",
            "/picture.png?rules=nothing&deal=1",
            "/picture.png?deal=-1",
            &long,
        ] {
            assert_eq!(browser.get(path).await.code(), Code::BadRequest, "{path}");
        }
    });
}

#[test]
fn pictures_count_as_analyses_of_their_client() {
    run(async {
        let table = Table::limited(|limits| {
            limits.analyses_per_minute = Some(3);
        })
        .await;
        let mut browser = table.browser();
        let mut statuses = Vec::new();
        for deal in 0..5 {
            statuses.push(browser.get(&format!("/picture.png?deal={deal}")).await.status);
        }
        assert_eq!(statuses[..3], [StatusCode::OK; 3]);
        assert_eq!(statuses[4], StatusCode::TOO_MANY_REQUESTS);
    });
}

/// URL of the preview picture that pages without a deal use.
const GENERAL: &str = "http://127.0.0.1:2420/picture.png";

#[test]
fn an_invitation_names_its_sender_and_shows_a_chosen_deal() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, mut bot) = (table.browser(), table.browser(), table.browser());
        let new = json!({"rules": "pagat", "opponent": {"kind": "friend"}, "lead": "me",
            "deal": "20010", "names": {"me": "Anna <&> \"B\""}});
        let state: MatchView = host.post("/api/v1/matches", new).await.ok();
        let path = state.invitation.clone().expect("an invitation");
        let html = preview(&mut bot, &path, "en").await;
        assert_eq!(
            title(&html),
            "\u{2068}Anna &lt;&amp;&gt; &quot;B&quot;\u{2069} invites you to a match of Mate"
        );
        assert!(meta(&html, "description").is_some_and(|text| text.contains("Pagat")));
        assert!(!html.contains(&state.id), "{html}");
        let picture = meta(&html, "og:image").expect("a picture");
        assert!(picture.ends_with("/picture.png?rules=pagat&amp;deal=20010"), "{picture}");
        assert_eq!(meta(&html, "robots"), Some("noindex"));

        // The preview of a used invitation holds no name and no deal. The preview of an unknown token is the same.
        let join = path.replace("/join/", "/api/v1/invitations/");
        guest.post(&join, json!({"name": "Bert"})).await.ok::<MatchView>();
        let used = preview(&mut bot, &path, "en").await;
        assert!(!used.contains("Anna") && !used.contains("Bert"), "{used}");
        assert_eq!(meta(&used, "og:image"), Some(GENERAL));
        let (status, unknown) = page(&mut bot, "/join/0123", "en").await;
        assert_eq!(status, StatusCode::NOT_FOUND);
        assert_eq!(without_address(&used), without_address(&unknown));
    });
}

#[test]
fn a_match_that_waits_for_a_guest_does_not_show_a_drawn_deal() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut bot) = (table.browser(), table.browser());
        let new = json!({"rules": "sackson", "opponent": {"kind": "friend"}});
        let drawn: MatchView = host.post("/api/v1/matches", new).await.ok();
        let chosen = host.begin("sackson", json!({"kind": "friend"})).await;
        for (state, is_shown) in [(drawn, false), (chosen, true)] {
            for path in [state.invitation.clone().expect("an invitation"), state.watch.clone()] {
                let html = preview(&mut bot, &path, "en").await;
                assert_eq!(meta(&html, "og:image") != Some(GENERAL), is_shown, "{path}");
                let number = state.current.deal.clone().expect("the number of the deal");
                assert_eq!(html.contains(&format!("deal={number}")), is_shown, "{path}");
            }
        }
    });
}

#[test]
fn the_page_of_a_match_shows_no_data_of_the_match() {
    run(async {
        let table = Table::new().await;
        let (mut host, _, state) = two(&table, "sackson").await;
        let path = format!("/match/{}", state.id);
        let (_, unknown) = page(&mut table.browser(), "/match/0123", "en").await;
        let unknown = without_address(&unknown);
        let (status, stranger) = page(&mut table.browser(), &path, "en").await;
        assert_eq!((status, without_address(&stranger)), (StatusCode::NOT_FOUND, unknown.clone()));
        // A player of the match gets the same HTML page as a client without access to the match. The player may share the page, whose
        // preview must not show the match.
        assert_eq!(without_address(&preview(&mut host, &path, "en").await), unknown);
        let (_, of_unknown) = page(&mut table.browser(), "/match/0123/review", "en").await;
        let review = preview(&mut host, &format!("{path}/review"), "en").await;
        assert_eq!(without_address(&review), without_address(&of_unknown));
    });
}

#[test]
fn a_watched_match_shows_its_deal_to_holders_of_the_token() {
    run(async {
        let table = Table::new().await;
        let mut stranger = table.browser();
        let (_, _, state) = two(&table, "sackson").await;
        let html = preview(&mut stranger, &state.watch, "de").await;
        let picture = meta(&html, "og:image").expect("a picture");
        assert!(picture.ends_with("/picture.png?rules=sackson&amp;deal=20010"), "{picture}");
        assert_eq!(title(&html), "Einer Partie Mate zusehen: Verteilung 20010");
        let description = meta(&html, "description").expect("a description");
        assert!(description.starts_with("Spiel 1 von 4, Regeln: Sackson"), "{description}");
        assert!(!html.contains("Guest"), "{html}");
        let wrong = format!("/watch/{}/0123", state.id);
        let (status, html) = page(&mut stranger, &wrong, "de").await;
        assert_eq!(status, StatusCode::NOT_FOUND);
        assert!(!html.contains("20010"), "{html}");
    });
}

#[test]
fn no_preview_shows_a_deal_with_a_hidden_card_or_the_running_deal_of_a_day() {
    run(async {
        let table = Table::new().await;
        let (mut player, mut bot) = (table.browser(), table.browser());
        let (_, _, hidden) = two(&table, "denexa").await;
        let invited = player.begin("denexa", json!({"kind": "friend"})).await;
        let deals: SharedDeals = player.get("/api/v1/shared-deals").await.ok();
        let SharedDealSummary { name, rules, .. } = &deals.today[0];
        let path = format!("/api/v1/shared-deals/{name}/{rules}");
        let shared: MatchView = player.post(&path, json!({})).await.ok();
        let invitation = invited.invitation.clone().expect("an invitation");
        for path in [&hidden.watch, &invited.watch, &invitation, &shared.watch] {
            let html = preview(&mut bot, path, "en").await;
            assert_eq!(meta(&html, "og:image"), Some(GENERAL), "{path}");
            assert!(!html.contains("deal=") && !title(&html).contains("deal"), "{path}: {html}");
        }
    });
}

#[test]
fn an_unchanged_page_is_not_sent_again() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let etag = browser.get("/rules").await.headers[header::ETAG].clone();
        assert_ne!(browser.get("/guide").await.headers[header::ETAG], etag);
        let request = Request::get("/rules").header(header::IF_NONE_MATCH, etag);
        let answer = browser.send(request.body(Body::empty()).expect("a request")).await;
        assert_eq!((answer.status, answer.body.len()), (StatusCode::NOT_MODIFIED, 0));
    });
}

/// Returns the id of each lesson, and the lesson's name in a given language, from the source files of the web client.
fn lesson_names(language: &str) -> Vec<(String, String)> {
    let web = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    let read = |file: &str| std::fs::read_to_string(web.join(file)).expect("a file");
    let texts: Value = serde_json::from_str(&read(&format!("messages/{language}/learn.json")))
        .expect("the texts are JSON");
    // A lesson is written as `id: 'suit',` and, in the next line, `title: m.learn_suit,`.
    let source = read("src/lib/learn/lessons.ts");
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let lessons = lines.windows(2).filter_map(|lines| {
        let id = lines[0].strip_prefix("id: '")?.strip_suffix("',")?;
        let key = lines[1].strip_prefix("title: m.")?.strip_suffix(',')?;
        Some((id.to_owned(), texts[key].as_str().expect("a text").to_owned()))
    });
    lessons.collect()
}

#[test]
fn the_page_of_a_lesson_has_the_name_of_the_lesson_in_both_languages() {
    run(async {
        let table = Table::new().await;
        let mut bot = table.browser();
        for language in ["en", "de"] {
            let names = lesson_names(language);
            assert!(names.len() > 15, "{names:?}");
            for (id, name) in names {
                let html = preview(&mut bot, &format!("/learn/{id}"), language).await;
                assert_eq!(title(&html), format!("{name} · Overmate"));
                assert_eq!(meta(&html, "og:title"), Some(title(&html)));
            }
        }
        let (status, html) = page(&mut bot, "/learn/nothing", "en").await;
        assert_eq!((status, title(&html)), (StatusCode::NOT_FOUND, "Learn Mate · Overmate"));
    });
}

#[test]
fn the_page_of_a_puzzle_has_its_id_and_tells_nothing_about_its_solution() {
    run(async {
        let table = Table::new().await;
        let mut bot = table.browser();
        let puzzle: Value = bot.get("/api/v1/puzzles/next?rules=sackson").await.ok();
        let id = puzzle["id"].as_str().expect("an id");
        let html = preview(&mut bot, &format!("/puzzles/{id}"), "en").await;
        assert_eq!(title(&html), format!("Puzzle {id} · Overmate"));
        let description = meta(&html, "description").expect("a description");
        assert_eq!(
            description,
            "A puzzle of the card game Mate with a proved solution, rules: Sackson."
        );
        assert_eq!(meta(&html, "og:image"), Some(GENERAL));
        let html = preview(&mut bot, &format!("/puzzles/{id}"), "de").await;
        assert_eq!(title(&html), format!("Aufgabe {id} · Overmate"));
        let (status, html) = page(&mut bot, "/puzzles/000000000000", "de").await;
        assert_eq!((status, title(&html)), (StatusCode::NOT_FOUND, "Aufgaben · Overmate"));
    });
}

#[test]
fn the_page_of_an_event_has_its_title_or_its_kind() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut bot) = (table.browser(), table.browser());
        make_account(&mut host, "Anna").await;
        let new = |name: Option<&str>| {
            json!({
                "kind": {"kind": "swiss", "rounds": 5}, "title": name, "rules": "bga",
                "base": 300, "increment": 5, "starts_in": 60, "client_id": client_id(),
            })
        };
        for (name, english, german) in [
            (
                Some("Club <night>"),
                "\u{2068}Club &lt;night&gt;\u{2069}",
                "\u{2068}Club &lt;night&gt;\u{2069}",
            ),
            (None, "Swiss event of 5 rounds", "Schweizer System, 5 Runden"),
        ] {
            let made: Value = host.post("/api/v1/events", new(name)).await.ok();
            let id = made["shown"]["event"]["id"].as_str().expect("an id");
            for (language, expected) in [("en", english), ("de", german)] {
                let html = preview(&mut bot, &format!("/events/{id}"), language).await;
                assert_eq!(title(&html), format!("{expected} · Overmate"));
            }
        }
        let (status, html) = page(&mut bot, &format!("/events/{}", "0".repeat(32)), "en").await;
        assert_eq!((status, title(&html)), (StatusCode::NOT_FOUND, "Events · Overmate"));
    });
}

#[test]
fn the_page_of_a_player_has_the_handle_only_while_the_profile_is_public() {
    run(async {
        let table = Table::new().await;
        let (mut anna, _, _) = resigned(&table, ["Anna", "Bert"]).await;
        let mut bot = table.browser();
        // The title shows the handle in the player's own spelling.
        let html = preview(&mut bot, "/players/anna", "en").await;
        assert_eq!(title(&html), "\u{2068}Anna\u{2069} · Overmate");
        let (_, unknown) = page(&mut bot, "/players/nobody", "en").await;
        let (status, html) = page(&mut bot, "/players/Cara", "en").await;
        assert_eq!((status, title(&html)), (StatusCode::NOT_FOUND, "Best players · Overmate"));
        assert_eq!(without_address(&html), without_address(&unknown));
        let hidden = anna.put("/api/v1/me/account/profile", json!({"private": true})).await;
        assert_eq!(hidden.status, StatusCode::OK);
        let (status, html) = page(&mut bot, "/players/anna", "en").await;
        assert_eq!(status, StatusCode::NOT_FOUND);
        assert_eq!(without_address(&html), without_address(&unknown));
        // The page of a private profile does not contain the handle, even if the owner of the profile requests the page. The owner may
        // share the page.
        let own = preview(&mut anna, "/players/anna", "en").await;
        assert_eq!(without_address(&own), without_address(&unknown));
    });
}
