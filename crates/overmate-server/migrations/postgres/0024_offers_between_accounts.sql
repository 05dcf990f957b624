-- Rated offers, as in SQLite.

ALTER TABLE offers ADD COLUMN rated BOOLEAN NOT NULL DEFAULT FALSE;
