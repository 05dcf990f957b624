-- Players whom an account has added, and the free texts between two players who have added one another, as in SQLite.

CREATE TABLE relations (
    person BYTEA  NOT NULL,
    other  BYTEA  NOT NULL,
    kind   TEXT   NOT NULL CHECK (kind IN ('favourite', 'mute', 'block')),
    at     BIGINT NOT NULL,
    PRIMARY KEY (person, other, kind)
);

CREATE INDEX relations_by_other ON relations (other);
