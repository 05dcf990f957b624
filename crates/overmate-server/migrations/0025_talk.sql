-- Players whom an account has added, and the free texts between two players who have added one another.

CREATE TABLE relations (
    -- Person of the account that has made the relation, and person of the account that it concerns.
    person BLOB    NOT NULL,
    other  BLOB    NOT NULL,
    kind   TEXT    NOT NULL CHECK (kind IN ('favourite', 'mute', 'block')),
    -- Time when the relation was made, in seconds since 1970.
    at     INTEGER NOT NULL,
    PRIMARY KEY (person, other, kind)
) STRICT, WITHOUT ROWID;

CREATE INDEX relations_by_other ON relations (other);
