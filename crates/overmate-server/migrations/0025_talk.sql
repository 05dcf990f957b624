-- Players whom an account has added, and the free texts between two players who have added one another.

CREATE TABLE relations (
    -- Person of the account that has made the relation, and person of the account that it concerns.
    person BLOB    NOT NULL,
    other  BLOB    NOT NULL,
    kind   TEXT    NOT NULL CHECK (kind IN ('favourite', 'mute', 'block')),
    -- Time when the relation was made, in seconds since 1970.
    at     INTEGER NOT NULL,
    PRIMARY KEY (person, other, kind)
) STRICT, WITHOUT ROWID;

CREATE INDEX relations_by_other ON relations (other);

-- Free texts of players in their matches. They belong to no log entry, and decide nothing in a game.
CREATE TABLE talk (
    match_id  TEXT    NOT NULL,
    number    INTEGER NOT NULL,
    player    TEXT    NOT NULL CHECK (player IN ('a', 'b')),
    text      TEXT    NOT NULL,
    -- What the page called the request: the same request again stores no second text.
    client_id TEXT    NOT NULL,
    -- Time when the text was stored, in seconds since 1970.
    at        INTEGER NOT NULL,
    PRIMARY KEY (match_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX talk_by_time ON talk (at);
