-- Leases of the background work, as in SQLite.

CREATE TABLE leases (
    name   TEXT COLLATE "C" PRIMARY KEY,
    holder TEXT,
    until  BIGINT NOT NULL
);

INSERT INTO leases (name, until) VALUES ('expiry', 0);
