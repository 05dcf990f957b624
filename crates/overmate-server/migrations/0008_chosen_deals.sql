-- Whether the browser that created the match chose the deal of the first round by its number. Earlier versions did not store the choice.

ALTER TABLE matches ADD COLUMN deal_chosen INTEGER NOT NULL DEFAULT 0 CHECK (deal_chosen IN (0, 1));
