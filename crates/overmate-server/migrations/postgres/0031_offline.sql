-- Matches that were played offline, as in SQLite.

ALTER TABLE matches ADD COLUMN played_at BIGINT;
