-- The results of a browser in the order of its attempts, from which its numbers and its latest attempts follow without a look at the rows.

CREATE INDEX puzzle_attempts_in_order ON puzzle_attempts (holder, number, solved);
