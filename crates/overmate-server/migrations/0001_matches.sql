-- A match is its log: what happened, in order. The state is what follows from it by the rules.

CREATE TABLE matches (
    id         TEXT    PRIMARY KEY,
    rules      TEXT    NOT NULL,
    -- The deal of every round by its number, those not dealt yet too: never sent to anybody before their time.
    deals      TEXT    NOT NULL,
    -- What a spectator has to know.
    watch      TEXT    NOT NULL UNIQUE,
    -- What a friend has to know who wants to join. It stays when it has been used.
    invitation TEXT    UNIQUE,
    created_at INTEGER NOT NULL,
    -- When the log ended the match. It follows from the log, and is here so that running matches can be found.
    ended_at   INTEGER
) STRICT;

CREATE TABLE seats (
    match_id TEXT NOT NULL REFERENCES matches (id),
    player   TEXT NOT NULL CHECK (player IN ('a', 'b')),
    name     TEXT,
    -- The hash of the token of the browser that holds the seat.
    holder   BLOB,
    -- The computer opponent that sits there, and the seed that makes it the same every time.
    bot      TEXT,
    seed     INTEGER,
    PRIMARY KEY (match_id, player),
    CHECK (holder IS NULL OR bot IS NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX seats_by_holder ON seats (holder) WHERE holder IS NOT NULL;
CREATE INDEX seats_of_bots ON seats (match_id) WHERE bot IS NOT NULL;
CREATE INDEX matches_running ON matches (created_at) WHERE ended_at IS NULL;

CREATE TABLE log (
    match_id  TEXT    NOT NULL REFERENCES matches (id),
    -- From 1, without gaps. Inserting is the compare-and-swap: of two answers to one state one fails here.
    sequence  INTEGER NOT NULL CHECK (sequence > 0),
    player    TEXT    NOT NULL CHECK (player IN ('a', 'b')),
    -- act, resign, undo, hint, join, offer or accept.
    kind      TEXT    NOT NULL,
    -- Of an act the action in notation, of an accept the new match.
    detail    TEXT,
    -- What the client called the request: the same again does nothing again.
    client_id TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (match_id, sequence),
    UNIQUE (match_id, client_id)
) STRICT, WITHOUT ROWID;
