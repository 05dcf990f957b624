-- Deal of a day or week that the match plays, such as `2026-11-21` or `2026-W47-3`; null for all other matches.
ALTER TABLE matches ADD COLUMN shared_deal TEXT;

CREATE INDEX matches_by_shared_deal ON matches (shared_deal, rules, ended_at) WHERE shared_deal IS NOT NULL;

-- Secrets of the server, such as the key from which the deals of coming days follow.
CREATE TABLE secrets (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;
