-- First attempts of browsers at puzzles, and the ratings (Glicko-2) of browsers and puzzles that follow from the attempts.

CREATE TABLE puzzle_attempts (
    -- Hash of the token of the browser.
    holder BLOB    NOT NULL,
    puzzle TEXT    NOT NULL,
    rules  TEXT    NOT NULL,
    solved INTEGER NOT NULL CHECK (solved IN (0, 1)),
    -- Rating of the browser after the attempt.
    rating REAL    NOT NULL,
    at     INTEGER NOT NULL,
    -- The primary key lets only the first attempt count.
    PRIMARY KEY (holder, puzzle)
) STRICT, WITHOUT ROWID;

CREATE TABLE puzzle_players (
    holder     BLOB PRIMARY KEY,
    rating     REAL NOT NULL,
    deviation  REAL NOT NULL,
    volatility REAL NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE puzzle_ratings (
    puzzle     TEXT PRIMARY KEY,
    rating     REAL NOT NULL,
    deviation  REAL NOT NULL,
    volatility REAL NOT NULL
) STRICT, WITHOUT ROWID;
