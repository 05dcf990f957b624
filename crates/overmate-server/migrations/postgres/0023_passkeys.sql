-- Passkeys of accounts, and the challenges that browsers sign with passkeys, as in SQLite.

ALTER TABLE accounts ALTER COLUMN password DROP NOT NULL;

CREATE TABLE passkeys (
    id          BYTEA  PRIMARY KEY,
    person      BYTEA  NOT NULL,
    user_handle BYTEA  NOT NULL,
    passkey     TEXT   NOT NULL,
    name        TEXT,
    made_at     BIGINT NOT NULL,
    used_at     BIGINT
);

CREATE INDEX passkeys_by_person ON passkeys (person);

CREATE TABLE passkey_challenges (
    id     TEXT   PRIMARY KEY,
    person BYTEA,
    state  TEXT   NOT NULL,
    until  BIGINT NOT NULL
);

CREATE INDEX passkey_challenges_by_time ON passkey_challenges (until);
CREATE INDEX passkey_challenges_by_person ON passkey_challenges (person) WHERE person IS NOT NULL;
