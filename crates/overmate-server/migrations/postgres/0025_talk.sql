-- Players whom an account has added, and the free texts between two players who have added one another, as in SQLite.

CREATE TABLE relations (
    person BYTEA  NOT NULL,
    other  BYTEA  NOT NULL,
    kind   TEXT   NOT NULL CHECK (kind IN ('favourite', 'mute', 'block')),
    at     BIGINT NOT NULL,
    PRIMARY KEY (person, other, kind)
);

CREATE INDEX relations_by_other ON relations (other);

CREATE TABLE talk (
    match_id  TEXT   NOT NULL,
    number    BIGINT NOT NULL,
    player    TEXT   NOT NULL CHECK (player IN ('a', 'b')),
    text      TEXT   NOT NULL,
    client_id TEXT   NOT NULL,
    at        BIGINT NOT NULL,
    PRIMARY KEY (match_id, number)
);

CREATE INDEX talk_by_time ON talk (at);
