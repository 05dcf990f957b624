-- Events: many players play the same deals, in pairs, and are scored against the exact values of the deals.

CREATE TABLE events (
    id          TEXT    PRIMARY KEY,
    kind        TEXT    NOT NULL CHECK (kind IN ('arena', 'swiss')),
    -- Length: minutes of an arena, or rounds of a Swiss event.
    size        INTEGER NOT NULL,
    title       TEXT,
    rules       TEXT    NOT NULL,
    -- Setting of the clocks as in `matches`.
    clock       TEXT    NOT NULL,
    -- Person of the account that made the event; null for the operator, and after an erasure.
    host        BLOB,
    -- What the page called the request: the same request again makes no second event.
    client_id   TEXT,
    -- Key from which the deals are drawn. It is shown after the end.
    secret      BLOB    NOT NULL,
    -- Times in seconds since 1970.
    made_at     INTEGER NOT NULL,
    starts_at   INTEGER NOT NULL,
    finished_at INTEGER,
    state       TEXT    NOT NULL CHECK (state IN ('coming', 'running', 'finished')),
    -- Days between this event and its successor, which is made at the start; 0 for none.
    repeat_days INTEGER NOT NULL DEFAULT 0,
    -- Number of the current round; 0 before the first.
    round       INTEGER NOT NULL DEFAULT 0,
    -- Number of steps of the background work. A step is written only under the number that it has read.
    step        INTEGER NOT NULL DEFAULT 0,
    -- Number of changes, for those who watch.
    version     INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE INDEX events_by_start ON events (starts_at) WHERE finished_at IS NULL;
CREATE INDEX events_by_end ON events (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX events_by_host ON events (host);

CREATE TABLE event_players (
    event_id  TEXT    NOT NULL,
    -- Number of the player in the event, from 1.
    number    INTEGER NOT NULL,
    -- Person of the player's account; null after an erasure.
    person    BLOB,
    -- Whether the player is paired.
    present   INTEGER NOT NULL CHECK (present IN (0, 1)),
    joined_at INTEGER NOT NULL,
    PRIMARY KEY (event_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX event_players_by_person ON event_players (person);

CREATE TABLE event_deals (
    event_id TEXT    NOT NULL,
    -- Place of the deal in the event, from 0.
    place    INTEGER NOT NULL,
    -- Number of the deal, and its exact value for the player who leads first.
    number   INTEGER NOT NULL,
    value    INTEGER NOT NULL,
    PRIMARY KEY (event_id, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE event_boards (
    event_id TEXT    NOT NULL,
    -- Number of the board in the event, from 1, in the order of the pairings.
    number   INTEGER NOT NULL,
    round    INTEGER NOT NULL,
    -- Place of the deal in the event; null for a bye.
    place    INTEGER,
    -- Numbers of the players. The first leads in the first game; the second is null for a bye.
    a        INTEGER NOT NULL,
    b        INTEGER,
    match_id TEXT,
    began_at INTEGER NOT NULL,
    ended_at INTEGER,
    -- Points of the first player against the exact value; those of the second are the negative number. Null before the end.
    points   INTEGER,
    -- Player who gave the match up, or null.
    forfeit  TEXT CHECK (forfeit IN ('a', 'b')),
    PRIMARY KEY (event_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX event_boards_by_match ON event_boards (match_id);
