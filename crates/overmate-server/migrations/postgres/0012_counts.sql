-- Counts of requests, for the limits that hold for all servers together. A crash of PostgreSQL empties the table, so no write waits for the disk.

CREATE UNLOGGED TABLE counts (
    -- Keyed hash of the limit and its subject, which is a browser or a network.
    key   BIGINT PRIMARY KEY,
    -- Time until which the counted requests use up room of the limit, in microseconds since 1970 by the clock of the database.
    until BIGINT NOT NULL
);
