-- Numbers of the counted attempts in the order in which they were counted, because several attempts of a browser may fall into one second. A column
-- of a table without row ids cannot number its rows, so the table is replaced.

CREATE TABLE numbered_attempts (
    number INTEGER PRIMARY KEY,
    holder BLOB    NOT NULL,
    puzzle TEXT    NOT NULL,
    rules  TEXT    NOT NULL,
    solved INTEGER NOT NULL CHECK (solved IN (0, 1)),
    -- Rating of the browser after the attempt.
    rating REAL    NOT NULL,
    at     INTEGER NOT NULL,
    -- Only the first attempt counts.
    UNIQUE (holder, puzzle)
) STRICT;

-- The order of earlier attempts within a second is unknown.
INSERT INTO numbered_attempts (holder, puzzle, rules, solved, rating, at)
SELECT holder, puzzle, rules, solved, rating, at FROM puzzle_attempts ORDER BY at, puzzle;

DROP TABLE puzzle_attempts;
ALTER TABLE numbered_attempts RENAME TO puzzle_attempts;
