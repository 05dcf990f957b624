-- E-mail addresses of accounts, and the messages to them.

CREATE TABLE mail_addresses (
    -- Owner of the account, who has confirmed the address.
    person       BLOB    PRIMARY KEY,
    address      TEXT    NOT NULL,
    -- Address in lower case, for comparisons.
    folded       TEXT    NOT NULL,
    -- Language of the messages.
    language     TEXT    NOT NULL CHECK (language IN ('de', 'en')),
    -- Whether a link in a message to the address may set a new password.
    recovery     INTEGER NOT NULL CHECK (recovery IN (0, 1)),
    confirmed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX mail_addresses_by_folded ON mail_addresses (folded);

-- Messages that wait, and messages whose link is still valid.
CREATE TABLE mail_messages (
    person   BLOB    NOT NULL,
    kind     TEXT    NOT NULL CHECK (kind IN ('confirm', 'recover')),
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
    PRIMARY KEY (person, kind)
) STRICT, WITHOUT ROWID;

CREATE INDEX mail_messages_by_retry ON mail_messages (sent, retry_at);
