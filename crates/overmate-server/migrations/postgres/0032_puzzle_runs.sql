-- Runs of puzzles, as in SQLite.

ALTER TABLE puzzle_attempts ADD COLUMN run TEXT COLLATE "C";

CREATE INDEX puzzle_attempts_by_run ON puzzle_attempts (holder, run, solved) WHERE run IS NOT NULL;
