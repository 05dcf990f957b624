//! Tests that the servers credit downtime (time in which no server ran) to the players' clocks, and credit no other
//! time.

use std::thread;
use std::time::{Duration, Instant};

use test_postgres::Postgres;

use crate::serve::ServerProcess;
use crate::support::Home;
use crate::timed::Players;

/// Timeout of a test that waits for a condition. Only a hanging test reaches the limit.
const SOON: Duration = Duration::from_mins(1);

/// Minimum downtime that servers credit to a player with a live clock, in milliseconds.
const LEAST_DOWNTIME: i64 = 1_500;

/// Number of times that the test freezes one server while another server runs.
const FREEZES: i64 = 3;

/// Test setup of two servers on one PostgreSQL database, with a match in which a clock runs.
struct Pair {
    postgres: Postgres,
    database: String,
    servers: [ServerProcess; 2],
    _home: Home,
}

impl Pair {
    /// Starts two servers with the role `all`, and a match whose running clock has an hour left.
    fn start() -> Self {
        Self::with_roles(["all", "all"], 3_600)
    }

    /// Starts two servers with the given values of the option `--role`, and a match whose running clock has `seconds` seconds left. The
    /// first server answers the players.
    fn with_roles(roles: [&str; 2], seconds: u32) -> Self {
        let (postgres, home) = (Postgres::start(), Home::new());
        let database = postgres.database();
        let servers = roles.map(|role| {
            let args = ["serve", "--listen", "localhost:0", "--no-limits", "--role", role];
            let mut command = home.command(args);
            command.env("OVERMATE_DATABASE", &database);
            ServerProcess::of(command)
        });
        Players::begin(&servers[0].address, seconds).start_clock(&servers[0].address);
        Self { postgres, database, servers, _home: home }
    }

    /// Returns the number in the only row and column of a query's result.
    fn number(&self, query: &str) -> i64 {
        let rows = self.postgres.rows(&self.database, query);
        rows.concat().concat().parse().unwrap_or_else(|_| panic!("{query}: {rows:?}"))
    }

    /// Executes an SQL statement that returns no rows.
    fn execute(&self, statement: &str) {
        let _ = self.postgres.rows(&self.database, statement);
    }

    /// Returns the current time of the database's clock, as a Unix time in milliseconds.
    fn now(&self) -> i64 {
        self.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
    }

    /// Returns the time of the servers' last stored heartbeat, in milliseconds since 1970.
    fn beat(&self) -> i64 {
        self.number("SELECT at FROM beats WHERE name = 'clocks'")
    }

    /// Returns the total time that the servers have credited to players after downtimes, in milliseconds.
    fn given(&self) -> i64 {
        self.number("SELECT coalesce(sum(given_ms), 0) FROM log WHERE kind = 'credit'")
    }

    /// Polls a number until the number satisfies a condition, and returns the number.
    fn wait(&self, read: impl Fn(&Self) -> i64, is_met: impl Fn(i64) -> bool) -> i64 {
        let begin = Instant::now();
        loop {
            let result = read(self);
            if is_met(result) {
                return result;
            }
            assert!(begin.elapsed() < SOON, "{result}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Observes the servers' heartbeats for the given time, and returns the total length, in milliseconds, of all
    /// pauses between heartbeats that last at least `LEAST_DOWNTIME`. Such pauses may count as downtime, and occur on a
    /// slow machine.
    fn watch(&self, last: &mut i64, time: Duration) -> i64 {
        let (begin, mut pauses) = (Instant::now(), 0);
        while begin.elapsed() < time {
            let beat = self.beat();
            if beat - *last >= LEAST_DOWNTIME {
                pauses += beat - *last;
            }
            *last = beat;
            thread::sleep(Duration::from_millis(20));
        }
        pauses
    }

    /// Returns the time credited after downtimes, and the total length of all pauses between heartbeats that last at
    /// least `LEAST_DOWNTIME`, both in milliseconds. Such pauses may count as downtime. The function observes the
    /// heartbeats until one of them is later than the read of the credited time.
    fn given_and_pauses(&self, last: &mut i64) -> (i64, i64) {
        let (given, now) = (self.given(), self.now());
        let mut pauses = 0;
        while *last <= now {
            pauses += self.watch(last, Duration::from_millis(100));
        }
        (given, pauses)
    }

    /// Freezes the second server while the server's query for the last heartbeat waits for a table lock.
    fn freeze_at_read(&self) {
        let (postgres, database) = (&self.postgres, &self.database);
        thread::scope(|scope| {
            // The test locks the table `beats`, so that the queries of both servers on this table wait. The lock ends after the second
            // server is frozen.
            let locked = scope.spawn(|| {
                let statement = "DO $$ BEGIN
                    LOCK TABLE beats IN ACCESS EXCLUSIVE MODE;
                    WHILE NOT EXISTS (SELECT FROM gate) LOOP PERFORM pg_sleep(0.005); END LOOP;
                    END $$";
                postgres.rows(database, statement)
            });
            self.wait(
                |pair| pair.number("SELECT count(*) FROM pg_locks WHERE NOT granted"),
                |waiting| waiting >= 2,
            );
            self.servers[1].signal("-STOP");
            self.execute("INSERT INTO gate VALUES (1)");
            locked.join().unwrap();
        });
        self.execute("DELETE FROM gate");
    }
}

#[test]
fn a_freeze_of_a_server_while_another_server_runs_gives_no_time_back() {
    let pair = Pair::start();
    pair.execute("CREATE TABLE gate (shut BIGINT)");
    let mut last = pair.wait(Pair::beat, |beat| beat > 0);
    let mut pauses = 0;
    for _ in 0..FREEZES {
        pauses += pair.watch(&mut last, Duration::from_millis(700));
        pair.freeze_at_read();
        pauses += pair.watch(&mut last, Duration::from_secs(4));
        pair.servers[1].signal("-CONT");
        pauses += pair.watch(&mut last, Duration::from_millis(1_500));
    }
    // The first server has stored heartbeats during each freeze of the second server.
    let (given, more) = pair.given_and_pauses(&mut last);
    assert!(given <= pauses + more, "{given} {pauses} {more}");
}

#[test]
fn a_downtime_lasts_from_the_last_server_to_the_first_server() {
    let pair = Pair::start();
    pair.wait(Pair::beat, |beat| beat > 0);
    let [first, second] = &pair.servers;
    first.signal("-STOP");
    thread::sleep(Duration::from_secs(3));
    second.signal("-STOP");
    let (begin, before) = (pair.now(), pair.given());
    thread::sleep(Duration::from_secs(3));
    let (seen, end) = (pair.beat(), pair.now());
    second.signal("-CONT");
    // The resumed second server credits the downtime to the player whose clock runs, and then stores a new heartbeat.
    let beat = pair.wait(Pair::beat, |beat| beat > end);
    let given = pair.given() - before;
    assert!((end - begin..=beat - seen).contains(&given), "{given} {begin} {end} {seen} {beat}");
    // The first server stays frozen for two more seconds while the second server runs. The servers must credit no time for this longer
    // freeze, during which the second server ran.
    let (mut last, between) = (beat, pair.given());
    let mut pauses = pair.watch(&mut last, Duration::from_secs(2));
    first.signal("-CONT");
    pauses += pair.watch(&mut last, Duration::from_secs(2));
    let (given, more) = pair.given_and_pauses(&mut last);
    assert!(given - between <= pauses + more, "{given} {between} {pauses} {more}");
}

#[test]
fn a_worker_does_not_hide_the_downtime_of_the_server_that_answers_players() {
    /// Base time of each player for the match, in seconds.
    const TIME: u32 = 5;
    let pair = Pair::with_roles(["web", "worker"], TIME);
    let flags = |pair: &Pair| pair.number("SELECT count(*) FROM log WHERE kind = 'flag'");
    pair.wait(Pair::beat, |beat| beat > 0);
    let [web, _worker] = &pair.servers;
    web.signal("-STOP");
    let (begin, before, seen) = (pair.now(), pair.given(), pair.beat());
    let deadline = pair.number("SELECT coalesce(max(deadline), 0) FROM matches");
    assert!(deadline > seen, "the test took {TIME} seconds to freeze the server");
    // The test waits until the deadline of the player's clock has passed, while only the server with the role `worker` runs. This server
    // must not end the match.
    pair.wait(Pair::now, |now| now > deadline + 4_000);
    assert_eq!((flags(&pair), pair.given(), pair.beat()), (0, before, seen));
    let end = pair.now();
    web.signal("-CONT");
    assert_eq!(pair.wait(flags, |flags| flags > 0), 1);
    let given = pair.given();
    assert!(given - before >= end - begin, "{given} {begin} {end}");
    let kinds = "SELECT count(*) FROM log WHERE kind = 'credit' AND sequence >
                 (SELECT sequence FROM log WHERE kind = 'flag')";
    assert_eq!(pair.number(kinds), 0);
    // The player has lost on time only after their whole base time and all credited time had passed since the last action. The credited
    // time includes the time in which the server with the role `web` was frozen.
    let passed = "SELECT (SELECT at_ms FROM log WHERE kind = 'flag') -
                  (SELECT max(at_ms) FROM log WHERE kind = 'act')";
    assert!(pair.number(passed) - given >= 1_000 * i64::from(TIME), "{given}");
}
