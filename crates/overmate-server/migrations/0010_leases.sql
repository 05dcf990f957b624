-- Leases of the background work: each piece of work is done by the server that holds its lease.

CREATE TABLE leases (
    -- Name of the work: `expiry`, or the id of a match in which a computer opponent may be to act.
    name   TEXT PRIMARY KEY,
    -- Server that holds the lease, by an id of its process; null for work that waits for a server.
    holder TEXT,
    -- Time until which no other server takes the work, in milliseconds since 1970 by the clock of the database.
    until  INTEGER NOT NULL
) STRICT;

INSERT INTO leases (name, until) VALUES ('expiry', 0);
