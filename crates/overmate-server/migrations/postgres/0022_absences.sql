-- Days off of persons, and secret addresses of their feeds, as in SQLite.

CREATE TABLE absences (
    person   BYTEA  NOT NULL,
    began_at BIGINT NOT NULL,
    until    BIGINT NOT NULL,
    PRIMARY KEY (person, began_at)
);

CREATE INDEX absences_by_end ON absences (until);

CREATE TABLE feeds (
    person BYTEA PRIMARY KEY,
    token  TEXT  NOT NULL UNIQUE
);
