-- Open offers: somebody looks for a person to play with.

CREATE TABLE offers (
    id        TEXT    PRIMARY KEY,
    -- Hash of the maker: of their browser, or of the first browser of several. The table `browsers` says whose it is, as for seats.
    holder    BLOB    NOT NULL,
    -- Name under which the maker is shown.
    name      TEXT,
    rules     TEXT    NOT NULL,
    -- Setting of the clocks as in `matches`; null without clocks.
    clock     TEXT,
    -- Whether the maker leads in the first game.
    leads     INTEGER NOT NULL CHECK (leads IN (0, 1)),
    -- Whether the offer stays open without its maker, because its clock has days for an action.
    lasting   INTEGER NOT NULL CHECK (lasting IN (0, 1)),
    -- Number of the network from which the offer was made, as in `matches`.
    network   INTEGER NOT NULL CHECK (network BETWEEN 0 AND 65535),
    -- What the page called the request: the same request again makes no second offer.
    client_id TEXT    NOT NULL,
    -- Time when the offer was made, and time after which nobody may accept it and the row is removed, in seconds since 1970.
    made_at   INTEGER NOT NULL,
    until     INTEGER NOT NULL,
    -- Match that the acceptance began; null while the offer is open.
    match_id  TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX offers_by_holder ON offers (holder);
CREATE INDEX offers_by_time ON offers (until);
CREATE INDEX offers_open ON offers (rules, made_at) WHERE match_id IS NULL;

-- Numbers that grow with each change of what several servers show.
CREATE TABLE versions (
    name    TEXT    PRIMARY KEY,
    version INTEGER NOT NULL
) STRICT;

INSERT INTO versions (name, version) VALUES ('lobby', 0);
