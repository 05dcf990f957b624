-- Accounts of persons, and handles that persons gave up, as in SQLite.

CREATE TABLE accounts (
    person    BYTEA  PRIMARY KEY,
    handle    TEXT   NOT NULL,
    tag       BYTEA  NOT NULL UNIQUE,
    password  TEXT   NOT NULL,
    made_at   BIGINT NOT NULL,
    handle_at BIGINT NOT NULL
);

CREATE TABLE former_handles (
    tag    BYTEA  PRIMARY KEY,
    person BYTEA,
    until  BIGINT NOT NULL
);

CREATE INDEX former_handles_by_time ON former_handles (until);
CREATE INDEX former_handles_by_person ON former_handles (person) WHERE person IS NOT NULL;
