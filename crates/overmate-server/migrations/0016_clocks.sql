-- Clocks of matches. The clock of a player follows from the setting of the match and from the times in its log.

-- Setting of the clocks: seconds for the whole match and seconds for each action, such as `180+2`, or days for
-- each action, such as `3d`; null without clocks.
ALTER TABLE matches ADD COLUMN clock TEXT;

-- Time in milliseconds since 1970 at which the player to act has lost on time; null while no clock runs. It follows from the log, and is here so that
-- matches are found whose time is up.
ALTER TABLE matches ADD COLUMN deadline INTEGER;

CREATE INDEX matches_by_deadline ON matches (deadline) WHERE deadline IS NOT NULL;

-- Matches in which a clock of minutes and not of days runs.
CREATE INDEX matches_with_live_clock ON matches (id) WHERE deadline IS NOT NULL AND clock NOT IN ('1d', '2d', '3d', '7d');

-- Time of the entry in milliseconds since 1970; null in the rows of earlier versions, whose time is in seconds.
ALTER TABLE log ADD COLUMN at_ms INTEGER;

-- Milliseconds that the entry gives back to its player: lag of the connection, or time in which no server ran.
ALTER TABLE log ADD COLUMN given_ms INTEGER NOT NULL DEFAULT 0;

-- Last time at which a server was seen to run while a clock ran, in milliseconds since 1970; 0 before any clock has run.
CREATE TABLE beats (
    name TEXT    PRIMARY KEY,
    at   INTEGER NOT NULL
) STRICT;

INSERT INTO beats (name, at) VALUES ('clocks', 0);
