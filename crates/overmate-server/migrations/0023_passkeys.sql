-- Passkeys of accounts, and the challenges that browsers sign with passkeys.

-- An account may have passkeys in place of a password. SQLite removes no constraint from a column, so that the table is made again.
CREATE TABLE new_accounts (
    person    BLOB    PRIMARY KEY,
    handle    TEXT    NOT NULL,
    tag       BLOB    NOT NULL UNIQUE,
    -- Argon2id hash of the password with its salt and parameters (PHC string format); null without a password.
    password  TEXT,
    made_at   INTEGER NOT NULL,
    handle_at INTEGER NOT NULL,
    private   INTEGER NOT NULL DEFAULT 0 CHECK (private IN (0, 1))
) STRICT, WITHOUT ROWID;

INSERT INTO new_accounts (person, handle, tag, password, made_at, handle_at, private)
SELECT person, handle, tag, password, made_at, handle_at, private FROM accounts;

DROP TABLE accounts;
ALTER TABLE new_accounts RENAME TO accounts;

CREATE TABLE passkeys (
    -- Credential id, which the authenticator chose.
    id          BLOB    PRIMARY KEY,
    person      BLOB    NOT NULL,
    -- User handle: 16 random bytes, equal for all passkeys of an account.
    user_handle BLOB    NOT NULL,
    -- Public key with its signature counter and its backup state, as JSON.
    passkey     TEXT    NOT NULL,
    -- Name that the person gave to the passkey.
    name        TEXT,
    -- Time when the passkey was added, and time of the last sign-in with it, in seconds since 1970.
    made_at     INTEGER NOT NULL,
    used_at     INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX passkeys_by_person ON passkeys (person);

-- Challenges that wait for the answer of an authenticator. A challenge is removed at its first use.
CREATE TABLE passkey_challenges (
    id     TEXT    PRIMARY KEY,
    -- Person whose browser asked for the challenge; null for a browser without an identity.
    person BLOB,
    -- State of the ceremony, as JSON.
    state  TEXT    NOT NULL,
    -- Time from which the challenge is refused, in seconds since 1970.
    until  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX passkey_challenges_by_time ON passkey_challenges (until);
CREATE INDEX passkey_challenges_by_person ON passkey_challenges (person) WHERE person IS NOT NULL;
