//! Simulates players whose requests stay far below every rate limit, and measures the server's
//! response times.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, interval, timeout};

use crate::client::{Browser, Fault, Live, State};

/// Timeout for the server's response to a simulated player who is not an attacker. A slower response ends the load test with an error.
const PATIENCE: Duration = Duration::from_mins(1);

/// Names of the kinds of requests that honest players send, in the order of [`Times`].
pub(crate) const KINDS: [&str; 3] =
    ["action, sent to told", "answer of level 1", "analysis of 20 cards"];

/// Response times of each kind of request, in ascending order.
pub(crate) type Times = [Vec<Duration>; 3];

/// Simulates ordinary players (no attackers) for a given time, and returns the server's response times to their requests. Each phase of the
/// test analyses different deals. An unanswered, refused or lost request is an error.
pub(crate) async fn times(address: &str, phase: u64, time: Duration) -> Result<Times, Fault> {
    let (play, level, analyses) = tokio::try_join!(
        play(address, time),
        level(address, time),
        analyses(address, phase, time)
    )?;
    let mut times = [play, level, analyses];
    for times in &mut times {
        times.sort_unstable();
    }
    Ok(times)
}

/// Returns the HTTP client of the honest player with a given number. The client's IP address is unique.
fn honest(number: u8) -> Browser {
    Browser::at(format!("198.51.100.{number}:4711"))
}

/// Plays one match after another between two simulated people, with ten actions a second, and measures the response times.
async fn play(address: &str, time: Duration) -> Result<Vec<Duration>, Fault> {
    let (mut host, mut guest) = (honest(1), honest(2));
    let mut times = Vec::new();
    let mut pace = interval(Duration::from_millis(100));
    let end = Instant::now() + time;
    while Instant::now() < end {
        let new = json!({"rules": "bga", "opponent": {"kind": "friend"}, "lead": "me"});
        let state = host.post(address, "/api/v1/matches", &new).await?;
        let id = text(&state, "id")?;
        let token = text(&state, "invitation")?.replace("/join/", "");
        guest.post(address, &format!("/api/v1/invitations/{token}"), &json!({})).await?;
        let path = format!("{id}/live");
        let mut players =
            [Live::open(address, &host, &path).await?, Live::open(address, &guest, &path).await?];
        let mut states: Vec<State> = Vec::new();
        for player in &mut players {
            states.push(player.hear().await?.state.ok_or("the server sent no state of the match")?);
        }
        while Instant::now() < end && states[0].result.is_none() {
            pace.tick().await;
            let actor = usize::from(states[0].current.legal.is_empty());
            let State { sequence, current, .. } = &states[actor];
            let action = &current
                .legal
                .first()
                .ok_or("the server sent a running match without a legal action")?
                .action;
            let client_id = format!("honest-{sequence}");
            let act =
                json!({"t": "act", "sequence": sequence, "action": action, "client_id": client_id});
            let (start, expected) = (Instant::now(), sequence + 1);
            players[actor].say(&act).await?;
            for player in [1 - actor, actor] {
                states[player] = timeout(PATIENCE, changed(&mut players[player])).await??;
                if player != actor {
                    times.push(start.elapsed());
                }
                if states[player].sequence != expected {
                    return Err("the server lost or repeated an action of an honest player".into());
                }
            }
        }
    }
    Ok(times)
}

/// Plays against the computer opponent of level 1 with four actions a second, and measures the
/// opponent's response times.
async fn level(address: &str, time: Duration) -> Result<Vec<Duration>, Fault> {
    let mut browser = honest(3);
    browser.post(address, "/api/v1/identity", &json!({})).await?;
    let mut times = Vec::new();
    let mut pace = interval(Duration::from_millis(250));
    let end = Instant::now() + time;
    while Instant::now() < end {
        let new = json!({"rules": "bga", "opponent": {"kind": "level", "level": 1}, "lead": "me"});
        let mut state = browser.post(address, "/api/v1/matches", &new).await?;
        let path = format!("/api/v1/matches/{}", text(&state, "id")?);
        while Instant::now() < end && state["result"].is_null() {
            pace.tick().await;
            let sequence = state["sequence"]
                .as_u64()
                .ok_or("the server returned a match without the field `sequence`")?;
            let start = Instant::now();
            let is_own =
                state["current"]["legal"].as_array().is_some_and(|legal| !legal.is_empty());
            let mut expected = sequence + 1;
            if is_own {
                let action = text(&state["current"]["legal"][0], "action")?;
                let act = json!({"sequence": sequence, "action": action, "client_id": format!("honest-{sequence}")});
                state = timeout(PATIENCE, browser.post(address, &format!("{path}/actions"), &act))
                    .await??;
                expected += 1;
            }
            while state["result"].is_null() && state["sequence"].as_u64() < Some(expected) {
                if start.elapsed() > PATIENCE {
                    return Err("the computer opponent did not act in time".into());
                }
                let turn = &state["current"]["legal"];
                if is_own && turn.as_array().is_some_and(|legal| !legal.is_empty()) {
                    // It is the player's turn again, so that the computer opponent has no action to take.
                    break;
                }
                let wait = format!("{path}?after={}&wait=25", state["sequence"]);
                state = timeout(PATIENCE, browser.get(address, &wait)).await??;
            }
            if is_own && state["sequence"].as_u64() >= Some(expected) {
                times.push(start.elapsed());
            }
        }
    }
    Ok(times)
}

/// Requests three analyses every two seconds, each of a new deal of 20 cards, and measures the response times.
async fn analyses(address: &str, phase: u64, time: Duration) -> Result<Vec<Duration>, Fault> {
    let mut browser = honest(4);
    let mut times = Vec::new();
    let mut pace = interval(Duration::from_millis(667));
    let end = Instant::now() + time;
    for deal in 0_u64.. {
        pace.tick().await;
        if Instant::now() >= end {
            break;
        }
        let start = Instant::now();
        let analysis = json!({"rules": "bga", "deal": (2 * deal + phase).to_string()});
        let found = browser.post(address, "/api/v1/analysis", &analysis);
        let found = timeout(PATIENCE, found).await??;
        times.push(start.elapsed());
        if found["actions"].as_array().is_none_or(Vec::is_empty) {
            return Err("the server returned an analysis without values".into());
        }
    }
    Ok(times)
}

/// Waits for the next state of a match on a live connection, and returns the state.
async fn changed(live: &mut Live) -> Result<State, Fault> {
    loop {
        let heard = live.hear().await?;
        match (heard.t.as_str(), heard.state) {
            ("changed", Some(state)) => return Ok(state),
            ("problem", _) => return Err("the server refused an action of an honest player".into()),
            _ => {}
        }
    }
}

/// Returns a text field of a JSON object.
fn text<'a>(value: &'a Value, field: &str) -> Result<&'a str, Fault> {
    value[field].as_str().ok_or_else(|| {
        format!("the field `{field}` is no text in the server's answer {value}").into()
    })
}
