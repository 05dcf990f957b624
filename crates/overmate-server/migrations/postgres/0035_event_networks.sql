-- Number of the network from which the event was made, as in SQLite.

ALTER TABLE events ADD COLUMN network BIGINT CHECK (network BETWEEN 0 AND 65535);
