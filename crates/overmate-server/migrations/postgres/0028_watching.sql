-- Public matches, what persons show of themselves, and who is here, as in SQLite.

ALTER TABLE matches ADD COLUMN public BOOLEAN NOT NULL DEFAULT FALSE;

CREATE INDEX matches_watched ON matches (created_at, id) WHERE public AND ended_at IS NULL;
CREATE INDEX matches_watched_by_rules ON matches (rules, created_at, id) WHERE public AND ended_at IS NULL;
CREATE INDEX matches_replayed ON matches (ended_at, id) WHERE public AND ended_at IS NOT NULL;
CREATE INDEX matches_replayed_by_rules ON matches (rules, ended_at, id) WHERE public AND ended_at IS NOT NULL;

CREATE TABLE visibility (
    person   BYTEA  PRIMARY KEY,
    watching TEXT   NOT NULL CHECK (watching IN ('at-once', 'delayed', 'never')),
    presence TEXT   NOT NULL CHECK (presence IN ('favourites', 'nobody')),
    at       BIGINT NOT NULL
);

-- The rows hold for less than a minute, so no write waits for the disk.
CREATE UNLOGGED TABLE present_servers (
    server TEXT   PRIMARY KEY,
    people BIGINT NOT NULL,
    until  BIGINT NOT NULL
);

CREATE UNLOGGED TABLE present_persons (
    person BYTEA  NOT NULL,
    server TEXT   NOT NULL,
    until  BIGINT NOT NULL,
    PRIMARY KEY (person, server)
);

CREATE INDEX present_persons_by_server ON present_persons (server);
