-- Time when a match began that was played without the server, in seconds since 1970, as its page told it. NULL for all other matches.
-- Such a match is stored when it is handed in, with its whole log.

ALTER TABLE matches ADD COLUMN played_at INTEGER;
