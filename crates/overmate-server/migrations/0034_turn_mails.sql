-- E-mails about turns, and notices to former addresses.

-- Whether the owner gets an e-mail when they are to act in a correspondence match.
ALTER TABLE mail_addresses ADD COLUMN turns INTEGER NOT NULL DEFAULT 0 CHECK (turns IN (0, 1));
-- E-mails about turns in a row that the mail server refused for good.
ALTER TABLE mail_addresses ADD COLUMN refusals INTEGER NOT NULL DEFAULT 0;
-- Time before which no e-mail about a turn is sent, in seconds since 1970.
ALTER TABLE mail_addresses ADD COLUMN retry_at INTEGER NOT NULL DEFAULT 0;

-- E-mails about turns that were begun. A waiting one is a lease: `mail:` and the id of the match.
CREATE TABLE turn_mails (
    -- SHA-256 hash of the token in the link that switches these e-mails off.
    hash     BLOB    PRIMARY KEY,
    person   BLOB    NOT NULL,
    match_id TEXT    NOT NULL,
    -- Number of actions in the match before the turn.
    turn     INTEGER NOT NULL,
    tries    INTEGER NOT NULL,
    -- Whether the latest attempt is known to have failed. A further attempt then replaces hash and times.
    failed   INTEGER NOT NULL CHECK (failed IN (0, 1)),
    -- Time of the attempt, and time at which the link expires, in seconds since 1970.
    at       INTEGER NOT NULL,
    until    INTEGER NOT NULL,
    -- One e-mail for each turn of a match.
    UNIQUE (person, match_id, turn)
) STRICT, WITHOUT ROWID;

CREATE INDEX turn_mails_by_time ON turn_mails (until);

-- A person may have several notices, each to another former address. SQLite changes no constraint, so that the table is made again.
CREATE TABLE new_mail_messages (
    person   BLOB    NOT NULL,
    kind     TEXT    NOT NULL CHECK (kind IN ('confirm', 'recover', 'changed', 'removed')),
    address  TEXT    NOT NULL,
    language TEXT    NOT NULL CHECK (language IN ('de', 'en')),
    -- Whether the confirmed address is to be used for recovery.
    recovery INTEGER NOT NULL CHECK (recovery IN (0, 1)),
    made_at  INTEGER NOT NULL,
    -- SHA-256 hash of the token in the link, which each attempt makes anew; NULL before the first attempt.
    hash     BLOB    UNIQUE,
    tries    INTEGER NOT NULL DEFAULT 0,
    -- Time of the next attempt, and time at which link and message expire, in seconds since 1970.
    retry_at INTEGER NOT NULL,
    until    INTEGER NOT NULL,
    sent     INTEGER NOT NULL DEFAULT 0 CHECK (sent IN (0, 1)),
    PRIMARY KEY (person, kind, address)
) STRICT, WITHOUT ROWID;

INSERT INTO new_mail_messages (person, kind, address, language, recovery, made_at, hash, tries, retry_at, until, sent)
SELECT person, kind, address, language, recovery, made_at, hash, tries, retry_at, until, sent FROM mail_messages;

DROP TABLE mail_messages;
ALTER TABLE new_mail_messages RENAME TO mail_messages;

CREATE INDEX mail_messages_by_retry ON mail_messages (sent, retry_at);
