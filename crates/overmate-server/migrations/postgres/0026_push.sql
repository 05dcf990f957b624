-- Subscriptions of browsers to push messages, as in SQLite.

CREATE TABLE push_subscriptions (
    browser  BYTEA  PRIMARY KEY,
    person   BYTEA  NOT NULL,
    endpoint TEXT   NOT NULL UNIQUE,
    key      BYTEA  NOT NULL,
    secret   BYTEA  NOT NULL,
    language TEXT   NOT NULL CHECK (language IN ('de', 'en')),
    made_at  BIGINT NOT NULL,
    failures BIGINT NOT NULL DEFAULT 0,
    retry_at BIGINT NOT NULL DEFAULT 0,
    told     TEXT
);

CREATE INDEX push_subscriptions_by_person ON push_subscriptions (person, made_at);
