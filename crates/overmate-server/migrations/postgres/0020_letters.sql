-- Private texts of the player of a seat, as in SQLite.

ALTER TABLE seats ADD COLUMN answers TEXT;
ALTER TABLE seats ADD COLUMN note TEXT;
