-- Runs of puzzles, from which the best streak and the best storm follow.

-- Run in which the attempt counts: `streak:` or `storm:`, and an id that the page chose. NULL in training, in the rows of earlier versions, and for
-- an attempt after the end of its run.
ALTER TABLE puzzle_attempts ADD COLUMN run TEXT;

-- The scores of a browser's runs follow without a look at the rows.
CREATE INDEX puzzle_attempts_by_run ON puzzle_attempts (holder, run, solved) WHERE run IS NOT NULL;
