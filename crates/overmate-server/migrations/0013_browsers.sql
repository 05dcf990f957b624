-- Browsers that share their matches as one person, and the codes that add a browser to a person.
--
-- A person is identified by the hash of the token of their first browser. A browser without a row is a person of its own. Seats keep the hash of the
-- browser that took them: the row of this browser says whose seats they are, also after the person has signed the browser out.

CREATE TABLE browsers (
    -- SHA-256 hash of the token in the browser's cookie.
    browser    BLOB    PRIMARY KEY,
    person     BLOB    NOT NULL,
    -- Kind of browser as the page told it, such as `Firefox, Android`.
    name       TEXT,
    -- Time when the browser got its row, and time of the last change of its person or of `revoked`, in seconds since 1970.
    added_at   INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    -- Whether the person has signed the browser out, so that its token is no identity any more.
    revoked    INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX browsers_by_person ON browsers (person);
CREATE INDEX browsers_by_change ON browsers (changed_at);

CREATE TABLE codes (
    -- SHA-256 hash of the code.
    hash    BLOB    PRIMARY KEY,
    person  BLOB    NOT NULL,
    kind    TEXT    NOT NULL CHECK (kind IN ('link', 'recovery')),
    made_at INTEGER NOT NULL,
    -- Time after which the row is removed and the code is refused, in seconds since 1970; null for a code without such a time.
    until   INTEGER,
    -- Browser that has used the code, which may repeat its request after a lost answer.
    used_by BLOB
) STRICT, WITHOUT ROWID;

CREATE INDEX codes_by_person ON codes (person);
CREATE INDEX codes_by_time ON codes (until) WHERE until IS NOT NULL;
