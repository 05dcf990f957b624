//! Tests shared deals, such as the deal of the day. Each browser plays one match without help, and the results must agree with
//! the solver.

use axum::http::StatusCode;
use overmate_rules::{Game, Seat};
use overmate_server::wire::{
    Code, MatchView, SharedDealResult, SharedDealScore, SharedDealState, SharedDealSummary,
    SharedDeals,
};
use overmate_solver::{Budget, Solver};
use serde_json::json;

use crate::support::{Browser, Table, last_action, run};

async fn list(browser: &mut Browser) -> SharedDeals {
    browser.get("/api/v1/shared-deals").await.ok()
}

fn path(deal: &SharedDealSummary) -> String {
    format!("/api/v1/shared-deals/{}/{}", deal.name, deal.rules)
}

async fn begin(browser: &mut Browser, deal: &SharedDealSummary) -> MatchView {
    browser.post(&path(deal), json!({})).await.ok()
}

/// Returns a best action in a game, which the test computes with the solver.
fn best_action(_: &MatchView, game: &Game) -> String {
    let analysis = Solver::new().analyse(game, &Budget::unlimited());
    game.rules().action_text(analysis.principal_variation[0]).to_string()
}

#[test]
fn a_browser_plays_a_deal_of_the_day_once_and_without_help() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let deals = list(&mut browser).await;
        assert_eq!((deals.today.len(), deals.yesterday.len(), deals.week.len()), (2, 2, 7));
        let deal = &deals.today[0];
        assert_eq!((deal.rules.as_str(), deal.state), ("bga", SharedDealState::Open));
        assert_eq!((&deal.match_id, &deal.lost, &deal.deal), (&None, &None, &None));
        let state = begin(&mut browser, deal).await;
        assert_eq!((state.games, state.shared_deal.as_ref()), (2, Some(&deal.name)));
        assert_eq!(begin(&mut browser, deal).await.id, state.id);
        let mut other = table.browser();
        let others = begin(&mut other, deal).await;
        assert_ne!(others.id, state.id);
        assert_eq!(others.current.deal, state.current.deal);
        assert_eq!(list(&mut browser).await.today[0].state, SharedDealState::Running);

        let state = browser.act(&state, &state.current.legal[0].action).await.ok::<MatchView>();
        assert!(!state.undo && !state.hint);
        assert_eq!(browser.ask(&state.id, "undo").await.code(), Code::NotAllowed);
        assert_eq!(browser.ask(&state.id, "hint").await.code(), Code::NotAllowed);
        let number = others.current.deal.clone().expect("a number");
        let analysis = json!({"rules": "bga", "deal": number});
        assert_eq!(
            browser.post("/api/v1/analysis", analysis.clone()).await.code(),
            Code::MatchRunning
        );
        // While a player's match on a shared deal runs, the server refuses an undo in another match of the player on the same deal.
        let new = json!({"rules": "bga", "deal": number, "opponent": {"kind": "both"}});
        let own: MatchView = browser.post("/api/v1/matches", new).await.ok();
        let own = browser.act(&own, &own.current.legal[0].action).await.ok::<MatchView>();
        assert_eq!(browser.ask(&own.id, "undo").await.code(), Code::MatchRunning);
        let mut reviewed_early = false;
        let state = browser
            .finish(state, |state, game| {
                reviewed_early |= state.reviewable.iter().any(|may| *may);
                last_action(state, game)
            })
            .await;
        assert!(!reviewed_early && state.reviewable == [true, true]);
        assert_eq!(browser.ask(&state.id, "rematch").await.code(), Code::NotAllowed);
        assert_eq!(browser.post("/api/v1/analysis", analysis).await.status, StatusCode::OK);
        assert_eq!(browser.ask(&own.id, "undo").await.status, StatusCode::OK);
        assert_eq!(begin(&mut browser, deal).await.id, state.id);
        let deals = list(&mut browser).await;
        assert_eq!((deals.today[0].state, deals.streak), (SharedDealState::Finished, 1));
        assert_eq!(deals.today[0].deal, Some(number));
    });
}

#[test]
fn a_second_go_at_a_shared_deal_ends_after_its_round_and_allows_help() {
    run(async {
        let mut table = Table::new().await;
        let mut browser = table.browser();
        let deal = list(&mut browser).await.today[0].clone();
        let counted = begin(&mut browser, &deal).await;
        browser.finish(counted, last_action).await;
        let deals = list(&mut browser).await;
        let number = deals.today[0].deal.clone().expect("a number");
        let new = json!({"rules": "bga", "deal": number, "opponent": {"kind": "perfect"},
            "lead": "me", "one_round": true});
        let state: MatchView = browser.post("/api/v1/matches", new).await.ok();
        assert_eq!((state.games, state.shared_deal.as_ref()), (2, None));
        assert_eq!(state.current.deal.as_ref(), Some(&number));
        assert!(state.hint);
        let state = browser.act(&state, &state.current.legal[0].action).await.ok::<MatchView>();
        let state = browser.wait(&state.id, |state| state.undo).await;
        table = table.restart().await;
        let mut browser = browser.at(&table.server);
        let state = browser.finish(state, last_action).await;
        // After the end of the match, the second game of the round is still the current game.
        assert_eq!((state.finished.len(), state.result.is_some()), (1, true));
        assert_eq!(browser.record(&state.id).await.games().len(), 2);
        // A second match on the deal of the day, for practice, adds no second result, and does not change the first match.
        assert_eq!(list(&mut browser).await.today, deals.today);
        let result: SharedDealResult = browser.get(&path(&deal)).await.ok();
        assert_eq!(result.scores.iter().map(|score| score.players).sum::<u32>(), 1);
        // A player cannot delete the match that counts for the deal of the day. The practice match is deleted at the end of the test.
        let id = result.deal.match_id.expect("a match");
        let kept = browser.delete(&format!("/api/v1/matches/{id}")).await;
        assert_eq!(kept.code(), Code::NotAllowed);
        // A rematch of a match with one round has one round.
        let again = browser.ask(&state.id, "rematch").await;
        assert!(again.status.is_success(), "{}", again.text());
        let over = browser.wait(&state.id, |state| state.rematch.is_some()).await;
        let again = over.rematch.and_then(|rematch| rematch.match_id).expect("a match");
        assert_eq!(browser.look(&again).await.games, 2);
        let deleted = browser.delete(&format!("/api/v1/matches/{}", state.id)).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT);
    });
}

#[test]
fn two_devices_of_one_person_begin_each_deal_once() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        browser.post("/api/v1/identity", json!({})).await;
        let deals = list(&mut browser).await;
        let mut begun = 0;
        for deal in deals.today.iter().chain(&deals.week[..2]) {
            let (mut one, mut two) = (browser.clone(), browser.clone());
            let (one, two) = tokio::join!(begin(&mut one, deal), begin(&mut two, deal));
            assert_eq!(one.id, two.id, "{}", deal.name);
            begun += 1;
        }
        assert_eq!(begun, 4);
        // A finished match counts once for all devices of a person.
        let (mut one, mut two) = (browser.clone(), browser.clone());
        let state = begin(&mut one, &deals.today[0]).await;
        one.finish(state, last_action).await;
        assert_eq!(list(&mut two).await.today[0].state, SharedDealState::Finished);
        let result: SharedDealResult = two.get(&path(&deals.today[0])).await.ok();
        assert_eq!(result.scores.iter().map(|score| score.players).sum::<u32>(), 1);
        assert_eq!(Some(begin(&mut two, &deals.today[0]).await.id), result.deal.match_id);
    });
}

#[test]
fn results_agree_with_the_solver_and_are_ranked() {
    run(async {
        let table = Table::new().await;
        let mut perfect = table.browser();
        let deals = list(&mut perfect).await;
        let mut lost = Vec::new();
        for deal in &deals.today {
            let state = begin(&mut perfect, deal).await;
            perfect.finish(state, best_action).await;
            let best: SharedDealResult = perfect.get(&path(deal)).await.ok();
            assert_eq!((best.deal.lost, best.rank), (Some(0), Some(1)), "{}", deal.rules);
            assert!(best.decisions.iter().all(|decision| decision.lost == 0));

            let mut careless = table.browser();
            let state = begin(&mut careless, deal).await;
            let state = careless.finish(state, last_action).await;
            let margin = state.totals.b - state.totals.a;
            let result: SharedDealResult = careless.get(&path(deal)).await.ok();
            assert_eq!(result.deal.lost, Some(margin.unsigned_abs()));
            // In the review, the losses of all decisions add up to the margin of the round.
            let sum: u32 = result.decisions.iter().map(|decision| decision.lost).sum();
            assert_eq!(Some(sum), result.deal.lost);
            assert!(sum > 0 && result.rank == Some(2), "{result:?}");
            let score = |lost| SharedDealScore { lost, players: 1 };
            assert_eq!(result.scores, [score(0), score(sum)]);
            lost.push(sum);

            // The server's value of the shared deal equals the value that the test computes with the solver. The test takes the deal from
            // the record of the player's match.
            let game = careless.record(&state.id).await.games()[0].after(0);
            let value = Solver::new().analyse(&game, &Budget::unlimited()).value;
            let value = value.exact().map(overmate_solver::ValueForFirst::points);
            assert_eq!(result.value_for_first, value);
            assert_eq!(game.to_act(), Some(Seat::First));

            // A player who has not played their match on a shared deal to its end has no result. This holds after a resignation, too.
            let mut resigns = table.browser();
            let state = begin(&mut resigns, deal).await;
            resigns.ask(&state.id, "resign").await.ok::<MatchView>();
            let resigned: SharedDealResult = resigns.get(&path(deal)).await.ok();
            assert_eq!(resigned.deal.state, SharedDealState::Resigned);
            assert_eq!(list(&mut resigns).await.streak, 0);
            assert_eq!((resigned.rank, resigned.scores.len()), (None, 2));
            let visitor: SharedDealResult = table.browser().get(&path(deal)).await.ok();
            assert_eq!((visitor.value_for_first, visitor.deal.deal), (None, None));
            assert!(visitor.decisions.is_empty() && visitor.scores.len() == 2);
        }
        assert_eq!(lost.len(), 2);
    });
}

#[test]
fn a_server_keeps_its_deals_over_a_restart_and_another_server_draws_other_deals() {
    run(async {
        let (table, elsewhere) = (Table::new().await, Table::new().await);
        let mut browser = table.browser();
        let deals = list(&mut browser).await;
        let mut numbers = Vec::new();
        for deal in &deals.week {
            numbers.push(begin(&mut browser, deal).await.current.deal);
        }
        let table = table.restart().await;
        let mut later = table.browser();
        let mut visitor = elsewhere.browser();
        let mut equal = 0;
        for (deal, number) in deals.week.iter().zip(&numbers) {
            assert_eq!(begin(&mut later, deal).await.current.deal, *number);
            equal += usize::from(begin(&mut visitor, deal).await.current.deal == *number);
        }
        assert!(numbers.len() == 7 && equal < 2, "{equal} of 7 deals are equal");
        // All browsers see the deals of yesterday, and no match on these deals can begin.
        let yesterday = &deals.yesterday[0];
        assert_eq!(yesterday.state, SharedDealState::Missed);
        assert!(yesterday.deal.is_some());
        assert_eq!(later.post(&path(yesterday), json!({})).await.code(), Code::NotAllowed);
    });
}

#[test]
fn unknown_and_coming_deals_are_refused() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        for (name, rules, code) in [
            ("9998-12-01", "bga", Code::NotFound),
            ("9998-W01-1", "bga", Code::NotFound),
            ("2026-11-01", "rael", Code::NotFound),
            ("2026-W40-1", "sackson", Code::NotFound),
            ("tomorrow", "bga", Code::BadRequest),
            ("2026-02-30", "bga", Code::BadRequest),
            ("%00", "bga", Code::BadRequest),
        ] {
            let path = format!("/api/v1/shared-deals/{name}/{rules}");
            assert_eq!(browser.get(&path).await.code(), code, "{path}");
            assert_eq!(browser.post(&path, json!({})).await.code(), code, "{path}");
        }
    });
}

#[test]
fn the_feed_lists_the_deals_of_past_days_only() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let deals = list(&mut browser).await;
        let answer = browser.get("/daily.atom").await;
        assert_eq!(answer.headers["content-type"], "application/atom+xml; charset=utf-8");
        let text = answer.text();
        assert_eq!(text.matches("<entry>").count(), 8);
        // The Atom feed of the shared deals names an author, as RFC 4287 requires. The relative links in the feed need a base URL.
        let head = text.split("<entry>").next().expect("a head");
        assert!(head.contains("<author><name>Overmate</name>"), "{head}");
        assert!(head.contains("xml:base=\"http://"), "{head}");
        for deal in &deals.yesterday {
            let link = format!(
                "rules={}&amp;amp;deal={}\"",
                deal.rules,
                deal.deal.as_ref().expect("a number")
            );
            let link = link.replace('"', "&quot;");
            assert!(text.contains(&link), "{link} in {text}");
        }
        for deal in &deals.today {
            assert!(text.contains(&deal.name));
            let number = begin(&mut browser, deal).await.current.deal.expect("a number");
            assert!(!text.contains(&format!("deal={number}&quot;")));
        }
    });
}
