-- Reports of players about their opponents, and the measures of operators, as in SQLite.

CREATE TABLE reports (
    id         TEXT   PRIMARY KEY,
    match_id   TEXT   NOT NULL,
    player     TEXT   NOT NULL CHECK (player IN ('a', 'b')),
    reporter   BYTEA,
    reported   BYTEA  NOT NULL,
    reason     TEXT   NOT NULL CHECK (reason IN ('insults', 'name', 'unfair', 'stalling', 'other')),
    text       TEXT,
    network    BIGINT NOT NULL,
    at         BIGINT NOT NULL,
    settled_at BIGINT,
    UNIQUE (match_id, player)
);

CREATE INDEX reports_by_time ON reports (at);

CREATE TABLE measures (
    person BYTEA  NOT NULL,
    kind   TEXT   NOT NULL CHECK (kind IN ('warning', 'mute', 'closed')),
    text   TEXT,
    at     BIGINT NOT NULL,
    until  BIGINT,
    PRIMARY KEY (person, kind)
);

ALTER TABLE operator_acts DROP CONSTRAINT operator_acts_act_check;
ALTER TABLE operator_acts ADD CONSTRAINT operator_acts_act_check
    CHECK (act IN ('rename', 'end', 'revoke', 'erase', 'warn', 'mute', 'close', 'reopen', 'settle'));
