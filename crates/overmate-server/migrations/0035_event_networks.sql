-- Number of the network from which the event was made, as in `matches`: open events of a network have a limit. Null for the operator.

ALTER TABLE events ADD COLUMN network INTEGER CHECK (network BETWEEN 0 AND 65535);
