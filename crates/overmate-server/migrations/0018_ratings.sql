-- Ratings of accounts by their rated matches.

-- Whether the match changes the ratings of its players.
ALTER TABLE matches ADD COLUMN rated INTEGER NOT NULL DEFAULT 0 CHECK (rated IN (0, 1));

-- Whether only the person itself may see the profile of the account.
ALTER TABLE accounts ADD COLUMN private INTEGER NOT NULL DEFAULT 0 CHECK (private IN (0, 1));

CREATE TABLE ratings (
    person     BLOB    NOT NULL,
    rules      TEXT    NOT NULL,
    pace       TEXT    NOT NULL CHECK (pace IN ('live', 'correspondence')),
    -- Rating by Glicko-2 after the last rated match.
    rating     REAL    NOT NULL,
    deviation  REAL    NOT NULL,
    volatility REAL    NOT NULL,
    -- Numbers of rated matches by their result.
    wins       INTEGER NOT NULL,
    draws      INTEGER NOT NULL,
    losses     INTEGER NOT NULL,
    -- Time of the last rated match in seconds since 1970.
    at         INTEGER NOT NULL,
    PRIMARY KEY (person, rules, pace)
) STRICT, WITHOUT ROWID;

CREATE INDEX ratings_by_board ON ratings (rules, pace, rating);

-- Change of the rating of a player by a match. The key keeps a match from changing a rating twice.
CREATE TABLE rating_changes (
    match_id         TEXT    NOT NULL,
    player           TEXT    NOT NULL CHECK (player IN ('a', 'b')),
    person           BLOB    NOT NULL,
    rules            TEXT    NOT NULL,
    pace             TEXT    NOT NULL CHECK (pace IN ('live', 'correspondence')),
    result           TEXT    NOT NULL CHECK (result IN ('win', 'draw', 'loss')),
    -- Points of the player in the match less those of the opponent.
    margin           INTEGER NOT NULL,
    rating_before    REAL    NOT NULL,
    deviation_before REAL    NOT NULL,
    rating_after     REAL    NOT NULL,
    deviation_after  REAL    NOT NULL,
    -- End of the match in seconds since 1970.
    at               INTEGER NOT NULL,
    PRIMARY KEY (match_id, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX rating_changes_by_person ON rating_changes (person, at);
