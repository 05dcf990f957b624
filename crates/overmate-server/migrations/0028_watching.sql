-- Public matches, what persons show of themselves, and who is here.

-- Whether the match began by an offer, so that it is listed for watching unless a player has switched that off.
ALTER TABLE matches ADD COLUMN public INTEGER NOT NULL DEFAULT 0 CHECK (public IN (0, 1));

CREATE INDEX matches_watched ON matches (created_at, id) WHERE public AND ended_at IS NULL;
CREATE INDEX matches_watched_by_rules ON matches (rules, created_at, id) WHERE public AND ended_at IS NULL;
CREATE INDEX matches_replayed ON matches (ended_at, id) WHERE public AND ended_at IS NOT NULL;
CREATE INDEX matches_replayed_by_rules ON matches (rules, ended_at, id) WHERE public AND ended_at IS NOT NULL;

-- Persons who show something else of themselves than the default.
CREATE TABLE visibility (
    person   BLOB    PRIMARY KEY,
    -- Whether everybody may watch the matches of the person.
    watching TEXT    NOT NULL CHECK (watching IN ('at-once', 'delayed', 'never')),
    -- Who is told that the person is here.
    presence TEXT    NOT NULL CHECK (presence IN ('favourites', 'nobody')),
    -- Time of the last change in seconds since 1970.
    at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Numbers of people with a live connection to each server, until a time in seconds since 1970.
CREATE TABLE present_servers (
    server TEXT    PRIMARY KEY,
    people INTEGER NOT NULL,
    until  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Persons with a live connection to a server, if another account has added them.
CREATE TABLE present_persons (
    person BLOB    NOT NULL,
    server TEXT    NOT NULL,
    until  INTEGER NOT NULL,
    PRIMARY KEY (person, server)
) STRICT, WITHOUT ROWID;

CREATE INDEX present_persons_by_server ON present_persons (server);
