-- Time when the browser of a seat erased its data, in seconds since 1970. Such a seat has neither a browser nor a name, and is not open.

ALTER TABLE seats ADD COLUMN deleted_at INTEGER;
