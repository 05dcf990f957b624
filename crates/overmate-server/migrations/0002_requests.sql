-- Who asked for a match, and what the client called that request: the same again begins no second match.

ALTER TABLE matches ADD COLUMN asked_by BLOB;
ALTER TABLE matches ADD COLUMN client_id TEXT;

CREATE UNIQUE INDEX matches_by_request ON matches (asked_by, client_id) WHERE client_id IS NOT NULL;
