-- Bots: accounts whose matches a program plays, by a token in place of a browser.

-- Whether the account is a bot. An account stays a bot.
ALTER TABLE accounts ADD COLUMN bot INTEGER NOT NULL DEFAULT 0 CHECK (bot IN (0, 1));

-- Whether a bot took the seat.
ALTER TABLE seats ADD COLUMN program INTEGER NOT NULL DEFAULT 0 CHECK (program IN (0, 1));

-- Whether a bot may accept the offer. The addressee of a challenge may be a bot in any case.
ALTER TABLE offers ADD COLUMN bots INTEGER NOT NULL DEFAULT 0 CHECK (bots IN (0, 1));

CREATE TABLE bot_tokens (
    id      TEXT    PRIMARY KEY,
    -- SHA-256 hash of the token.
    hash    BLOB    NOT NULL UNIQUE,
    person  BLOB    NOT NULL,
    -- Name that the person gave to the token.
    name    TEXT,
    -- Time when the token was made, in seconds since 1970.
    made_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX bot_tokens_by_person ON bot_tokens (person);
