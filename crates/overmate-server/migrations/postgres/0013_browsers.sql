-- Browsers that share their matches as one person, and the codes that add a browser to a person, as in SQLite.

CREATE TABLE browsers (
    browser    BYTEA   PRIMARY KEY,
    person     BYTEA   NOT NULL,
    name       TEXT,
    added_at   BIGINT  NOT NULL,
    changed_at BIGINT  NOT NULL,
    revoked    BOOLEAN NOT NULL DEFAULT FALSE
);

CREATE INDEX browsers_by_person ON browsers (person);
CREATE INDEX browsers_by_change ON browsers (changed_at);

CREATE TABLE codes (
    hash    BYTEA  PRIMARY KEY,
    person  BYTEA  NOT NULL,
    kind    TEXT   NOT NULL CHECK (kind IN ('link', 'recovery')),
    made_at BIGINT NOT NULL,
    until   BIGINT,
    used_by BYTEA
);

CREATE INDEX codes_by_person ON codes (person);
CREATE INDEX codes_by_time ON codes (until) WHERE until IS NOT NULL;
