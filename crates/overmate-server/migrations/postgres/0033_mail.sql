-- E-mail addresses of accounts, and the messages to them, as in SQLite.

CREATE TABLE mail_addresses (
    person       BYTEA   PRIMARY KEY,
    address      TEXT    NOT NULL,
    folded       TEXT    NOT NULL,
    language     TEXT    NOT NULL CHECK (language IN ('de', 'en')),
    recovery     BOOLEAN NOT NULL,
    confirmed_at BIGINT  NOT NULL
);

CREATE INDEX mail_addresses_by_folded ON mail_addresses (folded);

CREATE TABLE mail_messages (
    person   BYTEA   NOT NULL,
    kind     TEXT    NOT NULL CHECK (kind IN ('confirm', 'recover')),
    address  TEXT    NOT NULL,
    language TEXT    NOT NULL CHECK (language IN ('de', 'en')),
    recovery BOOLEAN NOT NULL,
    made_at  BIGINT  NOT NULL,
    hash     BYTEA   UNIQUE,
    tries    BIGINT  NOT NULL DEFAULT 0,
    retry_at BIGINT  NOT NULL,
    until    BIGINT  NOT NULL,
    sent     BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (person, kind)
);

CREATE INDEX mail_messages_by_retry ON mail_messages (sent, retry_at);
