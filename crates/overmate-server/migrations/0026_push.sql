-- Subscriptions of browsers to push messages. The messages wait as leases: `turn:`, `near:` or `offer:`, and the id of a match.

CREATE TABLE push_subscriptions (
    -- Browser that subscribed, by the hash of its token.
    browser  BLOB    PRIMARY KEY,
    -- Person of the browser.
    person   BLOB    NOT NULL,
    -- Address at the push service of the browser's vendor. An address belongs to one browser.
    endpoint TEXT    NOT NULL UNIQUE,
    -- Public key of the browser on P-256, and its secret of authentication (RFC 8291).
    key      BLOB    NOT NULL,
    secret   BLOB    NOT NULL,
    -- Language of the messages.
    language TEXT    NOT NULL CHECK (language IN ('de', 'en')),
    made_at  INTEGER NOT NULL,
    -- Failures since the last success, and the time before which no message is sent, in seconds since 1970.
    failures INTEGER NOT NULL DEFAULT 0,
    retry_at INTEGER NOT NULL DEFAULT 0,
    -- Last message that the push service accepted, so that a repeated attempt does not send the message again.
    told     TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX push_subscriptions_by_person ON push_subscriptions (person, made_at);
