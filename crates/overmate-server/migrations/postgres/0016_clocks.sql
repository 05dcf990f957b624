-- Clocks of matches, as in SQLite.

ALTER TABLE matches ADD COLUMN clock TEXT;
ALTER TABLE matches ADD COLUMN deadline BIGINT;

CREATE INDEX matches_by_deadline ON matches (deadline) WHERE deadline IS NOT NULL;

CREATE INDEX matches_with_live_clock ON matches (id) WHERE deadline IS NOT NULL AND clock NOT IN ('1d', '2d', '3d', '7d');

ALTER TABLE log ADD COLUMN at_ms BIGINT;
ALTER TABLE log ADD COLUMN given_ms BIGINT NOT NULL DEFAULT 0;

CREATE TABLE beats (
    name TEXT   PRIMARY KEY,
    at   BIGINT NOT NULL
);

INSERT INTO beats (name, at) VALUES ('clocks', 0);
