-- The log of operators tells the end of a mute from a mute.

CREATE TABLE operator_acts_next (
    id      INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    act     TEXT    NOT NULL
        CHECK (act IN ('rename', 'end', 'revoke', 'erase', 'warn', 'mute', 'unmute', 'close', 'reopen', 'settle')),
    target  TEXT    NOT NULL,
    reason  TEXT    NOT NULL,
    matches INTEGER
) STRICT;

INSERT INTO operator_acts_next SELECT id, at, act, target, reason, matches FROM operator_acts;
DROP TABLE operator_acts;
ALTER TABLE operator_acts_next RENAME TO operator_acts;
CREATE INDEX operator_acts_by_time ON operator_acts (at);
