//! Measures the memory that the server uses for idle live connections.

use serde_json::json;

use crate::client::{Browser, Fault, Live};
use crate::figures::memory;

/// Number of matches among which the load test divides the idle connections.
const MATCHES: usize = 100;

/// Memory of the server process, in bytes, before and after the idle connections were opened.
pub(crate) struct Found {
    pub(crate) before: f64,
    pub(crate) with: f64,
}

/// Opens idle live connections, waits for the first match state on each, and measures the memory of the server process.
pub(crate) async fn run(address: &str, process: u32, connections: u32) -> Result<Found, Fault> {
    let mut places = Vec::new();
    for _ in 0..MATCHES {
        let mut browser = Browser::default();
        let new = json!({"rules": "bga", "opponent": {"kind": "friend"}});
        let state = browser.post(address, "/api/v1/matches", &new).await?;
        let id = state["id"]
            .as_str()
            .ok_or("the server returned a match without the field `id`")?
            .to_owned();
        let watch = state["watch"].as_str().and_then(|path| path.rsplit('/').next());
        places.push(format!(
            "{id}/live?watch={}",
            watch.ok_or("the server returned a match without the field `watch`")?
        ));
    }
    let before = memory(process)?;
    let mut open = Vec::new();
    for place in places.iter().cycle().take(connections as usize) {
        let mut live = Live::open(address, &Browser::default(), place).await?;
        live.hear().await?;
        open.push(live);
    }
    // The load test waits two seconds, so that the server can free memory that was only needed to open the connections.
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    let with = memory(process)?;
    drop(open);
    Ok(Found { before, with })
}
