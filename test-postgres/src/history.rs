//! Checks the recorded requests and responses of the clients in a test run against the match logs. The checker uses no code of the server:
//! it treats each match as a register that a compare-and-swap extends by one entry.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

/// Prefix of the client ids in a test run. Entries of computer opponents have other client ids.
pub const CLIENT_ID: &str = "fault-run-";

/// Log row of a match in the database after the test run.
#[derive(Clone, Debug)]
pub struct LogRow {
    /// Sequence number of the log row, from 1.
    pub sequence: u64,
    /// Kind of the log row, such as `act` for an action.
    pub kind: String,
    /// Action in notation if the log row is an action; another text or an empty text in other log rows.
    pub action: String,
    /// Idempotency key (client id) of the request that appended the log row.
    pub client_id: String,
}

impl LogRow {
    /// Returns whether the log row is an action in a game.
    fn is_action(&self) -> bool {
        self.kind == "act"
    }
}

/// Attempt of a client to append an action to a match. Repetitions of the request belong to the same attempt.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Id of the match to which the client appends the action.
    pub match_id: String,
    /// Idempotency key that the client has chosen for the request to append the action. All repetitions of the request have the same key.
    pub client_id: String,
    /// Sequence number of the last match state that the client had seen before sending the action.
    pub after: u64,
    /// Action that the client asked the server to append to the log, in the notation of the game.
    pub action: String,
    /// Time at which the client received the server's acknowledgement of the action; `None` without an acknowledgement.
    pub acknowledged: Option<Instant>,
}

/// Match state that a client received from a server.
#[derive(Clone, Debug)]
pub struct Told {
    /// Id of the match whose state was received.
    pub match_id: String,
    /// Sequence number of the received match state.
    pub sequence: u64,
    /// Actions of all games of the match, in the order of play.
    pub actions: Vec<String>,
    /// Whether a person (not a computer opponent) was to act, for each action of the match. Unless the match is over, a last value stands
    /// for the next action.
    pub persons: Vec<bool>,
    /// Time at which the client requested the match state; `None` for a pushed state. Also `None` for the answer to an action, because the
    /// server may repeat an earlier answer.
    pub asked: Option<Instant>,
    /// Time at which the client received the match state.
    pub answered: Instant,
}

/// History of a test run: the actions that clients sent to the servers, and the match states that clients received.
#[derive(Debug, Default)]
pub struct History {
    /// Attempts of the clients to append actions to matches.
    pub attempts: Vec<Attempt>,
    /// Match states that the clients received from servers, in responses or over live connections.
    pub told: Vec<Told>,
}

impl History {
    /// Returns the number of acknowledged actions.
    #[must_use]
    pub fn acknowledged(&self) -> usize {
        self.attempts.iter().filter(|attempt| attempt.acknowledged.is_some()).count()
    }

    /// Describes a test run in words: the numbers of its matches, actions, received match states and log entries.
    #[must_use]
    pub fn summary(&self, logs: &BTreeMap<String, Vec<LogRow>>) -> String {
        format!(
            "{} matches, {} acknowledged actions of {}, {} states told, {} log entries",
            logs.len(),
            self.acknowledged(),
            self.attempts.len(),
            self.told.len(),
            logs.values().map(Vec::len).sum::<usize>(),
        )
    }

    /// Returns the contradictions between the clients' history and the match logs. The list is empty if the servers acted correctly.
    #[must_use]
    pub fn contradictions(&self, logs: &BTreeMap<String, Vec<LogRow>>) -> Vec<String> {
        let mut found = Vec::new();
        for (id, log) in logs {
            for (row, sequence) in log.iter().zip(1..) {
                if row.sequence != sequence {
                    found.push(format!(
                        "the log of {id} has the sequence {} in place of {sequence}",
                        row.sequence
                    ));
                }
            }
        }
        self.compare_attempts(logs, &mut found);
        self.compare_states(logs, &mut found);
        self.compare_turns(logs, &mut found);
        self.compare_times(&mut found);
        found
    }

    /// Compares the log rows with the attempts of the clients to append actions. An acknowledged attempt must have one row at the requested
    /// index; an unanswered attempt, at most one row.
    fn compare_attempts(&self, logs: &BTreeMap<String, Vec<LogRow>>, found: &mut Vec<String>) {
        let mut rows: HashMap<&str, Vec<(&str, &LogRow)>> = HashMap::new();
        for (id, log) in logs {
            for row in log.iter().filter(|row| row.client_id.starts_with(CLIENT_ID)) {
                rows.entry(&row.client_id).or_default().push((id, row));
            }
        }
        for attempt in &self.attempts {
            let stored = rows.remove(&*attempt.client_id).unwrap_or_default();
            match &stored[..] {
                [] if attempt.acknowledged.is_some() => {
                    found.push(format!("lost acknowledged action: {attempt:?}"));
                }
                [] => {}
                [(id, row)] => {
                    // Between the last log row that the client had seen and the row of the client's action, the log may contain rows that
                    // are not actions.
                    let between = logs[*id].iter().filter(|other| {
                        !other.is_action()
                            && (attempt.after + 1..row.sequence).contains(&other.sequence)
                    });
                    let is_as_asked = **id == attempt.match_id
                        && row.sequence == attempt.after + 1 + between.count() as u64
                        && row.action == attempt.action;
                    if !is_as_asked {
                        found.push(format!(
                            "stored otherwise than requested: {attempt:?} as {row:?}"
                        ));
                    }
                }
                _ => found.push(format!("repeated in the logs: {attempt:?} as {stored:?}")),
            }
        }
        found.extend(
            rows.into_values().flatten().map(|row| format!("nobody asked for the log row {row:?}")),
        );
    }

    /// Compares the match states that clients received with the match logs. A state must consist of the actions in the
    /// first rows of its log.
    fn compare_states(&self, logs: &BTreeMap<String, Vec<LogRow>>, found: &mut Vec<String>) {
        for told in &self.told {
            let log = logs.get(&told.match_id).map(Vec::as_slice).unwrap_or_default();
            let rows = log.iter().take_while(|row| row.sequence <= told.sequence);
            let actions = rows.clone().filter(|row| row.is_action()).map(|row| &row.action);
            let is_prefix = actions.eq(&told.actions) && rows.count() as u64 == told.sequence;
            if !is_prefix {
                found.push(format!("told and not in the log of the match: {told:?}"));
            }
        }
    }

    /// Checks that persons and computer opponents acted only in their own turns, as the received match states show these turns. A computer
    /// opponent acts exactly once in each of its turns, and never in the turn of a person.
    fn compare_turns(&self, logs: &BTreeMap<String, Vec<LogRow>>, found: &mut Vec<String>) {
        let mut turns: BTreeMap<(&str, u64), bool> = BTreeMap::new();
        for told in &self.told {
            for (&is_person, number) in told.persons.iter().zip(1..) {
                let known = turns.entry((&told.match_id, number)).or_insert(is_person);
                if *known != is_person {
                    found.push(format!(
                        "two players to act at {number} by different responses: {told:?}"
                    ));
                }
            }
        }
        for (id, log) in logs {
            for (row, number) in log.iter().filter(|row| row.is_action()).zip(1..) {
                let is_by_person = row.client_id.starts_with(CLIENT_ID);
                let turn = turns.get(&(&**id, number));
                if turn.is_some_and(|is_person| *is_person != is_by_person) {
                    let actor = if is_by_person { "a person" } else { "a computer" };
                    found.push(format!("{actor} acted in the turn of another in {id}: {row:?}"));
                }
            }
        }
    }

    /// Checks that the match states in responses are never stale. A read at any server must show every entry that was answered or
    /// acknowledged before the read began.
    fn compare_times(&self, found: &mut Vec<String>) {
        let attempts = self.attempts.iter().filter_map(|attempt| {
            Some((attempt.acknowledged?, &*attempt.match_id, attempt.after + 1))
        });
        let told = self.told.iter().map(|told| (told.answered, &*told.match_id, told.sequence));
        let mut ends: Vec<_> = attempts.chain(told).collect();
        ends.sort_unstable();
        let mut reads: Vec<_> =
            self.told.iter().filter_map(|told| Some((told.asked?, told))).collect();
        reads.sort_unstable_by_key(|(asked, _)| *asked);
        let mut ends = ends.into_iter().peekable();
        let mut known: HashMap<&str, u64> = HashMap::new();
        for (asked, read) in reads {
            while let Some((_, id, sequence)) = ends.next_if(|(end, ..)| *end < asked) {
                let latest = known.entry(id).or_default();
                *latest = sequence.max(*latest);
            }
            let latest = known.get(&*read.match_id).copied().unwrap_or_default();
            if read.sequence < latest {
                found.push(format!("back in time, although entry {latest} was known: {read:?}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Returns a client history (requests and responses) with consistent match logs. The match has two acknowledged actions, each followed
    /// by a read.
    fn sound() -> (History, BTreeMap<String, Vec<LogRow>>) {
        let begin = Instant::now();
        let at = |step: u64| begin + Duration::from_secs(step);
        let mut history = History::default();
        let mut log = Vec::new();
        let mut actions = Vec::new();
        for (action, after) in ["Tc", "Qs"].into_iter().zip(0_u64..) {
            let client_id = format!("{CLIENT_ID}{after}");
            actions.push(action.to_owned());
            log.push(LogRow {
                sequence: after + 1,
                kind: "act".to_owned(),
                action: action.to_owned(),
                client_id: client_id.clone(),
            });
            history.attempts.push(Attempt {
                match_id: "m".to_owned(),
                client_id,
                after,
                action: action.to_owned(),
                acknowledged: Some(at(10 * after)),
            });
            history.told.push(Told {
                match_id: "m".to_owned(),
                sequence: after + 1,
                actions: actions.clone(),
                persons: vec![true; actions.len() + 1],
                asked: Some(at(10 * after + 1)),
                answered: at(10 * after + 2),
            });
        }
        (history, BTreeMap::from([("m".to_owned(), log)]))
    }

    /// Asserts that a given change to a consistent client history (requests and responses) or to its match logs causes contradictions.
    /// Their descriptions must begin with the given words.
    fn finds(change: impl Fn(&mut History, &mut Vec<LogRow>), words: &[&str]) {
        let (mut history, mut logs) = sound();
        assert_eq!(history.contradictions(&logs), [""; 0]);
        change(&mut history, logs.get_mut("m").unwrap());
        let found = history.contradictions(&logs);
        assert_eq!(found.len(), words.len(), "{found:#?}");
        for (found, words) in found.iter().zip(words) {
            assert!(found.starts_with(words), "{found}");
        }
    }

    #[test]
    fn each_broken_promise_is_found() {
        finds(|_, log| drop(log.pop()), &["lost", "told and not in the log"]);
        finds(|_, log| log[1].sequence = 3, &["the log of m", "stored otherwise", "told and not"]);
        finds(|_, log| log.push(LogRow { sequence: 3, ..log[1].clone() }), &["repeated"]);
        finds(
            |_, log| {
                let client_id = format!("{CLIENT_ID}9");
                log.push(LogRow { sequence: 3, client_id, ..log[1].clone() });
            },
            &["nobody asked"],
        );
        finds(|history, _| history.told[1].actions[0] = "Ac".to_owned(), &["told and not"]);
        finds(
            |history, _| {
                let asked = history.told[1].asked;
                history.told[1] = Told { asked, ..history.told[0].clone() };
            },
            &["back in time"],
        );
        // A log entry that an earlier response showed must also appear in later reads, even if its action was not acknowledged.
        finds(
            |history, _| {
                history.attempts[1].acknowledged = None;
                let late = Instant::now() + Duration::from_mins(1);
                let old = Told { asked: Some(late), answered: late, ..history.told[0].clone() };
                history.told.push(old);
            },
            &["back in time"],
        );
    }

    /// Returns a log row for an action of a computer opponent.
    fn by_computer(sequence: u64, action: &str) -> LogRow {
        LogRow {
            sequence,
            kind: "act".to_owned(),
            action: action.to_owned(),
            client_id: format!("computer-{sequence}"),
        }
    }

    #[test]
    fn rows_without_an_action_count_in_the_sequence_only() {
        let joined = |history: &mut History, log: &mut Vec<LogRow>| {
            for row in &mut *log {
                row.sequence += 1;
            }
            let (kind, client_id) = ("join".to_owned(), "server".to_owned());
            log.insert(0, LogRow { sequence: 1, kind, action: String::new(), client_id });
            for attempt in &mut history.attempts {
                attempt.after += 1;
            }
            for told in &mut history.told {
                told.sequence += 1;
            }
        };
        finds(joined, &[]);
        let missing = |history: &mut History, log: &mut Vec<LogRow>| {
            joined(history, log);
            history.told[1].sequence = 2;
        };
        finds(missing, &["told and not in the log", "back in time"]);
        let credited = |history: &mut History, log: &mut Vec<LogRow>| {
            joined(history, log);
            // The client chose the first action before it had seen the log row `join`.
            history.attempts[0].after -= 1;
        };
        finds(credited, &[]);
        let overtaken = |history: &mut History, _: &mut Vec<LogRow>| history.attempts[1].after = 0;
        finds(overtaken, &["stored otherwise"]);
    }

    #[test]
    fn a_computer_acts_once_in_its_turn_and_never_in_the_turn_of_a_person() {
        let answered = |history: &mut History, log: &mut Vec<LogRow>| {
            let mut told = history.told[1].clone();
            told.sequence = 3;
            told.actions.push("As".to_owned());
            told.persons = vec![true, true, false, true];
            told.asked = None;
            history.told[1].persons[2] = false;
            history.told.push(told);
            log.push(by_computer(3, "As"));
        };
        finds(answered, &[]);
        let doubled = |history: &mut History, log: &mut Vec<LogRow>| {
            answered(history, log);
            log.push(by_computer(4, "Ks"));
        };
        finds(doubled, &["a computer acted in the turn of another in m"]);
        finds(|_, log| log.push(by_computer(3, "As")), &["a computer acted"]);
        finds(
            |history, log| {
                history.told[1].persons[2] = false;
                log.push(LogRow { sequence: 3, ..log[1].clone() });
            },
            &["repeated", "a person acted"],
        );
        finds(|history, _| history.told[1].persons[1] = false, &["two players to act at 2"]);
    }

    #[test]
    fn an_unanswered_attempt_may_be_stored_or_not() {
        finds(|history, _| history.attempts[1].acknowledged = None, &[]);
        finds(
            |history, log| {
                history.attempts[1].acknowledged = None;
                history.told.pop();
                log.pop();
            },
            &[],
        );
    }
}
