//! Plays many matches concurrently, to put load on the server. Each match has two live connections.
//!
//! The load test sends each action at a planned time, regardless of earlier responses (open loop).
//! A slow server therefore cannot reduce its load. A latency is the time from the planned moment
//! until the opponent receives the new state.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde_json::{Value, json};
use tokio::sync::{Barrier, Semaphore};
use tokio::time::{Instant, sleep_until, timeout};

use crate::client::{Browser, Fault, Live, State};

/// Timeout for the server's response to an action. Without a response in this time, the action counts as unanswered.
const PATIENCE: Duration = Duration::from_secs(10);

/// Number of concurrent requests with which the load test checks the stored states of all matches.
const AT_ONCE: usize = 16;

/// Results of the load test: the latencies of the delivered actions, the number of tasks that failed to play matches, and the played
/// matches.
pub(crate) struct Played {
    /// Latencies of all delivered actions, in ascending order.
    pub(crate) latencies: Vec<Duration>,
    pub(crate) failed: usize,
    /// All matches that the load test has played.
    pub(crate) matches: Vec<PlayedMatch>,
    time: Duration,
}

/// Match that the load test no longer plays, with the data for a later check of the match's stored state.
pub(crate) struct PlayedMatch {
    /// HTTP client of the player who created the match.
    browser: Browser,
    id: String,
    /// Sequence number of the last match state that the server sent to both players.
    sequence: u64,
}

impl Played {
    /// Returns the average number of actions that the server stored per second.
    pub(crate) fn rate(&self) -> f64 {
        f64::from(u32::try_from(self.latencies.len()).unwrap_or(u32::MAX)) / self.time.as_secs_f64()
    }
}

/// Match of the load test, with a live connection for each of its two players.
pub(crate) struct Pair {
    host: Browser,
    id: String,
    players: [Live; 2],
    states: [State; 2],
    number: u32,
    /// Number of actions that the players of this match have sent.
    acted: usize,
}

/// Plays many matches concurrently, with a fixed total number of actions per second. With several
/// servers, the two players of a match use different servers.
///
/// `clock` is the time control of all matches in its JSON form.
pub(crate) async fn run(
    servers: &[String],
    matches: u32,
    rate: f64,
    time: Duration,
    clock: &Value,
) -> Result<Played, Fault> {
    let gap = Duration::from_secs_f64(f64::from(matches) / rate);
    let opening = Arc::new(Semaphore::new(16));
    let ready = Arc::new(Barrier::new(matches as usize + 1));
    let mut tasks = Vec::new();
    for number in 0..matches {
        let server = |index: usize| servers[index % servers.len()].clone();
        let addresses = [server(number as usize), server(number as usize + 1)];
        let (opening, ready) = (Arc::clone(&opening), Arc::clone(&ready));
        let clock = clock.clone();
        tasks.push(tokio::spawn(async move {
            let pair = {
                let _place = opening.acquire().await;
                open(&addresses, number, &clock).await
            };
            ready.wait().await;
            let start = Instant::now() + gap * number / matches;
            play(&addresses, pair?, &clock, (start, gap, time)).await
        }));
    }
    ready.wait().await;
    let start = Instant::now();
    let (mut latencies, mut matches) = (Vec::new(), Vec::new());
    let mut failed = 0;
    for task in tasks {
        match task.await? {
            Ok((times, played)) => {
                latencies.extend(times);
                matches.extend(played);
            }
            Err(error) => {
                eprintln!("{error}");
                failed += 1;
            }
        }
    }
    latencies.sort_unstable();
    Ok(Played { latencies, failed, matches, time: start.elapsed() })
}

/// Begins a match between two new HTTP clients, and opens a live connection for each of them.
pub(crate) async fn open(
    addresses: &[String; 2],
    number: u32,
    clock: &Value,
) -> Result<Pair, Fault> {
    let [here, there] = addresses;
    let (mut host, mut guest) = (Browser::default(), Browser::default());
    let new = json!({"rules": "bga", "opponent": {"kind": "friend"}, "lead": "me", "clock": clock});
    let state = host.post(here, "/api/v1/matches", &new).await?;
    let id = state["id"]
        .as_str()
        .ok_or("the server returned a match without the field `id`")?
        .to_owned();
    let token = state["invitation"]
        .as_str()
        .ok_or("the server returned a match without the field `invitation`")?
        .replace("/join/", "");
    guest.post(there, &format!("/api/v1/invitations/{token}"), &json!({})).await?;
    let path = format!("{id}/live");
    let mut players =
        [Live::open(here, &host, &path).await?, Live::open(there, &guest, &path).await?];
    let mut states = Vec::new();
    for player in &mut players {
        states.push(player.hear().await?.state.ok_or("the server sent no state of the match")?);
    }
    let states = states.try_into().map_err(|_| "the number of states is not two")?;
    Ok(Pair { host, id, players, states, number, acted: 0 })
}

async fn play(
    addresses: &[String; 2],
    mut pair: Pair,
    clock: &Value,
    (start, gap, time): (Instant, Duration, Duration),
) -> Result<(Vec<Duration>, Vec<PlayedMatch>), Fault> {
    let (mut latencies, mut played) = (Vec::new(), Vec::new());
    let mut planned = start;
    while planned < start + time {
        sleep_until(planned).await;
        if pair.states[0].result.is_some() {
            let next = open(addresses, pair.number, clock).await?;
            played.push(std::mem::replace(&mut pair, next).end());
        }
        let told = pair.act().await?;
        latencies.push(told - planned);
        planned += gap;
    }
    played.push(pair.end());
    Ok((latencies, played))
}

/// Checks that a restarted server still stores all actions that both players of a match had received. A lost action is an error.
pub(crate) async fn check_stored(address: &str, matches: Vec<PlayedMatch>) -> Result<(), Fault> {
    let check = async |mut played: PlayedMatch| {
        let path = format!("/api/v1/matches/{}", played.id);
        let state = played.browser.get(address, &path).await?;
        if state["sequence"].as_u64() < Some(played.sequence) {
            return Err(format!("the match {} has lost stored actions", played.id).into());
        }
        Ok::<(), Fault>(())
    };
    stream::iter(matches).map(check).buffer_unordered(AT_ONCE).try_collect().await
}

impl Pair {
    /// Closes the live connections of both players, and returns the match for a later check of its stored state.
    fn end(self) -> PlayedMatch {
        let [first, second] = &self.states;
        let sequence = first.sequence.min(second.sequence);
        PlayedMatch { browser: self.host, id: self.id, sequence }
    }

    /// Sends one action of the player whose turn it is, and waits until both players have received the new state. Returns the
    /// time at which the opponent received the state.
    pub(crate) async fn act(&mut self) -> Result<Instant, Fault> {
        let actor = usize::from(self.states[0].current.legal.is_empty());
        let state = &self.states[actor];
        let legal = &state.current.legal;
        let which = (self.number as usize + self.acted) % legal.len().max(1);
        let action =
            &legal.get(which).ok_or("the server sent a match without a legal action")?.action;
        let client_id = format!("load-{:08}", state.sequence);
        let act = json!({"t": "act", "sequence": state.sequence, "action": action, "client_id": client_id});
        self.players[actor].say(&act).await?;
        let [first, second] = &mut self.players;
        let (own, other) = if actor == 0 { (first, second) } else { (second, first) };
        let told = timeout(PATIENCE, change(other, state)).await??;
        let told_at = Instant::now();
        let own = timeout(PATIENCE, change(own, state)).await??;
        self.states = if actor == 0 { [own, told] } else { [told, own] };
        self.acted += 1;
        Ok(told_at)
    }
}

/// Waits on a live connection for the match state after the next action, and returns the state.
///
/// The function skips new states without an action. A server makes such states when the server credits time to all clocks
/// after a stall.
async fn change(live: &mut Live, before: &State) -> Result<State, Fault> {
    loop {
        let heard = live.hear().await?;
        match (heard.t.as_str(), heard.state) {
            ("changed", Some(state)) if state.has_acted_since(before) => return Ok(state),
            ("problem", _) => return Err("the server refused an action".into()),
            _ => {}
        }
    }
}
