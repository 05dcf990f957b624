-- The background sweep walks through the unfinished matches in the order of their creation. No query needs the index of computer opponents.

DROP INDEX matches_running;
DROP INDEX seats_of_bots;

CREATE INDEX matches_unfinished ON matches (created_at, id) WHERE ended_at IS NULL;
