-- Rated offers: the match of such an offer changes the ratings of its players.

ALTER TABLE offers ADD COLUMN rated INTEGER NOT NULL DEFAULT 0 CHECK (rated IN (0, 1));
