-- Private texts of the player of a seat: nobody else reads them. They end with the seat.

-- Conditional answers of a match by correspondence, as JSON; null without any.
ALTER TABLE seats ADD COLUMN answers TEXT;

-- Note of the player to themselves; null without a note.
ALTER TABLE seats ADD COLUMN note TEXT;
