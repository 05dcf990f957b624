-- Bots, as in SQLite.

ALTER TABLE accounts ADD COLUMN bot BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE seats ADD COLUMN program BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE offers ADD COLUMN bots BOOLEAN NOT NULL DEFAULT FALSE;

CREATE TABLE bot_tokens (
    id      TEXT   PRIMARY KEY,
    hash    BYTEA  NOT NULL UNIQUE,
    person  BYTEA  NOT NULL,
    name    TEXT,
    made_at BIGINT NOT NULL
);

CREATE INDEX bot_tokens_by_person ON bot_tokens (person);
