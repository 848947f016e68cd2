-- The events that move a statistic: an event name, conditions, and a property or null. `is_counted` is false until
-- the values are counted from the events that are stored.
ALTER TABLE stats ADD COLUMN source jsonb;
ALTER TABLE stats ADD COLUMN is_counted boolean NOT NULL DEFAULT false;
-- Ingest reads these for each batch, and most games have none.
CREATE INDEX stats_with_source ON stats (game_id) WHERE source IS NOT NULL;
