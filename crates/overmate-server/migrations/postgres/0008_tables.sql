-- Tables of the store in PostgreSQL. The files of SQLite in the folder above explain the columns. A migration has the same number in both folders;
-- this one stands for all migrations of SQLite up to its own number.
--
-- Ids are compared byte by byte, so that both databases have the same order.

CREATE TABLE matches (
    id          TEXT    COLLATE "C" PRIMARY KEY,
    rules       TEXT    NOT NULL,
    deals       TEXT    NOT NULL,
    watch       TEXT    NOT NULL UNIQUE,
    invitation  TEXT    UNIQUE,
    created_at  BIGINT  NOT NULL,
    ended_at    BIGINT,
    asked_by    BYTEA,
    client_id   TEXT,
    shared_deal TEXT,
    deal_chosen BOOLEAN NOT NULL DEFAULT FALSE
);

CREATE UNIQUE INDEX matches_by_request ON matches (asked_by, client_id) WHERE client_id IS NOT NULL;
CREATE INDEX matches_unfinished ON matches (created_at, id) WHERE ended_at IS NULL;
CREATE INDEX matches_by_shared_deal ON matches (shared_deal, rules, ended_at) WHERE shared_deal IS NOT NULL;

CREATE TABLE seats (
    match_id   TEXT COLLATE "C" NOT NULL REFERENCES matches (id),
    player     TEXT COLLATE "C" NOT NULL CHECK (player IN ('a', 'b')),
    name       TEXT,
    holder     BYTEA,
    bot        TEXT,
    seed       BIGINT,
    deleted_at BIGINT,
    PRIMARY KEY (match_id, player),
    CHECK (holder IS NULL OR bot IS NULL)
);

CREATE INDEX seats_by_holder ON seats (holder) WHERE holder IS NOT NULL;

CREATE TABLE log (
    match_id  TEXT   COLLATE "C" NOT NULL REFERENCES matches (id),
    sequence  BIGINT NOT NULL CHECK (sequence > 0),
    player    TEXT   NOT NULL CHECK (player IN ('a', 'b')),
    kind      TEXT   NOT NULL,
    detail    TEXT,
    client_id TEXT   NOT NULL,
    at        BIGINT NOT NULL,
    PRIMARY KEY (match_id, sequence),
    UNIQUE (match_id, client_id)
);

CREATE TABLE secrets (
    name  TEXT PRIMARY KEY,
    value BYTEA NOT NULL
);

CREATE TABLE puzzle_attempts (
    holder BYTEA   NOT NULL,
    puzzle TEXT    COLLATE "C" NOT NULL,
    rules  TEXT    NOT NULL,
    solved BOOLEAN NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    at     BIGINT  NOT NULL,
    PRIMARY KEY (holder, puzzle)
);

CREATE TABLE puzzle_players (
    holder     BYTEA PRIMARY KEY,
    rating     DOUBLE PRECISION NOT NULL,
    deviation  DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL
);

CREATE TABLE puzzle_ratings (
    puzzle     TEXT PRIMARY KEY,
    rating     DOUBLE PRECISION NOT NULL,
    deviation  DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL
);

CREATE TABLE operator_acts (
    id      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at      BIGINT NOT NULL,
    act     TEXT   NOT NULL CHECK (act IN ('rename', 'end', 'revoke', 'erase')),
    target  TEXT   NOT NULL,
    reason  TEXT   NOT NULL,
    matches BIGINT
);

CREATE INDEX operator_acts_by_time ON operator_acts (at);
