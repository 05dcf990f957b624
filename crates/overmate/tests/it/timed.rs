//! Tests matches with clocks on running servers. Each match must end on time, also after a crash and with several servers.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use test_postgres::Postgres;

use crate::database::Database;
use crate::serve::{HttpClient, ServerProcess};
use crate::support::{Home, shift_clock};

/// Timeout of a test that waits for a condition. Only a hanging test reaches the limit.
const SOON: Duration = Duration::from_mins(1);

/// Two browser identities that play a match with clocks. The first identity is player A.
pub(crate) struct Players {
    clients: [HttpClient; 2],
    id: String,
}

impl Players {
    /// Begins a match with clocks of `seconds` seconds and no increment.
    pub(crate) fn begin(address: &str, seconds: u32) -> Self {
        let mut clients = [HttpClient::default(), HttpClient::default()];
        let new = json!({
            "rules": "bga", "opponent": {"kind": "friend"}, "lead": "me", "deal": "20010",
            "clock": {"kind": "live", "base": seconds, "increment": 0}
        });
        let (status, state) = clients[0].send(address, "POST", "/api/v1/matches", &new).unwrap();
        assert_eq!(status, 201, "{state}");
        let token = state["invitation"].as_str().unwrap().trim_start_matches("/join/").to_owned();
        let path = format!("/api/v1/invitations/{token}");
        let (status, state) = clients[1].send(address, "POST", &path, &json!({})).unwrap();
        assert_eq!(status, 200, "{state}");
        Self { clients, id: state["id"].as_str().unwrap().to_owned() }
    }

    fn look(&mut self, address: &str) -> [Value; 2] {
        let Self { clients, id } = self;
        clients.each_mut().map(|client| client.look(address, id))
    }

    /// Takes an action for the player whose turn it is. Returns the status of the answer, and the state of the match before the
    /// action.
    fn act(&mut self, address: &str) -> (u16, Value) {
        let states = self.look(address);
        let is_to_act = |state: &Value| !state["current"]["legal"].as_array().unwrap().is_empty();
        let actor = states.iter().position(is_to_act).expect("a player to act");
        let client_id = format!("request-{}", states[actor]["sequence"]);
        let (status, _) = self.clients[actor].act(address, &states[actor], &client_id).unwrap();
        (status, states[actor].clone())
    }

    /// Takes the first action of each player, after which a clock runs. Returns the player whose clock runs.
    pub(crate) fn start_clock(&mut self, address: &str) -> String {
        for _ in 0..2 {
            assert_eq!(self.act(address).0, 200);
        }
        let [state, _] = self.look(address);
        state["clocks"]["running"].as_str().expect("a running clock").to_owned()
    }

    /// Waits until the match is over. Returns the state as each player sees the match.
    fn wait_for_end(&mut self, address: &str) -> [Value; 2] {
        let begin = Instant::now();
        loop {
            let states = self.look(address);
            if states.iter().all(|state| !state["result"].is_null()) {
                return states;
            }
            assert!(begin.elapsed() < SOON, "{}", states[0]);
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Checks that the log of a match consists of entries of the expected kinds, in order. The log is read from the SQLite database of a
/// stopped server. Credits are left out, because each pause of the machine of at least 1.5 seconds counts as a downtime and is credited.
/// Returns the number of credits.
fn check_log(home: &Home, id: &str, expected: &[&str]) -> usize {
    let query = format!("SELECT kind FROM log WHERE match_id = '{id}' ORDER BY sequence");
    let kinds = Database::Sqlite.rows(home, &query).concat();
    let others: Vec<_> = kinds.iter().filter(|kind| *kind != "credit").collect();
    assert_eq!(others, expected, "{kinds:?}");
    kinds.len() - others.len()
}

#[test]
fn the_player_whose_time_is_used_up_loses_the_match() {
    let home = Home::new();
    let served = ServerProcess::start(&home, &[]);
    let mut players = Players::begin(&served.address, 1);
    let loser = players.start_clock(&served.address);
    let states = players.wait_for_end(&served.address);
    let winner = if loser == "a" { "b" } else { "a" };
    for state in &states {
        let result = &state["result"];
        assert_eq!((&result["out_of_time"], &result["winner"]), (&json!(loser), &json!(winner)));
        assert_eq!(state["clocks"][&loser], 0);
    }
    assert_eq!(states[0]["scores"], states[1]["scores"]);
    served.kill();
    check_log(&home, &players.id, &["join", "act", "act", "flag"]);
}

#[test]
fn a_crash_gives_the_downtime_back_and_keeps_the_deadline() {
    let home = Home::new();
    let served = ServerProcess::start(&home, &[]);
    let [mut long, mut short] = [60, 2].map(|seconds| Players::begin(&served.address, seconds));
    let runs = long.start_clock(&served.address);
    let loser = short.start_clock(&served.address);
    served.kill();
    // The test starts a new server whose system clock is one hour fast.
    let args = ["serve", "--listen", "localhost:0", "--data", "server", "--no-limits"];
    let mut command = home.command(args);
    shift_clock(&mut command, "+1h");
    let served = ServerProcess::of(command);
    let (status, before) = long.act(&served.address);
    assert_eq!((status, &before["result"]), (200, &Value::Null), "{before}");
    assert_eq!(before["clocks"]["running"], runs);
    let [state, _] = short.wait_for_end(&served.address);
    assert_eq!(state["result"]["out_of_time"], loser);
    let [state, _] = long.look(&served.address);
    assert_eq!(state["result"], Value::Null);
    served.kill();
    let credits = check_log(&home, &long.id, &["join", "act", "act", "act"]);
    assert!(credits > 0, "the downtime is credited");
}

#[test]
fn of_two_servers_one_ends_a_match_on_time() {
    const MATCHES: usize = 8;
    let (postgres, home) = (Postgres::start(), Home::new());
    let database = postgres.database();
    // The clock of the database, not of a server, measures the times of players.
    let servers = ["+0s", "-1h"].map(|shift| {
        let mut command = home.command(["serve", "--listen", "localhost:0", "--no-limits"]);
        command.env("OVERMATE_DATABASE", &database);
        shift_clock(&mut command, shift);
        ServerProcess::of(command)
    });
    let mut matches: Vec<Players> =
        (0..MATCHES).map(|index| Players::begin(&servers[index % 2].address, 1)).collect();
    for players in &mut matches {
        players.start_clock(&servers[0].address);
    }
    for players in &mut matches {
        let [here, _] = players.wait_for_end(&servers[0].address);
        let [there, _] = players.look(&servers[1].address);
        assert_eq!(here["sequence"], there["sequence"]);
        assert_eq!(here["result"], there["result"]);
        assert!(here["result"]["out_of_time"].is_string(), "{here}");
    }
    // The test counts all log entries except time credits to players, because the number of time credits varies. The servers credit each
    // long pause of the machine as a downtime.
    let kinds = "SELECT kind, count(*) FROM log WHERE kind <> 'credit' GROUP BY kind ORDER BY kind";
    let expected = [("act", 2 * MATCHES), ("flag", MATCHES), ("join", MATCHES)];
    let expected = expected.map(|(kind, count)| [kind.to_owned(), count.to_string()]);
    assert_eq!(postgres.rows(&database, kinds), expected);
    let running = "SELECT count(*) FROM matches WHERE deadline IS NOT NULL";
    assert_eq!(postgres.rows(&database, running), [["0"]]);
}
