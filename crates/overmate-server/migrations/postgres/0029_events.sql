-- Events, as in SQLite.

CREATE TABLE events (
    id          TEXT    PRIMARY KEY,
    kind        TEXT    NOT NULL CHECK (kind IN ('arena', 'swiss')),
    size        BIGINT NOT NULL,
    title       TEXT,
    rules       TEXT    NOT NULL,
    clock       TEXT    NOT NULL,
    host        BYTEA,
    client_id   TEXT,
    secret      BYTEA    NOT NULL,
    made_at     BIGINT NOT NULL,
    starts_at   BIGINT NOT NULL,
    finished_at BIGINT,
    state       TEXT    NOT NULL CHECK (state IN ('coming', 'running', 'finished')),
    repeat_days BIGINT NOT NULL DEFAULT 0,
    round       BIGINT NOT NULL DEFAULT 0,
    step        BIGINT NOT NULL DEFAULT 0,
    version     BIGINT NOT NULL DEFAULT 0
);

CREATE INDEX events_by_start ON events (starts_at) WHERE finished_at IS NULL;
CREATE INDEX events_by_end ON events (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX events_by_host ON events (host);

CREATE TABLE event_players (
    event_id  TEXT    NOT NULL,
    number    BIGINT NOT NULL,
    person    BYTEA,
    present   BOOLEAN NOT NULL,
    joined_at BIGINT NOT NULL,
    PRIMARY KEY (event_id, number)
);

CREATE INDEX event_players_by_person ON event_players (person);

CREATE TABLE event_deals (
    event_id TEXT    NOT NULL,
    place    BIGINT NOT NULL,
    number   BIGINT NOT NULL,
    value    BIGINT NOT NULL,
    PRIMARY KEY (event_id, place)
);

CREATE TABLE event_boards (
    event_id TEXT    NOT NULL,
    number   BIGINT NOT NULL,
    round    BIGINT NOT NULL,
    place    BIGINT,
    a        BIGINT NOT NULL,
    b        BIGINT,
    match_id TEXT,
    began_at BIGINT NOT NULL,
    ended_at BIGINT,
    points   BIGINT,
    forfeit  TEXT CHECK (forfeit IN ('a', 'b')),
    PRIMARY KEY (event_id, number)
);

CREATE INDEX event_boards_by_match ON event_boards (match_id);
