-- E-mails about turns, and notices to former addresses, as in SQLite.

ALTER TABLE mail_addresses
    ADD COLUMN turns BOOLEAN NOT NULL DEFAULT FALSE,
    ADD COLUMN refusals BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN retry_at BIGINT NOT NULL DEFAULT 0;

CREATE TABLE turn_mails (
    hash     BYTEA   PRIMARY KEY,
    person   BYTEA   NOT NULL,
    match_id TEXT    NOT NULL,
    turn     BIGINT  NOT NULL,
    tries    BIGINT  NOT NULL,
    failed   BOOLEAN NOT NULL,
    at       BIGINT  NOT NULL,
    until    BIGINT  NOT NULL,
    UNIQUE (person, match_id, turn)
);

CREATE INDEX turn_mails_by_time ON turn_mails (until);

ALTER TABLE mail_messages
    DROP CONSTRAINT mail_messages_kind_check,
    ADD CONSTRAINT mail_messages_kind_check CHECK (kind IN ('confirm', 'recover', 'changed', 'removed')),
    DROP CONSTRAINT mail_messages_pkey,
    ADD PRIMARY KEY (person, kind, address);
