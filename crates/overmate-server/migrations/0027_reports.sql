-- Reports of players about their opponents, and the measures of operators.

CREATE TABLE reports (
    id         TEXT    PRIMARY KEY,
    match_id   TEXT    NOT NULL,
    -- Player who reports. A player has one report in a match.
    player     TEXT    NOT NULL CHECK (player IN ('a', 'b')),
    -- Person who reports; null after the erasure of their data. Person who is reported.
    reporter   BLOB,
    reported   BLOB    NOT NULL,
    reason     TEXT    NOT NULL CHECK (reason IN ('insults', 'name', 'unfair', 'stalling', 'other')),
    text       TEXT,
    -- Number of the network from which the report came.
    network    INTEGER NOT NULL,
    -- Times of the report and of its settlement by an operator, in seconds since 1970.
    at         INTEGER NOT NULL,
    settled_at INTEGER,
    UNIQUE (match_id, player)
) STRICT;

CREATE INDEX reports_by_time ON reports (at);

-- Measures against persons, one of each kind: a warning that the person has not confirmed, a mute until a time, and a closed account.
CREATE TABLE measures (
    person BLOB    NOT NULL,
    kind   TEXT    NOT NULL CHECK (kind IN ('warning', 'mute', 'closed')),
    text   TEXT,
    at     INTEGER NOT NULL,
    until  INTEGER,
    PRIMARY KEY (person, kind)
) STRICT, WITHOUT ROWID;

-- The log of operators takes further kinds of acts.
CREATE TABLE operator_acts_next (
    id      INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    act     TEXT    NOT NULL
        CHECK (act IN ('rename', 'end', 'revoke', 'erase', 'warn', 'mute', 'close', 'reopen', 'settle')),
    target  TEXT    NOT NULL,
    reason  TEXT    NOT NULL,
    matches INTEGER
) STRICT;

INSERT INTO operator_acts_next SELECT id, at, act, target, reason, matches FROM operator_acts;
DROP TABLE operator_acts;
ALTER TABLE operator_acts_next RENAME TO operator_acts;
CREATE INDEX operator_acts_by_time ON operator_acts (at);
