-- Ratings of accounts by their rated matches, as in SQLite.

ALTER TABLE matches ADD COLUMN rated BOOLEAN NOT NULL DEFAULT FALSE;

ALTER TABLE accounts ADD COLUMN private BOOLEAN NOT NULL DEFAULT FALSE;

CREATE TABLE ratings (
    person     BYTEA  NOT NULL,
    rules      TEXT   COLLATE "C" NOT NULL,
    pace       TEXT   COLLATE "C" NOT NULL CHECK (pace IN ('live', 'correspondence')),
    rating     DOUBLE PRECISION NOT NULL,
    deviation  DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    wins       BIGINT NOT NULL,
    draws      BIGINT NOT NULL,
    losses     BIGINT NOT NULL,
    at         BIGINT NOT NULL,
    PRIMARY KEY (person, rules, pace)
);

CREATE INDEX ratings_by_board ON ratings (rules, pace, rating);

CREATE TABLE rating_changes (
    match_id         TEXT   COLLATE "C" NOT NULL,
    player           TEXT   COLLATE "C" NOT NULL CHECK (player IN ('a', 'b')),
    person           BYTEA  NOT NULL,
    rules            TEXT   NOT NULL,
    pace             TEXT   NOT NULL CHECK (pace IN ('live', 'correspondence')),
    result           TEXT   NOT NULL CHECK (result IN ('win', 'draw', 'loss')),
    margin           BIGINT NOT NULL,
    rating_before    DOUBLE PRECISION NOT NULL,
    deviation_before DOUBLE PRECISION NOT NULL,
    rating_after     DOUBLE PRECISION NOT NULL,
    deviation_after  DOUBLE PRECISION NOT NULL,
    at               BIGINT NOT NULL,
    PRIMARY KEY (match_id, player)
);

CREATE INDEX rating_changes_by_person ON rating_changes (person, at);
