-- Acts of operators by the command `overmate admin`. The log holds no names of players.

CREATE TABLE operator_acts (
    id      INTEGER PRIMARY KEY,
    -- Time of the act in seconds since 1970.
    at      INTEGER NOT NULL,
    act     TEXT    NOT NULL CHECK (act IN ('rename', 'end', 'revoke', 'erase')),
    -- Match, player of a match, or hash of the token of a browser.
    target  TEXT    NOT NULL,
    reason  TEXT    NOT NULL,
    -- Number of changed or removed matches; null for an act that was interrupted.
    matches INTEGER
) STRICT;

CREATE INDEX operator_acts_by_time ON operator_acts (at);
