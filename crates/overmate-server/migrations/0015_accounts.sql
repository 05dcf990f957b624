-- Accounts of persons: a handle and a password, with which another browser becomes a browser of the person.

CREATE TABLE accounts (
    person    BLOB    PRIMARY KEY,
    -- Handle as the person wrote it.
    handle    TEXT    NOT NULL,
    -- Keyed hash of the form of the handle in which handles that look alike are equal.
    tag       BLOB    NOT NULL UNIQUE,
    -- Argon2id hash of the password with its salt and parameters (PHC string format).
    password  TEXT    NOT NULL,
    -- Time when the account was made, and time when the account got its handle, in seconds since 1970.
    made_at   INTEGER NOT NULL,
    handle_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Handles that persons gave up, by their tags. Until a time they are free for this person only, so that nobody takes the place of another person.
CREATE TABLE former_handles (
    tag    BLOB    PRIMARY KEY,
    -- Null after the person has erased their data.
    person BLOB,
    until  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX former_handles_by_time ON former_handles (until);
CREATE INDEX former_handles_by_person ON former_handles (person) WHERE person IS NOT NULL;
