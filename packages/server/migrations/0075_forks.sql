-- Games that `overworld fork` has made, for tests, and the days by which `overworld advance` has set on their
-- clocks. Other games have no `forked_from`, and their clocks stand.
ALTER TABLE games ADD COLUMN forked_from uuid;
ALTER TABLE games ADD COLUMN advanced_days integer NOT NULL DEFAULT 0;
