-- Number of the network from which the match was created: 16 bits of a hash with the server's key, so that some 65,000 IPv4 addresses share each number.
-- The searches of the match's computer opponent count for this network until the browser sends a request again.

ALTER TABLE matches ADD COLUMN network INTEGER CHECK (network BETWEEN 0 AND 65535);

-- The rows of long logs, from which the length of the longest log follows without a look at the rows. The other logs cost nothing.

CREATE INDEX log_of_long_matches ON log (sequence) WHERE sequence >= 128;
