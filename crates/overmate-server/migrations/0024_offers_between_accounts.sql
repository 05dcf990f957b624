-- Rated offers: the match of such an offer changes the ratings of its players.

ALTER TABLE offers ADD COLUMN rated INTEGER NOT NULL DEFAULT 0 CHECK (rated IN (0, 1));

-- Challenges: offers to one player, whom the maker names by a handle.

-- Handle as the maker wrote it, whether an account has it or not; null for an offer to everybody.
ALTER TABLE offers ADD COLUMN to_handle TEXT;
-- Tag of this handle, as in `accounts`: the account with the tag may accept or decline the offer.
ALTER TABLE offers ADD COLUMN to_tag BLOB;
-- Whether the addressee has declined the challenge.
ALTER TABLE offers ADD COLUMN declined INTEGER NOT NULL DEFAULT 0 CHECK (declined IN (0, 1));

CREATE INDEX offers_by_addressee ON offers (to_tag) WHERE to_tag IS NOT NULL;
