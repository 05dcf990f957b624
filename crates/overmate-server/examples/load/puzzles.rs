//! Measures the processor time of two requests about puzzles: for the next puzzle, and for the overview of a browser's attempts.
//! The browsers have no attempts at first, and later thousands.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;

use crate::client::{Browser, Fault};
use crate::figures::{busy, busy_with_descendants, percentiles};
use crate::report::{Report, Target};
use crate::served::Served;

/// Number of simulated browsers that attempt puzzles.
const BROWSERS: usize = 4;

/// Number of puzzle attempts by each simulated browser.
const ATTEMPTS: usize = 2_500;

/// Number of measured requests of each kind.
const REQUESTS: usize = 2_000;

/// Maximum processor time of a request for the next puzzle, in milliseconds.
const MOST: Target = Target::AtMost(1.0);

/// Processes whose processor time the load test measures.
#[derive(Clone, Copy)]
pub(crate) struct Processes {
    /// Process id of the server.
    pub(crate) server: u32,
    /// Process id of PostgreSQL's main process, or `None` for SQLite within the server.
    pub(crate) database: Option<u32>,
}

impl Processes {
    /// Returns the processor time, in seconds, that all measured processes have used since their starts.
    fn busy(self) -> Result<f64, Fault> {
        let database = self.database.map_or(Ok(0.0), busy_with_descendants)?;
        Ok(busy(self.server)? + database)
    }
}

/// Puzzle from the server, with only those fields that the load test uses.
#[derive(Deserialize)]
struct Puzzle {
    id: String,
    rules: String,
    rating: f64,
    tried: bool,
    solution: Vec<String>,
}

/// Lets simulated browsers attempt thousands of puzzles, and measures the processor and response times of their puzzle requests. Prints
/// the time of a request for the next puzzle, of an attempt, and of the overview.
///
/// Returns an error if the next puzzle is not new for the browser, has another rule set, or is far
/// from the wanted rating.
pub(crate) async fn run(
    served: &Served,
    processes: Processes,
    report: &mut Report,
) -> Result<(), Fault> {
    println!(
        "| request | browser | requests | processor time of server and database | p50, p99, max |"
    );
    println!("|---|---|--:|--:|--:|");
    let mut newcomer = Browser::default();
    let chosen = repeat(processes, async || next(served, &mut newcomer).await.map(drop)).await?;
    print("next puzzle", "without attempts", &chosen);
    report.judge("next puzzle without attempts", chosen.each(), "ms", MOST);
    let mut browsers = vec![Browser::default(); BROWSERS];
    let mut measured = Measured::begin(processes)?;
    for browser in &mut browsers {
        for attempt in 0..ATTEMPTS {
            let puzzle = next(served, browser).await?;
            let begun = Instant::now();
            let path = format!("/api/v1/puzzles/{}/attempts", puzzle.id);
            // Each simulated attempt at a puzzle sends only the first action of the puzzle's solution. If the puzzle has further decisions,
            // the attempt fails, but counts like a successful attempt.
            let first: Vec<_> = puzzle.solution.iter().take(1).collect();
            // Each attempt at a puzzle belongs to a separate puzzle run. The server thus computes the best run of a browser from as many
            // runs as possible.
            let body = json!({"actions": first, "run": format!("storm:{attempt:08}")});
            let result = browser.post(&served.address, &path, &body).await?;
            measured.times.push(begun.elapsed());
            if result["counted"] != true {
                return Err(format!(
                    "the server did not count the attempt at the puzzle {}",
                    puzzle.id
                )
                .into());
            }
        }
    }
    let range = format!("0 to {ATTEMPTS} attempts");
    print("next puzzle and attempt", &range, &measured.end()?);
    let experienced = browsers.first_mut().ok_or("the load test has no browser")?;
    let attempts = format!("{ATTEMPTS} attempts");
    let chosen = repeat(processes, async || next(served, experienced).await.map(drop)).await?;
    print("next puzzle", &attempts, &chosen);
    report.judge(&format!("next puzzle after {attempts}"), chosen.each(), "ms", MOST);
    let overviews = repeat(processes, async || read_overview(served, experienced).await).await?;
    print("overview", &attempts, &overviews);
    Ok(())
}

/// Sends a given request many times, and measures the response times and the processor time.
async fn repeat(
    processes: Processes,
    mut request: impl AsyncFnMut() -> Result<(), Fault>,
) -> Result<Measured, Fault> {
    let mut measured = Measured::begin(processes)?;
    for _ in 0..REQUESTS {
        let begun = Instant::now();
        request().await?;
        measured.times.push(begun.elapsed());
    }
    measured.end()
}

/// Requests the overview of a browser's puzzle attempts, and checks the number of attempts.
async fn read_overview(served: &Served, browser: &mut Browser) -> Result<(), Fault> {
    let overview = browser.get(&served.address, "/api/v1/puzzles").await?;
    if overview["attempts"] != ATTEMPTS {
        return Err(
            format!("the overview has {} attempts, not {ATTEMPTS}", overview["attempts"]).into()
        );
    }
    Ok(())
}

/// Requests the next puzzle, and checks the response.
async fn next(served: &Served, browser: &mut Browser) -> Result<Puzzle, Fault> {
    let answer = browser.get(&served.address, "/api/v1/puzzles/next?rules=bga&rating=1500").await?;
    let puzzle: Puzzle = serde_json::from_value(answer)?;
    if puzzle.tried || puzzle.rules != "bga" || !(0.0..4_000.0).contains(&puzzle.rating) {
        return Err(format!(
            "the server offered the puzzle {}, which does not fit the request",
            puzzle.id
        )
        .into());
    }
    Ok(puzzle)
}

/// Response times of requests, with the processor time for the requests.
struct Measured {
    processes: Processes,
    times: Vec<Duration>,
    /// Processor time of the measured processes, in seconds. During the requests, the field holds the time since the processes
    /// started; afterwards, the time for the requests.
    busy: f64,
}

impl Measured {
    fn begin(processes: Processes) -> Result<Self, Fault> {
        Ok(Self { processes, times: Vec::new(), busy: processes.busy()? })
    }

    fn end(mut self) -> Result<Self, Fault> {
        self.busy = self.processes.busy()? - self.busy;
        self.times.sort_unstable();
        Ok(self)
    }

    /// Returns the mean processor time of a request, in milliseconds.
    fn each(&self) -> f64 {
        self.busy * 1e3 / f64::from(u32::try_from(self.times.len()).unwrap_or(u32::MAX))
    }
}

fn print(request: &str, browser: &str, measured: &Measured) {
    let (count, each) = (measured.times.len(), measured.each());
    let times = percentiles(&measured.times);
    println!("| {request} | {browser} | {count} | {each:.2} ms | {times} |");
}
