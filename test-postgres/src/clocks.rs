//! Recomputes the live clocks of a match from its log. The check uses no code of the server.

/// Maximum network lag, in milliseconds, that is credited to a player's clock for one action.
const MOST_LAG: i64 = 1_000;

/// Break, in milliseconds, before each game of a match except the first game.
const BREAK: i64 = 15_000;

/// Log row of a match with live clocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockRow {
    /// Sequence number of the log row, from 1.
    pub sequence: u64,
    /// Player whom the log row concerns, such as the player who acts: 0 for player A, 1 for player B.
    pub player: usize,
    /// Kind of the log row, such as `act`.
    pub kind: String,
    /// Unix time of the log row, in milliseconds.
    pub at_ms: i64,
    /// Time that the log row credits to the player, in milliseconds.
    pub given_ms: i64,
}

impl ClockRow {
    /// Reads the columns `sequence`, `player`, `kind`, `at_ms` and `given_ms` of the table `log` in the text form of PostgreSQL.
    ///
    /// # Panics
    ///
    /// Panics if a column does not hold its number.
    #[must_use]
    pub fn of_columns([sequence, player, kind, at_ms, given_ms]: [String; 5]) -> Self {
        let number = |text: String| text.parse().expect("a number in the log");
        Self {
            sequence: sequence.parse().expect("a sequence number in the log"),
            player: usize::from(player == "b"),
            kind,
            at_ms: number(at_ms),
            given_ms: number(given_ms),
        }
    }
}

/// Live clocks of both players after the last row of a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiveClocks {
    /// Remaining time of players A and B at the beginning of the current turn, in milliseconds.
    pub left: [i64; 2],
    /// Unix time from which the clock of the player to act runs, in milliseconds; `None` while no clock runs. Time credited in the current
    /// turn is included.
    pub runs_from: Option<i64>,
    /// Maximum Unix time among the log rows that concern the clocks, in milliseconds.
    pub latest: i64,
    /// Player who has lost on time; 0 for player A, 1 for player B.
    pub out_of_time: Option<usize>,
    /// Total time that the log rows credit to the players after downtimes of the servers, in milliseconds.
    pub credited: i64,
    /// Descriptions of the contradictions between the log rows of a match.
    pub contradictions: Vec<String>,
}

impl LiveClocks {
    /// Recomputes the clocks of a match from its log, its base time and its increment. Both times are in milliseconds. `opens` holds the
    /// numbers of actions after which a later game begins.
    #[must_use]
    pub fn of(log: &[ClockRow], (base, increment): (i64, i64), opens: &[usize]) -> Self {
        let mut clocks = Self {
            left: [base; 2],
            runs_from: None,
            latest: i64::MIN,
            out_of_time: None,
            credited: 0,
            contradictions: Vec::new(),
        };
        let (mut has_acted, mut actions) = ([false; 2], 0);
        for (row, sequence) in log.iter().zip(1..) {
            if row.sequence != sequence {
                clocks.blame(row, "a gap before");
            }
            match &*row.kind {
                "act" => {
                    actions += 1;
                    clocks.end_turn(row, increment);
                    has_acted[row.player] = true;
                    let pause = if opens.contains(&actions) { BREAK } else { 0 };
                    clocks.runs_from =
                        (has_acted == [true; 2]).then_some(clocks.latest.saturating_add(pause));
                }
                "flag" => {
                    clocks.end_turn(row, 0);
                    clocks.out_of_time = Some(row.player);
                }
                "credit" => clocks.credit(row),
                "resign" => clocks.runs_from = None,
                _ => {}
            }
        }
        clocks
    }

    /// Returns the remaining time, in milliseconds, of `player`, who is to act, at the Unix time `at_ms`.
    #[must_use]
    pub fn left_at(&self, player: usize, at_ms: i64) -> i64 {
        let used = self.runs_from.map_or(0, |from| (at_ms.max(self.latest) - from).max(0));
        (self.left[player] - used).max(0)
    }

    fn blame(&mut self, row: &ClockRow, what: &str) {
        self.contradictions
            .push(format!("{what}: {row:?}, {:?} from {:?}", self.left, self.runs_from));
    }

    /// Subtracts the elapsed time of a turn, less the credited lag, from the player's clock. Adds the increment unless the player has lost
    /// on time.
    fn end_turn(&mut self, row: &ClockRow, increment: i64) {
        if self.out_of_time.is_some() {
            self.blame(row, "a row after a loss on time");
        }
        self.latest = self.latest.max(row.at_ms);
        let is_flag = row.kind == "flag";
        let Some(from) = self.runs_from.take() else {
            if is_flag {
                self.blame(row, "a loss on time while no clock runs");
            }
            return;
        };
        let used = (self.latest - from).max(0);
        let lag = if is_flag { 0 } else { row.given_ms };
        if !(0..=used.min(MOST_LAG)).contains(&lag) {
            self.blame(row, "too much lag");
        }
        let left = self.left[row.player] - (used - lag);
        if is_flag && left > 0 {
            self.blame(row, "a loss on time with time left");
        }
        if !is_flag && left <= 0 && used > lag {
            self.blame(row, "an action after the time");
        }
        self.left[row.player] = left.max(0) + if is_flag { 0 } else { increment };
    }

    /// Adds the time in a log row of the kind `credit` to the clock of the player to act. Such a row follows a downtime
    /// of the servers. The credit is at most the time since the preceding log row.
    fn credit(&mut self, row: &ClockRow) {
        let passed = row.at_ms - self.latest;
        match &mut self.runs_from {
            Some(from) if self.out_of_time.is_none() && (1..=passed).contains(&row.given_ms) => {
                *from += row.given_ms;
            }
            _ => self.blame(row, "a wrong credit"),
        }
        self.credited += row.given_ms;
        self.latest = self.latest.max(row.at_ms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(rows: &[(usize, &str, i64, i64)]) -> Vec<ClockRow> {
        let rows = rows.iter().zip(1..);
        rows.map(|(&(player, kind, at_ms, given_ms), sequence)| ClockRow {
            sequence,
            player,
            kind: kind.to_owned(),
            at_ms,
            given_ms,
        })
        .collect()
    }

    fn clocks(rows: &[(usize, &str, i64, i64)], opens: &[usize]) -> LiveClocks {
        LiveClocks::of(&log(rows), (10_000, 1_000), opens)
    }

    /// Log rows of a match in which the clock of player A has started at the Unix time 2,000 milliseconds.
    const BEGUN: [(usize, &str, i64, i64); 3] =
        [(1, "join", 0, 0), (0, "act", 1_000, 0), (1, "act", 2_000, 0)];

    #[test]
    fn a_turn_takes_time_and_gives_lag_increment_and_downtime_back() {
        let mut rows = BEGUN.to_vec();
        rows.push((0, "credit", 9_000, 5_000));
        rows.push((0, "act", 10_000, 500));
        let after = clocks(&rows, &[]);
        assert_eq!(after.contradictions, [""; 0]);
        // The turn of player A lasted 8 seconds, of which 5 seconds were a downtime of the server, and half a second was lag.
        assert_eq!((after.left, after.credited), ([10_000 - 2_500 + 1_000, 10_000], 5_000));
        assert_eq!((after.runs_from, after.left_at(1, 13_000)), (Some(10_000), 7_000));
        let opened = clocks(&rows, &[3]);
        assert_eq!(opened.left_at(1, 26_000), 9_000);
        rows.push((1, "flag", 20_000, 0));
        let over = clocks(&rows, &[]);
        assert_eq!((over.contradictions.len(), over.out_of_time, over.left[1]), (0, Some(1), 0));
    }

    #[test]
    fn each_wrong_row_is_found() {
        for (row, what) in [
            ((0, "flag", 11_999, 0), "a loss on time with time left"),
            ((0, "act", 12_000, 0), "an action after the time"),
            ((0, "act", 4_000, 1_001), "too much lag"),
            ((0, "credit", 4_000, 2_001), "a wrong credit"),
        ] {
            let found = clocks(&[&BEGUN[..], &[row]].concat(), &[]).contradictions;
            assert!(found.len() == 1 && found[0].starts_with(what), "{row:?}: {found:?}");
        }
        let over = [&BEGUN[..], &[(0, "flag", 12_000, 0), (1, "credit", 13_000, 1_000)]].concat();
        assert_eq!(clocks(&over, &[]).contradictions.len(), 1);
        assert_eq!(clocks(&[(0, "flag", 1, 0)], &[]).contradictions.len(), 1);
        let mut gap = log(&BEGUN);
        gap.remove(0);
        assert_eq!(LiveClocks::of(&gap, (1, 0), &[]).contradictions.len(), 2);
    }
}
