-- Rated offers and challenges, as in SQLite.

ALTER TABLE offers ADD COLUMN rated BOOLEAN NOT NULL DEFAULT FALSE;

ALTER TABLE offers ADD COLUMN to_handle TEXT;
ALTER TABLE offers ADD COLUMN to_tag BYTEA;
ALTER TABLE offers ADD COLUMN declined BOOLEAN NOT NULL DEFAULT FALSE;

CREATE INDEX offers_by_addressee ON offers (to_tag) WHERE to_tag IS NOT NULL;
