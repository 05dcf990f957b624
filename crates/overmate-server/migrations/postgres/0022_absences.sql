-- Days off of persons, as in SQLite.

CREATE TABLE absences (
    person   BYTEA  NOT NULL,
    began_at BIGINT NOT NULL,
    until    BIGINT NOT NULL,
    PRIMARY KEY (person, began_at)
);

CREATE INDEX absences_by_end ON absences (until);
