-- Whether the log of a finished match is folded: its entries up to that time stand in one row of the kind `fold`.

ALTER TABLE matches ADD COLUMN folded INTEGER NOT NULL DEFAULT 0 CHECK (folded IN (0, 1));

CREATE INDEX matches_to_fold ON matches (ended_at, id) WHERE ended_at IS NOT NULL AND NOT folded;
