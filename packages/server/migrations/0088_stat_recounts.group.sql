-- True if only statistics with a new source wait to be counted, and the rollups stay as they are. A migration that
-- asks for rebuilds must set this to false where a game has a row already.
ALTER TABLE event_holds ADD COLUMN for_stats boolean NOT NULL DEFAULT false;
