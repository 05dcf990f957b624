-- Open offers, as in SQLite.

CREATE TABLE offers (
    id        TEXT    PRIMARY KEY,
    holder    BYTEA   NOT NULL,
    name      TEXT,
    rules     TEXT    NOT NULL,
    clock     TEXT,
    leads     BOOLEAN NOT NULL,
    lasting   BOOLEAN NOT NULL,
    network   BIGINT  NOT NULL CHECK (network BETWEEN 0 AND 65535),
    client_id TEXT    NOT NULL,
    made_at   BIGINT  NOT NULL,
    until     BIGINT  NOT NULL,
    match_id  TEXT
);

CREATE INDEX offers_by_holder ON offers (holder);
CREATE INDEX offers_by_time ON offers (until);
CREATE INDEX offers_open ON offers (rules, made_at) WHERE match_id IS NULL;

CREATE TABLE versions (
    name    TEXT   PRIMARY KEY,
    version BIGINT NOT NULL
);

INSERT INTO versions (name, version) VALUES ('lobby', 0);
