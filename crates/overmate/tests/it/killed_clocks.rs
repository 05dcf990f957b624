//! Tests that matches with live clocks between two persons survive kills of the server. No acknowledged action is lost or repeated, and
//! neither player gains or loses time.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fastrand::Rng;
use serde_json::{Value, json};
use test_postgres::Postgres;
use test_postgres::clocks::{ClockRow, LiveClocks};
use test_sample::cases;

use crate::database::Database;
use crate::serve::{HttpClient, later_games};
use crate::support::Home;

/// Number of matches that the test plays at the same time.
const MATCHES: usize = 4;

/// Minimum downtime of the server, in milliseconds, for which the player whose clock runs gets a time credit.
const LEAST_DOWNTIME: i64 = 1_500;

/// Delay before the retry of an unanswered request.
const PAUSE: Duration = Duration::from_millis(10);

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

/// Kill of the server: the last stored heartbeat, the count of stored log rows of each match, and the time of the restart.
struct Kill {
    /// Time of the killed server's last stored heartbeat, in milliseconds since 1970.
    beat: i64,
    /// Number of log rows of each match in the database.
    rows: BTreeMap<String, usize>,
    /// Time just before the restart of the killed server, in milliseconds since 1970.
    restarted: i64,
}

/// Row of a match log: the client id, the action, and the data about the clocks.
struct Logged {
    client_id: String,
    action: String,
    clock: ClockRow,
}

/// Attempt of a client to append an action to a match.
#[derive(Debug)]
struct Sent {
    client_id: String,
    after: u64,
    action: String,
    is_acknowledged: bool,
}

/// Match between two clients, with all actions that the clients have sent.
struct Match {
    id: String,
    clients: [HttpClient; 2],
    /// Base time and increment of the players' clocks, in milliseconds.
    setting: (i64, i64),
    sent: Vec<Sent>,
}

/// Two clients that play matches with clocks until the test stops them.
struct Pair {
    address: Arc<Mutex<String>>,
    stop: Arc<AtomicBool>,
    acknowledged: Arc<AtomicUsize>,
    /// Counter of the turns in all matches between the two clients. The counter begins at a random number, so that different pairs of
    /// clients make their long pauses at different times.
    turns: u64,
    random: Rng,
}

impl Pair {
    /// Retries a request until a server responds with a status below 500. Returns `None` if the test stops.
    fn ask(
        &self,
        client: &mut HttpClient,
        (method, path): (&str, &str),
        body: &Value,
    ) -> Option<(u16, Value)> {
        while !self.stop.load(Ordering::Relaxed) {
            let address = self.address.lock().unwrap_or_else(PoisonError::into_inner).clone();
            match client.send(&address, method, path, body) {
                Some(answer) if answer.0 < 500 => return Some(answer),
                _ => thread::sleep(PAUSE),
            }
        }
        None
    }

    fn play(mut self) -> Vec<Match> {
        let mut clients = [HttpClient::default(), HttpClient::default()];
        for client in &mut clients {
            if self.ask(client, ("POST", "/api/v1/identity"), &Value::Null).is_none() {
                return Vec::new();
            }
        }
        let mut matches = Vec::new();
        while let Some(mut begun) = self.begin(&clients) {
            while self.turn(&mut begun).is_some() {}
            matches.push(begun);
        }
        matches
    }

    fn begin(&mut self, clients: &[HttpClient; 2]) -> Option<Match> {
        let mut clients = clients.clone();
        let (base, increment) = (self.random.i64(2..6), self.random.i64(0..2));
        let new = json!({
            "rules": "bga", "opponent": {"kind": "friend"}, "lead": "me",
            "clock": {"kind": "live", "base": base, "increment": increment}
        });
        let (status, state) = self.ask(&mut clients[0], ("POST", "/api/v1/matches"), &new)?;
        assert_eq!(status, 201, "{state}");
        let token = state["invitation"].as_str().unwrap().rsplit('/').next().unwrap();
        let path = format!("/api/v1/invitations/{token}");
        let (status, state) = self.ask(&mut clients[1], ("POST", &path), &json!({}))?;
        assert_eq!(status, 200, "{state}");
        let id = state["id"].as_str().unwrap().to_owned();
        Some(Match { id, clients, setting: (1_000 * base, 1_000 * increment), sent: Vec::new() })
    }

    /// Takes an action for the player whose turn it is. Returns `None` at the end of the match or of the test.
    fn turn(&mut self, played: &mut Match) -> Option<()> {
        let path = format!("/api/v1/matches/{}", played.id);
        for client in &mut played.clients {
            let (status, state) = self.ask(client, ("GET", &path), &Value::Null)?;
            assert_eq!(status, 200, "{state}");
            if !state["result"].is_null() {
                return None;
            }
            let legal = state["current"]["legal"].as_array().unwrap();
            let Some(action) = self.random.choice(legal) else { continue };
            // At every twelfth turn, the player waits for nine seconds before the action.
            self.turns += 1;
            let leaves = self.turns.is_multiple_of(12);
            let think = if leaves { 9_000 } else { self.random.u64(..250) };
            for _ in 0..think / 10 {
                if self.stop.load(Ordering::Relaxed) {
                    return None;
                }
                thread::sleep(PAUSE);
            }
            let (after, action) = (state["sequence"].as_u64().unwrap(), action["action"].clone());
            let client_id = format!("request-{:032x}", self.random.u128(..));
            let act = json!({"sequence": after, "action": action, "client_id": client_id});
            let answer = self.ask(client, ("POST", &format!("{path}/actions")), &act);
            let status = answer.as_ref().map(|(status, _)| *status);
            let action = action.as_str().unwrap().to_owned();
            let is_acknowledged = status == Some(200);
            played.sent.push(Sent { client_id, after, action, is_acknowledged });
            // An action after the deadline ends the match by a loss on time.
            assert!(matches!(status, None | Some(200 | 409)), "{answer:?}");
            self.acknowledged.fetch_add(usize::from(is_acknowledged), Ordering::Relaxed);
            return Some(());
        }
        Some(())
    }
}

/// Counts of matches, actions, losses on time, and time credits to players in a test run.
#[derive(Debug, Default)]
struct Found {
    matches: usize,
    acknowledged: usize,
    flags: usize,
    /// Two counts of time credits to players. The first count is of credits for downtime before a restart of the server. The second count
    /// is of credits for times in which the running server stood still.
    credits: [usize; 2],
    credited: i64,
}

/// Data of a test run: the kills of the server, the match logs at the end, and the counts of matches and actions.
struct Run {
    kills: Vec<Kill>,
    logs: BTreeMap<String, Vec<Logged>>,
    found: Found,
}

impl Run {
    /// Reads the state of the database after a kill of the server, and then waits for the given downtime. The state is the last stored
    /// heartbeat and the number of each match's log rows.
    fn kill(database: &Database, home: &Home, down: Duration) -> Kill {
        database.wait_for_rest();
        let beat = database.rows(home, "SELECT at FROM beats WHERE name = 'clocks'");
        let rows = database.rows(home, "SELECT match_id, count(*) FROM log GROUP BY match_id");
        let rows = rows.into_iter().map(|row| (row[0].clone(), row[1].parse().unwrap()));
        thread::sleep(down);
        Kill {
            beat: beat.concat().concat().parse().unwrap(),
            rows: rows.collect(),
            restarted: now_ms(),
        }
    }

    fn logs(database: &Database, home: &Home) -> BTreeMap<String, Vec<Logged>> {
        let query = "SELECT match_id, sequence, player, kind, at_ms, given_ms, client_id, coalesce(detail, '')
             FROM log ORDER BY match_id, sequence";
        let mut logs: BTreeMap<String, Vec<Logged>> = BTreeMap::new();
        for row in database.rows(home, query) {
            let [id, sequence, player, kind, at_ms, given_ms, client_id, action] =
                row.try_into().unwrap();
            let clock = ClockRow::of_columns([sequence, player, kind, at_ms, given_ms]);
            logs.entry(id).or_default().push(Logged { client_id, action, clock });
        }
        logs
    }

    /// Checks the sent actions and the final state of a match against the match log. `asked` and `answered` are the times of the request
    /// for the state and of the response.
    fn check(&mut self, played: &Match, state: &Value, (asked, answered): (i64, i64)) {
        let log = &self.logs[&played.id];
        for sent in &played.sent {
            let stored: Vec<_> = log.iter().filter(|row| row.client_id == sent.client_id).collect();
            // Between the state that the client had seen and the client's action, the log may have only rows that are not actions, such as
            // time credits.
            let is_as_sent = |row: &&Logged| {
                let [from, until] =
                    [sent.after, row.clock.sequence - 1].map(|n| usize::try_from(n).unwrap());
                let between = log.get(from..until);
                between.is_some_and(|rows| rows.iter().all(|row| row.clock.kind != "act"))
                    && row.action == sent.action
            };
            assert!(stored.len() <= 1 && stored.iter().all(is_as_sent), "{sent:?}");
            assert!(!sent.is_acknowledged || stored.len() == 1, "lost: {sent:?}");
            self.found.acknowledged += usize::from(sent.is_acknowledged);
        }
        let opens = later_games(state);
        let rows: Vec<ClockRow> = log.iter().map(|row| row.clock.clone()).collect();
        let is_over = !state["result"].is_null();
        self.check_restarts(&played.id, &rows, played.setting, is_over);
        let sequence = usize::try_from(state["sequence"].as_u64().unwrap()).unwrap();
        let clocks = LiveClocks::of(&rows[..sequence], played.setting, &opens);
        assert_eq!(clocks.contradictions, [""; 0], "{rows:#?}");
        let loser = clocks.out_of_time.map(|player| ["a", "b"][player]);
        assert_eq!(state["result"]["out_of_time"].as_str(), loser, "{state}");
        for (player, name) in ["a", "b"].into_iter().enumerate() {
            let shown = state["clocks"][name].as_i64().unwrap();
            let runs = state["clocks"]["running"] == name;
            let [most, least] = [asked, answered]
                .map(|at| if runs { clocks.left_at(player, at) } else { clocks.left[player] });
            assert!(
                (least - 2..=most + 2).contains(&shown),
                "{name}: {shown} {least} {most} {rows:#?}"
            );
        }
        self.found.matches += 1;
        self.found.flags += usize::from(loser.is_some());
        self.found.credited += clocks.credited;
    }

    /// Checks that the first log row of a match after each restart of the server credits exactly the downtime. No credit is needed if no
    /// clock ran, or if the downtime was too short.
    fn check_restarts(&mut self, id: &str, rows: &[ClockRow], setting: (i64, i64), is_over: bool) {
        let mut expected = 0;
        for (number, kill) in self.kills.iter().enumerate() {
            let Some(&before) = kill.rows.get(id) else { continue };
            let next = self.kills.get(number + 1);
            let until = next.map_or(rows.len(), |next| next.rows[id]);
            let clocks = LiveClocks::of(&rows[..before], setting, &[]);
            if clocks.runs_from.is_none() || (is_over && before == rows.len()) {
                continue;
            }
            let from = kill.beat.max(clocks.latest);
            match rows[before..until].first() {
                Some(row) if row.kind == "credit" => {
                    let is_exact = row.given_ms == row.at_ms - from;
                    // The first log row after a restart may be a time credit that a player gets because the restarted server stood still
                    // for a while. This is possible only if the downtime before the restart was too short for a time credit.
                    let is_pause =
                        kill.restarted - from < LEAST_DOWNTIME && row.given_ms < row.at_ms - from;
                    assert!(is_exact || is_pause, "{row:?} after {} {}", kill.beat, kill.restarted);
                    assert!(
                        row.at_ms >= kill.restarted && row.given_ms >= LEAST_DOWNTIME,
                        "{row:?}"
                    );
                    expected += usize::from(is_exact);
                }
                Some(row) => {
                    assert!(kill.restarted - from < LEAST_DOWNTIME, "no time back: {from} {row:?}");
                }
                // A match may have no log row between two kills of the server if the downtime after the first kill was too short for a
                // time credit. The same holds if the second kill came before the restarted server's first heartbeat.
                None => assert!(
                    kill.restarted - from < LEAST_DOWNTIME
                        || next.is_none_or(|next| next.beat == kill.beat),
                    "no time back in {id}: {from}"
                ),
            }
        }
        let credits = rows.iter().filter(|row| row.kind == "credit").count();
        self.found.credits[0] += expected;
        self.found.credits[1] += credits - expected;
    }
}

/// Plays matches with clocks while the server is killed and restarted, and checks the match logs afterwards.
fn run(database: &Database, seed: u64) {
    let kills = cases(6, 60);
    let (home, mut random) = (Home::new(), Rng::with_seed(seed));
    let mut served = database.start_server(&home);
    let address = Arc::new(Mutex::new(served.address.clone()));
    let (stop, acknowledged) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
    let threads: Vec<_> = (0..MATCHES)
        .map(|_| {
            let (address, stop) = (Arc::clone(&address), Arc::clone(&stop));
            let acknowledged = Arc::clone(&acknowledged);
            let mut random = random.fork();
            let pair = Pair { address, stop, acknowledged, turns: random.u64(..9), random };
            thread::spawn(move || pair.play())
        })
        .collect();
    // Waits until the server has acknowledged `number` actions since the clients were started.
    let wait_for = |number| {
        while acknowledged.load(Ordering::Relaxed) < number {
            assert!(threads.iter().all(|thread| !thread.is_finished()), "a client failed");
            thread::sleep(PAUSE);
        }
    };
    let mut run = Run { kills: Vec::new(), logs: BTreeMap::new(), found: Found::default() };
    for _ in 0..kills {
        wait_for(acknowledged.load(Ordering::Relaxed) + 2 * MATCHES);
        thread::sleep(Duration::from_millis(random.u64(..600)));
        served.kill();
        // Some random downtimes of the server are so short that the players get no time back.
        let down = if random.bool() { random.u64(1_500..4_000) } else { random.u64(..700) };
        run.kills.push(Run::kill(database, &home, Duration::from_millis(down)));
        served = database.start_server(&home);
        address.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&served.address);
    }
    thread::sleep(Duration::from_secs(1));
    wait_for(10 * kills + 1);
    stop.store(true, Ordering::Relaxed);
    let mut matches: Vec<Match> = threads.into_iter().flat_map(|one| one.join().unwrap()).collect();
    let shown: Vec<_> = matches
        .iter_mut()
        .map(|played| {
            let asked = now_ms();
            let state = played.clients[0].look(&served.address, &played.id);
            (state, (asked, now_ms()))
        })
        .collect();
    served.kill();
    database.wait_for_rest();
    run.logs = Run::logs(database, &home);
    for (played, (state, times)) in matches.iter().zip(shown) {
        run.check(played, &state, times);
    }
    println!("{kills} kills: {:?}", run.found);
    let Found { flags, credits, acknowledged, .. } = run.found;
    assert!(credits[0] >= kills / 2 && flags > 0 && acknowledged > 10 * kills, "{:?}", run.found);
}

#[test]
fn a_kill_makes_and_loses_no_time_of_players_with_sqlite() {
    run(&Database::Sqlite, 20_010);
}

#[test]
fn a_kill_makes_and_loses_no_time_of_players_with_postgresql() {
    let postgres = Postgres::start();
    let database = postgres.database();
    run(&Database::Postgres(postgres, database), 20_011);
}
