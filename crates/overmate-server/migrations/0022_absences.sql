-- Days off of persons, in which the clocks of their matches by correspondence do not run, and secret addresses of their feeds.

CREATE TABLE absences (
    person   BLOB    NOT NULL,
    -- Beginning and end in milliseconds since 1970. An end in the future is the latest one: the person may come back earlier.
    began_at INTEGER NOT NULL,
    until    INTEGER NOT NULL,
    PRIMARY KEY (person, began_at)
) STRICT, WITHOUT ROWID;

CREATE INDEX absences_by_end ON absences (until);

-- Secret address under which a person's feed and calendar of their turns are read.
CREATE TABLE feeds (
    person BLOB PRIMARY KEY,
    token  TEXT NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;
